"""Writes data/ropes/*.csv: ropes as smooth curves, 200 points each, in metres.

overhand.csv      a rope's end led round into an overhand knot, in six frames, half a second apart. The last is the polynomial trefoil
                  (t^3 - 3 t, t^4 - 4 t^2, t^5 - 10 t), seen from above with three crossings; the frames before it end earlier.
figure_eight.csv  the polynomial figure-eight knot (2/5 t (t^2 - 7)(t^2 - 10), t^4 - 13 t^2,
                  1/10 t (t^2 - 4)(t^2 - 9)(t^2 - 12)).
"""
from pathlib import Path

import numpy as np


def trefoil(t):
    return np.stack([0.1 * (t**3 - 3 * t), 0.1 * (t**4 - 4 * t**2), 0.02 * (t**5 - 10 * t)], axis=1)


def figure_eight(t):
    return np.stack([0.02 * 2 / 5 * t * (t**2 - 7) * (t**2 - 10), 0.02 * (t**4 - 13 * t**2),
                     0.02 / 10 * t * (t**2 - 4) * (t**2 - 9) * (t**2 - 12)], axis=1)


def even(curve, first, last, count=200):
    """Points equally far apart along the rope."""
    points = curve(np.linspace(first, last, 20001))
    along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    wanted = np.linspace(0, along[-1], count)
    return np.stack([np.interp(wanted, along, points[:, k]) for k in range(3)], axis=1)


def write(path, frames, step=None):
    """`step` [s] between frames; without it the file has no times."""
    lines = ["frame,x,y,z" if step is None else "frame,t,x,y,z"]
    for number, points in enumerate(frames):
        head = f"{number}" if step is None else f"{number},{number * step:g}"
        lines += [f"{head},{x:.6f},{y:.6f},{z:.6f}" for x, y, z in points]
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    folder = Path(__file__).parent / "ropes"
    folder.mkdir(exist_ok=True)
    write(folder / "overhand.csv", [even(trefoil, -2.15, last) for last in (-1.0, 0.0, 1.0, 1.6, 1.9, 2.15)], step=0.5)
    write(folder / "figure_eight.csv", [even(figure_eight, -3.6, 3.6)])
