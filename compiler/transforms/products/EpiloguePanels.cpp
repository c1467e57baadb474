// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/EpiloguePanels.h"

#include "ir/Parts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {

/// Whether a tile is made of the loop's results, element by element: it has their layout.
bool EpiloguePanels::followsProduct(Value tile) {
  llvm::SetVector<Value> all;
  all.insert(tile);
  for (size_t i = 0; i < all.size(); ++i) {
    if (isResult(all[i]))
      return true;
    if (Operation *op = all[i].getDefiningOp(); op && tile::isElementwise(op))
      all.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// Whether a part of a tile is cut out of it, not computed: of the loop's results, and of what follows them and is
/// needed as a whole elsewhere, which is computed once.
bool EpiloguePanels::isLeaf(Value tile) {
  return isResult(tile) || (followsProduct(tile) && llvm::any_of(tile.getUsers(), [](Operation *user) {
                              return !tile::isElementwise(user) && !isa<tile::StoreOp>(user);
                            }));
}

/// Whether a window may be loaded where the store is: its array is written by nothing, or by this store alone, to the
/// same window. Stores before this one may be copies by TMA already.
bool EpiloguePanels::canMove(tile::LoadOp load, tile::StoreOp store) {
  auto isSame = [](Value a, Value b) { return a == b; };
  return !load->getParentOfType<tile::KernelOp>()
              .walk([&](Operation *op) {
                auto other = dyn_cast<tile::StoreOp>(op);
                auto copy = dyn_cast<tile::CopyToGlobalOp>(op);
                Value written = other ? other.getRef() : copy ? Value(copy.getTarget()) : Value();
                bool isOfArray = written && tile::arrayOf(written) == tile::arrayOf(load.getRef());
                bool isItself = other && other == store && tile::isSameWindow(load.getRef(), store.getRef(), isSame);
                return isOfArray && !isItself ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

bool EpiloguePanels::canCut(tile::StoreOp store, int64_t dim) {
  auto isMade = [&](Value tile, ArrayRef<bool> isCut) { return !llvm::is_contained(isCut, true) || isLeaf(tile); };
  auto canLoad = [&](tile::LoadOp load) { return canMove(load, store); };
  SmallVector<bool> isCut(store.getValue().getType().getRank(), false);
  isCut[dim] = true;
  return followsProduct(store.getValue()) && tile::canMakeParts(store.getValue(), isCut, isMade, canLoad) &&
         (!store.getMask() || tile::canMakeParts(store.getMask(), isCut, isMade, canLoad));
}

SmallVector<tile::Parts> EpiloguePanels::cut(RankedTensorType type, int64_t dim, int64_t size) {
  SmallVector<tile::Parts> panels;
  for (int64_t first = 0; first < type.getDimSize(dim); first += size) {
    panels.push_back(tile::wholeOf(type));
    Value offset = builder.create<arith::ConstantOp>(builder.getUnknownLoc(), builder.getI64IntegerAttr(first));
    if (size < type.getDimSize(dim))
      panels.back()[dim] = {offset, std::min(size, type.getDimSize(dim) - first)};
  }
  return panels;
}

static tile::Parts partsOfOperand(OpBuilder &builder, tile::IndexedOpInterface op, OpOperand &operand,
                                  const tile::Parts &parts) {
  return tile::partsOfOperand(builder, op, operand, parts, [](Value offset) { return offset; });
}

Value EpiloguePanels::subtile(Value tile, const tile::Parts &parts) {
  auto type = cast<RankedTensorType>(tile.getType());
  SmallVector<int32_t> modes;
  SmallVector<Value> offsets;
  for (auto [size, part] : llvm::zip_equal(type.getShape(), parts)) {
    bool isWhole = part.size == size;
    modes.push_back(static_cast<int32_t>(isWhole ? tile::SliceMode::Whole : tile::SliceMode::Window));
    if (!isWhole)
      offsets.push_back(part.offset);
  }
  if (offsets.empty())
    return tile;
  return builder.create<tile::SubtileOp>(tile.getLoc(), tile::partType(type.getElementType(), parts), tile, offsets,
                                         ValueRange(), modes);
}

Value EpiloguePanels::partOf(Value tile, const tile::Parts &parts) {
  if (parts == tile::wholeOf(cast<RankedTensorType>(tile.getType())))
    return tile;
  for (const Known &each : known)
    if (each.tile == tile && each.parts == parts)
      return each.made;
  Value made;
  if (isLeaf(tile)) {
    made = subtile(tile, parts);
  } else {
    auto op = cast<tile::IndexedOpInterface>(tile.getDefiningOp());
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands())
      operands.push_back(isa<RankedTensorType>(operand.get().getType())
                             ? partOf(operand.get(), partsOfOperand(builder, op, operand, parts))
                             : operand.get());
    made = tile::makePart(builder, op, parts, operands);
  }
  known.push_back({tile, parts, made});
  return made;
}

/// Makes what a part is loaded from, and nothing else.
void EpiloguePanels::load(Value tile, const tile::Parts &parts) {
  SmallVector<std::pair<Value, tile::Parts>> wanted = {{tile, parts}};
  for (size_t i = 0; i < wanted.size(); ++i) {
    auto [value, those] = wanted[i];
    if (those == tile::wholeOf(cast<RankedTensorType>(value.getType())) || isLeaf(value))
      continue;
    if (value.getDefiningOp<tile::LoadOp>()) {
      partOf(value, those);
      continue;
    }
    auto op = cast<tile::IndexedOpInterface>(value.getDefiningOp());
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType())) {
        std::pair<Value, tile::Parts> next = {operand.get(), partsOfOperand(builder, op, operand, those)};
        if (!llvm::is_contained(wanted, next))
          wanted.push_back(std::move(next));
      }
  }
}

EpiloguePanels::Stored EpiloguePanels::make(tile::StoreOp store, ArrayRef<tile::Parts> panels, size_t index) {
  auto loadFor = [&](size_t panel) {
    for (Value tile : {Value(store.getValue()), Value(store.getMask())})
      if (tile && panel < panels.size())
        load(tile, panels[panel]);
  };
  loadFor(index);
  Stored stored = {partOf(store.getValue(), panels[index]), {}};
  if (store.getMask())
    stored.mask = partOf(store.getMask(), panels[index]);
  loadFor(index + 1);
  return stored;
}

/// Whether a tile is a result of the loop but for its element type: that takes no registers beside the sums.
bool EpiloguePanels::isConverted(Value tile) {
  while (auto cast = tile.getDefiningOp<tile::CastOp>())
    tile = cast.getOperand();
  return isResult(tile);
}

void EpiloguePanels::cutStores(Block *block, int64_t dim, llvm::function_ref<int64_t(RankedTensorType)> sizeFor) {
  for (auto store : llvm::make_early_inc_range(block->getOps<tile::StoreOp>())) {
    RankedTensorType type = store.getValue().getType();
    bool isWide = type.getRank() == 2 && type.getDimSize(1) > columnsOfPanel;
    if (!isWide || isConverted(store.getValue()) || !canCut(store, dim))
      continue;
    builder.setInsertionPoint(store);
    SmallVector<tile::Parts> panels = cut(type, dim, sizeFor(type));
    for (size_t i = 0; i < panels.size(); ++i) {
      Stored stored = make(store, panels, i);
      Value window = tile::makeWindow(builder, store.getLoc(), store.getRef(), panels[i]);
      builder.create<tile::StoreOp>(store.getLoc(), stored.value, window, stored.mask);
    }
    store.erase();
  }
}

} // namespace tegula
