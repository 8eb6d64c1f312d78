"""Can a robot do again what was demonstrated? The sub-skills in the physics engine, with force feedback and a groove that is not where the robot takes it to be."""

import json
import sys

import prehend
from prehend.observation import execute, watch

if len(sys.argv) != 4:
    sys.exit(f"usage: {sys.argv[0]} PEG GROOVE POSES")
peg, groove = prehend.read_mesh(sys.argv[1]), prehend.read_mesh(sys.argv[2])
watched = watch(peg, groove, prehend.model.read_pose_log(sys.argv[3]), moving_part="peg", fixed_part="groove")
done = execute(peg, groove, watched, pose_error=(0.002, 0.02), trials=3)  # up to 2 mm and 0.02 rad off
print(f"status {done.status}, {done.arrived} of {len(json.loads(done.to_json())['trials'])} arrived")
for end in done.ends:
    print(end)
