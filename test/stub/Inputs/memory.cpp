// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the kernels of cpu-memory.mlir against plain loops over copies.
#include <cstdio>
#include <vector>

namespace {

using tegula::shape;
using vector = std::vector<float>;

int wrong = 0;

vector numbers(std::int64_t count, int seed) {
  vector values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<float>((i * 7 + seed * 3) % 11) - 5);
  return values;
}

tegula::array<float, 1> view(vector &v) { return {v.data(), {v.size()}}; }

void expect(const char *what, const vector &got, const vector &wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (got[i] < wanted[i] || got[i] > wanted[i]) {
      std::printf("%s: element %zu is %g, not %g\n", what, i, static_cast<double>(got[i]),
                  static_cast<double>(wanted[i]));
      ++wrong;
    }
}

void test(std::int64_t n) {
  const auto size = static_cast<std::size_t>(n);
  vector x = numbers(n, 1), y = numbers(n, 2), expected = x;
  for (float &value : expected)
    value *= value;
  tegula::kernels::in_place_0_cpu(view(x));
  expect("in_place", x, expected);

  // The second window is cut off at the end of the array.
  for (std::size_t i = 0; i < size; ++i)
    expected[i] = -expected[i];
  for (std::size_t i = size - 1; i > 0; --i)
    expected[i] = -expected[i - 1];
  tegula::kernels::windows_0_cpu(view(x), n);
  expect("windows", x, expected);

  vector e(size), old = y, wanted = y;
  const std::int64_t steps = std::min<std::int64_t>(n, 3);
  for (std::int64_t s = 0; s < steps; ++s) {
    for (std::size_t i = 0; i < size; ++i)
      wanted[i] += old[i] - x[i];
    wanted[static_cast<std::size_t>(s)] = 2 * x[static_cast<std::size_t>(s)];
  }
  tegula::kernels::loop_0_cpu(view(x), view(y), steps);
  expect("loop", y, wanted);

  vector p = numbers(3 * n, 3), q = numbers(3 * n, 4), new_p(p);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < size; ++j)
      new_p[i * size + j] = p[i * size + j] + q[i * size + j] + p[j];
  const vector new_q = p;
  tegula::kernels::order_0_cpu(tegula::array<float, 2>(p.data(), {3, n}), tegula::array<float, 2>(q.data(), {3, n}));
  expect("order, x", p, new_p);
  expect("order, y", q, new_q);
}

} // namespace

int main() {
  for (const std::int64_t n : {1, 2, 5, 64})
    test(n);
  return wrong != 0;
}
