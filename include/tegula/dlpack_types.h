/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The structs of DLPack 1.1, in C99 and C++: of <dlpack/dlpack.h> where that was included before or is found, else
 * declared here with the same layout (in C++ in namespace tegula::dlpack). C includes dlpack_c.h, C++ dlpack.h.
 */
#ifndef TEGULA_DLPACK_TYPES_H
#define TEGULA_DLPACK_TYPES_H

#include <stdint.h>

#if !defined(DLPACK_DLPACK_H_) && defined(__has_include)
#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#endif
#endif

/* Which of the structs are declared here. One older than DLPack 1.0 has no versioned tensors. */
#ifndef DLPACK_DLPACK_H_
#define TEGULA_DLPACK_DECLARES_TENSORS 1
#define TEGULA_DLPACK_DECLARES_VERSIONED 1
#elif !defined(DLPACK_MAJOR_VERSION)
#define TEGULA_DLPACK_DECLARES_VERSIONED 1
#elif DLPACK_MAJOR_VERSION < 1
#define TEGULA_DLPACK_DECLARES_VERSIONED 1
#elif DLPACK_MAJOR_VERSION > 1
#error "this <dlpack/dlpack.h> is of DLPack 2 or newer, and Tegula knows DLPack 1: include one of version 1.x before"
#endif

#ifdef __cplusplus
namespace tegula {
namespace dlpack {
#endif

#ifdef TEGULA_DLPACK_DECLARES_TENSORS

#ifdef __cplusplus
typedef enum : int32_t {
#else
typedef enum {
#endif
  kDLCPU = 1,
  kDLCUDA = 2,
  kDLCUDAHost = 3, /* pinned memory of the CPU */
  kDLOpenCL = 4,
  kDLVulkan = 7,
  kDLMetal = 8,
  kDLVPI = 9,
  kDLROCM = 10,
  kDLROCMHost = 11,
  kDLExtDev = 12,
  kDLCUDAManaged = 13,
  kDLOneAPI = 14,
  kDLWebGPU = 15,
  kDLHexagon = 16,
  kDLMAIA = 17,
  kDLTrn = 18
} DLDeviceType;

typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;

typedef enum {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLOpaqueHandle = 3,
  kDLBfloat = 4,
  kDLComplex = 5,
  kDLBool = 6,
  kDLFloat8_e3m4 = 7,
  kDLFloat8_e4m3 = 8,
  kDLFloat8_e4m3b11fnuz = 9,
  kDLFloat8_e4m3fn = 10,
  kDLFloat8_e4m3fnuz = 11,
  kDLFloat8_e5m2 = 12,
  kDLFloat8_e5m2fnuz = 13,
  kDLFloat8_e8m0fnu = 14,
  kDLFloat6_e2m3fn = 15,
  kDLFloat6_e3m2fn = 16,
  kDLFloat4_e2m1fn = 17
} DLDataTypeCode;

typedef struct {
  uint8_t code; /* a DLDataTypeCode */
  uint8_t bits; /* of a lane */
  uint16_t lanes;
} DLDataType;

/* A view: it owns nothing. */
typedef struct {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;       /* ndim extents */
  int64_t *strides;     /* in elements; NULL: dense, row-major */
  uint64_t byte_offset; /* from data to the first element */
} DLTensor;

/* A tensor and who gives it back: deleter(self), once, unless that is NULL. */
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

#elif defined(__cplusplus)
using ::DLDataType;
using ::DLDevice;
using ::DLDeviceType;
using ::DLManagedTensor;
using ::DLTensor;
#endif

#ifdef TEGULA_DLPACK_DECLARES_VERSIONED

typedef struct {
  uint32_t major;
  uint32_t minor;
} DLPackVersion;

#define DLPACK_FLAG_BITMASK_READ_ONLY (1UL << 0UL)
#define DLPACK_FLAG_BITMASK_IS_COPIED (1UL << 1UL)

/* The same of DLPack 1.0 and later. Of another major version than 1, only deleter may be used. */
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *self);
  uint64_t flags; /* of DLPACK_FLAG_BITMASK_... */
  DLTensor dl_tensor;
} DLManagedTensorVersioned;

#elif defined(__cplusplus)
using ::DLManagedTensorVersioned;
using ::DLPackVersion;
#endif

#ifdef __cplusplus
} /* namespace dlpack */
} /* namespace tegula */
#endif

#endif /* TEGULA_DLPACK_TYPES_H */
