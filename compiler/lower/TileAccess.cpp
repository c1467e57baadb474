// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/TileAccess.h"

#include "lower/Packed.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula::lower {

/// Of packed elements, an access fills as many registers as one of bytes.
static constexpr int64_t widestAccess = 16, widestPackedAccess = 8;

/// As in memory: a bool is a byte, and so are two packed elements, which are bytes in registers.
static Type memoryTypeOf(const TileRegisters &registers) {
  Type element = registers.elementType();
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8) : element;
}

int64_t TileAccess::widthOf(const TileRegisters &registers, tile::RefType type) {
  if (tegula::isPacked(type.getElementType()))
    return std::clamp(2 * std::min(type.getAlignment(), widestPackedAccess), int64_t(1), registers.lanes);
  int64_t bytes = memoryTypeOf(registers).getIntOrFloatBitWidth() / 8;
  int64_t width = std::clamp(std::min(type.getAlignment(), widestAccess) / bytes, int64_t(1), registers.lanes);
  return bytes == 1 && width == 2 ? 1 : width; // LLVM goes through the stack to pack two bytes.
}

TileAccess::TileAccess(ScalarBuilder builder, const TileRegisters &registers, tile::RefType type, const LoweredRef &ref,
                       ArrayRef<Value> thread, Value guard, const IndirectRows *rows)
    : b(builder), registers(registers), ref(ref), guard(guard), element(type.getElementType()),
      memoryElement(memoryTypeOf(registers)), isPacked(tegula::isPacked(element)), width(widthOf(registers, type)),
      isEven(type.getIsEven()), rowsOfData(rows) {
  Type i64 = b.builder.getI64Type(), i32 = b.builder.getI32Type();
  Value offset;
  for (auto [coordinate, stride] : llvm::zip(thread, ref.strides)) {
    if (matchPattern(coordinate, m_Zero()))
      continue;
    Value term = b.create<arith::MulIOp>(b.create<arith::ExtUIOp>(i64, coordinate), stride);
    offset = offset ? b.create<arith::AddIOp>(offset, term) : term;
  }
  threadPointer = hasConstants() ? ref.commonBase() : ref.base;
  threadOffset = offset;
  if (offset && !rows)
    threadPointer = elementAt(b, threadPointer, offset, element);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!type.isExact(dim)) {
      maskedDims.push_back(dim);
      // Tiles are small: 32 bits hold what is left of the extent.
      Value extent = b.create<arith::TruncIOp>(i32, ref.dims[dim]);
      room.push_back(b.create<arith::SubIOp>(extent, thread[dim]));
    }
  if (isRagged()) { // Chunks begin at multiples of their width.
    tailLength = b.create<arith::AndIOp>(room.back(), b.integer(i32, width - 1));
    tailStart = b.create<arith::AndIOp>(room.back(), b.integer(i32, -width));
  }
  makeChunks();
}

Type TileAccess::chunkType() const {
  int64_t count = isPacked ? chunkBytes() : width;
  return count == 1 ? memoryElement : VectorType::get(count, memoryElement);
}

/// In elements; null if it is 0.
Value TileAccess::offsetOf(ArrayRef<int64_t> part) {
  Type i64 = b.builder.getI64Type();
  Value offset;
  for (auto [dim, stride] : llvm::enumerate(ref.strides)) {
    int64_t coordinate = part[dim] + (hasConstants() ? ref.constantOf(dim) : 0);
    if (coordinate == 0)
      continue;
    Value term = b.create<arith::MulIOp>(stride, b.integer(i64, coordinate));
    offset = offset ? b.create<arith::AddIOp>(offset, term) : term;
  }
  return offset;
}

Value TileAccess::address(Value from, ArrayRef<int64_t> part) {
  Value offset = offsetOf(part);
  return offset ? elementAt(b, from, offset, element) : from;
}

/// Whether a coordinate is inside in all dims but the last; null if it always is.
Value TileAccess::isInsideOuter(ArrayRef<int64_t> part) {
  Value inside;
  for (auto [dim, left] : llvm::zip(maskedDims, room)) {
    if (dim + 1 == part.size())
      continue;
    Value own = b.compare(arith::CmpIPredicate::sgt, left, b.integer(left.getType(), part[dim]));
    inside = inside ? b.create<arith::AndIOp>(inside, own) : own;
  }
  return inside;
}

