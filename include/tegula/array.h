// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of memory: shape, array, and lists of arrays. Part of runtime.h; header-only, without the driver.

#ifndef TEGULA_ARRAY_H
#define TEGULA_ARRAY_H

#include "tegula/packed.h"

#include <initializer_list>
#include <vector>

namespace tegula {

inline constexpr int max_rank = 6;

/// One 64-bit integer per dimension: the extents of an array, or its strides. Written as {rows, columns}, of any
/// integer types.
template <int Rank> class shape {
  static_assert(Rank >= 0 && Rank <= max_rank, "the rank is out of range: arrays have rank 0 to 6");

public:
  /// All zero.
  constexpr shape() noexcept = default;
  template <class... I, class = std::enable_if_t<(sizeof...(I) == Rank && Rank > 0 && (std::is_integral_v<I> && ...))>>
  constexpr shape(I... values) noexcept : values_{static_cast<std::int64_t>(values)...} {}

  constexpr std::int64_t &operator[](int axis) noexcept { return values_[axis]; }
  constexpr std::int64_t operator[](int axis) const noexcept { return values_[axis]; }
  constexpr const std::int64_t *data() const noexcept { return values_; }
  static constexpr int size() noexcept { return Rank; }

  friend constexpr bool operator==(const shape &a, const shape &b) noexcept {
    for (int i = 0; i < Rank; ++i)
      if (a[i] != b[i])
        return false;
    return true;
  }
  friend constexpr bool operator!=(const shape &a, const shape &b) noexcept { return !(a == b); }

private:
  std::int64_t values_[static_cast<std::size_t>(Rank > 0 ? Rank : 1)] = {};
};

/// The product of the extents. It wraps if it overflows 64 bits; entries refuse such arrays.
template <int Rank> constexpr std::int64_t size_of(const shape<Rank> &dims) noexcept {
  std::uint64_t size = 1;
  for (int i = 0; i < Rank; ++i)
    size *= static_cast<std::uint64_t>(dims[i]);
  return static_cast<std::int64_t>(size);
}

/// The strides, in elements, of a contiguous row-major array: the last one is 1.
template <int Rank> constexpr shape<Rank> dense_strides(const shape<Rank> &dims) noexcept {
  shape<Rank> strides;
  std::uint64_t step = 1;
  for (int i = Rank - 1; i >= 0; --i) {
    strides[i] = static_cast<std::int64_t>(step);
    step *= static_cast<std::uint64_t>(dims[i]);
  }
  return strides;
}

/// The strides of a contiguous array of Ts: dense_strides, except that rows of packed elements (packed.h) take whole
/// bytes.
template <class T, int Rank> constexpr shape<Rank> strides_of(shape<Rank> dims) noexcept {
  if constexpr (Rank > 0)
    dims[Rank - 1] = row_pitch<T>(dims[Rank - 1]);
  return dense_strides(dims);
}

/// The bytes of a contiguous array of Ts. They wrap if they overflow 64 bits.
template <class T, int Rank> constexpr std::int64_t bytes_of(shape<Rank> dims) noexcept {
  if constexpr (Rank > 0)
    dims[Rank - 1] = row_pitch<T>(dims[Rank - 1]);
  const std::int64_t size = size_of(dims);
  return is_packed<T> ? (size + 1) / 2 : size * static_cast<std::int64_t>(sizeof(T));
}

/// "(3, 4)".
template <int Rank> std::string to_string(const shape<Rank> &dims) {
  std::string text = "(";
  for (int i = 0; i < Rank; ++i)
    text += (i > 0 ? ", " : "") + std::to_string(dims[i]);
  return text + ")";
}

/// A view of memory: a pointer, an extent and a stride (in elements) per dimension, and the device. It owns nothing and
/// is cheap to copy. Strides may be negative or 0 here; entries refuse negative ones, and 0 for arrays that they write.
/// Different threads may use copies freely. Elements of 4 bits are packed two to a byte: packed.h.
template <class T, int Rank> class array {
  static_assert(Rank >= 0 && Rank <= max_rank, "the rank is out of range: arrays have rank 0 to 6");
  static_assert(static_cast<int>(dtype_of<T>) >= 0,
                "this is not an element type of Tegula: see dtype_of in tegula/types.h");

public:
  using element = std::remove_const_t<T>;
  static constexpr int rank = Rank;

  /// No memory: all extents are 0 (at rank 0, a null element, which entries refuse).
  array() noexcept = default;
  /// Contiguous, row-major. `data` is memory of `where` and must outlive the view; it may be null if an extent is 0.
  array(pointer_t<T> data, const shape<Rank> &dims, tegula::device where = {}) noexcept
      : data_(data), dims_(dims), strides_(strides_of<T>(dims)), device_(where) {}
  array(pointer_t<T> data, const shape<Rank> &dims, const shape<Rank> &strides, tegula::device where = {}) noexcept
      : data_(data), dims_(dims), strides_(strides), device_(where) {}
  /// A view of mutable elements converts to a view of const elements.
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
  array(const array<U, Rank> &other) noexcept : array(other.data(), other.dims(), other.strides(), other.device()) {}

  pointer_t<T> data() const noexcept { return data_; }
  const shape<Rank> &dims() const noexcept { return dims_; }
  const shape<Rank> &strides() const noexcept { return strides_; }
  std::int64_t dim(int axis) const noexcept { return dims_[axis]; }
  /// In elements.
  std::int64_t stride(int axis) const noexcept { return strides_[axis]; }
  tegula::device device() const noexcept { return device_; }
  /// The number of elements.
  std::int64_t size() const noexcept { return size_of(dims_); }

  /// The element at one index per dimension. Unchecked; CPU arrays only.
  template <class... I> reference_t<T> operator()(I... index) const noexcept {
    static_assert(sizeof...(I) == Rank, "the number of indices differs from the rank: pass one per dimension");
    [[maybe_unused]] int axis = 0;
    std::int64_t offset = 0;
    ((offset += static_cast<std::int64_t>(index) * strides_[axis++]), ...);
    return data_[offset];
  }

  /// The elements start, start + step, ... along one dimension, `size` of them, which must all be in bounds.
  array slice(int axis, std::int64_t start, std::int64_t size, std::int64_t step = 1) const {
    check_axis("slice", axis);
    // In this order nothing overflows: (dim - 1 - start) / step is the last valid index.
    const bool inside =
        start >= 0 && size >= 0 && step >= 1 &&
        (size == 0 ? start <= dims_[axis] : start < dims_[axis] && size - 1 <= (dims_[axis] - 1 - start) / step);
    if (!inside)
      throw error("slice: " + std::to_string(size) + " elements from " + std::to_string(start) + " by steps of " +
                  std::to_string(step) + " are out of bounds of dimension " + std::to_string(axis) +
                  " of an array of shape " + to_string(dims_));
    array result = *this;
    if (size > 0)
      result.data_ += start * strides_[axis];
    result.dims_[axis] = size;
    if (size > 1) // The stride of one element is never used, and a large step would overflow.
      result.strides_[axis] = strides_[axis] * step;
    return result;
  }

  /// Selects one index of one dimension, which is removed.
  template <int R = Rank> array<T, R - 1> select(int axis, std::int64_t index) const {
    static_assert(R == Rank && Rank > 0, "an array of rank 0 has no dimension to select from");
    check_axis("select", axis);
    if (index < 0 || index >= dims_[axis])
      throw error("select: index " + std::to_string(index) + " is out of bounds of dimension " + std::to_string(axis) +
                  " of an array of shape " + to_string(dims_));
    shape<R - 1> dims, strides;
    for (int i = 0; i < Rank - 1; ++i) {
      dims[i] = dims_[i < axis ? i : i + 1];
      strides[i] = strides_[i < axis ? i : i + 1];
    }
    return {size() > 0 ? data_ + index * strides_[axis] : data_, dims, strides, device_};
  }

  /// Dimension i of the result is dimension axes[i] of this array.
  template <class... I> array permuted(I... axes) const {
    static_assert(sizeof...(I) == Rank, "the number of axes differs from the rank: pass one per dimension");
    const shape<Rank> order{axes...};
    array result = *this;
    unsigned seen = 0;
    for (int i = 0; i < Rank; ++i) {
      if (order[i] < 0 || order[i] >= Rank || (seen >> order[i] & 1U) != 0)
        throw error("permuted: " + to_string(order) + " is not a permutation of the axes of an array of rank " +
                    std::to_string(Rank));
      seen |= 1U << order[i];
      result.dims_[i] = dims_[static_cast<int>(order[i])];
      result.strides_[i] = strides_[static_cast<int>(order[i])];
    }
    return result;
  }

  /// The dimensions in reverse order.
  array transpose() const noexcept {
    array result = *this;
    for (int i = 0; i < Rank; ++i) {
      result.dims_[i] = dims_[Rank - 1 - i];
      result.strides_[i] = strides_[Rank - 1 - i];
    }
    return result;
  }

private:
  void check_axis(const char *function, int axis) const {
    if (axis < 0 || axis >= Rank)
      throw error(std::string(function) + ": axis " + std::to_string(axis) + " of an array of rank " +
                  std::to_string(Rank));
  }

  pointer_t<T> data_ = nullptr;
  shape<Rank> dims_, strides_;
  tegula::device device_;
};

namespace detail {
inline void *meta_address() noexcept { return reinterpret_cast<void *>(std::uintptr_t{4096}); }
} // namespace detail

/// The pointer of an array on device::meta(): not null, never dereferenced.
template <class T> pointer_t<T> meta_pointer() noexcept { return pointer_at<T>(detail::meta_address()); }

/// A list of arrays of one shape, each at its own address on one device: the argument of a tg::arrays parameter of an
/// entry (language/ref.h). It owns no elements; it keeps a pointer for each array.
///
///     step({p0, p1, p2}, {g0, g1, g2}, 0.1f);       // arrays, or buffers, where an entry takes lists
///     tegula::arrays<float, 1> all(parameters);     // from a std::vector of them, or any other range
///
/// Throws if an array differs from the first one in shape, strides or device; strides are compared only in dimensions
/// with several elements.
template <class T, int Rank> class arrays {
  static_assert(Rank >= 0 && Rank < max_rank, "the rank is out of range: the arrays of a list have rank 0 to 5");
  static_assert(!is_packed<T>, "a list cannot have elements of 4 bits: use elements of whole bytes");

  template <class List, class = void> struct is_list : std::false_type {};
  template <class List>
  struct is_list<List,
                 std::enable_if_t<std::is_convertible_v<decltype(*std::begin(std::declval<List &>())), array<T, Rank>>>>
      : std::true_type {};

public:
  using element = std::remove_const_t<T>;
  static constexpr int rank = Rank;

  /// No arrays, with extents 0.
  arrays() noexcept = default;
  /// No arrays, with the given shape, which entries may check against other arguments.
  explicit arrays(const shape<Rank> &dims) noexcept : dims_(dims), strides_(strides_of<T>(dims)) {}
  arrays(std::initializer_list<array<T, Rank>> list) { add_all(list); }
  template <class List, class = std::enable_if_t<is_list<List>::value>> arrays(List &&list) { add_all(list); }
  /// A list of mutable arrays converts to a list of const arrays.
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
  arrays(const arrays<U, Rank> &other)
      : pointers_(other.pointers(), other.pointers() + other.size()), dims_(other.dims()), strides_(other.strides()),
        device_(other.device()) {}

  /// The number of arrays.
  std::int64_t size() const noexcept { return static_cast<std::int64_t>(pointers_.size()); }
  /// The extents of each array.
  const shape<Rank> &dims() const noexcept { return dims_; }
  const shape<Rank> &strides() const noexcept { return strides_; }
  tegula::device device() const noexcept { return device_; }
  /// Unchecked.
  array<T, Rank> operator[](std::int64_t number) const noexcept {
    return {static_cast<T *>(pointers_[static_cast<std::size_t>(number)]), dims_, strides_, device_};
  }
  /// The address of each array.
  void *const *pointers() const noexcept { return pointers_.data(); }

private:
  template <class List> void add_all(List &&list) {
    for (auto &&each : list)
      add(each);
  }
  void add(const array<T, Rank> &next) {
    if (pointers_.empty()) {
      dims_ = next.dims();
      strides_ = next.strides();
      device_ = next.device();
    }
    if (next.dims() != dims_)
      refuse("has the shape " + to_string(next.dims()), to_string(dims_));
    for (int i = 0; i < Rank; ++i)
      if (dims_[i] > 1 && next.stride(i) != strides_[i])
        refuse("has the strides " + to_string(next.strides()), to_string(strides_));
    if (next.device() != device_)
      refuse("is on " + to_string(next.device()), to_string(device_));
    pointers_.push_back(const_cast<element *>(next.data()));
  }
  [[noreturn]] void refuse(const std::string &what, const std::string &first) const {
    throw error(
        "arrays: array " + std::to_string(pointers_.size()) + " " + what + ", and array 0 " + first +
        ": the arrays of a list must have one shape, the same strides and one device; make a list of each kind");
  }

  std::vector<void *> pointers_;
  shape<Rank> dims_, strides_;
  tegula::device device_;
};

} // namespace tegula

#endif // TEGULA_ARRAY_H
