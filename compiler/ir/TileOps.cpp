// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly formats and verifiers. Folders are in TileFolders.cpp.
#include "ir/Elements.h"
#include "ir/TileDialect.h"
#include "ir/TilePlaces.h"
#include "support/Target.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace tegula::tile;

// ---- Slices ---------------------------------------------------------------------------------------------------------

/// Names of classes of architectures.
static LogicalResult verifyClasses(Operation *op, ArrayAttr classes) {
  for (StringRef name : classes.getAsValueRange<StringAttr>())
    if (!tegula::findClass({name.data(), name.size()}))
      return op->emitOpError("names a class of architectures that is not known: '") << name << "'";
  return success();
}

/// `whole, window %start, window %start size %n, element %i`: one entry per dimension of the source.
static ParseResult parseSlices(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &offsets,
                               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &sizes, DenseI32ArrayAttr &modes) {
  SmallVector<int32_t> parsed;
  StringRef word;
  llvm::SMLoc where = parser.getCurrentLocation();
  // The brackets are part of the op's format. Of a source of rank 0 nothing stands between them.
  bool hasMore = succeeded(parser.parseOptionalKeyword(&word));
  while (hasMore) {
    std::optional<SliceMode> mode = symbolizeSliceMode(word);
    if (!mode)
      return parser.emitError(where, "expected whole, window or element");
    parsed.push_back(static_cast<int32_t>(*mode));
    if (*mode != SliceMode::Whole && parser.parseOperand(offsets.emplace_back()))
      return failure();
    if (*mode == SliceMode::Window && succeeded(parser.parseOptionalKeyword("size")) &&
        parser.parseOperand(sizes.emplace_back()))
      return failure();
    hasMore = succeeded(parser.parseOptionalComma());
    where = parser.getCurrentLocation();
    if (hasMore && parser.parseKeyword(&word))
      return failure();
  }
  modes = parser.getBuilder().getDenseI32ArrayAttr(parsed);
  return success();
}

/// The dimension of the result that each dimension of the source becomes; -1 if it is dropped.
static SmallVector<int64_t> resultDims(ArrayRef<int32_t> modes) {
  SmallVector<int64_t> dims;
  int64_t next = 0;
  for (int32_t mode : modes)
    dims.push_back(static_cast<SliceMode>(mode) == SliceMode::Element ? -1 : next++);
  return dims;
}

/// Whether the result says how large each window is; if not, it needs an operand.
static SmallVector<bool> staticBounds(Type type) {
  SmallVector<bool> known;
  if (auto ref = dyn_cast<RefType>(type)) {
    for (int64_t i = 0; i < ref.getRank(); ++i)
      known.push_back(!ShapedType::isDynamic(ref.getBound(i)));
  } else {
    for (int64_t size : cast<RankedTensorType>(type).getShape())
      known.push_back(!ShapedType::isDynamic(size));
  }
  return known;
}

static void printSlices(OpAsmPrinter &printer, Operation *op, OperandRange offsets, OperandRange sizes,
                        DenseI32ArrayAttr modes) {
  SmallVector<bool> known = staticBounds(op->getResult(0).getType());
  SmallVector<int64_t> dims = resultDims(modes.asArrayRef());
  auto offset = offsets.begin();
  auto size = sizes.begin();
  for (auto [i, raw] : llvm::enumerate(modes.asArrayRef())) {
    auto mode = static_cast<SliceMode>(raw);
    printer << (i ? ", " : "") << stringifySliceMode(mode);
    if (mode != SliceMode::Whole)
      printer << ' ' << *offset++;
    if (mode == SliceMode::Window && !known[dims[i]])
      printer << " size " << *size++;
  }
}

template <class Op> static Value offsetOf(Op op, unsigned sourceDim) {
  if (op.getMode(sourceDim) == SliceMode::Whole)
    return {};
  unsigned at = 0;
  for (unsigned i = 0; i < sourceDim; ++i)
    at += op.getMode(i) != SliceMode::Whole;
  return op.getOffsets()[at];
}

