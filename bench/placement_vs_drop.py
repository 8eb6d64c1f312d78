"""The planner auto against simulated drops (and others), on nine harder scenes: time to the first placement.

    python bench/placement_vs_drop.py --runs 3 --planners drop heightmap

Times are of the processor, for the planning alone, alternating, in one run. A planner without answer within --time-limit counts with the time
it took, so its ratio is a lower bound; such scenes are marked.
"""

import argparse
import math
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import prehend  # noqa: E402
from placement_scenes import all_scenes  # noqa: E402

HARDER = ["balance", "cantilever", "ridges", "two_heights", "vee", "wedge33_stop", "teeth", "points", "on_clutter"]


def first_placement(path, arguments, planner, seed, limit):
    """(milliseconds of the processor, whether it was found)"""
    options = {}
    if "--touch" in arguments:
        options["touch"] = arguments[arguments.index("--touch") + 1].split(",")
    if "--region" in arguments:
        start = arguments.index("--region") + 1
        options["region"] = [float(x) for x in arguments[start:start + 6]]
    scene = prehend.read_scene(path)
    start = time.process_time()
    result = prehend.place(scene, "object", objective="first", planner=planner, seed=seed, time_limit=limit, **options)
    return 1e3 * (time.process_time() - start), result.status == "ok"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--time-limit", type=float, default=5.0)
    parser.add_argument("--planners", nargs="+", default=["drop"])
    options = parser.parse_args()
    scenes = all_scenes()
    logs = {planner: [] for planner in options.planners}
    with tempfile.TemporaryDirectory() as folder:
        for name in HARDER:
            text, arguments, _ = scenes[name]
            path = Path(folder) / f"{name}.xml"
            path.write_text(text)
            times = {planner: [] for planner in ["auto", *options.planners]}
            found = {planner: 0 for planner in times}
            for run in range(options.runs):
                for planner in times:
                    ms, ok = first_placement(path, arguments, planner, options.seed + run, options.time_limit)
                    times[planner].append(ms)
                    found[planner] += ok
            mean = {planner: statistics.mean(values) for planner, values in times.items()}
            line = f"{name:13} auto {mean['auto']:8.2f} ms, {found['auto']}/{options.runs}"
            for planner in options.planners:
                ratio = mean[planner] / mean["auto"]
                logs[planner].append(math.log(ratio))
                at_least = "" if found[planner] == options.runs else ">= "
                line += f"   {planner} {mean[planner]:9.2f} ms, {found[planner]}/{options.runs}, {at_least}{ratio:.1f}x"
            print(line, flush=True)
    for planner, values in logs.items():
        print(f"{planner}: {math.exp(statistics.mean(values)):.1f}x in the geometric mean, least {math.exp(min(values)):.1f}x")


if __name__ == "__main__":
    main()
