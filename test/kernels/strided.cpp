// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows with a step.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };
constexpr auto first = [](auto...) { return tg::index(0, 0); };

/// Pairs that lie next to each other, apart and together again.
template <class T>
TEGULA_KERNEL void part_pairs(tg::array<const T, 1> x, tg::array<T, 1> even, tg::array<T, 1> odd, tg::array<T, 1> o) {
  const auto n = even.dim(0);
  tg::check(x.dim(0) == 2 * n && odd.dim(0) == n && o.dim(0) == 2 * n, "x and o are twice as long");
  tg::pallas_call(
      [=](auto x, auto even, auto odd) {
        even[tg::all] = x[tg::ds(0, n, 2)];
        odd[tg::all] = x[tg::ds(1, n, 2)];
      },
      tg::in(x), tg::out(even), tg::out(odd));
  tg::pallas_call(
      [=](auto even, auto odd, auto o) {
        o[tg::ds(0, n, 2)] = odd[tg::all];
        o[tg::ds(1, n, 2)] = even[tg::all];
      },
      tg::in(even), tg::in(odd), tg::out(o));
}
TEGULA_INSTANTIATE("part_pairs_f32", part_pairs<float>);
TEGULA_INSTANTIATE("part_pairs_bf16", part_pairs<tg::bf16>);
TEGULA_INSTANTIATE("part_pairs_u8", part_pairs<tg::u8>);
TEGULA_INSTANTIATE("part_pairs_bool", part_pairs<bool>);
TEGULA_INSTANTIATE("part_pairs_f64", part_pairs<double>);
TEGULA_INSTANTIATE("part_pairs_e4m3", part_pairs<tg::e4m3>);

/// Elements start, start + step, ... of a row, as far as there are, and -1 behind them and before the row.
TEGULA_KERNEL void every(tg::array<const float, 2> x, tg::array<float, 2> o, tg::s64 start, int step) {
  tg::check(x.dim(0) == o.dim(0), "x and o have as many rows");
  tg::pallas_call(
      {.grid = {o.dim(0), tg::cdiv(o.dim(1), 64)}},
      [=](auto x, auto o) {
        const tg::s64 from = start + tg::program_id(1) * 64 * step;
        const auto mask = from + tg::iota<tg::s64, 64>() * tg::s64(step) >= 0;
        o[tg::all] = tg::load(x.at(tg::ds<64>(from, step)), mask, -1);
      },
      tg::in<tg::squeezed, tg::whole>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::out<tg::squeezed, 64>(o, same));
}

/// The same without a mask: as many as there are, which the caller says.
TEGULA_KERNEL void every_there(tg::array<const float, 1> x, tg::array<float, 1> sums, tg::s64 start, tg::s64 n,
                               tg::s64 step) {
  tg::check(sums.dim(0) == 2, "there are two sums");
  tg::pallas_call(
      [=](auto x, auto sums) {
        const auto part = x.at(tg::ds(start, n, step));
        sums[0] = tg::sum<0>(part[tg::all]);
        sums[1] = tg::astype<float>(part.dim(0));
      },
      tg::in(x), tg::out(sums));
}

/// Rows and columns at a step, windows of such windows, and parts of tiles.
TEGULA_KERNEL void nest(tg::array<const float, 2> x, tg::array<float, 2> o, tg::array<float, 2> inner,
                        tg::array<float, 2> part, tg::array<float, 1> column) {
  tg::check(x.dim(0) == 40 && x.dim(1) == 96, "x is 40 x 96");
  tg::pallas_call(
      [](auto x, auto o, auto inner, auto part, auto column) {
        o[tg::all] = x[tg::ds<13>(1, 3), tg::ds<16>(4, 5)];
        inner[tg::all] = x.at(tg::ds<20>(0, 2), tg::ds<32>(2, 3)).at(tg::ds<8>(4), tg::ds<8>(1, 2))[tg::all];
        part[tg::all] = tg::exp2(x[tg::ds<8>(8), tg::all])[tg::ds<3>(1, 3), tg::ds<24>(3, 4)];
        column[tg::all] = x[tg::ds<10>(3, 4), 7];
      },
      tg::in<40, 96>(x, first), tg::out<13, 16>(o, first), tg::out<8, 8>(inner, first), tg::out<3, 24>(part, first),
      tg::out<10>(column, [](auto...) { return tg::index(0); }));
}

