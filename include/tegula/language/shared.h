// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory of a block, and the copies between it and arrays.
#pragma once

#include "barrier.h"
#include "copy_modes.h"
#include "ref.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// Shared memory of the block, undefined at first: a local variable, declared where every thread of the block passes.
/// How it is arranged (swizzled) follows from its uses.
///   tg::smem<tg::bf16, 4, 128, 64> ring;     tg::copy_gmem_to_smem(x.at(...), ring.at(stage), full.at(stage));
/// Its extents are exact. [...] reads and writes it, by this thread; commit_smem before a copy reads what was written.
///
/// It is there to the end of its scope. Then it may lie where memory of another scope lay: where that one begins, the
/// threads of the block wait for one another, and for the products and copies that still read it. Copies that bring
/// something have been waited for. What is to be there at the same time is declared in one scope, or around it.
///
/// A union of shared memory, and of structs of it, has groups that share memory: a struct is one, whose members are
/// there at the same time. The program sees to it that all threads are done with a group, and what they began with it,
/// before one uses the next: by a barrier, or by commit_smem and the waits for products and copies.
///   union {
///     struct { tg::smem<tg::bf16, 4, 64, 64> a; tg::smem<tg::bf16, 4, 64, 128> b; } operands;
///     tg::smem<float, 64, 128> partial;
///   } shared;                                  tg::wgmma(acc, shared.operands.a.at(i), shared.operands.b.at(i));
template <class Element, int... Extents> struct smem : ref<Element, memory_space::smem, Extents...> {
  static_assert(((Extents > 0) && ...), "shared memory has static extents");
  /// smem<...> s{.transforms = {tg::swizzle(64)}}; else they follow from the uses.
  transform_list transforms;
  using ref<Element, memory_space::smem, Extents...>::operator=;
};

namespace detail {
template <class E, int... N> inline constexpr bool is_ref<smem<E, N...>> = true;
} // namespace detail

/// What a copy to an array makes of an element there, x, and the one that it brings, y. inc: x >= y ? 0 : x + 1;
/// dec: x == 0 || x > y ? y : x - 1.
enum class reduction_op { none, add, min, max, inc, dec, bitwise_and, bitwise_or, bitwise_xor };

/// Behind a copy's barrier: {.collective_axes = {"cn"}}.
struct copy_options {
  /// The blocks along these axes of the cluster copy the same place: each fetches a part of it for all. Every one of
  /// them issues the copy.
  axis_names collective_axes = {};
  /// Where it is false nothing is copied: the copy arrives at its barrier at once, without bytes. Blocks that share a
  /// copy agree on it.
  bool predicate = true;
  /// What elements outside the array become; a constant.
  oob_fill oob_mode = oob_fill::zeros;
  /// A constant: {.l2_eviction = tg::evict_first}.
  eviction l2_eviction = eviction::normal;
};
/// Behind the places of a copy to an array.
struct store_options {
  /// Where it is false nothing is copied; a group that the copy would be is there, and empty.
  bool predicate = true;
  /// The copy is a group of its own. Without it, commit_smem_to_gmem_group makes one of several.
  bool commit_group = true;
  /// Each element of the array is combined with the one that is copied, in one step among those of all blocks, in no
  /// order; a constant. add: f16, bf16, float, and integers of 32 and 64 bits; min, max: f16, bf16 and these integers;
  /// inc, dec: u32; bitwise_and, bitwise_or, bitwise_xor: these integers. Sums of floats round to nearest, and
  /// subnormal numbers are numbers like others: on an H100, too, though the PTX ISA (cp.reduce.async.bulk) lets an
  /// implementation take those of float for zeros.
  reduction_op reduction = reduction_op::none;
  /// promise_in_bounds: nothing of the window is outside, which the CPU checks, and a run is copied as in copy_options.
  /// A constant.
  oob_fill oob_mode = oob_fill::zeros;
  /// A constant.
  eviction l2_eviction = eviction::normal;
};

