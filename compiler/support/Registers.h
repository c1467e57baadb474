// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the registers of a multiprocessor are shared out (CUDA C++ Programming Guide, compute capabilities; PTX ISA,
// setmaxnreg).
#pragma once

#include <algorithm>
#include <cstdint>

namespace tegula {

inline constexpr int64_t registersOfMultiprocessor = 64 * 1024, lanesOfWarpgroup = 128;
/// Threads get registers by so many (CUDA occupancy calculator: 256 for a warp).
inline constexpr int64_t registerGranule = 8;

/// What each lane begins with in a kernel whose threads change their numbers: all that there is, in units of 8.
constexpr int64_t registersAtLaunch(int64_t threads) {
  return std::min<int64_t>(registersOfMultiprocessor / (threads * lanesOfWarpgroup), 255) / registerGranule *
         registerGranule;
}

/// What each lane of `compute` threads can have once one thread more keeps only `memory`: the block's own registers are
/// dealt out anew, there are no others.
constexpr int64_t registersToCompute(int64_t compute, int64_t memory) {
  return std::min<int64_t>(240, ((compute + 1) * registersAtLaunch(compute + 1) - memory) / compute) / 8 * 8;
}

} // namespace tegula
