// The program of a thread of the explicit level, in C++.
// RUN: tegulac --emit=cpu %s -o %t.h
// RUN: grep -v '^#line' %t.h | sed 's/{cpu_explicit_mlir, [0-9]*, [0-9]*}/here/; s/{"(unknown)", 0, 0}/here/' | FileCheck %s --match-full-lines --strict-whitespace
// RUN: clang-format --style='{BasedOnStyle: LLVM, ColumnLimit: 120, BreakStringLiterals: false, ReflowComments: false}' %t.h | diff - %t.h
// RUN: %cxx -include %t.h %S/Inputs/explicit.cpp %link -o %t.gcc
// RUN: %t.gcc
// RUN: %clangxx -fsanitize=address,undefined -fno-sanitize-recover=all -include %t.h %S/Inputs/explicit.cpp %link -o %t.clang
// RUN: %t.clang

// Places, barriers, copies. What is loaded is kept, since other threads write while this one waits.
// CHECK:void around_0_cpu(std::int64_t grid_0, cpu::ref<const float, 2> x, cpu::ref<float, 2> o, bool flag) try {
// CHECK-NEXT:  cpu::launch{"around", {grid_0}, 2, {2, 1}}.run([&](cpu::thread &self) {
// CHECK-NEXT:    const auto ring = self.shared<float, 3>(here, 0, {2, 8, 4});
// CHECK-NEXT:    const auto full = self.alloc_barriers(here, "full", 0, 2, 1);
// CHECK-NEXT:    const auto all = self.alloc_barriers(here, "all", 1, 1, 4, {0, 1});
// CHECK-NEXT:    const std::int64_t wg = self.index();
// CHECK-NEXT:    const std::int64_t v0 = cpu::add(self.program(0) * 16, cpu::mul(wg, std::int64_t{8}));
// CHECK-NEXT:    const auto ring_block = ring.select(here, 0, wg);
// CHECK-NEXT:    const auto x_block = cpu::window(x).part(0, v0, 8).part(1, 0, 4);
// CHECK-NEXT:    self.copy_to_shared(here, x_block, ring_block, full, wg, {0});
// CHECK-NEXT:    self.barrier_wait(here, full, wg, false);
// CHECK-NEXT:    const auto ring_block_block = ring_block.part(here, 0, 0, 4);
// CHECK-NEXT:    const auto ring_block_block_read = self.read(here, ring_block_block);
// CHECK-NEXT:    cpu::tile<float, 2> before(tegula::shape<2>{4, 4});
// CHECK-NEXT:    for (std::int64_t i0 = 0; i0 < before.dim(0); ++i0) {
// CHECK-NEXT:      for (std::int64_t i1 = 0; i1 < before.dim(1); ++i1) {
// CHECK-NEXT:        before(i0, i1) = ring_block_block_read(i0, i1);
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    self.barrier_arrive(here, all, 0);
// CHECK-NEXT:    self.barrier_wait(here, all, 0, false);
// CHECK-NEXT:    const auto ring_block_block_written = self.write(here, ring_block_block);
// CHECK-NEXT:    for (std::int64_t i0 = 0; i0 < 4; ++i0) {
// CHECK-NEXT:      for (std::int64_t i1 = 0; i1 < 4; ++i1) {
// CHECK-NEXT:        const float before_2 = before(i0, i1);
// CHECK-NEXT:        ring_block_block_written(i0, i1) = cpu::add(before_2, before_2);
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    self.fence_shared(here);
// CHECK-NEXT:    if (self.cluster_index(0) == 0) {
// CHECK-NEXT:      const auto o_block = cpu::window(o).part(0, v0, 8).part(1, 0, 4);
// CHECK-NEXT:      if (flag) {
// CHECK-NEXT:        self.copy_to_global(here, ring_block, o_block);
// CHECK-NEXT:      }
// CHECK-NEXT:      self.commit_group(here);
// CHECK-NEXT:      self.wait_group_read(here, 0);
// CHECK-NEXT:      self.wait_group(here, 0);
// CHECK-NEXT:    }
// CHECK-NEXT:  });
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @around(%x: !tile.array<f32, 2, const> {tile.name = "x"}, %o: !tile.array<f32, 2> {tile.name = "o"}, %n: i64 {tile.name = "n"}, %flag: i1 {tile.name = "flag"}) attributes {qualified_name = "around"} {
  tile.launch "around_0" grid(%n) args(in %xr = %x : !tile.array<f32, 2, const>, out %or = %o : !tile.array<f32, 2>, scalar %f = %flag : i1) attributes {warpgroups = 2 : i64, cluster = array<i64: 2, 1>} {
    %c0 = arith.constant 0 : i64
    %c8 = arith.constant 8 : i64
    %c16 = arith.constant 16 : i64
    %false = arith.constant false
    %ring = tile.alloc : !tile.ref<f32, [2, 8, 4], smem> loc("ring"(unknown))
    %full = tile.alloc_barriers arrivals 1 : !tile.barriers<2> loc("full"(unknown))
    %all = tile.alloc_barriers arrivals 4 cluster [0, 1] : !tile.barriers<1> loc("all"(unknown))
    %wg = tile.thread_index loc("wg"(unknown))
    %is_copier = arith.cmpi eq, %wg, %c0 : i64
    scf.if %is_copier {
      tile.set_max_registers 40
    } else {
      tile.set_max_registers increase 240
    }
    %program = tile.program_id 0
    %first = arith.muli %program, %c16 : i64
    %mine = arith.muli %wg, %c8 : i64
    %row = arith.addi %first, %mine : i64
    %variable = tile.slice %ring[element %wg, whole, whole] : !tile.ref<f32, [2, 8, 4], smem> -> !tile.ref<f32, [8, 4], smem>
    %from = tile.slice %xr[window %row, window %c0] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [8?, 4?]>
    tile.copy_to_shared %from, %variable, %full[%wg] multicast [0] : !tile.ref<f32, [8?, 4?]>, !tile.ref<f32, [8, 4], smem>, !tile.barriers<2>
    tile.barrier_wait %full[%wg] parity %false : !tile.barriers<2>
    %half = tile.slice %variable[window %c0, whole] : !tile.ref<f32, [8, 4], smem> -> !tile.ref<f32, [4, 4], smem>
    %before = tile.load %half : !tile.ref<f32, [4, 4], smem> -> tensor<4x4xf32> loc("before"(unknown))
    tile.barrier_arrive %all[%c0] : !tile.barriers<1>
    tile.barrier_wait %all[%c0] parity %false : !tile.barriers<1>
    %sum = tile.add %before, %before : tensor<4x4xf32>
    tile.store %sum, %half : tensor<4x4xf32>, !tile.ref<f32, [4, 4], smem>
    tile.fence_shared
    %block = tile.cluster_index 0
    %is_first = arith.cmpi eq, %block, %c0 : i64
    scf.if %is_first {
      %to = tile.slice %or[window %row, window %c0] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [8?, 4?]>
      tile.copy_to_global commit %variable, %to if %f : !tile.ref<f32, [8, 4], smem>, !tile.ref<f32, [8?, 4?]>
      tile.wait_group 0 read
      tile.wait_group 0
    }
    tile.yield
  }
  tile.return
}

