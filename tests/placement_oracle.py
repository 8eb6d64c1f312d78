"""Second opinions on placements that share no code with the library: separating axes, Clarabel, MuJoCo."""

import itertools
import json
import subprocess

import clarabel
import mujoco
import numpy as np
import scipy.sparse as sp
from scipy.spatial import ConvexHull

GRAVITY = 9.81


def posed(text, pose):
    """The model with the object at a pose: the body named `object`, taken out of whatever it was."""
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    model.opt.impratio = 10
    model.opt.ccd_tolerance, model.opt.ccd_iterations = 1e-10, 200
    data = mujoco.MjData(model)
    body = model.body("object").id
    start = model.jnt_qposadr[model.body_jntadr[body]]
    data.qpos[start:start + 3], data.qpos[start + 3:start + 7] = pose["p"], pose["q"]
    mujoco.mj_forward(model, data)
    return model, data


def polytope(model, data, g):
    """Corners of a geom in the world; None for round ones."""
    kind, size = model.geom_type[g], model.geom_size[g]
    if kind == mujoco.mjtGeom.mjGEOM_BOX:
        local = np.array(list(itertools.product(*[(-s, s) for s in size])))
    elif kind == mujoco.mjtGeom.mjGEOM_MESH:
        m = model.geom_dataid[g]
        local = model.mesh_vert[model.mesh_vertadr[m]:model.mesh_vertadr[m] + model.mesh_vertnum[m]].astype(float)
    else:
        return None
    return local @ data.geom_xmat[g].reshape(3, 3).T + data.geom_xpos[g]


def unique_directions(vectors):
    kept = []
    for v in vectors:
        length = np.linalg.norm(v)
        if length > 1e-12 and not any(abs(v @ k) > (1 - 1e-9) * length for k in kept):
            kept.append(v / length)
    return kept


def separation(a, b):
    """Largest gap between two convex point sets along any separating axis; negative: the least overlap."""
    axes, edges = [], []
    for points in (a, b):
        hull = ConvexHull(points)
        axes += list(hull.equations[:, :3])
        ends = set()
        for triangle in hull.simplices:
            ends |= {tuple(sorted(pair)) for pair in itertools.combinations(triangle, 2)}
        edges.append(unique_directions([points[i] - points[j] for i, j in ends]))
    axes += [np.cross(u, v) for u in edges[0] for v in edges[1]]
    best = -np.inf
    for n in unique_directions(axes):
        p, q = a @ n, b @ n
        best = max(best, q.min() - p.max(), p.min() - q.max())
    return best


def geom_gap(model, data, g, other):
    """Signed distance of two convex geoms [m]; beyond their spheres a lower bound of it."""
    apart = np.linalg.norm(data.geom_xpos[g] - data.geom_xpos[other]) - model.geom_rbound[g] - model.geom_rbound[other]
    if apart > 0.05 and model.geom_rbound[g] > 0 and model.geom_rbound[other] > 0:
        return apart
    a, b = polytope(model, data, g), polytope(model, data, other)
    return separation(a, b) if a is not None and b is not None else mujoco.mj_geomDistance(model, data, g, other, 1.0, None)


def gaps(model, data):
    """(worst overlap, nearest gap) between the object and everything else; both signed distances in metres."""
    own = [g for g in range(model.ngeom) if model.geom_bodyid[g] == model.body("object").id]
    worst, nearest = np.inf, np.inf
    for g in own:
        for other in range(model.ngeom):
            if other in own:
                continue
            gap = geom_gap(model, data, g, other)
            worst, nearest = min(worst, gap), min(nearest, abs(gap))
    return worst, nearest


