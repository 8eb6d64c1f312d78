"""Estimators of inertial parameters against cvxpy with Clarabel, same samples, same objective, one run.

    .venv/bin/python bench/inertia_vs_cvxpy.py [--build build/release] [--samples 150] [--repeat 20]

`user`: the program as one writes it down from the paper, all rows. `compressed`: the same with the rows reduced to a triangle by QR
(not counted). cvxpy's times are processor time of building and solving, median, so that a busy machine does not flatter us; ours
are wall clock of compressing and solving, median. `difference`: of the objectives, relative, positive where cvxpy's is worse. One
entry of METHODS per estimator.
"""

import argparse
import os
import sys
import time
from pathlib import Path

import cvxpy as cp
import numpy as np

ROOT = Path(__file__).resolve().parent.parent


def timed(function, repeat):
    times = []
    for _ in range(repeat):
        start = time.process_time()
        value = function()
        times.append(time.process_time() - start)
    return float(np.median(times)), value


def geo(options):
    import geometric_oracle_test as oracle

    alpha = 1e-5
    rows, A, b, prior = oracle.problem(seed=1, count=options.samples)
    prior_inverse = np.linalg.inv(oracle.pseudo_inertia(prior))
    gamma = alpha * np.sum(A * A)

    def as_a_user(A, b):
        phi, P = cp.Variable(10), cp.Variable((4, 4), PSD=True)
        cost = cp.sum_squares(A @ phi - b) + gamma * (cp.trace(prior_inverse @ P) - cp.log_det(P))
        cp.Problem(cp.Minimize(cost), [P == oracle.pseudo_inertia(phi)]).solve(solver=cp.CLARABEL)
        return phi.value

    R = np.linalg.qr(np.column_stack([A, b]), mode="r")
    user, phi = timed(lambda: as_a_user(A, b), options.repeat)
    compressed, _ = timed(lambda: as_a_user(R[:10, :10], R[:10, 10]), options.repeat)
    answer = oracle.ask(rows, prior, alpha, repeat=2000)
    ours = oracle.objective(A, b, prior, alpha, np.array(answer["phi"]))
    theirs = oracle.objective(A, b, prior, alpha, phi)
    return answer["solve_us"] * 1e-6, user, compressed, theirs / ours - 1


METHODS = {"geo": geo}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--samples", type=int, default=150)
    parser.add_argument("--repeat", type=int, default=20)
    options = parser.parse_args()
    os.environ["PREHEND_BIN"] = str(options.build / "bin")
    sys.path.insert(0, str(ROOT / "prehend/inertia/test"))
    print(f"{'method':<7} {'ours [us]':>10} {'user [ms]':>10} {'ratio':>7} {'compressed [ms]':>16} {'ratio':>7} {'difference':>11}")
    for name, measure in METHODS.items():
        ours, user, compressed, difference = measure(options)
        print(f"{name:<7} {1e6 * ours:>10.1f} {1e3 * user:>10.2f} {user / ours:>7.0f} {1e3 * compressed:>16.2f} "
              f"{compressed / ours:>7.0f} {difference:>11.1e}")


if __name__ == "__main__":
    main()
