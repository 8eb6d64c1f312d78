"""Writes data/knots/*.csv: centre lines of the eight knots that source L names, and of the slip knot, laid flat as they are
drawn in knot books. docs/knots_named.md follows each of them from its tying steps to its crossings.

    python data/make_knots.py

A rope is a smooth curve through way points in the plane (below, in units of 20 mm), seen from above, with over ('o') or under
('u') for every crossing that it passes, in order. The first point is the working end. Heights follow from these letters, so the
files hold real ropes in space: lifted over a strand, lowered below it.

What a hitch is tied around is not part of the rope: the post stands in the open eye. Ends stop soon after their last
crossing, as in a tied knot.
"""
import pathlib

import numpy as np

UNIT = 0.02  # [m]
SAMPLES = 12  # points per way point, while drawing
SPACING = 0.003  # of the points written [m]
LIFT = 0.5    # height of a strand over its crossing [units]


def spline(way):
    """Catmull-Rom through the way points (centripetal, so that no loops appear)."""
    p = np.asarray(way, float)
    p = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    points = []
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:]):
        t = np.cumsum([0, *[np.linalg.norm(v) ** 0.5 for v in (b - a, c - b, d - c)]])
        for s in t[1] + (t[2] - t[1]) * (np.arange(SAMPLES) + 0.5) / SAMPLES:  # no way point twice
            a1 = (t[1] - s) / (t[1] - t[0]) * a + (s - t[0]) / (t[1] - t[0]) * b
            a2 = (t[2] - s) / (t[2] - t[1]) * b + (s - t[1]) / (t[2] - t[1]) * c
            a3 = (t[3] - s) / (t[3] - t[2]) * c + (s - t[2]) / (t[3] - t[2]) * d
            b1 = (t[2] - s) / (t[2] - t[0]) * a1 + (s - t[0]) / (t[2] - t[0]) * a2
            b2 = (t[3] - s) / (t[3] - t[1]) * a2 + (s - t[1]) / (t[3] - t[1]) * a3
            points.append((t[2] - s) / (t[2] - t[1]) * b1 + (s - t[1]) / (t[2] - t[1]) * b2)
    return np.array([p[1], *points, p[-2]])


def crossings(p):
    """(where along the curve, where along the other strand), once per passage, in order."""
    passages = []
    for i in range(len(p) - 1):
        for j in range(i + 2, len(p) - 1):
            d, e, r = p[i + 1] - p[i], p[j + 1] - p[j], p[j] - p[i]
            det = d[0] * e[1] - d[1] * e[0]
            if det == 0:
                continue
            s, t = (r[0] * e[1] - r[1] * e[0]) / det, (r[0] * d[1] - r[1] * d[0]) / det
            if 0 <= s < 1 and 0 <= t < 1:
                passages += [(i + s, j + t), (j + t, i + s)]
    return sorted(passages)


def evenly(p):
    """Points equally far apart along the rope."""
    along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(p, axis=0), axis=1))])
    wanted = np.linspace(0, along[-1], round(along[-1] / SPACING) + 1)
    return np.column_stack([np.interp(wanted, along, p[:, k]) for k in range(3)])


def rope(name, way, heights):
    p, heights = spline(way), heights.replace(' ', '')
    passages = crossings(p)
    if len(passages) != len(heights):
        raise SystemExit(f'{name}: {len(passages)} passages are drawn, {len(heights)} are given: '
                         + str([tuple(np.round(p[int(a)], 1)) for a, _ in passages]))
    level = {a: h for (a, _), h in zip(passages, heights)}
    for a, b in passages:
        if {level[a], level[b]} != {'o', 'u'}:
            raise SystemExit(f'{name}: both strands are {level[a]} near {np.round(p[int(a)], 1)}')
    knots = [0.0, *[a for a, _ in passages], len(p) - 1.0]
    values = [0.0, *[LIFT if level[a] == 'o' else -LIFT for a, _ in passages], 0.0]
    z = np.interp(np.arange(len(p)), knots, values)
    return evenly(np.column_stack([p, z]) * UNIT)


