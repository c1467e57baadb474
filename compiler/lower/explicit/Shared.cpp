// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refs to shared memory: allocations, views, windows, and the addresses of their elements.
#include "analysis/Divisors.h"
#include "lower/KernelLowering.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::lower {

LLVM::InlineAsmOp KernelLowering::effect(const Twine &text, StringRef constraints, ValueRange operands, Type result) {
  SmallVector<Type> types;
  if (result)
    types.push_back(result);
  std::string all = constraints.empty() ? "~{memory}" : constraints.str() + ",~{memory}";
  return builder.create<LLVM::InlineAsmOp>(here, types, operands, builder.getStringAttr(text),
                                           builder.getStringAttr(all), /*has_side_effects=*/true,
                                           /*is_align_stack=*/false, LLVM::AsmDialectAttr(), ArrayAttr());
}

std::string operandList(size_t first, size_t count) {
  std::string list;
  for (size_t i = 0; i < count; ++i)
    list += (i ? ", $" : "$") + std::to_string(first + i);
  return "{" + list + "}";
}

Value KernelLowering::isElected() {
  if (!isElectedCache)
    computeOnce([&] {
      isElectedCache = scalars().assembly("{\n\t.reg .b32 lane;\n\telect.sync lane|$0, 0xffffffff;\n\t}", "=b",
                                          builder.getI1Type(), {});
    });
  return isElectedCache;
}

Value KernelLowering::isLeader() {
  if (isInWarps)
    return isElected();
  if (!isLeaderCache) {
    Value isFirst = isFirstWarp(), isElectedOfWarp = isElected();
    computeOnce([&] { isLeaderCache = scalars().create<arith::AndIOp>(isFirst, isElectedOfWarp); });
  }
  return isLeaderCache;
}

Value KernelLowering::warpInGroup() {
  if (!warpInGroupCache) {
    Value lane = threadInGroup();
    computeOnce([&] {
      ScalarBuilder b = scalars();
      Value warp = b.create<arith::ShRUIOp>(lane, i32(5));
      warpInGroupCache =
          b.assembly("shfl.sync.idx.b32 $0, $1, 0, 31, 0xffffffff;", "=r,r", builder.getI32Type(), {warp});
    });
  }
  return warpInGroupCache;
}

Value KernelLowering::isFirstWarp() {
  if (!isFirstWarpCache) {
    Value warp = warpInGroup();
    computeOnce([&] { isFirstWarpCache = scalars().compare(arith::CmpIPredicate::eq, warp, i32(0)); });
  }
  return isFirstWarpCache;
}

// ---- Places ---------------------------------------------------------------------------------------------------------

/// The start of the block's shared memory: dynamic, so that it may exceed 48 KiB.
Value KernelLowering::sharedBase() {
  if (sharedBaseCache)
    return sharedBaseCache;
  static constexpr StringLiteral name = "tegula_shared_memory";
  auto module = function->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
    builder.create<LLVM::GlobalOp>(function.getLoc(), bytes, /*isConstant=*/false, LLVM::Linkage::External, name,
                                   Attribute(), sharedAlignment, /*addrSpace=*/3);
  }
  computeOnce([&] {
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
    Value symbol = builder.create<LLVM::AddressOfOp>(here, pointer, name);
    sharedBaseCache = builder.create<LLVM::PtrToIntOp>(here, builder.getI32Type(), symbol);
    // Of an address that LLVM knows to be aligned, it makes ORs where instructions would add.
    sharedBaseCache = scalars().assembly("mov.b32 $0, $1;", "=r,r", builder.getI32Type(), sharedBaseCache);
  });
  return sharedBaseCache;
}

Value KernelLowering::sharedAddress(int64_t offset) {
  return scalars().create<arith::AddIOp>(sharedBase(), i32(offset));
}

/// Of packed elements, bytes are counted.
static SmallVector<int64_t> extentsOf(tile::RefType type) {
  SmallVector<int64_t> extents(type.getDims());
  if (!extents.empty())
    extents.back() = isPacked(type.getElementType()) ? extents.back() / 2 : extents.back();
  return extents;
}

