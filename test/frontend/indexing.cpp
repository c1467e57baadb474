// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Brackets of refs and tiles.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void refs(tg::array<float, 3> x, int n) {
  tg::pallas_call(
      [=](auto x) {
        const auto t = x[tg::all];
        x[0, 1, 2] = t[0, n, 3];
        x[n, 2, 3] += 1;
        x[tg::all, tg::ds<2>(n), 1] = 2.0f;
        x.at(n)[tg::ds(0, n)] = 3.0f;
        tg::store(x.at(1, 2), 4);
        const auto u = x[0, tg::newaxis, tg::all, tg::ds<4>(0)][0, tg::ds<2>(0), tg::newaxis];
        x[0, tg::ds<2>(0), tg::ds<4>(0)] = u[tg::all, 0] + tg::load(x.at(1, 1, 1));
        x[0, 0, 0] = static_cast<float>(x.dim(1) + t.dim(2));
      },
      tg::inout<2, 4, 8>(x, [] { return tg::index(0, 0, 0); }));
}

// CHECK-LABEL: tile.entry @refs
// CHECK: tile.launch "refs_0" grid() args(inout [[V0:%[0-9A-Za-z_.]+]] = [[V1:%[0-9A-Za-z_.]+]] : !tile.array<f32, 3>, scalar [[V2:%[0-9A-Za-z_.]+]] = [[V3:%[0-9A-Za-z_.]+]] : i32) {
// CHECK: %cst = arith.constant 4.000000e+00 : f32
// CHECK: [[CST_0:%[0-9A-Za-z_.]+]] = arith.constant 3.000000e+00 : f32
// CHECK: [[CST_1:%[0-9A-Za-z_.]+]] = arith.constant 2.000000e+00 : f32
// CHECK: [[CST_2:%[0-9A-Za-z_.]+]] = arith.constant 1.000000e+00 : f32
// CHECK: [[V4:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][window %c0_i64, window %c0_i64, window %c0_i64] {spec} : <f32, [?, ?, ?]> -> <f32, [2?, 4?, 8?]>
// CHECK: [[V5:%[0-9A-Za-z_.]+]] = tile.load [[V4]] : <f32, [2?, 4?, 8?]> -> tensor<2x4x8xf32>
// CHECK: [[V6:%[0-9A-Za-z_.]+]] = arith.extsi [[V2]] : i32 to i64
// CHECK: [[V7:%[0-9A-Za-z_.]+]] = tile.subtile [[V5]][element %c0_i64, element [[V6]], element %c3_i64] : tensor<2x4x8xf32> -> tensor<f32>
// CHECK: [[V8:%[0-9A-Za-z_.]+]] = tile.extract [[V7]] : tensor<f32> -> f32
// CHECK: [[V9:%[0-9A-Za-z_.]+]] = tile.slice [[V4]][element %c0_i64, element %c1_i64, element %c2_i64] : <f32, [2?, 4?, 8?]> -> <f32, []>
// CHECK: [[V10:%[0-9A-Za-z_.]+]] = tile.full [[V8]] : f32 -> tensor<f32>
// CHECK: tile.store [[V10]], [[V9]] : tensor<f32>, <f32, []>
// CHECK: [[V11:%[0-9A-Za-z_.]+]] = tile.slice [[V4]][element [[V6]], element %c2_i64, element %c3_i64] : <f32, [2?, 4?, 8?]> -> <f32, []>
// CHECK: [[V12:%[0-9A-Za-z_.]+]] = tile.load [[V11]] : <f32, []> -> tensor<f32>
// CHECK: [[V13:%[0-9A-Za-z_.]+]] = tile.extract [[V12]] : tensor<f32> -> f32
// CHECK: [[V14:%[0-9A-Za-z_.]+]] = arith.addf [[V13]], [[CST_2]] : f32
// CHECK: [[V15:%[0-9A-Za-z_.]+]] = tile.full [[V14]] : f32 -> tensor<f32>
// CHECK: tile.store [[V15]], [[V11]] : tensor<f32>, <f32, []>
// CHECK: [[V16:%[0-9A-Za-z_.]+]] = tile.slice [[V4]][whole, window [[V6]], element %c1_i64] : <f32, [2?, 4?, 8?]> -> <f32, [2?, 2?]>
// CHECK: [[V17:%[0-9A-Za-z_.]+]] = tile.full [[CST_1]] : f32 -> tensor<2x2xf32>
// CHECK: tile.store [[V17]], [[V16]] : tensor<2x2xf32>, <f32, [2?, 2?]>
// CHECK: [[V18:%[0-9A-Za-z_.]+]] = tile.slice [[V4]][element [[V6]], whole, whole] : <f32, [2?, 4?, 8?]> -> <f32, [4?, 8?]>
// CHECK: [[V19:%[0-9A-Za-z_.]+]] = tile.slice [[V18]][window %c0_i64 size [[V6]], whole] : <f32, [4?, 8?]> -> <f32, [?, 8?]>
// CHECK: [[V20:%[0-9A-Za-z_.]+]] = tile.full [[CST_0]] : f32 -> tensor<?x8xf32>
// CHECK: tile.store [[V20]], [[V19]] : tensor<?x8xf32>, <f32, [?, 8?]>
// CHECK: [[V21:%[0-9A-Za-z_.]+]] = tile.slice [[V4]][element %c1_i64, element %c2_i64, whole] : <f32, [2?, 4?, 8?]> -> <f32, [8?]>
// CHECK: [[V22:%[0-9A-Za-z_.]+]] = tile.full %cst : f32 -> tensor<8xf32>
// CHECK: tile.store [[V22]], [[V21]] : tensor<8xf32>, <f32, [8?]>
// CHECK: [[V23:%[0-9A-Za-z_.]+]] = tile.slice [[V4]][element %c0_i64, whole, window %c0_i64] : <f32, [2?, 4?, 8?]> -> <f32, [4?, 4?]>
// CHECK: [[V24:%[0-9A-Za-z_.]+]] = tile.load [[V23]] : <f32, [4?, 4?]> -> tensor<4x4xf32>
// CHECK: [[V25:%[0-9A-Za-z_.]+]] = tile.broadcast [[V24]] [1, 2] : tensor<4x4xf32> -> tensor<1x4x4xf32>
// CHECK: [[V26:%[0-9A-Za-z_.]+]] = tile.subtile [[V25]][element %c0_i64, window %c0_i64, whole] : tensor<1x4x4xf32> -> tensor<2x4xf32>
// CHECK: [[V27:%[0-9A-Za-z_.]+]] = tile.broadcast [[V26]] [0, 2] : tensor<2x4xf32> -> tensor<2x1x4xf32>
// CHECK: [[V28:%[0-9A-Za-z_.]+]] = tile.subtile [[V27]][whole, element %c0_i64, whole] : tensor<2x1x4xf32> -> tensor<2x4xf32>
// CHECK: [[V29:%[0-9A-Za-z_.]+]] = tile.slice [[V4]][element %c1_i64, element %c1_i64, element %c1_i64] : <f32, [2?, 4?, 8?]> -> <f32, []>
// CHECK: [[V30:%[0-9A-Za-z_.]+]] = tile.load [[V29]] : <f32, []> -> tensor<f32>
// CHECK: [[V31:%[0-9A-Za-z_.]+]] = tile.extract [[V30]] : tensor<f32> -> f32
// CHECK: [[V32:%[0-9A-Za-z_.]+]] = tile.full [[V31]] : f32 -> tensor<2x4xf32>
// CHECK: [[V33:%[0-9A-Za-z_.]+]] = tile.add [[V28]], [[V32]] : tensor<2x4xf32>
// CHECK: [[V34:%[0-9A-Za-z_.]+]] = tile.slice [[V4]][element %c0_i64, window %c0_i64, window %c0_i64] : <f32, [2?, 4?, 8?]> -> <f32, [2?, 4?]>
// CHECK: tile.store [[V33]], [[V34]] : tensor<2x4xf32>, <f32, [2?, 4?]>
// CHECK: [[V35:%[0-9A-Za-z_.]+]] = tile.dim [[V4]], 1 : !tile.ref<f32, [2?, 4?, 8?]>
// CHECK: [[V36:%[0-9A-Za-z_.]+]] = tile.dim [[V4]], 2 : !tile.ref<f32, [2?, 4?, 8?]>
// CHECK: [[V37:%[0-9A-Za-z_.]+]] = arith.addi [[V35]], [[V36]] : i64
// CHECK: [[V38:%[0-9A-Za-z_.]+]] = arith.sitofp [[V37]] : i64 to f32
// CHECK: [[V39:%[0-9A-Za-z_.]+]] = tile.slice [[V4]][element %c0_i64, element %c0_i64, element %c0_i64] : <f32, [2?, 4?, 8?]> -> <f32, []>
// CHECK: [[V40:%[0-9A-Za-z_.]+]] = tile.full [[V38]] : f32 -> tensor<f32>
// CHECK: tile.store [[V40]], [[V39]] : tensor<f32>, <f32, []>