/// Whether a whole chunk at this coordinate is inside. A row outside has no room, so that one comparison tells for each
/// of several chunks: there are few predicates.
Value TileAccess::isInside(layout::Coordinate part) {
  Value outer = isInsideOuter(part);
  if (maskedDims.back() + 1 != part.size())
    return outer;
  Value end = b.integer(room.back().getType(), part.back() + width - 1);
  part.back() = 0;
  RowChunks &row = chunksOf[part];
  if (!outer || row.count == 1) {
    Value inside = b.compare(arith::CmpIPredicate::sgt, room.back(), end);
    return outer ? b.create<arith::AndIOp>(outer, inside) : inside;
  }
  if (!row.room)
    row.room = b.select(outer, room.back(), b.zero(room.back().getType()));
  return b.compare(arith::CmpIPredicate::sgt, row.room, end);
}

Value TileAccess::guarded(Value condition) { return guard ? b.create<arith::AndIOp>(condition, guard) : condition; }

Value TileAccess::both(Value left, Value right) {
  return left && right ? b.create<arith::AndIOp>(left, right) : left ? left : right;
}

/// Where the row of a register begins for this thread.
Value TileAccess::rowStart(int64_t reg) {
  if (!rowsOfData)
    return threadPointer;
  Value start = rowsOfData->starts[reg];
  if (!threadOffset)
    return start;
  return elementAt(b, start, threadOffset, element);
}

void TileAccess::makeChunks() {
  for (int64_t reg = 0; isMasked() && reg < registers.placement.registersPerThread(); reg += width) {
    layout::Coordinate row = registers.placement.registerPart(reg);
    if (!row.empty())
      row.back() = 0;
    ++chunksOf[row].count;
  }
  for (int64_t reg = 0; reg < registers.placement.registersPerThread(); reg += width) {
    layout::Coordinate part = registers.placement.registerPart(reg);
    Chunk &chunk = chunks.emplace_back();
    if (areHalves())
      placeHalf(chunk, reg, part);
    else
      chunk.pointer = address(rowStart(reg), part);
    if (isPredicated())
      chunk.inside = guarded(both(isMasked() ? isInside(part) : Value(), hasGaps() ? rowsOfData->exist[reg] : Value()));
    if (isRagged())
      makePartial(chunks.size() - 1, reg);
  }
}

void TileAccess::placeHalf(Chunk &chunk, int64_t reg, ArrayRef<int64_t> part) {
  Type i64 = b.builder.getI64Type(), i8 = b.builder.getI8Type();
  Value offset = b.integer(i64, 0);
  for (Value each : {threadOffset, offsetOf(part), ref.half})
    if (each)
      offset = b.create<arith::AddIOp>(offset, each);
  chunk.pointer = elementAt(b, rowsOfData ? rowsOfData->starts[reg] : ref.base, offset, element);
  Value isSecond = b.create<arith::TruncIOp>(i8, b.create<arith::AndIOp>(offset, b.integer(i64, 1)));
  chunk.shift = b.create<arith::ShLIOp>(isSecond, b.integer(i8, 2));
}

void TileAccess::makePartial(size_t index, int64_t reg) {
  Chunk &chunk = chunks[index];
  layout::Coordinate part = registers.placement.registerPart(reg);
  Type i32 = tailStart.getType();
  Value isHere = b.compare(arith::CmpIPredicate::eq, tailStart, b.integer(i32, part.back()));
  Value isSome = b.compare(arith::CmpIPredicate::ne, tailLength, b.integer(i32, 0));
  chunk.partial = guarded(b.create<arith::AndIOp>(isHere, isSome));
  if (Value outer = both(isInsideOuter(part), hasGaps() ? rowsOfData->exist[reg] : Value()))
    chunk.partial = b.create<arith::AndIOp>(chunk.partial, outer);

  part.back() = 0;
  auto [known, isNew] = rowAt.try_emplace(part, rows.size());
  chunk.row = known->second;
  if (isNew) { // The last dim has stride 1, or there would be no wide chunks.
    Value start = b.create<arith::ExtSIOp>(b.builder.getI64Type(), tailStart);
    Value pointer = address(rowStart(reg), part);
    rows.push_back({{}, elementAt(b, pointer, start, element), {}});
  }
  Row &row = rows[chunk.row];
  row.chunks.push_back(index);
  row.hasPartial = row.hasPartial ? b.create<arith::OrIOp>(row.hasPartial, chunk.partial) : chunk.partial;
}

