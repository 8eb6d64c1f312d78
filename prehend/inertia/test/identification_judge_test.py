"""Recordings with other people's troubles: one of each kind that was once wrong; with PREHEND_SLOW=1 four of every kind."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import identification_judge as judge


def test_what_is_wrong_is_never_ok():
    """Something carried by a table for a while, torques about another point, poses turned round: no answer. Spikes: a right one."""
    kinds = [judge.touching, judge.other_point, judge.inverse_pose, judge.spikes]
    counts, details = judge.sweep(kinds, 1, 81)
    assert counts["spikes"] == {"right": 1}, details
    assert not any({"wrong", "ok, harmless", "defect"} & set(words) for words in counts.values()), (counts, details)


def test_right_logs_of_other_kinds_are_answered():
    """Joints that move in turn, poses that are held, a converter with coarse steps at rest; and a weak hose, which is no right log."""
    counts, details = judge.sweep([judge.joints_in_turn, judge.held_poses, judge.coarse_at_rest, judge.weak_cable], 2, 83)
    assert counts["joints_in_turn"] == counts["held_poses"] == {"right": 2}, details
    assert not any({"wrong", "defect"} & set(words) for words in counts.values()), details
    assert not any("stuck" in sentence for *_, sentences in details for sentence in sentences), details


def test_torques_about_another_point_are_no_units():
    """Newton millimetres leave less than nothing changed, the point leaves least: calibrated, such logs were answered."""
    counts, details = judge.sweep([judge.other_point], 1, 612)
    assert all(words == {"refused": 1} for words in counts.values()), details
    assert "the torques are not about the origin of the poses" in details[0][-1][0], details


def test_computed_columns_and_misplaced_poses():
    counts, details = judge.sweep([judge.differences, judge.tracker_jumps], 3, 84)
    assert all(words == {"right": 3} for words in counts.values()), details


def test_times_in_other_units_are_named():
    counts, details = judge.sweep([judge.milliseconds], 2, 85)
    assert not any({"wrong", "ok, harmless"} & set(words) for words in counts.values()), details
    assert all("the times are in" in sentences[0] for *_, sentences in details), details


@pytest.mark.skipif(not os.environ.get("PREHEND_SLOW"), reason="four logs of every kind: PREHEND_SLOW=1")
def test_every_kind():
    counts, details = judge.sweep(judge.KINDS, 4, 82)
    assert not any({"wrong", "defect"} & set(words) for words in counts.values()), details
