// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which products of what elements are for tensor cores, and what is in the way of the others.
// RUN: tegulac -Rsplit --arch=sm_90a --emit=tile-expanded %s -o %t 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARKS
// RUN: FileCheck %s --input-file=%t
// RUN: tegulac --arch=sm_90a --emit=ptx %s -o - | FileCheck %s --check-prefix=PTX
// RUN: tegulac --arch=sm_90a --emit=resources %s -o - | FileCheck %s --check-prefix=RESOURCES
// RUN: tegulac -Rsplit --arch=sm_80 --emit=ptx %s -o - 2> %t.remarks | FileCheck %s --check-prefix=WARP
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=WARP-REMARKS
// RUN: tegulac --arch=sm_89 --emit=ptx %s -o - | FileCheck %s --check-prefix=ADA
// RUN: tegulac --arch=sm_75 --emit=ptx %s -o - | FileCheck %s --check-prefix=TURING
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;

// RESOURCES-NOT: spills {{[1-9]}}
// RESOURCES-NOT: remark
template <bool TurnsA, bool TurnsB, class T, class Result, tg::precision P = tg::precision::ieee, class U = T>
TEGULA_KERNEL void product(matrix<T> a, matrix<U> b, tg::array<Result, 2> o) {
  tg::check(a.dim(TurnsA ? 0 : 1) == b.dim(TurnsB ? 1 : 0), "the inner dimensions of a and b differ");
  tg::check(a.dim(TurnsA ? 1 : 0) == o.dim(0) && b.dim(TurnsB ? 0 : 1) == o.dim(1), "o does not fit");
  tg::pallas_call(
      [](auto a, auto b, auto o) {
        if constexpr (TurnsA)
          o[tg::all] = tg::dot(tg::transpose(a[tg::all]), tg::transpose_ref(b)[tg::all]);
        else if constexpr (TurnsB)
          o[tg::all] = tg::dot(a[tg::all], tg::transpose(b[tg::all]), {.precision = P});
        else
          o[tg::all] = tg::dot(a[tg::all], b[tg::all], {.precision = P});
      },
      tg::in(a), tg::in(b), tg::out(o));
}
// Steps of 128 bytes.
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (s8_0_tensor)
// CHECK-LABEL: tile.kernel @s8_0_tensor(
// CHECK: tile.wgmma {{.*}} : !tile.ref<i8, [64, 128], smem>, <i8, [128, 256], smem> -> tensor<64x256xi32>
// PTX-DAG: wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8
// PTX-DAG: wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.s8
// WARP-REMARKS: tensor cores (mma.sync), in sub-tiles of 128 by 256 (s8_0_tensor_dense)
// WARP-DAG: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
TEGULA_INSTANTIATE("s8", product<false, true, tg::s8, tg::s32>);
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (u8_0_tensor)
// PTX-DAG: wgmma.mma_async.sync.aligned.m64n256k32.s32.u8.u8
// PTX-DAG: wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.u8
// WARP-DAG: mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32
TEGULA_INSTANTIATE("u8", product<false, true, tg::u8, tg::s32>);
// What lies in the other order is transposed on its way.
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (s8_of_columns_0_tensor)
// CHECK-LABEL: tile.kernel @s8_of_columns_0_tensor(
// CHECK-DAG: %[[COPIED:.*]] = tile.alloc : <i8, [{{.*}}, 128, 256], smem>
// CHECK-DAG: %[[TURNED:.*]] = tile.alloc : <i8, [{{.*}}, 256, 128], smem>
// CHECK: tile.wgmma {{.*}} : !tile.ref<i8, [64, 128], smem>, <i8, [128, 256], smem> -> tensor<64x256xi32>
// WARP-REMARKS: tensor cores (mma.sync), in sub-tiles of 128 by 128 (s8_of_columns_0_tensor_dense)
TEGULA_INSTANTIATE("s8_of_columns", product<false, false, tg::s8, tg::s32>);
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (u8_of_turned_0_tensor)
// CHECK-LABEL: tile.kernel @u8_of_turned_0_tensor(
// CHECK: tile.alloc : <ui8, [{{.*}}, 128, 128], smem>
// CHECK: tile.alloc_barriers
// CHECK: tile.alloc : <ui8, [{{.*}}, 128, 128], smem>
TEGULA_INSTANTIATE("u8_of_turned", product<true, true, tg::u8, tg::s32>);
// REMARKS: all calls: not on tensor cores: wgmma does not multiply s16
TEGULA_INSTANTIATE("s16", product<false, true, tg::s16, tg::s32>);
// REMARKS: all calls: not by wgmma: wgmma does not multiply f64
// PTX-DAG: mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64
// WARP-REMARKS: tensor cores (mma.sync), in sub-tiles of 128 by 64 (f64_0_tensor_dense)
// WARP-DAG: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64
TEGULA_INSTANTIATE("f64", product<false, true, double, double>);
// REMARKS: all calls: not on tensor cores: tensor cores multiply f32 as tf32 alone: tg::dot(a, b, {.precision = tg::precision::tf32}), or tf32x3, bf16x3
TEGULA_INSTANTIATE("f32", product<false, true, float, float>);
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (tf32_0_tensor)
// CHECK-LABEL: tile.kernel @tf32_0_tensor(
// CHECK: tile.wgmma {{.*}} : !tile.ref<f32, [64, 32], smem>, <f32, [32, 256], smem> -> tensor<64x256xf32>
// PTX-DAG: wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32
TEGULA_INSTANTIATE("tf32", product<false, true, float, float, tg::precision::tf32>);
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (tf32_of_columns_0_tensor)
TEGULA_INSTANTIATE("tf32_of_columns", product<false, false, float, float, tg::precision::tf32>);
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (e4m3_0_tensor)
// CHECK-LABEL: tile.kernel @e4m3_0_tensor(
// CHECK: tile.wgmma {{.*}} : !tile.ref<f8E4M3FN, [64, 128], smem>, <f8E5M2, [128, 256], smem> -> tensor<64x256xf32>
// PTX-DAG: wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e5m2
// WARP-DAG: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// ADA: mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32
// TURING: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
TEGULA_INSTANTIATE("e4m3", product<false, true, tg::e4m3, float, tg::precision::ieee, tg::e5m2>);
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (e5m2_of_columns_0_tensor)
TEGULA_INSTANTIATE("e5m2_of_columns", product<false, false, tg::e5m2, float>);

