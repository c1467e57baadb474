// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the samples' host programs share: options, random arrays, timing, and the line that each run prints.
#pragma once

#include <tegula/runtime.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <vector>

namespace sample {

/// The devices that a program runs on, and whether it runs its huge case.
struct options {
  std::vector<tegula::device> devices;
  bool huge = false;
};

/// --device=cpu|gpu chooses one device; without it, the CPU is used and, if there is one, the GPU. Anything else ends
/// the program.
inline options parse(int count, char **arguments) {
  const char *device = "auto";
  options result;
  for (int i = 1; i < count; ++i) {
    if (std::strncmp(arguments[i], "--device=", 9) == 0)
      device = arguments[i] + 9;
    else if (std::strcmp(arguments[i], "--huge") == 0)
      result.huge = true;
    else
      device = "";
  }
  const bool automatic = std::strcmp(device, "auto") == 0;
  if (automatic || std::strcmp(device, "cpu") == 0)
    result.devices.push_back(tegula::device::cpu());
  if (std::strcmp(device, "gpu") == 0 || (automatic && tegula::device_count() > 0))
    result.devices.push_back(tegula::device::gpu());
  if (result.devices.empty()) {
    std::cerr << "usage: " << arguments[0] << " [--device=auto|cpu|gpu] [--huge]\n";
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

/// Runs f, waits for the device, and gives the seconds it took.
template <class F> double seconds(tegula::device where, F f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  tegula::synchronize(where);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Prints one line about a run, and says whether it was right.
inline bool report(const std::string &what, tegula::device where, double seconds, const std::string &checked,
                   std::int64_t wrong) {
  std::cout << what << " on " << where << " (" << tegula::device_name(where) << "): " << seconds * 1e3 << " ms, "
            << checked << ": " << (wrong == 0 ? "passed" : "FAILED, " + std::to_string(wrong) + " elements are wrong")
            << std::endl;
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
