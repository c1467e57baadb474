// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is before the part of a row that this thread group scans: its first warp asks the parts before (ir/LookBack.h),
// and tells the other warps by scratch.
#include "ir/LookBack.h"

#include "lower/Packed.h"
#include "lower/Scanner.h"

using namespace mlir;

namespace tegula::lower {

/// Parts tell words: who reads one atomically needs no fence (PTX ISA, "Memory Consistency Model").
static constexpr char readWord[] = "ld.relaxed.gpu.global.b64 $0, [$1];";

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
  Type word = parts.getType();
  Value place = b.create<arith::MulIOp>(parts, b.integer(word, plane));
  place = b.create<arith::AddIOp>(place, number);
  place = b.create<arith::ExtUIOp>(b.builder.getI64Type(), place);
  return b.create<LLVM::GEPOp>(base.getType(), b.builder.getI64Type(), base, ArrayRef<LLVM::GEPArg>{place});
}

/// Reads what a part of a level may have told, for lanes that want it. Who waits asks all levels first.
KernelLowering::Scanner::Asked KernelLowering::Scanner::ask(const State &state, int64_t level, Value number,
                                                            Value isWanted) {
  Type i64 = b.builder.getI64Type();
  Asked asked{isWanted, {}, {}};
  Value own = b.create<arith::SelectOp>(isWanted, number, state.row[level]); // There, whoever reads it.
  for (int64_t plane = level * state.words; plane < (level + 1) * state.words; ++plane) {
    asked.addresses.push_back(addressOf(b, state.base, state.parts, own, plane));
    asked.words.push_back(lowering.effect(readWord, "=l,l", asked.addresses.back(), i64).getResult(0));
  }
  return asked;
}

/// A word, as soon as all lanes that want it have been told.
Value KernelLowering::Scanner::waitForWord(Value word, Value address, Value isWanted) {
  Type i64 = b.builder.getI64Type(), i32 = b.builder.getI32Type();
  auto loop = b.builder.create<scf::WhileOp>(b.loc, TypeRange(i64), word);
  OpBuilder::InsertionGuard guard(b.builder);
  mlir::Block *before = b.builder.createBlock(&loop.getBefore(), {}, TypeRange(i64), b.loc);
  Value flag = b.create<arith::TruncIOp>(i32, b.create<arith::ShRUIOp>(before->getArgument(0), lowering.i64(32)));
  Value isMissing = b.compare(arith::CmpIPredicate::eq, flag, lowering.i32(0));
  Value missing = b.create<NVVM::VoteBallotOp>(i32, lowering.i32(-1), b.create<arith::AndIOp>(isWanted, isMissing));
  b.builder.create<scf::ConditionOp>(b.loc, b.compare(arith::CmpIPredicate::ne, missing, lowering.i32(0)),
                                     before->getArgument(0));
  b.builder.createBlock(&loop.getAfter(), {}, TypeRange(i64), b.loc);
  b.builder.create<scf::YieldOp>(b.loc, lowering.effect(readWord, "=l,l", address, i64).getResults());
  return loop.getResult(0);
}

