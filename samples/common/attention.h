// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention in float64, and what the samples' entries are called with and compared by.
#pragma once

#include "sample.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sample::attention {

using tegula::array;
using tegula::buffer;

constexpr std::int64_t everything = std::int64_t{1} << 40;

struct shape {
  std::int64_t batches, queries, keys, heads, key_heads;
};
/// What the scores are like.
enum class kind { random, equal, one_huge };
/// Which keys a query sees, before where it stands and behind, and the bound of scores, 0 if there is none.
struct limits {
  std::int64_t left = everything, right = everything;
  double softcap = 0;
  double tolerance = 1; ///< times that of products that are exact
};
constexpr limits causal{everything, 0, 0};

template <class T> double wide(T x) { return static_cast<double>(static_cast<float>(x)); }

/// Queries, keys and values, on the CPU.
template <class T> struct problem {
  buffer<T, 4> q, k, v;
  double scale;

  problem(const shape &size, std::int64_t dim, kind scores, sample::random &random)
      : q(buffer<T, 4>::empty({size.batches, size.queries, size.heads, dim})),
        k(buffer<T, 4>::empty({size.batches, size.keys, size.key_heads, dim})),
        v(buffer<T, 4>::empty({size.batches, size.keys, size.key_heads, dim})),
        scale(1 / std::sqrt(static_cast<double>(dim))) {
    const auto fill = [&](buffer<T, 4> &x, double width) {
      sample::fill(x, [&] { return static_cast<T>(static_cast<float>(width * static_cast<double>(random.number()))); });
    };
    fill(q, scores == kind::equal ? 0 : 2);
    fill(k, 2);
    fill(v, 2);
    if (scores == kind::one_huge && size.queries > 0 && size.keys > 0)
      for (std::int64_t d = 0; d < dim; ++d) {
        q(0, size.queries - 1, 0, d) = static_cast<T>(8.0F);
        k(0, size.keys / 2, 0, d) = static_cast<T>(8.0F);
      }
  }
};

/// Some queries and keys of a batch that belong together.
struct sequence {
  std::int64_t batch, q_begin, queries, k_begin, keys;
};

/// The keys that a query of a sequence sees: from the first to before the second.
inline std::pair<std::int64_t, std::int64_t> seen(const sequence &of, std::int64_t query, const limits &sees) {
  const std::int64_t stands = query + of.keys - of.queries;
  return {std::max<std::int64_t>(0, stands - sees.left), std::min(of.keys, stands + sees.right + 1)};
}

/// What a forward pass takes: two products for each key that a query sees; queries, keys, values and results, once
/// each.
template <class T> work work_of(const problem<T> &given, const std::vector<sequence> &sequences, const limits &sees) {
  const std::int64_t heads = given.q.dim(2), key_heads = given.k.dim(2), dim = given.q.dim(3);
  std::int64_t rows = 0, pairs = 0;
  for (const sequence &each : sequences) {
    rows += heads * each.queries + key_heads * each.keys;
    for (std::int64_t query = 0; query < each.queries; ++query) {
      const auto [begin, end] = seen(each, query, sees);
      pairs += heads * std::max<std::int64_t>(0, end - begin);
    }
  }
  return {2.0 * sizeof(T) * static_cast<double>(rows * dim), static_cast<double>(4 * pairs * dim)};
}

