// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory of a CTA, TMA copies between it and arrays, and shared memory of other CTAs of the cluster.
#pragma once

#include "barrier.h"
#include "copy_modes.h"
#include "ref.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// Shared memory of the CTA, initially undefined. It is a local variable, declared where every warpgroup of the CTA
/// passes. Its swizzle is inferred from its uses.
///   tg::smem<tg::bf16, 4, 128, 64> ring;     tg::copy_gmem_to_smem(x.at(...), ring.at(stage), full.at(stage));
/// Its extents are exact. [...] loads and stores it from this warpgroup; call commit_smem before a copy reads what was
/// stored.
///
/// Its lifetime is its scope; memory of a later scope may overlap it. Where the later scope begins, the warpgroups of
/// the CTA synchronize, and wait for the products and copies that still read the old contents. Copies into shared
/// memory must have been waited for before its scope ends. Memory that must exist at the same time is declared in one
/// scope, or in an enclosing one.
///
/// A union of shared memory, and of structs of it, overlaps its members: a struct member is a group that exists at the
/// same time. Before one member is used after another, the program must make sure that all warpgroups, and the
/// operations that they issued, have finished with the previous one: by a barrier, or by commit_smem and the waits for
/// products and copies.
///   union {
///     struct { tg::smem<tg::bf16, 4, 64, 64> a; tg::smem<tg::bf16, 4, 64, 128> b; } operands;
///     tg::smem<float, 64, 128> partial;
///   } shared;                                  tg::wgmma(acc, shared.operands.a.at(i), shared.operands.b.at(i));
template <class Element, int... Extents> struct smem : ref<Element, memory_space::smem, Extents...> {
  static_assert(((Extents > 0) && ...),
                "an extent of shared memory is not a positive constant: write tg::smem<float, 64, 64>");
  /// smem<...> s{.transforms = {tg::swizzle(64)}} pins the swizzle; by default it is inferred from the uses.
  transform_list transforms;
  using ref<Element, memory_space::smem, Extents...>::operator=;
};

namespace detail {
template <class E, int... N> inline constexpr bool is_ref<smem<E, N...>> = true;
} // namespace detail

/// How a copy to an array, or async_store_smem, combines the element x in the target with the element y that it brings.
/// inc: x >= y ? 0 : x + 1; dec: x == 0 || x > y ? y : x - 1.
enum class reduction_op { none, add, min, max, inc, dec, bitwise_and, bitwise_or, bitwise_xor };

/// Trailing options of copy_gmem_to_smem: {.collective_axes = {"cn"}}.
struct copy_options {
  /// The CTAs along these axes of the cluster copy the same window: each fetches a part of it for all of them (TMA
  /// multicast). Every one of them issues the copy.
  axis_names collective_axes = {};
  /// If false, nothing is copied: the copy arrives at its barrier at once, without bytes. CTAs that share a copy must
  /// pass the same value.
  bool predicate = true;
  /// The value of elements outside the array; a constant.
  oob_fill oob_mode = oob_fill::zeros;
  /// The L2 eviction priority; a constant: {.l2_eviction = tg::evict_first}.
  eviction l2_eviction = eviction::normal;
};
/// Trailing options of copy_smem_to_gmem.
struct store_options {
  /// If false, nothing is copied; the group that the copy would form still exists, and is empty.
  bool predicate = true;
  /// The copy forms a group of its own. If false, commit_smem_to_gmem_group forms one group of several copies.
  bool commit_group = true;
  /// Combines each copied element with the array's atomically, in no order among CTAs; a constant. add: f16, bf16,
  /// float, and integers of 32 and 64 bits; min, max: f16, bf16 and these integers; inc, dec: u32; bitwise_and,
  /// bitwise_or, bitwise_xor: these integers. Sums of floats round to nearest and keep subnormal numbers, on
  /// an H100, too, though the PTX ISA (cp.reduce.async.bulk) lets an implementation flush those of float to zero.
  reduction_op reduction = reduction_op::none;
  /// promise_in_bounds: the whole window is in bounds, which the CPU checks, and a contiguous run is copied as oob_fill
  /// says. A constant.
  oob_fill oob_mode = oob_fill::zeros;
  /// The L2 eviction priority; a constant.
  eviction l2_eviction = eviction::normal;
};

