// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block specs: how a launch divides an array into the blocks that its programs get.
#pragma once

#include "axes.h"
#include "copy_modes.h"
#include "ref.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// A coordinate of an index map in elements instead of blocks: the block starts at this element.
struct element {
  s64 offset;
  explicit constexpr element(s64 n) : offset(n) {}
};

namespace detail {
template <class C> inline constexpr bool is_coordinate = __is_integral(C) || is_constant<C> || __is_same(C, element);
} // namespace detail

/// The result type of an index map: see index.
template <int Rank> struct block_index {};
/// The block's index in each dimension of the array: the block starts at index * extent of the block, or at the offset
/// if the coordinate is tg::element(offset). In a tg::whole dimension the index is 0; in a tg::squeezed dimension it
/// counts elements.
///   [](auto i, auto j) { return tg::index(i, 0, j); }
/// Cost: integer arithmetic, once a program.
template <class... C>
  requires(detail::is_coordinate<C> && ...)
block_index<sizeof...(C)> index(C... coordinates);

/// A block shape that is known at run time.
template <int Rank> struct extents {
  s64 size[Rank];
};

/// Options of a spec that is used in a pipeline (pipeline.h).
struct spec_options {
  /// Pins how its buffers are swizzled: {tg::swizzle(64)}. If not given, it follows from their uses.
  transform_list transforms = {};
  /// How many further steps the block stays valid after its step, a constant. If not given, the pipeline's
  /// delay_release.
  int delay_release = -1;
  /// The CTAs of the cluster along these axes use the same block of the array, and share the copy (TMA multicast).
  axis_names collective_axes = {};
  /// The value of elements outside the array, a constant. A block that is copied to the array takes promise_in_bounds,
  /// or nothing.
  oob_fill oob_mode = oob_fill::zeros;
  /// The L2 eviction priority of the copies, a constant: {.l2_eviction = tg::evict_first}.
  eviction l2_eviction = eviction::normal;
  /// The number of buffers of the block, a constant. If not given, the pipeline's max_concurrent_steps; one if all
  /// steps use the same block.
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

// A map is accepted if it is callable with some number of indices: the rank of the grid is not part of a type.
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

// Replaces a spec that was refused, so that no body is instantiated with it.
struct refused_spec {};

template <class Element, int Rank, int... Block, class Map> constexpr auto cut(Map &map) {
  constexpr bool is_of_rank = sizeof...(Block) == Rank, is_sized = ((Block >= whole) && ...);
  static_assert(
      is_of_rank,
      "the block has another rank than its array: give one extent per dimension; tg::whole and tg::squeezed count");
  static_assert(is_sized, "an extent of the block is not valid: write a positive number, tg::whole or tg::squeezed");
  constexpr bool is_mapped = maps_to_blocks<Map, Rank>;
  static_assert(is_mapped, "the index map does not fit: it takes one index per grid axis and returns tg::index(...) "
                           "with one entry per dimension of its array");
  call_with_indices(map);
  if constexpr (is_of_rank && is_sized && is_mapped)
    return block_spec<Element, Block...>{};
  else
    return refused_spec{};
}
template <class> inline constexpr bool has_index_map = false;
template <class Element, int... Block> constexpr block_spec<Element, Block...> cut_without_map() {
  static_assert(has_index_map<block_spec<Element, Block...>>,
                "a block needs an index map from grid indices to block indices: [](auto i) { return tg::index(i); }");
  return {};
}
} // namespace detail

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

/// in, out, partial_out, inout: an array that the body reads, writes, or both, and how it is divided into blocks. A
/// block is a view.
///   in(x)                         the whole array
///   in<64, 128>(x, map)           static blocks; tg::whole and tg::squeezed are extents too
///   in(x, {rows, columns}, map)   run-time blocks
/// A block as large as its array, in<128>(x, [] { return tg::index(0); }), may extend past the array's end as any block
/// may. It combines with tiles of 128 if the host checks the extent before the launch:
///   tg::check(x.dim(0) == 128, "x has 128 elements");
/// The index map gives a program's block: [](auto i, auto j) { return tg::index(i, j); }. Blocks may extend past the
/// array's end. The grid must cover every `out`; elements that a program does not store are undefined, and so is a load
/// of an `out` before it is stored. On the CPU, a program that stores only a part of its own block of an `out` is an
/// error; a masked store counts for its whole window. `partial_out` waives both checks: elements that nobody stores
/// keep their values, such as those after the last result of a compaction (scans.h). Like an `out`, it must not be read
/// before it is stored; an `inout` may be.
/// Programs run concurrently: one that reads what another one stores gets the old value or the new one. The compiler
/// warns where it can prove this; otherwise a run on the CPU ends with an error. A load counts for its whole window; a
/// masked load counts where the mask is true.
///
/// Cost: an address, once a program. Nothing is copied: the body's own loads and stores access the array, and a block
/// that it does not read is not loaded. In a pipeline (pipeline.h) each block is copied to shared memory, or from it.
TEGULA_SPEC(in, const E)

/// An array that the body stores to, all of it, and its blocks: see in.
/// Cost: as in.
TEGULA_SPEC(out, E)

/// An array that the body stores to in part, and its blocks: see in. Elements that nobody stores keep their values.
/// Cost: as in.
TEGULA_SPEC(partial_out, E)

/// An array that the body loads and stores, and its blocks: see in.
/// Cost: as in.
TEGULA_SPEC(inout, E)
#undef TEGULA_SPEC

} // namespace tegula