template <class Op> static Value sizeOf(Op op, unsigned sourceDim) {
  SmallVector<bool> known = staticBounds(op.getType());
  SmallVector<int64_t> dims = resultDims(op.getModes());
  auto isRunTime = [&](unsigned i) { return op.getMode(i) == SliceMode::Window && !known[dims[i]]; };
  if (!isRunTime(sourceDim))
    return {};
  unsigned at = 0;
  for (unsigned i = 0; i < sourceDim; ++i)
    at += isRunTime(i);
  return op.getSizes()[at];
}

template <class Op> static unsigned sourceDimOf(Op op, unsigned resultDim) {
  SmallVector<int64_t> dims = resultDims(op.getModes());
  return llvm::find(dims, static_cast<int64_t>(resultDim)) - dims.begin();
}

Value SliceOp::getOffset(unsigned sourceDim) { return offsetOf(*this, sourceDim); }
Value SliceOp::getSize(unsigned sourceDim) { return sizeOf(*this, sourceDim); }
unsigned SliceOp::getSourceDim(unsigned resultDim) { return sourceDimOf(*this, resultDim); }

int64_t SliceOp::getBound(unsigned sourceDim) {
  if (getMode(sourceDim) == SliceMode::Element)
    return 1;
  return getType().getBound(resultDims(getModes())[sourceDim]);
}

Value SubtileOp::getOffset(unsigned sourceDim) { return offsetOf(*this, sourceDim); }
Value SubtileOp::getSize(unsigned sourceDim) { return sizeOf(*this, sourceDim); }
unsigned SubtileOp::getSourceDim(unsigned resultDim) { return sourceDimOf(*this, resultDim); }

template <class Op> static LogicalResult verifySlices(Op op, int64_t sourceRank, int64_t resultRank) {
  if (static_cast<int64_t>(op.getModes().size()) != sourceRank)
    return op.emitOpError("names ") << op.getModes().size() << " dimensions of a source of rank " << sourceRank;
  SmallVector<int64_t> dims = resultDims(op.getModes());
  int64_t kept = llvm::count_if(dims, [](int64_t dim) { return dim >= 0; });
  if (kept != resultRank)
    return op.emitOpError("keeps ") << kept << " dimensions, its result has rank " << resultRank;
  SmallVector<bool> known = staticBounds(op.getType());
  unsigned offsets = 0, sizes = 0;
  for (auto [i, raw] : llvm::enumerate(op.getModes())) {
    auto mode = static_cast<SliceMode>(raw);
    offsets += mode != SliceMode::Whole;
    sizes += mode == SliceMode::Window && !known[dims[i]];
  }
  if (offsets != op.getOffsets().size() || sizes != op.getSizes().size())
    return op.emitOpError("has ") << op.getOffsets().size() << " offsets and " << op.getSizes().size()
                                  << " sizes where it needs " << offsets << " and " << sizes;
  return success();
}

LogicalResult SliceOp::verify() {
  RefType source = getSource().getType(), result = getType();
  if (source.getElementType() != result.getElementType())
    return emitOpError("does not convert elements");
  if (failed(verifySlices(*this, source.getRank(), result.getRank())))
    return failure();
  for (auto [i, dim] : llvm::enumerate(resultDims(getModes())))
    if (getMode(i) == SliceMode::Whole && source.getDims()[i] != result.getDims()[dim])
      return emitOpError("keeps dimension ") << i << " whole, but its result has another extent there";
  bool isTable = source.isTable() && !RefType::isOfOneArray(getMode(0) == SliceMode::Element, result.getDims());
  if (result.isTable() != isTable)
    return emitOpError("is a window of ") << (isTable ? "several arrays" : "one array") << ", its result is not";
  return success();
}

std::optional<int64_t> StridedSliceOp::stepSharedWith(StridedSliceOp other) {
  APInt own, others;
  if (getAxis() != other.getAxis() || !matchPattern(getStep(), m_ConstantInt(&own)) ||
      !matchPattern(other.getStep(), m_ConstantInt(&others)) || own != others || own.sle(0))
    return std::nullopt;
  return own.getSExtValue();
}

