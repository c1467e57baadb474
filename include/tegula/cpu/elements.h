// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which element of an array an address is.

#ifndef TEGULA_CPU_ELEMENTS_H
#define TEGULA_CPU_ELEMENTS_H

#include "tegula/cpu/ref.h"

#include <algorithm>
#include <array>
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

/// What reports call a program of a launch by its ids: "program (3, 4)"; without a grid, "the program".
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
/// different elements (call::output), so that an address says which element it is of, through whichever windows and
/// transposes it was found.
template <class T, int Rank> class linear_indices {
public:
  explicit linear_indices(const ref<T, Rank> &of)
      : first_(of.data()), dims_(of.dims()), strides_(of.strides()), steps_(dense_strides(of.dims())) {
    std::iota(by_stride_.begin(), by_stride_.end(), 0);
    std::sort(by_stride_.begin(), by_stride_.end(), [&](int a, int b) { return strides_[a] > strides_[b]; });
  }

  const shape<Rank> &dims() const noexcept { return dims_; }
  std::int64_t size() const noexcept { return size_of(dims_); }

  std::int64_t of(reference_t<const T> element) const noexcept {
    return distance(pointer_to<const T>(element) - first_);
  }

  /// Calls `f` with the linear index of each element of a window.
  template <int R, class F> void for_each(const ref<T, R> &window, F f) const {
    if (size_of(window.dims()) == 0)
      return;
    shape<R> steps, index;
    for (int axis = 0; axis < R; ++axis)
      steps[axis] = window.dim(axis) > 1 ? distance(window.strides()[axis]) : 0;
    std::int64_t linear = distance(window.data() - first_);
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
  /// How far apart the linear indices of two elements are that are `offset` elements of memory apart. A stride steps
  /// over all that the smaller ones reach.
  std::int64_t distance(std::int64_t offset) const noexcept {
    std::int64_t result = 0;
    for (int axis : by_stride_)
      if (dims_[axis] > 1) {
        result += offset / strides_[axis] * steps_[axis];
        offset %= strides_[axis];
      }
    return result;
  }

  pointer_t<const T> first_;
  shape<Rank> dims_, strides_, steps_;
  std::array<int, static_cast<std::size_t>(Rank)> by_stride_; ///< the axes, from the largest stride on
};

} // namespace tegula::cpu

#endif // TEGULA_CPU_ELEMENTS_H
