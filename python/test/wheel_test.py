"""A wheel, built and installed into an empty environment, works without the build tree. Minutes: only with PREHEND_SLOW=1."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

SOURCE = Path(os.environ["PREHEND_SOURCE"])

pytestmark = pytest.mark.skipif(not os.environ.get("PREHEND_SLOW"), reason="builds the package anew; set PREHEND_SLOW=1")

SCRIPT = """
import numpy as np, prehend
scene = prehend.embedded_scene("scenes/stack.xml")
assert len(prehend.find_scene_contacts(scene, threads=2).interfaces) == 3
assert prehend.settle(scene, max_time=0.5).time > 0
assert prehend.math.solve_linear_program([1.0], lower=[2]).objective == 2
assert prehend.math.solve_quadratic_program(np.eye(2), [-1, -1]).status == "optimal"
assert prehend.geometry.convex_hull(np.eye(3).tolist() + [[0, 0, 0]]).status == "ok"
maps = open("/proc/self/maps").read()
here = prehend.__file__.split("/lib/python")[0]
for line in maps.splitlines():
    path = line.split()[-1]
    for library in ("libClp", "libCoinUtils", "libtbb", "libyaml", "libcoal", "libmujoco", "liblapack"):
        assert library not in path or path.startswith(here), path
print("works")
"""


def test_wheel_works_in_an_empty_environment(tmp_path):
    # Against the wheels of this environment: the same pinned versions, without downloading them again to build.
    # Compilers and depth of the build folder are those of `make build`, so that ccache knows most of it.
    subprocess.run([sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", tmp_path,
                    "-C", f"build-dir={SOURCE}/build/pip", SOURCE],
                   check=True, env=os.environ | {"CC": os.environ.get("CC", "/usr/bin/cc"), "CXX": os.environ.get("CXX", "/usr/bin/c++")})
    assert not list(SOURCE.glob("*.so*")), "building left libraries in the source folder"
    (wheel,) = tmp_path.glob("prehend-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.startswith("prehend/libs/libClp") for name in names) and "prehend/_core/math.pyi" in names
    assert not any(name.endswith((".a", ".h", ".cmake")) for name in names), "the C++ library has no place in the wheel"
    (extension,) = [name for name in names if name.startswith("prehend/_core.") and name.endswith(".so")]
    assert os.environ["PREHEND_SITE"].encode() not in zipfile.ZipFile(wheel).read(extension), "names a folder of this machine"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", wheel], check=True)
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "LD_LIBRARY_PATH")}
    done = subprocess.run([python, "-c", SCRIPT], capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert done.stdout == "works\n", done.stderr
