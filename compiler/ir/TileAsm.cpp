// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printed IR calls values what the C++ source calls them.
#include "ir/Locations.h"
#include "ir/TileDialect.h"

using namespace mlir;
using namespace tegula::tile;

namespace {
/// One model for the ops of several dialects: a name is in a location, whatever op a value comes from.
struct VariableNames : OpAsmOpInterface::FallbackModel<VariableNames> {
  static void getAsmResultNames(Operation *op, OpAsmSetValueNameFn setName) {
    if (op->getNumResults() == 1 && !nameIn(op->getLoc()).empty())
      return setName(op->getResult(0), nameIn(op->getLoc()));
    // The results of an op share its location; those of a loop are what it carries.
    ValueRange carried;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      carried = loop.getRegionIterArgs();
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      carried = loop.getAfterArguments();
    if (llvm::any_of(carried, [](Value value) { return !nameOf(value).empty(); }))
      for (auto [result, value] : llvm::zip_equal(op->getResults(), carried))
        setName(result, nameOf(value));
  }
  static void getAsmBlockArgumentNames(Operation *, Region &region, OpAsmSetValueNameFn setName) {
    for (BlockArgument argument : region.getArguments())
      if (StringRef name = nameOf(argument); !name.empty())
        setName(argument, name);
  }
  static void getAsmBlockNames(Operation *, OpAsmSetBlockNameFn) {}
  static StringRef getDefaultDialect() { return ""; }
};
} // namespace

void TileDialect::printVariableNames() {
  for (RegisteredOperationName op : getContext()->getRegisteredOperations())
    if (isa<TileDialect, arith::ArithDialect, scf::SCFDialect>(op.getDialect()) &&
        !op.hasInterface<OpAsmOpInterface>()) // Constants have names of their own.
      op.attachInterface<VariableNames>();
}
