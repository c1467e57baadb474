// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// samples/hopper_attention, both passes, as operators: results are allocated, and the head dimension says which
// kernel runs.
#include "../hopper_attention/backward_entries.h"
#include "../hopper_attention/configurations.h"

namespace samples {

template <class T> struct Attended {
  tg::array<T, 4> o;
  tg::array<float, 3> log_sum_exp;
};
template <class T> struct Gradients {
  tg::array<T, 4> dq, dk, dv;
};

template <bool is_causal, class C> constexpr C seen(C configuration) {
  return is_causal ? causal(configuration) : configuration;
}

/// q is (batch, queries, heads, head_dim), of 64, 128 or 256; k and v are (batch, keys, key heads, head_dim).
/// log_sum_exp is (batch, heads, queries).
template <bool is_causal, class T>
TEGULA_KERNEL Attended<T> attention_forward(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v,
                                            float scale) {
  Attended<T> result{tg::empty_like(q), tg::empty<float>(q.dim(0), q.dim(2), q.dim(1))};
  if (q.dim(3) == 64)
    attend<seen<is_causal>(forward::d64)>(q, k, v, result.o, result.log_sum_exp, scale, 0, 0, {});
  else if (q.dim(3) == 256)
    attend<seen<is_causal>(forward::d256)>(q, k, v, result.o, result.log_sum_exp, scale, 0, 0, {});
  else
    attend<seen<is_causal>(forward::d128)>(q, k, v, result.o, result.log_sum_exp, scale, 0, 0, {});
  return result;
}

/// The gradients, of what attention_forward has made with the same scale.
template <bool is_causal, class T>
TEGULA_KERNEL Gradients<T>
attention_gradients(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v, tg::array<const T, 4> o,
                    tg::array<const float, 3> log_sum_exp, tg::array<const T, 4> d_o, float scale) {
  Gradients<T> result{tg::empty_like(q), tg::empty_like(k), tg::empty_like(v)};
  const BackwardArrays<T> arrays{q, k, v, o, log_sum_exp, d_o, result.dq, result.dk, result.dv};
  const Packing<int> one{0, 0, q.dim(0), q.dim(1), k.dim(1)};
  if (q.dim(3) == 64)
    differentiate<seen<is_causal>(backward::d64)>(arrays, scale, one, {});
  else if (q.dim(3) == 256)
    differentiate<seen<is_causal>(backward::d256)>(arrays, scale, one, {});
  else
    differentiate<seen<is_causal>(backward::d128)>(arrays, scale, one, {});
  return result;
}

TEGULA_INSTANTIATE("attention", attention_forward<false, tg::f16>);
TEGULA_INSTANTIATE("attention", attention_forward<false, tg::bf16>);
TEGULA_INSTANTIATE("causal_attention", attention_forward<true, tg::f16>);
TEGULA_INSTANTIATE("causal_attention", attention_forward<true, tg::bf16>);
TEGULA_INSTANTIATE("attention_backward", attention_gradients<false, tg::f16>);
TEGULA_INSTANTIATE("attention_backward", attention_gradients<false, tg::bf16>);
TEGULA_INSTANTIATE("causal_attention_backward", attention_gradients<true, tg::f16>);
TEGULA_INSTANTIATE("causal_attention_backward", attention_gradients<true, tg::bf16>);

} // namespace samples
