"""Demonstrations for `prehend watch` whose states are known from how their paths are made, and a judge that counts answers.

Bodies are built here, written as OBJ or binary STL with their faces cut into triangles, in metres or millimetres, in frames whose origin is
anywhere, and seen by trackers of several kinds. Each state's eight numbers were counted by hand. Run as a program:
    watch_judge.py PREHEND SEED COUNT [TRACKER ...] [--kind KIND] [--keep DIR]
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

FREE, FLAT, TWO, THREE = "300 300 00", "210 120 12", "120 030 23", "030 030 33"
SLOT, SLOT_END, EDGE, LEANING = "201 102 12", "111 012 23", "210 210 11", "120 120 22"


# Rotations and poses ------------------------------------------------------------------------------------------------------------------

def turn(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def turn_by(vector):
    angle = np.linalg.norm(vector)
    return turn(vector, angle) if angle > 1e-15 else np.eye(3)


def random_rotation(rng):
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0 else -q


def quaternion(R):
    w = np.sqrt(max(0.0, 1 + np.trace(R))) / 2
    if w > 0.1:
        return np.array([w, (R[2, 1] - R[1, 2]) / (4 * w), (R[0, 2] - R[2, 0]) / (4 * w), (R[1, 0] - R[0, 1]) / (4 * w)])
    i = int(np.argmax(np.diag(R)))
    j, k = (i + 1) % 3, (i + 2) % 3
    s = np.sqrt(max(0.0, 1 + R[i, i] - R[j, j] - R[k, k])) * 2
    q = np.empty(4)
    q[0] = (R[k, j] - R[j, k]) / s
    q[1 + i], q[1 + j], q[1 + k] = s / 4, (R[j, i] + R[i, j]) / s, (R[k, i] + R[i, k]) / s
    return q


# Bodies -------------------------------------------------------------------------------------------------------------------------------

def area2(polygon):
    x, y = np.array(polygon).T
    return np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))


def ears(loops):
    """Triangles of a polygon with holes, by points: the outer loop runs counter-clockwise, holes are joined to it by bridges."""
    outer = list(loops[0]) if area2(loops[0]) > 0 else list(reversed(loops[0]))
    for hole in loops[1:]:
        hole = list(hole) if area2(hole) < 0 else list(reversed(hole))
        k, m = min(((k, m) for k in range(len(hole)) for m in range(len(outer))), key=lambda km: np.hypot(*(np.array(hole[km[0]]) - outer[km[1]])))
        outer = outer[:m + 1] + hole[k:] + hole[:k + 1] + outer[m:]
    triangles, left = [], list(outer)

    def side(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    while len(left) > 3:
        for i in range(len(left)):
            a, b, c = left[i - 1], left[i], left[(i + 1) % len(left)]
            if side(a, b, c) <= 1e-15:
                continue
            corners = (tuple(a), tuple(b), tuple(c))
            if any(tuple(p) not in corners and min(side(a, b, p), side(b, c, p), side(c, a, p)) >= -1e-15 for p in left):
                continue
            triangles.append(corners)
            del left[i]
            break
        else:
            raise RuntimeError("no ear")
    return triangles + [tuple(map(tuple, left))]


def cells(x, y, z, solid):
    """Boxes between planes put together."""
    planes, triangles = (x, y, z), []

    def full(p):
        return all(0 <= p[a] < len(planes[a]) - 1 for a in range(3)) and solid(*p)

    for p in np.ndindex(len(x) - 1, len(y) - 1, len(z) - 1):
        if not full(p):
            continue
        for axis in range(3):
            for end in (0, 1):
                beside = list(p)
                beside[axis] += 2 * end - 1
                if full(tuple(beside)):
                    continue
                u, v = (axis + 1) % 3, (axis + 2) % 3
                quad = []
                for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    q = list(p)
                    q[axis] += end
                    q[u] += du
                    q[v] += dv
                    quad.append([planes[a][q[a]] for a in range(3)])
                if end == 0:
                    quad.reverse()
                triangles += [(quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])]
    return np.array(triangles, float)


def box(a, b, c):
    return cells([0, a], [0, b], [0, c], lambda i, j, k: True)


def prism(outline, low, high):
    """A polygon in x and z, given counter-clockwise, drawn along y."""
    outline = outline if area2(outline) > 0 else outline[::-1]
    triangles = []
    for a, b, c in ears([outline]):
        triangles.append([[p[0], low, p[1]] for p in (a, b, c)])  # seen from -y, x to the right and z up: counter-clockwise
        triangles.append([[p[0], high, p[1]] for p in (c, b, a)])
    for p, q in zip(outline, outline[1:] + outline[:1]):
        a, b, c, d = [p[0], low, p[1]], [q[0], low, q[1]], [q[0], high, q[1]], [p[0], high, p[1]]
        triangles += [[b, a, d], [b, d, c]]
    return np.array(triangles, float)


def blind_hole(hole, outer, depth, base):
    """A plate with a pocket: z = 0 is its upper face; both outlines counter-clockwise in x and y."""
    triangles = [[[*p, 0.0] for p in t] for t in ears([outer, hole])]
    triangles += [[[*p, -depth] for p in t] for t in ears([hole])]
    triangles += [[[*p, -depth - base] for p in reversed(t)] for t in ears([outer])]
    for p, q in zip(outer, outer[1:] + outer[:1]):
        a, b, c, d = [*p, -depth - base], [*q, -depth - base], [*q, 0.0], [*p, 0.0]
        triangles += [[a, b, c], [a, c, d]]
    for p, q in zip(hole, hole[1:] + hole[:1]):
        a, b, c, d = [*p, -depth], [*q, -depth], [*q, 0.0], [*p, 0.0]
        triangles += [[b, a, d], [b, d, c]]
    return np.array(triangles, float)


def hexagon(inner_radius):
    return [(inner_radius / np.cos(np.pi / 6) * np.cos(a), inner_radius / np.cos(np.pi / 6) * np.sin(a)) for a in np.arange(6) * np.pi / 3]


def cut_finer(triangles):
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    d, e, f = (a + b) / 2, (b + c) / 2, (c + a) / 2
    return np.concatenate([np.stack(t, 1) for t in ((a, d, f), (d, b, e), (f, e, c), (d, e, f))])


# Demonstrations -----------------------------------------------------------------------------------------------------------------------

class Film:
    """States with paths; a path gives a rotation and a position for a share of the way."""

    def __init__(self, moving, fixed):
        self.moving, self.fixed, self.states = moving, fixed, []

    def take(self, numbers, path):
        self.states.append((numbers, path))
        return self


def line(a, b, R=np.eye(3)):
    a, b = np.array(a, float), np.array(b, float)
    return lambda s: (R, a + s * (b - a))


def landing(end, height, rng, R=np.eye(3), aside=0.12):
    """From above, turned a little; without touching on the way: the turn is small against the height."""
    end, w = np.array(end, float), rng.normal(size=3)
    w *= 0.25 / np.linalg.norm(w)
    aside = aside * height * rng.uniform(-1, 1, 2)
    return lambda s: (turn_by(w * (1 - s)) @ R, end + (1 - s) * np.array([*aside, height]))


def tray(rng):
    a, b, deep, wall = rng.uniform(0.1, 0.16), rng.uniform(0.09, 0.13), rng.uniform(0.02, 0.04), 0.012
    x, y, z = rng.uniform(0.03, 0.05), rng.uniform(0.03, 0.05), rng.uniform(0.02, 0.06)
    fixed = cells([-wall, 0, a, a + wall], [-wall, 0, b, b + wall], [-wall, 0, deep], lambda i, j, k: k == 0 or i != 1 or j != 1)
    px, py = a / 2 - x / 2, b / 2 - y / 2
    film = Film(box(x, y, z), fixed).take(FREE, landing([px, py, 0], 0.1, rng))
    film.take(FLAT, line([px, py, 0], [0, py + 0.01, 0])).take(TWO, line([0, py + 0.01, 0], [0, 0, 0])).take(THREE, line([0, 0, 0], [0, 0, 0]))
    return film.take(FREE, lambda s: (np.eye(3), np.array([0.5 * s * px, 0.5 * s * py, 0.09 * s]))) if rng.random() < 0.4 else film


def l_part(rng):
    """An L laid over the edge of a block."""
    a, b, c = rng.uniform(0.06, 0.1), rng.uniform(0.06, 0.1), rng.uniform(0.06, 0.1)
    arm, leg, thick, wide = rng.uniform(0.03, 0.05), rng.uniform(0.02, 0.04), 0.012, rng.uniform(0.025, 0.045)
    moving = cells([-thick, 0, arm], [0, wide], [-leg, 0, thick], lambda i, j, k: i == 0 or k == 1)
    y, out = rng.uniform(0.1, 0.4) * (b - wide), rng.uniform(0.015, 0.02)
    film = Film(moving, box(a, b, c)).take(FREE, landing([-out, y, c], 0.1, rng))
    film.take(FLAT, line([-out, y, c], [0, y, c]))
    return film.take(TWO, line([0, y, c], [0, y + 0.3 * (b - wide), c]))


def loose_key(rng):
    w, deep, long = rng.uniform(0.03, 0.045), rng.uniform(0.025, 0.04), rng.uniform(0.08, 0.12)
    fixed = cells([-0.03, 0, w, w + 0.03], [0, long], [-deep - 0.015, -deep, 0], lambda i, j, k: k == 0 or i != 1)
    key, tall, length = w - rng.uniform(0.008, 0.012), deep + 0.02, rng.uniform(0.4, 0.6) * long
    y, gap = 0.5 * (long - length), None
    film = Film(box(key, length, tall), fixed)
    mid = (w - key) / 2

    def enter(s):
        if s < 0.6:
            t = s / 0.6
            return turn([0, 0, 1], 0.2 * (1 - t)), np.array([mid, y, 0.07 * (1 - t) - 0.0 * t + 0.01 * (1 - t)])
        t = (s - 0.6) / 0.4
        return np.eye(3), np.array([mid * (1 - t), y, -0.6 * deep * t])
    film.take(FREE, enter).take(FLAT, line([0, y, -0.6 * deep], [0, y, -deep]))
    return film.take(TWO, line([0, y, -deep], [0, y + 0.25 * (long - length), -deep]))


def tight_key(rng):
    w, deep, long = rng.uniform(0.02, 0.04), rng.uniform(0.03, 0.045), rng.uniform(0.07, 0.11)
    fixed = cells([-0.03, 0, w, w + 0.03], [0, long], [-deep - 0.015, -deep, 0], lambda i, j, k: k == 0 or i != 1)
    length, tall = rng.uniform(0.4, 0.6) * long, deep + 0.025
    y = 0.5 * (long - length)
    film = Film(box(w, length, tall), fixed).take(FREE, line([0, y, 0.08], [0, y, 0.0]))
    return film.take(SLOT, line([0, y, 0], [0, y, -deep])).take(SLOT_END, line([0, y, -deep], [0, y + 0.3 * (long - length), -deep]))


def lid(rng):
    """A lid with a rim that goes into an open box with play."""
    a, b, c, wall = rng.uniform(0.07, 0.12), rng.uniform(0.06, 0.1), rng.uniform(0.03, 0.06), rng.uniform(0.008, 0.012)
    fixed = cells([0, wall, a - wall, a], [0, wall, b - wall, b], [0, wall, c], lambda i, j, k: k == 0 or i != 1 or j != 1)
    play, rim, thick = rng.uniform(0.006, 0.009), rng.uniform(0.008, 0.015), 0.006
    x0, y0, x1, y1 = wall + play, wall + play, a - wall - play, b - wall - play
    moving = cells([0, x0, x0 + 0.006, x1 - 0.006, x1, a], [0, y0, y0 + 0.006, y1 - 0.006, y1, b], [-rim, 0, thick],
                   lambda i, j, k: k == 1 or (1 <= i <= 3 and 1 <= j <= 3 and not (i == 2 and j == 2)))
    film = Film(moving, fixed).take(FREE, landing([0, 0, c], 0.12, rng, aside=0.0))
    return film.take(FLAT, line([0, 0, c], [-play, 0.4 * play, c])).take(TWO, line([-play, 0.4 * play, c], [-play, -play, c])).take(THREE, line([-play, -play, c], [-play, -play, c]))


def wedge(rng):
    """A wedge pushed along a floor under a slanted ceiling."""
    slope, long, base, wide = rng.uniform(0.3, 0.6), rng.uniform(0.08, 0.12), 0.015, rng.uniform(0.06, 0.1)
    h0 = rng.uniform(0.01, 0.015)
    h1 = h0 + long * slope
    fixed = prism([(-1.6 * long, -base), (long + base, -base), (long + base, h1 + base), (0, h1 + base), (0, h1), (long, h0), (long, 0), (-1.6 * long, 0)], 0, wide)
    w = rng.uniform(0.05, 0.07)
    t = h0 + rng.uniform(0.1, 0.2) * long * slope
    broad = rng.uniform(0.4, 0.7) * wide
    moving = prism([(0, 0), (w, 0), (w, t), (0, t + w * slope)], 0, broad)
    x = long - w + (h0 - t) / slope
    y = 0.5 * (wide - broad)
    start = -0.75 * long - 0.03
    film = Film(moving, fixed).take(FREE, landing([start, y, 0], 0.08, rng, aside=0.0))
    return film.take(FLAT, line([start, y, 0], [x, y, 0])).take(TWO, line([x, y, 0], [x, y + 0.3 * (wide - broad), 0]))


def t_slot(rng):
    """A slider like a T upside down, pushed from an open end into a slot with lips, then to a side, then up."""
    bar, neck, thick, tall = rng.uniform(0.04, 0.06), rng.uniform(0.014, 0.02), rng.uniform(0.01, 0.014), rng.uniform(0.03, 0.04)
    play, up = rng.uniform(0.004, 0.006), rng.uniform(0.006, 0.008)
    lip, long, base = 0.01, rng.uniform(0.08, 0.1), 0.012
    x = [0.0, 0.012, 0.012 + (bar - neck) / 2, 0.012 + (bar + neck) / 2 + 2 * play, 0.012 + bar + 2 * play, 0.024 + bar + 2 * play]
    z = [-base, 0, thick + up, thick + up + lip]
    # In front of y = 0 the floor goes on.
    fixed = cells(x, [-0.09, 0, long], z, lambda i, j, k: k == 0 or (j == 1 and (i in (0, 4) or (k == 2 and i != 2))))
    length = rng.uniform(0.03, 0.05)
    n0 = (bar - neck) / 2
    moving = cells([0, n0, n0 + neck, bar], [0, length], [0, thick, tall], lambda i, j, k: k == 0 or i == 1)
    left = 0.012  # bar on the wall and neck on the lip at once would need equal play; the neck's is 2 play on both sides, the bar's as well
    mid, y0, y1 = left + play, -0.08, 0.4 * long
    film = Film(moving, fixed).take(FREE, landing([mid, y0, 0], 0.08, rng))
    film.take(FLAT, line([mid, y0, 0], [mid, y1, 0]))
    film.take(FREE, line([mid, y1, 0], [mid, y1, up]))
    return film.take(FLAT, line([mid, y1, up], [mid, y1 + 0.02, up]))


def hexagonal(rng):
    r = rng.uniform(0.018, 0.03)
    play, deep = rng.uniform(0.005, 0.007), rng.uniform(0.025, 0.04)
    side = 2.2 * r + 0.02
    fixed = blind_hole(hexagon(r + play), [(-side, -side), (side, -side), (side, side), (-side, side)], deep, 0.015)
    tall = deep + rng.uniform(0.01, 0.03)
    moving = prism([(x, z) for x, z in hexagon(r)], 0, tall)
    R = turn([1, 0, 0], np.pi / 2)  # its y axis becomes z
    n0, n1 = np.array([np.cos(np.pi / 6), np.sin(np.pi / 6), 0]), np.array([0.0, 1.0, 0])
    both = np.linalg.solve(np.array([n0, n1, [0, 0, 1]]), [play, play, 0])
    first = play * n0
    up, down = np.array([0, 0, -0.4 * deep]), np.array([0, 0, -0.8 * deep])
    end = np.array([0, 0, -deep])

    def enter(s):
        if s < 0.7:
            t = s / 0.7
            return turn([0, 0, 1], 0.15 * (1 - t)) @ R, np.array([0, 0, 0.08 * (1 - t) + 0.0]) + t * 0.3 * up
        t = (s - 0.7) / 0.3
        return R, 0.3 * up + t * (first + 0.7 * up)
    film = Film(moving, fixed).take(FREE, enter).take(FLAT, line(first + up, both + down, R))
    return film.take(TWO, line(both + down, both + end, R)).take(THREE, line(both + end, both + end, R))


def drawer(rng):
    """An open drawer on a shelf, against a side of the cabinet, to its back."""
    a, b, c, wall = rng.uniform(0.08, 0.12), rng.uniform(0.08, 0.1), rng.uniform(0.05, 0.07), 0.012
    play = rng.uniform(0.012, 0.018)
    fixed = cells([-wall, 0, a, a + wall], [-0.1, 0, b, b + wall], [-wall, 0, c, c + wall],
                  lambda i, j, k: k == 0 or (j >= 1 and (i != 1 or k == 2 or j == 2)))
    da, db, dc = a - play, rng.uniform(0.6, 0.8) * b, c - 0.02
    moving = cells([0, 0.006, da - 0.006, da], [0, 0.006, db - 0.006, db], [0, 0.006, dc], lambda i, j, k: k == 0 or i != 1 or j != 1)
    y0 = -0.095
    film = Film(moving, fixed).take(FREE, landing([play / 2, y0 - 0.0, 0], 0.1, rng))
    film.take(FLAT, line([play / 2, y0, 0], [0, -0.3 * db, 0])).take(TWO, line([0, -0.3 * db, 0], [0, b - db, 0]))
    return film.take(THREE, line([0, b - db, 0], [0, b - db, 0]))


def v_groove(rng):
    """The edge of a block into a groove of 120 degrees; then it falls onto one side of it."""
    h, long, base = rng.uniform(0.025, 0.035), rng.uniform(0.08, 0.12), 0.012
    half = h * np.tan(np.pi / 3)
    fixed = prism([(-half - 0.02, -base), (half + 0.02, -base), (half + 0.02, h), (half, h), (0, 0), (-half, h), (-half - 0.02, h)], 0, long)
    a, c, b = rng.uniform(0.035, 0.05), rng.uniform(0.035, 0.05), rng.uniform(0.4, 0.7) * long
    y = 0.5 * (long - b)

    def at(angle):  # of its lower face over the horizontal, about the edge along y at its origin
        return turn([0, 1, 0], -angle)
    start, flat = np.pi / 4 + rng.uniform(-0.05, 0.05), np.pi / 6
    film = Film(box(a, b, c), fixed).take(FREE, lambda s: (at(start), np.array([0.012 * (1 - s), y, 0.08 * (1 - s)])))
    film.take(LEANING, lambda s: (at(start + s * (flat - start)), np.array([0, y + 0.01 * s, 0])))
    return film.take(TWO, line([0, y + 0.01, 0], [0, y + 0.02, 0], at(flat)))


def tip(rng):
    """The tip of a pyramid on a floor, to a wall, into a corner."""
    a, wall = rng.uniform(0.1, 0.14), 0.015
    fixed = cells([-wall, 0, a], [-wall, 0, a], [-wall, 0, 0.05], lambda i, j, k: i == 0 or j == 0 or k == 0)
    r, h = rng.uniform(0.01, 0.014), rng.uniform(0.06, 0.08)
    p = [[0, 0, 0], [r, r, h], [-r, r, h], [-r, -r, h], [r, -r, h]]
    moving = np.array([[p[i] for i in t] for t in ((0, 1, 4), (0, 2, 1), (0, 3, 2), (0, 4, 3), (1, 2, 3), (1, 3, 4))], float)
    x, y = rng.uniform(0.03, 0.05), rng.uniform(0.03, 0.05)
    R = turn([1, -1, 0], -rng.uniform(0.6, 0.7)) @ turn([0, 0, 1], rng.uniform(0, 1))  # leaning away from the walls
    film = Film(moving, fixed).take(FREE, landing([x, y, 0], 0.08, rng, R))
    film.take("210 300 10", line([x, y, 0], [0, y, 0], R)).take("120 300 20", line([0, y, 0], [0, 0, 0], R))
    return film.take("030 300 30", lambda s: (turn([1, -1, 0], -0.1 * s) @ R, np.zeros(3)))


def plank(rng):
    """A plank put with an edge on a floor, slid and leaned against a step."""
    h, wide, long = rng.uniform(0.025, 0.035), rng.uniform(0.08, 0.11), 0.13
    fixed = cells([-0.05, 0, long], [0, wide], [-0.015, 0, h], lambda i, j, k: k == 0 or i == 0)
    length, thick, b = rng.uniform(0.09, 0.11), rng.uniform(0.008, 0.012), rng.uniform(0.4, 0.7) * wide
    y = 0.5 * (wide - b)
    # Its lower face is z = 0 of its own, the edge on the floor is at its origin, it runs up to -x.
    moving = cells([-length, 0], [0, b], [0, thick], lambda i, j, k: True)
    angle = rng.uniform(0.55, 0.7)

    def at(x, z, tilt, dy=0.0):
        return turn([0, 1, 0], tilt), np.array([x, y + dy, z])
    reach = h / np.tan(angle)
    start = reach + rng.uniform(0.015, 0.02)
    film = Film(moving, fixed).take(FREE, lambda s: at(start, 0.07 * (1 - s), angle))
    film.take(EDGE, lambda s: at(start + s * (reach - start), 0.0, angle))
    flatter = max(angle - 0.15, np.arcsin(h / (0.85 * length)))
    return film.take(LEANING, lambda s: at(h / np.tan(angle + s * (flatter - angle)), 0.0, angle + s * (flatter - angle), 0.01 * s))


def never(rng):
    a, b, c = rng.uniform(0.05, 0.1, 3)
    gap, w = rng.uniform(0.015, 0.025), rng.normal(size=3)
    R = random_rotation(rng)
    size = rng.uniform(0.03, 0.06, 3)
    radius = np.linalg.norm(size)
    centre = R @ (size / 2)
    return Film(box(*size), box(a, b, c)).take(FREE, lambda s: (turn_by(0.3 * s * w) @ R, np.array([a * s, b / 2, c + radius / 2 + gap]) - turn_by(0.3 * s * w) @ centre))


def pocket(rng, outline, moving, hole_depth, play, height=0.1):
    """A part that fits a blind hole with play: to its bottom, to one side, into a corner. `moving` has its lower face at z = 0."""
    side = 1.8 * max(abs(v) for p in outline for v in p) + 0.015
    fixed = blind_hole(outline, [(-side, -side), (side, -side), (side, side), (-side, side)], hole_depth, 0.015)

    def enter(s):
        t = min(1.0, s / 0.5)
        z = height * (1 - s) - hole_depth * s
        return turn([0, 0, 1], 0.04 * (1 - t)), np.array([0.0, 0.0, z])
    d = -hole_depth
    film = Film(moving, fixed).take(FREE, enter).take(FLAT, line([0, 0, d], [-play, 0.3 * play, d]))
    return film.take(TWO, line([-play, 0.3 * play, d], [-play, -play, d])).take(THREE, line([-play, -play, d], [-play, -play, d]))


def upright(outline, tall):
    """A polygon in x and y, from z = 0 up."""
    outline = outline if area2(outline) > 0 else outline[::-1]
    triangles = [[[*p, tall] for p in t] for t in ears([outline])] + [[[*p, 0.0] for p in reversed(t)] for t in ears([outline])]
    for p, q in zip(outline, outline[1:] + outline[:1]):
        a, b, c, d = [*p, 0.0], [*q, 0.0], [*q, tall], [*p, tall]
        triangles += [[a, b, c], [a, c, d]]
    return np.array(triangles, float)


def dovetail(rng):
    """A slider with slanted sides, pushed along a floor into an undercut groove, then to a side of it."""
    half, tall, slant = rng.uniform(0.02, 0.028), rng.uniform(0.02, 0.026), rng.uniform(0.35, 0.55)
    play, long, base = rng.uniform(0.006, 0.009), rng.uniform(0.07, 0.09), 0.012
    lean = tall * slant  # the slider is narrower at its upper face
    up = tall + rng.uniform(0.008, 0.012)
    lift = up * slant
    w = half + play
    outline = [(-w - 0.03, -base), (w + 0.03, -base), (w + 0.03, 0), (-w - 0.03, 0)]
    front = prism(outline, -0.09, 0.0)
    groove = prism([(-w - 0.03, -base), (w + 0.03, -base), (w + 0.03, up), (w - lift, up), (w, 0), (-w, 0), (-w + lift, up), (-w - 0.03, up)], 0.0, long)
    # One closed surface: the front's far end and the groove's near end share the floor plate.
    fixed = joined(front, groove, outline, [(-w - 0.03, -base), (w + 0.03, -base), (w + 0.03, up), (w - lift, up), (w, 0), (-w, 0), (-w + lift, up), (-w - 0.03, up)])
    length = rng.uniform(0.03, 0.045)
    moving = prism([(-half, 0), (half, 0), (half - lean, tall), (-half + lean, tall)], 0.0, length)
    y0, y1 = -0.085, 0.35 * long
    film = Film(moving, fixed).take(FREE, landing([0, y0, 0], 0.09, rng)).take(FLAT, line([0, y0, 0], [play, y1, 0]))
    return film.take(TWO, line([play, y1, 0], [play, y1 + 0.02, 0]))


def joined(front, groove, floor, outline):
    """The plate in front and the groove behind y = 0 as one surface: at y = 0 only what stands above the plate is left."""
    def at_zero(t):
        return np.all(np.abs(t[:, 1]) < 1e-12)
    body = [t for t in front if not at_zero(t)] + [t for t in groove if not at_zero(t)]
    w, up = outline[2][0], outline[2][1]
    right = [outline[2], outline[3], outline[4], (w, 0)]
    left = [(-w, 0), outline[5], outline[6], outline[7]]
    for part in (right, left):
        part = part if area2(part) > 0 else part[::-1]
        body += [np.array([[p[0], 0.0, p[1]] for p in t]) for t in ears([part])]
    return np.array(body, float)


def keyhole(rng):
    """A head on a neck, through the wide end of a keyhole, along its slot, up against the plate and to the slot's side."""
    head, neck, thick, plate = rng.uniform(0.03, 0.04), rng.uniform(0.012, 0.016), rng.uniform(0.008, 0.012), 0.01
    wide, slot, long = head + 0.02, neck + rng.uniform(0.012, 0.016), rng.uniform(0.06, 0.08)
    edge = 0.02
    x = [-wide / 2 - edge, -wide / 2, -slot / 2, slot / 2, wide / 2, wide / 2 + edge]
    y = [-edge, 0, wide, wide + long, wide + long + edge]
    fixed = cells(x, y, [0, plate], lambda i, j, k: not (1 <= j <= 2 and (1 <= i <= 3 if j == 1 else i == 2)))
    n = neck / 2
    moving = cells([-head / 2, -n, n, head / 2], [-head / 2, -n, n, head / 2], [-thick, 0, 0.05], lambda i, j, k: k == 0 or (i == 1 and j == 1))
    low, side = -0.02, slot / 2 - n

    def enter(s):
        if s < 0.6:
            t = s / 0.6
            return turn([0, 0, 1], 0.1 * (1 - t)), np.array([0, wide / 2, 0.07 * (1 - t) + low * t])
        t = (s - 0.6) / 0.4
        return np.eye(3), np.array([0, wide / 2 + t * (wide / 2 + 0.3 * long), low * (1 - t)])
    y1 = wide + 0.3 * long
    film = Film(moving, fixed).take(FREE, enter).take(FLAT, line([0, y1, 0], [side, y1 + 0.2 * long, 0]))
    return film.take(TWO, line([side, y1 + 0.2 * long, 0], [side, y1 + 0.45 * long, 0]))


