"""The nearest scene that neither overlaps nor floats."""

import sys

import prehend

if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} SCENE")
scene = prehend.read_scene(sys.argv[1])

# Poses that a camera saw, off by a millimetre and half a degree per axis.
result = prehend.mend(scene, noise=(1e-3, 0.0087))
print(result.status)
for name, moved in result.moved.items():
    print(f"{name} moved {moved:.17g} turned {result.turned[name]:.17g}")
for a, b in result.closed:
    print("closed", a, b)
