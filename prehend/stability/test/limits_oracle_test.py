"""Limits of pushes against SciPy's HiGHS (pyramids) and Clarabel (true cones).

The tool hands over bodies, contacts and pushes; equilibrium, pyramids and cones are written down here a second time.
"""

import json
import math
import os
import subprocess
from pathlib import Path

import clarabel
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import linprog

TOOL = Path(os.environ.get("PREHEND_BIN", "build/release/bin")) / "limits_tool"


def ask(**question):
    answer = json.loads(subprocess.run([TOOL], input=json.dumps(question), capture_output=True, text=True, check=True).stdout)
    assert "error" not in answer, answer
    return answer


def wrench(force, point):
    return np.concatenate([force, np.cross(point, force)])


def equilibrium(system):
    """Columns: unit forces u, v, n of each contact; the weights; all about the world's origin."""
    bodies, contacts = system["bodies"], system["contacts"]
    A = np.zeros((6 * len(bodies), 3 * len(contacts)))
    for k, contact in enumerate(contacts):
        for axis, name in enumerate("uvn"):
            column = wrench(np.array(contact[name]), np.array(contact["p"]))
            if contact["b"] >= 0:
                A[6 * contact["b"]:6 * contact["b"] + 6, 3 * k + axis] += column
            if contact["a"] >= 0:
                A[6 * contact["a"]:6 * contact["a"] + 6, 3 * k + axis] -= column
    g = np.concatenate([wrench(np.array(b["weight"]), np.array(b["com"])) for b in bodies])
    return A, g


def push_column(system, push):
    w = np.zeros(6 * len(system["bodies"]))
    d = np.array(push["d"]) / np.linalg.norm(push["d"])
    w[6 * push["body"]:6 * push["body"] + 6] = wrench(d, np.array(push["p"]))
    return w


def highs_limit(system, push, sides):
    """(4.44)-(4.48) as printed; None when unbounded."""
    A, g = equilibrium(system)
    contacts = system["contacts"]
    n = A.shape[1] + 1
    C = sp.lil_matrix((sides * len(contacts), n))
    for k, contact in enumerate(contacts):
        for side in range(sides):
            angle = 2 * math.pi * side / sides
            C[sides * k + side, 3 * k] = math.cos(angle)
            C[sides * k + side, 3 * k + 1] = math.sin(angle)
            C[sides * k + side, 3 * k + 2] = -contact["mu"] * math.cos(math.pi / sides)
    bounds = [(None, None), (None, None), (0, None)] * len(contacts) + [(0, None)]
    result = linprog(-np.eye(n)[-1], A_ub=C.tocsc(), b_ub=np.zeros(C.shape[0]),
                     A_eq=sp.csc_matrix(np.column_stack([A, push_column(system, push)])), b_eq=-g, bounds=bounds, method="highs")
    if result.status == 3:
        return None
    assert result.status == 0, result.message
    return result.x[-1]


def clarabel_limit(system, push, with_time=False):
    """True cones, forces in newtons; None when unbounded. With time: also the solver's own [s]."""
    A, g = equilibrium(system)
    contacts = system["contacts"]
    n = A.shape[1] + 1
    cones = sp.lil_matrix((3 * len(contacts) + 1, n))
    cones[0, n - 1] = -1
    for k, contact in enumerate(contacts):
        cones[1 + 3 * k, 3 * k + 2] = -contact["mu"]
        cones[2 + 3 * k, 3 * k] = cones[3 + 3 * k, 3 * k + 1] = -1
    matrix = sp.vstack([sp.csc_matrix(np.column_stack([A, push_column(system, push)])), cones.tocsc()]).tocsc()
    b = np.concatenate([-g, np.zeros(cones.shape[0])])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    kinds = [clarabel.ZeroConeT(len(g)), clarabel.NonnegativeConeT(1)] + [clarabel.SecondOrderConeT(3)] * len(contacts)
    solution = clarabel.DefaultSolver(sp.csc_matrix((n, n)), -np.eye(n)[-1], matrix, b, kinds, settings).solve()
    unbounded = "DualInfeasible" in str(solution.status)
    assert unbounded or "Solved" in str(solution.status), solution.status
    limit = None if unbounded else solution.x[-1]
    return (limit, solution.solve_time) if with_time else limit


SCENES = [("cube", 1), ("stack", 1), ("table", 1), ("wall", 7), ("pile", 6), ("slant", 2), ("plank", 1)]


@pytest.mark.parametrize("scene,blocks", SCENES)
def test_pyramids_against_highs(scene, blocks):
    system = ask(scene=scene, blocks=blocks, points="sampled", pushes=6, seed=11)
    for push in system["pushes"]:
        for sides in (4, 8):
            expected, found = highs_limit(system, push, sides), push[f"lp{sides}"]
            assert (expected is None) == (found is None), (scene, sides, push)
            if expected is not None:
                assert found == pytest.approx(expected, rel=1e-6), (scene, sides, push)
        assert (push["lp8"] is None) == (push["lp8_cold"] is None)
        if push["lp8"] is not None:
            assert push["lp8_cold"] == pytest.approx(push["lp8"], rel=1e-7)


@pytest.mark.parametrize("scene,blocks", SCENES)
def test_cones_against_clarabel(scene, blocks):
    system = ask(scene=scene, blocks=blocks, points="corners", pushes=25, seed=12)
    bounded = 0
    for push in system["pushes"]:
        expected = clarabel_limit(system, push)
        for method, tolerance in (("cone", 1e-6), ("exact", 2e-4)):
            found = push[method]
            assert (expected is None) == (found is None), (scene, method, push)
            if expected is not None:
                assert found == pytest.approx(expected, rel=tolerance), (scene, method, push)
        bounded += expected is not None
    assert bounded > 5
