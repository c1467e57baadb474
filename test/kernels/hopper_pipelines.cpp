// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipelines, and the loops that share programs.
#include "staying.h"

// One input, as many steps ahead as there are slots, or fewer.
template <int Depth, int Delay> TEGULA_KERNEL void one_input(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::kernel([=] {
    tg::emit_pipeline(
        {.grid = {tg::cdiv(x.dim(0), 64)}, .max_concurrent_steps = Depth, .delay_release = Delay},
        [&](auto i, auto block) { o[tg::ds<64>(i * 64)] = block[tg::all] + tg::astype<float>(i); },
        tg::in<64>(x, [](auto i) { return tg::index(i); }));
  });
}
TEGULA_INSTANTIATE("one_input_1", one_input<1, 0>);
TEGULA_INSTANTIATE("one_input_2", one_input<2, 0>);
TEGULA_INSTANTIATE("one_input_4", one_input<4, 0>);
TEGULA_INSTANTIATE("one_input_2_late", one_input<2, 1>);
TEGULA_INSTANTIATE("one_input_4_late", one_input<4, 2>);

// Three inputs of different shapes and elements over a grid of two axes; blocks go out.
TEGULA_KERNEL void three_inputs(tg::array<const float, 2> x, tg::array<const tg::bf16, 1> row,
                                tg::array<const tg::u8, 2> z, tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::emit_pipeline(
        {.grid = {tg::cdiv(x.dim(0), 8), tg::cdiv(x.dim(1), 32)}, .max_concurrent_steps = 3},
        [](auto, auto, auto a, auto b, auto c, auto to) {
          to[tg::all] = a[tg::all] * tg::astype<float>(b[tg::all]) + tg::astype<float>(c[tg::all]);
        },
        tg::in<8, 32>(x, [](auto i, auto j) { return tg::index(i, j); }),
        tg::in<32>(row, [](auto, auto j) { return tg::index(j); }),
        tg::in<tg::squeezed, 32>(z, [](auto i, auto j) { return tg::index(i, j); }),
        tg::out<8, 32>(o, [](auto i, auto j) { return tg::index(i, j); }));
  });
}

// Blocks of transposed views come in and go out.
TEGULA_KERNEL void views(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::emit_pipeline(
        {.grid = {tg::cdiv(x.dim(1), 16), tg::cdiv(x.dim(0), 32)}, .max_concurrent_steps = 2},
        [](auto, auto, auto a, auto to) { to[tg::all] = 2.0f * a[tg::all]; },
        tg::in<16, 32>(tg::transpose_ref(x), [](auto i, auto j) { return tg::index(i, j); }),
        tg::out<16, 32>(tg::transpose_ref(o), [](auto i, auto j) { return tg::index(i, j); }));
  });
}

// With one buffer, a block that several steps in a row have stays in it, adds up, and goes out once; a number of steps
// that is known; no grid at all.
TEGULA_KERNEL void last_ones(tg::array<const tg::s32, 2> x, tg::array<tg::s32, 2> o, tg::array<tg::s32, 1> first) {
  tg::kernel([=] {
    tg::emit_pipeline(
        {.grid = {tg::cdiv(x.dim(0), 8), tg::cdiv(x.dim(1), 16)}},
        [](auto, auto j, auto from, auto to) {
          if (j == 0)
            to[tg::all] = from[tg::all] * 5;
          else
            to[tg::all] += from[tg::all];
        },
        tg::in<8, 16>(x, [](auto i, auto j) { return tg::index(i, j); }),
        tg::out<8, 16>(o, [](auto i, auto) { return tg::index(i, 0); }));
    tg::emit_pipeline(
        {.grid = {2}, .max_concurrent_steps = 4},
        [](auto i, auto from, auto to) { to[tg::all] = from[tg::all] + tg::astype<tg::s32>(i); },
        tg::in<tg::squeezed, 16>(x, [](auto i) { return tg::index(i, 0); }),
        tg::out<16>(first, [](auto i) { return tg::index(i); }));
    tg::emit_pipeline(
        {}, [](auto to) { to[tg::all] = tg::iota<tg::s32, 16>(); }, tg::out<16>(first, [] { return tg::index(2); }));
  });
}

