"""Thirty scenes to place something in, written as MJCF; three of them have no placement. Sizes are ours."""

import math


def geom(kind, size, pos=(0, 0, 0), euler=(0, 0, 0), friction=0.6, name=""):
    numbers = lambda values: " ".join(f"{v:.12g}" for v in values)
    return (f'<geom type="{kind}" size="{numbers(size)}" pos="{numbers(pos)}" euler="{numbers(euler)}" '
            f'friction="{friction}" density="600"' + (f' name="{name}"' if name else "") + "/>")


def box(full, pos=(0, 0, 0), euler=(0, 0, 0), **more):
    return geom("box", [0.5 * x for x in full], pos, euler, **more)


def body(name, geoms, pos=(0, 0, 0), euler=(0, 0, 0), free=True):
    numbers = lambda values: " ".join(f"{v:.12g}" for v in values)
    return (f'<body name="{name}" pos="{numbers(pos)}" euler="{numbers(euler)}">' + ("<freejoint/>" if free else "")
            + "".join([geoms] if isinstance(geoms, str) else geoms) + "</body>")


def prism(name, profile, half_y):
    """A mesh asset: the hull of a profile in x, z, extruded along y."""
    points = [(x, y, z) for y in (-half_y, half_y) for x, z in profile]
    return f'<mesh name="{name}" vertex="' + "  ".join(f"{x:.12g} {y:.12g} {z:.12g}" for x, y, z in points) + '"/>'


def mesh(name, pos=(0, 0, 0), friction=0.6):
    numbers = " ".join(f"{v:.12g}" for v in pos)
    return f'<geom type="mesh" mesh="{name}" pos="{numbers}" friction="{friction}"/>'


FLOOR = box((2, 2, 0.04), (0, 0, -0.02), name="floor")
OBJECT = lambda full=(0.1, 0.08, 0.06), **more: body("object", box(full, **more), (0, 0, 5))


def scene(*parts, assets=""):
    return ('<mujoco><compiler autolimits="true"/><option gravity="0 0 -9.81"/>'
            + (f"<asset>{assets}</asset>" if assets else "") + "<worldbody>" + "".join(parts) + "</worldbody></mujoco>")


def mesh_part(name, assets_name, pos=(0, 0, 0), friction=0.6):
    """A fixed body of its own around a mesh whose frame MuJoCo may move: placed by the compiler at the given place."""
    return body(name, mesh(assets_name, friction=friction), pos, free=False)


def tips(count, friction):
    """Slim posts with sharp tops on a circle."""
    profile = prism("tip", [(-0.01, 0), (0.01, 0), (0.0, 0.1)], 0.0005)
    parts = []
    for k in range(count):
        a = 2 * math.pi * k / count
        parts.append(body(f"tip{k}", mesh("tip", friction=friction), (0.035 * math.cos(a), 0.035 * math.sin(a), 0), free=False))
    return parts, profile


