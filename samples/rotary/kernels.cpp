// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rotary embeddings: a head's columns in pairs, each rotated by an angle of its token. cosine and sine are those of the
// angles, (tokens, d / 2) for heads of d columns. The backward pass is the inverse rotation, of `is_inverse`.
#include <tegula/tegula.h>
namespace tg = tegula;

// A program has a block of so many tokens, heads and pairs of columns.
template <int of_tokens, int of_heads> struct Block {
  static constexpr int tokens = of_tokens, heads = of_heads, pairs = 64;
};
using OneToken = Block<1, 32>; // Whose heads lie one behind the other.
using FewHeads = Block<4, 8>;

// Calls `rotate` with the block for so many heads.
constexpr auto with_block = [](tg::s64 heads, const auto &rotate) {
  if (heads % OneToken::heads == 0)
    rotate(OneToken());
  else
    rotate(FewHeads());
};

/// Column i pairs with column i + d / 2: x is (tokens, heads, 2, d / 2), which an array of (tokens, heads, d) is in
/// memory.
template <class T>
TEGULA_KERNEL tg::array<T, 4> rotate_halves(tg::array<const T, 4> x, tg::array<const float, 2> cosine,
                                            tg::array<const float, 2> sine, bool is_inverse = false) {
  tg::check(x.dim(2) == 2, "x is (tokens, heads, 2, d / 2)");
  tg::check(cosine.dim(0) == x.dim(0) && cosine.dim(1) == x.dim(3), "cosine is (tokens, d / 2)");
  tg::check(sine.dim(0) == x.dim(0) && sine.dim(1) == x.dim(3), "sine is (tokens, d / 2)");
  auto y = tg::empty_like(x);
  constexpr auto heads_of = [](auto i, auto j, auto k) { return tg::index(i, j, 0, k); };
  constexpr auto angles_of = [](auto i, auto, auto k) { return tg::index(i, k); };
  with_block(x.dim(1), [&](auto block) {
    constexpr int tokens = block.tokens, heads = block.heads, pairs = block.pairs;
    tg::pallas_call(
        {.grid = {tg::cdiv(x.dim(0), tokens), tg::cdiv(x.dim(1), heads), tg::cdiv(x.dim(3), pairs)}},
        [=](auto x, auto cosine, auto sine, auto y) {
          const auto c = cosine[tg::all, tg::newaxis];
          const auto s = sine[tg::all, tg::newaxis] * (is_inverse ? -1.0f : 1.0f);
          const auto a = tg::astype<float>(x[tg::all, tg::all, 0]), b = tg::astype<float>(x[tg::all, tg::all, 1]);
          y[tg::all, tg::all, 0] = tg::astype<T>(a * c - b * s);
          y[tg::all, tg::all, 1] = tg::astype<T>(b * c + a * s);
        },
        tg::in<tokens, heads, 2, pairs>(x, heads_of), tg::in<tokens, pairs>(cosine, angles_of),
        tg::in<tokens, pairs>(sine, angles_of), tg::out<tokens, heads, 2, pairs>(y, heads_of));
  });
  return y;
}
TEGULA_INSTANTIATE("rotate_halves", rotate_halves<float>);
TEGULA_INSTANTIATE("rotate_halves", rotate_halves<tg::bf16>);

// Two neighbours in memory as one word, the first in its lower bits.
struct PairOfFloat {
  using word = tg::u64;
  static constexpr auto first = [](const auto &w) { return tg::bitcast<float>(tg::astype<tg::u32>(w)); };
  static constexpr auto second = [](const auto &w) { return tg::bitcast<float>(tg::astype<tg::u32>(w >> word(32))); };
  static constexpr auto of = [](const auto &a, const auto &b) {
    return tg::astype<word>(tg::bitcast<tg::u32>(a)) | tg::astype<word>(tg::bitcast<tg::u32>(b)) << word(32);
  };
};
struct PairOfBf16 {
  using word = tg::u32;
  // A bf16 is the upper half of the float that it is.
  static constexpr auto first = [](const auto &w) { return tg::bitcast<float>(w << word(16)); };
  static constexpr auto second = [](const auto &w) { return tg::bitcast<float>(w & word(0xffff0000)); };
  static constexpr auto bits = [](const auto &a) {
    return tg::astype<word>(tg::bitcast<tg::u16>(tg::astype<tg::bf16>(a)));
  };
  static constexpr auto of = [](const auto &a, const auto &b) { return bits(a) | bits(b) << word(16); };
};

/// Column 2 i pairs with column 2 i + 1: x is (tokens, heads, d / 2) of words, each a pair of neighbours in memory.
template <class Pair>
TEGULA_KERNEL tg::array<typename Pair::word, 3>
rotate_neighbours(tg::array<const typename Pair::word, 3> x, tg::array<const float, 2> cosine,
                  tg::array<const float, 2> sine, bool is_inverse = false) {
  tg::check(cosine.dim(0) == x.dim(0) && cosine.dim(1) == x.dim(2), "cosine is (tokens, d / 2)");
  tg::check(sine.dim(0) == x.dim(0) && sine.dim(1) == x.dim(2), "sine is (tokens, d / 2)");
  auto y = tg::empty_like(x);
  constexpr auto heads_of = [](auto i, auto j, auto k) { return tg::index(i, j, k); };
  constexpr auto angles_of = [](auto i, auto, auto k) { return tg::index(i, k); };
  with_block(x.dim(1), [&](auto block) {
    constexpr int tokens = block.tokens, heads = block.heads, pairs = block.pairs;
    tg::pallas_call(
        {.grid = {tg::cdiv(x.dim(0), tokens), tg::cdiv(x.dim(1), heads), tg::cdiv(x.dim(2), pairs)}},
        [=](auto x, auto cosine, auto sine, auto y) {
          const auto c = cosine[tg::all, tg::newaxis];
          const auto s = sine[tg::all, tg::newaxis] * (is_inverse ? -1.0f : 1.0f);
          const auto a = Pair::first(x[tg::all]), b = Pair::second(x[tg::all]);
          y[tg::all] = Pair::of(a * c - b * s, b * c + a * s);
        },
        tg::in<tokens, heads, pairs>(x, heads_of), tg::in<tokens, pairs>(cosine, angles_of),
        tg::in<tokens, pairs>(sine, angles_of), tg::out<tokens, heads, pairs>(y, heads_of));
  });
  return y;
}
TEGULA_INSTANTIATE("rotate_neighbours_f32", rotate_neighbours<PairOfFloat>);
TEGULA_INSTANTIATE("rotate_neighbours_bf16", rotate_neighbours<PairOfBf16>);
