// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of elements of 8 and 32 bits, which tensor cores multiply where there are any: a is M x K, b is N x K.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;

/// Of float, as tf32.
template <class A, class B> auto multiply(const A &a, const B &b) {
  if constexpr (__is_same(typename A::element, float))
    return tg::dot(a, b, {.precision = tg::precision::tf32});
  else
    return tg::dot(a, b);
}

/// Blocks of M x N, summed in steps of K by a loop of the program.
template <int M, int N, int K, class A, class B, class Result>
TEGULA_KERNEL tg::array<Result, 2> product_by_steps(matrix<A> a, matrix<B> b) {
  tg::check(a.dim(1) == b.dim(1), "the inner dimensions of a and b differ");
  auto o = tg::empty<Result>(a.dim(0), b.dim(0));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), M), tg::cdiv(b.dim(0), N)}},
      [](auto a, auto b, auto o) {
        auto sum = tg::zeros<Result, M, N>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), K); ++k)
          sum += multiply(a[tg::all, tg::ds<K>(K * k)], tg::transpose(b[tg::all, tg::ds<K>(K * k)]));
        o[tg::all] = sum;
      },
      tg::in<M, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<N, tg::whole>(b, [](auto, auto j) { return tg::index(j, 0); }),
      tg::out<M, N>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}
TEGULA_INSTANTIATE("steps_s8_128_256_128", product_by_steps<128, 256, 128, tg::s8, tg::s8, tg::s32>);
TEGULA_INSTANTIATE("steps_u8_64_64_32", product_by_steps<64, 64, 32, tg::u8, tg::u8, tg::s32>);
TEGULA_INSTANTIATE("steps_s8_32_24_256", product_by_steps<32, 24, 256, tg::s8, tg::s8, tg::s32>);
TEGULA_INSTANTIATE("steps_u8_128_200_96", product_by_steps<128, 200, 96, tg::u8, tg::u8, tg::s32>);
TEGULA_INSTANTIATE("steps_tf32_128_256_32", product_by_steps<128, 256, 32, float, float, float>);
TEGULA_INSTANTIATE("steps_tf32_64_40_64", product_by_steps<64, 40, 64, float, float, float>);
TEGULA_INSTANTIATE("steps_tf32_16_96_8", product_by_steps<16, 96, 8, float, float, float>);
TEGULA_INSTANTIATE("steps_e4m3_128_256_128", product_by_steps<128, 256, 128, tg::e4m3, tg::e4m3, float>);
TEGULA_INSTANTIATE("steps_e4m3_e5m2_64_40_64", product_by_steps<64, 40, 64, tg::e4m3, tg::e5m2, float>);
TEGULA_INSTANTIATE("steps_e5m2_e4m3_16_96_32", product_by_steps<16, 96, 32, tg::e5m2, tg::e4m3, float>);

