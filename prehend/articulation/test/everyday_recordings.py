"""Recordings of things that people handle, each by formulas of its own, written as files and asked by the command line.

  everyday_recordings.py [count=2] [seed=1] [kinds=fridge,laptop,...] [show=1]

Beside recordings_judge_test.py: other objects, other motions (by hand, with pauses; little; many turns), other trackers (quantised, uneven stamps,
outliers, drift, cameras anywhere), other sizes (millimetres to metres, frames far from axes). Counted: right, undetermined, wrong with status ok, refused
(exit 2); and of hinges and slides that are right, how many axes lie more than five stated deviations and a degree off (`axis`)."""

import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

PREHEND = Path(os.environ.get("PREHEND_BIN", "build/release/bin")) / "prehend"
DEG = math.pi / 180


# Poses: arrays of 4x4 matrices, one per frame ----------------------------------------------------------------------------

def turns(v):
    """Rotation vectors (n, 3) to matrices (n, 3, 3)."""
    v = np.atleast_2d(v)
    a = np.linalg.norm(v, axis=1)
    k = v / np.where(a < 1e-300, 1, a)[:, None]
    K = np.zeros((len(v), 3, 3))
    K[:, 0, 1], K[:, 0, 2], K[:, 1, 2] = -k[:, 2], k[:, 1], -k[:, 0]
    K -= K.transpose(0, 2, 1)
    return np.eye(3) + np.sin(a)[:, None, None] * K + (1 - np.cos(a))[:, None, None] * (K @ K)


def poses(v, p):
    X = np.tile(np.eye(4), (max(len(np.atleast_2d(v)), len(np.atleast_2d(p))), 1, 1))
    X[:, :3, :3] = turns(v)
    X[:, :3, 3] = p
    return X


def unit(rng):
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def frame(rng, distance=0.0):
    """Turned at random, `distance` [m] away."""
    q = rng.normal(size=4)
    X = np.eye(4)
    X[:3, :3] = matrix_of(q / np.linalg.norm(q))
    X[:3, 3] = distance * unit(rng)
    return X


def matrix_of(q):
    w, v = q[0], q[1:]
    K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * K + 2 * K @ K


def about_z(q):
    q = np.asarray(q)
    return poses(np.outer(q, [0, 0, 1]), np.zeros((len(q), 3)))


def along_z(s):
    s = np.asarray(s)
    return poses(np.zeros((len(s), 3)), np.outer(s, [0, 0, 1]))


MOVES = {"revolute": about_z, "prismatic": along_z}
INV = np.linalg.inv


# Motions ---------------------------------------------------------------------------------------------------------------

def by_hand(rng, t, amplitude, pauses=0.4):
    """Minimum-jerk moves between targets, with pauses: as people open things. Reaches both ends."""
    q, now, out = 0.0, t[0], np.zeros(len(t))
    first = True
    while now < t[-1]:
        target = amplitude if first else rng.uniform(0, amplitude)
        if abs(target - q) < 0.3 * amplitude:
            target = 0.0 if q > 0.5 * amplitude else amplitude
        lasts = rng.uniform(0.5, 1.5)
        s = np.clip((t - now) / lasts, 0, 1)
        out = np.where(t >= now, q + (target - q) * (10 * s**3 - 15 * s**4 + 6 * s**5), out)
        q, now, first = target, now + lasts, False
        if rng.uniform() < pauses:
            now += rng.uniform(0.2, 1.2)
    return out


def to_and_fro(rng, t, amplitude):
    """Back and forth at a rate and amplitude that vary a little."""
    w = rng.uniform(1.5, 5) * (1 + 0.2 * np.sin(rng.uniform(0.2, 0.6) * t + rng.uniform(0, 6)))
    phase = np.cumsum(w) * (t[1] - t[0]) + rng.uniform(0, 6)
    return 0.5 * amplitude * np.sin(phase) * (1 + 0.15 * np.sin(0.7 * t + rng.uniform(0, 6)))


def once(rng, t, amplitude):
    """Opened at some time, for a part of the recording."""
    start, lasts = rng.uniform(0.05, 0.5) * t[-1], rng.uniform(0.2, 0.45) * t[-1]
    s = np.clip((t - start) / lasts, 0, 1)
    return amplitude * (10 * s**3 - 15 * s**4 + 6 * s**5)


MOTIONS = (by_hand, to_and_fro, once)


def wandering(rng, t, turn=0.8, shift=0.3):
    """Carried about: smooth in all six directions."""
    def smooth(size):
        return sum(rng.normal() * np.sin(w * t + rng.uniform(0, 6)) for w in rng.uniform(0.4, 2.5, 3)) * size / 2
    v = np.stack([smooth(turn) for _ in range(3)], 1)
    p = np.stack([smooth(shift) for _ in range(3)], 1)
    return frame(rng, 1.0) @ poses(v, p)


