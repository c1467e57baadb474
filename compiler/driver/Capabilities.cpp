// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Capabilities.h"

#include "ir/TileDialect.h"

using namespace mlir;

namespace tegula::driver {

static std::string chipsWith(bool Target::*capability) {
  std::string names;
  for (const Target &target : knownTargets())
    if (target.*capability)
      names += (names.empty() ? "" : " or ") + std::string(target.name);
  return names;
}

std::optional<Missing> findMissing(ModuleOp module, const Target &target) {
  std::optional<Missing> missing;
  module.walk([&](Operation *op) {
    if (isa<tile::WgmmaOp>(op) && !target.hasWgmma)
      missing = {op, "wgmma", chipsWith(&Target::hasWgmma)};
    else if (auto launch = dyn_cast<tile::LaunchOp>(op); launch && launch.isExplicit() && !target.hasTma)
      missing = {op, "tg::kernel", chipsWith(&Target::hasTma)};
    return missing ? WalkResult::interrupt() : WalkResult::advance();
  });
  return missing;
}

} // namespace tegula::driver
