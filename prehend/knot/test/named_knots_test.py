"""The ropes of data/knots, closed over everything, against the knots of an independent program (spherogram and SnapPy)."""

import csv
import os
from pathlib import Path

import numpy as np
import pytest

spherogram = pytest.importorskip("spherogram")
pytest.importorskip("snappy")
KNOTS = Path(os.environ["PREHEND_SOURCE"]) / "data/knots"

# Crossing numbers of the prime parts, and the name where the complement is hyperbolic.
CLOSED = {
    "overhand": ([3], None),
    "figure_eight": ([4], "4_1"),
    "bowline": ([6], "6_3"),
    "harness_hitch": ([], None),  # tied without an end: no knot
    "bow_tie": ([3], None),  # the half knot under the slipped one
    "single_loop_bow": ([3], None),
    "slip_knot": ([], None),  # no half knot below
    "two_half_hitches": ([3, 3], None),
    "taut_line_hitch": ([3, 5], None),
}


def read(name):
    rows = [line for line in (KNOTS / f"{name}.csv").read_text().splitlines() if not line.startswith("#")]
    return np.array([[float(row[c]) for c in "xyz"] for row in csv.DictReader(rows)])


def planar_diagram(loop):
    """PD code of a closed polygon, seen from above."""
    n, found = len(loop), []
    ends = np.roll(loop, -1, axis=0)
    for i in range(n):
        for j in range(i + 2, n - (i == 0)):
            u, v, r = ends[i] - loop[i], ends[j] - loop[j], loop[j] - loop[i]
            turn = u[0] * v[1] - u[1] * v[0]
            if turn == 0:
                continue
            s, t = (r[0] * v[1] - r[1] * v[0]) / turn, (r[0] * u[1] - r[1] * u[0]) / turn
            if 0 <= s < 1 and 0 <= t < 1:
                first_over = loop[i][2] + s * u[2] > loop[j][2] + t * v[2]
                found.append((i + s, j + t, first_over, (turn > 0) == first_over))
    passages = sorted([(c[0], k, 0) for k, c in enumerate(found)] + [(c[1], k, 1) for k, c in enumerate(found)])
    number = {(k, strand): q for q, (_, k, strand) in enumerate(passages)}
    code = []
    for k, (_, _, first_over, positive) in enumerate(found):
        under, over = number[k, int(first_over)], number[k, int(not first_over)]
        after = [(q + 1) % len(passages) for q in (under, over)]
        # From the incoming lower strand, counter-clockwise.
        code.append((under, after[1], after[0], over) if positive else (under, over, after[0], after[1]))
    return code


def summands(rope):
    """Of the rope closed over everything."""
    above = np.array([rope[-1], rope[0]])
    above[:, 2] = 10.0
    loop = np.vstack([rope, above])
    loop[:, :2] += loop[:, 2:] * [0.00137, 0.00071]  # so that the upright parts have a direction
    link = spherogram.Link(planar_diagram(loop))
    link.simplify("global")
    return link.deconnect_sum() if link.crossings else []


@pytest.mark.parametrize("name", CLOSED)
def test_closed_over_everything(name):
    parts = summands(read(name))
    sizes, hyperbolic = CLOSED[name]
    assert sorted(len(part.crossings) for part in parts) == sizes
    if hyperbolic:
        assert hyperbolic in [str(m).split("(")[0] for m in parts[0].exterior().identify()]


@pytest.mark.parametrize("name, ears, hands", [
    ("bow_tie", 2, [-3, 3]),
    ("single_loop_bow", 1, [-3, 3]),
    ("slip_knot", 1, [-3]),
])
def test_what_slipped_knots_are_slipped_from(name, ears, hands):
    """A slipped knot is another one with its end folded back. Cut off at the ears' tips, the bows are reef knots, two half knots of
    opposite hands (of equal hands they would be granny knots), and the slip knot is an overhand knot."""
    rope = read(name)
    first = int(np.argmin(rope[:, 0]))  # the tip of the ear to the left
    last = int(np.argmax(rope[:, 1])) if ears == 2 else len(rope) - 1  # the tip of the ear that stands up
    assert first < last
    assert sorted(part.writhe() for part in summands(rope[first:last + 1])) == hands


def test_half_hitches_go_the_same_way():
    """A clove hitch round the standing part: both half hitches of one hand (turned against each other they would be a cow hitch)."""
    for name, hands in [("two_half_hitches", [-3, -3]), ("taut_line_hitch", [-5, -3])]:
        assert sorted(part.writhe() for part in summands(read(name))) == hands
