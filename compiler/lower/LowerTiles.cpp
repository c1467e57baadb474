// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Divisors.h"
#include "ir/TileBounds.h"
#include "lower/KernelLowering.h"

#include "llvm/ADT/SmallString.h"

using namespace mlir;

namespace tegula::lower {

/// e to the x, of an f32 that is at most 0 or NaN: 2 to the y for the nearest y to x log2(e), times 1 plus what that y
/// misses. Neither an infinity nor a NaN comes about on the way; -inf and all below the range give 0. Results below
/// 2^-126 are 0, too.
static Value expOfNeverPositive(ScalarBuilder &b, Value x) {
  Type f32 = b.builder.getF32Type();
  auto fma = [&](Value factor, Value other, Value sum) -> Value {
    return b.builder.create<LLVM::FMAOp>(b.loc, factor, other, sum);
  };
  x = b.create<arith::MaximumFOp>(x, b.real(f32, -105));
  Value y = b.create<arith::MulFOp>(x, b.real(f32, 1.44269504F));
  Value power = b.intrinsic("llvm.nvvm.ex2.approx.ftz.f", f32, y);
  // ln 2 in two parts: the first product is exact within the FMA, and so is the difference.
  Value missed = fma(y, b.real(f32, -0x1.62e43p-1F), x);
  missed = fma(y, b.real(f32, 0x1.05c61p-29F), missed);
  return fma(power, missed, power);
}

/// Whether all lanes of a vector compare alike: numbers of neighbours with a limit, where vectors begin and the limit
/// lies at multiples of the lanes. So do the masks at the edge of an array that accesses of whole vectors divide.
static bool compareAlike(Operation *op, int64_t lanes) {
  if (!isa<tile::LtOp>(op) || lanes == 1)
    return false;
  auto numbers = op->getOperand(0).getDefiningOp<tile::IotaOp>();
  auto limit = op->getOperand(1).getDefiningOp<tile::FullOp>();
  return numbers && limit && isa<IntegerType>(numbers.getType().getElementType()) &&
         static_cast<int64_t>(numbers.getAxis()) + 1 == numbers.getType().getRank() &&
         (!numbers.getOffset() || tile::divisorOf(numbers.getOffset()) % lanes == 0) &&
         tile::divisorOf(limit.getValue()) % lanes == 0;
}

LogicalResult KernelLowering::lowerElementwise(Operation *op) {
  ScalarBuilder b = scalars(op);
  Type resultType = op->getResult(0).getType();
  Attribute encoding = cast<RankedTensorType>(resultType).getEncoding();
  SmallVector<const Registers *> operands;
  for (Value operand : op->getOperands()) {
    if (cast<RankedTensorType>(operand.getType()).getEncoding() != encoding)
      return op->emitOpError("has operands of different layouts");
    operands.push_back(&tiles.find(operand)->second);
  }
  if (auto cast = dyn_cast<tile::CastOp>(op); cast && castNarrow(cast))
    return success();
  Type from = getElementTypeOrSelf(op->getOperands().back()), to = getElementTypeOrSelf(resultType);
  const TileRegisters &registers = registersOf(resultType);
  auto compute = [&](ValueRange vectors) {
    if (isa<tile::CastOp>(op))
      return b.cast(vectors.front(), from, to);
    if (isa<tile::BitcastOp>(op))
      return b.bitcast(vectors.front(), to);
    if (isa<tile::StochasticCastOp>(op))
      return b.stochasticCast(vectors[0], vectors[1], to);
    return buildElementwise(b, op->getName().stripDialect(), vectors, from);
  };
  if (auto division = dyn_cast<tile::DivOp>(op); division && dividesTogether(division)) {
    tiles[division] = divideTogether(division);
    return success();
  }
  Registers results;
  if (op->hasAttr(tile::neverPositiveAttr) && !b.isApproximate) {
    for (Value vector : *operands[0])
      results.push_back(b.forEachLane(vector, [&](ValueRange lane) { return expOfNeverPositive(b, lane.front()); }));
    tiles[op->getResult(0)] = std::move(results);
    return success();
  }
  bool isAlike = compareAlike(op, registers.lanes);
  // LLVM goes through the stack to take apart two bytes.
  bool isPairOfBytes = registers.lanes == 2 && (registerType(from).isInteger(8) || registerType(to).isInteger(8));
  for (int64_t i = 0; i < registers.count(); ++i) {
    SmallVector<Value> vectors = llvm::map_to_vector(operands, [&](const Registers *tile) { return (*tile)[i]; });
    // A mask of whole rows stays one for each.
    bool areCopies = to.isInteger(1) && registers.lanes > 1 &&
                     llvm::all_of(vectors, [](Value vector) { return bool(ScalarBuilder::copied(vector)); });
    if (isAlike || areCopies)
      for (Value &vector : vectors)
        vector = areCopies ? ScalarBuilder::copied(vector) : b.extract(vector, 0);
    bool isOne = isAlike || areCopies;
    Value result = isPairOfBytes && !isOne ? b.forEachLane(vectors, compute) : compute(vectors);
    if (!result)
      return op->emitOpError("has no lowering for elements of type ") << from;
    results.push_back(isOne ? b.splat(result, registers.lanes) : result);
  }
  tiles[op->getResult(0)] = std::move(results);
  return success();
}

LogicalResult KernelLowering::lowerFull(tile::FullOp op) {
  const TileRegisters &registers = registersOf(op.getType());
  Value vector = scalars(op).splat(values.lookup(op.getValue()), registers.lanes);
  tiles[op.getResult()] = Registers(registers.count(), vector);
  return success();
}

LogicalResult KernelLowering::lowerIota(tile::IotaOp op) {
  ScalarBuilder b = scalars(op);
  const TileRegisters &registers = registersOf(op.getType());
  Type element = op.getType().getElementType(), i64Type = builder.getI64Type();
  unsigned axis = op.getAxis();
  bool isInner = axis + 1 == registers.placement.rank();
  Value base = b.create<arith::ExtUIOp>(i64Type, threadCoordinates(registers)[axis]);
  if (op.getOffset())
    base = b.create<arith::AddIOp>(base, values.lookup(op.getOffset()));
  // Integers wrap, so that they may be cut first and added then; floats are converted last.
  Type counting = isa<FloatType>(element) ? i64Type : element;
  base = b.cast(base, i64Type, counting);
  Registers results;
  for (int64_t i = 0; i < registers.count(); ++i) {
    int64_t part = registers.placement.registerPart(i * registers.lanes)[axis];
    SmallVector<Value> lanes;
    for (int64_t lane = 0; lane < (isInner ? registers.lanes : 1); ++lane)
      lanes.push_back(b.create<arith::AddIOp>(base, b.integer(base.getType(), part + lane)));
    Value vector = isInner ? b.gather(lanes) : b.splat(lanes.front(), registers.lanes);
    results.push_back(b.cast(vector, counting, element));
  }
  tiles[op.getResult()] = std::move(results);
  return success();
}

/// Whether each thread holds of the source what it needs for its part of the result.
static bool isLocal(tile::BroadcastOp op) {
  auto source = cast<tile::LayoutAttr>(op.getSource().getType().getEncoding()).getLayout();
  auto needed = cast<tile::LayoutAttr>(op.getType().getEncoding()).getLayout();
  for (int64_t dim = op.getType().getRank() - 1; dim >= 0; --dim)
    if (!llvm::is_contained(op.getDims(), dim))
      needed = needed.withoutDim(dim);
  return source == needed;
}

LogicalResult KernelLowering::lowerBroadcast(tile::BroadcastOp op) {
  if (!isLocal(op))
    return op.emitOpError("has a source whose layout is not that of the result without the new dimensions");
  ScalarBuilder b = scalars(op);
  const TileRegisters &from = registersOf(op.getSource().getType()), &to = registersOf(op.getType());
  const Registers source = tiles.find(op.getSource())->second;
  auto sourceOf = [&](int64_t reg) {
    layout::Coordinate part = to.placement.registerPart(reg), projected;
    for (auto [i, dim] : llvm::enumerate(op.getDims()))
      projected.push_back(op.getSource().getType().getDimSize(i) == 1 ? 0 : part[dim]);
    return *from.placement.findRegister(projected); // It is there: the layouts agree.
  };
  Registers results;
  for (int64_t i = 0; i < to.count(); ++i) {
    SmallVector<int64_t> regs;
    for (int64_t lane = 0; lane < to.lanes; ++lane)
      regs.push_back(sourceOf(i * to.lanes + lane));
    auto element = [&](int64_t reg) { return b.extract(source[reg / from.lanes], reg % from.lanes); };
    bool isRun = llvm::all_of(llvm::enumerate(regs), [&](auto lane) {
      return lane.value() == regs.front() + static_cast<int64_t>(lane.index());
    });
    if (isRun && from.lanes == to.lanes && regs.front() % to.lanes == 0)
      results.push_back(source[regs.front() / to.lanes]);
    else if (llvm::all_equal(regs))
      results.push_back(b.splat(element(regs.front()), to.lanes));
    else
      results.push_back(b.gather(llvm::map_to_vector(regs, element)));
  }
  tiles[op.getResult()] = std::move(results);
  return success();
}

// ---- Printing -------------------------------------------------------------------------------------------------------

static LLVM::GlobalOp makeString(OpBuilder &builder, ModuleOp module, StringRef text) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  std::string name;
  for (unsigned i = 0; name.empty() || module.lookupSymbol(name); ++i)
    name = "print_format_" + std::to_string(i);
  std::string bytes = text.str() + '\0';
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  return builder.create<LLVM::GlobalOp>(builder.getUnknownLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                        name, builder.getStringAttr(bytes));
}

