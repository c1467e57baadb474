// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

namespace benchmark_kernels {

template <class T> TEGULA_KERNEL tg::array<T, 1> add(tg::array<const T, 1> x, tg::array<const T, 1> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = x[tg::all] + y[tg::all]; }, tg::in(x), tg::in(y),
                  tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("add_f32", add<float>);
TEGULA_INSTANTIATE("add_bf16", add<tg::bf16>);

/// Of rows, which are one row where there are no gaps between them.
TEGULA_KERNEL tg::array<tg::bf16, 2> add_rows(tg::array<const tg::bf16, 2> x, tg::array<const tg::bf16, 2> y) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(1) == y.dim(1), "x and y differ in shape");
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = x[tg::all] + y[tg::all]; }, tg::in(x), tg::in(y),
                  tg::out(o));
  return o;
}

/// A row vector and a scale to every row, in blocks that extend past the edge: mixed types, a broadcast, a function.
TEGULA_KERNEL tg::array<tg::bf16, 2> scaled_tanh(tg::array<const tg::bf16, 2> x, tg::array<const float, 1> bias,
                                                 float scale) {
  tg::check(x.dim(1) == bias.dim(0), "bias has an entry per column of x");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 4), tg::cdiv(x.dim(1), 1024)}},
      [=](auto x, auto bias, auto o) {
        o[tg::all] = tg::astype<tg::bf16>(tg::tanh(tg::astype<float>(x[tg::all]) * scale + bias[tg::all]));
      },
      tg::in<4, 1024>(x, [](auto i, auto j) { return tg::index(i, j); }),
      tg::in<1024>(bias, [](auto, auto j) { return tg::index(j); }),
      tg::out<4, 1024>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}

/// x / (1 + exp(-x)): of large magnitudes, denominators are, too.
TEGULA_KERNEL tg::array<float, 1> silu(tg::array<const float, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto o) {
        const auto t = x[tg::all];
        o[tg::all] = t / (1.0F + tg::exp(-t));
      },
      tg::in(x), tg::out(o));
  return o;
}

/// Complex products: numbers of two neighbours, which a step takes apart.
TEGULA_KERNEL tg::array<float, 1> multiply_pairs(tg::array<const float, 1> x, tg::array<const float, 1> y) {
  const auto n = x.dim(0) / 2;
  tg::check(x.dim(0) == 2 * n && y.dim(0) == x.dim(0), "x and y are of as many pairs");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [=](auto x, auto y, auto o) {
        const auto a = x[tg::ds(0, n, 2)], b = x[tg::ds(1, n, 2)], c = y[tg::ds(0, n, 2)], d = y[tg::ds(1, n, 2)];
        o[tg::ds(0, n, 2)] = a * c - b * d;
        o[tg::ds(1, n, 2)] = a * d + b * c;
      },
      tg::in(x), tg::in(y), tg::out(o));
  return o;
}

/// The same of arrays of two columns.
TEGULA_KERNEL tg::array<float, 2> multiply_columns(tg::array<const float, 2> x, tg::array<const float, 2> y) {
  tg::check(x.dim(1) == 2 && y.dim(1) == 2 && y.dim(0) == x.dim(0), "x and y are of as many pairs");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        const auto a = x[tg::all, 0], b = x[tg::all, 1], c = y[tg::all, 0], d = y[tg::all, 1];
        o[tg::all, 0] = a * c - b * d;
        o[tg::all, 1] = a * d + b * c;
      },
      tg::in(x), tg::in(y), tg::out(o));
  return o;
}

/// Every second element, which reads all lines of memory.
TEGULA_KERNEL tg::array<float, 1> real_parts(tg::array<const float, 1> x) {
  auto o = tg::empty<float>(x.dim(0) / 2);
  tg::check(x.dim(0) == 2 * o.dim(0), "x is of pairs");
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::ds(0, o.dim(0), 2)]; }, tg::in(x), tg::out(o));
  return o;
}

} // namespace benchmark_kernels
