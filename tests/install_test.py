"""cmake --install gives a package that an outside project finds, links and runs; unknown components are named."""

import os
import subprocess
from pathlib import Path

SOURCE = Path(os.environ["PREHEND_SOURCE"])
BUILD = Path(os.environ["PREHEND_BUILD"])


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    return done.returncode, done.stdout + done.stderr


def test_outside_project_builds_and_runs(tmp_path):
    prefix = tmp_path / "prefix"
    code, log = run("cmake", "--install", BUILD, "--prefix", prefix)
    assert code == 0, log
    assert (prefix / "bin/prehend").exists()
    code, log = run(prefix / "bin/prehend", "version")
    assert code == 0 and log.startswith("prehend "), log
    code, log = run("cmake", "-G", "Ninja", "-S", SOURCE / "tests/consumer", "-B", tmp_path / "build",
                    f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release")
    assert code == 0, log
    code, log = run("cmake", "--build", tmp_path / "build")
    assert code == 0, log
    code, log = run(tmp_path / "build/consumer")
    assert code == 0, log
    assert "volume 0.006 m3" in log, log


def test_unknown_component_is_named(tmp_path):
    prefix = tmp_path / "prefix"
    assert run("cmake", "--install", BUILD, "--prefix", prefix)[0] == 0
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(x C CXX)\nfind_package(prehend REQUIRED COMPONENTS telepathy)\n")
    code, log = run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    assert code != 0 and "telepathy" in log, log
