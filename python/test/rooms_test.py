"""The package as a user meets it: numbers against NumPy and SciPy, arrays without copies, errors, threads."""

import copy
import gc
import json
import pickle
import threading
import time

import clarabel
import numpy as np
import pytest
import scipy.linalg
import scipy.optimize
import scipy.sparse
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import prehend
from prehend import Pose, SpatialInertia, geometry, math, model

RNG = np.random.default_rng(3)


def random_pose():
    x, y, z, w = Rotation.random(random_state=RNG).as_quat()
    return Pose([w, x, y, z], RNG.normal(size=3))


# ------------------------------------------------------------------------------------------------------ math

def test_exponential_is_that_of_the_matrix():
    for _ in range(20):
        V = RNG.normal(size=6)
        twist = np.zeros((4, 4))
        twist[:3, :3], twist[:3, 3] = math.skew(V[:3]), V[3:]
        assert np.allclose(math.exp_se3(V).matrix(), scipy.linalg.expm(twist), atol=1e-12)
        if np.linalg.norm(V[:3]) < np.pi:
            assert np.allclose(math.log_se3(math.exp_se3(V)), V, atol=1e-12)


def test_pose_products_and_points():
    a, b, points = random_pose(), random_pose(), RNG.normal(size=(7, 3))
    assert np.allclose((a * b).matrix(), a.matrix() @ b.matrix(), atol=1e-14)
    assert np.allclose(a * points, points @ a.R.T + a.p, atol=1e-14)
    assert np.allclose(a * points[0], (a * points)[0], atol=1e-15)
    assert np.allclose(math.adjoint(a * b), math.adjoint(a) @ math.adjoint(b), atol=1e-13)
    assert np.allclose(Pose(a.R, a.p).matrix(), a.matrix(), atol=1e-14)


def test_jacobian_is_a_derivative():
    V, dV, h = RNG.normal(size=6), RNG.normal(size=6), 1e-6
    step = math.log_se3(math.exp_se3(V).inverse() * math.exp_se3(V + h * dV)) / h
    assert np.allclose(math.right_jacobian_se3(V) @ dV, step, atol=1e-5)
    assert np.allclose(math.right_jacobian_se3(V) @ math.inverse_right_jacobian_se3(V), np.eye(6), atol=1e-12)


def test_inertia_of_point_masses_adds_up():
    masses, points = RNG.uniform(0.1, 1, 9), RNG.normal(size=(9, 3))
    body = SpatialInertia.point_mass(masses[0], points[0])
    for mass, point in zip(masses[1:], points[1:]):
        body = body + SpatialInertia.point_mass(mass, point)
    about_origin = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, points))
    assert np.allclose(body.inertia_about([0, 0, 0]), about_origin)
    assert np.allclose(SpatialInertia.from_parameters(body.parameters()).I_com, body.I_com)
    assert math.check_consistency(body).is_consistent


def test_solvers_agree_with_scipy():
    A, b = RNG.normal(size=(20, 8)), RNG.normal(size=20)
    ours = math.solve_nonnegative_least_squares(A, b)
    assert ours.status == "optimal" and np.allclose(ours.x, scipy.optimize.nnls(A, b)[0], atol=1e-9)
    # The same problem as a quadratic program.
    qp = math.solve_quadratic_program(A.T @ A, -A.T @ b, C=np.eye(8), lower=np.zeros(8))
    assert qp.status == "optimal" and np.allclose(qp.x, ours.x, atol=1e-6) and qp.residuals.largest() < 1e-7
    c, rows = RNG.uniform(0.1, 1, 8), RNG.uniform(0, 1, size=(5, 8))
    theirs = scipy.optimize.linprog(c, A_ub=-rows, b_ub=-np.ones(5))
    dense = math.solve_linear_program(c, rows, row_lower=np.ones(5), lower=np.zeros(8))
    sparse = math.solve_linear_program(c, scipy.sparse.coo_array(rows), row_lower=np.ones(5), lower=np.zeros(8))
    assert dense.objective == pytest.approx(theirs.fun, rel=1e-9) and sparse.objective == dense.objective
    none = math.solve_linear_program([1.0], [[1.0]], row_lower=[2], upper=[1])
    assert none.status == "primal_infeasible" and none.to_dict()["objective"] is None