// In place: a block leaves before its slot takes another one.
template <int Depth, int Delay> TEGULA_KERNEL void in_place(tg::array<float, 2> x, tg::array<const float, 1> row) {
  tg::kernel([=] {
    tg::emit_pipeline(
        {.grid = {tg::cdiv(x.dim(0), 8)}, .max_concurrent_steps = Depth, .delay_release = Delay},
        [](auto, auto b, auto r) { b[tg::all] = b[tg::all] + r[tg::all]; },
        tg::inout<8, 32>(x, [](auto i) { return tg::index(i, 0); }),
        tg::in<32>(row, [](auto) { return tg::index(0); }, {.delay_release = 0}));
  });
}
TEGULA_INSTANTIATE("in_place_1", in_place<1, 0>);
TEGULA_INSTANTIATE("in_place_3", in_place<3, 1>);

// Inputs that stay for the products in flight, and one that does not.
TEGULA_KERNEL void different_delays(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b,
                                    tg::array<const float, 2> z, tg::array<float, 2> o) {
  tg::kernel([=] {
    const auto all = tg::ds<64>(0);
    tg::acc<float, 64, 64> acc;
    float sum = 0;
    tg::emit_pipeline(
        {.grid = {tg::cdiv(a.dim(1), 32)}, .max_concurrent_steps = 3},
        [&](auto k, auto x, auto y, auto first) {
          tg::wgmma(acc, x, y);
          tg::wgmma_wait<1>();
          sum += first[0, 0] + tg::astype<float>(k);
        },
        tg::in<64, 32>(a, [](auto k) { return tg::index(0, k); }, {.delay_release = 1}),
        tg::in<32, 64>(b, [](auto k) { return tg::index(k, 0); }, {.delay_release = 2}),
        tg::in<1, 4>(z, [](auto k) { return tg::index(k, 0); }));
    o[all, all] = acc[tg::all] + sum;
  });
}

// One thread copies, one computes and sends; what it adds up goes through the steps.
template <int Depth, int Registers>
TEGULA_KERNEL void sender(tg::array<const float, 2> x, tg::array<float, 2> o, tg::array<float, 1> sums) {
  tg::kernel({.grid = {{"p", tg::cdiv(x.dim(1), 32)}}, .threads = {"wg", 2}}, [=] {
    tg::smem<float, 8, 32> last;
    const auto p = tg::axis_index("p");
    const auto map = [=](auto i) { return tg::index(i, p); };
    tg::emit_pipeline_warp_specialized(
        {.grid = {tg::cdiv(x.dim(0), 8)},
         .wg_axis = "wg",
         .memory_registers = Registers,
         .max_concurrent_steps = Depth},
        [&](auto pipeline) {
          auto sum = tg::zeros<float, 8, 32>();
          pipeline([&](auto, auto from, auto to) {
            sum += from[tg::all];
            to[tg::all] = sum;
          });
          last[tg::all] = sum;
          sums[p] = last[3, 5];
        },
        tg::in<8, 32>(x, map), tg::out<8, 32>(o, map));
  });
}
TEGULA_INSTANTIATE("sender_1", sender<1, 0>);
TEGULA_INSTANTIATE("sender_3", sender<3, 40>);

