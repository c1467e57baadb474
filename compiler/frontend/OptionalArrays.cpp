// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that a caller may leave out: a launch is made for each that is there or not.
#include "frontend/Importer.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace clang;

namespace tegula::frontend {

bool Importer::isOptional(mlir::Value array) const {
  auto argument = dyn_cast<mlir::BlockArgument>(batches.baseOf(array)); // A slice is there if its array is.
  auto entry = argument ? dyn_cast<tile::EntryOp>(argument.getOwner()->getParentOp()) : tile::EntryOp();
  return entry && entry.getArgAttr(argument.getArgNumber(), "tile.optional");
}

std::optional<bool> Importer::isKnownPresent(mlir::Value array) {
  if (!isOptional(array))
    return true;
  mlir::Block *block = builder.getInsertionBlock();
  for (mlir::Operation *op = block->getParentOp(); !isa<tile::EntryOp>(op);
       block = op->getBlock(), op = block->getParentOp()) {
    auto branch = dyn_cast<mlir::scf::IfOp>(op);
    auto present = branch ? branch.getCondition().getDefiningOp<tile::IsPresentOp>() : tile::IsPresentOp();
    if (present && present.getArray() == batches.baseOf(array))
      return block == branch.thenBlock();
  }
  return std::nullopt;
}

void Importer::launchWithGiven(ArrayRef<const Spec *> optional, Launch &current,
                               llvm::SmallPtrSetImpl<const Spec *> &absent, mlir::Location at,
                               llvm::function_ref<void(Launch &)> import) {
  if (optional.empty()) {
    Launch version = current;
    return import(version);
  }
  const Spec *first = optional.front();
  auto with = [&] { launchWithGiven(optional.drop_front(), current, absent, at, import); };
  auto without = [&] {
    absent.insert(first);
    with();
    absent.erase(first);
  };
  if (std::optional<bool> known = isKnownPresent(first->array))
    return *known ? with() : without();
  mlir::Value condition = builder.create<tile::IsPresentOp>(at, batches.baseOf(first->array));
  auto branch = builder.create<mlir::scf::IfOp>(at, condition, /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  with();
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  without();
}

/// `if (bias)`: in a body it is known, on the host the caller says.
CallResult Importer::isPresent(const IntrinsicCall &call) {
  auto truth = [](bool value) { return Leaf(llvm::APSInt(llvm::APInt(1, value), /*isUnsigned=*/true)); };
  LValue array = evaluateOperand(call.arguments[0]);
  if (!array || (array.object && array.object->isPoisoned))
    return {};
  if (array.object && array.object->isAbsent)
    return {truth(false), {}};
  Leaf value = array.object && !array.object->variable ? read(array, array.object->type, call.where()) : Leaf();
  mlir::Value whole = value.value();
  if (whole && isOnDevice()) // The array of the host of which the body's place is a part.
    whole = hostArrayOf(whole);
  if (!whole || !isOptional(whole)) {
    report(DiagnosticKind::AlwaysPresent, call.where());
    return {};
  }
  if (isOnDevice())
    return {truth(true), {}};
  if (std::optional<bool> known = isKnownPresent(whole))
    return {truth(*known), {}};
  return {Leaf(builder.create<tile::IsPresentOp>(locate(call.where()), batches.baseOf(whole))), {}};
}

mlir::Value Importer::hostArrayOf(mlir::Value ref) {
  auto argument = dyn_cast_or_null<mlir::BlockArgument>(tile::arrayOf(ref));
  if (argument)
    for (auto [array, inside] : launch->inside)
      if (inside == argument)
        return array;
  return {};
}

} // namespace tegula::frontend
