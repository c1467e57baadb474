// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that are sorted along a dimension, by a bitonic network in shared memory. What is compared are words: the bits
// of each key, as unsigned numbers in the order of the keys, and the index of the element, by which no two are equal,
// so that the order is stable. A key of up to 16 bits shares a word with the index. Rows lie one after the other:
//
//   keys of row 0, keys of row 1, ...   next keys ...   indices of row 0, ...
//
// Stage s makes sorted runs of 2^s elements from pairs of runs, every other run in reverse, in steps that exchange
// elements 2^(s-1), ..., 2, 1 places apart. A thread takes eight elements and does three steps. The elements themselves
// are exchanged in the same memory afterwards, each tile on its own, and are read at the indices. Rows that do not find
// room together go in boxes, one after another.
#include "ir/ExchangedExtents.h"
#include "lower/KernelLowering.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::lower {
namespace {

/// One array of words in scratch.
struct WordArray {
  Type type;
  int64_t offset, bytes;
};

/// The arrays of a sort, that of the indices last, and where they end.
struct SortedWords {
  SmallVector<WordArray, 4> arrays;
  int64_t end = 0;

  SortedWords(tile::SortOp op, int64_t count) {
    Builder builder(op.getContext());
    auto add = [&](int64_t bytes) {
      arrays.push_back({builder.getIntegerType(static_cast<unsigned>(8 * bytes)), end, bytes});
      end = static_cast<int64_t>(llvm::alignTo(end + count * bytes, unitBytes));
    };
    if (op.isPacked()) {
      add(4);
      return;
    }
    for (Value key : op.getSources().take_front(static_cast<int64_t>(op.getKeys())))
      add(tile::bytesOf(getElementTypeOrSelf(key.getType())));
    add(2);
  }
};

/// Rows along `axis`, one after the other.
SmallVector<int64_t> stridesOfRows(ArrayRef<int64_t> shape, int64_t axis) {
  SmallVector<int64_t> strides(shape.size(), 1);
  int64_t next = shape[axis];
  for (int64_t dim = static_cast<int64_t>(shape.size()) - 1; dim >= 0; --dim)
    if (dim != axis) {
      strides[dim] = next;
      next *= shape[dim];
    }
  return strides;
}

/// Where the word of this number is in its array: threads that have eight neighbours each, or elements eight apart,
/// find them in different banks.
Value spread(ScalarBuilder &b, Value number) {
  auto bits = [&](int64_t from, int64_t count, int64_t to) {
    Type type = number.getType();
    Value taken = b.create<arith::ShRUIOp>(number, b.integer(type, from - to));
    return b.create<arith::AndIOp>(taken, b.integer(type, ((int64_t(1) << count) - 1) << to));
  };
  Value place = b.create<arith::XOrIOp>(number, bits(5, 3, 0));
  return b.create<arith::XOrIOp>(place, bits(6, 2, 3));
}

/// The scratch that rows of so many elements together take.
int64_t bytesOfSort(tile::SortOp op, int64_t count) {
  int64_t most = SortedWords(op, count).end;
  for (Value source : op.getSources())
    most = std::max(most, count * tile::bytesOf(getElementTypeOrSelf(source.getType())));
  return most;
}
} // namespace

int64_t KernelLowering::SortedRows::count() const { return boxes.elements(); }

/// As many rows as find room, one at least.
layout::Boxes KernelLowering::boxesOfSort(tile::SortOp op) {
  auto axis = static_cast<unsigned>(op.getAxis());
  layout::Boxes boxes(op.getType().getShape().vec());
  for (unsigned dim = 0; dim < boxes.shape().size(); ++dim)
    while (dim != axis && boxes.shape()[dim] > 1 && bytesOfSort(op, boxes.elements()) > mostOfGroup())
      boxes.halve(dim);
  return boxes;
}

