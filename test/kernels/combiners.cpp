// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions by functions of the program's own, of one tile and of several, and those that are made of such.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto by_row = [](auto i) { return tg::index(i, 0); };
constexpr auto same = [](auto i) { return tg::index(i); };

template <class T, int Rank> using input = tg::array<const T, Rank>;
template <class T, int Rank> using output = tg::array<T, Rank>;

template <int Axis, class T> void check_results(input<T, 2> x, output<T, 1> a, output<int, 1> b) {
  tg::check(x.dim(1 - Axis) == a.dim(0) && x.dim(1 - Axis) == b.dim(0), "the results differ in length from x");
}

/// The extreme of each row (Axis 1) or column (0) of a whole array, and where it is.
template <class T, int Axis, bool IsMax>
TEGULA_KERNEL void extremes(input<T, 2> x, output<T, 1> value, output<int, 1> index) {
  check_results<Axis>(x, value, index);
  tg::pallas_call(
      [](auto x, auto value, auto index) {
        const auto t = x[tg::all];
        if constexpr (IsMax) {
          const auto [greatest, where] = tg::max_with_index<Axis>(t);
          value[tg::all] = greatest;
          index[tg::all] = where;
        } else {
          value[tg::all] = tg::min_with_index<Axis>(t).first;
          index[tg::all] = tg::argmin<Axis>(t);
        }
      },
      tg::in(x), tg::out(value), tg::out(index));
}
TEGULA_INSTANTIATE("greatest_of_rows_f32", extremes<float, 1, true>);
TEGULA_INSTANTIATE("greatest_of_rows_s8", extremes<tg::s8, 1, true>);
TEGULA_INSTANTIATE("greatest_of_columns_f16", extremes<tg::f16, 0, true>);
TEGULA_INSTANTIATE("least_of_rows_f64", extremes<double, 1, false>);
TEGULA_INSTANTIATE("least_of_columns_u64", extremes<tg::u64, 0, false>);

/// The index of the greatest element of each row, a program a row, and of a whole array.
TEGULA_KERNEL void argmax_by_programs(input<tg::bf16, 2> x, output<int, 1> index) {
  tg::check(x.dim(0) == index.dim(0), "an index for each row");
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto x, auto index) { index[0] = tg::argmax<0>(x[tg::all]); },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::out<1>(index, same));
}
TEGULA_KERNEL void argmax_of_all(input<float, 1> x, output<int, 0> index) {
  tg::pallas_call([](auto x, auto index) { index[] = tg::argmax<0>(x[tg::all]); }, tg::in(x), tg::out(index));
}

/// The exclusive or of all bits: a named function, and one that captures a number.
template <class T> T exclusive_or(T a, T b) { return a ^ b; }
template <class T, int Axis>
TEGULA_KERNEL void xor_of(input<T, 2> x, T scramble, output<T, 1> plain, output<T, 1> scrambled) {
  tg::check(x.dim(1 - Axis) == plain.dim(0) && x.dim(1 - Axis) == scrambled.dim(0), "a result for each row or column");
  tg::pallas_call(
      [=](auto x, auto plain, auto scrambled) {
        const auto t = x[tg::all];
        plain[tg::all] = tg::reduce<Axis>(t, T(0), [](T a, T b) { return exclusive_or(a, b); });
        // scramble ^ scramble is 0 again: the same result.
        scrambled[tg::all] =
            tg::reduce<Axis>(t, T(0), [=](auto a, auto b) { return T(T(a ^ scramble) ^ T(b ^ scramble)); });
      },
      tg::in(x), tg::out(plain), tg::out(scrambled));
}
TEGULA_INSTANTIATE("xor_of_rows_u32", xor_of<tg::u32, 1>);
TEGULA_INSTANTIATE("xor_of_columns_u16", xor_of<tg::u16, 0>);

