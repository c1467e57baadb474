// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/WidenLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tegula {

static void widen(scf::ForOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Type wide = builder.getI64Type(), narrow = loop.getInductionVar().getType();
  auto extended = [&](Value number) { return builder.createOrFold<arith::ExtSIOp>(loc, wide, number); };
  auto made = builder.create<scf::ForOp>(loc, extended(loop.getLowerBound()), extended(loop.getUpperBound()),
                                         extended(loop.getStep()), loop.getInitArgs());
  if (!made.getBody()->empty())
    made.getBody()->getTerminator()->erase();
  builder.setInsertionPointToStart(made.getBody());
  Value number = builder.create<arith::TruncIOp>(loc, narrow, made.getInductionVar());
  for (Operation *user : llvm::make_early_inc_range(loop.getInductionVar().getUsers()))
    if (auto extension = dyn_cast<arith::ExtSIOp>(user); extension && extension.getType() == wide)
      extension.replaceAllUsesWith(made.getInductionVar());
  SmallVector<Value> arguments{number};
  llvm::append_range(arguments, made.getRegionIterArgs());
  for (auto [from, to] : llvm::zip_equal(loop.getBody()->getArguments(), arguments))
    from.replaceAllUsesWith(to);
  made.getBody()->getOperations().splice(made.getBody()->end(), loop.getBody()->getOperations());
  loop.replaceAllUsesWith(made.getResults());
  loop.erase();
}

void widenProductLoops(tile::KernelOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    auto dots = loop.getBody()->getOps<tile::DotOp>();
    if (dots.begin() != dots.end() && !loop.getInductionVar().getType().isInteger(64))
      loops.push_back(loop);
  });
  llvm::for_each(loops, widen);
}

} // namespace tegula
