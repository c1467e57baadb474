// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every way to cut arrays into blocks.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto by_row = [](auto i) { return tg::index(i, 0); };
constexpr auto same = [](auto... i) { return tg::index(i...); };

/// Static blocks that extend past both edges; the iota of a block's size conforms to its edge.
template <int Rows, int Columns> TEGULA_KERNEL tg::array<float, 2> static_blocks(tg::array<const float, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), Rows), tg::cdiv(x.dim(1), Columns)}},
      [](auto x, auto o) {
        o[tg::all] = 2 * x[tg::all] + tg::astype<float>(tg::broadcasted_iota<int, 1, Rows, Columns>());
      },
      tg::in<Rows, Columns>(x, same), tg::out<Rows, Columns>(o, same));
  return o;
}
TEGULA_INSTANTIATE("static_blocks_8_32", static_blocks<8, 32>);
TEGULA_INSTANTIATE("static_blocks_3_5", static_blocks<3, 5>);
TEGULA_INSTANTIATE("static_blocks_1_1", static_blocks<1, 1>);
TEGULA_INSTANTIATE("static_blocks_64_512", static_blocks<64, 512>);

/// Blocks whose shape is known at run time.
TEGULA_KERNEL tg::array<float, 2> run_time_blocks(tg::array<const float, 2> x, tg::s64 rows, tg::s64 columns) {
  tg::check(rows > 0 && columns > 0, "a block is empty");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), rows), tg::cdiv(x.dim(1), columns)}},
      [](auto x, auto o) { o[tg::all] = 3 * x[tg::all]; }, tg::in(x, {rows, columns}, same),
      tg::out(o, {rows, columns}, same));
  return o;
}

/// One row per program, its dimension gone, and a whole vector beside it.
TEGULA_KERNEL tg::array<float, 2> squeezed_rows(tg::array<const float, 2> x, tg::array<const float, 1> weight) {
  tg::check(x.dim(1) == weight.dim(0), "weight has one entry per column of x");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto x, auto weight, auto o) { o[tg::all] = x[tg::all] * weight[tg::all]; },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::in(weight), tg::out<tg::squeezed, tg::whole>(o, by_row));
  return o;
}

/// Squeezed on both sides of a whole dimension: planes of a cube, cut along its first and last axis.
TEGULA_KERNEL tg::array<int, 3> squeezed_pencils(tg::array<const int, 3> x) {
  const auto pencil = [](auto i, auto j) { return tg::index(i, 0, j); };
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0), x.dim(2)}}, [](auto x, auto o) { o[tg::all] = x[tg::all] + 1; },
      tg::in<tg::squeezed, tg::whole, tg::squeezed>(x, pencil),
      tg::out<tg::squeezed, tg::whole, tg::squeezed>(o, pencil));
  return o;
}

/// The blocks of x in reverse order: the map computes with a captured run-time value.
TEGULA_KERNEL tg::array<int, 1> reversed_blocks(tg::array<const int, 1> x) {
  tg::check(x.dim(0) % 16 == 0, "the length is not a multiple of 16");
  const auto last = x.dim(0) / 16 - 1;
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0) / 16}}, [](auto x, auto o) { o[tg::all] = x[tg::all]; },
      tg::in<16>(x, [=](auto i) { return tg::index(last - i); }), tg::out<16>(o, [](auto i) { return tg::index(i); }));
  return o;
}

/// Blocks that overlap: each starts one element after the one before.
TEGULA_KERNEL tg::array<float, 1> sliding_sum(tg::array<const float, 1> x) {
  tg::check(x.dim(0) >= 2, "x has less than 2 elements");
  auto o = tg::empty<float>(x.dim(0) - 2);
  tg::pallas_call(
      {.grid = {x.dim(0) - 2}}, [](auto x, auto o) { o[0] = x[0] + x[1] + x[2]; },
      tg::in<3>(x, [](auto i) { return tg::index(tg::element(i)); }),
      tg::out<1>(o, [](auto i) { return tg::index(i); }));
  return o;
}

/// The block of one array seen by all programs, and a coordinate that is a constant.
TEGULA_KERNEL tg::array<float, 2> add_row(tg::array<const float, 2> x, tg::array<const float, 2> rows, int row) {
  tg::check(x.dim(1) == rows.dim(1) && row >= 0 && row < rows.dim(0), "there is no such row");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto x, auto row, auto o) { o[tg::all] = x[tg::all] + row[tg::all]; },
      tg::in<tg::squeezed, tg::whole>(x, by_row),
      tg::in<tg::squeezed, tg::whole>(rows, [=](auto) { return tg::index(row, tg::constant<0>{}); }),
      tg::out<tg::squeezed, tg::whole>(o, by_row));
  return o;
}

/// What each program finds its block's extent to be.
TEGULA_KERNEL tg::array<tg::s64, 2> extents(tg::array<const float, 1> x, tg::s64 size) {
  tg::check(size > 0, "a block is empty");
  auto o = tg::empty<tg::s64>(tg::cdiv(x.dim(0), size), 3);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), size)}},
      [](auto x, auto all, auto o) {
        o[0] = x.dim(0);
        o[1] = all.dim(0);
        o[2] = o.dim(0);
      },
      tg::in(x, {size}, same), tg::in(x), tg::out<tg::squeezed, 3>(o, by_row));
  return o;
}

/// In place.
TEGULA_KERNEL void increment(tg::array<int, 1> x, int by) {
  tg::pallas_call({.grid = {tg::cdiv(x.dim(0), 64)}}, [=](auto x) { x[tg::all] += by; }, tg::inout<64>(x, same));
}
