// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Capabilities.h"

#include "ir/TileDialect.h"

#include "llvm/ADT/TypeSwitch.h"

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

/// What an op of the explicit level that came with TMA is called; empty if it did not.
static StringRef nameWithTma(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](tile::TmaOpInterface) { return "a copy by TMA"; })
      .Case<tile::BulkLoadOp, tile::BulkStoreOp>([](auto) { return "a contiguous copy"; })
      .Case([](tile::AllocBarriersOp) { return "tg::barrier"; })
      .Case([](tile::FenceSharedOp) { return "tg::commit_smem"; })
      .Case([](tile::SetMaxRegistersOp) { return "tg::set_max_registers"; })
      .Default([](Operation *) { return StringRef(); });
}

/// What a thread of the explicit level does that a target has nothing for.
static std::optional<Missing> findMissing(tile::LaunchOp launch, const Target &target) {
  const ArchClass &archClass = *target.archClass;
  std::optional<Missing> missing;
  if (launch.getClusterSize() > 1 && !archClass.hasClusters())
    return Missing{launch, lacks(target, "a cluster of CTAs", &ArchClass::hasClusters)};
  launch.getBody().walk([&](Operation *op) {
    if (StringRef name = nameWithTma(op); !name.empty() && !archClass.hasTma())
      missing = {op, lacks(target, {name.data(), name.size()}, &ArchClass::hasTma)};
    else if (isa<tile::CpAsyncOp>(op) && !archClass.hasCpAsync())
      missing = {op, lacks(target, "tg::cp_async", &ArchClass::hasCpAsync)};
    else if (op->hasAttr(tile::isByMma) && archClass.hasShortMma())
      missing = {op, lacks(target, "tg::mma", &ArchClass::hasCpAsync)}; // Which came with sm_80, too.
    return missing ? WalkResult::interrupt() : WalkResult::advance();
  });
  return missing;
}

std::optional<Missing> findMissing(ModuleOp module, const Target &target) {
  const ArchClass &archClass = *target.archClass;
  std::optional<Missing> missing;
  auto isReached = [&](Operation *op) {
    auto kernel = op->getParentOfType<tile::KernelOp>();
    return !kernel || isFor(kernel, archClass);
  };
  module.walk([&](Operation *op) {
    if (isa<tile::WgmmaOp, tile::WgmmaWaitOp>(op) && !archClass.hasWgmma() && isReached(op))
      missing = {op, lacks(target, "wgmma", &ArchClass::hasWgmma)};
    else if (auto launch = dyn_cast<tile::LaunchOp>(op); launch && launch.isExplicit())
      missing = findMissing(launch, target);
    else if (auto kernel = dyn_cast<tile::KernelOp>(op);
             kernel && isFor(kernel, archClass) && kernel.getCluster().value_or(1) > 1 && !archClass.hasClusters())
      missing = {op, lacks(target, "a cluster of CTAs", &ArchClass::hasClusters)};
    else if (auto kernel = dyn_cast<tile::KernelOp>(op);
             kernel && isFor(kernel, archClass) && int64_t(kernel.getSharedBytes().value_or(0)) > archClass.sharedBytes)
      missing = {op, "a CTA of this kernel needs " + std::to_string(*kernel.getSharedBytes()) +
                         " bytes of shared memory, but can have at most " + std::to_string(archClass.sharedBytes) +
                         " on " + std::string(target.name)};
    return missing ? WalkResult::interrupt() : WalkResult::advance();
  });
  return missing;
}

} // namespace tegula::driver
