// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/rows.h"
#include "backward.h"
#include "forward.h"

namespace {

using sample::wide;
using tegula::buffer;

constexpr float epsilon = 1e-5F;

/// The inputs, on the host and on the device.
template <class T> struct inputs {
  buffer<T, 2> x, residual, dy, dsum;
  buffer<T, 1> weight, bias;

  static inputs make(std::int64_t rows, std::int64_t columns, sample::random &random) {
    return {sample::random_array<T, 2>({rows, columns}, random, 3, 1),
            sample::random_array<T, 2>({rows, columns}, random, 2),
            sample::random_array<T, 2>({rows, columns}, random),
            sample::random_array<T, 2>({rows, columns}, random),
            sample::random_array<T, 1>({columns}, random),
            sample::random_array<T, 1>({columns}, random)};
  }
  inputs to(sample::device where) const {
    return {x.to(where), residual.to(where), dy.to(where), dsum.to(where), weight.to(where), bias.to(where)};
  }
};

/// What kernels made of them. A norm without residual, mean or bias has none of these.
template <class T> struct results {
  buffer<T, 2> sum, y, dx;
  buffer<float, 1> mean, rstd, dweight, dbias;

  results to_host() const {
    return {sum.to_host(),  y.to_host(),       dx.to_host(),   mean.to_host(),
            rstd.to_host(), dweight.to_host(), dbias.to_host()};
  }
};

template <class T> struct norm {
  const char *name;
  bool is_centred, is_added;
  results<T> (*run)(const inputs<T> &);
};

// Without a residual, what is normalised is x, and the gradient of a sum is no argument.
template <class T> results<T> run_layernorm(const inputs<T> &in) {
  auto made = layernorm(in.x, in.weight, in.bias, epsilon);
  auto dx = layernorm_backward(in.dy, in.x, in.weight, made.mean, made.rstd);
  auto [dweight, dbias] = layernorm_gradients(in.dy, in.x, made.mean, made.rstd);
  return {{},
          std::move(made.y),
          std::move(dx),
          std::move(made.mean),
          std::move(made.rstd),
          std::move(dweight),
          std::move(dbias)};
}
template <class T> results<T> run_add_layernorm(const inputs<T> &in) {
  auto made = add_layernorm(in.x, in.residual, in.weight, in.bias, epsilon);
  auto dx = layernorm_backward(in.dy, made.sum, in.weight, made.mean, made.rstd, in.dsum);
  auto [dweight, dbias] = layernorm_gradients(in.dy, made.sum, made.mean, made.rstd);
  return {std::move(made.sum),  std::move(made.y),  std::move(dx),   std::move(made.mean),
          std::move(made.rstd), std::move(dweight), std::move(dbias)};
}
template <class T> results<T> run_rmsnorm(const inputs<T> &in) {
  auto made = rmsnorm(in.x, in.weight, epsilon);
  auto dx = rmsnorm_backward(in.dy, in.x, in.weight, made.rstd);
  auto dweight = rmsnorm_gradient(in.dy, in.x, made.rstd);
  return {{}, std::move(made.y), std::move(dx), {}, std::move(made.rstd), std::move(dweight), {}};
}
template <class T> results<T> run_add_rmsnorm(const inputs<T> &in) {
  auto made = add_rmsnorm(in.x, in.residual, in.weight, epsilon);
  auto dx = rmsnorm_backward(in.dy, made.sum, in.weight, made.rstd, in.dsum);
  auto dweight = rmsnorm_gradient(in.dy, made.sum, made.rstd);
  return {std::move(made.sum), std::move(made.y), std::move(dx), {}, std::move(made.rstd), std::move(dweight), {}};
}

/// A row in float64, of the sum as it was stored.
template <class T>
void check_row(sample::comparison &compare, const norm<T> &norm, const inputs<T> &in, const results<T> &out,
               std::int64_t i, std::vector<double> &dweight, std::vector<double> &dbias) {
  constexpr double accuracy = 1e-5, rounding = sample::rounding<T>;
  const std::int64_t columns = in.x.dim(1);
  const auto n = static_cast<double>(columns);
  std::vector<double> row(static_cast<std::size_t>(columns)), g(row.size());
  double mean = 0, squares = 0, mean_g = 0, mean_gn = 0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    const auto column = static_cast<std::int64_t>(j);
    row[j] = wide((norm.is_added ? out.sum : in.x)(i, column));
    g[j] = wide(in.dy(i, column)) * wide(in.weight(column));
    mean += norm.is_centred ? row[j] / n : 0;
  }
  for (double &value : row)
    value -= mean;
  for (const double value : row)
    squares += value * value;
  const double r = 1 / std::sqrt(squares / n + static_cast<double>(epsilon));
  // The rounding of the mean counts r times.
  const double tolerance = accuracy + (norm.is_centred ? 1e-6 * r : 0);
  for (std::size_t j = 0; j < row.size(); ++j) {
    row[j] *= r;
    mean_g += norm.is_centred ? g[j] / n : 0;
    mean_gn += g[j] * row[j] / n;
  }
  compare(out.rstd(i), r, 1e-4 * r);
  if (norm.is_centred)
    compare(out.mean(i), mean, accuracy * (1 + std::abs(mean)));
  for (std::size_t j = 0; j < row.size(); ++j) {
    const auto column = static_cast<std::int64_t>(j);
    if (norm.is_added) {
      const double sum = wide(in.x(i, column)) + wide(in.residual(i, column));
      compare(out.sum(i, column), sum, rounding * std::abs(sum) + 1e-30);
    }
    const double y = row[j] * wide(in.weight(column)) + (norm.is_centred ? wide(in.bias(column)) : 0);
    compare(out.y(i, column), y, tolerance + (accuracy + rounding) * std::abs(y));
    const double dx = (g[j] - mean_g - row[j] * mean_gn) * r + (norm.is_added ? wide(in.dsum(i, column)) : 0);
    compare(out.dx(i, column), dx, tolerance * (1 + 3 * r) + rounding * std::abs(dx));
    dweight[j] += wide(in.dy(i, column)) * row[j];
    dbias[j] += wide(in.dy(i, column));
  }
}

