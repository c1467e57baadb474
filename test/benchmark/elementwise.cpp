// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bandwidth of elementwise kernels against a device copy (cuMemcpyAsync). All allocate their result; samples alternate
// between the kernels and the copy of the same run; random data, medians. Needs a GPU.

#include "elementwise_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace tegula;
constexpr int samples = 31, calls_per_sample = 4, warm_up = 20;

template <class T, int Rank> buffer<T, Rank> random_array(const shape<Rank> &dims) {
  auto values = buffer<T, Rank>::empty(dims, device::cpu());
  std::minstd_rand bits(7);
  std::normal_distribution<float> normal;
  std::vector<float> pool(1 << 16); // Drawn once: 2^28 draws would take longer than the benchmark.
  for (float &value : pool)
    value = normal(bits);
  for (std::int64_t i = 0; i < values.size(); ++i)
    values.data()[i] = static_cast<T>(pool[static_cast<std::size_t>((i * 40503 + i / 65536) & 0xffff)]);
  return values.to(device::gpu(0));
}

struct work {
  std::string name;
  double bytes;
  std::function<void()> run;
  std::vector<double> milliseconds;

  double gigabytes_per_second() {
    std::sort(milliseconds.begin(), milliseconds.end());
    return bytes / milliseconds[milliseconds.size() / 2] / 1e6;
  }
};

void race(const char *title, std::vector<work> works) {
  event begin, end;
  for (int i = 0; i < samples + warm_up; ++i)
    for (work &w : works) {
      begin.record();
      for (int call = 0; call < calls_per_sample; ++call)
        w.run();
      end.record();
      end.synchronize();
      if (i >= warm_up)
        w.milliseconds.push_back(static_cast<double>(end.milliseconds_since(begin)) / calls_per_sample);
    }
  const double copy = works.front().gigabytes_per_second();
  std::printf("%s\n", title);
  for (work &w : works) {
    const double rate = w.gigabytes_per_second();
    std::printf("    %-24s %8.1f GB/s  %6.3f of the copy\n", w.name.c_str(), rate, rate / copy);
  }
}

void race_vectors(int log2) {
  const std::int64_t n = std::int64_t{1} << log2;
  const auto x = random_array<float, 1>({n}), y = random_array<float, 1>({n});
  const auto u = random_array<bf16, 1>({n}), v = random_array<bf16, 1>({n});
  const double elements = static_cast<double>(n);
  race(("add of 2^" + std::to_string(log2)).c_str(),
       {{"copy f32", 8 * elements, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
        {"add f32", 12 * elements, [&] { (void)benchmark_kernels::add_f32(x, y); }, {}},
        {"add bf16", 6 * elements, [&] { (void)benchmark_kernels::add_bf16(u, v); }, {}}});
}

void race_rows(std::int64_t rows, std::int64_t columns) {
  const auto x = random_array<bf16, 2>({rows, columns});
  const auto bias = random_array<float, 1>({columns});
  const double bytes = 4.0 * static_cast<double>(rows) * static_cast<double>(columns);
  race(("scaled_tanh of " + std::to_string(rows) + " x " + std::to_string(columns)).c_str(),
       {{"copy bf16", bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
        {"scaled_tanh bf16", bytes, [&] { (void)benchmark_kernels::scaled_tanh(x, bias, 0.5F); }, {}}});
}

} // namespace

int main() {
  if (device_count() == 0) {
    std::puts("no GPU: nothing measured");
    return 77;
  }
  std::printf("Bandwidth on %s: medians of %d samples of %d calls, interleaved\n", device_name(device::gpu(0)).c_str(),
              samples, calls_per_sample);
  for (int log2 : {20, 24, 28})
    race_vectors(log2);
  race_rows(8192, 8192);
  race_rows(32768, 1000);
  race_rows(32768, 1001);
}
