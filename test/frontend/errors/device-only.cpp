// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The host has shapes and scalars, no tiles.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: device-only.cpp:[[@LINE+1]]:23: error: operator [] is allowed only in a kernel body: host code computes with shapes and scalars [tegula-device-only]
  const float first = x[0];
  // CHECK: device-only.cpp:[[@LINE+1]]:21: error: tg::full is allowed only in a kernel body: host code computes with shapes and scalars [tegula-device-only]
  const auto ones = tg::full<float, 64>(1.0f);
  const float e = tg::exp(first);
  // CHECK: device-only.cpp:[[@LINE+1]]:18: error: tg::program_id is allowed only in a kernel body: host code computes with shapes and scalars [tegula-device-only]
  const auto i = tg::program_id(0);
  // CHECK: device-only.cpp:[[@LINE+1]]:20: error: tg::bitcast is allowed only in a kernel body: host code computes with shapes and scalars [tegula-device-only]
  const int bits = tg::bitcast<int>(static_cast<float>(n));
}
