// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs every step of the tutorial on random arrays, and compares each element with a plain loop in float64.
#include "../common/rows.h"
#include "step01_add.h"
#include "step02_edges.h"
#include "step03_grid.h"
#include "step04_rows.h"
#include "step05_outputs.h"
#include "step06_gather.h"
#include "step07_products.h"
#include "step08_attention.h"
#include "step09_shared.h"
#include "step10_pipeline.h"

#include <algorithm>
#include <string>
#include <vector>

namespace {

using sample::device;
using sample::wide;
using tegula::buffer;
using tegula::f16;
using index = std::int64_t;

constexpr double epsilon = 0x1p-24; // half of a unit in the last place of a float, of 1

/// Runs one step, and prints its line. `check` counts the elements that are wrong.
template <class Run, class Check> bool step(const std::string &name, device where, Run run, Check check) {
  const double seconds = sample::seconds(where, run);
  sample::comparison compare;
  check(compare);
  return sample::report(name, where, seconds, "against float64", compare.wrong);
}

bool step01(device where, sample::random &random) {
  const index n = 1000003;
  const auto x = sample::random_array<float, 1>({n}, random), y = sample::random_array<float, 1>({n}, random);
  const auto x_there = x.to(where), y_there = y.to(where);
  buffer<float, 1> o;
  return step(
      "step 1: add of 1000003", where, [&] { o = add(x_there, y_there); },
      [&](auto &compare) {
        const auto result = o.to_host();
        for (index i = 0; i < n; ++i)
          compare(result(i), wide(x(i)) + wide(y(i)), 2 * epsilon);
      });
}

bool step02(device where, sample::random &random) {
  const index n = 5001;
  const auto x = sample::random_array<float, 1>({n}, random), y = sample::random_array<float, 1>({n}, random);
  const auto x_there = x.to(where);
  auto y_there = y.to(where);
  return step(
      "step 2: axpy of 5001", where, [&] { axpy(0.75F, x_there, y_there); },
      [&](auto &compare) {
        const auto result = y_there.to_host();
        for (index i = 0; i < n; ++i)
          compare(result(i), 0.75 * wide(x(i)) + wide(y(i)), 4 * epsilon);
      });
}

bool step03(device where, sample::random &random) {
  const index m = 77, n = 333;
  const auto x = sample::random_array<float, 2>({m, n}, random);
  const auto scale = sample::random_array<float, 1>({m}, random), shift = sample::random_array<float, 1>({n}, random);
  const auto x_there = x.to(where);
  const auto scale_there = scale.to(where), shift_there = shift.to(where);
  buffer<float, 2> o;
  return step(
      "step 3: scale_and_shift of 77 x 333", where, [&] { o = scale_and_shift(x_there, scale_there, shift_there); },
      [&](auto &compare) {
        const auto result = o.to_host();
        for (index i = 0; i < m; ++i)
          for (index j = 0; j < n; ++j)
            compare(result(i, j), wide(x(i, j)) * wide(scale(i)) + wide(shift(j)), 4 * epsilon);
      });
}

bool step04(device where, sample::random &random) {
  const index m = 33, n = 1001;
  const auto x = sample::random_array<float, 2>({m, n}, random, 8);
  const auto x_there = x.to(where);
  buffer<float, 1> sums;
  bool passed = step(
      "step 4: sums_of_rows of 33 x 1001", where, [&] { sums = sums_of_rows(x_there); },
      [&](auto &compare) {
        const auto result = sums.to_host();
        for (index i = 0; i < m; ++i) {
          double sum = 0;
          for (index j = 0; j < n; ++j)
            sum += wide(x(i, j));
          compare(result(i), sum, static_cast<double>(n) * epsilon * 8 * static_cast<double>(n));
        }
      });
  buffer<float, 2> o;
  passed &= step(
      "step 4: softmax of 33 x 1001", where, [&] { o = softmax(x_there); },
      [&](auto &compare) {
        const auto result = o.to_host();
        for (index i = 0; i < m; ++i) {
          double total = 0;
          for (index j = 0; j < n; ++j)
            total += std::exp(wide(x(i, j)));
          for (index j = 0; j < n; ++j) {
            const double reference = std::exp(wide(x(i, j))) / total;
            compare(result(i, j), reference, 1e-5 * reference);
          }
        }
      });
  return passed;
}

bool step05(device where, sample::random &random) {
  const index m = 31, n = 515;
  const auto x = sample::random_array<float, 2>({m, n}, random, 2, 1);
  const auto x_there = x.to(where);
  Normalized o;
  return step(
      "step 5: normalize of 31 x 515", where, [&] { o = normalize(x_there); },
      [&](auto &compare) {
        const auto rows = o.rows.to_host();
        const auto mean = o.mean.to_host(), scale = o.scale.to_host();
        for (index i = 0; i < m; ++i) {
          double sum = 0, squares = 0;
          for (index j = 0; j < n; ++j)
            sum += wide(x(i, j));
          const double middle = sum / static_cast<double>(n);
          for (index j = 0; j < n; ++j)
            squares += (wide(x(i, j)) - middle) * (wide(x(i, j)) - middle);
          const double factor = 1 / std::sqrt(squares / static_cast<double>(n) + 1e-5);
          compare(mean(i), middle, 1e-5);
          compare(scale(i), factor, 1e-5 * factor);
          for (index j = 0; j < n; ++j)
            compare(rows(i, j), (wide(x(i, j)) - middle) * factor, 1e-4);
        }
      });
}

bool step06(device where, sample::random &random) {
  const index n = 4099;
  const auto x = sample::random_array<float, 1>({n}, random);
  const auto x_there = x.to(where);
  buffer<float, 1> o;
  bool passed = step(
      "step 6: differences of 4099", where, [&] { o = differences(x_there); },
      [&](auto &compare) {
        const auto result = o.to_host();
        for (index i = 0; i < n; ++i)
          compare(result(i), wide(x(i)) - (i > 0 ? wide(x(i - 1)) : 0), 2 * epsilon);
      });

  const index words = 51, columns = 37, count = 77;
  const auto table = sample::random_array<float, 2>({words, columns}, random);
  auto tokens = buffer<std::int32_t, 1>::empty({count});
  sample::fill(tokens, [&] { return static_cast<std::int32_t>(random.bits() % (words + 1)) - 1; }); // -1: none
  const auto table_there = table.to(where);
  const auto tokens_there = tokens.to(where);
  buffer<float, 2> rows;
  passed &= step(
      "step 6: embed of 77 rows of 37", where, [&] { rows = embed(table_there, tokens_there); },
      [&](auto &compare) {
        const auto result = rows.to_host();
        for (index i = 0; i < count; ++i)
          for (index j = 0; j < columns; ++j)
            compare(result(i, j), tokens(i) < 0 ? 0 : wide(table(tokens(i), j)), 0);
      });
  return passed;
}

bool step07(device where, sample::random &random) {
  const index m = 131, n = 141, depth = 75;
  const auto x = sample::random_array<f16, 2>({m, depth}, random), w = sample::random_array<f16, 2>({depth, n}, random);
  const auto bias = sample::random_array<float, 1>({n}, random);
  const auto x_there = x.to(where), w_there = w.to(where);
  const auto bias_there = bias.to(where);
  buffer<f16, 2> o;
  return step(
      "step 7: linear of 131 x 75 by 75 x 141", where, [&] { o = linear(x_there, w_there, bias_there); },
      [&](auto &compare) {
        const auto result = o.to_host();
        for (index i = 0; i < m; ++i)
          for (index j = 0; j < n; ++j) {
            double sum = wide(bias(j));
            for (index k = 0; k < depth; ++k)
              sum += wide(x(i, k)) * wide(w(k, j));
            const double reference = sum / (1 + std::exp(-sum));
            compare(result(i, j), reference, 0x1p-10 * std::abs(reference) + 1e-4); // f16 has 11 bits
          }
      });
}

bool step08(device where, sample::random &random) {
  const index heads = 3, queries = 131, keys = 261, width = 64;
  const auto q = sample::random_array<f16, 3>({heads, queries, width}, random, 2);
  const auto k = sample::random_array<f16, 3>({heads, keys, width}, random, 2);
  const auto v = sample::random_array<f16, 3>({heads, keys, width}, random);
  const auto q_there = q.to(where), k_there = k.to(where), v_there = v.to(where);
  buffer<f16, 3> o;
  return step(
      "step 8: attention of 3 heads, 131 queries, 261 keys", where, [&] { o = attention(q_there, k_there, v_there); },
      [&](auto &compare) {
        const auto result = o.to_host();
        std::vector<double> weights(static_cast<std::size_t>(keys));
        for (index head = 0; head < heads; ++head)
          for (index i = 0; i < queries; ++i) {
            double total = 0;
            for (index j = 0; j < keys; ++j) {
              double score = 0;
              for (index c = 0; c < width; ++c)
                score += wide(q(head, i, c)) * wide(k(head, j, c));
              total += weights[static_cast<std::size_t>(j)] = std::exp(score / 8);
            }
            for (index c = 0; c < width; ++c) {
              double sum = 0;
              for (index j = 0; j < keys; ++j)
                sum += weights[static_cast<std::size_t>(j)] * wide(v(head, j, c));
              compare(result(head, i, c), sum / total, 0x1p-9); // weights and results are rounded to f16
            }
          }
      });
}

bool step09(device where, sample::random &random) {
  const index m = 129, n = 260; // TMA takes rows of multiples of 16 bytes
  const auto x = sample::random_array<float, 2>({m, n}, random);
  const auto x_there = x.to(where);
  buffer<float, 2> o;
  return step(
      "step 9: relu of 129 x 260", where, [&] { o = relu(x_there); },
      [&](auto &compare) {
        const auto result = o.to_host();
        for (index i = 0; i < m; ++i)
          for (index j = 0; j < n; ++j)
            compare(result(i, j), std::max(wide(x(i, j)), 0.0), 0);
      });
}

bool step10(device where, sample::random &random) {
  const index m = 133, n = 264, depth = 520;
  const auto a = sample::random_array<f16, 2>({m, depth}, random), b = sample::random_array<f16, 2>({depth, n}, random);
  const auto a_there = a.to(where), b_there = b.to(where);
  buffer<float, 2> o;
  return step(
      "step 10: matmul of 133 x 520 by 520 x 264", where, [&] { o = matmul(a_there, b_there); },
      [&](auto &compare) {
        const auto result = o.to_host();
        for (index i = 0; i < m; ++i)
          for (index j = 0; j < n; ++j) {
            double sum = 0, magnitude = 0;
            for (index k = 0; k < depth; ++k) {
              const double term = wide(a(i, k)) * wide(b(k, j));
              sum += term;
              magnitude += std::abs(term);
            }
            compare(result(i, j), sum, static_cast<double>(depth) * 0x1p-22 * magnitude);
          }
      });
}

/// Steps 9 and 10 have code for sm_90a alone: on another GPU the call is an error, which is printed.
template <class Step> bool on_hopper(Step run, device where, sample::random &random) {
  try {
    return run(where, random);
  } catch (const tegula::error &failure) {
    if (std::string(failure.what()).find("no code for") == std::string::npos)
      throw;
    std::cout << "left out: " << failure.what() << std::endl;
    return true;
  }
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(11);
    bool passed = true;
    for (const auto where : sample::parse(count, arguments).devices) {
      for (const auto run : {step01, step02, step03, step04, step05, step06, step07, step08})
        passed &= run(where, random);
      passed &= on_hopper(step09, where, random);
      passed &= on_hopper(step10, where, random);
    }
    return passed;
  });
}
