// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/SlicedDepth.h"

#include "ir/ProductOptions.h"
#include "support/Registers.h"
#include "transforms/products/StageShape.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {

/// All sums of a sub-tile. They have the shape of the products.
static int64_t bytesOfSums(const Mainloop &mainloop) {
  RankedTensorType type = tile::DotOp(mainloop.products.front().dot).getType();
  int64_t sums = scf::ForOp(mainloop.loop).getNumResults();
  return sums * type.getNumElements() * tile::bytesOf(type.getElementType());
}

/// The registers of a thread that sums take, the left factors of a step, and what these are computed of, of which
/// narrow elements are spread.
static int64_t registersOf(const Mainloop &mainloop) {
  constexpr int64_t least = 2, bytesOfRegister = 4;
  int64_t bytes = bytesOfSums(mainloop);
  auto add = [&](int64_t elements, Type element) { bytes += elements * std::max(least, tile::bytesOf(element)); };
  for (const Product &product : mainloop.products) {
    RankedTensorType left = tile::DotOp(product.dot).getA().getType();
    add(left.getNumElements(), left.getElementType());
  }
  for (const Factor &factor : mainloop.factors)
    if (factor.isLeft)
      add(tile::LoadOp(factor.load).getType().getNumElements(), elementTypeOf(factor));
  return bytes / (lanesOfWarpgroup * bytesOfRegister);
}

int64_t mostSlices(tile::KernelOp kernel, const Mainloop &mainloop) {
  // Of those that setmaxnreg leaves a thread of four consumers, and of two, less what addresses and masks take.
  constexpr int64_t ofFour = 100, ofTwo = 200;
  bool isAlone = *kernel.getConsumers() == 1 && clusterSizeOf(kernel) == 1 && !kernel->hasAttr(consumersAreGiven);
  bool computesInRegisters =
      llvm::all_of(mainloop.products, [](const Product &product) { return product.isComputed(/*isLeft=*/true); });
  if (!isAlone || !computesInRegisters || !mainloop.staged.empty() || mainloop.isChain() || mainloop.combines)
    return 1;
  int64_t registers = registersOf(mainloop);
  return registers <= ofFour ? 4 : registers <= ofTwo ? 2 : 1;
}

int64_t bytesOfSlices(const Mainloop &mainloop, int64_t slices) { return (slices - 1) * bytesOfSums(mainloop); }

void SlicedDepth::allocate() {
  if (!isCut())
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(mainloop.work);
  for (Type each : scf::ForOp(mainloop.loop).getResultTypes()) {
    auto type = cast<RankedTensorType>(each);
    int64_t dims[] = {slices - 1, type.getDimSize(0), type.getDimSize(1)};
    partial.push_back(
        builder.create<tile::AllocOp>(loc, tile::RefType::inShared(type.getElementType(), dims), IntegerAttr(), false));
  }
  // The hardware's first barriers are the consumers' and the producer's own.
  barriers = builder.create<tile::AllocNamedBarriersOp>(loc, tile::BarriersType::get(builder.getContext(), 1), slices,
                                                        /*first=*/slices + 1);
}

void SlicedDepth::begin(Value warpgroup, const Ring &ring) {
  if (!isCut())
    return;
  Value stage = builder.create<tile::GetOp>(loc, ring.stage);
  Value behind = builder.create<arith::SubIOp>(loc, warpgroup, stage);
  turn = builder.create<arith::AndIOp>(loc, behind, constant(slices - 1));
}

Value SlicedDepth::initOf(Value init) {
  auto full = init.getDefiningOp<tile::FullOp>();
  if (!isCut() ||
      (full && (matchPattern(full.getValue(), m_Zero()) || matchPattern(full.getValue(), m_AnyZeroFloat()))))
    return init;
  auto type = cast<RankedTensorType>(init.getType());
  auto choice = builder.create<scf::IfOp>(
      loc, isFirst(), [&](OpBuilder &, Location) { builder.create<scf::YieldOp>(loc, init); },
      [&](OpBuilder &, Location) {
        Value zero =
            builder.create<arith::ConstantOp>(loc, tile::identityOf(tile::Reduction::Sum, type.getElementType()));
        builder.create<scf::YieldOp>(loc, builder.create<tile::FullOp>(loc, type, zero, ValueRange()).getResult());
      });
  return choice.getResult(0);
}

Value SlicedDepth::isFirst() { return builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, turn, constant(0)); }

Value SlicedDepth::placeOf(unsigned sum, Value slice) {
  auto mode = [](tile::SliceMode each) { return static_cast<int32_t>(each); };
  const int32_t modes[] = {mode(tile::SliceMode::Element), mode(tile::SliceMode::Whole), mode(tile::SliceMode::Whole)};
  auto type = cast<tile::RefType>(partial[sum].getType());
  auto place = tile::RefType::inShared(type.getElementType(), type.getDims().drop_front());
  return builder.create<tile::SliceOp>(loc, place, partial[sum], slice, ValueRange(), modes, /*spec=*/false);
}

void SlicedDepth::synchronize() { builder.create<tile::NamedBarrierOp>(loc, barriers, constant(0), /*wait=*/true); }

SmallVector<Value> SlicedDepth::addUp(ValueRange sums) {
  if (!isCut())
    return llvm::to_vector(sums);
  synchronize(); // What the sub-tile before has left here is read.
  Value adds = isFirst();
  auto others = builder.create<scf::IfOp>(loc, adds, /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(others.elseBlock());
    Value slice = builder.create<arith::SubIOp>(loc, turn, constant(1));
    for (auto [number, sum] : llvm::enumerate(sums))
      builder.create<tile::StoreOp>(loc, sum, placeOf(number, slice));
  }
  synchronize();
  auto rest = builder.create<scf::IfOp>(loc, adds, /*withElseRegion=*/false);
  Block *behind = scf::ForOp(mainloop.loop)->getBlock();
  rest.thenBlock()->getOperations().splice(rest.thenBlock()->begin(), behind->getOperations(),
                                           std::next(scf::ForOp(mainloop.loop)->getIterator()),
                                           behind->getTerminator()->getIterator());
  builder.setInsertionPointToStart(rest.thenBlock());
  SmallVector<Value> all(sums);
  for (auto [number, sum] : llvm::enumerate(all))
    for (int64_t slice = 0; slice + 1 < slices; ++slice) {
      Value place = placeOf(number, constant(slice));
      Value other = builder.create<tile::LoadOp>(loc, cast<RankedTensorType>(sum.getType()), place);
      sum = builder.create<tile::AddOp>(loc, sum, other);
    }
  return all;
}

} // namespace tegula
