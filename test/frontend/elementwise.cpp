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

// CHECK-LABEL: tile.entry @operators
// CHECK-SAME: ([[V0:%[^ :,)]+]]: !tile.array<ui8, 1> {tile.name = "x"}, [[V1:%[^ :,)]+]]: i8 {tile.name = "n", tile.type = "u8"}) attributes {qualified_name = "operators"} {
// CHECK: tile.launch "operators_0" grid() args(inout [[V2:%[^ :,)]+]] = [[V0]] : !tile.array<ui8, 1>, scalar [[V3:%[^ :,)]+]] = [[V1]] : i8) {
// CHECK: [[V4:%[^ :,)]+]] = tile.slice [[V2]][window %c0_i64] {spec} : <ui8, [?]> -> <ui8, [8?]>
// CHECK: [[V5:%[^ :,)]+]] = tile.load [[V4]] : <ui8, [8?]> -> tensor<8xui8>
// CHECK: [[V6:%[^ :,)]+]] = tile.full %c-56_i8 : i8 -> tensor<8xui8>
// CHECK: [[V7:%[^ :,)]+]] = tile.add [[V5]], [[V6]] : tensor<8xui8>
// CHECK: [[V8:%[^ :,)]+]] = tile.neg [[V7]] : tensor<8xui8>
// CHECK: [[V9:%[^ :,)]+]] = tile.full [[V3]] : i8 -> tensor<8xui8>
// CHECK: [[V10:%[^ :,)]+]] = tile.mul [[V8]], [[V9]] : tensor<8xui8>
// CHECK: [[V11:%[^ :,)]+]] = tile.full %c7_i8 : i8 -> tensor<8xui8>
// CHECK: [[V12:%[^ :,)]+]] = tile.rem [[V10]], [[V11]] : tensor<8xui8>
// CHECK: [[V13:%[^ :,)]+]] = tile.full %c1_i8 : i8 -> tensor<8xui8>
// CHECK: [[V14:%[^ :,)]+]] = tile.shift_left [[V12]], [[V13]] : tensor<8xui8>
// CHECK: [[V15:%[^ :,)]+]] = tile.bit_not [[V5]] : tensor<8xui8>
// CHECK: [[V16:%[^ :,)]+]] = tile.maximum [[V5]], [[V9]] : tensor<8xui8>
// CHECK: [[V17:%[^ :,)]+]] = tile.bit_and [[V15]], [[V16]] : tensor<8xui8>
// CHECK: [[V18:%[^ :,)]+]] = tile.bit_or [[V14]], [[V17]] : tensor<8xui8>
// CHECK: [[V19:%[^ :,)]+]] = tile.full %c3_i8 : i8 -> tensor<8xui8>
// CHECK: [[V20:%[^ :,)]+]] = tile.ge [[V5]], [[V19]] : tensor<8xui8> -> tensor<8xi1>
// CHECK: [[V21:%[^ :,)]+]] = tile.eq [[V5]], [[V9]] : tensor<8xui8> -> tensor<8xi1>
// CHECK: [[V22:%[^ :,)]+]] = tile.logical_not [[V21]] : tensor<8xi1>
// CHECK: [[V23:%[^ :,)]+]] = tile.logical_and [[V20]], [[V22]] : tensor<8xi1>
// CHECK: [[V24:%[^ :,)]+]] = tile.full %c9_i8 : i8 -> tensor<8xui8>
// CHECK: [[V25:%[^ :,)]+]] = tile.where [[V23]], [[V18]], [[V24]] : tensor<8xi1>, tensor<8xui8>
// CHECK: tile.store [[V25]], [[V4]] : tensor<8xui8>, <ui8, [8?]>

// CHECK-LABEL: tile.entry @broadcast
// CHECK-SAME: ([[V0:%[^ :,)]+]]: !tile.array<f32, 2, const> {tile.name = "x"}, [[V1:%[^ :,)]+]]: !tile.array<bf16, 2> {tile.name = "o"}) attributes {qualified_name = "broadcast"} {
// CHECK: [[V2:%[^ :,)]+]] = tile.dim [[V0]], 0 : !tile.array<f32, 2, const>
// CHECK: [[V3:%[^ :,)]+]] = tile.dim [[V1]], 0 : !tile.array<bf16, 2>
// CHECK: [[V4:%[^ :,)]+]] = arith.cmpi eq, [[V2]], [[V3]] : i64
// CHECK: [[V5:%[^ :,)]+]] = tile.dim [[V0]], 1 : !tile.array<f32, 2, const>
// CHECK: [[V6:%[^ :,)]+]] = tile.dim [[V1]], 1 : !tile.array<bf16, 2>
// CHECK: [[V7:%[^ :,)]+]] = arith.cmpi eq, [[V5]], [[V6]] : i64
// CHECK: [[V8:%[^ :,)]+]] = arith.andi [[V4]], [[V7]] : i1
// CHECK: tile.check [[V8]], "x and o differ in shape"
// CHECK: tile.launch "broadcast_0" grid() args(in [[V9:%[^ :,)]+]] = [[V0]] : !tile.array<f32, 2, const>, out [[V10:%[^ :,)]+]] = [[V1]] : !tile.array<bf16, 2>) {
// CHECK: %cst = arith.constant 5.000000e-01 : bf16
// CHECK: [[V11:%[^ :,)]+]] = tile.load [[V9]] : <f32, [?, ?]> -> tensor<?x?xf32>
// CHECK: [[V12:%[^ :,)]+]] = tile.exp [[V11]] : tensor<?x?xf32>
// CHECK: [[V13:%[^ :,)]+]] = tile.slice [[V9]][element %c0_i64, whole] : <f32, [?, ?]> -> <f32, [?]>
// CHECK: [[V14:%[^ :,)]+]] = tile.load [[V13]] : <f32, [?]> -> tensor<?xf32>
// CHECK: [[V15:%[^ :,)]+]] = tile.broadcast [[V14]] [1] : tensor<?xf32> -> tensor<1x?xf32>
// CHECK: [[V16:%[^ :,)]+]] = tile.broadcast [[V15]] [0, 1] : tensor<1x?xf32> -> tensor<?x?xf32>
// CHECK: [[V17:%[^ :,)]+]] = tile.div [[V12]], [[V16]] : tensor<?x?xf32>
// CHECK: [[V18:%[^ :,)]+]] = tile.cast [[V17]] : tensor<?x?xf32> -> tensor<?x?xbf16>
// CHECK: [[V19:%[^ :,)]+]] = tile.full %cst : bf16 -> tensor<?x?xbf16>
// CHECK: [[V20:%[^ :,)]+]] = tile.add [[V18]], [[V19]] : tensor<?x?xbf16>
// CHECK: tile.store [[V20]], [[V10]] : tensor<?x?xbf16>, <bf16, [?, ?]>

