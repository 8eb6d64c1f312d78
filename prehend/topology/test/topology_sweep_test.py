"""Random chains and trees in simulated hands: excited joints are identified rightly, others are not guessed.

A short run by default; PREHEND_TOPOLOGY_RUNS=1000 is the figure of the documentation (about ten minutes).
"""
import json
import os
import pathlib
import subprocess

RUNS = int(os.environ.get("PREHEND_TOPOLOGY_RUNS", "15"))


def uneven(*flags):
    """Counts of objects of recordings whose rows come 1 to 23 ms apart."""
    tool = pathlib.Path(os.environ["PREHEND_BIN"]) / "uneven_sweep_tool"
    done = subprocess.run([str(tool), str(2 * RUNS // 3), "5000", "--verbose", *flags], capture_output=True, text=True, check=True)
    return json.loads(done.stdout), done.stderr


def test_rows_at_uneven_times_say_the_same():
    for flags in ((), ("--noise",)):
        counts, odd = uneven(*flags)
        for kind in ("source", "sample"):
            assert counts[kind]["wrong"] == 0, odd
            assert counts[kind]["undetermined"] <= 0.02 * RUNS, odd
        assert counts["largest_balance"] < 25.0


def test_sweep_over_random_objects():
    tool = pathlib.Path(os.environ["PREHEND_BIN"]) / "topology_sweep_tool"
    done = subprocess.run([str(tool), str(RUNS), "0", "--verbose"], capture_output=True, text=True, check=True)
    counts = json.loads(done.stdout)
    assert counts["objects"] == RUNS
    assert counts["excited"] >= 2 * RUNS
    assert counts["wrong"] <= 0.001 * counts["excited"], done.stderr
    assert counts["right"] >= 0.99 * counts["excited"], done.stderr
    assert counts["objects_right"] >= 0.99 * RUNS, done.stderr
    assert counts["unexcited_told_wrong"] <= 0.001 * max(counts["unexcited"], 1), done.stderr
