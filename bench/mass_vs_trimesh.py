"""Mass properties of the same 100 000-triangle mesh by prehend and by trimesh, in one run.

    python bench/mass_vs_trimesh.py --build build/release

trimesh is timed on its own integration (trimesh.triangles.mass_properties) plus the area, on arrays that are ready; prehend on
the benchmark BM_MassProperties. Both in processor time, so that other work on the machine does not
count; the figure is the ratio.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

import numpy as np
import trimesh


def torus(major, minor, n, m):
    """The benchmark's mesh: make_torus(major, minor, n, m)."""
    u, v = 2 * np.pi * np.arange(n) / n, 2 * np.pi * np.arange(m) / m
    uu, vv = np.meshgrid(u, v)
    rho = major + minor * np.cos(vv)
    vertices = np.stack([rho * np.cos(uu), rho * np.sin(uu), minor * np.sin(vv)], axis=-1).reshape(-1, 3)
    i, k = np.meshgrid(np.arange(n), np.arange(m))
    a, b = k * n + i, k * n + (i + 1) % n
    d, c = (k + 1) % m * n + i, (k + 1) % m * n + (i + 1) % n
    faces = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    return vertices, faces


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    binaries = parser.parse_args().build / "bin"
    run = subprocess.run(
        [binaries / "geometry_bench", "--benchmark_filter=BM_MassProperties", "--benchmark_format=json",
         "--benchmark_repetitions=5"],
        capture_output=True, text=True, check=True)
    report = json.loads(run.stdout)
    ours = min(b["cpu_time"] for b in report["benchmarks"] if b["run_type"] == "iteration")
    volume = report["benchmarks"][0]["volume_m3"]

    vertices, faces = torus(0.1, 0.03, 250, 200)
    theirs = []
    for _ in range(15):
        start = time.process_time()
        triangles = vertices[faces]
        crosses = trimesh.triangles.cross(triangles)
        area = trimesh.triangles.area(crosses=crosses).sum()
        properties = trimesh.triangles.mass_properties(triangles, crosses=crosses, density=1.0)
        theirs.append(1e3 * (time.process_time() - start))
    assert abs(properties.volume / volume - 1) < 1e-12, (properties.volume, volume)
    print(f"{len(faces)} triangles, volume {volume:.12g} m^3 (both), area {area:.6g} m^2")
    print(f"prehend {ours:.2f} ms, trimesh {min(theirs):.2f} ms: {min(theirs) / ours:.1f} times faster (best of each)")


if __name__ == "__main__":
    main()
