"""Round bodies against physics: pushed with 0.9 times the answer a scene must hold, with 1.1 times it must move.

Cans, balls and capsules that stand, lie in grooves and corners, or carry each other; MuJoCo with elliptic cones. Where internal stress decides, the
scene must hold below the value without it and move above the value with it: which of the two is right is a matter of history and stiffness.
A few scenes by default; PREHEND_SLOW=1 asks 300.

As a program: round_physics_test.py [SCENES [SEED]] prints counts by kind.
"""

import collections
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import mujoco
import numpy as np

PROGRAM = Path(os.environ.get("PREHEND_BIN", "build/release/bin")) / "prehend"
SLOW = os.environ.get("PREHEND_SLOW") == "1"
G = 9.81
OPTIONS = '<option cone="elliptic" impratio="100" timestep="0.0005" solver="Newton" iterations="100" tolerance="1e-14"/>'

SOFT = 'solref="0.002 1" solimp="0.95 0.99 0.0005"'  # as stiff as the time step allows


# ---------------------------------------------------------------------------------------------- scenes

class Scene:
    def __init__(self, mu):
        self.mu, self.text, self.rims, self.planes, self.movable = mu, [], [], {}, {}

    def add(self, name, kind, size, pos, quat=(1, 0, 0, 0), mass=0.0):
        body = f'<body name="{name}" pos="{numbers(pos)}" quat="{numbers(quat)}">{"<freejoint/>" if mass else ""}'
        contact = f'friction="{self.mu:.17g}" {SOFT}'
        self.text.append(f'{body}<geom type="{kind}" size="{numbers(size)}" {f"mass={chr(34)}{mass:.17g}{chr(34)}" if mass else ""} {contact}')
        self.rims.append(rim(size, contact) if kind == "cylinder" and quat != LYING else "")
        if mass:
            self.movable[name] = (kind, np.array(size, float), np.array(pos, float), np.array(quat, float), mass)

    def wall(self, name, point, normal):
        """A large fixed board; in physics a plane, since the engine knows cylinders on planes well and on boxes less."""
        normal = np.asarray(normal, float) / np.linalg.norm(normal)
        axis, angle = np.cross([0, 0, 1], normal), math.acos(np.clip(normal[2], -1, 1))
        quat = about(axis if np.linalg.norm(axis) > 1e-9 else (1, 0, 0), angle)
        self.add(name, "box", (2, 2, 0.1), np.asarray(point, float) - 0.1 * normal, quat)
        self.planes[len(self.text) - 1] = (f'<body name="{name}" pos="{numbers(point)}" quat="{numbers(quat)}"><geom type="plane" size="3 3 0.1" '
                                           f'friction="{self.mu:.17g}" {SOFT}')

    def floor(self):
        self.wall("floor", (0, 0, 0), (0, 0, 1))

    def mjcf(self):
        return f'<mujoco>{OPTIONS}<worldbody>{"".join(body + "/></body>" for body in self.text)}</worldbody></mujoco>'

    def physics(self):
        bodies = "".join(f'{self.planes.get(k, body)} contype="1" conaffinity="3"/>{rim}</body>' for k, (body, rim) in enumerate(zip(self.text, self.rims)))
        return f'<mujoco>{OPTIONS}<worldbody>{bodies}</worldbody></mujoco>'


def rim(size, contact):
    """The engine finds three or four points of a disc, and cans tip too soon: small balls at both rims find the others."""
    small = 0.01 * size[0]
    places = [((size[0] - small) * math.cos(t), (size[0] - small) * math.sin(t), z * (size[1] - small))
              for t in np.arange(32) * math.pi / 16 for z in (-1, 1)]
    return "".join(f'<geom type="sphere" size="{small:.17g}" pos="{numbers(p)}" mass="0" contype="2" conaffinity="0" {contact}/>' for p in places)


def numbers(values):
    return " ".join(f"{float(x):.17g}" for x in values)


