// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is before the part of a row that this thread group scans: its first warp asks the parts before (ir/LookBack.h),
// and tells the other warps by scratch.
#include "ir/LookBack.h"

#include "lower/Scanner.h"

using namespace mlir;

namespace tegula::lower {

/// Where this part stands, and where parts tell.
struct KernelLowering::Scanner::State {
  Value base;
  /// All parts of the launch.
  Value parts;
  /// Its number in the row, and the first one of the row at each level.
  Value part, row[lookback::levels];
  /// The words of each component of a tuple, and of all.
  SmallVector<int64_t> widths;
  int64_t words = 0;
};

/// The number of a thread group: its first thread counts, and tells the others by scratch.
LogicalResult KernelLowering::lowerTicket(tile::TicketOp op) {
  here = locationOf(op);
  ScalarBuilder b = scalars(op);
  Type i64Type = builder.getI64Type();
  groupBarrier();
  auto branch = builder.create<scf::IfOp>(here, b.compare(arith::CmpIPredicate::eq, threadInGroup(), i32(0)),
                                          /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    auto counted =
        effect("atom.relaxed.gpu.global.add.u64 $0, [$1], 1;", "=l,l", refs.find(op.getState())->second.base, i64Type);
    builder.create<LLVM::StoreOp>(here, counted.getResult(0), scratch(), 8U);
  }
  groupBarrier();
  values.map(op.getResult(), builder.create<LLVM::LoadOp>(here, i64Type, scratch(), 8U).getResult());
  return success();
}

/// Combines what the lanes of the first warp have, in the order of their numbers. All get it.
FailureOr<KernelLowering::Tuple> KernelLowering::Scanner::combineInOrder(Tuple tuple) {
  for (int64_t bit = 1; bit < lanesOfWarp; bit *= 2) {
    Tuple other;
    for (Value own : tuple)
      other.push_back(lowering.shuffled(own, NVVM::ShflKind::bfly, lowering.i32(bit)));
    Value isSecond = lowering.isUpper(bit);
    FailureOr<Tuple> both =
        op.isCustom() ? combine(select(isSecond, other, tuple), select(isSecond, tuple, other)) : combine(tuple, other);
    if (failed(both))
      return failure();
    tuple = *both;
  }
  return tuple;
}

/// The address of a word of what part `number` of a level has told.
static Value addressOf(ScalarBuilder &b, Value base, Value parts, Value number, int64_t plane) {
  Value word = b.create<arith::MulIOp>(parts, b.integer(parts.getType(), plane));
  word = b.create<arith::AddIOp>(word, number);
  word = b.create<arith::AddIOp>(word, b.integer(parts.getType(), lookback::header));
  Value bytes = b.create<arith::MulIOp>(word, b.integer(parts.getType(), 8));
  auto pointer = cast<LLVM::LLVMPointerType>(base.getType());
  return b.create<LLVM::GEPOp>(pointer, b.builder.getI8Type(), base, ArrayRef<LLVM::GEPArg>{bytes});
}

/// Waits until all lanes that want it have been told; the others get what changes nothing.
KernelLowering::Tuple KernelLowering::Scanner::waitFor(const State &state, int64_t level, Value number,
                                                       Value isWanted) {
  Type i64 = b.builder.getI64Type(), i32 = b.builder.getI32Type();
  Tuple none = identity(), result;
  Value own = b.create<arith::SelectOp>(isWanted, number, state.row[level]); // There, whoever reads it.
  int64_t plane = level * state.words;
  for (auto [component, width] : llvm::enumerate(state.widths)) {
    SmallVector<Value> halves;
    for (int64_t half = 0; half < width; ++half, ++plane) {
      Value address = addressOf(b, state.base, state.parts, own, plane);
      auto loop = b.builder.create<scf::WhileOp>(b.loc, TypeRange(i64), ValueRange());
      b.builder.createBlock(&loop.getBefore());
      Value word = lowering.effect("ld.relaxed.gpu.global.b64 $0, [$1];", "=l,l", address, i64).getResult(0);
      Value flag = b.create<arith::TruncIOp>(i32, b.create<arith::ShRUIOp>(word, lowering.i64(32)));
      Value isThere = b.compare(arith::CmpIPredicate::ne, flag, lowering.i32(0));
      Value isMissing =
          b.create<arith::AndIOp>(isWanted, b.create<arith::XOrIOp>(isThere, b.integer(isThere.getType(), 1)));
      Value missing = b.create<NVVM::VoteBallotOp>(i32, lowering.i32(-1), isMissing);
      b.builder.create<scf::ConditionOp>(b.loc, b.compare(arith::CmpIPredicate::ne, missing, lowering.i32(0)), word);
      b.builder.createBlock(&loop.getAfter(), {}, TypeRange(i64), b.loc);
      b.builder.create<scf::YieldOp>(b.loc);
      b.builder.setInsertionPointAfter(loop);
      halves.push_back(b.create<arith::TruncIOp>(i32, loop.getResult(0)));
    }
    Type type = none[component].getType();
    unsigned bits = type.getIntOrFloatBitWidth();
    Type integer = b.builder.getIntegerType(bits);
    Value value = halves.front();
    if (width == 2)
      value =
          b.create<arith::OrIOp>(b.create<arith::ExtUIOp>(i64, halves[0]),
                                 b.create<arith::ShLIOp>(b.create<arith::ExtUIOp>(i64, halves[1]), lowering.i64(32)));
    else if (bits < 32)
      value = b.create<arith::TruncIOp>(integer, value);
    if (type != integer)
      value = b.create<arith::BitcastOp>(type, value);
    result.push_back(value);
  }
  return select(isWanted, result, none);
}

/// Tells it by one lane, under a condition that may be null.
void KernelLowering::Scanner::tell(const State &state, int64_t level, Value number, const Tuple &tuple,
                                   Value condition) {
  Type i64 = b.builder.getI64Type(), i32 = b.builder.getI32Type();
  Value tells = b.compare(arith::CmpIPredicate::eq, lowering.threadInGroup(), lowering.i32(0));
  if (condition)
    tells = b.create<arith::AndIOp>(tells, condition);
  auto branch = b.builder.create<scf::IfOp>(b.loc, tells, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  int64_t plane = level * state.words;
  for (auto [value, width] : llvm::zip(tuple, state.widths)) {
    unsigned bits = value.getType().getIntOrFloatBitWidth();
    Type integer = b.builder.getIntegerType(bits);
    Value word = value.getType() == integer ? value : b.create<arith::BitcastOp>(integer, value);
    if (bits < 64)
      word = b.create<arith::ExtUIOp>(i64, word);
    for (int64_t half = 0; half < width; ++half, ++plane) {
      Value part = half ? b.create<arith::ShRUIOp>(word, lowering.i64(32)) : word;
      part = b.create<arith::ExtUIOp>(i64, b.create<arith::TruncIOp>(i32, part));
      part = b.create<arith::OrIOp>(part, lowering.i64(int64_t(1) << 32));
      lowering.effect("st.relaxed.gpu.global.b64 [$0], $1;", "l,l",
                      {addressOf(b, state.base, state.parts, number, plane), part});
    }
  }
}

/// What `count` parts of a level have told, from the `first` one on: up to 31.
FailureOr<KernelLowering::Tuple> KernelLowering::Scanner::combineTold(const State &state, int64_t level, Value first,
                                                                      Value count) {
  Value lane = b.create<arith::ExtUIOp>(b.builder.getI64Type(), lowering.threadInGroup());
  Value isWanted = b.compare(arith::CmpIPredicate::slt, lane, count);
  return combineInOrder(waitFor(state, level, b.create<arith::AddIOp>(first, lane), isWanted));
}

/// In the first warp.
FailureOr<KernelLowering::Tuple> KernelLowering::Scanner::before(const State &state, const Tuple &total) {
  constexpr int64_t together = lookback::together;
  auto divide = [&](Value number, int64_t by) { return b.create<arith::DivUIOp>(number, lowering.i64(by)); };
  auto rest = [&](Value number, int64_t by) { return b.create<arith::RemUIOp>(number, lowering.i64(by)); };
  auto in = [&](int64_t level, Value number) { return b.create<arith::AddIOp>(state.row[level], number); };
  auto isLast = [&](Value number, int64_t of) {
    return b.compare(arith::CmpIPredicate::eq, rest(number, of), lowering.i64(of - 1));
  };
  Value part = state.part, group = divide(part, together), line = divide(group, together);
  tell(state, 0, in(0, part), total, {});
  Value inGroup = rest(part, together), inLine = rest(group, together);
  FailureOr<Tuple> ofGroup = combineTold(state, 0, in(0, b.create<arith::SubIOp>(part, inGroup)), inGroup);
  FailureOr<Tuple> group1 = failed(ofGroup) ? ofGroup : combine(*ofGroup, total);
  if (failed(group1))
    return failure();
  tell(state, 1, in(1, group), *group1, isLast(part, together));
  FailureOr<Tuple> ofLine = combineTold(state, 1, in(1, b.create<arith::SubIOp>(group, inLine)), inLine);
  FailureOr<Tuple> line1 = failed(ofLine) ? ofLine : combine(*ofLine, *group1);
  if (failed(line1))
    return failure();
  Value hasLines = b.compare(arith::CmpIPredicate::ne, line, lowering.i64(0));
  Tuple ofRow = waitFor(state, 2, in(2, b.create<arith::SubIOp>(line, lowering.i64(1))), hasLines);
  FailureOr<Tuple> row = combine(ofRow, *line1);
  if (failed(row))
    return failure();
  tell(state, 2, in(2, line), *row, isLast(part, together * together));
  FailureOr<Tuple> lines = combine(ofRow, *ofLine);
  return failed(lines) ? lines : combine(*lines, *ofGroup);
}

FailureOr<KernelLowering::Tuple> KernelLowering::Scanner::lookBack(const Tuple &total) {
  ValueRange position = op.getPosition();
  if (position.size() != 3)
    return op.emitOpError("shares rows, and does not say which part of them this is");
  State state;
  state.base = lowering.refs.find(op.getState())->second.base;
  state.parts = lowering.values.lookup(position[2]);
  Value number = lowering.values.lookup(position[0]), ofRow = lowering.values.lookup(position[1]);
  Value row = b.create<arith::DivUIOp>(number, ofRow);
  state.part = b.create<arith::RemUIOp>(number, ofRow);
  for (Value &first : state.row) {
    first = b.create<arith::MulIOp>(row, ofRow);
    ofRow = b.create<arith::AddIOp>(ofRow, lowering.i64(lookback::together - 1));
    ofRow = b.create<arith::DivUIOp>(ofRow, lowering.i64(lookback::together));
  }
  for (Value value : total) {
    state.widths.push_back(lookback::wordsOf(value.getType().getIntOrFloatBitWidth()));
    state.words += state.widths.back();
  }
  lowering.groupBarrier(); // Others may still read what is in scratch.
  Value isFirst = b.compare(arith::CmpIPredicate::ult, lowering.threadInGroup(), lowering.i32(lanesOfWarp));
  auto branch = b.builder.create<scf::IfOp>(b.loc, isFirst, /*withElseRegion=*/false);
  auto forEachPlace = [&](auto use) {
    int64_t offset = 0;
    for (auto [i, value] : llvm::enumerate(total)) {
      Type type = value.getType(), memory = type.isInteger(1) ? Type(b.builder.getI8Type()) : type;
      use(i, memory, lowering.atByte(lowering.scratch(), offset));
      offset += 8;
    }
  };
  {
    OpBuilder::InsertionGuard guard(b.builder);
    b.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    FailureOr<Tuple> found = before(state, total);
    if (failed(found))
      return failure();
    forEachPlace([&](size_t i, Type memory, Value place) {
      Value value = (*found)[i];
      if (value.getType() != memory)
        value = b.create<arith::ExtUIOp>(memory, value);
      b.builder.create<LLVM::StoreOp>(b.loc, value, place, static_cast<unsigned>(tile::bytesOf(memory)));
    });
  }
  lowering.groupBarrier();
  Tuple result;
  forEachPlace([&](size_t, Type memory, Value place) {
    result.push_back(
        b.builder.create<LLVM::LoadOp>(b.loc, memory, place, static_cast<unsigned>(tile::bytesOf(memory))));
  });
  for (auto [value, like] : llvm::zip(result, total))
    if (value.getType() != like.getType())
      value = b.compare(arith::CmpIPredicate::ne, value, b.zero(value.getType()));
  return result;
}

} // namespace tegula::lower
