// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What specs of pipelines say of their blocks: how many buffers they have, for how long they stay, who shares them.
#include <tegula/tegula.h>
namespace tg = tegula;

// One thread: each block has as many buffers as its spec says, and stays as long.
template <int A, int B, int Out, int Delay>
TEGULA_KERNEL void buffers(tg::array<const float, 2> x, tg::array<const float, 2> y, tg::array<float, 2> o) {
  tg::kernel([=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    tg::emit_pipeline(
        {.grid = {tg::cdiv(x.dim(0), 8)}, .max_concurrent_steps = 2},
        [](auto i, auto a, auto b, auto to) { to[tg::all] = a[tg::all] - b[tg::all] * tg::astype<float>(i); },
        tg::in<8, 32>(x, map, {.delay_release = Delay, .l2_eviction = tg::evict_first, .buffers = A}),
        tg::in<8, 32>(y, map, {.l2_eviction = tg::evict_last, .buffers = B}),
        tg::out<8, 32>(o, map, {.l2_eviction = tg::evict_first, .buffers = Out}));
  });
}
TEGULA_INSTANTIATE("buffers_1_1_1", buffers<1, 1, 1, 0>);
TEGULA_INSTANTIATE("buffers_4_1_3", buffers<4, 1, 3, 2>);
TEGULA_INSTANTIATE("buffers_2_5_1", buffers<2, 5, 1, 1>);

// Two threads multiply what stays for a step longer, by a number of this step; sums of all steps go out.
template <int A, int B, int Z>
TEGULA_KERNEL void product(tg::array<const tg::f16, 2> a, tg::array<const tg::f16, 2> b, tg::array<const float, 2> z,
                           tg::array<float, 2> o) {
  tg::kernel({.threads = {"wg", 3}}, [=] {
    tg::emit_pipeline_warp_specialized(
        {.grid = {tg::cdiv(a.dim(1), 32)}, .wg_axis = "wg", .num_compute_wgs = 2, .memory_registers = 40},
        [&](auto pipeline) {
          const auto wg = tg::axis_index("wg");
          tg::acc<float, 64, 64> acc;
          float sum = 0;
          pipeline([&](auto k, auto x, auto y, auto first) {
            tg::wgmma(acc, x.at(tg::ds<64>(wg * 64)), y);
            tg::wgmma_wait<1>();
            sum += first[0, 0] + tg::astype<float>(k);
          });
          o[tg::ds<64>(wg * 64), tg::ds<64>(0)] = acc[tg::all] + sum;
        },
        tg::in<128, 32>(a, [](auto k) { return tg::index(0, k); }, {.delay_release = 1, .buffers = A}),
        tg::in<32, 64>(b, [](auto k) { return tg::index(k, 0); }, {.delay_release = 1, .buffers = B}),
        tg::in<1, 4>(z, [](auto k) { return tg::index(k, 0); }, {.buffers = Z}));
  });
}
TEGULA_INSTANTIATE("product_2_2_1", product<2, 2, 1>);
TEGULA_INSTANTIATE("product_4_3_2", product<4, 3, 2>);
TEGULA_INSTANTIATE("product_2_4_5", product<2, 4, 5>);

// What is outside is NaN; runs that are promised to be inside.
TEGULA_KERNEL void edges(tg::array<const float, 2> x, tg::array<const tg::s32, 1> y, tg::array<float, 2> o,
                         tg::array<tg::s32, 1> p) {
  tg::kernel([=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto along = [](auto i) { return tg::index(i); };
    tg::emit_pipeline(
        {.grid = {o.dim(0) / 8}, .max_concurrent_steps = 3},
        [](auto, auto a, auto b, auto to, auto next) {
          to[tg::all] = a[tg::all];
          next[tg::all] = b[tg::all] + 1;
        },
        tg::in<8, 32>(x, map, {.oob_mode = tg::oob_fill::nan}),
        tg::in<64>(y, along, {.oob_mode = tg::oob_fill::promise_in_bounds, .l2_eviction = tg::evict_first}),
        tg::out<8, 32>(o, map), tg::out<64>(p, along, {.oob_mode = tg::oob_fill::promise_in_bounds}));
  });
}

