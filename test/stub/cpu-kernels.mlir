// CPU kernels as people read them: grids, block specs, shared values, names, `#line`.
// RUN: tegulac --emit=cpu %s | FileCheck %s --match-full-lines --strict-whitespace

// A scalar store for every point of a grid. The loop is called what the program calls its index.
// CHECK:void demo_iota_0_cpu(std::int64_t grid_0, cpu::ref<std::int32_t, 1> o) try {
// CHECK-NEXT:  for (std::int64_t i = 0; i < grid_0; ++i) try {
// CHECK-NEXT:#line 8 "iota.cpp"
// CHECK-NEXT:    const auto o_at = o.select({iota_cpp, 8, 5, "", "o"}, 0, i);
// CHECK-NEXT:#line 8
// CHECK-NEXT:    o_at() = static_cast<std::int32_t>(i);
// CHECK-NEXT:#line 8
// CHECK-NEXT:    if (cpu::are_empty(o)) {
// CHECK-NEXT:#line 8
// CHECK-NEXT:      return;
// CHECK-NEXT:    }
// CHECK-NEXT:  } catch (const cpu::out_of_bounds &access) {
// CHECK-NEXT:#line 8
// CHECK-NEXT:    cpu::rethrow(access, "demo::iota", {i});
// CHECK-NEXT:  }
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:#line 8
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @iota(%n: i64 {tile.name = "n"}, %unused: i32 {tile.name = "unused", tile.type = "u32"}) -> !tile.array<i32, 1> attributes {qualified_name = "demo::iota"} {
  %o = tile.empty(%n) : !tile.array<i32, 1> loc("o"("iota.cpp":5:8))
  tile.launch "demo.iota_0" grid(%n) args(out %r = %o : !tile.array<i32, 1>) {
    %i = tile.program_id 0 loc("i"("iota.cpp":7:1))
    %w = tile.slice %r[element %i] : !tile.ref<i32, [?]> -> !tile.ref<i32, []> loc("iota.cpp":8:5)
    %v = arith.trunci %i : i64 to i32 loc("iota.cpp":8:12)
    %f = tile.full %v : i32 -> tensor<i32> loc("iota.cpp":8:12)
    tile.store %f, %w : tensor<i32>, !tile.ref<i32, []> loc("iota.cpp":8:10)
    tile.yield
  } loc("iota.cpp":6:3)
  tile.return %o : !tile.array<i32, 1>
}


