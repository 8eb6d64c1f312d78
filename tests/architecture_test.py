"""Rooms use only the rooms below them; doors show only doors, Eigen and the standard library; inner rooms stay inside."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ORDER = ["math", "geometry", "model", "simulate", "report", "inertia", "parts", "articulation", "topology",
         "stability", "placement", "observation", "knot", "assist"]
GROUND = ["math", "geometry", "model", "simulate", "report"]
DOORS = {("placement", "stability"), ("topology", "articulation"), ("topology", "inertia"),
         ("observation", "articulation"), ("parts", "inertia")}
# Folders inside a room that are doors of their own, for those who want them.
DOOR_FOLDERS = {"simulated", "markers"}
# What rooms lend each other and nobody else sees: not installed, included by no door and no program.
HOUSE_FOLDER = "house"
NOT_LIBRARY = {"test", "fuzz"}
MOST_HEADERS = 30  # in one folder: what a reader can overlook
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def may_use(user, used):
    """The design's rule, as a predicate."""
    if user == used:
        return True
    if used in GROUND:
        return user not in GROUND or ORDER.index(used) < ORDER.index(user)
    return (user, used) in DOORS


def includes(path):
    return INCLUDE.findall(path.read_text())


def files(*folders):
    return [p for folder in folders for p in sorted((ROOT / folder).rglob("*")) if p.suffix in (".h", ".cpp")]


def folders_of(name):
    """The folders between the room and the file: prehend/stability/limit/x.h -> ["limit"]."""
    return Path(name).parts[2:-1]


def is_door(name):
    """Whether a header of the library is public."""
    between = folders_of(name)
    return len(between) == 0 or (len(between) == 1 and between[0] in DOOR_FOLDERS)


def is_for_the_house(name):
    """Whether a header serves the sources of other rooms, too, but no user."""
    return folders_of(name) == (HOUSE_FOLDER,)


def is_library(path):
    return not NOT_LIBRARY.intersection(path.relative_to(ROOT).parts)


def test_the_rule_itself():
    assert may_use("geometry", "math") and not may_use("math", "geometry")
    assert may_use("placement", "stability") and not may_use("stability", "placement")
    assert may_use("knot", "report") and not may_use("knot", "stability")
    assert is_door("prehend/stability/robustness.h") and is_door("prehend/articulation/markers/marker_options.h")
    assert not is_door("prehend/stability/limit/limit_map.h")
    assert is_for_the_house("prehend/math/house/option_check.h") and not is_door("prehend/math/house/option_check.h")
    assert not is_door("prehend/articulation/markers/detection/square_pose.h")


def test_rooms_use_only_what_they_may():
    wrong, seen = [], 0
    for path in files("prehend"):
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
    for path in files("prehend"):
        if path.suffix != ".h" or not is_library(path):
            continue
        for bracket, name in includes(path):
            standard = "/" not in name and "." not in name and bracket == "<"
            if not (standard or name.startswith(("Eigen/", "prehend/"))):
                wrong.append(f"{path.relative_to(ROOT)}: includes {name}")
    assert not wrong, "\n".join(wrong)


def test_inner_rooms_stay_inside():
    """An inner header is included by its own room's sources, inner headers and tests, and by benchmarks: by nothing else. One in `house/`
    may be included by those of other rooms, too."""
    wrong, inner = [], 0
    for path in files("prehend", "apps", "python/src", "examples", "tests/consumer"):
        relative = path.relative_to(ROOT)
        room = relative.parts[1] if relative.parts[0] == "prehend" else None
        is_public = room is None or (path.suffix == ".h" and is_library(path) and is_door(str(relative)))
        for _, name in includes(path):
            if not name.startswith("prehend/") or is_door(name):
                continue
            inner += 1
            if room is None or (room != name.split("/")[1] and not is_for_the_house(name)):
                wrong.append(f"{relative}: reaches into another room's {name}")
            elif is_public:
                wrong.append(f"{relative}: a door that includes {name}")
    assert inner > 20, "met hardly any inner header: the test looks at the wrong place"
    assert not wrong, f"{len(wrong)}:\n" + "\n".join(wrong)


def test_folders_can_be_overlooked():
    wrong = []
    for room in sorted(p for p in (ROOT / "prehend").iterdir() if p.is_dir()):
        readme = room / "README.md"
        if not readme.exists():
            wrong.append(f"prehend/{room.name} has no README.md")
        elif len(readme.read_text().splitlines()) > 60:
            wrong.append(f"prehend/{room.name}/README.md has more than 60 lines")
        for folder in [room] + [p for p in sorted(room.rglob("*")) if p.is_dir()]:
            headers = list(folder.glob("*.h"))
            if len(headers) > MOST_HEADERS:
                wrong.append(f"{folder.relative_to(ROOT)}: {len(headers)} headers, at most {MOST_HEADERS}")
    assert not wrong, "\n".join(wrong)


def unit_graph():
    """Which unit (header and source of one name) uses which, by their includes."""
    graph = {}
    for path in files("prehend"):
        if not is_library(path):
            continue
        unit = str(path.relative_to(ROOT).with_suffix(""))
        used = {name[:-2] for _, name in includes(path) if name.startswith("prehend/")}
        graph.setdefault(unit, set()).update(used - {unit})
    return graph


