"""One tick of the whole-body controller against placo's dynamics solver on the same robot, in one run.

    pip install placo==0.10.0
    python bench/assist_vs_placo.py --build build/release [--ticks 2000]

Both in processor time of the thread. Prehend: every tick of a whole trial, from sensor values to command (perception, contact, states and the program). placo: kinematics
and `solve` alone, called from Python, on the same URDF with a planar base of three joints (20 variables); posture, centre of mass and both palms as soft tasks, limits of
position, speed and torque, self-collision. placo has no tipping and no braking distance. The figure is the ratio of the p99.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent


# Arms against trunk, base, head and each other; neighbours overlap as they are drawn.
ARMS = [[side + link for link in ("_forearm", "_hand")] for side in ("left", "right")]
ARM_PAIRS = [[link, other] for arm in ARMS for link in arm for other in ("torso", "base_link", "leg", "hip", "head")] + [[a, b] for a in ARMS[0] for b in ARMS[1]]


def with_planar_base(urdf):
    """The URDF's text with x, y and yaw of the base as joints."""
    root = ElementTree.fromstring(urdf)
    parent = "floor"
    ElementTree.SubElement(root, "link", name=parent)
    for name, kind, axis in (("base_x", "prismatic", "1 0 0"), ("base_y", "prismatic", "0 1 0"), ("base_yaw", "revolute", "0 0 1")):
        child = "base_link" if name == "base_yaw" else name + "_link"
        if child != "base_link":
            link = ElementTree.SubElement(root, "link", name=child)
            inertial = ElementTree.SubElement(link, "inertial")
            ElementTree.SubElement(inertial, "mass", value="0.001")
            ElementTree.SubElement(inertial, "inertia", ixx="1e-6", iyy="1e-6", izz="1e-6", ixy="0", ixz="0", iyz="0")
        joint = ElementTree.SubElement(root, "joint", name=name, type=kind)
        ElementTree.SubElement(joint, "parent", link=parent)
        ElementTree.SubElement(joint, "child", link=child)
        ElementTree.SubElement(joint, "axis", xyz=axis)
        ElementTree.SubElement(joint, "limit", lower="-3", upper="3", effort="500", velocity="0.5")
        parent = child
    return ElementTree.tostring(root, encoding="unicode")


def percentiles(times):
    times = sorted(times)
    return times[len(times) // 2], times[min(len(times) - 1, int(0.99 * len(times)))]


def placo_ticks(placo, ticks, collisions):
    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "robot.urdf"
        path.write_text(with_planar_base((SOURCE / "data/robots/wheeled_humanoid.urdf").read_text()))
        (pathlib.Path(folder) / "collisions.json").write_text(json.dumps(ARM_PAIRS))
        robot = placo.RobotWrapper(str(path))
    solver = placo.DynamicsSolver(robot)
    solver.dt = 1 / 83
    solver.mask_fbase(True)
    names = [name for name in robot.joint_names()]
    posture = solver.add_joints_task()
    posture.set_joints({name: robot.get_joint(name) for name in names})
    posture.configure("posture", "soft", 10.0)
    robot.update_kinematics()
    com = solver.add_com_task(robot.com_world())
    com.configure("com", "soft", 1e4)
    hands = []
    for palm in ("left_palm", "right_palm"):
        task = solver.add_position_task(palm, robot.get_T_world_frame(palm)[:3, 3])
        task.configure(palm, "soft", 2000.0)
        hands.append((task, robot.get_T_world_frame(palm)[:3, 3].copy()))
    solver.enable_joint_limits(True)
    solver.enable_velocity_limits(True)
    solver.enable_torque_limits(True)
    if collisions:
        solver.add_avoid_self_collisions_constraint()
    times, failed = [], 0
    for tick in range(ticks):
        way = 0.05 * np.array([np.sin(0.02 * tick), np.cos(0.03 * tick) - 1, np.sin(0.025 * tick)])
        for task, start in hands:
            task.target_world = start + way
        before = time.thread_time_ns()
        robot.update_kinematics()
        result = solver.solve(True)
        times.append((time.thread_time_ns() - before) * 1e-3)
        failed += not result.success
    return *percentiles(times[10:]), failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=str(SOURCE / "build/release"))
    parser.add_argument("--ticks", type=int, default=2000)
    arguments = parser.parse_args()
    try:
        import placo
    except ImportError:
        print("placo is not installed (pip install placo==0.10.0): nothing to compare with")
        return 0
    program = pathlib.Path(arguments.build) / "bin/prehend"
    done = subprocess.run([program, "assist", SOURCE / "data/assist/trial.yaml", "--json"], capture_output=True, text=True, check=True)
    own = json.loads(done.stdout)["ticks"]
    print(f"prehend, whole tick, {own['variables']} variables, {own['rows']} rows: p50 {own['p50_us']:.0f} us, p99 {own['p99_us']:.0f} us")
    for collisions in (False, True):
        p50, p99, failed = placo_ticks(placo, arguments.ticks, collisions)
        print(f"placo, {'limits and self-collision' if collisions else 'limits'}: p50 {p50:.0f} us, p99 {p99:.0f} us, unsolved {failed}; p99 over prehend's {p99 / own['p99_us']:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