Value orderedBits(ScalarBuilder &b, Value key, Type element, bool isDescending) {
  auto width = static_cast<unsigned>(8 * tile::bytesOf(element));
  Type type = b.builder.getIntegerType(width);
  auto inverted = [&](Value bits) { return isDescending ? b.create<arith::XOrIOp>(bits, b.integer(type, -1)) : bits; };
  if (element.isInteger(1))
    return inverted(b.create<arith::ExtUIOp>(type, key));
  if (element.isUnsignedInteger())
    return inverted(key);
  int64_t lowest = width == 64 ? std::numeric_limits<int64_t>::min() : -(int64_t(1) << (width - 1));
  if (!isa<FloatType>(element))
    return inverted(b.create<arith::XOrIOp>(key, b.integer(type, lowest)));
  // Of a negative number, all bits are inverted; of another one, its sign. Zero is one number.
  Value bits = b.create<LLVM::BitcastOp>(type, key);
  Value magnitude = b.create<arith::AndIOp>(bits, b.integer(type, ~lowest));
  Value zero = b.zero(type);
  bits = b.select(b.compare(arith::CmpIPredicate::eq, magnitude, zero), zero, bits);
  Value sign = b.create<arith::ShRSIOp>(bits, b.integer(type, width - 1));
  Value ordered = inverted(b.create<arith::XOrIOp>(bits, b.create<arith::OrIOp>(sign, b.integer(type, lowest))));
  APInt infinity = APFloat::getInf(cast<FloatType>(element).getFloatSemantics()).bitcastToAPInt();
  Value isNan = b.compare(arith::CmpIPredicate::ugt, magnitude, b.integer(type, infinity.getSExtValue()));
  return b.select(isNan, b.integer(type, -1), ordered);
}

int64_t KernelLowering::scratchOfSort(tile::SortOp op) { return bytesOfSort(op, boxesOfSort(op).elements()); }

/// Where the words of the elements are that this thread has, in an array of words of so many bytes; null for those of
/// other rows.
SmallVector<Value> KernelLowering::placesOfWords(const TileRegisters &registers, const SortedRows &rows, int64_t offset,
                                                 int64_t bytes) {
  ScalarBuilder b = scalars();
  layout::BoxShare share = rows.boxes.share(registers.placement, rows.start);
  Value ofThread = threadOffset(registers, rows.strides, /*bytes=*/1, rows.boxes);
  SmallVector<Value> places(registers.placement.registersPerThread());
  for (int64_t reg = 0; reg < registers.placement.registersPerThread(); ++reg) {
    if (!share.registers[reg])
      continue;
    layout::Coordinate part = rows.boxes.within(registers.placement.registerPart(reg));
    Value number = b.create<arith::AddIOp>(ofThread, i32(dotProduct(part, rows.strides)));
    places[reg] = atByte(atByte(scratch(), offset), b.create<arith::MulIOp>(spread(b, number), i32(bytes)));
  }
  return places;
}

