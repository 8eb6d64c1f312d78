"""Runs every benchmark of the build and prints the figures that the project promises beside what was measured.

    make bench            all
    python bench/run.py --build build/release --only contact
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=HERE.parent / "build/release")
    parser.add_argument("--only", default="", help="run only benchmarks whose name contains this")
    options = parser.parse_args()
    failed = False
    for source in sorted(HERE.glob("*_bench.cpp")):
        program = options.build / "bin" / source.stem
        if options.only not in program.name:
            continue
        print(f"\n== {program.name}: {first_comment(source)}")
        done = subprocess.run([program, "--benchmark_format=json"], capture_output=True, text=True)
        if done.returncode != 0:
            print(done.stderr)
            failed = True
            continue
        for row in json.loads(done.stdout)["benchmarks"]:
            print(f"  {row['name']:<48} {in_words(row['real_time'], row['time_unit']):>12}")
    for script in sorted([*HERE.glob("*_vs_*.py"), *HERE.glob("python_*.py")]):
        if options.only not in script.name:
            continue
        print(f"\n== {script.name}", flush=True)
        failed = subprocess.run([sys.executable, script, "--build", options.build]).returncode != 0 or failed
    return 1 if failed else 0


def first_comment(source):
    line = source.read_text().splitlines()[0]
    return line[2:].strip() if line.startswith("//") else ""


def in_words(value, unit):
    nanoseconds = value * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[unit]
    for name, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {name}"
    return f"{nanoseconds:.3g} ns"


if __name__ == "__main__":
    sys.exit(main())
