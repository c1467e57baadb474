// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans along both dimensions of a block, which a reduction loops over in chunks: the outer loop carries no total of its
// scan, since each iteration has only some of the columns. The whole block is scanned, and a row is taken of it.
// RUN: tegulac --verify --emit=tile-split --arch=sm_90a %s -o - | FileCheck %s
// RUN: tegulac --verify --emit=tile-split --arch=sm_90a -DREVERSE=,tg::reverse %s -o - | FileCheck %s
#include <tegula/tegula.h>
namespace tg = tegula;
#ifndef REVERSE
#define REVERSE
#endif

// CHECK-LABEL: tile.kernel @scanned_twice_0(
// CHECK: scf.for {{.*}} -> (tensor<1x[[CHUNK:[0-9]+]]xi32>)
// CHECK: scf.for {{.*}} -> (tensor<1x[[CHUNK]]xi32>, tensor<1xi32>)
// CHECK: %[[ALL:.*]] = tile.scan sum %{{.*}}[0]{{.*}} : tensor<128x[[CHUNK]]xi32>
// CHECK: %[[ROW:.*]] = tile.take %[[ALL]]
// CHECK: tile.scan max %[[ROW]][1] init(
TEGULA_KERNEL void scanned_twice(tg::array<const int, 2> x, tg::array<int, 1> sums) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 100)}},
      [=](auto x, auto sums) { sums[] = tg::sum(tg::cummax<1>(tg::cumsum<0>(x[tg::all] REVERSE))); },
      tg::in<100, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),
      tg::out<tg::squeezed>(sums, [](auto i) { return tg::index(i); }));
}