def still(rng, t):
    return np.tile(frame(rng, 1.0), (len(t), 1, 1))


def a_base(rng, t):
    return wandering(rng, t) if rng.uniform() < 0.5 else still(rng, t)


# Trackers --------------------------------------------------------------------------------------------------------------

def white(rng, X, position, angle):
    return X @ poses(angle * rng.normal(size=(len(X), 3)), position * rng.normal(size=(len(X), 3)))


def drift(rng, X, position, angle, t):
    """Off by a random walk of that size at the end, in the part's own frame."""
    walk = np.cumsum(rng.normal(size=(len(t), 6)), 0) / math.sqrt(len(t))
    return X @ poses(angle * walk[:, :3], position * walk[:, 3:])


def from_camera(rng, X, camera, side=0.0005, depth=0.003, tilt=0.008, about=0.002):
    """Depth along the sight of a camera anywhere, tilt of flat markers."""
    sight = X[:, :3, 3] - camera
    sight /= np.linalg.norm(sight, axis=1)[:, None]
    shift = side * rng.normal(size=(len(X), 3)) + depth * rng.normal(size=(len(X), 1)) * sight
    seen = X @ poses(rng.normal(size=(len(X), 3)) * [tilt, tilt, about], np.zeros((len(X), 3)))
    seen[:, :3, 3] += shift
    return seen


def quaternions(R):
    """(n, 3, 3) to (n, 4), w first, of continuous sign."""
    out = []
    for M in R:
        K = np.array([[M[0, 0] - M[1, 1] - M[2, 2], 0, 0, 0],
                      [M[0, 1] + M[1, 0], M[1, 1] - M[0, 0] - M[2, 2], 0, 0],
                      [M[0, 2] + M[2, 0], M[1, 2] + M[2, 1], M[2, 2] - M[0, 0] - M[1, 1], 0],
                      [M[2, 1] - M[1, 2], M[0, 2] - M[2, 0], M[1, 0] - M[0, 1], M[0, 0] + M[1, 1] + M[2, 2]]]) / 3
        x, y, z, w = np.linalg.eigh(K)[1][:, -1]
        q = np.array([w, x, y, z])
        out.append(-q if out and q @ out[-1] < 0 else q)
    return np.array(out)


class Recording:
    def __init__(self, t):
        self.t, self.parts, self.shown, self.stamps = t, {}, {}, {}

    def add(self, name, X, shown=None):
        self.parts[name] = X
        if shown is not None:
            self.shown[name] = shown

    def text(self, step=0.0, quaternion_step=0.0):
        rows = []
        for k, (name, X) in enumerate(self.parts.items()):
            q, p = quaternions(X[:, :3, :3]), X[:, :3, 3]
            if step:
                p = np.round(p / step) * step
            if quaternion_step:
                q = np.round(q / quaternion_step) * quaternion_step
            t = self.stamps.get(name, self.t)
            for i in range(len(t)):
                if name not in self.shown or self.shown[name][i]:
                    rows.append((t[i], k, f"{t[i]:.9g},{name}," + ",".join(f"{v:.10g}" for v in [*p[i], *q[i]])))
        rows.sort(key=lambda row: row[:2])
        return "t,part,x,y,z,qw,qx,qy,qz\n" + "\n".join(row[2] for row in rows) + "\n"


# One joint: what is varied by name -----------------------------------------------------------------------------------

class Pair:
    """A fixed and a moving part; noise is added by `seen`."""

    def __init__(self, rng, type=None, motion=None, t=None, amplitude=None, base=None, lever=None, scale=1.0, axis_at=None):
        self.rng = rng
        self.t = np.arange(int(rng.integers(120, 300))) / 30.0 if t is None else t
        self.type = type or str(rng.choice(["revolute", "prismatic"]))
        if amplitude is None:
            amplitude = rng.uniform(30, 110) * DEG if self.type == "revolute" else scale * rng.uniform(0.1, 0.4)
        self.q = (motion or MOTIONS[rng.integers(3)])(rng, self.t, amplitude)
        self.base = a_base(rng, self.t) if base is None else base
        self.X_FJ = frame(rng, scale * rng.uniform(0.1, 0.5) if axis_at is None else axis_at)
        self.X_MJ = frame(rng, scale * rng.uniform(0.1, 0.4) if lever is None else lever)
        self.moving = self.base @ self.X_FJ @ MOVES[self.type](self.q) @ INV(self.X_MJ)

    def seen(self, see):
        rec = Recording(self.t)
        rec.add("fixed", see(self.base))
        rec.add("moving", see(self.moving))
        return rec

    def truth(self):
        return {"type": {self.type}, "axis": self.X_FJ[:3, 2], "named": ("fixed", "moving")}


