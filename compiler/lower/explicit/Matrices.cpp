// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles between registers and shared memory in 8 x 8 matrices, by a warp together (PTX ISA, "Warp-level matrix load
// instruction: ldmatrix", "Warp-level matrix store instruction: stmatrix").
#include "layout/MmaLayouts.h"
#include "lower/KernelLowering.h"

using namespace mlir;

namespace tegula::lower {

/// Loads 8 x 8 matrices of 16 bits, four at a time (PTX ISA, ldmatrix): a row of 16 bytes for each lane's address.
/// False if the tile does not consist of such. Where the rows in memory run across those of the tile, matrices are
/// transposed on their way.
bool KernelLowering::loadMatrices(tile::LoadOp op, const SharedRef &ref, const TileRegisters &registers) {
  const layout::LinearMap &map = registers.placement.base();
  bool isTransposed = ref.inner == 0;
  if (!layout::isOfMatrices(map, ref.elementBytes) || ref.inner > 1 || ref.innerAlignment < unitBytes ||
      (isTransposed && ref.elementBytes != 2))
    return false;
  ScalarBuilder b = scalars(op);
  Value thread = threadInGroup();
  SmallVector<Value> start(2, i32(0));
  auto add = [&](unsigned bit, ArrayRef<uint64_t> basis) {
    for (auto [dim, step] : llvm::enumerate(basis)) {
      if (step == 0)
        continue;
      Value mine = b.create<arith::AndIOp>(b.create<arith::ShRUIOp>(thread, i32(bit)), i32(1));
      start[dim] = b.create<arith::OrIOp>(start[dim], b.create<arith::MulIOp>(mine, i32(static_cast<int64_t>(step))));
    }
  };
  // Eight lanes have the addresses of a matrix's rows, the next eight those of the next matrix.
  for (unsigned bit = 0; bit < 3; ++bit) {
    std::vector<uint64_t> row(2, 0);
    row[isTransposed ? 1 : 0] = uint64_t(1) << bit;
    add(bit, row);
  }
  int64_t perRegister = 4 / ref.elementBytes;
  unsigned firstMatrix = llvm::Log2_64(perRegister);
  for (unsigned bit = 0; bit < 2; ++bit)
    add(3 + bit, map.basis(0, firstMatrix + bit));
  for (unsigned bit = 0; bit < map.ins()[2].bits; ++bit)
    add(5 + bit, map.basis(2, bit));
  SmallVector<layout::Coordinate> parts;
  for (int64_t reg = 0; reg < registers.placement.registersPerThread(); reg += 4 * perRegister)
    parts.push_back(registers.placement.registerPart(reg));
  Type word = builder.getI32Type();
  auto words = LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(4, word));
  // A bool is a byte in memory, and a bit in registers.
  bool isBool = registers.elementType().isInteger(1);
  Type inMemory = isBool ? withElement(registers.vectorType(), builder.getI8Type()) : registers.vectorType();
  Registers result;
  for (Value address : chunkAddresses(ref, start, parts)) {
    std::string text = "ldmatrix.sync.aligned.m8n8.x4" + std::string(isTransposed ? ".trans" : "") +
                       ".shared.b16 {$0, $1, $2, $3}, [$4];";
    Value loaded = effect(text, "=r,=r,=r,=r,r", address, words).getRes();
    for (int64_t i = 0; i < 4; ++i) {
      Value bits = builder.create<LLVM::ExtractValueOp>(here, loaded, i);
      Value vector = builder.create<LLVM::BitcastOp>(here, inMemory, bits);
      result.push_back(isBool ? b.create<arith::TruncIOp>(registers.vectorType(), vector) : vector);
    }
  }
  tiles[op.getResult()] = std::move(result);
  return true;
}

/// Stores 8 x 8 matrices of 16 bits, four at a time (PTX ISA, stmatrix): a row of 16 bytes for each lane's address.
/// Where the rows in memory run across those of the tile, matrices are transposed on their way. False if the tile does
/// not lie in registers as the accumulator of wgmma does.
bool KernelLowering::storeMatrices(tile::StoreOp op, const SharedRef &ref, const TileRegisters &registers) {
  auto encoding = cast<tile::LayoutAttr>(registers.type.getEncoding());
  bool isTransposed = ref.inner == 0;
  if (!layout::isStoredByMatrices(encoding.getLayout(), ref.elementBytes) || ref.innerAlignment < unitBytes ||
      (!isTransposed && accessWidth(ref, registers) != 2) || registers.type.getDimSize(1) % 16 != 0)
    return false;
  ScalarBuilder b = scalars(op);
  Value lane = threadInGroup();
  auto bits = [&](int64_t shift, int64_t mask) {
    return b.create<arith::AndIOp>(b.create<arith::ShRUIOp>(lane, i32(shift)), i32(mask));
  };
  // Rows: 16 a warp, those of the lower 8 lanes of each 16 first. Columns: 8 more from lane 16 on. Lanes have the
  // addresses of rows, or of columns.
  Value within = isTransposed ? b.create<arith::AndIOp>(lane, i32(8)) : b.create<arith::AndIOp>(lane, i32(15));
  Value row = b.create<arith::OrIOp>(within, b.create<arith::ShLIOp>(bits(5, 3), i32(4)));
  Value column = b.create<arith::ShLIOp>(bits(4, 1), i32(3));
  if (isTransposed)
    column = b.create<arith::OrIOp>(column, bits(0, 7));
  const Registers &values = tiles.find(op.getValue())->second;
  SmallVector<layout::Coordinate> parts;
  for (size_t first = 0; first < values.size(); first += 4)
    parts.push_back(registers.placement.registerPart(first * registers.lanes));
  for (auto [i, address] : llvm::enumerate(chunkAddresses(ref, {row, column}, parts))) {
    SmallVector<Value> operands = {address};
    for (size_t part = 0; part < 4; ++part)
      operands.push_back(builder.create<LLVM::BitcastOp>(here, builder.getI32Type(), values[4 * i + part]));
    effect("stmatrix.sync.aligned.m8n8.x4" + Twine(isTransposed ? ".trans" : "") +
               ".shared.b16 [$0], {$1, $2, $3, $4};",
           "r,r,r,r,r", operands);
  }
  return true;
}

} // namespace tegula::lower
