// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays with any strides, and smaller refs made in the kernel.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };

/// o = 2 x - y: whole arrays.
template <class T> TEGULA_KERNEL void combine(tg::array<const T, 2> x, tg::array<const T, 2> y, tg::array<T, 2> o) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(1) == y.dim(1) && x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1),
            "the shapes differ");
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = 2 * x[tg::all] - y[tg::all]; }, tg::in(x), tg::in(y),
                  tg::out(o));
}
TEGULA_INSTANTIATE("combine_u8", combine<tg::u8>);
TEGULA_INSTANTIATE("combine_bf16", combine<tg::bf16>);
TEGULA_INSTANTIATE("combine_f32", combine<tg::f32>);
TEGULA_INSTANTIATE("combine_f64", combine<tg::f64>);

/// The same in static blocks.
TEGULA_KERNEL void combine_blocks(tg::array<const float, 2> x, tg::array<const float, 2> y, tg::array<float, 2> o) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(1) == y.dim(1) && x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1),
            "the shapes differ");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 16), tg::cdiv(x.dim(1), 64)}},
      [](auto x, auto y, auto o) { o[tg::all] = 2 * x[tg::all] - y[tg::all]; }, tg::in<16, 64>(x, same),
      tg::in<16, 64>(y, same), tg::out<16, 64>(o, same));
}

/// Smaller refs of the refs: rows 1 to 4 of x, without their first `skip` columns, go to the same place of o; o's other
/// elements stay.
TEGULA_KERNEL void copy_window(tg::array<const int, 2> x, tg::array<int, 2> o, tg::s64 skip) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "the shapes differ");
  tg::check(x.dim(0) >= 5 && skip >= 0 && skip <= x.dim(1), "the window is not inside");
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto rows = x.at(tg::ds<4>(1));
        const auto to = o.at(tg::ds<4>(1), tg::ds(skip, x.dim(1) - skip));
        tg::store(to, tg::load(rows.at(tg::all, tg::ds(skip, x.dim(1) - skip))));
      },
      tg::in(x), tg::inout(o));
}

/// Integers in at() drop dimensions.
TEGULA_KERNEL tg::array<int, 1> pick(tg::array<const int, 3> x, tg::s64 i, tg::s64 k) {
  tg::check(i >= 0 && i < x.dim(0) && k >= 0 && k < x.dim(2), "the index is not inside");
  auto o = tg::empty<int>(x.dim(1));
  tg::pallas_call([=](auto x, auto o) { o[tg::all] = x.at(i).at(tg::all, k)[tg::all]; }, tg::in(x), tg::out(o));
  return o;
}
