"""prehend.knot: the answers of the command line, and its errors."""

import json
import os
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest
import snappy

from prehend import knot, model

BIN = Path(os.environ["PREHEND_BIN"])
SOURCE = Path(os.environ["PREHEND_SOURCE"])


def command_line(*arguments):
    done = subprocess.run([BIN / "prehend", *map(str, arguments), "--json"], capture_output=True, text=True, timeout=60)
    return done.returncode, json.loads(done.stdout)


def without(document, *names):
    return {key: value for key, value in document.items() if key not in ("verb", "time_ms", *names)}


@pytest.mark.parametrize("name", knot.named_knots())
def test_names_are_the_command_lines(name):
    file = SOURCE / "data" / "knots" / f"{name}.json"
    code, document = command_line("knot", "name", file)
    assert code == 0
    result = knot.name_knot(knot.read_p_data(file))
    assert result.to_dict() == without(document, "closures_differ", "under", "rope_knots", "rope_knot_moves") and result.status == document["status"]
    assert document["rope_knots"] == [name] == knot.names_of(knot.read_p_data(file))
    if document["closures_differ"]:
        under = knot.name_knot(knot.read_p_data(file), closure="under")
        assert under.to_dict() == document["under"]
    assert knot.name_rope(knot.read_p_data(file)).to_dict() == without(document)


def test_ropes_are_read_as_by_the_command_line():
    file = SOURCE / "data" / "ropes" / "overhand.csv"
    code, document = command_line("knot", "read", file)
    assert code == 0
    recording = knot.project_recording(model.read_rope_log(file))
    assert recording.to_dict() == without(document)
    assert recording.frames[-1].p_data == knot.PData(**document["frames"][-1]["p_data"])


def test_the_moves_of_a_recording_have_times():
    file = SOURCE / "data" / "ropes" / "overhand.csv"
    log = model.read_rope_log(file)
    code, document = command_line("knot", "moves", file)
    assert code == 0
    moves = knot.recognise_recording(knot.project_recording(log))
    assert moves.to_dict() == without(document) and moves.status == "ok"
    assert [log.times[f] for f in (1, 3, 4)] == [t["t0_s"] for t in document["transitions"]]
    with pytest.raises(ValueError, match="its own times"):
        log.set_rate(10)


def test_moves_and_plans_are_the_command_lines(tmp_path):
    states = SOURCE / "data" / "knots" / "bowline_states.json"
    code, document = command_line("knot", "moves", states)
    assert code == 0 and knot.recognise(knot.read_p_data_sequence(states)).to_dict() == without(document)
    wanted = SOURCE / "data" / "knots" / "overhand.json"
    code, document = command_line("knot", "plan", wanted)
    assert code == 0 and knot.plan_knot(knot.read_p_data(wanted)).to_dict() == without(document)


def test_outside_the_table_is_exit_3(tmp_path):
    # The torus knot T(2, 11) from another program's braid.
    rope = knot.from_pd([[x + 1 for x in crossing] for crossing in snappy.Link(braid_closure=[1] * 11).PD_code()])
    file = tmp_path / "torus.json"
    file.write_text(rope.to_json())
    code, document = command_line("knot", "name", file)
    assert code == 3 and document["status"] == "outside" and document["name"] is None
    assert "none of the prime knots up to 10 crossings" in document["error"]["message"]
    assert document["determinant"] == 11 and document["proved"]


@pytest.mark.parametrize("names", [[f"K11n{k}" for k in range(1, 186)], ["K12n48", "K12n112", "K12n678", "K12n817"]],
                         ids=["11", "12"])
def test_larger_knots_are_outside(names):
    """The non-alternating knots with 11 crossings, and those with 12 whose polynomials and signature are a table knot's."""
    for name in names:
        result = knot.name_knot(knot.from_pd([[x + 1 for x in crossing] for crossing in snappy.Link(name).PD_code()]))
        assert result.status == "outside", (name, result.names)


def test_bad_codes_are_errors(tmp_path):
    with pytest.raises(ValueError, match="no drawing in the plane"):
        knot.PData([3, 4, 1, 2], [3, 3, 4, 4])
    with pytest.raises(ValueError, match="closure is 'beside'"):
        knot.name_knot(knot.PData(), closure="beside")
    with pytest.raises(ValueError, match="max_crossings is -1"):
        knot.name_knot(knot.PData(), max_crossings=-1)
    file = tmp_path / "odd.json"
    file.write_text('{"sigma":[2,1,3],"attr":[3,4,3]}')
    code, document = command_line("knot", "name", file)
    assert code == 2 and "3 columns" in document["error"]["message"]


def test_codes_go_round():
    code = knot.named_knot("bowline").p_data
    again = knot.from_pd(knot.pd_code(code))
    assert knot.name_knot(again).name == knot.name_knot(code).name == "6_3"
    assert pickle.loads(pickle.dumps(code)) == code and hash(code) == hash(pickle.loads(pickle.dumps(code)))
    assert np.asarray(knot.named_knot("bowline").centre_line).shape[1] == 3


def test_ropes_from_arrays_are_named_as_on_the_command_line(tmp_path):
    t = np.arange(900) * 2 * np.pi / 900
    loop = np.stack([(2 + np.cos(3 * t)) * np.cos(2 * t), (2 + np.cos(3 * t)) * np.sin(2 * t), np.sin(3 * t)], 1)
    loop += 0.05 * np.random.default_rng(2).normal(size=loop.shape)
    name = knot.name_rope(loop, closed=True)
    assert (name.status, name.over.name, name.doubts, name.rope_knots) == ("ok", "3_1", [], [])
    seen = knot.project_rope(loop, closed=True)
    assert seen.closed and 0.04 < seen.noise < 0.06 and np.shape(seen.line_W) == (900, 3)
    assert knot.project_rope(loop, closed=True, noise=0).noise == 0
    log = model.RopeLog(points=[loop])
    assert knot.project_recording(log, closed=True).frames[0].p_data == seen.p_data
    t = 0.3 + np.arange(11) * 2 * np.pi / 11  # straight pieces between so few points cut through other strands
    coarse = np.stack([(2 + np.cos(7 * t)) * np.cos(2 * t), (2 + np.cos(7 * t)) * np.sin(2 * t), np.sin(7 * t)], 1)
    doubtful = knot.name_rope(coarse, closed=True)
    assert doubtful.status == "doubtful" and doubtful.doubts and doubtful.to_dict()["doubts"] == doubtful.doubts
    with pytest.raises(ValueError, match="touching|degenerate_view"):
        knot.name_rope([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0.5, -1, 0]])
