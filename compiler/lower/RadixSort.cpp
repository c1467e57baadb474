// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of a radix sort (ir/RadixSort.h): one counts digits, the other ranks and moves elements by one digit.
#include "ir/RadixSort.h"

#include "lower/KernelLowering.h"

using namespace mlir;

namespace tegula::lower {
namespace {

/// Keys, as their bits are in memory.
struct Keys {
  /// What tells their order: a bool is a byte.
  Type element;
  Type word;
  int64_t bytes;
  bool isDescending;

  Keys(tile::RefType type, bool isDescending) : element(type.getElementType()), isDescending(isDescending) {
    bytes = tile::bytesOf(element);
    if (element.isInteger(1))
      element = IntegerType::get(element.getContext(), 8, IntegerType::Unsigned);
    word = wordOf(type);
  }
  static Type wordOf(tile::RefType type) {
    return IntegerType::get(type.getContext(), static_cast<unsigned>(8 * tile::bytesOf(type.getElementType())));
  }

  Value order(ScalarBuilder &b, Value key) const {
    Value typed = isa<FloatType>(element) ? b.create<LLVM::BitcastOp>(element, key) : key;
    return orderedBits(b, typed, element, isDescending);
  }
  /// A digit of what `order` gave, an i32. It begins at bit `shift` of the word.
  Value digit(ScalarBuilder &b, Value ordered, Value shift) const {
    Type i32 = b.builder.getI32Type();
    Value shifted = bytes > 1 ? b.create<arith::ShRUIOp>(ordered, shift) : ordered;
    if (bytes > 4)
      shifted = b.create<arith::TruncIOp>(i32, shifted);
    else if (bytes < 4)
      shifted = b.create<arith::ExtUIOp>(i32, shifted);
    return b.create<arith::AndIOp>(shifted, b.integer(i32, radix::values - 1));
  }
};

Value bytesTimes(ScalarBuilder &b, Value count, int64_t bytes) {
  return b.create<arith::MulIOp>(count, b.integer(count.getType(), bytes));
}

Value ceilDiv(ScalarBuilder &b, Value value, int64_t divisor) {
  Value up = b.create<arith::AddIOp>(value, b.integer(value.getType(), divisor - 1));
  return b.create<arith::DivUIOp>(up, b.integer(value.getType(), divisor));
}

} // namespace

/// A part of a row, and where it is.
struct KernelLowering::RadixPart {
  Value row;   ///< i64
  Value part;  ///< Its number in the row, i32.
  Value first; ///< Where it begins in the row, i64.
  Value start; ///< Where its row begins, i64.
  Value there; ///< How many elements it has, i32: at least one.

  RadixPart(ScalarBuilder &b, Value number, Value length, int64_t elements) {
    Type i32 = b.builder.getI32Type(), i64 = b.builder.getI64Type();
    Value ofRow = b.create<arith::TruncIOp>(i32, ceilDiv(b, length, elements));
    Value narrowRow = b.create<arith::DivUIOp>(number, ofRow);
    part = b.create<arith::SubIOp>(number, b.create<arith::MulIOp>(narrowRow, ofRow));
    row = b.create<arith::ExtUIOp>(i64, narrowRow);
    first = bytesTimes(b, b.create<arith::ExtUIOp>(i64, part), elements);
    start = b.create<arith::MulIOp>(row, length);
    Value left = b.create<arith::SubIOp>(length, first);
    there = b.create<arith::TruncIOp>(i32, b.create<arith::MinSIOp>(left, b.integer(i64, elements)));
  }
};

/// The address of an element of a row, in an array whose rows lie one behind the other.
Value KernelLowering::inRows(Value ref, const RadixPart &place, int64_t bytes, bool ofPart) {
  ScalarBuilder b = scalars();
  Value at = ofPart ? b.create<arith::AddIOp>(place.start, place.first) : place.start;
  return atByte(refs.find(ref)->second.base, bytesTimes(b, at, bytes));
}

Value KernelLowering::wordOfState(Value state, Value number) {
  ScalarBuilder b = scalars();
  Value words = b.create<arith::AddIOp>(number, i64(radix::header));
  return atByte(refs.find(state)->second.base, bytesTimes(b, words, 8));
}

// ---- Counting -------------------------------------------------------------------------------------------------------

/// Threads count in shared memory. One that finds the same digit again and again, as the upper ones of small numbers
/// are, counts these in a register: atomic updates of one counter would be serialised.
class KernelLowering::RadixCount {
public:
  RadixCount(KernelLowering &lowering, tile::RadixCountOp op)
      : l(lowering), op(op), b(lowering.scalars(op)), keys(op.getKeys().getType(), op.getDescending()),
        passes(radix::passesOf(keys.bytes)), length(l.values.lookup(op.getLength())),
        place(b, l.specialRegister("ctaid"), length, radix::counted), tid(l.specialRegister("tid")) {}

