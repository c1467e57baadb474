// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// RUN: tegulac --emit=ptx --arch=sm_120a %s -o - | FileCheck %s
// RUN: tegulac --emit=ptx --arch=sm_80 %s -o - | FileCheck %s --check-prefix=NONE
// RUN: tegulac --emit=resources --arch=sm_90a %s -o - | FileCheck %s --check-prefix=RESOURCES
// Every kernel waits for the grids before it, in front of all else, and one of many blocks lets the next one begin.
#include <tegula/tegula.h>
namespace tg = tegula;

// NONE-NOT: griddepcontrol
// CHECK-LABEL: .entry twice_0(
// CHECK:      {
// CHECK-NOT:  {{ld|mov|st}}.
// CHECK:      griddepcontrol.wait;
// CHECK:      mov.u32 %blocks, %nctaid.x;
// CHECK:      setp.gt.u32 %are_many, %blocks, 1024;
// CHECK-NEXT: @%are_many griddepcontrol.launch_dependents;
// CHECK-NOT:  griddepcontrol
// CHECK:      ld.param
// RESOURCES: twice_0: {{.*}} spills 0
TEGULA_KERNEL void twice(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o do not fit");
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all] * 2; }, tg::in(x), tg::out(o));
}

// One that waits itself waits there, and lets the next one begin where it says: once. Threads that do not come by wait
// at the end.
// CHECK-LABEL: .entry own_0(
// CHECK-NOT:  griddepcontrol
// CHECK:      ld.param
// CHECK:      griddepcontrol.launch_dependents;
// CHECK-NOT:  griddepcontrol
// CHECK:      griddepcontrol.wait;
// CHECK:      ld.global
// CHECK:      griddepcontrol.wait;
// CHECK-NOT:  griddepcontrol
// CHECK:      ret;
TEGULA_KERNEL void own(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::griddepcontrol_launch_dependents();
    if (tg::axis_index("wg") == 0) {
      tg::griddepcontrol_wait();
      o[tg::ds<128>(0)] = x[tg::ds<128>(0)];
    }
  });
}

// All threads come by: once is enough. When the next one begins is Tegula's choice.
// CHECK-LABEL: .entry at_once_0(
// CHECK:      setp.gt.u32 %are_many
// CHECK:      griddepcontrol.wait;
// CHECK-NOT:  griddepcontrol.wait
// CHECK:      ret;
TEGULA_KERNEL void at_once(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::kernel([=] {
    tg::griddepcontrol_wait();
    o[tg::ds<128>(0)] = x[tg::ds<128>(0)];
  });
}
