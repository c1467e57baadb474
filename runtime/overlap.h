// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether two strided views have memory in common.

#ifndef TEGULA_RUNTIME_OVERLAP_H
#define TEGULA_RUNTIME_OVERLAP_H

#include "tegula/abi.h"

namespace tegula::runtime {

/// Whether a byte belongs to an element of both views, whose strides are not negative: views of even and of odd
/// elements have none in common, nor have the left and the right columns of a matrix.
///
/// Exact where strides are nested, each stepping over all that smaller ones reach: up to twice as many steps as there
/// are strides that differ. Others make it search, for 4096 steps at most; what is not known by then counts as shared,
/// as do views of 2^61 bytes.
bool share_memory(const abi::view &a, const abi::view &b) noexcept;

} // namespace tegula::runtime

#endif // TEGULA_RUNTIME_OVERLAP_H
