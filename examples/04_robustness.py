"""How hard may I push, before something moves?"""

import sys

import prehend

if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} SCENE")
scene = prehend.read_scene(sys.argv[1])

# A hundred points on the surfaces of what may move, pushed inward; answers are proven from both sides.
sampled = prehend.robustness_map(scene, 100)
result = prehend.robustness(scene, list(zip(sampled.bodies, sampled.points_W, sampled.directions_W)))
print("status", result.status)
if not len(result.answers):
    sys.exit(3)

weakest = int(result.values.argmin())
answer = result.answers[weakest]
print(f"unbounded {sum(a.unbounded for a in result.answers)} of {len(result.answers)}")
print(f"weakest on {result.bodies[weakest]} at", " ".join(f"{x:.17g}" for x in result.points_W[weakest]))
print(f"robustness_N {answer.robustness:.17g} proven between {answer.lower:.17g} and {answer.upper:.17g}")
print("mode", answer.mode, "moving", *answer.moving)
