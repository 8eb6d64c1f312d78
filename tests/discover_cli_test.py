"""`prehend discover`: documents, files that load again, and bad input."""

import json
import math
import os
import random
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


def door(orientation=lambda q: q, position=lambda p: p, part="door"):
    """Rows of a door on its hinge, 0.5 m away from the axis, in a frame that stands still; a millimetre of noise."""
    noise = random.Random(5)
    lines = []
    for frame in range(60):
        angle = 0.8 * math.sin(0.1 * frame)
        for name, p, q in (("frame", (0, 0, 0), (1, 0, 0, 0)),
                           (part, (1 + 0.5 * math.cos(angle), 0.5 * math.sin(angle), 0),
                            (math.cos(angle / 2), 0, 0, math.sin(angle / 2)))):
            p = [x + noise.gauss(0, 0.001) for x in p]
            q = [x + noise.gauss(0, 0.002) for x in q]
            norm = math.sqrt(sum(x * x for x in q))
            q = orientation([x / norm for x in q])
            lines.append(",".join(map(str, [frame / 10, name, *position(p), *q])))
    return lines


def discover(path):
    answer = prehend("discover", path, "--json")
    return answer.returncode, json.loads(answer.stdout)


def test_door(tmp_path):
    code, document = discover(rows(tmp_path / "door.csv", door()))
    assert code == 0 and [j["type"] for j in document["joints"]] == ["revolute"]


def test_quaternions_that_are_not_unit(tmp_path):
    code, document = discover(rows(tmp_path / "norm.csv", door(orientation=lambda q: [1.2 * x for x in q])))
    assert code == 2 and document["error"]["line"] == 2 and "norm 1.2" in document["error"]["message"]


@pytest.mark.parametrize("value", ["nan", "inf", "abc", ""])
def test_not_a_number(tmp_path, value):
    code, document = discover(rows(tmp_path / "nan.csv", door()[:9] + [f"9,door,0,{value},0,1,0,0,0"]))
    assert code == 2 and document["error"]["line"] == 11 and "'y'" in document["error"]["message"]


@pytest.mark.parametrize("change, words", [
    ({"orientation": lambda q: [q[0], -q[1], -q[2], -q[3]]}, "inverse quaternions"),
    ({"position": lambda p: [p[0], -p[1], p[2]]}, "y mirrored")])
def test_wrong_handedness(tmp_path, change, words):
    code, document = discover(rows(tmp_path / "hand.csv", door(**change)))
    assert code == 3 and document["status"] == "undetermined"
    assert "contradict" in document["error"]["message"] and words in document["error"]["message"]


def test_two_parts_with_identical_motion_are_one(tmp_path):
    twin = [line for line in door(part="twin") if ",twin," in line]
    code, document = discover(rows(tmp_path / "twin.csv", sorted(door() + twin, key=lambda line: float(line.split(",")[0]))))
    assert code == 0 and sorted(map(sorted, document["rigid_groups"])) == [["door", "twin"], ["frame"]]


def test_parts_never_seen_together(tmp_path):
    lines = [line for line in door() if (",door," in line) == (float(line.split(",")[0]) < 3)]
    code, document = discover(rows(tmp_path / "apart.csv", lines))
    assert code == 3 and "seen together" in document["error"]["message"]


