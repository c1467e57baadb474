// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How thread groups that share the rows of a scan tell each other what comes before their parts, in one pass over
// memory (after Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016). There, a part
// adds up what it finds when it looks, so that rounding depends on who was faster. Here, parts combine in fixed groups:
//
//   every part tells what its elements come to (level 0);
//   the last part of each 32 tells what these come to (level 1);
//   the last one of each 32 of those tells what all of the row up to there comes to (level 2).
//
// Before a part there are then up to 31 of its group, up to 31 groups, and one number: association depends on places
// alone. Only level 2 is a chain.
//
// The state is an array of s64: a word that counts tickets, and, from word `header` on, for each level and each word of
// an element one word for each part of the launch. The lower half of such a word has bits of an element, the upper half
// says that they are there: who reads one word atomically needs no fence.
#pragma once

#include <cstdint>

namespace tegula::lookback {

/// What is combined at a time: a warp looks at it.
inline constexpr int64_t together = 32;
inline constexpr int64_t levels = 3;
/// Words in front of the parts: 128 bytes, as those that warps read at a time.
inline constexpr int64_t header = 16;

/// The words that an element takes of so many bits.
constexpr int64_t wordsOf(int64_t bits) { return bits > 32 ? 2 : 1; }
} // namespace tegula::lookback
