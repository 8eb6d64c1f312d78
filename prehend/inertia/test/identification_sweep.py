"""Random recordings for `prehend identify`, with counts of right, undetermined and wrong answers.

  identification_sweep.py [case=one_joint|offset|latency|coverage|calibrated] [logs=72] [seed=1] [details=0]

The recordings are made here, by formulas of their own: an arm with chosen joints moves a box of two materials, the sensor's
wrench follows from Newton and Euler about the centre of mass, not from the library's regressor. An answer is right where what
the motion determines is right (mass within 2 % and centre within 3 mm, or within three stated deviations of at most 10 % and
10 mm), wrong where it is not and the status is `ok`."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

PREHEND = Path(os.environ.get("PREHEND_BIN", "build/release/bin")) / "prehend"
GRAVITY = np.array([0.0, 0.0, -9.81])


def turn(axis, angle):
    x, y, z = axis / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def quaternion(R):
    w = np.sqrt(max(0.0, 1 + np.trace(R))) / 2
    if w > 1e-3:
        return np.array([w, (R[2, 1] - R[1, 2]) / (4 * w), (R[0, 2] - R[2, 0]) / (4 * w), (R[1, 0] - R[0, 1]) / (4 * w)])
    i = int(np.argmax(np.diag(R)))
    j, k = (i + 1) % 3, (i + 2) % 3
    s = np.sqrt(max(1e-30, 1 + R[i, i] - R[j, j] - R[k, k])) * 2
    q = np.zeros(4)
    q[0] = (R[k, j] - R[j, k]) / s
    q[1 + i] = s / 4
    q[1 + j] = (R[j, i] + R[i, j]) / s
    q[1 + k] = (R[k, i] + R[i, k]) / s
    return q


FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


class Boxes:
    """Boxes of one density each, side by side; `places` are their centres in frame O."""

    def __init__(self, sides, places, densities):
        self.boxes = list(zip(np.array(sides), np.array(places)))
        masses = np.prod(sides, axis=1) * densities
        self.mass = masses.sum()
        self.com = (masses[:, None] * np.array(places)).sum(0) / self.mass
        self.I = np.zeros((3, 3))
        for m, (s, c) in zip(masses, self.boxes):
            d = c - self.com
            self.I += m / 12 * np.diag([s[1] ** 2 + s[2] ** 2, s[0] ** 2 + s[2] ** 2, s[0] ** 2 + s[1] ** 2])
            self.I += m * (d @ d * np.eye(3) - np.outer(d, d))

    def write(self, path, scale=1.0, only=None):
        lines, first = [], 1
        for sides, centre in self.outline() if only is None else [self.boxes[only]]:
            corners = (np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * sides / 2 + centre) * scale
            lines += [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in corners]
            lines += ["f " + " ".join(str(i + first) for i in face) for face in FACES]
            first += 8
        Path(path).write_text("\n".join(lines) + "\n")

    def outline(self):
        return self.boxes

    def write_parts(self, *paths):
        for k, path in enumerate(paths):
            self.write(path, only=k)

    def write_cloud(self, path, random, points=3000, noise=5e-4):
        """Points on its surface, as a scanner gives them."""
        outline = self.outline()
        areas = np.array([[s[1] * s[2], s[0] * s[2], s[0] * s[1]] for s, _ in outline]).ravel()
        picks = random.choice(len(areas), size=points, p=areas / areas.sum())
        cloud = random.uniform(-0.5, 0.5, (points, 3))
        cloud[np.arange(points), picks % 3] = random.choice([-0.5, 0.5], size=points)
        cloud = cloud * np.array([outline[i][0] for i in picks // 3]) + np.array([outline[i][1] for i in picks // 3])
        inside = np.zeros(points, bool)
        for sides, centre in outline:
            inside |= np.all(np.abs(cloud - centre) < sides / 2 - 1e-9, axis=1)
        cloud = cloud[~inside] + noise * random.normal(size=(points - inside.sum(), 3))
        head = f"ply\nformat ascii 1.0\nelement vertex {len(cloud)}\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
        Path(path).write_text(head + "\n".join(" ".join(f"{v:.6g}" for v in row) for row in cloud) + "\n")


class Body(Boxes):
    """A box whose two halves along x have different densities; frame O at its centre."""

    def __init__(self, random):
        self.sides = random.uniform(0.04, 0.25, 3)
        half = self.sides * [0.5, 1, 1]
        densities = random.uniform(400, 3000, 2)
        super().__init__([half, half], [[-self.sides[0] / 4, 0, 0], [self.sides[0] / 4, 0, 0]], densities)

    def outline(self):
        return [(self.sides, np.zeros(3))]


class Tool(Boxes):
    """A handle along x with a heavier head across its end."""

    def __init__(self, random):
        handle = np.array([random.uniform(0.12, 0.3), *random.uniform(0.02, 0.04, 2)])
        head = np.array([random.uniform(0.03, 0.06), random.uniform(0.06, 0.14), random.uniform(0.03, 0.06)])
        densities = [random.uniform(400, 1400), random.uniform(1000, 8000)]
        super().__init__([handle, head], [[0, 0, 0], [(handle[0] + head[0]) / 2, 0, 0]], densities)


def recording(random, body, joints=1, duration=3.0, rate=100, speed=1.0, force=0.05, torque=0.003, offset=None, latency=0.0,
              position=1e-5, rotation=1e-5, acceleration=0.05, turning=0.5, gravity=GRAVITY, upright=False, gripper=None, path=None):
    """An arm of `joints` hinges swings the box; columns with white noise. Returns the truth in the sensor's frame."""
    axes = [a / np.linalg.norm(a) for a in random.normal(size=(joints, 3))]
    if upright:
        axes[0] = np.array([0.0, 0.0, 1.0])
    arms = random.uniform(-0.3, 0.3, (joints, 3))
    swings = [[(random.uniform(0.3, 0.9), speed * random.uniform(1.5, 5.0), random.uniform(0, 6.3)) for _ in range(2)] for _ in axes]
    R0 = turn(random.normal(size=3), random.uniform(0, 3))
    X_SO = turn(random.normal(size=3), random.uniform(0, 3)), random.uniform(-0.08, 0.08, 3)

    def pose(t):
        R, p = np.eye(3), np.array([0.4, 0.1, 0.5])
        for axis, arm, swing in zip(axes, arms, swings):
            angle = sum(a * np.sin(w * t + f) for a, w, f in swing)
            R = R @ turn(axis, angle)
            p = p + R @ arm
        return R @ R0, p

    def motion(t, h=1e-3):
        frames = [pose(t + k * h) for k in (-2, -1, 0, 1, 2)]
        R, p = frames[2]
        a = sum(c * f[1] for c, f in zip((-1, 16, -30, 16, -1), frames)) / (12 * h * h)
        v = sum(c * f[1] for c, f in zip((1, -8, 0, 8, -1), frames)) / (12 * h)
        dR = sum(c * f[0] for c, f in zip((1, -8, 0, 8, -1), frames)) / (12 * h)
        ddR = sum(c * f[0] for c, f in zip((-1, 16, -30, 16, -1), frames)) / (12 * h * h)
        W = dR @ R.T
        w = np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2
        A = ddR @ R.T
        al = np.array([A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]]) / 2
        return R, p, v, w, a, al

    carried = [(body.mass, X_SO[0] @ body.com + X_SO[1], X_SO[0] @ body.I @ X_SO[0].T)] if body else []
    if gripper:
        carried.append((gripper.mass, gripper.com, gripper.I))

    def wrench(t):  # sensor's axes: Newton and Euler about the centre of mass of each body
        R, p, v, w, a, al = motion(t)
        sum_f, sum_tau = np.zeros(3), np.zeros(3)
        for mass, com, inertia in carried:
            c = R @ com
            a_c = a + np.cross(al, c) + np.cross(w, np.cross(w, c))
            f = mass * (a_c - gravity)
            I = R @ inertia @ R.T
            sum_f += f
            sum_tau += I @ al + np.cross(w, I @ w) + np.cross(c, f)
        return np.concatenate([R.T @ sum_f, R.T @ sum_tau])

    names = "t,sx,sy,sz,sqw,sqx,sqy,sqz,vx,vy,vz,wx,wy,wz,ax,ay,az,alx,aly,alz,fx,fy,fz,tx,ty,tz,ox,oy,oz,oqw,oqx,oqy,oqz"
    rows = [names]
    for k in range(int(duration * rate) + 1):
        t = k / rate
        R, p, v, w, a, al = motion(t)
        F = wrench(t - latency) + np.concatenate([force * random.normal(size=3), torque * random.normal(size=3)])
        if offset is not None:
            F = F + offset
        seen = turn(random.normal(size=3), rotation * random.normal()) @ R
        numbers = [t, *(p + position * random.normal(size=3)), *quaternion(seen), *v, *w, *(a + acceleration * random.normal(size=3)),
                   *(al + turning * random.normal(size=3)), *(R @ F[:3]), *(R @ F[3:]), *(p + R @ X_SO[1]), *quaternion(R @ X_SO[0])]
        rows.append(",".join(f"{x:.9g}" for x in numbers))
    Path(path).write_text("\n".join(rows) + "\n")
    if not body:
        return None
    com = X_SO[0] @ body.com + X_SO[1]
    I_com = X_SO[0] @ body.I @ X_SO[0].T
    I_S = I_com + body.mass * (com @ com * np.eye(3) - np.outer(com, com))
    return dict(mass=body.mass, com=com, I_S=I_S, I_com=I_com, axis_S=R0.T @ axes[-1])


