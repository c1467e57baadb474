// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries that would have the name of another C function. They are entries all the same.
// RUN: rm -rf %t && mkdir -p %t && tegulac %s -o %t/kernels
// RUN: not tegulac --c-abi %s -o %t/c 2>&1 | FileCheck %s --implicit-check-not error:
// RUN: not ls %t/c.cpp
// RUN: not tegulac --c-abi -DALIKE %s -o %t/c 2>&1 | FileCheck %s --check-prefix=ALIKE
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: c-abi-errors.cpp:[[@LINE+1]]:{{[0-9]+}}: error: entry 'last_error' cannot be the C function 'c_last_error': that is a function of the header for all entries: rename it
TEGULA_KERNEL void last_error(tg::array<float, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = 0.0f; }, tg::out(x));
}

TEGULA_KERNEL void clear(tg::array<float, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = 0.0f; }, tg::out(x));
}
TEGULA_KERNEL void clear(tg::array<float, 1> y, float to) {
  tg::pallas_call([=](auto y) { y[tg::all] = to; }, tg::out(y));
}
// CHECK: c-abi-errors.cpp:[[@LINE+1]]:{{[0-9]+}}: error: entry 'clear_y_to' cannot be the C function 'c_clear_y_to': entry 'clear' has this name: rename it
TEGULA_KERNEL void clear_y_to(tg::array<float, 1> z) {
  tg::pallas_call([](auto z) { z[tg::all] = 0.0f; }, tg::out(z));
}

#ifdef ALIKE
namespace a {
TEGULA_KERNEL void fill(tg::array<float, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = 0.0f; }, tg::out(x));
}
} // namespace a
// ALIKE: c-abi-errors.cpp:[[@LINE+1]]:{{[0-9]+}}: error: entries 'a::fill' and 'a_fill' cannot both be the C function 'c_a_fill': they take tensors of the same types; rename one
TEGULA_KERNEL void a_fill(tg::array<float, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = 1.0f; }, tg::out(x));
}
#endif
