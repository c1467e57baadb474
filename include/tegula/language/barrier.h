// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in shared memory (PTX ISA, mbarrier): warpgroups and copies arrive, warpgroups wait. Named barriers.
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
  static_assert(
      sizeof...(I) == Rank,
      "the number of indices differs from the rank of the array of barriers: give one index per dimension, full.at(i)");
  static_assert(are_integers<I...>, "a barrier is selected by integers only: full.at(i)");
  return {};
}
template <int Rank, class... I> constexpr named_barrier_ref one_named_barrier() {
  one_barrier<Rank, I...>();
  return {};
}
} // namespace detail

// The common part of barrier<Shape...> and cluster_barrier<Shape...>.
#define TEGULA_BARRIERS                                                                                                \
  static_assert(detail::are_few<Shape...>, "an array of barriers has 1 to 32 of them: declare several arrays");        \
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
/// A phase of a barrier completes after num_arrivals arrivals; a copy is one arrival, and the phase also waits for its
/// bytes. A warpgroup that waits for a barrier at all must wait for every phase.
template <int... Shape> struct barrier {
  int num_arrivals = 1;
  /// One barrier of the array: full.at(stage).
  /// Cost: an address in shared memory.
  TEGULA_BARRIERS
};

/// A barrier whose arrivals count in several CTAs of the cluster: in the CTA that arrives and in each one that differs
/// from it along exactly one of the axes. num_arrivals counts the arrivals of one CTA.
template <int... Shape> struct cluster_barrier {
  axis_names collective_axes = {};
  int num_arrivals = 1;
  /// A constant, for a barrier of one axis: an arrival counts only in the CTA at index 0 along the axis, and only that
  /// CTA's warpgroups wait. To signal the other CTAs in return, for example that their data have been read, use a
  /// second barrier:
  ///   tg::cluster_barrier done{.collective_axes = {"c"}, .leader_tracked = true};
  ///   tg::barrier_arrive(done);    if (tg::axis_index("c") == 0) tg::barrier_wait(done);
  bool leader_tracked = false;
  /// One barrier of the array: full.at(stage).
  /// Cost: an address in shared memory.
  TEGULA_BARRIERS
};

#undef TEGULA_BARRIERS

/// Hardware barriers of the CTA (PTX ISA, barrier.cta), for some of its warpgroups. A local variable; a CTA of n > 1
/// warpgroups has 15 - n of them, a CTA of one has none:
///   tg::named_barrier both{.num_threads = 2};     tg::named_barrier_sync(both);
/// With two of them, two warpgroups can take turns: each waits at its own barrier, and releases the other's by
/// named_barrier_arrive.
template <int... Shape> struct named_barrier {
  static_assert(detail::are_few<Shape...>, "an array of barriers has 1 to 32 of them: declare several arrays");
  /// The number of warpgroups that take part, both those that wait and those that only arrive: a constant.
  int num_threads = 2;
  /// One barrier of the array: turns.at(0).
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

/// One arrival of this warpgroup. Its earlier writes are visible to those that wait (release).
/// Cost: the four warps synchronize, and one CUDA thread arrives (PTX ISA, mbarrier.arrive); for a cluster_barrier, one
/// thread per CTA that it counts in.
void barrier_arrive(barrier_ref);
/// Waits for the next phase to complete.
/// Cost: a test of shared memory if it has completed (PTX ISA, mbarrier.try_wait); else the warpgroup is suspended.
void barrier_wait(barrier_ref);
/// Returns whether the next phase has completed. If it has, the phase counts as waited for, as by barrier_wait, and the
/// next call tests the following phase. It lets a warpgroup do other work until a copy has arrived:
///   while (!tg::barrier_test(full)) { ... }
/// On the CPU, other warpgroups run meanwhile, and a loop of tests that can never succeed is an error, as such a wait
/// is.
/// Cost: a test of shared memory (PTX ISA, mbarrier.test_wait), and the four warps synchronize.
bool barrier_test(barrier_ref);

/// Waits until all num_threads warpgroups have arrived; their earlier accesses of shared memory are visible after it.
/// The barrier can then be used again.
/// Cost: one instruction of the four warps (PTX ISA, barrier.cta.sync), and the waiting time.
void named_barrier_sync(named_barrier_ref);
/// Arrives at the named barrier without waiting: this warpgroup's earlier writes are visible to those that wait.
/// Cost: one instruction of the four warps (PTX ISA, barrier.cta.arrive).
void named_barrier_arrive(named_barrier_ref);

} // namespace tegula
