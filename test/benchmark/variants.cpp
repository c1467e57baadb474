// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variants of a kernel pay (transforms/split/Variants.h): the same kernels of rows with several sets of variants,
// interleaved in one run, on row lengths that occur. Each array has 256 MB or more. Medians of milliseconds by CUDA
// events, with results of their own as in other programs; the last columns are relative to the default set. A variant
// pays if leaving it out costs 3% or more on some shape. Needs a GPU.

#include "bandwidth.h"
#include "rows_all.h"
#include "rows_default.h"
#include "rows_no_block.h"
#include "rows_no_cluster.h"
#include "rows_no_warp.h"
#include "rows_none.h"
#include "rows_vector.h"

namespace {

using namespace benchmark;

constexpr const char *sets[] = {"default", "all", "no warp", "no block", "no cluster", "vector", "none"};
constexpr std::size_t set_count = std::size(sets);

/// Medians of one call in milliseconds. Each round calls each work once in a row.
std::vector<double> medians(const std::vector<std::function<void()>> &works) {
  std::vector<std::vector<double>> times(works.size());
  event begin, end;
  for (int round = 0; round < samples + warm_up; ++round)
    for (std::size_t i = 0; i < works.size(); ++i) {
      begin.record();
      for (int call = 0; call < calls_per_sample; ++call)
        works[i]();
      end.record();
      end.synchronize();
      if (round >= warm_up)
        times[i].push_back(static_cast<double>(end.milliseconds_since(begin)) / calls_per_sample);
    }
  std::vector<double> result;
  for (std::vector<double> &each : times) {
    std::sort(each.begin(), each.end());
    result.push_back(each[each.size() / 2]);
  }
  return result;
}

/// Runs the same call of every set; the first is the default one.
void compare(const char *what, std::int64_t rows, std::int64_t columns, double bytes,
             const std::vector<std::function<void()>> &works) {
  const std::vector<double> times = medians(works);
  std::printf("%-13s %8lld x %-6lld %8.1f GB/s", what, static_cast<long long>(rows), static_cast<long long>(columns),
              bytes / times.front() / 1e6);
  for (const double time : times)
    std::printf(" %10.4f", time);
  for (std::size_t i = 1; i < times.size(); ++i)
    std::printf(" %10.3f", times[i] / times.front());
  std::printf("\n");
  std::fflush(stdout);
}

template <class T> void compare_rows(std::int64_t columns) {
  constexpr auto least = std::int64_t{256} << 20;
  const std::int64_t rows = (least / static_cast<std::int64_t>(sizeof(T)) + columns - 1) / columns;
  const auto x = random_array<T, 2>({rows, columns}), residual = random_array<T, 2>({rows, columns});
  const auto weight = random_array<T, 1>({columns});
  const double bytes = static_cast<double>(sizeof(T)) * static_cast<double>(rows) * static_cast<double>(columns);
#define OF_ALL_SETS(CALL)                                                                                              \
  {[&] { (void)rows_default::CALL; },  [&] { (void)rows_all::CALL; },        [&] { (void)rows_no_warp::CALL; },                                                                                  \
   [&] { (void)rows_no_block::CALL; }, [&] { (void)rows_no_cluster::CALL; }, [&] { (void)rows_vector::CALL; },                                                                                          \
   [&] { (void)rows_none::CALL; }}
  if constexpr (sizeof(T) == sizeof(float)) {
    compare("softmax f32", rows, columns, 2 * bytes, OF_ALL_SETS(softmax_f32(x)));
    compare("rmsnorm f32", rows, columns, 3 * bytes, OF_ALL_SETS(rmsnorm_f32(x, weight, residual, 1e-5F)));
  } else {
    compare("softmax bf16", rows, columns, 2 * bytes, OF_ALL_SETS(softmax_bf16(x)));
    compare("rmsnorm bf16", rows, columns, 3 * bytes, OF_ALL_SETS(rmsnorm_bf16(x, weight, residual, 1e-5F)));
  }
#undef OF_ALL_SETS
}

} // namespace

int main() {
  if (device_count() == 0) {
    std::puts("no GPU: nothing measured");
    return 77;
  }
  std::printf("Variants on %s: medians of %d samples of %d calls, interleaved; ms, then relative to default\n",
              device_name(device::gpu(0)).c_str(), samples, calls_per_sample);
  std::printf("%-13s %17s %13s", "kernel", "rows x columns", "");
  for (const char *set : sets)
    std::printf(" %10s", set);
  for (std::size_t i = 1; i < set_count; ++i)
    std::printf(" %10s", sets[i]);
  std::printf("\n");
  for (const std::int64_t columns :
       {1, 7, 64, 128, 129, 256, 512, 1000, 1024, 2048, 4096, 4097, 5120, 8192, 12288, 16384, 20000, 32768, 65536}) {
    compare_rows<float>(columns);
    compare_rows<bf16>(columns);
  }
}
