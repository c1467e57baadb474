// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Blocks: whole, static, run-time, squeezed, counted in elements; index maps.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row = [](auto i, auto) { return tg::index(i, 0); };
tg::block_index<2> by_function(tg::s64 i, int j) { return tg::index(i, j); }

TEGULA_KERNEL void blocks(tg::array<const float, 2> x, tg::array<float, 2> o, tg::s64 m, tg::s64 shift) {
  tg::pallas_call(
      {.grid = {m, 4}},
      [](auto a, auto b, auto c, auto d, auto e, auto o) { o[0, 0] = a[0, 0] + b[0, 0] + c[0] + d[0, 0] + e[0, 0]; },
      tg::in(x), tg::in<16, 32>(x, by_function), tg::in<tg::squeezed, tg::whole>(x, row),
      tg::in(x, {m + 1, 8}, [](auto i, auto j) { return tg::index(j, i); }),
      tg::in<2, 4>(x, [=](auto i, auto j) { return tg::index(tg::element(i + shift), j); }),
      tg::inout<1, 8>(o, by_function));
}

// CHECK-LABEL: tile.entry @blocks
// CHECK: [[V0:%[0-9A-Za-z_.]+]] = arith.addi [[V1:%[0-9A-Za-z_.]+]], %c1_i64 : i64
// CHECK: [[V2:%[0-9A-Za-z_.]+]] = tile.dim [[V3:%[0-9A-Za-z_.]+]], 0 : !tile.array<f32, 2, const>
// CHECK: [[V4:%[0-9A-Za-z_.]+]] = arith.cmpi sle, [[V1]], [[V2]] : i64
// CHECK: tile.check [[V4]], "grid axis 0 has more programs, {}, than x.dim(0) has elements, {}"
// CHECK: tile.launch "blocks_0" grid([[V1]], %c4_i64) args(in [[V5:%[0-9A-Za-z_.]+]] = [[V3]] : !tile.array<f32, 2, const>, inout [[V6:%[0-9A-Za-z_.]+]] = [[V7:%[0-9A-Za-z_.]+]] : !tile.array<f32, 2>, scalar [[V8:%[0-9A-Za-z_.]+]] = [[V0]] : i64, scalar [[V9:%[0-9A-Za-z_.]+]] = [[V10:%[0-9A-Za-z_.]+]] : i64) {
// CHECK: [[V11:%[0-9A-Za-z_.]+]] = tile.program_id 0
// CHECK: [[V12:%[0-9A-Za-z_.]+]] = tile.program_id 1
// CHECK: [[V13:%[0-9A-Za-z_.]+]] = arith.trunci [[V12]] : i64 to i32
// CHECK: [[V14:%[0-9A-Za-z_.]+]] = arith.muli [[V11]], %c16_i64 : i64
// CHECK: [[V15:%[0-9A-Za-z_.]+]] = arith.extsi [[V13]] : i32 to i64
// CHECK: [[V16:%[0-9A-Za-z_.]+]] = arith.muli [[V15]], %c32_i64 : i64
// CHECK: [[V17:%[0-9A-Za-z_.]+]] = tile.slice [[V5]][window [[V14]], window [[V16]]] {spec} : <f32, [?, ?]> -> <f32, [16?, 32?]>
// CHECK: [[V18:%[0-9A-Za-z_.]+]] = tile.slice [[V5]][element [[V11]], whole] {spec} : <f32, [?, ?]> -> <f32, [?]>
// CHECK: [[V19:%[0-9A-Za-z_.]+]] = arith.muli [[V12]], [[V8]] : i64
// CHECK: [[V20:%[0-9A-Za-z_.]+]] = arith.muli [[V11]], %c8_i64 : i64
// CHECK: [[V21:%[0-9A-Za-z_.]+]] = tile.slice [[V5]][window [[V19]] size [[V8]], window [[V20]] size %c8_i64] {spec} : <f32, [?, ?]> -> <f32, [?, ?]>
// CHECK: [[V22:%[0-9A-Za-z_.]+]] = arith.addi [[V11]], [[V9]] : i64
// CHECK: [[V23:%[0-9A-Za-z_.]+]] = arith.muli [[V12]], [[C4_I64_0:%[0-9A-Za-z_.]+]] : i64
// CHECK: [[V24:%[0-9A-Za-z_.]+]] = tile.slice [[V5]][window [[V22]], window [[V23]]] {spec} : <f32, [?, ?]> -> <f32, [2?, 4?]>
// CHECK: [[V25:%[0-9A-Za-z_.]+]] = arith.muli [[V15]], %c8_i64 : i64
// CHECK: [[V26:%[0-9A-Za-z_.]+]] = tile.slice [[V6]][window [[V11]], window [[V25]]] {spec} : <f32, [?, ?]> -> <f32, [1?, 8?]>
// CHECK: [[V27:%[0-9A-Za-z_.]+]] = tile.slice [[V5]][element %c0_i64, element %c0_i64] : <f32, [?, ?]> -> <f32, []>
// CHECK: [[V28:%[0-9A-Za-z_.]+]] = tile.load [[V27]] : <f32, []> -> tensor<f32>
// CHECK: [[V29:%[0-9A-Za-z_.]+]] = tile.extract [[V28]] : tensor<f32> -> f32
// CHECK: [[V30:%[0-9A-Za-z_.]+]] = tile.slice [[V17]][element %c0_i64, element %c0_i64] : <f32, [16?, 32?]> -> <f32, []>
// CHECK: [[V31:%[0-9A-Za-z_.]+]] = tile.load [[V30]] : <f32, []> -> tensor<f32>
// CHECK: [[V32:%[0-9A-Za-z_.]+]] = tile.extract [[V31]] : tensor<f32> -> f32
// CHECK: [[V33:%[0-9A-Za-z_.]+]] = arith.addf [[V29]], [[V32]] : f32
// CHECK: [[V34:%[0-9A-Za-z_.]+]] = tile.slice [[V18]][element %c0_i64] : <f32, [?]> -> <f32, []>
// CHECK: [[V35:%[0-9A-Za-z_.]+]] = tile.load [[V34]] : <f32, []> -> tensor<f32>
// CHECK: [[V36:%[0-9A-Za-z_.]+]] = tile.extract [[V35]] : tensor<f32> -> f32
// CHECK: [[V37:%[0-9A-Za-z_.]+]] = arith.addf [[V33]], [[V36]] : f32
// CHECK: [[V38:%[0-9A-Za-z_.]+]] = tile.slice [[V21]][element %c0_i64, element %c0_i64] : <f32, [?, ?]> -> <f32, []>
// CHECK: [[V39:%[0-9A-Za-z_.]+]] = tile.load [[V38]] : <f32, []> -> tensor<f32>
// CHECK: [[V40:%[0-9A-Za-z_.]+]] = tile.extract [[V39]] : tensor<f32> -> f32
// CHECK: [[V41:%[0-9A-Za-z_.]+]] = arith.addf [[V37]], [[V40]] : f32
// CHECK: [[V42:%[0-9A-Za-z_.]+]] = tile.slice [[V24]][element %c0_i64, element %c0_i64] : <f32, [2?, 4?]> -> <f32, []>
// CHECK: [[V43:%[0-9A-Za-z_.]+]] = tile.load [[V42]] : <f32, []> -> tensor<f32>
// CHECK: [[V44:%[0-9A-Za-z_.]+]] = tile.extract [[V43]] : tensor<f32> -> f32
// CHECK: [[V45:%[0-9A-Za-z_.]+]] = arith.addf [[V41]], [[V44]] : f32
// CHECK: [[V46:%[0-9A-Za-z_.]+]] = tile.slice [[V26]][element %c0_i64, element %c0_i64] : <f32, [1?, 8?]> -> <f32, []>
// CHECK: [[V47:%[0-9A-Za-z_.]+]] = tile.full [[V45]] : f32 -> tensor<f32>
// CHECK: tile.store [[V47]], [[V46]] : tensor<f32>, <f32, []>
