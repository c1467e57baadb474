// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/ChainSteps.h"

#include "transforms/MaskExtents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula {

/// Whether an op loads or transposes what products take from shared memory.
bool ChainSteps::isCopied(Operation &op) const {
  return llvm::any_of(op.getResults(), [&](Value value) {
    return mainloop.tiles.contains(value) ||
           (isa<tile::LoadOp>(op) && llvm::any_of(value.getUsers(), [&](Operation *user) {
              return isa<tile::PermuteOp>(user) && mainloop.tiles.contains(user->getResult(0));
            }));
  });
}

SmallVector<Operation *> ChainSteps::computed() {
  SmallVector<Operation *> ops;
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isa<tile::DotOp>(op) && !isCopied(op))
      ops.push_back(&op);
  return ops;
}

void ChainSteps::makeCarried() {
  for (Value init : loop.getInitArgs()) {
    auto type = tile::VariableType::get(builder.getContext(), init.getType());
    carried.push_back(builder.create<tile::VariableOp>(loc, type));
    set(carried.back(), init);
  }
}

SmallVector<Value> ChainSteps::replaceResults() {
  SmallVector<Value> results;
  for (auto [result, variable] : llvm::zip_equal(loop.getResults(), carried)) {
    results.push_back(get(variable));
    result.replaceAllUsesWith(results.back());
  }
  return results;
}

IRMapping ChainSteps::begin(Value step) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), makeIndex(builder, loop, step, [](Value value) { return value; }));
  for (auto [number, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (!isSum(number))
      mapping.map(argument, getCarried(number));
  return mapping;
}

void ChainSteps::clone(Operation *op, bool isMasked, IRMapping &mapping) {
  if (Value choice = isMasked ? Value() : guards.unmasked(op)) {
    mapping.map(op->getResult(0), mapping.lookupOrDefault(choice));
    return;
  }
  auto reduce = dyn_cast<tile::ReduceOp>(op);
  bool isFull =
      !reduce || (!isMasked && llvm::all_of(reduce.getExtents(), [&](Value extent) { return guards.isFull(extent); }));
  if (reduce && !isFull)
    mask(reduce, mapping);
  Operation *cloned = builder.clone(*op, mapping);
  if (auto slice = dyn_cast<tile::SliceOp>(cloned); slice && !isMasked)
    slice.getResult().setType(guards.unmaskedType(cast<tile::SliceOp>(op), slice.getSource().getType()));
  if (reduce)
    cast<tile::ReduceOp>(cloned).getExtentsMutable().clear();
}

/// Gives what is out of bounds of the rows that are reduced the reduction's identity. Ops behind may take the masked
/// tile, too: out of bounds a tile may be anything, and every reduction and product masks it anew.
void ChainSteps::mask(tile::ReduceOp reduce, IRMapping &mapping) {
  TypedAttr identity = tile::identityOf(reduce.getKind(), reduce.getType().getElementType());
  for (auto [axis, extent] : llvm::zip(reduce.getAxes(), reduce.getExtents())) {
    Location at = reduce.getLoc();
    Value source = mapping.lookupOrDefault(reduce.getSource()), end = mapping.lookupOrDefault(extent), masked;
    if (!guards.haveMasks() && guards.isFull(extent)) {
      masked = maskBeyond(builder, at, source, axis, end, identity);
    } else {
      // Steps that have masks for another reason, or of which nobody knows in advance, may well be full.
      masked = maskIfCut(builder, at, source, axis, end, identity);
    }
    mapping.map(reduce.getSource(), masked);
    if (axis == 1 && reduce.getKind() == tile::Reduction::Sum)
      zeroBeyond[masked] = placeOf(extent);
  }
}

void ChainSteps::carry(IRMapping &mapping) {
  for (auto [number, yielded] : llvm::enumerate(loop.getYieldedValues()))
    if (!isSum(number))
      setCarried(number, mapping.lookupOrDefault(yielded));
}

/// What an extent is of: two of one place are equal.
std::pair<Value, uint64_t> ChainSteps::placeOf(Value extent) {
  auto dim = extent.getDefiningOp<tile::DimOp>();
  return dim ? std::pair<Value, uint64_t>(dim.getSource(), dim.getAxis()) : std::pair<Value, uint64_t>(extent, 0);
}

/// Right factors are filled with zeros out of bounds, of which infinite left ones would make NaN: these are zero there,
/// too.
Value ChainSteps::leftOf(const Product &product, bool isMasked, IRMapping &mapping) {
  tile::DotOp dot = product.dot;
  Value left = mapping.lookupOrDefault(dot.getA()), extent = dot.getExtent();
  if (!extent || (!isMasked && guards.isFull(extent)))
    return left;
  Value source = left;
  while (auto cast = source.getDefiningOp<tile::CastOp>())
    source = cast.getOperand();
  if (auto zero = zeroBeyond.find(source); zero != zeroBeyond.end() && zero->second == placeOf(extent))
    return left;
  return maskBeyond(builder, dot.getLoc(), left, 1, mapping.lookupOrDefault(extent),
                    builder.getZeroAttr(cast<RankedTensorType>(left.getType()).getElementType()));
}

void ChainSteps::buildLoop(Value from, Value to, function_ref<void(Value)> buildStep) {
  Value one = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(1));
  auto steps = builder.create<scf::ForOp>(loc, from, to, one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(steps.getBody()->getTerminator());
  buildStep(steps.getInductionVar());
}

void ChainSteps::buildLoops(const StepGuards::Range &full, Value from, Value numSteps,
                            function_ref<void(Value, bool)> buildStep) {
  auto within = [&](Value step, Value least) -> Value {
    return builder.create<arith::MinSIOp>(loc, builder.create<arith::MaxSIOp>(loc, step, least), numSteps);
  };
  auto masked = [&](Value step) { buildStep(step, /*isMasked=*/true); };
  if (full.begin) {
    Value begin = within(full.begin, from);
    buildLoop(from, begin, masked);
    from = begin;
  }
  Value end = full.end ? within(full.end, from) : numSteps;
  buildLoop(from, end, [&](Value step) { buildStep(step, /*isMasked=*/false); });
  if (full.end)
    buildLoop(end, numSteps, masked);
}

void unwrapWork(scf::ForOp work) {
  work.getInductionVar().replaceAllUsesWith(work.getLowerBound());
  work->getBlock()->getOperations().splice(work->getIterator(), work.getBody()->getOperations(),
                                           work.getBody()->begin(), std::prev(work.getBody()->end()));
  work.erase();
}

} // namespace tegula
