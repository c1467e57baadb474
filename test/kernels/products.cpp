// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of 16-bit floats, which tensor cores multiply where there are any: loops, whole rows, blocks of any size,
// and what comes before and after.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;

/// Blocks of M x N, summed in steps of K by a loop of the program, which counts them in 32 or 64 bits.
template <int M, int N, int K, class T, class Result, class Counter = tg::s64, int Cluster = 0>
TEGULA_KERNEL tg::array<Result, 2> product_by_steps(matrix<T> a, matrix<T> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto o = tg::empty<Result>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), M), tg::cdiv(b.dim(1), N)}, .cluster = Cluster},
      [](auto a, auto b, auto o) {
        auto sum = tg::zeros<float, M, N>();
        for (Counter k = 0; k < tg::cdiv(a.dim(1), K); ++k)
          sum += tg::dot(a[tg::all, tg::ds<K>(K * k)], b[tg::ds<K>(K * k), tg::all]);
        o[tg::all] = tg::astype<Result>(sum);
      },
      tg::in<M, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, N>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<M, N>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}
TEGULA_INSTANTIATE("steps_bf16_128_256_64", product_by_steps<128, 256, 64, tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("steps_in_pairs", product_by_steps<128, 128, 64, tg::bf16, tg::bf16, tg::s64, 2>);
TEGULA_INSTANTIATE("steps_in_pairs_of_a_block", product_by_steps<192, 256, 64, tg::bf16, tg::bf16, tg::s64, 2>);
TEGULA_INSTANTIATE("steps_in_pairs_of_one", product_by_steps<64, 192, 32, tg::bf16, tg::bf16, tg::s64, 2>);
TEGULA_INSTANTIATE("steps_f16_64_64_32", product_by_steps<64, 64, 32, tg::f16, float>);
TEGULA_INSTANTIATE("steps_f16_by_int", product_by_steps<64, 64, 32, tg::f16, float, int>);
TEGULA_INSTANTIATE("steps_bf16_32_96_16", product_by_steps<32, 96, 16, tg::bf16, float>);
TEGULA_INSTANTIATE("steps_f16_256_384_64", product_by_steps<256, 384, 64, tg::f16, tg::f16>);

/// As the author wants it cut.
template <int Consumers, int N, int K, int Stages, int Cluster = 0>
TEGULA_KERNEL tg::array<tg::bf16, 2> pinned_product(matrix<tg::bf16> a, matrix<tg::bf16> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto o = tg::empty<tg::bf16>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.num_consumers = Consumers, .tile_n = N, .tile_k = K, .num_stages = Stages, .cluster = Cluster},
      [](auto a, auto b, auto o) { o[tg::all] = tg::astype<tg::bf16>(tg::dot(a[tg::all], b[tg::all])); }, tg::in(a),
      tg::in(b), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("pinned_1_192_32_5", pinned_product<1, 192, 32, 5>);
TEGULA_INSTANTIATE("pinned_2_128_128_2", pinned_product<2, 128, 128, 2>);
TEGULA_INSTANTIATE("pinned_pair", pinned_product<2, 256, 64, 3, 2>);
TEGULA_INSTANTIATE("pinned_pair_of_one", pinned_product<1, 64, 32, 4, 2>);

/// All of a row by all of a column, in blocks of static size.
TEGULA_KERNEL tg::array<float, 2> product_of_rows(matrix<tg::bf16> a, matrix<tg::bf16> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 128)}},
      [](auto a, auto b, auto o) { o[tg::all] = tg::dot(a[tg::all], b[tg::all]); },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}

/// Of an array that is one block.
TEGULA_KERNEL tg::array<float, 2> product_of_128_rows(matrix<tg::bf16> a, matrix<tg::bf16> b) {
  tg::check(a.dim(0) == 128 && a.dim(1) == b.dim(0), "a does not fit");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(b.dim(1), 256)}}, [](auto a, auto b, auto o) { o[tg::all] = tg::dot(a[tg::all], b[tg::all]); },
      tg::in<128, tg::whole>(a, [](auto) { return tg::index(0, 0); }),
      tg::in<tg::whole, 256>(b, [](auto j) { return tg::index(0, j); }),
      tg::out<128, 256>(o, [](auto j) { return tg::index(0, j); }));
  return o;
}

