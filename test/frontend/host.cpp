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
// CHECK-SAME: ([[V0:%[^ :,)]+]]: !tile.array<f32, 1> {tile.name = "x"}, [[V1:%[^ :,)]+]]: !tile.array<f32, 1> {tile.name = "y"}, [[V2:%[^ :,)]+]]: i32 {tile.name = "times"}, [[V3:%[^ :,)]+]]: f64 {tile.name = "scale"}) -> i64 attributes {qualified_name = "shapes"} {
// CHECK: %cst = arith.constant 5.000000e-01 : f64
// CHECK: [[V4:%[^ :,)]+]] = tile.dim [[V0]], 0 : !tile.array<f32, 1>
// CHECK: [[V5:%[^ :,)]+]] = arith.remsi [[V4]], %c2_i64 : i64
// CHECK: [[V6:%[^ :,)]+]] = arith.cmpi eq, [[V5]], %c0_i64 : i64
// CHECK: [[V7:%[^ :,)]+]] = arith.cmpf ogt, [[V3]], %cst : f64
// CHECK: [[V8:%[^ :,)]+]] = arith.andi [[V6]], [[V7]] : i1
// CHECK: tile.check [[V8]], "x is even"
// CHECK: [[V9:%[^ :,)]+]] = arith.cmpi sgt, [[V4]], %c10_i64 : i64
// CHECK: [[V10:%[^ :,)]+]] = scf.if [[V9]] -> (i64) {
// CHECK: tile.launch "shapes_0" grid() args(out [[V11:%[^ :,)]+]] = [[V0]] : !tile.array<f32, 1>) {
// CHECK: %cst_0 = arith.constant 0.000000e+00 : f32
// CHECK: [[V12:%[^ :,)]+]] = tile.full %cst_0 : f32 -> tensor<?xf32>
// CHECK: tile.store [[V12]], [[V11]] : tensor<?xf32>, <f32, [?]>
// CHECK: [[V13:%[^ :,)]+]] = arith.addi [[V4]], %c7_i64 : i64
// CHECK: [[V14:%[^ :,)]+]] = arith.divsi [[V13]], %c8_i64 : i64
// CHECK: [[V15:%[^ :,)]+]]:2 = scf.while ([[V11]] = [[V14]], [[V16:%[^ :,)]+]] = %c0_i32) : (i64, i32) -> (i64, i32) {
// CHECK: [[V12]] = arith.cmpi slt, [[V16]], [[V2]] : i32
// CHECK: scf.condition([[V12]]) [[V11]], [[V16]] : i64, i32
// CHECK: } do {
// CHECK: ^bb0([[V11]]: i64, [[V16]]: i32):
// CHECK: tile.launch "shapes_1" grid() args(out [[V17:%[^ :,)]+]] = [[V1]] : !tile.array<f32, 1>) {
// CHECK: %cst_0 = arith.constant 0.000000e+00 : f32
// CHECK: [[V18:%[^ :,)]+]] = tile.full %cst_0 : f32 -> tensor<?xf32>
// CHECK: tile.store [[V18]], [[V17]] : tensor<?xf32>, <f32, [?]>
// CHECK: [[V12]] = tile.dim [[V1]], 0 : !tile.array<f32, 1>
// CHECK: [[V19:%[^ :,)]+]] = arith.cmpi sgt, [[V11]], [[V12]] : i64
// CHECK: [[V20:%[^ :,)]+]] = arith.select [[V19]], [[V11]], [[V12]] : i64
// CHECK: [[V21:%[^ :,)]+]] = arith.addi [[V16]], %c1_i32 : i32
// CHECK: scf.yield [[V20]], [[V21]] : i64, i32
// CHECK: scf.yield [[V15]]#0 : i64
// CHECK: } else {
// CHECK: scf.yield %c-1_i64 : i64
// CHECK: tile.return [[V10]] : i64

// CHECK-LABEL: tile.entry @swapped
// CHECK-SAME: ([[V0:%[^ :,)]+]]: !tile.array<f32, 1> {tile.name = "x"}, [[V1:%[^ :,)]+]]: !tile.array<f32, 1> {tile.name = "y"}, [[V2:%[^ :,)]+]]: i1 {tile.name = "flag"}) -> !tile.array<f32, 1> attributes {qualified_name = "swapped"} {
// CHECK: [[V3:%[^ :,)]+]] = arith.select [[V2]], [[V1]], [[V0]] : !tile.array<f32, 1>
// CHECK: [[V4:%[^ :,)]+]] = arith.select [[V2]], [[V0]], [[V1]] : !tile.array<f32, 1>
// CHECK: tile.launch "swapped_0" grid() args(out [[V5:%[^ :,)]+]] = [[V3]] : !tile.array<f32, 1>) {
// CHECK: %cst = arith.constant 0.000000e+00 : f32
// CHECK: [[V6:%[^ :,)]+]] = tile.full %cst : f32 -> tensor<?xf32>
// CHECK: tile.store [[V6]], [[V5]] : tensor<?xf32>, <f32, [?]>
// CHECK: tile.return [[V4]] : !tile.array<f32, 1>
