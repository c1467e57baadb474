// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensor cores of a warp, and how their factors come to it: cp.async to shared memory (PTX ISA, "Data Movement and
// Conversion Instructions: cp.async"), ldmatrix from there (Matrices.cpp), mma.sync ("Warp Level Matrix
// Multiply-Accumulate Instructions").
#include "support/Mma.h"
#include "ir/KernelAttributes.h"
#include "ir/Wgmma.h"
#include "layout/MmaLayouts.h"
#include "lower/KernelLowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::lower {

// ---- Copies ---------------------------------------------------------------------------------------------------------

namespace {

/// The units of a window that a thread copies: `row` and `column` of the first, in elements, and where the others are
/// from there.
struct Units {
  Value row, column;
  SmallVector<layout::Coordinate> parts;
};

} // namespace

/// Neighbouring threads copy neighbouring units. Where the threads are whole rows of units, a thread stays in its
/// column.
static SmallVector<Units> unitsOf(ScalarBuilder b, Value thread, int64_t threads, const SharedRef &target) {
  auto number = [&](int64_t value) { return b.integer(thread.getType(), value); };
  int64_t perUnit = unitBytes / target.elementBytes, rows = target.extents[0], columns = target.extents[1] / perUnit;
  auto at = [&](Value unit) {
    Value column = b.create<arith::MulIOp>(b.create<arith::RemUIOp>(unit, number(columns)), number(perUnit));
    return Units{b.create<arith::DivUIOp>(unit, number(columns)), column, {}};
  };
  SmallVector<Units> all;
  if (threads % columns == 0) {
    Units &mine = all.emplace_back(at(thread));
    for (int64_t row = 0; row < rows; row += threads / columns)
      mine.parts.push_back({row, 0});
    return all;
  }
  for (int64_t first = 0; first < rows * columns; first += threads) {
    all.push_back(at(b.create<arith::AddIOp>(thread, number(first))));
    all.back().parts.push_back({0, 0});
  }
  return all;
}

/// Where a window ends that is compared with indices within its bound: that need not be clamped.
Value KernelLowering::endOf(Value window, unsigned dim) {
  auto slice = window.getDefiningOp<tile::SliceOp>();
  Value end = refs.find(window)->second.dims[dim];
  bool keepsDims = slice && static_cast<int64_t>(slice.getModes().size()) == slice.getType().getRank();
  if (!keepsDims || slice.getMode(dim) != tile::SliceMode::Window || slice.getSize(dim))
    return end;
  Value ofSource = refs.find(slice.getSource())->second.dims[dim];
  return scalars().create<arith::SubIOp>(ofSource, values.lookup(slice.getOffset(dim)));
}

/// A row: neighbouring threads copy neighbouring units, at one address and constant distances from it.
void KernelLowering::copyRow(tile::CpAsyncOp op) {
  ScalarBuilder b = scalars(op);
  const LoweredRef &source = refs.find(op.getSource())->second;
  const SharedRef &target = shared.find(op.getTarget())->second;
  tile::RefType type = op.getSource().getType();
  Type element = registerType(type.getElementType());
  int64_t perUnit = unitBytes / target.elementBytes, length = target.extents[0];
  int64_t threads = op.getGroup() ? kernel.getGroup() : kernel.getThreads();
  Value thread = op.getGroup() ? threadInGroup() : specialRegister("tid");
  Value column = b.create<arith::MulIOp>(thread, i32(perUnit));
  Value wide = b.create<arith::ExtUIOp>(builder.getI64Type(), column), end = endOf(op.getSource(), 0);
  Value pointer = builder.create<LLVM::GEPOp>(here, source.base.getType(), element, source.base, wide);
  Value address = b.create<arith::AddIOp>(target.address, b.create<arith::MulIOp>(thread, i32(unitBytes)));
  for (int64_t first = 0; first < length; first += threads * perUnit) {
    Value copies = op.getPredicate() ? values.lookup(op.getPredicate()) : Value(), bytes = i32(unitBytes), isWanted;
    if (first + threads * perUnit > length) { // Some threads have a unit more than others.
      Value isMine = b.compare(arith::CmpIPredicate::slt, column, i32(length - first));
      copies = copies ? b.create<arith::AndIOp>(copies, isMine) : isMine;
    }
    Value left = b.create<arith::SubIOp>(b.create<arith::SubIOp>(end, i64(first)), wide);
    if (!type.isExact(0) && type.getIsEven()) {
      isWanted = b.compare(arith::CmpIPredicate::sgt, left, i64(0));
    } else if (!type.isExact(0)) {
      left = b.create<arith::MulIOp>(left, i64(target.elementBytes));
      left = b.create<arith::MaxSIOp>(b.create<arith::MinSIOp>(left, i64(unitBytes)), i64(0));
      bytes = b.create<arith::TruncIOp>(builder.getI32Type(), left);
    }
    Value from = builder.create<LLVM::GEPOp>(here, pointer.getType(), element, pointer, i64(first));
    copyUnit(b.create<arith::AddIOp>(address, i32(first * target.elementBytes)), from, isWanted, bytes, copies);
  }
}

