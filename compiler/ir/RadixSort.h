// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that are too long for a thread group are sorted by all of the GPU, by digits of their keys, the lowest first
// (after Adinets and Merrill, Onesweep: A Faster Least Significant Digit Radix Sort for GPUs, 2022). One launch counts
// the digits of all passes. Then each pass reads every element once and writes it once, in the order of a digit:
//
//   a CTA takes a part of a row by a ticket, and ranks the part's elements by their digit;
//   of each digit it tells how many it has, and adds up what the parts before it have told, back to one that has told
//   what all of the row up to there comes to;
//   elements of one digit then go to neighbouring places.
//
// The order is stable, and so depends on nothing but the keys.
//
// The state is an array of s64, zero in the beginning. A word counts the tickets of each pass. From word `header` on,
// each row has for each digit a word for each of its values: how many keys have it. Behind those of all rows there is
// such a block of words for each part, which all passes share: the lower `countBits` are a count, the others say what
// it counts, as numbers that grow from pass to pass: 2 * pass + 1 the part, 2 * pass + 2 the row up to its end.
#pragma once

#include <cstdint>

namespace tegula::radix {

inline constexpr int64_t digitBits = 8, values = int64_t(1) << digitBits;
/// A thread for each value of a digit.
inline constexpr int64_t threads = values;
inline constexpr int64_t header = 16;
/// Of a row: places are numbers of 32 bits.
inline constexpr int64_t mostElements = (int64_t(1) << 32) - 1;
inline constexpr int64_t countBits = 40;

/// The passes of a key of so many bytes.
constexpr int64_t passesOf(int64_t keyBytes) { return keyBytes; }
/// The elements that a thread has of a part, by the bytes of the widest.
constexpr int64_t perThread(int64_t bytes) { return bytes > 4 ? 14 : 24; }
constexpr int64_t partOf(int64_t bytes) { return threads * perThread(bytes); }
/// The keys that a CTA counts: so many at a time of a thread, so many times.
inline constexpr int64_t countedTogether = 8, countedTimes = 8;
inline constexpr int64_t counted = threads * countedTogether * countedTimes;
} // namespace tegula::radix
