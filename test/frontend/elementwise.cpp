// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Operators and functions on tiles: the op of that name; constants adapt, a static 1 broadcasts.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto first = [] { return tg::index(0); };
TEGULA_KERNEL void operators(tg::array<tg::u8, 1> x, tg::u8 n) {
  tg::pallas_call(
      [=](auto x) {
        const auto t = x[tg::all];
        auto r = -(t + 200) * n % 7 << 1;
        r |= ~t & tg::maximum(t, n);
        x[tg::all] = tg::where(t >= 3 && !(t == n), r, tg::u8(9));
      },
      tg::inout<8>(x, first));
}
TEGULA_KERNEL void broadcast(tg::array<const float, 2> x, tg::array<tg::bf16, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  tg::pallas_call(
      [](auto x, auto o) {
        const auto t = x[tg::all];
        o[tg::all] = tg::astype<tg::bf16>(tg::exp(t) / x[0, tg::newaxis]) + 0.5;
      },
      tg::in(x), tg::out(o));
}
TEGULA_KERNEL void bools(tg::array<bool, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = x[tg::all] <= (x[tg::all] != true); }, tg::inout<8>(x, first));
}
/// On scalars an op acts on a tile of rank 0.
TEGULA_KERNEL void scalars(tg::array<float, 1> o, float a, int n) {
  tg::pallas_call([=](auto o) { o[0] = tg::where(n > 0, tg::tanh(a), tg::minimum(a, 2)) + tg::astype<int>(a); },
                  tg::out(o));
}
/// What is made of several ops, and ops whose operands or results have types of their own.
TEGULA_KERNEL void composed(tg::array<float, 1> x, tg::array<tg::bf16, 1> o, int n) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto t = tg::clamp(tg::fma(x[tg::all], 2, -0.5), 0, n > 0 ? 1.0f : 2.0f);
        o[tg::all] = tg::astype<tg::bf16>(t, tg::bitcast<tg::u32>(t));
        x[tg::all] = tg::where(tg::isinf(t), tg::bitcast<float>(n), tg::pow(2, t));
      },
      tg::inout<8>(x, first), tg::out<8>(o, first));
}

// CHECK-LABEL: tile.entry @operators
// CHECK: tile.launch "operators_0" grid() args(inout [[V0:%[0-9A-Za-z_.]+]] = [[V1:%[0-9A-Za-z_.]+]] : !tile.array<ui8, 1>, scalar [[V2:%[0-9A-Za-z_.]+]] = [[V3:%[0-9A-Za-z_.]+]] : i8) {
// CHECK: [[V4:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][window %c0_i64] {spec} : <ui8, [?]> -> <ui8, [8?]>
// CHECK: [[V5:%[0-9A-Za-z_.]+]] = tile.load [[V4]] : <ui8, [8?]> -> tensor<8xui8>
// CHECK: [[V6:%[0-9A-Za-z_.]+]] = tile.full %c-56_i8 : i8 -> tensor<8xui8>
// CHECK: [[V7:%[0-9A-Za-z_.]+]] = tile.add [[V5]], [[V6]] : tensor<8xui8>
// CHECK: [[V8:%[0-9A-Za-z_.]+]] = tile.neg [[V7]] : tensor<8xui8>
// CHECK: [[V9:%[0-9A-Za-z_.]+]] = tile.full [[V2]] : i8 -> tensor<8xui8>
// CHECK: [[V10:%[0-9A-Za-z_.]+]] = tile.mul [[V8]], [[V9]] : tensor<8xui8>
// CHECK: [[V11:%[0-9A-Za-z_.]+]] = tile.full %c7_i8 : i8 -> tensor<8xui8>
// CHECK: [[V12:%[0-9A-Za-z_.]+]] = tile.rem [[V10]], [[V11]] : tensor<8xui8>
// CHECK: [[V13:%[0-9A-Za-z_.]+]] = tile.full %c1_i8 : i8 -> tensor<8xui8>
// CHECK: [[V14:%[0-9A-Za-z_.]+]] = tile.shift_left [[V12]], [[V13]] : tensor<8xui8>
// CHECK: [[V15:%[0-9A-Za-z_.]+]] = tile.bit_not [[V5]] : tensor<8xui8>
// CHECK: [[V16:%[0-9A-Za-z_.]+]] = tile.maximum [[V5]], [[V9]] : tensor<8xui8>
// CHECK: [[V17:%[0-9A-Za-z_.]+]] = tile.bit_and [[V15]], [[V16]] : tensor<8xui8>
// CHECK: [[V18:%[0-9A-Za-z_.]+]] = tile.bit_or [[V14]], [[V17]] : tensor<8xui8>
// CHECK: [[V19:%[0-9A-Za-z_.]+]] = tile.full %c3_i8 : i8 -> tensor<8xui8>
// CHECK: [[V20:%[0-9A-Za-z_.]+]] = tile.ge [[V5]], [[V19]] : tensor<8xui8> -> tensor<8xi1>
// CHECK: [[V21:%[0-9A-Za-z_.]+]] = tile.eq [[V5]], [[V9]] : tensor<8xui8> -> tensor<8xi1>
// CHECK: [[V22:%[0-9A-Za-z_.]+]] = tile.logical_not [[V21]] : tensor<8xi1>
// CHECK: [[V23:%[0-9A-Za-z_.]+]] = tile.logical_and [[V20]], [[V22]] : tensor<8xi1>
// CHECK: [[V24:%[0-9A-Za-z_.]+]] = tile.full %c9_i8 : i8 -> tensor<8xui8>
// CHECK: [[V25:%[0-9A-Za-z_.]+]] = tile.where [[V23]], [[V18]], [[V24]] : tensor<8xi1>, tensor<8xui8>
// CHECK: tile.store [[V25]], [[V4]] : tensor<8xui8>, <ui8, [8?]>

