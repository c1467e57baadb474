// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semaphores in global memory, which synchronize the CTAs of a launch, and barriers of the whole grid.
//
// If CTAs wait for arbitrary others, all must be co-resident: the host asks the GPU for that (a cooperative launch),
// and a grid that does not fit is a tegula::error. Launch as many CTAs as fit, and divide the work among them by
// tg::nd_loop. If CTAs wait only for those with lower numbers, set kernel_options::waiting_for: the grid then has any
// size.
//
//   // CTAs along "k" compute partial sums, and add them to the tile in order: results are bitwise reproducible.
//   tg::kernel({.grid = {{"m", tiles}, {"k", parts}}, .waiting_for = tg::earlier_blocks}, [=] {
//     auto turn = tg::get_global<tg::semaphore<1024>>();
//     const auto m = tg::axis_index("m"), k = tg::axis_index("k");
//     const auto sum = ...;
//     tg::semaphore_wait(turn.at(m), k, {.decrement = false});
//     o[m, tg::all] = k == 0 ? sum : o[m, tg::all] + sum;
//     tg::semaphore_signal(turn.at(m));
//   });
//
// On the CPU the CTAs take turns as warpgroups do. A wait that nothing can end, also a loop over semaphore_read, is an
// error that names its line.
#pragma once

#include "atomics.h"
#include "indexing.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// One semaphore, to signal and to wait for.
struct semaphore_ref {
  // Not a constant: the count is an address of the launch.
  explicit semaphore_ref(const ref<s32, memory_space::gmem> &place) : count(place) {}
  ref<s32, memory_space::gmem> count;
};

/// An array of semaphores; tg::semaphore<> is a single one. Each is a 32-bit count that all CTAs of the launch share,
/// initially 0. They are created by tg::get_global<tg::semaphore<4>>().
template <int... Shape> struct semaphore {
  static_assert(((Shape > 0) && ...),
                "an extent of an array of semaphores is not a positive constant: write tg::semaphore<4>");
  semaphore() TEGULA_REFUSED("a semaphore cannot be a plain variable, because it belongs to the launch: auto s = "
                             "tg::get_global<tg::semaphore<4>>()");
  /// One semaphore of the array: turn.at(m).
  /// Cost: an address.
  template <index_like... I> semaphore_ref at(const I &...indices) const {
    constexpr bool is_one = sizeof...(I) == sizeof...(Shape), are_integers = detail::are_integers<I...>;
    static_assert(is_one, "the number of indices differs from the rank of the array of semaphores: give one index per "
                          "dimension, turn.at(m)");
    static_assert(are_integers, "a semaphore is selected by integers only: turn.at(m)");
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

/// Allocates objects that all CTAs of the launch share: semaphores. Each call of get_global makes new ones; a call in a
/// loop returns the same ones in every iteration.
///   auto arrived = tg::get_global<tg::semaphore<2, 8>>();
/// Cost: the host allocates them for the launch and zeroes them, in stream order, also in a CUDA graph: 2 us for each
/// call of get_global on an H100. They are zeroed before every launch, because launches may overlap, or end in an
/// error.
template <class What> constexpr What get_global() {
  static_assert(detail::is_global<What>,
                "get_global does not allocate this type, only semaphores: tg::get_global<tg::semaphore<4>>()");
  return detail::global<What>();
}

/// Trailing options of semaphore_signal: {.scope = tg::memory_scope::sys}.
struct signal_options {
  /// The scope of the release: gpu or sys, a constant. gpu suffices for threads that wait, because a semaphore belongs
  /// to one launch. With sys, this warpgroup's earlier writes are visible to other GPUs and the host, too, which costs
  /// a round trip to them.
  memory_scope scope = memory_scope::gpu;
};
/// Trailing options of semaphore_wait: {.decrement = false}.
struct wait_options {
  /// Subtracts the value again, atomically with the successful wait, so that only one of several waiters consumes it. A
  /// constant.
  bool decrement = true;
  /// The scope of the acquire, as in signal_options.
  memory_scope scope = memory_scope::gpu;
};

/// Adds inc to the semaphore. This warpgroup's earlier writes are visible to those that wait for it (release),
/// including those of its copies that wait_smem_to_gmem has waited for.
/// Cost: the four warps synchronize, and one CUDA thread updates L2 (PTX ISA, red.release).
void semaphore_signal(semaphore_ref, s64 inc = 1, const signal_options & = {});

/// A semaphore, and what is added to it.
struct semaphore_signal_on {
  semaphore_ref semaphore;
  s64 inc = 1;
};
/// Signals several semaphores, after a single fence:
///   tg::semaphore_signal_parallel({{left.at(m), 1}, {right.at(m), 1}});
/// Cost: that of a signal, and one update of L2 per semaphore (PTX ISA, fence.acq_rel, red.relaxed).
template <int N>
constexpr void semaphore_signal_parallel(const semaphore_signal_on (&)[N], const signal_options & = {}) {
  static_assert(N <= 32, "semaphore_signal_parallel signals at most 32 semaphores: call it several times");
}

/// Waits until the semaphore is at least `value`. Writes before the signals are visible after it (acquire).
/// Cost: one CUDA thread polls L2, at least once (PTX ISA, ld.relaxed; with decrement, atom.cas once more), and the
/// four warps synchronize. All waiters of one semaphore poll the same address in L2: in a long chain of CTAs, give each
/// its own semaphore.
void semaphore_wait(semaphore_ref, s64 value = 1, const wait_options & = {});

/// Returns the semaphore's current count. It orders nothing: before you rely on other CTAs' writes, call
/// semaphore_wait(s, value). Because a kernel may poll it until it changes, a launch treats semaphore_read as a wait.
/// Cost: one lane of each warp reads L2 (PTX ISA, ld.relaxed).
s32 semaphore_read(semaphore_ref);

/// A barrier of all warpgroups of all CTAs of the launch. Writes before it are visible to all after it. For programs of
/// several steps over arrays, such as a stencil:
///   for (tg::s64 i = 0; i < steps; ++i) {
///     ...                                  // reads x and writes y, or the other way round
///     tg::grid_barrier();
///   }
/// Every warpgroup must execute the same calls of it.
/// Cost: the CTA synchronizes, and one CUDA thread updates L2 and polls it until all CTAs have arrived: 1.0 us with 132
/// CTAs on an H100, 1.3 us with 264; and once for the launch, for all calls together, the cost of a get_global.
void grid_barrier();

} // namespace tegula
