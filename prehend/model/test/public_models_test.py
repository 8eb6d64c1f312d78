"""Models of public packages: what MuJoCo loads is read, or the reason is named. Minutes; only with PREHEND_SLOW=1.

The packages are not part of the environment. They are fetched once, without what they depend on, into any folder:
  python3 -m pip install --no-deps --target build/models dm_control robosuite gymnasium-robotics metaworld pybullet
  PREHEND_MODELS=/path/to/models says where, if not build/models beside the sources.
Run with -s to see the counts and every refusal."""
import os
import re
import subprocess
import sys

import pytest

MODELS = os.environ.get("PREHEND_MODELS", os.path.join(os.environ["PREHEND_SOURCE"], "build", "models"))
TOOL = os.path.join(os.environ["PREHEND_BIN"], "scene_tool")
pytestmark = [
    pytest.mark.skipif(not os.environ.get("PREHEND_SLOW"), reason="reads hundreds of models; set PREHEND_SLOW=1"),
    pytest.mark.skipif(not os.path.isdir(MODELS), reason="no models of public packages; see public_models_test.py"),
]

LOAD = """import sys, mujoco
for path in sys.stdin.read().splitlines():
    try:
        mujoco.MjModel.from_xml_path(path)
        print("loads", path, flush=True)
    except Exception:
        print("refuses", path, flush=True)"""


def root_element(path):
    text = open(path, encoding="utf-8", errors="replace").read()
    found = re.search(r"<([A-Za-z_]\w*)", re.sub(r"<\?.*?\?>|<!--.*?-->", "", text, flags=re.S))
    return found.group(1) if found else ""


def files(*extensions):
    found = []
    for folder, _, names in sorted(os.walk(MODELS)):
        kept = [os.path.join(folder, name) for name in sorted(names) if name.lower().endswith(extensions)]
        # One generator made a thousand folders of the same kind; every twentieth stands for them.
        number = re.search(r"random_urdfs/(\d+)$", folder)
        found += kept if not number or int(number.group(1)) % 20 == 0 else []
    return found


def read(paths):
    """Which paths are read, and the sentence for the others; a crash, a hang or a silent refusal fails the test."""
    refused = {}
    for path in paths:
        run = subprocess.run([TOOL, "--check", path], capture_output=True, text=True, timeout=300)
        assert run.returncode in (0, 2), f"{path}: exit {run.returncode}\n{run.stderr}"
        if run.returncode == 0:
            continue
        assert re.fullmatch(r"\S.*: error: .{15,}\n", run.stderr), f"{path}: no clear sentence:\n{run.stderr}"
        refused[path] = run.stderr.strip()
    return refused


def report(kind, paths, refused):
    print(f"\n{kind}: {len(paths) - len(refused)} of {len(paths)} read")
    for path, sentence in refused.items():
        print("  " + os.path.relpath(path, MODELS) + " | " + sentence.replace(MODELS + "/", "")[:300])
    return (len(paths) - len(refused)) / max(1, len(paths))


def is_missing(sentence, path):
    """Whether the refusal names a file that is nowhere in the package of the model, looked for by its name and the folder it is said to lie in."""
    named = re.search(r"file '([^']+)' does not exist", sentence)
    if not named:
        return False
    package = os.path.join(MODELS, os.path.relpath(path, MODELS).split(os.sep)[0])
    end = "/" + "/".join(re.split(r"[/\\]+", named.group(1))[-2:]).lower()
    return not any(f"{folder}/{name}".replace(os.sep, "/").lower().endswith(end) for folder, _, names in os.walk(package) for name in names)


def test_what_mujoco_loads_is_read(tmp_path):
    paths = [path for path in files(".xml") if root_element(path) == "mujoco"]
    assert paths, f"{MODELS} holds no MJCF files"
    loaded = []
    while paths:  # a model that ends the engine's process is one that it does not load
        # In a folder of its own: the engine writes its warnings beside itself.
        run = subprocess.run([sys.executable, "-c", LOAD], input="\n".join(paths), capture_output=True, text=True, cwd=tmp_path)
        lines = run.stdout.splitlines()
        loaded += [line.split(" ", 1)[1] for line in lines if line.startswith("loads ")]
        paths = paths[len(lines) + (run.returncode != 0):]
    assert report("MJCF that MuJoCo loads", loaded, read(loaded)) >= 0.98


def test_urdf_and_sdf_are_read_or_the_reason_is_named():
    paths = [path for path in files(".urdf", ".sdf") if root_element(path) in ("robot", "sdf")]
    assert paths, f"{MODELS} holds no URDF or SDF files"
    refused = read(paths)
    for kind in ("urdf", "sdf"):
        own = [path for path in paths if path.endswith(kind)]
        report(kind.upper(), own, {path: refused[path] for path in own if path in refused})
    # Not judged: models that collide with a mesh which their package does not carry (visual meshes are not asked for), and soft bodies and signed
    # distances, which are Bullet's alone. A mesh that lies elsewhere in the package is judged: we should have found it.
    impossible = [path for path, why in refused.items() if is_missing(why, path) or re.search("soft bodies|signed-distance", why)]
    left = len(refused) - len(impossible)
    print(f"{left} of {len(paths) - len(impossible)} that can be loaded are refused; {len(impossible)} cannot be")
    assert left <= 0.02 * (len(paths) - len(impossible)), [why for path, why in refused.items() if path not in impossible]
