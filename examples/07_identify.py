"""What does it weigh, and where is its mass?"""

import sys

import prehend

if len(sys.argv) != 3:
    sys.exit(f"usage: {sys.argv[0]} LOG PARTS")
log = prehend.model.read_wrench_log(sys.argv[1])
shape = prehend.inertia.read_parts([sys.argv[2]])

# Our own estimator beside plain least squares.
result = prehend.identify(log, shape, methods=["likelihood", "ols"])
for body in result.results:
    com = " ".join(f"{x:.17g}" for x in body.estimate.com)
    print(f"{body.estimate.method}: {body.estimate.mass:.17g} kg at {com}")

# What the sensor will read because of it, held still in its first pose: subtract this to feel contacts.
x, y, z, qw, qx, qy, qz = log.X_WS[0]
pose = prehend.Pose([qw, qx, qy, qz], [x, y, z])
wrench = prehend.inertia.payload_wrench(result.results[0].estimate.inertia_S, pose)
print("force " + " ".join(f"{f:.17g}" for f in wrench[3:]) + " N")
