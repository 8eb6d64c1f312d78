"""The command line and Python say the same: every verb that both have prints the document that to_json() gives."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

BUILD = Path(os.environ["PREHEND_BUILD"])
SOURCE = Path(os.environ["PREHEND_SOURCE"])
PREHEND = Path(os.environ["PREHEND_BIN"]) / "prehend"
DATA = SOURCE / "data"

if not (BUILD / "python" / "prehend").is_dir():
    pytest.skip("this build has no Python package", allow_module_level=True)
sys.path.insert(0, str(BUILD / "python"))
import prehend  # noqa: E402

STACK, WEDGE = DATA / "scenes/stack.xml", DATA / "scenes/table_and_wedge.xml"
MOVING = [0.2, 0.1, 0.0]   # of the ground [m/s^2]
PUSHED = [-0.6, 0, 0.32]   # on the end of the slab
FALLING = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 0.1"/>
<body name="beam" pos="0 0 0.1"><freejoint/><geom type="box" size="0.5 0.05 0.05"/></body>
<body name="post" pos="0.4 0 0.025"><geom type="box" size="0.05 0.05 0.025"/></body></worldbody></mujoco>"""


def command_line(*arguments, codes=(0, 3)):
    done = subprocess.run([PREHEND, *map(str, arguments), "--json"], capture_output=True, text=True, timeout=120)
    assert done.returncode in codes, done.stdout + done.stderr

    def once(pairs):
        assert len({key for key, _ in pairs}) == len(pairs), f"a key appears twice: {[key for key, _ in pairs]}"
        return dict(pairs)

    return json.loads(done.stdout, object_pairs_hook=once)


def without(value, *names):
    """The document without these keys, at any depth: times differ from run to run."""
    if isinstance(value, dict):
        return {key: without(inner, *names) for key, inner in value.items() if key not in names}
    return [without(inner, *names) for inner in value] if isinstance(value, list) else value


def pushes_of(path, scene, **options):
    with open(path) as file:
        rows = list(csv.DictReader(file))
    return prehend.robustness(scene, [(row["body"], [float(row[k]) for k in "xyz"], [float(row["d" + k]) for k in "xyz"]) for row in rows], **options)


def poses_of(path, part, width):
    with open(path) as file:
        rows = [row for row in csv.reader(file) if not row[0].startswith("#")][1:]
    return np.array([[float(x) for x in row[2:2 + width]] for row in rows if row[1] == part]), [float(row[0]) for row in rows if row[1] == part]


def drawer():
    poses, times = poses_of(DATA / "poses/drawer.csv", "handle", 3)
    return prehend.articulation.select_joint(poses, times=times)


def weighed():
    log, parts = DATA / "logs/mallet.csv", DATA / "logs/mallet_parts.ply"
    return prehend.identify(prehend.model.read_wrench_log(log), prehend.inertia.read_parts([parts]), methods=["likelihood", "ols"])


def topology():
    thing = prehend.topology.read_object(DATA / "topology/three_links.xml")
    return prehend.topology.estimate_topology(thing, prehend.topology.read_recording(DATA / "topology/three_links.csv", thing))


def executed(**options):
    peg, groove = prehend.read_mesh(DATA / "observation/peg.obj"), prehend.read_mesh(DATA / "observation/groove.obj")
    log = prehend.model.read_pose_log(DATA / "observation/insertion.csv")
    return prehend.observation.execute(peg, groove, prehend.observation.watch(peg, groove, log, moving_part="peg", fixed_part="groove"), **options)


def rope(name):
    return prehend.knot.project_recording(prehend.model.read_rope_log(DATA / name))


