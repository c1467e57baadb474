// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of every element type, along every axis, of whole arrays, of blocks, and in loops.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto by_row = [](auto i) { return tg::index(i, 0); };
constexpr auto same = [](auto... i) { return tg::index(i...); };

template <class T, int Rank> using input = tg::array<const T, Rank>;
template <class T, int Rank> using output = tg::array<T, Rank>;

/// All of an array.
template <class T>
TEGULA_KERNEL void of_all(input<T, 2> x, output<T, 0> sum, output<T, 0> product, output<T, 0> greatest,
                          output<T, 0> least) {
  tg::pallas_call(
      [](auto x, auto sum, auto product, auto greatest, auto least) {
        const auto t = x[tg::all];
        sum[] = tg::sum(t);
        product[] = tg::prod(t);
        greatest[] = tg::max(t);
        least[] = tg::min(t);
      },
      tg::in(x), tg::out(sum), tg::out(product), tg::out(greatest), tg::out(least));
}

/// Along one axis: 0 gives one result per column, -1 one per row.
template <class T, int Axis>
TEGULA_KERNEL void along(input<T, 2> x, output<T, 1> sum, output<T, 1> product, output<T, 1> greatest,
                         output<T, 1> least) {
  constexpr int stays = Axis == 0 ? 1 : 0;
  tg::check(x.dim(stays) == sum.dim(0) && x.dim(stays) == product.dim(0) && x.dim(stays) == greatest.dim(0) &&
                x.dim(stays) == least.dim(0),
            "the results differ in length from x");
  tg::pallas_call(
      [](auto x, auto sum, auto product, auto greatest, auto least) {
        const auto t = x[tg::all];
        sum[tg::all] = tg::sum<Axis>(t);
        product[tg::all] = tg::prod<Axis>(t);
        greatest[tg::all] = tg::max<Axis>(t);
        least[tg::all] = tg::min<Axis>(t);
      },
      tg::in(x), tg::out(sum), tg::out(product), tg::out(greatest), tg::out(least));
}

TEGULA_INSTANTIATE("of_all_s32", of_all<tg::s32>);
TEGULA_INSTANTIATE("of_all_f16", of_all<tg::f16>);
TEGULA_INSTANTIATE("of_all_bf16", of_all<tg::bf16>);
TEGULA_INSTANTIATE("of_all_f32", of_all<tg::f32>);
TEGULA_INSTANTIATE("of_all_f64", of_all<tg::f64>);

TEGULA_INSTANTIATE("of_columns_s8", along<tg::s8, 0>);
TEGULA_INSTANTIATE("of_columns_u16", along<tg::u16, 0>);
TEGULA_INSTANTIATE("of_columns_s32", along<tg::s32, 0>);
TEGULA_INSTANTIATE("of_columns_u64", along<tg::u64, 0>);
TEGULA_INSTANTIATE("of_columns_f32", along<tg::f32, 0>);
TEGULA_INSTANTIATE("of_rows_u8", along<tg::u8, -1>);
TEGULA_INSTANTIATE("of_rows_s16", along<tg::s16, -1>);
TEGULA_INSTANTIATE("of_rows_u32", along<tg::u32, -1>);
TEGULA_INSTANTIATE("of_rows_s64", along<tg::s64, -1>);
TEGULA_INSTANTIATE("of_rows_f16", along<tg::f16, -1>);
TEGULA_INSTANTIATE("of_rows_bf16", along<tg::bf16, -1>);
TEGULA_INSTANTIATE("of_rows_f32", along<tg::f32, -1>);
TEGULA_INSTANTIATE("of_rows_f64", along<tg::f64, -1>);

