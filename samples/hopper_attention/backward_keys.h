// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of keys and values, for heads of 64 and 128.
//
// A block has 128 keys, 64 for each compute thread, and their gradients in registers. Its last thread copies queries
// and d_o, some rows a step, through rings. Of each step a compute thread computes weights and gradients of scores with
// keys as rows: as they lie in registers, they are left factors of what is added to the gradients of values and of
// keys. Gradients of scores go to shared memory, too. In the step after it both threads multiply them by all keys of
// the block, so that neither waits for what the other one has just begun to compute: a half of the gradients of the
// step's queries each, which TMA adds to sums in global memory. These products are the first of a step's last three:
// their results leave shared memory while the other two run.
#pragma once

#include "backward_block.h"

namespace samples {

template <BackwardConfig C, class T, class Offsets>
void differentiate_keys(const BackwardArrays<T> &arrays, const RowArrays &rows, float scale,
                        const Packing<Offsets> &packing, const AttentionArguments &arguments) {
  constexpr int half = 64, block_keys = 2 * half, memory_thread = 2;
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

        // Of the gradients of a step's queries each thread has half of the columns, or half of the rows.
        constexpr bool by_rows = C.rows == 2 * half;
        constexpr int dq_rows = by_rows ? half : C.rows, dq_columns = by_rows ? C.head_dim : C.head_dim / 2;
        // Their gradients, in the end. Half of the columns is a panel of k.
        tg::smem<T, block_keys, C.head_dim> k_smem{.transforms = {tg::swizzle(by_rows ? 128 : C.head_dim)}}, v_smem;
        tg::smem<T, C.stages, C.rows, C.head_dim> q_smem;
        tg::smem<T, C.do_stages, C.rows, C.head_dim> do_smem;
        tg::smem<float, C.stages, statistics_pitch<C>> lse_smem;
        tg::smem<float, C.do_stages, statistics_pitch<C>> delta_smem;
        tg::smem<T, 2, block_keys, C.rows> ds_smem;
        tg::smem<float, 2, dq_columns / sum_columns, sum_rows, sum_columns> dq_smem;
        tg::barrier<> k_ready, v_ready;
        tg::barrier<C.stages> q_ready{.num_arrivals = 2}, q_free{.num_arrivals = 2};
        tg::barrier<C.do_stages> do_ready{.num_arrivals = 2}, do_free{.num_arrivals = 2};
        tg::barrier<2> ds_ready{.num_arrivals = 2};
        tg::named_barrier both{.num_threads = 2};

        if (wg == memory_thread) {
          tg::set_max_registers<C.memory_registers>(tg::decrease);
          const auto keys = tg::ds<block_keys>(own.k_begin + first_key);
          tg::copy_gmem_to_smem(arrays.k.at(own.batch, keys, key_head, head_dim), k_smem, k_ready);
          tg::copy_gmem_to_smem(arrays.v.at(own.batch, keys, key_head, head_dim), v_smem, v_ready);
          copy_steps<C>(arrays, rows, block, q_smem, lse_smem, q_ready, q_free, do_smem, delta_smem, do_ready, do_free);
          return;
        }

        tg::set_max_registers<C.compute_registers>(tg::increase);
        const auto my_keys = tg::ds<half>(wg * half);
        const auto my_k = k_smem.at(my_keys), my_v = v_smem.at(my_keys);
        tg::acc<float, half, C.rows> s, dp;
        tg::acc<float, half, C.head_dim> dk_sum, dv_sum;

        const auto of_rows = [&](const auto &stage) {
          return stage.at(tg::ds<C.rows>(C.is_packed ? own.q_begin % 4 : 0))[tg::newaxis, tg::all];
        };
        // Gradients of queries, from those of scores in a slot.
        tg::acc<float, dq_rows, dq_columns> dq;
        const auto multiply_by_keys = [&](unsigned n) {
          tg::barrier_wait(ds_ready.at(n % 2));
          const auto all_ds = tg::transpose_ref(ds_smem.at(n % 2));
          if constexpr (by_rows)
            tg::wgmma(dq, all_ds.at(my_keys), k_smem, {.accumulate = false});
          else
            tg::wgmma(dq, all_ds, k_smem.at(tg::all, tg::ds<dq_columns>(wg * dq_columns)), {.accumulate = false});
        };
        const auto add = [&](const auto &gradients, int head, int step) {
          add_to_sums(rows, dq_smem.at(wg), gradients, own.batch, head, first_sum + (by_rows ? 2 * step + wg : step),
                      by_rows ? 0 : wg * dq_columns);
        };
        const auto advance = [&](bool is_masked, unsigned n, int head, int step) {
          const auto q_stage = n % C.stages, do_stage = n % C.do_stages, slot = n % 2;
          tg::barrier_wait(q_ready.at(q_stage));
          tg::wgmma(s, my_k, tg::transpose_ref(q_smem.at(q_stage)), {.accumulate = false});
          tg::barrier_wait(do_ready.at(do_stage));
          tg::wgmma(dp, my_v, tg::transpose_ref(do_smem.at(do_stage)), {.accumulate = false});
          const auto mask = [&](const auto &all) {
            const auto key = (tg::iota<int, half>() + (first_key + wg * half))[tg::all, tg::newaxis];
            const auto query = (tg::iota<int, C.rows>() + step * C.rows)[tg::newaxis, tg::all];
            auto some = all;
            if (C.has_softcap || is_masked)
              some = tg::where(see<C>(query, key, own, arguments), all, 0.0f);
            return some;
          };
          const auto [weights, slopes] =
              weigh<C>(tg::wgmma_accumulator_load<1>(s), of_rows(lse_smem.at(q_stage)), mask, scale, arguments);
          const auto factors = tg::astype<T>(weights);
          const auto gradients = tg::wgmma_accumulator_load<0>(dp);
          const auto ds = tg::astype<T>(slopes * (gradients - of_rows(delta_smem.at(do_stage))));
          if constexpr (!C.is_deterministic)
            multiply_by_keys(n + 1); // of step n - 1
          tg::wgmma(dk_sum, ds, q_smem.at(q_stage));
          tg::wgmma(dv_sum, factors, do_smem.at(do_stage));
          if constexpr (!C.is_deterministic) {
            ds_smem.at(slot, my_keys)[tg::all] = ds;
            tg::commit_smem();
            const auto gradients_before = tg::wgmma_accumulator_load<2>(dq);
            tg::barrier_arrive(ds_ready.at(slot)); // The other slot has been read: the other thread may fill it next.
            tg::wgmma_wait<1>();
            tg::barrier_arrive(q_free.at(q_stage));
            const bool is_first = step == steps.begin; // The very first step has none before it: it adds zeros.
            add(gradients_before, is_first && n > 0 ? head - 1 : head, is_first ? steps.end - 1 : step - 1);
            tg::wgmma_wait<0>();
          } else {
            tg::wgmma_wait<1>();
            tg::barrier_arrive(q_free.at(q_stage));
            tg::wgmma_wait<0>();
          }
          tg::barrier_arrive(do_free.at(do_stage));
        };
        if constexpr (!C.is_deterministic) { // What the first step multiplies.
          ds_smem.at(1, my_keys)[tg::all] = tg::zeros<T, half, C.rows>();
          tg::commit_smem();
          tg::barrier_arrive(ds_ready.at(1));
        }
        tg::barrier_wait(k_ready);
        tg::barrier_wait(v_ready);
        for_steps(block, advance);
        if constexpr (!C.is_deterministic)
          if (steps.begin < steps.end) {
            multiply_by_keys(static_cast<unsigned>((end_head - first_head) * (steps.end - steps.begin)) + 1);
            add(tg::wgmma_accumulator_load<0>(dq), end_head - 1, steps.end - 1);
          }

        // The other thread has read all keys before their gradients lie there.
        const auto dv = tg::astype<T>(dv_sum[tg::all]), dk = tg::astype<T>(dk_sum[tg::all] * scale);
        tg::named_barrier_sync(both);
        const int my_first = first_key + wg * half;
        const auto mine = tg::ds<half>(own.k_begin + my_first);
        store_gradients<C>(arrays.dv.at(own.batch, mine, key_head, head_dim), my_v, dv, own, my_first);
        store_gradients<C>(arrays.dk.at(own.batch, mine, key_head, head_dim), my_k, dk, own, my_first);
        tg::wait_smem_to_gmem<0>();
      });
}

} // namespace samples
