// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// Bodies, index maps and the functions that they call are instantiated, so that an error in them is an error.
void f(tg::array<const float, 2> x, tg::array<float, 2> o) {
  const auto rows = [](auto i, auto j, auto) -> tg::block_index<2> {
    // CHECK: planted_errors.cpp:[[@LINE+1]]:{{.*}} error: member reference base type 'long' is not a structure
    return tg::index(i, j.nonsense);
  };
  tg::pallas_call(
      {.grid = {2, 2, 2}},
      [](auto x, auto o) {
        tg::static_for<2>([&](auto i) {
          // CHECK: planted_errors.cpp:[[@LINE+1]]:{{.*}} error: no member named 'nonsense' in
          o[i] = x.nonsense(i);
        });
      },
      tg::in<8, 8>(x, rows), tg::out<8, 8>(o, rows));
}
