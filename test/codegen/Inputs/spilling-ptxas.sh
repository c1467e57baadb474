#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A ptxas that spills unless it is told to have few blocks: `one` at most two, `two` never does well, `told` at most
# three, and `narrow` at most 28; `much` at most two, but it spills 292 bytes, more than a third block's 16 registers make
# up for, where `some` spills 288. `close` and `beyond` have 66 registers; for four blocks of 256 threads `close` takes
# 64, and `beyond` spills. `wide` has 255 registers, which is as many as there are, and spills all the same.
for argument; do
  case $previous in -o) output=$argument ;; esac
  case $argument in *.ptx) input=$argument ;; esac
  previous=$argument
done
report() {
  grep -q "\.entry $1(" "$input" || return 0
  blocks=$(sed -n "/\.entry $1(/,/^{/s/^\.minnctapersm //p" "$input")
  echo "$1 ${blocks:-any}" >> "$TEGULA_TEST_LOG"
  spills=$(eval "$2")
  echo "ptxas info    : Compiling entry function '$1' for 'sm_90a'"
  echo "ptxas info    : Function properties for $1"
  echo "    $spills bytes stack frame, $spills bytes spill stores, 0 bytes spill loads"
  echo "ptxas info    : Used $(eval "${3:-echo 64}") registers"
}
report one '[ "${blocks:-9}" -le 2 ] && echo 0 || echo 8'
report two '[ "${blocks:-9}" -eq 3 ] && echo 4 || echo 12'
report three 'echo 0'
report close 'echo 0' 'echo $([ "${blocks:-0}" -eq 4 ] && echo 64 || echo 66)'
report beyond 'echo $([ "${blocks:-0}" -eq 4 ] && echo 8 || echo 0)' 'echo $([ "${blocks:-0}" -eq 4 ] && echo 64 || echo 66)'
report told '[ "${blocks:-9}" -le 3 ] && echo 0 || echo 8'
report narrow '[ "${blocks:-99}" -le 28 ] && echo 0 || echo 8'
report some '[ "${blocks:-9}" -le 2 ] && echo 0 || echo 288'
report much '[ "${blocks:-9}" -le 2 ] && echo 0 || echo 292'
report wide 'echo 8' 'echo 255'
echo cubin > "$output"
