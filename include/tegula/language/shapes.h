// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reshaping and rearranging tiles, and selecting elements by index. An axis counts from 0, or back from the last, -1.
// stack, split and squeeze need static extents along the axes that they change; the others take whole arrays, too,
// whose extents are known at run time: o[tg::all] = tg::roll<0>(x[tg::all], n).
//   take<1>(x, idx)                the elements of axis 1 at the indices, whose dimensions replace it: x[tg::all, idx]
//   take_along_axis<1>(x, idx)     x[i, idx[i, j]], an index for each element
//   flip<1>(x), roll<1>(x, n)      axis 1 reversed, or rotated by n
//   repeat<1, 3>(x)                each element of axis 1 three times
//   tiled<1, 3>(x)                 all of x, three times along axis 1 (numpy's tile)
//   reshape<64, 2>(x)              the elements in row-major order, in another shape; reshape(x, m, n) at run time
//   concatenate<0>(x, y, z)        joined along an existing axis
//   stack<0>(x, y)                 joined along a new axis
//   split<0, 2>(x)                 the halves of axis 0: const auto [a, b] = tg::split<0, 2>(x)
//   pad<1, 2, 0>(x, value)         two values before axis 1, none after it
//   one_hot<float, 10>(idx)        a row of 10 for each index, with a 1 there
//   squeeze<1>(x), expand_dims<1>(x), broadcast_to<8, 64>(x), broadcast_to(x, m, n)
// Windows are x[tg::ds<8>(i)], every second element x[tg::ds<32>(0, 2)]. An index must be in bounds. In a boundary
// block, only elements inside the array exist: flip starts with the last of them, and reshape<64, 2>, which needs all,
// takes blocks that are loaded with a mask. tg::kernel has only expand_dims, broadcast_to, split and one_hot; the
// functions that index tiles are refused there: assemble such tiles in shared memory, where x[5, n] is a row.
//
// Cost: these functions do not materialise a tile. Loaded tiles are gathered at the indices, from arrays that the
// program does not store to, and elementwise results are computed from the gathered elements: index arithmetic, and
// vector accesses along unchanged axes. Elements of sums, products and loop-carried tiles are exchanged through shared
// memory, and one thread group has the whole tile: at most 8192 elements of 4 bytes. The same holds for a tile that
// consecutive steps compute from many elements each, as in a fast Fourier transform. If it has run-time extents or is
// larger, such a tile is stored to an array that the launch allocates: after two or three steps of a stencil, each step
// becomes a kernel of its own.
#pragma once

#include "making.h"
#include "math.h"
#include "tuple.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
template <class V, int Axis> inline constexpr int axis_of = Axis < 0 ? Axis + shape_of<V>.rank : Axis;
template <class V, int Axis>
inline constexpr bool has_axis = axis_of<V, Axis> >= 0 && axis_of<V, Axis> < shape_of<V>.rank;
template <class V, int Axis> inline constexpr int extent_of = shape_of<V>.size[axis_of<V, Axis>];
template <class V> consteval bool is_static() {
  for (int i = 0; i < shape_of<V>.rank; ++i)
    if (shape_of<V>.size[i] == any)
      return false;
  return true;
}
consteval s64 elements_of(dims d) {
  s64 n = 1;
  for (int i = 0; i < d.rank; ++i)
    n *= d.size[i];
  return n;
}

// Checks an axis that is rearranged.
template <class V, int Axis, bool IsStatic = true> consteval bool check_axis() {
  static_assert(is_tile<V>, TEGULA_A_PLACE);
  static_assert(!is_tile<V> || has_axis<V, Axis>,
                "the tile has no such axis: axes count from 0, or back from the last, -1");
  if constexpr (is_tile<V> && has_axis<V, Axis>) {
    static_assert(
        !IsStatic || extent_of<V, Axis> != any,
        "the extent along the axis is not static: use a block tg::in<64>(x, map), or a window x[tg::ds<64>(i)]");
    return !IsStatic || extent_of<V, Axis> != any;
  }
  return false;
}

