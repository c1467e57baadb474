// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of 4 and 8 bits of which left factors of wgmma are made, in shared memory: a thread has neighbours along the
// sum, two here and two there. It loads units of 16 bytes, and takes out of them what it has when it converts them.
#include "lower/KernelLowering.h"
#include "lower/Packed.h"

#include <map>

using namespace mlir;

namespace tegula::lower {

/// Whether each two registers hold two neighbours, and the four threads that differ along the rows have those of 8.
static bool arePairsOfEight(const layout::Placement &placement, unsigned inner) {
  unsigned bits = 0;
  for (const layout::ThreadField &field : placement.threadFields())
    if (field.dim == inner)
      for (unsigned bit = 0; bit < field.width; ++bit)
        bits |= 1U << (field.coordinateBit + bit);
  constexpr unsigned ofPairs = 0b110;
  if (bits != ofPairs || placement.registersPerThread() % 2 != 0)
    return false;
  for (int64_t reg = 0; reg < placement.registersPerThread(); reg += 2) {
    layout::Coordinate next = placement.registerPart(reg);
    ++next[inner];
    if (placement.registerPart(reg + 1) != next)
      return false;
  }
  return true;
}

/// The four threads load the same units, which shared memory gives to all of them at once. False if the tile does not
/// lie so.
bool KernelLowering::loadNarrow(tile::LoadOp op, const SharedRef &ref, const TileRegisters &registers) {
  Type element = op.getType().getElementType();
  int64_t perByte = isPacked(element) ? 2 : 1;
  constexpr int64_t bytesOfWord = 4;
  unsigned inner = ref.inner;
  const layout::Placement &placement = registers.placement;
  if (ref.elementBytes != 1 || element.isInteger(1) || op.getType().getRank() != 2 || inner != 1 ||
      ref.innerAlignment < unitBytes || ref.extents[inner] % unitBytes != 0 || !arePairsOfEight(placement, inner))
    return false;
  ScalarBuilder b = scalars(op);
  SmallVector<Value> thread(threadCoordinates(registers));
  Value own = perByte == 2 ? b.create<arith::ShRUIOp>(thread[inner], i32(1)) : thread[inner];
  thread[inner] = i32(0);
  std::map<layout::Coordinate, size_t> numbers;
  SmallVector<layout::Coordinate> units;
  auto unitOf = [&](layout::Coordinate part) {
    part[inner] = part[inner] / perByte / unitBytes * unitBytes;
    return part;
  };
  for (int64_t reg = 0; reg < placement.registersPerThread(); reg += 2)
    if (layout::Coordinate unit = unitOf(placement.registerPart(reg)); numbers.try_emplace(unit, units.size()).second)
      units.push_back(unit);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Type type = VectorType::get(unitBytes / bytesOfWord, builder.getI32Type());
  SmallVector<Value> loaded;
  for (Value address : chunkAddresses(ref, thread, units)) {
    Value place = builder.create<LLVM::IntToPtrOp>(here, pointer, address);
    loaded.push_back(builder.create<LLVM::LoadOp>(here, type, place, static_cast<unsigned>(unitBytes)));
  }
  SmallVector<NarrowPair> pairs;
  SmallVector<Value> elements;
  Type i8 = builder.getI8Type();
  for (int64_t reg = 0; reg < placement.registersPerThread(); reg += 2) {
    layout::Coordinate part = placement.registerPart(reg);
    Value unit = loaded[numbers.at(unitOf(part))];
    int64_t word = part[inner] / perByte % unitBytes / bytesOfWord;
    NarrowPair pair{b.extract(unit, word), perByte == 2 ? i32(0) : b.extract(unit, word + 1), own};
    pairs.push_back(pair);
    // What is not taken by castNarrow; LLVM drops it otherwise.
    auto byteAt = [&](int64_t more) {
      Value selector = b.create<arith::AddIOp>(own, i32(more));
      Value byte =
          b.assembly("prmt.b32 $0, $1, $2, $3;", "=r,r,r,r", builder.getI32Type(), {pair.lower, pair.upper, selector});
      return b.create<arith::TruncIOp>(i8, byte);
    };
    if (perByte == 1) {
      for (int64_t more : {0, 1})
        elements.push_back(builder.createOrFold<LLVM::BitcastOp>(here, registers.elementType(), byteAt(more)));
      continue;
    }
    Value both = unpacked(b, byteAt(0), element);
    llvm::append_range(elements, ArrayRef{b.extract(both, 0), b.extract(both, 1)});
  }
  Registers result;
  for (int64_t i = 0; i < registers.count(); ++i)
    result.push_back(b.gather(ArrayRef(elements).slice(i * registers.lanes, registers.lanes)));
  tiles[op.getResult()] = std::move(result);
  narrowPairs[op.getResult()] = std::move(pairs);
  return true;
}

/// A conversion of what was loaded so, to 16 bits; false if it is another one.
bool KernelLowering::castNarrow(tile::CastOp op) {
  auto pairs = narrowPairs.find(op->getOperand(0));
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Type to = type.getElementType();
  if (pairs == narrowPairs.end() || !(to.isF16() || to.isBF16()))
    return false;
  ScalarBuilder b = scalars(op);
  const TileRegisters &registers = registersOf(type);
  Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  SmallVector<Value> elements;
  for (const NarrowPair &pair : pairs->second) {
    Value both = builder.create<LLVM::BitcastOp>(here, VectorType::get(2, to), pairAs(b, pair, element, to));
    llvm::append_range(elements, ArrayRef{b.extract(both, 0), b.extract(both, 1)});
  }
  Registers result;
  for (int64_t i = 0; i < registers.count(); ++i)
    result.push_back(b.gather(ArrayRef(elements).slice(i * registers.lanes, registers.lanes)));
  tiles[op->getResult(0)] = std::move(result);
  return true;
}

} // namespace tegula::lower
