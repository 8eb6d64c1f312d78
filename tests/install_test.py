"""What `cmake --install` leaves: a prefix that may be moved, doors that compile by themselves, a package that an outside project
finds, links and runs, whatever instructions it is compiled for."""

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

SOURCE = Path(os.environ["PREHEND_SOURCE"])
BUILD = Path(os.environ["PREHEND_BUILD"])
SITE = Path(os.environ["PREHEND_SITE"])
MOST_DOORS = 200  # 199 today, of fifteen rooms; a reader who looks for one should find it, so new doors replace old ones
CLEAN = {key: value for key, value in os.environ.items() if not key.startswith(("PREHEND_", "LD_", "VIRTUAL_ENV", "CMAKE_"))}


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env={**CLEAN, **options.pop("env", {})}, **options)
    return done.returncode, done.stdout + done.stderr



@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """Installed in one place, used in another."""
    folder = tmp_path_factory.mktemp("install")
    code, log = run("cmake", "--install", BUILD, "--prefix", folder / "first")
    assert code == 0, log
    (folder / "first").rename(folder / "moved")
    return folder / "moved"


# ---------------------------------------------------------------------------------------------- the prefix

def files_naming(root, places):
    found = []
    for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
        if path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            found += [f"{path.relative_to(root.parent)} names {place}" for place in places if str(place).encode() + b"/" in data]
    return found


def test_nothing_names_the_place_it_was_built_in(prefix):
    places = {SOURCE, SOURCE.resolve(), BUILD, SITE, SITE.parent.parent.parent, prefix.parent / "first"}
    found = files_naming(prefix, places) + files_naming(BUILD / "bin/prehend", places)
    assert not found, "\n".join(found)
    probe = prefix.parent / "probe"  # the search itself sees what it looks for
    probe.write_bytes(b"\0" + str(SOURCE).encode() + b"/data\0")
    assert files_naming(probe, places)


def test_the_moved_program_runs(prefix, tmp_path):
    program = prefix / "bin/prehend"
    code, log = run(program, "version")
    assert code == 0 and log.startswith("prehend "), log
    code, libraries = run("ldd", program)
    assert "not found" not in libraries and str(SITE) not in libraries, libraries
    assert str(prefix / "lib/prehend/libmujoco") in libraries.replace("bin/../", ""), libraries
    share = tmp_path / "prehend"
    shutil.copytree(prefix / "share/prehend", share)
    code, log = run(program, "robustness", "data/scenes/stack.xml", "--at", "crate_small", "0", "0", "0.43", "--push", "1", "0", "0", cwd=share)
    assert code == 0 and "2.2136" in log, log


def test_data_of_the_help_and_completions_are_there(prefix):
    program = prefix / "bin/prehend"
    verbs = re.findall(r"^  ([a-z]+) ", run(program, "--help")[1], re.MULTILINE)
    assert len(verbs) > 10
    missing = []
    for verb in verbs:
        text = run(program, verb, "--help")[1]
        missing += [f"{verb}: {name}" for name in re.findall(r"\bdata/[\w./]+", text) if not (prefix / "share/prehend" / name).exists()]
    assert not missing, missing
    for name in ("bash-completion/completions/prehend", "zsh/site-functions/_prehend", "fish/vendor_completions.d/prehend.fish"):
        text = (prefix / "share" / name).read_text()
        assert "robustness" in text and "discover" in text, name
    code, log = run("bash", "-n", prefix / "share/bash-completion/completions/prehend")
    assert code == 0, log


def test_licences_of_copied_libraries_are_there(prefix):
    copied = {path.name.split(".")[0] for path in (prefix / "lib/prehend").iterdir()} - {"libprehend_frames"}
    texts = " ".join(path.read_text().lower() for path in (prefix / "share/prehend/licenses").iterdir())
    for library, word in (("libmujoco", "apache"), ("libqhull_r", "qhull"), ("libtinyxml2", "lee thomason")):
        assert library in copied and word in texts
    assert len(copied) == 3, copied


# ---------------------------------------------------------------------------------------------- its headers

