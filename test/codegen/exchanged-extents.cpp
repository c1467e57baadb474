// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o %t && FileCheck %s < %t
// Tiles that are exchanged in shared memory take there what they have, and not the powers of two that registers have.
#include <tegula/tegula.h>
namespace tg = tegula;

template <int M, int N, class Body> void run(tg::array<const float, 2> x, tg::array<float, 2> o, Body body) {
  constexpr auto first = [] { return tg::index(0, 0); };
  tg::pallas_call([=](auto x, auto o) { o[tg::all] = body(tg::load(x, true, 0)); }, tg::in<M, N>(x, first),
                  tg::out<M, N>(o, first));
}

// 65 x 65 and 33 x 129 elements of 4 bytes, in multiples of 16.
// CHECK-DAG: .b8 rolled_0_dense_scratch{{.*}}[16912]
TEGULA_KERNEL void rolled(tg::array<const float, 2> x, tg::array<float, 2> o) {
  run<65, 65>(x, o, [](auto t) { return tg::roll<1>(tg::cumsum<0>(t), 1); });
}
// CHECK-DAG: .b8 wide_0_dense_scratch{{.*}}[17040]
TEGULA_KERNEL void wide(tg::array<const float, 2> x, tg::array<float, 2> o) {
  run<33, 129>(x, o, [](auto t) { return tg::roll<1>(tg::cumsum<0>(t), 1); });
}
// CHECK-DAG: .b8 turned_0_dense_scratch{{.*}}[16912]
TEGULA_KERNEL void turned(tg::array<const float, 2> x, tg::array<float, 2> o) {
  run<65, 65>(x, o, [](auto t) { return tg::reshape<65, 65>(tg::transpose(tg::cumsum<0>(t))); });
}
// CHECK-DAG: .b8 padded_0_dense_scratch{{.*}}[16912]
TEGULA_KERNEL void padded(tg::array<const float, 2> x, tg::array<float, 2> o) {
  run<65, 65>(x, o, [](auto t) { return tg::pad<1, 40, 40>(tg::cumsum<0>(t), 0)[tg::all, tg::ds<65>(20)]; });
}
// Rows that are sorted are some at a time.
// CHECK-DAG: .b8 sorted_0_dense_scratch{{.*}}[49152]
TEGULA_KERNEL void sorted(tg::array<const float, 2> x, tg::array<float, 2> o) {
  run<65, 65>(x, o, [](auto t) { return tg::roll<0>(tg::sort<1>(t), 1); });
}
// A part of what finds no room.
// CHECK-DAG: .b8 part_0_dense_scratch{{.*}}[16912]
TEGULA_KERNEL void part(tg::array<const float, 2> x, tg::array<float, 2> o) {
  run<65, 65>(x, o,
              [](auto t) { return tg::roll<1>(tg::cumsum<0>(tg::pad<1, 60, 65>(t, 1))[tg::all, tg::ds<65>(30)], 1); });
}
