#!/usr/bin/env bash
# configure.sh PRESET program|everything: configures build/PRESET where that was not done yet. `program` leaves tests, benchmarks and bindings out,
# unless the folder has them already; `everything` adds them.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1 extent=$2
folder=build/$preset
parts=(PREHEND_BUILD_TESTS PREHEND_BUILD_BENCH PREHEND_BUILD_PYTHON PREHEND_BUILD_REPRODUCE)
stamp=$folder/.configured-$extent
for done in "$stamp" "$folder/.configured-everything"; do
  if [ -f "$folder/build.ninja" ] && [ "$done" -nt CMakePresets.json ] && [ "$done" -nt setup/requirements.txt ]; then exit 0; fi
done
[ "$extent" = everything ] && value=ON || value=OFF
echo "configure: $folder ($extent)"
cmake --preset "$preset" $(printf -- "-D%s=$value " "${parts[@]}") > /dev/null 2> >(grep -v "^$" >&2 || true)
touch "$stamp"
