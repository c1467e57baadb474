// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that programs read and store to, at places of which a run tells whether they are another program's.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };

/// Each program stores one element, and reads the one opposite.
TEGULA_KERNEL void reverse(tg::array<float, 1> x) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x) {
        const auto i = tg::program_id(0);
        x[i] = x[x.dim(0) - 1 - i];
      },
      tg::inout(x));
}

/// Each program swaps two elements, and no other program has them.
TEGULA_KERNEL void reverse_by_swaps(tg::array<float, 1> x) {
  tg::pallas_call(
      {.grid = {x.dim(0) / 2}},
      [](auto x) {
        const auto left = tg::program_id(0), right = x.dim(0) - 1 - left;
        const auto kept = x[left];
        x[left] = x[right];
        x[right] = kept;
      },
      tg::inout(x));
}

/// The next one, and the last one's is the first.
TEGULA_KERNEL void rotate(tg::array<float, 1> x) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x) {
        const auto i = tg::program_id(0);
        x[i] = x[(i + 1) % x.dim(0)];
      },
      tg::inout(x));
}

/// Where each element comes from is data.
TEGULA_KERNEL void gather(tg::array<float, 1> x, tg::array<const tg::s64, 1> from) {
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto x, auto from) { x[tg::program_id(0)] = x[from[]]; }, tg::inout(x),
      tg::in<tg::squeezed>(from, same));
}

/// The two tiles on either side of the diagonal, by two programs; with `by_pairs`, by one.
TEGULA_KERNEL void transpose(tg::array<float, 2> x, bool by_pairs) {
  tg::check(x.dim(0) == x.dim(1), "x is not square");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 16), tg::cdiv(x.dim(1), 16)}},
      [=](auto x) {
        const auto rows = tg::ds<16>(16 * tg::program_id(0)), columns = tg::ds<16>(16 * tg::program_id(1));
        if (!by_pairs) {
          x[rows, columns] = tg::transpose(x[columns, rows]);
        } else if (tg::program_id(0) <= tg::program_id(1)) {
          const auto upper = x[rows, columns];
          x[rows, columns] = tg::transpose(x[columns, rows]);
          x[columns, rows] = tg::transpose(upper);
        }
      },
      tg::inout(x));
}

/// Of every second element the sum with its neighbours, as far as there are any: a step of a red-black relaxation. The
/// masks know the neighbours; with `is_whole`, programs take the elements between, too.
TEGULA_KERNEL void relax(tg::array<float, 1> x, bool is_whole) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 32)}},
      [=](auto x) {
        const auto first = 32 * tg::program_id(0);
        const auto i = tg::iota<tg::s64, 32>() + first;
        const auto is_mine = is_whole || i % 2 == 0;
        const auto left = tg::load(x.at(tg::ds<32>(first - 1)), is_mine && i > 0, 0.0f);
        const auto right = tg::load(x.at(tg::ds<32>(first + 1)), is_mine && i + 1 < x.dim(0), 0.0f);
        const auto own = x.at(tg::ds<32>(first));
        tg::store(own, tg::load(own, is_mine, 0.0f) + left + right, is_mine);
      },
      tg::inout(x));
}

/// The mask is what the array holds before the store, which changes it.
TEGULA_KERNEL void negate_positive(tg::array<float, 1> x, tg::s64 length) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), length)}},
      [=](auto x) {
        const auto own = tg::ds(length * tg::program_id(0), length);
        tg::store(x.at(own), -x[own], x[own] > 0);
      },
      tg::inout(x));
}

/// One program reads what another has stored, along the second axis of the grid; an output, too.
TEGULA_KERNEL tg::array<int, 2> read_above(tg::s64 rows, tg::s64 columns) {
  auto o = tg::empty<int>(rows, columns);
  tg::pallas_call(
      {.grid = {columns, rows}},
      [](auto o) {
        const auto j = tg::program_id(0), i = tg::program_id(1);
        o[i, j] = 1;
        if (i >= 2)
          o[i, j] = 1 + o[i * i % o.dim(0), j];
      },
      tg::out(o));
  return o;
}
