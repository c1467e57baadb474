// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise operators and functions, on tiles and on scalars.
#include "frontend/intrinsics/Rows.h"
#include "ir/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/StringSwitch.h"

using namespace clang;
namespace arith = mlir::arith;

namespace tegula::frontend {

// ---- Operands -------------------------------------------------------------------------------------------------------

/// Whether an integer constant is a value of the element type.
static bool fits(const llvm::APSInt &value, mlir::Type type) {
  const Element &element = *elementOf(type);
  bool isUnsigned = element.kind == Element::Kind::unsigned_integer || element.name == "u4";
  if (!isUnsigned && element.kind != Element::Kind::signed_integer && element.name != "s4")
    return true;
  unsigned width = element.bits;
  llvm::APSInt low = llvm::APSInt::getMinValue(width, isUnsigned), high = llvm::APSInt::getMaxValue(width, isUnsigned);
  return llvm::APSInt::compareValues(low, value) <= 0 && llvm::APSInt::compareValues(value, high) <= 0;
}

mlir::Value Importer::broadcastTo(mlir::Value tile, mlir::RankedTensorType wanted, SourceLocation where) {
  auto given = cast<mlir::RankedTensorType>(tile.getType());
  int64_t leading = wanted.getRank() - given.getRank();
  mlir::SmallVector<int64_t> dims, bounded(given.getShape());
  for (int64_t i = 0; i < given.getRank(); ++i) {
    dims.push_back(leading + i);
    int64_t here = given.getDimSize(i), there = wanted.getDimSize(leading + i);
    if (here == 1 || here == there)
      continue;
    if (there == 1) {
      report(DiagnosticKind::ManyIntoOne, where) << i;
      return {};
    }
    bounded[i] = there; // One of both is known at run time: tile-check-extents proves that they are equal.
  }
  mlir::Location at = locate(where);
  auto make = [&](mlir::RankedTensorType type, ArrayRef<int64_t> places) {
    if (tile.getType() != type)
      tile = builder.create<tile::BroadcastOp>(at, type, tile, places);
  };
  make(given.clone(bounded), llvm::to_vector(llvm::seq<int64_t>(given.getRank())));
  make(wanted, dims);
  return tile;
}

mlir::Value Importer::filled(const Leaf &leaf, QualType type, QualType element, mlir::RankedTensorType tile,
                             mlir::ValueRange extents, SourceLocation where) {
  if (!leaf)
    return {};
  Leaf number = leaf;
  if (number.integer() && !fits(*number.integer(), types.element(element))) {
    llvm::SmallString<24> digits;
    number.integer()->toString(digits);
    report(DiagnosticKind::ConstantDoesNotFit, where) << digits.str() << types.name(element);
    return {};
  }
  mlir::Location at = locate(where);
  if (!isStored(tile.getElementType())) {
    if (number.isConstant()) {
      number = convert(number, type, element, where);
    } else if (types.element(type) != types.element(element)) {
      report(DiagnosticKind::ScalarOfAnotherType, where) << types.name(type) << types.name(element);
      return {};
    }
    mlir::Value value = materialize(number, element, where);
    return value ? mlir::Value(builder.create<tile::FullOp>(at, tile, value, extents)) : value;
  }
  bool isZero = number.integer() ? number.integer()->isZero() : number.floating() && number.floating()->isPosZero();
  if (isZero) { // Whose bits are 0 in all of them.
    mlir::Type scalar = tile::scalarTypeOf(tile.getElementType());
    mlir::Value zero = builder.create<mlir::arith::ConstantOp>(at, scalar, builder.getZeroAttr(scalar));
    return builder.create<tile::FullOp>(at, tile, zero, extents);
  }
  if (number.floating()) {
    number = convert(number, type, ast.FloatTy, where);
    type = ast.FloatTy;
  }
  mlir::Value value = materialize(number, type, where);
  if (!value)
    return {};
  mlir::RankedTensorType wide = types.tile(type, tile.getShape());
  return builder.create<tile::CastOp>(at, tile, builder.create<tile::FullOp>(at, wide, value, extents));
}

mlir::Value Importer::conform(const Leaf &leaf, QualType type, QualType element, ArrayRef<int64_t> shape,
                              SourceLocation where) {
  if (!leaf)
    return {};
  type = type.getNonReferenceType();
  mlir::RankedTensorType wanted = types.tile(element, shape);
  if (types.isTile(type))
    return broadcastTo(leaf.value(), wanted, where);
  return filled(leaf, type, element, wanted, {}, where);
}

Leaf Importer::scalarOf(mlir::Value rankZeroTile, mlir::Location where) {
  auto type = cast<mlir::RankedTensorType>(rankZeroTile.getType());
  return Leaf(builder.create<tile::ExtractOp>(where, tile::scalarTypeOf(type.getElementType()), rankZeroTile));
}

Operand Importer::operand(const Expr *expr) {
  QualType type = expr->getType().getCanonicalType().getUnqualifiedType();
  if (types.is(type, Known::Constant))
    return {Leaf::number(types.integerArgument(type)), ast.getIntTypeForBitwidth(64, /*Signed=*/true),
            expr->getExprLoc()};
  return {evaluate(expr), type, expr->getExprLoc()};
}

// ---- Ops ------------------------------------------------------------------------------------------------------------

/// false < true: a < b is !a && b.
struct BoolOrder {
  StringRef op;
  unsigned negated;
};

Leaf Importer::elementwise(StringRef op, ArrayRef<Operand> operands, QualType type, SourceLocation where) {
  bool isWhere = op == "where";
  type = type.getCanonicalType().getUnqualifiedType();
  QualType element = types.isTile(type) ? types.shaped(type).element : type;
  for (const Operand &operand : operands.drop_front(isWhere))
    if (types.isTile(operand.type)) {
      element = types.shaped(operand.type).element;
      break;
    }
  llvm::SmallVector<int64_t, 4> shape = types.tileShape(type);
  mlir::SmallVector<mlir::Value> values;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    if (!operand.leaf)
      return {};
    bool isCondition = isWhere && i == 0;
    Operand given = operand;
    if (!isCondition && types.isScalar(type)) // Scalars are combined as in C++.
      given = {convert(given.leaf, given.type, type, where), type, given.where};
    SourceLocation at =
        types.isTile(given.type) ? where : given.where; // The operator broadcasts, the operand is wrong.
    values.push_back(conform(given.leaf, given.type, isCondition ? QualType(ast.BoolTy) : element, shape, at));
    if (!values.back())
      return {};
  }
  mlir::Location at = locate(where);
  auto make = [&](StringRef name, mlir::ValueRange inputs) {
    mlir::OperationState state(at, ("tile." + name).str());
    state.addOperands(inputs);
    state.addTypes(types.tile(type));
    return builder.create(state)->getResult(0);
  };
  auto orders = llvm::StringSwitch<std::optional<BoolOrder>>(op)
                    .Case("lt", BoolOrder{"logical_and", 0})
                    .Case("le", BoolOrder{"logical_or", 0})
                    .Case("gt", BoolOrder{"logical_and", 1})
                    .Case("ge", BoolOrder{"logical_or", 1})
                    .Default(std::nullopt);
  if (orders && element->isBooleanType()) {
    values[orders->negated] = make("logical_not", values[orders->negated]);
    return Leaf(make(orders->op, values));
  }
  mlir::Value result = make(op, values);
  return types.isScalar(type) ? scalarOf(result, at) : Leaf(result);
}

