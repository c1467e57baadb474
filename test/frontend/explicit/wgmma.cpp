// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Accumulators are variables: products and waits pass through them.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class Acc, class B> void twice(Acc &acc, const tg::tile<tg::bf16, 64, 64> &a, B b) {
  tg::wgmma(acc, a, b);
  tg::wgmma(acc, a, b);
}

TEGULA_KERNEL void products(tg::array<float, 2> o, tg::s64 n) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 64, 64> a, b;
    tg::acc<float, 64, 64> first;
    tg::acc<float, 64, 64> second(o[tg::ds<64>(0), tg::ds<64>(0)]);
    for (tg::s64 i = 0; i < n; ++i) {
      tg::wgmma(first, a, tg::transpose_ref(b));
      tg::wgmma_wait<1>();
    }
    {
      tg::acc<float, 64, 64> inner;
      tg::wgmma(inner, a, b);
      o[tg::ds<64>(0), tg::ds<64>(0)] = inner[tg::all];
    }
    twice(second, a[tg::all], b);
    tg::wgmma_wait<0>();
    o[tg::ds<64>(0), tg::ds<32>(0)] = first[tg::all, tg::ds<32>(32)];
    first[tg::all] *= 2.0f;
    o[tg::ds<64>(0), tg::ds<64>(0)] = first[tg::all];
    o[0, 0] = first[1, 2];
  });
}
// CHECK-LABEL: tile.entry @products
// CHECK:       %[[ZERO:.*]] = tile.full %{{.*}} : f32 -> tensor<64x64xf32>
// CHECK:       %[[INIT:.*]] = tile.load {{.*}} -> tensor<64x64xf32>
// All that are in scope wait.
// CHECK:       %first, %second = scf.for {{.*}} iter_args(%[[F:.*]] = %[[ZERO]], %[[S:.*]] = %[[INIT]])
// CHECK:         %[[BT:.*]] = tile.transpose %b [1, 0]
// CHECK:         %[[P:.*]] = tile.wgmma %[[F]], %a, %[[BT]]
// CHECK:         %[[W:.*]]:2 = tile.wgmma_wait 1(%[[P]], %[[S]])
// CHECK:         scf.yield %[[W]]#0, %[[W]]#1
// Whoever reads one waits for all.
// CHECK:       %[[INNER:.*]] = tile.wgmma %[[ZERO]], %a, %b
// CHECK:       %[[READ:.*]]:3 = tile.wgmma_wait 0(%first, %second, %[[INNER]])
// What is out of scope is not waited for.
// CHECK:       %[[A:.*]] = tile.load %a
// CHECK:       %[[P1:.*]] = tile.wgmma %[[READ]]#1, %[[A]], %b : tensor<64x64xbf16>, <bf16, [64, 64], smem> -> tensor<64x64xf32>
// CHECK:       %[[P2:.*]] = tile.wgmma %[[P1]], %{{.*}}, %b
// CHECK:       %[[W:.*]]:2 = tile.wgmma_wait 0(%[[READ]]#0, %[[P2]])
// CHECK:       tile.subtile %{{.*}}[whole, window %c32_i64]
// CHECK:       tile.mul
// CHECK:       tile.store
// CHECK:       tile.subtile %{{.*}}[element %c1_i64, element %c2_i64]

// A read waits for all products.
TEGULA_KERNEL void branches(tg::array<float, 2> o, bool b) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 64, 64> a;
    tg::acc<float, 64, 64> acc;
    tg::wgmma(acc, a, a);
    o[0, 0] = acc[0, 0];
    if (b)
      tg::wgmma(acc, a, a);
    o[0, 1] = acc[0, 1];
  });
}
// CHECK-LABEL: tile.entry @branches
// CHECK:       %[[P:.*]] = tile.wgmma
// CHECK:       %[[FIRST:.*]] = tile.wgmma_wait 0(%[[P]])
// CHECK:       %[[MAYBE:.*]] = scf.if
// CHECK:         tile.wgmma %[[FIRST]]
// CHECK:       %[[SECOND:.*]] = tile.wgmma_wait 0(%[[MAYBE]])
// CHECK:       tile.subtile %[[SECOND]][element %c0_i64, element %c1_i64]

// Whether a product adds: known at run time, before, or always. Equal products are several; one whose sum nobody reads
// is one, too.
TEGULA_KERNEL void adding(tg::array<float, 2> o, tg::s64 n) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 64, 64> a;
    tg::acc<float, 64, 64> first, second;
    tg::wgmma(first, a, a, {.accumulate = n > 3});
    tg::wgmma(first, a, a, {.accumulate = false});
    tg::wgmma(first, a, a, {.accumulate = true});
    tg::wgmma(second, a, a, {.accumulate = false});
    tg::wgmma(second, a, a, {.accumulate = false});
    o[0, 0] = first[0, 0];
  });
}
// CHECK-LABEL: tile.entry @adding
// CHECK:       %[[ADDS:.*]] = arith.cmpi sgt
// CHECK:       %[[P1:.*]] = tile.wgmma %{{.*}} if %[[ADDS]], %a, %a
// CHECK:       %[[P2:.*]] = tile.wgmma %[[P1]] if %false, %a, %a
// CHECK:       tile.wgmma %[[P2]], %a, %a
// CHECK:       %[[P4:.*]] = tile.wgmma %{{.*}} if %false, %a, %a
// CHECK:       tile.wgmma %[[P4]] if %false, %a, %a

// Parts of accumulators: what a product adds to, by any name, and what is read while products add to other parts.
template <class Part, class B> void halves(const Part &part, B b) { tg::wgmma(part, b, b); }

TEGULA_KERNEL void parts(tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 64, 64> a;
    tg::acc<float, 128, 128> acc;
    const auto left = acc.at(tg::ds<64>(64), tg::ds<64>(0));
    tg::wgmma(left, a, a);
    tg::static_for<2>([&](auto i) { halves(acc.at(tg::ds<64>(0), tg::ds<64>(i * 64)), a); });
    const auto early = tg::wgmma_accumulator_load<2>(left);
    o[tg::ds<64>(0), tg::ds<64>(0)] = early;
    o[tg::ds<64>(0), tg::ds<8>(0)] = acc.at(tg::ds<64>(64), tg::all)[tg::all, tg::ds<8>(8)];
  });
}
// CHECK-LABEL: tile.entry @parts
// CHECK:       %[[P1:.*]] = tile.wgmma %{{.*}} at [64, 0], %a, %a : {{.*}} -> tensor<128x128xf32>
// CHECK:       %[[P2:.*]] = tile.wgmma %[[P1]] at [0, 0], %a, %a
// CHECK:       %[[P3:.*]] = tile.wgmma %[[P2]] at [0, 64], %a, %a
// CHECK:       %[[W:.*]] = tile.wgmma_wait 2(%[[P3]])
// CHECK:       %[[EARLY:.*]] = tile.subtile %[[W]][window %c64_i64, window %c0_i64] : {{.*}} -> tensor<64x64xf32>
// CHECK:       %[[ALL:.*]] = tile.wgmma_wait 0(%[[W]])
// CHECK:       %[[LOW:.*]] = tile.subtile %[[ALL]][window %c64_i64, window %c0_i64] : {{.*}} -> tensor<64x128xf32>
// CHECK:       tile.subtile %[[LOW]][whole, window %c8_i64]
