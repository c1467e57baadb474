// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several products of a loop, and factors that are computed, by mma.sync: what threads load of a slice, and compute of
// it.
// RUN: tegulac -Rsplit --arch=sm_80 --emit=tile-expanded %s -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: tegulac --arch=sm_80 --emit=resources %s -o - | FileCheck %s --check-prefix=RESOURCES
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;
using vector = tg::array<const float, 1>;

// RESOURCES-NOT: spills {{[1-9]}}

// Two sums have half of the columns each. A slice of x serves both products.
// REMARKS: tensor cores (mma.sync), in sub-tiles of 128 by 128 (gated_0_tensor_dense)
// CHECK-LABEL: tile.kernel @gated_0_tensor_dense(
// CHECK: tile.alloc : <bf16, [{{[0-9]}}, 128, 32], smem>
// CHECK: tile.alloc : <bf16, [{{[0-9]}}, 32, 128], smem>
// CHECK: tile.alloc : <bf16, [{{[0-9]}}, 32, 128], smem>
// CHECK: scf.for {{.*}} iter_args(%[[GATE:[^ ]*]] = {{[^,]*}}, %[[UP:[^ ]*]] = {{[^,]*}}, %[[X:[^ ]*]] = {{[^,]*}}, %[[W:[^ ]*]] = {{[^,]*}}, %[[V:[^ ]*]] = {{.*}} -> (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x16xbf16>, tensor<128x16xbf16>, tensor<128x16xbf16>, i32, i32)
// CHECK: tile.cp_async
// CHECK: tile.cp_async
// CHECK: tile.cp_async
// CHECK-NEXT: tile.cp_async_commit
// CHECK: tile.mma %[[GATE]], %[[X]], %[[W]]
// CHECK: tile.mma %[[UP]], %[[X]], %[[V]]
TEGULA_KERNEL void gated(matrix<tg::bf16> x, matrix<tg::bf16> w, matrix<tg::bf16> v, tg::array<float, 2> o) {
  tg::check(x.dim(1) == w.dim(0) && x.dim(1) == v.dim(0) && w.dim(1) == v.dim(1), "x, w and v do not fit");
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == w.dim(1), "o does not fit");
  tg::pallas_call(
      [](auto x, auto w, auto v, auto o) {
        const auto gate = tg::exp(tg::dot(x[tg::all], w[tg::all]));
        o[tg::all] = gate * tg::dot(x[tg::all], v[tg::all]);
      },
      tg::in(x), tg::in(w), tg::in(v), tg::out(o));
}

