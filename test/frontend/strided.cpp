// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Windows with a step come first, the other brackets are of these; elements of a tile are taken at indices.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK-LABEL: tile.entry @windows
TEGULA_KERNEL void windows(tg::array<float, 3> x, int n) {
  tg::pallas_call(
      [=](auto x) {
        // CHECK: %[[A:.*]] = tile.strided_slice %{{.*}} axis 1 from %{{.*}} step %{{.*}} : <f32, [?, ?, ?]> -> <f32, [?, 8?, ?]>
        // CHECK: %[[B:.*]] = tile.strided_slice %[[A]] axis 2 from %{{.*}} step %{{.*}} size %{{.*}} : <f32, [?, 8?, ?]> -> <f32, [?, 8?, ?]>
        // CHECK: tile.slice %[[B]][element %{{.*}}, whole, whole] : <f32, [?, 8?, ?]> -> <f32, [8?, ?]>
        x[n, tg::ds<8>(1, 3), tg::ds(0, n, n)] = 1;
        // CHECK-NOT: tile.strided_slice
        // CHECK: tile.slice %{{.*}}[window %{{.*}}, whole, whole] : <f32, [?, ?, ?]> -> <f32, [8?, ?, ?]>
        x[tg::ds<8>(n, 1)] = 2;
      },
      tg::inout(x));
}

// One array of a list is taken first: the step is along its own dimensions.
// CHECK-LABEL: tile.entry @of_lists
TEGULA_KERNEL void of_lists(tg::arrays<float, 2> x, int n) {
  tg::pallas_call(
      [=](auto x) {
        // CHECK: %[[ONE:.*]] = tile.slice %{{.*}}[element %{{.*}}, whole, whole] : <f32, [?, ?, ?], table> -> <f32, [?, ?]>
        // CHECK: %[[A:.*]] = tile.strided_slice %[[ONE]] axis 1 from %{{.*}} step %{{.*}} : <f32, [?, ?]> -> <f32, [?, 8?]>
        // CHECK: tile.slice %[[A]][window %{{.*}}, whole] : <f32, [?, 8?]> -> <f32, [4?, 8?]>
        x[n, tg::ds<4>(n), tg::ds<8>(1, 3)] = 1;
      },
      tg::inout(x));
}

// CHECK-LABEL: tile.entry @part
TEGULA_KERNEL void part(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == 64 && o.dim(1) == 16, "o has every fourth column");
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: %[[IOTA:.*]] = tile.iota 0 : tensor<16xi64>
        // CHECK: %[[PRODUCT:.*]] = tile.mul %[[IOTA]], %{{.*}} : tensor<16xi64>
        // CHECK: %[[INDEX:.*]] = tile.add %[[PRODUCT]], %{{.*}} : tensor<16xi64>
        // CHECK: tile.gather %{{.*}}[%[[INDEX]] : tensor<16xi64>]{{.*}} -> tensor<4x16xf32>
        o[tg::all] = tg::exp(x[tg::all])[tg::all, tg::ds<16>(1, 4)];
      },
      tg::in<4, 64>(x, [] { return tg::index(0, 0); }), tg::out<4, 16>(o, [] { return tg::index(0, 0); }));
}
