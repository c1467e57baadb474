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
  passes.addPass(createTileCheckThreads());
  passes.addPass(createTileCheckExtents());
  passes.addPass(createTileCheckOutputs());
  passes.addPass(createTileCheckOverwrites());
  passes.addPass(createTileCheckCoverage());
  passes.addPass(mlir::createCanonicalizerPass());
}

void addSplitPasses(mlir::OpPassManager &passes, llvm::ArrayRef<const Target *> targets, bool remarks,
                    llvm::ArrayRef<std::string> variants) {
  TileSplitOptions split;
  split.remarks = remarks;
  split.variants = variants;
  TileAssignSharedOptions shared;
  const Target *smallest = nullptr;
  for (const Target *target : targets)
    if (target->hasTma && (!smallest || target->sharedKib < smallest->sharedKib))
      smallest = target;
  if (smallest)
    shared.arch = smallest->name;
  split.clusters = smallest != nullptr;

  passes.addPass(createTileSplit(split));
  passes.addPass(createTileOutline());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  passes.addPass(createTileAssignShared(shared));
  passes.addPass(createTileSpecializeThreads());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(createTileTensorMaps());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  passes.addPass(createTileHideBehindProducts());
  passes.addPass(createTileStartProducts());
}

void addLayoutPasses(mlir::OpPassManager &passes) {
  passes.addPass(createTileAssignLayouts());
  passes.addPass(createTileOrderAccesses());
}

void addLoweringPasses(mlir::OpPassManager &passes) { passes.addPass(createTileLowerToLlvm()); }

std::vector<std::string> passNames() {
  mlir::OpPassManager passes;
  addTilePasses(passes);
  addSplitPasses(passes);
  addLayoutPasses(passes);
  addLoweringPasses(passes);
  std::vector<std::string> names;
  for (mlir::Pass &pass : passes.getPasses())
    if (std::string name = pass.getArgument().str(); !llvm::is_contained(names, name))
      names.push_back(name);
  return names;
}

} // namespace tegula::driver
