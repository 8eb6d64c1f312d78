"""robustness, forces, transport and disassemble as a user meets them: documents, exit codes, messages, reports."""

import csv
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

PREHEND = Path(os.environ["PREHEND_BIN"]) / "prehend"
SOURCE = Path(os.environ["PREHEND_SOURCE"])
STACK = SOURCE / "data/scenes/stack.xml"
G = 9.81


def run(*arguments):
    return subprocess.run([PREHEND, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def document(*arguments, code=0):
    """Runs with --json and insists on exactly one document and nothing else on standard output."""
    done = run(*arguments, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    answer = json.loads(done.stdout)
    assert {"verb", "status", "time_ms"} <= answer.keys()
    if code:
        assert answer["error"].keys() == {"message", "file", "line"} and answer["error"]["message"]
    return answer


def box(name, x, y, z, half=0.1, mass=2.0, mu=0.5):
    return (f'<body name="{name}" pos="{x} {y} {z}"><freejoint/><geom type="box" size="{half} {half} {half}" '
            f'mass="{mass}" friction="{mu}"/></body>')


@pytest.fixture
def scene(tmp_path):
    def write(*bodies, gravity="0 0 -9.81"):
        path = tmp_path / "scene.xml"
        path.write_text(f'<mujoco model="scene"><option gravity="{gravity}"/><worldbody>'
                        f'<geom name="floor" type="box" size="2 2 0.1" pos="0 0 -0.1" friction="0.5"/>'
                        + "".join(bodies) + "</worldbody></mujoco>")
        return path
    return write


@pytest.fixture
def cube(scene):
    return scene(box("cube", 0, 0, 0.1))


# ------------------------------------------------------------------------------------------- robustness

RESULT = {"body", "p_W_m", "d_W", "robustness_N", "unbounded", "lower_N", "upper_N", "mode", "moving", "needs_prestress"}


def test_one_push(cube):
    answer = document("robustness", cube, "--at", "cube", -0.1, 0, 0.05, "--push", 2, 0, 0)
    assert answer["verb"] == "robustness" and answer["status"] == "ok" and answer["method"] == "exact"
    assert answer["cone_programs"] >= 1
    [result] = answer["results"]
    assert RESULT <= result.keys()
    assert result["robustness_N"] == pytest.approx(0.5 * 2 * G, rel=1e-4)   # it slips at mu m g
    assert result["lower_N"] <= 0.5 * 2 * G * (1 + 1e-9) and result["upper_N"] >= 0.5 * 2 * G * (1 - 1e-9)
    assert (result["body"], result["mode"], result["moving"]) == ("cube", "slip", ["cube"])
    assert result["d_W"] == [1, 0, 0] and result["p_W_m"] == [-0.1, 0, 0.05]
    assert result["unbounded"] is False and result["needs_prestress"] is False


def test_pull_and_press(cube):
    [pull] = document("robustness", cube, "--at", "cube", 0, 0, 0.2, "--push", 0, 0, 1)["results"]
    assert pull["robustness_N"] == pytest.approx(2 * G, rel=1e-4) and pull["mode"] == "lift"
    [press] = document("robustness", cube, "--at", "cube", 0, 0, 0.2, "--push", 0, 0, -1)["results"]
    assert press["unbounded"] and press["mode"] == "unbounded" and press["moving"] == []
    assert press["robustness_N"] is press["lower_N"] is press["upper_N"] is None


def test_numbers_may_start_with_a_minus_and_a_point(cube):
    [result] = document("robustness", cube, "--at", "cube", "-.1", "-0", "5e-2", "--push", "1", "-.0", "-0")["results"]
    assert result["p_W_m"] == [-0.1, 0, 0.05]


def test_table_of_pushes_keeps_its_order(cube, tmp_path):
    (tmp_path / "q.csv").write_text("body,x,y,z,dx,dy,dz\r\ncube,0,0,0.2,0,0,1\r\ncube,-0.1,0,0.05,1,0,0\r\n")
    answer = document("robustness", cube, "--queries", tmp_path / "q.csv", "--out", tmp_path / "out")
    assert [r["mode"] for r in answer["results"]] == ["lift", "slip"]
    rows = list(csv.DictReader((tmp_path / "out/robustness.csv").open()))
    assert [row["mode"] for row in rows] == ["lift", "slip"]
    assert float(rows[0]["robustness_N"]) == pytest.approx(answer["results"][0]["robustness_N"], rel=1e-12)
    assert (tmp_path / "out/report.html").stat().st_size > 10000
    # what was written can be asked again
    again = document("robustness", cube, "--queries", tmp_path / "out/robustness.csv")
    assert again["results"] == answer["results"]


def test_map(cube, tmp_path):
    answer = document("robustness", cube, "--map", "--points", 300, "--seed", 5, "--out", tmp_path)
    assert len(answer["results"]) == 300
    for result in answer["results"]:
        p, d = result["p_W_m"], result["d_W"]
        assert max(abs(p[0]), abs(p[1]), abs(p[2] - 0.1)) == pytest.approx(0.1)
        assert p[2] > 1e-9   # the covered bottom is left out
        if d[2] < -0.5:
            assert result["unbounded"]
        elif abs(p[0] if abs(d[1]) > 0.5 else p[1]) < 1e-3 and p[2] < 0.1:
            assert result["robustness_N"] == pytest.approx(G, rel=1e-2)
        else:
            # never more than the sideways force that slips it without turning, or topples it
            assert result["robustness_N"] <= min(0.5 * 2 * G, 2 * G * 0.1 / p[2]) * (1 + 1e-3)
    page = (tmp_path / "report.html").read_text()
    assert "How hard may I push?" in page
    same = document("robustness", cube, "--map", "--points", 300, "--seed", 5, "--threads", 1)
    assert same["results"] == answer["results"]


def test_readable_form():
    done = run("robustness", STACK, "--map", "--points", 200)
    assert done.returncode == 0 and "crate_small" in done.stdout and "weakest" in done.stdout


@pytest.mark.parametrize("arguments,words", [
    ([], ["nothing is asked", "--map"]),
    (["--at", "cube", 0, 0, 0.2], ["--at and --push belong together"]),
    (["--map", "--at", "cube", 0, 0, 0.2, "--push", 0, 0, 1], ["several things"]),
    (["--at", "ball", 0, 0, 0.2, "--push", 0, 0, 1], ["no body 'ball'"]),
    (["--at", "world", 0, 0, 0, "--push", 0, 0, 1], ["'world' is fixed"]),
    (["--at", "cube", 0, 0, 0.2, "--push", 0, 0, 0], ["no direction"]),
    (["--at", "cube", 0, 0, "high", "--push", 0, 0, 1], ["--at: 'high' is not a number"]),
    (["--at", "cube", 0, 0, 0.25, "--push", 0, 0, 1], ["0.05 m off the surface of body 'cube'"]),
    (["--map", "--points", 0], ["points is 0"]),
    (["--map", "--accuracy", 1], ["accuracy is 1; it must be between 1e-09 and 0.1"]),
    (["--map", "--method", "guess"], ["--method: there is no 'guess'", "exact"]),
    (["--map", "--contact-tolerance", "-1"], ["tolerance"]),
])
def test_bad_usage(cube, arguments, words):
    answer = document("robustness", cube, *arguments, code=2)
    assert answer["status"] == "bad_usage"
    for word in words:
        assert word in answer["error"]["message"]


def test_bad_table_names_file_and_line(cube, tmp_path):
    (tmp_path / "q.csv").write_text("body,x,y,z,dx,dy,dz\ncube,0,0,0.2,0,0,1\ncube,0,0,0.7,0,0,1\n")
    error = document("robustness", cube, "--queries", tmp_path / "q.csv", code=2)["error"]
    assert error["line"] == 3 and error["file"].endswith("q.csv") and "0.5 m off" in error["message"]


def test_scene_that_falls_by_itself(scene, tmp_path):
    path = scene(box("low", 0, 0, 0.1), box("high", 0.15, 0, 0.3))
    answer = document("robustness", path, "--map", "--out", tmp_path / "out", code=3)
    assert answer["status"] == "unstable" and answer["moving"] == ["high"] and answer["results"] == []
    assert "'high'" in answer["error"]["message"]
    falling = {entry["body"]: entry for entry in answer["falling"]}
    assert falling["high"]["v_com_W_mps"][2] < 0
    assert "It falls by itself" in (tmp_path / "out/report.html").read_text()
    done = run("robustness", path, "--map")
    assert done.returncode == 3 and "falls by itself" in done.stderr


def test_overlap_is_undetermined_and_settling_helps(scene):
    path = scene(box("low", 0, 0, 0.1), box("high", 0, 0, 0.298))
    answer = document("robustness", path, "--map", "--points", 50, code=3)
    assert answer["status"] == "undetermined" and "overlap by 2 mm" in answer["error"]["message"]
    tolerance = re.search(r"--contact-tolerance (\S+)\)", answer["error"]["message"]).group(1)
    allowed = document("robustness", path, "--map", "--points", 50, "--contact-tolerance", tolerance)
    assert allowed["status"] == "ok" and 0.002 <= float(tolerance) <= 0.0022
    settled = document("robustness", path, "--map", "--points", 50, "--settle")
    assert settled["status"] == "ok" and len(settled["results"]) == 50


def test_floating_and_nothing_to_push(scene):
    answer = document("robustness", scene(box("cloud", 0, 0, 1)), "--map", code=3)
    assert answer["status"] == "unstable" and "'cloud' touches nothing" in answer["error"]["message"]


def test_nothing_movable_is_one_answer_in_all_verbs(scene):
    sentence = "no body of the scene is movable; name one with --movable"
    path = scene('<body name="still"><geom type="box" size=".1 .1 .1"/></body>')
    push = ["--at", "still", 0, 0, 0.1, "--push", 1, 0, 0]
    for words in (["forces"], ["robustness", "--map"], ["robustness", *push], ["transport"], ["disassemble"]):
        answer = document(words[0], path, *words[1:], code=3)
        assert answer["status"] == "undetermined" and answer["error"]["message"] == sentence, words
    assert sentence in document("inspect", path)["notes"]
    assert sentence in document("contacts", path)["problems"]
    heavy = scene(box("low", 0, 0, 0.1, mass=50))
    assert document("forces", heavy, "--fixed-above", 10, code=3)["error"]["message"] == sentence


def test_heavy_bodies_may_count_as_fixed(scene):
    path = scene(box("low", 0, 0, 0.1, mass=50), box("high", 0, 0, 0.3))
    pushes = ["--at", "high", -0.1, 0, 0.21, "--push", 1, 0, 0]
    assert document("robustness", path, *pushes, "--fixed-above", 10)["results"][0]["robustness_N"] == pytest.approx(G, rel=1e-4)
    error = document("robustness", path, "--at", "low", -0.1, 0, 0.1, "--push", 1, 0, 0, "--fixed-above", 10, code=2)["error"]
    assert "'low' is fixed" in error["message"]


# ----------------------------------------------------------------------------------------------- forces

def test_forces_balance_every_body(tmp_path):
    answer = document("forces", STACK, "--out", tmp_path)
    assert answer["status"] == "stable" and answer["needs_prestress"] is False
    total = 0.0
    for contact in answer["contacts"]:
        assert {"body_a", "body_b", "p_W_m", "n_W", "f_W_N", "mu"} <= contact.keys()
        normal = sum(f * n for f, n in zip(contact["f_W_N"], contact["n_W"]))
        assert normal >= -1e-9 and sum(f * f for f in contact["f_W_N"]) <= (1 + contact["mu"] ** 2) * normal ** 2 + 1e-12
        total += contact["f_W_N"][2] * (contact["body_a"] == "world")
    weight = 400 * (0.2**3 + 0.16 * 0.16 * 0.14 + 0.1**3) * G
    assert total == pytest.approx(weight, rel=1e-6)
    assert "It stands." in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize("method", ["pyramid", "qr"])
def test_forces_by_other_methods(method):
    assert document("forces", STACK, "--method", method)["method"] == method


def test_forces_of_what_falls(scene, tmp_path):
    path = scene(box("low", 0, 0, 0.1), box("high", 0.15, 0, 0.3))
    answer = document("forces", path, "--out", tmp_path / "out", code=3)
    assert answer["status"] == "unstable" and answer["moving"] == ["high"] and "'high'" in answer["error"]["message"]
    assert "It falls by itself" in (tmp_path / "out/report.html").read_text()


# -------------------------------------------------------------------------------------------- transport

def test_transport_by_hand(cube, tmp_path):
    # half as wide as high would topple first; a cube with mu 0.5 slips at mu g in every direction
    answer = document("transport", cube, "--directions", 8, "--out", tmp_path)
    assert answer["status"] == "ok" and len(answer["results"]) == 8
    for result in answer["results"]:
        assert {"d_W", "msa_mps2", "unbounded", "mode", "moving"} <= result.keys()
        assert result["msa_mps2"] == pytest.approx(0.5 * G, rel=1e-3) and result["moving"] == ["cube"]
    assert answer["results"][2]["d_W"] == pytest.approx([0, 1, 0])
    assert "How fast may I drive?" in (tmp_path / "report.html").read_text()


def test_transport_in_another_plane(cube):
    down, up = (document("transport", cube, "--directions", 4, "--normal", 0, 1, 0)["results"][k] for k in (1, 3))
    falling = down if down["d_W"][2] < 0 else up
    rising = up if falling is down else down
    assert falling["msa_mps2"] == pytest.approx(G, rel=1e-3) and falling["mode"] == "lift"
    assert rising["unbounded"] and rising["msa_mps2"] is None


# ------------------------------------------------------------------------------------------ disassemble

def test_disassemble(tmp_path):
    answer = document("disassemble", STACK, "--out", tmp_path)
    assert answer["status"] == "ok" and answer["order"] == ["crate_small", "crate_medium", "crate_large"]
    assert [step["removed"] for step in answer["steps"]] == answer["order"]
    first = {c["body"]: c["score"] for c in answer["steps"][0]["candidates"]}
    assert first["crate_small"] == pytest.approx(1, rel=1e-3) and first["crate_large"] > 1.1
    assert "What may I take first?" in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize("verb", ["forces", "transport", "disassemble"])
def test_bad_scenes(scene, verb):
    overlap = document(verb, scene(box("low", 0, 0, 0.1), box("high", 0, 0, 0.298)), code=3)
    assert "overlap" in overlap["error"]["message"] and not overlap.get("results") and not overlap.get("order")
    floating = document(verb, scene(box("cloud", 0, 0, 1)), code=3)
    assert floating["status"] == "unstable"
    assert document(verb, "nowhere.xml", code=2)["error"]["file"] == "nowhere.xml"


# ------------------------------------------------------------------------------------ mend, lists of problems

def test_mend_writes_a_scene_that_holds(scene, tmp_path):
    seen = scene(box("low", 0, 0, 0.1012), box("high", 0.01, 0, 0.2995))
    answer = document("mend", seen, "--noise", 0.001, 0.005, "--out", tmp_path / "out")
    assert answer["status"] == "ok" and answer["holds"] and answer["overlap_m"]["after"] <= 1e-6
    assert answer["noise"] == {"position_m": 0.001, "angle_rad": 0.005, "given": True}
    assert {b["name"] for b in answer["bodies"]} == {"low", "high"} and all(b["moved_m"] < 0.003 for b in answer["bodies"])
    assert ["low", "high"] in answer["opened"] and ["world", "low"] in answer["closed"]
    written = document("forces", answer["files"]["scene"])
    assert written["status"] == "stable" and written["problems"] == []
    assert "as read, then mended" in (tmp_path / "out/report.html").read_text()


@pytest.mark.parametrize("verb", ["inspect", "contacts", "forces", "transport", "disassemble"])
def test_mend_before_another_question(scene, verb):
    seen = scene(box("low", 0, 0, 0.1012), box("high", 0.01, 0, 0.2995))
    answer = document(verb, seen, "--mend")
    assert answer["mended"]["status"] == "ok" and len(answer["mended"]["bodies"]) == 2
    assert "no body moved by more than" in run(verb, seen, "--mend").stdout


def test_what_cannot_be_mended_is_named(scene):
    answer = document("mend", scene(box("cloud", 0, 0, 1)), code=3)
    assert answer["status"] == "failed" and "'cloud' floats" in answer["error"]["message"]
    far = document("mend", scene(box("deep", 0, 0, 0.092)), "--most", 0.005, code=3)
    assert "--most" in far["error"]["message"]
    assert "--noise" in document("mend", scene(box("b", 0, 0, 0.1)), "--noise", "x", 1, code=2)["error"]["message"]


def test_where_mending_does_not_help_a_tolerance_does(scene):
    walls = "".join(f'<geom type="box" size="0.05 0.1 0.1" pos="{x} 0 0.1"/>' for x in (-0.149, 0.149))
    path = scene(walls, box("wedged", 0, 0, 0.1))
    message = document("forces", path, "--mend", code=3)["error"]["message"]
    assert "cannot be mended" in message and "still overlap" in message
    tolerance = re.search(r"without --mend, --contact-tolerance (\S+) allows", message).group(1)
    assert document("forces", path, "--contact-tolerance", tolerance)["status"] == "stable"


def test_a_long_list_of_problems_is_five_and_a_count(scene):
    path = scene(*(box(f"b{i}", 0.5 * (i % 4) - 0.7, 0.5 * (i // 4) - 0.7, 0.1 - 0.001 * (i + 1)) for i in range(12)))
    answer = document("contacts", path)
    assert len(answer["problems"]) == 12 and "12 mm" in answer["problems"][0], "all, the deepest first"
    for verb, codes in (("contacts", (0,)), ("forces", (3,)), ("transport", (3,)), ("robustness --map --points 20", (3,))):
        words = verb.split()
        done = run(words[0], path, *words[1:])
        assert done.returncode in codes
        both = done.stdout + done.stderr
        assert both.count("overlap by 12 mm") == 1, "the same sentence once:\n" + both
        assert both.count("overlap by") == 5 and "12 in all, 7 more in the JSON form" in both


# ------------------------------------------------------------------------------- margins, critical friction

def test_margins_guarantee_less(cube):
    # 20 % less friction and 10 % less mass: mu m g shrinks by both
    [result] = document("robustness", cube, "--at", "cube", -0.1, 0, 0.05, "--push", 1, 0, 0, "--margin-friction", 0.2,
                        "--margin-mass", 0.1)["results"]
    assert result["guaranteed_N"] == pytest.approx(0.8 * 0.9 * result["robustness_N"], rel=1e-3)
    error = document("robustness", cube, "--map", "--margin-mass", 2, code=2)["error"]
    assert "2" in error["message"]
    [plain] = document("robustness", cube, "--at", "cube", -0.1, 0, 0.05, "--push", 1, 0, 0)["results"]
    assert "guaranteed_N" not in plain


def test_critical_friction_of_a_slope(tmp_path):
    path = tmp_path / "slope.xml"
    path.write_text('<mujoco><worldbody><body pos="0 0 0" euler="0 20 0"><geom type="box" size="1 1 0.1" friction="0.7"/></body>'
                    '<body name="block" pos="0.0513030 0 0.1409539" euler="0 20 0"><freejoint/>'
                    '<geom type="box" size="0.1 0.1 0.05" mass="1" friction="0.7"/></body></worldbody></mujoco>')
    answer = document("forces", path, "--critical-friction")
    critical = answer["critical_friction"]
    tangent = 0.3639702
    assert critical["mu_below"] <= tangent * (1 + 1e-6) and critical["mu_above"] >= tangent * (1 - 1e-6)
    assert critical["mu_above"] - critical["mu_below"] < 1e-3


@pytest.mark.parametrize("method", ["graph", "isolated", "lp4", "lp8", "simulate"])
def test_every_method_answers(cube, method):
    [result] = document("robustness", cube, "--at", "cube", -0.1, 0, 0.05, "--push", 1, 0, 0, "--method", method)["results"]
    # a square inside the friction disc loses up to 29 %, sampled points and soft contacts less
    assert result["robustness_N"] == pytest.approx(0.5 * 2 * G, rel=0.3)
