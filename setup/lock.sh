#!/usr/bin/env bash
# Resolves setup/requirements.in in an empty environment and writes the exact closure to setup/requirements.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check -r setup/requirements.in
{
  echo "# Pinned closure of requirements.in; made by 'make lock', never edited by hand."
  "$scratch/venv/bin/pip" freeze | sort -f
} > "$scratch/requirements.txt"
mv "$scratch/requirements.txt" setup/requirements.txt
