// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// What is made like a block at the edge of its array has as many elements, where nothing else says how many.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK-LABEL: tile.entry @alone(
// CHECK: %[[THERE:.*]] = tile.dim %{{.*}}, 0 : !tile.ref<f32, [32?]>
// CHECK: %[[ONES:.*]] = tile.full %{{.*}} extents(%[[THERE]]) : f32 -> tensor<32xf32>
// CHECK: tile.reduce sum %[[ONES]]
TEGULA_KERNEL void alone(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 32)}}, [](auto x, auto o) { o[] = tg::sum(tg::full_like(x[tg::all], 1)); },
      tg::in<32>(x, [](auto i) { return tg::index(i); }),
      tg::out<tg::squeezed>(o, [](auto i) { return tg::index(i); }));
}

// CHECK-LABEL: tile.entry @beside(
// CHECK: tile.iota 0 : tensor<32xi32>
// CHECK-NOT: extents(
// CHECK: tile.return
TEGULA_KERNEL void beside(tg::array<const float, 1> x, tg::array<float, 1> o, tg::array<float, 1> p) {
  tg::check(x.dim(0) == p.dim(0), "one for each of x");
  const auto block = [](auto i) { return tg::index(i); };
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 32)}},
      [](auto x, auto o, auto p) {
        const auto t = x[tg::all];
        const auto is_even = tg::iota_like<int, 0>(t) % 2 == 0;
        o[] = tg::sum(tg::where(is_even, t, 0));               // As many as t has.
        p[tg::all] = tg::where(is_even, 1, tg::zeros_like(t)); // As many as the place has.
      },
      tg::in<32>(x, block), tg::out<tg::squeezed>(o, block), tg::out<32>(p, block));
}

// A block that is whole, and one that is loaded whole, say no more than the type.
// CHECK-LABEL: tile.entry @whole(
// CHECK: tile.full %{{.*}} : f32 -> tensor<32xf32>
// CHECK-NOT: extents(
// CHECK: tile.return
TEGULA_KERNEL void whole(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) % 32 == 0, "whole blocks");
  tg::pallas_call(
      {.grid = {x.dim(0) / 32}},
      [](auto x, auto o) {
        o[] = tg::sum(tg::full_like(x[tg::all], 1)) + tg::sum(tg::full_like(tg::load(x, true, 0), 2));
      },
      tg::in<32>(x, [](auto i) { return tg::index(i); }),
      tg::out<tg::squeezed>(o, [](auto i) { return tg::index(i); }));
}

// From its end, a scan begins with the last element that there is; from its beginning, the place says how far it goes.
// CHECK-LABEL: tile.entry @scanned(
// CHECK: %[[THERE:.*]] = tile.dim %{{.*}}, 0 : !tile.ref<i32, [32?]>
// CHECK: %[[ONES:.*]] = tile.full %{{.*}} extents(%[[THERE]]) : i32 -> tensor<32xi32>
// CHECK: tile.scan sum %[[ONES]][0] reverse
// CHECK: %[[TWOS:.*]] = tile.full %{{[^ ]*}} : i32 -> tensor<32xi32>
// CHECK: tile.scan sum %[[TWOS]][0] :
TEGULA_KERNEL void scanned(tg::array<const int, 1> x, tg::array<int, 1> o, tg::array<int, 1> p) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(0) == p.dim(0), "one for each of x");
  const auto block = [](auto i) { return tg::index(i); };
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 32)}},
      [](auto x, auto o, auto p) {
        o[tg::all] = tg::cumsum<0>(tg::full_like(x[tg::all], 1), tg::reverse);
        p[tg::all] = tg::cumsum<0>(tg::full_like(x[tg::all], 2));
      },
      tg::in<32>(x, block), tg::out<32>(o, block), tg::out<32>(p, block));
}

// A variable keeps the extent of the block that it begins as, where nothing else says it.
// CHECK-LABEL: tile.entry @assigned(
// CHECK-DAG: %[[THERE:.*]] = tile.dim %{{.*}}, 0 : !tile.ref<i32, [32?]>
// CHECK-DAG: %[[COUNT:.*]] = tile.iota 0 : tensor<32xi32>
// CHECK: %[[KEPT:.*]] = tile.conform %[[COUNT]] extents(%[[THERE]]) : tensor<32xi32>
// CHECK: tile.reduce sum %[[KEPT]]
// CHECK-NOT: tile.conform
// CHECK: tile.return
TEGULA_KERNEL void assigned(tg::array<const int, 1> x, tg::array<int, 1> o, tg::array<int, 1> p) {
  tg::check(x.dim(0) == p.dim(0), "one for each of x");
  const auto block = [](auto i) { return tg::index(i); };
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 32)}},
      [](auto x, auto o, auto p) {
        auto m = x[tg::all];
        m = tg::iota<int, 32>();
        o[] = tg::sum(m);
        m = 5; // As many as the place has.
        p[tg::all] = m;
      },
      tg::in<32>(x, block), tg::out<tg::squeezed>(o, block), tg::out<32>(p, block));
}
