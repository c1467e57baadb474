// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalars, slices, new axes, broadcasting, rank 0.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };

/// Scalar loads and stores at run-time indices.
template <class T> TEGULA_KERNEL tg::array<T, 1> reverse(tg::array<const T, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto i = tg::program_id(0);
        o[x.dim(0) - 1 - i] = x[i];
      },
      tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("reverse_bool", reverse<bool>);
TEGULA_INSTANTIATE("reverse_u8", reverse<tg::u8>);
TEGULA_INSTANTIATE("reverse_f16", reverse<tg::f16>);
TEGULA_INSTANTIATE("reverse_bf16", reverse<tg::bf16>);
TEGULA_INSTANTIATE("reverse_f64", reverse<tg::f64>);

/// An index that is itself loaded.
TEGULA_KERNEL tg::array<float, 1> gather(tg::array<const float, 2> x, tg::array<const int, 1> rows) {
  auto o = tg::empty<float>(rows.dim(0));
  tg::pallas_call(
      {.grid = {rows.dim(0)}},
      [](auto x, auto rows, auto o) {
        const auto i = tg::program_id(0);
        o[i] = x[rows[i], x.dim(1) - 1];
      },
      tg::in(x), tg::in(rows), tg::out(o));
  return o;
}

/// C++'s conversions at scalar loads and stores: bf16 computes as float, a float becomes an int.
TEGULA_KERNEL void convert_scalars(tg::array<const tg::bf16, 1> x, tg::array<tg::bf16, 1> third,
                                   tg::array<int, 1> scaled) {
  tg::check(x.dim(0) == third.dim(0) && x.dim(0) == scaled.dim(0), "the arrays differ in length");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto third, auto scaled) {
        const tg::bf16 a = x[0];
        third[0] = a / 3 + 0.5f;
        scaled[0] = static_cast<int>(100 * a);
      },
      tg::in<1>(x, same), tg::out<1>(third, same), tg::out<1>(scaled, same));
}

/// Slices with static and with run-time sizes: the first 16 elements, and what follows the first `skip`, meet in o.
TEGULA_KERNEL void slices(tg::array<const int, 1> x, tg::array<int, 1> first, tg::array<int, 1> rest, tg::s64 skip) {
  tg::check(x.dim(0) >= 16 && first.dim(0) == 16, "there are no 16 elements");
  tg::check(skip >= 0 && skip <= x.dim(0) && rest.dim(0) == x.dim(0) - skip, "rest has another length");
  tg::pallas_call(
      [=](auto x, auto first, auto rest) {
        first[tg::ds<16>(0)] = x[tg::ds<16>(0)];
        rest[tg::ds(0, x.dim(0) - skip)] = -x[tg::ds(skip, x.dim(0) - skip)];
      },
      tg::in(x), tg::out(first), tg::out(rest));
}

/// A row, stored in its place; the other rows stay.
TEGULA_KERNEL void negate_row(tg::array<int, 2> x, tg::s64 row) {
  tg::check(row >= 0 && row < x.dim(0), "there is no such row");
  tg::pallas_call([=](auto x) { x[row] = -x[row]; }, tg::inout(x));
}

/// Columns by rows.
TEGULA_KERNEL tg::array<float, 2> outer(tg::array<const float, 1> x, tg::array<const float, 1> y) {
  auto o = tg::empty<float>(x.dim(0), y.dim(0));
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = x[tg::all, tg::newaxis] * y[tg::all]; }, tg::in(x),
                  tg::in(y), tg::out(o));
  return o;
}

/// Parts of a tile that is there already: a column, a row, a slice, new axes.
TEGULA_KERNEL tg::array<int, 2> parts(tg::array<const int, 2> x) {
  tg::check(x.dim(0) % 4 == 0 && x.dim(1) == 8, "x is not made of blocks of 4 x 8");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0) / 4}},
      [](auto x, auto o) {
        const auto t = x[tg::all] + 1;
        const auto column = t[tg::all, tg::newaxis, 2];
        const auto row = t[3];
        const auto corner = t[1, 7];
        const auto window = t[tg::all, tg::ds<4>(4)];
        o[tg::all, tg::ds<4>(0)] = column * row[tg::ds<4>(0)] + corner;
        o[tg::all, tg::ds<4>(4)] = window - row[tg::newaxis, tg::ds<4>(1)];
      },
      tg::in<4, 8>(x, [](auto i) { return tg::index(i, 0); }),
      tg::out<4, 8>(o, [](auto i) { return tg::index(i, 0); }));
  return o;
}

/// A static 1 stretches: blocks of one column and of one row.
TEGULA_KERNEL tg::array<float, 2> stretch(tg::array<const float, 2> column, tg::array<const float, 2> row) {
  tg::check(column.dim(1) == 1 && row.dim(0) == 1, "no column or no row");
  auto o = tg::empty<float>(column.dim(0), row.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(column.dim(0), 8), tg::cdiv(row.dim(1), 128)}},
      [](auto column, auto row, auto o) { o[tg::all] = column[tg::all] - row[tg::all]; },
      tg::in<8, 1>(column, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<1, 128>(row, [](auto, auto j) { return tg::index(0, j); }), tg::out<8, 128>(o, same));
  return o;
}