LogicalResult KernelLowering::lowerAlloc(tile::AllocOp op) {
  tile::RefType type = op.getType();
  if (!op.getOffset() || !type.getSwizzle())
    return op.emitOpError("has no place in shared memory yet: run tile-assign-shared");
  SharedRef ref;
  static_cast<tile::Arrangement &>(ref) = tile::Arrangement::of(op);
  ref.address = sharedAddress(*op.getOffset());
  ref.extents = extentsOf(type);
  ref.swizzle = type.getSwizzle();
  shared[op.getResult()] = std::move(ref);
  return success();
}

LogicalResult KernelLowering::lowerTranspose(tile::TransposeOp op) {
  auto source = shared.find(op.getSource());
  if (source == shared.end())
    return lowerArrayTranspose(op);
  SharedRef ref = source->second;
  static_cast<tile::Arrangement &>(ref) = source->second.transposed(op);
  ref.extents.assign(op.getType().getDims().begin(), op.getType().getDims().end());
  shared[op.getResult()] = std::move(ref);
  return success();
}

/// Whether thread and part of an access differ in other bits of an offset within 8 rows (chunkAddresses), whatever the
/// dimension.
static bool haveBitsOfTheirOwn(const SharedRef &ref) {
  return ref.isForUnits && llvm::all_of(ref.strides, [&](int64_t stride) {
           return stride == 0 || llvm::isPowerOf2_64(stride) || stride % ref.atomBytes() == 0;
         });
}

LogicalResult KernelLowering::lowerReshape(tile::ReshapeRefOp op) {
  auto source = shared.find(op.getSource());
  if (source == shared.end())
    return lowerArrayReshape(op);
  SharedRef ref = source->second;
  std::optional<tile::Arrangement> arrangement = ref.reshaped(op);
  if (!arrangement || ref.innerStart)
    return op.emitError("tg::reshape_ref takes a window of whole panels of shared memory, or a part of one panel: "
                        "reshape the whole ref, and take a window of the result");
  bool keepsRows = ref.inner != tile::Arrangement::none && arrangement->inner != tile::Arrangement::none &&
                   op.getType().getDims()[arrangement->inner] == ref.extents[ref.inner];
  if (!keepsRows && ref.inner != tile::Arrangement::none) { // Where a row began, an element may be in the middle.
    int64_t row = ref.extents[ref.inner] * ref.elementBytes;
    ref.innerAlignment = std::min(ref.innerAlignment, row & -row);
    ref.withinRow = 0;
  }
  static_cast<tile::Arrangement &>(ref) = std::move(*arrangement);
  ref.extents.assign(op.getType().getDims().begin(), op.getType().getDims().end());
  ref.beginsWithRows &= haveBitsOfTheirOwn(ref);
  shared[op.getResult()] = std::move(ref);
  return success();
}

LogicalResult KernelLowering::lowerBitcast(tile::BitcastRefOp op) {
  auto source = shared.find(op.getSource());
  if (source == shared.end())
    return lowerArrayBitcast(op);
  SharedRef ref = source->second;
  std::optional<tile::Arrangement> arrangement = ref.bitcast(op);
  if (!arrangement || (op.changesWidth() && ref.innerStart))
    return op.emitError("tg::bitcast_ref takes a window of whole panels of shared memory, or a part of one panel: cast "
                        "the whole ref, and take a window of the result");
  static_cast<tile::Arrangement &>(ref) = std::move(*arrangement);
  ref.extents.assign(op.getType().getDims().begin(), op.getType().getDims().end());
  shared[op.getResult()] = std::move(ref);
  return success();
}

/// The bytes from the start of a window to an index along a dimension.
Value KernelLowering::offsetInShared(const SharedRef &ref, unsigned dim, Value index) {
  ScalarBuilder b = scalars();
  if (dim != ref.inner || !ref.hasPanels())
    return b.create<arith::MulIOp>(index, i32(ref.strides[dim]));
  return panelOffset(ref, index);
}

/// The same along the dimension that is cut into panels.
Value KernelLowering::panelOffset(const SharedRef &ref, Value index) {
  ScalarBuilder b = scalars();
  Value panel = b.create<arith::DivUIOp>(index, i32(ref.panelElements));
  Value within = b.create<arith::RemUIOp>(index, i32(ref.panelElements));
  return b.create<arith::AddIOp>(b.create<arith::MulIOp>(panel, i32(ref.panelBytes)),
                                 b.create<arith::MulIOp>(within, i32(ref.elementBytes)));
}