/// Stores what a thread has of the rows of a tile, one value for each register, to scratch.
void KernelLowering::storeElements(ArrayRef<Value> elements, const TileRegisters &registers, const SortedRows &rows) {
  ScalarBuilder b = scalars();
  int64_t bytes = tile::bytesOf(elements.front().getType());
  layout::BoxShare share = rows.boxes.share(registers.placement, rows.start);
  Value base = atByte(scratch(), threadOffset(registers, rows.strides, bytes, rows.boxes));
  OpBuilder::InsertionGuard guard(builder);
  if (Value isIn = isInBox(registers, share)) {
    auto branch = builder.create<scf::IfOp>(here, isIn, /*withElseRegion=*/false);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  for (auto [reg, element] : llvm::enumerate(elements)) {
    if (!share.registers[reg])
      continue;
    Value stored = element.getType().isInteger(1) ? b.create<arith::ExtUIOp>(builder.getI8Type(), element) : element;
    layout::Coordinate part = rows.boxes.within(registers.placement.registerPart(static_cast<int64_t>(reg)));
    builder.create<LLVM::StoreOp>(here, stored, atByte(base, dotProduct(part, rows.strides) * bytes),
                                  static_cast<unsigned>(bytes));
  }
}

/// Writes the words of the elements of rows that this thread has.
void KernelLowering::storeWords(tile::SortOp op, const SortedRows &rows) {
  ScalarBuilder b = scalars(op);
  auto axis = static_cast<int64_t>(op.getAxis());
  SortedWords words(op, rows.count());
  Type i32Type = builder.getI32Type();
  Value extent = op.getExtent() ? b.create<arith::TruncIOp>(i32Type, values.lookup(op.getExtent())) : Value();
  auto store = [&](ArrayRef<Value> elements, const TileRegisters &registers, const WordArray &array) {
    SmallVector<Value> places = placesOfWords(registers, rows, array.offset, array.bytes);
    OpBuilder::InsertionGuard guard(builder);
    if (Value isIn = isInBox(registers, rows.boxes.share(registers.placement, rows.start))) {
      auto branch = builder.create<scf::IfOp>(here, isIn, /*withElseRegion=*/false);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    for (auto [element, place] : llvm::zip_equal(elements, places))
      if (place)
        builder.create<LLVM::StoreOp>(here, element, place, static_cast<unsigned>(array.bytes));
  };
  auto placeOf = [&](const TileRegisters &registers, int64_t reg) {
    return b.create<arith::AddIOp>(threadCoordinates(registers)[axis],
                                   i32(registers.placement.registerPart(reg)[axis]));
  };
  for (int64_t key = 0; key < static_cast<int64_t>(op.getKeys()); ++key) {
    Value source = op.getSources()[key];
    const TileRegisters &registers = registersOf(source.getType());
    const Registers &vectors = tiles.find(source)->second;
    SmallVector<Value> elements;
    for (int64_t reg = 0; reg < registers.placement.registersPerThread(); ++reg) {
      Value element = b.extract(vectors[reg / registers.lanes], reg % registers.lanes);
      Value bits = orderedBits(b, element, registers.type.getElementType(), op.getDescending());
      if (extent) {
        Value isThere = b.compare(arith::CmpIPredicate::slt, placeOf(registers, reg), extent);
        bits = b.select(isThere, bits, b.integer(bits.getType(), -1));
      }
      if (op.isPacked()) {
        bits = b.create<arith::ShLIOp>(b.create<arith::ExtUIOp>(i32Type, bits), i32(16));
        bits = b.create<arith::OrIOp>(bits, placeOf(registers, reg));
      }
      elements.push_back(bits);
    }
    store(elements, registers, words.arrays[key]);
  }
  if (op.isPacked())
    return;
  const TileRegisters &registers = registersOf(op.getSources().front().getType());
  SmallVector<Value> indices;
  for (int64_t reg = 0; reg < registers.placement.registersPerThread(); ++reg)
    indices.push_back(b.create<arith::TruncIOp>(builder.getI16Type(), placeOf(registers, reg)));
  store(indices, registers, words.arrays.back());
}

/// Of two elements, the first is the lesser one, or, in a run that is reversed, the greater one.
static void exchange(ScalarBuilder &b, MutableArrayRef<Value> first, MutableArrayRef<Value> second, Value isReversed) {
  Value exceeds;
  for (size_t i = first.size(); i-- > 0;) {
    Value greater = b.compare(arith::CmpIPredicate::ugt, first[i], second[i]);
    exceeds = exceeds ? b.select(b.compare(arith::CmpIPredicate::eq, first[i], second[i]), exceeds, greater) : greater;
  }
  Value changes = b.create<arith::XOrIOp>(exceeds, isReversed);
  for (auto [one, other] : llvm::zip_equal(first, second)) {
    Value before = one;
    one = b.select(changes, other, before);
    other = b.select(changes, before, other);
  }
}

void KernelLowering::loopFrom(Value from, Value to, Value step, function_ref<void(Value)> body) {
  auto loop = builder.create<scf::ForOp>(here, from, to, step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  body(loop.getInductionVar());
}

/// The steps of a stage that exchange elements 2^(low + bits - 1), ..., 2^low places apart: a thread has 2^bits of them
/// together in registers.
void KernelLowering::exchangeWords(tile::SortOp op, const SortedRows &rows, Value stage, Value low, int64_t bits) {
  ScalarBuilder b = scalars(op);
  SortedWords words(op, rows.count());
  int64_t length = op.getType().getDimSize(static_cast<int64_t>(op.getAxis())), count = int64_t(1) << bits;
  Value one = i32(1), below = b.create<arith::SubIOp>(b.create<arith::ShLIOp>(one, low), one);
  SmallVector<Value> apart(count, i32(0)); // Of numbers that differ in bits, so do their places.
  for (int64_t i = 1; i < count; ++i) {
    int64_t highest = int64_t(llvm::bit_floor(uint64_t(i)));
    apart[i] = i == highest ? spread(b, b.create<arith::ShLIOp>(i32(i), low))
                            : b.create<arith::XOrIOp>(apart[highest], apart[i - highest]);
  }
  loopFrom(threadInGroup(), i32(rows.count() / count), i32(kernel.getGroup()), [&](Value number) {
    Value within = b.create<arith::AndIOp>(number, below);
    Value first = b.create<arith::ShLIOp>(b.create<arith::SubIOp>(number, within), i32(bits));
    first = b.create<arith::OrIOp>(first, within);
    Value run = b.create<arith::ShRUIOp>(b.create<arith::AndIOp>(first, i32(length - 1)), stage);
    Value isReversed = b.compare(arith::CmpIPredicate::ne, b.create<arith::AndIOp>(run, one), i32(0));
    Value place = spread(b, first);
    SmallVector<SmallVector<Value>> addresses(count), loaded(count);
    for (int64_t i = 0; i < count; ++i)
      for (const WordArray &array : words.arrays) {
        Value own = b.create<arith::MulIOp>(b.create<arith::XOrIOp>(place, apart[i]), i32(array.bytes));
        addresses[i].push_back(atByte(atByte(scratch(), array.offset), own));
        loaded[i].push_back(
            builder.create<LLVM::LoadOp>(here, array.type, addresses[i].back(), static_cast<unsigned>(array.bytes)));
      }
    for (int64_t distance = count / 2; distance > 0; distance /= 2)
      for (int64_t i = 0; i < count; ++i)
        if (!(i & distance))
          exchange(b, loaded[i], loaded[i + distance], isReversed);
    for (int64_t i = 0; i < count; ++i)
      for (auto [array, address, word] : llvm::zip_equal(words.arrays, addresses[i], loaded[i]))
        builder.create<LLVM::StoreOp>(here, word, address, static_cast<unsigned>(array.bytes));
  });
  groupBarrier();
}

/// Sorts the words of all rows: three steps of a stage at a time, behind one or two that are left over.
void KernelLowering::sortWords(tile::SortOp op, const SortedRows &rows) {
  constexpr int64_t together = 3;
  ScalarBuilder b = scalars(op);
  int64_t stages = llvm::Log2_64(op.getType().getDimSize(static_cast<int64_t>(op.getAxis())));
  loopFrom(i32(1), i32(stages + 1), i32(1), [&](Value stage) {
    Value left = b.create<arith::RemUIOp>(stage, i32(together)), rest = b.create<arith::SubIOp>(stage, left);
    for (int64_t bits = 1; bits < std::min(together, stages + 1); ++bits) {
      auto branch = builder.create<scf::IfOp>(here, b.compare(arith::CmpIPredicate::eq, left, i32(bits)),
                                              /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
      exchangeWords(op, rows, stage, rest, bits);
    }
    if (stages < together)
      return;
    loopFrom(i32(0), rest, i32(together), [&](Value done) {
      exchangeWords(op, rows, stage, b.create<arith::SubIOp>(b.create<arith::SubIOp>(rest, i32(together)), done),
                    together);
    });
  });
}

/// Where rows begin that are sorted together; not those of which none is there.
static SmallVector<layout::Coordinate> startsOfRows(tile::SortOp op, const layout::Boxes &boxes) {
  std::vector<int64_t> extents = tile::exchangedExtentsOf(op);
  extents[op.getAxis()] = op.getType().getDimSize(static_cast<int64_t>(op.getAxis()));
  SmallVector<layout::Coordinate> starts;
  for (int64_t number = 0; number < boxes.count(); ++number) {
    layout::Coordinate start = boxes.start(number);
    if (llvm::all_of(llvm::zip(start, extents), [](auto pair) { return std::get<0>(pair) < std::get<1>(pair); }))
      starts.push_back(std::move(start));
  }
  return starts;
}

/// Puts the elements of each tile into the order that their indices in scratch say. `results` has one for each
/// register, and after the last rows these are the tiles.
void KernelLowering::takeSorted(tile::SortOp op, const SortedRows &rows, std::vector<SmallVector<Value>> &results) {
  ScalarBuilder b = scalars(op);
  SmallVector<int64_t> ofRows = rows.strides;
  ofRows[op.getAxis()] = 0;
  WordArray indices = SortedWords(op, rows.count()).arrays.back();
  SmallVector<SmallVector<Value>> places; // Of each result, which element of the row goes where.
  for (Value result : op.getResults()) {
    SmallVector<Value> &own = places.emplace_back();
    if (result.use_empty())
      continue;
    const TileRegisters &registers = registersOf(result.getType());
    for (Value place : placesOfWords(registers, rows, indices.offset, indices.bytes)) {
      if (!place) {
        own.push_back({});
        continue;
      }
      Value word = builder.create<LLVM::LoadOp>(here, indices.type, place, static_cast<unsigned>(indices.bytes));
      own.push_back(op.isPacked() ? b.create<arith::AndIOp>(word, i32(0xffff))
                                  : b.create<arith::ExtUIOp>(builder.getI32Type(), word));
    }
  }
  for (auto [source, result, own, found] : llvm::zip_equal(op.getSources(), op.getResults(), places, results)) {
    if (own.empty())
      continue;
    const TileRegisters &from = registersOf(source.getType()), &to = registersOf(result.getType());
    SmallVector<Value> elements;
    for (int64_t reg = 0; reg < from.placement.registersPerThread(); ++reg)
      elements.push_back(b.extract(tiles.find(source)->second[reg / from.lanes], reg % from.lanes));
    groupBarrier();
    storeElements(elements, from, rows);
    groupBarrier();
    bool isBool = to.elementType().isInteger(1);
    Type memory = isBool ? builder.getI8Type() : to.elementType();
    int64_t bytes = tile::bytesOf(to.elementType());
    Value base = atByte(scratch(), threadOffset(to, ofRows, bytes, rows.boxes));
    Value isIn = isInBox(to, rows.boxes.share(to.placement, rows.start));
    for (auto [reg, place] : llvm::enumerate(own)) {
      if (!place)
        continue;
      layout::Coordinate part = rows.boxes.within(to.placement.registerPart(static_cast<int64_t>(reg)));
      Value address = atByte(base, dotProduct(part, ofRows) * bytes);
      address = atByte(address, b.create<arith::MulIOp>(place, i32(bytes)));
      Value value = builder.create<LLVM::LoadOp>(here, memory, address, static_cast<unsigned>(bytes));
      value = isBool ? b.compare(arith::CmpIPredicate::ne, value, b.zero(memory)) : value;
      // A register that belongs to several boxes, as the thread says, has been in others before.
      found[reg] = isIn && found[reg] ? b.select(isIn, value, found[reg]) : value;
    }
    if (rows.start != startsOfRows(op, rows.boxes).back())
      continue;
    for (Value &element : found)
      element = element ? element : b.zero(to.elementType());
    Registers sorted;
    for (int64_t i = 0; i < to.count(); ++i)
      sorted.push_back(b.gather(ArrayRef(found).slice(i * to.lanes, to.lanes)));
    tiles[result] = std::move(sorted);
  }
}

LogicalResult KernelLowering::lowerSort(tile::SortOp op) {
  auto axis = static_cast<int64_t>(op.getAxis());
  ArrayRef<int64_t> shape = op.getType().getShape();
  if (uint64_t next = llvm::PowerOf2Ceil(static_cast<uint64_t>(shape[axis])); !llvm::isPowerOf2_64(shape[axis]))
    return op.emitError() << "the number of elements of a row that is sorted in tg::kernel must be a power of two, not "
                          << shape[axis] << ": load the window of " << next << " that begins there, tg::ds<" << next
                          << ">(start), and make the additional elements sort last, tg::where(tg::iota<int, " << next
                          << ">() < " << shape[axis] << ", t, tg::inf)";
  SortedRows rows{boxesOfSort(op), {}, {}};
  rows.strides = stridesOfRows(rows.boxes.shape(), axis);
  std::vector<SmallVector<Value>> results;
  for (Value result : op.getResults())
    results.emplace_back(registersOf(result.getType()).placement.registersPerThread());
  for (const layout::Coordinate &start : startsOfRows(op, rows.boxes)) {
    rows.start = start;
    groupBarrier(); // Others may still read what was there.
    storeWords(op, rows);
    groupBarrier();
    sortWords(op, rows);
    takeSorted(op, rows, results);
  }
  return success();
}

} // namespace tegula::lower
