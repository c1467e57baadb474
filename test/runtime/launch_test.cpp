// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fake_driver.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

constexpr unsigned char code_bytes[] = {'x', 0};
constexpr abi::image hopper[] = {{90, 'a', abi::image_kind::cubin, code_bytes, 1}};

class Launch : public testing::Test {
protected:
  fake_driver fake{{{90, "Hopper"}, {90, "Hopper"}}};
  abi::image_set images{hopper};
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
            "entry: kernel 'code' needs 2147483648 blocks, and a launch has at most 2147483647: split the call into "
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

} // namespace
} // namespace tegula::test
