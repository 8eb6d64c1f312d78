"""Joints in the statics: closed forms, a second formulation solved by Clarabel, and MuJoCo at 0.9 and 1.1 of the answer.

The second formulation takes contacts from `prehend contacts` and joints from the scene's own description here: every joint
force is an unknown of its own (nothing is eliminated), about the world's origin, in newtons.
"""

import json
import math
import os
import subprocess
from pathlib import Path

import clarabel
import numpy as np
import pytest
import scipy.sparse as sp

PREHEND = Path(os.environ.get("PREHEND_BIN", "build/release/bin")) / "prehend"
SLOW = os.environ.get("PREHEND_SLOW") == "1"
G = 9.81


def prehend(*words, code=0):
    done = subprocess.run([PREHEND, *map(str, words), "--json"], capture_output=True, text=True)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return json.loads(done.stdout)


def write(folder, body, name="scene.xml", extra=""):
    path = Path(folder) / name
    path.write_text(f'<mujoco><option gravity="0 0 {-G}"/><worldbody>{body}</worldbody>{extra}</mujoco>')
    return path


def push(path, body, p, d, *more, code=0):
    answer = prehend("robustness", path, "--at", body, *p, "--push", *d, *more, code=code)
    return answer["results"][0] if code == 0 else answer


def holds(answer, value, rel=1e-3):
    """Statics and what loads cause agree: nothing is statically indeterminate here that friction could brace."""
    assert answer["robustness_N"] == pytest.approx(value, rel=rel, abs=1e-8)
    assert answer["without_prestress_N"] == pytest.approx(value, rel=max(rel, 2e-3), abs=1e-6) and answer["needs_prestress"] is False


FLOOR = '<geom name="floor" type="plane" size="5 5 .1" friction="{mu}"/>'


def box(name, p, half, mass, mu, joint="<freejoint/>", more=""):
    return (f'<body name="{name}" pos="{p[0]} {p[1]} {p[2]}">{joint}<geom type="box" size="{half[0]} {half[1]} {half[2]}" '
            f'mass="{mass}" friction="{mu}"/>{more}</body>')


# --- closed forms -------------------------------------------------------------------------------------------------------

DOOR = ('<body name="door" pos="0 0 .5"><joint name="hinge" type="hinge" axis="0 0 1" pos="0 0 0" {more}/>'
        '<geom type="box" pos=".5 0 0" size=".5 .02 .45" mass="{mass}" friction="0" priority="1"/></body>')


def test_a_free_door_gives_way_at_once(tmp_path):
    path = write(tmp_path, DOOR.format(mass=10, more=""))
    answer = push(path, "door", (0.9, -0.02, 0.5), (0, 1, 0))
    assert answer["robustness_N"] == pytest.approx(0.0, abs=1e-9) and answer["mode"] == "joint"
    assert answer["moving"] == ["door"] and answer["needs_prestress"] is False
    assert push(path, "door", (1, 0, 0.5), (-1, 0, 0))["unbounded"]  # into the hinge


def test_a_rod_without_friction_slides_off_at_once(tmp_path):
    """A rod on a ball joint lies on a block and nothing holds it sideways: the limit is zero, and rounding below zero is zero."""
    for block_y, p_x in [(-0.0197, 0.4263), (0.0, 0.3), (0.02, 0.55), (0.013, 0.2), (-0.007, 0.7)]:
        text = f'''<mujoco><option gravity="0 0 -9.81"/><worldbody><geom name="floor" type="plane" size="5 5 .1" friction="0.238"/>
          <body name="rod" pos="0 0 0.3"><joint type="ball"/><geom type="box" pos="0.4 0 0" size="0.4 0.03 0.03" mass="3.1154" friction="0" priority="1"/></body>
          <body name="block" pos="0.6 {block_y} 0.135"><freejoint/><geom type="box" size="0.08 0.08 0.135" mass="5.7363" friction="0.238"/></body>
          </worldbody></mujoco>'''
        path = tmp_path / "rod.xml"
        path.write_text(text)
        for d in ((0, 1, -0.1054), (0, 1, 0), (0, -1, 0.2), (0, 1, -0.3)):
            done = subprocess.run([PREHEND, "robustness", str(path), "--at", "rod", str(p_x), "-0.03", "0.3", "--push", *map(str, d), "--json"], capture_output=True, text=True)
            answer = json.loads(done.stdout)
            assert answer["status"] == "ok", answer
            result = answer["results"][0]
            assert 0 <= result["lower_N"] <= result["robustness_N"] < 1e-6, answer
            assert not result["needs_prestress"] and not result["load_caused_less"], answer


def test_a_door_against_a_box(tmp_path):
    """The box slides when its friction is overcome: F r = mu m g c, c where the door touches it."""
    mu, m = 0.4, 5.0
    path = write(tmp_path, FLOOR.format(mu=mu) + DOOR.format(mass=10, more="") + box("box", (0.7, 0.12, 0.2), (0.002, 0.1, 0.2), m, mu))
    for r in (0.3, 0.5, 0.9):
        answer = push(path, "door", (r, -0.02, 0.5), (0, 1, 0))
        # The box is 4 mm wide: its friction acts where the door touches it, to 0.3 %.
        holds(answer, mu * m * G * 0.7 / r, 5e-3)
        assert sorted(answer["moving"]) == ["box", "door"]
    # Pulled, the door leaves the box.
    assert push(path, "door", (0.9, 0.02, 0.5), (0, -1, 0))["robustness_N"] == pytest.approx(0.0, abs=1e-9)
    # The box against the door: nothing holds the door.
    holds(push(path, "box", (0.7, 0.22, 0.1), (0, -1, 0)), mu * m * G, 2e-3)