def identify(*arguments):
    done = subprocess.run([PREHEND, "identify", *map(str, arguments), "--json"], capture_output=True, text=True, timeout=300)
    return json.loads(done.stdout), done.returncode


def verdict(answer, truth):
    """Components that the answer names as undetermined are not asked for."""
    best = answer["results"][0]
    if best["status"] == "failed":
        return "undetermined"
    off = np.array(best["com_S_m"]) - truth["com"]
    asked = [k for k, name in enumerate(("com_x", "com_y", "com_z")) if name not in best["undetermined"]]
    std_mass, std_com = best["std"]["mass_kg"], np.array(best["std"]["com_m"])
    right = (abs(best["mass_kg"] - truth["mass"]) < max(0.02 * truth["mass"], min(3 * std_mass, 0.1 * truth["mass"]))
             and np.all(np.abs(off[asked]) < np.maximum(3e-3, np.minimum(3 * std_com[asked], 0.03))))
    if answer["status"] == "ok":
        return "right" if right else "wrong"
    return "right, undetermined" if right else "undetermined"


def speaks_of_offset(answer):
    sentences = answer["problems"] + answer["results"][0]["notes"]
    return any("of its own" in sentence or "--calibrate" in sentence for sentence in sentences)


def inside(answer, truth):
    """Whether each 95 % interval holds the truth: mass, three of the centre, six moments about the sensor."""
    best = answer["results"][0]
    I = truth["I_S"]
    moments = np.array([I[0, 0], I[0, 1], I[0, 2], I[1, 1], I[1, 2], I[2, 2]])
    J = np.array(best["inertia_S_kgm2"])
    found = np.array([J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2]])
    off = np.concatenate([[best["mass_kg"] - truth["mass"]], np.array(best["com_S_m"]) - truth["com"], found - moments])
    std = np.array([best["std"]["mass_kg"], *best["std"]["com_m"], *best["std"]["inertia_kgm2"]])
    return np.abs(off) < 1.96 * std


