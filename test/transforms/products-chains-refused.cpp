// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac -Rsplit --verify --emit=tile-expanded --arch=sm_90a %s -o %t 2>%t.remarks
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: FileCheck %s --check-prefix=KERNELS --input-file=%t
// RUN: not tegulac --emit=tile-split --arch=sm_90a -DOPTIONS %s -o %t 2>&1 | FileCheck %s --check-prefix=OPTIONS
// Loops whose products are made of others: what they may do beside, and what keeps them from tensor cores.
#include <tegula/tegula.h>
namespace tg = tegula;

/// What a loop does beside attention.
enum class With {
  nothing,
  bias,
  replaced_sum,
  scaled_queries,
  loaded_bound,
  no_steps,
  two_scores,
  added_scores,
  no_greatest,
  scaled_sum,
  greatest_sum,
  of_sums,
  other_queries,
  scaled_keys,
  turned,
  turned_back,
  of_columns,
  key_sums,
  of_stored,
  third
};

struct Blocks {
  int queries = 64, keys = 64, head = 64;
  bool is_head_known = true;
  int consumers = 0, columns = 0, depth = 0, stages = 0, cluster = 0;
};

template <class T> using matrix = tg::array<const T, 2>;

template <With W, Blocks B = Blocks{}, class T = tg::f16>
TEGULA_KERNEL void attend(matrix<T> q, matrix<T> k, matrix<T> v, matrix<T> w, matrix<float> bias,
                          tg::array<const tg::s64, 1> count, tg::array<T, 2> o) {
  tg::check(k.dim(1) == q.dim(1) && v.dim(1) == B.head && o.dim(1) == B.head, "other heads");
  if constexpr (B.is_head_known)
    tg::check(q.dim(1) == B.head, "other heads");
  tg::check(q.dim(1) <= B.head, "other heads");
  tg::check(o.dim(0) == q.dim(0) && v.dim(0) == k.dim(0) && bias.dim(0) == q.dim(0) && bias.dim(1) == k.dim(0),
            "other lengths");
  tg::check(w.dim(0) == B.head && w.dim(1) == B.head && count.dim(0) == 1, "w or count");
  constexpr auto rows = [](auto i) { return tg::index(i, 0); };
  constexpr auto all = [](auto) { return tg::index(0, 0); };
  tg::pallas_call(
      {.grid = {tg::cdiv(q.dim(0), B.queries)},
       .num_consumers = B.consumers,
       .tile_n = B.columns,
       .tile_k = B.depth,
       .num_stages = B.stages,
       .cluster = B.cluster},
      [=](auto q, auto k, auto v, auto w, auto bias, auto count, auto o) {
        auto sum = tg::zeros<float, B.queries, B.head>();
        auto total = tg::zeros<float, B.queries>();
        auto scores = tg::zeros<float, B.queries, B.keys>();
        auto queries = q[tg::all];
        if constexpr (W == With::scaled_queries)
          queries = tg::astype<T>(tg::astype<float>(queries) * 0.5f);
        if constexpr (W == With::of_stored)
          o[tg::all] = tg::astype<T>(sum);
        tg::s64 end = k.dim(0);
        if constexpr (W == With::loaded_bound)
          end = count[0];
        if constexpr (W == With::no_steps)
          end = tg::minimum(end, 0);
        for (tg::s64 i = 0; i < end; i += B.keys) {
          const auto step = tg::ds<B.keys>(i);
          if constexpr (W == With::other_queries)
            queries = tg::astype<T>(tg::astype<float>(queries) * 0.5f);
          auto keys = tg::transpose(k[step]);
          if constexpr (W == With::scaled_keys)
            keys = tg::astype<T>(tg::astype<float>(keys) * 0.5f);
          const auto values = v[step];
          if constexpr (W == With::bias)
            scores = bias[tg::all, step] + tg::dot(queries, keys);
          else if constexpr (W == With::of_sums)
            scores = tg::dot(tg::astype<T>(sum), keys);
          else if constexpr (W == With::turned)
            scores = tg::transpose(tg::dot(k[step], tg::transpose(queries)));
          else
            scores = tg::dot(queries, keys);
          if constexpr (W == With::turned_back)
            scores = tg::transpose(tg::transpose(scores) + 1.0f);
          if constexpr (W == With::of_columns)
            scores = scores - tg::max<0>(scores)[tg::newaxis, tg::all];
          if constexpr (W == With::key_sums)
            scores = scores + tg::sum<0>(tg::astype<float>(keys))[tg::newaxis, tg::all];
          if constexpr (W == With::of_stored)
            scores = scores + tg::astype<float>(o[0, 0]);
          if constexpr (W == With::two_scores)
            scores = scores * tg::dot(queries, tg::transpose(values));
          if constexpr (W == With::added_scores)
            scores = scores + tg::dot(queries, tg::transpose(values));
          auto weights = scores;
          if constexpr (W == With::no_greatest)
            weights = tg::exp2(scores);
          else
            weights = tg::exp2(scores - tg::max<1>(scores)[tg::all, tg::newaxis]);
          total = total + tg::sum<1>(weights);
          const auto part = tg::dot(tg::astype<T>(weights), values);
          if constexpr (W == With::replaced_sum)
            sum = part;
          else if constexpr (W == With::scaled_sum)
            sum = (sum + part) * 0.5f;
          else if constexpr (W == With::greatest_sum)
            sum = tg::maximum(sum, part);
          else if constexpr (W == With::third)
            sum = sum + tg::dot(tg::astype<T>(part), w[tg::all]);
          else
            sum = sum + part;
        }
        o[tg::all] = tg::astype<T>(sum * (1.0f / total)[tg::all, tg::newaxis]);
      },
      tg::in<B.queries, B.head>(q, rows), tg::in<tg::whole, B.head>(k, all), tg::in<tg::whole, B.head>(v, all),
      tg::in<B.head, B.head>(w, all), tg::in<B.queries, tg::whole>(bias, rows), tg::in(count),
      tg::out<B.queries, B.head>(o, rows));
}

