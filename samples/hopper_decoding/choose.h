// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many keys the splits of decode.h have. Host code.
#pragma once

#include <algorithm>
#include <cstdint>

namespace samples {

/// So many that multiprocessors have about as much to read each, and that splits are few: a split takes as long as some
/// keys more. `keys` is what a sequence has on average.
inline std::int64_t choose_split_keys(std::int64_t sequences, std::int64_t keys, std::int64_t key_heads,
                                      std::int64_t multiprocessors) {
  constexpr std::int64_t unit = 128, most = 2048, keys_of_a_split = 18; // measured on an H100, of heads of 128
  const auto rounded_up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  std::int64_t best = unit, least = -1;
  for (std::int64_t split = unit; split <= most; split += unit) {
    const std::int64_t rounds = rounded_up(sequences * key_heads * rounded_up(keys, split), multiprocessors),
                       time = rounds * (std::min(split, keys) + keys_of_a_split);
    if (least < 0 || time < least)
      best = split, least = time;
  }
  return best;
}

} // namespace samples
