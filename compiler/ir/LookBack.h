// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How thread groups that share the rows of a scan tell each other what comes before their parts, in one pass over
// memory (after Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016). There, a part
// adds up what it finds when it looks, so that rounding depends on who was faster. Here, parts combine in fixed groups:
//
//   every part tells what its elements come to (level 0);
//   the last part of each 256 tells what these come to (level 1);
//   the last one of each 32 of those tells what all of the row up to there comes to (level 2).
//
// Before a part there are then up to 255 of its group, up to 31 groups, and one number: association depends on places
// alone. Only level 2 is a chain. A group has about as many parts as there are at a time, so that most of them wait for
// no more than their neighbours.
//
// The state is an array of s64: for each level and each word of an element one word for each part of the launch. The
// lower half of such a word has bits of an element, the upper half says that they are there: who reads one word
// atomically needs no fence.
//
// A CTA has the part of its number, and waits for those of lower ones. So these have to run: GPUs begin the CTAs of a
// grid in the order of their numbers, which CUDA does not promise, but single-pass scans such as CUB's rest on. Numbers
// that CTAs count in memory as they begin take 2 to 4% of the time (test/benchmark/RESULTS.md).
#pragma once

#include <cstdint>

namespace tegula::lookback {

inline constexpr int64_t levels = 3;
/// What is combined into one of the next level: a warp looks at it.
inline constexpr int64_t together[levels - 1] = {256, 32};
/// The words that an element takes of so many bits.
constexpr int64_t wordsOf(int64_t bits) { return bits > 32 ? 2 : 1; }
} // namespace tegula::lookback
