// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factors that are computed in each step, from what TMA copies: consumers have left ones of 16 bits in registers.
// RUN: tegulac -Rsplit --arch=sm_90a --emit=tile-expanded %s -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;

/// `Compute` makes the left factor.
template <class A, class B, class Compute, class Result = float>
TEGULA_KERNEL void product(matrix<A> a, matrix<B> b, tg::array<Result, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call([](auto a, auto b, auto o) { o[tg::all] = tg::dot(Compute::of(a[tg::all]), b[tg::all]); }, tg::in(a),
                  tg::in(b), tg::out(o));
}

// What is converted alone needs no mask: zeros behind the array stay zeros. A part of the sum is computed while the one
// before is multiplied. The stage is free when the products are done: they read registers that the next step computes.
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (converted_0_tensor)
// CHECK-LABEL: tile.kernel @converted_0_tensor(
// CHECK: tile.alloc : <f32, [{{[0-9]}}, 128, 64], smem>
// CHECK: %[[MINE:.*]] = tile.slice %{{.*}}[window %{{.*}}, whole] : <f32, [128, 64], smem> -> <f32, [64, 64], smem>
// CHECK: %[[FIRST:.*]] = tile.slice %[[MINE]][whole, window %c0{{.*}}] {{.*}} -> <f32, [64, 32], smem>
// CHECK: %[[TILE:.*]] = tile.load %[[FIRST]]
// CHECK-NOT: tile.where
// CHECK: %[[LEFT:.*]] = tile.cast %[[TILE]] : tensor<64x32xf32> -> tensor<64x32xbf16>
// CHECK: %[[SUM:.*]] = tile.wgmma %{{.*}}, %[[LEFT]], %{{.*}} : tensor<64x32xbf16>, <bf16, [32, 256], smem>
// CHECK: %[[SECOND:.*]] = tile.slice %[[MINE]][whole, window %c32{{.*}}] {{.*}} -> <f32, [64, 32], smem>
// CHECK: tile.load %[[SECOND]]
// CHECK-NOT: tile.where
// CHECK: tile.wgmma %[[SUM]], %{{.*}}, %{{.*}} : tensor<64x32xbf16>, <bf16, [32, 256], smem>
// CHECK-NEXT: tile.wgmma_wait 0
// CHECK-NEXT: tile.barrier_arrive
struct Converted {
  static auto of(auto x) { return tg::astype<tg::bf16>(x); }
};
TEGULA_INSTANTIATE("converted", product<float, tg::bf16, Converted>);

// 1 is no zero: the last step may have a mask.
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (increased_0_tensor)
// CHECK-LABEL: tile.kernel @increased_0_tensor(
// CHECK: tile.add
// CHECK: %[[LEFT:.*]] = scf.if %{{.*}} -> (tensor<64x32xf16>)
// CHECK-NEXT: arith.minsi
// CHECK: tile.where %{{.*}} : tensor<64x32xi1>, tensor<64x32xf16>
// CHECK: tile.wgmma %{{.*}}, %[[LEFT]],
struct Increased {
  static auto of(auto x) { return x + 1; }
};
TEGULA_INSTANTIATE("increased", product<tg::f16, tg::f16, Increased>);

// Factors of 8 bits do not come from registers: what is computed is staged in shared memory, each consumer its rows.
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (of_integers_0_tensor)
// CHECK-LABEL: tile.kernel @of_integers_0_tensor(
// CHECK: %empty{{.*}} = tile.alloc_barriers
// CHECK-NEXT: %[[STAGED:.*]] = tile.alloc : <i8, [{{[0-9]}}, 128, 128], smem>
// CHECK: tile.set_max_registers increase
// CHECK: %[[PLACE:.*]] = tile.slice %[[STAGED]][element %{{.*}}, whole, whole]
// CHECK: %[[MINE:.*]] = tile.slice %[[PLACE]][window %{{.*}}, whole]
// CHECK: tile.div
// CHECK: tile.store %{{.*}}, %[[MINE]]
// CHECK: tile.fence_shared
// CHECK: tile.wgmma %{{.*}}, %[[MINE]], %{{.*}} : !tile.ref<i8, [64, 128], smem>, <i8, [128, 256], smem>
struct Halved {
  static auto of(auto x) { return x / 2; }
};
TEGULA_INSTANTIATE("of_integers", product<tg::s8, tg::s8, Halved, tg::s32>);

