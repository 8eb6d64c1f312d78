"""How does this part move? One joint from the track of a point or a part."""

import sys

import prehend

if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} POSES")
log = prehend.model.read_pose_log(sys.argv[1])

# Positions alone: what a camera sees of a handle.
found = prehend.articulation.select_joint(log.poses[:, :3].copy())
print("status", found.status)

# Every type that could be fitted, best first: how much worse it explains the track.
for candidate in found.candidates:
    print(f"{candidate.type} {candidate.score - found.candidates[0].score:.17g} nats")
axis = [0, 0, 0] if found.fit.axis_F is None else found.fit.axis_F
print("axis", " ".join(f"{x:.17g}" for x in axis))