// The index for dimension I: the indices along the axis, tg::all along the others.
template <int I, int Axis, class T> constexpr auto along(const T &indices) {
  if constexpr (I == Axis)
    return indices;
  else
    return all;
}
template <int Axis, class V, class T, int... I>
constexpr auto at_axis(const V &x, const T &indices, sequence<int, I...>) {
  return x[along<I, Axis>(indices)...];
}
template <int Axis, class V, class T> constexpr auto at_axis(const V &x, const T &indices) {
  return at_axis<axis_of<V, Axis>>(x, indices, sequence_to<shape_of<V>.rank>{});
}
// 0, 1, ..., as many as the result has along an axis: a constant, or an integer if known at run time.
template <class V, int Axis> inline constexpr bool is_static_along = extent_of<V, Axis> != any;
template <class V, int Axis> using place_t = select_t<is_static_along<V, Axis>, int, s64>;
template <class V, int Axis> constexpr auto size_along(const V &x) {
  return static_cast<place_t<V, Axis>>(x.dim(axis_of<V, Axis>));
}
// 0, 1, ..., N - 1, of which `count` exist.
template <class E, int Axis, int N> tile<E, N> partial_iota(s64 count);
template <class V, int Axis, int Times = 1, int More = 0> constexpr auto places_along(const V &x) {
  if constexpr (is_static_along<V, Axis>)
    return partial_iota<int, 0, extent_of<V, Axis> * Times + More>(x.dim(axis_of<V, Axis>) * Times + More);
  else
    return iota<s64>(size_along<V, Axis>(x) * Times + More);
}
// Moves a tile of one dimension to the position of an axis, by appending dimensions of extent 1.
template <class T, int... I> constexpr auto before_axes(const T &t, sequence<int, I...>) {
  return t[all, (void(I), newaxis)...];
}
template <class V, int Axis, class T> constexpr auto in_place_of(const T &t) {
  constexpr int behind = shape_of<V>.rank - axis_of<V, Axis> - 1;
  return before_axes(t, sequence_to<behind>{});
}
} // namespace detail

/// The elements of an axis at indices, a tile of integers, whose dimensions replace the axis: take<1>(x, idx).
template <int Axis, detail::operand V, tile_like T> constexpr auto take(const V &x, const T &indices) {
  static_assert(detail::is_integer<detail::element_t<T>>,
                "the indices are not integers: convert them with tg::astype<int>(idx)");
  if constexpr (detail::check_axis<V, Axis, false>() && detail::is_integer<detail::element_t<T>>)
    return detail::at_axis<Axis>(x, indices);
}

namespace detail {
template <int I, int Axis, class T, int... N> constexpr auto along_all(const tile<T, N...> &indices) {
  if constexpr (I == Axis)
    return indices;
  else if constexpr (is_static<tile<T, N...>>())
    return broadcasted_iota<int, I, N...>();
  else
    return iota_like<s64, I>(indices);
}
template <int Axis, class V, class T, int... I>
constexpr auto at_all(const V &x, const T &indices, sequence<int, I...>) {
  return x[along_all<I, Axis>(indices)...];
}
} // namespace detail

/// For each element of the indices, which have the rank of x, selects the element of x at that index along the axis and
/// at the same position along the other axes; x must be at least as long as the indices there.
template <int Axis, detail::operand V, tile_like T> constexpr auto take_along_axis(const V &x, const T &indices) {
  static_assert(detail::is_integer<detail::element_t<T>>,
                "the indices are not integers: convert them with tg::astype<int>(idx)");
  static_assert(detail::shape_of<V>.rank == detail::shape_of<T>.rank,
                "the indices and x differ in rank: take_along_axis takes one index per element, or use tg::take");
  if constexpr (detail::is_integer<detail::element_t<T>> && detail::check_axis<V, Axis, false>() &&
                detail::shape_of<V>.rank == detail::shape_of<T>.rank)
    return detail::at_all<detail::axis_of<V, Axis>>(x, indices, detail::sequence_to<detail::shape_of<V>.rank>{});
}

