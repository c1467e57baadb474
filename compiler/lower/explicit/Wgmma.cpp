// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hopper's tensor cores (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions").
#include "ir/Wgmma.h"
#include "lower/KernelLowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::lower {

namespace {

constexpr int64_t instructionRows = WgmmaTypes::rows, instructionBytes = WgmmaTypes::bytesOfDepth;

/// How the unit finds an operand in shared memory.
struct Operand {
  Value descriptor; ///< i64, of its first block
  bool isTransposed = false;
  /// What a step along the contracted dimension, and a block of 64 rows, add to the address.
  std::function<int64_t(int64_t)> step, block;
};

/// The matrix descriptor (PTX ISA, "Matrix Descriptor Format"): address, leading and stride byte offset in units of 16
/// bytes, swizzle mode.
uint64_t descriptorBits(int64_t leading, int64_t stride, int64_t swizzle) {
  uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
  return uint64_t(leading >> 4) << 16 | uint64_t(stride >> 4) << 32 | mode << 62;
}

Operand operandOf(ScalarBuilder b, const SharedRef &ref, unsigned k) {
  Operand operand;
  int64_t rowBytes = ref.swizzle, atom = ref.atomBytes(), panel = ref.panelBytes;
  operand.isTransposed = ref.inner != k;
  int64_t leading = 0;
  if (!operand.isTransposed) {
    // Rows along M or N, 8 to an atom; the contracted dimension runs along the rows, from panel to panel.
    operand.step = [=](int64_t i) {
      int64_t bytes = i * instructionBytes;
      return bytes / rowBytes * panel + bytes % rowBytes;
    };
    operand.block = [=](int64_t i) { return i * instructionRows * rowBytes; };
  } else {
    // Rows along the contracted dimension; M or N runs along them, from panel to panel.
    leading = panel;
    int64_t rows = instructionBytes / ref.elementBytes, wide = instructionRows * ref.elementBytes;
    operand.step = [=](int64_t i) { return i * rows * rowBytes; };
    operand.block = [=](int64_t i) { return i * wide / rowBytes * panel; };
  }
  Type i64 = b.builder.getI64Type();
  Value address = b.create<arith::AndIOp>(ref.address, b.integer(ref.address.getType(), 0x3FFFF));
  address = b.create<arith::ShRUIOp>(address, b.integer(ref.address.getType(), 4));
  operand.descriptor =
      b.create<arith::OrIOp>(b.create<arith::ExtUIOp>(i64, address),
                             b.integer(i64, static_cast<int64_t>(descriptorBits(leading, atom, ref.swizzle))));
  return operand;
}

/// Whether the unit finds the window: neighbouring rows from the first of 8 on, and from the start of a panel. The
/// contracted dimension may also be a part of a panel, which the unit reads in such parts itself.
bool beginsWell(const SharedRef &ref, unsigned k) {
  int64_t bytes = ref.extents[k] * ref.elementBytes;
  bool isPart = ref.inner == k && llvm::isPowerOf2_64(bytes) && bytes <= ref.swizzle;
  bool areRowsNeighbours = ref.isForUnits && ref.inner <= 1 && ref.strides[1 - ref.inner] == ref.swizzle;
  return areRowsNeighbours && ref.beginsWithRows && ref.innerAlignment >= (isPart ? bytes : ref.swizzle);
}

/// The end of an instruction: signs and, where operands may lie either way round, which way they do.
std::string flagsOf(const WgmmaTypes &types, const std::optional<Operand> &lhs, const Operand &rhs) {
  std::string flags = types.areIntegers() ? "" : ", 1, 1";
  if (types.isTransposable())
    flags += std::string(lhs ? (lhs->isTransposed ? ", 1" : ", 0") : "") + (rhs.isTransposed ? ", 1" : ", 0");
  return flags;
}

} // namespace

StringRef nameOfFactor(const Element &factor) {
  return factor.name == "f32" ? StringRef("tf32") : StringRef(factor.name);
}

/// Whether the elements of a vector fill one 32-bit register together.
static bool isPacked(const TileRegisters &registers) {
  int64_t bits = registers.elementType().getIntOrFloatBitWidth();
  return bits < 32 && bits * registers.lanes == 32;
}

/// The 32-bit registers of a tile: an element each, two of 16 bits or four of 8.
SmallVector<Value> KernelLowering::fragmentsOf(Value tile) {
  ScalarBuilder b = scalars();
  const TileRegisters &registers = registersOf(tile.getType());
  SmallVector<Value> fragments;
  for (Value vector : tiles.find(tile)->second)
    if (isPacked(registers))
      fragments.push_back(builder.create<LLVM::BitcastOp>(here, builder.getI32Type(), vector));
    else
      for (int64_t lane = 0; lane < registers.lanes; ++lane)
        fragments.push_back(b.extract(vector, lane));
  return fragments;
}

