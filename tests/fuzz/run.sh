#!/usr/bin/env bash
# run.sh BUILD SECONDS JOBS: runs every libFuzzer target of BUILD for SECONDS on its seed corpus. A crash, a leak, a
# hang (10 s for one input) or more than 2 GiB of memory fails the run and prints the input's path.
set -euo pipefail
build=$1 seconds=$2 jobs=$3
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$build" && pwd)
work=$build/fuzz-work
mkdir -p "$work"
# Only the readers' room is instrumented, so annotations of containers that cross into others cannot be trusted.
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:detect_container_overflow=0 UBSAN_OPTIONS=print_stacktrace=1
export ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-19

one() {
  local program=$1 name corpus
  name=$(basename "$program")
  corpus=$(echo "$root"/prehend/*/fuzz/corpus/"${name%_fuzz}")
  [ -d "$corpus" ] || { echo "FAILED $name: no seed corpus $corpus"; return 1; }
  rm -rf "${work:?}/$name"
  mkdir -p "$work/$name/corpus"
  if (cd "$work/$name" && "$program" corpus "$corpus" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
      -print_final_stats=1 -seed=1 > log 2>&1); then
    echo "passed $name: $(grep -Eo 'stat::number_of_executed_units: +[0-9]+' "$work/$name/log" | grep -Eo '[0-9]+') inputs in $seconds s"
  else
    tail -n 40 "$work/$name/log"
    echo "FAILED $name: see $work/$name"
    return 1
  fi
}
export -f one
export root work seconds

programs=$(find "$build/bin" -name '*_fuzz' | sort)
[ -n "$programs" ] || { echo "run.sh: no fuzzers in $build/bin"; exit 1; }
failed=0
printf '%s\n' "$programs" | xargs -P "$jobs" -I{} bash -c 'one {}' | tee "$work/summary" || failed=1
printf '%d passed, %d failed\n' "$(grep -c ^passed "$work/summary")" "$(grep -c ^FAILED "$work/summary")"
exit $failed
