// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Loops that run while the kernel is compiled.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void unrolled(tg::array<int, 1> o, int n) {
  tg::pallas_call(
      [=](auto o) {
        const int a[] = {n, 20, 30};
#pragma unroll
        for (int i = 0, j = 2; i < j; ++i, --j)
          o[i] = a[j];
        for (const int &v : a)
          o[2] = v;
        tg::static_for<2>([&](auto i) { o[i + 3] = a[i]; });
#pragma unroll
        for (int i = 0; i < 3; ++i) {
          if (i == 1)
            continue;
          if (a[i] == n + 1)
            break;
          o[5] = i;
        }
      },
      tg::out(o));
}

// CHECK-LABEL: tile.entry @unrolled
// CHECK: tile.launch "unrolled_0" grid() args(out [[V0:%[0-9A-Za-z_.]+]] = [[V1:%[0-9A-Za-z_.]+]] : !tile.array<i32, 1>, scalar [[V2:%[0-9A-Za-z_.]+]] = [[V3:%[0-9A-Za-z_.]+]] : i32) {
// CHECK: [[V4:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c0_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V5:%[0-9A-Za-z_.]+]] = tile.full %c30_i32 : i32 -> tensor<i32>
// CHECK: tile.store [[V5]], [[V4]] : tensor<i32>, <i32, []>
// CHECK: [[V6:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c2_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V7:%[0-9A-Za-z_.]+]] = tile.full [[V2]] : i32 -> tensor<i32>
// CHECK: tile.store [[V7]], [[V6]] : tensor<i32>, <i32, []>
// CHECK: [[V8:%[0-9A-Za-z_.]+]] = tile.full %c20_i32 : i32 -> tensor<i32>
// CHECK: tile.store [[V8]], [[V6]] : tensor<i32>, <i32, []>
// CHECK: tile.store [[V5]], [[V6]] : tensor<i32>, <i32, []>
// CHECK: [[V9:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c3_i64] : <i32, [?]> -> <i32, []>
// CHECK: tile.store [[V7]], [[V9]] : tensor<i32>, <i32, []>
// CHECK: [[V10:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c4_i64] : <i32, [?]> -> <i32, []>
// CHECK: tile.store [[V8]], [[V10]] : tensor<i32>, <i32, []>
// CHECK: [[V11:%[0-9A-Za-z_.]+]] = arith.addi [[V2]], %c1_i32 : i32
// CHECK: [[V12:%[0-9A-Za-z_.]+]] = arith.cmpi eq, [[V2]], [[V11]] : i32
// CHECK: scf.if [[V12]] {
// CHECK: } else {
// CHECK: [[V13:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c5_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V14:%[0-9A-Za-z_.]+]] = tile.full %c0_i32 : i32 -> tensor<i32>
// CHECK: tile.store [[V14]], [[V13]] : tensor<i32>, <i32, []>
// CHECK: [[V15:%[0-9A-Za-z_.]+]] = arith.cmpi eq, [[V11]], %c30_i32 : i32
// CHECK: scf.if [[V15]] {
// CHECK: } else {
// CHECK: [[V16:%[0-9A-Za-z_.]+]] = tile.full %c2_i32 : i32 -> tensor<i32>
// CHECK: tile.store [[V16]], [[V13]] : tensor<i32>, <i32, []>

// More iterations than C++ folds at once: from the first to the last.
TEGULA_KERNEL void many(tg::array<int, 1> o) {
  tg::pallas_call([](auto o) { tg::static_for<300>([&](auto i) { o[i] = i; }); }, tg::out(o));
}
// CHECK-LABEL: tile.entry @many
// CHECK: tile.slice {{.*}}[element %c0_i64]
// CHECK-COUNT-298: tile.slice
// CHECK: tile.slice {{.*}}[element %c299_i64]
// CHECK-NOT: tile.slice
