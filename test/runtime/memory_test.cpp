// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fake_driver.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tegula::test {
namespace {

class Memory : public testing::Test {
protected:
  fake_driver fake{{{90, "Hopper"}, {80, "Ampere"}}};
};

template <int Rank> std::vector<std::int32_t> elements(const array<const std::int32_t, Rank> &a) {
  const auto dense = to(a, device::cpu());
  return {dense.data(), dense.data() + dense.size()};
}

TEST_F(Memory, BuffersComeAndGo) {
  {
    auto b = buffer<double, 2>::empty({3, 5}, device::gpu(1));
    ASSERT_EQ(fake.allocations.size(), 1U);
    EXPECT_EQ(fake.allocations.begin()->second, 120U);
    EXPECT_EQ(fake.allocations.begin()->first, reinterpret_cast<std::uintptr_t>(b.data()));
    EXPECT_EQ(b.device(), device::gpu(1));
    EXPECT_EQ(b.view().device(), device::gpu(1));
    buffer<double, 2> moved = std::move(b);
    EXPECT_EQ(b.data(), nullptr);
    EXPECT_EQ(b.size(), 0);
    b = std::move(moved);
    EXPECT_EQ(fake.allocations.size(), 1U);
    EXPECT_EQ(b.dims(), (shape<2>{3, 5}));
  }
  EXPECT_TRUE(fake.allocations.empty());
  EXPECT_EQ(fake.frees.size(), 1U);
}

TEST_F(Memory, AreFreedOnTheirStreamWhichOutlivesItsHandle) {
  CUstream_st *handle = nullptr;
  {
    buffer<float, 1> kept;
    {
      const stream mine = stream::create(device::gpu(0));
      handle = mine.handle();
      kept = buffer<float, 1>::empty({8}, device::gpu(0), mine);
    }
    EXPECT_EQ(fake.streams.count(handle), 1U);
  }
  ASSERT_EQ(fake.frees.size(), 1U);
  EXPECT_EQ(fake.frees[0].second, handle);
  EXPECT_TRUE(fake.streams.empty());
}

TEST_F(Memory, AssigningOverABufferFreesTheOld) {
  auto a = buffer<float, 1>::empty({8}, device::gpu(0));
  a = buffer<float, 1>::empty({9}, device::gpu(0));
  EXPECT_EQ(fake.allocations.size(), 1U);
  EXPECT_EQ(fake.allocations.begin()->second, 36U);
}

TEST_F(Memory, ZeroSizesTouchNoDevice) {
  const auto none = buffer<float, 3>::empty({4, 0, 3}, device::gpu(7)); // there is no such GPU
  EXPECT_EQ(none.data(), nullptr);
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(none.device(), device::gpu(7));
  EXPECT_EQ(none.to_host().dims(), (shape<3>{4, 0, 3}));
  EXPECT_EQ(fake.retained_contexts, 0);
}

TEST_F(Memory, TooLittle) {
  fake.memory_left = 3 << 20;
  EXPECT_EQ(
      message_of([&] { (void)(buffer<float, 1>::empty({std::int64_t{1} << 30}, device::gpu(0))); }),
      "buffer::empty: not enough memory on gpu:0 (Hopper): 4294967296 bytes (4.0 GiB) requested, 3145728 bytes (3.0 "
      "MiB) free");
  const stream on;
  const abi::call call("entry", on, device::gpu(1));
  EXPECT_EQ(message_of([&] { (void)call.empty<std::int8_t, 2>("o", {4096, 1024}); }),
            "entry: 'o': not enough memory on gpu:1 (Ampere): 4194304 bytes (4.0 MiB) requested, 3145728 bytes (3.0 "
            "MiB) free");
  const std::string on_cpu = message_of([&] { (void)(buffer<std::int8_t, 1>::empty({std::int64_t{1} << 62})); });
  EXPECT_EQ(on_cpu.find("buffer::empty: not enough memory on the CPU: 4611686018427387904 bytes (4.0 EiB) requested, "),
            0U)
      << on_cpu;
  fake.failing["cuMemAllocAsync"] = 700;
  EXPECT_EQ(message_of([&] { (void)call.empty<std::int8_t, 1>("o", {100}); })
                .find("entry: 'o': allocating 100 bytes on gpu:1 (Ampere) failed: CUDA_ERROR_ILLEGAL_ADDRESS (the "
                      "driver's words): a kernel launched"),
            0U);
}

TEST_F(Memory, RoundTrip) {
  auto host = buffer<std::int32_t, 2>::empty({7, 9});
  std::iota(host.data(), host.data() + host.size(), 0);
  const auto there = host.to_device(1);
  EXPECT_EQ(there.device(), device::gpu(1));
  EXPECT_EQ(fake.copies, 1);
  EXPECT_EQ(fake.stream_synchronisations, 1);
  const auto twin = there.to(device::gpu(1)); // stays on the GPU: nothing to wait for
  EXPECT_EQ(fake.stream_synchronisations, 1);
  const auto other = twin.to(device::gpu(0));
  const auto back = other.to_host();
  EXPECT_EQ(elements<2>(back), elements<2>(host));
}

// Every kind of copy, of views that are dense, in rows, element by element, broadcast and of rank 0, gives what
// indexing gives.
TEST_F(Memory, StridedViews) {
  auto host = buffer<std::int32_t, 3>::empty({6, 7, 8});
  std::iota(host.data(), host.data() + host.size(), 100);
  const auto there = host.to_device(0);
  const auto view_and_copy = [&](auto make) {
    const auto expected_view = make(array<const std::int32_t, 3>(host));
    using view_type = std::decay_t<decltype(expected_view)>;
    std::vector<std::int32_t> expected;
    if constexpr (view_type::rank == 3)
      for (std::int64_t i = 0; i < expected_view.dim(0); ++i)
        for (std::int64_t j = 0; j < expected_view.dim(1); ++j)
          for (std::int64_t k = 0; k < expected_view.dim(2); ++k)
            expected.push_back(expected_view(i, j, k));
    else
      expected.push_back(expected_view());
    const auto gpu_view = make(array<const std::int32_t, 3>(there));
    EXPECT_EQ(elements<view_type::rank>(expected_view), expected);
    EXPECT_EQ(elements<view_type::rank>(to(expected_view, device::gpu(0))), expected);
    EXPECT_EQ(elements<view_type::rank>(gpu_view), expected);
    EXPECT_EQ(elements<view_type::rank>(to(gpu_view, device::gpu(0))), expected);
    EXPECT_EQ(elements<view_type::rank>(to(gpu_view, device::gpu(1))), expected);
  };
  view_and_copy([](auto a) { return a; });
  view_and_copy([](auto a) { return a.slice(0, 1, 4); });
  view_and_copy([](auto a) { return a.slice(1, 2, 3); });
  view_and_copy([](auto a) { return a.slice(2, 1, 3, 2).slice(0, 0, 3, 2); });
  view_and_copy([](auto a) { return a.transpose(); });
  view_and_copy([](auto a) { return a.permuted(1, 0, 2); });
  view_and_copy([](auto a) { return a.slice(1, 3, 1); });
  view_and_copy([](auto a) { return a.slice(1, 3, 0); });
  view_and_copy([](auto a) { return a.select(0, 2).select(1, 3).select(0, 4); });
  view_and_copy([](auto a) { return decltype(a)(a.data(), {3, 2, 8}, {0, 8, 1}, a.device()); });
  view_and_copy([](auto a) { return decltype(a)(a.data(), {3, 2, 2}, {0, 0, 0}, a.device()); });
}

// Few rows far apart are copied one by one; nothing between them crosses.
TEST_F(Memory, DistantRowsAreCopiedAlone) {
  auto host = buffer<std::int32_t, 2>::empty({4, 1 << 18});
  std::iota(host.data(), host.data() + host.size(), 0);
  const auto there = host.to_device(0);
  fake.copies = 0;
  const auto column = array<const std::int32_t, 2>(there).slice(1, 77, 2);
  EXPECT_EQ(elements<2>(column), (std::vector<std::int32_t>{77, 78, 262221, 262222, 524365, 524366, 786509, 786510}));
  EXPECT_EQ(fake.copies, 4);
}

TEST_F(Memory, CopiesThatAreRefused) {
  std::int32_t data[4] = {};
  EXPECT_EQ(message_of([&] { (void)to(array<std::int32_t, 1>(data + 3, {4}, {-1}), device::gpu(0)); }),
            "to: the array has the negative stride -1 in dimension 0: strides must not be negative");
  EXPECT_EQ(message_of([&] { (void)to(array<std::int32_t, 1>(nullptr, {4}), device::cpu()); }),
            "to: the array has the shape (4), but no memory: its pointer is null");
  EXPECT_EQ(message_of([&] { (void)to(array<std::int32_t, 1>(data, {-4}), device::cpu()); }),
            "to: the shape (-4) has a negative extent");
  EXPECT_EQ(message_of([&] { (void)to(array<std::int32_t, 1>(data, {4}), device::gpu(2)); }),
            "to: there is no gpu:2: this machine has gpu:0 to gpu:1");
  EXPECT_EQ(message_of([&] { (void)to(array<std::int32_t, 1>(data, {4}), device::gpu(-1)); }),
            "to: there is no GPU of a negative ordinal: this machine has gpu:0 to gpu:1");
  const stream mine = stream::create(device::gpu(0));
  EXPECT_EQ(
      message_of([&] { (void)to(array<std::int32_t, 1>(data, {4}), device::gpu(1), mine); }),
      "to: the stream belongs to gpu:0, and this is work for gpu:1: make one with stream::create(device::gpu(1))");
  fake.failing["cuMemcpyAsync"] = 1;
  EXPECT_EQ(message_of([&] { (void)to(array<std::int32_t, 1>(data, {4}), device::gpu(1)); }),
            "to: the copy failed: CUDA_ERROR_INVALID_VALUE (the driver's words)");
  EXPECT_TRUE(fake.allocations.empty());
}

/// One block, which it lends again and again.
class lending : public allocator {
public:
  allocation allocate(std::size_t bytes, device where, const stream &on) override {
    requests.push_back({bytes, where, on.handle()});
    return {block, this, [](void *owner) { ++static_cast<lending *>(owner)->freed; }};
  }
  struct request {
    std::size_t bytes;
    device where;
    CUstream_st *stream;
  };
  std::vector<request> requests;
  int freed = 0;
  alignas(64) std::byte block[64] = {};
};

TEST_F(Memory, IsOfTheInnermostScopesAllocator) {
  lending outer, inner;
  const stream mine = stream::create(device::gpu(1));
  buffer<std::uint8_t, 1> kept;
  {
    const allocator_scope scope(outer);
    kept = buffer<std::uint8_t, 1>::empty({5}, device::gpu(1), mine);
    ASSERT_EQ(outer.requests.size(), 1U);
    EXPECT_EQ(outer.requests[0].bytes, 8U); // whole words
    EXPECT_EQ(outer.requests[0].where, device::gpu(1));
    EXPECT_EQ(outer.requests[0].stream, mine.handle());
    EXPECT_EQ(static_cast<void *>(kept.data()), outer.block);
    {
      const allocator_scope nested(inner);
      const auto on_cpu = buffer<float, 1>::empty({3});
      EXPECT_EQ(static_cast<const void *>(on_cpu.data()), inner.block);
    }
    EXPECT_EQ(inner.freed, 1);
    (void)buffer<float, 2>::empty({0, 3});
    (void)buffer<float, 2>::empty({2, 3}, device::meta());
    EXPECT_EQ(outer.requests.size(), 1U);
    (void)buffer<float, 1>::empty({1});
    EXPECT_EQ(outer.requests.size(), 2U);
    EXPECT_EQ(outer.freed, 1);
  }
  EXPECT_TRUE(fake.allocations.empty());
  const auto own = buffer<float, 1>::empty({4}, device::gpu(0));
  EXPECT_EQ(fake.allocations.size(), 1U);
  EXPECT_EQ(outer.freed, 1);
  kept = {};
  EXPECT_EQ(outer.freed, 2);
}

TEST_F(Memory, MemoryThatNobodyFreesStays) {
  struct : allocator {
    allocation allocate(std::size_t, device, const stream &) override { return {block, nullptr, nullptr}; }
    alignas(64) std::byte block[64] = {};
  } lasting;
  const allocator_scope scope(lasting);
  {
    const auto on_cpu = buffer<float, 1>::empty({3});
    const auto on_gpu = buffer<float, 1>::empty({3}, device::gpu(0));
    EXPECT_EQ(static_cast<const void *>(on_gpu.data()), lasting.block);
  }
  EXPECT_TRUE(fake.frees.empty());
}

TEST_F(Memory, AnAllocatorWithoutMemoryIsAnError) {
  struct : allocator {
    allocation allocate(std::size_t, device, const stream &) override { return {}; }
  } none;
  const allocator_scope scope(none);
  EXPECT_EQ(message_of([] { (void)buffer<float, 1>::empty({3}); }),
            "buffer::empty: the allocator returned no memory: it must throw, or return the requested 12 bytes");
}

TEST_F(Memory, AnAllocatorsErrorIsTheCallers) {
  struct : allocator {
    allocation allocate(std::size_t, device, const stream &) override { throw std::length_error("no more"); }
  } none;
  const allocator_scope scope(none);
  EXPECT_THROW((void)(buffer<float, 1>::empty({1})), std::length_error);
}

TEST_F(Memory, IsReleasedWithItsOwner) {
  CUstream_st *handle = nullptr;
  allocation given;
  {
    const stream mine = stream::create(device::gpu(0));
    handle = mine.handle();
    auto b = buffer<float, 1>::empty({8}, device::gpu(0), mine);
    const void *const data = b.data();
    given = b.release();
    EXPECT_EQ(given.data, data);
    EXPECT_EQ(b.data(), nullptr);
    EXPECT_EQ(b.size(), 0);
  }
  EXPECT_EQ(fake.allocations.size(), 1U);
  EXPECT_EQ(fake.streams.count(handle), 1U);
  given.free(given.owner);
  ASSERT_EQ(fake.frees.size(), 1U);
  EXPECT_EQ(fake.frees[0].second, handle);
  EXPECT_TRUE(fake.streams.empty());

  lending from;
  {
    const allocator_scope scope(from);
    given = buffer<double, 1>::empty({1}).release();
  }
  EXPECT_EQ(from.freed, 0);
  EXPECT_EQ(given.owner, &from);
  given.free(given.owner);
  EXPECT_EQ(from.freed, 1);

  EXPECT_EQ((buffer<float, 1>::empty({0}, device::gpu(0)).release().free), nullptr);
  EXPECT_EQ((buffer<float, 1>::empty({9}, device::meta()).release().free), nullptr);
}

TEST_F(Memory, MetaHasNone) {
  auto b = buffer<float, 2>::empty({1 << 20, 1 << 30}, device::meta());
  EXPECT_NE(b.data(), nullptr);
  EXPECT_EQ(b.device(), device::meta());
  EXPECT_EQ(to(b.view(), device::meta()).dims(), b.dims());
  EXPECT_EQ((buffer<float, 1>::empty({3}, device::gpu(0)).to(device::meta()).dims()), (shape<1>{3}));
  EXPECT_EQ(message_of([&] { (void)to(buffer<float, 1>::empty({3}, device::meta()).view(), device::cpu()); }),
            "to: the array of shape (3) is on meta: it has no elements to copy");
  EXPECT_TRUE(fake.allocations.empty());
  EXPECT_EQ(device_name(device::meta()), "meta");
  EXPECT_EQ(multiprocessors(device::meta()), 1);
  synchronize(device::meta());
  EXPECT_EQ(to_string(device::meta()), "meta");
  EXPECT_FALSE(device::meta().is_cpu() || device::meta().is_gpu());
  EXPECT_TRUE(device::meta().is_meta());
}

} // namespace
} // namespace tegula::test
