// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Asynchronous stores move words of 4 bytes.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const tg::u8, 1> x) {
  tg::kernel({.cluster = {{"c", 2}}}, [=] {
    tg::smem<tg::u8, 30> s;
    tg::smem<tg::u8, 32> more;
    tg::barrier arrived;
    // CHECK: async-store-bytes.cpp:[[@LINE+1]]:5: error: tg::async_store_smem stores words of 4 bytes, but this window has 30 bytes: make them a multiple of 4 [tegula-async-store-bytes]
    tg::async_store_smem(x[tg::ds<30>(0)], s, arrived, {"c", 0});
    tg::async_store_smem(x[tg::ds<32>(0)], more, arrived, {"c", 0});
  });
}
