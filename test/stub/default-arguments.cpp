// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generated header repeats default arguments, of every type of scalar.
// RUN: rm -rf %t && mkdir -p %t && tegulac %s -o %t/defaults && FileCheck %s --input-file %t/defaults.h
// RUN: cat %S/Inputs/default_arguments.cpp > %t/main.cpp && %cxx -I%t %t/main.cpp %t/defaults.cpp %link -o %t/main
// RUN: %t/main
#include <tegula/tegula.h>
#include <cstdint>
namespace tg = tegula;

constexpr int width = 3;
struct numbers {
  double a;
  tg::u64 b;
};

// CHECK: float one(const tegula::array<const float, 1> &x, std::int32_t n, float scale = 1.5F,
// CHECK-NEXT: const tegula::stream &stream = {});
TEGULA_KERNEL float one(tg::array<const float, 1> x, int n, float scale = 3.0 / 2) {
  return static_cast<float>(n) * scale + static_cast<float>(x.dim(0));
}

// CHECK: numbers all(bool a = true, std::int8_t b = -128, std::uint8_t c = 255, std::int16_t d = 6,
// CHECK-NEXT: std::uint32_t e = 4294967295U, std::int64_t f = std::numeric_limits<std::int64_t>::min(),
// CHECK-NEXT: std::uint64_t g = 18446744073709551615U, tegula::f16 h = tegula::f16(0.5F),
// CHECK-NEXT: tegula::bf16 i = tegula::bf16(-2.0F), double j = 0.1,
// CHECK-NEXT: float k = -std::numeric_limits<float>::infinity(), tegula::device device = {},
// CHECK-NEXT: const tegula::stream &stream = {});
TEGULA_KERNEL numbers all(bool a = true, tg::s8 b = -128, tg::u8 c = -1, tg::s16 d = 2 * width, tg::u32 e = ~0u,
                          tg::s64 f = INT64_MIN, tg::u64 g = UINT64_MAX, tg::f16 h = tg::f16(0.5f),
                          tg::bf16 i = tg::bf16(-2.0f), double j = 0.1, float k = -__builtin_inff()) {
  return {j, g};
}

// What a redeclaration adds; the constant of an instance is converted to its type.
// CHECK: std::int32_t declared(std::int32_t n = 7, tegula::device
TEGULA_KERNEL int declared(int n) { return n; }
TEGULA_KERNEL int declared(int n = 7);
// CHECK: double instance(double x = 4.0, tegula::device
template <class T> TEGULA_KERNEL T instance(T x = 4) { return x; }
TEGULA_INSTANTIATE("instance", instance<double>);