def all_scenes():
    """name -> (MJCF, extra arguments, whether there is a placement)"""
    scenes = {}

    def add(name, text, *arguments, exists=True):
        scenes[name] = (text, list(arguments), exists)

    add("ground", scene(FLOOR, OBJECT()))
    add("ground_can", scene(FLOOR, body("object", geom("cylinder", (0.04, 0.06)), (0, 0, 5))))
    add("ground_tall", scene(FLOOR, OBJECT((0.05, 0.05, 0.4))))
    table = body("table", [box((0.6, 0.4, 0.03), (0, 0, 0.385)), box((0.04, 0.4, 0.37), (-0.25, 0, 0.185)),
                           box((0.04, 0.4, 0.37), (0.25, 0, 0.185))])
    add("table_free", scene(FLOOR, table, OBJECT()), "--touch", "table")
    add("table_fixed", scene(FLOOR, body("table", box((0.6, 0.4, 0.03), (0, 0, 0.385)), free=False), OBJECT()), "--touch", "table")
    small = body("table", box((0.12, 0.1, 0.5), (0, 0, 0.25)), free=False)
    add("pillar", scene(FLOOR, small, OBJECT((0.2, 0.16, 0.05))), "--touch", "table")
    stack = [body(f"block{k}", box((0.1, 0.1, 0.1)), (0.012 * (k % 2), 0.008 * k, 0.05 + 0.1 * k)) for k in range(3)]
    add("stack", scene(FLOOR, *stack, OBJECT()), "--touch", "block2")
    tower = [body(f"block{k}", box((0.1, 0.1, 0.05)), (0.0, 0.0, 0.025 + 0.05 * k)) for k in range(8)]
    add("tower", scene(FLOOR, *tower, OBJECT((0.08, 0.08, 0.05))), "--touch", "block7")
    saw = [body("pivot", box((0.06, 0.1, 0.1), (0, 0, 0.05)), free=False), body("plank", box((0.6, 0.1, 0.02)), (0.0, 0, 0.11))]
    add("see_saw", scene(FLOOR, *saw, OBJECT((0.06, 0.06, 0.06))), "--touch", "plank")
    loaded = saw + [body("weight", box((0.06, 0.06, 0.06)), (-0.12, 0, 0.15))]
    add("balance", scene(FLOOR, loaded[0], body("plank", box((0.6, 0.1, 0.02)), (0.02, 0, 0.11)),
                         body("weight", box((0.06, 0.06, 0.06)), (-0.06, 0, 0.15)), OBJECT((0.06, 0.06, 0.06))), "--touch", "plank")
    cantilever = [body("base", box((0.2, 0.1, 0.1)), (0, 0, 0.05)), body("beam", box((0.3, 0.1, 0.03)), (0.1, 0, 0.115))]
    add("cantilever", scene(FLOOR, *cantilever, OBJECT((0.05, 0.05, 0.05))), "--touch", "beam")
    ridge = prism("ridge", [(-0.03, 0), (0.03, 0), (0, 0.08)], 0.15)
    ridges = [body(f"ridge{k}", mesh("ridge"), (x, 0, 0), free=False) for k, x in enumerate((-0.04, 0.04))]
    add("ridges", scene(*ridges, OBJECT((0.16, 0.1, 0.04)), assets=ridge))
    low = prism("low", [(-0.03, 0), (0.03, 0), (0, 0.06)], 0.15)
    add("two_heights", scene(ridges[0], body("ridge_low", mesh("low"), (0.05, 0, 0), free=False), OBJECT((0.2, 0.1, 0.04)),
                             assets=ridge + low))
    add("rails", scene(body("rail0", geom("cylinder", (0.02, 0.3), (0, -0.06, 0.3), (0, 90, 0)), free=False),
                       body("rail1", geom("cylinder", (0.02, 0.3), (0, 0.06, 0.3), (0, 90, 0)), free=False), OBJECT((0.1, 0.2, 0.04))))
    steps = [body(f"step{k}", box((0.08, 0.3, 0.05 * (k + 1)), (0.08 * k, 0, 0.025 * (k + 1))), free=False) for k in range(4)]
    add("steps", scene(FLOOR, *steps, OBJECT((0.06, 0.06, 0.06))), "--touch", "step1,step2")
    add("steps_long", scene(*steps, OBJECT((0.3, 0.06, 0.03), friction=0.9)))
    vee = [body("left", box((0.3, 0.3, 0.04), euler=(0, 40, 0)), (-0.12, 0, 0.12), free=False),
           body("right", box((0.3, 0.3, 0.04), euler=(0, -40, 0)), (0.12, 0, 0.12), free=False)]
    add("vee", scene(*vee, OBJECT((0.1, 0.1, 0.1), friction=0.2).replace('friction="0.6"', 'friction="0.2"')))
    add("vee_can", scene(*[v.replace('friction="0.6"', 'friction="0.4"') for v in vee],
                         body("object", geom("cylinder", (0.04, 0.06), friction=0.4), (0, 0, 5))))
    wedge = prism("wedge", [(-0.2, 0), (0.2, 0), (0.2, 0.4 * math.tan(math.radians(20)))], 0.2)
    add("wedge20", scene(body("wedge", mesh("wedge"), free=False), OBJECT(), assets=wedge))
    stop = prism("slope", [(-0.2, 0), (0.2, 0), (0.2, 0.4 * math.tan(math.radians(33)))], 0.2)
    add("wedge33_stop", scene(body("wedge", mesh("slope", friction=0.3), free=False),
                              body("stop", box((0.04, 0.4, 0.3), (-0.22, 0, 0.15), friction=0.3), free=False),
                              OBJECT(friction=0.3), assets=stop), "--region", "-0.2", "-0.2", "0", "0.2", "0.2", "0.3")
    corner = [box((0.04, 0.4, 0.4), (-0.22, 0, 0.2)), box((0.4, 0.04, 0.4), (0, -0.22, 0.2))]
    add("corner", scene(FLOOR, body("corner", corner, free=False), OBJECT()), "--region", "-0.2", "-0.2", "0", "-0.05", "-0.05", "0.3")
    tooth = prism("tooth", [(-0.02, 0), (0.02, 0), (0, 0.04)], 0.15)
    teeth = [body(f"tooth{k}", mesh("tooth"), (0.04 * (k - 2), 0, 0), free=False) for k in range(5)]
    add("teeth", scene(*teeth, OBJECT(), assets=tooth))
    three, tip = tips(3, 0.4)
    add("points", scene(*three, OBJECT((0.12, 0.12, 0.04)), assets=tip))
    shelf = [box((0.3, 0.2, 0.02), (0, 0, 0.19)), box((0.3, 0.2, 0.02), (0, 0, 0.273)), box((0.02, 0.2, 0.3), (-0.16, 0, 0.2)),
             box((0.02, 0.2, 0.3), (0.16, 0, 0.2)), box((0.3, 0.02, 0.3), (0, 0.11, 0.2))]
    add("shelf", scene(FLOOR, body("shelf", shelf, free=False), OBJECT((0.1, 0.08, 0.06))), "--touch", "shelf", "--region", "-0.15", "-0.2",
        "0.19", "0.15", "0.1", "0.27")
    narrow = [box((0.3, 0.2, 0.02), (0, 0, 0.19)), box((0.02, 0.2, 0.2), (-0.0615, 0, 0.3)), box((0.02, 0.2, 0.2), (0.0615, 0, 0.3))]
    add("slot", scene(FLOOR, body("shelf", narrow, free=False), OBJECT((0.1, 0.08, 0.06))), "--touch", "shelf", "--region", "-0.0515", "-0.1",
        "0.19", "0.0515", "0.1", "0.5")
    clutter = [body(f"thing{k}", box(full, euler=(0, 0, 37 * k)), (x, y, 0.5 * full[2])) for k, (full, x, y) in enumerate(
        [((0.1, 0.06, 0.08), 0.0, 0.0), ((0.06, 0.06, 0.06), 0.12, 0.02), ((0.14, 0.05, 0.05), -0.02, 0.13),
         ((0.05, 0.05, 0.15), -0.12, 0.0), ((0.08, 0.08, 0.04), 0.03, -0.12)])]
    add("clutter", scene(FLOOR, *clutter, OBJECT((0.12, 0.1, 0.04))))
    add("on_clutter", scene(FLOOR, *clutter, OBJECT((0.12, 0.1, 0.04))), "--touch", ",".join(f"thing{k}" for k in range(5)))
    add("bridge", scene(FLOOR, body("pier0", box((0.05, 0.2, 0.15), (-0.15, 0, 0.075))), body("pier1", box((0.05, 0.2, 0.15), (0.15, 0, 0.075))),
                        OBJECT((0.4, 0.1, 0.03))), "--touch", "pier0,pier1")
    roof = prism("roof", [(-0.2, 0), (0.2, 0), (0, 0.3)], 0.2)
    add("none_roof", scene(body("roof", mesh("roof", friction=0.3), free=False), OBJECT(friction=0.3), assets=roof), exists=False)
    add("none_region", scene(FLOOR, OBJECT((0.1, 0.1, 0.1))), "--region", "-0.3", "-0.3", "0", "0.3", "0.3", "0.08", exists=False)
    add("none_nothing", scene(FLOOR, OBJECT()), "--region", "-0.3", "-0.3", "1", "0.3", "0.3", "2", exists=False)
    return scenes


