// Arrays that control flow carries are variables of the host.
// RUN: tegulac --emit=stub %s -o %t && FileCheck %s < %t.cpp
// RUN: %cxx -c %t.cpp -o %t.o
tile.entry @swapped(%x: !tile.array<f32, 1> {tile.name = "x"}, %n: i64 {tile.name = "n"}, %which: i1 {tile.name = "which"}) -> !tile.array<f32, 1>
    attributes {qualified_name = "swapped"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // CHECK: abi::variable<float, 1> [[A:[a-z_0-9]+]] = call.empty<float, 1>("result", {n});
  // CHECK: abi::variable<float, 1> [[B:[a-z_0-9]+]] = call.empty<float, 1>("result", {n});
  %a = tile.empty(%n) : <f32, 1>
  %b = tile.empty(%n) : <f32, 1>
  // CHECK: abi::variable<float, 1> [[V:[a-z_0-9]+]] = [[A]];
  // CHECK: abi::variable<float, 1> [[W:[a-z_0-9]+]] = [[B]];
  // CHECK: for (
  // CHECK: const auto [[NEXT:[a-z_0-9]+]] = [[W]];
  // CHECK: [[W]] = [[V]];
  // CHECK: [[V]] = [[NEXT]];
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a, %w = %b) -> (!tile.array<f32, 1>, !tile.array<f32, 1>) : i64 {
    %d = tile.dim %v, 0 : !tile.array<f32, 1>
    %is = arith.cmpi eq, %d, %n : i64
    tile.check %is, "as long as before"
    scf.yield %w, %v : !tile.array<f32, 1>, !tile.array<f32, 1>
  }
  // CHECK: const abi::variable<float, 1> [[CHOSEN:[a-z_0-9]+]] = which ? [[V]] : [[B]];
  %chosen = arith.select %which, %r#0, %b : !tile.array<f32, 1>
  // CHECK: return [[CHOSEN]].take(call);
  tile.return %chosen : !tile.array<f32, 1>
}
