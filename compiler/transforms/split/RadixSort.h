// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launches of a radix sort (ir/RadixSort.h), of rows that lie in arrays one behind the other.
#pragma once

#include "ir/TileDialect.h"

#include "llvm/ADT/StringMap.h"

namespace tegula::split {

class RadixSort {
public:
  struct Rows {
    mlir::Value count, length;
  };

  /// The sort of this number in a launch, by one key, with at most one other tile.
  RadixSort(tile::LaunchOp launch, tile::SortOp sort, size_t number)
      : launch(launch), sort(sort), number(std::to_string(number)), loc(launch.getLoc()) {}

  /// Whether this source of the sort is the places along the axis, which need no memory.
  bool isPlaces(mlir::Value source);
  int64_t passes();

  /// Writes the launches at the builder's place. `from` and `to` have an array of one dimension for each source and
  /// each result, or null for places and for what is not wanted. The last pass writes to `to`, every other one before
  /// it, too; those between write to arrays of their own.
  void write(mlir::OpBuilder &builder, const Rows &rows, mlir::ValueRange from, mlir::ValueRange to);

private:
  mlir::Type elementOf(unsigned source) { return mlir::getElementTypeOrSelf(sort.getSources()[source].getType()); }
  int64_t bytesOfWidest(bool carries);
  tile::KernelOp kernelOf(llvm::StringRef suffix, mlir::ValueRange arguments,
                          llvm::function_ref<void(mlir::OpBuilder &, mlir::ValueRange)> body);
  void count(mlir::OpBuilder &builder, const Rows &rows, mlir::Value keys, mlir::Value state);
  void move(mlir::OpBuilder &builder, const Rows &rows, mlir::ValueRange from, mlir::ValueRange to, mlir::Value state,
            int64_t pass);

  tile::LaunchOp launch;
  tile::SortOp sort;
  std::string number;
  mlir::Location loc;
  /// By what they are called behind the launch. Each is made when it is first wanted.
  llvm::StringMap<tile::KernelOp> kernels;
};

} // namespace tegula::split