def stepped(rng):
    """A square shaft with a shoulder into a hole with a step; the play is that of both parts."""
    a, b, play = rng.uniform(0.012, 0.016), rng.uniform(0.024, 0.03), rng.uniform(0.006, 0.009)
    upper, lower, rest = rng.uniform(0.015, 0.02), rng.uniform(0.015, 0.02), 0.008
    A, B, E = a + play, b + play, b + 0.03
    x = [-E, -B, -A, A, B, E]
    fixed = cells(x, x, [-upper - lower - rest - 0.01, -upper - lower - rest, -upper, 0], lambda i, j, k: k == 0 or not (1 <= i <= 3 and 1 <= j <= 3 and (k == 2 or (i == 2 and j == 2))))
    m = [-b, -a, a, b]
    moving = cells(m, m, [-lower, 0, upper + 0.02], lambda i, j, k: k == 1 or (i == 1 and j == 1))
    d = -upper
    film = Film(moving, fixed).take(FREE, lambda s: (turn([0, 0, 1], 0.03 * max(0.0, 1 - 2 * s)), np.array([0, 0, 0.08 * (1 - s) + d * s])))
    film.take(FLAT, line([0, 0, d], [-play, 0.3 * play, d])).take(TWO, line([-play, 0.3 * play, d], [-play, -play, d]))
    return film.take(THREE, line([-play, -play, d], [-play, -play, d]))


