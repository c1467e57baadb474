// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/Plan.h"

#include "ir/Expressions.h"
#include "ir/KernelAttributes.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tegula::split {

Value HostValues::constant(int64_t value) {
  return builder.create<arith::ConstantOp>(launch.getLoc(), builder.getI64IntegerAttr(value));
}

Value HostValues::most(const Extent &extent) {
  if (!extent.origin)
    return {};
  return isa<tile::RefType>(extent.origin.getType()) ? extentOf(extent.origin, extent.dim) : clone(extent.origin);
}

Value HostValues::extentOf(Value ref, int64_t dim) {
  auto type = cast<tile::RefType>(ref.getType());
  if (!ShapedType::isDynamic(type.getBound(dim)))
    return constant(type.getBound(dim));
  if (auto argument = dyn_cast<BlockArgument>(ref)) // Not folded: what an array is made of is no argument.
    return builder.create<tile::DimOp>(launch.getLoc(), builder.getI64Type(), arguments[argument.getArgNumber()],
                                       builder.getI64IntegerAttr(dim));
  if (auto transpose = ref.getDefiningOp<tile::TransposeOp>())
    return extentOf(transpose.getSource(), transpose.getPermutation()[dim]);
  if (auto strided = ref.getDefiningOp<tile::StridedSliceOp>()) { // All of the source is more, if need be.
    Value size = dim == static_cast<int64_t>(strided.getAxis()) ? strided.getSize() : Value();
    Value onHost = size ? clone(size) : Value();
    return onHost ? onHost : extentOf(strided.getSource(), dim);
  }
  auto slice = ref.getDefiningOp<tile::SliceOp>();
  unsigned from = slice.getSourceDim(dim);
  if (Value size = slice.getSize(from))
    if (Value onHost = clone(size))
      return onHost;
  return extentOf(slice.getSource(), from);
}

Value HostValues::clone(Value value) {
  IRMapping clones;
  return cloneExpression(builder, value, clones, [&](Value value) -> std::optional<Value> {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      bool isOurs = argument.getOwner()->getParentOp() == launch.getOperation();
      return isOurs ? arguments[argument.getArgNumber()] : Value();
    }
    Operation *op = value.getDefiningOp();
    if (auto dim = dyn_cast<tile::DimOp>(op)) {
      auto argument = dyn_cast<BlockArgument>(dim.getSource());
      return argument ? extentOf(argument, dim.getAxis()) : Value();
    }
    if (auto count = dyn_cast<tile::NumProgramsOp>(op))
      return grid[count.getAxis()];
    bool isScalar = op->getDialect()->getNamespace() == "arith" && !isa<RankedTensorType>(value.getType());
    return isScalar ? std::nullopt : std::optional<Value>(Value());
  });
}

std::optional<Extent> mostOnHost(tile::LaunchOp launch, Extents &extents, Extent extent) {
  Block scratch;
  for (Value size : launch.getGrid())
    scratch.addArgument(size.getType(), launch.getLoc());
  for (Value value : launch.getArguments())
    scratch.addArgument(value.getType(), launch.getLoc());
  OpBuilder builder(launch.getContext());
  builder.setInsertionPointToEnd(&scratch);
  ValueRange all = scratch.getArguments();
  HostValues host(launch, builder, all.take_front(launch.getGrid().size()), all.drop_front(launch.getGrid().size()));
  while (extent.origin && isa<RankedTensorType>(extent.origin.getType())) {
    auto op = extent.origin.getDefiningOp<tile::IndexedOpInterface>();
    auto [sourceDim, index] = tile::windowOf(op, extent.dim);
    if (index.size && host.clone(index.size))
      return Extent{extent.symbol, index.size};
    extent = extents.of(op->getOperand(0), sourceDim);
  }
  return host.most(extent) ? std::optional(extent) : std::nullopt;
}

PlanBuilder::PlanBuilder(tile::LaunchOp launch)
    : launch(launch), plan(&launch.getPlan().emplaceBlock()), builder(OpBuilder::atBlockEnd(plan)),
      loc(launch.getLoc()) {
  for (Value size : launch.getGrid())
    plan->addArgument(size.getType(), loc);
  for (auto [value, inside] : llvm::zip(launch.getArguments(), launch.getBody().getArguments()))
    plan->addArgument(value.getType(), inside.getLoc());
}

Value PlanBuilder::ceilDiv(Value value, int64_t divisor) {
  if (divisor == 1)
    return value;
  Value sum = builder.createOrFold<arith::AddIOp>(loc, value, constant(divisor - 1));
  return builder.createOrFold<arith::DivSIOp>(loc, sum, constant(divisor));
}

Value PlanBuilder::product(Value a, Value b) { return a ? builder.createOrFold<arith::MulIOp>(loc, a, b) : b; }

