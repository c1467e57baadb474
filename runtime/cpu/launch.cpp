// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/cpu/explicit/launch.h"

#include "cpu/cluster.h"

#include <atomic>
#include <cstdlib>

namespace tegula::cpu {

namespace {

std::uint64_t seed_of_environment() noexcept {
  const char *text = std::getenv("TEGULA_CPU_SEED");
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

std::atomic<std::uint64_t> &seed() noexcept {
  static std::atomic<std::uint64_t> value{seed_of_environment()};
  return value;
}

std::atomic<observer *> watching{nullptr};

} // namespace

void set_seed(std::uint64_t to) noexcept { seed() = to; }
void set_observer(observer *to) noexcept { watching = to; }

std::string detail::to_text(const site &where) {
  return std::string(where.file) + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
}

void launch::run(const std::function<void(thread &)> &program) const {
  std::int64_t clusters = 1;
  for (std::int64_t size : grid)
    clusters *= size > 0 ? size : 0;
  if (clusters == 0)
    return;
  try {
    detail::cluster cluster(*this, seed(), watching);
    for (std::int64_t i = 0; i < clusters; ++i)
      cluster.run(i, program);
  } catch (const error &problem) {
    throw error(std::string(entry) + ": " + problem.what());
  }
}

} // namespace tegula::cpu