def l_key(rng):
    """A key with the outline of an L into a pocket of the same outline with play."""
    arm, wide, play, deep = rng.uniform(0.045, 0.06), rng.uniform(0.016, 0.022), rng.uniform(0.006, 0.009), rng.uniform(0.015, 0.025)

    def outline(grow):
        return [(-grow, -grow), (arm + grow, -grow), (arm + grow, wide + grow), (wide + grow, wide + grow), (wide + grow, arm + grow), (-grow, arm + grow)]
    return pocket(rng, outline(play), upright(outline(0.0), deep + 0.02), deep, play)


def two_pegs(rng):
    """A block with two pegs onto a plate with two holes, with play; the block lies on the plate."""
    p, play, gap, deep = rng.uniform(0.008, 0.012), rng.uniform(0.006, 0.009), rng.uniform(0.03, 0.04), rng.uniform(0.015, 0.025)
    P, E = p + play, 0.02
    fixed = cells([-gap - P - E, -gap - P, -gap + P, gap - P, gap + P, gap + P + E], [-P - E, -P, P, P + E], [-deep - 0.02, -deep - 0.01, 0],
                  lambda i, j, k: k == 0 or not (j == 1 and i in (1, 3)))
    moving = cells([-gap - p, -gap + p, gap - p, gap + p], [-p, p], [-deep, 0, 0.02], lambda i, j, k: k == 1 or i != 1)
    film = Film(moving, fixed).take(FREE, lambda s: (turn([0, 0, 1], 0.03 * max(0.0, 1 - 2 * s)), np.array([0, 0, 0.08 * (1 - s)])))
    film.take(FLAT, line([0, 0, 0], [-play, 0.3 * play, 0])).take(TWO, line([-play, 0.3 * play, 0], [-play, -play, 0]))
    return film.take(THREE, line([-play, -play, 0], [-play, -play, 0]))


