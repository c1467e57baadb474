// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places in memory: arrays, and the blocks of them that a body sees.
#pragma once

#include "tile.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

#define TEGULA_STORE_INTO                                                                                              \
  "a ref is a place and stays the same one: to store a value in it, write ref[tg::all] = value, or ref[i] = value to " \
  "a part"

/// Where a place is, and whose: global memory of the launch's device, shared memory of the CTA itself (PTX ISA,
/// ".shared::cta"), the registers of a thread, or shared memory of a CTA of the cluster (".shared::cluster").
enum class memory_space { gmem, smem, registers, cluster };

template <class Element, memory_space Space, int... Extents> struct ref;
struct barrier_ref;

namespace detail {
template <class E, memory_space S, class Listed> struct ref_from;
template <class E, memory_space S, int... N> struct ref_from<E, S, listed<N...>> {
  using type = ref<E, S, N...>;
};
template <class E, memory_space S, dims D> using ref_t = typename ref_from<E, S, typename list_of<D>::type>::type;

template <class E, dims D> struct place {
  using type = tile_t<E, D>;
};
template <class E, dims D> struct place<const E, D> {
  using type = const tile_t<E, D>;
};
} // namespace detail

/// A typed place in memory: a view, cheap to copy. Its extents are static or `any`, per dimension. A block that extends
/// past the end of its array has the extent that lies inside, whatever its type says. The refs of one launch do not
/// overlap.
template <class Element, memory_space Space, int... Extents> struct ref {
  static_assert(detail::is_element<__remove_const(Element)>, TEGULA_ELEMENTS);
  static_assert(sizeof...(Extents) <= max_rank, "an array has at most 6 dimensions");
  using element = __remove_const(Element);
  static constexpr int rank = sizeof...(Extents);
  static constexpr memory_space space = Space;
  /// The extents that the type says, `any` where they are known at run time alone:
  ///   static_assert(x.shape.size[1] == 64, "rows have 64 elements");
  static constexpr detail::dims shape{rank, {Extents...}};

  /// The extent along an axis, which is a constant; at the array's edge, what lies inside.
  /// Cost: a parameter of the kernel, or for a block at the edge integer arithmetic, once a program.
  s64 dim(int axis) const;
  /// The value in the place: read it to load, assign it to store. Integers at every dimension give a scalar.
  ///   const auto row = x[i];     o[tg::all, tg::ds<64>(j)] = tg::exp(row);
  /// Cost: that of load and store, below; of shared memory, at the explicit level, accesses of up to 16 bytes without
  /// bank conflicts where its arrangement allows that.
  template <index_like... I>
    requires(detail::consumed<I...> <= rank)
  typename detail::place<Element, detail::indexed<shape, I...>::shape>::type &operator[](const I &...) const;
  template <index_like... I>
    requires(detail::consumed<I...> > rank)
  void operator[](const I &...) const TEGULA_REFUSED(TEGULA_TOO_MANY_INDICES);
  /// Whether the caller gave the array: one of `tg::array<const float, 1> bias = {}` need not. See array.
  explicit operator bool() const;
  friend constexpr bool operator!(const ref &place) { return !static_cast<bool>(place); }
  /// The place itself, made smaller: x.at(tg::ds<64>(k)) is a ref to 64 elements.
  /// Cost: integer arithmetic.
  template <index_like... I> detail::ref_t<Element, Space, detail::indexed<shape, I...>::shape> at(const I &...) const;
  template <index_like... I>
    requires(detail::consumed<I...> > rank)
  void at(const I &...) const TEGULA_REFUSED(TEGULA_TOO_MANY_INDICES);
  /// Of a block that the body of a warp-specialised pipeline gets, with .manual_ready_barriers: what its copy completes
  /// on. The body waits for it before it reads the block: tg::barrier_wait(a.ready()).
  /// Cost: an address in shared memory.
  barrier_ref ready() const
    requires(Space == memory_space::smem);
  /// Of such a block, with .manual_consumed_barriers: at which each thread that computes arrives once a step, when it
  /// no longer reads the block: tg::barrier_arrive(a.consumed()).
  /// Cost: an address in shared memory.
  barrier_ref consumed() const
    requires(Space == memory_space::smem);
  template <class V> void operator=(const V &) const TEGULA_REFUSED(TEGULA_STORE_INTO);
};

