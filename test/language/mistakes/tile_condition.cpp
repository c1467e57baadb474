// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// A tile has no one truth value.
void f(tg::array<const float, 1> x) {
  tg::pallas_call(
      [](auto x) {
        // CHECK: tile_condition.cpp:[[@LINE+1]]:{{.*}} error: {{.*}}a tile is not a single bool: choose per element by tg::where(condition, a, b)
        if (x[tg::all] > 0.0f)
          return;
        // CHECK: tile_condition.cpp:[[@LINE+1]]:{{.*}} error: {{.*}}a tile is not a single bool: choose per element by tg::where(condition, a, b)
        (void)(x[tg::all] > 0.0f ? 1 : 2);
      },
      tg::in(x));
}
