// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Functions run inline: by value, by reference, recursive over constants, templates, lambdas.
#include <tegula/tegula.h>
namespace tg = tegula;

inline int by_value(int n) { return n *= 2; }
inline void by_reference(int &n) { n += 3; }
template <class V> V power(const V &x, int n) { return n == 1 ? x : x * power(x, n - 1); }
inline int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
template <auto F, class... V> auto fold(const V &...x) { return (F(x) + ...); }
inline int offset(int n, int by = 5) { return n + by; }
TEGULA_KERNEL void functions(tg::array<int, 1> o, int n) {
  tg::pallas_call(
      [=](auto o) {
        int m = n;
        by_reference(m);
        const auto later = [&m, k = by_value(n)](auto x) { return m + k + x; };
        m = 9;
        o[0] = later(factorial(4));
        o[1] = power(n, 3);
        o[2] = fold<[](auto v) { return offset(v); }>(n, m) + fold<[](auto v) { return -v; }>(n);
      },
      tg::out(o));
}

// CHECK-LABEL: tile.entry @functions
// CHECK: tile.launch "functions_0" grid() args(out [[V0:%[0-9A-Za-z_.]+]] = [[V1:%[0-9A-Za-z_.]+]] : !tile.array<i32, 1>, scalar [[V2:%[0-9A-Za-z_.]+]] = [[V3:%[0-9A-Za-z_.]+]] : i32) {
// CHECK: [[V4:%[0-9A-Za-z_.]+]] = arith.muli [[V2]], %c2_i32 : i32
// CHECK: [[V5:%[0-9A-Za-z_.]+]] = arith.addi [[V4]], %c33_i32 : i32
// CHECK: [[V6:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c0_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V7:%[0-9A-Za-z_.]+]] = tile.full [[V5]] : i32 -> tensor<i32>
// CHECK: tile.store [[V7]], [[V6]] : tensor<i32>, <i32, []>
// CHECK: [[V8:%[0-9A-Za-z_.]+]] = arith.muli [[V2]], [[V2]] : i32
// CHECK: [[V9:%[0-9A-Za-z_.]+]] = arith.muli [[V2]], [[V8]] : i32
// CHECK: [[V10:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c1_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V11:%[0-9A-Za-z_.]+]] = tile.full [[V9]] : i32 -> tensor<i32>
// CHECK: tile.store [[V11]], [[V10]] : tensor<i32>, <i32, []>
// CHECK: [[V12:%[0-9A-Za-z_.]+]] = arith.addi [[V2]], %c19_i32 : i32
// CHECK: [[V13:%[0-9A-Za-z_.]+]] = arith.subi %c0_i32, [[V2]] : i32
// CHECK: [[V14:%[0-9A-Za-z_.]+]] = arith.addi [[V12]], [[V13]] : i32
// CHECK: [[V15:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c2_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V16:%[0-9A-Za-z_.]+]] = tile.full [[V14]] : i32 -> tensor<i32>
// CHECK: tile.store [[V16]], [[V15]] : tensor<i32>, <i32, []>