def round_peg(rng):
    """A peg of twelve sides into a square hole with play."""
    r, play, deep = rng.uniform(0.018, 0.026), rng.uniform(0.006, 0.009), rng.uniform(0.02, 0.03)
    R = r / np.cos(np.pi / 12)
    ring = [(R * np.cos(a), R * np.sin(a)) for a in (np.arange(12) + 0.5) * np.pi / 6]
    h = r + play
    return pocket(rng, [(-h, -h), (h, -h), (h, h), (-h, h)], upright(ring, deep + 0.02), deep, play)


def bayonet(rng):
    """A bar on a post through a slot in a plate, turned under it, pulled up against it and turned on."""
    long, wide, post, thick = rng.uniform(0.045, 0.06), rng.uniform(0.012, 0.016), rng.uniform(0.006, 0.008), rng.uniform(0.008, 0.012)
    plate, low = 0.01, -0.02
    X, Y = long / 2 + 0.01, wide / 2 + 0.008
    fixed = cells([-X - 0.02, -X, X, X + 0.02], [-Y - 0.035, -Y, Y, Y + 0.035], [0, plate], lambda i, j, k: not (i == 1 and j == 1))
    h, q = post / 2, wide / 2
    moving = cells([-long / 2, -h, h, long / 2], [-q, -h, h, q], [-thick, 0, 0.05], lambda i, j, k: k == 0 or (i == 1 and j == 1))
    angle = rng.uniform(1.0, 1.2)

    def enter(s):
        if s < 0.5:
            t = s / 0.5
            return turn([0, 0, 1], 0.1 * (1 - t)), np.array([0, 0, 0.07 * (1 - t) + low * t])
        t = (s - 0.5) / 0.5
        return turn([0, 0, 1], angle * min(1.0, 1.5 * t)), np.array([0, 0, low * (1 - t)])
    return Film(moving, fixed).take(FREE, enter).take(FLAT, lambda s: (turn([0, 0, 1], angle + 0.35 * s), np.zeros(3)))


