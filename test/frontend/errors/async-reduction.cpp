// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// What red.async combines.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<const tg::s64, 1> n, tg::array<const tg::s32, 1> i) {
  tg::kernel({.cluster = {{"c", 2}}}, [=] {
    tg::smem<float, 32> s;
    tg::smem<tg::s64, 32> t;
    tg::smem<tg::s32, 32> u;
    tg::barrier arrived;
    const auto all = tg::ds<32>(0);
    // CHECK: async-reduction.cpp:[[@LINE+1]]:5: error: tg::async_store_smem does not combine elements of f32 by tg::reduction_op::add: integers of 32 bits take all reductions, but inc and dec only u32, integers of 64 bits take add; update others by tg::atomic_add(tg::cluster_ref(...), x) [tegula-async-reduction]
    tg::async_store_smem(x[all], s, arrived, {"c", 0}, tg::reduction_op::add);
    // CHECK: async-reduction.cpp:[[@LINE+1]]:5: error: tg::async_store_smem does not combine elements of s64 by tg::reduction_op::bitwise_or:
    tg::async_store_smem(n[all], t, arrived, {"c", 0}, tg::reduction_op::bitwise_or);
    // CHECK: async-reduction.cpp:[[@LINE+1]]:5: error: tg::async_store_smem does not combine elements of s32 by tg::reduction_op::inc:
    tg::async_store_smem(i[all], u, arrived, {"c", 0}, tg::reduction_op::inc);
    tg::async_store_smem(n[all], t, arrived, {"c", 0}, tg::reduction_op::add);
    tg::async_store_smem(i[all], u, arrived, {"c", 0}, tg::reduction_op::min);
  });
}
