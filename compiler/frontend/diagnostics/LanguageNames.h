// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What namespace tegula has by a name, as the header that the user included declares it.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclBase.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tegula::frontend {

clang::DeclContext::lookup_result inLanguage(llvm::StringRef name, const clang::ASTContext &ast);

/// <tegula/tegula.h> is part of the file.
bool hasLanguage(const clang::ASTContext &ast);

/// The language's function for one of C, C++ or CUDA, as a call of that is spelled: "tg::exp" for exp, expf and __expf,
/// "tg::maximum" for max; empty if there is none.
std::string functionFor(llvm::StringRef name, const clang::ASTContext &ast);

} // namespace tegula::frontend
