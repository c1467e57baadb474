// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only a GPU can say of launches: that the driver takes the tensor maps, and that TMA moves what they describe.

#include "tegula/abi.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

namespace tegula::test {
namespace {

// `copy` moves the box of its block, one of a column of boxes, to shared memory and on, and says where it stands.
constexpr unsigned char ptx[] = R"(
.version 8.0
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 memory[];
.visible .entry nothing(.param .align 64 .b8 map[128]) { ret; }
.visible .entry copy(.param .align 64 .b8 from[128], .param .u64 facts, .param .u64 facts_dim, .param .u64 facts_stride,
                     .param .u64 rows, .param .align 64 .b8 to[128], .param .u64 bytes)
{
  .reg .pred %done;
  .reg .b32 %i, %n, %barrier, %x, %y, %source, %rank;
  .reg .b64 %d, %from, %to, %facts;
  mov.u32 %i, %tid.x;
  setp.ne.u32 %done, %i, 0;
  @%done ret;
  mov.u32 %source, memory;
  ld.param.u32 %n, [bytes];
  add.u32 %barrier, %source, %n;
  mbarrier.init.shared::cta.b64 [%barrier], 1;
  fence.mbarrier_init.release.cluster;
  fence.proxy.async.shared::cta;
  mbarrier.arrive.expect_tx.shared::cta.b64 %d, [%barrier], %n;
  mov.u32 %i, %ctaid.x;
  mov.u32 %n, %nctaid.y;
  mov.u32 %rank, %ctaid.y;
  mad.lo.u32 %i, %i, %n, %rank;
  ld.param.u32 %y, [rows];
  mul.lo.u32 %y, %y, %i;
  mov.u32 %x, 0;
  mov.b64 %from, from;
  cvta.param.u64 %from, %from;
  mov.b64 %to, to;
  cvta.param.u64 %to, %to;
  cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%source], [%from, {%x, %y}], [%barrier];
wait:
  mbarrier.try_wait.parity.shared::cta.b64 %done, [%barrier], 0;
  @!%done bra wait;
  cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%to, {%x, %y}], [%source];
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
  ld.param.u64 %facts, [facts];
  mad.wide.u32 %facts, %i, 16, %facts;
  mov.u32 %i, %cluster_nctaid.y;
  st.global.u32 [%facts], %i;
  mov.u32 %i, %cluster_ctarank;
  st.global.u32 [%facts + 4], %i;
  mov.u32 %i, %dynamic_smem_size;
  st.global.u32 [%facts + 8], %i;
  mov.u32 %i, %nctaid.x;
  mul.lo.u32 %i, %i, %n;
  st.global.u32 [%facts + 12], %i;
  ret;
}
)";
constexpr abi::image code[] = {{90, 'a', abi::image_kind::ptx, ptx, sizeof ptx - 1}};

abi::image_set images(code);
abi::kernel copy_kernel(images, "copy", 200704, 2), small_copy_kernel(images, "copy", 20480),
    nothing_kernel(images, "nothing");

class Gpu : public testing::Test {
protected:
  void SetUp() override {
    if (device_count() == 0)
      GTEST_SKIP() << "no GPU";
    try {
      const abi::call call("probe", on, gpu);
      const array<const float, 1> none(nullptr, {0}, gpu);
      call.launch(nothing_kernel, {1, 32}, abi::read_map("none", none, 16, {4}));
    } catch (const error &thrown) {
      if (std::strstr(thrown.what(), "no code for") == nullptr)
        throw;
      GTEST_SKIP() << thrown.what();
    }
  }

  /// Copies boxes of 8 rows, 128 bytes wide, in 4 blocks.
  template <class From, class To>
  void copy(const From &from, int from_swizzle, const To &to, int to_swizzle, abi::kernel &kernel = small_copy_kernel) {
    constexpr int wide = 128 / sizeof(typename From::element);
    auto facts = buffer<std::uint32_t, 1>::empty({16}, gpu);
    const abi::call call("copy", on, gpu);
    call.launch(kernel, {4, 64}, abi::read_map("from", from, from_swizzle, {8, wide}), facts, std::int64_t{8},
                abi::write_map("to", to, to_swizzle, {8, wide}), std::int64_t{1024});
    auto host = facts.to_host();
    said.assign(host.data(), host.data() + 16);
  }

  const device gpu = device::gpu(0);
  const stream on;
  std::vector<std::uint32_t> said;
};

/// Different numbers, none of them 0 or -1.
template <class T, int Rank> buffer<T, Rank> numbers(const shape<Rank> &dims) {
  auto made = buffer<T, Rank>::empty(dims);
  std::iota(made.data(), made.data() + made.size(), T{1});
  return made;
}
template <class T, int Rank> buffer<T, Rank> filled(const shape<Rank> &dims, T value) {
  auto made = buffer<T, Rank>::empty(dims);
  std::fill(made.data(), made.data() + made.size(), value);
  return made;
}

TEST_F(Gpu, TmaMovesWhatIsInsideBothArrays) {
  for (const int swizzle : {16, 128}) {
    auto from = numbers<float, 2>({40, 36}).to(gpu), to = filled<float, 2>({40, 40}, -1).to(gpu);
    // 21 x 26 elements that begin at (3, 4), to 27 x 28 that begin at (2, 8).
    const auto from_part = from.view().slice(0, 3, 21).slice(1, 4, 26),
               to_part = to.view().slice(0, 2, 27).slice(1, 8, 28);
    copy(from_part, swizzle, to_part, swizzle);
    auto result = to.to_host(), source = from.to_host();
    for (int r = 0; r < 40; ++r)
      for (int c = 0; c < 40; ++c) {
        const int y = r - 2, x = c - 8;
        const bool written = y >= 0 && y < 27 && x >= 0 && x < 28, read = written && y < 21 && x < 26;
        ASSERT_EQ(result(r, c), read ? source(y + 3, x + 4) : written ? 0.0F : -1.0F) << r << ", " << c;
      }
  }
}

