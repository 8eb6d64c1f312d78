"""Judges `prehend identify` on recordings as other people make them: counts of right, flagged and wrong answers for each kind of trouble.

  identification_judge.py [kinds=all|a,b] [logs=10] [seed=1] [details=0]

Motions, wrenches and sensors are formulas of this file: sums of sines in place and in three angles, Newton and Euler about the
centre of mass. An answer with `ok` is right where the mass is within 3 % and the centre within 5 mm, or within three stated deviations of
at most 10 % and 30 mm; components named as undetermined are not asked for. A log that is wrong in a way that only a refusal answers
(`must_refuse`) is wrong with `ok`."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

PREHEND = Path(os.environ.get("PREHEND_BIN", "build/release/bin")) / "prehend"
EARTH = np.array([0.0, 0.0, -9.81])


def turns(axis, angle):
    """Rotation matrices about a coordinate axis, one for each angle."""
    c, s = np.cos(angle), np.sin(angle)
    R = np.zeros((len(angle), 3, 3))
    j, k = (axis + 1) % 3, (axis + 2) % 3
    R[:, axis, axis] = 1
    R[:, j, j] = R[:, k, k] = c
    R[:, k, j], R[:, j, k] = s, -s
    return R


def random_turn(random):
    q, r = np.linalg.qr(random.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.linalg.det(q)


def quaternions(R):
    """w, x, y, z; by the largest of the four squares."""
    trace = np.trace(R, axis1=1, axis2=2)
    squares = np.stack([1 + trace, *[1 + 2 * R[:, i, i] - trace for i in range(3)]], axis=1)
    columns = np.stack([
        np.stack([squares[:, 0], R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], 1),
        np.stack([R[:, 2, 1] - R[:, 1, 2], squares[:, 1], R[:, 1, 0] + R[:, 0, 1], R[:, 0, 2] + R[:, 2, 0]], 1),
        np.stack([R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] + R[:, 0, 1], squares[:, 2], R[:, 2, 1] + R[:, 1, 2]], 1),
        np.stack([R[:, 1, 0] - R[:, 0, 1], R[:, 0, 2] + R[:, 2, 0], R[:, 2, 1] + R[:, 1, 2], squares[:, 3]], 1)], 1)
    q = columns[np.arange(len(R)), np.argmax(squares, axis=1)]
    return q / np.linalg.norm(q, axis=1)[:, None]


class Body:
    """Two boxes of different densities glued together, known by mass, centre and inertia about the centre in the sensor's frame."""

    def __init__(self, random, mass=None, density=None, arm=0.12):
        self.mass = mass if mass is not None else float(np.exp(random.uniform(np.log(0.15), np.log(3.0))))
        volume = self.mass / (density or random.uniform(600, 3000))
        ratios = np.exp(random.uniform(-0.8, 0.8, 3))
        sides = ratios * (volume / np.prod(ratios)) ** (1 / 3)
        share = random.uniform(0.25, 0.75)
        halves = [(share, -sides[0] / 4), (1 - share, sides[0] / 4)]
        box = np.array([sides[0] / 2, sides[1], sides[2]])
        com = np.array([sum(s * x for s, x in halves), 0, 0])
        inertia = np.zeros((3, 3))
        for s, x in halves:
            d = np.array([x, 0, 0]) - com
            inertia += s * self.mass * (np.diag(box @ box - box**2) / 12 + d @ d * np.eye(3) - np.outer(d, d))
        R = random_turn(random)
        self.com = R @ com + random.normal(size=3) * arm / 2
        self.I = R @ inertia @ R.T

    def moved(self, shift, R=np.eye(3)):
        other = object.__new__(Body)
        other.mass, other.com, other.I = self.mass, R @ self.com + shift, R @ self.I @ R.T
        return other