// Right factors do, too: all consumers make some of the columns, and wait for the others. The stage is free when the
// next products have begun.
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (right_0_tensor)
// CHECK-LABEL: tile.kernel @right_0_tensor(
// CHECK-DAG: %[[COPIED:.*]] = tile.alloc : <i8, [[[STAGES:[0-9]]], 64, 256], smem>
// CHECK-DAG: %[[STAGED:.*]] = tile.alloc : <f16, [[[STAGES]], 64, 256], smem>
// CHECK: %[[COMPUTED:computed[_0-9]*]] = tile.alloc_barriers arrivals 2 : <[[STAGES]]>
// CHECK: tile.set_max_registers increase
// CHECK: %[[BLOCK:.*]] = tile.slice %[[COPIED]][element %[[STAGE:.*]], whole, whole]
// CHECK: %[[PLACE:.*]] = tile.slice %[[STAGED]][element %[[STAGE]], whole, whole]
// CHECK: %[[COLUMNS:.*]] = tile.slice %[[BLOCK]][whole, window %[[FIRST:[0-9]+]]]
// CHECK: %[[TILE:.*]] = tile.load %[[COLUMNS]]
// CHECK: %[[WEIGHTS:.*]] = tile.cast %[[TILE]] : tensor<64x64xi8> -> tensor<64x64xf16>
// CHECK: %[[MADE:.*]] = tile.slice %[[PLACE]][whole, window %[[FIRST]]]
// CHECK: tile.store %[[WEIGHTS]], %[[MADE]]
// CHECK: tile.fence_shared
// CHECK-NEXT: tile.barrier_arrive %[[COMPUTED]][%[[STAGE]]]
// CHECK-NEXT: tile.barrier_wait %[[COMPUTED]][%[[STAGE]]]
// CHECK: tile.wgmma %{{.*}}, %{{.*}}, %[[PLACE]] : !tile.ref<f16, [64, 64], smem>, <f16, [64, 256], smem>
// CHECK-NEXT: tile.wgmma_wait 1
TEGULA_KERNEL void right(matrix<tg::f16> a, matrix<tg::s8> b, tg::array<tg::f16, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call(
      [](auto a, auto b, auto o) {
        o[tg::all] = tg::astype<tg::f16>(tg::dot(a[tg::all], tg::astype<tg::f16>(b[tg::all])));
      },
      tg::in(a), tg::in(b), tg::out(o));
}

// What no step changes is made before the loop, for the columns that a consumer makes at a time.
// CHECK-LABEL: tile.kernel @scaled_0_tensor(
// CHECK: tile.set_max_registers increase
// CHECK: tile.load %{{.*}} : <f32, [64?]> -> tensor<64xf32>
// CHECK: tile.load %{{.*}} : <f32, [64?]> -> tensor<64xf32>
// CHECK: scf.for {{.*}}(tensor<64x256xf32>
// CHECK-NOT: xf32, [64?]
// CHECK: tile.wgmma
TEGULA_KERNEL void scaled(matrix<tg::f16> a, matrix<tg::s8> b, tg::array<const float, 1> s, tg::array<tg::f16, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::check(s.dim(0) == b.dim(1), "b and s do not fit");
  tg::pallas_call(
      [](auto a, auto b, auto s, auto o) {
        const auto weights = tg::astype<float>(b[tg::all]) * s[tg::newaxis, tg::all];
        o[tg::all] = tg::astype<tg::f16>(tg::dot(a[tg::all], tg::astype<tg::f16>(weights)));
      },
      tg::in(a), tg::in(b), tg::in(s), tg::out(o));
}

// What is transposed after all is transposed on its way.
// CHECK-LABEL: tile.kernel @turned_0_tensor(
// CHECK-DAG: %[[COPIED:.*]] = tile.alloc : <bf16, [{{[0-9]}}, 256, 64], smem>
// CHECK-DAG: %[[STAGED:.*]] = tile.alloc : <f16, [{{[0-9]}}, 256, 64], smem>
// CHECK: tile.copy_to_shared %{{.*}} : <bf16, [256?, 64?]>
// CHECK: tile.set_max_registers increase
// CHECK: tile.load %{{.*}} : <bf16, [64, 64], smem> -> tensor<64x64xbf16>
// CHECK-NOT: tile.permute
// CHECK: tile.wgmma
TEGULA_KERNEL void turned(matrix<tg::f16> a, matrix<tg::bf16> b, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(1) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(0), "a, b and o do not fit");
  tg::pallas_call(
      [](auto a, auto b, auto o) { o[tg::all] = tg::dot(a[tg::all], tg::transpose(tg::astype<tg::f16>(b[tg::all]))); },
      tg::in(a), tg::in(b), tg::out(o));
}

// Another product is no factor: sub-tiles of a row would each make it again.
// REMARKS: not on tensor cores: the program makes something for whole rows or columns of what it stores
TEGULA_KERNEL void chained(matrix<tg::f16> a, matrix<tg::f16> b, matrix<tg::f16> c, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && b.dim(1) == c.dim(0), "a, b and c do not fit");
  tg::check(o.dim(0) == a.dim(0) && o.dim(1) == c.dim(1), "o does not fit");
  tg::pallas_call(
      [](auto a, auto b, auto c, auto o) {
        o[tg::all] = tg::dot(a[tg::all], tg::astype<tg::f16>(tg::dot(b[tg::all], c[tg::all])));
      },
      tg::in(a), tg::in(b), tg::in(c), tg::out(o));
}

// Of what both factors are made of, each tile is looked at once, by however many ways they come to it.
// REMARKS: tensor cores, in sub-tiles of 128 by {{[0-9]+}} (shared_terms_0_tensor)
template <class Tile> auto of_shared_terms(Tile x) {
#pragma unroll
  for (int i = 0; i < 30; ++i)
    x = x * x + x;
  return x;
}
TEGULA_KERNEL void shared_terms(matrix<tg::f16> a, matrix<tg::f16> b, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call(
      [](auto a, auto b, auto o) { o[tg::all] = tg::dot(of_shared_terms(a[tg::all]), of_shared_terms(b[tg::all])); },
      tg::in(a), tg::in(b), tg::out(o));
}
