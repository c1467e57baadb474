// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the language that are ops. Elementwise functions need no row here: one whose name is that of an
// elementwise op is that op.
#include "frontend/Importer.h"

#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tegula::frontend {

namespace {
/// Explicit: in the body of tg::kernel.
enum class Side { Host, Device, Both, Explicit, HostOrExplicit };
struct Row {
  /// The class of a member, or nothing.
  Known owner;
  llvm::StringLiteral name;
  Side side;
  Importer::Intrinsic import;
};
} // namespace

static constexpr Row rows[] = {
    {Known::None, "astype", Side::Both, &Importer::astype},
    {Known::None, "load", Side::Device, &Importer::load},
    {Known::None, "store", Side::Device, &Importer::store},
    {Known::None, "ds", Side::Device, &Importer::ds},
    {Known::None, "full", Side::Device, &Importer::full},
    {Known::None, "full_like", Side::Device, &Importer::fullLike},
    {Known::None, "zeros", Side::Device, &Importer::zeros},
    {Known::None, "broadcasted_iota", Side::Device, &Importer::iota},
    {Known::None, "sum", Side::Device, &Importer::reduce},
    {Known::None, "prod", Side::Device, &Importer::reduce},
    {Known::None, "max", Side::Device, &Importer::reduce},
    {Known::None, "min", Side::Device, &Importer::reduce},
    {Known::None, "any_of", Side::Device, &Importer::reduce},
    {Known::None, "all_of", Side::Device, &Importer::reduce},
    {Known::None, "dot", Side::Device, &Importer::dot},
    {Known::None, "transpose", Side::Device, &Importer::transpose},
    {Known::None, "transpose_ref", Side::Device, &Importer::transposeRef},
    {Known::None, "program_id", Side::Device, &Importer::programId},
    {Known::None, "num_programs", Side::Device, &Importer::programId},
    {Known::None, "debug_print", Side::Device, &Importer::debugPrint},
    {Known::None, "check", Side::Host, &Importer::check},
    {Known::None, "empty", Side::Host, &Importer::empty},
    {Known::None, "empty_like", Side::Host, &Importer::emptyLike},
    {Known::None, "slice_of", Side::Both, &Importer::sliceOf},
    {Known::None, "batch", Side::Both, &Importer::batch},
    {Known::None, "in", Side::HostOrExplicit, &Importer::spec},
    {Known::None, "out", Side::HostOrExplicit, &Importer::spec},
    {Known::None, "inout", Side::HostOrExplicit, &Importer::spec},
    {Known::None, "pallas_call", Side::Host, &Importer::pallasCall},
    {Known::None, "kernel", Side::Host, &Importer::kernel},
    {Known::None, "axis_index", Side::Explicit, &Importer::axisIndex},
    {Known::None, "axis_size", Side::Explicit, &Importer::axisIndex},
    {Known::None, "set_max_registers", Side::Explicit, &Importer::setMaxRegisters},
    {Known::None, "nd_loop", Side::Explicit, &Importer::ndLoop},
    {Known::None, "barrier_arrive", Side::Explicit, &Importer::barrierArrive},
    {Known::None, "barrier_wait", Side::Explicit, &Importer::barrierWait},
    {Known::None, "copy_gmem_to_smem", Side::Explicit, &Importer::copyToShared},
    {Known::None, "copy_smem_to_gmem", Side::Explicit, &Importer::copyToGlobal},
    {Known::None, "commit_smem", Side::Explicit, &Importer::commitShared},
    {Known::None, "commit_smem_to_gmem_group", Side::Explicit, &Importer::commitGroup},
    {Known::None, "wait_smem_to_gmem", Side::Explicit, &Importer::waitGroup},
    {Known::None, "wgmma", Side::Explicit, &Importer::wgmma},
    {Known::None, "wgmma_wait", Side::Explicit, &Importer::wgmmaWait},
    {Known::None, "emit_pipeline", Side::Explicit, &Importer::emitPipeline},
    {Known::None, "emit_pipeline_warp_specialized", Side::Explicit, &Importer::emitSpecialized},
    {Known::None, "index", Side::Both, &Importer::index},
    {Known::Tile, "dim", Side::Device, &Importer::dim},
    {Known::Ref, "dim", Side::Both, &Importer::dim},
    {Known::Ref, "at", Side::Device, &Importer::at},
    {Known::Array, "size", Side::Both, &Importer::size},
    {Known::Barrier, "at", Side::Explicit, &Importer::barrierAt},
    {Known::ClusterBarrier, "at", Side::Explicit, &Importer::barrierAt},
};

/// The handler of an operator or a conversion; null if it is C++ or the language has none.
static const Row *operatorRow(const FunctionDecl *callee, const TypeMap &types) {
  static constexpr Row subscriptOfRef{Known::Ref, "[]", Side::Device, &Importer::subscript};
  static constexpr Row subscriptOfTile{Known::Tile, "[]", Side::Device, &Importer::subscript};
  static constexpr Row assign{Known::Tile, "=", Side::Device, &Importer::tileAssign};
  static constexpr Row narrowAssign{Known::NarrowFloat, "=", Side::Both, &Importer::narrowAssign};
  static constexpr Row narrowFloat{Known::NarrowFloat, "float", Side::Both, &Importer::narrowFloat};
  static constexpr Row compound{Known::None, "op=", Side::Device, &Importer::tileCompoundAssign};
  static constexpr Row barrierItself{Known::Barrier, "barrier_ref", Side::Explicit, &Importer::barrierItself};
  static constexpr Row runPipeline{Known::Pipeline, "()", Side::Explicit, &Importer::runPipeline};
  static constexpr Row free{Known::None, "op", Side::Device, &Importer::tileOperator};

  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  Known owner = method ? types.known(method->getFunctionObjectParameterType()) : Known::None;
  bool isNarrow = owner == Known::NarrowFloat;
  if (isa<CXXConversionDecl>(callee))
    return isNarrow                                                    ? &narrowFloat
           : owner == Known::Barrier || owner == Known::ClusterBarrier ? &barrierItself
                                                                       : nullptr;
  switch (callee->getOverloadedOperator()) {
  case OO_None:
    return nullptr;
  case OO_Subscript:
    return owner == Known::Tile ? &subscriptOfTile : &subscriptOfRef;
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

static const Row *namedRow(const FunctionDecl *callee, const TypeMap &types) {
  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  Known owner = method ? types.known(method->getFunctionObjectParameterType()) : Known::None;
  for (const Row &row : rows)
    if (row.owner == owner && row.name == callee->getName())
      return &row;
  return nullptr;
}

std::optional<CallResult> Importer::intrinsic(const IntrinsicCall &call) {
  const FunctionDecl *callee = call.callee;
  if (!isInLanguage(callee->getDeclContext()))
    return std::nullopt;
  const Row *row = operatorRow(callee, types);
  if (!row && callee->getIdentifier() && !isa<CXXConversionDecl>(callee)) {
    row = namedRow(callee, types);
    // zeros<float, 64>() is C++ over full; zeros<float>(n) has run-time extents.
    if (row && row->import == &Importer::zeros && callee->getNumParams() == 0)
      row = nullptr;
  }
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
  return (this->*row->import)(call);
}

} // namespace tegula::frontend
