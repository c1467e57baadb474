// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver API, as far as the runtime uses it. Declared here, so that building needs no CUDA; found by dlopen,
// so that running on the CPU needs no driver.

#ifndef TEGULA_RUNTIME_DRIVER_H
#define TEGULA_RUNTIME_DRIVER_H

#include <cstddef>
#include <cstdint>
#include <string>

struct CUctx_st;
struct CUevent_st;
struct CUfunc_st;
struct CUmemPoolHandle_st;
struct CUmod_st;
struct CUstream_st;

namespace tegula::driver {

// ----- types and constants of the driver's ABI
// ---------------------------------------------------------------------------------------

using result = int;
using device_handle = int;
using address = unsigned long long;

struct alignas(8) launch_attribute { // CUlaunchAttribute
  int id;
  char padding[4];
  unsigned value[16]; // for launch_cluster: blocks in a cluster along x, y, z; for launch_programmatic and
                      // launch_cooperative: 1
};

struct launch_config { // CUlaunchConfig
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared_bytes;
  CUstream_st *stream;
  launch_attribute *attributes;
  unsigned attribute_count;
};

struct alignas(64) tensor_map { // CUtensorMap
  std::uint64_t opaque[16];
};

inline constexpr result success = 0, invalid_value = 1, out_of_memory = 2, no_device = 100,
                        unsupported_ptx_version = 222, jit_compiler_not_found = 221, not_found = 500,
                        too_many_blocks = 720; // CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE
inline constexpr int attribute_multiprocessors = 16, attribute_major = 75, attribute_minor = 76,
                     attribute_shared_bytes = 97;                                         // CUdevice_attribute
inline constexpr int function_shared_bytes = 8, function_large_cluster = 14;              // CUfunction_attribute
inline constexpr int launch_cooperative = 2, launch_cluster = 4, launch_programmatic = 6; // CUlaunchAttributeID
inline constexpr int pool_release_threshold = 4;                                          // CUmemPool_attribute
inline constexpr int jit_error_log = 5, jit_error_log_bytes = 6;                          // CUjit_option
inline constexpr std::uintptr_t param_end = 0, param_pointer = 1, param_size = 2;         // CU_LAUNCH_PARAM_*

// ----- functions: X(name, exported symbol, parameters)
// ---------------------------------------------------------------------------------

#define TEGULA_DRIVER_FUNCTIONS(X)                                                                                     \
  X(cuInit, "cuInit", (unsigned flags))                                                                                \
  X(cuGetErrorName, "cuGetErrorName", (result code, const char **text))                                                \
  X(cuGetErrorString, "cuGetErrorString", (result code, const char **text))                                            \
  X(cuDeviceGetCount, "cuDeviceGetCount", (int *count))                                                                \
  X(cuDeviceGet, "cuDeviceGet", (device_handle * device, int ordinal))                                                 \
  X(cuDeviceGetName, "cuDeviceGetName", (char *name, int size, device_handle device))                                  \
  X(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int *value, int attribute, device_handle device))                   \
  X(cuDeviceGetDefaultMemPool, "cuDeviceGetDefaultMemPool", (CUmemPoolHandle_st * *pool, device_handle device))        \
  X(cuMemPoolSetAttribute, "cuMemPoolSetAttribute", (CUmemPoolHandle_st * pool, int attribute, void *value))           \
  X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (CUctx_st * *context, device_handle device))                 \
  X(cuCtxGetCurrent, "cuCtxGetCurrent", (CUctx_st * *context))                                                         \
  X(cuCtxSetCurrent, "cuCtxSetCurrent", (CUctx_st * context))                                                          \
  X(cuCtxSynchronize, "cuCtxSynchronize", ())                                                                          \
  X(cuModuleLoadDataEx, "cuModuleLoadDataEx",                                                                          \
    (CUmod_st * *module, const void *image, unsigned count, int *options, void **values))                              \
  X(cuModuleGetFunction, "cuModuleGetFunction", (CUfunc_st * *function, CUmod_st * module, const char *name))          \
  X(cuFuncSetAttribute, "cuFuncSetAttribute", (CUfunc_st * function, int attribute, int value))                        \
  X(cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled",                                                                  \
    (tensor_map * map, int type, unsigned rank, void *base, const std::uint64_t *dims, const std::uint64_t *strides,   \
     const std::uint32_t *box, const std::uint32_t *steps, int interleave, int swizzle, int promotion, int fill))      \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                        \
    (int *blocks, CUfunc_st *function, int threads, std::size_t shared_bytes))                                         \
  X(cuOccupancyMaxActiveClusters, "cuOccupancyMaxActiveClusters",                                                      \
    (int *clusters, CUfunc_st *function, const launch_config *config))                                                 \
  X(cuLaunchKernelEx, "cuLaunchKernelEx",                                                                              \
    (const launch_config *config, CUfunc_st *function, void **parameters, void **extra))                               \
  X(cuMemGetInfo, "cuMemGetInfo_v2", (std::size_t *free, std::size_t *total))                                          \
  X(cuMemAllocAsync, "cuMemAllocAsync", (address * memory, std::size_t bytes, CUstream_st *stream))                    \
  X(cuMemFreeAsync, "cuMemFreeAsync", (address memory, CUstream_st * stream))                                          \
  X(cuMemcpyAsync, "cuMemcpyAsync", (address to, address from, std::size_t bytes, CUstream_st *stream))                \
  X(cuMemsetD8Async, "cuMemsetD8Async", (address where, unsigned char value, std::size_t bytes, CUstream_st *stream))  \
  X(cuStreamCreate, "cuStreamCreate", (CUstream_st * *stream, unsigned flags))                                         \
  X(cuStreamDestroy, "cuStreamDestroy_v2", (CUstream_st * stream))                                                     \
  X(cuStreamSynchronize, "cuStreamSynchronize", (CUstream_st * stream))                                                \
  X(cuEventCreate, "cuEventCreate", (CUevent_st * *event, unsigned flags))                                             \
  X(cuEventDestroy, "cuEventDestroy_v2", (CUevent_st * event))                                                         \
  X(cuEventRecord, "cuEventRecord", (CUevent_st * event, CUstream_st * stream))                                        \
  X(cuEventSynchronize, "cuEventSynchronize", (CUevent_st * event))                                                    \
  X(cuEventElapsedTime, "cuEventElapsedTime", (float *milliseconds, CUevent_st *start, CUevent_st *end))

struct table {
#define TEGULA_DRIVER_FIELD(name, symbol, parameters) result(*name) parameters = nullptr;
  TEGULA_DRIVER_FUNCTIONS(TEGULA_DRIVER_FIELD)
#undef TEGULA_DRIVER_FIELD
};

/// Fills the table from a shared library. Returns what is wrong, or nothing. The library stays loaded.
std::string load(const char *library, table &functions);

/// "CUDA_ERROR_INVALID_VALUE (invalid argument)".
std::string describe(const table &api, result code);

/// The same, and what it means where the code reports the failure of a kernel launched earlier.
std::string explain(const table &api, result code);

} // namespace tegula::driver

#endif // TEGULA_RUNTIME_DRIVER_H
