// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of warps, and copies that threads make themselves.
#include "frontend/intrinsics/Rows.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace tegula::frontend {

/// A product that the kernel's warps have instructions for.
static CallResult mma(Importer &importer, const IntrinsicCall &call) {
  Leaf sum = importer.evaluate(call.arguments[0]), a = importer.evaluate(call.arguments[1]),
       b = importer.evaluate(call.arguments[2]);
  if (!sum || !a || !b)
    return {};
  bool isFloat = cast<mlir::RankedTensorType>(a.value().getType()).getElementType().isF32();
  auto product = importer.builder.create<tile::DotOp>(
      importer.locate(call.where()), sum.value().getType(), a.value(), b.value(), sum.value(),
      /*extent=*/mlir::Value(), isFloat ? tile::Precision::Tf32 : tile::Precision::Ieee);
  product->setAttr(tile::isByMma, importer.builder.getUnitAttr());
  return {Leaf(product.getResult()), {}};
}

static CallResult cpAsync(Importer &importer, const IntrinsicCall &call) {
  Leaf source = importer.evaluate(call.arguments[0]), target = importer.evaluate(call.arguments[1]);
  mlir::Value predicate = importer.flagOption(importer.evaluateOperand(call.arguments[2]), "predicate", call.where());
  if (source && target && !importer.refuseView(source, call.where()))
    importer.builder.create<tile::CpAsyncOp>(importer.locate(call.where()), source.value(), target.value(), predicate,
                                             /*group=*/true);
  return {};
}

static CallResult cpAsyncCommit(Importer &importer, const IntrinsicCall &call) {
  importer.builder.create<tile::CpAsyncCommitOp>(importer.locate(call.where()));
  return {};
}

static CallResult cpAsyncWait(Importer &importer, const IntrinsicCall &call) {
  int64_t pending = call.callee->getTemplateSpecializationArgs()->get(0).getAsIntegral().getSExtValue();
  importer.builder.create<tile::CpAsyncWaitOp>(importer.locate(call.where()), pending, /*group=*/true);
  return {};
}

ArrayRef<IntrinsicRow> mmaRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::None, "mma", Side::Explicit, &mma},
      {Known::None, "cp_async", Side::Explicit, &cpAsync},
      {Known::None, "cp_async_commit", Side::Explicit, &cpAsyncCommit},
      {Known::None, "cp_async_wait", Side::Explicit, &cpAsyncWait},
  };
  return rows;
}

} // namespace tegula::frontend
