// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates of few elements by many, which CTAs combine in shared memory; and those that they do not.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto i) { return tg::index(i); };

/// How often each number is in x, in whole arrays.
template <class T, class I> TEGULA_KERNEL void count(tg::array<T, 1> bins, tg::array<const I, 1> x) {
  tg::pallas_call([](auto bins, auto x) { tg::atomic_add(bins.at(tg::astype<tg::s64>(x[tg::all])), 1); },
                  tg::inout(bins), tg::in(x));
}
TEGULA_INSTANTIATE("count_u8_s32", count<int, tg::u8>);
TEGULA_INSTANTIATE("count_s32_u32", count<tg::u32, int>);
TEGULA_INSTANTIATE("count_s64_u64", count<tg::u64, tg::s64>);
TEGULA_INSTANTIATE("count_s32_s64", count<tg::s64, int>);
TEGULA_INSTANTIATE("count_s32_f32", count<float, int>);
TEGULA_INSTANTIATE("count_s32_f64", count<double, int>);

/// By the programs of a grid, whose blocks are small: thread groups of a CTA share its copies.
TEGULA_KERNEL void count_blocks(tg::array<int, 1> bins, tg::array<const int, 1> x) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 64)}}, [](auto bins, auto x) { tg::atomic_add(bins.at(x[tg::all]), 1); },
      tg::inout(bins), tg::in<64>(x, same));
}

/// The sum of what falls to each place; what falls to none is masked.
template <class T>
TEGULA_KERNEL void weigh(tg::array<T, 1> sums, tg::array<const int, 1> places, tg::array<const T, 1> weights) {
  tg::check(places.dim(0) == weights.dim(0), "the arrays differ in length");
  tg::pallas_call(
      [](auto sums, auto places, auto weights) {
        const auto place = places[tg::all];
        tg::atomic_add(sums.at(place), weights[tg::all], place >= 0 && place < tg::astype<int>(sums.dim(0)));
      },
      tg::inout(sums), tg::in(places), tg::in(weights));
}
TEGULA_INSTANTIATE("weigh_s32", weigh<int>);
TEGULA_INSTANTIATE("weigh_u64", weigh<tg::u64>);
TEGULA_INSTANTIATE("weigh_f32", weigh<float>);

/// Two arrays in one program, updated in two ways.
template <class T>
TEGULA_KERNEL void find_range(tg::array<T, 1> least, tg::array<T, 1> most, tg::array<const int, 1> places,
                              tg::array<const T, 1> x) {
  tg::check(places.dim(0) == x.dim(0), "the arrays differ in length");
  tg::pallas_call(
      [](auto least, auto most, auto places, auto x) {
        tg::atomic_min(least.at(places[tg::all]), x[tg::all]);
        tg::atomic_max(most.at(places[tg::all]), x[tg::all]);
      },
      tg::inout(least), tg::inout(most), tg::in(places), tg::in(x));
}
TEGULA_INSTANTIATE("find_range_s32", find_range<int>);
TEGULA_INSTANTIATE("find_range_u32", find_range<tg::u32>);
TEGULA_INSTANTIATE("find_range_s64", find_range<tg::s64>);
TEGULA_INSTANTIATE("find_range_u64", find_range<tg::u64>);

/// Three of them, by bits.
template <class T>
TEGULA_KERNEL void gather_bits(tg::array<T, 1> all, tg::array<T, 1> any, tg::array<T, 1> odd,
                               tg::array<const int, 1> places, tg::array<const T, 1> x) {
  tg::check(places.dim(0) == x.dim(0), "the arrays differ in length");
  tg::pallas_call(
      [](auto all, auto any, auto odd, auto places, auto x) {
        const auto place = places[tg::all];
        tg::atomic_and(all.at(place), x[tg::all]);
        tg::atomic_or(any.at(place), x[tg::all]);
        tg::atomic_xor(odd.at(place), x[tg::all]);
      },
      tg::inout(all), tg::inout(any), tg::inout(odd), tg::in(places), tg::in(x));
}
TEGULA_INSTANTIATE("gather_bits_s32", gather_bits<int>);
TEGULA_INSTANTIATE("gather_bits_u64", gather_bits<tg::u64>);

/// Pairs of numbers, in a matrix.
TEGULA_KERNEL void count_pairs(tg::array<int, 2> bins, tg::array<const int, 1> x, tg::array<const int, 1> y) {
  tg::check(x.dim(0) == y.dim(0), "the arrays differ in length");
  tg::pallas_call([](auto bins, auto x, auto y) { tg::atomic_add(bins.at(x[tg::all], y[tg::all]), 1); },
                  tg::inout(bins), tg::in(x), tg::in(y));
}

/// A row of a matrix for each program.
TEGULA_KERNEL void count_rows(tg::array<int, 2> bins, tg::array<const tg::u8, 2> x) {
  tg::check(x.dim(0) == bins.dim(0), "bins has a row for each of x");
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto bins, auto x) { tg::atomic_add(bins.at(tg::astype<int>(x[tg::all])), 1); },
      tg::inout<tg::squeezed, 256>(bins, [](auto i) { return tg::index(i, 0); }),
      tg::in<tg::squeezed, tg::whole>(x, [](auto i) { return tg::index(i, 0); }));
}

/// What was there is asked for: each element has another number within its bin. Memory itself counts.
TEGULA_KERNEL void number_within(tg::array<int, 1> bins, tg::array<int, 1> numbers, tg::array<const int, 1> x) {
  tg::check(numbers.dim(0) == x.dim(0), "the arrays differ in length");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 128)}},
      [](auto bins, auto numbers, auto x) { numbers[tg::all] = tg::atomic_add(bins.at(x[tg::all]), 1); },
      tg::inout(bins), tg::out<128>(numbers, same), tg::in<128>(x, same));
}
