"""Placements in scenes as a camera gives them: poses off by noise, mended first; does the thing stay in the true scene?

    PREHEND_BIN=build/release/bin python tests/placement_camera.py [--noise-mm 1] [--count 100] [--first 9000]

The true scene is a random one of boxes and cans (placement_scenes.random_scene). What the planner gets has every movable body moved by Gaussian noise per axis, and turned by
the noise over a lever of 0.1 m. It is asked with --mend, --noise and --pose-error of twice the noise. The placement is then carried out in the true scene: the object is let
down along the vertical until it touches, released in MuJoCo, and has to stay within 5 mm of where it was released, for two seconds; bodies it touches, too. Counted are the
scenes in which the true one has a placement of that margin.
"""

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import mujoco
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import placement_oracle as oracle  # noqa: E402
from placement_scenes import random_scene  # noqa: E402
from placement_sweep import ask  # noqa: E402

LEVER = 0.1  # [m] a marker or edge of this length gives the angles


def seen(text, noise, seed):
    """The scene as a camera gives it."""
    rng = np.random.default_rng(seed)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    root = ElementTree.fromstring(text)
    for element in root.iter("body"):
        if element.find("freejoint") is None or element.get("name") == "object":
            continue
        pose = data.body(element.get("name"))
        turned, small = np.zeros(4), rng.normal(0, noise / LEVER, 3)
        quaternion = np.zeros(4)
        mujoco.mju_axisAngle2Quat(quaternion, small / max(np.linalg.norm(small), 1e-300), np.linalg.norm(small))
        mujoco.mju_mulQuat(turned, quaternion, pose.xquat)
        element.attrib.pop("euler", None)
        element.set("pos", " ".join(f"{x:.9f}" for x in pose.xpos + rng.normal(0, noise, 3)))
        element.set("quat", " ".join(f"{x:.9f}" for x in turned))
    return ElementTree.tostring(root, encoding="unicode")


def stays(text, pose):
    """Lets the object down onto the true scene and releases it."""
    high, low = np.array(pose["p"]) + [0, 0, 0.03], np.array(pose["p"]) - [0, 0, 0.03]
    overlap = lambda p: oracle.gaps(*oracle.posed(text, {"p": p, "q": pose["q"]}))[0] < 0
    if overlap(high):
        return False
    for _ in range(18):  # to a micrometre
        middle = 0.5 * (high + low)
        high, low = (high, middle) if overlap(middle) else (middle, low)
    return oracle.displacement(text, {"p": high, "q": pose["q"]}) < 0.005


def trial(program, folder, seed, noise):
    text, arguments = random_scene(seed)
    true, shown = folder / "true.xml", folder / "seen.xml"
    true.write_text(text)
    shown.write_text(seen(text, noise, seed))
    wanted = ("--pose-error", 2 * noise, "--margin", 0.1, "--time-limit", 20)
    if ask(program, true, "--objective", "first", *wanted, *arguments)["status"] != "ok":
        return "no placement"
    answer = ask(program, shown, "--mend", "--noise", noise, noise / LEVER, *wanted, *arguments)
    if answer["status"] != "ok":
        return answer["status"]
    return "holds" if stays(text, answer["X_WO"]) else "moves"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--noise-mm", type=float, default=1.0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=9000)
    options = parser.parse_args()
    program = Path(os.environ.get("PREHEND_BIN", ROOT / "build/release/bin")) / "prehend"
    counts, seed = Counter(), options.first
    with tempfile.TemporaryDirectory() as folder:
        while counts["holds"] + counts["moves"] < options.count:
            verdict = trial(program, Path(folder), seed, 1e-3 * options.noise_mm)
            counts[verdict] += 1
            if verdict not in ("holds", "no placement"):
                print(f"{seed}: {verdict}", flush=True)
            seed += 1
    print(f"{options.noise_mm} mm, seeds {options.first} to {seed - 1}: {dict(counts)}")


if __name__ == "__main__":
    main()
