// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in shared memory: threads and copies arrive, threads wait.
#pragma once

#include "axes.h"
#include "indexing.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// One barrier, to arrive at and to wait for.
struct barrier_ref {};
/// One named barrier.
struct named_barrier_ref {};

namespace detail {
template <class... I>
inline constexpr bool are_integers =
    ((token_of<I>.index && token_of<I>.consumes == 1 && !token_of<I>.keeps && !token_of<I>.inserts.rank) && ...);
template <int... Shape> inline constexpr bool are_few = ((Shape > 0) && ...) && (1 * ... * Shape) <= 32;
template <int Rank, class... I> constexpr barrier_ref one_barrier() {
  static_assert(sizeof...(I) == Rank, "a barrier is named by one index per dimension of its array");
  static_assert(are_integers<I...>, "a barrier is named by integers");
  return {};
}
template <int Rank, class... I> constexpr named_barrier_ref one_named_barrier() {
  one_barrier<Rank, I...>();
  return {};
}
} // namespace detail

// An array of barriers, or a single one, of extents Shape.
#define TEGULA_BARRIERS                                                                                                \
  static_assert(detail::are_few<Shape...>, "an array has 1 to 32 barriers");                                           \
  template <index_like... I> constexpr barrier_ref at(const I &...) const {                                            \
    return detail::one_barrier<sizeof...(Shape), I...>();                                                              \
  }                                                                                                                    \
  constexpr operator barrier_ref() const                                                                               \
    requires(sizeof...(Shape) == 0)                                                                                    \
  {                                                                                                                    \
    return {};                                                                                                         \
  }

/// An array of up to 32 barriers; tg::barrier<> is a single one. A local variable:
///   tg::barrier<4> full{.num_arrivals = 2};     tg::barrier_wait(full.at(stage));
/// A phase of a barrier ends after so many arrivals; a copy is one arrival, and brings its bytes. Every thread that
/// waits at all waits for every phase.
template <int... Shape> struct barrier {
  int num_arrivals = 1;
  /// One of the array: full.at(stage).
  /// Cost: an address in shared memory.
  TEGULA_BARRIERS
};

/// An arrival counts in every block of the cluster that differs from this one along one of the axes, its own included;
/// num_arrivals counts those of one block.
template <int... Shape> struct cluster_barrier {
  axis_names collective_axes = {};
  int num_arrivals = 1;
  /// A constant. Of one axis: an arrival counts in the block that stands at 0 along it, and nowhere else; threads of
  /// that block wait, and no others. A block that tells the others when it is done with their data takes a second
  /// barrier for that:
  ///   tg::cluster_barrier done{.collective_axes = {"c"}, .leader_tracked = true};
  ///   tg::barrier_arrive(done);    if (tg::axis_index("c") == 0) tg::barrier_wait(done);
  bool leader_tracked = false;
  /// One of the array: full.at(stage).
  /// Cost: an address in shared memory.
  TEGULA_BARRIERS
};

#undef TEGULA_BARRIERS

/// Barriers of the block in hardware, for some of its threads. A local variable; a block has 15 less the number of its
/// threads, and one of one thread has none:
///   tg::named_barrier both{.num_threads = 2};     tg::named_barrier_sync(both);
/// With two, threads take turns: each waits at its own, and opens the other's by named_barrier_arrive.
template <int... Shape> struct named_barrier {
  static_assert(detail::are_few<Shape...>, "an array has 1 to 32 barriers");
  /// How many threads come, those that wait and those that only arrive: a constant.
  int num_threads = 2;
  /// One of the array: turns.at(0).
  /// Cost: a number.
  template <index_like... I> constexpr named_barrier_ref at(const I &...) const {
    return detail::one_named_barrier<sizeof...(Shape), I...>();
  }
  constexpr operator named_barrier_ref() const
    requires(sizeof...(Shape) == 0)
  {
    return {};
  }
};

/// One arrival of this thread. What it did before is seen by those that wait.
/// Cost: the four warps synchronize, and one lane arrives (PTX ISA, mbarrier.arrive); at a cluster_barrier, a lane for
/// each block.
void barrier_arrive(barrier_ref);
/// Waits for the next phase to end.
/// Cost: a test of shared memory where it has ended (PTX ISA, mbarrier.try_wait); else the thread sleeps.
void barrier_wait(barrier_ref);
/// Whether the next phase has ended; if so it is waited for, as by barrier_wait, and the next call is about the phase
/// after. A thread does something else until a copy is there:
///   while (!tg::barrier_test(full)) { ... }
/// On the CPU, others go on meanwhile, and tests that nothing can end are an error, as waits are.
/// Cost: a test of shared memory (PTX ISA, mbarrier.test_wait), and the four warps synchronize.
bool barrier_test(barrier_ref);

/// Waits until all threads of the named barrier have come; what they did to shared memory before is seen after. Then
/// the barrier is as at first.
/// Cost: an instruction of the four warps (PTX ISA, barrier.cta.sync), and the time until that is so.
void named_barrier_sync(named_barrier_ref);
/// Comes to the named barrier, and goes on: what this thread did before is seen by those that wait.
/// Cost: an instruction of the four warps (PTX ISA, barrier.cta.arrive).
void named_barrier_arrive(named_barrier_ref);

} // namespace tegula
