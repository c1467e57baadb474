// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/FactorBuilder.h"

#include "ir/Expressions.h"
#include "ir/Parts.h"
#include "transforms/MaskExtents.h"

using namespace mlir;

namespace tegula {

void FactorBuilder::begin(Value number, ArrayRef<Value> factorsOfStep) {
  clones = IRMapping();
  ofStep.clear();
  factors = factorsOfStep;
  scf::ForOp loop = mainloop.loop;
  clones.map(loop.getInductionVar(), number);
}

/// What stands before the loop is there as it is.
bool FactorBuilder::isBefore(Value value) {
  scf::ForOp loop = mainloop.loop;
  return !loop.getRegion().isAncestor(value.getParentRegion());
}

std::optional<Value> FactorBuilder::there(Value value) {
  if (auto part = mainloop.tiles.find(value); part != mainloop.tiles.end())
    return builder.create<tile::LoadOp>(value.getLoc(), value.getType(), factors[part->second]);
  return isBefore(value) ? std::optional(value) : std::nullopt;
}

Value FactorBuilder::copyOf(Value value) {
  return cloneExpression(builder, value, clones, [&](Value each) { return there(each); });
}

/// Beyond the end of the arrays its parts are zeros, but what is made of them need not be.
Value FactorBuilder::mask(tile::DotOp dot, bool isLeft, Value factor) {
  Value converted = isLeft ? dot.getA() : dot.getB(); // A converted 0 is one.
  while (auto cast = converted.getDefiningOp<tile::CastOp>())
    converted = cast->getOperand(0);
  if (!dot.getExtent() || mainloop.tiles.contains(converted))
    return factor;
  Type element = cast<RankedTensorType>(factor.getType()).getElementType();
  return maskBeyond(builder, dot.getLoc(), factor, /*dim=*/isLeft ? 1 : 0, copyOf(dot.getExtent()),
                    tile::identityOf(tile::Reduction::Sum, element));
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

/// An operand's part, for a part of the result.
static tile::Parts partsOf(OpBuilder &builder, tile::IndexedOpInterface op, OpOperand &operand,
                           const tile::Parts &parts) {
  tile::Parts result;
  for (const tile::DimIndex &index : op.getIndexingMap(operand)) {
    if (index.isElement()) {
      result.push_back({index.offset, 1, /*dropped=*/true});
      continue;
    }
    tile::Part part = parts[index.dim];
    if (index.isUnit())
      part = {{}, 1, part.dropped};
    else if (index.isWindow())
      part.offset = part.offset && index.offset
                        ? builder.create<arith::AddIOp>(op.getLoc(), part.offset, index.offset).getResult()
                    : part.offset ? part.offset
                                  : index.offset;
    result.push_back(part);
  }
  return result;
}

static bool isAll(Value tile, const tile::Parts &parts) {
  auto type = cast<RankedTensorType>(tile.getType());
  return llvm::all_of(llvm::enumerate(parts), [&](auto each) {
    const tile::Part &part = each.value();
    return !part.offset && !part.dropped && part.size == type.getDimSize(each.index());
  });
}

Value FactorBuilder::partOf(Value value, const tile::Parts &parts) {
  if (!isa<RankedTensorType>(value.getType()))
    return copyOf(value);
  for (ArrayRef<Known> those : {ArrayRef(hoisted), ArrayRef(ofStep)})
    for (const Known &known : those)
      if (known.value == value && known.parts == parts)
        return known.made;
  if (isBefore(value) && isAll(value, parts))
    return value;
  Location loc = value.getLoc();
  Operation *op = value.getDefiningOp();
  auto loadFrom = [&](Value ref, Value mask, Value other) -> Value {
    Value window = tile::makeWindow(builder, loc, ref, parts);
    return builder.create<tile::LoadOp>(loc, cast<tile::RefType>(window.getType()).getTileType(), window, mask, other);
  };
  Value made;
  if (auto factor = mainloop.tiles.find(value); factor != mainloop.tiles.end()) {
    made = loadFrom(factors[factor->second], {}, {});
  } else if (auto load = dyn_cast<tile::LoadOp>(op)) {
    Value mask = load.getMask() ? partOf(load.getMask(), parts) : Value();
    Value other = load.getMask() ? partOf(load.getOther(), parts) : Value();
    made = loadFrom(copyOf(load.getRef()), mask, other);
  } else {
    auto indexed = cast<tile::IndexedOpInterface>(op);
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands())
      operands.push_back(isa<RankedTensorType>(operand.get().getType())
                             ? partOf(operand.get(), partsOf(builder, indexed, operand, parts))
                             : copyOf(operand.get()));
    made = indexed.makePart(builder, parts, operands);
  }
  ofStep.push_back({value, parts, made});
  return made;
}

void FactorBuilder::hoistColumns(tile::DotOp dot, Value first, int64_t columns) {
  SmallVector<std::pair<Value, tile::Parts>> wanted = {{dot.getB(), columnsOf(dot, first, columns)}};
  for (size_t i = 0; i < wanted.size(); ++i) {
    auto [value, parts] = wanted[i];
    if (mainloop.tiles.contains(value))
      continue;
    if (isBefore(value)) {
      hoisted.push_back({value, parts, partOf(value, parts)});
      continue;
    }
    if (auto indexed = value.getDefiningOp<tile::IndexedOpInterface>())
      for (OpOperand &operand : indexed->getOpOperands())
        if (isa<RankedTensorType>(operand.get().getType()))
          wanted.push_back({operand.get(), partsOf(builder, indexed, operand, parts)});
  }
}

} // namespace tegula
