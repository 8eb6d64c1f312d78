"""docs/scan_to_shelf.md: the answers of one verb are the questions of the next, from a scan to a loaded shelf."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

BIN = Path(os.environ["PREHEND_BIN"])
SOURCE = Path(os.environ["PREHEND_SOURCE"])


def commands():
    """What the page types, in order."""
    text = (SOURCE / "docs/scan_to_shelf.md").read_text()
    return [shlex.split(line[2:]) for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL) for line in block.splitlines() if line.startswith("$ ")]


def test_the_page_runs_as_written(tmp_path):
    (tmp_path / "data").symlink_to(SOURCE / "data")
    answers = {}
    for command in commands():
        assert command[0] == "prehend"
        done = subprocess.run([BIN / "prehend", *command[1:], "--json"], capture_output=True, text=True, cwd=tmp_path, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        answers[command[1]] = json.loads(done.stdout)
    assert list(answers) == ["segment", "identify", "place", "transport", "disassemble"]

    truth = (SOURCE / "data/samples/tools/mallet/inertia.yaml").read_text()
    mass = float(re.search(r"MASS: (\S+)", truth)[1])
    assert answers["identify"]["results"][0]["mass_kg"] == pytest.approx(mass, rel=1e-6)
    placed = answers["place"]
    assert placed["object"] == "object" and {contact["body"] for contact in placed["contacts"]} - {"world"}
    least = min(row["msa_mps2"] for row in answers["transport"]["results"])
    assert least >= placed["margin_g"] * 9.81 * 0.999  # the margin is the least of all directions
    assert sorted(answers["disassemble"]["order"]) == ["crate_large", "crate_medium", "crate_small", "object"]

    snippet = re.search(r"```python\n(.*?)```", (SOURCE / "docs/scan_to_shelf.md").read_text(), re.DOTALL)[1]
    done = subprocess.run([sys.executable, "-c", snippet], capture_output=True, text=True, cwd=tmp_path, timeout=120,
                          env={**os.environ, "PYTHONPATH": str(Path(os.environ["PREHEND_BUILD"]) / "python")})
    assert done.returncode == 0, done.stderr
    slowest, margin = map(float, done.stdout.split())
    assert slowest == pytest.approx(margin, rel=0.01) and margin == pytest.approx(placed["margin_g"], rel=1e-9)
