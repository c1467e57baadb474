// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An output holds nothing before the program stores to it: who reads it first has mistaken it for an array that is read
// and written.
#include "analysis/Outputs.h"
#include "checks/Passes.h"
#include "ir/Locations.h"
#include "support/Warnings.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILECHECKOUTPUTS
#include "checks/Passes.h.inc"

namespace {
bool stores(Operation *op, BlockArgument argument) {
  return op
      ->walk([&](tile::RootOpInterface store) {
        return !isa<tile::AtomicOp>(store.getOperation()) && tile::arrayOf(store.getRootRef()) == argument
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
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

/// Whether every way through the block comes by a store. Loops count as if they ran.
bool alwaysStores(Block &block, BlockArgument argument) {
  return llvm::any_of(block, [&](Operation &op) {
    auto branch = dyn_cast<scf::IfOp>(op);
    if (!branch)
      return stores(&op, argument);
    return branch.elseBlock() && alwaysStores(*branch.thenBlock(), argument) &&
           alwaysStores(*branch.elseBlock(), argument);
  });
}

/// The most elements that a window holds, if that is known.
std::optional<int64_t> mostElements(tile::RefType type) {
  int64_t elements = 1;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t bound = type.getBound(dim);
    if (ShapedType::isDynamic(bound))
      return std::nullopt;
    elements *= bound;
  }
  return elements;
}

/// Warns of an output of which a program surely leaves a part undefined. Where only a run tells, the CPU looks.
void checkFilled(tile::LaunchOp launch, BlockArgument argument, ArrayRef<tile::RootOpInterface> stores) {
  Value block = ownBlockOf(launch, argument);
  if (!block)
    return;
  std::string name = tile::nameOf(argument).str();
  std::optional<int64_t> elements = mostElements(cast<tile::RefType>(block.getType()));
  int64_t filled = 0;
  for (tile::RootOpInterface store : stores) {
    std::optional<int64_t> stored = mostElements(cast<tile::RefType>(store.getRootRef().getType()));
    if (!stored || !isa<tile::StoreOp>(store.getOperation()) || store->getParentOfType<scf::ForOp>() ||
        store->getParentOfType<scf::WhileOp>())
      elements = std::nullopt;
    else
      filled += *stored;
  }
  tile::RootOpInterface first = stores.front();
  Location where = tile::withoutName(first.getLoc());
  if (elements && filled < *elements) {
    InFlightDiagnostic warning = emitWarning(where)
                                 << "a program stores " << filled << " of the " << *elements
                                 << " elements of its block of " << name
                                 << ", which is tg::out: the others stay undefined, which is an error on the CPU target"
                                 << markOf(Warning::UndefinedOutput);
    warning.attachNote() << "store all of the block, " << name << "[tg::all] = ..., make it smaller, or let the other "
                         << "elements keep their values: tg::partial_out";
  } else if (!alwaysStores(launch.getBody().front(), argument)) {
    InFlightDiagnostic warning =
        emitWarning(where) << "programs that do not reach this store write nothing to " << name
                           << ", which is tg::out: their blocks stay undefined, which is an error on the CPU target"
                           << markOf(Warning::UndefinedOutput);
    warning.attachNote() << "store on every path through the program, or let these blocks keep their values: "
                         << "tg::partial_out";
  }
}

LogicalResult check(tile::LaunchOp launch, BlockArgument argument) {
  Operation *read = nullptr;
  launch.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto root = dyn_cast<tile::RootOpInterface>(op);
    bool isAtomic = isa<tile::AtomicOp>(op);
    if (root && !isAtomic && tile::arrayOf(root.getRootRef()) == argument)
      return WalkResult::interrupt();
    bool reads = isAtomic ? tile::arrayOf(root.getRootRef()) == argument
                          : isa<tile::LoadOp, tile::GatherOp>(op) && isUsed(op->getResult(0)) &&
                                tile::arrayOf(op->getOperand(0)) == argument;
    if (reads && !read && !comesAfterStore(op, argument))
      read = op;
    return WalkResult::advance();
  });
  std::string name = tile::nameOf(argument).str();
  bool isPartial = launch.getAccessOf(argument.getArgNumber()) == tile::Access::PartialOut;
  StringRef spec = isPartial ? "tg::partial_out" : "tg::out";
  if (read) {
    InFlightDiagnostic error = emitError(tile::withoutName(read->getLoc()))
                               << "this reads undefined elements: " << name << " is " << spec
                               << ", and nothing has been stored to it before";
    error.attachNote()
        << "use tg::inout for an array that the program reads and writes, tg::in for one that it only reads";
    return failure();
  }
  SmallVector<tile::RootOpInterface> stores = storesTo(launch, argument);
  if (stores.empty())
    emitWarning(tile::withoutName(launch.getLoc()))
        << "the program stores nothing to " << name << ", which is " << spec
        << (isPartial ? " and stays as it is" : " and stays undefined") << markOf(Warning::UndefinedOutput);
  else if (!isPartial)
    checkFilled(launch, argument, stores);
  return success();
}

bool isOutput(tile::Access access) { return access == tile::Access::Out || access == tile::Access::PartialOut; }

/// Whether an array of the host certainly has no elements.
bool isEmpty(tile::EmptyOp made) {
  return llvm::any_of(made.getDims(), [](Value dim) { return matchPattern(dim, m_Zero()); });
}

/// Warns of arrays that an entry makes and returns, and that no launch of it stores to.
void checkReturned(tile::EntryOp entry) {
  llvm::SetVector<Value> written;
  entry.walk([&](tile::LaunchOp launch) {
    for (auto [i, array] : llvm::enumerate(launch.getArguments()))
      if (isa<tile::ArrayType>(array.getType()) && launch.getAccessOf(i) != tile::Access::In)
        for (Value origin : originsOf(array))
          written.insert(origin);
  });
  llvm::SetVector<Value> returned;
  for (Value result : entry.getBody().front().getTerminator()->getOperands())
    if (isa<tile::ArrayType>(result.getType()))
      for (Value origin : originsOf(result))
        returned.insert(origin);
  for (Value array : returned) {
    auto made = array.getDefiningOp<tile::EmptyOp>();
    if (!made || made.getZeroed() || isEmpty(made) || written.contains(array))
      continue;
    InFlightDiagnostic warning =
        emitWarning(tile::withoutName(made.getLoc()))
        << "the entry returns this array, but no launch stores to it: its elements are undefined"
        << markOf(Warning::UndefinedOutput);
    warning.attachNote()
        << "pass it to the launch that computes it, tg::out(o), or return the array that the launch stores to";
  }
}

struct CheckOutputs : impl::TileCheckOutputsBase<CheckOutputs> {
  void runOnOperation() override {
    for (auto entry : getOperation().getOps<tile::EntryOp>()) {
      entry.walk([&](tile::LaunchOp launch) {
        for (BlockArgument argument : launch.getBody().getArguments())
          if (isa<tile::RefType>(argument.getType()) && !launch.isExplicit() &&
              isOutput(launch.getAccessOf(argument.getArgNumber())) && failed(check(launch, argument)))
            signalPassFailure();
      });
      checkReturned(entry);
    }
  }
};
} // namespace
} // namespace tegula