/// An array in global memory: a view (pointer, dims, strides, device) whose dims are known at run time. Const elements
/// are only read. A kernel that captures an array has a ref to all of it.
///
/// A parameter of an entry with the default argument {}, tg::array<const float, 1> bias = {}, may be left out by the
/// caller, and `if (bias)` asks, on the host, in bodies and in index maps. A launch that takes it, tg::in(bias, ...),
/// or that captured it and asks, is compiled twice, with it and without: inside of it `if (bias)` is a constant. (Of n
/// such arrays there are 2^n versions.) What a check says of it holds where it is there:
/// tg::check(!bias || bias.dim(0) == x.dim(1), "...").
template <class Element, int Rank> struct array : detail::ref_t<Element, memory_space::gmem, detail::unknown(Rank)> {
  static_assert(Rank >= 0, "an array has 0 to 6 dimensions");
  /// No array: only as a default argument.
  array();
  friend constexpr bool operator!(const array &a) { return !static_cast<bool>(a); }
  array(const array<__remove_const(Element), Rank> &other);
  template <class E>
    requires(__is_const(Element) && __is_same(const E, Element))
  array &operator=(const array<E, Rank> &);
  template <class V>
  void operator=(const V &) const
      TEGULA_REFUSED("an array is a view, not a value: a body stores to it, o[tg::all] = value; on the host a variable "
                     "is assigned arrays of its own type");
  /// The number of elements.
  /// Cost: a product of extents.
  s64 size() const;
};

/// A list of arrays of one element type, rank, shape and strides, of which each lies anywhere in memory: grouped work
/// in one launch. A parameter of an entry, which the caller fills from what holds arrays (tegula/array.h). How many
/// there are is known at run time; there may be none.
///
/// It is used as one array with a dimension more would be, of which the first counts the arrays: of matrices, dim(0) is
/// their number, dim(1) their rows, x[i] is all of matrix i, and a block begins with the number of its array. A program
/// takes one array of a list at a time: blocks are tg::squeezed or 1 there, or all of the list, tg::whole or
/// tg::in(xs), of which the program takes arrays by their number. That may be data, and is one that the list has, also
/// where a mask is false. What a launch writes through a list overlaps nothing else of the launch, the other arrays of
/// the list included. Not in a tg::kernel; no elements of 4 bits.
///
///     // A step of gradient descent, of all parameters: step({p0, p1}, {g0, g1}, 0.1f).
///     TEGULA_KERNEL void step(tg::arrays<float, 1> p, tg::arrays<const float, 1> g, float rate) {
///       tg::check(p.size() == g.size() && p.dim(1) == g.dim(1), "p and g differ in number or length");
///       const auto map = [](auto i, auto j) { return tg::index(i, j); };
///       tg::pallas_call({.grid = {p.size(), tg::cdiv(p.dim(1), 1024)}},
///                       [=](auto p, auto g) { p[tg::all] -= rate * g[tg::all]; },
///                       tg::inout<tg::squeezed, 1024>(p, map), tg::in<tg::squeezed, 1024>(g, map));
///     }
///
/// Cost: that of an array, and the pointer to an array is loaded where a program, or a loop in it, takes that array.
/// TMA copies nothing from or to a list: its products are mma.sync's. A call copies the pointers to the GPU in the
/// order of its stream, once for all of its launches: a small launch more for all lists, and for each 510 arrays. The
/// host looks at each pointer.
template <class Element, int Rank>
struct arrays : detail::ref_t<Element, memory_space::gmem, detail::unknown(Rank + 1)> {
  static_assert(Rank >= 0 && Rank < max_rank, "the arrays of a list have 0 to 5 dimensions");
  static_assert(!detail::is_packed<__remove_const(Element)>, "the arrays of a list have elements of whole bytes");
  friend constexpr bool operator!(const arrays &) TEGULA_REFUSED("a list is always there, and may be empty: xs.size()");
  arrays &operator=(const arrays &) TEGULA_REFUSED("a list is a parameter of an entry, and stays what it is");
  template <class V>
  void operator=(const V &) const
      TEGULA_REFUSED("a list is no value: a body stores to an array of it, xs[i, tg::all] = value");
  /// The number of arrays: dim(0).
  /// Cost: none.
  s64 size() const;
};

