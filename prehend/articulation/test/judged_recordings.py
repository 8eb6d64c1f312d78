"""A judge of `joint` and `discover`: recordings of known mechanisms, by formulas of its own (SciPy's rotations), asked through the command line.

  judged_recordings.py [count=4] [seed=1] [kinds=arm,wheel,...] [variants=whole,half,...] [show=1] [keep=FOLDER]

Right, undetermined and wrong with status `ok` are counted per kind and variant; every mechanism of a camera is asked in all variants of its recording."""

import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

PREHEND = Path(os.environ.get("PREHEND_BIN", "build/release/bin")) / "prehend"
DEG = math.pi / 180


# Poses: arrays (n, 4, 4) ---------------------------------------------------------------------------------------------------

def pose(rotation=None, position=(0, 0, 0)):
    """From rotation vectors or a Rotation and positions, one or many."""
    R = rotation if isinstance(rotation, Rotation) else Rotation.from_rotvec(np.zeros(3) if rotation is None else rotation)
    R, p = R.as_matrix(), np.asarray(position, float)
    n = max(R.shape[0] if R.ndim == 3 else 0, p.shape[0] if p.ndim == 2 else 0)
    X = np.tile(np.eye(4), (n, 1, 1)) if n else np.eye(4)
    X[..., :3, :3], X[..., :3, 3] = R, p
    return X


def back(X):
    Y = np.zeros_like(X)
    R = np.swapaxes(X[..., :3, :3], -1, -2)
    Y[..., :3, :3] = R
    Y[..., :3, 3] = -np.einsum("...ij,...j->...i", R, X[..., :3, 3])
    Y[..., 3, 3] = 1
    return Y


def direction(rng):
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def somewhere(rng, distance):
    return pose(Rotation.random(random_state=int(rng.integers(1 << 31))), distance * direction(rng))


# How things are moved ------------------------------------------------------------------------------------------------------

def strokes(rng, t, span):
    """By hand: rests, and smooth strokes between random states; the whole span is reached."""
    q, at, state = np.zeros(len(t)), 0.0, rng.uniform()
    while at < t[-1]:
        rest, stroke = rng.uniform(0, 0.8), rng.uniform(0.6, 2.5)
        aim = rng.uniform()
        s = np.clip((t - at - rest) / stroke, 0, 1)
        q = np.where(t >= at, state + (aim - state) * s * s * (3 - 2 * s), q)
        at, state = at + rest + stroke, aim
    return span * (q - q.min()) / max(np.ptp(q), 1e-9)


def swinging(rng, t, span):
    w = rng.uniform(0.6, 2.5)
    q = np.sin(w * t + rng.uniform(0, 6)) + 0.5 * np.sin(rng.uniform(0.3, 0.7) * w * t + rng.uniform(0, 6))
    return span * (q - q.min()) / np.ptp(q)


def moved(rng, t, span):
    return [strokes, swinging][rng.integers(2)](rng, t, span)


def carried(rng, t, reach=0.3, turn=0.8):
    """Along sums of sines, slow as a hand."""
    def wave(scale):
        return scale * sum(rng.normal(size=3) / k * np.sin(np.outer(t, rng.uniform(0.3, 0.8, 3) * k) + rng.uniform(0, 6, 3)) for k in (1, 2, 3)) / 1.2
    return somewhere(rng, 1.0) @ pose(wave(turn), wave(reach))


def resting(rng, t):
    return np.tile(somewhere(rng, 1.0), (len(t), 1, 1))


def joint_motion(kind, q, pitch=0.02):
    """Moving in fixed joint frame; q (n, freedoms)."""
    n, zero = len(q), np.zeros(len(q))
    z = lambda a: pose(np.stack([zero, zero, a], 1), np.zeros((n, 3)))
    at = lambda p: pose(np.zeros((n, 3)), p)
    if kind == "rigid":
        return at(np.zeros((n, 3)))
    if kind == "prismatic":
        return at(np.stack([zero, zero, q[:, 0]], 1))
    if kind == "revolute":
        return z(q[:, 0])
    if kind == "screw":
        return z(q[:, 0]) @ at(np.stack([zero, zero, pitch * q[:, 0]], 1))
    if kind == "cylindrical":
        return z(q[:, 0]) @ at(np.stack([zero, zero, q[:, 1]], 1))
    if kind == "planar":
        return at(np.stack([q[:, 1], q[:, 2], zero], 1)) @ z(q[:, 0])
    x = pose(np.stack([q[:, 1], zero, zero], 1), np.zeros((n, 3)))
    if kind == "universal":
        return z(q[:, 0]) @ x
    return z(q[:, 0]) @ x @ pose(np.stack([zero, q[:, 2], zero], 1), np.zeros((n, 3)))  # spherical