template <class T>
bool check(const norm<T> &norm, std::int64_t rows, std::int64_t columns, sample::device where, sample::random &random) {
  const auto in = inputs<T>::make(rows, columns, random);
  const auto there = in.to(where);
  results<T> made;
  const double seconds = sample::seconds(where, [&] { made = norm.run(there); });
  const auto out = made.to_host();
  sample::comparison compare;
  std::vector<double> dweight(static_cast<std::size_t>(columns)), dbias(dweight.size());
  for (std::int64_t i = 0; i < rows; ++i)
    check_row(compare, norm, in, out, i, dweight, dbias);
  const double tolerance = 1e-5 * static_cast<double>(rows);
  for (std::size_t j = 0; j < dweight.size(); ++j) {
    compare(out.dweight(static_cast<std::int64_t>(j)), dweight[j], tolerance * 3);
    if (norm.is_centred)
      compare(out.dbias(static_cast<std::int64_t>(j)), dbias[j], tolerance);
  }
  // Three kernels read x (or the sum), two read dy; y and dx are written. With a residual, it and dsum are read, the
  // sum is written.
  const auto moved = (norm.is_added ? 10 : 7) * sample::bytes(in.x);
  return sample::report(norm.name + (" " + sample::shape_name<T>(rows, columns)), where, seconds,
                        "results and gradients against float64", compare.wrong, moved);
}

template <class T>
bool check_all(std::int64_t rows, std::int64_t columns, sample::device where, sample::random &random) {
  const norm<T> norms[] = {{"layernorm", true, false, run_layernorm<T>},
                           {"add_layernorm", true, true, run_add_layernorm<T>},
                           {"rmsnorm", false, false, run_rmsnorm<T>},
                           {"add_rmsnorm", false, true, run_add_rmsnorm<T>}};
  bool passed = true;
  for (const auto &norm : norms)
    passed &= check(norm, rows, columns, where, random);
  return passed;
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(8);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"rows", "columns"});
    for (const auto where : options.devices) {
      constexpr std::int64_t shapes[][2] = {{3, 1}, {7, 127}, {130, 129}, {33, 4096}, {9, 16384}, {5, 70001}};
      for (const auto &[rows, columns] : options.cases(shapes)) {
        passed &= check_all<float>(rows, columns, where, random);
        passed &= check_all<tegula::bf16>(rows, columns, where, random);
      }
    }
    return passed;
  });
}