/// The greater or the lesser of two integers: no tile, so that bounds of loops stay integers.
Leaf Importer::extremum(bool isMaximum, ArrayRef<Operand> operands, QualType type, SourceLocation where) {
  mlir::SmallVector<mlir::Value, 2> values;
  for (const Operand &operand : operands) {
    values.push_back(materialize(convert(operand.leaf, operand.type, type, where), type, where));
    if (!values.back())
      return {};
  }
  auto make = [&]<class Signed, class Unsigned>(Signed, Unsigned) {
    mlir::Location at = locate(where);
    return types.isUnsigned(type) ? Leaf(builder.create<Unsigned>(at, values[0], values[1]))
                                  : Leaf(builder.create<Signed>(at, values[0], values[1]));
  };
  return isMaximum ? make(arith::MaxSIOp(), arith::MaxUIOp()) : make(arith::MinSIOp(), arith::MinUIOp());
}

/// Host code has no tiles: the few functions that shape arithmetic needs are ops of arith.
Leaf Importer::elementwiseOnHost(const FunctionDecl *callee, ArrayRef<Operand> operands, QualType type,
                                 SourceLocation where) {
  StringRef name = callee->getName();
  mlir::SmallVector<mlir::Value> values;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    bool isCondition = name == "where" && i == 0;
    QualType wanted = isCondition ? QualType(ast.BoolTy) : type;
    values.push_back(materialize(convert(operand.leaf, operand.type, wanted, where), wanted, where));
    if (!values.back())
      return {};
  }
  mlir::Location at = locate(where);
  if (name == "where")
    return Leaf(builder.create<arith::SelectOp>(at, values[0], values[1], values[2]));
  Leaf first(values[0]), second = values.size() > 1 ? Leaf(values[1]) : negate(first, type, where);
  if (name == "abs")
    second = types.isUnsigned(type) ? first : second;
  if ((name == "maximum" || name == "minimum" || name == "abs") && !types.isFloating(type)) {
    Leaf isGreater = binary(name == "minimum" ? BO_LT : BO_GT, first, type, second, type, where);
    return Leaf(builder.create<arith::SelectOp>(at, isGreater.value(), first.value(), second.value()));
  }
  report(DiagnosticKind::DeviceOnly, where) << spelled(callee);
  return {};
}