SPANS = {"rigid": (), "prismatic": ("m",), "revolute": ("a",), "screw": ("a",), "cylindrical": ("a", "m"), "universal": ("a", "a"),
         "spherical": ("a", "a", "a"), "planar": ("a", "m", "m")}


def states(rng, kind, t, angle=(40, 110), way=(0.12, 0.4)):
    spans = [rng.uniform(*angle) * DEG if s == "a" else rng.uniform(*way) for s in SPANS[kind]]
    several = len(spans) > 1
    return np.stack([(swinging if several else moved)(rng, t, s) for s in spans] or [np.zeros(len(t))], 1)


# How they are seen -----------------------------------------------------------------------------------------------------------

def white(rng, X, position, angle):
    return X @ pose(angle * rng.normal(size=(len(X), 3)), position * rng.normal(size=(len(X), 3)))


def remembered(rng, n, memory, size=3):
    """Of unit deviation, correlated by `memory` from frame to frame."""
    e = np.empty((n, size))
    e[0] = rng.normal(size=size)
    for i in range(1, n):
        e[i] = memory * e[i - 1] + math.sqrt(1 - memory * memory) * rng.normal(size=size)
    return e


def head_on(n):
    """In the marker's axes (normal z): tilts and depth against the rest."""
    return np.array([1, 1, 0]), np.array([0, 0, 1])


def mirrored(X):
    """The other solution of a flat marker: its normal mirrored at the line of sight from the camera, which is the origin."""
    Y = X.copy()
    for i, M in enumerate(X):
        sight = M[:3, 3] / np.linalg.norm(M[:3, 3])
        normal = M[:3, 2]
        axis = np.cross(normal, sight)
        s = np.linalg.norm(axis)
        away = normal @ sight
        angle = 2 * math.atan2(s, abs(away)) * (1 if away > 0 else -1)
        if s > 1e-9:
            Y[i, :3, :3] = Rotation.from_rotvec(angle * axis / s).as_matrix() @ M[:3, :3]
    return Y


def by_camera(rng, X, slow_mm=None, flips=None):
    """Marker poses in the camera's frame as a webcam sees them: new noise, slow errors, mirror flips in runs."""
    n = len(X)
    side, depth = rng.uniform(0.1, 0.6) * 1e-3, rng.uniform(1, 3) * 1e-3
    about, tilt = 0.1 * DEG, rng.uniform(0.2, 0.6) * DEG
    memory = rng.uniform(0.4, 0.9)
    slow = rng.uniform(1, 5) if slow_mm is None else slow_mm
    slow_p, slow_a = slow * 1e-3 * np.array([0.3, 0.3, 1]), slow / 5 * DEG * np.array([1, 1, 0.2])
    turn = rng.normal(size=(n, 3)) * [tilt, tilt, about] + remembered(rng, n, memory) * slow_a
    sight = X[:, :3, 3] / np.linalg.norm(X[:, :3, 3], axis=1)[:, None]
    across = rng.normal(size=(n, 3)) * side + remembered(rng, n, memory) * slow_p[0]
    along = rng.normal(size=(n, 1)) * depth + remembered(rng, n, memory, 1) * slow_p[2]
    Y = X @ pose(turn, np.zeros((n, 3)))
    Y[:, :3, 3] += across + along * sight
    share = rng.uniform(0, 0.06) if flips is None else flips
    flipped = np.zeros(n, bool)
    while flipped.mean() < share:
        first = rng.integers(n)
        flipped[first:first + int(rng.choice([1, 1, 2, 3, 6, 15]))] = True
    Y[flipped] = mirrored(Y[flipped])
    return Y


class Log:
    """Parts over time, each with its own stamps."""

    def __init__(self):
        self.rows = {}  # name: (t, X)

    def add(self, name, t, X, seen=None):
        keep = np.ones(len(t), bool) if seen is None else seen
        self.rows[name] = (np.asarray(t)[keep], X[keep])
        return self

    def changed(self, f):
        out = Log()
        for name, (t, X) in self.rows.items():
            out.add(name, *f(name, t, X))
        return out

    def text(self):
        lines = []
        for name, (t, X) in self.rows.items():
            q = Rotation.from_matrix(X[:, :3, :3]).as_quat()
            lines += [(a, f"{a:.6f},{name}," + ",".join(f"{v:.12g}" for v in (*x[:3, 3], r[3], r[0], r[1], r[2]))) for a, x, r in zip(t, X, q)]
        lines.sort(key=lambda row: row[0])
        return "t,part,x,y,z,qw,qx,qy,qz\n" + "\n".join(row for _, row in lines) + "\n"


# Mechanisms before a camera ---------------------------------------------------------------------------------------------

