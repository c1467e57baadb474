// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Tiles out of nothing, and what a program knows.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void making(tg::array<tg::f16, 2> o, tg::f16 a, tg::u32 n) {
  tg::pallas_call(
      {.grid = {2, 3}},
      [=](auto o) {
        const auto t = o[tg::all];
        o[tg::all] = tg::full_like(t, a) + tg::zeros_like(t);
        const auto b =
            tg::broadcasted_iota<tg::f16, 1, 4, 8>() + tg::full<tg::f16, 4, 8>(0.5f) + tg::iota<tg::f16, 8>();
        o[tg::ds<4>(0), tg::ds<8>(0)] = b - tg::zeros<tg::f16, 1, 8>();
        o[tg::all] = tg::zeros<tg::f16>(o.dim(0), o.dim(1));
        tg::debug_print("{} of {}, {}", tg::program_id(1), tg::num_programs(0), n);
      },
      tg::inout(o));
}

// CHECK-LABEL: tile.entry @making
// CHECK: tile.launch "making_0" grid(%c2_i64, %c3_i64) args(inout [[V0:%[0-9A-Za-z_.]+]] = [[V1:%[0-9A-Za-z_.]+]] : !tile.array<f16, 2>, scalar [[V2:%[0-9A-Za-z_.]+]] = [[V3:%[0-9A-Za-z_.]+]] : f16, scalar [[V4:%[0-9A-Za-z_.]+]] = [[V5:%[0-9A-Za-z_.]+]] : i32) {
// CHECK: %cst = arith.constant 5.000000e-01 : f16
// CHECK: [[CST_0:%[0-9A-Za-z_.]+]] = arith.constant 0.000000e+00 : f16
// CHECK: [[V6:%[0-9A-Za-z_.]+]] = tile.dim [[V0]], 0 : !tile.ref<f16, [?, ?]>
// CHECK: [[V7:%[0-9A-Za-z_.]+]] = tile.dim [[V0]], 1 : !tile.ref<f16, [?, ?]>
// CHECK: [[V8:%[0-9A-Za-z_.]+]] = tile.full [[V2]] extents([[V6]], [[V7]]) : f16 -> tensor<?x?xf16>
// CHECK: [[V9:%[0-9A-Za-z_.]+]] = tile.full [[CST_0]] extents([[V6]], [[V7]]) : f16 -> tensor<?x?xf16>
// CHECK: [[V10:%[0-9A-Za-z_.]+]] = tile.add [[V8]], [[V9]] : tensor<?x?xf16>
// CHECK: tile.store [[V10]], [[V0]] : tensor<?x?xf16>, <f16, [?, ?]>
// CHECK: [[V11:%[0-9A-Za-z_.]+]] = tile.iota 1 : tensor<4x8xf16>
// CHECK: [[V12:%[0-9A-Za-z_.]+]] = tile.full %cst : f16 -> tensor<4x8xf16>
// CHECK: [[V13:%[0-9A-Za-z_.]+]] = tile.add [[V11]], [[V12]] : tensor<4x8xf16>
// CHECK: [[V14:%[0-9A-Za-z_.]+]] = tile.iota 0 : tensor<8xf16>
// CHECK: [[V15:%[0-9A-Za-z_.]+]] = tile.broadcast [[V14]] [1] : tensor<8xf16> -> tensor<4x8xf16>
// CHECK: [[V16:%[0-9A-Za-z_.]+]] = tile.add [[V13]], [[V15]] : tensor<4x8xf16>
// CHECK: [[V17:%[0-9A-Za-z_.]+]] = tile.full [[CST_0]] : f16 -> tensor<1x8xf16>
// CHECK: [[V18:%[0-9A-Za-z_.]+]] = tile.broadcast [[V17]] [0, 1] : tensor<1x8xf16> -> tensor<4x8xf16>
// CHECK: [[V19:%[0-9A-Za-z_.]+]] = tile.sub [[V16]], [[V18]] : tensor<4x8xf16>
// CHECK: [[V20:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][window %c0_i64, window %c0_i64] : <f16, [?, ?]> -> <f16, [4?, 8?]>
// CHECK: tile.store [[V19]], [[V20]] : tensor<4x8xf16>, <f16, [4?, 8?]>
// CHECK: tile.store [[V9]], [[V0]] : tensor<?x?xf16>, <f16, [?, ?]>
// CHECK: [[V21:%[0-9A-Za-z_.]+]] = tile.program_id 1
// CHECK: [[V22:%[0-9A-Za-z_.]+]] = tile.num_programs 0
// CHECK: tile.debug_print "{} of {}, {}", [[V21]], [[V22]], [[V4]] : i64, i64, i32 {is_unsigned = [false, false, true]}