def test_a_mechanism_that_may_brace_is_named(tmp_path):
    """A jointed body that touches something with friction; not one that touches without, and no free body. Maps without load-caused values name it,
    single pushes have the value: at least what the box holds alone, at most what the rail can press it down for."""
    slider = ('<body name="slider" pos="0 0 .1"><joint name="rail" type="slide" axis="1 0 0"/>'
              '<geom type="box" size=".1 .1 .05" mass="3" friction="{mu}" priority="1"/></body>')
    for mu, named in ((0.5, True), (0, False)):
        path = write(tmp_path, FLOOR.format(mu=0.5) + slider.format(mu=mu) + box("box", (0.2, 0, 0.1), (0.1, 0.1, 0.1), 4, 0.5))
        problems = prehend("robustness", path, "--map", "--points", 20)["problems"]
        assert [p for p in problems if "may brace each other at 'slider':" in p] == (problems if named else [])
        assert not [p for p in prehend("robustness", path, "--map", "--points", 20, "--load-caused")["problems"] if "may brace" in p]
        answer = push(path, "slider", (-0.1, 0, 0.1), (1, 0, 0))
        alone = 0.5 * 4 * G
        assert answer["robustness_N"] == pytest.approx(alone / (1 - 0.5 * mu), rel=1e-3)
        assert alone * (1 - 2e-3) <= answer["without_prestress_N"] <= answer["robustness_N"] * (1 + 1e-6)


def test_friction_and_motor_of_a_hinge(tmp_path):
    path = write(tmp_path, DOOR.format(mass=10, more='frictionloss="3"'))
    holds(push(path, "door", (0.8, -0.02, 0.5), (0, 1, 0)), 3 / 0.8, 1e-3)
    # A motor of 2 N m helps the friction.
    holds(push(path, "door", (0.8, -0.02, 0.5), (0, 1, 0), "--joint-torque", "hinge=2"), 5 / 0.8, 1e-3)
    # Held, it is part of the ground.
    refused = prehend("robustness", path, "--at", "door", 0.8, -0.02, 0.5, "--push", 0, 1, 0, "--joint-torque", "hinge=inf", code=3)
    assert "movable" in refused["error"]["message"]


TRAP = ('<body name="trap" pos="0 0 1"><joint name="hinge" type="hinge" axis="0 1 0" {more}/>'
        '<geom type="box" pos=".5 0 0" size=".5 .3 .02" mass="6" friction="0.5"/></body>')
STOP = '<geom name="stop" type="box" pos=".95 0 .93" size=".05 .3 .05" friction="0.5"/>'


def test_a_trapdoor_falls_and_a_stop_holds_it(tmp_path):
    falls = prehend("forces", write(tmp_path, TRAP.format(more="")), code=3)
    assert falls["status"] == "unstable" and falls["moving"] == ["trap"]
    assert falls["joints"][0]["name"] == "hinge" and not falls["joints"][0]["held"]
    rests = prehend("forces", write(tmp_path, TRAP.format(more="") + STOP))
    assert rests["status"] == "stable"
    # Upward, at r from the hinge: F r = m g / 2 (least lever of the stop plays no part).
    path = write(tmp_path, TRAP.format(more="") + STOP)
    holds(push(path, "trap", (0.8, 0, 0.98), (0, 0, 1)), 6 * G * 0.5 / 0.8, 1e-3)
    assert push(path, "trap", (0.8, 0, 1.02), (0, 0, -1))["unbounded"]
    # A motor that cannot carry it, and one that can.
    hangs = write(tmp_path, TRAP.format(more=""))
    assert prehend("forces", hangs, "--joint-torque", f"hinge={6 * G * 0.5 * 0.99}", code=3)["status"] == "unstable"
    held = prehend("forces", hangs, "--joint-torque", f"hinge={6 * G * 0.5 * 1.01}")
    assert held["joint_forces"][0]["f_W_N"][2] == pytest.approx(6 * G, rel=1e-6)
    assert held["joint_forces"][0]["m_W_Nm"][1] == pytest.approx(-6 * G * 0.5, rel=1e-6)


def test_a_limit_bears_one_way(tmp_path):
    # Turning by +q about y swings it down: at its upper limit it rests there.
    path = write(tmp_path, TRAP.format(more='range="-90 0" limited="true"'))
    assert prehend("forces", path)["status"] == "stable"
    assert prehend("forces", path)["joints"][0]["at_limit"]
    holds(push(path, "trap", (0.8, 0, 0.98), (0, 0, 1)), 6 * G * 0.5 / 0.8, 1e-3)
    assert push(path, "trap", (0.8, 0, 1.02), (0, 0, -1))["unbounded"]
    assert prehend("forces", write(tmp_path, TRAP.format(more='range="0 90" limited="true"')), code=3)["status"] == "unstable"
    assert prehend("forces", write(tmp_path, TRAP.format(more='range="-90 90" limited="true"')), code=3)["status"] == "unstable"


