"""Values of math and model: poses compare, a scene's bodies cannot be appended to in silence, one word per thing."""

import json

import numpy as np
import pytest

import prehend
from prehend import Pose


def test_poses_compare_by_the_motion_they_are():
    X = Pose([0.5, 0.5, 0.5, 0.5], [1, 2, 3])
    assert Pose() == Pose() and X == Pose([-0.5, -0.5, -0.5, -0.5], [1, 2, 3])
    assert X != Pose() and X != "a pose" and Pose() != None  # noqa: E711
    assert len({Pose(), Pose(), X, Pose([-0.5, -0.5, -0.5, -0.5], [1, 2, 3])}) == 2


def test_pose_comes_from_a_4x4():
    X = Pose([0.5, 0.5, 0.5, 0.5], [1, 2, 3])
    assert Pose(X.matrix()) == X
    assert Pose(X.matrix().tolist()).is_approx(X, 1e-15)
    bad = X.matrix()
    bad[3, 0] = 0.25
    with pytest.raises(ValueError, match="last row of the 4x4 matrix differs from 0 0 0 1 by 0.25"):
        Pose(bad)
    with pytest.raises(ValueError, match="not a rotation"):
        Pose(2 * np.eye(4) - np.diag([0, 0, 0, 1]))


def test_bodies_cannot_be_appended_to_in_silence():
    scene = prehend.embedded_scene("scenes/stack.xml")
    for items in (scene.bodies, scene.joints, scene.bodies[1].geoms):
        with pytest.raises(AttributeError, match="append"):
            items.append(scene.bodies[1])
    scene.bodies[1].movable = False
    assert not scene.bodies[1].movable, "bodies themselves can be changed"
    body = prehend.embedded_scene("scenes/stack.xml").bodies[1]  # the scene lives as long as its body
    assert body.geoms[0].mesh.vertices.shape[1] == 3


def test_unit_is_a_name_or_metres(tmp_path):
    path = tmp_path / "box.stl"
    prehend.write_mesh(path, prehend.geometry.make_box([100, 200, 300]))
    for unit in ("mm", 0.001):
        assert np.ptp(prehend.read_mesh(path, unit=unit).vertices, axis=0) == pytest.approx([0.1, 0.2, 0.3])
        assert prehend.inspect_file(path, unit=unit).to_dict()["volume_m3"] == pytest.approx(0.006)
    with pytest.raises(ValueError, match="the unit is 'mile'; it must be m, cm, mm or in"):
        prehend.read_mesh(path, unit="mile")
    with pytest.raises(ValueError, match="MeshFileOptions::unit is -1 m; it must be finite and above 0 m"):
        prehend.read_mesh(path, unit=-1.0)


def test_results_have_their_status_first(tmp_path):
    path = tmp_path / "box.obj"
    prehend.write_mesh(path, prehend.geometry.make_box([1, 2, 3]))
    found = prehend.inspect_file(path)
    assert found.status == "ok" and next(iter(found.to_dict().items())) == ("status", "ok")
    answer = prehend.math.solve_quadratic_program(np.eye(2), [-1, -1])
    assert answer.to_dict()["status"] == answer.status == "optimal"
    json.dumps(answer.to_dict())


@pytest.mark.parametrize("wrong,said", [
    (np.zeros((10, 2)), r"points_W must be rows of three numbers, an array of shape \(n, 3\); it is an array of shape \(10, 2\) of float64"),
    ("rope.csv", "it is text; read files with prehend.model"),
    ([[0, 0, 0], [1, 2]], "it is a list of rows that are not all alike"),
    (np.zeros((4, 3), complex), "of complex128"), ({"x": 1}, "it is a dict"),
])
def test_points_of_a_wrong_shape_are_named(wrong, said):
    for call in (prehend.knot.project_rope, prehend.knot.name_rope, prehend.knot.find_shape):
        with pytest.raises(TypeError, match=said):
            call(wrong)
    with pytest.raises(TypeError, match="force must be rows of three numbers"):
        prehend.WrenchLog(t=[0.0], position=[[0, 0, 0]], force=wrong, torque=[[0, 0, 0]])
    with pytest.raises(TypeError, match="points must be rows of three numbers"):
        prehend.segment_cloud(wrong)


def test_wrench_logs_in_words_are_those_of_symbols():
    t, p, q, f = [0.0, 0.1, 0.2], np.arange(9.0).reshape(3, 3), np.tile([0.6, 0.8, 0, 0], (3, 1)), np.ones((3, 3))
    words = prehend.WrenchLog(t=t, position=p, orientation=q, force=f, torque=2 * f)
    symbols = prehend.WrenchLog(t=t, X_WS=np.hstack([p, q]), f_S=f, tau_S=2 * f)
    for name in ("t", "X_WS", "f_S", "tau_S"):
        assert np.array_equal(getattr(words, name), getattr(symbols, name))
    with pytest.raises(ValueError, match="orientation must have a row qw, qx, qy, qz for every position"):
        prehend.WrenchLog(t=t, position=p, orientation=q[:2], force=f, torque=f)
