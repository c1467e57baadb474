// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refs: typed views of memory. Arrays, lists of arrays, and the blocks of arrays that a body gets; loads and stores
// with masks.
#pragma once

#include "tile.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

#define TEGULA_STORE_INTO                                                                                              \
  "a ref is a view and cannot be rebound: to store a value, write ref[tg::all] = value, or ref[i] = value for a part"

/// The memory that a ref views: global memory of the launch's device, shared memory of the CTA itself (PTX ISA,
/// ".shared::cta"), the registers of a warpgroup, or shared memory of a CTA of the cluster (".shared::cluster").
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

/// A typed view of memory, cheap to copy. Each extent is static or `any`. A boundary block, which extends past the end
/// of its array, has the extent that lies inside the array, whatever its type says. The refs of one launch do not
/// overlap.
template <class Element, memory_space Space, int... Extents> struct ref {
  static_assert(detail::is_element<__remove_const(Element)>, TEGULA_ELEMENTS);
  static_assert(sizeof...(Extents) <= max_rank, "the rank is out of range: an array has at most 6 dimensions");
  using element = __remove_const(Element);
  static constexpr int rank = sizeof...(Extents);
  static constexpr memory_space space = Space;
  /// The extents in the type, `any` for those known only at run time:
  ///   static_assert(x.shape.size[1] == 64, "rows have 64 elements");
  static constexpr detail::dims shape{rank, {Extents...}};

  /// The extent along an axis, which is a constant; for a boundary block, the part inside the array.
  /// Cost: a kernel parameter, or for a boundary block integer arithmetic, once a program.
  s64 dim(int axis) const;
  /// Reading the result loads from memory, assigning to it stores. One integer per dimension selects a scalar.
  ///   const auto row = x[i];     o[tg::all, tg::ds<64>(j)] = tg::exp(row);
  /// Cost: that of load and store, below; for shared memory, at the explicit level, accesses of up to 16 bytes, free of
  /// bank conflicts where its swizzle allows that.
  template <index_like... I>
    requires(detail::consumed<I...> <= rank)
  typename detail::place<Element, detail::indexed<shape, I...>::shape>::type &operator[](const I &...) const;
  template <index_like... I>
    requires(detail::consumed<I...> > rank)
  void operator[](const I &...) const TEGULA_REFUSED(TEGULA_TOO_MANY_INDICES);
  /// Whether the caller passed the array: an optional array, `tg::array<const float, 1> bias = {}`, may be left out.
  /// See array.
  explicit operator bool() const;
  friend constexpr bool operator!(const ref &place) { return !static_cast<bool>(place); }
  /// A ref to a part: x.at(tg::ds<64>(k)) views 64 elements of x.
  /// Cost: integer arithmetic.
  template <index_like... I> detail::ref_t<Element, Space, detail::indexed<shape, I...>::shape> at(const I &...) const;
  template <index_like... I>
    requires(detail::consumed<I...> > rank)
  void at(const I &...) const TEGULA_REFUSED(TEGULA_TOO_MANY_INDICES);
  /// For a block that the body of a warp-specialised pipeline gets, with .manual_ready_barriers: the barrier on which
  /// the block's copy completes. The body waits for it before it reads the block: tg::barrier_wait(a.ready()).
  /// Cost: an address in shared memory.
  barrier_ref ready() const
    requires(Space == memory_space::smem);
  /// For such a block, with .manual_consumed_barriers: the barrier at which each compute warpgroup arrives once a step,
  /// when it has finished reading the block: tg::barrier_arrive(a.consumed()).
  /// Cost: an address in shared memory.
  barrier_ref consumed() const
    requires(Space == memory_space::smem);
  template <class V> void operator=(const V &) const TEGULA_REFUSED(TEGULA_STORE_INTO);
};

