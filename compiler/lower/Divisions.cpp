// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisions of f32: a thread's quotients are made together, unless there are so many that each is a call.
#include "ir/TileBounds.h"
#include "lower/KernelLowering.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

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
/// From here on, the quotients and square roots that the code of a kernel computes for a thread are calls of one
/// function: the time of ptxas grows with the square of what it has in a row, and would be seconds. One of f64 is as
/// long as four of f32.
static constexpr int64_t mostDivisions = 384;

bool KernelLowering::hasManyDivisions() {
  int64_t count = 0;
  kernel.walk([&](Operation *op) {
    if (!isa<tile::DivOp, tile::SqrtOp, tile::RsqrtOp>(op))
      return;
    auto tile = cast<RankedTensorType>(op->getResult(0).getType());
    auto type = dyn_cast<FloatType>(tile.getElementType());
    auto division = dyn_cast<tile::DivOp>(op);
    auto divisor = division ? division.getRhs().getDefiningOp<tile::FullOp>() : tile::FullOp();
    bool isShort = (isa<tile::RsqrtOp>(op) && type && type.isF32()) || // One instruction.
                   (divisor && matchPattern(divisor.getValue(), m_Constant()));
    if (type && !isShort)
      count += (type.isF64() ? 4 : 1) * registersOf(tile).placement.registersPerThread();
  });
  return count > mostDivisions && !hasApproxMath(kernel);
}

bool KernelLowering::dividesTogether(tile::DivOp op) {
  return !callsDivisions && !hasApproxMath(kernel) && op.getType().getElementType().isF32() &&
         registersOf(op.getType()).placement.registersPerThread() >= fewestDivisions;
}

Value KernelLowering::areNumeratorsSafe(tile::DivOp op, ArrayRef<Value> numerators) {
  ScalarBuilder b = scalars(op);
  constexpr float limit = 0x1p100F;
  Operation *source = op.getLhs().getDefiningOp();
  if (tile::isNeverNegative(op.getLhs()))
    return areWithinOrZero(b, numerators, limit, source->hasAttr(tile::neverPositiveAttr));
  return areWithin(b, numerators, limit);
}

/// A quotient, rounded once, as division is, where no intermediate result can leave the normal range: a Newton step
/// from an approximate reciprocal rounds it correctly, and one correction the quotient (P. Markstein, "Computation of
/// elementary functions on the IBM RISC System/6000 processor", 1990; all reciprocals and all 2^46 pairs of
/// significands have been compared with a second correction).
static Value quotientInRange(ScalarBuilder &b, Value x, Value y) {
  auto fma = [&](Value u, Value v, Value w) -> Value { return b.builder.create<LLVM::FMAOp>(b.loc, u, v, w); };
  Type f32 = b.builder.getF32Type();
  Value minusY = b.create<arith::NegFOp>(y);
  Value guess = b.intrinsic("llvm.nvvm.rcp.approx.ftz.f", f32, y);
  Value reciprocal = fma(guess, fma(minusY, guess, b.real(f32, 1)), guess);
  Value first = b.create<arith::MulFOp>(x, reciprocal);
  return fma(fma(minusY, first, x), reciprocal, first);
}

/// Any quotient, in f64, where neither underflows nor overflows what is made of numbers of f32. The approximate
/// reciprocal has 19 bits (PTX ISA, rcp.approx.ftz.f64), two terms of its error's series give it all 53, and a
/// correction rounds the quotient. It is rounded again to f32, at 24 bits or fewer: that is as if it had been rounded
/// once, since no quotient of two numbers of 24 bits is nearer than 2^-49 of itself to the middle between two others,
/// unless it is there, and then f64 has it exactly. Where there is no correction, of 0, infinity and NaN, the product
/// with the approximate reciprocal is right.
static Value quotientOfAny(ScalarBuilder &b, Value x, Value y) {
  auto fma = [&](Value u, Value v, Value w) -> Value { return b.builder.create<LLVM::FMAOp>(b.loc, u, v, w); };
  Type f32 = b.builder.getF32Type(), f64 = b.builder.getF64Type();
  Value wideX = b.create<arith::ExtFOp>(f64, x), wideY = b.create<arith::ExtFOp>(f64, y);
  Value minusY = b.create<arith::NegFOp>(wideY);
  Value guess = b.intrinsic("llvm.nvvm.rcp.approx.ftz.d", f64, wideY);
  Value error = fma(minusY, guess, b.real(f64, 1));
  Value reciprocal = fma(guess, fma(error, error, error), guess);
  Value first = b.create<arith::MulFOp>(wideX, reciprocal);
  Value corrected = fma(fma(minusY, first, wideX), reciprocal, first);
  Value isOrdinary = b.compare(arith::CmpFPredicate::ONE, corrected, b.real(f64, 0));
  Value special = b.create<arith::MulFOp>(wideX, guess);
  return b.create<arith::TruncFOp>(f32, b.create<arith::SelectOp>(isOrdinary, corrected, special));
}

