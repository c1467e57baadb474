// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/two_pass/PartialProducts.h"

#include "ir/Expressions.h"
#include "transforms/split/HostPasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula::split {

/// A value of the program, made anew unless it is there.
static Value here(OpBuilder &builder, Value value, IRMapping &mapping) {
  return cloneExpression(builder, value, mapping, [](Value) -> std::optional<Value> { return std::nullopt; });
}

/// A window of partial sums where `ref` is one of the array that the program stores to: of one part, or, without one,
/// of all parts.
Value PartialProducts::windowOf(Value ref, Value partials, Value part, IRMapping &mapping) {
  auto type = cast<tile::RefType>(ref.getType());
  SmallVector<int64_t> dims(type.getDims());
  SmallVector<Value> offsets, sizes;
  SmallVector<int32_t> modes(dims.size(), static_cast<int32_t>(tile::SliceMode::Whole));
  auto slice = ref.getDefiningOp<tile::SliceOp>();
  Value source;
  if (slice) {
    source = windowOf(slice.getSource(), partials, part, mapping);
    auto onItsWay = [&](Value value) { return here(builder, value, mapping); };
    offsets = llvm::map_to_vector(slice.getOffsets(), onItsWay);
    sizes = llvm::map_to_vector(slice.getSizes(), onItsWay);
    modes.assign(slice.getModes().begin(), slice.getModes().end());
  } else if (part) {
    source = partials;
    offsets.push_back(part);
  } else {
    return partials;
  }
  if (!part)
    dims.insert(dims.begin(), ShapedType::kDynamic);
  if (!part || !slice)
    modes.insert(modes.begin(), static_cast<int32_t>(part ? tile::SliceMode::Element : tile::SliceMode::Whole));
  auto window = tile::RefType::get(cast<tile::RefType>(partials.getType()).getElementType(), dims);
  return builder.create<tile::SliceOp>(loc, window, source, offsets, sizes, modes, /*spec=*/false);
}

/// The loop, from where the part begins to where it ends, on sums that begin with zero.
void PartialProducts::sumPartOfLoop(Value part, Value each, IRMapping &mapping) {
  scf::ForOp loop = found.loop;
  llvm::SetVector<Value> outside;
  loop->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!llvm::is_contained(loop.getInitArgs(), operand) || op != loop.getOperation())
        outside.insert(operand);
  });
  for (size_t i = 0; i < outside.size(); ++i)
    if (Operation *op = outside[i].getDefiningOp(); op && !loop->isAncestor(op))
      op->walk([&](Operation *inner) { outside.insert(inner->operand_begin(), inner->operand_end()); });
  for (Operation &op : llvm::make_range(launch.getBody().front().begin(), loop->getIterator()))
    if (llvm::any_of(op.getResults(), [&](Value result) { return outside.contains(result); }))
      builder.clone(op, mapping);
  auto copy = cast<scf::ForOp>(builder.clone(*loop, mapping));
  builder.setInsertionPoint(copy);
  for (OpOperand &init : copy.getInitArgsMutable()) {
    auto type = cast<RankedTensorType>(init.get().getType());
    Value zero = builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(tile::scalarTypeOf(type.getElementType())));
    init.set(builder.create<tile::FullOp>(loc, type, zero, ValueRange()));
  }
  Value step = builder.create<arith::MulIOp>(loc, each, copy.getStep());
  Value before = builder.create<arith::MulIOp>(loc, part, step);
  Value start = builder.create<arith::AddIOp>(loc, copy.getLowerBound(), before);
  Value end = builder.create<arith::AddIOp>(loc, start, step);
  copy.setUpperBound(builder.create<arith::MinSIOp>(loc, copy.getUpperBound(), end));
  copy.setLowerBound(start);
  builder.setInsertionPointAfter(copy);
  mapping.map(loop.getResults(), copy.getResults());
}