/// An array in global memory: a view (pointer, dims, strides, device) whose dims are known at run time. An array of
/// const elements is read-only. A kernel that captures an array has a ref to all of it.
///
/// A parameter of an entry with the default argument {}, tg::array<const float, 1> bias = {}, is optional. `if (bias)`
/// tests, on the host, in bodies and in index maps, whether the caller passed it. A launch that takes it, tg::in(bias,
/// ...), or that captures and tests it, is compiled twice, with and without the array; inside the launch `if (bias)` is
/// a constant. (n such arrays make 2^n versions.) A check of an optional array must hold when the array is absent, too:
/// tg::check(!bias || bias.dim(0) == x.dim(1), "...").
template <class Element, int Rank> struct array : detail::ref_t<Element, memory_space::gmem, detail::unknown(Rank)> {
  static_assert(Rank >= 0, "the rank is out of range: an array has 0 to 6 dimensions");
  /// The absent array: only as a default argument.
  array();
  friend constexpr bool operator!(const array &a) { return !static_cast<bool>(a); }
  array(const array<__remove_const(Element), Rank> &other);
  template <class E>
    requires(__is_const(Element) && __is_same(const E, Element))
  array &operator=(const array<E, Rank> &);
  template <class V>
  void operator=(const V &) const
      TEGULA_REFUSED("an array is a view, not a value, and cannot be assigned this: a body stores to it, o[tg::all] = "
                     "value; on the host, assign an array of the same type");
  /// The number of elements.
  /// Cost: a product of extents.
  s64 size() const;
};

