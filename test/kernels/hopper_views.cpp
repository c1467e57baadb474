// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of memory: unions of shared memory, other extents and elements, promised multiples.
#include <tegula/tegula.h>
namespace tg = tegula;

// ---- Unions ---------------------------------------------------------------------------------------------------------

struct SplitConfig {
  int tile_m = 64, tile_n = 128, tile_k = 64, stages = 4;
};

// Split-K over the blocks of a cluster: the partial sums of the others travel from block to block, to where the first
// one's operands were.
template <SplitConfig C, int Blocks, class T>
TEGULA_KERNEL tg::array<float, 2> split_k_matmul(tg::array<const T, 2> a, tg::array<const T, 2> b) {
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  const auto k_tiles = tg::cdiv(tg::cdiv(a.dim(1), C.tile_k), Blocks);

  tg::kernel({.grid = {{"m", tg::cdiv(a.dim(0), C.tile_m)}, {"n", tg::cdiv(b.dim(1), C.tile_n)}},
              .cluster = {{"part", Blocks}}},
             [=] {
               const auto m = tg::axis_index("m"), n = tg::axis_index("n"), part = tg::axis_index("part");
               const auto rows = tg::ds<C.tile_m>(m * C.tile_m);
               const auto columns = tg::ds<C.tile_n>(n * C.tile_n);
               union { // The operands are done with when the partial sums arrive.
                 struct {
                   tg::smem<T, C.stages, C.tile_m, C.tile_k> a;
                   tg::smem<T, C.stages, C.tile_k, C.tile_n> b;
                 } operands;
                 tg::smem<float, C.tile_m, C.tile_n> partial;
               } shared;
               tg::barrier<C.stages> loaded{.num_arrivals = 2};
               tg::barrier partial_arrived;
               tg::cluster_barrier buffers_free{.collective_axes = {"part"}};

               const auto load = [&](tg::s64 i) {
                 const auto k = tg::ds<C.tile_k>((part * k_tiles + i) * C.tile_k);
                 tg::copy_gmem_to_smem(a.at(rows, k), shared.operands.a.at(i % C.stages), loaded.at(i % C.stages));
                 tg::copy_gmem_to_smem(b.at(k, columns), shared.operands.b.at(i % C.stages), loaded.at(i % C.stages));
               };
               tg::acc<float, C.tile_m, C.tile_n> acc;
               for (tg::s64 i = 0; i < C.stages && i < k_tiles; ++i)
                 load(i);
               for (tg::s64 i = 0; i < k_tiles; ++i) {
                 tg::barrier_wait(loaded.at(i % C.stages));
                 tg::wgmma(acc, shared.operands.a.at(i % C.stages), shared.operands.b.at(i % C.stages));
                 tg::wgmma_wait<0>();
                 if (i + C.stages < k_tiles)
                   load(i + C.stages);
               }

               tg::barrier_arrive(buffers_free); // All blocks are through with their operands.
               tg::barrier_wait(buffers_free);
               // The others take turns.
               for (tg::s64 other = 1; other < Blocks; ++other) {
                 if (part == other) {
                   tg::async_store_smem(acc[tg::all], shared.partial, partial_arrived, {"part", 0});
                 } else if (part == 0) {
                   tg::barrier_wait(partial_arrived);
                   acc[tg::all] = acc[tg::all] + shared.partial[tg::all];
                 }
                 tg::barrier_arrive(buffers_free);
                 tg::barrier_wait(buffers_free);
               }
               if (part == 0) {
                 shared.partial[tg::all] = acc[tg::all];
                 tg::commit_smem();
                 tg::copy_smem_to_gmem(shared.partial, o.at(rows, columns));
                 tg::wait_smem_to_gmem<0>();
               }
             });
  return o;
}
TEGULA_INSTANTIATE("split_k_2_bf16", split_k_matmul<SplitConfig{}, 2, tg::bf16>);
TEGULA_INSTANTIATE("split_k_4_f16", split_k_matmul<SplitConfig{.tile_n = 64, .stages = 2}, 4, tg::f16>);

// Groups within groups, in a loop; each is written after the one before has been read. Lanes exchange elements from one
// to the next.
struct Rows {
  tg::smem<float, 48, 32> first, second;
};
union Places {
  Rows rows;
  union {
    tg::smem<float, 32, 96> turned;
    tg::smem<tg::s32, 128> numbers[3];
  } others;
};
TEGULA_KERNEL void in_turns(tg::array<const float, 3> x, tg::array<float, 3> o, int rounds) {
  tg::kernel([=] {
    const auto all = tg::ds<32>(0);
    for (int i = 0; i < rounds; ++i) {
      Places places;
      places.rows.first[tg::all] = x[i, tg::ds<48>(0), all];
      places.rows.second[tg::all] = x[i, tg::ds<48>(48), all] * 2.0f;
      const auto turned = tg::transpose(places.rows.second[tg::all] - places.rows.first[tg::all]);
      places.others.turned[tg::all, tg::ds<48>(48)] = turned;
      places.others.turned[tg::all, tg::ds<48>(0)] = -turned;
      const auto seen = places.others.turned[tg::ds<32>(0), tg::ds<32>(40)];
      places.others.numbers[1][tg::all] = tg::iota<tg::s32, 128>() * i;
      places.others.numbers[2][tg::all] = tg::iota<tg::s32, 128>() + i;
      o[i, tg::ds<32>(0), all] = seen;
      o[i, 32, all] = tg::astype<float>(places.others.numbers[1][tg::ds<32>(96)]);
      o[i, 33, all] = tg::astype<float>(places.others.numbers[2][tg::ds<32>(3)]);
    }
  });
}

