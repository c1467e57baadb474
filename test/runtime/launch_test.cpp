// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fake_driver.h"

#include <gtest/gtest.h>

#include <thread>

namespace tegula::test {
namespace {

constexpr unsigned char code_bytes[] = {'x', 0};
constexpr abi::image hopper[] = {{90, 'a', abi::image_kind::cubin, code_bytes, 1}};

class Launch : public testing::Test {
protected:
  fake_driver fake{{{90, "Hopper"}, {90, "Hopper"}}};
  abi::image_set<1> images{hopper};
  abi::kernel code{images, "code"};
  stream null_stream;

  void *const somewhere = reinterpret_cast<void *>(std::uintptr_t{0x7000});
  template <class T> T *memory() { return static_cast<T *>(somewhere); }
};

TEST_F(Launch, ArraysArePointersExtentsAndStrides) {
  const array<const float, 2> x(memory<const float>(), {3, 5}, {40, 2}, device::gpu(0));
  const array<f16, 0> y(memory<f16>() + 4, {}, device::gpu(0));
  abi::call call("entry", null_stream);
  call.input("x", x);
  call.output("y", y);
  call.launch(code, {7, 96}, x, y);
  ASSERT_EQ(fake.launches.size(), 1U);
  const launch_record &seen = fake.launches[0];
  EXPECT_EQ(seen.slots, (std::vector<std::uint64_t>{0x7000, 3, 5, 40, 2, 0x7008}));
  EXPECT_EQ(seen.config.grid_x, 7U);
  EXPECT_EQ(seen.config.grid_y, 1U);
  EXPECT_EQ(seen.config.grid_z, 1U);
  EXPECT_EQ(seen.config.block_x, 96U);
  EXPECT_EQ(seen.config.block_y, 1U);
  EXPECT_EQ(seen.config.block_z, 1U);
  EXPECT_EQ(seen.config.shared_bytes, 0U);
  EXPECT_EQ(seen.config.stream, nullptr);
  EXPECT_EQ(seen.config.attribute_count, 0U);
}

TEST_F(Launch, ScalarsAreInTheLowBytesAndTheRestIsZero) {
  abi::call call("entry", null_stream, device::gpu(0));
  call.launch(code, {1, 32}, true, false, std::int8_t{-1}, std::uint8_t{200}, std::int16_t{-2}, std::uint16_t{65535},
              std::int32_t{-3}, std::uint32_t{0xdeadbeef}, std::int64_t{-4}, std::uint64_t{0x0123456789abcdef},
              f16(1.5F), bf16(-2.0F), 1.0F, -2.0);
  ASSERT_EQ(fake.launches.size(), 1U);
  EXPECT_EQ(fake.launches[0].slots,
            (std::vector<std::uint64_t>{1, 0, 0xff, 200, 0xfffe, 0xffff, 0xfffffffd, 0xdeadbeef, 0xfffffffffffffffc,
                                        0x0123456789abcdef, 0x3e00, 0xc000, 0x3f800000, 0xc000000000000000}));
}

TEST_F(Launch, BuffersPackLikeTheirViews) {
  abi::call call("entry", null_stream, device::gpu(0));
  auto o = call.empty<double, 3>("o", {2, 3, 4});
  call.launch(code, {1, 32}, o, std::int64_t{9});
  ASSERT_EQ(fake.launches.size(), 1U);
  EXPECT_EQ(fake.launches[0].slots,
            (std::vector<std::uint64_t>{reinterpret_cast<std::uintptr_t>(o.data()), 2, 3, 4, 12, 4, 1, 9}));
}

TEST_F(Launch, NoArgumentsAndNoBlocks) {
  abi::call call("entry", null_stream, device::gpu(0));
  call.launch(code, {0, 32});
  call.launch(code, {-1, 32});
  EXPECT_TRUE(fake.launches.empty());
  EXPECT_TRUE(fake.loads.empty());
  call.launch(code, {1, 32});
  ASSERT_EQ(fake.launches.size(), 1U);
  EXPECT_TRUE(fake.launches[0].slots.empty());
}

TEST_F(Launch, TooManyBlocks) {
  abi::call call("entry", null_stream, device::gpu(0));
  call.launch(code, {0x7fffffff, 32});
  EXPECT_EQ(fake.launches.at(0).config.grid_x, 0x7fffffffU);
  EXPECT_EQ(message_of([&] { call.launch(code, {0x80000000, 32}); }),
            "entry: kernel 'code' needs 2147483648 CTAs, but a launch has at most 2147483647: split the call into "
            "several over parts of the arrays");
  EXPECT_EQ(fake.launches.size(), 1U);
}

TEST_F(Launch, GoesToItsStream) {
  const stream mine = stream::create(device::gpu(1));
  abi::call call("entry", mine, device::gpu(1));
  call.launch(code, {1, 32});
  EXPECT_EQ(fake.launches.at(0).config.stream, mine.handle());
  EXPECT_EQ(fake.launches.at(0).ordinal, 1);
  abi::call elsewhere("entry", mine, device::gpu(0));
  EXPECT_EQ(
      message_of([&] { elsewhere.launch(code, {1, 32}); }),
      "entry: the stream belongs to gpu:1, and this is work for gpu:0: make one with stream::create(device::gpu(0))");
  EXPECT_EQ(
      message_of([&] { (void)elsewhere.empty<float, 1>("o", {4}); }),
      "entry: the stream belongs to gpu:1, and this is work for gpu:0: make one with stream::create(device::gpu(0))");
}

TEST_F(Launch, TheDriverRefuses) {
  abi::call call("entry", null_stream, device::gpu(0));
  fake.failing["cuLaunchKernelEx"] = 701;
  EXPECT_EQ(message_of([&] { call.launch(code, {1, 32}); }), "entry: launching kernel 'code' on gpu:0 (Hopper) failed: "
                                                             "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (the driver's words)");
  fake.failing["cuLaunchKernelEx"] = 700;
  EXPECT_EQ(message_of([&] { call.launch(code, {1, 32}); }),
            "entry: launching kernel 'code' on gpu:0 (Hopper) failed: CUDA_ERROR_ILLEGAL_ADDRESS (the driver's words): "
            "a kernel launched before "
            "failed on the GPU, and the process cannot use this GPU any more; run the same call on CPU arrays, or the "
            "program under "
            "compute-sanitizer, to find out where");
}

TEST_F(Launch, TheThreadsContextIsRestored) {
  abi::call call("entry", null_stream, device::gpu(1));
  // A thread that has none keeps the one of the call: the driver's own functions then work on it.
  call.launch(code, {1, 32});
  EXPECT_EQ(fake_driver::thread_context(), fake_driver::context_of(1));
  fake_driver::thread_context() = fake_driver::context_of(0);
  call.launch(code, {1, 32});
  EXPECT_EQ(fake.launches.at(1).ordinal, 1);
  EXPECT_EQ(fake_driver::thread_context(), fake_driver::context_of(0));
  fake.failing["cuLaunchKernelEx"] = 701;
  EXPECT_NE(message_of([&] { call.launch(code, {1, 32}); }), "(nothing)");
  EXPECT_EQ(fake_driver::thread_context(), fake_driver::context_of(0));
}

TEST_F(Launch, ClustersAndSharedMemory) {
  abi::kernel pair(images, "pair", 200704, 2);
  abi::call call("entry", null_stream, device::gpu(1));
  call.launch(pair, {264, 384}, std::int64_t{5});
  call.launch(pair, {2, 384}, std::int64_t{6});
  ASSERT_EQ(fake.launches.size(), 2U);
  const launch_record &seen = fake.launches[0];
  EXPECT_EQ(seen.slots, (std::vector<std::uint64_t>{5}));
  EXPECT_EQ(seen.config.grid_x, 132U);
  EXPECT_EQ(seen.config.grid_y, 2U);
  EXPECT_EQ(seen.config.shared_bytes, 200704U);
  ASSERT_EQ(seen.attributes.size(), 1U);
  EXPECT_EQ(seen.attributes[0].id, 4);
  EXPECT_EQ((std::vector<unsigned>(seen.attributes[0].value, seen.attributes[0].value + 3)),
            (std::vector<unsigned>{1, 2, 1}));
  // Once on every GPU, and for what asks for it only.
  using attributes = std::vector<std::tuple<std::string, int, int>>;
  EXPECT_EQ(fake.function_attributes, (attributes{{"pair", 8, 200704}}));
  abi::call elsewhere("entry", null_stream, device::gpu(0));
  elsewhere.launch(pair, {2, 384}, std::int64_t{7});
  elsewhere.launch(code, {2, 384});
  EXPECT_EQ(fake.function_attributes, (attributes{{"pair", 8, 200704}, {"pair", 8, 200704}}));
  EXPECT_TRUE(fake.launches[3].attributes.empty());
  // More than 8 blocks in a cluster are asked for by name.
  abi::kernel many(images, "many", 0, 16);
  elsewhere.launch(many, {16, 128});
  EXPECT_EQ(fake.function_attributes.back(), std::make_tuple("many", 14, 1));
  EXPECT_EQ(fake.function_attributes.size(), 3U);
  EXPECT_EQ(fake.launches[4].attributes.at(0).value[1], 16U);
}

TEST_F(Launch, KernelsThatWaitForGridsAreLaunchedWhileThoseEnd) {
  static constexpr abi::image waiting[] = {{90, 'a', abi::image_kind::cubin, code_bytes, 1, 2, true}};
  abi::image_set<1> of_waiting{waiting};
  abi::kernel one(of_waiting, "one"), pair(of_waiting, "pair", 0, 2);
  abi::call call("entry", null_stream, device::gpu(0));
  call.launch(one, {8, 128});
  call.launch(pair, {8, 128});
  ASSERT_EQ(fake.launches.size(), 2U);
  ASSERT_EQ(fake.launches[0].attributes.size(), 1U);
  EXPECT_EQ(fake.launches[0].attributes[0].id, 6);
  EXPECT_EQ(fake.launches[0].attributes[0].value[0], 1U);
  ASSERT_EQ(fake.launches[1].attributes.size(), 2U);
  EXPECT_EQ(fake.launches[1].attributes[0].id, 4);
  EXPECT_EQ(fake.launches[1].attributes[1].id, 6);
}

TEST_F(Launch, BlocksThatWaitForOneAnotherRunAtOnce) {
  static constexpr abi::image waiting[] = {{90, 'a', abi::image_kind::cubin, code_bytes, 1, 2, true}};
  abi::image_set<1> of_waiting{waiting};
  abi::kernel one(of_waiting, "one"), pair(of_waiting, "pair", 1024, 2);
  fake.gpus[0].multiprocessors = 132;
  abi::call call("entry", null_stream, device::gpu(0));
  call.launch(pair, {8, 128, 0, false, /*is_resident=*/true});
  ASSERT_EQ(fake.launches.size(), 1U);
  ASSERT_EQ(fake.launches[0].attributes.size(), 2U);
  EXPECT_EQ(fake.launches[0].attributes[0].id, 4);
  EXPECT_EQ(fake.launches[0].attributes[1].id, 2);
  EXPECT_EQ(fake.launches[0].attributes[1].value[0], 1U);
  // What the driver refuses is told with how many would run.
  const auto text = [](const std::string &kernel, int most) {
    return "entry: kernel '" + kernel + "' has 1000 CTAs that synchronize, but gpu:0 (Hopper) runs " +
           std::to_string(most) +
           " of them at once: give it fewer CTAs, each of which does more of the work, by tg::nd_loop; if CTAs wait "
           "only for earlier ones, set .waiting_for = tg::earlier_blocks";
  };
  fake.failing["cuLaunchKernelEx"] = 720;
  EXPECT_EQ(message_of([&] { call.launch(one, {1000, 128, 0, false, true}); }), text("one", 264));
  fake.failing["cuLaunchKernelEx"] = 720;
  EXPECT_EQ(message_of([&] { call.launch(pair, {1000, 128, 0, false, true}); }), text("pair", 10));
}

TEST_F(Launch, TheDriverIsAskedOnceHowManyClustersAreResident) {
  abi::kernel one(images, "one"), pair(images, "pair");
  fake.gpus[0].multiprocessors = 132;
  const abi::call call("entry", null_stream, device::gpu(0));
  const auto asked = [&](abi::kernel &function, std::int64_t cluster) {
    const int before = fake.occupancy_queries;
    EXPECT_EQ(call.resident_clusters(function, 128, cluster), cluster == 1 ? 264 : 5);
    return fake.occupancy_queries - before;
  };
  EXPECT_EQ(asked(one, 8), 1);
  EXPECT_EQ(asked(one, 8), 0);
  EXPECT_EQ(asked(pair, 8), 1);
  EXPECT_EQ(asked(one, 1), 1);
  EXPECT_EQ(asked(one, 8), 1);
  fake.failing["cuOccupancyMaxActiveClusters"] = 1;
  EXPECT_EQ(call.resident_clusters(one, 128, 4), 1);
}

TEST_F(Launch, ThreadsThatRacePrepareAKernelOnce) {
  abi::kernel pair(images, "pair", 1024, 2);
  std::vector<std::thread> threads;
  std::atomic<bool> go{false};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      while (!go) {
      }
      abi::call("entry", null_stream, device::gpu(0)).launch(pair, {2, 128});
    });
  go = true;
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(fake.function_attributes.size(), 1U);
  EXPECT_EQ(fake.launches.size(), 8U);
}

TEST_F(Launch, TooMuchSharedMemory) {
  fake.gpus[1].shared_bytes = 101376;
  abi::kernel pair(images, "pair", 101377, 2), fits(images, "fits", 101376);
  abi::call call("entry", null_stream, device::gpu(1));
  EXPECT_EQ(message_of([&] { call.launch(pair, {2, 384}); }),
            "entry: kernel 'pair' takes 101377 bytes of shared memory in a CTA, but gpu:1 (Hopper) has 101376: use "
            "smaller tiles or fewer pipeline stages");
  EXPECT_EQ(message_of([&] { call.launch(fits, {2, 384}); }), "(nothing)");
  abi::kernel refused(images, "refused", 100, 16);
  fake.failing["cuFuncSetAttribute"] = 1;
  EXPECT_EQ(message_of([&] { call.launch(refused, {16, 384}); }),
            "entry: kernel 'refused' cannot have 100 bytes of shared memory in clusters of 16 on gpu:1 (Hopper): "
            "CUDA_ERROR_INVALID_VALUE (the driver's words)");
  fake.failing.clear();
  EXPECT_EQ(message_of([&] { call.launch(refused, {16, 384}); }), "(nothing)"); // Nothing of the failure stays.
}

} // namespace
} // namespace tegula::test
