"""Five markers on an arm of four hinges before a camera, by formulas of its own (SciPy's rotations); asked through the command line.

  arm_recordings.py [count=10] [seed=1] [variants=whole,head,tail,...] [show=1]

The hinges turn together or one after the other, so that a recording whose end is cut holds a few frames of the last hinge's motion. Noise is that of markers seen nearly
head-on: 0.1 to 0.6 mm sideways, 1 to 3 mm in depth, 0.2 to 0.6 deg in tilt; errors that change slowly, markers that bend with the joints, mirrored poses."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation as R

PREHEND = Path(os.environ.get("PREHEND_BIN", "build/release/bin")) / "prehend"
HINGES = 4
WANTED = {frozenset((f"m{k}", f"m{k + 1}")): "revolute" for k in range(HINGES)}


def path(rng, t, travel, in_turn, k):
    """Angles of hinge k [rad]: sines together, or a stroke within the k-th quarter of the time."""
    if in_turn:
        s = np.clip(t * HINGES / t[-1] - k, 0, 1)
        q = np.sin(np.pi * s * rng.choice([1, 2])) * 0.5 + 0.3 * rng.uniform(-1, 1) * s
    else:
        q = sum(rng.normal() * np.sin(2 * np.pi * rng.uniform(0.05, 0.3) * t + rng.uniform(0, 6.28)) for _ in range(4))
    return q / np.ptp(q) * travel


class Arm:
    """True poses of the markers in the camera's frame."""

    def __init__(self, rng):
        self.t = np.arange(int(rng.integers(250, 700))) / 30
        self.in_turn, planar = rng.random() < 0.5, rng.random() < 0.5
        axes = np.array([[0, 0, 1.0]] * HINGES if planar else [[0, 0, 1.0], [0, 1, 0], [0, 1, 0], [1, 0, 0]]) + rng.normal(size=(HINGES, 3)) * 0.05
        travel = np.radians([rng.uniform(35, 110) if planar or k == 0 else rng.uniform(20, 50) for k in range(HINGES)])
        q = np.array([path(rng, self.t, travel[k], self.in_turn, k) for k in range(HINGES)])
        turn = R.from_euler("xyz", [np.pi + rng.uniform(-0.25, 0.25), rng.uniform(-0.25, 0.25), rng.uniform(-3, 3)])
        place = np.array([rng.uniform(-0.15, 0.15), rng.uniform(-0.15, 0.15), rng.uniform(0.7, 1.4)])
        lengths, self.turns, self.places = rng.uniform(0.08, 0.2, HINGES), [], []
        n = len(self.t)
        turn, place = R.from_matrix(np.tile(turn.as_matrix(), (n, 1, 1))), np.tile(place, (n, 1))
        for k in range(HINGES + 1):
            if k > 0:
                place = place + turn.apply([lengths[k - 1] if k > 1 else 0.05, 0, 0])
                turn = turn * R.from_rotvec(np.outer(q[k - 1], axes[k - 1] / np.linalg.norm(axes[k - 1])))
            offset = np.array([rng.uniform(0.3, 0.7) * (lengths[k - 1] if k else 0.1), rng.uniform(-0.02, 0.02), rng.uniform(0.01, 0.03)])
            bend = (k > 0) * rng.normal(size=(HINGES, 3)) * rng.uniform(0.001, 0.004)
            twist = (k > 0) * rng.normal(size=(HINGES, 3)) * np.radians(rng.uniform(0.2, 0.8))
            self.places.append(place + turn.apply(offset + q.T @ bend))
            self.turns.append(turn * R.from_rotvec(rng.normal(size=3) * np.radians(8)) * R.from_rotvec(q.T @ twist))


def slow(rng, n, keep, size):
    """First-order errors (n, 3): `keep` of the last frame's."""
    e = np.zeros((n, 3))
    for i in range(1, n):
        e[i] = keep * e[i - 1] + np.sqrt(1 - keep**2) * rng.normal(size=3) * size
    return e


