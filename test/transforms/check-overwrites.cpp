// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of a grid run at the same time: what they all write to one place is refused, if it differs or adds up.
// RUN: not tegulac --emit=tile -o - %s 2>&1 | FileCheck %s
#include <tegula/tegula.h>
namespace tg = tegula;

/// As a grid adds up elsewhere, where one program runs after another.
TEGULA_KERNEL void accumulated(tg::array<const float, 2> x, tg::array<float, 1> z) {
  tg::pallas_call(
      {.grid = {x.dim(0), tg::cdiv(x.dim(1), 64)}},
      [](auto x, auto z) {
        if (tg::program_id(1) == 0)
          z[] = 0;
        // CHECK: [[@LINE+2]]:{{[0-9]+}}: error: programs that differ along grid axis 1 all write these elements of z, and they run at the same time
        // CHECK: note: write what depends on the program: let the index map of z depend on grid axis 1, or loop in the program over what the axis counts
        z[] += tg::sum(x[tg::all]);
      },
      tg::in<tg::squeezed, 64>(x, [](auto i, auto k) { return tg::index(i, k); }),
      tg::inout<tg::squeezed>(z, [](auto i, auto) { return tg::index(i); }));
}

TEGULA_KERNEL void last_of_all(tg::array<const float, 1> x, tg::array<float, 1> z) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: programs that differ along grid axis 0 all write these elements of z
      [](auto x, auto z) { z[0] = x[tg::program_id(0)]; }, tg::in(x), tg::inout(z));
}

// CHECK-NOT: error
/// Other places, conditions, one program, the same value.
TEGULA_KERNEL void allowed(tg::array<const float, 1> x, tg::array<float, 1> z, tg::array<float, 1> one) {
  tg::pallas_call(
      {.grid = {x.dim(0), 1}},
      [](auto x, auto z, auto one) {
        z[tg::program_id(0)] = z[tg::program_id(0)] + x[tg::program_id(0)];
        one[0] = 7;
        if (tg::program_id(0) == 3)
          one[1] = x[tg::program_id(0)];
      },
      tg::in(x), tg::inout(z), tg::inout(one));
}
