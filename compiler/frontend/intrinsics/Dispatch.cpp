// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the language that are ops. Elementwise functions need no row here: one whose name is that of an
// elementwise op is that op.
#include "frontend/intrinsics/Rows.h"

#include "clang/AST/DeclCXX.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace tegula::frontend {

/// The handler of an operator or a conversion; null if it is C++ or the language has none.
static const IntrinsicRow *operatorRow(const FunctionDecl *callee, const TypeMap &types) {
  static constexpr IntrinsicRow subscriptOfRef{Known::Ref, "[]", Side::Device, member<&Importer::subscript>};
  static constexpr IntrinsicRow subscriptOfTile{Known::Tile, "[]", Side::Device, member<&Importer::subscript>};
  static constexpr IntrinsicRow assign{Known::Tile, "=", Side::Device, member<&Importer::tileAssign>};
  static constexpr IntrinsicRow narrowAssign{Known::NarrowFloat, "=", Side::Both, member<&Importer::narrowAssign>};
  static constexpr IntrinsicRow narrowFloat{Known::NarrowFloat, "float", Side::Both, member<&Importer::narrowFloat>};
  static constexpr IntrinsicRow compound{Known::None, "op=", Side::Device, member<&Importer::tileCompoundAssign>};
  static constexpr IntrinsicRow barrierItself{Known::Barrier, "barrier_ref", Side::Explicit,
                                              member<&Importer::barrierItself>};
  static constexpr IntrinsicRow isPresent{Known::Ref, "bool", Side::Both, member<&Importer::isPresent>};
  static constexpr IntrinsicRow runPipeline{Known::Pipeline, "()", Side::Explicit, member<&Importer::runPipeline>};
  static constexpr IntrinsicRow free{Known::None, "op", Side::Device, member<&Importer::tileOperator>};

  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  Known owner = method ? types.known(method->getFunctionObjectParameterType()) : Known::None;
  bool isNarrow = owner == Known::NarrowFloat;
  if (isa<CXXConversionDecl>(callee))
    return isNarrow                                                    ? &narrowFloat
           : types.isBarrier(method->getFunctionObjectParameterType()) ? &barrierItself
           : owner == Known::Ref || owner == Known::Array              ? &isPresent
                                                                       : nullptr;
  switch (callee->getOverloadedOperator()) {
  case OO_None:
    return nullptr;
  case OO_Subscript:
    return owner == Known::Tile ? &subscriptOfTile : &subscriptOfRef;
  case OO_Exclaim: // Of a place it asks whether that is there, in C++.
    return types.isRef(callee->getParamDecl(0)->getType().getNonReferenceType()) ? nullptr : &free;
  case OO_Call:
    return owner == Known::Pipeline ? &runPipeline : nullptr;
  case OO_Equal:
    return owner == Known::Tile ? &assign : isNarrow ? &narrowAssign : nullptr;
  case OO_PlusEqual:
  case OO_MinusEqual:
  case OO_StarEqual:
  case OO_SlashEqual:
  case OO_PercentEqual:
  case OO_AmpEqual:
  case OO_PipeEqual:
  case OO_CaretEqual:
  case OO_LessLessEqual:
  case OO_GreaterGreaterEqual:
    return method ? nullptr : &compound;
  default:
    return method ? nullptr : &free;
  }
}

std::string spelled(const FunctionDecl *function) {
  if (function->isOverloadedOperator())
    return std::string("operator ") + getOperatorSpelling(function->getOverloadedOperator());
  return (isa<CXXMethodDecl>(function) ? "" : "tg::") + function->getNameAsString();
}

static const IntrinsicRow *namedRow(const FunctionDecl *callee, const TypeMap &types) {
  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  Known owner = method ? types.known(method->getFunctionObjectParameterType()) : Known::None;
  if (method && owner == Known::None) // C++, whatever it is called.
    return nullptr;
  for (ArrayRef<IntrinsicRow> family :
       {accessRows(), atomicRows(), conversionRows(), extentRows(), hostRows(), indexingRows(), inlineRows(),
        layoutRows(), mmaRows(), programRows(), reductionRows(), semaphoreRows(), sharedRows(), sliceRows(), viewRows(),
        wgmmaRows()})
    for (const IntrinsicRow &row : family)
      if (row.owner == owner && row.name == callee->getName())
        return &row;
  return nullptr;
}

std::optional<CallResult> Importer::intrinsic(const IntrinsicCall &call) {
  const FunctionDecl *callee = call.callee;
  if (!isInLanguage(callee->getDeclContext()))
    return std::nullopt;
  llvm::SaveAndRestore innermost(running, &call);
  const IntrinsicRow *row = operatorRow(callee, types);
  if (!row && callee->getIdentifier() && !isa<CXXConversionDecl>(callee))
    row = namedRow(callee, types);
  if (!row)
    return isElementwiseCall(call) ? std::optional(elementwiseCall(call)) : std::nullopt;
  std::optional<DiagnosticKind> elsewhere;
  switch (row->side) {
  case Side::Both:
    break;
  case Side::Host:
    if (isOnDevice())
      elsewhere = DiagnosticKind::HostOnly;
    break;
  case Side::Device:
    if (!isOnDevice())
      elsewhere = DiagnosticKind::DeviceOnly;
    break;
  case Side::Explicit:
    if (!isExplicit())
      elsewhere = DiagnosticKind::ExplicitOnly;
    break;
  case Side::HostOrExplicit:
    if (isOnDevice() && !isExplicit())
      elsewhere = DiagnosticKind::HostOnly;
    break;
  }
  if (elsewhere) {
    report(*elsewhere, call.where()) << spelled(callee);
    return CallResult();
  }
  return row->import(*this, call);
}

} // namespace tegula::frontend
