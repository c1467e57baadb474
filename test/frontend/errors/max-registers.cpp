// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Lanes get registers by 8.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(int n) {
  // CHECK: max-registers.cpp:[[@LINE+1]]:14: error: max_registers must be a multiple of 8 from 24 to 248, or 0 for as many as the code needs: not 20 [tegula-max-registers]
  tg::kernel({.max_registers = 20}, [=] {});
  // CHECK: max-registers.cpp:[[@LINE+1]]:14: error: max_registers must be a multiple of 8 from 24 to 248, or 0 for as many as the code needs: not 100 [tegula-max-registers]
  tg::kernel({.max_registers = 100}, [=] {});
  // CHECK: max-registers.cpp:[[@LINE+1]]:14: error: max_registers must be a multiple of 8 from 24 to 248, or 0 for as many as the code needs: not 256 [tegula-max-registers]
  tg::kernel({.max_registers = 256}, [=] {});
  // CHECK: max-registers.cpp:[[@LINE+1]]:14: error: .max_registers
  tg::kernel({.max_registers = n}, [=] {});
  tg::kernel({.max_registers = 248}, [=] {});
}