/// The address of a window's first element, before the swizzle.
Value KernelLowering::startInShared(const SharedRef &ref) {
  if (!ref.innerStart)
    return ref.address;
  return scalars().create<arith::AddIOp>(ref.address, panelOffset(ref, ref.innerStart));
}

/// The bytes from the start of a panel to a window of a part of its rows; 0 where nobody knows.
static int64_t startWithinRow(const SharedRef &source, tile::SliceOp op) {
  APInt start;
  if (!source.isAligned() || source.innerStart || op.getMode(source.inner) != tile::SliceMode::Window ||
      !matchPattern(op.getOffset(source.inner), m_ConstantInt(&start)))
    return 0;
  Type element = op.getType().getElementType();
  int64_t bytes = tile::bytesIn(op.getBound(source.inner), element),
          first = tile::bytesIn(start.getSExtValue(), element);
  return llvm::isPowerOf2_64(bytes) && first % bytes == 0 ? first % source.swizzle : 0;
}

/// Whether a window along the dimension of the panels may begin in one and end in another, other than at their starts.
static bool mayCrossPanels(const SharedRef &source, tile::SliceOp op, unsigned dim, int64_t divisor) {
  if (dim != source.inner || op.getMode(dim) != tile::SliceMode::Window || (!source.hasPanels() && !source.innerStart))
    return false;
  Type element = op.getType().getElementType();
  int64_t bytes = tile::bytesIn(op.getBound(dim), element), multiple = divisor * source.elementBytes;
  int64_t ofPanel = source.panelElements * source.elementBytes;
  APInt start;
  if (!source.innerStart && matchPattern(op.getOffset(dim), m_ConstantInt(&start)) &&
      tile::bytesIn(start.getSExtValue(), element) % ofPanel + bytes <= ofPanel)
    return false;
  bool isPart = llvm::isPowerOf2_64(bytes) && bytes <= source.swizzle && multiple % bytes == 0;
  return source.innerStart || (multiple % source.swizzle != 0 && !isPart);
}

LogicalResult KernelLowering::lowerSharedSlice(tile::SliceOp op) {
  ScalarBuilder b = scalars(op);
  const SharedRef source = shared.find(op.getSource())->second;
  SharedRef ref = source;
  static_cast<tile::Arrangement &>(ref) = source.sliced(op);
  ref.extents = extentsOf(op.getType());
  bool arePacked = isPacked(op.getType().getElementType());
  for (unsigned dim = 0; dim < source.extents.size(); ++dim) {
    Value offset = op.getOffset(dim);
    if (!offset)
      continue;
    int64_t divisor = std::min(tile::divisorOf(offset), int64_t(1) << 20);
    if (dim == source.inner && arePacked) // Windows begin with bytes.
      divisor /= 2;
    if (dim == source.inner) {
      ref.innerAlignment = std::min(ref.innerAlignment, divisor * source.elementBytes);
      ref.withinRow = startWithinRow(source, op);
    } else {
      ref.beginsWithRows &= divisor * source.strides[dim] % source.atomBytes() == 0;
    }
    Value number = b.create<arith::TruncIOp>(builder.getI32Type(), values.lookup(offset));
    if (dim == source.inner && arePacked)
      number = b.create<arith::ShRUIOp>(number, i32(1));
    if (dim == source.inner && source.innerStart)
      number = b.create<arith::AddIOp>(source.innerStart, number);
    if (mayCrossPanels(source, op, dim, divisor)) {
      ref.innerStart = number;
      continue;
    }
    if (dim == source.inner && source.innerStart) { // One element of it.
      ref.address = b.create<arith::AddIOp>(ref.address, panelOffset(source, number));
      ref.innerStart = {};
      continue;
    }
    ref.address = b.create<arith::AddIOp>(ref.address, offsetInShared(source, dim, number));
  }
  shared[op.getResult()] = std::move(ref);
  return success();
}

// ---- Accesses -------------------------------------------------------------------------------------------------------