def facing(rng, p, tilt):
    """A marker at p whose normal is `tilt` off the line of sight; its z axis points away from the camera."""
    sight = p / np.linalg.norm(p)
    side = np.cross(sight, direction(rng))
    R, _ = Rotation.align_vectors([sight], [[0, 0, 1]])
    return pose(Rotation.from_rotvec(tilt * side / np.linalg.norm(side)) * R * Rotation.from_rotvec([0, 0, rng.uniform(0, 6)]), p)


def bend(rng, q, size):
    """A deviation that is a smooth function of the states: what a link bends, a marker that is not flat."""
    s = (q - q.min(0)) / np.maximum(np.ptp(q, axis=0), 1e-9)
    f = sum(np.outer(np.sin(rng.uniform(1, 4) * s[:, k] + rng.uniform(0, 6)), rng.normal(size=6)) for k in range(s.shape[1]))
    f = (f - f.mean(0)) / math.sqrt(s.shape[1])
    return pose(f[:, :3] * size / 5e-3 * DEG, f[:, 3:] * size)


def camera_arm(rng, spans=None, hinges=4, slow_mm=None, flips=None, seconds=None, aligned=None):
    """A chain of hinges, a marker on each link, before a webcam at rest; poses in the camera's frame."""
    t = np.arange(0, seconds or rng.uniform(6, 14), 1 / 30)
    n, names = len(t), [f"m{k}" for k in range(hinges + 1)]
    at = np.array([rng.uniform(-0.2, 0.0), rng.uniform(-0.15, 0.05), rng.uniform(0.6, 1.0)])
    step = np.array([rng.uniform(0.06, 0.1), rng.uniform(-0.02, 0.03), rng.uniform(-0.03, 0.03)])
    spans = spans or [rng.uniform(25, 100) for _ in range(hinges)]
    aligned = [rng.uniform() < 0.6 for _ in range(hinges)] if aligned is None else aligned
    q = np.stack([moved(rng, t, s * DEG) for s in spans], 1)
    base = facing(rng, at, rng.uniform(7, 23) * DEG)
    true, motion = [np.tile(base, (n, 1, 1))], np.tile(np.eye(4), (n, 1, 1))  # motion: of the links' frames at the mean state, in camera axes
    axes = []
    for k in range(hinges):
        place = at + (k + 0.5) * step + 0.02 * rng.normal(size=3)
        z = place / np.linalg.norm(place) if aligned[k] else direction(rng)
        if aligned[k]:
            z = Rotation.from_rotvec(rng.uniform(0, 20) * DEG * np.cross(z, direction(rng))).apply(z)
        elif spans[k] > 45:  # or it turns away from the camera
            q[:, k] *= 45 / spans[k]
        angle = q[:, k] - q[:, k].mean()
        turn = pose(np.outer(angle, z), place - Rotation.from_rotvec(np.outer(angle, z)).apply(place))
        axes.append((place, z))
        motion = motion @ turn
        marker = facing(rng, at + (k + 1) * step + 0.02 * rng.normal(size=3), rng.uniform(7, 23) * DEG)
        true.append(motion @ marker)
    log = Log()
    hinge_bend = rng.uniform(0, 3) * 1e-3
    for k, X in enumerate(true):
        X = X if k == 0 else X @ bend(rng, q[:, :k], hinge_bend)
        seen = np.ones(n, bool)
        seen[rng.integers(0, n, 5)] = False
        log.add(names[k], t, by_camera(rng, X, slow_mm, flips), seen)
    return log, {"joints": [(a, b, "revolute") for a, b in zip(names, names[1:])], "axes": axes, "motion": q}


def varied(rng, log, variant):
    """The same recording as others would have taken it; the second value renames parts."""
    t_all = next(iter(log.rows.values()))[0]
    first, last = t_all[0], t_all[-1]
    part = lambda a, b: (lambda name, t, X: (t, X, (t >= first + a * (last - first)) & (t <= first + b * (last - first))))
    if variant in ("no_first", "no_last", "middle"):
        return log.changed(part(*{"no_first": (0.2, 1), "no_last": (0, 0.8), "middle": (0.15, 0.85)}[variant])), {}
    if variant in ("half", "third"):
        step = {"half": 2, "third": 3}[variant] / 30
        offset = rng.integers(0, 2) / 30
        return log.changed(lambda name, t, X: (t, X, np.abs((t - first - offset) / step - np.round((t - first - offset) / step)) < 0.1)), {}
    if variant in ("drop5", "drop20"):
        share = {"drop5": 0.05, "drop20": 0.2}[variant]
        return log.changed(lambda name, t, X: (t, X, rng.uniform(size=len(t)) > share)), {}
    if variant == "later":
        return log.changed(lambda name, t, X: (t + 1234.5, X)), {}
    if variant == "noisier":
        return log.changed(lambda name, t, X: (t, white(rng, X, 1e-3, 0.3 * DEG))), {}
    if variant == "world":
        X_WC = somewhere(rng, 1.5)
        return log.changed(lambda name, t, X: (t, X_WC @ X)), {}
    if variant == "renamed":
        names = list(log.rows)
        new = dict(zip(names, rng.permutation([f"tag_{k}" for k in range(len(names))])))
        out = Log()
        for name in rng.permutation(names):
            out.add(new[name], *log.rows[name])
        return out, new
    return log, {}


