"""prehend freedom as a user meets it: answers, and what it says about bad input."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

BIN = Path(os.environ["PREHEND_BIN"])
SOURCE = Path(os.environ["PREHEND_SOURCE"])
CONTACTS = SOURCE / "data/contacts"
GOOD = {"type": "vertex-face", "points_W_m": [[0, 0, 0]], "n_W": [0, 0, 1]}


def run(*arguments):
    return subprocess.run([BIN / "prehend", "freedom", *map(str, arguments)], capture_output=True, text=True, timeout=60)


def document(*arguments, code=0):
    done = run(*arguments, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


def written(folder, contacts):
    path = folder / "contacts.json"
    path.write_text(json.dumps({"contacts": contacts}))
    return path


def test_two_edges_in_a_corner():
    answer = document(CONTACTS / "peg_in_corner.json")
    assert not answer["singular"]
    assert answer["dof"]["translation"] == {"maintaining": 1, "detaching": 2, "constraining": 0, "restricted": 2}
    assert answer["dof"]["rotation"] == {"maintaining": 1, "detaching": 2, "constraining": 0, "restricted": 2,
                                         "detaching_type1": 2, "detaching_type2": 0}
    assert answer["dof"]["all"]["maintaining"] == len(answer["maintaining"]["basis_W"]) == 2
    slide, turn = np.array(answer["maintaining"]["basis_W"])
    assert np.allclose(np.abs(slide), [0, 0, 0, 0, 1, 0]) and np.allclose(np.abs(turn[:3]), [0, 1, 0])


def test_points_off_the_plane_of_their_normal_are_named(tmp_path):
    edge = {"type": "edge-face", "points_W_m": [[0, -1, 0], [0, 1, 0]], "n_W": [0, 0, 1]}
    assert "note" not in document(written(tmp_path, [dict(edge, n_W=[0, 1e-4, 1])]))
    note = document(written(tmp_path, [edge, dict(edge, n_W=[0, 0.1, 1])]))["note"]
    assert note.startswith("contact 1: its points are off a common plane") and "0.199007 m" in note


def test_a_singular_relation_is_a_union():
    answer = document(CONTACTS / "edge_on_edge.json")
    # One plane or the other for the whole line; motions that need both are judged as screws.
    assert answer["singular"] and len(answer["legal"]["cones"]) == 2 and "one plane for the whole line" in answer["note"]
    assert answer["dof"]["translation"]["maintaining"] == 3 and answer["dof"]["translation"]["restricted"] == 2


def test_nothing_touches(tmp_path):
    answer = document(written(tmp_path, []))
    assert answer["dof"]["all"] == {"maintaining": 6, "detaching": 0, "constraining": 0, "restricted": 0}
    assert len(answer["legal"]["cones"][0]["lineality_W"]) == 6


def test_screws_are_judged(tmp_path):
    screws = tmp_path / "screws.csv"
    screws.write_text("wx,wy,wz,vx,vy,vz\n0,0,0,1,0,0\n0,0,0,0,0,1\n0,0,0,0,0,-1\n0,0,1,0,0,0\n")
    answer = document(written(tmp_path, [GOOD]), "--screws", screws)
    assert [screw["verdict"] for screw in answer["screws"]] == ["maintaining", "detaching", "illegal", "maintaining"]


def test_rows_of_a_wall_and_its_back_close_a_direction(tmp_path):
    other = {**GOOD, "n_W": [0, 0, -1], "points_W_m": [[0, 0, 0.1]]}
    answer = document(written(tmp_path, [GOOD, other]))
    assert answer["dof"]["translation"]["constraining"] == 1


@pytest.mark.parametrize("change, message", [
    ({"n_W": [0, 0, 0]}, "zero"),
    ({"n_W": [0, 1]}, "three numbers"),
    ({"n_W": ["a", 0, 1]}, "three numbers"),
    ({"points_W_m": []}, "list of vectors"),
    ({"points_W_m": [[0, 0, None]]}, "three numbers"),
    ({"type": "nose-face"}, "'nose-face'"),
    ({"type": 3}, "a whole number"),
    ({"normals_W": [[0, 0, 1]]}, "one of them"),
    ({"normal": [0, 0, 1]}, "no field 'normal'"),
])
def test_bad_contacts_are_named(change, message, tmp_path):
    path = written(tmp_path, [GOOD, {**GOOD, **change}])
    done = run(path)
    assert done.returncode == 2 and f"{path}:1: error: " in done.stderr and message in done.stderr, done.stderr


@pytest.mark.parametrize("text, message", [
    ("", "empty"),
    ("{", "well-formed"),
    ("[1]", "no list 'contacts'"),
    ('{"contacts":[{"n_W":[0,0,1]}]}', "no 'points_W_m'"),
    ('{"contacts":[{"points_W_m":[[0,0,0]]}]}', "no normal"),
    ('{"contacts":[{"points_W_m":[[0,0,1e999]],"n_W":[0,0,1]}]}', "error"),
    ('{"contacts":[{"points_W_m":[[0,0,NaN]],"n_W":[0,0,1]}]}', "well-formed"),
])
def test_bad_files_are_named(text, message, tmp_path):
    path = tmp_path / "contacts.json"
    path.write_text(text)
    done = run(path)
    assert done.returncode == 2 and message in done.stderr, done.stderr


def test_bad_usage(tmp_path):
    assert "--order is 3" in run(CONTACTS / "edge_on_edge.json", "--order", 3).stderr
    zero = tmp_path / "screws.csv"
    zero.write_text("wx,wy,wz,vx,vy,vz\n0,0,0,0,0,0\n")
    done = run(CONTACTS / "edge_on_edge.json", "--screws", zero)
    assert done.returncode == 2 and f"{zero}:2: error: the screw is zero" in done.stderr


def test_the_page_is_written(tmp_path):
    done = run(CONTACTS / "edge_on_edge.json", "--out", tmp_path)
    assert done.returncode == 0 and "report.html" in done.stderr
    assert "How may it move?" in (tmp_path / "report.html").read_text()