def test_cone_program_agrees_with_clarabel():
    """The largest push that three frictional contacts can bear: f in Coulomb cones, wrench balance."""
    n, mu = 9, 0.5
    points = np.array([[1, 0, 0], [-0.5, 0.8, 0], [-0.5, -0.8, 0]])
    A = np.zeros((6, n + 1))
    for i, p in enumerate(points):
        A[:3, 3 * i:3 * i + 3], A[3:, 3 * i:3 * i + 3] = np.eye(3), math.skew(p)
    A[:3, n], A[3:, n] = [1, 0.3, 0], np.cross([0, 0, 0.2], [1, 0.3, 0])
    b = np.array([0, 0, 9.81, 0, 0, 0])
    G = np.zeros((9, n + 1))
    for i in range(3):
        G[3 * i, 3 * i + 2], G[3 * i + 1, 3 * i], G[3 * i + 2, 3 * i + 1] = -mu, -1, -1
    c = np.append(np.zeros(n), -1.0)
    ours = math.solve_cone_program(c, scipy.sparse.csr_array(G), np.zeros(9), A, b, second_order=[3, 3, 3])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    theirs = clarabel.DefaultSolver(scipy.sparse.csc_matrix((n + 1, n + 1)), c, scipy.sparse.csc_matrix(np.vstack([A, G])),
                                    np.append(b, np.zeros(9)),
                                    [clarabel.ZeroConeT(6)] + [clarabel.SecondOrderConeT(3)] * 3, settings).solve()
    assert ours.status == "optimal" and ours.primal_objective == pytest.approx(theirs.obj_val, rel=1e-6)
    assert ours.primal_objective < -1, "the push is of the order of the friction force"


# -------------------------------------------------------------------------------------------------- geometry

def test_mesh_arrays_are_views_that_keep_the_mesh_alive():
    mesh = geometry.make_icosphere(1.0, 3)
    vertices = mesh.vertices
    assert vertices.dtype == np.float64 and mesh.triangles.dtype == np.int32
    assert np.shares_memory(vertices, mesh.vertices), "a copy was made"
    assert not vertices.flags.writeable
    before = vertices.copy()
    del mesh
    gc.collect()
    scratch = [geometry.make_icosphere(2.0, 3) for _ in range(20)]  # would reuse freed memory
    assert np.array_equal(vertices, before) and scratch


def test_mesh_takes_any_array_and_refuses_wrong_shapes():
    box = geometry.make_box([1, 1, 1])
    for vertices in (box.vertices.astype(np.float32), np.asfortranarray(box.vertices), box.vertices.tolist()):
        for triangles in (box.triangles.astype(np.int64), box.triangles.tolist()):
            assert geometry.mass_properties(geometry.TriangleMesh(vertices, triangles)).volume == pytest.approx(1)
    for wrong in (np.zeros((4, 2)), np.zeros(3), "abc", [[1, 2], [3, 4]]):
        with pytest.raises(TypeError):
            geometry.TriangleMesh(wrong, [])
    for wrong in ([[0, 1.5, 2]], np.array([[0.0, 1.0, 2.0]]), np.array([[0, 1, 2**32]]), [[0, 1, -2**40]]):
        with pytest.raises(TypeError):  # neither rounded nor cut off
            geometry.TriangleMesh(box.vertices, wrong)
    bad = geometry.TriangleMesh([[0, 0, 0]], [[0, 1, 2]])
    assert geometry.mass_properties(bad).status == "invalid"
    with pytest.raises(ValueError):
        geometry.TriangleTree(bad)


def test_hull_agrees_with_scipy():
    points = RNG.normal(size=(200, 3))
    ours, theirs = geometry.convex_hull(points), ConvexHull(points)
    assert ours.status == "ok" and sorted(ours.point_of) == sorted(theirs.vertices)
    assert geometry.mass_properties(ours.mesh).volume == pytest.approx(theirs.volume, rel=1e-12)
    assert geometry.convex_hull(points * [1, 1, 0]).status == "coplanar"


