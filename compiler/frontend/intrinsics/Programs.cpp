// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles out of nothing, and what a program asks and says.
#include "frontend/intrinsics/Rows.h"
#include "ir/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "clang/AST/APValue.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace tegula::frontend {

/// Run-time extents of a tile: the explicit level has registers for static ones alone.
bool Importer::extentsOf(ArrayRef<const Expr *> arguments, mlir::SmallVectorImpl<mlir::Value> &extents) {
  if (!arguments.empty() && isExplicit()) {
    report(DiagnosticKind::RunTimeTile, arguments.front()->getExprLoc());
    return false;
  }
  if (!indicesOf(arguments, extents))
    return false;
  for (auto [argument, extent] : llvm::zip_equal(arguments, extents)) {
    std::optional<int64_t> constant = mlir::getConstantIntValue(extent);
    if (!constant || *constant >= 0)
      continue;
    report(DiagnosticKind::NegativeExtent, argument->getExprLoc()) << *constant;
    return false;
  }
  return true;
}

CallResult Importer::full(const IntrinsicCall &call) {
  Operand value = operand(call.arguments[0]);
  mlir::SmallVector<mlir::Value> extents;
  if (!extentsOf(ArrayRef(call.arguments).drop_front(), extents))
    return {};
  QualType element = types.shaped(call.type()).element;
  mlir::Value tile = filled(value.leaf, value.type, element, types.tile(call.type()), extents, call.where());
  return tile ? CallResult{Leaf(tile), {}} : CallResult();
}

/// The extents of a tile; at the portable level those of static dimensions, too: a block at the edge of an array has
/// fewer elements than its type says.
mlir::SmallVector<mlir::Value> Importer::extentsLike(mlir::Value tile, mlir::Location at) {
  auto type = cast<mlir::RankedTensorType>(tile.getType());
  mlir::SmallVector<mlir::Value> extents;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i) || !isExplicit())
      extents.push_back(builder.create<tile::DimOp>(at, builder.getI64Type(), tile, i));
  return extents;
}

CallResult Importer::fullLike(const IntrinsicCall &call) {
  Leaf model = evaluate(call.arguments[0]);
  Operand value = operand(call.arguments[1]);
  if (!model || !value.leaf)
    return {};
  mlir::SmallVector<mlir::Value> extents = extentsLike(model.value(), locate(call.where()));
  QualType element = types.shaped(call.type()).element;
  mlir::Value tile = filled(value.leaf, value.type, element, types.tile(call.type()), extents, call.where());
  return tile ? CallResult{Leaf(tile), {}} : CallResult();
}

CallResult Importer::zeros(const IntrinsicCall &call) {
  mlir::SmallVector<mlir::Value> extents;
  if (!extentsOf(call.arguments, extents))
    return {};
  QualType element = types.shaped(call.type()).element;
  return {Leaf(filled(Leaf::number(0), ast.LongTy, element, types.tile(call.type()), extents, call.where())), {}};
}

CallResult Importer::iota(const IntrinsicCall &call) {
  int64_t axis = call.callee->getTemplateSpecializationArgs()->get(1).getAsIntegral().getSExtValue();
  mlir::RankedTensorType type = types.tile(call.type());
  if (type.getElementType().isInteger(1)) {
    report(DiagnosticKind::IotaOfBool, call.where());
    return {};
  }
  mlir::Location at = locate(call.where());
  mlir::SmallVector<mlir::Value> extents;
  bool isWhole = isExplicit() && type.hasStaticShape(); // The explicit level has no partial tiles.
  if (call.callee->getName() == "iota_like") {
    Leaf model = evaluate(call.arguments[0]);
    if (!model)
      return {};
    extents = extentsLike(model.value(), at);
  } else if (!isWhole && !extentsOf(call.arguments, extents)) {
    return {};
  }
  mlir::RankedTensorType counted = isStored(type.getElementType()) ? types.tile(ast.IntTy, type.getShape()) : type;
  mlir::Value tile = builder.create<tile::IotaOp>(at, counted, axis, mlir::Value(), extents);
  return {Leaf(counted == type ? tile : builder.create<tile::CastOp>(at, type, tile)), {}};
}

