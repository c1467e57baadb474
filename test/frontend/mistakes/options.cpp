// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Options have names.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> o) {
  // CHECK: options.cpp:[[@LINE+1]]:3: error: tg::pallas_call takes its options in braces, {.grid = {m, n}}, if there are any, then the body, then one tg::in, tg::out or tg::inout per array
  tg::pallas_call({.grids = {4}}, [](auto o) { o[0, 0] = 1.0f; }, tg::out(o));
}
