// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans along either axis, forward and backward, of rows that registers hold and of longer ones.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto by_row = [](auto i) { return tg::index(i, 0); };

template <class T, int Rank> using input = tg::array<const T, Rank>;

template <class T> void check_alike(input<T, 2> x, tg::array<T, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "results of the shape of x");
}
template <class T> void check_alike(input<T, 3> x, tg::array<T, 3> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(2) == o.dim(2), "results of the shape of x");
}

/// Of a whole array: sums, the same from the end, and the greatest so far.
template <class T, int Axis>
TEGULA_KERNEL void scans(input<T, 2> x, tg::array<T, 2> sums, tg::array<T, 2> backward, tg::array<T, 2> greatest) {
  check_alike(x, sums);
  check_alike(x, backward);
  check_alike(x, greatest);
  tg::pallas_call(
      [](auto x, auto sums, auto backward, auto greatest) {
        const auto t = x[tg::all];
        sums[tg::all] = tg::cumsum<Axis>(t);
        backward[tg::all] = tg::cumsum<Axis>(t, tg::reverse);
        greatest[tg::all] = tg::cummax<Axis>(t);
      },
      tg::in(x), tg::out(sums), tg::out(backward), tg::out(greatest));
}
TEGULA_INSTANTIATE("scan_rows_f32", scans<float, 1>);
TEGULA_INSTANTIATE("scan_columns_f32", scans<float, 0>);
TEGULA_INSTANTIATE("scan_rows_f64", scans<double, 1>);
TEGULA_INSTANTIATE("scan_rows_f16", scans<tg::f16, 1>);
TEGULA_INSTANTIATE("scan_columns_bf16", scans<tg::bf16, 0>);
TEGULA_INSTANTIATE("scan_rows_s8", scans<tg::s8, 1>);
TEGULA_INSTANTIATE("scan_columns_u8", scans<tg::u8, 0>);
TEGULA_INSTANTIATE("scan_rows_s16", scans<tg::s16, 1>);
TEGULA_INSTANTIATE("scan_rows_u32", scans<tg::u32, 1>);
TEGULA_INSTANTIATE("scan_columns_s32", scans<int, 0>);
TEGULA_INSTANTIATE("scan_rows_u64", scans<tg::u64, 1>);

/// A program a row, in place: the row may be of any length.
template <class T, bool Reverse> TEGULA_KERNEL void running_sums(tg::array<T, 2> x) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x) {
        if constexpr (Reverse)
          x[tg::all] = tg::cumsum<-1>(x[tg::all], tg::reverse);
        else
          x[tg::all] = tg::cumsum<-1>(x[tg::all]);
      },
      tg::inout<tg::squeezed, tg::whole>(x, by_row));
}
TEGULA_INSTANTIATE("running_sums_s32", running_sums<int, false>);
TEGULA_INSTANTIATE("running_sums_back_s32", running_sums<int, true>);

/// Products and the least so far, of static blocks; what a scan is made of, and what is made of it, in one program.
TEGULA_KERNEL void of_blocks(input<int, 3> x, tg::array<int, 3> products, tg::array<int, 3> least,
                             tg::array<int, 3> distance) {
  check_alike(x, products);
  check_alike(x, least);
  check_alike(x, distance);
  constexpr auto block = [](auto i, auto j, auto k) { return tg::index(i, j, k); };
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 3), tg::cdiv(x.dim(1), 16), tg::cdiv(x.dim(2), 64)}},
      [](auto x, auto products, auto least, auto distance) {
        const auto t = x[tg::all];
        products[tg::all] = tg::cumprod<1>(t);
        least[tg::all] = tg::cummin<0>(t);
        const auto sums = tg::cumsum<2>(t * 3 + 1);
        distance[tg::all] = sums - tg::expand_dims<2>(tg::max<2>(sums));
      },
      tg::in<3, 16, 64>(x, block), tg::out<3, 16, 64>(products, block), tg::out<3, 16, 64>(least, block),
      tg::out<3, 16, 64>(distance, block));
}

