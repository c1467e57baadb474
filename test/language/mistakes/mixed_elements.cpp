// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// Tiles meet only with equal elements; a scalar fits or does not.
void f(tg::array<const float, 1> x, tg::array<const int, 1> n) {
  tg::pallas_call(
      [](auto x, auto n) {
        // CHECK: error: {{.*}}the tiles differ in element type: convert one with tg::astype<...>(tile)
        // CHECK: mixed_elements.cpp:[[@LINE+1]]:
        (void)(x[tg::all] * n[tg::all]);
        // CHECK: error: {{.*}}the scalar does not fit the tile's element type: convert one with tg::astype<...>
        // CHECK: mixed_elements.cpp:[[@LINE+1]]:
        (void)(n[tg::all] + 0.5f);
        // CHECK: error: {{.*}}bools cannot be compared with numbers: write two bounds as two comparisons, 0 < x && x < 1
        // CHECK: mixed_elements.cpp:[[@LINE+1]]:
        (void)((n[tg::all] > 0) == 1);
        // CHECK: error: {{.*}}the tiles differ in element type: convert one with tg::astype<...>(tile)
        // CHECK: mixed_elements.cpp:[[@LINE+1]]:
        (void)tg::where(x[tg::all] > 0.0f, n[tg::all], x[tg::all]);
      },
      tg::in(x), tg::in(n));
}
