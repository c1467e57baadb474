// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "choose.h"

#include <algorithm>

namespace {

using sample::device;
using tegula::array;
using tegula::buffer;

struct shape {
  std::int64_t m, n, k;
};

/// An operand, and how it is read: element (i, j) of a transposed one lies at (j, i).
template <class T> struct operand {
  buffer<T, 2> values;
  bool is_transposed;

  double operator()(std::int64_t i, std::int64_t j) const {
    return static_cast<double>(static_cast<float>(is_transposed ? values(j, i) : values(i, j)));
  }
};

/// Integers of all sizes.
template <class T> T random_element(sample::random &random) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(random.bits());
  else
    return static_cast<T>(2 * random.number());
}

template <class T>
operand<T> random_operand(std::int64_t rows, std::int64_t columns, bool is_transposed, sample::random &random) {
  auto values = buffer<T, 2>::empty(is_transposed ? tegula::shape<2>{columns, rows} : tegula::shape<2>{rows, columns});
  sample::fill(values, [&] { return random_element<T>(random); });
  return {std::move(values), is_transposed};
}

/// Of sums in f32: their rounding in parts of the sum of magnitudes. Hopper's tensor cores add products of 8-bit floats
/// with some 13 bits of the largest, and read 10 bits of the fraction of an f32. Integers are exact.
template <class A> constexpr double sum_error() {
  return std::is_integral_v<A> ? 0 : sizeof(A) == 1 ? 0x1p-12 : sizeof(A) == 4 ? 0x1p-9 : 1e-5;
}

/// `added` is what the entry adds to each element of the product.
template <class A, class B, class Result, class Entry, class Added>
bool sum(const std::string &name, Entry entry, const shape &size, bool a_is_transposed, bool b_is_transposed,
         Added added, device where, sample::random &random) {
  const auto a = random_operand<A>(size.m, size.k, a_is_transposed, random);
  const auto b = random_operand<B>(size.k, size.n, b_is_transposed, random);
  const auto a_there = a.values.to(where), b_there = b.values.to(where);
  auto o = buffer<Result, 2>::empty({size.m, size.n}, where);
  // The CPU runs clusters of as many blocks as any configuration has.
  const std::int64_t multiprocessors = std::max<std::int64_t>(2, tegula::multiprocessors(where));
  const double seconds = sample::seconds(where, [&] { entry(a_there, b_there, o, multiprocessors); });
  const auto result = o.to_host();
  std::int64_t wrong = 0;
  // All elements of a small result, some of a large one.
  const bool checks_all = size.m * size.n * size.k <= std::int64_t{1} << 25;
  const std::int64_t checks = checks_all ? size.m * size.n : 4096;
  for (std::int64_t check = 0; check < checks; ++check) {
    const std::int64_t place =
        checks_all ? check : static_cast<std::int64_t>(random.bits() % static_cast<std::uint64_t>(size.m * size.n));
    const std::int64_t i = place / size.n, j = place % size.n;
    double sum = added(i, j), magnitude = std::abs(sum);
    for (std::int64_t k = 0; k < size.k; ++k) {
      sum += a(i, k) * b(k, j);
      magnitude += std::abs(a(i, k) * b(k, j));
    }
    double value = 0;
    if constexpr (std::is_integral_v<Result>)
      value = result(i, j);
    else
      value = static_cast<double>(static_cast<float>(result(i, j)));
    // Half a unit in the last place of the result, and the rounding of the sum. A NaN is wrong.
    const double half = sizeof(Result) == 2 ? 0x1p-8 * std::abs(sum) : 0;
    wrong += std::abs(value - sum) <= half + sum_error<A>() * magnitude ? 0 : 1;
  }
  return sample::report(std::string(name) + " of " + std::to_string(size.m) + " x " + std::to_string(size.n) + " x " +
                            std::to_string(size.k),
                        where, seconds, checks_all ? "every element against float64" : "4096 elements against float64",
                        wrong, sample::flops(2 * size.m * size.n * size.k));
}

template <class T, class Result, class Entry>
bool product(const std::string &name, Entry entry, const shape &size, bool a_is_transposed, bool b_is_transposed,
             device where, sample::random &random) {
  return sum<T, T, Result>(
      name, entry, size, a_is_transposed, b_is_transposed, [](std::int64_t, std::int64_t) { return 0.0; }, where,
      random);
}

/// A @ B + C, C of all of D, or a row that each of D has.
template <class T, class Result, int Rank, class Entry>
bool plus(const std::string &name, Entry entry, const shape &size, bool b_is_transposed, device where,
          sample::random &random) {
  tegula::shape<Rank> dims;
  dims[Rank - 1] = size.n;
  if (Rank == 2)
    dims[0] = size.m;
  auto c = buffer<Result, Rank>::empty(dims);
  sample::fill(c, [&] {
    return std::is_integral_v<Result> ? static_cast<Result>(static_cast<int>(random.bits() % 2001) - 1000)
                                      : static_cast<Result>(8 * random.number());
  });
  const auto c_there = c.to(where);
  const auto run = [&](const auto &a, const auto &b, auto &o, std::int64_t n) { entry(a, b, c_there, o, n, {}); };
  const auto added = [&](std::int64_t i, std::int64_t j) {
    const Result *element = c.data() + (Rank == 2 ? i * size.n : 0) + j;
    return static_cast<double>(static_cast<float>(*element));
  };
  return sum<T, T, Result>(name, run, size, false, b_is_transposed, added, where, random);
}

