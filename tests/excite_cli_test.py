"""excite as a user meets it: documents, files, messages; and its promises recomputed from the trajectory alone."""

import json
import os
import subprocess
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

PREHEND = Path(os.environ["PREHEND_BIN"]) / "prehend"
ARM = Path(os.environ["PREHEND_SOURCE"]) / "data/robots/arm6.urdf"
QUICK = ["--duration", "4", "--starts", "2"]


def run(*arguments):
    return subprocess.run([PREHEND, "excite", *map(str, arguments)], capture_output=True, text=True, timeout=120)


def document(*arguments, code=0):
    done = run(*arguments, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    answer = json.loads(done.stdout)
    assert answer["verb"] == "excite"
    return answer


def message(*arguments, code=2):
    return document(*arguments, code=code)["error"]["message"]


def sensor_poses(q):
    """Forward kinematics of the arm, written from the URDF's own words: one (R, p) per row of joint positions."""
    root = xml.parse(ARM).getroot()
    R = np.broadcast_to(np.eye(3), (len(q), 3, 3)).copy()
    p = np.zeros((len(q), 3))
    column = 0
    for joint in root.findall("joint"):  # the file lists them from base to hand
        p = p + np.einsum("nij,j->ni", R, np.array(joint.find("origin").get("xyz").split(), float))
        if joint.get("type") == "revolute":
            axis = np.array(joint.find("axis").get("xyz").split(), float)
            R = R @ Rotation.from_rotvec(q[:, [column]] * axis).as_matrix()
            column += 1
    return R, p


def differences(q, dt):
    """Angular velocity, its derivative and the acceleration of the sensor's origin less gravity, in its axes."""
    R, p = sensor_poses(q)
    step = Rotation.from_matrix(np.swapaxes(R[:-1], 1, 2) @ R[1:]).as_rotvec() / dt  # at midpoints, in its axes
    w, al = (step[1:] + step[:-1]) / 2, (step[1:] - step[:-1]) / dt
    a_W = (p[2:] - 2 * p[1:-1] + p[:-2]) / dt**2 + [0, 0, 9.81]
    return w, al, np.einsum("nji,nj->ni", R[1:-1], a_W), R, p


def predicted(w, al, a, force=0.1, torque=0.005):
    """Covariance of the ten parameters, the regressor made column by column from Newton's and Euler's laws."""
    columns = []
    for k in range(10):
        phi = np.zeros(10)
        phi[k] = 1
        m, mc = phi[0], phi[1:4]
        inertia = np.array([[phi[4], phi[5], phi[6]], [phi[5], phi[7], phi[8]], [phi[6], phi[8], phi[9]]])
        f = m * a + np.cross(al, mc) + np.cross(w, np.cross(w, mc))
        tau = al @ inertia + np.cross(w, w @ inertia) + np.cross(mc, a)
        columns.append(np.hstack([f / force, tau / torque]).ravel())
    A = np.array(columns).T
    return np.linalg.inv(A.T @ A), A


def test_promises_hold_for_the_written_trajectory(tmp_path):
    answer = document(ARM, *QUICK, "--floor", 0, "--out", tmp_path)
    assert answer["status"] == "ok" and answer["link"] == "sensor" and answer["kind"] == "motion"
    assert answer["trajectory"] == answer["files"]["trajectory"] == str(tmp_path / "trajectory.csv")
    assert (tmp_path / "report.html").read_text().startswith("<!")
    table = np.genfromtxt(tmp_path / "trajectory.csv", delimiter=",", names=True)
    names = answer["joints"]
    assert list(table.dtype.names) == ["t"] + names + [n + "_vel" for n in names] + [n + "_acc" for n in names]
    q = np.column_stack([table[n] for n in names])
    qd = np.column_stack([table[n + "_vel"] for n in names])
    dt = table["t"][1]
    assert len(q) == answer["samples"] == 401 and dt == pytest.approx(0.01)
    assert np.abs((q[2:] - q[:-2]) / (2 * dt) - qd[1:-1]).max() < 5e-3
    assert np.abs(q[0] - q[-1]).max() < 1e-9 and np.abs(qd[[0, -1]]).max() < 1e-9

    w, al, a, R, p = differences(q, dt)
    v = (p[2:] - p[:-2]) / (2 * dt)
    centre = p + 0.075 * R[:, :, 2]
    v_c = (centre[2:] - centre[:-2]) / (2 * dt)
    w_W = np.einsum("nij,nj->ni", R[1:-1], w)
    fastest = np.sqrt((v_c**2).sum(1) + 0.075**2 * (w**2).sum(1) + 0.15 * np.linalg.norm(np.cross(v_c, w_W), axis=1))
    peak = max(fastest.max(), np.linalg.norm(v, axis=1).max())
    limits = answer["limits"]
    assert limits["hold"] and peak == pytest.approx(limits["tool_speed_mps"]["value"], rel=5e-3)
    assert limits["tool_speed_mps"]["value"] <= 0.25 < 1.02 * limits["tool_speed_mps"]["value"]
    assert centre[:, 2].min() - 0.075 == pytest.approx(limits["clearance_m"]["value"], abs=1e-4) and limits["clearance_m"]["margin"] >= 0

    covariance, A = predicted(w, al, a)
    std = np.sqrt(np.diag(covariance))
    assert answer["predicted_std"]["mass_kg"] == pytest.approx(std[0], rel=0.01)
    assert np.allclose(answer["predicted_std"]["inertia_kgm2"], std[4:], rtol=0.02)
    J = np.hstack([-np.array([[0], [0], [0.075]]), np.eye(3)]) / 0.5
    assert np.allclose(answer["predicted_std"]["com_m"], np.sqrt(np.diag(J @ covariance[:4, :4] @ J.T)), rtol=0.02)
    assert answer["condition"] == pytest.approx(np.linalg.cond(A / np.linalg.norm(A, axis=0)), rel=0.02)
    assert answer["gain"]["inertia"] > 4 and answer["baseline"]["predicted_std"]["mass_kg"] > 0


def test_stop_and_go(tmp_path):
    answer = document(ARM, "--still", 5, "--bias", "--starts", 3, "--out", tmp_path)
    assert answer["kind"] == "still" and len(answer["poses"]) == 5
    assert answer["predicted_std"]["inertia_kgm2"] == [None] * 6 and answer["gain"]["com"] > 1
    R, _ = sensor_poses(np.array([pose["q"] for pose in answer["poses"]]))
    down = -R[:, 2, :]  # gravity in the sensor's axes
    assert np.linalg.norm(down.mean(0)) < 0.15 and np.linalg.eigvalsh(down.T @ down / 5)[0] > 0.2
    table = np.genfromtxt(tmp_path / "trajectory.csv", delimiter=",", names=True)
    for pose in answer["poses"]:
        rows = (table["t"] >= pose["t0_s"]) & (table["t"] <= pose["t1_s"])
        assert rows.sum() >= 100 and np.abs(table["bend_vel"][rows]).max() < 1e-9


def test_same_answer_for_any_number_of_threads():
    one, two = (document(ARM, *QUICK, "--threads", n) for n in (1, 2))
    one.pop("time_ms"), two.pop("time_ms")
    assert one == two


def test_text_names_gain_and_limits():
    done = run(ARM, *QUICK)
    assert done.returncode == 0 and "sensor on link 'sensor'" in done.stdout
    assert "tool speed [m/s]" in done.stdout and "gain" in done.stdout


def test_bad_input(tmp_path):
    assert "there is no link named 'hand'" in message(ARM, "--link", "hand")
    assert message(ARM, "--link", "base") == "no movable joint lies between the base and 'base'"
    assert message(ARM, "--speed", 0) == "MotionLimits::tool_speed is 0 m/s; it must be finite and above 0 m/s"
    assert message(ARM, "--start", "1,2") == "--start is 2 joint positions; it must be 6, one for each joint of the chain"
    assert message(ARM, "--start", "1,x,0,0,0,0") == "--start: 'x' is not a number"
    assert message(ARM, "--criterion", "e") == "--criterion: 'e' is none of d, a"
    assert "outside of its room" in message(ARM, *QUICK, "--floor", 5, code=3)
    still = tmp_path / "still.urdf"
    still.write_text('<robot name="r"><link name="a"/></robot>')
    assert message(still) == "'r' has no movable joint: nothing can be excited"
