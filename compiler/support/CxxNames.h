// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that generated C++ cannot give to what a kernel file declares.
#pragma once

#include <string_view>

namespace tegula {

/// A keyword of C++98 to C++26, or another spelling of an operator.
bool isCxxKeyword(std::string_view name);
/// A macro of the headers that generated files include, of what these include, or of compilers.
bool isHeaderMacro(std::string_view name);
/// What the C library declares outside of namespaces, and no function can be called as well.
bool isGlobalOfC(std::string_view name);
/// Functions and structs of the C library, which functions may overload or hide, but no namespace and no struct.
bool isFunctionOfC(std::string_view name);
/// C++ leaves the name to compilers and their libraries; some names only where no namespace is around.
bool isReservedInCxx(std::string_view name, bool isGlobal);

} // namespace tegula
