// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of any length that are reduced more than once, and then stored: of those that are too long for one block, the
// blocks of a cluster hold a part each, and combine what they have.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto by_row = [](auto i) { return tg::index(i, 0); };
constexpr auto same = [](auto... i) { return tg::index(i...); };

template <class T, int Rank> using input = tg::array<const T, Rank>;
template <class T, int Rank> using output = tg::array<T, Rank>;

/// Each row's sum, its greatest element, and the row less that.
template <class T>
TEGULA_KERNEL void sum_and_greatest(input<T, 2> x, output<T, 2> o, output<T, 1> sum, output<T, 1> greatest) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(0) == sum.dim(0) && x.dim(0) == greatest.dim(0),
            "the results do not fit x");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o, auto sum, auto greatest) {
        const auto row = x[tg::all];
        sum[] = tg::sum(row);
        const auto most = tg::max(row);
        greatest[] = most;
        o[tg::all] = row - most;
      },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::out<tg::squeezed, tg::whole>(o, by_row),
      tg::out<tg::squeezed>(sum, same), tg::out<tg::squeezed>(greatest, same));
}
TEGULA_INSTANTIATE("sum_and_greatest_f16", sum_and_greatest<tg::f16>);
TEGULA_INSTANTIATE("sum_and_greatest_u64", sum_and_greatest<tg::u64>);

/// Each row's product, its least element, and the row less that.
template <class T>
TEGULA_KERNEL void product_and_least(input<T, 2> x, output<T, 2> o, output<T, 1> product, output<T, 1> least) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(0) == product.dim(0) && x.dim(0) == least.dim(0),
            "the results do not fit x");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o, auto product, auto least) {
        const auto row = x[tg::all];
        product[] = tg::prod(row);
        const auto lowest = tg::min(row);
        least[] = lowest;
        o[tg::all] = row - lowest;
      },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::out<tg::squeezed, tg::whole>(o, by_row),
      tg::out<tg::squeezed>(product, same), tg::out<tg::squeezed>(least, same));
}
TEGULA_INSTANTIATE("product_and_least_bf16", product_and_least<tg::bf16>);
TEGULA_INSTANTIATE("product_and_least_s32", product_and_least<tg::s32>);

/// Reductions of 8 and of 4 bytes in turn, each of what the one before moved: the sum; how many are above the limit;
/// the greatest; whether any is, whether all are.
TEGULA_KERNEL void in_turn(input<double, 2> x, double limit, output<double, 2> o, output<double, 2> numbers,
                           output<bool, 2> are_above) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(0) == numbers.dim(0) && numbers.dim(1) == 3 &&
                x.dim(0) == are_above.dim(0) && are_above.dim(1) == 2,
            "the results do not fit x");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto o, auto numbers, auto are_above) {
        auto row = x[tg::all];
        const auto sum = tg::sum(row);
        row = row - sum;
        const auto count = tg::sum(tg::astype<float>(row > limit - sum));
        row = row + tg::astype<double>(count);
        const auto most = tg::max(row);
        row = row - most;
        const auto bound = limit - sum + tg::astype<double>(count) - most;
        const auto any = tg::any_of(row > bound);
        const auto all = tg::all_of(row > bound);
        numbers[0] = sum;
        numbers[1] = tg::astype<double>(count);
        numbers[2] = most;
        are_above[0] = any;
        are_above[1] = all;
        o[tg::all] = tg::where(any, row, -row);
      },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::out<tg::squeezed, tg::whole>(o, by_row),
      tg::out<tg::squeezed, tg::whole>(numbers, by_row), tg::out<tg::squeezed, tg::whole>(are_above, by_row));
}

/// As many steps as each row's first element says; which one is next, and of what, the one before says.
TEGULA_KERNEL void steps(input<tg::s64, 2> x, output<tg::s64, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto row = x[tg::all];
        tg::s64 state = 0;
        for (tg::s64 step = 0; step < x[0]; ++step)
          if (state % 2 == 0)
            state += tg::sum(row ^ state);
          else
            state = tg::max(row ^ state) - step;
        o[tg::all] = row ^ state;
      },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::out<tg::squeezed, tg::whole>(o, by_row));
}

/// Of each row of x + z: the greatest element, and the row less that, times w plus b, which are the same for all rows.
template <class T, class W>
TEGULA_KERNEL void weighted(input<T, 2> x, input<T, 2> z, input<W, 1> w, input<W, 1> b, output<T, 2> o,
                            output<T, 1> greatest) {
  tg::check(x.dim(0) == z.dim(0) && x.dim(1) == z.dim(1) && x.dim(1) == w.dim(0) && x.dim(1) == b.dim(0) &&
                x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(0) == greatest.dim(0),
            "the arrays do not fit x");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto z, auto w, auto b, auto o, auto greatest) {
        const auto row = x[tg::all] + z[tg::all];
        const auto most = tg::max(row);
        o[tg::all] = tg::astype<T>(tg::astype<W>(row - most) * w[tg::all] + b[tg::all]);
        greatest[] = most;
      },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::in<tg::squeezed, tg::whole>(z, by_row), tg::in(w), tg::in(b),
      tg::out<tg::squeezed, tg::whole>(o, by_row), tg::out<tg::squeezed>(greatest, same));
}
TEGULA_INSTANTIATE("weighted_f16", weighted<tg::f16, float>);
TEGULA_INSTANTIATE("weighted_s32", weighted<tg::s32, tg::s32>);
TEGULA_INSTANTIATE("weighted_f64", weighted<double, double>);

/// By functions of the program's own: where each row's greatest element is first, mean and sum of squared distances
/// from it (two of a tuple of three), and the row less what its greatest and least come to.
template <class T>
TEGULA_KERNEL void combined(input<T, 2> x, output<T, 2> o, output<int, 1> place, output<double, 2> moments) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(0) == place.dim(0) && x.dim(0) == moments.dim(0) &&
                moments.dim(1) == 2,
            "the results do not fit x");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o, auto place, auto moments) {
        const auto row = x[tg::all];
        place[] = tg::argmax<0>(row);
        const auto numbers = tg::astype<double>(row);
        const auto all = tg::reduce(tg::tuple(tg::full_like(numbers, 1.0), numbers, tg::full_like(numbers, 0.0)),
                                    tg::tuple(0.0, 0.0, 0.0), [](auto a, auto b) {
                                      const double count = a.first + b.first,
                                                   part = count == 0.0 ? 0.0 : b.first / count;
                                      const double distance = b.second - a.second;
                                      return tg::tuple(count, a.second + distance * part,
                                                       a.third + b.third + distance * distance * a.first * part);
                                    });
        moments[0] = all.second;
        moments[1] = all.third;
        const auto middle = tg::reduce(tg::tuple(row, row), tg::tuple(T(1000), T(-1000)), [](auto a, auto b) {
          return tg::tuple(tg::minimum(a.first, b.first), tg::maximum(a.second, b.second));
        });
        o[tg::all] = row - tg::astype<T>(middle.first + middle.second);
      },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::out<tg::squeezed, tg::whole>(o, by_row),
      tg::out<tg::squeezed>(place, same), tg::out<tg::squeezed, tg::whole>(moments, by_row));
}
TEGULA_INSTANTIATE("combined_f16", combined<tg::f16>);
TEGULA_INSTANTIATE("combined_f32", combined<float>);
