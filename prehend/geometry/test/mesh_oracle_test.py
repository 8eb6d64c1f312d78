"""Mass properties, hulls, closest points, rays and interior test against trimesh and NumPy on random and real meshes."""

import json
import os
import pathlib
import subprocess

import numpy as np
import pytest
import trimesh

TOOL = pathlib.Path(os.environ["PREHEND_BIN"]) / "mesh_tool"
SHARED = pathlib.Path(os.environ["PREHEND_SOURCE"]) / ".." / "shared" / "data"


def ask(meshes, points=None, rays=None):
    request = {"meshes": []}
    for i, mesh in enumerate(meshes):
        request["meshes"].append({
            "vertices": mesh.vertices.tolist(),
            "triangles": mesh.faces.tolist(),
            "points": points[i].tolist() if points else [],
            "rays": rays[i].tolist() if rays else [],
        })
    run = subprocess.run([TOOL], input=json.dumps(request), capture_output=True, text=True, check=True)
    answers = json.loads(run.stdout)
    assert len(answers) == len(meshes)
    return answers


def random_meshes(seed):
    """Smoothly deformed balls, rings, boxes and cylinders: non-convex, closed, free of self-intersections."""
    rng = np.random.default_rng(seed)
    makers = [
        lambda: trimesh.creation.icosphere(subdivisions=3),
        lambda: trimesh.creation.torus(1.0, 0.35, 30, 16),
        lambda: trimesh.creation.box(extents=rng.uniform(0.5, 2.0, 3)).subdivide().subdivide(),
        lambda: trimesh.creation.cylinder(0.5, 2.0, sections=24),
        lambda: trimesh.creation.annulus(0.4, 1.0, 0.5, sections=24),
    ]
    for i in range(30):
        mesh = makers[i % len(makers)]()
        v = mesh.vertices * rng.uniform(0.6, 1.6, 3)
        v = v + 0.08 * np.sin(2.0 * v @ rng.normal(size=(3, 3)) + rng.uniform(0, 6, 3))
        rotation = trimesh.transformations.random_rotation_matrix(rng.uniform(size=3))[:3, :3]
        scale = 10.0 ** rng.integers(-3, 4)
        far = (0.0, 1.0, 1e4)[i % 3]
        v = scale * (v @ rotation.T + far * rng.normal(size=3))
        yield trimesh.Trimesh(vertices=v, faces=mesh.faces, process=False), scale, far


def reference_properties(mesh):
    """trimesh about the mesh's own centre: it integrates about the origin, which costs it digits far away."""
    centre = mesh.bounds.mean(axis=0)
    moved = trimesh.Trimesh(vertices=mesh.vertices - centre, faces=mesh.faces, process=False)
    properties = moved.mass_properties
    return properties["volume"], moved.area, properties["center_mass"] + centre, properties["inertia"]


def test_mass_properties_and_hull():
    cases = list(random_meshes(1))
    for (mesh, scale, far), found in zip(cases, ask([c[0] for c in cases])):
        volume, area, centroid, inertia = reference_properties(mesh)
        tolerance = 1e-12 + 1e-15 * far
        assert found["volume"] == pytest.approx(volume, rel=tolerance)
        assert found["area"] == pytest.approx(area, rel=tolerance)
        np.testing.assert_allclose(found["centroid"], centroid, atol=10 * tolerance * scale)
        np.testing.assert_allclose(found["inertia"], inertia, atol=tolerance * np.abs(inertia).max())
        centre = mesh.bounds.mean(axis=0)
        hull = trimesh.Trimesh(vertices=mesh.vertices - centre, faces=mesh.faces, process=False).convex_hull
        assert found["hull_volume"] == pytest.approx(hull.volume, rel=1e-10)
        assert found["hull_area"] == pytest.approx(hull.area, rel=1e-9)


def test_check_agrees_on_closedness():
    cases = [c[0] for c in random_meshes(2)]
    broken = []
    rng = np.random.default_rng(5)
    for i, mesh in enumerate(cases):
        faces = mesh.faces.copy()
        if i % 3 == 1:
            faces = np.delete(faces, rng.integers(len(faces)), axis=0)
        if i % 3 == 2:
            faces[rng.integers(len(faces))] = faces[rng.integers(len(faces))][::-1]
        broken.append(trimesh.Trimesh(vertices=mesh.vertices, faces=faces, process=False))
    for mesh, whole, found in zip(broken, cases, ask(broken)):
        if len(mesh.faces) == len(whole.faces) and np.array_equal(mesh.faces, whole.faces):
            assert found["problems"] == []
        assert found["closed"] == mesh.is_watertight
        assert (found["oriented"] and found["closed"]) == (mesh.is_winding_consistent and mesh.is_watertight)
        assert found["vertices"] == len(mesh.vertices)


