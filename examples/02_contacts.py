"""Where do the bodies of a scene touch?"""

import sys

import prehend

if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} SCENE")
scene = prehend.read_scene(sys.argv[1])

# Surfaces within 0.1 mm of each other touch; the normal points from a to b.
contacts = prehend.find_scene_contacts(scene, contact_tolerance=1e-4)
for interface in contacts.interfaces:
    patch = interface.patch
    normal = " ".join(f"{x:.17g}" for x in patch.n_W)
    print(f"{scene.bodies[interface.body_a].name} - {scene.bodies[interface.body_b].name}: area_m2 {patch.area_m2:.17g} "
          f"normal {normal} friction {interface.friction:.17g} points {len(patch.points_W)}")
for problem in contacts.problems:
    print("problem", problem)
