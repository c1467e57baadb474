// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// The host part: shapes, checks, branches, loops, several launches, helper functions.
#include <tegula/tegula.h>
namespace tg = tegula;

inline void clear(const tg::array<float, 1> &o) {
  tg::pallas_call([](auto o) { o[tg::all] = 0.0f; }, tg::out(o));
}
TEGULA_KERNEL tg::s64 shapes(tg::array<float, 1> x, tg::array<float, 1> y, int times, double scale) {
  tg::check(x.dim(0) % 2 == 0 && scale > 0.5, "x is even");
  if (x.size() > 10)
    clear(x);
  else
    return -1;
  tg::s64 blocks = tg::cdiv(x.dim(0), 8);
  for (int i = 0; i < times; ++i) {
    clear(y);
    blocks = tg::maximum(blocks, y.dim(0));
  }
  return blocks;
}
TEGULA_KERNEL tg::array<float, 1> swapped(tg::array<float, 1> x, tg::array<float, 1> y, bool flag) {
  auto a = x, b = y;
  if (flag) {
    const auto old = a;
    a = b;
    b = old;
  }
  clear(a);
  return b;
}

// CHECK-LABEL: tile.entry @shapes
// CHECK: %cst = arith.constant 5.000000e-01 : f64
// CHECK: [[V0:%[0-9A-Za-z_.]+]] = tile.dim [[V1:%[0-9A-Za-z_.]+]], 0 : !tile.array<f32, 1>
// CHECK: [[V2:%[0-9A-Za-z_.]+]] = arith.remsi [[V0]], %c2_i64 : i64
// CHECK: [[V3:%[0-9A-Za-z_.]+]] = arith.cmpi eq, [[V2]], %c0_i64 : i64
// CHECK: [[V4:%[0-9A-Za-z_.]+]] = arith.cmpf ogt, [[V5:%[0-9A-Za-z_.]+]], %cst : f64
// CHECK: [[V6:%[0-9A-Za-z_.]+]] = arith.andi [[V3]], [[V4]] : i1
// CHECK: tile.check [[V6]], "x is even"
// CHECK: [[V7:%[0-9A-Za-z_.]+]] = arith.cmpi sgt, [[V0]], %c10_i64 : i64
// CHECK: [[V8:%[0-9A-Za-z_.]+]] = scf.if [[V7]] -> (i64) {
// CHECK: tile.launch "shapes_0" grid() args(out [[V9:%[0-9A-Za-z_.]+]] = [[V1]] : !tile.array<f32, 1>) {
// CHECK: [[CST_0:%[0-9A-Za-z_.]+]] = arith.constant 0.000000e+00 : f32
// CHECK: [[V10:%[0-9A-Za-z_.]+]] = tile.full [[CST_0]] : f32 -> tensor<?xf32>
// CHECK: tile.store [[V10]], [[V9]] : tensor<?xf32>, <f32, [?]>
// CHECK: [[V11:%[0-9A-Za-z_.]+]] = arith.addi [[V0]], %c7_i64 : i64
// CHECK: [[V12:%[0-9A-Za-z_.]+]] = arith.divsi [[V11]], %c8_i64 : i64
// CHECK: [[V13:%[0-9A-Za-z_.]+]] = scf.for [[V14:%[0-9A-Za-z_.]+]] = %c0_i32 to [[V15:%[0-9A-Za-z_.]+]] step %c1_i32 iter_args([[V16:%[0-9A-Za-z_.]+]] = [[V12]]) -> (i64)  : i32 {
// CHECK: tile.launch "shapes_1" grid() args(out [[V17:%[0-9A-Za-z_.]+]] = [[V18:%[0-9A-Za-z_.]+]] : !tile.array<f32, 1>) {
// CHECK: [[CST_0:%[0-9A-Za-z_.]+]] = arith.constant 0.000000e+00 : f32
// CHECK: [[V19:%[0-9A-Za-z_.]+]] = tile.full [[CST_0]] : f32 -> tensor<?xf32>
// CHECK: tile.store [[V19]], [[V17]] : tensor<?xf32>, <f32, [?]>
// CHECK: [[V20:%[0-9A-Za-z_.]+]] = tile.dim [[V18]], 0 : !tile.array<f32, 1>
// CHECK: [[V21:%[0-9A-Za-z_.]+]] = arith.cmpi sgt, [[V16]], [[V20]] : i64
// CHECK: [[V22:%[0-9A-Za-z_.]+]] = arith.select [[V21]], [[V16]], [[V20]] : i64
// CHECK: scf.yield [[V22]] : i64
// CHECK: scf.yield [[V13]] : i64
// CHECK: } else {
// CHECK: scf.yield %c-1_i64 : i64
// CHECK: tile.return [[V8]] : i64

// CHECK-LABEL: tile.entry @swapped
// CHECK: [[V0:%[0-9A-Za-z_.]+]] = arith.select [[V1:%[0-9A-Za-z_.]+]], [[V2:%[0-9A-Za-z_.]+]], [[V3:%[0-9A-Za-z_.]+]] : !tile.array<f32, 1>
// CHECK: [[V4:%[0-9A-Za-z_.]+]] = arith.select [[V1]], [[V3]], [[V2]] : !tile.array<f32, 1>
// CHECK: tile.launch "swapped_0" grid() args(out [[V5:%[0-9A-Za-z_.]+]] = [[V0]] : !tile.array<f32, 1>) {
// CHECK: %cst = arith.constant 0.000000e+00 : f32
// CHECK: [[V6:%[0-9A-Za-z_.]+]] = tile.full %cst : f32 -> tensor<?xf32>
// CHECK: tile.store [[V6]], [[V5]] : tensor<?xf32>, <f32, [?]>
// CHECK: tile.return [[V4]] : !tile.array<f32, 1>