VARIANTS = ("whole", "no_first", "no_last", "middle", "half", "third", "drop5", "drop20", "later", "noisier", "world", "renamed")


def arm(rng):
    return camera_arm(rng)


def arm_short(rng):
    """One hinge moves by 6 to 15 degrees."""
    spans = [rng.uniform(30, 90) for _ in range(4)]
    spans[rng.integers(4)] = rng.uniform(6, 15)
    return camera_arm(rng, spans=spans)


def arm_parallel(rng):
    return camera_arm(rng, aligned=[True] * 4)


def arm_two(rng):
    return camera_arm(rng, hinges=2)


def arm_without_end(rng):
    """An end marker removed."""
    log, truth = camera_arm(rng)
    gone = ["m0", "m4"][rng.integers(2)]
    del log.rows[gone]
    truth["joints"] = [j for j in truth["joints"] if gone not in j]
    return log, truth


def arm_without_middle(rng):
    """A marker between two hinges removed: no joint connects its neighbours, unless the hinges are nearly parallel (planar) or meet."""
    log, truth = camera_arm(rng, spans=[rng.uniform(35, 90) for _ in range(4)])
    k = int(rng.integers(1, 4))
    del log.rows[f"m{k}"]
    (p, a), (q, b) = truth["axes"][k - 1], truth["axes"][k]
    cross = np.cross(a, b)
    sine = np.linalg.norm(cross)
    types = {"free"}
    if sine < 0.25:
        types |= {"planar"}
    if sine > 0.1 and abs((q - p) @ cross) / sine < 0.025:  # leaves no more than slow errors
        types |= {"universal", "spherical"}
    truth["joints"] = [j for j in truth["joints"] if f"m{k}" not in j]
    truth["open"] = (f"m{k - 1}", f"m{k + 1}", types)
    return log, truth


def seen_cupboard(rng):
    t = np.arange(0, rng.uniform(8, 15), 1 / 30)
    log, joints = Log(), []
    X_CB = facing(rng, np.array([0, 0, 1.2]), rng.uniform(7, 23) * DEG)
    log.add("body", t, by_camera(rng, np.tile(X_CB, (len(t), 1, 1))))
    for k in range(rng.integers(1, 4)):
        kind = ["revolute", "prismatic"][rng.integers(2)]
        span = rng.uniform(20, 60) * DEG if kind == "revolute" else rng.uniform(0.1, 0.3)
        X_BJ = pose(Rotation.random(random_state=int(rng.integers(1 << 31))), rng.uniform(-0.3, 0.3, 3) * [1, 1, 0.1])
        X_BM = facing(rng, rng.uniform(-0.3, 0.3, 3) * [1, 1, 0.1] + [0, 0, 1.2], rng.uniform(7, 23) * DEG)
        X_BM = back(X_CB) @ X_BM
        X = X_CB @ X_BJ @ joint_motion(kind, moved(rng, t, span)[:, None]) @ back(X_BJ) @ X_BM
        log.add(f"leaf{k}", t, by_camera(rng, X))
        joints.append(("body", f"leaf{k}", kind))
    return log, {"joints": joints}


def seen_door(rng):
    """One hinge or slide seen by a camera: joint."""
    log, truth = camera_arm(rng, hinges=1)
    return log, {"fixed": "m0", "moving": "m1", "type": {"revolute"}}


def board_door(rng):
    """A checkerboard: noise of 0.08 degrees about one axis of the part and 1.4 about another."""
    t = np.arange(0, rng.uniform(5, 12), 1 / 30)
    kind = ["revolute", "prismatic"][rng.integers(2)]
    X = resting(rng, t) @ somewhere(rng, 0.4) @ joint_motion(kind, states(rng, kind, t)) @ back(somewhere(rng, rng.uniform(0.05, 0.5)))
    sizes = rng.permutation([0.08, rng.uniform(0.08, 0.6), rng.uniform(0.8, 1.6)]) * DEG
    noise = pose(rng.normal(size=(len(t), 3)) * sizes, rng.normal(size=(len(t), 3)) * rng.permutation([0.3, 0.5, 3]) * 1e-3)
    return Log().add("door", t, X @ noise), {"fixed": None, "moving": "door", "type": {kind}}


# Mechanisms before motion capture ------------------------------------------------------------------------------------