def about(axis, angle):
    return (math.cos(angle / 2), *(math.sin(angle / 2) * np.asarray(axis, float) / np.linalg.norm(axis)))


LYING = about((1, 0, 0), math.pi / 2)  # a cylinder's axis along y


def random_mass(rng):
    return rng.uniform(0.2, 3)


def standing(rng):
    scene = Scene(rng.uniform(0.2, 0.8))
    scene.floor()
    z, reach = 0.0, 0.0
    for k in range(rng.integers(1, 4)):
        r, h = rng.uniform(0.03, 0.1), rng.uniform(0.03, 0.15)
        offset = np.zeros(2) if k == 0 else rng.uniform(-0.5, 0.5, 2) * reach
        if rng.random() < 0.7:
            scene.add(f"can{k}", "cylinder", (r, h), (*offset, z + h), about((0, 0, 1), rng.uniform(0, 6)), random_mass(rng))
        else:
            scene.add(f"box{k}", "box", (r, r, h), (*offset, z + h), mass=random_mass(rng))
        z, reach = z + 2 * h, r
    return scene


def groove(rng):
    """A can, a capsule or a ball in a V; boards at 20 to 60 degrees."""
    scene = Scene(rng.uniform(0.15, 0.8))
    angle, r = math.radians(rng.uniform(20, 60)), rng.uniform(0.03, 0.1)
    for side in (-1, 1):
        along, normal = np.array([side * math.cos(angle), 0, math.sin(angle)]), np.array([-side * math.sin(angle), 0, math.cos(angle)])
        scene.wall(f"board{side + 1}", 2 * along, normal)
    at = (0, 0, r / math.cos(angle))
    kind = rng.choice(["cylinder", "capsule", "sphere"])
    if kind == "sphere":
        scene.add("ball", "sphere", (r,), at, mass=random_mass(rng))
    else:
        scene.add("can", kind, (r, rng.uniform(0.05, 0.2)), at, LYING, random_mass(rng))
    return scene


def corner(rng):
    """A ball or a lying can on the floor against one or two walls."""
    scene = Scene(rng.uniform(0.2, 0.8))
    scene.floor()
    r = rng.uniform(0.04, 0.12)
    scene.wall("wall_x", (-r, 0, 2.001), (1, 0, 0))
    if rng.random() < 0.5:
        scene.wall("wall_y", (0, -r, 2.001), (0, 1, 0))
        scene.add("ball", "sphere", (r,), (0, 0, r), mass=random_mass(rng))
    else:
        scene.add("can", "cylinder", (r, rng.uniform(0.05, 0.2)), (0, 0, r), LYING, random_mass(rng))
    return scene


def chocked(rng):
    """A lying can between two boxes that may slide."""
    scene = Scene(rng.uniform(0.25, 0.8))
    scene.floor()
    r, length = rng.uniform(0.04, 0.1), rng.uniform(0.05, 0.15)
    scene.add("can", "cylinder", (r, length), (0, 0, r), LYING, random_mass(rng))
    for side in (-1, 1):
        a = rng.uniform(0.02, 0.08)
        height = rng.uniform(r, 1.5 * r)
        scene.add(f"chock{side + 1}", "box", (a, length, height / 2), (side * (r + a), 0, height / 2), mass=random_mass(rng))
    return scene


def balls(rng):
    """Three balls on the floor and one on them."""
    scene = Scene(rng.uniform(0.3, 0.9))
    scene.floor()
    r = rng.uniform(0.03, 0.1)
    top = r * rng.uniform(0.7, 1.3)
    ring = 2 * r / math.sqrt(3)
    for k in range(3):
        t = 2 * math.pi * k / 3
        scene.add(f"ball{k}", "sphere", (r,), (ring * math.cos(t), ring * math.sin(t), r), mass=(mass := random_mass(rng)) if k == 0 else mass)
    scene.add("top", "sphere", (top,), (0, 0, r + math.sqrt((r + top) ** 2 - ring ** 2)), mass=random_mass(rng))
    return scene


