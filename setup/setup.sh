#!/usr/bin/env bash
# setup.sh [build|test]: installs what Prehend needs on Debian 12 to be built (build), or to be built and tested (test, the default):
# Debian packages, a pinned virtual environment in .venv and the pinned npm packages of the viewer. Every step looks first and does nothing
# when its result is already there, so an interrupted run resumes.
set -euo pipefail
cd "$(dirname "$0")/.."
purpose=${1:-test}
case "$purpose" in build|test) ;; *) echo "setup: unknown purpose '$purpose'; expected build or test" >&2; exit 2 ;; esac
step="start"
trap 'status=$?; [ $status -eq 0 ] || printf "\nsetup: step \"%s\" failed (exit %d).\nsetup: %s\n" "$step" "$status" "$advice" >&2' EXIT
advice="read the lines above"

step="Debian packages"
wanted=$(awk -v purpose="$purpose" '/^# \[test\]/ && purpose == "build" {exit} {sub(/#.*/, "")} NF {print $1}' setup/debian-packages.txt)
missing=""
# Debian's own Node 18 is enough; a newer one from elsewhere is taken as it is (its package clashes with Debian's npm).
node_major=$(node --version 2>/dev/null | sed -E 's/^v([0-9]+).*/\1/') || node_major=""
if [ "${node_major:-0}" -lt 18 ] || ! command -v npm >/dev/null; then
  wanted="$wanted nodejs npm"
fi
for package in $wanted; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) || state="absent"
  [ "$state" = installed ] || missing="$missing $package"
done
if [ -n "$missing" ]; then
  advice="install by hand:  apt-get update && apt-get install --no-install-recommends$missing   then run make again"
  echo "setup: installing $(wc -w <<< "$missing") Debian packages and what they need (about a minute)"
  as_root=""
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "setup: not root and no sudo; cannot install Debian packages" >&2
      exit 1
    fi
    as_root="sudo"
  fi
  apt_log=$(mktemp)
  apt_get() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" > "$apt_log" 2>&1 || { tail -n 30 "$apt_log" >&2; return 1; }
  }
  apt_get update
  # shellcheck disable=SC2086  # one word per package is meant
  apt_get install -y --no-install-recommends $missing
  rm -f "$apt_log"
fi

step="virtual environment"
advice="remove .venv and run make again; python3 must be 3.11 or newer with the venv module"
# A full environment serves a build as well; a build's is completed when tests are wanted.
stamp=.venv/.prehend-requirements
build_stamp=.venv/.prehend-requirements-build
if ! cmp -s setup/requirements.txt "$stamp" && ! { [ "$purpose" = build ] && cmp -s setup/requirements.txt "$build_stamp"; }; then
  [ -x .venv/bin/python ] || python3 -m venv .venv
  if [ "$purpose" = build ]; then
    echo "setup: installing the C++ libraries that come as wheels into .venv"
    .venv/bin/python -m pip install --disable-pip-version-check --quiet --constraint setup/requirements.txt --requirement setup/requirements-build.in
    cp setup/requirements.txt "$build_stamp"
  else
    echo "setup: installing Python packages (C++ wheels, test oracles) into .venv"
    .venv/bin/python -m pip install --disable-pip-version-check --quiet --requirement setup/requirements.txt
    cp setup/requirements.txt "$stamp"
  fi
fi

step="npm packages of the viewer"
advice="remove viewer/node_modules and run make again; node must be 18 or newer"
stamp=viewer/node_modules/.prehend-lock
if ! cmp -s viewer/package-lock.json "$stamp"; then
  echo "setup: installing the viewer's npm packages into viewer/node_modules"
  npm ci --prefix viewer --no-audit --no-fund --loglevel=error
  cp viewer/package-lock.json "$stamp"
fi
