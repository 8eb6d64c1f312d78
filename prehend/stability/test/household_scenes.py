"""Household scenes whose contacts are known in closed form: cups, bowls, bottles, eggs, pans, lids and doors, as MJCF with primitives or meshes.

Every kind returns a Scene: bodies as a new user would write them, and the contact points of the true surfaces, worked out here. Nothing is shared with
the program but the file. Meshes are made from a meridian: 12 to 200 sides, rolled, noisy, as STL in millimetres, or with irregular vertices.
"""

import math
import struct
from dataclasses import dataclass, field

import numpy as np
import trimesh
from scipy.spatial import ConvexHull

AROUND = 192  # contact points of a circle: lever arms are right to 7e-5


def numbers(values):
    return " ".join(f"{float(x):.17g}" for x in np.ravel(values))


def rotation(axis, angle):
    return trimesh.transformations.rotation_matrix(angle, np.asarray(axis, float))


def shift(*p):
    return trimesh.transformations.translation_matrix(p)


def circle(r, centre=(0, 0), n=AROUND):
    t = 2 * math.pi * np.arange(n) / n
    mean = 2 * r / (1 + math.cos(math.pi / n))
    return np.column_stack([np.cos(t), np.sin(t)]) * mean + centre


# ---------------------------------------------------------------------------------------------- shapes

@dataclass
class Style:
    """How a turned body is written: as a primitive where there is one, or as a mesh of some tessellation."""
    mesh: bool = False
    sides: int = 48
    roll: float = 0.0
    noise: float = 0.0  # of the size
    irregular: bool = False
    stl: bool = False

    def __str__(self):
        if not self.mesh:
            return "primitive"
        return f"{'irregular ' if self.irregular else ''}{self.sides} sides, noise {self.noise:g}{', stl' if self.stl else ''}"


def random_style(rng, fewest=30, can_be_primitive=True):
    if can_be_primitive and rng.random() < 0.4:
        return Style()
    sides = int(rng.choice([n for n in (24, 30, 32, 36, 48, 64, 96, 128, 200) if n >= fewest]))
    noise = float(rng.choice([0, 0, 0, 1e-6, 1e-4]))
    return Style(True, sides, rng.uniform(0, 2 * math.pi), noise, bool(rng.random() < 0.15), bool(rng.random() < 0.4))


@dataclass
class Part:
    kind: str  # MJCF's
    size: tuple
    X: np.ndarray  # in the body
    mesh: trimesh.Trimesh
    style: Style = field(default_factory=Style)
    middle: np.ndarray | None = None  # of mass, where noise of the vertices is none of the body

    def centre(self):
        return self.mesh.center_mass if self.middle is None else self.middle


def primitive(kind, size, X=np.eye(4)):
    if kind == "box":
        mesh = trimesh.creation.box(2 * np.asarray(size))
    elif kind == "cylinder":
        mesh = trimesh.creation.cylinder(size[0], 2 * size[1], sections=256)
    elif kind == "capsule":
        mesh = trimesh.creation.capsule(2 * size[1], size[0], count=[64, 64])
        mesh.apply_translation([0, 0, -mesh.bounds.mean(axis=0)[2]])
    else:
        mesh = trimesh.creation.icosphere(subdivisions=4)
        mesh.apply_scale(np.resize(size, 3))
    return Part(kind, tuple(size), np.asarray(X, float), mesh)


def arc(centre, radii, start, end, sides):
    """Points of an ellipse from one angle to the other [deg], divided as a circle of so many sides is."""
    count = max(1, round(sides * abs(end - start) / 360))
    t = np.radians(np.linspace(start, end, count + 1))
    return [(centre[0] + radii[0] * math.cos(a), centre[1] + radii[1] * math.sin(a)) for a in t]


def turned(outline, style, rng, X=np.eye(4)):
    """A mesh from a meridian (r, z), from the axis below, outwards, and back to the axis above. """
    meridian = [(max(p[0], 0.0) if abs(p[0]) > 1e-12 else 0.0, p[1]) for p in outline]
    size = max(max(p[0] for p in meridian) * 2, max(p[1] for p in meridian) - min(p[1] for p in meridian))
    middle = None
    if style.noise or style.irregular:
        middle = turned(outline, Style(True, style.sides, 0.0), rng).mesh.center_mass * [0, 0, 1]
    rings, vertices = [], []
    for k, (r, z) in enumerate(meridian):
        if r == 0:
            rings.append(([len(vertices)], [0.0]))
            vertices.append((0, 0, z))
            continue
        if style.irregular:  # as a scanner has it: angles and counts of its own on every ring
            n = style.sides + int(rng.integers(-3, 4))
            angles = np.sort((np.arange(n) + rng.uniform(-0.3, 0.3, n)) * 2 * math.pi / n + rng.uniform(0, 1))
        else:
            n = style.sides
            angles = style.roll + 2 * math.pi * np.arange(n) / n
        rings.append((list(range(len(vertices), len(vertices) + n)), list(angles)))
        vertices += [(r * math.cos(a), r * math.sin(a), z) for a in angles]
    faces = []
    for below, above in zip(rings, rings[1:]):
        faces += band(below, above)
    vertices = np.array(vertices) + style.noise * size * rng.uniform(-1, 1, (len(vertices), 3))
    if style.stl:
        vertices = vertices.astype(np.float32).astype(float)
    return Part("mesh", (), np.asarray(X, float), trimesh.Trimesh(vertices, faces, process=False), style, middle)


