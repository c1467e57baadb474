// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bits of integers, and of numbers as others.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> struct Bits {
  tg::array<T, 1> leading, trailing, ones, reversed, product, sum, difference;
};

template <class T> TEGULA_KERNEL Bits<T> bits(tg::array<const T, 1> x, tg::array<const T, 1> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  Bits<T> o{tg::empty_like(x), tg::empty_like(x), tg::empty_like(x), tg::empty_like(x),
            tg::empty_like(x), tg::empty_like(x), tg::empty_like(x)};
  tg::pallas_call(
      [](auto x, auto y, auto leading, auto trailing, auto ones, auto reversed, auto product, auto sum,
         auto difference) {
        const auto a = x[tg::all], b = y[tg::all];
        leading[tg::all] = tg::clz(a);
        trailing[tg::all] = tg::ctz(a);
        ones[tg::all] = tg::popcount(a);
        reversed[tg::all] = tg::bit_reverse(a);
        product[tg::all] = tg::mul_hi(a, b);
        sum[tg::all] = tg::add_sat(a, b);
        difference[tg::all] = tg::sub_sat(a, b);
      },
      tg::in(x), tg::in(y), tg::out(o.leading), tg::out(o.trailing), tg::out(o.ones), tg::out(o.reversed),
      tg::out(o.product), tg::out(o.sum), tg::out(o.difference));
  return o;
}
TEGULA_INSTANTIATE("bits_s8", bits<tg::s8>);
TEGULA_INSTANTIATE("bits_s16", bits<tg::s16>);
TEGULA_INSTANTIATE("bits_s32", bits<tg::s32>);
TEGULA_INSTANTIATE("bits_s64", bits<tg::s64>);
TEGULA_INSTANTIATE("bits_u8", bits<tg::u8>);
TEGULA_INSTANTIATE("bits_u16", bits<tg::u16>);
TEGULA_INSTANTIATE("bits_u32", bits<tg::u32>);
TEGULA_INSTANTIATE("bits_u64", bits<tg::u64>);

/// Of scalars: a program for each element.
TEGULA_KERNEL tg::array<tg::u32, 2> bits_of_scalars(tg::array<const tg::u32, 1> x) {
  auto o = tg::empty<tg::u32>(5, x.dim(0));
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto i = tg::program_id(0);
        o[0, i] = tg::clz(x[i]) + 100 * tg::popcount(x[i]);
        o[1, i] = tg::mul_hi(x[i], 0x9e3779b9U);
        o[2, i] = tg::sub_sat(7U, x[i]);
        o[3, i] = tg::bitcast<tg::u32>(tg::bitcast<float>(x[i]));
        o[4, i] = tg::bitcast<tg::u32>(1.5F);
      },
      tg::in(x), tg::out(o));
  return o;
}

/// The bits of numbers, changed as integers: the sign goes, and the lowest bit is set.
template <class T, class Word> TEGULA_KERNEL tg::array<T, 1> changed_bits(tg::array<const T, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto o) {
        const auto word = tg::bitcast<Word>(x[tg::all]);
        o[tg::all] = tg::bitcast<T>(word << 1 >> 1 | 1);
      },
      tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("changed_bits_e4m3", changed_bits<tg::e4m3, tg::u8>);
TEGULA_INSTANTIATE("changed_bits_s8", changed_bits<tg::s8, tg::u8>);
TEGULA_INSTANTIATE("changed_bits_f16", changed_bits<tg::f16, tg::u16>);
TEGULA_INSTANTIATE("changed_bits_bf16", changed_bits<tg::bf16, tg::u16>);
TEGULA_INSTANTIATE("changed_bits_f32", changed_bits<tg::f32, tg::u32>);
TEGULA_INSTANTIATE("changed_bits_f64", changed_bits<tg::f64, tg::u64>);

/// Rounded as bits decide.
template <class T>
TEGULA_KERNEL tg::array<T, 1> rounded_by(tg::array<const float, 1> x, tg::array<const tg::u32, 1> bits) {
  tg::check(x.dim(0) == bits.dim(0), "bits for each x");
  auto o = tg::empty<T>(x.dim(0));
  tg::pallas_call([](auto x, auto bits, auto o) { o[tg::all] = tg::astype<T>(x[tg::all], bits[tg::all]); }, tg::in(x),
                  tg::in(bits), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("rounded_by_f16", rounded_by<tg::f16>);
TEGULA_INSTANTIATE("rounded_by_bf16", rounded_by<tg::bf16>);
TEGULA_INSTANTIATE("rounded_by_e4m3", rounded_by<tg::e4m3>);
TEGULA_INSTANTIATE("rounded_by_e5m2", rounded_by<tg::e5m2>);