namespace detail {
template <class R> inline constexpr bool is_ref = false;
template <class E, memory_space S, int... N> inline constexpr bool is_ref<ref<E, S, N...>> = true;
template <class E, int Rank> inline constexpr bool is_ref<array<E, Rank>> = true;
template <class E, int Rank> inline constexpr bool is_ref<arrays<E, Rank>> = true;
} // namespace detail
/// An array, or a place in memory: what at(...) and [...] are asked of.
template <class R>
concept ref_like = detail::is_ref<R>;
template <class R>
concept gmem_ref = ref_like<R> && R::space == memory_space::gmem;
template <class R>
concept smem_ref = ref_like<R> && R::space == memory_space::smem;

/// The place with its dimensions in another order: transpose_ref<1, 0>(x). Without axes the last two change places.
/// Cost: none: strides change places.
template <int... Axes, class E, memory_space S, int... N>
constexpr auto &transpose_ref(const ref<E, S, N...> &)
  requires(S != memory_space::registers)
{
  using source = ref<E, S, N...>;
  static_assert(detail::permutes<source, Axes...>, "transpose_ref<1, 0>(x) names every dimension of x once");
  if constexpr (detail::permutes<source, Axes...>)
    return detail::some<detail::ref_t<E, S, detail::permuted({sizeof...(N), {N...}}, {sizeof...(Axes), {Axes...}})>>();
  else
    return detail::some<source>();
}
namespace detail {
consteval s64 count_of(dims d) {
  s64 count = 1;
  for (int i = 0; i < d.rank; ++i)
    count *= d.size[i];
  return count;
}
consteval bool is_static(dims d) {
  for (int i = 0; i < d.rank; ++i)
    if (d.size[i] < 1)
      return false;
  return true;
}
// The last dimension has as many elements of other bytes; invalid if these are none.
consteval dims recounted(dims d, int from, int to) {
  if (from == to)
    return d;
  if (d.rank == 0 || d.size[d.rank - 1] * from % to != 0)
    return invalid;
  d.size[d.rank - 1] = d.size[d.rank - 1] * from / to;
  return d;
}
} // namespace detail

/// The place with other extents, of as many elements: these in their order, row by row, as tg::reshape has those of a
/// tile. In tg::kernel.
///   tg::smem<tg::bf16, 4, 64, 64> ring;     tg::copy_gmem_to_smem(x.at(...), tg::reshape_ref<256, 64>(ring), full);
/// Dimensions of an array are split, and not folded. Shared memory may be folded as it lies: rows that copies and
/// products take are arranged in panels of 32 to 128 bytes (tg::swizzle); a panel may be split, and what is before the
/// last two dimensions folded with the rows, if a row has one panel. Other memory takes every shape. What cannot be is
/// an error of the compiler. Copies take such views of shared memory, but not of arrays.
/// Cost: none: strides change.
template <int... Shape, class E, memory_space S, int... N>
ref<E, S, Shape...> reshape_ref(const ref<E, S, N...> &)
  requires(S != memory_space::registers)
{
  using source = ref<E, S, N...>;
  static_assert(((Shape > 0) && ...), "reshape_ref<4, 64>(x) names positive extents");
  static_assert(detail::is_static(source::shape), "reshape_ref takes a place of static extents: cut it first, "
                                                  "x.at(tg::ds<64>(start))");
  static_assert(!detail::is_static(source::shape) ||
                    detail::count_of({sizeof...(Shape), {Shape...}}) == detail::count_of(source::shape),
                "reshape_ref names as many elements as the place has");
  return detail::some<ref<E, S, Shape...>>();
}

