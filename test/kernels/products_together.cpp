// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several products of a program, which one loop sums, and several results of a product.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;

/// silu(x w) * (x v), by a loop of the program.
template <int M, int N, int K, class T>
TEGULA_KERNEL tg::array<T, 2> gated_by_steps(matrix<T> x, matrix<T> w, matrix<T> v) {
  tg::check(x.dim(1) == w.dim(0) && x.dim(1) == v.dim(0) && w.dim(1) == v.dim(1), "x, w and v do not fit");
  auto o = tg::empty<T>(x.dim(0), w.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), M), tg::cdiv(w.dim(1), N)}},
      [](auto x, auto w, auto v, auto o) {
        auto gate = tg::zeros<float, M, N>(), up = tg::zeros<float, M, N>();
        for (tg::s64 k = 0; k < tg::cdiv(x.dim(1), K); ++k) {
          const auto rows = x[tg::all, tg::ds<K>(K * k)];
          gate += tg::dot(rows, w[tg::ds<K>(K * k), tg::all]);
          up += tg::dot(rows, v[tg::ds<K>(K * k), tg::all]);
        }
        o[tg::all] = tg::astype<T>(gate * tg::logistic(gate) * up);
      },
      tg::in<M, tg::whole>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, N>(w, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<tg::whole, N>(v, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<M, N>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}
TEGULA_INSTANTIATE("gated_bf16", gated_by_steps<128, 128, 64, tg::bf16>);
TEGULA_INSTANTIATE("gated_f16_64_256_32", gated_by_steps<64, 256, 32, tg::f16>);

/// The same of whole rows, with v as N x K; what comes of the first product stands between the two.
TEGULA_KERNEL tg::array<tg::bf16, 2> gated_of_rows(matrix<tg::bf16> x, matrix<tg::bf16> w, matrix<tg::bf16> v) {
  tg::check(x.dim(1) == w.dim(0) && x.dim(1) == v.dim(1) && w.dim(1) == v.dim(0), "x, w and v do not fit");
  auto o = tg::empty<tg::bf16>(x.dim(0), w.dim(1));
  tg::pallas_call(
      [](auto x, auto w, auto v, auto o) {
        const auto gate = tg::dot(x[tg::all], w[tg::all]);
        const auto open = gate * tg::logistic(gate);
        o[tg::all] = tg::astype<tg::bf16>(open * tg::dot(x[tg::all], tg::transpose(v[tg::all])));
      },
      tg::in(x), tg::in(w), tg::in(v), tg::out(o));
  return o;
}

/// a b + c d, one sum in steps of different sizes.
TEGULA_KERNEL tg::array<float, 2> sum_of_products(matrix<tg::bf16> a, matrix<tg::bf16> b, matrix<tg::bf16> c,
                                                  matrix<tg::bf16> d) {
  tg::check(a.dim(1) == b.dim(0) && c.dim(1) == d.dim(0) && a.dim(1) == 2 * c.dim(1), "the inner dimensions differ");
  tg::check(a.dim(0) == c.dim(0) && b.dim(1) == d.dim(1), "the products differ");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 128)}},
      [](auto a, auto b, auto c, auto d, auto o) {
        auto sum = tg::zeros<float, 128, 128>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
          sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], b[tg::ds<64>(64 * k), tg::all]);
          sum += tg::dot(c[tg::all, tg::ds<32>(32 * k)], d[tg::ds<32>(32 * k), tg::all]);
        }
        o[tg::all] = sum;
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<128, tg::whole>(c, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(d, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}

/// (a w) (c w): the right factor is shared.
TEGULA_KERNEL tg::array<float, 2> product_of_products(matrix<tg::f16> a, matrix<tg::f16> c, matrix<tg::f16> w) {
  tg::check(a.dim(1) == w.dim(0) && c.dim(1) == w.dim(0) && a.dim(0) == c.dim(0), "a, c and w do not fit");
  auto o = tg::empty<float>(a.dim(0), w.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(w.dim(1), 64)}},
      [](auto a, auto c, auto w, auto o) {
        auto left = tg::zeros<float, 128, 64>(), right = tg::zeros<float, 128, 64>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
          left += tg::dot(a[tg::all, tg::ds<64>(64 * k)], w[tg::ds<64>(64 * k), tg::all]);
          right += tg::dot(c[tg::all, tg::ds<64>(64 * k)], w[tg::ds<64>(64 * k), tg::all]);
        }
        o[tg::all] = left * right;
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<128, tg::whole>(c, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 64>(w, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 64>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}

/// Three products, each with a result of its own.
TEGULA_KERNEL void three_products(matrix<tg::bf16> x, matrix<tg::bf16> u, matrix<tg::bf16> v, matrix<tg::bf16> w,
                                  tg::array<tg::bf16, 2> q, tg::array<tg::bf16, 2> k, tg::array<float, 2> l) {
  tg::check(x.dim(1) == u.dim(0) && x.dim(1) == v.dim(0) && x.dim(1) == w.dim(0), "the inner dimensions differ");
  tg::check(u.dim(1) == q.dim(1) && v.dim(1) == q.dim(1) && w.dim(1) == q.dim(1), "a factor does not fit");
  tg::check(q.dim(0) == x.dim(0) && k.dim(0) == q.dim(0) && l.dim(0) == q.dim(0), "a result does not fit");
  tg::check(k.dim(1) == q.dim(1) && l.dim(1) == q.dim(1), "a result does not fit");
  tg::pallas_call(
      [](auto x, auto u, auto v, auto w, auto q, auto k, auto l) {
        const auto rows = x[tg::all];
        q[tg::all] = tg::astype<tg::bf16>(tg::dot(rows, u[tg::all]));
        k[tg::all] = tg::astype<tg::bf16>(tg::dot(rows, v[tg::all]));
        l[tg::all] = tg::dot(rows, w[tg::all]);
      },
      tg::in(x), tg::in(u), tg::in(v), tg::in(w), tg::out(q), tg::out(k), tg::out(l));
}

/// A product, and of each row of its blocks the greatest magnitude and the sum.
template <int M, int N>
TEGULA_KERNEL void product_with_statistics(matrix<tg::bf16> a, matrix<tg::bf16> b, tg::array<tg::bf16, 2> o,
                                           tg::array<float, 2> greatest, tg::array<float, 2> sums) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::check(greatest.dim(0) == o.dim(0) && greatest.dim(1) == tg::cdiv(o.dim(1), N), "greatest does not fit");
  tg::check(sums.dim(0) == o.dim(0) && sums.dim(1) == tg::cdiv(o.dim(1), N), "sums does not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), M), tg::cdiv(o.dim(1), N)}},
      [](auto a, auto b, auto o, auto greatest, auto sums) {
        const auto product = tg::dot(a[tg::all], b[tg::all]);
        o[tg::all] = tg::astype<tg::bf16>(product);
        greatest[tg::all] = tg::max<1>(tg::abs(product));
        sums[tg::all] = tg::sum<1>(product);
      },
      tg::in<M, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, N>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<M, N>(o, [](auto i, auto j) { return tg::index(i, j); }),
      tg::out<M, tg::squeezed>(greatest, [](auto i, auto j) { return tg::index(i, j); }),
      tg::out<M, tg::squeezed>(sums, [](auto i, auto j) { return tg::index(i, j); }));
}
TEGULA_INSTANTIATE("statistics_128_128", product_with_statistics<128, 128>);
TEGULA_INSTANTIATE("statistics_256_64", product_with_statistics<256, 64>);
TEGULA_INSTANTIATE("statistics_64_256", product_with_statistics<64, 256>);