def one_joint(random, folder, k):
    """One hinge, upright in every third recording."""
    body = Body(random)
    body.write(folder / "box.obj")
    truth = recording(random, body, duration=random.uniform(1, 4), force=random.choice([0.02, 0.1, 0.3]),
                      torque=random.choice([0.002, 0.01]), upright=k % 3 == 0, path=folder / "log.csv")
    return [(["with shape"], ["--object", folder / "box.obj"], truth), (["without shape"], [], truth)]


def offset(random, folder, k):
    """Three joints; the sensor reads 2 to 12 N and up to 0.5 N m of its own."""
    body = Body(random)
    body.write(folder / "box.obj")
    size = random.uniform(2, 12) if k % 2 else 0.0
    bias = np.concatenate([size * turn(random.normal(size=3), random.uniform(0, 3))[0], size / 24 * random.normal(size=3)])
    truth = recording(random, body, joints=3, duration=4.0, offset=bias, path=folder / "log.csv")
    kind = "offset" if k % 2 else "none"
    return [([kind], ["--object", folder / "box.obj"], truth), ([kind, "--calibrate"], ["--calibrate"], truth)]


def latency(random, folder, k):
    """Slow logs (0.06 m/s) whose wrench is 15 to 30 ms late."""
    body = Body(random)
    truth = recording(random, body, joints=3, duration=12.0, rate=50, speed=0.12, latency=random.uniform(0.015, 0.03), path=folder / "log.csv")
    return [(["as it is"], [], truth), (["--calibrate"], ["--calibrate"], truth)]


