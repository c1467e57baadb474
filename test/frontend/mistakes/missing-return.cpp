// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile --clang-arg=-Wno-return-type %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
// A function that returns a value says which.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL tg::array<float, 1> entry(tg::array<const float, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(o));
  // CHECK: missing-return.cpp:[[@LINE+1]]:1: error: this function returns a value, but has no return: end it with one, return o;
}

TEGULA_KERNEL tg::array<float, 1> on_a_path(tg::array<const float, 1> x, bool other) {
  auto o = tg::empty_like(x);
  if (other)
    return o;
  // CHECK: missing-return.cpp:[[@LINE+1]]:1: error: this function returns a value, but its end can be reached without a return: end it with one, return o;
}

TEGULA_KERNEL void lambda(tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto o) {
        const auto square = [](float x) -> float {
          (void)(x * x);
          // CHECK: missing-return.cpp:[[@LINE+1]]:9: error: this function returns a value, but has no return: end it with one, return o;
        };
        o[0] = square(2.F);
      },
      tg::out(o));
}

// Every path returns.
template <bool Other> float either(bool other) {
  if constexpr (Other)
    return 1;
  if (other)
    return 2;
  else
    return 3;
}
TEGULA_KERNEL float returns(bool other) { return either<true>(other); }
