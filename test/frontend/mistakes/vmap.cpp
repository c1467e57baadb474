// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What vmap goes over, and where it stands.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> x, int axis) {
  const auto make = [](auto x) { return tg::empty_like(x); };
  // CHECK: vmap.cpp:[[@LINE+1]]:3: error: there is no dimension 2: the rank is 2 [tegula-no-such-dimension]
  tg::vmap(make, tg::over(x, 2));
  // CHECK: vmap.cpp:[[@LINE+1]]:3: error: there is no dimension -1: the rank is 2 [tegula-no-such-dimension]
  tg::vmap(make, tg::over(x, -1));
  // CHECK: vmap.cpp:[[@LINE+1]]:3: error: the axis of tg::over must be a compile-time constant: write a literal, a constexpr variable or a template parameter; the index of a loop is one under #pragma unroll [tegula-not-constant]
  tg::vmap(make, tg::over(x, axis));
  // CHECK: vmap.cpp:[[@LINE+1]]:3: error: .out_axis must be a compile-time constant: write a literal, a constexpr variable or a template parameter; the index of a loop is one under #pragma unroll [tegula-not-constant]
  tg::vmap({.out_axis = axis}, make, tg::over(x, 0));
  // CHECK: vmap.cpp:[[@LINE+1]]:42: error: tg::vmap is allowed only in host code: call it before or after the launch, not in the kernel body [tegula-host-only]
  tg::pallas_call([x](auto o) { (void)o; tg::vmap([](auto) {}, tg::over(x, 0)); }, tg::inout(x));
}
