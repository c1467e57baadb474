// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An output holds nothing before the program stores to it: who reads it first has mistaken it for an array that is read
// and written.
#include "ir/Locations.h"
#include "ir/TileDialect.h"
#include "transforms/Passes.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILECHECKOUTPUTS
#include "transforms/Passes.h.inc"

namespace {
bool stores(Operation *op, BlockArgument argument) {
  return op
      ->walk([&](tile::StoreOp store) {
        return tile::arrayOf(store.getRef()) == argument ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether an earlier iteration of a loop around the op may have stored to the argument.
bool comesAfterStore(Operation *op, BlockArgument argument) {
  for (Operation *loop = op->getParentOp(); !isa<tile::LaunchOp>(loop); loop = loop->getParentOp())
    if (isa<scf::ForOp, scf::WhileOp>(loop) && stores(loop, argument))
      return true;
  return false;
}

/// Whether anything is made of a value; what asked for shapes alone may have left code that nothing uses.
bool isUsed(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return !isPure(user) || user->getNumRegions() > 0 || llvm::any_of(user->getResults(), isUsed) ||
           user->hasTrait<OpTrait::IsTerminator>();
  });
}

LogicalResult check(tile::LaunchOp launch, BlockArgument argument) {
  tile::LoadOp read;
  launch.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto store = dyn_cast<tile::StoreOp>(op);
    if (store && tile::arrayOf(store.getRef()) == argument)
      return WalkResult::interrupt();
    auto load = dyn_cast<tile::LoadOp>(op);
    if (load && !read && isUsed(load) && tile::arrayOf(load.getRef()) == argument && !comesAfterStore(load, argument))
      read = load;
    return WalkResult::advance();
  });
  std::string name = tile::nameOf(argument).str();
  if (read) {
    InFlightDiagnostic error = emitError(tile::withoutName(read.getLoc()))
                               << "what is read here is undefined: " << name << " is tg::out, and nothing has been "
                               << "stored to it before";
    error.attachNote() << "tg::inout is of an array that the program reads and writes; tg::in, of one that it reads";
    return failure();
  }
  if (!stores(launch, argument))
    emitWarning(tile::withoutName(launch.getLoc()))
        << "the program stores nothing to " << name << ", which is tg::out and stays undefined";
  return success();
}

struct CheckOutputs : impl::TileCheckOutputsBase<CheckOutputs> {
  void runOnOperation() override {
    getOperation().walk([&](tile::LaunchOp launch) {
      for (BlockArgument argument : launch.getBody().getArguments())
        if (isa<tile::RefType>(argument.getType()) && !launch.isExplicit() &&
            launch.getAccessOf(argument.getArgNumber()) == tile::Access::Out && failed(check(launch, argument)))
          signalPassFailure();
    });
  }
};
} // namespace
} // namespace tegula
