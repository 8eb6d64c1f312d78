"""Linear programs, quadratic programs and non-negative least squares against HiGHS, Clarabel and SciPy.

A thousand random problems each, some infeasible, unbounded, degenerate, without constraints or badly scaled. Scaling is
by powers of two and only our solver sees it: the oracle gets the well-scaled twin, and the answer is carried back
exactly. Every answer is also proved here: conditions of optimality, or the certificate, multiplied out in NumPy.
Exact rational arithmetic decides where an oracle's claim does not stand.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are tiny; threads only get in each other's way

import clarabel  # noqa: E402
import numpy as np  # noqa: E402
import pytest  # noqa: E402
from exact_quadratic_program import exact_optimum  # noqa: E402
from scipy import optimize, sparse  # noqa: E402
from solver_questions import ask  # noqa: E402

COUNT = 10000 if os.environ.get("PREHEND_SLOW") else 1000
INF = float("inf")


def support(multiplier, lower, upper):
    """Largest multiplier'v over lower <= v <= upper."""
    positive, negative = multiplier > 0, multiplier < 0
    return multiplier[positive] @ upper[positive] + multiplier[negative] @ lower[negative]


def violation(value, lower, upper):
    return max([0.0, *(lower - value), *(value - upper)])


def recession_violation(value, lower, upper):
    return max([0.0, *value[np.isfinite(upper)], *-value[np.isfinite(lower)]])


def powers_of_two(rng, size, largest):
    return 2.0 ** rng.integers(-largest, largest + 1, size)


# Linear programs ------------------------------------------------------------------------------------------------------


def random_bounds(rng, value, size):
    """Bounds around the values of a known point: equations, one-sided, two-sided, absent; some touch the point."""
    kind = rng.integers(0, 5, size)
    below = value - rng.choice([0.0, 1.0], size) * rng.uniform(0.1, 2, size)
    above = value + rng.choice([0.0, 1.0], size) * rng.uniform(0.1, 2, size)
    lower = np.select([kind == 0, kind == 1, kind == 3], [value, below, below], -INF)
    upper = np.select([kind == 0, kind == 2, kind == 3], [value, above, above], INF)
    return lower, upper


def random_lp(rng, kind):
    n, m = int(rng.integers(1, 21)), int(rng.integers(1, 26))
    if kind == "no rows":
        m = 0
    A = rng.normal(size=(m, n)) * (rng.random((m, n)) < rng.uniform(0.2, 1.0))
    x = rng.normal(size=n)
    if kind == "degenerate":  # small integers, all rows through one vertex, repeated rows
        A = rng.integers(-2, 3, (m, n)).astype(float)
        A = A[rng.integers(0, m, m)]
        x = rng.integers(-2, 3, n).astype(float)
    row_lower, row_upper = random_bounds(rng, A @ x, m)
    lower, upper = random_bounds(rng, x, n)
    if kind == "degenerate":
        row_lower = np.where(np.isfinite(row_lower), A @ x, -INF)
        row_upper = np.where(np.isfinite(row_upper), A @ x, INF)
    # A dual feasible cost: multipliers of the right sign where bounds are.
    y = np.where(np.isfinite(row_upper), np.abs(rng.normal(size=m)), 0) - np.where(
        np.isfinite(row_lower), np.abs(rng.normal(size=m)), 0)
    w = np.where(np.isfinite(upper), np.abs(rng.normal(size=n)), 0) - np.where(
        np.isfinite(lower), np.abs(rng.normal(size=n)), 0)
    c = -A.T @ y - w
    if kind == "any cost":
        c = rng.normal(size=n)
    if kind == "no cost":
        c = np.zeros(n)
    if kind == "infeasible":  # a combination of rows asks for more than the others allow
        weights = np.abs(rng.normal(size=m)) + 0.1
        A = np.vstack([A, weights @ A])
        row_lower, row_upper = A[:-1] @ x - 1, A[:-1] @ x + rng.uniform(0, 1, m)
        row_lower = np.append(row_lower, weights @ row_upper + 10.0 ** rng.uniform(-3, 1))
        row_upper = np.append(row_upper, INF)
    if kind == "unbounded":
        d = rng.normal(size=n)
        drift = A @ d
        row_lower = np.where(drift < 0, -INF, A @ x - rng.uniform(0, 1, m))
        row_upper = np.where(drift >= 0, INF, A @ x + rng.uniform(0, 1, m))
        lower = np.where(d < 0, -INF, x - rng.uniform(0, 1, n))
        upper = np.where(d >= 0, INF, x + rng.uniform(0, 1, n))
        c = c - d * (c @ d + rng.uniform(0.1, 1)) / (d @ d)
    return dict(kind="lp", c=c, A=A, row_lower=row_lower, row_upper=row_upper, lower=lower, upper=upper)


