"""Judges `prehend topology` on chains whose motions and wrenches are formulas of this file: counts of right, open and wrong answers.

  topology_judge.py [kinds=all|a,b] [logs=10] [seed=1] [details=0]

The base and every joint move by sums of sines; momenta follow from the poses; the wrench on the last link is any one that does no work along
the joints' freedoms, the one on the first carries the rest. Right: every excited joint has its type; open: exit 3; wrong: a joint is named as what it is
not. Kinds that no answer can serve (`must_refuse`) are wrong with `ok`."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

PREHEND = Path(os.environ.get("PREHEND_BIN", "build/release/bin")) / "prehend"
GRAVITY = np.array([0.0, 0.0, -9.81])
TYPES = ["revolute", "prismatic", "screw", "spherical", "fixed"]


def cross(v):
    K = np.zeros((*v.shape[:-1], 3, 3))
    K[..., 0, 1], K[..., 0, 2], K[..., 1, 2] = -v[..., 2], v[..., 1], -v[..., 0]
    return K - np.swapaxes(K, -1, -2)


def exp(v):
    angle = np.linalg.norm(v, axis=-1)[..., None, None]
    K = cross(v)
    small = angle < 1e-9
    safe = np.where(small, 1.0, angle)
    return np.eye(3) + np.where(small, 1.0, np.sin(safe) / safe) * K + np.where(small, 0.5, (1 - np.cos(safe)) / safe**2) * (K @ K)


def random_turn(random):
    q, r = np.linalg.qr(random.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.linalg.det(q)


def quaternion(R):
    trace = np.trace(R, axis1=-2, axis2=-1)
    squares = np.stack([1 + trace, *[1 + 2 * R[:, i, i] - trace for i in range(3)]], 1)
    best = np.argmax(squares, 1)
    q = np.zeros((len(R), 4))
    for n, (R_n, k) in enumerate(zip(R, best)):
        if k == 0:
            q[n] = [squares[n, 0], R_n[2, 1] - R_n[1, 2], R_n[0, 2] - R_n[2, 0], R_n[1, 0] - R_n[0, 1]]
        else:
            i, j, l = k - 1, k % 3, (k + 1) % 3
            q[n, 0] = R_n[l, j] - R_n[j, l]
            q[n, 1 + i], q[n, 1 + j], q[n, 1 + l] = squares[n, k], R_n[j, i] + R_n[i, j], R_n[l, i] + R_n[i, l]
    return q / np.linalg.norm(q, axis=1)[:, None]


class Sines:
    def __init__(self, random, width, size, still=False):
        self.parts = [] if still else [(size * random.normal(size=width) / 1.4, 2 * np.pi * random.uniform(0.2, 0.9), random.uniform(0, 6.3)) for _ in range(2)]
        self.width = width

    def __call__(self, t):
        return sum((np.sin(w * t + f)[:, None] * a for a, w, f in self.parts), np.zeros((len(t), self.width)))


class Chain:
    """Links 0..n; joint j between links j and j + 1, its axis and point in the parent's frame."""

    def __init__(self, random, types, base=True, still=(), size=0.5, mass=None):
        self.types, self.n = types, len(types) + 1
        self.mass = np.exp(random.uniform(np.log(0.3), np.log(4), self.n)) if mass is None else mass
        self.com = random.normal(size=(self.n, 3)) * 0.05
        self.inertia = []
        for m in self.mass:
            sides = random.uniform(0.05, 0.3, 3)
            R = random_turn(random)
            self.inertia.append(R @ np.diag(m / 12 * (sides @ sides - sides**2)) @ R.T)
        self.base_p, self.base_r = Sines(random, 3, 0.1, not base), Sines(random, 3, 0.4, not base)
        self.R0, self.p0 = random_turn(random), random.normal(size=3) * 0.3
        self.joints = []
        for j, kind in enumerate(types):
            axis = random_turn(random)[0]
            width = {"revolute": 1, "prismatic": 1, "screw": 1, "spherical": 3, "fixed": 1}[kind]
            length = {"prismatic": 0.06}.get(kind, size)
            moves = Sines(random, width, length, j in still or kind == "fixed")
            if moves.parts and width == 1:  # never by chance a joint that hardly moves
                moves.parts = [(np.array([length * np.sign(a[0]) * random.uniform(0.6, 1.2)]), w, f) for a, w, f in moves.parts]
            self.joints.append((axis, random.normal(size=3) * 0.1, random_turn(random), random.normal(size=3) * 0.1, moves, random.choice([-1, 1]) * random.uniform(0.005, 0.02)))
        self.load = Sines(random, 6, 1.0)
        self.hold = random.normal(size=6) * 2.0

    def poses(self, t):
        R, p = self.R0 @ exp(self.base_r(t)), self.p0 + self.base_p(t)
        out, screws = [(R, p)], []
        for kind, (axis, point, R_c, p_c, moves, pitch) in zip(self.types, self.joints):
            q = moves(t)
            at = p + R @ point
            a_W = R @ axis
            if kind == "revolute":
                screws.append([np.concatenate([a_W, np.cross(at, a_W)], 1)])
                T, d = exp(q * axis), np.zeros((len(t), 3))
            elif kind == "prismatic":
                screws.append([np.concatenate([np.zeros_like(a_W), a_W], 1)])
                T, d = np.broadcast_to(np.eye(3), (len(t), 3, 3)), q * axis
            elif kind == "screw":
                screws.append([np.concatenate([a_W, np.cross(at, a_W) + pitch * a_W], 1)])
                T, d = exp(q * axis), pitch * q * axis
            elif kind == "spherical":
                columns = [np.broadcast_to(e, (len(t), 3)) for e in np.eye(3)]
                screws.append([np.concatenate([e, np.cross(at, e)], 1) for e in columns])
                T, d = exp(q), np.zeros((len(t), 3))
            else:
                screws.append([])
                T, d = np.broadcast_to(np.eye(3), (len(t), 3, 3)), np.zeros((len(t), 3))
            p = at + (R @ d[:, :, None])[:, :, 0] + (R @ T @ (R_c @ p_c)[:, None])[:, :, 0]
            R = R @ T @ R_c
            out.append((R, p))
        return out, screws

    def momenta(self, t, h=1e-4):
        before, after, now = self.poses(t - h)[0], self.poses(t + h)[0], self.poses(t)[0]
        all_h = []
        for i in range(self.n):
            R, p = now[i]
            W = (after[i][0] - before[i][0]) / (2 * h) @ np.swapaxes(R, 1, 2)
            w = np.stack([W[:, 2, 1] - W[:, 1, 2], W[:, 0, 2] - W[:, 2, 0], W[:, 1, 0] - W[:, 0, 1]], 1) / 2
            c_after, c_before = (x[i][1] + x[i][0] @ self.com[i] for x in (after, before))
            v = (c_after - c_before) / (2 * h)
            c = p + R @ self.com[i]
            I = R @ self.inertia[i] @ np.swapaxes(R, 1, 2)
            all_h.append(np.concatenate([self.mass[i] * np.cross(c, v) + (I @ w[:, :, None])[:, :, 0], self.mass[i] * v], 1))
        return np.stack(all_h)

    def wrenches(self, t, gravity=GRAVITY, h=1e-3):
        """On the first and on the last link, in the world, about its origin (moment, force)."""
        rate = (self.momenta(t + h) - self.momenta(t - h)) / (2 * h)
        poses, screws = self.poses(t)
        for i, (R, p) in enumerate(poses):
            c = p + R @ self.com[i]
            f = np.broadcast_to(self.mass[i] * gravity, c.shape)
            rate[i] -= np.concatenate([np.cross(c, f), f], 1)
        R, p = poses[-1]
        local = self.hold + self.load(t)
        f = (R @ local[:, 3:, None])[:, :, 0]
        want = np.concatenate([(R @ local[:, :3, None])[:, :, 0] * 0.1 + np.cross(p, f), f], 1)
        want[:, 3:] -= self.mass.sum() / 2 * gravity
        right = want.copy()
        for k in range(len(t)):
            rows, values = [], []
            for j in range(self.n - 1):
                for s in screws[j]:
                    rows.append(s[k])
                    values.append(s[k] @ rate[j + 1 :, k].sum(0))
            if rows:
                A = np.array(rows)
                # Torques about the last link's place, so that the smallest change is the same everywhere.
                T = np.eye(6)
                T[:3, 3:] = cross(p[k])
                right[k] += T @ (np.linalg.pinv(A @ T, rcond=1e-6) @ (np.array(values) - A @ want[k]))
        return rate.sum(0) - right, right, poses


