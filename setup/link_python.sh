#!/usr/bin/env bash
# link_python.sh VENV FOLDER: makes `import prehend` in the virtual environment find the package built in FOLDER.
# Writes one .pth file, and only when it would change.
set -euo pipefail
venv=$1
folder=$(realpath "$2")
[ -f "$folder/prehend/__init__.py" ] || { echo "link_python: no package prehend in $folder; build first" >&2; exit 1; }
site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
link="$site/prehend-development.pth"
if [ "$(cat "$link" 2>/dev/null)" != "$folder" ]; then
  printf '%s\n' "$folder" > "$link.new"
  mv "$link.new" "$link"
fi
