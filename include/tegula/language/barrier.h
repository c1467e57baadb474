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
  /// One of the array: full.at(stage).
  /// Cost: an address in shared memory.
  TEGULA_BARRIERS
};

#undef TEGULA_BARRIERS

/// One arrival of this thread. What it did before is seen by those that wait.
/// Cost: the four warps synchronize, and one lane arrives (PTX ISA, mbarrier.arrive); at a cluster_barrier, a lane for
/// each block.
void barrier_arrive(barrier_ref);
/// Waits for the next phase to end.
/// Cost: a test of shared memory where it has ended (PTX ISA, mbarrier.try_wait); else the thread sleeps.
void barrier_wait(barrier_ref);

} // namespace tegula