def cap(rng):
    """A lid whose rim goes around a block."""
    a, b, c, play, rim, wall = rng.uniform(0.05, 0.07), rng.uniform(0.045, 0.065), rng.uniform(0.04, 0.05), rng.uniform(0.006, 0.009), rng.uniform(0.012, 0.02), 0.008
    moving = cells([-play - wall, -play, a + play, a + play + wall], [-play - wall, -play, b + play, b + play + wall], [-rim, 0, 0.008],
                   lambda i, j, k: k == 1 or i != 1 or j != 1)
    film = Film(moving, box(a, b, c)).take(FREE, lambda s: (turn([0, 0, 1], 0.03 * max(0.0, 1 - 2 * s)), np.array([0, 0, c + 0.08 * (1 - s)])))
    film.take(FLAT, line([0, 0, c], [play, 0.3 * play, c])).take(TWO, line([play, 0.3 * play, c], [play, play, c]))
    return film.take(THREE, line([play, play, c], [play, play, c]))


def square_peg(rng):
    """A square peg into a hole of its size."""
    a, deep = rng.uniform(0.03, 0.045), rng.uniform(0.03, 0.04)
    fixed = cells([-0.03, 0, a, a + 0.03], [-0.03, 0, a, a + 0.03], [-deep - 0.015, -deep, 0], lambda i, j, k: k == 0 or i != 1 or j != 1)
    film = Film(box(a, a, deep + 0.03), fixed).take(FREE, line([0, 0, 0.08], [0, 0, 0.0]))
    return film.take("102 003 23", line([0, 0, 0], [0, 0, -deep])).take("012 003 33", line([0, 0, -deep], [0, 0, -deep]))


