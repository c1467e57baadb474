// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// What a body captures becomes an argument of the launch; arrays first, each value once.
#include <tegula/tegula.h>
namespace tg = tegula;

struct Scale {
  float by;
  template <class V> V operator()(const V &v) const { return v * by; }
};
TEGULA_KERNEL void captures(tg::array<const float, 1> x, tg::array<float, 1> y, tg::array<float, 1> o, float a, int n) {
  const Scale scale{a};
  const int twice = 2 * n;
  constexpr int four = 4;
  tg::pallas_call(
      [=, more = a + 1](auto o) mutable {
        more += scale(x[n] * a);
        y[four] = more;
        o[twice] = more;
      },
      tg::out(o));
  int counter = n;
  counter += 1;
  tg::pallas_call([&](auto o) { o[counter] = x[counter]; }, tg::out(o));
}

// CHECK-LABEL: tile.entry @captures
// CHECK-SAME: ([[V0:%[^ :,)]+]]: !tile.array<f32, 1, const> {tile.name = "x"}, [[V1:%[^ :,)]+]]: !tile.array<f32, 1> {tile.name = "y"}, [[V2:%[^ :,)]+]]: !tile.array<f32, 1> {tile.name = "o"}, [[V3:%[^ :,)]+]]: f32 {tile.name = "a"}, [[V4:%[^ :,)]+]]: i32 {tile.name = "n"}) attributes {qualified_name = "captures"} {
// CHECK: %cst = arith.constant 1.000000e+00 : f32
// CHECK: [[V5:%[^ :,)]+]] = arith.muli [[V4]], %c2_i32 : i32
// CHECK: [[V6:%[^ :,)]+]] = arith.addf [[V3]], %cst : f32
// CHECK: tile.launch "captures_0" grid() args(out [[V7:%[^ :,)]+]] = [[V2]] : !tile.array<f32, 1>, in [[V8:%[^ :,)]+]] = [[V0]] : !tile.array<f32, 1, const>, inout [[V9:%[^ :,)]+]] = [[V1]] : !tile.array<f32, 1>, scalar [[V10:%[^ :,)]+]] = [[V6]] : f32, scalar [[V11:%[^ :,)]+]] = [[V3]] : f32, scalar [[V12:%[^ :,)]+]] = [[V4]] : i32, scalar [[V13:%[^ :,)]+]] = [[V5]] : i32) {
// CHECK: [[V14:%[^ :,)]+]] = arith.extsi [[V12]] : i32 to i64
// CHECK: [[V15:%[^ :,)]+]] = tile.slice [[V8]][element [[V14]]] : <f32, [?]> -> <f32, []>
// CHECK: [[V16:%[^ :,)]+]] = tile.load [[V15]] : <f32, []> -> tensor<f32>
// CHECK: [[V17:%[^ :,)]+]] = tile.extract [[V16]] : tensor<f32> -> f32
// CHECK: [[V18:%[^ :,)]+]] = arith.mulf [[V17]], [[V11]] : f32
// CHECK: [[V19:%[^ :,)]+]] = arith.mulf [[V18]], [[V11]] : f32
// CHECK: [[V20:%[^ :,)]+]] = arith.addf [[V10]], [[V19]] : f32
// CHECK: [[V21:%[^ :,)]+]] = tile.slice [[V9]][element %c4_i64] : <f32, [?]> -> <f32, []>
// CHECK: [[V22:%[^ :,)]+]] = tile.full [[V20]] : f32 -> tensor<f32>
// CHECK: tile.store [[V22]], [[V21]] : tensor<f32>, <f32, []>
// CHECK: [[V23:%[^ :,)]+]] = arith.extsi [[V13]] : i32 to i64
// CHECK: [[V24:%[^ :,)]+]] = tile.slice [[V7]][element [[V23]]] : <f32, [?]> -> <f32, []>
// CHECK: tile.store [[V22]], [[V24]] : tensor<f32>, <f32, []>
// CHECK: [[V25:%[^ :,)]+]] = arith.addi [[V4]], %c1_i32 : i32
// CHECK: tile.launch "captures_1" grid() args(out [[V7]] = [[V2]] : !tile.array<f32, 1>, in [[V8]] = [[V0]] : !tile.array<f32, 1, const>, scalar [[V9]] = [[V25]] : i32) {
// CHECK: [[V14]] = arith.extsi [[V9]] : i32 to i64
// CHECK: [[V15]] = tile.slice [[V8]][element [[V14]]] : <f32, [?]> -> <f32, []>
// CHECK: [[V16]] = tile.load [[V15]] : <f32, []> -> tensor<f32>
// CHECK: [[V17]] = tile.extract [[V16]] : tensor<f32> -> f32
// CHECK: [[V18]] = tile.slice [[V7]][element [[V14]]] : <f32, [?]> -> <f32, []>
// CHECK: [[V19]] = tile.full [[V17]] : f32 -> tensor<f32>
// CHECK: tile.store [[V19]], [[V18]] : tensor<f32>, <f32, []>