/// Trailing options of async_prefetch.
struct prefetch_options {
  /// The CTAs along these axes of the cluster prefetch the same window: each fetches a part of it. Every one of them
  /// issues the prefetch.
  axis_names collective_axes = {};
  /// If false, nothing is fetched.
  bool predicate = true;
  /// The L2 eviction priority; a constant.
  eviction l2_eviction = eviction::normal;
};

namespace detail {
// Compares shapes, ignoring extents of 1.
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
  static_assert(
      same_elements<From, To>,
      "the element types of the source and the target differ, and a copy does not convert: give both the same type");
  static_assert(same_shape<From, To>,
                "the source and the target of a copy differ in extents: take a window of one by .at(...)");
  static_assert(is_writable<To>, TEGULA_READ_ONLY);
}
} // namespace detail

// TMA counts in units of 16 bytes. Rows of arrays and windows must be multiples of 16 bytes, and so must the start of a
// window along the last dimension, also in front of the array. In shared memory, copies start at multiples of 128
// bytes. The last dimension of the array, or of the view that is copied, must be contiguous: copy a column-major matrix
// as transpose_ref(x).

/// Starts a TMA copy from an array to shared memory. It is one arrival at the barrier, whose phase completes when all
/// bytes have arrived. Elements outside the array become 0, or what .oob_mode says.
///   tg::copy_gmem_to_smem(x.at(tg::ds<64>(64 * i)), buffer, full);
///   tg::barrier_wait(full);
/// Cost: one CUDA thread issues a TMA copy for each box of up to 256 elements along each dimension (PTX ISA,
/// cp.async.bulk.tensor), and the warpgroup goes on: no registers, no instructions of other threads. CTAs that share a
/// copy each read a part of it from L2.
template <class G, class S>
constexpr void copy_gmem_to_smem(const G &, const S &, barrier_ref, const copy_options & = {}) {
  constexpr bool are_places = gmem_ref<G> && smem_ref<S>;
  static_assert(are_places, "copy_gmem_to_smem takes an array, or a window of one, and then shared memory");
  if constexpr (are_places)
    detail::check_copy<G, S>();
}
template <class G, class S>
void copy_gmem_to_smem(const G &, const S &) TEGULA_REFUSED(
    "a copy from an array completes on a barrier, which is missing: copy_gmem_to_smem(source, target, barrier)");

/// Starts a TMA prefetch of a window of an array into L2 (PTX ISA, cp.async.bulk.prefetch.tensor): a later copy of the
/// window takes less time. It does not change any result, and nothing waits for it. The window follows the rules of
/// copies; whole units of 16 bytes are fetched. On the CPU it does nothing.
/// Cost: one CUDA thread issues an instruction for each box; CTAs that share the prefetch read the bytes from DRAM
/// once.
template <class G> constexpr void async_prefetch(const G &, const prefetch_options & = {}) {
  static_assert(gmem_ref<G>, "async_prefetch takes an array, or a window of one: x.at(...)");
}

/// Starts a TMA copy from shared memory to an array. Elements beyond the array's end are not written; the window must
/// not start in front of the array. wait_smem_to_gmem waits for the copy.
/// Cost: one CUDA thread issues a TMA copy for each box, and the warpgroup goes on.
template <class S, class G> constexpr void copy_smem_to_gmem(const S &, const G &, const store_options & = {}) {
  constexpr bool are_places = smem_ref<S> && gmem_ref<G>;
  static_assert(are_places, "copy_smem_to_gmem takes shared memory, and then an array or a window of one");
  if constexpr (are_places)
    detail::check_copy<S, G>();
}

