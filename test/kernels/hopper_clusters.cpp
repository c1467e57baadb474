// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory of other blocks of a cluster: read, written, updated, and stored to asynchronously.
#include <tegula/tegula.h>
namespace tg = tegula;

// Sums of the rows of a matrix that is cut along its columns over the blocks of a cluster: each shows the others what
// it has.
template <int Rows, int Columns, int Blocks>
TEGULA_KERNEL tg::array<float, 1> clustered_row_sum(tg::array<const float, 2> x) {
  tg::check(x.dim(1) == Blocks * Columns && x.dim(0) % Rows == 0, "x has whole blocks");
  auto o = tg::empty<float>(x.dim(0));
  tg::kernel({.grid = {{"rows", tg::cdiv(x.dim(0), Rows)}}, .cluster = {{"part", Blocks}}}, [=] {
    const auto part = tg::axis_index("part");
    const auto rows = tg::ds<Rows>(tg::axis_index("rows") * Rows);
    tg::smem<float, Rows> mine;
    tg::cluster_barrier written{.collective_axes = {"part"}};
    mine[tg::all] = tg::sum<1>(x[rows, tg::ds<Columns>(part * Columns)]);
    tg::barrier_arrive(written);
    tg::barrier_wait(written);
    if (part == 0) {
      auto sum = mine[tg::all] + tg::load(tg::cluster_ref(mine, {"part", 1}));
      for (tg::s64 other = 2; other < Blocks; ++other)
        sum = sum + tg::load(tg::cluster_ref(mine, {"part", other}));
      o[rows] = sum;
    }
    tg::barrier_arrive(written); // Nobody leaves while its memory may be read.
    tg::barrier_wait(written);
  });
  return o;
}
TEGULA_INSTANTIATE("row_sum_2", clustered_row_sum<64, 256, 2>);
TEGULA_INSTANTIATE("row_sum_4", clustered_row_sum<24, 36, 4>);

// Each block reads what the one behind it along each axis has, whose number is known at run time, and windows of it.
template <class T, int Swizzle>
TEGULA_KERNEL void read_others(tg::array<const T, 4> x, tg::array<T, 4> o, tg::array<T, 4> parts, tg::s64 step) {
  tg::kernel({.cluster = {{"a", 2}, {"b", 4}}, .threads = {"wg", 2}}, [=] {
    const auto a = tg::axis_index("a"), b = tg::axis_index("b"), wg = tg::axis_index("wg");
    const auto rows = tg::ds<16>(16 * wg);
    const auto all = tg::ds<128>(0);
    tg::smem<T, 2, 16, 128> mine{.transforms = {tg::swizzle(Swizzle)}};
    tg::cluster_barrier along_a{.collective_axes = {"a"}, .num_arrivals = 2};
    tg::cluster_barrier along_b{.collective_axes = {"b"}, .num_arrivals = 2};
    const auto meet = [&] {
      tg::barrier_arrive(along_a);
      tg::barrier_arrive(along_b);
      tg::barrier_wait(along_a);
      tg::barrier_wait(along_b);
    };
    mine[wg] = x[a, b, rows, all];
    meet();
    const auto other = tg::cluster_ref(mine, {"b", (b + step) % 4});
    o[a, b, rows, all] = other[1 - wg];
    const auto across = tg::cluster_ref(mine.at(wg, tg::ds<8>(8)), {"a", 1 - a});
    parts[a, b, tg::ds<8>(8 * wg), tg::ds<32>(0)] = across[tg::all, tg::ds<32>(64)];
    parts[a, b, tg::ds<8>(8 * wg), tg::ds<1>(32)] = across[tg::all, 3][tg::all, tg::newaxis];
    parts[a, b, 8 * wg, 33] = other[wg, 5, 7];
    meet();
  });
}
TEGULA_INSTANTIATE("read_f32", read_others<float, 128>);
TEGULA_INSTANTIATE("read_f16", read_others<tg::f16, 64>);
TEGULA_INSTANTIATE("read_u8", read_others<tg::u8, 32>);
TEGULA_INSTANTIATE("read_f64", read_others<double, 16>);
TEGULA_INSTANTIATE("read_bool", read_others<bool, 16>);

