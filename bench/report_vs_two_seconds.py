"""Reports in Chromium: the sample report shall be shown within two seconds, the large one stay fluent."""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

VIEWER = Path(__file__).resolve().parent.parent / "viewer"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=VIEWER.parent / "build/release")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pages = [Path(folder) / f"{what}.html" for what in ("sample", "large")]
        for page in pages:
            subprocess.run([options.build.resolve() / "bin/report_sample_tool", page.stem, page], check=True)
        return subprocess.run(["node", "bench/shown.mjs", *pages], cwd=VIEWER).returncode


if __name__ == "__main__":
    sys.exit(main())
