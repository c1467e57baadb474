// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU code of a program marks what it loads and stores of an array, unless the text tells that no program loads what
// another one stores.
// RUN: tegulac --emit=cpu -DORDINARY -o - %s 2>&1 | FileCheck %s --check-prefix=ORDINARY --implicit-check-not=cpu::races --implicit-check-not=warning
// RUN: tegulac --emit=cpu -o - %s 2>&1 | FileCheck %s --implicit-check-not=cpu::races --implicit-check-not=warning
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };

#ifdef ORDINARY
/// Of its own block, any element; a column of its own, through a transposed view; and arrays that are not both read and
/// stored to.
// ORDINARY: void blocks_0_cpu(
TEGULA_KERNEL void blocks(tg::array<float, 2> x, tg::array<float, 3> y, tg::array<const tg::s64, 1> from,
                          tg::array<tg::s64, 1> to) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 64), y.dim(2)}},
      [](auto x, auto y, auto from, auto to) {
        for (tg::s64 k = 0; k < x.dim(0); ++k)
          x[k] = x[from[k]];
        tg::transpose_ref(y)[tg::all, 0] = y[1, tg::all];
        to[from[0]] = 1;
      },
      tg::inout<64, tg::squeezed>(x, same),
      tg::inout<tg::whole, 32, tg::squeezed>(y, [](auto i, auto j) { return tg::index(0, i, j); }), tg::in(from),
      tg::inout(to));
}

/// Blocks whose size is known at run time.
// ORDINARY: void run_time_blocks_0_cpu(
TEGULA_KERNEL void run_time_blocks(tg::array<float, 2> x, tg::s64 rows, tg::s64 columns) {
  tg::pallas_call({.grid = {tg::cdiv(x.dim(0), rows), tg::cdiv(x.dim(1), columns)}},
                  [](auto x) { x[tg::all] = x[tg::all] * tg::sum(x[0, tg::all]); }, tg::inout(x, {rows, columns}, same));
}

/// The programs' own strips of a whole array, rising and falling; and all of it, of one program.
// ORDINARY: void strips_0_cpu(
// ORDINARY: void strips_1_cpu(
// ORDINARY: void strips_2_cpu(
TEGULA_KERNEL void strips(tg::array<float, 2> x, tg::array<float, 2> y) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(1), 128), 8}},
      [](auto x, auto y) {
        const auto i = tg::program_id(0), j = tg::program_id(1);
        x[j, tg::ds<8>(128 * i)] = tg::sum(x[j, tg::ds<64>(128 * i + 64)]);
        x.at(j, tg::ds<128>(128 * i))[tg::ds<8>(120)] = 1;
        y[i, tg::ds<4>(28 - 4 * j)] = tg::sum(y[i, tg::ds<3>(29 - 4 * j)]);
      },
      tg::inout(x), tg::inout(y));
  tg::pallas_call({.grid = {1}}, [](auto x) { x[0, 0] = x[1, x.dim(1) - 1]; }, tg::inout(x));
  tg::pallas_call([](auto x) { x[0, 0] = x[1, x.dim(1) - 1]; }, tg::inout(x));
}
#else
// CHECK:      void reverse_0_cpu(
// CHECK-NEXT:   cpu::races x_races(x, "reverse", "x", {grid_0}, {{[{][{]}}cpu_races_cpp, [[@LINE+12]], 28}, {cpu_races_cpp, [[@LINE+12]], 26{{[}][}]}});
// CHECK-NEXT:   for (std::int64_t i = 0; i < grid_0; ++i) try {
// CHECK-NEXT:     x_races.begin_program();
// CHECK:          const auto [[FROM:.*]] = x.select(
// CHECK:          x_races.load(0, [[FROM]]);
// CHECK:          const auto [[TO:.*]] = x.select(
// CHECK:          x_races.store(1, [[TO]]);
// CHECK:          [[TO]]() =
TEGULA_KERNEL void reverse(tg::array<float, 1> x) {
  tg::pallas_call({.grid = {x.dim(0)}},
                  [](auto x) {
                    const auto i = tg::program_id(0);
                    x[i] = x[x.dim(0) - 1 - i];
                  },
                  tg::inout(x));
}

/// An element where the mask holds.
// CHECK:      void masked_0_cpu(
// CHECK-NEXT:   cpu::races x_races(x, "masked", "x", {grid_0},
// CHECK:        const auto [[BLOCK:.*]] = cpu::reach(x).window(
// CHECK:        for (std::int64_t [[I:.*]] = 0; [[I]] < [[BLOCK]].dim(0); ++[[I]]) {
// CHECK:          const bool mask =
// CHECK:          if (mask) {
// CHECK:            x_races.load(0, [[BLOCK]]([[I]]));
// CHECK:          x_races.store(1,
// CHECK:          x_races.store(2,
TEGULA_KERNEL void masked(tg::array<float, 1> x) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 16)}},
      [](auto x) {
        const auto first = 16 * tg::program_id(0);
        const auto mask = tg::iota<tg::s64, 16>() + first > 0;
        const auto left = tg::load(x.at(tg::ds<16>(first - 1)), mask, 0.0f);
        tg::store(x.at(tg::ds<16>(first)), left, mask);
        x[tg::ds<16>(first)] = 1;
      },
      tg::inout(x));
}

/// An index that wraps.
// CHECK: void wrapped_0_cpu(
// CHECK: cpu::races
TEGULA_KERNEL void wrapped(tg::array<float, 1> x) {
  tg::pallas_call(
      {.grid = {5}},
      [](auto x) {
        if (const auto i = tg::program_id(0); i % 4 == 0) {
          const auto k = static_cast<tg::u64>(i) * 4611686018427387904u;
          x[k] = x[k] + 1;
        }
      },
      tg::inout(x));
}

/// Blocks that two programs have: by a sum of indices, by an axis that no index knows, and by their size.
// CHECK-LABEL: void doubtful_0_cpu(
// CHECK-COUNT-3: cpu::races
TEGULA_KERNEL void doubtful(tg::array<float, 1> sum, tg::array<float, 1> axis, tg::array<float, 1> size) {
  tg::pallas_call(
      {.grid = {4, 4}},
      [](auto sum, auto axis, auto size) {
        const auto i = tg::program_id(0), j = tg::program_id(1);
        sum[] = sum[] * 2;
        if (j == 0) {
          axis[] = axis[] * 2;
          size[tg::ds<8>(4 * i)] = size[tg::ds<8>(4 * i)] * 2;
        }
      },
      tg::inout<tg::squeezed>(sum, [](auto i, auto j) { return tg::index(i + j); }),
      tg::inout<tg::squeezed>(axis, [](auto i, auto) { return tg::index(i); }), tg::inout(size));
}
#endif
