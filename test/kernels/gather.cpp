// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays indexed by tiles: gathers, with masks and without, and scatters.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };
constexpr auto by_row = [](auto i) { return tg::index(i, 0); };

/// Rows of run-time length, blocks at the edge among them.
template <class T, class I>
TEGULA_KERNEL tg::array<T, 2> take_rows(tg::array<const T, 2> x, tg::array<const I, 1> rows) {
  auto o = tg::empty<T>(rows.dim(0), x.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(rows.dim(0), 16)}}, [=](auto rows, auto o) { o[tg::all] = x[rows[tg::all]]; },
      tg::in<16>(rows, same), tg::out<16, tg::whole>(o, by_row));
  return o;
}
TEGULA_INSTANTIATE("take_rows_f32", take_rows<float, int>);
TEGULA_INSTANTIATE("take_rows_bf16", take_rows<tg::bf16, tg::u64>);
TEGULA_INSTANTIATE("take_rows_bool", take_rows<bool, tg::s64>);
TEGULA_INSTANTIATE("take_rows_u8", take_rows<tg::u8, tg::u32>);
TEGULA_INSTANTIATE("take_rows_f64", take_rows<double, tg::s16>);

/// Rows of 128 elements, to which a bias is added.
TEGULA_KERNEL tg::array<float, 2> embed(tg::array<const float, 2> table, tg::array<const int, 1> tokens,
                                        tg::array<const float, 1> bias) {
  tg::check(table.dim(1) == 128 && bias.dim(0) == 128, "rows have 128 elements");
  auto o = tg::empty<float>(tokens.dim(0), 128);
  tg::pallas_call(
      {.grid = {tg::cdiv(tokens.dim(0), 64)}},
      [](auto table, auto tokens, auto bias, auto o) { o[tg::all] = table[tokens[tg::all]] + bias[tg::all]; },
      tg::in<tg::whole, 128>(table, [](auto) { return tg::index(0, 0); }), tg::in<64>(tokens, same),
      tg::in<128>(bias, [](auto) { return tg::index(0); }), tg::out<64, 128>(o, by_row));
  return o;
}

/// Elements x[i, j] of two tiles that broadcast together, of any length; the rows stand behind.
TEGULA_KERNEL tg::array<float, 2> take_pairs(tg::array<const float, 2> x, tg::array<const int, 1> i,
                                             tg::array<const tg::s64, 1> j) {
  auto o = tg::empty<float>(i.dim(0), j.dim(0));
  tg::pallas_call([=](auto i, auto j, auto o) { o[tg::all] = x[i[tg::all, tg::newaxis], j[tg::newaxis, tg::all]]; },
                  tg::in(i), tg::in(j), tg::out(o));
  return o;
}

/// Of three dimensions: the indices in the middle, along the last, and a part beside them; a new axis behind.
TEGULA_KERNEL void take_along(tg::array<const float, 3> x, tg::array<const int, 2> idx, tg::array<float, 4> middle,
                              tg::array<float, 3> last, tg::array<float, 1> even) {
  tg::check(idx.dim(0) == 2 && idx.dim(1) == 4 && x.dim(0) == 8, "idx is 2 x 4, and x has 8 planes");
  tg::check(middle.dim(0) == x.dim(0) && middle.dim(3) == x.dim(2), "middle has the planes and columns of x");
  tg::pallas_call(
      [=](auto idx, auto middle, auto last, auto even) {
        middle[tg::all] = x[tg::all, idx[tg::all]];
        last[tg::all] = x[tg::ds<4>(2), 1, idx[tg::all]];
        even[tg::all] = x[tg::iota<int, 4>() * 2, tg::all, tg::newaxis, 0][tg::all, 1, 0];
      },
      tg::in<2, 4>(idx, [](auto...) { return tg::index(0, 0); }),
      tg::out<tg::whole, 2, 4, tg::whole>(middle, [](auto...) { return tg::index(0, 0, 0, 0); }),
      tg::out<4, 2, 4>(last, [](auto...) { return tg::index(0, 0, 0); }),
      tg::out<4>(even, [](auto...) { return tg::index(0); }));
}

