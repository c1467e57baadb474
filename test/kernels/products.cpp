// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of 16-bit floats, which tensor cores multiply where there are any: loops, whole rows, blocks of any size,
// and what comes before and after.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;

/// Blocks of M x N, summed in steps of K by a loop of the program.
template <int M, int N, int K, class T, class Result>
TEGULA_KERNEL tg::array<Result, 2> product_by_steps(matrix<T> a, matrix<T> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto o = tg::empty<Result>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), M), tg::cdiv(b.dim(1), N)}},
      [](auto a, auto b, auto o) {
        auto sum = tg::zeros<float, M, N>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), K); ++k)
          sum += tg::dot(a[tg::all, tg::ds<K>(K * k)], b[tg::ds<K>(K * k), tg::all]);
        o[tg::all] = tg::astype<Result>(sum);
      },
      tg::in<M, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, N>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<M, N>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}
TEGULA_INSTANTIATE("steps_bf16_128_256_64", product_by_steps<128, 256, 64, tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("steps_f16_64_64_32", product_by_steps<64, 64, 32, tg::f16, float>);
TEGULA_INSTANTIATE("steps_bf16_32_96_16", product_by_steps<32, 96, 16, tg::bf16, float>);
TEGULA_INSTANTIATE("steps_f16_256_384_64", product_by_steps<256, 384, 64, tg::f16, tg::f16>);

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
