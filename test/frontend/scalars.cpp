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
// CHECK: tile.launch "scalars_0" grid() args(inout [[V0:%[0-9A-Za-z_.]+]] = [[V1:%[0-9A-Za-z_.]+]] : !tile.array<f32, 1>, scalar [[V2:%[0-9A-Za-z_.]+]] = [[V3:%[0-9A-Za-z_.]+]] : i8, scalar [[V4:%[0-9A-Za-z_.]+]] = [[V5:%[0-9A-Za-z_.]+]] : i8, scalar [[V6:%[0-9A-Za-z_.]+]] = [[V7:%[0-9A-Za-z_.]+]] : i64, scalar [[V8:%[0-9A-Za-z_.]+]] = [[V9:%[0-9A-Za-z_.]+]] : f16, scalar [[V10:%[0-9A-Za-z_.]+]] = [[V11:%[0-9A-Za-z_.]+]] : i1) {
// CHECK: %cst = arith.constant -1.500000e+00 : f32
// CHECK: [[CST_0:%[0-9A-Za-z_.]+]] = arith.constant 0.000000e+00 : f32
// CHECK: [[V12:%[0-9A-Za-z_.]+]] = arith.extui [[V2]] : i8 to i32
// CHECK: [[V13:%[0-9A-Za-z_.]+]] = arith.divsi [[V12]], %c2_i32 : i32
// CHECK: [[V14:%[0-9A-Za-z_.]+]] = arith.extsi [[V4]] : i8 to i32
// CHECK: [[V15:%[0-9A-Za-z_.]+]] = arith.shrsi [[V14]], %c1_i32 : i32
// CHECK: [[V16:%[0-9A-Za-z_.]+]] = arith.addi [[V13]], [[V15]] : i32
// CHECK: [[V17:%[0-9A-Za-z_.]+]] = arith.sitofp [[V16]] : i32 to f32
// CHECK: [[V18:%[0-9A-Za-z_.]+]] = arith.addi [[V12]], [[V14]] : i32
// CHECK: [[V19:%[0-9A-Za-z_.]+]] = arith.extsi [[V18]] : i32 to i64
// CHECK: [[V20:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element [[V19]]] : <f32, [?]> -> <f32, []>
// CHECK: [[V21:%[0-9A-Za-z_.]+]] = tile.full [[V17]] : f32 -> tensor<f32>
// CHECK: tile.store [[V21]], [[V20]] : tensor<f32>, <f32, []>
// CHECK: [[V22:%[0-9A-Za-z_.]+]] = arith.remui [[V6]], %c3_i64 : i64
// CHECK: [[V23:%[0-9A-Za-z_.]+]] = arith.cmpi ult, [[V22]], %c2_i64 : i64
// CHECK: [[V24:%[0-9A-Za-z_.]+]] = arith.uitofp [[V23]] : i1 to f32
// CHECK: [[V25:%[0-9A-Za-z_.]+]] = arith.extf [[V8]] : f16 to f32
// CHECK: [[V26:%[0-9A-Za-z_.]+]] = arith.mulf [[V25]], [[V25]] : f32
// CHECK: [[V27:%[0-9A-Za-z_.]+]] = arith.addf [[V24]], [[V26]] : f32
// CHECK: [[V28:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c0_i64] : <f32, [?]> -> <f32, []>
// CHECK: [[V29:%[0-9A-Za-z_.]+]] = tile.full [[V27]] : f32 -> tensor<f32>
// CHECK: tile.store [[V29]], [[V28]] : tensor<f32>, <f32, []>
// CHECK: [[V30:%[0-9A-Za-z_.]+]] = arith.fptoui [[V25]] : f32 to i8
// CHECK: [[V31:%[0-9A-Za-z_.]+]] = arith.extui [[V30]] : i8 to i32
// CHECK: [[V32:%[0-9A-Za-z_.]+]] = arith.xori [[V10]], %true : i1
// CHECK: [[V33:%[0-9A-Za-z_.]+]] = arith.extui [[V32]] : i1 to i32
// CHECK: [[V34:%[0-9A-Za-z_.]+]] = arith.subi [[V31]], [[V33]] : i32
// CHECK: [[V35:%[0-9A-Za-z_.]+]] = arith.sitofp [[V34]] : i32 to f32
// CHECK: [[V36:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c1_i64] : <f32, [?]> -> <f32, []>
// CHECK: [[V37:%[0-9A-Za-z_.]+]] = tile.full [[V35]] : f32 -> tensor<f32>
// CHECK: tile.store [[V37]], [[V36]] : tensor<f32>, <f32, []>
// CHECK: [[V38:%[0-9A-Za-z_.]+]] = scf.if [[V10]] -> (i1) {
// CHECK: [[V39:%[0-9A-Za-z_.]+]] = tile.load [[V36]] : <f32, []> -> tensor<f32>
// CHECK: [[V40:%[0-9A-Za-z_.]+]] = tile.extract [[V39]] : tensor<f32> -> f32
// CHECK: [[V41:%[0-9A-Za-z_.]+]] = arith.cmpf ogt, [[V40]], [[CST_0]] : f32
// CHECK: scf.yield [[V41]] : i1
// CHECK: } else {
// CHECK: scf.yield %false : i1
// CHECK: [[V42:%[0-9A-Za-z_.]+]]:2 = scf.if [[V38]] -> (f32, i8) {
// CHECK: scf.yield %cst, [[V2]] : f32, i8
// CHECK: } else {
// CHECK: [[V43:%[0-9A-Za-z_.]+]] = arith.subi [[V12]], %c1_i32 : i32
// CHECK: [[V44:%[0-9A-Za-z_.]+]] = arith.trunci [[V43]] : i32 to i8
// CHECK: [[V45:%[0-9A-Za-z_.]+]] = arith.uitofp [[V44]] : i8 to f32
// CHECK: scf.yield [[V45]], [[V44]] : f32, i8
// CHECK: [[V46:%[0-9A-Za-z_.]+]] = arith.extui [[V42]]#1 : i8 to i64
// CHECK: [[V47:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element [[V46]]] : <f32, [?]> -> <f32, []>
// CHECK: [[V48:%[0-9A-Za-z_.]+]] = tile.full [[V42]]#0 : f32 -> tensor<f32>
// CHECK: tile.store [[V48]], [[V47]] : tensor<f32>, <f32, []>
