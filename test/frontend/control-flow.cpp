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
// CHECK-SAME: ([[V0:%[^ :,)]+]]: !tile.array<i32, 1> {tile.name = "o"}, [[V1:%[^ :,)]+]]: i32 {tile.name = "n"}) attributes {qualified_name = "branches"} {
// CHECK: tile.launch "branches_0" grid() args(inout [[V2:%[^ :,)]+]] = [[V0]] : !tile.array<i32, 1>, scalar [[V3:%[^ :,)]+]] = [[V1]] : i32) {
// CHECK: [[V4:%[^ :,)]+]] = arith.cmpi eq, [[V3]], %c0_i32 : i32
// CHECK: scf.if [[V4]] {
// CHECK: } else {
// CHECK: [[V5:%[^ :,)]+]] = arith.cmpi sgt, [[V3]], %c5_i32 : i32
// CHECK: [[V6:%[^ :,)]+]] = arith.select [[V5]], [[V3]], %c5_i32 : i32
// CHECK: [[V7:%[^ :,)]+]] = arith.cmpi slt, [[V3]], %c3_i32 : i32
// CHECK: [[V8:%[^ :,)]+]] = scf.if [[V7]] -> (i1) {
// CHECK: [[V9:%[^ :,)]+]] = arith.extsi [[V3]] : i32 to i64
// CHECK: [[V10:%[^ :,)]+]] = tile.slice [[V2]][element [[V9]]] : <i32, [?]> -> <i32, []>
// CHECK: [[V11:%[^ :,)]+]] = tile.load [[V10]] : <i32, []> -> tensor<i32>
// CHECK: [[V12:%[^ :,)]+]] = tile.extract [[V11]] : tensor<i32> -> i32
// CHECK: [[V13:%[^ :,)]+]] = arith.cmpi sgt, [[V12]], %c2_i32 : i32
// CHECK: scf.yield [[V13]] : i1
// CHECK: } else {
// CHECK: scf.yield %false : i1
// CHECK: [[V14:%[^ :,)]+]] = scf.if [[V8]] -> (i32) {
// CHECK: scf.yield %c1_i32 : i32
// CHECK: } else {
// CHECK: [[V9]] = arith.cmpi sgt, [[V6]], %c9_i32 : i32
// CHECK: [[V10]] = arith.select [[V9]], %c2_i32, [[V6]] : i32
// CHECK: scf.yield [[V10]] : i32
// CHECK: [[V15:%[^ :,)]+]] = tile.slice [[V2]][element %c0_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V16:%[^ :,)]+]] = tile.full [[V14]] : i32 -> tensor<i32>
// CHECK: tile.store [[V16]], [[V15]] : tensor<i32>, <i32, []>

// CHECK-LABEL: tile.entry @returns
// CHECK-SAME: ([[V0:%[^ :,)]+]]: !tile.array<i32, 1> {tile.name = "o"}, [[V1:%[^ :,)]+]]: i32 {tile.name = "n"}) attributes {qualified_name = "returns"} {
// CHECK: tile.launch "returns_0" grid() args(out [[V2:%[^ :,)]+]] = [[V0]] : !tile.array<i32, 1>, scalar [[V3:%[^ :,)]+]] = [[V1]] : i32) {
// CHECK: [[V4:%[^ :,)]+]] = ub.poison : i32
// CHECK: [[V5:%[^ :,)]+]]:3 = scf.while ([[V6:%[^ :,)]+]] = [[V4]], [[V7:%[^ :,)]+]] = %false, [[V8:%[^ :,)]+]] = %c0_i32) : (i32, i1, i32) -> (i32, i1, i32) {
// CHECK: [[V9:%[^ :,)]+]] = arith.xori [[V7]], %true : i1
// CHECK: scf.condition([[V9]]) [[V6]], [[V7]], [[V8]] : i32, i1, i32
// CHECK: } do {
// CHECK: ^bb0([[V6]]: i32, [[V7]]: i1, [[V8]]: i32):
// CHECK: [[V9]] = arith.muli [[V8]], [[V8]] : i32
// CHECK: [[V10:%[^ :,)]+]] = arith.cmpi sge, [[V9]], [[V3]] : i32
// CHECK: [[V11:%[^ :,)]+]] = arith.select [[V10]], [[V8]], [[V6]] : i32
// CHECK: [[V12:%[^ :,)]+]] = arith.select [[V10]], %true, [[V7]] : i1
// CHECK: [[V13:%[^ :,)]+]] = scf.if [[V10]] -> (i32) {
// CHECK: scf.yield [[V8]] : i32
// CHECK: } else {
// CHECK: [[V14:%[^ :,)]+]] = arith.addi [[V8]], %c1_i32 : i32
// CHECK: scf.yield [[V14]] : i32
// CHECK: scf.yield [[V11]], [[V12]], [[V13]] : i32, i1, i32
// CHECK: [[V15:%[^ :,)]+]] = tile.slice [[V2]][element %c0_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V16:%[^ :,)]+]] = tile.full [[V5]]#0 : i32 -> tensor<i32>
// CHECK: tile.store [[V16]], [[V15]] : tensor<i32>, <i32, []>

