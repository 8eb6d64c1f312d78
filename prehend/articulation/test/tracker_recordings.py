"""Recordings as webcams, boards and hand-written files give them, by formulas of this file; asked by the command line.

  tracker_recordings.py [count=2] [seed=1] [kinds=webcam_arm,...] [show=1]

Beside everyday_recordings.py and marker_recording.h: slow errors of other spectra (1/f, a wrong focal length, markers bent or glued askew, errors that follow
the place in the picture), other rates, frames that repeat, stamps that jitter, signs of quaternions at random, parts lost for seconds, and files rounded to
millimetres and three digits with few poses. Verdicts are those of everyday_recordings.py; arms are judged whole, with ends cut, every second frame and
5 % dropped."""

import math
import sys

import numpy as np

import everyday_recordings as of
from everyday_recordings import DEG, INV, Object, Pair, Recording, angle, by_hand, frame, poses, still, to_and_fro, unit, wandering, white


# Errors -----------------------------------------------------------------------------------------------------------------

def flicker(rng, n, power=1.0):
    """(n, 3) of unit deviation whose spectrum falls with the frequency to that power."""
    f = np.arange(1, n // 2 + 1)
    out = np.zeros((n, 3))
    k = np.arange(n)
    for axis in range(3):
        size = rng.normal(size=len(f)) * f ** (-power / 2)
        phase = rng.uniform(0, 2 * math.pi, len(f))
        out[:, axis] = np.cos(2 * math.pi * np.outer(k, f) / n + phase) @ size
        out[:, axis] /= np.std(out[:, axis]) + 1e-300
    return out


class Camera:
    """At the origin, looking along z. Noise sideways, in depth, about the normal and in tilt; errors that follow the place in the picture."""

    def __init__(self, rng):
        self.rng = rng
        self.side, self.depth = rng.uniform(0.1e-3, 0.6e-3), rng.uniform(1e-3, 3e-3)
        self.normal, self.tilt = 0.1 * DEG, rng.uniform(0.2, 0.6) * DEG
        self.focal = 1 + rng.uniform(-0.015, 0.015)
        self.warp = rng.normal(size=(3, 3)) * rng.uniform(0, 0.004)  # [m] over the picture

    def see(self, X, slow, slow_tilt, power):
        rng, n = self.rng, len(X)
        p = X[:, :3, 3].copy()
        seen = X @ poses(rng.normal(size=(n, 3)) * [self.tilt, self.tilt, self.normal] + slow_tilt * flicker(rng, n, power), np.zeros((n, 3)))
        u = p[:, :2] / p[:, 2:]
        place = np.stack([u[:, 0], u[:, 1], u[:, 0] * u[:, 1] * 2], 1)
        p += place @ self.warp
        p[:, 2] *= self.focal
        sight = p / np.linalg.norm(p, axis=1)[:, None]
        p += self.side * rng.normal(size=(n, 3)) + self.depth * rng.normal(size=(n, 1)) * sight + slow * flicker(rng, n, power)
        seen[:, :3, 3] = p
        return seen


def facing(rng, p, tilt):
    """A marker's frame at p, its z towards the camera but for `tilt`."""
    back = -p / np.linalg.norm(p)
    side = np.cross(back, unit(rng))
    z = of.turns(tilt * side / np.linalg.norm(side))[0] @ back
    x = np.cross(z, unit(rng))
    x /= np.linalg.norm(x)
    X = np.eye(4)
    X[:3, :3] = np.stack([x, np.cross(z, x), z], 1)
    X[:3, 3] = p
    return X


def spoil(rng, rec, how):
    """What recorders do to rows: `how` names it."""
    n = len(rec.t)
    if "repeat" in how:  # a picture that is given twice, under a stamp of its own
        for name in rec.parts:
            X = rec.parts[name].copy()
            for k in range(1, n):
                if rng.uniform() < 0.12:
                    X[k] = X[k - 1]
            rec.parts[name] = X
    if "lost" in how:
        for name in list(rec.parts)[1:]:
            shown = rng.uniform(size=n) > 0.02
            if rng.uniform() < 0.5:
                start, lasts = int(rng.integers(0, n)), int(rng.uniform(0.05, 0.2) * n)
                shown[start:start + lasts] = False
            rec.shown[name] = shown
    if "stamps" in how:  # when the computer came to it
        rec.t = np.sort(rec.t + rng.uniform(0, 0.006, n))
    return rec


class Written(Recording):
    """With signs of quaternions at random and numbers rounded to `digits` places."""

    def __init__(self, rec, rng, digits=None, signs=False):
        super().__init__(rec.t)
        self.parts, self.shown, self.stamps = rec.parts, rec.shown, rec.stamps
        self.rng, self.digits, self.signs = rng, digits, signs

    def text(self):
        if not self.signs:
            return super().text(step=10.0 ** -self.digits[0] if self.digits else 0.0, quaternion_step=10.0 ** -self.digits[1] if self.digits else 0.0)
        lines = super().text(step=10.0 ** -self.digits[0] if self.digits else 0.0, quaternion_step=10.0 ** -self.digits[1] if self.digits else 0.0).splitlines()
        out = lines[:1]
        for line in lines[1:]:
            cells = line.split(",")
            if self.rng.uniform() < 0.4:
                cells[5:] = [f"{-float(v):.10g}" for v in cells[5:]]
            out.append(",".join(cells))
        return "\n".join(out) + "\n"


# Arms -------------------------------------------------------------------------------------------------------------------

def arm(rng, joints, across, carried=False, rate=30.0, span=None):
    """Hinges (one slide in six) in a row before a camera at the origin; `across`: how far their axes lie from the line of sight."""
    n = int((span or rng.uniform(9, 22)) * rate)
    t = np.arange(n) / rate
    p = np.array([rng.uniform(-0.25, 0), rng.uniform(-0.1, 0.1), rng.uniform(0.6, 1.3)])
    X = facing(rng, p, rng.uniform(0.12, 0.4))
    base = np.tile(X, (n, 1, 1))
    if carried:
        base = base @ poses(0.12 * flicker(rng, n, 4), 0.04 * flicker(rng, n, 4))
    o = Object(rng, t, base)
    for k in range(joints):
        way = rng.uniform(-0.9, 0.9)
        q = p + rng.uniform(0.07, 0.22) * np.array([math.cos(way), math.sin(way), rng.uniform(-0.3, 0.3)])
        Y = facing(rng, q, rng.uniform(0.12, 0.4))
        kind = "prismatic" if rng.uniform() < 1 / 6 else "revolute"
        axis = of.turns(rng.uniform(0, across) * unit(rng))[0] @ (q / np.linalg.norm(q))
        if kind == "prismatic":
            axis = np.cross(axis, unit(rng))
            axis /= np.linalg.norm(axis)
        x = np.cross(axis, unit(rng))
        x /= np.linalg.norm(x)
        J = np.eye(4)
        J[:3, :3] = np.stack([x, np.cross(axis, x), axis], 1)
        J[:3, 3] = p + rng.uniform(0.1, 0.9) * (q - p) + 0.02 * rng.normal(size=3)
        size = rng.uniform(0.08, 0.25) if kind == "prismatic" else rng.uniform(35, 120) * DEG
        states = [by_hand, to_and_fro][rng.integers(2)](rng, t, size)
        o.joint(f"p{k}", f"p{k + 1}", kind, states - states[0], INV(X) @ J, INV(Y) @ J)
        X, p = Y, q
    return o


VARIANTS = ("whole", "first", "last", "second", "dropped")


def varied(rng, rec, which):
    n = len(rec.t)
    keep = np.ones(n, bool)
    if which == "first":
        keep[: int(n * rng.uniform(0.08, 0.25))] = False
    if which == "last":
        keep[int(n * rng.uniform(0.75, 0.92)):] = False
    if which == "second":
        keep[::2] = False
    rec.t = rec.t[keep]
    rec.parts = {name: X[keep] for name, X in rec.parts.items()}
    rec.shown = {name: s[keep] for name, s in rec.shown.items()}
    if which == "dropped":
        for name in rec.parts:
            rec.shown[name] = rec.shown.get(name, np.ones(len(rec.t), bool)) & (rng.uniform(size=len(rec.t)) > 0.05)
    return rec


def seen_arm(rng, joints, across, slow, slow_tilt, power, how=(), digits=None, signs=False, rate=30.0, carried=False):
    o = arm(rng, joints, across, carried, rate)
    camera = Camera(rng)
    rec = Recording(o.t)
    for name, X in o.X.items():
        rec.add(name, camera.see(X, slow / math.sqrt(6), slow_tilt, power))
    rec = varied(rng, spoil(rng, rec, how), VARIANTS[rng.integers(len(VARIANTS))])
    return Written(rec, rng, digits, signs), "discover", o.truth(), {}


def webcam_arm(rng):
    """Four hinges, 1/f errors that leave 3 to 8 mm."""
    return seen_arm(rng, 4, 0.35, rng.uniform(0.003, 0.008), rng.uniform(0.2, 0.8) * DEG, rng.uniform(0.7, 1.8))


def webcam_arm_across(rng):
    """Axes up to 60 deg from the sight."""
    return seen_arm(rng, int(rng.integers(2, 5)), 60 * DEG, rng.uniform(0.001, 0.006), rng.uniform(0.1, 0.6) * DEG, rng.uniform(0.7, 1.8))


def webcam_rates(rng):
    rate = float(rng.choice([10.0, 15.0, 25.0, 60.0]))
    return seen_arm(rng, int(rng.integers(2, 5)), 0.5, rng.uniform(0.001, 0.006), 0.4 * DEG, 1.2, rate=rate)


def webcam_rows(rng):
    """Repeated pictures, parts lost, late stamps, signs at random, four digits."""
    how = [w for w in ("repeat", "lost", "stamps") if rng.uniform() < 0.6]
    return seen_arm(rng, int(rng.integers(2, 5)), 0.5, rng.uniform(0.001, 0.005), 0.4 * DEG, 1.2, how, (int(rng.integers(3, 5)), int(rng.integers(3, 5))), True)


def webcam_carried(rng):
    return seen_arm(rng, int(rng.integers(2, 4)), 0.5, rng.uniform(0.001, 0.005), 0.4 * DEG, 1.2, carried=True)


def bent_marker(rng):
    """One marker's tilt and place follow its hinge: paper that bends, by up to 3 deg and 6 mm."""
    o = arm(rng, int(rng.integers(2, 5)), 0.4)
    camera = Camera(rng)
    rec = Recording(o.t)
    bent = int(rng.integers(1, len(o.X)))
    for k, (name, X) in enumerate(o.X.items()):
        if k == bent:
            s = X[:, :3, :3].reshape(len(X), 9) @ rng.normal(size=9)
            s = (s - s.mean()) / (np.abs(s - s.mean()).max() + 1e-300)
            X = X @ poses(np.outer(s, rng.uniform(0.5, 3) * DEG * unit(rng)), np.outer(s, rng.uniform(0.001, 0.006) * unit(rng)))
        rec.add(name, camera.see(X, 0.001, 0.2 * DEG, 1.0))
    return Written(varied(rng, rec, VARIANTS[rng.integers(len(VARIANTS))]), rng), "discover", o.truth(), {}


# Boards and doors ------------------------------------------------------------------------------------------------------

def board_door(rng):
    """A door with a board, frame known or not; 0.08 deg about one axis and 0.4 to 1.6 about another; rounded in half of the cases."""
    t = np.arange(int(rng.integers(60, 400))) / float(rng.choice([7.5, 15.0, 30.0]))
    pair = Pair(rng, t=t, base=still(rng, t), motion=[of.by_hand, of.once, of.to_and_fro][rng.integers(3)])
    worse = rng.uniform(0.4, 1.6) * DEG
    R = frame(rng)[:3, :3]

    def see(X):
        n = len(X)
        v = rng.normal(size=(n, 3)) * [0.08 * DEG, worse, 0.15 * DEG] @ R.T
        return X @ poses(v, rng.normal(size=(n, 3)) * [0.3e-3, 0.3e-3, rng.uniform(0.5e-3, 3e-3)] @ R.T)
    rec = Recording(t)
    alone = rng.uniform() < 0.5
    if not alone:
        rec.add("fixed", see(pair.base))
    rec.add("moving", see(pair.moving))
    truth = pair.truth() if not alone else {"type": {pair.type}, "axis": (pair.base[0] @ pair.X_FJ)[:3, 2]}
    return Written(rec, rng, (3, 3) if rng.uniform() < 0.5 else None), "joint", truth, {}


# Few poses, written by hand or by a teach pendant --------------------------------------------------------------------------

def few(rng, kind, poses_at, digits, noise):
    """Poses at rest, from end to end of the motion, in one file."""
    q = np.sort(rng.uniform(0, 1, poses_at))
    q = (q - q[0]) / (q[-1] - q[0])
    size = rng.uniform(30, 110) * DEG if kind == "revolute" else rng.uniform(0.1, 0.4)
    t = np.arange(poses_at, dtype=float)
    carried = rng.uniform() < 0.3
    base = frame(rng, 1.0) @ poses(0.6 * rng.normal(size=(poses_at, 3)), 0.2 * rng.normal(size=(poses_at, 3))) if carried else still(rng, t)
    pair = Pair(rng, kind, lambda *_: size * q, t, base=base)
    rec = pair.seen(lambda X: white(rng, X, *noise))
    return Written(rec, rng, digits, rng.uniform() < 0.3), "joint", pair.truth(), {}


def few_rounded(rng):
    """6 to 25 poses of a hinge or slide, millimetres and three digits."""
    noise = [(0.0, 0.0), (0.0003, 0.0005), (0.001, 0.002)][rng.integers(3)]
    return few(rng, str(rng.choice(["revolute", "prismatic"])), int(rng.integers(6, 26)), (3, 3), noise)


def few_four_digits(rng):
    noise = [(0.0, 0.0), (0.0002, 0.0003)][rng.integers(2)]
    return few(rng, str(rng.choice(["revolute", "prismatic"])), int(rng.integers(6, 26)), (4, 4), noise)


def few_no_joint(rng):
    """6 to 25 places of a thing that is carried about by hand: free or undetermined."""
    n = int(rng.integers(6, 26))
    rec = Recording(np.arange(n, dtype=float))
    rec.add("table", white(rng, still(rng, rec.t), 0.0005, 0.001))
    rec.add("cup", white(rng, frame(rng, 0.5) @ poses(rng.uniform(0.1, 1) * rng.normal(size=(n, 3)), rng.uniform(0.03, 0.3) * rng.normal(size=(n, 3))), 0.0005, 0.001))
    return Written(rec, rng, (3, 3)), "joint", {"type": {"free"}}, {}


def rounded_types(rng, n=None, digits=(3, 3)):
    """Screws, cylindrical, universal, spherical and planar joints, 40 to 200 poses, millimetres and three digits."""
    n = n or int(rng.integers(40, 200))
    t = np.arange(n) / 30.0
    kind = str(rng.choice(["screw", "cylindrical", "universal", "spherical", "planar"]))
    a, b, c = (to_and_fro(rng, t, rng.uniform(50, 110) * DEG) for _ in range(3))
    slide = to_and_fro(rng, t, rng.uniform(0.1, 0.3))
    E = {"screw": lambda: of.about_z(a) @ of.along_z(rng.uniform(0.03, 0.1) * a),
         "cylindrical": lambda: of.about_z(a) @ of.along_z(slide),
         "universal": lambda: of.about_z(a) @ of.turned([math.pi / 2, 0, 0]) @ of.about_z(b),
         "spherical": lambda: of.about_z(a) @ of.turned([math.pi / 2, 0, 0]) @ of.about_z(b) @ of.turned([0, math.pi / 2, 0]) @ of.about_z(c),
         "planar": lambda: poses(np.zeros((n, 3)), np.stack([slide, to_and_fro(rng, t, 0.2), 0 * t], 1)) @ of.about_z(a)}[kind]()
    base = still(rng, t) if rng.uniform() < 0.5 else wandering(rng, t)
    rec = Recording(t)
    noise = [(0.0, 0.0), (0.0005, 0.001)][rng.integers(2)]
    rec.add("fixed", white(rng, base, *noise))
    rec.add("moving", white(rng, base @ frame(rng, 0.3) @ E @ frame(rng, 0.2), *noise))
    return Written(rec, rng, digits), "joint", {"type": {kind}}, {}


def short_types(rng):
    """The same in 20 to 60 frames: none is accused of mirrored axes."""
    return rounded_types(rng, int(rng.integers(20, 60)), None)


def rounded_cupboard(rng):
    """Body, two to four doors and drawers; millimetres and three digits, no other noise or little."""
    t = np.arange(int(rng.integers(60, 300))) / 15.0
    o = Object(rng, t, still(rng, t), "body")
    for k in range(int(rng.integers(2, 5))):
        kind = str(rng.choice(["revolute", "prismatic"]))
        o.joint("body", f"d{k}", kind, [of.once, by_hand][rng.integers(2)](rng, t, angle(rng) if kind == "revolute" else rng.uniform(0.1, 0.4)))
    noise = [(0.0, 0.0), (0.0003, 0.0005), (0.001, 0.002)][rng.integers(3)]
    return Written(o.seen(lambda X: white(rng, X, *noise)), rng, (3, int(rng.integers(3, 5))), rng.uniform() < 0.3), "discover", o.truth(), {}


def rounded_chain(rng):
    """Two to four hinges and slides in a row, carried or not; millimetres and three digits; 20 to 200 frames."""
    t = np.arange(int(rng.integers(20, 200))) / 10.0
    o = Object(rng, t, still(rng, t) if rng.uniform() < 0.5 else wandering(rng, t))
    for k in range(int(rng.integers(2, 5))):
        kind = str(rng.choice(["revolute", "prismatic"]))
        o.joint(f"p{k}", f"p{k + 1}", kind, [to_and_fro, by_hand][rng.integers(2)](rng, t, angle(rng) if kind == "revolute" else rng.uniform(0.1, 0.4)))
    noise = [(0.0, 0.0), (0.0003, 0.0005), (0.001, 0.002)][rng.integers(3)]
    return Written(o.seen(lambda X: white(rng, X, *noise)), rng, (3, 3), rng.uniform() < 0.3), "discover", o.truth(), {}


KINDS = {f.__name__: f for f in (webcam_arm, webcam_arm_across, webcam_rates, webcam_rows, webcam_carried, bent_marker, board_door, few_rounded, few_four_digits,
                                 few_no_joint, rounded_types, rounded_cupboard, rounded_chain, short_types)}


if __name__ == "__main__":
    given = dict(a.split("=") for a in sys.argv[1:])
    of.KINDS = KINDS
    wrong = of.sweep(int(given.get("count", 2)), int(given.get("seed", 1)), [k for k in given.get("kinds", "").split(",") if k], given.get("show") == "1")
    sys.exit(1 if wrong else 0)
