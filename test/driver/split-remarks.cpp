// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -Rsplit tells the author how each launch is split, and why a dimension is not spread.
// RUN: tegulac -Rsplit --arch=sm_90a --emit=tile-split %s -o %t 2>&1 | FileCheck %s
// RUN: tegulac --arch=sm_90a --emit=tile-split %s -o %t.quiet 2>&1 | count 0
// RUN: diff %t %t.quiet
// RUN: not tegulac --arch=sm_90a --split-variants=wrap --emit=tile-split %s -o %t 2>&1 | FileCheck %s --check-prefix=WRAP
// WRAP: error: no variant of a kernel is called 'wrap': there are vector, warp, half, block, cluster, small, tensor, split-k, private, none
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };

// CHECK: .cpp:[[#@LINE+10]]:3: remark: a thread group of 256 threads takes a program
// CHECK: .cpp:[[#@LINE+13]]:20: remark: what is stored here is cut: dimension 0 sequential
// CHECK: .cpp:[[#@LINE+11]]:31: note: this number is wanted before, by every thread group
// CHECK: .cpp:[[#@LINE+7]]:3: remark: rows of at most 1024 elements: a thread group of 32 threads keeps one in registers
// CHECK-SAME: (less_its_greatest_0_resident1024_dense)
// CHECK: remark: rows of at most 8192 elements: a thread group of 256 threads keeps one in registers
// CHECK: remark: rows of 9217 to 131072 elements, on chips with clusters: up to 16 CTAs share one, 8192 elements
// CHECK-SAME: each (less_its_greatest_0_cluster8192_dense)
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

// CHECK: remark: what is stored here is cut: dimension 0 parallel, in sub-tiles of 1, dimension 1 sequential
// CHECK-SAME: in one thread group, in chunks of 2048
// CHECK: .cpp:[[#@LINE+6]]:{{.*}}: note: this does not vary along dimension 1: thread groups that shared it would each
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

// CHECK: remark: a thread group of 256 threads takes a sub-tile of a program, and other thread groups take the others
// CHECK: remark: what is stored here is cut: dimension 0 parallel, in sub-tiles of 32
TEGULA_KERNEL tg::array<float, 1> of_columns(tg::array<const float, 2> x) {
  auto o = tg::empty<float>(x.dim(1));
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::sum<0>(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}

// CHECK: remark: a thread group of 256 threads takes a program
// CHECK: remark: x.dim(0) of at least 65536: a two-pass reduction: many programs make a partial result each, and one combines them
TEGULA_KERNEL tg::array<float, 0> of_all(tg::array<const float, 1> x) {
  auto o = tg::empty<float>();
  tg::pallas_call([](auto x, auto o) { o[] = tg::sum(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}

// CHECK: remark: fewer than 256 sub-tiles in all: those of products are smaller, of 64 (product_0_small_dense)
// CHECK: remark: fewer than 64 sub-tiles of 64 by 64, of sums over at least 16384 bytes of a row: split-K: many programs
// CHECK-SAME: sum a part each (product_0_partial), and others add these up (product_0_finish)
TEGULA_KERNEL tg::array<float, 2> product(tg::array<const float, 2> x, tg::array<const float, 2> y) {
  tg::check(x.dim(1) == y.dim(0), "x and y do not fit");
  auto o = tg::empty<float>(x.dim(0), y.dim(1));
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = tg::dot(x[tg::all], y[tg::all]); }, tg::in(x), tg::in(y),
                  tg::out(o));
  return o;
}
