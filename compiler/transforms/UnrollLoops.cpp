// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short loops over neighbours, such as those of a stencil, become their steps: windows then begin at constants, so that
// steps load what others load, too, once.
#include "ir/TileDialect.h"
#include "transforms/Passes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILEUNROLLLOOPS
#include "transforms/Passes.h.inc"

namespace {
/// Of a loop, and of all its steps together: longer code takes longer to compile than it saves.
constexpr int64_t mostSteps = 8, mostOps = 768;

std::optional<int64_t> stepsOf(scf::ForOp loop) {
  std::optional<int64_t> steps = constantTripCount(loop.getLowerBound(), loop.getUpperBound(), loop.getStep());
  return steps && *steps > 0 && *steps <= mostSteps ? steps : std::nullopt;
}

/// A loop that loads, and computes element by element: what is summed along its steps otherwise, or stored in them, is
/// cut by loops of its own.
bool isOverNeighbours(scf::ForOp loop, int64_t steps) {
  int64_t ops = 0;
  bool loads = false, isPlain = true;
  loop.getBody()->walk([&](Operation *op) {
    ++ops;
    auto load = dyn_cast<tile::LoadOp>(op);
    loads |= load && load.getType().getRank() > 0;
    isPlain &= !isa<tile::RootOpInterface, scf::WhileOp, tile::DebugPrintOp>(op) && !tile::isContraction(op);
  });
  return loads && isPlain && ops * steps <= mostOps;
}

/// MLIR's own loopUnrollByFactor takes counters of `index` alone.
void unroll(scf::ForOp loop, int64_t steps) {
  OpBuilder builder(loop);
  int64_t first = *getConstantIntValue(loop.getLowerBound()), by = *getConstantIntValue(loop.getStep());
  SmallVector<Value> carried(loop.getInitArgs());
  for (int64_t step = 0; step < steps; ++step) {
    IRMapping mapping;
    Type type = loop.getInductionVar().getType();
    mapping.map(loop.getInductionVar(),
                builder.create<arith::ConstantOp>(loop.getLoc(), builder.getIntegerAttr(type, first + step * by)));
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, mapping);
    carried = llvm::map_to_vector(loop.getYieldedValues(), [&](Value value) { return mapping.lookupOrDefault(value); });
  }
  loop.replaceAllUsesWith(carried);
  loop.erase();
}

struct UnrollLoops : impl::TileUnrollLoopsBase<UnrollLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops; // Inner ones first.
    getOperation().walk([&](tile::LaunchOp launch) {
      if (!launch.isExplicit())
        launch.getBody().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    });
    for (scf::ForOp loop : loops)
      if (std::optional<int64_t> steps = stepsOf(loop); steps && isOverNeighbours(loop, *steps))
        unroll(loop, *steps);
  }
};
} // namespace
} // namespace tegula