def pair(rng, kind, t, q, base=None, noise=(1e-3, 4e-3), ratio=1.0, lever=0.4, origin_at_joint=False, pitch=0.02):
    base = resting(rng, t) if base is None else base
    A = somewhere(rng, rng.uniform(0.1, 0.5))
    B = somewhere(rng, 0 if origin_at_joint else rng.uniform(0.05, lever))
    M = base @ A @ joint_motion(kind, q, pitch) @ back(B)
    log = Log().add("fixed", t, white(rng, base, ratio * noise[0], ratio * noise[1])).add("moving", t, white(rng, M, *noise))
    return log, {"fixed": "fixed", "moving": "moving", "type": {kind}}


def some_noise(rng):
    return 10 ** rng.uniform(-3.7, -2.4), 10 ** rng.uniform(-3.2, -1.8)


def cupboard_ratio(ratio):
    def make(rng):
        t = np.arange(0, rng.uniform(6, 14), 1 / rng.choice([15, 30]))
        base, noise = resting(rng, t), some_noise(rng)
        log, joints = Log(), []
        log.add("body", t, white(rng, base, ratio * noise[0], ratio * noise[1]))
        for k in range(rng.integers(1, 5)):
            kind = ["revolute", "prismatic"][rng.integers(2)]
            E = joint_motion(kind, states(rng, kind, t))
            log.add(f"leaf{k}", t, white(rng, base @ somewhere(rng, rng.uniform(0.1, 0.6)) @ E @ back(somewhere(rng, rng.uniform(0.1, 0.5))), *noise))
            joints.append(("body", f"leaf{k}", kind))
        return log, {"joints": joints}
    return make


def together(rng):
    """One thing, two markers of unequal noise, carried about."""
    t = np.arange(0, rng.uniform(4, 12), 1 / 30)
    ratio = rng.choice([0.2, 0.5, 2, 5])
    return pair(rng, "rigid", t, np.zeros((len(t), 1)), carried(rng, t), some_noise(rng), ratio)


def together_found(rng):
    log, truth = together(rng)
    return log, {"joints": [], "together": [("fixed", "moving")]}


def wheel(rng):
    t = np.arange(0, rng.uniform(5, 15), 1 / 30)
    turns = rng.choice([1.5, 2, 3, 5, 10, 20]) * rng.uniform(0.9, 1.1)
    turns = min(turns, 0.3 * len(t))
    q = 2 * math.pi * turns * [t / t[-1], (1 - np.cos(math.pi * t / t[-1])) / 2][rng.integers(2)]
    base = carried(rng, t) if rng.uniform() < 0.3 else None
    return pair(rng, "revolute", t, q[:, None], base, some_noise(rng), origin_at_joint=rng.uniform() < 0.3)


def exact(rng):
    t = np.arange(0, rng.uniform(2, 6), 1 / 30)
    kind = str(rng.choice(list(SPANS)))
    e = float(rng.choice([0, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4]))
    base = carried(rng, t) if kind == "rigid" or rng.uniform() < 0.4 else None
    q = states(rng, kind, t)
    return pair(rng, kind, t, q, base, (e, e), origin_at_joint=rng.uniform() < 0.5, pitch=rng.uniform(0.01, 0.1))


def rare(rng):
    """Moves in the last 3 to 10 percent, or for as short a time in the middle."""
    t = np.arange(0, rng.uniform(10, 20), 1 / 30)
    kind = ["revolute", "prismatic"][rng.integers(2)]
    share = rng.choice([0.03, 0.05, 0.1])
    first = 1 - share if rng.uniform() < 0.7 else rng.uniform(0.2, 0.7)
    s = np.clip((t / t[-1] - first) / share, 0, 1)
    span = rng.uniform(20, 90) * DEG if kind == "revolute" else rng.uniform(0.1, 0.4)
    return pair(rng, kind, t, (span * s * s * (3 - 2 * s))[:, None], None, some_noise(rng))


def skew(rng):
    """Two hinges in a row, axes 15 to 150 mm apart, seen at base and tip."""
    t = np.arange(0, rng.uniform(6, 14), 1 / 30)
    z, angle = np.zeros(len(t)), rng.uniform(30, 90) * DEG
    between = pose([angle, 0, 0], [rng.uniform(0.015, 0.15), 0, rng.uniform(-0.1, 0.1)])
    E = joint_motion("revolute", states(rng, "revolute", t)) @ between @ joint_motion("revolute", states(rng, "revolute", t))
    noise = some_noise(rng)
    noise = min(noise[0], 2e-3), min(noise[1], 8e-3)
    base = resting(rng, t) if rng.uniform() < 0.5 else carried(rng, t)
    log = Log().add("fixed", t, white(rng, base, *noise))
    log.add("moving", t, white(rng, base @ somewhere(rng, 0.3) @ E @ back(somewhere(rng, rng.uniform(0.05, 0.3))), *noise))
    return log, {"fixed": "fixed", "moving": "moving", "type": {"free"}}