/// What was asked for; lanes that did not want it get what changes nothing.
KernelLowering::Tuple KernelLowering::Scanner::receive(const State &state, const Asked &asked) {
  Type i64 = b.builder.getI64Type(), i32 = b.builder.getI32Type();
  Tuple none = identity(), result;
  size_t next = 0;
  for (auto [component, width] : llvm::enumerate(state.widths)) {
    SmallVector<Value> halves;
    for (int64_t half = 0; half < width; ++half, ++next)
      halves.push_back(
          b.create<arith::TruncIOp>(i32, waitForWord(asked.words[next], asked.addresses[next], asked.isWanted)));
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
    result.push_back(type == integer ? value : b.create<arith::BitcastOp>(type, value));
  }
  return select(asked.isWanted, result, none);
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

/// Asks for the parts that stand before one in its group, each thread for a few that are neighbours.
SmallVector<KernelLowering::Scanner::Asked> KernelLowering::Scanner::askBefore(const State &state, Value number) {
  constexpr int64_t together = lookback::together[0];
  int64_t each = std::max<int64_t>(1, together / static_cast<int64_t>(lowering.kernel.getGroup()));
  Value count = b.create<arith::RemUIOp>(number, lowering.i32(together));
  Value first = b.create<arith::AddIOp>(state.row[0], b.create<arith::SubIOp>(number, count));
  Value ofThread = b.create<arith::MulIOp>(lowering.threadInGroup(), lowering.i32(each));
  SmallVector<Asked> asked;
  for (int64_t i = 0; i < each; ++i) {
    Value index = b.create<arith::AddIOp>(ofThread, lowering.i32(i));
    asked.push_back(
        ask(state, 0, b.create<arith::AddIOp>(first, index), b.compare(arith::CmpIPredicate::slt, index, count)));
  }
  return asked;
}

/// Asks for what is before this part's group, by the first warp: of the groups of its line by as many lanes, and of the
/// line before by the last lane, which no group before this one needs.
KernelLowering::Scanner::Asked KernelLowering::Scanner::askAbove(const State &state, Value group, Value line) {
  constexpr int64_t ofLine = lookback::together[1];
  static_assert(ofLine == lanesOfWarp);
  Value lane = lowering.threadInGroup(), zero = lowering.i32(0);
  Value isLast = b.compare(arith::CmpIPredicate::eq, lane, lowering.i32(ofLine - 1));
  Value count = b.create<arith::RemUIOp>(group, lowering.i32(ofLine));
  Value first = b.create<arith::AddIOp>(state.row[1], b.create<arith::SubIOp>(group, count));
  // The planes of a level follow those of the one below.
  Value before = b.create<arith::AddIOp>(state.row[2], b.create<arith::SubIOp>(line, lowering.i32(1)));
  Value above = b.create<arith::AddIOp>(before, b.create<arith::MulIOp>(state.parts, lowering.i32(state.words)));
  Value number = b.create<arith::SelectOp>(isLast, above, b.create<arith::AddIOp>(first, lane));
  Value isGroup = b.compare(arith::CmpIPredicate::ult, lane, count);
  Value isWanted = b.create<arith::SelectOp>(isLast, b.compare(arith::CmpIPredicate::ne, line, zero), isGroup);
  return ask(state, 1, number, isWanted);
}

/// What the parts come to that the lanes of this warp have asked for.
FailureOr<KernelLowering::Tuple> KernelLowering::Scanner::combineAsked(const State &state, ArrayRef<Asked> asked) {
  FailureOr<Tuple> all = Tuple();
  for (const Asked &each : asked)
    if (succeeded(all))
      all = behind(*all, receive(state, each));
  return failed(all) ? all : combineInOrder(*all);
}

/// What all warps have, in their order.
FailureOr<KernelLowering::Tuple> KernelLowering::Scanner::combineWarpsInOrder(const Tuple &own) {
  Tuple all;
  int64_t warps = static_cast<int64_t>(lowering.kernel.getGroup()) - lanesOfWarp;
  Value reader = b.create<arith::AndIOp>(lowering.threadInGroup(), lowering.i32(lanesOfWarp - 1));
  auto combineParts = [&](size_t, ArrayRef<Tuple> parts) -> LogicalResult {
    for (const Tuple &part : parts) {
      FailureOr<Tuple> next = behind(all, part);
      if (failed(next))
        return failure();
      all = *next;
    }
    return success();
  };
  if (failed(lowering.exchangeTuples(own, reader, warps, combineParts)))
    return failure();
  return all;
}

KernelLowering::Scanner::State KernelLowering::Scanner::describe(const Tuple &total) {
  ValueRange position = op.getPosition();
  State state;
  state.base = lowering.refs.find(op.getState())->second.base;
  // Launches have fewer than 2^31 thread groups.
  auto narrow = [&](Value value) {
    return b.create<arith::TruncIOp>(b.builder.getI32Type(), lowering.values.lookup(value));
  };
  state.parts = narrow(position[2]);
  Value number = narrow(position[0]), ofRow = narrow(position[1]);
  Value row = b.create<arith::DivUIOp>(number, ofRow);
  state.part = b.create<arith::SubIOp>(number, b.create<arith::MulIOp>(row, ofRow));
  for (Value &first : state.row) {
    first = b.create<arith::MulIOp>(row, ofRow);
    if (&first == std::prev(std::end(state.row)))
      break;
    int64_t together = lookback::together[&first - state.row];
    ofRow = b.create<arith::AddIOp>(ofRow, lowering.i32(together - 1));
    ofRow = b.create<arith::DivUIOp>(ofRow, lowering.i32(together));
  }
  for (Value value : total) {
    state.widths.push_back(lookback::wordsOf(value.getType().getIntOrFloatBitWidth()));
    state.words += state.widths.back();
  }
  return state;
}

FailureOr<KernelLowering::Tuple> KernelLowering::Scanner::lookBack(const Tuple &total) {
  if (op.getPosition().size() != 3)
    return op.emitOpError("shares rows, and does not say which part of them this is");
  State state = describe(total);
  constexpr int64_t ofGroup = lookback::together[0], ofLine = lookback::together[1];
  auto in = [&](int64_t level, Value number) { return b.create<arith::AddIOp>(state.row[level], number); };
  auto isLast = [&](Value number, int64_t of) {
    return b.compare(arith::CmpIPredicate::eq, b.create<arith::RemUIOp>(number, lowering.i32(of)),
                     lowering.i32(of - 1));
  };
  Value part = state.part, group = b.create<arith::DivUIOp>(part, lowering.i32(ofGroup));
  Value line = b.create<arith::DivUIOp>(group, lowering.i32(ofLine));
  Value isInFirstWarp = b.compare(arith::CmpIPredicate::ult, lowering.threadInGroup(), lowering.i32(lanesOfWarp));
  tell(state, 0, in(0, part), total, {});
  SmallVector<Asked> parts = askBefore(state, part);
  Asked above = askAbove(state, group, line);

  FailureOr<Tuple> inWarp = combineAsked(state, parts);
  FailureOr<Tuple> inGroup = failed(inWarp) ? inWarp : combineWarpsInOrder(*inWarp);
  FailureOr<Tuple> withGroup = failed(inGroup) ? inGroup : combine(*inGroup, total);
  if (failed(withGroup))
    return failure();
  tell(state, 1, in(1, group), *withGroup, isLast(part, ofGroup));

  // The first warp waits for what is before the group.
  Value place = lowering.atByte(lowering.scratch(), lowering.scratchOfTuples(op.getSources().getTypes(), 1));
  auto branch = b.builder.create<scf::IfOp>(b.loc, isInFirstWarp, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b.builder);
    b.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    Tuple told = receive(state, above), inRow;
    Value last = lowering.i32(lanesOfWarp - 1);
    for (Value each : told)
      inRow.push_back(lowering.shuffled(each, NVVM::ShflKind::idx, last));
    Value isLastLane = b.compare(arith::CmpIPredicate::eq, lowering.threadInGroup(), last);
    FailureOr<Tuple> inLine = combineInOrder(select(isLastLane, identity(), told));
    FailureOr<Tuple> withLine = failed(inLine) ? inLine : combine(*inLine, *withGroup);
    if (failed(withLine))
      return failure();
    FailureOr<Tuple> withRow = combine(inRow, *withLine), before = combine(inRow, *inLine);
    if (failed(withRow) || failed(before))
      return failure();
    tell(state, 2, in(2, line), *withRow, isLast(part, ofGroup * ofLine));
    for (auto [i, value] : llvm::enumerate(*before))
      storeScalar(value, lowering.atByte(place, static_cast<int64_t>(8 * i)));
  }
  lowering.groupBarrier();
  Tuple before;
  for (auto [i, value] : llvm::enumerate(total))
    before.push_back(loadScalar(value.getType(), lowering.atByte(place, static_cast<int64_t>(8 * i))));
  return combine(before, *inGroup);
}

/// In scratch, a bool takes a byte.
void KernelLowering::Scanner::storeScalar(Value value, Value place) {
  if (value.getType().isInteger(1))
    value = b.create<arith::ExtUIOp>(b.builder.getI8Type(), value);
  b.builder.create<LLVM::StoreOp>(b.loc, value, place, static_cast<unsigned>(tile::bytesOf(value.getType())));
}
Value KernelLowering::Scanner::loadScalar(Type type, Value place) {
  Type memory = type.isInteger(1) ? Type(b.builder.getI8Type()) : type;
  Value value = b.builder.create<LLVM::LoadOp>(b.loc, memory, place, static_cast<unsigned>(tile::bytesOf(memory)));
  return memory == type ? value : b.compare(arith::CmpIPredicate::ne, value, b.zero(memory));
}

} // namespace tegula::lower
