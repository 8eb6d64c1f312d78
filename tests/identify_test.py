"""`prehend identify` as a user meets it: the embedded mallet, the published tools, bad input and its sentences."""

import gzip
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

BIN = Path(os.environ["PREHEND_BIN"])
SOURCE = Path(os.environ["PREHEND_SOURCE"])
LOG, PARTS = SOURCE / "data/logs/mallet.csv", SOURCE / "data/logs/mallet_parts.ply"
TOOLS = SOURCE.parent / "shared/data/tools"
# data/make_logs.py prints these.
MASS, COM_Y = 1.223688, 0.20856473


def run(*arguments, code=0):
    done = subprocess.run([str(a) for a in (BIN / "prehend", "identify", *arguments, "--json")], capture_output=True, text=True,
                          timeout=120)
    assert done.returncode == code, done.stdout + done.stderr
    document = json.loads(done.stdout)
    assert document["verb"] == "identify"
    return document


def changed(tmp_path, change, name="log.csv"):
    """The mallet's log with a function applied to every row, a dict of floats."""
    head, *rows = [line for line in LOG.read_text().splitlines() if not line.startswith("#")]
    columns = head.split(",")
    out = [head]
    for number, row in enumerate(rows):
        values = change(dict(zip(columns, map(float, row.split(",")))), number)
        if values is not None:
            out.append(",".join(f"{values[c]:.9g}" for c in columns))
    path = tmp_path / name
    path.write_text("\n".join(out) + "\n")
    return path


def test_the_log_needs_no_option():
    results = [run(*log, "--parts", PARTS)["results"][0] for log in ((LOG,), ("--log", LOG))]
    for name in ("mass_kg", "com_S_m", "inertia_com_kgm2"):
        assert results[0].get(name) == results[1].get(name)
    assert results[0]["mass_kg"] == pytest.approx(MASS, rel=0.03)


def test_mallet():
    document = run("--log", LOG, "--parts", PARTS, "--method", "likelihood,ols,rtls,geo,pmd,hps")
    assert document["status"] == "ok" and document["problems"] == []
    assert [r["method"] for r in document["results"]] == ["likelihood", "ols", "rtls", "geo", "pmd", "hps"]
    for result in document["results"]:
        assert result["mass_kg"] == pytest.approx(MASS, rel=0.03), result["method"]
        assert result["com_S_m"][1] == pytest.approx(COM_Y, rel=0.05), result["method"]
        assert set(result["std"]) == {"mass_kg", "com_m", "inertia_kgm2"} and len(result["std"]["inertia_kgm2"]) == 6
        assert set(result["residual"]) == {"force_N", "torque_Nm"}
        # The object's frame lies 60 mm behind the sensor's along y, with the same axes.
        assert result["com_O_m"][1] == pytest.approx(result["com_S_m"][1] + 0.06, abs=1e-6)
    ours = document["results"][0]
    assert ours["consistent"] and abs(ours["mass_kg"] - MASS) < 4 * ours["std"]["mass_kg"]
    assert abs(ours["com_S_m"][1] - COM_Y) < 4 * max(ours["std"]["com_m"][1], 1e-5)


def test_recommended_alone_without_a_method_and_without_a_shape():
    document = run("--log", LOG)
    assert [r["method"] for r in document["results"]] == ["likelihood"]
    assert document["results"][0]["mass_kg"] == pytest.approx(MASS, rel=0.02)


def test_the_first_second_turns_about_one_axis(tmp_path):
    """No noise may be subtracted from directions that hold none of the motion."""
    document = run("--log", changed(tmp_path, lambda row, k: row if k < 100 else None), "--parts", PARTS)
    (result,) = document["results"]
    assert document["status"] == "ok" and result["mass_kg"] == pytest.approx(MASS, rel=0.005)
    assert result["com_S_m"][1] == pytest.approx(COM_Y, abs=1e-3)
    assert {"I_yy", "I_zz"} <= set(result["undetermined"])


