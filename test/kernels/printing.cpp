// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// debug_print.
#include <tegula/tegula.h>
namespace tg = tegula;

/// A line per program, with values of every kind.
TEGULA_KERNEL void print_scalars(tg::array<const float, 1> x, tg::array<const tg::u8, 1> n) {
  tg::check(x.dim(0) == n.dim(0), "x and n differ in length");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto n) {
        const auto i = tg::program_id(0);
        tg::debug_print("program {} of {}: {}, {} {}%", i, tg::num_programs(0), x[i], n[i], x[i] > 0);
      },
      tg::in(x), tg::in(n));
}

/// Only where a condition holds, and without values.
TEGULA_KERNEL void print_sometimes(tg::array<const int, 1> x) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x) {
        if (x[tg::program_id(0)] == 7)
          tg::debug_print("seven");
      },
      tg::in(x));
}
