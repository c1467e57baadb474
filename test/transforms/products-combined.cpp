// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac -Rsplit --emit=tile-expanded --arch=sm_90a %s -o - 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: tegulac --emit=resources --arch=sm_90a %s -o - | FileCheck %s --check-prefix=RESOURCES
// RUN: tegulac -Rsplit --emit=tile-split --arch=sm_80 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SM80
// Loops that do more with the products of a step than to add them up: consumers wait for them in each step.
#include <tegula/tegula.h>
namespace tg = tegula;

using matrix = tg::array<const tg::bf16, 2>;

#define CUT                                                                                                            \
  tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),                                             \
      tg::in<128, tg::whole>(b, [](auto, auto j) { return tg::index(j, 0); }),                                         \
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); })
#define CHECK_SHAPES                                                                                                   \
  tg::check(a.dim(1) == b.dim(1) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(0), "a, b and o do not fit")

// Two sums of 128 columns: one that is carried, one of the step. What the product does not need comes before the wait.
// REMARKS: tensor cores, in sub-tiles of 128 by 128 (scaled_0_tensor)
// SM80: all calls: not on tensor cores: the loop does more than to add up products
// CHECK-LABEL: tile.kernel @scaled_0_tensor(
// CHECK: tile.barrier_wait
// CHECK: %[[START:.*]] = tile.undefined : tensor<64x128xf32>
// CHECK: %[[PRODUCT:.*]] = tile.wgmma %[[START]] if %false
// CHECK: tile.load {{.*}} -> tensor<f32>
// CHECK: %[[DONE:.*]] = tile.wgmma_wait 0(%[[PRODUCT]])
// CHECK-NOT: tile.load
// CHECK: %[[SCALED:.*]] = tile.mul %[[DONE]]
// CHECK: %[[NEXT:.*]] = tile.add %{{.*}}, %[[SCALED]]
// CHECK: tile.barrier_arrive
// CHECK: scf.yield %[[NEXT]]
// RESOURCES-NOT: remark
// RESOURCES-DAG: scaled_0_tensor: {{.*}}, spills 0
TEGULA_KERNEL void scaled(matrix a, matrix b, tg::array<const float, 1> scales, tg::array<float, 2> o) {
  CHECK_SHAPES;
  tg::check(scales.dim(0) == tg::cdiv(a.dim(1), 64), "a scale for each step");
  tg::pallas_call({.grid = {tg::cdiv(o.dim(0), 128), tg::cdiv(o.dim(1), 128)}}, [=](auto a, auto b, auto o) {
    auto sum = tg::zeros<float, 128, 128>();
    for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
      const auto step = tg::ds<64>(64 * k);
      sum += tg::dot(a[tg::all, step], tg::transpose(b[tg::all, step])) * scales[k];
    }
    o[tg::all] = sum;
  }, CUT);
}

// The sum is subtracted behind the loop.
// REMARKS: tensor cores, in sub-tiles of 128 by 128 (subtracted_0_tensor)
// CHECK-LABEL: tile.kernel @subtracted_0_tensor(
// CHECK-NOT: tile.wgmma_wait 0
// CHECK: tile.wgmma_wait 1
// CHECK: tile.sub
TEGULA_KERNEL void subtracted(matrix a, matrix b, tg::array<float, 2> o) {
  CHECK_SHAPES;
  tg::pallas_call({.grid = {tg::cdiv(o.dim(0), 128), tg::cdiv(o.dim(1), 128)}}, [=](auto a, auto b, auto o) {
    auto sum = tg::full<float, 128, 128>(1);
    for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
      const auto step = tg::ds<64>(64 * k);
      sum -= tg::dot(a[tg::all, step], tg::transpose(b[tg::all, step]));
    }
    o[tg::all] = sum;
  }, CUT);
}

// What is more than an element of the result at a time stays on FMA units, and what is made of a factor, too.
// REMARKS: not on tensor cores: the loop does more with products than to compute element by element
TEGULA_KERNEL void greatest(matrix a, matrix b, tg::array<float, 2> o) {
  CHECK_SHAPES;
  tg::pallas_call({.grid = {tg::cdiv(o.dim(0), 128), tg::cdiv(o.dim(1), 128)}}, [=](auto a, auto b, auto o) {
    auto sum = tg::zeros<float, 128, 128>();
    for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
      const auto step = tg::ds<64>(64 * k);
      const auto product = tg::dot(a[tg::all, step], tg::transpose(b[tg::all, step]));
      sum = sum + product * tg::max<1>(product)[tg::all, tg::newaxis];
    }
    o[tg::all] = sum;
  }, CUT);
}
// REMARKS: not on tensor cores: the loop computes with a factor beside the product
TEGULA_KERNEL void with_factor(matrix a, matrix b, tg::array<float, 2> o) {
  CHECK_SHAPES;
  tg::pallas_call({.grid = {tg::cdiv(o.dim(0), 128), tg::cdiv(o.dim(1), 128)}}, [=](auto a, auto b, auto o) {
    auto sum = tg::zeros<float, 128, 128>();
    for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
      const auto step = tg::ds<64>(64 * k);
      const auto left = a[tg::all, step];
      const auto rows = tg::sum<1>(tg::astype<float>(left));
      sum += tg::dot(left, tg::transpose(b[tg::all, step])) * rows[tg::all, tg::newaxis];
    }
    o[tg::all] = sum;
  }, CUT);
}
