// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses at indices that are data (the kernels of samples/embedding) against a device copy. Needs a GPU.

#include "bandwidth.h"
#include "kernels.h"

namespace {

using namespace benchmark;

template <class T> buffer<T, 1> random_integers(std::int64_t count, std::int64_t end) {
  auto values = buffer<T, 1>::empty({count}, device::cpu());
  std::minstd_rand bits(11);
  for (std::int64_t i = 0; i < count; ++i)
    values.data()[i] =
        static_cast<T>(((static_cast<std::int64_t>(bits()) << 20) ^ static_cast<std::int64_t>(bits())) % end);
  return values.to(device::gpu(0));
}

/// Counts a row as read and written, once each. A table of more than the L2 cache, or of less.
void race_rows(std::int64_t count, std::int64_t rows, std::int64_t columns) {
  const auto table = random_array<bf16, 2>({rows, columns});
  const auto source = random_array<bf16, 2>({count, columns});
  const auto tokens = random_integers<std::int32_t>(count, rows);
  const double bytes = 4.0 * static_cast<double>(count) * static_cast<double>(columns);
  race((std::to_string(count) + " of " + std::to_string(rows) + " rows of " + std::to_string(2 * columns) + " bytes")
           .c_str(),
       {{"copy", bytes, [&] { (void)to(source.view(), device::gpu(0)); }, {}},
        {"embed", bytes, [&] { (void)embed(table, tokens); }, {}}});
}

/// Counts a row of gradients as read, and that of its token as read and written.
void race_gradients(std::int64_t count, std::int64_t rows, std::int64_t columns) {
  const auto source = random_array<float, 2>({count, columns});
  auto sum = random_array<float, 2>({rows, columns});
  const auto tokens = random_integers<std::int32_t>(count, rows);
  const double elements = static_cast<double>(count) * static_cast<double>(columns);
  race(("gradients of " + std::to_string(count) + " of " + std::to_string(rows) + " rows of " +
        std::to_string(columns) + " f32")
           .c_str(),
       {{"copy", 8 * elements, [&] { (void)to(source.view(), device::gpu(0)); }, {}},
        {"add_gradient", 12 * elements, [&] { add_gradient(sum, tokens, source); }, {}}});
}

/// Counts a byte as read, where the copy reads and writes it. Of one value, all updates are of one address.
void race_counts(std::int64_t values) {
  constexpr std::int64_t n = 1 << 28;
  const auto text = random_integers<std::uint8_t>(n, values);
  auto counters = random_integers<std::int32_t>(256, 1);
  race(("count of 2^28 bytes of " + std::to_string(values) + " values").c_str(),
       {{"copy", 2.0 * static_cast<double>(n), [&] { (void)to(text.view(), device::gpu(0)); }, {}},
        {"count_bytes", static_cast<double>(n), [&] { count_bytes(counters, text); }, {}}});
}

void race_pages(std::int64_t count, std::int64_t columns) {
  const auto pages = random_array<bf16, 3>({count, 16, columns});
  const auto table = random_integers<std::int32_t>(count, count);
  const double bytes = 64.0 * static_cast<double>(count) * static_cast<double>(columns);
  race((std::to_string(count) + " pages of 16 x " + std::to_string(columns)).c_str(),
       {{"copy", bytes, [&] { (void)to(pages.view(), device::gpu(0)); }, {}},
        {"copy_pages", bytes, [&] { (void)copy_pages(pages, table); }, {}}});
}

} // namespace

int main() {
  if (device_count() == 0) {
    std::puts("no GPU: nothing measured");
    return 77;
  }
  std::printf("Indices that are data on %s: medians of %d samples of %d calls, interleaved\n",
              device_name(device::gpu(0)).c_str(), samples, calls_per_sample);
  race_rows(1 << 20, 1 << 20, 256);
  race_rows(1 << 20, 50000, 256);
  race_rows(1 << 18, 50000, 1024);
  race_gradients(1 << 19, 1 << 19, 256);
  race_gradients(1 << 19, 5000, 256);
  for (const std::int64_t values : {256, 16, 1})
    race_counts(values);
  race_pages(1 << 15, 128);
}
