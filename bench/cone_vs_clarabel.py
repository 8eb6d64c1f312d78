"""Largest push on a brick wall, exact friction cones: this library against Clarabel, same programs, one run.

    .venv/bin/python bench/cone_vs_clarabel.py [--build build/release] [--repeat 20]

Each interface has 4 contact points, each point a force in its friction cone |f_t| <= mu f_n; six equilibrium equations per
brick; the push along a given direction is maximised. Times are the fastest of the repetitions. `solve` compares our
ConeSolver::solve() with Clarabel's own reported solve_time (which leaves out its construction); `total` compares building
the solver and solving, from matrices in memory, on both sides. The last column is a re-solve with new numbers in an
existing ConeSolver, what a stability query does, against Clarabel's total. Both have Clarabel's default tolerance, 1e-8.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

import clarabel
import numpy as np
import scipy.sparse as sp

MU, WEIGHT = 0.6, 9.81
SIZE = np.array([0.2, 0.1, 0.1])  # [m] length, depth, height of a brick


def wall(interfaces):
    """Bricks in running bond, from the ground up, until there are so many interfaces (or one more); (bodies, [(below, above, box)])."""
    width = max(1, int(np.ceil(np.sqrt(interfaces / 2.5))))
    bodies, contacts, row, previous = [], [], 0, []
    while True:
        current = []
        shift = 0.5 * (row % 2)
        for k in range(width - (row % 2 if width > 1 else 0)):
            if len(contacts) >= interfaces:
                return bodies, contacts
            x = (k + shift) * SIZE[0] if width > 1 else 0.0
            body = len(bodies)
            z = row * SIZE[2]
            if row == 0:
                contacts.append((-1, body, (x - SIZE[0] / 2, x + SIZE[0] / 2, z)))
            else:
                for below, x_below in previous:
                    low = max(x, x_below) - SIZE[0] / 2
                    high = min(x, x_below) + SIZE[0] / 2
                    if high - low > 1e-9:
                        contacts.append((below, body, (low, high, z)))
            bodies.append(np.array([x, 0.0, z + SIZE[2] / 2]))
            current.append((body, x))
        previous, row = current, row + 1


def program(interfaces, direction, pushed):
    bodies, contacts = wall(interfaces)
    n, p = 12 * len(contacts) + 1, 6 * len(bodies)
    rows, cols, values = [], [], []

    def add(row, col, value):
        if value != 0.0:
            rows.append(row), cols.append(col), values.append(value)

    def wrench(body, col, point, force):
        moment = np.cross(point - bodies[body], force)
        for i in range(3):
            add(6 * body + i, col, force[i])
            add(6 * body + 3 + i, col, moment[i])

    axes = [np.array([0, 0, 1.0]), np.array([1.0, 0, 0]), np.array([0, 1.0, 0])]
    column = 0
    for below, above, (low, high, z) in contacts:
        for point in [np.array([x, y, z]) for x in (low, high) for y in (-SIZE[1] / 2, SIZE[1] / 2)]:
            for axis in axes:
                wrench(above, column, point, axis)
                if below >= 0:
                    wrench(below, column, point, -axis)
                column += 1
    pushed %= len(bodies)
    wrench(pushed, n - 1, bodies[pushed] + np.array([0, 0, 0.3 * SIZE[2]]), np.asarray(direction, float))
    A = sp.csc_matrix((values, (rows, cols)), shape=(p, n))
    G = sp.csc_matrix((np.tile([-MU, -1.0, -1.0], 4 * len(contacts)), (range(n - 1), range(n - 1))), shape=(n - 1, n))
    b = np.zeros(p)
    b[2::6] = WEIGHT
    c = np.zeros(n)
    c[-1] = -1.0
    return c, A, b, G, np.zeros(n - 1), [3] * (4 * len(contacts)), len(bodies)


def ours(binary, data, repeat):
    c, A, b, G, h, q, _ = data
    triplets = lambda M: [[int(i), int(j), float(v)] for i, j, v in zip(M.tocoo().row, M.tocoo().col, M.tocoo().data)]
    line = json.dumps({"c": c.tolist(), "A": triplets(A), "b": b.tolist(), "G": triplets(G), "h": h.tolist(), "q": q,
                       "repeat": repeat, "tolerance": clarabel.DefaultSettings().tol_feas})
    run = subprocess.run([binary], input=line, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def theirs(data, repeat):
    c, A, b, G, h, q, _ = data
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    stacked, right = sp.csc_matrix(sp.vstack([A, G])), np.concatenate([b, h])
    cones = [clarabel.ZeroConeT(len(b))] + [clarabel.SecondOrderConeT(k) for k in q]
    P = sp.csc_matrix((len(c), len(c)))
    solve = total = np.inf
    for _ in range(repeat):
        start = time.perf_counter()
        solution = clarabel.DefaultSolver(P, c, stacked, right, cones, settings).solve()
        total = min(total, time.perf_counter() - start)
        solve = min(solve, solution.solve_time)
    return solution, solve, total


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--build", default="build/release")
    arguments.add_argument("--repeat", type=int, default=20)
    options = arguments.parse_args()
    tool = Path(options.build + "/bin") / "cone_tool"
    print(f"{'interfaces':>10} {'bodies':>6} {'push':>5} | {'ours solve':>10} {'clarabel':>9} {'ratio':>6} | "
          f"{'ours total':>10} {'clarabel':>9} {'ratio':>6} | {'re-solve':>9} {'ratio':>6} | iterations  difference  [ms]")
    slower = 0
    for interfaces in (1, 2, 3, 5, 10, 20, 50, 100, 200):
        for name, direction in (("side", (1, 0, 0)), ("front", (0, 1, 0)), ("down", (0.6, 0, -0.8))):
            data = program(interfaces, direction, pushed=-1)
            repeat = options.repeat * (25 if interfaces <= 5 else 2 if interfaces <= 20 else 1)
            mine = ours(tool, data, repeat)
            solution, solve, total = theirs(data, repeat)
            objective = solution.obj_val if str(solution.status) == "Solved" else np.nan
            mine_objective = mine["primal_objective"] if mine["status"] == "optimal" else np.nan
            difference = abs(mine_objective - objective) / max(abs(objective), 1e-3 * WEIGHT)
            verdict = f"{difference:.0e}" if np.isfinite(difference) else f"{mine['status']} / {solution.status}"
            ratios = solve / mine["solve_s"], total / mine["total_s"], total / mine["resolve_s"]
            slower += min(ratios) < 1.0
            print(f"{interfaces:>10} {data[-1]:>6} {name:>5} | {1e3 * mine['solve_s']:>10.3f} {1e3 * solve:>9.3f} "
                  f"{ratios[0]:>6.1f} | {1e3 * mine['total_s']:>10.3f} {1e3 * total:>9.3f} {ratios[1]:>6.1f} | "
                  f"{1e3 * mine['resolve_s']:>9.3f} {ratios[2]:>6.1f} | {mine['iterations']:>3} {solution.iterations:>4}    {verdict}")
    print("never slower than Clarabel" if not slower else f"slower than Clarabel in {slower} rows")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
