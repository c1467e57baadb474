// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/rows.h"
#include "kernels.h"

#include <algorithm>

namespace {

using sample::wide;
using tegula::buffer;

constexpr std::int32_t ignored = -100;

template <class T> double log_sum_exp(const buffer<T, 2> &x, std::int64_t i) {
  double greatest = wide(x(i, 0)), sum = 0;
  for (std::int64_t j = 1; j < x.dim(1); ++j)
    greatest = std::max(greatest, wide(x(i, j)));
  for (std::int64_t j = 0; j < x.dim(1); ++j)
    sum += std::exp(wide(x(i, j)) - greatest);
  return greatest + std::log(sum);
}

/// Random logits, of which every third row has words that cannot be: the first 9000, or every second one.
template <class T> buffer<T, 2> random_logits(std::int64_t rows, std::int64_t words, sample::random &random) {
  auto logits = sample::random_array<T, 2>({rows, words}, random, 8);
  for (std::int64_t i = 0; i < rows; i += 3)
    for (std::int64_t j = 0; j < words - 1; ++j)
      if (words > 9000 ? j < 9000 : j % 2 == 0)
        logits(i, j) = static_cast<T>(-HUGE_VALF);
  return logits;
}

/// Random words, the first and the last one among them; every fifth row is ignored.
buffer<std::int32_t, 1> random_labels(std::int64_t rows, std::int64_t words, sample::random &random) {
  auto labels = buffer<std::int32_t, 1>::empty({rows});
  sample::fill(labels, [&] { return static_cast<std::int32_t>(random.bits() % static_cast<std::uint64_t>(words)); });
  labels(0) = static_cast<std::int32_t>(words - 1);
  labels(rows - 1) = 0;
  for (std::int64_t i = 4; i < rows; i += 5)
    labels(i) = ignored;
  return labels;
}

template <class T> bool check(std::int64_t rows, std::int64_t words, sample::device where, sample::random &random) {
  const auto logits = random_logits<T>(rows, words, random);
  const auto labels = random_labels(rows, words, random);
  const auto dloss = sample::random_array<float, 1>({rows}, random);
  const auto logits_there = logits.to(where);
  const auto labels_there = labels.to(where);
  const auto dloss_there = dloss.to(where);
  buffer<T, 2> log_p_there, dlogits_there;
  CrossEntropy forward;
  const double seconds = sample::seconds(where, [&] {
    log_p_there = log_softmax(logits_there);
    forward = cross_entropy(logits_there, labels_there, ignored);
    dlogits_there = cross_entropy_backward(logits_there, labels_there, forward.lse, dloss_there, ignored);
  });
  const auto log_p = log_p_there.to_host(), dlogits = dlogits_there.to_host();
  const auto loss = forward.loss.to_host(), lse = forward.lse.to_host();
  constexpr double accuracy = 1e-5, accuracy_of_results = accuracy + sample::rounding<T>;
  sample::comparison compare;
  for (std::int64_t i = 0; i < rows; ++i) {
    const double reference = log_sum_exp(logits, i), scale = labels(i) == ignored ? 0 : wide(dloss(i));
    compare(lse(i), reference, accuracy * (1 + std::abs(reference)));
    const double lost = labels(i) == ignored ? 0 : reference - wide(logits(i, labels(i)));
    compare(loss(i), lost, accuracy * (1 + std::abs(reference)));
    for (std::int64_t j = 0; j < words; ++j) {
      const double log_probability = wide(logits(i, j)) - reference, p = std::exp(log_probability);
      compare(log_p(i, j), log_probability, accuracy_of_results * (1 + std::abs(log_probability)));
      const bool is_label = labels(i) == j;
      const double gradient = (is_label ? p - 1 : p) * scale;
      compare(dlogits(i, j), gradient,
              accuracy_of_results * std::abs(gradient) + (is_label ? accuracy * std::abs(scale) : 0));
    }
  }
  return sample::report("cross-entropy " + sample::shape_name<T>(rows, words), where, seconds,
                        "log_softmax, loss, lse and dlogits against float64", compare.wrong,
                        5 * sample::bytes(logits)); // three kernels read them, two write as many
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(9);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"rows", "words"});
    for (const auto where : options.devices) {
      constexpr std::int64_t shapes[][2] = {{5, 1},     {7, 7},     {130, 129}, {33, 1000}, {9, 8192},  {4, 8193},
                                            {3, 12296}, {5, 20001}, {2, 65536}, {4, 70001}, {3, 131072}};
      for (const auto &[rows, words] : options.cases(shapes)) {
        passed &= check<float>(rows, words, where, random);
        passed &= check<tegula::bf16>(rows, words, where, random);
      }
    }
    return passed;
  });
}
