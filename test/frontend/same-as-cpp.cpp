// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel computes on the CPU is what the host's compiler computes from the same C++.
// RUN: mkdir -p %t
// RUN: tegulac %s -I %S/Inputs -o %t/kernels
// RUN: %cxx -w -fwrapv -I %S/Inputs -I %t %S/Inputs/compute_main.cpp %t/kernels.cpp %link -o %t/program
// RUN: %t/program | FileCheck %s
// CHECK: {{^}}0 of 10200 differ
#include "compute.h"
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL tg::array<tg::s64, 1> run(tg::array<const int, 1> x, int n, bool flag, tg::u8 u, tg::s16 w) {
  auto o = tg::empty<tg::s64>(x.dim(0));
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto o) {
        const auto i = tg::program_id(0);
        o[i] = compute(x[i], n, flag, u, w);
      },
      tg::in(x), tg::out(o));
  return o;
}
