// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of a `thread` of the explicit level, that is a warpgroup. Each function has the meaning of the op of
// its name in the tile IR, and takes a source location for messages and checkers.

#ifndef TEGULA_CPU_EXPLICIT_THREAD_H
#define TEGULA_CPU_EXPLICIT_THREAD_H

#include "tegula/cpu/explicit/accumulator.h"
#include "tegula/cpu/explicit/window.h"

#include <functional>
#include <initializer_list>

namespace tegula::cpu {

namespace detail {
class warpgroup;
}

/// Barriers of a CTA: `first`, `first` + 1...
struct barriers {
  int first, count;
};
/// Named barriers of a CTA, likewise.
struct named_barriers {
  int first, count;
};

/// The warps of a warpgroup.
inline constexpr int warps_of_thread = 4;

/// The value that a copy gives elements outside the array (tegula::oob_fill); undefined ones are NaN, or all ones. With
/// `none`, their existence is an error.
enum class outside { zeros, nan, undefined, none };

/// How a copy combines an element of an array with the one that it brings (tegula::reduction_op).
enum class copy_reduction { none, add, min, max, inc, dec, bitwise_and, bitwise_or, bitwise_xor };

/// The CTAs in which an arrival at a cluster barrier counts: those that differ from the arriving one along exactly one
/// of its axes, or along any, or the one at index 0 along its only axis.
enum class counts_at { crossing, all, leader };

class thread {
public:
  explicit thread(detail::warpgroup &self) noexcept : self_(self) {}
  thread(const thread &) = delete;
  thread &operator=(const thread &) = delete;

  // ----- where it stands

  std::int64_t index() const noexcept; ///< Which of the block's threads this is.
  std::int64_t program(int axis) const noexcept;
  std::int64_t programs(int axis) const noexcept;
  std::int64_t cluster_index(int axis) const noexcept;
  std::int64_t cluster_rank() const noexcept;
  std::int64_t cluster_id() const noexcept;

  // ----- shared memory: NaN, or all ones, until it is written

  /// The allocation of this number: the same memory for all warpgroups of the CTA.
  template <class T, int Rank> ref<T, Rank> shared(const site &where, int number, const shape<Rank> &dims) {
    void *data = allocate(where, number, static_cast<std::int64_t>(sizeof(T)) * size_of(dims));
    return {static_cast<T *>(data), dims, dense_strides(dims)};
  }
  /// The memory of a union, and of a member at this byte offset.
  std::byte *shared_bytes(const site &where, int number, std::int64_t bytes) {
    return static_cast<std::byte *>(allocate(where, number, bytes));
  }
  template <class T, int Rank>
  ref<T, Rank> member(std::byte *of, std::int64_t offset, const shape<Rank> &dims) const noexcept {
    return {reinterpret_cast<T *>(of + offset), dims, dense_strides(dims)};
  }
  /// Ends the warpgroup's scope of this allocation. When it has ended for all warpgroups of the CTA, the memory is
  /// undefined again.
  void free(const site &where, int number);
  /// Called before the warpgroup reads or writes memory; windows of global memory must be entirely inside the array.
  template <class T, int Rank> ref<const T, Rank> read(const site &where, const ref<T, Rank> &place) {
    access(where, region_of(place), access_kind::read);
    return place;
  }
  template <class T, int Rank> ref<T, Rank> write(const site &where, const ref<T, Rank> &place) {
    access(where, region_of(place), access_kind::write);
    return place;
  }
  /// Called before it updates elements, each atomically.
  template <class T, int Rank> ref<T, Rank> update(const site &where, const ref<T, Rank> &place) {
    access(where, region_of(place), access_kind::update);
    return place;
  }
  template <class T, int A, int Rank> ref<const T, Rank> read(const site &where, const window<T, A, Rank> &place) {
    return read(where, place.inside(where));
  }
  template <class T, int A, int Rank> ref<T, Rank> write(const site &where, const window<T, A, Rank> &place) {
    return write(where, place.inside(where));
  }
  template <class T, int A, int Rank> ref<T, Rank> update(const site &where, const window<T, A, Rank> &place) {
    return update(where, place.inside(where));
  }
  /// The same memory of another CTA of the cluster: the one with the given index along the axis, and this CTA's indices
  /// along the others.
  template <class T, int Rank>
  ref<T, Rank> cluster_ref(const site &where, const ref<T, Rank> &place, int axis, std::int64_t index) {
    return {reinterpret_cast<T *>(in_block(where, region_of(place).data, axis, index)), place.dims(), place.strides()};
  }
  /// Makes earlier writes of this warpgroup visible to copies and products.
  void fence_shared(const site &where);

