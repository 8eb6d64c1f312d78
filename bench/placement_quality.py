"""How robust is what `auto` finds, beside a symmetric pose that a person would choose? And how long does it take?

    PREHEND_BIN=build/release/bin python bench/placement_quality.py

The poses were chosen before the planner was asked: the object on its largest face, centred on its support, its sides along the support's. Their least robustness is that of all
corners of all movable bodies, asked one by one of `prehend.robustness`; faces wholly in contact are left out, as the planner does. Times are of the processor, least of three.
"""

import argparse
import math
import os
import subprocess
import statistics
import sys
import json
import tempfile
import time
from pathlib import Path

import mujoco
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import placement_oracle as oracle  # noqa: E402
import prehend  # noqa: E402
from placement_scenes import all_scenes  # noqa: E402


def turned(x=0.0, y=0.0, z=0.0):
    """Quaternion (w, x, y, z) of turns about the axes in degrees, x first."""
    q = np.array([1.0, 0, 0, 0])
    for axis, angle in enumerate((x, y, z)):
        a = 0.5 * math.radians(angle)
        p = np.zeros(4)
        p[0], p[1 + axis] = math.cos(a), math.sin(a)
        out = np.zeros(4)
        mujoco.mju_mulQuat(out, p, q)
        q = out
    return q.tolist()


def on_slope(degrees, x, height):
    """Lying on a slope that rises along +x from z = 0 at x = -0.2: the middle of its lower face over x."""
    a = math.radians(degrees)
    foot = np.array([x, 0, (x + 0.2) * math.tan(a)])
    return (foot + height * np.array([-math.sin(a), 0, math.cos(a)])).tolist(), turned(y=-degrees)


def hand_chosen():
    """name -> (position, quaternion)"""
    level = turned()
    tilt = math.degrees(math.atan2(0.02, 0.09))  # of a board on ridges 0.08 m and 0.06 m high, 0.09 m apart
    a = math.radians(tilt)
    # The groove's flanks: planes through the upper middle of boxes turned by 40 degrees, 0.02 m above their middles.
    s, c = math.sin(math.radians(40)), math.cos(math.radians(40))
    bottom = 0.12 + (0.02 - 0.12 * s) / c  # height at which both flanks meet in the middle
    cube = bottom + 0.05 * s / c + 0.05    # its lower edges, 0.05 m off the middle, touch
    can = bottom + 0.04 / c
    reach = 0.05 * math.cos(math.radians(33)) + 0.06 * math.sin(math.radians(33))  # of a box on the slope towards the stop
    return {
        "ground": ([0, 0, 0.03], level), "ground_can": ([0, 0, 0.06], level), "ground_tall": ([0, 0, 0.025], turned(y=90)),
        "table_free": ([0, 0, 0.43], level), "table_fixed": ([0, 0, 0.43], level), "pillar": ([0, 0, 0.525], level),
        "stack": ([0, 0.016, 0.33], level), "tower": ([0, 0, 0.425], level), "see_saw": ([0, 0, 0.15], level),
        "balance": ([0.06, 0, 0.15], level), "cantilever": ([0, 0, 0.155], level), "ridges": ([0, 0, 0.1], level),
        "two_heights": ([0.005 + 0.02 * math.sin(a), 0, 0.07 + 0.02 * math.cos(a)], turned(y=tilt)),
        "rails": ([0, 0, 0.34], level), "steps": ([0.08, 0, 0.13], level), "steps_long": ([0.08, 0, 0.115], turned(z=90)),
        "vee": ([0, 0, cube], level), "vee_can": ([0, 0, can], turned(x=90)), "wedge20": on_slope(20, 0.0, 0.03),
        "wedge33_stop": on_slope(33, -0.2 + reach, 0.03),
        "corner": ([-0.125, -0.125, 0.03], level), "teeth": ([0, 0, 0.07], level), "points": ([0, 0, 0.12], level),
        "shelf": ([0, 0, 0.23], level), "slot": ([0, 0, 0.23], level), "clutter": ([0.4, 0, 0.02], level),
        "on_clutter": ([0, 0, 0.1], level), "bridge": ([0, 0, 0.165], level),
    }


