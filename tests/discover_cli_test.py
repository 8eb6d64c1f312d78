"""`prehend discover`: documents, files that load again, and bad input."""

import json
import os
import subprocess

import pytest

PREHEND = os.path.join(os.environ["PREHEND_BIN"], "prehend")


def prehend(*arguments):
    return subprocess.run([PREHEND, *map(str, arguments)], capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def arm(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arm")
    made = prehend("simulate-object", "--object", "arm", "--frames", 100, "--noise", 0.002, 0.01, "--out", folder)
    assert made.returncode == 0, made.stderr
    return folder


def test_arm(arm, tmp_path):
    answer = prehend("discover", arm / "poses.csv", "--json", "--out", tmp_path)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    document = json.loads(answer.stdout)
    assert document["verb"] == "discover" and document["status"] == "ok"
    truth = json.loads((arm / "truth.json").read_text())
    edges = {frozenset((j["parent"], j["child"])): j["type"] for j in document["joints"]}
    assert edges == {frozenset((j["parent"], j["child"])): j["type"] for j in truth["joints"]}
    assert document["degrees_of_freedom"] == 4 and document["loops"] == []
    for joint in document["joints"]:
        assert len(joint["states"]) == 100 and len(joint["axis"]) == 3 and len(joint["point_m"]) == 3
    for kind in ("urdf", "mjcf"):
        scene = prehend("inspect", document["files"][kind], "--json")
        assert scene.returncode == 0, scene.stdout
        joints = json.loads(scene.stdout)["joints"]
        assert sorted(j["type"] for j in joints if j["type"] != "rigid") == ["revolute"] * 4
    assert (tmp_path / "report.html").stat().st_size > 10000


def rows(path, lines):
    path.write_text("t,part,x,y,z,qw,qx,qy,qz\n" + "\n".join(lines) + "\n")
    return path


def test_all_parts_still(tmp_path):
    path = rows(tmp_path / "still.csv", [f"{t},{p},{x},0,0,1,0,0,0" for t in range(20) for p, x in (("a", 0), ("b", 1))])
    answer = prehend("discover", path, "--json")
    assert answer.returncode == 3
    document = json.loads(answer.stdout)
    assert document["status"] == "undetermined" and "nothing moves" in document["error"]["message"]
    assert document["rigid_groups"] == [["a", "b"]]


def test_part_seen_once(tmp_path):
    path = rows(tmp_path / "once.csv", [f"{t},a,0,0,0,1,0,0,0" for t in range(9)] + ["0,b,1,0,0,1,0,0,0"])
    answer = prehend("discover", path, "--json")
    assert answer.returncode == 2
    assert "seen once" in json.loads(answer.stdout)["error"]["message"]


def test_time_backwards(tmp_path):
    path = rows(tmp_path / "back.csv", ["1,a,0,0,0,1,0,0,0", "0,a,0,0,0,1,0,0,0", "0,b,0,0,0,1,0,0,0"])
    answer = prehend("discover", path, "--json")
    assert answer.returncode == 2
    assert json.loads(answer.stdout)["error"]["line"] == 3


def test_unknown_type(arm):
    answer = prehend("discover", arm / "poses.csv", "--types", "hinge", "--json")
    assert answer.returncode == 2
    assert "hinge" in json.loads(answer.stdout)["error"]["message"]


def test_film_needs_a_calibration(tmp_path):
    (tmp_path / "frames").mkdir()
    answer = prehend("discover", tmp_path / "frames", "--json")
    assert answer.returncode == 2
    assert "calibration" in answer.stdout or "OpenCV" in answer.stdout