def level(rng):
    return 0.001 * rng.uniform(0.3, 2), rng.uniform(0.001, 0.008)


def plain_pair(rng, **more):
    pair = Pair(rng, **more)
    p, a = level(rng)
    return pair, pair.seen(lambda X: white(rng, X, p, a))


def hand_opened(rng):
    pair, rec = plain_pair(rng)
    return rec, "joint", pair.truth(), {}


def partly_opened(rng):
    """2 to 10 deg, 5 to 30 mm; undetermined is allowed."""
    kind = str(rng.choice(["revolute", "prismatic"]))
    amplitude = rng.uniform(2, 10) * DEG if kind == "revolute" else rng.uniform(0.005, 0.03)
    pair = Pair(rng, kind, amplitude=amplitude, lever=rng.uniform(0.2, 0.7))
    p, a = 0.001 * rng.uniform(0.2, 1), rng.uniform(0.001, 0.005)
    return pair.seen(lambda X: white(rng, X, p, a)), "joint", pair.truth(), {}


def spun(rng):
    """Several turns, to and fro or at a speed that changes."""
    t = np.arange(int(rng.integers(200, 500))) / 30.0
    size = rng.uniform(2, 9) * 2 * math.pi
    q = size * (t / t[-1] + 0.1 * np.sin(3 * t / t[-1] * math.pi))
    if rng.uniform() < 0.5:
        q = size * np.sin(math.pi * t / t[-1])
    pair = Pair(rng, "revolute", lambda *_: q, t, lever=rng.choice([0.0, 0.05, 0.3]))
    p, a = level(rng)
    return pair.seen(lambda X: white(rng, X, p, a)), "joint", pair.truth(), {}


def drifting(rng):
    pair = Pair(rng)
    p, a = level(rng)
    size = rng.uniform(0.001, 0.005), rng.uniform(0.2, 1) * DEG
    return pair.seen(lambda X: drift(rng, white(rng, X, p, a), *size, pair.t)), "joint", pair.truth(), {}


def quantised(rng):
    """Positions to a millimetre, quaternions to three digits; little other noise."""
    pair = Pair(rng)
    p, a = rng.choice([(0.0, 0.0), (0.0003, 0.0005), (0.001, 0.002)])
    return pair.seen(lambda X: white(rng, X, p, a)), "joint", pair.truth(), {"step": 0.001, "quaternion_step": 0.001}


def with_outliers(rng):
    pair = Pair(rng)
    p, a = level(rng)
    share = rng.uniform(0.01, 0.06)

    def see(X):
        Y = white(rng, X, p, a)
        i = 0
        while i < len(Y):
            if rng.uniform() < share / 2:
                run = int(rng.integers(1, 4))
                Y[i:i + run] = Y[i:i + run] @ poses(rng.uniform(0.2, 1.5) * unit(rng), rng.uniform(0.03, 0.5) * unit(rng))
                i += run
            i += 1
        return Y
    return pair.seen(see), "joint", pair.truth(), {}


def gaps_and_jitter(rng):
    """A third of the frames lost in each, stamps uneven by up to half a frame (true times, as trackers stamp them), a long gap."""
    n = int(rng.integers(150, 300))
    t = np.arange(n) / 30.0 + rng.uniform(-0.012, 0.012, n)
    t = np.sort(t - t[0] + 0.02)
    pair, rec = plain_pair(rng, t=t)
    for name in rec.parts:
        shown = rng.uniform(size=n) > rng.uniform(0, 0.35)
        start = int(rng.integers(0, n))
        shown[start:start + int(rng.integers(0, 30))] = False
        rec.shown[name] = shown
    return rec, "joint", pair.truth(), {}


def odd_camera(rng):
    pair = Pair(rng)
    camera = pair.base[0, :3, 3] + rng.uniform(0.7, 3) * unit(rng)
    size = dict(side=rng.uniform(0.0002, 0.001), depth=rng.uniform(0.001, 0.006), tilt=rng.uniform(0.003, 0.015), about=rng.uniform(0.001, 0.003))
    return pair.seen(lambda X: from_camera(rng, X, camera, **size)), "joint", pair.truth(), {}


def tiny(rng):
    """Millimetres, under a microscope or by a fine tracker."""
    scale = rng.uniform(0.003, 0.03)
    t = np.arange(200) / 30.0
    base = a_base(rng, t)
    base[:, :3, 3] *= scale
    pair = Pair(rng, t=t, scale=scale, base=base)
    p, a = scale * rng.uniform(0.0005, 0.003), rng.uniform(0.001, 0.005)
    return pair.seen(lambda X: white(rng, X, p, a)), "joint", pair.truth(), {}


