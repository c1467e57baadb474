// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/FactorBuilder.h"

#include "ir/Expressions.h"
#include "ir/Parts.h"
#include "transforms/MaskExtents.h"

using namespace mlir;

namespace tegula {

/// What stands before the loop is there as it is.
static bool isBefore(Value value, const Mainloop &mainloop) {
  scf::ForOp loop = mainloop.loop;
  return !loop.getRegion().isAncestor(value.getParentRegion());
}

static tile::Parts wholeOf(Value tile) { return tile::wholeOf(cast<RankedTensorType>(tile.getType())); }

void FactorBuilder::begin(Value number, Load from) {
  clones = IRMapping();
  ofStep.clear();
  load = std::move(from);
  scf::ForOp loop = mainloop.loop;
  clones.map(loop.getInductionVar(), number);
}

void FactorBuilder::loadAhead(Value next) {
  for (Ahead &each : ahead) {
    Location loc = each.load.getLoc();
    clones.map(each.load.getResult(), builder.create<tile::GetOp>(loc, each.variable).getResult());
    builder.create<tile::SetOp>(loc, loadAt(each.load, next), each.variable);
  }
}

/// What is loaded in the step in which the loop counts `number`.
Value FactorBuilder::loadAt(tile::LoadOp wanted, Value number) {
  IRMapping ofNumber;
  scf::ForOp loop = mainloop.loop;
  ofNumber.map(loop.getInductionVar(), number);
  return cloneExpression(builder, wanted.getResult(), ofNumber,
                         [&](Value each) { return isBefore(each, mainloop) ? std::optional(each) : std::nullopt; });
}

/// What each thread has a few elements of, and no product or step before goes into.
static SmallVector<tile::LoadOp> findLoads(const Mainloop &mainloop) {
  constexpr int64_t mostElements = 2 * WgmmaTypes::rows;
  llvm::SetVector<Value> cone;
  for (const Product &product : mainloop.products) {
    Value left = tile::DotOp(product.dot).getA();
    if (product.isComputed(/*isLeft=*/true) && !mainloop.findStaged(left))
      cone.insert(left);
  }
  SmallVector<tile::LoadOp> loads;
  for (size_t i = 0; i < cone.size(); ++i) {
    Operation *op = cone[i].getDefiningOp();
    if (!op || isBefore(cone[i], mainloop) || mainloop.tiles.contains(cone[i]))
      continue;
    auto load = dyn_cast<tile::LoadOp>(op);
    if (!load)
      cone.insert(op->operand_begin(), op->operand_end());
    else if (load.getType().getRank() > 0 && load.getType().getNumElements() <= mostElements && !load.getMask())
      loads.push_back(load);
  }
  return loads;
}

void FactorBuilder::hoistLoads(Value first, Value isAny) {
  for (tile::LoadOp each : findLoads(mainloop)) {
    Location at = each.getLoc();
    RankedTensorType type = each.getType();
    Value variable = builder.create<tile::VariableOp>(at, tile::VariableType::get(builder.getContext(), type));
    auto loaded = builder.create<scf::IfOp>(
        at, isAny, [&](OpBuilder &, Location) { builder.create<scf::YieldOp>(at, loadAt(each, first)); },
        [&](OpBuilder &, Location) {
          Value zero =
              builder.create<arith::ConstantOp>(at, tile::identityOf(tile::Reduction::Sum, type.getElementType()));
          builder.create<scf::YieldOp>(at, builder.create<tile::FullOp>(at, type, zero, ValueRange()).getResult());
        });
    builder.create<tile::SetOp>(at, loaded.getResult(0), variable);
    ahead.push_back({each, variable});
  }
}

Value FactorBuilder::copyOf(Value value) {
  return cloneExpression(builder, value, clones, [&](Value each) -> std::optional<Value> {
    if (isBefore(each, mainloop))
      return each;
    auto factor = mainloop.tiles.find(each);
    return factor == mainloop.tiles.end() ? std::nullopt : std::optional(load(factor->second, each, wholeOf(each)));
  });
}

/// Beyond the end of the arrays its parts are zeros, but what is made of them need not be. Along the depth, the factor
/// begins with the element `first`.
Value FactorBuilder::mask(tile::DotOp dot, bool isLeft, Value factor, Value first) {
  Value converted = isLeft ? dot.getA() : dot.getB(); // A converted 0 is one.
  while (auto cast = converted.getDefiningOp<tile::CastOp>())
    converted = cast->getOperand(0);
  if (!dot.getExtent() || mainloop.tiles.contains(converted))
    return factor;
  Location loc = dot.getLoc();
  Value extent = copyOf(dot.getExtent());
  if (first)
    extent = builder.createOrFold<arith::SubIOp>(loc, extent, first);
  Type element = cast<RankedTensorType>(factor.getType()).getElementType();
  TypedAttr zero = tile::identityOf(tile::Reduction::Sum, element);
  int64_t dim = isLeft ? 1 : 0;
  bool areWarps = scf::ForOp(mainloop.loop)->getParentOfType<tile::KernelOp>().getMmaSync();
  return areWarps ? maskBeyond(builder, loc, factor, dim, extent, zero)
                  : maskIfCut(builder, loc, factor, dim, extent, zero);
}

Value FactorBuilder::make(tile::DotOp dot, bool isLeft) {
  return mask(dot, isLeft, copyOf(isLeft ? dot.getA() : dot.getB()));
}

static tile::Parts columnsOf(tile::DotOp dot, Value first, int64_t columns) {
  return {{{}, dot.getB().getType().getDimSize(0)}, {first, columns}};
}

Value FactorBuilder::makeColumns(tile::DotOp dot, Value first, int64_t columns) {
  return mask(dot, /*isLeft=*/false, partOf(dot.getB(), columnsOf(dot, first, columns)));
}

Value FactorBuilder::makeSlice(tile::DotOp dot, bool isLeft, const DepthSlice &slice) {
  tile::Parts parts = {{{}, dot.getType().getDimSize(isLeft ? 0 : 1)}, {slice.offset, slice.depth}};
  if (!isLeft)
    std::swap(parts[0], parts[1]);
  return mask(dot, isLeft, partOf(isLeft ? dot.getA() : dot.getB(), parts), slice.offset);
}

tile::Parts FactorBuilder::partsOf(tile::IndexedOpInterface op, OpOperand &operand, const tile::Parts &parts) {
  return tile::partsOfOperand(builder, op, operand, parts, [&](Value offset) { return copyOf(offset); });
}

Value FactorBuilder::partOf(Value value, const tile::Parts &parts) {
  if (!tile::isTile(value))
    return copyOf(value);
  if (auto factor = mainloop.tiles.find(value); factor != mainloop.tiles.end() && !isBefore(value, mainloop)) {
    for (const Known &known : ofStep)
      if (known.value == value && known.parts == parts)
        return known.made;
    Value made = load(factor->second, value, parts);
    ofStep.push_back({value, parts, made});
    return made;
  }
  if (Value there = clones.lookupOrNull(value); there && parts == wholeOf(value))
    return there;
  for (ArrayRef<Known> those : {ArrayRef(hoisted), ArrayRef(ofStep)})
    for (const Known &known : those)
      if (known.value == value && known.parts == parts)
        return known.made;
  if (isBefore(value, mainloop) && parts == wholeOf(value))
    return value;
  auto op = cast<tile::IndexedOpInterface>(value.getDefiningOp());
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(tile::isTile(operand.get()) ? partOf(operand.get(), partsOf(op, operand, parts))
                                                   : copyOf(operand.get()));
  Value made = tile::makePart(builder, op, parts, operands);
  ofStep.push_back({value, parts, made});
  return made;
}

void FactorBuilder::hoistColumns(tile::DotOp dot, Value first, int64_t columns) {
  SmallVector<std::pair<Value, tile::Parts>> wanted = {{dot.getB(), columnsOf(dot, first, columns)}};
  for (size_t i = 0; i < wanted.size(); ++i) {
    auto [value, parts] = wanted[i];
    if (mainloop.tiles.contains(value))
      continue;
    if (isBefore(value, mainloop)) {
      hoisted.push_back({value, parts, partOf(value, parts)});
      continue;
    }
    auto indexed = value.getDefiningOp<tile::IndexedOpInterface>();
    for (OpOperand &operand : indexed ? indexed->getOpOperands() : MutableArrayRef<OpOperand>()) {
      bool isOfStep =
          !tile::isTile(operand.get()) || llvm::any_of(indexed.getIndexingMap(operand), [](const auto &index) {
            return index.offset != nullptr; // It may be the loop's number.
          });
      if (isOfStep)
        continue;
      std::pair<Value, tile::Parts> next = {operand.get(), partsOf(indexed, operand, parts)};
      if (!llvm::is_contained(wanted, next))
        wanted.push_back(std::move(next));
    }
  }
  ofStep.clear();
}

bool FactorBuilder::canSlice(Value tile, const Mainloop &mainloop, ArrayRef<bool> isCut) {
  auto isMade = [&](Value value, ArrayRef<bool> isPart) {
    return mainloop.tiles.contains(value) || (isBefore(value, mainloop) && !llvm::is_contained(isPart, true));
  };
  auto canLoad = [&](tile::LoadOp load) {
    return !isBefore(load, mainloop) ||
           !storesTo(load->getParentOfType<tile::KernelOp>(), tile::arrayOf(load.getRef()));
  };
  return tile::canMakeParts(tile, isCut, isMade, canLoad);
}

} // namespace tegula
