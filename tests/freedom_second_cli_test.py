"""prehend freedom --order 2 as a user meets it: verdicts against an independent linear program, and what it says about bad input."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

BIN = Path(os.environ["PREHEND_BIN"])
SOURCE = Path(os.environ["PREHEND_SOURCE"])
CONTACTS = SOURCE / "data/contacts"
GRASPS = 1000 if os.environ.get("PREHEND_SLOW") else 25


def run(*arguments):
    return subprocess.run([BIN / "prehend", "freedom", *map(str, arguments), "--order", "2"], capture_output=True,
                          text=True, timeout=300)


def document(*arguments, code=0):
    done = run(*arguments, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


def written(folder, contacts, name="contacts.json"):
    path = folder / name
    path.write_text(json.dumps({"contacts": contacts}))
    return path


def screws_file(folder, screws):
    path = folder / "screws.csv"
    path.write_text("wx,wy,wz,vx,vy,vz\n" + "".join(",".join(f"{x:.17g}" for x in s) + "\n" for s in screws))
    return path


def across(n, curvature):
    n = np.asarray(n, float)
    return curvature * (np.eye(3) - np.outer(n, n))


def faces(p, n, moving, fixed):
    return {"type": "face-face", "points_W_m": [list(p)], "n_W": list(n),
            "moving": {"curvature_W_1pm": across(n, moving).tolist()},
            "fixed": {"curvature_W_1pm": across(n, fixed).tolist()}}


def grasp(body, finger):
    return [faces([0, 0, 1], [0, 0, -1], body, finger), faces([0, 0, -1], [0, 0, 1], body, finger)]


@pytest.mark.parametrize("name, body, finger, signature", [
    ("a", 1, 0, (0, 0)), ("b", 0, 1, (0, 2)), ("c", 1, 1, (2, 0)), ("d", 1, 0.5, (2, 0)), ("e", 1, 2, (2, 0)),
    ("f", 0.5, 1, (2, 2)), ("g", 2, 1, (4, 0))])
def test_the_seven_grasps(name, body, finger, signature, tmp_path):
    answer = document(written(tmp_path, grasp(body, finger)))
    forms = answer["second"]["forms"]
    assert [(f["positive"], f["negative"]) for f in forms] == [signature]
    assert answer["second"]["maintaining"]["linear"] == (name != "f")
    if name == "b":
        assert [len(c["basis_W"]) for c in answer["second"]["maintaining"]["components"]] == [3]
        assert answer["second"]["legal"] == {"linear": True, "dimension": 3}
    if name == "c":
        assert [len(c["basis_W"]) for c in answer["second"]["maintaining"]["components"]] == [3]
        assert answer["second"]["legal"] == {"linear": True, "dimension": 5}


def test_verdicts_and_certificates(tmp_path):
    roll, slide, push = [1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 1]
    answer = document(written(tmp_path, grasp(0.5, 1)), "--screws", screws_file(tmp_path, [roll, slide, push]))
    rolled, slid, pushed = answer["screws"]
    assert [rolled["verdict"], slid["verdict"], pushed["verdict"]] == ["illegal", "detaching", "illegal"]
    # h of one contact: -c.u + k u^2 - (c - k u)^2 / (k + K), here with c = u = 1: -1 + 0.5 - 0.25 / 1.5.
    assert np.allclose(rolled["second_order_coefficients"], -2 / 3)
    assert [(t["contact"], t["weight"]) for t in rolled["dependency"]] == [(0, 1.0), (1, 1.0)]
    assert rolled["s3_s4_W"] is None and len(slid["s3_s4_W"]) == 6
    assert "first order" in pushed["reason"]


def basic_rows(contacts):
    rows = []
    for c in contacts:
        p, n = np.array(c["points_W_m"][0]), np.array(c["n_W"])
        rows.append(np.concatenate([np.cross(p, n), n]))
    return np.array(rows)


def coefficient(contact, s):
    """Closed forms of Takamatsu 2004 (3.30), (3.40), (3.49), (3.67) with s3 = s4 = 0, printed slips mended; written apart from the library."""
    moving, fixed = contact["type"].split("-")
    p, n = np.array(contact["points_W_m"][0]), np.array(contact["n_W"])
    w, v = s[:3], s[3:]
    u, c = np.cross(w, p) + v, np.cross(n, w)
    m, M = np.array(contact["moving"].get("curvature_W_1pm", 0)), np.array(contact["fixed"].get("curvature_W_1pm", 0))
    t, T = np.array(contact["moving"].get("tangent_W", 0)), np.array(contact["fixed"].get("tangent_W", 0))
    if (moving, fixed) == ("vertex", "face"):
        return c @ u + u @ M @ u
    if (moving, fixed) == ("face", "vertex"):
        return -c @ u + u @ m @ u
    if (moving, fixed) == ("edge", "face"):
        bend, slope = n @ m + t @ M @ t, n @ np.cross(w, t) + t @ M @ u
        return c @ u + u @ M @ u - slope ** 2 / bend
    if (moving, fixed) == ("face", "edge"):
        bend, slope = -n @ M + T @ m @ T, n @ np.cross(w, T) - T @ m @ u
        return -c @ u + u @ m @ u - slope ** 2 / bend
    if (moving, fixed) == ("face", "face"):
        slope = c - m @ u
        return -c @ u + u @ m @ u - slope @ np.linalg.pinv(m + M) @ slope
    l, L = np.linalg.lstsq(np.column_stack([-t, T]), u, rcond=None)[0]
    return c @ u + 2 * l * (n @ np.cross(w, t)) + l ** 2 * (n @ m) - L ** 2 * (n @ M)


def random_grasp(random):
    contacts = []
    for i in range(random.integers(2, 8)):
        if i % 2 and random.random() < 0.9:
            n = -np.array(contacts[-1]["n_W"])
            p = np.array(contacts[-1]["points_W_m"][0]) - random.uniform(0.5, 2) * n
        else:
            p = random.normal(size=3)
            p /= np.linalg.norm(p)
            n = 0.3 * random.normal(size=3) - p
            n /= np.linalg.norm(n)
        kind = ["vertex-face", "edge-face", "face-face", "face-vertex", "face-edge", "edge-edge"][random.integers(6)]
        contact = {"type": kind, "points_W_m": [p.tolist()], "n_W": n.tolist()}
        tangent = np.linalg.svd(n[None])[2][1:]
        for side, what, sign in zip(("moving", "fixed"), kind.split("-"), (1, -1)):
            contact[side] = {}
            if what == "face":
                bend = random.uniform(0.1, 3, 2)
                R = tangent.T @ np.linalg.qr(random.normal(size=(2, 2)))[0]
                contact[side]["curvature_W_1pm"] = (R @ np.diag(bend) @ R.T).tolist()
            elif what == "edge":
                angle = random.uniform(0, 0.5) + (1.2 if side == "fixed" else 0)
                contact[side]["tangent_W"] = (np.cos(angle) * tangent[0] + np.sin(angle) * tangent[1]).tolist()
                contact[side]["curvature_W_1pm"] = (sign * random.uniform(0.1, 3) * n).tolist()
        contacts.append(contact)
    return contacts


def test_random_grasps_equal_an_independent_linear_program(tmp_path):
    random = np.random.default_rng(5)
    count, near, verdicts = 0, 0, {}
    for trial in range(GRASPS):
        contacts = random_grasp(random)
        rows = basic_rows(contacts)
        # Screws that first order keeps closed somewhere: in the null space of some rows, or of all.
        screws = []
        for _ in range(4):
            chosen = rows[random.random(len(rows)) < 0.8] if random.random() < 0.5 else rows
            null = np.linalg.svd(chosen)[2][np.linalg.matrix_rank(chosen):] if len(chosen) else np.eye(6)
            s = random.normal(size=len(null)) @ null if len(null) else random.normal(size=6)
            screws.append(s / np.linalg.norm(s))
        answer = document(written(tmp_path, contacts), "--screws", screws_file(tmp_path, screws))
        for s, judged in zip(screws, answer["screws"]):
            h = np.array([coefficient(c, s) for c in contacts])
            assert np.allclose(judged["second_order_coefficients"], h, atol=1e-9), (trial, contacts)
            rate = rows @ s
            closed = np.abs(rate) < 1e-7
            if (rate < -1e-7).any():
                wanted = "illegal"
            else:
                A, b = rows[closed], h[closed]
                misfit = np.linalg.lstsq(A, -b, rcond=1e-9)[0] if len(A) else np.zeros(6)
                keeps = closed.all() and np.abs(A @ misfit + b).max(initial=0) < 1e-7
                # Largest t with A x + h >= t: its sign decides; t up to 1, |x| up to 1e4.
                program = linprog([0] * 6 + [-1], A_ub=np.column_stack([-A, np.ones(len(A))]), b_ub=b,
                                  bounds=[(-1e4, 1e4)] * 6 + [(None, 1)], method="highs")
                assert program.status == 0
                t = program.x[6]
                if not keeps and abs(t) < 1e-5:
                    near += 1
                    continue
                wanted = "maintaining" if keeps else "detaching" if t > 0 else "illegal"
            count += 1
            verdicts[wanted] = verdicts.get(wanted, 0) + 1
            assert judged["verdict"] == wanted, (trial, s, judged, h, rate)
            if judged["verdict"] == "illegal" and closed.any() and not (rate < -1e-7).any():
                y = np.zeros(len(rows))
                for term in judged["dependency"]:
                    y[term["contact"]] = term["weight"]
                assert (y >= 0).all() and np.linalg.norm(y @ rows) < 1e-5 * np.abs(y @ h) + 1e-9 and y @ h < 0
            elif judged["verdict"] != "illegal":
                distance = rows @ np.array(judged["s3_s4_W"]) + h
                assert distance[closed].min(initial=0) > -1e-5
                if judged["verdict"] == "maintaining":
                    assert np.abs(distance).max() < 1e-5
    print(f"{count} screws of {GRASPS} grasps, {verdicts}, {near} too near to count")
    assert min(verdicts.get(v, 0) for v in ("maintaining", "detaching", "illegal")) > 0 and count > 3 * GRASPS


def test_half_features_are_followed_one_way_only(tmp_path):
    """A straight half edge along x on a flat face: its vertex may be lifted over, the edge may not dive."""
    half = {"type": "half_edge-face", "points_W_m": [[0, 0, 0]], "n_W": [0, 0, 1], "moving": {"tangent_W": [1, 0, 0]}}
    up, down = [0, -1, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]
    answer = document(written(tmp_path, [half]), "--screws", screws_file(tmp_path, [up, down]))
    assert [s["verdict"] for s in answer["screws"]] == ["maintaining", "illegal"]
    assert answer["screws"][1]["second_order_coefficients"] == [None] and answer["screws"][1]["unbounded"]


def least_over_half_planes(slope, bend, value, normals, offsets):
    """Of value + 2 slope.r + r'bend r where normals r >= offsets, by its optimality conditions."""
    best = np.inf
    for active in ([], [0], [1], [0, 1]):
        G = normals[active]
        K = np.block([[2 * bend, -G.T], [G, np.zeros((len(active), len(active)))]])
        x = np.linalg.lstsq(K, np.concatenate([-2 * slope, offsets[active]]), rcond=None)[0]
        r, multipliers = x[:2], x[2:]
        if (normals @ r >= offsets - 1e-9).all() and (multipliers >= -1e-9).all():
            best = min(best, value + 2 * slope @ r + r @ bend @ r)
    return best