def test_rays_distances_and_samples():
    tree = geometry.TriangleTree(geometry.make_box([2, 2, 2]))
    assert tree.closest_hit([5, 0, 0], [1, 0, 0]) is None
    assert [hit.t for hit in tree.all_hits([-5, 0.3, 0.1], [1, 0, 0])] == pytest.approx([4, 6])
    points = RNG.uniform(-2, 2, size=(50, 3))
    outside = np.maximum(np.abs(points) - 1, 0)
    expected = np.where((outside == 0).all(axis=1), np.abs(points).max(axis=1) - 1, np.linalg.norm(outside, axis=1))
    assert np.allclose(tree.signed_distances(points), expected, atol=1e-12)
    samples, normals, triangles = geometry.sample_surface(geometry.make_box([2, 2, 2]), 500, seed=4)
    assert np.allclose(np.abs(samples).max(axis=1), 1) and np.allclose((samples * normals).sum(axis=1), 1)
    assert np.array_equal(samples, geometry.sample_surface(geometry.make_box([2, 2, 2]), 500, seed=4)[0])


# ------------------------------------------------------------------------------------------- model, simulate

def test_scene_keeps_what_hangs_on_it_alive():
    mesh = prehend.embedded_scene("scenes/stack.xml").bodies[1].geoms[0].mesh
    gc.collect()
    assert geometry.mass_properties(mesh).volume == pytest.approx(0.008)


def test_a_moved_body_leaves_its_contact():
    scene = prehend.embedded_scene("scenes/stack.xml")
    assert len(prehend.find_scene_contacts(scene).interfaces) == 3
    lifted = copy.copy(scene)
    body = lifted.body("crate_small")
    body.X_WB = Pose.translation([0, 0, 1]) * body.X_WB
    contacts = prehend.find_scene_contacts(lifted)
    assert len(contacts.interfaces) == 2 and [contacts.body_names[b] for b in contacts.floating] == ["crate_small"]
    assert len(prehend.find_scene_contacts(scene).interfaces) == 3, "the copy shares its bodies"


def test_scene_survives_writing(tmp_path):
    scene = prehend.embedded_scene("scenes/table_and_wedge.xml")
    prehend.write_mjcf(scene, tmp_path / "scene.xml")
    again = prehend.read_scene(tmp_path / "scene.xml")
    assert [b.name for b in again.bodies] == [b.name for b in scene.bodies]
    for a, b in zip(again.bodies, scene.bodies):
        assert a.X_WB.is_approx(b.X_WB, 1e-12) and a.inertia.mass == pytest.approx(b.inertia.mass, rel=1e-12)


def test_logs_are_arrays(tmp_path):
    header = "t,sx,sy,sz,sqw,sqx,sqy,sqz,fx,fy,fz,tx,ty,tz\n"
    (tmp_path / "log.csv").write_text(header + "0,1,2,3,1,0,0,0,4,5,6,7,8,9\n1,1,2,3,1,0,0,0,4,5,7,7,8,9\n")
    log = model.read_wrench_log(tmp_path / "log.csv")
    assert len(log) == 2 and log.f_S.tolist() == [[4, 5, 6], [4, 5, 7]] and log.X_WS[0].tolist() == [1, 2, 3, 1, 0, 0, 0]
    assert log.v_WS_W.shape == (0, 3) and np.shares_memory(log.t, log.t)
    (tmp_path / "rope.csv").write_text("frame,x,y,z\n0,0,0,0\n0,1,0,0\n5,0,0,1\n5,1,0,1\n")
    rope = model.read_rope_log(tmp_path / "rope.csv")
    assert rope.frames.tolist() == [0, 5] and rope.points(1).tolist() == [[0, 0, 1], [1, 0, 1]]
    with pytest.raises(IndexError):
        rope.points(2)


