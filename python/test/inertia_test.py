"""prehend.inertia beside identify(): streaming estimators, models of the answer, planned motions."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import prehend

SOURCE = Path(os.environ["PREHEND_SOURCE"])
BIN = Path(os.environ["PREHEND_BIN"])
LOG, PARTS = SOURCE / "data/logs/mallet.csv", SOURCE / "data/logs/mallet_parts.ply"
ARM = SOURCE / "data/robots/arm6.urdf"
MASS = 1.223688  # data/make_logs.py prints it


def rows():
    head, *lines = [line for line in LOG.read_text().splitlines() if not line.startswith("#")]
    names = head.split(",")
    return [dict(zip(names, map(float, line.split(",")))) for line in lines]


def vector(row, *names):
    return [row[name] for name in names]


def pose(row, prefix):
    return prehend.Pose(vector(row, *(f"{prefix}q{c}" for c in "wxyz")), vector(row, *(f"{prefix}{c}" for c in "xyz")))


@pytest.mark.parametrize("method", ["ols", "rtls", "geo", "pmd", "hps", "likelihood"])
def test_streaming_estimator_takes_samples_as_they_arrive(method):
    log = rows()
    shape = prehend.inertia.read_parts([PARTS])
    X_SO = pose(log[0], "s").inverse() * pose(log[0], "o")
    estimator = prehend.inertia.streaming_estimator(method, shape, X_SO)
    assert estimator.estimate().status == "failed"
    for row in log:
        estimator.add(pose(row, "s"), vector(row, "wx", "wy", "wz"), vector(row, "ax", "ay", "az"),
                      vector(row, "alx", "aly", "alz"), vector(row, "fx", "fy", "fz"), vector(row, "tx", "ty", "tz"))
    found = estimator.estimate()
    assert found.status == "ok" and found.method == method
    assert found.mass == pytest.approx(MASS, rel=0.03)


@pytest.mark.parametrize("method", ["geo", "pmd", "hps"])
def test_streaming_estimator_names_what_it_lacks(method):
    with pytest.raises(ValueError, match=f"{method} needs the object's shape"):
        prehend.inertia.streaming_estimator(method)


def test_unknown_choices_list_the_known_ones():
    with pytest.raises(ValueError, match="ols, rtls, geo, pmd, hps or likelihood, not 'lsq'"):
        prehend.inertia.streaming_estimator("lsq")
    with pytest.raises(ValueError, match="world or sensor, not 'tool'"):
        prehend.identify(prehend.model.read_wrench_log(LOG), wrench_frame="tool")


def test_the_status_stands_in_the_document():
    result = prehend.identify(prehend.model.read_wrench_log(LOG))
    assert next(iter(json.loads(result.to_json()))) == "status" and result.to_dict()["status"] == "ok"


def test_object_model_is_written(tmp_path):
    result = prehend.identify(prehend.model.read_wrench_log(LOG), prehend.inertia.read_parts([PARTS]))
    paths = prehend.inertia.write_object_model(result, tmp_path)
    assert [Path(path).name for path in paths] == ["object.xml", "object.urdf"]
    scene = prehend.read_scene(paths[1])
    assert [body.inertia.mass for body in scene.bodies if body.name == "object"] == [pytest.approx(MASS, rel=0.02)]


@pytest.mark.parametrize("still", [0, 4])
def test_plan_is_the_command_lines(still):
    plan = prehend.inertia.plan_excitation(prehend.read_scene(ARM), still=still, duration=4, starts=2, floor=0)
    arguments = ["--duration", "4", "--starts", "2", "--floor", "0"] + (["--still", str(still)] if still else [])
    done = subprocess.run([BIN / "prehend", "excite", ARM, *arguments, "--json"], capture_output=True, text=True, check=True)
    theirs = {k: v for k, v in json.loads(done.stdout).items() if k not in ("verb", "time_ms", "trajectory")}
    assert plan.status == "ok" and plan.to_dict() == theirs
    assert plan.trajectory.q.shape == (len(plan.trajectory.t), len(plan.joints))
    assert np.all(np.diff(plan.trajectory.t) > 0) and plan.csv().startswith("t,")


def test_a_log_from_arrays_is_the_log_of_the_file():
    read = prehend.model.read_wrench_log(LOG)
    names = ("t", "X_WS", "f_S", "tau_S", "v_WS_W", "w_WS_W", "a_WS_W", "al_WS_W", "X_WO")
    made = prehend.model.WrenchLog(**{name: getattr(read, name) for name in names})
    of_file, of_arrays = (prehend.identify(log).results[0].estimate for log in (read, made))
    # Quaternions are normalised once more: their last bits, which the search for noise levels amplifies.
    assert of_arrays.mass == pytest.approx(of_file.mass, rel=1e-8)
    assert of_arrays.covariance.shape == (10, 10)
    assert of_arrays.covariance[0, 0] ** 0.5 == pytest.approx(of_arrays.std_mass)
    with pytest.raises(ValueError, match="f_S has 1 rows"):
        prehend.model.WrenchLog(t=[0.0, 1.0], X_WS=[[0, 0, 0, 1, 0, 0, 0]] * 2, f_S=[[0, 0, 1]], tau_S=[[0, 0, 0]] * 2)
