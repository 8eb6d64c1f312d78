"""Arms whose hinges are moved one after the other, the end of the recording cut; with PREHEND_SLOW=1 thirty arms in all variants."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import arm_recordings as arms


def test_hinges_that_move_at_the_end_alone_are_found():
    counts = arms.sweep(6, 14, ("tail",))["tail"]  # three of these were wrong: rigid, or a slide
    assert counts["wrong"] == 0 and counts["right"] >= 5, counts


@pytest.mark.skipif(not os.environ.get("PREHEND_SLOW"), reason="thirty arms in seven variants: PREHEND_SLOW=1")
def test_arms_in_all_variants():
    counts = arms.sweep(30, 2)
    assert sum(c["wrong"] for c in counts.values()) <= 4, counts
    assert sum(c["right"] for c in counts.values()) >= 200, counts