class Motion:
    """Place and three angles as sums of two sines each; with `pauses` every second second is at rest."""

    def __init__(self, random, speed=0.5, turning=1.5, angles=(0, 1, 2), move=True, pauses=False):
        self.R0 = random_turn(random)
        low, high = (0.25, 1.0)

        def sines(size, share):
            f = random.uniform(low, high, 2) * max(0.12, min(1.0, share))
            return [(size / (2 * np.pi * w * np.sqrt(2)) * 1.4, 2 * np.pi * w, random.uniform(0, 6.3)) for w in f]

        self.place = [sines(speed / np.sqrt(3), speed / 0.5) if move else [] for _ in range(3)]
        self.angle = [sines(turning / np.sqrt(len(angles)), turning / 1.5) if k in angles else [] for k in range(3)]
        # Moving from place to place: time runs, then rests, smoothly.
        self.pauses = pauses

    def clock(self, t):
        if not self.pauses:
            return t
        period, moving = 2.0, 0.5
        whole, part = np.floor(t / period), np.clip((t / period) % 1.0 / moving, 0, 1)
        smooth = part**3 * (10 - 15 * part + 6 * part**2)
        return (whole + smooth) * period * moving

    def pose(self, t):
        t = self.clock(t)
        wave = lambda parts: sum((a * np.sin(w * t + f) for a, w, f in parts), np.zeros_like(t))
        p = np.stack([wave(parts) for parts in self.place], 1) + [0.5, 0.1, 0.6]
        z, y, x = (wave(parts) for parts in self.angle)
        return turns(2, z) @ turns(1, y) @ turns(0, x) @ self.R0, p

    def derivatives(self, t, h=1e-3):
        frames = [self.pose(t + k * h) for k in (-2, -1, 0, 1, 2)]
        first, second = np.array([1, -8, 0, 8, -1]) / (12 * h), np.array([-1, 16, -30, 16, -1]) / (12 * h * h)
        R, p = frames[2]
        v, a = (sum(c * f[1] for c, f in zip(weights, frames)) for weights in (first, second))
        dR, ddR = (sum(c * f[0] for c, f in zip(weights, frames)) for weights in (first, second))
        axial = lambda W: np.stack([W[:, 2, 1] - W[:, 1, 2], W[:, 0, 2] - W[:, 2, 0], W[:, 1, 0] - W[:, 0, 1]], 1) / 2
        Rt = R.transpose(0, 2, 1)
        return R, p, v, axial(dR @ Rt), a, axial(ddR @ Rt)

    def wrench(self, t, body, gravity=EARTH):
        """Sensor on object, in the sensor's axes, about its origin."""
        R, p, v, w, a, al = self.derivatives(t)
        c = R @ body.com
        f = body.mass * (a + np.cross(al, c) + np.cross(w, np.cross(w, c)) - gravity)
        I = R @ body.I @ R.transpose(0, 2, 1)
        tau = (I @ al[:, :, None])[:, :, 0] + np.cross(w, (I @ w[:, :, None])[:, :, 0]) + np.cross(c, f)
        back = R.transpose(0, 2, 1)
        return np.concatenate([(back @ f[:, :, None])[:, :, 0], (back @ tau[:, :, None])[:, :, 0]], 1)


def recording(random, body, motion=None, times=None, rate=100.0, span=8.0, force=0.05, torque=0.003, columns="all", gravity=EARTH,
              change=None, position=2e-5, rotation=5e-5, frame="world", late=0.0):
    """Rows of a log as arrays by name; `change(t, wrench, random)` is what the sensor makes of the wrench (sensor's axes)."""
    motion = motion or Motion(random)
    t = np.arange(int(span * rate) + 1) / rate if times is None else times
    R, p, v, w, a, al = motion.derivatives(t)
    F = motion.wrench(t - late, body, gravity) if not callable(body) else body(t - late)
    F = F + random.normal(size=F.shape) * np.repeat([force, torque], 3)
    if change is not None:
        F = change(t, F, random)
    seen = R @ small_turns(rotation * random.normal(size=(len(t), 3)))
    log = {"t": t}
    for name, value in zip(("sx", "sy", "sz"), (p + position * random.normal(size=p.shape)).T):
        log[name] = value
    for name, value in zip(("sqw", "sqx", "sqy", "sqz"), quaternions(seen).T):
        log[name] = value
    if columns in ("all", "twist"):
        for group, value in (("v", v + 1e-3 * random.normal(size=v.shape)), ("w", w + 3e-3 * random.normal(size=w.shape))):
            for axis, column in zip("xyz", value.T):
                log[group + axis] = column
    if columns == "all":
        for group, value in (("a", a + 0.05 * random.normal(size=a.shape)), ("al", al + 0.3 * random.normal(size=al.shape))):
            for axis, column in zip("xyz", value.T):
                log[group + axis] = column
    shown = [F[:, :3], F[:, 3:]] if frame == "sensor" else [(R @ part[:, :, None])[:, :, 0] for part in (F[:, :3], F[:, 3:])]
    for group, value in zip("ft", shown):
        for axis, column in zip("xyz", value.T):
            log[("f" if group == "f" else "t") + axis] = column
    return log


