// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Entries: names, namespaces, doc comments, parameters, results.
#include <tegula/tegula.h>
namespace tg = tegula;

namespace lib::inner {
/// Adds
/// one.
TEGULA_KERNEL tg::s64 plus_one(tg::s64 n) { return n + 1; }
} // namespace lib::inner

TEGULA_KERNEL void scalars(bool a, tg::s8 b, tg::u8 c, tg::u64 d, tg::f16 e, tg::bf16 f, float g, double h) {}

struct Both {
  tg::array<float, 2> sum;
  tg::u32 count;
};
TEGULA_KERNEL Both both(const tg::array<const float, 2> &x) { return {tg::empty_like(x), 7}; }

template <class T> struct Pair {
  tg::array<T, 1> a, b;
};
template <class T, int N> TEGULA_KERNEL Pair<T> pair() { return {tg::empty<T>(N), tg::empty<T>(N)}; }
namespace lib {
TEGULA_INSTANTIATE("pair_of_u8", pair<tg::u8, 3>);
}

// CHECK-LABEL: tile.entry @lib.inner.plus_one
// CHECK-SAME: ([[V0:%[0-9A-Za-z_.]+]]: i64 {tile.name = "n"}) -> i64 attributes {doc = "Adds\0Aone.", qualified_name = "lib::inner::plus_one"} {
// CHECK: [[V1:%[0-9A-Za-z_.]+]] = arith.addi [[V0]], %c1_i64 : i64
// CHECK: tile.return [[V1]] : i64

// CHECK-LABEL: tile.entry @scalars
// CHECK-SAME: ([[V0:%[0-9A-Za-z_.]+]]: i1 {tile.name = "a"}, [[V1:%[0-9A-Za-z_.]+]]: i8 {tile.name = "b"}, [[V2:%[0-9A-Za-z_.]+]]: i8 {tile.name = "c", tile.type = "u8"}, [[V3:%[0-9A-Za-z_.]+]]: i64 {tile.name = "d", tile.type = "u64"}, [[V4:%[0-9A-Za-z_.]+]]: f16 {tile.name = "e"}, [[V5:%[0-9A-Za-z_.]+]]: bf16 {tile.name = "f"}, [[V6:%[0-9A-Za-z_.]+]]: f32 {tile.name = "g"}, [[V7:%[0-9A-Za-z_.]+]]: f64 {tile.name = "h"}) attributes {qualified_name = "scalars"} {

// CHECK-LABEL: tile.entry @both
// CHECK-SAME: ([[V0:%[0-9A-Za-z_.]+]]: !tile.array<f32, 2, const> {tile.name = "x"}) -> (!tile.array<f32, 2>, i32 {tile.type = "u32"}) attributes {qualified_name = "both", result_names = ["sum", "count"], result_struct = "Both"} {
// CHECK: [[V1:%[0-9A-Za-z_.]+]] = tile.dim [[V0]], 0 : !tile.array<f32, 2, const>
// CHECK: [[V2:%[0-9A-Za-z_.]+]] = tile.dim [[V0]], 1 : !tile.array<f32, 2, const>
// CHECK: [[V3:%[0-9A-Za-z_.]+]] = tile.empty([[V1]], [[V2]]) : <f32, 2>
// CHECK: tile.return [[V3]], %c7_i32 : !tile.array<f32, 2>, i32

// CHECK-LABEL: tile.entry @pair_of_u8
// CHECK-SAME: () -> (!tile.array<ui8, 1>, !tile.array<ui8, 1>) attributes {qualified_name = "pair_of_u8", result_names = ["a", "b"], result_struct = "pair_of_u8_result"} {
// CHECK: [[V0:%[0-9A-Za-z_.]+]] = tile.empty(%c3_i64) : <ui8, 1>
// CHECK: [[V1:%[0-9A-Za-z_.]+]] = tile.empty(%c3_i64) : <ui8, 1>
// CHECK: tile.return [[V0]], [[V1]] : !tile.array<ui8, 1>, !tile.array<ui8, 1>