// CHECK-LABEL: tile.entry @broadcast
// CHECK: [[V0:%[0-9A-Za-z_.]+]] = tile.dim [[V1:%[0-9A-Za-z_.]+]], 0 : !tile.array<f32, 2, const>
// CHECK: [[V2:%[0-9A-Za-z_.]+]] = tile.dim [[V3:%[0-9A-Za-z_.]+]], 0 : !tile.array<bf16, 2>
// CHECK: [[V4:%[0-9A-Za-z_.]+]] = arith.cmpi eq, [[V0]], [[V2]] : i64
// CHECK: [[V5:%[0-9A-Za-z_.]+]] = tile.dim [[V1]], 1 : !tile.array<f32, 2, const>
// CHECK: [[V6:%[0-9A-Za-z_.]+]] = tile.dim [[V3]], 1 : !tile.array<bf16, 2>
// CHECK: [[V7:%[0-9A-Za-z_.]+]] = arith.cmpi eq, [[V5]], [[V6]] : i64
// CHECK: [[V8:%[0-9A-Za-z_.]+]] = arith.andi [[V4]], [[V7]] : i1
// CHECK: tile.check [[V8]], "x and o differ in shape"
// CHECK: tile.launch "broadcast_0" grid() args(in [[V9:%[0-9A-Za-z_.]+]] = [[V1]] : !tile.array<f32, 2, const>, out [[V10:%[0-9A-Za-z_.]+]] = [[V3]] : !tile.array<bf16, 2>) {
// CHECK: %cst = arith.constant 5.000000e-01 : bf16
// CHECK: [[V11:%[0-9A-Za-z_.]+]] = tile.load [[V9]] : <f32, [?, ?]> -> tensor<?x?xf32>
// CHECK: [[V12:%[0-9A-Za-z_.]+]] = tile.exp [[V11]] : tensor<?x?xf32>
// CHECK: [[V13:%[0-9A-Za-z_.]+]] = tile.slice [[V9]][element %c0_i64, whole] : <f32, [?, ?]> -> <f32, [?]>
// CHECK: [[V14:%[0-9A-Za-z_.]+]] = tile.load [[V13]] : <f32, [?]> -> tensor<?xf32>
// CHECK: [[V15:%[0-9A-Za-z_.]+]] = tile.broadcast [[V14]] [1] : tensor<?xf32> -> tensor<1x?xf32>
// CHECK: [[V16:%[0-9A-Za-z_.]+]] = tile.broadcast [[V15]] [0, 1] : tensor<1x?xf32> -> tensor<?x?xf32>
// CHECK: [[V17:%[0-9A-Za-z_.]+]] = tile.div [[V12]], [[V16]] : tensor<?x?xf32>
// CHECK: [[V18:%[0-9A-Za-z_.]+]] = tile.cast [[V17]] : tensor<?x?xf32> -> tensor<?x?xbf16>
// CHECK: [[V19:%[0-9A-Za-z_.]+]] = tile.full %cst : bf16 -> tensor<?x?xbf16>
// CHECK: [[V20:%[0-9A-Za-z_.]+]] = tile.add [[V18]], [[V19]] : tensor<?x?xbf16>
// CHECK: tile.store [[V20]], [[V10]] : tensor<?x?xbf16>, <bf16, [?, ?]>

