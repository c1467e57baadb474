// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s -o - | FileCheck %s
// Functions that name their object, with what they capture: as the object of a call, by itself, and as a body.
#include <tegula/tegula.h>
namespace tg = tegula;

struct offset {
  float value;
  float from(this const offset &self, float x) { return self.value + x; }
};

TEGULA_KERNEL void named(tg::array<float, 1> o, float k) {
  tg::pallas_call(
      [k](this auto self, auto o) {
        const auto times = [&](this auto self, int n) -> float {
          if (n == 0)
            return 0.5f;
          return k + self(n - 1);
        };
        o[0] = times(2);
        o[1] = offset{k}.from(3);
        const auto doubled = [m = 2 * k](this const auto &) { return m; };
        o[2] = doubled();
      },
      tg::inout(o));
}

// CHECK: tile.launch "named_0" grid() args(inout %[[O:.*]] = %o : {{.*}}, scalar %[[K:[A-Za-z0-9_]+]] =
// CHECK: %[[ONCE:.*]] = arith.addf %[[K]], %{{.*}} : f32
// CHECK: %[[TWICE:.*]] = arith.addf %[[K]], %[[ONCE]] : f32
// CHECK: tile.full %[[TWICE]] : f32
// CHECK: tile.store
// CHECK: %[[FROM:.*]] = arith.addf %[[K]], %{{.*}} : f32
// CHECK: tile.full %[[FROM]] : f32
// CHECK: tile.store
// CHECK: %[[DOUBLED:.*]] = arith.mulf %[[K]], %{{.*}} : f32
// CHECK: tile.full %[[DOUBLED]] : f32
// CHECK: tile.store
