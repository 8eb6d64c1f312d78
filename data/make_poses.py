"""Makes data/poses/*.csv: tracked parts of things in a house, with the noise of a marker tracker. Run from the repository's root."""

import numpy as np

rng = np.random.default_rng(7)


def quaternion(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.r_[np.cos(angle / 2), np.sin(angle / 2) * axis]


def product(a, b):
    return np.r_[a[0] * b[0] - a[1:] @ b[1:], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])]


def turned(q, v):
    return v + 2 * q[0] * np.cross(q[1:], v) + 2 * np.cross(q[1:], np.cross(q[1:], v))


def noisy(q, p, position=0.002, angle=0.006):
    w = angle * rng.standard_normal(3)
    return product(q, quaternion(w, np.linalg.norm(w))), p + position * rng.standard_normal(3)


def write(name, comment, frames):
    with open(f"data/poses/{name}.csv", "w") as out:
        out.write(f"# {comment}\nt,part,x,y,z,qw,qx,qy,qz\n")
        for t, part, (q, p) in frames:
            out.write(f"{t:.2f},{part}," + ",".join(f"{v:.6f}" for v in [*p, *q]) + "\n")


X_frame = quaternion([0, 0, 1], 0.4), np.array([1.0, 0.2, 0.9])
still = quaternion([1, 0, 0], 0.0)

# A cabinet door: hinge along the frame's z axis at (0.05, -0.2, 0), marker 0.35 m from it; the marker is lost for a while.
door = []
for k in range(80):
    t = k / 20
    angle = 1.3 * 0.5 * (1 - np.cos(np.pi * min(1.0, k / 70)))
    q = quaternion([0, 0, 1], angle)
    p = np.array([0.05, -0.2, 0.0]) + turned(q, np.array([0.02, 0.35, 0.1]))
    door.append((t, "frame", noisy(*X_frame)))
    if not 40 <= k < 44:
        door.append((t, "door", noisy(product(X_frame[0], q), X_frame[1] + turned(X_frame[0], p))))
write("door", "Cabinet door in its frame; the door's marker is hidden for four frames", door)

# A drawer, seen from the world; only positions.
with open("data/poses/drawer.csv", "w") as out:
    out.write("# Handle of a drawer, position only\nt,part,x,y,z\n")
    direction = np.array([0.8, 0.6, 0.0])
    for k in range(60):
        travel = 0.35 * 0.5 * (1 - np.cos(np.pi * k / 59))
        p = np.array([0.4, -0.3, 0.7]) + travel * direction + 0.0015 * rng.standard_normal(3)
        out.write(f"{k / 20:.2f},handle," + ",".join(f"{v:.6f}" for v in p) + "\n")
