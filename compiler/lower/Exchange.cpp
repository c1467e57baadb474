// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops for which the threads of a team exchange elements: reductions, other layouts, and the factors of products. They
// go by shuffles within a warp and by shared memory between warps, in a region that each team of the block has.
#include "lower/KernelLowering.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::lower {

/// Shared memory that needs no opt-in by the launch (CUDA programming guide, "Technical Specifications per Compute
/// Capability").
static constexpr int64_t mostScratch = 48 * 1024;

// ---- Scratch --------------------------------------------------------------------------------------------------------

/// In shared memory, a bool takes a byte.
static int64_t sharedBytes(Type element) { return std::max<int64_t>(1, element.getIntOrFloatBitWidth() / 8); }

/// The registers of a reduction that all warps exchange at a time.
static int64_t registersAtOnce(int64_t registers, int64_t threads, Type element) {
  return std::min(registers, std::max<int64_t>(1, 16 * 1024 / (threads * sharedBytes(element))));
}

/// How the factors of a product lie in scratch: a row of `a` after another, with a gap that spreads them over the
/// banks, then the rows of `b`. Both are of the type in which products are summed.
struct FactorsInScratch {
  explicit FactorsInScratch(tile::DotOp dot) {
    RankedTensorType type = dot.getType();
    bytes = sharedBytes(type.getElementType());
    rows = type.getDimSize(type.getRank() - 2);
    columns = type.getDimSize(type.getRank() - 1);
    depth = dot.getA().getType().getShape().back();
    // Vectors of 16 bytes stay aligned.
    pitchA = depth % (16 / bytes) == 0 ? depth + 16 / bytes : depth;
    pitchB = columns;
  }
  int64_t startOfB() const { return llvm::alignTo(rows * pitchA * bytes, 16); }
  int64_t total() const { return startOfB() + depth * pitchB * bytes; }

  int64_t bytes, rows, columns, depth, pitchA, pitchB;
};

int64_t KernelLowering::scratchOf(Operation *op) {
  if (auto dot = dyn_cast<tile::DotOp>(op))
    return FactorsInScratch(dot).total();
  if (auto relayout = dyn_cast<tile::RelayoutOp>(op))
    return relayout.getType().getNumElements() * sharedBytes(relayout.getType().getElementType());
  auto reduce = dyn_cast<tile::ReduceOp>(op);
  if (!reduce || kernel.getTeam() <= lanesOfWarp)
    return 0;
  Type element = reduce.getType().getElementType();
  int64_t registers = registersOf(reduce.getType()).placement.registersPerThread();
  return registersAtOnce(registers, kernel.getTeam(), element) * kernel.getTeam() * sharedBytes(element);
}

LogicalResult KernelLowering::reserveScratch() {
  WalkResult result = kernel.walk([&](Operation *op) {
    if (!isa<tile::DotOp, tile::RelayoutOp, tile::ReduceOp>(op))
      return WalkResult::advance();
    if (failed(checkLaidOut(op)))
      return WalkResult::interrupt();
    scratchBytes = std::max(scratchBytes, static_cast<int64_t>(llvm::alignTo(scratchOf(op), 16)));
    if (scratchBytes * (kernel.getThreads() / kernel.getTeam()) <= mostScratch)
      return WalkResult::advance();
    op->emitError() << "this takes " << scratchBytes * (kernel.getThreads() / kernel.getTeam())
                    << " bytes of shared memory for the exchange between threads, of " << mostScratch;
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  reserveClusterScratch();
  return success();
}

/// The start of the team's scratch.
Value KernelLowering::scratch() {
  if (scratchCache)
    return scratchCache;
  int64_t teams = kernel.getThreads() / kernel.getTeam();
  std::string name = (kernel.getSymName() + "_scratch").str();
  auto module = function->getParentOfType<ModuleOp>();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), scratchBytes * teams);
    builder.create<LLVM::GlobalOp>(function.getLoc(), bytes, /*isConstant=*/false, LLVM::Linkage::Internal, name,
                                   Attribute(), /*alignment=*/16, /*addrSpace=*/3);
  }
  Value tid = teams > 1 ? specialRegister("tid") : Value();
  computeOnce([&] {
    ScalarBuilder b = scalars();
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
    scratchCache = builder.create<LLVM::AddressOfOp>(here, pointer, name);
    if (!tid)
      return;
    Value team = b.create<arith::ShRUIOp>(tid, i32(llvm::Log2_64(kernel.getTeam())));
    Value offset = b.create<arith::MulIOp>(team, i32(scratchBytes));
    scratchCache = builder.create<LLVM::GEPOp>(here, pointer, builder.getI8Type(), scratchCache, offset);
  });
  return scratchCache;
}

