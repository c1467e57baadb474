// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of packed elements as what they are in memory: rows of bytes.
#pragma once

#include "tegula/abi.h"

namespace tegula::runtime {

/// Every row takes whole bytes, if `abi::has_rows_of_bytes`. A view of other elements is what it is.
class byte_view {
public:
  explicit byte_view(const detail::view &of) noexcept : view_(of) {
    if (of.per_byte == 1)
      return;
    for (int i = 0; i < of.rank; ++i) {
      const bool is_last = i == of.rank - 1;
      dims_[i] = is_last ? of.dims[i] / 2 + of.dims[i] % 2 : of.dims[i];
      strides_[i] = is_last ? of.strides[i] : of.strides[i] / 2;
    }
    view_.dims = dims_;
    view_.strides = strides_;
    view_.per_byte = 1;
  }
  byte_view(const byte_view &) = delete;
  byte_view &operator=(const byte_view &) = delete;

  const detail::view &get() const noexcept { return view_; }

private:
  detail::view view_;
  std::int64_t dims_[max_rank] = {}, strides_[max_rank] = {};
};

} // namespace tegula::runtime