static LLVM::LLVMFuncOp findVprintf(OpBuilder &builder, ModuleOp module) {
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>("vprintf"))
    return function;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type = LLVM::LLVMFunctionType::get(builder.getI32Type(), {pointer, pointer});
  return builder.create<LLVM::LLVMFuncOp>(builder.getUnknownLoc(), "vprintf", type);
}

/// The operand as vprintf takes it, 8 bytes wide, and the conversion for it.
static std::pair<Value, const char *> printable(ScalarBuilder &b, ModuleOp module, Value operand, bool isUnsigned) {
  Type type = operand.getType(), i64 = b.builder.getI64Type();
  if (type.isInteger(1)) {
    auto address = [&](const char *text) -> Value {
      return b.builder.create<LLVM::AddressOfOp>(b.loc, makeString(b.builder, module, text));
    };
    return {b.select(operand, address("true"), address("false")), "%s"};
  }
  if (isa<FloatType>(type)) {
    Value wide = type.isF64() ? operand : b.create<arith::ExtFOp>(b.builder.getF64Type(), operand);
    return {wide, type.isF64() ? "%.15g" : "%g"}; // As include/tegula/cpu prints.
  }
  Value wide = operand;
  if (!type.isInteger(64))
    wide = isUnsigned ? b.create<arith::ExtUIOp>(i64, operand) : b.create<arith::ExtSIOp>(i64, operand);
  return {wide, isUnsigned ? "%llu" : "%lld"};
}

