"""Point masses and homogeneous parts: this library against cvxpy with Clarabel on the same problems, in one run.

    .venv/bin/python bench/inertia_parts_vs_cvxpy.py [--build build/release] [--repeat 5]

56 points, 150 samples, 4 parts, as in bench/inertia_parts_bench.cpp, whose printed forms are timed beside. cvxpy twice: as a user
writes it (problem built from stacked rows and solved), and with the rows compressed by QR first; stacking them in Python is
not counted there, but it is here. Times are CPU times (one thread), medians over the repetitions, so that a busy machine does
not decide; the target is 200 times against the first.
"""

import argparse
import json
import os
import subprocess
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cvxpy as cp
import numpy as np


def columns(points, a, w, al):
    """[tau; f] of a unit mass at each point, one column each."""
    acceleration = a + np.cross(al, points) + np.cross(w, np.cross(w, points))
    return np.vstack([np.cross(points, acceleration).T, acceleration.T])


def recording(points, still, count=150):
    rng = np.random.default_rng(2)
    masses = np.full(len(points), 0.6 / len(points))
    samples = []
    for k in range(count):
        t = 0.01 * k
        g = np.array([np.sin(3 * t), np.cos(4 * t), 0.5])
        g *= 9.81 / np.linalg.norm(g)
        a = w = al = np.zeros(3)
        if not still:
            w = np.array([np.cos(4 * t), np.sin(5 * t), np.cos(6 * t)])
            al = 5 * np.array([np.sin(4 * t), np.cos(5 * t), np.sin(6 * t)]) + 0.5 * rng.standard_normal(3)
            a = np.array([np.sin(7 * t), np.cos(6 * t), np.sin(5 * t)])
        y = columns(points, a - g, w, al) @ masses
        samples.append((a, w, al, g, y + np.r_[0.005 * rng.standard_normal(3), 0.1 * rng.standard_normal(3)]))
    return samples


def point_mass_rows(points, samples, c1):
    zero = np.zeros(3)
    full = np.vstack([columns(points, a - g, w, al) for a, w, al, g, _ in samples])
    reduced = np.vstack([columns(points, -g, zero, zero) for *_, g, _ in samples])
    nu = np.array([a @ a + al @ al + (w @ w) / 0.25 for a, w, al, _, _ in samples])
    return full, reduced, np.concatenate([y for *_, y in samples]), np.repeat(np.tanh(3 * nu / c1), 6)


def solved(objective):
    cp.Problem(cp.Minimize(objective)).solve(solver=cp.CLARABEL)


def pmd_as_written(full, reduced, b, w):
    m = cp.Variable(full.shape[1], nonneg=True)
    solved(cp.sum_squares(cp.multiply(1 - w, reduced @ m - b)) + cp.sum_squares(cp.multiply(w, full @ m - b)) +
           0.1 * cp.sum_squares(m))


def pmd_compressed(full, reduced, b, w):
    stacked = np.vstack([np.c_[(1 - w)[:, None] * reduced, (1 - w) * b], np.c_[w[:, None] * full, w * b]])
    R = np.linalg.qr(stacked, mode="r")
    R = R[np.abs(R).max(axis=1) > 1e-9 * np.abs(R).max()]
    m = cp.Variable(full.shape[1], nonneg=True)
    solved(cp.sum_squares(R[:, :-1] @ m - R[:, -1]) + 0.1 * cp.sum_squares(m))


def part_rows(centroids, samples):
    zero = np.zeros(3)
    return (np.vstack([columns(centroids, -g, zero, zero) for *_, g, _ in samples]),
            np.concatenate([y for *_, y in samples]))


def hps_as_written(A, b):
    m = cp.Variable(A.shape[1], nonneg=True)
    solved(cp.sum_squares(A @ m - b))


def hps_compressed(A, b):
    R = np.linalg.qr(np.c_[A, b], mode="r")
    m = cp.Variable(A.shape[1], nonneg=True)
    solved(cp.sum_squares(R[:, :-1] @ m - R[:, -1]))


def seconds(function, arguments, repeat):
    function(*arguments)
    times = []
    for _ in range(repeat):
        start = time.process_time()
        function(*arguments)
        times.append(time.process_time() - start)
    return float(np.median(times))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    points = rng.uniform(-1, 1, (56, 3)) * [0.15, 0.04, 0.03]
    centroids = np.array([[0.03, 0, 0], [0, 0.03, 0], [0, 0, 0.03], [-0.02, -0.01, 0]])
    moving = point_mass_rows(points, recording(points, False), 300.0)
    still = part_rows(centroids, recording(centroids, True))
    bench = Path(options.build) / "bin" / "inertia_parts_bench"
    report = subprocess.run([bench, "--benchmark_format=json", "--benchmark_filter=estimate"], capture_output=True,
                            text=True, check=True)
    ours = {row["name"]: row["cpu_time"] * 1e-6 for row in json.loads(report.stdout)["benchmarks"]}
    table = [("pmd", ours["pmd_estimate/printed_squared"], ours["pmd_estimate/noise_weighted"],
              seconds(pmd_as_written, moving, options.repeat),
              seconds(pmd_compressed, moving, options.repeat)),
             ("hps", ours["hps_estimate/printed"], ours["hps_estimate/prior"],
              seconds(hps_as_written, still, options.repeat),
              seconds(hps_compressed, still, options.repeat))]
    print("      ours printed  ours default  cvxpy as written  cvxpy after QR   ratio   ratio after QR")
    for name, printed, default, written, compressed in table:
        print(f"{name}   {printed * 1e6:8.1f} us   {default * 1e6:8.1f} us   {written * 1e3:10.2f} ms    "
              f"{compressed * 1e3:10.2f} ms  {written / printed:7.0f}x  {compressed / printed:7.0f}x")


if __name__ == "__main__":
    main()
