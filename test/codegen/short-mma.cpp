// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before sm_80 tensor cores multiply f16 alone, 8 elements deep, and nothing is copied to shared memory but through
// registers.
// RUN: tegulac -Rsplit --arch=sm_75 --emit=ptx %s -o %t 2> %t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARKS
// RUN: tegulac --arch=sm_75 --arch=sm_80 --emit=tile-split %s -o - | FileCheck %s --check-prefix=BOTH
// RUN: tegulac --arch=sm_75 --emit=resources %s -o - | FileCheck %s --check-prefix=RESOURCES
#include <tegula/tegula.h>
namespace tg = tegula;

// RESOURCES-NOT: spills {{[1-9]}}
template <class T>
TEGULA_KERNEL void product(tg::array<const T, 2> a, tg::array<const T, 2> b, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && a.dim(0) == o.dim(0) && b.dim(1) == o.dim(1), "a, b and o do not fit");
  tg::pallas_call([](auto a, auto b, auto o) { o[tg::all] = tg::dot(a[tg::all], b[tg::all]); }, tg::in(a), tg::in(b),
                  tg::out(o));
}
// REMARKS: arrays that are aligned to 16 bytes: tensor cores (mma.sync), in sub-tiles of 64 by 128, through registers (f16_0_tensor_dense)
// REMARKS: arrays of any alignment: tensor cores (mma.sync), in sub-tiles of 64 by 64, through registers (f16_0_tensor_any)
// CHECK-NOT: cp.async
// CHECK-DAG: ld.global.nc.v4
// CHECK-DAG: st.shared.v4
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 [[SUM:{.*}]], {[[A0:%r[0-9]+]], [[A1:%r[0-9]+]]}, {[[B0:%r[0-9]+]]}, [[SUM]];
// CHECK-NEXT: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 [[SUM]], {{.*}}, [[SUM]];
// CHECK-NOT: m16n8k16
// BOTH-DAG: tile.kernel @f16_0_tensor_any({{.*}} attributes {classes = ["8.x"]
// BOTH-DAG: tile.kernel @f16_0_tensor_any_sm75({{.*}} attributes {classes = ["7.5"]{{.*}}tile.is_for_short_mma
TEGULA_INSTANTIATE("f16", product<tg::f16>);
// REMARKS: all calls: not on tensor cores: before sm_80 tegulac multiplies f16 and 8-bit floats on tensor cores, not bf16
TEGULA_INSTANTIATE("bf16", product<tg::bf16>);
