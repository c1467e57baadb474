// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an author pins of how products are cut for Hopper's tensor cores.
// RUN: tegulac -Rsplit --arch=sm_90a --emit=tile-expanded %s -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: not tegulac --arch=sm_90a --emit=ptx -DTOO_MUCH %s 2>&1 | FileCheck %s --check-prefix=ERROR
#include <tegula/tegula.h>
namespace tg = tegula;

using matrix = tg::array<const tg::bf16, 2>;

template <int Consumers, int N, int K, int Stages>
TEGULA_KERNEL void product(matrix a, matrix b, tg::array<tg::bf16, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  // ERROR: products-options.cpp:[[@LINE+1]]:3: error: the options of products cannot be had: the factors of the steps that are kept take more shared memory than there is. Leave them out, and the compiler chooses [tegula-split]
  tg::pallas_call({.num_consumers = Consumers, .tile_n = N, .tile_k = K, .num_stages = Stages},
                  [](auto a, auto b, auto o) { o[tg::all] = tg::astype<tg::bf16>(tg::dot(a[tg::all], b[tg::all])); },
                  tg::in(a), tg::in(b), tg::out(o));
}

#ifdef TOO_MUCH
TEGULA_INSTANTIATE("too_much", product<2, 256, 128, 8>);
#else
// REMARKS: factors that TMA can copy: tensor cores, in sub-tiles of 64 by 192 (pinned_0_tensor)
// REMARKS: results that TMA cannot copy: sub-tiles of 64 columns (pinned_0_tensor_small)
// CHECK-LABEL: tile.launch "pinned_0"
// CHECK: tile.launch_kernel @pinned_0_tensor
// CHECK-LABEL: tile.kernel @pinned_0_tensor(
// CHECK: tile.alloc : <bf16, [5, 64, 32], smem>
// CHECK: tile.alloc : <bf16, [5, 32, 192], smem>
TEGULA_INSTANTIATE("pinned", product<1, 192, 32, 5>);

// What is not given the compiler chooses.
// CHECK-LABEL: tile.kernel @stages_0_tensor(
// CHECK: tile.alloc : <bf16, [2, 128, 64], smem>
// CHECK: tile.alloc : <bf16, [2, 64, 256], smem>
TEGULA_INSTANTIATE("stages", product<0, 0, 0, 2>);
#endif