/// Two by two blocks, whatever the sizes.
template <class A, class B, class Result>
TEGULA_KERNEL tg::array<Result, 2> product_of_quarters(matrix<A> a, matrix<B> b) {
  tg::check(a.dim(1) == b.dim(1), "the inner dimensions of a and b differ");
  const auto m = tg::cdiv(a.dim(0), 2), n = tg::cdiv(b.dim(0), 2), k = a.dim(1);
  auto o = tg::empty<Result>(a.dim(0), b.dim(0));
  tg::pallas_call(
      {.grid = {2, 2}},
      [](auto a, auto b, auto o) { o[tg::all] = multiply(a[tg::all], tg::transpose_ref(b)[tg::all]); },
      tg::in(a, {m, k}, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in(b, {n, k}, [](auto, auto j) { return tg::index(j, 0); }),
      tg::out(o, {m, n}, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}
TEGULA_INSTANTIATE("quarters_s8", product_of_quarters<tg::s8, tg::s8, tg::s32>);
TEGULA_INSTANTIATE("quarters_u8", product_of_quarters<tg::u8, tg::u8, tg::s32>);
TEGULA_INSTANTIATE("quarters_tf32", product_of_quarters<float, float, float>);
TEGULA_INSTANTIATE("quarters_e5m2", product_of_quarters<tg::e5m2, tg::e5m2, float>);

/// Of b as K x N, which wgmma does not take: it is transposed through shared memory on its way.
template <class A, class B> TEGULA_KERNEL tg::array<float, 2> product_of_columns(matrix<A> a, matrix<B> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call([](auto a, auto b, auto o) { o[tg::all] = multiply(a[tg::all], b[tg::all]); }, tg::in(a), tg::in(b),
                  tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("columns_tf32", product_of_columns<float, float>);
TEGULA_INSTANTIATE("columns_e4m3", product_of_columns<tg::e4m3, tg::e4m3>);
TEGULA_INSTANTIATE("columns_e4m3_e5m2", product_of_columns<tg::e4m3, tg::e5m2>);
TEGULA_INSTANTIATE("columns_e5m2_e4m3", product_of_columns<tg::e5m2, tg::e4m3>);
TEGULA_INSTANTIATE("columns_e5m2", product_of_columns<tg::e5m2, tg::e5m2>);

/// max(a b^T scale, 0), in 8 bits again.
TEGULA_KERNEL tg::array<tg::e4m3, 2> narrowed_e4m3(matrix<tg::e4m3> a, matrix<tg::e4m3> b, float scale) {
  tg::check(a.dim(1) == b.dim(1), "the inner dimensions of a and b differ");
  auto o = tg::empty<tg::e4m3>(a.dim(0), b.dim(0));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(0), 256)}},
      [=](auto a, auto b, auto o) {
        const auto sum = tg::dot(a[tg::all], tg::transpose(b[tg::all])) * scale;
        o[tg::all] = tg::astype<tg::e4m3>(tg::maximum(sum, 0.0f));
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<256, tg::whole>(b, [](auto, auto j) { return tg::index(j, 0); }),
      tg::out<128, 256>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}

/// a b^T, scaled by a number for each row and one for each column.
TEGULA_KERNEL tg::array<float, 2> scaled_product(matrix<tg::s8> a, matrix<tg::s8> b, tg::array<const float, 1> of_rows,
                                                 tg::array<const float, 1> of_columns) {
  tg::check(a.dim(1) == b.dim(1), "the inner dimensions of a and b differ");
  tg::check(of_rows.dim(0) == a.dim(0) && of_columns.dim(0) == b.dim(0), "the scales do not fit");
  auto o = tg::empty<float>(a.dim(0), b.dim(0));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(0), 128)}},
      [](auto a, auto b, auto of_rows, auto of_columns, auto o) {
        const auto sum = tg::astype<float>(tg::dot(a[tg::all], tg::transpose(b[tg::all])));
        o[tg::all] = sum * of_rows[tg::all, tg::newaxis] * of_columns[tg::newaxis, tg::all];
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<128, tg::whole>(b, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<128>(of_rows, [](auto i, auto) { return tg::index(i); }),
      tg::in<128>(of_columns, [](auto, auto j) { return tg::index(j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}

/// (a b^T + c) / 2^shift, in 8 bits again.
TEGULA_KERNEL tg::array<tg::s8, 2> narrowed_product(matrix<tg::u8> a, matrix<tg::u8> b, tg::array<const int, 2> c,
                                                    int shift) {
  tg::check(a.dim(1) == b.dim(1), "the inner dimensions of a and b differ");
  tg::check(c.dim(0) == a.dim(0) && c.dim(1) == b.dim(0), "c does not fit");
  auto o = tg::empty<tg::s8>(a.dim(0), b.dim(0));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(0), 256)}},
      [=](auto a, auto b, auto c, auto o) {
        const auto sum = tg::dot(a[tg::all], tg::transpose(b[tg::all])) + c[tg::all];
        o[tg::all] = tg::astype<tg::s8>(tg::minimum(tg::maximum(sum >> shift, -128), 127));
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<256, tg::whole>(b, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<128, 256>(c, [](auto i, auto j) { return tg::index(i, j); }),
      tg::out<128, 256>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}