  void run();

private:
  /// Of each digit, the value that was found last, and how often.
  using Runs = SmallVector<Value>;

  Value countOf(int64_t pass, Value value) {
    return b.create<arith::AddIOp>(counts,
                                   bytesTimes(b, b.create<arith::AddIOp>(value, l.i32(pass * radix::values)), 4));
  }
  void addRun(int64_t pass, const Runs &runs, Value isWanted) {
    l.reduceInto(countOf(pass, runs[2 * pass]), runs[2 * pass + 1], isWanted, tile::Atomic::Add,
                 l.builder.getIntegerType(32, /*isSigned=*/false), "cta.shared");
  }
  void count(Runs &runs, Value times);

  KernelLowering &l;
  tile::RadixCountOp op;
  ScalarBuilder b;
  Keys keys;
  int64_t passes;
  Value length;
  RadixPart place;
  Value tid, counts;
};

/// Counts the keys that a thread has at a time.
void KernelLowering::RadixCount::count(Runs &runs, Value times) {
  Value base = l.inRows(op.getKeys(), place, keys.bytes, /*ofPart=*/true);
  Value last = b.create<arith::SubIOp>(place.there, l.i32(1));
  SmallVector<Value> loaded, areThere;
  for (int64_t i = 0; i < radix::countedTogether; ++i) {
    Value number = b.create<arith::AddIOp>(bytesTimes(b, times, radix::countedTogether), l.i32(i));
    number = b.create<arith::AddIOp>(bytesTimes(b, number, radix::threads), tid);
    areThere.push_back(b.compare(arith::CmpIPredicate::slt, number, place.there));
    Value at = bytesTimes(b, b.create<arith::MinSIOp>(number, last), keys.bytes); // Loads need no branches so.
    loaded.push_back(
        l.builder.create<LLVM::LoadOp>(l.here, keys.word, l.atByte(base, at), static_cast<unsigned>(keys.bytes)));
  }
  for (auto [key, isThere] : llvm::zip_equal(loaded, areThere)) {
    Value ordered = keys.order(b, key);
    for (int64_t pass = 0; pass < passes; ++pass) {
      Value &value = runs[2 * pass], &times = runs[2 * pass + 1];
      Value digit = keys.digit(b, ordered, b.integer(keys.word, pass * radix::digitBits));
      Value isOther = b.create<arith::AndIOp>(b.compare(arith::CmpIPredicate::ne, digit, value), isThere);
      addRun(pass, runs, isOther);
      Value one = b.create<arith::ExtUIOp>(b.builder.getI32Type(), isThere);
      times = b.select(isOther, l.i32(1), b.create<arith::AddIOp>(times, one));
      value = b.select(isOther, digit, value);
    }
  }
}

void KernelLowering::RadixCount::run() {
  OpBuilder &builder = l.builder;
  Value shared = l.sharedMemory("_counts", passes * radix::values * 4, /*alignment=*/16);
  counts = builder.create<LLVM::PtrToIntOp>(l.here, builder.getI32Type(), shared);
  Value own = l.atByte(shared, bytesTimes(b, tid, 4));
  for (int64_t pass = 0; pass < passes; ++pass)
    builder.create<LLVM::StoreOp>(l.here, l.i32(0), l.atByte(own, pass * radix::values * 4), 4U);
  l.groupBarrier();
  auto loop = builder.create<scf::ForOp>(l.here, l.i32(0), l.i32(radix::countedTimes), l.i32(1),
                                         Runs(static_cast<size_t>(2 * passes), l.i32(0)));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Runs runs(loop.getRegionIterArgs());
    count(runs, loop.getInductionVar());
    builder.create<scf::YieldOp>(l.here, runs);
  }
  Runs runs(loop.getResults());
  for (int64_t pass = 0; pass < passes; ++pass)
    addRun(pass, runs, /*isWanted=*/{});
  l.groupBarrier();
  Type u64 = builder.getIntegerType(64, /*isSigned=*/false);
  Value wideTid = b.create<arith::ExtUIOp>(builder.getI64Type(), tid);
  for (int64_t pass = 0; pass < passes; ++pass) {
    Value found =
        builder.create<LLVM::LoadOp>(l.here, builder.getI32Type(), l.atByte(own, pass * radix::values * 4), 4U);
    Value number = b.create<arith::AddIOp>(bytesTimes(b, place.row, passes), l.i64(pass));
    number = b.create<arith::AddIOp>(bytesTimes(b, number, radix::values), wideTid);
    l.reduceInto(l.wordOfState(op.getState(), number), b.create<arith::ExtUIOp>(builder.getI64Type(), found),
                 b.compare(arith::CmpIPredicate::ne, found, l.i32(0)), tile::Atomic::Add, u64, "gpu.global");
  }
}