def small_turns(vectors):
    x, y, z = vectors.T
    K = np.zeros((len(vectors), 3, 3))
    K[:, 0, 1], K[:, 0, 2], K[:, 1, 2] = -z, y, -x
    K = K - K.transpose(0, 2, 1)
    return np.eye(3) + K + K @ K / 2


def write(log, path, digits=9):
    names = list(log)
    table = np.stack([log[name] for name in names], 1)
    Path(path).write_text(",".join(names) + "\n" + "\n".join(",".join(f"{x:.{digits}g}" for x in row) for row in table) + "\n")


def low_passed(t, F, cut, order=1):
    """Poles of first order at `cut` [Hz], exact for a held input."""
    out = F.copy()
    for _ in range(order):
        state = out[0].copy()
        source = out.copy()
        for k in range(1, len(t)):
            keep = np.exp(-2 * np.pi * cut * (t[k] - t[k - 1]))
            state = keep * state + (1 - keep) * 0.5 * (source[k] + source[k - 1])
            out[k] = state
    return out


def coloured(t, random, shape, memory):
    """Noise of unit deviation whose correlation falls by e over `memory` seconds."""
    out = random.normal(size=shape)
    for k in range(1, len(t)):
        keep = np.exp(-(t[k] - t[k - 1]) / memory)
        out[k] = keep * out[k - 1] + np.sqrt(1 - keep**2) * out[k]
    return out


# Every kind yields (words, log, body, arguments, must_refuse).

def plain(random):
    body = Body(random)
    yield "", recording(random, body, rate=random.choice([50, 100, 250]), force=random.choice([0.02, 0.1, 0.3])), body, [], False


def poses_only(random):
    body = Body(random)
    for rate in (20, 50, 100, 250, 500, 1000):
        log = recording(random, body, rate=rate, span=6.0, columns="poses")
        yield f"{rate} Hz", log, body, [], False


def poses_coarse(random):
    """As a tracker gives them: 0.5 mm and 0.1 deg."""
    body = Body(random)
    for rate in (30, 120):
        yield f"{rate} Hz", recording(random, body, rate=rate, columns="poses", position=5e-4, rotation=2e-3), body, [], False


def offset(random):
    body = Body(random)
    bias = np.concatenate([random.uniform(1, 15) * random_turn(random)[0], random.uniform(0.02, 0.5) * random_turn(random)[0]])
    log = recording(random, body, change=lambda t, F, r: F + bias)
    yield "as it is", log, body, [], False
    yield "--calibrate", log, body, ["--calibrate"], False


def drift(random):
    """An offset that grows over the log by 0.5 to 2 N, after taring at its start."""
    body = Body(random)
    slope = np.concatenate([random.uniform(0.5, 2) * random_turn(random)[0], 0.02 * random_turn(random)[0]])
    log = recording(random, body, change=lambda t, F, r: F + slope * (t / t[-1])[:, None])
    yield "as it is", log, body, [], False
    yield "--calibrate", log, body, ["--calibrate"], False


def latency(random):
    body = Body(random)
    log = recording(random, body, late=random.uniform(0.005, 0.06))
    yield "as it is", log, body, [], False
    yield "--calibrate", log, body, ["--calibrate"], False


def uneven(random):
    body = Body(random)
    steps = random.uniform(0.001, 0.023, 700)
    yield "", recording(random, body, times=np.cumsum(steps), columns=random.choice(["all", "poses"])), body, [], False


def quantised(random):
    body = Body(random)
    step = np.repeat([random.choice([0.05, 0.2, 0.5]), random.choice([0.002, 0.01])], 3)
    yield "", recording(random, body, force=0.01, torque=5e-4, change=lambda t, F, r: np.round(F / step) * step), body, [], False


def rounded(random):
    """As files are printed: positions to 1 or 0.1 mm, quaternions to three or four digits, forces to 0.01 N, torques to 1 mN m, times to 1 ms."""
    body = Body(random)
    for words, digits in (("mm, three digits", 3), ("0.1 mm, four digits", 4)):
        log = recording(random, body, columns=random.choice(["poses", "all"]))
        places = {"t": 3, **dict.fromkeys(("fx", "fy", "fz"), 2), **dict.fromkeys(("tx", "ty", "tz"), 3)}
        yield words, {name: np.round(x, places.get(name, digits)) for name, x in log.items()}, body, [], False


