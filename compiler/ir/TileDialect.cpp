// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/TileDialect.h"
#include "ir/GridOps.h"

#include "ir/Elements.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::tile;

#include "ir/TileDialect.cpp.inc"
#include "ir/TileEnums.cpp.inc"
#include "ir/TileInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/TileTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/TileAttrs.cpp.inc"

void TileDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/TileTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/TileAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/TileOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/TileGridOps.cpp.inc"
      >();
  printVariableNames();
  describeForeignOps();
}

int64_t tegula::tile::bytesOf(Type element) {
  return std::max<int64_t>(1, scalarTypeOf(element).getIntOrFloatBitWidth() / 8);
}

int64_t tegula::tile::elementsIn(int64_t bytes, Type element) {
  return tegula::isPacked(element) ? 2 * bytes : bytes / bytesOf(element);
}

int64_t tegula::tile::bytesIn(int64_t elements, Type element) {
  return tegula::isPacked(element) ? (elements + 1) / 2 : elements * bytesOf(element);
}

Value tegula::tile::memoryOf(Value ref) {
  while (isa_and_nonnull<IndexedOpInterface>(ref.getDefiningOp()))
    ref = ref.getDefiningOp()->getOperand(0);
  return ref;
}

bool tegula::tile::isOfCluster(Value ref) {
  for (; auto view = ref.getDefiningOp<IndexedOpInterface>(); ref = view->getOperand(0))
    if (isa<ClusterRefOp>(view.getOperation()))
      return true;
  return false;
}

BlockArgument tegula::tile::arrayOf(Value ref) { return dyn_cast<BlockArgument>(memoryOf(ref)); }

bool tegula::tile::isSameWindow(Value a, Value b, function_ref<bool(Value, Value)> isSame) {
  if (a == b)
    return true;
  if (auto left = a.getDefiningOp<TransposeOp>(), right = b.getDefiningOp<TransposeOp>(); left && right)
    return left.getPermutation() == right.getPermutation() && isSameWindow(left.getSource(), right.getSource(), isSame);
  if (auto left = a.getDefiningOp<StridedSliceOp>(), right = b.getDefiningOp<StridedSliceOp>(); left && right)
    return left.getType() == right.getType() && left.getAxis() == right.getAxis() &&
           isSame(left.getOffset(), right.getOffset()) && isSame(left.getStep(), right.getStep()) &&
           (!left.getSize() || isSame(left.getSize(), right.getSize())) &&
           isSameWindow(left.getSource(), right.getSource(), isSame);
  auto left = a.getDefiningOp<SliceOp>(), right = b.getDefiningOp<SliceOp>();
  return left && right && left.getType() == right.getType() && left.getModes() == right.getModes() &&
         llvm::equal(left.getOffsets(), right.getOffsets(), isSame) &&
         llvm::equal(left.getSizes(), right.getSizes(), isSame) &&
         isSameWindow(left.getSource(), right.getSource(), isSame);
}

Type tegula::tile::scalarTypeOf(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(element.getContext(), integer.getWidth());
  if (tegula::isStored(element))
    return IntegerType::get(element.getContext(), 8);
  return element;
}

/// What an array or a ref can hold.
static LogicalResult verifyElement(function_ref<InFlightDiagnostic()> emitError, Type element) {
  if (tegula::elementOf(element))
    return success();
  InFlightDiagnostic error = emitError() << "an array cannot hold elements of type " << element << ": it takes ";
  llvm::interleaveComma(tegula::elements(), error,
                        [&](const tegula::Element &each) { error << each.type(element.getContext()); });
  return error;
}

// ---- !tile.stored ---------------------------------------------------------------------------------------------------

Type StoredType::parse(AsmParser &parser) {
  StringRef name;
  if (parser.parseLess() || parser.parseKeyword(&name) || parser.parseGreater())
    return {};
  return parser.getChecked<StoredType>(parser.getContext(), name);
}

void StoredType::print(AsmPrinter &printer) const { printer << '<' << getName() << '>'; }

LogicalResult StoredType::verify(function_ref<InFlightDiagnostic()> emitError, StringRef name) {
  const tegula::Element *element = tegula::findElement(name);
  if (!element || element->kind != tegula::Element::Kind::stored)
    return emitError() << "there is no stored-only element type called " << name;
  return success();
}

// ---- !tile.array ----------------------------------------------------------------------------------------------------

