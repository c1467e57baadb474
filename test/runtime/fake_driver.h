// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CUDA driver made of host memory: device memory is malloc'ed, copies are memcpy, launches are recorded. What the
// runtime asks of the real driver is checked against it without a GPU.

#ifndef TEGULA_TEST_RUNTIME_FAKE_DRIVER_H
#define TEGULA_TEST_RUNTIME_FAKE_DRIVER_H

#include "platform.h"

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace tegula::test {

struct fake_gpu {
  int arch;
  std::string name = "Fake GPU";
  int multiprocessors = 132;
  int shared_bytes = 232448;
};

struct launch_record {
  std::string function;
  int ordinal;
  driver::launch_config config;
  std::vector<std::uint64_t> slots;
  std::vector<driver::launch_attribute> attributes;
};

/// The arguments of cuTensorMapEncodeTiled. The map itself is their number, in all of its 16 slots.
struct map_record {
  int type;
  const void *base;
  std::vector<std::uint64_t> dims, strides;
  std::vector<std::uint32_t> box, steps;
  int interleave, swizzle, promotion, fill;
};

/// Installs itself as the process's driver for its lifetime. One at a time.
class fake_driver {
public:
  explicit fake_driver(std::vector<fake_gpu> gpus);
  ~fake_driver();

  driver::table api;
  std::vector<fake_gpu> gpus;

  /// Functions that return this code, by name ("cuLaunchKernelEx").
  std::map<std::string, driver::result> failing;
  /// What the compiler of PTX writes into its log.
  std::string jit_log;
  /// Kernels that modules do not have.
  std::set<std::string> missing_kernels;
  std::size_t memory_left = SIZE_MAX;

  /// The parameters of every kernel in slots of 8 bytes, for launches that pass them one by one.
  std::vector<std::size_t> parameter_slots;

  std::vector<launch_record> launches;
  int occupancy_queries = 0;
  std::vector<map_record> maps;
  /// (kernel, attribute, value) of cuFuncSetAttribute.
  std::vector<std::tuple<std::string, int, int>> function_attributes;
  /// The first byte of every image that was loaded, or all of it for PTX, and where.
  std::vector<std::pair<std::string, int>> loads;
  std::map<driver::address, std::size_t> allocations;
  std::atomic<int> copies{0}, calls_of_get_function{0}, retained_contexts{0}, stream_synchronisations{0};
  std::set<CUstream_st *> streams;
  /// (memory, stream) in the order of the frees.
  std::vector<std::pair<driver::address, CUstream_st *>> frees;

  std::mutex lock;

  /// The context of the calling thread, as the driver sees it: null or that of a GPU, made from its ordinal.
  static CUctx_st *&thread_context();
  static CUctx_st *context_of(int ordinal);

private:
  runtime::platform platform_;
  runtime::platform::replacement installed_;
};

/// The message of what f throws; "(nothing)" if it throws nothing.
template <class F> std::string message_of(F f) {
  try {
    f();
  } catch (const error &thrown) {
    return thrown.what();
  }
  return "(nothing)";
}

} // namespace tegula::test

#endif // TEGULA_TEST_RUNTIME_FAKE_DRIVER_H