def in_link(F, pose):
    R, p = pose
    f = F[:, 3:]
    m = F[:, :3] - np.cross(p, f)
    back = np.swapaxes(R, 1, 2)
    return (back @ f[:, :, None])[:, :, 0], (back @ m[:, :, None])[:, :, 0]


def urdf(chain, joint="fixed"):
    text = '<?xml version="1.0"?>\n<robot name="thing">\n'
    for i in range(chain.n):
        I, (x, y, z) = chain.inertia[i], chain.com[i]
        text += (f'<link name="part{i}"><inertial><origin xyz="{x:.12g} {y:.12g} {z:.12g}"/><mass value="{chain.mass[i]:.12g}"/><inertia ixx="{I[0, 0]:.12g}" ixy="{I[0, 1]:.12g}" '
                 f'ixz="{I[0, 2]:.12g}" iyy="{I[1, 1]:.12g}" iyz="{I[1, 2]:.12g}" izz="{I[2, 2]:.12g}"/></inertial></link>\n')
    for j in range(chain.n - 1):
        limit = '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>' if joint in ("revolute", "prismatic") else ""
        text += f'<joint name="j{j}" type="{joint}"><parent link="part{j}"/><child link="part{j + 1}"/>{limit}</joint>\n'
    return text + "</robot>\n"


