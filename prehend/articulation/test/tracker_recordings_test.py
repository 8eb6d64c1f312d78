"""Recordings of tracker_recordings.py and everyday_recordings.py that were once wrong; with PREHEND_SLOW=1 eight of every kind of the former."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
import everyday_recordings as everyday
import tracker_recordings as trackers


@pytest.mark.parametrize("kinds, kind, seed, i", [
    (trackers.KINDS, "few_rounded", 1, 7),  # seven poses in millimetres and three digits: was universal
    (trackers.KINDS, "few_rounded", 1, 3),  # was "hardly anything moves"
    (trackers.KINDS, "board_door", 1, 0),  # uneven noise at 7.5 frames a second: was universal
    (everyday.KINDS, "four_bar", 33, 1),  # a crank of two turns: had two freedoms
])
def test_once_wrong(kinds, kind, seed, i, tmp_path):
    rec, verb, truth, write = kinds[kind](np.random.default_rng([seed, list(kinds).index(kind), i]))
    path = tmp_path / "poses.csv"
    path.write_text(rec.text(**write))
    assert everyday.verdict(path, verb, truth)[0] == "right", everyday.verdict(path, verb, truth)


@pytest.mark.skipif(not os.environ.get("PREHEND_SLOW"), reason="eight recordings of thirteen kinds: PREHEND_SLOW=1")
def test_no_tracker_is_wrong_with_status_ok(monkeypatch):
    monkeypatch.setattr(everyday, "KINDS", trackers.KINDS)
    assert everyday.sweep(8, 2, [], False) == 0