LogicalResult KernelLowering::lowerCpAsync(tile::CpAsyncOp op) {
  if (op.getTarget().getType().getRank() == 1) {
    copyRow(op);
    return success();
  }
  ScalarBuilder b = scalars(op);
  Type i64 = builder.getI64Type(), i32Type = builder.getI32Type();
  const LoweredRef &source = refs.find(op.getSource())->second;
  const SharedRef &target = shared.find(op.getTarget())->second;
  tile::RefType type = op.getSource().getType();
  Type element = registerType(type.getElementType());
  int64_t threads = op.getGroup() ? kernel.getGroup() : kernel.getThreads(), rows = target.extents[0];
  Value isThere = op.getPredicate() ? values.lookup(op.getPredicate()) : Value();
  auto narrow = [&](Value extent) { return b.create<arith::TruncIOp>(i32Type, extent); };
  auto isBefore = [&](Value index, Value end) {
    return b.compare(arith::CmpIPredicate::slt, b.create<arith::ExtUIOp>(i64, index), end);
  };
  Value ends[] = {endOf(op.getSource(), 0), endOf(op.getSource(), 1)};
  auto both = [&](Value a, Value c) { return a ? b.create<arith::AndIOp>(a, c) : c; };
  Value thread = op.getGroup() ? threadInGroup() : specialRegister("tid");
  SmallVector<Units> all = unitsOf(b, thread, threads, target);
  bool isUneven = rows * target.extents[1] * target.elementBytes / unitBytes % threads != 0;
  for (const Units &units : all) {
    // What of the row is inside: rows of whole units have all of a unit or nothing.
    Value bytes = i32(unitBytes), isInside;
    if (!type.isExact(1) && type.getIsEven()) {
      isInside = isBefore(units.column, ends[1]);
    } else if (!type.isExact(1)) {
      Value left = b.create<arith::SubIOp>(narrow(source.dims[1]), units.column);
      left = b.create<arith::MulIOp>(left, i32(target.elementBytes));
      bytes = b.create<arith::MaxSIOp>(b.create<arith::MinSIOp>(left, bytes), i32(0));
    }
    Value start = b.create<arith::MulIOp>(b.create<arith::ExtUIOp>(i64, units.row), source.strides[0]);
    start = b.create<arith::AddIOp>(start, b.create<arith::ExtUIOp>(i64, units.column));
    Value pointer = builder.create<LLVM::GEPOp>(here, source.base.getType(), element, source.base, start);
    SmallVector<Value> addresses = chunkAddresses(target, {units.row, units.column}, units.parts);
    for (auto [part, address] : llvm::zip_equal(units.parts, addresses)) {
      Value row = b.create<arith::AddIOp>(units.row, i32(part[0])), isWanted = isInside, copies = isThere;
      if (!type.isExact(0))
        isWanted = both(isInside, isBefore(row, ends[0]));
      if (isUneven && &units == &all.back() && &part == &units.parts.back())
        copies = both(copies, b.compare(arith::CmpIPredicate::slt, row, i32(rows)));
      Value offset = b.create<arith::MulIOp>(source.strides[0], this->i64(part[0]));
      Value from = builder.create<LLVM::GEPOp>(here, pointer.getType(), element, pointer, offset);
      copyUnit(address, from, isWanted, bytes, copies);
    }
  }
  return success();
}

/// Where `copies`: as many bytes of a unit, or none if it is not wanted; the others become 0. All or nothing, said by a
/// predicate, is that to ptxas, too.
void KernelLowering::copyUnit(Value address, Value from, Value isWanted, Value bytes, Value copies) {
  if (!isWanted)
    isWanted = scalars().integer(builder.getI1Type(), 1);
  SmallVector<Value> operands = {address, from, isWanted, bytes};
  if (copies)
    operands.push_back(copies);
  effect("{\n\t.reg .b32 size;\n\tselp.b32 size, $3, 0, $2;\n\t" + Twine(copies ? "@$4 " : "") +
             "cp.async.cg.shared.global [$0], [$1], 16, size;\n\t}",
         copies ? "r,l,b,r,b" : "r,l,b,r", operands);
}

// ---- Products -------------------------------------------------------------------------------------------------------

/// Both factors lie as the warps of the accumulator take them.
static LogicalResult checkLayouts(tile::MmaOp op) {
  auto layoutOf = [](RankedTensorType type) { return cast<tile::LayoutAttr>(type.getEncoding()).getLayout(); };
  auto isAsNeeded = [&](layout::MmaFactor which, RankedTensorType type) {
    return layoutOf(type) == mmaFactor(which, layoutOf(op.getType()), tile::bytesOf(type.getElementType()));
  };
  if (isAsNeeded(layout::MmaFactor::left, op.getA().getType()) &&
      isAsNeeded(layout::MmaFactor::right, op.getB().getType()))
    return success();
  return op.emitOpError("has factors in other layouts than its accumulator's warps take");
}