// Two threads compute on halves of each block; the tiles of programs that stay go through one ring, or through one
// each.
template <bool IsOneRing, int Delay>
TEGULA_KERNEL void row_sums(tg::array<const tg::s32, 2> x, tg::array<const tg::s32, 2> y, tg::array<tg::s32, 3> o,
                            tg::s64 programs) {
  const auto m = tg::cdiv(x.dim(0), 16), n = o.dim(0), steps = tg::cdiv(x.dim(1), 32);
  tg::kernel({.grid = {{"p", programs}}, .threads = {"wg", 3}}, [=] {
    tg::pipeline_allocations ring;
    tg::nd_loop({n, m}, {.collective_axes = {"p"}}, [&](auto step) {
      const auto [j, i] = step.index;
      const auto compute = [&](auto pipeline) {
        const auto wg = tg::axis_index("wg");
        auto sum = tg::zeros<tg::s32, 8, 32>();
        pipeline([&](auto k, auto a, auto b) { sum += a[tg::ds<8>(wg * 8)] * b[tg::all] + tg::astype<tg::s32>(k); });
        o[j, tg::ds<8>(i * 16 + wg * 8), tg::ds<32>(0)] = sum;
      };
      const auto rows = tg::in<16, 32>(x, [=](auto k) { return tg::index(i, k); });
      const auto factors = tg::in<tg::squeezed, 32>(y, [=](auto k) { return tg::index(j, k); });
      if constexpr (IsOneRing)
        tg::emit_pipeline_warp_specialized({.grid = {steps},
                                            .wg_axis = "wg",
                                            .num_compute_wgs = 2,
                                            .memory_registers = 24,
                                            .max_concurrent_steps = 3,
                                            .delay_release = Delay,
                                            .allocations = &ring},
                                           compute, rows, factors);
      else
        tg::emit_pipeline_warp_specialized(
            {.grid = {steps}, .wg_axis = "wg", .num_compute_wgs = 2, .delay_release = Delay}, compute, rows, factors);
    });
  });
}
TEGULA_INSTANTIATE("row_sums_one_ring", row_sums<true, 0>);
TEGULA_INSTANTIATE("row_sums_one_ring_late", row_sums<true, 2>);
TEGULA_INSTANTIATE("row_sums_rings", row_sums<false, 1>);

// Programs that stay go through their ring without a break.
TEGULA_INSTANTIATE("persistent", staying_product<Staying{.tile_k = 32, .depth = 3}>);

// Blocks that all of a cluster have, along both of its axes, beside others that one half has each.
TEGULA_KERNEL void shared_by_all(tg::array<const float, 2> x, tg::array<const float, 2> y, tg::array<float, 3> o,
                                 tg::s64 clusters) {
  tg::kernel({.grid = {{"g", clusters}}, .cluster = {{"cm", 2}, {"cn", 2}}, .threads = {"wg", 2}}, [=] {
    const auto g = tg::axis_index("g"), cm = tg::axis_index("cm");
    tg::emit_pipeline_warp_specialized(
        {.grid = {tg::cdiv(x.dim(0), 32)}, .wg_axis = "wg", .max_concurrent_steps = 2},
        [&](auto pipeline) {
          auto sum = tg::zeros<float, 32, 32>();
          pipeline([&](auto, auto a, auto b) { sum += a[tg::all] * b[tg::all]; });
          o[g * 4 + tg::axis_index("cm", "cn"), tg::ds<32>(0), tg::ds<32>(0)] = sum;
        },
        tg::in<32, 32>(x, [=](auto k) { return tg::index(k, g); }, {.collective_axes = {"cm", "cn"}}),
        tg::in<32, 32>(y, [=](auto k) { return tg::index(k, cm); }, {.collective_axes = {"cn"}}));
  });
}

// Who does which step, and how many steps it does.
TEGULA_KERNEL void shares(tg::array<tg::s64, 3> o, tg::s64 programs) {
  tg::kernel({.grid = {{"p", programs}}, .cluster = {{"c", 2}}}, [=] {
    tg::nd_loop({o.dim(0), o.dim(1)}, {.collective_axes = {"p", "c"}}, [&](auto step) {
      const auto [i, j] = step.index;
      o[i, j, 0] = tg::axis_index("p", "c");
      o[i, j, 1] = step.local_index;
      o[i, j, 2] = step.num_local_steps;
    });
  });
}

// The number of the step at the place that it comes to.
TEGULA_KERNEL void walk(tg::array<tg::s64, 2> by_rows, tg::array<tg::s64, 2> by_columns, tg::s64 width) {
  const auto m = by_rows.dim(0), n = by_rows.dim(1);
  tg::kernel({.grid = {{"p", 4}}}, [=] {
    tg::nd_loop({m * n}, {.collective_axes = {"p"}}, [&](auto step) {
      const auto number = step.index[0];
      const auto first = tg::planar_snake(number, {m, n}, 0, width),
                 second = tg::planar_snake(number, {m, n}, 1, width);
      by_rows[first.i, first.j] = number;
      by_columns[second.i, second.j] = number;
    });
  });
}
