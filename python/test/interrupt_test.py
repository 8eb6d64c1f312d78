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

# Each runs for many seconds when it is left alone.
CALLS = {
    "robustness": "prehend.robustness(prehend.embedded_scene('scenes/stack.xml'), PUSHES, check_points=False)",
    "simulated pushes": "prehend.robustness_map(prehend.embedded_scene('scenes/stack.xml'), 100000, method='simulate', threads=2)",
    "simulation": "prehend.Simulation(prehend.embedded_scene('scenes/stack.xml')).step(100000000)",
    "disassemble": "[prehend.disassemble(prehend.embedded_scene('scenes/stack.xml')) for _ in range(100000)]",
    "fit_joint": "[prehend.articulation.select_joint(DOOR) for _ in range(100000)]",
    "map": "prehend.map(lambda _: prehend.Simulation(prehend.embedded_scene('scenes/stack.xml')).step(100000000), range(4), threads=2)",
    "recognise": "[prehend.knot.recognise(prehend.knot.named_knot('bowline').tying_states) for _ in range(100000)]",
}
SCRIPT = """
import numpy, prehend, sys, time
angle = numpy.linspace(0, 1.5, 400)
DOOR = numpy.c_[numpy.cos(angle), numpy.sin(angle), 0 * angle, numpy.cos(angle / 2), 0 * angle, 0 * angle, numpy.sin(angle / 2)]
DOOR[:, :3] += 0.002 * numpy.random.default_rng(1).standard_normal((400, 3))
PUSHES = [("crate_small", [0, 0, 0.36], [1, 0, 1e-6 * k]) for k in range(300000)]
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
    process = subprocess.Popen([sys.executable, "-c", SCRIPT.format(call=CALLS[call])], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
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
