// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// Operators and functions take the elements that they are about.
void f(tg::array<const float, 1> x, tg::array<const int, 1> n) {
  tg::pallas_call(
      [](auto x, auto n) {
        const auto positive = x[tg::all] > 0.0f;
        // CHECK: error: {{.*}}bools have no arithmetic: convert them with tg::astype<...>(tile)
        // CHECK: wrong_elements.cpp:[[@LINE+1]]:
        (void)(positive + positive);
        // CHECK: error: {{.*}}bools have no arithmetic: convert them with tg::astype<...>(tile)
        // CHECK: wrong_elements.cpp:[[@LINE+1]]:
        (void)-positive[tg::newaxis];
        // CHECK: error: {{.*}}% takes integers only: for the remainder of floats, write tg::fmod(x, y), with the sign of x, or tg::floor_mod(x, y), with the sign of y
        // CHECK: wrong_elements.cpp:[[@LINE+1]]:
        (void)(x[tg::all] % 2.0f);
        // CHECK: error: {{.*}}the operator takes integers only: convert the tile with tg::astype<...>(tile)
        // CHECK: wrong_elements.cpp:[[@LINE+1]]:
        (void)(x[tg::all] << 1);
        // CHECK: error: {{.*}}~ takes integers only: negate bools by !
        // CHECK: wrong_elements.cpp:[[@LINE+1]]:
        (void)~positive;
        // CHECK: error: {{.*}}logical operators take bools only: compare first, x != 0
        // CHECK: wrong_elements.cpp:[[@LINE+1]]:
        (void)(n[tg::all] && n[tg::all]);
        // CHECK: error: {{.*}}logical operators take bools only: compare first, x != 0
        // CHECK: wrong_elements.cpp:[[@LINE+1]]:
        (void)!n[tg::newaxis];
        // CHECK: error: {{.*}}the function takes floating-point elements only: convert with tg::astype<float>(x)
        // CHECK: wrong_elements.cpp:[[@LINE+1]]:
        (void)tg::exp(n[tg::all]);
        // CHECK: error: {{.*}}bools have no arithmetic: convert them with tg::astype<...>(tile)
        // CHECK: wrong_elements.cpp:[[@LINE+1]]:
        (void)tg::maximum(positive, true);
        // CHECK: error: {{.*}}the condition of where is not a bool or a tile of bool: compare first, x != 0
        // CHECK: wrong_elements.cpp:[[@LINE+1]]:
        (void)tg::where(n[tg::all], 1.0f, 2.0f);
      },
      tg::in(x), tg::in(n));
}
