// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products that threads compute by themselves (FMA): a thread group puts both factors into its scratch, and each
// thread reads the rows and columns of its part of the result. Matrices go one after another, and in chunks where
// scratch is short: first of what is summed over, then of rows and columns.
#include "lower/KernelLowering.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::lower {

/// How the factors of a box of a product lie in scratch: a row of `a` after another, with a gap that spreads them over
/// the banks, then the rows of `b`. Both are of the type in which products are summed.
struct FactorsInScratch {
  FactorsInScratch(tile::DotOp dot, int64_t most) : sums(dot.getType().getShape().vec()) {
    RankedTensorType type = dot.getType();
    unsigned row = type.getRank() - 2, column = row + 1;
    bytes = tile::bytesOf(type.getElementType());
    depth = dot.getA().getType().getShape().back();
    for (unsigned batch = 0; batch < row; ++batch)
      while (sums.shape()[batch] > 1)
        sums.halve(batch);
    while (total() > most && depth > 1)
      depth = llvm::bit_ceil(static_cast<uint64_t>(depth)) / 2;
    while (total() > most && rows() > 1)
      sums.halve(row);
    while (total() > most && columns() > 1)
      sums.halve(column);
  }
  int64_t rows() const { return sums.shape()[sums.shape().size() - 2]; }
  int64_t columns() const { return sums.shape().back(); }
  // Vectors of 16 bytes stay aligned.
  int64_t pitchA() const { return depth % (16 / bytes) == 0 ? depth + 16 / bytes : depth; }
  int64_t pitchB() const { return columns(); }
  int64_t startOfB() const { return llvm::alignTo(rows() * pitchA() * bytes, 16); }
  int64_t total() const { return startOfB() + depth * pitchB() * bytes; }

  layout::Boxes sums;
  int64_t bytes, depth;
};

/// Each box of a product has code of its own: thousands take minutes to compile, and are no program that anybody wants.
static constexpr int64_t mostBoxes = 512;

/// So many products of a thread go without a loop: more are as fast, and take long to compile. Products of types that
/// tensor cores take come here for arrays that these cannot take, and an eighth is enough.
static int64_t productsTogether(tile::DotOp dot) {
  auto isNarrow = [](Value factor) {
    return tile::bytesOf(cast<RankedTensorType>(factor.getType()).getElementType()) < 4;
  };
  bool isForTensorCores = dot.getPrecision() == tile::Precision::Tf32 || isNarrow(dot.getA()) || isNarrow(dot.getB());
  return isForTensorCores ? 256 : 2048;
}