/// Whether an element is above, whether all are: of all, of each row, of each column.
TEGULA_KERNEL void above(input<float, 2> x, float limit, output<bool, 1> of_all, output<bool, 2> of_rows,
                         output<bool, 2> of_columns) {
  tg::check(of_all.dim(0) == 2 && of_rows.dim(0) == 2 && of_rows.dim(1) == x.dim(0) && of_columns.dim(0) == 2 &&
                of_columns.dim(1) == x.dim(1),
            "the results do not fit x");
  tg::pallas_call(
      [=](auto x, auto of_all) {
        const auto is_above = x[tg::all] > limit;
        of_all[0] = tg::any_of(is_above);
        of_all[1] = tg::all_of(is_above);
      },
      tg::in(x), tg::out(of_all));
  tg::pallas_call(
      [=](auto x, auto of_rows) {
        const auto is_above = x[tg::all] > limit;
        of_rows[0] = tg::any_of<1>(is_above);
        of_rows[1] = tg::all_of<1>(is_above);
      },
      tg::in(x), tg::out(of_rows));
  tg::pallas_call(
      [=](auto x, auto of_columns) {
        const auto is_above = x[tg::all] > limit;
        of_columns[0] = tg::any_of<0>(is_above);
        of_columns[1] = tg::all_of<0>(is_above);
      },
      tg::in(x), tg::out(of_columns));
}

/// Rank 1, and a number computed from numbers.
TEGULA_KERNEL tg::array<float, 0> mean_of_squares(input<float, 1> x) {
  auto o = tg::empty<float>();
  tg::pallas_call([](auto x, auto o) { o[] = tg::sum(tg::square(x[tg::all])) / static_cast<float>(x.dim(0)); },
                  tg::in(x), tg::out(o));
  return o;
}

/// Several axes of ranks 3 and 4.
TEGULA_KERNEL void of_cubes(input<int, 3> x, output<int, 1> middle, output<int, 2> outer, output<int, 3> shifted) {
  tg::check(middle.dim(0) == x.dim(1) && outer.dim(0) == x.dim(0) && outer.dim(1) == x.dim(2) &&
                shifted.dim(0) == x.dim(0) && shifted.dim(1) == x.dim(1) && shifted.dim(2) == x.dim(2),
            "the results do not fit x");
  tg::pallas_call(
      [](auto x, auto middle, auto outer, auto shifted) {
        const auto t = x[tg::all];
        middle[tg::all] = tg::sum<2, 0>(t);
        outer[tg::all] = tg::max<-2>(t);
        shifted[tg::all] = t - tg::min<0, 2>(t, tg::keepdims);
      },
      tg::in(x), tg::out(middle), tg::out(outer), tg::out(shifted));
}
TEGULA_KERNEL void of_rank_4(input<float, 4> x, output<float, 2> even, output<float, 3> last, output<float, 4> kept) {
  tg::check(even.dim(0) == x.dim(1) && even.dim(1) == x.dim(3) && last.dim(0) == x.dim(0) && last.dim(1) == x.dim(1) &&
                last.dim(2) == x.dim(2) && kept.dim(0) == x.dim(0) && kept.dim(1) == 1 && kept.dim(2) == x.dim(2) &&
                kept.dim(3) == 1,
            "the results do not fit x");
  tg::pallas_call(
      [](auto x, auto even, auto last, auto kept) {
        const auto t = x[tg::all];
        even[tg::all] = tg::max<0, 2>(t);
        last[tg::all] = tg::min<-1>(t);
        kept[tg::all, 0, tg::all, 0] = tg::sum<1, 3>(t);
      },
      tg::in(x), tg::out(even), tg::out(last), tg::out(kept));
}

/// Static blocks that extend past both edges: only what is there counts. One sum of rows and one of columns per block.
template <int Rows, int Columns>
TEGULA_KERNEL void of_blocks(input<int, 2> x, output<int, 2> rows, output<int, 2> columns, output<int, 2> all) {
  const auto m = tg::cdiv(x.dim(0), Rows), n = tg::cdiv(x.dim(1), Columns);
  tg::check(rows.dim(0) == x.dim(0) && rows.dim(1) == n && columns.dim(0) == m && columns.dim(1) == x.dim(1) &&
                all.dim(0) == m && all.dim(1) == n,
            "the results do not fit x");
  tg::pallas_call(
      {.grid = {m, n}},
      [](auto x, auto rows, auto columns, auto all) {
        const auto t = x[tg::all];
        rows[tg::all] = tg::sum<1>(t);
        columns[tg::all] = tg::min<0>(t + 1);
        all[] = tg::max(t);
      },
      tg::in<Rows, Columns>(x, same), tg::out<Rows, tg::squeezed>(rows, same),
      tg::out<tg::squeezed, Columns>(columns, same), tg::out<tg::squeezed, tg::squeezed>(all, same));
}
TEGULA_INSTANTIATE("of_blocks_8_32", of_blocks<8, 32>);
TEGULA_INSTANTIATE("of_blocks_3_70", of_blocks<3, 70>);
TEGULA_INSTANTIATE("of_blocks_64_1", of_blocks<64, 1>);

