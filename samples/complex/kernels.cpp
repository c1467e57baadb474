// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex numbers: there is no such element, and a struct of two tiles computes as one. In memory the parts are
// neighbours, as in std::complex, of which a window with a step takes either.
#include <tegula/tegula.h>
namespace tg = tegula;

/// Tiles of real and imaginary parts, of one shape.
template <class Tile> struct complex {
  Tile re, im;
};
template <class A> constexpr auto operator+(const complex<A> &x, const complex<A> &y) {
  return complex{x.re + y.re, x.im + y.im};
}
template <class A> constexpr auto operator-(const complex<A> &x, const complex<A> &y) {
  return complex{x.re - y.re, x.im - y.im};
}
/// The tiles may broadcast: a factor for each row.
template <class A, class B> constexpr auto operator*(const complex<A> &x, const complex<B> &y) {
  return complex{x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

/// x y, element by element.
TEGULA_KERNEL tg::array<float, 1> multiply(tg::array<const float, 1> x, tg::array<const float, 1> y) {
  const auto n = x.dim(0) / 2;
  tg::check(x.dim(0) == 2 * n, "x is of pairs");
  tg::check(y.dim(0) == x.dim(0), "x and y differ in length");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [=](auto x, auto y, auto o) {
        const auto numbers = [=](auto ref) {
          const auto re = ref[tg::ds(0, n, 2)], im = ref[tg::ds(1, n, 2)];
          return complex{re, im};
        };
        const auto product = numbers(x) * numbers(y);
        o[tg::ds(0, n, 2)] = product.re;
        o[tg::ds(1, n, 2)] = product.im;
      },
      tg::in(x), tg::in(y), tg::out(o));
  return o;
}

// A program has so many butterflies of so many transforms.
constexpr int butterflies = 8, transforms = 64;

/// A stage of the fast Fourier transform in Stockham's order, which sorts as it goes: of transforms of `half` + `half`
/// numbers, which lie side by side in the last dimension, x[0, p] and x[1, p] become a sum, o[p, 0], and a difference,
/// o[p, 1], times exp(-pi i p / half): two numbers of two transforms of `half` numbers.
TEGULA_KERNEL tg::array<float, 3> fft_stage(tg::array<const float, 3> x) {
  tg::check(x.dim(0) == 2 && x.dim(2) % 2 == 0, "x is of two halves, and of pairs");
  auto o = tg::empty<float>(x.dim(1), 2, x.dim(2));
  const auto half = x.dim(1);
  tg::pallas_call(
      {.grid = {tg::cdiv(half, butterflies), tg::cdiv(x.dim(2), 2 * transforms)}},
      [=](auto x, auto o) {
        const auto numbers = [=](auto side) {
          const auto re = x[side, tg::all, tg::ds<transforms>(0, 2)], im = x[side, tg::all, tg::ds<transforms>(1, 2)];
          return complex{re, im};
        };
        const auto p = tg::iota<float, butterflies>() + tg::astype<float>(tg::program_id(0) * butterflies);
        const auto angle = p[tg::all, tg::newaxis] * (-3.14159265f / tg::astype<float>(half));
        const auto a = numbers(0), b = numbers(1);
        const auto sum = a + b, difference = (a - b) * complex{tg::cos(angle), tg::sin(angle)};
        o[tg::all, 0, tg::ds<transforms>(0, 2)] = sum.re;
        o[tg::all, 0, tg::ds<transforms>(1, 2)] = sum.im;
        o[tg::all, 1, tg::ds<transforms>(0, 2)] = difference.re;
        o[tg::all, 1, tg::ds<transforms>(1, 2)] = difference.im;
      },
      tg::in<2, butterflies, 2 * transforms>(x, [](auto i, auto j) { return tg::index(0, i, j); }),
      tg::out<butterflies, 2, 2 * transforms>(o, [](auto i, auto j) { return tg::index(i, 0, j); }));
  return o;
}