Value TileAccess::hasLane(const Row &row, int64_t lane) {
  Value reaches = b.compare(arith::CmpIPredicate::sgt, tailLength, b.integer(tailLength.getType(), lane));
  return b.create<arith::AndIOp>(row.hasPartial, reaches);
}

Value TileAccess::lanePointer(const Row &row, int64_t lane) {
  return b.builder.create<LLVM::GEPOp>(b.loc, row.pointer.getType(), memoryElement, row.pointer,
                                       LLVM::GEPArg(static_cast<int32_t>(lane)));
}

// ---- Single accesses ------------------------------------------------------------------------------------------------

/// The bytes of bools, each on its own: LLVM goes through the stack to take apart two bytes.
Value TileAccess::toMemory(Value value) {
  if (isPacked)
    return areHalves() ? value : packed(b, value);
  if (!registers.elementType().isInteger(1))
    return value;
  return b.forEachLane(value, [&](ValueRange lane) { return b.create<arith::ExtUIOp>(memoryElement, lane.front()); });
}

Value TileAccess::fromMemory(Value value) {
  if (isPacked)
    return areHalves() ? value : unpacked(b, value, element);
  if (!registers.elementType().isInteger(1))
    return value;
  return b.forEachLane(
      value, [&](ValueRange lane) { return b.compare(arith::CmpIPredicate::ne, lane.front(), b.zero(memoryElement)); });
}

Value TileAccess::fromChunk(const Chunk &chunk, Value memory) {
  return areHalves() ? halfOf(b, memory, chunk.shift, element) : memory;
}

void TileAccess::storeElement(const Chunk &chunk, Value value, Value predicate) {
  if (areHalves())
    storeHalf(b, chunk.pointer, chunk.shift, value, predicate);
  else
    assemblyStore(chunk.pointer, predicate, toMemory(value));
}

/// Small elements travel packed in words of 32 bits, which LLVM knows how to access in vectors.
static Type packedType(OpBuilder &builder, Type type, int64_t bytes) {
  if (!isa<VectorType>(type) || getElementTypeOrSelf(type).getIntOrFloatBitWidth() >= 32)
    return type;
  if (bytes <= 4)
    return builder.getIntegerType(bytes * 8);
  return VectorType::get(bytes / 4, builder.getI32Type());
}

static Value bitcast(ScalarBuilder &b, Type type, Value value) {
  return value.getType() == type ? value : b.builder.create<LLVM::BitcastOp>(b.loc, type, value);
}

Value TileAccess::plainLoad(Value pointer, bool readOnly) {
  Type type = packedType(b.builder, chunkType(), chunkBytes());
  auto load = b.builder.create<LLVM::LoadOp>(b.loc, type, pointer, static_cast<unsigned>(chunkBytes()));
  load.setInvariant(readOnly);
  return bitcast(b, chunkType(), load);
}

void TileAccess::plainStore(Value pointer, Value value) {
  if (memoryElement.isInteger(8) && chunkBytes() >= 8) // LLVM stores vectors of bytes word by word.
    return assemblyStore(pointer, {}, value);
  Type type = packedType(b.builder, chunkType(), chunkBytes());
  b.builder.create<LLVM::StoreOp>(b.loc, bitcast(b, type, value), pointer, static_cast<unsigned>(chunkBytes()));
}

/// What a predicated access moves: how it is called in PTX and in constraints of inline assembly.
struct Words {
  Type type;
  int count;
  char constraint;
  std::string suffix;
};

