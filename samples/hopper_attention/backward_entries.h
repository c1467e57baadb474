// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backward pass of attention for Hopper: gradients of queries, keys and values.
#pragma once

#include "backward_keys.h"
#include "backward_queries.h"
#include "backward_wide.h"

namespace samples {

template <BackwardConfig C, class T, class Offsets>
void differentiate(const BackwardArrays<T> &arrays, float scale, const Packing<Offsets> &packing,
                   const AttentionArguments &arguments) {
  check<C>(arrays);
  tg::check(scale > 0.0f, "a scale is greater than 0, as in the forward pass");
  const auto rows = prepare<C>(arrays, packing);
  if constexpr (C.head_dim <= 128)
    differentiate_keys<C>(arrays, rows, scale, packing, arguments);
  else
    differentiate_wide_keys<C>(arrays, rows, scale, packing, arguments);
  if constexpr (C.is_deterministic)
    differentiate_queries<C>(arrays, rows, scale, packing, arguments);
  else
    finish<C>(arrays, rows, scale, packing);
}

/// q, o, d_o and dq are (batch, queries, heads, head_dim), k, v, dk and dv are (batch, keys, key heads, head_dim), and
/// o and log_sum_exp are what the forward pass has made with the same scale. What no query sees has gradients of 0, and
/// so has a query without keys. With C.is_deterministic every call gives the same bits.
template <BackwardConfig C, class T>
TEGULA_KERNEL void attention_backward(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v,
                                      tg::array<const T, 4> o, tg::array<const float, 3> log_sum_exp,
                                      tg::array<const T, 4> d_o, tg::array<T, 4> dq, tg::array<T, 4> dk,
                                      tg::array<T, 4> dv, float scale) {
  differentiate<C>(BackwardArrays<T>{q, k, v, o, log_sum_exp, d_o, dq, dk, dv}, scale,
                   Packing<int>{0, 0, q.dim(0), q.dim(1), k.dim(1)}, {});
}

/// The same for Sees::window and softcap.
template <BackwardConfig C, class T>
TEGULA_KERNEL void windowed_attention_backward(tg::array<const T, 4> q, tg::array<const T, 4> k,
                                               tg::array<const T, 4> v, tg::array<const T, 4> o,
                                               tg::array<const float, 3> log_sum_exp, tg::array<const T, 4> d_o,
                                               tg::array<T, 4> dq, tg::array<T, 4> dk, tg::array<T, 4> dv, float scale,
                                               tg::s64 left, tg::s64 right, float softcap) {
  tg::check(left >= 0 && right >= 0, "a window has no negative sides");
  tg::check(softcap > 0.0f, "softcap is a bound of scores");
  const auto most = q.dim(1) + k.dim(1); // as in windowed_attention
  differentiate<C>(BackwardArrays<T>{q, k, v, o, log_sum_exp, d_o, dq, dk, dv}, scale,
                   Packing<int>{0, 0, q.dim(0), q.dim(1), k.dim(1)},
                   {.left = tg::minimum(left, most), .right = tg::minimum(right, most), .softcap = softcap});
}

/// Of sequences of several lengths, as packed_attention has them, of at most `longest` queries and `longest_keys`. What
/// lies behind a sequence's last query and key, within a block, is multiplied by 0: a NaN there makes NaN.
template <BackwardConfig C, class T>
TEGULA_KERNEL void
packed_attention_backward(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v,
                          tg::array<const T, 4> o, tg::array<const float, 3> log_sum_exp, tg::array<const T, 4> d_o,
                          tg::array<T, 4> dq, tg::array<T, 4> dk, tg::array<T, 4> dv, tg::array<const int, 1> q_begins,
                          tg::array<const int, 1> k_begins, tg::s64 longest, tg::s64 longest_keys, float scale) {
  tg::check(q.dim(0) == 1, "packed sequences are one batch");
  tg::check(q_begins.dim(0) == k_begins.dim(0) && q_begins.dim(0) > 0, "q_begins and k_begins differ in length");
  differentiate<C>(BackwardArrays<T>{q, k, v, o, log_sum_exp, d_o, dq, dk, dv}, scale,
                   Packing<tg::array<const int, 1>>{q_begins, k_begins, q_begins.dim(0) - 1, longest, longest_keys},
                   {});
}

} // namespace samples
