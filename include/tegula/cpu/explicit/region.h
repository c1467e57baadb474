// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type-erased views of memory, as the runtime takes them.

#ifndef TEGULA_CPU_EXPLICIT_REGION_H
#define TEGULA_CPU_EXPLICIT_REGION_H

#include "tegula/cpu/ref.h"

namespace tegula::cpu {

/// Elements in memory: a type-erased ref of any rank.
struct region {
  std::byte *data = nullptr;
  dtype type = dtype::u8;
  int rank = 0;
  std::int64_t dims[max_rank] = {}, strides[max_rank] = {}; ///< Strides in elements.

  std::int64_t element_size() const noexcept { return static_cast<std::int64_t>(size_of(type)); }
  std::int64_t size() const noexcept {
    std::int64_t product = 1;
    for (int i = 0; i < rank; ++i)
      product *= dims[i];
    return product;
  }
  std::int64_t bytes() const noexcept { return size() * element_size(); }
};

/// A box of an array, which may extend past any of its sides.
struct box {
  region array;
  std::int64_t offsets[max_rank] = {}, sizes[max_rank] = {};
};

template <class T, int Rank> region region_of(const ref<T, Rank> &r) noexcept {
  region result;
  // The runtime writes only through regions of refs that a kernel may write.
  result.data = reinterpret_cast<std::byte *>(const_cast<std::remove_const_t<T> *>(r.data()));
  result.type = dtype_of<T>;
  result.rank = Rank;
  for (int i = 0; i < Rank; ++i) {
    result.dims[i] = r.dim(i);
    result.strides[i] = r.strides()[i];
  }
  return result;
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_EXPLICIT_REGION_H
