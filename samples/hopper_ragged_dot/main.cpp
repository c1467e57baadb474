// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h"

#include "../common/sample.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace {

using sample::device;
using tegula::buffer;

/// Rows of groups of these sizes, and some more, which belong to none.
struct shape {
  std::vector<int> sizes;
  std::int64_t n, k, more = 0;
};

template <class T, class Entry>
bool product(const std::string &name, Entry entry, const shape &size, device where, sample::random &random) {
  const auto groups = static_cast<std::int64_t>(size.sizes.size());
  const std::int64_t used = std::accumulate(size.sizes.begin(), size.sizes.end(), std::int64_t{0}),
                     rows = used + size.more;
  auto x = buffer<T, 2>::empty({rows, size.k});
  auto w = buffer<T, 3>::empty({groups, size.k, size.n});
  auto before = buffer<T, 2>::empty({rows, size.n});
  const auto number = [&] { return static_cast<T>(2 * random.number()); };
  sample::fill(x, number);
  sample::fill(w, number);
  sample::fill(before, [] { return static_cast<T>(std::numeric_limits<float>::quiet_NaN()); });
  const auto x_there = x.to(where);
  const auto w_there = w.to(where);
  const auto sizes = tegula::to(tegula::array<const int, 1>(size.sizes.data(), {groups}), where);
  auto o = before.to(where);
  const std::int64_t multiprocessors = std::max<std::int64_t>(4, tegula::multiprocessors(where));
  const double seconds = sample::seconds(where, [&] { entry(x_there, w_there, sizes, o, multiprocessors, {}); });
  const auto result = o.to_host();
  std::vector<std::int64_t> group_of;
  for (std::int64_t group = 0; group < groups; ++group)
    group_of.insert(group_of.end(), static_cast<std::size_t>(size.sizes[static_cast<std::size_t>(group)]), group);
  std::int64_t wrong = 0;
  // All elements of a small result, some of a large one.
  const bool checks_all = rows * size.n * size.k <= std::int64_t{1} << 25;
  const std::int64_t checks = checks_all ? rows * size.n : 8192;
  for (std::int64_t check = 0; check < checks; ++check) {
    const std::int64_t place =
        checks_all ? check : static_cast<std::int64_t>(random.bits() % static_cast<std::uint64_t>(rows * size.n));
    const std::int64_t i = place / size.n, j = place % size.n;
    const double value = static_cast<double>(static_cast<float>(result(i, j)));
    if (i >= used) {
      wrong += std::isnan(value) ? 0 : 1;
      continue;
    }
    double sum = 0, magnitude = 0;
    for (std::int64_t k = 0; k < size.k; ++k) {
      const double term = static_cast<double>(static_cast<float>(x(i, k))) *
                          static_cast<double>(static_cast<float>(w(group_of[static_cast<std::size_t>(i)], k, j)));
      sum += term;
      magnitude += std::abs(term);
    }
    // Half a unit in the last place of the result, and the rounding of the sum. A NaN is wrong.
    const double unit = std::is_same_v<T, tegula::f16> ? 0x1p-11 : 0x1p-8;
    wrong += std::abs(value - sum) <= unit * std::abs(sum) + 1e-5 * magnitude ? 0 : 1;
  }
  return sample::report(name + " of " + std::to_string(rows) + " rows in " + std::to_string(groups) + " groups, " +
                            std::to_string(size.k) + " x " + std::to_string(size.n),
                        where, seconds, checks_all ? "every element against float64" : "8192 elements against float64",
                        wrong, sample::flops(2 * used * size.n * size.k));
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(11);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"groups", "rows", "n", "k"});
    for (const auto where : options.devices) {
      std::vector<shape> shapes = {{{1}, 8, 8},
                                   {{0, 64, 0, 0, 7, 129, 0}, 264, 72, 5},
                                   {{127, 1, 128, 63, 65}, 520, 136, 1},
                                   {{0, 0}, 64, 64, 70},
                                   {{300}, 512, 64}};
      if (!options.sizes.empty())
        shapes = {{std::vector<int>(static_cast<std::size_t>(options.sizes[0]), static_cast<int>(options.sizes[1])),
                   options.sizes[2], options.sizes[3]}};
      else if (where.is_gpu())
        shapes.insert(shapes.end(),
                      {{{1000, 0, 64, 3111, 1, 577, 2000, 192}, 4096, 1024, 100}, {{33, 4000}, 2056, 1032}});
      for (const auto &size : shapes) {
        passed &= product<tegula::f16>("f16", samples::ragged_dot_f16, size, where, random);
        passed &= product<tegula::bf16>("bf16", samples::ragged_dot_bf16, size, where, random);
      }
    }
    return passed;
  });
}
