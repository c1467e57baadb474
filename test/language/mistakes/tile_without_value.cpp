// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// A tile is a value.
void f() {
  // CHECK: tile_without_value.cpp:[[@LINE+1]]:{{.*}} error: {{.*}}a tile must be initialised: tg::zeros<float, 64, 64>(), tg::full<float, 64>(x), tg::zeros_like(t); an array of tiles, element by element: tiles[2] = {t, t}
  tg::tile<float, 64> t;
  // CHECK: tile_without_value.cpp:[[@LINE+1]]:{{.*}} error: {{.*}}a tile must be initialised
  tg::tile<float, 64> tiles[2];
  const auto zeros = tg::zeros<float, 64>();
  tg::tile<float, 64> same[2] = {zeros, zeros};
}