namespace {
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

int64_t KernelLowering::scratchOfProduct(tile::DotOp dot) { return FactorsInScratch(dot, mostOfGroup()).total(); }

/// A box of a factor goes to shared memory, in the type of the sum.
void KernelLowering::putFactor(tile::DotOp product, Value tile, Value start, int64_t pitch, const layout::Boxes &boxes,
                               const layout::Coordinate &box) {
  ScalarBuilder b = scalars();
  auto type = cast<RankedTensorType>(tile.getType());
  SmallVector<Value> wide = llvm::map_to_vector(tiles.find(tile)->second, [&](Value vector) {
    Value element = b.cast(vector, type.getElementType(), product.getType().getElementType());
    return product.getPrecision() == tile::Precision::Tf32 ? b.asTf32(element) : element;
  });
  writeScratch(start, wide, registersOf(type), rowMajor(boxes.shape(), pitch), boxes, box);
}

/// Adds to a box of the sums what `depth` columns and rows of the factors in scratch make.
void KernelLowering::multiply(tile::DotOp op, const FactorsInScratch &place, const layout::Coordinate &box,
                              int64_t depth, Registers &sums) {
  ScalarBuilder b = scalars(op);
  const TileRegisters &result = registersOf(op.getType());
  Type element = result.elementType();
  unsigned rank = op.getType().getRank();
  layout::BoxShare share = place.sums.share(result.placement, box);
  Side rows, columns;
  struct Target {
    unsigned row, column;
    int64_t sum;
  };
  SmallVector<Target> targets;
  for (int64_t i = 0; i < result.count(); ++i) {
    if (!share.registers[i * result.lanes])
      continue;
    layout::Coordinate part = place.sums.within(result.placement.registerPart(i * result.lanes));
    targets.push_back({rows.indexOf(part[rank - 2]), columns.indexOf(part[rank - 1]), i});
  }
  Registers before = sums;
  SmallVector<int64_t> ofRows(rank, 0), ofColumns(rank, 0);
  ofRows[rank - 2] = place.pitchA();
  ofColumns[rank - 1] = 1;
  Value fromA = atByte(scratch(), threadOffset(result, ofRows, place.bytes, place.sums));
  Value fromB = atByte(atByte(scratch(), place.startOfB()), threadOffset(result, ofColumns, place.bytes, place.sums));
  // A thread reads its rows a vector at a time.
  int64_t step = place.pitchA() == place.depth ? 1 : 16 / place.bytes;
  Type chunk = step == 1 ? element : VectorType::get(step, element);
  /// Goes on from a row and a column for some steps.
  auto goOn = [&](Value fromA, Value fromB, int64_t steps, MutableArrayRef<Value> sums) {
    for (int64_t k = 0; k < steps; k += step) {
      SmallVector<Value> a;
      for (int64_t row : rows.parts)
        a.push_back(builder.create<LLVM::LoadOp>(here, chunk, atByte(fromA, (row * place.pitchA() + k) * place.bytes),
                                                 static_cast<unsigned>(step * place.bytes)));
      for (int64_t inner = 0; inner < std::min(step, steps - k); ++inner) {
        SmallVector<Value> right;
        for (int64_t column : columns.parts)
          right.push_back(builder.create<LLVM::LoadOp>(
              here, result.vectorType(), atByte(fromB, ((k + inner) * place.pitchB() + column) * place.bytes),
              static_cast<unsigned>(std::min<int64_t>(16, result.lanes * place.bytes))));
        for (const Target &target : targets) {
          Value left = b.splat(b.extract(a[target.row], inner), result.lanes);
          Value &sum = sums[target.sum];
          sum = isa<FloatType>(element)
                    ? builder.create<LLVM::FMAOp>(here, left, right[target.column], sum).getResult()
                    : b.create<arith::AddIOp>(sum, b.create<arith::MulIOp>(left, right[target.column]));
        }
      }
    }
  };
  int64_t each = static_cast<int64_t>(targets.size()) * result.lanes;
  int64_t together =
      std::max(step, static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(productsTogether(op) / each))));
  int64_t looped = depth > together ? depth / together * together : 0;
  if (looped) {
    auto loop = builder.create<scf::ForOp>(here, i32(0), i32(looped), i32(together), sums);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Registers inside(loop.getRegionIterArgs());
    Value k = loop.getInductionVar();
    goOn(atByte(fromA, b.create<arith::MulIOp>(k, i32(place.bytes))),
         atByte(fromB, b.create<arith::MulIOp>(k, i32(place.pitchB() * place.bytes))), together, inside);
    builder.create<scf::YieldOp>(here, inside);
    sums = Registers(loop.getResults());
  }
  goOn(atByte(fromA, looped * place.bytes), atByte(fromB, looped * place.pitchB() * place.bytes), depth - looped, sums);
  if (Value isIn = isInBox(result, share))
    for (auto [sum, old] : llvm::zip(sums, before))
      sum = sum == old ? sum : b.select(isIn, sum, old);
}

LogicalResult KernelLowering::lowerDot(tile::DotOp op) {
  if (op.getExtent())
    return op.emitOpError("still has an extent: tile-mask-extents comes before layouts");
  ScalarBuilder b = scalars(op);
  FactorsInScratch place(op, mostOfGroup());
  if (place.sums.count() > mostBoxes)
    return op.emitError() << "a thread group would compute this product in " << place.sums.count()
                          << " parts, one after another: give each program fewer matrices, by a grid axis, tg::vmap or "
                             "a loop over them";
  const TileRegisters &result = registersOf(op.getType());
  RankedTensorType typeA = op.getA().getType(), typeB = op.getB().getType();
  unsigned row = op.getType().getRank() - 2, column = row + 1;
  layout::Coordinate boxOfA = place.sums.shape(), boxOfB = boxOfA;
  boxOfA[column] = boxOfB[row] = place.depth;
  layout::Boxes boxesOfA(typeA.getShape().vec(), boxOfA), boxesOfB(typeB.getShape().vec(), boxOfB);

  Registers sums =
      op.getAcc() ? tiles.find(op.getAcc())->second : Registers(result.count(), b.zero(result.vectorType()));
  for (int64_t number = 0; number < place.sums.count(); ++number) {
    layout::Coordinate box = place.sums.start(number), inA = box, inB = box;
    int64_t depth = typeA.getShape().back();
    for (int64_t k = 0; k < depth; k += place.depth) {
      inA[column] = inB[row] = k;
      groupBarrier(); // Others may still read what was there.
      putFactor(op, op.getA(), scratch(), place.pitchA(), boxesOfA, inA);
      putFactor(op, op.getB(), atByte(scratch(), place.startOfB()), place.pitchB(), boxesOfB, inB);
      groupBarrier();
      multiply(op, place, box, std::min(place.depth, depth - k), sums);
    }
  }
  tiles[op.getResult()] = std::move(sums);
  return success();
}

} // namespace tegula::lower
