// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats to integers, signs, Python's division, what NaN does: all of it exact.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using input = tg::array<const T, 1>;

/// Row f of the result is function f of x: to integers, the sign, the neighbours, and which are NaN, infinite, finite.
template <int Function, class V> constexpr auto rounded(const V &x) {
  if constexpr (Function == 0)
    return tg::floor(x);
  else if constexpr (Function == 1)
    return tg::ceil(x);
  else if constexpr (Function == 2)
    return tg::trunc(x);
  else if constexpr (Function == 3)
    return tg::round(x);
  else if constexpr (Function == 4)
    return tg::rint(x);
  else if constexpr (Function == 5)
    return tg::sign(x);
  else if constexpr (Function == 6)
    return tg::clamp(x, -1, 2.5);
  else if constexpr (Function == 7)
    return tg::nextafter(x, tg::inf);
  else if constexpr (Function == 8)
    return tg::where(tg::isnan(x), 1.F, 0.F);
  else if constexpr (Function == 9)
    return tg::where(tg::isinf(x), 1.F, 0.F);
  else
    return tg::where(tg::isfinite(x), 1.F, 0.F);
}
constexpr int functions = 11;

template <class T> TEGULA_KERNEL tg::array<T, 2> rounding(input<T> x) {
  auto o = tg::empty<T>(functions, x.dim(0));
  tg::pallas_call(
      [](auto x, auto o) { tg::static_for<functions>([&](auto f) { o[f] = tg::astype<T>(rounded<f>(x[tg::all])); }); },
      tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("rounding_f16", rounding<tg::f16>);
TEGULA_INSTANTIATE("rounding_bf16", rounding<tg::bf16>);
TEGULA_INSTANTIATE("rounding_f32", rounding<tg::f32>);
TEGULA_INSTANTIATE("rounding_f64", rounding<tg::f64>);

/// The same of scalars: one program per element.
template <class T> TEGULA_KERNEL tg::array<T, 2> rounding_scalars(input<T> x) {
  auto o = tg::empty<T>(functions, x.dim(0));
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto i = tg::program_id(0);
        tg::static_for<functions>([&](auto f) { o[f, i] = tg::astype<T>(rounded<f>(x[i])); });
      },
      tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("rounding_scalars_bf16", rounding_scalars<tg::bf16>);
TEGULA_INSTANTIATE("rounding_scalars_f32", rounding_scalars<tg::f32>);

template <class T> struct Divided {
  tg::array<T, 1> quotient, modulo;
};

/// Python's // and %.
template <class T> TEGULA_KERNEL Divided<T> floor_division(input<T> x, input<T> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  Divided<T> o{tg::empty_like(x), tg::empty_like(x)};
  tg::pallas_call(
      [](auto x, auto y, auto quotient, auto modulo) {
        quotient[tg::all] = tg::floor_divide(x[tg::all], y[tg::all]);
        modulo[tg::all] = tg::floor_mod(x[tg::all], y[tg::all]);
      },
      tg::in(x), tg::in(y), tg::out(o.quotient), tg::out(o.modulo));
  return o;
}
TEGULA_INSTANTIATE("floor_division_s8", floor_division<tg::s8>);
TEGULA_INSTANTIATE("floor_division_s16", floor_division<tg::s16>);
TEGULA_INSTANTIATE("floor_division_s32", floor_division<tg::s32>);
TEGULA_INSTANTIATE("floor_division_s64", floor_division<tg::s64>);
TEGULA_INSTANTIATE("floor_division_u8", floor_division<tg::u8>);
TEGULA_INSTANTIATE("floor_division_u32", floor_division<tg::u32>);
TEGULA_INSTANTIATE("floor_division_f16", floor_division<tg::f16>);
TEGULA_INSTANTIATE("floor_division_bf16", floor_division<tg::bf16>);
TEGULA_INSTANTIATE("floor_division_f32", floor_division<tg::f32>);
TEGULA_INSTANTIATE("floor_division_f64", floor_division<tg::f64>);

template <class T> struct OfTwo {
  tg::array<T, 1> rest, signs, greater, less, next, fused;
};

template <class T> TEGULA_KERNEL OfTwo<T> of_two(input<T> x, input<T> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  OfTwo<T> o{tg::empty_like(x), tg::empty_like(x), tg::empty_like(x),
             tg::empty_like(x), tg::empty_like(x), tg::empty_like(x)};
  tg::pallas_call(
      [](auto x, auto y, auto rest, auto signs, auto greater, auto less, auto next, auto fused) {
        const auto a = x[tg::all], b = y[tg::all];
        rest[tg::all] = tg::fmod(a, b);
        signs[tg::all] = tg::copysign(a, b);
        greater[tg::all] = tg::fmax(a, b);
        less[tg::all] = tg::fmin(a, b);
        next[tg::all] = tg::nextafter(a, b);
        fused[tg::all] = tg::fma(a, b, -b);
      },
      tg::in(x), tg::in(y), tg::out(o.rest), tg::out(o.signs), tg::out(o.greater), tg::out(o.less), tg::out(o.next),
      tg::out(o.fused));
  return o;
}
TEGULA_INSTANTIATE("of_two_f16", of_two<tg::f16>);
TEGULA_INSTANTIATE("of_two_bf16", of_two<tg::bf16>);
TEGULA_INSTANTIATE("of_two_f32", of_two<tg::f32>);
TEGULA_INSTANTIATE("of_two_f64", of_two<tg::f64>);

/// Signs of integers, and what lies between limits.
template <class T> struct Limited {
  tg::array<T, 1> signs, clamped;
};
template <class T> TEGULA_KERNEL Limited<T> limited(input<T> x) {
  Limited<T> o{tg::empty_like(x), tg::empty_like(x)};
  tg::pallas_call(
      [](auto x, auto signs, auto clamped) {
        signs[tg::all] = tg::sign(x[tg::all]);
        clamped[tg::all] = tg::clamp(x[tg::all], 3, 100);
      },
      tg::in(x), tg::out(o.signs), tg::out(o.clamped));
  return o;
}
TEGULA_INSTANTIATE("limited_s8", limited<tg::s8>);
TEGULA_INSTANTIATE("limited_u8", limited<tg::u8>);
TEGULA_INSTANTIATE("limited_s64", limited<tg::s64>);
TEGULA_INSTANTIATE("limited_u64", limited<tg::u64>);
