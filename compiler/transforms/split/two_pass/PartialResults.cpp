// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/two_pass/PartialResults.h"

#include "transforms/split/HostPasses.h"

using namespace mlir;

namespace tegula::split {

Chunk PartialResults::chunkOf(ValueRange each, ArrayRef<int64_t> granules) {
  Chunk chunk;
  for (auto [axis, granule] : llvm::enumerate(granules)) {
    Value program = builder.create<tile::ProgramIdOp>(loc, builder.getI64Type(), builder.getI64IntegerAttr(axis));
    // The granule comes last: what is multiplied by it is known to be aligned.
    Value before = builder.create<arith::MulIOp>(loc, program, each[axis]);
    chunk.starts.push_back(builder.create<arith::MulIOp>(loc, before, number(granule)));
    chunk.sizes.push_back(builder.create<arith::MulIOp>(loc, each[axis], number(granule)));
  }
  return chunk;
}

Value PartialResults::numberOfProgram(size_t axes) {
  Value all;
  for (size_t axis = 0; axis < axes; ++axis) {
    IntegerAttr which = builder.getI64IntegerAttr(axis);
    Value program = builder.create<tile::ProgramIdOp>(loc, builder.getI64Type(), which);
    if (all) {
      Value count = builder.create<tile::NumProgramsOp>(loc, builder.getI64Type(), which);
      program = builder.create<arith::AddIOp>(loc, builder.create<arith::MulIOp>(loc, all, count), program);
    }
    all = program;
  }
  return all;
}

/// A reduction of a chunk, in the type that it is combined in.
Value PartialResults::reducePart(const DividedReduction &target, Value source) {
  tile::ReduceOp reduce = target.reduce;
  auto type = cast<RankedTensorType>(source.getType());
  Type element = combinedIn(reduce);
  if (element != type.getElementType())
    source = builder.create<tile::CastOp>(loc, RankedTensorType::get(type.getShape(), element), source);
  auto result = RankedTensorType::get(reduce.getType().getShape(), element);
  return builder.create<tile::ReduceOp>(reduce.getLoc(), result, reduce.getKind(), source, reduce.getAxes())
      .getResult();
}

tile::LaunchOp PartialResults::reduceChunks(StringRef suffix, ArrayRef<Value> chunks, ArrayRef<Value> each,
                                            ArrayRef<int64_t> granules, ArrayRef<Value> partials) {
  llvm::SetVector<unsigned> used;
  for (const DividedReduction &target : targets)
    for (Value value : coneOf(target.tile))
      if (auto argument = dyn_cast<BlockArgument>(value))
        used.insert(argument.getArgNumber());
  SmallVector<Value> arguments;
  SmallVector<tile::Access> access;
  for (unsigned number : used) {
    arguments.push_back(launch.getArguments()[number]);
    bool isArray = isa<tile::ArrayType>(arguments.back().getType());
    access.push_back(isArray ? tile::Access::In : tile::Access::Scalar);
  }
  llvm::append_range(arguments, each);
  access.append(each.size(), tile::Access::Scalar);
  llvm::append_range(arguments, partials);
  access.append(partials.size(), tile::Access::Out);
  tile::LaunchOp pass = createPass(builder, launch, suffix, chunks, arguments, access);

  OpBuilder::InsertionGuard guard(builder);
  Block &body = pass.getBody().front();
  builder.setInsertionPointToEnd(&body);
  Chunk chunk = chunkOf(body.getArguments().slice(used.size(), each.size()), granules);
  Value place = numberOfProgram(chunks.size());
  for (auto [target, out] : llvm::zip_equal(targets, body.getArguments().take_back(partials.size()))) {
    IRMapping mapping;
    for (auto [at, number] : llvm::enumerate(used))
      mapping.map(launch.getBody().getArgument(number), body.getArgument(at));
    Value partial = reducePart(target, cloneChunk(builder, target.tile, target, chunk, mapping));
    auto type = cast<tile::RefType>(out.getType());
    SmallVector<int32_t> modes(type.getRank(), static_cast<int32_t>(tile::SliceMode::Whole));
    modes.front() = static_cast<int32_t>(tile::SliceMode::Element);
    auto own = tile::RefType::get(type.getElementType(), type.getDims().drop_front());
    builder.create<tile::StoreOp>(
        loc, partial, builder.create<tile::SliceOp>(loc, own, out, place, ValueRange(), modes, /*spec=*/false));
  }
  builder.create<tile::YieldOp>(loc);
  return pass;
}

/// What all partial results, along the first dimension, come to.
Value PartialResults::combinePartials(const DividedReduction &target, Value ref) {
  tile::ReduceOp reduce = target.reduce;
  auto type = cast<tile::RefType>(ref.getType());
  Value found = builder.create<tile::LoadOp>(loc, type.getTileType(), ref);
  auto result = RankedTensorType::get(type.getDims().drop_front(), type.getElementType());
  return builder.create<tile::ReduceOp>(reduce.getLoc(), result, reduce.getKind(), found, ArrayRef<int64_t>{0})
      .getResult();
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
  for (auto [i, target] : llvm::enumerate(targets))
    builder.create<tile::StoreOp>(loc, combinePartials(target, body.getArgument(i)),
                                  body.getArgument(targets.size() + i));
  builder.create<tile::YieldOp>(loc);
  return pass;
}

tile::LaunchOp PartialResults::finish(StringRef suffix, ArrayRef<Value> found) {
  return cloneProgram(builder, launch, suffix, found, [&](Operation &op, ValueRange refs, IRMapping &mapping) {
    const auto *target = llvm::find_if(targets, [&](const DividedReduction &each) { return each.reduce == &op; });
    if (target == targets.end())
      return false;
    Value ref = refs[target - targets.begin()];
    bool isPartial = cast<tile::RefType>(ref.getType()).getRank() > target->keptRank();
    Value result = isPartial ? combinePartials(*target, ref)
                             : builder.create<tile::LoadOp>(loc, cast<tile::RefType>(ref.getType()).getTileType(), ref);
    if (result.getType() != op.getResult(0).getType())
      result = builder.create<tile::CastOp>(op.getLoc(), op.getResult(0).getType(), result);
    mapping.map(op.getResult(0), result);
    return true;
  });
}

} // namespace tegula::split
