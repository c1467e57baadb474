// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Options and bodies of the explicit level.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::s64 n) {
  // CHECK: explicit-kernel.cpp:[[@LINE+1]]:3: error: tg::kernel has no option .grids: did you mean .grid?
  tg::kernel({.grids = {{"m", n}}}, [=] {});
  // CHECK: explicit-kernel.cpp:[[@LINE+1]]:3: error: tg::kernel takes its options in braces and in this order, {.grid = {{\{\{}}"m", m}}, .cluster = {{\{\{}}"c", 2}}, .threads = {"wg", 2}}, if there are any, then the body
  tg::kernel({.grid = {n}}, [=] {});
  // CHECK: explicit-kernel.cpp:[[@LINE+1]]:7: error: the body of tg::kernel has no parameters: it captures its arrays, [=]
  tg::kernel({.grid = {{"m", n}}}, [=](auto m) {});
  tg::kernel([=] {
    // CHECK: explicit-kernel.cpp:[[@LINE+1]]:11: error: an axis is named by a string literal, "m", or by a constexpr tg::axis
    (void)tg::axis_index(n);
    // CHECK: explicit-kernel.cpp:[[@LINE+1]]:9: error: this number of registers per CUDA thread is not valid: write a multiple of 8 from 24 to 256
    tg::set_max_registers<41>(tg::increase);
    // CHECK: explicit-kernel.cpp:[[@LINE+1]]:9: error: the body of tg::nd_loop takes one parameter, the step
    tg::nd_loop({n}, {}, [] {});
  });
}
