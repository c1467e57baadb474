// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products by what is computed of narrow elements are computed transposed where there is wgmma, which takes left factors
// from registers.
// RUN: tegulac -Rsplit --arch=sm_90a --emit=tile-split %s -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: tegulac -Rsplit --arch=sm_80 --emit=tile-split %s -o - 2>&1 | FileCheck %s --check-prefix=SM80
// SM80-NOT: computed transposed
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;

// What the result is combined with comes from transposed views, and a row is a column.
// REMARKS: remark: products by weights of few bits are computed transposed: what is made of these is then the left factor, which wgmma takes from registers
// REMARKS: tensor cores, in sub-tiles of 64 by 128 (combined_0_tensor_dense)
// CHECK-LABEL: tile.kernel @combined_0_tensor_dense(
// CHECK: %[[SUM:.*]] = scf.for {{.*}} -> (tensor<64x128xf32>)
// CHECK: %[[LEFT:.*]] = tile.cast {{.*}} : tensor<64x64xi8> -> tensor<64x64xf16>
// CHECK: %[[RIGHT:.*]] = tile.permute {{.*}} : tensor<128x64xf16> -> tensor<64x128xf16>
// CHECK: tile.dot %[[LEFT]], %[[RIGHT]]
// CHECK-DAG: %[[VIEW:.*]] = tile.transpose {{.*}} [1, 0] : <f32, [128?, 64?]> -> <f32, [64?, 128?]>
// CHECK-DAG: tile.load {{.*}} : <f32, [64?]> -> tensor<64xf32>
// CHECK-DAG: tile.broadcast {{.*}} [0] : tensor<64xf32> -> tensor<64x1xf32>
// CHECK-DAG: tile.load {{.*}} : <f32, [64?, 128?]> -> tensor<64x128xf32>
// CHECK-DAG: tile.store {{.*}} : tensor<64x128xf16>, <f16, [64?, 128?]>
TEGULA_KERNEL void combined(matrix<tg::f16> x, matrix<tg::s8> w, matrix<float> more, tg::array<const float, 1> bias,
                            tg::array<tg::f16, 2> o) {
  tg::check(x.dim(1) == w.dim(1) && o.dim(0) == x.dim(0) && o.dim(1) == w.dim(0), "shapes");
  tg::check(more.dim(0) == o.dim(0) && more.dim(1) == o.dim(1) && bias.dim(0) == o.dim(1), "shapes");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 128), tg::cdiv(o.dim(1), 64)}},
      [](auto x, auto w, auto more, auto bias, auto o) {
        auto sum = tg::zeros<float, 128, 64>();
        for (tg::s64 k = 0; k < w.dim(1); k += 64)
          sum += tg::dot(x[tg::all, tg::ds<64>(k)], tg::transpose(tg::astype<tg::f16>(w[tg::all, tg::ds<64>(k)])));
        o[tg::all] = tg::astype<tg::f16>(sum + more[tg::all] * 2.0f + bias[tg::all][tg::newaxis, tg::all]);
      },
      tg::in<128, tg::any>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<64, tg::any>(w, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<128, 64>(more, [](auto i, auto j) { return tg::index(i, j); }),
      tg::in<64>(bias, [](auto, auto j) { return tg::index(j); }),
      tg::out<128, 64>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

// Of whole arrays, too.
// REMARKS: remark: products by weights of few bits are computed transposed
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (whole_0_tensor)
// CHECK-LABEL: tile.kernel @whole_0_tensor(
// CHECK: tile.dot {{.*}} : tensor<64x256xf32>, : tensor<64x64xbf16>, tensor<64x256xbf16>
TEGULA_KERNEL void whole(matrix<tg::bf16> x, matrix<tg::e4m3> w, tg::array<tg::bf16, 2> o) {
  tg::check(x.dim(1) == w.dim(1) && o.dim(0) == x.dim(0) && o.dim(1) == w.dim(0), "shapes");
  tg::pallas_call(
      [](auto x, auto w, auto o) {
        o[tg::all] = tg::astype<tg::bf16>(tg::dot(x[tg::all], tg::transpose(tg::astype<tg::bf16>(w[tg::all]))));
      },
      tg::in(x), tg::in(w), tg::out(o));
}

// These stay as they are: of weights whose columns are summed, with a left factor that is computed, too, and with rows
// that are reduced.
// REMARKS-NOT: computed transposed
// CHECK-LABEL: tile.kernel @by_columns_0_tensor(
// CHECK: tile.dot {{.*}} : tensor<64x256xf32>, : tensor<64x64xbf16>, tensor<64x256xbf16>
// CHECK: tile.store {{.*}} : tensor<64x256xbf16>, <bf16, [64?, 256?]>
TEGULA_KERNEL void by_columns(matrix<tg::bf16> x, matrix<tg::s8> w, tg::array<tg::bf16, 2> o) {
  tg::check(x.dim(1) == w.dim(0) && o.dim(0) == x.dim(0) && o.dim(1) == w.dim(1), "shapes");
  tg::pallas_call(
      [](auto x, auto w, auto o) {
        o[tg::all] = tg::astype<tg::bf16>(tg::dot(x[tg::all], tg::astype<tg::bf16>(w[tg::all])));
      },
      tg::in(x), tg::in(w), tg::out(o));
}
TEGULA_KERNEL void both(matrix<tg::s8> x, matrix<tg::s8> w, tg::array<float, 2> o) {
  tg::check(x.dim(1) == w.dim(1) && o.dim(0) == x.dim(0) && o.dim(1) == w.dim(0), "shapes");
  tg::pallas_call(
      [](auto x, auto w, auto o) {
        o[tg::all] = tg::dot(tg::astype<tg::f16>(x[tg::all]), tg::transpose(tg::astype<tg::f16>(w[tg::all])));
      },
      tg::in(x), tg::in(w), tg::out(o));
}
TEGULA_KERNEL void reduced(matrix<tg::f16> x, matrix<tg::s8> w, tg::array<float, 1> o) {
  tg::check(x.dim(1) == w.dim(1) && o.dim(0) == x.dim(0) && w.dim(0) == 64, "shapes");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 64)}},
      [](auto x, auto w, auto o) {
        auto sum = tg::zeros<float, 64, 64>();
        for (tg::s64 k = 0; k < w.dim(1); k += 64)
          sum +=
              tg::dot(x[tg::all, tg::ds<64>(k)], tg::transpose(tg::astype<tg::f16>(w[tg::ds<64>(0), tg::ds<64>(k)])));
        o[tg::all] = tg::max<1>(sum);
      },
      tg::in<64, tg::any>(x, [](auto i) { return tg::index(i, 0); }), tg::in(w),
      tg::out<64>(o, [](auto i) { return tg::index(i); }));
}
