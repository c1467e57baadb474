// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of samples/scan against a device copy of the bytes that must move. Needs a GPU.

#include "bandwidth.h"
#include "kernels.h"

namespace {

using namespace benchmark;

template <class T> void race_sums(const char *type, std::int64_t count) {
  const auto x = random_array<T, 1>({count});
  const double bytes = 2.0 * static_cast<double>(count) * sizeof(T);
  race(("prefix sums of " + std::to_string(count) + " " + type).c_str(),
       {{"copy", bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
        {"prefix_sums", bytes, [&] { (void)prefix_sums(x); }, {}}});
}

void race_recurrences(std::int64_t channels, std::int64_t steps) {
  const auto a = random_array<float, 2>({channels, steps}, 0.1F), x = random_array<float, 2>({channels, steps});
  const double elements = static_cast<double>(channels) * static_cast<double>(steps);
  race(("recurrence of " + std::to_string(channels) + " x " + std::to_string(steps) + " f32").c_str(),
       {{"copy", 8 * elements, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
        {"recurrence", 12 * elements, [&] { (void)recurrence(a, x); }, {}}});
}

} // namespace

int main() {
  if (device_count() == 0) {
    std::puts("no GPU: nothing measured");
    return 77;
  }
  std::printf("Scans on %s: medians of %d samples of %d calls, interleaved\n", device_name(device::gpu(0)).c_str(),
              samples, calls_per_sample);
  for (const std::int64_t count : {1 << 16, 1 << 20, 1 << 24, 1 << 28}) {
    race_sums<float>("f32", count);
    race_sums<std::int32_t>("s32", count);
  }
  race_sums<bf16>("bf16", 1 << 28);
  race_recurrences(1 << 15, 4096);
  race_recurrences(1 << 12, 1 << 15);
  race_recurrences(64, 1 << 21);
}