/// A reduction of a scan: the greatest prefix sum of each row, and where it is. Rows are scanned chunk by chunk.
TEGULA_KERNEL void greatest_prefix(input<int, 2> x, tg::array<int, 1> greatest, tg::array<int, 1> index) {
  tg::check(x.dim(0) == greatest.dim(0) && x.dim(0) == index.dim(0), "a result for each row");
  tg::pallas_call(
      [](auto x, auto greatest, auto index) {
        const auto sums = tg::cumsum<1>(x[tg::all]);
        greatest[tg::all] = tg::max<1>(sums);
        index[tg::all] = tg::argmax<1>(sums);
      },
      tg::in(x), tg::out(greatest), tg::out(index));
}

/// y[j] = decay[j] y[j - 1] + x[j], by tuples; not commutative.
template <class T, bool Reverse> TEGULA_KERNEL void recurrence(input<T, 2> decay, input<T, 2> x, tg::array<T, 2> y) {
  check_alike(x, y);
  tg::check(x.dim(0) == decay.dim(0) && x.dim(1) == decay.dim(1), "a factor for each element");
  tg::pallas_call(
      [](auto decay, auto x, auto y) {
        const auto by = [](const auto &a, const auto &b) {
          return tg::tuple<T, T>(a.first * b.first, a.second * b.first + b.second);
        };
        const tg::tuple both(decay[tg::all], x[tg::all]);
        if constexpr (Reverse)
          y[tg::all] = tg::associative_scan<1>(both, tg::tuple(T(1), T(0)), by, tg::reverse).second;
        else
          y[tg::all] = tg::associative_scan<1>(both, tg::tuple(T(1), T(0)), by).second;
      },
      tg::in(decay), tg::in(x), tg::out(y));
}
TEGULA_INSTANTIATE("recurrence_u32", recurrence<tg::u32, false>);
TEGULA_INSTANTIATE("recurrence_back_u32", recurrence<tg::u32, true>);
TEGULA_INSTANTIATE("recurrence_f64", recurrence<double, false>);

/// Sums that begin anew where a flag is set, along columns.
TEGULA_KERNEL void segmented(input<bool, 2> begins, input<int, 2> x, tg::array<int, 2> o) {
  check_alike(x, o);
  tg::check(x.dim(0) == begins.dim(0) && x.dim(1) == begins.dim(1), "a flag for each element");
  tg::pallas_call(
      [](auto begins, auto x, auto o) {
        o[tg::all] = tg::associative_scan<0>(tg::tuple(begins[tg::all], x[tg::all]), tg::tuple(false, 0),
                                             [](const auto &a, const auto &b) {
                                               return tg::tuple<bool, int>(a.first || b.first,
                                                                           b.first ? b.second : a.second + b.second);
                                             })
                         .second;
      },
      tg::in(begins), tg::in(x), tg::out(o));
}

TEGULA_KERNEL void running_logsumexp(input<float, 2> x, tg::array<float, 2> o) {
  check_alike(x, o);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::cumlogsumexp<1>(x[tg::all]); }, tg::in(x), tg::out(o));
}

/// Two scans, one of the other, and a part of a scan that registers hold.
TEGULA_KERNEL void twice(input<int, 2> x, tg::array<int, 2> o) {
  check_alike(x, o);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::cumsum<1>(tg::cumsum<1>(x[tg::all]) * 3); }, tg::in(x),
                  tg::out(o));
}
TEGULA_KERNEL void parts_of_scans(input<int, 2> x, tg::array<int, 2> window, tg::array<int, 1> element) {
  tg::check(x.dim(1) == 64 && window.dim(1) == 16 && x.dim(0) == window.dim(0) && x.dim(0) == element.dim(0),
            "rows of 64, of which 16 are stored");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto window, auto element) {
        const auto sums = tg::cumsum<0>(x[tg::all]);
        window[tg::all] = sums[tg::ds<16>(40)];
        element[0] = sums[63];
      },
      tg::in<tg::squeezed, 64>(x, by_row), tg::out<tg::squeezed, 16>(window, by_row),
      tg::out<1>(element, [](auto i) { return tg::index(i); }));
}
