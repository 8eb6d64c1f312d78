"""What was tied, and how is it tied again?"""

import sys

import prehend
from prehend import knot

if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} ROPE")
# The last frame of a recording of the rope's centre line.
recording = knot.project_recording(prehend.model.read_rope_log(sys.argv[1]))
print(f"status {recording.status}, {len(recording.frames)} frames")
if not recording.frames:
    sys.exit(3)
rope = recording.frames[-1].p_data

name = knot.name_knot(rope)
print(f"{name.name}, {rope.crossings} crossings, determinant {name.determinant}")
plan = knot.plan_knot(rope)
print(f"{len(plan.moves)} moves{', no fewer suffice' if plan.proven_shortest else ''}")
for move in plan.moves:
    print(" ", repr(move).removeprefix("<Move: ").removesuffix(">"))
