// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// matmul(a, b, d): the product by the configuration of kernels.cpp that suits its shape. Plain C++ of the host.
//
// Ranges of m, n and k would not do: whether tiles of 192 or of 256 columns win depends on how many rounds of tiles the
// multiprocessors make of D, thus on its very size (at 3072^3 the former are faster by a third, at 4096^3 slower by a
// seventh). So the table has what tiles cost, and the choice is the configuration that should be done first.
#pragma once

#include "kernels.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace samples {

/// D = A @ B, row-major: A is M x K, B is K x N or, for those of b_is_transposed, N x K.
template <class T>
using product = void(const tegula::array<const T, 2> &a, const tegula::array<const T, 2> &b,
                     const tegula::array<T, 2> &d, std::int64_t multiprocessors, const tegula::stream &stream);

struct problem {
  std::int64_t m, n, k;
  bool b_is_transposed;
  bool has_uneven_rows; // Not all rows of A and B begin at multiples of 128 bytes, which takes more from L2.
};

struct configuration {
  const char *name;
  bool b_is_transposed;
  int rows, columns, blocks; // of a cluster, which makes so many rows and columns of D at a time
  // Microseconds that these take, and what each 64 elements along k add, of even and of uneven rows.
  double tile, step, uneven_step;
  product<tegula::bf16> *bf16;
  product<tegula::f16> *f16;
};

/// Estimated from the times of some twenty shapes on an H200 of 132 multiprocessors, 2026-11-23, those of the pair and
/// of uneven rows from ratios of a second run (test/benchmark/RESULTS.md). `matmul-benchmark tune` measures rows anew.
inline constexpr configuration configurations[] = {
    {"128x256", false, 128, 256, 1, 0.619, 0.694, 0.85, matmul_bf16_128x256, matmul_f16_128x256},
    {"pair_128x256", false, 256, 256, 2, 0.7, 0.70, 0.69, matmul_bf16_pair_128x256, matmul_f16_pair_128x256},
    {"128x192", false, 128, 192, 1, 0.673, 0.507, 0.69, matmul_bf16_128x192, matmul_f16_128x192},
    {"128x128", false, 128, 128, 1, 0.263, 0.348, 0.55, matmul_bf16_128x128, matmul_f16_128x128},
    {"64x128", false, 64, 128, 1, 0.212, 0.213, 0.43, matmul_bf16_64x128, matmul_f16_64x128},
    {"64x64", false, 64, 64, 1, 0.155, 0.151, 0.28, matmul_bf16_64x64, matmul_f16_64x64},
    {"128x256_nk", true, 128, 256, 1, 0.942, 0.667, 0.80, matmul_bf16_128x256_nk, matmul_f16_128x256_nk},
    {"128x192_nk", true, 128, 192, 1, 0.494, 0.518, 0.69, matmul_bf16_128x192_nk, matmul_f16_128x192_nk},
    {"128x160_nk", true, 128, 160, 1, 0.841, 0.413, 0.58, matmul_bf16_128x160_nk, matmul_f16_128x160_nk},
    {"128x128_nk", true, 128, 128, 1, 0.371, 0.344, 0.54, matmul_bf16_128x128_nk, matmul_f16_128x128_nk},
    {"64x128_nk", true, 64, 128, 1, 0.215, 0.213, 0.43, matmul_bf16_64x128_nk, matmul_f16_64x128_nk},
};

/// What each multiprocessor does one after the other: tiles of D, and steps along k in all of them.
struct amount {
  double tiles, steps;
};
constexpr amount amount_of(const configuration &how, const problem &what, std::int64_t multiprocessors) {
  const auto cdiv = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  const std::int64_t tiles = cdiv(cdiv(what.m, how.rows) * cdiv(what.n, how.columns), multiprocessors / how.blocks);
  return {static_cast<double>(tiles), static_cast<double>(tiles * cdiv(what.k, 64))};
}

/// Products of so many operations run at the board's power limit. There tiles of 256 columns, which take the fewest
/// bytes from shared memory, take less time than the table says, by this share: fitted to 8192^3 of bf16 on an H200 of
/// 700 W (test/benchmark/RESULTS.md, energy).
inline constexpr double operations_at_limit = 4e11, share_at_limit = 0.95;

/// Of some configurations the one that takes B as it is and should be done first; null if there is none.
template <class Configurations>
constexpr const configuration *choose(const Configurations &among, const problem &what, std::int64_t multiprocessors) {
  const configuration *best = nullptr;
  double least = 0;
  const double operations =
      2.0 * static_cast<double>(what.m) * static_cast<double>(what.n) * static_cast<double>(what.k);
  for (const configuration &how : among) {
    if (how.b_is_transposed != what.b_is_transposed || how.blocks > multiprocessors)
      continue;
    const amount work = amount_of(how, what, multiprocessors);
    double time = work.tiles * how.tile + work.steps * (what.has_uneven_rows ? how.uneven_step : how.step);
    if (operations >= operations_at_limit && how.columns == 256)
      time *= share_at_limit;
    if (best == nullptr || time < least) {
      best = &how;
      least = time;
    }
  }
  return best;
}

/// D = A @ B of bf16 or f16, row-major, where d is. Rows begin at multiples of 16 bytes, as TMA needs them. Throws
/// tegula::error where shapes do not fit or the GPU is no Hopper.
template <class T>
void matmul(const tegula::array<const T, 2> &a, const tegula::array<const T, 2> &b, const tegula::array<T, 2> &d,
            bool b_is_transposed = false, const tegula::stream &stream = {}) {
  static_assert(std::is_same_v<T, tegula::bf16> || std::is_same_v<T, tegula::f16>, "a, b and d are of bf16 or f16");
  const std::int64_t multiprocessors = tegula::multiprocessors(d.device()), even = 128 / sizeof(T);
  const problem what = {d.dim(0), d.dim(1), a.dim(1), b_is_transposed,
                        a.stride(0) % even != 0 || b.stride(0) % even != 0};
  const configuration &how = *choose(configurations, what, multiprocessors);
  if constexpr (std::is_same_v<T, tegula::bf16>)
    how.bf16(a, b, d, multiprocessors, stream);
  else
    how.f16(a, b, d, multiprocessors, stream);
}

} // namespace samples