// A block that all steps have, and one that has one buffer for each run.
TEGULA_KERNEL void once(tg::array<const float, 2> x, tg::array<const float, 2> rows, tg::array<float, 3> o) {
  tg::kernel([=] {
    for (tg::s64 j = 0; j < o.dim(0); ++j)
      tg::emit_pipeline(
          {.grid = {tg::cdiv(x.dim(0), 8)}, .max_concurrent_steps = 2},
          [](auto, auto r, auto a, auto to) { to[tg::all] = a[tg::all] * r[tg::all]; },
          tg::in<tg::squeezed, 32>(rows, [=](auto) { return tg::index(j, 0); }),
          tg::in<8, 32>(x, [](auto i) { return tg::index(i, 0); }),
          tg::out<tg::squeezed, 8, 32>(o, [=](auto i) { return tg::index(j, i, 0); }));
  });
}

// The same, copied by a thread of its own, for programs that stay; blocks that several threads store to together.
template <int Depth, int Rows, bool IsOneRing>
TEGULA_KERNEL void together(tg::array<const float, 2> x, tg::array<const float, 2> rows, tg::array<float, 3> o,
                            tg::s64 programs) {
  const auto steps = tg::cdiv(x.dim(0), 16);
  tg::kernel({.grid = {{"p", programs}}, .threads = {"wg", 3}}, [=] {
    tg::pipeline_allocations ring;
    tg::nd_loop({o.dim(0)}, {.collective_axes = {"p"}}, [&](auto step) {
      const auto j = step.index[0];
      const auto compute = [&](auto pipeline) {
        const auto wg = tg::axis_index("wg");
        pipeline([&](auto, auto a, auto r, auto to) {
          const auto part = tg::ds<8>(wg * 8);
          to.at(part)[tg::all] = a[part] * r[tg::all];
        });
      };
      const auto blocks = tg::in<16, 32>(x, [](auto i) { return tg::index(i, 0); });
      const auto row = tg::in<tg::squeezed, 32>(rows, [=](auto) { return tg::index(j, 0); }, {.buffers = Rows});
      const auto results = tg::out<tg::squeezed, 16, 32>(o, [=](auto i) { return tg::index(j, i, 0); });
      if constexpr (IsOneRing)
        tg::emit_pipeline_warp_specialized({.grid = {steps},
                                            .wg_axis = "wg",
                                            .num_compute_wgs = 2,
                                            .max_concurrent_steps = Depth,
                                            .allocations = &ring},
                                           compute, blocks, row, results);
      else
        tg::emit_pipeline_warp_specialized(
            {.grid = {steps}, .wg_axis = "wg", .num_compute_wgs = 2, .max_concurrent_steps = Depth}, compute, blocks,
            row, results);
    });
  });
}
TEGULA_INSTANTIATE("together_1", together<1, 1, false>);
TEGULA_INSTANTIATE("together_2", together<2, 1, true>);
TEGULA_INSTANTIATE("together_3", together<3, 2, true>);

