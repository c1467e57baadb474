// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Variables of the host that hold arrays.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL tg::array<float, 1> returns_input(tg::array<const float, 1> x) {
  // CHECK: arrays.cpp:[[@LINE+1]]:10: error: an array of const elements can only be read, and an entry returns an array that it made: auto o = tg::empty_like(x), stored to by a launch, and return o
  return x;
}

TEGULA_KERNEL void swaps(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  auto from = x;
  auto to = o;
  for (int i = 0; i < n; ++i) {
    tg::pallas_call([](auto x, auto o) { o[0] = x[0]; }, tg::in(from), tg::out(to));
    // CHECK: arrays.cpp:[[@LINE+1]]:8: error: an array is a view, not a value, and cannot be assigned this: a body stores to it, o[tg::all] = value; on the host, assign an array of the same type
    to = from;
    from = o;
  }
}
