// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed weights are multiplied on tensor cores: warps load them into the registers of their factors. On Hopper they
// are the left factor, which TMA copies as bytes.
// RUN: tegulac --arch sm_80 -Rsplit --emit=tile-layout -o %t.mlir %s 2>&1 | FileCheck %s --check-prefixes=REMARK,SM80 --implicit-check-not=warning:
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tegulac --arch sm_90a -Rsplit --emit=tile-layout -o %t.wgmma %s 2>&1 | FileCheck %s --check-prefixes=REMARK,SM90 --implicit-check-not=warning:
// RUN: FileCheck %s --check-prefix=WGMMA --input-file=%t.wgmma
// RUN: tegulac --arch sm_90a --emit=ptx -o - %s | FileCheck %s --check-prefix=PTX
#include <tegula/tegula.h>
namespace tg = tegula;

// SM90: remark: products by weights of few bits are computed transposed: what is made of these is then the left factor, which wgmma takes from registers
// SM90: remark: factors that TMA can copy: tensor cores, in sub-tiles of 64 by 64 (product_0_tensor): 4 consumer warpgroups of 104 registers a thread, which take the steps of a sub-tile in turn,
// SM80: remark: arrays that are aligned to 16 bytes, as their rows are: tensor cores (mma.sync), in sub-tiles of 64 by 64 (product_0_tensor_dense)
// REMARK: remark: arrays of any alignment: tensor cores (mma.sync), in sub-tiles of 64 by 64, through registers (product_0_tensor_any)

// A byte has two neighbours along the sum, which are in one register of the factor: nothing is exchanged.
// CHECK-LABEL: tile.kernel @product_0_tensor_dense(
// CHECK: tile.cp_async
// CHECK: %[[W:[0-9]+]] = tile.load {{.*}} -> tensor<64x16x!tile.stored<s4>, #tile.layout<linear<register [(0, 1),
// CHECK-NEXT: %[[T:[0-9]+]] = tile.permute %[[W]] [1, 0]
// CHECK-NEXT: tile.cast %[[T]]
// CHECK: tile.mma

// A step is 32 bytes of a row. What is loaded beside is loaded a step ahead, and the last step may have a mask. Results
// are transposed on their way to shared memory.
// WGMMA-LABEL: tile.kernel @product_0_tensor(
// WGMMA-DAG: %[[RING:.*]] = tile.alloc at {{[0-9]+}} : <!tile.stored<s4>, [8, 64, 64], smem swizzle 32>
// WGMMA-DAG: %[[STAGED:.*]] = tile.alloc at {{[0-9]+}} : <f32, [1, 2, 32, 64], smem swizzle 128>
// WGMMA: %[[BYTE:.*]] = arith.shrui %{{.*}}, %c1_i64
// WGMMA: tile.tma_load %{{.*}}[%{{.*}}, %[[BYTE]]], {{.*}} : <!tile.stored<s4>, [64, 64], smem swizzle 32>
// WGMMA: tile.load {{.*}} -> tensor<64x1xbf16, #tile.layout<wgmma>>
// WGMMA: scf.for {{.*}} iter_args(%[[SCALE:[a-z0-9]+]] = {{.*}} -> (tensor<64x1xbf16, #tile.layout<wgmma>>, tensor<64x64xf32,
// WGMMA: tile.load {{.*}} -> tensor<64x1xbf16, #tile.layout<wgmma>>
// WGMMA: %[[W:.*]] = tile.load {{.*}} smem swizzle 32> -> tensor<64x64x!tile.stored<s4>, #tile.layout<wgmma>>
// WGMMA: %[[CAST:.*]] = tile.cast %[[W]]
// WGMMA: tile.broadcast %[[SCALE]]
// WGMMA: %[[MADE:.*]] = tile.mul %[[CAST]],
// WGMMA: %[[LEFT:.*]] = scf.if
// WGMMA: tile.where
// WGMMA: scf.yield %[[MADE]]
// WGMMA: tile.wgmma %{{.*}}, %[[LEFT]], %{{.*}} : tensor<64x64xbf16, #tile.layout<wgmma>>, <bf16, [64, 64], smem swizzle 128>
// WGMMA: tile.transpose {{.*}} : <f32, [32, 64], smem swizzle 128> -> <f32, [64, 32], smem swizzle 128>

