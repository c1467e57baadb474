// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Axes and options are constants.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: not-constant.cpp:[[@LINE+1]]:41: error: the axis of dim must be a compile-time constant: write a literal, a constexpr variable or a template parameter; the index of a loop is one under #pragma unroll [tegula-not-constant]
        o[0] = static_cast<float>(x.dim(n));
        // CHECK: not-constant.cpp:[[@LINE+1]]:50: error: the axis of program_id must be a compile-time constant: write a literal, a constexpr variable or a template parameter; the index of a loop is one under #pragma unroll [tegula-not-constant]
        o[1] = static_cast<float>(tg::program_id(n));
      },
      tg::in(x), tg::out(o));
  tg::kernel([=] {
    // CHECK: not-constant.cpp:[[@LINE+1]]:17: error: .num_arrivals must be a compile-time constant: write a literal, a constexpr variable or a template parameter; the index of a loop is one under #pragma unroll [tegula-not-constant]
    tg::barrier done{.num_arrivals = n};
    tg::smem<float, 64> s;
    // CHECK: not-constant.cpp:[[@LINE+1]]:51: error: .commit_group must be a compile-time constant: write a literal, a constexpr variable or a template parameter; the index of a loop is one under #pragma unroll [tegula-not-constant]
    tg::copy_smem_to_gmem(s, o.at(tg::ds<64>(0)), {.commit_group = n == 1});
    // CHECK: not-constant.cpp:[[@LINE+1]]:32: error: read_only must be a compile-time constant: write a literal, a constexpr variable or a template parameter; the index of a loop is one under #pragma unroll [tegula-not-constant]
    tg::wait_smem_to_gmem<0>(n == 1);
    // CHECK: not-constant.cpp:[[@LINE+1]]:5: error: .max_concurrent_steps must be a compile-time constant: write a literal, a constexpr variable or a template parameter; the index of a loop is one under #pragma unroll [tegula-not-constant]
    tg::emit_pipeline({.max_concurrent_steps = n}, [](auto) {}, tg::in<8>(x, [] { return tg::index(0); }));
  });
}
