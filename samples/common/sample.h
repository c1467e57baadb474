// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the samples' host programs share: options, random arrays, timing, and the line that each run prints.
#pragma once

#include <tegula/runtime.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iostream>
#include <string>
#include <vector>

namespace sample {

/// A device, and whether what is timed on it is repeated (--benchmark).
struct device : tegula::device {
  bool is_benchmark = false;
};

/// What the command line says.
struct options {
  std::vector<device> devices;
  std::vector<std::int64_t> sizes; ///< none: the program runs its fixed cases
  bool huge = false;

  /// The sizes of the command line alone, or the fixed ones.
  std::vector<std::int64_t> cases(std::initializer_list<std::int64_t> fixed) const {
    return sizes.empty() ? std::vector<std::int64_t>(fixed) : sizes;
  }
  template <std::size_t Count, std::size_t N>
  std::vector<std::array<std::int64_t, N>> cases(const std::int64_t (&fixed)[Count][N]) const {
    std::vector<std::array<std::int64_t, N>> result(sizes.empty() ? Count : 1);
    for (std::size_t i = 0; i < result.size(); ++i)
      std::copy_n(sizes.empty() ? fixed[i] : sizes.data(), N, result[i].begin());
    return result;
  }
};

/// --device=cpu|gpu chooses one device; without it, the program runs on the CPU and, if there is one, on the GPU.
/// `names` are those of the sizes; a program without sizes has no benchmark. Prints the usage and exits with status 2
/// if the arguments are wrong.
inline options parse(int count, char **arguments, const std::vector<std::string> &names = {}) {
  std::string chosen = "auto", usage;
  options result;
  bool is_benchmark = false, is_valid = true;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const char *end = argument.data() + argument.size();
    std::int64_t size = 0;
    if (argument.rfind("--device=", 0) == 0)
      chosen = argument.substr(9);
    else if (argument == "--huge")
      result.huge = true;
    else if (argument == "--benchmark")
      is_benchmark = true;
    else if (std::from_chars(argument.data(), end, size).ptr == end && size > 0)
      result.sizes.push_back(size);
    else
      is_valid = false;
  }
  const bool is_automatic = chosen == "auto";
  if (is_automatic || chosen == "cpu")
    result.devices.push_back({tegula::device::cpu(), is_benchmark});
  if (chosen == "gpu" || (is_automatic && tegula::device_count() > 0))
    result.devices.push_back({tegula::device::gpu(), is_benchmark});
  is_valid &= result.sizes.empty() || (result.sizes.size() == names.size() && !result.huge);
  is_valid &= !is_benchmark || !names.empty();
  if (!is_valid || result.devices.empty()) {
    for (const std::string &name : names)
      usage += (usage.empty() ? " [" : " ") + name;
    usage += names.empty() ? "" : "] [--benchmark]";
    std::cerr << "usage: " << arguments[0] << usage << " [--device=auto|cpu|gpu] [--huge]\n";
    std::exit(2);
  }
  return result;
}

/// Random numbers, the same in every run: splitmix64.
class random {
public:
  explicit random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  /// Evenly spread over [-1, 1), a multiple of 2^-23.
  float number() { return static_cast<float>(static_cast<std::int64_t>(bits() >> 40) - (1 << 23)) * 0x1p-23F; }

private:
  std::uint64_t state_;
};

/// Fills an array in host memory with make().
template <class T, int Rank, class Make> void fill(tegula::buffer<T, Rank> &array, Make make) {
  for (std::int64_t i = 0; i < array.size(); ++i)
    array.data()[i] = make();
}

/// Runs f, waits for the device, and gives the seconds it took by the host's clock. A benchmark runs f until it is warm
/// (on the GPU three times and 0.05 s, on the CPU once), then at least 10 times and for 0.2 s, at most 100 times, on
/// the CPU three times, and gives the median. `prepare` runs before each f, and is not timed: an f that updates an
/// array needs a fresh one. The results are those of the last f.
template <class Prepare, class F> double seconds(const device &where, Prepare prepare, F f) {
  const auto once = [&] {
    prepare();
    const auto start = std::chrono::steady_clock::now();
    f();
    tegula::synchronize(where);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  double total = once();
  if (!where.is_benchmark)
    return total;
  for (int runs = 1; where.is_gpu() && runs < 100 && (runs < 3 || total < 0.05); ++runs)
    total += once();
  const std::size_t least = where.is_gpu() ? 10 : 3, most = where.is_gpu() ? 100 : 3;
  std::vector<double> runs;
  for (total = 0; runs.size() < most && (runs.size() < least || total < 0.2); total += runs.back())
    runs.push_back(once());
  std::sort(runs.begin(), runs.end());
  return runs[runs.size() / 2];
}
template <class F> double seconds(const device &where, F f) {
  return seconds(where, [] {}, f);
}

/// What a benchmark divides by its seconds.
struct work {
  double bytes = 0, flops = 0;
};
inline work operator*(double times, const work &once) { return {times * once.bytes, times * once.flops}; }
/// Each of these arrays is read or written once.
template <class... Buffers> work bytes(const Buffers &...arrays) {
  return {
      (0.0 + ... + static_cast<double>(arrays.size() * static_cast<std::int64_t>(sizeof(typename Buffers::element))))};
}
inline work flops(std::int64_t count) { return {0, static_cast<double>(count)}; }

/// Prints one line about a run, and says whether it was right.
inline bool report(const std::string &what, const device &where, double seconds, const std::string &checked,
                   std::int64_t wrong, const work &done = {}) {
  std::cout << what << " on " << where << " (" << tegula::device_name(where) << "): " << seconds * 1e3 << " ms";
  if (where.is_benchmark) {
    std::cout << " (median)";
    if (done.bytes > 0)
      std::cout << ", " << done.bytes / seconds * 1e-9 << " GB/s";
    if (done.flops > 0)
      std::cout << ", " << done.flops / seconds * 1e-12 << " TFLOP/s";
  }
  std::cout << ", " << checked << ": "
            << (wrong == 0 ? "passed" : "FAILED, " + std::to_string(wrong) + " elements are wrong") << std::endl;
  return wrong == 0;
}

/// The program's exit status: 0 if body() is true, 1 if it is false or throws.
template <class Body> int run(Body body) {
  try {
    return body() ? 0 : 1;
  } catch (const std::exception &failure) {
    std::cerr << "error: " << failure.what() << '\n';
    return 1;
  }
}

} // namespace sample
