// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that each take elements of what the step before made: few are computed of what is loaded, in one kernel; of
// more, each tile is made once, and steps that are alike have one kernel, and two arrays by turns. What blocks of static
// size make is exchanged.
// RUN: tegulac --emit=tile-split --arch sm_90a --verify %s -o %t
// RUN: FileCheck %s --input-file=%t --implicit-check-not="tile.kernel @"
// RUN: FileCheck %s --input-file=%t --check-prefix=ARRAYS
// RUN: tegulac --emit=tile-split --arch sm_90a -DAGAIN %s -o %t 2>&1 | FileCheck %s --check-prefix=AGAIN
#include <tegula/tegula.h>
namespace tg = tegula;

template <int Steps, class T> constexpr auto smoothed(T t) {
  tg::static_for<Steps>([&](auto) { t = 0.5f * t + 0.25f * (tg::roll<0>(t, 1) + tg::roll<0>(t, -1)); });
  return t;
}

template <int Steps, class E, int N> constexpr auto narrowed(const tg::tile<E, N> &t) {
  if constexpr (Steps == 0)
    return t;
  else
    return narrowed<Steps - 1>(t[tg::ds<N - 2>(0)] + 0.5f * t[tg::ds<N - 2>(1)] + t[tg::ds<N - 2>(2)]);
}

#ifndef AGAIN
// One kernel, in three forms, which loads nine places.
// CHECK: tile.kernel @two_steps_0_dense
// CHECK: tile.kernel @two_steps_0_contiguous
// CHECK: tile.kernel @two_steps_0(
// ARRAYS: tile.entry @two_steps
// ARRAYS-NOT: tile.empty
TEGULA_KERNEL void two_steps(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ");
  tg::pallas_call([](auto x, auto o) { o[tg::all] = smoothed<2>(x[tg::all]); }, tg::in(x), tg::out(o));
}

// The first step, all others, and the last one.
// CHECK: tile.kernel @many_steps_0_stage0_dense
// CHECK: tile.kernel @many_steps_0_stage0_contiguous
// CHECK: tile.kernel @many_steps_0_stage0(
// CHECK: tile.kernel @many_steps_0_stage1_dense
// CHECK: tile.kernel @many_steps_0_stage1_contiguous
// CHECK: tile.kernel @many_steps_0_stage1(
// CHECK: tile.kernel @many_steps_0_stage39_dense
// CHECK: tile.kernel @many_steps_0_stage39_contiguous
// CHECK: tile.kernel @many_steps_0_stage39(
// ARRAYS: tile.entry @many_steps
// ARRAYS-COUNT-2: tile.empty
// ARRAYS-NOT: tile.empty
TEGULA_KERNEL void many_steps(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ");
  tg::pallas_call([](auto x, auto o) { o[tg::all] = smoothed<40>(x[tg::all]); }, tg::in(x), tg::out(o));
}

// Steps that differ in a number: three with the number inside, one that has it as an argument for all others.
// CHECK-COUNT-18: tile.kernel @doubled_0_stage
// ARRAYS: tile.entry @doubled
// ARRAYS: tile.launch_kernel @doubled_0_stage4 blocks(%{{.*}}) (%{{.*}}) : {{.*}}, i64
// ARRAYS: tile.launch_kernel @doubled_0_stage4 blocks(%{{.*}}) (%{{.*}}) : {{.*}}, i64
TEGULA_KERNEL void doubled(tg::array<const int, 1> x, tg::array<int, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ");
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = x[tg::all];
        tg::static_for<20>([&](auto k) { t = t + tg::roll<0>(t, 5 + k); });
        o[tg::all] = t;
      },
      tg::in(x), tg::out(o));
}

// Indices that are taken of themselves multiply as well.
// CHECK-COUNT-9: tile.kernel @jumps_0_stage
TEGULA_KERNEL void jumps(tg::array<const int, 1> x, tg::array<int, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ");
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = x[tg::all];
        tg::static_for<16>([&](auto) { t = tg::take<0>(t, t); });
        o[tg::all] = t;
      },
      tg::in(x), tg::out(o));
}

// CHECK: tile.kernel @blocks_0
// CHECK: tile.take
// CHECK-COUNT-2: tile.kernel @blocks_0
TEGULA_KERNEL void blocks(tg::array<const int, 1> x, tg::array<int, 1> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(0) % 512 == 0, "blocks of 512");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 512)}},
      [](auto x, auto o) {
        auto t = x[tg::all];
        tg::static_for<6>([&](auto) { t = tg::take<0>(t, t); });
        o[tg::all] = t;
      },
      tg::in<512>(x, [](auto i) { return tg::index(i); }), tg::out<512>(o, [](auto i) { return tg::index(i); }));
}

// Windows of windows have few places, however many ways lead there: 25 of a load after 12 steps.
// CHECK-COUNT-3: tile.kernel @windows_0
TEGULA_KERNEL void windows(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == 128 && o.dim(0) == 104, "128 elements become 104");
  tg::pallas_call(
      [](auto x, auto o) {
        auto t0 = x[tg::all];
        o[tg::all] = narrowed<12>(t0);
      },
      tg::in<128>(x, [] { return tg::index(0); }), tg::out<104>(o, [] { return tg::index(0); }));
}
#else

// The options are for the one kernel that the author has in mind.
// AGAIN: split-moves.cpp:[[@LINE-99]]:{{[0-9]+}}: warning: the tile that is indexed here is recomputed for each index, and so are the tiles that it is computed from: code size and compile time multiply with every such step. Store the tile to an array, and index that in a later launch
TEGULA_KERNEL void beside(tg::array<const tg::f16, 2> a, tg::array<const tg::f16, 2> b, tg::array<const float, 1> x,
                          tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && a.dim(0) == o.dim(0), "a, b and o do not fit");
  tg::check(b.dim(1) == o.dim(1) && x.dim(0) == o.dim(1), "b, x and o do not fit");
  tg::pallas_call({.num_stages = 3},
                  [](auto a, auto b, auto x, auto o) {
                    o[tg::all] = tg::dot(a[tg::all], b[tg::all]) + smoothed<3>(x[tg::all]);
                  },
                  tg::in(a), tg::in(b), tg::in(x), tg::out(o));
}
#endif