/// One number for a whole array, from an array of rank 0.
TEGULA_KERNEL void fill(tg::array<const float, 0> value, tg::array<float, 2> o, tg::array<float, 0> twice) {
  tg::pallas_call(
      [](auto value, auto o, auto twice) {
        o[tg::all] = value[];
        twice[] = 2 * value[];
      },
      tg::in(value), tg::out(o), tg::out(twice));
}

/// Tiles out of nothing, in the shape of what they are combined with.
TEGULA_KERNEL tg::array<int, 2> made(tg::array<const int, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 4)}},
      [](auto x, auto o) {
        const auto rows = tg::broadcasted_iota<int, 0, 4, 8>();
        const auto columns = tg::iota<int, 8>();
        o[tg::all] = tg::zeros_like(x[tg::all]) + tg::full<int, 4, 8>(100) + 10 * rows + columns + tg::zeros<int, 8>();
      },
      tg::in<4, 8>(x, [](auto i) { return tg::index(i, 0); }),
      tg::out<4, 8>(o, [](auto i) { return tg::index(i, 0); }));
  return o;
}

/// One array behind the other, and beside it what is left of o.
TEGULA_KERNEL tg::array<float, 2> concatenate(tg::array<const float, 2> x, tg::array<const float, 2> y,
                                              tg::s64 columns) {
  tg::check(x.dim(0) == y.dim(0) && columns >= 0, "x and y differ in rows");
  auto o = tg::empty<float>(x.dim(0), x.dim(1) + y.dim(1) + columns);
  tg::pallas_call(
      [=](auto x, auto y, auto o) {
        o[tg::all, tg::ds(x.dim(1), y.dim(1))] = y[tg::all];
        o[tg::all, tg::ds(0, x.dim(1))] = x[tg::all];
        o[tg::all, tg::ds(x.dim(1) + y.dim(1), columns)] = 7.F;
      },
      tg::in(x), tg::in(y), tg::out(o));
  return o;
}

/// Rows of x and y in turns.
TEGULA_KERNEL tg::array<float, 2> interleave(tg::array<const float, 2> x, tg::array<const float, 2> y) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(1) == y.dim(1), "x and y differ in shape");
  auto o = tg::empty<float>(2 * x.dim(0), x.dim(1));
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        for (tg::s64 i = 0; i < x.dim(0); ++i) {
          o[2 * i] = x[i];
          o[2 * i + 1] = y[i];
        }
      },
      tg::in(x), tg::in(y), tg::out(o));
  return o;
}

/// Slices of run-time size are parts of static blocks: one thread group holds them, and keeps the order of accesses.
TEGULA_KERNEL tg::array<int, 1> parts_of_blocks(tg::array<int, 1> x, tg::s64 n) {
  tg::check(n >= 0 && n <= 97, "the parts reach beyond the block");
  const tg::s64 blocks = tg::cdiv(x.dim(0), 100);
  auto sums = tg::empty<int>(blocks);
  const auto map = [](auto i) { return tg::index(i); };
  tg::pallas_call(
      {.grid = {blocks}},
      [=](auto x, auto sum) {
        auto t = x[tg::ds(1, n)];
        for (int k = 0; k < 3; ++k)
          t = 2 * t;
        sum[0] = tg::sum(t);
        for (int k = 0; k < 3; ++k)
          x[tg::ds(k, n)] = 3 * x[tg::ds(k, n)] + k;
        x[tg::ds(n, 100 - n)] = -x[tg::ds(n, 100 - n)];
      },
      tg::inout<100>(x, map), tg::out<1>(sums, map));
  return sums;
}

/// The first columns of blocks of rows, less the greatest of them; the other columns stay.
TEGULA_KERNEL void part_of_rows(tg::array<int, 2> x, tg::s64 n) {
  tg::check(x.dim(1) == 48 && n >= 0 && n <= 48, "x has 48 columns");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 8)}},
      [=](auto x) {
        const auto t = x[tg::all, tg::ds(0, n)];
        x[tg::all, tg::ds(0, n)] = t - tg::max<1>(t, tg::keepdims);
      },
      tg::inout<8, 48>(x, [](auto i) { return tg::index(i, 0); }));
}

/// The product of the first rows of x with themselves, transposed.
TEGULA_KERNEL void product_of_part(tg::array<const int, 2> x, tg::array<int, 2> o, tg::s64 n) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(0) == o.dim(1) && n >= 0 && n <= x.dim(0), "o is not rows by rows");
  const auto map = [] { return tg::index(0, 0); };
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto a = x[tg::ds(0, n), tg::all];
        o[tg::all] = tg::full_like(o[tg::all], 7);
        o[tg::ds(0, n), tg::ds(0, n)] = tg::dot(a, tg::transpose(a));
      },
      tg::in<32, 48>(x, map), tg::out<32, 32>(o, map));
}
