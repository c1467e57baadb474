// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variants of a kernel pay (transforms/split/Variants.h): the samples' softmax and layernorm with several sets of
// variants, interleaved in one run, on row lengths that occur, aligned and not. Each array has 256 MB. Medians of
// milliseconds by CUDA events, with results of their own as in other programs; the last columns are relative to the
// default set. A variant pays if leaving it out costs 3% or more on some shape. It stops after 100 seconds. Needs a
// GPU.

#include "bandwidth.h"
#include "rows_default.h"
#include "rows_no_block.h"
#include "rows_no_cluster.h"
#include "rows_no_warp.h"
#include "rows_none.h"

#include <chrono>

namespace {

using namespace benchmark;

constexpr const char *sets[] = {"default", "no warp", "no block", "no cluster", "none"};
constexpr std::size_t set_count = std::size(sets);
constexpr int rounds = 15, rounds_before = 3, calls_per_round = 4;
constexpr double most_seconds = 100;
constexpr std::int64_t elements = std::int64_t{1} << 27;

/// Medians of one call in milliseconds. Each round calls each work some times in a row.
std::vector<double> medians(const std::vector<std::function<void()>> &works) {
  std::vector<std::vector<double>> times(works.size());
  event begin, end;
  for (int round = 0; round < rounds + rounds_before; ++round)
    for (std::size_t i = 0; i < works.size(); ++i) {
      begin.record();
      for (int call = 0; call < calls_per_round; ++call)
        works[i]();
      end.record();
      end.synchronize();
      if (round >= rounds_before)
        times[i].push_back(static_cast<double>(end.milliseconds_since(begin)) / calls_per_round);
    }
  std::vector<double> result;
  for (std::vector<double> &each : times) {
    std::sort(each.begin(), each.end());
    result.push_back(each[each.size() / 2]);
  }
  return result;
}

/// Runs the same call of every set; the first is the default one.
void compare(const char *what, std::int64_t rows, std::int64_t columns,
             const std::vector<std::function<void()>> &works) {
  const std::vector<double> times = medians(works);
  const double bytes = 2.0 * sizeof(bf16) * static_cast<double>(rows) * static_cast<double>(columns);
  std::printf("%-10s %7lld x %-6lld %7.1f GB/s", what, static_cast<long long>(rows), static_cast<long long>(columns),
              bytes / times.front() / 1e6);
  for (const double time : times)
    std::printf(" %10.4f", time);
  for (std::size_t i = 1; i < times.size(); ++i)
    std::printf(" %10.3f", times[i] / times.front());
  std::printf("\n");
  std::fflush(stdout);
}

#define OF_ALL_SETS(CALL)                                                                                              \
  {[&] { (void)rows_default::CALL; }, [&] { (void)rows_no_warp::CALL; }, [&] { (void)rows_no_block::CALL; },           \
   [&] { (void)rows_no_cluster::CALL; }, [&] { (void)rows_none::CALL; }}

void compare_rows(const buffer<bf16, 1> &data, std::int64_t columns) {
  const auto gpu = device::gpu(0);
  const std::int64_t rows = elements / columns;
  const array<const bf16, 2> x(data.data(), {rows, columns}, gpu);
  const array<const bf16, 1> weight(data.data(), {columns}, gpu), bias(data.data() + 65536, {columns}, gpu);
  compare("softmax", rows, columns, OF_ALL_SETS(softmaxes::softmax_bf16(x)));
  compare("layernorm", rows, columns, OF_ALL_SETS(norms::layernorm(x, weight, bias, 1e-5F)));
}
#undef OF_ALL_SETS

} // namespace

int main() {
  if (device_count() == 0) {
    std::puts("no GPU: nothing measured");
    return 77;
  }
  const auto start = std::chrono::steady_clock::now();
  std::printf("Variants for bf16 on %s: medians of %d samples of %d calls, interleaved; ms, then relative to default\n",
              device_name(device::gpu(0)).c_str(), rounds, calls_per_round);
  std::printf("%-10s %16s %12s", "kernel", "rows x columns", "");
  for (const char *set : sets)
    std::printf(" %10s", set);
  for (std::size_t i = 1; i < set_count; ++i)
    std::printf(" %10s", sets[i]);
  std::printf("\n");
  std::fflush(stdout);
  const auto data = random_array<bf16, 1>({elements});
  for (const std::int64_t columns : {256, 1000, 1001, 1024, 2000, 4096, 4097, 8192, 8200, 16384, 50000, 65536}) {
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > most_seconds) {
      std::puts("stopped: out of time");
      return 1;
    }
    compare_rows(data, columns);
  }
}
