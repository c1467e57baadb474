// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fake_driver.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

class Streams : public testing::Test {
protected:
  fake_driver fake{{{90, "Hopper"}, {80, "Ampere", 108}}};
};

TEST_F(Streams, AreSharedByTheirCopies) {
  stream copy;
  {
    const stream made = stream::create(device::gpu(1));
    EXPECT_EQ(made.device(), device::gpu(1));
    copy = made;
  }
  EXPECT_EQ(fake.streams.count(copy.handle()), 1U);
  copy = {};
  EXPECT_TRUE(fake.streams.empty());
}

TEST_F(Streams, OfTheCallerStayTheCallers) {
  auto *const theirs = reinterpret_cast<CUstream_st *>(std::uintptr_t{0x42});
  fake.streams.insert(theirs);
  {
    const stream wrapped = stream::wrap(theirs, device::gpu(0));
  }
  EXPECT_EQ(fake.streams.count(theirs), 1U);
}

TEST_F(Streams, Synchronise) {
  stream().synchronize(); // This thread has used no GPU: nothing to wait for.
  EXPECT_EQ(fake.stream_synchronisations, 0);
  stream::create(device::gpu(1)).synchronize();
  EXPECT_EQ(fake.stream_synchronisations, 1);
  stream().synchronize();
  EXPECT_EQ(fake.stream_synchronisations, 2);
}

TEST_F(Streams, ReportKernelsThatFailedAfterTheirLaunch) {
  const stream mine = stream::create(device::gpu(1));
  const std::string advice = ": CUDA_ERROR_ILLEGAL_ADDRESS (the driver's words): a kernel launched before failed on "
                             "the GPU, and the process cannot "
                             "use this GPU any more; run the same call on CPU arrays, or the program under "
                             "compute-sanitizer, to find out where";
  fake.failing = {{"cuStreamSynchronize", 700}, {"cuCtxSynchronize", 700}, {"cuEventSynchronize", 700}};
  EXPECT_EQ(message_of([&] { mine.synchronize(); }), "stream::synchronize: gpu:1" + advice);
  EXPECT_EQ(message_of([&] { stream().synchronize(); }), "stream::synchronize: the null stream" + advice);
  EXPECT_EQ(message_of([&] { synchronize(device::gpu(0)); }), "synchronize: gpu:0" + advice);
  EXPECT_EQ(message_of([&] { event(device::gpu(0)).synchronize(); }), "event::synchronize: gpu:0" + advice);
}

TEST_F(Streams, BelongToGpus) {
  EXPECT_EQ(message_of([] { (void)stream::create(device::cpu()); }),
            "stream::create: a stream belongs to a GPU; CPU calls take the default stream{}");
  EXPECT_EQ(message_of([] { (void)event(device::cpu()); }),
            "event: an event belongs to a GPU; time work of the CPU with std::chrono");
}

TEST_F(Streams, Events) {
  event start, stop;
  start.record();
  stop.record(stream::create(device::gpu(0)));
  EXPECT_EQ(stop.milliseconds_since(start), 2.5F);
  EXPECT_EQ(message_of([&] { stop.record(stream::create(device::gpu(1))); }),
            "event::record: the stream belongs to gpu:1, and this is work for gpu:0: make one with "
            "stream::create(device::gpu(0))");
  fake.failing["cuEventElapsedTime"] = 1;
  EXPECT_EQ(message_of([&] { (void)stop.milliseconds_since(start); }),
            "event::milliseconds_since: both events must be recorded, on one GPU: CUDA_ERROR_INVALID_VALUE (the "
            "driver's words)");
}

TEST_F(Streams, DeviceNames) {
  EXPECT_EQ(device_count(), 2);
  EXPECT_EQ(device_name(device::gpu(1)), "Ampere");
  EXPECT_EQ(multiprocessors(device::gpu(1)), 108);
}

} // namespace
} // namespace tegula::test