KINDS = {f.__name__: f for f in (tray, l_part, loose_key, tight_key, lid, wedge, t_slot, hexagonal, drawer, v_groove, tip, plank, never,
                                 dovetail, keyhole, stepped, l_key, two_pegs, round_peg, bayonet, cap, square_peg)}
# Left out of an answer without being wrong: passed in no time.
PASSED = {"tight_key": {1: ["300 300 23"]}}


# Trackers -----------------------------------------------------------------------------------------------------------------------------

TRACKERS = ("exact", "plain", "fine", "depth", "drift", "offset", "dropped", "outliers", "both", "few",
            "brisk", "long", "late", "pauses", "uneven", "once", "rounded", "heavy", "filtered")


class Slow:
    """An error that wanders within a standard deviation of 1, with a time of a second or two."""

    def __init__(self, rng, times):
        keep = np.exp(-np.diff(times, prepend=times[0]) / rng.uniform(1.0, 2.0))
        x = rng.normal(size=6)
        self.values = []
        for k in keep:
            x = k * x + np.sqrt(1 - k * k) * rng.normal(size=6)
            self.values.append(x)


def seen(film, tracker, rng):
    """Rows (t, which, R, p) in the world, and the true state of each frame. Poses are of the middles of the bodies here."""
    rate = rng.choice([15, 20, 30, 60])
    position, angle = rng.uniform(0.3e-3, 1.2e-3), np.radians(rng.uniform(0.15, 0.6))
    if tracker == "fine":
        position, angle = 0.05e-3, np.radians(0.03)
    if tracker == "exact":
        position = angle = 0.0
    true, states, ticks = [], [], []
    for k, (_, path) in enumerate(film.states):
        # At least twelve frames at a usual rate, as a person takes; four to six for the tracker of few.
        count = int(rng.integers(4, 7)) if tracker == "few" else max(12, int(rate * rng.uniform(0.6, 1.2)))
        if tracker == "brisk":
            count = int(rng.integers(7, 11))
        if tracker == "long":
            count *= 4
        shares = np.arange(1, count + 1) / (count + 1)
        if tracker == "uneven":
            shares = np.sort(rng.uniform(0.5, count + 0.5, count)) / (count + 1)
        if tracker == "pauses":  # the hand rests for a second in the middle of each state
            shares = np.sort(np.concatenate([shares, np.full(max(6, int(rate)), shares[count // 2])]))
        if tracker == "late" and k == 0 and len(film.states) > 1:
            continue
        if tracker == "late" and k == 1:
            shares = shares[count // 3:]
        steps = np.arange(1, len(shares) + 1) if tracker != "uneven" else shares * (count + 1)
        ticks += list((ticks[-1] if ticks else 0.0) + steps)
        for s in shares:
            true.append(path(0.5 * s + 0.5 * s * s * (3 - 2 * s)))
            states.append(k)
    if tracker == "uneven":
        ticks = np.array(ticks) + 1e-3 * np.arange(len(ticks))  # no two at one time
    times = (np.array(ticks) - 1.0) / rate + rng.uniform(0, 100)
    axes = np.array([1, 1, 3.0]) if tracker == "depth" else np.ones(3)
    turns = np.array([3.0, 3.0, 1]) if tracker == "depth" else np.ones(3)
    camera = random_rotation(rng)
    slow = Slow(rng, times) if tracker == "drift" else None
    kept_error = {}  # of a tracker that filters: errors of neighbouring frames are alike
    constant = rng.normal(size=6) if tracker == "offset" else np.zeros(6)
    X_F = (random_rotation(rng), rng.normal(size=3))
    centre = film.moving.reshape(-1, 3).mean(0)
    drift_axis = rng.normal(size=6)
    rows, kept = [], []
    for i, (R, p) in enumerate(true):
        if tracker == "dropped" and (rng.random() < 0.15 or (i // 5) % 9 == 4 and rng.random() < 0.5):
            continue
        F = X_F
        if tracker == "both":
            t = (times[i] - times[0]) * 0.2
            F = (turn_by(drift_axis[:3] * 0.3 * t) @ X_F[0], X_F[1] + 0.1 * t * drift_axis[3:])
        R_W, p_W = F[0] @ R, F[0] @ p + F[1]

        def shaken(R_W, p_W, middle, is_moving):
            white = rng.normal(size=6)
            if tracker == "heavy":  # Student's t of three degrees of freedom, with the same median
                white = rng.standard_t(3, size=6) * (0.6745 / 0.7649)
            if tracker == "filtered":
                before = kept_error.get(is_moving)
                white = white if before is None else 0.7 * before + np.sqrt(1 - 0.49) * white
                kept_error[is_moving] = white
            if slow is not None and is_moving:
                white = 0.3 * white + slow.values[i]
            if is_moving:
                white = white + constant
            w, d = camera @ (turns * white[:3]) * angle, camera @ (axes * white[3:]) * position
            jump = tracker == "outliers" and rng.random() < 0.03
            if jump:
                w, d = w + rng.normal(size=3) * 0.3, d + rng.normal(size=3) * 0.04
            c = R_W @ middle + p_W
            return turn_by(w) @ R_W, c + d - turn_by(w) @ (R_W @ middle)
        rows.append((times[i], "moving", *shaken(R_W, p_W, centre, True)))
        if tracker == "once" and len(rows) > 1:
            kept.append(states[i])
            continue
        rows.append((times[i], "fixed", *(F if tracker == "once" else shaken(*F, film.fixed.reshape(-1, 3).mean(0), False))))
        kept.append(states[i])
    film.noise = (position * (1.4 if tracker == "offset" else 1.05), angle * (1.4 if tracker == "offset" else 1.05))
    return rows, kept


def write_mesh(path, triangles, unit):
    points = triangles / unit
    if path.suffix == ".stl":
        record = np.zeros(len(points), dtype=np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]))
        record["v"] = points
        path.write_bytes(b"\0" * 80 + np.uint32(len(points)).tobytes() + record.tobytes())
        return
    corners, numbers = np.unique(np.round(points.reshape(-1, 3), 12), axis=0, return_inverse=True)
    numbers = numbers.reshape(-1, 3) + 1
    path.write_text("".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in corners.tolist()) + "".join(f"f {a} {b} {c}\n" for a, b, c in numbers))


def record(folder, kind, tracker, seed, backwards=False, tells_noise=False):
    """Files of one recording; the command's arguments and what is true."""
    rng = np.random.default_rng([seed, list(KINDS).index(kind), TRACKERS.index(tracker)])
    film = KINDS[kind](rng)
    suffix, unit = [(".obj", 1.0), (".stl", 0.001), (".stl", 1.0), (".obj", 0.001)][int(rng.integers(4))]
    cuts = int(rng.integers(0, 2))
    rows, states = seen(film, tracker, rng)
    # CAD frames: their origins are not in the middle, their axes are not ours.
    frames = {}
    for name, triangles in (("moving", film.moving), ("fixed", film.fixed)):
        size = np.ptp(triangles.reshape(-1, 3), axis=0).max()
        frames[name] = (random_rotation(rng), rng.normal(size=3) * 0.4 * size)
        for _ in range(cuts):
            triangles = cut_finer(triangles)
        R, p = frames[name]
        write_mesh(folder / f"{name}{suffix}", (triangles - p) @ R, unit)  # of the CAD frame: R^T (x - p)
    if backwards:
        end = rows[-1][0] + rows[0][0]
        rows = [(end - t, *rest) for t, *rest in reversed(rows)]
    text = "t,part,x,y,z,qw,qx,qy,qz\n"
    for t, name, R, p in rows:
        q, at = quaternion(R @ frames[name][0]), R @ frames[name][1] + p
        if tracker == "rounded":  # to half a millimetre and a three-hundredth of a quaternion's number
            q, at = np.round(q * 300) / 300, np.round(at * 2000) / 2000
            q /= np.linalg.norm(q)
        text += ",".join([f"{t:.9f}", name, *(f"{v:.12f}" for v in (*at, *q))]) + "\n"
    (folder / "poses.csv").write_text(text)
    arguments = ["--moving", folder / f"moving{suffix}", "--fixed", folder / f"fixed{suffix}", "--poses", folder / "poses.csv"]
    truth = [numbers for numbers, _ in film.states]
    if tracker == "late":
        truth, states = (truth[1:], [k - 1 for k in states]) if len(truth) > 1 else (truth, states)
    if tells_noise:
        arguments += ["--noise", *film.noise]
    return arguments + (["--mesh-scale", unit] if unit != 1.0 else []), truth, states


# Judge --------------------------------------------------------------------------------------------------------------------------------

def numbers_of(state):
    dof = state["dof"]
    return "{}{}{} {}{}{} {}{}".format(*(dof[k][n] for k in ("translation", "rotation") for n in ("maintaining", "detaching", "constraining")),
                                       dof["translation"]["restricted"], dof["rotation"]["restricted"])


def is_part(short, long):
    rest = iter(long)
    return all(item in rest for item in short)


def judged(answer, truth, states, kind):
    """right, missing (a state was not seen), extra (one that was not there) or other, and the share of frames that are right."""
    observed = [numbers_of(state) for state in answer["states"] if not state["inferred"]]
    passed = [item for items in PASSED.get(kind, {}).values() for item in items]
    plain = [numbers for numbers in observed if numbers not in passed]
    plain = [n for i, n in enumerate(plain) if i == 0 or plain[i - 1] != n or n == FLAT and truth.count(FLAT) > 1]
    right = np.mean([numbers_of(answer["states"][frame["state"]]) == truth[state] for frame, state in zip(answer["frames"], states)])
    if plain == truth:
        return "right", right
    if is_part(plain, truth):
        return "missing", right
    return ("extra" if is_part(truth, plain) else "other"), right


def watch(program, arguments):
    done = subprocess.run([program, "watch", *map(str, arguments), "--json"], capture_output=True, text=True, timeout=300)
    try:
        return done.returncode, json.loads(done.stdout)
    except json.JSONDecodeError:
        return done.returncode, {"status": "crash", "error": {"message": done.stderr[-300:]}}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("trackers", nargs="*", default=[])
    parser.add_argument("--kind", action="append")
    parser.add_argument("--keep")
    parser.add_argument("--backwards", action="store_true")
    parser.add_argument("--tell-noise", action="store_true")
    given = parser.parse_args()
    table, worst = {}, []
    for tracker in given.trackers or TRACKERS:
        for kind in given.kind or KINDS:
            for seed in range(given.seed, given.seed + given.count):
                with tempfile.TemporaryDirectory() as folder:
                    place = Path(folder)
                    if given.keep:
                        place = Path(given.keep) / f"{kind}_{tracker}_{seed}"
                        place.mkdir(parents=True, exist_ok=True)
                    arguments, truth, states = record(place, kind, tracker, seed, given.backwards, given.tell_noise)
                    if given.backwards:
                        truth, states = truth[::-1], [len(truth) - 1 - s for s in reversed(states)]
                    code, answer = watch(given.program, arguments)
                verdict, right = (f"refused {answer['status']}", 0.0) if code else judged(answer, truth, states, kind)
                is_right = verdict == "right"
                # What is marked as doubtful counts by itself: a wrong answer that says so, a right one that need not.
                verdict += " doubtful" if answer["status"] == "doubtful" else ""
                table.setdefault(tracker, Counter())[verdict] += 1
                table.setdefault(kind, Counter())[verdict] += 1
                if not is_right:
                    told = "; ".join(numbers_of(s) + ("*" if s["inferred"] else "") for s in answer.get("states", [])) or answer.get("error", {}).get("message", "")
                    print(f"{tracker:9s}{kind:11s}{seed} {verdict}: {told}   ({'; '.join(truth)}) {100 * right:.0f}% notes {answer.get('notes')}", flush=True)
                else:
                    worst.append(right)
    for name, counts in table.items():
        print(f"{name:12s}", dict(counts))
    print(f"frames right where the sequence is: {100 * np.mean(worst):.1f}% in the mean, {100 * np.min(worst):.0f}% least" if worst else "")


if __name__ == "__main__":
    sys.exit(main())
