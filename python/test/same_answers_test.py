"""C++, command line and Python give the same answers: the examples run in pairs, beside `prehend ... --json`."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import prehend

BIN = Path(os.environ["PREHEND_BIN"])
SOURCE = Path(os.environ["PREHEND_SOURCE"])
MESH, STACK, WEDGE = (SOURCE / "data" / name for name in ("objects/nut.obj", "scenes/stack.xml", "scenes/table_and_wedge.xml"))
MALLET = (SOURCE / "data/logs/mallet.csv", SOURCE / "data/logs/mallet_parts.ply")
DRAWER, ARM, ROPE = (SOURCE / "data" / name for name in ("poses/drawer.csv", "poses/arm.csv", "ropes/overhand.csv"))
LINKS = (SOURCE / "data/topology/three_links.xml", SOURCE / "data/topology/three_links.csv")
STACK_AND_CRATE = (STACK, "crate_small")
INSERTION = tuple(SOURCE / "data/observation" / name for name in ("peg.obj", "groove.obj", "insertion.csv"))
NUMBER = re.compile(r"-?\d[\d.]*(?:e[-+]\d+)?")


def lines(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def command_line(*arguments):
    return json.loads("\n".join(lines(BIN / "prehend", *arguments, "--json")))


@pytest.mark.parametrize("example,file", [("01_inspect", MESH), ("02_contacts", STACK), ("02_contacts", WEDGE), ("03_settle", STACK),
                                          ("04_robustness", STACK), ("04_robustness", WEDGE), ("05_transport", STACK),
                                          ("06_disassemble", WEDGE), ("07_identify", MALLET), ("08_joint", DRAWER), ("09_discover", ARM),
                                          ("10_topology", LINKS), ("11_knot", ROPE), ("12_mend", SOURCE / "data/scenes/seen_stack.xml"), ("13_segment", MESH),
                                          ("14_place", STACK_AND_CRATE), ("16_watch", INSERTION), ("18_execute", INSERTION),
                                          ("17_second_order", SOURCE / "data/contacts/egg_between_fingers.json")])
def test_examples_print_the_same(example, file):
    files = file if isinstance(file, tuple) else (file,)
    cpp = lines(BIN / f"example_{example}", *files)
    python = lines(sys.executable, SOURCE / "examples" / f"{example}.py", *files)
    assert len(cpp) >= 3
    # The same code ran: the numbers are equal to the last digit, however the two languages print them.
    assert [NUMBER.sub("#", line) for line in cpp] == [NUMBER.sub("#", line) for line in python]
    assert [[float(x) for x in NUMBER.findall(line)] for line in cpp] == [[float(x) for x in NUMBER.findall(line)] for line in python]


def test_every_example_is_a_pair():
    names = {path.stem for path in (SOURCE / "examples").glob("[0-9]*")}
    assert names
    for name in names:
        assert (SOURCE / "examples" / f"{name}.cpp").exists() and (SOURCE / "examples" / f"{name}.py").exists(), name


def test_identify_is_the_command_lines():
    log, parts = MALLET
    result = prehend.identify(prehend.model.read_wrench_log(log), prehend.inertia.read_parts([parts]), methods=["likelihood", "hps"])
    ours, theirs = json.loads(result.to_json()), command_line("identify", "--log", log, "--parts", parts, "--method", "likelihood,hps")
    for a, b in zip(ours["results"], theirs["results"], strict=True):
        assert {k: v for k, v in a.items() if k != "time_ms"} == {k: v for k, v in b.items() if k != "time_ms"}


def without_time(document):
    return {key: value for key, value in document.items() if key not in ("verb", "time_ms")}


@pytest.mark.parametrize("file", [MESH, STACK, WEDGE], ids=lambda path: path.name)
def test_inspect_is_the_command_lines(file):
    assert prehend.inspect_file(file).to_dict() == without_time(command_line("inspect", file))


@pytest.mark.parametrize("file", [STACK, WEDGE], ids=lambda path: path.name)
def test_contacts_are_the_command_lines(file):
    contacts = prehend.find_scene_contacts(prehend.read_scene(file))
    document = command_line("contacts", file)
    assert contacts.to_dict() == without_time(document) and document["interfaces"]
    # The objects say what the document says.
    for told, interface in zip(document["interfaces"], contacts.interfaces, strict=True):
        assert told["body_a"] == contacts.body_names[interface.body_a]
        assert told["area_m2"] == interface.patch.area_m2 and told["n_W"] == interface.patch.n_W.tolist()
        assert told["points_W_m"] == interface.patch.points_W.tolist()


def test_errors_are_the_command_lines(tmp_path):
    path = tmp_path / "bad.xml"
    path.write_text("<mujoco>\n<worldbody>\n<body><freejoint/><geom type='box' size='1 1'/></body></worldbody></mujoco>")
    done = subprocess.run([BIN / "prehend", "contacts", path], capture_output=True, text=True)
    assert done.returncode == 2
    with pytest.raises(prehend.InputError) as caught:
        prehend.read_scene(path)
    assert str(caught.value) == done.stderr.strip()


@pytest.mark.parametrize("file", [STACK, WEDGE], ids=lambda path: path.name)
def test_stability_is_the_command_lines(file):
    scene = prehend.read_scene(file)
    document = command_line("robustness", file, "--map", "--points", 200, "--seed", 3)
    assert prehend.robustness_map(scene, 200, seed=3).to_dict() == without_time(document) and len(document["results"]) == 200
    assert prehend.forces(scene).to_dict() == without_time(command_line("forces", file))
    assert prehend.transport(scene, directions=6).to_dict() == without_time(command_line("transport", file, "--directions", 6))
    assert prehend.disassemble(scene).to_dict() == without_time(command_line("disassemble", file))
