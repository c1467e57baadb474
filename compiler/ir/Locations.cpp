// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Locations.h"

#include "ir/TileDialect.h"

using namespace mlir;

namespace tegula::tile {

SmallVector<FileLineColLoc, 2> linesOf(Location location) {
  if (auto line = dyn_cast<FileLineColLoc>(location))
    return {line};
  if (auto name = dyn_cast<NameLoc>(location))
    return linesOf(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location)) {
    SmallVector<FileLineColLoc, 2> lines = linesOf(call.getCallee());
    llvm::append_range(lines, linesOf(call.getCaller()));
    return lines;
  }
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (SmallVector<FileLineColLoc, 2> lines = linesOf(part); !lines.empty())
        return lines;
  return {};
}

Location withoutName(Location location) {
  auto name = dyn_cast<NameLoc>(location);
  return name ? name.getChildLoc() : location;
}

StringRef nameIn(Location location) {
  if (auto name = dyn_cast<NameLoc>(location))
    return name.getName().getValue();
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return nameIn(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (StringRef name = nameIn(part); !name.empty())
        return name;
  return {};
}

StringRef nameOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *parent = argument && argument.getOwner()->isEntryBlock() ? argument.getOwner()->getParentOp() : nullptr;
  if (auto function = dyn_cast_or_null<FunctionOpInterface>(parent))
    if (auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "tile.name"))
      return name.getValue();
  StringRef name = nameIn(value.getLoc());
  auto launch = dyn_cast_or_null<LaunchOp>(parent);
  if (!name.empty() || !launch)
    return name;
  // The body has the launch's arguments; the plan has the grid before them.
  bool isPlan = argument.getParentRegion() == &launch.getPlan();
  unsigned grid = isPlan ? launch.getGrid().size() : 0;
  return argument.getArgNumber() < grid ? StringRef() : nameOf(launch.getArguments()[argument.getArgNumber() - grid]);
}

} // namespace tegula::tile
