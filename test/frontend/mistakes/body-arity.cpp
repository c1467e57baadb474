// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// The body takes one ref per spec.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> a) {
  // CHECK: body-arity.cpp:[[@LINE+1]]:7: error: the body of tg::pallas_call takes one parameter per tg::in, tg::out or tg::inout
  tg::pallas_call([](auto x, auto o) { (void)x, (void)o; }, tg::in(a));
}