def huge(rng):
    """Gates, cranes, garage doors: 2 to 4 m."""
    pair = Pair(rng, scale=rng.uniform(5, 10))
    p, a = rng.uniform(0.002, 0.008), rng.uniform(0.001, 0.004)
    return pair.seen(lambda X: white(rng, X, p, a)), "joint", pair.truth(), {}


def far_frames(rng):
    """Both frames 3 to 10 m from the joint, as CAD exports may have them."""
    kind = str(rng.choice(["revolute", "prismatic"]))
    away = rng.uniform(3, 10)
    pair = Pair(rng, kind, axis_at=away, lever=away * rng.uniform(0.9, 1.1))
    p, a = 0.001 * rng.uniform(0.3, 1), rng.uniform(0.0005, 0.002)
    return pair.seen(lambda X: white(rng, X, p, a)), "joint", pair.truth(), {}


def moving_camera(rng):
    """Everything at rest, or one joint moving, seen from a camera that moves."""
    t = np.arange(240) / 30.0
    kind = str(rng.choice(["rigid", "revolute", "prismatic"]))
    camera = wandering(rng, t, 0.4, 0.3)
    pair = Pair(rng, "revolute" if kind == "rigid" else kind, t=t, base=INV(camera) @ frame(rng, 0.3))
    if kind == "rigid":
        pair.moving = pair.base @ frame(rng, rng.uniform(0.1, 0.6))
    p, a = level(rng)
    return pair.seen(lambda X: white(rng, X, p, a)), "joint", {"type": {kind}, "axis": None if kind == "rigid" else pair.X_FJ[:3, 2]}, {}


def one_part(rng):
    """One part in the world alone."""
    t = np.arange(200) / 30.0
    pair = Pair(rng, t=t, base=still(rng, t))
    p, a = level(rng)
    rec = Recording(t)
    rec.add("part", white(rng, pair.moving, p, a))
    return rec, "joint", {"type": {pair.type}, "axis": (pair.base[0] @ pair.X_FJ)[:3, 2]}, {}


def handled_freely(rng):
    """A cup over a table: no joint. Nothing but free, or undetermined."""
    t = np.arange(240) / 30.0
    rec = Recording(t)
    p, a = level(rng)
    rec.add("table", white(rng, still(rng, t), p, a))
    rec.add("cup", white(rng, wandering(rng, t, rng.uniform(0.1, 0.8), rng.uniform(0.1, 0.3)), p, a))
    return rec, "joint", {"type": {"free"}}, {}


def picked_up(rng):
    """At rest, lifted, turned, put down elsewhere: no joint."""
    t = np.arange(240) / 30.0
    v = np.stack([once(rng, t, rng.uniform(-1.5, 1.5)) for _ in range(3)], 1)
    s = np.stack([once(rng, t, rng.uniform(-0.4, 0.4)) for _ in range(3)], 1)
    rec = Recording(t)
    p, a = level(rng)
    rec.add("table", white(rng, still(rng, t), p, a))
    rec.add("cup", white(rng, still(rng, t) @ poses(v, s), p, a))
    return rec, "joint", {"type": {"free"}}, {}


def two_axes(rng, apart, angle, motion):
    """Base and tip of two hinges whose axes pass `apart` [m] from each other at `angle`."""
    t = np.arange(240) / 30.0
    base = a_base(rng, t)
    between = poses(np.array([angle, 0, 0]), np.array([apart, 0, rng.uniform(-0.1, 0.1)]))[0]
    A, C = frame(rng, rng.uniform(0.1, 0.4)), frame(rng, rng.uniform(0.1, 0.3))
    q = [motion(rng, t, rng.uniform(60, 110) * DEG) for _ in range(2)]
    X = base @ A @ about_z(q[0]) @ between @ about_z(q[1]) @ C
    rec = Recording(t)
    p, a = 0.001 * rng.uniform(0.3, 1), rng.uniform(0.001, 0.004)
    rec.add("base", white(rng, base, p, a))
    rec.add("tip", white(rng, X, p, a))
    return rec, math.hypot(p, a * 0.3)


def near_axes(rng):
    """0.5 to 10 mm apart, crossing at 40 to 140 deg: a joint about one centre where it leaves no more than noise, else undetermined."""
    motion = [by_hand, to_and_fro][rng.integers(2)]
    rec, noise = two_axes(rng, rng.uniform(0.0005, 0.01), rng.uniform(40, 140) * DEG, motion)
    return rec, "joint", {"type": set(), "residual": 2.0 * noise}, {}


