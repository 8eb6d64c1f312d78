"""Compares the benchmarks of two builds: processor time of the second over that of the first, for every name they share.

    python bench/compare.py OLD_BUILD NEW_BUILD [--only contact] [--rounds 3]

The builds take turns, so that a busy machine slows both, and the least time of the rounds counts.
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--only", default="", help="only programs whose name contains this")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.05, help="least time of one measurement")
    options = parser.parse_args()
    ratios = []
    for old in sorted(options.old.glob("bin/*_bench")):
        new = options.new / "bin" / old.name
        if options.only in old.name and new.exists():
            ratios += compared(old, new, options)
    if not ratios:
        print("no benchmark is in both builds")
        return 1
    print(f"\n{len(ratios)} benchmarks, new over old: mean {mean(ratios):.2f} (geometric), "
          f"worst {max(ratios):.2f}, {sum(ratio > 1.1 for ratio in ratios)} above 1.1")
    return 0


def compared(old, new, options):
    """Prints the benchmarks that both programs have, and returns their ratios."""
    least = [{}, {}]
    for _ in range(options.rounds):
        for times, program in zip(least, (old, new)):
            for name, time in measured(program, options.seconds).items():
                times[name] = min(time, times.get(name, math.inf))
    shared = [name for name in least[1] if name in least[0]]
    ratios = [least[1][name] / least[0][name] for name in shared]
    if shared:
        print(f"\n== {old.name}: mean {mean(ratios):.2f}", flush=True)
    for name, ratio in zip(shared, ratios):
        print(f"  {name:<60} {least[0][name] / 1e3:12.2f} us {least[1][name] / 1e3:12.2f} us {ratio:8.2f}", flush=True)
    return ratios


def measured(program, seconds):
    """Processor time [ns] by name; fitted exponents and what the program skips with an error are left out."""
    done = subprocess.run([program, "--benchmark_format=json", f"--benchmark_min_time={seconds}"], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{program}: {done.stderr.strip()}", file=sys.stderr)
        return {}
    rows = json.loads(done.stdout)["benchmarks"]
    return {row["name"]: row["cpu_time"] * NANOSECONDS[row["time_unit"]] for row in rows
            if row["run_type"] == "iteration" and not row.get("error_occurred")}


def mean(ratios):
    return math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))


if __name__ == "__main__":
    sys.exit(main())
