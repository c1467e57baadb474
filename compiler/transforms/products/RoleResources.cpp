// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/RoleResources.h"

#include "ir/ProductOptions.h"
#include "support/Registers.h"
#include "transforms/products/PanelStores.h"
#include "transforms/products/SlicedDepth.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

int64_t releaseDelay(const Mainloop &mainloop) {
  bool computesInRegisters = llvm::any_of(mainloop.products, [&](const Product &of) {
    return of.isComputed(/*isLeft=*/true) && !mainloop.findStaged(tile::DotOp(of.dot).getA());
  });
  return computesInRegisters || mainloop.combines ? 0 : 1;
}

RoleResources resourcesOf(tile::KernelOp kernel, const Mainloop &mainloop, int64_t sharedBytes) {
  // More stages than hide the latency of a copy are of no use.
  constexpr int64_t mostStages = 8, mostStagesOfChain = 4;
  // What a producer needs to find addresses; setmaxnreg takes the others from it. Three consumers leave it more: theirs
  // are a multiple of 8.
  constexpr int64_t ofProducer = 40, ofChain = 24, ofChainForThree = 32;
  int64_t consumers = *kernel.getConsumers(), least = 0, most = 0, room = 0, toCopy = 0;
  if (mainloop.isChain()) {
    least = leastStagesOfChain, most = mostStagesOfChain;
    room = roomForChain(mainloop, consumers, sharedBytes);
    toCopy = consumers > 2 ? ofChainForThree : ofChain;
  } else {
    SmallVector<PanelStore> panels = findCopiedStores(kernel, mainloop);
    least = releaseDelay(mainloop) + 1, most = mostStages;
    room =
        roomForRing(kernel, sharedBytes, panels.empty() ? 0 : PanelStore::stagingBytes(consumers, panels.front().rows));
    toCopy = ofProducer;
  }
  auto chosen = kernel->getAttrOfType<IntegerAttr>(stagesOfRing);
  int64_t bytes = bytesOfStage(mainloop, consumers);
  int64_t stages = chosen ? chosen.getInt() : std::clamp<int64_t>(room / bytes, least, most);
  for (int64_t slices = mostSlices(kernel, mainloop); slices > 1; slices /= 2) {
    // Each stage is one slice's in all passes, and each slice has one that is copied while it works on the other.
    int64_t left = room - bytesOfSlices(mainloop, slices);
    int64_t ofSlices = chosen ? stages : std::min(stages, left / bytes) / slices * slices;
    if (ofSlices >= 2 * slices && ofSlices % slices == 0 && ofSlices * bytes <= left)
      return {ofSlices, toCopy, registersToCompute(slices * consumers, toCopy), slices};
  }
  return {stages, toCopy, registersToCompute(consumers, toCopy)};
}

} // namespace tegula
