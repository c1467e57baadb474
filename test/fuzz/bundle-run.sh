#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the random programs of this folder on the GPU of this machine, and compares what they write with the CPU's results.
# It needs bash, gzip and the driver.
#   run [--filter REGEX] [--every N] [--jobs N] [--seed N] [--sources N] [--device cpu|gpu] [--under COMMAND]
#     --filter REGEX   only the programs whose names contain it: p... are of tiles, e... of the explicit level,
#                      d... products for tensor cores, a... chained ones, m... those whose results a model says
#     --every N        only every Nth program
#     --jobs N         so many batches at once (default: half of the processors)
#     --seed N         of the data (default: 1)
#     --sources N      of how many programs that differ the source is printed (default: 10)
#     --device cpu     compares the CPU with the CPU, where there is no GPU
#     --under COMMAND  runs each batch under it: "compute-sanitizer --tool racecheck --error-exitcode 9";
#                      racecheck is not given programs whose order it does not see: hands_over in harness.h
# Ends with `N passed, N failed`.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
jobs=$((($(nproc) + 1) / 2)) seed=1 sources=10 under=() pass=()
while (($#)); do
  (($# > 1)) || { sed -n '5,15p' "${BASH_SOURCE[0]}" >&2; exit 2; }
  case $1 in
    --filter | --every | --device) pass+=("$1" "$2") ;;
    --jobs) jobs=$2 ;;
    --seed) seed=$2 ;;
    --sources) sources=$2 ;;
    --under)
      read -ra under <<< "$2"
      [[ $2 != *racecheck* ]] || pass+=(--hand-over no)
      ;;
    *) sed -n '5,15p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
  shift 2
done
export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runs a batch to its end: after a crash or an error of the GPU, in a new process from the next program on.
run_batch() {
  local name=$1 log=$work/$1.log last='' status after=()
  gzip -dc "$here/programs/$name.gz" > "$work/$name" && chmod +x "$work/$name" || return
  while :; do
    timeout -k 5 300 "${under[@]}" "$work/$name" --seed "$seed" "${pass[@]}" "${after[@]}" > "$log.part" 2>&1
    status=$?
    cat "$log.part" >> "$log"
    last=$(sed -n 's/^RUN //p' "$log.part" | tail -1)
    ((status == 0)) && break
    if ((status == 1)) && grep -q '^DIFFER ' "$log.part"; then break; fi
    if [[ -z $last ]]; then # It did not begin, perhaps for want of a GPU.
      echo "DIFFER $name: exit status $status: $(tail -3 "$log.part" | tr '\n' ' ')" >> "$log"
      break
    fi
    # 4: the case has said itself what went wrong.
    ((status == 4)) || echo "DIFFER $last: exit status $status: $(grep -v '^RUN ' "$log.part" | tail -12 | tr '\n' ' ')" >> "$log"
    after=(--after "$last")
    grep -q '^\[  PASSED  \]' "$log.part" && break # All ran; a checker around them complains.
  done
  rm -f "$work/$name" "$log.part"
}

for packed in "$here"/programs/*.gz; do
  while (($(jobs -rp | wc -l) >= jobs)); do wait -n; done
  run_batch "$(basename "$packed" .gz)" &
done
wait

cat "$work"/*.log > "$work/all" 2> /dev/null
mapfile -t differ < <(sed -nE 's/^DIFFER ([^:]+):.*/\1/p' "$work/all" | sort -u)
grep '^DIFFER ' "$work/all"
for name in "${differ[@]:0:sources}"; do
  echo "==== $name, data of seed $seed; its source:"
  for packed in "$here"/sources/*.gz; do
    gzip -dc "$packed" | awk -v mark="// CASE {\"name\": \"$name\"," 'index($0, "// CASE ") == 1 {on = index($0, mark) == 1} on'
  done
done
failed=${#differ[@]}
# A batch that did not begin is one failure.
passed=$(sed -n 's/^RUN //p' "$work/all" | grep -cvxF -f <(printf '%s\n' "${differ[@]:-none}"))
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
