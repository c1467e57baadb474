// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles in other shapes, and elements of tiles at indices.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };
constexpr auto by_row = [](auto i) { return tg::index(i, 0); };
constexpr auto first = [](auto...) { return tg::index(0, 0); };

/// Rows backwards and moved, blocks at the edge among them.
template <class T>
TEGULA_KERNEL void turn(tg::array<T, 2> flipped, tg::array<T, 2> rolled, tg::array<const T, 2> x, int shift) {
  tg::check(flipped.dim(0) == x.dim(0) && flipped.dim(1) == x.dim(1) && rolled.dim(0) == x.dim(0) &&
                rolled.dim(1) == x.dim(1),
            "the arrays differ in shape");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 8), tg::cdiv(x.dim(1), 32)}},
      [=](auto flipped, auto rolled, auto x) {
        flipped[tg::all] = tg::flip<0>(tg::flip<1>(x[tg::all]));
        rolled[tg::all] = tg::roll<-1>(x[tg::all], shift);
      },
      tg::out<8, 32>(flipped, same), tg::out<8, 32>(rolled, same), tg::in<8, 32>(x, same));
}
TEGULA_INSTANTIATE("turn_f32", turn<float>);
TEGULA_INSTANTIATE("turn_u8", turn<tg::u8>);
TEGULA_INSTANTIATE("turn_bool", turn<bool>);
TEGULA_INSTANTIATE("turn_f64", turn<double>);

/// Of what is computed, with what broadcasts: products of each element's index.
TEGULA_KERNEL void repeat_sums(tg::array<float, 2> repeated, tg::array<float, 2> tiled, tg::array<const float, 2> x,
                               tg::array<const float, 1> bias) {
  tg::check(x.dim(1) == 12 && bias.dim(0) == 12 && repeated.dim(0) == x.dim(0) && tiled.dim(0) == x.dim(0) &&
                repeated.dim(1) == 36 && tiled.dim(1) == 24,
            "rows have 12 elements, 36 and 24");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto repeated, auto tiled, auto x, auto bias) {
        const auto sum = x[tg::all] * 2 + bias[tg::all] + tg::iota<float, 12>();
        repeated[tg::all] = tg::repeat<0, 3>(sum);
        tiled[tg::all] = tg::tiled<2>(sum);
      },
      tg::out<tg::squeezed, 36>(repeated, by_row), tg::out<tg::squeezed, 24>(tiled, by_row),
      tg::in<tg::squeezed, 12>(x, by_row), tg::in<12>(bias, [](auto) { return tg::index(0); }));
}

/// In other shapes, also of a transposed tile and of a part.
TEGULA_KERNEL void reshape_all(tg::array<const float, 2> x, tg::array<float, 3> o, tg::array<float, 1> row,
                               tg::array<float, 2> turned, tg::array<float, 2> part) {
  tg::check(x.dim(0) == 24 && x.dim(1) == 20, "x is 24 x 20");
  tg::pallas_call(
      [](auto x, auto o, auto row, auto turned, auto part) {
        o[tg::all] = tg::reshape<4, 30, 4>(x[tg::all]);
        row[tg::all] = tg::reshape<480>(x[tg::all]) + 1;
        turned[tg::all] = tg::reshape<32, 15>(tg::transpose(x[tg::all]));
        part[tg::all] = tg::reshape<5, 8>(x[tg::all][tg::ds<10>(3), tg::ds<4>(16)]);
      },
      tg::in<24, 20>(x, first), tg::out<4, 30, 4>(o, [](auto...) { return tg::index(0, 0, 0); }),
      tg::out<480>(row, [](auto...) { return tg::index(0); }), tg::out<32, 15>(turned, first),
      tg::out<5, 8>(part, first));
}

/// Side by side, one above the other, and padded.
TEGULA_KERNEL void join(tg::array<const float, 2> x, tg::array<const float, 2> y, tg::array<float, 2> rows,
                        tg::array<float, 2> columns, tg::array<float, 3> stacked, tg::array<float, 2> padded) {
  tg::check(x.dim(0) == 6 && x.dim(1) == 10 && y.dim(0) == 6 && y.dim(1) == 10, "x and y are 6 x 10");
  tg::pallas_call(
      [](auto x, auto y, auto rows, auto columns, auto stacked, auto padded) {
        const auto a = x[tg::all], b = tg::exp2(y[tg::all]);
        rows[tg::all] = tg::concatenate<0>(a, b, a);
        columns[tg::all] = tg::concatenate<1>(a, b[tg::all, tg::ds<4>(2)]);
        stacked[tg::all] = tg::stack<1>(a, b);
        padded[tg::all] = tg::pad<0, 1, 2>(tg::pad<1, 3, 0>(a, -1), 7.5f);
      },
      tg::in<6, 10>(x, first), tg::in<6, 10>(y, first), tg::out<18, 10>(rows, first), tg::out<6, 14>(columns, first),
      tg::out<6, 2, 10>(stacked, [](auto...) { return tg::index(0, 0, 0); }), tg::out<9, 13>(padded, first));
}