LP_KINDS = ["feasible", "feasible", "degenerate", "infeasible", "unbounded", "any cost", "no rows", "no cost"]


def scaled_lp(rng, lp, largest):
    """The same program in other units of rows, unknowns, cost and length; and the units."""
    row, column = powers_of_two(rng, len(lp["A"]), largest), powers_of_two(rng, len(lp["c"]), largest)
    cost, length = powers_of_two(rng, 2, 2 * largest)
    scaled = dict(lp, A=row[:, None] * lp["A"] * column, c=cost * column * lp["c"],
                  row_lower=length * row * lp["row_lower"], row_upper=length * row * lp["row_upper"],
                  lower=length * lp["lower"] / column, upper=length * lp["upper"] / column)
    return scaled, (row, column, cost, length)


def oracle_lp(lp):
    lower_rows, upper_rows = np.isfinite(lp["row_lower"]), np.isfinite(lp["row_upper"])
    equal = lp["row_lower"] == lp["row_upper"]
    lower_rows, upper_rows = lower_rows & ~equal, upper_rows & ~equal
    A_ub = np.vstack([lp["A"][upper_rows], -lp["A"][lower_rows]])
    b_ub = np.concatenate([lp["row_upper"][upper_rows], -lp["row_lower"][lower_rows]])
    words = {0: "optimal", 2: "primal_infeasible", 3: "dual_infeasible"}
    for presolve in (True, False):  # presolve may call an unbounded program infeasible; asked twice, HiGHS does not
        answer = optimize.linprog(lp["c"], A_ub, b_ub, lp["A"][equal], lp["row_upper"][equal],
                                  np.column_stack([lp["lower"], lp["upper"]]), method="highs",
                                  options={"presolve": presolve, "primal_feasibility_tolerance": 1e-9,
                                           "dual_feasibility_tolerance": 1e-9})
        if answer.status == 0:
            break
    return words.get(answer.status), answer.fun


def check_lp(lp, units, answer):
    row, column, cost, length = units
    if answer["status"] == "optimal":
        x, y, w = answer["x"] * column / length, answer["y"] * row / cost, answer["w"] / column / cost
        size = max(1.0, abs(x).max())
        assert violation(lp["A"] @ x, lp["row_lower"], lp["row_upper"]) <= 1e-7 * size
        assert violation(x, lp["lower"], lp["upper"]) <= 1e-7 * size
        assert abs(lp["c"] + lp["A"].T @ y + w).max() <= 1e-7 * max(1.0, abs(y).max(initial=0), abs(w).max())
        gap = lp["c"] @ x + support(y, lp["row_lower"], lp["row_upper"]) + support(w, lp["lower"], lp["upper"])
        assert abs(gap) <= 1e-7 * max(1.0, abs(lp["c"]) @ abs(x))
    elif answer["status"] == "primal_infeasible":
        y, w = answer["y"] * length * row, answer["w"] * length / column
        proof = support(y, lp["row_lower"], lp["row_upper"]) + support(w, lp["lower"], lp["upper"])
        assert proof == pytest.approx(-1, abs=1e-9)
        assert abs(lp["A"].T @ y + w).max() <= 1e-6
    else:
        assert answer["status"] == "dual_infeasible"
        x, ray = answer["x"] * column / length, answer["ray"] * column * cost
        assert lp["c"] @ ray == pytest.approx(-1, abs=1e-9)
        assert recession_violation(lp["A"] @ ray, lp["row_lower"], lp["row_upper"]) <= 1e-6
        assert recession_violation(ray, lp["lower"], lp["upper"]) <= 1e-6
        size = max(1.0, abs(x).max())
        assert violation(lp["A"] @ x, lp["row_lower"], lp["row_upper"]) <= 1e-7 * size
        assert violation(x, lp["lower"], lp["upper"]) <= 1e-7 * size


