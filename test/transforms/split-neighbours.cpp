// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-tiles of programs whose elements share what they load, or load it along another dimension than they store along.
// RUN: tegulac --arch sm_90a --emit=tile-split --Rsplit %s -o %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=UNROLLED --input-file=%t
// RUN: tegulac --arch sm_90a --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s --check-prefix=LOADS --input-file=%t.ptx
// RUN: FileCheck %s --check-prefix=PAIRS --input-file=%t.ptx
#include <tegula/tegula.h>
namespace tg = tegula;

using matrix = tg::array<const float, 2>;

// Loops over neighbours become their steps, whose windows begin at constants; eight rows of a column need ten.
// CHECK: split-neighbours.cpp:[[@LINE+26]]:{{.*}}: remark: what is stored here is cut: dimension 0 parallel, in sub-tiles of 8, dimension 1 parallel, in sub-tiles of 256
// Rows of whole pairs, without masks: a thread has eight rows of two columns, which take ten rows of two pairs, and
// what the last sub-tiles have in common with those before is stored twice.
// UNROLLED-LABEL: tile.kernel @box_0_whole(
// UNROLLED-SAME: tile.loads_around
// UNROLLED-COUNT-2: arith.minsi
// UNROLLED-COUNT-9: tile.slice %x[window %c{{[0-2]}}_i64 size %{{.*}}, window %c{{[0-2]}}_i64 size %{{.*}}]
// UNROLLED-NOT: scf.if
// UNROLLED-LABEL: tile.kernel @box_0_dense(
// UNROLLED-NOT: scf.for
// UNROLLED-COUNT-9: tile.slice %x[window %c{{[0-2]}}_i64 size %{{.*}}, window %c{{[0-2]}}_i64 size %{{.*}}]
// PAIRS-LABEL: .entry box_0_whole(
// PAIRS-COUNT-20: ld.global.nc.v2.f32
// PAIRS-NOT: ld.global
// PAIRS-COUNT-8: st.global.v2.f32
// LOADS-LABEL: .entry box_0_dense(
// LOADS-COUNT-30: ld.global.nc.f32
// LOADS-NOT: ld.global
// LOADS: st.global
TEGULA_KERNEL void box(matrix x, tg::array<float, 2> o) {
  tg::check(x.dim(0) - 2 == o.dim(0) && x.dim(1) - 2 == o.dim(1), "o has not the inner elements of x");
  tg::pallas_call(
      [](auto x, auto o) {
        auto sum = x[tg::ds(0, o.dim(0)), tg::ds(0, o.dim(1))];
        for (int i = 1; i < 9; ++i)
          sum += x[tg::ds(i / 3, o.dim(0)), tg::ds(i % 3, o.dim(1))];
        o[tg::all] = sum;
      },
      tg::in(x), tg::out(o));
}

// Squares of rows and columns that are whole sectors of memory.
// CHECK: split-neighbours.cpp:[[@LINE+3]]:{{.*}}: remark: what is stored here is cut: dimension 0 parallel, in sub-tiles of 64, dimension 1 parallel, in sub-tiles of 64
TEGULA_KERNEL void transposed(matrix x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(1) && x.dim(1) == o.dim(0), "o is not x, transposed");
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::transpose(x[tg::all]); }, tg::in(x), tg::out(o));
}

// A row that is the same for all columns is no transposition.
// CHECK: split-neighbours.cpp:[[@LINE+4]]:{{.*}}: remark: what is stored here is cut: dimension 0 parallel, in sub-tiles of 1, dimension 1 parallel, in sub-tiles of 1024
TEGULA_KERNEL void scaled(matrix x, tg::array<const float, 1> factors, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && factors.dim(0) == x.dim(0), "shapes differ");
  tg::pallas_call(
      [](auto x, auto factors, auto o) { o[tg::all] = factors[tg::all][tg::all, tg::newaxis] * x[tg::all]; }, tg::in(x),
      tg::in(factors), tg::out(o));
}