// Each block writes to the memory of the next one, whole rows and a column.
template <class T> TEGULA_KERNEL void write_others(tg::array<const T, 3> x, tg::array<T, 3> o) {
  tg::kernel({.cluster = {{"c", 4}}}, [=] {
    const auto c = tg::axis_index("c");
    const auto rows = tg::ds<8>(0);
    const auto all = tg::ds<64>(0);
    tg::smem<T, 8, 64> mine;
    tg::cluster_barrier ready{.collective_axes = {"c"}};
    mine[tg::all] = tg::zeros<T, 8, 64>();
    tg::barrier_arrive(ready);
    tg::barrier_wait(ready);
    const auto next = tg::cluster_ref(mine, {"c", (c + 1) % 4});
    next[tg::ds<6>(1)] = x[c, tg::ds<6>(1), all];
    next[tg::ds<1>(7), tg::ds<1>(9)] = x[c, tg::ds<1>(7), tg::ds<1>(9)];
    tg::barrier_arrive(ready);
    tg::barrier_wait(ready);
    o[c, rows, all] = mine[tg::all];
  });
}
TEGULA_INSTANTIATE("write_f32", write_others<float>);
TEGULA_INSTANTIATE("write_bf16", write_others<tg::bf16>);
TEGULA_INSTANTIATE("write_s8", write_others<tg::s8>);

// What a block writes to another one leaves that one by TMA: it makes it visible there.
TEGULA_KERNEL void written_then_copied(tg::array<const float, 3> x, tg::array<float, 3> o) {
  tg::kernel({.cluster = {{"c", 2}}}, [=] {
    const auto c = tg::axis_index("c");
    const auto rows = tg::ds<16>(0);
    const auto all = tg::ds<32>(0);
    tg::smem<float, 16, 32> mine;
    tg::cluster_barrier there{.collective_axes = {"c"}};
    tg::barrier_arrive(there);
    tg::barrier_wait(there);
    tg::store(tg::cluster_ref(mine, {"c", 1 - c}), x[c, rows, all]);
    tg::barrier_arrive(there);
    tg::barrier_wait(there);
    tg::commit_smem();
    tg::copy_smem_to_gmem(mine, o.at(c, rows, all));
    tg::wait_smem_to_gmem<0>();
  });
}

// All blocks update the memory of one of them, known at run time.
template <class T>
TEGULA_KERNEL void update_one(tg::array<const T, 2> x, tg::array<T, 2> o, tg::array<T, 1> old, tg::s64 one) {
  tg::kernel({.cluster = {{"c", 4}}}, [=] {
    const auto c = tg::axis_index("c");
    const auto all = tg::ds<80>(0);
    tg::smem<T, 3, 80> mine;
    tg::smem<T, 1> count;
    tg::cluster_barrier ready{.collective_axes = {"c"}};
    mine[tg::all] = x[tg::ds<1>(4), all];
    count[0] = T(0);
    tg::barrier_arrive(ready);
    tg::barrier_wait(ready);
    const auto there = tg::cluster_ref(mine, {"c", one});
    tg::atomic_add(there.at(0), x[c, all]);
    if constexpr (sizeof(T) < 8)
      tg::atomic_max(there.at(1), x[c, all]);
    else
      tg::atomic_add(there.at(1), x[c, all]);
    tg::atomic_add(there.at(2), x[c, all], tg::iota<tg::s64, 80>() % 4 == c);
    const T before = tg::atomic_add(tg::cluster_ref(count, {"c", one}).at(0), T(1));
    old[static_cast<tg::s64>(static_cast<float>(before))] = T(1);
    tg::barrier_arrive(ready);
    tg::barrier_wait(ready);
    o[tg::ds<3>(3 * c), all] = mine[tg::all];
  });
}
TEGULA_INSTANTIATE("update_u32", update_one<tg::u32>);
TEGULA_INSTANTIATE("update_s64", update_one<tg::s64>);
TEGULA_INSTANTIATE("update_f32", update_one<float>);
TEGULA_INSTANTIATE("update_bf16", update_one<tg::bf16>);

// Round after round each block sends what it has to the next one, which adds to it and sends it on.
template <class T, int Columns>
TEGULA_KERNEL void send_around(tg::array<const T, 2> x, tg::array<T, 2> o, tg::s64 rounds) {
  tg::kernel({.cluster = {{"c", 4}}}, [=] {
    const auto c = tg::axis_index("c");
    const auto all = tg::ds<Columns>(0);
    tg::smem<T, 2, Columns> inbox;
    tg::barrier<2> arrived;
    tg::cluster_barrier read{.collective_axes = {"c"}};
    auto mine = x[c, all];
    for (tg::s64 i = 0; i < rounds; ++i) {
      tg::async_store_smem(mine, inbox.at(i % 2), arrived.at(i % 2), {"c", (c + 1) % 4});
      tg::barrier_wait(arrived.at(i % 2));
      mine = inbox[i % 2] + x[c, all];
      tg::barrier_arrive(read);
      tg::barrier_wait(read);
    }
    o[c, all] = mine;
  });
}
TEGULA_INSTANTIATE("send_f32", send_around<float, 384>);
TEGULA_INSTANTIATE("send_few_f32", send_around<float, 20>);
TEGULA_INSTANTIATE("send_f16", send_around<tg::f16, 256>);
TEGULA_INSTANTIATE("send_s64", send_around<tg::s64, 128>);

