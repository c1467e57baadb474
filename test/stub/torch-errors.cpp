// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries that cannot be PyTorch operators. They are entries all the same.
// RUN: rm -rf %t && mkdir -p %t && tegulac %s -o %t/kernels
// RUN: not tegulac --torch-namespace=my_ops %s -o %t/ops 2>&1 | FileCheck %s
// RUN: not ls %t/ops.cpp
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: torch-errors.cpp:[[@LINE+1]]:{{[0-9]+}}: error: entry 'indices' cannot be a PyTorch operator: it has no array parameter that is always present, and PyTorch selects CPU or GPU by a tensor: take one, such as the array that the result is made like, or keep the entry in a file of tegula_add_kernels
TEGULA_KERNEL tg::array<int, 1> indices(tg::s64 n) {
  auto o = tg::empty<int>(n);
  tg::pallas_call([](auto o) { o[tg::all] = tg::iota<int>(o.dim(0)); }, tg::out(o));
  return o;
}

// CHECK: torch-errors.cpp:[[@LINE+1]]:{{[0-9]+}}: error: entry 'widen' cannot be a PyTorch operator: 'x' has elements of s4, packed two per byte, and PyTorch has no such dtype: take bytes (u8) and unpack them in the kernel
TEGULA_KERNEL tg::array<float, 1> widen(tg::array<const tg::s4, 1> x) {
  auto o = tg::empty<float>(x.dim(0));
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::astype<float>(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}

// CHECK: torch-errors.cpp:[[@LINE+1]]:{{[0-9]+}}: error: entry 'narrow' cannot be a PyTorch operator: its result has elements of e2m1, packed two per byte, and PyTorch has no such dtype: return bytes (u8) that the kernel packs
TEGULA_KERNEL tg::array<tg::e2m1, 1> narrow(tg::array<const float, 1> x) {
  auto o = tg::empty<tg::e2m1>(x.dim(0));
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::astype<tg::e2m1>(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}
