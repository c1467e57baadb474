// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of arrays on every slice of larger arrays: elementwise, reductions, products, nested, along any axes.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };

/// Elementwise, in blocks, with a scratch array and a number of the host.
TEGULA_KERNEL tg::array<float, 1> axpy(float a, tg::array<const float, 1> x, tg::array<const float, 1> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  auto scaled = tg::empty_like(x), o = tg::empty<float>(x.size());
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 16)}}, [=](auto x, auto o) { o[tg::all] = a * x[tg::all]; }, tg::in<16>(x, same),
      tg::out<16>(scaled, same));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 16)}},
      [=](auto x, auto o) { o[tg::all] = x[tg::all] + y[tg::ds<16>(16 * tg::program_id(0))]; },
      tg::in<16>(scaled, same), tg::out<16>(o, same));
  return o;
}
TEGULA_KERNEL tg::array<float, 2> axpy_one(float a, tg::array<const float, 2> x, tg::array<const float, 1> y) {
  return tg::vmap(axpy, a, tg::over(x, 0), y);
}
TEGULA_KERNEL tg::array<float, 2> axpy_columns(float a, tg::array<const float, 2> x, tg::array<const float, 2> y) {
  return tg::vmap({.out_axis = 1}, axpy, a, tg::over(x, 1), tg::over(y, 0));
}

/// Three arrays, of three ranks, along three axes; the result's batch is in the middle.
TEGULA_KERNEL tg::array<int, 3> fused(tg::array<const int, 3> x, tg::array<const int, 2> y, tg::array<const int, 1> z) {
  return tg::vmap(
      {.out_axis = 1},
      [](auto x, auto y, auto z) {
        tg::check(x.dim(1) == y.dim(0), "y has an element per column of x");
        auto o = tg::empty_like(x);
        tg::pallas_call([](auto x, auto y, auto z, auto o) { o[tg::all] = x[tg::all] * y[tg::all] - z[]; }, tg::in(x),
                        tg::in(y), tg::in(z), tg::out(o));
        return o;
      },
      tg::over(x, 2), tg::over(y, 1), tg::over(z, 0));
}

/// Softmax of vectors, which stand along the middle axis.
TEGULA_KERNEL tg::array<float, 1> softmax(tg::array<const float, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto o) {
        const auto e = tg::exp(x[tg::all] - tg::max(x[tg::all]));
        o[tg::all] = e / tg::sum(e);
      },
      tg::in(x), tg::out(o));
  return o;
}
TEGULA_KERNEL tg::array<float, 3> softmax_middle(tg::array<const float, 3> x) {
  const auto of_columns = [](auto x) { return tg::vmap({.out_axis = 1}, softmax, tg::over(x, 1)); };
  return tg::vmap(of_columns, tg::over(x, 0));
}

TEGULA_KERNEL tg::array<float, 2> matmul(tg::array<const float, 2> x, tg::array<const float, 2> y) {
  tg::check(x.dim(1) == y.dim(0), "the inner dimensions of x and y differ");
  const auto m = tg::cdiv(x.dim(0), 2), n = tg::cdiv(y.dim(1), 2), k = x.dim(1);
  auto z = tg::empty<float>(x.dim(0), y.dim(1));
  tg::pallas_call(
      {.grid = {2, 2}}, [](auto x, auto y, auto z) { z[tg::all] = tg::dot(x[tg::all], y[tg::all]); },
      tg::in(x, {m, k}, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in(y, {k, n}, [](auto, auto j) { return tg::index(0, j); }), tg::out(z, {m, n}, same));
  return z;
}
TEGULA_KERNEL tg::array<float, 3> batched_matmul(tg::array<const float, 3> xs, tg::array<const float, 2> y) {
  return tg::vmap(matmul, tg::over(xs, 0), y);
}
/// zs[b, :, c, :] = xs[b] ys[:, :, c].
TEGULA_KERNEL tg::array<float, 4> all_pairs(tg::array<const float, 3> xs, tg::array<const float, 3> ys) {
  return tg::vmap(
      [&](auto x) { return tg::vmap({.out_axis = 1}, [&](auto y) { return matmul(x, y); }, tg::over(ys, 2)); },
      tg::over(xs, 0));
}

/// Nothing returned: slices are changed in place, by captured arrays and numbers.
TEGULA_KERNEL void scale_columns(tg::array<float, 2> x, tg::array<const float, 1> factors, float by) {
  tg::vmap(
      [=](tg::array<float, 1> x, tg::array<const float, 0> factor) {
        tg::pallas_call([=](auto x) { x[tg::all] *= by * factor[]; }, tg::inout(x));
      },
      tg::over(x, 1), tg::over(factors, 0));
}

/// The same slices twice, and an array of the outer batch alone in the inner one.
TEGULA_KERNEL tg::array<int, 3> outer_products(tg::array<const int, 2> x) {
  return tg::vmap(
      [](auto row) {
        return tg::vmap(
            {.out_axis = 1},
            [&](auto element) {
              auto o = tg::empty_like(row);
              tg::pallas_call([=](auto row, auto o) { o[tg::all] = row[tg::all] * element[]; }, tg::in(row),
                              tg::out(o));
              return o;
            },
            tg::over(row, 0));
      },
      tg::over(x, 0));
}

namespace pairs {
struct Sums {
  tg::array<float, 0> sum, squares;
};
/// A function that returns a struct.
Sums moments(tg::array<const float, 1> x) {
  Sums s{tg::empty<float>(), tg::empty<float>()};
  tg::pallas_call(
      [](auto x, auto sum, auto squares) {
        sum[] = tg::sum(x[tg::all]);
        squares[] = tg::sum(tg::square(x[tg::all]));
      },
      tg::in(x), tg::out(s.sum), tg::out(s.squares));
  return s;
}
struct Moments {
  tg::array<float, 1> sums, squares;
  tg::s64 count;
};
/// Of each column.
TEGULA_KERNEL Moments of_columns(tg::array<const float, 2> x) {
  const auto [sums, squares] = tg::vmap(moments, tg::over(x, 1));
  return {sums, squares, x.dim(0)};
}
/// Of each row, by a struct that no other function knows.
TEGULA_KERNEL Moments of_rows(tg::array<const float, 2> x) {
  struct Both {
    tg::array<float, 0> sum, squares;
  };
  const auto both = [](auto x) {
    const auto [sum, squares] = moments(x);
    return Both{sum, squares};
  };
  const auto [sums, squares] = tg::vmap(both, tg::over(x, 0));
  return {sums, squares, x.dim(1)};
}
} // namespace pairs

/// An array that the caller may leave out, slice by slice, and the same for all slices.
tg::array<float, 1> shift_by(tg::array<const float, 1> x, tg::array<const float, 1> bias) {
  tg::check(!bias || bias.dim(0) == x.dim(0), "x and bias differ in length");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto bias, auto o) {
        if (bias)
          o[tg::all] = x[tg::all] + bias[tg::all];
        else
          o[tg::all] = -x[tg::all];
      },
      tg::in(x), tg::in(bias), tg::out(o));
  return o;
}
TEGULA_KERNEL tg::array<float, 2> shift_columns(tg::array<const float, 2> x, tg::array<const float, 2> biases = {}) {
  return tg::vmap({.out_axis = 1}, shift_by, tg::over(x, 1), tg::over(biases, 0));
}
TEGULA_KERNEL tg::array<float, 2> shift_rows(tg::array<const float, 2> x, tg::array<const float, 1> bias = {}) {
  return tg::vmap(shift_by, tg::over(x, 0), bias);
}
