"""Contact forces against Clarabel (true cones, pyramids) and NumPy (no cones), on programs written down here anew."""
import glob
import json
import os
import subprocess

import clarabel
import numpy as np
import pytest
import scipy.sparse as sp

TOOL = os.path.join(os.environ["PREHEND_BIN"], "contact_forces_tool")
SOURCE = os.environ["PREHEND_SOURCE"]
SHARED = os.path.join(SOURCE, "..", "shared", "data", "assemblies")
# Scenes as a camera sees them (seen_*) overlap until they are mended.
SCENES = [path for path in sorted(glob.glob(os.path.join(SOURCE, "data", "scenes", "*.xml"))) if "seen_" not in path] + [
    path for path in sorted(glob.glob(os.path.join(SHARED, "*.json"))) if "curve" not in path
]


def ask(path, method, sides=8, friction=0.84):
    run = subprocess.run([TOOL, path, method, str(sides), str(friction)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def equilibrium(answer):
    """Forces in world axes, three a contact -> force and moment about each body's centre of mass; and the weights."""
    bodies, contacts = answer["bodies"], answer["contacts"]
    A = np.zeros((6 * len(bodies), 3 * len(contacts)))
    for k, contact in enumerate(contacts):
        for body, sign in ((contact["b"], 1.0), (contact["a"], -1.0)):
            if body < 0:
                continue
            x, y, z = np.array(contact["p_W_m"]) - bodies[body]["com"]
            A[6 * body : 6 * body + 3, 3 * k : 3 * k + 3] = sign * np.eye(3)
            A[6 * body + 3 : 6 * body + 6, 3 * k : 3 * k + 3] = sign * np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    w = np.zeros(6 * len(bodies))
    for i, body in enumerate(bodies):
        w[6 * i : 6 * i + 3] = body["mass"] * np.array(answer["gravity"])
    weight = np.abs(w).sum()
    return A, w / weight, weight


def clarabel_forces(answer, sides=None):
    A, w, weight = equilibrium(answer)
    contacts = answer["contacts"]
    rows, cones = [], []
    for k, contact in enumerate(contacts):
        n, (u, v), mu = np.array(contact["n_W"]), np.array(contact["tangents"]), contact["mu"]
        if sides is None:
            block = np.vstack([-mu * n, -u, -v])
            cones.append(clarabel.SecondOrderConeT(3))
        else:
            angles = 2 * np.pi * np.arange(sides) / sides
            block = np.vstack(
                [np.cos(a) * u + np.sin(a) * v - mu * np.cos(np.pi / sides) * n for a in angles] + [-n]
            )
            cones.append(clarabel.NonnegativeConeT(sides + 1))
        full = np.zeros((len(block), 3 * len(contacts)))
        full[:, 3 * k : 3 * k + 3] = block
        rows.append(full)
    G = np.vstack(rows)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-11
    solver = clarabel.DefaultSolver(
        sp.eye(3 * len(contacts), format="csc"),
        np.zeros(3 * len(contacts)),
        sp.csc_matrix(np.vstack([A, G])),
        np.concatenate([-w, np.zeros(len(G))]),
        [clarabel.ZeroConeT(len(A))] + cones,
        settings,
    )
    solution = solver.solve()
    return str(solution.status), weight * np.array(solution.x), weight


def ours(answer):
    return np.concatenate([contact["f_W_N"] for contact in answer["contacts"]])


@pytest.mark.parametrize("friction", [0.84, 1.0, 0.5])
@pytest.mark.parametrize("path", SCENES, ids=os.path.basename)
def test_cones(path, friction):
    answer = ask(path, "cones", friction=friction)
    status, forces, weight = clarabel_forces(answer)
    if answer["status"] == "stable":
        assert status in ("Solved", "AlmostSolved")
        # The least is unique, but flat: its square agrees to twice the digits of the forces.
        assert np.dot(ours(answer), ours(answer)) == pytest.approx(np.dot(forces, forces), rel=1e-6)
        assert np.abs(ours(answer) - forces).max() < 1e-4 * weight
    else:
        assert answer["status"] == "unstable"
        assert "PrimalInfeasible" in status
        check_falling(answer)


def check_falling(answer):
    """No contact resists the motion, and the weights drive it."""
    origin = np.array(answer["origin"])
    twists = np.array(answer["falling"])
    power = 0.0
    for twist, body in zip(twists, answer["bodies"]):
        v = twist[3:] + np.cross(twist[:3], np.array(body["com"]) - origin)
        power += body["mass"] * np.dot(answer["gravity"], v)
    assert power > 0
    for contact in answer["contacts"]:
        p = np.array(contact["p_W_m"]) - origin
        v = np.zeros(3)
        for body, sign in ((contact["b"], 1.0), (contact["a"], -1.0)):
            if body >= 0:
                v += sign * (twists[body][3:] + np.cross(twists[body][:3], p))
        n = np.array(contact["n_W"])
        assert v @ n >= contact["mu"] * np.linalg.norm(v - (v @ n) * n) - 1e-7


@pytest.mark.parametrize("sides", [4, 8])
@pytest.mark.parametrize("path", SCENES, ids=os.path.basename)
def test_pyramid(path, sides):
    answer = ask(path, "pyramid", sides=sides)
    status, forces, weight = clarabel_forces(answer, sides)
    if answer["status"] == "stable":
        assert status in ("Solved", "AlmostSolved")
        assert np.dot(ours(answer), ours(answer)) == pytest.approx(np.dot(forces, forces), rel=1e-5)
        assert np.abs(ours(answer) - forces).max() < 1e-3 * weight
    else:
        assert "PrimalInfeasible" in status


@pytest.mark.parametrize("path", SCENES, ids=os.path.basename)
def test_least_norm(path):
    answer = ask(path, "qr")
    A, w, weight = equilibrium(answer)
    forces = weight * np.linalg.lstsq(A, -w, rcond=None)[0]
    assert np.abs(ours(answer) - forces).max() < 1e-9 * weight
    worst = 0.0
    for contact, f in zip(answer["contacts"], forces.reshape(-1, 3)):
        f_n = f @ np.array(contact["n_W"])
        worst = max(worst, -f_n, np.linalg.norm(f - f_n * np.array(contact["n_W"])) - contact["mu"] * f_n)
    assert answer["cone_violation"] == pytest.approx(worst / weight, abs=1e-9)


@pytest.mark.skipif(not os.path.isdir(SHARED), reason="no ../shared/data: the published assemblies are not here")
@pytest.mark.parametrize(
    "name, friction, verdict, prestress",
    [
        ("A", 0.84, "stable", True), ("A", 0.5, "unstable", False), ("H", 0.84, "stable", True),
        ("H", 0.05, "stable", True), ("bridge", 0.84, "stable", False), ("cubes", 0.84, "stable", False),
        ("concave-long", 0.84, "stable", False), ("concave-short", 0.84, "stable", False),
        ("type-a", 0.84, "stable", False), ("type-b", 0.84, "stable", False),
        ("shelf-stable", 0.84, "stable", False), ("shelf", 0.84, "unstable", False),
        ("shelf", 1.0, "stable", True), ("shelf-s1", 0.84, "unstable", False), ("shelf-s1", 1.0, "stable", True),
        ("shelf-s1", 1.2, "stable", False),
    ],
)  # fmt: skip
def test_verdicts(name, friction, verdict, prestress):
    answer = ask(os.path.join(SHARED, name + ".json"), "cones", friction=friction)
    assert answer["status"] == verdict
    assert answer["needs_prestress"] == prestress
