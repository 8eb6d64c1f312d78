"""prehend joint as a user meets it."""

import json
import math
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

PREHEND = Path(os.environ["PREHEND_BIN"]) / "prehend"
SOURCE = Path(os.environ["PREHEND_SOURCE"])
TRACKS = SOURCE / "../shared/data/articulation_tracks"


def run(*arguments):
    return subprocess.run([PREHEND, "joint", *map(str, arguments)], capture_output=True, text=True, timeout=120)


def document(*arguments, code=0):
    done = run(*arguments, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def poses(tmp_path):
    def write(rows, header="t,part,x,y,z,qw,qx,qy,qz"):
        path = tmp_path / "poses.csv"
        path.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
        return path
    return write


def still(n=30):
    return [(k / 10, "a", 0, 0, 0, 1, 0, 0, 0) for k in range(n)]


def test_the_door_of_the_examples():
    answer = document(SOURCE / "data/poses/door.csv")
    assert answer["status"] == "ok" and answer["type"] == "revolute" and answer["verb"] == "joint"
    assert abs(answer["axis_F"][2]) > math.cos(math.radians(1))
    assert np.hypot(answer["point_F_m"][0] - 0.05, answer["point_F_m"][1] + 0.2) < 0.005
    assert np.linalg.norm(answer["point_M_m"]) == pytest.approx(math.hypot(0.02, 0.35), abs=0.01)
    states = answer["states"]
    assert len(states) == 80 and states[40:44] == [None] * 4
    swing = [s for s in states if s is not None]
    assert max(swing) - min(swing) == pytest.approx(1.3, abs=0.06)
    # Both parts carry the noise: the relative pose has sqrt(2) of it.
    assert answer["noise"]["angle_rad"] == pytest.approx(0.006 * math.sqrt(2), rel=0.25)
    assert {"axis_rad", "point_m"} <= answer["std"].keys()
    assert {c["type"] for c in answer["candidates"]} >= {"rigid", "prismatic", "revolute", "screw", "free"}
    assert all({"score", "rms_position_m", "rms_angle_rad", "explanation"} <= c.keys() for c in answer["candidates"])


def test_parts_can_be_named_and_types_asked_for():
    answer = document(SOURCE / "data/poses/door.csv", "--fixed", "door", "--moving", "frame", "--type", "revolute")
    assert answer["fixed"] == "door" and answer["moving"] == "frame"
    assert document(SOURCE / "data/poses/door.csv", "--fixed", "wall", "--moving", "door", code=2)["error"]["message"].count("'door'")
    assert "--type is 'hinge'" in document(SOURCE / "data/poses/door.csv", "--type", "hinge", code=2)["error"]["message"]
    assert "orientation" in document(SOURCE / "data/poses/drawer.csv", "--type", "screw", code=2)["error"]["message"]


def test_noise_whose_size_differs_from_frame_to_frame(poses):
    rng = np.random.default_rng(3)
    rows = []
    for t in range(200):
        half = 0.5 * (0.005 * t + rng.uniform(0, 0.08) * rng.choice([-1, 1]))  # amplitudes are uniform: some frames are nearly exact
        offset = rng.uniform(0, 0.01) * rng.normal(size=3) / math.sqrt(3)
        rows.append([0.02 * t, "door", *([math.cos(0.005 * t), math.sin(0.005 * t), 0] + offset), math.cos(half), 0, 0, math.sin(half)])
    uneven = poses(rows)
    estimated, gaussian = document(uneven, "--type", "revolute"), document(uneven, "--type", "revolute", "--noise", "gaussian")
    assert abs(np.dot(estimated["axis_F"], gaussian["axis_F"])) > math.cos(math.radians(1))
    assert estimated["noise_has_sizes"] and not gaussian["noise_has_sizes"] and estimated["point_F_m"] != gaussian["point_F_m"]
    assert "--noise is 'white'" in document(uneven, "--noise", "white", code=2)["error"]["message"]


def test_a_drawer_of_positions():
    answer = document(SOURCE / "data/poses/drawer.csv")
    assert answer["type"] == "prismatic" and "axis_M" not in answer
    assert abs(np.dot(answer["axis_F"], [0.8, 0.6, 0])) > math.cos(math.radians(1))


def test_a_drawer_whose_tracked_point_slips(poses):
    rng = np.random.default_rng(4)
    way = 0.45 * (1 - np.cos(np.linspace(0, math.pi, 100))) / 2
    p = np.c_[way, np.zeros((100, 2))] + 0.001 * rng.standard_normal((100, 3))
    p[60:] += [0, 0.04, 0.02]
    rows = [(k / 10, "drawer", *p[k]) for k in range(100)]
    answer = document(poses(rows, "t,part,x,y,z"))
    assert answer["type"] == "prismatic" and abs(answer["axis_F"][0]) > math.cos(math.radians(0.5))
    (slip,) = answer["slips"]
    assert slip["before_s"] == 5.9 and slip["after_s"] == 6.0 and slip["size_m"] == pytest.approx(0.045, abs=0.006)
    assert any("slips by" in note for note in answer["notes"])
    assert "slips" not in document(SOURCE / "data/poses/door.csv")  # with orientation


def test_bad_input_is_named(poses):
    rows = still()
    rows[3] = (0.3, "a", 0, 0, 0, 1.2, 0, 0, 0)
    error = document(poses(rows), code=2)["error"]
    assert error["line"] == 5 and "norm" in error["message"]
    rows = still()
    rows[3] = (0.1, "a", 0, 0, 0, 1, 0, 0, 0)
    assert document(poses(rows), code=2)["error"]["line"] == 5
    rows = still()
    rows[3] = (0.3, "a", "nan", 0, 0, 1, 0, 0, 0)
    assert document(poses(rows), code=2)["error"]["line"] == 5
    assert "seen once" in document(poses(still() + [(0, "b", 1, 0, 0, 1, 0, 0, 0)]), code=2)["error"]["message"]
    three = still() + [(t, p, 0, 0, 0, 1, 0, 0, 0) for p in "bc" for t in (0, 1)]
    assert "3 parts" in document(poses(three), code=2)["error"]["message"]
    apart = still(3) + [(5 + k, "b", 0, 0, 0, 1, 0, 0, 0) for k in range(3)]
    assert "never seen at the same time" in document(poses(apart), code=2)["error"]["message"]
    assert document("/nowhere.csv", code=2)["error"]["file"] == "/nowhere.csv"


@pytest.mark.parametrize("verb", ["joint", "discover"])
def test_quaternions_in_another_order_are_named(verb, poses):
    lines = [line.split(",") for line in (SOURCE / "data/poses/door.csv").read_text().splitlines() if line[0].isdigit()]
    path = poses([(*row[:5], *row[6:9], row[5]) for row in lines])
    done = subprocess.run([PREHEND, verb, path], capture_output=True, text=True)
    assert done.returncode in (2, 3) and "in the order x, y, z, w" in done.stderr + done.stdout


def test_nothing_that_moves_is_undetermined(poses):
    answer = document(poses(still()), code=3)
    assert answer["status"] == "undetermined" and "nothing moves" in answer["error"]["message"]
    rng = np.random.default_rng(1)
    rows = [(k / 10, "a", *(0.001 * rng.standard_normal(3)), 1, 0, 0, 0) for k in range(50)]
    assert document(poses(rows), code=3)["status"] == "undetermined"


def test_a_barely_opened_door_is_undetermined(poses):
    rng = np.random.default_rng(2)
    rows = []
    for k in range(100):
        angle = 0.03 * k / 99
        w = np.array([0, 0, angle]) + 0.03 * rng.standard_normal(3)
        size = np.linalg.norm(w)
        q = np.r_[math.cos(size / 2), math.sin(size / 2) * w / size]
        p = 0.5 * np.array([math.cos(angle), math.sin(angle), 0]) + 0.003 * rng.standard_normal(3)
        rows.append((k / 10, "door", *p, *q))
    answer = document(poses(rows), code=3)
    assert answer["status"] == "undetermined"
    assert {answer["type"], *answer["rivals"]} >= {"prismatic", "revolute"}


@pytest.mark.skipif(not TRACKS.exists(), reason="recorded tracks are not here")
def test_foreign_tracks_are_read():
    assert document(TRACKS / "cabinet_one/001.log")["type"] == "revolute"


def test_readable_form():
    done = run(SOURCE / "data/poses/door.csv")
    assert done.returncode == 0 and "revolute" in done.stdout and "nats behind" in done.stdout


def test_out_writes_a_page_and_the_states_and_says_so(tmp_path):
    done = run(SOURCE / "data/poses/door.csv", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "report.html" in done.stderr and "states.csv" in done.stderr and str(tmp_path / "out") in done.stderr
    page = (tmp_path / "out/report.html").read_text()
    assert "Candidates" in page and "Residuals over time" in page and "a revolute joint" in page
    rows = (tmp_path / "out/states.csv").read_text().splitlines()
    assert rows[0] == "t,q0,residual_m,residual_rad,weight" and len(rows) == 81
    answer = document(SOURCE / "data/poses/door.csv", "--out", tmp_path / "again")
    assert list(answer["files"]) == ["report", "states"] and all(Path(f).is_file() for f in answer["files"].values())
    states = [float(row.split(",")[1]) if row.split(",")[1] else None for row in rows[1:]]
    assert all(a is None if b is None else abs(a - b) < 1e-9 for a, b in zip(states, answer["states"]))


@pytest.mark.parametrize("rows", [
    [(k / 10, "a", 0.01 * k, 0, 0, "", "", "", "") for k in range(40)],  # a line without orientation
    [(0.0, "a", 0, 0, 0, 1, 0, 0, 0), (0.1, "a", 0.1, 0, 0, 1, 0, 0, 0)],  # too few frames for any joint but `free`
])
def test_out_has_a_page_without_an_answer_as_well(poses, tmp_path, rows):
    done = run(poses(rows), "--out", tmp_path / "out")
    assert done.returncode in (0, 3), done.stderr
    assert (tmp_path / "out/report.html").stat().st_size > 10000 and (tmp_path / "out/states.csv").is_file()
