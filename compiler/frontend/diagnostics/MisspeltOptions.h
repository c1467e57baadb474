// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Misspelt options. Where a designator names no field, C++ finds no function to call and does not say why.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace clang {
class ASTContext;
} // namespace clang

namespace tegula::frontend {

/// What to say of a call of the language's `function` that has an option in braces which none of its structs of options
/// has: "tg::kernel has no option .thread: did you mean .threads?". Empty if all options exist. `call` is the source
/// text from the name on, up to the end of the file.
std::string misspeltOption(llvm::StringRef function, llvm::StringRef call, const clang::ASTContext &ast);

/// The same of a variable of one of the language's classes, as in tg::barrier<> b{.num_arrival = 2}.
std::string misspeltField(llvm::StringRef field, llvm::StringRef type, const clang::ASTContext &ast);

} // namespace tegula::frontend