def coverage(random, folder, k):
    """How often 95 % intervals hold the truth: shapes of every kind, at three levels of noise; every second one is a tool."""
    body = Tool(random) if k % 2 else Body(random)
    body.write(folder / "box.obj")
    body.write_parts(folder / "left.obj", folder / "right.obj")
    body.write_cloud(folder / "cloud.ply", random)
    level = (0.3, 1.0, 4.0)[k % 3]
    plain = recording(random, body, joints=3, force=0.05 * level, torque=0.003 * level, path=folder / "log.csv")
    return [(["mesh"], ["--object", folder / "box.obj"], plain), (["parts"], ["--parts", folder / "left.obj", folder / "right.obj"], plain),
            (["surface cloud"], ["--object", folder / "cloud.ply"], plain), (["without shape"], [], plain)]


def calibrated(random, folder, k):
    """The same after calibration: a sensor with an offset, late by up to 20 ms, and a gripper that was weighed by itself."""
    body, gripper = Tool(random) if k % 2 else Body(random), Body(random)
    body.write(folder / "box.obj")
    bias = np.concatenate([random.normal(size=3), 0.05 * random.normal(size=3)])
    late = random.uniform(0.0, 0.02)
    truth = recording(random, body, joints=3, offset=bias, latency=late, path=folder / "biased.csv")
    recording(random, None, joints=3, offset=bias, latency=late, gripper=gripper, path=folder / "empty.csv")
    held = recording(random, body, joints=3, offset=bias, latency=late, gripper=gripper, path=folder / "held.csv")
    empty = ["--empty", folder / "empty.csv", "--log", folder / "held.csv"]
    return [(["--calibrate"], ["--calibrate", "--log", folder / "biased.csv"], truth),
            (["--calibrate, mesh"], ["--calibrate", "--object", folder / "box.obj", "--log", folder / "biased.csv"], truth),
            (["--empty"], empty, held), (["--empty, mesh"], [*empty, "--object", folder / "box.obj"], held)]


def sweep(case, logs, seed):
    counts, covered, details = {}, {}, []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for k in range(logs):
            random = np.random.default_rng([seed, k])
            for words, arguments, truth in case(random, folder, k):
                if "--log" not in arguments:
                    arguments = ["--log", folder / "log.csv", *arguments]
                answer, _ = identify(*arguments)
                word = verdict(answer, truth)
                kind = " ".join(words)
                if words == ["offset"] and not speaks_of_offset(answer):
                    word = "silent"
                counts.setdefault(kind, {}).setdefault(word, 0)
                counts[kind][word] += 1
                if answer["results"][0]["status"] != "failed":
                    covered.setdefault(kind, []).append(inside(answer, truth))
                if word != "right":
                    details.append((k, kind, word, answer["results"][0].get("mass_kg"), truth["mass"], answer["problems"][:2]))
    return counts, {kind: np.mean(rows, axis=0) for kind, rows in covered.items()}, details


if __name__ == "__main__":
    keys = dict(case="one_joint", logs="72", seed="1", details="0")
    keys.update(word.split("=", 1) for word in sys.argv[1:])
    counts, covered, details = sweep(globals()[keys["case"]], int(keys["logs"]), int(keys["seed"]))
    for kind, words in counts.items():
        print(f"{kind:24s} {words}")
        share = covered.get(kind)
        if share is not None:
            print(f"{'':24s} in 95 %: mass {share[0]:.2f}, centre {share[1:4].mean():.2f}, inertia {share[4:].mean():.2f}")
    for line in details[: int(keys["details"])]:
        print(line)
