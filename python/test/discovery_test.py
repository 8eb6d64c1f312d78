"""prehend.articulation.discover gives what `prehend discover` prints, with states as arrays."""

import json
import math
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import prehend

PREHEND = Path(os.environ["PREHEND_BIN"]) / "prehend"


@pytest.fixture
def poses(tmp_path):
    rows = ["t,part,x,y,z,qw,qx,qy,qz"]
    for t in range(50):
        a, d = 0.4 * math.sin(0.2 * t), 0.1 * math.sin(0.3 * t)
        rows += [f"{t},base,0,0,0,1,0,0,0", f"{t},door,1,0,0,{math.cos(a)!r},0,0,{math.sin(a)!r}"]
        if t != 7:  # lost
            rows.append(f"{t},drawer,0,{d!r},1,1,0,0,0")
    path = tmp_path / "poses.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_the_command_lines_answer(poses):
    result = prehend.articulation.discover(prehend.model.read_pose_log(poses))
    done = subprocess.run([PREHEND, "discover", poses, "--json"], capture_output=True, text=True, timeout=120)
    document = json.loads(done.stdout)
    assert result.status == document["status"] == "ok"
    assert result.groups == document["rigid_groups"] == [["base"], ["door"], ["drawer"]]
    assert [j.type for j in result.joints] == [j["type"] for j in document["joints"]] == ["revolute", "prismatic"]
    for ours, theirs in zip(result.joints, document["joints"], strict=True):
        states = [math.nan if q is None else q for q in theirs["states"]]
        assert ours.states.shape == (50, 1) and np.allclose(ours.states[:, 0], states, atol=1e-12, equal_nan=True)
        assert np.allclose(ours.axis, theirs["axis"]) and ours.margin == pytest.approx(theirs["margin"])
    assert np.isnan(result.joints[1].states[7, 0])
    # The truth: half turns of 0.8 rad about a vertical axis through (1, 0).
    assert abs(result.joints[0].axis[2]) == pytest.approx(1) and np.allclose(result.joints[0].point[:2], [1, 0], atol=1e-6)
    assert np.ptp(result.joints[0].states) == pytest.approx(2 * np.ptp(0.4 * np.sin(0.2 * np.arange(50))), rel=1e-6)
    assert result.to_dict()["degrees_of_freedom"] == result.degrees_of_freedom == 2


def test_files(poses):
    result = prehend.articulation.discover(prehend.model.read_pose_log(poses))
    scene = prehend.read_scene_text(result.mjcf(), "mjcf", "object.xml")
    assert {"base", "door", "drawer"} <= {body.name for body in scene.bodies}
    assert "<robot" in result.urdf()


def test_bad_arguments_are_named(poses):
    log = prehend.model.read_pose_log(poses)
    with pytest.raises(ValueError, match="hinge"):
        prehend.articulation.discover(log, types=["hinge"])
    with pytest.raises(ValueError, match="criterion"):
        prehend.articulation.discover(log, criterion="best")
