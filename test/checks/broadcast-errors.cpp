// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s -o - 2>&1 | FileCheck %s
// What is repeated in run-time extents has these along the dimensions that it has already.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: broadcast-errors.cpp:[[#@LINE+4]]:{{.*}}: error: these tiles may differ in extent along dimension 1: n and x.dim(0)
// CHECK: note: refuse other calls before the launch: tg::check(n == x.dim(0), "...")
// CHECK-NOT: error:
TEGULA_KERNEL void shorter(tg::array<const int, 1> x, tg::array<int, 1> o, tg::s64 n) {
  tg::pallas_call([=](auto x, auto o) { o[0] = tg::sum(tg::broadcast_to(x[tg::all], n, n)); }, tg::in(x), tg::out(o));
}
TEGULA_KERNEL void as_long(tg::array<const int, 1> x, tg::array<int, 1> o, tg::s64 n) {
  tg::check(n == x.dim(0), "n is the length of x");
  tg::pallas_call([=](auto x, auto o) { o[0] = tg::sum(tg::broadcast_to(x[tg::all], n, n)); }, tg::in(x), tg::out(o));
}
