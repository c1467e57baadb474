#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the programs of this folder on the GPU of this machine; only its driver is needed.
#   run [tests] [samples] [benchmarks]      (default: all three)
# Prints a line per program, the output of those that failed and of the benchmarks, and at last `N passed, N failed`.
# Tests and samples run several at a time, since most of their time is the CPU's; benchmarks run alone.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kinds=("$@")
((${#kinds[@]})) || kinds=(tests samples benchmarks)
for kind in "${kinds[@]}"; do
  [[ $kind =~ ^(tests|samples|benchmarks)$ ]] || { sed -n '3,5p' "${BASH_SOURCE[0]}" >&2; exit 2; }
done

export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

passed=0 failed=0
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

run_program() { # KIND PROGRAM: leaves a log, and behind it the exit status and the seconds it took
  local log=$logs/$1-${2##*/} start=$EPOCHREALTIME
  (cd "$here" && "$2") > "$log" 2>&1
  echo "$? $(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN {printf "%.1f", b - a}')" > "$log.partial"
  mv "$log.partial" "$log.status"
}
count() { # MARK LOG: the number that GoogleTest wrote before "tests" on the line of that mark, else nothing
  sed -nE "s/^\[  $1  \] ([0-9]+) tests?.*/\1/p" "$2" | head -1
}
report() { # KIND PROGRAM
  local log=$logs/$1-${2##*/} status seconds good bad
  read -r status seconds < "$log.status"
  good=$(count PASSED "$log") bad=$(count FAILED "$log")
  good=${good:-0} bad=${bad:-0}
  # A program that counts nothing itself counts as one; so does one that ended badly after its tests.
  if ((status == 0 && good + bad == 0)); then good=1; fi
  if ((status != 0 && bad == 0)); then bad=1; fi
  passed=$((passed + good)) failed=$((failed + bad))
  printf '%-10s %-28s %5d passed %4d failed %8s s\n' "$1" "${2##*/}" "$good" "$bad" "$seconds"
  if ((bad)) || [[ $1 == benchmarks ]]; then sed 's/^/    /' "$log"; fi
}

for kind in "${kinds[@]}"; do
  at_once=1
  [[ $kind == benchmarks ]] || at_once=$(($(nproc) > 8 ? 8 : $(nproc)))
  programs=()
  for program in "$here/$kind"/*; do
    [[ -x $program ]] && programs+=("$program")
  done
  running=0 reported=0
  for program in "${programs[@]}"; do
    if ((running == at_once)); then
      wait -n
      running=$((running - 1))
    fi
    run_program "$kind" "$program" &
    running=$((running + 1))
    while [[ -f $logs/$kind-${programs[reported]##*/}.status ]]; do
      report "$kind" "${programs[reported]}"
      reported=$((reported + 1))
      ((reported < ${#programs[@]})) || break
    done
  done
  wait
  for program in "${programs[@]:reported}"; do report "$kind" "$program"; done
done
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
