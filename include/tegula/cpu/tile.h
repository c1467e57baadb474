// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile of CPU kernels: it materialises a value that is needed more than once.

#ifndef TEGULA_CPU_TILE_H
#define TEGULA_CPU_TILE_H

#include "tegula/cpu/ref.h"

#include <algorithm>
#include <memory>
#include <new>

namespace tegula::cpu {

/// Contiguous, row-major, on the heap. Copying copies the elements.
template <class T, int Rank> class tile {
public:
  static constexpr int rank = Rank;

  /// Uninitialised elements.
  explicit tile(const shape<Rank> &dims)
      : dims_(dims), strides_(strides_of<T>(dims)), data_(new stored[static_cast<std::size_t>(count(dims))]) {}
  tile(const shape<Rank> &dims, T value) : tile(dims) {
    if constexpr (is_packed<T>)
      std::fill_n(data_.get(), count(dims), static_cast<stored>(value.bits * 0x11U));
    else
      std::fill_n(data_.get(), count(dims), value);
  }
  tile(const tile &other) : tile(other.dims_) { std::copy_n(other.data_.get(), count(dims_), data_.get()); }
  tile(tile &&) noexcept = default;
  tile &operator=(tile other) noexcept {
    std::swap(dims_, other.dims_);
    std::swap(strides_, other.strides_);
    std::swap(data_, other.data_);
    return *this;
  }

  const shape<Rank> &dims() const noexcept { return dims_; }
  std::int64_t dim(int axis) const noexcept { return dims_[axis]; }
  std::int64_t size() const noexcept { return size_of(dims_); }

  template <class... I> reference_t<T> operator()(I... index) noexcept { return view()(index...); }
  template <class... I> reference_t<const T> operator()(I... index) const noexcept { return view()(index...); }

  ref<T, Rank> view() noexcept { return {pointer_at<T>(data_.get()), dims_, strides_}; }
  ref<const T, Rank> view() const noexcept { return {pointer_at<T>(data_.get()), dims_, strides_}; }

private:
  /// For packed elements, bytes.
  using stored = std::conditional_t<is_packed<T>, std::uint8_t, T>;
  static std::int64_t count(const shape<Rank> &dims) {
    std::int64_t size = 2 * static_cast<std::int64_t>(sizeof(stored));
    bool is_empty = false, is_too_large = false;
    for (int axis = 0; axis < Rank; ++axis) {
      is_empty |= dims[axis] == 0;
      is_too_large |= __builtin_mul_overflow(size, dims[axis], &size);
    }
    if (is_too_large && !is_empty)
      throw std::bad_array_new_length();
    return bytes_of<T>(dims) / static_cast<std::int64_t>(sizeof(stored));
  }

  shape<Rank> dims_, strides_;
  std::unique_ptr<stored[]> data_;
};

} // namespace tegula::cpu

#endif // TEGULA_CPU_TILE_H
