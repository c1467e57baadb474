// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;
using vector = tg::array<const float, 1>;

/// a b: blocks of 128 x 256, in steps of 64. Sizes need not be multiples of these.
TEGULA_KERNEL tg::array<tg::bf16, 2> gemm(matrix<tg::bf16> a, matrix<tg::bf16> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto o = tg::empty<tg::bf16>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 256)}},
      [](auto a, auto b, auto o) {
        auto sum = tg::zeros<float, 128, 256>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k)
          sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], b[tg::ds<64>(64 * k), tg::all]);
        o[tg::all] = tg::astype<tg::bf16>(sum);
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 256>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 256>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}

/// silu(x w + bias), and the greatest magnitude of each row of a block of 128 columns: `greatest` is M x (N / 128).
TEGULA_KERNEL void linear(matrix<tg::bf16> x, matrix<tg::bf16> w, vector bias, tg::array<tg::bf16, 2> o,
                          tg::array<float, 2> greatest) {
  tg::check(x.dim(1) == w.dim(0), "the inner dimensions of x and w differ");
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == w.dim(1) && bias.dim(0) == w.dim(1), "o or the bias does not fit");
  tg::check(greatest.dim(0) == o.dim(0) && greatest.dim(1) == tg::cdiv(o.dim(1), 128), "greatest does not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 128), tg::cdiv(w.dim(1), 128)}},
      [](auto x, auto w, auto bias, auto o, auto greatest) {
        const auto sum = tg::dot(x[tg::all], w[tg::all]) + bias[tg::newaxis, tg::all];
        const auto active = sum * tg::logistic(sum);
        o[tg::all] = tg::astype<tg::bf16>(active);
        greatest[tg::all] = tg::max<1>(tg::abs(active));
      },
      tg::in<128, tg::whole>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(w, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<128>(bias, [](auto, auto j) { return tg::index(j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }),
      tg::out<128, tg::squeezed>(greatest, [](auto i, auto j) { return tg::index(i, j); }));
}

/// silu(x w) (x v), of whole arrays: the two products become one loop.
TEGULA_KERNEL tg::array<tg::bf16, 2> gated(matrix<tg::bf16> x, matrix<tg::bf16> w, matrix<tg::bf16> v) {
  tg::check(x.dim(1) == w.dim(0) && x.dim(1) == v.dim(0) && w.dim(1) == v.dim(1), "x, w and v do not fit");
  auto o = tg::empty<tg::bf16>(x.dim(0), w.dim(1));
  tg::pallas_call(
      [](auto x, auto w, auto v, auto o) {
        const auto gate = tg::dot(x[tg::all], w[tg::all]);
        o[tg::all] = tg::astype<tg::bf16>(gate * tg::logistic(gate) * tg::dot(x[tg::all], v[tg::all]));
      },
      tg::in(x), tg::in(w), tg::in(v), tg::out(o));
  return o;
}

/// (s a) b, where a is quantized, row by row.
TEGULA_KERNEL tg::array<float, 2> dequantized(matrix<tg::s8> a, vector s, matrix<tg::bf16> b) {
  tg::check(a.dim(1) == b.dim(0) && s.dim(0) == a.dim(0), "a, s and b do not fit");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      [](auto a, auto s, auto b, auto o) {
        const auto left = tg::astype<float>(a[tg::all]) * s[tg::all, tg::newaxis];
        o[tg::all] = tg::dot(tg::astype<tg::bf16>(left), b[tg::all]);
      },
      tg::in(a), tg::in(s), tg::in(b), tg::out(o));
  return o;
}

/// a b^T of 8-bit floats, by a scale for each row of a and each row of b.
TEGULA_KERNEL tg::array<tg::bf16, 2> scaled(matrix<tg::e4m3> a, matrix<tg::e4m3> b, vector of_a, vector of_b) {
  tg::check(a.dim(1) == b.dim(1), "the inner dimensions of a and b differ");
  tg::check(of_a.dim(0) == a.dim(0) && of_b.dim(0) == b.dim(0), "a row has no scale");
  auto o = tg::empty<tg::bf16>(a.dim(0), b.dim(0));
  tg::pallas_call(
      [](auto a, auto b, auto of_a, auto of_b, auto o) {
        const auto sum = tg::dot(a[tg::all], tg::transpose(b[tg::all]));
        o[tg::all] = tg::astype<tg::bf16>(sum * of_a[tg::all, tg::newaxis] * of_b[tg::newaxis, tg::all]);
      },
      tg::in(a), tg::in(b), tg::in(of_a), tg::in(of_b), tg::out(o));
  return o;
}
