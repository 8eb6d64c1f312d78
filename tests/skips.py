#!/usr/bin/env python3
"""Counts what a run of ctest left out, and why: tests/skips.py BUILD. Prints one line per reason; never fails.

GoogleTest says `Skipped` with the reason behind file and line; pytest prints `SKIPPED [n] file:line: reason` (run with -rs)."""

import collections
import re
import sys
from pathlib import Path


def reasons(text):
    found = collections.Counter()
    for match in re.finditer(r"^(?:\S+:\d+: Skipped|.*: Skipped)\n(.+)$", text, re.MULTILINE):
        found[match[1].strip()] += 1
    for count, reason in re.findall(r"^SKIPPED \[(\d+)\] \S+?: (.+)$", text, re.MULTILINE):
        found[reason.strip()] += int(count)
    return found


def main(build):
    log = Path(build) / "Testing/Temporary/LastTest.log"
    if not log.exists():
        return f"{log} is not there: no run of ctest to read"
    counted = reasons(log.read_text(errors="replace"))
    # One reason per cause: the folder that is missing may be named in many ways.
    lines = [f"{sum(counted.values())} tests were skipped" + (":" if counted else "")]
    return "\n".join(lines + [f"  {count:4}  {reason}" for reason, count in counted.most_common()])


if __name__ == "__main__":
    print(main(sys.argv[1]))
