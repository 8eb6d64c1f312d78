"""Let a scene come to rest in simulation: does everything stay where it was put?"""

import sys

import prehend

if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} SCENE")
scene = prehend.read_scene(sys.argv[1])

# At most two seconds of simulated time; the status says how it ended.
result = prehend.settle(scene, max_time=2.0)
print("status", result.status)
print(f"time_s {result.time:.17g}")

# How far each movable body moved, and where it stands now.
for motion in result.motions:
    body = result.scene.bodies[motion.body]
    p = " ".join(f"{x:.17g}" for x in body.X_WB.p)
    print(f"{body.name} moved_m {motion.distance:.17g} turned_rad {motion.angle:.17g} p_W_m {p}")