Value KernelLowering::atByte(Value pointer, Value offset) {
  return builder.create<LLVM::GEPOp>(here, pointer.getType(), builder.getI8Type(), pointer, offset);
}

Value KernelLowering::atByte(Value pointer, int64_t offset) {
  if (offset == 0)
    return pointer;
  return builder.create<LLVM::GEPOp>(here, pointer.getType(), builder.getI8Type(), pointer,
                                     LLVM::GEPArg(static_cast<int32_t>(offset)));
}

/// The byte that the thread's coordinates lead to, where dimension i advances by strides[i] elements.
Value KernelLowering::threadOffset(const TileRegisters &registers, ArrayRef<int64_t> strides, int64_t bytes) {
  ScalarBuilder b = scalars();
  Value offset = i32(0);
  for (auto [coordinate, stride] : llvm::zip(threadCoordinates(registers), strides))
    if (stride)
      offset = b.create<arith::AddIOp>(offset, b.create<arith::MulIOp>(coordinate, i32(stride * bytes)));
  return offset;
}

static int64_t dotProduct(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  int64_t sum = 0;
  for (auto [x, y] : llvm::zip(a, b))
    sum += x * y;
  return sum;
}

static SmallVector<int64_t> rowMajor(ArrayRef<int64_t> shape, int64_t pitch) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t dim = static_cast<int64_t>(shape.size()) - 2; dim >= 0; --dim)
    strides[dim] = dim + 2 == static_cast<int64_t>(shape.size()) ? pitch : strides[dim + 1] * shape[dim + 1];
  return strides;
}

void KernelLowering::writeScratch(Value base, ArrayRef<Value> vectors, const TileRegisters &registers,
                                  ArrayRef<int64_t> strides) {
  ScalarBuilder b = scalars();
  bool isBool = registers.elementType().isInteger(1);
  for (auto [i, vector] : llvm::enumerate(vectors)) {
    Type element = getElementTypeOrSelf(vector.getType());
    int64_t bytes = sharedBytes(element), lanes = registers.lanes;
    int64_t offset = dotProduct(registers.placement.registerPart(i * lanes), strides) * bytes;
    int64_t width = lanes;
    while (width > 1 && (width * bytes > 16 || isBool || bytes == 1))
      width /= 2;
    for (int64_t lane = 0; lane < lanes; lane += width) {
      Value value = b.slice(vector, lane, width);
      if (isBool)
        value = b.create<arith::ExtUIOp>(builder.getI8Type(), value);
      // Whether rows begin at multiples of a vector, strides tell.
      bool isAligned = llvm::all_of(ArrayRef(strides).drop_back(), [&](int64_t stride) { return stride % width == 0; });
      builder.create<LLVM::StoreOp>(here, value, atByte(base, offset + lane * bytes),
                                    static_cast<unsigned>(isAligned ? width * bytes : bytes));
    }
  }
}

// ---- Relayouts ------------------------------------------------------------------------------------------------------

