// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factors that are filled with zeros where their arrays end are what TMA copies: all of it, also what is stored of rows
// and columns outside. Windows that end before their array are not.
// RUN: tegulac -Rsplit --arch=sm_90a --emit=tile-expanded %s -o %t 2> %t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
#include <tegula/tegula.h>
namespace tg = tegula;

template <int M, class Take>
void multiply(tg::array<const tg::bf16, 2> x, tg::array<const tg::bf16, 2> y, tg::array<float, 2> o, Take take) {
  tg::check(x.dim(1) == y.dim(0), "x and y do not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 128), tg::cdiv(o.dim(1), 128)}},
      [=](auto x, auto y, auto o) {
        auto sum = tg::zeros<float, 128, 128>();
        for (tg::s64 k = 0; k < x.dim(1); k += 64)
          sum += tg::dot(take(x, k), tg::load(y.at(tg::ds<64>(k)), true, 0));
        tg::store(o, sum, true);
      },
      tg::in<M, tg::whole>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(y, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

// CHECK-LABEL: tile.kernel @filled_0_tensor(
// CHECK-NOT:   unfilled
// CHECK:       tile.copy_to_shared
// CHECK-NOT:   unfilled
// CHECK:       tile.wgmma
// REMARKS: products-filled.cpp:{{.*}}: remark: factors that TMA can copy: tensor cores, in sub-tiles of 128 by 128 (filled_0_tensor)
TEGULA_KERNEL void filled(tg::array<const tg::bf16, 2> x, tg::array<const tg::bf16, 2> y, tg::array<float, 2> o) {
  multiply<128>(x, y, o, [](auto x, tg::s64 k) { return tg::load(x.at(tg::all, tg::ds<64>(k)), true, 0); });
}

// A block of 192 rows ends before its array: what is behind it is 0, and TMA would copy it.
// REMARKS: remark: all calls: not on tensor cores: the left factor is loaded with a mask from a window that ends before its array (cut_0)
TEGULA_KERNEL void cut(tg::array<const tg::bf16, 2> x, tg::array<const tg::bf16, 2> y, tg::array<float, 2> o, tg::s64 from) {
  multiply<192>(x, y, o, [=](auto x, tg::s64 k) { return tg::load(x.at(tg::ds<128>(from), tg::ds<64>(k)), true, 0); });
}

// What another mask leaves out is no matter of TMA: consumers load it.
// CHECK-LABEL: tile.kernel @masked_0_tensor(
// CHECK:       tile.load {{.*}} mask
// CHECK:       tile.wgmma
TEGULA_KERNEL void masked(tg::array<const tg::bf16, 2> x, tg::array<const tg::bf16, 2> y, tg::array<float, 2> o) {
  multiply<128>(x, y, o, [](auto x, tg::s64 k) { return tg::load(x.at(tg::all, tg::ds<64>(k)), k > 64, 0); });
}
