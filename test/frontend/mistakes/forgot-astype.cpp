// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// A store does not convert.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<tg::bf16, 1> o) {
  // CHECK: forgot-astype.cpp:[[@LINE+1]]:52: error: the element types differ, and an assignment does not convert: write tg::astype<...>(value)
  tg::pallas_call([=](auto x, auto o) { o[tg::all] = tg::exp(x[tg::all]); }, tg::in(x), tg::out(o));
}
