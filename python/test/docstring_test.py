"""Every example in a docstring is run, and the type stubs know every public name."""

import ast
import doctest
import os
import types
from pathlib import Path

import pytest

import prehend

ROOMS = sorted(name for name, value in vars(prehend).items() if isinstance(value, types.ModuleType) and not name.startswith("_"))
MODULES = [prehend] + [getattr(prehend, room) for room in ROOMS]


def documented():
    """(name, docstring) of every public object of the package, members of classes included, each once."""
    seen, found = set(), []

    def visit(name, value):
        if id(value) in seen or isinstance(value, types.ModuleType):
            return
        seen.add(id(value))
        found.append((name, getattr(value, "__doc__", None) or ""))
        if isinstance(value, type):
            for member_name, member in vars(value).items():
                if not member_name.startswith("_"):
                    visit(f"{name}.{member_name}", member)

    for module in MODULES:
        found.append((module.__name__, module.__doc__ or ""))
        for name, value in vars(module).items():
            if not name.startswith("_"):
                visit(f"{module.__name__}.{name}", value)
    return found


EXAMPLES = [(name, doc) for name, doc in documented() if ">>>" in doc]


def test_every_room_of_the_extension_is_looked_at():
    """Nobody keeps the list: a new room is in the package, in the extension and among the Python files."""
    extension = {name for name, value in vars(prehend._core).items() if isinstance(value, types.ModuleType)}
    files = {path.stem for path in Path(prehend.__file__).parent.glob("[a-z]*.py")}
    assert set(ROOMS) == extension == files and {"inertia", "stability", "articulation"} <= extension


def test_every_function_has_an_example():
    missing = [f"{module.__name__}.{name}" for module in MODULES for name, value in vars(module).items()
               if not name.startswith("_") and callable(value) and not isinstance(value, type) and ">>>" not in (value.__doc__ or "")]
    assert not missing, missing
    main_classes = {"Pose", "SpatialInertia", "TriangleMesh", "TriangleTree", "Polyhedron", "Scene", "Simulation"}
    assert main_classes <= {name.rsplit(".", 1)[-1] for name, _ in EXAMPLES}


@pytest.mark.parametrize("name,doc", EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_example_runs(name, doc):
    case = doctest.DocTestParser().get_doctest(doc, {}, name, None, 0)
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(case, out=said.append)
    assert runner.failures == 0 and runner.tries > 0, "".join(said)


def test_examples_of_the_page_run():
    page = Path(os.environ["PREHEND_SOURCE"]) / "docs" / "python.md"
    failures, tries = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert failures == 0 and tries > 10, "see the captured output"


def test_every_public_function_and_class_says_what_it_is():
    silent = [name for name, doc in documented() if name.count(".") == 2 and not doc.strip()]
    assert not silent, silent


@pytest.mark.parametrize("room", ROOMS)
def test_stubs_are_python_and_know_every_name(room):
    stub = Path(prehend.__file__).parent / "_core" / f"{room}.pyi"
    tree = ast.parse(stub.read_text())
    told = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    public = {name for name, value in vars(getattr(prehend._core, room)).items() if not name.startswith("_")}
    assert public and public <= told, public - told
