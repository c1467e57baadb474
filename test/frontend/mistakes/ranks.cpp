// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// An array of any number of dimensions above 6 is refused in the same words, and at once.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: ranks.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the rank is out of range: an array has at most 6 dimensions
TEGULA_KERNEL void seven(tg::array<float, 7> o) {
  tg::pallas_call([](auto o) {}, tg::out(o));
}
// CHECK: ranks.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the rank is out of range: an array has at most 6 dimensions
TEGULA_KERNEL void many(tg::array<int, 1000000> o) {
  tg::pallas_call([](auto o) {}, tg::out(o));
}
