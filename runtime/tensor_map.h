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

/// What TMA copies: an array, or a view of it whose dimension i is the array's dimension order[i].
struct copied_view {
  abi::view array;
  const int *order;
  bool is_written;

  /// The array's dimension along which the view's rows go.
  int innermost() const noexcept { return order[array.rank - 1]; }
};

/// Why no tensor map describes a view, and the array's dimension where that shows.
struct obstacle {
  enum reason { none, start, length, innermost_stride, written_row, uneven_stride, far_stride };
  reason why = none;
  int axis = 0;
};

/// The first of these: the array does not begin at a multiple of 16 bytes; a dimension is longer than 2^31; the stride
/// of the view's last dimension is not 1; another stride is no multiple of 16 bytes, or 2^40 or more; it is written,
/// and its rows are no multiple of 16 bytes. There is none for an array without elements.
obstacle obstacle_of(const copied_view &copied) noexcept;

/// Throws "<entry>: TMA cannot copy '<name>': ..." if there is an obstacle.
void check_copyable(const char *entry, const char *name, const copied_view &copied);

/// Throws as check_copyable does.
map_encoding encode(const char *entry, const abi::tensor_map &map);

/// Makes the map in 128 bytes at a multiple of 64. The GPU's context is current.
void make_tensor_map(const char *entry, const abi::tensor_map &map, platform &on, const gpu &where, void *into);

} // namespace tegula::runtime

#endif // TEGULA_RUNTIME_TENSOR_MAP_H
