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
        << axis->name << axis->size << (*constant == absentSize ? "no number" : std::to_string(*constant));
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
  std::optional<int64_t> reduction = importer.constantArgument(arguments[4], "how an asynchronous store combines");
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

ArrayRef<IntrinsicRow> viewRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::None, "cluster_ref", Side::Explicit, &clusterRef},
      {Known::None, "async_store_smem", Side::Explicit, &asyncStore},
  };
  return rows;
}

} // namespace tegula::frontend