/// By the configuration that is chosen for the shape.
template <class T> bool chosen(const char *type, const shape &size, device where, sample::random &random) {
  bool passed = true;
  for (const bool b_is_transposed : {false, true}) {
    const auto entry = [&](const auto &a, const auto &b, auto &o, std::int64_t) {
      samples::matmul<T>(a, b, o, b_is_transposed);
    };
    passed &= product<T, T>(std::string(type) + (b_is_transposed ? ", b as N x K," : ""), entry, size, false,
                            b_is_transposed, where, random);
  }
  return passed;
}

/// By each configuration of the table.
bool each(const shape &size, device where, sample::random &random) {
  using tegula::bf16, tegula::f16;
  bool passed = true;
  for (const samples::configuration &how : samples::configurations) {
    const auto run = [](auto entry) {
      return [entry](const auto &a, const auto &b, auto &o, std::int64_t n) { entry(a, b, o, n, {}); };
    };
    const std::string name = how.name;
    passed &= product<bf16, bf16>("bf16 " + name, run(how.bf16), size, false, how.b_is_transposed, where, random);
    passed &= product<f16, f16>("f16 " + name, run(how.f16), size, false, how.b_is_transposed, where, random);
  }
  return passed;
}

/// What else there is, of b as N x K, unless it says so.
bool others(const shape &size, device where, sample::random &random) {
  using tegula::bf16, tegula::f16, tegula::e4m3, tegula::e5m2;
  const auto run = [](auto entry) {
    return [entry](const auto &a, const auto &b, auto &o, std::int64_t n) { entry(a, b, o, n, {}); };
  };
  const auto nothing = [](std::int64_t, std::int64_t) { return 0.0; };
  // TMA takes rows of a multiple of 16 bytes.
  const shape even = {(size.m + 7) / 8 * 8, size.n, size.k}, deep = {size.m, size.n, (size.k + 15) / 16 * 16};
  bool passed =
      product<f16, f16>("f16, both transposed,", run(samples::matmul_f16_transposed), even, true, true, where, random);
  passed &= product<e4m3, bf16>("e4m3, b transposed,", run(samples::matmul_e4m3), deep, false, true, where, random);
  passed &=
      sum<e4m3, e5m2, bf16>("e4m3 by e5m2", run(samples::matmul_e4m3_e5m2), deep, false, true, nothing, where, random);
  passed &= product<std::int8_t, std::int32_t>("s8", run(samples::matmul_s8), deep, false, true, where, random);
  passed &= product<float, float>("f32 as tf32", run(samples::matmul_tf32), size, false, true, where, random);
  passed &= plus<bf16, bf16, 2>("bf16, plus C, b as K x N,", samples::matmul_bf16_plus, size, false, where, random);
  passed &= plus<bf16, bf16, 1>("bf16, plus a row, b as K x N,", samples::matmul_bf16_bias, size, false, where, random);
  passed &= plus<float, float, 2>("f32 as tf32, plus C", samples::matmul_tf32_plus, size, true, where, random);
  passed &= plus<std::int8_t, std::int32_t, 1>("s8, plus a row", samples::matmul_s8_bias, deep, true, where, random);
  return passed;
}

/// How many columns the tiles have by which 132 multiprocessors multiply square matrices.
constexpr int columns_of_square(std::int64_t size) {
  return samples::choose(samples::configurations, {size, size, size, false, false}, 132)->columns;
}
static_assert(columns_of_square(4096) == 256 && columns_of_square(3072) == 192 && columns_of_square(1024) == 128,
              "512 wide tiles are just less than four rounds, 288 just more than two: narrower ones fill three");
static_assert(columns_of_square(8192) == 256, "at the power limit wide tiles win, though narrower ones fill 21 rounds");

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(5);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"m", "n", "k"});
    for (const auto where : options.devices) {
      // Rows of 8, 72, 136 and 1000 elements do not begin at multiples of 128 bytes.
      std::vector<shape> small;
      constexpr std::int64_t fixed[][3] = {{64, 64, 64},   {8, 16, 8},      {1, 256, 64},
                                           {200, 264, 72}, {129, 520, 136}, {7, 1000, 192}};
      for (const auto &[m, n, k] : options.cases(fixed))
        small.push_back({m, n, k});
      std::vector<shape> shapes = small;
      const bool is_large = where.is_gpu() && options.sizes.empty();
      if (is_large)
        shapes.insert(shapes.end(), {{4096, 8192, 4096}, {2048, 2048, 2048}, {1111, 2056, 1032}});
      for (const auto &size : small)
        passed &= each(size, where, random);
      if (is_large)
        passed &= each({1111, 2056, 1032}, where, random);
      for (const auto &size : shapes) {
        using tegula::bf16, tegula::f16;
        passed &= chosen<bf16>("bf16", size, where, random);
        passed &= chosen<f16>("f16", size, where, random);
        passed &= others(size, where, random);
      }
    }
    return passed;
  });
}