def gimbal_ends(rng):
    """Axes that cross at a right angle: universal."""
    rec, _ = two_axes(rng, 0.0, 90 * DEG, to_and_fro)
    return rec, "joint", {"type": {"universal"}}, {}


def caster_ends(rng):
    """Parallel axes: planar contains it; or undetermined."""
    rec, _ = two_axes(rng, rng.uniform(0.03, 0.2), 0.0, to_and_fro)
    return rec, "joint", {"type": {"planar"}}, {}


# Objects of several parts -----------------------------------------------------------------------------------------

class Object:
    def __init__(self, rng, t, base, name="p0"):
        self.rng, self.t, self.X, self.joints, self.groups = rng, t, {name: base}, [], []

    def joint(self, parent, child, type, q, X_FJ=None, X_MJ=None):
        rng = self.rng
        F = frame(rng, rng.uniform(0.1, 0.4)) if X_FJ is None else X_FJ
        M = frame(rng, rng.uniform(0.05, 0.3)) if X_MJ is None else X_MJ
        self.X[child] = self.X[parent] @ F @ MOVES[type](q) @ INV(M)
        self.joints.append((parent, child, type))

    def rigid(self, of, name, X):
        self.X[name] = self.X[of] @ X
        self.groups.append((of, name))

    def seen(self, see=None):
        p, a = level(self.rng)
        rec = Recording(self.t)
        for name, X in self.X.items():
            rec.add(name, see(X) if see else white(self.rng, X, p, a))
        return rec

    def truth(self, **more):
        return {"joints": self.joints, "groups": self.groups, **more}


def times(rng, low=150, high=320):
    return np.arange(int(rng.integers(low, high))) / 30.0


def turned(v, p=(0, 0, 0)):
    return poses(np.array(v, float), np.array(p, float))[0]


def angle(rng, low=40, high=110):
    return rng.uniform(low, high) * DEG


def fridge(rng, ratio=None):
    """Two doors, a drawer behind one, a body at rest that is seen with noise of its own."""
    t = np.arange(360) / 30.0
    o = Object(rng, t, still(rng, t), "body")

    def between(a, b, size):
        s = np.clip((t / t[-1] - a) / 0.15, 0, 1) - np.clip((t / t[-1] - b) / 0.15, 0, 1)
        return size * s * s * (3 - 2 * s)
    side = turned([0, 0, 0], [-0.3, 0.3, 0.2])
    o.joint("body", "upper", "revolute", between(0.05, 0.3, angle(rng)), side, turned([0, 0, 0.3], [-0.3, 0, 0]) @ turned(0.3 * rng.normal(size=3)))
    o.joint("body", "lower", "revolute", between(0.25, 0.8, angle(rng, 70)), turned([0, 0, 0], [-0.3, 0.3, -0.6]), turned(rng.normal(size=3), [-0.3, 0, 0.1]))
    o.joint("body", "drawer", "prismatic", between(0.45, 0.65, rng.uniform(0.1, 0.3)), turned([-math.pi / 2, 0, 0], [0, 0.2, -0.7]), frame(rng, 0.2))
    ratio = float(rng.choice([0.0, 0.3, 1.0, 3.0])) if ratio is None else ratio
    p, a = level(rng)
    rec = Recording(t)
    for name, X in o.X.items():
        k = ratio if name == "body" else 1.0
        rec.add(name, white(rng, X, k * p, k * a))
    return rec, "discover", o.truth(), {}


def scissors(rng):
    """Carried, opened and closed; with two markers on one blade in half of the cases."""
    t = times(rng)
    o = Object(rng, t, wandering(rng, t), "blade_a")
    o.joint("blade_a", "blade_b", "revolute", to_and_fro(rng, t, angle(rng, 20, 60)), frame(rng, 0.08), frame(rng, 0.08))
    if rng.uniform() < 0.5:
        o.rigid("blade_b", "handle_b", frame(rng, 0.1))
    return o.seen(), "discover", o.truth(), {}


def laptop(rng):
    """On a table, carried about, or pushed a little; lid, and a phone beside it that does not move."""
    t = times(rng)
    base = [still, wandering][rng.integers(2)](rng, t)
    o = Object(rng, t, base, "keyboard")
    o.joint("keyboard", "lid", "revolute", by_hand(rng, t, angle(rng, 40, 130)), frame(rng, 0.15), frame(rng, 0.15))
    return o.seen(), "discover", o.truth(), {}


def caster(rng):
    """Wheel on fork on frame: axes at a right angle, an offset between them; the wheel makes turns."""
    t = times(rng)
    o = Object(rng, t, a_base(rng, t), "frame")
    o.joint("frame", "fork", "revolute", by_hand(rng, t, angle(rng, 90, 170)))
    o.joint("fork", "wheel", "revolute", rng.uniform(1, 5) * 2 * math.pi * (t / t[-1])**rng.uniform(0.8, 1.5))
    return o.seen(), "discover", o.truth(), {}


