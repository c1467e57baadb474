// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/RefusedCode.h"

#include "ir/Locations.h"
#include "ir/PtxText.h"
#include "ir/TileDialect.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tegula::driver {

InlineTexts inlineTextsOf(ModuleOp module) {
  InlineTexts found;
  module.walk([&](tile::InlinePtxOp op) {
    if (auto kernel = op->getParentOfType<tile::KernelOp>())
      found[kernel.getSymName()].push_back({op.getText().str(), op.getLoc()});
  });
  return found;
}

llvm::Error reportRefusedTexts(llvm::Error error, const InlineTexts &texts) {
  return llvm::handleErrors(std::move(error), [&](std::unique_ptr<codegen::RefusedCode> code) -> llvm::Error {
    // There is a line for each register of a tile in each kernel of the launch.
    llvm::SmallPtrSet<const void *, 4> told;
    auto tell = [&](const codegen::RefusedLine &line) {
      auto known = texts.find(line.kernel);
      if (known == texts.end())
        return false;
      auto found = llvm::find_if(known->second,
                                 [&](const InlineText &inlined) { return tile::isPtxOf(line.text, inlined.text); });
      if (found == known->second.end())
        return false;
      if (told.insert(tile::withoutName(found->location).getAsOpaquePointer()).second)
        emitError(found->location) << "ptxas refuses these instructions of tg::inline_ptx for " << code->arch << ": "
                                   << line.why << ", in '" << line.text << "'";
      return true;
    };
    llvm::erase_if(code->lines, tell);
    if (told.empty() || !code->lines.empty())
      return llvm::Error(std::move(code));
    return llvm::Error::success();
  });
}

} // namespace tegula::driver
