// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/cpu/explicit/launch.h"

#include "cpu/cluster.h"
#include "environment.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace tegula::cpu {

namespace {

std::atomic<std::uint64_t> chosen_seed{0};
std::atomic<bool> is_seed_chosen{false};

/// What set_seed was told, else what the environment says.
std::uint64_t seed() {
  if (is_seed_chosen)
    return chosen_seed;
  static const std::uint64_t of_environment = runtime::number_in_environment("TEGULA_CPU_SEED");
  return of_environment;
}

std::atomic<observer *> watching{nullptr};

} // namespace

void set_seed(std::uint64_t to) noexcept {
  chosen_seed = to;
  is_seed_chosen = true;
}
void set_observer(observer *to) noexcept { watching = to; }

std::string detail::to_text(const site &where) {
  return std::string(where.file) + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
}

namespace {

using clusters = std::vector<std::unique_ptr<detail::cluster>>;

[[noreturn]] void deadlock(const clusters &running, residency resident) {
  const detail::cluster &first = *running.front();
  if (resident == residency::one)
    first.deadlock();
  constexpr std::size_t most = 8; // More would say no more.
  std::string waiting;
  for (std::size_t i = 0; i < std::min(most, running.size()); ++i)
    waiting += running[i]->waiting_threads(/*names_cluster=*/true);
  if (running.size() > most)
    waiting += "\n  and warpgroups of " + std::to_string(running.size() - most) + " more";
  fail(first.first_wait(),
       "deadlock of " + std::to_string(running.size()) +
           " clusters: their warpgroups wait, and nothing in flight can end a wait" +
           (resident == residency::some
                ? "; the kernel says that CTAs wait only for earlier ones, so that later ones may not be resident:"
                : ":") +
           waiting);
}

/// How many clusters are there at a time, those that wait for earlier ones alone: as few as can be, or some.
std::int64_t most_at_a_time(residency resident, std::int64_t count, detail::random &random) {
  if (resident == residency::some)
    return std::min<std::int64_t>(count, random.happens(4) ? 1 : 2 + static_cast<std::int64_t>(random.below(7)));
  return resident == residency::all ? count : 1;
}

/// Runs clusters that take turns, in the order of their numbers as far as not all are there.
void run_all(const launch &shape, std::int64_t count, const std::function<void(thread &)> &program) {
  std::int64_t threads = count * shape.threads;
  for (std::int64_t size : shape.cluster)
    threads *= size;
  detail::grid_state grid{threads};
  detail::random random(seed(), ~std::uint64_t{0});
  const std::int64_t most = most_at_a_time(shape.resident, count, random);
  clusters running;
  std::int64_t begun = 0;
  for (; begun < most; ++begun) {
    running.push_back(std::make_unique<detail::cluster>(shape, seed(), watching, grid));
    running.back()->start(begun, program);
  }
  while (!running.empty()) {
    const std::size_t first = running.size() == 1 ? 0 : random.below(running.size());
    std::size_t chosen = first;
    while (!running[chosen]->step() && running[chosen]->is_running())
      if ((chosen = (chosen + 1) % running.size()) == first)
        deadlock(running, shape.resident);
    if (std::exchange(grid.may_be_stuck, false) &&
        std::all_of(running.begin(), running.end(), [](const auto &each) { return each->is_stuck(); }))
      deadlock(running, shape.resident);
    if (running[chosen]->is_running())
      continue;
    running[chosen]->finish();
    if (begun < count)
      running[chosen]->start(begun++, program);
    else
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
}

} // namespace

void launch::run(const std::function<void(thread &)> &program) const {
  std::int64_t count = 1;
  for (std::int64_t size : grid)
    count *= size > 0 ? size : 0;
  if (count == 0)
    return;
  try {
    run_all(*this, count, program);
  } catch (const error &problem) {
    throw error(std::string(entry) + ": " + problem.what());
  }
}

} // namespace tegula::cpu