def test_a_seesaw(tmp_path):
    """Boxes of 2 and 3 kg on a seesaw that rests on a stop under the heavier one."""
    plank = ('<body name="plank" pos="0 0 .5"><joint name="pivot" type="hinge" axis="0 1 0"/>'
             '<geom type="box" size="1 .2 .02" mass="4" friction="0.6"/></body>')
    stop = '<geom type="box" pos=".9 0 .44" size=".04 .2 .04" friction="0.6"/>'
    light, heavy = box("light", (-0.8, 0, 0.57), (0.05, 0.05, 0.05), 2, 0.6), box("heavy", (0.7, 0, 0.57), (0.05, 0.05, 0.05), 3, 0.6)
    path = write(tmp_path, plank + stop + light + heavy)
    assert prehend("forces", path)["status"] == "stable"
    # Down on the light one: F 0.8 = 3 g 0.7 - 2 g 0.8, pushed at its centre.
    wanted = (3 * 0.7 - 2 * 0.8) * G / 0.8
    answer = push(path, "light", (-0.8, 0, 0.62), (0, 0, -1))
    holds(answer, wanted)
    assert set(answer["moving"]) >= {"light", "plank"}
    falls = prehend("forces", write(tmp_path, plank + stop + light + box("heavy", (0.5, 0, 0.57), (0.05, 0.05, 0.05), 3, 0.6)), code=3)
    assert falls["status"] == "unstable" and "plank" in falls["moving"]


def test_a_slider_on_a_rail(tmp_path):
    """Without friction it pushes a box with the whole force; on a slope it falls unless something stops it."""
    mu, m = 0.5, 4.0
    slider = ('<body name="slider" pos="0 0 .1"><joint name="rail" type="slide" axis="1 0 0"/>'
              '<geom type="box" size=".1 .1 .05" mass="3" friction="0" priority="1"/></body>')
    path = write(tmp_path, FLOOR.format(mu=mu) + slider + box("box", (0.2, 0, 0.1), (0.1, 0.1, 0.1), m, mu))
    holds(push(path, "slider", (-0.1, 0, 0.1), (1, 0, 0)), mu * m * G, 1e-3)
    holds(push(path, "slider", (-0.1, 0, 0.1), (1, 0.5, 0.5)), mu * m * G * math.sqrt(1.5), 1e-3)
    assert push(path, "slider", (0, 0, 0.15), (0, 0, 1))["unbounded"]
    slope = slider.replace('axis="1 0 0"', 'axis="1 0 -1"')
    falls = prehend("forces", write(tmp_path, slope), code=3)
    assert falls["status"] == "unstable" and falls["moving"] == ["slider"]
    # It holds by a motor of m g sin 45.
    limit = 3 * G / math.sqrt(2)
    assert prehend("forces", write(tmp_path, slope), "--joint-torque", f"rail={1.01 * limit}")["status"] == "stable"
    assert prehend("forces", write(tmp_path, slope), "--joint-torque", f"rail={0.99 * limit}", code=3)["status"] == "unstable"


def test_a_pendulum_on_a_ball(tmp_path):
    pendulum = ('<body name="bob" pos="0 0 1"><joint name="ball" type="ball"/>'
                '<geom type="sphere" pos="0 0 -.5" size=".05" mass="2"/></body>')
    path = write(tmp_path, pendulum)
    assert prehend("forces", path)["joint_forces"][0]["f_W_N"] == pytest.approx([0, 0, 2 * G], abs=1e-6)
    for d in ((1, 0, 0), (0, 1, 0)):
        assert push(path, "bob", (0, 0, 0.45), d)["robustness_N"] == pytest.approx(0.0, abs=1e-9)
    assert push(path, "bob", (0, 0, 0.45), (0, 0, 1))["unbounded"]
    aside = prehend("forces", write(tmp_path, pendulum.replace('pos="0 0 -.5"', 'pos=".3 0 -.4"')), code=3)
    assert aside["status"] == "unstable" and aside["moving"] == ["bob"]


BAR = '<body name="{name}" pos="{x} 0 {z}"><joint name="{name}_pin" type="hinge" axis="0 1 0"/>' \
      '<geom type="box" pos="{cx} 0 {cz}" size="{sx} .02 {sz}" mass="{mass}" contype="0" conaffinity="0"/>{inside}</body>'


def test_a_four_bar(tmp_path):
    """A square linkage: both posts and the coupler. Free it stays as posed (posts upright), a sideways push moves it at
    once; a brake on one post holds F h; a second loop that does not close is named."""
    coupler = BAR.format(name="coupler", x=0, z=0.5, cx=0.4, cz=0, sx=0.4, sz=0.02, mass=2, inside="")
    left = BAR.format(name="left", x=0, z=0, cx=0, cz=0.25, sx=0.02, sz=0.25, mass=1, inside=coupler)
    right = BAR.format(name="right", x=0.8, z=0, cx=0, cz=0.25, sx=0.02, sz=0.25, mass=1, inside="")
    loop = '<equality><connect name="closing" body1="coupler" body2="right" anchor=".8 0 0"/></equality>'
    path = write(tmp_path, left + right, extra=loop)
    assert prehend("forces", path)["status"] == "stable"
    assert push(path, "coupler", (0, 0, 0.5), (1, 0, 0))["robustness_N"] == pytest.approx(0.0, abs=1e-8)
    braked = push(path, "coupler", (0, 0, 0.5), (1, 0, 0), "--joint-torque", "right_pin=5")
    holds(braked, 5 / 0.5)
    assert sorted(braked["moving"]) == ["coupler", "left", "right"]
    # Without the loop the coupler hangs on one pin and falls.
    open_one = prehend("forces", write(tmp_path, left + right), code=3)
    assert open_one["status"] == "unstable" and open_one["moving"] == ["coupler"]


