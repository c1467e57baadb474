// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the language's header need not be parsed.
#pragma once

#include "frontend/Frontend.h"

namespace clang {
class CompilerInvocation;
}

namespace tegula::frontend {

/// Whether the file means the same with `options.precompiled`, as far as Clang does not find that out itself: it
/// refuses what was made with other options, or of headers that have changed.
bool canUsePrecompiled(const FrontendOptions &options, const clang::CompilerInvocation &invocation);

} // namespace tegula::frontend
