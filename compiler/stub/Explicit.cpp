// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Explicit.h"

#include "ir/GridOps.h"
#include "ir/KernelAttributes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::stub {

ExplicitPrinter::ExplicitPrinter(Writer &out, Names &names, SourceFiles &files, tile::LaunchOp launch,
                                 ArrayRef<std::string> grid)
    : ProgramPrinter(out, names, files, launch.getBody(), Form::Explicit), launch(launch), grid(grid),
      self(names.unique("self")) {
  findAccumulators();
  findUnions();
}

/// Whether the op is printed as something that the thread does, for sure: where nothing is, its name may go unused.
static bool isDone(Operation *op) {
  return isa<tile::FenceSharedOp, tile::BarrierArriveOp, tile::BarrierWaitOp, tile::BarrierTestOp, tile::NamedBarrierOp,
             tile::CopyToSharedOp, tile::CopyToGlobalOp, tile::BulkLoadOp, tile::BulkStoreOp, tile::CpAsyncOp,
             tile::CpAsyncCommitOp, tile::CpAsyncWaitOp, tile::CommitGroupOp, tile::WaitGroupOp, tile::TakeStepOp,
             tile::AnnounceStepOp, tile::ReadStepOp, tile::WgmmaOp, tile::WgmmaWaitOp, tile::SemaphoreSignalOp,
             tile::SemaphoreWaitOp, tile::SemaphoreReadOp, tile::GridBarrierOp, tile::WarpMapOp, tile::TraceThreadOp,
             tile::TraceEventOp, tile::LoadOp, tile::StoreOp, tile::AtomicOp, tile::AsyncStoreOp>(op) &&
         (op->getNumResults() == 0 || !op->use_empty() ||
          isa<tile::WarpMapOp, tile::WgmmaOp, tile::BarrierTestOp, tile::TakeStepOp, tile::SemaphoreReadOp,
              tile::AtomicOp>(op));
}

