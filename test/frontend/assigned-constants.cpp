// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile -o - %s | FileCheck %s
// A constant that is assigned takes the elements' type.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK-DAG: [[HALF:%[a-z0-9_]+]] = arith.constant 5.000000e-01 : f32
// CHECK-DAG: [[THREE:%[a-z0-9_]+]] = arith.constant 3.000000e+00 : f32
// CHECK-DAG: [[NARROW:%[a-z0-9_]+]] = arith.constant 2.500000e+00 : bf16
// CHECK-DAG: [[SEVEN:%[a-z0-9_]+]] = arith.constant 7 : i8
// CHECK-DAG: [[SECOND:%[a-z0-9_]+]] = arith.constant 1.000000e+00 : f32
TEGULA_KERNEL void assigned(tg::array<float, 1> x, tg::array<tg::bf16, 1> y, tg::array<tg::s8, 1> z) {
  tg::pallas_call(
      [](auto x, auto y, auto z) {
        // CHECK: tile.full [[HALF]] : f32 -> tensor<?xf32>
        x[tg::all] = 0.5;
        // CHECK: tile.full [[THREE]] : f32 -> tensor<4xf32>
        x[tg::ds<4>(0)] = 3;
        // CHECK: tile.full [[NARROW]] : bf16 -> tensor<?xbf16>
        y[tg::all] = 2.5;
        // CHECK: tile.full [[SEVEN]] extents(%{{.*}}) : i8 -> tensor<?xi8>
        auto t = z[tg::all];
        t = 7u;
        z[tg::all] = t;
        // CHECK: tile.full [[SECOND]] : f32 -> tensor<8xf32>
        tg::static_for<2>([&](auto i) { x[tg::ds<8>(0)] = i; });
      },
      tg::out(x), tg::out(y), tg::inout(z));
}
