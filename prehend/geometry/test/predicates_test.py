"""Exact predicates against rational arithmetic, on inputs made to defeat floating point."""

import os
import random
import subprocess
from fractions import Fraction

import pytest

TOOL = os.path.join(os.environ["PREHEND_BIN"], "predicates_tool")
POINTS = {"orient2d": (2, 3), "orient3d": (3, 4), "insphere": (3, 5)}


def determinant(m):
    m = [row[:] for row in m]
    det = Fraction(1)
    for i in range(len(m)):
        pivot = next((r for r in range(i, len(m)) if m[r][i] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != i:
            m[i], m[pivot] = m[pivot], m[i]
            det = -det
        det *= m[i][i]
        for r in range(i + 1, len(m)):
            factor = m[r][i] / m[i][i]
            for c in range(i, len(m)):
                m[r][c] -= factor * m[i][c]
    return det


def truth(name, points):
    """The textbook determinants: rows (coordinates, [squared length,] 1)."""
    rational = [[Fraction(x) for x in p] for p in points]
    if name.startswith("orient"):
        det = determinant([p + [Fraction(1)] for p in rational])
    else:
        det = determinant([p + [sum(x * x for x in p), Fraction(1)] for p in rational])
    det = -det if len(points[0]) == 3 else det
    return (det > 0) - (det < 0)


def signs(name, cases):
    lines = "\n".join(name + " " + " ".join(float(x).hex() for p in case for x in p) for case in cases)
    out = subprocess.run([TOOL], input=lines, capture_output=True, text=True, check=True).stdout
    return [int(word) for word in out.split()]


def nearly_degenerate(rng, name, offset, noise):
    dimension, count = POINTS[name]
    if name.startswith("orient"):  # combinations of the first points, rounded
        base = [[rng.uniform(-1, 1) + offset for _ in range(dimension)] for _ in range(count - 1)]
        weights = [rng.uniform(-1, 1) for _ in range(count - 2)]
        weights.append(1 - sum(weights))
        base.append([sum(w * p[k] for w, p in zip(weights, base)) for k in range(dimension)])
    else:  # points of one sphere, rounded
        base = []
        for _ in range(count):
            v = [rng.gauss(0, 1) for _ in range(dimension)]
            length = sum(x * x for x in v) ** 0.5
            base.append([x / length + offset for x in v])
    return [[x + noise * rng.uniform(-1, 1) for x in p] for p in base]


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("offset,noise", [(0.0, 0.0), (0.0, 1e-15), (100.3, 0.0), (1e6, 0.0), (0.0, 1e-3)])
def test_nearly_degenerate(name, offset, noise):
    rng = random.Random(7)
    cases = [nearly_degenerate(rng, name, offset, noise) for _ in range(250)]
    assert signs(name, cases) == [truth(name, case) for case in cases]


@pytest.mark.parametrize("name", POINTS)
def test_mixed_magnitudes(name):
    """Differences that round: coordinates from 1e-20 to 1e20 in one determinant, and repeated points."""
    rng = random.Random(11)
    dimension, count = POINTS[name]
    cases = []
    for _ in range(250):
        points = [[rng.uniform(-1, 1) * 10.0 ** rng.choice([-20, -8, 0, 0, 8, 20]) for _ in range(dimension)]
                  for _ in range(count)]
        if rng.random() < 0.2:
            points[-1] = points[0]
        cases.append(points)
    got = signs(name, cases)
    assert got == [truth(name, case) for case in cases]
    assert 0 in got and 1 in got and -1 in got


@pytest.mark.parametrize("name", POINTS)
def test_neighbouring_doubles(name):
    """Each coordinate of a degenerate grid configuration moved by single units in the last place."""
    import math
    rng = random.Random(13)
    dimension, count = POINTS[name]
    corners = {"orient2d": [(0, 0), (1, 1), (2, 2)], "orient3d": [(0, 0, 0), (1, 0, 1), (0, 1, 1), (1, 1, 2)],
               "insphere": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]}[name]
    cases = []
    for _ in range(250):
        case = [[0.5 + x for x in p] for p in corners]
        for p in case:
            k = rng.randrange(dimension)
            p[k] = math.nextafter(p[k], rng.choice([-1e9, 1e9]))
        cases.append(case)
    assert signs(name, cases) == [truth(name, case) for case in cases]
