// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same to all elements of arrays of several dimensions: at once, in blocks of both, of rows, of one row, of a size
// known at run time; and programs that only look like it.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T, int Rank> using input = tg::array<const T, Rank>;
template <class T, int Rank> using output = tg::array<T, Rank>;

constexpr auto same = [](auto... i) { return tg::index(i...); };
constexpr auto by_row = [](auto i) { return tg::index(i, 0); };

/// s x + y, of two types.
TEGULA_KERNEL void scaled_sum(input<float, 2> x, input<tg::f16, 2> y, float s, output<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && y.dim(0) == o.dim(0) && y.dim(1) == o.dim(1),
            "the arrays differ in shape");
  tg::pallas_call([=](auto x, auto y, auto o) { o[tg::all] = s * x[tg::all] + tg::astype<float>(y[tg::all]); },
                  tg::in(x), tg::in(y), tg::out(o));
}

/// In place, three dimensions, another array beside.
TEGULA_KERNEL void doubled(output<tg::s32, 3> x, output<tg::s64, 3> squares) {
  tg::check(x.dim(0) == squares.dim(0) && x.dim(1) == squares.dim(1) && x.dim(2) == squares.dim(2),
            "the arrays differ in shape");
  tg::pallas_call(
      [](auto x, auto squares) {
        const auto t = x[tg::all];
        x[tg::all] = t + t;
        const auto wide = tg::astype<tg::s64>(t);
        squares[tg::all] = wide * wide;
      },
      tg::inout(x), tg::out(squares));
}

template <int Rows, int Columns> TEGULA_KERNEL void negated_blocks(input<tg::bf16, 2> x, output<tg::bf16, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "the arrays differ in shape");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), Rows), tg::cdiv(x.dim(1), Columns)}},
      [](auto x, auto o) { o[tg::all] = -x[tg::all]; }, tg::in<Rows, Columns>(x, same),
      tg::out<Rows, Columns>(o, same));
}
TEGULA_INSTANTIATE("negated_4_1024", negated_blocks<4, 1024>);
TEGULA_INSTANTIATE("negated_3_5", negated_blocks<3, 5>);

TEGULA_KERNEL void negated_rows(input<float, 2> x, output<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "the arrays differ in shape");
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto x, auto o) { o[tg::all] = -x[tg::all]; },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::out<tg::squeezed, tg::whole>(o, by_row));
}

TEGULA_KERNEL void negated_by(input<float, 2> x, tg::s64 rows, output<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "the arrays differ in shape");
  tg::check(rows > 0, "no rows in a block");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), rows)}}, [](auto x, auto o) { o[tg::all] = -x[tg::all]; },
      tg::in(x, {rows, x.dim(1)}, by_row), tg::out(o, {rows, x.dim(1)}, by_row));
}

/// In place, of so many blocks of two rows, which need not be all.
TEGULA_KERNEL void negate_first(output<float, 2> x, tg::s64 blocks) {
  tg::pallas_call({.grid = {blocks}}, [](auto x) { x[tg::all] = -x[tg::all]; }, tg::inout<2, tg::whole>(x, by_row));
}

/// Blocks in another order than those that they are made of.
TEGULA_KERNEL void reversed_rows(input<float, 2> x, output<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "the arrays differ in shape");
  const auto last = x.dim(0) - 1;
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto x, auto o) { o[tg::all] = -x[tg::all]; },
      tg::in<tg::squeezed, tg::whole>(x, [=](auto i) { return tg::index(last - i, 0); }),
      tg::out<tg::squeezed, tg::whole>(o, by_row));
}

/// A number of its own for each program.
TEGULA_KERNEL void numbered_rows(input<float, 2> x, output<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "the arrays differ in shape");
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto x, auto o) { o[tg::all] = x[tg::all] + static_cast<float>(tg::program_id(0)); },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::out<tg::squeezed, tg::whole>(o, by_row));
}