def test_half_faces_that_share_a_thin_wedge(tmp_path):
    random = np.random.default_rng(77)
    s = np.array([0.6, -0.5, 0.3, 0.4, 0.2, 0.0])
    u, c = s[3:5], np.cross([0, 0, 1], s[:3])[:2]
    contacts, wanted = [], []
    for k in range(40):
        bends = []
        for least in (0.0, 0.5):
            R = np.linalg.qr(random.normal(size=(2, 2)))[0]
            bends.append(R @ np.diag(least + random.uniform(0, 1.5, 2)) @ R.T)
        angle = random.uniform(0, 2 * np.pi)
        other = angle + np.pi + (random.uniform(-0.1, 0.1) if k % 2 else random.uniform(-3, 3))
        inward = np.array([[np.cos(a), np.sin(a)] for a in (angle, other)])
        sides = [{"curvature_W_1pm": np.pad(m, (0, 1)).tolist(), "inward_W": [*n, 0]} for m, n in zip(bends, inward)]
        contacts.append({**FACE, "type": "half_face-half_face", "moving": sides[0], "fixed": sides[1]})
        A, B = bends
        wanted.append(least_over_half_planes(c + B @ u, A + B, c @ u + u @ B @ u, inward, np.array([0, -inward[1] @ u])))
    answer = document(written(tmp_path, contacts), "--screws", screws_file(tmp_path, [s]))
    assert np.allclose(answer["screws"][0]["second_order_coefficients"], wanted, rtol=1e-7, atol=1e-9)


