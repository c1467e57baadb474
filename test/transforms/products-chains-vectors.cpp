// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What chained products take beside their factors: vectors of keys, of which steps without masks test no element, and
// blocks that are counted.
// RUN: tegulac -Rsplit --verify --emit=tile-expanded --arch=sm_90a %s -o %t 2>%t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: tegulac --emit=resources --arch=sm_90a %s -o %t.resources
// RUN: FileCheck %s --check-prefix=REGISTERS --input-file=%t.resources
#include <tegula/tegula.h>
namespace tg = tegula;

enum class With {
  key_mask,
  key_scales,
  value_scales,
  bias_row,
  positions,
  int_blocks,
  unsigned_keys,
  loaded_bound,
  loaded_blocks
};

template <With W, int queries, int keys, int head>
TEGULA_KERNEL void attend(tg::array<const tg::f16, 2> q, tg::array<const tg::f16, 2> k, tg::array<const tg::f16, 2> v,
                          tg::array<const float, 1> x, tg::array<const bool, 1> sees, tg::array<const int, 1> counts,
                          tg::array<float, 2> o) {
  tg::check(q.dim(1) == head && k.dim(1) == head && v.dim(1) == head && o.dim(1) == head, "other heads");
  tg::check(o.dim(0) == q.dim(0) && v.dim(0) == k.dim(0), "other lengths");
  tg::check(x.dim(0) == k.dim(0) && sees.dim(0) == k.dim(0), "other keys");
  constexpr auto rows = [](auto i) { return tg::index(i, 0); };
  constexpr auto all = [](auto) { return tg::index(0, 0); };
  tg::pallas_call(
      {.grid = {tg::cdiv(q.dim(0), queries)}, .approx_math = true},
      [=](auto q, auto k, auto v, auto x, auto sees, auto counts, auto o) {
        auto sum = tg::zeros<float, queries, head>();
        auto total = tg::zeros<float, queries>(), greatest = tg::full<float, queries>(-tg::inf);
        const auto query =
            (tg::iota<int, queries>() + static_cast<int>(tg::program_id(0) * queries))[tg::all, tg::newaxis];
        auto step = [&](tg::s64 i) {
          const auto here = tg::ds<keys>(i);
          auto scores = tg::dot(q[tg::all], tg::transpose(k[here]));
          const auto key = (tg::iota<int, keys>() + static_cast<int>(i))[tg::newaxis, tg::all];
          if constexpr (W == With::key_mask)
            scores = tg::where(sees[here][tg::newaxis, tg::all], scores, -tg::inf);
          if constexpr (W == With::key_scales)
            scores = scores * x[here][tg::newaxis, tg::all];
          if constexpr (W == With::bias_row)
            scores = scores + x[here][tg::newaxis, tg::all];
          if constexpr (W == With::positions)
            scores = scores + tg::astype<float>(key - query) * 0.125f;
          const auto next = tg::maximum(greatest, tg::max<1>(scores));
          const auto safe = tg::where(next == -tg::inf, 0.0f, next), correction = tg::exp(greatest - safe);
          auto weights = tg::exp(scores - safe[tg::all, tg::newaxis]);
          total = total * correction + tg::sum<1>(weights);
          if constexpr (W == With::value_scales)
            weights = weights * x[here][tg::newaxis, tg::all];
          sum = sum * correction[tg::all, tg::newaxis] + tg::dot(tg::astype<tg::f16>(weights), v[here]);
          greatest = next;
        };
        if constexpr (W == With::int_blocks)
          for (int block = 0; block < tg::cdiv(k.dim(0), keys); ++block)
            step(block * keys);
        else if constexpr (W == With::unsigned_keys)
          for (unsigned i = 0; i < static_cast<unsigned>(k.dim(0)); i += keys)
            step(i);
        else if constexpr (W == With::loaded_bound)
          for (int block = 0; block < counts[0]; ++block)
            step(block * keys);
        else if constexpr (W == With::loaded_blocks)
          for (int block = 0; block < counts[0]; ++block)
            step(tg::s64{counts[block + 1]} * keys);
        else
          for (tg::s64 i = 0; i < k.dim(0); i += keys)
            step(i);
        o[tg::all] = sum * (1.0f / total)[tg::all, tg::newaxis];
      },
      tg::in<queries, head>(q, rows), tg::in<tg::whole, head>(k, all), tg::in<tg::whole, head>(v, all), tg::in(x),
      tg::in(sees), tg::in(counts), tg::out<queries, head>(o, rows));
}
#define KERNEL(with) TEGULA_INSTANTIATE(#with, attend<With::with, 128, 128, 128>)
#define WIDE_KERNEL(with) TEGULA_INSTANTIATE(#with "_192", attend<With::with, 192, 128, 64>)

