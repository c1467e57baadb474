// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barriers that a block has in hardware (PTX ISA, barrier.cta): the first ones are its thread groups' own, the last
// one is the block's, and those between are the program's.
#pragma once

#include <cstdint>

namespace tegula {

inline constexpr int64_t barriersInHardware = 16;
/// That of all threads of a block.
inline constexpr int64_t barrierOfBlock = barriersInHardware - 1;

/// How many the program may use.
constexpr int64_t freeBarriers(int64_t threadGroups) { return barrierOfBlock - threadGroups; }

} // namespace tegula
