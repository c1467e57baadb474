// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// No assembly.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: asm.cpp:[[@LINE+1]]:41: error: kernels cannot contain asm statements, which mean nothing on the CPU: use the functions of tegula/tegula.h, or tg::inline_ptx [tegula-asm]
  tg::pallas_call([=](auto x, auto o) { asm volatile("nop"); }, tg::in(x), tg::out(o));
}