// The elements of a vector are neighbours, as the host finds; steps that are full load all of them, without a test.
// REMARKS: factors that TMA can copy, and vectors whose elements are neighbours: {{.*}} (key_mask_0_tensor): 2 consumer warpgroups
// CHECK-LABEL: tile.kernel @key_mask_0_tensor(
// CHECK-SAME: %sees: !tile.ref<i1, [?], align 1>
// CHECK: tile.load {{.*}} : <i1, [128], align 1>
// CHECK: } else {
// CHECK: tile.load {{.*}} : <i1, [128?], align 1>
// CHECK: scf.for
// CHECK: tile.load {{.*}} : <i1, [128], align 1>
// CHECK: scf.for
// CHECK: tile.load {{.*}} : <i1, [128?], align 1>
KERNEL(key_mask);
KERNEL(key_scales);
// REMARKS: sub-tiles of 128 rows (bias_row_192_0_tensor): 2 consumer warpgroups
WIDE_KERNEL(bias_row);
// A number for each score is computed when the scores are there.
// CHECK-LABEL: tile.kernel @positions_0_tensor(
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.for {{.*}} iter_args
// CHECK: tile.wgmma_wait 1
// CHECK: tile.cast {{.*}} : tensor<64x128xi32> -> tensor<64x128xf32>
// CHECK: scf.for
KERNEL(positions);
// Two consumers have registers for what three have not.
// REMARKS: sub-tiles of 128 rows (positions_192_0_tensor): 2 consumer warpgroups
WIDE_KERNEL(positions);
// REMARKS: sub-tiles of 128 rows (value_scales_192_0_tensor): 2 consumer warpgroups
WIDE_KERNEL(value_scales);
// REGISTERS-NOT: serialized
// REGISTERS-NOT: _tensor: {{.*}} spills {{[1-9]}}
// REGISTERS: sm_90a key_mask_0_tensor: registers 168, stack 0, spills 0
// REGISTERS-NOT: _tensor: {{.*}} spills {{[1-9]}}

// Blocks may be counted, and an int or an unsigned one may count: the last step alone has masks.
// CHECK-LABEL: tile.kernel @int_blocks_0_tensor(
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.for {{.*}} iter_args
// CHECK: tile.wgmma_wait 1
// CHECK-NOT: tile.lt
// CHECK: scf.for {{.*}} iter_args
// CHECK: tile.lt
KERNEL(int_blocks);
// CHECK-LABEL: tile.kernel @unsigned_keys_0_tensor(
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.for {{.*}} iter_args
// CHECK: tile.wgmma_wait 1
// CHECK-NOT: tile.lt
// CHECK: scf.for {{.*}} iter_args
// CHECK: tile.lt
KERNEL(unsigned_keys);
// A bound that is loaded in the condition is loaded once.
// REMARKS: (loaded_bound_0_tensor)
KERNEL(loaded_bound);
// Where a loaded number says which block it is, each step finds out whether it is full.
// REMARKS: (loaded_blocks_0_tensor)
// CHECK-LABEL: tile.kernel @loaded_blocks_0_tensor(
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.for {{.*}} iter_args
// CHECK: tile.wgmma_wait 1
// CHECK: scf.if
// CHECK: tile.lt
KERNEL(loaded_blocks);
