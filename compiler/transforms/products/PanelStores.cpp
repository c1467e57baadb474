// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/PanelStores.h"

#include "analysis/Divisors.h"
#include "ir/Elements.h"
#include "ir/ProductOptions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {

bool asksBefore(tile::KernelOp kernel, BlockArgument array) {
  bool asks = llvm::any_of(kernel.getArguments(), [&](BlockArgument argument) {
    return kernel.getArgAttr(argument.getArgNumber(), areCopied) != nullptr;
  });
  return asks && kernel.getArgAttr(array.getArgNumber(), canBeCopied);
}

/// Whether a tile is made of the loop's results, element by element: it has the layout that tensor cores give them.
static bool followsProduct(Value tile, const Mainloop &mainloop) {
  llvm::SetVector<Value> all;
  all.insert(tile);
  for (size_t i = 0; i < all.size(); ++i) {
    Operation *op = all[i].getDefiningOp();
    if (op && op == mainloop.loop)
      return true;
    if (op && tile::isElementwise(op))
      all.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// Whether the store is alone with its array, but for loads before it.
static bool isAlone(tile::StoreOp store) {
  Value array = tile::arrayOf(store.getRef());
  WalkResult result = store->getParentOfType<tile::KernelOp>().walk([&](Operation *op) {
    auto load = dyn_cast<tile::LoadOp>(op);
    auto other = dyn_cast<tile::StoreOp>(op);
    bool isLater = load && tile::arrayOf(load.getRef()) == array &&
                   !(load->getBlock() == store->getBlock() && load->isBeforeInBlock(store));
    bool isOther = other && other != store && tile::arrayOf(other.getRef()) == array;
    return isLater || isOther ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// Whether a ref is a window of its array in one of the array's dimensions.
static bool isWindow(Value ref, int64_t ofArray) {
  for (; Operation *view = ref.getDefiningOp(); ref = view->getOperand(0))
    if (auto slice = dyn_cast<tile::SliceOp>(view))
      for (auto [dim, each] : llvm::enumerate(tile::arrayDimsOf(slice.getSource())))
        if (each == ofArray && slice.getMode(dim) != tile::SliceMode::Whole)
          return true;
  return false;
}

static std::optional<PanelStore> panelStoreOf(tile::StoreOp store) {
  auto type = cast<RankedTensorType>(store.getValue().getType());
  auto array = dyn_cast<BlockArgument>(tile::arrayOf(store.getRef()));
  int64_t bytes = tile::bytesOf(type.getElementType());
  if (store.getMask() || isPacked(type.getElementType()) || !array || type.getRank() != 2 ||
      type.getDimSize(0) % 64 != 0 || bytes > 4 || type.getDimSize(1) * bytes % PanelStore::bytesOfRow != 0)
    return std::nullopt;
  int64_t rank = cast<tile::RefType>(array.getType()).getRank();
  SmallVector<int64_t> dims = tile::arrayDimsOf(store.getRef());
  if (cast<tile::RefType>(array.getType()).isTable() || rank > mostDimsOfMap || std::max(dims[0], dims[1]) + 1 != rank)
    return std::nullopt;
  PanelStore panel{
      store, array, type.getDimSize(0), PanelStore::bytesOfRow / bytes, 0, dims[0] > dims[1], /*isCutByArray=*/true};
  panel.panels = type.getDimSize(1) / panel.columns;
  for (Value ref = store.getRef(); Operation *view = ref.getDefiningOp(); ref = view->getOperand(0)) {
    auto slice = dyn_cast<tile::SliceOp>(view);
    if (!slice) // A view with its dimensions in another order.
      continue;
    for (auto [dim, ofArray] : llvm::enumerate(tile::arrayDimsOf(slice.getSource()))) {
      auto side = llvm::find(dims, ofArray) - dims.begin();
      if (slice.getMode(dim) == tile::SliceMode::Whole)
        continue;
      if (ofArray + 1 == rank && !isEven(slice.getOffset(dim), array, panel.even))
        return std::nullopt;
      if (side == static_cast<int64_t>(dims.size()))
        continue;
      int64_t extent = type.getDimSize(side), bound = slice.getBound(dim);
      bool isStatic = !slice.getSize(dim) && !ShapedType::isDynamic(bound);
      if (isStatic && bound < extent) // No sub-tile is full.
        return std::nullopt;
      // A window ends where a sub-tile does if its extent is a multiple of theirs, of all consumers together, and they
      // begin at such multiples. The innermost window is the part of a sub-tile that this consumer has.
      bool isInWindow = isWindow(slice.getSource(), ofArray), isPart = slice == store.getRef().getDefiningOp();
      auto kernel = store->getParentOfType<tile::KernelOp>();
      int64_t ctas = kernel->hasAttr(programsInCluster) ? 1 : clusterSizeOf(kernel);
      int64_t members = kernel.getConsumers().value_or(1) * ctas;
      int64_t ofAll = side == 0 && !isPart ? extent * members : extent;
      panel.isCutByArray &=
          isStatic && bound % ofAll == 0 && (!isInWindow || tile::divisorOf(slice.getOffset(dim)) % extent == 0);
    }
  }
  return panel;
}

SmallVector<PanelStore> findPanelStores(const Mainloop &mainloop) {
  SmallVector<PanelStore> found;
  for (auto store : scf::ForOp(mainloop.work).getBody()->getOps<tile::StoreOp>()) {
    std::optional<PanelStore> panel = panelStoreOf(store);
    if (!panel || !followsProduct(store.getValue(), mainloop) || !isAlone(store))
      continue;
    if (mainloop.isChain() && panel->isTransposed) // Its panels are staged where a factor was, which has rows.
      continue;
    bool isAlike =
        found.empty() || (found.front().rows == panel->rows && found.front().isTransposed == panel->isTransposed &&
                          cast<tile::RefType>(found.front().array.getType()).getElementType() ==
                              cast<tile::RefType>(panel->array.getType()).getElementType());
    if (isAlike)
      found.push_back(std::move(*panel));
  }
  return found;
}

SmallVector<PanelStore> findCopiedStores(tile::KernelOp kernel, const Mainloop &mainloop) {
  SmallVector<PanelStore> found = findPanelStores(mainloop);
  llvm::erase_if(found,
                 [&](const PanelStore &panel) { return !kernel.getArgAttr(panel.array.getArgNumber(), canBeCopied); });
  return found;
}

Value isCopied(OpBuilder &builder, tile::KernelOp kernel, const PanelStore &panel) {
  tile::StoreOp store = panel.store;
  Value condition;
  auto require = [&](Value next) {
    condition = condition ? builder.create<arith::AndIOp>(store.getLoc(), condition, next).getResult() : next;
  };
  for (BlockArgument argument : kernel.getArguments())
    if (kernel.getArgAttr(argument.getArgNumber(), areCopied))
      require(argument);
  auto refType = cast<tile::RefType>(store.getRef().getType());
  for (int64_t dim = 0; dim < 2 && !panel.isCutByArray; ++dim)
    if (!refType.isExact(dim)) {
      Value extent = builder.create<tile::DimOp>(store.getLoc(), store.getRef(), dim);
      int64_t size = cast<RankedTensorType>(store.getValue().getType()).getDimSize(dim);
      Value most = builder.create<arith::ConstantOp>(store.getLoc(), builder.getI64IntegerAttr(size));
      require(builder.create<arith::CmpIOp>(store.getLoc(), arith::CmpIPredicate::eq, extent, most));
    }
  return condition;
}

} // namespace tegula