bool Importer::isElementwiseCall(const IntrinsicCall &call) {
  const FunctionDecl *callee = call.callee;
  if (!callee->getIdentifier() || isa<CXXMethodDecl>(callee))
    return false;
  auto op = mlir::RegisteredOperationName::lookup(("tile." + callee->getName()).str(), builder.getContext());
  if (!op || !op->hasInterface<tile::ElementwiseOpInterface>())
    return false;
  // A function that is C++ on scalars stays C++ there.
  bool onTiles = llvm::any_of(call.arguments, [&](const Expr *argument) { return types.isTile(argument->getType()); });
  return onTiles || !callee->isConstexpr();
}

CallResult Importer::elementwiseCall(const IntrinsicCall &call) {
  SmallVector<Operand> operands;
  for (const Expr *argument : call.arguments)
    operands.push_back(operand(argument));
  StringRef name = call.callee->getName();
  bool isOfIntegers = types.isScalar(call.type()) && call.type()->isIntegerType() && !call.type()->isBooleanType();
  if (isOnDevice() && isOfIntegers && (name == "maximum" || name == "minimum"))
    return {extremum(name == "maximum", operands, call.type(), call.where()), {}};
  if (isOnDevice())
    return {elementwise(name, operands, call.type(), call.where()), {}};
  if (types.isTile(call.type())) {
    report(DiagnosticKind::DeviceOnly, call.where()) << spelled(call.callee);
    return {};
  }
  return {elementwiseOnHost(call.callee, operands, call.type(), call.where()), {}};
}

static StringRef opOf(OverloadedOperatorKind kind, bool isUnary) {
  switch (kind) {
  case OO_Plus:
  case OO_PlusEqual:
    return "add";
  case OO_Minus:
    return isUnary ? "neg" : "sub";
  case OO_MinusEqual:
    return "sub";
  case OO_Star:
  case OO_StarEqual:
    return "mul";
  case OO_Slash:
  case OO_SlashEqual:
    return "div";
  case OO_Percent:
  case OO_PercentEqual:
    return "rem";
  case OO_Amp:
  case OO_AmpEqual:
    return "bit_and";
  case OO_Pipe:
  case OO_PipeEqual:
    return "bit_or";
  case OO_Caret:
  case OO_CaretEqual:
    return "bit_xor";
  case OO_LessLess:
  case OO_LessLessEqual:
    return "shift_left";
  case OO_GreaterGreater:
  case OO_GreaterGreaterEqual:
    return "shift_right";
  case OO_Less:
    return "lt";
  case OO_LessEqual:
    return "le";
  case OO_Greater:
    return "gt";
  case OO_GreaterEqual:
    return "ge";
  case OO_EqualEqual:
    return "eq";
  case OO_ExclaimEqual:
    return "ne";
  case OO_AmpAmp:
    return "logical_and";
  case OO_PipePipe:
    return "logical_or";
  case OO_Exclaim:
    return "logical_not";
  case OO_Tilde:
    return "bit_not";
  default:
    return "";
  }
}

CallResult Importer::tileOperator(const IntrinsicCall &call) {
  SmallVector<Operand> operands;
  for (const Expr *argument : call.arguments)
    operands.push_back(operand(argument));
  StringRef op = opOf(call.callee->getOverloadedOperator(), operands.size() == 1);
  if (op.empty()) {
    refuseCall(call.callee, call.where());
    return {};
  }
  return {elementwise(op, operands, call.type(), call.where()), {}};
}

CallResult Importer::tileAssign(const IntrinsicCall &call) {
  QualType type = call.arguments[0]->getType();
  Operand value = operand(call.arguments[1]);
  LValue lvalue = evaluateLValue(call.arguments[0]);
  if (!lvalue || !value.leaf)
    return {{}, lvalue};
  QualType element = types.shaped(type).element;
  mlir::Value tile;
  if (types.isTile(value.type)) {
    tile = conform(value.leaf, value.type, element, types.tileShape(type), call.where());
  } else { // A variable keeps its extents; a place has its own.
    mlir::Value before = lvalue.object ? read(lvalue, type, call.where()).value() : mlir::Value();
    mlir::SmallVector<mlir::Value> extents;
    if (before)
      extents = extentsLike(before, locate(call.where()));
    tile = filled(value.leaf, value.type, element, types.tile(element, types.tileShape(type)), extents, value.where);
  }
  write(lvalue, tile, type, call.where());
  return {{}, lvalue};
}