def test_simulation_goes_back():
    simulation = prehend.Simulation(prehend.embedded_scene("scenes/stack.xml"))
    simulation.run(0.05)
    there = simulation.snapshot()
    simulation.apply_wrench("crate_small", math.Wrench(force=[5, 0, 0]), [0.05, 0, 0.39])
    simulation.step(100)
    first = simulation.X_WB("crate_small").p
    simulation.restore(there)
    simulation.apply_wrench("crate_small", math.Wrench(force=[5, 0, 0]), [0.05, 0, 0.39])
    simulation.step(100)
    assert np.array_equal(first, simulation.X_WB("crate_small").p)
    with pytest.raises(KeyError, match="no body 'nobody'"):
        simulation.X_WB("nobody")
    with pytest.raises(IndexError):
        simulation.X_WB(99)


# ---------------------------------------------------------------------------------------------------- errors

def test_input_error_has_the_sentence_and_its_parts(tmp_path):
    path = tmp_path / "bad.xml"
    path.write_text("<mujoco>\n<worldbody>\n<body>\n<geom type='box' size='-1 1 1'/></body></worldbody></mujoco>")
    with pytest.raises(prehend.InputError) as caught:
        prehend.read_scene(path)
    error = caught.value
    assert isinstance(error, ValueError) and error.file == str(path) and error.line == 4
    assert str(error) == f"{path}:4: error: {error.message}"
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.line == 4


def test_input_error_with_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "log.csv"
    path.write_bytes(b"t,part,x,y,z\n0,a,\xff\xfe,0,0\n")
    with pytest.raises(prehend.InputError) as caught:
        model.read_pose_log(path)
    assert caught.value.line == 2 and str(caught.value)


def test_bad_options_are_value_errors():
    scene = prehend.embedded_scene("scenes/stack.xml")
    with pytest.raises(ValueError, match="gap_tolerance"):
        prehend.find_scene_contacts(scene, contact_tolerance=-1)
    with pytest.raises(ValueError, match="timestep"):
        prehend.Simulation(scene, timestep=0)
    with pytest.raises(ValueError, match="format is 'word'"):
        prehend.read_scene_text("", "word")
    with pytest.raises(ValueError):
        Pose([2, 0, 0, 0], [0, 0, 0])
    with pytest.raises(KeyError, match="stack.xml"):
        prehend.embedded_file("scenes/nothing.xml")


def test_explosion_is_a_simulation_error():
    simulation = prehend.Simulation(prehend.embedded_scene("scenes/stack.xml"))
    simulation.set_velocity("crate_small", math.Twist(linear=[1e12, 0, 0]))
    with pytest.raises(prehend.SimulationError, match="crate_small"):
        simulation.run(1.0)


# ---------------------------------------------------------------------------------------------------- results

def test_results_show_themselves():
    contacts = prehend.find_scene_contacts(prehend.embedded_scene("scenes/stack.xml"))
    assert contacts.to_dict() == json.loads(contacts.to_json())
    assert "crate_large" in contacts._repr_html_() and "<table>" in contacts._repr_html_()
    for result in (geometry.check_mesh(geometry.make_box([1, 1, 1])), geometry.mass_properties(geometry.make_box([1, 1, 1])),
                   math.solve_linear_program([1.0], lower=[0]), prehend.settle(prehend.embedded_scene("scenes/stack.xml"), max_time=0.1, rest_time=0.05),
                   geometry.repair_mesh(geometry.make_box([1, 1, 1]))):
        document = result.to_dict()
        assert document["status"] and json.loads(json.dumps(document, allow_nan=False)) == document
        assert document["status"] in result._repr_html_() and type(result).__name__ in repr(result)


def test_html_is_escaped():
    scene = prehend.read_scene_text("""<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="&lt;script&gt;x" pos="0 0 1">
        <freejoint/><geom type="box" size="1 1 1"/></body></worldbody></mujoco>""", "mjcf")
    page = prehend.find_scene_contacts(scene)._repr_html_()
    assert "&lt;script&gt;x" in page and "<script>" not in page


def test_values_pickle():
    pose = random_pose()
    assert np.array_equal(pickle.loads(pickle.dumps(pose)).matrix(), pose.matrix())
    mesh = pickle.loads(pickle.dumps(geometry.make_box([1, 2, 3])))
    assert geometry.mass_properties(mesh).volume == pytest.approx(6)
    inertia = pickle.loads(pickle.dumps(SpatialInertia.solid_box(1, [1, 2, 3])))
    assert np.array_equal(inertia.I_com, SpatialInertia.solid_box(1, [1, 2, 3]).I_com)


