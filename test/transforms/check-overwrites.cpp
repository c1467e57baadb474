// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of a grid run at the same time: what they all write to one place is refused, if it differs or adds up.
// RUN: not tegulac --emit=tile -o - %s 2>&1 | FileCheck %s
#include <tegula/tegula.h>
namespace tg = tegula;
constexpr auto row = [](auto i) { return tg::index(i, 0); };

/// As a grid runs one program after another elsewhere.
TEGULA_KERNEL void accumulated(tg::array<const float, 2> a, tg::array<const float, 2> b, tg::array<float, 2> z) {
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 64), tg::cdiv(b.dim(1), 64), tg::cdiv(a.dim(1), 32)}},
      [](auto a, auto b, auto z) {
        if (tg::program_id(2) == 0)
          z[tg::all] = tg::zeros<float, 64, 64>();
        // CHECK: [[@LINE+2]]:{{[0-9]+}}: error: programs that differ along grid axis 2 all write these elements of z, and they run at the same time
        // CHECK: note: write what depends on the program: let the index map of z depend on grid axis 2, or loop in the program over what the axis counts
        z[tg::all] += tg::dot(a[tg::all], b[tg::all]);
      },
      tg::in<64, 32>(a, [](auto i, auto, auto k) { return tg::index(i, k); }),
      tg::in<32, 64>(b, [](auto, auto j, auto k) { return tg::index(k, j); }),
      tg::inout<64, 64>(z, [](auto i, auto j, auto) { return tg::index(i, j); }));
}

TEGULA_KERNEL void last_of_all(tg::array<const float, 1> x, tg::array<float, 1> z) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: programs that differ along grid axis 0 all write these elements of z
      [](auto x, auto z) { z[0] = x[tg::program_id(0)]; }, tg::in(x), tg::inout(z));
}

// CHECK-NOT: error
/// One program, other places, conditions, the same value.
TEGULA_KERNEL void allowed(tg::array<const float, 2> x, tg::array<float, 2> z, tg::array<float, 1> one) {
  tg::pallas_call(
      {.grid = {x.dim(0), 1}},
      [](auto x, auto z, auto one) {
        z[tg::program_id(0), tg::all] += x[tg::all];
        one[0] = 7;
        if (tg::program_id(0) == 3)
          one[1] = x[0];
      },
      tg::in<tg::squeezed, tg::whole>(x, [](auto i, auto) { return tg::index(i, 0); }), tg::inout(z), tg::inout(one));
}
