// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions combine the elements along some axes.
//   sum(x)                all of x, a number
//   sum<1>(x)             along axis 1, which is removed; sum<-1>(x) along the last, sum<0, 2>(x) along two
//   sum<1>(x, keepdims)   axis 1 is kept with extent 1: x / sum<1>(x, tg::keepdims) broadcasts
// Some reductions are built from these (mean, var, norm, logsumexp), and reduce combines by a function of the program,
// several tiles at once if needed (as argmax does). The result has the element type of the tile. Integers wrap; f16 and
// bf16 add and multiply in float, and round once. The order of combination depends on the target, but is always the
// same; so is the sign of a sum of only -0s. In a boundary block, elements out of bounds do not count. An empty sum is
// 0, an empty product 1, an empty maximum the lowest and an empty minimum the highest value (for floats an infinity).
//
// Cost: each CUDA thread combines its own elements, the lanes of a warp by a tree of shuffles, 5 for one result (for
// several results, lanes exchange halves, hardly one shuffle each), and warps through shared memory. A warp reduces a
// row of up to 1024 elements, a CTA one of up to 8192, and keeps it in registers: it is loaded once for all results
// computed from it. Longer rows are processed in chunks, with one pass for each reduction that another one depends on;
// from sm_90a on the CTAs of a cluster share rows of 9217 to 131072 (65536 on sm_120a). Whole arrays and columns take
// two passes: many CTAs write partial results to memory, and a second kernel combines them in a fixed order; columns of
// an array with rows of 32 KiB and more take one. The reduced tile itself is never stored.
#pragma once

#include "operators.h"
#include "shapes.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// The type of tg::keepdims.
struct keepdims_t {};
/// Trailing argument of a reduction: keeps each reduced axis with extent 1.
inline constexpr keepdims_t keepdims;

namespace detail {
template <class V, int... Axes>
inline constexpr bool has_axes = ((Axes >= -shape_of<V>.rank && Axes < shape_of<V>.rank) && ...);
template <int Rank, int... Axes> consteval bool differ() {
  const int axes[] = {Axes..., 0};
  for (int i = 0; i < int{sizeof...(Axes)}; ++i)
    for (int j = 0; j < i; ++j)
      if ((axes[i] - axes[j]) % (Rank > 0 ? Rank : 1) == 0)
        return false;
  return true;
}
template <class V, int... Axes> inline constexpr bool names_once = differ<shape_of<V>.rank, Axes...>();

// Without axes, all are reduced.
template <int... Axes> consteval dims reduced(dims d, bool keeps) {
  dims r;
  for (int i = 0; i < d.rank; ++i) {
    const bool goes = sizeof...(Axes) == 0 || ((Axes == i || Axes + d.rank == i) || ...);
    if (!goes || keeps)
      r.push(goes ? 1 : d.size[i]);
  }
  return r;
}

template <class V, bool Keeps, int... Axes> constexpr auto &reduction() {
  static_assert(values<V>, TEGULA_A_PLACE);
  static_assert(!values<V> || is_tile<V>, "a reduction takes a tile, not a number: leave the reduction out");
  constexpr bool is_there = has_axes<V, Axes...>;
  static_assert(!is_tile<V> || is_there, "the tile has no such axis: axes count from 0, or back from the last, -1");
  static_assert(!is_there || names_once<V, Axes...>, "an axis of the reduction is named twice: name each axis once");
  return some<tile_t<element_t<V>, is_there ? reduced<Axes...>(shape_of<V>, Keeps) : dims{}>>();
}
template <class V, bool Keeps, int... Axes> constexpr auto &combined() {
  static_assert(numbers<V>, "bools have no arithmetic: count them with tg::sum(tg::astype<int>(x))");
  static_assert(computes<V>, TEGULA_STORED_ELEMENTS);
  return reduction<V, Keeps, Axes...>();
}
template <class V, bool Keeps, int... Axes> constexpr auto &decided() {
  static_assert(bools<V>, "any_of and all_of take bools only: compare first, x != 0");
  return reduction<V, Keeps, Axes...>();
}
} // namespace detail

