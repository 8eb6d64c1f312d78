"""Point masses and homogeneous parts against cvxpy with Clarabel: the same printed problems, stacked row by row as a user
would write them, must end at the same objective."""

import json
import os
import subprocess
from pathlib import Path

import cvxpy as cp
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

TOOL = Path(os.environ.get("PREHEND_BIN", "build/release/bin")) / "mass_methods_tool"
HEADER = ("t,sx,sy,sz,sqw,sqx,sqy,sqz,vx,vy,vz,wx,wy,wz,ax,ay,az,alx,aly,alz,fx,fy,fz,tx,ty,tz,ox,oy,oz,oqw,oqx,oqy,oqz")
G = np.array([0.0, 0.0, -9.81])


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def wrench_of_points(points, masses, a, w, al):
    """[tau; f] that point masses need, summed one by one in the sensor's axes; a is free of gravity."""
    wrench = np.zeros((6, len(points)))
    for i, p in enumerate(points):
        f = a + np.cross(al, p) + np.cross(w, np.cross(w, p))
        wrench[:, i] = np.r_[np.cross(p, f), f]
    return wrench @ masses if masses is not None else wrench


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """A lopsided bar, turned and shaken for 1.5 s at 100 Hz, with noise in everything, and held still in the middle."""
    folder = tmp_path_factory.mktemp("mass_methods")
    rng = np.random.default_rng(3)
    n = 56
    points = rng.uniform(-1, 1, (n, 3)) * [0.12, 0.03, 0.02] + [0.05, 0.01, 0.03]
    labels = np.where(points[:, 0] > 0.05, 0, np.where(points[:, 2] > 0.03, 1, np.where(points[:, 1] > 0.01, 2, 3)))
    masses = np.array([0.02, 0.003, 0.006, 0.01])[labels]
    rows, motion = [], []
    for k in range(150):
        t = 0.01 * k
        still = 60 <= k < 110
        w = np.zeros(3) if still else np.array([1.5 * np.cos(4 * t), np.sin(5 * t), -1.2 * np.cos(6 * t)])
        al = np.zeros(3) if still else np.array([-6 * np.sin(4 * t), 5 * np.cos(5 * t), 7.2 * np.sin(6 * t)])
        a = np.zeros(3) if still else np.array([1.5 * np.sin(7 * t), np.cos(6 * t), 0.8 * np.sin(5 * t)])
        turn = Rotation.from_rotvec([1.1 * np.sin(3 * t), 1.3 * t, 0.7 * np.cos(2 * t)])
        R = turn.as_matrix()
        y = wrench_of_points(points, masses, R.T @ (a - G), R.T @ w, R.T @ al)
        a, al = a + 0.05 * rng.standard_normal(3), al + 0.3 * rng.standard_normal(3)
        f, tau = R @ y[3:] + 0.1 * rng.standard_normal(3), R @ y[:3] + 0.005 * rng.standard_normal(3)
        q = turn.as_quat()[[3, 0, 1, 2]]
        rows.append([t, 0, 0, 0, *q, 0, 0, 0, *w, *a, *al, *f, *tau, 0, 0, 0, *q])
        motion.append((R.T @ a, R.T @ w, R.T @ al, R.T @ G, np.r_[R.T @ tau, R.T @ f]))
    log, cloud = folder / "log.csv", folder / "cloud.ply"
    log.write_text(HEADER + "\n" + "\n".join(",".join("%.17g" % x for x in row) for row in rows) + "\n")
    head = f"ply\nformat ascii 1.0\nelement vertex {n}\n" + "".join(f"property double {c}\n" for c in "xyz")
    cloud.write_text(head + "property int label\nend_header\n" +
                     "".join("%.17g %.17g %.17g %d\n" % (*p, l) for p, l in zip(points, labels)))
    return log, cloud, points, labels, motion


def ask(recording, **keys):
    words = [f"{k}={v}" for k, v in keys.items()]
    done = subprocess.run([TOOL, recording[0], recording[1], *words], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)[0]


def rows_of_problem_1(recording, c1):
    points, motion = recording[2], recording[4]
    full, reduced, b, weights = [], [], [], []
    for a, w, al, g, y in motion:
        full.append(wrench_of_points(points, None, a - g, w, al))
        reduced.append(wrench_of_points(points, None, -g, np.zeros(3), np.zeros(3)))
        b.append(y)
        nu = a @ a + al @ al + (w @ w) / 0.25
        weights += [np.tanh(3 * nu / c1)] * 6
    return np.vstack(full), np.vstack(reduced), np.concatenate(b), np.array(weights)


@pytest.mark.parametrize("c1", [30.0, 300.0])
@pytest.mark.parametrize("form", ["printed_squared", "printed_norms"])
def test_problem_1_has_clarabels_objective(recording, form, c1):
    full, reduced, b, w = rows_of_problem_1(recording, c1)
    m = cp.Variable(full.shape[1], nonneg=True)
    lam = 0.1
    measure = cp.sum_squares if form == "printed_squared" else cp.norm
    first, second = cp.multiply(1 - w, reduced @ m - b), cp.multiply(w, full @ m - b)
    problem = cp.Problem(cp.Minimize(measure(first) + measure(second) + lam * measure(m)))
    problem.solve(solver=cp.CLARABEL, tol_gap_rel=1e-9, tol_gap_abs=1e-9, tol_feas=1e-9)
    ours = ask(recording, method="pmd", form=form, c1=c1, lam=lam)
    x = np.array(ours["masses"])
    assert ours["status"] == 2 and x.min() >= 0.0
    norm = (lambda v: v @ v) if form == "printed_squared" else np.linalg.norm
    value = norm((1 - w) * (reduced @ x - b)) + norm(w * (full @ x - b)) + lam * norm(x)
    assert value == pytest.approx(ours["objective"], rel=1e-8)  # the sums say the same as the stacked rows
    assert value <= problem.value * (1 + 1e-6)
    assert value >= problem.value * (1 - 1e-6)


def test_parts_as_printed_have_clarabels_objective(recording):
    points, labels, motion = recording[2], recording[3], recording[4]
    centroids = np.array([points[labels == k].mean(0) for k in range(4)])
    rows, b = [], []
    for a, w, al, g, y in motion:
        if np.linalg.norm(a) < 1 and np.linalg.norm(al) < 1:
            rows.append(wrench_of_points(centroids, None, -g, np.zeros(3), np.zeros(3)))
            b.append(y)
    A, b = np.vstack(rows), np.concatenate(b)
    m = cp.Variable(4, nonneg=True)
    problem = cp.Problem(cp.Minimize(cp.sum_squares(A @ m - b)))
    problem.solve(solver=cp.CLARABEL, tol_gap_rel=1e-9, tol_gap_abs=1e-9, tol_feas=1e-9)
    ours = ask(recording, method="hps", printed=1)
    assert ours["samples"] == len(rows)
    assert ours["objective"] == pytest.approx(problem.value, rel=1e-6)
    x = np.array(ours["masses"])
    assert (A @ x - b) @ (A @ x - b) == pytest.approx(problem.value, rel=1e-6)