def test_long_calls_let_other_threads_run():
    """While one thread simulates, another counts: with the lock held it could not count before the end."""
    simulation = prehend.Simulation(prehend.embedded_scene("scenes/stack.xml"))
    done = []
    worker = threading.Thread(target=lambda: (simulation.step(3000), done.append(time.perf_counter())))
    worker.start()
    turns = 0
    while not done:
        turns += 1
        time.sleep(0.001)
    worker.join()
    assert turns > 10


# ------------------------------------------------------------------------------------------------- stability

CUBE = """<mujoco><worldbody><geom type="box" size="2 2 .1" pos="0 0 -.1" friction="0.5"/>
  <body name="cube" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="2" friction="0.5"/></body></worldbody></mujoco>"""


def test_pushes_on_a_cube_by_hand():
    scene = prehend.read_scene_text(CUBE, "mjcf")
    result = prehend.robustness(scene, [("cube", [-0.1, 0, 0.05], [1, 0, 0]), (1, [0, 0, 0.2], [0, 0, -1])],
                                margin_friction=0.2)
    push, press = result.answers
    assert push.robustness == pytest.approx(9.81, rel=1e-4) and push.mode == "slip" and push.moving == ["cube"]
    assert push.lower <= 9.81 * (1 + 1e-9) <= push.upper * (1 + 1e-8)
    assert push.guaranteed == pytest.approx(0.8 * 9.81, rel=1e-3)
    assert press.unbounded and np.isinf(press.robustness) and np.isinf(result.values[1])
    assert result.to_dict()["results"][1]["robustness_N"] is None
    # The forces of the proof carry the weight and the push.
    assert np.allclose(push.forces_W.sum(axis=0), [-push.lower, 0, 2 * 9.81], atol=1e-6)
    assert "RobustnessResult" in result._repr_html_()


def test_stability_refuses_what_is_no_push():
    scene = prehend.read_scene_text(CUBE, "mjcf")
    with pytest.raises(KeyError, match="no body 'ball'"):
        prehend.robustness(scene, [("ball", [0, 0, 0], [1, 0, 0])])
    with pytest.raises(ValueError, match="off the surface"):
        prehend.robustness(scene, [("cube", [0, 0, 0.1], [1, 0, 0])])
    with pytest.raises(ValueError, match="method is 'guess'; it must be exact"):
        prehend.robustness_map(scene, method="guess")


def test_what_falls_says_so():
    scene = prehend.read_scene_text(CUBE.replace('pos="0 0 .1"', 'pos="0 0 .5"'), "mjcf")
    result = prehend.robustness(scene, [("cube", [-0.1, 0, 0.5], [1, 0, 0])])
    assert result.status == "unstable" and result.moving == ["cube"] and result.answers == []
    assert prehend.forces(scene).status == prehend.transport(scene).status == prehend.disassemble(scene).status == "unstable"
    slope = prehend.stability.critical_friction(prehend.read_scene_text(CUBE.replace("<worldbody>", '<option gravity="3 0 -9.81"/><worldbody>'), "mjcf"))
    assert slope.coefficient_below <= 3 / 9.81 <= slope.coefficient_above


def test_torques_of_joints_are_given_by_name():
    arm = """<mujoco><worldbody><body name="arm" pos="0 0 1"><joint name="hinge" type="hinge" axis="0 1 0"/>
             <geom type="box" size=".5 .02 .02" pos=".5 0 0" mass="2"/></body></worldbody></mujoco>"""
    weight = 2 * 9.81 * 0.5  # N m about the hinge
    for torque, status in ((1.01 * weight, "stable"), (0.99 * weight, "unstable")):
        scene = prehend.read_scene_text(arm, "mjcf", joint_torques={"hinge": torque})
        assert prehend.forces(scene).status == status
    with pytest.raises(prehend.InputError, match="elbow"):
        prehend.read_scene_text(arm, "mjcf", joint_torques={"elbow": 1.0})
