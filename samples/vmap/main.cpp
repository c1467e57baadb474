// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "kernels.h"

namespace {

template <int Rank> tegula::buffer<float, Rank> random_array(const tegula::shape<Rank> &dims, sample::random &random) {
  auto x = tegula::buffer<float, Rank>::empty(dims);
  sample::fill(x, [&] { return random.number(); });
  return x;
}

double wide(float value) { return static_cast<double>(value); }

/// Compares one element with a sum of products in float64. A NaN is wrong.
template <class A, class B> bool is_product(float value, std::int64_t depth, A a, B b) {
  double sum = 0, magnitude = 0;
  for (std::int64_t k = 0; k < depth; ++k) {
    sum += wide(a(k)) * wide(b(k));
    magnitude += std::abs(wide(a(k)) * wide(b(k)));
  }
  return std::abs(wide(value) - sum) <= 1e-6 * magnitude;
}

bool products(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k, sample::device where,
              sample::random &random) {
  const auto xs = random_array<3>({batch, m, k}, random), ys = random_array<3>({k, n, 3}, random);
  const auto y = random_array<2>({k, n}, random);
  const auto xs_there = xs.to(where), ys_there = ys.to(where);
  const auto y_there = y.to(where);
  tegula::buffer<float, 3> zs;
  tegula::buffer<float, 4> pairs;
  const double seconds = sample::seconds(where, [&] {
    zs = batched_matmul(xs_there, y_there);
    pairs = all_pairs(xs_there, ys_there);
  });
  const auto zs_here = zs.to_host();
  const auto pairs_here = pairs.to_host();
  std::int64_t wrong = 0;
  for (std::int64_t b = 0; b < batch; ++b)
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        const auto x = [&](std::int64_t p) { return xs(b, i, p); };
        wrong += is_product(zs_here(b, i, j), k, x, [&](std::int64_t p) { return y(p, j); }) ? 0 : 1;
        for (std::int64_t c = 0; c < 3; ++c)
          wrong += is_product(pairs_here(b, i, c, j), k, x, [&](std::int64_t p) { return ys(p, j, c); }) ? 0 : 1;
      }
  return sample::report("batches of " + std::to_string(batch) + " and all pairs of " + std::to_string(m) + " x " +
                            std::to_string(n) + " x " + std::to_string(k),
                        where, seconds, "every element against float64", wrong, sample::flops(8 * batch * m * n * k));
}

bool columns(std::int64_t rows, std::int64_t batch, sample::device where, sample::random &random) {
  const auto x = random_array<2>({rows, batch}, random), a = random_array<2>({rows, batch}, random);
  const auto b = random_array<1>({batch}, random);
  const auto x_there = x.to(where), a_there = a.to(where);
  const auto b_there = b.to(where);
  tegula::buffer<float, 2> o;
  const double seconds = sample::seconds(where, [&] { o = normalised_columns(x_there, a_there, b_there); });
  const auto result = o.to_host();
  std::int64_t wrong = 0;
  for (std::int64_t j = 0; j < batch; ++j) {
    double squares = 0;
    for (std::int64_t i = 0; i < rows; ++i)
      squares += wide(x(i, j)) * wide(x(i, j));
    for (std::int64_t i = 0; i < rows; ++i) {
      const double reference = wide(a(i, j)) * wide(x(i, j)) / std::sqrt(squares) + wide(b(j));
      wrong += std::abs(wide(result(i, j)) - reference) <= 1e-5 ? 0 : 1;
    }
  }
  return sample::report("columns of " + std::to_string(rows) + " x " + std::to_string(batch), where, seconds,
                        "every element against float64", wrong, sample::bytes(x, a, result));
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(11);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"batch", "m", "n", "k"});
    for (const auto where : options.devices) {
      for (const auto &[batch, m, n, k] : options.cases({{1, 1, 1, 1}, {5, 33, 17, 129}, {3, 64, 64, 64}}))
        passed &= products(batch, m, n, k, where, random);
      for (const auto &[batch, m, n, k] : options.cases({{1, 7, 1, 1}, {129, 1000, 1, 1}}))
        passed &= columns(m, batch, where, random);
    }
    return passed;
  });
}