def clocks(rng):
    """Stamps 0.2 to 10 ms apart; half of the moving parts' streams late by 20 to 120 ms."""
    fine = np.arange(0, rng.uniform(8, 14), 1 / 1200)
    kind = str(rng.choice(["revolute", "prismatic", "rigid"]))
    base = carried(rng, fine) if kind == "rigid" or rng.uniform() < 0.5 else resting(rng, fine)
    M = base @ somewhere(rng, 0.3) @ joint_motion(kind, states(rng, kind, fine)) @ back(somewhere(rng, rng.uniform(0.05, 0.3)))
    late = int(rng.uniform(0.02, 0.12) * 1200) if rng.uniform() < 0.5 else 0
    off = int(rng.choice([1, 1, 5, 12]))
    noise = min(some_noise(rng)[0], 2e-3), 4e-3
    at = np.arange(200, len(fine) - 50, 40)
    log = Log().add("fixed", fine[at], white(rng, base[at], *noise))
    log.add("moving", fine[at] + off / 1200, white(rng, M[at + off - late], *noise))
    return log, {"fixed": "fixed", "moving": "moving", "type": {kind}}


def chain_of(rng, count, t, base, noise, kinds=("revolute", "prismatic"), uniform=False):
    X, log, names = base, Log(), [f"p{k}" for k in range(count + 1)]
    joints = []
    see = lambda X: X @ pose(noise[1] * rng.uniform(-1, 1, (len(t), 3)), noise[0] * rng.uniform(-1, 1, (len(t), 3))) if uniform else white(rng, X, *noise)
    log.add(names[0], t, see(X))
    for k in range(count):
        kind = str(rng.choice(kinds))
        E = joint_motion(kind, states(rng, kind, t, (60, 120), (0.2, 0.5)))
        X = X @ somewhere(rng, rng.uniform(0.05, 0.3)) @ E @ back(somewhere(rng, rng.uniform(0.05, 0.3)))
        log.add(names[k + 1], t, see(X))
        joints.append((names[k], names[k + 1], kind))
    return log, {"joints": joints}


def chain(rng):
    """At the noise of Burka and Lee: uniform, half widths of 25 mm and 0.05 rad."""
    t = np.arange(0, rng.uniform(6, 10), 1 / 30)
    return chain_of(rng, int(rng.integers(3, 7)), t, carried(rng, t), (0.025, 0.05), uniform=True)


def chain_hinges(rng):
    t = np.arange(0, rng.uniform(6, 10), 1 / 30)
    return chain_of(rng, int(rng.integers(3, 7)), t, carried(rng, t), (0.025, 0.05), ("revolute",), True)


def chain_quiet(rng):
    t = np.arange(0, rng.uniform(6, 10), 1 / 30)
    return chain_of(rng, int(rng.integers(3, 7)), t, carried(rng, t), (1e-3, 5e-3))


def chain_late(rng):
    """A stream 50 ms late, all stamps up to 3 ms apart."""
    fine = np.arange(0, rng.uniform(8, 12), 1 / 1200)
    log, truth = chain_of(rng, int(rng.integers(2, 5)), fine, carried(rng, fine), (1e-3, 5e-3))
    out, slow = Log(), rng.integers(len(log.rows))
    at = np.arange(200, len(fine) - 50, 40)
    for k, (name, (t, X)) in enumerate(log.rows.items()):
        off = int(rng.integers(0, 4))
        out.add(name, t[at] + off / 1200, X[at + off - (60 if k == slow else 0)])
    return out, truth


def still(rng):
    t = np.arange(0, rng.uniform(3, 10), 1 / 30)
    log, truth = pair(rng, "rigid", t, np.zeros((len(t), 1)), None, some_noise(rng), rng.choice([0, 0.3, 1, 3]))
    return log, {**truth, "type": {"undetermined"}}


def still_seen(rng):
    """Markers at rest before a camera."""
    log, truth = camera_arm(rng, hinges=1, spans=[1e-3], aligned=[True])
    return log, {"fixed": "m0", "moving": "m1", "type": {"undetermined"}}


def still_found(rng):
    log, truth = still(rng)
    return log, {"joints": [], "undetermined": True}


def few(rng):
    """Two to four poses of a hinge."""
    n = int(rng.integers(2, 5))
    q = np.linspace(0, rng.uniform(20, 120) * DEG, n)[:, None]
    log, truth = pair(rng, "revolute", np.arange(n) * 1.0, q, None, (1e-3, 4e-3))
    return log, {**truth, "type": {"undetermined"}}


