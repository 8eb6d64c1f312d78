"""Scenes against independent readers: MuJoCo's own loader for MJCF and URDF, trimesh for COMPAS blocks."""
import glob
import json
import os
import subprocess

import mujoco
import numpy as np
import pytest
import trimesh

TOOL = os.path.join(os.environ["PREHEND_BIN"], "scene_tool")
SHARED = os.path.join(os.environ["PREHEND_SOURCE"], "..", "shared", "data")

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
# An L: not convex, so its own faces differ from its hull.
ELL = """v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0
v 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1
f 6 5 4 3 2 1\nf 7 8 9 10 11 12
f 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n"""

MJCF = {
    "classes": """<mujoco><compiler angle="degree" meshdir="meshes"/>
  <option gravity="0.1 0 -3"/>
  <default><geom friction="0.7 0.1 0.1" density="500"/>
    <default class="slick"><geom friction="0.1"/><joint axis="0 -1 0"/></default></default>
  <asset><mesh name="t" file="t.obj" scale="0.2 0.1 -0.1" refpos="0.1 0.2 0.3" refquat="0.5 0.5 0.5 0.5"/>
    <mesh file="ell.obj" scale="0.1 0.1 0.1"/></asset>
  <worldbody><geom name="floor" type="plane" size="0 0 1"/>
    <body name="b1" pos="1 2 3" euler="10 20 30"><freejoint/><geom type="capsule" fromto="0 0 0 .1 .2 .3" size=".05"/></body>
    <body name="b2" childclass="slick" pos="0 1 0"><joint name="h" range="-10 20"/>
      <geom type="mesh" mesh="t" pos=".3 .2 .1" euler="5 6 7"/>
      <frame pos="0 0 1" axisangle="1 0 0 30"><body name="b3"><joint name="s" type="slide" axis="0 0 1"/>
        <geom size=".1"/><geom type="ellipsoid" size=".1 .2 .3" pos="0 0 .2"/></body></frame></body>
    <body name="b4" pos="5 0 0" xyaxes="0 1 0 -1 0 0"><freejoint name="f4"/>
      <geom type="mesh" mesh="ell" pos=".1 0 0" zaxis="1 1 1" friction="0.3"/></body>
    <body name="b5"><freejoint/><inertial pos=".1 .2 .3" mass="2" fullinertia="1 2 2.5 .1 .2 .3"/>
      <geom type="cylinder" size=".1 .2"/></body>
  </worldbody></mujoco>""",
    "included": """<mujoco><include file="part.xml"/><worldbody><geom type="box" size="1 1 .1" euler="0 0 1"/></worldbody></mujoco>""",
    "replicated": """<mujoco><worldbody><replicate count="5" offset=".3 0 0" euler="0 0 10"><body pos="0 0 1" name="r">
      <freejoint/><geom type="box" size=".1 .1 .1"/></body></replicate></worldbody></mujoco>""",
}
PART = """<mujocoinclude><worldbody><body name="inc" pos="0 0 2"><freejoint/><geom type="box" size=".1 .2 .3" mass="3"/></body>
</worldbody></mujocoinclude>"""


def load(path):
    run = subprocess.run([TOOL, path], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def rotation(q):
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, np.asarray(q, float))
    return matrix.reshape(3, 3)


@pytest.fixture(params=sorted(MJCF))
def mjcf(request, tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "t.obj").write_text(TETRAHEDRON)
    (tmp_path / "meshes" / "ell.obj").write_text(ELL)
    (tmp_path / "part.xml").write_text(PART)
    path = tmp_path / "scene.xml"
    path.write_text(MJCF[request.param])
    return str(path)