def test_a_vertex_on_an_edge_given_with_its_edges(tmp_path):
    corner = {"type": "vertex-edge", "points_W_m": [[0, 0, 0]], "normals_W": [[0.6, 0, 0.8], [-0.6, 0, 0.8]],
              "moving": {"tangents_W": [[0.1, 0, 1], [-0.1, 0.1, 1], [-0.1, -0.1, 1]]},
              "fixed": {"tangent_W": [0, 1, 0], "normals_W": [[0.6, 0, 0.8], [-0.6, 0, 0.8]]}}
    along, left, down = [0, 0, 0, 0, 1, 0], [0, 0, 0, -1, 0, 0], [0, 0, 0, 0, 0, -1]
    answer = document(written(tmp_path, [corner]), "--screws", screws_file(tmp_path, [along, left, down]))
    assert answer["singular"]
    assert [s["verdict"] for s in answer["screws"]] == ["maintaining", "detaching", "illegal"]


def test_what_is_missing_is_flat_and_said(tmp_path):
    answer = document(written(tmp_path, [{"type": "vertex-face", "points_W_m": [[0, 0, 0]], "n_W": [0, 0, 1]}]))
    assert any("taken as flat" in note for note in answer["second"]["notes"])


FACE = {"type": "face-face", "points_W_m": [[0, 0, 0]], "n_W": [0, 0, 1]}
EDGE = {"type": "edge-face", "points_W_m": [[0, 0, 0]], "n_W": [0, 0, 1], "moving": {"tangent_W": [1, 0, 0]}}
CROSS = {"type": "edge-edge", "points_W_m": [[0, 0, 0]], "n_W": [0, 0, 1], "moving": {"tangent_W": [1, 0, 0]},
         "fixed": {"tangent_W": [0, 1, 0]}}