def mirrored(turn, sight):
    """The other pose of a flat marker: its normal on the other side of the line of sight."""
    normal = turn.apply([0, 0, 1.0])
    normal *= -np.sign(normal @ sight)
    axis = np.cross(normal, -sight)
    if np.linalg.norm(axis) < 1e-6:
        return turn
    return R.from_rotvec(axis / np.linalg.norm(axis) * 2 * np.arccos(np.clip(-normal @ sight, -1, 1))) * turn


def rows(rng):
    arm = Arm(rng)
    n = len(arm.t)
    keep, shifts, tilts = rng.uniform(0.4, 0.9), rng.uniform(0.0005, 0.003), np.radians(rng.uniform(0.1, 0.7))
    side, depth, tilt = rng.uniform(1e-4, 6e-4), rng.uniform(1e-3, 3e-3), np.radians(rng.uniform(0.2, 0.6))
    flips = rng.choice([0, 0.005, 0.02, 0.05])
    out = []
    for k, (turns, places) in enumerate(zip(arm.turns, arm.places)):
        lost = set(rng.choice(n, size=rng.integers(0, 6), replace=False))
        shift, lean = slow(rng, n, keep, shifts * np.array([1, 1, 2])), slow(rng, n, keep, tilts * np.array([1, 1, 0.2]))
        left = 0
        for i in range(n):
            sight = places[i] / np.linalg.norm(places[i])
            p = places[i] + sight * rng.normal() * depth + np.cross(sight, rng.normal(size=3)) * side + shift[i]
            turn = turns[i] * R.from_rotvec(rng.normal(size=3) * np.array([tilt, tilt, np.radians(0.1)]) + lean[i])
            left = left - 1 if left > 0 else int(rng.integers(1, 4)) if rng.random() < flips / 2 else 0
            if left > 0:
                turn = mirrored(turn, sight)
            if i not in lost:
                x, y, z, w = turn.as_quat()
                out.append((arm.t[i], f"m{k}", *p, w, x, y, z))
    return sorted(out)


def variant(rows, name, rng):
    t = sorted({row[0] for row in rows})
    number = {time: i for i, time in enumerate(t)}
    keep = {"whole": lambda i: True, "head": lambda i: i >= 0.15 * len(t), "tail": lambda i: i < 0.8 * len(t), "second": lambda i: i % 2 == 0,
            "third": lambda i: i % 3 == 0, "drop5": lambda i: rng.random() > 0.05, "drop20": lambda i: rng.random() > 0.2}[name]
    return [row for row in rows if keep(number[row[0]])]


def verdict(rows, folder):
    file = Path(folder) / "arm.csv"
    file.write_text("t,part,x,y,z,qw,qx,qy,qz\n" + "".join(f"{r[0]:.6f},{r[1]}," + ",".join(f"{x:.6f}" for x in r[2:]) + "\n" for r in rows))
    made = subprocess.run([PREHEND, "discover", file, "--json"], capture_output=True, text=True, timeout=300)
    found = json.loads(made.stdout)
    joints = {frozenset((j["parent"], j["child"])): j["type"] for j in found.get("joints", [])}
    if found["status"] != "ok":
        return "undetermined"
    return "right" if joints == WANTED and not found["loops"] else "wrong"


VARIANTS = ("whole", "head", "tail", "second", "third", "drop5", "drop20")


def sweep(count, seed, variants=VARIANTS, show=False):
    """Verdicts by variant, counted."""
    counts = {name: dict.fromkeys(("right", "undetermined", "wrong"), 0) for name in variants}
    with tempfile.TemporaryDirectory() as folder:
        for i in range(count):
            recorded = rows(np.random.default_rng([seed, i]))
            for name in variants:
                word = verdict(variant(recorded, name, np.random.default_rng([seed, i, 1])), folder)
                counts[name][word] += 1
                if show and word != "right":
                    print(f"recording {i}, {name}: {word}")
    return counts


if __name__ == "__main__":
    given = dict(a.split("=") for a in sys.argv[1:])
    counted = sweep(int(given.get("count", 10)), int(given.get("seed", 1)), given.get("variants", ",".join(VARIANTS)).split(","), given.get("show") == "1")
    for name, numbers in counted.items():
        print(f"{name:8}", ", ".join(f"{word} {n}" for word, n in numbers.items()))
    sys.exit(1 if any(numbers["wrong"] for numbers in counted.values()) else 0)