/// Words are elements where these have 32 or 64 bits: nothing is packed or taken apart then.
static Words wordsOf(OpBuilder &builder, Type type) {
  auto vector = dyn_cast<VectorType>(type);
  Type element = getElementTypeOrSelf(type);
  int64_t width = element.getIntOrFloatBitWidth(), bits = width * (vector ? vector.getNumElements() : 1);
  if (bits < 32) // PTX has no registers of 8 bits.
    return {builder.getI16Type(), 1, 'h', "b" + std::to_string(bits)};
  int64_t word = std::max<int64_t>(32, width), count = bits / word;
  std::string suffix = (count > 1 ? "v" + std::to_string(count) + ".b" : "b") + std::to_string(word);
  if (width == word && isa<FloatType>(element))
    return {element, static_cast<int>(count), word == 32 ? 'f' : 'd', suffix};
  return {builder.getIntegerType(word), static_cast<int>(count), word == 32 ? 'r' : 'l', suffix};
}

Value TileAccess::predicatedLoad(Value pointer, Value predicate, Type type, bool readOnly, Value otherwise) {
  OpBuilder &builder = b.builder;
  Words words = wordsOf(builder, type);
  std::string name(1, words.constraint), text, outputs, list;
  unsigned registerBits = words.type.getIntOrFloatBitWidth();
  for (int i = 0; i < words.count; ++i) {
    text += "mov.b" + std::to_string(registerBits) + " $" + std::to_string(i) + (otherwise ? ", $3; " : ", 0; ");
    outputs += "=&" + name + ",";
    list += (i ? ", $" : "$") + std::to_string(i);
  }
  text += "@$" + std::to_string(words.count + 1) + " ld.global" + (readOnly ? ".nc." : ".") + words.suffix + " " +
          (words.count > 1 ? "{" + list + "}" : list) + ", [$" + std::to_string(words.count) + "];";
  SmallVector<Type> members(words.count, words.type);
  Type result = words.count > 1 ? LLVM::LLVMStructType::getLiteral(builder.getContext(), members) : words.type;
  SmallVector<Value> operands{pointer, predicate};
  std::string inputs = "l,b";
  if (otherwise) {
    if (type != words.type) {
      otherwise = bitcast(b, builder.getIntegerType(type.getIntOrFloatBitWidth()), otherwise);
      otherwise = b.create<arith::ExtUIOp>(words.type, otherwise);
    }
    operands.push_back(otherwise);
    inputs += "," + name;
  }
  auto assembly = builder.create<LLVM::InlineAsmOp>(
      b.loc, result, operands, builder.getStringAttr(text),
      builder.getStringAttr(outputs + inputs + (readOnly ? "" : ",~{memory}")), /*has_side_effects=*/!readOnly,
      /*is_align_stack=*/false, LLVM::AsmDialectAttr(), ArrayAttr());
  Value value = assembly.getRes();
  if (words.count > 1) {
    SmallVector<Value> parts;
    for (int64_t i = 0; i < words.count; ++i)
      parts.push_back(builder.create<LLVM::ExtractValueOp>(b.loc, value, i));
    value = b.gather(parts);
  } else if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() == 8 && !isa<VectorType>(type)) {
    value = b.create<arith::TruncIOp>(builder.getI8Type(), value);
  }
  return bitcast(b, type, value);
}

void TileAccess::assemblyStore(Value pointer, Value predicate, Value value) {
  OpBuilder &builder = b.builder;
  Type type = value.getType();
  Words words = wordsOf(builder, type);
  if (type.isInteger(8))
    value = b.create<arith::ExtUIOp>(words.type, value);
  value = bitcast(b, words.count > 1 ? Type(VectorType::get(words.count, words.type)) : words.type, value);
  SmallVector<Value> operands{pointer};
  std::string inputs = "l", list;
  for (int i = 0; i < words.count; ++i) {
    operands.push_back(b.extract(value, i));
    inputs += std::string(",") + words.constraint;
    list += (i ? ", $" : "$") + std::to_string(i + 1);
  }
  std::string text = "st.global." + words.suffix + " [$0], " + (words.count > 1 ? "{" + list + "}" : list) + ";";
  if (predicate) {
    operands.push_back(predicate);
    inputs += ",b";
    text = "@$" + std::to_string(words.count + 1) + " " + text;
  }
  builder.create<LLVM::InlineAsmOp>(b.loc, TypeRange(), operands, builder.getStringAttr(text),
                                    builder.getStringAttr(inputs + ",~{memory}"), /*has_side_effects=*/true,
                                    /*is_align_stack=*/false, LLVM::AsmDialectAttr(), ArrayAttr());
}

