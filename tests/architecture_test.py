"""Rooms use only the rooms below them, and public headers show only Eigen and the standard library."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ORDER = ["math", "geometry", "model", "simulate", "report", "inertia", "parts", "articulation", "topology",
         "stability", "placement", "observation", "knot", "assist"]
GROUND = ["math", "geometry", "model", "simulate", "report"]
DOORS = {("placement", "stability"), ("topology", "articulation"), ("topology", "inertia"),
         ("observation", "articulation"), ("parts", "inertia")}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def may_use(user, used):
    """The design's rule, as a predicate."""
    if user == used:
        return True
    if used in GROUND:
        return user not in GROUND or ORDER.index(used) < ORDER.index(user)
    return (user, used) in DOORS


def includes(path):
    return [(bracket, name) for bracket, name in INCLUDE.findall(path.read_text())]


def sources():
    return [p for p in sorted((ROOT / "prehend").rglob("*")) if p.suffix in (".h", ".cpp")]


def test_the_rule_itself():
    assert may_use("geometry", "math") and not may_use("math", "geometry")
    assert may_use("placement", "stability") and not may_use("stability", "placement")
    assert may_use("knot", "report") and not may_use("knot", "stability")


def test_rooms_use_only_what_they_may():
    wrong, seen = [], 0
    for path in sources():
        room = path.relative_to(ROOT / "prehend").parts[0]
        assert room in ORDER, f"{path}: the design knows no room '{room}'"
        for _, name in includes(path):
            if name.startswith("prehend/"):
                seen += 1
                used = name.split("/")[1]
                if not may_use(room, used):
                    wrong.append(f"{path.relative_to(ROOT)}: {room} may not use {used} ({name})")
                assert (ROOT / name).exists(), f"{path}: includes {name}, which does not exist"
            elif name.startswith(".."):
                wrong.append(f"{path.relative_to(ROOT)}: back door {name}")
    assert seen > 20, "read hardly any include: the test looks at the wrong place"
    assert not wrong, "\n".join(wrong)


def test_public_headers_show_only_eigen_and_the_standard_library():
    wrong = []
    for path in sources():
        if path.suffix != ".h" or "test" in path.parts or "fuzz" in path.parts:
            continue
        for bracket, name in includes(path):
            standard = "/" not in name and "." not in name and bracket == "<"
            if not (standard or name.startswith(("Eigen/", "prehend/"))):
                wrong.append(f"{path.relative_to(ROOT)}: includes {name}")
    assert not wrong, "\n".join(wrong)
