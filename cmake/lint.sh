#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a tool can say about the sources' style:
#   cmake/lint.sh                    licence lines, file sizes and format; ctest's test `style`
#   cmake/lint.sh tidy [FILE...]     clang-tidy over FILEs, else over every file of build/compile_commands.json
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ ${1-} == tidy ]]; then
  shift
  files=("$@")
  ((${#files[@]})) || mapfile -t files < <(sed -nE 's/^ *"file": "(.*)",?$/\1/p' build/compile_commands.json | grep -E "^$PWD/(compiler|runtime)/")
  # A precompiled header of the compiler that builds means nothing to another tool.
  database=$(mktemp -d)
  trap 'rm -rf "$database"' EXIT
  sed -E 's/-Xclang -include-pch -Xclang [^ ]+ //g; s/-Xclang -include -Xclang/-include/g' build/compile_commands.json > "$database/compile_commands.json"
  printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy-19 --quiet --warnings-as-errors='*' -p "$database"
  exit
fi

failed=0
complain() { printf '%s\n' "$@"; failed=1; }
mapfile -t sources < <(find compiler runtime include test samples cmake CMakeLists.txt -type f \
  \( -name '*.cpp' -o -name '*.h' -o -name '*.td' -o -name '*.cmake' -o -name 'CMakeLists.txt' -o -name '*.in' -o -name '*.py' -o -name '*.sh' -o -name run \))
for file in "${sources[@]}"; do
  head -2 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception' || complain "$file:1: the licence line is missing"
  (($(wc -l < "$file") <= 800)) || complain "$file: more than 800 lines: split it along a seam"
done
# lit's tests keep their lines: RUN and CHECK are read line by line.
mapfile -t formatted < <(printf '%s\n' "${sources[@]}" | grep -E '\.(cpp|h)$' | grep -v /Inputs/ | xargs grep -L 'RUN:')
clang-format-19 --dry-run -Werror "${formatted[@]}" || failed=1
exit $failed