// Blocks that extend past an edge, a shared value, a value of the whole block, unsigned scalars, f16, a keyword as a name.
// CHECK:void demo_chain_0_cpu(std::int64_t grid_0, std::int64_t grid_1, cpu::ref<const float, 2> x,
// CHECK-NEXT:                      cpu::ref<const tegula::f16, 1> class_, float alpha, std::int32_t k, cpu::ref<float, 2> a,
// CHECK-NEXT:                      cpu::ref<std::uint32_t, 2> b) try {
// CHECK-NEXT:  for (std::int64_t i = 0; i < grid_0; ++i) {
// CHECK-NEXT:    for (std::int64_t program_1 = 0; program_1 < grid_1; ++program_1) try {
// CHECK-NEXT:      const std::int64_t v0 = program_1 * 64;
// CHECK-NEXT:      const auto x_block = x.select({c_cpp, 10, 1, "", "x"}, 0, i).window({c_cpp, 10, 1, "", "x"}, 0, v0, 64);
// CHECK-NEXT:      const auto class_block = class_.window({c_cpp, 11, 1, "", "class"}, 0, v0, 64);
// CHECK-NEXT:      const auto a_block = a.select({c_cpp, 12, 1, "", "a"}, 0, i).window({c_cpp, 12, 1, "", "a"}, 0, v0, 64);
// CHECK-NEXT:      const auto b_block = b.select({c_cpp, 13, 1, "", "b"}, 0, i).window({c_cpp, 13, 1, "", "b"}, 0, v0, 64);
// CHECK-NEXT:#line 19 "c.cpp"
// CHECK-NEXT:      const float v1 = cpu::exp(alpha);
// CHECK-NEXT:#line 21
// CHECK-NEXT:      for (std::int64_t i0 = 0; i0 < a_block.dim(0); ++i0) {
// CHECK-NEXT:#line 14
// CHECK-NEXT:        const float v = x_block(i0);
// CHECK-NEXT:#line 3 "helper.h"
// CHECK-NEXT:        const float v2 = cpu::add(cpu::mul(alpha, v), cpu::cast<float>(class_block(i0)));
// CHECK-NEXT:#line 20 "c.cpp"
// CHECK-NEXT:        const float z = cpu::add(cpu::mul(v2, v2), v1);
// CHECK-NEXT:        a_block(i0) = z;
// CHECK-NEXT:      }
// CHECK-NEXT:      for (std::int64_t i0 = 0; i0 < b_block.dim(0); ++i0) {
// CHECK-NEXT:#line 14
// CHECK-NEXT:        const float v = x_block(i0);
// CHECK-NEXT:#line 22
// CHECK-NEXT:        const std::uint32_t v2 = cpu::add(cpu::cast<std::uint32_t>(i0 + v0), static_cast<std::uint32_t>(k));
// CHECK-NEXT:        b_block(i0) = cpu::where(cpu::lt(v, alpha), cpu::rem(v2, 5U), v2);
// CHECK-NEXT:      }
// CHECK-NEXT:#line 23
// CHECK-NEXT:      if (cpu::are_empty(a, b)) {
// CHECK-NEXT:#line 23
// CHECK-NEXT:        return;
// CHECK-NEXT:      }
// CHECK-NEXT:    } catch (const cpu::out_of_bounds &access) {
// CHECK-NEXT:#line 23
// CHECK-NEXT:      cpu::rethrow(access, "demo.chain", {i, program_1});
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:#line 23
// CHECK-NEXT:  cpu::rethrow({c_cpp, 8, 3}, "demo.chain");
// CHECK-NEXT:}
tile.entry @chain(%x: !tile.array<f32, 2, const> {tile.name = "x"}, %row: !tile.array<f16, 1, const> {tile.name = "class"}, %alpha: f32 {tile.name = "alpha"}, %k: i32 {tile.name = "k", tile.type = "u32"})
    -> (!tile.array<f32, 2>, !tile.array<ui32, 2>, i32) attributes {qualified_name = "demo.chain", result_struct = "chained", result_names = ["a", "b", "count"], doc = "Two arrays and a count.\n\nSecond paragraph.", res_attrs = [{}, {}, {tile.type = "u32"}]} {
  %c64 = arith.constant 64 : i64
  %n = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %m = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %a = tile.empty(%n, %m) : !tile.array<f32, 2> loc("a"("c.cpp":1:1))
  %b = tile.empty(%n, %m) : !tile.array<ui32, 2> loc("b"("c.cpp":2:1))
  %g = arith.ceildivsi %m, %c64 : i64
  tile.launch "demo.chain_0" grid(%n, %g) args(in %xr = %x : !tile.array<f32, 2, const>, in %rr = %row : !tile.array<f16, 1, const>, scalar %al = %alpha : f32, scalar %kk = %k : i32, out %ar = %a : !tile.array<f32, 2>, out %br = %b : !tile.array<ui32, 2>) {
    %c64_0 = arith.constant 64 : i64
    %i = tile.program_id 0 loc("i"("c.cpp":9:1))
    %j = tile.program_id 1
    %at = arith.muli %j, %c64_0 : i64 loc("c.cpp":8:20)
    %xb = tile.slice %xr[element %i, window %at] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [64?]> loc("c.cpp":10:1)
    %rb = tile.slice %rr[window %at] {spec} : !tile.ref<f16, [?]> -> !tile.ref<f16, [64?]> loc("c.cpp":11:1)
    %ab = tile.slice %ar[element %i, window %at] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [64?]> loc("c.cpp":12:1)
    %bb = tile.slice %br[element %i, window %at] {spec} : !tile.ref<ui32, [?, ?]> -> !tile.ref<ui32, [64?]> loc("c.cpp":13:1)
    %v = tile.load %xb : !tile.ref<f32, [64?]> -> tensor<64xf32> loc("v"("c.cpp":14:1))
    %r = tile.load %rb : !tile.ref<f16, [64?]> -> tensor<64xf16> loc("c.cpp":15:1)
    %rf = tile.cast %r : tensor<64xf16> -> tensor<64xf32> loc("c.cpp":15:5)
    %af = tile.full %al : f32 -> tensor<64xf32> loc("c.cpp":16:1)
    %s = tile.mul %af, %v : tensor<64xf32> loc("c.cpp":16:1)
    %t = tile.add %s, %rf : tensor<64xf32> loc(callsite("helper.h":3:4 at "c.cpp":17:1))
    %sq = tile.mul %t, %t : tensor<64xf32> loc("c.cpp":18:1)
    %e = tile.full %al : f32 -> tensor<f32>
    %ee = tile.exp %e : tensor<f32> loc("c.cpp":19:1)
    %eb = tile.broadcast %ee [] : tensor<f32> -> tensor<64xf32> loc("c.cpp":19:1)
    %z = tile.add %sq, %eb : tensor<64xf32> loc("z"("c.cpp":20:1))
    tile.store %z, %ab : tensor<64xf32>, !tile.ref<f32, [64?]> loc("c.cpp":21:1)
    %kt = tile.full %kk : i32 -> tensor<64xui32> loc("c.cpp":22:1)
    %io = tile.iota 0 offset(%at) : tensor<64xui32> loc("c.cpp":22:1)
    %c5 = arith.constant 5 : i32
    %five = tile.full %c5 : i32 -> tensor<64xui32>
    %q = tile.add %io, %kt : tensor<64xui32> loc("c.cpp":22:3)
    %w = tile.rem %q, %five : tensor<64xui32> loc("c.cpp":22:5)
    %cmp = tile.lt %v, %af : tensor<64xf32> -> tensor<64xi1> loc("c.cpp":22:5)
    %sel = tile.where %cmp, %w, %q : tensor<64xi1>, tensor<64xui32> loc("c.cpp":23:5)
    tile.store %sel, %bb : tensor<64xui32>, !tile.ref<ui32, [64?]> loc("c.cpp":23:1)
    tile.yield
  } loc("c.cpp":8:3)
  tile.return %a, %b, %k : !tile.array<f32, 2>, !tile.array<ui32, 2>, i32
}
