// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Divisors.h"
#include "ir/KernelAttributes.h"
#include "lower/Packed.h"
#include "lower/TileAccess.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula::lower {

/// The extent of what a slice keeps of a dimension: clamp(dim - start, 0, size).
Value KernelLowering::extentOf(tile::SliceOp op, unsigned dim, unsigned kept, Value ofSource) {
  tile::RefType type = op.getType();
  if (op.getMode(dim) == tile::SliceMode::Whole)
    return ofSource;
  if (type.isExact(kept))
    return i64(type.getBound(kept));
  ScalarBuilder b = scalars(op);
  Value size = op.getSize(dim) ? values.lookup(op.getSize(dim)) : i64(type.getBound(kept));
  Value left = b.create<arith::SubIOp>(ofSource, values.lookup(op.getOffset(dim)));
  return b.create<arith::MaxSIOp>(b.create<arith::MinSIOp>(left, size), i64(0));
}

/// A window of some arrays of a table stays one of the table; one of a single array begins where the table says. A
/// number that the table does not have is the author's error; the pointer that is loaded then is that of array 0.
LogicalResult KernelLowering::lowerTableSlice(tile::SliceOp op) {
  ScalarBuilder b = scalars(op);
  const LoweredRef source = refs.find(op.getSource())->second;
  tile::RefType type = op.getType();
  LoweredRef result{source.base, {}, {}, source.root};
  auto add = [&](Value sum, Value next) { return sum ? b.create<arith::AddIOp>(sum, next) : next; };
  Value number = source.first, offset = source.offset;
  for (unsigned dim = 0; dim < source.dims.size(); ++dim) {
    Value start = op.getMode(dim) == tile::SliceMode::Whole ? Value() : values.lookup(op.getOffset(dim));
    if (start && dim == 0)
      number = add(number, start);
    else if (start)
      offset = add(offset, b.create<arith::MulIOp>(start, source.strides[dim]));
    if (op.getMode(dim) == tile::SliceMode::Element)
      continue;
    result.dims.push_back(extentOf(op, dim, result.dims.size(), source.dims[dim]));
    result.strides.push_back(source.strides[dim]);
  }
  if (type.isTable()) {
    result.first = number;
    result.offset = offset;
  } else {
    Value isThere = b.compare(arith::CmpIPredicate::ult, values.lookup(op.getOffset(0)), source.dims.front());
    number = b.create<arith::SelectOp>(isThere, number, i64(0));
    Type pointer = source.base.getType();
    auto load = builder.create<LLVM::LoadOp>(
        here, pointer, builder.create<LLVM::GEPOp>(here, pointer, pointer, source.base, number), /*alignment=*/8);
    load.setInvariant(true);
    result.base = offset ? elementAt(b, load, offset, type.getElementType()) : load.getResult();
  }
  if (type.getAlignment() && type.getRank() > 0)
    result.strides.back() = i64(1);
  refs[op.getResult()] = result;
  return success();
}

LogicalResult KernelLowering::lowerSlice(tile::SliceOp op) {
  if (op.getSource().getType().isTable())
    return lowerTableSlice(op);
  ScalarBuilder b = scalars(op);
  const LoweredRef source = refs.find(op.getSource())->second;
  tile::RefType type = op.getType();
  LoweredRef result{source.base, {}, {}, source.root, source.half};
  result.common = source.commonBase();
  for (unsigned dim = 0; dim < source.dims.size(); ++dim) {
    tile::SliceMode mode = op.getMode(dim);
    IntegerAttr constant;
    if (mode != tile::SliceMode::Whole)
      (void)matchPattern(op.getOffset(dim), m_Constant(&constant));
    bool isConstant = mode == tile::SliceMode::Window && constant && !isPacked(type.getElementType());
    if (mode != tile::SliceMode::Whole) {
      Value offset = b.create<arith::MulIOp>(values.lookup(op.getOffset(dim)), source.strides[dim]);
      bool isInner = matchPattern(source.strides[dim], m_One());
      if (isPacked(type.getElementType()) && isInner && tile::divisorOf(op.getOffset(dim)) < 2) {
        offset = result.half ? b.create<arith::AddIOp>(offset, result.half) : offset;
        result.half = b.create<arith::AndIOp>(offset, i64(1));
      }
      result.base = elementAt(b, result.base, offset, type.getElementType());
      if (!isConstant)
        result.common = elementAt(b, result.common, offset, type.getElementType());
    }
    if (mode == tile::SliceMode::Element) {
      if (int64_t before = source.constantOf(dim))
        result.common = elementAt(b, result.common, b.create<arith::MulIOp>(source.strides[dim], i64(before)),
                                  type.getElementType());
      continue;
    }
    unsigned kept = result.dims.size();
    result.constants.push_back(source.constantOf(dim) + (isConstant ? constant.getInt() : 0));
    result.strides.push_back(source.strides[dim]);
    result.dims.push_back(extentOf(op, dim, kept, source.dims[dim]));
  }
  if (type.getAlignment() && type.getRank() > 0)
    result.strides.back() = i64(1);
  refs[op.getResult()] = result;
  return success();
}

