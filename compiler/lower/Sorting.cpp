// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that are sorted along a dimension, by a bitonic network in shared memory. What is compared are words: the bits
// of each key, as unsigned numbers in the order of the keys, and the index of the element, by which no two are equal,
// so that the order is stable. A key of up to 16 bits shares a word with the index. Rows lie one after the other:
//
//   keys of row 0, keys of row 1, ...   next keys ...   indices of row 0, ...
//
// Stage s makes sorted runs of 2^s elements from pairs of runs, every other run in reverse, in steps that exchange
// elements 2^(s-1), ..., 2, 1 places apart. The elements themselves go through the same memory afterwards, each tile on
// its own, and are read at the indices.
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

  explicit SortedWords(tile::SortOp op) {
    Builder builder(op.getContext());
    int64_t count = op.getType().getNumElements();
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

/// An unsigned number whose order is that of the keys. NaN is the greatest.
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

layout::Boxes wholeOf(RankedTensorType type) {
  return layout::Boxes(std::vector<int64_t>(type.getShape().begin(), type.getShape().end()));
}

} // namespace

int64_t KernelLowering::scratchOfSort(tile::SortOp op) {
  int64_t most = SortedWords(op).end;
  for (Value source : op.getSources())
    most = std::max(most, op.getType().getNumElements() * tile::bytesOf(getElementTypeOrSelf(source.getType())));
  return most;
}

/// Stores what a thread has of a tile, one value for each register, to an array in scratch.
void KernelLowering::storeElements(Value array, ArrayRef<Value> elements, const TileRegisters &registers,
                                   ArrayRef<int64_t> strides) {
  ScalarBuilder b = scalars();
  int64_t bytes = tile::bytesOf(elements.front().getType());
  Value base = atByte(array, threadOffset(registers, strides, bytes, wholeOf(registers.type)));
  for (auto [reg, element] : llvm::enumerate(elements)) {
    Value stored = element.getType().isInteger(1) ? b.create<arith::ExtUIOp>(builder.getI8Type(), element) : element;
    builder.create<LLVM::StoreOp>(here, stored,
                                  atByte(base, dotProduct(registers.placement.registerPart(reg), strides) * bytes),
                                  static_cast<unsigned>(bytes));
  }
}

/// Writes the words of all elements that this thread has.
void KernelLowering::storeWords(tile::SortOp op, ArrayRef<int64_t> strides) {
  ScalarBuilder b = scalars(op);
  auto axis = static_cast<int64_t>(op.getAxis());
  SortedWords words(op);
  Type i32Type = builder.getI32Type();
  Value extent = op.getExtent() ? b.create<arith::TruncIOp>(i32Type, values.lookup(op.getExtent())) : Value();
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
    storeElements(atByte(scratch(), words.arrays[key].offset), elements, registers, strides);
  }
  if (op.isPacked())
    return;
  const TileRegisters &registers = registersOf(op.getSources().front().getType());
  SmallVector<Value> indices;
  for (int64_t reg = 0; reg < registers.placement.registersPerThread(); ++reg)
    indices.push_back(b.create<arith::TruncIOp>(builder.getI16Type(), placeOf(registers, reg)));
  storeElements(atByte(scratch(), words.arrays.back().offset), indices, registers, strides);
}

