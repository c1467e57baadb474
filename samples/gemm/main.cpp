// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "kernels.h"

#include <algorithm>
#include <functional>
#include <string>

using tegula::bf16;
using tegula::buffer;
using tegula::e4m3;

namespace {

template <class T> buffer<T, 2> matrix(std::int64_t rows, std::int64_t columns, sample::random &random) {
  auto made = buffer<T, 2>::empty({rows, columns});
  sample::fill(made, [&] { return static_cast<T>(random.number()); });
  return made;
}
template <> buffer<std::int8_t, 2> matrix(std::int64_t rows, std::int64_t columns, sample::random &random) {
  auto made = buffer<std::int8_t, 2>::empty({rows, columns});
  sample::fill(made, [&] { return static_cast<std::int8_t>(random.bits()); });
  return made;
}
buffer<float, 1> vector(std::int64_t size, sample::random &random) {
  auto made = buffer<float, 1>::empty({size});
  sample::fill(made, [&] { return random.number(); });
  return made;
}

template <class T> double exact(T value) { return static_cast<double>(static_cast<float>(value)); }

/// An element of a product in float64, with how far it may be off: sums on tensor cores are rounded in their own way.
struct expected {
  double value = 0, magnitude = 0;
};
using element = std::function<double(std::int64_t, std::int64_t)>;
expected product(const element &a, const element &b, std::int64_t i, std::int64_t j, std::int64_t depth) {
  expected sum;
  for (std::int64_t p = 0; p < depth; ++p) {
    sum.value += a(i, p) * b(p, j);
    sum.magnitude += std::abs(a(i, p) * b(p, j));
  }
  return sum;
}
template <class T> element of(const buffer<T, 2> &matrix) {
  return [&](std::int64_t i, std::int64_t j) { return exact(matrix(i, j)); };
}
double silu(double x) { return x / (1 + std::exp(-x)); }

/// Compares some elements with what `reference` says of them: a value and how far it may be off.
template <class T>
std::int64_t wrong(const buffer<T, 2> &result, sample::random &random,
                   const std::function<std::pair<double, double>(std::int64_t, std::int64_t)> &reference) {
  std::int64_t found = 0;
  constexpr int checks = 1024;
  for (int check = 0; check < checks; ++check) {
    const auto i = static_cast<std::int64_t>(random.bits() % static_cast<std::uint64_t>(result.dim(0)));
    const auto j = static_cast<std::int64_t>(random.bits() % static_cast<std::uint64_t>(result.dim(1)));
    const auto [value, error] = reference(i, j);
    found += std::abs(exact(result(i, j)) - value) <= error + 0x1p-8 * std::abs(value) ? 0 : 1; // A NaN is wrong.
  }
  return found;
}

struct sizes {
  std::int64_t m, n, k;
};

class checker {
public:
  checker(const sizes &size, sample::device where, sample::random &random)
      : m(size.m), n(size.n), k(size.k), where(where), random(random) {}

  bool all() { return run_gemm() & run_linear() & run_gated() & run_dequantized() & run_scaled(); }

private:
  static constexpr double rounding = 2e-5; // of sums of products of 16 bits
  bool report(const char *what, double seconds, std::int64_t wrong, int products = 1) {
    return sample::report(
        std::string(what) + " of " + std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k), where,
        seconds, "1024 elements against float64", wrong, products * sample::flops(2 * m * n * k));
  }

  bool run_gemm() {
    const auto a = matrix<bf16>(m, k, random), b = matrix<bf16>(k, n, random);
    const auto a_there = a.to(where), b_there = b.to(where);
    buffer<bf16, 2> o;
    const double seconds = sample::seconds(where, [&] { o = gemm(a_there, b_there); });
    return report("gemm", seconds, wrong(o.to_host(), random, [&](auto i, auto j) {
                    const expected sum = product(of(a), of(b), i, j, k);
                    return std::pair(sum.value, rounding * sum.magnitude);
                  }));
  }

