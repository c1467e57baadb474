// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac -Rsplit --verify --emit=tile-expanded --arch=sm_90a %s -o %t 2>%t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks --implicit-check-not=warning
// RUN: tegulac --emit=tile-split --arch=sm_90a %s -o - | FileCheck %s --check-prefix=SPLIT
// RUN: tegulac --emit=resources --arch=sm_90a %s -o - | FileCheck %s --check-prefix=RESOURCES
// A loop whose second product is made of the first one, as that of attention is: consumers begin the first product of a
// step, and the second one of the step before, together.
#include <tegula/tegula.h>
namespace tg = tegula;

/// Which scores are left out.
enum class Mask { none, causal, window, constant_first, multiples };

template <int Head, Mask M, int Consumers = 0, int Stages = 0, int keys = 64>
TEGULA_KERNEL void attend(tg::array<const tg::f16, 2> q, tg::array<const tg::f16, 2> k, tg::array<const tg::f16, 2> v,
                          tg::array<tg::f16, 2> o, tg::s64 before) {
  constexpr int queries = Consumers == 3 ? 192 : 128;
  tg::check(q.dim(1) == Head && k.dim(1) == Head && v.dim(1) == Head && o.dim(1) == Head, "other heads");
  tg::check(o.dim(0) == q.dim(0) && v.dim(0) == k.dim(0), "other lengths");
  constexpr auto rows = [](auto i) { return tg::index(i, 0); };
  constexpr auto all = [](auto) { return tg::index(0, 0); };
  tg::pallas_call(
      {.grid = {tg::cdiv(q.dim(0), queries)}, .approx_math = true, .num_consumers = Consumers, .num_stages = Stages},
      [=](auto q, auto k, auto v, auto o) {
        auto greatest = tg::full<float, queries>(-tg::inf);
        auto total = tg::zeros<float, queries>();
        auto sum = tg::zeros<float, queries, Head>();
        const auto query =
            (tg::iota<int, queries>() + static_cast<int>(tg::program_id(0) * queries))[tg::all, tg::newaxis];
        for (tg::s64 i = 0; i < k.dim(0); i += keys) {
          auto scores = tg::zeros<float, queries, keys>();
          if constexpr (Consumers == 0)
            scores = tg::dot(q[tg::all], tg::transpose(k[tg::ds<keys>(i)]));
          else
            scores = tg::dot(q[tg::all], tg::transpose_ref(k)[tg::all, tg::ds<keys>(i)]);
          const auto key = (tg::iota<int, keys>() + static_cast<int>(i))[tg::newaxis, tg::all];
          if constexpr (M == Mask::causal)
            scores = tg::where(key <= query, scores, -1e30f);
          if constexpr (M == Mask::window)
            scores = tg::where((key <= query) & (key > query - static_cast<int>(before)), scores, -1e30f);
          if constexpr (M == Mask::constant_first)
            scores = tg::where(query < key, -1e30f, scores);
          if constexpr (M == Mask::multiples)
            scores = tg::where(key * key <= query, scores, -1e30f);
          const auto next = tg::maximum(greatest, tg::max<1>(scores));
          const auto correction = tg::exp2(greatest - next);
          const auto weights = tg::exp2(scores - next[tg::all, tg::newaxis]);
          total = total * correction + tg::sum<1>(weights);
          sum = sum * correction[tg::all, tg::newaxis] + tg::dot(tg::astype<tg::f16>(weights), v[tg::ds<keys>(i)]);
          greatest = next;
        }
        o[tg::all] = tg::astype<tg::f16>(sum * (1.0f / total)[tg::all, tg::newaxis]);
      },
      tg::in<queries, Head>(q, rows), tg::in<tg::whole, Head>(k, all), tg::in<tg::whole, Head>(v, all),
      tg::out<queries, Head>(o, rows));
}

