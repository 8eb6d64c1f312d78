"""prehend segment as a user meets it: answers, files, and what it says about bad input."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
import trimesh

BIN = Path(os.environ["PREHEND_BIN"])
SOURCE = Path(os.environ["PREHEND_SOURCE"])
SHARED = Path(os.environ.get("PREHEND_SHARED_DATA", SOURCE.parent / "shared/data"))


def run(*arguments):
    return subprocess.run([BIN / "prehend", *map(str, arguments)], capture_output=True, text=True, timeout=120)


def document(*arguments, code=0):
    done = run("segment", *arguments, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


def read_ply(path):
    """Elements of a binary or text PLY as arrays by property; lists of three only."""
    types = {"double": "<f8", "float": "<f4", "int": "<i4", "uchar": "u1", "uint8": "u1", "float32": "<f4"}
    data = path.read_bytes()
    header, body = data.split(b"end_header\n", 1)
    elements, fields = [], None
    for line in header.decode().splitlines():
        words = line.split()
        if words[0] == "element":
            fields = []
            elements.append((words[1], int(words[2]), fields))
        elif words[0] == "property" and words[1] == "list":
            fields += [("count", "u1"), (words[4], "<i4", 3)]
        elif words[0] == "property":
            fields.append((words[2], types[words[1]]))
    result = {}
    for name, count, fields in elements:
        result[name] = np.frombuffer(body, dtype=fields, count=count)
        body = body[result[name].nbytes:]
    assert not body
    return result


def cloud_file(path, points, colours=None, extra=None):
    """A text PLY."""
    colours = np.full((len(points), 3), 0.5) if colours is None else colours
    rows = [f"{p[0]!r} {p[1]!r} {p[2]!r} {c[0]!r} {c[1]!r} {c[2]!r}" for p, c in zip(points.tolist(), colours.tolist())]
    if extra:
        rows = [row + f" {extra}" for row in rows]
    header = ["ply", "format ascii 1.0", f"element vertex {len(points)}"] + [f"property float {n}" for n in ("x", "y", "z", "red", "green", "blue")]
    header += ["property float quality"] if extra else []
    path.write_text("\n".join(header + ["end_header"] + rows) + "\n")
    return path


@pytest.fixture(scope="module")
def two_shells(tmp_path_factory):
    """A box and a ball apart, as OBJ, with the truth of each."""
    box = trimesh.creation.box((0.2, 0.03, 0.01))
    ball = trimesh.creation.icosphere(3, 0.04)
    ball.apply_translation((0.3, 0.1, 0.2))
    path = tmp_path_factory.mktemp("mesh") / "two.obj"
    path.write_text(trimesh.exchange.obj.export_obj(trimesh.util.concatenate([box, ball]), digits=17))
    return path, [ball, box]


@pytest.fixture(scope="module")
def mallet(tmp_path_factory):
    """Points on a handle and a head, red and grey."""
    np.random.seed(5)
    handle = trimesh.creation.cylinder(0.01, 0.2, sections=48)
    head = trimesh.creation.cylinder(0.025, 0.1, sections=48)
    head.apply_transform(trimesh.transformations.rotation_matrix(np.pi / 2, (0, 1, 0)))
    head.apply_translation((0, 0, 0.125))
    points = np.concatenate([trimesh.sample.sample_surface(handle, 900, seed=1)[0], trimesh.sample.sample_surface(head, 1100, seed=2)[0]])
    colours = np.concatenate([np.tile([0.8, 0.1, 0.1], (900, 1)), np.tile([0.5, 0.5, 0.5], (1100, 1))])
    return cloud_file(tmp_path_factory.mktemp("cloud") / "mallet.ply", points, colours), points, np.repeat([1, 0], [900, 1100])


def test_a_cloud_has_a_surface(tmp_path):
    answer = document(SOURCE / "data/samples/tools/mallet/cloud.ply", "--out", tmp_path)
    assert set(answer["files"]) == {"labels", "parts", "hierarchy", "surface"}
    surface = read_ply(tmp_path / "surface.ply")
    assert set(surface["face"]["label"]) == {0, 1}
    corners = np.stack([surface["vertex"][axis] for axis in "xyz"], 1)[surface["face"]["vertex_indices"]]
    volume = np.einsum("ni,ni->n", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert volume == pytest.approx(answer["volume_m3"], rel=0.1)  # flat facets; the answer counts what bends beyond them


def test_shells_are_parts_and_the_samples_reproduce_them(two_shells, tmp_path):
    path, truth = two_shells
    answer = document(path, "--out", tmp_path)
    assert answer["status"] == "ok" and [part["label"] for part in answer["parts"]] == [0, 1]
    assert answer["volume_m3"] == pytest.approx(sum(mesh.volume for mesh in truth), rel=1e-9)
    assert set(answer["files"]) == {"labels", "parts", "hierarchy"}
    samples = read_ply(tmp_path / "parts.ply")["vertex"]
    assert (samples["volume"] > 0).all()
    for part, mesh in zip(answer["parts"], truth):
        assert part["volume_m3"] == pytest.approx(mesh.volume, rel=1e-9)
        assert part["centroid_m"] == pytest.approx(mesh.center_mass, abs=1e-9)
        own = samples[samples["label"] == part["label"]]
        p, v = np.stack([own["x"], own["y"], own["z"]], 1) - mesh.center_mass, own["volume"]
        second = (v[:, None, None] * p[:, :, None] * p[:, None, :]).sum(0)
        assert np.trace(second) * np.eye(3) - second == pytest.approx(mesh.moment_inertia, rel=1e-6, abs=1e-9 * mesh.moment_inertia.max())
    faces = read_ply(tmp_path / "labels.ply")["face"]
    assert list(faces["label"]) == [1] * 12 + [0] * len(truth[0].faces)
    tree = json.loads((tmp_path / "hierarchy.json").read_text())
    assert tree["leaves"] == answer["leaves"] and len(tree["merges"]) == tree["leaves"] - 1
    assert (tmp_path / "report.html").stat().st_size > 1000


def test_any_number_of_parts(two_shells):
    path, _ = two_shells
    leaves = document(path)["leaves"]
    for count in (1, 2, 3, leaves):
        answer = document(path, "--parts", count)
        assert len(answer["parts"]) == count and all(part["volume_m3"] > 0 and part["points"] > 0 for part in answer["parts"])
    for wrong in ("0", "-3", "2.5", "many", leaves + 1):
        done = run("segment", path, f"--parts={wrong}", "--json")
        assert done.returncode == 2 and json.loads(done.stdout)["error"]["message"], done.stdout


def test_colours_of_meshes(tmp_path):
    """One closed bar, two colours: by the materials of an OBJ and of a GLB, and by faces. Textures are not read, and that is said."""
    bar = trimesh.creation.box((0.2, 0.02, 0.02))
    for _ in range(4):
        bar = bar.subdivide()
    is_left = bar.triangles_center[:, 0] < 0
    rows = [f"v {x!r} {y!r} {z!r}" for x, y, z in bar.vertices.tolist()]
    for material, faces in (("a", bar.faces[is_left]), ("b", bar.faces[~is_left])):
        rows += [f"usemtl {material}"] + [f"f {i} {j} {k}" for i, j, k in (faces + 1).tolist()]
    (tmp_path / "bar.obj").write_text("\n".join(["mtllib bar.mtl", *rows]) + "\n")
    (tmp_path / "bar.mtl").write_text("newmtl a\nKd 0.8 0.1 0.1\nnewmtl b\nKd 0.3 0.3 0.3\n")
    halves = [bar.submesh([np.flatnonzero(side)], append=True, repair=False) for side in (is_left, ~is_left)]
    for half, colour in zip(halves, ([200, 30, 30, 255], [80, 80, 90, 255])):
        half.visual = trimesh.visual.TextureVisuals(material=trimesh.visual.material.PBRMaterial(baseColorFactor=colour))
    trimesh.Scene(halves).export(tmp_path / "bar.glb")
    painted = bar.copy()
    painted.visual.face_colors = np.where(is_left[:, None], [200, 30, 30, 255], [80, 80, 90, 255])
    painted.export(tmp_path / "bar.ply")
    for name in ("bar.obj", "bar.glb", "bar.ply"):
        answer = document(tmp_path / name)
        assert [part["volume_m3"] for part in answer["parts"]] == pytest.approx([4e-5, 4e-5], rel=0.02), name
        assert answer["problems"] == [], name
    (tmp_path / "bar.mtl").write_text("newmtl a\nmap_Kd a.png\nnewmtl b\nmap_Kd b.png\n")
    answer = document(tmp_path / "bar.obj")
    assert len(answer["parts"]) == 1 and "textures were ignored" in " ".join(answer["problems"])
    (tmp_path / "bar.mtl").unlink()
    assert "'bar.mtl' is not in the folder" in " ".join(document(tmp_path / "bar.obj")["problems"])


def test_a_cloud(mallet, tmp_path):
    path, points, truth = mallet
    answer = document(path, "--parts", 2, "--out", tmp_path)
    found = read_ply(tmp_path / "labels.ply")["vertex"]
    assert np.allclose(np.stack([found["x"], found["y"], found["z"]], 1), points.astype(np.float32), atol=1e-6)
    assert (found["label"] == truth).mean() > 0.98
    head, handle = answer["parts"]
    assert head["volume_m3"] == pytest.approx(np.pi * 0.025**2 * 0.1, rel=0.05)
    assert handle["volume_m3"] == pytest.approx(np.pi * 0.01**2 * 0.2, rel=0.1)


def test_threads_extra_columns_and_place_change_nothing(mallet, tmp_path):
    path, points, _ = mallet
    texts = []
    for threads in (1, 3):
        document(path, "--parts", 3, "--out", tmp_path / str(threads), "--threads", threads)
        texts.append((tmp_path / str(threads) / "labels.ply").read_bytes())
    assert texts[0] == texts[1]
    answer = document(path, "--parts", 3)
    extra = document(cloud_file(tmp_path / "extra.ply", points, extra="7"), "--parts", 3)
    plain = document(cloud_file(tmp_path / "plain.ply", points), "--parts", 3)
    assert extra["parts"] == plain["parts"] and answer["volume_m3"] == pytest.approx(plain["volume_m3"])


def test_identify_reads_the_parts(two_shells, tmp_path):
    path, _ = two_shells
    document(path, "--out", tmp_path)
    done = run("inspect", tmp_path / "parts.ply", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["kind"] == "cloud"
    log = SOURCE / "data/logs/mallet.csv"
    done = run("identify", "--log", log, "--parts", tmp_path / "parts.ply", "--method", "hps", "--json")
    assert done.returncode in (0, 3), done.stdout + done.stderr
    assert json.loads(done.stdout)["results"][0]["method"] == "hps"


def test_bad_input_is_named(mallet, tmp_path):
    path, points, _ = mallet
    lines = path.read_text().splitlines()
    broken = tmp_path / "broken.ply"
    broken.write_text("\n".join(lines[:20] + ["nan 0 0 0.5 0.5 0.5"] + lines[21:]) + "\n")
    done = run("segment", broken, "--json")
    assert done.returncode == 2 and json.loads(done.stdout)["error"]["line"] == 21
    broken.write_text("\n".join(lines[:500]) + "\n")
    assert run("segment", broken).returncode == 2
    bad = tmp_path / "bad.obj"
    bad.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
    assert run("segment", bad).returncode == 2
    for name, few in {"three": points[:3], "same": np.repeat(points[:1], 50, 0), "line": np.outer(np.arange(50.0), [1, 2, 3])}.items():
        done = run("segment", cloud_file(tmp_path / f"{name}.ply", few), "--json", "--out", tmp_path / "none")
        assert done.returncode == 3 and "volume" in json.loads(done.stdout)["error"]["message"]
    assert not (tmp_path / "none" / "parts.ply").exists()
    assert run("segment", path, "--method", "magic").returncode == 2
    assert run("segment", path, "--support", "0", "0", "0", "1").returncode == 2
    millimetres = document(cloud_file(tmp_path / "mm.ply", 1000 * points), "--parts", 2)
    assert any("--unit mm" in problem for problem in millimetres["problems"])
    bright = document(cloud_file(tmp_path / "bright.ply", points, np.full((len(points), 3), 200.0)), "--parts", 2)
    assert any("255" in problem for problem in bright["problems"])


def test_unseen_meshes_of_the_same_solid(tmp_path):
    """Nested, overlapping, open, repeated and inside-out shells are told apart and said."""
    box, ball = trimesh.creation.box((0.1, 0.2, 0.3)), trimesh.creation.icosphere(3, 0.03)
    inside_out, cavity = box.copy(), ball.copy()
    inside_out.invert(), cavity.invert()
    beside, far = box.copy(), box.copy()
    beside.apply_translation((0.05, 0.1, 0.02)), far.apply_translation((2000, 0, 0))
    open_box = trimesh.Trimesh(box.vertices, box.faces[:-2], process=False)
    cases = {
        "inside_out": ([inside_out], 1, 6e-3, "inside out"),
        "cavity": ([box, cavity], 1, 6e-3 - ball.volume, "cavity"),
        "nested": ([box, ball], 2, 6e-3 + ball.volume, "counts in both"),
        "overlap": ([box, beside], 2, 12e-3, "overlaps"),
        "repeated": ([box, box], 1, 6e-3, "count once"),
        "far": ([far], 1, 6e-3, None),
        "open": ([open_box], 1, 6e-3, "is open"),
    }
    for name, (meshes, shells, volume, said) in cases.items():
        path = tmp_path / f"{name}.obj"
        path.write_text(trimesh.exchange.obj.export_obj(trimesh.util.concatenate(meshes), digits=17))
        answer = document(path)
        assert answer["shells"] == len(answer["parts"]) == shells, name
        assert answer["volume_m3"] == pytest.approx(volume, rel=0.05 if name == "open" else 1e-9), name
        assert all(part["volume_m3"] > 0 and part["points"] > 0 for part in answer["parts"])
        assert (answer["problems"] == []) == (said is None) and (said is None or any(said in text for text in answer["problems"])), (name, answer["problems"])


def matched(a, b):
    """Whether two labellings are the same but for names."""
    return len(set(zip(a, b))) == len(set(a)) == len(set(b))


def test_turned_moved_scaled_shuffled_and_doubled(mallet, tmp_path):
    _, points, truth = mallet
    colours = np.where(truth[:, None] == 1, [[0.8, 0.1, 0.1]], [[0.5, 0.5, 0.5]])
    turn = trimesh.transformations.random_rotation_matrix(np.array([0.3, 0.6, 0.8]))[:3, :3]
    order = np.random.default_rng(1).permutation(len(points))
    twice = np.concatenate([np.arange(len(points)), order[:300]])

    def labels(name, p, c):
        text = cloud_file(tmp_path / f"{name}.ply", p, c).read_text().replace("property float x", "property double x").replace("property float y", "property double y")
        (tmp_path / f"{name}.ply").write_text(text.replace("property float z", "property double z"))
        answer = document(tmp_path / f"{name}.ply", "--parts", 5, "--out", tmp_path / name)
        return read_ply(tmp_path / name / "labels.ply")["vertex"]["label"], answer["volume_m3"]

    first, volume = labels("first", points, colours)
    for name, p, scale, rows in (("turned", points @ turn.T, 1, slice(None)), ("moved", points + [2000, -1500, 300], 1, slice(None)),
                                 ("scaled", 1000 * points, 1000, slice(None)), ("shuffled", points[order], 1, order), ("doubled", points[twice], 1, twice)):
        c = colours[rows]
        found, other = labels(name, p, c)
        assert matched(first[rows], found), name
        assert other == pytest.approx(scale**3 * volume, rel=1e-6), name


def test_strays_pieces_and_flat_things_are_said(mallet, tmp_path):
    path, points, _ = mallet
    far = np.concatenate([points, [[0.5, 0, 0], [0, 0.4, 0.1], [0, 0, -0.9]]])
    answer = document(cloud_file(tmp_path / "strays.ply", far), "--parts", 2, "--out", tmp_path)
    assert any("3 stray points" in text for text in answer["problems"])
    assert list(read_ply(tmp_path / "labels.ply")["vertex"]["label"][-3:]) == [-1, -1, -1]
    two = document(cloud_file(tmp_path / "two.ply", np.concatenate([points, points + [5, 0, 0]])), "--parts", 1)
    assert any("2 pieces apart" in text for text in two["problems"])
    grid = np.stack(np.meshgrid(np.linspace(0, 0.2, 40), np.linspace(0, 0.1, 20), [0.3]), -1).reshape(-1, 3)
    sheet = cloud_file(tmp_path / "sheet.ply", grid)
    done = run("segment", sheet, "--json", "--out", tmp_path / "sheet")
    assert done.returncode == 3 and json.loads(done.stdout)["status"] == "undetermined" and not (tmp_path / "sheet").exists()
    top = document(sheet, "--support", 0, 0, 1, 0.25)  # the top of a box on a table
    assert top["volume_m3"] == pytest.approx(0.2 * 0.1 * 0.05, rel=0.1)
    for method in ("htc", "htc-cold"):
        answer = document(path, "--method", method, "--parts", 3)
        assert answer["method"] == method and len(answer["parts"]) == 3
        assert all(part["volume_m3"] > 0 and part["points"] > 0 for part in answer["parts"])


def still_log(path, mass, centre, sigma_f, sigma_t, seed):
    """A body turned about the sensor by 0.15 rad/s, first about x, then about y: as good as at rest. Sensor and object frame are one."""
    random = np.random.default_rng(seed)
    columns = "t sx sy sz sqw sqx sqy sqz vx vy vz wx wy wz ax ay az alx aly alz fx fy fz tx ty tz ox oy oz oqw oqx oqy oqz".split()
    rows, R = [], np.eye(4)
    for i in range(400):
        w = np.array([0.15, 0, 0] if i < 200 else [0, 0.15, 0])
        R = trimesh.transformations.rotation_matrix(0.015, w) @ R
        pose = [0, 0, 0, *trimesh.transformations.quaternion_from_matrix(R)]
        force = np.array([0, 0, 9.81 * mass])
        torque = np.cross(R[:3, :3] @ centre, force)
        wrench = [*(force + sigma_f * random.normal(size=3)), *(torque + sigma_t * random.normal(size=3))]
        rows.append([0.1 * i, *pose, 0, 0, 0, *w, *[0] * 6, *wrench, *pose])
    path.write_text(",".join(columns) + "\n" + "\n".join(",".join(repr(float(x)) for x in row) for row in rows) + "\n")
    return path


def test_masses_of_coplanar_parts_are_not_zeroed(tmp_path):
    """Five blocks side by side: weight and centre of mass leave two masses open. Mass and centre are kept, and what was assumed is said."""
    density = np.array([1000.0, 2700, 7800, 2700, 1000])
    blocks = []
    for k in range(5):
        block = trimesh.creation.box((0.05, 0.02, 0.04))
        block.apply_translation((0.06 * k, 0.05 * (k % 2), 0.1))
        blocks.append(block)
    path = tmp_path / "blocks.obj"
    path.write_text(trimesh.exchange.obj.export_obj(trimesh.util.concatenate(blocks), digits=17))
    answer = document(path, "--out", tmp_path)
    assert answer["coplanar"] and len(answer["parts"]) == 5
    masses = density * [block.volume for block in blocks]
    centre = (masses[:, None] * [block.center_mass for block in blocks]).sum(0) / masses.sum()
    log = still_log(tmp_path / "log.csv", masses.sum(), centre, 0.33, 0.0067, 3)
    done = run("identify", "--log", log, "--parts", tmp_path / "parts.ply", "--method", "hps", "--json")
    result = json.loads(done.stdout)["results"][0]
    assert result["status"] == "ok", done.stdout
    # Forces alone tell the mass to 0.33 N / (9.81 sqrt(400)) = 1.7 g; three times that, and of torques likewise.
    assert abs(result["mass_kg"] - masses.sum()) < 3 * 0.33 / (9.81 * 20)
    assert np.abs(np.array(result["com_O_m"]) - centre).max() < 3 * 0.0067 / (9.81 * masses.sum() * 20) + 1e-4
    notes = " ".join(result["notes"])
    assert "follow from densities as equal as the data allow" in notes and "leave no mass" not in notes, result["notes"]


TOOLS = ["bent_jaw_pliers", "c_clamp", "nut_screwdriver", "pliers", "vise_clamp"]


@pytest.mark.skipif(not (SHARED / "tools").is_dir(), reason="the recorded workshop tools are not at hand")
@pytest.mark.parametrize("name", TOOLS)
def test_shells_of_published_tools(name, tmp_path):
    answer = document(SHARED / "tools" / name / "mesh.ply", "--unit", "mm", "--out", tmp_path)
    scan = (SHARED / "tools" / name / "cloud.ply").read_text().split("end_header\n")[1].split("\n")
    truth = np.array([[float(x) for x in row.split()] for row in scan if row.strip()])
    assert len(answer["parts"]) >= len(set(truth[:, 6]))
    assert all(part["volume_m3"] > 0 for part in answer["parts"])
