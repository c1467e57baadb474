// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Few sub-tiles of products, and long sums: partial sums, and what adds them up.
// RUN: tegulac --arch=sm_90a --emit=tile-split %s -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t --check-prefix=PLAN
// RUN: tegulac --arch=sm_90a --emit=tile-split --split-variants=vector,small,tensor %s -o - | FileCheck %s --check-prefix=ONE
// RUN: tegulac --arch=sm_90a --emit=resources %s -o - | FileCheck %s --check-prefix=RESOURCES
// Parts begin together, behind the grid before them; what adds them up need not wait for its end to be placed.
// RUN: tegulac --arch=sm_90a --emit=stub %s -o %t.stub && FileCheck %s --input-file=%t.stub.cpp --check-prefix=STUB
// STUB: launch({{.*}}_partial{{.*}}, {{[{].*, 384, 0, false[}]}},
// STUB: launch({{.*}}_finish, {{[{][^,]*, [0-9]*[}]}},
// ONE-NOT: _partial
// RESOURCES-NOT: spills {{[1-9]}}
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;
constexpr auto rows_of = [](auto i, auto) { return tg::index(i, 0); };
constexpr auto columns_of = [](auto, auto j) { return tg::index(0, j); };
constexpr auto block_of = [](auto i, auto j) { return tg::index(i, j); };

// The host counts sub-tiles and steps: 128 sub-tiles keep a chip busy, a part has 8 steps of 128 bytes or more; there are
// fewer than 64 narrow sub-tiles, and 3 parts or more, of 128 steps or more. Partial sums have rows of whole vectors.
// PLAN-LABEL: tile.launch "by_steps_0"
// PLAN: plan (%[[GRID0:.*]], %[[GRID1:.*]], %[[A:.*]], %[[B:.*]], %[[BIAS:.*]], %[[O:.*]]) {
// PLAN: %[[STEPS:.*]] = arith.divsi %{{.*}}, %c64_i64
// PLAN: %[[PROGRAMS:.*]] = arith.muli %{{.*}}, %[[GRID1]]
// PLAN: %[[TILES:.*]] = arith.maxsi %[[PROGRAMS]], %c1_i64{{.*}}
// PLAN: %[[WANTED:.*]] = arith.divsi %c128_i64{{.*}}, %[[TILES]]
// PLAN: %[[EACH:.*]] = arith.maxsi %{{.*}}, %c8_i64
// PLAN: %[[PARTS:.*]] = arith.divsi
// PLAN: arith.cmpi slt, %{{.*}}, %c64_i64
// PLAN: arith.cmpi sge, %[[PARTS]], %c3_i64
// PLAN: arith.cmpi sge, %[[STEPS]], %c128_i64
// PLAN: %[[CAN_A:.*]] = tile.can_map %[[A]]
// PLAN: %[[CAN_B:.*]] = tile.can_map %[[B]]
// PLAN: %[[CAN:.*]] = arith.andi %[[CAN_A]], %[[CAN_B]]
// PLAN: %[[PASSES:.*]] = arith.andi %{{.*}}, %[[CAN]]
// PLAN: scf.if %[[PASSES]] {
// PLAN:   %[[PARTIAL:.*]] = tile.empty(%[[PARTS]], %{{.*}}, %{{.*}}) : <f32, 3>
// PLAN:   tile.launch_kernel @by_steps_0_partial_tensor blocks({{.*}}) (%[[A]], %[[B]], %[[EACH]], %[[PARTIAL]]
// PLAN:   tile.launch_kernel @by_steps_0_finish blocks({{.*}}) (%[[BIAS]], %[[O]], %[[PARTIAL]]
// PLAN: } else {
// PLAN:   @by_steps_0_tensor blocks
// PLAN:   @by_steps_0_tensor_small blocks
// PLAN:   @by_steps_0_tensor_any blocks

// A part of the loop, and its sums: all of them, since their array is cut where the result's is.
// CHECK-LABEL: tile.kernel @by_steps_0_partial_tensor(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !tile.ref<bf16, [?, ?]>, %[[B:[a-z0-9]+]]: !tile.ref<bf16, [?, ?]>, %[[EACH:[a-z0-9]+]]: i64, %[[PARTIAL:[a-z0-9_]+]]: !tile.ref<f32, [?, ?, ?]> {tile.can_be_copied}
// CHECK: %[[STEP:.*]] = arith.muli %[[EACH]], %c1_i64
// CHECK: %[[BEFORE:.*]] = arith.muli %[[PART:.*]], %[[STEP]]
// CHECK: %[[START:.*]] = arith.addi %{{.*}}, %[[BEFORE]]
// CHECK: %[[BEHIND:.*]] = arith.addi %[[START]], %[[STEP]]
// CHECK: %[[END:.*]] = arith.minsi %{{.*}}, %[[BEHIND]]
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %[[START]] to %[[END]] step {{.*}} -> (tensor<64x256xf32>)
// CHECK: %[[PLANE:.*]] = tile.slice %[[PARTIAL]][element %[[PART]], whole, whole]
// CHECK: %[[BLOCK:.*]] = tile.slice %[[PLANE]][window %{{.*}}, window %{{.*}}] : <f32, [?, ?]> -> <f32, [128?, 256?]>
// CHECK: tile.store %[[SUM]], %{{.*}} : tensor<64x256xf32>
// CHECK-NOT: tile.store

