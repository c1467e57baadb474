// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Axes are constants.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: not-constant.cpp:[[@LINE+1]]:41: error: the axis of dim must be known when the kernel is compiled: write a literal, a constexpr variable or a template parameter [tegula-not-constant]
        o[0] = static_cast<float>(x.dim(n));
        // CHECK: not-constant.cpp:[[@LINE+1]]:50: error: the axis of program_id must be known when the kernel is compiled: write a literal, a constexpr variable or a template parameter [tegula-not-constant]
        o[1] = static_cast<float>(tg::program_id(n));
      },
      tg::in(x), tg::out(o));
}