// CHECK-LABEL: tile.entry @bools
// CHECK: tile.launch "bools_0" grid() args(inout [[V0:%[0-9A-Za-z_.]+]] = [[V1:%[0-9A-Za-z_.]+]] : !tile.array<i1, 1>) {
// CHECK: [[V2:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][window %c0_i64] {spec} : <i1, [?]> -> <i1, [8?]>
// CHECK: [[V3:%[0-9A-Za-z_.]+]] = tile.load [[V2]] : <i1, [8?]> -> tensor<8xi1>
// CHECK: [[V4:%[0-9A-Za-z_.]+]] = tile.full %true : i1 -> tensor<8xi1>
// CHECK: [[V5:%[0-9A-Za-z_.]+]] = tile.ne [[V3]], [[V4]] : tensor<8xi1> -> tensor<8xi1>
// CHECK: [[V6:%[0-9A-Za-z_.]+]] = tile.logical_not [[V3]] : tensor<8xi1>
// CHECK: [[V7:%[0-9A-Za-z_.]+]] = tile.logical_or [[V6]], [[V5]] : tensor<8xi1>
// CHECK: tile.store [[V7]], [[V2]] : tensor<8xi1>, <i1, [8?]>

// CHECK-LABEL: tile.entry @scalars
// CHECK: tile.launch "scalars_0" grid() args(out [[V0:%[0-9A-Za-z_.]+]] = [[V1:%[0-9A-Za-z_.]+]] : !tile.array<f32, 1>, scalar [[V2:%[0-9A-Za-z_.]+]] = [[V3:%[0-9A-Za-z_.]+]] : i32, scalar [[V4:%[0-9A-Za-z_.]+]] = [[V5:%[0-9A-Za-z_.]+]] : f32) {
// CHECK: %cst = arith.constant 2.000000e+00 : f32
// CHECK: [[V6:%[0-9A-Za-z_.]+]] = arith.cmpi sgt, [[V2]], %c0_i32 : i32
// CHECK: [[V7:%[0-9A-Za-z_.]+]] = tile.full [[V4]] : f32 -> tensor<f32>
// CHECK: [[V8:%[0-9A-Za-z_.]+]] = tile.tanh [[V7]] : tensor<f32>
// CHECK: [[V9:%[0-9A-Za-z_.]+]] = tile.extract [[V8]] : tensor<f32> -> f32
// CHECK: [[V10:%[0-9A-Za-z_.]+]] = tile.full %cst : f32 -> tensor<f32>
// CHECK: [[V11:%[0-9A-Za-z_.]+]] = tile.minimum [[V7]], [[V10]] : tensor<f32>
// CHECK: [[V12:%[0-9A-Za-z_.]+]] = tile.extract [[V11]] : tensor<f32> -> f32
// CHECK: [[V13:%[0-9A-Za-z_.]+]] = tile.full [[V6]] : i1 -> tensor<i1>
// CHECK: [[V14:%[0-9A-Za-z_.]+]] = tile.full [[V9]] : f32 -> tensor<f32>
// CHECK: [[V15:%[0-9A-Za-z_.]+]] = tile.full [[V12]] : f32 -> tensor<f32>
// CHECK: [[V16:%[0-9A-Za-z_.]+]] = tile.where [[V13]], [[V14]], [[V15]] : tensor<i1>, tensor<f32>
// CHECK: [[V17:%[0-9A-Za-z_.]+]] = tile.extract [[V16]] : tensor<f32> -> f32
// CHECK: [[V18:%[0-9A-Za-z_.]+]] = tile.cast [[V7]] : tensor<f32> -> tensor<i32>
// CHECK: [[V19:%[0-9A-Za-z_.]+]] = tile.extract [[V18]] : tensor<i32> -> i32
// CHECK: [[V20:%[0-9A-Za-z_.]+]] = arith.sitofp [[V19]] : i32 to f32
// CHECK: [[V21:%[0-9A-Za-z_.]+]] = arith.addf [[V17]], [[V20]] : f32
// CHECK: [[V22:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c0_i64] : <f32, [?]> -> <f32, []>
// CHECK: [[V23:%[0-9A-Za-z_.]+]] = tile.full [[V21]] : f32 -> tensor<f32>
// CHECK: tile.store [[V23]], [[V22]] : tensor<f32>, <f32, []>

