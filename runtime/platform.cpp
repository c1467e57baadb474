// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "platform.h"

#include <algorithm>

namespace tegula::runtime {

namespace {

std::atomic<platform *> current_platform{nullptr};

platform *process_platform() {
  static platform *const made = [] {
    driver::table api;
    std::string problem = driver::load("libcuda.so.1", api);
    return new platform(api, std::move(problem));
  }();
  return made;
}

} // namespace

std::string to_string(const gpu &where) {
  return tegula::to_string(device::gpu(where.ordinal)) + " (" + where.name + ")";
}

platform &platform::current() {
  platform *now = current_platform.load(std::memory_order_acquire);
  return now != nullptr ? *now : *process_platform();
}

platform::replacement::replacement(platform &with) : before_(current_platform.exchange(&with)) {}
platform::replacement::~replacement() { current_platform.store(before_); }

void platform::initialise() {
  if (!problem_.empty())
    return;
  driver::result code = api.cuInit(0);
  if (code == driver::success)
    code = api.cuDeviceGetCount(&count_);
  if (code == driver::no_device)
    count_ = 0;
  else if (code != driver::success) {
    problem_ = "the driver does not start, " + driver::describe(api, code);
    count_ = 0;
  }
  count_ = std::min(count_, abi::max_devices);
}

int platform::count() noexcept {
  std::call_once(initialised_, [this] { initialise(); });
  return count_;
}

void platform::fail(driver::result code, const char *function, const char *action) const {
  throw error(std::string(function) + ": " + action + ": " + driver::explain(api, code));
}

const gpu &platform::start(const char *function, int ordinal) {
  const std::string prefix = std::string(function) + ": ";
  const int gpus = count();
  if (!problem_.empty())
    throw error(prefix + "no CUDA driver: " + problem_ +
                "; install NVIDIA's driver (nvidia-smi shows whether it works), or keep the arrays on the CPU");
  if (ordinal < 0 || ordinal >= gpus)
    throw error(prefix + "there is no " +
                (ordinal < 0 ? "GPU of a negative ordinal" : tegula::to_string(device::gpu(ordinal))) +
                ": this machine has " +
                (gpus == 0   ? "no GPU that the driver sees (CUDA_VISIBLE_DEVICES may hide them)"
                 : gpus == 1 ? "one, gpu:0"
                             : "gpu:0 to gpu:" + std::to_string(gpus - 1)));

  const std::lock_guard<std::mutex> lock(starting_);
  if (owned_[ordinal] != nullptr)
    return *owned_[ordinal];
  const auto made = [&](driver::result code, const char *action) { check(code, function, action); };
  driver::device_handle handle = 0;
  int major = 0, minor = 0;
  char name[256] = {};
  auto started = std::make_unique<gpu>();
  made(api.cuDeviceGet(&handle, ordinal), "asking for the GPU failed");
  made(api.cuDeviceGetName(name, sizeof name - 1, handle), "asking for the GPU's name failed");
  made(api.cuDeviceGetAttribute(&major, driver::attribute_major, handle), "asking for the GPU's architecture failed");
  made(api.cuDeviceGetAttribute(&minor, driver::attribute_minor, handle), "asking for the GPU's architecture failed");
  made(api.cuDeviceGetAttribute(&started->multiprocessors, driver::attribute_multiprocessors, handle),
       "asking for the GPU's multiprocessors failed");
  made(api.cuDeviceGetAttribute(&started->shared_bytes, driver::attribute_shared_bytes, handle),
       "asking for the GPU's shared memory failed");
  made(api.cuDevicePrimaryCtxRetain(&started->context, handle), "the GPU does not start");
  // By default freed memory goes back to the system at each synchronisation, and every allocation after it is slow.
  CUmemPoolHandle_st *pool = nullptr;
  std::uint64_t keep_all = UINT64_MAX;
  if (api.cuDeviceGetDefaultMemPool(&pool, handle) == driver::success)
    api.cuMemPoolSetAttribute(pool, driver::pool_release_threshold, &keep_all);
  started->ordinal = ordinal;
  started->arch = major * 10 + minor;
  started->name = name;
  owned_[ordinal] = std::move(started);
  gpus_[ordinal].store(owned_[ordinal].get(), std::memory_order_release);
  return *owned_[ordinal];
}

driver::address platform::spare_memory(const char *function, const gpu &where) {
  static constexpr std::byte zeros[128] = {};
  if (const driver::address ready = spare_[where.ordinal].load(std::memory_order_acquire))
    return ready;
  const std::lock_guard<std::mutex> lock(starting_);
  if (const driver::address ready = spare_[where.ordinal].load(std::memory_order_relaxed))
    return ready;
  driver::address made = 0;
  const char *const action = "making a tensor map of an array without elements failed";
  check(api.cuMemAllocAsync(&made, sizeof zeros, nullptr), function, action);
  check(api.cuMemcpyAsync(made, reinterpret_cast<std::uintptr_t>(zeros), sizeof zeros, nullptr), function, action);
  check(api.cuStreamSynchronize(nullptr), function, action);
  spare_[where.ordinal].store(made, std::memory_order_release);
  return made;
}

use_context::use_context(platform &on, const gpu &where, const char *function) : on_(on) {
  on.check(on.api.cuCtxGetCurrent(&previous_), function, "asking for the thread's GPU failed");
  if (previous_ == where.context)
    return;
  on.check(on.api.cuCtxSetCurrent(where.context), function, "changing the thread's GPU failed");
  restore_ = previous_ != nullptr;
}

void check_stream(const stream &on, device where, const char *function) {
  if (on.handle() != nullptr && on.device() != where)
    throw error(std::string(function) + ": the stream belongs to " + tegula::to_string(on.device()) +
                ", and this is work for " + tegula::to_string(where) + ": make one with stream::create(device::gpu(" +
                std::to_string(where.ordinal()) + "))");
}

} // namespace tegula::runtime