def test_positions_alone(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("t,part,x,y,z\n" + "\n".join(",".join(line.split(",")[:5]) for line in door()) + "\n")
    code, document = discover(path)
    assert code == 0, document
    assert [(j["parent"], j["child"], j["type"]) for j in document["joints"]] == [("world", "door", "revolute")]
    assert document["rigid_groups"] == [["world", "frame"], ["door"]]
    assert prehend("discover", path, "--out", tmp_path / "out").returncode == 0


@pytest.fixture(scope="module")
def two_markers(tmp_path_factory):
    """A door with two markers, each hidden for half of the time, in a frame with one; 1 mm and 0.2 deg of noise."""
    noise = random.Random(5)
    lines = []
    for i in range(120):
        a = 0.9 * math.sin(0.04 * i)
        for part, radius, seen in (("frame", None, True), ("low", 0.3, i < 70), ("high", 0.45, i >= 50)):
            if not seen:
                continue
            e = [noise.gauss(0, 0.001) for _ in range(3)]
            r = [noise.gauss(0, 0.0017) for _ in range(3)]
            angle = 0 if radius is None else a
            p = (0, 0, 0) if radius is None else (radius * math.cos(a), radius * math.sin(a), 0.1 if part == "low" else 0.5)
            q = (math.cos(angle / 2), 0, 0, math.sin(angle / 2))
            # q times (1, r / 2)
            q = (q[0] - q[3] * r[2] / 2, q[0] * r[0] / 2 - q[3] * r[1] / 2, q[0] * r[1] / 2 + q[3] * r[0] / 2, q[3] + q[0] * r[2] / 2)
            size = math.sqrt(sum(x * x for x in q))
            lines.append(f"{i / 30},{part}," + ",".join(f"{v:.9g}" for v in (*(x + y for x, y in zip(p, e)), *(x / size for x in q))))
    return rows(tmp_path_factory.mktemp("markers") / "two.csv", lines)


def test_several_markers_on_one_part(two_markers):
    alone = json.loads(prehend("joint", two_markers, "--fixed", "frame", "--moving", "low", "--json").stdout)
    answer = prehend("joint", two_markers, "--fixed", "frame", "--moving", "low", "--same-part", "low+high", "--json")
    assert answer.returncode == 0, answer.stdout
    document = json.loads(answer.stdout)
    assert document["type"] == "revolute" and abs(document["axis_F"][2]) > 0.999
    assert sum(s is not None for s in document["states"]) == 120 and sum(s is not None for s in alone["states"]) == 70
    assert document["std"]["axis_rad"] < alone["std"]["axis_rad"]
    found = prehend("discover", two_markers, "--same-part", "low+high", "--json")
    assert found.returncode == 0, found.stdout
    document = json.loads(found.stdout)
    assert document["rigid_groups"] == [["frame"], ["low", "high"]] and [j["type"] for j in document["joints"]] == ["revolute"]


def test_markers_that_are_not_on_one_part(two_markers):
    for verb in ("joint", "discover"):
        moving = prehend(verb, two_markers, "--same-part", "frame+low", "--json")
        assert moving.returncode == 2 and "move against each other" in json.loads(moving.stdout)["error"]["message"]
        unknown = prehend(verb, two_markers, "--same-part", "frame+lid", "--json")
        assert unknown.returncode == 2 and "no part 'lid'" in json.loads(unknown.stdout)["error"]["message"]
        single = prehend(verb, two_markers, "--same-part", "frame", "--json")
        assert single.returncode == 2 and "joined by +" in json.loads(single.stdout)["error"]["message"]


def test_loop_in_the_files(tmp_path):
    made = prehend("simulate-object", "--object", "lamp_linkage", "--frames", 100, "--noise", 0.0005, 0.001, "--out", tmp_path / "lamp")
    assert made.returncode == 0, made.stderr
    answer = prehend("discover", tmp_path / "lamp" / "poses.csv", "--out", tmp_path / "out")
    assert answer.returncode == 0, answer.stdout
    assert "URDF has trees only" in answer.stdout
    assert "<connect" in (tmp_path / "out" / "object.xml").read_text()
    assert "is open here" in (tmp_path / "out" / "object.urdf").read_text()


def has_opencv():
    answer = prehend("discover", os.path.dirname(os.path.abspath(__file__)), "--json")
    return "without" not in json.loads(answer.stdout)["error"]["message"]


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    folder = tmp_path_factory.mktemp("film")
    made = prehend("simulate-object", "--object", "arm", "--frames", 60, "--video", "avi", "--out", folder)
    assert made.returncode == 0, made.stderr
    return folder


@pytest.mark.skipif(not has_opencv(), reason="built without OpenCV")
class TestFilm:
    def discover(self, film, *more, calibration="calibration.yaml"):
        answer = prehend("discover", film / "film.avi", "--calibration", film / calibration, "--marker-size", 0.05, "--json", *more)
        return answer.returncode, json.loads(answer.stdout)

    def test_the_arm(self, film, tmp_path):
        code, document = self.discover(film, "--out", tmp_path)
        assert code == 0, document
        chain = {frozenset((f"marker_{k}", f"marker_{k + 1}")) for k in range(4)}
        assert {frozenset((j["parent"], j["child"])) for j in document["joints"]} == chain
        assert {j["type"] for j in document["joints"]} == {"revolute"} and document["loops"] == []
        assert (tmp_path / "report.html").exists()

    def test_without_markers(self, film):
        code, document = self.discover(film, "--dictionary", "7x7_50")
        assert code == 3 and document["status"] == "no_markers" and "7x7_50" in document["error"]["message"]

    def test_wrong_calibration(self, film):
        text = (film / "calibration.yaml").read_text()
        (film / "wrong.yaml").write_text(text.replace("900", "300"))
        code, document = self.discover(film, calibration="wrong.yaml")
        assert code == 2 and document["error"]["file"].endswith("wrong.yaml"), document
