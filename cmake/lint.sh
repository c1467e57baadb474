#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a tool can say about the sources' style:
#   cmake/lint.sh                    licence lines, file sizes and format; ctest's test `style`
#   cmake/lint.sh tidy [FILE...]     clang-tidy over FILEs, else over every file of the compiler and the runtime
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ ${1-} == tidy ]]; then
  shift
  # One command a file, without what means nothing to another tool: a precompiled header, several files as one.
  database=$(mktemp -d)
  trap 'rm -rf "$database"' EXIT
  cmake --preset default -B "$database" -DTEGULA_UNITY=OFF -DTEGULA_PCH=OFF > "$database/log" || { cat "$database/log"; exit 1; }
  sed -i "s#$database#$PWD/build#g" "$database/compile_commands.json" # What mlir-tblgen writes is in build/.
  files=("$@")
  ((${#files[@]})) || mapfile -t files < <(sed -nE 's/^ *"file": "(.*)",?$/\1/p' "$database/compile_commands.json" | grep -E "^$PWD/(compiler|runtime)/")
  printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy-19 --quiet --warnings-as-errors='*' -p "$database"
  exit
fi

failed=0
complain() { printf '%s\n' "$@"; failed=1; }
mapfile -t sources < <(find compiler runtime include test samples cmake CMakeLists.txt -type f \
  \( -name '*.cpp' -o -name '*.h' -o -name '*.td' -o -name '*.cmake' -o -name 'CMakeLists.txt' -o -name '*.in' -o -name '*.py' -o -name '*.sh' -o -name run \))
mapfile -t complaints < <(awk '
  FNR <= 2 && /SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception/ { licensed[FILENAME] }
  FNR == 801 { print FILENAME ": more than 800 lines: split it along a seam" }
  END { for (i = 1; i < ARGC; i++) if (!(ARGV[i] in licensed)) print ARGV[i] ":1: the licence line is missing" }' "${sources[@]}")
((${#complaints[@]} == 0)) || complain "${complaints[@]}"
# lit's tests keep their lines: RUN and CHECK are read line by line.
mapfile -t formatted < <(printf '%s\n' "${sources[@]}" | grep -E '\.(cpp|h)$' | grep -v /Inputs/ | xargs grep -L 'RUN:')
clang-format-19 --dry-run -Werror "${formatted[@]}" || failed=1
exit $failed
