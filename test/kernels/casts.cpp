// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every element type converted to every other.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using input = tg::array<const T, 1>;
template <class T> using output = tg::array<T, 1>;

template <class From, class To> void convert(input<From> x, output<To> o) {
  tg::check(x.dim(0) == o.dim(0), "the arrays differ in length");
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::astype<To>(x[tg::all]); }, tg::in(x), tg::out(o));
}

template <class From>
TEGULA_KERNEL void cast(input<From> x, output<bool> as_bool, output<tg::s8> as_s8, output<tg::s16> as_s16,
                        output<tg::s32> as_s32, output<tg::s64> as_s64, output<tg::u8> as_u8, output<tg::u16> as_u16,
                        output<tg::u32> as_u32, output<tg::u64> as_u64, output<tg::f16> as_f16,
                        output<tg::bf16> as_bf16, output<tg::f32> as_f32, output<tg::f64> as_f64,
                        output<tg::e4m3> as_e4m3, output<tg::e5m2> as_e5m2, output<tg::e8m0> as_e8m0,
                        output<tg::s4> as_s4, output<tg::u4> as_u4, output<tg::e2m1> as_e2m1) {
  convert(x, as_bool);
  convert(x, as_s8);
  convert(x, as_s16);
  convert(x, as_s32);
  convert(x, as_s64);
  convert(x, as_u8);
  convert(x, as_u16);
  convert(x, as_u32);
  convert(x, as_u64);
  convert(x, as_f16);
  convert(x, as_bf16);
  convert(x, as_f32);
  convert(x, as_f64);
  convert(x, as_e4m3);
  convert(x, as_e5m2);
  convert(x, as_e8m0);
  convert(x, as_s4);
  convert(x, as_u4);
  convert(x, as_e2m1);
}
TEGULA_INSTANTIATE("cast_bool", cast<bool>);
TEGULA_INSTANTIATE("cast_s8", cast<tg::s8>);
TEGULA_INSTANTIATE("cast_s16", cast<tg::s16>);
TEGULA_INSTANTIATE("cast_s32", cast<tg::s32>);
TEGULA_INSTANTIATE("cast_s64", cast<tg::s64>);
TEGULA_INSTANTIATE("cast_u8", cast<tg::u8>);
TEGULA_INSTANTIATE("cast_u16", cast<tg::u16>);
TEGULA_INSTANTIATE("cast_u32", cast<tg::u32>);
TEGULA_INSTANTIATE("cast_u64", cast<tg::u64>);
TEGULA_INSTANTIATE("cast_f16", cast<tg::f16>);
TEGULA_INSTANTIATE("cast_bf16", cast<tg::bf16>);
TEGULA_INSTANTIATE("cast_f32", cast<tg::f32>);
TEGULA_INSTANTIATE("cast_f64", cast<tg::f64>);
TEGULA_INSTANTIATE("cast_e4m3", cast<tg::e4m3>);
TEGULA_INSTANTIATE("cast_e5m2", cast<tg::e5m2>);
TEGULA_INSTANTIATE("cast_e8m0", cast<tg::e8m0>);
TEGULA_INSTANTIATE("cast_s4", cast<tg::s4>);
TEGULA_INSTANTIATE("cast_u4", cast<tg::u4>);
TEGULA_INSTANTIATE("cast_e2m1", cast<tg::e2m1>);