#ifdef OPTIONS
#define PINNED(name, with, ...) TEGULA_INSTANTIATE(#name, attend<With::with, Blocks{__VA_ARGS__}>)
// OPTIONS-COUNT-3: error: the options of this product cannot be met: products that are made of others have the columns and the depth that the program gives them, and no cluster. Leave them out
PINNED(columns, nothing, .columns = 64);
PINNED(depth, nothing, .depth = 64);
PINNED(cluster, nothing, .queries = 256, .cluster = 2);
// OPTIONS: error: the options of this product cannot be met: each of .num_consumers = 2 has 64 rows, and a block has 64. Leave
PINNED(consumers, nothing, .consumers = 2);
// OPTIONS: error: the options of this product cannot be met: the factors of the steps that are kept take more shared memory than there is: take smaller blocks or steps. Leave
PINNED(stages, nothing, .keys = 128, .head = 128, .stages = 8);
// OPTIONS: error: the options of this product cannot be met: the right factor of a product is computed
PINNED(keys, scaled_keys, .stages = 2);
#else
#define KERNEL(name, with, ...) TEGULA_INSTANTIATE(#name, attend<With::with, Blocks{__VA_ARGS__}>)

// What is added to the first product is added behind it; the sum may begin anew in each step.
// REMARKS: factors that TMA can copy, and other matrices aligned to 16 bytes: {{.*}} (bias_0_tensor)
// KERNELS-LABEL: tile.kernel @bias_0_tensor(
// KERNELS-SAME: %bias: !tile.ref<f32, [?, ?], align 16>
// KERNELS: scf.for
// KERNELS: scf.for
// KERNELS: tile.wgmma %{{[^ ]+}} if %false
// KERNELS: tile.wgmma_wait 1
// KERNELS: tile.add {{.*}} : tensor<64x64xf32>
// KERNELS-LABEL: tile.kernel @bias_0(
KERNEL(bias, bias);
// REMARKS: (replaced_sum_0_tensor)
KERNEL(replaced_sum, replaced_sum);
// A left factor that is computed is computed once, and kept in shared memory.
// REMARKS: (scaled_queries_0_tensor)
// KERNELS-LABEL: tile.kernel @scaled_queries_0_tensor
// KERNELS: tile.store {{.*}}, smem
// KERNELS: tile.fence_shared
// KERNELS: scf.if
KERNEL(scaled_queries, scaled_queries);
// Left factors are made when the products of the step before no longer read theirs, even if they could be before.
// REMARKS: (no_greatest_0_tensor)
// KERNELS-LABEL: tile.kernel @no_greatest_0_tensor
// KERNELS: scf.if
// KERNELS: scf.if
// KERNELS: scf.for
// KERNELS: tile.wgmma_wait 1
// KERNELS: tile.exp2
// KERNELS-NOT: tile.cast
// KERNELS: tile.wgmma_wait 0
// KERNELS: tile.cast
// KERNELS-LABEL: tile.kernel @no_greatest_0(
KERNEL(no_greatest, no_greatest);
// REMARKS: (two_scores_0_tensor)
KERNEL(two_scores, two_scores);
// One accumulator does for scores that are added.
// REMARKS: (added_scores_0_tensor)
// KERNELS-LABEL: tile.kernel @added_scores_0_tensor(
// KERNELS: %[[FIRST:[0-9]+]] = tile.wgmma %{{[^ ]+}} if %false
// KERNELS: tile.wgmma %[[FIRST]], {{.*}} -> tensor<64x64xf32>
// KERNELS: tile.wgmma_wait 0
// KERNELS-NOT: tile.add {{.*}} : tensor<64x64xf32>
// KERNELS: tile.reduce max
KERNEL(added_scores, added_scores);
// Two CTAs have 128 rows each.
// REMARKS: sub-tiles of 128 rows (many_queries_0_tensor): 2 consumer warpgroups
KERNEL(many_queries, nothing, .queries = 256);
// REMARKS: sub-tiles of 64 rows (few_queries_0_tensor): 1 consumer warpgroup
KERNEL(few_queries, nothing, .queries = 16);
// REMARKS: (no_steps_0_tensor)
KERNEL(no_steps, no_steps);
// The producer loads the bound, too.
// REMARKS: (loaded_bound_0_tensor)
KERNEL(loaded_bound, loaded_bound);
// Those are all.
// REMARKS-NOT: _tensor

