// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of reductions. A row that is too long for registers is made again for each of its reductions, chunk by chunk:
//
//   for 3 times:  x = exp(x - max(x))         for chunk:  m += load
//                                             for chunk:  n += exp(load - m)
//                                             for chunk:  p += exp(exp(load - m) - n)
//
// Code that grows with the square of their number is written once instead, in a loop over the reductions:
//
//   for stage = 0, 1, 2:
//     for chunk:  x = load
//                 if stage == 0: a += x  else: x = exp(x - m)
//                                              if stage == 1: a += x  else: x = exp(x - n); a += x
//     m, n, p:  the one of this stage is what `a` comes to
//
// The row is read as often as before, and the same is computed.
#include "transforms/split/Body.h"
#include "transforms/split/Cost.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula::split {

/// The elementwise operations of the block that a tile is made of, back to loads and reductions.
static llvm::SetVector<Operation *> computationOf(Value tile) {
  llvm::SetVector<Operation *> ops;
  SmallVector<Value> work{tile};
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op || isContraction(op) || op->getNumRegions() || !llvm::any_of(op->getResults(), isTile) || !ops.insert(op))
      continue;
    llvm::append_range(work, op->getOperands());
  }
  return ops;
}

/// Whether a program may come by an op more than once.
bool BodyBuilder::isRepeatable(Operation &op) const {
  if (isa<tile::LoadOp, tile::GatherOp>(op))
    return !program.stored.contains(tile::arrayOf(op.getOperand(0)).getArgNumber());
  return op.getNumRegions() == 0 && isMemoryEffectFree(&op);
}

std::optional<BodyBuilder::Chain> BodyBuilder::chainFrom(tile::ReduceOp first) {
  if (first.isCustom())
    return std::nullopt;
  std::optional<Parts> wanted = naturalParts(first.getResult());
  if (!wanted)
    return std::nullopt;
  Reducing how = reducing(first, *wanted);
  if (how.loops.size() != 1 || first.getAxes().size() != 1)
    return std::nullopt;
  int64_t axis = first.getAxes().front();
  const Extent &extent = extents.of(first.getSource(), axis);
  Chain chain{{}, *wanted, how};
  int64_t separate = 0;
  llvm::SetVector<Operation *> together;
  for (Operation &op : llvm::make_range(first->getIterator(), first->getBlock()->end())) {
    if (!isRepeatable(op))
      break;
    auto reduce = dyn_cast<tile::ReduceOp>(op);
    if (!reduce || reduce.isCustom() || reduce.getAxes() != first.getAxes() ||
        reduce.getSource().getType().getShape() != first.getSource().getType().getShape() ||
        reduce.getType() != first.getType() || combinedIn(reduce) != combinedIn(first) ||
        extents.of(reduce.getSource(), axis).symbol != extent.symbol)
      continue;
    std::optional<Parts> same = naturalParts(reduce.getResult());
    if (!same || *same != *wanted)
      continue;
    if (!scansIn(reduce, axis).empty()) // Which the loops of a chain do not go on with.
      return std::nullopt;
    chain.reduces.push_back(reduce);
    llvm::SetVector<Operation *> own = computationOf(reduce.getSource());
    for (Operation *each : own)
      separate += weightOf(each);
    together.insert(own.begin(), own.end());
  }
  int64_t once = 0;
  for (Operation *op : together)
    once += weightOf(op);
  // Each stands there twice: for full chunks, and for the rest.
  int64_t perThread = 2 * how.loops.front().size / program.group;
  bool pays = separate > 2 * once && separate * std::max<int64_t>(1, perThread) > longCode;
  return pays ? std::optional(std::move(chain)) : std::nullopt;
}

/// Goes on with an accumulator by the reduction of this stage, the `number`th or one behind it.
FailureOr<Value> BodyBuilder::reduceStage(const Chain &chain, unsigned number, Parts &parts, Value stage,
                                          Value carried) {
  tile::ReduceOp reduce = chain.reduces[number];
  Location loc = reduce.getLoc();
  auto goOn = [&]() -> FailureOr<Value> {
    FailureOr<SmallVector<Value>> next = reduceChunks(reduce, parts, {}, carried);
    return failed(next) ? FailureOr<Value>() : next->front();
  };
  if (number + 1 == chain.reduces.size())
    return goOn();
  if (failed(materialise(reduce.getSource(), parts))) // Both sides go on from it.
    return failure();
  Value isNow = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, stage, constant(loc, number));
  auto branch = builder.create<scf::IfOp>(loc, carried.getType(), isNow, /*addThenBlock=*/true, /*addElseBlock=*/true);
  Operation *before = std::exchange(frames.back().nested, branch);
  for (bool now : {true, false}) {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = now ? branch.thenBlock() : branch.elseBlock();
    builder.setInsertionPointToEnd(block);
    frames.push_back({reduce->getBlock(), block, nullptr});
    FailureOr<Value> next = now ? goOn() : reduceStage(chain, number + 1, parts, stage, carried);
    frames.pop_back();
    if (failed(next))
      return failure();
    builder.create<scf::YieldOp>(loc, *next);
  }
  frames.back().nested = before;
  return branch.getResult(0);
}

