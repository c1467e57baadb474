// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choices that a seed decides.

#ifndef TEGULA_RUNTIME_CPU_RANDOM_H
#define TEGULA_RUNTIME_CPU_RANDOM_H

#include <cstddef>
#include <cstdint>

namespace tegula::cpu::detail {

/// SplitMix64 (Steele, Lea, Flood 2014): any two seeds, also neighbours, give unrelated choices.
class random {
public:
  random(std::uint64_t seed, std::uint64_t stream) noexcept : state_(seed) { state_ = next() + stream; }

  std::uint64_t next() noexcept {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  /// 0 to count - 1.
  std::size_t below(std::size_t count) noexcept { return static_cast<std::size_t>((next() >> 32) * count >> 32); }
  /// True `sixteenths` times in 16.
  bool happens(int sixteenths) noexcept { return below(16) < static_cast<std::size_t>(sixteenths); }

private:
  std::uint64_t state_;
};

} // namespace tegula::cpu::detail

#endif // TEGULA_RUNTIME_CPU_RANDOM_H