/// The elements of an axis in reverse order: flip<-1>(x).
template <int Axis, detail::operand V> constexpr auto flip(const V &x) {
  if constexpr (detail::check_axis<V, Axis, false>())
    return detail::at_axis<Axis>(x, detail::size_along<V, Axis>(x) - 1 - detail::places_along<V, Axis>(x));
}

/// Rotates the elements of an axis by `shift`, towards the end, or towards the start if it is negative.
template <int Axis, detail::operand V> constexpr auto roll(const V &x, s64 shift) {
  if constexpr (detail::check_axis<V, Axis, false>()) {
    using place = detail::place_t<V, Axis>;
    const auto n = detail::size_along<V, Axis>(x);
    const auto i = detail::places_along<V, Axis>(x) - static_cast<place>(shift % maximum(s64(n), s64(1)));
    return detail::at_axis<Axis>(x, where(i < 0, i + n, where(i >= n, i - n, i)));
  }
}

/// Repeats each element of an axis `Count` times.
template <int Axis, int Count, detail::operand V> constexpr auto repeat(const V &x) {
  static_assert(Count > 0, "the number of repetitions is not positive: it is 1 or more");
  if constexpr (detail::check_axis<V, Axis, false>() && Count > 0)
    return detail::at_axis<Axis>(x, detail::places_along<V, Axis, Count>(x) / detail::place_t<V, Axis>(Count));
}

namespace detail {
template <int Axis, class V> constexpr auto tile_along(const V &x) { return x; }
template <int Axis, int Count, int... More, class V> constexpr auto tile_along(const V &x) {
  if constexpr (Count == 1) {
    return tile_along<Axis + 1, More...>(x);
  } else {
    return tile_along<Axis + 1, More...>(at_axis<Axis>(x, places_along<V, Axis, Count>(x) % size_along<V, Axis>(x)));
  }
}
} // namespace detail
/// Repeats the tile along each of its axes: tiled<1, 3>(x) of 8 x 4 elements has 8 x 12. (numpy.tile)
template <int... Counts, detail::operand V> constexpr auto tiled(const V &x) {
  static_assert(sizeof...(Counts) == detail::shape_of<V>.rank,
                "the number of counts differs from the rank: tiled<1, 3>(x) takes one for each axis");
  static_assert(((Counts > 0) && ...), "the number of repetitions is not positive: it is 1 or more");
  if constexpr (sizeof...(Counts) == detail::shape_of<V>.rank && ((Counts > 0) && ...))
    return detail::tile_along<0, Counts...>(x);
}

namespace detail {
consteval int stride_of(dims d, int axis) {
  int stride = 1;
  for (int i = axis + 1; i < d.rank; ++i)
    stride *= d.size[i];
  return stride;
}
template <int... N, int... I> constexpr auto places(sequence<int, I...>) {
  return ((broadcasted_iota<int, I, N...>() * stride_of(dims{sizeof...(N), {N...}}, I)) + ...);
}
template <class V, int I, class T> constexpr auto index_in(const T &place) {
  constexpr int n = shape_of<V>.size[I], stride = stride_of(shape_of<V>, I);
  if constexpr (stride == 1 && I == 0)
    return place;
  else if constexpr (I == 0)
    return place / stride;
  else if constexpr (stride == 1)
    return place % n;
  else
    return place / stride % n;
}
template <class V, class T, int... I> constexpr auto at_places(const V &x, const T &place, sequence<int, I...>) {
  return x[index_in<V, I>(place)...];
}
} // namespace detail
/// The elements, in row-major order, in another shape with as many elements.
template <int... N, detail::operand V> constexpr auto reshape(const V &x) {
  static_assert(detail::is_tile<V>, TEGULA_A_PLACE);
  constexpr bool is_shape = sizeof...(N) > 0 && ((N > 0) && ...);
  static_assert(
      is_shape,
      "an extent of reshape<...> is not a positive constant: for run-time extents, write tg::reshape(x, m, n)");
  static_assert(detail::is_static<V>(),
                "reshape<8, 8>(x) does not take a tile of run-time extents: write tg::reshape(x, m, n)");
  constexpr bool fits =
      detail::is_static<V>() && detail::elements_of(detail::shape_of<V>) == detail::elements_of({sizeof...(N), {N...}});
  static_assert(!is_shape || !detail::is_static<V>() || fits,
                "the shapes differ in the number of elements: the products of their extents must be equal");
  if constexpr (is_shape && detail::is_tile<V> && fits)
    return detail::at_places(x, detail::places<N...>(detail::sequence_to<sizeof...(N)>{}),
                             detail::sequence_to<detail::shape_of<V>.rank>{});
}

