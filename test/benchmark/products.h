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

inline double operations(const cublas_lt::problem &what) {
  return 2.0 * static_cast<double>(what.m) * static_cast<double>(what.n) * static_cast<double>(what.k);
}
inline int calls_of(double flops) { return static_cast<int>(std::clamp(4e12 / flops, 1.0, 50.0)); }

/// The product, plus c if there is one, by the fastest way that cuBLASLt proposes, found on these operands.
inline std::function<void()> fastest_of(const cublas_lt &peer, const cublas_lt::problem &what, const void *a,
                                        const void *b, void *d, const void *c = nullptr) {
  auto plan = std::make_shared<cublas_lt::plan>(peer, what);
  auto workspace = std::make_shared<buffer<std::uint8_t, 1>>(
      buffer<std::uint8_t, 1>::empty({static_cast<std::int64_t>(workspace_bytes)}, device::gpu(0)));
  double best = INFINITY;
  std::function<void()> fastest;
  for (const auto &how : plan->algorithms(workspace_bytes)) {
    const auto run = [=] { plan->run(a, b, d, how, workspace->data(), c); };
    sample(run, 3);
    if (const double time = sample(run, calls_of(operations(what))); time < best) {
      best = time;
      fastest = run;
    }
  }
  return fastest;
}

/// Times all in turn; the last of them is what the others are compared with, if `name` is not null.
inline void race(const char *name, double flops, std::vector<racer> racers) {
  const int calls = calls_of(flops);
  for (int i = 0; i < rounds; ++i)
    for (racer &r : racers)
      r.milliseconds.push_back(sample(r.run, calls));
  const auto rate = [&](racer &r) {
    std::sort(r.milliseconds.begin(), r.milliseconds.end());
    return flops / r.milliseconds[r.milliseconds.size() / 2] / 1e9;
  };
  const double reference = name != nullptr ? rate(racers.back()) : NAN;
  for (racer &r : racers) {
    const double tera = rate(r);
    std::printf("    %-28s %8.1f TF   best %8.1f   %6.3f of %s\n", r.name.c_str(), tera,
                flops / r.milliseconds.front() / 1e9, tera / reference, name != nullptr ? name : "a peer");
  }
}

/// Times `ours` and cuBLASLt, if it is there, on the same operands.
template <class A, class B, class Result>
void race(const cublas_lt *peer, const cublas_lt::problem &what, std::vector<racer> ours, const buffer<A, 2> &a,
          const buffer<B, 2> &b, buffer<Result, 2> &d, const void *c = nullptr) {
  if (peer != nullptr)
    ours.push_back({"cuBLASLt", fastest_of(*peer, what, a.data(), b.data(), d.data(), c)});
  std::printf("%lld x %lld x %lld\n", static_cast<long long>(what.m), static_cast<long long>(what.n),
              static_cast<long long>(what.k));
  race(peer != nullptr ? "cuBLASLt" : nullptr, operations(what), std::move(ours));
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