CallResult Importer::programId(const IntrinsicCall &call) {
  bool isId = call.callee->getName() == "program_id";
  std::optional<int64_t> axis =
      constantArgument(call.arguments[0], isId ? "the axis of program_id" : "the axis of num_programs");
  if (!axis)
    return {};
  if (*axis < 0 || *axis >= launch->gridRank) {
    report(DiagnosticKind::NoSuchAxis, call.arguments[0]->getExprLoc()) << *axis << launch->gridRank;
    return {};
  }
  mlir::Location at = locate(call.where());
  if (isId)
    return {Leaf(programIndex(*axis, at)), {}};
  ArrayRef axes(launch->programAxes);
  if (!axes.empty() && axes[*axis].isSequential)
    return {Leaf(captured(axes[*axis].size)), {}};
  return {Leaf(builder.create<tile::NumProgramsOp>(at, builder.getI64Type(), launchAxis(*axis))), {}};
}

const StringLiteral *Importer::literalArgument(const Expr *argument) {
  if (const auto *literal = dyn_cast<StringLiteral>(argument->IgnoreParenImpCasts()))
    return literal;
  std::optional<APValue> constant = evaluateConstant(argument);
  const StringLiteral *literal = constant ? leafOf(*constant, argument->getType()).text() : nullptr;
  if (!literal)
    report(DiagnosticKind::NotALiteral, argument->getExprLoc()) << argument->getSourceRange();
  return literal;
}

CallResult Importer::debugPrint(const IntrinsicCall &call) {
  const StringLiteral *format = literalArgument(call.arguments[0]);
  if (!format)
    return {};
  StringRef text = format->getString();
  ArrayRef<const Expr *> arguments = ArrayRef(call.arguments).drop_front();
  if (text.count("{}") != arguments.size()) {
    report(DiagnosticKind::PrintCount, call.where()) << int64_t(text.count("{}")) << int64_t(arguments.size());
    return {};
  }
  mlir::SmallVector<mlir::Value> values;
  mlir::SmallVector<bool> isUnsigned;
  for (const Expr *argument : arguments) {
    Operand value = operand(argument);
    values.push_back(materialize(value.leaf, value.type, argument->getExprLoc()));
    isUnsigned.push_back(types.isUnsigned(value.type));
    if (!values.back())
      return {};
  }
  mlir::ArrayAttr marks =
      llvm::is_contained(isUnsigned, true) ? builder.getBoolArrayAttr(isUnsigned) : mlir::ArrayAttr();
  builder.create<tile::DebugPrintOp>(locate(call.where()), builder.getStringAttr(text), values, marks);
  return {};
}

