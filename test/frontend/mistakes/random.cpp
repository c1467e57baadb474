// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What random numbers and conversions take.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const double, 1> x, tg::array<const float, 1> y) {
  tg::pallas_call(
      [](auto x, auto y) {
        const auto n = tg::iota<int, 8>();
        const auto key = tg::random::key(7);
        // CHECK-DAG: random.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the counter is not an integer or a tile of integers: count by tg::iota<int, 64>()
        (void)tg::rand(7, tg::iota<float, 8>());
        // CHECK-DAG: random.cpp:[[@LINE+1]]:{{[0-9]+}}: error: random bits do not have this element type: use u8, u16, u32 or u64
        (void)tg::random::bits<float>(key, n);
        // CHECK-DAG: random.cpp:[[@LINE+1]]:{{[0-9]+}}: error: uniform numbers do not have this element type: use f16, bf16, f32 or f64
        (void)tg::random::uniform<int>(key, n);
        // CHECK-DAG: random.cpp:[[@LINE+1]]:{{[0-9]+}}: error: normal numbers do not have this element type: use f16, bf16, f32 or f64
        (void)tg::random::normal<int>(key, n);
        // CHECK-DAG: random.cpp:[[@LINE+1]]:{{[0-9]+}}: error: stochastic rounding takes elements of float: convert with tg::astype<float>(x)
        (void)tg::astype<tg::bf16>(x[tg::all], tg::randint(7, 0));
        // CHECK-DAG: random.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this conversion has no stochastic rounding: its target is f16, bf16 or an 8-bit float
        (void)tg::astype<int>(y[tg::all], tg::randint(7, 0));
        // CHECK-DAG: random.cpp:[[@LINE+1]]:{{[0-9]+}}: error: stochastic rounding takes random bits as u32: generate them by tg::randint(seed, offsets)
        (void)tg::astype<tg::bf16>(y[tg::all], n[0]);
        // CHECK-DAG: random.cpp:[[@LINE+1]]:{{[0-9]+}}: error: as_tf32 takes elements of float only: convert with tg::astype<float>(x)
        (void)tg::as_tf32(x[tg::all]);
      },
      tg::in(x), tg::in(y));
}
