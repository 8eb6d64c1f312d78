"""prehend watch as a user meets it: states, corrections, trajectories, and what it says about bad input."""

import csv
import itertools
import json
import math
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

BIN = Path(os.environ["PREHEND_BIN"])
SOURCE = Path(os.environ["PREHEND_SOURCE"])
DATA = SOURCE / "data/observation"
SHARED = Path(os.environ.get("PREHEND_SHARED_DATA", SOURCE.parent / "shared/data"))
EIGHT = ["300 300 00", "210 210 11", "300 300 22", "210 210 11", "120 120 22", "300 300 23", "201 102 12", "111 012 23"]
HEADER = "t,part,x,y,z,qw,qx,qy,qz\n"


def run(*arguments):
    return subprocess.run([BIN / "prehend", "watch", *map(str, arguments)], capture_output=True, text=True, timeout=120)


def document(*arguments, code=0):
    done = run(*arguments, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


def numbers(state):
    count = [state["dof"][kind][name] for kind in ("translation", "rotation") for name in ("maintaining", "detaching", "constraining")]
    return "{}{}{} {}{}{} ".format(*count) + "{}{}".format(*(state["dof"][kind]["restricted"] for kind in ("translation", "rotation")))


def bodies(folder=DATA):
    return ["--moving", DATA / "peg.obj", "--fixed", DATA / "groove.obj"]


def rows(path=DATA / "insertion.csv"):
    with open(path) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def written(path, kept):
    names = HEADER.strip().split(",")
    path.write_text(HEADER + "".join(",".join(row[name] for name in names) + "\n" for row in kept))
    return path


def rotation(pose):
    w, x, y, z = pose["q"]
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def corners(name):
    return np.array([[float(x) for x in line.split()[1:4]] for line in (DATA / name).read_text().splitlines() if line.startswith("v ")])


def test_an_insertion_has_its_eight_states():
    answer = document(*bodies(), "--poses", DATA / "insertion.csv")
    assert [numbers(state) for state in answer["states"]] == EIGHT
    assert [state["singular"] for state in answer["states"]] == [False, False, True, False, False, True, False, False]
    assert answer["critical"] == [5]
    kinds = [[(skill["kind"], skill["motion"], skill["type"]) for skill in step["skills"]] for step in answer["subskills"]]
    make = [("make-contact", "translation", None), ("make-contact", "rotation", 1)]
    slide = [("slide", "translation", None), ("slide", "rotation", None)]
    assert kinds == [make, slide, [], make, [("slide", "rotation", None)], [], make]
    assert [(step["from"], step["to"]) for step in answer["subskills"]] == [(i, i + 1) for i in range(7)]
    assert 0.7e-3 < answer["noise"]["position_m"] < 1.4e-3 and 0.35 < math.degrees(answer["noise"]["angle_rad"]) < 0.7
    assert len(answer["frames"]) == 149 and answer["status"] == "ok"


def test_a_trajectory_per_part_says_the_same(tmp_path):
    for part in ("peg", "groove"):
        lines = [" ".join(row[name] for name in ("t", "x", "y", "z", "qx", "qy", "qz", "qw")) for row in rows() if row["part"] == part]
        (tmp_path / f"{part}.txt").write_text("# timestamp tx ty tz qx qy qz qw\n" + "\n".join(lines))
    one = document(*bodies(), "--poses", DATA / "insertion.csv")
    two = document(*bodies(), "--poses", tmp_path / "peg.txt", "--with", tmp_path / "groove.txt")
    assert two["states"] == one["states"] and two["frames"] == one["frames"]


def test_corrected_poses_meet_the_planes():
    """On the ground of the groove the peg's lowest corners lie on its plane, by the meshes alone."""
    answer = document(*bodies(), "--poses", DATA / "insertion.csv")
    peg, groove = corners("peg.obj"), corners("groove.obj")
    ground = sorted(set(np.round(groove[:, 1], 12)))[1]
    last = len(answer["states"]) - 1
    checked = 0
    for frame in answer["frames"]:
        if frame["state"] != last:
            continue
        placed = peg @ rotation(frame["X_FM"]).T + np.array(frame["X_FM"]["p"])
        assert abs(np.sort(placed[:, 1])[:4] - ground).max() < 1e-9
        checked += 1
    assert checked >= 12


def test_played_backwards_the_states_are_the_same(tmp_path):
    end = max(float(row["t"]) for row in rows())
    turned = [dict(row, t=repr(end - float(row["t"]))) for row in reversed(rows())]
    answer = document(*bodies(), "--poses", written(tmp_path / "back.csv", turned))
    assert [numbers(state) for state in answer["states"]] == EIGHT[::-1]


def test_trajectories_have_the_poses_asked_for():
    answer = document(*bodies(), "--poses", DATA / "insertion.csv", "--plan", 15)
    assert [(path["from"], path["to"], len(path["X_FM"])) for path in answer["trajectories"]] == [(i, i + 1, 15) for i in range(7)]
    # From the wedged peg to the rim: the peg's lower face stays on the left rim, x = 0 and y = 0 in the plane.
    path = answer["trajectories"][4]
    for pose in path["X_FM"]:
        normal = rotation(pose) @ np.array([0.0, -1.0, 0.0])
        assert abs(normal @ (np.array([0.0, 0.0, pose["p"][2]]) - np.array(pose["p"]))) < 1e-9
    assert abs(path["X_FM"][-1]["q"][0]) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("method", ["newton", "linear"])
def test_other_corrections(method):
    answer = document(*bodies(), "--poses", DATA / "insertion.csv", "--method", method)
    assert answer["method"] == method and [numbers(state) for state in answer["states"]] == EIGHT


def test_source_runs():
    answer = document(*bodies(), "--poses", DATA / "insertion.csv", "--method", "source")
    assert any("the source's pipeline" in note for note in answer["notes"])


def test_the_recorded_peg(tmp_path):
    """41 scenes seen by a camera: all eight states in order, every scene corrected."""
    listed = SHARED / "peg_in_hole/peg_in_hole.pose.list"
    if not listed.exists():
        pytest.skip(f"no recording at {listed}")
    answer = document("--moving", listed.parent / "peg.stl", "--fixed", listed.parent / "hole.stl", "--poses", listed, "--mesh-scale", 0.001, "--out", tmp_path)
    page = (tmp_path / "report.html").read_text()
    for letter, state in zip("ABCDEFGH", answer["states"]):  # marked in the timeline
        assert (f'"{letter}?"' in page) == ("doubt" in state), letter
    assert [numbers(state) for state in answer["states"]] == EIGHT
    assert answer["critical"] == [5] and len(answer["frames"]) == 41
    assert max(frame["moved_m"] for frame in answer["frames"]) < 3.7e-3
    assert max(frame["turned_rad"] for frame in answer["frames"]) < math.radians(4.9)


def recorded_scenes():
    """Of the published list: by scene the poses (rotation, position in metres) of peg and hole."""
    import watch_judge
    fields = [line.split() for line in (SHARED / "peg_in_hole/peg_in_hole.pose.list").read_text().splitlines()]
    poses = [(watch_judge.turn(values[4:7], values[7]), values[1:4] / 1000) for values in (np.array(row, float) for row in fields if len(row) == 8)]
    return list(zip(poses[::2], poses[1::2]))


VARIED = {  # which scenes, in their order, and the noise that is added [mm and deg]
    "every second": (range(0, 41, 2), 0), "every third": (range(1, 41, 3), 0), "backwards": (range(40, -1, -1), 0),
    "from contact on": (range(12, 41), 0), "without its end": (range(38), 0), "before the slot": (range(30), 0),
    "some lost": ([i for i in range(41) if i % 9 != 4], 0), "others lost": ([i for i in range(41) if i % 11 != 6], 0), "shaken": (range(41), 0.5)}


@pytest.mark.parametrize("name", VARIED)
def test_the_recorded_peg_varied(name, tmp_path):
    """With fewer scenes or more noise: the states, or a doubt."""
    import watch_judge
    if not (SHARED / "peg_in_hole").exists():
        pytest.skip(f"no recording in {SHARED}")
    kept, noise = VARIED[name]
    scenes, rng, lines = recorded_scenes(), np.random.default_rng(7), [HEADER.strip()]
    for t, i in enumerate(kept):
        for part, (R, p) in zip(("peg", "hole"), scenes[i]):
            R, p = watch_judge.turn_by(np.radians(noise) * rng.normal(size=3)) @ R, p + 1e-3 * noise * rng.normal(size=3)
            lines.append(",".join([str(t), part, *(repr(float(x)) for x in (*p, *watch_judge.quaternion(R)))]))
    (tmp_path / "varied.csv").write_text("\n".join(lines) + "\n")
    folder = SHARED / "peg_in_hole"
    answer = document("--moving", folder / "peg.stl", "--fixed", folder / "hole.stl", "--poses", tmp_path / "varied.csv", "--mesh-scale", 0.001)
    # By scene, without the two singular states that are passed between two scenes.
    by_scene = [0] * 12 + [1] * 7 + [3] * 4 + [4] * 9 + [6] * 6 + [7] * 3
    wanted = [EIGHT[k] for k, _ in itertools.groupby(by_scene[i] for i in kept)]
    found = [numbers(state) for state in answer["states"] if numbers(state) not in (EIGHT[2], EIGHT[5])]
    assert answer["status"] == "doubtful" or found == wanted, (answer["status"], found)


def test_bodies_that_never_touch(tmp_path):
    # Those of the first fifteen frames are above the groove; the rest is left out.
    answer = document(*bodies(), "--poses", written(tmp_path / "free.csv", rows()[:28]))
    assert len(answer["states"]) == 1 and answer["states"][0]["contacts"] == []
    assert answer["subskills"] == [] and answer["critical"] == []


def test_lost_frames_are_left_out(tmp_path):
    kept = [row for i, row in enumerate(rows()) if i % 20 != 7]
    answer = document(*bodies(), "--poses", written(tmp_path / "lost.csv", kept))
    assert [numbers(state) for state in answer["states"]] == EIGHT
    assert any("left out" in note for note in answer["notes"])


def test_meshes_in_the_wrong_unit():
    answer = document(*bodies(), "--poses", DATA / "insertion.csv", "--mesh-scale", 1000, code=3)
    assert answer["status"] == "overlapping" and "--mesh-scale" in answer["error"]["message"]


def test_meshes_made_too_small():
    answer = document(*bodies(), "--poses", DATA / "insertion.csv", "--mesh-scale", 0.001)
    assert len(answer["states"]) == 1 and any("leave --mesh-scale out" in note for note in answer["notes"])


@pytest.mark.parametrize("scaled", ["peg.obj", "groove.obj"])
@pytest.mark.parametrize("scale", [1, 0.001])
def test_one_mesh_in_another_unit(tmp_path, scaled, scale):
    for name in ("peg.obj", "groove.obj"):
        factor = 1000 if name == scaled else 1
        lines = (DATA / name).read_text().splitlines()
        (tmp_path / name).write_text("".join("v " + " ".join(str(factor * float(x)) for x in line.split()[1:]) + "\n" if line.startswith("v ") else line + "\n" for line in lines))
    answer = document("--moving", tmp_path / "peg.obj", "--fixed", tmp_path / "groove.obj", "--poses", DATA / "insertion.csv", "--mesh-scale", scale)
    assert answer["status"] == "doubtful" and any("if one mesh alone is in millimetres" in doubt for doubt in answer["doubts"])


def test_positions_in_the_wrong_unit(tmp_path):
    far = [dict(row, **{name: repr(1000 * float(row[name])) for name in "xyz"}) for row in rows()]
    answer = document(*bodies(), "--poses", written(tmp_path / "far.csv", far))
    assert len(answer["states"]) == 1 and any("positions must be in metres" in note for note in answer["notes"])


def test_noise_that_cannot_be_is_named(tmp_path):
    poses = ["--poses", DATA / "insertion.csv"]
    assert "leave --noise out" in document(*bodies(), *poses, "--noise", 0, 0, code=3)["error"]["message"]
    assert any("it was limited" in note for note in document(*bodies(), *poses, "--noise", 1e9, 1e9)["notes"])
    answer = document(*bodies(), "--poses", written(tmp_path / "short.csv", rows()[:6]))
    assert any("3 frames do not show the noise" in note for note in answer["notes"])


KNOWN = [
    ("tray", "offset", 2300, "right"),  # a tilt of a degree all along: faces that touch, not edges
    ("two_pegs", "offset", 1201, "not sure"),  # an offset of 2.6 times the jitter, and a gap that it could close
    ("lid", "drift", 2301, "sure"),
    ("hexagonal", "drift", 2302, "not sure"),  # a gap of three times the slow errors that closes
    ("hexagonal", "both", 51001, "not sure"),  # a gap that closes is taken for a contact from the start on
    ("stepped", "late", 51000, "not sure"),  # the same
    ("bayonet", "outliers", 51001, "not sure"),  # one frame decimetres off, near the end of the recording
    ("keyhole", "plain", 2300, "sure"),  # a single frame speaks for another state
]


@pytest.mark.parametrize("kind, tracker, seed, wanted", KNOWN)
def test_known_recordings(kind, tracker, seed, wanted, tmp_path):
    """Of seeds that thresholds were chosen on: what is right, and whether it is sure."""
    import watch_judge
    arguments, truth, states = watch_judge.record(tmp_path, kind, tracker, seed)
    code, answer = watch_judge.watch(BIN / "prehend", arguments)
    assert code == 0
    verdict, _ = watch_judge.judged(answer, truth, states, kind)
    assert answer["status"] == "doubtful" if wanted == "not sure" else verdict == "right"
    assert answer["status"] == "ok" or wanted != "sure"


BAD = [
    (lambda folder: ["--moving", DATA / "peg.obj", "--fixed", folder / "other.obj", "--poses", DATA / "insertion.csv"], "no part 'other'"),
    (lambda folder: ["--moving", DATA / "peg.obj", "--fixed", DATA / "peg.obj", "--poses", DATA / "insertion.csv"], "both named"),
    (lambda folder: ["--moving", folder / "open.obj", "--fixed", DATA / "groove.obj", "--poses", DATA / "insertion.csv"], "not closed"),
    (lambda folder: ["--moving", folder / "cut.stl", "--fixed", DATA / "groove.obj", "--poses", DATA / "insertion.csv"], "cut.stl"),
    (lambda folder: [*bodies(), "--poses", folder / "back.csv"], "back.csv:"),
    (lambda folder: [*bodies(), "--poses", folder / "length.csv"], "length.csv:3"),
    (lambda folder: [*bodies(), "--poses", folder / "position.csv"], "no orientation"),
    (lambda folder: [*bodies(), "--poses", DATA / "insertion.csv", "--method", "guess"], "it must be least, newton, linear or source"),
    (lambda folder: [*bodies(), "--poses", DATA / "insertion.csv", "--plan", 1], "plan is 1"),
    (lambda folder: [*bodies(), "--poses", DATA / "insertion.csv", "--noise", -1, 0.1], "--noise is -1 m"),
    (lambda folder: [*bodies(), "--poses", DATA / "insertion.csv", "--noise", "x", 0.1], "--noise"),
    (lambda folder: [*bodies(), "--poses", DATA / "insertion.csv", "--mesh-scale", 0], "--mesh-scale"),
    (lambda folder: ["--moving", DATA / "peg.obj", "--poses", DATA / "insertion.csv"], "--fixed is missing"),
    (lambda folder: bodies(), "--poses is missing"),
]


@pytest.mark.parametrize("make, message", BAD)
def test_bad_input(make, message, tmp_path):
    (tmp_path / "other.obj").write_text((DATA / "groove.obj").read_text())
    (tmp_path / "open.obj").write_text("\n".join((DATA / "peg.obj").read_text().splitlines()[:-1]))
    (tmp_path / "cut.stl").write_text("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n")
    first = rows()[:4]
    written(tmp_path / "back.csv", [first[2], first[3], first[0], first[1]])
    written(tmp_path / "length.csv", [first[0], dict(first[1], qw="2.0")])
    (tmp_path / "position.csv").write_text("t,part,x,y,z\n0,peg,0,0,0\n0,groove,0,0,0\n")
    done = run(*make(tmp_path), "--json")
    assert done.returncode == 2, done.stdout + done.stderr
    answer = json.loads(done.stdout)
    assert message in answer["error"]["message"] + str(answer["error"].get("file", "")) + ":" + str(answer["error"].get("line", "")), answer["error"]


@pytest.mark.skipif(os.environ.get("PREHEND_SLOW") != "1", reason="a sweep; set PREHEND_SLOW=1")
def test_other_bodies_and_trackers(tmp_path):
    """All kinds of bodies by all kinds of trackers, states known from the paths: exact and fine ones all right, four in five of all."""
    import watch_judge
    right = {}
    for tracker in watch_judge.TRACKERS:
        for kind in watch_judge.KINDS:
            folder = tmp_path / f"{tracker}_{kind}"
            folder.mkdir()
            arguments, truth, states = watch_judge.record(folder, kind, tracker, int(os.environ.get("PREHEND_SEED", 900)))
            code, answer = watch_judge.watch(BIN / "prehend", arguments)
            right.setdefault(tracker, []).append(code == 0 and watch_judge.judged(answer, truth, states, kind)[0] == "right")
    assert all(right["exact"]) and sum(right["fine"]) >= len(right["fine"]) - 1, right
    assert sum(map(sum, right.values())) >= 0.8 * sum(map(len, right.values())), right


def test_exact_things_of_a_household(tmp_path):
    """Fifteen things from exact poses, by frames that begin and end anywhere: every sequence."""
    import watch_judge_household as household
    for kind in household.KINDS:
        folder = tmp_path / kind
        folder.mkdir()
        arguments, truth, states = household.record(folder, kind, "exact", 100 + int(os.environ.get("PREHEND_SEED", 0)))
        code, answer = household.watch(BIN / "prehend", arguments)
        assert code == 0 and answer["status"] == "ok" and household.judged(answer, truth, states, kind)[0], kind


@pytest.mark.skipif(os.environ.get("PREHEND_SLOW") != "1", reason="a sweep; set PREHEND_SLOW=1")
def test_noisy_things_of_a_household(tmp_path):
    """By cameras that are even, worse in depth, or heavy-tailed: four in five right; one wrong answer in forty without doubt at most."""
    import watch_judge_household as household
    right, wrong_and_ok, count = 0, 0, 0
    for errors in household.ERRORS[1:]:
        for kind in household.KINDS:
            folder = tmp_path / f"{errors}_{kind}"
            folder.mkdir()
            arguments, truth, states = household.record(folder, kind, errors, 900 + int(os.environ.get("PREHEND_SEED", 0)))
            code, answer = household.watch(BIN / "prehend", arguments)
            is_right = code == 0 and household.judged(answer, truth, states, kind)[0]
            right, count, wrong_and_ok = right + is_right, count + 1, wrong_and_ok + (not is_right and answer["status"] == "ok")
    assert right >= 0.8 * count and 40 * wrong_and_ok <= count, (right, wrong_and_ok, count)


def test_noise_that_differs_by_direction_is_told(tmp_path):
    """A camera three times worse in depth and in tilts: the axes and standard deviations stand in the answer; a plain tracker has none."""
    import watch_judge
    answers = {}
    for tracker in ("depth", "plain"):
        folder = tmp_path / tracker
        folder.mkdir()
        arguments, truth, states = watch_judge.record(folder, "wedge", tracker, 6001)
        code, answers[tracker] = watch_judge.watch(BIN / "prehend", arguments)
        assert code == 0 and watch_judge.judged(answers[tracker], truth, states, "wedge")[0] == "right"
    noise = answers["depth"]["noise"]
    for name, mean in (("position_axes_W_m", noise["position_m"]), ("angle_axes_W_rad", noise["angle_rad"])):
        lengths = np.linalg.norm(noise[name], axis=1)
        assert np.prod(lengths) ** (1 / 3) == pytest.approx(mean, rel=1e-6) and 2 < lengths[0] / lengths[2] < 5
    assert "position_axes_W_m" not in answers["plain"]["noise"]


@pytest.mark.parametrize("kind, tracker, seed, verdict", [("hexagonal", "plain", 830, "right"), ("hexagonal", "late", 830, ""), ("t_slot", "offset", 300, "")])
def test_a_gap_is_no_contact_without_doubt(kind, tracker, seed, verdict, tmp_path):
    """A wall that is neared is not touched by an error that stays, nor by an offset of five times the jitter; where noise hides the gap, it is said."""
    import watch_judge
    arguments, truth, states = watch_judge.record(tmp_path, kind, tracker, seed)
    code, answer = watch_judge.watch(BIN / "prehend", arguments)
    found = watch_judge.judged(answer, truth, states, kind)[0]
    assert code == 0 and (found == verdict if verdict else found == "right" or answer["status"] == "doubtful"), (found, answer["status"])


def test_an_edge_that_an_offset_shows_as_a_corner_is_doubtful(tmp_path):
    """A tilt of nearly five times the jitter lifts one end of a plank's edge: that, with edges, explains the recording better than corners do."""
    import watch_judge
    arguments, truth, states = watch_judge.record(tmp_path, "plank", "offset", 841)
    code, answer = watch_judge.watch(BIN / "prehend", arguments)
    assert code == 0 and (watch_judge.judged(answer, truth, states, "plank")[0] == "right" or answer["status"] == "doubtful"), answer["status"]


def test_frames_astray_are_named(tmp_path):
    changed = [dict(row, x=repr(float(row["x"]) + 0.1)) if row["part"] == "peg" and i in (120, 121, 200, 201) else row for i, row in enumerate(rows())]
    answer = document(*bodies(), "--poses", written(tmp_path / "astray.csv", changed))
    assert [numbers(state) for state in answer["states"]] == EIGHT
    assert [frame["problem"] for frame in answer["frames"] if "problem" in frame] and any("say nothing" in note for note in answer["notes"])


def test_a_page_is_written(tmp_path):
    assert run(*bodies(), "--poses", DATA / "insertion.csv", "--plan", 5, "--out", tmp_path).returncode == 0
    assert "What did the person assemble?" in (tmp_path / "report.html").read_text()


def test_table_2_1_is_within_its_bounds():
    """Noisy poses of the peg brought back by the least motion: all of them, by at most what theory and print allow (deg, mm)."""
    done = subprocess.run([BIN / "prehend", "reproduce", "table-2.1", "--json"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    table = json.loads(done.stdout)
    assert table["trials"] == 10000
    least = {row["restricted"]: row for row in table["rows"] if row["method"] == "least"}
    for restricted, (turned, moved) in {"(1,1)": (1.3, 2.7), "(2,2)": (2.05, 3.95), "(2,3)": (2.7, 4.1)}.items():
        row = least[restricted]
        assert row["corrected_percent"] == 100, row
        assert row["turned_deg"] < turned and row["moved_mm"] < moved, row