/// The place with its bytes as elements of another type, as tg::bitcast has those of a tile: the last dimension has as
/// many as its bytes hold. In tg::kernel.
///   tg::bitcast_ref<tg::u32>(words)     of a tg::smem<tg::f16, 64, 32>: 64 x 16
/// Elements of another width are taken along the last dimension of memory, and wider ones from multiples of their bytes
/// on: a window begins there (tg::multiple_of promises), and the host looks whether the array and its rows do.
/// Cost: none.
template <class As, class E, memory_space S, int... N>
auto bitcast_ref(const ref<E, S, N...> &)
  requires(S != memory_space::registers)
{
  using source = ref<E, S, N...>;
  using element = detail::select_t<__is_const(E), const As, As>;
  constexpr bool are_elements = detail::is_element<As> && !detail::is_packed<As> && !__is_same(As, bool) &&
                                !detail::is_packed<__remove_const(E)> && !__is_same(__remove_const(E), bool);
  static_assert(are_elements, "bitcast_ref takes elements of whole bytes, and to others, but no bools");
  if constexpr (are_elements) {
    static_assert(detail::is_static(source::shape), "bitcast_ref takes a place of static extents: cut it first, "
                                                    "x.at(tg::ds<64>(start))");
    constexpr detail::dims shape = detail::recounted(source::shape, sizeof(E), sizeof(As));
    static_assert(shape.rank >= 0, "the bytes of the last dimension are no whole number of such elements");
    if constexpr (shape.rank >= 0)
      return detail::some<detail::ref_t<element, S, shape>>();
  } else {
    return detail::some<source>();
  }
}

/// How shared memory is arranged: see swizzle.
struct transform {
  int swizzle;
};
/// What stands in braces: {tg::swizzle(64)}.
struct transform_list {
  transform pinned;
};
/// Rows are cut into panels that are so many bytes wide, and within each 8 rows of a panel units of 16 bytes change
/// places, so that columns of them use all banks: 32, 64 or 128 bytes, as TMA and the tensor core know them. 16: none.
/// Cost: none: addresses and copies follow.
consteval transform swizzle(int bytes) { return {bytes}; }

/// Names a block parameter's type where an IDE should know it: [](tg::gmem<const float, 64, 128> x, auto o) { ... }
template <class Element, int... Extents> using gmem = ref<Element, memory_space::gmem, Extents...>;

/// What is in the place: load(x) is x[tg::all].
/// Cost: each element once, in accesses of up to 16 bytes by neighbouring lanes where rows are contiguous and aligned,
/// which the host finds out for each call. What is not used is not loaded.
template <class E, memory_space S, int... N>
detail::tile_t<__remove_const(E), detail::dims{sizeof...(N), {N...}}> load(const ref<E, S, N...> &source);

namespace detail {
// A ref is given only in order to be refused with a remedy.
template <class V>
concept given = value<V> || ref_like<V>;
template <class M> inline constexpr bool is_mask = !value<M> || __is_same(element_t<M>, bool);
// A constant adapts to the elements; a tile has them.
template <class V, class R> inline constexpr bool adapts_to = true;
template <scalar V, class R> inline constexpr bool adapts_to<V, R> = adapts<element_t<V>, __remove_const(element_t<R>)>;
template <class V, class R> inline constexpr bool fills = !is_tile<V> || __is_same(element_t<V>, element_t<R>);
template <class V, class R> inline constexpr bool covers = !value<V> || broadcasts<V, R>;
} // namespace detail
#define TEGULA_A_MASK "a mask is of bools: compare first, mask != 0"
#define TEGULA_MASK_DOES_NOT_BROADCAST "the mask does not broadcast to the shape of the block"

