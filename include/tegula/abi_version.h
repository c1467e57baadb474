// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The versions and limits that tegulac and the headers included by its output must agree on.

#ifndef TEGULA_ABI_VERSION_H
#define TEGULA_ABI_VERSION_H

namespace tegula::abi {

/// Changes whenever older generated code does not work with abi.h. Generated code asserts it.
inline constexpr int version = 7;

/// The maximal product of the extents of an array, ignoring extents of 0; no launch could process more elements. Host
/// code relies on it: sums and small multiples of such numbers are not checked for overflow.
inline constexpr long long max_elements = 1LL << 56;

} // namespace tegula::abi

#endif // TEGULA_ABI_VERSION_H
