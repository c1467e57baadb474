// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that are sorted, against a device copy of them. Needs a GPU.

#include "bandwidth.h"
#include "sorting_kernels.h"

#include <cstdlib>

namespace {

using namespace benchmark;

/// Counts an element as read and written once each.
template <class T, class Sort> void race_sort(const char *title, std::int64_t rows, std::int64_t length, Sort sort) {
  const auto x = random_array<T, 2>({rows, length});
  const double bytes = 2.0 * sizeof(T) * static_cast<double>(rows) * static_cast<double>(length);
  race(title, {{"copy", bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
               {"sort", bytes, [&] { (void)sort(x.view()); }, {}}});
}

/// Random bits.
template <class T> buffer<T, 1> random_words(std::int64_t count) {
  auto values = buffer<T, 1>::empty({count}, device::cpu());
  std::mt19937_64 bits(7);
  for (std::int64_t i = 0; i < count; ++i)
    values.data()[i] = static_cast<T>(bits());
  return values.to(device::gpu(0));
}

/// Whether the places are those of sorted elements, equal ones in their order.
void check_places(const buffer<std::uint32_t, 1> &x, const buffer<std::int32_t, 1> &places) {
  const auto keys = x.to_host();
  const auto order = places.to_host();
  for (std::int64_t i = 1; i < keys.size(); ++i) {
    const auto a = keys(order(i - 1)), b = keys(order(i));
    if (a > b || (a == b && order(i - 1) >= order(i))) {
      std::printf("    WRONG at %lld\n", static_cast<long long>(i));
      std::exit(1);
    }
  }
}

/// One array, of which all of the GPU makes use.
void race_arrays(std::int64_t count) {
  const auto x = random_words<std::uint32_t>(count);
  auto places = buffer<std::int32_t, 1>::empty({count}, device::gpu(0));
  check_places(x, argsort_array_u32(x.view()));
  const double bytes = 8.0 * static_cast<double>(count);
  race(("one array of " + std::to_string(count) + " u32").c_str(),
       {{"copy", bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
        {"argsort", bytes, [&] { (void)argsort_array_u32(x.view()); }, {}},
        {"sort, and the places", bytes, [&] { (void)sort_both_u32(x.view(), places.view()); }, {}},
        {"sort", bytes, [&] { (void)sort_array_u32(x.view()); }, {}}});
}
template <class T, class Sort> void race_array(const char *title, std::int64_t count, Sort sort) {
  const auto x = random_words<T>(count);
  const double bytes = 2.0 * sizeof(T) * static_cast<double>(count);
  race((title + (" " + std::to_string(count))).c_str(),
       {{"copy", bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
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
  for (const std::int64_t count : {1 << 16, 1 << 20, 1 << 24, 1 << 26})
    race_arrays(count);
  race_array<std::uint64_t>("sort of u64", 1 << 24, [](auto x) { return sort_array_u64(x); });
  race_array<std::uint64_t>("argsort of u64", 1 << 24, [](auto x) { return argsort_array_u64(x); });
}