def recording(random, chain, times=None, rate=200.0, span=5.0, position=2e-4, angle=5e-4, force=0.03, torque=0.003, gravity=GRAVITY, change=None, right_only=False):
    t = np.arange(int(span * rate) + 1) / rate if times is None else times
    left, right, poses = chain.wrenches(t, gravity)
    log = {"t": t}
    for i, (R, p) in enumerate(poses):
        seen = R @ exp(angle * random.normal(size=(len(t), 3)))
        values = np.concatenate([p + position * random.normal(size=p.shape), quaternion(seen)], 1)
        for name, column in zip(("x", "y", "z", "qw", "qx", "qy", "qz"), values.T):
            log[f"l{i}_{name}"] = column
    for side, F, pose in (("l", left, poses[0]), ("r", right, poses[-1])):
        f, m = in_link(F, pose)
        f, m = f + force * random.normal(size=f.shape), m + torque * random.normal(size=m.shape)
        if change is not None:
            f, m = change(side, t, f, m)
        for kind, value in (("f", f), ("t", m)):
            for axis, column in zip("xyz", value.T):
                log[f"{kind}{side}_{axis}"] = column
    return log


def some_types(random, joints, kinds=TYPES):
    return [str(kind) for kind in random.choice(kinds, size=joints)]


def chain_of(random, joints=None, **more):
    joints = joints or int(random.integers(1, 4))
    return Chain(random, some_types(random, joints), **more)


def noisy(random):
    chain = chain_of(random)
    yield "", chain, recording(random, chain), [], False


def exact(random):
    chain = chain_of(random)
    yield "", chain, recording(random, chain, position=0, angle=0, force=0, torque=0), [], False


def uneven(random):
    chain = chain_of(random)
    steps = np.cumsum(random.integers(1, 24, 420)) * 1e-3
    yield "exact", chain, recording(random, chain, times=steps, position=0, angle=0, force=0, torque=0), [], False
    yield "noisy", chain, recording(random, chain, times=steps), [], False


def coarse(random):
    """A marker tracker at 60 Hz: 1 mm, 0.3 deg, 0.1 N."""
    chain = chain_of(random)
    yield "", chain, recording(random, chain, rate=60, span=8.0, position=1e-3, angle=5e-3, force=0.1, torque=0.01), [], False


def longer(random):
    chain = chain_of(random, joints=int(random.integers(5, 9)))
    yield "", chain, recording(random, chain, span=6.0), [], False


def offsets(random):
    chain = chain_of(random)
    size = random.uniform(0.5, 5)
    bias = {side: (size * random_turn(random)[0], 0.03 * size * random_turn(random)[0]) for side in "lr"}
    yield "", chain, recording(random, chain, change=lambda side, t, f, m: (f + bias[side][0], m + bias[side][1])), [], False


def small_offsets(random):
    chain = chain_of(random)
    bias = {side: (0.1 * random_turn(random)[0], 0.005 * random_turn(random)[0]) for side in "lr"}
    yield "", chain, recording(random, chain, change=lambda side, t, f, m: (f + bias[side][0], m + bias[side][1])), [], False


def late(random):
    """Wrenches that come 5 to 30 ms late."""
    chain = chain_of(random)
    rows = int(random.integers(1, 7))
    shift = lambda x: np.concatenate([np.repeat(x[:1], rows, 0), x[:-rows]])
    yield "", chain, recording(random, chain, change=lambda side, t, f, m: (shift(f), shift(m))), [], False


