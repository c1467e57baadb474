// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fake_driver.h"

#include <gtest/gtest.h>

#include <thread>

namespace tegula::test {
namespace {

class NoDriver : public testing::Test {
protected:
  driver::table none;
  std::string problem = driver::load("libno-such-driver.so.1", none);
  runtime::platform platform{none, problem};
  runtime::platform::replacement installed{platform};
};

TEST_F(NoDriver, IsSaidWhereAGpuIsUsed) {
  const std::string expected = ": no CUDA driver: libno-such-driver.so.1: cannot open shared object file: No such file "
                               "or directory; install NVIDIA's driver (nvidia-smi "
                               "shows whether it works), or keep the arrays on the CPU";
  EXPECT_EQ(message_of([] { (void)(buffer<float, 1>::empty({4}, device::gpu(0))); }), "buffer::empty" + expected);
  EXPECT_EQ(message_of([] { (void)stream::create(); }), "stream::create" + expected);
  EXPECT_EQ(message_of([] { (void)event(); }), "event" + expected);
  EXPECT_EQ(message_of([] { (void)device_name(device::gpu(0)); }), "device_name" + expected);
  EXPECT_EQ(message_of([] { (void)multiprocessors(device::gpu(0)); }), "multiprocessors" + expected);
  EXPECT_EQ(message_of([] { synchronize(device::gpu(0)); }), "synchronize" + expected);
  const stream on;
  abi::image_set images;
  abi::kernel code(images, "code");
  EXPECT_EQ(message_of([&] { abi::call("entry", on, device::gpu(0)).launch(code, {1, 32}); }), "entry" + expected);
}

TEST_F(NoDriver, TheCpuDoesNotNeedOne) {
  EXPECT_EQ(device_count(), 0);
  EXPECT_EQ(device_name(device::cpu()), "CPU");
  EXPECT_EQ(multiprocessors(device::cpu()), 1);
  EXPECT_EQ(message_of([] {
              synchronize(device::cpu());
              stream().synchronize();
              auto host = buffer<float, 1>::empty({4});
              host(2) = 5;
              EXPECT_EQ(host.to_host()(2), 5);
              const stream on;
              abi::call call("entry", on);
              call.input("x", host);
              (void)call.empty<float, 1>("o", {4});
            }),
            "(nothing)");
}

TEST(Driver, ALibraryThatIsNoDriver) {
  driver::table table;
  EXPECT_EQ(driver::load("libc.so.6", table), "libc.so.6 has no cuInit, it is older than CUDA 12.0 (driver 525)");
}

TEST(Driver, DoesNotStart) {
  fake_driver fake({{90, "Hopper"}});
  fake.failing["cuInit"] = 999;
  EXPECT_EQ(device_count(), 0);
  EXPECT_EQ(message_of([] { (void)device_name(device::gpu(0)); }),
            "device_name: no CUDA driver: the driver does not start, CUDA_ERROR_UNKNOWN (the driver's words); install "
            "NVIDIA's driver (nvidia-smi "
            "shows whether it works), or keep the arrays on the CPU");
}

TEST(Driver, SeesNoGpu) {
  fake_driver fake({});
  fake.failing["cuInit"] = 100;
  EXPECT_EQ(device_count(), 0);
  EXPECT_EQ(message_of([] { (void)device_name(device::gpu(0)); }),
            "device_name: there is no gpu:0: this machine has no GPU that the driver sees (CUDA_VISIBLE_DEVICES may "
            "hide them)");
}

TEST(Driver, AGpuThatDoesNotStart) {
  fake_driver fake({{90, "Hopper"}});
  fake.failing["cuDevicePrimaryCtxRetain"] = 2;
  EXPECT_EQ(message_of([] { synchronize(device::gpu(0)); }),
            "synchronize: the GPU does not start: CUDA_ERROR_OUT_OF_MEMORY (the driver's words)");
  fake.failing.clear();
  EXPECT_EQ(message_of([] { synchronize(device::gpu(0)); }), "(nothing)");
  EXPECT_EQ(message_of([] { synchronize(device::gpu(1)); }),
            "synchronize: there is no gpu:1: this machine has one, gpu:0");
  EXPECT_EQ(message_of([] { synchronize(device::gpu(64)); }),
            "synchronize: there is no gpu:64: this machine has one, gpu:0");
}

TEST(Driver, ThreadsThatRaceStartAGpuOnce) {
  fake_driver fake({{90}, {80}});
  std::vector<std::thread> threads;
  std::atomic<bool> go{false};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      while (!go) {
      }
      synchronize(device::gpu(i % 2));
    });
  go = true;
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(fake.retained_contexts, 2);
}

} // namespace
} // namespace tegula::test
