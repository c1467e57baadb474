// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The explicit level: shared memory, barriers, copies, products, clusters.
#include "staying.h"

// Through shared memory, over all edges.
TEGULA_KERNEL tg::array<float, 2> doubled(tg::array<const float, 2> x) {
  auto o = tg::empty_like(x);
  tg::kernel({.grid = {{"m", tg::cdiv(x.dim(0), 32)}, {"n", tg::cdiv(x.dim(1), 64)}}}, [=] {
    const auto rows = tg::ds<32>(tg::axis_index("m") * 32);
    const auto columns = tg::ds<64>(tg::axis_index("n") * 64);
    tg::smem<float, 32, 64> buffer;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(rows, columns), buffer, here);
    tg::barrier_wait(here);
    buffer[tg::all] = buffer[tg::all] + buffer[tg::all];
    tg::commit_smem();
    tg::copy_smem_to_gmem(buffer, o.at(rows, columns));
    tg::wait_smem_to_gmem<0>();
  });
  return o;
}

// One thread copies ahead and computes.
TEGULA_KERNEL tg::array<float, 2> product(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b) {
  tg::check(a.dim(1) == b.dim(0), "a and b do not fit");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::kernel({.grid = {{"m", tg::cdiv(a.dim(0), 64)}, {"n", tg::cdiv(b.dim(1), 64)}}}, [=] {
    const auto m = tg::axis_index("m"), n = tg::axis_index("n");
    tg::acc<float, 64, 64> acc;
    tg::emit_pipeline(
        {.grid = {tg::cdiv(a.dim(1), 64)}, .max_concurrent_steps = 3, .delay_release = 1},
        [&](auto, auto x, auto y) {
          tg::wgmma(acc, x, y);
          tg::wgmma_wait<1>();
        },
        tg::in<64, 64>(a, [=](auto k) { return tg::index(m, k); }),
        tg::in<64, 64>(b, [=](auto k) { return tg::index(k, n); }));
    tg::smem<float, 64, 64> out;
    out[tg::all] = acc[tg::all];
    tg::commit_smem();
    tg::copy_smem_to_gmem(out, o.at(tg::ds<64>(m * 64), tg::ds<64>(n * 64)));
    tg::wait_smem_to_gmem<0>();
  });
  return o;
}

// In clusters of 2 x 2 blocks; b is transposed.
TEGULA_INSTANTIATE(
    "shared_product",
    staying_product<Staying{.tile_k = 64, .depth = 2, .cluster_m = 2, .cluster_n = 2, .b_is_transposed = true}>);

// An accumulator begins with what is there, is read in between, and goes on.
TEGULA_KERNEL void several_products(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b,
                                    tg::array<float, 3> o) {
  tg::kernel([=] {
    const auto all = tg::ds<64>(0);
    tg::smem<tg::bf16, 64, 64> x, y;
    tg::barrier here{.num_arrivals = 2};
    tg::copy_gmem_to_smem(a.at(all, all), x, here);
    tg::copy_gmem_to_smem(b.at(all, all), y, here);
    tg::barrier_wait(here);
    tg::acc<float, 64, 64> sum(o[0, all, all]);
    tg::wgmma(sum, x, y);
    o[1, all, all] = sum[tg::all];
    const auto before = sum[tg::all];
    tg::wgmma(sum, x, y);
    o[2, all, all] = sum[tg::all];
    o[3, all, all] = before;
    if (o[0, 0, 0] > 0.0f)
      sum[tg::all] = sum[tg::all] * 2.0f;
    tg::wgmma(sum, x, y);
    o[4, all, tg::ds<32>(32)] = sum[tg::all, tg::ds<32>(32)];
  });
}

// Every block of a cluster adds up what all of them wrote.
TEGULA_KERNEL tg::array<tg::s32, 2> meeting(tg::s64 clusters) {
  auto o = tg::empty<tg::s32>(clusters * 4, 2);
  tg::kernel({.grid = {{"g", clusters}}, .cluster = {{"c", 4}}, .threads = {"wg", 2}}, [=] {
    const auto block = tg::axis_index("g") * 4 + tg::axis_index("c"), wg = tg::axis_index("wg");
    tg::cluster_barrier<> all{.collective_axes = {"c"}, .num_arrivals = 2};
    tg::smem<tg::s32, 2> numbers;
    tg::barrier pair{.num_arrivals = 2};
    for (int round = 0; round < 3; ++round) {
      numbers[wg] = tg::astype<tg::s32>(wg * 10 + block + round);
      tg::barrier_arrive(pair);
      tg::barrier_wait(pair);
      const tg::s32 other = numbers[1 - wg];
      tg::barrier_arrive(all);
      tg::barrier_wait(all);
      o[block, wg] = other;
    }
  });
  return o;
}

// Beyond the end of the array, by the thread itself.
TEGULA_KERNEL void beyond(tg::array<float, 1> o) {
  tg::kernel([=] { o[tg::ds<128>(64)] = tg::full<float, 128>(1.0f); });
}
// Nothing arrives.
TEGULA_KERNEL void forever(tg::array<float, 1> o) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::barrier never;
    if (tg::axis_index("wg") == 1)
      tg::barrier_wait(never);
    o[0] = 1.0f;
  });
}
// What a mask leaves out need not exist: rows behind the array, columns before it.
TEGULA_KERNEL void masked_ends(tg::array<float, 2> o, tg::s64 from, tg::s64 to) {
  tg::kernel({.grid = {{"m", tg::cdiv(o.dim(0), 64)}}}, [=] {
    const auto first = tg::axis_index("m") * 64;
    const auto row = tg::iota<tg::s64, 64>() + first;
    const auto column = tg::iota<tg::s64, 32>() - 3;
    const auto number = row[tg::all, tg::newaxis] * 100 + column[tg::newaxis, tg::all];
    const auto wanted = (row >= from) & (row < to);
    tg::store(o.at(tg::ds<64>(first), tg::ds<32>(-3)), tg::astype<float>(number),
              wanted[tg::all, tg::newaxis] & (column >= 0)[tg::newaxis, tg::all]);
  });
}
