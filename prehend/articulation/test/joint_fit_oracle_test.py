"""Closed forms and maximum likelihood against SciPy, which knows neither the closed forms nor how states are eliminated."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import least_squares, minimize
from scipy.spatial.transform import Rotation

TOOL = Path(os.environ["PREHEND_BIN"]) / "joint_fit_tool"


def fit(kind, R, p, method, share=0.0, noise=None):
    q = R.as_quat()[:, [3, 0, 1, 2]]
    request = {"type": kind, "poses": np.c_[p, q].tolist(), "method": method, "share": share}
    if noise:
        request["noise"] = noise
    done = subprocess.run([TOOL], input=json.dumps(request), capture_output=True, text=True, timeout=60, check=True)
    answer = json.loads(done.stdout)
    for name in ("X_FJ", "X_MJ"):
        w, *v = answer[name]["q"]
        answer[name] = Rotation.from_quat([*v, w]), np.array(answer[name]["p"])
    return answer


def axis(X):
    return X[0].apply([0, 0, 1])


def angle_between(a, b):
    return np.arctan2(np.linalg.norm(np.cross(a, b)), abs(a @ b))


def poses(kind, rng, n=60, position=0.003, angle=0.02, share=0.0, lever=0.3):
    """A joint's frames and noisy relative poses; the fixed part has `share` of the angular variance."""
    R_FJ, R_MJ = Rotation.random(random_state=rng), Rotation.random(random_state=rng)
    p_FJ, p_MJ = 0.5 * rng.standard_normal(3), lever * R_MJ.apply([1, 0, 0])
    Rs, ps = [], []
    for t in np.linspace(0, 1, n):
        turn = Rotation.from_rotvec([0, 0, t]) if kind != "prismatic" else Rotation.identity()
        shift = np.array([0, 0, {"prismatic": 0.2, "screw": 0.03}.get(kind, 0.0) * t])
        R = R_FJ * turn * R_MJ.inv()
        p = p_FJ + R_FJ.apply(shift) - R.apply(p_MJ)
        e_M = Rotation.from_rotvec(angle * np.sqrt(1 - share) * rng.standard_normal(3))
        e_F = Rotation.from_rotvec(angle * np.sqrt(share) * rng.standard_normal(3))
        p = p + position * rng.standard_normal(3)
        Rs.append((e_F * R * e_M).as_quat())
        ps.append(e_F.apply(p))
    return Rotation.from_quat(Rs), np.array(ps), (R_FJ, p_FJ), (R_MJ, p_MJ)


def test_revolute_axis_minimises_4_16():
    rng = np.random.default_rng(1)
    R, p, X_FJ, X_MJ = poses("revolute", rng)
    ours = fit("revolute", R, p, "closed_form")

    def cost(x):  # spherical coordinates (4.25)
        a_M = np.array([np.sin(x[0]) * np.cos(x[1]), np.sin(x[0]) * np.sin(x[1]), np.cos(x[0])])
        a_F = np.array([np.sin(x[2]) * np.cos(x[3]), np.sin(x[2]) * np.sin(x[3]), np.cos(x[2])])
        return np.sum(1 - R.apply(a_M) @ a_F)

    def angles(v):
        return [np.arccos(v[2]), np.arctan2(v[1], v[0])]

    start = angles(axis(X_MJ)) + angles(axis(X_FJ))
    best = min((minimize(cost, start + 0.1 * rng.standard_normal(4), method="Nelder-Mead",
                         options={"xatol": 1e-10, "fatol": 1e-14, "maxiter": 4000}) for _ in range(2)), key=lambda r: r.fun)
    x = angles(axis(ours["X_MJ"])) + angles(axis(ours["X_FJ"]))
    assert cost(x) <= best.fun + 1e-10
    assert cost(x) < cost(start)


def test_mean_orientation_minimises_4_6():
    rng = np.random.default_rng(2)
    R, p, *_ = poses("prismatic", rng)
    ours = fit("prismatic", R, p, "closed_form")
    mean = (ours["X_FJ"][0] * ours["X_MJ"][0].inv()).as_matrix()

    def cost(w):  # sum of (3 - trace) / 2
        return np.sum(3 - np.einsum("nij,ij->n", R.as_matrix(), (Rotation.from_rotvec(w).as_matrix() @ mean))) / 2

    best = minimize(cost, [0.01, -0.02, 0.01], method="BFGS", options={"gtol": 1e-10})
    assert cost([0, 0, 0]) <= best.fun + 1e-10


