// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accumulators of matrix products: tiles whose value is not available while products are in flight.

#ifndef TEGULA_CPU_EXPLICIT_ACCUMULATOR_H
#define TEGULA_CPU_EXPLICIT_ACCUMULATOR_H

#include "tegula/cpu/tile.h"

#include <vector>

namespace tegula::cpu {

namespace detail {

/// A range of rows and columns of a matrix.
struct part {
  std::int64_t row, column, rows, columns;
};

/// The elements of an accumulator, shared by the holders of its value and by the products in flight.
struct accumulation {
  accumulation(dtype element, std::int64_t row_count, std::int64_t column_count)
      : type(element), rows(row_count), columns(column_count), values(new std::byte[bytes()]), visible(values.get()) {}

  std::size_t bytes() const noexcept { return static_cast<std::size_t>(rows * columns) * size_of(type); }

  dtype type;
  std::int64_t rows, columns;
  std::unique_ptr<std::byte[]> values;
  std::unique_ptr<std::byte[]> partial; ///< `values`, but NaN or -1 in parts that are pending; made when first needed.
  std::byte *visible;                   ///< What the thread reads: `values` or `partial`.
  int pending = 0;                      ///< Products that add to it and that the thread has not waited for.
  std::vector<part> pending_parts;      ///< What each of them changes.
  int references = 0;                   ///< From products: those of the program are the rest.
};

} // namespace detail

/// A matrix that products accumulate into (thread::wgmma). Until the warpgroup has waited for all products that add to
/// an element, the element reads as NaN, or as -1. Copies are cheap: they share the elements until one of them changes.
template <class T> class accumulator {
public:
  static constexpr int rank = 2;

  /// Without elements, to be assigned.
  accumulator() noexcept = default;
  explicit accumulator(const shape<2> &dims, T value)
      : state_(std::make_shared<detail::accumulation>(dtype_of<T>, dims[0], dims[1])) {
    std::fill_n(reinterpret_cast<T *>(state_->values.get()), dims[0] * dims[1], value);
  }
  accumulator(const tile<T, 2> &initial)
      : state_(std::make_shared<detail::accumulation>(dtype_of<T>, initial.dim(0), initial.dim(1))) {
    std::copy_n(initial.view().data(), initial.size(), reinterpret_cast<T *>(state_->values.get()));
  }

  shape<2> dims() const noexcept { return {state_->rows, state_->columns}; }
  std::int64_t dim(int axis) const noexcept { return dims()[axis]; }

  const T &operator()(std::int64_t i, std::int64_t j) const noexcept {
    return reinterpret_cast<const T *>(state_->visible)[i * state_->columns + j];
  }
  ref<const T, 2> view() const noexcept {
    return {reinterpret_cast<const T *>(state_->visible), dims(), {state_->columns, 1}};
  }

  tile<T, 2> value() const {
    tile<T, 2> copy(dims());
    std::copy_n(view().data(), copy.size(), copy.view().data());
    return copy;
  }

private:
  friend class thread;
  std::shared_ptr<detail::accumulation> state_;
};

} // namespace tegula::cpu

#endif // TEGULA_CPU_EXPLICIT_ACCUMULATOR_H
