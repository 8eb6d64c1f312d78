"""Judges `prehend knot name` and `knot moves` on ropes as trackers give them, made from formulas of this file: counts of answers.

  rope_judge.py [ropes=360] [films=160] [seed=1] [details=0] [noise=estimated]

Ropes: knots of the table from their braid words (SnapPy), torus and Lissajous knots, as loops in any position or cut open on the outside, 0.6 to 2 m long; random
walks, whose names are SnapPy's. Films: one move is done to a rope in 8 to 24 frames. `wrong ok` is what must not happen; a doubtful answer says that it is one."""

import collections
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import snappy

PREHEND = Path(os.environ.get("PREHEND_BIN", "build/release/bin")) / "prehend"
TABLE = [f"{c}_{i}" for c, most in ((3, 1), (4, 1), (5, 2), (6, 3), (7, 7), (8, 21), (9, 49)) for i in range(1, most + 1)]
TORUS = {"3_1": (2, 3), "5_1": (2, 5), "7_1": (2, 7), "9_1": (2, 9), "8_19": (3, 4), "10_124": (3, 5)}
LISSAJOUS = {"5_2": (3, 2, 7, 0.7, 0.2), "6_1": (3, 2, 5, 1.5, 0.2)}
KINDS = ["noise", "dense", "few", "uneven", "repeated", "jump", "millimetres", "exact", "torus", "lissajous", "little noise", "walk"]


def braid_loop(word, dense=24):
    """A closed braid around the z axis: the strand at place a and its neighbour change places in a letter's sector."""
    points, place, strands = [], 0, max(map(abs, word)) + 1
    while True:
        for k, letter in enumerate(word):
            a, up = abs(letter) - 1, 1 if letter > 0 else -1
            for s in np.arange(dense) / dense:
                u, r, z = s * s * (3 - 2 * s), place, 0
                if place in (a, a + 1):
                    r, z = (a + u, up) if place == a else (a + 1 - u, -up)
                    z *= np.sin(np.pi * s)
                angle, radius = 2 * np.pi * (k + s) / len(word), (1.6 if strands < 5 else 2.0) + 0.9 * r
                points.append([radius * np.cos(angle), radius * np.sin(angle), 0.45 * z])
            place = a + 1 if place == a else a if place == a + 1 else place
        if place == 0:
            return np.array(points)


