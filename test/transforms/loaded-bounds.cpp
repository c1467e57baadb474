// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bound that the condition of a loop loads is loaded once, unless the launch stores to its array.
// RUN: tegulac --emit=tile %s -o %t && FileCheck %s --input-file=%t
#include <tegula/tegula.h>
namespace tg = tegula;

template <bool stores>
TEGULA_KERNEL void count(tg::array<const int, 1> n, tg::array<int, 1> m, tg::array<int, 1> o) {
  tg::pallas_call({.grid = {1}}, [](auto n, auto m, auto o) {
    int sum = 0;
    if constexpr (stores)
      for (int i = 0; i < m[0]; ++i) {
        sum += i;
        m[0] = sum;
      }
    else
      for (int i = 0; i < n[0]; ++i)
        sum += i;
    o[0] = sum;
  }, tg::in(n), tg::inout(m), tg::out(o));
}
// CHECK-LABEL: tile.launch "loaded_0"
// CHECK: tile.load
// CHECK: scf.for
// CHECK-NOT: tile.load
TEGULA_INSTANTIATE("loaded", count<false>);
// CHECK-LABEL: tile.launch "stored_0"
// CHECK-NOT: tile.load
// CHECK: scf.while
// CHECK-NEXT: tile.load
TEGULA_INSTANTIATE("stored", count<true>);