// CHECK-LABEL: tile.entry @bools
// CHECK-SAME: ([[V0:%[^ :,)]+]]: !tile.array<i1, 1> {tile.name = "x"}) attributes {qualified_name = "bools"} {
// CHECK: tile.launch "bools_0" grid() args(inout [[V1:%[^ :,)]+]] = [[V0]] : !tile.array<i1, 1>) {
// CHECK: [[V2:%[^ :,)]+]] = tile.slice [[V1]][window %c0_i64] {spec} : <i1, [?]> -> <i1, [8?]>
// CHECK: [[V3:%[^ :,)]+]] = tile.load [[V2]] : <i1, [8?]> -> tensor<8xi1>
// CHECK: [[V4:%[^ :,)]+]] = tile.full %true : i1 -> tensor<8xi1>
// CHECK: [[V5:%[^ :,)]+]] = tile.ne [[V3]], [[V4]] : tensor<8xi1> -> tensor<8xi1>
// CHECK: [[V6:%[^ :,)]+]] = tile.logical_not [[V3]] : tensor<8xi1>
// CHECK: [[V7:%[^ :,)]+]] = tile.logical_or [[V6]], [[V5]] : tensor<8xi1>
// CHECK: tile.store [[V7]], [[V2]] : tensor<8xi1>, <i1, [8?]>

// CHECK-LABEL: tile.entry @scalars
// CHECK-SAME: ([[V0:%[^ :,)]+]]: !tile.array<f32, 1> {tile.name = "o"}, [[V1:%[^ :,)]+]]: f32 {tile.name = "a"}, [[V2:%[^ :,)]+]]: i32 {tile.name = "n"}) attributes {doc = "On scalars an op acts on a tile of rank 0.", qualified_name = "scalars"} {
// CHECK: tile.launch "scalars_0" grid() args(out [[V3:%[^ :,)]+]] = [[V0]] : !tile.array<f32, 1>, scalar [[V4:%[^ :,)]+]] = [[V2]] : i32, scalar [[V5:%[^ :,)]+]] = [[V1]] : f32) {
// CHECK: %cst = arith.constant 2.000000e+00 : f32
// CHECK: [[V6:%[^ :,)]+]] = arith.cmpi sgt, [[V4]], %c0_i32 : i32
// CHECK: [[V7:%[^ :,)]+]] = tile.full [[V5]] : f32 -> tensor<f32>
// CHECK: [[V8:%[^ :,)]+]] = tile.tanh [[V7]] : tensor<f32>
// CHECK: [[V9:%[^ :,)]+]] = tile.extract [[V8]] : tensor<f32> -> f32
// CHECK: [[V10:%[^ :,)]+]] = tile.full %cst : f32 -> tensor<f32>
// CHECK: [[V11:%[^ :,)]+]] = tile.minimum [[V7]], [[V10]] : tensor<f32>
// CHECK: [[V12:%[^ :,)]+]] = tile.extract [[V11]] : tensor<f32> -> f32
// CHECK: [[V13:%[^ :,)]+]] = tile.full [[V6]] : i1 -> tensor<i1>
// CHECK: [[V14:%[^ :,)]+]] = tile.full [[V9]] : f32 -> tensor<f32>
// CHECK: [[V15:%[^ :,)]+]] = tile.full [[V12]] : f32 -> tensor<f32>
// CHECK: [[V16:%[^ :,)]+]] = tile.where [[V13]], [[V14]], [[V15]] : tensor<i1>, tensor<f32>
// CHECK: [[V17:%[^ :,)]+]] = tile.extract [[V16]] : tensor<f32> -> f32
// CHECK: [[V18:%[^ :,)]+]] = tile.cast [[V7]] : tensor<f32> -> tensor<i32>
// CHECK: [[V19:%[^ :,)]+]] = tile.extract [[V18]] : tensor<i32> -> i32
// CHECK: [[V20:%[^ :,)]+]] = arith.sitofp [[V19]] : i32 to f32
// CHECK: [[V21:%[^ :,)]+]] = arith.addf [[V17]], [[V20]] : f32
// CHECK: [[V22:%[^ :,)]+]] = tile.slice [[V3]][element %c0_i64] : <f32, [?]> -> <f32, []>
// CHECK: [[V23:%[^ :,)]+]] = tile.full [[V21]] : f32 -> tensor<f32>
// CHECK: tile.store [[V23]], [[V22]] : tensor<f32>, <f32, []>
