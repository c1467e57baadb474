// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU code of a program marks what it stores of its block of an output, unless the text tells that it is all.
// RUN: tegulac --emit=cpu -DORDINARY -o - %s 2>&1 | FileCheck %s --check-prefix=ORDINARY --implicit-check-not=cpu::written --implicit-check-not=warning
// RUN: tegulac --emit=cpu -o - %s 2>&1 | FileCheck %s --implicit-check-not=cpu::written --implicit-check-not=warning
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };
constexpr auto rows = [](auto i) { return tg::index(i, 0); };

#ifdef ORDINARY
// ORDINARY: void whole_0_cpu(
TEGULA_KERNEL void whole(tg::array<const float, 2> x, tg::array<float, 2> o, tg::array<float, 1> sums) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && sums.dim(0) == x.dim(0), "the arrays differ in shape");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o, auto sums) {
        o[tg::all] = x[tg::all];
        sums[] = tg::sum(x[tg::all]);
      },
      tg::in<tg::squeezed, tg::whole>(x, rows), tg::out<tg::squeezed, tg::whole>(o, rows), tg::out<tg::squeezed>(sums, same));
}

// ORDINARY: void whole_array_0_cpu(
TEGULA_KERNEL void whole_array(tg::array<float, 2> o) {
  tg::pallas_call([](auto o) { tg::transpose_ref(o)[tg::all] = 1; }, tg::out(o));
}

// ORDINARY: void parts_0_cpu(
TEGULA_KERNEL void parts(tg::array<float, 2> o, bool is_upper) {
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 4)}},
      [=](auto o) {
        o[tg::ds<2>(0), tg::ds<12>(0)] = 1;
        if (is_upper) {
          o[3] = 2;
          o[2, tg::ds<16>(0)] = 3;
        } else {
          for (int i = 0; i < 16; ++i)
            o[tg::ds<2>(2), i] = 4;
        }
        tg::store(o.at(tg::ds<2>(0), tg::ds<9>(7)), 5.0f, tg::broadcasted_iota<int, 1, 2, 9>() > 4);
      },
      tg::out<4, 16>(o, rows));
}

// ORDINARY: void loops_0_cpu(
TEGULA_KERNEL void loops(tg::array<const float, 2> x, tg::array<float, 2> chunks, tg::array<float, 2> elements,
                         tg::array<float, 2> steps) {
  tg::check(x.dim(0) == chunks.dim(0) && x.dim(1) == chunks.dim(1), "x and chunks differ in shape");
  tg::check(x.dim(0) == elements.dim(0) && x.dim(1) == elements.dim(1), "x and elements differ in shape");
  tg::check(x.dim(0) == steps.dim(0) && x.dim(1) == steps.dim(1), "x and steps differ in shape");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 8)}},
      [](auto x, auto chunks, auto elements, auto steps) {
        for (tg::s64 k = 0; k < tg::cdiv(x.dim(1), 16); ++k)
          chunks[tg::all, tg::ds<16>(16 * k)] = x[tg::all, tg::ds<16>(16 * k)];
        for (tg::s64 i = 0; i < x.dim(0); ++i)
          for (tg::s64 j = 0; j < elements.dim(1); ++j)
            elements[i, j] = x[i, j];
        for (tg::s64 j = 0; j < x.dim(1); j += 32)
          for (int i = 0; i < 2; ++i)
            steps[tg::ds<4>(4 * i), tg::ds<32>(j)] = 1;
      },
      tg::in<8, tg::whole>(x, rows), tg::out<8, tg::whole>(chunks, rows), tg::out<8, tg::whole>(elements, rows),
      tg::out<8, tg::whole>(steps, rows));
}

/// All programs have the same array; an array that is read, too; two programs of each block.
// ORDINARY: void shared_0_cpu(
TEGULA_KERNEL void shared(tg::array<const tg::s64, 1> x, tg::array<float, 1> o, tg::array<float, 1> kept,
                          tg::array<float, 1> half) {
  tg::pallas_call(
      {.grid = {x.dim(0), 2}},
      [](auto x, auto o, auto kept, auto half) {
        o[x[]] = 1;
        kept[x[]] = 2;
        half[tg::ds<8>(8 * tg::program_id(1))] = 3;
      },
      tg::in<tg::squeezed>(x, [](auto i, auto) { return tg::index(i); }), tg::out(o), tg::inout(kept),
      tg::out<16>(half, [](auto i, auto) { return tg::index(i); }));
}
#else
// CHECK:      void doubtful_0_cpu(
// CHECK:        const auto o_block = o.window(
// CHECK-NEXT:   cpu::written o_block_written(o_block);
// CHECK:        for (std::int64_t k = 0; k < {{.*}}; ++k) {
// CHECK:          const auto [[CHUNK:.*]] = o_block.window({cpu_outputs_cpp, [[@LINE+10]],
// CHECK:            for (
// CHECK:          }
// CHECK:          o_block_written.add([[CHUNK]]);
// CHECK:        o_block_written.check({cpu_outputs_cpp, [[@LINE+6]], {{[0-9]+}}}, "doubtful", "o", {program_0});
TEGULA_KERNEL void doubtful(tg::array<float, 1> o) {
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 64)}},
      [](auto o) {
        for (tg::s64 k = 0; k < o.dim(0) / 16; ++k)
          o[tg::ds<16>(16 * k)] = 1;
      },
      tg::out<64>(o, same));
}

/// Windows that overlap, chunks that are too short, a loop that begins late, one that may not run, and a diagonal.
// CHECK-LABEL: void gaps_0_cpu(
// CHECK-COUNT-5: cpu::written
TEGULA_KERNEL void gaps(tg::array<float, 1> gap, tg::array<float, 1> chunk, tg::array<float, 1> late,
                        tg::array<float, 1> maybe, tg::array<float, 2> diagonal, tg::s64 n) {
  tg::pallas_call(
      {.grid = {tg::cdiv(gap.dim(0), 16)}},
      [=](auto gap, auto chunk, auto late, auto maybe, auto diagonal) {
        gap[tg::ds<10>(0)] = 1;
        gap[tg::ds<6>(4)] = 2;
        for (tg::s64 k = 0; k < 2; ++k)
          chunk[tg::ds<7>(8 * k)] = 3;
        for (tg::s64 k = 1; k < 16; ++k)
          late[k] = 4;
        for (tg::s64 k = 0; k < n; ++k)
          maybe[tg::all] = 5;
        for (tg::s64 k = 0; k < 4; ++k)
          diagonal[tg::ds<4>(4 * k), tg::ds<4>(4 * k)] = 6;
      },
      tg::out<16>(gap, same), tg::out<16>(chunk, same), tg::out<16>(late, same), tg::out<16>(maybe, same),
      tg::out<16, 16>(diagonal, rows));
}
#endif
