// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes whose times threads note, compiled for 8 of each thread.
#include <tegula/tegula.h>
namespace tg = tegula;

// Nested scopes in loops, which a jump may leave; a producer, which does nothing else than to copy, has its own.
TEGULA_KERNEL void timed(tg::array<const float, 2> x, tg::array<float, 1> o, tg::s64 blocks, tg::s64 steps) {
  tg::check(x.dim(1) == 128 && o.dim(0) == 128 * blocks, "rows have 128 elements");
  tg::kernel({.grid = {{"b", blocks}}, .threads = {"wg", 2}}, [=] {
    tg::smem<float, 2, 128> stages;
    tg::barrier<2> full, empty;
    const auto b = tg::axis_index("b");
    if (tg::axis_index("wg") == 1) {
      for (tg::s64 i = 0; i < steps; ++i) {
        tg::profile_scope copy("copy");
        if (i >= 2)
          tg::barrier_wait(empty.at(i % 2));
        tg::copy_gmem_to_smem(x.at((b + i) % x.dim(0), tg::ds<128>(0)), stages.at(i % 2), full.at(i % 2));
      }
      return;
    }
    tg::profile_scope all("all \"steps\"");
    if (steps == 0)
      return;
    auto sum = tg::zeros<float, 128>();
    for (tg::s64 i = 0; i < steps; ++i) {
      auto step = tg::profile_scope("step");
      {
        tg::profile_scope waiting("wait");
        tg::barrier_wait(full.at(i % 2));
      }
      sum = sum + stages[i % 2];
      tg::barrier_arrive(empty.at(i % 2));
      if (i % 2 == 0)
        continue;
      tg::profile_scope odd("odd");
      sum = sum * 0.5f;
    }
    o[tg::ds<128>(128 * b)] = sum;
  });
}

// Scopes of warps beside those of their threads, in a body that each comes to several times, and one warp leaves early.
TEGULA_KERNEL void timed_warps(tg::array<float, 2> o, tg::s64 steps) {
  tg::check(o.dim(1) == 8, "a block has eight warps");
  tg::kernel({.grid = {{"b", o.dim(0)}}, .threads = {"wg", 2}}, [=] {
    const auto b = tg::axis_index("b");
    const auto wg = tg::axis_index("wg");
    tg::profile_scope all("all");
    for (tg::s64 i = 0; i < steps; ++i)
      tg::warp_map([&](auto warp) {
        tg::profile_scope turn("turn");
        o[b, 4 * wg + warp] = static_cast<float>(i);
        if (warp == 3)
          return;
        tg::profile_scope step("step");
        o[b, 4 * wg + warp] = static_cast<float>(i + warp);
      });
  });
}
