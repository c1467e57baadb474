// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference semantics of reductions: one accumulator per kind, to which a loop adds element by element. The rules:
//   * Integers wrap.
//   * Sums and products of floats are computed in double and rounded once, to the element type: more exact than the
//     GPU, for which they are the reference.
//   * A maximum or minimum is NaN if an element is; -0 < +0.
//   * Empty: 0, 1, the lowest or the highest value (for floats an infinity), false, true.

#ifndef TEGULA_CPU_REDUCTION_H
#define TEGULA_CPU_REDUCTION_H

#include "tegula/cpu/scalar.h"

#include <tuple>

namespace tegula::cpu {

namespace detail {
/// The type in which sums and products are computed.
template <class T> using wide_t = std::conditional_t<is_float<T>, double, compute_t<T>>;

/// The highest value of the type (or the lowest).
template <class T> T highest() noexcept {
  if constexpr (is_float<T>)
    return static_cast<T>(std::numeric_limits<compute_t<T>>::infinity());
  else
    return std::numeric_limits<T>::max();
}
template <class T> T lowest() noexcept {
  if constexpr (is_float<T>)
    return static_cast<T>(-std::numeric_limits<compute_t<T>>::infinity());
  else
    return std::numeric_limits<T>::min();
}
} // namespace detail

template <class T> class sum {
public:
  void add(T x) noexcept { wide_ += static_cast<detail::wide_t<T>>(detail::up(x)); }
  T value() const noexcept { return static_cast<T>(wide_); }

private:
  detail::wide_t<T> wide_ = 0;
};

template <class T> class prod {
public:
  void add(T x) noexcept { wide_ *= static_cast<detail::wide_t<T>>(detail::up(x)); }
  T value() const noexcept { return static_cast<T>(wide_); }

private:
  detail::wide_t<T> wide_ = 1;
};

template <class T> class max {
public:
  void add(T x) noexcept { value_ = maximum(value_, x); }
  T value() const noexcept { return value_; }

private:
  T value_ = detail::lowest<T>();
};

template <class T> class min {
public:
  void add(T x) noexcept { value_ = minimum(value_, x); }
  T value() const noexcept { return value_; }

private:
  T value_ = detail::highest<T>();
};

template <class T> class any {
public:
  void add(T x) noexcept { value_ = value_ || x; }
  T value() const noexcept { return value_; }

private:
  T value_ = false;
};

template <class T> class all {
public:
  void add(T x) noexcept { value_ = value_ && x; }
  T value() const noexcept { return value_; }

private:
  T value_ = true;
};

} // namespace tegula::cpu

#endif // TEGULA_CPU_REDUCTION_H