def strong_components(graph):
    """Tarjan's algorithm, without recursion."""
    index, low, on_stack, stack, components = {}, {}, set(), [], []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(sorted(graph[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, successors = work[-1]
            for successor in successors:
                if successor not in graph:
                    continue
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    stack.append(successor)
                    on_stack.add(successor)
                    work.append((successor, iter(sorted(graph[successor]))))
                    break
                if successor in on_stack:
                    low[node] = min(low[node], index[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = []
                    while True:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                        if component[-1] == node:
                            break
                    components.append(component)
    return components


def test_data_flows_one_way():
    assert sorted(map(len, strong_components({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}))) == [1, 3]
    cycles = [c for c in strong_components(unit_graph()) if len(c) > 2]
    assert not cycles, "\n".join("cycle of units: " + ", ".join(sorted(c)) for c in cycles)


def test_inner_units_serve_the_library():
    """What only tests or benchmarks use stands with them (`test/`, `bench/`), not in the library."""
    users = {}
    for path in files("prehend", "apps", "python/src", "examples"):
        if is_library(path):
            for _, name in includes(path):
                users.setdefault(name, set()).add(str(path.relative_to(ROOT)))
    headers = [str(p.relative_to(ROOT)) for p in files("prehend") if p.suffix == ".h" and is_library(p) and not is_door(str(p.relative_to(ROOT)))]
    assert len(headers) > 100
    unused = [name for name in headers if not users.get(name, set()) - {name[:-2] + ".cpp"}]
    assert not unused, "only their own source, tests or benchmarks include:\n" + "\n".join(unused)


# (what, pattern, the one place where it may stand)
ONE_WAY = [
    ("pi and degrees come from prehend/math/angles.h", re.compile(r"\bM_PI\w*|std::numbers::pi\b|3\.14159"), {"prehend/math/angles.h"}),
    ("text becomes a number by model::parse_number or parse_integer (\"1kg\" is none)",
     re.compile(r"\bstd::sto(?:d|f|ld|i|l|ll|ul|ull)\b|\b(?:atof|atoi|atol|strtod|strtof|strtol|sscanf)\("), {"prehend/model/text_scan.cpp"}),
    ("enumerators are lower_case", re.compile(r"enum class \w+[^;{]*\{[^}]*\bk[A-Z]\w*"), set()),
    ("to_json() has no arguments: a result knows what it prints", re.compile(r"^  (?:virtual )?std::string to_json\([^)]", re.M), set()),
]


def test_things_are_said_in_one_way():
    wrong = []
    for path in files("prehend", "apps", "bench", "python/src", "examples"):
        name = str(path.relative_to(ROOT))
        code = re.sub(r"//[^\n]*", "", path.read_text()) if is_library(path) else ""
        for what, pattern, places in ONE_WAY:
            if name not in places and (found := pattern.search(code)):
                wrong.append(f"{name}: {found[0][:60]!r}: {what}")
    assert not wrong, "\n".join(wrong)


# Definitions at the top level of an unnamed namespace; clang-format leaves them at the first column.
HIDDEN_NAME = re.compile(r"^(?:(?:struct|class|enum class) (\w+)\b[^;]*\{|constexpr [^=(]*?\b(k\w+)(?:\[\w*\])* ?[={])", re.MULTILINE)


HIDDEN_FUNCTION = re.compile(r"^[A-Za-z][\w:<>,&* ]*? \**&?(\w+)\(([^(){}]*)\)(?: const)?(?: ->[^{]*)? \{", re.MULTILINE)


def signature(name, parameters):
    """A function's name with the types that it takes: overloads may share a name."""
    types = []
    for parameter in re.split(r",(?![^<]*>)", parameters):
        parameter = re.sub(r"\s*=.*$", "", " ".join(parameter.split()))
        types.append(re.sub(r"(?<=[&*> ])\w+$", "", parameter).strip())
    return f"{name}({', '.join(types)})"


def hidden_names(path):
    """Types, constants and functions in the unnamed namespaces of a source."""
    parts = re.findall(r"^namespace \{$(.*?)^\}  // namespace$", path.read_text(), re.MULTILINE | re.DOTALL)
    return ({kind or constant for part in parts for kind, constant in HIDDEN_NAME.findall(part)} |
            {signature(*found) for part in parts for found in HIDDEN_FUNCTION.findall(part) if not found[0].startswith("TEST")})


def test_files_of_a_room_can_be_compiled_together():
    """Sources of a room (and its tests) are compiled in batches: what they hide must not have the same name."""
    wrong, seen = [], 0
    for room in ORDER:
        places = {}
        for path in files(f"prehend/{room}"):
            if path.suffix != ".cpp" or "_kernel_" in path.name or path.stem.endswith("_tool") or {"fuzz", "markers"} & set(path.parts):
                continue
            for name in hidden_names(path):
                seen += 1
                places.setdefault((name, "test" in path.parts), []).append(str(path.relative_to(ROOT)))
        wrong += [f"{name}: {', '.join(paths)}" for (name, _), paths in places.items() if len(paths) > 1]
    assert seen > 300, "met hardly any name: the test looks at the wrong place"
    assert not wrong, "\n".join(wrong)
