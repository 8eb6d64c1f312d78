"""What is in this mesh? Volume, centroid, and whether it bounds a solid."""

import sys

import prehend

if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} MESH")
mesh = prehend.read_mesh(sys.argv[1])

# The check welds first and counts what keeps the mesh from bounding a solid.
report = prehend.check_mesh(mesh)
print("vertices", report.vertices)
print("closed", "yes" if report.is_closed else "no")
for problem in report.problems:
    print("problem", problem)

# Volume and centroid mean something only for a closed mesh: mass.status says so.
mass = prehend.mass_properties(mesh)
print(f"volume_m3 {mass.volume:.17g}")
print("centroid_m", *(f"{x:.17g}" for x in mass.centroid))
