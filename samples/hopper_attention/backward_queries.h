// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of queries by themselves: each is summed by one thread, over its keys in their order, so that every call
// gives the same bits. Weights and gradients of scores are computed once more: seven products in place of five.
#pragma once

#include "backward_block.h"

namespace samples {

/// The steps of a block of queries, each some keys, and those among them whose keys all of its queries see.
template <BackwardConfig C, int Rows, int Keys>
Steps key_steps_of(int first_query, const Sequence &own, const AttentionArguments &arguments) {
  const int stands = first_query + own.keys - own.queries; // the first query
  Steps steps{0, tg::cdiv(own.keys, Keys), 0, own.keys / Keys};
  if constexpr (C.sees != Sees::all) {
    const int right = C.sees == Sees::causal ? 0 : static_cast<int>(arguments.right);
    steps.end = tg::minimum(steps.end, tg::cdiv(tg::maximum(stands + Rows + right, 0), Keys));
    steps.full_end = tg::minimum(steps.full_end, tg::maximum(stands + right + 1, 0) / Keys);
  }
  if constexpr (C.sees == Sees::window) {
    const int left = static_cast<int>(arguments.left);
    steps.begin = tg::maximum(stands - left, 0) / Keys;
    steps.full_begin = tg::cdiv(tg::maximum(stands + Rows - 1 - left, 0), Keys);
  }
  return steps;
}

template <BackwardConfig C, class T, class Offsets>
void differentiate_queries(const BackwardArrays<T> &arrays, const RowArrays &row_numbers, float scale,
                           const Packing<Offsets> &packing, const AttentionArguments &arguments) {
  constexpr int rows = 64, block_rows = 2 * rows, memory_thread = 2, keys = C.head_dim <= 128 ? 64 : 32;
  const auto group = arrays.q.dim(2) / arrays.k.dim(2);
  const BlockGrid grid = grid_of<C>(arrays.q.dim(2), tg::cdiv(packing.longest, block_rows), packing);
  tg::kernel(
      {.grid = {{"group", tg::cdiv(packing.sequences * grid.heads, grid.together)},
                {"block", grid.blocks},
                {"member", grid.together}},
       .threads = {"wg", 3},
       .approx_math = true},
      [=] {
        if (place_in(grid) >= packing.sequences * grid.heads)
          return;
        const int head = static_cast<int>(place_in(grid) % grid.heads), wg = static_cast<int>(tg::axis_index("wg"));
        // The last queries see the most keys.
        const int first_query = static_cast<int>(grid.blocks - 1 - tg::axis_index("block")) * block_rows;
        const Sequence own = sequence_of<C>(arrays, packing, static_cast<int>(place_in(grid) / grid.heads));
        if (first_query >= own.queries)
          return;
        const Steps steps = key_steps_of<C, block_rows, keys>(first_query, own, arguments);
        const auto head_dim = tg::ds<C.head_dim>(0);

        tg::smem<T, 2, rows, C.head_dim> q_smem, do_smem; // of q their gradients, in the end
        tg::smem<float, 2, (rows + 4 + 31) / 32 * 32> lse_smem, delta_smem;
        tg::smem<T, 2, keys, C.head_dim> k_smem, v_smem;
        tg::barrier<2> ready{.num_arrivals = 4}, kv_ready{.num_arrivals = 2}, kv_free{.num_arrivals = 2};

        if (wg == memory_thread) {
          tg::set_max_registers<C.memory_registers>(tg::decrease);
          const int key_head = head / static_cast<int>(group);
          unsigned n = 0;
          for (int step = steps.begin; step < steps.end; ++step, ++n) {
            const auto part = tg::ds<keys>(own.k_begin + step * keys);
            if (n >= 2)
              tg::barrier_wait(kv_free.at(n % 2));
            tg::copy_gmem_to_smem(arrays.k.at(own.batch, part, key_head, head_dim), k_smem.at(n % 2),
                                  kv_ready.at(n % 2));
            tg::copy_gmem_to_smem(arrays.v.at(own.batch, part, key_head, head_dim), v_smem.at(n % 2),
                                  kv_ready.at(n % 2));
          }
          return;
        }

        tg::set_max_registers<C.compute_registers>(tg::increase);
        const int my_first = first_query + wg * rows;
        const auto mine = tg::ds<rows>(own.q_begin + my_first);
        const auto my_q = q_smem.at(wg), my_do = do_smem.at(wg);
        // Rows of numbers are copied from multiples of 16 bytes on.
        const auto numbers = tg::ds<rows + 4>((C.is_packed ? own.q_begin / 4 * 4 : 0) + my_first);
        const auto there = tg::ds<rows + 4>(0);
        tg::copy_gmem_to_smem(arrays.q.at(own.batch, mine, head, head_dim), my_q, ready.at(wg));
        tg::copy_gmem_to_smem(arrays.d_o.at(own.batch, mine, head, head_dim), my_do, ready.at(wg));
        tg::copy_gmem_to_smem(row_numbers.lse2.at(own.batch, head, numbers), lse_smem.at(wg, there), ready.at(wg));
        tg::copy_gmem_to_smem(row_numbers.delta.at(own.batch, head, numbers), delta_smem.at(wg, there), ready.at(wg));
        tg::barrier_wait(ready.at(wg));
        const auto own_numbers = tg::ds<rows>(C.is_packed ? own.q_begin % 4 : 0);
        const auto lse2 = lse_smem.at(wg, own_numbers)[tg::all], delta = delta_smem.at(wg, own_numbers)[tg::all];

        tg::acc<float, rows, C.head_dim> sum;
        const auto advance = [&](bool is_masked, unsigned n, int step) {
          const auto k_part = k_smem.at(n % 2), v_part = v_smem.at(n % 2);
          tg::acc<float, rows, keys> s, dp;
          tg::barrier_wait(kv_ready.at(n % 2));
          tg::wgmma(s, my_q, tg::transpose_ref(k_part), {.accumulate = false});
          tg::wgmma(dp, my_do, tg::transpose_ref(v_part), {.accumulate = false});
          const auto mask = [&](const auto &all) {
            const auto key = (tg::iota<int, keys>() + step * keys)[tg::newaxis, tg::all];
            const auto query = (tg::iota<int, rows>() + my_first)[tg::all, tg::newaxis];
            auto some = all;
            if (C.has_softcap || is_masked)
              some = tg::where(are_seen<C>(key, query, own, arguments), all, 0.0f);
            return some;
          };
          const auto scores = tg::wgmma_accumulator_load<1>(s);
          const auto slopes = weigh<C>(scores, lse2[tg::all, tg::newaxis], mask, scale, arguments).second;
          const auto gradients = tg::wgmma_accumulator_load<0>(dp);
          tg::wgmma(sum, tg::astype<T>(slopes * (gradients - delta[tg::all, tg::newaxis])), k_part);
          tg::wgmma_wait<0>();
          tg::barrier_arrive(kv_free.at(n % 2));
        };
        unsigned n = 0;
        for (int step = steps.begin; step < steps.end; ++step, ++n)
          advance(step < steps.full_begin || step >= steps.full_end, n, step);

        const auto dq = tg::astype<T>(sum[tg::all] * scale);
        const auto place = arrays.dq.at(own.batch, mine, head, head_dim);
        if (C.is_packed && my_first + rows > own.queries) { // The next sequence follows.
          tg::store(place, dq, (tg::iota<int, rows>() < own.queries - my_first)[tg::all, tg::newaxis]);
        } else {
          my_q[tg::all] = dq;
          tg::commit_smem();
          tg::copy_smem_to_gmem(my_q, place);
          tg::wait_smem_to_gmem<0>();
        }
      });
}

} // namespace samples
