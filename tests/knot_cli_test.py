"""The parts of the verb knot, as a user meets them."""

import json
import math
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

PREHEND = Path(os.environ["PREHEND_BIN"]) / "prehend"
SOURCE = Path(os.environ["PREHEND_SOURCE"])
OVERHAND = SOURCE / "data/ropes/overhand.csv"


def run(*arguments, **options):
    return subprocess.run([PREHEND, "knot", *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


def document(*arguments, code=0):
    """Runs with --json and insists on exactly one document and nothing else on standard output."""
    done = run(*arguments, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    answer = json.loads(done.stdout)
    assert {"verb", "status", "time_ms"} <= answer.keys()
    return answer


def write_rope(path, *frames):
    lines = ["frame,x,y,z"]
    for number, points in enumerate(frames):
        lines += [f"{number},{x!r},{y!r},{z!r}" for x, y, z in points]
    path.write_text("\n".join(lines) + "\n")
    return path


LOOP = [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 1.0, 0.5), (1.0, 1.0, 1.0), (1.0, -1.0, 1.0)]


# ------------------------------------------------------------------------------------------------- read

def test_read_every_frame():
    answer = document("read", OVERHAND)
    assert answer["verb"] == "knot read" and answer["status"] == "ok"
    assert answer["view"] == [0, 0, -1] and answer["tilt_rad"] == 0
    assert [f["frame"] for f in answer["frames"]] == [0, 1, 2, 3, 4, 5]
    assert [f["crossings"] for f in answer["frames"]] == [0, 0, 1, 1, 2, 3]
    assert answer["frames"][0]["p_data"] == {"sigma": [], "attr": []}
    assert answer["frames"][5]["p_data"] == {"sigma": [4, 5, 6, 1, 2, 3], "attr": [4, 3, 4, 3, 4, 3]}


def test_read_from_below_gives_the_sources_trefoil():
    answer = document("read", OVERHAND, "--view", 0, 0, 1)
    assert answer["view"] == [0, 0, 1]
    assert answer["frames"][5]["p_data"] == {"sigma": [4, 5, 6, 1, 2, 3], "attr": [3, 4, 3, 4, 3, 4]}


def test_read_crossing_points(tmp_path):
    (frame,) = document("read", write_rope(tmp_path / "loop.csv", LOOP))["frames"]
    assert frame["p_data"] == {"sigma": [2, 1], "attr": [4, 3]}
    (crossing,) = frame["crossing_points"]
    assert crossing["over"] == 2 and crossing["under"] == 1 and crossing["sign"] == 1
    assert crossing["p_over_W_m"] == pytest.approx([1, 0, 1]) and crossing["p_under_W_m"] == pytest.approx([1, 0, 0])
    assert crossing["s_under_m"] == pytest.approx(1) and crossing["s_over_m"] == pytest.approx(3 + 2 * math.sqrt(1.25))
    assert frame["length_m"] == pytest.approx(4 + 2 * math.sqrt(1.25))


def test_read_codes_of_the_closed_rope():
    frame = document("read", OVERHAND, "--view", 0, 0, 1, "--codes")["frames"][5]
    assert frame["closed_over"] == {"gauss": "O1+U2+O3+U1+O2+U3+", "dt": [4, 6, 2],
                                    "pd": [[2, 6, 3, 5], [4, 2, 5, 1], [6, 4, 1, 3]]}


def test_a_given_view_is_never_changed(tmp_path):
    end_on_strand = LOOP[:-1] + [(1.0, 0.0, 1.0)]
    rope = write_rope(tmp_path / "rope.csv", LOOP, end_on_strand)
    answer = document("read", rope, "--view", 0, 0, -1, code=3)
    assert answer["status"] == "degenerate_view" and answer["view"] == [0, 0, -1]
    assert "frame 1: the rope's last end lies on a strand, at points 1 to 2" in answer["error"]["message"]
    # What was found on the way is there.
    assert answer["frames"][0]["crossings"] == 1
    assert answer["frames"][1]["p_data"] is None and "lies on a strand" in answer["frames"][1]["reason"]
    # Without a wish, the view tilts for all frames alike, and says so.
    answer = document("read", rope)
    assert 0 < answer["tilt_rad"] < 0.1 and answer["view"] != [0, 0, -1]
    assert math.acos(-answer["view"][2]) == pytest.approx(answer["tilt_rad"], abs=1e-9)
    assert "tilted by" in answer["notes"][0]


def test_touching_strands_are_refused_from_every_view(tmp_path):
    rope = write_rope(tmp_path / "flat.csv", [(x, y, 0.0) for x, y, _ in LOOP])
    done = run("read", rope)
    assert done.returncode == 3 and "the strands at points 1 to 2 and points 4 to 5 touch" in done.stderr
    assert document("read", rope, code=3)["status"] == "touching"


def test_read_leaves_a_report(tmp_path):
    document("read", OVERHAND, "--out", tmp_path / "out")
    page = (tmp_path / "out/report.html").read_text()
    assert page.lstrip().lower().startswith("<!doctype html") and "What was tied?" in page
    assert "4 5 6 1 2 3" in page and "4 3 4 3 4 3" in page
    flat = write_rope(tmp_path / "flat.csv", [(x, y, 0.0) for x, y, _ in LOOP])
    document("read", flat, "--out", tmp_path / "flat", code=3)
    assert "Not every frame can be read" in (tmp_path / "flat/report.html").read_text()
    # A rope that is one point, and a recording with more frames than layers.
    point = write_rope(tmp_path / "point.csv", [(1.0, 2.0, 3.0)] * 3)
    assert document("read", point, "--out", tmp_path / "point", code=3)["status"] == "no_rope"
    long = write_rope(tmp_path / "long.csv", *[LOOP] * 100)
    document("read", long, "--out", tmp_path / "long")
    assert (tmp_path / "point/report.html").exists() and "frame 99" in (tmp_path / "long/report.html").read_text()


def test_bad_ropes_and_views(tmp_path):
    (tmp_path / "bad.csv").write_text("frame,x,y,z\n0,0,0,0\n0,1,nan,0\n")
    answer = document("read", tmp_path / "bad.csv", code=2)
    assert answer["error"]["line"] == 3
    assert "not a direction" in document("read", OVERHAND, "--view", 0, 0, 0, code=2)["error"]["message"]
    assert document("read", OVERHAND, "--view", 0, 0, "up", code=2)["status"] == "bad_usage"
    assert document("read", tmp_path / "none.csv", code=2)["status"] == "bad_input"


# ------------------------------------------------------------------------------------------------- name

def test_name_leaves_a_report(tmp_path):
    bowline = SOURCE / "data/knots/bowline.json"
    answer = document("name", bowline, "--out", tmp_path / "out")
    assert answer["rope_knots"] == ["bowline"] and answer["name"] == "6_3" and answer["under"]["name"] == "8_20"
    page = (tmp_path / "out/report.html").read_text()
    for words in ("Which knot is it?", "Bowline. Joined end to end: knot 6_3, closed over everything", "Jones polynomial"):
        assert words in page


def test_name_a_rope_from_any_side(tmp_path):
    rows = [line.split(",") for line in (SOURCE / "data/knots/bow_tie.csv").read_text().splitlines()[2:]]
    points = [(float(z), float(x), float(y)) for _, x, y, z in rows]  # standing on its edge
    rope = write_rope(tmp_path / "bow.csv", LOOP, points)
    answer = document("name", rope, "--out", tmp_path / "out")
    assert answer["rope_knots"] == ["bow_tie"] and answer["name"] == "3_1"
    assert "frame 1, looking along" in (tmp_path / "out/report.html").read_text()
    # A view that is given is kept.
    assert document("name", rope, "--view", -1, 0, 0)["rope_knots"] == ["bow_tie"]
    assert document("name", rope, "--view", 0.1, 0.2, -1)["rope_knots"] == []
    assert "--view is for ropes" in document("name", SOURCE / "data/knots/bow_tie.json", "--view", 0, 0, 1, code=2)["error"]["message"]
    flat = write_rope(tmp_path / "flat.csv", [(x, y, 0.0) for x, y, _ in LOOP])
    assert document("name", flat, code=3)["status"] == "touching"


def test_the_parts_are_listed_and_their_examples_work():
    listing = run("--help").stdout
    parts = [line.split()[0] for line in listing.split("Subcommands:\n")[1].split("\n\n")[0].splitlines()]
    assert "read" in parts
    for part in parts:
        example = run(part, "--help").stdout.split("Example:\n")[1].strip().splitlines()[0]
        assert example.startswith(f"prehend knot {part}")
        done = run(*example.split()[2:], cwd=SOURCE)
        assert done.returncode == 0, done.stderr
    assert run().returncode == 2
    assert document("tie", code=2)["status"] == "bad_usage"


def test_completion_knows_the_parts():
    script = subprocess.run([PREHEND, "completion", "bash"], capture_output=True, text=True).stdout
    probe = script + "COMP_WORDS=(prehend knot re); COMP_CWORD=2; _prehend; echo ${COMPREPLY[@]}"
    assert subprocess.run(["bash", "-c", probe], capture_output=True, text=True).stdout.split() == ["read"]


def test_too_few_points_are_a_doubt_and_noise_is_smoothed(tmp_path):
    t = 0.3 + np.arange(11) * 2 * np.pi / 11
    coarse = np.stack([(2 + np.cos(7 * t)) * np.cos(2 * t), (2 + np.cos(7 * t)) * np.sin(2 * t), np.sin(7 * t)], 1)
    rope = write_rope(tmp_path / "coarse.csv", coarse.tolist())
    answer = document("name", rope, "--closed", "--out", tmp_path / "out")
    assert answer["status"] == "doubtful" and "they may pass each other on the other side" in answer["doubts"][0]
    assert "Doubtful:" in (tmp_path / "out/report.html").read_text()
    exact = document("name", rope, "--closed", "--noise", 0)
    assert exact["status"] == "ok" and "doubts" not in exact and exact["name"] == answer["name"]
    t = np.arange(1500) * 2 * np.pi / 1500
    loop = np.stack([(2 + np.cos(5 * t)) * np.cos(2 * t), (2 + np.cos(5 * t)) * np.sin(2 * t), np.sin(5 * t)], 1)
    rope = write_rope(tmp_path / "noisy.csv", (loop + 0.1 * np.random.default_rng(1).normal(size=loop.shape)).tolist())
    answer = document("name", rope, "--closed")
    assert answer["status"] == "ok" and answer["name"] == "5_1" and 0.09 < answer["noise_m"] < 0.11
    assert any("is smoothed away" in note for note in answer["notes"])
    assert 0.09 < document("read", rope, "--closed")["noise_m"] < 0.11
    assert "--noise is -1" in document("name", rope, "--noise", -1, code=2)["error"]["message"]
    assert "--noise is for ropes" in document("name", SOURCE / "data/knots/trefoil.json", "--noise", 0, code=2)["error"]["message"]
