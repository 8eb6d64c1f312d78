"""Sizes that keep the code readable: functions, opening comments, verbs, lines of the docs, compile times.

`python3 tests/size_test.py` lists everything over the limits. As a test it fails on functions and opening comments;
the rest is advice, printed with `pytest -s`.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ.get("PREHEND_SOURCE", Path(__file__).resolve().parent.parent))

FUNCTION_LINES = 80     # a screen
COMMENT_WORDS = 150     # of a header's opening comment
VERB_LINES = 125        # of a file in apps/prehend that defines a verb
DOC_CHARACTERS = 200    # of a line in docs/
UNIT_SECONDS = 12       # of compiling one unit

SCOPE = re.compile(r"(?:inline )?namespace\b|extern \"\"$|(?:typedef )?(?:class|struct|union|enum)\b[^(]*$")
RAW_STRING = re.compile(r'R"([^ ()\\\t\n]{0,16})\((.*?)\)\1"', re.S)
NOISE = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", re.M)


def blank(match):
    """The same number of lines, nothing else."""
    return "\n" * match.group(0).count("\n")


def code_of(text):
    """The text without comments, strings and preprocessor lines; lines stay where they are."""
    text = RAW_STRING.sub(lambda match: '""' + blank(match), text)
    # Directives after comments and strings: a '#' inside one is none.
    return DIRECTIVE.sub(blank, NOISE.sub(lambda match: '""' + blank(match) if match.group(0)[0] == '"' else " " + blank(match), text))


def without_brackets(declaration):
    """The declaration without template arguments and attributes, so that what is left in parentheses are parameters."""
    declaration = re.sub(r"\[\[.*?\]\]", " ", declaration, flags=re.S)
    former = None
    while former != declaration:
        former, declaration = declaration, re.sub(r"<[^<>;{}]*>", " ", declaration)
    return declaration


def opens_scope(declaration):
    """Whether a brace after this text opens a namespace, class or enum."""
    return SCOPE.match(re.sub(r"^(?:template\s+)+", "", without_brackets(declaration).strip())) is not None


def opens_function(declaration):
    """Whether a brace after this text, in a namespace or class, opens a function's body."""
    plain = without_brackets(declaration).strip()
    if "(" not in plain or plain.endswith(("=", ",", "(", "return")):
        return False
    # In this layout a blank stands before a body, none before the braces of an initialiser: `size_{1}`.
    return declaration[-1:].isspace()


def functions(text):
    """(first line, number of lines, what it begins with) of every function that is not inside another."""
    code = code_of(text)
    found, scopes = [], 0
    begin = position = 0
    while position < len(code):
        letter = code[position]
        if letter == ";" or (letter == "}" and scopes):
            scopes -= letter == "}"
            begin = position + 1
        elif letter == ":" and re.search(r"\b(public|private|protected)\s*$", code[begin:position]):
            begin = position + 1
        elif letter == "{":
            declaration = code[begin:position]
            if opens_scope(declaration):
                scopes += 1
                begin = position + 1
            else:
                end = closing(code, position)
                if opens_function(declaration):
                    start = begin + len(declaration) - len(declaration.lstrip())
                    first = code.count("\n", 0, start) + 1
                    lines = code.count("\n", start, end) + 1
                    found.append((first, lines, " ".join(declaration.split())[:80]))
                    begin = end + 1
                position = end
        position += 1
    return found


def closing(code, opening):
    depth = 0
    for position in range(opening, len(code)):
        depth += (code[position] == "{") - (code[position] == "}")
        if depth == 0:
            return position
    return len(code) - 1


def tracked(*patterns):
    names = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z", "--", *patterns], capture_output=True, text=True, check=True).stdout
    return [SOURCE / name for name in names.split("\0") if name and (SOURCE / name).is_file()]


def is_test(path):
    parts = path.relative_to(SOURCE).parts
    return ("test" in parts or "fuzz" in parts or parts[0] == "tests") and not path.stem.endswith("_tool")


def name_of(path):
    return str(path.relative_to(SOURCE))


