/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What headers of tegulac --c-abi are written in: DLPack's structs under their own names, in C99 and C++, and the
 * status that functions return. It includes <dlpack/dlpack.h> where that is found. A program that has DLPack's header
 * elsewhere, as PyTorch has it in <ATen/dlpack.h>, includes it before this one.
 *
 * A function <prefix><entry> is an entry of a kernel file. Its parameters, in this order:
 *
 *     const DLTensor *x                    an array that is read; DLTensor *x: one that is written. NULL is an optional
 *                                          array that is left out, and an error for others. Any strides are taken that
 *                                          the entry takes, NULL for those of a dense tensor; nothing is copied
 *     const DLTensor *const *x, int64_t x_count    a list of arrays
 *     bool, int32_t, float, double...      a scalar. One of 16 or 8 bits that is no integer is a float
 *     DLDevice device                      where there is no array to say it
 *     void *stream                         a CUstream or cudaStream_t of the device, NULL for the null stream. Calls on
 *                                          the CPU ignore it: they are done when they return
 *     DLManagedTensorVersioned **result    one for each array that the entry returns: a new tensor, which the caller
 *                                          owns and gives back by result->deleter(result). NULL drops it
 *     float *result...                     one for each scalar that it returns. NULL drops it
 *
 * It returns TEGULA_SUCCESS, or another status: then each tensor that it was to give is NULL, and
 * <prefix>last_error() is the message. It may be called by several threads at once.
 *
 * Work on a GPU is in the stream when a function returns, and need not be done. What wrote an argument on another
 * stream has to be done, or ordered before. A result is written, and its memory freed, in the order of the stream,
 * which therefore outlives it; work on it in other streams is done before its deleter is called.
 */
#ifndef TEGULA_DLPACK_C_H
#define TEGULA_DLPACK_C_H

#include "tegula/dlpack_types.h"

#ifndef __cplusplus
#include <stdbool.h>
#endif

enum tegula_status {
  TEGULA_SUCCESS = 0,
  TEGULA_ERROR = 1, /* what C++ callers get as tegula::error: wrong arguments, too little GPU memory, a failed launch */
  TEGULA_OTHER_ERROR = 2 /* any other exception, as of memory of the CPU that there is not */
};

#ifdef __cplusplus
#ifdef TEGULA_DLPACK_DECLARES_TENSORS
using tegula::dlpack::DLDataType;
using tegula::dlpack::DLDataTypeCode;
using tegula::dlpack::DLDevice;
using tegula::dlpack::DLDeviceType;
using tegula::dlpack::DLManagedTensor;
using tegula::dlpack::DLTensor;

using tegula::dlpack::kDLBfloat;
using tegula::dlpack::kDLBool;
using tegula::dlpack::kDLComplex;
using tegula::dlpack::kDLCPU;
using tegula::dlpack::kDLCUDA;
using tegula::dlpack::kDLCUDAHost;
using tegula::dlpack::kDLCUDAManaged;
using tegula::dlpack::kDLExtDev;
using tegula::dlpack::kDLFloat;
using tegula::dlpack::kDLFloat4_e2m1fn;
using tegula::dlpack::kDLFloat6_e2m3fn;
using tegula::dlpack::kDLFloat6_e3m2fn;
using tegula::dlpack::kDLFloat8_e3m4;
using tegula::dlpack::kDLFloat8_e4m3;
using tegula::dlpack::kDLFloat8_e4m3b11fnuz;
using tegula::dlpack::kDLFloat8_e4m3fn;
using tegula::dlpack::kDLFloat8_e4m3fnuz;
using tegula::dlpack::kDLFloat8_e5m2;
using tegula::dlpack::kDLFloat8_e5m2fnuz;
using tegula::dlpack::kDLFloat8_e8m0fnu;
using tegula::dlpack::kDLHexagon;
using tegula::dlpack::kDLInt;
using tegula::dlpack::kDLMAIA;
using tegula::dlpack::kDLMetal;
using tegula::dlpack::kDLOneAPI;
using tegula::dlpack::kDLOpaqueHandle;
using tegula::dlpack::kDLOpenCL;
using tegula::dlpack::kDLROCM;
using tegula::dlpack::kDLROCMHost;
using tegula::dlpack::kDLTrn;
using tegula::dlpack::kDLUInt;
using tegula::dlpack::kDLVPI;
using tegula::dlpack::kDLVulkan;
using tegula::dlpack::kDLWebGPU;
#endif
#ifdef TEGULA_DLPACK_DECLARES_VERSIONED
using tegula::dlpack::DLManagedTensorVersioned;
using tegula::dlpack::DLPackVersion;
#endif
#endif

#endif /* TEGULA_DLPACK_C_H */
