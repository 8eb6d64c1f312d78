"""What may I take first, and what after that?"""

import sys

import prehend

if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} SCENE")
scene = prehend.read_scene(sys.argv[1])

# Before every step: how much upward pull, in weights of the body, moves something?
result = prehend.disassemble(scene)
for i, scores in enumerate(result.scores):
    print(f"step {i + 1}:", *(f"{name} {score:.17g}" for name, score in scores.items()))
print("order", *result.order)
