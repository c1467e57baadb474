// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the kernels of cpu-control-flow.mlir.
#include <cstdio>
#include <vector>

namespace {

bool is_shift_right(std::int64_t n, std::int64_t steps) {
  std::vector<float> x, expected;
  for (std::int64_t i = 0; i < n; ++i)
    x.push_back(static_cast<float>(i * i % 7));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float moved = x[i == 0 ? 0 : i - 1];
    const std::int64_t odd_steps = steps / 2; // Each takes 1 away, and counts; the count is added in the end.
    expected.push_back(2 * moved * static_cast<float>(steps) - static_cast<float>(odd_steps) +
                       static_cast<float>(odd_steps));
  }
  tegula::kernels::shift_0_cpu(tegula::array<float, 1>(x.data(), {n}), steps);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] < expected[i] || x[i] > expected[i]) {
      std::fprintf(stderr, "shift by %d: element %zu is %g, not %g\n", static_cast<int>(steps), i,
                   static_cast<double>(x[i]), static_cast<double>(expected[i]));
      return false;
    }
  return true;
}

} // namespace

int main() {
  bool right = true;
  for (const std::int64_t n : {1, 2, 5, 100})
    for (const std::int64_t steps : {0, 1, 2, 5})
      right &= is_shift_right(n, steps);
  const std::int64_t starts[] = {1, 2, 3, 27};
  std::int32_t lengths[4] = {};
  tegula::kernels::collatz_0_cpu(4, tegula::array<const std::int64_t, 1>(starts, {4}),
                                 tegula::array<std::int32_t, 1>(lengths, {4}));
  right &= lengths[0] == 0 && lengths[3] == 111;
  tegula::kernels::euclid_0_cpu(252, 105);
  tegula::kernels::euclid_0_cpu(17, 5);
  tegula::kernels::branches_0_cpu(-1, true);
  tegula::kernels::branches_0_cpu(0, true);
  tegula::kernels::branches_0_cpu(7, false);
  return right ? 0 : 1;
}