def long_functions():
    return sorted(((lines, f"{name_of(path)}:{first}", what) for path in tracked("*.cpp", "*.h") if not is_test(path)
                   for first, lines, what in functions(path.read_text()) if lines > FUNCTION_LINES), reverse=True)


def opening_comment(text):
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:])
    return " ".join(lines).split()


def long_comments():
    return sorted(((len(opening_comment(path.read_text())), name_of(path)) for path in tracked("*.h")
                   if len(opening_comment(path.read_text())) > COMMENT_WORDS), reverse=True)


def long_verbs():
    verb = re.compile(r"^Verb \w+_verb\(", re.M)
    return sorted(((len(text.splitlines()), name_of(path)) for path in tracked("apps/prehend/*.cpp")
                   if verb.search(text := path.read_text()) and len(text.splitlines()) > VERB_LINES), reverse=True)


def long_doc_lines():
    return [(len(line), f"{name_of(path)}:{number}") for path in tracked("*.md")
            for number, line in enumerate(path.read_text().splitlines(), 1) if len(line) > DOC_CHARACTERS]


def slow_units():
    slow = {}
    for log in SOURCE.glob("build/*/.ninja_log"):
        for line in log.read_text().splitlines()[1:]:
            start, end, _, output = line.split("\t")[:4]
            seconds = (int(end) - int(start)) / 1000
            if output.endswith(".o") and seconds > UNIT_SECONDS:
                slow[f"{log.parent.name}/{output}"] = seconds
    return sorted(((seconds, output) for output, seconds in slow.items()), reverse=True)


def checkout_paths():
    """Files that name a folder of one machine."""
    path = re.compile(r"(?<![\w.$}/])/(?:work|home|root|Users)/[\w.]+/")
    return [(f"{name_of(file)}:{number}", line.strip()[:100]) for file in tracked()
            if file.suffix in {".cpp", ".h", ".py", ".txt", ".cmake", ".in", ".md", ".json", ".sh", ".toml", ".ts", ".yaml", ".yml", ""}
            for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1) if path.search(line)
            and file != Path(__file__).resolve()]


LISTS = [
    (f"functions of more than {FUNCTION_LINES} lines", long_functions, True),
    (f"opening comments of more than {COMMENT_WORDS} words", long_comments, True),
    (f"verb files of more than {VERB_LINES} lines", long_verbs, False),
    (f"lines of the docs with more than {DOC_CHARACTERS} characters", long_doc_lines, False),
    (f"units that took more than {UNIT_SECONDS} s to compile (beside others)", slow_units, False),
    ("files that name a folder of one machine", checkout_paths, False),
]


def listing(title, entries):
    return f"{len(entries)} {title}\n" + "".join("  " + "  ".join(str(field) for field in entry) + "\n" for entry in entries)


def test_functions_fit_a_screen():
    entries = long_functions()
    assert not entries, listing(LISTS[0][0], entries)


def test_headers_open_with_a_short_comment():
    entries = long_comments()
    assert not entries, listing(LISTS[1][0], entries)


def test_advice():
    for title, find, must in LISTS:
        if not must:
            print(listing(title, find()))


def test_the_scan_finds_functions_and_nothing_else():
    text = '''#include <x>
#define M(a) { a; }
namespace a {
struct S : T<void(int)> {
  S() : a_{1}, b_(2) { go(); }
  int f() const { return '{'; }  // one line {
  std::function<void(int)> g{nullptr};
  enum class E { x, y };
};
constexpr int kTable[] = {1, 2};
template <class T>
auto h(const std::vector<T>& v, int n = f(2))
    -> int {
  const auto inner = [&](int i) { return v[i]; };
  const char* text = R"doc(
    {{{ not code
)doc";
  return inner(n) + 1'000;
}
extern "C" void k(int) {}
const auto lambda = [](int x) { return x; };
}  // namespace a
'''
    assert [(first, lines) for first, lines, _ in functions(text)] == [(5, 1), (6, 1), (11, 9), (20, 1), (21, 1)]


if __name__ == "__main__":
    failed = False
    for title_, find_, must_ in LISTS:
        entries_ = find_()
        failed = failed or (must_ and bool(entries_))
        print(listing(title_, entries_))
    sys.exit(1 if failed else 0)