// A program's own steps, and of how many an instruction takes a multiple.
template <int K> TEGULA_KERNEL void steps(matrix<tg::s8> a, matrix<tg::s8> b, tg::array<tg::s32, 2> o) {
  tg::check(a.dim(1) == b.dim(1) && a.dim(0) == o.dim(0) && b.dim(0) == o.dim(1), "a, b and o do not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(0), 256)}},
      [](auto a, auto b, auto o) {
        auto sum = tg::zeros<tg::s32, 128, 256>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), K); ++k)
          sum += tg::dot(a[tg::all, tg::ds<K>(K * k)], tg::transpose(b[tg::all, tg::ds<K>(K * k)]));
        o[tg::all] = sum;
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<256, tg::whole>(b, [](auto, auto j) { return tg::index(j, 0); }),
      tg::out<128, 256>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
// REMARKS: all calls: not on tensor cores: a step of the loop sums 48 elements, and tensor cores take a multiple of 32
TEGULA_INSTANTIATE("steps_of_48", steps<48>);
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (steps_of_256_0_tensor)
// CHECK-LABEL: tile.kernel @steps_of_256_0_tensor(
// CHECK: tile.wgmma {{.*}} : !tile.ref<i8, [64, 256], smem>, <i8, [256, 256], smem> -> tensor<64x256xi32>
TEGULA_INSTANTIATE("steps_of_256", steps<256>);
