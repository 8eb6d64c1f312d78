"""The cone solver against Clarabel on 1000 random programs, its answers checked again in NumPy.

Families: feasible by construction (primal and dual interior point), contact forces, infeasible, unbounded, degenerate
(repeated equalities, no interior), badly scaled rows and columns (1e-6 .. 1e6).
"""

import json
import os
import subprocess
from pathlib import Path

import clarabel
import numpy as np
import pytest
import scipy.sparse as sp

TOOL = Path(os.environ.get("PREHEND_BIN", "build/release/bin")) / "cone_tool"
SQRT2 = np.sqrt(2.0)
PSD_ROWS, PSD_COLS = zip(*[(i, j) for j in range(4) for i in range(j + 1)])


def svec(matrix):
    scale = np.where(np.array(PSD_ROWS) == np.array(PSD_COLS), 1.0, SQRT2)
    return matrix[PSD_ROWS, PSD_COLS] * scale


def smat(vector):
    matrix = np.zeros((4, 4))
    scale = np.where(np.array(PSD_ROWS) == np.array(PSD_COLS), 1.0, 1 / SQRT2)
    matrix[PSD_ROWS, PSD_COLS] = vector * scale
    matrix[PSD_COLS, PSD_ROWS] = vector * scale
    return matrix


class Program:
    def __init__(self, c, A, b, G, h, nonnegative=0, second_order=(), psd4=0, family=""):
        self.c, self.b, self.h = (np.asarray(v, float) for v in (c, b, h))
        self.A, self.G = sp.csc_matrix(A, shape=(len(b), len(c))), sp.csc_matrix(G, shape=(len(h), len(c)))
        self.l, self.q, self.psd4, self.family = nonnegative, list(second_order), psd4, family

    def to_json(self, repeat=1):
        def triplets(matrix):
            m = matrix.tocoo()
            return [[int(i), int(j), float(v)] for i, j, v in zip(m.row, m.col, m.data)]

        return json.dumps(
            {"c": self.c.tolist(), "A": triplets(self.A), "b": self.b.tolist(), "G": triplets(self.G),
             "h": self.h.tolist(), "l": self.l, "q": self.q, "psd4": self.psd4, "repeat": repeat})

    def scaled(self, rng, decades):
        """The same program in other units; rows of one cone share theirs."""
        power = lambda count: 10.0 ** rng.uniform(-decades, decades, count)
        D, E = power(len(self.c)), power(len(self.b))
        F = np.concatenate([power(self.l)] + [np.full(k, power(1)) for k in self.q + [10] * self.psd4])
        return Program(D * self.c, sp.diags(E) @ self.A @ sp.diags(D), E * self.b,
                       sp.diags(F) @ self.G @ sp.diags(D), F * self.h, self.l, self.q, self.psd4, self.family + "+scaled")

    def violation(self, v):
        """Distance outside the cones, relative to the largest entry of each cone (orthant: of all)."""
        worst, row = 0.0, self.l
        if self.l:
            worst = max(0.0, -v[: self.l].min() / max(np.abs(v).max(), 1e-300))
        for k in self.q:
            part = v[row : row + k]
            worst = max(worst, (np.linalg.norm(part[1:]) - part[0]) / max(np.abs(part).max(), 1e-300))
            row += k
        for _ in range(self.psd4):
            values = np.linalg.eigvalsh(smat(v[row : row + 10]))
            worst = max(worst, -values[0] / max(np.abs(values).max(), 1e-300))
            row += 10
        return worst


def clarabel_solve(p):
    n = len(p.c)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-10  # better than ours, where it can
    settings.reduced_tol_gap_abs = settings.reduced_tol_gap_rel = settings.reduced_tol_feas = 1e-8
    cones = [clarabel.ZeroConeT(len(p.b))] if len(p.b) else []
    cones += [clarabel.NonnegativeConeT(p.l)] if p.l else []
    cones += [clarabel.SecondOrderConeT(k) for k in p.q] + [clarabel.PSDTriangleConeT(4)] * p.psd4
    stacked = sp.csc_matrix(sp.vstack([p.A, p.G]))
    return clarabel.DefaultSolver(sp.csc_matrix((n, n)), p.c, stacked, np.concatenate([p.b, p.h]), cones, settings).solve()


