// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that the identity of a combination does not change any element. The CPU combines it once with each row, at its
// start; a GPU, wherever its threads have no element: an identity that changes values would give other results there.

#ifndef TEGULA_CPU_IDENTITY_H
#define TEGULA_CPU_IDENTITY_H

#include "tegula/cpu/elements.h"
#include "tegula/cpu/print.h"

#include <cmath>
#include <tuple>

namespace tegula::cpu {

namespace detail {
/// NaN may stay NaN, -0 may become +0, and a function may round: log(exp(x)) counts as x.
template <class T> bool is_unchanged(T from, T to) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    if (from == to || (from != from && to != to))
      return true;
    constexpr T rounding = std::is_same_v<T, double> ? T(1) / T(std::int64_t{1} << 39) : T(1) / T(1 << 18);
    return std::abs(from) <= std::numeric_limits<T>::max() && std::abs(to - from) <= rounding * std::abs(from);
  } else
    return from == to;
}
/// An infinity, or NaN.
template <class T> bool is_limit(T value) noexcept {
  if constexpr (std::is_floating_point_v<T>)
    return !(std::abs(value) <= std::numeric_limits<T>::max());
  else
    return false;
}
} // namespace detail

/// A combination of two tuples of scalars, whose elements are consecutive arguments; it checks each second tuple.
template <class F, class... E> class checked_combination {
public:
  using tuple = std::tuple<E...>;

  checked_combination(const site &where, const char *function, const char *entry, const F &combine, E... identity)
      : where_(where), function_(function), entry_(entry), combine_(combine), identity_(identity...) {}

  /// combine(before..., elements...), where the elements are at an index of their tile. Throws if the identity changes
  /// them.
  auto operator()(std::initializer_list<std::int64_t> index, E... before, E... elements) const {
    const tuple given(elements...);
    const tuple front = std::apply([&](E... i) { return tuple(combine_(i..., elements...)); }, identity_);
    const tuple back = std::apply([&](E... i) { return tuple(combine_(elements..., i...)); }, identity_);
    if (!are_alike(given, front, std::index_sequence_for<E...>()))
      report(index, text(identity_) + ", " + text(given), front);
    if (!are_alike(given, back, std::index_sequence_for<E...>()))
      report(index, text(given) + ", " + text(identity_), back);
    return combine_(before..., elements...);
  }

private:
  template <std::size_t... I>
  static bool are_alike(const tuple &a, const tuple &b, std::index_sequence<I...>) noexcept {
    // An element beside an infinite one often has no meaning: a sum of exponentials beside the maximum -inf.
    const bool has_limits = sizeof...(I) > 1 && (detail::is_limit(std::get<I>(a)) || ...);
    return has_limits || (detail::is_unchanged(std::get<I>(a), std::get<I>(b)) && ...);
  }
  /// "3", "(3, true)"
  static std::string text(const tuple &of) {
    const std::string all = std::apply(
        [](E... e) {
          std::string listed;
          ((listed += (listed.empty() ? "" : ", ") + to_text(e)), ...);
          return listed;
        },
        of);
    return sizeof...(E) == 1 ? all : "(" + all + ")";
  }
  [[noreturn]] void report(std::initializer_list<std::int64_t> index, const std::string &arguments,
                           const tuple &result) const {
    fail(where_, std::string("the identity ") + text(identity_) + " of " + function_ + " in " + entry_ +
                     " changes element [" + comma_separated(index) + "] of the tile: f(" + arguments + ") is " +
                     text(result) + "; GPUs combine it with any elements, and the results would differ: give a " +
                     "constant that changes no value that occurs");
  }

  site where_;
  const char *function_, *entry_;
  const F &combine_;
  tuple identity_;
};

template <class... E, class F>
checked_combination<F, E...> checked(const site &where, const char *function, const char *entry, const F &combine,
                                     E... identity) {
  return {where, function, entry, combine, identity...};
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_IDENTITY_H
