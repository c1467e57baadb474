// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that a caller may leave out: a launch is made for each that is there or not.
#include "frontend/Importer.h"
#include "ir/Expressions.h"

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
    std::optional<bool> known;
    if (branch)
      forEachImplied(branch.getCondition(), block == branch.thenBlock(), [&](mlir::Value condition, bool holds) {
        auto present = condition.getDefiningOp<tile::IsPresentOp>();
        if (present && present.getArray() == batches.baseOf(array))
          known = holds;
      });
    if (known)
      return known;
  }
  return std::nullopt;
}

/// Whether code asks of any array if it is there; `seen` are the functions that were looked at.
static bool asksOfArrays(const Stmt *statement, const TypeMap &types,
                         llvm::SmallPtrSetImpl<const FunctionDecl *> &seen) {
  if (!statement)
    return false;
  if (const auto *call = dyn_cast<CallExpr>(statement))
    if (const FunctionDecl *callee = call->getDirectCallee()) {
      const auto *conversion = dyn_cast<CXXConversionDecl>(callee);
      Known owner = conversion ? types.known(conversion->getFunctionObjectParameterType()) : Known::None;
      if (owner == Known::Ref || owner == Known::Array)
        return true;
      if (seen.insert(callee->getCanonicalDecl()).second && asksOfArrays(callee->getBody(), types, seen))
        return true;
    }
  return llvm::any_of(statement->children(), [&](const Stmt *child) { return asksOfArrays(child, types, seen); });
}

/// Calls `visit` with the values of all leaves of an object, and of those that it refers to.
static void visitLeaves(const Object *object, llvm::SmallPtrSetImpl<const Object *> &seen,
                        llvm::function_ref<void(mlir::Value)> visit) {
  if (!object || !seen.insert(object).second)
    return;
  if (mlir::Value value = object->leaf.value())
    visit(value);
  visitLeaves(object->referent.object, seen, visit);
  for (const Object *part : object->parts)
    visitLeaves(part, seen, visit);
}

void Importer::findAskedFor(const Object &callable, llvm::SmallVectorImpl<OptionalArray> &found) {
  llvm::SmallVector<mlir::Value> arrays;
  llvm::SmallPtrSet<const Object *, 16> objects;
  visitLeaves(&callable, objects, [&](mlir::Value value) {
    if (isa<tile::ArrayType>(value.getType()) && !isKnownPresent(value) &&
        llvm::none_of(found, [&](const OptionalArray &each) {
          return !each.spec && batches.baseOf(each.array) == batches.baseOf(value);
        }))
      arrays.push_back(value);
  });
  if (arrays.empty())
    return;
  llvm::SmallVector<const FunctionDecl *> operators;
  callOperators(ast, callable, operators);
  llvm::SmallPtrSet<const FunctionDecl *, 16> functions;
  if (llvm::any_of(operators,
                   [&](const FunctionDecl *each) { return asksOfArrays(each->getBody(), types, functions); }))
    for (mlir::Value array : arrays)
      found.push_back({array, /*spec=*/nullptr});
}

void Importer::launchWithGiven(ArrayRef<OptionalArray> optional, Launch &current,
                               llvm::SmallPtrSetImpl<const Spec *> &absent, mlir::Location at,
                               llvm::function_ref<void(Launch &)> import) {
  if (optional.empty()) {
    Launch version = current;
    return import(version);
  }
  OptionalArray first = optional.front();
  auto with = [&] { launchWithGiven(optional.drop_front(), current, absent, at, import); };
  auto without = [&] {
    if (first.spec)
      absent.insert(first.spec);
    with();
    if (first.spec)
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
