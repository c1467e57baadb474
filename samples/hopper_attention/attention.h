// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forward pass of attention for Hopper: softmax(scale Q K^T) V, for every query head of every batch.
//
// A block has some rows of queries, 64 for each compute thread. Its last thread only copies: blocks of keys and values,
// through rings in shared memory. A compute thread multiplies its queries by a block of keys while its tensor cores
// still multiply the weights of the block before by values, and computes the softmax of the former meanwhile (J. Shah
// et al., "FlashAttention-3: Fast and Accurate Attention with Asynchrony and Low-precision").
#pragma once

#include <tegula/tegula.h>
namespace tg = tegula;

namespace samples {

/// Which keys a query sees. Query i of M stands at key i + (N - M) of N: the last query at the last key.
enum class Sees {
  all,
  causal, ///< those up to where it stands
  window, ///< those from `left` before where it stands to `right` behind
};

struct AttentionConfig {
  int head_dim = 128, keys = 128; // of a block
  int stages = 2;                 // blocks of keys, and of values, in shared memory
  int compute_threads = 2;
  int compute_registers = 240, memory_registers = 24;
  bool takes_turns = false; // compute threads, at the tensor cores
  Sees sees = Sees::all;
  bool has_softcap = false; // scores become softcap tanh(score / softcap)
  bool is_packed = false;   // sequences of several lengths, one behind the other
};

/// What only some configurations read.
struct AttentionArguments {
  tg::s64 left = 0, right = 0;
  float softcap = 0;
  tg::s64 sequences = 0, longest = 0; // of the packed ones, and the most queries that one has
};

/// `first` and `second`: with is_packed, where sequences begin among the queries and among the keys, and, last, where
/// the last one ends.
template <AttentionConfig C, class T, class Offsets>
void attend(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v, tg::array<T, 4> o,
            tg::array<float, 3> log_sum_exp, float scale, Offsets q_begins, Offsets k_begins,
            AttentionArguments arguments) {
  tg::check(q.dim(3) == C.head_dim && k.dim(3) == C.head_dim && v.dim(3) == C.head_dim,
            "this instance is for another head dimension");
  tg::check(scale > 0.0f, "a scale is greater than 0: the greatest score is found before they are scaled");
  tg::check(q.dim(0) == k.dim(0) && q.dim(0) == v.dim(0), "q, k and v differ in the number of batches");
  tg::check(k.dim(1) == v.dim(1) && k.dim(2) == v.dim(2), "k and v differ");
  tg::check(k.dim(2) > 0 && q.dim(2) % k.dim(2) == 0, "the query heads are a multiple of the key heads");
  tg::check(o.dim(0) == q.dim(0) && o.dim(1) == q.dim(1) && o.dim(2) == q.dim(2) && o.dim(3) == q.dim(3),
            "o is as q is");
  tg::check(log_sum_exp.dim(0) == q.dim(0) && log_sum_exp.dim(1) == q.dim(2) && log_sum_exp.dim(2) == q.dim(1),
            "log_sum_exp is (batch, heads, queries)");
  constexpr int rows = 64, block_rows = rows * C.compute_threads, memory_thread = C.compute_threads;
  constexpr float log2_of_e = 1.44269504f, ln_of_2 = 0.69314718f;
  const float scale2 = scale * log2_of_e; // exp(x) is exp2(x log2(e))
  const auto heads = q.dim(2), heads_per_key_head = q.dim(2) / k.dim(2);
  tg::s64 sequences = q.dim(0), longest = q.dim(1);
  if constexpr (C.is_packed)
    sequences = arguments.sequences, longest = arguments.longest;
  const auto query_blocks = tg::cdiv(longest, block_rows);

  // Blocks run in the order of the grid. Where they differ in the keys that they see, the longest come first, of
  // several heads in turn, as many as have their keys and values in the L2 cache together, more or less: a power of
  // two, as the number of heads is, so that no few are left for the end.
  constexpr tg::s64 cached = tg::s64{64} << 20;
  tg::s64 together = 1;
  if constexpr (C.sees != Sees::all || C.is_packed) {
    const auto fit = cached / tg::maximum(4 * C.head_dim * k.dim(1), 1) * heads_per_key_head;
    together = tg::minimum(fit >= 64   ? 64
                           : fit >= 32 ? 32
                           : fit >= 16 ? 16
                           : fit >= 8  ? 8
                           : fit >= 4  ? 4
                           : fit >= 2  ? 2
                                       : 1,
                           tg::maximum(sequences * heads, 1));
  }

  tg::kernel({.grid = {{"group", tg::cdiv(sequences * heads, together)}, {"block", query_blocks}, {"member", together}},
              .threads = {"wg", C.compute_threads + 1},
              .approx_math = true},
             [=] {
               const auto place = tg::axis_index("group") * together + tg::axis_index("member");
               if (place >= sequences * heads)
                 return;
               const auto sequence = place / heads, head = place % heads, key_head = head / heads_per_key_head;
               const auto wg = tg::axis_index("wg");
               const auto head_dim = tg::ds<C.head_dim>(0);
               // Where this sequence lies.
               tg::s64 batch = sequence, q_begin = 0, k_begin = 0;
               int queries = static_cast<int>(q.dim(1)), keys = static_cast<int>(k.dim(1));
               if constexpr (C.is_packed) {
                 batch = 0, q_begin = q_begins[sequence], k_begin = k_begins[sequence];
                 queries = q_begins[sequence + 1] - q_begins[sequence];
                 keys = k_begins[sequence + 1] - k_begins[sequence];
               }
               const int first = static_cast<int>(query_blocks - 1 - tg::axis_index("block")) * block_rows;
               if (first >= queries)
                 return;

               // The keys that some query of the block sees, in blocks of which the last one comes first; and the steps
               // that all queries see all keys of, which need no masks: from unmasked_begin to unmasked_end.
               const int stands = first + keys - queries; // the first query
               int begin = 0, end = keys, full_begin = 0, full_end = keys / C.keys;
               if constexpr (C.sees != Sees::all) {
                 const int right = C.sees == Sees::causal ? 0 : static_cast<int>(arguments.right);
                 end = tg::minimum(keys, tg::maximum(stands + block_rows + right, 0));
                 full_end = tg::minimum(full_end, tg::maximum(stands + right + 1, 0) / C.keys);
               }
               if constexpr (C.sees == Sees::window) {
                 const int left = static_cast<int>(arguments.left);
                 begin = tg::maximum(stands - left, 0) / C.keys;
                 full_begin = tg::cdiv(tg::maximum(stands + block_rows - 1 - left, 0), C.keys);
               }
               const int last = tg::cdiv(end, C.keys) - 1;
               const unsigned steps = static_cast<unsigned>(tg::maximum(last + 1 - begin, 0));
               const unsigned unmasked_begin = static_cast<unsigned>(tg::maximum(last + 1 - full_end, 1));
               const unsigned unmasked_end = static_cast<unsigned>(tg::maximum(last + 1 - full_begin, 1));

               tg::smem<T, C.compute_threads, rows, C.head_dim> q_smem; // o, in the end
               tg::smem<T, C.stages, C.keys, C.head_dim> k_smem, v_smem;
               tg::barrier<C.compute_threads> q_ready, turn;
               tg::barrier<C.stages> k_ready, v_ready;
               tg::barrier<C.stages> k_free{.num_arrivals = C.compute_threads};
               tg::barrier<C.stages> v_free{.num_arrivals = C.compute_threads};

               if (wg == memory_thread) {
                 tg::set_max_registers<C.memory_registers>(tg::decrease);
                 for (unsigned i = 0; i < steps; ++i) {
                   const auto stage = i % C.stages;
                   const auto part = tg::ds<C.keys>(k_begin + (last - static_cast<int>(i)) * C.keys);
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
               const int own = first + static_cast<int>(wg) * rows;
               const auto mine = tg::ds<rows>(q_begin + own);
               const auto my_q = q_smem.at(wg);
               tg::copy_gmem_to_smem(q.at(batch, mine, head, head_dim), my_q, q_ready.at(wg));
               tg::barrier_wait(q_ready.at(wg));

               tg::acc<float, rows, C.keys> s;
               tg::acc<float, rows, C.head_dim> sum;
               auto greatest = tg::full<float, rows>(-tg::inf); // of the scores, not scaled
               auto total = tg::zeros<float, rows>();           // of the weights
               auto weights = tg::zeros<T, rows, C.keys>();

               // Scores of keys that a query does not see are -inf.
               const auto masked = [&](const auto &scores, unsigned step) {
                 const auto key = tg::iota<int, C.keys>() + (last - static_cast<int>(step)) * C.keys;
                 const auto stand = tg::iota<int, rows>() + (own + keys - queries);
                 const auto end_of_all = tg::full<int, rows>(keys - 1);
                 const auto last_key = [&] {
                   if constexpr (C.sees == Sees::causal)
                     return tg::minimum(stand, end_of_all);
                   else if constexpr (C.sees == Sees::window)
                     return tg::minimum(stand + static_cast<int>(arguments.right), end_of_all);
                   else
                     return end_of_all;
                 }();
                 auto sees = key[tg::newaxis, tg::all] <= last_key[tg::all, tg::newaxis];
                 if constexpr (C.sees == Sees::window)
                   sees = sees & (key[tg::newaxis, tg::all] >=
                                  (stand - static_cast<int>(arguments.left))[tg::all, tg::newaxis]);
                 return tg::where(sees, scores, -tg::inf);
               };
               const auto capped = [&](const auto &scores) {
                 if constexpr (C.has_softcap)
                   return tg::tanh(scores * (scale / arguments.softcap)) * (arguments.softcap / scale);
                 else
                   return scores;
               };
               const auto multiply_keys = [&](unsigned step) {
                 tg::barrier_wait(k_ready.at(step % C.stages));
                 tg::wgmma(s, my_q, tg::transpose_ref(k_smem.at(step % C.stages)), {.accumulate = false});
               };
               const auto multiply_values = [&](unsigned step) {
                 tg::barrier_wait(v_ready.at(step % C.stages));
                 tg::wgmma(sum, weights, v_smem.at(step % C.stages));
               };
               // The weights of a block, and what becomes of those before it. By when the greatest scores are known,
               // the values before have been multiplied: what is left is computed while what they add up to is
               // corrected.
               const auto accumulate = [&](const auto &scores, const auto &wait_for_values) {
                 auto next = tg::maximum(greatest, tg::max<1>(scores));
                 // What is exceeded by little stays: weights of up to 2^8 are as exact, and warps skip corrections by
                 // exp2(0). For heads of 64 there is too little to skip.
                 if constexpr (C.head_dim > 64)
                   next = tg::where((next - greatest) * scale2 <= 8.0f, greatest, next);
                 const auto taken = tg::where(next == -tg::inf, 0.0f, next); // -inf - -inf is NaN
                 const auto correction = tg::exp2((greatest - taken) * scale2);
                 greatest = next;
                 wait_for_values();
                 const auto exponentials = tg::exp2(scores * scale2 - (taken * scale2)[tg::all, tg::newaxis]);
                 total = total * correction + tg::sum<1>(exponentials);
                 sum[tg::all] = sum[tg::all] * correction[tg::all, tg::newaxis];
                 weights = tg::astype<T>(exponentials);
               };
               const auto advance = [&](auto is_masked, unsigned step) {
                 if constexpr (C.takes_turns)
                   tg::barrier_wait(turn.at(wg));
                 multiply_keys(step);
                 multiply_values(step - 1);
                 if constexpr (C.takes_turns)
                   tg::barrier_arrive(turn.at((wg + 1) % C.compute_threads));
                 auto scores = capped(tg::wgmma_accumulator_load<1>(s));
                 tg::barrier_arrive(k_free.at(step % C.stages));
                 if constexpr (is_masked)
                   scores = masked(scores, step);
                 accumulate(scores, [&] {
                   tg::wgmma_wait<0>();
                   tg::barrier_arrive(v_free.at((step - 1) % C.stages));
                 });
               };

               if (steps > 0) {
                 if constexpr (C.takes_turns)
                   if (wg == C.compute_threads - 1)
                     tg::barrier_arrive(turn.at(0));
                 multiply_keys(0);
                 const auto scores = capped(s[tg::all]);
                 tg::barrier_arrive(k_free.at(0));
                 accumulate(masked(scores, 0), [] {});
                 unsigned step = 1;
                 for (; step < tg::minimum(unmasked_begin, steps); ++step)
                   advance(tg::constant<true>{}, step);
                 for (; step < tg::minimum(unmasked_end, steps); ++step)
                   advance(tg::constant<false>{}, step);
                 if constexpr (C.sees == Sees::window)
                   for (; step < steps; ++step)
                     advance(tg::constant<true>{}, step);
                 multiply_values(steps - 1);
               }

               const auto has_keys = total > 0.0f;
               const auto inverse = tg::where(has_keys, 1.0f / total, 0.0f);
               const auto lse = tg::where(has_keys, greatest * scale + tg::log2(total) * ln_of_2, -tg::inf);
               const auto is_there = tg::iota<int, rows>() < queries - own;
               tg::store(log_sum_exp.at(batch, head, mine), lse, is_there);
               const auto result = tg::astype<T>(sum[tg::all] * inverse[tg::all, tg::newaxis]);
               if (C.is_packed && own + rows > queries) { // The next sequence follows.
                 tg::store(o.at(batch, mine, head, head_dim), result, is_there[tg::all, tg::newaxis]);
               } else {
                 my_q[tg::all] = result;
                 tg::commit_smem();
                 tg::copy_smem_to_gmem(my_q, o.at(batch, mine, head, head_dim));
                 tg::wait_smem_to_gmem<0>();
               }
             });
}

/// q is (batch, queries, heads, head_dim), k and v are (batch, keys, key heads, head_dim): so many query heads in a row
/// share a key head. log_sum_exp is (batch, heads, queries), of the scaled scores. A query without keys gives 0, and
/// -inf.
template <AttentionConfig C, class T>
TEGULA_KERNEL void attention(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v,
                             tg::array<T, 4> o, tg::array<float, 3> log_sum_exp, float scale) {
  attend<C>(q, k, v, o, log_sum_exp, scale, 0, 0, {});
}

/// The same for Sees::window and softcap.
template <AttentionConfig C, class T>
TEGULA_KERNEL void windowed_attention(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v,
                                      tg::array<T, 4> o, tg::array<float, 3> log_sum_exp, float scale, tg::s64 left,
                                      tg::s64 right, float softcap) {
  tg::check(left >= 0 && right >= 0, "a window has no negative sides");
  tg::check(softcap > 0.0f, "softcap is a bound of scores");
  // A side of so many is no limit, and what it is added to has room in an int.
  const auto most = q.dim(1) + k.dim(1);
  attend<C>(q, k, v, o, log_sum_exp, scale, 0, 0,
            {.left = tg::minimum(left, most), .right = tg::minimum(right, most), .softcap = softcap});
}

/// Of sequences of several lengths, in arrays of one batch: sequence i is queries q_begins[i] to q_begins[i + 1], of at
/// most `longest`, and likewise keys.
template <AttentionConfig C, class T>
TEGULA_KERNEL void packed_attention(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v,
                                    tg::array<T, 4> o, tg::array<float, 3> log_sum_exp,
                                    tg::array<const int, 1> q_begins, tg::array<const int, 1> k_begins, tg::s64 longest,
                                    float scale) {
  tg::check(q.dim(0) == 1, "packed sequences are one batch");
  tg::check(q_begins.dim(0) == k_begins.dim(0) && q_begins.dim(0) > 0, "q_begins and k_begins differ in length");
  attend<C>(q, k, v, o, log_sum_exp, scale, q_begins, k_begins, {.sequences = q_begins.dim(0) - 1, .longest = longest});
}

} // namespace samples