def doors(prefix):
    return sorted((prefix / "include").rglob("*.h"))


# What the doors show of the standard library, and the header that declares it.
STANDARD = {
    "array": r"array\b", "atomic": r"atomic\b", "compare": r"\w+_ordering\b", "complex": r"complex\b", "cstdint": r"u?int(8|16|32|64)_t\b",
    "functional": r"(function|hash)\b", "limits": r"numeric_limits\b", "map": r"(map|multimap)\b",
    "memory": r"(unique_ptr|shared_ptr|make_unique|make_shared)\b", "numbers": r"numbers::", "optional": r"(optional|nullopt)\b", "span": r"span\b",
    "stdexcept": r"(runtime_error|invalid_argument|logic_error|out_of_range|domain_error)\b", "string": r"(string|to_string)\b",
    "string_view": r"string_view\b", "thread": r"thread\b", "utility": r"(pair|move|exchange)\b", "variant": r"(variant|monostate)\b",
    "vector": r"vector\b",
}


def closure(include, names):
    """These headers and everything they include by way of our own."""
    seen, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if (include / name).exists():
            waiting += re.findall(r'^#include [<"]([^>"]+)', (include / name).read_text(), re.MULTILINE)
    return seen


def undeclared(text, included):
    """Headers of the standard library and of Eigen that the text needs and that are not among those included."""
    code = re.sub(r"//[^\n]*", "", text)
    missing = [header for header, names in STANDARD.items() if re.search(r"\bstd::" + names, code) and header not in included]
    if "Eigen::" in code and not any(name.startswith("Eigen/") for name in included):
        missing.append("Eigen/Core")
    return missing


def chains_of(included):
    """The doors in few chains, each door after those that it includes anyway: read in that order, every door of a chain is compiled as if by
    itself. `included`: of each door, itself and all it includes."""
    chains = []
    for door in sorted(included, key=lambda name: (len(included[name]), name)):
        ends = [chain for chain in chains if chain[-1] in included[door]]
        if ends:
            max(ends, key=lambda chain: len(included[chain[-1]])).append(door)
        else:
            chains.append([door])
    return chains


def test_every_door_compiles_by_itself(prefix, tmp_path):
    """The slow run compiles each door alone. Otherwise Eigen and the standard library are read once for all, what doors need of them is looked up
    in the doors' text, and doors that include each other are compiled together."""
    include = prefix / "include"
    compiler = "clang++-19" if shutil.which("clang++-19") else "c++"
    flags = [compiler, "-std=c++20", "-DEIGEN_MAX_ALIGN_BYTES=16", "-DEIGEN_MALLOC_ALREADY_ALIGNED=1",
             "-isystem", SITE / "cmeel.prefix/include/eigen3", "-I", include]
    included = {name: closure(include, [name]) for name in (str(path.relative_to(include)) for path in doors(prefix))}
    broken = [f"{name} needs {missing}" for name, all_names in included.items() if (missing := undeclared((include / name).read_text(), all_names))]

    chains, read = chains_of(included), []
    if os.environ.get("PREHEND_SLOW") or "clang" not in compiler:
        chains = [[name] for name in included]
    else:
        others = tmp_path / "others.h"
        names = sorted(name for name in set().union(*included.values()) if not name.startswith("prehend/"))
        templates = SOURCE / "cmake/common_templates.h"  # Eigen and the standard library alone; what doors instantiate of them is then read, not made
        others.write_text("".join(f"#include <{name}>\n" for name in names) + f'#include "{templates}"\n')
        code, log = run(*flags, "-fpch-instantiate-templates", "-x", "c++-header", others, "-o", others.with_suffix(".pch"))
        assert code == 0, log
        read = ["-include-pch", others.with_suffix(".pch")]

    def compile_alone(chain):
        source = tmp_path / (chain[-1].replace("/", "_") + ".cpp")
        source.write_text("".join(f"#include <{name}>\n" for name in chain))
        code, log = run(*flags, "-fsyntax-only", *read, source)
        return "" if code == 0 else f"{', then '.join(chain)}:\n{log}"

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        broken += [log for log in pool.map(compile_alone, chains) if log]
    assert not broken, f"{len(broken)} headers do not compile by themselves:\n" + "\n".join(broken)