// Row r of a panel of S bytes has its 16-byte units in the order u ^ r for S = 128.
TEST_F(Gpu, TheSwizzleIsTheOneAskedFor) {
  auto from = numbers<std::int32_t, 2>({32, 32}).to(gpu), to = filled<std::int32_t, 2>({32, 32}, -1).to(gpu);
  copy(from.view(), 128, to.view(), 16);
  auto result = to.to_host(), source = from.to_host();
  for (int r = 0; r < 32; ++r)
    for (int c = 0; c < 32; ++c)
      ASSERT_EQ(result(r, c), source(r, (c / 4 ^ r % 8) * 4 + c % 4)) << r << ", " << c;
}

TEST_F(Gpu, ClustersAndSharedMemoryAreAsTheKernelSays) {
  auto from = numbers<float, 2>({32, 32}).to(gpu), to = filled<float, 2>({32, 32}, -1).to(gpu);
  copy(from.view(), 128, to.view(), 128, copy_kernel);
  EXPECT_EQ(said, (std::vector<std::uint32_t>{2, 0, 200704, 4, 2, 1, 200704, 4, 2, 0, 200704, 4, 2, 1, 200704, 4}));
  copy(from.view(), 128, to.view(), 128);
  EXPECT_EQ(said, (std::vector<std::uint32_t>{1, 0, 20480, 4, 1, 0, 20480, 4, 1, 0, 20480, 4, 1, 0, 20480, 4}));
}

TEST_F(Gpu, ArraysWithoutElementsAreZerosAndNotWritten) {
  const array<const float, 2> nothing(nullptr, {32, 0}, gpu);
  const array<float, 2> nowhere(nullptr, {0, 32}, gpu);
  auto from = numbers<float, 2>({32, 32}).to(gpu), to = filled<float, 2>({32, 32}, -1).to(gpu);
  copy(from.view(), 16, nowhere, 16);
  copy(nothing, 16, to.view(), 16);
  auto result = to.to_host();
  EXPECT_EQ(std::count(result.data(), result.data() + 1024, 0.0F), 1024);
}

TEST_F(Gpu, OneRowForAll) {
  auto row = numbers<float, 1>({32}).to(gpu);
  auto to = filled<float, 2>({32, 32}, -1).to(gpu);
  const array<const float, 2> rows(row.data(), {32, 32}, {0, 1}, gpu);
  copy(rows, 128, to.view(), 128);
  auto result = to.to_host();
  for (int r = 0; r < 32; ++r)
    for (int c = 0; c < 32; ++c)
      ASSERT_EQ(result(r, c), static_cast<float>(c + 1)) << r << ", " << c;
}

// Whatever passes the runtime's own checks, the driver takes.
TEST_F(Gpu, TheDriverTakesEveryMapThatIsNotRefused) {
  auto memory = buffer<bf16, 1>::empty({1 << 20}, gpu);
  const abi::call call("entry", on, gpu);
  const auto takes = [&](const abi::tensor_map &map) { call.launch(nothing_kernel, {1, 32}, map); };
  constexpr std::int64_t far = (std::int64_t{1} << 39) - 8;
  const array<bf16, 3> batch(memory.data(), {64, 100, 128}, gpu);
  takes(abi::read_map("a", batch, 128, {1, 256, 64}));
  takes(abi::read_map("a", batch.permuted(1, 0, 2), 64, {256, 1, 32}));
  takes(abi::permuted(abi::read_map("a", batch, 64, {256, 1, 32}), {1, 0, 2}));
  takes(abi::permuted(abi::read_map("a", batch.permuted(2, 0, 1), 16, {3, 256, 8}), {1, 2, 0}));
  takes(abi::read_map("a", array<bf16, 5>(memory.data(), {3, 1, 1, 5, 1}, {8, -3, far, 16, 77}, gpu), 16,
                      {1, 2, 3, 4, 8}));
  takes(abi::read_map("a", array<bf16, 2>(memory.data(), {std::int64_t{1} << 31, 8}, gpu), 16, {256, 8}));
  takes(abi::read_map("a", array<bf16, 2>(memory.data(), {2, 8}, {far, 1}, gpu), 16, {256, 256}));
  takes(abi::read_map("a", array<bf16, 1>(memory.data() + 8, {1}, gpu), 32, {16}));
  takes(abi::read_map("a", array<const bf16, 3>(memory.data(), {4, 7, 8}, {0, 0, 1}, gpu), 16, {4, 8, 8}));
  const auto element = [&](auto value) {
    using type = decltype(value);
    const array<type, 2> a(reinterpret_cast<type *>(memory.data()), {16, 128}, gpu);
    takes(abi::read_map("a", a, 128, {8, 128 / sizeof(type)}));
    takes(abi::read_map("a", a, 32, {8, 32 / sizeof(type)}));
  };
  element(false), element(std::int8_t{}), element(std::uint8_t{}), element(std::int16_t{}), element(std::uint16_t{});
  element(std::int32_t{}), element(std::uint32_t{}), element(std::int64_t{}), element(std::uint64_t{});
  element(f16{}), element(bf16{}), element(1.0F), element(1.0);
  synchronize(gpu);
}

TEST_F(Gpu, Multiprocessors) { EXPECT_GE(multiprocessors(gpu), 100); }

} // namespace
} // namespace tegula::test