/// In halves, quarters and one, of loads, of what is computed and of blocks at the edge.
TEGULA_KERNEL void split_all(tg::array<const float, 2> x, tg::array<float, 2> o, tg::array<float, 2> rows,
                             tg::array<float, 1> sums) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(0) >= 6 && rows.dim(0) == 6 && x.dim(1) == 48 && o.dim(1) == 24 &&
                rows.dim(1) == 48 && sums.dim(0) == 4,
            "rows have 48 elements");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 8)}},
      [](auto x, auto o) {
        const auto [value, gate] = tg::split<1, 2>(x[tg::all]);
        o[tg::all] = value * tg::exp2(gate);
      },
      tg::in<8, 48>(x, by_row), tg::out<8, 24>(o, by_row));
  tg::pallas_call(
      {.grid = {1}},
      [](auto x, auto rows, auto sums) {
        const auto [a, b] = tg::split<0, 2>(tg::exp2(x[tg::all]));
        rows[tg::all] = tg::concatenate<0>(b, tg::split<-2, 1>(a).first);
        const auto [p, q, r, s] = tg::split<-1, 4>(tg::sum<0>(x[tg::all]));
        sums[0] = tg::sum<0>(p);
        sums[1] = tg::sum<0>(q);
        sums[2] = tg::sum<0>(r);
        sums[3] = tg::sum<0>(s);
      },
      tg::in<6, 48>(x, by_row), tg::out<6, 48>(rows, by_row), tg::out<4>(sums, [](auto) { return tg::index(0); }));
}

/// Elements at indices that are loaded, of loads and of a permutation.
template <class T>
TEGULA_KERNEL void pick(tg::array<const T, 2> x, tg::array<const int, 2> idx, tg::array<T, 3> taken,
                        tg::array<T, 2> along, tg::array<T, 2> odd, tg::array<T, 2> turned) {
  tg::check(x.dim(0) == 7 && x.dim(1) == 16 && idx.dim(0) == 7 && idx.dim(1) == 5, "x is 7 x 16, idx 7 x 5");
  tg::pallas_call(
      [](auto x, auto idx, auto taken, auto along, auto odd, auto turned) {
        const auto t = x[tg::all];
        taken[tg::all] = tg::take<0>(t, idx[tg::ds<3>(1), tg::ds<2>(0)] % 7)[tg::all, tg::all, tg::ds<4>(8)];
        along[tg::all] = tg::take_along_axis<1>(t, idx[tg::all]);
        odd[tg::all] = t[tg::all, tg::iota<int, 8>() * 2 + 1];
        turned[tg::all] = tg::take<1>(tg::transpose(t), idx[tg::all, 2] % 7);
      },
      tg::in<7, 16>(x, first), tg::in<7, 5>(idx, first),
      tg::out<3, 2, 4>(taken, [](auto...) { return tg::index(0, 0, 0); }), tg::out<7, 5>(along, first),
      tg::out<7, 8>(odd, first), tg::out<16, 7>(turned, first));
}
TEGULA_INSTANTIATE("pick_f32", pick<float>);
TEGULA_INSTANTIATE("pick_bf16", pick<tg::bf16>);
TEGULA_INSTANTIATE("pick_s64", pick<tg::s64>);

/// What is made as a whole is exchanged in shared memory: sums, products, tiles of loops.
TEGULA_KERNEL void take_results(tg::array<const float, 2> x, tg::array<const int, 1> idx, tg::array<float, 1> sums,
                                tg::array<float, 2> products, tg::array<float, 2> carried) {
  tg::check(x.dim(0) == 16 && x.dim(1) == 16 && idx.dim(0) == 40, "x is 16 x 16, and there are 40 indices");
  tg::pallas_call(
      [](auto x, auto idx, auto sums, auto products, auto carried) {
        const auto t = x[tg::all];
        const auto i = idx[tg::all];
        sums[tg::all] = tg::sum<1>(t)[i] * 2;
        products[tg::all] = tg::take<0>(tg::dot(t, t), i);
        auto power = t;
        for (tg::s64 n = 0; n < idx.dim(0) / 20; ++n)
          power = power * t + 1;
        carried[tg::all] = tg::flip<1>(power);
      },
      tg::in<16, 16>(x, first), tg::in<40>(idx, [](auto...) { return tg::index(0); }),
      tg::out<40>(sums, [](auto...) { return tg::index(0); }), tg::out<40, 16>(products, first),
      tg::out<16, 16>(carried, first));
}

