// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Run-time branches and loops; code behind a jump runs in a branch, or asks a flag.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void branches(tg::array<int, 1> o, int n) {
  tg::pallas_call(
      [=](auto o) {
        if (n == 0)
          return;
        int m = n > 5 ? n : 5;
        if (n < 3 && o[n] > 2)
          m = 1;
        else if (m > 9)
          m = 2;
        o[0] = m;
      },
      tg::inout(o));
}
inline int root(int n) {
  for (int i = 0;; ++i)
    if (i * i >= n)
      return i;
}
TEGULA_KERNEL void returns(tg::array<int, 1> o, int n) {
  tg::pallas_call([=](auto o) { o[0] = root(n); }, tg::out(o));
}
TEGULA_KERNEL void jumps(tg::array<int, 1> o, int n) {
  tg::pallas_call(
      [=](auto o) {
        for (int i = 0; i < n; ++i) {
          if (i == 3)
            continue;
          o[i] = i;
        }
        int k = n;
        while (k > 0) {
          k /= 2;
          if (k == 5)
            break;
        }
        do
          --k;
        while (k > 2);
        o[0] = k;
      },
      tg::out(o));
}

// CHECK-LABEL: tile.entry @branches
// CHECK: tile.launch "branches_0" grid() args(inout [[V0:%[0-9A-Za-z_.]+]] = [[V1:%[0-9A-Za-z_.]+]] : !tile.array<i32, 1>, scalar [[V2:%[0-9A-Za-z_.]+]] = [[V3:%[0-9A-Za-z_.]+]] : i32) {
// CHECK: [[V4:%[0-9A-Za-z_.]+]] = arith.cmpi eq, [[V2]], %c0_i32 : i32
// CHECK: scf.if [[V4]] {
// CHECK: } else {
// CHECK: [[V5:%[0-9A-Za-z_.]+]] = arith.cmpi sgt, [[V2]], %c5_i32 : i32
// CHECK: [[V6:%[0-9A-Za-z_.]+]] = arith.select [[V5]], [[V2]], %c5_i32 : i32
// CHECK: [[V7:%[0-9A-Za-z_.]+]] = arith.cmpi slt, [[V2]], %c3_i32 : i32
// CHECK: [[V8:%[0-9A-Za-z_.]+]] = scf.if [[V7]] -> (i1) {
// CHECK: [[V9:%[0-9A-Za-z_.]+]] = arith.extsi [[V2]] : i32 to i64
// CHECK: [[V10:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element [[V9]]] : <i32, [?]> -> <i32, []>
// CHECK: [[V11:%[0-9A-Za-z_.]+]] = tile.load [[V10]] : <i32, []> -> tensor<i32>
// CHECK: [[V12:%[0-9A-Za-z_.]+]] = tile.extract [[V11]] : tensor<i32> -> i32
// CHECK: [[V13:%[0-9A-Za-z_.]+]] = arith.cmpi sgt, [[V12]], %c2_i32 : i32
// CHECK: scf.yield [[V13]] : i1
// CHECK: } else {
// CHECK: scf.yield %false : i1
// CHECK: [[V14:%[0-9A-Za-z_.]+]] = scf.if [[V8]] -> (i32) {
// CHECK: scf.yield %c1_i32 : i32
// CHECK: } else {
// CHECK: [[V15:%[0-9A-Za-z_.]+]] = arith.cmpi sgt, [[V6]], %c9_i32 : i32
// CHECK: [[V16:%[0-9A-Za-z_.]+]] = arith.select [[V15]], %c2_i32, [[V6]] : i32
// CHECK: scf.yield [[V16]] : i32
// CHECK: [[V17:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c0_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V18:%[0-9A-Za-z_.]+]] = tile.full [[V14]] : i32 -> tensor<i32>
// CHECK: tile.store [[V18]], [[V17]] : tensor<i32>, <i32, []>