/// Blocks that are as deep as their arrays: one step, several, and steps of which the last is not full.
template <int K> TEGULA_KERNEL tg::array<float, 2> product_of_depth(matrix<tg::bf16> a, matrix<tg::bf16> b) {
  tg::check(a.dim(1) == K && b.dim(1) == K, "the inner dimension is another one");
  auto o = tg::empty<float>(a.dim(0), b.dim(0));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(0), 128)}},
      [](auto a, auto b, auto o) { o[tg::all] = tg::dot(a[tg::all], tg::transpose(b[tg::all])); },
      tg::in<128, K>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<128, K>(b, [](auto, auto j) { return tg::index(j, 0); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}
TEGULA_INSTANTIATE("depth_7", product_of_depth<7>);
TEGULA_INSTANTIATE("depth_64", product_of_depth<64>);
TEGULA_INSTANTIATE("depth_104", product_of_depth<104>);
TEGULA_INSTANTIATE("depth_256", product_of_depth<256>);

/// With factors that are stored transposed: a as K x M, b as N x K. Tiles of a, places of b.
template <bool A, bool B>
TEGULA_KERNEL tg::array<tg::bf16, 2> transposed_product(matrix<tg::bf16> a, matrix<tg::bf16> b) {
  tg::check(a.dim(A ? 0 : 1) == b.dim(B ? 1 : 0), "the inner dimensions of a and b differ");
  auto o = tg::empty<tg::bf16>(a.dim(A ? 1 : 0), b.dim(B ? 0 : 1));
  tg::pallas_call(
      [](auto a, auto b, auto o) {
        if constexpr (A && B)
          o[tg::all] = tg::astype<tg::bf16>(tg::dot(tg::transpose(a[tg::all]), tg::transpose_ref(b)[tg::all]));
        else if constexpr (A)
          o[tg::all] = tg::astype<tg::bf16>(tg::dot(tg::transpose(a[tg::all]), b[tg::all]));
        else
          o[tg::all] = tg::astype<tg::bf16>(tg::dot(a[tg::all], tg::transpose_ref(b)[tg::all]));
      },
      tg::in(a), tg::in(b), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("bf16_at_b", transposed_product<true, false>);
TEGULA_INSTANTIATE("bf16_a_bt", transposed_product<false, true>);
TEGULA_INSTANTIATE("bf16_at_bt", transposed_product<true, true>);

/// Two by two blocks, whatever the sizes.
TEGULA_KERNEL tg::array<tg::bf16, 2> product_of_quarters(matrix<tg::bf16> a, matrix<tg::bf16> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  const auto m = tg::cdiv(a.dim(0), 2), n = tg::cdiv(b.dim(1), 2), k = a.dim(1);
  auto o = tg::empty<tg::bf16>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {2, 2}},
      [](auto a, auto b, auto o) { o[tg::all] = tg::astype<tg::bf16>(tg::dot(a[tg::all], b[tg::all])); },
      tg::in(a, {m, k}, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in(b, {k, n}, [](auto, auto j) { return tg::index(0, j); }),
      tg::out(o, {m, n}, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}

/// max(a b + bias, 0) + c, where bias is a row.
TEGULA_KERNEL tg::array<float, 2> product_with_bias(matrix<tg::f16> a, matrix<tg::f16> b,
                                                    tg::array<const float, 1> bias, tg::array<const float, 2> c) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  tg::check(bias.dim(0) == b.dim(1), "bias and b differ");
  tg::check(c.dim(0) == a.dim(0) && c.dim(1) == b.dim(1), "c is not of the result's shape");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 128)}},
      [](auto a, auto b, auto bias, auto c, auto o) {
        const auto sum = tg::dot(a[tg::all], b[tg::all]) + bias[tg::newaxis, tg::all];
        o[tg::all] = tg::maximum(sum, 0.0f) + c[tg::all];
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<128>(bias, [](auto, auto j) { return tg::index(j); }),
      tg::in<128, 128>(c, [](auto i, auto j) { return tg::index(i, j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}

/// Of a matrix of each batch, with the batch's number in the grid.
TEGULA_KERNEL tg::array<float, 3> batched_product(tg::array<const tg::bf16, 3> a, tg::array<const tg::bf16, 3> b) {
  tg::check(a.dim(2) == b.dim(1) && a.dim(0) == b.dim(0), "a and b do not fit");
  auto o = tg::empty<float>(a.dim(0), a.dim(1), b.dim(2));
  tg::pallas_call(
      {.grid = {a.dim(0), tg::cdiv(a.dim(1), 128), tg::cdiv(b.dim(2), 128)}},
      [](auto a, auto b, auto o) { o[tg::all] = tg::dot(a[tg::all], b[tg::all]); },
      tg::in<tg::squeezed, 128, tg::whole>(a, [](auto l, auto i, auto) { return tg::index(l, i, 0); }),
      tg::in<tg::squeezed, tg::whole, 128>(b, [](auto l, auto, auto j) { return tg::index(l, 0, j); }),
      tg::out<tg::squeezed, 128, 128>(o, [](auto l, auto i, auto j) { return tg::index(l, i, j); }));
  return o;
}

/// Of the first `depth` columns and rows: beyond them there is something else.
TEGULA_KERNEL tg::array<float, 2> product_of_first(matrix<tg::bf16> a, matrix<tg::bf16> b, tg::s64 depth) {
  tg::check(depth <= a.dim(1) && depth <= b.dim(0) && depth >= 0, "so many columns there are not");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      [=](auto a, auto b, auto o) { o[tg::all] = tg::dot(a[tg::all, tg::ds(0, depth)], b[tg::ds(0, depth), tg::all]); },
      tg::in(a), tg::in(b), tg::out(o));
  return o;
}

/// The part of a b that rows and columns from these on have, of blocks that end inside their arrays.
TEGULA_KERNEL tg::array<float, 2> product_of_part(matrix<tg::bf16> a, matrix<tg::bf16> b, tg::s64 rows,
                                                  tg::s64 columns) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  tg::check(rows <= a.dim(0) && columns <= b.dim(1), "so many there are not");
  auto o = tg::empty<float>(rows, columns);
  tg::pallas_call([=](auto a, auto b,
                      auto o) { o[tg::all] = tg::dot(a[tg::ds(0, rows), tg::all], b[tg::all, tg::ds(0, columns)]); },
                  tg::in(a), tg::in(b), tg::out(o));
  return o;
}

// ---- What comes after a product, and how it is stored ---------------------------------------------------------------

/// `Form` says what the program does with the product of its blocks.
enum class After { in_window, read_back, kept, in_branch, twice, beside, transposed, with_transposed, summed };

template <After Form, int M, int N>
TEGULA_KERNEL void product_and(matrix<tg::bf16> a, matrix<tg::bf16> b, tg::array<const float, 2> c,
                               tg::array<float, 2> o, tg::array<float, 2> p, tg::s64 start) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::check(c.dim(0) == o.dim(0) && c.dim(1) == o.dim(1), "c does not fit");
  tg::check(p.dim(0) == o.dim(0) && p.dim(1) == o.dim(1), "p does not fit");
  constexpr bool turns = Form == After::transposed || Form == After::with_transposed;
  if constexpr (turns)
    tg::check(o.dim(0) == o.dim(1), "o is not square");
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), M), tg::cdiv(b.dim(1), N)}, .tile_n = Form == After::kept ? 256 : 0},
      [=](auto a, auto b, auto c, auto o, auto p) {
        if constexpr (Form == After::kept) {
          const auto before = o[tg::all], product = tg::dot(a[tg::all], b[tg::all]);
          o[tg::all] = product + before;
          p[tg::all] = product * before;
        } else if constexpr (Form == After::in_window) {
          o[tg::ds<M>(start), tg::all] = tg::dot(a[tg::ds<M>(start), tg::all], b[tg::all]);
        } else {
          const auto product = tg::dot(a[tg::all], b[tg::all]);
          if constexpr (Form == After::transposed) {
            p[tg::all] = tg::transpose(product);
          } else if constexpr (Form == After::with_transposed) {
            o[tg::all] = product + tg::transpose(c[tg::all]);
          } else if constexpr (Form == After::summed) {
            o[tg::all] = product - tg::sum<1>(c[tg::all], tg::keepdims);
          } else {
            o[tg::all] = product;
            if constexpr (Form == After::read_back)
              p[tg::all] = product + o[tg::all];
            if constexpr (Form == After::beside)
              p[tg::all] = c[tg::all] * 2.0f;
            if constexpr (Form == After::in_branch)
              if (start > 0)
                o[tg::all] = product + 1.0f;
            if constexpr (Form == After::twice)
              tg::store(o.at(tg::all), product * 2.0f, product > 3.0f);
          }
        }
      },
      tg::in<M, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, N>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<M, N>(c, [](auto i, auto j) { return turns ? tg::index(j, i) : tg::index(i, j); }),
      tg::inout<M, N>(o, [](auto i, auto j) { return tg::index(i, j); }),
      tg::inout<M, N>(p, [](auto i, auto j) { return turns ? tg::index(j, i) : tg::index(i, j); }));
}
TEGULA_INSTANTIATE("product_in_window", product_and<After::in_window, 128, 128>);
TEGULA_INSTANTIATE("product_read_back", product_and<After::read_back, 128, 128>);
TEGULA_INSTANTIATE("product_with_what_was_there", product_and<After::kept, 128, 256>);
TEGULA_INSTANTIATE("product_in_branch", product_and<After::in_branch, 128, 128>);
TEGULA_INSTANTIATE("product_stored_twice", product_and<After::twice, 128, 128>);
TEGULA_INSTANTIATE("product_beside", product_and<After::beside, 128, 128>);
TEGULA_INSTANTIATE("product_transposed", product_and<After::transposed, 64, 64>);
TEGULA_INSTANTIATE("product_with_transposed", product_and<After::with_transposed, 64, 64>);
TEGULA_INSTANTIATE("product_less_sums", product_and<After::summed, 128, 128>);
// Blocks of three warpgroups' rows: the second consumer of the last sub-tile of each has none.
TEGULA_INSTANTIATE("product_less_sums_192", product_and<After::summed, 192, 128>);

TEGULA_INSTANTIATE("steps_bf16_128_200_48", product_by_steps<128, 200, 48, tg::bf16, float>);
TEGULA_INSTANTIATE("steps_f16_64_256_128", product_by_steps<64, 256, 128, tg::f16, float>);
TEGULA_INSTANTIATE("steps_bf16_1_24_16", product_by_steps<1, 24, 16, tg::bf16, float>);