LogicalResult KernelLowering::lowerRelayout(tile::RelayoutOp op) {
  const TileRegisters &from = registersOf(op.getSource().getType()), &to = registersOf(op.getType());
  ScalarBuilder b = scalars(op);
  ArrayRef<int64_t> shape = op.getType().getShape();
  SmallVector<int64_t> strides = rowMajor(shape, shape.empty() ? 1 : shape.back());
  int64_t bytes = sharedBytes(to.elementType());
  teamBarrier(); // Others may still read what was there.
  writeScratch(atByte(scratch(), threadOffset(from, strides, bytes)), tiles.find(op.getSource())->second, from,
               strides);
  teamBarrier();
  Value base = atByte(scratch(), threadOffset(to, strides, bytes));
  bool isBool = to.elementType().isInteger(1);
  Type memory = isBool ? builder.getI8Type() : to.elementType();
  Registers results;
  for (int64_t i = 0; i < to.count(); ++i) {
    SmallVector<Value> lanes;
    for (int64_t lane = 0; lane < to.lanes; ++lane) {
      int64_t offset = dotProduct(to.placement.registerPart(i * to.lanes + lane), strides) * bytes;
      Value value = builder.create<LLVM::LoadOp>(here, memory, atByte(base, offset), static_cast<unsigned>(bytes));
      lanes.push_back(isBool ? b.compare(arith::CmpIPredicate::ne, value, b.zero(memory)) : value);
    }
    results.push_back(b.gather(lanes));
  }
  tiles[op.getResult()] = std::move(results);
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

// ---- Reductions -----------------------------------------------------------------------------------------------------

static StringRef mnemonicOf(tile::Reduction kind) {
  switch (kind) {
  case tile::Reduction::Sum:
    return "add";
  case tile::Reduction::Prod:
    return "mul";
  case tile::Reduction::Max:
    return "maximum";
  case tile::Reduction::Min:
    return "minimum";
  case tile::Reduction::Any:
    return "logical_or";
  case tile::Reduction::All:
    return "logical_and";
  }
  llvm_unreachable("all reductions are covered");
}

/// The value of the lane whose number differs in `bits`. Teams of a warp may be at different places.
Value KernelLowering::shuffled(Value value, int64_t bits) {
  ScalarBuilder b = scalars();
  Type type = value.getType(), word = builder.getI32Type();
  unsigned width = type.getIntOrFloatBitWidth();
  Value mask = i32(-1);
  if (kernel.getTeam() < lanesOfWarp) {
    Value first = b.create<arith::AndIOp>(specialRegister("tid"), i32(31 & ~(kernel.getTeam() - 1)));
    mask = b.create<arith::ShLIOp>(i32((int64_t(1) << kernel.getTeam()) - 1), first);
  }
  auto shuffle = [&](Value part) -> Value {
    return builder.create<NVVM::ShflOp>(here, word, mask, part, i32(bits), i32(31), NVVM::ShflKind::bfly, UnitAttr());
  };
  Value integer = type.isInteger(width) ? value : b.create<arith::BitcastOp>(builder.getIntegerType(width), value);
  if (width < 32) {
    integer =
        b.create<arith::TruncIOp>(builder.getIntegerType(width), shuffle(b.create<arith::ExtUIOp>(word, integer)));
  } else if (width == 32) {
    integer = shuffle(integer);
  } else {
    Value low = shuffle(b.create<arith::TruncIOp>(word, integer));
    Value high = shuffle(b.create<arith::TruncIOp>(word, b.create<arith::ShRUIOp>(integer, i64(32))));
    Type wide = integer.getType();
    integer = b.create<arith::OrIOp>(b.create<arith::ExtUIOp>(wide, low),
                                     b.create<arith::ShLIOp>(b.create<arith::ExtUIOp>(wide, high), i64(32)));
  }
  return integer.getType() == type ? integer : b.create<arith::BitcastOp>(type, integer);
}

/// Combines what warps have that differ in the bits `warps` of the thread number; they write by the lanes that have
/// none of `lanes`, and read in one order, so that all get the same.
void KernelLowering::combineWarps(MutableArrayRef<Value> values, int64_t lanes, int64_t warps, Combine combine) {
  ScalarBuilder b = scalars();
  int64_t threads = kernel.getTeam();
  Type type = values.front().getType(), memory = type.isInteger(1) ? Type(builder.getI8Type()) : type;
  int64_t bytes = sharedBytes(type), atOnce = registersAtOnce(values.size(), threads, type);
  Value own = b.create<arith::MulIOp>(threadInTeam(), i32(bytes));
  Value first = b.create<arith::AndIOp>(threadInTeam(), i32(threads - 1 - lanes - warps));
  first = b.create<arith::MulIOp>(first, i32(bytes));
  for (size_t start = 0; start < values.size(); start += atOnce) {
    MutableArrayRef<Value> batch = values.slice(start, std::min<size_t>(atOnce, values.size() - start));
    teamBarrier(); // Others may still read what was there.
    Value to = atByte(scratch(), own), from = atByte(scratch(), first);
    for (auto [i, value] : llvm::enumerate(batch)) {
      Value stored = type.isInteger(1) ? b.create<arith::ExtUIOp>(memory, value) : value;
      builder.create<LLVM::StoreOp>(here, stored, atByte(to, i * threads * bytes), static_cast<unsigned>(bytes));
    }
    teamBarrier();
    for (auto [i, value] : llvm::enumerate(batch)) {
      SmallVector<Value> parts;
      for (int64_t which = 0; which <= warps; which = (which - warps) & warps) { // The subsets of these bits.
        Value part = builder.create<LLVM::LoadOp>(here, memory, atByte(from, (i * threads + which) * bytes),
                                                  static_cast<unsigned>(bytes));
        parts.push_back(type.isInteger(1) ? b.compare(arith::CmpIPredicate::ne, part, b.zero(memory)) : part);
        if (which == warps)
          break;
      }
      value = combine(parts);
    }
  }
}

/// In pairs, so that chains are short.
KernelLowering::Combine KernelLowering::combinerOf(tile::Reduction kind, Type element) {
  return [this, element, mnemonic = mnemonicOf(kind)](SmallVector<Value> parts) {
    ScalarBuilder b = scalars();
    while (parts.size() > 1) {
      SmallVector<Value> next;
      for (size_t i = 0; i + 1 < parts.size(); i += 2)
        next.push_back(buildElementwise(b, mnemonic, {parts[i], parts[i + 1]}, element));
      if (parts.size() % 2)
        next.push_back(parts.back());
      parts = std::move(next);
    }
    return parts.front();
  };
}

LogicalResult KernelLowering::lowerReduce(tile::ReduceOp op) {
  const TileRegisters &from = registersOf(op.getSource().getType()), &to = registersOf(op.getType());
  ScalarBuilder b = scalars(op);
  Type element = op.getType().getElementType();
  Combine combine = combinerOf(op.getKind(), element);

  // What a thread has itself.
  const Registers &source = tiles.find(op.getSource())->second;
  std::vector<SmallVector<Value>> own(to.placement.registersPerThread());
  for (int64_t reg = 0; reg < from.placement.registersPerThread(); ++reg) {
    layout::Coordinate part = from.placement.registerPart(reg), kept;
    for (auto [dim, coordinate] : llvm::enumerate(part))
      if (!op.isReduced(dim))
        kept.push_back(coordinate);
    std::optional<int64_t> target = to.placement.findRegister(kept);
    if (!target)
      return op.emitOpError("has a result whose layout is not that of its source without the reduced dimensions");
    own[*target].push_back(b.extract(source[reg / from.lanes], reg % from.lanes));
  }
  SmallVector<Value> values = llvm::map_to_vector(own, combine);

  int64_t lanes = 0, warps = 0;
  for (const layout::ThreadField &field : from.placement.threadFields())
    if (op.isReduced(field.dim)) {
      int64_t bits = ((int64_t(1) << field.width) - 1) << field.threadBit;
      lanes |= bits & (lanesOfWarp - 1);
      warps |= bits & ~int64_t(lanesOfWarp - 1);
    }
  for (int64_t bit = 1; bit <= lanes; bit *= 2)
    if (lanes & bit)
      for (Value &value : values)
        value = combine({value, shuffled(value, bit)});
  if (op.getCluster()) {
    if (lanes != lanesOfWarp - 1 || warps != static_cast<int64_t>(kernel.getTeam()) - lanesOfWarp || values.size() != 1)
      return op.emitOpError("combines a cluster's elements of which each thread has its own");
    values.front() = combineBlocks(values.front(), op);
  } else if (warps) {
    combineWarps(values, lanes, warps, combine);
  }

  Registers results;
  for (int64_t i = 0; i < to.count(); ++i)
    results.push_back(b.gather(ArrayRef(values).slice(i * to.lanes, to.lanes)));
  tiles[op.getResult()] = std::move(results);
  return success();
}

// ---- Products -------------------------------------------------------------------------------------------------------

namespace {
/// The coordinates along one dimension of the registers of a product, each once.
struct Side {
  SmallVector<int64_t> parts;
  unsigned indexOf(int64_t part) {
    auto *found = llvm::find(parts, part);
    if (found == parts.end()) {
      parts.push_back(part);
      return parts.size() - 1;
    }
    return found - parts.begin();
  }
};
} // namespace

LogicalResult KernelLowering::lowerDot(tile::DotOp op) {
  ScalarBuilder b = scalars(op);
  FactorsInScratch place(op);
  const TileRegisters &result = registersOf(op.getType());
  Type element = result.elementType(), sumType = op.getType().getElementType();
  unsigned rank = op.getType().getRank();
  if (llvm::any_of(op.getType().getShape().drop_back(2), [](int64_t size) { return size != 1; }))
    return op.emitOpError("has several matrices, a team takes one at a time");

  // Both factors go to shared memory, in the type of the sum.
  auto put = [&](Value tile, Value base, int64_t pitch) {
    auto type = cast<RankedTensorType>(tile.getType());
    const TileRegisters &registers = registersOf(type);
    SmallVector<int64_t> strides = rowMajor(type.getShape(), pitch);
    SmallVector<Value> wide = llvm::map_to_vector(
        tiles.find(tile)->second, [&](Value vector) { return b.cast(vector, type.getElementType(), sumType); });
    writeScratch(atByte(base, threadOffset(registers, strides, place.bytes)), wide, registers, strides);
  };
  teamBarrier(); // Others may still read what was there.
  put(op.getA(), scratch(), place.pitchA);
  put(op.getB(), atByte(scratch(), place.startOfB()), place.pitchB);
  teamBarrier();

  Side rows, columns;
  struct Target {
    unsigned row, column;
  };
  SmallVector<Target> targets;
  for (int64_t i = 0; i < result.count(); ++i) {
    layout::Coordinate part = result.placement.registerPart(i * result.lanes);
    targets.push_back({rows.indexOf(part[rank - 2]), columns.indexOf(part[rank - 1])});
  }
  ArrayRef<Value> thread = threadCoordinates(result);
  Value fromA = atByte(scratch(), b.create<arith::MulIOp>(thread[rank - 2], i32(place.pitchA * place.bytes)));
  Value fromB =
      atByte(atByte(scratch(), place.startOfB()), b.create<arith::MulIOp>(thread[rank - 1], i32(place.bytes)));
  // A thread reads its rows a vector at a time.
  int64_t step = place.pitchA == place.depth ? 1 : 16 / place.bytes;
  Type piece = step == 1 ? element : VectorType::get(step, element);
  Registers sums =
      op.getAcc() ? tiles.find(op.getAcc())->second : Registers(result.count(), b.zero(result.vectorType()));
  for (int64_t k = 0; k < place.depth; k += step) {
    SmallVector<Value> a;
    for (int64_t row : rows.parts)
      a.push_back(builder.create<LLVM::LoadOp>(here, piece, atByte(fromA, (row * place.pitchA + k) * place.bytes),
                                               static_cast<unsigned>(step * place.bytes)));
    for (int64_t inner = 0; inner < step; ++inner) {
      SmallVector<Value> right;
      for (int64_t column : columns.parts)
        right.push_back(builder.create<LLVM::LoadOp>(
            here, result.vectorType(), atByte(fromB, ((k + inner) * place.pitchB + column) * place.bytes),
            static_cast<unsigned>(std::min<int64_t>(16, result.lanes * place.bytes))));
      for (auto [sum, target] : llvm::zip(sums, targets)) {
        Value left = b.splat(b.extract(a[target.row], inner), result.lanes);
        sum = isa<FloatType>(element)
                  ? builder.create<LLVM::FMAOp>(here, left, right[target.column], sum).getResult()
                  : b.create<arith::AddIOp>(sum, b.create<arith::MulIOp>(left, right[target.column]));
      }
    }
  }
  tiles[op.getResult()] = std::move(sums);
  return success();
}

} // namespace tegula::lower
