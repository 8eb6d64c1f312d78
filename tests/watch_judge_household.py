"""A second judge for `prehend watch`: things of a household and a workshop, with motions that tests/watch_judge.py does not have.

Parts are handled the way people do: both hands move, speeds vary, a part is put in, taken out and put in again, the recording begins or ends
in contact. Meshes are in metres or millimetres, finely cut, in single precision; coordinates may lie kilometres off. Trackers run at 10 to 60 Hz with
errors that are even, three to six times larger in depth and tilt, or heavy-tailed. Each state's eight numbers were counted by hand. Run as a program:
    watch_judge_household.py PREHEND SEED COUNT [--kind KIND] [--errors exact|even|directed|heavy] [--keep DIR]
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
from watch_judge import (EDGE, FLAT, FREE, SLOT, SLOT_END, THREE, TWO, Film, box, cells, cut_finer, landing, line, numbers_of, prism, quaternion,
                         random_rotation, turn, turn_by, upright, watch, write_mesh)

CORNER, SLOT_CORNER, SEATED = "210 300 10", "021 012 33", "030 030 33"
# Passed in no time where a part enters a slot of its own width: edges between edges.
PASSED = {"usb": ["300 300 23"], "bit": ["300 300 23"], "bolt": ["300 300 23"]}


def still(position, R=np.eye(3)):
    return line(position, position, R)


def lifted(a, b, height):
    """Up, across and down again; nothing is touched on the way."""
    a, b = np.array(a, float), np.array(b, float)
    return lambda s: (turn([0, 0, 1], 0.12 * np.sin(np.pi * s)), a + s * (b - a) + np.array([0, 0, height * np.sin(np.pi * s)]))


# Things -------------------------------------------------------------------------------------------------------------------------------

def book(rng):
    """A book onto a shelf between two others, against one of them, to the back of the shelf."""
    thick, tall, deep = rng.uniform(0.02, 0.035), rng.uniform(0.12, 0.18), rng.uniform(0.09, 0.12)
    play, other = rng.uniform(0.012, 0.018), 0.025
    x = [0, other, other + thick + play, 2 * other + thick + play]
    fixed = cells(x, [-0.13, 0, deep, deep + 0.012], [-0.012, 0, 0.9 * tall], lambda i, j, k: k == 0 or j == 2 or (j == 1 and i != 1))
    y0, y1 = -0.125, deep - 0.8 * deep
    film = Film(box(thick, 0.8 * deep, tall), fixed).take(FREE, landing([other + play / 2, y0, 0], 0.09, rng, aside=0.0))
    film.take(FLAT, line([other + play / 2, y0, 0], [other, 0.3 * y0, 0]))
    return film.take(TWO, line([other, 0.3 * y0, 0], [other, y1, 0])).take(THREE, still([other, y1, 0]))


def battery(rng):
    """A cell of eight sides into a tray with end walls, against one end."""
    r, long, play = rng.uniform(0.009, 0.014), rng.uniform(0.045, 0.06), rng.uniform(0.007, 0.01)
    ring = [(r / np.cos(np.pi / 8) * np.cos(a), r / np.cos(np.pi / 8) * np.sin(a)) for a in (np.arange(8) + 0.5) * np.pi / 4]
    moving = prism(ring, 0.0, long)
    wide = r + play
    fixed = cells([-wide - 0.006, -wide, wide, wide + 0.006], [-0.006, 0, long + 2 * play, long + 2 * play + 0.006], [-r - 0.006, -r, 0.4 * r],
                  lambda i, j, k: k == 0 or i != 1 or j != 1)
    film = Film(moving, fixed).take(FREE, lambda s: (turn([0, 0, 1], 0.03 * (1 - min(1.0, 1.5 * s))), np.array([0, play, 0.08 * (1 - s)])))
    film.take(FLAT, line([0, play, 0], [0.2 * play, 0, 0]))
    return film.take(TWO, line([0.2 * play, 0, 0], [-0.5 * play, 0, 0]))


def usb(rng):
    """A flat plug into a socket of its height, to its end, to its side."""
    tall, wide, play, deep = rng.uniform(0.012, 0.018), rng.uniform(0.03, 0.045), rng.uniform(0.007, 0.01), rng.uniform(0.03, 0.045)
    E = 0.015
    fixed = cells([-E, 0, wide + 2 * play, wide + 2 * play + E], [0, deep, deep + E], [-E, 0, tall, tall + E], lambda i, j, k: j == 1 or i != 1 or k != 1)
    film = Film(box(wide, deep + 0.03, tall), fixed)
    film.take(FREE, line([play, -deep - 0.09, 0], [play, -deep - 0.03, 0]))
    film.take(SLOT, line([play, -deep - 0.03, 0], [1.2 * play, -0.03, 0]))
    return film.take(SLOT_END, line([1.2 * play, -0.03, 0], [0, -0.03, 0])).take(SLOT_CORNER, still([0, -0.03, 0]))


def ring_on_post(rng):
    """A gear's hub with a square hole over a post with play, down to its foot, against it, up along it, off and on again."""
    post, play, thick = rng.uniform(0.012, 0.018), rng.uniform(0.006, 0.009), rng.uniform(0.008, 0.014)
    h, H, tall = post / 2, post / 2 + play, rng.uniform(0.03, 0.045)
    E, F = H + rng.uniform(0.015, 0.025), 0.06
    fixed = cells([-F, -h, h, F], [-F, -h, h, F], [-0.012, 0, tall], lambda i, j, k: k == 0 or (i == 1 and j == 1))
    moving = cells([-E, -H, H, E], [-E, -H, H, E], [0, thick], lambda i, j, k: i != 1 or j != 1)
    film = Film(moving, fixed).take(FREE, line([0, 0, tall + 0.05], [0, 0, 0])).take(FLAT, line([0, 0, 0], [play, 0.2 * play, 0]))
    film.take(TWO, line([play, 0.2 * play, 0], [play, -0.4 * play, 0]))
    film.take(FLAT, line([play, -0.4 * play, 0], [play, 0, 0.6 * tall]))
    film.take(FREE, lambda s: (np.eye(3), np.array([play * (1 - min(1.0, 4 * s)), 0, 0.6 * tall * (1 - s) + tall * np.sin(np.pi * s)])))
    return film.take(FLAT, line([0, 0, 0], [-0.4 * play, 0, 0]))