/// What is in the place where the mask holds, `other` where it does not and beyond the array's end. The value is the
/// whole block, also of a block that extends past the edge: load(x, true, 0) of 64 elements has 64, and a reduction
/// takes them all. (Extents that are `any` stay those of the place.) Mask and `other`, tiles or scalars, broadcast to
/// the block; without `other` it is zero.
///
/// What the mask leaves out is not touched and need not exist: an index may lie outside the array, and a window begin
/// before it, as far as the mask is false there. In tg::kernel stores to arrays take masks, and loads none.
///     const auto i = tg::iota<tg::s64, 34>() + start - 1;
///     const auto row_and_neighbours = tg::load(x.at(tg::ds<34>(start - 1)), i >= 0, 0);
///
/// Cost: that of a load; a thread whose mask holds for all its elements moves them in vectors, another one by one.
template <class E, memory_space S, int... N, detail::given M, detail::given O>
auto load(const ref<E, S, N...> &, const M &, const O &) {
  using source = ref<E, S, N...>;
  static_assert(value<M> && value<O>, TEGULA_A_PLACE);
  static_assert(detail::is_mask<M>, TEGULA_A_MASK);
  static_assert(detail::adapts_to<O, source>, TEGULA_DOES_NOT_ADAPT);
  static_assert(detail::fills<O, source>, "a load does not convert elements: write tg::astype<...>(other)");
  static_assert(detail::covers<M, source>, TEGULA_MASK_DOES_NOT_BROADCAST);
  static_assert(detail::covers<O, source>, "what stands elsewhere does not broadcast to the shape of the block");
  return detail::some<detail::tile_t<__remove_const(E), detail::dims{sizeof...(N), {N...}}>>();
}
template <class E, memory_space S, int... N, detail::given M> auto load(const ref<E, S, N...> &, const M &) {
  static_assert(value<M>, TEGULA_A_PLACE);
  static_assert(detail::is_mask<M>, TEGULA_A_MASK);
  static_assert(detail::covers<M, ref<E, S, N...>>, TEGULA_MASK_DOES_NOT_BROADCAST);
  return detail::some<detail::tile_t<__remove_const(E), detail::dims{sizeof...(N), {N...}}>>();
}
template <class V, class... R>
  requires(!ref_like<V>)
void load(const V &, const R &...) TEGULA_REFUSED("tg::load takes a place, not what is in it: tg::load(x, mask, 0), or "
                                                  "of a part tg::load(x.at(i), mask, 0)");

/// Puts a value that broadcasts into the place: store(o, x) is o[tg::all] = x.
/// Cost: each element once, in accesses of up to 16 bytes by neighbouring lanes where rows are contiguous and aligned.
template <class E, memory_space S, int... N, detail::given V> constexpr void store(const ref<E, S, N...> &, const V &) {
  static_assert(value<V>, TEGULA_A_PLACE);
  static_assert(!__is_const(E), TEGULA_READ_ONLY);
  static_assert(detail::adapts_to<V, ref<E, S, N...>>, TEGULA_DOES_NOT_ADAPT);
  static_assert(detail::fills<V, ref<__remove_const(E), S, N...>>,
                "a store does not convert elements: write tg::astype<...>(value)");
  static_assert(detail::covers<V, ref<E, S, N...>>, TEGULA_DOES_NOT_BROADCAST);
}

/// Puts the value into the place where the mask holds, and leaves alone what is elsewhere, which need not exist. Value
/// and mask, tiles or scalars, broadcast to the block; of a whole block, what lies inside the array is stored.
/// Cost: that of a store; a thread whose mask holds for all its elements moves them in vectors, another one by one.
template <class E, memory_space S, int... N, detail::given V, detail::given M>
constexpr void store(const ref<E, S, N...> &place, const V &value, const M &) {
  using target = ref<E, S, N...>;
  static_assert(tegula::value<M>, TEGULA_A_PLACE);
  static_assert(detail::is_mask<M>, TEGULA_A_MASK);
  static_assert(detail::covers<M, target>, TEGULA_MASK_DOES_NOT_BROADCAST);
  store(place, value);
}
template <class V, class... R>
  requires(!ref_like<V>)
void store(const V &, const R &...) TEGULA_REFUSED("tg::store takes a place, not what is in it: tg::store(o, value, "
                                                   "mask), or to a part tg::store(o.at(i), value, mask)");

#undef TEGULA_A_MASK
#undef TEGULA_MASK_DOES_NOT_BROADCAST

} // namespace tegula
