// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "products_chains.h"

#include "matrices.h"

using namespace tegula::test;
using tegula::buffer;
using tegula::f16;

namespace {

constexpr std::int64_t head = 64, keys_of_block = 64;

/// Queries and keys: none, and edges of blocks of both.
const std::vector<std::pair<std::int64_t, std::int64_t>> lengths = {{1, 1},     {7, 129},  {127, 64},  {128, 128},
                                                                    {129, 300}, {200, 65}, {130, 333}, {5, 0}};

/// What is beside the factors: numbers and bools of keys, and the blocks that are wanted, of which some are not.
struct Beside {
  explicit Beside(std::int64_t n)
      : x(make<float, 1>({n}, [](std::int64_t) { return small_integer<float>(3); })),
        sees(make<bool, 1>({n}, [](std::int64_t) { return small_integer<float>(3) > 0; })),
        blocks(make<int, 1>({1 + (n + keys_of_block - 1) / keys_of_block}, [&](std::int64_t i) {
          const auto all = (n + keys_of_block - 1) / keys_of_block;
          return static_cast<int>(i == 0 ? (all + 1) / 2 : 2 * (i - 1) < all ? 2 * (i - 1) : 0);
        })) {}
  buffer<float, 1> x;
  buffer<bool, 1> sees;
  buffer<int, 1> blocks; // every second one
};

/// `score` and `weight` say what is made of a score, and of its weight among the values: of the query and the key.
template <class Entry, class Score, class Takes, class Weight>
void check(Entry entry, Score score, Takes takes, Weight weight, bool adds_scores = false) {
  for (auto [m, n] : lengths) {
    SCOPED_TRACE(std::to_string(m) + " queries, " + std::to_string(n) + " keys");
    const auto q = small_integers<f16>(m, head), k = small_integers<f16>(n, head), v = small_integers<f16>(n, head);
    const Beside beside(n);
    std::vector<double> weights(static_cast<std::size_t>(m * n));
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::int64_t l = 0; l < head; ++l)
          sum += static_cast<double>(wide(q(i, l))) * (wide(k(j, l)) + (adds_scores ? wide(v(j, l)) : 0));
        weights[static_cast<std::size_t>(i * n + j)] =
            takes(beside, i, j) ? std::clamp(score(beside, sum, j), -64.0, 64.0) : 0;
      }
    on_every_device([&](auto where) {
      const auto o = entry(q.to(where), k.to(where), v.to(where), beside.x.to(where), beside.sees.to(where),
                           beside.blocks.to(where), {});
      expect_agrees("chain", o, [&](auto at) {
        double sum = 0;
        for (std::int64_t j = 0; j < n; ++j)
          sum += weights[static_cast<std::size_t>(at[0] * n + j)] * (1 + weight(beside, j) * wide(v(j, at[1])));
        return static_cast<float>(sum);
      });
    });
  }
}

const auto plain = [](const Beside &, double score, std::int64_t) { return score; };
const auto every = [](const Beside &, std::int64_t, std::int64_t) { return true; };
const auto one = [](const Beside &, std::int64_t) { return 1.0; };

TEST(Chains, MaskKeys) {
  check(key_mask, plain, [](const Beside &beside, auto, auto key) { return beside.sees(key); }, one);
}
TEST(Chains, AddScores) { check(added_scores, plain, every, one, /*adds_scores=*/true); }
TEST(Chains, AddARowToScores) {
  check(key_bias, [](const Beside &beside, double score, auto key) { return score + beside.x(key); }, every, one);
}
TEST(Chains, ScaleValues) {
  check(value_scales, plain, every, [](const Beside &beside, auto key) { return static_cast<double>(beside.x(key)); });
}
TEST(Chains, CountBlocksByInt) {
  check(int_blocks, plain, [](const Beside &, auto query, auto key) { return key <= query; }, one);
}
TEST(Chains, CountKeysWithoutSign) {
  check(unsigned_keys, plain, [](const Beside &, auto query, auto key) { return key >= query - 40; }, one);
}
TEST(Chains, TakeListedBlocks) {
  check(listed_blocks, plain, [](const Beside &, auto, auto key) { return key / keys_of_block % 2 == 0; }, one);
}

} // namespace
