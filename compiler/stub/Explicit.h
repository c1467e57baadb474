// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the body of a launch of the explicit level: the program of one thread, `self`, in calls of
// tegula/cpu/explicit.h.
#pragma once

#include "stub/Program.h"

namespace tegula::stub {

class ExplicitPrinter : public ProgramPrinter {
public:
  /// `grid` names the sizes of the grid.
  ExplicitPrinter(Writer &out, Names &names, SourceFiles &files, tile::LaunchOp launch,
                  llvm::ArrayRef<std::string> grid);

  /// `cpu::launch{"multiply", {grid_0}, 2}.run([&](cpu::thread &self) { ... });`
  void print();

private:
  std::optional<Expr> leaf(mlir::Operation *op) override;
  void printStatement(mlir::Operation *op) override;
  /// Each prints the ops of one family; false if this is none of them.
  bool printMemory(mlir::Operation *op);
  bool printCopies(mlir::Operation *op);
  bool printBarriers(mlir::Operation *op);
  bool printProducts(mlir::Operation *op);
  void printMaskedStore(tile::StoreOp op);
  Expr elementOfUpdate(tile::AtomicOp op, llvm::ArrayRef<Expr> index, llvm::ArrayRef<Expr> values) override;
  Expr elementAt(mlir::Operation *op, llvm::StringRef member, mlir::Value ref, llvm::ArrayRef<Expr> index);
  bool isSilent(mlir::Operation *op) override;
  bool isUnused(mlir::Value result) override;
  void declareCarried(const std::string &name, mlir::Value variable, mlir::Value init) override;
  Expr carried(mlir::Value value, mlir::Value target) override;

  /// `self.member(site, arguments...)`.
  Expr onSelf(mlir::Operation *op, llvm::StringRef member, std::vector<Expr> arguments);
  void printOnSelf(mlir::Operation *op, llvm::StringRef member, std::vector<Expr> arguments);
  /// `const auto name = value;`, the name of an op's result from then on.
  void declare(mlir::Value result, const std::string &name, const Expr &value);

  // ---- Memory
  Expr placeOf(mlir::Value ref);
  std::string nameFor(mlir::Operation *op, const Expr &source, llvm::StringRef suffix);
  /// `const auto name = self.read(site, place);`
  std::string access(mlir::Operation *op, llvm::StringRef member, mlir::Value ref);
  void printSliceOf(tile::SliceOp op);
  void printAlloc(tile::AllocOp op);
  Expr memberOfUnion(tile::AllocOp op);
  void printFree(tile::FreeOp op);
  int64_t sharedBytes();
  void printAllocBarriers(tile::AllocBarriersOp op);
  void printCopy(tile::CopyToSharedOp op);
  void printAllocNamedBarriers(tile::AllocNamedBarriersOp op);
  template <class Copy> void printLoad(Copy op, llvm::StringRef member, llvm::ArrayRef<Expr> more);
  template <class Copy> void printStoreBy(Copy op, llvm::StringRef member, bool isInside = false);
  void printCopy(tile::CpAsyncOp op);
  void printView(mlir::Operation *op, const Expr &function, llvm::ArrayRef<Expr> more);
  void printClusterRef(tile::ClusterRefOp op);
  void printAsyncStore(tile::AsyncStoreOp op);
  void printWarpMap(tile::WarpMapOp op);
  /// A tile in memory: a variable of its own, if it is in none.
  Expr inMemory(mlir::Value value, llvm::StringRef name);

  // ---- Accumulators: values of the type cpu::accumulator
  void findAccumulators();
  void declareAccumulator(const std::string &name, mlir::Value value);
  /// A variable with the value of an accumulator, for a product to change.
  std::string accumulatorFor(tile::WgmmaOp op);
  void printProduct(tile::WgmmaOp op);

  tile::LaunchOp launch;
  llvm::SmallVector<std::string> grid;
  /// Of the thread, or in the body of a tile.warp_map of the warp.
  std::string self;
  /// The place of the update that is being printed.
  std::string updated;
  llvm::DenseSet<mlir::Value> accumulators;
  llvm::DenseMap<mlir::Operation *, int64_t> allocations;
  int64_t allocationCount = 0;
  /// Of each union of shared memory: how many bytes it has, and where each member begins in it.
  struct Union {
    int64_t bytes = 0;
    llvm::DenseMap<mlir::Operation *, int64_t> offsets;
    /// The number of its allocation, and what its memory is called where it is in scope.
    int64_t number = -1;
    mlir::Block *scope = nullptr;
    std::string name;
  };
  llvm::DenseMap<int64_t, Union> unions;
  void findUnions();
  unsigned barrierAllocations = 0;
};

} // namespace tegula::stub
