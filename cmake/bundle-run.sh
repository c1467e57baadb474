#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the programs of this folder on the GPU of this machine; only its driver is needed.
#   run [tests] [samples] [benchmarks]      (default: all three)
# Prints a line per program, the output of those that failed and of the benchmarks, and at last `N passed, N failed`.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kinds=("$@")
((${#kinds[@]})) || kinds=(tests samples benchmarks)
for kind in "${kinds[@]}"; do
  [[ $kind =~ ^(tests|samples|benchmarks)$ ]] || { sed -n '3,5p' "${BASH_SOURCE[0]}" >&2; exit 2; }
done

export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

passed=0 failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
count() { # the number that GoogleTest wrote before "tests" on the line of the given mark, else nothing
  sed -nE "s/^\[  $1  \] ([0-9]+) tests?.*/\1/p" "$log" | head -1
}
for kind in "${kinds[@]}"; do
  for program in "$here/$kind"/*; do
    [[ -x $program ]] || continue
    start=$EPOCHREALTIME
    (cd "$here" && "$program") > "$log" 2>&1
    status=$?
    seconds=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN {printf "%.1f", b - a}')
    good=$(count PASSED) bad=$(count FAILED)
    good=${good:-0} bad=${bad:-0}
    # A program that counts nothing itself counts as one; so does one that ended badly after its tests.
    if ((status == 0 && good + bad == 0)); then good=1; fi
    if ((status != 0 && bad == 0)); then bad=1; fi
    passed=$((passed + good)) failed=$((failed + bad))
    printf '%-10s %-28s %5d passed %4d failed %8s s\n' "$kind" "${program##*/}" "$good" "$bad" "$seconds"
    if ((bad)) || [[ $kind == benchmarks ]]; then sed 's/^/    /' "$log"; fi
  done
done
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
