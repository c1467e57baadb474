// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// Elements are the twelve types, ranks end at 6.
// CHECK: error: {{.*}}this is not an element type: use one of bool, s8, s16, s32, s64, u8, u16, u32, u64, f16, bf16, f32, f64, e4m3, e5m2, e8m0, s4, u4, e2m1
// CHECK: element_types.cpp:[[@LINE+1]]:
void f(tg::array<long double, 1> x) { (void)x.dim(0); }
// CHECK: error: {{.*}}this is not an element type: use one of bool, s8, s16, s32, s64, u8, u16, u32, u64, f16, bf16, f32, f64, e4m3, e5m2, e8m0, s4, u4, e2m1
// CHECK: element_types.cpp:[[@LINE+1]]:
void g(tg::array<const char, 1> x) { (void)x.dim(0); }
// CHECK: error: {{.*}}this is not an element type: use one of bool, s8, s16, s32, s64, u8, u16, u32, u64, f16, bf16, f32, f64, e4m3, e5m2, e8m0, s4, u4, e2m1
// CHECK: element_types.cpp:[[@LINE+1]]:
auto h() { return tg::astype<wchar_t>(1); }
// CHECK: error: {{.*}}the rank is out of range: an array has at most 6 dimensions
// CHECK: element_types.cpp:[[@LINE+1]]:
void i(tg::array<float, 7> x) { (void)x.dim(0); }
