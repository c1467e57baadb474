// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tegulac and the headers that its output includes must agree on.

#ifndef TEGULA_ABI_VERSION_H
#define TEGULA_ABI_VERSION_H

namespace tegula::abi {

/// Changes whenever generated code of before does not work with abi.h. Generated code asserts it.
inline constexpr int version = 7;

/// More elements than a launch has time for: the extents of an array above 0 multiply to no more. Host code relies on
/// it: sums and small multiples of such numbers are not checked for overflow.
inline constexpr long long max_elements = 1LL << 56;

} // namespace tegula::abi

#endif // TEGULA_ABI_VERSION_H