// ---- Tiles ----------------------------------------------------------------------------------------------------------

/// A predicated load needs a value for what is outside, an instruction for each word. A window that ends where a chunk
/// does is often as large as its tile, which is so for all threads or for none: plain loads are for that.
SmallVector<Value> TileAccess::loadChunks(bool readOnly, bool mayBranch) {
  auto load = [&](bool predicated) {
    return llvm::map_to_vector(chunks, [&](const Chunk &chunk) {
      return predicated ? predicatedLoad(chunk.pointer, chunk.inside, chunkType(), readOnly)
                        : plainLoad(chunk.pointer, readOnly);
    });
  };
  if (!isMasked() || hasGaps() || !isEven || !mayBranch || chunks.size() == 1)
    return load(isPredicated());
  Value isWhole;
  for (unsigned dim : maskedDims) {
    Value size = b.integer(b.builder.getI64Type(), registers.type.getDimSize(dim));
    Value fits = b.compare(arith::CmpIPredicate::sge, ref.dims[dim], size);
    isWhole = isWhole ? b.create<arith::AndIOp>(isWhole, fits) : fits;
  }
  SmallVector<Type> types(chunks.size(), chunkType());
  auto branch = b.builder.create<scf::IfOp>(b.loc, types, isWhole, /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard insertion(b.builder);
  for (bool whole : {true, false}) {
    b.builder.setInsertionPointToStart(whole ? branch.thenBlock() : branch.elseBlock());
    b.builder.create<scf::YieldOp>(b.loc, load(!whole));
  }
  return branch.getResults();
}

Registers TileAccess::load(bool readOnly, bool mayBranch) {
  SmallVector<Value> values = loadChunks(readOnly, mayBranch);
  for (const Row &row : rows)
    loadPartial(row, values, readOnly);
  for (auto [chunk, value] : llvm::zip(chunks, values))
    value = fromChunk(chunk, value);

  Registers result;
  int64_t chunksPerVector = registers.lanes / width;
  for (int64_t i = 0; i < registers.count(); ++i)
    result.push_back(fromMemory(b.concat(ArrayRef(values).slice(i * chunksPerVector, chunksPerVector))));
  return result;
}

Registers TileAccess::loadAround(bool readOnly) {
  int64_t before = (ref.constantOf(registers.type.getRank() - 1) % width + width) % width;
  if (before == 0)
    return load(readOnly, /*mayBranch=*/false);
  auto loadAt = [&](layout::Coordinate part, int64_t distance) {
    part.back() += distance;
    return plainLoad(address(threadPointer, part), readOnly);
  };
  SmallVector<Value> values;
  for (int64_t reg = 0; reg < registers.placement.registersPerThread(); reg += width) {
    layout::Coordinate part = registers.placement.registerPart(reg);
    Value both = b.concat({loadAt(part, -before), loadAt(part, width - before)});
    values.push_back(b.slice(both, before, width));
  }
  Registers result;
  int64_t chunksPerVector = registers.lanes / width;
  for (int64_t i = 0; i < registers.count(); ++i)
    result.push_back(fromMemory(b.concat(ArrayRef(values).slice(i * chunksPerVector, chunksPerVector))));
  return result;
}

/// Loads into other registers, and selects afterwards: no load waits for another.
void TileAccess::loadPartial(const Row &row, SmallVectorImpl<Value> &values, bool readOnly) {
  SmallVector<Value> lanes;
  int64_t step = isPacked ? 2 : 1;
  for (int64_t lane = 0; lane + 1 < width; lane += step)
    lanes.push_back(predicatedLoad(lanePointer(row, lane / step), hasLane(row, lane), memoryElement, readOnly));
  if (!isPacked)
    lanes.push_back(b.zero(memoryElement));
  Type packed = packedType(b.builder, chunkType(), chunkBytes());
  Value tail = bitcast(b, packed, b.gather(lanes));
  for (size_t i : row.chunks) {
    Value chosen = b.select(chunks[i].partial, tail, bitcast(b, packed, values[i]));
    values[i] = bitcast(b, chunkType(), chosen);
  }
}

void TileAccess::store(ArrayRef<Value> vectors) {
  SmallVector<Value> values;
  int64_t step = isPacked && !areHalves() ? 2 : 1;
  for (Value vector : vectors) {
    Value inMemory = toMemory(vector);
    for (int64_t first = 0; first < registers.lanes; first += width)
      values.push_back(b.slice(inMemory, first / step, width / step));
  }

  if (isPredicated()) {
    for (auto [chunk, value] : llvm::zip(chunks, values))
      areHalves() ? storeElement(chunk, value, chunk.inside) : assemblyStore(chunk.pointer, chunk.inside, value);
    for (const Row &row : rows)
      storePartial(row, values);
    return;
  }
  OpBuilder::InsertionGuard insertion(b.builder);
  if (guard) {
    auto branch = b.builder.create<scf::IfOp>(b.loc, guard, /*withElseRegion=*/false);
    b.builder.setInsertionPointToStart(branch.thenBlock());
  }
  for (auto [chunk, value] : llvm::zip(chunks, values))
    areHalves() ? storeElement(chunk, value, {}) : plainStore(chunk.pointer, value);
}

void TileAccess::storePartial(const Row &row, ArrayRef<Value> values) {
  OpBuilder::InsertionGuard insertion(b.builder);
  auto branch = b.builder.create<scf::IfOp>(b.loc, row.hasPartial, /*withElseRegion=*/false);
  b.builder.setInsertionPointToStart(branch.thenBlock());
  Type packed = packedType(b.builder, chunkType(), chunkBytes());
  Value tail;
  for (size_t i : row.chunks) {
    Value value = bitcast(b, packed, values[i]);
    tail = tail ? b.select(chunks[i].partial, value, tail) : value;
  }
  tail = bitcast(b, chunkType(), tail);
  if (isPacked)
    return storePackedPartial(row, tail);
  for (int64_t lane = 0; lane + 1 < width; ++lane)
    assemblyStore(lanePointer(row, lane), hasLane(row, lane), b.extract(tail, lane));
}

/// Bytes, and the half of one where the row ends.
void TileAccess::storePackedPartial(const Row &row, Value tail) {
  Value last;
  for (int64_t byte = 0; byte < width / 2; ++byte) {
    Value value = b.extract(tail, byte);
    if (2 * byte + 2 < width)
      assemblyStore(lanePointer(row, byte), hasLane(row, 2 * byte + 1), value);
    Value isLast = b.compare(arith::CmpIPredicate::sge, tailLength, b.integer(tailLength.getType(), 2 * byte));
    last = last ? b.select(isLast, value, last) : value;
  }
  Value odd = b.create<arith::AndIOp>(tailLength, b.integer(tailLength.getType(), 1));
  Value isOdd =
      b.create<arith::AndIOp>(row.hasPartial, b.compare(arith::CmpIPredicate::ne, odd, b.zero(tailLength.getType())));
  Value length = b.create<arith::ExtUIOp>(b.builder.getI64Type(), tailLength);
  storeHalf(b, elementAt(b, row.pointer, length, element), b.integer(b.builder.getI8Type(), 0), last, isOdd);
}

// ---- Masks ----------------------------------------------------------------------------------------------------------

SmallVector<Value> TileAccess::conditions(ArrayRef<Value> mask) {
  SmallVector<Value> result;
  for (auto [i, chunk] : llvm::enumerate(chunks)) {
    Value some = mask[i / registers.lanes];
    bool isAlways = matchPattern(some, m_One());
    Value same = ScalarBuilder::copied(some);
    Value holds = isAlways ? b.integer(b.builder.getI1Type(), 1) : same ? same : b.extract(some, i % registers.lanes);
    Value isThere = chunk.inside ? chunk.inside : guard;
    result.push_back(isThere ? b.create<arith::AndIOp>(holds, isThere) : holds);
  }
  return result;
}

SmallVector<ElementPlace> TileAccess::places(ArrayRef<Value> mask) {
  SmallVector<Value> wanted;
  if (!mask.empty())
    wanted = conditions(mask);
  return llvm::map_to_vector(llvm::enumerate(chunks), [&](auto chunk) {
    Value isThere = chunk.value().inside ? chunk.value().inside : guard;
    return ElementPlace{chunk.value().pointer, mask.empty() ? isThere : wanted[chunk.index()]};
  });
}

Registers TileAccess::loadWhere(ArrayRef<Value> conditions, ArrayRef<Value> other, bool readOnly) {
  SmallVector<Value> otherwise;
  for (Value vector : other)
    for (int64_t lane = 0; lane < registers.lanes; ++lane)
      otherwise.push_back(toMemory(b.extract(vector, lane)));
  SmallVector<Value> values;
  for (auto [chunk, condition, value] : llvm::zip_equal(chunks, conditions, otherwise)) {
    Value loaded =
        predicatedLoad(chunk.pointer, condition, memoryElement, readOnly, areHalves() ? Value() : Value(value));
    values.push_back(areHalves() ? b.select(condition, fromChunk(chunk, loaded), value) : loaded);
  }
  Registers result;
  for (int64_t i = 0; i < registers.count(); ++i)
    result.push_back(fromMemory(b.gather(ArrayRef(values).slice(i * registers.lanes, registers.lanes))));
  return result;
}

void TileAccess::storeWhere(ArrayRef<Value> conditions, ArrayRef<Value> vectors) {
  for (size_t i = 0; i < chunks.size(); ++i)
    storeElement(chunks[i], b.extract(vectors[i / registers.lanes], i % registers.lanes), conditions[i]);
}

static tile::RefType withoutAlignment(tile::RefType type) {
  return tile::RefType::get(type.getElementType(), type.getDims());
}

MaskedAccess::MaskedAccess(ScalarBuilder b, const TileRegisters &registers, tile::RefType type, const LoweredRef &ref,
                           ArrayRef<Value> thread, Value guard, ArrayRef<Value> mask, const IndirectRows *rows)
    : b(b), registers(registers), type(type), ref(ref), thread(thread), rows(rows),
      oneByOne(b, registers, withoutAlignment(type), ref, thread, guard, rows), conditions(oneByOne.conditions(mask)) {
  if (rows)
    existing.starts = rows->starts;
}

TileAccess MaskedAccess::together() {
  auto whole = tile::RefType::get(type.getElementType(), registers.type.getShape(), type.getAlignment());
  return TileAccess(b, registers, whole, ref, thread, {}, rows ? &existing : nullptr);
}

Value MaskedAccess::hasAll() {
  Value all = conditions.front();
  for (Value condition : ArrayRef(conditions).drop_front())
    all = b.create<arith::AndIOp>(all, condition);
  return all;
}

bool MaskedAccess::isPlain() const {
  return llvm::all_of(conditions, [](Value condition) { return matchPattern(condition, m_One()); });
}

Registers MaskedAccess::load(ArrayRef<Value> other, bool readOnly) {
  if (isPlain())
    return together().load(readOnly, /*mayBranch=*/false);
  if (!isWide())
    return oneByOne.loadWhere(conditions, other, readOnly);
  OpBuilder::InsertionGuard insertion(b.builder);
  SmallVector<Type> types(registers.count(), registers.vectorType());
  auto branch = b.builder.create<scf::IfOp>(b.loc, types, hasAll(), /*addThenBlock=*/true, /*addElseBlock=*/true);
  b.builder.setInsertionPointToStart(branch.thenBlock());
  b.builder.create<scf::YieldOp>(b.loc, together().load(readOnly, /*mayBranch=*/false));
  b.builder.setInsertionPointToStart(branch.elseBlock());
  b.builder.create<scf::YieldOp>(b.loc, oneByOne.loadWhere(conditions, other, readOnly));
  return Registers(branch.getResults());
}

void MaskedAccess::store(ArrayRef<Value> values) {
  if (isPlain())
    return together().store(values);
  if (!isWide())
    return oneByOne.storeWhere(conditions, values);
  OpBuilder::InsertionGuard insertion(b.builder);
  auto branch = b.builder.create<scf::IfOp>(b.loc, hasAll(), /*withElseRegion=*/true);
  b.builder.setInsertionPointToStart(branch.thenBlock());
  together().store(values);
  b.builder.setInsertionPointToStart(branch.elseBlock());
  oneByOne.storeWhere(conditions, values);
}

} // namespace tegula::lower
