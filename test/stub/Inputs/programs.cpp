// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <sys/resource.h>
#include <vector>

int main() {
  float x[1] = {};
  const auto empty = [&](std::int64_t rows) { return tegula::array<float, 2>(x, {rows, 0}); };
  scaled(empty(std::int64_t{1} << 40), empty(std::int64_t{1} << 40));
  std::printf("scaled: done\n");
  int count[1] = {};
  counted(empty(1000), empty(1000), tegula::array<int, 1>(count, {1}));
  std::printf("counted: %d\n", count[0]);
  told(empty(3));
  const std::int64_t n = std::int64_t{48} << 20;
  std::vector<float> from(static_cast<std::size_t>(n)), to(static_cast<std::size_t>(n));
  const rlimit most{std::size_t{512} << 20, std::size_t{512} << 20};
  setrlimit(RLIMIT_AS, &most);
  try {
    scaled(tegula::array<const float, 2>(from.data(), {1, n}), tegula::array<float, 2>(to.data(), {1, n}));
  } catch (const tegula::error &problem) {
    std::printf("%s\n", problem.what());
  }
}
