"""Which joints has the thing in my hands? From link poses, inertias and the wrenches of both hands."""

import sys

from prehend import topology

if len(sys.argv) != 3:
    sys.exit(f"usage: {sys.argv[0]} OBJECT LOG")
thing = topology.read_object(sys.argv[1])
recording = topology.read_recording(sys.argv[2], thing)
answer = topology.estimate_topology(thing, recording)
print("status", answer.status)
for joint in answer.joints:
    # A joint that was not moved or loaded enough stays undetermined.
    print(f"{joint.name}: {joint.type}")
    # What the poses alone say, and what the wrenches add.
    for hypothesis in joint.hypotheses:
        print(f"  {hypothesis.type} {hypothesis.kinematic_posterior:.17g} by the poses, {hypothesis.posterior:.17g} by everything")
