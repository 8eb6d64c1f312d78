"""How fast may I drive, with these things on board?"""

import sys

import prehend

if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} SCENE")
scene = prehend.read_scene(sys.argv[1])

# The ground accelerates in eight horizontal directions.
result = prehend.transport(scene, directions=8)
for direction, answer in zip(result.directions_W, result.answers):
    along = " ".join(f"{x:.17g}" for x in direction)
    print(f"along {along}: {answer.robustness:.17g} m/s2, {answer.mode}")