def carried(rng):
    """A box on a standing can, or a ball in a fixed cradle of four balls."""
    scene = Scene(rng.uniform(0.25, 0.8))
    scene.floor()
    if rng.random() < 0.5:
        r, h = rng.uniform(0.04, 0.1), rng.uniform(0.05, 0.15)
        scene.add("can", "cylinder", (r, h), (0, 0, h), mass=random_mass(rng))
        a = rng.uniform(0.5, 2, 3) * r
        scene.add("box", "box", a, (*rng.uniform(-0.4, 0.4, 2) * r, 2 * h + a[2]), about((0, 0, 1), rng.uniform(0, 6)), random_mass(rng))
    else:
        r, s = rng.uniform(0.03, 0.06), rng.uniform(0.05, 0.1)
        for k in range(4):
            t = math.pi / 2 * k
            scene.add(f"cradle{k}", "sphere", (r,), (1.3 * r * math.cos(t), 1.3 * r * math.sin(t), r))
        scene.add("ball", "sphere", (s,), (0, 0, r + math.sqrt((r + s) ** 2 - (1.3 * r) ** 2)), mass=random_mass(rng))
    return scene


KINDS = {f.__name__: f for f in (standing, groove, corner, chocked, balls, carried)}


def random_push(rng, scene):
    """A point on a movable body's surface, and a direction into it."""
    name = list(scene.movable)[rng.integers(len(scene.movable))]
    kind, size, pos, quat, _ = scene.movable[name]
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, quat)
    d = rng.normal(size=3)
    d /= np.linalg.norm(d)
    if kind == "sphere":
        p, n = size[0] * d, d
    elif kind == "capsule":
        p = size[0] * d + [0, 0, size[1] * np.sign(d[2])]
        n = d
    elif kind == "cylinder":
        if rng.random() < 0.5:
            n = np.array([d[0], d[1], 0]) / math.hypot(d[0], d[1])
            p = size[0] * n + [0, 0, rng.uniform(-1, 1) * size[1]]
        else:
            n = np.array([0, 0, np.sign(d[2])])
            p = np.array([*(d[:2] * size[0] * 0.8), n[2] * size[1]])
    else:
        axis, sign = rng.integers(3), rng.choice([-1, 1])
        n = np.eye(3)[axis] * sign
        p = rng.uniform(-0.9, 0.9, 3) * size
        p[axis] = sign * size[axis]
    R = R.reshape(3, 3)
    into = -R @ n + rng.uniform(0, 0.8) * rng.normal(size=3)
    return name, pos + R @ p, into / np.linalg.norm(into)


# ---------------------------------------------------------------------------------------------- physics

def moves(scene, push, force):
    """Whether anything has left its place by 4 mm or 2 degrees a second after the push has reached its size."""
    model = mujoco.MjModel.from_xml_string(scene.physics())
    data = mujoco.MjData(model)
    name, point, d = push
    body = model.body(name).id
    mujoco.mj_forward(model, data)
    local = data.xmat[body].reshape(3, 3).T @ (point - data.xpos[body])
    ramp, rest, hold = 0.3, 0.2, 1.0
    dt, start = model.opt.timestep, None
    for step in range(int((rest + ramp + hold) / dt)):
        t = step * dt
        if t >= rest and start is None:
            start = data.qpos.copy()
        size = force * min(1.0, max(0.0, (t - rest) / ramp))
        at = data.xpos[body] + data.xmat[body].reshape(3, 3) @ local
        data.xfrc_applied[body, :3] = size * d
        data.xfrc_applied[body, 3:] = np.cross(at - data.xipos[body], size * d)
        mujoco.mj_step(model, data)
        if step % 50 == 0 and start is not None:
            gone, turn = travelled(model, start, data.qpos)
            if gone > 0.03 or turn > 0.35:
                return True
    gone, turn = travelled(model, start, data.qpos)
    return gone > 4e-3 or turn > math.radians(2)