def reach_of_object(model, data):
    """Corners of its box along the world's axes [m]."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for g in range(model.ngeom):
        if model.geom_bodyid[g] != model.body("object").id:
            continue
        points = polytope(model, data, g)
        if points is None:
            kind, size, R = mujoco.mjtGeom(model.geom_type[g]), model.geom_size[g], data.geom_xmat[g].reshape(3, 3)
            half = {mujoco.mjtGeom.mjGEOM_CYLINDER: size[0] * np.sqrt(np.maximum(0, 1 - R[:, 2] ** 2)) + size[1] * np.abs(R[:, 2]),
                    mujoco.mjtGeom.mjGEOM_CAPSULE: size[0] + size[1] * np.abs(R[:, 2]),
                    mujoco.mjtGeom.mjGEOM_ELLIPSOID: np.linalg.norm(R * size, axis=1),
                    mujoco.mjtGeom.mjGEOM_SPHERE: np.full(3, size[0])}[kind]
            points = np.array([data.geom_xpos[g] - half, data.geom_xpos[g] + half])
        low, high = np.minimum(low, points.min(axis=0)), np.maximum(high, points.max(axis=0))
    return low, high


def displacement(text, pose, seconds=2.0):
    """[m] How far any corner of the object's box moves in the engine.

    The engine's default contacts give way by a millimetre at an edge, on few points, and tip what stands 5 mm inside one. What moves is asked again with contacts whose time
    constant is 5 ms instead of 20, and the same part of it as time step."""
    moved = simulated(*posed(text, pose), seconds)
    if moved < 0.005:
        return moved
    model, data = posed(text, pose)
    model.opt.timestep, model.geom_solref[:, 0] = 0.0005, 0.005
    return simulated(model, data, seconds)


def simulated(model, data, seconds):
    body = model.body("object").id
    probe = 0.05 * np.vstack([np.eye(3), -np.eye(3), np.zeros((1, 3))])
    place = lambda: probe @ data.xmat[body].reshape(3, 3).T + data.xpos[body]
    before = place().copy()
    while data.time < seconds:
        mujoco.mj_step(model, data)
    return np.linalg.norm(place() - before, axis=1).max()


class Statics:
    """Forces at contact points, in exact cones: limits by a general-purpose cone solver."""

    def __init__(self, bodies, interfaces):
        """bodies: name -> (mass, centre of mass); interfaces: of `prehend contacts`, normals from body_a to body_b."""
        self.names = list(bodies)
        self.mass = np.array([bodies[n][0] for n in self.names])
        self.com = np.array([bodies[n][1] for n in self.names])
        columns, cones = [], []
        for face in interfaces:
            n = np.array(face["n_W"])
            u = np.cross(n, [1, 0, 0] if abs(n[0]) < 0.9 else [0, 1, 0])
            u /= np.linalg.norm(u)
            frame = [n, u, np.cross(n, u)]
            for p in face["points_W_m"]:
                for direction in frame:
                    columns.append(self.wrench(face["body_b"], p, direction) - self.wrench(face["body_a"], p, direction))
                cones.append(face["friction"])
        self.G = np.array(columns).T
        self.cones, self.rows = cones, None
        self.weight = sum(self.wrench(n, c, [0, 0, -GRAVITY * m]) for n, m, c in zip(self.names, self.mass, self.com))

    def wrench(self, name, p, force):
        """About the body's centre of mass, in units of its weight: a gram beside a kilogram makes the solver give up otherwise."""
        w = np.zeros(6 * len(self.names))
        if name in self.names:
            i = self.names.index(name)
            p, force = np.array(p, float), np.array(force, float) / (GRAVITY * self.mass[i])
            w[6 * i:6 * i + 3], w[6 * i + 3:6 * i + 6] = np.cross(p - self.com[i], force) / 0.05, force
        return w

    def limit(self, load):
        """Largest multiple of the load; None where nothing balances even without it, infinite above 1e4 weights, not a number where the solver gives up."""
        count = 3 * len(self.cones)
        most = 1e4 * GRAVITY * self.mass.sum()
        if self.rows is None:  # all but the load's column, once
            diagonal = np.tile([1.0, 1.0, 1.0], len(self.cones))
            diagonal[::3] = self.cones
            self.rows = sp.vstack([sp.csc_matrix(self.G), -sp.diags(diagonal), sp.csc_matrix((2, count))], format="csc")
        column = np.concatenate([load, np.zeros(count), [-1.0, 1.0]])
        A = sp.hstack([self.rows, sp.csc_matrix(column[:, None])], format="csc")
        b = np.concatenate([-self.weight, np.zeros(count), [0.0, most]])
        cones = [clarabel.ZeroConeT(len(self.weight)), *[clarabel.SecondOrderConeT(3)] * len(self.cones), clarabel.NonnegativeConeT(2)]
        cost = np.zeros(count + 1)
        cost[-1] = -1
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        answer = clarabel.DefaultSolver(sp.csc_matrix((count + 1, count + 1)), cost, A, b, cones, settings).solve()
        if "Infeasible" in str(answer.status):
            return None
        if "Solved" not in str(answer.status):
            return np.nan
        value = answer.x[-1]
        return np.inf if value > 0.9 * most else value

    def margin_g(self, directions=24):
        least = np.inf
        for k in range(directions):
            a = 2 * np.pi * k / directions
            d = np.array([np.cos(a), np.sin(a), 0])
            load = sum(self.wrench(n, c, -m * GRAVITY * d) for n, m, c in zip(self.names, self.mass, self.com))
            value = self.limit(load)
            if value is None:
                return 0.0
            least = np.fmin(least, value)
        return least

    def push(self, name, p, direction):
        return self.limit(self.wrench(name, p, direction))


def moved_scene(text, pose):
    """The MJCF text with the object's pose written into it."""
    start = text.index('<body name="object"')
    end = text.index(">", start)
    place = " ".join(f"{v:.17g}" for v in pose["p"]), " ".join(f"{v:.17g}" for v in pose["q"])
    return text[:start] + f'<body name="object" pos="{place[0]}" quat="{place[1]}"' + text[end:]


def groups_of(program, path, model, data, options=()):
    """The assembly as statics of bodies that hold together: those that touch only what is fixed stand each by itself."""
    whole, interfaces = statics_of(program, path, model, data, options)
    root = {name: name for name in whole.names}

    def find(name):
        while root[name] != name:
            name = root[name]
        return name

    for face in interfaces:
        if face["body_a"] in root and face["body_b"] in root:
            root[find(face["body_a"])] = find(face["body_b"])
    groups = {}
    for k, name in enumerate(whole.names):
        groups.setdefault(find(name), {})[name] = (whole.mass[k], whole.com[k])
    return [Statics(bodies, [i for i in interfaces if i["body_a"] in bodies or i["body_b"] in bodies]) for bodies in groups.values()]


def statics_of(program, path, model, data, options=()):
    """The assembly of a file as the general solver takes it; contacts by `prehend contacts`."""
    done = subprocess.run([program, "contacts", path, "--json", *options], capture_output=True, text=True, timeout=60)
    interfaces = json.loads(done.stdout)["interfaces"]
    bodies = {}
    for b in range(1, model.nbody):
        if model.body_dofnum[b] == 6:
            bodies[model.body(b).name] = (model.body_mass[b], data.xipos[b].copy())
    return Statics(bodies, interfaces), interfaces
