// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans: each element along an axis becomes the combination of all elements up to it, itself included.
//   cumsum<1>(x)                the sums x[i, 0] + ... + x[i, j]
//   cumsum<-1>(x, tg::reverse)  from the end: x[i, j] + ... + x[i, n - 1]
// The result has the shape and the element type of the tile. Integers wrap; f16 and bf16 add and multiply in float, and
// round each result once. The grouping of sums depends on the target, on indices and on extents only: the same call
// gives the same bits. A running maximum or minimum is NaN from the first NaN on.
// A compaction stores the selected elements contiguously: the running sum of the mask gives their indices, and the
// other elements of o keep their values.
//   tg::pallas_call(
//       [](auto x, auto o) {
//         const auto wanted = x[tg::all] > 0;
//         tg::store(o.at(tg::cumsum<0>(tg::astype<int>(wanted)) - 1), x[tg::all], wanted);
//       },
//       tg::in(x), tg::partial_out(o));
//
// Cost: each element is read and written once, and combined about three times, with a shuffle tree and, where several
// warps share a row, an exchange through shared memory. A row of up to 8192 elements stays in registers; one thread
// group processes a longer row chunk by chunk. Along the last axis, fewer than 1024 of such rows are divided among
// thread groups by decoupled look-back, if the program only computes elementwise and scans; so is a single row, that is
// a whole array. Along another axis, neighbouring rows are scanned together.
#pragma once

#include "reductions.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// The type of tg::reverse.
struct reverse_t {};
/// Trailing argument of a scan: from the end of the axis to its beginning.
inline constexpr reverse_t reverse;

namespace detail {
template <class V, int Axis> constexpr void check_scanned() {
  static_assert(values<V>, TEGULA_A_PLACE);
  static_assert(!values<V> || is_tile<V>, "a scan takes a tile, not a number: leave the scan out");
  static_assert(!is_tile<V> || has_axes<V, Axis>,
                "the tile has no such axis: axes count from 0, or back from the last, -1");
}
template <int Axis, class V> constexpr V &scanned(const V &) {
  check_scanned<V, Axis>();
  static_assert(numbers<V>, "bools have no arithmetic: count them with tg::cumsum<1>(tg::astype<int>(x))");
  static_assert(computes<V>, TEGULA_STORED_ELEMENTS);
  return some<V>();
}
} // namespace detail

#define TEGULA_SCAN(f)                                                                                                 \
  template <int Axis, detail::operand V> auto f(const V &x) { return detail::scanned<Axis>(x); }                       \
  template <int Axis, detail::operand V> auto f(const V &x, reverse_t) { return detail::scanned<Axis>(x); }            \
  template <int..., class... V>                                                                                        \
  void f(const V &...) TEGULA_REFUSED("the arguments of the scan do not fit: it takes a tile and optionally "          \
                                      "tg::reverse; its axis is a template argument, tg::" #f "<1>(x)");

/// cumsum<1>(x), the running sum, cumprod<1>(x), the running product.
TEGULA_SCAN(cumsum)
TEGULA_SCAN(cumprod)
/// cummax<1>(x), the running maximum, cummin<1>(x), the running minimum; NaN from the first NaN on.
TEGULA_SCAN(cummax)
TEGULA_SCAN(cummin)

#undef TEGULA_SCAN

/// Scans by a function of two scalars, or of two tuples of scalars, as tg::reduce combines. The function must be
/// associative and pure, but need not be commutative: its first argument is the combination of earlier elements in the
/// order of the scan. `identity`, a constant, must not change any element; the CPU target checks it as for tg::reduce.
///   const auto carried = tg::associative_scan<1>(tg::tuple(decay, x), tg::tuple(1.0f, 0.0f), [](auto a, auto b) {
///     return tg::tuple(a.first * b.first, a.second * b.first + b.second);   // y[j] = decay[j] * y[j - 1] + x[j]
///   });
///
/// For segmented scans, scan tuples of a flag and the value, and return b alone where b.first is set.
///
/// Cost: as cumsum, with the function's cost for each combination, and a shuffle for each tile.
template <int Axis, class V, class Identity, class F>
  requires(detail::reducible<V>::is)
constexpr auto associative_scan(const V &, const Identity &, F combine) {
  static_assert(detail::identity_adapts<V, Identity>, TEGULA_DOES_NOT_ADAPT);
  using elements = typename detail::reducible<V>::elements;
  using given = __remove_cvref(decltype(combine(detail::some<const elements>(), detail::some<const elements>())));
  static_assert(detail::gives<given, elements>,
                "the function of tg::associative_scan returns another type than it combines: return one scalar, or for "
                "tuples a tuple of as many scalars, tg::tuple(a.first + b.first, ...)");
  detail::reducible<V>::template result<false, Axis>();
  return detail::some<V>();
}
template <int Axis, class V, class Identity, class F>
  requires(detail::reducible<V>::is)
constexpr auto associative_scan(const V &x, const Identity &identity, F combine, reverse_t) {
  return associative_scan<Axis>(x, identity, combine);
}
template <int Axis, ref_like R, class... V>
void associative_scan(const R &, const V &...) TEGULA_REFUSED(TEGULA_A_PLACE);
template <int..., class... V>
  requires(!(ref_like<V> || ...))
void associative_scan(const V &...)
    TEGULA_REFUSED("the arguments of tg::associative_scan do not fit: it takes a tile or a tg::tuple of tiles, a "
                   "constant identity, a function of two scalars or two tuples, and optionally tg::reverse: "
                   "tg::associative_scan<1>(x, 1.0f, [](auto a, auto b) { return a * b; })");

namespace detail {
// a is the combination of earlier elements: exp(a.first) * a.second is the sum of exponentials up to there.
template <int Axis, class V, class... Reverse> constexpr auto running_logsumexp(const V &x, Reverse... reverse) {
  if constexpr (check_mean<V>()) {
    using wide = mean_t<V>;
    const auto scanned = associative_scan<Axis>(
        tuple(astype<wide>(x), full_like(astype<wide>(x), wide(1))), tuple(wide(-inf), wide(0)),
        [](const auto &a, const auto &b) {
          const wide greatest = maximum(a.first, b.first);
          const wide taken = abs(greatest) == wide(inf) ? wide(0) : greatest; // inf - inf is NaN
          return tuple<wide, wide>(greatest, a.second * exp(a.first - taken) + b.second * exp(b.first - taken));
        },
        reverse...);
    const auto taken = where(abs(scanned.first) == wide(inf), wide(0), scanned.first);
    return astype<element_t<V>>(where(abs(scanned.first) == wide(inf), scanned.first, log(scanned.second) + taken));
  }
}
} // namespace detail

/// The running log(sum(exp(x))), without overflow. Cost: two exponentials per combination.
template <int Axis, detail::operand V> constexpr auto cumlogsumexp(const V &x) {
  return detail::running_logsumexp<Axis>(x);
}
template <int Axis, detail::operand V> constexpr auto cumlogsumexp(const V &x, reverse_t) {
  return detail::running_logsumexp<Axis>(x, reverse);
}

} // namespace tegula
