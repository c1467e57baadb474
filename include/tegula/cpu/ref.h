// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refs of CPU kernels: views of memory. A block of an array is a smaller ref, which ends at the array's end.

#ifndef TEGULA_CPU_REF_H
#define TEGULA_CPU_REF_H

#include "tegula/array.h"

#include <cstring>
#include <utility>

namespace tegula::cpu {

/// A location in the kernel's source, for messages.
struct site {
  const char *file;
  int line;
  int column;
  const char *callers = ""; ///< What that was inlined into, innermost first: "kernels.cpp:12:5, kernels.cpp:30:3".
  const char *array = "";   ///< The array that is accessed; "" if it has no name.
};

inline std::string position_of(const site &where) {
  return std::string(where.file) + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
}
inline std::string callers_of(const site &where) {
  return where.callers[0] != '\0' ? std::string(" (called from ") + where.callers + ")" : "";
}
inline std::string to_string(const site &where) { return position_of(where) + callers_of(where); }

/// "dimension 0 of x", where the array has a name.
inline std::string dimension_of(const site &where, int axis) {
  return "dimension " + std::to_string(axis) + (where.array[0] != '\0' ? std::string(" of ") + where.array : "");
}

/// An access that is out of bounds. What runs the programs adds which program it was.
class out_of_bounds : public error {
public:
  using error::error;
};

/// Throws "<file>:<line>:<column>: <message>", and the call sites if it was inlined.
[[noreturn]] inline void fail(const site &where, const std::string &message) {
  throw error(position_of(where) + ": " + message + callers_of(where));
}

[[noreturn]] inline void fail_out_of_bounds(const site &where, const std::string &message) {
  throw out_of_bounds(position_of(where) + ": " + message + callers_of(where));
}

/// Reports a slice that starts before its array.
[[noreturn]] inline void fail_before(const site &where, int axis, std::int64_t start) {
  fail_out_of_bounds(where, "a slice of " + dimension_of(where, axis) + " starts at " + std::to_string(start) +
                                ", before the array: clamp the start, or mask the elements out of bounds");
}

/// The step of a slice must be positive.
inline void check_step(const site &where, int axis, std::int64_t step) {
  if (step < 1)
    fail(where, "a slice of dimension " + std::to_string(axis) + " has the step " + std::to_string(step) +
                    ": a step must be 1 or more; to reverse a tile, use tg::flip");
}

/// Reports an index that is out of bounds.
[[noreturn]] inline void fail_outside(const site &where, int axis, std::int64_t index, std::int64_t dim) {
  fail_out_of_bounds(where, "index " + std::to_string(index) + " is out of bounds of " + dimension_of(where, axis) +
                                ", which has " + std::to_string(dim) + " elements");
}

inline void check_index(const site &where, int axis, std::int64_t index, std::int64_t dim) {
  if (index < 0 || index >= dim)
    fail_outside(where, axis, index, dim);
}

/// The number of the elements start, start + step, ... that are inside a dimension, at most `size`. A start below 0 is
/// an error of the kernel.
inline std::int64_t count_inside(const site &where, int axis, std::int64_t start, std::int64_t size, std::int64_t step,
                                 std::int64_t dim) {
  if (start < 0)
    fail_before(where, axis, start);
  check_step(where, axis, step);
  const std::int64_t there = start < dim ? (dim - 1 - start) / step + 1 : 0;
  return size < 0 ? 0 : size < there ? size : there;
}

/// The dimensions, or their strides, without one.
template <int Rank> shape<Rank - 1> without(const shape<Rank> &of, int axis) noexcept {
  shape<Rank - 1> rest;
  for (int i = 0; i < Rank - 1; ++i)
    rest[i] = of[i < axis ? i : i + 1];
  return rest;
}

/// A pointer, an extent and a stride (in elements) per dimension. Cheap to copy.
template <class T, int Rank> class ref {
public:
  using element = std::remove_const_t<T>;
  static constexpr int rank = Rank;

  ref(pointer_t<T> data, const shape<Rank> &dims, const shape<Rank> &strides) noexcept
      : data_(data), dims_(dims), strides_(strides) {}
  template <class U, class = std::enable_if_t<std::is_same_v<U, T> || std::is_same_v<const U, T>>>
  ref(const array<U, Rank> &a) noexcept : ref(a.data(), a.dims(), a.strides()) {}
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
  ref(const ref<U, Rank> &r) noexcept : ref(r.data(), r.dims(), r.strides()) {}
  /// From an owner of elements: a buffer, a tile.
  template <class Owner, class View = std::decay_t<decltype(std::declval<Owner &>().view())>,
            class = std::enable_if_t<std::is_convertible_v<View, ref>>>
  ref(Owner &owner) noexcept : ref(static_cast<ref>(owner.view())) {}

  pointer_t<T> data() const noexcept { return data_; }
  const shape<Rank> &dims() const noexcept { return dims_; }
  const shape<Rank> &strides() const noexcept { return strides_; }
  std::int64_t dim(int axis) const noexcept { return dims_[axis]; }

  /// The element at indices that are known to be in bounds: those of a loop over the extents.
  template <class... I> reference_t<T> operator()(I... index) const noexcept {
    static_assert(sizeof...(I) == Rank, "one index per dimension");
    [[maybe_unused]] int axis = 0;
    std::int64_t offset = 0;
    ((offset += static_cast<std::int64_t>(index) * strides_[axis++]), ...);
    return data_[offset];
  }
  reference_t<T> at(const shape<Rank> &index) const noexcept {
    std::int64_t offset = 0;
    for (int axis = 0; axis < Rank; ++axis)
      offset += index[axis] * strides_[axis];
    return data_[offset];
  }

  /// The element, or, where a sub-tile extends past the edge, a value that nothing may depend on: NaN, or meaningless
  /// bits.
  template <class... I> element padded(I... index) const noexcept {
    [[maybe_unused]] int axis = 0;
    if (((static_cast<std::int64_t>(index) < dims_[axis++]) && ...))
      return (*this)(index...);
    const bool is_odd = ((static_cast<std::int64_t>(index) + ...) & 1) != 0;
    if constexpr (std::is_same_v<element, bool>)
      return is_odd;
    else if constexpr (is_packed<element>)
      return element::from_bits(is_odd ? 0x5 : 0xa);
    element other;
    std::memset(static_cast<void *>(&other), std::is_integral_v<element> ? (is_odd ? 0xa5 : 0x5a) : 0xff, sizeof other);
    return other;
  }

  /// The elements start, start + step, ... of a dimension: `size` of them, or as many as exist. A start below 0 is an
  /// error of the kernel.
  ref window(const site &where, int axis, std::int64_t start, std::int64_t size, std::int64_t step = 1) const {
    ref result = *this;
    result.dims_[axis] = count_inside(where, axis, start, size, step, dims_[axis]);
    if (result.dims_[axis] > 1) // The stride of one element is never used, and a large step would overflow.
      result.strides_[axis] = strides_[axis] * step;
    if (result.dims_[axis] > 0) // An empty window is not moved: no pointer outside the array is formed.
      result.data_ += start * strides_[axis];
    return result;
  }

  /// `size` elements of a dimension, which must all be in bounds: otherwise it is an error of the kernel.
  ref part(const site &where, int axis, std::int64_t start, std::int64_t size) const {
    if (start < 0 || start > dims_[axis] - size)
      fail_out_of_bounds(where, "elements " + std::to_string(start) + " to " + std::to_string(start + size - 1) +
                                    " are out of bounds of " + dimension_of(where, axis) + ", which has " +
                                    std::to_string(dims_[axis]));
    return window(where, axis, start, size);
  }

  /// The dimensions permuted: axis i of the result is axis order[i].
  ref transpose(const shape<Rank> &order) const noexcept {
    ref result = *this;
    for (int i = 0; i < Rank; ++i) {
      result.dims_[i] = dims_[static_cast<int>(order[i])];
      result.strides_[i] = strides_[static_cast<int>(order[i])];
    }
    return result;
  }

  /// Selects one index of a dimension, which is removed. An index out of bounds is an error of the kernel.
  template <int R = Rank> ref<T, R - 1> select(const site &where, int axis, std::int64_t index) const {
    static_assert(R == Rank && Rank > 0, "a ref of rank 0 has no dimension to select from");
    check_index(where, axis, index, dims_[axis]);
    return {data_ + index * strides_[axis], without(dims_, axis), without(strides_, axis)};
  }

private:
  pointer_t<T> data_;
  shape<Rank> dims_, strides_;
};

template <class T, int Rank> ref(const array<T, Rank> &) -> ref<T, Rank>;

/// An integer that a kernel promises to be a multiple of a constant.
inline std::int64_t multiple_of(const site &where, std::int64_t value, std::int64_t of) {
  if (value % of != 0)
    fail(where,
         std::to_string(value) + " is not a multiple of " + std::to_string(of) + ", as tg::multiple_of promises");
  return value;
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_REF_H
