"""Tetrahedra against SciPy's Delaunay (Qhull), trimesh's volumes and, where the recorded data is there, real tools."""

import json
import os
import subprocess

import numpy as np
import pytest
import scipy.spatial
import trimesh

BIN = os.environ["PREHEND_BIN"]
TOOLS = os.path.join(os.environ["PREHEND_SOURCE"], "..", "shared", "data", "tools")


def delaunay(points):
    text = "\n".join(" ".join(repr(float(x)) for x in p) for p in points)
    out = subprocess.run([os.path.join(BIN, "delaunay3_tool")], input=text, capture_output=True, text=True, check=True)
    return np.array([[int(w) for w in line.split()] for line in out.stdout.splitlines()])


def tetrahedra(mesh, *arguments):
    text = "\n".join("v %r %r %r" % tuple(map(float, v)) for v in mesh.vertices)
    text += "\n" + "\n".join("f %d %d %d" % tuple(t + 1) for t in mesh.faces)
    out = subprocess.run([os.path.join(BIN, "tetrahedra_tool"), *map(str, arguments)], input=text, capture_output=True,
                         text=True, check=True)
    return json.loads(out.stdout)


def volumes(points, tets):
    a, b, c, d = (points[tets[:, k]] for k in range(4))
    return np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6


@pytest.mark.parametrize("seed", range(5))
def test_delaunay_equals_scipy(seed):
    """In general position the Delaunay tetrahedra are unique: the same sets, and they fill the hull."""
    points = np.random.default_rng(seed).normal(size=(400, 3))
    ours = delaunay(points)
    theirs = scipy.spatial.Delaunay(points)
    assert {tuple(sorted(t)) for t in ours} == {tuple(sorted(t)) for t in theirs.simplices}
    assert volumes(points, ours).min() > 0
    assert volumes(points, ours).sum() == pytest.approx(scipy.spatial.ConvexHull(points).volume, rel=1e-12)


def test_delaunay_of_a_grid_fills_the_hull():
    points = np.array([[x, y, z] for x in range(7) for y in range(6) for z in range(5)], dtype=float)
    ours = delaunay(points)
    assert volumes(points, ours).sum() == pytest.approx(6 * 5 * 4, rel=1e-13)
    assert len(np.unique(ours)) == len(points)


def check(mesh, result):
    assert result["status"] == "ok", result["report"]
    points, tets = np.array(result["vertices"]), np.array(result["tetrahedra"])
    v = volumes(points, tets)
    assert v.sum() == pytest.approx(mesh.volume, rel=1e-9)
    surface = np.array(result["surface"])
    out = trimesh.Trimesh(points, surface[:, :3], process=False)
    assert out.area == pytest.approx(mesh.area, rel=1e-6)
    assert out.volume == pytest.approx(mesh.volume, rel=1e-9)
    return points, tets


@pytest.mark.parametrize("name", ["icosphere", "annulus", "capsule", "knot"])
def test_volume_equals_trimesh(name):
    mesh = {"icosphere": lambda: trimesh.creation.icosphere(subdivisions=3),
            "annulus": lambda: trimesh.creation.annulus(r_min=0.5, r_max=1.0, height=0.3),
            "capsule": lambda: trimesh.creation.capsule(height=2.0, radius=0.4),
            "knot": lambda: knot()}[name]()
    points, tets = check(mesh, tetrahedra(mesh))
    # The centroid by another route: trimesh integrates over the surface.
    moment = (volumes(points, tets)[:, None] * points[tets].mean(axis=1)).sum(axis=0)
    assert moment / mesh.volume == pytest.approx(mesh.center_mass, abs=1e-9)


def knot():
    """A tube along a trefoil: non-convex, knotted, genus one."""
    n, m = 120, 10
    u = np.linspace(0, 2 * np.pi, n, endpoint=False)
    line = np.c_[np.sin(u) + 2 * np.sin(2 * u), np.cos(u) - 2 * np.cos(2 * u), -np.sin(3 * u)]
    tangent = np.roll(line, -1, axis=0) - np.roll(line, 1, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1)[:, None]
    side = np.cross(tangent, line)
    side /= np.linalg.norm(side, axis=1)[:, None]
    up = np.cross(tangent, side)
    v = np.linspace(0, 2 * np.pi, m, endpoint=False)
    around = np.cos(v)[None, :, None] * side[:, None, :] + np.sin(v)[None, :, None] * up[:, None, :]
    vertices = line[:, None, :] + 0.35 * around
    faces = []
    for i in range(n):
        for j in range(m):
            a, b = i * m + j, (i + 1) % n * m + j
            c, d = (i + 1) % n * m + (j + 1) % m, i * m + (j + 1) % m
            faces += [[a, b, c], [a, c, d]]
    mesh = trimesh.Trimesh(vertices.reshape(-1, 3), faces, process=False)
    if mesh.volume < 0:
        mesh.invert()
    return mesh


@pytest.mark.skipif(not os.path.isdir(TOOLS), reason="recorded data not found beside the repository")
@pytest.mark.parametrize("name,kind", [(n, "reconstructed") for n in (
    "adjustable_wrench", "allen_key", "bent_jaw_pliers", "c_clamp", "electronic_caliper", "hammer", "measuring_tape",
    "nut_screwdriver", "pliers", "ruler", "socket_wrench", "vise_clamp")] + [("allen_key", "mesh"), ("ruler", "mesh")])
def test_tools(name, kind):
    mesh = trimesh.load(os.path.join(TOOLS, name, kind + ".ply"), process=False)
    check(mesh, tetrahedra(mesh))


@pytest.mark.skipif(not os.path.isdir(TOOLS), reason="recorded data not found beside the repository")
def test_interpenetrating_parts_are_refused():
    """The pliers' mesh has three parts that run through each other: no solid, and the answer says which triangles."""
    mesh = trimesh.load(os.path.join(TOOLS, "pliers", "mesh.ply"), process=False)
    result = tetrahedra(mesh, 0, 0, "brief")
    assert result["status"] == "self_intersecting"
    assert "cross" in result["message"]
