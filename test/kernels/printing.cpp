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

/// A gather whose indices are checked: what fails is an error of the call.
TEGULA_KERNEL tg::array<float, 2> checked_rows(tg::array<const float, 2> x, tg::array<const int, 1> index,
                                               float least) {
  auto o = tg::empty<float>(index.dim(0), x.dim(1));
  tg::pallas_call(
      {.grid = {index.dim(0)}},
      [=](auto x, auto index, auto o) {
        const tg::s64 i = index[];
        tg::debug_check(i >= 0 && i < x.dim(0), "index {} is not below {}", i, x.dim(0));
        const auto at = tg::minimum(tg::maximum(i, 0), x.dim(0) - 1);
        const auto row = x[at];
        const float sum = tg::sum(row);
        tg::debug_check(sum >= least, "the row has the sum {}, positive: {}", sum, sum > 0);
        o[tg::all] = row;
      },
      tg::in(x), tg::in<tg::squeezed>(index, [](auto i) { return tg::index(i); }),
      tg::out<tg::squeezed, tg::whole>(o, [](auto i) { return tg::index(i, 0); }));
  return o;
}

/// In a loop, in a grid of two axes, and without a grid.
TEGULA_KERNEL void checked_steps(tg::array<int, 2> o, int most) {
  tg::pallas_call(
      {.grid = {o.dim(0), o.dim(1)}},
      [=](auto o) {
        int sum = 0;
        for (int k = 0; k < 5; ++k) {
          sum += static_cast<int>(tg::program_id(1));
          tg::debug_check(sum <= most, "step {}", k);
        }
        o[] = sum;
      },
      tg::out<tg::squeezed, tg::squeezed>(o, [](auto i, auto j) { return tg::index(i, j); }));
  tg::pallas_call([](auto o) { tg::debug_check(o[0, 0] == 0, "the first is {}", o[0, 0]); }, tg::in(o));
}

/// A line of each thread of a block, and of each of its warps that come there.
TEGULA_KERNEL void print_threads(tg::s64 blocks) {
  tg::kernel({.grid = {{"b", blocks}}, .threads = {"wg", 2}}, [=] {
    const auto b = tg::axis_index("b");
    const auto wg = tg::axis_index("wg");
    tg::debug_print("block {}, thread {}", b, wg);
    tg::warp_map([&](auto warp) {
      if (warp != 2)
        tg::debug_print("block {}, thread {}, warp {}", b, wg, warp);
    });
  });
}

/// Of all elements of a tile.
TEGULA_KERNEL void checked_signs(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        tg::debug_check(tg::all_of(x[tg::all] > 0), "an element is not positive");
        o[tg::all] = tg::log(x[tg::all]);
      },
      tg::in<tg::squeezed, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),
      tg::out<tg::squeezed, tg::whole>(o, [](auto i) { return tg::index(i, 0); }));
}