// All blocks combine what they have in one of them, which waits for all.
template <class T, tg::reduction_op Op>
TEGULA_KERNEL void combine_in_one(tg::array<const T, 3> x, tg::array<T, 2> o, tg::s64 one) {
  tg::kernel({.cluster = {{"c", 4}}}, [=] {
    const auto c = tg::axis_index("c");
    const auto rows = tg::ds<8>(0);
    const auto all = tg::ds<48>(0);
    tg::smem<T, 8, 48> sums;
    tg::barrier arrived{.num_arrivals = 4};
    tg::cluster_barrier ready{.collective_axes = {"c"}};
    sums[tg::all] = x[4, rows, all];
    tg::barrier_arrive(ready);
    tg::barrier_wait(ready);
    tg::async_store_smem(x[c, rows, all], sums, arrived, {"c", one}, Op);
    if (c == one) {
      tg::barrier_wait(arrived);
      o[rows, all] = sums[tg::all];
    }
  });
}
TEGULA_INSTANTIATE("reduce_add_s32", combine_in_one<tg::s32, tg::reduction_op::add>);
TEGULA_INSTANTIATE("reduce_add_u64", combine_in_one<tg::u64, tg::reduction_op::add>);
TEGULA_INSTANTIATE("reduce_min_s32", combine_in_one<tg::s32, tg::reduction_op::min>);
TEGULA_INSTANTIATE("reduce_max_u32", combine_in_one<tg::u32, tg::reduction_op::max>);
TEGULA_INSTANTIATE("reduce_inc_u32", combine_in_one<tg::u32, tg::reduction_op::inc>);
TEGULA_INSTANTIATE("reduce_and_u32", combine_in_one<tg::u32, tg::reduction_op::bitwise_and>);
TEGULA_INSTANTIATE("reduce_or_s32", combine_in_one<tg::s32, tg::reduction_op::bitwise_or>);
TEGULA_INSTANTIATE("reduce_xor_s32", combine_in_one<tg::s32, tg::reduction_op::bitwise_xor>);

// In a kernel without a cluster there is one block: it sends to itself.
TEGULA_KERNEL void alone(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::kernel({.cluster = {{"c", 1}}}, [=] {
    const auto all = tg::ds<128>(0);
    tg::smem<float, 128> mine;
    tg::barrier arrived;
    tg::async_store_smem(x[all], mine, arrived, {"c", 0});
    tg::barrier_wait(arrived);
    const auto same = tg::cluster_ref(mine, {"c", 0});
    tg::atomic_add(same, x[all]);
    o[all] = same[tg::all] * 2.0f;
    const auto few = tg::iota<tg::s32, 8>();
    tg::smem<tg::s32, 8> counts;
    tg::smem<tg::u64, 8> wide;
    tg::barrier counted{.num_arrivals = 2};
    counts[tg::all] = few;
    wide[tg::all] = tg::astype<tg::u64>(few);
    tg::async_store_smem(few, counts, counted, {"c", 0}, tg::reduction_op::add);
    tg::async_store_smem(tg::astype<tg::u64>(few), wide, counted, {"c", 0}, tg::reduction_op::add);
    tg::barrier_wait(counted);
    o[tg::ds<8>(128)] = tg::astype<float>(counts[tg::all]) + tg::astype<float>(wide[tg::all]);
  });
}

// A block that the cluster does not have.
TEGULA_KERNEL void no_such_block(tg::array<float, 1> o, tg::s64 block) {
  tg::kernel({.cluster = {{"c", 2}}}, [=] {
    tg::smem<float, 32> mine;
    mine[tg::all] = tg::zeros<float, 32>();
    o[tg::ds<32>(0)] = tg::load(tg::cluster_ref(mine, {"c", block}));
  });
}

// What was sent leaves by TMA without commit_smem: wrong on the CPU under most seeds.
TEGULA_KERNEL void copied_too_early(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel({.cluster = {{"c", 2}}}, [=] {
    const auto c = tg::axis_index("c");
    const auto all = tg::ds<32>(0);
    tg::smem<float, 32> mine;
    tg::barrier arrived;
    tg::cluster_barrier end{.collective_axes = {"c"}};
    tg::async_store_smem(x[c, all], mine, arrived, {"c", 1 - c});
    tg::barrier_wait(arrived);
    tg::copy_smem_to_gmem(mine, o.at(c, all));
    tg::wait_smem_to_gmem<0>();
    tg::barrier_arrive(end);
    tg::barrier_wait(end);
  });
}
