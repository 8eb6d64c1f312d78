"""prehend topology as a user meets it: answers, files, and what it says about bad input."""

import csv
import json
import math
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

BIN = Path(os.environ["PREHEND_BIN"])
SOURCE = Path(os.environ["PREHEND_SOURCE"])
EXAMPLE = SOURCE / "data/topology"
TYPES = {"fixed", "prismatic", "revolute", "screw", "spherical"}


def run(*arguments):
    return subprocess.run([BIN / "prehend", "topology", *map(str, arguments)], capture_output=True, text=True, timeout=120)


def document(*arguments, code=0):
    done = run(*arguments, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


def recording(folder, name="object.xml", **options):
    """An object, a log of it and the truth, by the test program."""
    object_file, log = folder / name, folder / "log.csv"
    done = subprocess.run([BIN / "recording_tool"], input=json.dumps({"object": str(object_file), "log": str(log), **options}),
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return object_file, log, json.loads(done.stdout)


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    """A floating chain with a hinge and a slide, held at both ends, with noise."""
    return recording(tmp_path_factory.mktemp("held"), kind="sample", links=3, seed=13, types=["revolute", "prismatic"], duration=3.0,
                     position_noise=5e-4, angle_noise=4e-3, force_noise=0.1, torque_noise=0.01, every=2)


def changed(held, folder, change):
    """The log with every row passed through change(row dict, number); None drops the row."""
    object_file, log, _ = held
    with open(log) as file:
        rows = list(csv.DictReader(file))
    kept = [new for k, row in enumerate(rows) if (new := change({n: float(v) for n, v in row.items()}, k)) is not None]
    path = folder / "changed.csv"
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows({n: repr(float(v)) for n, v in row.items()} for row in kept)
    return object_file, path


def test_the_example():
    answer = document(EXAMPLE / "three_links.xml", EXAMPLE / "three_links.csv")
    assert answer["verb"] == "topology" and answer["status"] == "ok"
    assert answer["method"] == "ours" and answer["base"] == "free"
    assert [joint["type"] for joint in answer["joints"]] == ["revolute", "prismatic"]
    assert answer["score"] > 0 and answer["problems"] == []
    table = run(EXAMPLE / "three_links.xml", EXAMPLE / "three_links.csv")
    assert table.returncode == 0 and "revolute" in table.stdout and "score" in table.stdout


def test_joints_axes_and_points(held):
    object_file, log, truth = held
    answer = document(object_file, log)
    assert answer["status"] == "ok", answer
    for joint, true in zip(answer["joints"], truth["joints"], strict=True):
        assert joint["name"] == true["name"] and joint["type"] == true["type"]
        assert joint["errors"].keys() == TYPES and joint["posterior"].keys() == TYPES
        assert sum(joint["posterior"].values()) == pytest.approx(1.0)
        assert min(joint["errors"], key=joint["errors"].get) in (true["type"], "screw", "spherical")
        wrong = "prismatic" if true["type"] == "revolute" else "revolute"
        assert joint["errors"][true["type"]] < joint["errors"][wrong]
        axis = np.array(true["axis_P"])
        assert abs(np.dot(joint["axis_F"], axis)) > math.cos(math.radians(1))
        if true["type"] == "revolute":
            off = np.subtract(joint["point_F_m"], true["point_P"])
            assert np.linalg.norm(off - axis * np.dot(off, axis)) < 0.003
            assert joint["travel_rad"] == pytest.approx(true["travel"], rel=0.1)
        else:
            assert joint["travel_m"] == pytest.approx(true["travel"], rel=0.1)


def test_urdf_objects_and_all_types(tmp_path):
    seen = set()
    for seed, types in enumerate([["screw"], ["spherical"], ["rigid"]]):
        object_file, log, truth = recording(tmp_path, name="object.urdf", kind="sample", links=2, seed=seed + 20, types=types, duration=3.0,
                                            position_noise=2e-4, angle_noise=1e-3, force_noise=0.05, torque_noise=0.005)
        answer = document(object_file, log)
        assert answer["joints"][0]["type"] == truth["joints"][0]["type"], answer["joints"][0]
        if types == ["screw"]:
            assert abs(answer["joints"][0]["pitch_m_per_rad"]) == pytest.approx(abs(truth["joints"][0]["pitch"]), rel=0.05)
        seen.add(answer["joints"][0]["type"])
    assert seen == {"screw", "spherical", "fixed"}


def test_an_sdf_whose_joint_is_said_to_be_fixed(tmp_path):
    """Joint types of the file are ignored, and a link on a fixed joint stays a link."""
    def link(name, mass, size, x):
        a, b, c = (mass / 12 * (size[i] ** 2 + size[j] ** 2) for i, j in ((1, 2), (0, 2), (0, 1)))
        return (f'<link name="{name}"><pose>0 0 1 0 0 0</pose><inertial><pose>{x} 0 0 0 0 0</pose><mass>{mass}</mass><inertia><ixx>{a}</ixx><iyy>{b}</iyy>'
                f'<izz>{c}</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial></link>')

    _, log, _ = recording(tmp_path, kind="revolute", fixed=True, duration=3.0)
    path = tmp_path / "object.sdf"
    path.write_text('<sdf version="1.7"><model name="o">' + link("base", 4.5, (0.25, 0.12, 0.06), -0.125) + link("moving", 2.0, (0.25, 0.08, 0.04), 0.125) +
                    '<joint name="hinge" type="fixed"><parent>base</parent><child>moving</child></joint></model></sdf>')
    answer = document(path, log, "--base", "fixed", "--gravity", 0, 0, -9.81)
    assert answer["joints"][0]["name"] == "hinge" and answer["joints"][0]["type"] == "revolute"
    assert answer["balance"] < 5


def test_the_sources_objects_by_both_methods(tmp_path):
    for kind in ("prismatic", "revolute"):
        object_file, log, _ = recording(tmp_path, kind=kind, fixed=True)
        for method in ("ours", "source"):
            answer = document(object_file, log, "--base", "fixed", "--method", method)
            errors = answer["joints"][0]["errors"]
            assert answer["joints"][0]["type"] == kind and min(("prismatic", "revolute"), key=errors.get) == kind
    object_file, log, _ = recording(tmp_path, kind="revolute", fixed=True, reaction=False)
    answer = document(object_file, log, "--base", "fixed", "--method", "source", code=3)
    assert "the world exerts on the fixed base" in answer["error"]["message"]
    answer = document(object_file, log, "--base", "fixed")
    assert answer["joints"][0]["type"] == "revolute" and answer["joints"][0]["errors"]["prismatic"] is None
    assert "--base fixed" in document(object_file, log, code=3)["error"]["message"]


def test_files_load_again(held, tmp_path):
    object_file, log, truth = held
    answer = document(object_file, log, "--out", tmp_path / "out")
    for kind in ("urdf", "mjcf"):
        inspected = subprocess.run([BIN / "prehend", "inspect", answer["files"][kind], "--json"], capture_output=True, text=True)
        joints = {j["name"]: j for j in json.loads(inspected.stdout)["joints"]}
        for joint in truth["joints"]:
            assert joints[joint["name"]]["type"] == joint["type"]
    assert (tmp_path / "out/report.html").stat().st_size > 100_000
    # What was written is an object whose joints are found again.
    again = document(answer["files"]["urdf"], log)
    assert [j["type"] for j in again["joints"]] == [j["type"] for j in answer["joints"]]


def test_screws_are_written(tmp_path):
    object_file, log, _ = recording(tmp_path, kind="sample", links=2, seed=20, types=["screw"], duration=3.0)
    answer = document(object_file, log, "--out", tmp_path / "out")
    for kind in ("urdf", "mjcf"):
        inspected = subprocess.run([BIN / "prehend", "inspect", answer["files"][kind], "--json"], capture_output=True, text=True)
        assert "screw" in {j["type"] for j in json.loads(inspected.stdout)["joints"]}


def test_a_stuck_joint_is_undetermined(tmp_path):
    object_file, log, truth = recording(tmp_path, kind="sample", links=3, seed=9, types=["revolute"], stuck=[0], duration=3.0)
    torque, force = truth["friction"]
    answer = document(object_file, log, "--friction", 2 * torque, 2 * force, code=3)
    assert answer["status"] == "undetermined"
    stuck = answer["joints"][0]
    assert stuck["type"] == "undetermined" and "did not move" in stuck["reason"] and "joint1" in answer["error"]["message"]


def test_types_can_be_chosen(held):
    object_file, log, _ = held
    answer = document(object_file, log, "--types", "prismatic,revolute")
    assert [j["type"] for j in answer["joints"]] == ["revolute", "prismatic"]
    assert answer["joints"][0]["errors"].keys() == {"prismatic", "revolute"}
    only = json.loads(run(object_file, log, "--types", "fixed,spherical", "--json").stdout)
    assert {"prismatic", "revolute"} <= only["joints"][0]["errors"].keys()
    assert "no hypothesis is called 'hinge'" in document(object_file, log, "--types", "hinge", code=2)["error"]["message"]


def test_wrong_signs_and_frames_are_said(held, tmp_path):
    def flipped(prefixes):
        return lambda row, k: {n: -v if n[:2] in prefixes else v for n, v in row.items()}

    for prefixes, words in ((("fl", "tl"), "link 'link0' has the wrong sign"), (("fl", "tl", "fr", "tr"), "the wrenches have the wrong sign")):
        answer = document(*changed(held, tmp_path, flipped(prefixes)), code=3)
        assert words in answer["error"]["message"] and words in answer["problems"][0]
        assert all(joint["type"] == "undetermined" for joint in answer["joints"])

    def in_world(row, k):
        w, x, y, z = (row[f"l2_q{c}"] for c in "wxyz")
        R = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
        for name in ("fr_", "tr_"):
            row.update(zip((name + a for a in "xyz"), R @ [row[name + a] for a in "xyz"]))
        return row

    answer = document(*changed(held, tmp_path, in_world), code=3)
    assert "wrench on link 'link2' is in the wrong frame" in answer["error"]["message"]


def test_gravity(held):
    object_file, log, _ = held
    assert "gravity is missing" in document(object_file, log, "--gravity", 0, 0, 0, code=3)["error"]["message"]
    assert "wrong sign" in document(object_file, log, "--gravity", 0, 0, 9.81, code=3)["error"]["message"]
    assert document(object_file, log, "--gravity", 0, 0, -9.81)["gravity_mps2"] == [0, 0, -9.81]


def test_links_in_the_wrong_order(held, tmp_path):
    def exchanged(row, k):
        for part in ("x", "y", "z", "qw", "qx", "qy", "qz"):
            row[f"l0_{part}"], row[f"l1_{part}"] = row[f"l1_{part}"], row[f"l0_{part}"]
        return row

    answer = document(*changed(held, tmp_path, exchanged), code=3)
    assert "the links are in the wrong order: with 'link0' and 'link1' exchanged" in answer["error"]["message"]


def test_inertias(held, tmp_path):
    object_file, log, _ = held
    text = object_file.read_text()
    path = tmp_path / "object.xml"

    def with_mass(factor):
        head, tail = text.split('<body name="link1"', 1)
        before, rest = tail.split('mass="', 1)
        mass, after = rest.split('"', 1)
        path.write_text(f'{head}<body name="link1"{before}mass="{factor * float(mass)!r}"{after}')

    with_mass(4.0)
    assert "inertia of link 'link1' is wrong" in document(path, log, code=3)["error"]["message"]
    with_mass(-1.0)
    document(path, log, code=2)
    path = tmp_path / "object.urdf"
    path.write_text('<robot name="o"><link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
                    '</inertial></link><link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>')
    assert "link 'b' has no inertia" in document(path, log, code=2)["error"]["message"]
    path.write_text(path.read_text().replace('<link name="b"/>', '<link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" '
                                             'iyy="1" iyz="0" izz="9"/></inertial></link>'))
    assert "b" in document(path, log, code=2)["error"]["message"]


def test_times(held, tmp_path):
    answer = document(*changed(held, tmp_path, lambda row, k: {**row, "t": row["t"] + (0.5 if k >= 700 else 0.0)}))
    assert "time jumps once, first after row 700" in answer["problems"][0]
    assert [j["type"] for j in answer["joints"]] == ["revolute", "prismatic"]
    uneven = document(*changed(held, tmp_path, lambda row, k: {**row, "t": row["t"] + 0.0008 * (k % 2)}))
    assert any("unequal rates" in problem for problem in uneven["problems"])
    assert document(*changed(held, tmp_path, lambda row, k: {**row, "t": row["t"] if k != 50 else 0.0}), code=2)["error"]["line"] == 52


def test_a_log_at_rest(held, tmp_path):
    first = {}

    def still(row, k):
        first.setdefault("row", dict(row))
        return {**first["row"], "t": row["t"]}

    answer = document(*changed(held, tmp_path, still), code=3)
    assert "nothing moves" in answer["error"]["message"]
    assert all(joint["type"] == "undetermined" for joint in answer["joints"])


def test_quaternions_and_link_counts(held, tmp_path):
    object_file, log, _ = held
    answer = document(*changed(held, tmp_path, lambda row, k: {**row, "l1_qw": 1.1 * row["l1_qw"] if k == 7 else row["l1_qw"], "l1_qx": 1.1 * row["l1_qx"] if k == 7 else row["l1_qx"],
                                                         "l1_qy": 1.1 * row["l1_qy"] if k == 7 else row["l1_qy"], "l1_qz": 1.1 * row["l1_qz"] if k == 7 else row["l1_qz"]}), code=2)
    assert answer["error"]["line"] == 9
    two, _, _ = recording(tmp_path, kind="prismatic")
    message = document(two, log, code=2)["error"]["message"]
    assert "poses of 3 links (l0 to l2), the object has 2: base, moving" in message


def test_usage(held):
    object_file, log, _ = held
    for arguments, words in (
        (("--base", "loose"), "--base is 'loose'"),
        (("--method", "magic"), "--method is 'magic'"),
        (("--held", "link0"), "held names 1 links, the log has 2"),
        (("--held", "link0,nobody"), "no link 'nobody'; it has: link0, link1, link2"),
        (("--friction", "-1", "0"), "largest_friction_torque is -1 N m; it must be finite and at least 0 N m"),
        (("--gravity", "down", "0", "0"), "--gravity"),
    ):
        assert words in document(object_file, log, *arguments, code=2)["error"]["message"]
    assert document("nowhere.xml", log, code=2)["error"]["file"] == "nowhere.xml"
    assert document(object_file, "nowhere.csv", code=2)["error"]["file"] == "nowhere.csv"


def test_online(tmp_path):
    object_file, log, _ = recording(tmp_path, kind="sample", links=3, seed=13, types=["revolute", "prismatic"], position_noise=5e-4,
                                    angle_noise=4e-3, force_noise=0.1, torque_noise=0.01)
    answer = document(object_file, log, "--online")
    # Beliefs on the way are stricter than the last word, which is that of the whole recording: never wrong, perhaps open.
    told = [joint["type"] for joint in answer["online"]["joints"]]
    assert told[0] in ("revolute", "undetermined") and told[1] == "prismatic"
    assert all(0 < j["told_since_s"] < 5 for j in answer["online"]["joints"] if j["type"] != "undetermined")
    assert answer["online"]["update_us"] > 0


def test_online_at_a_hundred_rows_a_second():
    # The example: one row is one block, and there is as much to do per second as at 1 kHz.
    online = document(EXAMPLE / "three_links.xml", EXAMPLE / "three_links.csv", "--online")["online"]
    assert [joint["type"] for joint in online["joints"]] in (["revolute", "prismatic"], ["undetermined", "prismatic"])
    assert all(joint["reason"] != "the recording is too short" for joint in online["joints"] if "reason" in joint)


def test_held_links_by_name(held):
    object_file, log, _ = held
    assert document(object_file, log, "--held", "link0,link2")["status"] == "ok"
    assert document(object_file, log, "--held", "link2,link0", code=3)["problems"]


def test_right_recordings_raise_no_problem(tmp_path):
    for seed in range(6):
        object_file, log, _ = recording(tmp_path, kind="sample", links=2 + seed % 3, seed=200 + seed, duration=2.0, position_noise=1e-3,
                                        angle_noise=8e-3, force_noise=0.1, torque_noise=0.01, every=2)
        done = run(object_file, log, "--json")
        assert done.returncode in (0, 3)
        assert json.loads(done.stdout)["problems"] == []


@pytest.mark.parametrize("figure", ["fig-4", "fig-5-topology"])
def test_the_sources_figures(figure):
    done = subprocess.run([BIN / "prehend", "reproduce", figure, "--runs", "1", "--json"], capture_output=True, text=True, timeout=120)
    settings = json.loads(done.stdout)["settings"]
    assert len(settings) == 4
    for setting in settings:
        assert setting["ours_right"] == 1 and setting["ours_smaller"] == 1
        assert setting["frames_moved"] or setting["source_right"] == 1
        assert setting["ours_wrong_of_five"] == 0
