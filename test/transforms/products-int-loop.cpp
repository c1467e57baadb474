// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --verify --emit=tile-split --arch=sm_90a --arch=sm_80 %s -o - | FileCheck %s
// RUN: tegulac --verify --emit=resources --arch=sm_90a --arch=sm_80 %s -o - | FileCheck %s --check-prefix=RESOURCES
// A program's loop counts in ints; that of its kernels for tensor cores in the integers of windows.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK-LABEL: tile.kernel @matmul_0_tensor(
// CHECK: %[[END:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[END]] step %{{.*}}{{$}}
// RESOURCES: matmul_0_tensor: {{.*}} spills 0
template <class T> TEGULA_KERNEL tg::array<T, 2> matmul(tg::array<const T, 2> a, tg::array<const T, 2> b) {
  tg::check(a.dim(1) == b.dim(0), "a and b do not fit");
  auto o = tg::empty<T>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 128)}},
      [](auto a, auto b, auto o) {
        auto sum = tg::zeros<float, 128, 128>();
        for (int k = 0; k < static_cast<int>(a.dim(1)); k += 64)
          sum += tg::dot(a[tg::all, tg::ds<64>(k)], b[tg::ds<64>(k), tg::all]);
        o[tg::all] = tg::astype<T>(sum);
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}
TEGULA_INSTANTIATE("matmul", matmul<tg::f16>);
