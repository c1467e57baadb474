// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention of a few queries to a paged cache, for Hopper: what decoding takes. Every key and value is read once, and
// reading is all that takes time.
//
// A sequence is divided into splits of some keys (T. Dao et al., "Flash-Decoding for long-context inference"). Pairs of
// threads take a split of one key head each, for all queries of all heads that share that: one copies pages, by TMA, as
// the page table names them, the other one multiplies and computes softmax. A second launch combines the splits of a
// query by their log-sum-exp.
#pragma once

#include <tegula/tegula.h>
namespace tg = tegula;

namespace samples {

struct DecodingConfig {
  int head_dim = 128;
  int group = 2;   // query heads that share a key head
  int queries = 8; // of a sequence, at most
  int page = 64;   // keys
  int keys = 64;   // of a step, a multiple of a page or a part of one
  int stages = 2;  // steps in shared memory, of each pair
  int pairs = 2;   // of threads, one that copies and one that computes, which share nothing
};

/// Some keys of a sequence, begin to end, for one key head.
struct Split {
  tg::s64 sequence;
  int length; // of the sequence
  int number, head, begin, end;
};

/// Pairs of threads stay, and share the splits that there are: each takes every `pairs`-th of those of all sequences.
template <class Body>
void for_each_split(const tg::array<const int, 1> &lengths, tg::s64 key_heads, tg::s64 split_keys, tg::s64 pair,
                    tg::s64 pairs, const Body &body) {
  const int step = static_cast<int>(pairs), heads = static_cast<int>(key_heads), keys = static_cast<int>(split_keys);
  int next = static_cast<int>(pair);
  for (tg::s64 sequence = 0; sequence < lengths.dim(0); ++sequence) {
    const int length = lengths[sequence], splits = tg::cdiv(length, keys) * heads;
    for (; next < splits; next += step) {
      const int number = next / heads, begin = number * keys;
      body(Split{sequence, length, number, next % heads, begin, tg::minimum(length, begin + keys)});
    }
    next -= splits;
  }
}

/// What each split makes of its queries, to be combined: o is (batch, split, key head, query and head, head_dim),
/// log_sum_exp is of scaled scores, to base 2.
template <DecodingConfig C, class T>
void decode_splits(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v,
                   tg::array<const int, 2> pages, tg::array<const int, 1> lengths, tg::array<float, 5> o,
                   tg::array<float, 4> log_sum_exp, float scale, tg::s64 split_keys, tg::s64 blocks) {
  constexpr int rows = 64, columns = C.pairs > 1 ? 32 : 64, most_rows = C.queries * C.group;
  constexpr int per_copy = C.page < C.keys ? C.page : C.keys, copies = C.keys / per_copy;
  static_assert(most_rows <= rows, "the queries that share a key head are the rows of one product");
  static_assert(C.keys % per_copy == 0 && C.page % per_copy == 0, "a step is so many pages, or a page so many steps");
  const float scale2 = scale * 1.44269504f; // exp(x) is exp2(x log2(e))

  tg::kernel({.grid = {{"block", blocks}}, .threads = {"wg", 2 * C.pairs}, .approx_math = true}, [=] {
    const auto head_dim = tg::ds<C.head_dim>(0);
    const int queries = static_cast<int>(q.dim(1));
    tg::smem<T, C.pairs, rows, C.head_dim> all_q;
    tg::smem<T, C.pairs * C.stages, C.keys, C.head_dim> k_smem, v_smem;
    tg::smem<float, C.pairs, rows, columns> all_o;
    tg::barrier<C.pairs> q_ready{.num_arrivals = C.queries};
    tg::barrier<C.pairs * C.stages> k_ready{.num_arrivals = copies}, v_ready{.num_arrivals = copies};
    tg::barrier<C.pairs * C.stages> k_free, v_free;
    const int pair = static_cast<int>(tg::axis_index("wg")) % C.pairs;
    const auto stage_of = [&](unsigned step) { return static_cast<int>(step % C.stages) + pair * C.stages; };
    const auto each_split = [&](const auto &body) {
      for_each_split(lengths, k.dim(2), split_keys, tg::axis_index("block") + pair * tg::axis_size("block"),
                     tg::axis_size("block") * C.pairs, body);
    };

    if (tg::axis_index("wg") >= C.pairs) {
      if constexpr (C.pairs > 1)
        tg::set_max_registers<40>(tg::decrease);
      unsigned step = 0; // of all splits
      each_split([&](const Split &split) {
        for (int first = split.begin; first < split.end; first += C.keys, ++step) {
          const auto stage = stage_of(step);
          const auto copy = [&](const auto &from, const auto &to, const auto &ready) {
            tg::static_for<copies>([&](auto part) {
              const int key = first + part * per_copy;
              const bool is_there = key < split.end;
              const int page = pages[split.sequence, tg::where(is_there, key, first) / C.page];
              tg::copy_gmem_to_smem(from.at(page, tg::ds<per_copy>(key % C.page), split.head, head_dim),
                                    to.at(stage, tg::ds<per_copy>(part * per_copy)), ready.at(stage),
                                    {.predicate = is_there});
            });
          };
          if (step >= C.stages)
            tg::barrier_wait(k_free.at(stage));
          copy(k, k_smem, k_ready);
          if (step >= C.stages)
            tg::barrier_wait(v_free.at(stage));
          copy(v, v_smem, v_ready);
        }
      });
      return;
    }

    if constexpr (C.pairs > 1)
      tg::set_max_registers<(C.pairs > 1 ? 216 : 240)>(tg::increase);
    const auto q_smem = all_q.at(pair);
    const auto o_smem = all_o.at(pair);
    tg::acc<float, rows, C.keys> s;
    tg::acc<float, rows, C.head_dim> sum;
    unsigned step = 0; // of all splits
    each_split([&](const Split &split) {
      const auto [sequence, length, number, head, begin, end] = split;
      auto greatest = tg::full<float, rows>(-tg::inf); // of the scores, not scaled
      auto total = tg::zeros<float, rows>();           // of the weights
      sum[tg::all] = tg::zeros<float, rows, C.head_dim>();
      tg::static_for<C.queries>([&](auto i) {
        tg::copy_gmem_to_smem(q.at(sequence, i, tg::ds<C.group>(head * C.group), head_dim),
                              q_smem.at(tg::ds<C.group>(i * C.group)), q_ready.at(pair), {.predicate = i < queries});
      });
      tg::barrier_wait(q_ready.at(pair));

      const auto advance = [&](auto is_masked, int first) {
        const auto stage = stage_of(step);
        tg::barrier_wait(k_ready.at(stage));
        tg::wgmma(s, q_smem, tg::transpose_ref(k_smem.at(stage)), {.accumulate = false});
        auto scores = s[tg::all];
        tg::barrier_arrive(k_free.at(stage));
        if constexpr (is_masked) {
          const auto key = tg::iota<int, C.keys>() + first;
          // Query i of M stands at key i + N - M of N.
          const auto stands = tg::iota<int, rows>() / C.group + (length - queries);
          scores = tg::where(key[tg::newaxis, tg::all] <= tg::minimum(stands, end - 1)[tg::all, tg::newaxis], scores,
                             -tg::inf);
        }
        const auto next = tg::maximum(greatest, tg::max<1>(scores));
        const auto taken = tg::where(next == -tg::inf, 0.0f, next); // -inf - -inf is NaN
        const auto correction = tg::exp2((greatest - taken) * scale2);
        const auto weights = tg::exp2(scores * scale2 - (taken * scale2)[tg::all, tg::newaxis]);
        greatest = next;
        total = total * correction + tg::sum<1>(weights);
        sum[tg::all] = sum[tg::all] * correction[tg::all, tg::newaxis];
        tg::barrier_wait(v_ready.at(stage));
        if constexpr (is_masked) {
          // What lies behind the last key may be anything, NaN too: it is not multiplied.
          const auto is_there = tg::iota<int, C.keys>() < end - first;
          tg::static_for<C.head_dim / columns>([&](auto i) {
            const auto values = v_smem.at(stage, tg::ds<C.keys>(0), tg::ds<columns>(i * columns));
            values[tg::all] =
                tg::where(is_there[tg::all, tg::newaxis], values[tg::all], tg::zeros<T, C.keys, columns>());
          });
          tg::commit_smem();
        }
        tg::wgmma(sum, tg::astype<T>(weights), v_smem.at(stage));
        tg::wgmma_wait<0>();
        tg::barrier_arrive(v_free.at(stage));
        ++step;
      };
      // All queries see all keys of the first steps.
      const int unmasked = begin + tg::maximum(tg::minimum(end, length - queries + 1) - begin, 0) / C.keys * C.keys;
      int first = begin;
      for (; first < unmasked; first += C.keys)
        advance(tg::constant<false>{}, first);
      for (; first < end; first += C.keys)
        advance(tg::constant<true>{}, first);

      const auto all = tg::ds<rows>(0);
      const auto is_there = tg::iota<int, rows>() < queries * C.group;
      const auto lse = tg::where(total > 0.0f, greatest * scale2 + tg::log2(total), -tg::inf);
      tg::store(log_sum_exp.at(sequence, number, head, all), lse, is_there);
      const auto inverse = tg::where(total > 0.0f, 1.0f / total, 0.0f);
      tg::static_for<C.head_dim / columns>([&](auto i) {
        constexpr int column = i * columns;
        tg::wait_smem_to_gmem<0>(/*read_only=*/true);
        o_smem[tg::all] = sum[tg::all, tg::ds<columns>(column)] * inverse[tg::all, tg::newaxis];
        tg::commit_smem();
        tg::copy_smem_to_gmem(o_smem.at(tg::ds<most_rows>(0)),
                              o.at(sequence, number, head, tg::ds<most_rows>(0), tg::ds<columns>(column)));
      });
    });
    tg::wait_smem_to_gmem<0>();
  });
}

/// q is (batch, queries, heads, head_dim): the last queries of each sequence, which see the keys up to where they
/// stand. k and v are (pages, keys of a page, key heads, head_dim), of any strides; keys i * page on of sequence b are
/// page pages(b, i), and lengths(b) keys there are. log_sum_exp is (batch, heads, queries), of the scaled scores. A
/// query without keys gives 0, and -inf. What pages hold behind a sequence's end, and the table behind its last page,
/// is not looked at.
template <DecodingConfig C, class T>
TEGULA_KERNEL void decode(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v, tg::array<T, 4> o,
                          tg::array<float, 3> log_sum_exp, tg::array<const int, 2> pages,
                          tg::array<const int, 1> lengths, float scale, tg::s64 split_keys, tg::s64 multiprocessors) {
  const auto queries = q.dim(1);
  tg::check(q.dim(3) == C.head_dim && k.dim(3) == C.head_dim, "this instance is for another head dimension");
  tg::check(k.dim(1) == C.page, "this instance is for pages of another size");
  tg::check(queries <= C.queries, "this instance is for fewer queries of a sequence");
  tg::check(q.dim(2) == k.dim(2) * C.group, "this instance is for another number of query heads of a key head");
  tg::check(k.dim(0) == v.dim(0) && k.dim(1) == v.dim(1) && k.dim(2) == v.dim(2) && k.dim(3) == v.dim(3),
            "k and v differ");
  tg::check(pages.dim(0) == q.dim(0) && lengths.dim(0) == q.dim(0), "pages and lengths have a row per batch");
  tg::check(o.dim(0) == q.dim(0) && o.dim(1) == q.dim(1) && o.dim(2) == q.dim(2) && o.dim(3) == q.dim(3),
            "o is as q is");
  tg::check(log_sum_exp.dim(0) == q.dim(0) && log_sum_exp.dim(1) == q.dim(2) && log_sum_exp.dim(2) == q.dim(1),
            "log_sum_exp is (batch, heads, queries)");
  tg::check(scale > 0.0f, "a scale is greater than 0: the greatest score is found before they are scaled");
  tg::check(multiprocessors > 0, "there is no multiprocessor");
  tg::check(split_keys > 0 && split_keys % C.page == 0 && split_keys % C.keys == 0,
            "a split is so many whole pages and steps");
  const auto splits = tg::cdiv(pages.dim(1) * C.page, split_keys);
  auto partial = tg::empty<float>(q.dim(0), splits, k.dim(2), queries * C.group, C.head_dim);
  auto partial_lse = tg::empty<float>(q.dim(0), splits, k.dim(2), queries * C.group);
  decode_splits<C>(q, k, v, pages, lengths, partial, partial_lse, scale, split_keys, multiprocessors);
  constexpr int chunk = 4; // splits at a time
  const auto row = [](auto query, auto head) { return query * C.group + head % C.group; };
  tg::pallas_call(
      {.grid = {q.dim(0), q.dim(2), queries}},
      [=](auto lengths, auto partial, auto partial_lse, auto o, auto log_sum_exp) {
        const auto splits = tg::cdiv(static_cast<tg::s64>(lengths[0]), split_keys);
        float greatest = -tg::inf, total = 0;
        auto sum = tg::zeros<float, C.head_dim>();
        for (tg::s64 i = 0; i < splits; i += chunk)
          tg::static_for<chunk>([&](auto j) {
            const bool is_there = i + j < splits;
            const float lse = tg::load(partial_lse.at(i + j), is_there, -tg::inf);
            const auto values = tg::load(partial.at(i + j), is_there, 0.0f);
            const float next = tg::maximum(greatest, lse);
            const float taken = next == -tg::inf ? 0.0f : next; // -inf - -inf is NaN
            const float weight = tg::exp2(lse - taken), correction = tg::exp2(greatest - taken);
            greatest = next;
            total = total * correction + weight;
            sum = sum * correction + values * weight;
          });
        o[tg::all] = tg::astype<T>(sum * (total > 0 ? 1 / total : 0.0f));
        log_sum_exp[] = total > 0 ? (greatest + tg::log2(total)) * 0.69314718f : -tg::inf;
      },
      tg::in<1>(lengths, [](auto batch, auto, auto) { return tg::index(batch); }),
      tg::in<tg::squeezed, tg::whole, tg::squeezed, tg::squeezed, C.head_dim>(
          partial,
          [=](auto batch, auto head, auto query) { return tg::index(batch, 0, head / C.group, row(query, head), 0); }),
      tg::in<tg::squeezed, tg::whole, tg::squeezed, tg::squeezed>(
          partial_lse,
          [=](auto batch, auto head, auto query) { return tg::index(batch, 0, head / C.group, row(query, head)); }),
      tg::out<tg::squeezed, tg::squeezed, tg::squeezed, C.head_dim>(
          o, [](auto batch, auto head, auto query) { return tg::index(batch, query, head, 0); }),
      tg::out<tg::squeezed, tg::squeezed, tg::squeezed>(
          log_sum_exp, [](auto batch, auto head, auto query) { return tg::index(batch, head, query); }));
}

} // namespace samples
