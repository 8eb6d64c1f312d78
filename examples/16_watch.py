"""What did the person assemble? Contact states, sub-skills and critical transitions from the tracked poses of two parts."""

import sys

import prehend
from prehend.observation import watch

if len(sys.argv) != 4:
    sys.exit(f"usage: {sys.argv[0]} PEG GROOVE POSES")
peg, groove = prehend.read_mesh(sys.argv[1]), prehend.read_mesh(sys.argv[2])
watched = watch(peg, groove, prehend.model.read_pose_log(sys.argv[3]), moving_part="peg", fixed_part="groove")
print("status", watched.status)
for state in watched.states:
    inferred = ", inferred" if state.inferred else ""
    print(f"{state.t0:.17g} to {state.t1:.17g} s: keeps {state.relation.all.maintaining} freedoms, {len(state.contacts)} contacts{inferred}")
# A robot's errors would prevent these: it must feel its way there.
for transition in watched.critical:
    print("critical: transition", transition)
