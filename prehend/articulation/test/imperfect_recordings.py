"""Joints and trackers that are not as the estimator assumes: play, bending, slipped markers, wrong scales, errors that wander.

  imperfect_recordings.py [count=2] [seed=1] [kinds=play,scaled,...] [show=1] [keep=FOLDER]

Beside everyday_recordings.py and tracker_recordings.py, whose verdicts it shares: a machine is simulated at a thousand frames a second, what it or its tracker
does wrong is applied to that, and frames are taken from it as recorders take them (10 to 50 a second; whole, an end cut, every second frame, 5 % dropped, or a
quarter of it). Every kind of deviation meets eight kinds of joint, hinges and slides most often. Right is the joint's own type, or no joint where a marker
slipped; `fine_*` are joints whose further freedom or pitch is small but real, so that what is small is not simply taken for an error."""

import math
import sys

import numpy as np

import everyday_recordings as of
from everyday_recordings import DEG, INV, Recording, about_z, along_z, frame, poses, still, turned, turns, unit, wandering

DENSE = 0.001  # [s] between frames of the simulation


# Joints ------------------------------------------------------------------------------------------------------------------

def moves(rng, t, size):
    return [of.by_hand, of.to_and_fro, of.once][rng.choice(3, p=[0.4, 0.4, 0.2])](rng, t, size)


def both(rng, t, size):
    """Where several freedoms move: each of them, again and again."""
    return [of.by_hand, of.to_and_fro][rng.integers(2)](rng, t, size)


def angles(rng, low=30, high=110):
    return rng.uniform(low, high) * DEG


X_TO_Z = turned([0, math.pi / 2, 0])  # its z axis along x
Y_TO_Z = turned([-math.pi / 2, 0, 0])


def joint_motion(rng, kind, t, small=None):
    """Poses of the moving in the fixed joint frame, and the way of the first freedom; `small` replaces the size of the last freedom (or the advance)."""
    if kind == "rigid":
        return np.tile(np.eye(4), (len(t), 1, 1)), np.zeros(len(t))
    if kind == "revolute":
        q = moves(rng, t, angles(rng))
        return about_z(q), q
    if kind == "prismatic":
        q = moves(rng, t, rng.uniform(0.1, 0.4))
        return along_z(q), q
    if kind == "screw":
        q = both(rng, t, rng.uniform(0.3, 1.5) * 2 * math.pi)
        advance = rng.uniform(0.03, 0.2) if small is None else small
        return about_z(q) @ along_z(advance / np.ptp(q) * q), q
    a = both(rng, t, angles(rng, 50))
    if kind == "cylindrical":
        return about_z(a) @ along_z(both(rng, t, rng.uniform(0.1, 0.3) if small is None else small)), a
    if kind == "universal":
        return about_z(a) @ Y_TO_Z @ about_z(both(rng, t, angles(rng, 50) if small is None else small)), a
    if kind == "spherical":
        return about_z(a) @ Y_TO_Z @ about_z(both(rng, t, angles(rng, 50))) @ X_TO_Z @ about_z(both(rng, t, angles(rng, 40) if small is None else small)), a
    slides = np.stack([both(rng, t, rng.uniform(0.1, 0.3)), both(rng, t, rng.uniform(0.1, 0.3) if small is None else small), 0 * t], 1)
    return poses(np.zeros((len(t), 3)), slides) @ about_z(a), a  # planar


RICH = ("screw", "cylindrical", "universal", "spherical", "planar")


def a_kind(rng):
    return str(rng.choice(["revolute", "prismatic"])) if rng.uniform() < 0.6 else str(rng.choice(RICH))