def coloured_noise(random):
    body = Body(random)
    size, memory = random.choice([0.1, 0.4]), random.choice([0.03, 0.2, 1.0])
    change = lambda t, F, r: F + coloured(t, r, F.shape, memory) * np.repeat([size, 0.05 * size], 3)
    yield "", recording(random, body, change=change), body, [], False


def filtered(random):
    body = Body(random)
    for cut in (5, 10, 20, 50):
        log = recording(random, body, rate=200, change=lambda t, F, r: low_passed(t, F, cut, order=random.choice([1, 2])))
        yield f"{cut} Hz", log, body, [], False
        yield f"{cut} Hz --calibrate", log, body, ["--calibrate"], False


def moon(random):
    body = Body(random)
    g = 1.625 * EARTH / 9.81
    log = recording(random, body, gravity=g)
    yield "said", log, body, ["--gravity", "0", "0", "-1.625"], False
    yield "not said", log, body, [], True


def upside_down(random):
    body = Body(random)
    log = recording(random, body, gravity=-EARTH)
    yield "said", log, body, ["--gravity", "0", "0", "9.81"], False
    yield "not said", log, body, [], True


def other_axis(random):
    body = Body(random)
    g = random.choice([9.81, -9.81]) * np.eye(3)[random.integers(2)]
    log = recording(random, body, gravity=g)
    yield "said", log, body, ["--gravity", *map(str, g)], False
    yield "not said", log, body, [], True


def wrong_axes(random):
    body = Body(random)
    log = recording(random, body, frame="sensor")
    yield "said", log, body, ["--wrench-frame", "sensor"], False
    yield "not said", log, body, [], True


def sensor_turned(random):
    """The sensor is mounted turned by 30 to 90 degrees against the frame whose poses are logged."""
    body = Body(random)
    angle = np.radians(random.uniform(30, 90))
    R = turns(int(random.integers(3)), np.array([angle]))[0]
    yield "", recording(random, body, change=lambda t, F, r: np.concatenate([F[:, :3] @ R, F[:, 3:] @ R], 1)), body, [], True


def wrong_sign(random):
    body = Body(random)
    yield "", recording(random, body, change=lambda t, F, r: -F), body, [], True


def other_point(random):
    """Torques about the flange, 40 to 150 mm from where the poses are."""
    body = Body(random)
    r0 = random.uniform(0.04, 0.15) * random_turn(random)[0]
    change = lambda t, F, r: np.concatenate([F[:, :3], F[:, 3:] + np.cross(r0, F[:, :3])], 1)
    log = recording(random, body, change=change)
    yield "as it is", log, body, [], True
    yield "--calibrate", log, body, ["--calibrate"], True


def slow(random):
    body = Body(random)
    log = recording(random, body, motion=Motion(random, speed=0.05, turning=0.15), span=20.0, rate=50)
    yield "", log, body, [], False


def one_axis(random):
    body = Body(random)
    angle = (int(random.integers(3)),)
    yield "turning", recording(random, body, motion=Motion(random, angles=angle, move=False)), body, [], False
    yield "turning, moving", recording(random, body, motion=Motion(random, angles=angle)), body, [], False
    yield "poses only", recording(random, body, motion=Motion(random, angles=angle, move=False), columns="poses"), body, [], False


def pauses(random):
    body = Body(random)
    yield "", recording(random, body, motion=Motion(random, pauses=True), span=20.0), body, [], False
    yield "poses only", recording(random, body, motion=Motion(random, pauses=True), span=20.0, columns="poses"), body, [], False


def still_poses(random):
    """Five to twelve orientations, each held for a second, moving slowly between."""
    body = Body(random)
    yield "", recording(random, body, motion=Motion(random, speed=0.2, turning=0.8, pauses=True), span=2.0 * random.integers(5, 12)), body, [], False


def light(random):
    body = Body(random, mass=random.uniform(0.01, 0.04))
    yield "", recording(random, body, force=random.choice([0.02, 0.1]), torque=random.choice([0.001, 0.004])), body, [], False


