// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Masked loads and stores: masks and what stands elsewhere broadcast; without the latter it is zero.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto first = [] { return tg::index(0); };

TEGULA_KERNEL void masks(tg::array<float, 2> x, tg::array<const bool, 1> w, tg::array<const tg::u8, 1> y, float f) {
  tg::pallas_call(
      [=](auto x, auto w, auto y) {
        const auto column = tg::load(w.at(tg::ds<4>(0)), true)[tg::all, tg::newaxis];
        const auto t = tg::load(x, column, f);
        const auto u = tg::load(y, true);
        const float one = tg::load(x.at(1, 2), f > 0, 1);
        tg::store(x, one, t > tg::astype<float>(u)[tg::all, tg::newaxis]);
        tg::store(x.at(0, 0), f, f < one);
      },
      tg::inout<4, 8>(x, [] { return tg::index(0, 0); }), tg::in<8>(w, first), tg::in<4>(y, first));
}

// CHECK: %[[NO:.*]] = tile.full %false : i1 -> tensor<4xi1>
// CHECK: tile.load %{{.*}} mask %{{.*}} : tensor<4xi1> other %[[NO]] : tensor<4xi1> : <i1, [4?]> -> tensor<4xi1>
// CHECK: %[[M:.*]] = tile.broadcast %{{.*}} [0, 1] : tensor<4x1xi1> -> tensor<4x8xi1>
// CHECK: %[[O:.*]] = tile.full %f{{.*}} : f32 -> tensor<4x8xf32>
// CHECK: %[[T:.*]] = tile.load %{{.*}} mask %[[M]] : tensor<4x8xi1> other %[[O]] : tensor<4x8xf32> : <f32, [4?, 8?]>
// CHECK: %[[ZERO:.*]] = tile.full %c0_i8 : i8 -> tensor<4xui8>
// CHECK: tile.load %{{.*}} mask %{{.*}} : tensor<4xi1> other %[[ZERO]] : tensor<4xui8> : <ui8, [4?]> -> tensor<4xui8>
// CHECK: %[[ONE:.*]] = tile.load %{{.*}} mask %{{.*}} : tensor<i1> other %{{.*}} : tensor<f32> : <f32, []> -> tensor<f32>
// CHECK: tile.extract %[[ONE]]
// CHECK: %[[V:.*]] = tile.full %{{.*}} : f32 -> tensor<4x8xf32>
// CHECK: %[[ABOVE:.*]] = tile.gt %[[T]], %{{.*}} : tensor<4x8xf32> -> tensor<4x8xi1>
// CHECK: tile.store %[[V]], %{{.*}} mask %[[ABOVE]] : tensor<4x8xi1> : tensor<4x8xf32>, <f32, [4?, 8?]>
// CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} : tensor<i1> : tensor<f32>, <f32, []>