LogicalResult KernelLowering::lowerDebugPrint(tile::DebugPrintOp op) {
  OpBuilder::InsertionGuard guard(builder);
  ScalarBuilder b = scalars(op);
  auto module = function->getParentOfType<ModuleOp>();
  if (kernel.getGroup() > 1) {
    Value lane = threadInGroup();
    if (isInWarps)
      lane = b.create<arith::AndIOp>(lane, i32(lanesOfWarp - 1));
    Value isFirst = b.compare(arith::CmpIPredicate::eq, lane, i32(0));
    auto branch = builder.create<scf::IfOp>(here, isFirst, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  std::string format;
  SmallVector<Value> arguments;
  StringRef rest = op.getFormat();
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    auto [before, after] = rest.split("{}");
    bool isUnsigned = op.getIsUnsigned() && cast<BoolAttr>((*op.getIsUnsigned())[i]).getValue();
    auto [value, conversion] = printable(b, module, values.lookup(operand), isUnsigned);
    for (char c : before)
      format += c == '%' ? std::string("%%") : std::string(1, c);
    format += conversion;
    arguments.push_back(value);
    rest = after;
  }
  for (char c : rest)
    format += c == '%' ? std::string("%%") : std::string(1, c);
  format += '\n';

  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value buffer = builder.create<LLVM::ZeroOp>(here, pointer);
  if (!arguments.empty()) {
    auto type = LLVM::LLVMArrayType::get(builder.getI64Type(), arguments.size());
    // The stack of a function is laid out once.
    computeOnce([&] { buffer = builder.create<LLVM::AllocaOp>(here, pointer, type, i32(1), /*alignment=*/8); });
    for (auto [i, argument] : llvm::enumerate(arguments)) {
      Value variable = builder.create<LLVM::GEPOp>(here, pointer, builder.getI64Type(), buffer,
                                                   LLVM::GEPArg(static_cast<int32_t>(i)));
      builder.create<LLVM::StoreOp>(here, argument, variable);
    }
  }
  Value text = builder.create<LLVM::AddressOfOp>(here, makeString(builder, module, format));
  builder.create<LLVM::CallOp>(here, findVprintf(builder, module), ValueRange{text, buffer});
  return success();
}

/// Or'ed with what is 0, as neither LLVM nor ptxas knows: grids have one dimension, or two of clusters (abi.h).
LogicalResult KernelLowering::lowerOpaque(tile::OpaqueOp op) {
  ScalarBuilder b = scalars(op);
  Value zero = specialRegister("ctaid.z");
  Type word = builder.getI32Type();
  auto opaque = [&](Value value) {
    return builder
        .create<LLVM::InlineAsmOp>(here, word, ValueRange{value, zero}, "or.b32 $0, $1, $2;", "=r,r,r",
                                   /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::AsmDialectAttr(),
                                   ArrayAttr())
        .getRes();
  };
  Registers results;
  for (Value vector : tiles.find(op.getSource())->second) {
    auto type = dyn_cast<VectorType>(vector.getType());
    int64_t bits = (type ? type.getNumElements() : 1) * getElementTypeOrSelf(vector.getType()).getIntOrFloatBitWidth();
    if (bits % 32 != 0) { // Not registers as a whole.
      results.push_back(vector);
      continue;
    }
    int64_t count = bits / 32;
    Value words = b.create<LLVM::BitcastOp>(count == 1 ? word : VectorType::get(count, word), vector);
    SmallVector<Value> made;
    for (int64_t i = 0; i < count; ++i)
      made.push_back(opaque(b.extract(words, i)));
    results.push_back(b.create<LLVM::BitcastOp>(vector.getType(), b.gather(made)));
  }
  tiles[op.getResult()] = std::move(results);
  return success();
}

} // namespace tegula::lower
