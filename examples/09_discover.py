"""Which parts does it have, and which joints connect them?"""

import sys

import prehend

if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} POSES")
thing = prehend.articulation.discover(prehend.model.read_pose_log(sys.argv[1]))
print("status", thing.status)
print(f"{len(thing.parts)} parts in {len(thing.groups)} groups, {thing.degrees_of_freedom} degrees of freedom")
for joint in thing.joints:
    parent, child = thing.groups[joint.parent][0], thing.groups[joint.child][0]
    print(f"{joint.type} between {parent} and {child}, {joint.margin:.17g} nats ahead of the next type")
    print(f"  remaining {joint.rms_position:.17g} m")

# The object as a file that simulators load.
print(f"MJCF of {len(thing.mjcf())} bytes")