/// Whether this stage reduces in this way.
Value BodyBuilder::isOfKind(const Chain &chain, tile::Reduction kind, Value stage) {
  Value any;
  for (auto [number, each] : llvm::enumerate(chain.reduces)) {
    tile::ReduceOp reduce = each;
    if (reduce.getKind() != kind)
      continue;
    Location loc = reduce.getLoc();
    Value isNow = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, stage, constant(loc, number));
    any = any ? builder.create<arith::OrIOp>(loc, any, isNow) : isNow;
  }
  return any;
}

/// What the accumulator of a stage comes to, which reduces in one of these ways.
Value BodyBuilder::finishStage(const Chain &chain, ArrayRef<tile::Reduction> kinds, Value stage, Value accumulator) {
  tile::ReduceOp like = chain.reduces.front();
  Location loc = like.getLoc();
  Type type = partType(combinedIn(like), chain.wanted);
  auto reduce = [&](tile::Reduction kind) -> Value {
    return builder
        .create<tile::ReduceOp>(loc, type, kind, accumulator, tile::positionsIn(chain.how.parts, like.getAxes()))
        .getResult();
  };
  if (kinds.size() == 1)
    return reduce(kinds.front());
  auto branch = builder.create<scf::IfOp>(loc, type, isOfKind(chain, kinds.front(), stage), /*addThenBlock=*/true,
                                          /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(branch.thenBlock());
  builder.create<scf::YieldOp>(loc, reduce(kinds.front()));
  builder.setInsertionPointToEnd(branch.elseBlock());
  builder.create<scf::YieldOp>(loc, finishStage(chain, kinds.drop_front(), stage, accumulator));
  return branch.getResult(0);
}

LogicalResult BodyBuilder::cloneChain(const Chain &chain) {
  tile::ReduceOp first = chain.reduces.front();
  Location loc = first.getLoc();
  Block &source = *first->getBlock();
  Type element = combinedIn(first), narrow = first.getType().getElementType();
  llvm::SmallSetVector<tile::Reduction, 2> kinds;
  for (tile::ReduceOp reduce : chain.reduces)
    kinds.insert(reduce.getKind());
  auto filled = [&](Value number, Type of, const Parts &parts) -> Value {
    return builder.create<tile::FullOp>(loc, partType(of, parts), number, ValueRange());
  };
  auto identityOf = [&](tile::Reduction kind, Type of) -> Value {
    return builder.create<arith::ConstantOp>(loc, tile::identityOf(kind, of));
  };
  SmallVector<Value> nothing(chain.reduces.size(), filled(identityOf(first.getKind(), narrow), narrow, chain.wanted));
  auto stages =
      builder.create<scf::ForOp>(loc, constant(loc, 0), constant(loc, chain.reduces.size()), constant(loc, 1), nothing);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(stages.getBody());
    frames.back().nested = stages;
    frames.push_back({&source, stages.getBody(), nullptr});
    for (auto [reduce, found] : llvm::zip(chain.reduces, stages.getRegionIterArgs()))
      frames.back().add({tile::ReduceOp(reduce).getResult(), chain.wanted, found});
    // Numbers that the program computes between reductions. It computes them again behind the loop.
    for (Operation &op : llvm::make_range(first->getIterator(), chain.reduces.back()->getIterator()))
      if (failed(cloneOp(op)))
        return failure();

    Value stage = stages.getInductionVar(), identity = identityOf(kinds.front(), element);
    for (tile::Reduction kind : ArrayRef(kinds.getArrayRef()).drop_front())
      identity =
          builder.create<arith::SelectOp>(loc, isOfKind(chain, kind, stage), identityOf(kind, element), identity);
    Parts parts = chain.how.parts;
    Combined loop = chain.how.loops.front();
    parts[loop.dim] = {{}, loop.size};
    auto chunk = [&](Value offset, bool full, ValueRange carried) -> FailureOr<SmallVector<Value>> {
      parts[loop.dim] = {offset, loop.size, /*dropped=*/false, full};
      FailureOr<Value> next = reduceStage(chain, 0, parts, stage, carried.front());
      if (failed(next))
        return failure();
      return SmallVector<Value>{*next};
    };
    Value extent = extentHere(loc, first.getSource(), loop.dim);
    FailureOr<SmallVector<Value>> accumulator =
        forEachChunk(loc, extent, {loop.size, loop.size}, filled(identity, element, parts), chunk);
    if (failed(accumulator))
      return failure();
    Value made = castTo(builder, loc, narrow, finishStage(chain, kinds.getArrayRef(), stage, accumulator->front()));
    SmallVector<Value> next;
    for (auto [number, before] : llvm::enumerate(stages.getRegionIterArgs())) {
      Value isNow = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, stage, constant(loc, number));
      Value everywhere = filled(isNow, builder.getI1Type(), chain.wanted);
      next.push_back(builder.create<tile::WhereOp>(loc, made.getType(), everywhere, made, before));
    }
    builder.create<scf::YieldOp>(loc, next);
    frames.pop_back();
    frames.back().nested = nullptr;
  }
  for (auto [reduce, found] : llvm::zip(chain.reduces, stages.getResults()))
    frames.back().add({tile::ReduceOp(reduce).getResult(), chain.wanted, found});
  return success();
}

} // namespace tegula::split