  // ----- barriers

  /// The allocation of this number; `name` is the variable's name, for messages.
  barriers alloc_barriers(const site &where, const char *name, int number, int count, int arrivals,
                          std::initializer_list<int> cluster_axes = {}, counts_at where_counted = counts_at::crossing);
  void barrier_arrive(const site &where, barriers of, std::int64_t index);
  void barrier_wait(const site &where, barriers of, std::int64_t index, bool parity);
  /// Whether a wait would return at once. If not, others run first, and operations may complete.
  bool barrier_test(const site &where, barriers of, std::int64_t index, bool parity);

  /// The allocation of this number: barriers for `threads` warpgroups of the CTA.
  named_barriers alloc_named_barriers(const site &where, const char *name, int number, int count, int threads);
  /// Arrives at one of them; with `waits`, waits until all have arrived.
  void named_barrier(const site &where, named_barriers of, std::int64_t index, bool waits);

  // ----- warps

  /// Runs the function for each warp, in turns, and returns when all have ended. Each warp acts as a thread of its own
  /// at barriers and copies. Its parities start as those of the warpgroup; each warp remembers those of the phases that
  /// it has waited for.
  void warps(const site &where, const std::function<void(thread &, std::int64_t)> &body);

  // ----- semaphores of the launch, and all of its blocks

  /// Adds to the semaphore.
  template <int A> void semaphore_signal(const site &where, const window<std::int32_t, A, 0> &place, std::int64_t by) {
    signal(where, place.inside(where).data(), by);
  }
  /// Waits until it is at least the value, which is subtracted if requested.
  template <int A>
  void semaphore_wait(const site &where, const window<std::int32_t, A, 0> &place, std::int64_t value, bool decrement) {
    wait_for(where, place.inside(where).data(), value, decrement);
  }
  template <int A> std::int32_t semaphore_read(const site &where, const window<std::int32_t, A, 0> &place) {
    return look_at(where, place.inside(where).data());
  }
  /// Waits until all warpgroups of all CTAs have arrived.
  void grid_barrier(const site &where);

  // ----- when it does what (tegula/trace.h)

  void trace_begin(const ref<std::int64_t, 2> &trace);
  /// Records an event of the warpgroup, or of the warp; events that do not fit its row are only counted.
  void trace_event(const ref<std::int64_t, 2> &trace, std::int64_t what);
  void trace_end(const ref<std::int64_t, 2> &trace);

  // ----- steps that clusters take

  /// Takes a step of the grid that no cluster has taken, or a number past the last one. The counter belongs to the
  /// launch.
  std::int64_t take_step(const site &where, const ref<std::int64_t, 1> &counter);
  /// Announces the step to all CTAs of the cluster: in each, stores it to this element of the slots, and arrives at
  /// this barrier.
  void announce_step(const site &where, std::int64_t step, const ref<std::int64_t, 1> &slots, barriers of,
                     std::int64_t index);
  std::int64_t read_step(const site &where, const ref<std::int64_t, 1> &slots, std::int64_t index);

  // ----- registers to shared memory

  /// Starts to store a tile to shared memory of a CTA of the cluster. It is an arrival at the barrier there.
  template <class T, int Rank>
  void async_store(const site &where, const tile<T, Rank> &value, const ref<T, Rank> &target, barriers of,
                   std::int64_t index, copy_reduction reduction = copy_reduction::none) {
    send(where, region_of(value.view()), region_of(target), of, index, reduction);
  }

  // ----- copies

