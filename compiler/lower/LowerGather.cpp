// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses at indices (ir/TileGather.cpp): each thread computes once where each of its rows begins, and moves their
// elements by accesses as wide as those of a window.
#include "ir/ExchangedExtents.h"
#include "lower/IndirectAccess.h"
#include "lower/Packed.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula::lower {

template <class IndirectOp>
std::optional<IndirectAccess> KernelLowering::accessOf(IndirectOp op, const TileRegisters &registers, bool isGuarded) {
  ScalarBuilder b = scalars(op);
  const LoweredRef &source = refs.find(op.getRef())->second;
  tile::RefType type = op.getRef().getType();
  int64_t position = op.getPosition(), rank = registers.placement.rank(), indexRank = op.getIndexRank();
  // The tile as a window: dimensions of indices have no stride.
  IndirectAccess access{
      {source.base, SmallVector<Value>(rank, i64(0)), SmallVector<Value>(rank, i64(0)), source.root, source.half},
      {},
      {}};
  SmallVector<int64_t> dims(registers.type.getShape());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (int64_t iterated = op.getIteratedDim(dim); iterated >= 0) {
      access.ref.dims[iterated] = source.dims[dim];
      access.ref.strides[iterated] = source.strides[dim];
      dims[iterated] = type.getDims()[dim];
    }
  bool isAlong = rank > 0 && type.getRank() > 0 && op.getIteratedDim(type.getRank() - 1) == rank - 1;
  access.type = isAlong ? tile::RefType::get(type.getElementType(), dims, type.getAlignment(), type.getIsEven())
                        : tile::RefType::get(type.getElementType(), dims);
  if (op.getIndices().empty())
    return access;

  auto indexType = cast<RankedTensorType>(op.getIndices().front().getType());
  auto needed = cast<tile::LayoutAttr>(registers.type.getEncoding()).getLayout();
  for (int64_t dim = rank - 1; dim >= 0; --dim)
    if (dim < position || dim >= position + indexRank)
      needed = needed.withoutDim(dim);
  for (Value indices : op.getIndices())
    if (cast<tile::LayoutAttr>(cast<RankedTensorType>(indices.getType()).getEncoding()).getLayout() != needed)
      return std::nullopt;

  const TileRegisters &ofIndices = registersOf(indexType);
  SmallVector<Value> starts(ofIndices.placement.registersPerThread()), exist(starts.size());
  for (int64_t reg = 0; reg < registers.placement.registersPerThread(); ++reg) {
    layout::Coordinate part = registers.placement.registerPart(reg);
    layout::Coordinate ofRow(part.begin() + position, part.begin() + position + indexRank);
    int64_t row = *ofIndices.placement.findRegister(ofRow); // It is there: the layouts agree.
    if (!starts[row]) {
      Value start = source.base;
      for (auto [indices, dim] : llvm::zip_equal(op.getIndices(), op.getDims())) {
        Type element = cast<RankedTensorType>(indices.getType()).getElementType();
        const TileRegisters &own = registersOf(indices.getType());
        Value index = b.extract(tiles.find(indices)->second[row / own.lanes], row % own.lanes);
        index = b.cast(index, element, builder.getI64Type());
        if (isGuarded) {
          Value isInside = b.compare(arith::CmpIPredicate::ult, index, source.dims[dim]);
          exist[row] = exist[row] ? b.create<arith::AndIOp>(exist[row], isInside) : isInside;
        }
        Value offset = b.create<arith::MulIOp>(index, source.strides[dim]);
        start = elementAt(b, start, offset, type.getElementType());
      }
      starts[row] = start;
    }
    access.rows.starts.push_back(starts[row]);
    if (isGuarded)
      access.rows.exist.push_back(exist[row]);
  }
  return access;
}
template std::optional<IndirectAccess> KernelLowering::accessOf(tile::AtomicOp, const TileRegisters &, bool);

static LogicalResult refuseLayout(Operation *op) {
  return op->emitOpError("has indices whose layout is not that of the tile without the other dimensions");
}

/// Lets a mask leave out rows, if it is the same for all elements that an access moves: these are then accesses as wide
/// as without one.
bool KernelLowering::maskRows(IndirectAccess &access, ArrayRef<Value> mask, const TileRegisters &registers) {
  if (TileAccess::widthOf(registers, access.type) == 1)
    return false;
  ScalarBuilder b = scalars();
  SmallVector<Value> exist;
  for (int64_t reg = 0; reg < registers.placement.registersPerThread(); ++reg) {
    Value holds = ScalarBuilder::copied(mask[reg / registers.lanes]);
    if (!holds)
      return false;
    ArrayRef<Value> already = access.rows.exist;
    exist.push_back(already.empty() ? holds : b.create<arith::AndIOp>(already[reg], holds));
  }
  access.rows.exist = std::move(exist);
  return true;
}

