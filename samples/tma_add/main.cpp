// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "kernels.h"

#include <algorithm>
#include <utility>

namespace {

using sample::device;
using tegula::array;
using tegula::buffer;

/// Adds two random matrices on a device, and checks every element.
template <class Add>
bool add(const char *name, Add entry, std::int64_t rows, std::int64_t columns, device where, sample::random &random) {
  auto x = buffer<float, 2>::empty({rows, columns}), y = buffer<float, 2>::empty({rows, columns});
  sample::fill(x, [&] { return random.number(); });
  sample::fill(y, [&] { return random.number(); });
  const auto x_there = x.to(where), y_there = y.to(where);
  buffer<float, 2> o;
  const double seconds = sample::seconds(where, [&] { o = entry(x_there, y_there); });
  const auto sums = o.to_host();
  std::int64_t wrong = sums.dim(0) == rows && sums.dim(1) == columns ? 0 : 1;
  // The double of a sum of two floats rounds to the float that one rounding gives: the check is exact.
  for (std::int64_t i = 0; i < sums.size(); ++i)
    wrong += sums.data()[i] == static_cast<float>(static_cast<double>(x.data()[i]) + static_cast<double>(y.data()[i]))
                 ? 0
                 : 1;
  return sample::report(std::string(name) + " of " + std::to_string(rows) + " x " + std::to_string(columns), where,
                        seconds, "every sum against float64", wrong, sample::bytes(x, y, sums));
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(6);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"rows", "columns"});
    for (const auto where : options.devices) {
      const auto tiles = [](const auto &x, const auto &y) { return add_tiles(x, y); };
      const auto stream = [&](const auto &x, const auto &y) {
        return add_stream(x, y, std::max<std::int64_t>(3, 2 * tegula::multiprocessors(where)));
      };
      auto sizes = options.cases({{64, 64}, {0, 8}, {1, 4}, {129, 260}, {517, 1028}});
      if (where.is_gpu() && options.sizes.empty())
        sizes.insert(sizes.end(), {{8192, 8192}, {10007, 12348}});
      for (const auto &[rows, columns] : sizes) {
        passed &= add("add_tiles", tiles, rows, columns, where, random);
        passed &= add("add_stream", stream, rows, columns, where, random);
      }
    }
    return passed;
  });
}