// CHECK-LABEL: tile.entry @jumps
// CHECK-SAME: ([[V0:%[^ :,)]+]]: !tile.array<i32, 1> {tile.name = "o"}, [[V1:%[^ :,)]+]]: i32 {tile.name = "n"}) attributes {qualified_name = "jumps"} {
// CHECK: tile.launch "jumps_0" grid() args(out [[V2:%[^ :,)]+]] = [[V0]] : !tile.array<i32, 1>, scalar [[V3:%[^ :,)]+]] = [[V1]] : i32) {
// CHECK: [[V4:%[^ :,)]+]] = scf.while ([[V5:%[^ :,)]+]] = %c0_i32) : (i32) -> i32 {
// CHECK: [[V6:%[^ :,)]+]] = arith.cmpi slt, [[V5]], [[V3]] : i32
// CHECK: scf.condition([[V6]]) [[V5]] : i32
// CHECK: } do {
// CHECK: ^bb0([[V5]]: i32):
// CHECK: [[V6]] = arith.cmpi eq, [[V5]], %c3_i32 : i32
// CHECK: scf.if [[V6]] {
// CHECK: } else {
// CHECK: [[V7:%[^ :,)]+]] = arith.extsi [[V5]] : i32 to i64
// CHECK: [[V8:%[^ :,)]+]] = tile.slice [[V2]][element [[V7]]] : <i32, [?]> -> <i32, []>
// CHECK: [[V9:%[^ :,)]+]] = tile.full [[V5]] : i32 -> tensor<i32>
// CHECK: tile.store [[V9]], [[V8]] : tensor<i32>, <i32, []>
// CHECK: [[V10:%[^ :,)]+]] = arith.addi [[V5]], %c1_i32 : i32
// CHECK: scf.yield [[V10]] : i32
// CHECK: [[V11:%[^ :,)]+]]:2 = scf.while ([[V5]] = [[V3]], [[V12:%[^ :,)]+]] = %false) : (i32, i1) -> (i32, i1) {
// CHECK: [[V6]] = scf.if [[V12]] -> (i1) {
// CHECK: scf.yield %false : i1
// CHECK: } else {
// CHECK: [[V10]] = arith.cmpi sgt, [[V5]], %c0_i32 : i32
// CHECK: scf.yield [[V10]] : i1
// CHECK: scf.condition([[V6]]) [[V5]], [[V12]] : i32, i1
// CHECK: } do {
// CHECK: ^bb0([[V5]]: i32, [[V12]]: i1):
// CHECK: [[V6]] = arith.divsi [[V5]], %c2_i32 : i32
// CHECK: [[V10]] = arith.cmpi eq, [[V6]], %c5_i32 : i32
// CHECK: [[V7]] = arith.select [[V10]], %true, [[V12]] : i1
// CHECK: scf.yield [[V6]], [[V7]] : i32, i1
// CHECK: [[V13:%[^ :,)]+]] = scf.while ([[V5]] = [[V11]]#0) : (i32) -> i32 {
// CHECK: [[V6]] = arith.subi [[V5]], %c1_i32 : i32
// CHECK: [[V10]] = arith.cmpi sgt, [[V6]], %c2_i32 : i32
// CHECK: scf.condition([[V10]]) [[V6]] : i32
// CHECK: } do {
// CHECK: ^bb0([[V5]]: i32):
// CHECK: scf.yield [[V5]] : i32
// CHECK: [[V14:%[^ :,)]+]] = tile.slice [[V2]][element %c0_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V15:%[^ :,)]+]] = tile.full [[V13]] : i32 -> tensor<i32>
// CHECK: tile.store [[V15]], [[V14]] : tensor<i32>, <i32, []>