LogicalResult KernelLowering::lowerRadixCount(tile::RadixCountOp op) {
  here = locationOf(op);
  RadixCount(*this, op).run();
  return success();
}

// ---- A pass ---------------------------------------------------------------------------------------------------------

/// A thread has the elements of its lane: a warp has a run of neighbours in the part, of which 32 go together.
class KernelLowering::RadixPass {
public:
  RadixPass(KernelLowering &lowering, tile::RadixPassOp op);

  void run();

private:
  static constexpr int64_t warps = radix::threads / lanesOfWarp;
  /// The elements that are ranked together: what they need is in registers at a time.
  static constexpr int64_t rankedTogether = 4;
  /// The words of parts that a thread looks at together.
  static constexpr int64_t lookedTogether = 4;
  /// What a word of a part tells.
  enum Told { ofPart = 1, ofRow = 2 };

  template <class Op> Value make(Value a, Value b) { return this->b.create<Op>(a, b); }
  /// From and to a pointer, or an address in shared memory, an i32.
  Value load(Type type, Value at) {
    return l.builder.create<LLVM::LoadOp>(l.here, type, pointer(at), type.getIntOrFloatBitWidth() / 8);
  }
  void store(Value value, Value at) {
    l.builder.create<LLVM::StoreOp>(l.here, value, pointer(at), value.getType().getIntOrFloatBitWidth() / 8);
  }
  Value pointer(Value at) {
    if (isa<LLVM::LLVMPointerType>(at.getType()))
      return at;
    return l.builder.create<LLVM::IntToPtrOp>(l.here, LLVM::LLVMPointerType::get(b.builder.getContext(), 3), at);
  }
  /// An address that is `count` times `bytes` behind another one.
  Value behind(Value address, Value count, int64_t bytes) {
    return make<arith::AddIOp>(address, bytesTimes(b, count, bytes));
  }
  Value behind(Value address, int64_t bytes) { return make<arith::AddIOp>(address, l.i32(bytes)); }
  /// Emits `body` in a branch for threads for which this holds.
  void where(Value condition, llvm::function_ref<void()> body) {
    auto branch = l.builder.create<scf::IfOp>(l.here, condition, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(l.builder);
    l.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    body();
  }
  /// The same number, of which LLVM does not know that: what is made of it is not kept from phase to phase.
  Value renewed(Value number) { return l.effect("mov.b32 $0, $1;", "=r,r", number, i32).getResult(0); }
  Value digitOf(Value key) { return keys.digit(b, keys.order(b, key), shift); }
  /// The number in the part of an element of this thread, as it is loaded, and as it is stored.
  Value loadedAt(Value ofLane, int64_t i) { return make<arith::AddIOp>(ofLane, l.i32(i * lanesOfWarp)); }
  Value storedAt(Value tid, int64_t i) { return make<arith::AddIOp>(tid, l.i32(i * radix::threads)); }
  SmallVector<Value> loadAll(Value ref, Type word);

  void rank(ArrayRef<Value> loaded);
  Value sumBefore(Value count);
  void addUp();
  void tell(Value count, Told what);
  Value lookBack();
  Value beforeRow();
  void findPlaces();
  void exchange(ArrayRef<Value> elements);
  void findDigits();
  Value pack(ArrayRef<Value> numbers);
  void storeAll(Value ref, Type word);

  KernelLowering &l;
  tile::RadixPassOp op;
  ScalarBuilder b;
  Keys keys;
  Type i32, i64, carriedWord;
  int64_t perThread, elements;
  Value tid, lane, warp, ofLane, shift, digit;
  /// In shared memory: how many elements of each value the warps have, then where they begin; where each value begins
  /// in the row, less where it does in the part; sums of warps; the ticket; elements.
  Value counts, offsets, sums, ticket, exchanged;
  Value number;
  std::optional<RadixPart> place;
  /// Of each element, its digit in the upper half, and its rank among those of the warp.
  SmallVector<Value> ranks;
  /// Of those that this thread loads, their places in the part, two in a register; of those that it stores, their
  /// digits, four in a register.
  SmallVector<Value> places, digits;
  /// Of this thread's value of the digit: how many elements the part has, and how many of lesser ones.
  Value count, before;
};

KernelLowering::RadixPass::RadixPass(KernelLowering &lowering, tile::RadixPassOp op)
    : l(lowering), op(op), b(lowering.scalars(op)), keys(op.getKeys().getType(), op.getDescending()),
      i32(b.builder.getI32Type()), i64(b.builder.getI64Type()), tid(l.specialRegister("tid")) {
  int64_t widest = keys.bytes;
  if (Value to = op.getCarriedTo()) {
    carriedWord = Keys::wordOf(cast<tile::RefType>(to.getType()));
    widest = std::max<int64_t>(widest, carriedWord.getIntOrFloatBitWidth() / 8);
  }
  perThread = radix::perThread(widest);
  elements = radix::partOf(widest);
  lane = make<arith::AndIOp>(tid, l.i32(lanesOfWarp - 1));
  warp = make<arith::ShRUIOp>(tid, l.i32(5));
  ofLane = make<arith::AddIOp>(bytesTimes(b, warp, perThread * lanesOfWarp), lane);
  digit = l.values.lookup(op.getDigit());
  shift = bytesTimes(b, digit, radix::digitBits);
  if (keys.bytes < 8)
    shift = b.create<arith::TruncIOp>(keys.word, shift);
  int64_t bytes = 0;
  auto reserve = [&](int64_t more) { return std::exchange(bytes, bytes + more); };
  int64_t ofCounts = reserve(warps * radix::values * 4), ofOffsets = reserve(radix::values * 4);
  int64_t ofSums = reserve(warps * 4), ofTicket = reserve(unitBytes), ofElements = reserve(elements * widest);
  Value shared = b.create<LLVM::PtrToIntOp>(i32, l.sharedMemory("_part", bytes, /*alignment=*/16));
  counts = behind(shared, ofCounts), offsets = behind(shared, ofOffsets), sums = behind(shared, ofSums);
  ticket = behind(shared, ofTicket), exchanged = behind(shared, ofElements);
}

/// The elements of this thread. Where there are none any more, the last one: loads need no branches so.
SmallVector<Value> KernelLowering::RadixPass::loadAll(Value ref, Type word) {
  int64_t bytes = word.getIntOrFloatBitWidth() / 8;
  Value base = l.inRows(ref, *place, bytes, /*ofPart=*/true), last = make<arith::SubIOp>(place->there, l.i32(1));
  Value own = renewed(ofLane);
  SmallVector<Value> loaded;
  for (int64_t i = 0; i < perThread; ++i)
    loaded.push_back(load(word, l.atByte(base, bytesTimes(b, make<arith::MinSIOp>(loadedAt(own, i), last), bytes))));
  return loaded;
}

/// Ranks elements among those of the warp with the same digit: lanes find those of the same by votes on its bits. The
/// first of them adds to the warp's count. Elements that are not there come last of all: their digit is the greatest.
void KernelLowering::RadixPass::rank(ArrayRef<Value> loaded) {
  Value ofWarp = behind(counts, warp, radix::values * 4);
  Value below = make<arith::SubIOp>(make<arith::ShLIOp>(l.i32(1), lane), l.i32(1));
  Value all = l.i32(-1), own = renewed(ofLane);
  for (int64_t start = 0; start < perThread; start += rankedTogether) {
    SmallVector<Value> digits, alike;
    for (int64_t i = start; i < std::min(perThread, start + rankedTogether); ++i) {
      Value isThere = b.compare(arith::CmpIPredicate::slt, loadedAt(own, i), place->there);
      Value value = b.select(isThere, digitOf(loaded[i]), l.i32(radix::values - 1)), same = all;
      for (int64_t bit = 0; bit < radix::digitBits; ++bit) {
        Value isSet =
            b.compare(arith::CmpIPredicate::ne, make<arith::AndIOp>(value, l.i32(int64_t(1) << bit)), l.i32(0));
        Value vote = b.create<NVVM::VoteBallotOp>(i32, all, isSet);
        same = make<arith::AndIOp>(same, make<arith::XOrIOp>(vote, b.select(isSet, l.i32(0), all)));
      }
      digits.push_back(value);
      alike.push_back(same);
    }
    for (auto [value, same] : llvm::zip_equal(digits, alike)) {
      Value address = behind(ofWarp, value, 4);
      Value known = load(i32, address);
      Value first = b.create<LLVM::CtPopOp>(i32, make<arith::AndIOp>(same, below));
      l.builder.create<NVVM::SyncWarpOp>(l.here, all);
      where(b.compare(arith::CmpIPredicate::eq, first, l.i32(0)),
            [&] { store(make<arith::AddIOp>(known, b.create<LLVM::CtPopOp>(i32, same)), address); });
      l.builder.create<NVVM::SyncWarpOp>(l.here, all);
      Value rank = make<arith::AddIOp>(known, first);
      ranks.push_back(make<arith::OrIOp>(rank, make<arith::ShLIOp>(value, l.i32(16))));
    }
  }
}

/// The sum of what the threads before this one have.
Value KernelLowering::RadixPass::sumBefore(Value own) {
  Value sum = own;
  for (int64_t distance = 1; distance < lanesOfWarp; distance *= 2) {
    Value other = l.builder.create<NVVM::ShflOp>(l.here, i32, l.i32(-1), sum, l.i32(distance), l.i32(0),
                                                 NVVM::ShflKind::up, UnitAttr());
    Value isFar = b.compare(arith::CmpIPredicate::uge, lane, l.i32(distance));
    sum = make<arith::AddIOp>(sum, b.select(isFar, other, l.i32(0)));
  }
  where(b.compare(arith::CmpIPredicate::eq, lane, l.i32(lanesOfWarp - 1)), [&] { store(sum, behind(sums, warp, 4)); });
  l.groupBarrier();
  Value all = make<arith::SubIOp>(sum, own);
  for (int64_t i = 0; i + 1 < warps; ++i) {
    Value isBefore = b.compare(arith::CmpIPredicate::ugt, warp, l.i32(i));
    all = make<arith::AddIOp>(all, b.select(isBefore, load(i32, behind(sums, 4 * i)), l.i32(0)));
  }
  return all;
}

/// From the counts of warps, where in the part each of them has its elements of each value. The thread's own value is
/// told as soon as it is known.
void KernelLowering::RadixPass::addUp() {
  SmallVector<Value> ofWarps;
  Value own = behind(counts, tid, 4), sum = l.i32(0);
  for (int64_t i = 0; i < warps; ++i) {
    ofWarps.push_back(sum);
    sum = make<arith::AddIOp>(sum, load(i32, behind(own, i * radix::values * 4)));
  }
  Value isLast = b.compare(arith::CmpIPredicate::eq, tid, l.i32(radix::values - 1));
  Value missing = make<arith::SubIOp>(l.i32(elements), place->there);
  count = make<arith::SubIOp>(sum, b.select(isLast, missing, l.i32(0)));
  where(b.compare(arith::CmpIPredicate::ne, place->part, l.i32(0)), [&] { tell(count, ofPart); });
  before = sumBefore(sum);
  for (int64_t i = 0; i < warps; ++i)
    store(make<arith::AddIOp>(ofWarps[i], before), behind(own, i * radix::values * 4));
}

/// Tells a count of this thread's value. Who reads the word atomically needs no fence.
void KernelLowering::RadixPass::tell(Value counted, Told what) {
  Value kind = make<arith::AddIOp>(bytesTimes(b, digit, 2), l.i64(what));
  Value word =
      make<arith::OrIOp>(make<arith::ShLIOp>(kind, l.i64(radix::countBits)), b.create<arith::ExtUIOp>(i64, counted));
  l.effect("st.relaxed.gpu.global.b64 [$0], $1;", "l,l", {l.wordOfState(op.getState(), number), word});
}

/// How many elements the parts before this one have of the thread's value, and how many of lesser ones the row has.
Value KernelLowering::RadixPass::lookBack() {
  OpBuilder &builder = l.builder;
  Value told = b.create<arith::TruncIOp>(i32, bytesTimes(b, digit, 2));
  Value isPart = make<arith::AddIOp>(told, l.i32(ofPart)), isRow = make<arith::AddIOp>(told, l.i32(ofRow));
  Value no = b.integer(builder.getI1Type(), 0), yes = b.integer(builder.getI1Type(), 1);
  SmallVector<Value> inits{make<arith::SubIOp>(place->part, l.i32(1)), l.i32(0), no};
  SmallVector<Type> types{i32, i32, builder.getI1Type()};
  auto loop = builder.create<scf::WhileOp>(l.here, types, inits);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(types.size(), l.here);
  mlir::Block *test = builder.createBlock(&loop.getBefore(), {}, types, locations);
  builder.create<scf::ConditionOp>(l.here, make<arith::XOrIOp>(test->getArgument(2), yes), test->getArguments());
  mlir::Block *body = builder.createBlock(&loop.getAfter(), {}, types, locations);
  Value at = body->getArgument(0), sum = body->getArgument(1), isDone = no, goesOn = yes;
  Value firstOfRow =
      b.create<arith::SubIOp>(number, bytesTimes(b, b.create<arith::ExtUIOp>(i64, place->part), radix::values));
  SmallVector<Value> words;
  for (int64_t i = 0; i < lookedTogether; ++i) {
    Value which = make<arith::MaxSIOp>(make<arith::SubIOp>(at, l.i32(i)), l.i32(0)); // The first one ends the search.
    Value word = make<arith::AddIOp>(firstOfRow, bytesTimes(b, b.create<arith::ExtUIOp>(i64, which), radix::values));
    words.push_back(
        l.effect("ld.relaxed.gpu.global.b64 $0, [$1];", "=l,l", l.wordOfState(op.getState(), word), i64).getResult(0));
  }
  for (Value word : words) {
    Value kind = b.create<arith::TruncIOp>(i32, make<arith::ShRUIOp>(word, l.i64(radix::countBits)));
    Value isTold = make<arith::AndIOp>(goesOn, b.compare(arith::CmpIPredicate::uge, kind, isPart));
    Value ends = make<arith::AndIOp>(isTold, b.compare(arith::CmpIPredicate::eq, kind, isRow));
    sum = make<arith::AddIOp>(sum, b.select(isTold, b.create<arith::TruncIOp>(i32, word), l.i32(0)));
    at = make<arith::SubIOp>(at, b.create<arith::ExtUIOp>(i32, isTold));
    isDone = make<arith::OrIOp>(isDone, ends);
    goesOn = make<arith::AndIOp>(isTold, make<arith::XOrIOp>(ends, yes));
  }
  builder.create<scf::YieldOp>(l.here, ValueRange{at, sum, isDone});
  return loop.getResult(1);
}

/// Where the thread's value begins in the row, for this part. The first part of a row looks at the counts.
Value KernelLowering::RadixPass::beforeRow() {
  OpBuilder &builder = l.builder;
  Value isFirst = b.compare(arith::CmpIPredicate::eq, place->part, l.i32(0));
  auto branch = builder.create<scf::IfOp>(l.here, TypeRange(i32), isFirst, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value which = make<arith::AddIOp>(bytesTimes(b, place->row, radix::passesOf(keys.bytes)), digit);
  which = make<arith::AddIOp>(bytesTimes(b, which, radix::values), b.create<arith::ExtUIOp>(i64, tid));
  Value counted = b.create<arith::TruncIOp>(i32, load(i64, l.wordOfState(op.getState(), which)));
  builder.create<scf::YieldOp>(l.here, sumBefore(counted));
  builder.setInsertionPointToStart(branch.elseBlock());
  builder.create<scf::YieldOp>(l.here, lookBack());
  return branch.getResult(0);
}

/// Two numbers of 16 bits, or four of 8, in a register: LLVM, which would keep the numbers, does not look into it.
Value KernelLowering::RadixPass::pack(ArrayRef<Value> numbers) {
  auto select = [&](Value low, Value high, int64_t bytes) {
    return b.assembly("prmt.b32 $0, $1, $2, $3;", "=r,r,r,r", i32, {low, high, l.i32(bytes)});
  };
  if (numbers.size() == 2)
    return select(numbers[0], numbers[1], 0x5410);
  return select(select(numbers[0], numbers[1], 0x0040), select(numbers[2], numbers[3], 0x0040), 0x5410);
}

/// Where in the part the elements go that this thread has loaded.
void KernelLowering::RadixPass::findPlaces() {
  Value ofWarp = behind(counts, warp, radix::values * 4);
  for (Value &at : ranks) {
    Value begins = load(i32, behind(ofWarp, make<arith::ShRUIOp>(at, l.i32(16)), 4));
    at = make<arith::AddIOp>(begins, make<arith::AndIOp>(at, l.i32(0xffff)));
  }
  for (int64_t i = 0; i < perThread; i += 2)
    places.push_back(pack(ArrayRef(ranks).slice(i, 2)));
}

/// Puts the elements of this thread at their places in the part.
void KernelLowering::RadixPass::exchange(ArrayRef<Value> all) {
  int64_t bytes = all.front().getType().getIntOrFloatBitWidth() / 8;
  Value two;
  for (auto [i, element] : llvm::enumerate(all)) {
    two = i % 2 ? two : renewed(places[i / 2]);
    Value at = i % 2 ? make<arith::ShRUIOp>(two, l.i32(16)) : make<arith::AndIOp>(two, l.i32(0xffff));
    store(element, behind(exchanged, at, bytes));
  }
}

/// The digits of the elements that this thread stores, by the keys that have been exchanged.
void KernelLowering::RadixPass::findDigits() {
  SmallVector<Value> single;
  Value own = renewed(tid);
  for (int64_t i = 0; i < perThread; ++i)
    single.push_back(digitOf(load(keys.word, behind(exchanged, storedAt(own, i), keys.bytes))));
  single.resize(llvm::alignTo(single.size(), 4), l.i32(0));
  for (size_t i = 0; i < single.size(); i += 4)
    digits.push_back(pack(ArrayRef(single).slice(i, 4)));
}

/// Stores the elements that have been exchanged.
void KernelLowering::RadixPass::storeAll(Value ref, Type word) {
  int64_t bytes = word.getIntOrFloatBitWidth() / 8;
  Value base = l.inRows(ref, *place, bytes, /*ofPart=*/false);
  Value own = renewed(tid), four;
  for (int64_t i = 0; i < perThread; ++i) {
    four = i % 4 ? four : renewed(digits[i / 4]);
    Value value = make<arith::ShRUIOp>(four, l.i32(radix::digitBits * (i % 4)));
    value = make<arith::AndIOp>(value, l.i32(radix::values - 1));
    Value number = storedAt(own, i), element = load(word, behind(exchanged, number, bytes));
    Value target = make<arith::AddIOp>(load(i32, behind(offsets, value, 4)), number);
    where(b.compare(arith::CmpIPredicate::slt, number, place->there),
          [&] { store(element, l.atByte(base, bytesTimes(b, b.create<arith::ExtUIOp>(i64, target), bytes))); });
  }
}

/// A number for this thread group, which its first thread counts in global memory, and tells the others by shared
/// memory.
Value KernelLowering::takeTicket(Value counter, Value place) {
  ScalarBuilder b = scalars();
  Type i64Type = builder.getI64Type();
  groupBarrier();
  auto branch = builder.create<scf::IfOp>(here, b.compare(arith::CmpIPredicate::eq, threadInGroup(), i32(0)),
                                          /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    auto counted = effect("atom.relaxed.gpu.global.add.u64 $0, [$1], 1;", "=l,l", counter, i64Type);
    builder.create<LLVM::StoreOp>(here, counted.getResult(0), place, 8U);
  }
  groupBarrier();
  return builder.create<LLVM::LoadOp>(here, i64Type, place, 8U);
}

void KernelLowering::RadixPass::run() {
  for (int64_t i = 0; i < warps; ++i)
    store(l.i32(0), behind(counts, make<arith::AddIOp>(tid, l.i32(i * radix::values)), 4));
  Value counter = l.atByte(l.refs.find(op.getState())->second.base, bytesTimes(b, digit, 8));
  Value taken = l.takeTicket(counter, pointer(ticket)), length = l.values.lookup(op.getLength());
  place.emplace(b, b.create<arith::TruncIOp>(i32, taken), length, elements);
  Value ofCounts = bytesTimes(b, l.values.lookup(op.getRows()), radix::passesOf(keys.bytes));
  number = bytesTimes(b, make<arith::AddIOp>(ofCounts, taken), radix::values);
  number = make<arith::AddIOp>(number, b.create<arith::ExtUIOp>(i64, tid));

  SmallVector<Value> loaded = loadAll(op.getKeys(), keys.word);
  rank(loaded);
  l.groupBarrier();
  addUp();
  l.groupBarrier();
  findPlaces();
  exchange(loaded);
  Value begins = beforeRow();
  tell(make<arith::AddIOp>(begins, count), ofRow);
  store(make<arith::SubIOp>(begins, before), behind(offsets, tid, 4));
  SmallVector<Value> carried; // They arrive while keys are stored.
  if (op.getCarried())
    carried = loadAll(op.getCarried(), carriedWord);
  l.groupBarrier();
  findDigits();
  if (op.getKeysTo())
    storeAll(op.getKeysTo(), keys.word);
  if (!op.getCarriedTo())
    return;
  Value first = make<arith::AddIOp>(b.create<arith::TruncIOp>(i32, place->first), renewed(ofLane));
  for (int64_t i = 0; i < perThread && !op.getCarried(); ++i)
    carried.push_back(loadedAt(first, i));
  l.groupBarrier();
  exchange(carried);
  l.groupBarrier();
  storeAll(op.getCarriedTo(), carriedWord);
}

LogicalResult KernelLowering::lowerRadixPass(tile::RadixPassOp op) {
  here = locationOf(op);
  RadixPass(*this, op).run();
  return success();
}

} // namespace tegula::lower
