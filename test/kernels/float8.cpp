// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of 8-bit floats: they are moved, chosen and converted.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;

template <class T> TEGULA_KERNEL tg::array<T, 2> turned(matrix<T> x) {
  auto o = tg::empty<T>(x.dim(1), x.dim(0));
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::transpose(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("turned_e4m3", turned<tg::e4m3>);
TEGULA_INSTANTIATE("turned_e5m2", turned<tg::e5m2>);

/// Windows of a row and what is beside them: zero beyond the ends. Of two arrays, elements in turn; every third one is
/// stored.
template <class T> TEGULA_KERNEL void chosen(matrix<T> x, matrix<T> y, tg::array<T, 2> o, tg::s64 shift) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(1) == y.dim(1), "x and y differ");
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "o does not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 8), tg::cdiv(o.dim(1), 64)}},
      [=](auto x, auto y, auto o) {
        const auto columns = tg::iota<tg::s64, 64>() + tg::program_id(1) * 64 + shift;
        const auto first = tg::ds<64>(tg::program_id(1) * 64 + shift);
        const auto left = tg::load(x.at(tg::all, first), (columns >= 0)[tg::newaxis, tg::all]);
        const auto right = tg::load(y.at(tg::all, first), (columns >= 0)[tg::newaxis, tg::all]);
        const auto is_left = (columns % 2 == 0)[tg::newaxis, tg::all];
        tg::store(o, tg::where(is_left, left, right), (columns % 3 != 0)[tg::newaxis, tg::all]);
      },
      tg::in<8, tg::whole>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<8, tg::whole>(y, [](auto i, auto) { return tg::index(i, 0); }),
      tg::inout<8, 64>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
TEGULA_INSTANTIATE("chosen_e4m3", chosen<tg::e4m3>);
TEGULA_INSTANTIATE("chosen_e5m2", chosen<tg::e5m2>);

/// Rows, each divided by its greatest magnitude and scaled to the greatest number, and the scales.
TEGULA_KERNEL void quantized(matrix<float> x, tg::array<tg::e4m3, 2> o, tg::array<float, 1> scales) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && scales.dim(0) == x.dim(0), "o or the scales do not fit");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o, auto scales) {
        const auto scale = tg::maximum(tg::max(tg::abs(x[tg::all])), 1e-20f) / 448.0f;
        scales[] = scale;
        o[tg::all] = tg::astype<tg::e4m3>(x[tg::all] / scale);
      },
      tg::in<tg::squeezed, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),
      tg::out<tg::squeezed, tg::whole>(o, [](auto i) { return tg::index(i, 0); }),
      tg::out<tg::squeezed>(scales, [](auto i) { return tg::index(i); }));
}

/// The explicit level: through shared memory, in a loop, what is not changed and what is.
TEGULA_KERNEL void shared_e5m2(matrix<tg::e5m2> x, tg::array<tg::e5m2, 2> o, tg::array<tg::f16, 2> p) {
  tg::kernel([=] {
    tg::smem<tg::e5m2, 64, 64> a;
    const auto all = tg::ds<64>(0);
    a[tg::all] = x[all, all];
    auto tile = a[tg::all];
    for (tg::s64 k = 0; k < x.dim(0) / 64; ++k)
      tile = x[tg::ds<64>(64 * k), all];
    o[all, all] = tile;
    p[all, all] = tg::astype<tg::f16>(a[tg::all]);
  });
}

/// With a number around each row, which is rounded, and a row of another one behind; zeros, and counts, rounded.
template <class T>
TEGULA_KERNEL void padded(matrix<T> x, tg::array<T, 2> o, tg::array<T, 2> zeros, tg::array<T, 1> counts) {
  tg::check(o.dim(0) == x.dim(0) + 1 && o.dim(1) == x.dim(1) + 3, "o has a row and three columns more");
  tg::pallas_call(
      [](auto x, auto o, auto zeros, auto counts) {
        o[tg::all] = tg::pad<0, 0, 1>(tg::pad<1, 1, 2>(x[tg::all], 0.3), -1);
        zeros[tg::all] = tg::zeros_like(zeros[tg::all]);
        counts[tg::all] = tg::iota<T>(counts.dim(0));
      },
      tg::in(x), tg::out(o), tg::inout(zeros), tg::out(counts));
}
TEGULA_INSTANTIATE("padded_e4m3", padded<tg::e4m3>);
TEGULA_INSTANTIATE("padded_e5m2", padded<tg::e5m2>);

/// A tile of one element in place of a scalar: beyond a mask, and of a choice.
TEGULA_KERNEL void replaced(matrix<tg::e4m3> x, tg::array<tg::e4m3, 2> o, tg::s64 n) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto third = tg::astype<tg::e4m3>(tg::full<float, 1>(0.3f));
        const auto t = tg::load(x, tg::iota<tg::s64>(x.dim(1)) < n, third);
        o[tg::all] = tg::where(tg::astype<float>(t) < 0, tg::astype<tg::e4m3>(tg::full<int, 1>(0)), t);
      },
      tg::in(x), tg::out(o));
}

/// Rows of static extents: zeros, one number everywhere, of a tile of one element, and labels as rows with a one.
TEGULA_KERNEL void made(tg::array<const int, 1> labels, tg::array<tg::e4m3, 2> zeros, tg::array<tg::e4m3, 2> numbers,
                        tg::array<tg::e4m3, 2> ones) {
  tg::check(ones.dim(0) == labels.dim(0), "a row for each label");
  const auto rows = [](auto i) { return tg::index(i, 0); };
  tg::pallas_call(
      {.grid = {tg::cdiv(labels.dim(0), 16)}},
      [](auto labels, auto zeros, auto numbers, auto ones) {
        zeros[tg::all] = tg::zeros<tg::e4m3, 16, 10>();
        numbers[tg::all] = tg::astype<tg::e4m3>(tg::full<float, 1>(0.3f));
        ones[tg::all] = tg::one_hot<tg::e4m3, 10>(labels[tg::all]);
      },
      tg::in<16>(labels, [](auto i) { return tg::index(i); }), tg::out<16, 10>(zeros, rows),
      tg::out<16, 10>(numbers, rows), tg::out<16, 10>(ones, rows));
}