# (arguments of the command line, what Python says). Names of parts that only a file has are left out of `joint`.
CASES = {
    "inspect mesh": (["inspect", DATA / "objects/nut.obj"], lambda: prehend.inspect_file(DATA / "objects/nut.obj")),
    "inspect scene": (["inspect", STACK], lambda: prehend.inspect_file(STACK)),
    "inspect log": (["inspect", DATA / "logs/mallet.csv"], lambda: prehend.inspect_file(DATA / "logs/mallet.csv")),
    "contacts": (["contacts", WEDGE], lambda: prehend.find_scene_contacts(prehend.read_scene(WEDGE))),
    "identify": (["identify", "--log", DATA / "logs/mallet.csv", "--parts", DATA / "logs/mallet_parts.ply", "--method", "likelihood,ols"], weighed),
    "segment": (["segment", DATA / "objects/nut.obj", "--parts", 2], lambda: prehend.segment_mesh(prehend.read_mesh(DATA / "objects/nut.obj"), parts=2)),
    "excite": (["excite", DATA / "robots/arm6.urdf", "--still", 3, "--starts", 2, "--floor", 0, "--mass", 0.5],
               lambda: prehend.inertia.plan_excitation(prehend.read_scene(DATA / "robots/arm6.urdf"), still=3, starts=2, floor=0, mass=0.5)),
    "joint": (["joint", DATA / "poses/drawer.csv"], drawer),
    "discover": (["discover", DATA / "poses/arm.csv"], lambda: prehend.articulation.discover(prehend.model.read_pose_log(DATA / "poses/arm.csv"))),
    "topology": (["topology", DATA / "topology/three_links.xml", DATA / "topology/three_links.csv"], topology),
    "forces": (["forces", WEDGE], lambda: prehend.forces(prehend.read_scene(WEDGE))),
    "robustness": (["robustness", STACK, "--at", "crate_small", 0, 0, 0.4, "--push", 1, 0, 0],
                   lambda: prehend.robustness(prehend.read_scene(STACK), [("crate_small", [0, 0, 0.4], [1, 0, 0])])),
    "discover with least noise": (["discover", DATA / "poses/arm.csv", "--least-noise", 0.002, 0.01],
                                  lambda: prehend.articulation.discover(prehend.model.read_pose_log(DATA / "poses/arm.csv"), least_noise=(0.002, 0.01))),
    "forces on a moving ground": (["forces", STACK, "--acceleration", *MOVING], lambda: prehend.forces(prehend.read_scene(STACK), acceleration=MOVING)),
    "robustness on a moving ground": (["robustness", STACK, "--at", "crate_small", 0, 0, 0.4, "--push", 1, 0, 0, "--acceleration", *MOVING],
                                      lambda: prehend.robustness(prehend.read_scene(STACK), [("crate_small", [0, 0, 0.4], [1, 0, 0])], acceleration=MOVING)),
    "robustness map on a moving ground": (["robustness", STACK, "--map", "--points", 40, "--acceleration", *MOVING],
                                          lambda: prehend.robustness_map(prehend.read_scene(STACK), 40, acceleration=MOVING)),
    "disassemble on a moving ground": (["disassemble", STACK, "--acceleration", *MOVING],
                                       lambda: prehend.disassemble(prehend.read_scene(STACK), acceleration=MOVING)),
    "robustness load-caused": (["robustness", WEDGE, "--at", "slab", *PUSHED, "--push", 1, 0, 0, "--load-caused"],
                               lambda: prehend.robustness(prehend.read_scene(WEDGE), [("slab", PUSHED, [1, 0, 0])], load_caused=True)),
    "robustness map": (["robustness", WEDGE, "--map", "--points", 100, "--seed", 3],
                       lambda: prehend.robustness_map(prehend.read_scene(WEDGE), 100, seed=3)),
    "transport": (["transport", STACK, "--directions", 6], lambda: prehend.transport(prehend.read_scene(STACK), directions=6)),
    "mend": (["mend", DATA / "scenes/seen_stack.xml"], lambda: prehend.mend(prehend.read_scene(DATA / "scenes/seen_stack.xml"))),
    "robustness map load-caused": (["robustness", WEDGE, "--map", "--points", 40, "--seed", 3, "--load-caused"],
                                    lambda: prehend.robustness_map(prehend.read_scene(WEDGE), 40, seed=3, load_caused=True)),
    "transport load-caused": (["transport", WEDGE, "--directions", 6, "--load-caused"],
                               lambda: prehend.transport(prehend.read_scene(WEDGE), directions=6, load_caused=True)),
    "disassemble load-caused": (["disassemble", WEDGE, "--load-caused"],
                                 lambda: prehend.disassemble(prehend.read_scene(WEDGE), load_caused=True)),
    "freedom of second order": (["freedom", DATA / "contacts/egg_between_fingers.json", "--order", 2],
                                lambda: prehend.observation.second_order_freedom(
                                    prehend.observation.read_contacts(DATA / "contacts/egg_between_fingers.json"))),
    "freedom": (["freedom", DATA / "contacts/edge_on_edge.json"],
                lambda: prehend.observation.motion_freedom(prehend.observation.read_contacts(DATA / "contacts/edge_on_edge.json"))),
    "place": (["place", STACK, "crate_small", "--count", 2, "--upright", 5],
              lambda: prehend.place(prehend.read_scene(STACK), "crate_small", count=2, upright_deg=5)),
    "assist": (["assist", DATA / "assist/trial.yaml"], lambda: prehend.assist.run_trial(prehend.assist.read_scenario(DATA / "assist/trial.yaml"))),
    "watch": (["watch", "--moving", DATA / "observation/peg.obj", "--fixed", DATA / "observation/groove.obj", "--poses", DATA / "observation/insertion.csv"],
              lambda: prehend.observation.watch(prehend.read_mesh(DATA / "observation/peg.obj"), prehend.read_mesh(DATA / "observation/groove.obj"),
                                                prehend.model.read_pose_log(DATA / "observation/insertion.csv"), moving_part="peg", fixed_part="groove")),
    "execute": (["execute", "--moving", DATA / "observation/peg.obj", "--fixed", DATA / "observation/groove.obj", "--poses", DATA / "observation/insertion.csv",
                 "--pose-error", 0.002, 0.02, "--trials", 2], lambda: executed(pose_error=(0.002, 0.02), trials=2)),
    "disassemble": (["disassemble", WEDGE], lambda: prehend.disassemble(prehend.read_scene(WEDGE))),
    "knot read": (["knot", "read", DATA / "ropes/overhand.csv"], lambda: rope("ropes/overhand.csv")),
    "knot moves": (["knot", "moves", DATA / "knots/bowline_states.json"],
                   lambda: prehend.knot.recognise(prehend.knot.read_p_data_sequence(DATA / "knots/bowline_states.json"))),
    "knot moves of a recording": (["knot", "moves", DATA / "ropes/figure_eight.csv"],
                                  lambda: prehend.knot.recognise_recording(rope("ropes/figure_eight.csv"))),
    "knot draw": (["knot", "draw", DATA / "knots/trefoil.json"], lambda: prehend.knot.draw(prehend.knot.read_p_data(DATA / "knots/trefoil.json"))),
    "knot name": (["knot", "name", DATA / "knots/overhand.json"], lambda: prehend.knot.name_rope(prehend.knot.read_p_data(DATA / "knots/overhand.json"))),
    "knot plan": (["knot", "plan", DATA / "knots/bowline.json"], lambda: prehend.knot.plan_knot(prehend.knot.read_p_data(DATA / "knots/bowline.json"))),
}
NO_ANSWER = {
    "forces": lambda scene: prehend.forces(scene),
    "robustness --map --points 20": lambda scene: prehend.robustness_map(scene, 20),
    "transport": lambda scene: prehend.transport(scene),
    "disassemble": lambda scene: prehend.disassemble(scene),
}


