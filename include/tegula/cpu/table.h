// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of arrays in CPU kernels.

#ifndef TEGULA_CPU_TABLE_H
#define TEGULA_CPU_TABLE_H

#include "tegula/cpu/ref.h"

namespace tegula::cpu {

/// The same window of all arrays of a list. Its first dimension counts them. Cheap to copy.
template <class T, int Rank> class table {
public:
  using element = std::remove_const_t<T>;
  static constexpr int rank = Rank;

  /// `offset`, in elements, is the start of the window in each array.
  table(void *const *pointers, const shape<Rank> &dims, const shape<Rank> &strides, std::int64_t offset = 0) noexcept
      : pointers_(pointers), dims_(dims), strides_(strides), offset_(offset) {}
  /// From an abi::array_list.
  template <class List, class = decltype(std::declval<const List &>().address_bits())>
  table(const List &list) noexcept : table(list.pointers(), list.dims(), list.strides()) {}

  const shape<Rank> &dims() const noexcept { return dims_; }
  const shape<Rank> &strides() const noexcept { return strides_; }
  std::int64_t dim(int axis) const noexcept { return dims_[axis]; }
  /// The start of an array, or of its window.
  T *data(std::int64_t number) const noexcept { return static_cast<T *>(pointers_[number]) + offset_; }

  /// As for a ref; along the first dimension, of the arrays themselves.
  table window(const site &where, int axis, std::int64_t start, std::int64_t size) const {
    table result = *this;
    result.dims_[axis] = count_inside(where, axis, start, size, /*step=*/1, dims_[axis]);
    if (result.dims_[axis] > 0 && axis == 0)
      result.pointers_ += start;
    else if (result.dims_[axis] > 0)
      result.offset_ += start * strides_[axis];
    return result;
  }
  /// Selects one index of a dimension other than the first.
  table<T, Rank - 1> select(const site &where, int axis, std::int64_t index) const {
    check_index(where, axis, index, dims_[axis]);
    return {pointers_, without(dims_, axis), without(strides_, axis), offset_ + index * strides_[axis]};
  }

  /// The window of one array.
  ref<T, Rank - 1> member(const site &where, std::int64_t number) const {
    check_index(where, 0, number, dims_[0]);
    return {data(number), without(dims_, 0), without(strides_, 0)};
  }
  /// The same as a window of at most one array.
  ref<T, Rank> block(const site &where, std::int64_t number) const {
    const table one = window(where, 0, number, 1);
    return {one.dims_[0] > 0 ? one.data(0) : nullptr, one.dims_, one.strides_};
  }

private:
  void *const *pointers_;
  shape<Rank> dims_, strides_;
  std::int64_t offset_;
};

} // namespace tegula::cpu

#endif // TEGULA_CPU_TABLE_H
