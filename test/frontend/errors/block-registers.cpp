// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The lanes of a block share the registers of a multiprocessor.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f() {
  // CHECK: block-registers.cpp:[[@LINE+1]]:14: error: max_registers is 176, but each thread of a CTA of 3 warpgroups has at most 168 of its 65536 registers: use 168 or fewer, or fewer warpgroups [tegula-block-registers]
  tg::kernel({.threads = {"wg", 3}, .max_registers = 176}, [=] {});
  // CHECK: block-registers.cpp:[[@LINE+1]]:14: error: max_registers is 72, but each thread of a CTA of 8 warpgroups has at most 64 of its 65536 registers: use 64 or fewer, or fewer warpgroups [tegula-block-registers]
  tg::kernel({.threads = {"wg", 8}, .max_registers = 72}, [=] {});
  tg::kernel({.threads = {"wg", 2}, .max_registers = 248}, [=] {});
  tg::kernel({.threads = {"wg", 3}, .max_registers = 168}, [=] {});
  tg::kernel({.threads = {"wg", 8}, .max_registers = 64}, [=] {});
}
