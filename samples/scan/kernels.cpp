// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefix sums of arrays of any length, and linear recurrences along time. A row that one thread group holds stays in
// registers; where few rows are long, thread groups share them, in one pass over memory. Results are the same bits in
// every call.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };

/// The sum of each element and all before it.
template <class T> TEGULA_KERNEL tg::array<T, 1> prefix_sums(tg::array<const T, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::cumsum<0>(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("prefix_sums", prefix_sums<float>);
TEGULA_INSTANTIATE("prefix_sums", prefix_sums<int>);
TEGULA_INSTANTIATE("prefix_sums", prefix_sums<tg::bf16>);

/// y[c, t] = a[c, t] y[c, t - 1] + x[c, t], a program a channel: the state of a linear recurrent layer.
template <class T> TEGULA_KERNEL tg::array<T, 2> recurrence(tg::array<const T, 2> a, tg::array<const T, 2> x) {
  tg::check(a.dim(0) == x.dim(0) && a.dim(1) == x.dim(1), "a and x differ in shape");
  auto y = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto a, auto x, auto y) {
        const tg::tuple steps(tg::astype<float>(a[tg::all]), tg::astype<float>(x[tg::all]));
        const auto states =
            tg::associative_scan<0>(steps, tg::tuple(1.0f, 0.0f), [](const auto &before, const auto &step) {
              return tg::tuple<float, float>(before.first * step.first, before.second * step.first + step.second);
            });
        y[tg::all] = tg::astype<T>(states.second);
      },
      tg::in<tg::squeezed, tg::whole>(a, row_of), tg::in<tg::squeezed, tg::whole>(x, row_of),
      tg::out<tg::squeezed, tg::whole>(y, row_of));
  return y;
}
TEGULA_INSTANTIATE("recurrence", recurrence<float>);
TEGULA_INSTANTIATE("recurrence", recurrence<tg::bf16>);