def test_an_arm_holds_by_its_motors(tmp_path):
    arm = ('<body name="upper" pos="0 0 1"><joint name="shoulder" type="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".03" mass="2"/>'
           '<body name="lower" pos=".5 0 0"><joint name="elbow" type="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".03" mass="1"/></body></body>')
    motors = '<actuator><motor name="m1" joint="shoulder"/>{}</actuator>'
    both = motors.format('<position name="m2" joint="elbow"/>')
    thing = FLOOR.format(mu=0.5) + box("thing", (2, 0, 0.1), (0.1, 0.1, 0.1), 1, 0.5)
    answer = prehend("forces", write(tmp_path, thing + arm, extra=both))
    assert answer["status"] == "stable" and [j["held"] for j in answer["joints"]] == [True, True]
    falls = prehend("forces", write(tmp_path, thing + arm, extra=motors.format("")), code=3)
    assert falls["status"] == "unstable" and falls["moving"] == ["lower"]
    falls = prehend("forces", write(tmp_path, thing + arm), code=3)
    assert falls["moving"] == ["lower", "upper"] or falls["moving"] == ["upper", "lower"]
    # Torques of a two-link arm: elbow m2 g l/2, shoulder m1 g l/2 + m2 g (l + l/2).
    elbow, shoulder = 1 * G * 0.25, 2 * G * 0.25 + 1 * G * 0.75
    for share, code in ((1.01, 0), (0.99, 3)):
        prehend("forces", write(tmp_path, arm), "--joint-torque", f"elbow={share * elbow},shoulder={1.01 * shoulder}", code=code)
        prehend("forces", write(tmp_path, arm), "--joint-torque", f"elbow={1.01 * elbow},shoulder={share * shoulder}", code=code)


def test_transport_and_disassembly_with_a_door(tmp_path):
    """A door that leans on nothing swings at any acceleration across; friction of its hinge bears m a l / 2."""
    path = write(tmp_path, DOOR.format(mass=10, more='frictionloss="4"'))
    answers = prehend("transport", path, "--directions", 4)["results"]
    assert [a["unbounded"] for a in answers] == [True, False, True, False]
    for a in (answers[1], answers[3]):
        assert a["msa_mps2"] == pytest.approx(4 / (10 * 0.5), rel=1e-3)
    stack = FLOOR.format(mu=0.5) + DOOR.format(mass=10, more="") + box("low", (2, 0, 0.1), (0.1, 0.1, 0.1), 1, 0.5) + box("high", (2, 0, 0.3), (0.1, 0.1, 0.1), 1, 0.5)
    answer = prehend("disassemble", write(tmp_path, stack))
    assert answer["order"] == ["high", "low"] and answer["joints"][0]["name"] == "hinge"


def test_critical_friction_with_a_joint(tmp_path):
    """A slider on a steep rail presses a box, which only friction stops."""
    slope = ('<body name="slider" pos="0 0 .1"><joint name="rail" type="slide" axis="1 0 -1"/>'
             '<geom type="box" size=".1 .1 .05" mass="3" friction=".8"/></body>')
    box_text = box("box", (0.2, 0, 0.1), (0.1, 0.1, 0.1), 10, 0.8)
    path = write(tmp_path, FLOOR.format(mu=0.8) + slope + box_text)
    answer = prehend("forces", path, "--critical-friction")
    mu = answer["critical_friction"]["mu_above"]
    assert 0 < mu < 0.8
    low = prehend("forces", write(tmp_path, (FLOOR.format(mu=mu) + slope + box_text).replace('friction="0.8"', f'friction="{mu * 0.98}"').replace('friction=".8"', f'friction="{mu * 0.98}"').replace(f'friction="{mu}"', f'friction="{mu * 0.98}"')), code=3)
    assert low["status"] == "unstable"


URDF = """<robot name="r"><link name="base"/>
<link name="arm"><inertial><origin xyz=".25 0 0"/><mass value="2"/><inertia ixx=".1" iyy=".1" izz=".1"/></inertial></link>
<joint name="j" type="revolute"><origin xyz="0 0 1"/><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="{effort}" velocity="1"/><dynamics friction="{friction}"/></joint>{more}</robot>"""


def test_urdf_says_which_joints_have_motors(tmp_path):
    path = tmp_path / "r.urdf"

    def ask(effort=0, friction=0, more="", code=0):
        path.write_text(URDF.format(effort=effort, friction=friction, more=more))
        return prehend("forces", path, code=code)

    assert ask(code=3)["status"] == "unstable"
    assert ask(friction=2 * G * 0.25 * 1.01)["status"] == "stable"
    assert ask(friction=2 * G * 0.25 * 0.99, code=3)["status"] == "unstable"
    assert ask(effort=10, code=3)["status"] == "undetermined"  # held: nothing can move
    other = '<transmission name="t"><joint name="other"/></transmission>'
    assert ask(effort=10, more=other, code=3)["status"] == "unstable"
    assert ask(more=other.replace("other", "j"), code=3)["status"] == "undetermined"


def test_a_gripper_whose_fingers_mimic(tmp_path):
    """One finger has a motor, the other follows: both hold."""
    def finger(name, y, sign):
        return (f'<link name="{name}"><inertial><mass value=".1"/><inertia ixx=".01" iyy=".01" izz=".01"/></inertial><collision><origin xyz="0 {y} 0"/><geometry><box size=".02 .02 .1"/></geometry></collision></link>'
                f'<joint name="{name}_slide" type="prismatic"><parent link="base"/><child link="{name}"/><axis xyz="0 {sign} 0"/><limit lower="-1" upper="1" effort="0" velocity="1"/>%s</joint>')
    text = ('<robot name="g"><link name="world"/><link name="base"/><joint name="b" type="fixed"><parent link="world"/><child link="base"/></joint>'
            + finger("a", 0.03, 1) % '<dynamics friction="20"/>' + finger("b", -0.03, -1) % '<mimic joint="a_slide"/>'
            + '<link name="can"><inertial><mass value=".5"/><inertia ixx=".01" iyy=".01" izz=".01"/></inertial><collision><geometry><box size=".04 .04 .1"/></geometry></collision></link>'
              '<joint name="f" type="floating"><parent link="world"/><child link="can"/></joint></robot>')
    path = tmp_path / "g.urdf"
    path.write_text(text)
    # Both fingers move together: what brakes one presses both, 2 N + F = 20, and the can needs 2 mu N = m g.
    answer = push(path, "b", (0, -0.02, 0.04), (0, -1, 0), "--friction", 0.5)
    assert answer["robustness_N"] == pytest.approx(20 - 0.5 * G / 0.5, rel=1e-3)
    assert "can" in answer["moving"] or len(answer["moving"]) >= 2
    # Brakes press nothing by themselves: the can was gripped before, or it falls.
    assert answer["needs_prestress"] and answer["without_prestress_N"] == 0.0
    assert prehend("forces", path, "--friction", 0.5)["needs_prestress"]


