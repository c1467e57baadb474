// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls what host-stub.mlir declares, rightly and wrongly.
#include <cstdio>
#include <vector>

namespace {

std::int64_t fibonacci(std::int64_t n) {
  std::int64_t previous = 0, current = 1;
  for (std::int64_t i = 0; i < n; ++i)
    current = std::exchange(previous, current) + current;
  return previous;
}

/// What fib of host-stub.mlir is.
std::int64_t expected(std::int64_t n) {
  std::int64_t rest = fibonacci(n) % n;
  while (rest > 1)
    rest = (rest - 1) % n;
  return rest + (n > 0 ? fibonacci(n) : 0);
}

template <class F> void refused(F f) {
  try {
    f();
    std::puts("not refused");
  } catch (const tegula::error &e) {
    std::puts(e.what());
  }
}

} // namespace

int main() {
  using tegula::array;
  std::vector<float> x(5003), y(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i);
    y[i] = 0.5F;
  }
  bool right = true;
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{8}, x.size()}) {
    const auto o = add_vectors(array<const float, 1>(x.data(), {n}), array<const float, 1>(y.data(), {n}));
    right &= o.dim(0) == static_cast<std::int64_t>(n);
    for (std::int64_t i = 0; i < o.dim(0); ++i)
      right &= !(o(i) < static_cast<float>(i) + 0.5F) && !(o(i) > static_cast<float>(i) + 0.5F);
  }
  for (std::int64_t n = 1; n < 12; ++n)
    right &= fib(n) == expected(n);
  for (const std::int64_t n : {3, 12}) {
    std::vector<std::int32_t> a(12, 5), b(12, 100);
    const auto both = shapes::inner::both(array<const std::int32_t, 1>(a.data(), {n}),
                                          array<std::int32_t, 1>(b.data(), {n}), 4000000000U, true);
    right &= both.count == 4000000000U && both.sum(n - 1) == (n < 10 ? 105 : 110) && b[0] == both.sum(0);
  }
  std::puts(right ? "right" : "wrong");

  refused([&] { (void)add_vectors(array<const float, 1>(x.data(), {3}), array<const float, 1>(y.data(), {4})); });
  refused([] { (void)fib(0); });
  std::int32_t numbers[8] = {};
  refused([&] {
    (void)shapes::inner::both(array<const std::int32_t, 1>(numbers, {4}), array<std::int32_t, 1>(numbers + 3, {4}), 0,
                              true);
  });
  refused([] { hello(tegula::device::gpu(0)); });
  hello();
  return 0;
}