static bool areZero(ArrayRef<Value> vectors) {
  return llvm::all_of(
      vectors, [](Value vector) { return matchPattern(vector, m_Zero()) || matchPattern(vector, m_PosZeroFloat()); });
}

LogicalResult KernelLowering::lowerGather(tile::GatherOp op) {
  const TileRegisters &registers = registersOf(op.getType());
  auto access = accessOf(op, registers, op.getGuarded());
  if (!access)
    return refuseLayout(op);
  bool readOnly = !written.contains(access->ref.root);
  ArrayRef<Value> thread = threadCoordinates(registers);
  // What is not loaded is zero.
  bool isMasked = op.getMask() && !(areZero(tiles.find(op.getOther())->second) &&
                                    maskRows(*access, tiles.find(op.getMask())->second, registers));
  if (isMasked) {
    MaskedAccess masked(scalars(op), registers, access->type, access->ref, thread, {}, tiles.find(op.getMask())->second,
                        &access->rows);
    Registers loaded = masked.load(tiles.find(op.getOther())->second, readOnly);
    tiles[op.getResult()] = std::move(loaded);
  } else {
    tiles[op.getResult()] = TileAccess(scalars(op), registers, access->type, access->ref, thread, {}, &access->rows)
                                .load(readOnly, /*mayBranch=*/false);
  }
  return success();
}

namespace {
/// Where elements of a tile lie in scratch along the dimensions that are not indexed. Registers may have more of these
/// than there are elements: what they take is not known, but lies inside.
class IteratedDims {
public:
  IteratedDims(tile::TakeOp op, ArrayRef<int64_t> extents, ArrayRef<int64_t> strides, int64_t bytes,
               const layout::Placement &placement, ArrayRef<Value> thread)
      : thread(thread), most(placement.threadPart(placement.threads() - 1)) {
    for (auto [dim, extent] : llvm::enumerate(extents))
      if (int64_t iterated = op.getIteratedDim(dim); iterated >= 0)
        dims.push_back({iterated, extent, strides[dim] * bytes, extent < op.getSource().getType().getDimSize(dim)});
  }

  /// Adds the thread's part of dimensions that have an element for each register.
  Value addThread(ScalarBuilder &b, Value start) const {
    for (const Dim &dim : dims)
      if (!dim.isShort)
        start = b.create<arith::AddIOp>(start, scaled(b, thread[dim.iterated], dim));
    return start;
  }

  /// Whether an element of this register may be there.
  bool exist(const layout::Coordinate &part) const {
    return llvm::all_of(dims, [&](const Dim &dim) { return part[dim.iterated] < dim.extent; });
  }

  /// What the register adds as a constant, and, where dimensions are short, as the thread says; null where it does not.
  std::pair<int64_t, Value> offset(ScalarBuilder &b, const layout::Coordinate &part) const {
    int64_t constant = 0;
    Value offset;
    for (const Dim &dim : dims) {
      int64_t own = part[dim.iterated];
      if (!dim.isShort || own + most[dim.iterated] < dim.extent)
        constant += own * dim.bytes;
      if (!dim.isShort)
        continue;
      Value coordinate = thread[dim.iterated];
      if (own + most[dim.iterated] >= dim.extent) {
        coordinate = b.create<arith::AddIOp>(coordinate, b.integer(coordinate.getType(), own));
        coordinate = b.create<arith::MinUIOp>(coordinate, b.integer(coordinate.getType(), dim.extent - 1));
      }
      Value scaledCoordinate = scaled(b, coordinate, dim);
      offset = offset ? b.create<arith::AddIOp>(offset, scaledCoordinate) : scaledCoordinate;
    }
    return {constant, offset};
  }

private:
  struct Dim {
    int64_t iterated, extent, bytes;
    bool isShort;
  };
  static Value scaled(ScalarBuilder &b, Value coordinate, const Dim &dim) {
    return b.create<arith::MulIOp>(coordinate, b.integer(coordinate.getType(), dim.bytes));
  }

  SmallVector<Dim> dims;
  ArrayRef<Value> thread;
  layout::Coordinate most;
};
} // namespace

