#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# projects.sh CASE SOURCE BUILD WORK CXX: the projects library/ and user/, compiled by CXX in WORK with tegulac of BUILD. CASE:
#   subproject   Tegula's runtime by add_subdirectory, in a project of C++ alone
#   compiler     Tegula's compiler by add_subdirectory: configured, and a file of it compiled by CXX
#   cross        a package of the runtime alone, for another machine by a toolchain file; make; then installed and used
#   host         what generated headers need of a host compiler
set -euo pipefail
case=$1 source=$2 build=$3 work=$4 cxx=$5
here=$(cd "$(dirname "$0")" && pwd)
cmake=${CMAKE_COMMAND:-cmake}
tegulac=$build/bin/tegulac
jobs=$(nproc)

fail() { printf 'FAILED: %s\n' "$@"; exit 1; }
quietly() { "$@" > "$work/log" 2>&1 || { cat "$work/log"; fail "$*"; }; }
says() { tr -s ' \n' ' ' < "$work/log" | grep -qF "$1" || { cat "$work/log"; fail "the message lacks: $1"; }; }
expect() { [[ $1 == "$2" ]] || fail "printed '$1', not '$2'"; }
rm -rf "$work"
mkdir -p "$work"
export CXX=$cxx
printed='6 9 4 8
doubled: there is nothing to double'

case $case in
subproject)
  quietly "$cmake" -G Ninja -S "$here/library" -B "$work/build" -DTEGULA_SOURCE="$source" -DTEGULA_BUILD_COMPILER=OFF -DTEGULA_INSTALL=ON \
    -DTEGULA_TEGULAC="$tegulac"
  grep -qx 'CMAKE_BUILD_TYPE:STRING=' "$work/build/CMakeCache.txt" || fail "the build type of the project is set"
  "$cmake" --build "$work/build" --target help > "$work/targets"
  if grep -E '(^|: )(docs|samples|benchmarks|gpu-bundle|lit-tools|install/local-tegula)[: ]' "$work/targets"; then fail "targets of Tegula's own"; fi
  quietly "$cmake" --build "$work/build" --parallel "$jobs"
  expect "$("$work/build/program" 2>&1 | sed 's/ (.*//')" "$printed"
  ;;
compiler)
  quietly "$cmake" -G Ninja -S "$here/library" -B "$work/build" -DTEGULA_SOURCE="$source" -DTEGULA_INSTALL=ON -DTEGULA_PCH=OFF
  quietly "$cmake" --build "$work/build" --parallel "$jobs" --target tegula/compiler/analysis/CMakeFiles/tegula_analysis.dir/Races.cpp.o
  ;;
cross)
  toolchain=$here/toolchains/cross.cmake
  quietly "$cmake" -G 'Unix Makefiles' -S "$source" -B "$work/tegula" -DTEGULA_BUILD_COMPILER=OFF -DTEGULA_BUILD_TESTS=OFF -DCMAKE_TOOLCHAIN_FILE="$toolchain"
  quietly "$cmake" --build "$work/tegula" --parallel "$jobs"
  quietly "$cmake" --install "$work/tegula" --prefix "$work/prefix"
  library=("$cmake" -G 'Unix Makefiles' -S "$here/library" -B "$work/build" -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_PREFIX_PATH="$work/prefix"
           -DCMAKE_INSTALL_PREFIX="$work/prefix")
  if "${library[@]}" > "$work/log" 2>&1; then fail "kernels without tegulac"; fi
  says 'tegula_add_kernels(scaling): this package of Tegula has the runtime without the compiler. Say where tegulac is, -DTEGULA_TEGULAC='
  if "${library[@]}" -DTEGULA_TEGULAC=/nowhere > "$work/log" 2>&1; then fail "kernels without a tegulac that exists"; fi
  says "TEGULA_TEGULAC is '/nowhere', and there is no such file"
  quietly "${library[@]}" -DTEGULA_TEGULAC="$tegulac"
  quietly "$cmake" --build "$work/build" --parallel "$jobs"
  expect "$("$work/build/program" 2>&1 | sed 's/ (.*//')" "$printed"
  quietly "$cmake" --install "$work/build"
  quietly "$cmake" -S "$here/user" -B "$work/user" -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_PREFIX_PATH="$work/prefix"
  quietly "$cmake" --build "$work/user"
  expect "$("$work/user/user")" "8 5"
  ;;
host)
  cd "$work"
  "$tegulac" "$here/library/kernels.cpp" --arch sm_90a -o kernels
  warnings='-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Wuseless-cast -Werror'
  [[ $("$cxx" --version) == *clang* ]] && warnings=${warnings/-Wuseless-cast/}
  # shellcheck disable=SC2086
  quietly "$cxx" -std=c++17 $warnings -I"$source/include" -c kernels.cpp
  # shellcheck disable=SC2086
  quietly "$cxx" -std=c++20 $warnings -I"$source/include" -c kernels.cpp
  if "$cxx" -std=c++17 -fno-exceptions -I"$source/include" -c kernels.cpp > "$work/log" 2>&1; then fail "compiled without exceptions"; fi
  says 'Tegula reports errors as exceptions, tegula::error: compile this file with exceptions (without -fno-exceptions)'
  # A kernel file is not for the host compiler: one error, and the end.
  if "$cxx" -std=c++20 -I"$source/include" -c "$here/library/kernels.cpp" > "$work/log" 2>&1; then fail "the host compiler compiles kernels"; fi
  says 'a kernel file is compiled by tegulac, not by the host compiler: name it in tegula_add_kernels(... SOURCES), and include its generated header'
  (($(wc -l < "$work/log") < 8)) || { cat "$work/log"; fail "more than that is said"; }
  # Nor is the host's header for a kernel file.
  echo '#include <tegula/runtime.h>' > kernel.cpp
  if "$tegulac" kernel.cpp -o out > "$work/log" 2>&1; then fail "a kernel file includes the runtime"; fi
  says 'a kernel file includes <tegula/tegula.h>; <tegula/runtime.h> is for host code'
  (($(grep -c error: "$work/log") == 1)) || { cat "$work/log"; fail "more than that is said"; }
  ;;
*) fail "no case $case" ;;
esac
echo "$case: passed"
