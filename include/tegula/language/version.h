// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tegulac and the header of the language must agree on. tegulac is compiled with this file, too.
#pragma once

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula::detail {

/// Changes whenever a tegulac of before misunderstands the language's header, or a header of before the tegulac.
inline constexpr int language_version = 1;

} // namespace tegula::detail
