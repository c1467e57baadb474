// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// RUN: tegulac --emit=resources --arch=sm_90a %s -o - | FileCheck %s --check-prefix=RESOURCES
// RUN: tegulac %s -o %t && FileCheck %s --check-prefix=STUB --input-file=%t.cpp
// RUN: not tegulac --emit=ptx --arch=sm_80 %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=ARCH
// What copies are told beyond places: hints for L2, reductions, what is outside; and contiguous copies.
#include <tegula/tegula.h>
namespace tg = tegula;

// RESOURCES-COUNT-5: spills 0
// ARCH: error: {{a copy by TMA|a contiguous copy|tg::barrier}} needs sm_90a

// A hint is a policy that the instruction has behind its operands; the normal one is none. Each is made once, in front
// of loops and roles.
// CHECK-LABEL: .entry hints_0(
// CHECK:      createpolicy.fractional.L2::evict_last.b64 [[LAST:%rd[0-9]+]], 1.0;
// CHECK:      createpolicy.fractional.L2::evict_first.b64 [[FIRST:%rd[0-9]+]], 1.0;
// CHECK-NOT:  createpolicy
// CHECK:      @%p{{[0-9]+}} cp.async.bulk.prefetch.tensor.2d.L2.global.tile.L2::cache_hint [{{.*}}], [[LAST]];
// CHECK:      @%p{{[0-9]+}} cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [{{.*}}], [{{.*}}], [[FIRST]];
// CHECK:      cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [{{[^;]*}};
// CHECK:      @%p{{[0-9]+}} cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group.L2::cache_hint [{{.*}}], [{{.*}}], [[LAST]];
// CHECK-NOT:  createpolicy
TEGULA_KERNEL void hints(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<float, 16, 32> a, b;
    tg::barrier here{.num_arrivals = 2};
    tg::async_prefetch(x.at(tg::ds<16>(0), tg::ds<32>(0)), {.l2_eviction = tg::evict_last});
    tg::copy_gmem_to_smem(x.at(tg::ds<16>(0), tg::ds<32>(0)), a, here, {.l2_eviction = tg::evict_first});
    tg::copy_gmem_to_smem(x.at(tg::ds<16>(0), tg::ds<32>(32)), b, here, {.l2_eviction = tg::evict_normal});
    tg::barrier_wait(here);
    tg::copy_smem_to_gmem(a, o.at(tg::ds<16>(0), tg::ds<32>(0)), {.l2_eviction = tg::evict_last});
    tg::wait_smem_to_gmem<0>();
  });
}

// CHECK-LABEL: .entry reductions_0(
// CHECK: @%p{{[0-9]+}} cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [
// CHECK: @%p{{[0-9]+}} cp.reduce.async.bulk.tensor.1d.global.shared::cta.or.tile.bulk_group [
// CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [
// CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.min.u32 [{{.*}}], [{{.*}}], %r{{[0-9]+}}, %rd{{[0-9]+}};
// CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b32 [
TEGULA_KERNEL void reductions(tg::array<tg::bf16, 1> x, tg::array<tg::u32, 1> y) {
  tg::kernel([=] {
    constexpr auto inside = tg::oob_fill::promise_in_bounds;
    tg::smem<tg::bf16, 64> a;
    tg::smem<tg::u32, 64> b;
    tg::copy_smem_to_gmem(a, x.at(tg::ds<64>(0)), {.reduction = tg::reduction_op::add});
    tg::copy_smem_to_gmem(b, y.at(tg::ds<64>(0)), {.reduction = tg::reduction_op::bitwise_or});
    tg::copy_smem_to_gmem(a, x.at(tg::ds<64>(0)), {.reduction = tg::reduction_op::add, .oob_mode = inside});
    tg::copy_smem_to_gmem(b, y.at(tg::ds<64>(0)),
                          {.reduction = tg::reduction_op::min, .oob_mode = inside, .l2_eviction = tg::evict_first});
    tg::copy_smem_to_gmem(b, y.at(tg::ds<64>(0)), {.reduction = tg::reduction_op::bitwise_xor, .oob_mode = inside});
    tg::wait_smem_to_gmem<0>();
  });
}

// Sums and bits of signed integers are those of unsigned ones: TMA has only these. Their order is not.
// STUB: void signed_integers(
// STUB: abi::as_unsigned(abi::write_map("x",
// STUB: abi::write_map("x",
TEGULA_KERNEL void signed_integers(tg::array<tg::s64, 1> x) {
  tg::kernel([=] {
    tg::smem<tg::s64, 64> a;
    tg::copy_smem_to_gmem(a, x.at(tg::ds<64>(0)), {.reduction = tg::reduction_op::add});
    tg::copy_smem_to_gmem(a, x.at(tg::ds<64>(0)), {.reduction = tg::reduction_op::max});
    tg::wait_smem_to_gmem<0>();
  });
}

// A run of a row takes one instruction and no tensor map, and its place in shared memory no swizzle. What is cut of two
// dimensions, or transposed, takes a tensor map all the same.
// CHECK-LABEL: .entry runs_0(
// CHECK-NOT:  tensor
// CHECK:      mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r{{[0-9]+}}], %r{{[0-9]+}};
// CHECK:      @%p{{[0-9]+}} cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r{{[0-9]+}}], [%rd{{[0-9]+}}], %r{{[0-9]+}}, [%r{{[0-9]+}}];
// CHECK:      @%p{{[0-9]+}} cp.async.bulk.global.shared::cta.bulk_group [%rd{{[0-9]+}}], [%r{{[0-9]+}}], %r{{[0-9]+}};
// CHECK-NEXT: cp.async.bulk.commit_group;
// CHECK-NOT:  tensor
// CHECK:      ret;
// STUB: void runs(
// STUB: .check(abi::dense(16, x),
// STUB-NEXT: "a contiguous copy copies units of 16 bytes: x or its rows do not begin at a multiple of that, or its columns are not contiguous");
// STUB: .check(abi::dense(16, o),
TEGULA_KERNEL void runs(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel([=] {
    constexpr auto inside = tg::oob_fill::promise_in_bounds;
    tg::smem<float, 8, 2048> rows;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(3, tg::ds<2048>(0)), rows.at(5), here, {.oob_mode = inside});
    tg::barrier_wait(here);
    tg::copy_smem_to_gmem(rows.at(5), o.at(4, tg::ds<2048>(0)), {.oob_mode = inside});
    tg::wait_smem_to_gmem<0>();
  });
}

// CHECK-LABEL: .entry no_runs_0(
// CHECK-COUNT-3: cp.async.bulk.tensor
// STUB: abi::nan_outside(abi::read_map("x",
TEGULA_KERNEL void no_runs(tg::array<const float, 2> x) {
  tg::kernel([=] {
    constexpr auto inside = tg::oob_fill::promise_in_bounds;
    tg::smem<float, 8, 16> a, c;
    tg::smem<float, 16> b;
    tg::barrier here{.num_arrivals = 3};
    tg::copy_gmem_to_smem(x.at(tg::ds<8>(0), tg::ds<16>(0)), a, here, {.oob_mode = inside});
    tg::copy_gmem_to_smem(tg::transpose_ref(x).at(0, tg::ds<16>(0)), b, here, {.oob_mode = inside});
    tg::copy_gmem_to_smem(x.at(tg::ds<8>(0), tg::ds<16>(0)), c, here, {.oob_mode = tg::oob_fill::nan});
    tg::barrier_wait(here);
  });
}