def test_covariance_has_ten_rows():
    (result,) = run("--log", LOG)["results"]
    rows = result["covariance"]
    assert len(rows) == 10 and all(len(row) == 10 for row in rows)
    assert rows[0][0] ** 0.5 == pytest.approx(result["std"]["mass_kg"])
    assert rows[9][9] ** 0.5 == pytest.approx(result["std"]["inertia_kgm2"][5])


def test_an_offset_of_the_sensor_is_named(tmp_path):
    import math

    def offset(row, _):
        """3 N along the sensor's x axis, in the world's axes of the file."""
        w, x, y, z = (row["sq" + c] for c in "wxyz")
        axis = (1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y))
        assert math.isclose(sum(a * a for a in axis), 1.0, rel_tol=1e-3)
        return row | {"f" + c: row["f" + c] + 3.0 * a for c, a in zip("xyz", axis)}

    path = changed(tmp_path, offset)
    document = run("--log", path, "--parts", PARTS, code=3)
    assert "--calibrate" in document["error"]["message"] and document["status"] == "undetermined"
    document = run("--log", path, "--parts", PARTS, "--calibrate")
    assert document["results"][0]["mass_kg"] == pytest.approx(MASS, rel=0.005)
    assert document["calibration"]["bias_force_N"][0] == pytest.approx(3.0, abs=0.05)


def test_a_shape_in_millimetres_is_named():
    document = run("--log", LOG, "--parts", PARTS, "--unit", "1000", "--method", "geo", code=3)
    assert "millimetres" in document["error"]["message"] and "--unit mm" in document["error"]["message"]


def test_units_by_name_and_by_number():
    masses = [run("--log", LOG, "--parts", PARTS, "--unit", unit)["results"][0]["mass_kg"] for unit in ("m", "1")]
    assert masses[0] == masses[1]
    message = run("--log", LOG, "--parts", PARTS, "--unit", "feet", code=2)["error"]["message"]
    assert "--unit" in message and "m, cm, mm or in" in message


def test_poses_alone(tmp_path):
    columns = "t,sx,sy,sz,sqw,sqx,sqy,sqz,fx,fy,fz,tx,ty,tz".split(",")
    head, *rows = [line for line in LOG.read_text().splitlines() if not line.startswith("#")]
    indices = [head.split(",").index(c) for c in columns]
    path = tmp_path / "poses.csv.gz"
    with gzip.open(path, "wt") as file:
        file.write(",".join(columns) + "\n" + "\n".join(",".join(r.split(",")[i] for i in indices) for r in rows) + "\n")
    result = run("--log", path, "--method", "ols")["results"][0]
    assert result["kinematics"] == "smoothed" and result["mass_kg"] == pytest.approx(MASS, rel=0.02)


def test_files_of_out(tmp_path):
    model = tmp_path / "mallet.urdf"
    model.write_text("<robot name='m'><!-- mine --><link name='mallet'/></robot>")
    out = tmp_path / "out"
    run("--log", LOG, "--parts", PARTS, "--out", out, "--into", model)
    assert (out / "report.html").stat().st_size > 100_000
    text = (out / "mallet.urdf").read_text()
    assert "mine" in text and float(re.search(r'mass value="([^"]+)"', text)[1]) == pytest.approx(MASS, rel=0.02)
    run("--log", LOG, "--parts", PARTS, "--out", out)
    for name in ("object.xml", "object.urdf"):
        done = subprocess.run([BIN / "prehend", "inspect", out / name, "--json"], capture_output=True, text=True, check=True)
        (body,) = [b for b in json.loads(done.stdout)["bodies"] if b["name"] == "object"]
        assert body["mass_kg"] == pytest.approx(MASS, rel=0.02)


def test_wrong_gravity_is_named(tmp_path):
    document = run("--log", LOG, "--gravity", "0", "0", "9.81", code=3)
    assert "(0, 0, -9.81)" in document["error"]["message"]