/// The products of a chunk of rows.
void PartialProducts::sumPartOfRows(Value part, Value each, int64_t granule, IRMapping &mapping) {
  Value multiple = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(granule));
  // The granule comes last: what is multiplied by it is known to be a multiple.
  Value before = builder.create<arith::MulIOp>(loc, part, each);
  Chunk chunk{{builder.create<arith::MulIOp>(loc, before, multiple)},
              {builder.create<arith::MulIOp>(loc, each, multiple)}};
  auto chunkOf = [&](const DividedTile &factor) { // Each has its own chunks of what it is made of.
    IRMapping own;
    for (BlockArgument argument : launch.getBody().getArguments())
      own.map(argument, mapping.lookup(argument));
    return cloneChunk(builder, factor.tile, factor, chunk, own);
  };
  for (const ProductOfRows &product : found.products) {
    tile::DotOp dot = product.dot;
    Value a = chunkOf(product.a), b = chunkOf(product.b);
    mapping.map(dot.getResult(),
                builder.create<tile::DotOp>(dot.getLoc(), dot.getType(), a, b, Value(), Value(), dot.getPrecision()));
  }
}

tile::LaunchOp PartialProducts::sumParts(Value parts, Value each, int64_t granule, ArrayRef<Value> partials) {
  SmallVector<Value> arguments(launch.getArguments()), grid(launch.getGrid());
  SmallVector<tile::Access> access;
  for (unsigned i = 0; i < arguments.size(); ++i)
    access.push_back(launch.getAccessOf(i));
  arguments.push_back(each);
  access.push_back(tile::Access::Scalar);
  llvm::append_range(arguments, partials);
  access.append(partials.size(), tile::Access::Out);
  IntegerAttr axis = builder.getI64IntegerAttr(grid.size());
  grid.push_back(parts);
  tile::LaunchOp pass = createPass(builder, launch, "_partial", grid, arguments, access);

  OpBuilder::InsertionGuard guard(builder);
  Block &body = pass.getBody().front();
  builder.setInsertionPointToEnd(&body);
  IRMapping mapping;
  mapping.map(launch.getBody().getArguments(), body.getArguments().take_front(launch.getArguments().size()));
  Value part = builder.create<tile::ProgramIdOp>(loc, builder.getI64Type(), axis);
  Value own = body.getArgument(launch.getArguments().size());
  if (found.loop)
    sumPartOfLoop(part, own, mapping);
  else
    sumPartOfRows(part, own, granule, mapping);
  for (auto [sum, out] : llvm::zip_equal(found.sums, body.getArguments().take_back(partials.size()))) {
    tile::StoreOp store = found.store;
    Value value = here(builder, sum, mapping); // Of sums of several products, the sum.
    builder.create<tile::StoreOp>(sum.getLoc(), value, windowOf(store.getRef(), out, part, mapping));
  }
  builder.create<tile::YieldOp>(loc);
  dropUnusedInputs(pass);
  return pass;
}

/// What all parts of a sum, along the first dimension, come to.
Value PartialProducts::sumOfParts(size_t sum, Value partials, IRMapping &mapping) {
  tile::StoreOp store = found.store;
  Value window = windowOf(store.getRef(), partials, /*part=*/{}, mapping);
  auto type = cast<RankedTensorType>(found.sums[sum].getType());
  Value parts = builder.create<tile::LoadOp>(loc, cast<tile::RefType>(window.getType()).getTileType(), window);
  Value result =
      builder.create<tile::ReduceOp>(loc, type, tile::Reduction::Sum, parts, ArrayRef<int64_t>{0}).getResult();
  Value init = found.initOf(sum);
  return init ? builder.create<tile::AddOp>(loc, mapping.lookup(init), result).getResult() : result;
}

tile::LaunchOp PartialProducts::finish(ArrayRef<Value> partials) {
  return cloneProgram(builder, launch, "_finish", partials, [&](Operation &op, ValueRange refs, IRMapping &mapping) {
    bool isSum = false;
    for (auto [number, sum] : llvm::enumerate(found.sums)) {
      if (sum.getDefiningOp() != &op)
        continue;
      mapping.map(sum, sumOfParts(number, refs[number], mapping));
      isSum = true;
    }
    return isSum;
  });
}

} // namespace tegula::split