/// In place: the program stores to what it takes elements of.
TEGULA_KERNEL void reverse(tg::array<int, 1> x) {
  tg::pallas_call(
      {.grid = {x.dim(0) / 64}}, [](auto x) { x[tg::all] = tg::flip<0>(x[tg::all]); }, tg::inout<64>(x, same));
}

/// Labels as rows of zeros with a one.
TEGULA_KERNEL tg::array<float, 2> one_hot(tg::array<const int, 1> labels) {
  auto o = tg::empty<float>(labels.dim(0), 10);
  tg::pallas_call(
      {.grid = {tg::cdiv(labels.dim(0), 32)}},
      [](auto labels, auto o) { o[tg::all] = tg::one_hot<float, 10>(labels[tg::all]); }, tg::in<32>(labels, same),
      tg::out<32, 10>(o, by_row));
  return o;
}

/// Whole arrays, of extents known at run time.
TEGULA_KERNEL void turn_whole(tg::array<const float, 2> x, tg::array<float, 2> flipped, tg::array<float, 2> rolled,
                              tg::s64 shift) {
  tg::check(flipped.dim(0) == x.dim(0) && flipped.dim(1) == x.dim(1) && rolled.dim(0) == x.dim(0) &&
                rolled.dim(1) == x.dim(1),
            "the arrays differ in shape");
  tg::pallas_call(
      [=](auto x, auto flipped, auto rolled) {
        flipped[tg::all] = tg::flip<0>(tg::flip<1>(x[tg::all]) * 2);
        rolled[tg::all] = tg::roll<1>(x[tg::all], shift);
      },
      tg::in(x), tg::out(flipped), tg::out(rolled));
}

/// Of three arrays one; of one, rows and elements often, and padded.
TEGULA_KERNEL tg::array<tg::bf16, 2> join_whole(tg::array<const tg::bf16, 2> x, tg::array<const tg::bf16, 2> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y have as many rows");
  auto o = tg::empty<tg::bf16>(x.dim(0), x.dim(1) + y.dim(1) + x.dim(1));
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = tg::concatenate<1>(x[tg::all], -y[tg::all], x[tg::all]); },
                  tg::in(x), tg::in(y), tg::out(o));
  return o;
}
TEGULA_KERNEL void repeat_whole(tg::array<const int, 2> x, tg::array<int, 2> repeated, tg::array<int, 2> tiled,
                                tg::array<int, 2> padded) {
  tg::check(repeated.dim(0) == 3 * x.dim(0) && repeated.dim(1) == x.dim(1), "each row stands there three times");
  tg::check(tiled.dim(0) == 2 * x.dim(0) && tiled.dim(1) == 3 * x.dim(1), "the array stands there six times");
  tg::check(padded.dim(0) == x.dim(0) + 1 && padded.dim(1) == x.dim(1) + 5,
            "a row is in front, and five columns round");
  tg::pallas_call(
      [](auto x, auto repeated, auto tiled, auto padded) {
        repeated[tg::all] = tg::repeat<0, 3>(x[tg::all]);
        tiled[tg::all] = tg::tiled<2, 3>(x[tg::all]);
        padded[tg::all] = tg::pad<1, 2, 3>(tg::pad<0, 1, 0>(x[tg::all], -1), -2);
      },
      tg::in(x), tg::out(repeated), tg::out(tiled), tg::out(padded));
}
/// Elements at an index each.
TEGULA_KERNEL void take_along_whole(tg::array<const float, 2> x, tg::array<const int, 2> idx,
                                    tg::array<float, 2> columns, tg::array<float, 2> rows) {
  tg::check(columns.dim(0) == idx.dim(0) && columns.dim(1) == idx.dim(1), "an element for each index");
  tg::check(rows.dim(0) == idx.dim(0) && rows.dim(1) == idx.dim(1), "an element for each index");
  tg::pallas_call(
      [](auto x, auto idx, auto columns, auto rows) {
        columns[tg::all] = tg::take_along_axis<1>(x[tg::all], idx[tg::all]);
        rows[tg::all] = tg::take_along_axis<-2>(x[tg::all] * 2, idx[tg::all]);
      },
      tg::in(x), tg::in(idx), tg::out(columns), tg::out(rows));
}

