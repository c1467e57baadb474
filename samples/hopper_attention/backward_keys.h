// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of keys and values, for heads of 64 and 128.
//
// A block has 128 keys, 64 for each compute thread, and their gradients in registers. Its last thread copies queries
// and d_o, some rows a step, through rings. Of each step a compute thread computes weights and gradients of scores with
// keys as rows: as they lie in registers, they are left factors of what is added to the gradients of values and of
// keys. Gradients of scores go to shared memory, too. Both threads multiply them by all keys of the block, a half of
// the gradients of the step's queries each, which TMA adds to sums in global memory.
#pragma once

#include "backward.h"

namespace samples {

template <BackwardConfig C, class T, class Offsets>
void differentiate_keys(const BackwardArrays<T> &arrays, const RowArrays &statistics_of_all, float scale,
                        const Packing<Offsets> &packing, const AttentionArguments &arguments) {
  constexpr int half = 64, block_keys = 2 * half, memory_thread = 2;
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

        // Of the gradients of a step's queries each thread has half of the columns, or half of the rows.
        constexpr bool by_rows = C.rows == 2 * half;
        constexpr int dq_rows = by_rows ? half : C.rows, dq_columns = by_rows ? C.head_dim : C.head_dim / 2;
        tg::smem<T, block_keys, C.head_dim> k_smem, v_smem; // their gradients, in the end
        tg::smem<T, C.stages, C.rows, C.head_dim> q_smem, do_smem;
        tg::smem<float, C.stages, statistics_pitch<C>> lse_smem, delta_smem;
        tg::smem<T, 2, block_keys, C.rows> ds_smem;
        tg::smem<float, 2, dq_columns / C.chunk, dq_rows, C.chunk> dq_smem;
        tg::barrier<> k_ready, v_ready;
        tg::barrier<C.stages> ready{.num_arrivals = 4};
        tg::barrier<C.stages> q_free{.num_arrivals = 2}, do_free{.num_arrivals = 2};
        tg::barrier<2> ds_ready{.num_arrivals = 2};
        tg::barrier<> done{.num_arrivals = 2};

        if (wg == memory_thread) {
          tg::set_max_registers<C.memory_registers>(tg::decrease);
          const auto keys = tg::ds<block_keys>(own.k_begin + first_key);
          tg::copy_gmem_to_smem(arrays.k.at(own.batch, keys, key_head, head_dim), k_smem, k_ready);
          tg::copy_gmem_to_smem(arrays.v.at(own.batch, keys, key_head, head_dim), v_smem, v_ready);
          unsigned n = 0;
          for (int head = first_head; head < end_head; ++head)
            for (int step = steps.begin; step < steps.end; ++step, ++n) {
              const auto stage = n % C.stages;
              const auto part = tg::ds<C.rows>(own.q_begin + step * C.rows);
              const auto rows = statistics_from<C>(own, step * C.rows);
              const auto there = tg::ds<statistics<C>>(0);
              if (n >= C.stages)
                tg::barrier_wait(q_free.at(stage));
              tg::copy_gmem_to_smem(arrays.q.at(own.batch, part, head, head_dim), q_smem.at(stage), ready.at(stage));
              tg::copy_gmem_to_smem(statistics_of_all.lse2.at(own.batch, head, rows), lse_smem.at(stage, there),
                                    ready.at(stage));
              if (n >= C.stages)
                tg::barrier_wait(do_free.at(stage));
              tg::copy_gmem_to_smem(arrays.d_o.at(own.batch, part, head, head_dim), do_smem.at(stage), ready.at(stage));
              tg::copy_gmem_to_smem(statistics_of_all.delta.at(own.batch, head, rows), delta_smem.at(stage, there),
                                    ready.at(stage));
            }
          return;
        }

        tg::set_max_registers<C.compute_registers>(tg::increase);
        const auto my_keys = tg::ds<half>(wg * half);
        const auto my_k = k_smem.at(my_keys), my_v = v_smem.at(my_keys);
        tg::acc<float, half, C.rows> s, dp;
        tg::acc<float, half, C.head_dim> dk_sum, dv_sum;
        auto weights = tg::zeros<float, half, C.rows>(); // with softcap, times its gradient
        auto factors = tg::zeros<T, half, C.rows>();     // with softcap, the weights

        const auto of_rows = [&](const auto &all, unsigned n) {
          return all.at(n % C.stages, tg::ds<C.rows>(C.is_packed ? own.q_begin % 4 : 0))[tg::newaxis, tg::all];
        };
        const auto multiply_queries = [&](unsigned n) {
          tg::barrier_wait(ready.at(n % C.stages));
          tg::wgmma(s, my_k, tg::transpose_ref(q_smem.at(n % C.stages)), {.accumulate = false});
        };
        const auto multiply_gradients = [&](unsigned n) {
          tg::wgmma(dp, my_v, tg::transpose_ref(do_smem.at(n % C.stages)), {.accumulate = false});
        };
        const auto masked = [&](const auto &all, int step) {
          const auto key = (tg::iota<int, half>() + (first_key + wg * half))[tg::all, tg::newaxis];
          const auto query = (tg::iota<int, C.rows>() + step * C.rows)[tg::newaxis, tg::all];
          return tg::where(are_seen<C>(key, query, own, arguments), all, 0.0f);
        };
        const auto weigh = [&](auto is_masked, unsigned n, const auto &place) {
          const auto scores = tg::wgmma_accumulator_load<1>(s);
          if constexpr (C.has_softcap) { // The gradient of softcap tanh(x / softcap) is 1 - tanh(x / softcap)^2.
            const auto capped = tg::tanh(scores * (scale / arguments.softcap));
            const auto all = tg::exp2(capped * (arguments.softcap * log2_of_e) - of_rows(lse_smem, n));
            const auto some = is_masked ? masked(all, place(n).step) : all;
            factors = tg::astype<T>(some);
            weights = some * (1.0f - capped * capped);
          } else {
            const auto all = tg::exp2(scores * scale2 - of_rows(lse_smem, n));
            weights = is_masked ? masked(all, place(n).step) : all;
          }
          tg::wgmma_wait<0>();
        };
        const auto begin = [&](unsigned n) {
          multiply_queries(n);
          multiply_gradients(n);
        };
        // Multiplies the gradients of scores of both threads, and gives what comes out to TMA. The products of the next
        // step with queries run meanwhile.
        const auto add_to_queries = [&](auto is_last, unsigned n, const auto &place) {
          const auto stage = n % C.stages, slot = n % 2;
          tg::acc<float, dq_rows, dq_columns> dq;
          if constexpr (!is_last)
            multiply_queries(n + 1);
          tg::barrier_wait(ds_ready.at(slot));
          const auto ds = tg::transpose_ref(ds_smem.at(slot));
          if constexpr (by_rows)
            tg::wgmma(dq, ds.at(my_keys), k_smem, {.accumulate = false});
          else
            tg::wgmma(dq, ds, k_smem.at(tg::all, tg::ds<dq_columns>(wg * dq_columns)), {.accumulate = false});
          const auto part = dq[tg::all];
          tg::barrier_arrive(q_free.at(stage));
          tg::wait_smem_to_gmem<0>(true);
          put_chunks<C.chunk>(dq_smem.at(wg), part);
          tg::commit_smem();
          const auto [head, step] = place(n);
          const int row = own.q_begin + step * C.rows + (by_rows ? wg * half : 0);
          const auto columns = tg::ds<dq_columns / C.chunk>(by_rows ? 0 : wg * (dq_columns / C.chunk));
          tg::copy_smem_to_gmem(
              dq_smem.at(wg),
              statistics_of_all.sums.at(own.batch, head, columns, tg::ds<dq_rows>(row), tg::ds<C.chunk>(0)),
              {.reduction = tg::reduction_op::add});
        };
        // What remains of a step whose weights are there; meanwhile the next one begins.
        const auto advance = [&](auto is_last, auto is_masked, unsigned n, const auto &place) {
          const auto stage = n % C.stages, slot = n % 2;
          const auto gradients = dp[tg::all];
          const auto ds = tg::astype<T>(weights * (gradients - of_rows(delta_smem, n)));
          if constexpr (C.has_softcap)
            tg::wgmma(dv_sum, factors, do_smem.at(stage));
          else
            tg::wgmma(dv_sum, tg::astype<T>(weights), do_smem.at(stage));
          if constexpr (!C.is_deterministic) {
            ds_smem.at(slot, my_keys)[tg::all] = ds;
            tg::commit_smem();
            tg::barrier_arrive(ds_ready.at(slot));
          }
          tg::wgmma(dk_sum, ds, q_smem.at(stage));
          tg::wgmma_wait<1>();
          tg::barrier_arrive(do_free.at(stage));
          if constexpr (!C.is_deterministic) {
            add_to_queries(is_last, n, place);
          } else {
            if constexpr (!is_last)
              multiply_queries(n + 1);
            tg::wgmma_wait<!is_last>();
            tg::barrier_arrive(q_free.at(stage));
          }
          if constexpr (!is_last) {
            multiply_gradients(n + 1);
            weigh(is_masked, n + 1, place);
          }
        };

        constexpr tg::constant<true> yes{};
        constexpr tg::constant<false> no{};
        tg::barrier_wait(k_ready);
        tg::barrier_wait(v_ready);
        if (steps.begin < steps.end) {
          if constexpr (C.sees == Sees::all && !C.is_packed) {
            // All heads alike, one behind the other: where a step stands is computed when it is asked for.
            const unsigned each = static_cast<unsigned>(steps.end), last = each * static_cast<unsigned>(group) - 1;
            const auto place = [&](unsigned n) {
              return Place{key_head * static_cast<int>(group) + static_cast<int>(n / each), static_cast<int>(n % each)};
            };
            unsigned n = 0;
            begin(n);
            weigh(yes, n, place);
            if (first_key + block_keys > own.keys)
              for (; n < last; ++n)
                advance(no, yes, n, place);
            else
              for (; n < last; ++n)
                advance(no, no, n, place);
            advance(yes, no, n, place);
          } else {
            unsigned n = 0;
            for (int head = first_head; head < end_head; ++head, ++n) {
              const int shift = steps.begin - static_cast<int>(n); // from n to its step
              const auto place = [&](unsigned n) { return Place{head, shift + static_cast<int>(n)}; };
              const auto is_before = [&](int end) {
                return shift + static_cast<int>(n) + 1 < tg::minimum(end, steps.end);
              };
              begin(n);
              weigh(yes, n, place);
              for (; is_before(steps.full_begin); ++n)
                advance(no, yes, n, place);
              for (; is_before(steps.full_end); ++n)
                advance(no, no, n, place);
              if constexpr (C.sees == Sees::window || C.is_packed)
                for (; is_before(steps.end); ++n)
                  advance(no, yes, n, place);
              advance(yes, no, n, place);
            }
          }
        }

        // The other thread has read all keys before their gradients lie there.
        const auto dv = tg::astype<T>(dv_sum[tg::all]), dk = tg::astype<T>(dk_sum[tg::all] * scale);
        tg::barrier_arrive(done);
        tg::barrier_wait(done);
        const int my_first = first_key + wg * half;
        const auto mine = tg::ds<half>(own.k_begin + my_first);
        const auto dv_place = arrays.dv.at(own.batch, mine, key_head, head_dim);
        const auto dk_place = arrays.dk.at(own.batch, mine, key_head, head_dim);
        if (C.is_packed && my_first + half > own.keys) { // The next sequence follows.
          const auto are_there = (tg::iota<int, half>() < own.keys - my_first)[tg::all, tg::newaxis];
          tg::store(dv_place, dv, are_there);
          tg::store(dk_place, dk, are_there);
        } else {
          my_v[tg::all] = dv;
          my_k[tg::all] = dk;
          tg::commit_smem();
          tg::copy_smem_to_gmem(my_v, dv_place);
          tg::copy_smem_to_gmem(my_k, dk_place);
        }
        tg::wait_smem_to_gmem<0>();
      });
}

} // namespace samples