// The host asks whether TMA can copy the factors. There is one kernel for them, and one for other arrays.
// REMARKS: factors that TMA can copy: tensor cores, in sub-tiles of 128 rows (plain_0_tensor):
// REMARKS-SAME: 2 consumer warpgroups of 240 registers a thread, a producer of 24, and 4 stages
// SPLIT-LABEL: tile.launch "plain_0"
// SPLIT-COUNT-3: tile.can_map
// SPLIT: tile.launch_kernel @plain_0_tensor
// SPLIT: tile.launch_kernel @plain_0
// SPLIT-NOT: tile.launch_kernel
// SPLIT-LABEL: tile.entry @causal(
// SPLIT: tile.kernel @plain_0_tensor(
// SPLIT-SAME: consumers = 2
// SPLIT: tile.kernel @plain_0(
// SPLIT: tile.kernel @causal_0_tensor(

// RESOURCES: plain_0_tensor: {{.*}}, spills 0
// CHECK-LABEL: tile.kernel @plain_0_tensor(
// CHECK-SAME: threads = 384
// CHECK: tile.alloc : <f16, [2, 64, 64], smem>
// CHECK: %[[K:.*]] = tile.alloc : <f16, [4, 64, 64], smem>
// CHECK: %[[KFULL:.*]] = tile.alloc_barriers {{.*}}<4>
// CHECK: %[[KEMPTY:.*]] = tile.alloc_barriers frees {{.*}}<4>
// CHECK: %[[V:.*]] = tile.alloc : <f16, [4, 64, 64], smem>
// CHECK: %[[VFULL:.*]] = tile.alloc_barriers {{.*}}<4>
// CHECK: %[[VEMPTY:.*]] = tile.alloc_barriers frees {{.*}}<4>
// The producer has a ring of keys and one of values.
// CHECK: tile.set_max_registers 24
// CHECK: scf.for
// CHECK: tile.barrier_wait %[[KEMPTY]]
// CHECK: tile.copy_to_shared {{.*}}, %[[KFULL]][
// CHECK: tile.barrier_wait %[[VEMPTY]]
// CHECK: tile.copy_to_shared {{.*}}, %[[VFULL]][
// A consumer copies its queries once. Of no keys it makes nothing.
// CHECK: tile.set_max_registers increase 240
// CHECK: tile.copy_to_shared
// CHECK: tile.barrier_wait
// CHECK: scf.if
// The first step has no second product. It may be the last one, which has fewer keys: what is beyond them is masked.
// CHECK-NOT: scf.for
// CHECK: tile.wgmma
// CHECK: tile.wgmma_wait 0
// CHECK: tile.where
// CHECK: tile.reduce sum
// All keys of the next ones are there: no masks.
// CHECK: scf.for
// CHECK-NOT: tile.where
// CHECK-NOT: tile.iota
// CHECK: tile.barrier_wait %[[KFULL]]
// CHECK: %[[S:.*]] = tile.wgmma %{{.*}} if %false{{.*}} tensor<64x64xf32>
// CHECK: tile.barrier_wait %[[VFULL]]
// CHECK: %[[O:.*]] = tile.wgmma %{{.*}} : tensor<64x64xf16>, <f16, [64, 64], smem>
// CHECK: tile.wgmma_wait 1(%[[S]], %[[O]])
// CHECK: tile.barrier_arrive %[[KEMPTY]]
// CHECK: tile.reduce max
// CHECK: tile.wgmma_wait 0
// CHECK: tile.barrier_arrive %[[VEMPTY]]
// CHECK: tile.exp2 {{.*}} tensor<64x64xf32>
// CHECK: tile.reduce sum
// CHECK: scf.yield
// The last one may have fewer.
// CHECK: scf.for
// CHECK: tile.wgmma
// CHECK: tile.wgmma
// CHECK: tile.wgmma_wait 1
// CHECK: tile.lt
// CHECK: tile.where
// CHECK: tile.reduce max
// CHECK: tile.wgmma_wait 0
// CHECK: scf.yield
// Its second product comes behind the loops.
// CHECK-NOT: scf.for
// CHECK: tile.wgmma
// CHECK-NOT: tile.wgmma %
// CHECK: tile.wgmma_wait 0
// CHECK: tile.copy_to_global
TEGULA_INSTANTIATE("plain", attend<64, Mask::none>);

