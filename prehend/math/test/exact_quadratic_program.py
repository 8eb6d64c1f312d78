"""Quadratic programs in rational numbers: who is right when two solvers disagree."""

from fractions import Fraction

import numpy as np


def exact_optimum(qp, z):
    """The minimum of a degenerate program, in rational numbers: no rounding, no tolerance.

    The program is made anew from its planted parts, which are what they are as rationals: H = root'root, g, b and the
    bounds have no rounding then (as doubles, H is not quite semidefinite, and repeated rows need not agree). `z` only
    suggests which inequalities are active; conditions of optimality are solved for these, and all conditions checked,
    so that the value is the minimum whoever suggested. None when the suggestion does not lead to a proof: repeated rows
    may share a multiplier in ways that have the wrong sign.
    """
    exact = lambda values: np.vectorize(Fraction, otypes=[object])(values) if np.size(values) else np.zeros(np.shape(values), object)
    root, x, y, planted_z, r = map(exact, qp["planted"])
    A, C = exact(qp["A"]), exact(qp["C"])
    H, b, bound = root.T @ root, A @ x, C @ x  # in a degenerate program all bounds touch the planted point
    g = -A.T @ y - C.T @ planted_z - root.T @ r
    has_lower, has_upper = np.isfinite(qp["lower"]), np.isfinite(qp["upper"])
    active = np.flatnonzero((np.abs(z) > 1e-7) & (has_lower | has_upper))
    n, rows = len(g), np.vstack([A, C[active]])
    K = np.block([[H, rows.T], [rows, np.zeros((len(rows), len(rows)), dtype=object)]])
    solution = solve_exactly(K, np.concatenate([-g, b, bound[active]]))
    if solution is None:
        return None
    best, multipliers = solution[:n], np.zeros(len(C), dtype=object)
    multipliers[active] = solution[n + len(A) :]
    proofs = (C @ best <= bound) | ~has_upper, (C @ best >= bound) | ~has_lower, \
        (multipliers <= 0) | has_upper, (multipliers >= 0) | has_lower
    return float(best @ (H @ best) / 2 + g @ best) if all(map(np.all, proofs)) else None


def solve_exactly(K, right):
    """Some solution of K s = right in rational numbers, or None; Gauss and Jordan, free unknowns zero."""
    table, row, pivots = np.column_stack([K, right]), 0, []
    for column in range(len(K)):
        below = np.flatnonzero(table[row:, column])
        if not len(below):
            continue
        table[[row, row + below[0]]] = table[[row + below[0], row]]
        table[row] = table[row] / table[row, column]
        for other in np.flatnonzero(table[:, column]):
            if other != row:
                table[other] = table[other] - table[other, column] * table[row]
        pivots.append(column)
        row += 1
        if row == len(K):
            break
    if np.any(table[row:, -1] != 0):
        return None
    solution = np.zeros(len(K), dtype=object)
    solution[pivots] = table[:row, -1]
    return solution
