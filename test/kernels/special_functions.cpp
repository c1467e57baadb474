// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are libdevice's, and activations, which are made of others.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using input = tg::array<const T, 1>;

constexpr int functions = 16;
template <int Function, class V> constexpr auto apply(const V &x) {
  if constexpr (Function == 0)
    return tg::expm1(x);
  else if constexpr (Function == 1)
    return tg::log1p(x);
  else if constexpr (Function == 2)
    return tg::tan(x);
  else if constexpr (Function == 3)
    return tg::asin(x);
  else if constexpr (Function == 4)
    return tg::acos(x);
  else if constexpr (Function == 5)
    return tg::atan(x);
  else if constexpr (Function == 6)
    return tg::sinh(x);
  else if constexpr (Function == 7)
    return tg::cosh(x);
  else if constexpr (Function == 8)
    return tg::cbrt(x);
  else if constexpr (Function == 9)
    return tg::erfc(x);
  else if constexpr (Function == 10)
    return tg::erfinv(x);
  else if constexpr (Function == 11)
    return tg::silu(x);
  else if constexpr (Function == 12)
    return tg::softplus(x);
  else if constexpr (Function == 13)
    return tg::gelu(x);
  else if constexpr (Function == 14)
    return tg::gelu_tanh(x);
  else
    return tg::sigmoid(x);
}

/// Row f of the result is function f of x.
template <class T> TEGULA_KERNEL tg::array<T, 2> special(input<T> x) {
  auto o = tg::empty<T>(functions, x.dim(0));
  tg::pallas_call([](auto x, auto o) { tg::static_for<functions>([&](auto f) { o[f] = apply<f>(x[tg::all]); }); },
                  tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("special_f16", special<tg::f16>);
TEGULA_INSTANTIATE("special_bf16", special<tg::bf16>);
TEGULA_INSTANTIATE("special_f32", special<tg::f32>);
TEGULA_INSTANTIATE("special_f64", special<tg::f64>);

/// The same of scalars: one program per element.
template <class T> TEGULA_KERNEL tg::array<T, 2> special_scalars(input<T> x) {
  auto o = tg::empty<T>(functions, x.dim(0));
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto i = tg::program_id(0);
        tg::static_for<functions>([&](auto f) { o[f, i] = apply<f>(x[i]); });
      },
      tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("special_scalars_f16", special_scalars<tg::f16>);
TEGULA_INSTANTIATE("special_scalars_f32", special_scalars<tg::f32>);

template <class T> struct OfTwo {
  tg::array<T, 1> power, angle, length;
};
template <class T> TEGULA_KERNEL OfTwo<T> special_of_two(input<T> x, input<T> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  OfTwo<T> o{tg::empty_like(x), tg::empty_like(x), tg::empty_like(x)};
  tg::pallas_call(
      [](auto x, auto y, auto power, auto angle, auto length) {
        power[tg::all] = tg::pow(x[tg::all], y[tg::all]);
        angle[tg::all] = tg::atan2(x[tg::all], y[tg::all]);
        length[tg::all] = tg::hypot(x[tg::all], y[tg::all]);
      },
      tg::in(x), tg::in(y), tg::out(o.power), tg::out(o.angle), tg::out(o.length));
  return o;
}
TEGULA_INSTANTIATE("special_of_two_f16", special_of_two<tg::f16>);
TEGULA_INSTANTIATE("special_of_two_bf16", special_of_two<tg::bf16>);
TEGULA_INSTANTIATE("special_of_two_f32", special_of_two<tg::f32>);
TEGULA_INSTANTIATE("special_of_two_f64", special_of_two<tg::f64>);

/// Constants adapt, and scalars combine as in C++.
TEGULA_KERNEL tg::array<float, 2> with_constants(input<float> x) {
  auto o = tg::empty<float>(4, x.dim(0));
  tg::pallas_call(
      [](auto x, auto o) {
        const auto t = x[tg::all];
        o[0] = tg::pow(t, 3);
        o[1] = tg::pow(2, t);
        o[2] = tg::fma(t, 2, -0.5);
        o[3] = tg::hypot(t, tg::pow(2.0F, 2));
      },
      tg::in(x), tg::out(o));
  return o;
}

/// By fast instructions: tan, cosh, silu, softplus, x to the y, and -x to the 3.
template <class T> TEGULA_KERNEL tg::array<T, 2> approximate_special(input<T> x, input<T> y) {
  tg::check(x.dim(0) == y.dim(0), "a y for each x");
  auto o = tg::empty<T>(6, x.dim(0));
  tg::pallas_call(
      {.approx_math = true},
      [](auto x, auto y, auto o) {
        const auto t = x[tg::all];
        o[0] = tg::tan(t);
        o[1] = tg::cosh(t);
        o[2] = tg::silu(t);
        o[3] = tg::softplus(t);
        o[4] = tg::pow(t, y[tg::all]);
        o[5] = tg::pow(-t, 3);
      },
      tg::in(x), tg::in(y), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("approximate_special_f16", approximate_special<tg::f16>);
TEGULA_INSTANTIATE("approximate_special_f32", approximate_special<tg::f32>);
