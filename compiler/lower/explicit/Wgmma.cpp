// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix unit of Hopper (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions").
#include "lower/KernelLowering.h"

using namespace mlir;

namespace tegula::lower {

namespace {

/// The rows of one instruction, and the bytes along the contracted dimension.
constexpr int64_t instructionRows = 64, instructionBytes = 32;

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

StringRef operandType(Type element) {
  return element.isBF16()           ? "bf16"
         : element.isF16()          ? "f16"
         : element.isFloat8E4M3FN() ? "e4m3"
         : element.isFloat8E5M2()   ? "e5m2"
         : element.isF32()          ? "tf32"
                                    : "";
}

} // namespace

/// Assembly that values pass through: those that use the results come after it, what makes the operands before.
SmallVector<Value> KernelLowering::passThrough(const Twine &text, ValueRange through) {
  if (through.empty()) {
    effect(text, "", {});
    return {};
  }
  std::string outputs, ties;
  SmallVector<Type> members(through.getTypes());
  for (size_t i = 0; i < members.size(); ++i) {
    outputs += i ? ",=f" : "=f";
    ties += "," + std::to_string(i);
  }
  if (members.size() == 1)
    return {effect(text, outputs + ties, through, members.front()).getRes()};
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(), members);
  Value all = effect(text, outputs + ties, through, type).getRes();
  SmallVector<Value> results;
  for (size_t i = 0; i < members.size(); ++i)
    results.push_back(builder.create<LLVM::ExtractValueOp>(here, all, i));
  return results;
}

LogicalResult KernelLowering::lowerWgmma(tile::WgmmaOp op) {
  ScalarBuilder b = scalars(op);
  auto aType = dyn_cast<tile::RefType>(op.getA().getType());
  if (!aType)
    return op.emitOpError("takes its left operand from shared memory");
  const SharedRef &a = shared.find(op.getA())->second, &bRef = shared.find(op.getB())->second;
  StringRef left = operandType(aType.getElementType()), right = operandType(op.getB().getType().getElementType());
  RankedTensorType type = op.getType();
  if (left.empty() || right.empty() || !type.getElementType().isF32())
    return op.emitOpError("has no instruction for ")
           << aType.getElementType() << " and " << op.getB().getType().getElementType() << " into "
           << type.getElementType();
  for (const SharedRef *ref : {&a, &bRef})
    if (!ref->isAligned || ref->swizzle < 32)
      return op.emitOpError("takes operands in whole groups of 8 rows, with rows of a multiple of 32 bytes");
  Operand lhs = operandOf(b, a, /*k=*/1), rhs = operandOf(b, bRef, /*k=*/0);
  if ((lhs.isTransposed || rhs.isTransposed) && a.elementBytes != 2)
    return op.emitOpError("takes 8-bit and 32-bit operands with the contracted dimension innermost only");

  int64_t n = type.getDimSize(1), blocks = type.getDimSize(0) / instructionRows;
  int64_t steps = a.extents[1] * a.elementBytes / instructionBytes, perBlock = n / 2;
  const TileRegisters &registers = registersOf(type);
  SmallVector<Value> accumulator;
  for (Value vector : tiles.find(op.getAccumulator())->second)
    for (int64_t lane = 0; lane < registers.lanes; ++lane)
      accumulator.push_back(b.extract(vector, lane));

  std::string list, outputs, ties;
  for (int64_t i = 0; i < perBlock; ++i) {
    list += (i ? ",$" : "$") + std::to_string(i);
    outputs += "=f,";
    ties += "," + std::to_string(i);
  }
  std::string opcode = "wgmma.mma_async.sync.aligned.m64n" + std::to_string(n) + "k" +
                       std::to_string(instructionBytes / a.elementBytes) + ".f32." + left.str() + "." + right.str();
  std::string flags = ", p, 1, 1";
  if (a.elementBytes == 2)
    flags += std::string(lhs.isTransposed ? ", 1" : ", 0") + (rhs.isTransposed ? ", 1" : ", 0");
  // Registers that ordinary code wrote are in place before the unit reads them: also for LLVM, which would move them.
  accumulator = passThrough("wgmma.fence.sync.aligned;", accumulator);
  auto structType =
      LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(perBlock, builder.getF32Type()));
  SmallVector<Value> results;
  for (int64_t block = 0; block < blocks; ++block) {
    // The operands are numbered behind the registers and their ties.
    std::string text = "{\n\t.reg .pred p;\n\t.reg .b64 da, db;\n\tsetp.eq.u32 p, 0, 0;\n";
    std::string da = "$" + std::to_string(perBlock), db = "$" + std::to_string(perBlock + 1);
    for (int64_t step = 0; step < steps; ++step) {
      text += "\tadd.s64 da, " + da + ", " + std::to_string((lhs.block(block) + lhs.step(step)) >> 4) + ";\n";
      text += "\tadd.s64 db, " + db + ", " + std::to_string(rhs.step(step) >> 4) + ";\n";
      text += "\t" + opcode + " {" + list + "}, da, db" + flags + ";\n";
    }
    text += "\t}";
    SmallVector<Value> operands = {lhs.descriptor, rhs.descriptor};
    llvm::append_range(operands, ArrayRef(accumulator).slice(block * perBlock, perBlock));
    LLVM::InlineAsmOp product = effect(text, outputs + "l,l" + ties, operands, structType);
    for (int64_t i = 0; i < perBlock; ++i)
      results.push_back(builder.create<LLVM::ExtractValueOp>(here, product.getRes(), i));
  }
  effect("wgmma.commit_group.sync.aligned;", "", {});
  Registers gathered;
  for (int64_t i = 0; i < registers.count(); ++i)
    gathered.push_back(b.gather(ArrayRef(results).slice(i * registers.lanes, registers.lanes)));
  tiles[op.getResult()] = std::move(gathered);
  return success();
}

/// The accumulators go in and out, so that nothing reads them before.
LogicalResult KernelLowering::lowerWgmmaWait(tile::WgmmaWaitOp op) {
  ScalarBuilder b = scalars(op);
  SmallVector<Value> flat;
  for (Value accumulator : op.getAccumulators())
    for (Value vector : tiles.find(accumulator)->second)
      for (int64_t lane = 0; lane < registersOf(accumulator.getType()).lanes; ++lane)
        flat.push_back(b.extract(vector, lane));
  SmallVector<Value> waited = passThrough("wgmma.wait_group.sync.aligned " + Twine(op.getPending()) + ";", flat);
  size_t next = 0;
  for (auto [accumulator, result] : llvm::zip(op.getAccumulators(), op.getResults())) {
    const TileRegisters &registers = registersOf(accumulator.getType());
    Registers gathered;
    for (int64_t i = 0; i < registers.count(); ++i) {
      SmallVector<Value> lanes;
      for (int64_t lane = 0; lane < registers.lanes; ++lane)
        lanes.push_back(waited[next++]);
      gathered.push_back(b.gather(lanes));
    }
    tiles[result] = std::move(gathered);
  }
  return success();
}

} // namespace tegula::lower
