// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Pipeline.h"

#include "checks/Passes.h"
#include "lower/Passes.h"
#include "transforms/Passes.h"

#include "mlir/Transforms/Passes.h"

namespace tegula::driver {

void addTilePasses(mlir::OpPassManager &passes) {
  passes.addPass(createTileCheckTables());
  passes.addPass(createTilePromoteVariables());
  passes.addPass(createTileUpliftLoops());
  passes.addPass(createTileSinkTakes());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  passes.addPass(createTileSinkLastStep());
  passes.addPass(createTileCheckThreads());
  passes.addPass(createTileCheckPacked());
  passes.addPass(createTileCheckExtents());
  passes.addPass(createTileCheckOutputs());
  passes.addPass(createTileCheckOverwrites());
  passes.addPass(createTileCheckReads());
  passes.addPass(createTileCheckCoverage());
  passes.addPass(mlir::createCanonicalizerPass());
}

void addReadPasses(mlir::OpPassManager &passes) { passes.addPass(createTileCheckThreads()); }

/// Of the targets that have the explicit level, the one whose CTAs have the most shared memory, or the least; null
/// without any.
static const Target *withMostShared(llvm::ArrayRef<const Target *> targets, bool most) {
  const Target *found = nullptr;
  for (const Target *target : targets)
    if (target->archClass->hasTma() &&
        (!found || (target->archClass->sharedBytes > found->archClass->sharedBytes) == most))
      found = target;
  return found;
}

void addSplitPasses(mlir::OpPassManager &passes, llvm::ArrayRef<const Target *> targets, bool remarks,
                    llvm::ArrayRef<std::string> variants) {
  TileSplitOptions split;
  split.remarks = remarks;
  split.variants = variants;
  std::vector<std::string> classes;
  for (const ArchClass &archClass : knownClasses())
    if (llvm::any_of(targets, [&](const Target *target) { return target->archClass == &archClass; }))
      classes.emplace_back(archClass.name);
  split.classes = classes;
  passes.addPass(createTileSinkTakes()); // Of modules that were written by hand.
  passes.addPass(createTileUnrollLoops());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  passes.addPass(createTileSplit(split));
}

void addExpandPasses(mlir::OpPassManager &passes) {
  passes.addPass(createTileSpecializeProducts());
  passes.addPass(createTilePromoteVariables());
  passes.addPass(createTileOutline());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
}

void addSharedPasses(mlir::OpPassManager &passes, llvm::ArrayRef<const Target *> targets) {
  TileAssignSharedOptions shared;
  if (const Target *largest = withMostShared(targets, true)) // Who has less is told so by name (findMissing).
    shared.arch = largest->name;
  passes.addPass(createTileAssignShared(shared));
  passes.addPass(createTileSpecializeThreads());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(createTileTensorMaps());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  passes.addPass(createTileSinkEpilogue());
  passes.addPass(createTileStartProducts());
}

void addLayoutPasses(mlir::OpPassManager &passes) {
  passes.addPass(createTileMergeReductions());
  passes.addPass(createTileRecompute());
  passes.addPass(createTileMaskExtents());
  passes.addPass(createTileAssignLayouts());
  passes.addPass(createTileDelayLaneSums());
  passes.addPass(createTileSkipScales());
  passes.addPass(createTileOrderAccesses());
}

void addLoweringPasses(mlir::OpPassManager &passes, llvm::ArrayRef<const Target *> targets) {
  TileLowerToLlvmOptions options;
  if (const Target *smallest = withMostShared(targets, false))
    options.arch = smallest->name;
  passes.addPass(createTileLowerToLlvm(options));
}

std::vector<std::string> passNames() {
  mlir::OpPassManager passes;
  addTilePasses(passes);
  addSplitPasses(passes);
  addExpandPasses(passes);
  addSharedPasses(passes);
  addLayoutPasses(passes);
  addLoweringPasses(passes);
  std::vector<std::string> names;
  for (mlir::Pass &pass : passes.getPasses())
    if (std::string name = pass.getArgument().str(); !llvm::is_contained(names, name))
      names.push_back(name);
  return names;
}

} // namespace tegula::driver
