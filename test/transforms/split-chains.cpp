// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of a row of which each needs the one before: code grows with their number, not with its square.
// RUN: tegulac --arch sm_90a --emit=tile-split -DLINKS=24 %s -o %t.24
// RUN: FileCheck %s --input-file %t.24
// RUN: grep -c 'tile.exp ' %t.24 | FileCheck %s --check-prefix=TWENTY_FOUR
// RUN: tegulac --arch sm_90a --emit=tile-split -DLINKS=48 %s -o - | grep -c 'tile.exp ' | FileCheck %s --check-prefix=FORTY_EIGHT
// RUN: tegulac --arch sm_90a --emit=tile-split -DLINKS=4 %s -o - | FileCheck %s --check-prefix=FEW
// Branches within branches are looked at once each: twice would take minutes here.
// RUN: tegulac --arch sm_90a --emit=tile-layout -DLINKS=48 %s -o - | FileCheck %s --check-prefix=LAYOUT
// RUN: tegulac --arch sm_90a -Rsplit --emit=tile-split -DLINKS=24 %s -o - 2>&1 | FileCheck %s --check-prefix=REMARK
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };

// The program, and two kernels, with and without vectors: in each what 24 stages reduce and what is stored, for full
// chunks and for the rest.
// TWENTY_FOUR: {{^}}212{{$}}
// FORTY_EIGHT: {{^}}428{{$}}
// LAYOUT: tile.kernel @chain_0(
//
// CHECK-LABEL: tile.kernel @chain_0_dense(
// CHECK: scf.for %[[STAGE:.*]] = %c0_i64 to %c24_i64 step %c1_i64 iter_args(
// CHECK:   %[[FIRST:.*]] = tile.extract
// CHECK:   scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (tensor<[[PIECE:[0-9]+]]xf32>)
// CHECK:     %[[X:.*]] = tile.load {{.*}} : <f32, {{.*}}> -> tensor<[[PIECE]]xf32>
// CHECK:     %[[IS0:.*]] = arith.cmpi eq, %[[STAGE]], %c0_i64
// CHECK:     scf.if %[[IS0]]
// CHECK:       tile.maximum %[[SUM]], %[[X]]
// CHECK:     } else {
// CHECK:       tile.full %[[FIRST]]
// CHECK:       %[[E:.*]] = tile.exp
// CHECK:       scf.if
// CHECK:         tile.maximum %[[SUM]], %[[E]]
// CHECK:   %[[NOW:.*]] = tile.reduce max %{{.*}} [0]
// CHECK:   tile.where %{{.*}}, %[[NOW]], %
//
// Rows of a few are made again for each.
// FEW-LABEL: tile.kernel @chain_0(
// FEW-NOT: tile.where {{.*}} tensor<f32>
// FEW: tile.return
//
// REMARK: remark: rows of any length: sequential in one thread group: registers for a whole row, at 32 elements a thread, would
// REMARK-SAME: take code for {{[0-9]+}} operations, more than 4096
TEGULA_KERNEL tg::array<float, 2> chain(tg::array<const float, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        auto row = x[tg::all];
#pragma unroll
        for (int i = 0; i < LINKS; ++i)
          row = tg::exp(row - tg::max(row));
        o[tg::all] = row;
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::out<tg::squeezed, tg::whole>(o, row_of));
  return o;
}
