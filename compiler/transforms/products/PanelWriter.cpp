// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/PanelWriter.h"

#include "ir/Parts.h"
#include "transforms/products/SharedMatrices.h"

using namespace mlir;

namespace tegula {

void PanelWriter::allocate() {
  stores = findCopiedStores(kernel, mainloop);
  areEven = llvm::all_of(stores, [](const PanelStore &panel) { return panel.panels % PanelStore::buffers == 0; });
  if (stores.empty())
    return;
  builder.setInsertionPoint(mainloop.work);
  const PanelStore &first = stores.front();
  Type element = cast<tile::RefType>(first.array.getType()).getElementType();
  int64_t consumers = *kernel.getConsumers(), dims[] = {consumers, PanelStore::buffers, first.rows, first.columns};
  if (first.isTransposed)
    std::swap(dims[2], dims[3]);
  staging = builder.create<tile::AllocOp>(loc, tile::RefType::inShared(element, dims), IntegerAttr(), false);
}

/// The shared memory of a panel of this consumer.
Value PanelWriter::bufferOf(const PanelStore &panel, int64_t index, Value warpgroup) {
  Location at = tile::StoreOp(panel.store).getLoc();
  auto mode = [](tile::SliceMode each) { return static_cast<int32_t>(each); };
  const int32_t modes[] = {mode(tile::SliceMode::Element), mode(tile::SliceMode::Element), mode(tile::SliceMode::Whole),
                           mode(tile::SliceMode::Whole)};
  auto type = cast<tile::RefType>(staging.getType());
  auto bufferType = tile::RefType::inShared(type.getElementType(), type.getDims().drop_front(2));
  Value offsets[] = {warpgroup, constant(index % PanelStore::buffers)};
  return builder.create<tile::SliceOp>(at, bufferType, staging, offsets, ValueRange(), modes, /*spec=*/false);
}

/// Stores a panel to shared memory, once the copy of the panel before the last is complete, and copies it to the array
/// from there. A panel is computed in two halves, which halves the registers that its operands need.
void PanelWriter::store(const PanelStore &panel, EpiloguePanels &epilogue, Value warpgroup) {
  constexpr int64_t columnsAtATime = 32;
  tile::StoreOp store = panel.store;
  Location at = store.getLoc();
  RankedTensorType type = store.getValue().getType();
  bool isCut = type.getDimSize(1) > columnsOfPanel && epilogue.canCut(store, /*dim=*/1);
  builder.setInsertionPoint(store);
  Value condition = isCopied(builder, kernel, panel);
  int64_t columns = isCut ? std::min(panel.columns, columnsAtATime) : panel.columns;
  int64_t perPanel = panel.columns / columns;
  SmallVector<tile::Parts> panels = epilogue.cut(type, /*dim=*/1, panel.columns),
                           inPanel =
                               epilogue.cut(tile::partType(type.getElementType(), panels.front()), /*dim=*/1, columns);
  SmallVector<tile::Parts> parts = perPanel == 1 ? panels : epilogue.cut(type, /*dim=*/1, columns);
  for (int64_t i = 0; i < static_cast<int64_t>(parts.size()); ++i) {
    OpBuilder::InsertionGuard guard(builder);
    Value part = isCut ? epilogue.make(store, parts, i).value : epilogue.subtile(store.getValue(), parts[i]);
    if (condition) {
      auto choice = builder.create<scf::IfOp>(at, condition, /*withElseRegion=*/true);
      builder.setInsertionPoint(choice.elseBlock()->getTerminator());
      builder.create<tile::StoreOp>(at, part, tile::makeWindow(builder, at, store.getRef(), parts[i]));
      builder.setInsertionPoint(choice.thenBlock()->getTerminator());
    }
    // Where a store is of an odd number of panels, the next one may begin with the buffer that was the last.
    bool isReusedAtOnce = i == 0 && !areEven;
    if (i % perPanel == 0)
      builder.create<tile::WaitGroupOp>(at, isReusedAtOnce ? 0 : PanelStore::buffers - 1, /*read=*/true);
    Value buffer = bufferOf(panel, i / perPanel, warpgroup);
    Value inOrder = panel.isTransposed ? transposed(builder, at, buffer) : buffer;
    builder.create<tile::StoreOp>(at, part, tile::makeWindow(builder, at, inOrder, inPanel[i % perPanel]));
    if ((i + 1) % perPanel != 0)
      continue;
    builder.create<tile::FenceSharedOp>(at);
    Value window = tile::makeWindow(builder, at, store.getRef(), panels[i / perPanel]);
    if (panel.isTransposed)
      window = transposed(builder, at, window);
    builder.create<tile::CopyToGlobalOp>(at, buffer, window, Value(), /*commit=*/true);
  }
  store.erase();
}

void PanelWriter::store(EpiloguePanels &epilogue, Value warpgroup) {
  for (const PanelStore &panel : stores)
    store(panel, epilogue, warpgroup);
}

void PanelWriter::waitForReads() {
  if (!stores.empty())
    builder.create<tile::WaitGroupOp>(loc, 0, /*read=*/true);
}

void PanelWriter::wait() {
  if (!stores.empty())
    builder.create<tile::WaitGroupOp>(loc, 0, /*read=*/false);
}

} // namespace tegula
