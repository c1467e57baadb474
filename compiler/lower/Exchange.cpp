// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the threads of a thread group exchange elements: by shuffles within a warp, and by shared memory between warps,
// in a region that each thread group of the block has, its scratch.
#include "ir/ExchangedExtents.h"
#include "ir/GridOps.h"
#include "lower/KernelLowering.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::lower {

// ---- Scratch --------------------------------------------------------------------------------------------------------

int64_t KernelLowering::scratchOf(Operation *op) {
  if (auto dot = dyn_cast<tile::DotOp>(op))
    return scratchOfProduct(dot);
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return scratchOfReduction(reduce);
  if (auto scan = dyn_cast<tile::ScanOp>(op))
    return scratchOfScan(scan);
  if (isa<tile::SemaphoreReadOp>(op)) // Its number.
    return 8;
  if (auto atomic = dyn_cast<tile::AtomicOp>(op))
    return scratchOfAtomic(atomic);
  if (auto take = dyn_cast<tile::TakeOp>(op))
    return layout::Boxes(tile::exchangedExtentsOf(op)).elements() * tile::bytesOf(take.getType().getElementType());
  if (auto sort = dyn_cast<tile::SortOp>(op))
    return scratchOfSort(sort);
  if (auto relayout = dyn_cast<tile::RelayoutOp>(op)) {
    const layout::Relayout &plan = planOf(relayout);
    bool throughMemory = plan.route == layout::RelayoutRoute::Memory;
    return throughMemory ? plan.memory.elements * tile::bytesOf(relayout.getType().getElementType()) : 0;
  }
  return 0;
}

/// Dynamic shared memory begins behind the scratch, at a multiple of `sharedAlignment`.
LogicalResult KernelLowering::checkShared(Operation *greediest) {
  int64_t placed = kernel.getSharedBytes().value_or(0), capacity = smallest.archClass->sharedBytes;
  int64_t ofGroups = scratchBytes * (kernel.getThreads() / kernel.getGroup());
  int64_t together = static_cast<int64_t>(llvm::alignTo(ofGroups, sharedAlignment)) + placed;
  if (placed == 0 || ofGroups == 0 || together <= capacity)
    return success();
  return greediest->emitError() << "this exchanges elements in " << ofGroups
                                << " bytes of shared memory, in addition to the " << placed
                                << " bytes that the kernel declares: " << together
                                << " in all, but a CTA can have at most " << capacity << " on " << smallest.name
                                << ": declare less shared memory, or use smaller tiles here";
}

LogicalResult KernelLowering::reserveScratch() {
  Operation *greediest = nullptr;
  kernel.walk([&](tile::PrivateOpenOp op) { privateBytes += static_cast<int64_t>(op.getBytes()); });
  WalkResult result = kernel.walk([&](Operation *op) {
    if (!isa<tile::AtomicOp, tile::DotOp, tile::RelayoutOp, tile::ReduceOp, tile::ScanOp, tile::SortOp, tile::TakeOp,
             tile::SemaphoreReadOp>(op))
      return WalkResult::advance();
    if (failed(checkLaidOut(op)))
      return WalkResult::interrupt();
    if (auto bytes = static_cast<int64_t>(llvm::alignTo(scratchOf(op), 16)); bytes > scratchBytes) {
      scratchBytes = bytes;
      greediest = op;
    }
    if (isa<tile::SortOp, tile::TakeOp>(op) && scratchBytes > mostOfGroup()) {
      op->emitError() << "a tile of " << scratchBytes << " bytes is " << (isa<tile::TakeOp>(op) ? "indexed" : "sorted")
                      << " here, which exchanges it in shared memory as a whole, with room for " << mostOfGroup()
                      << " bytes: use smaller blocks";
      return WalkResult::interrupt();
    }
    assert(scratchBytes <= mostOfGroup() && "what takes more goes in chunks");
    return WalkResult::advance();
  });
  if (result.wasInterrupted() || failed(checkShared(greediest)))
    return failure();
  reserveClusterScratch();
  return success();
}

/// Shared memory of the CTA, by a name behind the kernel's.
Value KernelLowering::sharedMemory(const Twine &suffix, int64_t bytes, int64_t alignment) {
  std::string name = (kernel.getSymName() + suffix).str();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(function->getParentOfType<ModuleOp>().getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
    builder.create<LLVM::GlobalOp>(function.getLoc(), type, /*isConstant=*/false, LLVM::Linkage::Internal, name,
                                   Attribute(), alignment, /*addrSpace=*/3);
  }
  return builder.create<LLVM::AddressOfOp>(here, LLVM::LLVMPointerType::get(builder.getContext(), 3), name);
}

