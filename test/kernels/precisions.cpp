// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of float by three of what tensor cores multiply.
#include <tegula/tegula.h>
namespace tg = tegula;

using matrix = tg::array<const float, 2>;

/// Of all rows and columns by one program: a is M x K, b is K x N.
template <tg::precision P> TEGULA_KERNEL tg::array<float, 2> whole_product(matrix a, matrix b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call([](auto a, auto b, auto o) { o[tg::all] = tg::dot(a[tg::all], b[tg::all], {.precision = P}); },
                  tg::in(a), tg::in(b), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("whole_tf32x3", whole_product<tg::precision::tf32x3>);
TEGULA_INSTANTIATE("whole_bf16x3", whole_product<tg::precision::bf16x3>);

/// By a loop of the program, with b as N x K, beside a bias.
template <int M, int N, int K, tg::precision P>
TEGULA_KERNEL tg::array<float, 2> product_by_steps(matrix a, matrix b, tg::array<const float, 1> bias) {
  tg::check(a.dim(1) == b.dim(1) && bias.dim(0) == b.dim(0), "a, b and the bias do not fit");
  auto o = tg::empty<float>(a.dim(0), b.dim(0));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), M), tg::cdiv(b.dim(0), N)}},
      [](auto a, auto b, auto bias, auto o) {
        auto sum = tg::zeros<float, M, N>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), K); ++k)
          sum += tg::dot(a[tg::all, tg::ds<K>(K * k)], tg::transpose(b[tg::all, tg::ds<K>(K * k)]), {.precision = P});
        o[tg::all] = sum + bias[tg::newaxis, tg::all];
      },
      tg::in<M, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<N, tg::whole>(b, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<N>(bias, [](auto, auto j) { return tg::index(j); }),
      tg::out<M, N>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}
TEGULA_INSTANTIATE("steps_tf32x3", product_by_steps<128, 256, 32, tg::precision::tf32x3>);
TEGULA_INSTANTIATE("steps_bf16x3", product_by_steps<64, 96, 64, tg::precision::bf16x3>);

TEGULA_KERNEL tg::array<float, 1> read_as_tf32(tg::array<const float, 1> x) {
  auto o = tg::empty<float>(x.dim(0));
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::as_tf32(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}

/// a b + c d, of 16 bits: one sum.
TEGULA_KERNEL tg::array<float, 2> sum_of_products(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b,
                                                  tg::array<const tg::bf16, 2> c, tg::array<const tg::bf16, 2> d) {
  tg::check(a.dim(1) == b.dim(0) && c.dim(0) == a.dim(0), "a, b and c do not fit");
  tg::check(c.dim(1) == a.dim(1) && d.dim(0) == c.dim(1) && d.dim(1) == b.dim(1), "b, c and d do not fit");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call([](auto a, auto b, auto c, auto d,
                     auto o) { o[tg::all] = tg::dot(a[tg::all], b[tg::all]) + tg::dot(c[tg::all], d[tg::all]); },
                  tg::in(a), tg::in(b), tg::in(c), tg::in(d), tg::out(o));
  return o;
}
