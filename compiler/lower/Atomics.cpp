// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic updates of memory, element by element: by an instruction where there is one (PTX ISA, "atom" and "red"), else
// by compare-and-swap until no other thread has come between. An update whose result is not used is a `red`. An update
// returns what was there, which is made once: like a reduction, it keeps what is computed from it in one thread group.
// Updates of few elements by many programs are combined in shared memory (PrivateUpdates.cpp). On the CPU,
// tegula/cpu/races.h checks whether programs also read or store what others update.
#include "support/Atomics.h"
#include "lower/AtomicInstructions.h"
#include "lower/IndirectAccess.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::lower {

static std::string suffixOf(tile::AtomicOp op, const AtomicSpace &space) {
  return ("." + tile::stringifyMemoryOrder(op.getOrder()) + "." + tile::stringifyMemoryScope(op.getScope()) +
          space.name)
      .str();
}

AtomicWord wordOfBits(OpBuilder &builder, unsigned bits) {
  if (bits == 16)
    return {builder.getI16Type(), "h"};
  if (bits == 32)
    return {builder.getI32Type(), "r"};
  return {builder.getI64Type(), "l"};
}

AtomicWord wordOf(OpBuilder &builder, StringRef operation, Type type) {
  if (operation.contains(".f32") || operation.contains(".f64"))
    return {type, type.isF32() ? "f" : "d"};
  return wordOfBits(builder, type.getIntOrFloatBitWidth());
}

std::string operationOf(tile::Atomic kind, Type element) {
  unsigned bits = element.getIntOrFloatBitWidth();
  std::string width = std::to_string(bits);
  bool isUnsigned = element.isUnsignedInteger();
  switch (kind) {
  case tile::Atomic::Add:
    if (element.isF16())
      return "add.noftz.f16";
    if (element.isBF16()) // Of sm_90 on.
      return "";
    return isa<FloatType>(element) ? "add.f" + width : bits == 32 ? "add.u32" : "add.u64";
  case tile::Atomic::Max:
  case tile::Atomic::Min:
    if (isa<FloatType>(element))
      return "";
    return (kind == tile::Atomic::Max ? "max." : "min.") + std::string(isUnsigned ? "u" : "s") + width;
  case tile::Atomic::And:
  case tile::Atomic::Or:
  case tile::Atomic::Xor:
    return tile::stringifyAtomic(kind).str() + ".b" + width;
  case tile::Atomic::Exch:
    return bits == 16 ? "" : "exch.b" + width;
  case tile::Atomic::Cas:
    return "cas.b" + width;
  }
  llvm_unreachable("all kinds are covered");
}

/// Updates an element by compare-and-swap.
Value KernelLowering::updateInLoop(tile::AtomicOp op, const AtomicSpace &space, Value pointer, Value value) {
  ScalarBuilder b = scalars(op);
  Type element = op.getValue().getType().getElementType(), type = value.getType();
  AtomicWord word = wordOfBits(builder, type.getIntOrFloatBitWidth());
  std::string width = std::to_string(type.getIntOrFloatBitWidth());
  auto toBits = [&](Value each) { return b.create<LLVM::BitcastOp>(word.type, each); };
  Value first = effect("ld.relaxed.gpu" + space.name + ".b" + width + " $0, [$1];",
                       std::string("=") + word.constraint + "," + space.constraint, pointer, word.type)
                    .getRes();
  auto loop = builder.create<scf::WhileOp>(here, TypeRange{word.type}, ValueRange{first});
  OpBuilder::InsertionGuard guard(builder);
  Block *before = builder.createBlock(&loop.getBefore(), {}, TypeRange{word.type}, {here});
  Value old = b.create<LLVM::BitcastOp>(type, before->getArgument(0)), next = value;
  if (op.getKind() != tile::Atomic::Exch)
    next = buildElementwise(b,
                            op.getKind() == tile::Atomic::Add   ? "add"
                            : op.getKind() == tile::Atomic::Max ? "maximum"
                                                                : "minimum",
                            ValueRange{old, value}, element);
  std::string constraints =
      std::string("=") + word.constraint + "," + space.constraint + "," + word.constraint + "," + word.constraint;
  Value seen = effect("atom" + suffixOf(op, space) + ".cas.b" + width + " $0, [$1], $2, $3;", constraints,
                      ValueRange{pointer, before->getArgument(0), toBits(next)}, word.type)
                   .getRes();
  Value isBetween = b.compare(arith::CmpIPredicate::ne, seen, before->getArgument(0));
  builder.create<scf::ConditionOp>(here, isBetween, seen);
  Block *after = builder.createBlock(&loop.getAfter(), {}, TypeRange{word.type}, {here});
  builder.create<scf::YieldOp>(here, after->getArguments());
  builder.setInsertionPointAfter(loop);
  return b.create<LLVM::BitcastOp>(type, loop.getResult(0));
}

/// Whether an update is a plain sum of floats that nobody asks for: targets have instructions for several of them.
static bool isSum(tile::AtomicOp op) {
  Type element = op.getType().getElementType();
  return op.getResult().use_empty() && op.getKind() == tile::Atomic::Add &&
         op.getOrder() == tile::MemoryOrder::Relaxed && op.getScope() == tile::MemoryScope::Gpu &&
         (element.isF32() || element.isF16() || element.isBF16());
}

