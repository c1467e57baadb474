// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of keys and values, for heads of 256, whose sums for 128 keys no block has registers for.
//
// A block has 64 keys. Of the 64 queries of a step each compute thread computes the weights and gradients of scores of
// half of them; both go to shared memory, where both threads take all of them as left factors of what they add to half
// of the columns of each gradient.
#pragma once

#include "backward.h"

namespace samples {

template <BackwardConfig C, class T, class Offsets>
void differentiate_wide_keys(const BackwardArrays<T> &arrays, const RowArrays &statistics_of_all, float scale,
                             const Packing<Offsets> &packing, const AttentionArguments &arguments) {
  constexpr int block_keys = 64, half_rows = C.rows / 2, half_dim = C.head_dim / 2, memory_thread = 2;
  constexpr int pieces = 2, piece = half_dim / pieces; // of gradients of queries, one after the other in shared memory
  constexpr float log2_of_e = 1.44269504f;
  const float scale2 = scale * log2_of_e; // exp(x) is exp2(x log2(e))
  const auto group = arrays.q.dim(2) / arrays.k.dim(2);
  tg::kernel(
      {.grid = {{"sequence", packing.sequences},
                {"head", arrays.k.dim(2)},
                {"block", tg::cdiv(packing.longest_keys, block_keys)}},
       .threads = {"wg", 3},
       .approx_math = true},
      [=] {
        const int key_head = static_cast<int>(tg::axis_index("head")), wg = static_cast<int>(tg::axis_index("wg"));
        const int first_head = key_head * static_cast<int>(group), end_head = first_head + static_cast<int>(group);
        const int first_key = static_cast<int>(tg::axis_index("block")) * block_keys;
        const Sequence own = sequence_of<C>(arrays, packing, static_cast<int>(tg::axis_index("sequence")));
        if (first_key >= own.keys)
          return;
        const Steps steps = steps_of<C, block_keys>(first_key, own, arguments);
        const auto head_dim = tg::ds<C.head_dim>(0);
        const auto keys = tg::ds<block_keys>(own.k_begin + first_key);

        tg::smem<T, block_keys, C.head_dim> k_smem, v_smem; // their gradients, in the end
        tg::smem<T, 2, C.rows, C.head_dim> q_smem;
        tg::smem<T, C.rows, C.head_dim> do_smem;
        tg::smem<float, 2, statistics_pitch<C>> lse_smem, delta_smem;
        tg::smem<T, block_keys, C.rows> p_smem, ds_smem;
        tg::smem<float, 2, piece / C.chunk, C.rows, C.chunk> dq_smem;
        tg::barrier<> k_ready, v_ready, do_ready, done{.num_arrivals = 2};
        tg::barrier<> do_free{.num_arrivals = 2}, p_ready{.num_arrivals = 2}, p_free{.num_arrivals = 2};
        tg::barrier<2> q_ready{.num_arrivals = 3}, q_free{.num_arrivals = 2};

        if (wg == memory_thread) {
          tg::set_max_registers<C.memory_registers>(tg::decrease);
          tg::copy_gmem_to_smem(arrays.k.at(own.batch, keys, key_head, head_dim), k_smem, k_ready);
          tg::copy_gmem_to_smem(arrays.v.at(own.batch, keys, key_head, head_dim), v_smem, v_ready);
          unsigned n = 0;
          for (int head = first_head; head < end_head; ++head)
            for (int step = steps.begin; step < steps.end; ++step, ++n) {
              const auto part = tg::ds<C.rows>(own.q_begin + step * C.rows);
              const auto rows = statistics_from<C>(own, step * C.rows);
              const auto there = tg::ds<statistics<C>>(0);
              if (n >= 2)
                tg::barrier_wait(q_free.at(n % 2));
              tg::copy_gmem_to_smem(arrays.q.at(own.batch, part, head, head_dim), q_smem.at(n % 2), q_ready.at(n % 2));
              tg::copy_gmem_to_smem(statistics_of_all.lse2.at(own.batch, head, rows), lse_smem.at(n % 2, there),
                                    q_ready.at(n % 2));
              tg::copy_gmem_to_smem(statistics_of_all.delta.at(own.batch, head, rows), delta_smem.at(n % 2, there),
                                    q_ready.at(n % 2));
              if (n >= 1)
                tg::barrier_wait(do_free);
              tg::copy_gmem_to_smem(arrays.d_o.at(own.batch, part, head, head_dim), do_smem, do_ready);
            }
          return;
        }

        tg::set_max_registers<C.compute_registers>(tg::increase);
        const auto my_rows = tg::ds<half_rows>(wg * half_rows);
        const auto my_columns = tg::ds<half_dim>(wg * half_dim);
        tg::acc<float, block_keys, half_rows> s;
        tg::acc<float, block_keys, half_dim> dk_sum, dv_sum;

        const auto of_rows = [&](const auto &all, unsigned n) {
          const int from = (C.is_packed ? own.q_begin % 4 : 0) + wg * half_rows;
          return all.at(n % 2, tg::ds<half_rows>(from))[tg::newaxis, tg::all];
        };
        const auto multiply_queries = [&](unsigned n) {
          tg::barrier_wait(q_ready.at(n % 2));
          tg::wgmma(s, k_smem, tg::transpose_ref(q_smem.at(n % 2, my_rows)), {.accumulate = false});
        };
        const auto masked = [&](const auto &all, int step) {
          const auto key = (tg::iota<int, block_keys>() + first_key)[tg::all, tg::newaxis];
          const auto query = (tg::iota<int, half_rows>() + (step * C.rows + wg * half_rows))[tg::newaxis, tg::all];
          return tg::where(are_seen<C>(key, query, own, arguments), all, 0.0f);
        };
        const auto put = [&](const auto &weights, const auto &ds, unsigned n) {
          if (n >= 1)
            tg::barrier_wait(p_free);
          p_smem.at(tg::all, my_rows)[tg::all] = tg::astype<T>(weights);
          ds_smem.at(tg::all, my_rows)[tg::all] = tg::astype<T>(ds);
          tg::commit_smem();
          tg::barrier_arrive(p_ready);
        };
        const auto advance = [&](auto is_masked, int head, unsigned n, int step) {
          {
            multiply_queries(n);
            tg::acc<float, block_keys, half_rows> dp;
            tg::barrier_wait(do_ready);
            tg::wgmma(dp, v_smem, tg::transpose_ref(do_smem.at(my_rows)), {.accumulate = false});
            const auto scores = tg::wgmma_accumulator_load<1>(s);
            if constexpr (C.has_softcap) { // The gradient of softcap tanh(x / softcap) is 1 - tanh(x / softcap)^2.
              const auto capped = tg::tanh(scores * (scale / arguments.softcap));
              const auto all = tg::exp2(capped * (arguments.softcap * log2_of_e) - of_rows(lse_smem, n));
              const auto weights = is_masked ? masked(all, step) : all;
              const auto gradients = tg::wgmma_accumulator_load<0>(dp);
              put(weights, weights * (1.0f - capped * capped) * (gradients - of_rows(delta_smem, n)), n);
            } else {
              const auto all = tg::exp2(scores * scale2 - of_rows(lse_smem, n));
              const auto weights = is_masked ? masked(all, step) : all;
              const auto gradients = tg::wgmma_accumulator_load<0>(dp);
              put(weights, weights * (gradients - of_rows(delta_smem, n)), n);
            }
          }
          tg::barrier_wait(p_ready);
          tg::wgmma(dv_sum, p_smem, do_smem.at(tg::all, my_columns));
          if constexpr (C.is_deterministic) {
            tg::wgmma(dk_sum, ds_smem, q_smem.at(n % 2, tg::all, my_columns));
            tg::wgmma_wait<1>();
            tg::barrier_arrive(do_free);
            tg::wgmma_wait<0>();
            tg::barrier_arrive(p_free);
            tg::barrier_arrive(q_free.at(n % 2));
          } else {
            tg::acc<float, C.rows, half_dim> dq;
            tg::wgmma(dq, tg::transpose_ref(ds_smem), k_smem.at(tg::all, my_columns), {.accumulate = false});
            tg::wgmma(dk_sum, ds_smem, q_smem.at(n % 2, tg::all, my_columns));
            tg::wgmma_wait<2>();
            tg::barrier_arrive(do_free);
            const auto sums = tg::wgmma_accumulator_load<1>(dq);
            const auto put_piece = [&](const auto &part, int i) {
              tg::wait_smem_to_gmem<0>(true);
              put_chunks<C.chunk>(dq_smem.at(wg), part);
              tg::commit_smem();
              const auto columns = tg::ds<piece / C.chunk>((wg * half_dim + i * piece) / C.chunk);
              tg::copy_smem_to_gmem(dq_smem.at(wg),
                                    statistics_of_all.sums.at(own.batch, head, columns,
                                                              tg::ds<C.rows>(own.q_begin + step * C.rows),
                                                              tg::ds<C.chunk>(0)),
                                    {.reduction = tg::reduction_op::add});
            };
            put_piece(sums[tg::all, tg::ds<piece>(0)], 0);
            put_piece(sums[tg::all, tg::ds<piece>(piece)], 1);
            tg::wgmma_wait<0>();
            tg::barrier_arrive(p_free);
            tg::barrier_arrive(q_free.at(n % 2));
          }
        };

        tg::barrier_wait(k_ready);
        tg::barrier_wait(v_ready);
        if (steps.begin < steps.end) {
          unsigned n = 0;
          for (int head = first_head; head < end_head; ++head) {
            int step = steps.begin;
            for (; step < tg::minimum(steps.full_begin, steps.end); ++step, ++n)
              advance(tg::constant<true>{}, head, n, step);
            for (; step < tg::minimum(steps.full_end, steps.end); ++step, ++n)
              advance(tg::constant<false>{}, head, n, step);
            if constexpr (C.sees == Sees::window || C.is_packed)
              for (; step < steps.end; ++step, ++n)
                advance(tg::constant<true>{}, head, n, step);
          }
        }

        // The other thread has read keys and values before their gradients lie there.
        const auto dv = tg::astype<T>(dv_sum[tg::all]), dk = tg::astype<T>(dk_sum[tg::all] * scale);
        tg::barrier_arrive(done);
        tg::barrier_wait(done);
        const auto dv_place = arrays.dv.at(own.batch, keys, key_head, my_columns);
        const auto dk_place = arrays.dk.at(own.batch, keys, key_head, my_columns);
        if (C.is_packed && first_key + block_keys > own.keys) { // The next sequence follows.
          const auto are_there = (tg::iota<int, block_keys>() < own.keys - first_key)[tg::all, tg::newaxis];
          tg::store(dv_place, dv, are_there);
          tg::store(dk_place, dk, are_there);
        } else {
          const auto v_part = v_smem.at(tg::all, my_columns), k_part = k_smem.at(tg::all, my_columns);
          v_part[tg::all] = dv;
          k_part[tg::all] = dk;
          tg::commit_smem();
          tg::copy_smem_to_gmem(v_part, dv_place);
          tg::copy_smem_to_gmem(k_part, dk_place);
        }
        tg::wait_smem_to_gmem<0>();
      });
}

} // namespace samples