// Accumulators: one variable through loop and waits, another where the value lives on; operands from registers.
// CHECK:void products_0_cpu(cpu::ref<const tegula::bf16, 2> x, cpu::ref<float, 3> o, std::int64_t n) try {
// CHECK-NEXT:  cpu::launch{"products", {}, 1}.run([&](cpu::thread &self) {
// CHECK-NEXT:    const auto xs = self.shared<tegula::bf16, 2>(here, 0, {64, 64});
// CHECK-NEXT:    const auto full = self.alloc_barriers(here, "full", 0, 1, 1);
// CHECK-NEXT:    const auto x_block = cpu::window(x).part(0, 0, 64).part(1, 0, 64);
// CHECK-NEXT:    self.copy_to_shared(here, x_block, xs, full, 0);
// CHECK-NEXT:    self.barrier_wait(here, full, 0, false);
// CHECK-NEXT:    const auto xt = xs.transpose({1, 0});
// CHECK-NEXT:    cpu::accumulator<float> v0({64, 64}, 0.0F);
// CHECK-NEXT:    for (std::int64_t i = 0; i < n; ++i) {
// CHECK-NEXT:      self.wgmma(here, v0, xs, xt);
// CHECK-NEXT:      self.wgmma_wait(here, 1);
// CHECK-NEXT:    }
// CHECK-NEXT:    self.wgmma_wait(here, 0);
// CHECK-NEXT:    cpu::tile<tegula::bf16, 2> narrow(tegula::shape<2>{64, 64});
// CHECK-NEXT:    for (std::int64_t i0 = 0; i0 < narrow.dim(0); ++i0) {
// CHECK-NEXT:      for (std::int64_t i1 = 0; i1 < narrow.dim(1); ++i1) {
// CHECK-NEXT:        narrow(i0, i1) = cpu::cast<tegula::bf16>(v0(i0, i1));
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    cpu::accumulator<float> more = v0;
// CHECK-NEXT:    self.wgmma(here, more, narrow, xs);
// CHECK-NEXT:    self.wgmma_wait(here, 0);
// CHECK-NEXT:    const auto o_block = cpu::window(o).select(0, 0).part(0, 0, 64).part(1, 0, 64);
// CHECK-NEXT:    const auto o_block_written = self.write(here, o_block);
// CHECK-NEXT:    for (std::int64_t i0 = 0; i0 < 64; ++i0) {
// CHECK-NEXT:      for (std::int64_t i1 = 0; i1 < 64; ++i1) {
// CHECK-NEXT:        o_block_written(i0, i1) = v0(i0, i1);
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    const auto o_block_2 = cpu::window(o).select(0, 1).part(0, 0, 64).part(1, 0, 64);
// CHECK-NEXT:    const auto o_block_2_written = self.write(here, o_block_2);
// CHECK-NEXT:    for (std::int64_t i0 = 0; i0 < 64; ++i0) {
// CHECK-NEXT:      for (std::int64_t i1 = 0; i1 < 64; ++i1) {
// CHECK-NEXT:        o_block_2_written(i0, i1) = more(i0, i1);
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  });
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @products(%x: !tile.array<bf16, 2, const> {tile.name = "x"}, %o: !tile.array<f32, 3> {tile.name = "o"}, %n: i64 {tile.name = "n"}) attributes {qualified_name = "products"} {
  tile.launch "products_0" grid() args(in %xr = %x : !tile.array<bf16, 2, const>, out %or = %o : !tile.array<f32, 3>, scalar %count = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %false = arith.constant false
    %xs = tile.alloc : !tile.ref<bf16, [64, 64], smem> loc("xs"(unknown))
    %full = tile.alloc_barriers arrivals 1 : !tile.barriers<1> loc("full"(unknown))
    %from = tile.slice %xr[window %c0, window %c0] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [64?, 64?]>
    tile.copy_to_shared %from, %xs, %full[%c0] : !tile.ref<bf16, [64?, 64?]>, !tile.ref<bf16, [64, 64], smem>, !tile.barriers<1>
    tile.barrier_wait %full[%c0] parity %false : !tile.barriers<1>
    %xt = tile.transpose %xs [1, 0] : !tile.ref<bf16, [64, 64], smem> -> !tile.ref<bf16, [64, 64], smem> loc("xt"(unknown))
    %zero = arith.constant 0.0 : f32
    %none = tile.full %zero : f32 -> tensor<64x64xf32>
    %sum = scf.for %i = %c0 to %count step %c1 iter_args(%so_far = %none) -> (tensor<64x64xf32>) : i64 {
      %next = tile.wgmma %so_far, %xs, %xt : !tile.ref<bf16, [64, 64], smem>, !tile.ref<bf16, [64, 64], smem> -> tensor<64x64xf32>
      %waited = tile.wgmma_wait 1(%next) : (tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %waited : tensor<64x64xf32>
    } loc("sum"(unknown))
    %all = tile.wgmma_wait 0(%sum) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %narrow = tile.cast %all : tensor<64x64xf32> -> tensor<64x64xbf16> loc("narrow"(unknown))
    %begun = tile.wgmma %all, %narrow, %xs : tensor<64x64xbf16>, !tile.ref<bf16, [64, 64], smem> -> tensor<64x64xf32> loc("more"(unknown))
    %more = tile.wgmma_wait 0(%begun) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %o0 = tile.slice %or[element %c0, window %c0, window %c0] : !tile.ref<f32, [?, ?, ?]> -> !tile.ref<f32, [64?, 64?]>
    tile.store %all, %o0 : tensor<64x64xf32>, !tile.ref<f32, [64?, 64?]>
    %o1 = tile.slice %or[element %c1, window %c0, window %c0] : !tile.ref<f32, [?, ?, ?]> -> !tile.ref<f32, [64?, 64?]>
    tile.store %more, %o1 : tensor<64x64xf32>, !tile.ref<f32, [64?, 64?]>
    tile.yield
  }
  tile.return
}

// Scopes of shared memory, one of which nothing uses, and products that may overwrite; one whose sum nobody reads.
// CHECK:void scopes_0_cpu(bool flag) try {
// CHECK-NEXT:  cpu::launch{"scopes", {}, 1}.run([&](cpu::thread &self) {
// CHECK-NEXT:    const auto xs = self.shared<tegula::bf16, 2>(here, 0, {64, 64});
// CHECK-NEXT:    cpu::accumulator<float> sum({64, 64}, 0.0F);
// CHECK-NEXT:    self.wgmma(here, sum, xs, xs, flag);
// CHECK-NEXT:    self.wgmma(here, sum, xs, xs, false);
// CHECK-NEXT:    self.free(here, 0);
// CHECK-NEXT:  });
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @scopes(%flag: i1 {tile.name = "flag"}) attributes {qualified_name = "scopes"} {
  tile.launch "scopes_0" grid() args(scalar %f = %flag : i1) attributes {warpgroups = 1 : i64} {
    %false = arith.constant false
    %zero = arith.constant 0.0 : f32
    %xs = tile.alloc : !tile.ref<bf16, [64, 64], smem> loc("xs"(unknown))
    %unused = tile.alloc : !tile.ref<bf16, [64, 64], smem> loc("unused"(unknown))
    %none = tile.full %zero : f32 -> tensor<64x64xf32>
    %sum = tile.wgmma %none if %f, %xs, %xs : !tile.ref<bf16, [64, 64], smem>, !tile.ref<bf16, [64, 64], smem> -> tensor<64x64xf32> loc("sum"(unknown))
    %lost = tile.wgmma %sum if %false, %xs, %xs : !tile.ref<bf16, [64, 64], smem>, !tile.ref<bf16, [64, 64], smem> -> tensor<64x64xf32> loc("lost"(unknown))
    tile.free %xs, %unused : !tile.ref<bf16, [64, 64], smem>, !tile.ref<bf16, [64, 64], smem>
    tile.yield
  }
  tile.return
}