def household_scenes():
    """name -> (MJCF, extra arguments): scenes as people have them at home, sizes of all kinds, and other directions of gravity."""
    scenes = {}

    def add(name, *parts, arguments=(), gravity="0 0 -9.81"):
        scenes[name] = (scene(*parts).replace('gravity="0 0 -9.81"', f'gravity="{gravity}"'), [str(a) for a in arguments])

    fixed = lambda name, geoms: body(name, geoms, free=False)
    thing = lambda *geoms: body("object", list(geoms), (0, 0, 5))
    ring = lambda radius, around, height: [fixed(f"ball{k}", geom("sphere", (radius,), (around * math.cos(a), around * math.sin(a), height)))
                                           for k, a in enumerate((0, 2 * math.pi / 3, 4 * math.pi / 3))]
    books = [body(f"book{k}", box((0.03, 0.15, 0.2)), (x, 0, 0.6)) for k, x in enumerate((-0.14, -0.11, -0.08, -0.05, 0.012, 0.042, 0.072))]
    shelf = fixed("shelf", [box((0.4, 0.2, 0.02), (0, 0, 0.49)), box((0.4, 0.2, 0.02), (0, 0, 0.79)), box((0.02, 0.2, 0.32), (-0.21, 0, 0.64)),
                            box((0.02, 0.2, 0.32), (0.21, 0, 0.64)), box((0.4, 0.02, 0.32), (0, 0.11, 0.64))])
    add("book_into_gap", FLOOR, shelf, *books, thing(box((0.03, 0.15, 0.2))), arguments=("--region", -0.1, -0.1, 0.5, 0.1, 0.1, 0.78, "--upright", 5))
    drawer = fixed("drawer", [box((0.3, 0.4, 0.01), (0, 0, 0.005)), box((0.01, 0.4, 0.1), (-0.155, 0, 0.05)), box((0.01, 0.4, 0.1), (0.155, 0, 0.05)),
                              box((0.32, 0.01, 0.1), (0, -0.205, 0.05)), box((0.32, 0.01, 0.1), (0, 0.205, 0.05))])
    inside = [body("case", box((0.1, 0.2, 0.05)), (-0.09, -0.09, 0.035)), body("tin", box((0.08, 0.1, 0.04)), (0.08, 0.1, 0.03))]
    add("knife_into_drawer", FLOOR, drawer, *inside, thing(box((0.25, 0.02, 0.008))), arguments=("--touch", "drawer", "--approach", 0, 0, -1))
    rack = fixed("rack", [box((0.4, 0.3, 0.01), (0, 0, 0.1))] + [geom("cylinder", (0.003, 0.06), (0.03 * i - 0.15, y, 0.165)) for i in range(11) for y in (-0.05, 0.05)])
    add("plate_on_rack", FLOOR, rack, thing(geom("cylinder", (0.11, 0.008))), arguments=("--touch", "rack"))
    tree = fixed("tree", [box((0.03, 0.03, 0.4), (0, 0, 0.2)), box((0.12, 0.012, 0.012), (0.07, 0, 0.3), (0, -20, 0))])
    mug = [geom("cylinder", (0.035, 0.045)), box((0.03, 0.008, 0.008), (0.05, 0, 0.03)), box((0.03, 0.008, 0.008), (0.05, 0, -0.03)), box((0.008, 0.008, 0.068), (0.069, 0, 0))]
    add("mug_on_cup_tree", FLOOR, tree, thing(*mug), arguments=("--touch", "tree"))
    grate = fixed("grate", [box((0.01, 0.24, 0.02), (x, 0, 0.9)) for x in (-0.09, -0.03, 0.03, 0.09)])
    add("pan_on_stove", FLOOR, grate, thing(geom("cylinder", (0.12, 0.02)), box((0.2, 0.025, 0.015), (0.21, 0, 0.01))), arguments=("--touch", "grate", "--upright", 2))
    add("can_on_balls", FLOOR, *ring(0.04, 0.05, 0.04), thing(geom("cylinder", (0.06, 0.05))), arguments=("--touch", "ball0,ball1,ball2"))
    add("ball_on_balls", FLOOR, *ring(0.04, 0.05, 0.04), thing(geom("sphere", (0.04,))), arguments=("--touch", "ball0,ball1,ball2"))
    add("millimetres", FLOOR, body("a", box((0.001, 0.001, 0.001)), (0, 0, 0.0005)), thing(box((0.001, 0.001, 0.001))), arguments=("--touch", "a"))
    bars = [fixed(f"bar{k}", box((0.01, 0.1, 0.05), (x, 0, 0.025))) for k, x in enumerate((-0.03, 0.03))]
    add("needle", FLOOR, *bars, thing(box((0.1, 0.0005, 0.0005))), arguments=("--touch", "bar0,bar1"))
    posts = [body(f"post{k}", box((0.03, 0.03, 0.2)), (x, y, 0.1)) for k, (x, y) in enumerate(((-0.2, -0.2), (0.2, -0.2), (-0.2, 0.2), (0.2, 0.2)))]
    add("sheet_on_posts", FLOOR, *posts, thing(box((0.5, 0.5, 0.0003))), arguments=("--touch", "post0,post1,post2,post3"))
    piers = [body(f"pier{k}", box((0.5, 0.5, 2)).replace("600", "2400"), (x, 0, 1)) for k, x in enumerate((-1.5, 1.5))]
    add("slab", FLOOR.replace('size="1 1 0.02"', 'size="10 10 0.02"'), *piers, thing(box((5, 4, 2)).replace("600", "2500")), arguments=("--touch", "pier0,pier1"))
    add("gravity_aslant", FLOOR, thing(box((0.1, 0.1, 0.1))), gravity="2 0 -9.6")
    add("gravity_sideways", FLOOR, fixed("wall", box((0.04, 1, 1), (0.5, 0, 0.5))), thing(box((0.1, 0.1, 0.1))), gravity="9.81 0 0")
    return scenes


