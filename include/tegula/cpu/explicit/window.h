// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows of arrays at the explicit level. Copies take windows that extend past the edges of the array; a warpgroup's
// own accesses do not.

#ifndef TEGULA_CPU_EXPLICIT_WINDOW_H
#define TEGULA_CPU_EXPLICIT_WINDOW_H

#include "tegula/cpu/explicit/region.h"

namespace tegula::cpu {

/// A window of an array of rank ArrayRank, with Rank dimensions left. A window of a window is relative to the array:
/// only the array's edges count.
template <class T, int ArrayRank, int Rank = ArrayRank> class window {
public:
  static constexpr int rank = Rank;

  /// The whole array.
  explicit window(const ref<T, ArrayRank> &array) noexcept : array_(array), sizes_(array.dims()) {
    static_assert(Rank == ArrayRank, "all of an array has its rank");
    for (int i = 0; i < Rank; ++i)
      axes_[i] = i;
  }

  /// The elements start, start + 1... of a dimension, `size` of them, inside the array or not.
  window part(int axis, std::int64_t start, std::int64_t size) const noexcept {
    window result = *this;
    const int of_array = static_cast<int>(axes_[axis]);
    result.offsets_[of_array] += start;
    result.sizes_[of_array] = size;
    return result;
  }
  /// Selects one index of a dimension, which is removed.
  template <int R = Rank> window<T, ArrayRank, R - 1> select(int axis, std::int64_t index) const noexcept {
    static_assert(R == Rank && Rank > 0, "a window of rank 0 has no dimension to select from");
    window<T, ArrayRank, R - 1> result(part(axis, index, 1), shape<R - 1>());
    for (int i = 0; i < R - 1; ++i)
      result.axes_[i] = axes_[i < axis ? i : i + 1];
    return result;
  }

  /// The dimensions permuted: axis i of the result is axis order[i].
  window transpose(const shape<Rank> &order) const noexcept {
    window result = *this;
    for (int i = 0; i < Rank; ++i)
      result.axes_[i] = axes_[static_cast<int>(order[i])];
    return result;
  }

  /// The number of elements of a dimension that are inside the array.
  std::int64_t dim(int axis) const noexcept {
    const int of_array = static_cast<int>(axes_[axis]);
    const std::int64_t start = offsets_[of_array] < 0 ? 0 : offsets_[of_array];
    const std::int64_t wanted = offsets_[of_array] + sizes_[of_array];
    const std::int64_t end = wanted < array_.dim(of_array) ? wanted : array_.dim(of_array);
    return end > start ? end - start : 0;
  }

  /// The ref for a warpgroup's own loads and stores: a window that is not entirely inside the array is an error of the
  /// kernel.
  ref<T, Rank> inside(const site &where) const {
    std::int64_t offset = 0;
    for (int i = 0; i < ArrayRank; ++i) {
      if (offsets_[i] < 0 || offsets_[i] > array_.dim(i) - sizes_[i])
        fail(where, "elements " + std::to_string(offsets_[i]) + " to " + std::to_string(offsets_[i] + sizes_[i] - 1) +
                        " of dimension " + std::to_string(i) + " are accessed, which has " +
                        std::to_string(array_.dim(i)) + ": only copies may be out of bounds of an array");
      offset += offsets_[i] * array_.strides()[i];
    }
    shape<Rank> dims, strides;
    for (int i = 0; i < Rank; ++i) {
      dims[i] = sizes_[static_cast<int>(axes_[i])];
      strides[i] = array_.strides()[static_cast<int>(axes_[i])];
    }
    return {array_.data() + offset, dims, strides};
  }

  /// The box for copies: elements in the order of the window's dimensions, with removed dimensions first.
  box all() const noexcept {
    const region array = region_of(array_);
    box result;
    result.array = array;
    int next = ArrayRank;
    const auto put = [&](int axis) {
      --next;
      result.array.dims[next] = array.dims[axis];
      result.array.strides[next] = array.strides[axis];
      result.offsets[next] = offsets_[axis];
      result.sizes[next] = sizes_[axis];
    };
    bool is_left[ArrayRank + 1] = {};
    for (int i = Rank - 1; i >= 0; --i) {
      put(static_cast<int>(axes_[i]));
      is_left[axes_[i]] = true;
    }
    for (int axis = ArrayRank - 1; axis >= 0; --axis)
      if (!is_left[axis])
        put(axis);
    return result;
  }

private:
  template <class, int, int> friend class window;
  /// The same with other dimensions left.
  window(const window<T, ArrayRank, Rank + 1> &other, const shape<Rank> &axes) noexcept
      : array_(other.array_), offsets_(other.offsets_), sizes_(other.sizes_), axes_(axes) {}

  ref<T, ArrayRank> array_;
  shape<ArrayRank> offsets_, sizes_;
  shape<Rank> axes_; ///< The array's dimension for each of the window's.
};

template <class T, int Rank> window(const ref<T, Rank> &) -> window<T, Rank, Rank>;

/// The elements in row-major order, with other extents. Dimensions can be folded if they have a common stride.
template <int To, class T, int From>
ref<T, To> reshaped(const site &where, const ref<T, From> &place, const shape<To> &dims) {
  shape<To> strides{};
  int from = From - 1; // The innermost dimension that is not used up.
  std::int64_t left = 1, stride = 0;
  const auto take = [&] {
    while (from >= 0 && place.dim(from) == 1)
      --from;
    left *= place.dim(from);
  };
  for (int to = To - 1; to >= 0; --to) {
    if (dims[to] == 1)
      continue;
    if (left == 1) {
      take();
      stride = place.strides()[from--];
    }
    for (std::int64_t behind = stride * left; left % dims[to] != 0; behind = stride * left) {
      take();
      if (place.strides()[from--] != behind)
        fail(where, "tg::reshape_ref merges rows that are not contiguous: reshape the whole ref, and take a window of "
                    "the result");
    }
    strides[to] = stride;
    stride *= dims[to];
    left /= dims[to];
  }
  return {place.data(), dims, strides};
}

/// The bytes as elements of another type, along the last dimension.
template <class To, class T, int Rank> auto bitcast_ref(const site &where, const ref<T, Rank> &place) {
  using element = std::conditional_t<std::is_const_v<T>, const To, To>;
  constexpr std::int64_t from = sizeof(T), to = sizeof(To);
  shape<Rank> dims = place.dims(), strides = place.strides();
  if constexpr (from != to) {
    const auto begin = reinterpret_cast<std::uintptr_t>(place.data());
    bool is_whole = strides[Rank - 1] == 1 && begin % to == 0;
    for (int axis = 0; axis < Rank - 1; ++axis) {
      is_whole &= dims[axis] == 1 || strides[axis] * from % to == 0;
      strides[axis] = strides[axis] * from / to;
    }
    if (!is_whole)
      fail(where, "tg::bitcast_ref sees elements of " + std::to_string(to) +
                      " bytes in rows that do not begin at multiples of that, or whose elements are not contiguous");
    dims[Rank - 1] = dims[Rank - 1] * from / to;
  }
  return ref<element, Rank>(reinterpret_cast<element *>(place.data()), dims, strides);
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_EXPLICIT_WINDOW_H
