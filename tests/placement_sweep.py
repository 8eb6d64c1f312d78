"""Random scenes in pieces: every placement against other means, every `none` and `not_found` against the other planners.

    PREHEND_BIN=build/release/bin python tests/placement_sweep.py --first 3000 --count 100 [--plain]

A placement is checked by separating axes, by the wishes written anew, by Clarabel (margin, weakest push), and for its pose on other numbers of threads (every fifth scene).
A `none` is tried by all other planners, a `not_found` by the first three of them. Every fourth pose with a margin of 0.1 g must stay within 5 mm for 2 s in MuJoCo. Scenes have notched and round bodies and slopes; --plain: boxes and cans alone. A line per finding; exit code 1 where an answer is wrong. `missed` is no error: another planner
found what `auto` did not.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import mujoco
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import placement_oracle as oracle  # noqa: E402
from placement_scenes import VariedScene, random_scene  # noqa: E402

OTHERS = ("drop", "uniform", "heightmap", "robustness")
TOUCH = 1.1e-6  # [m] what a placement may miss by, and rounding of the text


def ask(program, path, *arguments):
    done = subprocess.run([program, "place", path, "object", "--json", *map(str, arguments)], capture_output=True, text=True, timeout=300)
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stdout + done.stderr)
    return json.loads(done.stdout)


def words(arguments, option, count):
    """The numbers or names behind an option; None where it is not asked."""
    return arguments[arguments.index(option) + 1:arguments.index(option) + 1 + count] if option in arguments else None


def body_gaps(model, data):
    """Signed distance of the object to every other body [m]."""
    least = {}
    for other in range(model.ngeom):
        name = model.body(model.geom_bodyid[other]).name
        if name == "object":
            continue
        for g in range(model.ngeom):
            if model.body(model.geom_bodyid[g]).name == "object":
                least[name] = min(least.get(name, np.inf), oracle.geom_gap(model, data, g, other))
    return least


def broken_wishes(model, data, answer, arguments):
    """Sentences about wishes that the pose does not keep."""
    gaps = body_gaps(model, data)
    broken = []
    if min(gaps.values()) < -TOUCH:
        broken.append(f"penetrates by {-min(gaps.values()):.3g} m")
    touched = {name for name, gap in gaps.items() if gap <= TOUCH}
    if not touched:
        broken.append("touches nothing")
    names = words(arguments, "--touch", 1)
    if names and touched - set(names[0].split(",")):
        broken.append(f"touches {touched - set(names[0].split(','))}")
    clearance = words(arguments, "--clearance", 1)
    if clearance:
        near = {n: g for n, g in gaps.items() if n not in touched and g < float(clearance[0]) - 1e-7}
        if near:
            broken.append(f"too close: {near}")
    corners = oracle.reach_of_object(model, data)
    region = words(arguments, "--region", 6)
    if region:
        low, high = np.array(region[:3], float), np.array(region[3:], float)
        if (corners[0] < low - TOUCH).any() or (corners[1] > high + TOUCH).any():
            broken.append("outside the region")
    upright = words(arguments, "--upright", 1)
    tilt = np.degrees(np.arccos(np.clip(data.xmat[model.body("object").id].reshape(3, 3)[2, 2], -1, 1)))
    if upright and tilt > float(upright[0]) + 1e-4:
        broken.append(f"tilted by {tilt:.3f} deg")
    way = words(arguments, "--approach", 3)
    if way:
        d = np.array(way, float) / np.linalg.norm(np.array(way, float))
        start = model.jnt_qposadr[model.body_jntadr[model.body("object").id]]
        rest = data.qpos[start:start + 3].copy()
        for back in np.linspace(0, 0.2, 41)[1:]:
            data.qpos[start:start + 3] = rest - back * d
            mujoco.mj_forward(model, data)
            if min(body_gaps(model, data).values()) < -TOUCH:
                broken.append(f"collides {back:.3f} m before the end of the way")
                break
    return broken


def overlaps(text):
    """Whether bodies of a scene other than the object overlap by more than what counts as touching."""
    model, data = oracle.posed(text, {"p": [0, 0, 5], "q": [1, 0, 0, 0]})
    geoms = [g for g in range(model.ngeom) if model.body(model.geom_bodyid[g]).name != "object"]
    return any(model.geom_bodyid[g] != model.geom_bodyid[h] and oracle.geom_gap(model, data, g, h) < -1e-4
               for k, g in enumerate(geoms) for h in geoms[k + 1:])


def disagreements(program, folder, text, convex, answer, wanted):
    """Of the statics with a general-purpose solver, group by group of bodies that hold together."""
    moved = folder / "moved.xml"
    moved.write_text(oracle.moved_scene(text, answer["X_WO"]))
    model, data = oracle.posed(convex, answer["X_WO"])
    # What the placement calls touching; by default bodies 1e-4 m apart touch, and hold more.
    groups = oracle.groups_of(program, moved, model, data, ("--contact-tolerance", "1e-6"))
    found = []
    # What moves below the margin by itself is left out and named; it must do so.
    loose = [group for group in groups if set(group.names) <= set(answer["loose"])]
    found += [f"{group.names} called loose holds {group.margin_g(12):.5f} g" for group in loose if group.margin_g(12) > 1.045 * wanted]
    groups = [group for group in groups if group not in loose]
    margin = min(statics.margin_g(12) for statics in groups)
    # Twelve directions see the least acceleration up to 1 / cos(15 deg) = 3.5 %; less than the claim by the solver's tolerance alone is none.
    if not 0.99 * answer["margin_g"] <= margin <= 1.045 * answer["margin_g"]:
        found.append(f"margin {answer['margin_g']:.5f} g, by the other solver {margin:.5f} g")
    weakest = answer["weakest"]
    if not weakest:
        return found
    statics = next(group for group in groups if weakest["body"] in group.names)
    other = statics.push(weakest["body"], weakest["p_W_m"], weakest["d_W"])
    if other is None or abs(other - answer["min_sr_N"]) > 0.02 * answer["min_sr_N"]:
        found.append(f"weakest push {answer['min_sr_N']:.5f} N, by the other solver {other} N")
    return found


def scene_of(seed, plain):
    """(for the library, with convex geoms alone, arguments)"""
    if plain:
        text, arguments = random_scene(seed)
        return text, text, arguments
    varied = VariedScene(seed)
    return varied.text, varied.convex, varied.arguments


def check(program, folder, seed, statics=True, time_limit=3.0, plain=True):
    """(status, sentences about what is wrong, names of planners that found more)"""
    text, convex, arguments = scene_of(seed, plain)
    path = folder / "scene.xml"
    path.write_text(text)
    answer = ask(program, path, "--objective", "first", "--threads", 1, "--time-limit", 60, *arguments)
    wrong, more = [], []
    if answer["status"] == "ok":
        model, data = oracle.posed(convex, answer["X_WO"])
        if statics:
            wrong += disagreements(program, folder, text, convex, answer, float((words(arguments, "--margin", 1) or [0.02])[0]))
        wrong += broken_wishes(model, data, answer, arguments)
        if seed % 4 == 0 and answer["margin_g"] >= 0.1:
            moved = oracle.displacement(convex, answer["X_WO"])
            if moved > 0.005:
                wrong.append(f"moves by {moved:.4f} m in the engine, margin {answer['margin_g']:.3f} g")
    elif answer["status"] == "invalid" and overlaps(convex):
        pass  # the random scene itself: tilted bodies in the air may meet tall ones
    elif answer["status"] not in ("none", "not_found"):
        wrong.append("; ".join(answer["problems"]))
    else:
        for planner in OTHERS if answer["status"] == "none" else OTHERS[:3]:
            other = ask(program, path, "--objective", "first", "--planner", planner, "--seed", seed, "--time-limit", time_limit, *arguments)
            if other["status"] == "ok":
                more.append(planner)
                wrong += [f"{planner}: {sentence}" for sentence in broken_wishes(*oracle.posed(convex, other["X_WO"]), other, arguments)]
        if more and answer["status"] == "none":
            wrong.append(f"`none` ({answer['proof']}) refuted by {more}")
    if seed % 5 == 0:
        again = ask(program, path, "--objective", "first", "--threads", 2, "--time-limit", 60, *arguments)
        if again["status"] != answer["status"] or again.get("X_WO") != answer.get("X_WO"):
            wrong.append(f"another answer with two threads: {answer.get('X_WO')}, {again['status']} {again.get('X_WO')}")
    return answer["status"], wrong, more


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=3000)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--no-statics", action="store_true", help="leave out the general-purpose solver")
    parser.add_argument("--time-limit", type=float, default=3.0, help="of each other planner [s]")
    parser.add_argument("--plain", action="store_true", help="boxes and cans alone")
    options = parser.parse_args()
    program = Path(os.environ.get("PREHEND_BIN", ROOT / "build/release/bin")) / "prehend"
    statuses, failures, missed = Counter(), 0, 0
    built = program.stat().st_mtime_ns
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.count):
            status, wrong, more = check(program, Path(folder), seed, not options.no_statics, options.time_limit, options.plain)
            if program.stat().st_mtime_ns != built:
                sys.exit(f"{seed}: the program was built anew; answers of two programs cannot be compared")
            statuses[status] += 1
            failures += bool(wrong)
            missed += bool(more)
            for sentence in wrong:
                print(f"{seed}: {status}: {sentence}", flush=True)
            if more:
                print(f"{seed}: {status}: missed, found by {', '.join(more)}", flush=True)
            if (seed - options.first) % 50 == 49:
                print(f"  {seed - options.first + 1}: {dict(statuses)}, {failures} wrong, {missed} missed", flush=True)
    print(f"{sum(statuses.values())} scenes from {options.first}: {dict(statuses)}, {failures} wrong, {missed} missed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