def random_scene(seed):
    """A floor, 1 to 30 boxes and cans on it and on each other, some fixed and tilted in the air, and something to place: (MJCF, arguments)."""
    import random
    r = random.Random(seed)
    parts, places, top = [FLOOR], [], {}
    mu = r.choice([0.3, 0.5, 0.8])
    friction = f'friction="{mu}"'
    count = r.randint(1, 30)
    for k in range(count):
        full = [r.uniform(0.03, 0.16) for _ in range(3)]
        radius = 0.5 * math.hypot(full[0], full[1])
        for _ in range(30):
            x, y = r.uniform(-0.6, 0.6), r.uniform(-0.6, 0.6)
            if all(math.hypot(x - a, y - b) > radius + c + 0.004 for a, b, c in places):
                break
        else:
            continue
        places.append((x, y, radius))
        yaw, name = r.uniform(0, 360), f"thing{k}"
        kind = r.random()
        if kind < 0.2:  # fixed in the air, tilted
            tilt = (r.uniform(-50, 50), r.uniform(-50, 50), yaw)
            parts.append(body(name, box(full, euler=tilt), (x, y, r.uniform(0.15, 0.3)), free=False))
        elif kind < 0.4:
            parts.append(body(name, geom("cylinder", (0.5 * full[0], 0.5 * full[2])), (x, y, 0.5 * full[2])))
        else:
            parts.append(body(name, box(full, euler=(0, 0, yaw)), (x, y, 0.5 * full[2])))
            if r.random() < 0.4:  # another on top
                upper = [0.8 * full[0] * r.uniform(0.4, 1.0), 0.8 * full[1] * r.uniform(0.4, 1.0), r.uniform(0.02, 0.1)]
                parts.append(body(name + "_top", box(upper, euler=(0, 0, yaw + r.uniform(-20, 20))), (x, y, full[2] + 0.5 * upper[2])))
    size = [r.uniform(0.02, 0.2) for _ in range(3)]
    shape = box(size) if r.random() < 0.7 else geom("cylinder", (0.5 * size[0], 0.5 * size[1]))
    parts.append(body("object", shape, (0, 0, 5)))
    text = scene(*parts).replace('friction="0.6"', friction)
    arguments = []
    names = [f"thing{k}" for k in range(count) if f'name="thing{k}"' in text]
    if r.random() < 0.4 and names:
        arguments += ["--touch", ",".join(r.sample(names, min(len(names), r.randint(1, 6))))]
    if r.random() < 0.2:
        arguments += ["--clearance", f"{r.choice([0.002, 0.01]):g}"]
    if r.random() < 0.2:
        arguments += ["--approach", "0", "0", "-1"]
    if r.random() < 0.2:
        arguments += ["--region", "-0.5", "-0.5", "0", "0.5", "0.5", "0.6"]
    if r.random() < 0.2:
        arguments += ["--upright", "5"]
    return text, arguments


