// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/two_pass/PartialResults.h"

#include "transforms/split/HostPasses.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tegula::split {

Chunk PartialResults::chunkOf(ValueRange shares, ArrayRef<int64_t> granules) {
  Chunk chunk;
  for (auto [axis, granule] : llvm::enumerate(granules)) {
    Value program = builder.create<tile::ProgramIdOp>(loc, builder.getI64Type(), builder.getI64IntegerAttr(axis));
    Value each = shares[2 * axis], longer = shares[2 * axis + 1];
    Value isLonger = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, program, longer);
    Value more = builder.create<arith::ExtUIOp>(loc, builder.getI64Type(), isLonger);
    Value before = builder.create<arith::AddIOp>(loc, builder.create<arith::MulIOp>(loc, program, each),
                                                 builder.create<arith::MinSIOp>(loc, program, longer));
    // The granule comes last: what is multiplied by it is known to be aligned.
    chunk.starts.push_back(builder.create<arith::MulIOp>(loc, before, number(granule)));
    Value own = builder.create<arith::AddIOp>(loc, each, more);
    chunk.sizes.push_back(builder.create<arith::MulIOp>(loc, own, number(granule)));
  }
  return chunk;
}

ValueRange PartialResults::ofTarget(ValueRange all, const DividedReduction &target) const {
  size_t first = 0;
  for (const DividedReduction &each : targets) {
    size_t count = tile::ReduceOp(each.reduce).getNumResults();
    if (&each == &target)
      return all.slice(first, count);
    first += count;
  }
  llvm_unreachable("no target of these");
}

/// The reduction again, of tiles that have the types in which it combines.
PartialResults::Values PartialResults::reduceAlong(tile::ReduceOp like, ArrayRef<int64_t> axes, ValueRange sources) {
  SmallVector<Type> types;
  for (Value source : sources) {
    auto type = cast<RankedTensorType>(source.getType());
    SmallVector<int64_t> kept;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (!llvm::is_contained(axes, dim))
        kept.push_back(type.getDimSize(dim));
    types.push_back(RankedTensorType::get(kept, type.getElementType()));
  }
  IRMapping constants; // That a combiner takes.
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(like->getRegions(), captured);
  for (Value value : captured)
    builder.clone(*value.getDefiningOp(), constants);
  auto made = builder.create<tile::ReduceOp>(like.getLoc(), types, like.getKind(), sources, axes, ValueRange(),
                                             like.getIdentitiesAttr(), /*cluster=*/false, /*partial=*/false,
                                             /*combinerCount=*/like.getCombiner().size());
  for (auto [from, to] : llvm::zip(like->getRegions(), made->getRegions()))
    from.cloneInto(&to, constants);
  return llvm::to_vector_of<Value>(made.getResults());
}

/// A reduction of a chunk, in the types that it is combined in.
PartialResults::Values PartialResults::reducePart(const DividedReduction &target, ArrayRef<Value> sources) {
  Values wide;
  for (auto [i, source] : llvm::enumerate(sources)) {
    auto type = cast<RankedTensorType>(source.getType());
    Type element = combinedIn(target.reduce, i);
    wide.push_back(source);
    if (element != type.getElementType())
      wide.back() = builder.create<tile::CastOp>(loc, RankedTensorType::get(type.getShape(), element), source);
  }
  tile::ReduceOp reduce = target.reduce;
  return reduceAlong(reduce, reduce.getAxes(), wide);
}

