"""Ropes in space against SnapPy: the same rope seen from many sides is the same knot, with the same handedness.

The route: rope -> view -> P-data -> closed over everything -> PD code -> SnapPy's knot Floer homology (a program of its own,
which tells mirror images apart by tau). The ropes' ends are led far out, so that the closing arc is the same from every side.
"""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

snappy = pytest.importorskip("snappy")

PREHEND = Path(os.environ["PREHEND_BIN"]) / "prehend"
VIEWS = [(0, 0, -1), (0, 0, 1), (0, 1, 0), (0.1, -1, 0.3), (-0.2, 0.5, 0.8)]


def write_ropes(path, ropes):
    lines = ["frame,x,y,z"]
    for number, points in enumerate(ropes):
        lines += [f"{number},{x!r},{y!r},{z!r}" for x, y, z in points.tolist()]
    path.write_text("\n".join(lines) + "\n")
    return path


def read(path, view):
    words = [PREHEND, "knot", "read", path, "--codes", "--json", "--view", *view]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 3), done.stderr
    return json.loads(done.stdout)["frames"]


def with_far_ends(points):
    far = 50 * np.abs(points).max()
    return np.vstack([[-far, 0.01 * far, 0.02 * far], points, [far, 0.01 * far, -0.02 * far]])


def homology(link):
    link = link.copy()
    link.simplify("global")   # large diagrams take minutes otherwise
    if len(link.crossings) == 0:
        return {"ranks": {(0, 0): 1}, "tau": 0, "seifert_genus": 0}
    return link.knot_floer_homology()


def link_of(frame):
    pd = frame["closed_over"]["pd"]
    return snappy.Link([tuple(crossing) for crossing in pd]) if pd else snappy.Link(braid_closure=[1])  # one twist: a circle


def random_ropes(count, seed):
    generator = np.random.default_rng(seed)
    t = np.linspace(0, 1, 60)[:, None]
    ropes = []
    for _ in range(count):
        points = np.zeros((60, 3))
        for k in range(1, 4):
            for wave in (np.cos, np.sin):
                points += generator.normal(size=3) / (1 + 0.4 * k) * wave(6 * k * t)
        ropes.append(with_far_ends(points))
    return ropes


def test_handedness_of_the_trefoil(tmp_path):
    t = np.linspace(-2.15, 2.15, 100)
    right = np.stack([t**3 - 3 * t, t**4 - 4 * t**2, t**5 - 10 * t], axis=1)
    left = right * [1, 1, -1]
    path = write_ropes(tmp_path / "trefoils.csv", [right, left])
    for view in [(0, 0, -1), (0, 0, 1)]:   # from above and from below: handedness does not depend on where one stands
        first, second = (homology(link_of(frame))["tau"] for frame in read(path, view))
        assert (first, second) == (1, -1)


def test_the_same_knot_from_every_side(tmp_path):
    ropes = random_ropes(120, seed=4)
    path = write_ropes(tmp_path / "ropes.csv", ropes)
    answers = [read(path, view) for view in VIEWS]
    compared = knotted = chiral = 0
    for seen in zip(*answers):
        found = [homology(link_of(frame)) for frame in seen if frame["p_data"] is not None]
        compared += len(found)
        if not found:
            continue
        assert all(f["ranks"] == found[0]["ranks"] and f["tau"] == found[0]["tau"] for f in found)
        knotted += found[0]["seifert_genus"] > 0
        chiral += found[0]["tau"] != 0
    assert compared >= 0.98 * len(ropes) * len(VIEWS)
    assert knotted >= 5 and chiral >= 3


def test_pd_codes_as_snappy_reads_them(tmp_path):
    path = write_ropes(tmp_path / "ropes.csv", random_ropes(100, seed=5))
    for frame in read(path, (0.3, 0.2, -1)):
        if frame["p_data"] is None:
            continue
        codes, link = frame["closed_over"], link_of(frame)
        if not codes["pd"]:
            continue
        assert link.is_planar() and len(link.link_components) == 1
        gauss = codes["gauss"]
        assert link.writhe() == (gauss.count("+") - gauss.count("-")) // 2
