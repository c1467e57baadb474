// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that a caller may leave out: a launch is made for each that is there or not.
#include "analysis/Conditions.h"
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
  Conditions conditions(builder.getInsertionBlock(), builder.getInsertionPoint());
  for (auto [assumed, isThere] : assumedPresent)
    conditions.assume(assumed, isThere);
  return conditions.isPresent(batches.baseOf(array));
}

void Importer::importVersions(ArrayRef<OptionalArray> blocks, Launch &current,
                              llvm::SmallPtrSetImpl<const Spec *> &absent, SourceLocation where,
                              llvm::function_ref<void(Launch &)> import) {
  constexpr int64_t many = 32;
  int64_t first = launches;
  launchWithGiven(blocks, current, absent, locate(where), import);
  if (launches - first >= many)
    report(DiagnosticKind::LaunchVersions, where) << int64_t(launches - first);
}

void Importer::launchWithGiven(ArrayRef<OptionalArray> blocks, Launch &current,
                               llvm::SmallPtrSetImpl<const Spec *> &absent, mlir::Location at,
                               llvm::function_ref<void(Launch &)> import) {
  if (blocks.empty())
    return launchWithAsked(current, at, import);
  OptionalArray first = blocks.front();
  auto with = [&] { launchWithGiven(blocks.drop_front(), current, absent, at, import); };
  auto without = [&] {
    absent.insert(first.spec);
    with();
    absent.erase(first.spec);
  };
  if (std::optional<bool> known = isKnownPresent(first.array))
    return *known ? with() : without();
  mlir::Value condition = builder.create<tile::IsPresentOp>(at, batches.baseOf(first.array));
  auto branch = builder.create<mlir::scf::IfOp>(at, condition, /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  with();
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  without();
}

/// Importing the body shows of which captured arrays it asks. They are assumed present at first; that version is then
/// moved into branches on their presence, and each other side of a branch is imported in the same way. So there is a
/// decision tree, with no version for what is never asked.
void Importer::launchWithAsked(Launch &current, mlir::Location at, llvm::function_ref<void(Launch &)> import) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  size_t known = assumedPresent.size();
  auto held = builder.create<mlir::scf::IfOp>(at, constantOf(builder.getI1Type(), 1), /*withElseRegion=*/false);
  builder.setInsertionPoint(held.thenBlock()->getTerminator());
  Launch version = current;
  import(version);
  builder.setInsertionPoint(held);
  SmallVector<mlir::scf::IfOp> branches;
  for (const auto &[array, isThere] : llvm::drop_begin(assumedPresent, known)) {
    mlir::Value condition = builder.create<tile::IsPresentOp>(at, array);
    branches.push_back(builder.create<mlir::scf::IfOp>(at, condition, /*withElseRegion=*/true));
    builder.setInsertionPoint(branches.back().thenBlock()->getTerminator());
  }
  for (mlir::Operation &op : llvm::make_early_inc_range(held.thenBlock()->without_terminator()))
    op.moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
  held.erase();
  for (mlir::scf::IfOp branch : llvm::reverse(branches)) {
    mlir::Value array = assumedPresent.back().first;
    assumedPresent.back().second = false;
    builder.setInsertionPoint(branch.elseBlock()->getTerminator());
    launchWithAsked(current, at, import);
    assert(assumedPresent.back().first == array && "what it assumed it takes back");
    (void)array;
    assumedPresent.pop_back();
  }
}

/// `if (bias)`: in a body it is known, on the host the caller says.
CallResult Importer::isPresent(const IntrinsicCall &call) {
  auto truth = [](bool value) { return Leaf(llvm::APSInt(llvm::APInt(1, value), /*isUnsigned=*/true)); };
  LValue array = evaluateOperand(call.arguments[0]);
  if (!array || (array.object && array.object->isPoisoned))
    return {};
  if (array.object && array.object->isAbsent)
    return {truth(false), {}};
  mlir::Value whole = array.object ? array.object->leaf.value() : mlir::Value();
  bool isOfHost = whole && isa<tile::ArrayType>(whole.getType()); // A body need not get what it only asks of.
  if (!isOfHost)
    whole = array.object && !array.object->variable ? read(array, array.object->type, call.where()).value() : nullptr;
  if (whole && isOnDevice() && !isOfHost) // The array of the host of which the body's place is a part.
    whole = hostArrayOf(whole);
  if (!whole || !isOptional(whole)) {
    report(DiagnosticKind::AlwaysPresent, call.where());
    return {};
  }
  if (std::optional<bool> known = isKnownPresent(whole))
    return {truth(*known), {}};
  if (isOnDevice()) {
    assumedPresent.insert({batches.baseOf(whole), true});
    return {truth(true), {}};
  }
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
