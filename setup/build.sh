#!/usr/bin/env bash
# build.sh FOLDER JOBS [TARGET...]: builds targets of a configured build folder and says how far it is, a line every tenth of the way. Warnings
# and errors are shown as they come; everything is in FOLDER/build.log.
set -euo pipefail
folder=$1 jobs=$2
shift 2
log=$folder/build.log
what=${*:-everything}
start=$SECONDS
echo "build: $what in $folder, with $jobs jobs; the whole output is in $log"
NINJA_STATUS='@%f %t ' ninja -C "$folder" -j "$jobs" "$@" 2>&1 | tee "$log" | awk -v start="$(date +%s)" '
  /^@[0-9]+ [0-9]+ / {
    done = substr($1, 2); total = $2
    if (total > 20 && int(10 * done / total) > tenth) {
      tenth = int(10 * done / total)
      "date +%s" | getline now; close("date +%s")
      printf "build: %3d %%, %d of %d steps, %d:%02d min\n", 10 * tenth, done, total, (now - start) / 60, (now - start) % 60
      fflush()
    }
    next
  }
  /^ninja: (Entering directory|no work to do)/ { next }
  { print; fflush() }'
echo "build: done in $((SECONDS - start)) s"