def telescope(rng):
    """Parallel slides: which hangs on which is not told; any two slides of the three move so."""
    t = times(rng)
    o = Object(rng, t, a_base(rng, t))
    axis = frame(rng, 0.2)
    o.joint("p0", "p1", "prismatic", by_hand(rng, t, rng.uniform(0.15, 0.4)), axis, INV(turned([0, 0, 0])))
    o.joint("p1", "p2", "prismatic", by_hand(rng, t, rng.uniform(0.15, 0.4)), turned([0, 0, 0], [0.02, 0, 0.1]), frame(rng, 0.1))
    return o.seen(), "discover", o.truth(any_tree=True), {}


def crossed_slides(rng):
    """A table in x, y and z."""
    t = times(rng)
    o = Object(rng, t, a_base(rng, t))
    for k in range(int(rng.integers(2, 4))):
        o.joint(f"p{k}", f"p{k + 1}", "prismatic", by_hand(rng, t, rng.uniform(0.1, 0.4)), frame(rng, 0.2), frame(rng, 0.2))
    return o.seen(), "discover", o.truth(), {}


def bicycle(rng):
    t = times(rng, 240)
    o = Object(rng, t, wandering(rng, t, 0.5, 0.4), "frame")
    way = rng.uniform(1, 4) * 2 * math.pi * t / t[-1]
    o.joint("frame", "fork", "revolute", to_and_fro(rng, t, angle(rng, 50, 90)), frame(rng, 0.4), frame(rng, 0.2))
    o.joint("fork", "front", "revolute", 1.03 * way, frame(rng, 0.3), frame(rng, rng.choice([0.0, 0.2])))
    o.joint("frame", "rear", "revolute", way + 0.05 * np.sin(2 * t), frame(rng, 0.4), frame(rng, rng.choice([0.0, 0.2])))
    return o.seen(), "discover", o.truth(), {}


def gimbal(rng):
    """Rings about three axes through one centre."""
    t = times(rng)
    o = Object(rng, t, a_base(rng, t), "stand")
    names = ["stand", "outer", "inner", "camera"]
    R = [turned([0, 0, 0]), turned([math.pi / 2, 0, 0]), turned([0, math.pi / 2, 0])]
    for k in range(int(rng.integers(2, 4))):
        here = turned(0.0 * unit(rng), 0.1 * unit(rng)) if k == 0 else turned([0, 0, 0])
        o.joint(names[k], names[k + 1], "revolute", to_and_fro(rng, t, angle(rng, 50, 100)), here @ R[k], R[k])
    marks = {name: frame(rng, rng.uniform(0.03, 0.1)) for name in o.X}
    o.X = {name: X @ marks[name] for name, X in o.X.items()}
    return o.seen(), "discover", o.truth(), {}


def parallel_arm(rng):
    """A desk lamp: two to four parallel hinges."""
    t = times(rng)
    o = Object(rng, t, a_base(rng, t))
    for k in range(int(rng.integers(2, 5))):
        o.joint(f"p{k}", f"p{k + 1}", "revolute", by_hand(rng, t, angle(rng, 40, 100)), turned([0, 0, 0], [rng.uniform(0.15, 0.35), 0, 0.02]), turned([0, 0, rng.uniform(-1, 1)]))
    marks = {name: frame(rng, 0.05) for name in o.X}
    o.X = {name: X @ marks[name] for name, X in o.X.items()}
    return o.seen(), "discover", o.truth(), {}


def kitchen_front(rng):
    """Three cupboards that stand, two doors, one drawer, opened one after another; some never."""
    t = np.arange(300) / 30.0
    o = Object(rng, t, still(rng, t), "left")
    o.rigid("left", "middle", turned([0, 0, 0], [0.6, 0, 0]))
    o.rigid("left", "right", turned([0, 0, 0], [1.2, 0, 0]))
    o.joint("left", "door", "revolute", once(rng, t, angle(rng)), frame(rng, 0.4), frame(rng, 0.3))
    o.joint("left", "drawer", "prismatic", once(rng, t, rng.uniform(0.1, 0.4)), frame(rng, 0.5), frame(rng, 0.2))
    return o.seen(), "discover", o.truth(), {}


def rigid_set(rng):
    """Three or four markers on one thing that is carried, noise of each its own by up to five times."""
    t = times(rng)
    o = Object(rng, t, wandering(rng, t))
    for k in range(int(rng.integers(1, 4))):
        o.rigid("p0", f"p{k + 1}", frame(rng, rng.uniform(0.05, 0.4)))
    p, a = level(rng)
    rec = Recording(t)
    for name, X in o.X.items():
        k = math.exp(rng.uniform(-0.8, 0.8))
        rec.add(name, white(rng, X, k * p, k * a))
    return rec, "discover", o.truth(one_group=True), {}


