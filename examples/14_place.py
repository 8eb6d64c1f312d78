"""Where can it go? Two places for a crate of a stack, taken out first."""

import sys

import prehend

if len(sys.argv) != 3:
    sys.exit(f"usage: {sys.argv[0]} SCENE OBJECT")
scene = prehend.read_scene(sys.argv[1])

result = prehend.place(scene, sys.argv[2], count=2, upright_deg=5)
print(result.status)
for placement in result.placements:
    p = placement.X_WO.p
    print(f"{p[0]:.17g} {p[1]:.17g} {p[2]:.17g} holds {placement.min_sr:.17g} N and {placement.margin_g:.17g} g")
