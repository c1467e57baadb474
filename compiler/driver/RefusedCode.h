// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas refuses of a program's own instructions, told where the program has them.
#pragma once

#include "codegen/Codegen.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace tegula::driver {

/// A program's own instructions, and where they are.
struct InlineText {
  std::string text;
  mlir::Location location;
};
/// Those of each kernel, by the kernels' names.
using InlineTexts = llvm::StringMap<std::vector<InlineText>>;
InlineTexts inlineTextsOf(mlir::ModuleOp module);

/// Reports each of these that is refused. What is left of the error is of other code.
llvm::Error reportRefusedTexts(llvm::Error error, const InlineTexts &texts);

} // namespace tegula::driver
