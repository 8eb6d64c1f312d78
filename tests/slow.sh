#!/usr/bin/env bash
# slow.sh BUILD JOBS: the tests with their long sweeps, the tests again under sanitizers, a minute of fuzzing per reader. A stage that
# fails does not keep the others from running; the last lines say which failed, and how long each took.
set -uo pipefail
build=$1 jobs=$2
failed=0
summary=

stage() {  # stage NAME COMMAND...
  local name=$1 start=$SECONDS word=passed
  shift
  echo "test-slow: $name"
  "$@" || { word=FAILED failed=1; }
  summary+="test-slow: $word $name, $(((SECONDS - start) / 60)) min"$'\n'
}
sweeps() {
  setup/build.sh "$build" "$jobs" benches sweeps &&
    PREHEND_SLOW=1 ctest --test-dir "$build" -j "$jobs" --output-on-failure --no-tests=error
}
sanitizers() {
  cmake --preset asan && setup/build.sh build/asan "$jobs" &&
    ctest --test-dir build/asan -j "$jobs" --output-on-failure --no-tests=error
}

stage "long sweeps" sweeps
stage sanitizers sanitizers
stage fuzzing tests/fuzz/run.sh build/fuzz 60 "$jobs"
printf '%s' "$summary"
exit $failed