def assert_same(result, document, *further):
    """`further`: what the command line alone says here."""
    told = without(document, "verb", "time_ms", "files", *further)
    said = without(result.to_dict(), "time_ms", "files", *further)
    assert next(iter(document)) == "verb" and list(document)[1] == "status" and list(document)[-1] == "time_ms"
    assert said == told
    assert said["status"] == document["status"]
    assert without(json.loads(result.to_json()), "time_ms", "files", *further) == told, "to_json() has the status, too"


@pytest.mark.parametrize("case", CASES)
def test_answers_are_the_same(case):
    arguments, result = CASES[case]
    # Names of parts and of a written trajectory are the command line's alone; ticks are times.
    further = {"joint": ["fixed", "moving"], "assist": ["ticks"], "excite": ["trajectory"]}
    assert_same(result(), command_line(*arguments, codes=(0,)), *further.get(case, []))


def cube(z):
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    faces = [[3, 2, 1, 0], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
    return {"data": {"vertex": {str(k): {"x": x, "y": y, "z": h + z} for k, (x, y, h) in enumerate(corners)},
                     "face": {str(k): face for k, face in enumerate(faces)}}}


def test_interfaces_stored_in_a_file_count_for_both(tmp_path):
    """Two cubes that overlap by 0.1 m, with a square stored between them: stable by the square, no answer without it."""
    path = tmp_path / "cubes.json"
    square = {"data": {"points": [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]}}
    path.write_text(json.dumps({"data": {"graph": {"data": {
        "node": {"0": {"block": cube(0.0), "is_support": True}, "1": {"block": cube(0.9)}},
        "edge": {"1": {"0": {"interfaces": [square]}}}}}}}))
    scene = prehend.read_scene(path)
    contacts = prehend.model.read_stored_contacts(path, scene)
    assert_same(contacts, command_line("contacts", path, "--interfaces", "stored", codes=(0,)))
    document = command_line("forces", path, "--interfaces", "stored", codes=(0,))
    assert document["status"] == "stable" and prehend.forces(scene).status != "stable"
    assert_same(prehend.forces(scene, contacts=contacts), document)
    with pytest.raises(ValueError, match="their bodies are not those of the scene"):
        prehend.forces(prehend.read_scene(STACK), contacts=contacts)


def test_several_placements_are_listed_the_same_where_there_are_none():
    """Whether `placements` is there depends on what was asked, not on what was found."""
    box = [5, 5, 5, 5.01, 5.01, 5.01]
    document = command_line("place", STACK, "crate_small", "--count", 2, "--region", *box, codes=(3,))
    assert document["placements"] == []
    assert_same(prehend.place(prehend.read_scene(STACK), "crate_small", count=2, region=box), document, "error")


def test_colours_of_vertices_count_for_both(tmp_path):
    """A bar of two colours, on the vertices of its mesh."""
    path = tmp_path / "bar.ply"
    columns = [(x, y, z) for x in (0.0, 0.05, 0.1, 0.15, 0.2) for y in (0.0, 0.03) for z in (0.0, 0.03)]
    faces = []
    for k in range(4):   # four sides of every piece, outwards
        a, b = 4 * k, 4 * k + 4
        for i, j in ((0, 1), (1, 3), (3, 2), (2, 0)):
            faces += [(a + i, a + j, b + j), (a + i, b + j, b + i)]
    faces += [(0, 2, 3), (0, 3, 1), (16, 17, 19), (16, 19, 18)]
    path.write_text("ply\nformat ascii 1.0\nelement vertex 20\nproperty float x\nproperty float y\nproperty float z\n"
                    "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face %d\n"
                    "property list uchar int vertex_indices\nend_header\n" % len(faces) +
                    "".join("%g %g %g %d 0 0\n" % (*p, 255 if p[0] < 0.1 else 0) for p in columns) +
                    "".join("3 %d %d %d\n" % face for face in faces))
    document = command_line("segment", path, "--parts", 2)
    assert document["volume_m3"] == pytest.approx(0.2 * 0.03 * 0.03)
    assert_same(prehend.segment_file(path, parts=2), document)


def test_a_table_of_pushes_is_answered_the_same(tmp_path):
    path = tmp_path / "pushes.csv"
    path.write_text("body,x,y,z,dx,dy,dz\ncrate_small,0,0,0.4,1,0,0\ncrate_large,0.1,0,0.1,-1,0,0\n")
    assert_same(pushes_of(path, prehend.read_scene(STACK)), command_line("robustness", STACK, "--queries", path))
    assert_same(pushes_of(path, prehend.read_scene(STACK), together=True), command_line("robustness", STACK, "--queries", path, "--together"))


@pytest.mark.parametrize("verb", NO_ANSWER)
def test_no_answer_is_the_same(verb, tmp_path):
    path = tmp_path / "falling.xml"
    path.write_text(FALLING)
    words = verb.split()
    document = command_line(words[0], path, *words[1:], codes=(3,))
    assert document["status"] == "unstable" and document["error"]["message"]
    assert_same(NO_ANSWER[verb](prehend.read_scene(path)), document, "error")


def test_every_verb_that_python_offers_is_compared():
    """A verb that is new here is either compared above or has no function in Python."""
    listing = subprocess.run([PREHEND, "--help"], capture_output=True, text=True, check=True).stdout
    verbs = {line.split()[0] for line in listing.split("ubcommands:", 1)[1].splitlines() if line.startswith("  ") and line.strip()}
    compared = {case.split()[0] for case in CASES}
    not_in_python = {"markers", "simulate-object", "demo", "reproduce", "view", "version", "completion"}
    exit_codes = {line for line in verbs if line.isdigit()}
    assert verbs - exit_codes == compared | not_in_python
