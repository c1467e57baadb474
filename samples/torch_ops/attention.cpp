// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// samples/attention as an operator: its results are allocated.
#include "../attention/attention.h"

template <class T> struct Attended {
  tg::array<T, 4> o;
  tg::array<float, 3> log_sum_exp;
};

/// q is (batch, queries, heads, 128), k and v are (batch, keys, key heads, 128). log_sum_exp is (batch, heads,
/// queries).
template <samples::AttentionConfig C, class T>
TEGULA_KERNEL Attended<T> attention_forward(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v,
                                            float scale) {
  Attended<T> result{tg::empty_like(q), tg::empty<float>(q.dim(0), q.dim(2), q.dim(1))};
  samples::attend<C>(q, k, v, result.o, result.log_sum_exp, scale, {});
  return result;
}

constexpr samples::AttentionConfig causal{.sees = samples::Sees::causal};
TEGULA_INSTANTIATE("attention", attention_forward<samples::AttentionConfig{}, tg::f16>);
TEGULA_INSTANTIATE("attention", attention_forward<samples::AttentionConfig{}, tg::bf16>);
TEGULA_INSTANTIATE("causal_attention", attention_forward<causal, tg::f16>);
TEGULA_INSTANTIATE("causal_attention", attention_forward<causal, tg::bf16>);