// ---- Other extents --------------------------------------------------------------------------------------------------

// Copies, accesses and products of shared memory through views of it.
TEGULA_KERNEL void reshaped(tg::array<const tg::f16, 2> x, tg::array<float, 2> o, tg::array<tg::f16, 3> rows,
                            tg::s64 i) {
  tg::kernel([=] {
    tg::smem<tg::f16, 2, 32, 64> ring;
    tg::smem<tg::f16, 64, 64> b;
    tg::barrier here{.num_arrivals = 2};
    const auto all = tg::ds<64>(0);
    const auto matrix = tg::reshape_ref<64, 64>(ring);
    tg::copy_gmem_to_smem(x.at(all, all), matrix, here);
    tg::copy_gmem_to_smem(x.at(tg::ds<64>(64), all), b, here);
    tg::barrier_wait(here);
    const auto parts = tg::reshape_ref<4, 16, 2, 32>(matrix); // Halves of rows, in four groups.
    rows[0, tg::ds<16>(0), tg::ds<32>(0)] = parts[i, tg::all, 1];
    rows[1, tg::ds<16>(0), tg::ds<32>(0)] = ring.at(1)[tg::ds<16>(16), tg::ds<32>(16)];
    const auto flat = tg::reshape_ref<4096>(ring);
    rows[2, 0, tg::ds<32>(0)] = flat[tg::ds<32>(i * 1024 + 17)];
    tg::acc<float, 64, 64> acc;
    tg::wgmma(acc, matrix, b);
    tg::wgmma_wait<0>();
    o[all, all] = acc[tg::all];
  });
}

// Of memory that is not swizzled, any; extents that are no powers of two.
template <class T> TEGULA_KERNEL void reshaped_plain(tg::array<const T, 2> x, tg::array<T, 4> o, tg::array<T, 2> back) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::smem<T, 24, 30> s{.transforms = {tg::swizzle(16)}};
    tg::barrier written{.num_arrivals = 2};
    const auto wg = tg::axis_index("wg");
    if (wg == 0)
      s[tg::all] = x[tg::ds<24>(0), tg::ds<30>(0)];
    tg::barrier_arrive(written);
    tg::barrier_wait(written);
    const auto view = tg::reshape_ref<3, 16, 5, 3>(s);
    if (wg == 1)
      o[tg::ds<3>(0), tg::ds<16>(0), tg::ds<5>(0), tg::ds<3>(0)] = view[tg::all];
    else
      back[tg::ds<15>(0), tg::ds<48>(0)] = tg::transpose_ref(tg::reshape_ref<48, 15>(view))[tg::all] + T(1);
  });
}
TEGULA_INSTANTIATE("reshaped_f32", reshaped_plain<float>);
TEGULA_INSTANTIATE("reshaped_u8", reshaped_plain<tg::u8>);

// Folded rows of a swizzled place that extents which are no powers of two cut.
TEGULA_KERNEL void folded(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<float, 24, 32> s{.transforms = {tg::swizzle(128)}};
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(tg::ds<24>(0), tg::ds<32>(0)), s, here);
    tg::barrier_wait(here);
    const auto wide = tg::reshape_ref<32, 24>(s);
    wide[tg::ds<16>(8)] = wide[tg::ds<16>(8)] * 2.0f;
    const auto three = tg::reshape_ref<8, 3, 32>(s);
    three[tg::all, 1] = -three[tg::all, 1];
    tg::commit_smem();
    tg::copy_smem_to_gmem(s, o.at(tg::ds<24>(0), tg::ds<32>(0)));
    tg::wait_smem_to_gmem<0>();
  });
}

// A panel of two, split; windows of arrays, split.
TEGULA_KERNEL void split_panels(tg::array<const float, 2> x, tg::array<float, 3> o, tg::array<float, 2> p) {
  tg::kernel([=] {
    tg::smem<float, 16, 64> s;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(tg::ds<16>(0), tg::ds<64>(0)), s, here);
    tg::barrier_wait(here);
    const auto panels = tg::reshape_ref<16, 2, 32>(s);
    const auto places = tg::reshape_ref<16, 4, 16>(o.at(tg::ds<1>(0), tg::ds<16>(0), tg::ds<64>(0)));
    places[tg::all, tg::ds<2>(0)] = tg::reshape_ref<16, 2, 2, 16>(s)[tg::all, 1];
    places[tg::all, tg::ds<2>(2)] = tg::zeros<float, 16, 2, 16>();
    p[tg::ds<16>(0), tg::ds<32>(0)] = panels[tg::all, 1];
    tg::atomic_add(tg::reshape_ref<2, 8, 32>(p.at(tg::ds<16>(0), tg::ds<32>(0))).at(1), panels[tg::ds<8>(0), 0]);
  });
}

