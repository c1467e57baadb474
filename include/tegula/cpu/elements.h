// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps an address to an element of an array.

#ifndef TEGULA_CPU_ELEMENTS_H
#define TEGULA_CPU_ELEMENTS_H

#include "tegula/cpu/table.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace tegula::cpu {

/// "3, 4"
inline std::string comma_separated(const std::vector<std::int64_t> &numbers) {
  std::string text;
  for (std::int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

/// The name of a program of a launch in messages, by its ids: "program (3, 4)"; without a grid, "the program".
inline std::string describe_program(const std::vector<std::int64_t> &ids) {
  return ids.empty() ? "the program" : "program (" + comma_separated(ids) + ")";
}

/// The index in each dimension, from a linear index in row-major order.
inline std::vector<std::int64_t> unravel(std::int64_t linear, const std::vector<std::int64_t> &dims) {
  std::vector<std::int64_t> index(dims.size());
  for (std::size_t axis = dims.size(); axis-- > 0; linear /= dims[axis])
    index[axis] = linear % dims[axis];
  return index;
}

/// Linear indices, in row-major order, of the elements of an output or of a block of one. Different indices are
/// different elements (call::output), so that an address identifies an element, through whatever windows and transposes
/// it was reached.
template <class T, int Rank> class linear_indices {
public:
  explicit linear_indices(const ref<T, Rank> &of)
      : first_(of.data()), dims_(of.dims()), strides_(of.strides()), steps_(dense_strides(of.dims())) {
    std::iota(by_stride_.begin(), by_stride_.end(), 0);
    std::sort(by_stride_.begin(), by_stride_.end(), [&](int a, int b) { return strides_[a] > strides_[b]; });
    std::int64_t rest = 0;
    for (std::size_t i = by_stride_.size(); i-- > 0;) {
      const int axis = by_stride_[i];
      rests_[i] = rest;
      rest += dims_[axis] > 1 ? (dims_[axis] - 1) * strides_[axis] : 0;
    }
  }

  /// For the arrays of a list, which do not overlap either, though their elements may interleave.
  explicit linear_indices(const table<T, Rank> &of) : linear_indices(ref<T, Rank>(nullptr, of.dims(), of.strides())) {
    for (std::int64_t i = 0; i < of.dim(0); ++i)
      members_.push_back({of.data(i), i});
    std::sort(members_.begin(), members_.end(), is_before);
  }

  const shape<Rank> &dims() const noexcept { return dims_; }
  std::int64_t size() const noexcept { return size_of(dims_); }

  std::int64_t of(reference_t<const T> element) const noexcept { return index_at(pointer_to<const T>(element)); }

  /// Calls `f` with the linear index of each element of a window.
  template <int R, class F> void for_each(const ref<T, R> &window, F f) const {
    if (size_of(window.dims()) == 0)
      return;
    shape<R> steps, index;
    for (int axis = 0; axis < R; ++axis)
      steps[axis] = window.dim(axis) > 1 ? distance(window.strides()[axis]) : 0;
    std::int64_t linear = index_at(window.data());
    for (int axis = R; axis >= 0;) {
      f(linear);
      for (axis = R - 1; axis >= 0; --axis) {
        linear += steps[axis];
        if (++index[axis] < window.dim(axis))
          break;
        linear -= index[axis] * steps[axis];
        index[axis] = 0;
      }
    }
  }

  /// "x[3, 4]"
  std::string describe(const char *array, std::int64_t linear) const {
    const std::vector<std::int64_t> dims(dims_.data(), dims_.data() + Rank);
    return std::string(array) + "[" + comma_separated(unravel(linear, dims)) + "]";
  }

private:
  /// An array of a list: its address, and its number.
  struct member {
    pointer_t<const T> begin;
    std::int64_t number;
  };
  static bool is_before(const member &a, const member &b) noexcept {
    return std::less<>()(address_of(a.begin), address_of(b.begin));
  }

  std::int64_t index_at(pointer_t<const T> element) const noexcept {
    auto next = std::upper_bound(members_.begin(), members_.end(), member{element, 0}, is_before);
    while (next != members_.begin())
      if (--next; has(element - next->begin))
        return next->number * steps_[0] + distance(element - next->begin);
    return distance(element - first_);
  }
  /// Whether an array of a list has an element at this offset from its first one.
  bool has(std::int64_t offset) const noexcept {
    std::int64_t linear = 0;
    return locate(0, offset, linear);
  }
  /// The difference of the linear indices of two elements that are `offset` elements of memory apart.
  std::int64_t distance(std::int64_t offset) const noexcept {
    std::int64_t linear = 0;
    locate(0, offset, linear);
    return linear;
  }
  /// Finds the one index whose element is `offset` from the first one, starting at this axis of by_stride_. If strides
  /// are nested, each stepping over all that the smaller ones reach, there is one candidate per axis.
  bool locate(std::size_t from, std::int64_t offset, std::int64_t &linear) const noexcept {
    if (from == by_stride_.size())
      return offset == 0;
    const int axis = by_stride_[from];
    const std::int64_t stride = strides_[axis], last = dims_[axis] - 1, rest = rests_[from];
    if (last < 1 || stride == 0) // The arrays of a list have a stride of 0.
      return locate(from + 1, offset, linear);
    const std::int64_t least = offset > rest ? (offset - rest + stride - 1) / stride : 0;
    for (std::int64_t index = std::min(offset / stride, last); index >= least; --index) {
      std::int64_t behind = 0;
      if (locate(from + 1, offset - index * stride, behind)) {
        linear = index * steps_[axis] + behind;
        return true;
      }
    }
    return false;
  }

  pointer_t<const T> first_;
  shape<Rank> dims_, strides_, steps_;
  std::array<int, static_cast<std::size_t>(Rank)> by_stride_;      ///< the axes, from the largest stride on
  std::array<std::int64_t, static_cast<std::size_t>(Rank)> rests_; ///< how far the dimensions after each of these reach
  std::vector<member> members_;                                    ///< of a list, in the order of memory
};

} // namespace tegula::cpu

#endif // TEGULA_CPU_ELEMENTS_H