# Cells of a grid that make a body with notches: (size of the grid, cells).
NOTCHED = {
    "angle": ((2, 1, 2), [(0, 0, 0), (1, 0, 0), (0, 0, 1)]),
    "channel": ((3, 1, 2), [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 0, 1), (2, 0, 1)]),
    "tee": ((3, 1, 2), [(1, 0, 0), (0, 0, 1), (1, 0, 1), (2, 0, 1)]),
    "stairs": ((3, 1, 3), [(0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 0, 1), (2, 0, 1), (2, 0, 2)]),
    "tray": ((3, 3, 2), [(i, j, 0) for i in range(3) for j in range(3)] + [(i, j, 1) for i in range(3) for j in range(3) if (i, j) != (1, 1)]),
    "cross": ((3, 3, 1), [(1, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 0), (1, 2, 0)]),
}


def notched(kind, full, walls):
    """(vertices, triangles, boxes as (full, middle)) of a closed body made of cells; `walls`: share of the outer cells of a row of three."""
    grid, cells = NOTCHED[kind]
    cuts = []
    for n, length in zip(grid, full):
        shares = {1: [0, 1], 2: [0, walls, 1], 3: [0, walls, 1 - walls, 1]}[n]
        cuts.append([length * (s - 0.5) for s in shares])
    places, triangles, boxes = {}, [], []

    def vertex(i, j, k):
        return places.setdefault((i, j, k), len(places))

    for cell in cells:
        low = [cuts[a][cell[a]] for a in range(3)]
        high = [cuts[a][cell[a] + 1] for a in range(3)]
        boxes.append(([h - l for l, h in zip(low, high)], [0.5 * (l + h) for l, h in zip(low, high)]))
        for axis in range(3):
            for side in (0, 1):
                beside = list(cell)
                beside[axis] += 2 * side - 1
                if tuple(beside) in cells:
                    continue
                b, c = (axis + 1) % 3, (axis + 2) % 3
                corners = []
                for db, dc in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    at = list(cell)
                    at[axis] += side
                    at[b] += db
                    at[c] += dc
                    corners.append(vertex(*at))
                if not side:
                    corners.reverse()
                triangles += [corners[:3], [corners[0], corners[2], corners[3]]]
    vertices = [[cuts[a][key[a]] for a in range(3)] for key in places]
    return vertices, triangles, boxes