// CHECK-LABEL: tile.entry @composed
// CHECK: %cst = arith.constant 0x7F800000 : f32
// CHECK: [[T:%[0-9A-Za-z_.]+]] = tile.load {{.*}} -> tensor<8xf32>
// CHECK: [[TWO:%[0-9A-Za-z_.]+]] = tile.full {{.*}} : f32 -> tensor<8xf32>
// CHECK: [[HALF:%[0-9A-Za-z_.]+]] = tile.full {{.*}} : f32 -> tensor<8xf32>
// CHECK: [[FUSED:%[0-9A-Za-z_.]+]] = tile.fma [[T]], [[TWO]], [[HALF]] : tensor<8xf32>
// CHECK: [[HIGH:%[0-9A-Za-z_.]+]] = arith.select {{.*}} : f32
// CHECK: [[LOW:%[0-9A-Za-z_.]+]] = tile.full {{.*}} : f32 -> tensor<8xf32>
// CHECK: [[ABOVE:%[0-9A-Za-z_.]+]] = tile.maximum [[FUSED]], [[LOW]] : tensor<8xf32>
// CHECK: [[MOST:%[0-9A-Za-z_.]+]] = tile.full [[HIGH]] : f32 -> tensor<8xf32>
// CHECK: [[CLAMPED:%[0-9A-Za-z_.]+]] = tile.minimum [[ABOVE]], [[MOST]] : tensor<8xf32>
// CHECK: [[BITS:%[0-9A-Za-z_.]+]] = tile.bitcast [[CLAMPED]] : tensor<8xf32> -> tensor<8xui32>
// CHECK: tile.stochastic_cast [[CLAMPED]], [[BITS]] : tensor<8xf32>, tensor<8xui32> -> tensor<8xbf16>
// CHECK: [[MAGNITUDE:%[0-9A-Za-z_.]+]] = tile.abs [[CLAMPED]] : tensor<8xf32>
// CHECK: [[INF:%[0-9A-Za-z_.]+]] = tile.full %cst : f32 -> tensor<8xf32>
// CHECK: [[IS_INF:%[0-9A-Za-z_.]+]] = tile.eq [[MAGNITUDE]], [[INF]] : tensor<8xf32> -> tensor<8xi1>
// CHECK: [[N:%[0-9A-Za-z_.]+]] = tile.full {{.*}} : i32 -> tensor<i32>
// CHECK: [[NUMBER:%[0-9A-Za-z_.]+]] = tile.bitcast [[N]] : tensor<i32> -> tensor<f32>
// CHECK: [[SCALAR:%[0-9A-Za-z_.]+]] = tile.extract [[NUMBER]] : tensor<f32> -> f32
// CHECK: [[POWER:%[0-9A-Za-z_.]+]] = tile.pow [[TWO]], [[CLAMPED]] : tensor<8xf32>
// CHECK: [[FULL:%[0-9A-Za-z_.]+]] = tile.full [[SCALAR]] : f32 -> tensor<8xf32>
// CHECK: tile.where [[IS_INF]], [[FULL]], [[POWER]] : tensor<8xi1>, tensor<8xf32>
