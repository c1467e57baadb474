// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU looks at what reductions and scans by functions combine: an identity that changes it gives other results on
// a GPU. What the language combines itself, it does not look at.
// RUN: tegulac %s --emit=cpu -o %t.h
// RUN: %cxx -include %t.h %S/Inputs/identities.cpp %link -o %t.program && %t.program | FileCheck %s
// RUN: FileCheck %s --check-prefix=CODE --input-file %t.h --implicit-check-not=cpu::checked
#include <tegula/tegula.h>
namespace tg = tegula;

// CODE: void greatest_0_cpu(
// CODE: cpu::checked<float>
TEGULA_KERNEL void greatest(tg::array<const float, 2> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "rows differ");
  tg::pallas_call(
      [](auto x, auto o) {
        o[tg::all] = tg::reduce<1>(x[tg::all], 0.0f, [](auto a, auto b) { return tg::maximum(a, b); });
      },
      tg::in(x), tg::out(o));
}
// CHECK: greatest of 1: 3
// NaN stays NaN, and -0 may become +0.
// CHECK-NEXT: greatest of nan: nan
// CHECK-NEXT: greatest of -0: 3
// CHECK-NEXT: greatest of -2: {{.*}}cpu-identities.cpp:16:22: the identity 0 of tg::reduce in greatest changes element [1, 2] of the tile: f(0, -2) is 0; GPUs combine it with any elements, and the results would differ: give a constant that changes no value that occurs

// Behind the element, where it stands in front of nothing: a function that does not commute.
// CODE: void last_0_cpu(
// CODE: cpu::checked<std::int32_t, std::int32_t>
TEGULA_KERNEL void last(tg::array<const int, 1> x, tg::array<int, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "lengths differ");
  tg::pallas_call(
      [](auto x, auto o) {
        o[tg::all] = tg::associative_scan<0>(tg::tuple(x[tg::all], tg::full_like(x[tg::all], 1)), tg::tuple(0, 0),
                                             [](auto, auto b) { return b; }, tg::reverse).first;
      },
      tg::in(x), tg::out(o));
}
// CHECK-NEXT: last of 5: {{.*}}cpu-identities.cpp:33:22: the identity (0, 0) of tg::associative_scan in last changes element [3] of the tile: f((5, 1), (0, 0)) is (0, 0);

// What is rounded is unchanged.
// CODE: void sums_0_cpu(
// CODE: cpu::checked<float>
TEGULA_KERNEL void sums(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "lengths differ");
  tg::pallas_call(
      [](auto x, auto o) {
        o[tg::all] = tg::associative_scan<0>(x[tg::all], -tg::inf,
                                             [](auto a, auto b) { return tg::log(tg::exp(a) + tg::exp(b)); });
      },
      tg::in(x), tg::out(o));
}
// CHECK-NEXT: sums of 0.3: 1.6
// CHECK-NEXT: sums of 500: {{.*}} changes element [3] of the tile: f(-inf, 500) is inf;

// CODE: void named_0_cpu(
TEGULA_KERNEL void named(tg::array<const float, 1> x, tg::array<float, 1> o, tg::array<int, 1> at) {
  tg::check(x.dim(0) == o.dim(0) && at.dim(0) == 1, "lengths differ");
  tg::pallas_call(
      [](auto x, auto o, auto at) {
        o[tg::all] = tg::cumlogsumexp<0>(x[tg::all]);
        at[0] = tg::argmax<0>(x[tg::all]);
      },
      tg::in(x), tg::out(o), tg::out(at));
}
// CHECK-NEXT: named: inf at 1
