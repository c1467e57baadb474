// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products that threads compute by themselves (FMA): a team puts both factors into its scratch, and each thread
// reads the rows and columns of its part of the result.
#include "lower/KernelLowering.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::lower {

namespace {
/// How the factors of a product lie in scratch: a row of `a` after another, with a gap that spreads them over the
/// banks, then the rows of `b`. Both are of the type in which products are summed.
struct FactorsInScratch {
  explicit FactorsInScratch(tile::DotOp dot) {
    RankedTensorType type = dot.getType();
    bytes = sharedBytes(type.getElementType());
    rows = type.getDimSize(type.getRank() - 2);
    columns = type.getDimSize(type.getRank() - 1);
    depth = dot.getA().getType().getShape().back();
    // Vectors of 16 bytes stay aligned.
    pitchA = depth % (16 / bytes) == 0 ? depth + 16 / bytes : depth;
    pitchB = columns;
  }
  int64_t startOfB() const { return llvm::alignTo(rows * pitchA * bytes, 16); }
  int64_t total() const { return startOfB() + depth * pitchB * bytes; }

  int64_t bytes, rows, columns, depth, pitchA, pitchB;
};

/// The coordinates along one dimension of the registers of a product, each once.
struct Side {
  SmallVector<int64_t> parts;
  unsigned indexOf(int64_t part) {
    auto *found = llvm::find(parts, part);
    if (found == parts.end()) {
      parts.push_back(part);
      return parts.size() - 1;
    }
    return found - parts.begin();
  }
};
} // namespace

int64_t KernelLowering::scratchOfProduct(tile::DotOp dot) { return FactorsInScratch(dot).total(); }

LogicalResult KernelLowering::lowerDot(tile::DotOp op) {
  ScalarBuilder b = scalars(op);
  FactorsInScratch place(op);
  const TileRegisters &result = registersOf(op.getType());
  Type element = result.elementType(), sumType = op.getType().getElementType();
  unsigned rank = op.getType().getRank();
  if (llvm::any_of(op.getType().getShape().drop_back(2), [](int64_t size) { return size != 1; }))
    return op.emitOpError("has several matrices, a team takes one at a time");

  // Both factors go to shared memory, in the type of the sum.
  auto put = [&](Value tile, Value base, int64_t pitch) {
    auto type = cast<RankedTensorType>(tile.getType());
    const TileRegisters &registers = registersOf(type);
    SmallVector<int64_t> strides = rowMajor(type.getShape(), pitch);
    SmallVector<Value> wide = llvm::map_to_vector(
        tiles.find(tile)->second, [&](Value vector) { return b.cast(vector, type.getElementType(), sumType); });
    writeScratch(atByte(base, threadOffset(registers, strides, place.bytes)), wide, registers, strides);
  };
  teamBarrier(); // Others may still read what was there.
  put(op.getA(), scratch(), place.pitchA);
  put(op.getB(), atByte(scratch(), place.startOfB()), place.pitchB);
  teamBarrier();

  Side rows, columns;
  struct Target {
    unsigned row, column;
  };
  SmallVector<Target> targets;
  for (int64_t i = 0; i < result.count(); ++i) {
    layout::Coordinate part = result.placement.registerPart(i * result.lanes);
    targets.push_back({rows.indexOf(part[rank - 2]), columns.indexOf(part[rank - 1])});
  }
  ArrayRef<Value> thread = threadCoordinates(result);
  Value fromA = atByte(scratch(), b.create<arith::MulIOp>(thread[rank - 2], i32(place.pitchA * place.bytes)));
  Value fromB =
      atByte(atByte(scratch(), place.startOfB()), b.create<arith::MulIOp>(thread[rank - 1], i32(place.bytes)));
  // A thread reads its rows a vector at a time.
  int64_t step = place.pitchA == place.depth ? 1 : 16 / place.bytes;
  Type piece = step == 1 ? element : VectorType::get(step, element);
  Registers sums =
      op.getAcc() ? tiles.find(op.getAcc())->second : Registers(result.count(), b.zero(result.vectorType()));
  for (int64_t k = 0; k < place.depth; k += step) {
    SmallVector<Value> a;
    for (int64_t row : rows.parts)
      a.push_back(builder.create<LLVM::LoadOp>(here, piece, atByte(fromA, (row * place.pitchA + k) * place.bytes),
                                               static_cast<unsigned>(step * place.bytes)));
    for (int64_t inner = 0; inner < step; ++inner) {
      SmallVector<Value> right;
      for (int64_t column : columns.parts)
        right.push_back(builder.create<LLVM::LoadOp>(
            here, result.vectorType(), atByte(fromB, ((k + inner) * place.pitchB + column) * place.bytes),
            static_cast<unsigned>(std::min<int64_t>(16, result.lanes * place.bytes))));
      for (auto [sum, target] : llvm::zip(sums, targets)) {
        Value left = b.splat(b.extract(a[target.row], inner), result.lanes);
        sum = isa<FloatType>(element)
                  ? builder.create<LLVM::FMAOp>(here, left, right[target.column], sum).getResult()
                  : b.create<arith::AddIOp>(sum, b.create<arith::MulIOp>(left, right[target.column]));
      }
    }
  }
  tiles[op.getResult()] = std::move(sums);
  return success();
}

} // namespace tegula::lower
