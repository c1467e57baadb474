// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions, scans, sorted tiles, matrix products, and dimensions in another order.
#include "frontend/intrinsics/Rows.h"
#include "ir/Elements.h"
#include "ir/Identities.h"

#include "clang/AST/DeclTemplate.h"

#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace tegula::frontend {

/// The axes in angle brackets, as they are written.
static mlir::SmallVector<int64_t> listedAxes(const FunctionDecl *callee) {
  mlir::SmallVector<int64_t> axes;
  for (const TemplateArgument &axis : callee->getTemplateSpecializationArgs()->get(0).pack_elements())
    axes.push_back(axis.getAsIntegral().getSExtValue());
  return axes;
}

namespace {
/// The axes that a reduction of a tile takes, ascending, and the shape that it leaves.
struct Reduced {
  mlir::SmallVector<int64_t> axes, kept;
  Reduced(const FunctionDecl *callee, mlir::RankedTensorType given) : axes(listedAxes(callee)) {
    for (int64_t &axis : axes)
      axis += axis < 0 ? given.getRank() : 0;
    if (axes.empty())
      axes = llvm::to_vector(llvm::seq<int64_t>(given.getRank()));
    llvm::sort(axes);
    for (int64_t axis = 0; axis < given.getRank(); ++axis)
      if (!llvm::is_contained(axes, axis))
        kept.push_back(given.getDimSize(axis));
  }
};
} // namespace

CallResult Importer::reduce(const IntrinsicCall &call) {
  Leaf source = evaluate(call.arguments[0]);
  if (!source)
    return {};
  auto given = cast<mlir::RankedTensorType>(source.value().getType());
  auto [axes, kept] = Reduced(call.callee, given);
  tile::Reduction kind = llvm::StringSwitch<tile::Reduction>(call.callee->getName())
                             .Case("sum", tile::Reduction::Sum)
                             .Case("prod", tile::Reduction::Prod)
                             .Case("max", tile::Reduction::Max)
                             .Case("min", tile::Reduction::Min)
                             .Case("any_of", tile::Reduction::Any)
                             .Case("all_of", tile::Reduction::All);
  mlir::Location at = locate(call.where());
  auto type = mlir::RankedTensorType::get(kept, given.getElementType());
  mlir::Value result = builder.create<tile::ReduceOp>(at, type, kind, source.value(), axes).getResult();
  if (call.arguments.size() > 1) // keepdims
    result = withNewAxes(result, axes, call.where());
  return {types.isTile(call.type()) ? Leaf(result) : scalarOf(result, at), {}};
}

/// A tile, or the tiles of a tuple.
static SmallVector<Object *> membersOf(Object &object) {
  return object.parts.empty() ? SmallVector<Object *>{&object}
                              : SmallVector<Object *>(object.parts.begin(), object.parts.end());
}