// The program, in sub-tiles of a few elements, without its loop.
// CHECK-LABEL: tile.kernel @by_steps_0_finish(
// CHECK-NOT: tile.dot
// CHECK: tile.reduce sum %{{.*}} [0] : tensor<{{.*}}x1x32xf32> -> tensor<1x32xf32>
// CHECK: tile.add
// CHECK: tile.cast
// CHECK: tile.store %{{.*}} : tensor<1x32xbf16>
TEGULA_KERNEL void by_steps(matrix<tg::bf16> a, matrix<tg::bf16> b, tg::array<const float, 1> bias,
                            tg::array<tg::bf16, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::check(bias.dim(0) == o.dim(1), "the bias does not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 256)}},
      [](auto a, auto b, auto bias, auto o) {
        auto sum = tg::zeros<float, 128, 256>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k)
          sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], b[tg::ds<64>(64 * k), tg::all]);
        o[tg::all] = tg::astype<tg::bf16>(sum + bias[tg::newaxis, tg::all]);
      },
      tg::in<128, tg::whole>(a, rows_of), tg::in<tg::whole, 256>(b, columns_of),
      tg::in<256>(bias, [](auto, auto j) { return tg::index(j); }), tg::out<128, 256>(o, block_of));
}

// Of whole rows, chunks that are multiples of a step, which TMA copies as if they ended with their arrays.
// CHECK-LABEL: tile.kernel @of_arrays_0_partial_tensor(
// CHECK-SAME: %[[EACH:[a-z0-9]+]]: i64
// CHECK: %[[BEFORE:.*]] = arith.muli %{{.*}}, %[[EACH]] : i64
// CHECK: %[[START:.*]] = arith.muli %[[BEFORE]], %c64_i64
// CHECK: %[[SIZE:.*]] = arith.muli %[[EACH]], %c64_i64
// CHECK: tile.slice %{{.*}}[window %[[START]] size %[[SIZE]], whole]
// CHECK: tile.slice %{{.*}}[window %[[START]] size %[[SIZE]], whole]
// CHECK: scf.for {{.*}} -> (tensor<64x256xf32>)
// CHECK: tile.permute
// CHECK: tile.dot
// CHECK-LABEL: tile.kernel @of_arrays_0_finish(
// CHECK: tile.load
// CHECK: tile.reduce sum
TEGULA_KERNEL void of_arrays(matrix<tg::bf16> x, matrix<tg::bf16> g, tg::array<float, 2> o) {
  tg::check(x.dim(0) == g.dim(0) && o.dim(0) == x.dim(1) && o.dim(1) == g.dim(1), "x, g and o do not fit");
  tg::pallas_call(
      [](auto x, auto g, auto o) { o[tg::all] = o[tg::all] + tg::dot(tg::transpose(x[tg::all]), g[tg::all]); },
      tg::in(x), tg::in(g), tg::inout(o));
}

// Each sum has its own plane, and begins in the second pass with what the program says.
// PLAN-LABEL: tile.launch "of_two_0"
// PLAN: tile.empty({{.*}}) : <f32, 3>
// PLAN: tile.empty({{.*}}) : <f32, 3>
// CHECK-LABEL: tile.kernel @of_two_0_partial_tensor(
// CHECK-NOT: tile.load {{.*}}f32
// CHECK: tile.full {{.*}} -> tensor<64x128xf32>
// CHECK: tile.store
// CHECK: tile.store
// CHECK-LABEL: tile.kernel @of_two_0_finish(
// CHECK: tile.reduce sum
// CHECK: tile.reduce sum
// CHECK: tile.mul
TEGULA_KERNEL void of_two(matrix<tg::bf16> x, matrix<tg::bf16> w, matrix<tg::bf16> v, tg::array<const float, 2> c,
                          tg::array<float, 2> o) {
  tg::check(x.dim(1) == w.dim(0) && x.dim(1) == v.dim(0) && o.dim(0) == x.dim(0), "the factors do not fit");
  tg::check(o.dim(1) == w.dim(1) && o.dim(1) == v.dim(1), "o does not fit");
  tg::check(c.dim(0) == o.dim(0) && c.dim(1) == o.dim(1), "c does not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 128), tg::cdiv(w.dim(1), 128)}},
      [](auto x, auto w, auto v, auto c, auto o) {
        auto first = c[tg::all];
        auto second = tg::zeros<float, 128, 128>();
        for (tg::s64 k = 0; k < tg::cdiv(x.dim(1), 64); ++k) {
          first += tg::dot(x[tg::all, tg::ds<64>(64 * k)], w[tg::ds<64>(64 * k), tg::all]);
          second += tg::dot(x[tg::all, tg::ds<64>(64 * k)], v[tg::ds<64>(64 * k), tg::all]);
        }
        o[tg::all] = first * second;
      },
      tg::in<128, tg::whole>(x, rows_of), tg::in<tg::whole, 128>(w, columns_of), tg::in<tg::whole, 128>(v, columns_of),
      tg::in<128, 128>(c, block_of), tg::out<128, 128>(o, block_of));
}
