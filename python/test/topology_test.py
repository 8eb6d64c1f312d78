"""prehend.topology: the same answers as the command line's, and what it says about bad arguments."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

import prehend
from prehend import topology

EXAMPLE = Path(os.environ["PREHEND_SOURCE"]) / "data/topology"


def test_the_example():
    thing = topology.read_object(EXAMPLE / "three_links.xml")
    assert [link.name for link in thing.links] == ["link0", "link1", "link2"] and len(thing) == 3
    recording = topology.read_recording(EXAMPLE / "three_links.csv", thing)
    answer = topology.estimate_topology(thing, recording)
    assert answer.status == "ok" == answer.to_dict()["status"] and answer.problems == [] and answer.reason == ""
    assert [joint.type for joint in answer.joints] == ["revolute", "prismatic"]
    assert np.linalg.norm(answer.joints[0].axis_F) == pytest.approx(1)
    assert answer.joints[0].hypotheses[0].posterior > 0.999
    assert json.loads(answer.to_json())["joints"][1]["type"] == "prismatic"
    assert "revolute" in answer.brief_report()
    two = topology.estimate_topology(thing, recording, types=["prismatic", "revolute"])
    assert [len(joint.hypotheses) for joint in two.joints] == [2, 2]


def test_the_source_beside_ours():
    made = topology.simulate_recording("prismatic", seed=2)
    assert made.types == ["prismatic"]
    result = topology.source_algorithm(made.object, made.recording)
    (joint,) = result.joints
    assert result.status == "ok" and result.to_dict()["joints"][0]["type"] == "prismatic"
    assert joint.type == "prismatic" and joint.prismatic_error < joint.revolute_error


def test_bad_arguments_are_named():
    thing = topology.read_object(EXAMPLE / "three_links.xml")
    recording = topology.read_recording(EXAMPLE / "three_links.csv", thing)
    with pytest.raises(ValueError, match="no hypothesis is called 'hinge'"):
        topology.estimate_topology(thing, recording, types=["hinge"])
    with pytest.raises(ValueError, match="no link 'nobody'"):
        topology.read_recording(EXAMPLE / "three_links.csv", thing, held=["link0", "nobody"])
    wrong = topology.read_recording(EXAMPLE / "three_links.csv", thing, gravity=[0, 0, 0])
    answer = topology.estimate_topology(thing, wrong)
    assert answer.status == "undetermined" and "gravity is missing" in answer.problems[0]


def test_a_recording_from_arrays_is_that_of_the_file(tmp_path):
    """Also the way to URDF, with the joints found."""
    path = EXAMPLE / "three_links.xml"
    thing = topology.read_object(path)
    rows = np.genfromtxt(EXAMPLE / "three_links.csv", delimiter=",", names=True)
    poses = [np.stack([rows[f"l{i}_{c}"] for c in ("x", "y", "z", "qw", "qx", "qy", "qz")], 1) for i in range(3)]
    wrenches = [np.stack([rows[f"{kind}{side}_{axis}"] for kind in "tf" for axis in "xyz"], 1) for side in "lr"]
    made = topology.Recording(t=rows["t"], poses=poses, held=[0, 2], wrenches=wrenches)
    found = topology.estimate_topology(thing, made)
    read = topology.estimate_topology(thing, topology.read_recording(EXAMPLE / "three_links.csv", thing))
    assert [joint.type for joint in found.joints] == ["revolute", "prismatic"]
    assert found.score == pytest.approx(read.score, rel=1e-9)  # what rounding of quaternions leaves
    scene = topology.found_scene(path, thing, found)
    prehend.write_urdf(scene, tmp_path / "found.urdf")
    assert "prismatic" in (tmp_path / "found.urdf").read_text()
    for wrong, said in (({"poses": poses[:2] + [poses[2][:, :6]]}, "poses.2. must have a row x y z qw"),
                        ({"held": [0]}, "held names 1 links, wrenches has 2 arrays"),
                        ({"wrenches": [wrenches[0], wrenches[1][1:]]}, "wrenches.1. must have a row tx ty tz fx")):
        with pytest.raises(ValueError, match=said):
            topology.Recording(**{"t": rows["t"], "poses": poses, "held": [0, 2], "wrenches": wrenches, **wrong})
    with pytest.raises(ValueError, match="links"):
        topology.estimate_topology(thing, topology.Recording(t=rows["t"], poses=poses[:2], held=[0, 1], wrenches=wrenches))