def cup_on_hook(rng):
    """A handle over a bar that stands out of a wall, hung on it, pushed to the wall."""
    bar, hole, arm, wide = rng.uniform(0.01, 0.014), rng.uniform(0.03, 0.04), 0.01, rng.uniform(0.012, 0.018)
    long, W = rng.uniform(0.06, 0.08), 0.07
    # The bar lies along y from the wall at y = 0 to -long; its upper face is z = 0.
    fixed = cells([-W, -bar / 2, bar / 2, W], [-long, 0, 0.012], [-W, -bar, 0, W], lambda i, j, k: j == 1 or (i == 1 and k == 1))
    # The handle is a frame in x and z; the lower face of its upper bar is z = 0.
    moving = cells([-hole / 2 - arm, -hole / 2, hole / 2, hole / 2 + arm], [-wide, 0], [-hole - 0.03, -hole, 0, arm], lambda i, j, k: i != 1 or k != 1)
    low = (hole - bar) / 2
    film = Film(moving, fixed)
    film.take(FREE, lambda s: (turn([0, 0, 1], 0.15 * max(0.0, 1 - 2 * s)), np.array([0, -long - 0.06 + s * (0.06 + 0.4 * long), low * (1 - s)])))
    return film.take(FLAT, line([0, -0.6 * long, 0], [0.1 * hole, 0, 0])).take(TWO, line([0.1 * hole, 0, 0], [-0.1 * hole, 0, 0]))