  bool run_linear() {
    const auto x = matrix<bf16>(m, k, random), w = matrix<bf16>(k, n, random);
    const auto bias = vector(n, random);
    const auto x_there = x.to(where), w_there = w.to(where);
    const auto bias_there = bias.to(where);
    auto o = buffer<bf16, 2>::empty({m, n}, where);
    auto greatest = buffer<float, 2>::empty({m, (n + 127) / 128}, where);
    const double seconds = sample::seconds(where, [&] { linear(x_there, w_there, bias_there, o, greatest); });
    const auto rows = o.to_host();
    std::int64_t errors = wrong(rows, random, [&](auto i, auto j) {
      const expected sum = product(of(x), of(w), i, j, k);
      return std::pair(silu(sum.value + exact(bias(j))), 1.1 * rounding * sum.magnitude);
    });
    errors += wrong(greatest.to_host(), random, [&](auto i, auto block) {
      double most = 0;
      for (std::int64_t j = 128 * block; j < std::min(n, 128 * (block + 1)); ++j)
        most = std::max(most, std::abs(exact(rows(i, j))));
      return std::pair(most, 0.0); // The result is rounded once more.
    });
    return report("linear", seconds, errors);
  }

  bool run_gated() {
    const auto x = matrix<bf16>(m, k, random), w = matrix<bf16>(k, n, random), v = matrix<bf16>(k, n, random);
    const auto x_there = x.to(where), w_there = w.to(where), v_there = v.to(where);
    buffer<bf16, 2> o;
    const double seconds = sample::seconds(where, [&] { o = gated(x_there, w_there, v_there); });
    return report("gated", seconds,
                  wrong(o.to_host(), random,
                        [&](auto i, auto j) {
                          const expected gate = product(of(x), of(w), i, j, k), up = product(of(x), of(v), i, j, k);
                          const double error = std::abs(up.value) * 1.1 * rounding * gate.magnitude +
                                               std::abs(silu(gate.value)) * rounding * up.magnitude;
                          return std::pair(silu(gate.value) * up.value, error);
                        }),
                  2);
  }

  bool run_dequantized() {
    const auto a = matrix<std::int8_t>(m, k, random);
    const auto b = matrix<bf16>(k, n, random);
    const auto s = vector(m, random);
    const auto a_there = a.to(where);
    const auto b_there = b.to(where);
    const auto s_there = s.to(where);
    buffer<float, 2> o;
    const double seconds = sample::seconds(where, [&] { o = dequantized(a_there, s_there, b_there); });
    const element left = [&](auto i, auto p) { return exact(static_cast<bf16>(static_cast<float>(a(i, p)) * s(i))); };
    return report("dequantized", seconds, wrong(o.to_host(), random, [&](auto i, auto j) {
                    const expected sum = product(left, of(b), i, j, k);
                    return std::pair(sum.value, rounding * sum.magnitude);
                  }));
  }

  bool run_scaled() {
    const auto a = matrix<e4m3>(m, k, random), b = matrix<e4m3>(n, k, random);
    const auto of_a = vector(m, random), of_b = vector(n, random);
    const auto a_there = a.to(where), b_there = b.to(where);
    const auto of_a_there = of_a.to(where), of_b_there = of_b.to(where);
    buffer<bf16, 2> o;
    const double seconds = sample::seconds(where, [&] { o = scaled(a_there, b_there, of_a_there, of_b_there); });
    const element turned = [&](auto p, auto j) { return exact(b(j, p)); };
    return report("scaled", seconds, wrong(o.to_host(), random, [&](auto i, auto j) {
                    const expected sum = product(of(a), turned, i, j, k);
                    const double scale = exact(of_a(i)) * exact(of_b(j));
                    // Hopper sums 8-bit floats with some 14 bits.
                    return std::pair(sum.value * scale, 0x1p-12 * sum.magnitude * std::abs(scale));
                  }));
  }

  std::int64_t m, n, k;
  sample::device where;
  sample::random &random;
};

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(8);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"m", "n", "k"});
    for (const auto where : options.devices) {
      for (const auto &[m, n, k] : options.cases({{7, 200, 129}, {300, 520, 272}}))
        passed &= checker({m, n, k}, where, random).all();
      if (where.is_gpu() && options.sizes.empty())
        passed &= checker({4096, 4096, 4096}, where, random).all();
    }
    return passed;
  });
}
