// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reductions come to, and what to reduce.
#pragma once

#include "support.h"

namespace tegula::test {

/// What reductions of some elements are: exact, or with a bound on the error of adding up in any order.
template <class T> class Reference {
public:
  void add(T x) {
    if constexpr (is_floating<T>) {
      const double number = wide(x);
      sum_ += number;
      size_ += std::abs(number);
      product_ *= number;
    } else {
      sum_ += static_cast<std::uint64_t>(x);
      product_ *= static_cast<std::uint64_t>(x);
    }
    greatest_ = is_nan(x) || is_nan(greatest_) ? nan() : above(greatest_, x) ? greatest_ : x;
    least_ = is_nan(x) || is_nan(least_) ? nan() : above(x, least_) ? least_ : x;
    ++count_;
  }
  auto sum() const {
    if constexpr (is_floating<T>)
      return Near<T>{static_cast<double>(sum_), gamma(count_, step) * size_};
    else
      return static_cast<T>(sum_);
  }
  auto product() const {
    if constexpr (is_floating<T>)
      return Near<T>{static_cast<double>(product_), gamma(count_, step) * static_cast<double>(std::abs(product_))};
    else
      return static_cast<T>(product_);
  }
  T greatest() const { return greatest_; }
  T least() const { return least_; }

private:
  const double step = unit_roundoff<Summed<T>>();
  using number = std::conditional_t<is_floating<T>, long double, std::uint64_t>;

  static bool is_nan(T x) {
    if constexpr (is_floating<T>)
      return std::isnan(wide(x));
    else
      return false;
  }
  static T nan() {
    if constexpr (is_floating<T>)
      return static_cast<T>(std::numeric_limits<double>::quiet_NaN());
    else
      return 0;
  }
  static bool above(T a, T b) {
    if constexpr (is_floating<T>)
      return wide(a) == wide(b) ? std::signbit(wide(b)) : wide(a) > wide(b);
    else
      return a > b;
  }
  static T end(bool isUpper) {
    if constexpr (is_floating<T>)
      return static_cast<T>(isUpper ? std::numeric_limits<double>::infinity()
                                    : -std::numeric_limits<double>::infinity());
    else
      return isUpper ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
  }

  number sum_ = 0, product_ = 1;
  double size_ = 0, count_ = 0;
  T greatest_ = end(false), least_ = end(true);
};

/// Signs and sizes near 1, so that products neither overflow nor vanish.
template <class T> buffer<T, 2> factors(const shape<2> &dims) {
  return make<T>(dims, [](std::int64_t) {
    if constexpr (is_floating<T>)
      return static_cast<T>((generator()() % 2 == 0 ? -1 : 1) * (0.99 + 0.0001 * double(generator()() % 200)));
    else
      return random_value<T>();
  });
}

/// The softmax of rows, in arrays of these shapes.
template <class T, class Entry> void check_softmax(Entry entry, const std::vector<shape<2>> &shapes) {
  for (const auto &dims : shapes) {
    const auto x = random<T>(dims);
    std::vector<double> most(static_cast<std::size_t>(dims[0])), total(most), spread(most);
    for (std::int64_t i = 0; i < dims[0]; ++i) {
      auto &greatest = most[static_cast<std::size_t>(i)] = -std::numeric_limits<double>::infinity();
      for (std::int64_t j = 0; j < dims[1]; ++j)
        greatest = std::max(greatest, wide(x(i, j)));
      for (std::int64_t j = 0; j < dims[1]; ++j)
        spread[static_cast<std::size_t>(i)] = std::max(spread[static_cast<std::size_t>(i)], greatest - wide(x(i, j)));
      for (std::int64_t j = 0; j < dims[1]; ++j)
        total[static_cast<std::size_t>(i)] += std::exp(wide(x(i, j)) - greatest);
    }
    on_every_device([&](auto where) {
      expect_agrees("softmax", entry(x.to(where), {}), [&](auto i) {
        const auto row = static_cast<std::size_t>(i[0]);
        const double value = std::exp(wide(x(i[0], i[1])) - most[row]) / total[row];
        return Near<T>{value, value * softmax_error<T>(dims[1], spread[row])};
      });
    });
  }
}
} // namespace tegula::test
