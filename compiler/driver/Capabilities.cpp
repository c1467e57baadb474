// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Capabilities.h"

#include "ir/TileDialect.h"

using namespace mlir;

namespace tegula::driver {

static std::string lacks(const Target &target, std::string_view what, bool (ArchClass::*has)() const) {
  std::string names;
  for (const Target &other : knownTargets())
    if ((other.archClass->*has)())
      names += (names.empty() ? "" : " or ") + std::string(other.name);
  return std::string(what) + " needs " + names + "; " + std::string(target.name) + " has none";
}

static bool isFor(tile::KernelOp kernel, const ArchClass &archClass) {
  std::optional<ArrayAttr> classes = kernel.getClasses();
  return !classes || llvm::is_contained(classes->getAsValueRange<StringAttr>(),
                                        StringRef(archClass.name.data(), archClass.name.size()));
}

std::optional<Missing> findMissing(ModuleOp module, const Target &target) {
  const ArchClass &archClass = *target.archClass;
  std::optional<Missing> missing;
  auto isReached = [&](Operation *op) {
    auto kernel = op->getParentOfType<tile::KernelOp>();
    return !kernel || isFor(kernel, archClass);
  };
  module.walk([&](Operation *op) {
    if (isa<tile::WgmmaOp>(op) && !archClass.hasWgmma() && isReached(op))
      missing = {op, lacks(target, "wgmma", &ArchClass::hasWgmma)};
    else if (auto launch = dyn_cast<tile::LaunchOp>(op); launch && launch.isExplicit() && !archClass.hasTma())
      missing = {op, lacks(target, "tg::kernel", &ArchClass::hasTma)};
    else if (auto kernel = dyn_cast<tile::KernelOp>(op);
             kernel && isFor(kernel, archClass) && kernel.getCluster().value_or(1) > 1 && !archClass.hasClusters())
      missing = {op, lacks(target, "a cluster of CTAs", &ArchClass::hasClusters)};
    else if (auto kernel = dyn_cast<tile::KernelOp>(op);
             kernel && isFor(kernel, archClass) && int64_t(kernel.getSharedBytes().value_or(0)) > archClass.sharedBytes)
      missing = {op, "a CTA of this kernel takes " + std::to_string(*kernel.getSharedBytes()) +
                         " bytes of shared memory, and can have " + std::to_string(archClass.sharedBytes) + " on " +
                         std::string(target.name)};
    return missing ? WalkResult::interrupt() : WalkResult::advance();
  });
  return missing;
}

} // namespace tegula::driver
