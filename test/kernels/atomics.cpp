// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic updates of places at indices, of windows and of single elements.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };
constexpr auto by_row = [](auto i) { return tg::index(i, 0); };

/// How many of x are in each bin; what is not there is not counted.
template <class T> TEGULA_KERNEL void histogram(tg::array<T, 1> bins, tg::array<const tg::u8, 1> x) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 512)}},
      [=](auto bins, auto x) { tg::atomic_add(bins.at(tg::astype<int>(x[tg::all])), 1); }, tg::inout(bins),
      tg::in<512>(x, same));
}
TEGULA_INSTANTIATE("histogram_s32", histogram<int>);
TEGULA_INSTANTIATE("histogram_u64", histogram<tg::u64>);

/// The gradient of an embedding: each row is added to that of its token.
template <class T>
TEGULA_KERNEL void add_rows(tg::array<T, 2> o, tg::array<const T, 2> x, tg::array<const int, 1> rows) {
  tg::check(x.dim(0) == rows.dim(0) && x.dim(1) == o.dim(1), "the arrays differ in shape");
  tg::pallas_call(
      {.grid = {tg::cdiv(rows.dim(0), 16)}},
      [=](auto o, auto x, auto rows) {
        const auto row = rows[tg::all];
        tg::atomic_add(o.at(row), x[tg::all], (row >= 0)[tg::all, tg::newaxis]);
      },
      tg::inout(o), tg::in<16, tg::whole>(x, by_row), tg::in<16>(rows, same));
}
TEGULA_INSTANTIATE("add_rows_f32", add_rows<float>);
TEGULA_INSTANTIATE("add_rows_f64", add_rows<double>);
TEGULA_INSTANTIATE("add_rows_f16", add_rows<tg::f16>);
TEGULA_INSTANTIATE("add_rows_bf16", add_rows<tg::bf16>);
TEGULA_INSTANTIATE("add_rows_s64", add_rows<tg::s64>);

/// Extremes of what falls to each place, as wide as the type has them: by instruction, and by compare-and-swap.
template <class T>
TEGULA_KERNEL void extremes(tg::array<T, 1> least, tg::array<T, 1> most, tg::array<const T, 1> x,
                            tg::array<const int, 1> places) {
  tg::check(x.dim(0) == places.dim(0), "the arrays differ in length");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 128)}},
      [=](auto least, auto most, auto x, auto places) {
        const auto place = places[tg::all];
        tg::atomic_min(least.at(place), x[tg::all]);
        tg::atomic_max(most.at(place), x[tg::all]);
      },
      tg::inout(least), tg::inout(most), tg::in<128>(x, same), tg::in<128>(places, same));
}
TEGULA_INSTANTIATE("extremes_s32", extremes<int>);
TEGULA_INSTANTIATE("extremes_u32", extremes<tg::u32>);
TEGULA_INSTANTIATE("extremes_s64", extremes<tg::s64>);
TEGULA_INSTANTIATE("extremes_u64", extremes<tg::u64>);
TEGULA_INSTANTIATE("extremes_f32", extremes<float>);
TEGULA_INSTANTIATE("extremes_f64", extremes<double>);
TEGULA_INSTANTIATE("extremes_f16", extremes<tg::f16>);
TEGULA_INSTANTIATE("extremes_bf16", extremes<tg::bf16>);

/// Bits of words, of a window that all programs share.
template <class T> TEGULA_KERNEL void combine_bits(tg::array<T, 2> o, tg::array<const T, 2> x) {
  tg::check(o.dim(0) == 3 && o.dim(1) == x.dim(1), "o has three rows of x");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto o, auto x) {
        tg::atomic_and(o.at(0), x[tg::all]);
        tg::atomic_or(o.at(1), x[tg::all]);
        tg::atomic_xor(o.at(2), x[tg::all], {.order = tg::memory_order::acq_rel, .scope = tg::memory_scope::sys});
      },
      tg::inout(o), tg::in<tg::squeezed, tg::whole>(x, by_row));
}
TEGULA_INSTANTIATE("combine_bits_u32", combine_bits<tg::u32>);
TEGULA_INSTANTIATE("combine_bits_s64", combine_bits<tg::s64>);

/// Old values: each program takes as many tickets as it has elements that it keeps, and writes these there.
TEGULA_KERNEL void compact(tg::array<int, 1> o, tg::array<int, 1> count, tg::array<const int, 1> x) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 64)}},
      [=](auto o, auto count, auto x) {
        const auto value = tg::load(x, true, -1);
        const auto is_kept = value >= 0;
        const auto ticket = tg::atomic_add(count.at(tg::full<int, 64>(0)), 1, is_kept);
        tg::store(o.at(ticket), value, is_kept);
      },
      tg::inout(o), tg::inout(count), tg::in<64>(x, same));
}

/// A number, once a program: what it finds says where the program's block goes.
TEGULA_KERNEL void append(tg::array<float, 1> o, tg::array<tg::u64, 1> end, tg::array<const float, 2> x) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto o, auto end, auto x) {
        const auto from = tg::astype<tg::s64>(tg::atomic_add(end.at(0), tg::astype<tg::u64>(x.dim(0))));
        o[tg::iota<tg::s64, 128>() + from] = x[tg::all];
      },
      tg::inout(o), tg::inout(end), tg::in<tg::squeezed, 128>(x, by_row));
}

/// exch returns what it replaces; cas replaces what it expects alone.
template <class T>
TEGULA_KERNEL void swap_if(tg::array<T, 1> o, tg::array<T, 1> old, tg::array<T, 1> other,
                           tg::array<const T, 1> expected, tg::array<const T, 1> x) {
  tg::check(old.dim(0) == o.dim(0) && expected.dim(0) == o.dim(0) && x.dim(0) == o.dim(0) && other.dim(0) == o.dim(0),
            "the arrays differ in length");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 128)}},
      [](auto o, auto old, auto other, auto expected, auto x) {
        old[tg::all] = tg::atomic_cas(o, expected[tg::all], x[tg::all]);
        (void)tg::atomic_exch(other, x[tg::all]);
      },
      tg::inout<128>(o, same), tg::out<128>(old, same), tg::inout<128>(other, same), tg::in<128>(expected, same),
      tg::in<128>(x, same));
}
TEGULA_INSTANTIATE("swap_if_s32", swap_if<int>);
TEGULA_INSTANTIATE("swap_if_u64", swap_if<tg::u64>);
TEGULA_INSTANTIATE("swap_if_f32", swap_if<float>);
TEGULA_INSTANTIATE("swap_if_f64", swap_if<double>);
TEGULA_INSTANTIATE("swap_if_bf16", swap_if<tg::bf16>);

/// The sum of what updates found, by every program of its own elements.
TEGULA_KERNEL tg::array<int, 1> sum_old(tg::array<int, 2> x) {
  auto o = tg::empty<int>(x.dim(0));
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [=](auto x, auto o) { o[] = tg::sum(tg::atomic_max(x, 10)); },
      tg::inout<tg::squeezed, 96>(x, by_row), tg::out<tg::squeezed>(o, same));
  return o;
}

/// Updates and plain stores of one array by several programs: an error on the CPU.
TEGULA_KERNEL void mix(tg::array<int, 1> x) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x) {
        tg::atomic_add(x.at(0), 1);
        x[tg::program_id(0)] = 7;
      },
      tg::inout(x));
}
