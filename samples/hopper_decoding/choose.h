// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many keys the splits of decode.h have. Host code.
#pragma once

#include <algorithm>
#include <cstdint>

namespace samples {

/// So many that all have about as much to read, and that splits are few. `keys` is what a sequence has on average,
/// `rows` how many queries there are to a key head, of all heads that share it.
inline std::int64_t choose_split_keys(std::int64_t sequences, std::int64_t keys, std::int64_t key_heads,
                                      std::int64_t rows, std::int64_t multiprocessors) {
  // In the time that a pair of threads takes for a key, measured on an H100 for heads of 128: what a split takes beside
  // its keys, what each split of a query adds to the second launch, and by how much of a split some pairs have more to
  // do than others where sequences differ.
  const double of_split = 14 + 2.6 * static_cast<double>(rows), of_sum = 5.5, of_difference = sequences > 1 ? 0.15 : 0;
  constexpr std::int64_t unit = 128, most = 8192;
  const auto rounded_up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  std::int64_t best = unit;
  double least = -1;
  for (std::int64_t split = unit; split <= most; split += unit) {
    const std::int64_t splits = rounded_up(std::max<std::int64_t>(keys, 1), split),
                       rounds = rounded_up(sequences * key_heads * splits, 2 * multiprocessors);
    const auto taken = static_cast<double>(std::min(split, keys));
    const double time =
        static_cast<double>(rounds) * (taken + of_split) + of_sum * static_cast<double>(splits) + of_difference * taken;
    if (least < 0 || time < least)
      best = split, least = time;
  }
  return best;
}

} // namespace samples