LogicalResult KernelLowering::lowerStridedSlice(tile::StridedSliceOp op) {
  ScalarBuilder b = scalars(op);
  LoweredRef result = refs.find(op.getSource())->second;
  auto axis = static_cast<int64_t>(op.getAxis());
  Value start = values.lookup(op.getOffset()), step = values.lookup(op.getStep());
  Value size = op.getSize() ? values.lookup(op.getSize()) : i64(op.getType().getBound(axis));
  Value offset = b.create<arith::MulIOp>(start, result.strides[axis]);
  result.base = elementAt(b, result.base, offset, op.getType().getElementType());
  result.common = {}; // Constants are counted in strides, which are others now.
  result.constants.clear();
  // ceil(rest / step): a rest of 0 or less gives 0 or less.
  Value rest = b.create<arith::SubIOp>(result.dims[axis], start);
  Value there = b.create<arith::DivSIOp>(b.create<arith::AddIOp>(rest, b.create<arith::SubIOp>(step, i64(1))), step);
  result.dims[axis] = b.create<arith::MaxSIOp>(b.create<arith::MinSIOp>(there, size), i64(0));
  result.strides[axis] = b.create<arith::MulIOp>(result.strides[axis], step);
  refs[op.getResult()] = result;
  return success();
}

LogicalResult KernelLowering::lowerArrayTranspose(tile::TransposeOp op) {
  const LoweredRef source = refs.find(op.getSource())->second;
  LoweredRef result{source.base, {}, {}, source.root, source.half};
  for (int64_t dim : op.getPermutation()) {
    result.dims.push_back(source.dims[dim]);
    result.strides.push_back(source.strides[dim]);
  }
  refs[op.getResult()] = result;
  return success();
}

/// Splits dimensions: the outer parts step over all of the inner ones.
LogicalResult KernelLowering::lowerArrayReshape(tile::ReshapeRefOp op) {
  ScalarBuilder b = scalars(op);
  const LoweredRef source = refs.find(op.getSource())->second;
  tile::RefType from = op.getSource().getType(), to = op.getType();
  SmallVector<int64_t> extents;
  for (int64_t dim = 0; dim < from.getRank(); ++dim)
    extents.push_back(from.getBound(dim));
  LoweredRef result{source.base, {}, SmallVector<Value>(to.getRank(), i64(0)), source.root};
  for (int64_t extent : to.getDims())
    result.dims.push_back(i64(extent));
  for (const tile::ReshapeGroup &group : tile::reshapeGroups(extents, to.getDims())) {
    Value stride;
    for (unsigned dim = group.sourceBegin; dim < group.sourceEnd; ++dim)
      if (extents[dim] > 1)
        stride = source.strides[dim];
    for (unsigned dim = group.resultEnd; stride && dim-- > group.resultBegin;)
      if (to.getDims()[dim] > 1) {
        result.strides[dim] = stride;
        stride = b.create<arith::MulIOp>(stride, i64(to.getDims()[dim]));
      }
  }
  refs[op.getResult()] = result;
  return success();
}

/// Strides count elements.
LogicalResult KernelLowering::lowerArrayBitcast(tile::BitcastRefOp op) {
  ScalarBuilder b = scalars(op);
  LoweredRef result = refs.find(op.getSource())->second;
  result.common = {};
  result.constants.clear();
  if (op.changesWidth()) {
    int64_t from = tile::bytesOf(op.getSource().getType().getElementType()),
            to = tile::bytesOf(op.getType().getElementType());
    for (Value ref = op.getSource(); auto slice = ref.getDefiningOp<tile::SliceOp>(); ref = slice.getSource()) {
      Value start = slice.getOffset(slice.getModes().size() - 1);
      if (start && std::min<int64_t>(tile::divisorOf(start), to) * from % to != 0)
        return op.emitError() << "tg::bitcast_ref to elements of " << to << " bytes takes windows that begin at "
                              << "multiples of that, but this one is known to begin only at a multiple of "
                              << tile::divisorOf(start) * from
                              << " bytes in its row: promise more, tg::ds<...>(tg::multiple_of<" << to / from
                              << ">(start))";
    }
    for (Value &stride : MutableArrayRef(result.strides).drop_back())
      stride = b.create<arith::DivSIOp>(b.create<arith::MulIOp>(stride, i64(from)), i64(to));
    result.dims.back() = i64(op.getType().getDims().back());
  }
  refs[op.getResult()] = result;
  return success();
}

LogicalResult KernelLowering::lowerDim(tile::DimOp op) {
  auto ref = refs.find(op.getSource());
  if (ref == refs.end())
    return op.emitOpError("is not supported on tiles within a kernel, whose extents are static");
  values.map(op.getResult(), ref->second.dims[op.getAxis()]);
  return success();
}

void KernelLowering::findWritten() {
  for (BlockArgument argument : kernel.getArguments())
    if (kernel.getArgAttr(argument.getArgNumber(), tile::writtenByCopies))
      written.insert(argument);
  kernel.walk([&](tile::MemoryAccessOpInterface op) {
    for (const tile::MemoryAccess &access : op.getMemoryAccesses())
      if (access.isWrite())
        written.insert(tile::memoryOf(access.ref));
  });
}