/// Four results at once, by a function with branches and variables: least, greatest, sum (it wraps), and how many are
/// negative.
TEGULA_KERNEL void statistics(input<int, 2> x, output<int, 1> least, output<int, 1> greatest, output<int, 1> sum,
                              output<tg::s64, 1> negative) {
  tg::check(x.dim(0) == least.dim(0) && x.dim(0) == greatest.dim(0) && x.dim(0) == sum.dim(0) &&
                x.dim(0) == negative.dim(0),
            "a result for each row");
  tg::pallas_call(
      [](auto x, auto least, auto greatest, auto sum, auto negative) {
        const auto t = x[tg::all];
        const auto is_negative = tg::astype<tg::s64>(t < 0);
        constexpr int most = 0x7fffffff;
        const auto all = tg::reduce<1>(
            tg::tuple(t, t, t, is_negative), tg::tuple(most, -most - 1, 0, 0), [](const auto &a, const auto &b) {
              int low = a.first;
              if (b.first < low)
                low = b.first;
              return tg::tuple(low, a.second > b.second ? a.second : b.second, a.third + b.third, a.fourth + b.fourth);
            });
        least[tg::all] = all.first;
        greatest[tg::all] = all.second;
        sum[tg::all] = all.third;
        negative[tg::all] = all.fourth;
      },
      tg::in(x), tg::out(least), tg::out(greatest), tg::out(sum), tg::out(negative));
}

/// log(sum(exp(x))) of each row in one pass: the greatest score so far, and the sum relative to it.
TEGULA_KERNEL void online_logsumexp(input<float, 2> x, output<float, 1> result) {
  tg::check(x.dim(0) == result.dim(0), "a result for each row");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto result) {
        const auto row = x[tg::all];
        const auto [greatest, sum] =
            tg::reduce(tg::tuple(row, tg::full_like(row, 1.0f)), tg::tuple(-tg::inf, 0.0f), [](auto a, auto b) {
              const float m = tg::maximum(a.first, b.first), taken = m == -tg::inf ? 0.0f : m;
              return tg::tuple(m, a.second * tg::exp(a.first - taken) + b.second * tg::exp(b.first - taken));
            });
        result[0] = greatest + tg::log(sum);
      },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::out<1>(result, same));
}

/// The same block by block: what a loop carries keeps its axes, of which an index of 0 takes one away.
TEGULA_KERNEL void blocked_logsumexp(input<float, 2> x, output<float, 1> result) {
  tg::check(x.dim(0) == result.dim(0), "a result for each row");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 8)}},
      [](auto x, auto result) {
        auto greatest = tg::full<float, 8, 1>(-tg::inf), sum = tg::zeros<float, 8, 1>();
        for (tg::s64 j = 0; j < x.dim(1); j += 64) {
          const auto t = tg::load(x.at(tg::all, tg::ds<64>(j)), true, -tg::inf);
          const auto next = tg::maximum(greatest, tg::max<1>(t, tg::keepdims));
          const auto taken = tg::where(next == -tg::inf, 0.0f, next);
          sum = sum * tg::exp(greatest - taken) + tg::sum<1>(tg::exp(t - taken), tg::keepdims);
          greatest = next;
        }
        result[tg::all] = (greatest + tg::log(sum))[tg::all, 0];
      },
      tg::in<8, tg::whole>(x, by_row), tg::out<8>(result, same));
}

/// What is made of named reductions.
template <class T, int Axis>
TEGULA_KERNEL void moments(input<T, 2> x, output<T, 1> mean, output<T, 1> variance, output<T, 1> logsumexp) {
  tg::check(x.dim(1 - Axis) == mean.dim(0) && x.dim(1 - Axis) == variance.dim(0) && x.dim(1 - Axis) == logsumexp.dim(0),
            "a result for each row or column");
  tg::pallas_call(
      [](auto x, auto mean, auto variance, auto logsumexp) {
        const auto t = x[tg::all];
        mean[tg::all] = tg::mean<Axis>(t);
        variance[tg::all] = tg::var<Axis>(t);
        logsumexp[tg::all] = tg::logsumexp<Axis>(t);
      },
      tg::in(x), tg::out(mean), tg::out(variance), tg::out(logsumexp));
}
TEGULA_INSTANTIATE("moments_of_rows_f32", moments<float, 1>);
TEGULA_INSTANTIATE("moments_of_columns_bf16", moments<tg::bf16, 0>);
TEGULA_INSTANTIATE("moments_of_rows_f64", moments<double, 1>);