/// In shapes known at run time: of what is loaded, computed and transposed; sums of rows of another shape; each row of
/// a matrix as a matrix.
TEGULA_KERNEL void reshape_whole(tg::array<const float, 2> x, tg::array<float, 1> row, tg::array<float, 3> o,
                                 tg::array<float, 2> turned, tg::array<float, 1> sums) {
  tg::check(row.dim(0) == x.dim(0) * x.dim(1) && o.dim(0) * o.dim(1) * o.dim(2) == row.dim(0), "as many elements as x");
  tg::check(turned.dim(0) * turned.dim(1) == row.dim(0) && sums.dim(0) == o.dim(0), "as many elements as x");
  tg::pallas_call(
      [](auto x, auto row, auto o, auto turned) {
        const auto t = x[tg::all];
        row[tg::all] = tg::reshape(t, row.dim(0));
        o[tg::all] = tg::reshape(t * 2, o.dim(0), o.dim(1), o.dim(2));
        turned[tg::all] = tg::reshape(tg::transpose(t), turned.dim(0), turned.dim(1));
      },
      tg::in(x), tg::out(row), tg::out(o), tg::out(turned));
  const auto length = o.dim(1) * o.dim(2);
  tg::pallas_call([=](auto x, auto sums) { sums[tg::all] = tg::sum<1>(tg::reshape(x[tg::all], sums.dim(0), length)); },
                  tg::in(x), tg::out(sums));
}
TEGULA_KERNEL void reshape_rows(tg::array<const tg::bf16, 2> x, tg::array<tg::bf16, 3> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) * o.dim(2), "each row of x is a matrix of o");
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto x, auto o) { o[tg::all] = tg::reshape(x[tg::all], o.dim(0), o.dim(1)); },
      tg::in<tg::squeezed, tg::whole>(x, by_row),
      tg::out<tg::squeezed, tg::whole, tg::whole>(o, [](auto i) { return tg::index(i, 0, 0); }));
}

/// The same row, column and bits everywhere, in extents known at run time.
TEGULA_KERNEL void broadcast_whole(tg::array<const float, 1> row, tg::array<const float, 1> column,
                                   tg::array<const tg::e4m3, 1> bits, tg::array<float, 2> rows,
                                   tg::array<float, 2> columns, tg::array<tg::e4m3, 2> same_bits) {
  tg::check(row.dim(0) == rows.dim(1) && column.dim(0) == columns.dim(0), "a row and a column");
  tg::check(bits.dim(0) == same_bits.dim(1), "a row of bits");
  tg::pallas_call(
      [](auto row, auto column, auto bits, auto rows, auto columns, auto same_bits) {
        rows[tg::all] = tg::broadcast_to(row[tg::all], rows.dim(0), rows.dim(1));
        columns[tg::all] = tg::broadcast_to(column[tg::all, tg::newaxis], columns.dim(0), columns.dim(1)) +
                           tg::broadcast_to(1.0f, columns.dim(0), columns.dim(1));
        same_bits[tg::all] = tg::broadcast_to(bits[tg::all], same_bits.dim(0), same_bits.dim(1));
      },
      tg::in(row), tg::in(column), tg::in(bits), tg::out(rows), tg::out(columns), tg::out(same_bits));
}

