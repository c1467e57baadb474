// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread of the explicit level, that is a warpgroup, can do. Each function has the meaning of the op of its name
// in the tile IR, and a place in the source for messages and checkers.

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

/// Barriers of a block: `first`, `first` + 1...
struct barriers {
  int first, count;
};
/// Its named barriers, likewise.
struct named_barriers {
  int first, count;
};

/// The warps of a thread.
inline constexpr int warps_of_thread = 4;

/// What a copy brings of elements outside the array (tegula::oob_fill): what is undefined is NaN, or all ones. Of
/// `none`, it is an error that there are any.
enum class outside { zeros, nan, undefined, none };

/// What a copy makes of an element of an array and the one that it brings (tegula::reduction_op).
enum class copy_reduction { none, add, min, max, inc, dec, bitwise_and, bitwise_or, bitwise_xor };

/// At which blocks an arrival at a barrier of a cluster counts: those that differ from the arriving one along one of
/// its axes, or any of them, or the one that stands at 0 along its only axis.
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

  /// The allocation of this number: the same memory for all threads of the block.
  template <class T, int Rank> ref<T, Rank> shared(const site &where, int number, const shape<Rank> &dims) {
    void *data = allocate(where, number, static_cast<std::int64_t>(sizeof(T)) * size_of(dims));
    return {static_cast<T *>(data), dims, dense_strides(dims)};
  }
  /// The memory of a union, and a member that begins in it behind so many bytes.
  std::byte *shared_bytes(const site &where, int number, std::int64_t bytes) {
    return static_cast<std::byte *>(allocate(where, number, bytes));
  }
  template <class T, int Rank>
  ref<T, Rank> member(std::byte *of, std::int64_t offset, const shape<Rank> &dims) const noexcept {
    return {reinterpret_cast<T *>(of + offset), dims, dense_strides(dims)};
  }
  /// The thread's scope of this allocation ends. When it does so for all threads of the block, the memory is as at
  /// first.
  void free(const site &where, int number);
  /// Before the thread reads or writes a place; of global memory, all of it must be inside the array.
  template <class T, int Rank> ref<const T, Rank> read(const site &where, const ref<T, Rank> &place) {
    access(where, region_of(place), access_kind::read);
    return place;
  }
  template <class T, int Rank> ref<T, Rank> write(const site &where, const ref<T, Rank> &place) {
    access(where, region_of(place), access_kind::write);
    return place;
  }
  /// Before it updates elements, each in one step among those of other threads.
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
  /// The place that another block of the cluster has: the one that stands at the index along the axis, and along the
  /// others where this one stands.
  template <class T, int Rank>
  ref<T, Rank> cluster_ref(const site &where, const ref<T, Rank> &place, int axis, std::int64_t index) {
    return {reinterpret_cast<T *>(in_block(where, region_of(place).data, axis, index)), place.dims(), place.strides()};
  }
  /// Copies and products see what this thread wrote before.
  void fence_shared(const site &where);

  // ----- barriers

  /// The allocation of this number, called `name` in messages: what the source calls it.
  barriers alloc_barriers(const site &where, const char *name, int number, int count, int arrivals,
                          std::initializer_list<int> cluster_axes = {}, counts_at where_counted = counts_at::crossing);
  void barrier_arrive(const site &where, barriers of, std::int64_t index);
  void barrier_wait(const site &where, barriers of, std::int64_t index, bool parity);
  /// Whether a wait would end at once. If not, others go on first, and something may complete.
  bool barrier_test(const site &where, barriers of, std::int64_t index, bool parity);

  /// The allocation of this number: barriers for so many threads of the block.
  named_barriers alloc_named_barriers(const site &where, const char *name, int number, int count, int threads);
  /// One of them; with `waits`, goes on when all have come.
  void named_barrier(const site &where, named_barriers of, std::int64_t index, bool waits);

  // ----- warps

  /// Runs the function for each warp, in turns, and goes on when all have ended. Each is a thread by itself at barriers
  /// and copies. The parities that it waits for are those of the thread, but for the phases that warps have waited for:
  /// each remembers its own.
  void warps(const site &where, const std::function<void(thread &, std::int64_t)> &body);

  // ----- semaphores of the launch, and all of its blocks

  /// Adds to it.
  template <int A> void semaphore_signal(const site &where, const window<std::int32_t, A, 0> &place, std::int64_t by) {
    signal(where, place.inside(where).data(), by);
  }
  /// Until it is as large as the value, which it takes away if told to.
  template <int A>
  void semaphore_wait(const site &where, const window<std::int32_t, A, 0> &place, std::int64_t value, bool decrement) {
    wait_for(where, place.inside(where).data(), value, decrement);
  }
  template <int A> std::int32_t semaphore_read(const site &where, const window<std::int32_t, A, 0> &place) {
    return look_at(where, place.inside(where).data());
  }
  /// Until all threads of all blocks have come.
  void grid_barrier(const site &where);

  // ----- when it does what (tegula/trace.h)

  void trace_begin(const ref<std::int64_t, 2> &trace);
  /// Of the thread, or the warp: what would come behind the end of its row is only counted.
  void trace_event(const ref<std::int64_t, 2> &trace, std::int64_t what);
  void trace_end(const ref<std::int64_t, 2> &trace);

  // ----- steps that clusters take

  /// A step of the grid, any that nobody has taken, or a number behind the last one. The counter is of the launch.
  std::int64_t take_step(const site &where, const ref<std::int64_t, 1> &counter);
  /// Tells all blocks of the cluster: stores it to this element of the slots, and arrives at this barrier, of each.
  void announce_step(const site &where, std::int64_t step, const ref<std::int64_t, 1> &slots, barriers of,
                     std::int64_t index);
  std::int64_t read_step(const site &where, const ref<std::int64_t, 1> &slots, std::int64_t index);

  // ----- registers to shared memory

  /// Begins to store a tile to shared memory of a block of the cluster. It is an arrival at the barrier there.
  template <class T, int Rank>
  void async_store(const site &where, const tile<T, Rank> &value, const ref<T, Rank> &target, barriers of,
                   std::int64_t index, copy_reduction reduction = copy_reduction::none) {
    send(where, region_of(value.view()), region_of(target), of, index, reduction);
  }

  // ----- copies

  /// Begins a copy. With multicast, the blocks along these axes of the cluster make the same copy, each a part of it
  /// for all.
  template <class T, int A, int Rank, int SharedRank>
  void copy_to_shared(const site &where, const window<T, A, Rank> &source,
                      const ref<std::remove_const_t<T>, SharedRank> &target, barriers of, std::int64_t index,
                      std::initializer_list<int> multicast = {}, outside fill = outside::zeros) {
    load(where, source.all(), region_of(target), of, index, multicast, fill, /*is_run=*/false);
  }
  /// Begins a contiguous copy of a row, all of it inside the array.
  template <class T, int A, int Rank, int SharedRank>
  void bulk_load(const site &where, const window<T, A, Rank> &source,
                 const ref<std::remove_const_t<T>, SharedRank> &target, barriers of, std::int64_t index) {
    load(where, source.all(), region_of(target), of, index, {}, outside::none, /*is_run=*/true);
  }
  /// A copy that its predicate leaves out: it arrives at the block's own barrier, without bytes.
  void copy_nothing(const site &where, barriers of, std::int64_t index);
  /// Begins a copy; what lies outside the array is not written, or with is_inside nothing does. With commit, it is a
  /// group of its own.
  template <class T, int A, int Rank, int SharedRank>
  void copy_to_global(const site &where, const ref<T, SharedRank> &source,
                      const window<std::remove_const_t<T>, A, Rank> &target, bool commit = false,
                      copy_reduction reduction = copy_reduction::none, bool is_inside = false) {
    store(where, region_of(source), target.all(), reduction, is_inside, /*is_run=*/false);
    if (commit)
      commit_group(where);
  }
  /// Begins a copy to a run of a row, all of it inside the array.
  template <class T, int A, int Rank, int SharedRank>
  void bulk_store(const site &where, const ref<T, SharedRank> &source,
                  const window<std::remove_const_t<T>, A, Rank> &target, bool commit = false,
                  copy_reduction reduction = copy_reduction::none) {
    store(where, region_of(source), target.all(), reduction, /*is_inside=*/true, /*is_run=*/true);
    if (commit)
      commit_group(where);
  }
  /// Brings a window into a cache that the CPU has not.
  template <class T, int A, int Rank>
  void prefetch(const site &, const window<T, A, Rank> &, bool /*predicate*/ = true) {}
  void commit_group(const site &where);
  /// Until at most `pending` groups are in flight.
  void wait_group(const site &where, std::int64_t pending);
  /// Until all but `pending` groups have read their sources.
  void wait_group_read(const site &where, std::int64_t pending);

  /// Begins a copy by the thread itself; elements outside the array are 0.
  template <class T, int A, int Rank, int SharedRank>
  void cp_async(const site &where, const window<T, A, Rank> &source,
                const ref<std::remove_const_t<T>, SharedRank> &target) {
    copy(where, source.all(), region_of(target));
  }
  void cp_async_commit(const site &where);
  /// Until at most `pending` groups of these are in flight.
  void cp_async_wait(const site &where, std::int64_t pending);

  // ----- products

  /// Begins sum += a @ b, or sum = a @ b, for the part of the sum, of as many rows as a and as many columns as b, that
  /// begins at `begin`. Shared operands are read late: when the product is waited for, at the latest.
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
  /// Until at most `pending` products of this thread are in flight.
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
  /// `a` is in registers if somebody holds it.
  void multiply(const site &where, std::shared_ptr<detail::accumulation> &sum, const region &a,
                std::shared_ptr<void> held, const region &b, bool accumulate, const shape<2> &begin);

  detail::warpgroup &self_;
};

} // namespace tegula::cpu

#endif // TEGULA_CPU_EXPLICIT_THREAD_H