namespace detail {
// The row-major stride of dimension `Axis`: the product of the extents after it.
template <int Axis, class... D> constexpr s64 row_major_stride(D... extents) {
  s64 count = 1;
  int axis = 0;
  ((count *= axis++ > Axis ? s64(extents) : s64(1)), ...);
  return count;
}
template <class... D, int... I> constexpr auto run_time_places(sequence<int, I...>, D... extents) {
  return ((broadcasted_iota<s64, I>(extents...) * row_major_stride<I>(extents...)) + ...);
}
template <int I, class V, class T, int... J>
constexpr auto run_time_index(const V &x, const T &place, sequence<int, J...>) {
  const s64 behind = row_major_stride<I>(x.dim(J)...);
  if constexpr (sizeof...(J) == 1)
    return place;
  else if constexpr (I == 0)
    return place / behind;
  else if constexpr (I + 1 == int{sizeof...(J)})
    return place % x.dim(I);
  else
    return place / behind % x.dim(I);
}
template <class V, class T, int... I>
constexpr auto at_run_time_places(const V &x, const T &place, sequence<int, I...> axes) {
  return x[run_time_index<I>(x, place, axes)...];
}
} // namespace detail
/// The same with a shape known at run time. The program must ensure that it has as many elements as the tile:
///   tg::check(x.dim(0) == o.dim(0) * o.dim(1), "x and o differ in size");
///   ... o[tg::all] = tg::reshape(x[tg::all], o.dim(0), o.dim(1));
/// For a tile of several dimensions, each additional dimension costs a 64-bit division per element: reshape<64, 2> is
/// faster, and so is a view of the array in the other shape, which the host makes at no cost.
template <detail::operand V, class... D>
  requires(sizeof...(D) > 0 && (detail::is_extent<D> && ...))
constexpr auto reshape(const V &x, D... extents) {
  static_assert(!scalar<V>, "a scalar cannot be reshaped: make a tile of it, tg::full<float>(value, m, n)");
  static_assert(detail::is_tile<V> || scalar<V>, TEGULA_A_PLACE);
  static_assert(sizeof...(D) <= max_rank, "the shape has too many dimensions: a tile has at most 6");
  if constexpr (detail::is_tile<V> && sizeof...(D) <= max_rank)
    return detail::at_run_time_places(x, detail::run_time_places(detail::sequence_to<sizeof...(D)>{}, extents...),
                                      detail::sequence_to<detail::shape_of<V>.rank>{});
}

namespace detail {
template <class V, class T> constexpr auto assigned(T target, const V &x) {
  target = x;
  return target;
}
} // namespace detail
/// Repeats the elements along new leading dimensions and along dimensions of extent 1.
template <int... N, detail::operand V> constexpr auto broadcast_to(const V &x) {
  using result = tile<detail::element_t<V>, N...>;
  static_assert(detail::broadcasts<V, result>, TEGULA_DOES_NOT_BROADCAST);
  return detail::assigned(zeros<detail::element_t<V>, N...>(), x);
}
/// The same with extents known at run time: broadcast_to(x, m, n). Those of x are 1 in its type, or equal to these.
template <detail::operand V, class... D>
  requires(sizeof...(D) > 0 && (detail::is_extent<D> && ...))
constexpr auto broadcast_to(const V &x, D... extents) {
  using E = detail::element_t<V>;
  using result = detail::tile_t<E, detail::unknown(sizeof...(D))>;
  static_assert(detail::is_tile<V> || scalar<V>, TEGULA_A_PLACE);
  static_assert(!detail::is_tile<V> || detail::broadcasts<V, result>, TEGULA_DOES_NOT_BROADCAST);
  if constexpr (scalar<V>)
    return full<E>(static_cast<E>(x), extents...);
  else if constexpr (detail::is_tile<V> && detail::broadcasts<V, result>) // What is combined has equal extents.
    return where(full<bool>(true, extents...), x, zeros<E>(extents...));
}

