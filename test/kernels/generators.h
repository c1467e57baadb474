// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both generators of random numbers as their paper has them, in loops over words of 64 bits.
#pragma once

#include <array>
#include <cstdint>

namespace tegula::test {

inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> n, std::uint32_t key_x, std::uint32_t key_y) {
  for (std::uint32_t round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xd2511f53} * n[0], second = std::uint64_t{0xcd9e8d57} * n[2];
    const std::uint32_t x = key_x + round * 0x9e3779b9U, y = key_y + round * 0xbb67ae85U;
    n = {static_cast<std::uint32_t>(second >> 32) ^ n[1] ^ x, static_cast<std::uint32_t>(second),
         static_cast<std::uint32_t>(first >> 32) ^ n[3] ^ y, static_cast<std::uint32_t>(first)};
  }
  return n;
}

inline std::array<std::uint32_t, 2> threefry(std::uint32_t x, std::uint32_t y, std::uint32_t key_x,
                                             std::uint32_t key_y) {
  const std::uint32_t keys[] = {key_x, key_y, key_x ^ key_y ^ 0x1bd11bda};
  const int rotations[] = {13, 15, 26, 6, 17, 29, 16, 24};
  for (std::uint32_t round = 0; round <= 20; ++round) {
    if (round % 4 == 0) {
      x += keys[round / 4 % 3];
      y += keys[(round / 4 + 1) % 3] + round / 4;
    }
    if (round == 20)
      break;
    x += y;
    y = (y << rotations[round % 8] | y >> (32 - rotations[round % 8])) ^ x;
  }
  return {x, y};
}

} // namespace tegula::test
