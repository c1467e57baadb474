// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joules per product, by the counter of the whole board (NVML, nvmlDeviceGetTotalEnergyConsumption). Large products run
// at the power limit: what takes less energy is faster there, and what is as fast may take less.
#include "energy.h"

#include "../../samples/hopper_matmul/choose.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace benchmark {

namespace {

/// The energy that the first GPU of the machine has taken, in millijoules, since some time.
class energy_counter {
public:
  /// Throws, saying what is missing.
  energy_counter() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW)) {
    if (library_ == nullptr)
      throw std::runtime_error("there is no libnvidia-ml.so.1, which counts energy");
    int (*start)() = nullptr;
    int (*find)(unsigned, void **) = nullptr;
    load(start, "nvmlInit_v2");
    load(find, "nvmlDeviceGetHandleByIndex_v2");
    load(read_, "nvmlDeviceGetTotalEnergyConsumption");
    check(start(), "nvmlInit");
    check(find(0, &device_), "nvmlDeviceGetHandleByIndex");
  }

  double joules() const {
    unsigned long long millijoules = 0;
    check(read_(device_, &millijoules), "nvmlDeviceGetTotalEnergyConsumption");
    return static_cast<double>(millijoules) * 1e-3;
  }

private:
  template <class Function> void load(Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr)
      throw std::runtime_error(std::string("libnvidia-ml has no function ") + name);
  }
  static void check(int status, const char *what) {
    if (status != 0)
      throw std::runtime_error(std::string(what) + " failed with status " + std::to_string(status));
  }

  void *library_, *device_ = nullptr;
  int (*read_)(void *, unsigned long long *) = nullptr;
};

} // namespace

void measure_energy(const cublas_lt *peer) {
  constexpr double seconds_of_turn = 5; // The counter lags by some 0.1 s.
  constexpr int turns = 4;
  const std::int64_t n = 8192;
  const auto a = random_matrix<bf16>(n, n, 1), b = random_matrix<bf16>(n, n, 2);
  auto d = buffer<bf16, 2>::empty({n, n}, device::gpu(0));
  const cublas_lt::problem what = {n, n, n, cublas_lt::bf16, cublas_lt::bf16};
  struct consumer {
    std::string name;
    std::function<void()> run;
    double joules = 0, seconds = 0, products = 0;
  };
  std::vector<consumer> consumers = {{"hopper_matmul", [&] { samples::matmul<bf16>(a, b, d); }}};
  if (peer != nullptr)
    consumers.push_back({"cuBLASLt", fastest_of(*peer, what, a.data(), b.data(), d.data())});
  const energy_counter counter;
  std::printf("energy of bf16 8192 x 8192 x 8192, %d turns of %.0f s each\n", turns, seconds_of_turn);
  for (int turn = 0; turn < turns; ++turn) {
    for (consumer &c : consumers) {
      sample(c.run, 300); // At the temperature and the clock of what follows.
      const auto start = std::chrono::steady_clock::now();
      const double before = counter.joules();
      double seconds = 0;
      for (; seconds < seconds_of_turn; c.products += 100) {
        sample(c.run, 100);
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      }
      c.joules += counter.joules() - before;
      c.seconds += seconds;
    }
    std::reverse(consumers.begin(), consumers.end()); // The one before heats the one after it.
  }
  for (const consumer &c : consumers)
    std::printf("    %-28s %8.4f J a product   %6.1f W   %8.1f TF   %6.3f TF/W\n", c.name.c_str(),
                c.joules / c.products, c.joules / c.seconds, operations(what) * c.products / c.seconds * 1e-12,
                operations(what) * c.products / c.joules * 1e-12);
}

} // namespace benchmark
