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

/// Whether different indices of a view are different elements. Its strides are not negative, and it reaches less than
/// 2^63 elements far.
///
/// Exact for up to two dimensions that do not continue each other, for nested strides, and wherever a search of 2^16
/// steps ends; `unknown` beyond.
enum class distinctness { distinct, repeated, unknown };
distinctness distinctness_of(const abi::view &v) noexcept;

} // namespace tegula::runtime

#endif // TEGULA_RUNTIME_OVERLAP_H