def compare_with_mujoco(scene, model):
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(scene["gravity"], model.opt.gravity, atol=1e-15)
    bodies = {body["name"]: body for body in scene["bodies"]}
    assert len(bodies) == model.nbody
    for b in range(1, model.nbody):
        mine = bodies[model.body(b).name]
        np.testing.assert_allclose(mine["mass"], model.body_mass[b], rtol=1e-12)
        np.testing.assert_allclose(mine["X_WB"]["p"], data.xpos[b], atol=1e-12)
        np.testing.assert_allclose(rotation(mine["X_WB"]["q"]), data.xmat[b].reshape(3, 3), atol=1e-12)
        np.testing.assert_allclose(mine["com"], model.body_ipos[b], atol=1e-12)
        axes = rotation(model.body_iquat[b])
        np.testing.assert_allclose(mine["inertia"], axes @ np.diag(model.body_inertia[b]) @ axes.T, atol=1e-12)
        first = model.jnt_type[model.body_jntadr[b]] if model.body_jntnum[b] else -1
        assert mine["movable"] == (first == mujoco.mjtJoint.mjJNT_FREE)
        assert len(mine["geoms"]) == model.body_geomnum[b]
        for g, geom in enumerate(mine["geoms"], start=model.body_geomadr[b]):
            assert geom["friction"] == model.geom_friction[g][0]
            if geom["shape"] != "mesh":
                continue
            # World vertices, two routes: the mesh as written against the engine's recentred copy (single precision).
            X = geom["X_BG"]
            own = np.array(geom["vertices"]) @ rotation(X["q"]).T + X["p"]
            own = own @ rotation(mine["X_WB"]["q"]).T + mine["X_WB"]["p"]
            mesh = model.mesh(model.geom_dataid[g])
            start, count = mesh.vertadr[0], mesh.vertnum[0]
            engine = model.mesh_vert[start:start + count] @ data.geom_xmat[g].reshape(3, 3).T + data.geom_xpos[g]
            distance = np.linalg.norm(own[:, None] - engine[None], axis=2)
            assert distance.min(axis=0).max() < 1e-6 and distance.min(axis=1).max() < 1e-6
            solid = trimesh.Trimesh(own, geom["triangles"], process=False)
            assert solid.is_watertight and solid.volume > 0


def test_mjcf_is_what_mujoco_loads(mjcf):
    compare_with_mujoco(load(mjcf), mujoco.MjModel.from_xml_path(mjcf))


def test_non_convex_mesh_keeps_its_own_faces(tmp_path):
    (tmp_path / "ell.obj").write_text(ELL)
    path = tmp_path / "s.xml"
    path.write_text('<mujoco><asset><mesh name="m" file="ell.obj"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>')
    geom = load(str(path))["bodies"][0]["geoms"][0]
    assert trimesh.Trimesh(geom["vertices"], geom["triangles"], process=False).volume == pytest.approx(3.0, rel=1e-12)


def ell(tmp_path):
    """The L as trimesh reads it: not symmetric, so that any wrong axis shows."""
    (tmp_path / "ell.obj").write_text(ELL)
    return trimesh.load(tmp_path / "ell.obj", process=False)


def in_world(body, geom):
    X, Y = geom["X_BG"], body["X_WB"]
    vertices = np.array(geom["vertices"]) @ rotation(X["q"]).T + X["p"]
    return trimesh.Trimesh(vertices @ rotation(Y["q"]).T + Y["p"], geom["triangles"], process=False)


def expect_same_solid(mine, wanted, tolerance):
    """The same set of corners, volume and centroid (which tell inside from outside)."""
    distance = np.linalg.norm(mine.vertices[:, None] - wanted.vertices[None], axis=2)
    assert distance.min(axis=0).max() < tolerance and distance.min(axis=1).max() < tolerance
    assert mine.is_watertight and mine.volume == pytest.approx(wanted.volume, rel=1e-6) and mine.volume > 0
    np.testing.assert_allclose(mine.center_mass, wanted.center_mass, atol=10 * tolerance)


def pose_matrix(xyz, rpy):
    matrix = trimesh.transformations.euler_matrix(*rpy, "sxyz")
    matrix[:3, 3] = xyz
    return matrix


@pytest.mark.parametrize("uri", ["meshes/ell.stl", "model://crate/meshes/ell.stl", "package://crate/meshes/ell.stl", "file://{folder}/meshes/ell.stl"])
def test_sdf_finds_and_places_its_meshes(tmp_path, uri):
    folder = tmp_path / "crate"
    (folder / "meshes").mkdir(parents=True)
    solid = ell(tmp_path)
    solid.export(folder / "meshes" / "ell.stl")
    path = folder / "model.sdf"
    path.write_text(f"""<sdf version="1.9"><model name="m"><pose>1 2 3 0.1 0.2 0.3</pose>
<link name="body"><pose>0.5 0 0 0 0 1</pose><collision name="c"><pose>0 0.25 0 -0.4 0 0</pose>
<geometry><mesh><uri>{uri.format(folder=folder)}</uri><scale>0.1 0.2 -0.3</scale></mesh></geometry></collision></link></model></sdf>""")
    [body] = [body for body in load(str(path))["bodies"] if body["name"] == "body"]
    solid.apply_transform(np.diag([0.1, 0.2, -0.3, 1.0]))
    if solid.volume < 0:  # trimesh may leave the mirrored faces inside out; ours must be right
        solid.invert()
    solid.apply_transform(pose_matrix((1, 2, 3), (0.1, 0.2, 0.3)) @ pose_matrix((0.5, 0, 0), (0, 0, 1)) @ pose_matrix((0, 0.25, 0), (-0.4, 0, 0)))
    expect_same_solid(in_world(body, body["geoms"][0]), solid, 1e-6)  # STL is single precision