// REMARKS: not on tensor cores: the loop does more with a product that is made of another one than to add it up: scale the sum before, as by sum = sum * x + tg::dot(...) (scaled_sum_0)
KERNEL(scaled_sum, scaled_sum);
// REMARKS: the loop does more with a product that is made of another one {{.*}} (greatest_sum_0)
KERNEL(greatest_sum, greatest_sum);
// REMARKS: a product is made of the sums of the steps before, and thus waits for them (of_sums_0)
KERNEL(of_sums, of_sums);
// REMARKS: the loop does more with a product that is made of another one {{.*}} (third_0)
KERNEL(third, third);
// REMARKS: the left factor of a product that others are made of changes from step to step: load or compute it in front of the loop (other_queries_0)
KERNEL(other_queries, other_queries);
// REMARKS: the right factor of a product is computed: load it as it stands, or transposed, and compute the left one, or do it in a launch of its own (scaled_keys_0)
KERNEL(scaled_keys, scaled_keys);
// REMARKS: the right factor of a product is computed{{.*}} (turned_0)
KERNEL(turned, turned);
// REMARKS: between the products, the loop transposes, prints, stores or branches: it can compute, and reduce rows. A mask needs no branch: steps that need none have a loop of their own (turned_back_0)
KERNEL(turned_back, turned_back);
// REMARKS: between the products, the loop reduces columns or whole tiles: it can reduce rows, as by tg::max<1> (of_columns_0)
KERNEL(of_columns, of_columns);
// REMARKS: the loop computes with a factor beside the product (key_sums_0)
KERNEL(key_sums, key_sums);
// REMARKS: the program's loads and stores depend on each other's order (of_stored_0)
KERNEL(of_stored, of_stored);
// REMARKS: a product has 24 columns; where products are made of others, they have a multiple of 16, up to 256 (keys_24_0)
KERNEL(keys_24, nothing, .keys = 24);
// REMARKS: products that are made of others, and those, have at most 256 columns, and sum at most 256 elements in a step: take smaller blocks (keys_512_0)
KERNEL(keys_512, nothing, .keys = 512);
// REMARKS: the factors of the steps that are kept take more shared memory than there is: take smaller blocks or steps (keys_256_0)
KERNEL(keys_256, nothing, .keys = 256, .head = 256);
// REMARKS: a step of the loop sums 40 elements, and tensor cores take a multiple of 16 (head_40_0)
KERNEL(head_40, nothing, .head = 40);
// REMARKS: the left factor of a product is computed, and may have fewer columns than its block: tell by tg::check how many its array has (head_unknown_0)
KERNEL(head_unknown, scaled_queries, .is_head_known = false);
// REMARKS: tensor cores multiply f32 as tf32 alone{{.*}} (of_f32_0)
TEGULA_INSTANTIATE("of_f32", attend<With::nothing, Blocks{}, float>);
// REMARKS: products that are made of others, and those, are of f16 or bf16 alone: convert them by tg::astype (of_e4m3_0)
TEGULA_INSTANTIATE("of_e4m3", attend<With::nothing, Blocks{}, tg::e4m3>);
#endif
