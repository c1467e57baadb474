// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Axes of a grid along which programs run one after the other: loops in the program, and what these pass on.
#include "frontend/Importer.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace clang;

namespace tegula::frontend {

mlir::Value Importer::programIndex(int64_t axis, mlir::Location at) {
  ArrayRef axes(launch->programAxes);
  if (!axes.empty() && axes[axis].isSequential)
    return axes[axis].index;
  return batchIndex(static_cast<unsigned>(launchAxis(axis)), at);
}

int64_t Importer::launchAxis(int64_t axis) {
  auto sequential = llvm::count_if(launch->programAxes, [&](const Launch::ProgramAxis &other) {
    return other.isSequential && &other - launch->programAxes.begin() < axis;
  });
  return static_cast<int64_t>(batches.sizes().size()) + axis - sequential;
}

bool Importer::axesOption(const LValue &options, SourceLocation where, Launch &launch) {
  Object *semantics = option(options, "dimension_semantics");
  if (!semantics || semantics->isPoisoned)
    return false;
  for (auto [i, each] : llvm::enumerate(semantics->parts)) {
    Leaf value = read(each, each->type, where);
    std::optional<int64_t> constant = constantInt(value);
    if (!constant) {
      if (value)
        report(DiagnosticKind::ArgumentNotConstant, where) << ".dimension_semantics";
      return false;
    }
    if (*constant == 0)
      continue;
    if (i >= launch.programAxes.size()) {
      report(DiagnosticKind::NoSuchAxis, where) << int64_t(i) << int64_t(launch.programAxes.size());
      return false;
    }
    launch.programAxes[i].isSequential = true;
  }
  return true;
}

void Importer::beginSequentialAxes(mlir::Location at) {
  for (Launch::ProgramAxis &axis : launch->programAxes) {
    if (!axis.isSequential)
      continue;
    mlir::Value end = captured(axis.size), zero = constantOf(builder.getI64Type(), 0),
                one = constantOf(builder.getI64Type(), 1);
    auto loop = builder.create<mlir::scf::ForOp>(at, zero, end, one);
    axis.index = loop.getInductionVar();
    builder.setInsertionPointToStart(loop.getBody());
  }
}

void hoistBlocks(tile::LaunchOp launch, mlir::Block *block) {
  for (mlir::Operation *loop = block->getParentOp(); loop != launch; loop = loop->getParentOp())
    for (mlir::Operation &op : llvm::make_early_inc_range(loop->getRegion(0).front().without_terminator())) {
      bool isInvariant = mlir::isMemoryEffectFree(&op) && op.getNumRegions() == 0 &&
                         llvm::all_of(op.getOperands(), [&](mlir::Value operand) {
                           return !loop->isAncestor(operand.getParentBlock()->getParentOp());
                         });
      if (isInvariant)
        op.moveBefore(loop);
    }
}

/// A tile that the programs of sequential axes pass on. Changes of a copy would be lost.
Object *Importer::makeScratch(const Spec &spec, const ParmVarDecl *parameter) {
  QualType type = parameter->getType();
  if (!type->isReferenceType()) {
    report(DiagnosticKind::ScratchByValue, parameter->getLocation()) << parameter->getName();
    type = ast.getLValueReferenceType(type);
  }
  Object *object = makeObject(type.getNonReferenceType(), /*isMutable=*/true, spec.where);
  if (object->isPoisoned)
    return object;
  mlir::RankedTensorType tile = types.tile(object->type);
  mlir::Type scalar = tile::scalarTypeOf(tile.getElementType());
  mlir::Value zero = constantOf(builder.getZeroAttr(scalar));
  initialize(*object, Leaf(builder.create<tile::FullOp>(locate(spec.where), tile, zero, mlir::ValueRange())),
             spec.where);
  nameLeaves(*object, parameter->getName());
  return object;
}

} // namespace tegula::frontend