// CHECK-LABEL: tile.entry @returns
// CHECK: tile.launch "returns_0" grid() args(out [[V0:%[0-9A-Za-z_.]+]] = [[V1:%[0-9A-Za-z_.]+]] : !tile.array<i32, 1>, scalar [[V2:%[0-9A-Za-z_.]+]] = [[V3:%[0-9A-Za-z_.]+]] : i32) {
// CHECK: [[V4:%[0-9A-Za-z_.]+]] = ub.poison : i32
// CHECK: [[V5:%[0-9A-Za-z_.]+]], {{%[0-9]+}}, %i = scf.while ([[V6:%[0-9A-Za-z_.]+]] = [[V4]], [[V7:%[0-9A-Za-z_.]+]] = %false, [[V8:%[0-9A-Za-z_.]+]] = %c0_i32) : (i32, i1, i32) -> (i32, i1, i32) {
// CHECK: [[V9:%[0-9A-Za-z_.]+]] = arith.xori [[V7]], %true : i1
// CHECK: scf.condition([[V9]]) [[V6]], [[V7]], [[V8]] : i32, i1, i32
// CHECK: } do {
// CHECK: ^bb0([[V10:%[0-9A-Za-z_.]+]]: i32, [[V11:%[0-9A-Za-z_.]+]]: i1, [[V12:%[0-9A-Za-z_.]+]]: i32):
// CHECK: [[V13:%[0-9A-Za-z_.]+]] = arith.muli [[V12]], [[V12]] : i32
// CHECK: [[V14:%[0-9A-Za-z_.]+]] = arith.cmpi sge, [[V13]], [[V2]] : i32
// CHECK: [[V15:%[0-9A-Za-z_.]+]] = arith.select [[V14]], [[V12]], [[V10]] : i32
// CHECK: [[V16:%[0-9A-Za-z_.]+]] = arith.select [[V14]], %true, [[V11]] : i1
// CHECK: [[V17:%[0-9A-Za-z_.]+]] = scf.if [[V14]] -> (i32) {
// CHECK: scf.yield [[V12]] : i32
// CHECK: } else {
// CHECK: [[V18:%[0-9A-Za-z_.]+]] = arith.addi [[V12]], %c1_i32 : i32
// CHECK: scf.yield [[V18]] : i32
// CHECK: scf.yield [[V15]], [[V16]], [[V17]] : i32, i1, i32
// CHECK: [[V19:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c0_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V20:%[0-9A-Za-z_.]+]] = tile.full [[V5]] : i32 -> tensor<i32>
// CHECK: tile.store [[V20]], [[V19]] : tensor<i32>, <i32, []>

// CHECK-LABEL: tile.entry @jumps
// CHECK: tile.launch "jumps_0" grid() args(out [[V0:%[0-9A-Za-z_.]+]] = [[V1:%[0-9A-Za-z_.]+]] : !tile.array<i32, 1>, scalar [[V2:%[0-9A-Za-z_.]+]] = [[V3:%[0-9A-Za-z_.]+]] : i32) {
// CHECK: scf.for [[V4:%i]] = %c0_i32 to [[V2]] step %c1_i32  : i32 {
// CHECK: [[V5:%[0-9A-Za-z_.]+]] = arith.cmpi eq, [[V4]], %c3_i32 : i32
// CHECK: scf.if [[V5]] {
// CHECK: } else {
// CHECK: [[V6:%[0-9A-Za-z_.]+]] = arith.extsi [[V4]] : i32 to i64
// CHECK: [[V7:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element [[V6]]] : <i32, [?]> -> <i32, []>
// CHECK: [[V8:%[0-9A-Za-z_.]+]] = tile.full [[V4]] : i32 -> tensor<i32>
// CHECK: tile.store [[V8]], [[V7]] : tensor<i32>, <i32, []>
// CHECK: [[V9:%k]], {{%[0-9]+}} = scf.while ([[V10:%[0-9A-Za-z_.]+]] = [[V2]], [[V11:%[0-9A-Za-z_.]+]] = %false) : (i32, i1) -> (i32, i1) {
// CHECK: [[V12:%[0-9A-Za-z_.]+]] = scf.if [[V11]] -> (i1) {
// CHECK: scf.yield %false : i1
// CHECK: } else {
// CHECK: [[V13:%[0-9A-Za-z_.]+]] = arith.cmpi sgt, [[V10]], %c0_i32 : i32
// CHECK: scf.yield [[V13]] : i1
// CHECK: scf.condition([[V12]]) [[V10]], [[V11]] : i32, i1
// CHECK: } do {
// CHECK: ^bb0([[V14:%[0-9A-Za-z_.]+]]: i32, [[V15:%[0-9A-Za-z_.]+]]: i1):
// CHECK: [[V16:%[0-9A-Za-z_.]+]] = arith.divsi [[V14]], %c2_i32 : i32
// CHECK: [[V17:%[0-9A-Za-z_.]+]] = arith.cmpi eq, [[V16]], %c5_i32 : i32
// CHECK: [[V18:%[0-9A-Za-z_.]+]] = arith.select [[V17]], %true, [[V15]] : i1
// CHECK: scf.yield [[V16]], [[V18]] : i32, i1
// CHECK: [[V19:%[0-9A-Za-z_.]+]] = scf.while ([[V20:%[0-9A-Za-z_.]+]] = [[V9]]) : (i32) -> i32 {
// CHECK: [[V21:%[0-9A-Za-z_.]+]] = arith.subi [[V20]], %c1_i32 : i32
// CHECK: [[V22:%[0-9A-Za-z_.]+]] = arith.cmpi sgt, [[V21]], %c2_i32 : i32
// CHECK: scf.condition([[V22]]) [[V21]] : i32
// CHECK: } do {
// CHECK: ^bb0([[V23:%[0-9A-Za-z_.]+]]: i32):
// CHECK: scf.yield [[V23]] : i32
// CHECK: [[V24:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c0_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V25:%[0-9A-Za-z_.]+]] = tile.full [[V19]] : i32 -> tensor<i32>
// CHECK: tile.store [[V25]], [[V24]] : tensor<i32>, <i32, []>