// Four threads load the same 16 bytes, and take a byte of each word: two numbers, which a permutation, a product and a
// mask put into the fractions of two floats.
// PTX-LABEL: .entry product_0_tensor(
// PTX: ld.shared.v4.u32
// PTX: prmt.b32
// PTX: mul.lo.s32 {{.*}}, 4097
// PTX: lop3.b32 {{.*}}, 0x6a;
// PTX: fma.rn.bf16x2
// PTX: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {{.*}}, {%r
TEGULA_KERNEL void product(tg::array<const tg::bf16, 2> a, tg::array<const tg::s4, 2> w, tg::array<const tg::bf16, 2> s,
                           tg::array<float, 2> o) {
  tg::check(a.dim(0) == o.dim(0) && w.dim(0) == o.dim(1) && a.dim(1) == w.dim(1) && s.dim(0) == w.dim(0), "shapes");
  tg::check(s.dim(1) == tg::cdiv(w.dim(1), 64), "a scale for each group");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 64), tg::cdiv(o.dim(1), 64)}},
      [](auto a, auto w, auto s, auto o) {
        auto sum = tg::zeros<float, 64, 64>();
        for (tg::s64 k = 0; k < a.dim(1); k += 64) {
          const auto b = tg::astype<tg::bf16>(w[tg::all, tg::ds<64>(k)]) * s[tg::all, tg::ds<1>(k / 64)];
          sum += tg::dot(a[tg::all, tg::ds<64>(k)], tg::transpose(b));
        }
        o[tg::all] = sum;
      },
      tg::in<64, tg::any>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<64, tg::any>(w, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<64, tg::any>(s, [](auto, auto j) { return tg::index(j, 0); }),
      tg::out<64, 64>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

// What has a number for each row lies in the ring, too, if it is contiguous.
// WGMMA-LABEL: tile.kernel @by_groups_0_tensor(
// WGMMA: tile.alloc at {{[0-9]+}} : <bf16, [{{[0-9]}}, 128], smem swizzle 16>
// WGMMA: tile.tma_load {{.*}} : <bf16, [128], smem swizzle 16>
// WGMMA: scf.for {{.*}}(tensor<64x64xf32, #tile.layout<wgmma>>, i64, i1)
// WGMMA: %[[MINE:.*]] = tile.slice %{{.*}}[window %{{.*}}] : <bf16, [128], smem swizzle 16> -> <bf16, [64], smem swizzle 16>
// WGMMA: tile.load %[[MINE]]
// WGMMA: tile.wgmma
TEGULA_KERNEL void by_groups(tg::array<const tg::bf16, 2> a, tg::array<const tg::s4, 2> w,
                             tg::array<const tg::bf16, 2> s, tg::array<float, 2> o) {
  tg::check(a.dim(0) == o.dim(0) && w.dim(0) == o.dim(1) && a.dim(1) == w.dim(1) && s.dim(1) == w.dim(0), "shapes");
  tg::check(s.dim(0) == tg::cdiv(w.dim(1), 64), "a scale for each group");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 64), tg::cdiv(o.dim(1), 128)}},
      [](auto a, auto w, auto s, auto o) {
        auto sum = tg::zeros<float, 64, 128>();
        for (tg::s64 k = 0; k < a.dim(1); k += 64) {
          const auto b = tg::astype<tg::bf16>(w[tg::all, tg::ds<64>(k)]) * s[k / 64, tg::all][tg::all, tg::newaxis];
          sum += tg::dot(a[tg::all, tg::ds<64>(k)], tg::transpose(b));
        }
        o[tg::all] = sum;
      },
      tg::in<64, tg::any>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<128, tg::any>(w, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<tg::any, 128>(s, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<64, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

// What wgmma does not take of packed elements, warps do.
// SM90: remark: all calls: not by wgmma: the right factor is of elements that are packed, two to a byte: wgmma takes what is made of them as a left factor alone, where the rows of their array lie along the sum (by_columns_0)
TEGULA_KERNEL void by_columns(tg::array<const tg::bf16, 2> a, tg::array<const tg::s4, 2> w, tg::array<float, 2> o) {
  tg::check(a.dim(0) == o.dim(0) && w.dim(1) == o.dim(1) && a.dim(1) == w.dim(0), "shapes");
  tg::pallas_call(
      [](auto a, auto w, auto o) { o[tg::all] = tg::dot(a[tg::all], tg::astype<tg::bf16>(w[tg::all])); }, tg::in(a),
      tg::in(w), tg::out(o));
}

// SM90: remark: all calls: not by wgmma: the left factor is made of elements that are packed, two to a byte: wgmma takes what is made of them as f16 or bf16 alone (of_8_bits_0)
TEGULA_KERNEL void of_8_bits(tg::array<const tg::s4, 2> w, tg::array<const tg::s8, 2> b, tg::array<tg::s32, 2> o) {
  tg::check(w.dim(0) == o.dim(0) && b.dim(0) == o.dim(1) && w.dim(1) == b.dim(1), "shapes");
  tg::pallas_call(
      [](auto w, auto b, auto o) {
        o[tg::all] = tg::dot(tg::astype<tg::s8>(w[tg::all]), tg::transpose(b[tg::all]));
      },
      tg::in(w), tg::in(b), tg::out(o));
}
