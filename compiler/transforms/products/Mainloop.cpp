// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/Mainloop.h"

#include "ir/ProductOptions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
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

static int64_t bytesOf(const Factor &factor) {
  int64_t elements = 1;
  for (int64_t extent : factor.extents)
    elements *= std::max<int64_t>(1, extent);
  return tile::bytesIn(elements, cast<tile::RefType>(factor.array.getType()).getElementType());
}

int64_t bytesOfStage(const Mainloop &mainloop, int64_t consumers) {
  int64_t bytes = 0;
  for (const StagedFactor &factor : mainloop.staged) {
    auto type = cast<RankedTensorType>(factor.tile.getType());
    bytes += (factor.isLeft ? consumers : 1) * type.getNumElements() * tile::bytesOf(type.getElementType());
  }
  for (const Factor &factor : mainloop.factors)
    if (!factor.isFixed)
      bytes += bytesOf(factor) * (factor.isLeft ? consumers : 1);
  return bytes;
}

int64_t bytesOfFixed(const Mainloop &mainloop, int64_t consumers) {
  int64_t bytes = 0;
  for (unsigned i = 0; i < mainloop.numFirst; ++i) {
    auto type = cast<RankedTensorType>(tile::DotOp(mainloop.products[i].dot).getA().getType());
    bytes += consumers * type.getNumElements() * tile::bytesOf(type.getElementType());
  }
  return bytes;
}

Value makeNumSteps(OpBuilder &builder, scf::ForOp loop) {
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value));
  };
  Value count = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), loop.getLowerBound());
  if (Value step = loop.getStep(); !matchPattern(step, m_One())) {
    Value rounded = builder.createOrFold<arith::SubIOp>(loc, step, constant(1));
    rounded = builder.createOrFold<arith::AddIOp>(loc, count, rounded);
    count = builder.createOrFold<arith::DivSIOp>(loc, rounded, step);
  }
  return builder.createOrFold<arith::MaxSIOp>(loc, count, constant(0));
}

Value makeIndex(OpBuilder &builder, scf::ForOp loop, Value number, llvm::function_ref<Value(Value)> here) {
  Location loc = loop.getLoc();
  Value index = builder.createOrFold<arith::MulIOp>(loc, number, here(loop.getStep()));
  return builder.createOrFold<arith::AddIOp>(loc, index, here(loop.getLowerBound()));
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

int64_t sharedForReductions(tile::KernelOp kernel, scf::ForOp except) {
  constexpr int64_t bytes = 16 << 10;
  return kernel.walk([&](tile::ReduceOp reduce) {
                 return except && except->isAncestor(reduce) ? WalkResult::advance() : WalkResult::interrupt();
               }).wasInterrupted()
             ? bytes
             : 0;
}

static constexpr int64_t ofBarriers = 1024;

int64_t roomForRing(tile::KernelOp kernel, int64_t sharedBytes, int64_t stagingBytes) {
  return sharedBytes - ofBarriers - sharedForReductions(kernel) - stagingBytes;
}

int64_t roomForChain(const Mainloop &mainloop, int64_t consumers, int64_t sharedBytes) {
  scf::ForOp loop = mainloop.loop;
  return sharedBytes - ofBarriers - bytesOfFixed(mainloop, consumers) -
         sharedForReductions(loop->getParentOfType<tile::KernelOp>(), /*except=*/loop);
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
