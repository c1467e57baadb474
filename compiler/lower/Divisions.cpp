// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisions of f32: a thread's quotients are made together.
#include "ir/TileBounds.h"
#include "lower/KernelLowering.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/bit.h"

using namespace mlir;

namespace tegula::lower {

/// The elements of all vectors; one that stands in many of them once.
static SmallVector<Value> elementsOf(ScalarBuilder &b, ArrayRef<Value> vectors) {
  llvm::SmallSetVector<Value, 32> elements;
  for (Value vector : llvm::SmallSetVector<Value, 32>(vectors.begin(), vectors.end())) {
    auto type = dyn_cast<VectorType>(vector.getType());
    for (int64_t lane = 0; lane < (type ? type.getNumElements() : 1); ++lane)
      elements.insert(b.extract(vector, lane));
  }
  return elements.takeVector();
}

/// Whether all magnitudes are within [1 / limit, limit]. A NaN among others does not count: its quotient is one anyway.
static Value areWithin(ScalarBuilder &b, ArrayRef<Value> vectors, float limit) {
  Value least, greatest;
  for (Value element : elementsOf(b, vectors)) {
    Value magnitude = b.builder.create<LLVM::FAbsOp>(b.loc, element);
    least = least ? b.builder.create<LLVM::MinNumOp>(b.loc, least, magnitude) : magnitude;
    greatest = greatest ? b.builder.create<LLVM::MaxNumOp>(b.loc, greatest, magnitude) : magnitude;
  }
  Type f32 = b.builder.getF32Type();
  return b.create<arith::AndIOp>(b.compare(arith::CmpFPredicate::OGE, least, b.real(f32, 1 / limit)),
                                 b.compare(arith::CmpFPredicate::OLE, greatest, b.real(f32, limit)));
}

/// The same of elements without sign, whose bits are in order; a 0 is within, too. Where all are known to be at most 1,
/// the lower end is all there is to look at, which takes a single instruction since Hopper (VIADDMNMX).
static Value areWithinOrZero(ScalarBuilder &b, ArrayRef<Value> vectors, float limit, bool areAtMostOne) {
  Type i32 = b.builder.getI32Type();
  Value least, greatest, one = b.integer(i32, 1);
  for (Value element : elementsOf(b, vectors)) {
    Value bits = b.create<arith::BitcastOp>(i32, element);
    Value before = b.create<arith::SubIOp>(bits, one); // The greatest of all for 0.
    least = least ? b.create<arith::MinUIOp>(least, before) : before;
    if (!areAtMostOne)
      greatest = greatest ? b.create<arith::MaxUIOp>(greatest, bits) : bits;
  }
  auto bitsOf = [&](float value) { return b.integer(i32, llvm::bit_cast<int32_t>(value)); };
  Value areNotTiny = b.compare(arith::CmpIPredicate::uge, least, b.create<arith::SubIOp>(bitsOf(1 / limit), one));
  if (areAtMostOne)
    return areNotTiny;
  return b.create<arith::AndIOp>(areNotTiny, b.compare(arith::CmpIPredicate::ule, greatest, bitsOf(limit)));
}

/// From here on, a thread's divisions are done together.
static constexpr int64_t fewestDivisions = 4;

bool KernelLowering::dividesTogether(tile::DivOp op) {
  return op.getType().getElementType().isF32() &&
         registersOf(op.getType()).placement.registersPerThread() >= fewestDivisions;
}

Value KernelLowering::areNumeratorsSafe(tile::DivOp op) {
  ScalarBuilder b = scalars(op);
  const Registers &numerators = tiles.find(op.getLhs())->second;
  constexpr float limit = 0x1p100F;
  Operation *source = op.getLhs().getDefiningOp();
  if (tile::isNeverNegative(op.getLhs()))
    return areWithinOrZero(b, numerators, limit, source->hasAttr(tile::neverPositiveAttr));
  return areWithin(b, numerators, limit);
}

/// The quotients of a thread's elements, each rounded once, as division is. Where no intermediate result can leave the
/// normal range, a Newton step from an approximate reciprocal rounds it correctly, and one correction the quotient
/// (P. Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990; all reciprocals
/// and all 2^46 pairs of significands have been compared with a second correction), without the branch that every
/// single division has; and the reciprocal of what divides a row is computed once.
Registers KernelLowering::divideTogether(tile::DivOp op) {
  const Registers &numerators = tiles.find(op.getLhs())->second, &denominators = tiles.find(op.getRhs())->second;
  ScalarBuilder b = scalars(op);
  Type f32 = builder.getF32Type();
  Value areSafe = b.create<arith::AndIOp>(areNumeratorsSafe(op), areWithin(b, denominators, 0x1p26F));

  auto fma = [&](Value x, Value y, Value z) -> Value { return builder.create<LLVM::FMAOp>(here, x, y, z); };
  auto quotient = [&](ValueRange operands) -> Value {
    Value x = operands[0], y = operands[1], minusY = b.create<arith::NegFOp>(y);
    Value guess = b.intrinsic("llvm.nvvm.rcp.approx.ftz.f", f32, y);
    Value reciprocal = fma(guess, fma(minusY, guess, b.real(f32, 1)), guess);
    Value first = b.create<arith::MulFOp>(x, reciprocal);
    return fma(fma(minusY, first, x), reciprocal, first);
  };
  SmallVector<Type> types(numerators.size(), numerators.front().getType());
  auto branch = builder.create<scf::IfOp>(here, types, areSafe, /*withElseRegion=*/true);
  for (Block *block : {branch.thenBlock(), branch.elseBlock()}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    Registers quotients;
    if (block == branch.elseBlock())
      quotients = divideInLoop(numerators, denominators);
    else
      for (auto [x, y] : llvm::zip(numerators, denominators))
        quotients.push_back(b.forEachLane({x, y}, quotient));
    builder.create<scf::YieldOp>(here, quotients);
  }
  return Registers(branch.getResults());
}

/// What seldom runs is short and takes no registers from the rest: one division, in a loop over local memory.
Registers KernelLowering::divideInLoop(const Registers &numerators, const Registers &denominators) {
  ScalarBuilder b = scalars();
  Type vectorType = numerators.front().getType(), f32 = builder.getF32Type();
  auto lanesType = dyn_cast<VectorType>(vectorType);
  int64_t lanes = lanesType ? lanesType.getNumElements() : 1, count = static_cast<int64_t>(numerators.size()) * lanes;
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value xs, ys;
  computeOnce([&] {
    for (Value *place : {&xs, &ys})
      *place = builder.create<LLVM::AllocaOp>(here, pointer, f32, i32(count), static_cast<unsigned>(4 * lanes));
  });
  auto at = [&](Value array, int64_t i) { return atByte(array, i * lanes * 4); };
  for (auto [i, x, y] : llvm::enumerate(numerators, denominators)) {
    builder.create<LLVM::StoreOp>(here, x, at(xs, i));
    builder.create<LLVM::StoreOp>(here, y, at(ys, i));
  }
  auto loop = builder.create<scf::ForOp>(here, i32(0), i32(count), i32(1));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    auto element = [&](Value array) {
      return builder.create<LLVM::GEPOp>(here, pointer, f32, array, loop.getInductionVar());
    };
    Value x = builder.create<LLVM::LoadOp>(here, f32, element(xs)),
          y = builder.create<LLVM::LoadOp>(here, f32, element(ys));
    builder.create<LLVM::StoreOp>(here, b.create<arith::DivFOp>(x, y), element(xs));
  }
  Registers quotients;
  for (size_t i = 0; i < numerators.size(); ++i)
    quotients.push_back(builder.create<LLVM::LoadOp>(here, vectorType, at(xs, i)));
  return quotients;
}

} // namespace tegula::lower
