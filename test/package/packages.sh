#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# packages.sh PACKAGE SOURCE BUILD WORK CXX: packs BUILD, unpacks that in a folder whose path has a space, builds consumer/ with it by
# CMake, moves the folder, and builds consumer/ by make. PACKAGE: tarball, deb or wheel.
set -euo pipefail
package=$1 source=$2 build=$3 work=$4 cxx=$5
here=$(cd "$(dirname "$0")" && pwd)
cmake=${CMAKE_COMMAND:-cmake} cpack=${CPACK_COMMAND:-cpack} python=${PYTHON:-python3}

fail() { printf 'FAILED: %s\n' "$@"; exit 1; }
quietly() { "$@" > "$work/log" 2>&1 || { cat "$work/log"; fail "$*"; }; }
expect() { [[ $1 == "$2" ]] || fail "printed '$1', not '$2'"; }
rm -rf "$work"
mkdir -p "$work/dist"

# In $place: the package, whose prefix is $place/$below.
place=$work/one\ place
unpack() {
  mkdir -p "$place"
  case $package in
  tarball)
    quietly "$cpack" -G TGZ -B "$work/dist" --config "$build/CPackConfig.cmake"
    tar -C "$place" -xf "$work"/dist/*.tar.gz
    below=$(cd "$place" && echo *)
    ;;
  deb) # Compressed as the released one, it would take longer than all of the test.
    quietly "$cpack" -G DEB -B "$work/dist" -D CPACK_DEBIAN_COMPRESSION_TYPE=none --config "$build/CPackConfig.cmake"
    dpkg-deb -f "$work"/dist/*.deb > "$work/control"
    for field in 'Package: tegula' 'Depends: libc6' 'Recommends: g++' 'Maintainer: Tegula maintainers'; do
      grep -q "^$field" "$work/control" || { cat "$work/control"; fail "the package's control file lacks '$field'"; }
    done
    dpkg-deb -x "$work"/dist/*.deb "$place"
    below=usr
    ;;
  wheel)
    quietly "$cmake" --install "$build" --prefix "$work/prefix" --strip
    quietly "$python" -B "$source/cmake/wheel.py" --fast "$work/prefix" "$work/dist"
    quietly "$python" -m venv "$place"
    quietly "$place/bin/python3" -m pip install --no-deps --no-index --no-compile "$work"/dist/*.whl
    expect "$("$place/bin/tegulac" --version)" "tegulac $("$place/bin/python3" -m tegula --version)"
    below=$(realpath --relative-to="$place" "$("$place/bin/python3" -m tegula --prefix)")
    [[ -f $("$place/bin/python3" -m tegula --include-dir)/tegula/runtime.h ]] || fail "--include-dir"
    [[ -f $("$place/bin/python3" -m tegula --cmake-dir)/tegulaConfig.cmake ]] || fail "--cmake-dir"
    # NVIDIA's wheels would be beside it: their ptxas is taken, unless TEGULA_PTXAS names one.
    local nvidia=$place/$below/../nvidia/cu13/bin
    mkdir -p "$nvidia"
    printf '#!/bin/sh\ntouch "%s/ptxas-ran"\nexec "%s" "$@"\n' "$work" "$PTXAS" > "$nvidia/ptxas"
    chmod +x "$nvidia/ptxas"
    quietly env -u TEGULA_PTXAS "$place/bin/tegulac" --arch sm_90a --emit cubin -o "$work/doubled.cubin" "$here/library/kernels.cpp"
    [[ -f $work/ptxas-ran ]] || fail "tegulac does not take the ptxas of the wheel beside its own"
    export TEGULA_PTXAS=$PTXAS
    ;;
  *) fail "no package $package" ;;
  esac
}

# What tegulac has of its own is that of the installation, wherever it is.
check_own_files() {
  local prefix=$place/$below file
  for file in share/doc/tegula/{LICENSE,README.md,samples/from_cuda.md} share/doc/tegula/samples/CMakeLists.txt lib/tegula/clang/include/stddef.h; do
    [[ -f $prefix/$file ]] || fail "the package lacks $file"
  done
  { cat "$here/library/kernels.cpp"; echo '#include <stddef.h>'; } > "$work/own.cpp"
  quietly "$prefix/bin/tegulac" -MD -MF "$work/own.d" --emit=tile -o "$work/own.mlir" "$work/own.cpp"
  sed -i 's/\\ / /g' "$work/own.d"
  for file in include/tegula/tegula.h lib/tegula/language.pch lib/tegula/clang/include/stddef.h; do
    grep -qF "$prefix/$file" "$work/own.d" || { cat "$work/own.d"; fail "tegulac does not use $prefix/$file"; }
  done
  quietly "$python" -B "$source/test/pages/links.py" "$prefix/share/doc/tegula"
  if grep -rIlF -e "$build" -e "$work" "$prefix"; then fail "these files name folders of the build"; fi
}

use_by_cmake() { # COMPILER GENERATOR
  rm -rf "$work/by cmake"
  quietly "$cmake" -G "$2" -S "$work/source" -B "$work/by cmake" -DCMAKE_PREFIX_PATH="$place/$below" -DCMAKE_CXX_COMPILER="$1"
  quietly "$cmake" --build "$work/by cmake"
  expect "$("$work/by cmake/consumer")" "3 5 7 9 11"
  echo "$package: $1, $2"
}

# Each package with one compiler and generator, and one package with all. Clang 14 is Debian 12's own, where that is installed.
use_by_compilers() {
  case $package in
  tarball)
    local compiler generator
    for compiler in "$cxx" clang++-14 clang++-19; do
      for generator in Ninja "Unix Makefiles"; do
        if command -v "$compiler" > /dev/null; then use_by_cmake "$compiler" "$generator"; fi
      done
    done
    ;;
  deb) use_by_cmake "$cxx" Ninja ;;
  wheel) use_by_cmake clang++-19 "Unix Makefiles" ;;
  esac
}

use_by_make() {
  local make=(make -C "$work/source" CXX="$cxx") libdir
  libdir=$(dirname "$(find "$place/$below" -name tegula.pc)")
  export PKG_CONFIG_PATH=$libdir
  quietly "${make[@]}"
  expect "$("$work/source/out/consumer")" "3 5 7 9 11"
  "${make[@]}" -s -q || fail "make finds something to do after it has built everything"
  # A header goes: its rule without a command in out/scale.d keeps make from looking for it.
  rm "$work/source/include/factor.h"
  sed -i 's/#include "factor.h"/constexpr int factor = 3;/' "$work/source/scale.cpp"
  quietly "${make[@]}"
  expect "$("$work/source/out/consumer")" "4 7 10 13 16"
}

unpack
cp -r "$here/consumer" "$work/source"
check_own_files
use_by_compilers
mv "$place" "$work/another place"
place=$work/another\ place
check_own_files
use_by_make
du -h "$work"/dist/*.*
echo "$package: unpacked, used by CMake, moved, used by make"