/// The addresses of the chunks at `parts`, for the thread at the coordinates `thread`. No bit of a coordinate is set in
/// both. A swizzle moves a unit by bits of its row, which is linear in the bits of the offset: in a window that begins
/// with 8 rows, thread and part are swizzled separately, and what is known of the part is known here. (A window of a
/// part of the rows begins at a multiple of its width: none of its elements has the bits of `withinRow`.)
SmallVector<Value> KernelLowering::chunkAddresses(const SharedRef &ref, ArrayRef<Value> thread,
                                                  ArrayRef<layout::Coordinate> parts) {
  ScalarBuilder b = scalars();
  int64_t shift = llvm::Log2_64(unitBytes), mask = ref.swizzle / unitBytes - 1, atom = ref.atomBytes();
  bool isSwizzled = mask > 0;
  auto offsetOf = [&](ArrayRef<int64_t> coordinate) {
    int64_t offset = 0;
    for (auto [dim, index] : llvm::enumerate(coordinate))
      offset += ref.offset(dim, index);
    return offset;
  };
  auto swizzled = [&](int64_t offset) { return offset ^ (offset >> 7 & mask) << shift; };
  auto swizzledValue = [&](Value offset) {
    Value row = b.create<arith::AndIOp>(b.create<arith::ShRUIOp>(offset, i32(7)), i32(mask));
    return b.create<arith::XOrIOp>(offset, b.create<arith::ShLIOp>(row, i32(shift)));
  };
  Value own = i32(0);
  for (auto [dim, index] : llvm::enumerate(thread)) {
    if (matchPattern(index, m_Zero()) || (ref.innerStart && dim == ref.inner))
      continue;
    own = b.create<arith::AddIOp>(own, offsetInShared(ref, dim, index));
  }
  SmallVector<Value> addresses;
  if (ref.innerStart) {
    Value first = b.create<arith::AddIOp>(ref.innerStart, thread[ref.inner]);
    Value start = b.create<arith::AddIOp>(ref.address, own);
    for (layout::Coordinate part : parts) {
      Value inner = panelOffset(ref, b.create<arith::AddIOp>(first, i32(std::exchange(part[ref.inner], 0))));
      addresses.push_back(
          swizzledValue(b.create<arith::AddIOp>(b.create<arith::AddIOp>(start, inner), i32(offsetOf(part)))));
    }
    return addresses;
  }
  bool isKnown = ref.isAligned() || (ref.withinRow && ref.beginsWithRows);
  if (!isSwizzled || !isKnown) {
    Value start = b.create<arith::AddIOp>(ref.address, own);
    for (const layout::Coordinate &part : parts) {
      Value address = b.create<arith::AddIOp>(start, i32(offsetOf(part)));
      addresses.push_back(isSwizzled ? swizzledValue(address) : address);
    }
    return addresses;
  }
  Value low = swizzledValue(b.create<arith::AndIOp>(own, i32(atom - 1)));
  Value high = b.create<arith::AndIOp>(own, i32(-atom)), start = ref.address;
  if (ref.withinRow)
    start = b.create<arith::SubIOp>(start, i32(ref.withinRow));
  for (const layout::Coordinate &part : parts) {
    int64_t offset = offsetOf(part) + ref.withinRow;
    Value within = b.create<arith::XOrIOp>(low, i32(swizzled(offset & (atom - 1))));
    Value ofThread = b.create<arith::AddIOp>(high, within);
    addresses.push_back(b.create<arith::AddIOp>(b.create<arith::AddIOp>(start, ofThread), i32(offset & -atom)));
  }
  return addresses;
}

std::optional<LogicalResult> KernelLowering::lowerSharedOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](tile::SubtileOp subtile) { return lowerSubtile(subtile); })
      .Case([&](tile::AllocOp alloc) { return lowerAlloc(alloc); })
      .Case([&](tile::TransposeOp transpose) { return lowerTranspose(transpose); })
      .Case([&](tile::ReshapeRefOp reshape) { return lowerReshape(reshape); })
      .Case([&](tile::BitcastRefOp bitcast) { return lowerBitcast(bitcast); })
      .Case([&](tile::ReuseSharedOp reuse) { return lowerReuse(reuse); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tegula::lower