namespace detail {
template <int Axis, class V, int... I> constexpr auto with_axis(const V &x, sequence<int, I...>) {
  return x[(void(I), all)..., newaxis];
}
} // namespace detail
/// Inserts a dimension of extent 1 at the axis, counted in the result.
template <int Axis, detail::operand V> constexpr auto expand_dims(const V &x) {
  constexpr int rank = detail::shape_of<V>.rank, axis = Axis < 0 ? Axis + rank + 1 : Axis;
  static_assert(detail::is_tile<V>, TEGULA_A_PLACE);
  static_assert(axis >= 0 && axis <= rank, "the result has no such axis: axes count from 0, or back from the last, -1");
  if constexpr (detail::is_tile<V> && axis >= 0 && axis <= rank)
    return detail::with_axis<axis>(x, detail::sequence_to<axis>{});
}
/// Removes the axis, whose extent must be 1 in the type of the tile. If only a check says that it is 1, write
/// x[tg::all, 0].
template <int Axis, detail::operand V> constexpr auto squeeze(const V &x) {
  if constexpr (detail::check_axis<V, Axis, false>()) {
    static_assert(detail::extent_of<V, Axis> != any,
                  "squeeze needs an axis whose extent is 1 in the type: if it is known at run time, take the element "
                  "at 0, x[tg::all, 0] for axis 1");
    static_assert(detail::extent_of<V, Axis> == 1 || detail::extent_of<V, Axis> == any,
                  "the axis has an extent other than 1: squeeze removes only axes of extent 1");
    return detail::at_axis<Axis>(x, 0);
  }
}

namespace detail {
// The elements of a, `first` along the axis, then those of b, at the indices i.
template <int Axis, class A, class B, class I, class N>
constexpr auto one_behind(const A &a, const B &b, const I &i, N first) {
  return where(in_place_of<A, Axis>(i < first), at_axis<Axis>(a, minimum(i, first - 1)),
               at_axis<Axis>(b, maximum(i - first, N(0))));
}
template <int Axis, class A> constexpr auto behind(const A &a) { return a; }
template <int Axis, class A, class B, class... More>
constexpr auto behind(const A &a, const B &b, const More &...more) {
  static_assert(same_elements<A, B>, "the tiles differ in element type: convert one with tg::astype<...>(tile)");
  static_assert(shape_of<A>.rank == shape_of<B>.rank,
                "the tiles differ in rank: add dimensions by tg::expand_dims<0>(x)");
  if constexpr (check_axis<A, Axis, false>() && check_axis<B, Axis, false>() && shape_of<A>.rank == shape_of<B>.rank) {
    if constexpr (is_static_along<A, Axis> && is_static_along<B, Axis>) {
      const s64 count = a.dim(axis_of<A, Axis>) + b.dim(axis_of<B, Axis>);
      const auto i = partial_iota<int, 0, extent_of<A, Axis> + extent_of<B, Axis>>(count);
      return behind<Axis>(one_behind<Axis>(a, b, i, size_along<A, Axis>(a)), more...);
    } else {
      const s64 first = size_along<A, Axis>(a), second = size_along<B, Axis>(b);
      return behind<Axis>(one_behind<Axis>(a, b, iota<s64>(first + second), first), more...);
    }
  }
}
} // namespace detail
/// Joins tiles along an existing axis; the other axes have equal extents. With run-time extents, no tile may be empty;
/// a store for each, o[tg::ds(0, m)] = x[tg::all], o[tg::ds(m, n)] = y[tg::all], takes empty ones, too, and is faster.
template <int Axis, detail::operand... V> constexpr auto concatenate(const V &...x) {
  static_assert(sizeof...(V) > 0, "concatenate has no arguments: pass one or more tiles");
  if constexpr (sizeof...(V) > 0)
    return detail::behind<Axis>(x...);
}
/// Joins tiles of one shape along a new axis.
template <int Axis, detail::operand... V> constexpr auto stack(const V &...x) {
  static_assert(sizeof...(V) > 0, "stack has no arguments: pass one or more tiles");
  if constexpr (sizeof...(V) > 0)
    return detail::behind<Axis>(expand_dims<Axis>(x)...);
}