// ---- Other elements -------------------------------------------------------------------------------------------------

// Words of halves, halves of words, bits of floats; of shared memory, swizzled or not, and of arrays.
template <int Swizzle>
TEGULA_KERNEL void bits(tg::array<const tg::f16, 2> x, tg::array<tg::u32, 2> words, tg::array<tg::u8, 2> bytes,
                        tg::array<tg::f16, 2> o, tg::s64 start) {
  tg::kernel([=] {
    tg::smem<tg::f16, 16, 64> s{.transforms = {tg::swizzle(Swizzle)}};
    const auto rows = tg::ds<16>(0);
    s[tg::all] = x[rows, tg::ds<64>(0)];
    const auto seen = tg::bitcast_ref<tg::u32>(s);
    words[rows, tg::ds<32>(0)] = seen[tg::all];
    bytes[rows, tg::ds<24>(0)] = tg::bitcast_ref<tg::u8>(seen)[tg::all, tg::ds<24>(100)];
    seen[tg::ds<8>(4), tg::ds<16>(tg::multiple_of<16>(start))] = tg::full<tg::u32, 8, 16>(0x3c003c00u); // Ones.
    o[rows, tg::ds<64>(0)] = s[tg::all];
    const auto there = tg::bitcast_ref<tg::u64>(o.at(tg::ds<4>(0), tg::ds<8>(tg::multiple_of<4>(start))));
    there[tg::all] = there[tg::all] ^ tg::full<tg::u64, 4, 2>(0x8000800080008000u); // The other sign.
    tg::atomic_xor(tg::bitcast_ref<tg::u32>(o.at(15, tg::ds<64>(0))), 0x80008000u);
  });
}
TEGULA_INSTANTIATE("bits_16", bits<16>);
TEGULA_INSTANTIATE("bits_128", bits<128>);

// ---- Promises -------------------------------------------------------------------------------------------------------

// A window of a panel that begins where nobody knows, but at multiples of 16 elements.
TEGULA_KERNEL void promised(tg::array<const tg::f16, 2> x, tg::array<tg::f16, 2> o, tg::s64 start) {
  tg::kernel([=] {
    tg::smem<tg::f16, 64, 64> s;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(tg::ds<64>(0), tg::ds<64>(0)), s, here);
    tg::barrier_wait(here);
    const auto row = tg::multiple_of<8>(start), column = tg::multiple_of<16>(start);
    o[tg::ds<8>(0), tg::ds<16>(0)] = s[tg::ds<8>(row), tg::ds<16>(column)];
  });
}

// At the portable level, too.
TEGULA_KERNEL void promised_rows(tg::array<const float, 1> x, tg::array<float, 1> o, tg::s64 start) {
  tg::pallas_call(
      {.grid = {1}},
      [=](auto x, auto o) { o[tg::all] = tg::load(x.at(tg::ds<64>(tg::multiple_of<4>(start))), true, 0) * 2.0f; },
      tg::in(x), tg::out<64>(o, [](auto i) { return tg::index(i); }));
}

// ---- Leaders --------------------------------------------------------------------------------------------------------

// The first block along an axis waits for the others along it, round after round, and adds up what they have.
TEGULA_KERNEL void led(tg::array<const float, 3> x, tg::array<float, 2> o, int rounds) {
  tg::kernel({.cluster = {{"a", 2}, {"b", 4}}, .threads = {"wg", 2}}, [=] {
    const auto a = tg::axis_index("a"), b = tg::axis_index("b"), wg = tg::axis_index("wg");
    const auto all = tg::ds<64>(0);
    tg::smem<float, 2, 64> mine;
    tg::cluster_barrier<2> written{.collective_axes = {"b"}, .num_arrivals = 2, .leader_tracked = true};
    tg::cluster_barrier read{.collective_axes = {"b"}, .num_arrivals = 2};
    auto sum = tg::zeros<float, 64>();
    for (int i = 0; i < rounds; ++i) {
      mine[wg] = x[a, 2 * b + wg, all] * tg::astype<float>(i + 1);
      tg::barrier_arrive(written.at(i % 2));
      if (b == 0) {
        tg::barrier_wait(written.at(i % 2));
        for (tg::s64 other = 0; other < 4; ++other)
          sum = sum + tg::cluster_ref(mine, {"b", other})[wg];
      }
      tg::barrier_arrive(read);
      tg::barrier_wait(read);
    }
    if (b == 0)
      o[2 * a + wg, all] = sum;
  });
}

// A block that is not the first one waits: an error on the CPU.
TEGULA_KERNEL void follower_waits(tg::array<float, 1> o) {
  tg::kernel({.cluster = {{"c", 2}}}, [=] {
    tg::cluster_barrier done{.collective_axes = {"c"}, .leader_tracked = true};
    tg::barrier_arrive(done);
    tg::barrier_wait(done);
    o[0] = 1.0f;
  });
}
