// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver of this process and the GPUs that it has used.

#ifndef TEGULA_RUNTIME_PLATFORM_H
#define TEGULA_RUNTIME_PLATFORM_H

#include "driver.h"

#include "tegula/abi.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace tegula::runtime {

/// A GPU whose primary context is retained. It never changes once made.
struct gpu {
  int ordinal;
  int arch; // 90 for sm_90
  int multiprocessors;
  int shared_bytes; // that a block can have at most
  CUctx_st *context;
  std::string name;
};

/// "gpu:0 (NVIDIA H200)".
std::string to_string(const gpu &where);

class platform {
public:
  /// `problem` says why there is no driver; empty: there is one.
  platform(const driver::table &api, std::string problem) : api(api), problem_(std::move(problem)) {}

  /// That of the process: made when first asked for, and never destroyed, since statics of the user may free buffers at
  /// exit.
  static platform &current();
  /// Puts another one in place until the result is destroyed. For tests.
  class replacement {
  public:
    explicit replacement(platform &with);
    ~replacement();
    replacement(const replacement &) = delete;
    replacement &operator=(const replacement &) = delete;

  private:
    platform *before_;
  };

  /// The number of GPUs, 0 without a driver.
  int count() noexcept;

  /// A GPU, made ready on first use. Throws "<function>: ..." if there is no driver, no such GPU, or it does not start.
  const gpu &use(const char *function, int ordinal) {
    if (ordinal >= 0 && ordinal < abi::max_devices)
      if (const gpu *ready = gpus_[ordinal].load(std::memory_order_acquire))
        return *ready;
    return start(function, ordinal);
  }

  /// Memory of a GPU for tensor maps of arrays without elements, which point somewhere all the same: copies from the
  /// first 64 bytes read zeros, and what is copied to the second 64 bytes does not matter. The GPU's context is
  /// current.
  driver::address spare_memory(const char *function, const gpu &where);

  /// Throws "<function>: <action>: <the driver's words>" unless the code is success.
  void check(driver::result code, const char *function, const char *action) const {
    if (code != driver::success)
      fail(code, function, action);
  }

  const driver::table api;

private:
  const gpu &start(const char *function, int ordinal);
  void initialise();
  [[noreturn]] void fail(driver::result code, const char *function, const char *action) const;

  std::once_flag initialised_;
  std::string problem_; // settled by initialise()
  int count_ = 0;       // likewise
  std::mutex starting_;
  std::unique_ptr<gpu> owned_[abi::max_devices]; // under starting_
  std::atomic<const gpu *> gpus_[abi::max_devices] = {};
  std::atomic<driver::address> spare_[abi::max_devices] = {}; // written under starting_
};

/// Makes a GPU's context current for its lifetime. A thread that had none keeps it.
class use_context {
public:
  use_context(platform &on, const gpu &where, const char *function);
  ~use_context() {
    if (restore_)
      on_.api.cuCtxSetCurrent(previous_);
  }
  use_context(const use_context &) = delete;
  use_context &operator=(const use_context &) = delete;

private:
  platform &on_;
  CUctx_st *previous_ = nullptr;
  bool restore_ = false;
};

/// Throws unless work on this GPU can go to the stream. `prefix` is "<function>: " or longer.
void check_stream(const stream &on, device where, const char *function);

} // namespace tegula::runtime

#endif // TEGULA_RUNTIME_PLATFORM_H
