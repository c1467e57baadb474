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
// CHECK: tile.launch "structs_0" grid() args(out [[V0:%[0-9A-Za-z_.]+]] = [[V1:%[0-9A-Za-z_.]+]] : !tile.array<i32, 1>, scalar [[V2:%[0-9A-Za-z_.]+]] = [[V3:%[0-9A-Za-z_.]+]] : i32) {
// CHECK: [[V4:%[0-9A-Za-z_.]+]] = arith.addi [[V2]], %c1_i32 : i32
// CHECK: [[V5:%[0-9A-Za-z_.]+]] = scf.for [[V6:%[0-9A-Za-z_.]+]] = %c0_i32 to %c2_i32 step %c1_i32 iter_args([[V7:%[0-9A-Za-z_.]+]] = %c7_i32) -> (i32)  : i32 {
// CHECK: [[V8:%[0-9A-Za-z_.]+]] = arith.addi [[V7]], [[V4]] : i32
// CHECK: scf.yield [[V8]] : i32
// CHECK: [[V9:%[0-9A-Za-z_.]+]] = arith.addi [[V2]], [[V2]] : i32
// CHECK: [[V10:%[0-9A-Za-z_.]+]] = arith.addi [[V9]], %c1_i32 : i32
// CHECK: [[V11:%[0-9A-Za-z_.]+]] = arith.addi [[V10]], [[V2]] : i32
// CHECK: [[V12:%[0-9A-Za-z_.]+]] = arith.cmpi sgt, [[V2]], %c0_i32 : i32
// CHECK: [[V13:%[0-9A-Za-z_.]+]] = arith.select [[V12]], [[V11]], [[V4]] : i32
// CHECK: [[V14:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c0_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V15:%[0-9A-Za-z_.]+]] = tile.full [[V10]] : i32 -> tensor<i32>
// CHECK: tile.store [[V15]], [[V14]] : tensor<i32>, <i32, []>
// CHECK: [[V16:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c1_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V17:%[0-9A-Za-z_.]+]] = tile.full [[V13]] : i32 -> tensor<i32>
// CHECK: tile.store [[V17]], [[V16]] : tensor<i32>, <i32, []>
// CHECK: [[V18:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c2_i64] : <i32, [?]> -> <i32, []>
// CHECK: [[V19:%[0-9A-Za-z_.]+]] = tile.full [[V5]] : i32 -> tensor<i32>
// CHECK: tile.store [[V19]], [[V18]] : tensor<i32>, <i32, []>
