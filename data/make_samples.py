"""Writes data/samples: small recordings in the formats of published data, with a known truth. Run from the repository's root.

The published data itself is not part of this repository; these files let the same readers and the same
questions be tested without it. Everything is computed from formulas, seeded, and written with fixed digits."""

import gzip
import json
from pathlib import Path

import numpy as np

FOLDER = Path("data/samples")
rng = np.random.default_rng(11)


def write(name, text):
    path = FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


# ---------------------------------------------------------------------------------------------- a held tool
# A T of constant thickness: handle (wood) and head (aluminium) of one drawing. Metres; the mesh file is in millimetres.

HANDLE = np.array([[-0.015, -0.20, -0.015], [0.015, 0.05, 0.015]])
HEAD = np.array([[-0.06, 0.05, -0.015], [0.06, 0.10, 0.015]])
DENSITY = {"handle": 700.0, "head": 2700.0}


def box_inertia(box, density):
    size, middle = box[1] - box[0], box.mean(axis=0)
    mass = density * size.prod()
    about = mass / 12 * np.diag([size[1] ** 2 + size[2] ** 2, size[0] ** 2 + size[2] ** 2, size[0] ** 2 + size[1] ** 2])
    return mass, middle, about


def cross(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def whole():
    parts = [box_inertia(HANDLE, DENSITY["handle"]), box_inertia(HEAD, DENSITY["head"])]
    mass = sum(m for m, _, _ in parts)
    com = sum(m * c for m, c, _ in parts) / mass
    about = sum(I + m * cross(c - com).T @ cross(c - com) for m, c, I in parts)
    return mass, com, about


def turn(axis, angle):
    axis = np.eye(3)[axis]
    return np.eye(3) + np.sin(angle) * cross(axis) + (1 - np.cos(angle)) * cross(axis) @ cross(axis)


def sensor_rotation(t):
    return turn(2, 0.9 * np.sin(2.1 * t)) @ turn(1, 1.1 * np.sin(1.7 * t + 0.4)) @ turn(0, 0.8 * np.sin(2.9 * t + 1.1))


def sensor_position(t):
    return np.array([0.4 + 0.10 * np.sin(2.3 * t), 0.08 * np.sin(3.1 * t + 0.5), 0.5 + 0.12 * np.sin(1.9 * t + 0.2)])


def derivative(f, t, order, h=1e-3):
    """Central differences of sixth order."""
    weights = {1: [-1 / 60, 3 / 20, -3 / 4, 0, 3 / 4, -3 / 20, 1 / 60], 2: [1 / 90, -3 / 20, 3 / 2, -49 / 18, 3 / 2, -3 / 20, 1 / 90]}[order]
    return sum(w * f(t + (k - 3) * h) for k, w in enumerate(weights)) / h**order


def quaternion(R):
    q = np.empty(4)
    q[0] = np.sqrt(max(0.0, 1 + np.trace(R))) / 2
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        q[1 + i] = np.sqrt(max(0.0, 1 + R[i, i] - R[j, j] - R[k, k])) / 2 * (1 if R[k, j] >= R[j, k] else -1)
    return q / np.linalg.norm(q)


def vee(W):
    return np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2


def tool():
    mass, com_O, I_O = whole()
    p_SO = np.array([0.0, 0.17, 0.02])  # the handle is held near its end
    gravity = np.array([0, 0, 9.81])    # this log's z axis points down
    header = "t,sx,sy,sz,sqw,sqx,sqy,sqz,vx,vy,vz,wx,wy,wz,ax,ay,az,alx,aly,alz,fx,fy,fz,tx,ty,tz,ox,oy,oz,oqw,oqx,oqy,oqz"
    lines = [header]
    for k in range(300):
        t = k / 100
        R, p = sensor_rotation(t), sensor_position(t)
        w_of = lambda s: vee(derivative(sensor_rotation, s, 1) @ sensor_rotation(s).T)
        w, al = w_of(t), derivative(w_of, t, 1)
        v, a = derivative(sensor_position, t, 1), derivative(sensor_position, t, 2)
        c = R @ (p_SO + com_O)  # from the sensor to the centre of mass, world
        f = mass * (a + np.cross(al, c) + np.cross(w, np.cross(w, c)) - gravity)
        I = R @ I_O @ R.T
        moment = I @ al + np.cross(w, I @ w) + np.cross(c, f)
        o = p + R @ p_SO
        q = quaternion(R)
        lines.append(",".join(f"{x:.10g}" for x in [t, *p, *q, *v, *w, *a, *al, *f, *moment, *o, *q]))
    path = FOLDER / "tools/mallet/motion.csv.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as out, gzip.GzipFile(filename="", fileobj=out, mode="wb", mtime=0) as packed:
        packed.write(("\r\n".join(lines) + "\r\n").encode())
    matrix = lambda M: "[" + ",".join("[" + ", ".join(f"{x:.12f}" for x in row) + "]" for row in M) + "]"
    grasp = np.eye(4)
    grasp[:3, 3] = -p_SO
    write("tools/mallet/inertia.yaml", f"OBJECT:\n  MASS: {mass:.12f}\n  COM_WRT_MESH: [{', '.join(f'{x:.12f}' for x in com_O)}]\n"
          f"  INERTIA_WRT_COM: {matrix(I_O)}\n  GRASP_WRT_MESH: {matrix(grasp)}\n")

    # Parts: points with the volume they stand for. Cells of about 7.5 mm.
    rows = []
    for label, box in enumerate((HANDLE, HEAD)):
        counts = np.round((box[1] - box[0]) / 0.0075).astype(int)
        cell = (box[1] - box[0]) / counts
        for index in np.ndindex(*counts):
            x = box[0] + (np.array(index) + 0.5) * cell
            rows.append("%.5g %.5g %.5g %.4g %d" % (*x, cell.prod(), label))
    write("tools/mallet/parts.ply", "ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
          "property float volume\nproperty uchar segmentation\nend_header\n" % len(rows) + "\n".join(rows) + "\n")

    # The drawing, in millimetres, faces coloured by part: the outline of the T, pulled along z.
    outline = 1000 * np.array([[-0.015, -0.20], [0.015, -0.20], [0.015, 0.05], [0.06, 0.05], [0.06, 0.10], [-0.06, 0.10], [-0.06, 0.05],
                               [-0.015, 0.05]])
    vertices = [(x, y, z) for z in (-15.0, 15.0) for x, y in outline]
    flat = [(0, 1, 2), (0, 2, 7), (6, 7, 5), (7, 2, 5), (2, 4, 5), (2, 3, 4)]
    faces = [(c, b, a) for a, b, c in flat] + [(a + 8, b + 8, c + 8) for a, b, c in flat]
    for i in range(8):
        j = (i + 1) % 8
        faces += [(i, j, j + 8), (i, j + 8, i + 8)]
    colour = lambda face: "150 110 60" if all(vertices[i][1] <= 50 for i in face) else "180 180 190"
    write("tools/mallet/mesh.ply", "ply\nformat ascii 1.0\ncomment millimetres\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
          "element face %d\nproperty list uchar int vertex_indices\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n"
          % (len(vertices), len(faces)) + "\n".join("%g %g %g" % v for v in vertices) + "\n"
          + "\n".join("3 %d %d %d %s" % (*f, colour(f)) for f in faces) + "\n")

    # What a scanner sees: points on the surface with colour and part.
    cloud = []
    while len(cloud) < 500:
        label = int(rng.random() < 0.45)
        box = (HANDLE, HEAD)[label]
        x = box[0] + rng.random(3) * (box[1] - box[0])
        side = rng.integers(3)
        x[side] = box[rng.integers(2), side]
        if abs(x[1] - 0.05) < 1e-9 and abs(x[0]) < 0.015:
            continue  # where the parts meet
        cloud.append("%.5g %.5g %.5g %s %d" % (*x, ("150 110 60", "180 180 190")[label], label))
    write("tools/mallet/cloud.ply", "ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\n"
          "property uchar green\nproperty uchar blue\nproperty int label\nend_header\n" % len(cloud) + "\n".join(cloud) + "\n")


# ---------------------------------------------------------------------------------------------- tracks
# Doors and drawers as a tracker logs them: x y z, or x y z qx qy qz qw, one line per frame, no header.

def tracks():
    for name, radius in (("cabinet", 0.45), ("microwave", 0.32)):
        lines = []
        for k in range(90):
            angle = 1.4 * 0.5 * (1 - np.cos(np.pi * k / 89))
            p = np.array([0.9 + radius * np.cos(angle), 0.1 + radius * np.sin(angle), 0.8]) + 0.002 * rng.standard_normal(3)
            lines.append(" ".join(f"{x:.6f}" for x in p))
        write(f"tracks/{name}.log", "\n".join(lines) + "\n")
    lines = []
    for k in range(90):
        p = np.array([0.5, -0.2, 0.7]) + 0.4 * 0.5 * (1 - np.cos(np.pi * k / 89)) * np.array([0.96, 0.28, 0]) + 0.002 * rng.standard_normal(3)
        lines.append(" ".join(f"{x:.6f}" for x in p))
    write("tracks/drawer.log", "\n".join(lines) + "\n")
    for name, turning in (("oven", True), ("cutlery", False)):
        lines = []
        for k in range(90):
            s = 0.5 * (1 - np.cos(np.pi * k / 89))
            R = turn(0, 1.2 * s) if turning else np.eye(3)
            p = np.array([0.2, 0.6, 0.4]) + (R @ np.array([0.0, 0.05, 0.35]) if turning else s * np.array([0.0, -0.38, 0.0]))
            wobble = 0.01 * rng.standard_normal(3)
            q = quaternion(turn(0, wobble[0]) @ turn(1, wobble[1]) @ turn(2, wobble[2]) @ R)
            p = p + 0.002 * rng.standard_normal(3)
            lines.append(" ".join(f"{x:.6f}" for x in [*p, q[1], q[2], q[3], q[0]]))
        write(f"tracks/{name}.log", "\n".join(lines) + "\n")


# ---------------------------------------------------------------------------------------------- assemblies
# COMPAS assembly JSON: blocks as half-edge meshes, supports marked.

def block(corners):
    faces = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
    return {"dtype": "compas_assembly.datastructures/Block", "data": {
        "attributes": {"name": None}, "default_vertex_attributes": {"x": 0.0, "y": 0.0, "z": 0.0}, "default_edge_attributes": {},
        "default_face_attributes": {}, "vertex": {str(i): dict(zip("xyz", map(float, c))) for i, c in enumerate(corners)},
        "face": {str(i): f for i, f in enumerate(faces)}, "facedata": {str(i): {} for i in range(6)}, "edgedata": {}, "max_vertex": 7, "max_face": 5}}


def prism(section, depth):
    """Four corners in x and z, counterclockwise seen from -y, pulled along y."""
    low = [(x, 0.0, z) for x, z in section]
    return block([*low, *[(x, depth, z) for x, z in section]])


def assembly(name, blocks):
    node = {}
    for key, (mesh, support) in enumerate(blocks):
        node[str(key)] = {"block": mesh, **({"is_support": True} if support else {})}
    keys = {str(k): {} for k in range(len(blocks))}
    graph = {"attributes": {"name": "Graph"}, "default_node_attributes": {"block": None, "is_support": False}, "default_edge_attributes": {"interfaces": None},
             "node": node, "edge": keys, "adjacency": keys, "max_node": len(blocks) - 1}
    document = {"dtype": "compas_assembly.datastructures/Assembly", "data": {"attributes": {"name": name},
                "graph": {"dtype": "compas.datastructures/Graph", "data": graph}}}
    write(f"assemblies/{name}.json", json.dumps(document) + "\n")


def assemblies():
    # A keystone between two supports whose faces lean by tan = 0.5: it holds by weight alone (wider at the top).
    assembly("keystone", [
        (prism([(-2.0, 0.0), (-0.5, 0.0), (-1.0, 1.0), (-2.0, 1.0)], 1.0), True),
        (prism([(0.5, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0)], 1.0), True),
        (prism([(-0.5, 0.0), (0.5, 0.0), (1.0, 1.0), (-1.0, 1.0)], 1.0), False)])
    # A block on a slope of tan = 0.6: friction 0.6 is critical.
    length = np.hypot(1.0, 0.6)
    along, up = np.array([1.0, 0.6]) / length, np.array([-0.6, 1.0]) / length
    foot = np.array([1.0, 0.6]) * 0.5
    corners = [foot, foot + 0.5 * along, foot + 0.5 * along + 0.2 * up, foot + 0.2 * up]
    assembly("slope", [(prism([(0.0, -0.2), (2.0, -0.2), (2.0, 1.2), (0.0, 0.0)], 1.0), True), (prism([tuple(c) for c in corners], 0.5), False)])


# ---------------------------------------------------------------------------------------------- things on a tray

def transport():
    write("transport/arrangements.yaml", """# Things on the tray of a robot waiter; their shapes stand in controller.yaml.
arrangements:
  tower:
    objects:
      - {name: lower, type: block, parent: ee, offset: {x: 0.02}}
      - {name: upper, type: block, parent: lower}
    contacts:
      - {first: ee, second: lower, mu: 0.30, mu_margin: 0.03, support_area_inset: 0.005}
      - {first: lower, second: upper, mu: 0.40, mu_margin: 0.04}
  glass:
    objects:
      - {name: glass, type: glass, parent: ee, offset: {x: -0.03, y: 0.04}}
    contacts:
      - {first: ee, second: glass, mu: 0.25, mu_margin: 0.02, support_area_inset: 0.005}
""")
    write("transport/controller.yaml", """gravity: [0, 0, -9.81]
objects:
  ee:
    shape: cuboid
    side_lengths: [0.3, 0.3, 0.02]
    position: [0, 0, -0.01]
  block:
    mass: 0.2
    com_offset: [0, 0, 0]
    shape: cuboid
    side_lengths: [0.06, 0.05, 0.04]
  glass:
    mass: 0.3
    com_offset: [0, 0, 0]
    shape: cylinder
    radius: 0.03
    height: 0.12
""")


# ---------------------------------------------------------------------------------------------- a peg and its hole

def peg_in_hole():
    def solid(name, boxes):
        lines = [f"solid {name}"]
        for low, high in boxes:
            c = [(x, y, z) for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])]
            for quad in ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)):
                for a, b, d in ((quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])):
                    n = np.cross(np.subtract(c[b], c[a]), np.subtract(c[d], c[a]))
                    n = n / np.linalg.norm(n)
                    lines += ["facet normal %g %g %g" % tuple(n), "outer loop"] + ["vertex %g %g %g" % c[i] for i in (a, b, d)] + ["endloop", "endfacet"]
        write(f"peg_in_hole/{name}.stl", "\n".join(lines + [f"endsolid {name}"]) + "\n")
    solid("peg", [((-15, -15, 0), (15, 15, 80))])
    lines = ["No of Models: 2", ".\\peg.step", ".\\hole.step", "", "No of Scenes: 21"]
    for k in range(21):
        s = k / 20
        peg = np.array([100.0 - 120.0 * (1 - s), 980.0, 1440.0 + 80.0 * (1 - s) ** 2]) + 0.3 * rng.standard_normal(3)
        hole = np.array([100.0, 980.0, 1440.0]) + 0.1 * rng.standard_normal(3)
        lines += ["2 " + " ".join(f"{x:.6f}" for x in peg) + f"  0.0 0.0 1.0 {0.3 * (1 - s):.6f}",
                  "0 " + " ".join(f"{x:.6f}" for x in hole) + "  0.0 0.0 1.0 0.000000", ""]
    write("peg_in_hole/peg_in_hole.pose.list", "\n".join(lines))


if __name__ == "__main__":
    tool()
    tracks()
    assemblies()
    transport()
    peg_in_hole()
