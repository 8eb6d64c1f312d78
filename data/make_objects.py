"""Makes the embedded objects: a cup (revolved), a nut (hexagon with a round hole) and an angle bracket (extruded).

Run from the repository's root:  python data/make_objects.py
"""

import math
from pathlib import Path

HERE = Path(__file__).resolve().parent / "objects"


def write(name, comment, vertices, polygons):
    lines = [f"# {comment}", "# metres; outward faces counter-clockwise"]
    lines += [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in vertices]
    lines += ["f " + " ".join(str(i + 1) for i in polygon) for polygon in polygons]
    (HERE / f"{name}.obj").write_text("\n".join(lines) + "\n")


def revolve(profile, sides):
    """A closed surface from a profile (r, z) that starts and ends on the axis, outside to its right going up."""
    vertices, rings = [], []
    for radius, height in profile:
        if radius == 0:
            rings.append([len(vertices)] * sides)
            vertices.append((0.0, 0.0, height))
        else:
            rings.append(list(range(len(vertices), len(vertices) + sides)))
            vertices += [(radius * math.cos(2 * math.pi * k / sides), radius * math.sin(2 * math.pi * k / sides), height)
                         for k in range(sides)]
    polygons = []
    for low, high in zip(rings, rings[1:]):
        for k in range(sides):
            n = (k + 1) % sides
            corners = [low[k], low[n], high[n], high[k]]
            polygons.append(list(dict.fromkeys(corners)))
    return vertices, polygons


def cup():
    profile = [(0, 0), (0.030, 0), (0.038, 0.09), (0.035, 0.09), (0.0275, 0.004), (0, 0.004)]
    return revolve(profile, 32)


def nut(across_flats=0.017, hole=0.0051, height=0.008, per_side=4):
    """Outer hexagon and inner circle have the same number of points, so each sector is one quadrilateral."""
    count = 6 * per_side
    corner = across_flats / math.sqrt(3)
    outer, inner = [], []
    for k in range(count):
        side, step = divmod(k, per_side)
        a, b = (math.radians(60 * side), math.radians(60 * (side + 1)))
        t = step / per_side
        outer.append((corner * ((1 - t) * math.cos(a) + t * math.cos(b)), corner * ((1 - t) * math.sin(a) + t * math.sin(b))))
        angle = math.atan2(outer[-1][1], outer[-1][0])
        inner.append((hole * math.cos(angle), hole * math.sin(angle)))
    vertices = [(x, y, z) for z in (0.0, height) for ring in (outer, inner) for x, y in ring]
    bottom_outer, bottom_inner, top_outer, top_inner = (list(range(i * count, (i + 1) * count)) for i in range(4))
    polygons = []
    for k in range(count):
        n = (k + 1) % count
        polygons.append([bottom_outer[k], bottom_outer[n], top_outer[n], top_outer[k]])
        polygons.append([top_outer[k], top_outer[n], top_inner[n], top_inner[k]])
        polygons.append([top_inner[k], top_inner[n], bottom_inner[n], bottom_inner[k]])
        polygons.append([bottom_inner[k], bottom_inner[n], bottom_outer[n], bottom_outer[k]])
    return vertices, polygons


def bracket(length=0.08, height=0.06, thickness=0.006, width=0.04):
    outline = [(0, 0), (length, 0), (length, thickness), (thickness, thickness), (thickness, height), (0, height)]
    count = len(outline)
    vertices = [(x, y, z) for y in (0.0, width) for x, z in outline]
    polygons = [list(range(count)), list(range(2 * count - 1, count - 1, -1))]
    for k in range(count):
        n = (k + 1) % count
        polygons.append([n, k, count + k, count + n])
    return vertices, polygons


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    write("cup", "A cup: 90 mm high, wall 3 mm", *cup())
    write("nut", "A nut: 17 mm across flats, hole 10.2 mm, 8 mm high", *nut())
    write("bracket", "An angle bracket: 80 x 60 x 40 mm, 6 mm thick", *bracket())