/// Whether a combiner does more than arithmetic on numbers: it reads or writes memory, changes variables of the
/// program, or takes tiles of it.
static bool hasEffect(mlir::Region &combiner) {
  auto isInside = [&](mlir::Value value) { return combiner.isAncestor(value.getParentRegion()); };
  return combiner
      .walk([&](mlir::Operation *op) {
        bool takesTile = llvm::any_of(op->getOperands(), [&](mlir::Value operand) {
          return isa<mlir::RankedTensorType>(operand.getType()) && !isInside(operand);
        });
        auto set = dyn_cast<tile::SetOp>(op);
        bool isOfVariable = isa<tile::VariableOp, tile::GetOp>(op) || (set && isInside(set.getVariable()));
        bool isKnown = op->getNumRegions() > 0 || isOfVariable || mlir::isMemoryEffectFree(op);
        return takesTile || !isKnown ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Variables of the program that a combiner reads, and does not change, are read in front of the reduction or scan.
static void hoistReads(mlir::Operation *op) {
  mlir::Region &combiner = op->getRegion(0);
  llvm::SmallVector<tile::GetOp> reads;
  combiner.walk([&](tile::GetOp get) {
    if (!combiner.isAncestor(get.getVariable().getParentRegion()))
      reads.push_back(get);
  });
  for (tile::GetOp get : reads)
    get->moveBefore(op);
}

/// The instance of a combiner that takes two such elements, or tuples of them: one that is generic has several.
static const FunctionDecl *combinerOf(Importer &importer, const Object &function, ArrayRef<QualType> elements) {
  SmallVector<const FunctionDecl *> found;
  callOperators(importer.ast, function, found);
  const FunctionDecl *any = nullptr;
  for (const FunctionDecl *candidate : found) {
    if (candidate->getNumParams() != 2)
      continue;
    any = candidate;
    QualType type = candidate->getParamDecl(0)->getType().getNonReferenceType();
    SmallVector<Object *> members = membersOf(*importer.temporary(type, candidate->getLocation()));
    if (members.size() == elements.size() && llvm::all_of(llvm::zip(members, elements), [](auto pair) {
          return std::get<0>(pair)->type == std::get<1>(pair).getCanonicalType().getUnqualifiedType();
        }))
      return candidate;
  }
  return any;
}

bool Importer::importCombiner(const IntrinsicCall &call, ArrayRef<QualType> elements, mlir::Region &region) {
  Object *function = evaluateOperand(call.arguments[2]).object;
  const FunctionDecl *combine = function && !function->isPoisoned ? combinerOf(*this, *function, elements) : nullptr;
  SmallVector<QualType> tuple(elements);
  return combine &&
         importMeaning(call, {combine, function, call.arguments[2]->getExprLoc()}, {tuple, tuple}, elements, region);
}

bool Importer::importMeaning(const IntrinsicCall &call, const Meaning &meaning,
                             ArrayRef<SmallVector<QualType>> parameters, ArrayRef<QualType> results,
                             mlir::Region &region) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Location at = locate(call.where());
  mlir::Block *block = builder.createBlock(&region);
  InLanguage scope(*this, call.callee, call.where());
  SmallVector<Argument> arguments;
  for (auto [parameter, elements] : llvm::zip(meaning.function->parameters(), parameters)) {
    Object *argument = temporary(parameter->getType().getNonReferenceType(), call.where());
    for (auto [member, element] : llvm::zip(membersOf(*argument), elements)) {
      Leaf given(mlir::Value(block->addArgument(types.scalar(element), at)));
      member->leaf = convert(given, element, member->type, call.where());
    }
    arguments.push_back({nullptr, argument});
  }
  CallResult result = run(meaning.function, meaning.object, arguments, nullptr, call.where());
  Object *made = result.lvalue.object ? result.lvalue.object : holding(result.leaf, meaning.function->getReturnType());
  mlir::SmallVector<mlir::Value> values;
  for (auto [member, element] : llvm::zip(membersOf(*made), results)) {
    Leaf value = convert(read(member, member->type, call.where()), member->type, element, call.where());
    values.push_back(materialize(value, element, call.where()));
    if (!values.back())
      return false;
  }
  builder.create<tile::CombinedOp>(at, values);
  if (!hasEffect(region))
    return true;
  report(DiagnosticKind::CombinerEffect, meaning.where) << call.callee->getName();
  return false;
}

/// A tile, or a tuple of them. What ref[...] names is loaded.
LValue Importer::valueOf(const Expr *expr) {
  return types.isLeaf(expr->getType()) ? LValue(holding(evaluate(expr), expr->getType())) : evaluateOperand(expr);
}

namespace {
/// The tiles that a reduction or scan by a function takes, the scalars that change nothing, and their types.
struct Combined {
  Object *given = nullptr;
  mlir::SmallVector<mlir::Value> sources;
  mlir::SmallVector<mlir::Attribute> identities;
  SmallVector<QualType> elements;
};
} // namespace

/// None, with a diagnostic, if they do not fit.
static std::optional<Combined> combinedOf(Importer &importer, const IntrinsicCall &call) {
  LValue given = importer.valueOf(call.arguments[0]), identity = importer.valueOf(call.arguments[1]);
  if (!given.object || !identity.object || given.object->isPoisoned || identity.object->isPoisoned)
    return std::nullopt;
  Combined all{given.object, {}, {}, {}};
  SmallVector<Object *> tiles = membersOf(*given.object), numbers = membersOf(*identity.object);
  if (tiles.size() != numbers.size()) {
    importer.report(DiagnosticKind::ReductionIdentity, call.arguments[1]->getExprLoc()) << call.callee->getName();
    return std::nullopt;
  }
  for (auto [tile, number] : llvm::zip(tiles, numbers)) {
    Leaf source = importer.read(tile, tile->type, call.where());
    QualType element = importer.types.shaped(tile->type).element;
    all.elements.push_back(element);
    Leaf constant =
        importer.convert(importer.read(number, number->type, call.where()), number->type, element, call.where());
    if (!source)
      return std::nullopt;
    if (!constant.isConstant()) {
      importer.report(DiagnosticKind::ReductionIdentity, call.arguments[1]->getExprLoc()) << call.callee->getName();
      return std::nullopt;
    }
    all.sources.push_back(source.value());
    all.identities.push_back(importer.attributeOf(constant, importer.types.scalar(element)));
  }
  return all;
}

/// The results of an op that combines tuples, as what it was given: a tile or number, or a tuple of them.
CallResult Importer::tupleOf(const IntrinsicCall &call, mlir::ValueRange results, bool isTuple) {
  mlir::Location at = locate(call.where());
  if (!isTuple)
    return {types.isTile(call.type()) ? Leaf(results.front()) : scalarOf(results.front(), at), {}};
  Object *made = temporary(call.type(), call.where());
  for (auto [member, result] : llvm::zip(made->parts, results))
    member->leaf = types.isTile(member->type) ? Leaf(result) : scalarOf(result, at);
  return {{}, made};
}

CallResult Importer::reduceBy(const IntrinsicCall &call) {
  std::optional<Combined> given = combinedOf(*this, call);
  if (!given)
    return {};
  mlir::SmallVector<mlir::Type> results;
  SmallVector<int64_t> axes;
  for (mlir::Value source : given->sources) {
    auto type = cast<mlir::RankedTensorType>(source.getType());
    Reduced reduced(call.callee, type);
    axes = reduced.axes;
    results.push_back(mlir::RankedTensorType::get(reduced.kept, type.getElementType()));
  }
  auto op = builder.create<tile::ReduceOp>(locate(call.where()), results, tile::Reduction::Custom, given->sources, axes,
                                           mlir::ValueRange(), builder.getArrayAttr(given->identities),
                                           /*cluster=*/false, /*partial=*/false, /*combinerCount=*/1);
  if (!importCombiner(call, given->elements, op.getCombiner().front())) {
    op.erase();
    return {};
  }
  hoistReads(op);
  if (frame && frame->isInHeader)
    op->setAttr(tile::isOfLanguage, builder.getUnitAttr());
  mlir::SmallVector<mlir::Value> made(op->getResults());
  if (call.arguments.size() > 3) // keepdims
    for (mlir::Value &result : made)
      result = withNewAxes(result, axes, call.where());
  return tupleOf(call, made, !given->given->parts.empty());
}

/// The axis that a scan runs along.
static int64_t scannedAxis(const FunctionDecl *callee, int64_t rank) {
  int64_t axis = callee->getTemplateSpecializationArgs()->get(0).getAsIntegral().getSExtValue();
  return axis < 0 ? axis + rank : axis;
}

CallResult Importer::scan(const IntrinsicCall &call) {
  Leaf source = evaluate(call.arguments[0]);
  if (!source)
    return {};
  auto type = cast<mlir::RankedTensorType>(source.value().getType());
  tile::Reduction kind = llvm::StringSwitch<tile::Reduction>(call.callee->getName())
                             .Case("cumsum", tile::Reduction::Sum)
                             .Case("cumprod", tile::Reduction::Prod)
                             .Case("cummax", tile::Reduction::Max)
                             .Case("cummin", tile::Reduction::Min);
  auto op = builder.create<tile::ScanOp>(locate(call.where()), mlir::TypeRange(type), kind, source.value(),
                                         scannedAxis(call.callee, type.getRank()), /*inits=*/mlir::ValueRange(),
                                         /*state=*/mlir::Value(), /*position=*/mlir::ValueRange(), mlir::ArrayAttr(),
                                         /*reverse=*/call.arguments.size() > 1,
                                         /*combinerCount=*/0);
  return {Leaf(op.getResult(0)), {}};
}

CallResult Importer::scanBy(const IntrinsicCall &call) {
  std::optional<Combined> given = combinedOf(*this, call);
  if (!given)
    return {};
  int64_t rank = cast<mlir::RankedTensorType>(given->sources.front().getType()).getRank();
  auto op = builder.create<tile::ScanOp>(locate(call.where()), mlir::ValueRange(given->sources).getTypes(),
                                         tile::Reduction::Custom, given->sources, scannedAxis(call.callee, rank),
                                         /*inits=*/mlir::ValueRange(), /*state=*/mlir::Value(),
                                         /*position=*/mlir::ValueRange(), builder.getArrayAttr(given->identities),
                                         /*reverse=*/call.arguments.size() > 3, /*combinerCount=*/1);
  if (!importCombiner(call, given->elements, op.getCombiner().front())) {
    op.erase();
    return {};
  }
  hoistReads(op);
  if (frame && frame->isInHeader)
    op->setAttr(tile::isOfLanguage, builder.getUnitAttr());
  return tupleOf(call, op->getResults(), !given->given->parts.empty());
}

/// The shape of tiles that fit, as far as one of them says it.
static mlir::SmallVector<int64_t> commonShape(ArrayRef<mlir::Value> tiles) {
  mlir::SmallVector<int64_t> shape(cast<mlir::RankedTensorType>(tiles.front().getType()).getShape());
  for (mlir::Value tile : tiles)
    for (auto [size, other] : llvm::zip(shape, cast<mlir::RankedTensorType>(tile.getType()).getShape()))
      if (mlir::ShapedType::isDynamic(size))
        size = other;
  return shape;
}

CallResult Importer::sort(const IntrinsicCall &call) {
  LValue given = valueOf(call.arguments[0]);
  if (!given.object || given.object->isPoisoned)
    return {};
  mlir::SmallVector<mlir::Value> sources;
  for (Object *tile : membersOf(*given.object)) {
    Leaf source = read(tile, tile->type, call.where());
    if (!source)
      return {};
    sources.push_back(source.value());
  }
  mlir::SmallVector<int64_t> shape = commonShape(sources);
  for (mlir::Value &source : sources) {
    source = broadcastTo(source, cast<mlir::RankedTensorType>(source.getType()).clone(shape), call.where());
    if (!source)
      return {};
  }
  const TemplateArgumentList &constants = *call.callee->getTemplateSpecializationArgs();
  int64_t axis = constants[0].getAsIntegral().getSExtValue(), keys = constants[1].getAsIntegral().getSExtValue();
  axis += axis < 0 ? static_cast<int64_t>(shape.size()) : 0;
  auto op =
      builder.create<tile::SortOp>(locate(call.where()), mlir::ValueRange(sources).getTypes(), sources, axis, keys,
                                   /*descending=*/call.arguments.size() > 1, /*extent=*/mlir::Value());
  return tupleOf(call, op->getResults(), !given.object->parts.empty());
}

namespace {
/// tegula::precision (language/matrices.h).
enum class Precision { ieee, tf32, tf32x3, bf16x3 };
constexpr llvm::StringLiteral precisionNames[] = {"ieee", "tf32", "tf32x3", "bf16x3"};

/// Builds products of factors of float from products of what tensor cores multiply.
struct ProductBuilder {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::RankedTensorType type;
  Precision precision;

  struct Parts {
    mlir::Value first, rest;
  };
  Parts partsOf(mlir::Value factor) {
    auto whole = cast<mlir::RankedTensorType>(factor.getType());
    if (precision == Precision::tf32x3) { // A product as tf32 cuts off by itself.
      mlir::Value first = builder.create<tile::AsTf32Op>(loc, factor);
      return {factor, builder.create<tile::SubOp>(loc, factor, first)};
    }
    mlir::RankedTensorType narrow = whole.clone(builder.getBF16Type());
    mlir::Value first = builder.create<tile::CastOp>(loc, narrow, factor);
    mlir::Value back = builder.create<tile::CastOp>(loc, whole, first);
    mlir::Value rest = builder.create<tile::SubOp>(loc, factor, back);
    return {first, builder.create<tile::CastOp>(loc, narrow, rest)};
  }
  mlir::Value dot(mlir::Value a, mlir::Value b) {
    bool isTf32 = precision == Precision::tf32 || precision == Precision::tf32x3;
    return builder.create<tile::DotOp>(loc, type, a, b, /*acc=*/mlir::Value(), /*extent=*/mlir::Value(),
                                       isTf32 ? tile::Precision::Tf32 : tile::Precision::Ieee);
  }
  mlir::Value build(mlir::Value a, mlir::Value b) {
    if (precision == Precision::ieee || precision == Precision::tf32)
      return dot(a, b);
    Parts left = partsOf(a), right = partsOf(b);
    mlir::Value sum = builder.create<tile::AddOp>(loc, dot(left.rest, right.first), dot(left.first, right.rest));
    return builder.create<tile::AddOp>(loc, sum, dot(left.first, right.first));
  }
};
} // namespace

CallResult Importer::dot(const IntrinsicCall &call) {
  Leaf left = evaluate(call.arguments[0]), right = evaluate(call.arguments[1]);
  std::optional<int64_t> option = constantOption(evaluateOperand(call.arguments[2]), "precision", call.where());
  if (!left || !right || !option)
    return {};
  auto precision = static_cast<Precision>(*option);
  auto a = cast<mlir::RankedTensorType>(left.value().getType());
  auto b = cast<mlir::RankedTensorType>(right.value().getType());
  if (precision != Precision::ieee && !a.getElementType().isF32()) {
    report(DiagnosticKind::Precision, call.where())
        << precisionNames[*option] << tegula::elementOf(a.getElementType())->name;
    return {};
  }
  // Batches broadcast, as C++ says; along the sum, one static extent is that of both.
  mlir::SmallVector<int64_t> shape = llvm::to_vector(llvm::ArrayRef<int64_t>(types.tileShape(call.type())));
  int64_t depth = a.getShape().back(), otherDepth = b.getDimSize(b.getRank() - 2);
  if (mlir::ShapedType::isDynamic(depth))
    depth = otherDepth;
  mlir::SmallVector<int64_t> batches(ArrayRef(shape).drop_back(2)), wantedA(batches), wantedB(batches);
  wantedA.append({a.getDimSize(a.getRank() - 2), depth});
  wantedB.append({depth, b.getShape().back()});
  mlir::Value factorA = broadcastTo(left.value(), a.clone(wantedA), call.where());
  mlir::Value factorB = broadcastTo(right.value(), b.clone(wantedB), call.where());
  if (!factorA || !factorB)
    return {};
  mlir::RankedTensorType type = types.tile(types.shaped(call.type()).element, shape);
  ProductBuilder products{builder, locate(call.where()), type, precision};
  return {Leaf(products.build(factorA, factorB)), {}};
}

/// For each dimension of the result, the one of the source that it is.
static mlir::SmallVector<int64_t> permutationOf(const IntrinsicCall &call, int64_t rank) {
  mlir::SmallVector<int64_t> axes = listedAxes(call.callee);
  if (axes.empty()) {
    axes = llvm::to_vector(llvm::seq<int64_t>(rank));
    std::swap(axes[rank - 2], axes[rank - 1]);
  }
  return axes;
}

CallResult Importer::transpose(const IntrinsicCall &call) {
  Leaf source = evaluate(call.arguments[0]);
  if (!source)
    return {};
  auto given = cast<mlir::RankedTensorType>(source.value().getType());
  mlir::SmallVector<int64_t> axes = permutationOf(call, given.getRank()), shape;
  for (int64_t axis : axes)
    shape.push_back(given.getDimSize(axis));
  auto type = mlir::RankedTensorType::get(shape, given.getElementType());
  return {Leaf(builder.create<tile::PermuteOp>(locate(call.where()), type, source.value(), axes)), {}};
}

CallResult Importer::transposeRef(const IntrinsicCall &call) {
  Leaf source = evaluate(call.arguments[0]);
  if (!source || refuseIndexedPlace(source, call.where()))
    return {};
  auto type = cast<tile::RefType>(source.value().getType());
  mlir::SmallVector<int64_t> axes = permutationOf(call, type.getRank()), dims;
  for (int64_t axis : axes)
    dims.push_back(type.getDims()[axis]);
  auto transposed = type.isShared() ? tile::RefType::inShared(type.getElementType(), dims, type.getSwizzle())
                                    : tile::RefType::get(type.getElementType(), dims);
  mlir::Value view = builder.create<tile::TransposeOp>(locate(call.where()), transposed, source.value(), axes);
  return {{}, holding(Leaf(view), call.type())};
}

ArrayRef<IntrinsicRow> reductionRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::None, "sum", Side::Device, member<&Importer::reduce>},
      {Known::None, "prod", Side::Device, member<&Importer::reduce>},
      {Known::None, "max", Side::Device, member<&Importer::reduce>},
      {Known::None, "min", Side::Device, member<&Importer::reduce>},
      {Known::None, "any_of", Side::Device, member<&Importer::reduce>},
      {Known::None, "all_of", Side::Device, member<&Importer::reduce>},
      {Known::None, "reduce", Side::Device, member<&Importer::reduceBy>},
      {Known::None, "cumsum", Side::Device, member<&Importer::scan>},
      {Known::None, "cumprod", Side::Device, member<&Importer::scan>},
      {Known::None, "cummax", Side::Device, member<&Importer::scan>},
      {Known::None, "cummin", Side::Device, member<&Importer::scan>},
      {Known::None, "associative_scan", Side::Device, member<&Importer::scanBy>},
      {Known::None, "sort", Side::Device, member<&Importer::sort>},
      {Known::None, "dot", Side::Device, member<&Importer::dot>},
      {Known::None, "transpose", Side::Device, member<&Importer::transpose>},
      {Known::None, "transpose_ref", Side::Device, member<&Importer::transposeRef>},
  };
  return rows;
}

} // namespace tegula::frontend
