"""knot draw as a user meets it: the document, the picture, and the line that knot read reads back."""

import json
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

PREHEND = Path(os.environ["PREHEND_BIN"]) / "prehend"
SOURCE = Path(os.environ["PREHEND_SOURCE"])
TREFOIL = SOURCE / "data/knots/trefoil.json"
SVG = "{http://www.w3.org/2000/svg}"


def run(*arguments):
    return subprocess.run([PREHEND, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def document(*arguments, code=0):
    done = run(*arguments, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("face", range(4))
def test_reads_back(tmp_path, face):
    answer = document("knot", "draw", TREFOIL, "--outer-face", face)
    assert answer["status"] == "ok" and answer["outer_face"] == face and answer["files"] == {}
    rope = tmp_path / "rope.csv"
    rope.write_text("frame,x,y,z\n" + "".join(f"0,{x!r},{y!r},{z!r}\n" for x, y, z in answer["polyline"]))
    read = document("knot", "read", rope, "--view", 0, 0, -1)
    wanted = json.loads(TREFOIL.read_text())
    assert {key: read["frames"][0]["p_data"][key] for key in wanted} == wanted


def test_picture_has_plain_strands_inside_its_frame(tmp_path):
    answer = document("knot", "draw", TREFOIL, "--out", tmp_path / "out", "--numbers")
    svg = ElementTree.parse(answer["files"]["svg"]).getroot()
    assert Path(answer["files"]["report"]).read_text().startswith("<!")
    left, top, width, height = map(float, svg.get("viewBox").split())
    strands = [path for path in svg.iter(SVG + "path") if path.get("class") == "strand"]
    assert len(strands) == 4  # three crossings cut the rope three times
    assert all(set(path.attrib) == {"class", "d"} for path in strands)
    ends = []
    for path in strands:
        assert re.fullmatch(r"[MC0-9. ]+", path.get("d"))
        numbers = [float(word) for word in re.findall(r"[0-9.]+", path.get("d"))]
        points = list(zip(numbers[::2], numbers[1::2]))
        assert all(left <= x <= left + width and top <= y <= top + height for x, y in points)
        ends.append((points[0], points[-1]))
    # In rope order: from the dot, each strand begins a gap further on, nearer than any other strand's beginning.
    dot = next(circle for circle in svg.iter(SVG + "circle") if circle.get("class") == "selected-end")
    assert ends[0][0] == pytest.approx((float(dot.get("cx")), float(dot.get("cy"))))
    gap = [((a[1][0] - b[0][0]) ** 2 + (a[1][1] - b[0][1]) ** 2) ** 0.5 for a, b in zip(ends, ends[1:])]
    assert max(gap) < 0.15 * width
    assert len(list(svg.iter(SVG + "text"))) == 6


def test_messages(tmp_path):
    done = run("knot", "draw", TREFOIL, "--outer-face", 4)
    assert done.returncode == 2
    assert "--outer-face is 4; it must be a number between 0 and 3 (the code has 4 faces)" in done.stderr
    assert run("knot", "draw", TREFOIL, "--outer-face", "x").returncode == 2
    code = tmp_path / "code.json"
    code.write_text('{"sigma":[3,4,1,2],"attr":[1,1,2,2]}')
    done = run("knot", "draw", code, "--out", tmp_path / "out")
    assert done.returncode == 2 and "no drawing in the plane" in done.stderr
    assert not (tmp_path / "out").exists()
    code.write_text(json.dumps({"sigma": [i + 1 if i % 2 else i - 1 for i in range(1, 1003)], "attr": [1, 2] * 501}))
    answer = document("knot", "draw", code, code=3)
    assert answer["status"] == "too_many_crossings"
    assert answer["error"]["message"] == "the code has 501 crossings; at most 500 are drawn"


def test_straight_rope(tmp_path):
    code = tmp_path / "straight.json"
    code.write_text('{"sigma":[],"attr":[]}')
    answer = document("knot", "draw", code, "--out", tmp_path)
    assert answer["crossings"] == 0 and answer["least_crossing_distance"] is None
    assert Path(answer["files"]["svg"]).read_text().count('class="strand"') == 1