// Products of steps of 64 and of 32 have the same number of stages.
// CHECK-LABEL: tile.kernel @uneven_steps_0_tensor_dense(
// CHECK: tile.alloc : <f16, [{{[0-9]}}, 128, 32], smem>
// CHECK: tile.alloc : <f16, [{{[0-9]}}, 32, 128], smem>
// CHECK: tile.alloc : <f16, [{{[0-9]}}, 128, 16], smem>
// CHECK: tile.alloc : <f16, [{{[0-9]}}, 16, 128], smem>
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-3: tile.mma
// CHECK-NOT: tile.mma
// CHECK: scf.yield
TEGULA_KERNEL void uneven_steps(matrix<tg::f16> a, matrix<tg::f16> b, matrix<tg::f16> c, matrix<tg::f16> d,
                                tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && c.dim(1) == d.dim(0) && a.dim(1) == 2 * c.dim(1), "the inner dimensions differ");
  tg::check(a.dim(0) == o.dim(0) && c.dim(0) == o.dim(0) && b.dim(1) == o.dim(1) && d.dim(1) == o.dim(1), "o");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 128), tg::cdiv(o.dim(1), 128)}},
      [](auto a, auto b, auto c, auto d, auto o) {
        auto sum = tg::zeros<float, 128, 128>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
          sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], b[tg::ds<64>(64 * k), tg::all]);
          sum += tg::dot(c[tg::all, tg::ds<32>(32 * k)], d[tg::ds<32>(32 * k), tg::all]);
        }
        o[tg::all] = sum;
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<128, tg::whole>(c, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(d, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

// Weights lie in shared memory as they are; a slice of them is computed in registers, in the order of the program's
// dimensions, and multiplied in that of the instruction. What lies beyond the depth is masked, for 1 / 0 is no zero.
// REMARKS: (weighted_0_tensor_dense)
// CHECK-LABEL: tile.kernel @weighted_0_tensor_dense(
// CHECK: tile.alloc : <f32, [{{[0-9]}}, 32, 128], smem>
// CHECK: scf.for
// CHECK: scf.for {{.*}} -> (tensor<64x128xf32>, tensor<64x16xf16>, tensor<128x16xf32>, i32, i32)
// CHECK: %[[PART:.*]] = tile.permute %{{.*}} [1, 0] : tensor<128x16xf32> -> tensor<16x128xf32>
// CHECK: %[[INVERSE:.*]] = tile.div %{{.*}}, %[[PART]] : tensor<16x128xf32>
// CHECK: %[[HALF:.*]] = tile.cast %[[INVERSE]] : tensor<16x128xf32> -> tensor<16x128xf16>
// CHECK: %[[MASKED:.*]] = tile.where %{{.*}}, %[[HALF]], %{{.*}} : tensor<16x128xi1>, tensor<16x128xf16>
// CHECK: %[[RIGHT:.*]] = tile.permute %[[MASKED]] [1, 0] : tensor<16x128xf16> -> tensor<128x16xf16>
// CHECK: tile.mma %{{.*}}, %{{.*}}, %[[RIGHT]]
TEGULA_KERNEL void weighted(matrix<tg::f16> a, matrix<float> w, tg::array<float, 2> o) {
  tg::check(a.dim(1) == w.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == w.dim(1), "a, w and o do not fit");
  tg::pallas_call([](auto a, auto w,
                     auto o) { o[tg::all] = tg::dot(a[tg::all], tg::astype<tg::f16>(1.0f / w[tg::all])); },
                  tg::in(a), tg::in(w), tg::out(o));
}

// Numbers that scale the rows of weights as N x K scale columns of the factor: transpositions are of what is loaded.
// CHECK-LABEL: tile.kernel @turned_0_tensor_dense(
// CHECK: tile.alloc : <i8, [{{[0-9]}}, 128, 32], smem>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[SCALES:.*]] = tile.broadcast %{{.*}} [1] : tensor<128xf32> -> tensor<1x128xf32>
// CHECK: tile.broadcast %[[SCALES]] [0, 1] : tensor<1x128xf32> -> tensor<16x128xf32>
// CHECK: tile.mma
TEGULA_KERNEL void turned(matrix<tg::f16> a, matrix<tg::s8> w, vector s, tg::array<float, 2> o) {
  tg::check(a.dim(1) == w.dim(1) && s.dim(0) == w.dim(0), "a, w and s do not fit");
  tg::check(o.dim(0) == a.dim(0) && o.dim(1) == w.dim(0), "o does not fit");
  tg::pallas_call(
      [](auto a, auto w, auto s, auto o) {
        const auto right = tg::astype<float>(w[tg::all]) * s[tg::all, tg::newaxis];
        o[tg::all] = tg::dot(a[tg::all], tg::transpose(tg::astype<tg::f16>(right)));
      },
      tg::in(a), tg::in(w), tg::in(s), tg::out(o));
}

// A slice of a factor that is made of all of a step is all of it.
// REMARKS: all calls: not on tensor cores: the right factor is made of all of a step, of which mma.sync takes a slice at a time
TEGULA_KERNEL void of_sums(matrix<tg::f16> a, matrix<float> w, tg::array<float, 2> o) {
  tg::check(a.dim(1) == w.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == w.dim(1), "a, w and o do not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 64), tg::cdiv(o.dim(1), 64)}},
      [](auto a, auto w, auto o) {
        auto sum = tg::zeros<float, 64, 64>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
          const auto right = w[tg::ds<64>(64 * k), tg::all];
          const auto scaled = right - tg::max<0>(right)[tg::newaxis, tg::all];
          sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], tg::astype<tg::f16>(scaled));
        }
        o[tg::all] = sum;
      },
      tg::in<64, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 64>(w, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<64, 64>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