def many_freedoms(rng):
    t = np.arange(0, rng.uniform(6, 14), 1 / 30)
    kind = str(rng.choice(["screw", "cylindrical", "universal", "spherical", "planar"]))
    base = carried(rng, t) if rng.uniform() < 0.4 else None
    return pair(rng, kind, t, states(rng, kind, t), base, some_noise(rng), pitch=rng.uniform(0.03, 0.1))


def barely(rng):
    t = np.arange(0, rng.uniform(4, 8), 1 / 30)
    return pair(rng, "revolute", t, states(rng, "revolute", t, (2, 10)), None, (0.5e-3, 2e-3))


def play(rng):
    """A hinge with up to 1 degree and 1 mm of play, pushed about within it."""
    t = np.arange(0, rng.uniform(6, 14), 1 / 30)
    base, A, B = resting(rng, t), somewhere(rng, 0.3), somewhere(rng, rng.uniform(0.1, 0.4))
    kind = ["revolute", "prismatic"][rng.integers(2)]
    push = np.clip(1.5 * remembered(rng, len(t), rng.uniform(0.8, 0.98), 6), -1, 1)
    way = 0 if kind == "prismatic" else 1
    loose = pose(push[:, :3] * rng.uniform(0.2, 0.6) * DEG * ([1, 1, 0] if way else [1, 1, 1]), push[:, 3:] * rng.uniform(0.2, 1) * 1e-3)
    M = base @ A @ joint_motion(kind, states(rng, kind, t)) @ loose @ back(B)
    return Log().add("fixed", t, white(rng, base, 3e-4, 1e-3)).add("moving", t, white(rng, M, 3e-4, 1e-3)), \
        {"fixed": "fixed", "moving": "moving", "type": {kind}}


def lengths_off(rng):
    """Lengths 1 to 3 percent off along one direction of the world."""
    t = np.arange(0, rng.uniform(6, 14), 1 / 30)
    kind = ["revolute", "prismatic"][rng.integers(2)]
    log, truth = pair(rng, kind, t, states(rng, kind, t), None, (5e-4, 2e-3))
    d, f = direction(rng), rng.uniform(0.01, 0.03) * rng.choice([-1, 1])

    def scaled(name, t, X):
        Y = X.copy()
        Y[:, :3, 3] += f * np.outer(X[:, :3, 3] @ d, d)
        return t, Y
    return log.changed(scaled), truth


def wandering(rng):
    """Errors of 1 to 4 mm and 2 to 8 mrad that are remembered for seconds."""
    t = np.arange(0, rng.uniform(8, 20), 1 / 30)
    kind = ["revolute", "prismatic"][rng.integers(2)]
    log, truth = pair(rng, kind, t, states(rng, kind, t), None, (4e-4, 2e-3))
    size, memory = rng.uniform(1, 4), rng.uniform(0.95, 0.995)
    return log.changed(lambda name, t, X: (t, X @ pose(remembered(rng, len(t), memory) * size * 2e-3, remembered(rng, len(t), memory) * size * 1e-3))), truth


def slip(rng):
    """A marker that slips once by 3 to 10 degrees and 10 to 30 mm: the joint itself, or undetermined."""
    t = np.arange(0, rng.uniform(6, 14), 1 / 30)
    kind = ["revolute", "prismatic"][rng.integers(2)]
    log, truth = pair(rng, kind, t, states(rng, kind, t), None, (5e-4, 3e-3))
    by = pose(rng.uniform(3, 10) * DEG * direction(rng), rng.uniform(0.01, 0.03) * direction(rng))
    when = rng.uniform(0.3, 0.7) * t[-1]
    log.rows["moving"] = (t, np.where((t > when)[:, None, None], log.rows["moving"][1] @ by, log.rows["moving"][1]))
    return log, {**truth, "type": {kind, "undetermined", "free"}}


CAMERA = {"arm": arm, "arm_short": arm_short, "arm_parallel": arm_parallel, "arm_two": arm_two, "arm_without_end": arm_without_end,
          "arm_without_middle": arm_without_middle, "seen_cupboard": seen_cupboard, "seen_door": seen_door}
OTHERS = {"board_door": board_door, "cupboard_0": cupboard_ratio(0.0), "cupboard_0.3": cupboard_ratio(0.3), "cupboard_1": cupboard_ratio(1.0),
          "cupboard_3": cupboard_ratio(3.0), "together": together, "together_found": together_found, "wheel": wheel, "exact": exact, "rare": rare,
          "skew": skew, "clocks": clocks, "chain": chain, "chain_hinges": chain_hinges, "chain_quiet": chain_quiet, "chain_late": chain_late,
          "still": still, "still_seen": still_seen, "still_found": still_found, "few": few, "many_freedoms": many_freedoms, "barely": barely, "play": play,
          "lengths_off": lengths_off, "wandering": wandering, "slip": slip}
KINDS = {**CAMERA, **OTHERS}


