"""Makes data/logs: a mallet, weighed by a robot that turns it, stops, and turns it on.

A wooden handle and a steel head, each of one density; a sensor at the grip. The recording has the noise of an ordinary
wrist sensor (0.1 N, 0.005 N m) and of differentiated joint angles (0.05 m/s2, 0.5 rad/s2). Run in the repository's root.
"""

import io
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "logs"
GRAVITY = np.array([0.0, 0.0, -9.81])
# Object frame: origin at the handle's end, handle along +y, head along x at its far end. [m], [kg/m3]
PARTS = {
    "handle": dict(low=(-0.013, 0.0, -0.010), high=(0.013, 0.26, 0.010), density=690.0),
    "head": dict(low=(-0.045, 0.26, -0.020), high=(0.045, 0.30, 0.020), density=7850.0),
}
P_OS = np.array([0.0, 0.06, 0.0])  # the sensor's origin at the grip; its axes are the object's
RATE = 100.0


def box(low, high):
    size = np.subtract(high, low)
    return size, np.add(low, high) / 2


def rigid_body():
    """Mass, centre of mass and inertia about the sensor's origin, in its axes."""
    mass, first, inertia = 0.0, np.zeros(3), np.zeros((3, 3))
    for part in PARTS.values():
        size, centre = box(part["low"], part["high"])
        m = part["density"] * size.prod()
        c = centre - P_OS
        own = m / 12 * np.diag([size[1] ** 2 + size[2] ** 2, size[0] ** 2 + size[2] ** 2, size[0] ** 2 + size[1] ** 2])
        mass += m
        first += m * c
        inertia += own + m * (c @ c * np.eye(3) - np.outer(c, c))
    return mass, first / mass, inertia


def rotation(axis, angle):
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def quaternion(R):
    w = np.sqrt(max(0.0, 1 + R[0, 0] + R[1, 1] + R[2, 2])) / 2
    x = np.copysign(np.sqrt(max(0.0, 1 + R[0, 0] - R[1, 1] - R[2, 2])) / 2, R[2, 1] - R[1, 2])
    y = np.copysign(np.sqrt(max(0.0, 1 - R[0, 0] + R[1, 1] - R[2, 2])) / 2, R[0, 2] - R[2, 0])
    z = np.copysign(np.sqrt(max(0.0, 1 - R[0, 0] - R[1, 1] + R[2, 2])) / 2, R[1, 0] - R[0, 1])
    q = np.array([w, x, y, z])
    return q / np.linalg.norm(q)


def motion():
    """Rest, then six turns of about a right angle with rests between; (t, p, R, v, w, a, al), world's axes."""
    turns = [((1, 0, 0), 1.6), ((0, 1, 0.2), 1.5), ((0.3, 0, 1), -1.7), ((1, 1, 0), 1.4), ((0, 0.4, 1), 1.6), ((1, 0, 1), -1.5)]
    rng = np.random.default_rng(4)
    p, R = np.array([0.4, 0.0, 0.5]), np.eye(3)
    rows, t = [], 0.0

    def rest(seconds):
        nonlocal t
        for _ in range(round(seconds * RATE)):
            rows.append((t, p, R, np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)))
            t += 1 / RATE

    rest(0.3)
    for axis, angle in turns:
        axis = np.array(axis) / np.linalg.norm(axis)
        step, duration = rng.uniform(-0.08, 0.08, 3), 0.8
        for k in range(round(duration * RATE)):
            u = (k + 1) / RATE / duration
            s = 10 * u**3 - 15 * u**4 + 6 * u**5
            ds = (30 * u**2 - 60 * u**3 + 30 * u**4) / duration
            dds = (60 * u - 180 * u**2 + 120 * u**3) / duration**2
            rows.append((t, p + s * step, rotation(axis, s * angle) @ R, ds * step, ds * angle * axis, dds * step, dds * angle * axis))
            t += 1 / RATE
        p, R = p + step, rotation(axis, angle) @ R
        rest(0.3)
    return rows


def recording():
    mass, com, inertia = rigid_body()
    rng = np.random.default_rng(7)
    header = "t,sx,sy,sz,sqw,sqx,sqy,sqz,vx,vy,vz,wx,wy,wz,ax,ay,az,alx,aly,alz,fx,fy,fz,tx,ty,tz,ox,oy,oz,oqw,oqx,oqy,oqz"
    out = io.StringIO()
    out.write("# a mallet turned by a robot; made by data/make_logs.py\n" + header + "\n")
    for t, p, R, v, w, a, al in motion():
        w_S, al_S, a_S = R.T @ w, R.T @ al, R.T @ (a - GRAVITY)
        force = R @ (mass * a_S + np.cross(al_S, mass * com) + np.cross(w_S, np.cross(w_S, mass * com)))
        torque = R @ (inertia @ al_S + np.cross(w_S, inertia @ w_S) + np.cross(mass * com, a_S))
        q = quaternion(R)
        numbers = [t, *p, *q, *v, *w, *(a + 0.05 * rng.standard_normal(3)), *(al + 0.5 * rng.standard_normal(3)),
                   *(force + 0.1 * rng.standard_normal(3)), *(torque + 0.005 * rng.standard_normal(3)), *(p - R @ P_OS), *q]
        out.write(",".join(f"{x:.7g}" for x in numbers) + "\n")
    return out.getvalue()


def parts_cloud():
    """Cell centres of a grid in each part, with the volume of the cell and the part's number."""
    lines = []
    for label, part in enumerate(PARTS.values()):
        size, _ = box(part["low"], part["high"])
        cells = np.maximum(np.round(size / 0.009).astype(int), 3)
        for index in np.ndindex(*cells):
            point = np.array(part["low"]) + size * (np.array(index) + 0.5) / cells
            lines.append(f"{point[0]:.6g} {point[1]:.6g} {point[2]:.6g} {size.prod() / cells.prod():.6g} {label}")
    properties = "".join(f"property {kind} {name}\n" for kind, name in
                         [("double", "x"), ("double", "y"), ("double", "z"), ("double", "volume"), ("int", "label")])
    return f"ply\nformat ascii 1.0\nelement vertex {len(lines)}\n{properties}end_header\n" + "\n".join(lines) + "\n"


def main():
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "mallet.csv").write_text(recording())
    (FOLDER / "mallet_parts.ply").write_text(parts_cloud())
    mass, com, inertia = rigid_body()
    print(f"mallet: mass {mass:.6f} kg, centre of mass in the sensor's frame {com}, inertia about it\n{inertia}")


if __name__ == "__main__":
    main()