def four_bar(rng):
    """Crank, coupler, rocker on a frame: one freedom, one loop."""
    t = times(rng)
    a, b, c, d = 0.1, rng.uniform(0.25, 0.32), rng.uniform(0.2, 0.28), 0.3
    crank = 2 * math.pi * rng.uniform(0.6, 2) * t / t[-1] + rng.uniform(0, 6)
    ends = np.stack([a * np.cos(crank), a * np.sin(crank)], 1)
    gap = np.array([d, 0]) - ends
    size = np.linalg.norm(gap, axis=1)
    bend = np.arccos(np.clip((b * b + size * size - c * c) / (2 * b * size), -1, 1))
    coupler = np.arctan2(gap[:, 1], gap[:, 0]) + bend
    knee = ends + b * np.stack([np.cos(coupler), np.sin(coupler)], 1)
    rocker = np.arctan2(knee[:, 1], knee[:, 0] - d)
    base = a_base(rng, t)

    def bar(angle, at, height):
        return base @ poses(np.outer(angle, [0, 0, 1]), np.concatenate([at, np.full((len(t), 1), height)], 1)) @ frame(rng, 0.05)
    o = Object(rng, t, base, "frame")
    o.X.update(crank=bar(crank, 0 * ends, 0.01), coupler=bar(coupler, ends, 0.02), rocker=bar(rocker, 0 * ends + [d, 0], 0.01))
    o.joints = [("frame", "crank", "revolute"), ("crank", "coupler", "revolute"), ("coupler", "rocker", "revolute"), ("frame", "rocker", "revolute")]
    return o.seen(), "discover", o.truth(loop=True), {}


def arm_from_camera(rng):
    """Three or four hinges and slides, markers seen by a camera beside it."""
    t = times(rng, 200, 400)
    o = Object(rng, t, still(rng, t))
    for k in range(int(rng.integers(2, 5))):
        kind = str(rng.choice(["revolute", "revolute", "prismatic"]))
        o.joint(f"p{k}", f"p{k + 1}", kind, by_hand(rng, t, angle(rng) if kind == "revolute" else rng.uniform(0.1, 0.3)), frame(rng, 0.15), frame(rng, 0.1))
    camera = o.X["p0"][0, :3, 3] + rng.uniform(0.8, 2) * unit(rng)
    return o.seen(lambda X: from_camera(rng, X, camera)), "discover", o.truth(), {}


def chain_with_gaps(rng):
    t = times(rng, 200, 400)
    o = Object(rng, t, a_base(rng, t))
    for k in range(int(rng.integers(2, 5))):
        kind = str(rng.choice(["revolute", "prismatic"]))
        o.joint(f"p{k}", f"p{k + 1}", kind, MOTIONS[rng.integers(2)](rng, t, angle(rng) if kind == "revolute" else rng.uniform(0.1, 0.3)))
    rec = o.seen()
    for name in rec.parts:
        rec.shown[name] = rng.uniform(size=len(t)) > rng.uniform(0, 0.3)
    return rec, "discover", o.truth(), {"step": float(rng.choice([0.0, 0.001])), "quaternion_step": 0.0}


def two_things(rng):
    """A thing with a hinge and another that is carried by itself: nothing connects them."""
    t = times(rng)
    o = Object(rng, t, wandering(rng, t), "box")
    o.joint("box", "lid", "revolute", by_hand(rng, t, angle(rng)))
    o.X["cup"] = wandering(rng, t)
    return o.seen(), "discover", o.truth(loose={"cup"}), {}


KINDS = {f.__name__: f for f in (hand_opened, partly_opened, spun, drifting, quantised, with_outliers, gaps_and_jitter, odd_camera, tiny, huge, far_frames,
                                 moving_camera, one_part, handled_freely, picked_up, near_axes, gimbal_ends, caster_ends, fridge, scissors, laptop,
                                 caster, telescope, crossed_slides, bicycle, gimbal, parallel_arm, kitchen_front, rigid_set, four_bar, arm_from_camera,
                                 chain_with_gaps, two_things)}


# Judging ---------------------------------------------------------------------------------------------------------------

def not_numbers(text):
    return any(word in text for word in ("NaN", "nan,", "Infinity", "inf,", "e+30", "e+29"))


