// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has consumers store their part of a product by TMA (PanelStores.h).
#pragma once

#include "transforms/products/EpiloguePanels.h"
#include "transforms/products/PanelStores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tegula {

class PanelWriter {
public:
  PanelWriter(mlir::OpBuilder &builder, tile::KernelOp kernel, const Mainloop &mainloop)
      : builder(builder), loc(mlir::scf::ForOp(mainloop.loop).getLoc()), kernel(kernel), mainloop(mainloop) {}

  /// Finds the stores, and allocates the shared memory that TMA copies from.
  void allocate();
  /// Replaces the stores, where they stand. `warpgroup` is this consumer's number in the CTA.
  void store(EpiloguePanels &epilogue, mlir::Value warpgroup);
  /// Waits until TMA has read all panels of this consumer.
  void waitForReads();
  /// Waits until all panels are in their arrays.
  void wait();

private:
  mlir::Value bufferOf(const PanelStore &panel, int64_t index, mlir::Value warpgroup);
  void store(const PanelStore &panel, EpiloguePanels &epilogue, mlir::Value warpgroup);
  mlir::Value constant(int64_t value) {
    return builder.create<mlir::arith::ConstantOp>(loc, builder.getI64IntegerAttr(value));
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  tile::KernelOp kernel;
  const Mainloop &mainloop;
  llvm::SmallVector<PanelStore> stores;
  bool areEven = true; ///< each store is of a multiple of the buffers
  mlir::Value staging; ///< [consumers, buffers, rows, bytes of a row]
};

} // namespace tegula
