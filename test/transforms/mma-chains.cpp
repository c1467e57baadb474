// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that are made of others of the same step, by mma.sync: all threads copy the right factors of one part of a
// step while they multiply those of the other one.
// RUN: tegulac -Rsplit --arch=sm_80 --emit=tile-expanded %s -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: tegulac --verify --arch=sm_80 --emit=tile-layout %s -o - | FileCheck %s --check-prefix=LAYOUT
// RUN: tegulac --arch=sm_80 --emit=ptx %s -o - | FileCheck %s --check-prefix=PTX
// RUN: tegulac --arch=sm_80 --emit=resources %s -o - | FileCheck %s --check-prefix=RESOURCES
// RUN: tegulac -Rsplit --arch=sm_75 --emit=tile-split %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TURING
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;

// RESOURCES-NOT: spills {{[1-9]}}

// TURING: remark: all calls: not on tensor cores: before sm_80 tegulac multiplies no products that are made of others on tensor cores (plain_0)

template <int Columns, int Keys, bool IsCausal, bool IsScaled, class T>
void attend(matrix<T> q, matrix<T> k, matrix<T> v, tg::array<T, 2> o) {
  constexpr int queries = 128;
  tg::check(q.dim(1) == Columns && k.dim(1) == Columns && v.dim(1) == Columns && k.dim(0) == v.dim(0), "q, k and v");
  tg::check(o.dim(0) == q.dim(0) && o.dim(1) == Columns, "o is as q is");
  tg::pallas_call(
      {.grid = {tg::cdiv(q.dim(0), queries)}, .approx_math = true},
      [](auto q, auto k, auto v, auto o) {
        auto greatest = tg::full<float, queries>(-tg::inf);
        auto total = tg::zeros<float, queries>();
        auto sum = tg::zeros<float, queries, Columns>();
        const auto stands = tg::program_id(0) * queries;
        tg::s64 end = k.dim(0);
        if constexpr (IsCausal)
          end = tg::minimum(end, stands + queries);
        for (tg::s64 i = 0; i < end; i += Keys) {
          auto block = q[tg::all];
          if constexpr (IsScaled)
            block = tg::astype<T>(tg::astype<float>(block) * 0.5f);
          auto scores = tg::dot(block, tg::transpose(k[tg::ds<Keys>(i)]));
          if constexpr (IsCausal) {
            const auto key = tg::iota<int, Keys>() + static_cast<int>(i);
            const auto stand = tg::iota<int, queries>() + static_cast<int>(stands);
            scores = tg::where(key[tg::newaxis, tg::all] <= stand[tg::all, tg::newaxis], scores, -tg::inf);
          }
          const auto next = tg::maximum(greatest, tg::max<1>(scores));
          const auto correction = tg::exp(greatest - next);
          const auto weights = tg::exp(scores - next[tg::all, tg::newaxis]);
          total = total * correction + tg::sum<1>(weights);
          sum = sum * correction[tg::all, tg::newaxis] + tg::dot(tg::astype<T>(weights), v[tg::ds<Keys>(i)]);
          greatest = next;
        }
        o[tg::all] = tg::astype<T>(sum / total[tg::all, tg::newaxis]);
      },
      tg::in<queries, Columns>(q, [](auto i) { return tg::index(i, 0); }),
      tg::in<tg::whole, Columns>(k, [](auto) { return tg::index(0, 0); }),
      tg::in<tg::whole, Columns>(v, [](auto) { return tg::index(0, 0); }),
      tg::out<queries, Columns>(o, [](auto i) { return tg::index(i, 0); }));
}