/// A row of the launch's record is the program's: what fails is noted there, and the host looks behind the launch.
CallResult Importer::debugCheck(const IntrinsicCall &call) {
  const StringLiteral *format = literalArgument(call.arguments[1]);
  if (!format)
    return {};
  StringRef text = format->getString();
  ArrayRef<const Expr *> arguments = ArrayRef(call.arguments).drop_front(2);
  if (text.count("{}") != arguments.size()) {
    report(DiagnosticKind::PrintCount, call.where()) << int64_t(text.count("{}")) << int64_t(arguments.size());
    return {};
  }
  if (!debugChecks)
    return {};
  if (isExplicit()) {
    report(DiagnosticKind::UnsupportedIntrinsic, call.where()) << "tg::debug_check in tg::kernel";
    return {};
  }
  Leaf holds = condition(call.arguments[0]);
  mlir::Value value = materialize(holds, ast.BoolTy, call.where());
  if (!value)
    return {};
  mlir::Location at = locate(call.where());
  mlir::Value isWrong = builder.create<mlir::arith::XOrIOp>(at, value, constantOf(builder.getI1Type(), 1));
  auto branch = builder.create<mlir::scf::IfOp>(at, isWrong, /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  mlir::SmallVector<Leaf> noted{Leaf::number(launch->failures.size())};
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  mlir::SmallVector<QualType> notedTypes{s64};
  for (const Expr *argument : arguments) {
    Operand operand = this->operand(argument);
    noted.push_back(operand.leaf);
    notedTypes.push_back(operand.type);
  }
  mlir::Value row = recordRow(at, static_cast<int64_t>(noted.size()));
  for (auto [i, leaf, type] : llvm::enumerate(noted, notedTypes)) {
    Leaf number = convert(leaf, type, ast.DoubleTy, call.where());
    if (!number)
      return {};
    mlir::Value column = constantOf(builder.getI64Type(), static_cast<int64_t>(i));
    auto element = static_cast<int32_t>(tile::SliceMode::Element);
    mlir::Value place = builder.create<tile::SliceOp>(
        at, tile::RefType::get(builder.getF64Type(), llvm::ArrayRef<int64_t>()), launch->record,
        mlir::ValueRange{row, column}, mlir::ValueRange(), llvm::ArrayRef<int32_t>{element, element}, /*spec=*/false);
    storeTo(Window{place, {}}, number, ast.DoubleTy, call.where());
  }
  std::string where;
  PresumedLoc line = ast.getSourceManager().getPresumedLoc(ast.getSourceManager().getExpansionLoc(call.where()));
  if (line.isValid())
    where = llvm::sys::path::filename(line.getFilename()).str() + ":" + std::to_string(line.getLine()) + ": ";
  std::string holes;
  for (const Expr *argument : arguments) { // The record holds doubles: {bool} has the runtime print true or false.
    auto [front, behind] = text.split("{}");
    bool isBool = argument->getType().getNonReferenceType()->isBooleanType();
    holes += (front + (isBool ? "{bool}" : "{}")).str();
    text = behind;
  }
  launch->failures.push_back(where + holes + text.str());
  return {};
}

/// The number of the program among those of the launch: its row of the record, which gets room for so many numbers.
mlir::Value Importer::recordRow(mlir::Location at, int64_t width) {
  if (!launch->recordOnHost) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(launch->op);
    mlir::Value programs = constantOnHost(1, at);
    for (mlir::Value size : launch->op.getGrid())
      programs = builder.create<mlir::arith::MulIOp>(at, programs, size);
    auto type = tile::ArrayType::get(builder.getContext(), builder.getF64Type(), 2, false);
    launch->recordOnHost = builder.create<tile::RecordOp>(at, type, programs, builder.getI64IntegerAttr(width));
    launch->record = argumentOf(launch->recordOnHost, tile::Access::InOut);
  }
  auto record = launch->recordOnHost.getDefiningOp<tile::RecordOp>();
  record.setWidth(std::max<int64_t>(record.getWidth(), width));
  mlir::Value row = constantOf(builder.getI64Type(), 0);
  for (unsigned axis = 0; axis < launch->op.getGrid().size(); ++axis) {
    mlir::Value size = builder.create<tile::NumProgramsOp>(at, builder.getI64Type(), axis);
    row = builder.create<mlir::arith::AddIOp>(at, builder.create<mlir::arith::MulIOp>(at, row, size),
                                              batchIndex(axis, at));
  }
  return row;
}

mlir::Value Importer::constantOnHost(int64_t value, mlir::Location at) {
  return builder.create<mlir::arith::ConstantOp>(at, builder.getI64IntegerAttr(value));
}

ArrayRef<IntrinsicRow> programRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::None, "full", Side::Device, member<&Importer::full>},
      {Known::None, "full_like", Side::Device, member<&Importer::fullLike>},
      {Known::None, "zeros", Side::Device, member<&Importer::zeros>},
      {Known::None, "broadcasted_iota", Side::Device, member<&Importer::iota>},
      {Known::None, "iota_like", Side::Device, member<&Importer::iota>},
      {Known::None, "partial_iota", Side::Device, member<&Importer::iota>},
      {Known::None, "program_id", Side::Device, member<&Importer::programId>},
      {Known::None, "num_programs", Side::Device, member<&Importer::programId>},
      {Known::None, "debug_print", Side::Device, member<&Importer::debugPrint>},
      {Known::None, "debug_check", Side::Device, member<&Importer::debugCheck>},
      {Known::None, "axis_index", Side::Explicit, member<&Importer::axisIndex>},
      {Known::None, "axis_size", Side::Explicit, member<&Importer::axisIndex>},
      {Known::None, "set_max_registers", Side::Explicit, member<&Importer::setMaxRegisters>},
      {Known::None, "griddepcontrol_wait", Side::Explicit, member<&Importer::gridDependency>},
      {Known::None, "griddepcontrol_launch_dependents", Side::Explicit, member<&Importer::gridDependency>},
      {Known::None, "warp_map", Side::Explicit, member<&Importer::warpMap>},
      {Known::None, "nd_loop", Side::Explicit, member<&Importer::ndLoop>},
      {Known::None, "dynamic_scheduling_loop", Side::Explicit, member<&Importer::dynamicLoop>},
      {Known::None, "emit_pipeline", Side::Explicit, member<&Importer::emitPipeline>},
      {Known::None, "emit_pipeline_warp_specialized", Side::Explicit, member<&Importer::emitSpecialized>},
  };
  return rows;
}

} // namespace tegula::frontend
