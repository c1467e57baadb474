// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices, streams and events.

#include "platform.h"

#include "tegula/runtime.h"

namespace tegula {

using runtime::gpu;
using runtime::platform;
using runtime::use_context;

int device_count() noexcept { return platform::current().count(); }

std::string device_name(device where) {
  return where.is_cpu()    ? "CPU"
         : where.is_meta() ? "meta"
                           : platform::current().use("device_name", where.ordinal()).name;
}

int multiprocessors(device where) {
  return !where.is_gpu() ? 1 : platform::current().use("multiprocessors", where.ordinal()).multiprocessors;
}

void synchronize(device where) {
  if (!where.is_gpu())
    return;
  platform &on = platform::current();
  const use_context context(on, on.use("synchronize", where.ordinal()), "synchronize");
  on.check(on.api.cuCtxSynchronize(), "synchronize", to_string(where).c_str());
}

stream stream::create(tegula::device where) {
  if (!where.is_gpu())
    throw error("stream::create: a stream belongs to a GPU; CPU calls take the default stream{}");
  platform &on = platform::current();
  const gpu &at = on.use("stream::create", where.ordinal());
  const use_context context(on, at, "stream::create");
  stream made;
  on.check(on.api.cuStreamCreate(&made.handle_, 0), "stream::create", "the driver cannot create a stream");
  made.device_ = where;
  made.owner_ = std::shared_ptr<void>(made.handle_, [&on](void *handle) {
    on.api.cuStreamDestroy(
        static_cast<CUstream_st *>(handle)); // Fails only when the process ends or the GPU has failed.
  });
  return made;
}

stream stream::wrap(CUstream_st *handle, tegula::device where) noexcept {
  stream made;
  made.handle_ = handle;
  made.device_ = where;
  return made;
}

void stream::synchronize() const {
  platform &on = platform::current();
  const char *const function = "stream::synchronize";
  if (device_.is_gpu()) {
    const use_context context(on, on.use(function, device_.ordinal()), function);
    on.check(on.api.cuStreamSynchronize(handle_), function, to_string(device_).c_str());
    return;
  }
  CUctx_st *current = nullptr;
  if (on.count() == 0 || on.api.cuCtxGetCurrent(&current) != driver::success || current == nullptr)
    return; // This thread has used no GPU.
  on.check(on.api.cuStreamSynchronize(nullptr), function, "the null stream");
}

event::event(tegula::device where) : device_(where) {
  if (!where.is_gpu())
    throw error("event: an event belongs to a GPU; time work of the CPU with std::chrono");
  platform &on = platform::current();
  const use_context context(on, on.use("event", where.ordinal()), "event");
  on.check(on.api.cuEventCreate(&handle_, 0), "event", "the driver cannot create an event");
}

event::~event() {
  if (handle_ != nullptr)
    platform::current().api.cuEventDestroy(handle_);
}

void event::record(const stream &on_stream) {
  const char *const function = "event::record";
  platform &on = platform::current();
  runtime::check_stream(on_stream, device_, function);
  const use_context context(on, on.use(function, device_.ordinal()), function);
  on.check(on.api.cuEventRecord(handle_, on_stream.handle()), function, to_string(device_).c_str());
}

void event::synchronize() const {
  const char *const function = "event::synchronize";
  platform &on = platform::current();
  const use_context context(on, on.use(function, device_.ordinal()), function);
  on.check(on.api.cuEventSynchronize(handle_), function, to_string(device_).c_str());
}

float event::milliseconds_since(const event &start) const {
  synchronize();
  platform &on = platform::current();
  const use_context context(on, on.use("event::milliseconds_since", device_.ordinal()), "event::milliseconds_since");
  float milliseconds = 0;
  on.check(on.api.cuEventElapsedTime(&milliseconds, start.handle_, handle_), "event::milliseconds_since",
           "both events must be recorded, on one GPU");
  return milliseconds;
}

} // namespace tegula