/// A list of arrays of one element type, rank, shape and strides, each at its own address: for grouped work in one
/// launch. It is a parameter of an entry; the caller makes it from a container of arrays (tegula/array.h). The number
/// of arrays is known at run time, and may be 0.
///
/// A list is indexed as one array with an additional dimension 0, which counts its arrays. For a list of matrices,
/// dim(0) is their number, dim(1) their rows, and x[i] is all of matrix i; the first coordinate of a block is the
/// number of its array. A program accesses one array of a list at a time: dimension 0 of a block is tg::squeezed or 1,
/// or the block has the whole list (tg::whole, or tg::in(xs)) and the program selects arrays by index. The index may be
/// loaded; it must be in bounds even where a mask is false. What a launch writes through a list must not overlap
/// anything else of the launch, including the other arrays of the list. Lists are not for tg::kernel, and have no
/// elements of 4 bits.
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
/// Cost: that of an array, plus a load of the array's pointer where a program, or a loop in it, selects the array. TMA
/// does not copy from or to a list, so products use mma.sync. A call copies the pointers to the GPU in stream order,
/// once for all of its launches: one small extra launch for all lists together, and one for each further 510 arrays.
/// The host checks each pointer.
template <class Element, int Rank>
struct arrays : detail::ref_t<Element, memory_space::gmem, detail::unknown(Rank + 1)> {
  static_assert(Rank >= 0 && Rank < max_rank, "the rank is out of range: the arrays of a list have 0 to 5 dimensions");
  static_assert(!detail::is_packed<__remove_const(Element)>,
                "a list cannot have elements of 4 bits: use elements of whole bytes");
  friend constexpr bool operator!(const arrays &)
      TEGULA_REFUSED("a list is never absent, but may be empty: test xs.size() == 0");
  arrays &operator=(const arrays &)
      TEGULA_REFUSED("a list cannot be assigned, because it is a parameter of the entry: add another parameter");
  template <class V>
  void operator=(const V &) const
      TEGULA_REFUSED("a list is a view, not a value: a body stores to an array of it, xs[i, tg::all] = value");
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
/// Any ref: an array, a list, or a view of memory, which has at(...) and [...].
template <class R>
concept ref_like = detail::is_ref<R>;
template <class R>
concept gmem_ref = ref_like<R> && R::space == memory_space::gmem;
template <class R>
concept smem_ref = ref_like<R> && R::space == memory_space::smem;

/// The view with its dimensions permuted: transpose_ref<1, 0>(x). Without axes the last two are exchanged.
/// Cost: none: strides are permuted.
template <int... Axes, class E, memory_space S, int... N>
constexpr auto &transpose_ref(const ref<E, S, N...> &)
  requires(S != memory_space::registers)
{
  using source = ref<E, S, N...>;
  static_assert(detail::permutes<source, Axes...>,
                "the axes are not a permutation: transpose_ref<1, 0>(x) names every dimension of x once");
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
// The extents with the last dimension counted in elements of `to` bytes; invalid if that is not a whole number.
consteval dims recounted(dims d, int from, int to) {
  if (from == to)
    return d;
  if (d.rank == 0 || d.size[d.rank - 1] * from % to != 0)
    return invalid;
  d.size[d.rank - 1] = d.size[d.rank - 1] * from / to;
  return d;
}
} // namespace detail

/// The view with other extents and as many elements, in row-major order, as tg::reshape does for tiles. In tg::kernel.
///   tg::smem<tg::bf16, 4, 64, 64> ring;     tg::copy_gmem_to_smem(x.at(...), tg::reshape_ref<256, 64>(ring), full);
/// Dimensions of a global array can be split, not folded. Shared memory that copies and products use is arranged in
/// panels of rows of 32 to 128 bytes (tg::swizzle): there a panel may be split, and the dimensions before the last two
/// may be folded with the rows if a row is a single panel. Other shared memory takes every shape. Any other reshape is
/// an error of the compiler. Copies take such views of shared memory, but not of arrays.
/// Cost: none: strides change.
template <int... Shape, class E, memory_space S, int... N>
ref<E, S, Shape...> reshape_ref(const ref<E, S, N...> &)
  requires(S != memory_space::registers)
{
  using source = ref<E, S, N...>;
  static_assert(((Shape > 0) && ...), "an extent of reshape_ref is not positive: write reshape_ref<4, 64>(x)");
  static_assert(detail::is_static(source::shape),
                "reshape_ref takes a ref of static extents: take a window first, x.at(tg::ds<64>(start))");
  static_assert(!detail::is_static(source::shape) ||
                    detail::count_of({sizeof...(Shape), {Shape...}}) == detail::count_of(source::shape),
                "the shape of reshape_ref has another number of elements than the ref: their products must be equal");
  return detail::some<ref<E, S, Shape...>>();
}

/// The view with its bytes reinterpreted as elements of another type, as tg::bitcast does for tiles: the last dimension
/// gets as many elements as its bytes hold. In tg::kernel.
///   tg::bitcast_ref<tg::u32>(words)     of a tg::smem<tg::f16, 64, 32>: 64 x 16
/// If the widths differ, the last dimension must be the contiguous one in memory. Wider elements must be aligned to
/// their size: a window must begin at such a multiple (tg::multiple_of promises it), and the host checks the array's
/// address and strides.
/// Cost: none.
template <class As, class E, memory_space S, int... N>
auto bitcast_ref(const ref<E, S, N...> &)
  requires(S != memory_space::registers)
{
  using source = ref<E, S, N...>;
  using element = detail::select_t<__is_const(E), const As, As>;
  constexpr bool are_elements = detail::is_element<As> && !detail::is_packed<As> && !__is_same(As, bool) &&
                                !detail::is_packed<__remove_const(E)> && !__is_same(__remove_const(E), bool);
  static_assert(are_elements,
                "bitcast_ref does not take bools or elements of 4 bits: convert between elements of whole bytes");
  if constexpr (are_elements) {
    static_assert(detail::is_static(source::shape),
                  "bitcast_ref takes a ref of static extents: take a window first, x.at(tg::ds<64>(start))");
    constexpr detail::dims shape = detail::recounted(source::shape, sizeof(E), sizeof(As));
    static_assert(shape.rank >= 0, "the bytes of the last dimension are not a multiple of the new element's size: take "
                                   "a window whose rows are, x.at(...)");
    if constexpr (shape.rank >= 0)
      return detail::some<detail::ref_t<element, S, shape>>();
  } else {
    return detail::some<source>();
  }
}

/// A pinned arrangement of shared memory: see swizzle.
struct transform {
  int swizzle;
};
/// A list in braces: {tg::swizzle(64)}.
struct transform_list {
  transform pinned;
};
/// Pins the swizzle of shared memory: rows are divided into panels of the given width in bytes, 32, 64 or 128. Within
/// each 8 rows of a panel, units of 16 bytes are permuted as TMA and the tensor cores define it, so that accesses of a
/// column use all banks. 16: no swizzle.
/// Cost: none: addresses and copies follow.
consteval transform swizzle(int bytes) { return {bytes}; }

/// Spells out a block parameter's type, for example for an IDE: [](tg::gmem<const float, 64, 128> x, auto o) { ... }
template <class Element, int... Extents> using gmem = ref<Element, memory_space::gmem, Extents...>;

/// Loads the view: load(x) is x[tg::all].
/// Cost: each element once, in coalesced accesses of up to 16 bytes where rows are contiguous and aligned, which the
/// host determines for each call. Elements that are not used are not loaded.
template <class E, memory_space S, int... N>
detail::tile_t<__remove_const(E), detail::dims{sizeof...(N), {N...}}> load(const ref<E, S, N...> &source);

namespace detail {
// Accepts a ref only in order to refuse it with a remedy.
template <class V>
concept given = value<V> || ref_like<V>;
template <class M> inline constexpr bool is_mask = !value<M> || __is_same(element_t<M>, bool);
// A scalar constant converts to the element type; a tile does not.
template <class V, class R> inline constexpr bool adapts_to = true;
template <scalar V, class R> inline constexpr bool adapts_to<V, R> = adapts<element_t<V>, __remove_const(element_t<R>)>;
template <class V, class R> inline constexpr bool fills = !is_tile<V> || __is_same(element_t<V>, element_t<R>);
template <class V, class R> inline constexpr bool covers = !value<V> || broadcasts<V, R>;
} // namespace detail
#define TEGULA_A_MASK "a mask must have bool elements: compare first, mask != 0"
#define TEGULA_MASK_DOES_NOT_BROADCAST                                                                                 \
  "the mask does not broadcast to the shape of the block: mask[tg::all, tg::newaxis] inserts a dimension"

/// Loads the elements where the mask is true, and takes `other` where it is false and beyond the array's end. The
/// result has the extents of the type, also for a boundary block: load(x, true, 0) of a block of 64 elements has 64,
/// and a reduction includes all of them. (Extents that are `any` are those of the ref.) Mask and `other`, tiles or
/// scalars, broadcast to the block; `other` is zero by default.
///
/// Masked-out elements are not accessed and need not exist: an index may lie outside the array, and a window may begin
/// before it, as long as the mask is false there. In tg::kernel, stores to arrays take masks; loads take none.
///     const auto i = tg::iota<tg::s64, 34>() + start - 1;
///     const auto row_and_neighbours = tg::load(x.at(tg::ds<34>(start - 1)), i >= 0, 0);
///
/// Cost: that of a load; a CUDA thread uses vector accesses if the mask is true for all its elements, else scalar ones.
template <class E, memory_space S, int... N, detail::given M, detail::given O>
auto load(const ref<E, S, N...> &, const M &, const O &) {
  using source = ref<E, S, N...>;
  static_assert(value<M> && value<O>, TEGULA_A_PLACE);
  static_assert(detail::is_mask<M>, TEGULA_A_MASK);
  static_assert(detail::adapts_to<O, source>, TEGULA_DOES_NOT_ADAPT);
  static_assert(detail::fills<O, source>, "the element type of `other` differs from the array's, and a load does not "
                                          "convert: write tg::astype<...>(other)");
  static_assert(detail::covers<M, source>, TEGULA_MASK_DOES_NOT_BROADCAST);
  static_assert(detail::covers<O, source>,
                "the value for masked-out elements does not broadcast to the shape of the block");
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
void load(const V &, const R &...) TEGULA_REFUSED(
    "tg::load takes a ref, not a loaded value: write tg::load(x, mask, 0), or for a part tg::load(x.at(i), mask, 0)");

/// Stores a value that broadcasts to the view: store(o, x) is o[tg::all] = x.
/// Cost: each element once, in coalesced accesses of up to 16 bytes where rows are contiguous and aligned.
template <class E, memory_space S, int... N, detail::given V> constexpr void store(const ref<E, S, N...> &, const V &) {
  static_assert(value<V>, TEGULA_A_PLACE);
  static_assert(!__is_const(E), TEGULA_READ_ONLY);
  static_assert(detail::adapts_to<V, ref<E, S, N...>>, TEGULA_DOES_NOT_ADAPT);
  static_assert(detail::fills<V, ref<__remove_const(E), S, N...>>,
                "the element types differ, and a store does not convert: write tg::astype<...>(value)");
  static_assert(detail::covers<V, ref<E, S, N...>>, TEGULA_DOES_NOT_BROADCAST);
}

/// Stores the value where the mask is true; masked-out elements keep their values, and need not exist. Value and mask,
/// tiles or scalars, broadcast to the block; of a boundary block, only elements inside the array are stored.
/// Cost: that of a store; a CUDA thread uses vector accesses if the mask is true for all its elements, else scalar
/// ones.
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
void store(const V &, const R &...) TEGULA_REFUSED("tg::store takes a ref, not a loaded value: write tg::store(o, "
                                                   "value, mask), or for a part tg::store(o.at(i), value, mask)");

#undef TEGULA_A_MASK
#undef TEGULA_MASK_DOES_NOT_BROADCAST

} // namespace tegula
