"""knot moves and knot plan as a user meets them."""

import json
import os
import subprocess
from pathlib import Path

import pytest

PREHEND = Path(os.environ["PREHEND_BIN"]) / "prehend"
SOURCE = Path(os.environ["PREHEND_SOURCE"])
TREFOIL = {"sigma": [4, 5, 6, 1, 2, 3], "attr": [3, 4, 3, 4, 3, 4]}
STRAIGHT = {"sigma": [], "attr": []}


def document(*arguments, code=0):
    done = subprocess.run([PREHEND, *map(str, arguments), "--json"], capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def file(tmp_path):
    def write(content):
        path = tmp_path / "input.json"
        path.write_text(json.dumps(content))
        return path
    return write


def swapped(p):
    n = len(p["sigma"])
    return {"sigma": [n + 1 - s for s in reversed(p["sigma"])], "attr": p["attr"][::-1]}


def test_the_bowline_with_wrong_ends():
    answer = document("knot", "moves", SOURCE / "data/knots/bowline_states.json")
    assert answer["status"] == "ok" and answer["first_swapped"] is False
    assert [len(t["candidates"]) > 1 for t in answer["transitions"]] == [k in (0, 3) for k in range(7)]
    states = json.loads((SOURCE / "data/knots/bowline_states.json").read_text())["states"]
    for candidate in (c for t in answer["transitions"] for c in t["candidates"]):
        assert candidate.keys() == {"move", "adds", "end", "parameters", "sign"} and candidate["adds"] is True
    assert not any(t["swapped"] for t in answer["transitions"]) and swapped(states[2]) == states[2]


def test_swapped_states_are_found(file):
    states = json.loads((SOURCE / "data/knots/bowline_states.json").read_text())["states"]
    for k in (2, 5, 6):
        states[k] = swapped(states[k])
    answer = document("knot", "moves", file({"states": states}))
    assert [t["swapped"] for t in answer["transitions"]] == [False, False, False, False, True, True, False]


def test_states_between(file):
    states = json.loads((SOURCE / "data/knots/bowline_states.json").read_text())["states"]
    answer = document("knot", "moves", file({"states": [states[3], states[5]]}))
    (transition,) = answer["transitions"]
    assert transition["candidates"] == [] and len(transition["between"]) == 1 and transition["moves"] == 2
    again = document("knot", "moves", file({"states": [states[3], transition["between"][0], states[5]]}))
    assert all(t["candidates"] for t in again["transitions"])


def test_a_recording_with_frames(tmp_path):
    recording = SOURCE / "data/ropes/overhand.csv"
    answer = document("knot", "moves", recording, "--out", tmp_path / "report")
    frames = [answer["first_frame"], *(t["frame"] for t in answer["transitions"])]
    assert frames == sorted(set(frames)) and (tmp_path / "report/report.html").exists()
    read = document("knot", "read", recording)
    codes = {f["frame"]: f["p_data"] for f in read["frames"]}
    states = [codes[f] for f in frames]
    assert states[-1] == read["frames"][-1]["p_data"] and all(a != b for a, b in zip(states, states[1:]))
    assert sum(t["moves"] for t in answer["transitions"]) == len(states[-1]["sigma"]) // 2


def test_moves_of_a_recording_have_times(tmp_path):
    recording = SOURCE / "data/ropes/overhand.csv"
    answer = document("knot", "moves", recording)
    times = [(t["last_frame_before"], t["frame"], t["t0_s"], t["t1_s"]) for t in answer["transitions"]]
    assert times == [(1, 2, 0.5, 1), (3, 4, 1.5, 2), (4, 5, 2, 2.5)]
    assert [f["t_s"] for f in document("knot", "read", recording)["frames"]] == [0, 0.5, 1, 1.5, 2, 2.5]
    text = subprocess.run([PREHEND, "knot", "moves", recording], capture_output=True, text=True).stdout
    assert "frames 3 to 4, 1.5 s to 2 s: cross: the last end goes under segment 2" in text
    # Without times there are frames; a rate gives times, but not twice.
    bare = tmp_path / "bare.csv"
    rows = [line.split(",") for line in recording.read_text().splitlines()]
    bare.write_text("\n".join(",".join(row[:1] + row[2:]) for row in rows) + "\n")
    assert not any("t0_s" in t for t in document("knot", "moves", bare)["transitions"])
    timed = document("knot", "moves", bare, "--rate", 4)
    assert [t["t1_s"] for t in timed["transitions"]] == [0.5, 1, 1.25]
    assert document("knot", "read", bare, "--rate", 4)["frames"][5]["t_s"] == 1.25
    assert "must be above 0" in document("knot", "moves", bare, "--rate", 0, code=2)["error"]["message"]
    assert "is not a number" in document("knot", "moves", bare, "--rate", "fast", code=2)["error"]["message"]
    assert "its own times" in document("knot", "moves", recording, "--rate", 4, code=2)["error"]["message"]
    states = SOURCE / "data/knots/bowline_states.json"
    assert "--rate is for" in document("knot", "moves", states, "--rate", 4, code=2)["error"]["message"]


def test_unrelated_states_are_no_answer(file):
    answer = document("knot", "moves", file({"states": [STRAIGHT, TREFOIL]}), "--max-moves", 2, code=3)
    assert answer["status"] == "not_found" and "1 to 2" in answer["error"]["message"]
    assert answer["transitions"][0]["candidates"] == [] and answer["transitions"][0]["moves"] is None


def test_a_plan_for_hundreds_of_crossings_is_refused_at_once(tmp_path):
    """A random walk, as a tracker that lost its rope writes it."""
    number, place, lines = 1, [0.0, 0.0, 0.0], ["x,y,z"]
    for _ in range(600):
        for k in range(3):
            number = (1103515245 * number + 12345) % 2**31
            place[k] += 0.01 * (number / 2**30 - 1)
        lines.append(",".join(f"{x:.6g}" for x in place))
    path = tmp_path / "walk.csv"
    path.write_text("\n".join(lines) + "\n")
    answer = document("knot", "plan", path, code=3)
    assert answer["status"] == "too_many_crossings" and "at most 200" in answer["error"]["message"]


def test_plan(file, tmp_path):
    answer = document("knot", "plan", file(TREFOIL), "--out", tmp_path / "report")
    assert answer["states"][0] == STRAIGHT and answer["states"][-1] == TREFOIL
    assert len(answer["moves"]) == 3 == len(answer["states"]) - 1 and answer["proven_shortest"]
    assert (tmp_path / "report/report.html").exists()
    moves = document("knot", "moves", file({"states": answer["states"]}))
    for move, transition in zip(answer["moves"], moves["transitions"]):
        assert move in transition["candidates"]


@pytest.mark.parametrize("name", ["overhand", "figure_eight", "bowline", "harness_hitch", "bow_tie", "single_loop_bow", "slip_knot",
                                  "two_half_hitches", "taut_line_hitch"])
def test_named_knots_are_read_and_planned(name, file):
    read = document("knot", "read", SOURCE / f"data/knots/{name}.csv")
    code = read["frames"][0]["p_data"]
    plan = document("knot", "plan", file(code))
    assert plan["states"][-1] == code and plan["proven_shortest"] and plan["time_ms"] < 1000
    rope = document("knot", "name", SOURCE / f"data/knots/{name}.csv")
    assert rope["rope_knots"] == [name] and rope["name"] == document("knot", "name", file(code))["name"]


@pytest.mark.parametrize("content, words", [
    ({"sigma": [2, 1, 3], "attr": [1, 2, 1]}, "even"),
    ({"sigma": [3, 4, 1, 2], "attr": [1, 1, 2, 2]}, "plane"),
])
def test_bad_codes(file, content, words):
    for part, body in (("plan", content), ("moves", {"states": [STRAIGHT, content]})):
        answer = document("knot", part, file(body), code=2)
        assert words in answer["error"]["message"]


@pytest.mark.parametrize("figure", ["fig-5.16", "fig-5.17", "fig-5.18", "fig-5.19"])
def test_figures_agree_with_the_source(figure):
    assert document("reproduce", figure)["agrees"] is True
