// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles in other layouts. The route is the layout library's choice (layout/Relayout.h): other registers of the same
// thread, shuffles within a warp, or scratch.
#include "lower/KernelLowering.h"

using namespace mlir;

namespace tegula::lower {

const layout::Relayout &KernelLowering::planOf(tile::RelayoutOp op) {
  auto [entry, isNew] = relayouts.try_emplace(op);
  if (isNew)
    entry->second =
        layout::planRelayout(registersOf(op.getSource().getType()).placement, registersOf(op.getType()).placement,
                             registerType(op.getType().getElementType()).getIntOrFloatBitWidth(), mostOfGroup());
  return entry->second;
}

/// LLVM has no instruction for these as one register, and takes them through local memory.
static bool isPairOfBytes(VectorType type) { return type.getNumElements() == 2 && type.getElementTypeBitWidth() == 8; }

/// Neighbouring elements as one integer; a single one as it is.
static Value asWord(ScalarBuilder &b, Value elements) {
  auto type = dyn_cast<VectorType>(elements.getType());
  if (!type)
    return elements;
  unsigned width = type.getElementTypeBitWidth();
  if (isa<FloatType>(type.getElementType()))
    elements = b.create<arith::BitcastOp>(type.clone(b.builder.getIntegerType(width)), elements);
  if (isPairOfBytes(type)) {
    Type word = b.builder.getI16Type();
    Value low = b.create<arith::ExtUIOp>(word, b.extract(elements, 0)),
          high = b.create<arith::ExtUIOp>(word, b.extract(elements, 1));
    return b.create<arith::OrIOp>(low, b.create<arith::ShLIOp>(high, b.integer(word, 8)));
  }
  return b.create<LLVM::BitcastOp>(b.builder.getIntegerType(width * type.getNumElements()), elements);
}

static Value fromWord(ScalarBuilder &b, Value word, Type elementType, int64_t elements) {
  if (elements == 1)
    return word;
  auto type = VectorType::get(elements, elementType);
  Type integer = b.builder.getIntegerType(elementType.getIntOrFloatBitWidth()), integers = type.clone(integer);
  Value result;
  if (isPairOfBytes(type)) {
    Value high = b.create<arith::ShRUIOp>(word, b.integer(word.getType(), 8));
    Value bytes[] = {b.create<arith::TruncIOp>(integer, word), b.create<arith::TruncIOp>(integer, high)};
    result = b.gather(bytes);
  } else {
    result = b.create<LLVM::BitcastOp>(integers, word);
  }
  return isa<FloatType>(elementType) ? b.create<arith::BitcastOp>(type, result) : result;
}

/// The lane that this thread reads from, before the constant of a register.
Value KernelLowering::sourceLane(const layout::WarpRelayout &plan) {
  ScalarBuilder b = scalars();
  // The bit of the thread's number that becomes a bit of the lane; neighbours go together.
  auto comesFrom = [&](unsigned lane) -> std::optional<unsigned> {
    for (auto [bit, lanes] : llvm::enumerate(plan.sourceLanes))
      if ((lanes >> lane) & 1)
        return bit;
    return std::nullopt;
  };
  Value result;
  for (unsigned lane = 0, width = 1; lane < 5; lane += width, width = 1) {
    std::optional<unsigned> bit = comesFrom(lane);
    if (!bit)
      continue;
    while (lane + width < 5 && comesFrom(lane + width) == *bit + width)
      ++width;
    Value part = b.create<arith::ShRUIOp>(threadInGroup(), i32(*bit));
    part = b.create<arith::AndIOp>(part, i32((int64_t(1) << width) - 1));
    part = b.create<arith::ShLIOp>(part, i32(lane));
    result = result ? b.create<arith::OrIOp>(result, part) : part;
  }
  return result ? result : i32(0);
}

Registers KernelLowering::relayoutInWarp(const layout::WarpRelayout &plan, ArrayRef<Value> vectors,
                                         const TileRegisters &from, const TileRegisters &to) {
  ScalarBuilder b = scalars();
  SmallVector<Value> words;
  for (Value vector : vectors)
    for (int64_t lane = 0; lane < from.lanes; lane += plan.wordElements)
      words.push_back(asWord(b, b.slice(vector, lane, plan.wordElements)));
  bool isButterfly = plan.isButterfly(from.placement.lanes());
  Value base = plan.shuffles() == 0 || isButterfly ? Value() : sourceLane(plan);
  llvm::SmallDenseMap<unsigned, Value> threadBits;
  for (const layout::RelayoutStep &step : plan.steps) {
    if (step.kind == layout::RelayoutStep::Kind::Shuffle) {
      Value lane = i32(static_cast<int64_t>(step.lane));
      words.push_back(isButterfly
                          ? shuffled(words[step.first], NVVM::ShflKind::bfly, lane)
                          : shuffled(words[step.first], NVVM::ShflKind::idx, b.create<arith::XOrIOp>(base, lane)));
      continue;
    }
    Value &isSet = threadBits[step.threadBit];
    if (!isSet) {
      Value bit = b.create<arith::AndIOp>(threadInGroup(), i32(int64_t(1) << step.threadBit));
      isSet = b.compare(arith::CmpIPredicate::ne, bit, i32(0));
    }
    words.push_back(b.select(isSet, words[step.second], words[step.first]));
  }
  Registers results;
  size_t wordsOfVector = to.lanes / plan.wordElements;
  for (int64_t i = 0; i < to.count(); ++i) {
    SmallVector<Value> parts;
    for (size_t word = 0; word < wordsOfVector; ++word)
      parts.push_back(fromWord(b, words[plan.results[i * wordsOfVector + word]], to.elementType(), plan.wordElements));
    results.push_back(b.concat(parts));
  }
  return results;
}

Registers KernelLowering::relayoutThroughMemory(const layout::MemoryRelayout &plan, ArrayRef<Value> vectors,
                                                const TileRegisters &from, const TileRegisters &to) {
  ScalarBuilder b = scalars();
  SmallVector<int64_t> strides = rowMajor(plan.boxes.shape(), plan.pitch);
  int64_t bytes = tile::bytesOf(to.elementType());
  bool isBool = to.elementType().isInteger(1);
  Type memory = isBool ? builder.getI8Type() : to.elementType();
  int64_t width = std::min(plan.loadVector, to.lanes);
  if (bytes == 1 && width < 4)
    width = 1;
  Type chunk = width == 1 ? memory : VectorType::get(width, memory);
  bool isOfBytes = width > 1 && bytes == 1;
  Type loaded = isOfBytes ? VectorType::get(width / 4, builder.getI32Type()) : chunk;
  SmallVector<Value> chunks(to.placement.registersPerThread() / width);
  for (int64_t number = 0; number < plan.boxes.count(); ++number) {
    layout::Coordinate box = plan.boxes.start(number);
    groupBarrier(); // Others may still read what was there.
    writeScratch(scratch(), vectors, from, strides, plan.boxes, box, &plan);
    groupBarrier();
    layout::BoxShare share = plan.boxes.share(to.placement, box);
    BoxPlaces places = placesInBox(scratch(), to, strides, bytes, plan.boxes, &plan);
    Value isIn = isInBox(to, share);
    for (auto [i, known] : llvm::enumerate(chunks)) {
      int64_t reg = i * width;
      if (!share.registers[reg])
        continue;
      int64_t offset = dotProduct(plan.boxes.within(to.placement.registerPart(reg)), strides) * bytes;
      Value value =
          builder.create<LLVM::LoadOp>(here, loaded, placeInBox(places, offset), static_cast<unsigned>(width * bytes));
      if (isOfBytes)
        value = builder.create<LLVM::BitcastOp>(here, chunk, value);
      if (isBool)
        value = b.compare(arith::CmpIPredicate::ne, value, b.zero(memory));
      // A register that belongs to several boxes, as the thread says, has been in the first of them before.
      known = isIn && known ? b.select(isIn, value, known) : value;
    }
  }
  Registers results;
  int64_t chunksOfVector = to.lanes / width;
  for (int64_t i = 0; i < to.count(); ++i)
    results.push_back(b.concat(ArrayRef(chunks).slice(i * chunksOfVector, chunksOfVector)));
  return results;
}

LogicalResult KernelLowering::lowerRelayout(tile::RelayoutOp op) {
  const TileRegisters &from = registersOf(op.getSource().getType()), &to = registersOf(op.getType());
  const layout::Relayout &plan = planOf(op);
  const Registers source = tiles.find(op.getSource())->second;
  tiles[op.getResult()] = plan.route == layout::RelayoutRoute::Memory
                              ? relayoutThroughMemory(plan.memory, source, from, to)
                              : relayoutInWarp(*plan.warp, source, from, to);
  return success();
}

/// Dimensions change places, elements stay where they are.
LogicalResult KernelLowering::lowerPermute(tile::PermuteOp op) {
  const TileRegisters &from = registersOf(op.getSource().getType()), &to = registersOf(op.getType());
  ScalarBuilder b = scalars(op);
  const Registers source = tiles.find(op.getSource())->second;
  Registers results;
  for (int64_t i = 0; i < to.count(); ++i) {
    SmallVector<Value> lanes;
    for (int64_t lane = 0; lane < to.lanes; ++lane) {
      layout::Coordinate part = to.placement.registerPart(i * to.lanes + lane), back(part.size());
      for (auto [dim, sourceDim] : llvm::enumerate(op.getPermutation()))
        back[sourceDim] = part[dim];
      std::optional<int64_t> reg = from.placement.findRegister(back);
      if (!reg)
        return op.emitOpError("has a layout that is not that of its source with dimensions in another order");
      lanes.push_back(b.extract(source[*reg / from.lanes], *reg % from.lanes));
    }
    results.push_back(b.gather(lanes));
  }
  tiles[op.getResult()] = std::move(results);
  return success();
}

} // namespace tegula::lower