namespace detail {
template <int Axis, class V, int... I> constexpr auto parts_of(const V &x, sequence<int, I...>) {
  constexpr int size = extent_of<V, Axis> / static_cast<int>(sizeof...(I));
  return tuple(at_axis<Axis>(x, ds<size>(I * size))...);
}
} // namespace detail
/// `Count` equal parts of an axis, as a tuple (tuple.h): the inverse of concatenate.
///   const auto [value, gate] = tg::split<1, 2>(x[tg::all]);     o[tg::all] = value * tg::sigmoid(gate);
/// In a boundary block, the last parts have fewer elements, or none.
template <int Axis, int Count, detail::operand V> constexpr auto split(const V &x) {
  constexpr bool is_few = Count >= 1 && Count <= 4;
  static_assert(is_few, "split makes one to four parts: for more, tg::static_for<8>([&](auto i) { x[tg::ds<16>(16 * "
                        "i)]; }) takes one after the other");
  if constexpr (detail::check_axis<V, Axis>() && is_few) {
    constexpr bool is_even = detail::extent_of<V, Axis> % Count == 0;
    static_assert(is_even, "the number of parts does not divide the extent of the axis: for unequal parts, take "
                           "x[tg::ds<48>(0)] and x[tg::ds<16>(48)]");
    if constexpr (is_even)
      return detail::parts_of<Axis>(x, detail::sequence_to<Count>{});
  }
}

namespace detail {
template <int Axis, int Before, int After, class V, class Value> constexpr auto padded(const V &x, const Value &value) {
  static_assert(Before >= 0 && After >= 0, "the number of padding elements is negative: it is 0 or more");
  if constexpr (check_axis<V, Axis, false>() && Before >= 0 && After >= 0) {
    using place = place_t<V, Axis>;
    const place last = size_along<V, Axis>(x) - 1;
    const auto i = places_along<V, Axis, 1, Before + After>(x) - place(Before);
    return where(in_place_of<V, Axis>(i >= 0 && i <= last), at_axis<Axis>(x, maximum(minimum(i, last), place(0))),
                 value);
  }
}
} // namespace detail
/// Inserts `Before` elements in front of an axis and `After` elements after it. Their value is a number that converts
/// to the element type (a bool for bools). An axis of run-time extent must not be empty.
template <int Axis, int Before, int After, detail::operand V, class S> constexpr auto pad(const V &x, const S &value) {
  using E = detail::element_t<V>;
  static_assert(scalar<S>, "the value of pad is not a scalar: pass a number, which is converted to the element type, "
                           "tg::pad<1, 2, 0>(x, 0)");
  if constexpr (scalar<S>) {
    constexpr bool adapts = detail::adapts<detail::element_t<S>, E>;
    static_assert(adapts, TEGULA_DOES_NOT_ADAPT);
    if constexpr (detail::is_stored<E>)
      return detail::padded<Axis, Before, After>(x, value);
    else if constexpr (adapts)
      return detail::padded<Axis, Before, After>(x, static_cast<E>(value));
  }
}

/// 1 at each index, a tile of integers, and 0 elsewhere, along a new last dimension of N; an index out of range gives
/// all 0.
template <class E, int N, tile_like T> constexpr auto one_hot(const T &indices) {
  static_assert(detail::is_integer<detail::element_t<T>>,
                "the indices are not integers: convert them with tg::astype<int>(idx)");
  if constexpr (!detail::is_integer<detail::element_t<T>>)
    return;
  else if constexpr (detail::is_stored<E>)
    return where(expand_dims<-1>(indices) == iota<detail::element_t<T>, N>(), full<E, 1>(1), 0);
  else
    return where(expand_dims<-1>(indices) == iota<detail::element_t<T>, N>(), E(1), E(0));
}

} // namespace tegula