/// The start of the thread group's scratch.
Value KernelLowering::scratch() {
  if (scratchCache)
    return scratchCache;
  int64_t groups = kernel.getThreads() / kernel.getGroup();
  Value tid = groups > 1 ? specialRegister("tid") : Value();
  computeOnce([&] {
    ScalarBuilder b = scalars();
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
    scratchCache = sharedMemory("_scratch", scratchBytes * groups, /*alignment=*/16);
    if (!tid)
      return;
    Value group = b.create<arith::ShRUIOp>(tid, i32(llvm::Log2_64(kernel.getGroup())));
    Value offset = b.create<arith::MulIOp>(group, i32(scratchBytes));
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

/// The byte of a box that the thread's coordinates lead to, where dimension i advances by strides[i] elements.
Value KernelLowering::threadOffset(const TileRegisters &registers, ArrayRef<int64_t> strides, int64_t bytes,
                                   const layout::Boxes &boxes) {
  ScalarBuilder b = scalars();
  layout::Coordinate ofOthers = boxes.share(registers.placement, boxes.start(0)).threadBits;
  Value offset = i32(0);
  for (auto [dim, coordinate] : llvm::enumerate(threadCoordinates(registers))) {
    if (!strides[dim])
      continue;
    Value within = ofOthers[dim] ? b.create<arith::AndIOp>(coordinate, i32(boxes.shape()[dim] - 1)) : coordinate;
    offset = b.create<arith::AddIOp>(offset, b.create<arith::MulIOp>(within, i32(strides[dim] * bytes)));
  }
  return offset;
}

/// Whether this thread has elements of a box; null where all have.
Value KernelLowering::isInBox(const TileRegisters &registers, const layout::BoxShare &share) {
  ScalarBuilder b = scalars();
  Value result;
  for (auto [dim, bits] : llvm::enumerate(share.threadBits)) {
    if (!bits)
      continue;
    Value mine = b.create<arith::AndIOp>(threadCoordinates(registers)[dim], i32(bits));
    Value is = b.compare(arith::CmpIPredicate::eq, mine, i32(share.threadValue[dim]));
    result = result ? b.create<arith::AndIOp>(result, is) : is;
  }
  return result;
}

int64_t dotProduct(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  int64_t sum = 0;
  for (auto [x, y] : llvm::zip(a, b))
    sum += x * y;
  return sum;
}

SmallVector<int64_t> rowMajor(ArrayRef<int64_t> shape, int64_t pitch) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t dim = static_cast<int64_t>(shape.size()) - 2; dim >= 0; --dim)
    strides[dim] = dim + 2 == static_cast<int64_t>(shape.size()) ? pitch : strides[dim + 1] * shape[dim + 1];
  return strides;
}

/// Where a thread's elements of a box lie from `start` on, swizzled if a relayout has them so.
BoxPlaces KernelLowering::placesInBox(Value start, const TileRegisters &registers, ArrayRef<int64_t> strides,
                                      int64_t bytes, const layout::Boxes &boxes,
                                      const layout::MemoryRelayout *swizzled) {
  BoxPlaces places;
  places.start = start;
  places.ofThread = threadOffset(registers, strides, bytes, boxes);
  if (!swizzled || swizzled->swizzleMask == 0)
    return places;
  places.swizzled = swizzled;
  ScalarBuilder b = scalars();
  Value row = b.create<arith::ShRUIOp>(places.ofThread, i32(swizzled->swizzleShift));
  Value units = b.create<arith::MulIOp>(b.create<arith::AndIOp>(row, i32(swizzled->swizzleMask)),
                                        i32(layout::MemoryRelayout::unitBytes));
  places.ofThread = b.create<arith::XOrIOp>(places.ofThread, units);
  for (int64_t thread = 1; thread < registers.placement.threads(); thread *= 2) {
    layout::Coordinate at = boxes.within(registers.placement.threadPart(thread));
    places.threadBits |= swizzled->swizzled(dotProduct(at, strides) * bytes);
  }
  return places;
}

/// The place of a register, which lies at this byte but for the thread's.
Value KernelLowering::placeInBox(BoxPlaces &places, int64_t byte) {
  if (places.swizzled)
    byte = places.swizzled->swizzled(byte);
  int64_t common = byte & places.threadBits;
  Value &base = places.bases[common];
  if (!base)
    base =
        atByte(places.start, common ? scalars().create<arith::XOrIOp>(places.ofThread, i32(common)) : places.ofThread);
  return atByte(base, byte & ~common);
}

/// Writes the box of a tile that starts at `box`.
void KernelLowering::writeScratch(Value start, ArrayRef<Value> vectors, const TileRegisters &registers,
                                  ArrayRef<int64_t> strides, const layout::Boxes &boxes, const layout::Coordinate &box,
                                  const layout::MemoryRelayout *swizzled) {
  ScalarBuilder b = scalars();
  bool isBool = registers.elementType().isInteger(1);
  int64_t bytes = tile::bytesOf(getElementTypeOrSelf(vectors.front().getType())), lanes = registers.lanes;
  BoxPlaces places = placesInBox(start, registers, strides, bytes, boxes, swizzled);
  layout::BoxShare share = boxes.share(registers.placement, box);
  OpBuilder::InsertionGuard guard(builder);
  if (Value isIn = isInBox(registers, share)) {
    auto branch = builder.create<scf::IfOp>(here, isIn, /*withElseRegion=*/false);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  int64_t width = lanes;
  while (width > 1 && (width * bytes > 16 || isBool || bytes == 1 || width > boxes.shape().back()))
    width /= 2;
  // Whether rows begin at multiples of a vector, strides tell.
  bool isAligned = llvm::all_of(ArrayRef(strides).drop_back(), [&](int64_t stride) { return stride % width == 0; });
  for (int64_t reg = 0; reg < registers.placement.registersPerThread(); reg += width) {
    if (!share.registers[reg])
      continue;
    int64_t offset = dotProduct(boxes.within(registers.placement.registerPart(reg)), strides) * bytes;
    Value value = b.slice(vectors[reg / lanes], reg % lanes, width);
    if (isBool)
      value = b.create<arith::ExtUIOp>(builder.getI8Type(), value);
    builder.create<LLVM::StoreOp>(here, value, placeInBox(places, offset),
                                  static_cast<unsigned>(isAligned ? width * bytes : bytes));
  }
}

/// Writes what there is of a tile that has fewer elements than registers. A vector exists as a whole or not at all.
void KernelLowering::writeExisting(Value start, ArrayRef<Value> vectors, const TileRegisters &registers,
                                   ArrayRef<int64_t> strides, ArrayRef<int64_t> extents) {
  ScalarBuilder b = scalars();
  const layout::Placement &placement = registers.placement;
  bool isBool = registers.elementType().isInteger(1);
  int64_t bytes = tile::bytesOf(getElementTypeOrSelf(vectors.front().getType())), lanes = registers.lanes;
  int64_t width = lanes;
  while (width > 1 && (width * bytes > 16 || isBool || bytes == 1 || extents.back() % width != 0))
    width /= 2;
  bool isAligned = llvm::all_of(strides.drop_back(), [&](int64_t stride) { return stride % width == 0; });
  layout::Coordinate most = placement.threadPart(placement.threads() - 1);
  // Registers by what the thread's coordinates must be below for them to exist; 0 where they need not be.
  std::map<std::vector<int64_t>, SmallVector<int64_t>> byLimits;
  for (int64_t reg = 0; reg < placement.registersPerThread(); reg += width) {
    layout::Coordinate part = placement.registerPart(reg);
    std::vector<int64_t> limits(extents.size(), 0);
    bool exists = true;
    for (auto [dim, extent] : llvm::enumerate(extents)) {
      exists &= part[dim] < extent;
      limits[dim] = part[dim] + most[dim] < extent ? 0 : extent - part[dim];
    }
    if (exists)
      byLimits[limits].push_back(reg);
  }
  Value base = atByte(start, threadOffset(registers, strides, bytes, layout::Boxes(placement.shape())));
  for (const auto &[limits, own] : byLimits) {
    OpBuilder::InsertionGuard guard(builder);
    Value exists;
    for (auto [dim, limit] : llvm::enumerate(limits)) {
      if (limit == 0)
        continue;
      Value isBelow = b.compare(arith::CmpIPredicate::slt, threadCoordinates(registers)[dim], i32(limit));
      exists = exists ? b.create<arith::AndIOp>(exists, isBelow) : isBelow;
    }
    if (exists) {
      auto branch = builder.create<scf::IfOp>(here, exists, /*withElseRegion=*/false);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    for (int64_t reg : own) {
      Value value = b.slice(vectors[reg / lanes], reg % lanes, width);
      if (isBool)
        value = b.create<arith::ExtUIOp>(builder.getI8Type(), value);
      builder.create<LLVM::StoreOp>(here, value, atByte(base, dotProduct(placement.registerPart(reg), strides) * bytes),
                                    static_cast<unsigned>(isAligned ? width * bytes : bytes));
    }
  }
}

// ---- Shuffles -------------------------------------------------------------------------------------------------------

/// What another lane of the thread group has: the one whose number differs in the bits of `lane`, or (idx) that one.
/// Groups of a warp may be at different places.
Value KernelLowering::shuffled(Value value, NVVM::ShflKind kind, Value lane) {
  ScalarBuilder b = scalars();
  Type type = value.getType(), word = builder.getI32Type();
  unsigned width = type.getIntOrFloatBitWidth();
  Value mask = i32(-1);
  if (kernel.getGroup() < lanesOfWarp) {
    Value first = b.create<arith::AndIOp>(specialRegister("tid"), i32(31 & ~(kernel.getGroup() - 1)));
    mask = b.create<arith::ShLIOp>(i32((int64_t(1) << kernel.getGroup()) - 1), first);
  }
  // Numbers are counted from the thread group's first lane on.
  Value clamp = i32(31 | (kernel.getGroup() < lanesOfWarp ? (lanesOfWarp - kernel.getGroup()) << 8 : 0));
  auto shuffle = [&](Value part) -> Value {
    return builder.create<NVVM::ShflOp>(here, word, mask, part, lane, clamp, kind, UnitAttr());
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

} // namespace tegula::lower
