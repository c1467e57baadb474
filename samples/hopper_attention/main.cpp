// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace {

using tegula::buffer;
using tegula::device;

struct shape {
  std::int64_t batches, queries, keys, heads, key_heads, head_dim;
};
/// What the scores are like.
enum class kind { random, equal, one_huge };

template <class T> double wide(T x) { return static_cast<double>(static_cast<float>(x)); }

template <class T> buffer<T, 4> random_array(const tegula::shape<4> &dims, double scale, sample::random &random) {
  auto x = buffer<T, 4>::empty(dims);
  sample::fill(x, [&] { return static_cast<T>(static_cast<float>(scale * static_cast<double>(random.number()))); });
  return x;
}

/// One row of attention in float64.
struct row {
  std::vector<double> o;
  double log_sum_exp, largest = 0; ///< the largest magnitude among the values that it sees
};
template <class T>
row reference(const buffer<T, 4> &q, const buffer<T, 4> &k, const buffer<T, 4> &v, std::int64_t batch,
              std::int64_t query, std::int64_t head, double scale, bool is_causal) {
  const std::int64_t dim = q.dim(3), key_head = head / (q.dim(2) / k.dim(2));
  const std::int64_t seen = is_causal ? std::min(k.dim(1), query + 1 + k.dim(1) - q.dim(1)) : k.dim(1);
  std::vector<double> scores;
  double greatest = -std::numeric_limits<double>::infinity(), total = 0;
  for (std::int64_t key = 0; key < seen; ++key) {
    double score = 0;
    for (std::int64_t d = 0; d < dim; ++d)
      score += wide(q(batch, query, head, d)) * wide(k(batch, key, key_head, d));
    scores.push_back(scale * score);
    greatest = std::max(greatest, scores.back());
  }
  row result{std::vector<double>(static_cast<std::size_t>(dim)), greatest};
  for (std::int64_t key = 0; key < seen; ++key) {
    const double weight = std::exp(scores[static_cast<std::size_t>(key)] - greatest);
    total += weight;
    for (std::int64_t d = 0; d < dim; ++d) {
      const double value = wide(v(batch, key, key_head, d));
      result.o[static_cast<std::size_t>(d)] += weight * value;
      result.largest = std::max(result.largest, std::abs(value));
    }
  }
  for (double &sum : result.o)
    sum = total > 0 ? sum / total : 0;
  if (total > 0)
    result.log_sum_exp += std::log(total);
  return result;
}

