"""Writes data/robots/wheeled_humanoid.urdf: the robot of `prehend assist`, made of primitives only.

Seventeen joints (knee, hip pitch, hip roll, two of the neck, six per arm) on an omnidirectional base; 1.2 m, 28 kg. Masses and lengths are
chosen by us, in the proportions of a small wheeled humanoid; inertias are those of the drawn primitives.

    python3 data/make_robot.py > data/robots/wheeled_humanoid.urdf
"""

import math


def solid(shape, size, mass):
    if shape == "sphere":
        i = 0.4 * mass * size[0] ** 2
        return i, i, i
    if shape == "box":
        x, y, z = size
        return mass * (y * y + z * z) / 12, mass * (x * x + z * z) / 12, mass * (x * x + y * y) / 12
    r, length = size  # a cylinder along z; a capsule is drawn as one with a ball at each end
    side = mass * (3 * r * r + length * length) / 12
    return side, side, 0.5 * mass * r * r


def geometry(shape, size):
    if shape == "sphere":
        return f'<sphere radius="{size[0]}"/>'
    if shape == "box":
        return '<box size="{} {} {}"/>'.format(*size)
    return f'<cylinder radius="{size[0]}" length="{size[1]}"/>'


def link(name, mass=0.0, com=(0, 0, 0), shapes=()):
    if not shapes:
        return f'  <link name="{name}"/>\n'
    text = f'  <link name="{name}">\n'
    shape, size, at, turn = shapes[0]
    ixx, iyy, izz = solid(shape, size, mass)
    rpy = "{:.6g} {:.6g} {:.6g}".format(*turn)
    text += f'    <inertial><origin xyz="{com[0]} {com[1]} {com[2]}" rpy="{rpy}"/><mass value="{mass}"/>'
    text += f'<inertia ixx="{ixx:.6g}" iyy="{iyy:.6g}" izz="{izz:.6g}" ixy="0" ixz="0" iyz="0"/></inertial>\n'
    for shape, size, at, turn in shapes:
        origin = '<origin xyz="{} {} {}" rpy="{:.6g} {:.6g} {:.6g}"/>'.format(*at, *turn)
        for tag in ("visual", "collision"):
            text += f'    <{tag}>{origin}<geometry>{geometry(shape, size)}</geometry></{tag}>\n'
    return text + '  </link>\n'


def joint(name, parent, child, at, axis=None, limits=None, rpy=(0, 0, 0)):
    kind = "revolute" if axis else "fixed"
    text = f'  <joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
    text += '<origin xyz="{} {} {}" rpy="{:.9g} {:.9g} {:.9g}"/>'.format(*at, *rpy)
    if axis:
        lower, upper, effort, speed = limits
        text += '<axis xyz="{} {} {}"/>'.format(*axis)
        text += f'<limit lower="{lower}" upper="{upper}" effort="{effort}" velocity="{speed}"/>'
        text += '<dynamics damping="0.05" friction="{:.3g}"/>'.format(0.01 * effort)
    return text + '</joint>\n'


