// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sliced-K: where a sub-tile has rows for one consumer alone, several take its steps in turn, and one adds up what they
// have.
// RUN: tegulac -Rsplit --arch=sm_90a --emit=tile-expanded %s -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;

/// more (M, N) + x (M, K) by the transpose of w (N, K).
template <int rows, int columns, int depth, int stages = 0>
TEGULA_KERNEL void product(matrix<tg::bf16> x, matrix<tg::s8> w, matrix<float> more, tg::array<float, 2> o) {
  tg::check(x.dim(1) == w.dim(1) && o.dim(0) == x.dim(0) && o.dim(1) == w.dim(0), "shapes");
  tg::check(more.dim(0) == o.dim(0) && more.dim(1) == o.dim(1), "shapes");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), rows), tg::cdiv(o.dim(1), columns)}, .num_stages = stages},
      [](auto x, auto w, auto more, auto o) {
        auto sum = more[tg::all];
        for (tg::s64 k = 0; k < w.dim(1); k += depth)
          sum +=
              tg::dot(x[tg::all, tg::ds<depth>(k)], tg::transpose(tg::astype<tg::bf16>(w[tg::all, tg::ds<depth>(k)])));
        o[tg::all] = sum;
      },
      tg::in<rows, tg::any>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<columns, tg::any>(w, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<rows, columns>(more, [](auto i, auto j) { return tg::index(i, j); }),
      tg::out<rows, columns>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

// Each step belongs to the consumer that its number says, from wherever in the ring the sub-tile begins. One alone
// begins with what the sum does.
// REMARKS: (few_0_tensor): 4 consumer warpgroups of 104 registers a thread, which take the steps of a sub-tile in turn
// CHECK-LABEL: tile.kernel @few_0_tensor(
// CHECK-SAME: threads = 640
// CHECK: %[[ME:.*]] = tile.thread_index
// CHECK: %[[EMPTY:.*]] = tile.alloc_barriers frees arrivals 1 : <8>
// CHECK: %[[SUMS:.*]] = tile.alloc : <f32, [3, 64, 16], smem>
// CHECK: %[[MEET:.*]] = tile.alloc_named_barriers threads 4 first 5 : <1>
// CHECK: tile.set_max_registers increase 104
// CHECK: scf.for {{.*}} iter_args(%[[START:.*]] = %c0_i64,
// CHECK: %[[MORE:.*]] = tile.load {{.*}} -> tensor<64x16xf32>
// CHECK: %[[BEHIND:.*]] = arith.subi %[[ME]], %[[START]]
// CHECK: %[[TURN:.*]] = arith.andi %[[BEHIND]], %c3_i64
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[TURN]], %c0_i64
// CHECK: %[[INIT:.*]] = scf.if %[[IS_FIRST]]
// CHECK-NEXT: scf.yield %[[MORE]]
// CHECK: tile.full
// CHECK: %[[STAGE:.*]] = arith.addi %[[START]], %[[TURN]]
// CHECK: %[[SUM:.*]]:3 = scf.for %{{.*}} = %[[TURN]] to %{{.*}} step %c4_i64 iter_args(%{{.*}} = %[[INIT]],
// CHECK: tile.wgmma {{.*}} -> tensor<64x16xf32>
// CHECK: tile.barrier_arrive %[[EMPTY]]
// CHECK: tile.named_barrier wait %[[MEET]]
// CHECK-NEXT: scf.if %[[IS_FIRST]] {
// CHECK-NEXT: } else {
// CHECK: tile.store %[[SUM]]#0
// CHECK: tile.named_barrier wait %[[MEET]]
// CHECK-NEXT: scf.if %[[IS_FIRST]] {
// CHECK: tile.slice %[[SUMS]][element %c0_i64, whole, whole]
// CHECK: tile.add %[[SUM]]#0
// CHECK: tile.slice %[[SUMS]][element %c1_i64, whole, whole]
// CHECK: tile.add
// CHECK: tile.slice %[[SUMS]][element %c2_i64, whole, whole]
// CHECK: %[[ALL:.*]] = tile.add
// CHECK: tile.store %[[ALL]]
TEGULA_INSTANTIATE("few", product<16, 64, 128>);

// Longer sums leave registers for two; stages that cannot be shared out, and rows for two consumers, for none beside.
// REMARKS: (wide_0_tensor_dense): 2 consumer warpgroups of 232 registers a thread, which take the steps
// REMARKS: (stages_0_tensor): 1 consumer warpgroup of 240 registers a thread, a producer of 40, and 3 stages
// REMARKS: (rows_0_tensor): 2 consumer warpgroups of 232 registers a thread, a producer of
TEGULA_INSTANTIATE("wide", product<128, 64, 64>);
TEGULA_INSTANTIATE("stages", product<16, 64, 128, 3>);
TEGULA_INSTANTIATE("rows", product<16, 128, 128>);

// Where the program says how many consumers there are, there are so many.
// REMARKS: (chosen_0_tensor): 4 consumer warpgroups
// REMARKS: (given_0_tensor): 1 consumer warpgroup of 240 registers
template <int consumers> TEGULA_KERNEL void left(matrix<tg::s8> w, matrix<tg::bf16> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == w.dim(1) && o.dim(0) == w.dim(0) && o.dim(1) == x.dim(1), "shapes");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 64), tg::cdiv(o.dim(1), 64)}, .num_consumers = consumers},
      [](auto w, auto x, auto o) {
        auto sum = tg::zeros<float, 64, 64>();
        for (tg::s64 k = 0; k < w.dim(1); k += 64)
          sum += tg::dot(tg::astype<tg::bf16>(w[tg::all, tg::ds<64>(k)]), x[tg::ds<64>(k), tg::all]);
        o[tg::all] = sum;
      },
      tg::in<64, tg::any>(w, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::any, 64>(x, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<64, 64>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
TEGULA_INSTANTIATE("chosen", left<0>);
TEGULA_INSTANTIATE("given", left<1>);
