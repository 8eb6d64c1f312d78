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
tenth=0
NINJA_STATUS='@%f %t ' ninja -C "$folder" -j "$jobs" "$@" 2>&1 | tee "$log" | while IFS= read -r line; do
  case $line in
    @[0-9]*)
      read -r done total _ <<<"${line#@}"
      if ((total > 20 && 10 * done / total > tenth)); then
        tenth=$((10 * done / total)) seconds=$((SECONDS - start))
        printf 'build: %3d %%, %d of %d steps, %d:%02d min\n' $((10 * tenth)) "$done" "$total" $((seconds / 60)) $((seconds % 60))
      fi
      ;;
    "ninja: Entering directory"* | "ninja: no work to do"*) ;;
    *) printf '%s\n' "$line" ;;
  esac
done
echo "build: done in $((SECONDS - start)) s"