def joint_verdict(found, truth):
    kind = found["type"]
    if "residual" in truth:
        best = found["candidates"][0]
        return ("right" if best["rms_position_m"] < truth["residual"] else "wrong"), f"{kind} leaves {best['rms_position_m']:.5f}, noise {truth['residual'] / 2:.5f}"
    if kind not in truth["type"]:
        return "wrong", kind
    axis = truth.get("axis")
    if axis is None or kind not in ("revolute", "prismatic"):
        return "right", kind
    off = math.asin(min(1, np.linalg.norm(np.cross(found["axis_F"], axis))))
    std = found["std"]["axis_rad"]
    if off > 5 * std and off > DEG:
        return "axis", f"{kind}, {off / DEG:.2f} deg off, stated {std / DEG:.2f}"
    return "right", kind


def discovery_verdict(found, truth):
    of = {name: k for k, group in enumerate(found["rigid_groups"]) for name in group}
    joints = [(j["parent"], j["child"], j["type"]) for j in found["joints"]]
    text = f"{joints} groups {[g for g in found['rigid_groups'] if len(g) > 1]} loops {[(x['parent'], x['child'], x['type']) for x in found['loops']]}"
    together = {frozenset((a, b)) for group in found["rigid_groups"] for a in group for b in group if a != b}
    wanted = {}
    for a, b in truth["groups"]:
        wanted[b] = wanted.get(a, a)
    root = lambda name: wanted.get(name, name)
    names = list(of)
    if together != {frozenset((a, b)) for a in names for b in names if a != b and root(a) == root(b)}:
        return "wrong", text
    edges = lambda js: sorted((*sorted((root(a), root(b))), type) for a, b, type in js)
    seen = edges(joints)
    if truth.get("any_tree"):
        return ("right" if all(type == "prismatic" for *_, type in seen) and not found["loops"] else "wrong"), text
    if truth.get("loop"):
        loops = [(x["parent"], x["child"], x["type"]) for x in found["loops"]]
        good = found["degrees_of_freedom"] == 1 and len(found["loops"]) == 1 and edges(joints + loops) == edges(truth["joints"])
        return ("right" if good else "wrong"), text
    loose = truth.get("loose", set())
    seen = [s for s in seen if not (s[2] == "free" and (s[0] in loose or s[1] in loose))]
    return ("right" if seen == edges(truth["joints"]) and not found["loops"] else "wrong"), text


def verdict(path, verb, truth):
    parts = ["--fixed", "fixed", "--moving", "moving"] if "fixed" in truth.get("named", ()) else []
    made = subprocess.run([PREHEND, verb, str(path), "--json", *parts], capture_output=True, text=True, timeout=300)
    if not_numbers(made.stdout):
        return "not finite", made.stdout[:500]
    if made.returncode == 2:
        return "refused", made.stderr.strip()[:300]
    if made.returncode not in (0, 3):
        return "crash", made.stderr[:300]
    found = json.loads(made.stdout)
    if truth.get("one_group"):  # undetermined always: joints that stood still look the same
        return ("right" if len(found["rigid_groups"]) == 1 else "undetermined" if made.returncode else "wrong"), str(found["rigid_groups"])
    if made.returncode == 3:
        return "undetermined", found["error"]["message"][:300] + f"; best {found.get('type')}"
    return joint_verdict(found, truth) if verb == "joint" else discovery_verdict(found, truth)


def sweep(count, seed, kinds, show):
    bad = 0
    keep = Path("/tmp/judged")
    with tempfile.TemporaryDirectory() as folder:
        for number, (kind, make) in enumerate(KINDS.items()):
            if kinds and kind not in kinds:
                continue
            counts = {}
            for i in range(count):
                rng = np.random.default_rng([seed, number, i])
                rec, verb, truth, write = make(rng)
                path = Path(folder) / f"{kind}_{seed}_{i}.csv"
                path.write_text(rec.text(**write))
                what, detail = verdict(path, verb, truth)
                counts[what] = counts.get(what, 0) + 1
                if what in ("wrong", "crash", "not finite", "refused") or show and what != "right":
                    wanted = truth.get("type") or truth.get("joints") or ""
                    print(f"  {kind} {i}: {what}: {detail}; truth {wanted} {truth.get('groups', '')}", flush=True)
                if show and what != "right":
                    keep.mkdir(exist_ok=True)
                    (keep / path.name).write_text(path.read_text())
            bad += sum(counts.get(w, 0) for w in ("wrong", "crash", "not finite", "refused"))
            print(f"{kind:16s} {count:4d}: " + ", ".join(f"{w} {n}" for w, n in sorted(counts.items())), flush=True)
    return bad


if __name__ == "__main__":
    given = dict(a.split("=") for a in sys.argv[1:])
    wrong = sweep(int(given.get("count", 2)), int(given.get("seed", 1)), [k for k in given.get("kinds", "").split(",") if k], given.get("show") == "1")
    sys.exit(1 if wrong else 0)