def travelled(model, before, after):
    gone = turn = 0.0
    for k in range(model.nq // 7):
        a, b = before[7 * k:7 * k + 7], after[7 * k:7 * k + 7]
        gone = max(gone, np.linalg.norm(b[:3] - a[:3]))
        turn = max(turn, 2 * math.acos(min(1.0, abs(np.dot(a[3:], b[3:])))))
    return gone, turn


def rests(scene):
    return not moves(scene, (next(iter(scene.movable)), np.zeros(3), np.zeros(3)), 0.0)


def ask(folder, scene, pushes):
    file, table = folder / "scene.xml", folder / "pushes.csv"
    file.write_text(scene.mjcf())
    with table.open("w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow("body x y z dx dy dz".split())
        for name, point, d in pushes:
            rows.writerow([name, *(f"{x:.17g}" for x in (*point, *d))])
    done = subprocess.run([PROGRAM, "robustness", file, "--queries", table, "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr + done.stdout
    return json.loads(done.stdout)


def judge(scene, push, found):
    """What physics says against the answer; "" where it agrees."""
    weight = G * sum(mass for *_, mass in scene.movable.values())
    high = math.inf if found["unbounded"] else found["robustness_N"]
    low = found["without_prestress_N"] if found.get("without_prestress_N") is not None else high
    most = 5 * weight  # beyond, contacts would be deeper than the motion that is looked for
    if high < 1e-3 * weight:
        return "" if moves(scene, push, 0.05 * weight) else f"holds 0.05 of the weight, {high:.3g} N there"
    # Rolling that nothing but contact springs resists: neither side tells a small fraction of the weight from none.
    if low > 0.005 * weight and moves(scene, push, min(0.9 * low, most)):
        return f"moves at 0.9 of {low:.4g} N ({found['mode']})"
    if 1.1 * high < most and not moves(scene, push, 1.1 * high):
        return f"holds at 1.1 of {high:.4g} N ({found['mode']})"
    # Nothing is held without internal stress, and none is there: half of what statics allows moves it.
    if low < 1e-3 * high and 0.005 * weight < 0.5 * high < most and not moves(scene, push, 0.5 * high):
        return f"holds {0.5 * high:.4g} N, of {low:.4g} to {high:.4g} N ({found['mode']})"
    return ""


def sweep(scenes, seed):
    counts, wrong = {kind: collections.Counter() for kind in KINDS}, []
    with tempfile.TemporaryDirectory() as name:
        for k in range(scenes):
            rng = np.random.default_rng([seed, k])
            kind = list(KINDS)[k % len(KINDS)]
            scene = KINDS[kind](rng)
            push = random_push(rng, scene)
            answer = ask(Path(name), scene, [push])
            if answer["status"] != "ok":
                agree = answer["status"] == "unstable" and not rests(scene)
                counts[kind]["falls" if agree else "wrong"] += 1
                if not agree:
                    wrong.append(f"{kind} {k} of seed {seed}: {answer['status']}, rests in physics")
                continue
            what = judge(scene, push, answer["results"][0])
            counts[kind]["wrong" if what else "right"] += 1
            if what:
                wrong.append(f"{kind} {k} of seed {seed}: {what}")
    return counts, wrong


def test_physics_agrees_on_hold_and_move():
    scenes = 300 if SLOW else 12
    counts, wrong = sweep(scenes, 6001)
    print("\n".join(f"{kind} {dict(count)}" for kind, count in counts.items()))
    assert len(wrong) <= 0.03 * scenes, "\n".join(wrong)


if __name__ == "__main__":
    done = sweep(int(sys.argv[1]) if len(sys.argv) > 1 else 60, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for kind, count in done[0].items():
        print(kind, dict(count))
    print("\n".join(done[1]))
