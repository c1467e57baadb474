// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -Rsplit tells the author how each launch is split, and why a dimension is not spread.
// RUN: tegulac -Rsplit --emit=tile-split %s -o %t 2>&1 | FileCheck %s
// RUN: tegulac --emit=tile-split %s -o %t.quiet 2>&1 | count 0
// RUN: diff %t %t.quiet
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };

// CHECK: .cpp:[[#@LINE+5]]:3: remark: a team of 256 threads takes a program
// CHECK: .cpp:[[#@LINE+8]]:20: remark: what is stored here is cut: dimension 0 gone through
// CHECK: .cpp:[[#@LINE+6]]:31: note: this number is wanted before, by every team
TEGULA_KERNEL tg::array<float, 2> less_its_greatest(tg::array<const float, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto greatest = tg::max(x[tg::all]);
        o[tg::all] = x[tg::all] - greatest;
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::out<tg::squeezed, tg::whole>(o, row_of));
  return o;
}

// CHECK: remark: what is stored here is cut: dimension 0 spread in sub-tiles of 1, dimension 1 gone through
// CHECK-SAME: by one team in pieces of 2048
// CHECK: .cpp:[[#@LINE+6]]:{{.*}}: note: this does not vary along dimension 1: teams that shared it would each
// CHECK-SAME: do this again
TEGULA_KERNEL tg::array<float, 2> less_their_sums(tg::array<const float, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto o) {
        const auto sums = tg::sum<1>(x[tg::all], tg::keepdims);
        o[tg::all] = x[tg::all] - sums;
      },
      tg::in(x), tg::out(o));
  return o;
}

// CHECK: remark: a team of 256 threads takes a sub-tile of a program, and other teams take the others
// CHECK: remark: what is stored here is cut: dimension 0 spread in sub-tiles of 128
TEGULA_KERNEL tg::array<float, 1> of_columns(tg::array<const float, 2> x) {
  auto o = tg::empty<float>(x.dim(1));
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::sum<0>(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}
