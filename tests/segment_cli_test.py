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


TOOLS = ["bent_jaw_pliers", "c_clamp", "nut_screwdriver", "pliers", "vise_clamp"]


@pytest.mark.skipif(not (SHARED / "tools").is_dir(), reason="the recorded workshop tools are not at hand")
@pytest.mark.parametrize("name", TOOLS)
def test_shells_of_published_tools(name, tmp_path):
    answer = document(SHARED / "tools" / name / "mesh.ply", "--unit", "mm", "--out", tmp_path)
    scan = (SHARED / "tools" / name / "cloud.ply").read_text().split("end_header\n")[1].split("\n")
    truth = np.array([[float(x) for x in row.split()] for row in scan if row.strip()])
    assert len(answer["parts"]) >= len(set(truth[:, 6]))
    assert all(part["volume_m3"] > 0 for part in answer["parts"])
