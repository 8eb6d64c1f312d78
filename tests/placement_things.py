"""Things people put down: each on a floor, across two bars, into a shelf, onto a clutter of five.

    PREHEND_BIN=build/release/bin python tests/placement_things.py [NAME...]

Every pose is checked apart from the library: no corner of the object lies inside a box of the scene and none of the scene's inside a convex part of the object, and something
touches. A line per thing; exit code 1 where one is not placed.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import mujoco
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from placement_scenes import FLOOR, body, box, scene  # noqa: E402

TOUCH = 1.1e-6  # [m]


def turned_solid(profile, around=40):
    """(vertices, triangles) of a profile of (radius, height) turned about z, from the middle of the bottom outside to the last middle."""
    vertices, triangles = [], []
    for radius, height in profile:
        vertices += [(radius * math.cos(2 * math.pi * k / around), radius * math.sin(2 * math.pi * k / around), height) for k in range(around)]
    for i in range(len(profile) - 1):
        for k in range(around):
            a, b = i * around + k, i * around + (k + 1) % around
            triangles += [(a, b, b + around), (a, b + around, a + around)]
    last, below = (len(profile) - 1) * around, len(vertices)
    vertices += [(0, 0, profile[0][1]), (0, 0, profile[-1][1])]
    for k in range(around):
        n = (k + 1) % around
        triangles += [(below, n, k), (below + 1, last + k, last + n)]
    return np.array(vertices), np.array(triangles)


def solid_box(full):
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * full
    return corners, np.array([(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)])


def ply_vertices(path):
    """[m] of a PLY file in millimetres."""
    import prehend
    return 1e-3 * np.array(prehend.read_mesh(path).vertices)


def things(tools):
    """name -> (mesh or file, arguments)"""
    cup = turned_solid([(0.03, 0), (0.04, 0.09), (0.037, 0.09), (0.027, 0.004)])
    bowl = turned_solid([(0.03, 0), (0.05, 0.012), (0.07, 0.035), (0.08, 0.06), (0.076, 0.06), (0.066, 0.037), (0.047, 0.016), (0.026, 0.004)])
    upright = ["--upright", "30"]
    found = {"cup": (cup, upright), "cup_upside_down": ((cup[0] * [1, 1, -1], cup[1][:, ::-1]), upright), "bowl": (bowl, upright),
             "plate": (turned_solid([(0.05, 0), (0.09, 0.015), (0.09, 0.018), (0.05, 0.004)]), upright),
             "bottle": (turned_solid([(0.035, 0), (0.035, 0.15), (0.013, 0.19), (0.013, 0.24)]), []),
             "can": (turned_solid([(0.033, 0), (0.033, 0.116)]), []), "box": (solid_box((0.12, 0.08, 0.05)), []),
             "book_on_edge": (solid_box((0.03, 0.15, 0.21)), upright)}
    for folder in sorted(tools.iterdir()) if tools.exists() else []:
        if (folder / "mesh.ply").exists():
            found[folder.name] = (folder / "mesh.ply", ["--unit", "mm"])
    return found


def places():
    """name -> (MJCF, arguments)"""
    bars = [body(f"bar{k}", box((0.6, 0.02, 0.02), (0, y, 0.2)), free=False) for k, y in enumerate((-0.022, 0.022))]
    shelf = body("shelf", [box((0.6, 0.3, 0.02), (0, 0, 0.2)), box((0.6, 0.3, 0.02), (0, 0, 0.52)), box((0.02, 0.3, 0.34), (-0.31, 0, 0.36)),
                           box((0.02, 0.3, 0.34), (0.31, 0, 0.36)), box((0.6, 0.02, 0.34), (0, 0.16, 0.36))], free=False)
    clutter = [body(f"thing{k}", box(full, euler=(0, 0, 37 * k)), (x, y, 0.5 * full[2])) for k, (full, x, y) in enumerate(
        [((0.1, 0.06, 0.08), 0.0, 0.0), ((0.06, 0.06, 0.06), 0.12, 0.02), ((0.14, 0.05, 0.05), -0.02, 0.13),
         ((0.05, 0.05, 0.15), -0.12, 0.0), ((0.08, 0.08, 0.04), 0.03, -0.12)])]
    return {"floor": (scene(FLOOR), []), "bars": (scene(FLOOR, *bars), ["--touch", "bar0,bar1"]),
            "shelf": (scene(FLOOR, shelf), ["--touch", "shelf", "--region", "-0.3", "-0.2", "0.2", "0.3", "0.15", "0.52"]),
            "clutter": (scene(FLOOR, *clutter), ["--touch", ",".join(f"thing{k}" for k in range(5))])}


def wrong_with(text, vertices, pose):
    """A sentence about a pose that is none; empty where it is one."""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, np.array(pose["q"]))
    points = vertices @ R.reshape(3, 3).T + pose["p"]
    nearest = np.inf
    for g in range(model.ngeom):
        local = np.abs((points - data.geom_xpos[g]) @ data.geom_xmat[g].reshape(3, 3))
        outside = (local - model.geom_size[g]).max(axis=1)  # negative: inside by that much
        if outside.min() < -TOUCH:
            return f"a corner lies {-outside.min():.3g} m inside {model.body(model.geom_bodyid[g]).name}"
        nearest = min(nearest, outside.min())
    return ""


def place(program, folder, thing, arguments, where):
    """(document, sentence about what is wrong)"""
    text, more = places()[where]
    path = Path(folder) / "scene.xml"
    path.write_text(text)
    if isinstance(thing, tuple):
        vertices, triangles = thing
        file = Path(folder) / "thing.obj"
        file.write_text("".join(f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in vertices) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles))
        vertices = np.array([[float(f"{x:.9g}") for x in v] for v in vertices])
    else:
        file, vertices = thing, ply_vertices(thing)
    done = subprocess.run([program, "place", path, file, "--json", "--density", "800", "--friction", "0.6", "--objective", "first", "--time-limit", "20",
                           *arguments, *more], capture_output=True, text=True, timeout=300)
    if done.returncode not in (0, 3):
        return {"status": "error", "time_ms": 0.0}, done.stdout[-300:] + done.stderr[-300:]
    answer = json.loads(done.stdout)
    if answer["status"] != "ok":
        return answer, "; ".join(answer["problems"]) or answer["status"]
    return answer, wrong_with(text, vertices, answer["X_WO"])


def main():
    program = Path(os.environ.get("PREHEND_BIN", ROOT / "build/release/bin")) / "prehend"
    tools = Path(os.environ.get("PREHEND_SHARED_DATA", ROOT.parent / "shared" / "data")) / "tools"
    failures = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (thing, arguments) in things(tools).items():
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            for where in places():
                answer, wrong = place(program, folder, thing, arguments, where)
                count += 1
                failures += bool(wrong)
                print(f"{name:18} {where:8} {answer['status']:10} {answer['time_ms']:9.1f} ms  {wrong}", flush=True)
    print(f"{count - failures} of {count} placed and valid")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
