// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole arrays of 2^26 elements.
#include <tegula/tegula.h>
namespace tg = tegula;

using numbers = tg::array<const tg::u32, 1>;

/// Each element takes the place of the one before it: two stages, with what neighbours need kept between.
TEGULA_KERNEL void shift(tg::array<tg::u32, 1> x) {
  tg::pallas_call(
      [](auto x) {
        const auto n = x.dim(0) - 1;
        x[tg::ds(0, n)] = x[tg::ds(1, n)];
      },
      tg::inout(x));
}

/// Sums up to an element: many thread groups, which look back.
TEGULA_KERNEL tg::array<tg::u32, 1> prefix_sums(numbers x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::cumsum<0>(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}

/// The sum, the greatest element and its place: two passes.
struct Totals {
  tg::array<tg::u32, 0> sum, greatest;
  tg::array<tg::s64, 0> place;
};
TEGULA_KERNEL Totals totals(numbers x) {
  Totals all{tg::empty<tg::u32>(), tg::empty<tg::u32>(), tg::empty<tg::s64>()};
  tg::pallas_call([](auto x, auto sum) { sum[] = tg::sum(x[tg::all]); }, tg::in(x), tg::out(all.sum));
  tg::pallas_call(
      [](auto x, auto greatest, auto place) {
        const auto found = tg::max_with_index(x[tg::all]);
        greatest[] = found.first;
        place[] = found.second;
      },
      tg::in(x), tg::out(all.greatest), tg::out(all.place));
  return all;
}

/// How often each value of the lowest byte is there.
TEGULA_KERNEL tg::array<int, 1> count_bytes(numbers x) {
  auto counts = tg::empty<int>(256);
  tg::pallas_call([](auto counts) { counts[tg::all] = 0; }, tg::out(counts));
  tg::pallas_call([](auto x, auto counts) { tg::atomic_add(counts.at(tg::astype<int>(x[tg::all] & 255)), 1); },
                  tg::in(x), tg::inout(counts));
  return counts;
}

TEGULA_KERNEL tg::array<tg::u32, 1> backwards(numbers x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::flip<0>(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}

TEGULA_KERNEL tg::array<tg::u32, 1> sorted(numbers x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::sort(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}