def faces_of(model, data, g):
    """(outward normal, corners, area; None for round sides) of a geom's faces in the world."""
    size, R, centre = model.geom_size[g], data.geom_xmat[g].reshape(3, 3), data.geom_xpos[g]
    if model.geom_type[g] == mujoco.mjtGeom.mjGEOM_BOX:
        for axis in range(3):
            u, v = [k for k in range(3) if k != axis]
            for sign in (-1, 1):
                corners = []
                for su in (-1, 1):
                    for sv in (-1, 1):
                        local = np.zeros(3)
                        local[axis], local[u], local[v] = sign * size[axis], su * size[u], sv * size[v]
                        corners.append(R @ local + centre)
                yield sign * R[:, axis], corners, 4 * size[u] * size[v]
        return
    assert model.geom_type[g] == mujoco.mjtGeom.mjGEOM_CYLINDER
    rim = [np.array([math.cos(a), math.sin(a), 0]) for a in np.linspace(0, 2 * math.pi, 64, endpoint=False)]
    for sign in (-1, 1):
        end = np.array([0, 0, sign * size[1]])
        yield sign * R[:, 2], [R @ (size[0] * d + end) + centre for d in rim], math.pi * size[0] ** 2
        for d in rim:
            yield R @ d, [R @ (size[0] * d + end) + centre], None


def least_robustness(program, folder, text, pose):
    """[N] Of the assembly with the object at a pose; 0 where it falls, infinite where nothing moves."""
    path = Path(folder) / "posed.xml"
    path.write_text(oracle.moved_scene(text, pose))
    model, data = oracle.posed(text, pose)
    interfaces = json.loads(subprocess.run([program, "contacts", path, "--json"], capture_output=True, text=True).stdout)["interfaces"]
    pushes = []
    for g in range(model.ngeom):
        body = model.geom_bodyid[g]
        owner = model.body(body).name
        if model.body_dofnum[body] != 6:
            continue
        for n, corners, area in faces_of(model, data, g):
            covered = sum(i["area_m2"] for i in interfaces if owner in (i["body_a"], i["body_b"])
                          and np.dot(i["n_W"], n) * (1 if i["body_a"] == owner else -1) > 0.999)
            if area is None or covered < (1 - 1e-4) * area:
                pushes += [(owner, p, -n) for p in corners]
    result = prehend.robustness(prehend.read_scene(path), pushes, check_points=False, check_prestress=False)
    if len(result.answers) != len(pushes):
        return 0.0
    return min((a.robustness for a in result.answers if not a.unbounded), default=math.inf)


def planned(path, objective, arguments):
    """(seconds of the processor, the answer)"""
    scene = prehend.read_scene(path)
    options = {}
    if "--touch" in arguments:
        options["touch"] = arguments[arguments.index("--touch") + 1].split(",")
    if "--region" in arguments:
        start = arguments.index("--region") + 1
        options["region"] = [float(x) for x in arguments[start:start + 6]]
    times = []
    for _ in range(3):
        start = time.process_time()
        result = prehend.place(scene, "object", objective=objective, **options)
        times.append(time.process_time() - start)
    return min(times), result


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    program = Path(os.environ.get("PREHEND_BIN", ROOT / "build/release/bin")) / "prehend"
    scenes, first, best, ratios, unbounded = all_scenes(), [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, (p, q) in hand_chosen().items():
            text, arguments, _ = scenes[name]
            path = Path(folder) / f"{name}.xml"
            path.write_text(text)
            by_hand = least_robustness(program, folder, text, {"p": p, "q": q})
            first.append((planned(path, "first", arguments)[0], name))
            seconds, result = planned(path, "robust", arguments)
            best.append((seconds, name))
            ours = result.placements[0].min_sr
            if math.isinf(ours) and math.isfinite(by_hand):
                unbounded.append(name)
            else:
                ratios.append((1.0 if math.isinf(ours) else ours / by_hand if by_hand > 0 else math.inf, name))
            print(f"{name:13} first {1e3 * first[-1][0]:6.2f} ms   robust {1e3 * seconds:6.2f} ms, {ours:8.4f} N   by hand {by_hand:8.4f} N"
                  f"   {ours / by_hand if by_hand > 0 else math.inf:6.3f}", flush=True)
    print(f"first answer: median {1e3 * statistics.median(t for t, _ in first):.2f} ms, at most {1e3 * max(first)[0]:.2f} ms ({max(first)[1]})")
    print(f"default objective: at most {1e3 * max(best)[0]:.2f} ms ({max(best)[1]})")
    print(f"least robustness beside that by hand: mean {statistics.mean(r for r, _ in ratios):.3f}, least {min(ratios)[0]:.3f} ({min(ratios)[1]})"
          + (f"; no push at all moves it in {', '.join(unbounded)}, left out of the mean" if unbounded else ""))


if __name__ == "__main__":
    main()
