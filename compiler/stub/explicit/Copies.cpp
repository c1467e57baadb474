// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies, and waits for them.
#include "stub/Explicit.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::stub {

/// Of cpu::copy_reduction.
static Expr nameOf(std::optional<tile::CopyReduction> reduction) {
  if (!reduction)
    return {"cpu::copy_reduction::none"};
  bool isBitwise = *reduction >= tile::CopyReduction::And;
  return {std::string("cpu::copy_reduction::") + (isBitwise ? "bitwise_" : "") +
          tile::stringifyCopyReduction(*reduction).str()};
}

/// A copy to shared memory: where its predicate is false, it arrives without bytes.
template <class Copy> void ExplicitPrinter::printLoad(Copy op, StringRef member, ArrayRef<Expr> more) {
  std::vector<Expr> arguments = {placeOf(op.getSource()), placeOf(op.getTarget()), use(op.getBarriers()),
                                 use(op.getIndex())};
  arguments.insert(arguments.end(), more.begin(), more.end());
  if (!op.getPredicate())
    return printOnSelf(op, member, arguments);
  out.open("if (" + use(op.getPredicate()).text + ")");
  printOnSelf(op, member, arguments);
  out.reopen("else");
  printOnSelf(op, "copy_nothing", {use(op.getBarriers()), use(op.getIndex())});
  out.close();
}

void ExplicitPrinter::printCopy(tile::CopyToSharedOp op) {
  auto axes = op.getMulticast();
  bool isShared = axes && !axes->empty();
  SmallVector<Expr> more;
  if (isShared || op.getOutside())
    more.push_back(list(isShared ? *axes : ArrayRef<int64_t>()));
  if (op.getOutside())
    more.push_back({"cpu::outside::" + tile::stringifyOutside(*op.getOutside()).str()});
  printLoad(op, "copy_to_shared", more);
}

/// A copy to global memory. Waits count groups, also those without a copy.
template <class Copy> void ExplicitPrinter::printStoreBy(Copy op, StringRef member, bool isInside) {
  std::vector<Expr> arguments = {placeOf(op.getSource()), placeOf(op.getTarget())};
  bool commits = op.getCommit() && !op.getPredicate();
  if (commits || op.getReduction() || isInside)
    arguments.push_back({commits ? "/*commit=*/true" : "/*commit=*/false"});
  if (op.getReduction() || isInside)
    arguments.push_back(nameOf(op.getReduction()));
  if (isInside)
    arguments.push_back({"/*is_inside=*/true"});
  if (!op.getPredicate())
    return printOnSelf(op, member, arguments);
  out.open("if (" + use(op.getPredicate()).text + ")");
  printOnSelf(op, member, arguments);
  out.close();
  if (op.getCommit())
    printOnSelf(op, "commit_group", {});
}

void ExplicitPrinter::printCopy(tile::CpAsyncOp op) {
  if (op.getPredicate())
    out.open("if (" + use(op.getPredicate()).text + ")");
  printOnSelf(op, "cp_async", {placeOf(op.getSource()), placeOf(op.getTarget())});
  if (op.getPredicate())
    out.close();
}

void ExplicitPrinter::printAsyncStore(tile::AsyncStoreOp op) {
  std::vector<Expr> arguments = {inMemory(op.getValue(), "sent"), use(op.getTarget()), use(op.getBarriers()),
                                 use(op.getIndex())};
  if (op.getReduction())
    arguments.push_back(nameOf(op.getReduction()));
  printOnSelf(op, "async_store", arguments);
}

bool ExplicitPrinter::printCopies(Operation *op) {
  bool isKnown = true;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tile::AsyncStoreOp store) { printAsyncStore(store); })
      .Case([&](tile::CopyToSharedOp copy) { printCopy(copy); })
      .Case([&](tile::CopyToGlobalOp copy) { printStoreBy(copy, "copy_to_global", copy.getInside()); })
      .Case([&](tile::BulkLoadOp copy) { printLoad(copy, "bulk_load", {}); })
      .Case([&](tile::BulkStoreOp copy) { printStoreBy(copy, "bulk_store"); })
      .Case([&](tile::CpAsyncOp copy) { printCopy(copy); })
      .Case([&](tile::CpAsyncCommitOp) { printOnSelf(op, "cp_async_commit", {}); })
      .Case([&](tile::CpAsyncWaitOp wait) { printOnSelf(op, "cp_async_wait", {number(wait.getPending())}); })
      .Case([&](tile::CommitGroupOp) { printOnSelf(op, "commit_group", {}); })
      .Case([&](tile::WaitGroupOp wait) {
        printOnSelf(op, wait.getRead() ? "wait_group_read" : "wait_group", {number(wait.getPending())});
      })
      .Case([&](tile::PrefetchOp prefetch) {
        std::vector<Expr> arguments = {placeOf(prefetch.getSource())};
        if (prefetch.getPredicate())
          arguments.push_back(use(prefetch.getPredicate()));
        printOnSelf(op, "prefetch", arguments);
      })
      .Default([&](Operation *) { isKnown = false; });
  return isKnown;
}

} // namespace tegula::stub