def test_a_gripper_with_springs(tmp_path):
    """Springs press the fingers: what they grip holds 2 mu F - m g downwards, and no stress but theirs is needed."""
    mu, m, stiffness, stretch = 0.6, 0.5, 400.0, 0.05
    force = stiffness * stretch

    def finger(name, side):
        return (f'<body name="{name}" pos="{side * 0.04} 0 .5"><joint name="{name}_slide" type="slide" axis="{-side} 0 0" stiffness="{stiffness}" springref="{stretch}"/>'
                f'<geom type="box" size=".01 .02 .05" mass=".2" friction="{mu}"/></body>')
    path = write(tmp_path, finger("left", -1) + finger("right", 1) + box("thing", (0, 0, 0.5), (0.03, 0.02, 0.03), m, mu))
    assert prehend("forces", path)["needs_prestress"] is False
    holds(push(path, "thing", (0, 0, 0.53), (0, 0, -1)), 2 * mu * force - m * G)
    holds(push(path, "thing", (0, 0, 0.47), (0, 0, 1)), 2 * mu * force + m * G)
    # Sideways both fingers follow: springs of one force hold no place.
    assert push(path, "thing", (0.03, 0, 0.5), (-1, 0, 0))["robustness_N"] == pytest.approx(0.0, abs=1e-6)


# --- a second formulation -----------------------------------------------------------------------------------------------

def random_scene(rng, slippery=False):
    """One mechanism and boxes around it: MJCF text, joints as rows for the oracle, a push (body, point, direction).

    Slippery: contacts of mechanisms that slide on what they press have no friction, so that Coulomb's law and limit
    analysis, which lets contacts and joints brace each other beyond what the loads cause, have one answer.
    """
    mu = round(rng.uniform(0.2, 0.8), 3)
    kind = rng.choice(["door", "trap", "seesaw", "slider", "leaning", "chain", "lid"])
    u = lambda a, b: round(rng.uniform(a, b), 4)
    boxes, world, joints = [], [FLOOR.format(mu=mu)], []
    free = lambda name, p, h: boxes.append((name, p, h, u(0.5, 6)))

    smooth = 'friction="0" priority="1"' if slippery and kind in ("door", "slider", "leaning", "chain") else f'friction="{mu}"'

    def jointed(name, jname, jtype, pos, axis, gpos, half, mass, more="", inside="", loss=0.0):
        joints.append(dict(name=jname, type=jtype, body=name, friction=loss))
        return (f'<body name="{name}" pos="{pos[0]} {pos[1]} {pos[2]}"><joint name="{jname}" type="{jtype}" axis="{axis[0]} {axis[1]} {axis[2]}" '
                f'frictionloss="{loss}" {more}/><geom type="box" pos="{gpos[0]} {gpos[1]} {gpos[2]}" size="{half[0]} {half[1]} {half[2]}" mass="{mass}" {smooth}/>{inside}</body>')

    loss = rng.choice([0.0, u(0.2, 3)])
    if slippery and kind == "chain":
        # Dry friction of two joints in a row may brace them, and where in its patch the far block bears decides what the near
        # one carries: again more than the loads cause.
        loss = 0.0
    if kind == "door":
        world.append(jointed("door", "hinge", "hinge", (0, 0, .5), (0, 0, 1), (.5, 0, 0), (.5, .02, .45), u(2, 12), loss=loss))
        x = u(0.3, 0.8)
        free("box", (x, 0.12, 0.2), (0.1, 0.1, 0.2))
        if rng.random() < 0.5:
            free("top", (x + u(-.03, .03), 0.12, 0.45), (0.08, 0.08, 0.05))
        ask = ("door", (u(0.2, 0.95), -0.02, u(0.2, 0.8)), (u(-.3, .3), 1, u(-.3, .3)))
    elif kind == "trap":
        world.append(jointed("trap", "hinge", "hinge", (0, 0, 1), (0, 1, 0), (.5, 0, 0), (.5, .3, .02), u(2, 8), loss=loss))
        s = u(0.5, 0.9)
        world.append(f'<geom type="box" pos="{s} 0 .93" size=".05 .3 .05" friction="{mu}"/>')
        free("box", (u(0.15, s - 0.1), 0, 1.12), (0.1, 0.1, 0.1))
        ask = ("trap", (u(0.3, 0.9), u(-.2, .2), 0.98), (u(-.3, .3), u(-.3, .3), 1)) if rng.random() < 0.5 else ("box", (boxes[0][1][0], 0, 1.22), (u(-1, 1), u(-1, 1), -0.2))
    elif kind == "seesaw":
        world.append(jointed("plank", "pivot", "hinge", (0, 0, .5), (0, 1, 0), (0, 0, 0), (1, .2, .02), u(2, 6), loss=loss))
        world.append(f'<geom type="box" pos=".9 0 .44" size=".04 .2 .04" friction="{mu}"/>')
        free("light", (-u(.4, .6), 0, .57), (.05, .05, .05))
        boxes[-1] = boxes[-1][:3] + (u(0.5, 2),)
        free("heavy", (u(.6, .85), 0, .57), (.05, .05, .05))
        boxes[-1] = boxes[-1][:3] + (u(3, 6),)
        ask = ("light", (boxes[0][1][0], 0, 0.62), (u(-.2, .2), u(-.2, .2), -1))
    elif kind == "slider":
        world.append(jointed("slider", "rail", "slide", (0, 0, .12), (1, u(-.1, .1), 0), (0, 0, 0), (.1, .1, .1), u(1, 5), loss=loss))
        free("box", (.2, u(-.05, .05), .12), (.1, .1, .12))
        ask = ("slider", (-.1, 0, .12), (1, u(-.3, .3), u(-.3, .3)))
    elif kind == "leaning":  # a rod on a ball that rests on a block
        world.append(jointed("rod", "ball", "ball", (0, 0, .3), (0, 0, 1), (.4, 0, 0), (.4, .03, .03), u(1, 4)))
        free("block", (.6, u(-.03, .03), .135), (.08, .08, .135))
        ask = ("rod", (u(.3, .75), -.03, .3), (0, 1, u(-.2, .2)))
    elif kind == "chain":
        inside = jointed("second", "elbow", "hinge", (.4, 0, 0), (0, 1, 0), (.2, 0, 0), (.2, .03, .03), u(.5, 2), loss=loss)
        world.append(jointed("first", "shoulder", "hinge", (0, 0, .3), (0, 1, 0), (.2, 0, 0), (.2, .03, .03), u(.5, 2), inside=inside, loss=loss))
        free("near", (.35, 0, .135), (.04, .1, .135))
        free("far", (.6, 0, .135), (.08, .1, .135))
        ask = ("second", (u(.45, .75), 0, .27), (0, 0, 1)) if rng.random() < .5 or slippery else ("near", (.31, 0, .1), (1, u(-.3, .3), 0))
    else:  # a lid at its limit, with a box on it
        world.append(jointed("lid", "hinge", "hinge", (0, 0, .6), (0, 1, 0), (.4, 0, 0), (.4, .3, .02), u(2, 5), more='range="-90 0" limited="true"', loss=loss))
        joints[-1]["one_sided"] = -1
        free("box", (u(.2, .6), 0, .72), (.1, .1, .1))
        ask = ("box", (boxes[0][1][0], -.1, u(.65, .78)), (u(-.5, .5), 1, u(-.2, .2))) if rng.random() < .5 else ("lid", (u(.3, .75), 0, .58), (0, 0, 1))
    for name, p, h, m in boxes:
        world.append(box(name, p, h, m, mu))
    return dict(kind=str(kind), text="".join(world), joints=joints, ask=ask)


