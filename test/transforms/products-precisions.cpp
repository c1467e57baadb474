// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of float by three of what tensor cores multiply: one loop sums them, and each part is made once.
// RUN: tegulac -Rsplit --arch=sm_90a --emit=tile-expanded %s -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: tegulac --emit=tile %s | FileCheck %s --check-prefix=TILE
#include <tegula/tegula.h>
namespace tg = tegula;

using matrix = tg::array<const float, 2>;

template <tg::precision P> TEGULA_KERNEL void product(matrix a, matrix b, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call([](auto a, auto b, auto o) { o[tg::all] = tg::dot(a[tg::all], b[tg::all], {.precision = P}); },
                  tg::in(a), tg::in(b), tg::out(o));
}

// TILE: %[[FIRST:.*]] = tile.as_tf32 %[[A:.*]] :
// TILE: %[[REST:.*]] = tile.sub %[[A]], %[[FIRST]]
// TILE: tile.dot %[[REST]], %{{.*}} precision tf32
// TILE: tile.dot %[[A]], %{{.*}} precision tf32
// TILE: tile.dot %[[A]], %[[B:.*]] precision tf32

// The rests, and b in the other order, as tensor cores want it: a itself they take as it is.
// REMARKS: tensor cores, in sub-tiles of 128 by 128 (tf32x3_0_tensor)
// CHECK-LABEL: tile.kernel @tf32x3_0_tensor(
// CHECK-COUNT-3: tile.alloc : <f32, [2, 128, 32], smem>
// CHECK: tile.set_max_registers increase
// CHECK: scf.for {{.*}}(tensor<64x128xf32>, i64, i1)
// CHECK-COUNT-3: tile.wgmma %
// CHECK-NEXT: tile.wgmma_wait 3
TEGULA_INSTANTIATE("tf32x3", product<tg::precision::tf32x3>);

// Parts of a are in registers, those of b in shared memory.
// REMARKS: tensor cores, in sub-tiles of 128 by 128 (bf16x3_0_tensor)
// CHECK-LABEL: tile.kernel @bf16x3_0_tensor(
// CHECK-COUNT-2: tile.alloc : <bf16, [2, 64, 128], smem>
// CHECK: %[[REST:.*]] = tile.cast %{{.*}} : tensor<64x64xf32> -> tensor<64x64xbf16>
// CHECK: %[[SUM:.*]] = tile.wgmma %{{.*}}, %{{.*}}, %[[RIGHT:.*]] : tensor<64x64xbf16>, <bf16, [64, 128], smem>
// CHECK: %[[NEXT:.*]] = tile.wgmma %[[SUM]], %[[LEFT:.*]], %{{.*}} : tensor<64x64xbf16>, <bf16, [64, 128], smem>
// CHECK: tile.wgmma %[[NEXT]], %[[LEFT]], %[[RIGHT]] : tensor<64x64xbf16>, <bf16, [64, 128], smem>
TEGULA_INSTANTIATE("bf16x3", product<tg::precision::bf16x3>);

// Products that are added up, to something else, too, are one sum.
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (added_0_tensor_dense)
// CHECK-LABEL: tile.kernel @added_0_tensor_dense(
// CHECK: tile.set_max_registers increase
// CHECK: scf.for {{.*}}(tensor<64x256xf32>, i64, i1)
// CHECK-COUNT-3: tile.wgmma %
// CHECK-NEXT: tile.wgmma_wait 0
TEGULA_KERNEL void added(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b, matrix c,
                         tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::check(c.dim(0) == o.dim(0) && c.dim(1) == o.dim(1), "c and o do not fit");
  tg::pallas_call(
      [](auto a, auto b, auto c, auto o) {
        const auto turned = tg::dot(tg::astype<tg::bf16>(tg::astype<float>(a[tg::all]) * 2.0f), b[tg::all]);
        o[tg::all] = c[tg::all] + (tg::dot(a[tg::all], b[tg::all]) + turned);
      },
      tg::in(a), tg::in(b), tg::in(c), tg::out(o));
}
