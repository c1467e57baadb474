// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the warpgroups of a launch of the explicit level. They take turns in an order that a seed selects, and their
// asynchronous operations complete late, also in an order that the seed selects: a kernel that lacks a wait or a fence
// fails under most seeds, and a correct one gives the same result under all.

#ifndef TEGULA_CPU_EXPLICIT_LAUNCH_H
#define TEGULA_CPU_EXPLICIT_LAUNCH_H

#include "tegula/cpu/explicit/thread.h"

#include <functional>
#include <vector>

namespace tegula::cpu {

/// Which clusters of a launch are resident at a time: one; some, which start in the order of their numbers as others
/// end; or all, which synchronize.
enum class residency { one, some, all };

/// The shape of a launch.
struct launch {
  const char *entry;              ///< Begins error messages.
  std::vector<std::int64_t> grid; ///< Counts clusters; the last axis runs fastest.
  int threads = 1;                ///< Of a block: warpgroups.
  std::vector<std::int64_t> cluster = {};
  std::int64_t shared_bytes =
      1 << 20; ///< For all allocations of a block: they lie side by side here, whatever lives when.
  residency resident = residency::one;

  /// Runs the program in every warpgroup of every CTA. An error in any of them ends the launch, and is thrown as
  /// "<entry>: <message>"; so is a deadlock.
  void run(const std::function<void(thread &)> &program) const;
};

/// Sets the seed of later launches, of all OS threads. Before the first call it is the environment variable
/// TEGULA_CPU_SEED, or else 0.
void set_seed(std::uint64_t seed) noexcept;

} // namespace tegula::cpu

#endif // TEGULA_CPU_EXPLICIT_LAUNCH_H
