// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps: what TMA copies boxes of an array by.

#ifndef TEGULA_RUNTIME_TENSOR_MAP_H
#define TEGULA_RUNTIME_TENSOR_MAP_H

#include "platform.h"

namespace tegula::runtime {

/// What cuTensorMapEncodeTiled is told. Dimensions are CUDA's: the innermost is the first.
struct map_encoding {
  int type; // CUtensorMapDataType
  unsigned rank;
  driver::address base;
  std::uint64_t dims[5];
  std::uint64_t strides[4]; // in bytes, from the second dimension on
  std::uint32_t box[5];
  int swizzle; // CUtensorMapSwizzle
};

/// Throws "<entry>: TMA cannot copy '<name>': ..." for an array that no tensor map describes.
map_encoding encode(const char *entry, const abi::tensor_map &map);

/// Makes the map in 128 bytes at a multiple of 64. The GPU's context is current.
void make_tensor_map(const char *entry, const abi::tensor_map &map, platform &on, const gpu &where, void *into);

} // namespace tegula::runtime

#endif // TEGULA_RUNTIME_TENSOR_MAP_H