static bool isDoneIn(Region &region) {
  return region.walk([](Operation *op) { return isDone(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

void ExplicitPrinter::print() {
  auto entry = launch->getParentOfType<tile::EntryOp>();
  std::string shape = quoted(entry.getQualifiedName()) + ", {" + llvm::join(grid, ", ") + "}, " +
                      std::to_string(*launch.getWarpgroups());
  int64_t shared = sharedBytes();
  bool isLarge = shared > 1 << 20; // What cpu::launch has unless it is told.
  // Of blocks that synchronize, several are there at a time, with no more memory than they need.
  bool isTogether = launch->hasAttr(tile::residentAtOnce), isSome = launch->hasAttr(tile::waitsForEarlier);
  bool saysMemory = isLarge || isTogether || isSome;
  if (launch.getClusterSize() > 1 || saysMemory)
    shape += ", " + list(launch.getClusterSize() > 1 ? *launch.getCluster() : ArrayRef<int64_t>()).text;
  if (saysMemory)
    shape += ", " + std::to_string(shared);
  if (isTogether || isSome)
    shape += isTogether ? ", cpu::residency::all" : ", cpu::residency::some";
  Names::Block inner(names);
  std::string head = "cpu::launch{" + shape + "}.run([&](";
  if (launch.getBody().front().without_terminator().empty())
    return out.line(head + "cpu::thread &) {});");
  out.open(head + (isDoneIn(launch.getBody()) ? "" : "[[maybe_unused]] ") + "cpu::thread &" + self + ")");
  printBlock(launch.getBody().front());
  out.close(");");
}

Expr ExplicitPrinter::onSelf(Operation *op, StringRef member, std::vector<Expr> arguments) {
  arguments.insert(arguments.begin(), site(op->getLoc()));
  return method({self}, member, arguments);
}

void ExplicitPrinter::printOnSelf(Operation *op, StringRef member, std::vector<Expr> arguments) {
  out.line(onSelf(op, member, std::move(arguments)).text + ";");
}

void ExplicitPrinter::declare(Value result, const std::string &name, const Expr &value) {
  out.line("const auto " + name + " = " + value.text + ";");
  bind(result, name);
}

std::optional<Expr> ExplicitPrinter::leaf(Operation *op) {
  auto ask = [&](StringRef member, std::optional<int64_t> axis = {}) -> std::optional<Expr> {
    SmallVector<Expr, 1> arguments;
    if (axis)
      arguments.push_back(number(*axis));
    return method({self}, member, arguments);
  };
  return llvm::TypeSwitch<Operation *, std::optional<Expr>>(op)
      .Case([&](tile::ProgramIdOp id) { return ask("program", id.getAxis()); })
      .Case([&](tile::NumProgramsOp count) { return Expr(grid[count.getAxis()]); })
      .Case([&](tile::ClusterIndexOp index) { return ask("cluster_index", index.getAxis()); })
      .Case([&](tile::ClusterIdOp) { return ask("cluster_id"); })
      .Case([&](tile::ClusterRankOp) { return ask("cluster_rank"); })
      .Case([&](tile::ThreadIndexOp) { return ask("index"); })
      .Default([&](Operation *other) { return ProgramPrinter::leaf(other); });
}

/// `self.warps(site, [&](cpu::thread &warp_self, std::int64_t warp) { ... });`. The phases that warps are given are
/// those that the thread has waited for: which of them they have waited for by themselves, the runtime knows.
void ExplicitPrinter::printWarpMap(tile::WarpMapOp op) {
  for (auto [init, argument, result] : llvm::zip_equal(op.getInits(), op.getCarried(), op.getResults())) {
    Expr phases = use(init);
    bind(argument, phases);
    bind(result, phases);
  }
  Names::Block inner(names);
  std::string ofThread = std::exchange(self, names.unique("warp_self")), index = names.forValue(op.getWarp(), "warp");
  bind(op.getWarp(), index);
  auto maybeUnused = [](bool isUsed) { return isUsed ? "" : "[[maybe_unused]] "; };
  out.open(ofThread + ".warps(" + site(op.getLoc()).text + ", [&](" + maybeUnused(isDoneIn(op.getBody())) +
           "cpu::thread &" + self + ", " + maybeUnused(!op.getWarp().use_empty()) + "std::int64_t " + index + ")");
  printBlock(op.getBody().front());
  out.close(");");
  self = ofThread;
}

// ---- Statements -----------------------------------------------------------------------------------------------------

/// The CPU's threads have the registers that they need, and its launches do not overlap.
bool ExplicitPrinter::isSilent(Operation *op) {
  return isa<tile::SetMaxRegistersOp, tile::WaitForGridsOp, tile::LaunchDependentsOp, tile::PrintLayoutOp>(op);
}

/// The runtime knows which phases warps have waited for.
bool ExplicitPrinter::isUnused(Value result) {
  return llvm::all_of(result.getUses(), [&](OpOperand &use) {
    auto branch = isa<scf::YieldOp>(use.getOwner()) ? dyn_cast<scf::IfOp>(use.getOwner()->getParentOp()) : scf::IfOp();
    return isa<tile::WarpDoneOp>(use.getOwner()) || (branch && isUnused(branch.getResult(use.getOperandNumber())));
  });
}

void ExplicitPrinter::printStatement(Operation *op) {
  if (isSilent(op) || printMemory(op) || printCopies(op) || printBarriers(op) || printProducts(op))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tile::WarpMapOp map) { printWarpMap(map); })
      .Case([&](tile::TakeStepOp take) {
        declare(take.getResult(), names.forValue(take.getResult(), "taken"),
                onSelf(op, "take_step", {use(take.getCounter())}));
      })
      .Case([&](tile::AnnounceStepOp announce) {
        printOnSelf(
            op, "announce_step",
            {use(announce.getStep()), use(announce.getSlots()), use(announce.getBarriers()), use(announce.getIndex())});
      })
      .Case([&](tile::ReadStepOp read) {
        declare(read.getResult(), names.forValue(read.getResult(), "step"),
                onSelf(op, "read_step", {use(read.getSlots()), use(read.getIndex())}));
      })
      .Case([&](tile::TraceThreadOp thread) {
        out.line(method({self}, thread.getEnd() ? "trace_end" : "trace_begin", {use(thread.getTrace())}).text + ";");
      })
      .Case([&](tile::TraceEventOp event) {
        std::vector<Expr> arguments = {use(event.getTrace()),
                                       number(2 * static_cast<int64_t>(event.getScope()) + event.getEnd())};
        out.line(method({self}, "trace_event", arguments).text + ";");
      })
      .Default([&](Operation *other) { ProgramPrinter::printStatement(other); });
}

} // namespace tegula::stub
