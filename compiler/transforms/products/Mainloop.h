// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop of a kernel that sums matrix products, as splitting writes it:
//   for sub-tile:                                      a CTA does one after the other
//     for k: acc = dot load a[m, k], load b[k, n] acc acc
//     store acc
// A program's own loop over k and a product of whole rows are one form. Several products, each of a sum or several of
// one, may share factors. On tensor cores, a warpgroup of its own copies what is loaded here into shared memory, ahead
// of those that multiply.
#pragma once

#include "ir/TileDialect.h"
#include "ir/Wgmma.h"
#include "transforms/products/TmaWindows.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// What products read of an array, in each iteration of the loop: a factor, what one is computed of, or a number for
/// each row of that.
struct Factor {
  tile::LoadOp load;
  /// It has the rows of the products, and a thread group some of them; else the columns, all of them.
  bool isLeft;
  mlir::BlockArgument array;
  /// Where the window begins in each dimension of the array: a sum.
  llvm::SmallVector<llvm::SmallVector<mlir::Value, 2>> offsets;
  /// The elements of the window in each dimension of the array; 0 where one element is taken, and the dimension with
  /// it.
  llvm::SmallVector<int64_t> extents;
  /// The dimension of the array that the rows or the columns follow.
  unsigned side = 0;
  /// The product takes the array's dimensions in the other order.
  bool isTransposed = false;
  EvenArguments even = {};
  /// Whether its windows begin, if `even` are, at multiples of 16 bytes of rows whose elements are neighbours. Others
  /// are for mma.sync alone, through registers.
  bool isAligned = true;
  /// The same in all steps: it stands in front of the loop that sums.
  bool isFixed = false;
  /// What is outside the array is 0, also where results of it are stored.
  bool isFilled = false;
  /// Arguments that are multiples of 16 bytes, too, where windows of rows that are such end at them. None if one may
  /// end elsewhere.
  std::optional<EvenArguments> evenEnds = EvenArguments();
};

/// On an argument of a kernel for mma.sync, a factor: the host has found that cp.async can copy its windows.
inline constexpr char isCopiedAsync[] = "tile.is_copied_async";
/// And that their rows are multiples of 16 bytes.
inline constexpr char hasEvenRows[] = "tile.has_even_rows";

/// Of factors by their numbers. What the loop carries at `sum` grows by it, unless the loop combines products. A factor
/// may be computed in each step, by the consumers, from what is loaded.
struct Product {
  tile::DotOp dot;
  unsigned a, b, sum;
  static constexpr unsigned computed = ~0U;
  bool isComputed(bool isLeft) const { return (isLeft ? a : b) == computed; }
};

/// A factor that consumers compute and store to shared memory, from where tensor cores take it: a left one each the
/// rows that it has, a right one together.
struct StagedFactor {
  mlir::Value tile;
  bool isLeft;
  /// It is stored with its dimensions in the other order.
  bool isTransposed;
};

struct Mainloop {
  /// The loop over sub-tiles, and in it the one that sums.
  mlir::scf::ForOp work, loop;
  llvm::SmallVector<Factor, 2> factors;
  /// In the program's order. All have the same shape.
  llvm::SmallVector<Product, 1> products;
  /// The tiles that are factors, and those that computed ones are made of; several may be one factor.
  llvm::SmallDenseMap<mlir::Value, unsigned> tiles;
  /// With wgmma, the computed ones that it does not take from registers.
  llvm::SmallVector<StagedFactor, 1> staged;
  /// The products of a step are sums of their own, from zero, of which consumers compute what the loop carries: scaled
  /// sums, for one.
  bool combines = false;

  /// Above 0, products are chained: the first so many are of fixed left factors and have sums of their own, from zero.
  /// Of these consumers compute the left factors of the others, which they add to what they make of what the loop
  /// carries at `sum`; what else it carries is computed on the way. Attention is such a loop.
  unsigned numFirst = 0;
  bool isChain() const { return numFirst > 0; }

  /// What consumers compute beside the products, in the loop's order, where it combines them.
  llvm::SetVector<mlir::Operation *> combination() const;
  /// The accumulators that consumers have at a time.
  int64_t numAccumulators() const;
  const StagedFactor *findStaged(mlir::Value tile) const;
};

/// What a stage of the ring takes of shared memory: the factors of a step, for so many consumers.
int64_t bytesOfStage(const Mainloop &mainloop, int64_t consumers);
/// What factors take that are the same in all steps.
int64_t bytesOfFixed(const Mainloop &mainloop, int64_t consumers);
/// How many steps the loop takes, at the builder's place: 0 if it does not run.
mlir::Value makeNumSteps(mlir::OpBuilder &builder, mlir::scf::ForOp loop);
/// The loop's variable in the step of this number; `here` is what a value is at the builder's place.
mlir::Value makeIndex(mlir::OpBuilder &builder, mlir::scf::ForOp loop, mlir::Value number,
                      llvm::function_ref<mlir::Value(mlir::Value)> here);
/// What a kernel's reductions, if it has any outside of a loop, exchange through shared memory: the ring does without
/// it.
int64_t sharedForReductions(tile::KernelOp kernel, mlir::scf::ForOp except = {});
/// What is left for a ring that TMA fills, beside its barriers, reductions, and the staging of what is stored.
int64_t roomForRing(tile::KernelOp kernel, int64_t sharedBytes, int64_t stagingBytes);
/// The same beside the fixed factors of a chain, in whose place its results are staged. Its loop reduces rows, which no
/// two warps share.
int64_t roomForChain(const Mainloop &mainloop, int64_t consumers, int64_t sharedBytes);
inline constexpr int64_t leastStagesOfChain = 2;

/// Which CTA or cluster of the launch, and which thread group of it, a kernel for consumers finds itself to be.
/// `member` is null if there is one alone.
struct Position {
  mlir::Value block, member;
};
Position positionIn(tile::KernelOp kernel);

/// What tensor cores multiply, by mma.sync or by wgmma; none if they do not. They read f32 as tf32, which is for
/// products that say so.
std::optional<WgmmaTypes> tensorTypesOf(tile::DotOp dot, bool mmaSync);

/// Whether a kernel stores to an array.
bool storesTo(tile::KernelOp kernel, mlir::Value array);

} // namespace tegula
