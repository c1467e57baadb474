// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Reductions, products and transpositions are one op each; keepdims and numbers are what stands around them.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto origin = [](auto...) { return tg::index(0, 0); };

// CHECK-LABEL: tile.entry @axes
// CHECK: [[T:%t[0-9_]*]] = tile.load {{.*}} -> tensor<4x?xf32>
// CHECK-DAG: tile.reduce{{ +}}sum [[T]] [0] : tensor<4x?xf32> -> tensor<?xf32>
// CHECK-DAG: tile.reduce{{ +}}max [[T]] [1] : tensor<4x?xf32> -> tensor<4xf32>
// CHECK-DAG: [[P:%[0-9]+]] = tile.reduce{{ +}}prod [[T]] [0, 1] : tensor<4x?xf32> -> tensor<f32>
// CHECK-DAG: tile.extract [[P]] : tensor<f32> -> f32
// CHECK: [[R:%[0-9]+]] = tile.reduce{{ +}}min [[T]] [1] : tensor<4x?xf32> -> tensor<4xf32>
// CHECK-NEXT: [[K:%[0-9]+]] = tile.broadcast [[R]] [0] : tensor<4xf32> -> tensor<4x1xf32>
// CHECK-NEXT: tile.broadcast [[K]] [0, 1] : tensor<4x1xf32> -> tensor<4x?xf32>
TEGULA_KERNEL void axes(tg::array<const float, 2> x, tg::array<float, 1> columns, tg::array<float, 1> rows,
                        tg::array<float, 0> all, tg::array<float, 2> o) {
  tg::check(x.dim(1) == columns.dim(0) && x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(0) == rows.dim(0), "");
  tg::pallas_call(
      [](auto x, auto columns, auto rows, auto all, auto o) {
        const auto t = x[tg::all];
        columns[tg::all] = tg::sum<-2>(t);
        rows[tg::all] = tg::max<1>(t);
        all[] = tg::prod<1, 0>(t);
        o[tg::all] = t - tg::min<-1>(t, tg::keepdims);
      },
      tg::in<4, tg::whole>(x, origin), tg::out(columns), tg::out<4>(rows, [] { return tg::index(0); }), tg::out(all),
      tg::out<4, tg::whole>(o, origin));
}

// CHECK-LABEL: tile.entry @bools
// CHECK: tile.reduce{{ +}}any {{.*}} [0] : tensor<?x?xi1> -> tensor<?xi1>
// CHECK: tile.reduce{{ +}}all {{.*}} [0] : tensor<?xi1> -> tensor<i1>
// CHECK: [[B:%[0-9]+]] = tile.reduce{{ +}}max {{.*}} [0, 1] : tensor<?x?xui8> -> tensor<ui8>
// CHECK: tile.extract [[B]] : tensor<ui8> -> i8
TEGULA_KERNEL void bools(tg::array<const tg::u8, 2> x, tg::array<tg::u8, 1> o) {
  tg::pallas_call(
      [](auto x, auto o) {
        if (tg::all_of(tg::any_of<0>(x[tg::all] > 3)))
          o[0] = tg::max(x[tg::all]);
      },
      tg::in(x), tg::out(o));
}

// CHECK-LABEL: tile.entry @products
// CHECK: [[A:%a[0-9_]*]] = tile.load {{.*}} -> tensor<16x?xbf16>
// CHECK: [[BT:%[0-9]+]] = tile.permute {{.*}} [1, 0] : tensor<32x?xbf16> -> tensor<?x32xbf16>
// CHECK: tile.dot [[A]], [[BT]] : tensor<16x?xbf16>, tensor<?x32xbf16> -> tensor<16x32xf32>
// The view of a place is one of the ref.
// CHECK: [[V:%[0-9a-z_]+]] = tile.transpose {{.*}} [1, 0] : <bf16, [32?, ?]> -> <bf16, [?, 32?]>
// CHECK: [[L:%[0-9]+]] = tile.load [[V]]
// CHECK: tile.dot [[A]], [[L]]
// CHECK-NEXT: tile.add
TEGULA_KERNEL void products(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b, tg::array<float, 2> c) {
  tg::check(a.dim(1) == b.dim(1) && c.dim(0) == a.dim(0) && c.dim(1) == b.dim(0), "");
  tg::pallas_call(
      [](auto a_ref, auto b, auto c) {
        const auto a = a_ref[tg::all];
        auto sum = tg::dot(a, tg::transpose(b[tg::all]));
        sum += tg::dot(a, tg::transpose_ref<1, 0>(b)[tg::all]);
        c[tg::all] = sum;
      },
      tg::in<16, tg::whole>(a, origin), tg::in<32, tg::whole>(b, origin), tg::out<16, 32>(c, origin));
}

// CHECK-LABEL: tile.entry @batches
// CHECK: tile.dot {{.*}} : tensor<?x4x?xi8>, tensor<?x?x8xi8> -> tensor<?x4x8xi32>
// CHECK: tile.permute {{.*}} [2, 0, 1] : tensor<?x4x8xi32> -> tensor<8x?x4xi32>
TEGULA_KERNEL void batches(tg::array<const tg::s8, 3> a, tg::array<const tg::s8, 3> b, tg::array<int, 3> c) {
  tg::check(a.dim(0) == b.dim(0) && a.dim(2) == b.dim(1) && c.dim(1) == a.dim(0) && c.dim(0) == b.dim(2) &&
                c.dim(2) == a.dim(1),
            "");
  constexpr auto origin = [] { return tg::index(0, 0, 0); };
  tg::pallas_call([](auto a, auto b, auto c) { c[tg::all] = tg::transpose<2, 0, 1>(tg::dot(a[tg::all], b[tg::all])); },
                  tg::in<tg::whole, 4, tg::whole>(a, origin), tg::in<tg::whole, tg::whole, 8>(b, origin),
                  tg::out<8, tg::whole, 4>(c, origin));
}
