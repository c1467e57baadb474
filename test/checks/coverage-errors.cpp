// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid that is known to have no programs stores nothing.
// RUN: not tegulac --emit=tile -o - %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL tg::array<float, 1> nothing(tg::s64 n) {
  auto o = tg::empty<float>(n);
  // CHECK: coverage-errors.cpp:[[@LINE+2]]:3: error: the grid has no programs, because grid axis 0 is 0: nothing is stored to o, which is tg::out [tegula-check-coverage]
  // CHECK: note: without .grid there is one program; {.grid = {n}} has n
  tg::pallas_call({.grid = {0}}, [](auto o) { o[tg::all] = 1; }, tg::out(o));
  return o;
}

/// Nothing is promised of what a program may change.
TEGULA_KERNEL void inout(tg::array<float, 1> o) {
  tg::pallas_call({.grid = {0}}, [](auto o) { o[0] = 1; }, tg::inout(o));
}
