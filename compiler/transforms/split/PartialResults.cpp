// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/PartialResults.h"

#include "transforms/split/HostPasses.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula::split {

PartialResults::Chunk PartialResults::chunkOf(ValueRange each, ArrayRef<int64_t> granules) {
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

Value PartialResults::cloneLoad(tile::LoadOp load, const DividedReduction &target, const Chunk &chunk,
                                IRMapping &mapping) {
  Value ref = cloneChunk(load.getRef(), target, chunk, mapping);
  auto type = cast<tile::RefType>(ref.getType());
  SmallVector<int64_t> dims(type.getDims());
  SmallVector<int32_t> modes(dims.size(), static_cast<int32_t>(tile::SliceMode::Whole));
  SmallVector<Value> offsets, sizes;
  ArrayRef<Roles> wanted = target.demand.of(load.getResult()); // None of what a number is extracted from.
  for (auto [i, role] : llvm::enumerate(wanted.empty() ? Roles() : wanted.front())) {
    const auto *divided = llvm::find(target.dims, role);
    if (divided == target.dims.end())
      continue;
    dims[i] = ShapedType::kDynamic;
    modes[i] = static_cast<int32_t>(tile::SliceMode::Window);
    offsets.push_back(chunk.starts[divided - target.dims.begin()]);
    sizes.push_back(chunk.sizes[divided - target.dims.begin()]);
  }
  if (!offsets.empty())
    ref = builder.create<tile::SliceOp>(load.getLoc(), tile::RefType::get(type.getElementType(), dims), ref, offsets,
                                        sizes, modes, /*spec=*/false);
  Value mask, other;
  if (load.getMask()) {
    mask = cloneChunk(load.getMask(), target, chunk, mapping);
    other = cloneChunk(load.getOther(), target, chunk, mapping);
  }
  return builder.create<tile::LoadOp>(load.getLoc(), load.getType(), ref, mask, other);
}

Value PartialResults::cloneChunk(Value value, const DividedReduction &target, const Chunk &chunk, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  Value made;
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    made = cloneLoad(load, target, chunk, mapping);
  } else {
    for (Value operand : op->getOperands())
      cloneChunk(operand, target, chunk, mapping);
    auto iota = dyn_cast<tile::IotaOp>(op);
    ArrayRef<Roles> roles = target.demand.of(value);
    const int64_t *divided = target.dims.end();
    if (iota && !roles.empty())
      divided = llvm::find(target.dims, roles.front()[iota.getAxis()]);
    if (divided != target.dims.end()) {
      Value offset = chunk.starts[divided - target.dims.begin()];
      if (iota.getOffset())
        offset = builder.create<arith::AddIOp>(loc, mapping.lookup(iota.getOffset()), offset);
      made = builder.create<tile::IotaOp>(iota.getLoc(), iota.getType(), iota.getAxisAttr(), offset, ValueRange());
    } else {
      made = builder.clone(*op, mapping)->getResult(cast<OpResult>(value).getResultNumber());
    }
  }
  mapping.map(value, made);
  return made;
}

/// A reduction of a chunk, in the type that it is combined in.
Value PartialResults::reducePart(const DividedReduction &target, Value source) {
  tile::ReduceOp reduce = target.reduce;
  auto type = cast<RankedTensorType>(source.getType());
  Type element = combinedIn(reduce);
  if (element != type.getElementType())
    source = builder.create<tile::CastOp>(loc, RankedTensorType::get(type.getShape(), element), source);
  return builder.create<tile::ReduceOp>(reduce.getLoc(), RankedTensorType::get(reduce.getType().getShape(), element),
                                        reduce.getKind(), source, reduce.getAxes(), ValueRange());
}

tile::LaunchOp PartialResults::reduceChunks(StringRef suffix, ArrayRef<Value> chunks, ArrayRef<Value> each,
                                            ArrayRef<int64_t> granules, ArrayRef<Value> partials) {
  llvm::SetVector<unsigned> used;
  for (const DividedReduction &target : targets)
    for (Value value : coneOf(target))
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
    tile::ReduceOp reduce = target.reduce;
    Value partial = reducePart(target, cloneChunk(reduce.getSource(), target, chunk, mapping));
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
  return builder.create<tile::ReduceOp>(reduce.getLoc(), result, reduce.getKind(), found, ArrayRef<int64_t>{0},
                                        ValueRange());
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
  SmallVector<Value> arguments(launch.getArguments());
  SmallVector<tile::Access> access;
  for (unsigned i = 0; i < arguments.size(); ++i)
    access.push_back(launch.getAccessOf(i));
  llvm::append_range(arguments, found);
  access.append(found.size(), tile::Access::In);
  tile::LaunchOp pass = createPass(builder, launch, suffix, {}, arguments, access);
  OpBuilder::InsertionGuard guard(builder);
  Block &body = pass.getBody().front();
  builder.setInsertionPointToEnd(&body);
  IRMapping mapping;
  for (auto [inside, argument] : llvm::zip(launch.getBody().getArguments(), body.getArguments()))
    mapping.map(inside, argument);
  for (Operation &op : launch.getBody().front()) {
    const auto *target = llvm::find_if(targets, [&](const DividedReduction &each) { return each.reduce == &op; });
    if (target == targets.end()) {
      builder.clone(op, mapping);
      continue;
    }
    Value ref = body.getArgument(launch.getArguments().size() + (target - targets.begin()));
    bool isPartial = cast<tile::RefType>(ref.getType()).getRank() > target->keptRank();
    Value result = isPartial ? combinePartials(*target, ref)
                             : builder.create<tile::LoadOp>(loc, cast<tile::RefType>(ref.getType()).getTileType(), ref);
    if (result.getType() != op.getResult(0).getType())
      result = builder.create<tile::CastOp>(op.getLoc(), op.getResult(0).getType(), result);
    mapping.map(op.getResult(0), result);
  }
  // What went into the reductions alone is not wanted any more.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  return pass;
}

} // namespace tegula::split
