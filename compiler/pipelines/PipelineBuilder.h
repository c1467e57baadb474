// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of a pipeline, over IR values: copies into the stages of its rings (Ring.h), waits, the body, copies of
// what it made. The steps of a pipeline are the points of a grid, the last axis fastest.
#pragma once

#include "pipelines/RingAccess.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace tegula {

/// What a pipeline iterates over.
struct PipelineGrid {
  llvm::SmallVector<mlir::Value> sizes;
  /// Their product, and its value where it is known.
  mlir::Value numSteps;
  std::optional<int64_t> knownSteps;
};

/// A ring of a pipeline, and how the pipeline uses it.
struct PipelineRing {
  const Ring *ring = nullptr;
  /// Which of the pipeline's operands it has, in its order.
  llvm::SmallVector<unsigned> operands;
  /// For how many steps more a stage's inputs stay.
  int64_t delay = 0;
  /// Its blocks are the same in all steps: they are copied once.
  bool isOnce = false;
  /// The pipeline waits for the copies, and releases the stage; else the body does.
  bool waits = true, releases = true;

  /// A ring that has all operands.
  static PipelineRing ofAll(const Ring &ring, int64_t delay);
};

using PipelineWindow = llvm::function_ref<mlir::Value(unsigned operand, llvm::ArrayRef<mlir::Value> point)>;

/// What a pipeline does in its steps, said by whoever builds it.
struct PipelineBody {
  /// The window of an operand in its array at a point of the grid. Null if there is none, after an error.
  PipelineWindow window;
  /// The work of a step, on one block of shared memory per operand.
  llvm::function_ref<void(llvm::ArrayRef<mlir::Value> point, llvm::ArrayRef<mlir::Value> blocks)> run;
  /// Waits until no tensor-core product reads a stage any more.
  llvm::function_ref<void()> drain;
  /// Called for an output whose block is the same in steps between which its stage has another one.
  llvm::function_ref<void(unsigned operand, size_t axis)> refuseStaying;
  /// Where several threads compute: they synchronize. The first of them copies what all stored.
  llvm::function_ref<void()> meet = nullptr;
  /// Called for an output whose block differs among the threads that compute.
  llvm::function_ref<void(unsigned operand)> refuseThread = nullptr;
  /// Told where the barriers of a block are, before the body runs.
  llvm::function_ref<void(mlir::Value block, const PipelineRing &ring, mlir::Value stage)> announce = nullptr;
  /// Where `turns` threads that compute take steps in turn: this thread's first step, below `turns`, a power of two
  /// that divides the stages of all rings. It alone waits for the stages of its steps, and releases them; inputs do not
  /// stay longer, and nothing is sent.
  mlir::Value firstStep = nullptr;
  int64_t turns = 1;
};

/// Which of the operands have the same window at all points of the grid.
llvm::SmallVector<bool> findConstantWindows(mlir::OpBuilder &builder, mlir::Location loc, const PipelineGrid &grid,
                                            unsigned numOperands, PipelineWindow window);

class PipelineBuilder : private LoopEmitter {
public:
  PipelineBuilder(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<PipelineRing> rings,
                  const PipelineGrid &grid, const PipelineBody &body);

  /// One thread copies and computes.
  void buildAlone();
  /// The producer: the thread that copies.
  void buildProducer();
  /// A consumer: a thread that computes.
  void buildConsumer();

private:
  /// The point of the grid that belongs to a step, counted up: no division.
  class Odometer {
  public:
    explicit Odometer(PipelineBuilder &pipeline);
    llvm::SmallVector<mlir::Value> point(mlir::Value step);
    /// The point of the next step.
    llvm::SmallVector<mlir::Value> following(mlir::Value step);
    void advance();

  private:
    PipelineBuilder &pipeline;
    /// A variable per axis; none with one axis, whose index is the step.
    llvm::SmallVector<mlir::Value> counters;
  };

  struct Lane {
    const PipelineRing &what;
    RingAccess access;
    /// Of the step that is being built.
    mlir::Value stage;

    int64_t depth() const { return access.ring.depth; }
    bool hasInputs() const { return static_cast<bool>(access.ring.full); }
    /// Whether a block is copied for every step.
    bool isFed() const { return hasInputs() && !what.isOnce; }
    bool isFedOnce() const { return hasInputs() && what.isOnce; }
  };
  /// An operand in its ring.
  struct Member {
    Lane *lane = nullptr;
    unsigned number = 0;
    const RingOperand &operand() const { return lane->access.ring.operands[number]; }
    bool isOutput() const { return operand().access != tile::Access::In; }
  };
  /// What becomes of an output after a step.
  struct Sent {
    mlir::Value block, window, ends;
    Member member;
  };

  mlir::Value variable(mlir::Value init);
  mlir::scf::ForOp loop(mlir::Value count, llvm::function_ref<void(mlir::Value)> inside);
  void when(mlir::Value condition, llvm::function_ref<void()> inside);
  mlir::Value bothOf(mlir::Value a, mlir::Value b);
  /// Null if there is a step for certain.
  mlir::Value hasSteps();

  bool hasOutputs() const {
    return llvm::any_of(members, [](const Member &member) { return member.isOutput(); });
  }
  /// The fewest stages of an output.
  int64_t outputDepth() const;
  int64_t longestDelay() const;

  void copyBlocks(Lane &lane, llvm::ArrayRef<mlir::Value> point, mlir::Value stage);
  /// The blocks that are copied once: `fill` copies them, and the others wait for them in front of the loop, and
  /// release them behind it.
  void copyOnce(bool waitsForRelease);
  void waitOnce();
  void endOnce(bool releases);

  std::optional<size_t> stays(mlir::Value window, llvm::ArrayRef<mlir::Value> point, bool &isLast);
  void copyOut(Odometer &odometer, mlir::Value step, llvm::ArrayRef<mlir::Value> blocks);
  void keepStage(const Sent &sent);
  /// Waits for the stages' copies, runs the body, and begins what it sends.
  void step(Odometer &odometer, mlir::Value step);
  void advanceAll();
  /// Goes on by some steps, or back; by none if it is null.
  void moveAll(mlir::Value steps);
  void waitForSent(int64_t pending, bool read);

  const PipelineGrid &grid;
  const PipelineBody &body;
  llvm::SmallVector<Lane, 2> lanes;
  llvm::SmallVector<Member> members;
  /// The loop over the steps.
  mlir::Operation *around = nullptr;
  /// Whether this thread copies what all stored; null if it is alone.
  mlir::Value isSender;
};

} // namespace tegula