LogicalResult StridedSliceOp::verify() {
  RefType source = getSource().getType(), result = getType();
  int64_t axis = getAxis();
  if (source.isShared() || result.isShared())
    return emitOpError("is a window of an array, not of shared memory");
  if (source.getElementType() != result.getElementType())
    return emitOpError("does not convert elements");
  if (axis < 0 || axis >= source.getRank() || result.getRank() != source.getRank())
    return emitOpError("has one of its ") << source.getRank() << " dimensions at a step, and keeps all";
  for (int64_t i = 0; i < source.getRank(); ++i)
    if (i != axis && source.getDims()[i] != result.getDims()[i])
      return emitOpError("keeps dimension ") << i << " whole, but its result has another extent there";
  if (result.isExact(axis) || ShapedType::isDynamic(result.getBound(axis)) != static_cast<bool>(getSize()))
    return emitOpError(
        "must have a size if the bound of its result is dynamic, and none otherwise, and the bound must not be exact");
  if (result.getAlignment())
    return emitOpError("promises no alignment");
  return success();
}

LogicalResult SubtileOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  if (source.getElementType() != result.getElementType())
    return emitOpError("does not convert elements");
  if (failed(verifySlices(*this, source.getRank(), result.getRank())))
    return failure();
  for (auto [i, dim] : llvm::enumerate(resultDims(getModes())))
    if (getMode(i) == SliceMode::Whole && source.getDimSize(i) != result.getDimSize(dim))
      return emitOpError("keeps dimension ") << i << " whole, but its result has another size there";
  return success();
}

// ---- Functions ------------------------------------------------------------------------------------------------------

static ParseResult parseFunction(OpAsmParser &parser, OperationState &result, StringAttr typeName, StringAttr argAttrs,
                                 StringAttr resAttrs) {
  auto build = [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
                  function_interface_impl::VariadicFlag,
                  std::string &) { return builder.getFunctionType(inputs, results); };
  return function_interface_impl::parseFunctionOp(parser, result, /*allowVariadic=*/false, typeName, build, argAttrs,
                                                  resAttrs);
}

ParseResult EntryOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction(parser, result, getFunctionTypeAttrName(result.name), getArgAttrsAttrName(result.name),
                       getResAttrsAttrName(result.name));
}
void EntryOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}
ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction(parser, result, getFunctionTypeAttrName(result.name), getArgAttrsAttrName(result.name),
                       getResAttrsAttrName(result.name));
}
void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

/// The numbers that a program computes with.
static bool isNumber(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth())
                 : type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