// Three parts are ahead of the one that is waited for. The first loop has no masks, the second one the last keys'.
// REMARKS: remark: arrays that are aligned to 16 bytes, as their rows are: tensor cores (mma.sync), in sub-tiles of 128 rows (plain_0_tensor_dense): 8 warps, and 2 stages
// CHECK-LABEL: tile.kernel @plain_0_tensor_dense(
// CHECK-SAME: attributes {group = 128 : i64, threads = 256 : i64
// CHECK-DAG: %[[K:.*]] = tile.alloc : <f16, [2, 64, 64], smem>
// CHECK-DAG: %[[Q:.*]] = tile.alloc : <f16, [128, 64], smem>
// CHECK: scf.if
// CHECK:   tile.cp_async %{{.*}}, %[[Q]] : <f16, [128?, 64], align 16 even>, <f16, [128, 64], smem>
// CHECK-NOT: tile.cp_async_commit
// CHECK:   tile.cp_async %{{.*}} if %{{.*}} : <f16, [64?, 64], align 16 even>, <f16, [64, 64], smem>
// CHECK-COUNT-3: tile.cp_async_commit
// CHECK:   scf.for
// CHECK-NOT: tile.where
// CHECK:     tile.cp_async_wait 2
// CHECK:     tile.cp_async %{{.*}} if
// CHECK-NEXT: tile.cp_async_commit
// CHECK:     tile.load %{{.*}} : <f16, [64, 16], smem> -> tensor<64x16xf16>
// CHECK:     tile.mma rows
// CHECK-COUNT-3: tile.mma rows {{.*}} -> tensor<64x64xf32>
// CHECK:     tile.cp_async_wait 2
// CHECK:     tile.cp_async %{{.*}} if
// CHECK-NEXT: tile.cp_async_commit
// CHECK:     tile.reduce max
// CHECK:     tile.reduce sum
// CHECK:     %[[W:.*]] = tile.cast
// CHECK:     tile.subtile %[[W]][whole, window %c0_i64] : tensor<64x64xf16> -> tensor<64x16xf16>
// CHECK:     tile.mma rows
// CHECK:     tile.subtile %[[W]][whole, window %c48_i64]
// CHECK:   scf.for
// CHECK:     tile.where
// CHECK:     tile.reduce max
// A warp has whole rows, and what is made of them is a left factor as it lies.
// LAYOUT-LABEL: tile.kernel @plain_0_tensor_dense(
// LAYOUT-NOT: tile.relayout
// LAYOUT: tile.subtile {{.*}} : tensor<64x64xf16, #tile.layout<linear<register [(0, 1), (8, 0), (0, 8)], lane [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp [(16, 0), (32, 0)] -> (d0 64, d1 16)>>>
// LAYOUT-NOT: tile.relayout
// LAYOUT-LABEL: tile.kernel @
// PTX-LABEL: .entry plain_0_tensor_dense(
// PTX: cp.async.cg.shared.global
// PTX: cp.async.wait_group 2;
// PTX: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// PTX: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// PTX: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
TEGULA_KERNEL void plain(matrix<tg::f16> q, matrix<tg::f16> k, matrix<tg::f16> v, tg::array<tg::f16, 2> o) {
  attend<64, 64, false, false>(q, k, v, o);
}

// There is room for one stage: keys are copied while the product with values is computed, and values before.
// CHECK-LABEL: tile.kernel @wide_0_tensor_dense(
// CHECK-DAG: tile.alloc : <bf16, [1, 128, 128], smem>
// CHECK-DAG: tile.alloc : <bf16, [1, 128, 128], smem>
// CHECK-DAG: tile.alloc : <bf16, [128, 128], smem>
// CHECK: tile.cp_async_commit
// CHECK-NOT: tile.cp_async_commit
// CHECK: scf.for
// CHECK: tile.cp_async_wait 0
// CHECK: tile.cp_async_commit
// CHECK: tile.cp_async_wait 0
TEGULA_KERNEL void wide(matrix<tg::bf16> q, matrix<tg::bf16> k, matrix<tg::bf16> v, tg::array<tg::bf16, 2> o) {
  attend<128, 128, false, false>(q, k, v, o);
}

// Consumers store what they compute of the rows that they have, once.
// CHECK-LABEL: tile.kernel @scaled_0_tensor_dense(
// CHECK: %[[Q:.*]] = tile.alloc : <f16, [128, 64], smem swizzle 128>
// CHECK: scf.if
// CHECK:   tile.slice %[[Q]][window
// CHECK:   tile.store {{.*}} : tensor<64x64xf16>, <f16, [64, 64], smem swizzle 128>
// CHECK:   scf.for
// CHECK-NOT: tile.store
// CHECK:     scf.yield
TEGULA_KERNEL void scaled(matrix<tg::f16> q, matrix<tg::f16> k, matrix<tg::f16> v, tg::array<tg::f16, 2> o) {
  attend<64, 64, false, true>(q, k, v, o);
}

// Each consumer has steps without masks up to its own rows.
// CHECK-LABEL: tile.kernel @causal_0_tensor_dense(
// CHECK: scf.for
// CHECK-NOT: tile.where
// CHECK: scf.yield
// CHECK: scf.for
// CHECK: tile.where
// CHECK: tile.reduce max
TEGULA_KERNEL void causal(matrix<tg::f16> q, matrix<tg::f16> k, matrix<tg::f16> v, tg::array<tg::f16, 2> o) {
  attend<64, 64, true, false>(q, k, v, o);
}

// REMARKS: remark: all calls: not on tensor cores: products that are made of others have their right factor in common: {{.*}} (twice_0)
TEGULA_KERNEL void twice(matrix<tg::f16> x, tg::array<const tg::f16, 3> w, tg::array<float, 2> o) {
  tg::check(x.dim(1) == 64 && w.dim(1) == 64 && w.dim(2) == 64, "x and w do not fit");
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == 64, "o does not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 64)}},
      [](auto x, auto w, auto o) {
        auto sum = tg::zeros<float, 64, 64>();
        for (tg::s64 i = 0; i < w.dim(0); ++i)
          sum += tg::dot(tg::astype<tg::f16>(tg::dot(x[tg::all], w[i])), w[i]);
        o[tg::all] = sum;
      },
      tg::in<64, 64>(x, [](auto i) { return tg::index(i, 0); }),
      tg::in<tg::whole, 64, 64>(w, [](auto) { return tg::index(0, 0, 0); }),
      tg::out<64, 64>(o, [](auto i) { return tg::index(i, 0); }));
}
