"""The command line as a user meets it: answers, documents, exit codes, messages."""

import json
import math
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

PREHEND = Path(os.environ["PREHEND_BIN"]) / "prehend"
SOURCE = Path(os.environ["PREHEND_SOURCE"])
SHARED = SOURCE.parent / "shared" / "data"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason=f"recorded data not there: {SHARED}")


def run(*arguments, **options):
    return subprocess.run([PREHEND, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


def document(*arguments, code=0):
    """Runs with --json and insists on exactly one document and nothing else on standard output."""
    done = run(*arguments, "--json")
    assert done.returncode == code, done.stdout + done.stderr

    def once(pairs):
        assert len({key for key, _ in pairs}) == len(pairs), f"a key appears twice: {[key for key, _ in pairs]}"
        return dict(pairs)

    answer = json.loads(done.stdout, object_pairs_hook=once)
    assert list(answer)[:2] == ["verb", "status"] and "time_ms" in answer
    return answer


def write_box_stl(path, size=(0.1, 0.2, 0.3)):
    import trimesh
    trimesh.creation.box(extents=size).export(path)
    return path


# ---------------------------------------------------------------------------------------------- inspect

def test_inspect_mesh(tmp_path):
    answer = document("inspect", write_box_stl(tmp_path / "box.stl"))
    assert answer["verb"] == "inspect" and answer["status"] == "ok" and answer["kind"] == "mesh"
    assert answer["vertices"] == 8 and answer["triangles"] == 12 and answer["faces"] == 6 and answer["closed"]
    assert answer["volume_m3"] == pytest.approx(0.006, rel=1e-6)   # STL holds single precision
    assert answer["area_m2"] == pytest.approx(0.22, rel=1e-6)
    inertia = np.array(answer["inertia_unit_density_m5"])
    expected = 0.006 / 12 * np.diag([0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04])
    assert np.allclose(inertia, expected, rtol=1e-6, atol=1e-12)
    assert answer["problems"] == []


def test_inspect_says_the_unit_it_was_given(tmp_path):
    answer = document("inspect", write_box_stl(tmp_path / "box.stl", (100, 200, 300)), "--unit", "mm")
    assert answer["volume_m3"] == pytest.approx(0.006, rel=1e-6)


def test_inspect_open_mesh_names_the_problem_and_gives_no_volume(tmp_path):
    (tmp_path / "open.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    answer = document("inspect", tmp_path / "open.obj")
    assert not answer["closed"] and answer["volume_m3"] is None and answer["problems"]


def test_inspect_scene():
    answer = document("inspect", SOURCE / "data/scenes/stack.xml")
    assert answer["kind"] == "scene" and answer["format"] == "MJCF"
    bodies = {body["name"]: body for body in answer["bodies"]}
    assert bodies.keys() == {"world", "crate_large", "crate_medium", "crate_small"}
    large = bodies["crate_large"]
    assert large["movable"] and not bodies["world"]["movable"]
    assert large["mass_kg"] == pytest.approx(0.2**3 * 400)
    assert np.allclose(large["inertia_com_kgm2"], np.eye(3) * 3.2 * 0.2**2 / 6)
    assert large["X_WB"]["p"] == pytest.approx([0, 0, 0.1])


@needs_shared
@pytest.mark.parametrize("name,closed", [("tools/hammer/mesh.ply", None), ("peg_in_hole/peg.stl", True)])
def test_inspect_real_meshes(name, closed):
    import trimesh
    answer = document("inspect", SHARED / name)
    mesh = trimesh.load(SHARED / name, force="mesh", process=True)
    assert answer["kind"] == "mesh" and answer["triangles"] == len(mesh.faces)
    assert answer["area_m2"] == pytest.approx(mesh.area, rel=1e-5)
    if closed is not None:
        assert answer["closed"] == closed
        assert answer["volume_m3"] == pytest.approx(mesh.volume, rel=1e-5)


@needs_shared
def test_everything_in_the_recorded_data_loads():
    kinds = {}
    for path in sorted(SHARED.rglob("*")):
        if path.suffix not in (".ply", ".stl", ".gz", ".log", ".list", ".json", ".yaml") or path.is_dir():
            continue
        if path.name in ("inertia.yaml", "controller.yaml"):
            continue  # truth and controller settings: no kind of ours
        name = f"{path}#box_arch" if path.name == "arrangements.yaml" else path
        answer = document("inspect", name)
        kinds.setdefault(answer["kind"], []).append(path.name)
    assert len(kinds["wrench_log"]) == 12 and len(kinds["cloud"]) == 24
    assert len(kinds["scene"]) == 13 and len(kinds["mesh"]) == 26
    assert len(kinds["poses"]) > 50


@needs_shared
def test_step_files_get_advice():
    answer = document("inspect", SHARED / "peg_in_hole/peg.step", code=2)
    assert "STL" in answer["error"]["message"]


# --------------------------------------------------------------------------------------------- contacts

def test_contacts_of_the_stack():
    answer = document("contacts", SOURCE / "data/scenes/stack.xml")
    pairs = [(i["body_a"], i["body_b"]) for i in answer["interfaces"]]
    assert sorted(pairs) == [("crate_large", "crate_medium"), ("crate_medium", "crate_small"), ("world", "crate_large")]
    floor = next(i for i in answer["interfaces"] if i["body_a"] == "world")
    assert floor["area_m2"] == pytest.approx(0.04) and len(floor["points_W_m"]) == 4
    assert floor["n_W"] == pytest.approx([0, 0, 1])
    assert answer["problems"] == []


def test_contacts_on_the_slope():
    answer = document("contacts", SOURCE / "data/scenes/table_and_wedge.xml")
    block = next(i for i in answer["interfaces"] if {i["body_a"], i["body_b"]} == {"wedge", "block"})
    sign = 1 if block["body_b"] == "block" else -1
    angle = math.radians(20)
    assert np.allclose(np.array(block["n_W"]) * sign, [-math.sin(angle), 0, math.cos(angle)], atol=1e-6)
    assert block["area_m2"] == pytest.approx(0.0064, rel=1e-6)
    assert len(answer["interfaces"]) == 6   # two legs on the floor, slab on two legs, wedge on floor, block on wedge


@needs_shared
@pytest.mark.parametrize("name,count", [("H", None), ("cubes", None), ("bridge", None)])
def test_contacts_of_real_assemblies(name, count):
    answer = document("contacts", SHARED / f"assemblies/{name}.json")
    assert answer["interfaces"]
    for interface in answer["interfaces"]:
        assert np.linalg.norm(interface["n_W"]) == pytest.approx(1)
        points = np.array(interface["points_W_m"])
        assert np.ptp(points @ np.array(interface["n_W"])) < 1e-3


def test_contacts_leave_a_report(tmp_path):
    document("contacts", SOURCE / "data/scenes/stack.xml", "--out", tmp_path / "deep/er")
    page = (tmp_path / "deep/er/report.html").read_text()
    assert page.lstrip().lower().startswith("<!doctype html") and "crate_large" in page
    assert [p.name for p in (tmp_path / "deep/er").iterdir()] == ["report.html"]


def test_an_output_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    answer = document("contacts", SOURCE / "data/scenes/stack.xml", "--out", tmp_path / "file/x", code=2)
    assert "choose another with --out" in answer["error"]["message"]


def test_view_serves_the_folder_to_this_machine_only(tmp_path):
    import http.client
    (tmp_path / "report.html").write_text("<!doctype html>hello")
    (tmp_path / "data.bin").write_bytes(bytes(range(100)))
    server = subprocess.Popen([PREHEND, "view", tmp_path, "--no-open"], stderr=subprocess.PIPE, text=True)
    try:
        port = int(server.stderr.readline().split("127.0.0.1:")[1].split("/")[0])

        def get(path, **headers):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read()

        assert get("/") == (200, b"<!doctype html>hello")
        assert get("/data.bin", Range="bytes=10-19") == (206, bytes(range(10, 20)))
        assert get("/data.bin", Range="bytes=-5") == (206, bytes(range(95, 100)))
        assert get("/data.bin", Range="bytes=200-")[0] == 416
        assert get("/../../etc/passwd")[0] in (403, 404) and get("/%2e%2e/%2e%2e/etc/passwd")[0] in (403, 404)
        assert get("/none")[0] == 404 and get("/", Host="evil.example")[0] == 403
        taken = run("view", tmp_path, "--no-open", "--port", port)
        assert taken.returncode == 2 and "choose another with --port" in taken.stderr
    finally:
        server.send_signal(2)
        assert server.wait(timeout=10) == 0
    assert run("view", tmp_path / "nothing").returncode == 2


@pytest.mark.parametrize("shell,word", [("bash", "complete -o filenames"), ("zsh", "#compdef prehend"), ("fish", "complete -c prehend")])
def test_completion_scripts(shell, word):
    script = run("completion", shell).stdout
    assert word in script and "--contact-tolerance" in script.replace("-l contact-tolerance", "--contact-tolerance")
    if shell == "bash":
        probe = script + "COMP_WORDS=(prehend con); COMP_CWORD=1; _prehend; echo ${COMPREPLY[@]}"
        assert subprocess.run(["bash", "-c", probe], capture_output=True, text=True).stdout.split() == ["contacts"]


def test_threads_do_not_change_the_answer():
    one = document("contacts", SOURCE / "data/scenes/table_and_wedge.xml", "--threads", "1")
    two = document("contacts", SOURCE / "data/scenes/table_and_wedge.xml", "--threads", "2")
    assert one["interfaces"] == two["interfaces"]


def test_readable_form_is_a_table():
    done = run("contacts", SOURCE / "data/scenes/stack.xml")
    assert done.returncode == 0 and done.stdout.startswith("3 contact interfaces\n")
    assert "crate_large" in done.stdout and done.stderr == ""


# ------------------------------------------------------------------------------------ usage and bad input

BAD = {
    "missing.stl": None,
    "empty.stl": b"",
    "binary.csv": bytes(range(256)),
    "huge.stl": b"\0" * 80 + b"\xff\xff\xff\xff",
    "nan.obj": b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    "index.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
    "broken.csv.gz": b"\x1f\x8b\x08\x00garbage",
    "columns.csv": b"time,pos\n1,2\n",
    "text.csv": b"t,x,y,z\n0,1,2,3\n1,a,2,3\n",
    "backwards.csv": b"t,x,y,z\n1,0,0,0\n0,0,0,0\n",
    "quaternion.csv": b"t,x,y,z,qw,qx,qy,qz\n0,0,0,0,2,0,0,0\n",
    "bomb.xml": b'<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><mujoco><worldbody/></mujoco>',
    "friction.xml": b'<mujoco><worldbody><geom size="1" friction="-1"/></worldbody></mujoco>',
    "mesh.xml": b'<mujoco><asset><mesh name="m" file="gone.stl"/></asset><worldbody/></mujoco>',
    "loop.urdf": b'<robot name="r"><link name="a"/><link name="b"/>'
                 b'<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
                 b'<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint></robot>',
    "other.json": b'{"hello": 1}',
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_exit_2_with_one_sentence(tmp_path, name):
    path = tmp_path / name
    if BAD[name] is not None:
        path.write_bytes(BAD[name])
    done = run("inspect", path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout == "" and done.stderr.count("\n") == 1, done.stderr
    assert str(path) in done.stderr and ": error: " in done.stderr
    answer = document("inspect", path, code=2)
    assert answer["status"] == "bad_input" and answer["error"]["message"] and answer["error"]["file"].startswith(str(path))
    assert list(tmp_path.iterdir()) in ([], [path])   # nothing left behind


@pytest.mark.parametrize("name,line", [("nan.obj", 1), ("index.obj", 4), ("text.csv", 3), ("backwards.csv", 3),
                                       ("quaternion.csv", 2)])
def test_bad_input_names_the_line(tmp_path, name, line):
    (tmp_path / name).write_bytes(BAD[name])
    assert document("inspect", tmp_path / name, code=2)["error"]["line"] == line


@pytest.mark.parametrize("arguments", [[], ["fly"], ["inspect"], ["inspect", "a", "b"], ["contacts", "x.xml", "--friction"],
                                       ["contacts", "x.xml", "--friction", "much"], ["inspect", "x", "--unit", "mile"],
                                       ["contacts", "x.xml", "--friction", "-1"], ["contacts", "x.xml", "--threads", "-2"],
                                       ["contacts", str(SOURCE / "data/scenes/stack.xml"), "--contact-tolerance", "-1"]])
def test_bad_usage_is_exit_2(arguments):
    done = run(*arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("prehend: error: ") and done.stderr.count("\n") == 1, done.stderr
    assert document(*arguments, code=2)["status"] == "bad_usage"


@pytest.mark.parametrize("words,said", [
    (["robustnes", "x.xml"], "unknown verb 'robustnes'; did you mean 'robustness'?"),
    (["--json", "--out", "inspct", "contcats", "x.xml"], "unknown verb 'contcats'; did you mean 'contacts'?"),
    (["simulate"], "unknown verb 'simulate'; did you mean 'simulate-object'?"),
    (["knot", "raed", "x.csv"], "unknown verb 'raed' of knot; did you mean 'read'?"),
    (["contacts", "x.xml", "--frictoin", "0.5"], "unknown option '--frictoin' of contacts; did you mean '--friction'?"),
    (["robustness", "--mapp"], "unknown option '--mapp' of robustness; did you mean '--map'?"),
    (["knot", "read", "x.csv", "--veiw=1"], "unknown option '--veiw' of knot read; did you mean '--view'?"),
    (["inspect", "x", "--jsn"], "unknown option '--jsn' of inspect; did you mean '--json'?"),
    (["fly"], "unknown verb 'fly'"), (["inspect", "x", "--telepathy"], "unknown option '--telepathy' of inspect"),
])
def test_a_mistyped_word_gets_a_suggestion(words, said):
    assert document(*[word for word in words if word != "--json"], code=2)["error"]["message"] == said
    shown = run(*[word for word in words if word != "--json"]).stderr
    assert shown.startswith(f"prehend: error: {said}") and shown.rstrip().endswith("--help") and shown.count("\n") == 1


STACK = SOURCE / "data/scenes/stack.xml"
IN_OUR_WORDS = [
    (["place", STACK, "crate_small", "--count", "0"], "--count is 0; it must be between 1 and 1000"),
    (["place", STACK, "crate_small", "--time-limit", "0"], "--time-limit is 0 s; it must be finite and above 0 s"),
    (["place", STACK, "crate_small", "--upright", "-5"], "--upright is -5 deg; it must be between 0 and 180 deg"),
    (["place", STACK, "crate_small", "--count", "two"], "--count: 'two' is not a number"),
    (["place", STACK, "crate_small", "--count", "2.5"], "--count: '2.5' is not a whole number"),
    (["place", STACK, "crate_small", "--objective", "near", "1", "2"], "--objective near takes a point: near x y z"),
    (["place", STACK, "crate_small", "--mass", "3"], "--mass and --unit are of a mesh file; 'crate_small' is a body of the scene"),
    (["transport", STACK, "--normal", "0", "0", "0"], "--normal is zero; it must be a direction"),
    (["mend", STACK, "--noise", "0.1", "1"], "--noise is 1 rad; it must be between 0 rad and 0.2 rad"),
    (["knot"], "knot needs one of these: read, moves, draw, name, plan"),
    ([], "a verb is required"),
    (["robustness", STACK, "--map", "10"], "'10' is one word too many"),
    (["contacts", STACK, "a", "b"], "'a b' are words too many"),
    (["version", "--threads", "many"], "--threads: 'many' is not a whole number of at least 0"),
    (["version", "--seed", "-1"], "--seed: '-1' is not a whole number of at least 0"),
]


@pytest.mark.parametrize("words,said", IN_OUR_WORDS, ids=[" ".join(map(str, words[:1] + words[2:])) for words, _ in IN_OUR_WORDS])
def test_messages_name_what_a_user_of_the_command_line_wrote(words, said):
    """Never the field of a C++ struct, and never the parser's own words."""
    assert document(*words, code=2)["error"]["message"] == said


def test_help_is_a_verb_too_and_what_is_missing_is_shown_by_example():
    for words in ([], ["robustness"], ["knot"], ["knot", "name"]):
        asked = run("help", *words)
        assert asked.returncode == 0 and asked.stdout == run(*words, "--help").stdout
    assert "unknown verb 'robustnes'; did you mean 'robustness'?" in run("help", "robustnes").stderr
    assert "OBJECT is required, as in: prehend topology " in run("topology").stderr
    assert "P is required, as in: prehend knot name " in run("knot", "name").stderr
    assert "a verb is required, as in: prehend demo; see prehend --help" in run().stderr
    assert "a rope is a file .csv" in run("knot", "name", STACK).stderr


def verbs():
    """Every verb, and every part of one that has parts."""
    def listed(*words):
        lines = run(*words, "--help").stdout.split("ubcommands:")
        return [line.split()[0] for line in lines[1].split("Example")[0].split("Exit codes")[0].splitlines() if line.startswith("  ")] if len(lines) > 1 else []
    found = [(verb,) for verb in listed()]
    return [one for verb in found for one in ([(*verb, part) for part in listed(*verb)] or [verb])]


EXAMPLES = [verb for verb in verbs() if verb != ("view",)]   # it serves until Ctrl-C


def test_help_of_every_verb_lists_exit_codes():
    assert len(EXAMPLES) > 18 and ("knot", "read") in EXAMPLES
    for words in [(), ("knot",), ("view",), *EXAMPLES]:
        text = run(*words, "--help").stdout
        assert text.count("Exit codes:\n") == 1, words
        codes = text.split("Exit codes:\n")[1]
        assert [line.split()[0] for line in codes.splitlines() if line.strip()] == ["0", "2", "3", "1", "130"], words


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """The program and its data as they are installed."""
    import shutil
    folder = tmp_path_factory.mktemp("prefix")
    (folder / "bin").mkdir()
    shutil.copy2(PREHEND, folder / "bin/prehend")
    for module in PREHEND.parent.glob("*.so"):
        shutil.copy2(module, folder / "bin")
    if (PREHEND.parent.parent / "lib").is_dir():  # shared libraries of the wheels
        shutil.copytree(PREHEND.parent.parent / "lib", folder / "lib")
    shutil.copytree(SOURCE / "data", folder / "share/prehend/data")
    return folder


@pytest.mark.parametrize("words", EXAMPLES, ids=" ".join)
def test_the_example_in_help_runs_as_written(words, prefix, tmp_path):
    """From anywhere, with the installed data; in the sources' own folder the names stay short."""
    text = subprocess.run([prefix / "bin/prehend", *words, "--help"], capture_output=True, text=True, cwd=tmp_path).stdout
    example = text.split("Example:\n")[1].strip().splitlines()[0]
    assert example.startswith(f"prehend {' '.join(words)}")
    assert " data/" not in example
    done = subprocess.run(example, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PATH": f"{prefix / 'bin'}:{os.environ['PATH']}"})
    assert done.returncode == 0, done.stderr
    here = subprocess.run([PREHEND, *words, "--help"], capture_output=True, text=True, cwd=SOURCE).stdout
    assert str(prefix) not in here and str(SOURCE) not in here.split("Example:\n")[1]


def test_out_says_what_was_written(tmp_path):
    out = tmp_path / "out"
    scene = SOURCE / "data/scenes/stack.xml"
    asked = ("robustness", scene, "--at", "crate_small", 0, 0, 0.4, "--push", 1, 0, 0, "--out", out)
    for _ in range(2):   # files that are written again are said again
        done = run(*asked)
        assert done.returncode == 0 and done.stderr == f"prehend: wrote {out}/report.html and {out}/robustness.csv\n"
    (out / "mine.txt").write_text("x")
    done = run("contacts", scene, "--out", out, "--json")
    assert json.loads(done.stdout)["status"] == "ok" and done.stderr == f"prehend: wrote {out}/report.html\n"
    assert run(*asked, "--quiet").stderr == ""
    assert run("version", "--out", tmp_path / "none").stderr == f"prehend: wrote nothing into {tmp_path / 'none'}\n"


def on_a_terminal(*arguments):
    """What the program shows on standard error when that is a terminal."""
    import pty
    leader, follower = pty.openpty()
    done = subprocess.Popen([PREHEND, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=follower)
    os.close(follower)
    shown = b""
    while True:
        try:
            chunk = os.read(leader, 4096)
        except OSError:
            break
        if not chunk:
            break
        shown += chunk
    assert done.wait() == 0
    return shown.decode()


LONG_MAP = ("robustness", SOURCE / "data/scenes/stack.xml", "--map", "--points", 40000, "--method", "simulate", "--threads", 1)


def test_progress_is_shown_on_a_terminal_only(tmp_path):
    shown = on_a_terminal("reproduce", "table-3.3", "--runs", 12)
    assert "[####" in shown and "identification, " in shown and shown.endswith("\r\033[K")
    assert on_a_terminal("reproduce", "table-3.3", "--runs", 12, "--quiet") == ""
    assert run("demo", "--out", tmp_path).stderr == f"prehend: wrote {tmp_path}/report.html\n"


def test_the_demo_asks_every_question(tmp_path):
    answer = document("demo", "--out", tmp_path)
    answers = {shown["command"].split()[1]: shown["answer"] for shown in answer["answers"]}
    assert list(answers) == ["segment", "discover", "mend", "place", "watch", "execute", "knot", "assist"]
    assert "2 parts" in answers["segment"] and "4 joints" in answers["discover"] and "holds here" in answers["place"]
    assert answers["execute"].startswith("Arrived")
    assert "owline" in answers["knot"] and answers["assist"].startswith("completed")
    assert all(Path(tmp_path, "report.html").read_text().count(shown["question"]) for shown in answer["answers"])


def interrupt(*arguments):
    """Ctrl-C after a second. Returns what was left: exit code, output, messages, and how long the end took [s]."""
    import time
    long = subprocess.Popen([PREHEND, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1.0)
    assert long.poll() is None, "the call is too short to be interrupted"
    start = time.monotonic()
    long.send_signal(2)
    out, err = long.communicate(timeout=10)
    return long.returncode, out, err, time.monotonic() - start


@pytest.mark.parametrize("computation", ["asked to end", "made to end"])
def test_ctrl_c_ends_a_long_call_at_once(computation, tmp_path):
    call = LONG_MAP
    if computation == "made to end":   # it waits for a file without end and does not look whether anybody wants it to stop
        os.mkfifo(tmp_path / "endless.csv")
        held = os.open(tmp_path / "endless.csv", os.O_RDWR)
        call = ("inspect", tmp_path / "endless.csv")
    limit = 0.8   # [s] half a second, and what a busy machine needs
    code, out, err, seconds = interrupt(*call)
    assert code == 130 and out == "" and err == "prehend: interrupted\n" and seconds < limit
    code, out, err, seconds = interrupt(*call, "--json")
    assert code == 130 and err == "" and seconds < limit
    assert json.loads(out)["status"] == "interrupted" and json.loads(out)["error"]["message"] == "interrupted"
    if computation == "made to end":
        os.close(held)


def test_an_interrupted_run_leaves_no_half_written_file(tmp_path):
    import time
    for delay in (0.02, 0.05, 0.1, 0.2, 0.4):
        demo = subprocess.Popen([PREHEND, "demo", "--out", tmp_path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        demo.send_signal(2)
        demo.send_signal(2)
        assert demo.wait(timeout=10) in (0, 130, -2)   # over already; interrupted; before the program could look
        left = [p for p in tmp_path.iterdir()]
        assert all(p.name == "report.html" and p.read_text().rstrip().endswith("</html>") for p in left), left


def test_a_full_disk_is_not_success():
    with open("/dev/full", "w") as full:
        done = subprocess.run([PREHEND, "version", "--json"], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1


# -------------------------------------------------------------------------------------------- reproduce

def test_reproduce_lists_what_there_is():
    answer = document("reproduce")
    assert {"table-4.1", "fig-4.16", "fig-4.17"} <= {entry["id"] for entry in answer["reproductions"]}
    answer = document("reproduce", "table-9.9", code=2)
    assert "table-4.1" in answer["error"]["message"]


def test_reproduce_table_4_1_with_few_points(tmp_path):
    answer = document("reproduce", "table-4.1", "--points", "30", "--runs", "1", "--out", tmp_path)
    rows = {(row["scene"], row["method"]): row for row in answer["results"]}
    for scene in ("cube", "stack", "table"):
        exact = rows[scene, "exact, each to 0.01 %"]
        assert exact["wrong"] == 0 and exact["error_max_percent"] < 0.1
        assert rows[scene, "lp8, warm"]["error_mean_percent"] > exact["error_mean_percent"]
    assert rows["cube", "lp8, warm"]["source_map_s"] == 23.6
    assert "Robustness of three assemblies" in (tmp_path / "report.html").read_text()


def test_reproduce_disassembly_order():
    answer = document("reproduce", "fig-4.17")
    assert answer["order"] == answer["source_order"] == "C, D, B, A"
    assert answer["agree_with_simulation"] == answer["compared"] == 10