/// Adds up chunks, each at once.
void KernelLowering::addTogether(tile::AtomicOp op, const TileAccess &access, ArrayRef<ElementPlace> places,
                                 const TileRegisters &registers) {
  ScalarBuilder b = scalars(op);
  Type element = op.getType().getElementType();
  int64_t width = access.getWidth();
  StringRef type = element.isF32() ? "f32" : element.isF16() ? "f16" : "bf16";
  std::string name = (redAddPrefix + type + "x" + Twine(width)).str();
  const Registers &values = tiles.find(op.getValue())->second;
  for (auto [i, place] : llvm::enumerate(places)) {
    auto first = static_cast<int64_t>(i) * width;
    Value value = b.slice(values[first / registers.lanes], first % registers.lanes, width);
    Value isWanted = place.isWanted ? place.isWanted : b.integer(builder.getI1Type(), 1);
    b.call(name, LLVM::LLVMVoidType::get(builder.getContext()), ValueRange{place.pointer, value, isWanted});
  }
}

int64_t KernelLowering::scratchOfAtomic(tile::AtomicOp op) {
  const TileRegisters &registers = registersOf(op.getType());
  if (op.getResult().use_empty() || registers.placement.copyMask() < lanesOfWarp)
    return 0;
  return registers.placement.registersPerThread() * (kernel.getGroup() / registers.placement.replication()) *
         tile::bytesOf(op.getType().getElementType());
}