// Keys up to where a query stands: the first steps have no masks, neither of these nor of the last keys.
// CHECK-LABEL: tile.kernel @causal_0_tensor(
// CHECK: tile.set_max_registers increase
// CHECK: scf.for
// CHECK-NOT: tile.where
// CHECK-NOT: tile.iota
// CHECK: scf.yield
// CHECK: scf.for
// CHECK: tile.le
// CHECK: tile.wgmma_wait 1
// CHECK: tile.where
// CHECK: scf.yield
// CHECK-NOT: scf.for
// CHECK-LABEL: tile.kernel @causal_0(
TEGULA_INSTANTIATE("causal", attend<64, Mask::causal>);

// And from some key on: three loops, the second one without masks.
// CHECK-LABEL: tile.kernel @window_0_tensor(
// CHECK: tile.set_max_registers increase
// CHECK: scf.for
// CHECK: tile.where
// CHECK: scf.yield
// CHECK: scf.for
// CHECK-NOT: tile.where
// CHECK-NOT: tile.gt
// CHECK: scf.yield
// CHECK: scf.for
// CHECK: tile.where
// CHECK: scf.yield
// CHECK-NOT: scf.for
// CHECK-LABEL: tile.kernel @window_0(
TEGULA_INSTANTIATE("window", attend<64, Mask::window>);

// The constant may be what is chosen where the comparison holds.
// CHECK-LABEL: tile.kernel @constant_first_0_tensor(
// CHECK: tile.set_max_registers increase
// CHECK: scf.for
// CHECK-NOT: tile.where
// CHECK-NOT: tile.iota
// CHECK: scf.yield
// CHECK: scf.for
// CHECK: tile.where
// CHECK: scf.yield
// CHECK-NOT: scf.for
// CHECK-LABEL: tile.kernel @constant_first_0(
TEGULA_INSTANTIATE("constant_first", attend<64, Mask::constant_first>);

// Of other comparisons nothing is known: all steps have that mask. The last keys are told apart nevertheless.
// CHECK-LABEL: tile.kernel @multiples_0_tensor(
// CHECK: tile.set_max_registers increase
// CHECK: scf.for
// CHECK-COUNT-1: tile.where
// CHECK-NOT: tile.where
// CHECK: scf.yield
// CHECK: scf.for
// CHECK-COUNT-3: tile.where
// CHECK: scf.yield
// CHECK-NOT: scf.for
// CHECK-LABEL: tile.kernel @multiples_0(
TEGULA_INSTANTIATE("multiples", attend<64, Mask::multiples>);

// What an author pins. The keys may be of a transposed view.
// REMARKS: tensor cores, in sub-tiles of 64 rows (pinned_0_tensor): 1 consumer warpgroup of 240 registers a thread, a producer of 24, and 2 stages
// CHECK-LABEL: tile.kernel @pinned_0_tensor(
// CHECK-SAME: threads = 256
// CHECK: tile.alloc : <f16, [1, 64, 64], smem>
// CHECK: tile.alloc : <f16, [2, 64, 64], smem>
// CHECK: tile.alloc : <f16, [2, 64, 64], smem>
// CHECK-LABEL: tile.kernel @pinned_0(
TEGULA_INSTANTIATE("pinned", attend<64, Mask::none, 1, 2>);

// REMARKS: in sub-tiles of 192 rows (pinned_3_0_tensor): 3 consumer warpgroups of 160 registers a thread, a producer of 32, and 4 stages
// CHECK-LABEL: tile.kernel @pinned_3_0_tensor(
// CHECK-SAME: threads = 512
// CHECK: tile.set_max_registers 32{{$}}
// CHECK: tile.set_max_registers increase 160
// CHECK-LABEL: tile.kernel @pinned_3_0(
TEGULA_INSTANTIATE("pinned_3", attend<64, Mask::none, 3>);

// A step need not be a power of two.
// REMARKS: (keys_80_0_tensor)
// CHECK-LABEL: tile.kernel @keys_80_0_tensor(
// CHECK: tile.wgmma {{.*}} -> tensor<64x80xf32>
TEGULA_INSTANTIATE("keys_80", attend<64, Mask::none, 0, 0, 80>);
