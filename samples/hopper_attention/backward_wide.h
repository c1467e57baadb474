// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of keys and values, for heads of 256, whose sums for 128 keys no block has registers for.
//
// A block has 64 keys. Of the 64 queries of a step each compute thread computes the weights and gradients of scores of
// half of them; both go to shared memory, where both threads take all of them as left factors of what they add to half
// of the columns of each gradient.
#pragma once

#include "backward_block.h"

namespace samples {

template <BackwardConfig C, class T, class Offsets>
void differentiate_wide_keys(const BackwardArrays<T> &arrays, const RowArrays &rows, float scale,
                             const Packing<Offsets> &packing, const AttentionArguments &arguments) {
  constexpr int block_keys = 64, half_rows = C.rows / 2, half_dim = C.head_dim / 2, memory_thread = 2;
  constexpr int pieces = 2, piece = half_dim / pieces; // of gradients of queries, one after the other in shared memory
  const BlockGrid grid = grid_of<C>(arrays.k.dim(2), tg::cdiv(packing.longest_keys, block_keys), packing);
  tg::kernel(
      {.grid = {{"group", tg::cdiv(packing.sequences * grid.heads, grid.together)},
                {"block", grid.blocks},
                {"member", grid.together}},
       .threads = {"wg", 3},
       .approx_math = true},
      [=] {
        const int wg = static_cast<int>(tg::axis_index("wg"));
        if (place_in(grid) >= packing.sequences * grid.heads)
          return;
        const KeyBlock block = key_block<C, block_keys>(grid, arrays, packing, arguments);
        const auto &[key_head, first_head, end_head, first_key, first_sum, own, steps] = block;
        if (first_key >= own.keys)
          return;
        const auto head_dim = tg::ds<C.head_dim>(0);
        const auto keys = tg::ds<block_keys>(own.k_begin + first_key);

        tg::smem<T, block_keys, C.head_dim> k_smem, v_smem; // their gradients, in the end
        tg::smem<T, C.stages, C.rows, C.head_dim> q_smem;
        tg::smem<T, C.do_stages, C.rows, C.head_dim> do_smem;
        tg::smem<float, C.stages, statistics_pitch<C>> lse_smem;
        tg::smem<float, C.do_stages, statistics_pitch<C>> delta_smem;
        tg::smem<T, block_keys, C.rows> p_smem, ds_smem;
        tg::smem<float, 2, piece / sum_columns, sum_rows, sum_columns> dq_smem;
        tg::barrier<> k_ready, v_ready;
        tg::barrier<> p_ready{.num_arrivals = 2}, p_free{.num_arrivals = 2};
        tg::barrier<C.stages> q_ready{.num_arrivals = 2}, q_free{.num_arrivals = 2};
        tg::barrier<C.do_stages> do_ready{.num_arrivals = 2}, do_free{.num_arrivals = 2};
        tg::named_barrier both{.num_threads = 2};

        if (wg == memory_thread) {
          tg::set_max_registers<C.memory_registers>(tg::decrease);
          tg::copy_gmem_to_smem(arrays.k.at(own.batch, keys, key_head, head_dim), k_smem, k_ready);
          tg::copy_gmem_to_smem(arrays.v.at(own.batch, keys, key_head, head_dim), v_smem, v_ready);
          copy_steps<C>(arrays, rows, block, q_smem, lse_smem, q_ready, q_free, do_smem, delta_smem, do_ready, do_free);
          return;
        }

        tg::set_max_registers<C.compute_registers>(tg::increase);
        const auto my_rows = tg::ds<half_rows>(wg * half_rows);
        const auto my_columns = tg::ds<half_dim>(wg * half_dim);
        tg::acc<float, block_keys, half_dim> dk_sum, dv_sum;

        const auto of_rows = [&](const auto &stage) {
          const int from = (C.is_packed ? own.q_begin % 4 : 0) + wg * half_rows;
          return stage.at(tg::ds<half_rows>(from))[tg::newaxis, tg::all];
        };
        const auto advance = [&](bool is_masked, unsigned n, int head, int step) {
          const auto q_stage = n % C.stages, do_stage = n % C.do_stages;
          tg::acc<float, block_keys, half_rows> s, dp;
          tg::barrier_wait(q_ready.at(q_stage));
          tg::wgmma(s, k_smem, tg::transpose_ref(q_smem.at(q_stage, my_rows)), {.accumulate = false});
          tg::barrier_wait(do_ready.at(do_stage));
          tg::wgmma(dp, v_smem, tg::transpose_ref(do_smem.at(do_stage, my_rows)), {.accumulate = false});
          const auto mask = [&](const auto &all) {
            const auto key = (tg::iota<int, block_keys>() + first_key)[tg::all, tg::newaxis];
            const auto query = (tg::iota<int, half_rows>() + (step * C.rows + wg * half_rows))[tg::newaxis, tg::all];
            auto some = all;
            if (C.has_softcap || is_masked)
              some = tg::where(see<C>(query, key, own, arguments), all, 0.0f);
            return some;
          };
          const auto [weights, slopes] =
              weigh<C>(tg::wgmma_accumulator_load<1>(s), of_rows(lse_smem.at(q_stage)), mask, scale, arguments);
          const auto gradients = tg::wgmma_accumulator_load<0>(dp);
          if (n >= 1)
            tg::barrier_wait(p_free);
          p_smem.at(tg::all, my_rows)[tg::all] = tg::astype<T>(weights);
          ds_smem.at(tg::all, my_rows)[tg::all] =
              tg::astype<T>(slopes * (gradients - of_rows(delta_smem.at(do_stage))));
          tg::commit_smem();
          tg::barrier_arrive(p_ready);
          tg::barrier_wait(p_ready);
          tg::wgmma(dv_sum, p_smem, do_smem.at(do_stage, tg::all, my_columns));
          if constexpr (C.is_deterministic) {
            tg::wgmma(dk_sum, ds_smem, q_smem.at(q_stage, tg::all, my_columns));
            tg::wgmma_wait<1>();
            tg::barrier_arrive(do_free.at(do_stage));
          } else {
            tg::acc<float, C.rows, half_dim> dq;
            tg::wgmma(dq, tg::transpose_ref(ds_smem), k_smem.at(tg::all, my_columns), {.accumulate = false});
            tg::wgmma(dk_sum, ds_smem, q_smem.at(q_stage, tg::all, my_columns));
            tg::wgmma_wait<2>();
            tg::barrier_arrive(do_free.at(do_stage));
            const auto sums = tg::wgmma_accumulator_load<1>(dq);
            const auto add = [&](auto i) {
              add_to_sums(rows, dq_smem.at(wg), sums[tg::all, tg::ds<piece>(i * piece)], own.batch, head,
                          first_sum + step, wg * half_dim + i * piece);
            };
            add(tg::constant<0>{});
            add(tg::constant<1>{});
          }
          tg::wgmma_wait<0>();
          tg::barrier_arrive(p_free);
          tg::barrier_arrive(q_free.at(q_stage));
        };
        tg::barrier_wait(k_ready);
        tg::barrier_wait(v_ready);
        for_steps(block, advance);

        // The other thread has read keys and values before their gradients lie there.
        const auto dv = tg::astype<T>(dv_sum[tg::all]), dk = tg::astype<T>(dk_sum[tg::all] * scale);
        tg::named_barrier_sync(both);
        store_gradients<C>(arrays.dv.at(own.batch, keys, key_head, my_columns), v_smem.at(tg::all, my_columns), dv, own,
                           first_key);
        store_gradients<C>(arrays.dk.at(own.batch, keys, key_head, my_columns), k_smem.at(tg::all, my_columns), dk, own,
                           first_key);
        tg::wait_smem_to_gmem<0>();
      });
}

} // namespace samples
