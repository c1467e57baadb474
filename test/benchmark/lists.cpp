// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grouped work on lists of arrays in one launch, against a launch for each array, and against a device copy. The lists
// are made anew in each call. Needs a GPU.

#include "bandwidth.h"
#include "lists_kernels.h"

namespace {

using namespace benchmark;

template <class T, int Rank> std::vector<buffer<T, Rank>> several(std::int64_t count, const shape<Rank> &dims) {
  const auto model = random_array<T, Rank>(dims);
  std::vector<buffer<T, Rank>> all;
  for (std::int64_t i = 0; i < count; ++i)
    all.push_back(model.to_device());
  return all;
}

void race_steps(std::int64_t count, std::int64_t length) {
  auto p = several<float, 1>(count, {length}), g = several<float, 1>(count, {length});
  const auto all = random_array<float, 1>({count * length});
  const double bytes = 12.0 * static_cast<double>(count * length);
  race(("p -= rate * g of " + std::to_string(count) + " arrays of " + std::to_string(length)).c_str(),
       {{"copy f32", bytes * 2 / 3, [&] { (void)to(all.view(), device::gpu(0)); }, {}},
        {"one launch", bytes, [&] { benchmark_kernels::descend_all(p, g, 1e-6F); }, {}},
        {"a launch each",
         bytes,
         [&] {
           for (std::size_t i = 0; i < p.size(); ++i)
             benchmark_kernels::descend(p[i], g[i], 1e-6F);
         },
         {}}});
}

/// In TFLOP/s, in the place of GB/s.
void race_products(std::int64_t count, std::int64_t m, std::int64_t n, std::int64_t k) {
  const auto a = several<bf16, 2>(count, {m, k}), b = several<bf16, 2>(count, {k, n});
  auto c = several<bf16, 2>(count, {m, n});
  const double flops = 2.0 * static_cast<double>(count * m * n) * static_cast<double>(k) / 1e3;
  race(("bf16 products of " + std::to_string(count) + " matrices, " + std::to_string(m) + " x " + std::to_string(n) +
        " x " + std::to_string(k) + " (TFLOP/s, of a launch each)")
           .c_str(),
       {{"a launch each",
         flops,
         [&] {
           for (std::size_t i = 0; i < a.size(); ++i)
             benchmark_kernels::multiply(a[i], b[i], c[i]);
         },
         {}},
        {"one launch", flops, [&] { benchmark_kernels::multiply_all(a, b, c); }, {}}});
}

} // namespace

int main() {
  if (device_count() == 0) {
    std::puts("no GPU: nothing measured");
    return 77;
  }
  std::printf("Lists of arrays on %s: medians of %d samples of %d calls, interleaved\n",
              device_name(device::gpu(0)).c_str(), samples, calls_per_sample);
  race_steps(100, 1 << 20);
  race_steps(1000, 4096);
  race_steps(129, 100003);
  race_products(16, 1024, 1024, 2048);
  race_products(64, 128, 512, 512);
  race_products(8, 4096, 4096, 1024);
}
