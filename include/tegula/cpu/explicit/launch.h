// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the threads of a launch of the explicit level. They take turns in an order that a seed decides, and what they
// begin completes late, in an order that the seed decides as well: a kernel that lacks a wait or a fence goes wrong
// under most seeds, and a right one gives the same result under all.

#ifndef TEGULA_CPU_EXPLICIT_LAUNCH_H
#define TEGULA_CPU_EXPLICIT_LAUNCH_H

#include "tegula/cpu/explicit/thread.h"

#include <functional>
#include <vector>

namespace tegula::cpu {

/// Which clusters of a launch are there at a time: one; some, which begin in the order of their numbers as others end;
/// or all, which synchronize.
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

  /// Runs the program in every thread of every block. An error in any of them ends the launch, and is thrown as
  /// "<entry>: <message>"; so is a deadlock.
  void run(const std::function<void(thread &)> &program) const;
};

/// The seed of the launches that begin from now on, of all OS threads. Before the first call it is the environment
/// variable TEGULA_CPU_SEED, or else 0.
void set_seed(std::uint64_t seed) noexcept;

} // namespace tegula::cpu

#endif // TEGULA_CPU_EXPLICIT_LAUNCH_H