def cut_open(loop):
    """Cut where it is farthest from the axis, the ends led away."""
    line = np.roll(loop, -int(np.argmax(np.hypot(loop[:, 0], loop[:, 1]))), axis=0)
    cut = max(3, len(line) // 80)
    line = line[cut:-cut]
    away = np.linspace(0, 0.75 * np.ptp(loop, axis=0).max(), 60)[1:, None]
    out = [np.r_[p[:2], 0] / np.hypot(*p[:2]) for p in (line[0], line[-1])]
    side = [np.r_[-d[1], d[0], 0] * np.sign(np.dot(np.r_[-d[1], d[0], 0], p - q)) for d, p, q in ((out[0], line[0], line[-1]), (out[1], line[-1], line[0]))]
    return np.vstack([line[0] + away[::-1] * (out[0] + 0.25 * side[0]), line, line[-1] + away * (out[1] + 0.25 * side[1])])


def sampled(line, count, closed, random=None, uneven=0.0):
    whole = np.vstack([line, line[:1]]) if closed else line
    s = np.r_[0, np.cumsum(np.linalg.norm(np.diff(whole, axis=0), axis=1))]
    steps = count if closed else count - 1
    at = np.arange(count) / steps
    if uneven:
        at = np.r_[0, np.cumsum(np.exp(uneven * random.normal(size=steps)))]
        at = (at / at[-1])[:count]
    return np.stack([np.interp(at * s[-1], s, whole[:, k]) for k in range(3)], 1)


def rotation(random):
    q, r = np.linalg.qr(random.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.linalg.det(q)


def run(*words):
    done = subprocess.run([str(w) for w in (PREHEND, "knot", *words, "--json")], capture_output=True, text=True, timeout=300)
    return done.returncode, json.loads(done.stdout)


def write(path, points):
    np.savetxt(path, points, delimiter=",", header="x,y,z", comments="", fmt="%.9g")


def name_by_snappy(path):
    frame = run("read", path, "--codes", "--noise", 0)[1]["frames"][0]
    if frame["status"] != "ok":
        return None
    pd = frame["closed_over"]["pd"]
    link = snappy.Link([tuple(crossing) for crossing in pd]) if pd else None
    if link is not None:
        link.simplify("global")
    if link is None or not link.crossings:
        return "0_1"
    names = [str(one).split("(")[0] for one in link.exterior().identify()]
    return next((n for n in names if n[0].isdigit() and "_" in n), "3_1" if len(link.crossings) == 3 else "?")


def rope(kind, random):
    """Its name, its points, and whether it is a loop."""
    name, closed = str(random.choice(TABLE[:14] if random.random() < 0.6 else TABLE)), bool(random.random() < 0.5)
    if kind == "walk":
        steps = random.normal(size=(int(random.integers(40, 400)), 3))
        return None, np.cumsum(0.02 * steps / np.linalg.norm(steps, axis=1)[:, None], axis=0), False
    if kind in ("torus", "lissajous"):
        t, closed = np.arange(3000) * 2 * np.pi / 3000, True
        name = str(random.choice(list(TORUS if kind == "torus" else LISSAJOUS)))
        if kind == "torus":
            p, q = TORUS[name]
            line = np.stack([(1 + 0.4 * np.cos(q * t)) * np.cos(p * t), (1 + 0.4 * np.cos(q * t)) * np.sin(p * t), 0.4 * np.sin(q * t)], 1)
        else:
            a, b, c, f, g = LISSAJOUS[name]
            line = np.stack([np.cos(a * t + f), np.cos(b * t + g), np.cos(c * t)], 1)
    else:
        line = braid_loop(snappy.Link(name).braid_word())
        line = line if closed else cut_open(line)
    line = line * random.uniform(0.6, 2.0) / np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    count = int(random.integers(*{"few": (15, 31), "dense": (400, 1000)}.get(kind, (100, 400))))
    points = sampled(line, count, closed, random, 0.8 if kind == "uneven" else 0.0)
    noise = {"noise": (5e-4, 5e-3), "dense": (5e-4, 5e-3), "exact": (0, 0), "little noise": (1e-4, 1e-3)}.get(kind, (5e-4, 5e-4))
    points = points + random.uniform(*noise) * random.normal(size=points.shape)
    if kind == "repeated":
        again = np.sort(random.integers(0, count, count // 5))
        points = np.insert(points, again, points[again], axis=0)
    if kind == "jump":
        points[random.choice(count, 3, replace=False)] += 0.1 * random.normal(size=(3, 3))
    points = points @ rotation(random).T if closed else points
    return name, points * (1000 if kind == "millimetres" else 1), closed


def judge_rope(kind, random, path, options):
    name, points, closed = rope(kind, random)
    write(path, points)
    name = name or name_by_snappy(path)
    if name is None:
        return "not judged", ""
    code, answer = run("name", path, *(["--closed"] if closed else []), *options)
    if code != 0:
        return str(answer["status"]), name
    named = {answer["name"], (answer.get("under") or {}).get("name")}
    return ("right " if name == "?" or name in named else "wrong ") + answer["status"], f"{name} got {answer['name']}, {len(points)} points"


def through(points, count):
    from scipy.interpolate import CubicSpline
    points = np.array(points, float)
    s = np.r_[0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))]
    return sampled(CubicSpline(s, points)(np.linspace(0, s[-1], 4000)), count, False)


def moved(kind, u, count, up):
    """The rope when the move is done to the share u."""
    u = u * u * (3 - 2 * u)
    straight, back = [[x, 0, 0] for x in (-1, -0.5, 0, 0.5, 1)], [[1.25, 0.3, 0], [1, 0.6, 0.02]]
    if kind == "R1":
        x = np.linspace(-1, 1, count)
        near = np.exp(-((x / 0.25) ** 2))
        return np.stack([x - 1.8 * u * x * near, 0.35 * u * near + 0.05 * x, 0.06 * up * u * np.sin(np.pi * np.clip(x / 0.25, -1, 1))], 1)
    if kind == "R2":
        y = 0.35 - 0.7 * u
        line = straight + back + [[0.5, 0.6, 0.04], [0.25, 0.5, 0.06], [0.12, y + 0.15, 0.07], [0, y, 0.08], [-0.12, y + 0.15, 0.07], [-0.25, 0.5, 0.06], [-0.5, 0.6, 0.04], [-1, 0.6, 0]]
    elif kind == "cross":
        y = 0.4 - 0.8 * u
        line = straight + back + [[0.5, 0.65, 0.05], [0.2, 0.6, 0.07], [0.1, y + 0.12, 0.08], [0.08, y, 0.08]]
    else:
        o = (0.35 - 0.7 * u) / 2
        line = straight + [[1.6, -0.9, 0.03], [1, -1.5, 0.05], [0.2, -1.4, 0.06]] + [[0, y, 0.06] for y in (-0.9, -0.4, 0, 0.4, 0.9)]
        line += [[-0.2, 1.5, 0.09], [-0.9, 1.6, 0.12]] + [[o + x, o - x, 0.12] for x in (-1.3, -0.6, 0, 0.6, 0.75, 0.95)] + [[1.6, -1.8, 0.12]]
    return through([[x, y, up * z] for x, y, z in line], count)


def judge_film(kind, noise, random, path, options):
    count, frames, up = int(random.integers(80, 300)), int(random.integers(8, 25)), int(random.choice([-1, 1]))
    backwards, length, turn = random.random() < 0.4, random.uniform(1, 2), random.uniform(0, 6.3)
    R = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    rows, scale = ["frame,t,x,y,z"], None
    for frame in range(frames):
        u = frame / (frames - 1)
        line = moved(kind, 1 - u if backwards else u, count, up)
        scale = scale or length / np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
        line = scale * line @ R.T + noise * random.normal(size=line.shape)
        rows += [f"{frame},{frame / 30:.6g},{x:.7g},{y:.7g},{z:.7g}" for x, y, z in line]
    path.write_text("\n".join(rows) + "\n")
    code, answer = run("moves", path, *options)
    if code != 0:
        return str(answer["status"]), ""
    seen = [{move["move"] for move in t["candidates"]} for t in answer["transitions"]]
    if len(seen) == 1 and kind in seen[0]:
        return "right", ""
    return "more than the move" if any(kind in one for one in seen) else "wrong", str(seen)


def main():
    keys = dict(ropes="360", films="160", seed="1", details="0", noise="")
    keys.update(word.split("=", 1) for word in sys.argv[1:])
    options = ["--noise", keys["noise"]] if keys["noise"] else []
    counts, details = collections.defaultdict(collections.Counter), []
    films = [(move, noise) for noise in (0, 5e-4, 1.5e-3, 3e-3) for move in ("R1", "R2", "R3", "cross")]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rope.csv"
        for k in range(int(keys["ropes"])):
            kind = KINDS[k % len(KINDS)]
            word, detail = judge_rope(kind, np.random.default_rng([int(keys["seed"]), k]), path, options)
            counts[kind][word] += 1
            details += [f"rope {k} {kind}: {word}; {detail}"] if "wrong" in word else []
        for k in range(int(keys["films"])):
            move, noise = films[k % len(films)]
            word, detail = judge_film(move, noise, np.random.default_rng([int(keys["seed"]), 1, k]), path, options)
            counts[f"film, {1000 * noise:g} mm"][word] += 1
            details += [f"film {k} {move}, {noise} m: {word}; {detail}"] if word != "right" else []
    for kind, of in counts.items():
        print(f"{kind:16s} " + ", ".join(f"{word} {n}" for word, n in sorted(of.items())), flush=True)
    for line in details[: int(keys["details"])]:
        print(line)


if __name__ == "__main__":
    main()
