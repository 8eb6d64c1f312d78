"""A few recordings of every kind of identification_sweep.py; its main program counts many."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import identification_sweep as recordings


def counts_of(case, logs, seed=3):
    counts, _, details = recordings.sweep(case, logs, seed)
    return counts, details


def test_intervals_hold_the_truth():
    """Of six objects with every kind of shape 95 % intervals hold 51 of 60 numbers or more (57 on the mean; numbers of one recording err together)."""
    _, covered, _ = recordings.sweep(recordings.coverage, 6, 12)
    for kind, share in covered.items():
        assert share.sum() * 6 >= 51, (kind, share)


def test_one_joint_and_a_shape():
    """Rotation about one axis: what the motion determines is right, and nothing is wrong."""
    counts, details = counts_of(recordings.one_joint, 6)
    assert counts["with shape"] == {"right": 6}, details
    assert "wrong" not in counts["without shape"], details


def test_a_sensors_offset_is_said_or_calibrated():
    counts, details = counts_of(recordings.offset, 6)
    assert counts["none"] == {"right": 3} and counts["offset --calibrate"] == {"right": 3}, details
    assert not {"wrong", "silent"} & set(counts["offset"]), details
    assert any("--calibrate" in sentence for *_, sentences in details for sentence in sentences)


def test_late_wrenches_of_slow_motion():
    counts, details = counts_of(recordings.latency, 4)
    assert counts["--calibrate"] == {"right": 4}, details
    assert "wrong" not in counts["as it is"], details
    assert not any("millimetres" in sentence for *_, sentences in details for sentence in sentences), details