def interior(rng, l, q, psd4):
    parts = [rng.uniform(0.1, 2.0, l)]
    for k in q:
        tail = rng.normal(size=k - 1)
        parts.append(np.concatenate([[np.linalg.norm(tail) + rng.uniform(0.1, 2.0)], tail]))
    for _ in range(psd4):
        m = rng.normal(size=(4, 4))
        parts.append(svec(m @ m.T + 0.1 * np.eye(4)))
    return np.concatenate(parts)


def random_cones(rng):
    l = int(rng.integers(0, 8))
    q = [int(k) for k in rng.choice([1, 2, 3, 3, 3, 4, 7, 15], size=rng.integers(0, 5))]
    psd4 = int(rng.integers(0, 3)) if rng.uniform() < 0.3 else 0
    return (l, q, psd4) if l + len(q) + psd4 else (3, q, psd4)


def sparse_normal(rng, rows, cols, density):
    return rng.normal(size=(rows, cols)) * (rng.uniform(size=(rows, cols)) < density)


def without_dust(matrix):
    """Rounding noise of a projection is not data: a row of 1e-17 would count like any other, units being free."""
    return np.where(np.abs(matrix) > 1e-12, matrix, 0.0)


def feasible(rng):
    l, q, psd4 = random_cones(rng)
    m = l + sum(q) + 10 * psd4
    n = int(rng.integers(1, 14))
    p = int(rng.integers(0, max(1, n // 2) + 1))
    density = rng.choice([0.3, 0.7, 1.0])
    A, G = sparse_normal(rng, p, n, density), sparse_normal(rng, m, n, density)
    x, y = rng.normal(size=n), rng.normal(size=p)
    s, z = interior(rng, l, q, psd4), interior(rng, l, q, psd4)
    return Program(-A.T @ y - G.T @ z, A, A @ x, G, G @ x + s, l, q, psd4, "feasible")


def standard_form(rng):
    """x itself in the cones: the form that contact forces have."""
    l, q, psd4 = random_cones(rng)
    m = l + sum(q) + 10 * psd4
    free = int(rng.integers(0, 3))
    p = int(rng.integers(1, max(2, m // 2)))
    A = sparse_normal(rng, p, m + free, rng.choice([0.3, 1.0]))
    G = np.hstack([-np.diag(rng.uniform(0.3, 2.0, m)), np.zeros((m, free))])
    s, z = interior(rng, l, q, psd4), interior(rng, l, q, psd4)
    x = np.concatenate([-np.linalg.solve(G[:, :m], s), rng.normal(size=free)])
    return Program(-A.T @ rng.normal(size=p) - G.T @ z, A, A @ x, G, np.zeros(m), l, q, psd4, "standard")


def contact(rng, bodies=None):
    """Largest push on one body of a random pile: friction cones as second-order cones."""
    bodies = bodies or int(rng.integers(1, 4))
    columns, contacts = [], []
    for body in range(bodies):
        for support in {-1, int(rng.integers(-1, max(body, 1)))}:
            if support >= body:
                continue
            for corner in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
                contacts.append((support, body, np.array([*(0.5 * np.array(corner)), -0.5]) + 0.1 * rng.normal(size=3)))
    n = 3 * len(contacts) + 1
    A, mu = np.zeros((6 * bodies, n)), rng.uniform(0.2, 1.0)
    G = np.zeros((n - 1, n))
    for k, (a, b, r) in enumerate(contacts):
        cross = np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
        wrench = np.vstack([np.eye(3), cross])[:, [2, 0, 1]]  # normal (z) first
        A[6 * b : 6 * b + 6, 3 * k : 3 * k + 3] = wrench
        if a >= 0:
            A[6 * a : 6 * a + 6, 3 * k : 3 * k + 3] = -wrench
        G[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = -np.diag([mu, 1, 1])
    push = rng.normal(size=3)
    A[6 * (bodies - 1) : 6 * bodies - 3, -1] = push / np.linalg.norm(push)
    b = np.zeros(6 * bodies)
    b[2::6] = 9.81 * rng.uniform(0.5, 2.0, bodies)
    c = np.zeros(n)
    c[-1] = -1.0
    return Program(c, A, b, G, np.zeros(n - 1), 0, [3] * len(contacts), 0, "contact")


def infeasible(rng):
    """Strongly: some y, z interior to the dual cone prove it with margin."""
    base = feasible(rng)
    l, q, psd4 = base.l, base.q, base.psd4
    z = interior(rng, l, q, psd4)
    G = base.G.toarray()
    row = int(np.argmax(np.abs(z)))
    G[row] -= (base.G.T @ z) / z[row]  # now G'z = 0
    h = rng.normal(size=len(z))
    h -= z * (h @ z + rng.uniform(0.5, 2.0)) / (z @ z)
    c = -base.A.T @ rng.normal(size=len(base.b)) - G.T @ interior(rng, l, q, psd4)  # the dual has a point: not unbounded
    return Program(c, base.A, base.b, without_dust(G), h, l, q, psd4, "infeasible")


def unbounded(rng):
    """A ray strictly inside the cone along which c'x falls."""
    base = feasible(rng)
    x, s = rng.normal(size=len(base.c)), interior(rng, base.l, base.q, base.psd4)
    A, G = base.A.toarray(), base.G.toarray()
    A -= np.outer(A @ x, x) / (x @ x)
    G -= np.outer(G @ x + s, x) / (x @ x)
    A, G = without_dust(A), without_dust(G)
    x0, s0 = rng.normal(size=len(x)), interior(rng, base.l, base.q, base.psd4)
    c = rng.normal(size=len(x))
    c -= x * (c @ x + 1.0) / (x @ x)
    return Program(c, A, A @ x0, G, G @ x0 + s0, base.l, base.q, base.psd4, "unbounded")


def redundant(rng):
    """Equalities repeated and combined."""
    base = [feasible, standard_form, contact][rng.integers(3)](rng)
    if not len(base.b):
        return base
    mix = rng.normal(size=(int(rng.integers(1, 4)), len(base.b)))
    mix[0] = 0.0
    mix[0, 0] = 1.0
    A = sp.vstack([base.A, sp.csc_matrix(mix @ base.A.toarray())])
    return Program(base.c, A, np.concatenate([base.b, mix @ base.b]), base.G, base.h, base.l, base.q, base.psd4,
                   "redundant")


def no_interior(rng):
    """One inequality holds with equality on the whole feasible set (x_0 <= v and x_0 >= v)."""
    base = feasible(rng)
    row = np.zeros((2, len(base.c)))
    row[:, 0] = 1.0, -1.0
    x0 = rng.normal()
    G = sp.vstack([sp.csc_matrix(row), base.G])
    A = base.A.toarray()
    x = rng.normal(size=len(base.c))
    x[0] = x0
    h = base.G @ x + interior(rng, base.l, base.q, base.psd4)
    return Program(base.c, A, A @ x, G, np.concatenate([[x0, -x0], h]), base.l + 2, base.q, base.psd4, "no interior")


FAMILIES = [feasible, standard_form, contact, infeasible, unbounded, redundant, no_interior]


def programs(count, seed=20240613):
    for k in range(count):
        rng = np.random.default_rng([seed, k])
        p = FAMILIES[k % len(FAMILIES)](rng)
        if (k // len(FAMILIES)) % 3 == 2:
            p = p.scaled(rng, 3.0)  # entries of A and G then spread over twelve decades
        yield p


def solve_all(items):
    text = "\n".join(p.to_json() for p in items)
    run = subprocess.run([TOOL], input=text, capture_output=True, text=True, check=True, timeout=300)
    return [json.loads(line) for line in run.stdout.splitlines()]


def largest(*vectors):
    return max([np.abs(v).max() for v in vectors if len(v)], default=0.0)


def complaint(p, ours):
    """Our answer, checked from the program's numbers alone. Empty when it proves what it claims."""
    x, s, y, z = (np.array(ours[k]) for k in "xsyz")
    if ours["status"] == "optimal":
        bounds, costs = largest(p.b, p.h) or 1.0, largest(p.c) or 1.0
        primal = largest(p.A @ x - p.b, p.G @ x + s - p.h) / max(bounds, largest(p.A @ x), largest(s))
        dual = largest(p.A.T @ y + p.G.T @ z + p.c) / max(costs, largest(p.A.T @ y), largest(p.G.T @ z))
        gap = abs(p.c @ x + p.b @ y + p.h @ z)
        gap /= max(abs(p.c) @ abs(x), abs(p.b) @ abs(y) + abs(p.h) @ abs(z), 0.0 if largest(p.b, p.h) and largest(p.c) else bounds * costs)
        inside = max(p.violation(s), p.violation(z))
        bad = {"primal": primal, "dual": dual, "gap": gap, "cone": inside}
    elif ours["status"] == "primal_infeasible":
        unit = np.maximum(abs(p.A).max(axis=0).toarray().ravel() if len(p.b) else 0.0, abs(p.G).max(axis=0).toarray().ravel())
        unit = np.where(unit > 0, unit, 1.0)
        terms = (abs(p.A).T @ abs(y) + abs(p.G).T @ abs(z)) / unit
        bad = {"equation": largest((p.A.T @ y + p.G.T @ z) / unit) / max(largest(terms), 1e-300),
               "cone": p.violation(z),
               "b'y + h'z + 1": abs(p.b @ y + p.h @ z + 1)}
    elif ours["status"] == "dual_infeasible":
        row_unit = lambda M: np.maximum(abs(M).max(axis=1).toarray().ravel(), 1e-300) if M.shape[0] else np.ones(0)
        residuals = [largest((p.G @ x + s) / row_unit(p.G)) / largest((abs(p.G) @ abs(x) + s) / row_unit(p.G))]
        if len(p.b):
            residuals.append(largest((p.A @ x) / row_unit(p.A)) / max(largest((abs(p.A) @ abs(x)) / row_unit(p.A)), 1e-300))
        bad = {"equation": max(residuals), "cone": p.violation(s), "c'x + 1": abs(p.c @ x + 1)}
    else:
        return ours["status"]
    worst = {k: v for k, v in bad.items() if not v <= 1e-6}
    return f"{ours['status']}: {worst}" if worst else ""


def test_a_thousand_programs_against_clarabel():
    items = list(programs(1000))
    answers = solve_all(items)
    assert len(answers) == len(items)
    names = {"Solved": "optimal", "AlmostSolved": "optimal", "PrimalInfeasible": "primal_infeasible",
             "AlmostPrimalInfeasible": "primal_infeasible", "DualInfeasible": "dual_infeasible",
             "AlmostDualInfeasible": "dual_infeasible"}
    failures, compared = [], 0
    for k, (p, ours) in enumerate(zip(items, answers)):
        reason = complaint(p, ours)
        if reason or not ours["certificate_valid"]:
            failures.append((k, p.family, reason or ours["certificate"]))
            continue
        theirs = clarabel_solve(p)
        status = str(theirs.status)
        if status not in ("Solved", "AlmostSolved", "PrimalInfeasible", "DualInfeasible"):
            continue  # Clarabel itself is unsure; ours has just been proved
        compared += 1
        if names[status] != ours["status"]:
            failures.append((k, p.family, f"ours {ours['status']}, Clarabel {status}"))
        elif status.endswith("Solved"):
            scale = max(abs(theirs.obj_val), 1e-2 * abs(p.c) @ abs(np.array(ours["x"])))
            if largest(p.b, p.h) == 0.0:
                scale = largest(p.c)  # the optimum is zero, in no particular unit
            error = abs(ours["primal_objective"] - theirs.obj_val) / scale
            if error > 2e-6:
                failures.append((k, p.family, f"objective {ours['primal_objective']} against {theirs.obj_val}: {error:.1e}"))
    assert not failures, f"{len(failures)} of {len(items)}:\n" + "\n".join(map(str, failures[:40]))
    assert compared > 900


@pytest.mark.parametrize("line", ['{"c":[1],"A":[],"b":[],"G":[[0,0,-1]],"h":[0,0],"l":1}', '{"c":[1'])
def test_bad_lines_are_answered_with_a_sentence(line):
    run = subprocess.run([TOOL], input=line, capture_output=True, text=True, check=True, timeout=60)
    answer = json.loads(run.stdout)
    assert answer["status"] == "error" and len(answer["message"]) > 20
