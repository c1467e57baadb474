// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries on device::meta() check their arrays and make results of the right shapes. They launch nothing: there is no memory. The memory of
// others may be an allocator's.
// RUN: rm -rf %t && mkdir -p %t && tegulac --arch sm_90a %s -o %t/kernels
// RUN: cat %S/Inputs/meta.cpp > %t/main.cpp && %cxx -I%t %t/main.cpp %t/kernels.cpp %link -o %t/main
// RUN: %t/main
#include <tegula/tegula.h>
namespace tg = tegula;

struct Sums {
  tg::array<float, 1> rows;
  tg::array<float, 0> all;
};

/// Reductions of any length: with scratch.
TEGULA_KERNEL Sums sums(tg::array<const float, 2> x, tg::array<const float, 1> shift = {}) {
  tg::check(!shift || shift.dim(0) == x.dim(1), "shift has an entry per column");
  Sums o{tg::empty<float>(x.dim(0)), tg::empty<float>()};
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto shift, auto rows) {
        auto row = x[tg::all];
        if (shift)
          row += shift[tg::all];
        rows[] = tg::sum(row);
      },
      tg::in<tg::squeezed, tg::whole>(x, [](auto i) { return tg::index(i, 0); }), tg::in(shift),
      tg::out<tg::squeezed>(o.rows, [](auto i) { return tg::index(i); }));
  tg::pallas_call([](auto rows, auto all) { all[] = tg::sum(rows[tg::all]); }, tg::in(o.rows), tg::out(o.all));
  return o;
}

/// In place, as often as the shape says.
TEGULA_KERNEL void doubled(tg::array<tg::u4, 1> x, tg::array<const tg::u4, 1> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ");
  for (tg::s64 i = 0; i < x.dim(0); i += 1000)
    tg::pallas_call([](auto x, auto y) { x[tg::all] = tg::astype<tg::u4>(tg::astype<int>(y[tg::all]) * 2); },
                    tg::out(x), tg::in(y));
}
