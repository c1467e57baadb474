// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Structs: aggregates, constructors, bases, members, operators, bindings, arrays.
#include <tegula/tegula.h>
namespace tg = tegula;

struct Point {
  int x, y = x + 1;
  Point operator+(const Point &o) const { return {x + o.x, y + o.y}; }
  Point &move(int by) {
    x += by;
    return *this;
  }
};
struct Named : Point {
  int name;
  Named(Point at, int n) : Point(at), name(n) {
    for (int i = 0; i < 2; ++i)
      name += at.y;
  }
};
inline Point chosen(bool which, const Point &a, const Point &b) {
  if (which)
    return a;
  return b;
}
TEGULA_KERNEL void structs(tg::array<int, 1> o, int n) {
  tg::pallas_call(
      [=](auto o) {
        const Named named({n}, 7);
        Point p = named;
        p.move(n).move(1);
        Point both[] = {p, p + named};
        auto &[first, second] = both;
        first.y = second.x;
        const auto [x, y] = chosen(n > 0, both[0], p);
        o[0] = x;
        o[1] = y;
        o[2] = named.name;
      },
      tg::out(o));
}

// CHECK-LABEL: tile.entry @structs
// CHECK-SAME: ([[V0:%[^ :,)]+]]: !tile.array<i32, 1> {tile.name = "o"}, [[V1:%[^ :,)]+]]: i32 {tile.name = "n"}) attributes {qualified_name = "structs"} {
// CHECK: tile.launch "structs_0" grid() args(out [[V2:%[^ :,)]+]] = [[V0]] : !tile.array<i32, 1>, scalar [[V3:%[^ :,)]+]] = [[V1]] : i32) {
// CHECK: [[V4:%[^ :,)]+]] = arith.addi [[V3]], %c1_i32 : i32
// CHECK: [[V5:%[^ :,)]+]]:2 = scf.while ([[V6:%[^ :,)]+]] = %c7_i32, [[V7:%[^ :,)]+]] = %c0_i32) : (i32, i32) -> (i32, i32) {
// CHECK: [[V8:%[^ :,)]+]] = arith.cmpi slt, [[V7]], %c2_i32 : i32
// CHECK: scf.condition([[V8]]) [[V6]], [[V7]] : i32, i32
// CHECK: } do {
// CHECK: ^bb0([[V6]]: i32, [[V7]]: i32):
// CHECK: [[V8]] = arith.addi [[V6]], [[V4]] : i32
// CHECK: [[V9:%[^ :,)]+]] = arith.addi [[V7]], %c1_i32 : i32
// CHECK: scf.yield [[V8]], [[V9]] : i32, i32
// CHECK: [[V10:%[^ :,)]+]] = arith.addi [[V3]], [[V3]] : i32
// CHECK: [[V11:%[^ :,)]+]] = arith.addi [[V10]], %c1_i32 : i32
// CHECK: [[V12:%[^ :,)]+]] = arith.addi [[V11]], [[V3]] : i32
// CHECK: [[V13:%[^ :,)]+]] = arith.cmpi sgt, [[V3]], %c0_i32 : i32
// CHECK: [[V14:%[^ :,)]+]] = arith.select [[V13]], [[V12]], [[V4]] : i32
// CHECK: [[V15:%[^ :,)]+]] = tile.slice [[V2]][element %c0_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V16:%[^ :,)]+]] = tile.full [[V11]] : i32 -> tensor<i32>
// CHECK: tile.store [[V16]], [[V15]] : tensor<i32>, <i32, []>
// CHECK: [[V17:%[^ :,)]+]] = tile.slice [[V2]][element %c1_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V18:%[^ :,)]+]] = tile.full [[V14]] : i32 -> tensor<i32>
// CHECK: tile.store [[V18]], [[V17]] : tensor<i32>, <i32, []>
// CHECK: [[V19:%[^ :,)]+]] = tile.slice [[V2]][element %c2_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V20:%[^ :,)]+]] = tile.full [[V5]]#0 : i32 -> tensor<i32>
// CHECK: tile.store [[V20]], [[V19]] : tensor<i32>, <i32, []>
