"""Random piles, slopes, leaning planks, jams and arches: verdicts and robustness against a contact finder and statics written a second time.

Bodies are unions of convex pieces. Contacts are found here by separating axes and clipping, forces by Clarabel's second-order cones, so that
nothing is shared with the program but the file. Some scenes by default; PREHEND_SLOW=1 asks 500.

As a program: piles_sweep_test.py [SCENES [SEED]] prints counts by kind.
"""

import collections
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import clarabel
import numpy as np
import scipy.sparse as sp
from scipy.spatial import ConvexHull

PROGRAM = Path(os.environ.get("PREHEND_BIN", "build/release/bin")) / "prehend"
SLOW = os.environ.get("PREHEND_SLOW") == "1"
G = 9.81
TOUCH = 2e-5  # [m] gaps and overlaps of the scenes made here are rounding errors


# ---------------------------------------------------------------------------------------------- bodies

@dataclass
class Body:
    name: str
    pieces: list  # vertices of convex pieces, in the world
    mass: float = 0.0  # 0: fixed
    hulls: list = field(default_factory=list)

    def __post_init__(self):
        self.hulls = [Hull(vertices) for vertices in self.pieces]

    def centre(self):
        volumes = np.array([hull.volume for hull in self.hulls])
        return volumes @ np.array([hull.centroid for hull in self.hulls]) / volumes.sum()


class Hull:
    """A convex piece: its faces' normals, its edges' directions, volume and centroid."""

    def __init__(self, vertices):
        self.v = np.asarray(vertices, float)
        hull = ConvexHull(self.v)
        normals, edges, self.faces = [], [], []
        for equation in hull.equations:
            n = equation[:3]
            if not any(np.dot(n, m) > 1 - 1e-9 for m in normals):
                normals.append(n)
                on = self.v[self.v @ n > (self.v @ n).max() - 1e-9]
                self.faces.append((n, ordered(on, n)))
        for _, polygon in self.faces:
            for a, b in zip(polygon, np.roll(polygon, -1, axis=0)):
                d = (b - a) / np.linalg.norm(b - a)
                if not any(abs(np.dot(d, e)) > 1 - 1e-9 for e in edges):
                    edges.append(d)
        self.normals, self.edges = np.array(normals), np.array(edges)
        apex, self.volume, moment = self.v.mean(0), 0.0, np.zeros(3)
        for triangle in hull.simplices:
            a, b, c = self.v[triangle]
            volume = abs(np.dot(a - apex, np.cross(b - apex, c - apex))) / 6
            self.volume += volume
            moment += volume * (apex + a + b + c) / 4
        self.centroid = moment / self.volume


def basis(n):
    u = np.cross(n, [1, 0, 0] if abs(n[0]) < 0.7 else [0, 1, 0])
    u /= np.linalg.norm(u)
    return u, np.cross(n, u)


def ordered(points, n):
    u, v = basis(n)
    d = points - points.mean(0)
    return points[np.argsort(np.arctan2(d @ v, d @ u))]


# ---------------------------------------------------------------------------------------------- contacts

def separation(a, b):
    """Largest gap over the separating axes (negative: overlap), and the axis, from a to b."""
    cross = np.cross(a.edges[:, None], b.edges[None]).reshape(-1, 3)
    length = np.linalg.norm(cross, axis=1)
    cross = cross[length > 1e-6] / length[length > 1e-6, None]
    axes = np.vstack([a.normals, -b.normals, cross, -cross])
    gaps = (axes @ b.v.T).min(1) - (axes @ a.v.T).max(1)
    best = int(np.argmax(gaps - 1e-9 * np.arange(len(gaps)) / len(gaps)))  # faces before edges where they are equal
    return gaps[best], axes[best]


def clip(subject, polygon):
    """A convex polygon, segment or point, cut by a convex polygon; counter-clockwise, in the plane."""
    for a, b in zip(polygon, np.roll(polygon, -1, axis=0)):
        inward = np.array([a[1] - b[1], b[0] - a[0]])
        inward = inward / np.linalg.norm(inward)
        side = (subject - a) @ inward
        kept = []
        for i in range(len(subject)):
            j = (i + 1) % len(subject)
            if side[i] >= -1e-9:
                kept.append(subject[i])
            if len(subject) > 1 and (side[i] > 1e-9 and side[j] < -1e-9 or side[i] < -1e-9 and side[j] > 1e-9):
                kept.append(subject[i] + side[i] / (side[i] - side[j]) * (subject[j] - subject[i]))
        if not kept:
            return np.zeros((0, 2))
        subject = np.array(kept)
    return subject