def arm(side, s):
    """s: +1 for the left arm. At zero the arm points forward."""
    along_x = (0, math.pi / 2, 0)
    low_high = (lambda a, b: (a, b)) if s > 0 else (lambda a, b: (-b, -a))
    text = link(f"{side}_shoulder", 0.35, (0, 0, 0), [("sphere", (0.05,), (0, 0, 0), (0, 0, 0))])
    text += link(f"{side}_upper_arm", 0.6, (0.12, 0, 0), [("cylinder", (0.04, 0.16), (0.12, 0, 0), along_x)])
    text += link(f"{side}_elbow", 0.1, (0, 0, 0), [("sphere", (0.04,), (0, 0, 0), (0, 0, 0))])
    text += link(f"{side}_forearm", 0.45, (0.1, 0, 0), [("cylinder", (0.035, 0.14), (0.1, 0, 0), along_x)])
    text += link(f"{side}_hand", 0.25, (0.05, 0, 0), [("sphere", (0.035,), (0.06, 0, 0), (0, 0, 0))])
    text += link(f"{side}_finger", 0.05, (0.012, 0, 0), [("sphere", (0.01,), (0.012, 0, 0), (0, 0, 0))])
    text += link(f"{side}_palm")
    j, y = f"{side}_", s
    text += joint(j + "shoulder_pitch", "torso", f"{side}_shoulder", (0, 0.17 * s, 0.36), (0, 1, 0), (-2.0, 2.0, 12, 4.0))
    text += joint(j + "shoulder_roll", f"{side}_shoulder", f"{side}_upper_arm", (0, 0, 0), (0, 0, 1), (*low_high(-0.3, 1.5), 12, 4.0))
    text += joint(j + "elbow_yaw", f"{side}_upper_arm", f"{side}_elbow", (0.24, 0, 0), (1, 0, 0), (-2.0, 2.0, 10, 4.0))
    text += joint(j + "elbow_roll", f"{side}_elbow", f"{side}_forearm", (0, 0, 0), (0, 0, 1), (*low_high(-2.2, -0.02), 10, 4.0))
    text += joint(j + "wrist_yaw", f"{side}_forearm", f"{side}_hand", (0.2, 0, 0), (1, 0, 0), (-1.8, 1.8, 3, 5.0))
    text += joint(j + "gripper", f"{side}_hand", f"{side}_finger", (0.035, 0.036 * y, 0), (0, 0, 1), (*low_high(-0.6, 0.2), 1, 4.0))
    text += joint(j + "palm_fixed", f"{side}_hand", f"{side}_palm", (0.06, 0, 0))
    return text


def robot():
    up = (0, 0, 0)
    text = '<?xml version="1.0"?>\n<!-- Made by data/make_robot.py of Prehend. Apache-2.0. -->\n<robot name="wheeled_humanoid">\n'
    text += link("base_link", 13.4, (0, 0, 0.08), [("cylinder", (0.2, 0.12), (0, 0, 0.08), up), ("cylinder", (0.07, 0.1), (0, 0, 0.18), up)])
    text += link("leg", 2.5, (0, 0, 0.12), [("cylinder", (0.07, 0.18), (0, 0, 0.12), up)])
    text += link("hip", 1.0, (0, 0, 0), [("sphere", (0.07,), (0, 0, 0), up)])
    text += link("torso", 6.0, (0, 0, 0.22), [("cylinder", (0.11, 0.26), (0, 0, 0.22), up)])
    text += link("neck", 0.3, (0, 0, 0.03), [("cylinder", (0.045, 0.06), (0, 0, 0.03), up)])
    text += link("head", 1.2, (0, 0, 0.09), [("sphere", (0.11,), (0, 0, 0.09), up)])
    text += link("tablet") + link("camera")
    text += joint("knee", "base_link", "leg", (0, 0, 0.24), (0, 1, 0), (-0.5, 0.5, 90, 2.0))
    text += joint("hip_pitch", "leg", "hip", (0, 0, 0.25), (0, 1, 0), (-1.0, 1.0, 80, 2.0))
    text += joint("hip_roll", "hip", "torso", (0, 0, 0.01), (1, 0, 0), (-0.5, 0.5, 60, 2.0))
    text += joint("neck_yaw", "torso", "neck", (0, 0, 0.43), (0, 0, 1), (-2.0, 2.0, 6, 4.0))
    text += joint("neck_pitch", "neck", "head", (0, 0, 0.07), (0, 1, 0), (-0.7, 0.6, 6, 4.0))
    text += joint("tablet_fixed", "torso", "tablet", (0.13, 0, 0.24))
    text += joint("camera_fixed", "head", "camera", (0.1, 0, 0.14), rpy=(-math.pi / 2, 0, -math.pi / 2))
    text += arm("left", 1) + arm("right", -1)
    return text + "</robot>\n"


if __name__ == "__main__":
    print(robot(), end="")