CallResult Importer::tileCompoundAssign(const IntrinsicCall &call) {
  QualType type = call.arguments[0]->getType();
  Operand value = operand(call.arguments[1]);
  LValue lvalue = evaluateLValue(call.arguments[0]);
  if (!lvalue || !value.leaf)
    return {{}, lvalue};
  Operand before{read(lvalue, type, call.where()), type, call.where()};
  Leaf after = elementwise(opOf(call.callee->getOverloadedOperator(), false), {before, value}, type, call.where());
  write(lvalue, after, type, call.where());
  return {{}, lvalue};
}

// ---- Conversions ----------------------------------------------------------------------------------------------------

/// What astype makes of a constant: floats saturate, NaN is 0.
static Leaf saturated(const llvm::APFloat &value, unsigned width, bool isUnsigned) {
  llvm::APSInt result(width, isUnsigned);
  bool isExact = false;
  if (value.isNaN())
    return llvm::APSInt(llvm::APInt::getZero(width), isUnsigned);
  value.convertToInteger(result, llvm::APFloat::rmTowardZero, &isExact); // Saturates.
  return result;
}

/// An op on the operands as tiles of the result's shape, which stay of their own elements; of scalars it gives one.
template <class Op> Leaf Importer::converted(ArrayRef<Operand> operands, QualType to, const IntrinsicCall &call) {
  if (!isOnDevice()) {
    report(DiagnosticKind::DeviceOnly, call.where()) << spelled(call.callee);
    return {};
  }
  mlir::SmallVector<mlir::Value, 2> tiles;
  for (const Operand &operand : operands) {
    QualType element = types.isTile(operand.type) ? types.shaped(operand.type).element : operand.type;
    tiles.push_back(conform(operand.leaf, operand.type, element, types.tileShape(to), call.where()));
    if (!tiles.back())
      return {};
  }
  mlir::Location at = locate(call.where());
  mlir::Value result = builder.createOrFold<Op>(at, types.tile(to), tiles);
  return types.isTile(to) ? Leaf(result) : scalarOf(result, at);
}

CallResult Importer::bitcast(const IntrinsicCall &call) {
  Operand from = operand(call.arguments[0]);
  QualType to = call.type().getCanonicalType().getUnqualifiedType();
  return {from.leaf ? converted<tile::BitcastOp>(from, to, call) : Leaf(), {}};
}

CallResult Importer::astype(const IntrinsicCall &call) {
  Operand from = operand(call.arguments[0]);
  QualType to = call.type().getCanonicalType().getUnqualifiedType();
  if (!from.leaf)
    return {};
  if (call.arguments.size() == 2) { // Rounds as random bits decide.
    Operand bits = operand(call.arguments[1]);
    return {bits.leaf ? converted<tile::StochasticCastOp>({from, bits}, to, call) : Leaf(), {}};
  }
  if (types.isTile(to)) {
    if (!isOnDevice()) {
      report(DiagnosticKind::DeviceOnly, call.where()) << spelled(call.callee);
      return {};
    }
    mlir::RankedTensorType type = types.tile(to);
    if (from.leaf.value().getType() == type)
      return {from.leaf, {}};
    return {Leaf(builder.create<tile::CastOp>(locate(call.where()), type, from.leaf.value())), {}};
  }
  bool saturates = types.isFloating(from.type) && !types.isFloating(to) && !to->isBooleanType();
  if (from.leaf.floating() && saturates)
    return {saturated(*from.leaf.floating(), ast.getIntWidth(to), types.isUnsigned(to)), {}};
  if (!saturates)
    return {convert(from.leaf, from.type, to, call.where()), {}};
  if (!isOnDevice()) {
    report(DiagnosticKind::DeviceOnly, call.where()) << spelled(call.callee);
    return {};
  }
  mlir::Value tile = conform(from.leaf, from.type, from.type, {}, call.where());
  if (!tile)
    return {};
  mlir::Location at = locate(call.where());
  return {scalarOf(builder.create<tile::CastOp>(at, types.tile(to), tile), at), {}};
}

/// f16 and bf16 compute as float.
CallResult Importer::narrowFloat(const IntrinsicCall &call) {
  QualType from = call.arguments[0]->getType();
  return {convert(evaluate(call.arguments[0]), from, call.type(), call.where()), {}};
}

CallResult Importer::narrowAssign(const IntrinsicCall &call) {
  Leaf value = evaluate(call.arguments[1]);
  LValue lvalue = evaluateLValue(call.arguments[0]);
  write(lvalue, value, call.arguments[0]->getType(), call.where());
  return {{}, lvalue};
}

ArrayRef<IntrinsicRow> conversionRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::None, "astype", Side::Both, member<&Importer::astype>},
      {Known::None, "bitcast", Side::Both, member<&Importer::bitcast>},
  };
  return rows;
}

} // namespace tegula::frontend
