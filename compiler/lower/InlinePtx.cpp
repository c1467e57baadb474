// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions of the program's own (tg::inline_ptx). `tile.inline_ptx` has its meaning as a region of scalars, as
// reductions have their combiners: the GPU runs the text, the CPU the region. Constraints name the kinds of registers
// (LLVM's NVPTX target, "Inline PTX Assembly").
#include "ir/PtxText.h"
#include "lower/KernelLowering.h"

using namespace mlir;

namespace tegula::lower {

/// The constraint of a register that holds such a number.
static char constraintOf(Type type) {
  if (type.isF32())
    return 'f';
  if (type.isF64())
    return 'd';
  unsigned width = type.getIntOrFloatBitWidth();
  return width == 64 ? 'l' : width == 32 ? 'r' : 'h';
}

/// Floats of 16 bits have the registers of integers.
static Type inRegister(Type type) {
  bool isHalf = isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 16;
  return isHalf ? Type(IntegerType::get(type.getContext(), 16)) : type;
}

LogicalResult KernelLowering::lowerInlinePtx(tile::InlinePtxOp op) {
  const TileRegisters &registers = registersOf(op.getResult().getType());
  ScalarBuilder b = scalars(op);
  Type element = registers.elementType();
  std::string constraints = std::string("=") + constraintOf(element);
  for (Value operand : op.getOperands())
    constraints += std::string(",") + constraintOf(registersOf(operand.getType()).elementType());
  std::string text = tile::onOneLine(op.getText());
  SmallVector<Tuple> results;
  for (int64_t vector = 0; vector < registers.count(); ++vector)
    for (int64_t lane = 0; lane < registers.lanes; ++lane) {
      Tuple given = tupleAt(op.getOperands(), vector, lane);
      for (Value &value : given)
        if (Type type = inRegister(value.getType()); type != value.getType())
          value = builder.create<LLVM::BitcastOp>(here, type, value);
      Value made = b.assembly(text, constraints, inRegister(element), given);
      if (made.getType() != element)
        made = builder.create<LLVM::BitcastOp>(here, element, made);
      results.push_back({made});
    }
  setTuples(op.getResult(), results);
  return success();
}

} // namespace tegula::lower
