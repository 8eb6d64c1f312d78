"""What is it made of? Parts of a mesh with their volumes, and the same object at another number of parts."""

import sys

import prehend

if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} MESH")

# One part per closed shell; a cloud goes to segment_cloud(points, colours).
found = prehend.segment_mesh(prehend.read_mesh(sys.argv[1]))
print(f"{found.status}, shells {found.shells}, leaves {found.leaves}")

# The whole tree is there: other numbers of parts cost nothing, and finer parts lie inside coarser ones.
for count in (1, 2, 3):
    found.cut(count)
    for part in found.parts:
        print(f"of {count}: part {part.label} volume_m3 {part.volume:.17g} centroid_m", *(f"{x:.17g}" for x in part.centroid))