/// Behind the place of async_prefetch.
struct prefetch_options {
  /// The blocks along these axes of the cluster prefetch the same place: each fetches a part of it. Every one of them
  /// issues the prefetch.
  axis_names collective_axes = {};
  /// Where it is false nothing is fetched.
  bool predicate = true;
  /// A constant.
  eviction l2_eviction = eviction::normal;
};

namespace detail {
// Extents of 1 apart.
consteval bool same_extents(dims a, dims b) {
  int i = 0, j = 0;
  while (true) {
    while (i < a.rank && a.size[i] == 1)
      ++i;
    while (j < b.rank && b.size[j] == 1)
      ++j;
    if (i == a.rank || j == b.rank)
      return i == a.rank && j == b.rank;
    if (a.size[i++] != b.size[j++])
      return false;
  }
}
template <class A, class B> inline constexpr bool same_shape = same_extents(A::shape, B::shape);

template <class To> inline constexpr bool is_writable = true;
template <class E, memory_space S, int... N> inline constexpr bool is_writable<ref<const E, S, N...>> = false;
template <class E, int Rank> inline constexpr bool is_writable<array<const E, Rank>> = false;

template <class From, class To> constexpr void check_copy() {
  static_assert(same_elements<From, To>, "a copy does not convert elements");
  static_assert(same_shape<From, To>, "the source and the target of a copy have the same extents: cut one by .at(...)");
  static_assert(is_writable<To>, TEGULA_READ_ONLY);
}
} // namespace detail

// TMA counts in units of 16 bytes: rows of arrays and windows are multiples of them, and so is where a window begins
// along the last dimension, also before the array. In shared memory copies begin at multiples of 128 bytes. Elements of
// an array lie next to each other along its last dimension, or along that of the view that is copied, transpose_ref(x):
// a matrix that is stored column by column is copied by its columns.

/// Begins a copy from an array, by TMA. It is one arrival at the barrier, whose phase ends when all bytes are there.
/// What lies outside the array is 0.
///   tg::copy_gmem_to_smem(x.at(tg::ds<64>(64 * i)), buffer, full);
///   tg::barrier_wait(full);
/// Cost: a lane issues a TMA copy for each box of up to 256 elements along each dimension (PTX ISA,
/// cp.async.bulk.tensor), and the thread goes on: no registers, no instructions of other lanes. Blocks that share a
/// copy read a part of it each from L2.
template <class G, class S>
constexpr void copy_gmem_to_smem(const G &, const S &, barrier_ref, const copy_options & = {}) {
  constexpr bool are_places = gmem_ref<G> && smem_ref<S>;
  static_assert(are_places, "copy_gmem_to_smem copies an array, or a part of one, to shared memory");
  if constexpr (are_places)
    detail::check_copy<G, S>();
}
template <class G, class S>
void copy_gmem_to_smem(const G &, const S &)
    TEGULA_REFUSED("a copy from an array completes on a barrier: copy_gmem_to_smem(source, target, barrier)");

/// Begins to bring a window of an array into the L2 cache, by TMA (PTX ISA, cp.async.bulk.prefetch.tensor): a copy of
/// it that is issued later takes less time. It changes nothing that the program computes, and nothing waits for it. The
/// rules for arrays are those of copies; a window is fetched in whole units of 16 bytes. On the CPU nothing happens.
/// Cost: a lane issues an instruction for each box; the bytes are read from memory, by blocks that share the prefetch
/// once.
template <class G> constexpr void async_prefetch(const G &, const prefetch_options & = {}) {
  static_assert(gmem_ref<G>, "async_prefetch fetches an array, or a part of one");
}

/// Begins a copy to an array, by TMA. What would lie behind the array's end is left away; the window does not begin
/// before the array. wait_smem_to_gmem waits for it.
/// Cost: a lane issues a TMA copy for each box, and the thread goes on.
template <class S, class G> constexpr void copy_smem_to_gmem(const S &, const G &, const store_options & = {}) {
  constexpr bool are_places = smem_ref<S> && gmem_ref<G>;
  static_assert(are_places, "copy_smem_to_gmem copies shared memory to an array, or to a part of one");
  if constexpr (are_places)
    detail::check_copy<S, G>();
}