/// Two elements change places if they are in the wrong order.
void KernelLowering::exchangeInOrder(tile::SortOp op, Value low, Value high, Value isReverse) {
  ScalarBuilder b = scalars(op);
  SortedWords words(op);
  SmallVector<Value> first, second, firstPlaces, secondPlaces;
  for (const WordArray &array : words.arrays) {
    auto load = [&](Value number, SmallVectorImpl<Value> &places, SmallVectorImpl<Value> &loaded) {
      places.push_back(atByte(atByte(scratch(), array.offset), b.create<arith::MulIOp>(number, i32(array.bytes))));
      loaded.push_back(
          builder.create<LLVM::LoadOp>(here, array.type, places.back(), static_cast<unsigned>(array.bytes)));
    };
    load(low, firstPlaces, first);
    load(high, secondPlaces, second);
  }
  Value exceeds;
  for (size_t i = words.arrays.size(); i-- > 0;) {
    Value greater = b.compare(arith::CmpIPredicate::ugt, first[i], second[i]);
    Value equal = exceeds ? b.compare(arith::CmpIPredicate::eq, first[i], second[i]) : Value();
    exceeds = exceeds ? b.select(equal, exceeds, greater) : greater;
  }
  auto branch = builder.create<scf::IfOp>(here, b.create<arith::XOrIOp>(exceeds, isReverse), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  for (auto [i, array] : llvm::enumerate(words.arrays)) {
    builder.create<LLVM::StoreOp>(here, second[i], firstPlaces[i], static_cast<unsigned>(array.bytes));
    builder.create<LLVM::StoreOp>(here, first[i], secondPlaces[i], static_cast<unsigned>(array.bytes));
  }
}

/// Sorts the words of all rows.
void KernelLowering::sortWords(tile::SortOp op) {
  ScalarBuilder b = scalars(op);
  int64_t length = op.getType().getDimSize(static_cast<int64_t>(op.getAxis()));
  auto loop = [&](Value from, Value to, Value step, function_ref<void(Value)> body) {
    auto made = builder.create<scf::ForOp>(here, from, to, step);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(made.getBody()->getTerminator());
    body(made.getInductionVar());
  };
  Value one = i32(1), pairs = i32(op.getType().getNumElements() / 2), group = i32(kernel.getGroup());
  loop(one, i32(llvm::Log2_64(length) + 1), one, [&](Value stage) {
    loop(i32(0), stage, one, [&](Value step) {
      Value bit = b.create<arith::SubIOp>(b.create<arith::SubIOp>(stage, one), step);
      Value distance = b.create<arith::ShLIOp>(one, bit), below = b.create<arith::SubIOp>(distance, one);
      loop(threadInGroup(), pairs, group, [&](Value pair) {
        Value low = b.create<arith::AndIOp>(pair, below);
        Value rest = b.create<arith::SubIOp>(pair, low);
        low = b.create<arith::OrIOp>(b.create<arith::ShLIOp>(rest, one), low);
        Value inRow = b.create<arith::AndIOp>(low, i32(length - 1));
        Value run = b.create<arith::AndIOp>(b.create<arith::ShRUIOp>(inRow, stage), one);
        exchangeInOrder(op, low, b.create<arith::OrIOp>(low, distance),
                        b.compare(arith::CmpIPredicate::ne, run, i32(0)));
      });
      groupBarrier();
    });
  });
}

LogicalResult KernelLowering::lowerSort(tile::SortOp op) {
  ScalarBuilder b = scalars(op);
  auto axis = static_cast<int64_t>(op.getAxis());
  ArrayRef<int64_t> shape = op.getType().getShape();
  if (!llvm::isPowerOf2_64(shape[axis]))
    return op.emitOpError("sorts rows of ") << shape[axis] << " elements, which is no power of two";
  SmallVector<int64_t> strides = stridesOfRows(shape, axis), ofRows = strides;
  ofRows[axis] = 0;
  groupBarrier(); // Others may still read what was there.
  storeWords(op, strides);
  groupBarrier();
  sortWords(op);

  WordArray indices = SortedWords(op).arrays.back();
  SmallVector<SmallVector<Value>> places; // Of each result, which element of the row goes where.
  for (Value result : op.getResults()) {
    SmallVector<Value> &own = places.emplace_back();
    if (result.use_empty())
      continue;
    const TileRegisters &registers = registersOf(result.getType());
    Value base = atByte(atByte(scratch(), indices.offset),
                        threadOffset(registers, strides, indices.bytes, wholeOf(registers.type)));
    for (int64_t reg = 0; reg < registers.placement.registersPerThread(); ++reg) {
      int64_t offset = dotProduct(registers.placement.registerPart(reg), strides) * indices.bytes;
      Value word =
          builder.create<LLVM::LoadOp>(here, indices.type, atByte(base, offset), static_cast<unsigned>(indices.bytes));
      own.push_back(op.isPacked() ? b.create<arith::AndIOp>(word, i32(0xffff))
                                  : b.create<arith::ExtUIOp>(builder.getI32Type(), word));
    }
  }
  for (auto [source, result, own] : llvm::zip_equal(op.getSources(), op.getResults(), places)) {
    if (own.empty())
      continue;
    const TileRegisters &from = registersOf(source.getType()), &to = registersOf(result.getType());
    SmallVector<Value> elements, found;
    for (int64_t reg = 0; reg < from.placement.registersPerThread(); ++reg)
      elements.push_back(b.extract(tiles.find(source)->second[reg / from.lanes], reg % from.lanes));
    groupBarrier();
    storeElements(scratch(), elements, from, strides);
    groupBarrier();
    bool isBool = to.elementType().isInteger(1);
    Type memory = isBool ? builder.getI8Type() : to.elementType();
    int64_t bytes = tile::bytesOf(to.elementType());
    Value base = atByte(scratch(), threadOffset(to, ofRows, bytes, wholeOf(to.type)));
    for (auto [reg, place] : llvm::enumerate(own)) {
      Value address = atByte(base, dotProduct(to.placement.registerPart(reg), ofRows) * bytes);
      address = atByte(address, b.create<arith::MulIOp>(place, i32(bytes)));
      Value value = builder.create<LLVM::LoadOp>(here, memory, address, static_cast<unsigned>(bytes));
      found.push_back(isBool ? b.compare(arith::CmpIPredicate::ne, value, b.zero(memory)) : value);
    }
    Registers sorted;
    for (int64_t i = 0; i < to.count(); ++i)
      sorted.push_back(b.gather(ArrayRef(found).slice(i * to.lanes, to.lanes)));
    tiles[result] = std::move(sorted);
  }
  return success();
}

} // namespace tegula::lower
