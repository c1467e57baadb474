// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// A launch whose body, or an index map, asks of an array that it captured is compiled with the array and without; one
// that asks of none is compiled once, with all that it captured.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK-LABEL: tile.entry @asks(
// CHECK: %[[THERE:.*]] = tile.is_present %bias
// CHECK: scf.if %[[THERE]]
// CHECK: tile.launch "asks_0" {{.*}} %bias : !tile.array
// CHECK: } else {
// CHECK: tile.launch "asks_1"
// CHECK-NOT: %bias
// CHECK: tile.return
TEGULA_KERNEL void asks(tg::array<float, 1> x, tg::array<const float, 1> bias = {}) {
  tg::check(!bias || bias.dim(0) == x.dim(0), "one for each of x");
  tg::pallas_call(
      [=](auto x) {
        if (bias)
          x[tg::all] += bias[tg::all];
      },
      tg::inout(x));
}

// Of the explicit level, too.
// CHECK-LABEL: tile.entry @kernel(
// CHECK: scf.if
// CHECK: tile.launch "kernel_0" {{.*}} %bias : !tile.array
// CHECK: } else {
// CHECK: tile.launch "kernel_1"
// CHECK-NOT: %bias
// CHECK: tile.return
TEGULA_KERNEL void kernel(tg::array<float, 1> x, tg::array<const float, 1> bias = {}) {
  tg::check(x.dim(0) == 128 && (!bias || bias.dim(0) == 128), "128 numbers");
  tg::kernel({.grid = {{"m", 1}}}, [=] {
    auto t = x[tg::ds<128>(0)];
    if (bias)
      t += bias[tg::ds<128>(0)];
    x[tg::ds<128>(0)] = t;
  });
}

// CHECK-LABEL: tile.entry @host_asks(
// CHECK: %[[THERE:.*]] = tile.is_present %bias
// CHECK-NOT: scf.if %[[THERE]]
// CHECK: tile.launch "host_asks_0" {{.*}} %bias : !tile.array
// CHECK-NOT: tile.launch
TEGULA_KERNEL void host_asks(tg::array<float, 1> x, tg::array<const float, 1> bias = {}) {
  const bool is_there = static_cast<bool>(bias);
  tg::pallas_call(
      [=](auto x) {
        float shift = 0;
        if (is_there)
          shift = bias[0];
        x[tg::all] += shift;
      },
      tg::inout(x));
}