template <class T, class Entry>
bool attention(const std::string &name, Entry entry, const shape &size, bool is_causal, kind scores, device where,
               sample::random &random) {
  const auto [batches, queries, keys, heads, key_heads, dim] = size;
  auto q = random_array<T>({batches, queries, heads, dim}, scores == kind::equal ? 0 : 2, random);
  auto k = random_array<T>({batches, keys, key_heads, dim}, 2, random);
  const auto v = random_array<T>({batches, keys, key_heads, dim}, 2, random);
  if (scores == kind::one_huge && queries > 0 && keys > 0)
    for (std::int64_t d = 0; d < dim; ++d) {
      q(0, queries - 1, 0, d) = static_cast<T>(8.0F);
      k(0, keys / 2, 0, d) = static_cast<T>(8.0F);
    }
  const double scale = 1 / std::sqrt(static_cast<double>(dim));
  const auto q_there = q.to(where), k_there = k.to(where), v_there = v.to(where);
  auto o = buffer<T, 4>::empty({batches, queries, heads, dim}, where);
  const std::int64_t block = dim == 64 ? 192 : 128; // of queries
  auto lse = buffer<float, 3>::empty({batches, heads, (queries + block - 1) / block * block}, where);
  const double seconds =
      sample::seconds(where, [&] { entry(q_there, k_there, v_there, o, lse, static_cast<float>(scale)); });
  const auto result = o.to_host();
  const auto sums = lse.to_host();
  // Weights are rounded to T before they are multiplied, results after; scores are f32, exponentials nearly so.
  const double precision = sizeof(T) == 2 && std::is_same_v<T, tegula::bf16> ? 0x1p-7 : 0x1p-10;
  std::int64_t wrong = 0;
  const std::int64_t rows = batches * heads * queries, every = std::max<std::int64_t>(1, rows / 2000);
  for (std::int64_t at = 0; at < rows; at += every) {
    const std::int64_t batch = at / (heads * queries), head = at / queries % heads, query = at % queries;
    const row exact = reference(q, k, v, batch, query, head, scale, is_causal);
    const double sum = static_cast<double>(sums(batch, head, query));
    // Of -inf the difference is NaN: both are, or the result is wrong.
    wrong += sum == exact.log_sum_exp || std::abs(sum - exact.log_sum_exp) <= 1e-3 + 1e-5 * std::abs(exact.log_sum_exp)
                 ? 0
                 : 1;
    for (std::int64_t d = 0; d < dim; ++d)
      wrong += std::abs(wide(result(batch, query, head, d)) - exact.o[static_cast<std::size_t>(d)]) <=
                       2 * precision * exact.largest
                   ? 0
                   : 1;
  }
  return sample::report(name + " of " + std::to_string(batches) + " x " + std::to_string(queries) + " queries, " +
                            std::to_string(keys) + " keys, " + std::to_string(heads) + " heads",
                        where, seconds, every == 1 ? "every row against float64" : "2000 rows against float64", wrong);
}

/// Every instance of a head dimension.
template <class Full, class Causal, class FullBf16, class CausalBf16>
bool instances(std::int64_t dim, Full f16, Causal f16_causal, FullBf16 bf16, CausalBf16 bf16_causal,
               std::vector<shape> sizes, device where, sample::random &random) {
  bool passed = true;
  const std::string of = " d" + std::to_string(dim);
  const auto run = [](auto entry) {
    return [entry](const auto &q, const auto &k, const auto &v, auto &o, auto &lse, float scale) {
      entry(q, k, v, o, lse, scale, {});
    };
  };
  for (shape &size : sizes) {
    size.head_dim = dim;
    for (const kind scores : {kind::random, kind::one_huge}) {
      passed &= attention<tegula::f16>("f16" + of, run(f16), size, false, scores, where, random);
      passed &= attention<tegula::f16>("f16" + of + " causal", run(f16_causal), size, true, scores, where, random);
    }
    passed &= attention<tegula::bf16>("bf16" + of, run(bf16), size, false, kind::equal, where, random);
    passed &=
        attention<tegula::bf16>("bf16" + of + " causal", run(bf16_causal), size, true, kind::random, where, random);
  }
  return passed;
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    using namespace samples;
    sample::random random(7);
    bool passed = true;
    for (const auto where : sample::parse(count, arguments).devices) {
      // One of each, not a multiple of anything, fewer queries than keys and more, groups of heads.
      std::vector<shape> sizes = {
          {1, 1, 1, 1, 1, 0}, {1, 127, 129, 2, 1, 0}, {1, 65, 300, 1, 1, 0}, {1, 200, 70, 1, 1, 0}};
      if (where.is_gpu())
        sizes.insert(sizes.end(), {{2, 1000, 1000, 6, 3, 0}, {2, 1, 4096, 8, 2, 0}, {1, 4096, 4096, 16, 16, 0}});
      passed &= instances(64, attention_f16_d64, attention_f16_d64_causal, attention_bf16_d64,
                          attention_bf16_d64_causal, sizes, where, random);
      passed &= instances(128, attention_f16_d128, attention_f16_d128_causal, attention_bf16_d128,
                          attention_bf16_d128_causal, sizes, where, random);
      passed &= instances(256, attention_f16_d256, attention_f16_d256_causal, attention_bf16_d256,
                          attention_bf16_d256_causal, sizes, where, random);
    }
    return passed;
  });
}
