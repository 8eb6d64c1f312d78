"""The mesh readers and writers against trimesh, an independent library, in both directions."""
import json
import os
import subprocess

import numpy as np
import pytest
import trimesh

TOOL = os.path.join(os.environ["PREHEND_BIN"], "mesh_file_tool")


def ours(path, scale=1.0, out=()):
    run = subprocess.run([TOOL, path, str(scale), *map(str, out)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def shapes():
    rng = np.random.default_rng(5)
    bumpy = trimesh.creation.icosphere(subdivisions=3)
    bumpy.vertices *= 1 + 0.1 * rng.random((len(bumpy.vertices), 1))
    return {
        "box": trimesh.creation.box((0.1, 0.2, 0.3)),
        "cylinder": trimesh.creation.cylinder(0.05, 0.2, sections=33),
        "torus": trimesh.creation.torus(0.2, 0.05),
        "bumpy": bumpy,
    }


def soup(vertices, triangles):
    """The triangles' corners, each triangle turned to start at its smallest corner, sorted: equal for equal surfaces."""
    corners = np.asarray(vertices, dtype=float)[np.asarray(triangles, dtype=int)]
    turned = []
    for triangle in corners.tolist():
        first = min(range(3), key=lambda k: triangle[k])
        turned.append([*triangle[first], *triangle[(first + 1) % 3], *triangle[(first + 2) % 3]])
    return np.array(sorted(turned))


def same_surface(a, b, tolerance=0.0):
    a, b = soup(*a), soup(*b)
    assert a.shape == b.shape
    assert np.abs(a - b).max() <= tolerance


@pytest.mark.parametrize("name", shapes())
@pytest.mark.parametrize("extension", ["stl", "ascii.stl", "obj", "ply", "ascii.ply"])
def test_what_trimesh_writes_we_read(tmp_path, name, extension):
    mesh = shapes()[name]
    kind = {"ascii.stl": "stl_ascii"}.get(extension, extension.split(".")[-1])
    options = {"encoding": "ascii"} if extension == "ascii.ply" else {}
    path = tmp_path / f"{name}.{extension}"
    path.write_bytes(mesh.export(file_type=kind, **options).encode() if kind in ("obj", "stl_ascii") else mesh.export(file_type=kind, **options))
    got = ours(path)
    # Single precision, or the eight digits that trimesh writes.
    same_surface((np.round(np.array(got["vertices"]), 6), got["triangles"]), (np.round(mesh.vertices, 6), mesh.faces), 2e-6)
    if "stl" in extension:
        assert len(got["vertices"]) == len(mesh.vertices)
    again = trimesh.Trimesh(got["vertices"], got["triangles"], process=False)
    assert again.is_watertight
    assert again.volume == pytest.approx(mesh.volume, rel=1e-5)


@pytest.mark.parametrize("name", shapes())
def test_what_we_write_trimesh_reads(tmp_path, name):
    mesh = shapes()[name]
    source = tmp_path / "source.ply"
    source.write_bytes(mesh.export(file_type="ply"))
    outs = [tmp_path / f"out.{e}" for e in ("obj", "ply", "ascii.ply", "big.ply", "stl")]
    got = ours(source, 1.0, outs)
    for out in outs:
        theirs = trimesh.load(out, process=False)
        exact = out.suffix == ".obj" or out.suffix == ".ply"
        same_surface((got["vertices"], got["triangles"]), (theirs.vertices, theirs.faces), 0.0 if exact else 1e-7)
        again = ours(out)
        same_surface((got["vertices"], got["triangles"]), (again["vertices"], again["triangles"]), 0.0 if exact else 1e-7)


@pytest.mark.parametrize("extension", ["glb", "gltf"])
def test_gltf_scenes_with_transforms(tmp_path, extension):
    scene = trimesh.Scene()
    rng = np.random.default_rng(7)
    frame = trimesh.transformations.random_rotation_matrix(rng.random(3))
    frame[:3, 3] = [0.3, -0.2, 0.1]
    mirror = np.diag([-1.0, 1.0, 2.0, 1.0])
    parts = shapes()
    scene.add_geometry(parts["box"], node_name="box", geom_name="box", transform=frame)
    scene.add_geometry(parts["torus"], node_name="torus", geom_name="torus", parent_node_name="box", transform=frame)
    scene.add_geometry(parts["cylinder"], node_name="cylinder", geom_name="cylinder", transform=mirror)
    path = tmp_path / f"scene.{extension}"
    if extension == "glb":
        path.write_bytes(scene.export(file_type="glb"))
    else:
        for name, data in scene.export(file_type="gltf").items():
            (tmp_path / ("scene.gltf" if name.endswith(".gltf") else name)).write_bytes(data)
    got = ours(path)
    together = []
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        together.append(scene.geometry[geometry].copy().apply_transform(transform))
    wanted = trimesh.util.concatenate(together)
    turned = wanted.vertices @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])  # (x, -z, y), by rows
    mine = trimesh.Trimesh(got["vertices"], got["triangles"])
    theirs = trimesh.Trimesh(turned, wanted.faces)
    assert mine.volume == pytest.approx(theirs.volume, rel=1e-6)
    assert mine.volume > 0
    assert mine.center_mass == pytest.approx(theirs.center_mass, abs=1e-7)
    assert mine.moment_inertia == pytest.approx(theirs.moment_inertia, abs=1e-9)
    assert sorted(got["groups"]) == ["box", "cylinder", "torus"]


def test_colours_survive(tmp_path):
    mesh = shapes()["box"]
    rng = np.random.default_rng(3)
    for kind, count in (("vertex", len(mesh.vertices)), ("face", len(mesh.faces))):
        coloured = mesh.copy()
        colours = rng.integers(0, 256, (count, 4), dtype=np.uint8)
        coloured.visual = trimesh.visual.ColorVisuals(coloured, **{f"{kind}_colors": colours})
        path = tmp_path / f"{kind}.ply"
        path.write_bytes(coloured.export(file_type="ply"))
        got = np.array(ours(path)[f"{kind}_colors"])
        assert np.array_equal(np.round(255 * got).astype(np.uint8), colours[:, :3])


def test_polygons_agree_with_another_triangulation(tmp_path):
    # Prisms over random star polygons: volume = area x height, whatever the triangles.
    rng = np.random.default_rng(11)
    for trial in range(30):
        n = 4 + trial
        angle = 2 * np.pi * (np.arange(n) + 0.7 * rng.random(n)) / n
        radius = 0.2 + rng.random(n)
        x, y = radius * np.cos(angle), radius * np.sin(angle)
        area = 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)
        lines = [f"v {a!r} {b!r} {z}" for z in (0.0, 0.5) for a, b in zip(x.tolist(), y.tolist())]
        lines.append("f " + " ".join(str(n - i) for i in range(n)))
        lines.append("f " + " ".join(str(n + 1 + i) for i in range(n)))
        lines += [f"f {1 + i} {1 + (i + 1) % n} {n + 1 + (i + 1) % n} {n + 1 + i}" for i in range(n)]
        path = tmp_path / "prism.obj"
        path.write_text("\n".join(lines))
        got = ours(path)
        mesh = trimesh.Trimesh(got["vertices"], got["triangles"], process=False)
        assert mesh.is_watertight
        assert mesh.volume == pytest.approx(0.5 * area, rel=1e-12)
        assert mesh.area == pytest.approx(2 * area + 0.5 * np.sum(np.hypot(x - np.roll(x, -1), y - np.roll(y, -1))), rel=1e-12)