@pytest.mark.parametrize("contact, message", [
    ({**FACE, "moving": {"curvature_W_1pm": [[1, 0.5, 0], [0, 1, 0], [0, 0, 0]]}}, "not symmetric"),
    ({**FACE, "moving": {"curvature_W_1pm": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}}, "along the normal"),
    ({**FACE, "moving": {"curvature_W_1pm": [[-1, 0, 0], [0, 1, 0], [0, 0, 0]]}}, "overlap before they move"),
    ({**FACE, "moving": {"curvature_W_1pm": [0, 0, 1]}}, "3x3 matrix"),
    ({**FACE, "moving": {"curvature_W_1pm": 3}}, "3x3 matrix"),
    ({**FACE, "moving": {"curvature": 3}}, "no field 'curvature'"),
    ({**FACE, "moving": 3}, "must be an object"),
    ({**EDGE, "moving": {"tangent_W": [1, 0, 0.2]}}, "off the tangent plane"),
    ({**EDGE, "moving": {"tangent_W": [0, 0, 0]}}, "zero"),
    ({**EDGE, "moving": {}}, "'moving.tangent_W' is missing"),
    ({**EDGE, "moving": {"tangent_W": [1, 0, 0], "curvature_W_1pm": [0, 0, -1]}}, "overlap before they move"),
    ({**EDGE, "moving": {"tangent_W": [1, 0, 0], "curvature_W_1pm": [1, 0, 1]}}, "along the edge"),
    ({**CROSS, "fixed": {"tangent_W": [-1, 0, 0]}}, "parallel"),
    ({**FACE, "type": "vertex-edge"}, "normals_W"),
    ({"points_W_m": [[0, 0, 0]], "n_W": [0, 0, 1]}, "neither 'type'"),
    ({**FACE, "points_W_m": [[1e200, 0, 0]]}, "beyond 1e9 m"),
    ({**FACE, "n_W": [1e200, 0, 0]}, "no direction"),
    ({**FACE, "moving": {"curvature_W_1pm": [[1e300, 0, 0], [0, 1e300, 0], [0, 0, 0]]}}, "beyond 1e9 /m"),
    ({**FACE, "type": "half_face-face"}, "'moving.inward_W' is missing"),
    ({**FACE, "type": "quarter_face-face"}, "tangents_W"),
])
def test_bad_contacts_are_named(contact, message, tmp_path):
    path = tmp_path / "contacts.json"
    path.write_text('{"contacts":[\n' + json.dumps(FACE) + ",\n" + json.dumps(contact) + "]}")
    done = run(path)
    assert done.returncode == 2 and f"{path}:3: error: " in done.stderr and message in done.stderr, done.stderr
