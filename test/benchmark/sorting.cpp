// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that are sorted, against a device copy of them. Needs a GPU.

#include "bandwidth.h"
#include "sorting_kernels.h"

namespace {

using namespace benchmark;

/// Counts an element as read and written once each.
template <class T, class Sort> void race_sort(const char *title, std::int64_t rows, std::int64_t length, Sort sort) {
  const auto x = random_array<T, 2>({rows, length});
  const double bytes = 2.0 * sizeof(T) * static_cast<double>(rows) * static_cast<double>(length);
  race(title, {{"copy", bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
               {"sort", bytes, [&] { (void)sort(x.view()); }, {}}});
}

} // namespace

int main() {
  if (device_count() == 0) {
    std::puts("no GPU: nothing measured");
    return 77;
  }
  std::printf("Sorted rows on %s: medians of %d samples of %d calls, interleaved\n",
              device_name(device::gpu(0)).c_str(), samples, calls_per_sample);
  race_sort<float>("sort of 16384 rows of 1024 f32", 16384, 1024, [](auto x) { return sort_1024_f32(x); });
  race_sort<bf16>("sort of 16384 rows of 1024 bf16", 16384, 1024, [](auto x) { return sort_1024_bf16(x); });
  race_sort<float>("argsort of 16384 rows of 1024 f32", 16384, 1024, [](auto x) { return argsort_1024_f32(x); });
  race_sort<float>("sort of 2048 rows of 8192 f32", 2048, 8192, [](auto x) { return sort_8192_f32(x); });
  race_sort<float>("argsort of 2048 rows of 8192 f32", 2048, 8192, [](auto x) { return argsort_8192_f32(x); });
}