def brute_force_rays(mesh, rays):
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    for origin, direction in rays:
        e1, e2 = b - a, c - a
        p = np.cross(direction, e2)
        det = np.einsum("ij,ij->i", e1, p)
        s = origin - a
        u = np.einsum("ij,ij->i", s, p) / det
        q = np.cross(s, e1)
        v = q @ direction / det
        t = np.einsum("ij,ij->i", e2, q) / det
        inside = (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0)
        margin = np.min(np.abs(np.stack([u, v, 1 - u - v])), axis=0)[inside]
        yield np.sort(t[inside]), margin.min() if len(margin) else 1.0


def solid_angle_winding(mesh, p):
    a, b, c = (mesh.vertices[mesh.faces[:, k]] - p for k in range(3))
    la, lb, lc = (np.linalg.norm(x, axis=1) for x in (a, b, c))
    numerator = np.einsum("ij,ij->i", a, np.cross(b, c))
    dot = lambda x, y: np.einsum("ij,ij->i", x, y)
    denominator = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb
    return np.arctan2(numerator, denominator).sum() / (2 * np.pi)


def test_points_and_rays():
    rng = np.random.default_rng(7)
    cases = list(random_meshes(3))[:15]
    points, rays = [], []
    for mesh, scale, _ in cases:
        low, high = mesh.bounds
        middle, size = (low + high) / 2, high - low
        points.append(middle + size * rng.uniform(-0.5, 0.5, (25, 3)))
        origins = middle + size * rng.uniform(-0.8, 0.8, (25, 3))
        targets = middle + size * rng.uniform(-0.4, 0.4, (25, 3))
        rays.append(np.stack([origins, targets - origins], axis=1))
    answers = ask([c[0] for c in cases], points, rays)
    inside = hits = 0
    for (mesh, scale, far), ps, rs, found in zip(cases, points, rays, answers):
        # The references lose digits far from the origin, and trimesh's tolerances are absolute (on a mesh of millimetres its
        # nearest points are off by 3e-5): they work about the mesh's centre, at a size of about 1.
        centre = mesh.bounds.mean(axis=0)
        mesh = trimesh.Trimesh(vertices=(mesh.vertices - centre) / scale, faces=mesh.faces, process=False)
        ps, rs = (ps - centre) / scale, (rs - np.stack([centre, np.zeros(3)])) / scale
        tolerance = 1e-11 + 1e-14 * far
        for p, answer in zip(ps, found["points"]):
            nearest = trimesh.triangles.closest_point(mesh.triangles, np.tile(p, (len(mesh.faces), 1)))
            distance = np.linalg.norm(nearest - p, axis=1).min()
            assert answer["distance"] / scale == pytest.approx(distance, abs=tolerance)
            winding = solid_angle_winding(mesh, p)
            assert answer["winding"] == pytest.approx(winding, abs=0.02)
            assert answer["contains"] == (winding > 0.5)
            inside += answer["contains"]
        for (t, margin), answer in zip(brute_force_rays(mesh, rs), found["rays"]):
            if margin < 1e-9:
                continue  # through an edge: one hit or two
            np.testing.assert_allclose([h[0] for h in answer["hits"]], t, atol=100 * tolerance)
            assert (answer["first"] is None) == (len(t) == 0)
            hits += len(t)
    assert inside > 50 and hits > 200


def test_real_tools():
    tools = sorted((SHARED / "tools").glob("*/mesh.ply")) + sorted((SHARED / "peg_in_hole").glob("*.stl"))
    if not tools:
        pytest.skip(f"no recorded meshes under {SHARED}")
    meshes = [trimesh.load(path, process=False, force="mesh") for path in tools]
    # The largest would only cost time as JSON.
    pairs = [(path, mesh) for path, mesh in zip(tools, meshes) if len(mesh.faces) < 25000]
    compared = 0
    for (path, mesh), found in zip(pairs, ask([mesh for _, mesh in pairs])):
        mesh.merge_vertices()
        # trimesh calls a mesh watertight when every edge has exactly two triangles. Ours is closed when every edge has an
        # even number (two solids that touch along an edge stay closed), after repeated triangles are left out.
        stricter = any("more than two" in problem or "repeat" in problem for problem in found["problems"])
        assert found["closed"] == mesh.is_watertight or (found["closed"] and stricter), path
        if not found["closed"] or not found["oriented"]:
            continue
        compared += 1
        volume, area, centroid, inertia = reference_properties(mesh)
        assert found["volume"] == pytest.approx(volume, rel=1e-9), path
        assert found["area"] == pytest.approx(area, rel=1e-9), path
        np.testing.assert_allclose(found["centroid"], centroid, atol=1e-8 * mesh.scale)
        np.testing.assert_allclose(found["inertia"], inertia, atol=1e-8 * np.abs(inertia).max())
    assert compared >= 8
