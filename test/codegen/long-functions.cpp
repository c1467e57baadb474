// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of libdevice are inlined, unless a kernel would become so long by them that ptxas takes many seconds: then
// it calls them.
// RUN: tegulac %s --emit=ptx --arch=sm_90a -DCOUNT=2 -o - | FileCheck %s --check-prefix=FEW
// RUN: tegulac %s --emit=ptx --arch=sm_90a -DCOUNT=16 -o %t.ptx && FileCheck %s --check-prefix=MANY --input-file %t.ptx
// RUN: wc -l < %t.ptx | FileCheck %s --check-prefix=LENGTH
// RUN: tegulac %s --emit=resources --arch=sm_90a -DCOUNT=16 -o - | FileCheck %s --check-prefix=RESOURCES
#include <tegula/tegula.h>
namespace tg = tegula;

// FEW-NOT: .func
// FEW: .visible .entry sines_0
// FEW-NOT: call.uni
// MANY: .func (.param .b32 func_retval0) __nv_sinf
// MANY: .visible .entry sines_0
// MANY: call.uni (retval0),{{.*}}
// MANY-NEXT: __nv_sinf
// Inlined, they are more than 70,000 lines.
// LENGTH: {{^ *1[0-9]...$}}
// What functions spill is not the kernels'.
// RESOURCES: sines_0{{.*}}: registers {{[0-9]+}}, stack {{[0-9]+}}, spills 0
TEGULA_KERNEL void sines(tg::array<const tg::bf16, 1> x, tg::array<tg::bf16, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "lengths differ");
  tg::pallas_call(
      [](auto x, auto o) {
        auto v = x[tg::all];
        tg::static_for<COUNT>([&](auto) { v = tg::sin(v + x[tg::all]); });
        o[tg::all] = v;
      },
      tg::in(x), tg::out(o));
}
