// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores of a product by TMA: which, and when that is safe. A consumer puts what it has into shared memory, panel by
// panel, and goes on. PanelWriter.h writes that code.
#pragma once

#include "transforms/products/Mainloop.h"

namespace tegula {

/// A store of what a consumer has of the product, in panels of 128 bytes of a row: by TMA, through shared memory.
struct PanelStore {
  static constexpr int64_t bytesOfRow = 128;
  static constexpr int64_t buffers = 2; ///< of each consumer, for panels that TMA is still storing
  tile::StoreOp store;
  mlir::BlockArgument array;
  int64_t rows, columns; ///< of a panel
  int64_t panels;
  /// The array has the rows of the product as its last dimension: panels are transposed on their way to shared memory.
  bool isTransposed;
  /// Only the end of its array cuts a sub-tile off, beyond which TMA does not write. Else full ones alone are copied.
  bool isCutByArray;
  EvenArguments even = {};

  /// Shared memory of all consumers' buffers.
  static constexpr int64_t stagingBytes(int64_t consumers, int64_t rows) {
    return consumers * buffers * rows * bytesOfRow;
  }
};
/// Of stores of one type: what the product makes, element by element. TMA stores in no order with others: nothing else
/// of the kernel stores to such an array, or loads from it afterwards.
llvm::SmallVector<PanelStore> findPanelStores(const Mainloop &mainloop);
/// Those of a kernel to whose arrays, as the host has found, TMA can copy.
llvm::SmallVector<PanelStore> findCopiedStores(tile::KernelOp kernel, const Mainloop &mainloop);

/// On an argument of a kernel: the host has found that TMA can copy to the array.
inline constexpr char canBeCopied[] = "tile.can_be_copied";
/// On an argument of a kernel, a bool: whether the host has found that for this call. Without one it always has.
inline constexpr char areCopied[] = "tile.are_copied";
/// Whether the kernel looks at such an argument before it copies to the array.
bool asksBefore(tile::KernelOp kernel, mlir::BlockArgument array);
/// At the builder's place, whether a store is one for TMA; null if it always is.
mlir::Value isCopied(mlir::OpBuilder &builder, tile::KernelOp kernel, const PanelStore &panel);

} // namespace tegula
