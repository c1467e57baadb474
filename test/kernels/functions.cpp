// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise functions.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using input = tg::array<const T, 1>;
template <class T> using output = tg::array<T, 1>;

template <int Function, class V> auto apply(const V &x) {
  if constexpr (Function == 0)
    return tg::exp(x);
  else if constexpr (Function == 1)
    return tg::exp2(x);
  else if constexpr (Function == 2)
    return tg::log(x);
  else if constexpr (Function == 3)
    return tg::log2(x);
  else if constexpr (Function == 4)
    return tg::sin(x);
  else if constexpr (Function == 5)
    return tg::cos(x);
  else if constexpr (Function == 6)
    return tg::tanh(x);
  else if constexpr (Function == 7)
    return tg::sqrt(x);
  else if constexpr (Function == 8)
    return tg::erf(x);
  else if constexpr (Function == 9)
    return tg::logistic(x);
  else
    return tg::rsqrt(x);
}

/// Row f of the result is function f of x.
template <class T> TEGULA_KERNEL tg::array<T, 2> transcendental(input<T> x) {
  auto o = tg::empty<T>(11, x.dim(0));
  tg::pallas_call([](auto x, auto o) { tg::static_for<11>([&](auto f) { o[f] = apply<f>(x[tg::all]); }); }, tg::in(x),
                  tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("transcendental_f16", transcendental<tg::f16>);
TEGULA_INSTANTIATE("transcendental_bf16", transcendental<tg::bf16>);
TEGULA_INSTANTIATE("transcendental_f32", transcendental<tg::f32>);
TEGULA_INSTANTIATE("transcendental_f64", transcendental<tg::f64>);

/// Row f of the result is function f of x by fast instructions, then x / y and x y + 1.
template <class T> TEGULA_KERNEL tg::array<T, 2> approximate(input<T> x, input<T> y) {
  tg::check(x.dim(0) == y.dim(0), "a y for each x");
  auto o = tg::empty<T>(13, x.dim(0));
  tg::pallas_call(
      {.approx_math = true},
      [](auto x, auto y, auto o) {
        tg::static_for<11>([&](auto f) { o[f] = apply<f>(x[tg::all]); });
        o[11] = x[tg::all] / y[tg::all];
        o[12] = x[tg::all] * y[tg::all] + 1;
      },
      tg::in(x), tg::in(y), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("approximate_f16", approximate<tg::f16>);
TEGULA_INSTANTIATE("approximate_bf16", approximate<tg::bf16>);
TEGULA_INSTANTIATE("approximate_f32", approximate<tg::f32>);
TEGULA_INSTANTIATE("approximate_f64", approximate<tg::f64>);

/// The same of scalars: one program per element.
TEGULA_KERNEL tg::array<float, 2> transcendental_scalars(input<float> x) {
  auto o = tg::empty<float>(11, x.dim(0));
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto i = tg::program_id(0);
        tg::static_for<11>([&](auto f) { o[f, i] = apply<f>(x[i]); });
      },
      tg::in(x), tg::out(o));
  return o;
}

template <class T> struct Exact {
  output<T> absolute, squared, greater, less, chosen;
};

/// What is exact in every type.
template <class T> TEGULA_KERNEL Exact<T> exact(input<T> x, input<T> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  Exact<T> o{tg::empty_like(x), tg::empty_like(x), tg::empty_like(x), tg::empty_like(x), tg::empty_like(x)};
  tg::pallas_call(
      [](auto x, auto y, auto absolute, auto squared, auto greater, auto less, auto chosen) {
        const auto a = x[tg::all], b = y[tg::all];
        absolute[tg::all] = tg::abs(a);
        squared[tg::all] = tg::square(a);
        greater[tg::all] = tg::maximum(a, b);
        less[tg::all] = tg::minimum(a, b);
        chosen[tg::all] = tg::where(a < b, a, 7);
      },
      tg::in(x), tg::in(y), tg::out(o.absolute), tg::out(o.squared), tg::out(o.greater), tg::out(o.less),
      tg::out(o.chosen));
  return o;
}
/// The least integer has no absolute value but itself, which keeps its sign on the way.
template <class T> TEGULA_KERNEL output<T> halved_magnitude(input<T> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::abs(x[tg::all]) >> 1; }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("halved_magnitude_s8", halved_magnitude<tg::s8>);
TEGULA_INSTANTIATE("halved_magnitude_s16", halved_magnitude<tg::s16>);
TEGULA_INSTANTIATE("halved_magnitude_s32", halved_magnitude<tg::s32>);
TEGULA_INSTANTIATE("halved_magnitude_s64", halved_magnitude<tg::s64>);

template <class T> struct Negated {
  output<T> greatest, least, magnitude, halved, chosen;
  tg::array<tg::s64, 1> wide;
};

/// Negations, which ptxas likes to take into what uses them.
template <class T> TEGULA_KERNEL Negated<T> negated(input<T> x, input<T> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  Negated<T> o{tg::empty_like(x), tg::empty_like(x), tg::empty_like(x),
               tg::empty_like(x), tg::empty_like(x), tg::empty<tg::s64>(x.dim(0))};
  tg::pallas_call(
      [](auto x, auto y, auto greatest, auto least, auto magnitude, auto halved, auto chosen, auto wide) {
        const auto a = x[tg::all], b = y[tg::all];
        greatest[tg::all] = tg::maximum(tg::maximum(a, -b), a & b);
        least[tg::all] = tg::minimum(tg::minimum(a, -b), a & b);
        magnitude[tg::all] = tg::maximum(tg::abs(a), b);
        halved[tg::all] = -a >> 1;
        chosen[tg::all] = tg::where(-a < b, a, b);
        wide[tg::all] = tg::astype<tg::s64>(-a);
      },
      tg::in(x), tg::in(y), tg::out(o.greatest), tg::out(o.least), tg::out(o.magnitude), tg::out(o.halved),
      tg::out(o.chosen), tg::out(o.wide));
  return o;
}
TEGULA_INSTANTIATE("negated_s8", negated<tg::s8>);
TEGULA_INSTANTIATE("negated_s16", negated<tg::s16>);
TEGULA_INSTANTIATE("negated_s32", negated<tg::s32>);
TEGULA_INSTANTIATE("negated_s64", negated<tg::s64>);

/// The same number everywhere: of a pair of sums, one is used.
TEGULA_KERNEL output<tg::s16> same_sum(input<tg::s16> x, tg::s64 n) {
  auto o = tg::empty<tg::s16>(n);
  tg::pallas_call(
      {.grid = {tg::cdiv(n, 512)}}, [](auto x, auto o) { o[tg::all] = tg::full<tg::s16, 512>(x[0]) + 5; }, tg::in(x),
      tg::out<512>(o, [](auto i) { return tg::index(i); }));
  return o;
}

TEGULA_INSTANTIATE("exact_s8", exact<tg::s8>);
TEGULA_INSTANTIATE("exact_s16", exact<tg::s16>);
TEGULA_INSTANTIATE("exact_s32", exact<tg::s32>);
TEGULA_INSTANTIATE("exact_s64", exact<tg::s64>);
TEGULA_INSTANTIATE("exact_u8", exact<tg::u8>);
TEGULA_INSTANTIATE("exact_u16", exact<tg::u16>);
TEGULA_INSTANTIATE("exact_u32", exact<tg::u32>);
TEGULA_INSTANTIATE("exact_u64", exact<tg::u64>);
TEGULA_INSTANTIATE("exact_f16", exact<tg::f16>);
TEGULA_INSTANTIATE("exact_bf16", exact<tg::bf16>);
TEGULA_INSTANTIATE("exact_f32", exact<tg::f32>);
TEGULA_INSTANTIATE("exact_f64", exact<tg::f64>);