def stairs(rng):
    """A block set on a step, pushed to the riser, drawn up along it, set on the next step, and again."""
    run, rise, wide = rng.uniform(0.05, 0.065), rng.uniform(0.025, 0.035), rng.uniform(0.08, 0.1)
    fixed = cells([0, run, 2 * run, 3 * run], [0, wide], [-0.015, rise, 2 * rise, 3 * rise], lambda i, j, k: k <= i)
    a, b, c = rng.uniform(0.5, 0.6) * run, rng.uniform(0.4, 0.6) * wide, rng.uniform(0.02, 0.03)
    y = 0.5 * (wide - b)
    film = Film(box(a, b, c), fixed).take(FREE, landing([0.1 * run, y, rise], 0.1, rng, aside=0.0))
    for step in (1, 2):
        z, wall = step * rise, step * run - a
        film.take(FLAT, line([(step - 0.9) * run, y, z], [wall, y, z])).take(TWO, line([wall, y, z], [wall, y + 0.01, z]))
        if step == 1:
            up = 0.8 * rise  # along the riser; then away from it, over its edge and down
            film.take(FLAT, line([run - a, y + 0.01, rise], [run - a, y, rise + up]))
            film.take(FREE, lambda s: (np.eye(3), np.array([run - a - 0.02 * np.sin(np.pi * min(1.0, 2 * s)) + max(0.0, 2 * s - 1) * (a + 0.1 * run), y,
                                                            rise + up + s * (rise - up) + 0.06 * np.sin(np.pi * s)])))
    return film


def puzzle(rng):
    """A piece like a T into an opening of its outline with play."""
    from watch_judge import pocket
    bar, stem, arm, play, deep = rng.uniform(0.05, 0.065), rng.uniform(0.018, 0.024), rng.uniform(0.016, 0.022), rng.uniform(0.006, 0.008), rng.uniform(0.015, 0.022)

    def outline(g):
        return [(-stem / 2 - g, -0.03 - g), (stem / 2 + g, -0.03 - g), (stem / 2 + g, -g), (bar / 2 + g, -g), (bar / 2 + g, arm + g), (-bar / 2 - g, arm + g),
                (-bar / 2 - g, -g), (-stem / 2 - g, -g)]
    return pocket(rng, outline(play), upright(outline(0.0), deep + 0.015), deep, play)


def tenon(rng):
    """A tenon into a mortise, its lower face on that of the mortise, to its shoulder, to a side; drawn out along both, lifted off, in again."""
    t, w, play, long = rng.uniform(0.014, 0.02), rng.uniform(0.03, 0.04), rng.uniform(0.006, 0.009), rng.uniform(0.03, 0.04)
    E = 0.02
    fixed = cells([0, 0.02 + long], [-E, 0, w + 2 * play, w + 2 * play + E], [-E, 0, t + 2 * play, t + 2 * play + E], lambda i, j, k: j != 1 or k != 1)
    # A through mortise along x; the tenon's tip points to +x, its shoulder is at x = 0.
    moving = cells([-0.04, 0, long], [-0.01, 0, w, w + 0.01], [-0.01, 0, t, t + 0.01], lambda i, j, k: i == 0 or (j == 1 and k == 1))
    film = Film(moving, fixed).take(FREE, line([-long - 0.07, play, play], [-0.55 * long, play, 0]))
    film.take(FLAT, line([-0.55 * long, play, 0], [0, 1.1 * play, 0]))
    film.take(TWO, line([0, 1.1 * play, 0], [0, 0, 0])).take(THREE, still([0, 0, 0]))
    film.take(TWO, line([0, 0, 0], [-0.4 * long, 0, 0]))
    film.take(FREE, lambda s: (np.eye(3), np.array([-long * (0.4 + 0.3 * np.sin(np.pi * s)), play * min(1.0, 4 * s), play * np.sin(np.pi * s)])))
    return film.take(FLAT, line([-0.4 * long, play, 0], [-0.1 * long, 1.1 * play, 0]))