void KernelLowering::setFragments(Value tile, ArrayRef<Value> fragments) {
  ScalarBuilder b = scalars();
  const TileRegisters &registers = registersOf(tile.getType());
  Registers vectors;
  for (int64_t i = 0; i < registers.count(); ++i)
    if (isPacked(registers))
      vectors.push_back(builder.create<LLVM::BitcastOp>(here, registers.vectorType(), fragments[i]));
    else
      vectors.push_back(b.gather(fragments.slice(i * registers.lanes, registers.lanes)));
  tiles[tile] = std::move(vectors);
}

/// Assembly that gives as many registers as it takes in `through`, the same ones: what uses the results comes after it,
/// what makes the operands before. Further operands are numbered behind the results.
SmallVector<Value> KernelLowering::passThrough(const Twine &text, ValueRange through, ValueRange operands) {
  std::string outputs, inputs, ties;
  for (auto [i, type] : llvm::enumerate(through.getTypes())) {
    outputs += std::string(i ? ",=" : "=") + (type.isF32() ? "f" : "r");
    ties += "," + std::to_string(i);
  }
  for (Type type : operands.getTypes())
    inputs += type.isInteger(64) ? ",l" : type.isInteger(1) ? ",b" : ",r";
  SmallVector<Value> all(operands);
  llvm::append_range(all, through);
  std::string constraints = outputs + inputs + ties;
  if (through.empty()) {
    effect(text, StringRef(constraints).ltrim(','), all);
    return {};
  }
  SmallVector<Type> members(through.getTypes());
  if (members.size() == 1)
    return {effect(text, constraints, all, members.front()).getRes()};
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(), members);
  Value result = effect(text, constraints, all, type).getRes();
  SmallVector<Value> results;
  for (size_t i = 0; i < members.size(); ++i)
    results.push_back(builder.create<LLVM::ExtractValueOp>(here, result, i));
  return results;
}

LogicalResult KernelLowering::lowerUndefined(tile::UndefinedOp op) {
  const TileRegisters &registers = registersOf(op.getType());
  Registers result;
  for (int64_t i = 0; i < registers.count(); ++i)
    result.push_back(builder.create<LLVM::UndefOp>(here, registers.vectorType()));
  tiles[op.getResult()] = std::move(result);
  return success();
}

/// A branch around an instruction for each register, where LLVM would select, which takes as many in any case.
LogicalResult KernelLowering::lowerZeroIf(tile::ZeroIfOp op) {
  SmallVector<Value> fragments = fragmentsOf(op.getSource());
  std::string text = "{\n\t@!$" + std::to_string(fragments.size()) + " bra past;\n";
  for (size_t i = 0; i < fragments.size(); ++i)
    text += "\tmov.b32 $" + std::to_string(i) + ", 0;\n";
  setFragments(op.getResult(), passThrough(text + "past:\n\t}", fragments, values.lookup(op.getCondition())));
  return success();
}

namespace {

/// A product's factors as instructions take them: the left one in shared memory, or in registers, four for each step
/// along the contracted dimension in each block of 64 rows.
struct Factors {
  WgmmaTypes types;
  std::optional<Operand> lhs;
  Operand rhs;
  SmallVector<Value> registers;
  int64_t steps; ///< Along the contracted dimension.
};

/// What one instruction after the other adds to: 64 rows, from block `block` of the left factor on, and columns.
struct SumPart {
  int64_t block, column, columns;
};

constexpr int64_t leftPerStep = 4;

/// The instructions of one part, without the registers of the accumulator, which are the first operands. Behind them
/// come the right descriptor, the left factor, and the predicate of the first instruction, if it has one.
std::string instructionsOf(const Factors &factors, const SumPart &part, size_t accumulators, bool isConditional) {
  const std::optional<Operand> &lhs = factors.lhs;
  size_t left = accumulators + 1, predicate = left + (lhs ? 1 : factors.steps * leftPerStep);
  auto operand = [](size_t number) { return "$" + std::to_string(number); };
  std::string opcode =
      ("wgmma.mma_async.sync.aligned.m64n" + Twine(part.columns) + "k" + Twine(factors.types.depth()) + "." +
       factors.types.sum->name + "." + nameOfFactor(*factors.types.left) + "." + nameOfFactor(*factors.types.right))
          .str();
  std::string text = "{\n\t.reg .pred p;\n\t.reg .b64 da, db;\n\tsetp.eq.u32 p, 0, 0;\n";
  auto advance = [&](StringRef name, size_t from, int64_t bytes) {
    text += ("\tadd.s64 " + name + ", " + operand(from) + ", " + Twine(bytes >> 4) + ";\n").str();
  };
  for (int64_t step = 0; step < factors.steps; ++step) {
    if (lhs)
      advance("da", left, lhs->block(part.block) + lhs->step(step));
    advance("db", accumulators, factors.rhs.block(part.column / instructionRows) + factors.rhs.step(step));
    text += "\t" + opcode + " " + operandList(0, accumulators) + ", " +
            (lhs ? "da" : operandList(left + step * leftPerStep, leftPerStep)) + ", db, " +
            (step == 0 && isConditional ? operand(predicate) : "p") + flagsOf(factors.types, lhs, factors.rhs) + ";\n";
  }
  return text + "\t}";
}

} // namespace

