// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fake_driver.h"

#include <cstdlib>
#include <cstring>

namespace tegula::test {

namespace {

fake_driver *fake = nullptr;

int ordinal_of(CUctx_st *context) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(context)) - 1; }
int current() { return ordinal_of(fake_driver::thread_context()); }

driver::result planned(const char *function) {
  const auto found = fake->failing.find(function);
  return found == fake->failing.end() ? driver::success : found->second;
}

// Every function first does what `failing` says, and work needs a current context.
#define PLANNED(function)                                                                                              \
  if (const driver::result code = planned(function); code != driver::success)                                          \
  return code
#define NEEDS_CONTEXT                                                                                                  \
  if (fake_driver::thread_context() == nullptr)                                                                        \
  return 201

struct module {
  int ordinal;
};
struct function {
  std::string name;
  int ordinal;
};

driver::result error_name(driver::result code, const char **text) {
  static const std::map<int, const char *> names = {
      {1, "CUDA_ERROR_INVALID_VALUE"},     {2, "CUDA_ERROR_OUT_OF_MEMORY"},
      {100, "CUDA_ERROR_NO_DEVICE"},       {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
      {218, "CUDA_ERROR_INVALID_PTX"},     {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
      {700, "CUDA_ERROR_ILLEGAL_ADDRESS"}, {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
      {999, "CUDA_ERROR_UNKNOWN"},
  };
  const auto found = names.find(code);
  *text = found == names.end() ? nullptr : found->second;
  return found == names.end() ? driver::invalid_value : driver::success;
}

driver::result load_module(CUmod_st **module_out, const void *image, unsigned count, int *options, void **values) {
  const std::lock_guard<std::mutex> guard(fake->lock);
  NEEDS_CONTEXT;
  const char *text = static_cast<const char *>(image);
  fake->loads.emplace_back(text[0] == '.' ? std::string(text) : std::string(text, 1), current());
  char *log = nullptr;
  std::size_t log_bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == driver::jit_error_log)
      log = static_cast<char *>(values[i]);
    if (options[i] == driver::jit_error_log_bytes)
      log_bytes = reinterpret_cast<std::uintptr_t>(values[i]);
  }
  if (planned("cuModuleLoadDataEx") != driver::success)
    std::strncpy(log, fake->jit_log.c_str(), log_bytes);
  PLANNED("cuModuleLoadDataEx");
  static std::vector<std::unique_ptr<module>> modules;
  modules.push_back(std::make_unique<module>(module{current()}));
  *module_out = reinterpret_cast<CUmod_st *>(modules.back().get());
  return driver::success;
}

driver::result get_function(CUfunc_st **function_out, CUmod_st *from, const char *name) {
  const std::lock_guard<std::mutex> guard(fake->lock);
  PLANNED("cuModuleGetFunction");
  ++fake->calls_of_get_function;
  if (fake->missing_kernels.count(name) != 0)
    return driver::not_found;
  static std::vector<std::unique_ptr<function>> functions;
  functions.push_back(std::make_unique<function>(function{name, reinterpret_cast<module *>(from)->ordinal}));
  *function_out = reinterpret_cast<CUfunc_st *>(functions.back().get());
  return driver::success;
}

driver::result set_attribute(CUfunc_st *code, int attribute, int value) {
  const std::lock_guard<std::mutex> guard(fake->lock);
  NEEDS_CONTEXT;
  PLANNED("cuFuncSetAttribute");
  fake->function_attributes.emplace_back(reinterpret_cast<const function *>(code)->name, attribute, value);
  return driver::success;
}

driver::result encode_map(driver::tensor_map *map, int type, unsigned rank, void *base, const std::uint64_t *dims,
                          const std::uint64_t *strides, const std::uint32_t *box, const std::uint32_t *steps,
                          int interleave, int swizzle, int promotion, int fill) {
  const std::lock_guard<std::mutex> guard(fake->lock);
  PLANNED("cuTensorMapEncodeTiled");
  if (reinterpret_cast<std::uintptr_t>(map) % 64 != 0)
    return driver::invalid_value;
  fake->maps.push_back({type,
                        base,
                        {dims, dims + rank},
                        {strides, strides + rank - 1},
                        {box, box + rank},
                        {steps, steps + rank},
                        interleave,
                        swizzle,
                        promotion,
                        fill});
  for (std::uint64_t &word : map->opaque)
    word = fake->maps.size();
  return driver::success;
}

driver::result launch(const driver::launch_config *config, CUfunc_st *code, void **parameters, void **extra) {
  const std::lock_guard<std::mutex> guard(fake->lock);
  NEEDS_CONTEXT;
  PLANNED("cuLaunchKernelEx");
  const auto *const called = reinterpret_cast<const function *>(code);
  if (called->ordinal != current() || (parameters != nullptr && extra != nullptr))
    return driver::invalid_value;
  launch_record record{called->name, current(), *config, {}, {}};
  record.attributes.assign(config->attributes, config->attributes + config->attribute_count);
  for (std::size_t i = 0; parameters != nullptr && i < fake->parameter_slots.size(); ++i) {
    const auto *const slots = static_cast<const std::uint64_t *>(parameters[i]);
    record.slots.insert(record.slots.end(), slots, slots + fake->parameter_slots[i]);
  }
  if (extra != nullptr) {
    if (reinterpret_cast<std::uintptr_t>(extra[0]) != 1 || reinterpret_cast<std::uintptr_t>(extra[2]) != 2 ||
        extra[4] != nullptr)
      return driver::invalid_value;
    const std::size_t bytes = *static_cast<std::size_t *>(extra[3]);
    record.slots.resize(bytes / 8);
    std::memcpy(record.slots.data(), extra[1], bytes);
  }
  fake->launches.push_back(std::move(record));
  return driver::success;
}

driver::result allocate(driver::address *memory, std::size_t bytes, CUstream_st *) {
  const std::lock_guard<std::mutex> guard(fake->lock);
  NEEDS_CONTEXT;
  PLANNED("cuMemAllocAsync");
  if (bytes > fake->memory_left)
    return driver::out_of_memory;
  *memory = reinterpret_cast<std::uintptr_t>(std::malloc(bytes));
  fake->allocations[*memory] = bytes;
  return driver::success;
}

driver::result release(driver::address memory, CUstream_st *stream) {
  const std::lock_guard<std::mutex> guard(fake->lock);
  NEEDS_CONTEXT;
  fake->frees.emplace_back(memory, stream);
  if (fake->allocations.erase(memory) == 0)
    return driver::invalid_value;
  std::free(reinterpret_cast<void *>(static_cast<std::uintptr_t>(memory)));
  return driver::success;
}

driver::result copy(driver::address to, driver::address from, std::size_t bytes, CUstream_st *) {
  NEEDS_CONTEXT;
  PLANNED("cuMemcpyAsync");
  ++fake->copies;
  std::memcpy(reinterpret_cast<void *>(static_cast<std::uintptr_t>(to)),
              reinterpret_cast<void *>(static_cast<std::uintptr_t>(from)), bytes);
  return driver::success;
}

driver::result set_bytes(driver::address where, unsigned char value, std::size_t bytes, CUstream_st *) {
  NEEDS_CONTEXT;
  PLANNED("cuMemsetD8Async");
  std::memset(reinterpret_cast<void *>(static_cast<std::uintptr_t>(where)), value, bytes);
  return driver::success;
}

driver::result wait_for_stream(CUstream_st *) {
  NEEDS_CONTEXT;
  PLANNED("cuStreamSynchronize");
  ++fake->stream_synchronisations;
  return driver::success;
}

driver::result make_stream(CUstream_st **stream, unsigned) {
  NEEDS_CONTEXT;
  PLANNED("cuStreamCreate");
  static std::uintptr_t next = 0x1000;
  *stream = reinterpret_cast<CUstream_st *>(next++);
  fake->streams.insert(*stream);
  return driver::success;
}

driver::table fake_table() {
  driver::table api;
  api.cuInit = [](unsigned) { return planned("cuInit"); };
  api.cuGetErrorName = error_name;
  api.cuGetErrorString = [](driver::result, const char **text) -> driver::result {
    return *text = "the driver's words", driver::success;
  };
  api.cuDeviceGetCount = [](int *count) -> driver::result {
    return *count = static_cast<int>(fake->gpus.size()), driver::success;
  };
  api.cuDeviceGet = [](driver::device_handle *device, int ordinal) -> driver::result {
    return *device = ordinal, driver::success;
  };
  api.cuDeviceGetName = [](char *name, int size, driver::device_handle device) -> driver::result {
    return std::strncpy(name, fake->gpus[static_cast<std::size_t>(device)].name.c_str(),
                        static_cast<std::size_t>(size)),
           driver::success;
  };
  api.cuDeviceGetAttribute = [](int *value, int attribute, driver::device_handle device) -> driver::result {
    const fake_gpu &gpu = fake->gpus[static_cast<std::size_t>(device)];
    const std::map<int, int> values = {{driver::attribute_major, gpu.arch / 10},
                                       {driver::attribute_minor, gpu.arch % 10},
                                       {driver::attribute_multiprocessors, gpu.multiprocessors},
                                       {driver::attribute_shared_bytes, gpu.shared_bytes}};
    const auto found = values.find(attribute);
    return found == values.end() ? driver::invalid_value : (*value = found->second, driver::success);
  };
  api.cuDeviceGetDefaultMemPool = [](CUmemPoolHandle_st **, driver::device_handle) -> driver::result { return 801; };
  api.cuMemPoolSetAttribute = [](CUmemPoolHandle_st *, int, void *) -> driver::result { return driver::success; };
  api.cuDevicePrimaryCtxRetain = [](CUctx_st **context, driver::device_handle device) -> driver::result {
    PLANNED("cuDevicePrimaryCtxRetain");
    ++fake->retained_contexts;
    return *context = fake_driver::context_of(device), driver::success;
  };
  api.cuCtxGetCurrent = [](CUctx_st **context) -> driver::result {
    return *context = fake_driver::thread_context(), driver::success;
  };
  api.cuCtxSetCurrent = [](CUctx_st *context) -> driver::result {
    return fake_driver::thread_context() = context, driver::success;
  };
  api.cuCtxSynchronize = []() -> driver::result { return planned("cuCtxSynchronize"); };
  api.cuModuleLoadDataEx = load_module;
  api.cuModuleGetFunction = get_function;
  api.cuFuncSetAttribute = set_attribute;
  api.cuTensorMapEncodeTiled = encode_map;
  api.cuOccupancyMaxActiveBlocksPerMultiprocessor = [](int *blocks, CUfunc_st *, int, std::size_t) -> driver::result {
    return ++fake->occupancy_queries, *blocks = 2, driver::success;
  };
  api.cuOccupancyMaxActiveClusters = [](int *clusters, CUfunc_st *, const driver::launch_config *) -> driver::result {
    return ++fake->occupancy_queries, *clusters = 5, planned("cuOccupancyMaxActiveClusters");
  };
  api.cuLaunchKernelEx = launch;
  api.cuMemGetInfo = [](std::size_t *free, std::size_t *total) -> driver::result {
    return *free = fake->memory_left, *total = fake->memory_left, driver::success;
  };
  api.cuMemAllocAsync = allocate;
  api.cuMemFreeAsync = release;
  api.cuMemcpyAsync = copy;
  api.cuMemsetD8Async = set_bytes;
  api.cuStreamCreate = make_stream;
  api.cuStreamDestroy = [](CUstream_st *stream) -> driver::result {
    return fake->streams.erase(stream) == 1 ? driver::success : 400;
  };
  api.cuStreamSynchronize = wait_for_stream;
  api.cuEventCreate = [](CUevent_st **event, unsigned) -> driver::result {
    return *event = reinterpret_cast<CUevent_st *>(std::uintptr_t{7}), driver::success;
  };
  api.cuEventDestroy = [](CUevent_st *) -> driver::result { return driver::success; };
  api.cuEventRecord = [](CUevent_st *, CUstream_st *) -> driver::result { return driver::success; };
  api.cuEventSynchronize = [](CUevent_st *) -> driver::result { return planned("cuEventSynchronize"); };
  api.cuEventElapsedTime = [](float *milliseconds, CUevent_st *, CUevent_st *) -> driver::result {
    return *milliseconds = 2.5F, planned("cuEventElapsedTime");
  };
  return api;
}

} // namespace

CUctx_st *&fake_driver::thread_context() {
  static thread_local CUctx_st *context = nullptr;
  return context;
}

CUctx_st *fake_driver::context_of(int ordinal) {
  return reinterpret_cast<CUctx_st *>(static_cast<std::uintptr_t>(ordinal) + 1);
}

fake_driver::fake_driver(std::vector<fake_gpu> on)
    : api(fake_table()), gpus(std::move(on)), platform_(api, {}), installed_(platform_) {
  fake = this;
  thread_context() = nullptr;
}

fake_driver::~fake_driver() {
  for (const auto &[memory, bytes] : allocations) // what the runtime keeps
    std::free(reinterpret_cast<void *>(static_cast<std::uintptr_t>(memory)));
  fake = nullptr;
}

} // namespace tegula::test
