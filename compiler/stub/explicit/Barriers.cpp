// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads wait for one another by: barriers, named barriers, semaphores.
#include "stub/Explicit.h"

#include "ir/GridOps.h"
#include "ir/Locations.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::stub {

void ExplicitPrinter::printAllocBarriers(tile::AllocBarriersOp op) {
  StringRef name = tile::nameIn(op.getLoc());
  std::vector<Expr> arguments = {{quoted(name.empty() ? "barriers" : name)},
                                 number(barrierAllocations++),
                                 number(op.getType().getCount()),
                                 number(op.getArrivals())};
  if (auto axes = op.getClusterAxes(); axes && !axes->empty())
    arguments.push_back(list(*axes));
  if (op.getEverywhere() || op.getLeader())
    arguments.push_back({op.getLeader() ? "cpu::counts_at::leader" : "cpu::counts_at::all"});
  declare(op.getResult(), names.forValue(op.getResult(), "barriers"), onSelf(op, "alloc_barriers", arguments));
}

void ExplicitPrinter::printAllocNamedBarriers(tile::AllocNamedBarriersOp op) {
  StringRef name = tile::nameIn(op.getLoc());
  declare(op.getResult(), names.forValue(op.getResult(), "barriers"),
          onSelf(op, "alloc_named_barriers",
                 {{quoted(name.empty() ? "barriers" : name)},
                  number(barrierAllocations++),
                  number(op.getType().getCount()),
                  number(op.getThreads())}));
}

bool ExplicitPrinter::printBarriers(Operation *op) {
  auto onBarrier = [&](StringRef member, Value barriers, Value index, Value parity = {}) {
    std::vector<Expr> arguments = {use(barriers), use(index)};
    if (parity)
      arguments.push_back(use(parity));
    printOnSelf(op, member, arguments);
  };
  bool isKnown = true;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tile::AllocBarriersOp alloc) {
        if (!alloc->use_empty())
          printAllocBarriers(alloc);
      })
      .Case([&](tile::BarrierArriveOp arrive) { onBarrier("barrier_arrive", arrive.getBarriers(), arrive.getIndex()); })
      .Case([&](tile::BarrierWaitOp wait) {
        onBarrier("barrier_wait", wait.getBarriers(), wait.getIndex(), wait.getParity());
      })
      .Case([&](tile::BarrierTestOp test) {
        std::string name = names.forValue(test.getResult(), "ended");
        declare(test.getResult(), name,
                onSelf(op, "barrier_test", {use(test.getBarriers()), use(test.getIndex()), use(test.getParity())}));
      })
      .Case([&](tile::AllocNamedBarriersOp alloc) {
        if (!alloc->use_empty())
          printAllocNamedBarriers(alloc);
      })
      .Case([&](tile::NamedBarrierOp named) {
        printOnSelf(op, "named_barrier",
                    {use(named.getBarriers()),
                     use(named.getIndex()),
                     {named.getWait() ? "/*waits=*/true" : "/*waits=*/false"}});
      })
      .Case([&](tile::SemaphoreSignalOp signal) {
        for (auto [semaphore, increment] : llvm::zip(signal.getSemaphores(), signal.getIncrements()))
          printOnSelf(op, "semaphore_signal", {placeOf(semaphore), use(increment)});
      })
      .Case([&](tile::SemaphoreWaitOp wait) {
        printOnSelf(op, "semaphore_wait",
                    {placeOf(wait.getSemaphore()),
                     use(wait.getValue()),
                     {wait.getDecrement() ? "/*decrement=*/true" : "/*decrement=*/false"}});
      })
      .Case([&](tile::SemaphoreReadOp read) {
        if (read->use_empty())
          return printOnSelf(op, "semaphore_read", {placeOf(read.getSemaphore())});
        std::string name = names.forValue(read.getResult(), "count");
        declare(read.getResult(), name, onSelf(op, "semaphore_read", {placeOf(read.getSemaphore())}));
      })
      .Case([&](tile::GridBarrierOp) { printOnSelf(op, "grid_barrier", {}); })
      .Default([&](Operation *) { isKnown = false; });
  return isKnown;
}

} // namespace tegula::stub
