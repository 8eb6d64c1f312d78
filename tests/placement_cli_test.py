"""prehend place as a user meets it: answers checked by other means, wishes kept, bad input named."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

BIN = Path(os.environ["PREHEND_BIN"]) / "prehend"
SOURCE = Path(os.environ["PREHEND_SOURCE"])
SLOW = os.environ.get("PREHEND_SLOW") == "1"
sys.path.insert(0, str(SOURCE / "tests"))
import placement_oracle as oracle  # noqa: E402
import placement_sweep as sweep  # noqa: E402
import placement_things as things  # noqa: E402
from placement_scenes import FLOOR, OBJECT, all_scenes, body, box, household_scenes, random_scene, scene  # noqa: E402

SCENES, HOUSEHOLD = all_scenes(), household_scenes()
QUICK_HOUSEHOLD = ["book_into_gap", "pan_on_stove", "can_on_balls", "ball_on_balls", "millimetres", "sheet_on_posts", "slab", "gravity_aslant"]
THINGS = things.things(Path(os.environ.get("PREHEND_SHARED_DATA", SOURCE.parent / "shared" / "data")) / "tools")
STATICS = list(SCENES) if SLOW else ["ground", "stack", "see_saw", "two_heights", "vee", "wedge20", "bridge"]
MOTION = list(SCENES) if SLOW else ["ground_can", "cantilever", "ridges", "vee_can", "wedge33_stop", "points", "on_clutter"]


AGAINST_WALLS = {"corner", "wedge33_stop"}


def run(*arguments):
    return subprocess.run([BIN, "place", *map(str, arguments)], capture_output=True, text=True, timeout=120)


def document(*arguments, code=0):
    done = run(*arguments, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


def written(folder, text, name="scene.xml"):
    path = folder / name
    path.write_text(text)
    return path


def valid_geometry(text, answer):
    model, data = oracle.posed(text, answer["X_WO"])
    worst, nearest = oracle.gaps(model, data)
    assert worst >= -1.1e-6, f"penetrates by {-worst}"
    assert nearest <= 1.1e-6, f"misses by {nearest}"
    return model, data


@pytest.mark.parametrize("name", SCENES)
def test_thirty_scenes(name, tmp_path):
    text, arguments, exists = SCENES[name]
    path = written(tmp_path, text)
    answer = document(path, "object", "--objective", "first", *arguments, code=0 if exists else 3)
    if not exists:
        assert answer["status"] == "none" and answer["proof"]
        return
    assert answer["status"] == "ok" and answer["margin_g"] >= 0.02
    if name in AGAINST_WALLS and not answer["weakest"]:  # inward pushes press it against the walls; shaking still moves it, so it is no jam
        assert answer["unbounded"] and answer["min_sr_N"] is None and 0.02 <= answer["margin_g"] < 1
    else:
        assert answer["min_sr_N"] > 0
    model, data = valid_geometry(text, answer)
    if name in STATICS:
        moved = written(tmp_path, oracle.moved_scene(text, answer["X_WO"]), "moved.xml")
        statics, _ = oracle.statics_of(BIN, moved, model, data)
        # 24 directions see the least acceleration up to 1 / cos(7.5 deg) = 0.9 %.
        assert answer["margin_g"] == pytest.approx(statics.margin_g(), rel=0.015)
        weakest = answer["weakest"]
        assert not weakest or answer["min_sr_N"] == pytest.approx(statics.push(weakest["body"], weakest["p_W_m"], weakest["d_W"]), rel=0.01)
    if name in MOTION and answer["margin_g"] >= 0.1:
        assert oracle.displacement(text, answer["X_WO"]) < 0.005


@pytest.mark.parametrize("name", ["ground", "see_saw", "two_heights", "clutter"])
def test_the_least_robustness_is_that_of_all_corners(name, tmp_path):
    """Every corner of every box that moves, asked of a general-purpose solver; faces wholly in contact left out."""
    text, arguments, _ = SCENES[name]
    answer = document(written(tmp_path, text), "object", "--objective", "first", *arguments)
    model, data = oracle.posed(text, answer["X_WO"])
    moved = written(tmp_path, oracle.moved_scene(text, answer["X_WO"]), "moved.xml")
    statics, interfaces = oracle.statics_of(BIN, moved, model, data)
    least = math.inf
    for g in range(model.ngeom):
        b = model.geom_bodyid[g]
        if model.body_dofnum[b] != 6:
            continue
        size, R, centre, owner = model.geom_size[g], data.geom_xmat[g].reshape(3, 3), data.geom_xpos[g], model.body(b).name
        for axis in range(3):
            for sign in (-1, 1):
                n = sign * R[:, axis]
                others = [k for k in range(3) if k != axis]
                area = 4 * size[others[0]] * size[others[1]]
                covered = sum(face["area_m2"] for face in interfaces if owner in (face["body_a"], face["body_b"])
                              and np.dot(face["n_W"], n) * (1 if face["body_a"] == owner else -1) > 0.999)
                if covered > (1 - 1e-4) * area:
                    continue
                for u in (-1, 1):
                    for v in (-1, 1):
                        local = np.zeros(3)
                        local[axis], local[others[0]], local[others[1]] = sign * size[axis], u * size[others[0]], v * size[others[1]]
                        least = min(least, statics.push(owner, R @ local + centre, -n))
    assert answer["min_sr_N"] == pytest.approx(least, rel=0.01)


@pytest.mark.parametrize("seed", range(1000, 2000) if SLOW else [3, 5])
def test_random_scenes_by_other_means(seed, tmp_path):
    """Geometry, wishes and statics written anew; `none` against the other planners; the same pose on three threads."""
    status, wrong, _ = sweep.check(BIN, tmp_path, seed, statics=True, time_limit=3)
    assert status in ("ok", "none", "not_found") and not wrong


@pytest.mark.parametrize("name", THINGS if SLOW else ["cup"])
@pytest.mark.parametrize("where", things.places())
def test_things_people_put_down(name, where, tmp_path):
    thing, arguments = THINGS[name]
    answer, wrong = things.place(BIN, tmp_path, thing, arguments, where)
    assert answer["status"] == "ok" and not wrong


@pytest.mark.parametrize("seed", range(1000, 2000) if SLOW else range(8))
def test_random_scenes(seed, tmp_path):
    text, arguments = random_scene(seed)
    done = run(written(tmp_path, text), "object", "--json", "--objective", "first", *arguments)
    assert done.returncode in (0, 3), done.stdout + done.stderr
    answer = json.loads(done.stdout)
    assert answer["status"] in ("ok", "none", "not_found")
    if answer["status"] != "ok":
        return
    valid_geometry(text, answer)
    if answer["margin_g"] >= 0.1:
        assert oracle.displacement(text, answer["X_WO"]) < 0.005


@pytest.mark.parametrize("name", HOUSEHOLD if SLOW else QUICK_HOUSEHOLD)
def test_a_household(name, tmp_path):
    text, arguments = HOUSEHOLD[name]
    answer = document(written(tmp_path, text), "object", "--time-limit", 60, *arguments)
    model, data = valid_geometry(text, answer)
    assert not sweep.broken_wishes(model, data, answer, arguments)
    if answer["margin_g"] >= 0.1:
        assert oracle.displacement(text, answer["X_WO"], 0.5) < 0.005


@pytest.mark.parametrize("seed", range(40000, 40300) if SLOW else [41000])
def test_varied_scenes_by_other_means(seed, tmp_path):
    """Notched and round bodies, slopes: as the plain random scenes."""
    status, wrong, _ = sweep.check(BIN, tmp_path, seed, statics=True, time_limit=1, plain=False)
    assert status in ("ok", "none", "not_found") and not wrong


def test_intervals(tmp_path):
    path = written(tmp_path, SCENES["stack"][0])
    answer = document(path, "object", "--touch", "block2", "--margin-friction", 0.2, "--margin-mass", 0.2, "--margin-position", 0.002)
    assert 0.02 <= answer["guaranteed"]["margin_g"] < answer["margin_g"]
    assert 0 < answer["guaranteed"]["min_sr_N"] < answer["min_sr_N"]
    assert "guaranteed" not in document(path, "object", "--touch", "block2", "--objective", "first")
    assert "friction" in bad(tmp_path, "object", "--margin-friction", 2)


def margin_of(path):
    """[g] The least horizontal acceleration that moves something in a scene, by another verb."""
    done = subprocess.run([BIN, "transport", path, "--directions", "72", "--json"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return min(row["msa_mps2"] for row in json.loads(done.stdout)["results"]) / 9.81


def test_the_scene_afterwards_answers_further_questions(tmp_path):
    stack = SOURCE / "data/scenes/stack.xml"
    one = document(stack, "crate_small", "--out", tmp_path / "one")
    assert margin_of(one["files"]["scene"]) == pytest.approx(one["margin_g"], rel=0.01)
    cup = document(stack, SOURCE / "data/objects/cup.obj", "--density", 2400, "--out", tmp_path / "cup")
    text = (tmp_path / "cup/scene.xml").read_text()
    assert text.count("<freejoint") == 4 and margin_of(cup["files"]["scene"]) == pytest.approx(cup["margin_g"], rel=0.01)


def test_objects_in_turn(tmp_path):
    parts = [body(f"b{k}", box((0.1, 0.08, 0.05)), (0.3 * k, 0, 1 + k)) for k in range(3)]
    path = written(tmp_path, scene(FLOOR, body("tray", box((0.24, 0.19, 0.01), (0, 0, 0.3)), free=False), *parts))
    answer = document(path, "b0,b1,b2", "--touch", "tray", "--upright", 5, "--out", tmp_path / "out")
    assert answer["status"] == "ok" and [step["object"] for step in answer["sequence"]] == ["b0", "b1", "b2"]
    places = [step["X_WO"]["p"] for step in answer["sequence"]]
    assert all(p[2] == pytest.approx(0.33, abs=1e-6) for p in places)
    assert all(math.dist(a, b) > 0.079 for a, b in zip(places, places[1:]))
    assert (tmp_path / "out/report.html").exists() and answer["files"] == {"scene": str(tmp_path / "out/scene.xml")}
    assert margin_of(answer["files"]["scene"]) == pytest.approx(answer["sequence"][-1]["margin_g"], rel=0.01)
    assert "twice" in document(path, "b0,b0", code=2)["error"]["message"]
    assert "neither a body" in document(path, "b0,b9", code=2)["error"]["message"]


def test_the_document(tmp_path):
    answer = document(written(tmp_path, SCENES["stack"][0]), "object", "--count", 3)
    assert answer["verb"] == "place" and answer["time_ms"] > 0 and len(answer["placements"]) == 3
    first = answer["placements"][0]
    assert answer["X_WO"] == first["X_WO"] and set(first["X_WO"]) == {"p", "q"}
    assert set(first["weakest"]) == {"body", "p_W_m", "d_W", "mode"}
    assert set(first["contacts"][0]) == {"body", "n_W", "points_W_m", "area_m2"}
    assert first["grasps"] == [] and first["volume_m3"] > 0 and first["robustness_N"] > 0
    assert answer["attempts"] >= 3 and isinstance(answer["rejected"], dict)
    scores = [p["min_sr_N"] for p in answer["placements"]]
    assert all(a >= b * 0.998 for a, b in zip(scores, scores[1:]))


def test_the_answer_does_not_depend_on_threads(tmp_path):
    for name in ("vee", "clutter"):
        path = written(tmp_path, SCENES[name][0])
        poses = [document(path, "object", "--seed", 3, "--threads", threads)["X_WO"] for threads in (1, 4)]
        assert poses[0] == poses[1]


def test_an_object_of_its_own_file(tmp_path):
    floor = written(tmp_path, scene(FLOOR))
    cup = SOURCE / "data/objects/cup.obj"
    upright = document(floor, cup, "--density", 2400, "--upright", 1)
    assert upright["object"] == "cup" and upright["X_WO"]["p"][2] == pytest.approx(0.0, abs=1e-6)
    one = written(tmp_path, scene(OBJECT()), "one.xml")
    assert document(floor, one)["status"] == "ok"
    urdf = written(tmp_path, '<robot name="r"><link name="brick"><inertial><mass value="1"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" '
                   'ixz="0" iyz="0"/></inertial><collision><geometry><box size="0.1 0.1 0.05"/></geometry></collision></link></robot>', "brick.urdf")
    assert document(floor, urdf)["X_WO"]["p"][2] == pytest.approx(0.025, abs=1e-9)


def test_wishes(tmp_path):
    path = written(tmp_path, SCENES["clutter"][0])
    low = document(path, "object", "--objective", "low")
    robust = document(path, "object")
    assert low["X_WO"]["p"][2] <= robust["X_WO"]["p"][2] + 1e-9
    near = document(path, "object", "--objective", "near", 0.5, -0.5, 0)
    assert np.hypot(near["X_WO"]["p"][0] - 0.5, near["X_WO"]["p"][1] + 0.5) < 0.01
    out = document(path, "object", "--keep-out", -2, -2, -1, 0.2, 2, 2, "--keep-out", 0.2, 0.3, -1, 2, 2, 2, "--objective", "first")
    assert out["X_WO"]["p"][0] > 0.2 and out["X_WO"]["p"][1] < 0.3
    grasps = written(tmp_path, json.dumps({"gripper": [{"half_m": [0.03, 0.02, 0.04], "X_G": {"p": [0, 0, 0.06], "q": [1, 0, 0, 0]}}],
                                           "grasps": [{"p": [0, 0, 0], "q": [0, 1, 0, 0]}, {"p": [0, 0, 0], "q": [1, 0, 0, 0]}]}), "g.json")
    held = document(path, "object", "--grasps", grasps, "--upright", 5, "--objective", "first")
    assert held["grasps"] == [1]


def test_the_report(tmp_path):
    done = run(written(tmp_path, SCENES["see_saw"][0]), "object", "--touch", "plank", "--count", 3, "--out", tmp_path / "out")
    assert done.returncode == 0 and "can go here" in done.stdout
    assert "weakest push" in (tmp_path / "out/report.html").read_text()


def test_mended_first(tmp_path):
    text = SCENES["stack"][0].replace('pos="0.012 0.008 0.15"', 'pos="0.012 0.008 0.1512"')
    assert 'pos="0.012 0.008 0.1512"' in text
    path = written(tmp_path, text)
    assert document(path, "object", code=3)["status"] == "invalid"
    answer = document(path, "object", "--mend")
    assert answer["status"] == "ok" and answer["mended"]["closed"]


FALLS = scene(FLOOR, body("ledge", box((0.1, 0.1, 0.1), (0, 0, 0.3)), free=False), body("tips", box((0.1, 0.1, 0.1)), (0.08, 0, 0.4)), OBJECT())
OVERLAPS = scene(FLOOR, body("a", box((0.1, 0.1, 0.1)), (0, 0, 0.05)), body("b", box((0.1, 0.1, 0.1)), (0.05, 0, 0.05)), OBJECT())


@pytest.mark.parametrize("text,status", [(FALLS, "unstable"), (OVERLAPS, "invalid"),
                                         (scene(FLOOR, body("up", box((0.1, 0.1, 0.1)), (0, 0, 1)), OBJECT()), "invalid"),
                                         (scene(FLOOR, OBJECT()).replace("0 0 -9.81", "0 0 0"), "invalid"),
                                         (scene(OBJECT()), "none")])
def test_scenes_without_an_answer(text, status, tmp_path):
    answer = document(written(tmp_path, text), "object", code=3)
    assert answer["status"] == status and answer["error"]["message"] and "X_WO" not in answer


def bad(folder, *arguments):
    answer = document(written(folder, SCENES["ground"][0]), *arguments, code=2)
    assert "X_WO" not in answer
    return answer["error"]["message"]


def test_bad_arguments(tmp_path):
    assert "neither a body" in bad(tmp_path, "nobody")
    assert "fixed" in bad(tmp_path, "world")
    assert "no body 'nobody'" in bad(tmp_path, "object", "--touch", "nobody")
    assert "inside out" in bad(tmp_path, "object", "--region", 0, 0, 0, 1, -1, 1)
    assert "inside out" in bad(tmp_path, "object", "--keep-out", 0, 0, 0, 0, 1, 1)
    assert "margin" in bad(tmp_path, "object", "--margin", "-0.1")
    assert "objective" in bad(tmp_path, "object", "--objective", "best")
    assert "planner" in bad(tmp_path, "object", "--planner", "luck")
    assert "clearance" in bad(tmp_path, "object", "--clearance", "-1")
    assert "count" in bad(tmp_path, "object", "--count", 0)
    assert "approach" in bad(tmp_path, "object", "--approach", 0, 0, 0)
    assert "--time-limit" in bad(tmp_path, "object", "--time-limit", 0)
    no_gripper = written(tmp_path, "{}", "g.json")
    assert "'gripper' is missing" in bad(tmp_path, "object", "--grasps", no_gripper)
    two = written(tmp_path, scene(OBJECT(), body("other", box((0.1, 0.1, 0.1)), (1, 0, 0))), "two.xml")
    assert "2 free bodies" in bad(tmp_path, two)
    none = written(tmp_path, scene(FLOOR), "none.xml")
    assert "no free body" in bad(tmp_path, none)
    flat = written(tmp_path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "flat.obj")
    assert "open" in bad(tmp_path, flat)
    open_box = written(tmp_path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n", "open.obj")
    assert "open" in bad(tmp_path, open_box)
    assert bad(tmp_path, written(tmp_path, "", "empty.obj"))
    assert bad(tmp_path, written(tmp_path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n", "sheet.obj"))
    assert bad(tmp_path, written(tmp_path, '{"gripper": 3, "grasps": []}', "g2.json")) and bad(tmp_path, "object", "--grasps", tmp_path / "g2.json")
    assert bad(tmp_path, "object", "--grasps", tmp_path / "no_such.json")
    assert "margin" in bad(tmp_path, "object", "--margin", "nan")
    assert "upright" in bad(tmp_path, "object", "--upright", "-1")
    cube = SOURCE / "data/objects/nut.obj"
    assert "above 0" in bad(tmp_path, cube, "--mass", 0)


@pytest.mark.parametrize("full,density", [((0.001, 0.001, 0.001), 600), ((0.001, 0.001, 0.4), 600), ((0.5, 0.5, 0.0005), 600), ((0.9, 0.9, 0.5), 250000)])
def test_odd_sizes(full, density, tmp_path):
    text = scene(FLOOR, OBJECT(full).replace('density="600"', f'density="{density}"'))
    answer = document(written(tmp_path, text), "object", "--objective", "first")
    valid_geometry(text, answer)


@pytest.mark.parametrize("planner", ["drop", "uniform", "robustness", "heightmap"])
@pytest.mark.parametrize("name", ["ground", "stack"])
def test_other_planners_answer_with_verified_poses(planner, name, tmp_path):
    text, arguments, _ = SCENES[name]
    answer = document(written(tmp_path, text), "object", "--planner", planner, "--time-limit", 60, "--seed", 3, *arguments)
    assert answer["planner"] == planner and answer["attempts"] >= 1 and answer["margin_g"] >= 0.02
    valid_geometry(text, answer)


def test_chance_finds_nothing_and_says_so(tmp_path):
    text, arguments, _ = SCENES["ground"]
    answer = document(written(tmp_path, text), "object", "--planner", "chance", "--time-limit", 60, *arguments, code=3)
    assert answer["status"] == "not_found" and sum(answer["rejected"].values()) == answer["attempts"] == 500