class Machine:
    """Two parts and their joint; `give` is a motion between the joint's frames that should not be, `askew` one of the marker on the moving part."""

    def __init__(self, rng, kind=None, seconds=None, small=None, carried=None):
        self.rng, self.kind = rng, kind or a_kind(rng)
        self.t = np.arange(0, seconds or rng.uniform(4, 10), DENSE)
        n = len(self.t)
        carried = (rng.uniform() < 0.4 or self.kind == "rigid") if carried is None else carried
        self.base = wandering(rng, self.t) if carried else still(rng, self.t)
        self.A, self.B = frame(rng, rng.uniform(0.1, 0.5)), frame(rng, rng.uniform(0.1, 0.4))
        self.E, self.q = joint_motion(rng, self.kind, self.t, small)
        self.give = np.tile(np.eye(4), (n, 1, 1))
        self.askew = self.give
        self.position, self.angle = rng.uniform(0.2, 1.5) * 1e-3, rng.uniform(0.5, 6) * 1e-3  # [m, rad] of noise
        self.rate = int(rng.choice([10, 20, 25, 50], p=[0.1, 0.3, 0.4, 0.2]))
        if self.kind == "screw":  # less than half a turn from frame to frame
            self.rate = max(self.rate, 25)

    def parts(self):
        return {"fixed": self.base, "moving": self.base @ self.A @ self.E @ self.give @ INV(self.B) @ self.askew}

    def frames(self):
        """Frames that are recorded, by their numbers, and which of them each part shows."""
        rng, step = self.rng, int(round(1 / DENSE / self.rate))
        at = np.arange(0, len(self.t), step)
        way = rng.choice(["whole", "first", "last", "second", "dropped", "short"], p=[0.4, 0.12, 0.12, 0.12, 0.12, 0.12])
        if way == "first":
            at = at[int(len(at) * rng.uniform(0.08, 0.25)):]
        if way == "last":
            at = at[: int(len(at) * rng.uniform(0.75, 0.92))]
        if way == "second":
            at = at[::2]
        if way == "short":  # from where it moves
            first = int(np.argmax(np.abs(np.gradient(self.q[at])) > 0.02 * np.ptp(self.q[at]))) if np.ptp(self.q) > 0 else 0
            at = at[min(first, len(at) // 2):][: max(40, len(at) // 3)]
        if any(np.ptp(q[at]) < 0.3 * np.ptp(q) for q in [self.q, *getattr(self, "others", [])]):  # all of a joint's motion is cut off
            at = np.arange(0, len(self.t), step)
        shown = {name: rng.uniform(size=len(at)) > 0.05 for name in ("fixed", "moving")} if way == "dropped" else {}
        return at, shown

    def seen(self, see=None, delays=None):
        """`see(X, at)`: what a tracker makes of a part's poses at these frames. `delays` [frames of the simulation]: by which a part is seen late."""
        at, shown = self.frames()
        late = max((int(np.max(d)) for d in (delays or {}).values()), default=0)
        at = at[at >= late]
        shown = {name: s[-len(at):] for name, s in shown.items()}
        rec = Recording(self.t[at])
        for name, X in self.parts().items():
            d = (delays or {}).get(name, 0)
            d = d[at] if np.ndim(d) else d
            X = X[at - d]
            rec.add(name, see(X, at) if see else self.white(X), shown.get(name))
        return rec

    def white(self, X, times=1.0):
        return of.white(self.rng, X, times * self.position, times * self.angle)

    def truth(self):
        return {"type": {self.kind}, "named": ("fixed", "moving")}


def fine_tracker(m):
    """0.3 mm and 1 mrad in half of the cases: there deviations stand out from noise."""
    if m.rng.uniform() < 0.5:
        m.position, m.angle = 0.3e-3, 1e-3
    return m


# Deviations of joints ----------------------------------------------------------------------------------------------------

def smooth(rng, t, slowest=0.15, fastest=1.5, count=6):
    """(n, 6) of unit deviation: sums of sines, as hands push and pull."""
    w = 2 * math.pi * np.exp(rng.uniform(math.log(slowest), math.log(fastest), (6, count)))
    out = sum(rng.normal(size=6) * np.sin(np.outer(t, w[:, k]) + rng.uniform(0, 6, 6)) for k in range(count))
    return out / out.std(0)


def backlash(drive, gap):
    """What follows a drive within a gap: it stays until it is pushed."""
    out = np.empty_like(drive)
    at = np.zeros(drive.shape[1])
    for i, x in enumerate(drive):
        at = np.clip(at, x - gap / 2, x + gap / 2)
        out[i] = x - at
    return out / (gap / 2)  # within -1 and 1


def play(rng):
    """A worn hinge or slide: 0.3 to 1.5 deg and 0.3 to 2 mm about and along all axes, or about one alone; pushed by hand or by the way it moves."""
    m = fine_tracker(Machine(rng))
    hand = smooth(rng, m.t, 0.1, 1.0)
    if rng.uniform() < 0.5:  # to the side that it is moved to
        way = np.gradient(m.q) / (np.abs(np.gradient(m.q)).max() + 1e-300)
        hand = np.outer(np.cumsum(way) / 40, rng.choice([-1, 1], 6)) + 0.3 * hand
    loose = backlash(hand, 1.0)
    size = np.concatenate([rng.uniform(0.3, 1.5) * DEG * np.ones(3), rng.uniform(0.3, 2) * 1e-3 * np.ones(3)]) / 2
    if rng.uniform() < 0.4:
        size = size * (np.arange(6) == rng.integers(6))
    if m.kind in ("revolute", "prismatic"):  # along its own way it is motion
        size[2 if m.kind == "revolute" else 5] = 0
    m.give = poses(loose[:, :3] * size[:3], loose[:, 3:] * size[3:])
    return m.seen(), "joint", m.truth(), {}


def bending(rng):
    """Links and doors that sag with the way they are opened: up to 2 deg and 5 mm, a smooth function of the joint's state."""
    m = fine_tracker(Machine(rng))
    s = (m.q - m.q.min()) / max(np.ptp(m.q), 1e-9)
    s = s / max(1.0, np.ptp(m.q) / 2) if m.kind == "screw" else s
    f = np.stack([s, np.sin(math.pi * s), np.cos(2 * math.pi * s)], 1) - 0.5
    size = rng.uniform(0.3, 2) * DEG, rng.uniform(0.5, 5) * 1e-3
    m.give = poses(size[0] / 2 * f @ rng.normal(size=(3, 3)) / 1.5, size[1] / 2 * f @ rng.normal(size=(3, 3)) / 1.5)
    return m.seen(), "joint", m.truth(), {}


def flexing(rng):
    """What bends by what a hand does to it: 0.2 to 1.2 deg and 0.3 to 3 mm (rms), slow, in all directions."""
    m = fine_tracker(Machine(rng))
    push = smooth(rng, m.t)
    m.give = poses(rng.uniform(0.2, 1.2) * DEG / math.sqrt(3) * push[:, :3], rng.uniform(0.3, 3) * 1e-3 / math.sqrt(3) * push[:, 3:])
    return m.seen(), "joint", m.truth(), {}


def slipped(rng):
    """The marker on the moving part slips by 3 to 10 deg and 10 to 30 mm, once. No joint's motion, or the joint itself."""
    m = Machine(rng)
    moved = INV(turned(rng.uniform(3, 10) * DEG * unit(rng), rng.uniform(10, 30) * 1e-3 * unit(rng)))
    m.askew = np.where((m.t > rng.uniform(0.3, 0.7) * m.t[-1])[:, None, None], moved, np.eye(4))
    return m.seen(), "joint", {"type": {m.kind, "free"}, "named": ("fixed", "moving")}, {}


def worn_axis(rng):
    """A hinge whose axis wanders on an ellipse of up to 4 mm as it turns, a slide whose rail is curved by up to 4 mm and 1.5 deg. Planar is as good."""
    m = fine_tracker(Machine(rng, str(rng.choice(["revolute", "prismatic"]))))
    s = 2 * (m.q - m.q.mean()) / max(np.ptp(m.q), 1e-9)
    size = rng.uniform(0.5, 4) * 1e-3
    p = size * np.stack([np.cos(m.q + 1), rng.uniform(0.3, 1) * np.sin(2 * m.q), 0 * s], 1) if m.kind == "revolute" else np.outer(
        size * (s * s - 0.3), [1, 0, 0])
    v = np.zeros_like(p) if m.kind == "revolute" else np.outer(rng.uniform(0, 0.75) * DEG * s, unit(rng) * [1, 1, 0])
    m.give = poses(v, p)
    return m.seen(), "joint", {"type": {m.kind, "revolute", "planar"}, "named": ("fixed", "moving")}, {}


# Deviations of trackers --------------------------------------------------------------------------------------------------

def scaled(rng):
    """Lengths 1 to 4 % off along one direction of the world: a camera's calibration."""
    m = fine_tracker(Machine(rng))
    u = unit(rng)
    S = np.eye(3) + rng.uniform(0.01, 0.04) * rng.choice([-1, 1]) * np.outer(u, u)

    def see(X, at):
        Y = m.white(X)
        Y[:, :3, 3] = Y[:, :3, 3] @ S.T
        return Y
    return m.seen(see), "joint", m.truth(), {}


def walk(rng, n, memory):
    """(n, 6) of unit size: an Ornstein-Uhlenbeck walk with that memory in frames; infinite: a random walk, of unit size at its end."""
    e = rng.normal(size=(n, 6))
    if math.isinf(memory):
        return np.cumsum(e, 0) / math.sqrt(n)
    k = math.exp(-1 / memory)
    for i in range(1, n):
        e[i] = k * e[i - 1] + math.sqrt(1 - k * k) * e[i]
    return e


def wandering_errors(rng):
    """Of both parts, 0.5 to 4 mm and 0.1 to 0.6 deg, remembered for 3 to 300 frames or for ever, beside white noise."""
    m = fine_tracker(Machine(rng, a_kind(rng) if rng.uniform() < 0.8 else "rigid"))
    memory = float(rng.choice([3, 10, 30, 100, 300, math.inf]))
    position, angle = rng.uniform(0.5, 4) * 1e-3, rng.uniform(0.1, 0.6) * DEG

    def see(X, at):
        e = walk(rng, len(at), memory)
        return m.white(X @ poses(angle * e[:, :3], position * e[:, 3:]))
    return m.seen(see), "joint", m.truth(), {}


def long_wandering(rng):
    """Two to three thousand frames of a slow machine, errors that wander by 1 to 3 mm and 2 to 6 mrad."""
    m = Machine(rng, None, rng.uniform(40, 60), carried=rng.uniform() < 0.2)
    m.rate = 50
    memory = float(rng.choice([100, 1000, math.inf]))
    size = rng.uniform(2, 6) * 1e-3, rng.uniform(1, 3) * 1e-3

    def see(X, at):
        e = walk(rng, len(at), memory)
        return m.white(X @ poses(size[0] * e[:, :3], size[1] * e[:, 3:]), 0.5)
    return m.seen(see), "joint", m.truth(), {}


def not_flat(rng):
    """Markers seen by a camera at the world's origin, on paper that is not flat: pose errors of 1 to 3 deg and 1 to 4 mm that go with the direction of sight."""
    m = Machine(rng, carried=rng.uniform() < 0.2)
    away = np.array([0, 0, rng.uniform(0.8, 1.5)])
    m.base[:, :3, 3] += away - m.base[:, :3, 3].mean(0)
    size = rng.uniform(1, 3) * DEG, rng.uniform(1, 4) * 1e-3

    def see(X, at):
        sight = np.einsum("nji,nj->ni", X[:, :3, :3], X[:, :3, 3] / np.linalg.norm(X[:, :3, 3], axis=1)[:, None])
        bent = sight @ rng.normal(size=(3, 6)) + (sight * np.roll(sight, 1, 1)) @ rng.normal(size=(3, 6))
        bent = (bent - bent.mean(0)) / 2.5
        return of.from_camera(rng, X @ poses(size[0] * bent[:, :3], size[1] * bent[:, 3:]), np.zeros(3), side=rng.uniform(1, 6) * 1e-4,
                              depth=rng.uniform(1, 3) * 1e-3, tilt=rng.uniform(0.2, 0.6) * DEG, about=0.1 * DEG)
    return m.seen(see), "joint", m.truth(), {}


def late(rng):
    """One stream 5 to 80 ms late, slowly changing by up to a fifth of that in half of the cases."""
    m = fine_tracker(Machine(rng, carried=rng.uniform() < 0.7))
    lag = rng.uniform(5, 80) * (1 + rng.choice([0, 0.2]) * np.sin(2 * math.pi * m.t / m.t[-1]))
    return m.seen(delays={str(rng.choice(["fixed", "moving"])): lag.astype(int)}), "joint", m.truth(), {}


def shutter(rng):
    """Rows of a picture are read one after the other, 20 to 33 ms in all: a part is seen the later the lower it is."""
    m = Machine(rng, carried=rng.uniform() < 0.6)
    down, whole = unit(rng), rng.uniform(20, 33)
    delays = {}
    for name, X in m.parts().items():
        height = X[:, :3, 3] @ down
        delays[name] = height
    low, high = min(h.min() for h in delays.values()), max(h.max() for h in delays.values())
    return m.seen(delays={name: (whole * (h - low) / (high - low + 1e-9)).astype(int) for name, h in delays.items()}), "joint", m.truth(), {}


def heavy_tails(rng):
    """Student's noise of 2 to 4 degrees of freedom."""
    m = Machine(rng)

    def see(X, at):
        tails = np.sqrt(1 / rng.gamma(rng.uniform(1, 2), 1, len(at)))[:, None]
        return X @ poses(m.angle * tails * rng.normal(size=(len(at), 3)), m.position * tails * rng.normal(size=(len(at), 3)))
    return m.seen(see), "joint", m.truth(), {}


def far_is_worse(rng):
    """Noise that grows with the square of the distance from a camera close by: by three to ten times within the recording."""
    m = Machine(rng)
    moving = m.parts()["moving"][:, :3, 3]
    camera = moving[0] + max(np.ptp(moving, axis=0).max(), 0.1) * rng.uniform(0.4, 1.0) * unit(rng)

    def see(X, at):
        d2 = ((X[:, :3, 3] - camera)**2).sum(1)[:, None]
        k = np.clip(d2 / d2.min(), 1, 10)
        return X @ poses(m.angle * k * rng.normal(size=(len(at), 3)), m.position * k * rng.normal(size=(len(at), 3)))
    return m.seen(see), "joint", m.truth(), {}


def unequal(rng):
    """Parts of noise 0.1 to 8 times each other's, position and orientation apart."""
    m = Machine(rng, a_kind(rng) if rng.uniform() < 0.85 else "rigid")
    ratio = iter(np.exp(rng.uniform(math.log(0.1), math.log(8), (2, 2))) * [[1, 1], [0, 0]] + [[0, 0], [1, 1]])

    def see(X, at):
        k = next(ratio)
        return of.white(rng, X, min(k[0] * m.position, 4e-3), min(k[1] * m.angle, 0.02))
    return m.seen(see), "joint", m.truth(), {}


def points(rng):
    """Doors and drawers tracked without orientation: slow errors, slips of the hand, ends cut."""
    m = Machine(rng, str(rng.choice(["revolute", "prismatic"])), carried=False)
    m.rate, size = int(rng.choice([10, 20])), rng.uniform(0.5, 3) * 1e-3
    X = m.parts()["moving"]
    if m.kind == "revolute" and np.ptp(m.q) < 40 * DEG:
        return points(rng)
    at, _ = m.frames()
    e = walk(rng, len(at), float(rng.choice([3, 10, 30])))[:, :3]
    p = X[at, :3, 3] + size * e + m.position * rng.normal(size=(len(at), 3))
    return Points(m.t[at], p), "joint", {"type": {m.kind}}, {}


class Points(Recording):
    def __init__(self, t, p):
        super().__init__(t)
        self.p = p

    def text(self):
        return "t,part,x,y,z\n" + "".join(f"{t:.6g},handle,{x:.9g},{y:.9g},{z:.9g}\n" for t, (x, y, z) in zip(self.t, self.p))


# Joints whose further freedom is small, but real -------------------------------------------------------------------------

def fine_screw(rng):
    """Advances by 3 to 15 mm over all of its turns, tracked to 0.3 mm: a lid, a vice."""
    m = Machine(rng, "screw", small=rng.uniform(3, 15) * 1e-3)
    m.position, m.angle = rng.uniform(0.1, 0.3) * 1e-3, rng.uniform(0.5, 1) * 1e-3
    return m.seen(), "joint", m.truth(), {}


def fine_freedom(rng):
    """Moved by 10 to 20 deg, or 20 to 40 mm, in its last freedom."""
    kind = str(rng.choice(RICH[1:]))
    m = Machine(rng, kind, small=rng.uniform(10, 20) * DEG if kind in ("universal", "spherical") else rng.uniform(20, 40) * 1e-3)
    m.position, m.angle = rng.uniform(0.1, 0.5) * 1e-3, rng.uniform(0.5, 2) * 1e-3
    return m.seen(), "joint", m.truth(), {}


def fine_wandering(rng):
    """The same before a tracker whose errors wander by 0.5 to 1.5 mm and 0.1 to 0.3 deg: right, or undetermined."""
    kind = str(rng.choice(RICH[1:]))
    m = Machine(rng, kind, small=rng.uniform(15, 30) * DEG if kind in ("universal", "spherical") else rng.uniform(30, 60) * 1e-3)
    size, memory = (rng.uniform(0.1, 0.3) * DEG, rng.uniform(0.5, 1.5) * 1e-3), float(rng.choice([10, 30, 100]))

    def see(X, at):
        e = walk(rng, len(at), memory)
        return m.white(X @ poses(size[0] * e[:, :3], size[1] * e[:, 3:]), 0.5)
    return m.seen(see), "joint", m.truth(), {}


def plain_types(rng):
    """Nothing wrong but white noise: all types."""
    m = Machine(rng, str(rng.choice(["rigid", "revolute", "prismatic", *RICH])))
    return m.seen(), "joint", m.truth(), {}


# Objects of several parts ------------------------------------------------------------------------------------------------

class Works:
    """A tree of hinges and slides; what is wrong with joints and trackers is applied as above."""

    def __init__(self, rng, parents, kinds, reach=0.2, carried=False, seconds=None):
        self.rng, self.t = rng, np.arange(0, seconds or rng.uniform(8, 16), DENSE)
        self.X = {"p0": wandering(rng, self.t) if carried else still(rng, self.t)}
        self.q, self.others = self.t, []  # ways of the joints
        self.joints, self.rate = [], int(rng.choice([20, 25, 50], p=[0.3, 0.5, 0.2]))
        for k, (parent, kind) in enumerate(zip(parents, kinds)):
            E, q = joint_motion(rng, kind, self.t)
            self.others.append(q)
            A, B = frame(rng, rng.uniform(0.5, 1) * reach), frame(rng, rng.uniform(0.5, 1) * reach)
            self.X[f"p{k + 1}"] = self.X[f"p{parent}"] @ A @ E @ self.give(q, kind) @ INV(B)
            self.joints.append((f"p{parent}", f"p{k + 1}", kind))
        self.position, self.angle = rng.uniform(0.2, 1) * 1e-3, rng.uniform(1, 4) * 1e-3

    def give(self, q, kind):
        return np.eye(4)

    def seen(self, see=None):
        at, shown = Machine.frames(self)
        rec = Recording(self.t[at])
        for name, X in self.X.items():
            rec.add(name, see(X[at], at) if see else of.white(self.rng, X[at], self.position, self.angle),
                    self.rng.uniform(size=len(at)) > 0.05 if shown else None)
        return rec

    def truth(self):
        return {"joints": self.joints, "groups": []}


class Worn(Works):
    def give(self, q, kind):
        rng = self.rng
        loose = backlash(smooth(rng, self.t, 0.1, 1.0), 1.0)
        v, p = loose[:, :3] * rng.uniform(0.2, 1) * DEG / 2, loose[:, 3:] * rng.uniform(0.3, 2) * 1e-3 / 2
        return poses(v * ([1, 1, 0] if kind == "revolute" else 1), p * ([1, 1, 0] if kind == "prismatic" else 1))


def simple_kinds(rng, count):
    return [str(k) for k in rng.choice(["revolute", "revolute", "prismatic"], count)]


def a_tree(rng, make=Works):
    """A chain, or a body with its doors and drawers."""
    count = int(rng.integers(2, 5))
    chain = rng.uniform() < 0.5
    return make(rng, range(count) if chain else [0] * count, simple_kinds(rng, count), 0.15 if chain else 0.4, chain and rng.uniform() < 0.4)


def tree_play(rng):
    o = a_tree(rng, Worn)
    return o.seen(), "discover", o.truth(), {}


def tree_scaled(rng):
    o = a_tree(rng)
    u = unit(rng)
    S = np.eye(3) + rng.uniform(0.01, 0.03) * np.outer(u, u)

    def see(X, at):
        Y = of.white(rng, X, o.position, o.angle)
        Y[:, :3, 3] = Y[:, :3, 3] @ S.T
        return Y
    return o.seen(see), "discover", o.truth(), {}


def tree_wandering(rng):
    o = a_tree(rng)
    memory = float(rng.choice([3, 10, 30, 100, 300]))
    size = rng.uniform(0.1, 0.5) * DEG, rng.uniform(0.5, 3) * 1e-3

    def see(X, at):
        e = walk(rng, len(at), memory)
        return of.white(rng, X @ poses(size[0] * e[:, :3], size[1] * e[:, 3:]), o.position, o.angle)
    return o.seen(see), "discover", o.truth(), {}


def tree_unequal(rng):
    """Each part's noise its own by up to three times either way."""
    o = a_tree(rng)

    def see(X, at):
        return of.white(rng, X, o.position * math.exp(rng.uniform(-1.1, 1.1)), o.angle * math.exp(rng.uniform(-1.1, 1.1)))
    return o.seen(see), "discover", o.truth(), {}


def mirrored_back(rng, X, share):
    """Runs of poses whose normal is mirrored at the line of sight of a camera at the origin."""
    out, left = X.copy(), 0
    for i in range(len(X)):
        if left == 0 and rng.uniform() < share / 3:
            left = int(rng.integers(1, 6))
        if left > 0:
            left -= 1
            sight = X[i, :3, 3] / np.linalg.norm(X[i, :3, 3])
            z = X[i, :3, 2] * np.sign(X[i, :3, 2] @ sight)
            across = np.cross(z, sight)
            size = np.linalg.norm(across)
            out[i, :3, :3] = turns(2 * math.asin(min(1, size)) * across / max(size, 1e-9))[0] @ X[i, :3, :3]
    return out


def marker_arm(rng):
    """Four hinges about axes near the line of sight, markers seen 7 to 23 deg askew at 30 cm to a metre: noise by direction, slow errors of 3 to 8 mm and 0.3 to
    1 deg remembered for 2 to 12 frames, mirrored poses."""
    t = np.arange(0, rng.uniform(9, 20), DENSE)
    p = np.array([rng.uniform(-0.2, 0), rng.uniform(-0.1, 0.1), rng.uniform(0.5, 1.0)])

    def facing(p):
        back = -p / np.linalg.norm(p)
        side = np.cross(back, unit(rng))
        z = turns(rng.uniform(7, 23) * DEG * side / np.linalg.norm(side))[0] @ back
        x = np.cross(z, unit(rng))
        x /= np.linalg.norm(x)
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = np.stack([x, np.cross(z, x), z], 1), p
        return X
    o = Works(rng, [], [], seconds=t[-1] + DENSE)
    o.rate = 25
    before = facing(p)
    o.X = {"p0": np.tile(before, (len(t), 1, 1))}
    for k in range(4):
        way = rng.uniform(-0.8, 0.8)
        q = p + rng.uniform(0.06, 0.16) * np.array([math.cos(way), math.sin(way), 0])
        here, J = facing(q), np.eye(4)
        J[:3, :3] = turns(rng.uniform(0, 0.3) * np.cross(unit(rng), [0, 0, 1]))[0]
        J[:3, 3] = p + rng.uniform(0.2, 0.8) * (q - p)
        s = both(rng, t, angles(rng, 40))
        o.X[f"p{k + 1}"] = o.X[f"p{k}"] @ INV(before) @ J @ about_z(s - s[0]) @ INV(J) @ here
        o.joints.append((f"p{k}", f"p{k + 1}", "revolute"))
        p, before = q, here
    side, depth, tilt = rng.uniform(1, 6) * 1e-4, rng.uniform(1, 3) * 1e-3, rng.uniform(0.2, 0.6) * DEG
    size, memory = (rng.uniform(0.3, 1) * DEG, rng.uniform(3, 8) * 1e-3 / math.sqrt(6)), rng.uniform(2, 12)

    def see(X, at):
        e = walk(rng, len(at), memory)
        return mirrored_back(rng, of.from_camera(rng, X @ poses(size[0] * e[:, :3], size[1] * e[:, 3:]), np.zeros(3), side, depth, tilt, 0.1 * DEG), 0.04)
    return o.seen(see), "discover", o.truth(), {}


KINDS = {f.__name__: f for f in (play, bending, flexing, slipped, worn_axis, scaled, wandering_errors, long_wandering, not_flat, late, shutter, heavy_tails,
                                 far_is_worse, unequal, points, fine_screw, fine_freedom, fine_wandering, plain_types, tree_play, tree_scaled, tree_wandering,
                                 tree_unequal, marker_arm)}


if __name__ == "__main__":
    given = dict(a.split("=") for a in sys.argv[1:])
    of.KINDS = KINDS
    wrong = of.sweep(int(given.get("count", 2)), int(given.get("seed", 1)), [k for k in given.get("kinds", "").split(",") if k], given.get("show") == "1")
    sys.exit(1 if wrong else 0)