@pytest.mark.parametrize("file", ["ell.glb", "ell.gltf"])
@pytest.mark.parametrize("format", ["sdf", "urdf", "mjcf"])
def test_gltf_meshes_inside_scenes_stand_upright(tmp_path, file, format):
    solid = ell(tmp_path)
    if file == "ell.glb":
        solid.export(tmp_path / file)
    else:  # with buffers in files of their own beside it
        for name, data in trimesh.exchange.gltf.export_gltf(trimesh.Scene({"ell": solid})).items():
            (tmp_path / ("ell.gltf" if name == "model.gltf" else name)).write_bytes(data)
    scenes = {
        "sdf": f"""<sdf version="1.9"><model name="m"><link name="body"><pose>1 2 3 0 0 0.3</pose><collision name="c">
<geometry><mesh><uri>{file}</uri><scale>0.1 0.2 0.3</scale></mesh></geometry></collision></link></model></sdf>""",
        "urdf": f"""<robot name="r"><link name="body"><collision><origin xyz="1 2 3" rpy="0 0 0.3"/>
<geometry><mesh filename="{file}" scale="0.1 0.2 0.3"/></geometry></collision></link></robot>""",
        "mjcf": f"""<mujoco><asset><mesh name="ell" file="{file}" scale="0.1 0.2 0.3"/></asset><worldbody>
<body name="body" pos="1 2 3" quat="{np.cos(0.15)} 0 0 {np.sin(0.15)}"><geom type="mesh" mesh="ell"/></body></worldbody></mujoco>""",
    }
    path = tmp_path / f"scene.{'xml' if format == 'mjcf' else format}"
    path.write_text(scenes[format])
    body = next(body for body in load(str(path))["bodies"] if body["geoms"])
    # glTF is Y-up: what is up in the file, y, is up in the scene, z; the scene's scale comes after that.
    solid.apply_transform(trimesh.transformations.rotation_matrix(np.pi / 2, (1, 0, 0)))
    solid.apply_transform(np.diag([0.1, 0.2, 0.3, 1.0]))
    solid.apply_transform(pose_matrix((1, 2, 3), (0, 0, 0.3)))
    expect_same_solid(in_world(body, body["geoms"][0]), solid, 1e-6)


@pytest.mark.parametrize("target", ["mjcf", "urdf"])
def test_written_scenes_are_the_same_to_mujoco(mjcf, target, tmp_path):
    out = str(tmp_path / ("out.xml" if target == "mjcf" else "out.urdf"))
    subprocess.run([TOOL, mjcf, target, out], check=True)
    again, first = load(out), load(mjcf)
    assert {b["name"] for b in again["bodies"]} == {b["name"] for b in first["bodies"]}
    model = mujoco.MjModel.from_xml_path(out)
    masses = {b["name"]: b["mass"] for b in first["bodies"]}
    named = {model.body(b).name: model.body_mass[b] for b in range(1, model.nbody)}
    for name, mass in masses.items():
        if name != "world" and name in named:
            assert named[name] == pytest.approx(mass, rel=1e-9)
    if target == "mjcf":
        compare_with_mujoco(first, model)


URDF = """<robot name="r"><link name="base"><inertial><origin xyz="1 2 3" rpy=".1 .2 .3"/><mass value="2"/>
<inertia ixx="1" ixy=".1" ixz=".2" iyy="1.2" iyz=".3" izz="1.5"/></inertial></link>
<link name="arm"><inertial><origin xyz="0 .1 0" rpy="0 0 1.2"/><mass value=".5"/>
<inertia ixx=".01" ixy="0" ixz="0" iyy=".02" iyz="0" izz=".025"/></inertial>
<collision name="c"><origin xyz=".1 .2 .3" rpy=".4 .5 .6"/><geometry><box size=".1 .2 .3"/></geometry></collision></link>
<link name="hand"><inertial><mass value=".1"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><origin xyz=".5 .6 .7" rpy=".3 -.2 .1"/>
<axis xyz="0 -2 0"/><limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
<joint name="k" type="prismatic"><parent link="arm"/><child link="hand"/><origin xyz="0 0 1" rpy="1 1.5707963267948966 -2"/>
<axis xyz="1 1 0"/><limit lower="-.1" upper=".2" effort="1" velocity="1"/></joint></robot>"""


