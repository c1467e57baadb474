// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory of other blocks of the cluster, and other views of places.
#include "frontend/intrinsics/Rows.h"

using namespace clang;

namespace tegula::frontend {

/// The place that another block has, {"axis", index}.
static Leaf clusterRef(Importer &importer, mlir::Value source, const Expr *block) {
  SourceLocation where = block->getExprLoc();
  LValue given = importer.evaluateOperand(block);
  if (!given.object || given.object->isPoisoned)
    return {};
  const LaunchAxis *axis = importer.axisOf(given.object->parts[0], where);
  QualType s64 = importer.ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  Leaf index = importer.read(given.object->parts[1], s64, where);
  if (!axis || !index)
    return {};
  if (axis->kind != LaunchAxis::Cluster) {
    importer.report(DiagnosticKind::NotAClusterAxis, where) << axis->name;
    return {};
  }
  std::optional<int64_t> constant = importer.constantInt(index);
  if (constant && (*constant < 0 || *constant >= axis->size)) {
    importer.report(DiagnosticKind::ClusterBlock, where)
        << axis->name << axis->size << (*constant == absentSize ? "missing" : std::to_string(*constant));
    return {};
  }
  return Leaf(importer.builder.create<tile::ClusterRefOp>(importer.locate(where), source.getType(), source,
                                                          axis->number, importer.materialize(index, s64, where)));
}

static CallResult clusterRef(Importer &importer, const IntrinsicCall &call) {
  Leaf source = importer.evaluate(call.arguments[0]);
  return {source ? clusterRef(importer, source.value(), call.arguments[1]) : Leaf(), {}};
}

/// async_store_smem(value, window, barrier, {"axis", index}, reduction)
static CallResult asyncStore(Importer &importer, const IntrinsicCall &call) {
  ArrayRef<const Expr *> arguments = call.arguments;
  Operand value = importer.operand(arguments[0]);
  Leaf window = importer.evaluate(arguments[1]);
  auto barrier = importer.barrierArgument(arguments[2]);
  Leaf target = window ? clusterRef(importer, window.value(), arguments[3]) : Leaf();
  std::optional<int64_t> reduction = importer.constantArgument(arguments[4], "the reduction of tg::async_store_smem");
  if (!value.leaf || !barrier || !target || !reduction)
    return {};
  auto type = cast<tile::RefType>(target.value().getType());
  if (int64_t bytes = type.getSizeInBytes(); bytes % 4 != 0) {
    importer.report(DiagnosticKind::AsyncStoreBytes, call.where()) << bytes;
    return {};
  }
  tile::CopyReductionAttr combines;
  if (*reduction != 0) { // tg::reduction_op::none
    auto kind = static_cast<tile::CopyReduction>(*reduction);
    if (!tile::hasAsyncReduction(kind, type.getElementType())) {
      bool isBitwise = kind >= tile::CopyReduction::And;
      importer.report(DiagnosticKind::AsyncReduction, call.where())
          << ((isBitwise ? "bitwise_" : "") + tile::stringifyCopyReduction(kind)).str()
          << importer.types.name(importer.types.shaped(arguments[1]->getType()).element);
      return {};
    }
    combines = tile::CopyReductionAttr::get(importer.builder.getContext(), kind);
  }
  importer.builder.create<tile::AsyncStoreOp>(importer.locate(call.where()), value.leaf.value(), target.value(),
                                              barrier->first->barriers, barrier->second, combines);
  return {};
}

/// A view has the memory and the arrangement of its source.
static tile::RefType viewType(tile::RefType source, mlir::Type element, ArrayRef<int64_t> dims) {
  return source.isShared() ? tile::RefType::inShared(element, dims, source.getSwizzle())
                           : tile::RefType::get(element, dims);
}

static CallResult reshapeRef(Importer &importer, const IntrinsicCall &call) {
  Leaf source = importer.evaluate(call.arguments[0]);
  if (!source || importer.refuseIndexedPlace(source, call.where()))
    return {};
  auto type = cast<tile::RefType>(source.value().getType());
  SmallVector<int64_t> dims(importer.types.shaped(call.type()).extents), extents;
  for (int64_t i = 0; i < type.getRank(); ++i)
    extents.push_back(type.getBound(i));
  for (const tile::ReshapeGroup &group : tile::reshapeGroups(extents, dims)) {
    auto folded = ArrayRef(extents).slice(group.sourceBegin, group.sourceEnd - group.sourceBegin);
    if (!type.isShared() && llvm::count_if(folded, [](int64_t extent) { return extent != 1; }) > 1) {
      importer.report(DiagnosticKind::ReshapeFolds, call.where());
      return {};
    }
  }
  return {Leaf(importer.builder.create<tile::ReshapeRefOp>(
              importer.locate(call.where()), viewType(type, type.getElementType(), dims), source.value())),
          {}};
}

static CallResult bitcastRef(Importer &importer, const IntrinsicCall &call) {
  Leaf source = importer.evaluate(call.arguments[0]);
  if (!source || importer.refuseIndexedPlace(source, call.where()))
    return {};
  auto type = cast<tile::RefType>(source.value().getType());
  ShapedClass shaped = importer.types.shaped(call.type());
  mlir::Type element = importer.types.element(shaped.element);
  bool changesWidth = tile::bytesOf(element) != tile::bytesOf(type.getElementType());
  int64_t rank = cast<tile::RefType>(tile::memoryOf(source.value()).getType()).getRank();
  if (changesWidth && tile::arrayDimsOf(source.value()).back() + 1 != rank) {
    importer.report(DiagnosticKind::BitcastWidth, call.where());
    return {};
  }
  return {Leaf(importer.builder.create<tile::BitcastRefOp>(importer.locate(call.where()),
                                                           viewType(type, element, shaped.extents), source.value())),
          {}};
}

static CallResult multipleOf(Importer &importer, const IntrinsicCall &call) {
  int64_t multiple = call.callee->getTemplateSpecializationArgs()->get(0).getAsIntegral().getSExtValue();
  QualType s64 = importer.ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  Operand value = importer.operand(call.arguments[0]);
  if (!value.leaf)
    return {};
  if (std::optional<int64_t> constant = importer.constantInt(value.leaf)) {
    if (*constant % multiple == 0)
      return {importer.convert(value.leaf, value.type, s64, call.where()), {}};
    importer.report(DiagnosticKind::MultipleOf, call.where()) << *constant << multiple;
    return {};
  }
  mlir::Value number = importer.indexOf(value.leaf, value.type, call.where());
  return {Leaf(importer.builder.create<tile::MultipleOfOp>(importer.locate(call.where()), importer.builder.getI64Type(),
                                                           number, multiple)),
          {}};
}

ArrayRef<IntrinsicRow> viewRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::None, "reshape_ref", Side::Explicit, &reshapeRef},
      {Known::None, "bitcast_ref", Side::Explicit, &bitcastRef},
      {Known::None, "multiple_of", Side::Device, &multipleOf},
      {Known::None, "cluster_ref", Side::Explicit, &clusterRef},
      {Known::None, "async_store_smem", Side::Explicit, &asyncStore},
  };
  return rows;
}

} // namespace tegula::frontend
