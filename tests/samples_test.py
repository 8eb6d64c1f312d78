"""Recordings in the formats of published data (data/samples, data/make_samples.py): the readers, and the questions behind them, without
the published data itself. Truth is what the maker computed."""

import gzip
import json
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

PREHEND = Path(os.environ["PREHEND_BIN"]) / "prehend"
SAMPLES = Path(os.environ["PREHEND_SOURCE"]) / "data/samples"
TOOL = SAMPLES / "tools/mallet"
DOWN = ("--gravity", 0, 0, 9.81)  # this log's z axis points down


def document(*arguments, code=0):
    done = subprocess.run([PREHEND, *map(str, arguments), "--json"], capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


def truth():
    text = (TOOL / "inertia.yaml").read_text()
    number = lambda key: json.loads(re.search(rf"{key}: (.*)", text)[1])
    return number("MASS"), np.array(number("COM_WRT_MESH")), np.array(number("INERTIA_WRT_COM"))


@pytest.mark.parametrize("name,kind", [
    ("tools/mallet/motion.csv.gz", "wrench_log"), ("tools/mallet/parts.ply", "cloud"), ("tools/mallet/cloud.ply", "cloud"),
    ("tools/mallet/mesh.ply", "mesh"), ("peg_in_hole/peg.stl", "mesh"), ("peg_in_hole/peg_in_hole.pose.list", "poses"),
    ("tracks/cabinet.log", "poses"), ("tracks/oven.log", "poses"), ("assemblies/keystone.json", "scene"), ("assemblies/slope.json", "scene"),
    ("transport/arrangements.yaml#tower", "scene"), ("transport/arrangements.yaml#glass", "scene")])
def test_every_format_is_recognised(name, kind):
    assert document("inspect", SAMPLES / name)["kind"] == kind


def test_meshes_are_closed_and_have_their_volume():
    tool = document("inspect", TOOL / "mesh.ply")
    assert tool["closed"] and tool["triangles"] == 28
    assert tool["volume_m3"] == pytest.approx(30 * (30 * 250 + 120 * 50), rel=1e-6)  # the file's unit is taken as it is
    peg = document("inspect", SAMPLES / "peg_in_hole/peg.stl")
    assert peg["closed"] and peg["volume_m3"] == pytest.approx(30 * 30 * 80, rel=1e-6)


def test_a_recorded_tool_is_weighed_without_a_shape():
    mass, com, _ = truth()
    result = document("identify", "--log", TOOL / "motion.csv.gz", *DOWN, "--method", "ols")["results"][0]
    assert result["mass_kg"] == pytest.approx(mass, rel=5e-6)
    assert result["com_O_m"] == pytest.approx(list(com), abs=2e-6)


def test_a_recorded_tool_is_weighed_with_its_parts():
    mass, com, _ = truth()
    answer = document("identify", "--log", TOOL / "motion.csv.gz", *DOWN, "--parts", TOOL / "parts.ply", "--method", "geo,pmd,likelihood")
    assert answer["problems"] == []
    for result in answer["results"]:
        assert result["mass_kg"] == pytest.approx(mass, rel=2e-3), result["method"]
        # The prior of `geo` is the homogeneous tool, whose centre lies 4 cm off.
        assert result["com_O_m"] == pytest.approx(list(com), abs=2e-3 if result["method"] == "geo" else 5e-4), result["method"]


def test_the_wrong_gravity_is_named():
    answer = document("identify", "--log", TOOL / "motion.csv.gz", "--method", "ols", code=3)
    assert "gravity" in answer["error"]["message"]


def test_millinewtons_are_named(tmp_path):
    lines = gzip.open(TOOL / "motion.csv.gz", "rt").read().split()
    first = lines[0].split(",").index("fx")
    path = tmp_path / "log.csv"
    path.write_text("\n".join([lines[0]] + [",".join(str(1000 * float(x)) if first <= k < first + 6 else x for k, x in enumerate(line.split(",")))
                                            for line in lines[1:]]) + "\n")
    answer = document("identify", "--log", path, *DOWN, "--parts", TOOL / "parts.ply", code=3)
    assert "not in N" in answer["error"]["message"]


@pytest.mark.parametrize("name,kind", [("cabinet", "revolute"), ("microwave", "revolute"), ("drawer", "prismatic"), ("oven", "revolute"),
                                       ("cutlery", "prismatic")])
def test_tracks_of_doors_and_drawers(name, kind):
    assert document("joint", SAMPLES / f"tracks/{name}.log")["type"] == kind


def test_contacts_of_assemblies():
    answer = document("contacts", SAMPLES / "assemblies/keystone.json")
    assert len(answer["interfaces"]) == 2
    for interface in answer["interfaces"]:
        assert interface["area_m2"] == pytest.approx(np.hypot(1.0, 0.5), rel=1e-9)
        assert abs(interface["n_W"][2]) == pytest.approx(0.5 / np.hypot(1.0, 0.5), rel=1e-6)


def test_a_keystone_holds_by_its_weight():
    document("forces", SAMPLES / "assemblies/keystone.json", "--friction", 0.0)
    document("forces", SAMPLES / "assemblies/keystone.json", "--friction", 0.84)


@pytest.mark.parametrize("friction,code", [(0.61, 0), (0.59, 3)])
def test_the_critical_friction_of_a_slope(friction, code):
    document("forces", SAMPLES / "assemblies/slope.json", "--friction", friction, code=code)


def test_a_tray_of_things_is_carried():
    """A tower slips on the tray at mu g, long before it tips."""
    answer = document("transport", f"{SAMPLES}/transport/arrangements.yaml#tower", "--directions", 4)
    for result in answer["results"]:
        assert result["msa_mps2"] == pytest.approx(0.30 * 9.81, rel=1e-4) and result["mode"] == "slip"
        assert result["moving"] == ["lower", "upper"]


def test_a_peg_comes_to_its_hole():
    answer = document("inspect", SAMPLES / "peg_in_hole/peg_in_hole.pose.list")
    assert answer["parts"] == ["peg", "hole"] and answer["rows"] == 42