/// Blocks whose shape is known at run time.
TEGULA_KERNEL void of_run_time_blocks(input<int, 2> x, tg::s64 size, output<int, 2> rows) {
  tg::check(size > 0, "a block is empty");
  tg::check(rows.dim(0) == x.dim(0), "the result does not fit x");
  tg::check(rows.dim(1) == tg::cdiv(x.dim(1), size), "the result does not fit x");
  tg::pallas_call(
      {.grid = {x.dim(0), tg::cdiv(x.dim(1), size)}},
      [](auto x, auto rows) { rows[tg::all, tg::all] = tg::sum<1>(x[tg::all], tg::keepdims); },
      tg::in(x, {1, size}, same), tg::out(rows, {1, 1}, same));
}

/// Every row, divided by the sum of its exponentials.
template <class T> TEGULA_KERNEL tg::array<T, 2> softmax_rows(input<T, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto row = tg::astype<float>(x[tg::all]);
        const auto e = tg::exp(row - tg::max(row));
        o[tg::all] = tg::astype<T>(e / tg::sum(e));
      },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::out<tg::squeezed, tg::whole>(o, by_row));
  return o;
}
TEGULA_INSTANTIATE("softmax_rows_f32", softmax_rows<float>);
TEGULA_INSTANTIATE("softmax_rows_f16", softmax_rows<tg::f16>);

/// The same with several rows a program, and the axis kept.
TEGULA_KERNEL tg::array<float, 2> softmax_blocks(input<float, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 4)}},
      [](auto x, auto o) {
        const auto rows = x[tg::all];
        const auto e = tg::exp(rows - tg::max<1>(rows, tg::keepdims));
        o[tg::all] = e / tg::sum<1>(e)[tg::all, tg::newaxis];
      },
      tg::in<4, tg::whole>(x, by_row), tg::out<4, tg::whole>(o, by_row));
  return o;
}

/// A loop over slices of the rows carries what was reduced so far; the last slice extends past the edge.
TEGULA_KERNEL void in_a_loop(input<int, 2> x, output<int, 1> sums, output<int, 1> greatest) {
  tg::check(x.dim(0) == sums.dim(0) && x.dim(0) == greatest.dim(0), "the results differ in length from x");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 8)}},
      [](auto x, auto sums, auto greatest) {
        auto total = tg::zeros<int, 8>();
        auto most = tg::full<int, 8>(-0x7fffffff - 1);
        for (tg::s64 k = 0; k < x.dim(1); k += 32) {
          const auto slice = x[tg::all, tg::ds<32>(k)];
          total += tg::sum<1>(slice);
          most = tg::maximum(most, tg::max<1>(slice));
        }
        sums[tg::all] = total;
        greatest[tg::all] = most;
      },
      tg::in<8, tg::whole>(x, by_row), tg::out<8>(sums, same), tg::out<8>(greatest, same));
}

/// In place: each row minus its greatest element.
TEGULA_KERNEL void subtract_greatest(tg::array<float, 2> x) {
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto x) { x[tg::all] -= tg::max(x[tg::all]); },
      tg::inout<tg::squeezed, tg::whole>(x, by_row));
}

