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

/// The most that a thread can name.
inline constexpr int64_t registersOfThread = 255;

/// The most that threads which compute are given.
inline constexpr int64_t mostRegisters = 240;

/// What each lane of a block of so many threads can begin with: all that there is, in units of 8.
constexpr int64_t registersOfLane(int64_t threads) {
  return std::min(registersOfMultiprocessor / (threads * lanesOfWarpgroup), registersOfThread) / registerGranule *
         registerGranule;
}

/// What each lane begins with in a kernel whose threads change their numbers: no more than `limit`, which the program
/// may set, nor than those get that ask for most.
constexpr int64_t registersAtLaunch(int64_t threads, int64_t limit = mostRegisters) {
  return std::min({registersOfLane(threads), limit, mostRegisters});
}

/// What each lane of `compute` threads can have once one thread more keeps only `memory`: the block's own registers are
/// dealt out anew, there are no others.
constexpr int64_t registersToCompute(int64_t compute, int64_t memory) {
  return std::min<int64_t>(mostRegisters, ((compute + 1) * registersAtLaunch(compute + 1) - memory) / compute) / 8 * 8;
}

} // namespace tegula
