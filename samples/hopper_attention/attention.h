// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forward pass of attention for Hopper: softmax(scale Q K^T) V, for every query head of every batch.
//
// A block has some rows of queries, 64 for each compute thread. Its last thread only copies: blocks of keys and values,
// through rings in shared memory. A compute thread multiplies its queries by a block of keys while its tensor cores
// still multiply the weights of the block before by values, and computes the softmax of the former meanwhile (J. Shah
// et al., "FlashAttention-3: Fast and Accurate Attention with Asynchrony and Low-precision"). Compute threads take
// turns at the tensor cores, so that the softmax of one hides behind the products of the others.
#pragma once

#include <tegula/tegula.h>
namespace tg = tegula;

namespace samples {

struct AttentionConfig {
  int head_dim = 128, keys = 128; // of a block
  int stages = 2;                 // blocks of keys, and of values, in shared memory
  int compute_threads = 2;
  int compute_registers = 240, memory_registers = 24;
  bool is_causal = false; // query i of the last M sees the keys up to i + (N - M), of M queries and N keys
};

/// q is (batch, queries, heads, head_dim), k and v are (batch, keys, key heads, head_dim): so many query heads in a row
/// share a key head. log_sum_exp is (batch, heads, queries), of the scaled scores. A query without keys gives 0, and
/// -inf.
template <AttentionConfig C, class T>
TEGULA_KERNEL void attention(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v,
                             tg::array<T, 4> o, tg::array<float, 3> log_sum_exp, float scale) {
  tg::check(q.dim(3) == C.head_dim && k.dim(3) == C.head_dim && v.dim(3) == C.head_dim,
            "this instance is for another head dimension");
  tg::check(q.dim(0) == k.dim(0) && q.dim(0) == v.dim(0), "q, k and v differ in the number of batches");
  tg::check(k.dim(1) == v.dim(1) && k.dim(2) == v.dim(2), "k and v differ");
  tg::check(k.dim(2) > 0 && q.dim(2) % k.dim(2) == 0, "the query heads are a multiple of the key heads");
  tg::check(o.dim(0) == q.dim(0) && o.dim(1) == q.dim(1) && o.dim(2) == q.dim(2) && o.dim(3) == q.dim(3),
            "o is as q is");
  constexpr int rows = 64, block_rows = rows * C.compute_threads, memory_thread = C.compute_threads;
  constexpr float log2_of_e = 1.44269504f, ln_of_2 = 0.69314718f;
  const auto keys = k.dim(1), ahead = k.dim(1) - q.dim(1), heads_per_key_head = q.dim(2) / k.dim(2);
  const auto query_blocks = tg::cdiv(q.dim(1), block_rows);
  tg::check(log_sum_exp.dim(0) == q.dim(0) && log_sum_exp.dim(1) == q.dim(2) &&
                log_sum_exp.dim(2) == query_blocks * block_rows,
            "log_sum_exp is (batch, heads, queries), with queries for whole blocks");

  const float scale2 = scale * log2_of_e; // exp(x) is exp2(x log2(e))

  tg::kernel({.grid = {{"batch", q.dim(0)}, {"head", q.dim(2)}, {"block", query_blocks}},
              .threads = {"wg", C.compute_threads + 1},
              .approx_math = true},
             [=] {
               const auto head_dim = tg::ds<C.head_dim>(0);
               const auto batch = tg::axis_index("batch"), head = tg::axis_index("head");
               const auto key_head = head / heads_per_key_head, wg = tg::axis_index("wg");
               // The last queries see the most keys: they come first.
               const auto block = query_blocks - 1 - tg::axis_index("block");
               const auto first = block * block_rows;
               // The keys that some query of the block sees, in blocks: the last ones first, which are masked.
               tg::s64 seen = keys;
               if constexpr (C.is_causal)
                 seen = tg::maximum(tg::minimum(keys, first + block_rows + ahead), 0);
               const auto steps = tg::cdiv(seen, C.keys);
               tg::s64 unmasked = keys / C.keys; // blocks that every query sees all of
               if constexpr (C.is_causal)
                 unmasked = tg::minimum(unmasked, tg::maximum(first + ahead + 1, 0) / C.keys);

               tg::smem<T, C.compute_threads, rows, C.head_dim> q_smem; // o, in the end
               tg::smem<T, C.stages, C.keys, C.head_dim> k_smem, v_smem;
               tg::barrier<C.compute_threads> q_ready, turn;
               tg::barrier<C.stages> k_ready, v_ready;
               tg::barrier<C.stages> k_free{.num_arrivals = C.compute_threads};
               tg::barrier<C.stages> v_free{.num_arrivals = C.compute_threads};

               if (wg == memory_thread) {
                 tg::set_max_registers<C.memory_registers>(tg::decrease);
                 for (tg::s64 i = 0; i < steps; ++i) {
                   const auto stage = i % C.stages;
                   const auto part = tg::ds<C.keys>((steps - 1 - i) * C.keys);
                   if (i >= C.stages)
                     tg::barrier_wait(k_free.at(stage));
                   tg::copy_gmem_to_smem(k.at(batch, part, key_head, head_dim), k_smem.at(stage), k_ready.at(stage));
                   if (i >= C.stages)
                     tg::barrier_wait(v_free.at(stage));
                   tg::copy_gmem_to_smem(v.at(batch, part, key_head, head_dim), v_smem.at(stage), v_ready.at(stage));
                 }
                 return;
               }

               tg::set_max_registers<C.compute_registers>(tg::increase);
               const auto mine = tg::ds<rows>(first + wg * rows);
               const auto my_q = q_smem.at(wg);
               tg::copy_gmem_to_smem(q.at(batch, mine, head, head_dim), my_q, q_ready.at(wg));
               tg::barrier_wait(q_ready.at(wg));

               tg::acc<float, rows, C.keys> s;
               tg::acc<float, rows, C.head_dim> sum;
               auto greatest = tg::full<float, rows>(-tg::inf); // of the scores, not scaled
               auto total = tg::zeros<float, rows>();           // of the weights
               auto correction = tg::full<float, rows>(1);      // of what was summed with another greatest score
               auto weights = tg::zeros<T, rows, C.keys>();

               // Scores of keys that a query does not see are -inf.
               const int first_query = static_cast<int>(first + wg * rows);
               const auto last_key = [&] {
                 const auto last = tg::full<int, rows>(static_cast<int>(keys) - 1);
                 if constexpr (C.is_causal)
                   return tg::minimum(tg::iota<int, rows>() + (first_query + static_cast<int>(ahead)), last);
                 else
                   return last;
               }();
               const auto masked = [&](const auto &scores, tg::s64 step) {
                 const auto key = tg::iota<int, C.keys>() + static_cast<int>((steps - 1 - step) * C.keys);
                 return tg::where(key[tg::newaxis, tg::all] <= last_key[tg::all, tg::newaxis], scores, -tg::inf);
               };
               // The weights of a block, and what becomes of those before it.
               const auto softmax = [&](const auto &scores) {
                 const auto next = tg::maximum(greatest, tg::max<1>(scores));
                 const auto taken = tg::where(next == -tg::inf, 0.0f, next * scale2); // -inf - -inf is NaN
                 correction = tg::exp2(greatest * scale2 - taken);
                 const auto exponentials = tg::exp2(scores * scale2 - taken[tg::all, tg::newaxis]);
                 total = total * correction + tg::sum<1>(exponentials);
                 greatest = next;
                 return exponentials;
               };
               const auto multiply_keys = [&](tg::s64 step) {
                 tg::barrier_wait(k_ready.at(step % C.stages));
                 tg::wgmma(s, my_q, tg::transpose_ref(k_smem.at(step % C.stages)), {.accumulate = false});
               };
               const auto multiply_values = [&](tg::s64 step) {
                 tg::barrier_wait(v_ready.at(step % C.stages));
                 tg::wgmma(sum, weights, v_smem.at(step % C.stages));
               };
               const auto advance = [&](auto is_masked, tg::s64 step) {
                 if constexpr (C.compute_threads > 1)
                   tg::barrier_wait(turn.at(wg));
                 multiply_keys(step);
                 multiply_values(step - 1);
                 if constexpr (C.compute_threads > 1)
                   tg::barrier_arrive(turn.at((wg + 1) % C.compute_threads));
                 auto scores = tg::wgmma_accumulator_load<1>(s);
                 tg::barrier_arrive(k_free.at(step % C.stages));
                 if constexpr (is_masked)
                   scores = masked(scores, step);
                 const auto exponentials = softmax(scores);
                 tg::wgmma_wait<0>();
                 tg::barrier_arrive(v_free.at((step - 1) % C.stages));
                 sum[tg::all] = sum[tg::all] * correction[tg::all, tg::newaxis];
                 weights = tg::astype<T>(exponentials);
               };

               if (steps > 0) {
                 if constexpr (C.compute_threads > 1)
                   if (wg == C.compute_threads - 1)
                     tg::barrier_arrive(turn.at(0));
                 multiply_keys(0);
                 const auto scores = s[tg::all];
                 tg::barrier_arrive(k_free.at(0));
                 weights = tg::astype<T>(softmax(masked(scores, 0)));
                 const auto end_of_masked = tg::maximum(steps - unmasked, 1);
                 for (tg::s64 step = 1; step < end_of_masked; ++step)
                   advance(tg::constant<true>{}, step);
                 for (tg::s64 step = end_of_masked; step < steps; ++step)
                   advance(tg::constant<false>{}, step);
                 multiply_values(steps - 1);
               }

               const auto has_keys = total > 0.0f;
               const auto inverse = tg::where(has_keys, 1.0f / total, 0.0f);
               my_q[tg::all] = tg::astype<T>(sum[tg::all] * inverse[tg::all, tg::newaxis]);
               tg::commit_smem();
               tg::copy_smem_to_gmem(my_q, o.at(batch, mine, head, head_dim));
               const auto lse = tg::where(has_keys, greatest * scale + tg::log2(total) * ln_of_2, -tg::inf);
               log_sum_exp[batch, head, mine] = lse;
               tg::wait_smem_to_gmem<0>();
             });
}

} // namespace samples
