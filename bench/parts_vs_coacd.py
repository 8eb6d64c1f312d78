"""Parts of the same meshes by prehend and by CoACD (Wei et al. 2022), in one run.

    pip install coacd==1.0.14
    python bench/parts_vs_coacd.py --build build/release [--data ../shared/data] [--settings own] [--only ruler]

CoACD divides a mesh into nearly convex pieces; at most four here, with lowered search settings or its own. Both in processor time, all
threads together. `ratio` compares call with call in one process; `command` is the whole command of prehend, with its start and reading. On the recorded tools, where they are at hand, also the agreement with the true labels of 2000 points: USE is one minus purity,
GCE Martin's; each point takes the label of the nearest triangle. Without them: shapes made here. The figure is the ratio of times.
"""

import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy as np
import trimesh

HERE = pathlib.Path(__file__).resolve().parent


def agreement(found, truth):
    """USE (one minus purity) and Martin's global consistency error."""
    table = np.zeros((found.max() + 1, truth.max() + 1))
    np.add.at(table, (found, truth), 1)
    n, rows, columns = table.sum(), table.sum(1, keepdims=True), table.sum(0, keepdims=True)
    use = 1 - table.max(1).sum() / n
    one = (table * (rows - table) / np.maximum(rows, 1)).sum() / n
    other = (table * (columns - table) / np.maximum(columns, 1)).sum() / n
    return use, min(one, other)


def read_cloud(path):
    """Points and labels of a text cloud whose rows are x y z red green blue label."""
    rows = path.read_text().split("end_header\n")[1]
    table = np.array([[float(x) for x in row.split()] for row in rows.splitlines() if row.strip()])
    labels = np.unique(table[:, 6], return_inverse=True)[1]
    return table[:, :3], labels


def made_meshes():
    hammer = trimesh.util.concatenate([trimesh.creation.cylinder(0.012, 0.25, sections=64),
                                       trimesh.creation.box((0.1, 0.03, 0.03), trimesh.transformations.translation_matrix((0, 0, 0.13)))])
    key = trimesh.util.concatenate([trimesh.creation.cylinder(0.004, 0.1, sections=48),
                                    trimesh.creation.box((0.04, 0.008, 0.008), trimesh.transformations.translation_matrix((0.02, 0, 0.05)))])
    return {"hammer": (hammer, None), "key": (key, None), "torus": (trimesh.creation.torus(0.05, 0.015), None)}


def recorded_meshes(folder):
    found = {}
    for tool in sorted(folder.iterdir()):
        mesh = trimesh.load(tool / "mesh.ply", process=False)
        mesh.apply_scale(0.001)
        found[tool.name] = (mesh, read_cloud(tool / "cloud.ply"))
    return found


def labels_at(points, pieces):
    """Per point the piece whose triangles are nearest, by points spread over them."""
    samples = [piece.sample(2000, seed=0) if piece.area > 0 else piece.vertices for piece in pieces]
    from scipy.spatial import cKDTree

    return np.argmin([cKDTree(sample).query(points)[0] for sample in samples], axis=0)


def run_prehend(program, mesh, parts):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "mesh.ply"
        mesh.export(path)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([program, "segment", path, "--parts", str(parts), "--json"], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if done.returncode != 0:
            raise SystemExit(done.stdout + done.stderr)
        assert len(json.loads(done.stdout)["parts"]) == parts
        subprocess.run([program, "segment", path, "--parts", str(parts), "--out", folder], capture_output=True, check=True)
        labelled = (pathlib.Path(folder) / "labels.ply").read_bytes()
    header, body = labelled.split(b"end_header\n", 1)
    colour = [("c", "u1", 3)] if b"property uchar red" in header else []
    faces = np.frombuffer(body[24 * len(mesh.vertices):], dtype=[("n", "u1"), ("v", "<i4", 3), *colour, ("label", "<i4")])
    pieces = [mesh.submesh([np.flatnonzero(faces["label"] == k)], append=True, repair=False) for k in range(parts)]
    return seconds, pieces


def call_prehend(mesh, parts):
    from prehend.geometry import TriangleMesh
    from prehend.parts import segment_mesh

    own = TriangleMesh(np.asarray(mesh.vertices), np.asarray(mesh.faces, dtype=np.int32))
    before = resource.getrusage(resource.RUSAGE_SELF)
    found = segment_mesh(own, parts=parts)
    after = resource.getrusage(resource.RUSAGE_SELF)
    assert len(found.parts) == parts
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


LOWERED = {"mcts_iterations": 60, "mcts_max_depth": 2, "mcts_nodes": 10, "resolution": 1000}


def run_coacd(coacd, mesh, parts, settings):
    before = resource.getrusage(resource.RUSAGE_SELF)
    hulls = coacd.run_coacd(coacd.Mesh(mesh.vertices, mesh.faces), max_convex_hull=parts, **settings)
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, [trimesh.Trimesh(v, f, process=False) for v, f in hulls]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--data", type=pathlib.Path, default=HERE.parents[1] / "shared/data")
    parser.add_argument("--settings", choices=("lowered", "own"), default="lowered", help="of CoACD's search")
    parser.add_argument("--only", default="", help="tools whose name contains this")
    options = parser.parse_args()
    try:
        import coacd
    except ImportError:
        print("CoACD is not installed (pip install coacd==1.0.14): skipped")
        return
    coacd.set_log_level("error")
    sys.path.insert(0, str((options.build / "python").resolve()))
    tools = options.data / "tools"
    meshes = recorded_meshes(tools) if tools.is_dir() else made_meshes()
    program = options.build / "bin" / "prehend"
    print(f"{'':20} {'triangles':>9} {'prehend':>9} {'CoACD':>9} {'ratio':>7} {'command':>9} {'ratio':>7}   USE, GCE prehend   CoACD")
    ratios, command_ratios, scores = [], [], []
    for name, (mesh, cloud) in meshes.items():
        if options.only not in name:
            continue
        command, our_pieces = run_prehend(program, mesh, 4)
        ours = call_prehend(mesh, 4)
        theirs, their_pieces = run_coacd(coacd, mesh, 4, LOWERED if options.settings == "lowered" else {})
        ratios.append(theirs / ours)
        command_ratios.append(theirs / command)
        line = f"{name:20} {len(mesh.faces):9d} {ours:8.3f}s {theirs:8.3f}s {ratios[-1]:6.1f}x {command:8.3f}s {command_ratios[-1]:6.1f}x"
        if cloud is not None:
            points, truth = cloud
            scores.append([*agreement(labels_at(points, our_pieces), truth), *agreement(labels_at(points, their_pieces), truth)])
            line += "   {:.3f} {:.3f}        {:.3f} {:.3f}".format(*scores[-1])
        print(line, flush=True)
    for what, list_of in (("call", ratios), ("whole command", command_ratios)):
        print(f"{what}: least ratio {min(list_of):.1f}, median {np.median(list_of):.1f}; processor time")
    if scores:
        print("means: prehend USE {:.3f} GCE {:.3f}, CoACD USE {:.3f} GCE {:.3f}".format(*np.mean(scores, axis=0)))


if __name__ == "__main__":
    sys.exit(main())