def clarabel_limit(path, scene):
    """The limit from contacts and joints, nothing eliminated; None when unbounded, -1 when it falls."""
    seen = prehend("inspect", path)
    found = prehend("contacts", path)
    jointed = [j["child"] for j in seen["joints"] if j["type"] not in ("free", "rigid")]
    moving = [b for b in seen["bodies"] if b["movable"] or b["name"] in jointed]
    index = {b["name"]: i for i, b in enumerate(moving)}
    pose = {b["name"]: b["X_WB"] for b in seen["bodies"]}

    def rotate(q, v):
        w, r = q[0], np.array(q[1:])
        return v + 2 * np.cross(r, np.cross(r, v) + w * v)

    def world(name, v):
        return rotate(pose[name]["q"], np.array(v)) + np.array(pose[name]["p"])
    columns, bounds, cones = [], [], []
    n = 6 * len(moving)

    def column(parts):
        out = np.zeros(n)
        for name, m, f, p in parts:
            if name in index:
                i = 6 * index[name]
                out[i:i + 3] += f
                out[i + 3:i + 6] += m + np.cross(p, f)
        return out
    for face in found["interfaces"]:
        nrm = np.array(face["n_W"])
        a = np.eye(3)[np.argmin(abs(nrm))]
        t1 = np.cross(nrm, a)
        t1 /= np.linalg.norm(t1)
        t2 = np.cross(nrm, t1)
        for p in face["points_W_m"]:
            p = np.array(p)
            cones.append((len(columns), face["friction"]))
            for f in (nrm, t1, t2):
                columns.append(column([(face["body_b"], 0 * f, f, p), (face["body_a"], 0 * f, -f, p)]))
    free_columns = []
    for joint in seen["joints"]:
        if joint["type"] in ("free", "rigid"):
            continue
        mine = next(j for j in scene["joints"] if j["name"] == joint["name"])
        child, parent = joint["child"], joint["parent"]
        p = np.array(pose[child]["p"])  # anchors of these scenes are their bodies' origins
        z = np.zeros(3)
        axis = rotate(pose[child]["q"], np.array(joint["axis"])) if joint["axis"] else None
        pairs = []
        for e in np.eye(3):
            pairs.append((z, e))
            pairs.append((e, z))
        if joint["type"] == "revolute":
            q = np.linalg.svd(axis[None, :])[2][1:]
            pairs = [(z, e) for e in np.eye(3)] + [(e, z) for e in q]
        if joint["type"] == "prismatic":
            q = np.linalg.svd(axis[None, :])[2][1:]
            pairs = [(e, z) for e in np.eye(3)] + [(z, e) for e in q]
        if joint["type"] == "spherical":
            pairs = [(z, e) for e in np.eye(3)]
        for m, f in pairs:
            columns.append(column([(child, m, f, p), (parent, -m, -f, p)]))
            free_columns.append(len(columns) - 1)
        m, f = (axis, z) if joint["type"] == "revolute" else (z, axis)
        low, high = -mine["friction"], mine["friction"]
        if mine.get("one_sided"):
            low = -np.inf
        if low < high:
            columns.append(column([(child, m, f, p), (parent, -m, -f, p)]))
            bounds.append((len(columns) - 1, low, high))
    g = np.zeros(n)
    for b in moving:
        i = 6 * index[b["name"]]
        f = np.array([0, 0, -G * b["mass_kg"]])
        g[i:i + 3] = f
        g[i + 3:i + 6] = np.cross(world(b["name"], b["com_B_m"]), f)
    body, p, d = scene["ask"]
    d = np.array(d) / np.linalg.norm(d)
    columns.append(column([(body, np.zeros(3), d, np.array(p))]))
    A = sp.csc_matrix(np.array(columns).T)
    k = A.shape[1]
    rows, h, kinds = [], [], [clarabel.ZeroConeT(n)]
    linear = [(k - 1, -1, 0.0)]
    for c, low, high in bounds:
        if np.isfinite(low):
            linear.append((c, -1, -low))
        if np.isfinite(high):
            linear.append((c, 1, high))
    G_ = sp.lil_matrix((len(linear) + 3 * len(cones), k))
    hh = np.zeros(len(linear) + 3 * len(cones))
    for r, (c, s, v) in enumerate(linear):
        G_[r, c] = s
        hh[r] = v
    kinds.append(clarabel.NonnegativeConeT(len(linear)))
    for i, (c, mu) in enumerate(cones):
        r = len(linear) + 3 * i
        G_[r, c] = -mu
        G_[r + 1, c + 1] = -1
        G_[r + 2, c + 2] = -1
        kinds.append(clarabel.SecondOrderConeT(3))
    q = np.zeros(k)
    q[-1] = -1
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    solution = clarabel.DefaultSolver(sp.csc_matrix((k, k)), q, sp.csc_matrix(sp.vstack([A, G_])), np.concatenate([-g, hh]), kinds, settings).solve()
    status = str(solution.status)
    if "DualInfeasible" in status:
        return None
    if "PrimalInfeasible" in status:
        return -1
    return solution.x[-1] if "Solved" in status else math.nan