/// All threads of the thread group have finished what they did to memory before any goes on.
/// Barriers that are constants of the code. Where a register says which one, ptxas reserves all 16 for each CTA, and a
/// multiprocessor has 64: no more than four CTAs then.
static constexpr int64_t mostNamedBarriers = 4;

void KernelLowering::groupBarrier() {
  ScalarBuilder b = scalars();
  int64_t group = kernel.getGroup();
  if (group == 1)
    return;
  if (isInWarps) {
    builder.create<NVVM::SyncWarpOp>(here, i32(-1));
  } else if (group <= 32) {
    Value first = b.create<arith::AndIOp>(specialRegister("tid"), i32(31 & ~(group - 1)));
    Value mask = b.create<arith::ShLIOp>(i32(static_cast<int32_t>((int64_t(1) << group) - 1)), first);
    builder.create<NVVM::SyncWarpOp>(here, mask);
  } else if (group == static_cast<int64_t>(kernel.getThreads())) {
    builder.create<NVVM::Barrier0Op>(here);
  } else { // At most 16 thread groups of 64 threads: as many as there are barriers.
    Value id = b.create<arith::ShRUIOp>(specialRegister("tid"), i32(llvm::Log2_64(group)));
    int64_t groups = kernel.getThreads() / group;
    if (groups > mostNamedBarriers) {
      builder.create<NVVM::BarrierOp>(here, id, i32(group));
      return;
    }
    std::string each;
    for (int64_t i = 0; i < groups; ++i)
      each += llvm::formatv("setp.eq.u32 is_own, $0, {0};\n\t@is_own bar.sync {0}, {1};\n\t", i, group);
    effect("{\n\t.reg .pred is_own;\n\t" + each + "}", "r", {id});
  }
}

/// The type by which a window is loaded from the accesses around it; none if it is loaded by its own.
static std::optional<tile::RefType> typeAround(tile::KernelOp kernel, Value ref) {
  auto type = cast<tile::RefType>(ref.getType());
  int64_t alignment = kernel->hasAttr(tile::loadsAround) ? tile::alignmentOfNeighbours(ref) : 0;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    alignment = type.isExact(dim) ? alignment : 0;
  if (alignment <= type.getAlignment())
    return std::nullopt;
  return tile::RefType::get(type.getElementType(), type.getDims(), alignment, /*isEven=*/false, type.getSpace());
}

LogicalResult KernelLowering::lowerLoad(tile::LoadOp op) {
  const LoweredRef &ref = refs.find(op.getRef())->second;
  const TileRegisters &registers = registersOf(op.getType());
  tile::RefType type = op.getRef().getType();
  bool readOnly = !written.contains(ref.root);
  ArrayRef<Value> thread = threadCoordinates(registers);
  if (op.getMask()) {
    MaskedAccess access(scalars(op), registers, type, ref, thread, {}, tiles.find(op.getMask())->second);
    Registers loaded = access.load(tiles.find(op.getOther())->second, readOnly);
    tiles[op.getResult()] = std::move(loaded);
  } else if (std::optional<tile::RefType> around = typeAround(kernel, op.getRef())) {
    prefetchLater(op, ref);
    tiles[op.getResult()] = TileAccess(scalars(op), registers, *around, ref, thread, {}).loadAround(readOnly);
  } else {
    prefetchLater(op, ref);
    // In a cluster, later loads overlap with the CTAs' synchronization. In branches they lose 15 % (RESULTS.md).
    bool mayBranch = !kernel.getCluster();
    tiles[op.getResult()] = TileAccess(scalars(op), registers, type, ref, thread, {}).load(readOnly, mayBranch);
  }
  return success();
}

Value KernelLowering::isStoring(const TileRegisters &registers) {
  uint64_t copies = registers.placement.copyMask();
  if (copies == 0)
    return {};
  ScalarBuilder b = scalars();
  if (isInWarps) // Each of which has copies of its own.
    copies &= static_cast<uint64_t>(lanesOfWarp - 1);
  Value which = b.create<arith::AndIOp>(threadInGroup(), i32(static_cast<int64_t>(copies)));
  return b.compare(arith::CmpIPredicate::eq, which, i32(0));
}

LogicalResult KernelLowering::lowerStore(tile::StoreOp op) {
  const LoweredRef &ref = refs.find(op.getRef())->second;
  const TileRegisters &registers = registersOf(op.getValue().getType());
  ScalarBuilder b = scalars(op);
  Value guard = isStoring(registers);
  tile::RefType type = op.getRef().getType();
  ArrayRef<Value> thread = threadCoordinates(registers);
  const Registers &values = tiles.find(op.getValue())->second;
  if (op.getMask())
    MaskedAccess(b, registers, type, ref, thread, guard, tiles.find(op.getMask())->second).store(values);
  else
    TileAccess(b, registers, type, ref, thread, guard).store(values);
  return success();
}

} // namespace tegula::lower
