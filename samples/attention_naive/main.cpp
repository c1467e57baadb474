// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "kernels.h"

#include <algorithm>

namespace {

template <class Entry>
bool attention(const char *name, Entry entry, std::int64_t heads, std::int64_t rows, std::int64_t keys,
               std::int64_t width, tegula::device where, sample::random &random) {
  auto q = tegula::buffer<float, 3>::empty({heads, rows, width});
  auto k = tegula::buffer<float, 3>::empty({heads, keys, width}), v = k.to(tegula::device::cpu());
  sample::fill(q, [&] { return 4 * random.number(); });
  sample::fill(k, [&] { return 4 * random.number(); });
  sample::fill(v, [&] { return random.number(); });
  const auto q_there = q.to(where), k_there = k.to(where), v_there = v.to(where);
  tegula::buffer<float, 3> o;
  const double seconds = sample::seconds(where, [&] { o = entry(q_there, k_there, v_there, {}); });
  const auto result = o.to_host();
  std::int64_t wrong = 0;
  std::vector<double> weights(static_cast<std::size_t>(keys)), sums(static_cast<std::size_t>(width));
  for (std::int64_t head = 0; head < heads; ++head)
    for (std::int64_t i = 0; i < rows; i += 1 + rows / 50) { // Some rows of a large result.
      double greatest = -1e300, total = 0;
      for (std::int64_t j = 0; j < keys; ++j) {
        double score = 0;
        for (std::int64_t d = 0; d < width; ++d)
          score += static_cast<double>(q(head, i, d)) * static_cast<double>(k(head, j, d));
        weights[static_cast<std::size_t>(j)] = score / std::sqrt(static_cast<double>(width));
        greatest = std::max(greatest, weights[static_cast<std::size_t>(j)]);
      }
      std::fill(sums.begin(), sums.end(), 0.0);
      for (std::int64_t j = 0; j < keys; ++j) {
        const double weight = std::exp(weights[static_cast<std::size_t>(j)] - greatest);
        total += weight;
        for (std::int64_t d = 0; d < width; ++d)
          sums[static_cast<std::size_t>(d)] += weight * static_cast<double>(v(head, j, d));
      }
      for (std::int64_t d = 0; d < width; ++d) {
        const double reference = sums[static_cast<std::size_t>(d)] / total;
        wrong += std::abs(static_cast<double>(result(head, i, d)) - reference) <= 1e-4 ? 0 : 1; // A NaN is wrong.
      }
    }
  return sample::report(std::string(name) + " of " + std::to_string(heads) + " heads, " + std::to_string(rows) +
                            " rows, " + std::to_string(keys) + " keys",
                        where, seconds, "against float64", wrong);
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(10);
    bool passed = true;
    for (const auto where : sample::parse(count, arguments).devices) {
      constexpr std::int64_t shapes[][3] = {{1, 1, 1}, {2, 65, 129}, {3, 127, 64}, {2, 300, 500}};
      for (const auto &[heads, rows, keys] : shapes) {
        passed &= attention("attention_64", attention_64, heads, rows, keys, 64, where, random);
        passed &= attention("attention_128", attention_128, heads, rows, keys, 128, where, random);
      }
      if (where.is_gpu())
        passed &= attention("attention_64", attention_64, 16, 4096, 4096, 64, where, random);
    }
    return passed;
  });
}