/// So many quotients of any kind stand in a row; more are made in a loop.
static constexpr int64_t mostInARow = 8, inALoop = 4;

/// Elements that share a branch: it keeps operands and quotients of all of them in registers.
static constexpr int64_t mostTogether = 32;

Registers KernelLowering::divideTogether(tile::DivOp op) {
  const Registers numerators = tiles.find(op.getLhs())->second, denominators = tiles.find(op.getRhs())->second;
  auto lanesType = dyn_cast<VectorType>(numerators.front().getType());
  size_t each = std::max<int64_t>(1, mostTogether / (lanesType ? lanesType.getNumElements() : 1));
  Registers quotients;
  for (size_t first = 0; first < numerators.size(); first += each) {
    size_t count = std::min(each, numerators.size() - first);
    llvm::append_range(quotients, divideTogether(op, ArrayRef<Value>(numerators).slice(first, count),
                                                 ArrayRef<Value>(denominators).slice(first, count)));
  }
  return quotients;
}

/// The quotients of some of a thread's elements, without the branch that every single division has; the reciprocal of
/// what divides a row is computed once. Neither way calls a function, whose registers the rest could not have.
Registers KernelLowering::divideTogether(tile::DivOp op, ArrayRef<Value> numerators, ArrayRef<Value> denominators) {
  ScalarBuilder b = scalars(op);
  Value areSafe = b.create<arith::AndIOp>(areNumeratorsSafe(op, numerators), areWithin(b, denominators, 0x1p26F));
  SmallVector<Type> types(numerators.size(), numerators.front().getType());
  auto branch = builder.create<scf::IfOp>(here, types, areSafe, /*withElseRegion=*/true);
  auto lanesType = dyn_cast<VectorType>(types.front());
  int64_t count = static_cast<int64_t>(types.size()) * (lanesType ? lanesType.getNumElements() : 1);
  for (Block *block : {branch.thenBlock(), branch.elseBlock()}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    bool isInRange = block == branch.thenBlock();
    Registers quotients;
    if (!isInRange && count > mostInARow)
      quotients = divideInLoop(numerators, denominators);
    else
      for (auto [x, y] : llvm::zip(numerators, denominators))
        quotients.push_back(b.forEachLane({x, y}, [&](ValueRange lane) {
          return isInRange ? quotientInRange(b, lane[0], lane[1]) : quotientOfAny(b, lane[0], lane[1]);
        }));
    builder.create<scf::YieldOp>(here, quotients);
  }
  return Registers(branch.getResults());
}

/// What seldom runs is short and takes no registers from the rest: some divisions, in a loop over local memory.
Registers KernelLowering::divideInLoop(ArrayRef<Value> numerators, ArrayRef<Value> denominators) {
  ScalarBuilder b = scalars();
  Type vectorType = numerators.front().getType(), f32 = builder.getF32Type();
  auto lanesType = dyn_cast<VectorType>(vectorType);
  int64_t lanes = lanesType ? lanesType.getNumElements() : 1, count = static_cast<int64_t>(numerators.size()) * lanes;
  int64_t room = llvm::alignTo(count, inALoop);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value xs, ys;
  computeOnce([&] {
    for (Value *place : {&xs, &ys})
      *place = builder.create<LLVM::AllocaOp>(here, pointer, f32, i32(room), static_cast<unsigned>(4 * lanes));
  });
  auto at = [&](Value array, int64_t i) { return atByte(array, i * lanes * 4); };
  for (auto [i, x, y] : llvm::enumerate(numerators, denominators)) {
    builder.create<LLVM::StoreOp>(here, x, at(xs, i));
    builder.create<LLVM::StoreOp>(here, y, at(ys, i));
  }
  auto loop = builder.create<scf::ForOp>(here, i32(0), i32(count), i32(inALoop));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    auto element = [&](Value array, int64_t i) {
      Value index = b.create<arith::AddIOp>(loop.getInductionVar(), i32(i));
      return builder.create<LLVM::GEPOp>(here, pointer, f32, array, index);
    };
    SmallVector<Value> quotients;
    for (int64_t i = 0; i < inALoop; ++i)
      quotients.push_back(quotientOfAny(b, builder.create<LLVM::LoadOp>(here, f32, element(xs, i)),
                                        builder.create<LLVM::LoadOp>(here, f32, element(ys, i))));
    for (auto [i, quotient] : llvm::enumerate(quotients))
      builder.create<LLVM::StoreOp>(here, quotient, element(xs, i));
  }
  Registers quotients;
  for (size_t i = 0; i < numerators.size(); ++i)
    quotients.push_back(builder.create<LLVM::LoadOp>(here, vectorType, at(xs, i)));
  return quotients;
}

} // namespace tegula::lower