/// Numbers that reductions give steer control flow: blocks are halved until their greatest element is below the limit.
TEGULA_KERNEL void halve_until(tg::array<float, 2> x, float limit, output<int, 2> steps) {
  const auto m = tg::cdiv(x.dim(0), 4), n = tg::cdiv(x.dim(1), 64);
  tg::check(limit > 0.0f && m == steps.dim(0) && n == steps.dim(1), "there is one step count per block");
  tg::pallas_call(
      {.grid = {m, n}},
      [=](auto x, auto steps) {
        auto block = x[tg::all];
        int count = 0;
        while (tg::any_of(tg::abs(block) >= limit)) {
          block = block / 2;
          ++count;
        }
        x[tg::all] = block;
        steps[] = count;
      },
      tg::inout<4, 64>(x, same), tg::out<tg::squeezed, tg::squeezed>(steps, same));
}

/// In branches: rows are shifted by their mean, or by their greatest element, as their first element says.
TEGULA_KERNEL tg::array<float, 2> in_branches(input<float, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto row = x[tg::all];
        auto shift = tg::zeros<float, 1>();
        if (x[0] > 0)
          shift = tg::sum(row, tg::keepdims) / static_cast<float>(x.dim(0));
        else
          shift = -tg::max<0>(row, tg::keepdims);
        o[tg::all] = row - shift;
      },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::out<tg::squeezed, tg::whole>(o, by_row));
  return o;
}

/// Reductions of what no array holds, parts of results, results of results.
TEGULA_KERNEL tg::array<int, 1> of_made_tiles() {
  auto o = tg::empty<int>(8);
  tg::pallas_call(
      [](auto o) {
        o[0] = tg::sum(tg::iota<int, 100>());
        o[1] = tg::sum(tg::full<int, 3, 5>(2));
        o[2] = tg::max(tg::broadcasted_iota<int, 1, 4, 70>() * tg::broadcasted_iota<int, 0, 4, 70>());
        const auto rows = tg::sum<1>(tg::broadcasted_iota<int, 0, 4, 70>());
        o[3] = rows[2];
        o[4] = tg::prod(rows[tg::ds<2>(1)]);
        o[5] = tg::max(tg::sum<0>(tg::broadcasted_iota<int, 1, 4, 70>()) % 7);
        o[6] = tg::sum(tg::astype<int>(tg::iota<int, 100>() % 3 == 1));
        o[7] = tg::min(tg::transpose(tg::broadcasted_iota<int, 1, 4, 70>() + 3)[5]);
      },
      tg::out(o));
  return o;
}

/// A column of running sums: each row adds to what the rows before it gave.
TEGULA_KERNEL tg::array<tg::s64, 1> running_sums(input<tg::s64, 2> x) {
  auto o = tg::empty<tg::s64>(x.dim(0));
  tg::pallas_call(
      [](auto x, auto o) {
        tg::s64 total = 0;
        for (tg::s64 i = 0; i < x.dim(0); ++i) {
          total += tg::sum(x[i]);
          o[i] = total;
        }
      },
      tg::in(x), tg::out(o));
  return o;
}

/// Two arrays of a launch: what is stored to one is not read from the other, and a sum over a place that is stored to
/// is of what was there.
TEGULA_KERNEL void before_and_after(tg::array<int, 1> x, output<int, 2> sums) {
  const auto blocks = tg::cdiv(x.dim(0), 256);
  tg::check(sums.dim(0) == blocks && sums.dim(1) == 2, "there are two sums per block");
  tg::pallas_call(
      {.grid = {blocks}},
      [](auto x, auto sums) {
        const auto before = x[tg::all];
        x[tg::all] = before * 3;
        sums[0] = tg::sum(before);
        sums[1] = tg::sum(x[tg::all]);
      },
      tg::inout<256>(x, same), tg::out<tg::squeezed, 2>(sums, by_row));
}

/// Reductions of a row that need one another, of three kinds: more than rows are made again for.
TEGULA_KERNEL void chained(input<int, 2> x, output<int, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        auto row = x[tg::all];
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          row = (row ^ tg::sum(row)) * 3 + 1;
          row = (row ^ tg::max(row)) * 5 - 2;
          row = (row ^ tg::min(row)) * 7 + 3;
        }
        o[tg::all] = row;
      },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::out<tg::squeezed, tg::whole>(o, by_row));
}
