"""Least squares with the log-det divergence against cvxpy with Clarabel.

Regressor, pseudo inertia and objective are written down here a second time; the tool's answer is judged by them.
"""

import json
import os
import subprocess
from pathlib import Path

import cvxpy as cp
import numpy as np
import pytest

TOOL = Path(os.environ.get("PREHEND_BIN", "build/release/bin")) / "geometric_tool"
# phi = [m, m c, Ixx Ixy Ixz Iyy Iyz Izz]
INERTIA_ENTRIES = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]


def wrench(phi, a, w, al):
    """[tau; f] of Newton and Euler about the sensor's origin."""
    m, h, inertia = phi[0], phi[1:4], np.zeros((3, 3))
    for value, (i, j) in zip(phi[4:], INERTIA_ENTRIES):
        inertia[i, j] = inertia[j, i] = value
    force = m * a + np.cross(al, h) + np.cross(w, np.cross(w, h))
    torque = inertia @ al + np.cross(w, inertia @ w) + np.cross(h, a)
    return np.concatenate([torque, force])


def regressor(a, w, al):
    return np.stack([wrench(e, a, w, al) for e in np.eye(10)], axis=1)


def pseudo_inertia(phi):
    """Works for arrays and for cvxpy expressions."""
    half = 0.5 * (phi[4] + phi[7] + phi[9])
    rows = [[half - phi[4], -phi[5], -phi[6], phi[1]], [-phi[5], half - phi[7], -phi[8], phi[2]],
            [-phi[6], -phi[8], half - phi[9], phi[3]], [phi[1], phi[2], phi[3], phi[0]]]
    return cp.bmat(rows) if isinstance(phi, cp.Expression) else np.array(rows)


def body(mass, sides, com):
    """phi of a full box about the sensor's origin."""
    second = mass * (np.diag(np.square(sides)) / 12 + np.outer(com, com))
    inertia = np.trace(second) * np.eye(3) - second
    return np.array([mass, *(mass * np.array(com)), *(inertia[ij] for ij in INERTIA_ENTRIES)])


def problem(seed, count=150, motion=0.5, noise=1.0):
    rng = np.random.default_rng(seed)
    truth = body(0.7, [0.06, 0.2, 0.04], [0.02, 0.12, -0.04])
    rows = []
    for _ in range(count):
        up = rng.normal(size=3)
        a, w, al = 9.81 * up / np.linalg.norm(up) + motion * rng.normal(size=3), motion * rng.normal(size=3), motion * rng.normal(size=3)
        load = wrench(truth, a, w, al)
        load += noise * np.repeat([0.0067, 0.33], 3) * rng.normal(size=6)
        rows.append([*(a + 0.1 * noise * rng.normal(size=3)), *w, *(al + noise * rng.normal(size=3)), *load])
    rows = np.array(rows)
    A = np.concatenate([regressor(r[0:3], r[3:6], r[6:9]) for r in rows])
    return rows, A, rows[:, 9:].reshape(-1), body(0.75, [0.1, 0.2, 0.05], [0.0, 0.1, 0.0])


def objective(A, b, prior, alpha, phi):
    ratio = np.linalg.solve(pseudo_inertia(prior), pseudo_inertia(phi))
    divergence = np.trace(ratio) - np.linalg.slogdet(ratio)[1] - 4
    return np.sum((A @ phi - b) ** 2) + alpha * np.sum(A * A) * divergence


def clarabel_solution(A, b, prior, alpha):
    """In coordinates where the prior is the identity and the rows are a triangle: for digits, not for speed."""
    L = np.linalg.cholesky(pseudo_inertia(prior))
    R = np.linalg.qr(np.column_stack([A, b]), mode="r")
    scale = 1 / np.sqrt(alpha * np.sum(A * A))
    Y = cp.Variable((4, 4), symmetric=True)
    J = L @ Y @ L.T
    phi = cp.hstack([J[3, 3], J[0, 3], J[1, 3], J[2, 3], J[1, 1] + J[2, 2], -J[0, 1], -J[0, 2], J[0, 0] + J[2, 2], -J[1, 2],
                     J[0, 0] + J[1, 1]])
    cost = cp.sum_squares(scale * (R[:10, :10] @ phi - R[:10, 10])) + cp.trace(Y) - cp.log_det(Y)
    cp.Problem(cp.Minimize(cost)).solve(solver=cp.CLARABEL, tol_gap_rel=1e-10, tol_gap_abs=1e-10, tol_feas=1e-10)
    return phi.value


def ask(rows, prior, alpha, repeat=1):
    question = {"samples": rows.tolist(), "prior": list(prior), "alpha": alpha, "repeat": repeat}
    return json.loads(subprocess.run([TOOL], input=json.dumps(question), capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("alpha", [1e-3, 1e-5, 1e-7])
@pytest.mark.parametrize("seed,motion,noise", [(1, 0.5, 1.0), (2, 0.05, 1.0), (3, 3.0, 0.3), (4, 0.0, 1.0)])
def test_same_objective_as_clarabel(seed, motion, noise, alpha):
    rows, A, b, prior = problem(seed, motion=motion, noise=noise)
    answer = ask(rows, prior, alpha)
    assert answer["status"] == "ok"
    ours = objective(A, b, prior, alpha, np.array(answer["phi"]))
    theirs = objective(A, b, prior, alpha, clarabel_solution(A, b, prior, alpha))
    assert answer["objective"] == pytest.approx(ours, rel=1e-9)
    assert ours == pytest.approx(theirs, rel=1e-6)
    assert ours <= theirs * (1 + 1e-9)
    assert np.linalg.eigvalsh(pseudo_inertia(np.array(answer["phi"])))[0] > 0