def band(below, above):
    """Triangles between two rings of vertices with angles of their own."""
    (a, s), (b, t) = below, above
    if len(a) == 1 and len(b) == 1:
        return []
    if len(a) == 1:
        return [(a[0], b[(j + 1) % len(b)], b[j]) for j in range(len(b))]
    if len(b) == 1:
        return [(a[i], a[(i + 1) % len(a)], b[0]) for i in range(len(a))]
    start = int(np.argmin(np.abs((np.array(t) - s[0] + math.pi) % (2 * math.pi) - math.pi)))
    angle_a = lambda i: s[i % len(a)] + 2 * math.pi * (i // len(a))
    turns = round((s[0] - t[start]) / (2 * math.pi))
    angle_b = lambda j: t[(start + j) % len(b)] + 2 * math.pi * (turns + (start + j) // len(b))
    faces, i, j = [], 0, 0
    while i < len(a) or j < len(b):
        here, there = a[i % len(a)], b[(start + j) % len(b)]
        if j == len(b) or i < len(a) and angle_a(i + 1) < angle_b(j + 1) + 1e-9:
            faces.append((here, a[(i + 1) % len(a)], there))
            i += 1
        else:
            faces.append((here, b[(start + j + 1) % len(b)], there))
            j += 1
    return faces


def can(r, half, style, rng, X=np.eye(4)):
    if not style.mesh:
        return primitive("cylinder", (r, half), X)
    return turned([(0, -half), (r, -half), (r, half), (0, half)], style, rng, X)


def ball(r, style, rng, X=np.eye(4)):
    if not style.mesh:
        return primitive("sphere", (r,), X)
    return turned(arc((0, 0), (r, r), -90, 90, style.sides), style, rng, X)


# ---------------------------------------------------------------------------------------------- scenes

@dataclass
class Body:
    name: str
    mass: float  # [kg] 0: fixed
    X: np.ndarray
    parts: list
    joint: str = ""  # MJCF of a joint at the body's origin
    free: list = field(default_factory=list)  # (axis, point, is_slide, friction) in the world

    def centre(self):
        # Masses of the parts go with their volumes, as mjcf() writes them.
        volumes = [part.mesh.volume for part in self.parts]
        centres = [(self.X @ part.X @ [*part.centre(), 1])[:3] for part in self.parts]
        return np.average(centres, axis=0, weights=volumes)


class Scene:
    def __init__(self, mu):
        self.mu, self.bodies, self.contacts = mu, [], []
        self.notes = []

    def add(self, name, mass, X, *parts, **more):
        self.bodies.append(Body(name, mass, np.asarray(X, float), list(parts), **more))
        return len(self.bodies) - 1

    def board(self, name, point, normal, half=(1.5, 1.5, 0.05)):
        """A fixed box whose upper side goes through a point."""
        n = np.asarray(normal, float) / np.linalg.norm(normal)
        X = trimesh.geometry.align_vectors([0, 0, 1], n)
        X[:3, 3] = np.asarray(point, float) - half[2] * n
        return self.add(name, 0.0, X, primitive("box", half))

    def floor(self):
        return self.board("floor", (0, 0, 0), (0, 0, 1))

    def touch(self, a, b, points, n):
        """Contact points with the normal from a to b; one normal, or one a point."""
        points = np.atleast_2d(points)
        for p, d in zip(points, np.broadcast_to(n, points.shape)):
            self.contacts.append((a, b, np.array(p, float), np.array(d, float) / np.linalg.norm(d)))

    def touch_flat(self, a, b, first, second, z):
        """Two convex outlines share a patch at the height z, b above a."""
        shared = overlap(np.asarray(first), np.asarray(second))
        assert len(shared) > 2
        self.touch(a, b, np.column_stack([shared, np.full(len(shared), z)]), (0, 0, 1))

    def moved(self, X):
        for body in self.bodies:
            body.X = X @ body.X
            body.free = [(X[:3, :3] @ axis, (X @ [*p, 1])[:3], *rest) for axis, p, *rest in body.free]
        self.contacts = [(a, b, (X @ [*p, 1])[:3], X[:3, :3] @ n) for a, b, p, n in self.contacts]

    def weight(self):
        return 9.81 * sum(body.mass for body in self.bodies)

    def write(self, folder):
        text, assets, count = [], [], 0
        for body in self.bodies:
            geoms, volume = [], sum(part.mesh.volume for part in body.parts)
            for part in body.parts:
                where = f'pos="{numbers(part.X[:3, 3])}" quat="{numbers(quaternion(part.X))}"'
                mass = f'mass="{body.mass * part.mesh.volume / volume:.17g}"' if body.mass else ""
                shape = f'type="{part.kind}" size="{numbers(part.size)}"'
                if part.kind == "mesh":
                    shape, asset = f'type="mesh" mesh="m{count}"', asset_of(part, f"m{count}", folder)
                    assets.append(asset)
                    count += 1
                geoms.append(f'<geom {shape} {where} {mass} friction="{self.mu:.17g}"/>')
            joint = body.joint or ("<freejoint/>" if body.mass else "")
            text.append(f'<body name="{body.name}" pos="{numbers(body.X[:3, 3])}" quat="{numbers(quaternion(body.X))}">{joint}{"".join(geoms)}</body>')
        path = folder / "scene.xml"
        path.write_text(f'<mujoco><asset>{"".join(assets)}</asset><worldbody>{"".join(text)}</worldbody></mujoco>')
        return path


def quaternion(X):
    return trimesh.transformations.quaternion_from_matrix(X)


def asset_of(part, name, folder):
    mesh = part.mesh
    if not part.style.stl:
        return f'<mesh name="{name}" inertia="exact" vertex="{numbers(mesh.vertices)}" face="{" ".join(map(str, mesh.faces.ravel()))}"/>'
    corners = (1000 * mesh.vertices[mesh.faces]).astype("<f4")
    record = np.zeros(len(corners), dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    record["v"] = corners
    (folder / f"{name}.stl").write_bytes(bytes(80) + struct.pack("<I", len(corners)) + record.tobytes())
    return f'<mesh name="{name}" inertia="exact" file="{name}.stl" scale="0.001 0.001 0.001"/>'


def overlap(subject, polygon):
    """The corners that two convex outlines share, counter-clockwise."""
    for a, b in zip(polygon, np.roll(polygon, -1, axis=0)):
        inward = np.array([a[1] - b[1], b[0] - a[0]])
        side = (subject - a) @ inward
        kept = []
        for i in range(len(subject)):
            j = (i + 1) % len(subject)
            if side[i] >= 0:
                kept.append(subject[i])
            if (side[i] > 0) != (side[j] > 0) and side[i] != side[j]:
                kept.append(subject[i] + side[i] / (side[i] - side[j]) * (subject[j] - subject[i]))
        if len(kept) < 3:
            return np.zeros((0, 2))
        subject = np.array(kept)
    return subject[ConvexHull(subject).vertices]


def rectangle(x, y, centre=(0, 0), yaw=0.0):
    corners = np.array([(-x, -y), (x, -y), (x, y), (-x, y)], float)
    R = np.array([[math.cos(yaw), -math.sin(yaw)], [math.sin(yaw), math.cos(yaw)]])
    return corners @ R.T + centre


def ring_points(r, z, slope, centre=(0, 0)):
    """A circle with normals that rise by `slope` [rad] from outwards (0) towards up (pi/2)."""
    t = 2 * math.pi * np.arange(AROUND) / AROUND
    mean = 2 * r / (1 + math.cos(math.pi / AROUND))
    out = np.column_stack([np.cos(t), np.sin(t)])
    points = np.column_stack([mean * out + centre, np.full(AROUND, z)])
    return points, np.column_stack([math.cos(slope) * out, np.full(AROUND, math.sin(slope))])


def random_mass(rng):
    return rng.uniform(0.1, 2)


SOLID, OPEN, RINGED = ["can", "frustum", "bottle"], ["mug", "pot"], ["glass"]


def standing_thing(rng, style, kinds):
    """Radius of its flat foot, of its flat top (0: open), height, and parts with the foot at z = 0."""
    kind = rng.choice(kinds)
    r, h = rng.uniform(0.025, 0.08), rng.uniform(0.05, 0.2)
    if kind == "can" or not style.mesh:
        return r, r, h, [can(r, h / 2, style, rng, shift(0, 0, h / 2))]
    if kind == "frustum":
        top = r * rng.uniform(0.6, 1.5)
        return r, top, h, [turned([(0, 0), (r, 0), (top, h), (0, h)], style, rng)]
    if kind == "bottle":
        neck = rng.uniform(0.3, 0.5) * r
        shoulder = arc((neck, 0.6 * h), (r - neck, 0.2 * h), 0, 90, style.sides)
        return r, neck, h, [turned([(0, 0), (r, 0), *shoulder, (neck, h), (0, h)], style, rng)]
    wall = 0.1 * r
    inside = [(0.9 * r, h), (0.9 * r, 2 * wall), (0, 2 * wall)]
    if kind == "mug":  # a handle that is a shell of its own, well above the floor
        handle = primitive("box", (0.15 * r, 0.05 * r, 0.2 * h), shift(1.1 * r, 0, 0.5 * h))
        return r, 0, h, [turned([(0, 0), (r, 0), (r, h), *inside], style, rng), handle]
    if kind == "glass":  # a foot ring around a hollow
        foot = [(0, 0.3 * wall), (0.8 * r, 0.3 * wall), (0.85 * r, 0), (r, 0), (r, h)]
        return r, 0, h, [turned([*foot, *inside], style, rng)]
    rounded = arc((r - wall, wall), (wall, wall), -90, 0, style.sides)
    return r - wall, 0, h, [turned([(0, 0), *rounded, (r, h), *inside], style, rng)]


def standing(rng):
    """Cans, cups, bottles and pots on a table and on each other."""
    scene = Scene(rng.uniform(0.15, 0.9))
    below, z, at, outline = scene.floor(), 0.0, np.zeros(2), rectangle(1.5, 1.5)
    for k in range(rng.integers(1, 4)):
        style = random_style(rng)
        foot, top, h, parts = standing_thing(rng, style, SOLID + OPEN + (RINGED if k == 0 else []))
        scene.notes.append(str(style))
        if k:
            at = at + rng.uniform(-0.45, 0.45, 2) * min(reach, foot)
        body = scene.add(f"thing{k}", random_mass(rng), shift(*at, z) @ rotation((0, 0, 1), rng.uniform(0, 6)), *parts)
        scene.touch_flat(below, body, outline, circle(foot, at), z)
        if not top:
            break
        below, z, outline, reach = body, z + h, circle(top, at), top
    return scene


def few_sides(rng):
    """Nuts, posts and tumblers of 12 to 20 sides stand on the polygon that they have."""
    scene = Scene(rng.uniform(0.2, 0.9))
    below, z, at, outline = scene.floor(), 0.0, np.zeros(2), rectangle(1.5, 1.5)
    for k in range(rng.integers(1, 3)):
        n = int(rng.integers(12, 21))
        style = Style(True, n, rng.uniform(0, 6), 0.0, False, bool(rng.random() < 0.4))
        r, top, h = rng.uniform(0.03, 0.08), rng.uniform(0.03, 0.08), rng.uniform(0.04, 0.15)
        scene.notes.append(str(style))
        if k:
            at = at + rng.uniform(-0.3, 0.3, 2) * reach
        polygon = np.column_stack([np.cos(t := style.roll + 2 * math.pi * np.arange(n) / n), np.sin(t)])
        body = scene.add(f"post{k}", random_mass(rng), shift(*at, z), turned([(0, 0), (r, 0), (top, h), (0, h)], style, rng))
        scene.touch_flat(below, body, outline, r * polygon + at, z)
        below, z, outline, reach = body, z + h, top * polygon + at, min(top, 0.06)
    return scene


def tray(rng):
    """A tray that reaches over the edge of a table, with cups, cans and bowls on it."""
    scene = Scene(rng.uniform(0.2, 0.9))
    table = scene.add("table", 0.0, shift(0, 0, -0.02), primitive("box", (0.5, 0.5, 0.02)))
    x, y = rng.uniform(0.2, 0.35), rng.uniform(0.15, 0.25)
    at, yaw = np.array([rng.uniform(0.2, 0.45), 0.0]), rng.uniform(-0.5, 0.5)
    R = rotation((0, 0, 1), yaw)
    board = scene.add("tray", rng.uniform(0.5, 2), shift(*at, 0.01) @ R, primitive("box", (x, y, 0.01)))
    outline = rectangle(x, y, at, yaw)
    scene.touch_flat(table, board, rectangle(0.5, 0.5), outline, 0.0)
    taken = []
    for k in range(rng.integers(1, 6)):
        style = random_style(rng)
        foot, top, h, parts = standing_thing(rng, style, SOLID + OPEN)
        p = rng.uniform(-1, 1, 2) * (x + 0.01, y + 0.01)
        wide = 1.6 * max(foot, top)
        if any(np.linalg.norm(p - q) < wide + s for q, s in taken):
            continue
        taken.append((p, wide))
        here = (R @ [*p, 0, 1])[:2] + at
        scene.notes.append(str(style))
        body = scene.add(f"thing{k}", random_mass(rng), shift(*here, 0.02) @ rotation((0, 0, 1), rng.uniform(0, 6)), *parts)
        scene.touch_flat(board, body, outline, circle(foot, here), 0.02)
    return scene


def saucer(rng):
    """A cup on a saucer: a foot ring in a well, the saucer on a foot ring of its own."""
    scene, style = Scene(rng.uniform(0.2, 0.8)), random_style(rng, 24, False)
    floor, r = scene.floor(), rng.uniform(0.05, 0.09)
    foot, well, t = 0.6 * r, 0.55 * r, 0.006
    profile = [(0, 0.003), (0.5 * r, 0.003), (0.55 * r, 0), (foot, 0), (r, 0.02), (0.98 * r, 0.02 + t), (well, t), (0, t)]
    plate = scene.add("saucer", rng.uniform(0.1, 0.4), np.eye(4), turned(profile, style, rng))
    scene.touch_flat(floor, plate, rectangle(1, 1), circle(foot), 0.0)
    other = random_style(rng, 24, False)
    cup_foot, h = rng.uniform(0.6, 0.8) * well, rng.uniform(0.05, 0.09)
    side = arc((0.2 * r, h), (0.7 * r, h - 0.004), -60, 0, other.sides)
    inner = arc((0.2 * r, h), (0.62 * r, h - 0.012), 0, -60, other.sides)
    cup = [(0, 0.002), (0.8 * cup_foot, 0.002), (0.85 * cup_foot, 0), (cup_foot, 0), *side, *inner, (0, inner[-1][1])]
    at = rng.uniform(-1, 1, 2) * 0.6 * (well - cup_foot)
    body = scene.add("cup", rng.uniform(0.1, 0.5), shift(*at, t), turned(cup, other, rng))
    scene.touch_flat(plate, body, circle(well), circle(cup_foot, at), t)
    scene.notes += [str(style), str(other)]
    return scene


def bowl_outline(R, t, foot, style, opening=90):
    """A spherical bowl: the inside a sphere of radius R about (0, R + t), outside one of R + t, a foot ring below. Returns also the height of that ring."""
    outer = arc((0, R + t), (R + t, R + t), -90 + math.degrees(math.asin((foot + 0.004) / (R + t))), -90 + opening, style.sides)
    inner = arc((0, R + t), (R, R), -90 + opening, -90, style.sides)
    base, hollow = -0.004, -0.001
    return [(0, hollow), (foot - 0.004, hollow), (foot - 0.004, base), (foot, base), *outer, *inner], base


def balls_in_bowl(rng):
    """One ball at the bottom of a bowl that stands on its foot, or two or three that lean on each other."""
    scene, style = Scene(rng.uniform(0.2, 0.8)), random_style(rng, 32, False)
    R, t = rng.uniform(0.08, 0.16), rng.uniform(0.004, 0.01)
    foot = rng.uniform(0.4, 0.6) * R
    outline, base = bowl_outline(R, t, foot, style)
    floor = scene.floor()
    bowl = scene.add("bowl", random_mass(rng), shift(0, 0, -base), turned(outline, style, rng))
    scene.touch_flat(floor, bowl, rectangle(1, 1), circle(foot), 0.0)
    other = random_style(rng, 32)
    r, count = rng.uniform(0.15, 0.3) * R, int(rng.integers(1, 4))
    out = 0.0 if count == 1 else r / math.sin(math.pi / count)
    middle, turn = np.array([0, 0, R + t - base]), rng.uniform(0, 6)
    places = []
    for k in range(count):
        a = turn + 2 * math.pi * k / count
        places.append(middle + [out * math.cos(a), out * math.sin(a), -math.sqrt((R - r) ** 2 - out ** 2)])
        mass = random_mass(rng) if k == 0 else mass
        X = shift(*places[-1]) @ trimesh.transformations.random_rotation_matrix(rng.random(3))
        body = scene.add(f"ball{k}", mass, X, ball(r, other, rng))
        n = (middle - places[-1]) / (R - r)
        scene.touch(bowl, body, places[-1] - r * n, n)
    for k in range(count):
        for j in range(k):
            n = places[k] - places[j]
            scene.touch(bowl + 1 + j, bowl + 1 + k, (places[j] + places[k]) / 2, n)
    scene.notes += [str(style), str(other)]
    return scene


def nested(rng):
    """A bowl or a ball that sits in the round opening of a cup."""
    scene, style, other = Scene(rng.uniform(0.2, 0.8)), random_style(rng, 32, False), random_style(rng, 32)
    floor, rim, h = scene.floor(), rng.uniform(0.04, 0.08), rng.uniform(0.07, 0.12)
    r = rim * rng.uniform(1.3, 1.7)
    cup = scene.add("cup", random_mass(rng), np.eye(4),
                    turned([(0, 0), (0.7 * rim, 0), (rim + 0.004, h), (rim, h), (0.6 * rim, 0.01), (0, 0.01)], style, rng))
    scene.touch_flat(floor, cup, rectangle(1, 1), circle(0.7 * rim), 0.0)
    centre = h + math.sqrt(r * r - rim * rim)
    if rng.random() < 0.5:
        body = scene.add("ball", random_mass(rng), shift(0, 0, centre) @ trimesh.transformations.random_rotation_matrix(rng.random(3)), ball(r, other, rng))
    else:
        other.mesh = True
        outer, inner = arc((0, 0), (r, r), -90, 0, other.sides), arc((0, 0), (0.93 * r, 0.93 * r), 0, -90, other.sides)
        body = scene.add("bowl", random_mass(rng), shift(0, 0, centre), turned([*outer, *inner], other, rng))
    points, n = ring_points(rim, h, math.asin((centre - h) / r))
    scene.touch(cup, body, points, n * [-1, -1, 1])
    scene.notes += [str(style), str(other)]
    return scene


def funnel(rng):
    """A cone in a ring: a stopper in a bottle's mouth, a funnel on a can."""
    scene, style, other = Scene(rng.uniform(0.2, 0.8)), random_style(rng, 32, False), random_style(rng, 32, False)
    style.irregular = False
    floor, hole, wide, t = scene.floor(), rng.uniform(0.02, 0.04), rng.uniform(0.05, 0.08), rng.uniform(0.02, 0.05)
    ring = scene.add("ring", random_mass(rng), np.eye(4), annulus(hole, wide, t, style, rng))
    scene.touch_flat(floor, ring, rectangle(1, 1), circle(wide), 0.0)
    half = math.radians(rng.uniform(20, 60))  # of the cone's opening
    low, high = -0.7 * min(hole / math.tan(half), 0.9 * t), 0.03
    profile = [(0, low), (hole + low * math.tan(half), low), (hole + high * math.tan(half), high), (0, high)]
    body = scene.add("stopper", random_mass(rng), shift(0, 0, t), turned(profile, other, rng))
    points, n = ring_points(hole, t, half)
    scene.touch(ring, body, points, n * [-1, -1, 1])
    scene.notes += [str(style), str(other)]
    return scene


def annulus(hole, wide, t, style, rng):
    """A flat ring: the meridian is closed."""
    first = turned([(hole, 0), (wide, 0), (wide, t), (hole, t), (hole, 0)], style, rng)
    mesh = trimesh.Trimesh(first.mesh.vertices, first.mesh.faces, process=False)
    n = style.sides  # the last ring is the first
    faces = mesh.faces.copy()
    faces[faces >= 4 * n] -= 4 * n
    return Part("mesh", (), np.eye(4), trimesh.Trimesh(mesh.vertices[:4 * n], faces, process=False), style,
                None if not style.noise else np.array([0, 0, t / 2]))


def lying(rng):
    """A rolling pin, bottle, can or capsule on the floor against one or two fixed or loose blocks."""
    scene, style = Scene(rng.uniform(0.2, 0.9)), random_style(rng, 30)
    floor, r, half = scene.floor(), rng.uniform(0.02, 0.06), rng.uniform(0.05, 0.15)
    kind = rng.choice(["can", "capsule", "pin"])
    flip = rotation((1, 0, 0), -math.pi / 2)  # the axis along y
    ends = half
    if kind == "capsule" and not style.mesh:
        parts = [primitive("capsule", (r, half))]
    elif kind == "pin" and style.mesh:
        ends = 0.6 * half
        grip = [(0.35 * r, ends), (0.35 * r, half), (0, half)]
        parts = [turned([(p[0], -p[1]) for p in reversed(grip)] + [(r, -ends), (r, ends), *grip], style, rng)]
    else:
        parts = [can(r, half, style, rng)]
    body = scene.add("pin", random_mass(rng), shift(0, 0, r) @ flip, *parts)
    scene.touch(floor, body, [(0, -ends, 0), (0, ends, 0)], (0, 0, 1))
    for side in (-1, 1)[:rng.integers(1, 3)]:
        h, a, loose = r * rng.choice([0.4, 0.7, 1.3, 1.8]), rng.uniform(0.02, 0.05), rng.random() < 0.6
        reach = math.sqrt(r * r - (r - h) ** 2) if h < r else r
        long = half * rng.uniform(0.3, 1.2)
        block = scene.add(f"block{side + 1}", random_mass(rng) if loose else 0.0, shift(side * (reach + a), 0, h / 2), primitive("box", (a, long, h / 2)))
        if loose:
            scene.touch_flat(floor, block, rectangle(1, 1), rectangle(a, long, (side * (reach + a), 0)), 0.0)
        y, z = min(ends, long), min(h, r)
        scene.touch(block, body, [(side * reach, -y, z), (side * reach, y, z)], (-side * reach, 0, r - z))
    scene.notes.append(f"{kind} {style}")
    return scene


def v_rack(rng):
    """A bottle or a can in a V."""
    scene, style = Scene(rng.uniform(0.15, 0.8)), random_style(rng, 30)
    angle, r, half = math.radians(rng.uniform(20, 60)), rng.uniform(0.03, 0.06), rng.uniform(0.06, 0.12)
    boards = []
    for side in (-1, 1):
        boards.append(scene.board(f"board{side + 1}", (side * 0.3 * math.cos(angle), 0, 0.3 * math.sin(angle)),
                                  (-side * math.sin(angle), 0, math.cos(angle)), (0.3, 0.5, 0.02)))
    flip = rotation((1, 0, 0), -math.pi / 2)
    centre = np.array([0, 0, r / math.cos(angle)])
    if style.mesh and rng.random() < 0.6:
        neck = 0.4 * r
        shoulder = arc((neck, 0.4 * half), (r - neck, 0.2 * half), 0, 90, style.sides)
        part, top = turned([(0, -half), (r, -half), *shoulder, (neck, half), (0, half)], style, rng), 0.4 * half
    else:
        part, top = can(r, half, style, rng), half
    body = scene.add("bottle", random_mass(rng), shift(*centre) @ flip, part)
    for side, board in zip((-1, 1), boards):
        n = np.array([-side * math.sin(angle), 0, math.cos(angle)])
        scene.touch(board, body, [centre - r * n + [0, y, 0] for y in (-half, top)], n)
    scene.notes.append(str(style))
    return scene


def pyramid(rng):
    """Lying cans on each other between two walls."""
    scene, style = Scene(rng.uniform(0.2, 0.8)), random_style(rng, 30)
    floor, r, half, rows = scene.floor(), rng.uniform(0.03, 0.05), rng.uniform(0.05, 0.1), int(rng.integers(2, 4))
    flip = rotation((1, 0, 0), -math.pi / 2)
    places, mass = [], random_mass(rng)
    for row in range(rows):
        for k in range(rows - row):
            p = np.array([(2 * k - (rows - row - 1)) * r, 0, r + row * math.sqrt(3) * r])
            places.append((scene.add(f"can{row}_{k}", mass, shift(*p) @ flip @ rotation((0, 0, 1), rng.uniform(0, 6)), can(r, half, style, rng)), p))
    y = np.array([0, half, 0])
    for i, p in places:
        if p[2] < 1.5 * r:
            scene.touch(floor, i, [p - y - [0, 0, r], p + y - [0, 0, r]], (0, 0, 1))
        for j, q in places:
            if i < j and np.linalg.norm(p - q) < 2.01 * r:
                scene.touch(i, j, [(p + q) / 2 - y, (p + q) / 2 + y], q - p)
    for side in (-1, 1):
        wall = scene.add(f"wall{side + 1}", 0.0, shift(side * (rows * r + 0.05), 0, 0.3), primitive("box", (0.05, 0.5, 0.299)))
        i, p = min(places[:rows], key=lambda place: -side * place[1][0])
        scene.touch(wall, i, [p - y + [side * r, 0, 0], p + y + [side * r, 0, 0]], (-side, 0, 0))
    scene.notes.append(str(style))
    return scene


def eggs(rng):
    """Eggs and stones on a tray: ellipsoids on their lowest point, some against its wall; tilted ones fall."""
    scene = Scene(rng.uniform(0.2, 0.8))
    floor, x, y, t = scene.floor(), 0.25, 0.2, 0.008
    walls = [primitive("box", (x, t, 0.02), shift(0, s * (y + t), 0.02)) for s in (-1, 1)]
    tray_body = scene.add("tray", rng.uniform(0.5, 2), np.eye(4), primitive("box", (x, y, t), shift(0, 0, t)), *walls)
    scene.touch_flat(floor, tray_body, rectangle(1, 1), rectangle(x, y + 2 * t), 0.0)
    falls = rng.random() < 0.15
    for k in range(rng.integers(1, 4)):
        style = random_style(rng, 32)
        radii = np.sort(rng.uniform(0.012, 0.03, 3))[::-1]
        if style.mesh:
            radii[1] = radii[2]  # turned about its long axis
        yaw = rng.uniform(0, math.pi) if rng.random() < 0.5 else 0.0
        at = np.array([-0.15 + 0.13 * k, rng.uniform(-0.08, 0.08)])
        wide = math.hypot(radii[0] * math.sin(yaw), radii[1] * math.cos(yaw))
        at_wall = radii[2] < 0.02 and rng.random() < 0.6  # the wall is 0.024 above the board
        if at_wall:
            at[1] = y - wide
        X = shift(*at, 2 * t + radii[2]) @ rotation((0, 0, 1), yaw)
        if falls and k == 0 and not at_wall:
            tilt, s = 0.4, radii[2] / radii[0]
            X = shift(*at, 2 * t + math.hypot(radii[2] * math.cos(tilt), radii[0] * math.sin(tilt))) @ rotation((0, 0, 1), yaw) @ rotation((0, 1, 0), tilt)
            d = np.linalg.inv(X[:3, :3]) @ [0, 0, -1]
            foot = (X @ [*(radii ** 2 * d / np.linalg.norm(radii * d)), 1])[:3]
        else:
            foot = np.array([*at, 2 * t])
        part = turned(arc((0, 0), (radii[2], radii[0]), -90, 90, style.sides), style, rng, rotation((0, 1, 0), math.pi / 2)) if style.mesh \
            else primitive("ellipsoid", radii)
        body = scene.add(f"egg{k}", rng.uniform(0.03, 0.1), X, part)
        scene.touch(tray_body, body, foot, (0, 0, 1))
        if at_wall:
            d = np.linalg.inv(X[:3, :3]) @ [0, 1, 0]
            scene.touch(body, tray_body, (X @ [*(radii ** 2 * d / np.linalg.norm(radii * d)), 1])[:3], (0, 1, 0))
        scene.notes.append(str(style))
    return scene


def on_incline(rng):
    """An egg or a ball on a board that tilts a little falls: it rolls off sideways."""
    scene, style = Scene(rng.uniform(0.3, 0.8)), random_style(rng, 32)
    tilt = math.radians(rng.uniform(0.2, 3))
    r, floor = rng.uniform(0.015, 0.04), scene.floor()
    if rng.random() < 0.5:
        part = ball(r, style, rng)
    elif style.mesh:
        part = turned(arc((0, 0), (r, 1.4 * r), -90, 90, style.sides), style, rng, rotation((0, 1, 0), math.pi / 2))
    else:
        part = primitive("ellipsoid", (1.4 * r, r, r))
    body = scene.add("egg", random_mass(rng), shift(0, 0, r), part)
    scene.touch(floor, body, (0, 0, 0), (0, 0, 1))
    scene.moved(rotation((1, 0, 0), tilt))
    scene.notes.append(str(style))
    return scene


def leaning(rng):
    """A capsule that leans in a corner of two walls, or on the edge of a block."""
    scene = Scene(rng.uniform(0.2, 1.0))
    floor, r, half = scene.floor(), rng.uniform(0.01, 0.03), rng.uniform(0.1, 0.3)
    angle = math.radians(rng.uniform(35, 75))  # of the axis above the floor
    if rng.random() < 0.5:
        d = np.array([math.cos(angle) / math.sqrt(2), math.cos(angle) / math.sqrt(2), math.sin(angle)])
        top = np.array([-r, -r, r + 2 * half * math.sin(angle)])
        for axis in (0, 1):
            wall = scene.board(f"wall{axis}", (0, 0, 1.51), -np.eye(3)[axis], (1.5, 1.5, 0.05))
            scene.touch(wall, 3, top + r * np.eye(3)[axis], -np.eye(3)[axis])
    else:
        d = np.array([math.cos(angle), 0, math.sin(angle)])
        share = rng.uniform(0.55, 0.9)
        n = np.array([-math.sin(angle), 0, math.cos(angle)])  # the rod's side above the edge
        top = np.array([0, 0, r]) + 2 * half * d
        p = np.array([0, 0, r]) + share * 2 * half * d - r * n
        if rng.random() < 0.5:
            y = rng.uniform(0.02, 0.1)
            block = scene.add("block", 0.0, shift(p[0] + 0.1, 0, p[2] / 2), primitive("box", (0.1, y, p[2] / 2)))
        else:
            y = rng.uniform(0.05, 0.1)
            block = scene.add("block", rng.uniform(2, 8), shift(p[0] + 0.1, 0, p[2] / 2), primitive("box", (0.1, y, p[2] / 2)))
            scene.touch_flat(floor, block, rectangle(1.5, 1.5), rectangle(0.1, y, (p[0] + 0.1, 0)), 0.0)
        scene.touch(block, 2, p, n)
    X = trimesh.geometry.align_vectors([0, 0, 1], d)
    X[:3, 3] = top - half * d
    body = scene.add("rod", random_mass(rng), X, primitive("capsule", (r, half)))
    scene.touch(floor, body, [*(top - 2 * half * d)[:2], 0], (0, 0, 1))
    return scene


def plate_rack(rng):
    """A plate that stands on its rim and leans against a dowel."""
    scene, style = Scene(rng.uniform(0.2, 1.0)), random_style(rng, 30)
    floor, R, half, q = scene.floor(), rng.uniform(0.08, 0.14), rng.uniform(0.004, 0.01), rng.uniform(0.005, 0.012)
    lean = math.radians(rng.uniform(5, 30))
    X = rotation((1, 0, 0), math.pi / 2 + lean)
    n, up = X[:3, 2], np.array([0, -math.sin(lean), math.cos(lean)])  # n looks down a little: that side leans
    lowest = half * n - R * up
    X[2, 3] = -lowest[2]
    lowest[2] = 0.0
    share = rng.uniform(0.1, 0.7)
    middle = X[:3, 3] + half * n + share * R * up
    dowel = scene.add("dowel", 0.0, shift(*(middle + q * n)) @ rotation((0, 1, 0), math.pi / 2), primitive("cylinder", (q, 0.2)))
    roll = rotation((0, 0, 1), rng.uniform(0, 6))
    plate = scene.add("plate", random_mass(rng), X @ roll, can(R, half, style, rng))
    chord = R * math.sqrt(1 - share ** 2)
    scene.touch(dowel, plate, [middle + [-chord, 0, 0], middle + [chord, 0, 0]], -n)
    scene.touch(floor, plate, lowest, (0, 0, 1))
    scene.notes.append(str(style))
    return scene


def pan(rng):
    """A pan with a handle on the bars of a stove, and a lid with a knob on it."""
    scene, style = Scene(rng.uniform(0.2, 0.8)), random_style(rng, 30, False)
    r, h, t = rng.uniform(0.08, 0.13), rng.uniform(0.04, 0.1), 0.004
    parts = [turned([(0, 0), (r - 0.01, 0), (r, h), (r - t, h), (r - t - 0.01, t), (0, t)], style, rng)]
    if rng.random() < 0.8:
        parts.append(primitive("box", (0.09, 0.012, 0.006), shift(r + 0.09 - 0.004, 0, 0.7 * h)))
    at, yaw = rng.uniform(-0.03, 0.03, 2), rng.uniform(0, 6)
    body = 4
    for k in range(4):
        a, width = math.pi / 2 * k, 0.005
        middle = 0.1 * np.array([math.cos(a), math.sin(a)])
        bar = scene.add(f"bar{k}", 0.0, shift(*middle, -0.01) @ rotation((0, 0, 1), a), primitive("box", (0.06, width, 0.01)))
        scene.touch_flat(bar, body, rectangle(0.06, width, middle, a), circle(r - 0.01, at), 0.0)
    scene.add("pan", random_mass(rng), shift(*at, 0) @ rotation((0, 0, 1), yaw), *parts)
    if rng.random() < 0.6:
        other = random_style(rng, 30, False)
        lid = [(0, 0), (r + 0.003, 0), (r + 0.003, 0.003), (0.015, 0.02), (0.015, 0.04), (0, 0.04)]
        body = scene.add("lid", random_mass(rng), shift(*at, h), turned(lid, other, rng))
        scene.touch_flat(4, body, circle(r, at), circle(r + 0.003, at), h)
        scene.notes.append(str(other))
    scene.notes.append(str(style))
    return scene


def ball_on_ring(rng):
    """A ball on a ring that lies on the floor; a ball in a can's mouth."""
    scene, style, other = Scene(rng.uniform(0.2, 0.8)), random_style(rng, 32, False), random_style(rng, 32)
    style.irregular = False
    floor, hole, t = scene.floor(), rng.uniform(0.02, 0.05), rng.uniform(0.02, 0.05)
    r = hole * rng.uniform(1.1, 2.0)
    t = max(t, r - math.sqrt(r * r - hole * hole) + 0.005)
    ring = scene.add("ring", random_mass(rng), np.eye(4), annulus(hole, 1.5 * hole, t, style, rng))
    scene.touch_flat(floor, ring, rectangle(1, 1), circle(1.5 * hole), 0.0)
    centre = t + math.sqrt(r * r - hole * hole)
    body = scene.add("ball", random_mass(rng), shift(0, 0, centre), ball(r, other, rng))
    points, n = ring_points(hole, t, math.asin((centre - t) / r))
    scene.touch(ring, body, points, n * [-1, -1, 1])
    scene.notes += [str(style), str(other)]
    return scene


def lid_on_hinge(rng):
    """A hinged lid that rests on a can or a ball, with dry friction in its hinge or without."""
    scene, style = Scene(rng.uniform(0.2, 0.8)), random_style(rng, 30)
    floor, a, b, t = scene.floor(), rng.uniform(0.15, 0.25), rng.uniform(0.1, 0.2), 0.01
    tau = float(rng.choice([0.0, rng.uniform(0.05, 2)]))
    friction = f' frictionloss="{tau:.17g}"' if tau else ""
    r, half = rng.uniform(0.02, 0.05), rng.uniform(0.04, 0.1)
    is_ball = rng.random() < 0.5
    at = np.array([rng.uniform(0.7, 1.6) * a, rng.uniform(-0.7, 0.7) * b])
    h = 2 * (r if is_ball else half)
    lid = scene.add("lid", random_mass(rng), shift(0, 0, h + t), primitive("box", (a, b, t), shift(a, 0, 0)),
                    joint=f'<joint type="hinge" axis="0 1 0"{friction}/>', free=[(np.array([0.0, 1, 0]), np.array([0, 0, h + t]), False, tau)])
    if is_ball:
        body = scene.add("ball", random_mass(rng), shift(*at, r), ball(r, style, rng))
        scene.touch(floor, body, (*at, 0), (0, 0, 1))
        scene.touch(body, lid, (*at, h), (0, 0, 1))
    else:
        body = scene.add("can", random_mass(rng), shift(*at, half), can(r, half, style, rng))
        scene.touch_flat(floor, body, rectangle(1, 1), circle(r, at), 0.0)
        scene.touch_flat(body, lid, circle(r, at), rectangle(a, b, (a, 0)), h)
    scene.notes.append(str(style))
    return scene


def drawer(rng):
    """A drawer with dry friction, closed onto a can that stands or lies before it, a block behind the can."""
    scene, style = Scene(rng.uniform(0.2, 0.8)), random_style(rng, 30)
    floor, force = scene.floor(), rng.uniform(0.5, 10)
    a, b, c = rng.uniform(0.1, 0.2), rng.uniform(0.1, 0.2), rng.uniform(0.03, 0.08)
    z0 = 0.01
    box = scene.add("drawer", random_mass(rng), shift(-a, 0, z0 + c), primitive("box", (a, b, c)),
                    joint=f'<joint type="slide" axis="1 0 0" frictionloss="{force:.17g}"/>',
                    free=[(np.array([1.0, 0, 0]), np.zeros(3), True, force)])
    r, half = rng.uniform(0.02, 0.05), rng.uniform(0.04, 0.12)
    if rng.random() < 0.5:
        y = rng.uniform(-0.5, 0.5) * b
        body = scene.add("can", random_mass(rng), shift(r, y, half), can(r, half, style, rng))
        scene.touch_flat(floor, body, rectangle(1, 1), circle(r, (r, y)), 0.0)
        scene.touch(box, body, [(0, y, z0), (0, y, min(2 * half, z0 + 2 * c))], (1, 0, 0))
    else:
        flip, y = rotation((1, 0, 0), -math.pi / 2), min(b, half)
        body = scene.add("can", random_mass(rng), shift(r, 0, r) @ flip, can(r, half, style, rng))
        scene.touch(floor, body, [(r, -half, 0), (r, half, 0)], (0, 0, 1))
        scene.touch(box, body, [(0, -y, r), (0, y, r)], (1, 0, 0))
        stop = scene.add("stop", 0.0, shift(2 * r + 0.05, 0, 0.1), primitive("box", (0.05, 0.3, 0.0999)))
        scene.touch(body, stop, [(2 * r, -half, r), (2 * r, half, r)], (1, 0, 0))
    scene.notes.append(str(style))
    return scene


def slope(rng):
    """A glass on a tilted tray, below or above the angle at which it slides or tips."""
    scene, style = Scene(rng.uniform(0.2, 0.9)), random_style(rng, 24)
    floor = scene.floor()
    foot, _, _, parts = standing_thing(rng, style, SOLID + OPEN + RINGED)
    body = scene.add("glass", random_mass(rng), rotation((0, 0, 1), rng.uniform(0, 6)), *parts)
    scene.touch_flat(floor, body, rectangle(1, 1), circle(foot), 0.0)
    limit = min(math.atan(scene.mu), math.atan2(foot, scene.bodies[body].centre()[2]))
    scene.moved(rotation((rng.normal(), rng.normal(), 0), limit * rng.choice([0.6, 0.8, 0.95, 1.05, 1.2])))
    scene.notes.append(str(style))
    return scene


KINDS = {f.__name__: f for f in (standing, few_sides, tray, saucer, balls_in_bowl, nested, funnel, lying, v_rack, pyramid, eggs, on_incline, leaning, plate_rack, pan,
                                 ball_on_ring, lid_on_hinge, drawer, slope)}


def random_scene(kind, rng):
    scene = KINDS[kind](rng)
    scene.moved(shift(*rng.uniform(-1, 1, 3)) @ rotation((0, 0, 1), rng.uniform(0, 2 * math.pi)))
    return scene