def test_what_doors_need_is_found():
    chains = chains_of({"a": {"a"}, "b": {"a", "b"}, "c": {"c"}, "d": {"a", "b", "d"}, "e": {"a", "e"}})
    assert sorted(chains) == [["a", "b", "d"], ["c"], ["e"]]
    assert undeclared("std::vector<std::optional<int>> f();  // std::map", {"vector"}) == ["optional"]
    assert undeclared("Eigen::Vector3d p;", {"vector"}) == ["Eigen/Core"] and not undeclared("Eigen::Vector3d p;", {"Eigen/Geometry"})


def test_doors_alone_are_installed(prefix):
    found = doors(prefix)
    assert 60 < len(found) <= MOST_DOORS, f"{len(found)} headers"
    inner = [path for path in found if len(path.relative_to(prefix / "include/prehend").parts) > 2
             and path.parent.name not in ("simulated", "markers")]
    assert not inner, inner


# ---------------------------------------------------------------------------------------------- its package

def consumer(prefix, folder, *settings, env=None):
    code, log = run("cmake", "-G", "Ninja", "-S", SOURCE / "tests/consumer", "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}",
                    "-DCMAKE_BUILD_TYPE=Release", *settings, env=env or {})
    assert code == 0, log
    code, log = run("cmake", "--build", folder)
    assert code == 0, log
    return folder / "consumer"


def cpu_knows(flag):
    return f" {flag}" in Path("/proc/cpuinfo").read_text()


@pytest.mark.parametrize("flags", ["", "-mavx2 -mfma", "-march=native", "-O0 -mavx2 -mfma"])
def test_outside_project_builds_and_runs(prefix, tmp_path, flags):
    if "-mavx2" in flags and not os.environ.get("PREHEND_SLOW"):  # -march=native has both here
        pytest.skip("slow: make test-slow")
    if "avx2" in flags and not cpu_knows("avx2"):
        pytest.skip("this processor has no AVX2")
    program = consumer(prefix, tmp_path / "build", f"-DPREHEND_SITE={SITE}", f"-DCONSUMER_FLAGS={flags}")
    code, log = run(program, SOURCE / "data/scenes/stack.xml")
    assert code == 0, f"exit {code}\n{log}"
    assert "volume 0.006 m3" in log and log.endswith("done\n"), log
    assert "ok, least 1.68477 N" in log and "size 272" in log, log  # the same for all


def test_math_alone_needs_eigen_alone(prefix, tmp_path):
    absent = ("Clp", "TBB", "MuJoCo", "mujoco", "Qhull", "tinyxml2", "yaml-cpp", "ZLIB", "nlohmann_json", "proxsuite", "OpenCV")
    program = consumer(prefix, tmp_path / "build", "-DCONSUMER_ROOMS=math", *[f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in absent],
                       env={"PREHEND_SITE": str(SITE)})
    code, log = run(program)
    assert code == 0 and "right, mass 2 kg" in log, log
    needed = run("ldd", program)[1]
    assert "Clp" not in needed and "tbb" not in needed, needed


def test_functions_of_eigen_are_the_librarys_own(prefix):
    for archive in (prefix / "lib").glob("libprehend_*.a"):
        shared = re.findall(r" [WVu] (_ZN[VK]*5Eigen\S*)", run("nm", archive)[1])
        assert not shared, f"{archive.name}: {shared[:5]}"


def test_unknown_component_is_named(prefix, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(x C CXX)\nfind_package(prehend REQUIRED COMPONENTS telepathy)\n")
    code, log = run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DPREHEND_SITE={SITE}")
    assert code != 0 and "telepathy" in log and "stability" in log, log


def test_missing_eigen_is_named(prefix, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(x C CXX)\nfind_package(prehend REQUIRED COMPONENTS math)\n")
    code, log = run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON")
    assert code != 0 and "Eigen3" in log, log