def crossing(p, q):
    """Two segments in the plane: where they cross, or where they lie on each other."""
    d, e = p[1] - p[0], q[1] - q[0]
    determinant = d[0] * e[1] - d[1] * e[0]
    if abs(determinant) < 1e-7 * np.linalg.norm(d) * np.linalg.norm(e):
        along = d / np.linalg.norm(d)
        offset = q[0] - p[0]
        if abs(along[0] * offset[1] - along[1] * offset[0]) > TOUCH:
            return np.zeros((0, 2))
        ends = sorted((q - p[0]) @ along)
        low, high = max(0.0, ends[0]), min(np.linalg.norm(d), ends[1])
        return np.array([p[0] + low * along, p[0] + high * along]) if high >= low else np.zeros((0, 2))
    r = q[0] - p[0]
    s, t = (r[0] * e[1] - r[1] * e[0]) / determinant, (r[0] * d[1] - r[1] * d[0]) / determinant
    inside = -1e-9 <= s <= 1 + 1e-9 and -1e-9 <= t <= 1 + 1e-9
    return (p[0] + s * d)[None] if inside else np.zeros((0, 2))


def patch(a, b):
    """Corners of the contact of two convex pieces, and its normal, from a to b; none where they are apart. None: they overlap."""
    gap, n = separation(a, b)
    if gap > TOUCH:
        return np.zeros((0, 3)), n
    if gap < -TOUCH:
        return None, n
    top = a.v[a.v @ n > (a.v @ n).max() - TOUCH]
    bottom = b.v[b.v @ n < (b.v @ n).min() + TOUCH]
    u, v = basis(n)
    flat = [np.column_stack([ordered(points, n) @ u, ordered(points, n) @ v]) for points in (top, bottom)]
    if len(flat[1]) > 2:
        corners = clip(flat[0], flat[1])
    elif len(flat[0]) > 2:
        corners = clip(flat[1], flat[0])
    elif len(flat[0]) == 2 and len(flat[1]) == 2:
        corners = crossing(*flat)
    else:
        corners = min(flat, key=len)
    level = ((a.v @ n).max() + (b.v @ n).min()) / 2
    distinct = []
    for c in corners:
        if all(np.linalg.norm(c - other) > 1e-7 for other in distinct):
            distinct.append(c)
    return np.array([c[0] * u + c[1] * v + level * n for c in distinct]).reshape(-1, 3), n


def contacts_of(bodies):
    """[(a, b, point, normal from a to b)]; None where bodies overlap."""
    found = []
    for i, a in enumerate(bodies):
        for j in range(i + 1, len(bodies)):
            b = bodies[j]
            if a.mass == 0 and b.mass == 0:
                continue
            for p in a.hulls:
                for q in b.hulls:
                    if (p.v.min(0) > q.v.max(0) + 1e-3).any() or (q.v.min(0) > p.v.max(0) + 1e-3).any():
                        continue
                    points, n = patch(p, q)
                    if points is None:
                        return None
                    found += [(i, j, point, n) for point in points]
    return found


# ---------------------------------------------------------------------------------------------- statics

def limit(bodies, contacts, mu, push=None):
    """Largest push [N]; inf: unbounded; None: the weights alone cannot be balanced. Without a push 0 or None."""
    rows = {index: k for k, index in enumerate(i for i, body in enumerate(bodies) if body.mass > 0)}
    n = 3 * len(contacts) + (push is not None)
    scale = sum(body.mass for body in bodies) * G  # forces in units of the whole weight
    A, g = np.zeros((6 * len(rows), n)), np.zeros(6 * len(rows))
    centres = [bodies[i].centre() for i in rows]

    def add(column, body, force, point):
        if body in rows:
            k = rows[body]
            A[6 * k:6 * k + 3, column] += force
            A[6 * k + 3:6 * k + 6, column] += np.cross(point - centres[k], force)

    for k, (a, b, point, normal) in enumerate(contacts):
        for axis, direction in enumerate((normal, *basis(normal))):
            add(3 * k + axis, b, direction, point)
            add(3 * k + axis, a, -direction, point)
    for i, k in rows.items():
        g[6 * k + 2] = -bodies[i].mass * G / scale
    if push is not None:
        add(n - 1, push[0], push[2], push[1])
    cones = sp.lil_matrix((3 * len(contacts) + (push is not None), n))
    kinds = [clarabel.ZeroConeT(len(g))]
    if push is not None:
        cones[0, n - 1] = -1
        kinds.append(clarabel.NonnegativeConeT(1))
    first = int(push is not None)
    for k in range(len(contacts)):
        cones[first + 3 * k, 3 * k] = -mu
        cones[first + 3 * k + 1, 3 * k + 1] = cones[first + 3 * k + 2, 3 * k + 2] = -1
        kinds.append(clarabel.SecondOrderConeT(3))
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_iter = 400
    cost = np.zeros(n)
    if push is not None:
        cost[-1] = -1
    solution = clarabel.DefaultSolver(sp.csc_matrix((n, n)), cost, sp.vstack([sp.csc_matrix(A), cones.tocsc()]).tocsc(),
                                      np.concatenate([-g, np.zeros(cones.shape[0])]), kinds, settings).solve()
    status = str(solution.status)
    if "PrimalInfeasible" in status:
        return None
    if "DualInfeasible" in status:
        return math.inf
    if "Solved" not in status:
        raise ArithmeticError(status)
    return solution.x[-1] * scale if push is not None else 0.0


