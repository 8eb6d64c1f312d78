"""Long calls: Ctrl-C ends them with KeyboardInterrupt, within half a second; they say how far they are."""

import io
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import prehend

# Each runs for many seconds when it is left alone; what two sentences do is prepared by the first.
CALLS = {
    "robustness": ("PUSHES = [('crate_small', [0, 0, 0.36], [1, 0, 1e-6 * k]) for k in range(300000)]",
                   "prehend.robustness(prehend.embedded_scene('scenes/stack.xml'), PUSHES, check_points=False)"),
    "simulated pushes": "prehend.robustness_map(prehend.embedded_scene('scenes/stack.xml'), 100000, method='simulate', threads=2)",
    "simulation": "prehend.Simulation(prehend.embedded_scene('scenes/stack.xml')).step(100000000)",
    "disassemble": "[prehend.disassemble(prehend.embedded_scene('scenes/stack.xml')) for _ in range(100000)]",
    "fit_joint": ("DOOR = door()", "[prehend.articulation.select_joint(DOOR) for _ in range(100000)]"),
    "map": "prehend.map(lambda _: prehend.Simulation(prehend.embedded_scene('scenes/stack.xml')).step(100000000), range(4), threads=2)",
    "plan_excitation": ("ARM = prehend.read_scene_text(prehend.embedded_file('robots/arm6.urdf'), 'urdf', 'arm6')",
                        "prehend.inertia.plan_excitation(ARM, starts=2000)"),
    "mend": ("SCENE = wall(20, 20, 0.002)", "prehend.mend(SCENE)"),
    "place": ("SCENE = wall(20, 20, 0.0)", "prehend.place(SCENE, 'b19_19')"),
    "segment": ("BALL = ball()", "prehend.segment_cloud(BALL)"),
    "assist": "[prehend.assist.run_trial(prehend.assist.read_scenario(TRIAL)) for _ in range(100000)]",
    "watch": ("PEG, GROOVE, POSES = prehend.read_mesh(SHOWN / 'peg.obj'), prehend.read_mesh(SHOWN / 'groove.obj'), slow_insertion()",
              "[prehend.observation.watch(PEG, GROOVE, POSES, moving_part='peg', fixed_part='groove') for _ in range(100)]"),
    "recognise": "[prehend.knot.recognise(prehend.knot.named_knot('bowline').tying_states) for _ in range(100000)]",
}
SCRIPT = """
import csv, numpy, os, pathlib, prehend, sys, tempfile, time
TRIAL = pathlib.Path(os.environ["PREHEND_SOURCE"]) / "data/assist/trial.yaml"
SHOWN = pathlib.Path(os.environ["PREHEND_SOURCE"]) / "data/observation"
def ball():
    points = numpy.random.default_rng(1).standard_normal((60000, 3))
    return 0.1 * points / numpy.linalg.norm(points, axis=1)[:, None]
def read(reader, name, text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / name
        path.write_text(text)
        return reader(path)
def wall(wide, high, noise):
    random = numpy.random.default_rng(2)
    place = lambda i, j: numpy.array([0.2 * i + 0.1 * (j % 2), 0, 0.05 + 0.1 * j]) + noise * random.standard_normal(3)
    return read(prehend.read_scene, "wall.xml", '<mujoco><worldbody><geom name="floor" type="plane" size="5 5 0.1"/>' + "".join(
        '<body name="b%d_%d" pos="%.6f %.6f %.6f"><freejoint/><geom type="box" size="0.1 0.05 0.05"/></body>' % (j, i, *place(i, j))
        for j in range(high) for i in range(wide)) + "</worldbody></mujoco>")
def slow_insertion():
    # The insertion with 20 frames for every one, the times between them filled by straight lines.
    tracks = {{}}
    for row in list(csv.reader(open(SHOWN / "insertion.csv")))[1:]:
        tracks.setdefault(row[1], []).append([float(row[0]), *map(float, row[2:])])
    lines = []
    for part, track in tracks.items():
        track = numpy.array(track)
        at = numpy.linspace(0, len(track) - 1, 20 * len(track))
        rows = numpy.array([numpy.interp(at, range(len(track)), column) for column in track.T]).T
        rows[:, 4:] /= numpy.linalg.norm(rows[:, 4:], axis=1)[:, None]
        lines += [(row[0], part + "," + ",".join("%.12g" % x for x in row[1:])) for row in rows]
    return read(prehend.model.read_pose_log, "slow.csv", "t,part,x,y,z,qw,qx,qy,qz\\n" + "\\n".join("%.9g,%s" % line for line in sorted(lines)))
def door():
    angle = numpy.linspace(0, 1.5, 400)
    poses = numpy.c_[numpy.cos(angle), numpy.sin(angle), 0 * angle, numpy.cos(angle / 2), 0 * angle, 0 * angle, numpy.sin(angle / 2)]
    poses[:, :3] += 0.002 * numpy.random.default_rng(1).standard_normal((400, 3))
    return poses
{setup}
print("begins", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    time.sleep(0.2)   # a signal that was seen once is not raised again
    print(prehend.settle(prehend.embedded_scene("scenes/stack.xml")).status, flush=True)
"""


@pytest.mark.parametrize("call", CALLS)
def test_ctrl_c_is_a_keyboard_interrupt(call):
    setup, long = CALLS[call] if isinstance(CALLS[call], tuple) else ("", CALLS[call])
    process = subprocess.Popen([sys.executable, "-c", SCRIPT.format(setup=setup, call=long)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=os.environ)
    assert process.stdout.readline() == "begins\n"
    time.sleep(0.4)
    assert process.poll() is None, "the call is too short to be interrupted"
    kill = threading.Timer(20.0, process.kill)   # a call that does not end fails the test; it does not stop it
    kill.start()
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "interrupted\n"
    assert time.monotonic() - start < 0.8   # half a second, and what a busy machine needs
    out, err = process.communicate(timeout=60)
    kill.cancel()
    assert process.returncode == 0 and out == "settled\n" and err == ""


def test_progress_is_shown_while_a_call_runs():
    shown = io.StringIO()
    with prehend.show_progress(after=0.0, file=shown):
        prehend.robustness_map(prehend.embedded_scene("scenes/stack.xml"), 8, method="simulate")
    lines = shown.getvalue().split("\r")
    assert any("simulated pushes" in line for line in lines) and lines[-1] == "" and lines[-2].strip() == ""
    fractions = [int(line.split("]")[1].split("%")[0]) for line in lines if "]" in line]
    assert fractions == sorted(fractions) and fractions[0] < 100
    with prehend.show_progress(file=shown):
        assert prehend.map(lambda x: x, [1]) == [1]
    assert shown.getvalue().split("\r") == lines   # nothing to show


@pytest.mark.parametrize("call,what", [
    (lambda: prehend.assist.run_trial(prehend.assist.default_scenario()), "trial"),
    (lambda: prehend.inertia.plan_excitation(prehend.read_scene_text(prehend.embedded_file("robots/arm6.urdf"), "urdf", "arm6"), starts=8), "search for a motion"),
], ids=["assist", "plan_excitation"])
def test_long_calls_say_how_far_they_are(call, what):
    shown = io.StringIO()
    with prehend.show_progress(after=0.0, file=shown):
        call()
    assert what in shown.getvalue()
