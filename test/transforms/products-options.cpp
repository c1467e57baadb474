// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an author pins of how products are cut for Hopper's tensor cores.
// RUN: tegulac -Rsplit --arch=sm_90a --emit=tile-expanded %s -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: not tegulac --arch=sm_90a --emit=ptx -DTOO_MUCH %s 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not tegulac --arch=sm_90a --emit=ptx -DMISFITS %s 2>&1 | FileCheck %s --check-prefix=MISFITS
#include <tegula/tegula.h>
namespace tg = tegula;

using matrix = tg::array<const tg::bf16, 2>;

template <int Consumers, int N, int K, int Stages>
TEGULA_KERNEL void product(matrix a, matrix b, tg::array<tg::bf16, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  // ERROR: products-options.cpp:[[@LINE+1]]:3: error: the options of this product cannot be met: the factors of the steps that are kept take more shared memory than there is. Leave them out to let the compiler choose [tegula-split]
  tg::pallas_call({.num_consumers = Consumers, .tile_n = N, .tile_k = K, .num_stages = Stages},
                  [](auto a, auto b, auto o) { o[tg::all] = tg::astype<tg::bf16>(tg::dot(a[tg::all], b[tg::all])); },
                  tg::in(a), tg::in(b), tg::out(o));
}

#ifdef TOO_MUCH
TEGULA_INSTANTIATE("too_much", product<2, 256, 128, 8>);
#elif defined(MISFITS)
template <int Consumers, int N, int K, class T>
TEGULA_KERNEL void blocks(tg::array<const T, 2> a, tg::array<const T, 2> b, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  // MISFITS: products-options.cpp:[[#@LINE+5]]:3: error: the options of this product cannot be met: each of .num_consumers = 2 has 64 rows, and a block has 64. Leave them out
  // MISFITS: error: the options of this product cannot be met: .num_consumers = 3 is for products that are made of others; 1 or 2 warpgroups multiply these. Leave them out
  // MISFITS: error: the options of this product cannot be met: .tile_n is 192, and a block has 128 columns. Leave them out
  // MISFITS: error: the options of this product cannot be met: .tile_k is 32, and a loop of the program sums steps of 64. Leave them out
  // MISFITS: error: the options of this product cannot be met: tensor cores multiply f32 as tf32 alone
  tg::pallas_call({.grid = {tg::cdiv(o.dim(0), 64), tg::cdiv(o.dim(1), 128)}, .num_consumers = Consumers, .tile_n = N, .tile_k = K},
                  [](auto a, auto b, auto o) {
    auto sum = tg::zeros<float, 64, 128>();
    for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k)
      sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], b[tg::ds<64>(64 * k), tg::all]);
    o[tg::all] = sum;
  }, tg::in<64, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
     tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }),
     tg::out<64, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
TEGULA_INSTANTIATE("rows", blocks<2, 0, 0, tg::bf16>);
TEGULA_INSTANTIATE("three", blocks<3, 0, 0, tg::bf16>);
TEGULA_INSTANTIATE("columns", blocks<0, 192, 0, tg::bf16>);
TEGULA_INSTANTIATE("steps", blocks<0, 0, 32, tg::bf16>);
TEGULA_INSTANTIATE("types", blocks<1, 0, 0, float>);
// MISFITS: products-options.cpp:[[#@LINE+3]]:3: error: the options of this product cannot be met: the launch has no product. Leave them out
TEGULA_KERNEL void copy(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o do not fit");
  tg::pallas_call({.num_stages = 3}, [](auto x, auto o) { o[tg::ds<64>(0)] = x[tg::ds<64>(0)]; }, tg::in<64>(x, [] { return tg::index(0); }), tg::out<64>(o, [] { return tg::index(0); }));
}
#else
// REMARKS: factors that TMA can copy: tensor cores, in sub-tiles of 64 by 192 (pinned_0_tensor): 1 consumer warpgroup of 240 registers a thread, a producer of 40, and 5 stages
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
