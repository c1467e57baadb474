// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works that move memory, raced against a device copy: samples alternate between all of them, the first is the copy.
// Medians, random data.
#pragma once

#include <tegula/runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace benchmark {

using namespace tegula;
inline constexpr int samples = 31, calls_per_sample = 4, warm_up = 20;

template <class T, int Rank> buffer<T, Rank> random_array(const shape<Rank> &dims, float deviation = 1) {
  auto values = buffer<T, Rank>::empty(dims, device::cpu());
  std::minstd_rand bits(7);
  std::normal_distribution<float> normal(0, deviation);
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

inline void race(const char *title, std::vector<work> works) {
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
    std::printf("    %-24s %8.3f ms %8.1f GB/s  %6.3f of the copy\n", w.name.c_str(), w.bytes / rate / 1e6, rate,
                rate / copy);
  }
}

} // namespace benchmark
