"""docs/sources.md resolves every key that the code cites; what a user reads names the work, never a key."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = {".h", ".cpp", ".py", ".ts", ".cmake", ".txt"}
# "source N", "sources K and T", "N (3.27)", "K's algorithm", "L table 4.1", "N, figure 3.4"
NAMED = re.compile(r"\b[Ss]ources? ([A-Z])\b(?:(?:,| and|, and) ([A-Z])\b)*")
CITED = re.compile(r"(?<![\w.'\"`\[(*/+-])([A-Z])(?:,? (?:\(\d+\.\d+\)|(?:table|tables|figure|figures|fig\.|alg\.|algorithm|chapter|ch\.) ?\d))")
STRING = re.compile(r'R"\w*\((?:.|\n)*?\)\w*"|"(?:[^"\\\n]|\\.)*"')


def tracked():
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True).stdout
    if not names:  # an unpacked archive
        return [p for p in ROOT.rglob("*") if p.is_file() and not {".venv", "build", "node_modules"} & set(p.relative_to(ROOT).parts)]
    return [ROOT / name for name in names.splitlines() if (ROOT / name).is_file()]


def works():
    rows = re.findall(r"^\| ([A-Z]) \| ([^|]+?) \|", (ROOT / "docs/sources.md").read_text(), re.MULTILINE)
    return dict(rows)


def keys_in(text):
    found = []
    for match in NAMED.finditer(text):
        found += [(match.start(), key) for key in re.findall(r"\b[A-Z]\b", match[0])]
    return found + [(match.start(), match[1]) for match in CITED.finditer(text)]


def places(path, text, found):
    return [f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, at) + 1}: {key}" for at, key in found]


def is_test(path):
    return path.name.endswith(("_test.py", "_test.cpp")) or "test" in path.relative_to(ROOT).parts


def test_every_work_is_described():
    text = (ROOT / "docs/sources.md").read_text()
    assert len(works()) >= 5
    for key, name in works().items():
        assert f"\n## {key}: {name}\n" in text, f"docs/sources.md has no section '## {key}: {name}'"


def test_every_key_is_defined():
    unknown = []
    for path in tracked():
        if path.suffix not in CODE | {".md"} or path.name == "sources_test.py":
            continue
        text = path.read_text(errors="replace")
        unknown += places(path, text, [(at, key) for at, key in keys_in(text) if key not in works()])
    assert not unknown, "keys that docs/sources.md does not define:\n" + "\n".join(unknown)


def test_users_read_the_name_of_the_work():
    shown = []
    for path in tracked():
        if is_test(path) or path.name == "sources.md":
            continue
        if path.name == "README.md" and path.relative_to(ROOT).parts[0] == "prehend":  # for readers of the code
            continue
        text = path.read_text(errors="replace") if path.suffix in CODE | {".md"} else ""
        if path.suffix == ".md":
            shown += places(path, text, keys_in(text))
        elif path.suffix in {".h", ".cpp", ".ts"}:
            for string in STRING.finditer(text):
                shown += places(path, text, [(string.start() + at, key) for at, key in keys_in(string[0])])
    assert not shown, "write the work's short name (docs/sources.md) instead of its key:\n" + "\n".join(shown)


def test_a_breach_is_seen():
    assert [key for _, key in keys_in("// source X, as in Q (3.27) and Z table 4.1, sources K and T")] == ["X", "K", "T", "Q", "Z"]
    assert not keys_in("rows of A and G, s in K; 5 N (about) and X (4 x 4)")