/// The shared memory that another block of the cluster has at the place of this one's: of the block that stands at the
/// index along the axis, and along the others where this one stands. Threads load it, store to it, and update it:
///   o[rows] = mine[tg::all] + tg::load(tg::cluster_ref(mine, {"half", 1}));
///   tg::atomic_add(tg::cluster_ref(counts, {"half", 0}), row);
/// What they find there, the other block has written before both arrived at a cluster_barrier; and it leaves its
/// memory alone until they have arrived at one again. Copies and products take memory of their own block. Elements of
/// 64 bits are updated by sums of integers alone. An index that the axis does not have is an error on the CPU. Hopper
/// and later.
/// Cost: accesses are as wide as those of the block's own memory, with an instruction more for each (PTX ISA, mapa),
/// and take longer.
template <class E, int... N>
ref<E, memory_space::cluster, N...> cluster_ref(const ref<E, memory_space::smem, N...> &window, sized_axis block);
template <class V>
  requires(!smem_ref<V>)
void cluster_ref(const V &, sized_axis)
    TEGULA_REFUSED("tg::cluster_ref takes shared memory of this block, tg::smem, or a window of it");

/// Begins to store a tile to the shared memory of another block, tg::cluster_ref(target, block), which may be this one.
/// It is one arrival at the barrier there, whose phase ends when all bytes are there, too:
///   tg::async_store_smem(acc[tg::all], partial, arrived, {"half", 0});     // in the block that stands at 1
///   tg::barrier_wait(arrived);                                             // in the one that stands at 0
/// The other block is done with what was there before: a cluster_barrier tells. What has arrived its threads read at
/// once; commit_smem comes before copies and products do. With an operation, as of a copy to an array, each element
/// becomes the combination of what is there and what comes: s32 and u32 by all of them (inc, dec: u32), integers of 64
/// bits by add.
/// Cost: a store instruction for up to 16 bytes of each lane (PTX ISA, st.async), or for each element that is combined
/// (red.async). Nobody waits for it here. A lane has 4 bytes side by side at least: an accumulator's elements of 16
/// bits, but not those of 8, have.
template <class V, class E, int... N>
constexpr void async_store_smem(const V &, const ref<E, memory_space::smem, N...> &, barrier_ref, sized_axis,
                                reduction_op = reduction_op::none) {
  using target = ref<__remove_const(E), memory_space::smem, N...>;
  static_assert(!ref_like<V>, TEGULA_A_PLACE);
  static_assert(ref_like<V> || detail::is_tile<V>, "async_store_smem stores a tile: make one of a number, "
                                                   "tg::full<float, 64>(x)");
  static_assert(!__is_const(E), TEGULA_READ_ONLY);
  static_assert(sizeof...(N) > 0, "async_store_smem stores to a window of one dimension or more");
  if constexpr (detail::is_tile<V>) {
    static_assert(detail::same_elements<V, target>, "async_store_smem does not convert elements: write "
                                                    "tg::astype<...>(value)");
    static_assert(!detail::same_elements<V, target> || __is_same(V, tile<__remove_const(E), N...>),
                  "the tile has the extents of the shared memory that it is stored to");
  }
}
template <class V, class R>
  requires(!smem_ref<R>)
void async_store_smem(const V &, const R &, barrier_ref, sized_axis, reduction_op = reduction_op::none)
    TEGULA_REFUSED("tg::async_store_smem takes the window of shared memory as this block has it, and the other block "
                   "behind the barrier: async_store_smem(tile, window, barrier, {\"axis\", index})");

/// What this thread wrote to shared memory is seen by the copies and products that are issued after.
/// Cost: a fence (PTX ISA, fence.proxy.async), and the four warps synchronize.
void commit_smem();
/// Makes the copies to arrays since the last group a group.
/// Cost: one instruction.
void commit_smem_to_gmem_group();
/// Waits until at most N groups of copies to arrays are in flight; read_only, until they have read their sources.
/// Cost: the time until that is so, and the four warps synchronize.
template <int N> constexpr void wait_smem_to_gmem(bool read_only = false) {
  static_assert(N >= 0, "wait_smem_to_gmem<N> names how many groups may be in flight");
}

} // namespace tegula