/// One row of attention in float64.
struct row {
  std::vector<double> o;
  double log_sum_exp, largest = 0; ///< the largest magnitude among the values that it sees
};
template <class T>
row reference(const problem<T> &given, const sequence &of, std::int64_t query, std::int64_t head, const limits &sees) {
  const auto &[q, k, v, scale] = given;
  const std::int64_t dim = q.dim(3), key_head = head / (q.dim(2) / k.dim(2));
  const auto [begin, end] = seen(of, query, sees);
  std::vector<double> scores;
  double greatest = -std::numeric_limits<double>::infinity(), total = 0;
  for (std::int64_t key = begin; key < end; ++key) {
    double score = 0;
    for (std::int64_t d = 0; d < dim; ++d)
      score += wide(q(of.batch, of.q_begin + query, head, d)) * wide(k(of.batch, of.k_begin + key, key_head, d));
    score *= scale;
    scores.push_back(sees.softcap > 0 ? sees.softcap * std::tanh(score / sees.softcap) : score);
    greatest = std::max(greatest, scores.back());
  }
  row result{std::vector<double>(static_cast<std::size_t>(dim)), greatest};
  for (std::int64_t key = begin; key < end; ++key) {
    const double weight = std::exp(scores[static_cast<std::size_t>(key - begin)] - greatest);
    total += weight;
    for (std::int64_t d = 0; d < dim; ++d) {
      const double value = wide(v(of.batch, of.k_begin + key, key_head, d));
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

/// Calls `entry` with arrays of a device, and compares rows of its results, some 500 of many.
template <class T, class Entry>
bool check(const std::string &name, const problem<T> &given, const std::vector<sequence> &sequences, const limits &sees,
           Entry entry, device where) {
  const auto &[q, k, v, scale] = given;
  const auto q_there = q.to(where), k_there = k.to(where), v_there = v.to(where);
  // What is not stored is NaN.
  auto o_before = buffer<T, 4>::empty(q.dims());
  auto lse_before = buffer<float, 3>::empty({q.dim(0), q.dim(2), q.dim(1)});
  sample::fill(o_before, [] { return static_cast<T>(std::numeric_limits<float>::quiet_NaN()); });
  sample::fill(lse_before, [] { return std::numeric_limits<float>::quiet_NaN(); });
  auto o = o_before.to(where);
  auto lse = lse_before.to(where);
  const double seconds = sample::seconds(where, [&] {
    entry(array<const T, 4>(q_there), array<const T, 4>(k_there), array<const T, 4>(v_there), array<T, 4>(o),
          array<float, 3>(lse), static_cast<float>(scale));
  });
  const auto result = o.to_host();
  const auto sums = lse.to_host();
  // Weights are rounded to T before they are multiplied, results after; scores are f32, exponentials nearly so.
  const double of_type = std::is_same_v<T, tegula::bf16> ? 0x1p-7 : std::is_same_v<T, tegula::f16> ? 0x1p-10 : 0x1p-17;
  const double precision = of_type * sees.tolerance,
               of_sums = std::is_same_v<T, float> ? of_type * sees.tolerance : 1e-3;
  std::int64_t wrong = 0, rows = 0;
  for (const sequence &each : sequences)
    rows += q.dim(2) * each.queries;
  const std::int64_t every = std::max<std::int64_t>(1, rows / 500);
  std::int64_t next = 0, at = 0;
  for (const sequence &each : sequences)
    for (std::int64_t head = 0; head < q.dim(2); ++head)
      for (std::int64_t query = 0; query < each.queries; ++query, ++at) {
        if (at < next)
          continue;
        next = at + every;
        const row exact = reference(given, each, query, head, sees);
        const double sum = static_cast<double>(sums(each.batch, head, each.q_begin + query));
        // Of -inf the difference is NaN: both are, or the result is wrong.
        wrong += sum == exact.log_sum_exp ||
                         std::abs(sum - exact.log_sum_exp) <= of_sums + 1e-5 * std::abs(exact.log_sum_exp)
                     ? 0
                     : 1;
        for (std::int64_t d = 0; d < q.dim(3); ++d)
          wrong += std::abs(wide(result(each.batch, each.q_begin + query, head, d)) -
                            exact.o[static_cast<std::size_t>(d)]) <= 2 * precision * exact.largest
                       ? 0
                       : 1;
      }
  return sample::report(name, where, seconds,
                        every == 1 ? "every row against float64" : "some 500 rows against float64", wrong,
                        work_of(given, sequences, sees));
}

inline std::string described(const shape &size) {
  return std::to_string(size.batches) + " x " + std::to_string(size.queries) + " queries, " +
         std::to_string(size.keys) + " keys, " + std::to_string(size.heads) + " heads";
}

inline std::vector<sequence> batches_of(const shape &size) {
  std::vector<sequence> batches;
  for (std::int64_t batch = 0; batch < size.batches; ++batch)
    batches.push_back({batch, 0, size.queries, 0, size.keys});
  return batches;
}

template <class T, class Entry>
bool run(const std::string &name, std::int64_t dim, const shape &size, const limits &sees, kind scores, Entry entry,
         device where, sample::random &random) {
  const problem<T> given(size, dim, scores, random);
  return check<T>(name + " of " + described(size), given, batches_of(size), sees, entry, where);
}

/// An entry on the default stream.
template <class Entry> auto called(Entry entry) {
  return [entry](const auto &...arguments) { entry(arguments..., {}); };
}

/// Every instance of a head dimension that has no arguments but these.
template <class Full, class Causal, class FullBf16, class CausalBf16>
bool instances(std::int64_t dim, Full f16, Causal f16_causal, FullBf16 bf16, CausalBf16 bf16_causal,
               const std::vector<shape> &sizes, device where, sample::random &random) {
  bool passed = true;
  const std::string of = " d" + std::to_string(dim);
  for (const shape &size : sizes) {
    for (const kind scores : {kind::random, kind::one_huge}) {
      passed &= run<tegula::f16>("f16" + of, dim, size, {}, scores, called(f16), where, random);
      passed &= run<tegula::f16>("f16" + of + " causal", dim, size, causal, scores, called(f16_causal), where, random);
    }
    passed &= run<tegula::bf16>("bf16" + of, dim, size, {}, kind::equal, called(bf16), where, random);
    passed &=
        run<tegula::bf16>("bf16" + of + " causal", dim, size, causal, kind::random, called(bf16_causal), where, random);
  }
  return passed;
}

inline std::vector<limits> window_limits(bool has_softcap) {
  const double softcap = has_softcap ? 3 : 0;
  return {{0, 0, softcap},      {100, 0, softcap},        {31, 70, softcap},
          {1000, 129, softcap}, {everything, 5, softcap}, {9, everything, softcap}};
}
inline std::string described(const limits &window) {
  const auto side = [](std::int64_t keys) { return keys == everything ? "all" : std::to_string(keys); };
  return " in windows of " + side(window.left) + " and " + side(window.right);
}
template <class Entry> auto in_window(Entry entry, const limits &window) {
  return [entry, window](const auto &...arguments) { entry(arguments..., window.left, window.right, 3.0F, {}); };
}

template <class T, class Entry>
bool windows(const std::string &name, std::int64_t dim, bool has_softcap, Entry entry, const std::vector<shape> &sizes,
             device where, sample::random &random) {
  bool passed = true;
  for (const shape &size : sizes)
    for (const limits &sees : window_limits(has_softcap))
      passed &= run<T>(name + described(sees), dim, size, sees, kind::random, in_window(entry, sees), where, random);
  return passed;
}

/// How many keys packed sequences have, and how many heads all of them.
struct lengths {
  std::vector<std::int64_t> keys;
  std::int64_t heads = 4, key_heads = 2;
};

/// Sequences of these lengths, of keys, and of queries: fewer, as many, more.
struct packing {
  shape size;
  std::vector<sequence> sequences;
  std::vector<int> q_begins{0}, k_begins{0};
  std::int64_t longest = 0, longest_keys = 0;

  explicit packing(const lengths &of) : size{1, 0, 0, of.heads, of.key_heads} {
    for (const std::int64_t keys : of.keys) {
      const std::int64_t queries = std::vector<std::int64_t>{keys, keys / 2, keys + 3}[sequences.size() % 3];
      sequences.push_back({0, q_begins.back(), queries, k_begins.back(), keys});
      q_begins.push_back(q_begins.back() + static_cast<int>(queries));
      k_begins.push_back(k_begins.back() + static_cast<int>(keys));
      longest = std::max(longest, queries), longest_keys = std::max(longest_keys, keys);
    }
    size.queries = q_begins.back(), size.keys = k_begins.back();
  }
  /// Where sequences begin, on a device.
  static auto there(const std::vector<int> &begins, device where) {
    return tegula::to(array<const int, 1>(begins.data(), {static_cast<std::int64_t>(begins.size())}), where);
  }
};

template <class T, class Entry>
bool packed(const std::string &name, std::int64_t dim, const limits &sees, Entry entry, const lengths &of, device where,
            sample::random &random) {
  const packing all(of);
  const problem<T> given(all.size, dim, kind::random, random);
  const auto q_there = packing::there(all.q_begins, where), k_there = packing::there(all.k_begins, where);
  const auto call = [&](const auto &q, const auto &k, const auto &v, const auto &o, const auto &lse, float scale) {
    entry(q, k, v, o, lse, q_there, k_there, all.longest, scale, {});
  };
  return check<T>(name + " of " + std::to_string(of.keys.size()) + " packed sequences", given, all.sequences, sees,
                  call, where);
}

/// Batches of keys in pages: how large these are, and whether keys of one head, or heads of one key, lie next to each
/// other. What a page holds behind the last key may be no numbers.
struct paging {
  std::int64_t page, queries = 70, heads = 4, key_heads = 2;
  bool is_by_head = false, ends_with_nan = false;
};

/// Pages of a batch are those that a table names; the last one may be filled in part.
template <class T, class Entry>
bool paged(const std::string &name, std::int64_t dim, const paging &how, const limits &sees, Entry entry,
           const std::vector<std::int64_t> &lengths, device where, sample::random &random) {
  const std::int64_t longest = *std::max_element(lengths.begin(), lengths.end()), size = how.page;
  const auto batches = static_cast<std::int64_t>(lengths.size()),
             columns = std::max<std::int64_t>(1, (longest + size - 1) / size);
  const problem<T> given({batches, how.queries, columns * size, how.heads, how.key_heads}, dim, kind::random, random);
  // Pages lie in the other order, behind one that nobody reads.
  using extents = tegula::shape<4>;
  const std::int64_t count = 1 + batches * columns;
  const extents dims{count, size, how.key_heads, dim};
  const extents stored = how.is_by_head ? extents{count, how.key_heads, size, dim} : dims;
  auto k = buffer<T, 4>::empty(stored), v = buffer<T, 4>::empty(stored);
  const auto view = [&](auto &x) {
    const auto all = array<const T, 4>(x);
    const auto &s = all.strides();
    return array<const T, 4>(all.data(), dims, how.is_by_head ? extents{s[0], s[2], s[1], s[3]} : s, all.device());
  };
  const auto nothing = [] { return static_cast<T>(std::numeric_limits<float>::quiet_NaN()); };
  sample::fill(k, nothing);
  sample::fill(v, nothing);
  std::vector<int> pages, counts;
  std::vector<sequence> sequences;
  for (std::int64_t batch = 0; batch < batches; ++batch) {
    const std::int64_t keys = lengths[static_cast<std::size_t>(batch)];
    const std::int64_t filled = how.ends_with_nan ? keys : columns * size;
    counts.push_back(static_cast<int>(keys));
    sequences.push_back({batch, 0, how.queries, 0, keys});
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::int64_t page = batches * columns - (batch * columns + column);
      const bool is_used = !how.ends_with_nan || column * size < keys;
      pages.push_back(is_used ? static_cast<int>(page) : 1 << 30);
      for (std::int64_t key = 0; key < size && column * size + key < filled; ++key)
        for (std::int64_t head = 0; head < how.key_heads; ++head)
          for (std::int64_t d = 0; d < dim; ++d) {
            const std::int64_t second = how.is_by_head ? head : key, third = how.is_by_head ? key : head;
            k(page, second, third, d) = given.k(batch, column * size + key, head, d);
            v(page, second, third, d) = given.v(batch, column * size + key, head, d);
          }
    }
  }
  const auto k_there = k.to(where), v_there = v.to(where);
  const auto pages_there = tegula::to(array<const int, 2>(pages.data(), {batches, columns}), where);
  const auto counts_there = tegula::to(array<const int, 1>(counts.data(), {batches}), where);
  const auto call = [&](const auto &q, const auto &, const auto &, const auto &o, const auto &lse, float scale) {
    entry(q, view(k_there), view(v_there), o, lse, pages_there, counts_there, scale);
  };
  return check<T>(name + " of " + std::to_string(how.queries) + " queries, " + std::to_string(lengths.size()) +
                      " batches in pages of " + std::to_string(size),
                  given, sequences, sees, call, where);
}

} // namespace sample::attention