# The objective that frame_residual.h states, minimised without its derivatives and with all states as unknowns: a = log(R_model^T R) has
# variance angle^2, the displacement c of M's origin, the fixed part's expected turn s a undone, has position^2 along the line
# between the origins and position^2 + s (1 - s) angle^2 |D|^2 across it.
@pytest.mark.parametrize("kind", ["prismatic", "revolute", "screw"])
@pytest.mark.parametrize("share, angle", [(0.0, 0.035), (0.5, 0.02)])
def test_maximum_likelihood_agrees_with_least_squares_over_all_states(kind, share, angle):
    rng = np.random.default_rng(3)
    position = 0.003
    R, p, X_FJ, X_MJ = poses(kind, rng, n=30, position=position, angle=angle, share=share)
    ours = fit(kind, R, p, "likelihood", share, [position, angle])
    assert ours["status"] == "ok"
    n = len(p)
    D = R.inv().apply(p)  # from F's origin to M's, in M's axes
    d2 = np.sum(D * D, axis=1)
    unit = D / np.sqrt(d2)[:, None]
    across = 1 / np.sqrt(position**2 + share * (1 - share) * angle**2 * d2)
    z = np.array([0.0, 0.0, 1.0])

    def joint(x):
        return X_FJ[0] * Rotation.from_rotvec(x[0:3]), X_MJ[0] * Rotation.from_rotvec(x[3:6]), X_FJ[1] + x[6:9], X_MJ[1] + x[9:12], 0.03 + x[12]

    def residuals(x):
        R_FJ, R_MJ, p_FJ, p_MJ, pitch = joint(x)
        q = x[13:]
        turns = Rotation.from_rotvec(np.outer(q if kind != "prismatic" else 0 * q, z))
        shift = {"prismatic": 1.0, "screw": pitch, "revolute": 0.0}[kind] * q
        R_k = R_FJ * turns * R_MJ.inv()
        p_k = p_FJ + np.outer(shift, R_FJ.apply(z)) - R_k.apply(p_MJ)
        a = (R_k.inv() * R).as_rotvec()
        c = Rotation.from_rotvec((1 - share) * a).apply(D) - R_k.inv().apply(p_k)
        along = np.sum(unit * c, axis=1)
        c = across[:, None] * c + ((1 / position - across) * along)[:, None] * unit
        # Gauge freedoms stay near the truth; the solution does not feel it.
        return np.r_[(a / angle).ravel(), c.ravel(), 1e-6 * x[:13]]

    states = np.linspace(0, 0.2 if kind == "prismatic" else 1, n)
    best = least_squares(residuals, np.r_[np.zeros(13), states], method="trf", x_scale="jac", xtol=1e-12, ftol=1e-12, gtol=1e-12)
    R_FJ, _, p_FJ, _, pitch = joint(best.x)
    theirs_F = R_FJ.apply(z)
    # A fiftieth of a standard deviation, both minimised far beyond.
    assert angle_between(axis(ours["X_FJ"]), theirs_F) < 0.02 * ours["std_axis"]
    if kind != "prismatic":
        offset = np.cross(ours["X_FJ"][1] - p_FJ, theirs_F)
        assert np.linalg.norm(offset) < 0.02 * ours["std_point"]
    if kind == "screw":
        assert abs(abs(ours["pitch"]) - abs(pitch)) < 0.02 * ours["std_pitch"]


# A circle through points, noise known or not: the same objective minimised by SciPy over centre, normal and radius from many starts.
@pytest.mark.parametrize("turn", [0.15, 0.5, 1.5, 5.0])
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("radius_scale", [None, 0.5])
def test_circle_agrees_with_multistart_least_squares(turn, known, radius_scale):
    rng = np.random.default_rng(int(10 * turn))
    R, radius, sigma, n = Rotation.random(random_state=rng), 0.6, 0.003, 90
    angle = np.linspace(0, turn, n)
    points = R.apply(radius * np.c_[np.cos(angle), np.sin(angle), 0 * angle]) + [1.0, -2.0, 0.5] + sigma * rng.standard_normal((n, 3))
    request = {"type": "revolute", "poses": points.tolist(), "method": "likelihood"}
    if known:
        request["noise"] = [sigma, 1.0]
    if radius_scale:
        request["radius_scale"] = radius_scale
    done = subprocess.run([TOOL], input=json.dumps(request), capture_output=True, text=True, timeout=60, check=True)
    ours = json.loads(done.stdout)
    # An arc whose bend (1.7 mm) is below the noise has no plane: at a tolerance of 1e-4 deviations the last steps creep there.
    assert turn < 0.2 or (ours["status"] == "ok" and ours["iterations"] <= 25)
    w, *v = ours["X_FJ"]["q"]
    found = np.r_[ours["X_FJ"]["p"], Rotation.from_quat([*v, w]).apply([0, 0, 1]), -ours["X_MJ"]["p"][0]]

    def residuals(x):
        normal = x[3:6] / np.linalg.norm(x[3:6])
        u = points - x[:3]
        z = u @ normal
        return np.r_[np.linalg.norm(u - np.outer(z, normal), axis=1) - abs(x[6]), z]

    def cost(x, variance=None):
        squares = np.sum(residuals(x) ** 2)
        v = sigma**2 if known else squares / (2 * n) if variance is None else variance
        return 0.5 * squares / v + n * np.log(v) + (0.5 * (x[6] / radius_scale) ** 2 if radius_scale else 0)

    best = np.inf
    for trial in range(12):
        x = found + np.r_[0.2, 0.2, 0.2, 0.3, 0.3, 0.3, 0.2] * rng.standard_normal(7) * (trial > 0)
        if trial % 3 == 2:  # from the truth's neighbourhood
            x = np.r_[[1.0, -2.0, 0.5], R.apply([0, 0, 1]), radius] + 0.02 * rng.standard_normal(7)
        variance = sigma**2
        for _ in range(1 if known else 4):  # variance and circle by turns
            weight = 1 / np.sqrt(variance)

            def weighted(y):
                prior = [y[6] / radius_scale] if radius_scale else []
                return np.r_[residuals(y) * weight, prior, 1e-6 * (np.linalg.norm(y[3:6]) - 1)]

            x = least_squares(weighted, x, x_scale="jac", xtol=1e-12, ftol=1e-12, gtol=1e-12, max_nfev=300).x
            variance = np.sum(residuals(x) ** 2) / (2 * n)
        best = min(best, cost(x))
    assert cost(found) <= best + (0.02 if turn < 0.2 else 1e-3)  # [nats]
