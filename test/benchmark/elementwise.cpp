// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bandwidth of elementwise kernels against a device copy (cuMemcpyAsync). All allocate their result; samples alternate
// between the kernels and the copy of the same run; random data, medians. Needs a GPU.

#include "bandwidth.h"
#include "elementwise_kernels.h"

namespace {

using namespace benchmark;

void race_vectors(int log2) {
  const std::int64_t n = std::int64_t{1} << log2;
  const auto x = random_array<float, 1>({n}), y = random_array<float, 1>({n});
  const auto u = random_array<bf16, 1>({n}), v = random_array<bf16, 1>({n});
  const double elements = static_cast<double>(n);
  race(("add of 2^" + std::to_string(log2)).c_str(),
       {{"copy f32", 8 * elements, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
        {"add f32", 12 * elements, [&] { (void)benchmark_kernels::add_f32(x, y); }, {}},
        {"add bf16", 6 * elements, [&] { (void)benchmark_kernels::add_bf16(u, v); }, {}}});
}

void race_rows(std::int64_t rows, std::int64_t columns) {
  const auto x = random_array<bf16, 2>({rows, columns}), y = random_array<bf16, 2>({rows, columns});
  const auto bias = random_array<float, 1>({columns});
  const double bytes = 4.0 * static_cast<double>(rows) * static_cast<double>(columns);
  race(("elements of " + std::to_string(rows) + " x " + std::to_string(columns)).c_str(),
       {{"copy bf16", bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
        {"add bf16", 1.5 * bytes, [&] { (void)benchmark_kernels::add_rows(x, y); }, {}},
        {"scaled_tanh bf16", bytes, [&] { (void)benchmark_kernels::scaled_tanh(x, bias, 0.5F); }, {}}});
}

void race_divisions() {
  constexpr std::int64_t n = std::int64_t{1} << 27;
  const auto x = random_array<float, 1>({n}), large = random_array<float, 1>({n}, 40);
  const double bytes = 8.0 * static_cast<double>(n);
  race("x / (1 + exp(-x)) of 2^27 f32",
       {{"copy f32", bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
        {"of a deviation of 1", bytes, [&] { (void)benchmark_kernels::silu(x); }, {}},
        {"of a deviation of 40", bytes, [&] { (void)benchmark_kernels::silu(large); }, {}}});
}

/// Complex products of numbers whose parts lie side by side: windows with a step, and arrays of n x 2.
void race_pairs() {
  constexpr std::int64_t n = std::int64_t{1} << 26;
  const auto x = random_array<float, 1>({2 * n}), y = random_array<float, 1>({2 * n});
  const auto p = random_array<float, 2>({n, 2}), q = random_array<float, 2>({n, 2});
  const double bytes = 8.0 * static_cast<double>(n);
  race("complex products of 2^26 numbers",
       {{"copy f32", 2 * bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
        {"by steps", 3 * bytes, [&] { (void)benchmark_kernels::multiply_pairs(x, y); }, {}},
        {"of n x 2", 3 * bytes, [&] { (void)benchmark_kernels::multiply_columns(p, q); }, {}},
        {"real parts alone", 1.5 * bytes, [&] { (void)benchmark_kernels::real_parts(x); }, {}}});
}

} // namespace

int main() {
  if (device_count() == 0) {
    std::puts("no GPU: nothing measured");
    return 77;
  }
  std::printf("Bandwidth on %s: medians of %d samples of %d calls, interleaved\n", device_name(device::gpu(0)).c_str(),
              samples, calls_per_sample);
  for (int log2 : {20, 24, 28})
    race_vectors(log2);
  race_rows(8192, 8192);
  race_rows(32768, 1000);
  race_rows(32768, 1001);
  race_rows(1 << 22, 7);
  race_divisions();
  race_pairs();
}
