// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

// A counter has 128 random bits, which serve four elements: element i of the four quarters of a block.
constexpr int quarter = 1024;

/// x / (1 - p) where random bits keep it, with probability 1 - p, and 0 elsewhere. A function of its arguments: element
/// n is kept by word n / 1024 mod 4 of Philox's counter offset + n / 4096 * 1024 + n mod 1024. It is its own backward
/// pass, dx = dropout(dy, p, seed, offset), so that no mask is stored. Calls that shall differ have other seeds, or
/// offsets that are cdiv(size, 4096) * 1024 apart.
template <class T>
TEGULA_KERNEL tg::array<T, 1> dropout(tg::array<const T, 1> x, float p, tg::u64 seed, tg::u64 offset = 0) {
  tg::check(p >= 0 && p < 1, "p, the probability with which elements are dropped, is in [0, 1)");
  auto y = tg::empty_like(x);
  const float scale = 1 / (1 - p);
  const auto dropped = static_cast<tg::u32>(p * 0x1p32f);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 4 * quarter)}},
      [=](auto x, auto y) {
        const auto first = offset + static_cast<tg::u64>(tg::program_id(0)) * quarter;
        const auto bits = tg::randint4x(seed, tg::iota<tg::u64, quarter>() + first);
        const auto apply = [&](int i, const auto &bits) {
          const auto part = tg::ds<quarter>(i * quarter);
          y[part] = tg::astype<T>(tg::where(bits >= dropped, tg::astype<float>(x[part]) * scale, 0.0f));
        };
        apply(0, bits.x);
        apply(1, bits.y);
        apply(2, bits.z);
        apply(3, bits.w);
      },
      tg::in<4 * quarter>(x, [](auto i) { return tg::index(i); }),
      tg::out<4 * quarter>(y, [](auto i) { return tg::index(i); }));
  return y;
}
TEGULA_INSTANTIATE("dropout", dropout<float>);
TEGULA_INSTANTIATE("dropout", dropout<tg::bf16>);
