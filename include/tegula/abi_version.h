// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tegulac and the headers that its output includes must agree on.

#ifndef TEGULA_ABI_VERSION_H
#define TEGULA_ABI_VERSION_H

namespace tegula::abi {

/// Changes whenever generated code of before does not work with abi.h. Generated code asserts it.
inline constexpr int version = 6;

} // namespace tegula::abi

#endif // TEGULA_ABI_VERSION_H
