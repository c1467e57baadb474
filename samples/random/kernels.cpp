// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of random numbers, functions of a seed and of where an element stands: the same on a CPU and on a GPU, in
// blocks of any size.
#include <tegula/tegula.h>
namespace tg = tegula;

// A counter of Philox has four words, which serve four elements: element i of the four quarters of a block.
constexpr int quarter = 1024;

/// Calls `store(part, words)` for the four quarters of each block of o.
template <class T, class Make> void generate(tg::array<T, 1> o, tg::u64 seed, Make make) {
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 4 * quarter)}},
      [=](auto o) {
        const auto first = static_cast<tg::u64>(tg::program_id(0)) * quarter;
        const auto four = make(seed, tg::iota<tg::u64, quarter>() + first);
        o[tg::ds<quarter>(0)] = four.x;
        o[tg::ds<quarter>(quarter)] = four.y;
        o[tg::ds<quarter>(2 * quarter)] = four.z;
        o[tg::ds<quarter>(3 * quarter)] = four.w;
      },
      tg::out<4 * quarter>(o, [](auto i) { return tg::index(i); }));
}

/// 32 random bits each.
TEGULA_KERNEL tg::array<tg::u32, 1> random_bits(tg::u64 seed, tg::s64 size) {
  auto o = tg::empty<tg::u32>(size);
  generate(o, seed, [](tg::u64 seed, auto n) { return tg::randint4x(seed, n); });
  return o;
}
/// Numbers in [0, 1).
TEGULA_KERNEL tg::array<float, 1> uniform(tg::u64 seed, tg::s64 size) {
  auto o = tg::empty<float>(size);
  generate(o, seed, [](tg::u64 seed, auto n) { return tg::rand4x(seed, n); });
  return o;
}
/// Numbers of the normal distribution, of mean 0 and variance 1.
TEGULA_KERNEL tg::array<float, 1> normal(tg::u64 seed, tg::s64 size) {
  auto o = tg::empty<float>(size);
  generate(o, seed, [](tg::u64 seed, auto n) { return tg::randn4x(seed, n); });
  return o;
}