def ours(path, scene):
    body, p, d = scene["ask"]
    done = subprocess.run([PREHEND, "robustness", str(path), "--at", body, *map(str, p), "--push", *map(str, d), "--json"], capture_output=True, text=True)
    answer = json.loads(done.stdout)
    if answer["status"] == "unstable":
        return -1, answer
    assert answer["status"] == "ok", answer
    result = answer["results"][0]
    return (None if result["unbounded"] else result["robustness_N"]), answer


def test_random_scenes_agree_with_a_second_formulation(tmp_path):
    count = 300 if SLOW else 40
    rng, agree = np.random.default_rng(7), 0
    for i in range(count):
        scene = random_scene(rng)
        path = write(tmp_path, scene["text"], f"s{i}.xml")
        (mine, _), other = ours(path, scene), clarabel_limit(path, scene)
        if mine in (None, -1) or other in (None, -1):
            assert mine == other, (i, scene["kind"], mine, other, path.read_text())
        else:
            assert mine == pytest.approx(other, rel=1e-3, abs=1e-4), (i, scene["kind"], mine, other, path.read_text())
        agree += 1
    assert agree == count


# --- physics ------------------------------------------------------------------------------------------------------------

def moves(text, ask, size, seconds=0.5):
    """Largest displacement of any body's centre of mass [m] under the push, against that without it."""
    import mujoco
    spec = text.replace("<option ", '<option timestep="0.0005" cone="elliptic" impratio="100" noslip_iterations="10" integrator="implicitfast" ')
    spec = spec.replace("<worldbody>", '<default><geom solref="0.004 1" solimp="0.99 0.999 0.0001"/></default><worldbody>')
    model = mujoco.MjModel.from_xml_string(spec)
    body, p, d = ask
    b = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, body)
    d = np.array(d) / np.linalg.norm(d)

    def run(force):
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        local = data.xmat[b].reshape(3, 3).T @ (np.array(p) - data.xpos[b])
        start = None
        for step in range(int(seconds / 0.0005) + 200):
            if step == 200:
                start = data.xipos.copy()
            data.qfrc_applied[:] = 0
            ramp = 0.0 if step < 200 else min(1.0, (step - 200) / 200)
            mujoco.mj_applyFT(model, data, ramp * force * d, np.zeros(3), data.xpos[b] + data.xmat[b].reshape(3, 3) @ local, b, data.qfrc_applied)
            mujoco.mj_step(model, data)
        return np.linalg.norm(data.xipos - start, axis=1).max()
    return run(size)


def test_the_range_reaches_down_to_where_a_rod_tips_its_block(tmp_path):
    """A rod on a ball that leans on a block: which end of the patch carries decides whether the block is twisted, and friction decides that only
    where it has not crept. The engine tips the block from 7.8 N on."""
    text = (FLOOR.format(mu=0.726) + '<body name="rod" pos="0 0 .3"><joint name="ball" type="ball"/>'
            '<geom type="box" pos=".4 0 0" size=".4 .03 .03" mass="3.9793" friction=".726"/></body>'
            + box("block", (.6, -.0269, .135), (.08, .08, .135), 1.385, 0.726))
    path, ask = write(tmp_path, text), ("rod", (.6741, -.03, .3), (0, 1, -.177))
    answer = push(path, *ask)
    low, high = answer["without_prestress_range_N"]
    assert answer["depends_on_stiffness"] and low <= answer["without_prestress_N"] <= high
    assert moves(path.read_text(), ask, 0.9 * low) < 2e-3 < moves(path.read_text(), ask, high)


