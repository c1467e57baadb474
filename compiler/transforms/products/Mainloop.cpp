// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/Mainloop.h"

#include "ir/ProductOptions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tegula {

const StagedFactor *Mainloop::findStaged(Value tile) const {
  const auto *at = llvm::find_if(staged, [&](const StagedFactor &factor) { return factor.tile == tile; });
  return at == staged.end() ? nullptr : at;
}

llvm::SetVector<Operation *> Mainloop::combination() const {
  llvm::SmallPtrSet<Operation *, 16> needed;
  SmallVector<Value> work(scf::ForOp(loop).getYieldedValues());
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (op && op->getParentOp() == loop && !isa<tile::DotOp>(op) && needed.insert(op).second)
      llvm::append_range(work, op->getOperands());
  }
  llvm::SetVector<Operation *> ordered;
  for (Operation &op : scf::ForOp(loop).getBody()->without_terminator())
    if (needed.contains(&op))
      ordered.insert(&op);
  return ordered;
}

int64_t Mainloop::numAccumulators() const {
  return scf::ForOp(loop).getNumResults() + (combines ? products.size() : 0);
}

int64_t bytesOfStage(const Mainloop &mainloop, int64_t consumers) {
  int64_t bytes = 0;
  for (const StagedFactor &factor : mainloop.staged) {
    auto type = cast<RankedTensorType>(factor.tile.getType());
    bytes += (factor.isLeft ? consumers : 1) * type.getNumElements() * tile::bytesOf(type.getElementType());
  }
  for (const Factor &factor : mainloop.factors) {
    int64_t elements = factor.isLeft ? consumers : 1;
    for (int64_t extent : factor.extents)
      elements *= std::max<int64_t>(1, extent);
    bytes += elements * tile::bytesOf(cast<tile::RefType>(factor.array.getType()).getElementType());
  }
  return bytes;
}

Position positionIn(tile::KernelOp kernel) {
  auto group = *kernel.getBody().front().getOps<tile::ThreadGroupOp>().begin();
  Position position{group, {}};
  if (*kernel.getConsumers() * clusterSizeOf(kernel) >
      1) // KernelBuilder::buildPersistent takes these of it, and nothing else.
    for (Operation *user : group->getUsers())
      (isa<arith::RemUIOp>(user) ? position.member : position.block) = user->getResult(0);
  return position;
}

int64_t sharedForReductions(tile::KernelOp kernel) {
  constexpr int64_t bytes = 16 << 10;
  return kernel.walk([](tile::ReduceOp) { return WalkResult::interrupt(); }).wasInterrupted() ? bytes : 0;
}

int64_t roomForRing(tile::KernelOp kernel, int64_t sharedBytes, int64_t stagingBytes) {
  constexpr int64_t ofBarriers = 1024;
  return sharedBytes - ofBarriers - sharedForReductions(kernel) - stagingBytes;
}

bool storesTo(tile::KernelOp kernel, Value array) {
  return kernel
      .walk([&](tile::StoreOp store) {
        return tile::arrayOf(store.getRef()) == array ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

std::optional<WgmmaTypes> tensorTypesOf(tile::DotOp dot, bool mmaSync) {
  Type left = dot.getA().getType().getElementType();
  if (left.isF32() && dot.getPrecision() != tile::Precision::Tf32)
    return std::nullopt;
  Type right = dot.getB().getType().getElementType(), sum = dot.getType().getElementType();
  return mmaSync ? findMma(left, right, sum) : findWgmma(left, right, sum);
}

} // namespace tegula