def test_linear_programs_agree_with_highs():
    rng = np.random.default_rng(1)
    kinds = [LP_KINDS[i % len(LP_KINDS)] for i in range(COUNT)]
    programs = [random_lp(rng, kind) for kind in kinds]
    scaled = [scaled_lp(rng, lp, 10 if i % 3 == 0 else 0) for i, lp in enumerate(programs)]
    seen = {}
    for i, (lp, (_, units), answer) in enumerate(zip(programs, scaled, ask([s[0] for s in scaled]))):
        status, objective = oracle_lp(lp)
        where = f"problem {i}, {kinds[i]}: {answer['report']}; HiGHS: {status} {objective}"
        try:
            check_lp(lp, units, answer)
        except AssertionError as error:
            raise AssertionError(where) from error
        if status is not None:
            assert answer["status"] == status, where
        if status == "optimal":
            ours = answer["objective"] / units[2] / units[3]
            assert ours == pytest.approx(objective, rel=1e-7, abs=1e-7), where
        if kinds[i] == "infeasible":
            assert answer["status"] == "primal_infeasible", where
        if kinds[i] == "unbounded":
            assert answer["status"] == "dual_infeasible", where
        seen[answer["status"]] = seen.get(answer["status"], 0) + 1
    assert min(seen[s] for s in ("optimal", "primal_infeasible", "dual_infeasible")) >= 100, seen


# Quadratic programs ---------------------------------------------------------------------------------------------------