/// arith knows more kinds of floats than there is code for.
static LogicalResult verifyFloats(Operation *function) {
  auto isUnknown = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    bool isTile = isa<RankedTensorType>(type);
    return isa<FloatType>(element) && !isNumber(element) && !(isTile && tegula::isFloat8(element));
  };
  WalkResult result = function->walk([&](Operation *op) {
    auto unknown = llvm::find_if(op->getResultTypes(), isUnknown);
    if (unknown == op->getResultTypes().end())
      return WalkResult::advance();
    op->emitOpError("computes a value of type ") << *unknown << ": floats are f16, bf16, f32 and f64";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult EntryOp::verify() {
  for (Type type : getFunctionType().getInputs())
    if (!isa<ArrayType>(type) && !isNumber(type))
      return emitOpError("takes arrays and scalars of 1 to 64 bits, not ") << type;
  bool hadDefault = false;
  for (auto [i, type] : llvm::enumerate(getFunctionType().getInputs())) {
    Attribute given = getArgAttr(i, "tile.default");
    bool isOptional = static_cast<bool>(getArgAttr(i, "tile.optional"));
    if (isOptional && !isa<ArrayType>(type))
      return emitOpError("has an optional argument ") << i << " that is no array";
    if (!given && !isOptional && hadDefault)
      return emitOpError("has no default for argument ") << i << ", which follows one with a default";
    auto value = dyn_cast_or_null<TypedAttr>(given);
    if (given && (!value || value.getType() != type))
      return emitOpError("has a default for argument ") << i << " that is no " << type;
    hadDefault |= given != nullptr || isOptional;
  }
  if (getResultNames() && getResultNames()->size() != getFunctionType().getNumResults())
    return emitOpError("names ") << getResultNames()->size() << " of " << getFunctionType().getNumResults()
                                 << " results";
  return failure(failed(verifyFloats(*this)) || failed(verifyPlaces(*this)));
}

/// Blocks of a cluster lie in one GPC.
static LogicalResult verifyCluster(Operation *op, ArrayRef<int64_t> axes) {
  constexpr int64_t most = 16;
  int64_t blocks = 1;
  for (int64_t axis : axes)
    if (axis < 1 || axis > most || (blocks *= axis) > most)
      return op->emitOpError("has a cluster of [") << axes << "] CTAs, not of 1 to " << most;
  return success();
}

LogicalResult KernelOp::verify() {
  if (getFunctionType().getNumResults() != 0)
    return emitOpError("has no results");
  for (Type type : getFunctionType().getInputs())
    if (!isa<RefType, TensorMapType>(type) && !isNumber(type))
      return emitOpError("takes refs, scalars and tensor maps, not ") << type;
  int64_t threads = getThreads(), group = getGroup();
  if (threads < 1 || threads > 1024)
    return emitOpError("runs in CTAs of 1 to 1024 threads, not ") << threads;
  if (group < 1 || (group & (group - 1)) != 0 || threads % group != 0)
    return emitOpError("has thread groups of ") << group << " threads: a power of two that divides " << threads;
  if (getClasses() && failed(verifyClasses(*this, *getClasses())))
    return failure();
  auto cluster = static_cast<int64_t>(getCluster().value_or(1));
  if (failed(verifyCluster(*this, cluster)) ||
      failed(verifyCluster(*this, getClusterShape().value_or(ArrayRef<int64_t>()))))
    return failure();
  constexpr int64_t mostShared = 256 << 10;
  if (auto bytes = static_cast<int64_t>(getSharedBytes().value_or(0)); bytes < 0 || bytes > mostShared)
    return emitOpError("takes ") << bytes << " bytes of shared memory, not 0 to " << mostShared;
  if (auto consumers = static_cast<int64_t>(getConsumers().value_or(1)); consumers < 1 || consumers > threads / group)
    return emitOpError("has ") << consumers << " consumers among " << threads / group << " thread groups";
  return failure(failed(verifyFloats(*this)) || failed(verifyPlaces(*this)));
}

LogicalResult IsClassOp::verify() { return verifyClasses(*this, getClasses()); }

LogicalResult ReturnOp::verify() {
  auto function = cast<FunctionOpInterface>((*this)->getParentOp());
  if (getOperandTypes() != TypeRange(function.getResultTypes()))
    return emitOpError("must have one operand for each result of its function, of the same type");
  return success();
}

// ---- Launches -------------------------------------------------------------------------------------------------------

ParseResult LaunchOp::parse(OpAsmParser &parser, OperationState &result) {
  // tile.launch "name" grid(%m, %n) args(in %x = %a : type, scalar %s = %b : type) { body } plan { ... }
  Builder &builder = parser.getBuilder();
  StringAttr name;
  SmallVector<OpAsmParser::UnresolvedOperand> grid, operands;
  SmallVector<OpAsmParser::Argument> bodyArguments, planArguments;
  SmallVector<Type> types;
  SmallVector<Attribute> access;
  auto parseArgument = [&]() -> ParseResult {
    StringRef word;
    llvm::SMLoc where = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<Access> how = symbolizeAccess(word);
    if (!how)
      return parser.emitError(where, "expected in, out, inout or scalar");
    access.push_back(AccessAttr::get(parser.getContext(), *how));
    OpAsmParser::Argument &argument = bodyArguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() || parser.parseOperand(operands.emplace_back()) ||
        parser.parseColonType(types.emplace_back()))
      return failure();
    argument.type = types.back();
    if (auto array = dyn_cast<ArrayType>(types.back()))
      argument.type = RefType::ofArray(array);
    return success();
  };
  if (parser.parseAttribute(name) || parser.parseKeyword("grid") ||
      parser.parseOperandList(grid, OpAsmParser::Delimiter::Paren) || parser.parseKeyword("args") ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseArgument) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), bodyArguments))
    return failure();
  Region &plan = *result.addRegion();
  if (succeeded(parser.parseOptionalKeyword("plan"))) {
    SmallVector<Type> planTypes;
    if (parser.parseArgumentList(planArguments, OpAsmParser::Delimiter::Paren))
      return failure();
    planTypes.append(grid.size(), builder.getI64Type());
    planTypes.append(types);
    if (planTypes.size() != planArguments.size())
      return parser.emitError(parser.getNameLoc(), "a plan has the grid and the arguments of its launch");
    for (auto [argument, type] : llvm::zip(planArguments, planTypes))
      argument.type = type;
    if (parser.parseRegion(plan, planArguments))
      return failure();
  }
  result.addAttribute(getNameAttrName(result.name), name);
  result.addAttribute(getAccessAttrName(result.name), builder.getArrayAttr(access));
  result.addAttribute(getOperandSegmentSizesAttrName(result.name),
                      builder.getDenseI32ArrayAttr({int32_t(grid.size()), int32_t(operands.size())}));
  return failure(parser.resolveOperands(grid, builder.getI64Type(), result.operands) ||
                 parser.resolveOperands(operands, types, parser.getNameLoc(), result.operands));
}

void LaunchOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getNameAttr() << " grid(" << getGrid() << ") args(";
  llvm::interleaveComma(llvm::enumerate(getArguments()), printer, [&](auto argument) {
    auto [i, value] = argument;
    printer << stringifyAccess(getAccessOf(i)) << ' ';
    printer.printRegionArgument(getBody().getArgument(i), /*argAttrs=*/{}, /*omitType=*/true);
    printer << " = " << value << " : " << value.getType();
  });
  printer << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getNameAttrName(), getAccessAttrName(), getOperandSegmentSizesAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
  if (getPlan().empty())
    return;
  printer << " plan (";
  llvm::interleaveComma(getPlan().getArguments(), printer,
                        [&](BlockArgument argument) { printer.printRegionArgument(argument, {}, /*omitType=*/true); });
  printer << ") ";
  printer.printRegion(getPlan(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}

int64_t LaunchOp::getClusterSize() {
  int64_t blocks = 1;
  for (int64_t axis : getCluster().value_or(ArrayRef<int64_t>()))
    blocks *= axis;
  return blocks;
}

LogicalResult LaunchOp::verify() {
  if (getCluster() && !isExplicit())
    return emitOpError("has a cluster, but no warpgroups");
  constexpr int64_t mostWarpgroups = 1024 / 128;
  if (isExplicit() && (static_cast<int64_t>(*getWarpgroups()) < 1 || *getWarpgroups() > mostWarpgroups))
    return emitOpError("has ") << static_cast<int64_t>(*getWarpgroups()) << " warpgroups, not 1 to " << mostWarpgroups;
  if (failed(verifyCluster(*this, getCluster().value_or(ArrayRef<int64_t>()))))
    return failure();
  if (getGrid().size() > 6)
    return emitOpError("has a grid of ") << getGrid().size() << " axes, at most 6 are supported";
  if (getAccess().size() != getArguments().size() || getBody().getNumArguments() != getArguments().size())
    return emitOpError("has ") << getArguments().size() << " arguments, " << getAccess().size() << " uses and "
                               << getBody().getNumArguments() << " block arguments";
  for (auto [i, value] : llvm::enumerate(getArguments())) {
    Type inside = getBody().getArgument(i).getType();
    auto array = dyn_cast<ArrayType>(value.getType());
    if ((getAccessOf(i) == Access::Scalar) != !array)
      return emitOpError("uses argument ")
             << i << " as " << stringifyAccess(getAccessOf(i)) << ", it is a " << value.getType();
    if (!array && inside != value.getType())
      return emitOpError("passes argument ") << i << " as " << inside;
    auto ref = dyn_cast<RefType>(inside);
    if (array && (!ref || ref.getElementType() != array.getElementType() || ref.getRank() != array.getRank() ||
                  ref.isTable() != array.getIsTable()))
      return emitOpError("passes the array ") << i << " as " << inside;
    if (array && array.getReadOnly() && getAccessOf(i) != Access::In)
      return emitOpError("writes the const array ") << i;
  }
  if (!getPlan().empty() && getPlan().getNumArguments() != getGrid().size() + getArguments().size())
    return emitOpError("has a plan with other arguments than its own");
  return success();
}

// ---- Host, memory, values -------------------------------------------------------------------------------------------

LogicalResult EmptyOp::verify() {
  if (static_cast<int64_t>(getDims().size()) != getType().getRank())
    return emitOpError("has ") << getDims().size() << " dims for an array of rank " << getType().getRank();
  if (getType().getReadOnly())
    return emitOpError("makes an array that can be written");
  return success();
}

LogicalResult FlattenOp::verify() {
  ArrayType from = getArray().getType(), to = getType();
  if (from.getIsTable())
    return emitOpError("makes a row of one array, not of a table");
  if (to != ArrayType::get(getContext(), from.getElementType(), 1, from.getReadOnly()))
    return emitOpError("makes one row of ") << from << ", not " << to;
  return success();
}

LogicalResult DimOp::verify() {
  int64_t rank = 0;
  if (auto array = dyn_cast<ArrayType>(getSource().getType()))
    rank = array.getRank();
  else if (auto ref = dyn_cast<RefType>(getSource().getType()))
    rank = ref.getRank();
  else
    rank = cast<RankedTensorType>(getSource().getType()).getRank();
  if (static_cast<int64_t>(getAxis()) < 0 || static_cast<int64_t>(getAxis()) >= rank)
    return emitOpError("asks for dimension ") << getAxis() << " of rank " << rank;
  return success();
}

LogicalResult CheckOp::verify() {
  if (size_t holes = getMessage().count("{}"); !getNumbers().empty() && holes != getNumbers().size())
    return emitOpError("has ") << holes << " {} and " << getNumbers().size() << " numbers";
  return success();
}

LogicalResult DebugPrintOp::verify() {
  size_t holes = getFormat().count("{}");
  if (holes != getOperands().size())
    return emitOpError("has ") << holes << " {} and " << getOperands().size() << " operands";
  if (getIsUnsigned() && getIsUnsigned()->size() != getOperands().size())
    return emitOpError("says of ") << getIsUnsigned()->size() << " operands whether they are unsigned, it has "
                                   << getOperands().size();
  return success();
}

/// A tile's type without its layout is that of the window.
static LogicalResult verifyAccess(Operation *op, RankedTensorType tile, RefType ref) {
  RankedTensorType expected = ref.getTileType();
  if (tile.getShape() != expected.getShape() || tile.getElementType() != expected.getElementType())
    return op->emitOpError("has a tile of type ") << tile << ", the window holds " << expected;
  return success();
}

/// A mask has a bool for each element.
static LogicalResult verifyMask(Operation *op, Value mask, RankedTensorType tile, RefType ref) {
  if (mask && ref.isShared())
    return op->emitOpError("has a mask, which accesses to shared memory do not support");
  auto type = mask ? cast<RankedTensorType>(mask.getType()) : RankedTensorType();
  if (type && (type.getShape() != tile.getShape() || !type.getElementType().isInteger(1)))
    return op->emitOpError("has a mask of type ") << type << " for " << tile;
  return success();
}
LogicalResult LoadOp::verify() {
  if (!getMask() != !getOther())
    return emitOpError("must have a mask and the value where it is false, or neither");
  if (getOther() && getOther().getType() != getType())
    return emitOpError("has ") << getOther().getType() << " in place of " << getType();
  if (failed(verifyMask(*this, getMask(), getType(), getRef().getType())))
    return failure();
  return verifyAccess(*this, getType(), getRef().getType());
}
LogicalResult StoreOp::verify() {
  if (failed(verifyMask(*this, getMask(), getValue().getType(), getRef().getType())))
    return failure();
  return verifyAccess(*this, getValue().getType(), getRef().getType());
}

static LogicalResult verifyExtents(Operation *op, RankedTensorType type, OperandRange extents) {
  auto given = static_cast<int64_t>(extents.size());
  if (given != 0 && given != type.getNumDynamicDims() && given != type.getRank())
    return op->emitOpError("has ") << given << " extents for " << type.getNumDynamicDims() << " run-time dimensions of "
                                   << type.getRank();
  return success();
}

LogicalResult FullOp::verify() {
  if (getValue().getType() != scalarTypeOf(getType().getElementType()))
    return emitOpError("makes a tile of ") << getType().getElementType() << " from " << getValue().getType();
  return verifyExtents(*this, getType(), getExtents());
}

LogicalResult IotaOp::verify() {
  if (static_cast<int64_t>(getAxis()) < 0 || static_cast<int64_t>(getAxis()) >= getType().getRank())
    return emitOpError("counts along axis ") << getAxis() << " of rank " << getType().getRank();
  if (getType().getElementType().isInteger(1))
    return emitOpError("cannot have the dtype bool: compare numbers");
  return verifyExtents(*this, getType(), getExtents());
}

LogicalResult ConformOp::verify() {
  if (static_cast<int64_t>(getExtents().size()) != getSource().getType().getRank())
    return emitOpError("has ") << getExtents().size() << " extents, of " << getSource().getType().getRank()
                               << " dimensions";
  return success();
}

LogicalResult ExtractOp::verify() {
  auto type = getTile().getType();
  if (type.getRank() != 0)
    return emitOpError("takes a tile of rank 0, not ") << type;
  if (getType() != scalarTypeOf(type.getElementType()))
    return emitOpError("takes a ") << type.getElementType() << " as " << getType();
  return success();
}

bool BroadcastOp::isBound(unsigned sourceDim) {
  int64_t from = getSource().getType().getDimSize(sourceDim), to = getType().getDimSize(getDims()[sourceDim]);
  return from != 1 && to != 1 && ShapedType::isDynamic(from) != ShapedType::isDynamic(to);
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  if (source.getElementType() != result.getElementType())
    return emitOpError("does not convert elements");
  if (static_cast<int64_t>(getDims().size()) != source.getRank())
    return emitOpError("places ") << getDims().size() << " of " << source.getRank() << " dimensions";
  int64_t last = -1;
  for (auto [i, dim] : llvm::enumerate(getDims())) {
    if (dim <= last || dim >= result.getRank())
      return emitOpError("places dimension ")
             << i << " at " << dim << ", not ascending within rank " << result.getRank();
    last = dim;
    int64_t from = source.getDimSize(i), to = result.getDimSize(dim);
    if (from != 1 && from != to && !isBound(i))
      return emitOpError("cannot repeat dimension ") << i << " of " << source << ": only a static 1 broadcasts";
  }
  return success();
}

LogicalResult BitcastOp::verify() {
  Type from = getElementTypeOrSelf(getOperand()), to = getElementTypeOrSelf(getResult());
  unsigned width = tegula::elementOf(from)->bits;
  if (width == 1 || width != tegula::elementOf(to)->bits)
    return emitOpError("makes ") << to << " of " << from << ": of one width, and no bool";
  return success();
}

LogicalResult StochasticCastOp::verify() {
  Type to = getElementTypeOrSelf(getResult());
  if (!isa<Float16Type, BFloat16Type>(to) && !tegula::isFloat8(to))
    return emitOpError("rounds to f16, bf16 and floats of 8 bits, not to ") << to;
  return success();
}

LogicalResult RelayoutOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  if (source.getShape() != result.getShape() || source.getElementType() != result.getElementType())
    return emitOpError("makes a ") << result << " of a " << source;
  return success();
}

#define GET_OP_CLASSES
#include "ir/TileOps.cpp.inc"