Value PlanBuilder::tiles(const Domain &domain, int64_t dim) {
  const DomainDim &size = domain.dims[dim];
  if (size.isStatic() || !size.isCut())
    return constant(domain.tiles(dim));
  tile::RootOpInterface root = domain.roots.front();
  auto store = dyn_cast<tile::StoreOp>(root.getOperation());
  Value extent = store ? host().extentOf(store.getRef(), dim) : host().most(domain.extents[dim]);
  return ceilDiv(extent, size.subTile);
}

Value PlanBuilder::mostTiles(const Program &program) {
  Value most;
  for (const Domain &domain : program.domains) {
    Value count;
    for (int64_t dim = 0; dim < static_cast<int64_t>(domain.dims.size()); ++dim)
      count = product(count, tiles(domain, dim));
    if (!count)
      count = constant(1);
    most = most ? builder.createOrFold<arith::MaxSIOp>(loc, most, count) : count;
  }
  return most;
}

Value PlanBuilder::groups(const Program &program) {
  Value count = program.isWhole() ? Value() : mostTiles(program);
  for (auto [axis, size] : llvm::enumerate(grid())) {
    bool isOfClusters = program.areInClusters() && axis + 2 == grid().size();
    count = product(count, isOfClusters ? ceilDiv(size, program.shape.tensor->cluster) : size);
  }
  return count ? count : constant(1);
}

Value PlanBuilder::processors(const Program &program) {
  Value all = builder.create<tile::MultiprocessorsOp>(loc);
  if (program.shape.tensor->cluster == 1)
    return all;
  Value atATime = builder.createOrFold<arith::DivSIOp>(loc, all, constant(program.shape.tensor->cluster));
  return builder.createOrFold<arith::MaxSIOp>(loc, atATime, constant(1));
}

Value PlanBuilder::turns(ArrayRef<unsigned> arrays) {
  constexpr int64_t cached = int64_t{64} << 20, mostTurns = 64; // What they stream; an H100 has 50 MiB.
  auto make = [&]<class Op>(Op, Value a, Value b) { return builder.createOrFold<Op>(loc, a, b); };
  Value bytes, rows = constant(1);
  for (unsigned array : arrays) {
    auto type = cast<tile::RefType>(launch.getBody().getArgument(array).getType());
    Value size = constant(tile::bytesOf(type.getElementType()));
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      size = make(arith::MulIOp(), size, builder.create<tile::DimOp>(loc, arguments()[array], dim));
    bytes = bytes ? make(arith::AddIOp(), bytes, size) : size;
  }
  for (Value size : grid().drop_back())
    rows = make(arith::MulIOp(), rows, size);
  rows = make(arith::MaxSIOp(), rows, constant(1));
  Value ofRow = make(arith::MaxSIOp(), make(arith::DivSIOp(), bytes, rows), constant(1));
  // Of rows, most often a power of two, all bands are then as high: a lower one at the end has a long tail.
  Value turns = constant(1);
  for (int64_t height = 2; height <= mostTurns; height *= 2) {
    Value fits = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sle, ofRow, constant(cached / height));
    turns = builder.createOrFold<arith::SelectOp>(loc, fits, constant(height), turns);
  }
  return make(arith::MinSIOp(), turns, rows);
}

/// Each cluster takes several rows, for which it reads once what all rows share. There are several waves of clusters:
/// the last one is a small part of all. One wave of resident clusters is slower (RESULTS.md): they load together and
/// store together.
Value PlanBuilder::clusters(Value rows, Value cluster, tile::KernelOp kernel) {
  constexpr int64_t leastWaves = 4;
  auto rowsOfEach = kernel->getAttrOfType<IntegerAttr>(tile::rowsOfCluster);
  auto make = [&]<class Op>(Op, Value a, Value b) { return builder.createOrFold<Op>(loc, a, b); };
  Value resident = builder.create<tile::ResidentClustersOp>(loc, kernel.getSymName(), cluster);
  Value ofWave = make(arith::MulIOp(), resident, constant(rowsOfEach.getInt()));
  Value waves = make(arith::MaxSIOp(), make(arith::CeilDivSIOp(), rows, ofWave), constant(leastWaves));
  return make(arith::MinSIOp(), rows, make(arith::MulIOp(), resident, waves));
}

Value PlanBuilder::staying(Value blocks, int64_t ctas) {
  Value places = builder.createOrFold<arith::MulIOp>(loc, builder.create<tile::MultiprocessorsOp>(loc), constant(ctas));
  return builder.createOrFold<arith::MinSIOp>(loc, blocks, places);
}

Value PlanBuilder::elementsOf(unsigned argument) {
  Value array = arguments()[argument], all = constant(1);
  for (int64_t dim = 0; dim < cast<tile::ArrayType>(array.getType()).getRank(); ++dim)
    all = builder.createOrFold<arith::MulIOp>(loc, all, builder.create<tile::DimOp>(loc, array, dim));
  return all;
}

void PlanBuilder::finish() { builder.create<tile::YieldOp>(loc); }

} // namespace tegula::split
