"""simulate-object and markers, as a user meets them."""

import csv
import json
import math
import os
import subprocess
from pathlib import Path

import pytest

PREHEND = Path(os.environ["PREHEND_BIN"]) / "prehend"


def run(*arguments):
    return subprocess.run([PREHEND, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def document(*arguments, code=0):
    done = run(*arguments, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def rotate(q, v):
    w, x, y, z = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]]


def test_poses_and_truth_agree(tmp_path):
    answer = document("simulate-object", "--parts", 4, "--types", "revolute", "--frames", 20, "--noise", 0, 0, "--seed", 3,
                      "--out", tmp_path)
    truth = json.loads((tmp_path / "truth.json").read_text())
    assert answer["joints"] == truth["joints"] and answer["degrees_of_freedom"] == 3
    poses = {(r["part"], float(r["t"])): ([float(r[k]) for k in "xyz"], [float(r[k]) for k in ("qw", "qx", "qy", "qz")])
             for r in rows(tmp_path / "poses.csv")}
    assert len(poses) == 80
    # The joint's point, carried by the child from its place at state zero, stays where the parent has it.
    for joint in truth["joints"]:
        rest_p, rest_q = joint["X_PC"]["p"], joint["X_PC"]["q"]
        inverse = [rest_q[0]] + [-c for c in rest_q[1:]]
        point_C = rotate(inverse, [a - b for a, b in zip(joint["point_m"], rest_p)])
        for t in truth["times_s"]:
            (pp, pq), (cp, cq) = poses[joint["parent"], t], poses[joint["child"], t]
            by_parent = [a + b for a, b in zip(pp, rotate(pq, joint["point_m"]))]
            by_child = [a + b for a, b in zip(cp, rotate(cq, point_C))]
            assert math.dist(by_parent, by_child) < 1e-9


def test_inflation_and_losses(tmp_path):
    answer = document("simulate-object", "--object", "arm", "--frames", 40, "--inflation", 2, "--lost", 0.2, "--out", tmp_path)
    assert [len(group) for group in answer["rigid_groups"]] == [3] * 5
    assert len(rows(tmp_path / "poses.csv")) + answer["lost_rows"] == 40 * 15


@pytest.mark.parametrize("arguments, message", [
    (("--parts", 0), "parts is 0"),
    (("--types", "elbow"), "--types: there is no 'elbow'; it must be rigid, prismatic"),
    (("--object", "door"), "no object is called 'door'"),
    (("--motion", "dance"), "--motion: there is no 'dance'; it must be walk or smooth"),
    (("--noise", "a", 0), "'a' is not a number"),
    (("--lost", 2), "lost_share is 2"),
    (("--video", "avi"), "--video needs --out"),
])
def test_bad_usage_is_named(arguments, message):
    done = run("simulate-object", *arguments)
    assert done.returncode == 2 and message in done.stderr, done.stderr


def has_opencv():
    return "built without" not in run("markers", "x").stderr


@pytest.mark.skipif(not has_opencv(), reason="built without OpenCV")
class TestFilm:
    def test_a_film_of_the_arm_comes_back_as_poses(self, tmp_path):
        document("simulate-object", "--object", "arm", "--frames", 8, "--video", "avi", "--out", tmp_path, "--seed", 1)
        film, calibration = tmp_path / "film.avi", tmp_path / "calibration.yaml"
        answer = document("markers", film, "--calibration", calibration, "--marker-size", 0.05, "--out", tmp_path / "tracks")
        assert answer["frames"] == 8 and len(answer["markers"]) >= 4
        # The base stands still: its marker is where the truth has it.
        made = json.loads((tmp_path / "markers.json").read_text())
        base = next(m for m in made["markers"] if m["part"] == "base")
        p = [a + b for a, b in zip(made["X_CW"]["p"], rotate(made["X_CW"]["q"], base["X_PM"]["p"]))]
        seen = [r for r in rows(tmp_path / "tracks/poses.csv") if r["part"] == base["name"]]
        assert len(seen) == 8
        for row in seen:
            assert math.dist(p, [float(row[k]) for k in "xyz"]) < 0.01 * p[2]
        quality = rows(tmp_path / "tracks/quality.csv")
        assert len(quality) == answer["poses"] and all(float(r["std_z"]) > 0 for r in quality)
        # Another dictionary: nothing is found, and the command says so.
        none = document("markers", film, "--calibration", calibration, "--marker-size", 0.05, "--dictionary", "7x7_50", code=3)
        assert none["status"] == "no_markers" and "no marker of dictionary 7x7_50" in none["error"]["message"]

    def test_bad_input_is_named(self, tmp_path):
        calibration = tmp_path / "c.yaml"
        calibration.write_text("width: 64\nheight: 48\nfx: 60\nfy: 60\ncx: 31\ncy: 23\n")
        bad = tmp_path / "film.avi"
        bad.write_text("no film")
        arguments = ("--calibration", calibration, "--marker-size", 0.05)
        answer = document("markers", bad, *arguments, code=2)
        assert answer["error"]["file"] == str(bad) and "cannot be read as a video" in answer["error"]["message"]
        assert "no such file" in document("markers", tmp_path / "none", *arguments, code=2)["error"]["message"]
        assert "--marker-size" in run("markers", bad, "--calibration", calibration).stderr
        assert "--calibration" in run("markers", bad, "--marker-size", 0.05).stderr
