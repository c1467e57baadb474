// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block specs: how a launch cuts an array into the blocks that its programs see.
#pragma once

#include "axes.h"
#include "copy_modes.h"
#include "ref.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// A coordinate of an index map that counts elements, not blocks: the block starts there.
struct element {
  s64 offset;
  explicit constexpr element(s64 n) : offset(n) {}
};

namespace detail {
template <class C> inline constexpr bool is_coordinate = __is_integral(C) || is_constant<C> || __is_same(C, element);
} // namespace detail

/// What an index map returns: see index.
template <int Rank> struct block_index {};
/// The block's index in each dimension of the array: the block starts at index * extent of the block, or, for a
/// coordinate tg::element(offset), at the offset. In a dimension that is whole the index is 0; in a squeezed one it
/// counts elements.
///   [](auto i, auto j) { return tg::index(i, 0, j); }
/// Cost: integer arithmetic, once a program.
template <class... C>
  requires(detail::is_coordinate<C> && ...)
block_index<sizeof...(C)> index(C... coordinates);

/// A block's shape, known at run time.
template <int Rank> struct extents {
  s64 size[Rank];
};

/// What a pipeline (pipeline.h) may know of a block more.
struct spec_options {
  /// How its buffers are arranged: {tg::swizzle(64)}. Not given: as their uses want it.
  transform_list transforms = {};
  /// For how many steps more the block stays than its step, a constant. Not given: what the pipeline says.
  int delay_release = -1;
  /// The blocks of the cluster along these axes have the same block of the array, and share the copying.
  axis_names collective_axes = {};
  /// What elements outside the array become, a constant. A block that goes out takes promise_in_bounds, or nothing.
  oob_fill oob_mode = oob_fill::zeros;
  /// When L2 gives up the lines of the copies, a constant: {.l2_eviction = tg::evict_first}.
  eviction l2_eviction = eviction::normal;
  /// How many buffers the block has, a constant. Not given: as many as the pipeline has steps at once; one, if it is
  /// the same block in all steps.
  int buffers = 0;
};

namespace detail {
template <class Element, int... Block> struct block_spec {
  using view = ref_t<Element, memory_space::gmem, without_squeezed({sizeof...(Block), {Block...}})>;
  using smem_view = ref_t<Element, memory_space::smem, without_squeezed({sizeof...(Block), {Block...}})>;
  static constexpr bool is_static = ((Block >= 0) && ...);
};

template <class A, class B>
concept same = __is_same(A, B);

// A map of several indices is accepted if it fits for some number of them: the rank of the grid is not in a type.
template <class Map, int Rank, class... I> consteval bool takes_indices() {
  if constexpr (requires(Map &map, I... i) {
                  { map(i...) } -> same<block_index<Rank>>;
                })
    return true;
  else if constexpr (sizeof...(I) < max_rank)
    return takes_indices<Map, Rank, I..., s64>();
  else
    return false;
}
template <class Map, int Rank> inline constexpr bool maps_to_blocks = takes_indices<Map, Rank>();

// Calls a map with every number of indices that it takes, which instantiates it.
template <class Map, class... I> constexpr void call_with_indices(Map &map, I... i) {
  if constexpr (requires { map(i...); })
    (void)map(i...);
  if constexpr (sizeof...(I) < max_rank)
    call_with_indices(map, i..., s64{});
}

// In place of a spec that was refused: no body is run on it.
struct refused_spec {};

template <class Element, int Rank, int... Block, class Map> constexpr auto cut(Map &map) {
  constexpr bool is_of_rank = sizeof...(Block) == Rank, is_sized = ((Block >= whole) && ...);
  static_assert(is_of_rank, "a block has one extent per dimension of its array; tg::whole and tg::squeezed count");
  static_assert(is_sized, "a block's extent is positive, tg::whole or tg::squeezed");
  constexpr bool is_mapped = maps_to_blocks<Map, Rank>;
  static_assert(is_mapped, "an index map takes one index per grid axis and returns tg::index(...), one entry per "
                           "dimension of its array");
  call_with_indices(map);
  if constexpr (is_of_rank && is_sized && is_mapped)
    return block_spec<Element, Block...>{};
  else
    return refused_spec{};
}
template <class> inline constexpr bool has_index_map = false;
template <class Element, int... Block> constexpr block_spec<Element, Block...> cut_without_map() {
  static_assert(
      has_index_map<block_spec<Element, Block...>>,
      "a block needs an index map, from the grid's indices to the block's: [](auto i) { return tg::index(i); }");
  return {};
}
} // namespace detail

/// in, out, partial_out, inout: an array that the body reads, writes, or both, and how it is cut into blocks. A block
/// is a view.
///   in(x)                         the whole array
///   in<64, 128>(x, map)           static blocks; tg::whole and tg::squeezed are extents too
///   in(x, {rows, columns}, map)   run-time blocks
/// A block as large as its array, in<128>(x, [] { return tg::index(0); }), has all of its elements, and is combined
/// with tiles of 128, where the host says so in front of the launch:
///   tg::check(x.dim(0) == 128, "x has 128 elements");
/// The map says which block a program sees: [](auto i, auto j) { return tg::index(i, j); }. Blocks may extend past the
/// array's end. The grid covers every `out`; what a program does not store is undefined, and so is what it reads there
/// before. On the CPU, a program that stores to only a part of its own block of an `out` is an error; a store with a
/// mask counts for all of its window. `partial_out` waives both checks: elements that nobody stores to keep what they
/// hold, as those behind the last result of a compaction (scans.h) do. As an `out` it is not read before it is stored
/// to; an `inout` is.
/// Programs run at the same time: one that reads what another stores finds the old value or the new one. Where the
/// compiler can tell, it warns; where it cannot, a run on the CPU ends with an error. A load counts for all of its
/// window, with a mask for where that holds.
///
/// Cost: an address, once a program. Nothing is copied: the body's reads and writes are what memory sees, and a block
/// that it does not read is not loaded. In a pipeline (pipeline.h) each block is copied to shared memory, or from it.
#define TEGULA_SPEC(name, Element)                                                                                     \
  template <class E, int... N> constexpr auto name(const ref<E, memory_space::gmem, N...> &) {                         \
    return detail::block_spec<Element, N...>{};                                                                        \
  }                                                                                                                    \
  template <int... Block, class E, int... N, class Map>                                                                \
  constexpr auto name(const ref<E, memory_space::gmem, N...> &, Map map, const spec_options & = {}) {                  \
    return detail::cut<Element, sizeof...(N), Block...>(map);                                                          \
  }                                                                                                                    \
  template <class E, int... N, class Map>                                                                              \
  constexpr auto name(const ref<E, memory_space::gmem, N...> &, const extents<sizeof...(N)> &, Map map) {              \
    return detail::cut<Element, sizeof...(N), (void(N), any)...>(map);                                                 \
  }                                                                                                                    \
  template <int Extent, int... Block, class E, int... N>                                                               \
  constexpr auto name(const ref<E, memory_space::gmem, N...> &) {                                                      \
    return detail::cut_without_map<Element, Extent, Block...>();                                                       \
  }                                                                                                                    \
  template <class E, int... N>                                                                                         \
  constexpr auto name(const ref<E, memory_space::gmem, N...> &, const extents<sizeof...(N)> &) {                       \
    return detail::cut_without_map<Element, (void(N), any)...>();                                                      \
  }
TEGULA_SPEC(in, const E)
TEGULA_SPEC(out, E)
TEGULA_SPEC(partial_out, E)
TEGULA_SPEC(inout, E)
#undef TEGULA_SPEC

} // namespace tegula