/// Of a block that ends with its array, pairs multiplied, which are as many on both sides.
TEGULA_KERNEL void sum_of_products(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) % 2 == 0, "x is of pairs");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 128)}},
      [](auto x, auto o) { o[] = tg::sum<0>(x[tg::ds<64>(0, 2)] * x[tg::ds<64>(1, 2)]); }, tg::in<128>(x, same),
      tg::out<tg::squeezed>(o, same));
}

/// In place: every third element is doubled, and another third added to, by all programs.
TEGULA_KERNEL void update(tg::array<float, 2> x, tg::array<int, 1> counts) {
  tg::check(x.dim(1) % 3 == 0 && counts.dim(0) == 96, "rows are of triples");
  const auto n = x.dim(1) / 3;
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto counts) {
        x[tg::ds(1, n, 3)] = x[tg::ds(1, n, 3)] * 2;
        x[tg::ds(2, n, 3)] += x[tg::ds(0, n, 3)];
        tg::atomic_add(counts.at(tg::ds<32>(1, 3)), tg::iota<int, 32>());
      },
      tg::inout<tg::squeezed, tg::whole>(x, [](auto i) { return tg::index(i, 0); }), tg::inout(counts));
}

/// Rows at indices of every second column, and a product of every second row.
TEGULA_KERNEL void gather_and_multiply(tg::array<const float, 2> x, tg::array<const int, 1> rows, tg::array<float, 2> o,
                                       tg::array<float, 2> product) {
  tg::check(x.dim(0) == 32 && x.dim(1) == 32 && rows.dim(0) == 20, "x is 32 x 32, and there are 20 rows");
  tg::pallas_call(
      [](auto x, auto rows, auto o, auto product) {
        o[tg::all] = x[rows[tg::all], tg::ds<16>(1, 2)];
        product[tg::all] = tg::dot(x[tg::ds<16>(0, 2), tg::all], x[tg::all, tg::ds<8>(3, 4)]);
      },
      tg::in(x), tg::in<20>(rows, [](auto...) { return tg::index(0); }), tg::out<20, 16>(o, first),
      tg::out<16, 8>(product, first));
}

/// Of elements that tensor cores take: every second row by every second column, in a loop and at once.
TEGULA_KERNEL void multiply_halves(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b,
                                   tg::array<float, 2> o, tg::array<float, 2> looped) {
  const auto m = o.dim(0), n = o.dim(1);
  tg::check(a.dim(0) == 2 * m && b.dim(1) == 2 * n && a.dim(1) == b.dim(0), "a and b have twice what o has");
  tg::check(looped.dim(0) == m && looped.dim(1) == n, "the results differ in shape");
  tg::pallas_call(
      [=](auto a, auto b, auto o) { o[tg::all] = tg::dot(a[tg::ds(0, m, 2), tg::all], b[tg::all, tg::ds(1, n, 2)]); },
      tg::in(a), tg::in(b), tg::out(o));
  tg::pallas_call(
      {.grid = {tg::cdiv(m, 64), tg::cdiv(n, 64)}},
      [=](auto a, auto b, auto o) {
        auto sum = tg::zeros<float, 64, 64>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 32); ++k)
          sum += tg::dot(tg::load(a.at(tg::ds<64>(0, 2), tg::ds<32>(32 * k)), true, tg::bf16(0)),
                         tg::load(b.at(tg::ds<32>(32 * k), tg::ds<64>(1, 2)), true, tg::bf16(0)));
        o[tg::all] = sum;
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }), tg::out<64, 64>(looped, same));
}

/// A step that the program computes.
TEGULA_KERNEL void by_loaded_step(tg::array<const float, 1> x, tg::array<const int, 1> steps, tg::array<float, 1> o) {
  tg::check(steps.dim(0) == o.dim(0), "there is a step for each sum");
  tg::pallas_call(
      {.grid = {o.dim(0)}}, [](auto x, auto step, auto o) { o[] = tg::sum<0>(x[tg::ds(0, x.dim(0), step[])]); },
      tg::in(x), tg::in<tg::squeezed>(steps, same), tg::out<tg::squeezed>(o, same));
}
