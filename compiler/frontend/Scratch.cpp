// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch of the explicit level: local variables that are shared memory, barriers, accumulators, or rings of pipelines.
#include "frontend/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace tegula::frontend {

void Importer::goToLaunchStart() {
  if (launch->hoisted)
    return builder.setInsertionPointAfter(launch->hoisted);
  auto isConstant = [](mlir::Operation &op) { return op.hasTrait<mlir::OpTrait::ConstantLike>(); };
  mlir::Block &body = launch->op.getBody().front();
  builder.setInsertionPoint(&body, llvm::find_if_not(body, isConstant));
}

mlir::Value Importer::hoisted(mlir::Operation *op) {
  launch->hoisted = op;
  return op->getNumResults() ? op->getResult(0) : mlir::Value();
}

mlir::Value Importer::makeState(mlir::Type type, int64_t value, mlir::Location where) {
  mlir::Value constant = constantOf(type, value);
  mlir::OpBuilder::InsertionGuard guard(builder);
  goToLaunchStart();
  mlir::Value slot = hoisted(builder.create<tile::SlotOp>(where, tile::SlotType::get(builder.getContext(), type)));
  hoisted(builder.create<tile::SetOp>(where, constant, slot));
  return slot;
}

mlir::Value Importer::makeBarriers(int64_t count, int64_t arrivals, ArrayRef<int64_t> clusterAxes,
                                   SourceLocation where) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Location at = locate(where);
  goToLaunchStart();
  // An arrival counts at all blocks that differ along one of the axes.
  int64_t reached = 1;
  for (int64_t axis : clusterAxes)
    reached += launch->cluster[axis] - 1;
  return hoisted(builder.create<tile::AllocBarriersOp>(
      at, tile::BarriersType::get(builder.getContext(), count), arrivals * reached,
      clusterAxes.empty() ? mlir::DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(clusterAxes),
      mlir::IntegerAttr()));
}

void Importer::allocateBarriers(Object &object, SourceLocation where) {
  std::optional<int64_t> arrivals = constantOption(&object, "num_arrivals", where);
  SmallVector<int64_t> axes;
  bool isCluster = types.is(object.type, Known::ClusterBarrier);
  if (!arrivals || (isCluster && !clusterAxesOf(option(&object, "collective_axes"), where, axes))) {
    object.isPoisoned = true;
    return;
  }
  if (*arrivals < 1) {
    report(DiagnosticKind::Arrivals, where) << *arrivals;
    object.isPoisoned = true;
    return;
  }
  Barriers &made = barriers.emplace_back();
  int64_t count = 1;
  const auto *record = cast<ClassTemplateSpecializationDecl>(object.type->getAsCXXRecordDecl());
  for (const TemplateArgument &extent : record->getTemplateArgs()[0].pack_elements()) {
    made.shape.push_back(extent.getAsIntegral().getSExtValue());
    count *= made.shape.back();
  }
  made.barriers = makeBarriers(count, *arrivals, axes, where);
  made.phases = makeState(count == 1 ? builder.getI1Type() : builder.getI32Type(), 0, locate(where));
  object.barriers = &made;
}

void Importer::allocate(Object &object, SourceLocation where) {
  if (object.isPoisoned || object.type.isNull())
    return;
  Known kind = types.known(object.type);
  bool isScratch = kind == Known::Smem || kind == Known::Acc || kind == Known::Barrier ||
                   kind == Known::ClusterBarrier || kind == Known::Allocations;
  if (!isScratch) {
    if (kind == Known::None && !types.isLeaf(object.type))
      for (Object *part : object.parts)
        allocate(*part, where);
    return;
  }
  // A copy is another name for what it was copied from.
  if (object.leaf || object.barriers || object.allocations)
    return;
  if (!isExplicit()) {
    report(DiagnosticKind::ExplicitOnly, where) << ("tg::" + object.type->getAsCXXRecordDecl()->getName()).str();
    object.isPoisoned = true;
    return;
  }
  mlir::Location at = locate(where);
  switch (kind) {
  case Known::Smem: {
    ShapedClass shaped = types.shaped(object.type);
    auto type = tile::RefType::inShared(types.element(shaped.element), shaped.extents);
    object.leaf = Leaf(builder.create<tile::AllocOp>(at, type, mlir::IntegerAttr()));
    return;
  }
  case Known::Acc: {
    auto type = types.tile(object.type);
    if (object.slot.use_empty()) { // Nothing initialised it: zero.
      mlir::Value zero = constantOf(builder.getFloatAttr(type.getElementType(), 0.0));
      mlir::Value tile = builder.create<tile::FullOp>(at, type, zero, mlir::ValueRange());
      builder.create<tile::SetOp>(at, tile, object.slot);
    }
    launch->accumulators.push_back(&object);
    return;
  }
  case Known::Allocations: {
    Allocations &made = allocations.emplace_back();
    // Marks the place: what the ring consists of, the first pipeline says.
    auto type = tile::SlotType::get(builder.getContext(), builder.getI1Type());
    made.declared = builder.create<tile::SlotOp>(at, type);
    made.where = where;
    object.allocations = &made;
    return;
  }
  default:
    return allocateBarriers(object, where);
  }
}

} // namespace tegula::frontend
