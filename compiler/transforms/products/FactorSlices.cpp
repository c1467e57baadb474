// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/FactorSlices.h"

#include "ir/Expressions.h"
#include "transforms/MaskExtents.h"
#include "transforms/Windows.h"

using namespace mlir;

namespace tegula {
namespace {

bool isTile(Value value) { return isa<RankedTensorType>(value.getType()); }

class Slicer {
public:
  Slicer(OpBuilder &builder, const Mainloop &mainloop, Value number, ArrayRef<Value> factors)
      : builder(builder), mainloop(mainloop), loop(mainloop.loop), factors(factors) {
    clones.map(loop.getInductionVar(), number);
  }

  /// A part of a tile of the loop.
  Value make(Value tile, const tile::Parts &parts);
  /// Anything else that the loop computes.
  Value computed(Value value);

private:
  struct Known {
    Value tile;
    tile::Parts parts;
    Value made;
  };
  Value compute(tile::IndexedOpInterface op, const tile::Parts &parts);
  tile::Parts partsOf(tile::IndexedOpInterface op, OpOperand &operand, const tile::Parts &parts);

  OpBuilder &builder;
  const Mainloop &mainloop;
  scf::ForOp loop;
  ArrayRef<Value> factors;
  IRMapping clones;
  SmallVector<Known> known;
};

bool isAll(Value tile, const tile::Parts &parts) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tile.getType()).getShape();
  return llvm::all_of(llvm::zip_equal(shape, parts), [](const auto &dim) {
    const auto &[size, part] = dim;
    return !part.offset && !part.dropped && part.size == size;
  });
}

Value Slicer::computed(Value value) {
  return cloneExpression(builder, value, clones, [&](Value each) -> std::optional<Value> {
    Operation *op = each.getDefiningOp();
    if (!op || !loop->isProperAncestor(op))
      return each;
    if (!isTile(each))
      return std::nullopt;
    tile::Parts whole;
    for (int64_t size : cast<RankedTensorType>(each.getType()).getShape())
      whole.push_back({{}, size});
    return make(each, whole);
  });
}

Value Slicer::make(Value tile, const tile::Parts &parts) {
  if (auto factor = mainloop.tiles.find(tile); factor != mainloop.tiles.end())
    return factors[factor->second];
  Operation *op = tile.getDefiningOp();
  if (isAll(tile, parts) && (!op || !loop->isProperAncestor(op)))
    return tile;
  auto *made = llvm::find_if(known, [&](const Known &each) { return each.tile == tile && each.parts == parts; });
  if (made != known.end())
    return made->made;
  Value part = compute(cast<tile::IndexedOpInterface>(op), parts);
  known.push_back({tile, parts, part});
  return part;
}

/// The part of an operand that a part of the result takes.
tile::Parts Slicer::partsOf(tile::IndexedOpInterface op, OpOperand &operand, const tile::Parts &parts) {
  tile::Parts result;
  for (const tile::DimIndex &index : op.getIndexingMap(operand)) {
    Value offset = index.offset ? computed(index.offset) : Value();
    if (index.isElement()) {
      result.push_back({offset, 1, /*dropped=*/true});
      continue;
    }
    tile::Part part = parts[index.dim];
    if (index.isUnit())
      part = {{}, 1, part.dropped};
    else if (index.isWindow())
      part.offset = part.offset ? builder.create<arith::AddIOp>(op.getLoc(), part.offset, offset).getResult() : offset;
    result.push_back(part);
  }
  return result;
}

Value Slicer::compute(tile::IndexedOpInterface op, const tile::Parts &parts) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(isTile(operand.get()) ? make(operand.get(), partsOf(op, operand, parts))
                                             : computed(operand.get()));
  auto load = dyn_cast<tile::LoadOp>(op.getOperation());
  if (!load)
    return op.makePart(builder, parts, operands);
  Value window = windowOfParts(builder, load.getLoc(), load.getRef().getType(), operands.front(), parts);
  Type type = tile::partType(load.getType().getElementType(), parts);
  return load.getMask() ? builder.create<tile::LoadOp>(load.getLoc(), type, window, operands[1], operands[2])
                        : builder.create<tile::LoadOp>(load.getLoc(), type, window);
}

/// Whether a 0 where the factors end is one in what is made of them.
bool keepsZero(Value tile, const Mainloop &mainloop) {
  while (auto cast = tile.getDefiningOp<tile::CastOp>())
    tile = cast->getOperand(0);
  return mainloop.tiles.contains(tile);
}

/// Whether the kernel of the loop stores to the array that a load reads.
bool isStored(tile::LoadOp load) {
  Value array = tile::arrayOf(load.getRef());
  return load->getParentOfType<tile::KernelOp>()
      .walk([&](tile::StoreOp store) {
        return tile::arrayOf(store.getRef()) == array ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace

bool canSlice(Value tile, const Mainloop &mainloop, ArrayRef<bool> isCut) {
  if (mainloop.tiles.contains(tile))
    return true;
  Operation *op = tile.getDefiningOp();
  bool isOfStep = op && scf::ForOp(mainloop.loop)->isProperAncestor(op);
  if (!isOfStep && llvm::none_of(isCut, [](bool each) { return each; }))
    return true;
  auto indexed = dyn_cast_or_null<tile::IndexedOpInterface>(op);
  if (!indexed || indexed.getNumReductionDims() > 0)
    return false;
  if (auto load = dyn_cast<tile::LoadOp>(op); load && !isOfStep && isStored(load))
    return false;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    if (!isTile(operand.get()))
      return true;
    SmallVector<bool> ofOperand;
    for (const tile::DimIndex &index : indexed.getIndexingMap(operand))
      ofOperand.push_back((index.isIterated() || index.isWindow()) && isCut[index.dim]);
    return canSlice(operand.get(), mainloop, ofOperand);
  });
}

Value computeSlice(OpBuilder &builder, const Mainloop &mainloop, const Product &product, bool isLeft,
                   const DepthSlice &slice, ArrayRef<Value> parts) {
  tile::DotOp dot = product.dot;
  Location loc = dot.getLoc();
  Value tile = isLeft ? dot.getA() : dot.getB();
  unsigned depthDim = isLeft ? 1 : 0;
  auto turned = [&](Value matrix) -> Value { // The same elements in the same registers.
    auto type = cast<RankedTensorType>(matrix.getType());
    int64_t shape[] = {type.getDimSize(1), type.getDimSize(0)};
    return builder.create<tile::PermuteOp>(loc, RankedTensorType::get(shape, type.getElementType()), matrix,
                                           ArrayRef<int64_t>{1, 0});
  };
  SmallVector<Value> factors(parts);
  for (auto [factor, part] : llvm::zip_equal(mainloop.factors, factors))
    if (!isLeft && part && !factor.isLeft)
      part = turned(part);
  tile::Parts wanted = {{{}, dot.getType().getDimSize(isLeft ? 0 : 1)}, {slice.offset, slice.depth}};
  if (!isLeft)
    std::swap(wanted[0], wanted[1]);
  Slicer slicer(builder, mainloop, slice.number, factors);
  Value made = slicer.make(tile, wanted);
  if (dot.getExtent() && !keepsZero(tile, mainloop)) {
    Value extent = slicer.computed(dot.getExtent());
    if (slice.offset)
      extent = builder.createOrFold<arith::SubIOp>(loc, extent, slice.offset);
    Type element = cast<RankedTensorType>(tile.getType()).getElementType();
    made = maskBeyond(builder, loc, made, depthDim, extent, tile::identityOf(tile::Reduction::Sum, element));
  }
  return isLeft ? made : turned(made);
}

} // namespace tegula
