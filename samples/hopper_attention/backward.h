// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels of the backward pass share: where a block stands in its sequence, what it sees, and the launches
// before and after them.
#pragma once

#include "attention.h"

namespace samples {

struct BackwardConfig {
  int head_dim = 128;
  int rows = 64;                 // queries of a step
  int stages = 2, do_stages = 2; // blocks of queries, and of d_o, in shared memory
  int compute_registers = 240, memory_registers = 24;
  bool is_deterministic = false; // sums of gradients of queries in one order, in a launch of their own
  Sees sees = Sees::all;
  bool has_softcap = false;
  bool is_packed = false;
};

template <class T> struct BackwardArrays {
  tg::array<const T, 4> q, k, v, o;
  tg::array<const float, 3> log_sum_exp;
  tg::array<const T, 4> d_o;
  tg::array<T, 4> dq, dk, dv;
};

/// What the first launch makes: of each query the log-sum-exp in base 2, and the sum of d_o o; zeros for its gradient.
struct RowArrays {
  tg::array<float, 3> lse2, delta;
  tg::array<float, 4> sums;
};

/// What is packed, if something is: Offsets is an array then.
template <class Offsets> struct Packing {
  Offsets q_begins, k_begins;
  tg::s64 sequences, longest, longest_keys;
};

/// A sequence, or a batch.
struct Sequence {
  int batch, q_begin, k_begin, queries, keys;
};
template <BackwardConfig C, class T, class Offsets>
Sequence sequence_of(const BackwardArrays<T> &arrays, const Packing<Offsets> &packing, int i) {
  if constexpr (C.is_packed)
    return {0, packing.q_begins[i], packing.k_begins[i], packing.q_begins[i + 1] - packing.q_begins[i],
            packing.k_begins[i + 1] - packing.k_begins[i]};
  else
    return {i, 0, 0, static_cast<int>(arrays.q.dim(1)), static_cast<int>(arrays.k.dim(1))};
}

/// Which of the queries see which of the keys; tiles of both that broadcast together.
template <BackwardConfig C, class Keys, class Queries>
auto are_seen(const Keys &key, const Queries &query, const Sequence &own, const AttentionArguments &arguments) {
  const int behind = own.keys - own.queries; // Query i stands at key i + behind.
  const auto end_of_all = tg::full<int, 1, 1>(own.keys - 1);
  const auto last = [&] {
    if constexpr (C.sees == Sees::causal)
      return tg::minimum(query + behind, end_of_all);
    else if constexpr (C.sees == Sees::window)
      return tg::minimum(query + (behind + static_cast<int>(arguments.right)), end_of_all);
    else
      return end_of_all;
  }();
  const auto are_below = [&] {
    if constexpr (C.is_packed) // Elsewhere what lies behind the last query is 0.
      return (key <= last) & (query < own.queries);
    else
      return key <= last;
  }();
  if constexpr (C.sees == Sees::window)
    return are_below & (key >= query + (behind - static_cast<int>(arguments.left)));
  else
    return are_below;
}

/// The same, by the first query and the last one that see a key: what stands behind the last query may see all.
template <BackwardConfig C, class Keys, class Queries>
auto see(const Queries &query, const Keys &key, const Sequence &own, const AttentionArguments &arguments) {
  const int behind = own.keys - own.queries;
  const auto first = [&] {
    if constexpr (C.sees == Sees::all)
      return tg::zeros_like(key);
    else
      return key - (behind + (C.sees == Sees::causal ? 0 : static_cast<int>(arguments.right)));
  }();
  const auto are_behind = query >= tg::where(key < own.keys, first, own.queries);
  if constexpr (C.sees == Sees::window)
    return are_behind & (query <= tg::minimum(key - (behind - static_cast<int>(arguments.left)), own.queries - 1));
  else if constexpr (C.is_packed)
    return are_behind & (query < own.queries);
  else
    return are_behind;
}

/// The steps of a block of keys, each some queries, and those among them whose queries see all of its keys.
struct Steps {
  int begin, end, full_begin, full_end;
};
/// The head and the block of queries of a step.
struct Place {
  int head, step;
};
template <BackwardConfig C, int Keys>
Steps steps_of(int first_key, const Sequence &own, const AttentionArguments &arguments) {
  const int behind = own.keys - own.queries;
  Steps steps{0, tg::cdiv(own.queries, C.rows), 0, tg::cdiv(own.queries, C.rows)};
  if constexpr (C.is_packed)
    steps.full_end = own.queries / C.rows;
  if constexpr (C.sees != Sees::all) {
    const int right = C.sees == Sees::causal ? 0 : static_cast<int>(arguments.right);
    const int first = first_key - behind - right; // the first query that sees the first key
    steps.begin = tg::maximum(first, 0) / C.rows;
    steps.full_begin = tg::cdiv(tg::maximum(first + Keys - 1, 0), C.rows);
  }
  if constexpr (C.sees == Sees::window) {
    const int last = first_key - behind + static_cast<int>(arguments.left); // the last query that sees the first key
    steps.end = tg::minimum(steps.end, tg::maximum(last + Keys - 1 + C.rows, 0) / C.rows);
    steps.full_end = tg::minimum(steps.full_end, tg::maximum(last + 1, 0) / C.rows);
  }
  if (first_key + Keys > own.keys)
    steps.full_begin = steps.end;
  return steps;
}

// TMA copies rows that begin at multiples of 16 bytes: of a packed sequence from before its first row.
template <BackwardConfig C> constexpr int statistics = C.is_packed ? C.rows + 4 : C.rows;
template <BackwardConfig C> auto statistics_from(const Sequence &own, int first) {
  return tg::ds<statistics<C>>((C.is_packed ? own.q_begin / 4 * 4 : 0) + first);
}
// In shared memory copies begin at multiples of 128 bytes.
template <BackwardConfig C> constexpr int statistics_pitch = (statistics<C> + 31) / 32 * 32;

// Sums are in blocks of 64 queries, of which 8 columns lie one behind the other: a warp stores 8 rows of them without a
// bank conflict, and all that a thread adds at a time lies together.
constexpr int sum_rows = 64, sum_columns = 8;
// A sequence begins with a block. Its last step may add zeros to one more.
template <BackwardConfig C, class Offsets> tg::s64 sum_blocks(tg::s64 queries, const Packing<Offsets> &packing) {
  return queries == 0 ? 0 : tg::cdiv(queries, sum_rows) + (C.is_packed ? packing.sequences : 1);
}
template <BackwardConfig C> int first_sum_block(const Sequence &own, int sequence) {
  return C.is_packed ? own.q_begin / sum_rows + sequence : 0;
}
template <BackwardConfig C> constexpr int together = 1024 / C.head_dim; // queries of a program

/// A query without keys, whose log-sum-exp is -inf, has no weights, and neither has what stands behind the last one.
template <BackwardConfig C, class T, class Offsets>
RowArrays prepare(const BackwardArrays<T> &arrays, const Packing<Offsets> &packing) {
  constexpr int queries = together<C>, parts_of_block = sum_rows / queries;
  const auto batches = arrays.q.dim(0), heads = arrays.q.dim(2), blocks = sum_blocks<C>(arrays.q.dim(1), packing);
  RowArrays rows{tg::empty<float>(batches, heads, blocks * sum_rows),
                 tg::empty<float>(batches, heads, blocks * sum_rows),
                 tg::empty<float>(batches, heads, C.is_deterministic ? 0 : blocks, C.head_dim * sum_rows)};
  const auto of_rows = [](auto batch, auto part, auto head) { return tg::index(batch, head, part); };
  const auto of_head = [](auto batch, auto, auto head) { return tg::index(batch, 0, head, 0); };
  const auto begin = [](const auto &o, const auto &d_o, const auto &log_sum_exp, const auto &lse2, const auto &delta) {
    constexpr float log2_of_e = 1.44269504f;
    const int count = static_cast<int>(o.dim(0));
    const auto row = tg::iota<int, queries>() + static_cast<int>(tg::program_id(1)) * queries;
    const auto near = tg::minimum(row, count - 1);
    const auto sum = log_sum_exp[near];
    const auto has_keys = (row < count) & (sum > -tg::inf);
    const auto products = tg::astype<float>(o[near]) * tg::astype<float>(d_o[near]);
    delta[tg::all] = tg::where(has_keys, tg::sum<1>(products), 0.0f);
    lse2[tg::all] = tg::where(has_keys, sum * log2_of_e, tg::inf);
  };
  const auto launch = [&](const auto &program, const auto &...more) {
    tg::pallas_call({.grid = {batches, blocks * parts_of_block, heads}}, program,
                    tg::in<tg::squeezed, tg::whole, tg::squeezed, C.head_dim>(arrays.o, of_head),
                    tg::in<tg::squeezed, tg::whole, tg::squeezed, C.head_dim>(arrays.d_o, of_head),
                    tg::in<tg::squeezed, tg::squeezed, tg::whole>(
                        arrays.log_sum_exp, [](auto batch, auto, auto head) { return tg::index(batch, head, 0); }),
                    tg::out<tg::squeezed, tg::squeezed, queries>(rows.lse2, of_rows),
                    tg::out<tg::squeezed, tg::squeezed, queries>(rows.delta, of_rows), more...);
  };
  if constexpr (C.is_deterministic)
    launch(begin);
  else
    launch(
        [=](auto o, auto d_o, auto log_sum_exp, auto lse2, auto delta, auto sums) {
          begin(o, d_o, log_sum_exp, lse2, delta);
          sums[tg::all] = 0.0f;
        },
        tg::out<tg::squeezed, tg::squeezed, tg::squeezed, queries * C.head_dim>(
            rows.sums, [](auto batch, auto part, auto head) {
              return tg::index(batch, head, part / parts_of_block, part % parts_of_block);
            }));
  return rows;
}

/// Scales sums, and rounds them.
template <BackwardConfig C, class T, class Offsets>
void finish(const BackwardArrays<T> &arrays, const RowArrays &rows, float scale, const Packing<Offsets> &packing) {
  constexpr int chunks = C.head_dim / sum_columns;
  tg::kernel(
      {.grid = {{"sequence", packing.sequences},
                {"block", tg::cdiv(packing.longest, sum_rows)},
                {"head", arrays.q.dim(2)}},
       .threads = {"wg", 1}},
      [=] {
        const int sequence = static_cast<int>(tg::axis_index("sequence"));
        const Sequence own = sequence_of<C>(arrays, packing, sequence);
        const int head = static_cast<int>(tg::axis_index("head"));
        const int block = static_cast<int>(tg::axis_index("block")), first = block * sum_rows;
        if (first >= own.queries)
          return;
        tg::smem<float, chunks, sum_rows, sum_columns> sums;
        tg::smem<T, sum_rows, C.head_dim> dq;
        tg::barrier<> ready;
        tg::copy_gmem_to_smem(
            rows.sums.at(own.batch, head, first_sum_block<C>(own, sequence) + block, tg::ds<sum_rows * C.head_dim>(0)),
            tg::reshape_ref<sum_rows * C.head_dim>(sums), ready, {.oob_mode = tg::oob_fill::promise_in_bounds});
        tg::barrier_wait(ready);
        const auto there = arrays.dq.at(own.batch, tg::ds<sum_rows>(own.q_begin + first), head, tg::ds<C.head_dim>(0));
        for (int i = 0; i < chunks; ++i)
          dq.at(tg::all, tg::ds<sum_columns>(i * sum_columns))[tg::all] = tg::astype<T>(sums.at(i)[tg::all] * scale);
        if (C.is_packed && first + sum_rows > own.queries) { // The next sequence follows.
          tg::store(there, dq[tg::all], (tg::iota<int, sum_rows>() < own.queries - first)[tg::all, tg::newaxis]);
        } else {
          tg::commit_smem();
          tg::copy_smem_to_gmem(dq, there);
          tg::wait_smem_to_gmem<0>();
        }
      });
}

/// Puts a tile of float into shared memory, some columns behind the others.
template <int From = 0, class To, class V> void put_columns(const To &to, const V &tile) {
  to.at(From)[tg::all] = tile[tg::all, tg::ds<sum_columns>(sum_columns * From)];
  if constexpr (sum_columns * (From + 1) < V::shape.size[1])
    put_columns<From + 1>(to, tile);
}

template <class A, class B> bool is_like(const A &x, const B &y) {
  return x.dim(0) == y.dim(0) && x.dim(1) == y.dim(1) && x.dim(2) == y.dim(2) && x.dim(3) == y.dim(3);
}
template <BackwardConfig C, class T> void check(const BackwardArrays<T> &arrays) {
  const auto &[q, k, v, o, log_sum_exp, d_o, dq, dk, dv] = arrays;
  tg::check(q.dim(3) == C.head_dim && k.dim(3) == C.head_dim, "this instance is for another head dimension");
  tg::check(q.dim(0) == k.dim(0), "q and k differ in the number of batches");
  tg::check(k.dim(2) > 0 && q.dim(2) % k.dim(2) == 0, "the query heads are a multiple of the key heads");
  tg::check(is_like(v, k), "v is as k is");
  tg::check(is_like(o, q), "o is as q is");
  tg::check(is_like(d_o, q), "d_o is as q is");
  tg::check(is_like(dq, q), "dq is as q is");
  tg::check(is_like(dk, k), "dk is as k is");
  tg::check(is_like(dv, k), "dv is as k is");
  tg::check(log_sum_exp.dim(0) == q.dim(0) && log_sum_exp.dim(1) == q.dim(2) && log_sum_exp.dim(2) == q.dim(1),
            "log_sum_exp is (batch, heads, queries)");
}

} // namespace samples