/// What a mask leaves out is not there: indices of -1, and beyond the end.
TEGULA_KERNEL tg::array<float, 2> take_or(tg::array<const float, 2> x, tg::array<const int, 1> rows, float other) {
  auto o = tg::empty<float>(rows.dim(0), x.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(rows.dim(0), 32), tg::cdiv(x.dim(1), 32)}},
      [=](auto x, auto rows, auto o) {
        const auto row = rows[tg::all];
        const auto is_there = (row >= 0 && row < tg::astype<int>(x.dim(0)))[tg::all, tg::newaxis];
        o[tg::all] = tg::load(x.at(row), is_there, other);
      },
      tg::in<tg::whole, 32>(x, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<32>(rows, [](auto i, auto) { return tg::index(i); }), tg::out<32, 32>(o, same));
  return o;
}

/// The sums of rows that are gathered, of run-time number and length: edges are masked as they are of a block.
TEGULA_KERNEL tg::array<float, 1> sum_gathered(tg::array<const float, 2> x, tg::array<const int, 2> rows) {
  auto o = tg::empty<float>(rows.dim(0));
  tg::pallas_call(
      {.grid = {rows.dim(0)}}, [=](auto rows, auto o) { o[] = tg::sum(x[rows[tg::all]]); },
      tg::in<tg::squeezed, tg::whole>(rows, by_row), tg::out<tg::squeezed>(o, same));
  return o;
}

/// Through a table of pages, one after the other: an index of an index.
TEGULA_KERNEL tg::array<tg::f16, 2> read_pages(tg::array<const tg::f16, 3> pages, tg::array<const int, 1> table) {
  tg::check(pages.dim(1) == 8, "a page has 8 rows");
  auto o = tg::empty<tg::f16>(table.dim(0) * 8, pages.dim(2));
  tg::pallas_call(
      {.grid = {tg::cdiv(table.dim(0), 4)}},
      [=](auto o) {
        const auto row = tg::iota<tg::s64, 32>() + tg::program_id(0) * 32;
        o[tg::all] = pages[table[row / 8], row % 8];
      },
      tg::out<32, tg::whole>(o, by_row));
  return o;
}

/// Rows go where the indices say; those below zero nowhere.
template <class T>
TEGULA_KERNEL void put_rows(tg::array<T, 2> o, tg::array<const T, 2> x, tg::array<const int, 1> rows) {
  tg::check(x.dim(0) == rows.dim(0) && x.dim(1) == o.dim(1), "the arrays differ in shape");
  tg::pallas_call(
      {.grid = {tg::cdiv(rows.dim(0), 16)}},
      [=](auto o, auto x, auto rows) {
        const auto row = rows[tg::all];
        tg::store(o.at(row), x[tg::all], (row >= 0)[tg::all, tg::newaxis]);
      },
      tg::inout(o), tg::in<16, tg::whole>(x, by_row), tg::in<16>(rows, same));
}
TEGULA_INSTANTIATE("put_rows_f32", put_rows<float>);
TEGULA_INSTANTIATE("put_rows_u8", put_rows<tg::u8>);

/// The inverse of a permutation: every element of an output, in no order.
TEGULA_KERNEL tg::array<int, 1> invert(tg::array<const int, 1> p) {
  auto o = tg::empty<int>(p.dim(0));
  tg::pallas_call(
      {.grid = {tg::cdiv(p.dim(0), 64)}},
      [](auto p, auto o) { o[p[tg::all]] = tg::iota<int, 64>() + tg::astype<int>(tg::program_id(0) * 64); },
      tg::in<64>(p, same), tg::out(o));
  return o;
}

/// In place, by one program: what is gathered was there before the scatter.
TEGULA_KERNEL void move_around(tg::array<int, 1> x) {
  tg::check(x.dim(0) == 256, "x has 256 elements");
  tg::pallas_call(
      [](auto x) {
        const auto i = tg::iota<int, 256>();
        x[(i + 3) % 256] = x[i];
        x[i] = x[(i + 1) % 256] * 2;
      },
      tg::inout<256>(x, [](auto...) { return tg::index(0); }));
}