/// All of the source is in shared memory, where threads find what they want. What an index is that nobody wants is not
/// known: it does not lead beyond.
LogicalResult KernelLowering::lowerTake(tile::TakeOp op) {
  ScalarBuilder b = scalars(op);
  RankedTensorType source = op.getSource().getType();
  const TileRegisters &from = registersOf(source), &to = registersOf(op.getType());
  auto needed = cast<tile::LayoutAttr>(op.getType().getEncoding()).getLayout();
  int64_t position = op.getPosition(), indexRank = op.getIndexRank(), rank = to.placement.rank();
  for (int64_t dim = rank - 1; dim >= 0; --dim)
    if (dim < position || dim >= position + indexRank)
      needed = needed.withoutDim(dim);
  for (Value indices : op.getIndices())
    if (cast<tile::LayoutAttr>(cast<RankedTensorType>(indices.getType()).getEncoding()).getLayout() != needed)
      return refuseLayout(op);

  std::vector<int64_t> extents = tile::exchangedExtentsOf(op);
  SmallVector<int64_t> strides = rowMajor(extents, extents.empty() ? 1 : extents.back());
  layout::Boxes boxes(extents);
  groupBarrier(); // Others may still read what was there.
  if (ArrayRef(extents) == source.getShape())
    writeScratch(scratch(), tiles.find(op.getSource())->second, from, strides, boxes, boxes.start(0));
  else
    writeExisting(scratch(), tiles.find(op.getSource())->second, from, strides, extents);
  groupBarrier();
  int64_t bytes = tile::bytesOf(to.elementType());
  bool isBool = to.elementType().isInteger(1);
  Type memory = isBool ? builder.getI8Type() : to.elementType();
  Type i32Type = builder.getI32Type();
  const TileRegisters &ofIndices = registersOf(op.getIndices().front().getType());
  IteratedDims iterated(op, extents, strides, bytes, to.placement, threadCoordinates(to));
  SmallVector<Value> rows(ofIndices.placement.registersPerThread()), elements;
  for (int64_t reg = 0; reg < to.placement.registersPerThread(); ++reg) {
    layout::Coordinate part = to.placement.registerPart(reg);
    if (!iterated.exist(part)) {
      elements.push_back(b.zero(to.elementType()));
      continue;
    }
    layout::Coordinate ofRow(part.begin() + position, part.begin() + position + indexRank);
    int64_t row = *ofIndices.placement.findRegister(ofRow); // It is there: the layouts agree.
    if (!rows[row]) {
      Value start = i32(0);
      for (auto [indices, dim] : llvm::zip_equal(op.getIndices(), op.getDims())) {
        const TileRegisters &own = registersOf(indices.getType());
        Value index = b.extract(tiles.find(indices)->second[row / own.lanes], row % own.lanes);
        index = b.cast(index, cast<RankedTensorType>(indices.getType()).getElementType(), builder.getI64Type());
        index = b.create<arith::MinUIOp>(index, i64(extents[dim] - 1));
        index = b.create<arith::TruncIOp>(i32Type, index);
        start = b.create<arith::AddIOp>(start, b.create<arith::MulIOp>(index, i32(strides[dim] * bytes)));
      }
      rows[row] = atByte(scratch(), iterated.addThread(b, start));
    }
    auto [constant, offset] = iterated.offset(b, part);
    Value address = offset ? atByte(rows[row], offset) : rows[row];
    Value value = builder.create<LLVM::LoadOp>(here, memory, atByte(address, constant), static_cast<unsigned>(bytes));
    elements.push_back(isBool ? b.compare(arith::CmpIPredicate::ne, value, b.zero(memory)) : value);
  }
  Registers results;
  for (int64_t i = 0; i < to.count(); ++i)
    results.push_back(b.gather(ArrayRef(elements).slice(i * to.lanes, to.lanes)));
  tiles[op.getResult()] = std::move(results);
  return success();
}

LogicalResult KernelLowering::lowerScatter(tile::ScatterOp op) {
  const TileRegisters &registers = registersOf(op.getValue().getType());
  auto access = accessOf(op, registers, /*isGuarded=*/false);
  if (!access)
    return refuseLayout(op);
  ScalarBuilder b = scalars(op);
  Value guard = isStoring(registers);
  ArrayRef<Value> thread = threadCoordinates(registers);
  const Registers &values = tiles.find(op.getValue())->second;
  if (op.getMask() && !maskRows(*access, tiles.find(op.getMask())->second, registers))
    MaskedAccess(b, registers, access->type, access->ref, thread, guard, tiles.find(op.getMask())->second,
                 &access->rows)
        .store(values);
  else
    TileAccess(b, registers, access->type, access->ref, thread, guard, &access->rows).store(values);
  return success();
}

} // namespace tegula::lower