// A block that several steps in a row have adds up what they store, whatever the number of buffers.
template <int Depth>
TEGULA_KERNEL void sums(tg::array<const float, 2> x, tg::array<float, 2> o, tg::array<float, 2> p) {
  const auto m = tg::cdiv(x.dim(0), 8), n = tg::cdiv(x.dim(1), 32);
  tg::kernel([=] {
    tg::emit_pipeline(
        {.grid = {m, n}, .max_concurrent_steps = Depth},
        [](auto i, auto j, auto a, auto to, auto third) {
          to[tg::all] = j == 0 ? a[tg::all] : to[tg::all] + a[tg::all];
          third[tg::all] = j == 0 && i % 3 == 0 ? a[tg::all] : third[tg::all] + a[tg::all];
        },
        tg::in<8, 32>(x, [](auto i, auto j) { return tg::index(i, j); }),
        tg::out<8, 32>(o, [](auto i, auto) { return tg::index(i, 0); }),
        tg::out<8, 32>(p, [](auto i, auto) { return tg::index(i / 3, 0); }));
  });
}
TEGULA_INSTANTIATE("sums_1", sums<1>);
TEGULA_INSTANTIATE("sums_2", sums<2>);
TEGULA_INSTANTIATE("sums_4", sums<4>);

template <int Wgs, int Depth, int Out>
TEGULA_KERNEL void sums_together(tg::array<const float, 2> x, tg::array<float, 2> o) {
  const auto m = tg::cdiv(x.dim(0), 16), n = tg::cdiv(x.dim(1), 32);
  tg::kernel({.threads = {"wg", Wgs + 1}}, [=] {
    tg::emit_pipeline_warp_specialized(
        {.grid = {m, n}, .wg_axis = "wg", .num_compute_wgs = Wgs, .max_concurrent_steps = Depth},
        [&](auto pipeline) {
          const auto part = tg::ds<16 / Wgs>(tg::axis_index("wg") * (16 / Wgs));
          pipeline([&](auto, auto j, auto a, auto to) {
            const auto mine = to.at(part);
            mine[tg::all] = j == 0 ? a[part] : mine[tg::all] + a[part];
          });
        },
        tg::in<16, 32>(x, [](auto i, auto j) { return tg::index(i, j); }),
        tg::out<16, 32>(o, [](auto i, auto) { return tg::index(i, 0); }, {.buffers = Out}));
  });
}
TEGULA_INSTANTIATE("sums_together_1", sums_together<1, 2, 3>);
TEGULA_INSTANTIATE("sums_together_2", sums_together<2, 3, 1>);
TEGULA_INSTANTIATE("sums_together_2_2", sums_together<2, 2, 2>);

// The body waits for a block when it needs it, and says when it is done with it.
template <bool Ready, bool Consumed>
TEGULA_KERNEL void manual(tg::array<const float, 2> x, tg::array<const float, 2> y, tg::array<float, 2> o) {
  tg::kernel({.threads = {"wg", 3}}, [=] {
    tg::emit_pipeline_warp_specialized(
        {.grid = {tg::cdiv(x.dim(0), 16)},
         .wg_axis = "wg",
         .num_compute_wgs = 2,
         .max_concurrent_steps = 3,
         .manual_ready_barriers = Ready,
         .manual_consumed_barriers = Consumed},
        [&](auto pipeline) {
          const auto wg = tg::axis_index("wg");
          const auto part = tg::ds<8>(wg * 8);
          auto sum = tg::zeros<float, 8, 32>();
          pipeline([&](auto, auto a, auto b) {
            if constexpr (Ready)
              tg::barrier_wait(b.ready());
            const auto factor = b[part];
            if constexpr (Consumed)
              tg::barrier_arrive(b.consumed());
            if constexpr (Ready)
              while (!tg::barrier_test(a.ready())) {
              }
            sum = sum * 0.5f + a[part] * factor;
            if constexpr (Consumed)
              tg::barrier_arrive(a.consumed());
          });
          o[part, tg::ds<32>(0)] = sum;
        },
        tg::in<16, 32>(x, [](auto i) { return tg::index(i, 0); }, {.buffers = 2}),
        tg::in<16, 32>(y, [](auto i) { return tg::index(i, 0); }));
  });
}
TEGULA_INSTANTIATE("manual_both", manual<true, true>);
TEGULA_INSTANTIATE("manual_ready", manual<true, false>);
TEGULA_INSTANTIATE("manual_consumed", manual<false, true>);