# ---------------------------------------------------------------------------------------------- scenes

def box(low, high):
    return np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])], float)


def turned(vertices, axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return vertices @ (np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K).T


def floor():
    return Body("floor", [box((-5, -5, -0.2), (5, 5, 0))])


def random_shape(rng):
    """Convex pieces that stand on z = 0, and the height of a level top (None: there is none)."""
    kind = rng.choice(["box", "prism", "frustum", "polytope", "L", "T"])
    size = rng.uniform(0.05, 0.3, 3)
    if kind == "box":
        return [box(-size / 2 * [1, 1, 0], size * [0.5, 0.5, 1])], size[2]
    if kind in ("prism", "frustum"):
        angles = np.sort(rng.uniform(0, 2 * math.pi) + 2 * math.pi * (np.arange(m := rng.integers(3, 9)) + rng.uniform(-0.2, 0.2, m)) / m)
        ring = np.column_stack([np.cos(angles), np.sin(angles)]) * size[0] / 2
        top = ring * (1 if kind == "prism" else rng.uniform(0.3, 0.9))
        return [np.vstack([np.column_stack([ring, np.zeros(m)]), np.column_stack([top, np.full(m, size[2])])])], size[2]
    if kind == "polytope":
        hull = Hull(rng.normal(size=(rng.integers(8, 16), 3)) * size / 4)
        n, _ = hull.faces[rng.integers(len(hull.faces))]
        axis, angle = np.cross(n, [0, 0, -1]), math.acos(np.clip(-n[2], -1, 1))
        vertices = turned(hull.v, axis if np.linalg.norm(axis) > 1e-9 else [1, 0, 0], angle)
        vertices = vertices[ConvexHull(vertices).vertices]
        return [vertices - [*vertices.mean(0)[:2], vertices[:, 2].min()]], None
    x, y, z = size
    if kind == "L":
        return [box((-x / 2, -y / 2, 0), (x / 2, y / 2, z / 3)), box((-x / 2, -y / 2, z / 3), (-x / 4, y / 2, z))], None
    return [box((-x / 8, -y / 2, 0), (x / 8, y / 2, z / 2)), box((-x / 2, -y / 2, z / 2), (x / 2, y / 2, z))], z


def pile(rng):
    bodies = [floor()]
    places = [(np.zeros(3), 0.4)]  # middle of a level top, and how far bodies may be put from it
    wanted = rng.integers(2, 8)
    for _ in range(60):
        if len(bodies) > wanted:
            break
        place, reach = places[rng.integers(len(places))]
        pieces, height = random_shape(rng)
        yaw, offset = rng.uniform(0, 2 * math.pi), rng.uniform(-reach, reach, 2)
        pieces = [turned(piece, (0, 0, 1), yaw) + place + [*offset, 0] for piece in pieces]
        body = Body(f"b{len(bodies)}", pieces, rng.uniform(0.2, 4))
        trial = [*bodies, body]
        touching = contacts_of(trial)
        if touching is None or not any(b == len(bodies) for _, b, _, _ in touching):
            continue
        # Nearly touching bodies would be a matter of tolerances.
        if any(TOUCH < separation(p, q)[0] < 2e-3 for other in bodies for p in other.hulls for q in body.hulls):
            continue
        bodies = trial
        if height is not None:
            places.append((np.array([*np.mean([p.mean(0)[:2] for p in pieces], axis=0), pieces[-1][:, 2].max()]), 0.12))
    return bodies, rng.uniform(0.2, 0.9)


def slope(rng):
    angle = rng.uniform(0.05, 0.7)
    wedge = np.array([[x, y, z] for y in (-1, 1) for x, z in ((-1, 0), (1, 0), (1, 2 * math.tan(angle)))], float)
    pieces, _ = random_shape(rng)
    yaw = rng.uniform(0, 2 * math.pi)
    # The frame of the slope: z along its normal, then back to the world.
    pieces = [turned(turned(piece, (0, 0, 1), yaw), (0, -1, 0), angle) + [0, 0, math.tan(angle)] for piece in pieces]
    return [Body("wedge", [wedge]), Body("b1", pieces, rng.uniform(0.2, 4))], math.tan(angle) * rng.uniform(0.7, 1.8)


def plank(rng):
    length, width, thick, angle = rng.uniform(0.5, 1.5), rng.uniform(0.1, 0.4), rng.uniform(0.01, 0.06), rng.uniform(0.5, 1.3)
    beam = turned(box((0, -width / 2, 0), (length, width / 2, thick)), (0, -1, 0), angle)
    wall = Body("wall", [box((length * math.cos(angle), -2, 0.005), (length * math.cos(angle) + 0.2, 2, 3))])
    bodies = [floor(), wall, Body("plank", [beam], rng.uniform(0.5, 5))]
    if rng.random() < 0.5:  # a block on the floor under it, that stops it
        side = rng.uniform(0.05, 0.15)
        bodies.append(Body("stop", [box((-side, -side / 2, 0), (0, side / 2, side)) + [-thick * math.sin(angle), 0, 0]], rng.uniform(1, 8)))
        if contacts_of(bodies) is None:
            bodies.pop()
    return bodies, rng.uniform(0.15, 0.9)


def jam(rng):
    size = rng.uniform(0.1, 0.3, 3)
    lift = rng.choice([0.0, 0.1])
    block = Body("block", [box(-size / 2 * [1, 1, 0], size * [0.5, 0.5, 1]) + [0, 0, lift]], rng.uniform(0.5, 3))
    walls = [Body(f"wall{side}", [box((0, -1, 0.002), (0.2, 1, 1)) + [size[0] / 2 if side else -size[0] / 2 - 0.2, 0, 0]]) for side in (0, 1)]
    bodies = [floor(), *walls, block]
    if rng.random() < 0.6:  # something on top, narrower than the gap
        top = rng.uniform(0.2, 0.8) * size
        bodies.append(Body("load", [box(-top / 2 * [1, 1, 0], top * [0.5, 0.5, 1]) + [0, 0, lift + size[2]]], rng.uniform(0.2, 3)))
    return bodies, rng.uniform(0.1, 0.8)


def arch(rng):
    count, inner, thick, depth = rng.integers(3, 10), rng.uniform(0.4, 0.8), rng.uniform(0.06, 0.25), rng.uniform(0.1, 0.3)
    angles = np.linspace(0, math.pi, count + 1)
    ring = [np.array([[r * math.cos(t), y, r * math.sin(t)] for r in (inner, inner + thick) for y in (-depth / 2, depth / 2)]) for t in angles]
    bodies = [floor()] + [Body(f"v{k}", [np.vstack([ring[k], ring[k + 1]])], 0.5) for k in range(count)]
    for body in bodies[1:]:
        body.mass = 2000 * body.hulls[0].volume
    return bodies, rng.uniform(0.2, 0.9)


KINDS = {"pile": pile, "slope": slope, "plank": plank, "jam": jam, "arch": arch}


def random_push(rng, bodies):
    """(body, point, direction) on a surface that no other piece of the body covers."""
    movable = [i for i, body in enumerate(bodies) if body.mass > 0]
    while True:
        index = movable[rng.integers(len(movable))]
        hull = bodies[index].hulls[rng.integers(len(bodies[index].hulls))]
        n, polygon = hull.faces[rng.integers(len(hull.faces))]
        k = rng.integers(1, len(polygon) - 1)
        weights = rng.dirichlet([1, 1, 1])
        point = weights @ polygon[[0, k, k + 1]]
        others = [h for h in bodies[index].hulls if h is not hull]
        if any(((h.normals @ point) <= (h.normals @ h.v.T).max(1) + 1e-6).all() for h in others):
            continue
        d = -n + rng.uniform(0, 1) * rng.normal(size=3)
        return index, point, d / np.linalg.norm(d)


def mjcf(bodies, mu):
    text, assets = [], []
    for body in bodies:
        share = 1 / sum(hull.volume for hull in body.hulls)
        geoms = []
        for k, hull in enumerate(body.hulls):
            mesh = f"{body.name}_{k}"
            assets.append(f'<mesh name="{mesh}" vertex="{" ".join(f"{x:.17g}" for x in hull.v.ravel())}"/>')
            mass = f'mass="{body.mass * hull.volume * share:.17g}"' if body.mass else ""
            geoms.append(f'<geom type="mesh" mesh="{mesh}" friction="{mu:.17g}" {mass}/>')
        text.append(f'<body name="{body.name}">{"<freejoint/>" if body.mass else ""}{"".join(geoms)}</body>')
    return f'<mujoco><asset>{"".join(assets)}</asset><worldbody>{"".join(text)}</worldbody></mujoco>'


# ---------------------------------------------------------------------------------------------- the comparison

def ask(folder, bodies, mu, pushes):
    scene, table = folder / "scene.xml", folder / "pushes.csv"
    scene.write_text(mjcf(bodies, mu))
    with table.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow("body x y z dx dy dz".split())
        for body, point, d in pushes:
            rows.writerow([bodies[body].name, *(f"{x:.17g}" for x in (*point, *d))])
    done = subprocess.run([PROGRAM, "robustness", scene, "--queries", table, "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr + done.stdout
    return json.loads(done.stdout)


def disagreement(bodies, mu, contacts, pushes, answer):
    """A sentence, or "" where both say the same; "border" where a fifth of a percent of friction decides."""
    stable = limit(bodies, contacts, mu) is not None
    if stable != (answer["status"] == "ok"):
        if answer["status"] not in ("ok", "unstable"):
            return f"status {answer['status']}: {answer.get('problems')}"
        verdicts = {limit(bodies, contacts, mu * factor) is not None for factor in (0.998, 1.002)}
        return "border" if len(verdicts) == 2 else f"stable here: {stable}, there: {answer['status']}"
    if not stable:
        return ""
    for push, found in zip(pushes, answer["results"]):
        expected = limit(bodies, contacts, mu, push)
        if expected is None:
            return "border"
        value = math.inf if found["unbounded"] else found["robustness_N"]
        if expected == value or abs(expected - value) <= 1e-3 * expected + 1e-4:
            continue
        near = [limit(bodies, contacts, mu * factor, push) for factor in (0.998, 1.002)]
        if near[0] is None or near[1] is None or near[0] < value < near[1] or (math.isinf(value) or math.isinf(expected)) and max(near) > 1e4:
            return "border"
        return f"{bodies[push[0]].name}: {value} N there, {expected} N here"
    return ""


def sweep(scenes, seed):
    counts, wrong = {kind: collections.Counter() for kind in KINDS}, []
    with tempfile.TemporaryDirectory() as name:
        for k in range(scenes):
            rng = np.random.default_rng([seed, k])
            kind = list(KINDS)[0 if k % 2 else 1 + k // 2 % 4]
            bodies, mu = KINDS[kind](rng)
            contacts = contacts_of(bodies)
            if contacts is None or len(bodies) < 2:
                counts[kind]["overlap"] += 1
                continue
            pushes = [random_push(rng, bodies) for _ in range(4)]
            answer = ask(Path(name), bodies, mu, pushes)
            what = disagreement(bodies, mu, contacts, pushes, answer)
            counts[kind]["stable" if answer["status"] == "ok" else "unstable"] += 1
            if what == "border":
                counts[kind]["border"] += 1
            elif what:
                counts[kind]["wrong"] += 1
                wrong.append(f"{kind} {k} of seed {seed}: {what}")
    return counts, wrong


def test_random_scenes_agree_with_a_second_route():
    counts, wrong = sweep(500 if SLOW else 24, 5001)
    total = sum(counts.values(), collections.Counter())
    assert not wrong, "\n".join(wrong)
    assert total["stable"] > 0.3 * total.total() and total["unstable"] > 0.05 * total.total(), counts  # both are asked for
    assert total["border"] <= 0.02 * total.total() + 1, counts


if __name__ == "__main__":
    done = sweep(int(sys.argv[1]) if len(sys.argv) > 1 else 100, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for kind, count in done[0].items():
        print(kind, dict(count))
    print("\n".join(done[1]))
