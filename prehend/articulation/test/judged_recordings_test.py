"""Recordings of judged_recordings.py that were once wrong or refused without need; with PREHEND_SLOW=1 four of every kind."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
import judged_recordings as judged


def asked(kind, seed, i, variant, folder):
    number = list(judged.KINDS).index(kind)
    log, truth = judged.KINDS[kind](np.random.default_rng([seed, number, i]))
    other, new = judged.varied(np.random.default_rng([seed, number, i, judged.VARIANTS.index(variant)]), log, variant)
    path = folder / "poses.csv"
    path.write_text(other.text())
    return judged.asked(path, {**truth, "new": new})


@pytest.mark.parametrize("kind, seed, i, variant", [
    ("arm_short", 11, 1, "whole"),  # the hinge of 15 degrees was skipped: two in a row are one
    ("arm", 11, 2, "world"),  # mirrored markers, the camera elsewhere: a hinge hung on the wrong part
    ("arm_short", 12, 1, "whole"),  # mirrored poses at an end of the recording
    ("arm_without_middle", 12, 2, "whole"),  # two hinges, the part between them not seen, were one
])
def test_is_right(kind, seed, i, variant, tmp_path):
    found = asked(kind, seed, i, variant, tmp_path)
    assert found[0] == "right", found


def test_a_small_hinge_with_mirrored_markers_is_not_rigid(tmp_path):
    log, _ = judged.arm_short(np.random.default_rng([12, list(judged.KINDS).index("arm_short"), 1]))
    path = tmp_path / "poses.csv"
    path.write_text(log.text())
    found = judged.asked(path, {"fixed": "m1", "moving": "m2", "type": {"revolute"}})
    assert found[0] != "wrong", found


@pytest.mark.parametrize("i", [4, 15])
def test_noise_at_rest_is_no_motion(i, tmp_path):
    log, truth = judged.still(np.random.default_rng([11, 24, i]))
    path = tmp_path / "poses.csv"
    path.write_text(log.text())
    assert judged.asked(path, truth)[0] == "right"


def test_one_thing_that_is_carried_is_one_group(tmp_path):
    log, truth = judged.together_found(np.random.default_rng([11, 14, 0]))
    path = tmp_path / "poses.csv"
    path.write_text(log.text())
    assert judged.asked(path, truth)[0] == "right"


@pytest.mark.skipif(not os.environ.get("PREHEND_SLOW"), reason="four recordings of 34 kinds, arms in twelve variants: PREHEND_SLOW=1")
def test_few_are_wrong_with_status_ok():
    assert judged.sweep(4, 2, [], judged.VARIANTS, False, None) <= 8
