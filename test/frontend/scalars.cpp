// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// C++'s arithmetic: promotion, casts, short circuits, increments.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void scalars(tg::array<float, 1> o, tg::u8 a, tg::s8 b, tg::u64 c, tg::f16 h, bool flag) {
  tg::pallas_call(
      [=](auto o) {
        o[a + b] = static_cast<float>(a / 2 + (b >> 1));
        o[0] = static_cast<float>(c % 3 < 2u) + h * h;
        o[1] = static_cast<float>(static_cast<tg::u8>(h) - !flag);
        tg::u8 d = a;
        o[d++] = flag && o[1] > 0 ? -1.5f : static_cast<float>(--d);
      },
      tg::inout(o));
}

// CHECK-LABEL: tile.entry @scalars
// CHECK-SAME: ([[V0:%[^ :,)]+]]: !tile.array<f32, 1> {tile.name = "o"}, [[V1:%[^ :,)]+]]: i8 {tile.name = "a", tile.type = "u8"}, [[V2:%[^ :,)]+]]: i8 {tile.name = "b"}, [[V3:%[^ :,)]+]]: i64 {tile.name = "c", tile.type = "u64"}, [[V4:%[^ :,)]+]]: f16 {tile.name = "h"}, [[V5:%[^ :,)]+]]: i1 {tile.name = "flag"}) attributes {qualified_name = "scalars"} {
// CHECK: tile.launch "scalars_0" grid() args(inout [[V6:%[^ :,)]+]] = [[V0]] : !tile.array<f32, 1>, scalar [[V7:%[^ :,)]+]] = [[V1]] : i8, scalar [[V8:%[^ :,)]+]] = [[V2]] : i8, scalar [[V9:%[^ :,)]+]] = [[V3]] : i64, scalar [[V10:%[^ :,)]+]] = [[V4]] : f16, scalar [[V11:%[^ :,)]+]] = [[V5]] : i1) {
// CHECK: %cst = arith.constant -1.500000e+00 : f32
// CHECK: %cst_0 = arith.constant 0.000000e+00 : f32
// CHECK: [[V12:%[^ :,)]+]] = arith.extui [[V7]] : i8 to i32
// CHECK: [[V13:%[^ :,)]+]] = arith.divsi [[V12]], %c2_i32 : i32
// CHECK: [[V14:%[^ :,)]+]] = arith.extsi [[V8]] : i8 to i32
// CHECK: [[V15:%[^ :,)]+]] = arith.shrsi [[V14]], %c1_i32 : i32
// CHECK: [[V16:%[^ :,)]+]] = arith.addi [[V13]], [[V15]] : i32
// CHECK: [[V17:%[^ :,)]+]] = arith.sitofp [[V16]] : i32 to f32
// CHECK: [[V18:%[^ :,)]+]] = arith.addi [[V12]], [[V14]] : i32
// CHECK: [[V19:%[^ :,)]+]] = arith.extsi [[V18]] : i32 to i64
// CHECK: [[V20:%[^ :,)]+]] = tile.slice [[V6]][element [[V19]]] : <f32, [?]> -> <f32, []>
// CHECK: [[V21:%[^ :,)]+]] = tile.full [[V17]] : f32 -> tensor<f32>
// CHECK: tile.store [[V21]], [[V20]] : tensor<f32>, <f32, []>
// CHECK: [[V22:%[^ :,)]+]] = arith.remui [[V9]], %c3_i64 : i64
// CHECK: [[V23:%[^ :,)]+]] = arith.cmpi ult, [[V22]], %c2_i64 : i64
// CHECK: [[V24:%[^ :,)]+]] = arith.uitofp [[V23]] : i1 to f32
// CHECK: [[V25:%[^ :,)]+]] = arith.extf [[V10]] : f16 to f32
// CHECK: [[V26:%[^ :,)]+]] = arith.mulf [[V25]], [[V25]] : f32
// CHECK: [[V27:%[^ :,)]+]] = arith.addf [[V24]], [[V26]] : f32
// CHECK: [[V28:%[^ :,)]+]] = tile.slice [[V6]][element %c0_i64] : <f32, [?]> -> <f32, []>
// CHECK: [[V29:%[^ :,)]+]] = tile.full [[V27]] : f32 -> tensor<f32>
// CHECK: tile.store [[V29]], [[V28]] : tensor<f32>, <f32, []>
// CHECK: [[V30:%[^ :,)]+]] = arith.fptoui [[V25]] : f32 to i8
// CHECK: [[V31:%[^ :,)]+]] = arith.extui [[V30]] : i8 to i32
// CHECK: [[V32:%[^ :,)]+]] = arith.xori [[V11]], %true : i1
// CHECK: [[V33:%[^ :,)]+]] = arith.extui [[V32]] : i1 to i32
// CHECK: [[V34:%[^ :,)]+]] = arith.subi [[V31]], [[V33]] : i32
// CHECK: [[V35:%[^ :,)]+]] = arith.sitofp [[V34]] : i32 to f32
// CHECK: [[V36:%[^ :,)]+]] = tile.slice [[V6]][element %c1_i64] : <f32, [?]> -> <f32, []>
// CHECK: [[V37:%[^ :,)]+]] = tile.full [[V35]] : f32 -> tensor<f32>
// CHECK: tile.store [[V37]], [[V36]] : tensor<f32>, <f32, []>
// CHECK: [[V38:%[^ :,)]+]] = scf.if [[V11]] -> (i1) {
// CHECK: [[V39:%[^ :,)]+]] = tile.load [[V36]] : <f32, []> -> tensor<f32>
// CHECK: [[V40:%[^ :,)]+]] = tile.extract [[V39]] : tensor<f32> -> f32
// CHECK: [[V41:%[^ :,)]+]] = arith.cmpf ogt, [[V40]], %cst_0 : f32
// CHECK: scf.yield [[V41]] : i1
// CHECK: } else {
// CHECK: scf.yield %false : i1
// CHECK: [[V42:%[^ :,)]+]]:2 = scf.if [[V38]] -> (f32, i8) {
// CHECK: scf.yield %cst, [[V7]] : f32, i8
// CHECK: } else {
// CHECK: [[V39]] = arith.subi [[V12]], %c1_i32 : i32
// CHECK: [[V40]] = arith.trunci [[V39]] : i32 to i8
// CHECK: [[V41]] = arith.uitofp [[V40]] : i8 to f32
// CHECK: scf.yield [[V41]], [[V40]] : f32, i8
// CHECK: [[V43:%[^ :,)]+]] = arith.extui [[V42]]#1 : i8 to i64
// CHECK: [[V44:%[^ :,)]+]] = tile.slice [[V6]][element [[V43]]] : <f32, [?]> -> <f32, []>
// CHECK: [[V45:%[^ :,)]+]] = tile.full [[V42]]#0 : f32 -> tensor<f32>
// CHECK: tile.store [[V45]], [[V44]] : tensor<f32>, <f32, []>
