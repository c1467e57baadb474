// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Pipeline.h"

#include "lower/Passes.h"
#include "transforms/Passes.h"

#include "mlir/Transforms/Passes.h"

namespace tegula::driver {

void addTilePasses(mlir::OpPassManager &passes) {
  passes.addPass(createTilePromoteSlots());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  passes.addPass(createTileCheckExtents());
  passes.addPass(createTileCheckCoverage());
  passes.addPass(mlir::createCanonicalizerPass());
}

void addSplitPasses(mlir::OpPassManager &passes) {
  passes.addPass(createTileSplit());
  passes.addPass(createTileOutline());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  passes.addPass(createTileSpecializeThreads());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(createTileAssignShared());
  passes.addPass(createTileTensorMaps());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  passes.addPass(createTileHideBehindProducts());
}

void addLayoutPasses(mlir::OpPassManager &passes) { passes.addPass(createTileAssignLayouts()); }

void addLoweringPasses(mlir::OpPassManager &passes) { passes.addPass(createTileLowerToLlvm()); }

} // namespace tegula::driver