KNOTS = {
    # A loop, and the end through it.
    'overhand': ([(-4.5, 4.5), (-2.5, 3.2), (-0.75, 1.4), (0.75, 2.6), (2.5, 1), (3, -1.5), (0, -4), (-3, -1.5), (-2.5, 1),
                  (-0.75, 2.6), (0.75, 1.4), (2.5, 3.2), (4.5, 4.5)], 'ouo uou'),
    # A loop, the end behind the standing part and down through the loop.
    'figure_eight': ([(4, 2.4), (1.2, 2.3), (-0.8, 2.2), (-2.6, 1.6), (-3, -0.5), (-2, -2.6), (0, -3), (1.5, -2), (0, 0),
                      (-1.3, 1.6), (-0.2, 3.8), (1, 2), (0.1, 0), (0, -3), (0, -6)], 'uouo uouo'),
    # A small loop in the standing part; the end up through it, behind the standing part and down through it again.
    'bowline': ([(0.7, -3.2), (0.7, -1), (0.7, 1.2), (0.3, 2), (-0.8, 2.3), (-0.9, 3.2), (0.3, 3.4), (1.5, 2.6), (1.5, 1), (1.4, -1),
                 (1.5, -3), (3, -5.5), (1, -8), (-2.5, -6), (-3, -1.5), (-1.6, 1), (0, 1.1), (1.2, 1.1), (2.3, 0), (1.2, -1.4),
                 (0.1, 0), (0, 1.1), (0, 3), (0, 7)], 'uoo uou o uuoo uuo'),
    # A loop, the running part laid over it, and the loop's far side pulled over that part and under the near side.
    'harness_hitch': ([(8, 0.5), (5, 0.5), (2, 0.8), (-0.6, 1), (-1.1, 2), (-1.2, 3.2), (-1.6, 4.6), (-2.2, 4.2), (-2.2, 3), (-3, 0),
                       (-2, -2.6), (-0.6, -2), (-0.4, 1), (-0.4, 4.5), (0.3, 5.8), (1, 4.5), (1, 1), (1.1, -2), (2.3, -2.6), (3.4, 0),
                       (2.6, 2.6), (0, 3.2), (-4, 3), (-8, 3)], 'ouuou ouuo uoouo'),
    # A half knot around what is tied, an ear, the other end round the ear and, folded, out below itself as a second ear.
    'bow_tie': ([(2.2, 5), (1.5, 5), (0, 5), (-1.5, 4.9), (-5, 4.4), (-6, 5.3), (-5, 6.2), (-1.5, 5.9), (0, 5.9), (1.5, 5.9),
                 (3, 5.9), (4.5, 6.8), (3, 8), (1.5, 8), (-0.6, 7.6), (-1.5, 6.2), (-1.9, 4.2), (-2.4, 3.1), (-0.75, 1.4),
                 (0.75, 2.6), (2.5, 1), (3, -1.5), (0, -4), (-3, -1.5), (-2.5, 1), (-0.75, 2.6), (0.75, 1.4), (2.4, 3.1), (1.7, 4.2),
                 (1.5, 6), (1.5, 9), (2.2, 11), (3, 9), (3, 6), (3, 4.8)],
                'uoo uu oo uu ouo uou oou uo'),
    # The same with one ear: the other end stays single.
    'single_loop_bow': ([(3.2, 5), (1.5, 5), (0, 5), (-1.5, 4.9), (-5, 4.4), (-6, 5.3), (-5, 6.2), (-1.5, 5.9), (0, 5.9), (1.5, 5.9),
                         (3.2, 6.8), (1.5, 8), (-0.6, 7.6), (-1.5, 6.2), (-1.9, 4.2), (-2.4, 3.1), (-0.75, 1.4),
                         (0.75, 2.6), (2.5, 1), (3, -1.5), (0, -4), (-3, -1.5), (-2.5, 1), (-0.75, 2.6), (0.75, 1.4), (2.4, 3.1), (1.7, 4.2),
                         (1.5, 6), (1.5, 10)], 'uoo u o uu ouo uou oou'),
    # A half knot whose end is drawn through as a bight: an ear, and no half knot below it.
    'slip_knot': ([(3.2, 5), (1.5, 5), (0, 5), (-1.5, 4.9), (-5, 4.4), (-6, 5.3), (-5, 6.2), (-1.5, 5.9), (0, 5.9), (1.5, 5.9),
                   (3.2, 6.8), (1.5, 8), (-0.6, 7.6), (-1.5, 6.2), (-1.7, 4.2), (-1.3, 2.6), (0, 1.8), (1.2, 2.6), (1.5, 4.2),
                   (1.5, 6), (1.5, 10)], 'uoo u o uu oou'),
    # Round the post, and twice: over the standing part, behind it and out over itself.
    'two_half_hitches': ([(3, -4.5), (1, -4.5), (0, -4.5), (-1, -4.9), (-1, -5.5), (0, -5.8), (0.9, -5.4), (1, -4.5), (1.2, -3.4),
                          (2.2, -2.6), (2.2, -1.4), (1, -1), (0, -1), (-1, -1.4), (-1, -2), (0, -2.3), (0.9, -1.9), (1, -1),
                          (1.4, 0.6), (3, 2.5), (2, 4.6), (0.3, 3.6), (0, 1), (0, -5), (0, -9)], 'ouou ouou ouou'),
    # Round the post, two turns round the standing part inside the eye, and a half hitch outside it.
    'taut_line_hitch': ([(3, -6.5), (1, -6.5), (0, -6.5), (-1, -6.9), (-1, -7.5), (0, -7.8), (0.9, -7.4), (1, -6.5), (1.2, -5.4),
                         (2.4, -4), (2.4, -2), (1, -1), (0, -1), (-0.8, -1.4), (0, -1.9), (0.5, -2.3), (0, -2.7), (-0.8, -3.1),
                         (0, -3.7), (0.9, -3.2), (1, -1), (1.4, 0.6), (3, 2.5), (2, 4.6), (0.3, 3.6), (0, 1), (0, -5), (0, -11)], 'ouou ououou ououou'),
}


def main():
    folder = pathlib.Path(__file__).resolve().parent / 'knots'
    folder.mkdir(exist_ok=True)
    for name, (way, heights) in KNOTS.items():
        rows = ['# Made by data/make_knots.py; metres, from the working end.', 'frame,x,y,z']
        rows += [f'0,{x:.5f},{y:.5f},{z:.5f}' for x, y, z in rope(name, way, heights)]
        (folder / f'{name}.csv').write_text('\n'.join(rows) + '\n')


if __name__ == '__main__':
    main()
