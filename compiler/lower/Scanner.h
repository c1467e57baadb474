// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering of one scan: within a thread group (Scans.cpp), and with what thread groups before it tell
// (LookBack.cpp).
#pragma once

#include "lower/KernelLowering.h"

namespace tegula::lower {

/// A bit of the thread number in which threads differ along the axis, and of the coordinate.
struct ThreadBit {
  int64_t thread, coordinate;
  bool isLane() const { return thread < lanesOfWarp; }
};

/// What the scan is made of: blocks of elements that this thread has some of.
class KernelLowering::Scanner {
public:
  Scanner(KernelLowering &lowering, tile::ScanOp op)
      : lowering(lowering), op(op), registers(lowering.registersOf(op.getSource().getType())), axis(op.getScannedDim()),
        isReversed(op.getReverse()), b(lowering.scalars(op)) {}

  mlir::LogicalResult run();

private:
  struct Block {
    int64_t along;
    layout::Coordinate row;
    /// What its elements come to, of all threads so far.
    Tuple total;
    /// The register of an element; or the blocks of this one.
    int64_t reg = -1;
    llvm::SmallVector<Block *> parts;
    /// What is before it in the next larger block; of the same registers in other threads, and in others.
    Tuple before, beforeInThreads;
  };

  mlir::FailureOr<Tuple> combine(const Tuple &first, const Tuple &second);
  /// Nothing before `second`: it stays.
  mlir::FailureOr<Tuple> behind(const Tuple &first, const Tuple &second) {
    return first.empty()    ? mlir::FailureOr<Tuple>(second)
           : second.empty() ? mlir::FailureOr<Tuple>(first)
                            : combine(first, second);
  }
  Tuple identity();
  Tuple select(Value condition, const Tuple &yes, const Tuple &no);
  mlir::LogicalResult joinRegisters(int64_t size);
  mlir::LogicalResult joinLanes(llvm::ArrayRef<ThreadBit> run);
  mlir::LogicalResult joinWarps(llvm::ArrayRef<ThreadBit> run);
  mlir::LogicalResult joinBefore(Block &block);
  Value unknownZero(mlir::Type type);
  mlir::LogicalResult finish(Block &block, Tuple before, std::vector<Tuple> &elements);
  Tuple elementAt(int64_t reg);
  void unpackSources();
  Tuple initOf(const layout::Coordinate &row);

  // LookBack.cpp
  struct State;
  mlir::FailureOr<Tuple> lookBack(const Tuple &total);
  State describe(const Tuple &total);
  mlir::FailureOr<Tuple> combineWarpsInOrder(const Tuple &own);
  void storeScalar(Value value, Value place);
  Value loadScalar(mlir::Type type, Value place);
  mlir::FailureOr<Tuple> combineInOrder(Tuple tuple);
  struct Asked {
    Value isWanted;
    llvm::SmallVector<Value> addresses, words;
  };
  llvm::SmallVector<Asked> askBefore(const State &state, Value number);
  Asked askAbove(const State &state, Value group, Value line);
  mlir::FailureOr<Tuple> combineAsked(const State &state, llvm::ArrayRef<Asked> asked);
  Asked ask(const State &state, int64_t level, Value number, Value isWanted);
  Value waitForWord(Value word, Value address, Value isWanted);
  Tuple receive(const State &state, const Asked &asked);
  void tell(const State &state, int64_t level, Value number, const Tuple &tuple, Value condition);

  KernelLowering &lowering;
  tile::ScanOp op;
  const TileRegisters &registers;
  int64_t axis;
  bool isReversed;
  ScalarBuilder b;
  /// Of sources that are kept in a narrower type while thread groups wait: their registers, once they go on.
  llvm::SmallVector<Registers> packed;
  std::vector<std::unique_ptr<Block>> storage;
  llvm::SmallVector<Block *> blocks;
};

} // namespace tegula::lower