def random_qp(rng, kind):
    n = int(rng.integers(1, 21))
    p, q = int(rng.integers(0, max(1, n // 2))), int(rng.integers(1, 31))
    if kind == "no constraints":
        p = q = 0
    rank = n if kind in ("feasible", "no constraints", "infeasible") else int(rng.integers(0, n))
    root = rng.normal(size=(rank, n))
    A, C, x = rng.normal(size=(p, n)), rng.normal(size=(q, n)), rng.normal(size=n)
    if kind == "degenerate":  # repeated equations and inequalities that all touch the same point
        A = A[rng.integers(0, p, p)] if p else A
        C = C[rng.integers(0, q, q)]
        lower, upper = random_bounds(rng, C @ x, q)
        lower, upper = np.where(np.isfinite(lower), C @ x, -INF), np.where(np.isfinite(upper), C @ x, INF)
    else:
        lower, upper = random_bounds(rng, C @ x, q)
    z = np.where(np.isfinite(upper), np.abs(rng.normal(size=q)), 0) - np.where(
        np.isfinite(lower), np.abs(rng.normal(size=q)), 0)
    y, r = rng.normal(size=p), rng.normal(size=rank)
    g = -A.T @ y - C.T @ z - root.T @ r
    b = A @ x
    if kind == "infeasible":
        weights = np.abs(rng.normal(size=q)) + 0.1
        lower, upper = C @ x - 1, C @ x + rng.uniform(0, 1, q)
        C = np.vstack([C, weights @ C])
        lower = np.append(lower, weights @ upper + 10.0 ** rng.uniform(-2, 1))
        upper = np.append(upper, INF)
    if kind == "unbounded":
        d = rng.normal(size=n)
        d /= np.linalg.norm(d)
        root, A = root - np.outer(root @ d, d), A - np.outer(A @ d, d)
        b, drift = A @ x, C @ d
        lower = np.where(drift < 0, -INF, C @ x - rng.uniform(0, 1, q))
        upper = np.where(drift >= 0, INF, C @ x + rng.uniform(0, 1, q))
        g = g - d * (g @ d + rng.uniform(0.1, 1))
    return dict(kind="qp", H=root.T @ root, g=g, A=A, b=b, C=C, lower=lower, upper=upper, planted=(root, x, y, z, r))


QP_KINDS = ["feasible", "feasible", "semidefinite", "degenerate", "infeasible", "unbounded", "no constraints"]


def scaled_qp(rng, qp, largest):
    row_A, row_C = powers_of_two(rng, len(qp["A"]), largest), powers_of_two(rng, len(qp["C"]), largest)
    column = powers_of_two(rng, len(qp["g"]), largest)
    cost, length = powers_of_two(rng, 2, 2 * largest)
    scaled = dict(qp, H=cost / length * column[:, None] * qp["H"] * column, g=cost * column * qp["g"],
                  A=row_A[:, None] * qp["A"] * column, b=length * row_A * qp["b"],
                  C=row_C[:, None] * qp["C"] * column, lower=length * row_C * qp["lower"],
                  upper=length * row_C * qp["upper"])
    return scaled, (row_A, row_C, column, cost, length)


def oracle_qp(qp):
    lower_rows, upper_rows = np.isfinite(qp["lower"]), np.isfinite(qp["upper"])
    rows = np.vstack([qp["A"], qp["C"][upper_rows], -qp["C"][lower_rows]])
    right = np.concatenate([qp["b"], qp["upper"][upper_rows], -qp["lower"][lower_rows]])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    cones = [clarabel.ZeroConeT(len(qp["b"])), clarabel.NonnegativeConeT(len(right) - len(qp["b"]))]
    answer = clarabel.DefaultSolver(sparse.csc_matrix(np.triu(qp["H"])), qp["g"], sparse.csc_matrix(rows), right,
                                    cones, settings).solve()
    words = {"Solved": "optimal", "PrimalInfeasible": "primal_infeasible", "DualInfeasible": "dual_infeasible"}
    return words.get(str(answer.status)), answer.obj_val, np.array(answer.x)


def is_descent_ray(qp, ray):
    """Whether a claim of unboundedness, multiplied out, proves it: what check_qp asks of our rays."""
    descent = -(qp["g"] @ ray)
    if not descent > 0:
        return False
    ray = ray / descent
    return max(abs(qp["H"] @ ray).max(), abs(qp["A"] @ ray).max(initial=0),
               recession_violation(qp["C"] @ ray, qp["lower"], qp["upper"])) <= 1e-6


def check_qp(qp, units, answer):
    row_A, row_C, column, cost, length = units
    if answer["status"] == "primal_infeasible":
        y, z = answer["y"] * length * row_A, answer["z"] * length * row_C
        assert qp["b"] @ y + support(z, qp["lower"], qp["upper"]) == pytest.approx(-1, abs=1e-9)
        assert abs(qp["A"].T @ y + qp["C"].T @ z).max() <= 1e-6
        return
    x = answer["x"] * column / length
    size = max(1.0, abs(x).max())
    assert abs(qp["A"] @ x - qp["b"]).max(initial=0) <= 1e-6 * size
    assert violation(qp["C"] @ x, qp["lower"], qp["upper"]) <= 1e-6 * size
    if answer["status"] == "dual_infeasible":
        ray = answer["ray"] * column * cost
        assert qp["g"] @ ray == pytest.approx(-1, abs=1e-9)
        assert abs(qp["H"] @ ray).max() <= 1e-6
        assert abs(qp["A"] @ ray).max(initial=0) <= 1e-6
        assert recession_violation(qp["C"] @ ray, qp["lower"], qp["upper"]) <= 1e-6
        return
    assert answer["status"] == "optimal"
    y, z = answer["y"] * row_A / cost, answer["z"] * row_C / cost
    gradient = qp["H"] @ x + qp["g"]
    multipliers = max(1.0, abs(gradient).max(), abs(y).max(initial=0), abs(z).max(initial=0))
    assert abs(gradient + qp["A"].T @ y + qp["C"].T @ z).max() <= 1e-6 * multipliers
    gap = x @ gradient + qp["b"] @ y + support(z, qp["lower"], qp["upper"])
    assert abs(gap) <= 1e-6 * max(1.0, abs(x) @ abs(qp["H"] @ x) + abs(x) @ abs(qp["g"]))


def test_quadratic_programs_agree_with_clarabel():
    rng = np.random.default_rng(2)
    kinds = [QP_KINDS[i % len(QP_KINDS)] for i in range(COUNT)]
    programs = [random_qp(rng, kind) for kind in kinds]
    scaled = [scaled_qp(rng, qp, 10 if i % 3 == 0 else 0) for i, qp in enumerate(programs)]
    seen = {}
    for i, (qp, (_, units), answer) in enumerate(zip(programs, scaled, ask([s[0] for s in scaled]))):
        status, objective, ray = oracle_qp(qp)
        where = f"problem {i}, {kinds[i]}: {answer['report']}; Clarabel: {status} {objective}"
        try:
            check_qp(qp, units, answer)
        except AssertionError as error:
            raise AssertionError(where) from error
        # 'Almost solved' is no oracle; the proof above stands alone then. Clarabel calls about one degenerate program in
        # 10 000 unbounded (problem 7696: no inequality left, H of rank 2 and two equations for 11 unknowns), with a ray
        # that leaves the equations by a third of its length. Such a claim is not believed, and the exact minimum of the
        # planted program decides instead.
        if status == "dual_infeasible" and answer["status"] == "optimal":
            assert kinds[i] == "degenerate" and not is_descent_ray(qp, ray), where
            status, objective = "optimal", exact_optimum(qp, answer["z"] * units[1] / units[3])
            assert objective is not None, where
        assert status in (None, answer["status"]), where
        if status == "optimal":
            ours = answer["objective"] / units[3] / units[4]
            assert ours == pytest.approx(objective, rel=1e-6, abs=1e-6), where
        expected = {"infeasible": "primal_infeasible", "unbounded": "dual_infeasible"}
        assert answer["status"] == expected.get(kinds[i], "optimal"), where
        seen[answer["status"]] = seen.get(answer["status"], 0) + 1
    assert min(seen[s] for s in ("optimal", "primal_infeasible", "dual_infeasible")) >= 100, seen


def test_degenerate_quadratic_programs_have_the_exact_minimum():
    rng = np.random.default_rng(4)
    programs = [qp for qp in (random_qp(rng, "degenerate") for _ in range(100)) if len(qp["g"]) <= 10]
    proved = 0
    for qp, answer in zip(programs, ask(programs)):
        objective = exact_optimum(qp, answer["z"])
        if objective is not None:
            assert answer["objective"] == pytest.approx(objective, rel=1e-7, abs=1e-7), answer["report"]
            proved += 1
    assert proved >= 0.6 * len(programs) >= 20, (proved, len(programs))


# Non-negative least squares -------------------------------------------------------------------------------------------


def random_nnls(rng, kind):
    m, n = int(rng.integers(1, 61)), int(rng.integers(1, 41))
    A, b = rng.normal(size=(m, n)), rng.normal(size=m)
    if kind == "overlapping":  # positive columns, as contact forces have: few unknowns stay positive
        A = np.abs(A)
        b = np.abs(b)
    if kind == "dependent":  # repeated columns, integers: many minimisers, many ties
        A = rng.integers(0, 3, (m, n)).astype(float)[:, rng.integers(0, n, n)]
        b = rng.integers(-2, 4, m).astype(float)
    if kind == "inside":  # zero residual, half of the unknowns at zero
        b = A @ np.maximum(rng.normal(size=n), 0)
    if kind == "outside":  # the minimiser is zero
        b = -np.abs(A).sum(axis=1)
        A = np.abs(A)
    if kind == "ill-conditioned":
        u, s, v = np.linalg.svd(A, full_matrices=False)
        A = u * 10.0 ** np.linspace(0, -rng.uniform(6, 12), len(s)) @ v
        b = A @ np.abs(rng.normal(size=n)) + 0.1 * rng.normal(size=m)
    return dict(kind="nnls", A=A, b=b, columns=n, ridge=float(rng.choice([0, 0.1])) if kind == "ridge" else 0.0)


NNLS_KINDS = ["plain", "overlapping", "dependent", "inside", "outside", "ill-conditioned", "ridge"]


def test_nonnegative_least_squares_agrees_with_scipy():
    rng = np.random.default_rng(3)
    kinds = [NNLS_KINDS[i % len(NNLS_KINDS)] for i in range(COUNT)]
    problems = [random_nnls(rng, kind) for kind in kinds]
    units = []
    for i, problem in enumerate(problems):
        largest = 10 if i % 3 == 0 and problem["ridge"] == 0 else 0
        units.append((powers_of_two(rng, problem["columns"], largest), 2.0 ** rng.integers(-largest, largest + 1)))
    sent = [dict(p, A=p["A"] * column, b=p["b"] * length) for p, (column, length) in zip(problems, units)]
    routes = {"automatic": ask(sent), "orthogonal": ask([dict(s, route="orthogonal") for s in sent])}
    used = {answer["route"] for answer in routes["automatic"]}
    assert used == {"normal_equations", "orthogonal"}, "both routes are taken"
    for i, (problem, (column, length)) in enumerate(zip(problems, units)):
        A, b, n = problem["A"], problem["b"], problem["columns"]
        if problem["ridge"]:
            A, b = np.vstack([A, np.sqrt(problem["ridge"]) * np.eye(n)]), np.append(b, np.zeros(n))
        try:
            objective = 0.5 * optimize.nnls(A, b)[1] ** 2
        except RuntimeError:  # SciPy ran out of iterations
            objective = None
        for route, answers in routes.items():
            answer = answers[i]
            where = f"problem {i}, {kinds[i]}, {route}: {answer['report']}; SciPy: {objective}"
            assert answer["status"] == "optimal", where
            x = answer["x"] * column / length
            assert x.min() >= 0, where
            gradient = A.T @ (A @ x - b)
            lengths = np.linalg.norm(A, axis=0)
            size = np.linalg.norm(b) + lengths @ x
            assert np.all(gradient >= -1e-9 * lengths * size), where
            assert np.all(np.abs(gradient[x > 0]) <= 1e-9 * lengths[x > 0] * size), where
            ours = 0.5 * np.linalg.norm(A @ x - b) ** 2
            # Rounding of A x - b where x is large and cancels: no route can do better.
            noise = 1e-13 * size * np.linalg.norm(b)
            assert answer["objective"] / length**2 == pytest.approx(ours, rel=1e-9, abs=noise), where
            if objective is not None:
                assert ours == pytest.approx(objective, rel=0, abs=1e-9 * (b @ b) + noise), where
