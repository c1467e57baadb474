// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// vmap: the batch is the first axis of the grid, and each array is cut at its place in it. Nothing else is left of it.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto i) { return tg::index(i); };

TEGULA_KERNEL tg::array<float, 1> add(tg::array<const float, 1> x, tg::array<const float, 1> y, float a) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  auto scratch = tg::empty_like(x);
  tg::pallas_call({.grid = {tg::cdiv(x.dim(0), 64)}}, [=](auto x, auto o) { o[tg::all] = a * x[tg::all]; }, tg::in<64>(x, same), tg::out<64>(scratch, same));
  auto o = tg::empty<float>(x.size());
  tg::pallas_call({.grid = {tg::cdiv(x.dim(0), 64)}}, [=](auto x, auto o) {
    o[tg::all] = x[tg::all] + y[tg::ds<64>(tg::program_id(0) * 64)] / tg::astype<float>(tg::num_programs(0));
  }, tg::in<64>(scratch, same), tg::out<64>(o, same));
  return o;
}

// Both along other axes, one result axis behind: the scratch array has the batch in front.
// CHECK-LABEL: tile.entry @stacked
// CHECK: [[B:%[0-9]+]] = tile.dim %x, 1
// CHECK: [[C:%[0-9]+]] = tile.dim %y, 0
// CHECK: [[E:%[0-9]+]] = arith.cmpi eq, [[B]], [[C]]
// CHECK: tile.check [[E]], "x.dim(1) and y.dim(0) differ, {} and {}, but tg::vmap maps over both"
// CHECK: [[N:%[0-9]+]] = tile.dim %x, 0
// CHECK: tile.check {{.*}} "x and y differ in length"
// CHECK: %scratch = tile.empty([[B]], [[N]]) : <f32, 2>
// CHECK: tile.launch "stacked_0" grid([[B]], [[G:%[0-9]+]]) args(in [[X:%[0-9a-z_]+]] = %x : !tile.array<f32, 2, const>, out [[S:%[0-9a-z_]+]] = %scratch : !tile.array<f32, 2>, scalar
// CHECK-DAG: [[I:%[0-9]+]] = tile.program_id 0
// CHECK-DAG: [[J:%[0-9]+]] = tile.program_id 1
// CHECK-DAG: [[K:%[0-9]+]] = arith.muli [[J]]
// CHECK: tile.slice [[X]][window [[K]], element [[I]]] {spec} : <f32, [?, ?]> -> <f32, [64?]>
// CHECK: tile.slice [[S]][element [[I]], window [[K]]] {spec} : <f32, [?, ?]> -> <f32, [64?]>
// CHECK: %o = tile.empty([[N]], [[B]]) : <f32, 2>
// CHECK: tile.launch "stacked_1" grid([[B]], [[G]])
// CHECK-SAME: out [[O:%[0-9a-z_]+]] = %o
// CHECK-SAME: in [[Y:%[0-9a-z_]+]] = %y
// CHECK: tile.slice [[Y]][element {{%[0-9]+}}, whole] {spec} : <f32, [?, ?]> -> <f32, [?]>
// CHECK: tile.slice [[O]][window {{%[0-9]+}}, element {{%[0-9]+}}] {spec} : <f32, [?, ?]> -> <f32, [64?]>
// CHECK: tile.num_programs 1
// CHECK-NOT: unrealized
// CHECK: tile.return %o
TEGULA_KERNEL tg::array<float, 2> stacked(tg::array<const float, 2> x, tg::array<const float, 2> y, float a) {
  return tg::vmap({.out_axis = 1}, add, tg::over(x, 1), tg::over(y, 0), a);
}

// Nested: the outer batch is the outer axis, and the result has both where they are wanted.
// CHECK-LABEL: tile.entry @nested
// CHECK-DAG: [[P:%[0-9]+]] = tile.dim %x, 1
// CHECK-DAG: [[Q:%[0-9]+]] = tile.dim %x, 0
// CHECK-DAG: [[N:%[0-9]+]] = tile.dim %x, 2
// CHECK: %o = tile.empty([[N]], [[Q]], [[P]]) : <f32, 3>
// CHECK: tile.launch "nested_0" grid([[P]], [[Q]])
// CHECK-DAG: [[I:%[0-9]+]] = tile.program_id 0
// CHECK-DAG: [[J:%[0-9]+]] = tile.program_id 1
// CHECK-DAG: tile.slice {{.*}}[element [[J]], element [[I]], whole] {spec} : <f32, [?, ?, ?]> -> <f32, [?]>
// CHECK-DAG: tile.slice {{.*}}[whole, element [[J]], element [[I]]] {spec} : <f32, [?, ?, ?]> -> <f32, [?]>
TEGULA_KERNEL tg::array<float, 3> nested(tg::array<const float, 3> x) {
  return tg::vmap({.out_axis = 2}, [](auto x) {
    return tg::vmap({.out_axis = 1}, [](auto x) {
      auto o = tg::empty_like(x);
      tg::pallas_call([](auto x, auto o) { o[tg::all] = -x[tg::all]; }, tg::in(x), tg::out(o));
      return o;
    }, tg::over(x, 0));
  }, tg::over(x, 1));
}