/// The same shared memory in another CTA of the cluster: the one that has the given index along the axis, and this
/// CTA's indices along the other axes. Warpgroups can load, store and atomically update it:
///   o[rows] = mine[tg::all] + tg::load(tg::cluster_ref(mine, {"half", 1}));
///   tg::atomic_add(tg::cluster_ref(counts, {"half", 0}), row);
/// A cluster_barrier must order the accesses: the other CTA arrives after its writes and before these accesses, and
/// leaves its memory unchanged until both arrive again. Copies and wgmma take only the CTA's own shared memory. For
/// elements of 64 bits, the only atomic update is an integer add. An index outside the axis is an error on the CPU.
/// Hopper and later.
/// Cost: accesses are as wide as those of the CTA's own memory, with one more instruction each (PTX ISA, mapa), and
/// have a longer latency.
template <class E, int... N>
ref<E, memory_space::cluster, N...> cluster_ref(const ref<E, memory_space::smem, N...> &window, sized_axis block);
template <class V>
  requires(!smem_ref<V>)
void cluster_ref(const V &, sized_axis)
    TEGULA_REFUSED("tg::cluster_ref takes shared memory of this CTA: a tg::smem, or a window of one");

/// Starts a store of a tile to the shared memory of another CTA, tg::cluster_ref(target, block), or of this one. It is
/// one arrival at the barrier in that CTA, whose phase completes when all bytes have arrived:
///   tg::async_store_smem(acc[tg::all], partial, arrived, {"half", 0});     // in the CTA at index 1
///   tg::barrier_wait(arrived);                                             // in the CTA at index 0
/// The other CTA must have finished with the old contents, for example by a cluster_barrier. Its warpgroups may read
/// the tile right after the wait; they call commit_smem before copies and products read it. With a reduction_op, each
/// element is combined with the old one, as in a copy to an array: s32 and u32 by all operations (inc, dec: u32),
/// integers of 64 bits by add.
/// Cost: one store instruction for up to 16 bytes of each CUDA thread (PTX ISA, st.async), or one for each element that
/// is combined (red.async). This warpgroup does not wait. Each thread must hold at least 4 contiguous bytes of a row:
/// an accumulator of 16-bit elements has them, one of 8-bit elements does not.
template <class V, class E, int... N>
constexpr void async_store_smem(const V &, const ref<E, memory_space::smem, N...> &, barrier_ref, sized_axis,
                                reduction_op = reduction_op::none) {
  using target = ref<__remove_const(E), memory_space::smem, N...>;
  static_assert(!ref_like<V>, TEGULA_A_PLACE);
  static_assert(ref_like<V> || detail::is_tile<V>,
                "async_store_smem takes a tile, not a number: make one, tg::full<float, 64>(x)");
  static_assert(!__is_const(E), TEGULA_READ_ONLY);
  static_assert(
      sizeof...(N) > 0,
      "async_store_smem does not store to a window of rank 0: take one of one dimension or more, s.at(tg::ds<1>(i))");
  if constexpr (detail::is_tile<V>) {
    static_assert(detail::same_elements<V, target>,
                  "the element types differ, and async_store_smem does not convert: write tg::astype<...>(value)");
    static_assert(!detail::same_elements<V, target> || __is_same(V, tile<__remove_const(E), N...>),
                  "the tile and the shared memory that it is stored to differ in extents: take a window by .at(...)");
  }
}
template <class V, class R>
  requires(!smem_ref<R>)
void async_store_smem(const V &, const R &, barrier_ref, sized_axis, reduction_op = reduction_op::none)
    TEGULA_REFUSED("tg::async_store_smem takes this CTA's own view of the shared memory, and the other CTA as its last "
                   "argument: async_store_smem(tile, window, barrier, {\"axis\", index})");

/// Makes this warpgroup's writes to shared memory visible to the copies and products that are issued later.
/// Cost: a fence (PTX ISA, fence.proxy.async), and the four warps synchronize.
void commit_smem();
/// Forms a group of the copies to arrays since the last group.
/// Cost: one instruction.
void commit_smem_to_gmem_group();
/// Waits until at most N groups of copies to arrays are in flight; with read_only, until all but N groups have read
/// their sources.
/// Cost: the waiting time, and the four warps synchronize.
template <int N> constexpr void wait_smem_to_gmem(bool read_only = false) {
  static_assert(N >= 0,
                "the count of wait_smem_to_gmem<N> is negative: N is the number of groups that may be in flight");
}

} // namespace tegula
