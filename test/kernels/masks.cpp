// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masked loads and stores: what is outside, or masked, is neither read nor written.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };
constexpr auto by_row = [](auto i) { return tg::index(i, 0); };

/// The sum of each block of 64 with 1 in place of what lies beyond the end or is negative.
TEGULA_KERNEL tg::array<float, 1> padded_sums(tg::array<const float, 1> x) {
  auto o = tg::empty<float>(tg::cdiv(x.dim(0), 64));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 64)}},
      [](auto x, auto o) {
        const auto there = tg::load(x, true, 0);
        o[] = tg::sum(tg::load(x, there >= 0, 1.0f));
      },
      tg::in<64>(x, same), tg::out<tg::squeezed>(o, same));
  return o;
}

/// Each row's first `counts` elements, and `fill` elsewhere.
template <class T>
TEGULA_KERNEL tg::array<T, 2> first_ones(tg::array<const T, 2> x, tg::array<const int, 1> counts, T fill) {
  tg::check(x.dim(0) == counts.dim(0), "there is one count per row");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 4), tg::cdiv(x.dim(1), 32)}},
      [=](auto x, auto counts, auto o) {
        const auto column = tg::broadcasted_iota<int, 1, 4, 32>() + tg::astype<int>(tg::program_id(1) * 32);
        const auto limit = tg::load(counts, true, 0)[tg::all, tg::newaxis];
        o[tg::all] = tg::load(x, column < limit, fill);
      },
      tg::in<4, 32>(x, same), tg::in<4>(counts, [](auto i, auto) { return tg::index(i); }), tg::out<4, 32>(o, same));
  return o;
}
TEGULA_INSTANTIATE("first_ones_f32", first_ones<float>);
TEGULA_INSTANTIATE("first_ones_u8", first_ones<tg::u8>);
TEGULA_INSTANTIATE("first_ones_f16", first_ones<tg::f16>);

/// Stores where an element is above the limit alone; whole blocks and a number.
TEGULA_KERNEL void raise(tg::array<float, 2> o, tg::array<const float, 2> x, float limit, tg::array<int, 1> any) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && any.dim(0) == o.dim(0), "the arrays differ in shape");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto o, auto x, auto any) {
        const auto row = x[tg::all];
        tg::store(o, row * 2, row > limit);
        tg::store(any, 1, tg::any_of(row > limit));
      },
      tg::inout<tg::squeezed, tg::whole>(o, by_row), tg::in<tg::squeezed, tg::whole>(x, by_row),
      tg::inout<tg::squeezed>(any, same));
}

/// A product of blocks that are padded with zeros; the whole block is stored as far as there is room.
TEGULA_KERNEL tg::array<float, 2> padded_product(tg::array<const float, 2> a, tg::array<const float, 2> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto c = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 16), tg::cdiv(b.dim(1), 16)}},
      [](auto a, auto b, auto c) {
        auto sum = tg::zeros<float, 16, 16>();
        for (tg::s64 k = 0; k < a.dim(1); k += 8)
          sum += tg::dot(tg::load(a.at(tg::all, tg::ds<8>(k)), true, 0), tg::load(b.at(tg::ds<8>(k)), true, 0));
        c[tg::all] = sum;
      },
      tg::in<16, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 16>(b, [](auto, auto j) { return tg::index(0, j); }), tg::out<16, 16>(c, same));
  return c;
}

/// In place: what was loaded under a mask stays what it was, whatever is stored then. Odd elements become 0.
TEGULA_KERNEL void spread(tg::array<int, 1> x) {
  tg::pallas_call(
      [](auto x) {
        for (tg::s64 i = 0; i < x.dim(0); i += 32) {
          const auto is_odd = tg::iota<int, 32>() % 2 == 1;
          const auto place = x.at(tg::ds<32>(i));
          const auto before = tg::load(place, !is_odd, 0);
          tg::store(place, before + 100, !is_odd);
          tg::store(place, -before, is_odd);
        }
      },
      tg::inout(x));
}
