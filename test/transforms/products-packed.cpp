// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed weights are multiplied on tensor cores: warps load them into the registers of their factors.
// RUN: tegulac --arch sm_80 -Rsplit --emit=tile-layout -o %t.mlir %s 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning:
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tegulac --arch sm_90a -Rsplit --emit=tile-layout -o - %s 2>&1 | FileCheck %s --check-prefixes=REMARK,SM90 --implicit-check-not=warning:
#include <tegula/tegula.h>
namespace tg = tegula;

// SM90: remark: all calls: not by wgmma: the right factor is of elements that are packed, two to a byte, which threads take apart in registers (product_0)
// REMARK: remark: arrays that are aligned to 16 bytes, as their rows are: tensor cores (mma.sync), in sub-tiles of 64 by 64 (product_0_tensor_dense)
// REMARK: remark: arrays of any alignment: tensor cores (mma.sync), in sub-tiles of 64 by 64, through registers (product_0_tensor_any)

// A byte has two neighbours along the sum, which are in one register of the factor: nothing is exchanged.
// CHECK-LABEL: tile.kernel @product_0_tensor_dense(
// CHECK: tile.cp_async
// CHECK: %[[W:[0-9]+]] = tile.load {{.*}} -> tensor<64x16x!tile.stored<s4>, #tile.layout<linear<register [(0, 1),
// CHECK-NEXT: %[[T:[0-9]+]] = tile.permute %[[W]] [1, 0]
// CHECK-NEXT: tile.cast %[[T]]
// CHECK: tile.mma
TEGULA_KERNEL void product(tg::array<const tg::bf16, 2> a, tg::array<const tg::s4, 2> w, tg::array<const tg::bf16, 2> s,
                           tg::array<float, 2> o) {
  tg::check(a.dim(0) == o.dim(0) && w.dim(0) == o.dim(1) && a.dim(1) == w.dim(1) && s.dim(0) == w.dim(0), "shapes");
  tg::check(s.dim(1) == tg::cdiv(w.dim(1), 64), "a scale for each group");
  tg::pallas_call({.grid = {tg::cdiv(o.dim(0), 64), tg::cdiv(o.dim(1), 64)}},
                  [](auto a, auto w, auto s, auto o) {
                    auto sum = tg::zeros<float, 64, 64>();
                    for (tg::s64 k = 0; k < a.dim(1); k += 64) {
                      const auto b = tg::astype<tg::bf16>(w[tg::all, tg::ds<64>(k)]) * s[tg::all, tg::ds<1>(k / 64)];
                      sum += tg::dot(a[tg::all, tg::ds<64>(k)], tg::transpose(b));
                    }
                    o[tg::all] = sum;
                  },
                  tg::in<64, tg::any>(a, [](auto i, auto) { return tg::index(i, 0); }),
                  tg::in<64, tg::any>(w, [](auto, auto j) { return tg::index(j, 0); }),
                  tg::in<64, tg::any>(s, [](auto, auto j) { return tg::index(j, 0); }),
                  tg::out<64, 64>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