/// The factors in shared memory; says which of them the unit cannot read.
static LogicalResult findFactors(tile::WgmmaOp op, ScalarBuilder b, const SharedRef *aRef, const SharedRef &bRef,
                                 Factors &factors) {
  for (const SharedRef *ref : {&bRef, aRef}) {
    if (!ref)
      continue;
    if (ref->swizzle < 32) {
      InFlightDiagnostic error =
          op.emitError("wgmma takes operands from swizzled shared memory: make its rows a multiple of 32 bytes and "
                       "their number a multiple of 8, and pin no other .transforms");
      // Of few columns, each is a row of the transposed.
      int64_t rows = ref->extents[0], columns = ref->extents[1];
      bool isPlain = ref == &bRef && ref->inner == 1;
      if (isPlain && columns * ref->elementBytes % 32 != 0 && rows * ref->elementBytes % 32 == 0)
        error.attachNote() << "of " << columns << " columns, store b as N x K, with rows of " << rows
                           << " elements, tg::smem<..., " << columns << ", " << rows
                           << ">, and pass tg::transpose_ref(b)";
      return error;
    }
    if (!beginsWell(*ref, /*k=*/ref == &bRef ? 0 : 1))
      return op.emitError("an operand of wgmma must begin at a multiple of 8 rows of its shared memory, have "
                          "contiguous rows, and begin at a panel of ")
             << ref->swizzle << " bytes, or at a part of one of 32, 64 or 128 bytes";
  }
  if (aRef)
    factors.lhs = operandOf(b, *aRef, /*k=*/1);
  factors.rhs = operandOf(b, bRef, /*k=*/0);
  bool isLeft = factors.lhs && factors.lhs->isTransposed;
  if ((isLeft || factors.rhs.isTransposed) && !factors.types.isTransposable())
    return op.emitError("wgmma takes operands of 8 and 32 bits only with the contracted dimension innermost: ")
           << (isLeft ? "store a as M x K" : "store b as N x K and pass tg::transpose_ref(b)");
  factors.steps = bRef.extents[0] * bRef.elementBytes / instructionBytes;
  return success();
}

LogicalResult KernelLowering::lowerWgmma(tile::WgmmaOp op) {
  RankedTensorType type = op.getType();
  bool isShared = isa<tile::RefType>(op.getA().getType());
  Type aElement =
      isShared ? cast<tile::RefType>(op.getA().getType()).getElementType() : getElementTypeOrSelf(op.getA().getType());
  Factors factors{*findWgmma(aElement, op.getB().getType().getElementType(), type.getElementType()), {}, {}, {}, 0};
  if (failed(findFactors(op, scalars(op), isShared ? &shared.find(op.getA())->second : nullptr,
                         shared.find(op.getB())->second, factors)))
    return failure();

  // A block of 64 rows by 8 columns is 4 elements a lane; blocks lie side by side, then one below the other.
  SmallVector<Value> all = fragmentsOf(op.getAccumulator());
  int64_t blocks = op.getRows() / instructionRows, across = type.getDimSize(1) / 8;
  int64_t perBlock = all.size() / (type.getDimSize(0) / instructionRows * across);
  SmallVector<SumPart> parts;
  for (int64_t block = 0; block < blocks; ++block)
    for (int64_t column = 0; int64_t columns : factors.types.instructionColumns(op.getColumns())) {
      parts.push_back({block, column, columns});
      column += columns;
    }
  auto registersOfPart = [&](const SumPart &part) {
    int64_t row = op.getFirst(0) / instructionRows + part.block, column = op.getFirst(1) + part.column;
    return MutableArrayRef(all).slice((row * across + column / 8) * perBlock, part.columns / 8 * perBlock);
  };

  // Registers that ordinary code wrote are in place before the unit reads them: also for LLVM, which would move them.
  SmallVector<Value> registers;
  for (const SumPart &part : parts)
    llvm::append_range(registers, registersOfPart(part));
  if (!isShared)
    llvm::append_range(registers, fragmentsOf(op.getA()));
  registers = passThrough("wgmma.fence.sync.aligned;", registers, {});
  ArrayRef<Value> rest = registers;
  for (const SumPart &part : parts) {
    MutableArrayRef<Value> own = registersOfPart(part);
    llvm::copy(rest.take_front(own.size()), own.begin());
    rest = rest.drop_front(own.size());
  }
  for (Value fragment : rest)
    factors.registers.push_back(fragment.getType().isInteger(32)
                                    ? fragment
                                    : builder.create<LLVM::BitcastOp>(here, builder.getI32Type(), fragment));
  for (const SumPart &part : parts) {
    SmallVector<Value> operands = {factors.rhs.descriptor};
    if (factors.lhs)
      operands.push_back(factors.lhs->descriptor);
    else
      llvm::append_range(
          operands,
          ArrayRef(factors.registers).slice(part.block * factors.steps * leftPerStep, factors.steps * leftPerStep));
    // Only the first of the instructions may leave the accumulator out.
    if (op.getAccumulate())
      operands.push_back(values.lookup(op.getAccumulate()));
    MutableArrayRef<Value> own = registersOfPart(part);
    llvm::copy(passThrough(instructionsOf(factors, part, own.size(), bool(op.getAccumulate())), own, operands),
               own.begin());
  }
  effect("wgmma.commit_group.sync.aligned;", "", {});
  setFragments(op.getResult(), all);
  return success();
}