tile::LaunchOp PartialResults::reduceChunks(StringRef suffix, ArrayRef<Value> chunks, ArrayRef<Value> shares,
                                            ArrayRef<int64_t> granules, ArrayRef<Value> partials) {
  llvm::SetVector<unsigned> used;
  for (const DividedReduction &target : targets)
    for (const DividedTile &source : target.sources)
      for (Value value : coneOf(source.tile))
        if (auto argument = dyn_cast<BlockArgument>(value))
          used.insert(argument.getArgNumber());
  SmallVector<Value> arguments;
  SmallVector<tile::Access> access;
  for (unsigned number : used) {
    arguments.push_back(launch.getArguments()[number]);
    bool isArray = isa<tile::ArrayType>(arguments.back().getType());
    access.push_back(isArray ? tile::Access::In : tile::Access::Scalar);
  }
  llvm::append_range(arguments, shares);
  access.append(shares.size(), tile::Access::Scalar);
  llvm::append_range(arguments, partials);
  access.append(partials.size(), tile::Access::Out);
  tile::LaunchOp pass = createPass(builder, launch, suffix, chunks, arguments, access);

  OpBuilder::InsertionGuard guard(builder);
  Block &body = pass.getBody().front();
  builder.setInsertionPointToEnd(&body);
  Chunk chunk = chunkOf(body.getArguments().slice(used.size(), shares.size()), granules);
  Value place = numberOfProgram(builder, loc, chunks.size());
  for (const DividedReduction &target : targets) {
    Values sources;
    for (const DividedTile &source : target.sources) {
      IRMapping mapping; // Each source has chunks of its own of what both are made of.
      for (auto [at, number] : llvm::enumerate(used))
        mapping.map(launch.getBody().getArgument(number), body.getArgument(at));
      sources.push_back(cloneChunk(builder, source.tile, source, chunk, mapping));
    }
    ValueRange outs = ofTarget(body.getArguments().take_back(partials.size()), target);
    for (auto [partial, out] : llvm::zip_equal(reducePart(target, sources), outs)) {
      auto type = cast<tile::RefType>(out.getType());
      SmallVector<int32_t> modes(type.getRank(), static_cast<int32_t>(tile::SliceMode::Whole));
      modes.front() = static_cast<int32_t>(tile::SliceMode::Element);
      auto own = tile::RefType::get(type.getElementType(), type.getDims().drop_front());
      builder.create<tile::StoreOp>(
          loc, partial, builder.create<tile::SliceOp>(loc, own, out, place, ValueRange(), modes, /*spec=*/false));
    }
  }
  builder.create<tile::YieldOp>(loc);
  return pass;
}

/// What all partial results, along the first dimension, come to.
PartialResults::Values PartialResults::combinePartials(const DividedReduction &target, ValueRange refs) {
  Values found;
  for (Value ref : refs)
    found.push_back(builder.create<tile::LoadOp>(loc, cast<tile::RefType>(ref.getType()).getTileType(), ref));
  return reduceAlong(target.reduce, ArrayRef<int64_t>{0}, found);
}

tile::LaunchOp PartialResults::combine(ArrayRef<Value> partials, ArrayRef<Value> results) {
  SmallVector<Value> arguments(partials);
  llvm::append_range(arguments, results);
  SmallVector<tile::Access> access(partials.size(), tile::Access::In);
  access.append(results.size(), tile::Access::Out);
  tile::LaunchOp pass = createPass(builder, launch, "_combine", {}, arguments, access);
  OpBuilder::InsertionGuard guard(builder);
  Block &body = pass.getBody().front();
  builder.setInsertionPointToEnd(&body);
  for (const DividedReduction &target : targets) {
    ValueRange all = body.getArguments();
    Values combined = combinePartials(target, ofTarget(all.take_front(partials.size()), target));
    for (auto [result, out] : llvm::zip_equal(combined, ofTarget(all.drop_front(partials.size()), target)))
      builder.create<tile::StoreOp>(loc, result, out);
  }
  builder.create<tile::YieldOp>(loc);
  return pass;
}

tile::LaunchOp PartialResults::finish(StringRef suffix, ArrayRef<Value> found) {
  return cloneProgram(builder, launch, suffix, found, [&](Operation &op, ValueRange refs, IRMapping &mapping) {
    const auto *target = llvm::find_if(targets, [&](const DividedReduction &each) { return each.reduce == &op; });
    if (target == targets.end())
      return false;
    ValueRange own = ofTarget(refs, *target);
    bool isPartial = cast<tile::RefType>(own.front().getType()).getRank() > target->keptRank();
    Values results;
    if (isPartial)
      results = combinePartials(*target, own);
    else
      for (Value ref : own)
        results.push_back(builder.create<tile::LoadOp>(loc, cast<tile::RefType>(ref.getType()).getTileType(), ref));
    for (auto [result, before] : llvm::zip_equal(results, op.getResults())) {
      if (result.getType() != before.getType())
        result = builder.create<tile::CastOp>(op.getLoc(), before.getType(), result);
      mapping.map(before, result);
    }
    return true;
  });
}

} // namespace tegula::split