/// One thread of those that hold copies of an element has it: it tells the others.
Registers KernelLowering::passToCopies(ArrayRef<Value> vectors, const TileRegisters &registers) {
  ScalarBuilder b = scalars();
  auto copies = static_cast<int64_t>(registers.placement.copyMask());
  if (isInWarps)
    copies &= lanesOfWarp - 1;
  auto all = [&](llvm::function_ref<Value(Value, int64_t)> pass) {
    Registers result;
    for (auto [i, vector] : llvm::enumerate(vectors)) {
      SmallVector<Value> lanes;
      for (int64_t lane = 0; lane < registers.lanes; ++lane)
        lanes.push_back(pass(b.extract(vector, lane), static_cast<int64_t>(i) * registers.lanes + lane));
      result.push_back(b.gather(lanes));
    }
    return result;
  };
  if (copies < lanesOfWarp) {
    Value lane = b.create<arith::AndIOp>(threadInGroup(), i32((lanesOfWarp - 1) & ~copies));
    return all([&](Value element, int64_t) { return shuffled(element, NVVM::ShflKind::idx, lane); });
  }
  // The threads that store are numbered by the other bits of their number.
  Value number = i32(0);
  int64_t bit = 0;
  for (int64_t from = 0; (int64_t(1) << from) < static_cast<int64_t>(kernel.getGroup()); ++from) {
    if (copies >> from & 1)
      continue;
    Value part = b.create<arith::AndIOp>(b.create<arith::ShRUIOp>(threadInGroup(), i32(from)), i32(1));
    number = b.create<arith::OrIOp>(number, b.create<arith::ShLIOp>(part, i32(bit++)));
  }
  int64_t bytes = tile::bytesOf(registers.elementType()), writers = int64_t(1) << bit;
  Value base = atByte(scratch(), b.create<arith::MulIOp>(number, i32(bytes)));
  groupBarrier();
  {
    auto branch = builder.create<scf::IfOp>(here, isStoring(registers), /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    all([&](Value element, int64_t reg) {
      builder.create<LLVM::StoreOp>(here, element, atByte(base, reg * writers * bytes), bytes);
      return element;
    });
  }
  groupBarrier();
  Registers result = all([&](Value element, int64_t reg) -> Value {
    return builder.create<LLVM::LoadOp>(here, element.getType(), atByte(base, reg * writers * bytes), bytes);
  });
  groupBarrier();
  return result;
}

/// An access of shared memory for each element.
void KernelLowering::updateShared(tile::AtomicOp op) {
  const SharedRef &ref = shared.find(op.getRef())->second;
  const TileRegisters &registers = registersOf(op.getType());
  ScalarBuilder b = scalars(op);
  Value guard = isStoring(registers);
  ArrayRef<Value> mask = op.getMask() ? ArrayRef<Value>(tiles.find(op.getMask())->second) : ArrayRef<Value>();
  SmallVector<ElementPlace> places;
  for (auto [i, address] : llvm::enumerate(placesOf(ref, registers, /*width=*/1))) {
    Value isWanted = mask.empty() ? Value() : b.extract(mask[i / registers.lanes], i % registers.lanes);
    if (isWanted && guard)
      isWanted = b.create<arith::AndIOp>(isWanted, guard);
    places.push_back({address, isWanted ? isWanted : guard});
  }
  updateElements(op, ref.isOfCluster() ? clusterSpace : ctaSpace, places, registers);
}

LogicalResult KernelLowering::lowerAtomic(tile::AtomicOp op) {
  if (op.getRef().getType().isShared()) {
    updateShared(op);
    return success();
  }
  const TileRegisters &registers = registersOf(op.getType());
  auto access = accessOf(op, registers, /*isGuarded=*/false);
  if (!access)
    return op.emitOpError("has indices whose layout is not that of the tile without the other dimensions");
  ScalarBuilder b = scalars(op);
  Type element = op.getType().getElementType();
  tile::RefType single = tile::RefType::get(access->type.getElementType(), access->type.getDims());
  ArrayRef<Value> mask = op.getMask() ? ArrayRef<Value>(tiles.find(op.getMask())->second) : ArrayRef<Value>();
  if (isSum(op) && !op.getPrivately() &&
      (mask.empty() || (!access->rows.starts.empty() && maskRows(*access, mask, registers)))) {
    mask = {};
    TileAccess wide(b, registers, access->type, access->ref, threadCoordinates(registers), isStoring(registers),
                    access->rowsOrNull());
    if (!wide.isRagged()) {
      addTogether(op, wide, wide.places({}), registers);
      return success();
    }
  }
  TileAccess tile(b, registers, single, access->ref, threadCoordinates(registers), isStoring(registers),
                  access->rowsOrNull());
  SmallVector<ElementPlace> places = tile.places(mask);
  if (op.getPrivately()) {
    updatePrivately(op, places, registers);
    return success();
  }
  if (isSum(op) && element.isBF16())
    addTogether(op, tile, places, registers);
  else
    updateElements(op, globalSpace, places, registers);
  return success();
}

/// Updates elements one by one, and keeps what they were.
void KernelLowering::updateElements(tile::AtomicOp op, const AtomicSpace &space, ArrayRef<ElementPlace> places,
                                    const TileRegisters &registers) {
  ScalarBuilder b = scalars(op);
  Type element = op.getType().getElementType(), type = registers.elementType();
  const Registers values = tiles.find(op.getValue())->second;
  Registers compared = op.getCompare() ? tiles.find(op.getCompare())->second : Registers();

  bool isUsed = !op.getResult().use_empty();
  std::string operation = operationOf(op.getKind(), element);
  std::string suffix = suffixOf(op, space);
  AtomicWord word = wordOf(builder, operation, type);
  auto toWord = [&](Value value) { return b.create<LLVM::BitcastOp>(word.type, value); };
  // There is no red that compares or exchanges, and `red` has no acquiring order.
  bool isRed = !isUsed && op.getKind() != tile::Atomic::Cas && op.getKind() != tile::Atomic::Exch &&
               (op.getOrder() == tile::MemoryOrder::Relaxed || op.getOrder() == tile::MemoryOrder::Release);
  SmallVector<Value> old;
  for (auto [i, place] : llvm::enumerate(places)) {
    Value value = b.extract(values[i / registers.lanes], i % registers.lanes);
    if (operation.empty()) {
      if (!place.isWanted) {
        old.push_back(updateInLoop(op, space, place.pointer, value));
        continue;
      }
      auto branch = builder.create<scf::IfOp>(here, TypeRange{type}, place.isWanted, /*addThenBlock=*/true,
                                              /*addElseBlock=*/true);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      Value before = updateInLoop(op, space, place.pointer, value);
      builder.create<scf::YieldOp>(here, before);
      builder.setInsertionPointToStart(branch.elseBlock());
      builder.create<scf::YieldOp>(here, b.zero(type));
      old.push_back(branch.getResult(0));
      continue;
    }
    // Of `atom`, the old element is output 0, which a masked one leaves alone: it begins as zero.
    SmallVector<Value> operands{place.pointer};
    std::string list, inputs = space.constraint;
    int next = isRed ? 1 : 2;
    auto add = [&](Value each) {
      operands.push_back(toWord(each));
      inputs += std::string(",") + word.constraint;
      list += ", $" + std::to_string(next++);
    };
    if (op.getCompare())
      add(b.extract(compared[i / registers.lanes], i % registers.lanes));
    add(value);
    std::string text =
        (isRed ? "red" : "atom") + suffix + "." + operation + (isRed ? " [$0]" : " $0, [$1]") + list + ";";
    if (place.isWanted) {
      operands.push_back(place.isWanted);
      inputs += ",b";
      text = "@$" + std::to_string(next++) + " " + text;
    }
    if (isRed) {
      effect(text, inputs, operands);
      continue;
    }
    std::string outputs = std::string("=") + word.constraint;
    if (place.isWanted) {
      operands.push_back(b.zero(word.type));
      inputs += ",0";
    }
    Value result = effect(text, outputs + "," + inputs, operands, word.type).getRes();
    old.push_back(b.create<LLVM::BitcastOp>(type, result));
  }
  if (!isUsed)
    return;
  Registers result;
  for (int64_t i = 0; i < registers.count(); ++i)
    result.push_back(b.gather(ArrayRef(old).slice(i * registers.lanes, registers.lanes)));
  tiles[op.getResult()] = registers.placement.copyMask() ? passToCopies(result, registers) : std::move(result);
}

} // namespace tegula::lower
