"""Exact limits of pushes on walls and piles of 5 to 100 blocks: time, memory and growth, against Clarabel, one run.

    .venv/bin/python bench/limits_vs_clarabel.py [--build build/release] [--blocks 5,10,20,50,100]

Same contact points (all corners of every interface), same pushes. `setup`: once per scene. `query`: median over the pushes,
each by itself, to 1e-4. `map`: 1000 points to 1e-3, one thread. Clarabel: its own solve_time, median, default tolerances; its
programs are assembled in NumPy, which is not counted. Growth: exponent of a power law fitted to all sizes.
"""

import argparse
import os
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--blocks", default="5,10,20,50,100")
    parser.add_argument("--pushes", type=int, default=8)
    options = parser.parse_args()
    os.environ["PREHEND_BIN"] = str(options.build / "bin")
    sys.path.insert(0, str(ROOT / "prehend/stability/test"))
    import limits_oracle_test as oracle

    sizes = [int(n) for n in options.blocks.split(",")]
    for scene in ("wall", "pile"):
        print(f"{scene:<6} {'setup [ms]':>11} {'query [ms]':>11} {'map [s]':>9} {'programs':>9} {'peak [MB]':>10} "
              f"{'Clarabel [ms]':>14} {'ratio':>7} {'largest difference':>19}")
        rows = []
        for blocks in sizes:
            system = oracle.ask(scene=scene, blocks=blocks, pushes=options.pushes, seed=3, linear=False, map=1000)
            times, differences = [], []
            for push in system["pushes"]:
                limit, seconds = oracle.clarabel_limit(system, push, with_time=True)
                times.append(seconds)
                assert (limit is None) == (push["exact"] is None), push
                if limit is not None:
                    differences.append(abs(push["exact"] / limit - 1))
            query, clarabel = (float(np.median(t)) for t in ([p["exact_s"] for p in system["pushes"]], times))
            rows.append((query, system["map_s"], clarabel))
            print(f"{blocks:<6} {1e3 * system['setup_s']:>11.3g} {1e3 * query:>11.3g} {system['map_s']:>9.3g} {system['map_programs']:>9} "
                  f"{system['peak_mb']:>10.3g} {1e3 * clarabel:>14.3g} {clarabel / query:>7.3g} {max(differences, default=0):>19.2g}")
        if len(sizes) > 1:
            growth = [np.polyfit(np.log(sizes), np.log(column), 1)[0] for column in zip(*rows)]
            print(f"growth: query n^{growth[0]:.2f}, map n^{growth[1]:.2f}, Clarabel n^{growth[2]:.2f}\n")


if __name__ == "__main__":
    main()
