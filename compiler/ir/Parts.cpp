// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Parts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula::tile {

Value makeWindow(OpBuilder &builder, Location loc, Value ref, ArrayRef<Part> parts) {
  auto type = cast<RefType>(ref.getType());
  SmallVector<int64_t> dims;
  SmallVector<int32_t> modes;
  SmallVector<Value> offsets;
  bool isAll = true;
  for (auto [i, part] : llvm::enumerate(parts)) {
    bool isExact = type.isExact(i) && type.getBound(i) == part.size;
    bool isExactly = !part.dropped && !part.offset && (isExact || (!part.full && type.getBound(i) == part.size));
    isAll &= isExactly;
    auto mode = isExactly ? SliceMode::Whole : part.dropped ? SliceMode::Element : SliceMode::Window;
    modes.push_back(static_cast<int32_t>(mode));
    if (!isExactly && part.offset)
      offsets.push_back(part.offset);
    else if (!isExactly)
      offsets.push_back(builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(0)));
    bool fits = part.full || (type.isExact(i) && type.getBound(i) % part.size == 0);
    if (!part.dropped)
      dims.push_back(isExactly ? type.getDims()[i] : fits ? part.size : RefType::atMost(part.size));
  }
  if (isAll)
    return ref;
  bool inBounds = llvm::all_of(dims, [](int64_t dim) { return dim > 0; });
  auto windowType = type.isShared() ? RefType::inShared(type.getElementType(), dims, type.getSwizzle())
                                    : RefType::get(type.getElementType(), dims);
  return builder.create<SliceOp>(loc, windowType, ref, offsets, ValueRange(), modes, /*spec=*/false, inBounds);
}

Parts wholeOf(RankedTensorType type) {
  Parts parts;
  for (int64_t size : type.getShape())
    parts.push_back({{}, size});
  return parts;
}

Parts partsOfOperand(OpBuilder &builder, IndexedOpInterface op, OpOperand &operand, ArrayRef<Part> parts,
                     llvm::function_ref<Value(Value)> here) {
  Parts result;
  for (const DimIndex &index : op.getIndexingMap(operand)) {
    Value offset = index.offset ? here(index.offset) : Value();
    if (index.isElement()) {
      result.push_back({offset, 1, /*dropped=*/true});
      continue;
    }
    Part part = parts[index.dim];
    if (index.isUnit())
      part = {{}, 1, part.dropped};
    else if (index.isWindow())
      part.offset = part.offset ? builder.create<arith::AddIOp>(op.getLoc(), part.offset, offset).getResult() : offset;
    result.push_back(part);
  }
  return result;
}

Value makePart(OpBuilder &builder, IndexedOpInterface op, ArrayRef<Part> parts, ValueRange operands) {
  auto load = dyn_cast<LoadOp>(op.getOperation());
  if (!load)
    return op.makePart(builder, parts, operands);
  Value window = makeWindow(builder, load.getLoc(), operands.front(), parts);
  Type type = partType(load.getType().getElementType(), parts);
  return load.getMask() ? builder.create<LoadOp>(load.getLoc(), type, window, operands[1], operands[2])
                        : builder.create<LoadOp>(load.getLoc(), type, window);
}

bool canMakeParts(Value tile, ArrayRef<bool> isCut, llvm::function_ref<bool(Value, ArrayRef<bool>)> isMade,
                  llvm::function_ref<bool(LoadOp)> canLoad) {
  SmallVector<std::pair<Value, SmallVector<bool>>> wanted = {{tile, SmallVector<bool>(isCut)}};
  for (size_t i = 0; i < wanted.size(); ++i) {
    auto [value, isPart] = wanted[i];
    if (isMade(value, isPart))
      continue;
    auto indexed = value.getDefiningOp<IndexedOpInterface>();
    auto load = value.getDefiningOp<LoadOp>();
    if (!indexed || isContraction(indexed) || (load && !canLoad(load)))
      return false;
    for (OpOperand &operand : indexed->getOpOperands()) {
      if (!isTile(operand.get()))
        continue;
      std::pair<Value, SmallVector<bool>> next = {operand.get(), {}};
      for (const DimIndex &index : indexed.getIndexingMap(operand))
        next.second.push_back((index.isIterated() || index.isWindow()) && isPart[index.dim]);
      if (!llvm::is_contained(wanted, next))
        wanted.push_back(std::move(next));
    }
  }
  return true;
}

} // namespace tegula::tile
