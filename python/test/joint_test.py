"""prehend.articulation.fit_joint and select_joint: arrays in, typed results out, the command line's answer."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import prehend

PREHEND = Path(os.environ["PREHEND_BIN"]) / "prehend"


def door(n=60, noise=0.0, seed=1):
    """A door about the vertical through (1, 2), handle 0.5 m away: rows x y z qw qx qy qz."""
    rng = np.random.default_rng(seed)
    angle = 1.3 * np.linspace(0, 1, n) ** 2
    zero = 0 * angle
    rows = np.c_[1 + 0.5 * np.cos(angle), 2 + 0.5 * np.sin(angle), 0.7 + zero, np.cos(angle / 2), zero, zero, np.sin(angle / 2)]
    rows[:, :3] += noise * rng.standard_normal((n, 3))
    return rows, angle


def as_matrices(rows):
    return np.array([[*r, p] for row in rows for r, p in zip(prehend.Pose(row[3:], row[:3]).R, row[:3], strict=True)]).reshape(-1, 3, 4)


def test_one_type_from_every_form():
    rows, angle = door(noise=0.001)
    matrices = np.zeros((len(rows), 4, 4))
    matrices[:, :3, :] = as_matrices(rows)
    matrices[:, 3, 3] = 1
    a, b = (prehend.articulation.fit_joint("revolute", poses) for poses in (rows, matrices))
    for fit in (a, b):
        assert fit.status == "ok" and fit.type == "revolute"
        assert abs(fit.axis_F[2]) > 1 - 1e-5
        assert np.linalg.norm(fit.point_F[:2] - [1, 2]) < 5 * fit.std_point_F < 0.01
        assert fit.states.shape == (60, 1) and np.ptp(fit.states) == pytest.approx(angle[-1], abs=0.01)
        assert fit.covariance.shape == (9, 9) and np.all(np.linalg.eigvalsh(fit.covariance) > 0)
        assert fit.upper[0] - fit.lower[0] == pytest.approx(np.ptp(fit.states))
    assert np.allclose(a.point_F, b.point_F, atol=1e-9)
    circle = prehend.articulation.fit_joint("revolute", rows[:, :3])
    assert circle.status == "ok" and np.linalg.norm(circle.point_F[:2] - [1, 2]) < 0.02
    assert circle.noise_position == pytest.approx(0.001, rel=0.3)


def test_lost_frames_and_times():
    rows, _ = door()
    rows[7] = np.nan
    fit = prehend.articulation.fit_joint("revolute", rows, times=np.arange(60) / 30)
    assert fit.states.shape == (60, 1) and np.isnan(fit.states[7, 0]) and len(fit.weights) == 59


def test_selection_is_the_command_lines(tmp_path):
    rows, _ = door(noise=0.002)
    found = prehend.articulation.select_joint(rows)
    path = tmp_path / "door.csv"
    path.write_text("t,part,x,y,z,qw,qx,qy,qz\n" + "".join(f"{t},door,{','.join(map(repr, map(float, row)))}\n" for t, row in enumerate(rows)))
    done = subprocess.run([PREHEND, "joint", path, "--json"], capture_output=True, text=True, timeout=60, check=True)
    theirs = json.loads(done.stdout)
    assert found.status == theirs["status"] == "ok" and found.type == theirs["type"] == "revolute"
    assert np.allclose(found.fit.axis_F, theirs["axis_F"], atol=1e-9)
    assert [c.type for c in found.candidates] == [c["type"] for c in theirs["candidates"]]
    assert found.candidates[0].score == pytest.approx(theirs["candidates"][0]["score"])
    assert all(c.explanation for c in found.candidates) and found.rivals == []
    assert json.loads(found.to_json())["type"] == "revolute" and found.to_dict()["type"] == "revolute"


def test_too_little_motion_is_said():
    rows, _ = door(n=40)
    rng = np.random.default_rng(2)
    still = rows[:1, :3] + np.c_[0.02 * np.linspace(0, 1, 40), np.zeros((40, 2))] + 0.002 * rng.standard_normal((40, 3))
    found = prehend.articulation.select_joint(still)
    assert found.status == "undetermined" and found.reason


@pytest.mark.parametrize(
    "poses, options, words",
    [
        (np.zeros((5, 5)), {}, "must be"),
        (np.zeros((5, 7)), {}, r"poses\[0\].*norm"),
        (np.zeros((5, 4, 4)), {}, "no rotation"),
        (np.full((5, 3), np.inf), {}, "infinite"),
        (np.zeros((5, 3)), {"times": [0, 1, 1, 2, 3]}, r"times\[2\]"),
        (np.zeros((5, 3)), {"times": [0, 1]}, "2 entries for 5"),
        (np.zeros((5, 3)), {"method": "best"}, "method"),
    ],
)
def test_bad_input_is_named(poses, options, words):
    with pytest.raises(ValueError, match=words):
        prehend.articulation.fit_joint("revolute", poses, **options)


def test_unknown_type_is_named():
    with pytest.raises(ValueError, match="hinge"):
        prehend.articulation.fit_joint("hinge", np.zeros((5, 3)))
