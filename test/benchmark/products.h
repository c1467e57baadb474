// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products raced against cuBLASLt's best heuristic: one process, interleaved samples, random normal data,
// medians. Without cuBLASLt they are timed alone.
#pragma once

#include "cublas_lt.h"

#include <tegula/runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace benchmark {

using namespace tegula;
inline constexpr int rounds = 21;
inline constexpr std::size_t workspace_bytes = std::size_t{64} << 20;

/// Of integers, with a deviation of 32.
template <class T> buffer<T, 2> random_matrix(std::int64_t rows, std::int64_t columns, unsigned seed) {
  auto values = buffer<T, 2>::empty({rows, columns}, device::cpu());
  std::minstd_rand bits(seed);
  std::normal_distribution<float> normal;
  std::vector<T> pool(1 << 20); // Drawn once: drawing all would take longer than the benchmark.
  for (T &value : pool)
    value = static_cast<T>(std::is_integral_v<T> ? std::clamp(32 * normal(bits), -128.0F, 127.0F) : normal(bits));
  for (std::int64_t i = 0; i < values.size(); ++i)
    values.data()[i] = pool[static_cast<std::size_t>(i * 7 + (i >> 20) * 13) & (pool.size() - 1)];
  return values.to(device::gpu(0));
}

struct racer {
  std::string name;
  std::function<void()> run;
  std::vector<double> milliseconds = {};
};

inline double sample(const std::function<void()> &run, int calls) {
  event begin, end;
  begin.record();
  for (int i = 0; i < calls; ++i)
    run();
  end.record();
  end.synchronize();
  return static_cast<double>(end.milliseconds_since(begin)) / calls;
}

/// Times `ours` and cuBLASLt, if it is there, on the same operands.
template <class T, class Result>
void race(const cublas_lt *peer, const cublas_lt::problem &what, const std::vector<racer> &ours, const buffer<T, 2> &a,
          const buffer<T, 2> &b, buffer<Result, 2> &d) {
  const auto [m, n, k] = std::tuple(what.m, what.n, what.k);
  const double flops = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  const int calls = static_cast<int>(std::clamp(4e12 / flops, 1.0, 50.0));
  std::vector<racer> racers = ours;
  auto workspace = buffer<std::uint8_t, 1>::empty({static_cast<std::int64_t>(workspace_bytes)}, device::gpu(0));
  std::unique_ptr<cublas_lt::plan> plan;
  if (peer != nullptr) {
    plan = std::make_unique<cublas_lt::plan>(*peer, what);
    const auto run_with = [&](const cublas_lt::algorithm &how) {
      return [&, how] { plan->run(a.data(), b.data(), d.data(), how, workspace.data()); };
    };
    double best = INFINITY;
    racer fastest{"cuBLASLt", {}};
    for (const auto &how : plan->algorithms(workspace_bytes)) {
      sample(run_with(how), 3);
      const double time = sample(run_with(how), calls);
      if (time < best) {
        best = time;
        fastest.run = run_with(how);
      }
    }
    racers.push_back(fastest);
  }
  for (int i = 0; i < rounds; ++i)
    for (racer &r : racers)
      r.milliseconds.push_back(sample(r.run, calls));
  std::printf("%lld x %lld x %lld\n", static_cast<long long>(m), static_cast<long long>(n), static_cast<long long>(k));
  const auto rate = [&](racer &r) {
    std::sort(r.milliseconds.begin(), r.milliseconds.end());
    return flops / r.milliseconds[r.milliseconds.size() / 2] / 1e9;
  };
  const double reference = peer != nullptr ? rate(racers.back()) : NAN;
  for (racer &r : racers) {
    const double tera = rate(r);
    std::printf("    %-28s %8.1f TF   best %8.1f   %6.3f of cuBLASLt\n", r.name.c_str(), tera,
                flops / r.milliseconds.front() / 1e9, tera / reference);
  }
}

/// Null, and a line that says so, where the machine has none.
inline std::unique_ptr<cublas_lt> find_peer() {
  try {
    return std::make_unique<cublas_lt>();
  } catch (const std::exception &missing) {
    std::printf("without a peer: %s\n", missing.what());
    return nullptr;
  }
}

} // namespace benchmark