def ring_on_pyramid(rng):
    """A square ring that falls onto a blunt pyramid and stays where it fits."""
    r, top, tall = rng.uniform(0.035, 0.045), rng.uniform(0.008, 0.012), rng.uniform(0.05, 0.07)
    p = [[x * s, y * s, z] for s, z in ((r, 0.0), (top, tall)) for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    faces = [(0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7)] + [t for a in range(4) for b in [(a + 1) % 4] for t in ((a, b, b + 4), (a, b + 4, a + 4))]
    fixed = np.array([[p[i] for i in t] for t in faces], float)
    share = rng.uniform(0.4, 0.6)
    hole = r + share * (top - r)
    out = hole + rng.uniform(0.01, 0.02)
    moving = cells([-out, -hole, hole, out], [-out, -hole, hole, out], [0, rng.uniform(0.006, 0.01)], lambda i, j, k: i != 1 or j != 1)
    z = share * tall
    return Film(moving, fixed).take(FREE, line([0, 0, z + 0.09], [0, 0, z])).take(SEATED, still([0, 0, z]))


def pocket_slide(rng):
    """A block pushed along a table until it falls into a pocket, into whose corner it is pushed."""
    a, b, c, deep = rng.uniform(0.03, 0.04), rng.uniform(0.03, 0.04), rng.uniform(0.025, 0.035), rng.uniform(0.02, 0.03)
    play = rng.uniform(0.008, 0.012)
    X, Y = a + 2 * play, b + 2 * play
    fixed = cells([-0.1, 0, X, X + 0.02], [-0.03, 0, Y, Y + 0.03], [-deep - 0.012, -deep, 0], lambda i, j, k: k == 0 or i != 1 or j != 1)
    film = Film(box(a, b, c), fixed).take(FREE, landing([-0.09, play, 0], 0.09, rng, aside=0.0))
    # It is held while it is pushed over the pocket: the part lies on two sides of the pocket until it is let down.
    film.take(FLAT, line([-0.09, play, 0], [-a / 2, play, 0]))
    film.take(FREE, lambda s: (np.eye(3), np.array([-a / 2 + min(1.0, 2 * s) * (a / 2 + play), play, 0.02 * np.sin(np.pi * min(1.0, 1.6 * s)) - deep * max(0.0, s - 0.5) * 2])))
    film.take(FLAT, line([play, play, -deep], [0, 1.3 * play, -deep]))
    return film.take(TWO, line([0, 1.3 * play, -deep], [0, 0, -deep])).take(THREE, still([0, 0, -deep]))


def bit(rng):
    """The blade of a screwdriver into the slot of a screw, to its ground, along it, out and in again."""
    thick, blade, deep, head = rng.uniform(0.012, 0.016), rng.uniform(0.03, 0.04), rng.uniform(0.02, 0.025), rng.uniform(0.08, 0.1)
    E = 0.025
    fixed = cells([-E, 0, thick, thick + E], [0, head], [-deep - 0.015, -deep, 0], lambda i, j, k: k == 0 or i != 1)
    y = 0.5 * (head - blade)
    film = Film(box(thick, blade, deep + 0.07), fixed).take(FREE, line([0, y, 0.07], [0, y, 0]))
    film.take(SLOT, line([0, y, 0], [0, y, -deep])).take(SLOT_END, line([0, y, -deep], [0, y + 0.012, -deep]))
    film.take(SLOT, lambda s: (np.eye(3), np.array([0, y + 0.012 * (1 - s), -deep + 0.7 * deep * np.sin(np.pi * s)])))
    return film.take(SLOT_END, line([0, y, -deep], [0, y + 0.01, -deep]))


def bolt(rng):
    """A bolt that is pushed through a channel of its height to a stop and drawn back from it."""
    tall, wide, play, long = rng.uniform(0.014, 0.02), rng.uniform(0.02, 0.03), rng.uniform(0.007, 0.01), rng.uniform(0.05, 0.07)
    E = 0.012
    fixed = cells([-E, 0, wide + 2 * play, wide + 2 * play + E], [0, long, long + E], [-E, 0, tall, tall + E], lambda i, j, k: j == 1 or i != 1 or k != 1)
    film = Film(box(wide, long + 0.02, tall), fixed).take(SLOT, line([play, -0.6 * long - 0.02, 0], [1.2 * play, -0.02, 0]))
    film.take(SLOT_END, line([1.2 * play, -0.02, 0], [0.7 * play, -0.02, 0]))
    return film.take(SLOT, line([0.7 * play, -0.02, 0], [play, -0.5 * long, 0]))


def corner_first(rng):
    """A box set down on a corner, laid over onto an edge, then onto its face, and pushed to a wall."""
    a, b, c = rng.uniform(0.05, 0.07), rng.uniform(0.05, 0.07), rng.uniform(0.04, 0.06)
    F = 0.14
    fixed = cells([-F, F], [-F, F, F + 0.012], [-0.012, 0, 0.05], lambda i, j, k: k == 0 or j == 1)
    roll, pitch, y = rng.uniform(0.3, 0.4), rng.uniform(0.3, 0.4), -0.03

    def at(r, p):
        return turn([0, 1, 0], -p) @ turn([1, 0, 0], r)
    film = Film(box(a, b, c), fixed).take(FREE, line([0, y, 0.08], [0, y, 0], at(roll, pitch)))
    film.take(CORNER, lambda s: (at(roll * (1 - s), pitch), np.array([0, y, 0])))
    film.take(EDGE, lambda s: (at(0, pitch * (1 - s)), np.array([0, y, 0])))
    return film.take(FLAT, line([0, y, 0], [0.01, F - b, 0])).take(TWO, line([0.01, F - b, 0], [-0.01, F - b, 0]))


def key_in_lock(rng):
    """A key with a bit to one side through a keyhole of its outline, turned behind the plate, drawn against it."""
    shaft, reach, thick, plate = rng.uniform(0.01, 0.014), rng.uniform(0.03, 0.038), rng.uniform(0.008, 0.012), 0.01
    play, s2 = 0.01, shaft / 2
    x = [-0.06, -s2 - play, s2 + play, 0.06]
    y = [-0.06, -s2 - play, reach + play, 0.06]
    fixed = cells(x, y, [0, plate], lambda i, j, k: i != 1 or j != 1)
    moving = cells([-s2, s2], [-s2, s2, reach], [-thick, 0, 0.06], lambda i, j, k: j == 0 or k == 0)
    low, angle = -0.018, rng.uniform(1.2, 1.5)

    def enter(s):
        if s < 0.6:
            return np.eye(3), np.array([0, 0, 0.07 + (low - 0.07) * s / 0.6])
        t = (s - 0.6) / 0.4
        return turn([0, 0, 1], -angle * min(1.0, 1.5 * t)), np.array([0, 0, low * (1 - t)])
    return Film(moving, fixed).take(FREE, enter).take(FLAT, lambda s: (turn([0, 0, 1], -angle - 0.25 * s), np.zeros(3)))


def frame_in_frame(rng):
    """A pane into a rebate, one edge first: laid on its edge against the rebate's ground, then down flat, then to a side."""
    a, b, t, play = rng.uniform(0.07, 0.09), rng.uniform(0.06, 0.08), rng.uniform(0.006, 0.009), rng.uniform(0.007, 0.01)
    E, deep = 0.012, 0.006
    fixed = cells([-E, 0, a + 2 * play, a + 2 * play + E], [-E, 0, b + 2 * play, b + 2 * play + E], [-0.01, 0, deep], lambda i, j, k: k == 0 or i != 1 or j != 1)
    pitch = rng.uniform(0.35, 0.5)

    def at(p):
        return turn([0, 1, 0], -p)
    film = Film(box(a, b, t), fixed).take(FREE, line([play, play, 0.08], [play, play, 0], at(pitch)))
    film.take(EDGE, lambda s: (at(pitch * (1 - s)), np.array([play, play, 0.0])))
    return film.take(FLAT, line([play, play, 0], [0, 0.8 * play, 0])).take(TWO, line([0, 0.8 * play, 0], [0, 1.2 * play, 0]))


KINDS = {f.__name__: f for f in (book, battery, usb, ring_on_post, cup_on_hook, stairs, puzzle, tenon, ring_on_pyramid, pocket_slide, bit, bolt, corner_first,
                                 key_in_lock, frame_in_frame)}
ERRORS = ("exact", "even", "directed", "heavy")


# Recordings ---------------------------------------------------------------------------------------------------------------------------

def frames_of(film, rng, rate):
    """Times, poses and states: each state takes its own time, some rest in the middle; the recording may begin and end within a state."""
    begins_late = rng.random() < 0.3 and len(film.states) > 2
    ends_early = rng.random() < 0.3
    true, states = [], []
    for k, (_, path) in enumerate(film.states):
        count = max(12, int(rate * rng.uniform(0.5, 1.6)))
        ease = rng.uniform(0.2, 0.8)
        shares = np.arange(1, count + 1) / (count + 1)
        if rng.random() < 0.2:
            shares = np.sort(np.concatenate([shares, np.full(max(6, int(0.6 * rate)), shares[int(rng.uniform(0.2, 0.8) * count)])]))
        if k == 0 and begins_late:
            continue
        if k == 1 and begins_late:
            shares = shares[len(shares) // 4:]
        if k + 1 == len(film.states) and ends_early:
            shares = shares[:max(9, 2 * len(shares) // 3)]
        for s in shares:
            true.append(path(ease * s + (1 - ease) * s * s * (3 - 2 * s)))
            states.append(k)
    first = 1 if begins_late else 0
    return true, [k - first for k in states], [numbers for numbers, _ in film.states[first:]]


def errors_of(errors, rng):
    """Draws of turns [rad] and shifts [m] in the world."""
    position, angle = rng.uniform(0.3e-3, 1.0e-3), np.radians(rng.uniform(0.15, 0.5))
    if errors == "exact":
        position = angle = 0.0
    camera, times = random_rotation(rng), rng.uniform(3, 6)
    axes = np.array([1, 1, times]) if errors == "directed" else np.ones(3)
    turns = np.array([times, times, 1]) if errors == "directed" else np.ones(3)
    if errors == "directed":  # the worst direction of a camera with the others' noise; not beyond 2 mm and 1.5 deg
        position, angle = min(position, 2e-3 / times), min(angle, np.radians(1.5) / times)

    def draw():
        white = rng.normal(size=6)
        if errors == "heavy":  # all six at once: a frame is good or bad
            white = white / np.sqrt(rng.chisquare(3) / 3) * (0.6745 / 0.7649)
        return camera @ (turns * white[:3]) * angle, camera @ (axes * white[3:]) * position
    return draw


def record(folder, kind, errors, seed):
    """Files of one recording; the command's arguments, what is true, and the frames' states."""
    rng = np.random.default_rng([seed, list(KINDS).index(kind), ERRORS.index(errors), 7])
    film = KINDS[kind](rng)
    rate = rng.choice([10, 15, 24, 30, 60])
    true, states, truth = frames_of(film, rng, rate)
    draw = errors_of(errors, rng)
    middles = {name: body.reshape(-1, 3).mean(0) for name, body in (("moving", film.moving), ("fixed", film.fixed))}
    far = rng.normal(size=3) * (2000.0 if rng.random() < 0.3 else 0.5)
    X_F, drift, carried = (random_rotation(rng), far), rng.normal(size=6), rng.random() < 0.3
    start = rng.uniform(0, 100)
    frames, rows = {}, []
    for name in middles:
        frames[name] = (random_rotation(rng), rng.normal(size=3) * 0.05)
    for i, (R, p) in enumerate(true):
        t = i / rate
        F = (turn_by(0.2 * np.sin(0.7 * t) * drift[:3]) @ X_F[0], X_F[1] + 0.06 * np.sin(0.5 * t) * drift[3:]) if carried else X_F
        for name, (R_W, p_W) in (("moving", (F[0] @ R, F[0] @ p + F[1])), ("fixed", F)):
            w, d = draw()
            centre = R_W @ middles[name]
            R_S, p_S = turn_by(w) @ R_W, p_W + centre + d - turn_by(w) @ centre
            rows.append((start + t, name, R_S @ frames[name][0], R_S @ frames[name][1] + p_S))
    suffix, unit = [(".obj", 1.0), (".stl", 0.001), (".stl", 1.0), (".obj", 0.001)][int(rng.integers(4))]
    cuts = int(rng.integers(0, 3))
    for name, triangles in (("moving", film.moving), ("fixed", film.fixed)):
        for _ in range(cuts):
            triangles = cut_finer(triangles)
        R, p = frames[name]
        write_mesh(folder / f"{name}{suffix}", (triangles - p) @ R, unit)
    text = "t,part,x,y,z,qw,qx,qy,qz\n"
    for t, name, R, p in rows:
        text += ",".join([f"{t:.9f}", name, *(f"{v:.12f}" for v in (*p, *quaternion(R)))]) + "\n"
    (folder / "poses.csv").write_text(text)
    arguments = ["--moving", folder / f"moving{suffix}", "--fixed", folder / f"fixed{suffix}", "--poses", folder / "poses.csv"]
    return arguments + (["--mesh-scale", unit] if unit != 1.0 else []), truth, states


def judged(answer, truth, states, kind):
    """Whether the sequence is right, and the share of frames that are."""
    seen = [numbers_of(state) for state in answer["states"] if not state["inferred"]]
    seen = [n for n in seen if n not in PASSED.get(kind, [])]
    seen = [n for i, n in enumerate(seen) if i == 0 or seen[i - 1] != n]
    frames = np.mean([numbers_of(answer["states"][frame["state"]]) == truth[state] for frame, state in zip(answer["frames"], states)])
    return seen == truth, frames


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--kind", action="append")
    parser.add_argument("--errors", action="append")
    parser.add_argument("--keep")
    given = parser.parse_args()
    table, shares = {}, []
    for errors in given.errors or ERRORS:
        for kind in given.kind or KINDS:
            for seed in range(given.seed, given.seed + given.count):
                with tempfile.TemporaryDirectory() as folder:
                    place = Path(given.keep) / f"{kind}_{errors}_{seed}" if given.keep else Path(folder)
                    place.mkdir(parents=True, exist_ok=True)
                    arguments, truth, states = record(place, kind, errors, seed)
                    code, answer = watch(given.program, arguments)
                is_right, share = (False, 0.0) if code else judged(answer, truth, states, kind)
                verdict = f"refused {answer['status']}" if code else ("right " if is_right else "wrong ") + answer["status"]
                table.setdefault(errors, Counter())[verdict] += 1
                table.setdefault(kind, Counter())[verdict] += 1
                if is_right:
                    shares.append(share)
                else:
                    told = "; ".join(numbers_of(s) + ("*" if s["inferred"] else "") for s in answer.get("states", [])) or answer.get("error", {}).get("message", "")
                    print(f"{errors:9s}{kind:16s}{seed} {verdict}: {told}   ({'; '.join(truth)}) {100 * share:.0f}%", flush=True)
    for name, counts in table.items():
        print(f"{name:16s}", dict(counts))
    print(f"frames right where the sequence is: {100 * np.mean(shares):.1f}% in the mean, {100 * np.min(shares):.0f}% least" if shares else "")


if __name__ == "__main__":
    sys.exit(main())