def judged(text, ask, low, high):
    """What physics says: "right" where it holds at 0.9 times `low` and moves at 1.1 times `high`, "tight" where it moves at 1.1 times `low` already.
    Infinite: held at 50 N. Next to nothing to hold says nothing."""
    if high < 0.05:
        return "near zero", ()
    if low < 0.05:  # held by internal stress alone, and nothing caused any
        moved = moves(text, ask, min(0.5 * high, 10.0))
        return "tight" if moved > 2e-3 else "wrong", moved
    held = moves(text, ask, min(0.9 * low, 50.0) if math.isinf(low) else 0.9 * low)
    if held > 2e-3:
        return "wrong", held
    if math.isinf(low) or moves(text, ask, 1.1 * low) > 2e-3:
        return "tight", held
    moved = math.inf if math.isinf(high) else moves(text, ask, 1.1 * high)
    return "right" if moved > 2e-3 else "wrong", (held, moved)


def physics_sweep(folder, count, seed, slippery, load_caused):
    """Counts by kind of mechanism, and a line for each that is wrong. Statics is the upper value; the lower one is the same, or what loads cause.
    Under "unflagged", those whose load-caused value does not depend on the stiffness of friction: there it is one number, and "right" (it moves
    only between that and statics) is not enough."""
    rng, counts, wrong = np.random.default_rng(seed), {}, []
    unflagged = {"tight": 0, "right": 0, "near zero": 0, "wrong": 0}
    for i in range(count):
        scene = random_scene(rng, slippery=slippery)
        path = write(folder, scene["text"], f"m{i}.xml")
        mine, answer = ours(path, scene)
        if mine == -1:
            moved = moves(path.read_text(), scene["ask"], 0.0)
            what, low, high = "tight" if moved > 2e-3 else "wrong", 0.0, 0.0
        else:
            high = math.inf if mine is None else mine
            low = answer["results"][0].get("without_prestress_N", math.inf) if load_caused else high  # not there: without bound
            what, moved = judged(path.read_text(), scene["ask"], low, high)
        none = {"tight": 0, "right": 0, "near zero": 0, "wrong": 0}
        counts.setdefault(scene["kind"], dict(none))[what] += 1
        is_flagged = mine != -1 and answer["results"][0].get("depends_on_stiffness", False)
        if load_caused and not is_flagged:
            unflagged[what] += 1
        if what == "wrong" or (what == "right" and not is_flagged and load_caused):
            wrong.append(f"{i} {scene['kind']}: statics {high}, load-caused {low}, moved {moved}, {what}{', flagged' if is_flagged else ''}")
    return counts, wrong, unflagged


def share_right(counts):
    total = {what: sum(c[what] for c in counts.values()) for what in ("tight", "right", "wrong")}
    return (total["tight"] + total["right"]) / sum(total.values())


@pytest.mark.skipif(not SLOW, reason="simulates some hundred scenes; set PREHEND_SLOW=1")
def test_physics_agrees_on_hold_and_move(tmp_path):
    counts, wrong, _ = physics_sweep(tmp_path, 200, 23, slippery=True, load_caused=False)
    print(counts, *wrong, sep="\n")
    assert share_right(counts) >= 0.97, wrong


@pytest.mark.skipif(not SLOW, reason="simulates some hundred scenes; set PREHEND_SLOW=1")
def test_physics_agrees_with_what_loads_cause(tmp_path):
    """With friction everywhere, statics lets joints and contacts brace each other. What load-caused forces hold, physics holds; what statics does not
    hold moves. Between the two the stiffness decides, and the answer says so: where it does not, physics moves at 1.1 of the load-caused value."""
    counts, wrong, unflagged = physics_sweep(tmp_path, 100, 4301, slippery=False, load_caused=True)
    print(counts, unflagged, *wrong, sep="\n")
    assert unflagged["tight"] >= 0.93 * (sum(unflagged.values()) - unflagged["near zero"]), unflagged
    # 95 when it was written. The engine creeps below the limit and tips what stands near its edge: docs/stability_validation.md.
    assert share_right(counts) >= 0.93, wrong


def test_a_follower_without_ratio_stands_while_its_leader_falls(tmp_path):
    arm = '<body name="{n}" pos="{x} 0 1"><joint name="j{n}" axis="0 1 0"/><geom size=".05" pos=".2 0 0"/></body>'
    coupling = '<equality><joint joint1="jb" joint2="ja" polycoef="0 {} 0 0 0"/></equality>'
    two = arm.format(n="a", x=0) + arm.format(n="b", x=1)
    assert prehend("forces", write(tmp_path, two, extra=coupling.format(0)), code=3)["moving"] == ["a"]
    assert prehend("forces", write(tmp_path, two, extra=coupling.format(1)), code=3)["moving"] == ["a", "b"]
    # A counterweight: what one lifts the other lowers.
    answer = prehend("forces", write(tmp_path, two, extra=coupling.format(-1)))
    assert answer["status"] == "stable"


if __name__ == "__main__":  # joints_test.py [SCENES [SEED [statics]]]: counts of the sweep with friction
    import sys
    import tempfile
    with tempfile.TemporaryDirectory() as name:
        found = physics_sweep(name, int(sys.argv[1]) if len(sys.argv) > 1 else 50, int(sys.argv[2]) if len(sys.argv) > 2 else 1,
                              slippery=False, load_caused="statics" not in sys.argv)
        print(*found[0].items(), f"{share_right(found[0]):.3f}", f"unflagged: {found[2]}", *found[1], sep="\n")
