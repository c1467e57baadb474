// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of shared memory, and parts of tiles in registers.
#include "lower/KernelLowering.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula::lower {

/// Whether each run of `count` registers holds contiguous elements along a dimension.
static bool holdNeighbours(const layout::Placement &placement, int64_t count, unsigned dim) {
  if (placement.registersPerThread() % count != 0)
    return false;
  for (int64_t reg = 0; reg < placement.registersPerThread(); ++reg) {
    layout::Coordinate expected = placement.registerPart(reg - reg % count);
    expected[dim] += reg % count;
    if (placement.registerPart(reg) != expected)
      return false;
  }
  return true;
}

/// How many elements one access moves. Those of a single column are no neighbours.
int64_t accessWidth(const SharedRef &ref, const TileRegisters &registers) {
  if (ref.inner == tile::Arrangement::none)
    return 1;
  int64_t most = std::min(unitBytes, ref.innerAlignment) / ref.elementBytes, width = 1;
  while (2 * width <= most && holdNeighbours(registers.placement, 2 * width, ref.inner))
    width *= 2;
  return width;
}

SmallVector<layout::Coordinate> partsOf(const TileRegisters &registers, int64_t width) {
  SmallVector<layout::Coordinate> parts;
  for (int64_t reg = 0; reg < registers.placement.registersPerThread(); reg += width)
    parts.push_back(registers.placement.registerPart(reg));
  return parts;
}

static Type memoryType(OpBuilder &builder, const TileRegisters &registers, int64_t width) {
  Type element = registers.elementType().isInteger(1) ? builder.getI8Type() : registers.elementType();
  return width == 1 ? element : Type(VectorType::get(width, element));
}

LogicalResult KernelLowering::lowerSharedLoad(tile::LoadOp op) {
  const SharedRef &ref = shared.find(op.getRef())->second;
  const TileRegisters &registers = registersOf(op.getType());
  if (ref.isOfCluster())
    return loadFromCluster(op, ref, registers);
  if (loadMatrices(op, ref, registers) || loadNarrow(op, ref, registers))
    return success();
  if (isPacked(op.getType().getElementType()))
    return op.emitError("packed elements can be loaded from shared memory only as a left operand of wgmma");
  ScalarBuilder b = scalars(op);
  int64_t width = accessWidth(ref, registers);
  Type type = memoryType(builder, registers, width);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  SmallVector<Value> elements;
  for (Value address : chunkAddresses(ref, threadCoordinates(registers), partsOf(registers, width))) {
    Value place = builder.create<LLVM::IntToPtrOp>(here, pointer, address);
    Value chunk = builder.create<LLVM::LoadOp>(here, type, place, /*alignment=*/width * ref.elementBytes);
    if (registers.elementType().isInteger(1))
      chunk = b.create<arith::TruncIOp>(withElement(chunk.getType(), builder.getI1Type()), chunk);
    for (int64_t i = 0; i < width; ++i)
      elements.push_back(b.extract(chunk, i));
  }
  Registers result;
  for (int64_t i = 0; i < registers.count(); ++i)
    result.push_back(b.gather(ArrayRef(elements).slice(i * registers.lanes, registers.lanes)));
  tiles[op.getResult()] = std::move(result);
  return success();
}

void KernelLowering::storeToShared(tile::StoreOp op) {
  const SharedRef &ref = shared.find(op.getRef())->second;
  const TileRegisters &registers = registersOf(op.getValue().getType());
  if (ref.isOfCluster())
    return storeToCluster(op, ref, registers);
  if (storeMatrices(op, ref, registers))
    return;
  ScalarBuilder b = scalars(op);
  int64_t width = accessWidth(ref, registers);
  SmallVector<Value> elements;
  for (Value value : tiles.find(op.getValue())->second)
    for (int64_t lane = 0; lane < registers.lanes; ++lane)
      elements.push_back(b.extract(value, lane));
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  for (auto [i, address] :
       llvm::enumerate(chunkAddresses(ref, threadCoordinates(registers), partsOf(registers, width)))) {
    Value chunk = b.gather(ArrayRef(elements).slice(i * width, width));
    if (registers.elementType().isInteger(1))
      chunk = b.create<arith::ExtUIOp>(withElement(chunk.getType(), builder.getI8Type()), chunk);
    Value place = builder.create<LLVM::IntToPtrOp>(here, pointer, address);
    builder.create<LLVM::StoreOp>(here, chunk, place, /*alignment=*/width * ref.elementBytes);
  }
}

LogicalResult KernelLowering::lowerSharedStore(tile::StoreOp op) {
  storeToShared(op);
  return success();
}

/// Which registers the part is in: known, if it begins at a multiple of the layout's base tile.
LogicalResult KernelLowering::lowerSubtile(tile::SubtileOp op) {
  const TileRegisters &from = registersOf(op.getSource().getType()), &to = registersOf(op.getType());
  layout::Coordinate start;
  for (unsigned dim = 0; dim < op.getModes().size(); ++dim) {
    APInt offset(64, 0);
    if (op.getMode(dim) == tile::SliceMode::Element ||
        (op.getOffset(dim) && !matchPattern(op.getOffset(dim), m_ConstantInt(&offset))))
      return op.emitError("[...] of a tile must begin at compile-time constants and keep the dimensions: store the "
                          "tile to shared memory, and read a part of that");
    start.push_back(offset.getSExtValue());
  }
  // Threads that hold copies of a part would hold other elements of the whole.
  auto cutsUnits = [&] {
    std::string units;
    for (const auto &out : from.placement.base().outs())
      units += (units.empty() ? "" : " x ") + std::to_string(out.size());
    return op.emitError("[...] begins or ends within the units of ")
           << units << " elements of its source's layout: store the tile to shared memory, and read a part of that";
  };
  if (from.placement.copyMask() != to.placement.copyMask())
    return cutsUnits();
  ScalarBuilder b = scalars(op);
  const Registers source = tiles.find(op.getSource())->second;
  Registers result;
  for (int64_t i = 0; i < to.count(); ++i) {
    SmallVector<Value> lanes;
    for (int64_t lane = 0; lane < to.lanes; ++lane) {
      layout::Coordinate part = to.placement.registerPart(i * to.lanes + lane);
      for (auto [index, offset] : llvm::zip(part, start))
        index += offset;
      std::optional<int64_t> reg = from.placement.findRegister(part);
      if (!reg)
        return cutsUnits();
      lanes.push_back(b.extract(source[*reg / from.lanes], *reg % from.lanes));
    }
    result.push_back(b.gather(lanes));
  }
  tiles[op.getResult()] = std::move(result);
  return success();
}

} // namespace tegula::lower