def test_swapped_columns_and_units_are_named(tmp_path):
    def swap(row, _):
        for axis in "xyz":
            row["f" + axis], row["t" + axis] = row["t" + axis], row["f" + axis]
        return row

    def millimetres(row, _):
        return row | {"s" + axis: 1000 * row["s" + axis] for axis in "xyz"} | {"o" + axis: 1000 * row["o" + axis] for axis in "xyz"}

    def newton_millimetres(row, _):
        return row | {"t" + axis: 1000 * row["t" + axis] for axis in "xyz"}

    assert "torque" in run("--log", changed(tmp_path, swap), code=3)["error"]["message"]
    document = run("--log", changed(tmp_path, millimetres), code=3)
    assert "positions are in millimetres" in document["error"]["message"] and len(document["problems"]) == 1
    assert "mm" in run("--log", changed(tmp_path, newton_millimetres), code=3)["error"]["message"]


def stands_still(tmp_path):
    """The log's first quarter of a second: at rest, with noise in the recorded accelerations."""
    return changed(tmp_path, lambda row, k: row if k < 25 else None)


@pytest.mark.parametrize("method", ["ols", "rtls"])
def test_no_excitation_is_no_answer(tmp_path, method):
    document = run("--log", stands_still(tmp_path), "--method", method, code=3)
    (result,) = document["results"]
    assert document["status"] == "undetermined"
    assert {"com_z", "I_xx", "I_xy", "I_xz", "I_yy", "I_yz", "I_zz"} <= set(result["undetermined"])
    assert not {"mass", "com_y"} & set(result["undetermined"])
    assert document["error"]["message"].count("does not determine") == 1


def test_no_excitation_and_a_prior(tmp_path):
    """Methods with a prior answer, and say what comes from it; masses of parts come from still samples anyway."""
    document = run("--log", stands_still(tmp_path), "--parts", PARTS, "--method", "likelihood,geo,pmd")
    assert document["status"] == "ok" and document["problems"] == []
    for result in document["results"]:
        assert result["mass_kg"] == pytest.approx(MASS, rel=0.03), result["method"]
        (note,) = [n for n in result["notes"] if "come from the shape" in n]
        assert "I_xx" in note and "stands still" in note
    document = run("--log", stands_still(tmp_path), code=3)
    assert document["status"] == "undetermined"


def test_stop_and_go_is_right_for_parts(tmp_path):
    """Rests alone, in several orientations: nothing is wrong with them, and hps says so."""
    kept = []

    def rests(row, _):
        still = max(abs(row["w" + a]) for a in "xyz") < 1e-6 and max(abs(row["v" + a]) for a in "xyz") < 1e-6
        kept.append(still)
        return row if still else None

    path = changed(tmp_path, rests)
    assert sum(kept) > 100
    document = run("--log", path, "--parts", PARTS, "--method", "hps")
    assert document["results"][0]["mass_kg"] == pytest.approx(MASS, rel=0.03)
    assert not any("does not determine" in p for p in document["problems"])


def test_one_sentence_a_cause(tmp_path):
    def degrees(row, _):
        return row | {c: 57.29577951308232 * row[c] for c in ("wx", "wy", "wz", "alx", "aly", "alz")}

    held = {}

    def frozen(row, k):
        if k == 100:
            held.update({c: row[c] for c in ("fx", "fy", "fz", "tx", "ty", "tz")})
        return row | (held if 100 < k < 300 else {})

    def clipped(row, _):
        return row | {"fz": min(row["fz"], 12.0)}

    for change, words in [(degrees, "in degrees"), (frozen, "stuck"), (clipped, "saturated"),
                          (lambda row, _: row | {"f" + a: -row["f" + a] for a in "xyz"} | {"t" + a: -row["t" + a] for a in "xyz"},
                           "sign")]:
        document = run("--log", changed(tmp_path, change), code=3)
        assert words in document["error"]["message"] and len(document["problems"]) == 1, document["problems"]
    gap = run("--log", changed(tmp_path, lambda row, k: None if 300 <= k < 306 else row))
    assert len(gap["problems"]) == 1 and "6 rows are missing" in gap["problems"][0]
    few = run("--log", changed(tmp_path, lambda row, k: row if k < 5 else None), code=3)
    assert "5 rows" in few["error"]["message"]


