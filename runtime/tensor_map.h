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

/// Throws "<entry>: TMA cannot copy '<name>': ..." for an array that no tensor map describes: one that does not begin
/// at a multiple of 16 bytes, whose last dimension has a stride other than 1 or another one a stride of no multiple of
/// 16 bytes, or 2^40 or more, or which is longer than 2^31; if it is written, one whose rows are no multiple of 16
/// bytes. An array without elements is described always.
void check_copyable(const char *entry, const char *name, const abi::view &array, bool is_written);

/// Throws as check_copyable does.
map_encoding encode(const char *entry, const abi::tensor_map &map);

/// Makes the map in 128 bytes at a multiple of 64. The GPU's context is current.
void make_tensor_map(const char *entry, const abi::tensor_map &map, platform &on, const gpu &where, void *into);

} // namespace tegula::runtime

#endif // TEGULA_RUNTIME_TENSOR_MAP_H