/// What the program computes while products are in flight, in front of a wait for them: the tiles that everything since
/// the product, or the wait before, leads to. Products may be in what has regions.
static SmallVector<Value> computedMeanwhile(tile::WgmmaWaitOp wait) {
  SmallVector<Value> last;
  auto isSince = [&](Operation *user) { return user->getBlock() == wait->getBlock() && user->isBeforeInBlock(wait); };
  auto isProduct = [](Operation *op) { return isa<tile::WgmmaOp, tile::WgmmaWaitOp>(op) || op->getNumRegions() > 0; };
  for (Operation *op = wait->getPrevNode(); op && !isProduct(op); op = op->getPrevNode())
    for (Value result : op->getResults())
      if (isa<RankedTensorType>(result.getType()) && llvm::none_of(result.getUsers(), isSince))
        last.push_back(result);
  return last;
}

/// Keeps ptxas from moving a wait in front of what is computed while products are in flight, which no dependence keeps
/// behind it, and which the wait would then no longer hide: an instruction that ptxas leaves in its place, behind the
/// wait's operands. Its predicate depends on what is computed, and holds for a pattern of bits that no result has but
/// by chance; then it sleeps for no time.
static std::string anchor(unsigned first, size_t count) {
  std::string text = "{\n\t.reg .pred never;\n";
  for (size_t i = 0; i < count; ++i)
    text += (i ? "\tsetp.eq.and.u32 never, $" : "\tsetp.eq.u32 never, $") + std::to_string(first + i) +
            (i ? ", -1, never;\n" : ", -1;\n");
  return text + "\t@never nanosleep.u32 0;\n\t}\n\t";
}

/// The accumulators go in and out, so that nothing reads them before.
LogicalResult KernelLowering::lowerWgmmaWait(tile::WgmmaWaitOp op) {
  constexpr size_t mostAnchors = 4;
  SmallVector<Value> fragments, anchors;
  for (Value accumulator : op.getAccumulators())
    llvm::append_range(fragments, fragmentsOf(accumulator));
  for (Value tile : computedMeanwhile(op))
    if (getElementTypeOrSelf(tile.getType()).getIntOrFloatBitWidth() == 32)
      for (Value fragment : fragmentsOf(tile))
        anchors.push_back(builder.create<LLVM::BitcastOp>(here, builder.getI32Type(), fragment));
  anchors.truncate(std::min(anchors.size(), mostAnchors));
  std::string text = anchors.empty() ? "" : anchor(fragments.size(), anchors.size());
  fragments = passThrough(text + "wgmma.wait_group.sync.aligned " + Twine(op.getPending()) + ";", fragments, anchors);
  ArrayRef<Value> rest = fragments;
  for (auto [accumulator, result] : llvm::zip(op.getAccumulators(), op.getResults())) {
    size_t count = fragmentsOf(accumulator).size();
    setFragments(result, rest.take_front(count));
    rest = rest.drop_front(count);
  }
  return success();
}

std::optional<LogicalResult> KernelLowering::lowerWgmmaOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](tile::UndefinedOp undefined) { return lowerUndefined(undefined); })
      .Case([&](tile::ZeroIfOp zero) { return lowerZeroIf(zero); })
      .Case([&](tile::WgmmaOp product) { return lowerWgmma(product); })
      .Case([&](tile::WgmmaWaitOp wait) { return lowerWgmmaWait(wait); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tegula::lower
