// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Left factors that are computed in each step, from what TMA copies: consumers have them in registers.
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

// What is converted alone needs no mask: zeros behind the array stay zeros. The stage is free when the products are done:
// they read registers that the next step computes.
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (converted_0_tensor)
// CHECK-LABEL: tile.kernel @converted_0_tensor(
// CHECK: tile.alloc : <f32, [{{[0-9]}}, 128, 64], smem>
// CHECK: %[[MINE:.*]] = tile.slice %{{.*}}[window %{{.*}}, whole] : <f32, [128, 64], smem> -> <f32, [64, 64], smem>
// CHECK: %[[TILE:.*]] = tile.load %[[MINE]]
// CHECK-NOT: tile.where
// CHECK: %[[LEFT:.*]] = tile.cast %[[TILE]] : tensor<64x64xf32> -> tensor<64x64xbf16>
// CHECK: tile.wgmma %{{.*}}, %[[LEFT]], %{{.*}} : tensor<64x64xbf16>, <bf16, [64, 256], smem> -> tensor<64x256xf32>
// CHECK-NEXT: tile.wgmma_wait 0
// CHECK-NEXT: tile.barrier_arrive
struct Converted {
  static auto of(auto x) { return tg::astype<tg::bf16>(x); }
};
TEGULA_INSTANTIATE("converted", product<float, tg::bf16, Converted>);

// 1 is no zero.
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (increased_0_tensor)
// CHECK-LABEL: tile.kernel @increased_0_tensor(
// CHECK: tile.add
// CHECK: %[[LEFT:.*]] = tile.where %{{.*}} : tensor<64x64xi1>, tensor<64x64xf16>
// CHECK: tile.wgmma %{{.*}}, %[[LEFT]],
struct Increased {
  static auto of(auto x) { return x + 1; }
};
TEGULA_INSTANTIATE("increased", product<tg::f16, tg::f16, Increased>);

// 8-bit factors do not come from registers to wgmma; warps compute them.
// REMARKS: all calls: not by wgmma: the left factor is not loaded as it stands
// REMARKS: tensor cores (mma.sync), in sub-tiles of 128 by 128 (of_integers_0_tensor_dense)
struct Halved {
  static auto of(auto x) { return x / 2; }
};
TEGULA_INSTANTIATE("of_integers", product<tg::s8, tg::s8, Halved, tg::s32>);

// REMARKS: all calls: not by wgmma: the right factor is not loaded as it stands
TEGULA_KERNEL void right(matrix<tg::bf16> a, matrix<float> b, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call([](auto a, auto b,
                     auto o) { o[tg::all] = tg::dot(a[tg::all], tg::astype<tg::bf16>(b[tg::all])); },
                  tg::in(a), tg::in(b), tg::out(o));
}
