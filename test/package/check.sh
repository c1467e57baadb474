#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check.sh build|install BUILD WORK CXX: builds and runs the consumer project in WORK with the compiler CXX, against the build
# tree BUILD or an installation of it; then edits it the way a user does, and misuses tegula_add_kernels.
set -euo pipefail
tree=$1 build=$2 work=$3 cxx=$4
cmake=${CMAKE_COMMAND:-cmake}

fail() { printf 'FAILED: %s\n' "$@"; exit 1; }
rm -rf "$work"
mkdir -p "$work"
cp -r "$(dirname "$0")/consumer" "$work/source"
package=$build
if [[ $tree == install ]]; then
  DESTDIR='' "$cmake" --install "$build" --prefix "$work/prefix" > "$work/install.log"
  package=$(dirname "$(find "$work/prefix" -name tegulaConfig.cmake)")
  if grep -rIl --include='*.cmake' -e "$build" "$work/prefix"; then fail "the installed package names the build tree"; fi
fi

configure() { "$cmake" -S "$work/source" -B "$work/$1" -Dtegula_DIR="$package" -DCMAKE_CXX_COMPILER="$cxx" > "$work/log" 2>&1; }
compile() { "$cmake" --build "$work/build" > "$work/log" 2>&1 || { cat "$work/log"; fail "the consumer does not build"; }; }
expect_output() {
  local output
  output=$("$work/build/consumer")
  [[ $output == "$1" ]] || fail "$2: the consumer printed '$output', not '$1'"
}
kernels_compiled() { grep -c "Compiling kernels scale for scaling" "$work/log" || true; }

configure build || { cat "$work/log"; fail "the consumer does not configure"; }
compile
expect_output "3 5 7 9 11" "first build"
compile
[[ $(kernels_compiled) == 0 ]] || fail "kernels are compiled again though nothing changed"
sleep 0.01 # Files of one clock tick are not newer.
sed -i 's/factor = 2/factor = 3/' "$work/source/include/factor.h"
compile
[[ $(kernels_compiled) == 1 ]] || fail "kernels are not compiled again after a header of theirs changed"
expect_output "4 7 10 13 16" "after the edit of a header"
sed -i 's/SHIFT=1/SHIFT=2/' "$work/source/CMakeLists.txt"
compile
expect_output "5 8 11 14 17" "after the edit of a definition"
if [[ $tree == install ]]; then
  touch "$work/prefix/bin/tegulac"
  compile
  [[ $(kernels_compiled) == 1 ]] || fail "kernels are not compiled again after tegulac changed"
fi

# Each misuse: the arguments of tegula_add_kernels, and what CMake must say.
misuse() {
  { grep -v tegula_add_kernels "$(dirname "$0")/consumer/CMakeLists.txt" | sed 's/(scaling STATIC)/(scaling STATIC main.cpp)/'
    echo "$1"; } > "$work/source/CMakeLists.txt"
  if configure misuse; then fail "accepted: $1"; fi
  tr -s ' \n' ' ' < "$work/log" | grep -qF "$2" || { cat "$work/log"; fail "for $1, the message lacks: $2"; }
}
misuse 'tegula_add_kernels(scaling SOURCE scale.cpp)' \
  'tegula_add_kernels(scaling): unknown arguments: SOURCE;scale.cpp; it takes SOURCES, ARCHS, DEFINITIONS, INCLUDES, OPTIONS, HEADER_FOLDER, EXPORT_ENTRIES, C_ABI and C_PREFIX'
misuse 'tegula_add_kernels(scaling ARCHS sm_90a)' 'tegula_add_kernels(scaling): SOURCES names no kernel file'
misuse 'tegula_add_kernels(scaling SOURCES scale.cpp ARCHS 90a)' \
  "tegula_add_kernels(scaling): '90a' is no architecture; ARCHS takes names like sm_80 and sm_90a"
misuse 'tegula_add_kernels(scaling SOURCES scal.cpp)' 'tegula_add_kernels(scaling): there is no file'
misuse 'tegula_add_kernels(scaling SOURCES scale.cpp include/../scale.cpp)' \
  'tegula_add_kernels(scaling): two kernel files are named scale: their headers would both be scale.h; rename one'
misuse 'tegula_add_kernels(scaling SOURCES scale.cpp C_PREFIX s_)' \
  'tegula_add_kernels(scaling): C_PREFIX is how the names of C functions begin: say C_ABI, too'
misuse 'tegula_add_kernels(scaling SOURCES scale.cpp other.cpp C_ABI C_PREFIX s_)' \
  'tegula_add_kernels(scaling): C_PREFIX is for one kernel file, since functions of several would have one name: leave it out, then each file has the prefix <stem>_, or call tegula_add_kernels for each'
misuse 'tegula_add_kernels(scaling SOURCES scale.cpp C_ABI C_PREFIX s-)' \
  "tegula_add_kernels(scaling): C_PREFIX 's-' does not begin a C name: it has letters, digits and '_'"
# Accepted, with a warning.
{ cat "$(dirname "$0")/consumer/CMakeLists.txt"
  printf '%s\n' 'add_library(other STATIC)' 'file(COPY_FILE scale.cpp other/scale.cpp)' 'tegula_add_kernels(other SOURCES other/scale.cpp)'
} > "$work/source/CMakeLists.txt"
mkdir -p "$work/source/other"
configure misuse || { cat "$work/log"; fail "two libraries with headers of one name are refused"; }
tr -s ' \n' ' ' < "$work/log" | grep -qF 'tegula_add_kernels(other): the library scaling has a header scale.h, too, and a program that links both finds only one of them by that name: include "other/scale.h" and say HEADER_FOLDER other, or rename one of the kernel files' ||
  { cat "$work/log"; fail "two libraries with headers of one name"; }
misuse 'tegula_add_kernels(nowhere SOURCES scale.cpp)' \
  'tegula_add_kernels(nowhere): there is no such target; call add_executable or add_library before'
misuse 'add_library(empty INTERFACE)
tegula_add_kernels(empty SOURCES scale.cpp)' 'so it cannot hold kernels; use a library or an executable'
misuse 'tegula_add_torch_ops(scaling SOURCES scale.cpp)' \
  'the target is no SHARED or MODULE library (STATIC_LIBRARY), and PyTorch loads operators from such'
misuse 'add_library(my_ops MODULE main.cpp)
tegula_add_torch_ops(my_ops SOURCES scale.cpp NAMESPACE my-ops)' "NAMESPACE 'my-ops' is no name of letters, digits and '_'"
misuse 'set(TEGULA_TORCH_PYTHON /bin/false)
add_library(my_ops MODULE main.cpp)
tegula_add_torch_ops(my_ops SOURCES scale.cpp)' \
  'tegula_add_torch_ops(my_ops): PyTorch 2.7 or newer was not found: pip install torch, and name its interpreter, -DTEGULA_TORCH_PYTHON=<python3>'
echo "package-$tree: built, run, edited twice, misused ten times"
