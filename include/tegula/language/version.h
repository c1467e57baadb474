// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The version that tegulac and the language's headers must agree on. tegulac is compiled with this file, too.
#pragma once

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula::detail {

/// Changes whenever an older tegulac misinterprets the language's headers, or tegulac misinterprets older ones.
inline constexpr int language_version = 1;

} // namespace tegula::detail
