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

LogicalResult KernelLowering::lowerWgmma(tile::WgmmaOp op) {
  ScalarBuilder b = scalars(op);
  auto aRef = dyn_cast<tile::RefType>(op.getA().getType());
  Type aElement = aRef ? aRef.getElementType() : getElementTypeOrSelf(op.getA().getType());
  RankedTensorType type = op.getType();
  int64_t elementBytes = tile::bytesOf(aElement);
  std::optional<WgmmaTypes> types = findWgmma(aElement, op.getB().getType().getElementType(), type.getElementType());
  std::optional<Operand> lhs;
  const SharedRef &bRef = shared.find(op.getB())->second;
  SmallVector<const SharedRef *> refs = {&bRef};
  if (aRef)
    refs.push_back(&shared.find(op.getA())->second);
  for (const SharedRef *ref : refs) {
    if (ref->swizzle < 32)
      return op.emitError(
          "wgmma takes operands from shared memory that is swizzled: of rows of a multiple of 32 bytes, "
          "in groups of 8, and without .transforms that say otherwise");
    if (!beginsWell(*ref, /*k=*/ref == &bRef ? 0 : 1))
      return op.emitError(
                 "wgmma takes operands of neighbouring rows that begin with 8 rows of their shared memory, and "
                 "with a panel of ")
             << ref->swizzle << " bytes, or with a part of 32, 64 or 128 bytes that divides it";
  }
  if (aRef)
    lhs = operandOf(b, *refs.back(), /*k=*/1);
  else if (elementBytes != 2)
    return op.emitError("wgmma takes from registers operands of 16 bits: put this one into shared memory");
  Operand rhs = operandOf(b, bRef, /*k=*/0);
  bool isLeft = lhs && lhs->isTransposed;
  if ((isLeft || rhs.isTransposed) && !types->isTransposable())
    return op.emitError("wgmma takes operands of 8 and 32 bits with the contracted dimension innermost: ")
           << (isLeft ? "store a as M x K" : "store b as N x K and pass tg::transpose_ref(b)");

  int64_t n = type.getDimSize(1), blocks = type.getDimSize(0) / instructionRows;
  int64_t steps = bRef.extents[0] * elementBytes / instructionBytes;
  std::string opcode = ("wgmma.mma_async.sync.aligned.m64n" + Twine(n) + "k" + Twine(types->depth()) + "." +
                        types->sum->name + "." + nameOfFactor(*types->left) + "." + nameOfFactor(*types->right))
                           .str();
  std::string flags = flagsOf(*types, lhs, rhs);

  // Registers that ordinary code wrote are in place before the unit reads them: also for LLVM, which would move them.
  SmallVector<Value> registers = fragmentsOf(op.getAccumulator());
  int64_t perBlock = registers.size() / blocks, aPerStep = lhs ? 0 : 4;
  if (!lhs)
    llvm::append_range(registers, fragmentsOf(op.getA()));
  registers = passThrough("wgmma.fence.sync.aligned;", registers, {});
  ArrayRef<Value> accumulator = ArrayRef(registers).take_front(perBlock * blocks);
  ArrayRef<Value> aRegisters = ArrayRef(registers).drop_front(perBlock * blocks);
  SmallVector<Value> results;
  for (int64_t block = 0; block < blocks; ++block) {
    SmallVector<Value> operands = {rhs.descriptor};
    if (lhs)
      operands.push_back(lhs->descriptor);
    else
      llvm::append_range(operands, aRegisters.slice(block * steps * aPerStep, steps * aPerStep));
    // Only the first of the instructions may leave the accumulator out.
    std::string first = "p";
    if (op.getAccumulate()) {
      first = "$" + std::to_string(perBlock + operands.size());
      operands.push_back(values.lookup(op.getAccumulate()));
    }
    std::string db = "$" + std::to_string(perBlock), da = "$" + std::to_string(perBlock + 1);
    std::string text = "{\n\t.reg .pred p;\n\t.reg .b64 da, db;\n\tsetp.eq.u32 p, 0, 0;\n";
    for (int64_t step = 0; step < steps; ++step) {
      std::string a = lhs ? "da" : operandList(perBlock + 1 + step * aPerStep, aPerStep);
      if (lhs)
        text += "\tadd.s64 da, " + da + ", " + std::to_string((lhs->block(block) + lhs->step(step)) >> 4) + ";\n";
      text += "\tadd.s64 db, " + db + ", " + std::to_string(rhs.step(step) >> 4) + ";\n";
      text += "\t" + opcode + " " + operandList(0, perBlock) + ", " + a + ", db, " + (step == 0 ? first : "p") + flags +
              ";\n";
    }
    llvm::append_range(results, passThrough(text + "\t}", accumulator.slice(block * perBlock, perBlock), operands));
  }
  effect("wgmma.commit_group.sync.aligned;", "", {});
  setFragments(op.getResult(), results);
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
