// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables a function may change after it has initialised them. The others need no variable: they are their
// value.
#pragma once

#include "llvm/ADT/DenseSet.h"

namespace clang {
class FunctionDecl;
class ValueDecl;
} // namespace clang

namespace tegula::frontend {

/// The variables that are assigned, or bound to a reference through which they could be, in the function or in a lambda
/// inside it.
llvm::DenseSet<const clang::ValueDecl *> changedVariables(const clang::FunctionDecl *function);

} // namespace tegula::frontend
