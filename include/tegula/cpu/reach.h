// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refs that only masked accesses may take out of bounds, and these accesses.

#ifndef TEGULA_CPU_REACH_H
#define TEGULA_CPU_REACH_H

#include "tegula/cpu/ref.h"

#include <algorithm>

namespace tegula::cpu {

namespace detail {

/// A slice that leaves its array.
struct departure {
  site where = {"", 0, 0};
  int axis = 0;
  std::int64_t index = 0, dim = -1; ///< of a window: -1

  [[noreturn]] void report() const {
    if (dim < 0)
      fail_before(where, axis, index);
    fail_outside(where, axis, index, dim);
  }
};

template <int Rank, class Place> bool is_within(const Place &place, const shape<Rank> &index) noexcept {
  bool result = true;
  for (int axis = 0; axis < Rank; ++axis)
    result &= index[axis] < place.dim(axis);
  return result;
}

} // namespace detail

/// A window that may start before its array, or select an index out of bounds. Only elements where the mask is true are
/// accessed; if one of them is out of bounds, it is an error of the kernel, reported where the window leaves the array.
template <class T, int Rank> class reach {
public:
  using element = std::remove_const_t<T>;
  static constexpr int rank = Rank;

  reach(const ref<T, Rank> &from) noexcept : base_(from.data()), dims_(from.dims()), strides_(from.strides()) {}

  /// As for a ref: elements beyond the end do not count, those before the start do.
  std::int64_t dim(int axis) const noexcept { return dims_[axis]; }

  reach window(const site &where, int axis, std::int64_t start, std::int64_t size, std::int64_t step = 1) const {
    check_step(where, axis, step);
    reach result = *this;
    size = std::max<std::int64_t>(size, 0);
    const bool is_before =
        start < 0 && -(start + 1) / step >= size; // The whole window; sums with such a start may overflow.
    const auto up_to = [&](std::int64_t end) { return start < end ? (end - 1 - start) / step + 1 : 0; };
    result.dims_[axis] = is_before ? size : std::min(up_to(dims_[axis]), size);
    result.first_[axis] = is_before ? size : up_to(first_[axis]);
    if (!is_before && result.dims_[axis] > 0)
      result.offset_ += start * strides_[axis];
    if (result.dims_[axis] > 1) // As in ref.
      result.strides_[axis] = strides_[axis] * step;
    if (result.first_[axis] > 0)
      result.left_ = {where, axis, start, -1};
    return result;
  }

  template <int R = Rank> reach<T, R - 1> select(const site &where, int axis, std::int64_t index) const noexcept {
    static_assert(R == Rank && Rank > 0, "a place of rank 0 has no dimension to select from");
    reach<T, R - 1> result;
    for (int i = 0; i < Rank - 1; ++i) {
      const int from = i < axis ? i : i + 1;
      result.dims_[i] = dims_[from];
      result.strides_[i] = strides_[from];
      result.first_[i] = first_[from];
    }
    const bool is_there = index >= first_[axis] && index < dims_[axis];
    result.base_ = base_;
    result.offset_ = is_there ? offset_ + index * strides_[axis] : 0;
    result.is_nowhere_ = is_nowhere_ || !is_there;
    result.left_ = is_there ? left_ : detail::departure{where, axis, index, dims_[axis]};
    return result;
  }

  /// An element within the extents, where the mask is true.
  reference_t<T> at(const shape<Rank> &index) const {
    bool is_there = !is_nowhere_;
    std::int64_t offset = offset_;
    for (int axis = 0; axis < Rank; ++axis) {
      is_there &= index[axis] >= first_[axis];
      offset += index[axis] * strides_[axis];
    }
    if (!is_there)
      left_.report();
    return base_[offset];
  }
  template <class... I> reference_t<T> operator()(I... index) const {
    static_assert(sizeof...(I) == Rank, "one index per dimension");
    return at(shape<Rank>{static_cast<std::int64_t>(index)...});
  }

  /// Whether the window's indices are in bounds. Then `inside` is the part inside the array.
  bool is_somewhere() const noexcept { return !is_nowhere_; }
  ref<T, Rank> inside() const noexcept {
    shape<Rank> dims;
    std::int64_t offset = offset_;
    for (int axis = 0; axis < Rank; ++axis) {
      dims[axis] = std::max<std::int64_t>(dims_[axis] - first_[axis], 0);
      offset += dims[axis] > 0 ? first_[axis] * strides_[axis] : 0;
    }
    return {base_ + offset, dims, strides_};
  }

private:
  template <class, int> friend class reach;
  reach() = default;

  pointer_t<T> base_ = nullptr;
  std::int64_t offset_ = 0;
  shape<Rank> dims_ = {}, strides_ = {};
  /// Elements with lower indices lie before the array, or before the enclosing window.
  shape<Rank> first_ = {};
  bool is_nowhere_ = false;
  /// The last slice that leaves the array.
  detail::departure left_;
};

template <class T, int Rank> reach(const ref<T, Rank> &) -> reach<T, Rank>;

/// The element at an index where the mask is true and the index is not beyond the array's end, else `other`.
template <class T, int Rank>
std::remove_const_t<T> load(const ref<T, Rank> &from, const shape<Rank> &index, bool mask,
                            std::remove_const_t<T> other) noexcept {
  return mask && detail::is_within(from, index) ? std::remove_const_t<T>(from.at(index)) : other;
}
template <class T, int Rank>
std::remove_const_t<T> load(const reach<T, Rank> &from, const shape<Rank> &index, bool mask,
                            std::remove_const_t<T> other) {
  return mask && detail::is_within(from, index) ? std::remove_const_t<T>(from.at(index)) : other;
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_REACH_H
