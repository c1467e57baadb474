// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which block of programs serves how many rows (test/benchmark/RESULTS.md).
#pragma once

#include "kernels.h"

namespace samples {

/// o = x times the transpose of w, by blocks of as many rows as x has, up to 256.
template <class T>
void int4_matmul(const tegula::array<const T, 2> &x, const tegula::array<const tegula::s4, 2> &w,
                 const tegula::array<const T, 2> &scales, const tegula::array<T, 2> &o) {
  if (x.dim(0) <= 16)
    int4_matmul_16(x, w, scales, o, {});
  else if (x.dim(0) <= 32)
    int4_matmul_32(x, w, scales, o, {});
  else if (x.dim(0) <= 64)
    int4_matmul_64(x, w, scales, o, {});
  else if (x.dim(0) <= 256)
    int4_matmul_128(x, w, scales, o, {});
  else
    int4_matmul_256(x, w, scales, o, {});
}

} // namespace samples
