// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semaphores in global memory, by which blocks of a launch synchronize, and barriers of the whole grid.
//
// A launch whose blocks wait for any others runs all of them at once, or not at all: the host asks the GPU for that (a
// cooperative launch), and it is a tegula::error where the grid has more blocks than there is room for. Blocks that
// each do some of the work, by tg::nd_loop, are as many as there is room for. Where blocks wait for those before them
// alone, kernel_options::waiting_for says so, and a grid has any size.
//
//   // Blocks along "k" sum a part each, and add it to the tile in their order: the same bits in every run.
//   tg::kernel({.grid = {{"m", tiles}, {"k", parts}}, .waiting_for = tg::earlier_blocks}, [=] {
//     auto turn = tg::get_global<tg::semaphore<1024>>();
//     const auto m = tg::axis_index("m"), k = tg::axis_index("k");
//     const auto sum = ...;
//     tg::semaphore_wait(turn.at(m), k, {.decrement = false});
//     o[m, tg::all] = k == 0 ? sum : o[m, tg::all] + sum;
//     tg::semaphore_signal(turn.at(m));
//   });
//
// On the CPU the blocks take turns as threads do, and a wait that nothing can end is an error that names its line, as
// is one that the program makes of semaphore_read.
#pragma once

#include "atomics.h"
#include "indexing.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// One semaphore, to signal and to wait for.
struct semaphore_ref {
  // No constant: it names a place of the launch.
  explicit semaphore_ref(const ref<s32, memory_space::gmem> &place) : count(place) {}
  ref<s32, memory_space::gmem> count;
};

/// An array of semaphores; tg::semaphore<> is a single one. Each is a count of 32 bits that all blocks of the launch
/// share, and that is 0 as it begins: tg::get_global<tg::semaphore<4>>() makes them.
template <int... Shape> struct semaphore {
  static_assert(((Shape > 0) && ...), "an array of semaphores has static extents");
  semaphore() TEGULA_REFUSED("semaphores belong to the launch: auto s = tg::get_global<tg::semaphore<4>>()");
  /// One of the array: turn.at(m).
  /// Cost: an address.
  template <index_like... I> semaphore_ref at(const I &...indices) const {
    constexpr bool is_one = sizeof...(I) == sizeof...(Shape), are_integers = detail::are_integers<I...>;
    static_assert(is_one, "a semaphore is named by one index per dimension of its array");
    static_assert(are_integers, "a semaphore is named by integers");
    if constexpr (is_one && are_integers)
      return semaphore_ref(counts.at(indices...));
    else
      return detail::some<semaphore_ref>();
  }
  operator semaphore_ref() const
    requires(sizeof...(Shape) == 0)
  {
    return semaphore_ref(counts);
  }
  ref<s32, memory_space::gmem, Shape...> counts;
};

namespace detail {
template <class What> inline constexpr bool is_global = false;
template <int... Shape> inline constexpr bool is_global<semaphore<Shape...>> = true;
template <class What> What global();
} // namespace detail

/// What all blocks of the launch share, and what belongs to it: semaphores, each call of get_global new ones. A call
/// in a loop gives the same ones in every round.
///   auto arrived = tg::get_global<tg::semaphore<2, 8>>();
/// Cost: the host allocates them for the launch, and clears them, in the order of the stream, also in a CUDA graph: 2
/// us for each call of get_global on an H100. They are cleared in front of every launch, since nothing but that is
/// right for launches that overlap, or that an error ends.
template <class What> constexpr What get_global() {
  static_assert(detail::is_global<What>, "get_global makes semaphores: tg::get_global<tg::semaphore<4>>()");
  return detail::global<What>();
}

/// Behind what a signal adds: {.scope = tg::memory_scope::sys}.
struct signal_options {
  /// For whom the signal, and what the thread did before, is there: gpu or sys, a constant. Semaphores belong to the
  /// launch, so the threads that wait are of its GPU. sys: what the thread wrote is seen by other GPUs and the host,
  /// too, which costs a round trip to them.
  memory_scope scope = memory_scope::gpu;
};
/// Behind the value that a wait is for: {.decrement = false}.
struct wait_options {
  /// Takes the value away again, in one step, so that one of several that wait gets it. A constant.
  bool decrement = true;
  /// As in signal_options.
  memory_scope scope = memory_scope::gpu;
};

/// Adds to the semaphore. What this thread did to memory before is seen by those that wait for it, also what its copies
/// wrote, as far as wait_smem_to_gmem has waited for them.
/// Cost: the four warps synchronize, and a lane updates L2 (PTX ISA, red.release).
void semaphore_signal(semaphore_ref, s64 inc = 1, const signal_options & = {});

/// A semaphore, and what is added to it.
struct semaphore_signal_on {
  semaphore_ref semaphore;
  s64 inc = 1;
};
/// Signals several semaphores, behind one fence:
///   tg::semaphore_signal_parallel({{left.at(m), 1}, {right.at(m), 1}});
/// Cost: that of a signal, and an update of L2 for each (PTX ISA, fence.acq_rel, red.relaxed).
template <int N>
constexpr void semaphore_signal_parallel(const semaphore_signal_on (&)[N], const signal_options & = {}) {
  static_assert(N <= 32, "at most 32 semaphores are signalled together");
}

/// Waits until the semaphore is as large as the value. What was done before the signals is seen after.
/// Cost: a lane asks L2 again and again, at least once (PTX ISA, ld.relaxed; with decrement, atom.cas once more), and
/// the four warps synchronize. Many that wait at one semaphore ask one place of L2: of a long chain, each block better
/// has a semaphore of its own.
void semaphore_wait(semaphore_ref, s64 value = 1, const wait_options & = {});

/// What the semaphore is now. It orders nothing: who goes on from there waits first, semaphore_wait(s, value). A kernel
/// that reads one may read it until it changes: for its launch that is to wait.
/// Cost: a lane of each warp reads L2 (PTX ISA, ld.relaxed).
s32 semaphore_read(semaphore_ref);

/// All threads of all blocks of the launch come, and none goes on before. What each did to memory before, all see
/// after. For programs of several steps over arrays, such as a stencil:
///   for (tg::s64 i = 0; i < steps; ++i) {
///     ...                                  // reads x and writes y, or the other way round
///     tg::grid_barrier();
///   }
/// Every thread passes the same calls of it.
/// Cost: the block synchronizes, a lane updates L2 and asks it until all blocks have come: 1.0 us with 132 blocks on an
/// H100, 1.3 us with 264; in the launch, what a get_global costs, for all calls together.
void grid_barrier();

} // namespace tegula
