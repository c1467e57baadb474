// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of the portable level against a device copy, and its products against cuBLASLt in f32 (without TF32).
// Needs a GPU.

#include "bandwidth.h"
#include "contraction_kernels.h"
#include "products.h"

namespace {

using namespace benchmark;

void race_rows(std::int64_t rows, std::int64_t columns) {
  const auto x = random_array<bf16, 2>({rows, columns});
  const auto weight = random_array<bf16, 1>({columns}), bias = random_array<bf16, 1>({columns});
  const double bytes = 4.0 * static_cast<double>(rows) * static_cast<double>(columns);
  race((std::to_string(rows) + " x " + std::to_string(columns)).c_str(),
       {{"copy bf16", bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
        {"softmax bf16", bytes, [&] { (void)softmaxes::softmax_bf16(x, {}); }, {}},
        {"layernorm bf16", bytes, [&] { (void)norms::layernorm(x, weight, bias, 1e-5F); }, {}}});
}

void race_sums() {
  const auto x = random_array<float, 1>({std::int64_t{1} << 28});
  const auto m = random_array<float, 2>({8192, 8192});
  const double bytes = 4.0 * static_cast<double>(x.size()), square = 4.0 * static_cast<double>(m.size());
  race("sums", {{"copy f32", 2 * bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
                {"all of 2^28", bytes, [&] { (void)sums::sum_of_all(x, {}); }, {}},
                {"rows of 8192 x 8192", square, [&] { (void)sums::sums_of_rows(m, {}); }, {}},
                {"columns of 8192 x 8192", square, [&] { (void)sums::sums_of_columns(m, {}); }, {}}});
}

void race_columns(std::int64_t rows, std::int64_t columns) {
  const auto x = random_array<float, 2>({rows, columns});
  const auto g = random_array<bf16, 2>({rows, columns}), h = random_array<bf16, 2>({rows, columns});
  const auto mean = random_array<float, 1>({rows}), rstd = random_array<float, 1>({rows});
  const double bytes = 4.0 * static_cast<double>(x.size());
  race(("columns of " + std::to_string(rows) + " x " + std::to_string(columns)).c_str(),
       {{"copy f32", 2 * bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
        {"sums f32", bytes, [&] { (void)sums::sums_of_columns(x, {}); }, {}},
        {"sums bf16", bytes / 2, [&] { (void)column_sums::sums_bf16(g, {}); }, {}},
        {"layernorm's gradients", bytes, [&] { (void)norms_backward::layernorm_gradients(g, h, mean, rstd); }, {}}});
}

void race_products(std::int64_t n) {
  const auto a = random_matrix<float>(n, n, 1), b = random_matrix<float>(n, n, 2);
  auto d = buffer<float, 2>::empty({n, n}, device::gpu(0));
  static const std::unique_ptr<cublas_lt> peer = find_peer();
  race(peer.get(), {n, n, n, cublas_lt::f32, cublas_lt::f32},
       {{"f32 by a grid of 2 x 2", [&] { (void)matmuls::matmul(a, b, {}); }}}, a, b, d);
}

} // namespace

int main() {
  if (device_count() == 0) {
    std::puts("no GPU: nothing measured");
    return 77;
  }
  std::printf("Contractions on %s: medians, interleaved\n", device_name(device::gpu(0)).c_str());
  race_rows(8192, 8192);
  race_rows(32768, 1024);
  race_rows(4096, 65536);
  race_sums();
  race_columns(8192, 8192);
  race_columns(std::int64_t{1} << 20, 8);
  race_columns(std::int64_t{1} << 20, 60);
  race_columns(std::int64_t{1} << 19, 129);
  race_columns(64, std::int64_t{1} << 20);
  race_columns(1000, 1000);
  race_products(1024);
  race_products(4096);
}