  /// Starts a copy. With multicast, the CTAs along these axes of the cluster make the same copy, each a part of it for
  /// all.
  template <class T, int A, int Rank, int SharedRank>
  void copy_to_shared(const site &where, const window<T, A, Rank> &source,
                      const ref<std::remove_const_t<T>, SharedRank> &target, barriers of, std::int64_t index,
                      std::initializer_list<int> multicast = {}, outside fill = outside::zeros) {
    load(where, source.all(), region_of(target), of, index, multicast, fill, /*is_run=*/false);
  }
  /// Starts a contiguous copy of a run of a row, entirely inside the array.
  template <class T, int A, int Rank, int SharedRank>
  void bulk_load(const site &where, const window<T, A, Rank> &source,
                 const ref<std::remove_const_t<T>, SharedRank> &target, barriers of, std::int64_t index) {
    load(where, source.all(), region_of(target), of, index, {}, outside::none, /*is_run=*/true);
  }
  /// A copy whose predicate is false: it arrives at the CTA's own barrier, without bytes.
  void copy_nothing(const site &where, barriers of, std::int64_t index);
  /// Starts a copy; elements outside the array are not written, and with is_inside there are none. With commit, it is a
  /// group of its own.
  template <class T, int A, int Rank, int SharedRank>
  void copy_to_global(const site &where, const ref<T, SharedRank> &source,
                      const window<std::remove_const_t<T>, A, Rank> &target, bool commit = false,
                      copy_reduction reduction = copy_reduction::none, bool is_inside = false) {
    store(where, region_of(source), target.all(), reduction, is_inside, /*is_run=*/false);
    if (commit)
      commit_group(where);
  }
  /// Starts a copy to a run of a row, entirely inside the array.
  template <class T, int A, int Rank, int SharedRank>
  void bulk_store(const site &where, const ref<T, SharedRank> &source,
                  const window<std::remove_const_t<T>, A, Rank> &target, bool commit = false,
                  copy_reduction reduction = copy_reduction::none) {
    store(where, region_of(source), target.all(), reduction, /*is_inside=*/true, /*is_run=*/true);
    if (commit)
      commit_group(where);
  }
  /// A prefetch; the CPU does nothing.
  template <class T, int A, int Rank>
  void prefetch(const site &, const window<T, A, Rank> &, bool /*predicate*/ = true) {}
  void commit_group(const site &where);
  /// Waits until at most `pending` groups are in flight.
  void wait_group(const site &where, std::int64_t pending);
  /// Waits until all but `pending` groups have read their sources.
  void wait_group_read(const site &where, std::int64_t pending);

  /// Starts a copy by the warpgroup's own threads; elements outside the array are 0.
  template <class T, int A, int Rank, int SharedRank>
  void cp_async(const site &where, const window<T, A, Rank> &source,
                const ref<std::remove_const_t<T>, SharedRank> &target) {
    copy(where, source.all(), region_of(target));
  }
  void cp_async_commit(const site &where);
  /// Waits until at most `pending` groups of these are in flight.
  void cp_async_wait(const site &where, std::int64_t pending);

  // ----- products

  /// Starts sum += a @ b, or sum = a @ b, for the part of the sum that starts at `begin`, with as many rows as a and as
  /// many columns as b. Shared operands are read late: at the latest when the product is waited for.
  template <class C, class A, class B>
  void wgmma(const site &where, accumulator<C> &sum, const ref<A, 2> &a, const ref<B, 2> &b, bool accumulate = true,
             const shape<2> &begin = {0, 0}) {
    multiply(where, sum.state_, region_of(a), nullptr, region_of(b), accumulate, begin);
  }
  /// With `a` in registers.
  template <class C, class A, class B>
  void wgmma(const site &where, accumulator<C> &sum, const tile<A, 2> &a, const ref<B, 2> &b, bool accumulate = true,
             const shape<2> &begin = {0, 0}) {
    auto held = std::make_shared<tile<A, 2>>(a);
    const region values = region_of(held->view());
    multiply(where, sum.state_, values, std::move(held), region_of(b), accumulate, begin);
  }
  /// Waits until at most `pending` products of this warpgroup are in flight.
  void wgmma_wait(const site &where, std::int64_t pending);

private:
  void *allocate(const site &where, int number, std::int64_t bytes);
  enum class access_kind { read, write, update };
  void access(const site &where, const region &place, access_kind kind);
  std::byte *in_block(const site &where, std::byte *place, int axis, std::int64_t index);
  void send(const site &where, const region &value, const region &target, barriers of, std::int64_t index,
            copy_reduction reduction);
  void load(const site &where, const box &source, const region &target, barriers of, std::int64_t index,
            std::initializer_list<int> multicast, outside fill, bool is_run);
  void store(const site &where, const region &source, const box &target, copy_reduction reduction, bool is_inside,
             bool is_run);
  void copy(const site &where, const box &source, const region &target);
  void signal(const site &where, std::int32_t *semaphore, std::int64_t by);
  void wait_for(const site &where, std::int32_t *semaphore, std::int64_t value, bool decrement);
  std::int32_t look_at(const site &where, const std::int32_t *semaphore);
  /// `a` is in registers if it has an owner.
  void multiply(const site &where, std::shared_ptr<detail::accumulation> &sum, const region &a,
                std::shared_ptr<void> held, const region &b, bool accumulate, const shape<2> &begin);

  detail::warpgroup &self_;
};

} // namespace tegula::cpu

#endif // TEGULA_CPU_EXPLICIT_THREAD_H