@pytest.mark.skipif(not TOOLS.is_dir(), reason="the published tools are not beside this repository")
def test_millinewtons_that_the_shape_betrays(tmp_path):
    # A wrench in mN and N mm is as good a wrench of a body a thousand times as heavy; only its shape tells.
    tool = TOOLS / "allen_key"
    lines = gzip.open(tool / "motion.csv.gz", "rt").read().split()
    columns = lines[0].split(",")
    first = columns.index("fx")
    rows = [line.split(",") for line in lines[1:]]
    noise = iter(range(10**6))
    path = tmp_path / "log.csv"
    path.write_text("\n".join([lines[0]] + [",".join(
        # A little of everything but white noise hides the moments of inertia.
        str(1000 * float(x) + 200 * ((7919 * next(noise)) % 1000 / 500 - 1)) if first <= k < first + 3 else
        str(1000 * float(x)) if first + 3 <= k < first + 6 else x for k, x in enumerate(row)) for row in rows]) + "\n")
    document = run("--log", path, "--gravity", "0", "0", "9.81", "--parts", tool / "parts.ply", code=3)
    assert "not in N" in document["error"]["message"]


@pytest.mark.parametrize("method", ["pmd", "hps"])
def test_the_shape_of_another_object_is_named(method):
    document = run("--log", LOG, "--parts", SOURCE / "data/objects/cup.obj", "--method", method, code=3)
    assert document["status"] == "undetermined" and "do not fit the given shape" in document["error"]["message"]


def test_usage():
    for arguments, sentence in [
        ((), "name the recording: prehend identify LOG.csv"),
        (("--log", LOG, "--method", "lsq"), "there is no 'lsq'; it must be ols, rtls"),
        (("--log", LOG, "--method", "pmd"), "shape"),
        (("--log", LOG, "--wrench-frame", "tool"), "there is no 'tool'; it must be"),
        (("--log", LOG, "--kinematics", "raw"), "there is no 'raw'; it must be automatic, recorded or smoothed"),
        (("--log", LOG, "--into", "x.urdf"), "--into needs --out"),
        (("--log", LOG, "--tool", "1kg", "0", "0", "0"), "--tool: '1kg' is not a number"),
    ]:
        assert sentence in run(*arguments, code=2)["error"]["message"], arguments
    assert run("--log", "nowhere.csv", code=2)["error"]["file"] == "nowhere.csv"


@pytest.mark.skipif(not TOOLS.is_dir(), reason="the published tools are not beside this repository")
def test_tools_without_noise():
    for tool in sorted(TOOLS.iterdir()):
        if not tool.is_dir():
            continue
        text = (tool / "inertia.yaml").read_text()
        mass = float(re.search(r"MASS: (\S+)", text)[1])
        com = json.loads(re.search(r"COM_WRT_MESH: (\[.*?\])", text)[1])
        result = run("--log", tool / "motion.csv.gz", "--gravity", "0", "0", "9.81", "--method", "ols")["results"][0]
        assert result["mass_kg"] == pytest.approx(mass, rel=5e-6), tool.name
        assert result["com_O_m"] == pytest.approx(com, abs=2e-6), tool.name


@pytest.mark.skipif(not TOOLS.is_dir(), reason="the published tools are not beside this repository")
def test_right_logs_and_shapes_raise_no_problem():
    # Without noise the wrenches are more precise than the scanned shapes: a note, not a problem.
    for tool in sorted(path for path in TOOLS.iterdir() if path.is_dir()):
        document = run("--log", tool / "motion.csv.gz", "--gravity", "0", "0", "9.81", "--parts", tool / "parts.ply", "--method",
                       "geo,pmd,hps,likelihood")
        assert document["problems"] == [], tool.name
