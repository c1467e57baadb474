// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs what cpu-explicit.mlir prints.
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using tegula::bf16;
using tegula::cpu::ref;

void expect(bool is_right, const char *what) {
  if (is_right)
    return;
  std::printf("wrong: %s\n", what);
  std::exit(1);
}

/// 20 rows for 2 programs of 16: the first 4 rows of each 8 are doubled.
void check_around() {
  std::vector<float> x(20 * 4), o(20 * 4, -1.0F);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i);
  const ref<const float, 2> from(x.data(), {20, 4}, {4, 1});
  const ref<float, 2> to(o.data(), {20, 4}, {4, 1});
  tegula::kernels::around_0_cpu(2, from, to, false);
  for (const float value : o)
    expect(!(value < -1.0F) && !(value > -1.0F), "nothing is written without the flag");
  tegula::kernels::around_0_cpu(2, from, to, true);
  for (std::size_t i = 0; i < o.size(); ++i) {
    const float should_be = i / 4 % 8 < 4 ? 2 * x[i] : x[i];
    expect(!(o[i] < should_be) && !(o[i] > should_be), "around");
  }
}

/// The identity, scaled: sums are exact.
void check_products() {
  std::vector<bf16> x(64 * 64, bf16(0));
  for (std::size_t i = 0; i < 64; ++i)
    x[i * 65] = bf16(2);
  std::vector<float> o(2 * 64 * 64, -1.0F);
  tegula::kernels::products_0_cpu(ref<const bf16, 2>(x.data(), {64, 64}, {64, 1}),
                                  ref<float, 3>(o.data(), {2, 64, 64}, {64 * 64, 64, 1}), 3);
  for (std::size_t i = 0; i < 64; ++i)
    for (std::size_t j = 0; j < 64; ++j) {
      const float sum = i == j ? 12.0F : 0.0F, more = i == j ? 36.0F : 0.0F;
      const float *at = o.data() + i * 64 + j;
      expect(!(at[0] < sum) && !(at[0] > sum), "sum");
      expect(!(at[64 * 64] < more) && !(at[64 * 64] > more), "more");
    }
}

} // namespace

int main() {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    tegula::cpu::set_seed(seed);
    check_around();
    check_products();
  }
}