#define TEGULA_REDUCTION(f, kind)                                                                                      \
  template <int... Axes, detail::operand V> auto f(const V &) { return detail::kind<V, false, Axes...>(); }            \
  template <int... Axes, detail::operand V> auto f(const V &, keepdims_t) { return detail::kind<V, true, Axes...>(); } \
  template <int..., class... V>                                                                                        \
  void f(const V &...) TEGULA_REFUSED("the arguments of the reduction do not fit: it takes a tile and optionally "     \
                                      "tg::keepdims; axes are template arguments, tg::" #f "<1>(x)");

/// sum(x), the sum of elements, prod(x), their product. For large sums of narrow integers, convert first:
/// sum(astype<s64>(x)).
///   const auto rows = tg::sum<1>(x[tg::all]);     // of 64 x 128 elements, 64
TEGULA_REDUCTION(sum, combined)
TEGULA_REDUCTION(prod, combined)
/// max(x), the greatest element, min(x), the least; NaN if any element is.
TEGULA_REDUCTION(max, combined)
TEGULA_REDUCTION(min, combined)
/// any_of(x), whether any element of a tile of bool is true, all_of(x), whether all are: any_of(x < 0).
TEGULA_REDUCTION(any_of, decided)
TEGULA_REDUCTION(all_of, decided)

template <detail::operand A, detail::operand B>
void max(const A &, const B &) TEGULA_REFUSED(
    "tg::max takes one tile: reduce along an axis by tg::max<1>(x); the greater of two is tg::maximum(a, b)");
template <detail::operand A, detail::operand B>
void min(const A &, const B &) TEGULA_REFUSED(
    "tg::min takes one tile: reduce along an axis by tg::min<1>(x); the less of two is tg::minimum(a, b)");

#undef TEGULA_REDUCTION

// ----- Reductions by a function -----

namespace detail {
template <class A, class B> inline constexpr bool fit = fits(shape_of<A>, shape_of<B>);
// An operand of a reduction: a tile, or a tuple of tiles of one shape.
template <class V> struct reducible {
  static constexpr bool is = is_tile<V>;
  using elements = element_t<V>;
  template <bool Keeps, int... Axes> static constexpr auto &result() { return reduction<V, Keeps, Axes...>(); }
};
template <class First, class... Rest> struct reducible<tuple<First, Rest...>> {
  static constexpr bool is = is_tile<First> && (is_tile<Rest> && ...);
  using elements = tuple<element_t<First>, element_t<Rest>...>;
  template <bool Keeps, int... Axes> static constexpr auto &result() {
    static_assert((fit<First, Rest> && ...),
                  "the tiles of the reduced tuple differ in shape: broadcast them to one shape");
    return some<tuple<__remove_cvref(decltype(reduction<First, Keeps, Axes...>())),
                      __remove_cvref(decltype(reduction<Rest, Keeps, Axes...>()))...>>();
  }
};
// Whether the function returns an element, or a tuple of elements.
template <class R, class E> inline constexpr bool gives = scalar<R>;
template <class R, class... E> inline constexpr bool gives<R, tuple<E...>> = false;
template <class... R, class... E>
inline constexpr bool gives<tuple<R...>, tuple<E...>> = sizeof...(R) == sizeof...(E) && (scalar<R> && ...);
// Whether the identity converts to the element type.
template <class V, class Identity> inline constexpr bool identity_adapts = true;
template <tile_like V, scalar Identity>
inline constexpr bool identity_adapts<V, Identity> = adapts<element_t<Identity>, element_t<V>>;
template <class... V, class... Identity>
  requires(sizeof...(V) == sizeof...(Identity))
inline constexpr bool identity_adapts<tuple<V...>, tuple<Identity...>> = (identity_adapts<V, Identity> && ...);
template <class V, class Identity, class F> constexpr void check_combiner(F &combine) {
  static_assert(identity_adapts<V, Identity>, TEGULA_DOES_NOT_ADAPT);
  using elements = typename reducible<V>::elements;
  using given = __remove_cvref(decltype(combine(some<const elements>(), some<const elements>())));
  static_assert(gives<given, elements>,
                "the function of tg::reduce returns another type than it combines: return one scalar, or for tuples a "
                "tuple of as many scalars, tg::tuple(a.first + b.first, ...)");
}
} // namespace detail

/// Combines the elements along some axes, or all, by a function of two scalars. The function must be associative and
/// commutative, because the order of combination depends on the target, and pure: it neither loads, stores nor prints.
/// `identity`, a constant, is its neutral element: combine(identity, x) and combine(x, identity) are x; it is also the
/// result of an empty reduction. The CPU target checks this for each element, and reports one that the identity
/// changes, because GPU results would differ. NaN that stays NaN, -0 that becomes +0, and rounding (within 2^-18, for
/// f64 2^-39) count as unchanged; of several values, those of which one is infinite or NaN are not checked.
///   tg::reduce<1>(x, 0u, [](auto a, auto b) { return a ^ b; })
/// After the function, tg::keepdims keeps the axes.
///
/// Several tiles of one shape are reduced together as a tuple: the function takes two tuples of scalars and returns
/// one.
///   const auto [greatest, index] = tg::reduce<1>(
///       tg::tuple(x, tg::iota_like<int, 1>(x)), tg::tuple(-tg::inf, 0),
///       [](auto a, auto b) { return a.first > b.first || (a.first == b.first && a.second < b.second) ? a : b; });
///
/// A scalar of f16 or bf16 computes in float in C++; the function's result is rounded to the element type.
///
/// Cost: the function's cost per element, and for each tile the shuffles of a named reduction. Rows are not shared by
/// the CTAs of a cluster. Long arrays are divided among thread groups if the function uses only its arguments and
/// constants.
template <int... Axes, class V, class Identity, class F>
  requires(detail::reducible<V>::is)
constexpr auto reduce(const V &, const Identity &, F combine) {
  detail::check_combiner<V, Identity>(combine);
  return detail::reducible<V>::template result<false, Axes...>();
}
template <int... Axes, class V, class Identity, class F>
  requires(detail::reducible<V>::is)
constexpr auto reduce(const V &, const Identity &, F combine, keepdims_t) {
  detail::check_combiner<V, Identity>(combine);
  return detail::reducible<V>::template result<true, Axes...>();
}
template <int... Axes, ref_like R, class... V> void reduce(const R &, const V &...) TEGULA_REFUSED(TEGULA_A_PLACE);
template <int... Axes, class... V>
  requires(!(ref_like<V> || ...))
void reduce(const V &...)
    TEGULA_REFUSED("the arguments of tg::reduce do not fit: it takes a tile or a tg::tuple of tiles, a constant "
                   "identity, a function of two scalars or two tuples, and optionally tg::keepdims: tg::reduce<1>(x, "
                   "1.0f, [](auto a, auto b) { return a * b; })");

namespace detail {
// The highest or the lowest value of a type: the identity of min or of max.
template <class E, bool Highest> constexpr E extreme() {
  if constexpr (is_floating<E>)
    return E(Highest ? inf : -inf);
  else if constexpr (E(-1) > E(0))
    return Highest ? E(-1) : E(0);
  else
    return Highest ? E(~(u64(1) << (8 * sizeof(E) - 1))) : E(u64(1) << (8 * sizeof(E) - 1));
}
// The row-major index of each element, counting the dimensions up to Axis.
template <int Axis, class V> constexpr auto place_up_to(const V &x) {
  if constexpr (Axis == 0)
    return iota_like<s64, 0>(x);
  else
    return place_up_to<Axis - 1>(x) * x.dim(Axis) + iota_like<s64, Axis>(x);
}
// The index of elements along an axis, or in the whole tile.
template <int... Axis, class V> constexpr auto places_in(const V &x) {
  if constexpr (sizeof...(Axis) == 0)
    return place_up_to<shape_of<V>.rank - 1>(x);
  else
    return iota_like<int, (axis_of<V, Axis> + ...)>(x);
}
template <bool IsMax, int... Axis, class V, class... Keep> constexpr auto extremum(const V &x, Keep... keep) {
  static_assert(values<V>, TEGULA_A_PLACE);
  static_assert(is_tile<V>, "argmax and the like take a tile: search along an axis by tg::argmax<1>(x)");
  static_assert(sizeof...(Axis) < 2,
                "argmax and the like take at most one axis: tg::argmax<1>(x), or none for the whole tile");
  static_assert(numbers<V>, "bools have no order: use tg::any_of<1>(x), or convert, tg::astype<int>(x)");
  static_assert(computes<V>, TEGULA_STORED_ELEMENTS);
  if constexpr (is_tile<V> && sizeof...(Axis) < 2 && numbers<V> && computes<V>) {
    using element = element_t<V>;
    using index = select_t<sizeof...(Axis) == 0, s64, int>;
    return reduce<Axis...>(
        tuple(x, places_in<Axis...>(x)), tuple(extreme<element, !IsMax>(), extreme<index, true>()),
        [](const auto &a, const auto &b) {
          const bool is_nan = a.first != a.first, other_is_nan = b.first != b.first;
          const bool exceeds = IsMax ? a.first > b.first : a.first < b.first;
          const bool is_first = a.second < b.second;
          const bool equals = a.first == b.first | (is_nan & other_is_nan);
          const bool wins = exceeds | (is_nan & !other_is_nan) | (equals & is_first);
          return tuple<element, index>(wins ? a.first : b.first, wins ? a.second : b.second);
        },
        keep...);
  }
}
} // namespace detail

/// max_with_index<1>(x) gives the greatest element along an axis and its index there, an int; min_with_index the least.
/// argmax<1>(x) and argmin give the index only. Of equal elements, the first counts. NaN is treated as the extremum.
/// The index of an empty reduction is the largest of its type. Without an axis, all elements are reduced, and the index
/// is the row-major position, of 64 bits. tg::keepdims after the tile keeps the axes.
///   const auto [greatest, index] = tg::max_with_index<1>(x[tg::all]);
/// Cost: that of a reduce of two tiles, about 8 instructions per element and two shuffles for each one of max.
#define TEGULA_EXTREMUM(name, is_max, member)                                                                          \
  template <int... Axis, detail::operand V> constexpr auto name(const V &x) {                                          \
    return detail::extremum<is_max, Axis...>(x) member;                                                                \
  }                                                                                                                    \
  template <int... Axis, detail::operand V> constexpr auto name(const V &x, keepdims_t keep) {                         \
    return detail::extremum<is_max, Axis...>(x, keep) member;                                                          \
  }
TEGULA_EXTREMUM(max_with_index, true, )
TEGULA_EXTREMUM(min_with_index, false, )
TEGULA_EXTREMUM(argmax, true, .second)
TEGULA_EXTREMUM(argmin, false, .second)
#undef TEGULA_EXTREMUM

// ----- Made of others -----

namespace detail {
// The element type that means compute in: f16 and bf16 in float.
template <class V> using mean_t = select_t<__is_same(element_t<V>, double), double, float>;
template <class V, int... Axis> constexpr s64 product_of_dims(const V &x, sequence<int, Axis...>) {
  return (s64(1) * ... * x.dim(Axis < 0 ? Axis + V::rank : Axis));
}
// The number of elements along some axes, or of all.
template <int... Axes, class V> constexpr s64 count(const V &x) {
  if constexpr (sizeof...(Axes) == 0)
    return product_of_dims(x, sequence_to<V::rank>{});
  else
    return product_of_dims(x, sequence<int, Axes...>{});
}
template <class V> consteval bool check_mean() {
  static_assert(values<V>, TEGULA_A_PLACE);
  static_assert(!values<V> || is_tile<V>, "mean, var and the like take a tile, not a number: leave the reduction out");
  static_assert(floats<V>, "mean, var and the like take floats only: convert with tg::astype<float>(x)");
  return is_tile<V> && floats<V>;
}
} // namespace detail

/// The arithmetic mean of all elements, or along axes, mean<1>(x) or mean<1>(x, tg::keepdims); NaN if there are none.
/// f16 and bf16 are summed and divided in float, and rounded once.
/// Cost: that of sum.
template <int... Axes, detail::operand V, class... Keep> constexpr auto mean(const V &x, Keep... keep) {
  if constexpr (detail::check_mean<V>()) {
    using wide = detail::mean_t<V>;
    return astype<detail::element_t<V>>(sum<Axes...>(astype<wide>(x), keep...) /
                                        static_cast<wide>(detail::count<Axes...>(x)));
  }
}
/// The population variance, the mean of squared differences from the mean, computed in two passes, without
/// cancellation. Axes are those of mean.
/// Cost: that of two dependent sums: a row that does not fit in registers is loaded twice.
template <int... Axes, detail::operand V, class... Keep> constexpr auto var(const V &x, Keep... keep) {
  if constexpr (detail::check_mean<V>()) {
    using wide = detail::mean_t<V>;
    const auto centred = astype<wide>(x) - mean<Axes...>(astype<wide>(x), keepdims);
    return astype<detail::element_t<V>>(sum<Axes...>(square(centred), keep...) /
                                        static_cast<wide>(detail::count<Axes...>(x)));
  }
}
/// The population standard deviation, sqrt(var(x)). Axes are those of mean.
/// Cost: that of var.
template <int... Axes, detail::operand V, class... Keep> constexpr auto std(const V &x, Keep... keep) {
  if constexpr (detail::check_mean<V>()) {
    using wide = detail::mean_t<V>;
    return astype<detail::element_t<V>>(sqrt(var<Axes...>(astype<wide>(x), keep...)));
  }
}
/// The Euclidean norm, sqrt(sum(x * x)): f16 and bf16 are squared and summed in float, and rounded once. Other norms
/// are sum<1>(abs(x)), and max<1>(abs(x)). Axes are those of mean.
/// Cost: that of sum.
template <int... Axes, detail::operand V, class... Keep> constexpr auto norm(const V &x, Keep... keep) {
  if constexpr (detail::check_mean<V>()) {
    using wide = detail::mean_t<V>;
    return astype<detail::element_t<V>>(sqrt(sum<Axes...>(square(astype<wide>(x)), keep...)));
  }
}
/// log(sum(exp(x))), without overflow: -inf if there are no elements, or if all are -inf. Axes are those of mean.
/// Cost: that of a max and a dependent sum, and one exp per element: a row that does not fit in registers is loaded
/// twice.
template <int... Axes, detail::operand V, class... Keep> constexpr auto logsumexp(const V &x, Keep... keep) {
  if constexpr (detail::check_mean<V>()) {
    using wide = detail::mean_t<V>;
    const auto greatest = max<Axes...>(astype<wide>(x), keepdims);
    const auto taken =
        where(abs(greatest) == static_cast<wide>(inf), static_cast<wide>(0), greatest); // inf - inf is NaN
    const auto logarithm = log(sum<Axes...>(exp(astype<wide>(x) - taken), keep...));
    if constexpr (sizeof...(Keep) > 0)
      return astype<detail::element_t<V>>(logarithm + taken);
    else
      return astype<detail::element_t<V>>(logarithm + max<Axes...>(taken));
  }
}

} // namespace tegula
