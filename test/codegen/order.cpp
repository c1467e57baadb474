// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// What is read again after it was written, and where threads wait for one another. test/kernels has what comes out.
#include <tegula/tegula.h>
namespace tg = tegula;

// Each thread reads and writes its own elements, also at the edge.
TEGULA_KERNEL void in_place(tg::array<float, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = x[tg::all] * 2.0f; }, tg::inout(x));
}
// CHECK-LABEL: .entry in_place
// CHECK-NOT:   bar.
// CHECK:       ret;

// Two layouts: another thread stores to the same place.
TEGULA_KERNEL void twice(tg::array<const float, 2> x, tg::array<float, 2> o, bool again) {
  tg::check(x.dim(0) == 64 && x.dim(1) == 64 && o.dim(0) == 64 && o.dim(1) == 64, "a block");
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto t = x[tg::ds<64>(0), tg::ds<64>(0)];
        o[tg::ds<64>(0), tg::ds<64>(0)] = t;
        if (again)
          o[tg::ds<64>(0), tg::ds<64>(0)] = tg::transpose(t);
      },
      tg::in(x), tg::out(o));
}
// CHECK-LABEL: .entry twice
// CHECK:       st.global
// CHECK:       bar.sync
// CHECK:       st.global

// An array that copies write to is not read through the read-only cache, and again after the copy.
TEGULA_KERNEL void read_back(tg::array<float, 2> o, tg::array<float, 2> before, tg::array<float, 2> after) {
  tg::kernel([=] {
    const auto rows = tg::ds<64>(0);
    const auto columns = tg::ds<32>(0);
    tg::smem<float, 64, 32> s;
    before[rows, columns] = o[rows, columns];
    tg::copy_smem_to_gmem(s, o.at(rows, columns));
    tg::wait_smem_to_gmem<0>();
    after[rows, columns] = o[rows, columns];
  });
}
// CHECK-LABEL: .entry read_back
// CHECK-NOT:   ld.global.nc
// CHECK:       ld.global
// CHECK-NOT:   ld.global.nc
// CHECK:       cp.async.bulk.wait_group
// CHECK-NOT:   ld.global.nc
// CHECK:       ld.global
// CHECK-NOT:   ld.global.nc
// CHECK:       ret;