/// Blocks of 32, of which the last has fewer: what is made of such a block, or like it, has what the block has.
TEGULA_KERNEL void at_the_edge(tg::array<const float, 1> x, tg::array<float, 2> sums, tg::array<float, 2> elements) {
  tg::check(sums.dim(1) == 15 && elements.dim(1) == 6, "results of each block");
  tg::check(sums.dim(0) == tg::cdiv(x.dim(0), 32) && elements.dim(0) == sums.dim(0), "a row for each block");
  const auto row = [](auto i) { return tg::index(i, 0); };
  tg::pallas_call(
      {.grid = {sums.dim(0)}},
      [](auto x, auto sums, auto elements) {
        const auto t = x[tg::all];
        const auto i = tg::iota_like<int, 0>(t);
        const auto ones = tg::full_like(t, 1);
        sums[0] = tg::sum(ones);
        sums[1] = tg::sum(tg::astype<float>(i));
        sums[2] = tg::sum(tg::astype<float>(i % 2 == 0));
        sums[3] = tg::sum(tg::zeros_like(t) + 1);
        sums[4] = tg::sum(tg::flip<0>(t));
        sums[5] = tg::sum(tg::roll<0>(t, 3));
        sums[6] = tg::sum(tg::repeat<0, 2>(t));
        sums[7] = tg::sum(tg::tiled<3>(t));
        sums[8] = tg::sum(tg::pad<0, 1, 2>(t, 4));
        sums[9] = tg::sum(tg::concatenate<0>(t, ones, t));
        sums[10] = tg::sum(t[tg::flip<0>(i)]);
        sums[11] = tg::sum(tg::flip<0>(ones));
        sums[12] = tg::sum(tg::broadcast_to<3, 32>(tg::full_like(t, 2)));
        sums[13] = tg::sum(t[tg::ds<16>(0, 2)]);
        auto u = t;
        u = 3;
        sums[14] = tg::sum(u);
        elements[0] = tg::flip<0>(t)[0];
        elements[1] = tg::roll<0>(t, 1)[0];
        elements[2] = tg::tiled<2>(t)[t.dim(0)];
        elements[3] = tg::concatenate<0>(ones, t)[t.dim(0)];
        elements[4] = tg::cumsum<0>(ones, tg::reverse)[0];
        elements[5] = static_cast<float>(tg::pad<0, 1, 2>(t, 4).dim(0));
      },
      tg::in<32>(x, [](auto i) { return tg::index(i); }), tg::out<tg::squeezed, tg::whole>(sums, row),
      tg::out<tg::squeezed, tg::whole>(elements, row));
}

/// Of two dimensions, by several reductions: nothing but what was made says how many there are. A loop carries one.
TEGULA_KERNEL void counts_at_the_edge(tg::array<const float, 2> x, tg::array<float, 3> o) {
  tg::check(o.dim(0) == tg::cdiv(x.dim(0), 32) && o.dim(1) == tg::cdiv(x.dim(1), 16) && o.dim(2) == 7, "of each block");
  tg::pallas_call(
      {.grid = {o.dim(0), o.dim(1)}},
      [](auto x, auto o) {
        const auto t = x[tg::all];
        const auto of_rows = tg::sum<1>(tg::full_like(t, 1));
        o[0] = tg::sum<0>(of_rows);
        o[1] = static_cast<float>(tg::sum<0>(tg::max<1>(tg::iota_like<int, 0>(t))));
        o[2] = tg::sum(tg::exp(of_rows) * 0 + 1);
        auto carried = tg::zeros_like(t);
        for (int k = 0; k < 3; ++k)
          carried += 1;
        o[3] = tg::sum(carried);
        o[4] = tg::sum<0>(tg::cumsum<0>(of_rows));
        o[5] = tg::sum(tg::astype<float>(tg::flip<1>(tg::iota_like<int, 1>(t)))); // Of as many rows as t has.
        o[6] = tg::sum(tg::astype<float>(tg::iota_like<int, 0>(t)[tg::all, tg::iota<int, 16>() / 16] * 0 + 1));
      },
      tg::in<32, 16>(x, [](auto i, auto j) { return tg::index(i, j); }),
      tg::out<tg::squeezed, tg::squeezed, tg::whole>(o, [](auto i, auto j) { return tg::index(i, j, 0); }));
}

/// Axes of 1, by their types, and one of which a check says that its extent is 1.
TEGULA_KERNEL void squeeze_columns(tg::array<const float, 2> x, tg::array<const float, 2> column,
                                   tg::array<float, 1> last, tg::array<float, 1> mean, tg::array<float, 1> only) {
  tg::check(x.dim(0) == column.dim(0) && column.dim(1) == 1, "a column of as many rows");
  tg::check(x.dim(0) == last.dim(0) && x.dim(0) == mean.dim(0) && x.dim(0) == only.dim(0), "one of each row");
  tg::pallas_call(
      [](auto x, auto column, auto last, auto mean, auto only) {
        last[tg::all] = tg::squeeze<1>(x[tg::all, tg::ds<1>(x.dim(1) - 1)]);
        mean[tg::all] = tg::squeeze<-1>(tg::mean<1>(x[tg::all], tg::keepdims));
        only[tg::all] = column[tg::all, 0];
      },
      tg::in(x), tg::in(column), tg::out(last), tg::out(mean), tg::out(only));
}