def rest(random):
    chain = chain_of(random, base=False, still=range(9))
    chain.load.parts = []
    yield "", chain, recording(random, chain), [], True


def one_still(random):
    """One joint, not a fixed one, does not move and is hardly loaded beyond what friction may hold."""
    joints = int(random.integers(2, 4))
    types = some_types(random, joints, TYPES[:4])
    still = int(random.integers(joints))
    chain = Chain(random, types, still=(still,))
    yield "", chain, recording(random, chain), [], False


def other_gravity(random):
    chain = chain_of(random)
    log = recording(random, chain, gravity=np.array([0, 9.81, 0.0]))
    yield "said", chain, log, ["--gravity", "0", "9.81", "0"], False
    yield "not said", chain, log, [], True


def wrong_masses(random):
    """A model whose masses are each off by 10 to 30 %."""
    chain = chain_of(random)
    log = recording(random, chain)
    chain.mass = chain.mass * np.exp(random.choice([-1, 1], chain.n) * random.uniform(0.1, 0.3, chain.n))
    yield "", chain, log, [], False


def world_axes(random):
    chain = chain_of(random)
    log = recording(random, chain)
    _, _, poses = chain.wrenches(log["t"])
    for side, (R, _) in (("l", poses[0]), ("r", poses[-1])):
        for kind in "ft":
            value = np.stack([log[f"{kind}{side}_{axis}"] for axis in "xyz"], 1)
            for axis, column in zip("xyz", (R @ value[:, :, None])[:, :, 0].T):
                log[f"{kind}{side}_{axis}"] = column
    yield "", chain, log, [], True


def millimetres(random):
    chain = chain_of(random)
    log = recording(random, chain)
    yield "", chain, {name: value * (1e3 if name[0] == "l" and name[-2:] in ("_x", "_y", "_z") else 1.0) for name, value in log.items()}, [], True


KINDS = [noisy, exact, uneven, coarse, longer, offsets, small_offsets, late, rest, one_still, other_gravity, wrong_masses, world_axes, millimetres]


def main():
    keys = dict(kinds="all", logs="10", seed="1", details="0")
    keys.update(word.split("=", 1) for word in sys.argv[1:])
    kinds = [kind for kind in KINDS if keys["kinds"] == "all" or kind.__name__ in keys["kinds"].split(",")]
    details = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind in kinds:
            counts = {}
            for k in range(int(keys["logs"])):
                random = np.random.default_rng([int(keys["seed"]), k, sum(map(ord, kind.__name__))])
                for words, chain, log, arguments, must_refuse in kind(random):
                    joint = str(random.choice(["fixed", "floating", "revolute"]))
                    (folder / "thing.urdf").write_text(urdf(chain, joint))
                    names = list(log)
                    table = np.stack([log[n] for n in names], 1)
                    (folder / "log.csv").write_text(",".join(names) + "\n" + "\n".join(",".join(f"{x:.10g}" for x in row) for row in table) + "\n")
                    done = subprocess.run([PREHEND, "topology", folder / "thing.urdf", folder / "log.csv", "--json", *arguments], capture_output=True, text=True, timeout=300)
                    answer = json.loads(done.stdout)
                    found = [j["type"] for j in answer.get("joints", [])]
                    wrong = any(f not in (w, "undetermined") for f, w in zip(found, chain.types))
                    if done.returncode in (1, 2):
                        word = "defect" if done.returncode == 1 else "bad input"
                    elif wrong:
                        word = "wrong"
                    elif answer["status"] == "ok":
                        word = "ok, harmless" if must_refuse else "right"
                    else:
                        word = "open" if "undetermined" in found else "refused"
                        if all(f == "undetermined" for f in found):
                            word = "refused"
                    counts.setdefault(words, {}).setdefault(word, 0)
                    counts[words][word] += 1
                    if word not in ("right",):
                        sentences = answer.get("problems") or []
                        details.append(f"{kind.__name__} {words} {k}: {word}; {list(zip(chain.types, found))} {joint}; {[s[:200] for s in sentences[:2]]} {str(answer.get('error', {}).get('message'))[:300]}")
            for words, of in counts.items():
                print(f"{(kind.__name__ + ' ' + words).strip():30s} " + ", ".join(f"{word} {n}" for word, n in sorted(of.items())), flush=True)
    for line in details[: int(keys["details"])]:
        print(line)


if __name__ == "__main__":
    main()