/// Results keep their axes, and broadcast back; all axes give numbers.
TEGULA_KERNEL void normalized(input<tg::f16, 2> x, output<tg::f16, 2> o, output<float, 1> all) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && all.dim(0) == 3, "o is as x is, and three numbers");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto t = tg::astype<float>(x[tg::all]);
        o[tg::all] =
            tg::astype<tg::f16>((t - tg::mean<1>(t, tg::keepdims)) * tg::rsqrt(tg::var<1>(t, tg::keepdims) + 0.5f));
      },
      tg::in<1, tg::whole>(x, by_row), tg::out<1, tg::whole>(o, by_row));
  tg::pallas_call(
      [](auto x, auto all) {
        const auto t = tg::astype<float>(x[tg::all]);
        all[0] = tg::mean(t);
        all[1] = tg::var(t);
        all[2] = tg::logsumexp(t);
      },
      tg::in(x), tg::out(all));
}

/// The place of the greatest element of all of an array, and, with the axis kept, in each column.
template <class T>
TEGULA_KERNEL void places(input<T, 2> x, output<tg::s64, 1> of_all, output<T, 1> greatest, output<int, 2> of_columns,
                          output<T, 2> least) {
  tg::check(of_columns.dim(0) == 1 && least.dim(0) == 1 && of_columns.dim(1) == x.dim(1) && least.dim(1) == x.dim(1),
            "a result for each column");
  tg::check(of_all.dim(0) == 2 && greatest.dim(0) == 1, "two places, and what stands there");
  tg::pallas_call(
      [](auto x, auto of_all, auto greatest) {
        const auto found = tg::max_with_index(x[tg::all]);
        greatest[0] = found.first;
        of_all[0] = found.second;
        of_all[1] = tg::argmin(x[tg::all]);
      },
      tg::in(x), tg::out(of_all), tg::out(greatest));
  tg::pallas_call(
      [](auto x, auto of_columns, auto least) {
        of_columns[tg::all] = tg::argmax<0>(x[tg::all], tg::keepdims);
        least[tg::all] = tg::min_with_index<0>(x[tg::all], tg::keepdims).first;
      },
      tg::in(x), tg::out(of_columns), tg::out(least));
}
TEGULA_INSTANTIATE("places_f32", places<float>);
TEGULA_INSTANTIATE("places_u8", places<tg::u8>);

/// Each element less the exclusive or of its row, the axis kept; of a row of one dimension, too.
TEGULA_KERNEL void without_xor(input<tg::u32, 2> x, output<tg::u32, 2> o, output<tg::u32, 2> by_program) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "o is like x");
  tg::check(x.dim(0) == by_program.dim(0) && x.dim(1) == by_program.dim(1), "by_program is like x");
  const auto xor_of = [](auto a, auto b) { return a ^ b; };
  tg::pallas_call([=](auto x, auto o) { o[tg::all] = x[tg::all] - tg::reduce<1>(x[tg::all], 0, xor_of, tg::keepdims); },
                  tg::in(x), tg::out(o));
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto o) { o[tg::all] = x[tg::all] - tg::reduce<-1>(x[tg::all], 0, xor_of, tg::keepdims); },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::out<tg::squeezed, tg::whole>(by_program, by_row));
}

/// Standard deviations and norms of rows, as they are and with the axis kept.
template <class T> TEGULA_KERNEL void deviations(input<T, 2> x, output<T, 1> deviation, output<T, 2> norm) {
  tg::check(x.dim(0) == deviation.dim(0) && x.dim(0) == norm.dim(0) && norm.dim(1) == 1, "a result for each row");
  tg::pallas_call(
      [](auto x, auto deviation, auto norm) {
        deviation[tg::all] = tg::std<1>(x[tg::all]);
        norm[tg::all] = tg::norm<1>(x[tg::all], tg::keepdims);
      },
      tg::in(x), tg::out(deviation), tg::out(norm));
}
TEGULA_INSTANTIATE("deviations_f32", deviations<float>);
TEGULA_INSTANTIATE("deviations_bf16", deviations<tg::bf16>);
TEGULA_INSTANTIATE("deviations_f64", deviations<double>);
