// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels of the backward pass do alike: where a block of keys stands, the copies of its steps, weights, and
// how gradients leave the block.
#pragma once

#include "backward.h"

namespace samples {

/// The grid of a kernel that has some blocks for each of `heads` heads. Blocks run in its order. Where causal ones
/// differ in their steps, the longest come first, of several heads in turn, as many as have what they read and add to
/// in the L2 cache together.
struct BlockGrid {
  tg::s64 heads, blocks, together;
};
template <BackwardConfig C, class Offsets>
BlockGrid grid_of(tg::s64 heads, tg::s64 blocks, const Packing<Offsets> &packing) {
  constexpr tg::s64 cached = tg::s64{32} << 20;
  const auto fit = cached / tg::maximum(12 * C.head_dim * packing.longest, 1);
  return {heads, blocks, C.sees != Sees::causal ? 1 : fit >= 8 ? 8 : fit >= 4 ? 4 : fit >= 2 ? 2 : 1};
}
/// The head of a block, of those of all sequences.
inline tg::s64 place_in(const BlockGrid &grid) {
  return tg::axis_index("group") * grid.together + tg::axis_index("member");
}

/// A block of keys: its key head, the query heads that share it, its first key, and the steps of each of these heads.
struct KeyBlock {
  int key_head, first_head, end_head, first_key, first_sum;
  Sequence own;
  Steps steps;
};
template <BackwardConfig C, int Keys, class T, class Offsets>
KeyBlock key_block(const BlockGrid &grid, const BackwardArrays<T> &arrays, const Packing<Offsets> &packing,
                   const AttentionArguments &arguments) {
  const int group = static_cast<int>(arrays.q.dim(2) / arrays.k.dim(2));
  const int key_head = static_cast<int>(place_in(grid) % grid.heads);
  const int first_key = static_cast<int>(tg::axis_index("block")) * Keys;
  const int sequence = static_cast<int>(place_in(grid) / grid.heads);
  const Sequence own = sequence_of<C>(arrays, packing, sequence);
  const Steps steps = steps_of<C, Keys>(first_key, own, arguments);
  return {key_head, key_head * group, key_head * group + group, first_key, first_sum_block<C>(own, sequence), own,
          steps};
}

/// Copies the queries of all steps, with the log-sum-exp of each, and d_o, with the sums of d_o o, through rings.
template <BackwardConfig C, class T, class Queries, class Lse, class OfQueries, class Gradients, class Delta,
          class OfGradients>
void copy_steps(const BackwardArrays<T> &arrays, const RowArrays &rows, const KeyBlock &block, const Queries &q_smem,
                const Lse &lse_smem, const OfQueries &q_ready, const OfQueries &q_free, const Gradients &do_smem,
                const Delta &delta_smem, const OfGradients &do_ready, const OfGradients &do_free) {
  const auto head_dim = tg::ds<C.head_dim>(0);
  const auto there = tg::ds<statistics<C>>(0);
  unsigned n = 0;
  for (int head = block.first_head; head < block.end_head; ++head)
    for (int step = block.steps.begin; step < block.steps.end; ++step, ++n) {
      const auto q_stage = n % C.stages, do_stage = n % C.do_stages;
      const auto part = tg::ds<C.rows>(block.own.q_begin + step * C.rows);
      const auto numbers = statistics_from<C>(block.own, step * C.rows);
      if (n >= C.stages)
        tg::barrier_wait(q_free.at(q_stage));
      tg::copy_gmem_to_smem(arrays.q.at(block.own.batch, part, head, head_dim), q_smem.at(q_stage),
                            q_ready.at(q_stage));
      tg::copy_gmem_to_smem(rows.lse2.at(block.own.batch, head, numbers), lse_smem.at(q_stage, there),
                            q_ready.at(q_stage));
      if (n >= C.do_stages)
        tg::barrier_wait(do_free.at(do_stage));
      tg::copy_gmem_to_smem(arrays.d_o.at(block.own.batch, part, head, head_dim), do_smem.at(do_stage),
                            do_ready.at(do_stage));
      tg::copy_gmem_to_smem(rows.delta.at(block.own.batch, head, numbers), delta_smem.at(do_stage, there),
                            do_ready.at(do_stage));
    }
}

/// Goes over the steps of all heads: advance(is_masked, n, head, step), n counting them.
template <class Advance> void for_steps(const KeyBlock &block, const Advance &advance) {
  const Steps steps = block.steps;
  unsigned n = 0;
  for (int head = block.first_head; head < block.end_head; ++head)
    for (int step = steps.begin; step < steps.end; ++step, ++n)
      advance(step < steps.full_begin || step >= steps.full_end, n, head, step);
}

/// The weights of scores, and what the gradient of a weight is multiplied by to be that of a scaled score: with softcap
/// tanh(x / softcap), whose gradient is 1 - tanh(x / softcap)^2, not the same. `mask` makes those 0 that do not count.
template <BackwardConfig C, class Scores, class Lse, class Mask>
auto weigh(const Scores &scores, const Lse &lse2, const Mask &mask, float scale, const AttentionArguments &arguments) {
  constexpr float log2_of_e = 1.44269504f; // exp(x) is exp2(x log2(e))
  if constexpr (C.has_softcap) {
    const auto capped = tg::tanh(scores * (scale / arguments.softcap));
    const auto weights = mask(tg::exp2(capped * (arguments.softcap * log2_of_e) - lse2));
    return tg::tuple(weights, weights * (1.0f - capped * capped));
  } else {
    const auto weights = mask(tg::exp2(scores * (scale * log2_of_e) - lse2));
    return tg::tuple(weights, weights);
  }
}

/// Adds gradients of 64 queries, from a column on, to their sums, by TMA; `here` is free by then.
template <class Here, class Gradients>
void add_to_sums(const RowArrays &rows, const Here &here, const Gradients &gradients, int batch, int head, int block,
                 int column) {
  constexpr int columns = Gradients::shape.size[1];
  static_assert(Gradients::shape.size[0] == sum_rows, "sums are in blocks of so many rows");
  tg::wait_smem_to_gmem<0>(true);
  put_columns(here, gradients);
  tg::commit_smem();
  tg::copy_smem_to_gmem(tg::reshape_ref<columns * sum_rows>(here),
                        rows.sums.at(batch, head, block, tg::ds<columns * sum_rows>(column * sum_rows)),
                        {.reduction = tg::reduction_op::add, .oob_mode = tg::oob_fill::promise_in_bounds});
}

/// Stores gradients of the keys, or values, from first_key on; `here`, in shared memory, is free by then.
template <BackwardConfig C, class There, class Here, class Gradients>
void store_gradients(const There &there, const Here &here, const Gradients &gradients, const Sequence &own,
                     int first_key) {
  constexpr int keys = Gradients::shape.size[0];
  if (C.is_packed && first_key + keys > own.keys) { // The next sequence follows.
    tg::store(there, gradients, (tg::iota<int, keys>() < own.keys - first_key)[tg::all, tg::newaxis]);
  } else {
    here[tg::all] = gradients;
    tg::commit_smem();
    tg::copy_smem_to_gmem(here, there);
  }
}

} // namespace samples
