// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of few results and long sums, which the portable level divides along what is summed over (split-K), against
// cuBLASLt's best heuristic and against the same programs in one pass: one process, interleaved samples, random normal
// data, medians. Needs a Hopper GPU.
//   split-k-benchmark
#include "products.h"
#include "split_k_default.h"
#include "split_k_one_pass.h"

using namespace benchmark;
using lt = cublas_lt;

int main() {
  std::printf("Split-K on %s: medians of %d samples, interleaved\n", device_name(device::gpu(0)).c_str(), rounds);
  const std::unique_ptr<cublas_lt> peer = find_peer();
  constexpr std::int64_t shapes[][3] = {{64, 64, 65536},  {256, 256, 1048576}, {128, 512, 131072}, {512, 512, 65536},
                                        {128, 256, 8192}, {256, 512, 16384},   {768, 1024, 16384}};
  for (const auto &[m, n, k] : shapes) {
    const auto a = random_matrix<bf16>(m, k, 1), b = random_matrix<bf16>(k, n, 2),
               turned = random_matrix<bf16>(k, m, 1);
    auto d = buffer<bf16, 2>::empty({m, n}, device::gpu(0));
    race(peer.get(), {m, n, k, lt::bf16, lt::bf16},
         {{"whole arrays", [&] { split_k_default::whole(a, b, d, {}); }},
          {"in columns of 64", [&] { split_k_default::whole_64(a, b, d, {}); }},
          {"in columns of 128", [&] { split_k_default::whole_128(a, b, d, {}); }},
          {"a loop", [&] { split_k_default::by_steps(a, b, d, {}); }},
          {"a as K x M", [&] { split_k_default::gradient(turned, b, d, {}); }},
          {"whole arrays, one pass", [&] { split_k_one_pass::whole(a, b, d, {}); }}},
         a, b, d);
  }
}