/// The registers of a factor, which instructions take as bits, but for f64.
SmallVector<Value> KernelLowering::factorBits(Value tile) {
  SmallVector<Value> bits = fragmentsOf(tile);
  for (Value &each : bits)
    if (!each.getType().isInteger() && !each.getType().isF64())
      each = builder.create<LLVM::BitcastOp>(here, builder.getI32Type(), each);
  return bits;
}

/// 16 x 8 results, of operands in the order results, left, right; as two instructions of half the depth if `isShort`.
static std::string productText(const WgmmaTypes &types, bool isShort) {
  StringRef sum = types.sum->name;
  int64_t depth = types.depth() / (isShort ? 2 : 1);
  std::string opcode = ("mma.sync.aligned.m16n8k" + Twine(depth) + ".row.col." + sum + "." + nameOfFactor(*types.left) +
                        "." + nameOfFactor(*types.right) + "." + sum + " ")
                           .str();
  std::string results = operandList(0, 4), text;
  for (int64_t half = 0; half < (isShort ? 2 : 1); ++half) {
    std::string left = isShort ? operandList(4 + 2 * half, 2) : operandList(4, 4),
                right = isShort ? operandList(8 + half, 1) : operandList(8, 2);
    text += (half ? "\n\t" : "") + opcode + results + ", " + left + ", " + right + ", " + results + ";";
  }
  return text;
}

/// The first register of each block of an accumulator, row by row, and there and back: neighbours share a factor.
static SmallVector<size_t> snake(const layout::Placement &sums, size_t registers) {
  SmallVector<size_t> order;
  size_t rowStart = 0, rows = 0;
  for (size_t first = 0; first <= registers; first += 4) {
    auto rowOf = [&](size_t reg) { return sums.registerPart(static_cast<int64_t>(reg))[0]; };
    if (first > 0 && (first == registers || rowOf(first) != rowOf(rowStart))) {
      if (rows++ % 2)
        std::reverse(order.end() - (first - rowStart) / 4, order.end());
      rowStart = first;
    }
    if (first < registers)
      order.push_back(first);
  }
  return order;
}

LogicalResult KernelLowering::lowerMma(tile::MmaOp op) {
  RankedTensorType type = op.getType();
  Type left = op.getA().getType().getElementType(), right = op.getB().getType().getElementType();
  std::optional<WgmmaTypes> types = findMma(left, right, type.getElementType());
  if (failed(checkLayouts(op)))
    return failure();
  ScalarBuilder b = scalars(op);
  const layout::Placement &sums = registersOf(type).placement, &ofA = registersOf(op.getA().getType()).placement,
                          &ofB = registersOf(op.getB().getType()).placement;
  SmallVector<Value> accumulator = fragmentsOf(op.getAccumulator()), a = factorBits(op.getA()),
                     factors = factorBits(op.getB());
  // Targets differ in what they have for these.
  bool isOfTarget = types->left->isFloat() && (types->left->bits == 8 || types->left->bits == 64);
  std::string name = (mmaPrefix + types->left->name + "_" + types->right->name).str();
  std::string text = productText(*types, kernel->hasAttr(tile::isForShortMma));
  std::string constraints =
      types->areIntegers() ? "=r,=r,=r,=r,r,r,r,r,r,r,0,1,2,3" : "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3";
  auto four =
      LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(4, accumulator.front().getType()));
  int64_t perRegister = std::max(1, 32 / static_cast<int>(types->left->bits));
  for (int64_t k = 0; k < op.getA().getType().getDimSize(1); k += types->depth())
    for (size_t first : snake(sums, accumulator.size())) {
      layout::Coordinate block = sums.registerPart(static_cast<int64_t>(first));
      int64_t aFirst = *ofA.findRegister(layout::Coordinate{block[0], k}) / perRegister,
              bFirst = *ofB.findRegister(layout::Coordinate{block[1], k}) / perRegister;
      SmallVector<Value> operands;
      llvm::append_range(operands, ArrayRef(a).slice(aFirst, 4));
      llvm::append_range(operands, ArrayRef(factors).slice(bFirst, 2));
      llvm::append_range(operands, ArrayRef(accumulator).slice(first, 4));
      Value made = isOfTarget ? b.call(name, four, operands) : b.assembly(text, constraints, four, operands);
      for (int64_t i = 0; i < 4; ++i)
        accumulator[first + i] = builder.create<LLVM::ExtractValueOp>(here, made, i);
    }
  setFragments(op.getResult(), accumulator);
  return success();
}

std::optional<LogicalResult> KernelLowering::lowerMmaOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](tile::MmaOp product) { return lowerMma(product); })
      .Case([&](tile::CpAsyncOp copy) { return lowerCpAsync(copy); })
      .Case([&](tile::CpAsyncCommitOp) {
        effect("cp.async.commit_group;", "", {});
        return success();
      })
      .Case([&](tile::CpAsyncWaitOp wait) {
        effect("cp.async.wait_group " + Twine(wait.getPending()) + ";", "", {});
        wait.getGroup() ? groupBarrier() : blockBarrier();
        return success();
      })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tegula::lower
