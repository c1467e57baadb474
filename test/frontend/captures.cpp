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
// CHECK: %cst = arith.constant 1.000000e+00 : f32
// CHECK: [[V0:%[0-9A-Za-z_.]+]] = arith.muli [[V1:%[0-9A-Za-z_.]+]], %c2_i32 : i32
// CHECK: [[V2:%[0-9A-Za-z_.]+]] = arith.addf [[V3:%[0-9A-Za-z_.]+]], %cst : f32
// CHECK: tile.launch "captures_0" grid() args(out [[V4:%[0-9A-Za-z_.]+]] = [[V5:%[0-9A-Za-z_.]+]] : !tile.array<f32, 1>, in [[V6:%[0-9A-Za-z_.]+]] = [[V7:%[0-9A-Za-z_.]+]] : !tile.array<f32, 1, const>, inout [[V8:%[0-9A-Za-z_.]+]] = [[V9:%[0-9A-Za-z_.]+]] : !tile.array<f32, 1>, scalar [[V10:%[0-9A-Za-z_.]+]] = [[V2]] : f32, scalar [[V11:%[0-9A-Za-z_.]+]] = [[V3]] : f32, scalar [[V12:%[0-9A-Za-z_.]+]] = [[V1]] : i32, scalar [[V13:%[0-9A-Za-z_.]+]] = [[V0]] : i32) {
// CHECK: [[V14:%[0-9A-Za-z_.]+]] = arith.extsi [[V12]] : i32 to i64
// CHECK: [[V15:%[0-9A-Za-z_.]+]] = tile.slice [[V6]][element [[V14]]] : <f32, [?]> -> <f32, []>
// CHECK: [[V16:%[0-9A-Za-z_.]+]] = tile.load [[V15]] : <f32, []> -> tensor<f32>
// CHECK: [[V17:%[0-9A-Za-z_.]+]] = tile.extract [[V16]] : tensor<f32> -> f32
// CHECK: [[V18:%[0-9A-Za-z_.]+]] = arith.mulf [[V17]], [[V11]] : f32
// CHECK: [[V19:%[0-9A-Za-z_.]+]] = arith.mulf [[V18]], [[V11]] : f32
// CHECK: [[V20:%[0-9A-Za-z_.]+]] = arith.addf [[V10]], [[V19]] : f32
// CHECK: [[V21:%[0-9A-Za-z_.]+]] = tile.slice [[V8]][element %c4_i64] : <f32, [?]> -> <f32, []>
// CHECK: [[V22:%[0-9A-Za-z_.]+]] = tile.full [[V20]] : f32 -> tensor<f32>
// CHECK: tile.store [[V22]], [[V21]] : tensor<f32>, <f32, []>
// CHECK: [[V23:%[0-9A-Za-z_.]+]] = arith.extsi [[V13]] : i32 to i64
// CHECK: [[V24:%[0-9A-Za-z_.]+]] = tile.slice [[V4]][element [[V23]]] : <f32, [?]> -> <f32, []>
// CHECK: tile.store [[V22]], [[V24]] : tensor<f32>, <f32, []>
// CHECK: [[V25:%[0-9A-Za-z_.]+]] = arith.addi [[V1]], %c1_i32 : i32
// CHECK: tile.launch "captures_1" grid() args(out [[V26:%[0-9A-Za-z_.]+]] = [[V5]] : !tile.array<f32, 1>, in [[V27:%[0-9A-Za-z_.]+]] = [[V7]] : !tile.array<f32, 1, const>, scalar [[V28:%[0-9A-Za-z_.]+]] = [[V25]] : i32) {
// CHECK: [[V29:%[0-9A-Za-z_.]+]] = arith.extsi [[V28]] : i32 to i64
// CHECK: [[V30:%[0-9A-Za-z_.]+]] = tile.slice [[V27]][element [[V29]]] : <f32, [?]> -> <f32, []>
// CHECK: [[V31:%[0-9A-Za-z_.]+]] = tile.load [[V30]] : <f32, []> -> tensor<f32>
// CHECK: [[V32:%[0-9A-Za-z_.]+]] = tile.extract [[V31]] : tensor<f32> -> f32
// CHECK: [[V33:%[0-9A-Za-z_.]+]] = tile.slice [[V26]][element [[V29]]] : <f32, [?]> -> <f32, []>
// CHECK: [[V34:%[0-9A-Za-z_.]+]] = tile.full [[V32]] : f32 -> tensor<f32>
// CHECK: tile.store [[V34]], [[V33]] : tensor<f32>, <f32, []>