# Judging ---------------------------------------------------------------------------------------------------------------------

def asked(path, truth):
    verb = "discover" if "joints" in truth else "joint"
    options = []
    if verb == "joint" and truth["fixed"]:
        options = ["--fixed", truth["fixed"], "--moving", truth["moving"]]
    made = subprocess.run([PREHEND, verb, str(path), "--json", *options], capture_output=True, text=True, timeout=300)
    if any(word in made.stdout for word in ("NaN", "nan,", "nan\n", "Infinity", "inf,", "e+30")):
        return "not finite", made.stdout[:300]
    if made.returncode not in (0, 3):
        return ("refused" if made.returncode == 2 else "crash"), made.stderr.strip()[:300]
    found = json.loads(made.stdout)
    undetermined = made.returncode == 3
    reason = found.get("error", {}).get("message", "")[:160]
    return judged_joint(found, undetermined, truth, reason) if verb == "joint" else judged_object(found, undetermined, truth, reason)


def judged_joint(found, undetermined, truth, reason):
    kind = "undetermined" if undetermined else found["type"]
    text = f"{kind} ({found.get('type')}) {reason}"
    if kind in truth["type"]:
        return "right", text
    if undetermined and "free" in truth["type"]:
        return "right", text
    return ("undetermined" if undetermined else "wrong"), text


def judged_object(found, undetermined, truth, reason):
    names = truth.get("new", {})
    name = lambda a: names.get(a, a)
    seen = sorted((*sorted((j["parent"], j["child"])), j["type"]) for j in found.get("joints", []))
    groups = sorted(sorted(g) for g in found.get("rigid_groups", []) if len(g) > 1)
    wanted = sorted((*sorted((name(a), name(b))), kind) for a, b, kind in truth["joints"])
    loops = [(x["parent"], x["child"], x["type"]) for x in found.get("loops", [])]
    missing, further = [x for x in wanted if x not in seen], [x for x in seen if x not in wanted]
    text = f"missing {missing} further {further} groups {groups} loops {loops} {reason}"
    if truth.get("undetermined"):
        return ("right" if undetermined else "wrong"), text
    if undetermined:
        return ("right" if "open" in truth and not missing else "undetermined"), text
    if "open" in truth:
        a, b, kinds = truth["open"]
        between = tuple(sorted((name(a), name(b))))
        good = not missing and not groups and not loops and all(x[2] == "free" or x[:2] == between and x[2] in kinds for x in further)
        return ("right" if good else "wrong"), text
    together = sorted(sorted((name(a), name(b))) for a, b in truth.get("together", []))
    return ("right" if not missing and not further and groups == together and not loops else "wrong"), text


def sweep(count, seed, kinds, variants, show, keep, first=0):
    total = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, (kind, make) in enumerate(KINDS.items()):
            if kinds and kind not in kinds:
                continue
            counts, by_variant = {}, {}
            for i in range(first, first + count):
                log, truth = make(np.random.default_rng([seed, number, i]))
                for variant in (variants if kind in CAMERA else ["whole"]):
                    other, new = varied(np.random.default_rng([seed, number, i, VARIANTS.index(variant)]), log, variant)
                    its = {**truth, "new": new}
                    for role in ("fixed", "moving"):
                        if truth.get(role):
                            its[role] = new.get(truth[role], truth[role])
                    path = Path(folder) / f"{kind}_{seed}_{i}_{variant}.csv"
                    path.write_text(other.text())
                    what, detail = asked(path, its)
                    counts[what] = counts.get(what, 0) + 1
                    by_variant.setdefault(variant, {}).setdefault(what, 0)
                    by_variant[variant][what] += 1
                    if what not in ("right", "undetermined") or show and what != "right":
                        print(f"  {kind} {i} {variant}: {what}: {detail}; truth {truth.get('type', '')}", flush=True)
                        if keep:
                            Path(keep).mkdir(exist_ok=True, parents=True)
                            (Path(keep) / path.name).write_text(path.read_text())
                    path.unlink()
            for what, n in counts.items():
                total[what] = total.get(what, 0) + n
            print(f"{kind:20s} " + ", ".join(f"{w} {n}" for w, n in sorted(counts.items())), flush=True)
    print("all " + ", ".join(f"{w} {n}" for w, n in sorted(total.items())))
    return sum(n for what, n in total.items() if what not in ("right", "undetermined"))


if __name__ == "__main__":
    given = dict(a.split("=") for a in sys.argv[1:])
    words = lambda key: [k for k in given.get(key, "").split(",") if k]
    wrong = sweep(int(given.get("count", 4)), int(given.get("seed", 1)), words("kinds"), words("variants") or VARIANTS, given.get("show") == "1",
                  given.get("keep"), int(given.get("first", 0)))
    sys.exit(1 if wrong else 0)
