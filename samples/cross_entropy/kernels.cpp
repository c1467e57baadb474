// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };
constexpr auto entry_of = [](auto i) { return tg::index(i); };

/// x - log(sum(exp(x))) of every row.
template <class T> TEGULA_KERNEL tg::array<T, 2> log_softmax(tg::array<const T, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}, .approx_math = true},
      [](auto x, auto o) {
        const auto row = tg::astype<float>(x[tg::all]);
        const auto shifted = row - tg::max(row);
        o[tg::all] = tg::astype<T>(shifted - tg::log(tg::sum(tg::exp(shifted))));
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::out<tg::squeezed, tg::whole>(o, row_of));
  return o;
}
TEGULA_INSTANTIATE("log_softmax", log_softmax<float>);
TEGULA_INSTANTIATE("log_softmax", log_softmax<tg::bf16>);

struct CrossEntropy {
  tg::array<float, 1> loss, lse;
};

// A row that fits is held, and read once.
constexpr auto whole_row = [](const auto &logits) {
  const auto row = tg::astype<float>(logits[tg::all]);
  const float greatest = tg::max(row);
  return greatest + tg::log(tg::sum(tg::exp(row - greatest)));
};

// Adds part of a row to what is known of it, the greatest logit and the sum of exp(logit - greatest): where the
// greatest changes, the sum is scaled.
template <class T, int size>
constexpr auto add_part = [](const auto &logits, tg::s64 start, float &greatest, float &sum) {
  const auto part = tg::astype<float>(tg::load(logits.at(tg::ds<size>(start)), true, static_cast<T>(-tg::inf)));
  const float before = greatest;
  greatest = tg::maximum(before, tg::max(part));
  sum = sum * tg::exp(before - greatest) + tg::sum(tg::exp(part - greatest));
};
// A longer row is read once, too, part by part.
template <class T, int most, int least>
constexpr auto by_parts = [](const auto &logits) {
  float greatest = -0x1.fffffep127f, sum = 0; // As -inf, but that its distance from -inf is no NaN.
  const tg::s64 in_most = logits.dim(0) / most * most;
  for (tg::s64 start = 0; start < in_most; start += most)
    add_part<T, most>(logits, start, greatest, sum);
  for (tg::s64 start = in_most; start < logits.dim(0); start += least)
    add_part<T, least>(logits, start, greatest, sum);
  return greatest + tg::log(sum);
};

template <class T, class Lse>
constexpr void lose(const CrossEntropy &result, tg::array<const T, 2> logits, tg::array<const int, 1> labels,
                    int ignore_index, Lse log_sum_exp) {
  tg::pallas_call(
      {.grid = {logits.dim(0)}, .approx_math = true},
      [=](auto logits, auto label, auto loss, auto lse) {
        const int word = label[];
        const bool counts = word != ignore_index;
        tg::debug_check(!counts || (word >= 0 && word < logits.dim(0)), "label {} is not below {}", word,
                        logits.dim(0));
        const auto logit = tg::load(logits.at(word), counts);
        const float l = log_sum_exp(logits);
        loss[] = counts ? l - static_cast<float>(logit) : 0.0f;
        lse[] = l;
      },
      tg::in<tg::squeezed, tg::whole>(logits, row_of), tg::in<tg::squeezed>(labels, entry_of),
      tg::out<tg::squeezed>(result.loss, entry_of), tg::out<tg::squeezed>(result.lse, entry_of));
}

/// loss = lse - logits[label] and lse = log(sum(exp(logits))) of every row; a row whose label is ignore_index has no
/// loss. The backward pass takes lse.
template <class T>
TEGULA_KERNEL CrossEntropy cross_entropy(tg::array<const T, 2> logits, tg::array<const int, 1> labels,
                                         int ignore_index = -100) {
  tg::check(labels.dim(0) == logits.dim(0), "there is a label for each row of logits");
  CrossEntropy result{tg::empty<float>(logits.dim(0)), tg::empty<float>(logits.dim(0))};
  constexpr int held = 8192;
  if (logits.dim(1) <= held)
    lose(result, logits, labels, ignore_index, whole_row);
  else
    lose(result, logits, labels, ignore_index, by_parts<T, held, 2048>);
  return result;
}
TEGULA_INSTANTIATE("cross_entropy", cross_entropy<float>);
TEGULA_INSTANTIATE("cross_entropy", cross_entropy<tg::bf16>);

/// The gradient of the logits, (exp(logits - lse) - (1 at the label)) dloss; a row whose label is ignore_index has
/// none.
template <class T>
TEGULA_KERNEL tg::array<T, 2> cross_entropy_backward(tg::array<const T, 2> logits, tg::array<const int, 1> labels,
                                                     tg::array<const float, 1> lse, tg::array<const float, 1> dloss,
                                                     int ignore_index = -100) {
  tg::check(labels.dim(0) == logits.dim(0) && lse.dim(0) == logits.dim(0) && dloss.dim(0) == logits.dim(0),
            "there is a label, an lse and a dloss for each row of logits");
  auto dlogits = tg::empty_like(logits);
  constexpr int rows = 4, words = 1024;
  constexpr auto block_of = [](auto i, auto j) { return tg::index(i, j); };
  constexpr auto rows_of = [](auto i, auto) { return tg::index(i); };
  tg::pallas_call(
      {.grid = {tg::cdiv(logits.dim(0), rows), tg::cdiv(logits.dim(1), words)}, .approx_math = true},
      [=](auto logits, auto labels, auto lse, auto dloss, auto dlogits) {
        const auto label = labels[tg::all];
        const int first = static_cast<int>(tg::program_id(1)) * words;
        const auto scale = tg::where(label == ignore_index, 0.0f, dloss[tg::all]);
        const auto p = tg::exp(tg::astype<float>(logits[tg::all]) - lse[tg::all, tg::newaxis]);
        const auto is_label = tg::iota_like<int, 1>(p) + first == label[tg::all, tg::newaxis];
        dlogits[tg::all] = tg::astype<T>(tg::where(is_label, p - 1.0f, p) * scale[tg::all, tg::newaxis]);
      },
      tg::in<rows, words>(logits, block_of), tg::in<rows>(labels, rows_of), tg::in<rows>(lse, rows_of),
      tg::in<rows>(dloss, rows_of), tg::out<rows, words>(dlogits, block_of));
  return dlogits;
}
TEGULA_INSTANTIATE("cross_entropy_backward", cross_entropy_backward<float>);
TEGULA_INSTANTIATE("cross_entropy_backward", cross_entropy_backward<tg::bf16>);