Type ArrayType::parse(AsmParser &parser) {
  Type element;
  int64_t rank = 0;
  if (parser.parseLess() || parser.parseType(element) || parser.parseComma() || parser.parseInteger(rank))
    return {};
  bool readOnly = false, isTable = false;
  while (succeeded(parser.parseOptionalComma())) {
    bool isConst = !isTable && !readOnly && succeeded(parser.parseOptionalKeyword("const"));
    if (!isConst && (isTable || parser.parseKeyword("table")))
      return {};
    (isConst ? readOnly : isTable) = true;
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ArrayType>(parser.getContext(), element, rank, readOnly, isTable);
}

void ArrayType::print(AsmPrinter &printer) const {
  printer << '<' << getElementType() << ", " << getRank() << (getReadOnly() ? ", const" : "")
          << (getIsTable() ? ", table>" : ">");
}

LogicalResult ArrayType::verify(function_ref<InFlightDiagnostic()> emitError, Type element, int64_t rank, bool,
                                bool isTable) {
  if (rank < (isTable ? 1 : 0) || rank > 6)
    return emitError() << (isTable ? "a table has rank 1 to 6, not " : "an array has rank 0 to 6, not ") << rank;
  return verifyElement(emitError, element);
}

// ---- !tile.ref ------------------------------------------------------------------------------------------------------

static ParseResult parseExtent(AsmParser &parser, int64_t &dim) {
  if (succeeded(parser.parseOptionalQuestion())) {
    dim = ShapedType::kDynamic;
    return success();
  }
  if (parser.parseInteger(dim))
    return failure();
  bool atMost = succeeded(parser.parseOptionalQuestion());
  if (dim <= 0)
    return parser.emitError(parser.getCurrentLocation(), "the extent of a window must be positive");
  dim = atMost ? RefType::atMost(dim) : dim;
  return success();
}

Type RefType::parse(AsmParser &parser) {
  Type element;
  SmallVector<int64_t> dims;
  int64_t alignment = 0;
  if (parser.parseLess() || parser.parseType(element) || parser.parseComma() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parseExtent(parser, dims.emplace_back()); }))
    return {};
  int64_t swizzle = 0;
  MemorySpace space = MemorySpace::Gmem;
  bool isEven = false;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef word;
    auto where = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return {};
    if (word == "align") {
      if (parser.parseInteger(alignment))
        return {};
      isEven = succeeded(parser.parseOptionalKeyword("even"));
    } else if (std::optional<MemorySpace> named = symbolizeMemorySpace(word)) {
      space = *named;
      if (succeeded(parser.parseOptionalKeyword("swizzle")) && parser.parseInteger(swizzle))
        return {};
    } else {
      parser.emitError(where, "expected 'align' or a memory space, not '") << word << "'";
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<RefType>(parser.getContext(), element, dims, alignment, isEven, space, swizzle);
}

void RefType::print(AsmPrinter &printer) const {
  printer << '<' << getElementType() << ", [";
  llvm::interleaveComma(getDims(), printer, [&](int64_t dim) {
    if (ShapedType::isDynamic(dim))
      printer << '?';
    else if (dim < 0)
      printer << -dim << '?';
    else
      printer << dim;
  });
  printer << ']';
  if (getAlignment())
    printer << ", align " << getAlignment() << (getIsEven() ? " even" : "");
  if (getSpace() != MemorySpace::Gmem)
    printer << ", " << stringifyMemorySpace(getSpace());
  if (getSwizzle())
    printer << " swizzle " << getSwizzle();
  printer << '>';
}

LogicalResult RefType::verify(function_ref<InFlightDiagnostic()> emitError, Type element, ArrayRef<int64_t> dims,
                              int64_t alignment, bool isEven, MemorySpace space, int64_t swizzle) {
  bool isShared = space == MemorySpace::Smem;
  if (space == MemorySpace::Table && (dims.empty() || isOfOneArray(/*takesElement=*/false, dims)))
    return emitError() << "dimension 0 of a table counts its arrays; its extent must not be fixed to 1";
  if (isShared && llvm::any_of(dims, [](int64_t dim) { return dim <= 0; }))
    return emitError() << "the extents of shared memory must be static and exact";
  if (swizzle != 0 && (!isShared || swizzle < 16 || swizzle > 128 || !llvm::isPowerOf2_64(swizzle)))
    return emitError() << "a swizzle must be 16 (none), 32, 64 or 128 bytes of shared memory, not " << swizzle;
  if (alignment < 0 || (alignment & (alignment - 1)) != 0)
    return emitError() << "an alignment must be a power of two, not " << alignment;
  if (isEven && alignment == 0)
    return emitError() << "'even' is relative to an alignment, and there is none";
  if (llvm::is_contained(dims, 0))
    return emitError() << "the extent of a window must be positive";
  return verifyElement(emitError, element);
}

int64_t RefType::getBound(int64_t i) const {
  int64_t dim = getDims()[i];
  return ShapedType::isDynamic(dim) || dim > 0 ? dim : -dim;
}

RefType RefType::ofArray(ArrayType array) {
  return get(array.getElementType(), SmallVector<int64_t>(array.getRank(), ShapedType::kDynamic), /*alignment=*/0,
             /*isEven=*/false, array.getIsTable() ? MemorySpace::Table : MemorySpace::Gmem);
}

RefType RefType::sliced(bool takesElement, ArrayRef<int64_t> dims) const {
  bool staysTable = isTable() && !isOfOneArray(takesElement, dims);
  return get(getElementType(), dims, /*alignment=*/0, /*isEven=*/false,
             staysTable ? MemorySpace::Table : MemorySpace::Gmem);
}

RefType RefType::inShared(Type elementType, ArrayRef<int64_t> dims, int64_t swizzle) {
  return get(elementType.getContext(), elementType, dims, /*alignment=*/0, /*isEven=*/false, MemorySpace::Smem,
             swizzle);
}

int64_t RefType::getSizeInBytes() const {
  if (getRank() == 0)
    return bytesOf(getElementType());
  int64_t bytes = bytesIn(getDims().back(), getElementType());
  for (int64_t dim : getDims().drop_back())
    bytes *= dim;
  return bytes;
}

RankedTensorType RefType::getTileType() const {
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < getRank(); ++i)
    shape.push_back(getBound(i));
  return RankedTensorType::get(shape, getElementType());
}