def heavy(random):
    body = Body(random, mass=random.uniform(8, 20))
    yield "", recording(random, body, force=0.5, torque=0.05), body, [], False


def spikes(random):
    body = Body(random)

    def change(t, F, r):
        hit = r.uniform(size=len(t)) < 0.01
        F = F.copy()
        F[hit] += r.normal(size=(hit.sum(), 6)) * [40, 40, 40, 2, 2, 2]
        return F

    yield "", recording(random, body, change=change), body, [], False


def zeros(random):
    """A driver that writes zeros where it missed a packet, in 1 to 5 % of the rows."""
    body = Body(random)
    share = random.uniform(0.01, 0.05)
    yield "", recording(random, body, change=lambda t, F, r: np.where(r.uniform(size=(len(t), 1)) < share, 0.0, F)), body, [], False


def held_values(random):
    """The wrench comes at a fifth of the rows' rate and is repeated."""
    body = Body(random)
    yield "", recording(random, body, change=lambda t, F, r: F[np.arange(len(t)) // 5 * 5]), body, [], False


def slip(random):
    body = Body(random)
    motion = Motion(random)
    shift = random.uniform(0.005, 0.04) * random_turn(random)[0]
    at = random.uniform(0.2, 0.8) * 8.0
    other = body.moved(shift, turns(int(random.integers(3)), np.array([np.radians(random.uniform(0, 20))]))[0])
    wrench = lambda t: np.where((t < at)[:, None], motion.wrench(t, body), motion.wrench(t, other))
    yield "", recording(random, wrench, motion=motion), body, [], True


def dropped(random):
    """The object is lost at some time; the sensor goes on."""
    body = Body(random)
    motion = Motion(random)
    at = random.uniform(0.3, 0.9) * 8.0
    wrench = lambda t: np.where((t < at)[:, None], motion.wrench(t, body), 0.0)
    yield "", recording(random, wrench, motion=motion), body, [], True


def touching(random):
    """It rests on something for a quarter of the time: half of its weight is carried there."""
    body = Body(random)
    motion = Motion(random)
    at = random.uniform(0.1, 0.6) * 8.0

    def wrench(t):
        F = motion.wrench(t, body)
        R, _ = motion.pose(t)
        push = np.where((t > at) & (t < at + 2.0), 0.5 * body.mass * 9.81, 0.0)
        F[:, :3] -= (R.transpose(0, 2, 1) @ np.array([0, 0, 1.0])) * push[:, None]
        return F

    yield "", recording(random, wrench, motion=motion), body, [], True


def cable(random):
    """A hose pulls like a spring towards a point in the world, 5 to 20 N/m."""
    body = Body(random)
    motion = Motion(random)
    stiffness = random.uniform(5, 20)

    def wrench(t):
        R, p = motion.pose(t)
        pull = stiffness * (np.array([0.3, 0.4, 1.4]) - p)
        F = motion.wrench(t, body)
        F[:, :3] -= (R.transpose(0, 2, 1) @ pull[:, :, None])[:, :, 0]
        return F

    yield "", recording(random, wrench, motion=motion), body, [], True


def weak_cable(random):
    """A hose from above, 0.3 to 5 N/m, whose mean pull looks like a part of the weight."""
    body = Body(random)
    motion = Motion(random)
    stiffness = float(np.exp(random.uniform(np.log(0.3), np.log(5.0))))

    def wrench(t):
        R, p = motion.pose(t)
        pull = stiffness * (np.array([0.3, 0.4, 1.4]) - p)
        F = motion.wrench(t, body)
        F[:, :3] -= (R.transpose(0, 2, 1) @ pull[:, :, None])[:, :, 0]
        return F

    yield "", recording(random, wrench, motion=motion), body, [], True


class JointsInTurn(Motion):
    """An arm of three to five hinges: one after the other swings once and stops, so that each part of the log tells other parameters."""

    def __init__(self, random):
        self.R0 = random_turn(random)
        self.axes = np.concatenate([random.permutation(3), random.integers(3, size=random.integers(3))])
        self.links = random.uniform(-0.3, 0.3, (len(self.axes), 3))
        self.size, self.span = random.uniform(0.5, 0.9, len(self.axes)), 8.0 / len(self.axes)

    def pose(self, t):
        R, p = np.tile(np.eye(3), (len(t), 1, 1)), np.tile([0.5, 0.1, 0.6], (len(t), 1))
        for k, (axis, link) in enumerate(zip(self.axes, self.links)):
            share = np.clip(t / self.span - k, 0, 1)
            R = R @ turns(axis, self.size[k] * np.sin(np.pi * share) ** 4 * np.sin(2 * np.pi * share))
            p = p + R @ link
        return R @ self.R0, p


def joints_in_turn(random):
    body = Body(random)
    motion = JointsInTurn(random)
    yield "", recording(random, body, motion=motion), body, [], False
    yield "poses only", recording(random, body, motion=motion, columns="poses"), body, [], False


def held_poses(random):
    """Poses come at a fifth of the rows' rate and are repeated."""
    body = Body(random)
    log = recording(random, body, rate=500, columns="poses", frame="sensor")
    rows = np.arange(len(log["t"])) // 5 * 5
    held = {name: values[rows] if name.startswith("s") else values for name, values in log.items()}
    yield "", held, body, ["--wrench-frame", "sensor"], False


def coarse_at_rest(random):
    """Poses held for a second each; a converter with steps above the noise stands still there."""
    body = Body(random)
    step = random.choice([0.05, 0.25])
    steps = np.repeat([step, 0.04 * step], 3)
    motion = Motion(random, speed=0.2, turning=0.8, pauses=True)
    yield "", recording(random, body, motion=motion, span=14.0, force=0.01, torque=5e-4,
                        change=lambda t, F, r: np.round(F / steps) * steps, frame="sensor"), body, ["--wrench-frame", "sensor"], False


def tool_left(random):
    """The gripper's weight was not taken out: with --tool the object alone."""
    body, tool = Body(random), Body(random, mass=random.uniform(0.3, 1.2))
    tool.I = tool.I * 1e-3
    motion = Motion(random)
    log = recording(random, lambda t: motion.wrench(t, body) + motion.wrench(t, tool), motion=motion)
    yield "--tool", log, body, ["--tool", *(f"{x:.9g}" for x in (tool.mass, *tool.com))], False


def scaled(log, factor, names):
    return {name: value * (factor if name in names else 1.0) for name, value in log.items()}


def millimetres(random):
    body = Body(random)
    log = recording(random, body)
    yield "positions", scaled(log, 1e3, ("sx", "sy", "sz")), body, [], True
    every = ("sx", "sy", "sz", "vx", "vy", "vz", "ax", "ay", "az")
    yield "all", scaled(log, 1e3, every), body, [], True
    poses = recording(random, body, columns="poses")
    yield "poses only", scaled(poses, 1e3, ("sx", "sy", "sz")), body, [], True
    poses = recording(random, body, columns="poses", motion=Motion(random, speed=0.05, turning=0.4))
    yield "poses only, slow", scaled(poses, 1e3, ("sx", "sy", "sz")), body, [], True


def newton_millimetres(random):
    body = Body(random)
    log = recording(random, body)
    yield "", scaled(log, 1e3, ("tx", "ty", "tz")), body, [], True


def grams(random):
    """Forces in kg, and in pounds; with torques in kgf m the log is that of a lighter body, which is asked for then."""
    body = Body(random)
    log = recording(random, body)
    lighter = body.moved(np.zeros(3))
    lighter.mass = body.mass / 9.80665
    yield "forces kgf, torques kgf m", scaled(log, 1 / 9.80665, ("fx", "fy", "fz", "tx", "ty", "tz")), lighter, [], False
    yield "forces kgf", scaled(log, 1 / 9.80665, ("fx", "fy", "fz")), body, [], True
    yield "pounds, inches", scaled(scaled(log, 0.2248, ("fx", "fy", "fz")), 8.8507, ("tx", "ty", "tz")), body, [], True


def degrees(random):
    body = Body(random)
    log = recording(random, body)
    yield "all", scaled(log, 180 / np.pi, ("wx", "wy", "wz", "alx", "aly", "alz")), body, [], True
    yield "rates", scaled(log, 180 / np.pi, ("wx", "wy", "wz")), body, [], True


def milliseconds(random):
    body = Body(random)
    log = recording(random, body, columns="poses")
    yield "poses only", scaled(log, 1e3, ("t",)), body, [], True
    yield "nanoseconds", scaled(log, 1e9, ("t",)), body, [], True
    yield "thousands of seconds", scaled(log, 1e-3, ("t",)), body, [], True
    log = recording(random, body)
    yield "all columns", scaled(log, 1e3, ("t",)), body, [], True


def quaternion_order(random):
    """x, y, z, w under the names of w, x, y, z."""
    body = Body(random)
    log = recording(random, body)
    q = [log[name] for name in ("sqx", "sqy", "sqz", "sqw")]
    yield "all", {**log, **dict(zip(("sqw", "sqx", "sqy", "sqz"), q))}, body, [], True
    log = recording(random, body, columns="poses", frame="sensor")
    q = [log[name] for name in ("sqx", "sqy", "sqz", "sqw")]
    yield "poses only, sensor's axes", {**log, **dict(zip(("sqw", "sqx", "sqy", "sqz"), q))}, body, ["--wrench-frame", "sensor"], True


def inverse_pose(random):
    """World in sensor instead of sensor in world."""
    body = Body(random)
    log = recording(random, body, columns="poses", frame="sensor")
    yield "rotation", {**log, **{name: -log[name] for name in ("sqx", "sqy", "sqz")}}, body, ["--wrench-frame", "sensor"], True


def specific_force(random):
    """Accelerations as an accelerometer gives them, gravity included."""
    body = Body(random)
    log = recording(random, body)
    log["az"] = log["az"] + 9.81
    yield "", log, body, [], True


def body_twist(random):
    """Velocities and accelerations in the sensor's axes."""
    body = Body(random)
    motion = Motion(random)
    log = recording(random, body, motion=motion)
    R, _ = motion.pose(log["t"])
    for group in ("v", "w", "a", "al"):
        value = np.stack([log[group + axis] for axis in "xyz"], 1)
        for axis, column in zip("xyz", (R.transpose(0, 2, 1) @ value[:, :, None])[:, :, 0].T):
            log[group + axis] = column
    yield "", log, body, [], True


def differences(random):
    """Velocities and accelerations computed from the log's own poses, as numpy's gradient does; late ones, as a running difference is."""
    body = Body(random)
    motion = Motion(random)
    for words, rows in (("central", 0), ("three rows late", 3)):
        log = recording(random, body, motion=motion, rate=125, columns="poses")
        w = motion.derivatives(log["t"])[3] + 0.01 * random.normal(size=(len(log["t"]), 3))
        v = np.gradient(np.stack([log["sx"], log["sy"], log["sz"]], 1), 1 / 125, axis=0)
        v = np.vstack([np.repeat(v[:1], rows, 0), v[: len(v) - rows]])
        for group, value in (("v", v), ("w", w), ("a", np.gradient(v, 1 / 125, axis=0)), ("al", np.gradient(w, 1 / 125, axis=0))):
            for axis, column in zip("xyz", value.T):
                log[group + axis] = column
        yield words, log, body, [], False


def tracker_jumps(random):
    """Four poses of 800 lie 50 mm beside the others."""
    body = Body(random)
    log = recording(random, body, columns="poses", position=2e-4, rotation=5e-4)
    log["sx"][random.integers(50, 750, 4)] += 0.05
    yield "", log, body, [], False


def clock_drift(random):
    """The clocks of poses and wrenches drift apart by 0.1 or 1 ms a second."""
    body = Body(random)
    motion = Motion(random)
    for rate in (1e-4, 1e-3):
        change = lambda t, F, r: motion.wrench(t * (1 + rate), body) + r.normal(size=F.shape) * np.repeat([0.05, 0.003], 3)
        log = recording(random, body, motion=motion, span=15.0, columns="poses", change=change)
        yield f"{1e3 * rate:g} ms/s", log, body, [], False


def unequal_axes(random):
    """One axis of the sensor is ten times as noisy; a motor's vibration beside it."""
    body = Body(random)
    size = np.array([0.02, 0.02, 0.3, 0.001, 0.001, 0.01])
    hum = random.uniform(18, 40), 0.3 * random_turn(random)[0]
    change = lambda t, F, r: F + r.normal(size=F.shape) * size
    yield "noise", recording(random, body, force=0, torque=0, change=change), body, [], False
    change = lambda t, F, r: F + np.outer(np.sin(2 * np.pi * hum[0] * t), np.concatenate([hum[1], 0.05 * hum[1]]))
    yield "vibration", recording(random, body, rate=200, columns="poses", change=change), body, [], False


KINDS = [plain, poses_only, poses_coarse, offset, drift, latency, uneven, quantised, rounded, coloured_noise, filtered, moon, upside_down, other_axis,
         wrong_axes, sensor_turned, wrong_sign, other_point, slow, one_axis, pauses, still_poses, light, heavy, spikes, zeros, held_values, slip,
         dropped, touching, cable, weak_cable, joints_in_turn, held_poses, coarse_at_rest, tool_left, millimetres, newton_millimetres, grams,
         degrees, milliseconds, quaternion_order, inverse_pose,
         specific_force, body_twist, differences, tracker_jumps, clock_drift, unequal_axes]


def verdict(answer, body, must_refuse):
    results = answer.get("results") or []
    best = results[0] if results else None
    ok = answer["status"] == "ok"
    if best is None or best["status"] == "failed":
        return "refused", None
    mass = best["mass_kg"] - body.mass
    std_mass, std_com = best["std"]["mass_kg"], np.array(best["std"]["com_m"])
    off = np.array(best["com_S_m"]) - body.com
    asked = [k for k, name in enumerate(("com_x", "com_y", "com_z")) if name not in best["undetermined"]]
    mass_right = abs(mass) < max(0.03 * body.mass, min(3 * std_mass, 0.1 * body.mass))
    com_right = np.all(np.abs(off[asked]) < np.maximum(5e-3, np.minimum(3 * std_com[asked], 0.03)))
    far = max(abs(mass) / max(std_mass, 1e-12), *(np.abs(off[asked]) / np.maximum(std_com[asked], 1e-12)), 0.0)
    facts = dict(mass=best["mass_kg"], truth=body.mass, std=std_mass, com_mm=1e3 * float(np.linalg.norm(off[asked])), deviations=float(far))
    if not ok:
        return ("refused, right" if mass_right and com_right else "refused"), facts
    if must_refuse:
        # Where nothing is changed by the mistake beyond what is stated, the answer may stand.
        return ("wrong" if not (mass_right and com_right) else "ok, harmless"), facts
    if not (mass_right and com_right):
        return "wrong", facts
    return ("right" if far < 5 else "right, too sure"), facts


def sweep(kinds, logs, seed, shown=lambda title, words: None):
    """Counts by title and word, and a line for every answer that is not right."""
    counts, details = {}, []
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "log.csv"
        for kind in kinds:
            for k in range(logs):
                random = np.random.default_rng([seed, k, sum(map(ord, kind.__name__))])
                for words, log, body, arguments, must_refuse in kind(random):
                    write(log, path)
                    done = subprocess.run([PREHEND, "identify", "--log", path, *arguments, "--json"], capture_output=True, text=True, timeout=120)
                    answer = json.loads(done.stdout)
                    if done.returncode in (1, 2):
                        word, facts = ("defect" if done.returncode == 1 else "refused"), None
                    else:
                        word, facts = verdict(answer, body, must_refuse)
                    title = f"{kind.__name__} {words}".strip()
                    counts.setdefault(title, {}).setdefault(word, 0)
                    counts[title][word] += 1
                    if word not in ("right", "ok, harmless"):
                        sentences = answer.get("problems") or [answer.get("error", {}).get("message")]
                        details.append((title, k, word, facts, [str(s)[:230] for s in sentences[:3]]))
            for title, words in counts.items():
                if title.split()[0] == kind.__name__:
                    shown(title, words)
    return counts, details


def main():
    keys = dict(kinds="all", logs="10", seed="1", details="0")
    keys.update(word.split("=", 1) for word in sys.argv[1:])
    kinds = [kind for kind in KINDS if keys["kinds"] == "all" or kind.__name__ in keys["kinds"].split(",")]
    row = lambda title, words: print(f"{title:42s} " + ", ".join(f"{word} {n}" for word, n in sorted(words.items())), flush=True)
    _, details = sweep(kinds, int(keys["logs"]), int(keys["seed"]), row)
    for title, k, word, facts, sentences in details[: int(keys["details"])]:
        text = ("" if facts is None else f"mass {facts['mass']:.4g} ({facts['truth']:.4g}) +- {facts['std']:.2g}, com {facts['com_mm']:.2g} mm, "
                f"{facts['deviations']:.1f} deviations")
        print(f"{title} {k}: {word}; {text}; {sentences}")


if __name__ == "__main__":
    main()