class VariedScene:
    """Boxes, cans, balls, capsules, slopes and bodies with notches: `text` for the library, `convex` with every notched mesh as its boxes for other engines."""

    def __init__(self, seed):
        import random
        self.r = random.Random(seed)
        self.assets, self.parts, self.convex_parts, self.names = [], [], [], []
        self.mu = self.r.choice([0.25, 0.4, 0.6, 0.9])
        self.add_both(FLOOR.replace('friction="0.6"', f'friction="{self.mu}"'))
        self.add_things()
        self.add_object()
        self.arguments = self.wishes()
        self.text, self.convex = scene(*self.parts, assets="".join(self.assets)), scene(*self.convex_parts, assets="".join(
            a for a in self.assets if "inertia" not in a))

    def add_both(self, text):
        self.parts.append(text)
        self.convex_parts.append(text)

    def add(self, name, shape, pos, euler, free):
        mesh_text, convex_text = shape
        self.parts.append(body(name, mesh_text, pos, euler, free))
        self.convex_parts.append(body(name, convex_text, pos, euler, free))

    def notched_shape(self, name, full):
        vertices, triangles, boxes = notched(self.r.choice(list(NOTCHED)), full, self.r.uniform(0.15, 0.35))
        self.assets.append(f'<mesh name="{name}" inertia="exact" vertex="' + "  ".join(" ".join(f"{x:.12g}" for x in v) for v in vertices)
                           + '" face="' + "  ".join(" ".join(map(str, t)) for t in triangles) + '"/>')
        return (f'<geom type="mesh" mesh="{name}" friction="{self.mu}" density="600"/>',
                [box(size, middle, friction=self.mu) for size, middle in boxes])

    def shape(self, name, full, kinds):
        """((for the library, for others), height of its middle above what it stands on)"""
        kind = self.r.choice(kinds)
        if kind == "notched":
            return self.notched_shape(name, full), 0.5 * full[2]
        if kind == "box":
            text, height = box(full, friction=self.mu), 0.5 * full[2]
        elif kind == "can":
            text, height = geom("cylinder", (0.5 * full[0], 0.5 * full[2]), friction=self.mu), 0.5 * full[2]
        elif kind == "ball":
            text, height = geom("sphere", (0.4 * full[0],), friction=self.mu), 0.4 * full[0]
        elif kind == "capsule":
            text, height = geom("capsule", (0.3 * full[0], 0.4 * full[2]), friction=self.mu), 0.3 * full[0] + 0.4 * full[2]
        else:
            text, height = geom("ellipsoid", [0.5 * x for x in full], friction=self.mu), 0.5 * full[2]
        return (text, text), height

    def add_things(self):
        r, places = self.r, []
        for k in range(r.randint(1, 30)):
            full = [r.uniform(0.03, 0.18) for _ in range(3)]
            what = r.random()
            is_slope = 0.2 <= what < 0.35
            radius = (1.0 if is_slope else 0.5) * math.sqrt(sum(x * x for x in full))
            for _ in range(30):
                x, y = r.uniform(-0.6, 0.6), r.uniform(-0.6, 0.6)
                if all(math.hypot(x - a, y - b) > radius + c + 0.002 for a, b, c in places):
                    break
            else:
                continue
            places.append((x, y, radius))
            name, yaw = f"thing{k}", r.uniform(0, 360)
            self.names.append(name)
            if what < 0.2:  # fixed in the air at any attitude
                shape, _ = self.shape(name, full, ["box", "can", "ball", "capsule", "ellipsoid", "notched"])
                self.add(name, shape, (x, y, r.uniform(0.2, 0.3)), [r.uniform(-180, 180) for _ in range(3)], False)
            elif is_slope:
                slope = math.tan(math.radians(r.uniform(3, 40)))
                self.assets.append(prism(name, [(-full[0], 0), (full[0], 0), (full[0], 2 * full[0] * slope)], full[1]))
                shape = (f'<geom type="mesh" mesh="{name}" friction="{self.mu}"/>',) * 2
                self.add(name, shape, (x, y, 0.02 if r.random() < 0.5 else 0.0), (0, 0, yaw), False)
            else:
                shape, height = self.shape(name, full, ["box", "box", "can", "notched"])
                self.add(name, shape, (x, y, height), (0, 0, yaw), True)

    def add_object(self):
        full = [self.r.uniform(0.02, 0.2) for _ in range(3)]
        shape, _ = self.shape("object", full, ["box", "box", "can", "notched", "notched", "ball", "capsule", "ellipsoid"])
        self.add("object", shape, (0, 0, 5), (0, 0, 0), True)

    def wishes(self):
        r, arguments = self.r, []
        if r.random() < 0.5 and self.names:
            arguments += ["--touch", ",".join(r.sample(self.names, min(len(self.names), r.randint(1, 6))))]
        if r.random() < 0.2:
            arguments += ["--clearance", f"{r.choice([0.002, 0.01]):g}"]
        if r.random() < 0.2:
            arguments += ["--approach", *r.choice([("0", "0", "-1"), ("0.3", "0", "-1"), ("0", "1", "0")])]
        if r.random() < 0.2:
            arguments += ["--region", "-0.5", "-0.5", "0", "0.5", "0.5", f"{r.uniform(0.05, 0.6):.4f}"]
        if r.random() < 0.2:
            arguments += ["--upright", "5"]
        if r.random() < 0.2:
            arguments += ["--margin", f"{r.choice([0.1, 0.3]):g}"]
        return arguments


if __name__ == "__main__":
    import sys
    from pathlib import Path
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for key, (text, arguments, exists) in all_scenes().items():
        (folder / f"{key}.xml").write_text(text)
        (folder / f"{key}.args").write_text(" ".join(arguments))