def test_urdf_is_what_mujoco_loads(tmp_path):
    path = tmp_path / "r.urdf"
    path.write_text(URDF)
    spec = mujoco.MjSpec.from_file(str(path))
    spec.compiler.fusestatic = False
    spec.compiler.discardvisual = False
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    scene = load(str(path))
    bodies = {body["name"]: body for body in scene["bodies"]}
    for name in ("arm", "hand"):
        b = model.body(name).id
        np.testing.assert_allclose(bodies[name]["X_WB"]["p"], data.xpos[b], atol=1e-12)
        np.testing.assert_allclose(rotation(bodies[name]["X_WB"]["q"]), data.xmat[b].reshape(3, 3), atol=1e-12)
        np.testing.assert_allclose(bodies[name]["com"], model.body_ipos[b], atol=1e-12)
        axes = rotation(model.body_iquat[b])
        np.testing.assert_allclose(bodies[name]["inertia"], axes @ np.diag(model.body_inertia[b]) @ axes.T, atol=1e-9)
    for joint in scene["joints"]:
        np.testing.assert_allclose(joint["axis"], model.jnt_axis[model.joint(joint["name"]).id], atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_contact_filter_and_friction_are_mujocos(seed, tmp_path):
    """Overlapping balls: which contacts the engine makes, and with which coefficient."""
    random = np.random.default_rng(seed)
    bodies, names = "", []
    for i in range(12):
        geom = (f'<geom name="g{i}" size="1" friction="{random.choice([0.1, 0.5, 0.9, 1.3]) + i / 1000}" '
                f'priority="{random.integers(0, 2)}" condim="{random.choice([1, 3, 4])}" '
                f'contype="{random.integers(0, 4)}" conaffinity="{random.integers(0, 4)}"/>')
        names.append(f"b{i}")
        # Free bodies and, every fourth, one that hangs on the world.
        bodies += f'<body name="b{i}" pos="{i / 100} 0 0">{"" if i % 4 == 0 else "<freejoint/>"}{geom}</body>'
    contact = "".join(f'<pair geom1="g{a}" geom2="g{b}" friction="0.{a}7" condim="{random.choice([1, 3])}"/>'
                      for a, b in [(1, 2), (3, 5), (6, 4)])
    contact += '<exclude body1="b2" body2="b3"/><exclude body1="b1" body2="b2"/><exclude body1="b9" body2="b11"/>'
    path = tmp_path / "balls.xml"
    path.write_text(f"<mujoco><worldbody>{bodies}</worldbody><contact>{contact}</contact></mujoco>")
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    engine = {}
    for c in data.contact[:data.ncon]:
        pair = frozenset(model.geom(int(g)).name for g in c.geom)
        engine[pair] = 0.0 if c.dim == 1 else float(c.friction[0])
    mine = {frozenset(pair[:2]): pair[2] for pair in load(str(path))["touching"]}
    assert len(engine) > 10
    assert mine == engine


@pytest.mark.skipif(not os.path.isdir(SHARED), reason="no ../shared/data: the published assemblies are not here")
@pytest.mark.parametrize("path", sorted(glob.glob(os.path.join(SHARED, "assemblies", "*.json"))))
def test_compas_blocks_against_trimesh(path):
    nodes = json.load(open(path))["data"]["graph"]["data"]["node"]
    scene = load(path)
    bodies = {body["name"]: body for body in scene["bodies"] if body["name"] != "world"}
    assert set(bodies) == set(nodes)
    for key, node in nodes.items():
        block = node["block"]["data"]
        index = {name: i for i, name in enumerate(block["vertex"])}
        vertices = [[v["x"], v["y"], v["z"]] for v in block["vertex"].values()]
        # Fans from the first corner: right for the signed volume of any planar face, convex or not.
        fans = [[index[str(face[0])], index[str(face[i])], index[str(face[i + 1])]]
                for face in block["face"].values() for i in range(1, len(face) - 1)]
        solid = trimesh.Trimesh(vertices, fans, process=False)
        body = bodies[key]
        # Warped quads (curve-3-blocks) depend on the diagonal that is cut.
        warped = "curve" in path
        assert body["mass"] == pytest.approx(1000 * solid.volume, rel=1e-3 if warped else 1e-9)
        np.testing.assert_allclose(body["com"], solid.center_mass, atol=1e-3 if warped else 1e-9)
        assert body["movable"] == (not node.get("is_support", False))
        mesh = body["geoms"][0]
        assert trimesh.Trimesh(mesh["vertices"], mesh["triangles"], process=False).is_watertight
