// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the blocks of a cluster combine. Every warp sends what it has to every block, straight into shared memory and
// counted by an mbarrier there, and each block combines what has come in one order (PTX ISA, "st.async", "mapa"). There
// are two places that take turns: who sends to one for the second time has heard from all warps that they are done with
// what they got there the first time, because they have sent to the other since.
//
// Places: barrier 0, barrier 1, then for each the words of every warp of the cluster, for the longest tuple that the
// kernel sends: a place is one, whatever is sent to it. All first words of tuples come first, then all second ones.
#include "lower/KernelLowering.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::lower {

static constexpr int64_t barrierBytes = 8;

/// What an element travels in.
static int64_t wordBytes(Type element) { return element.getIntOrFloatBitWidth() == 64 ? 8 : 4; }

static int64_t wordBytes(TypeRange elements) {
  int64_t bytes = 0;
  for (Type element : elements)
    bytes += wordBytes(getElementTypeOrSelf(element));
  return bytes;
}

/// The warps of a cluster of the largest size.
static int64_t mostWarps(tile::KernelOp kernel) { return *kernel.getCluster() * kernel.getThreads() / lanesOfWarp; }

void KernelLowering::reserveClusterScratch() {
  kernel.walk([&](tile::ReduceOp op) {
    if (op.getCluster())
      clusterPlace = std::max(clusterPlace, mostWarps(kernel) * wordBytes(op.getResultTypes()));
  });
  if (clusterPlace == 0)
    return;
  clusterScratch = scratchBytes;
  scratchBytes += 2 * (barrierBytes + clusterPlace);
}

void KernelLowering::beginClusterExchange() {
  if (clusterScratch < 0)
    return;
  ScalarBuilder b = scalars();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  exchangeCount = builder.create<LLVM::AllocaOp>(here, pointer, builder.getI32Type(), i32(1));
  builder.create<LLVM::StoreOp>(here, i32(0), exchangeCount);
  Value base = b.create<LLVM::PtrToIntOp>(builder.getI32Type(), atByte(scratch(), clusterScratch));
  Value isFirst = b.compare(arith::CmpIPredicate::eq, specialRegister("tid"), i32(0));
  for (int64_t place : {0, 1})
    effect("@$1 mbarrier.init.shared::cta.b64 [$0], 1;", "r,b",
           {b.create<arith::AddIOp>(base, i32(place * barrierBytes)), isFirst});
  effect("fence.mbarrier_init.release.cluster;\n\tbarrier.cluster.arrive.relaxed.aligned;", "", {});

  // The others are waited for where they are needed, if every block comes by there once.
  tile::ReduceOp first;
  kernel.walk<WalkOrder::PreOrder>([&](tile::ReduceOp op) {
    first = op.getCluster() ? op : first;
    return first ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (first->getBlock() != &kernel.getBody().front())
    waitForCluster();
}

void KernelLowering::waitForCluster() {
  if (!std::exchange(hasMetCluster, true))
    effect("barrier.cluster.wait.acquire.aligned;", "", {});
}

/// What an element is in its word, and the other way round.
static Value toWord(ScalarBuilder &b, Value value) {
  unsigned width = value.getType().getIntOrFloatBitWidth(),
           bits = 8 * static_cast<unsigned>(wordBytes(value.getType()));
  Type own = IntegerType::get(value.getContext(), width), word = IntegerType::get(value.getContext(), bits);
  Value sent = value.getType() == own ? value : b.create<arith::BitcastOp>(own, value);
  return own == word ? sent : b.create<arith::ExtUIOp>(word, sent);
}

static Value fromWord(ScalarBuilder &b, Value word, Type element) {
  Type own = IntegerType::get(element.getContext(), element.getIntOrFloatBitWidth());
  if (own != word.getType())
    word = b.create<arith::TruncIOp>(own, word);
  return element == own ? word : b.create<arith::BitcastOp>(element, word);
}

/// Gives each lane tuples of as many warps of the cluster as that takes, `identities` where there are fewer. `tuple` is
/// what all lanes of a warp have.
SmallVector<KernelLowering::Tuple> KernelLowering::exchangeBlocks(const Tuple &tuple, const Tuple &identities) {
  waitForCluster();
  ScalarBuilder b = scalars();
  Type i32Type = builder.getI32Type();
  int64_t warps = kernel.getThreads() / lanesOfWarp, most = mostWarps(kernel);

  Value count = builder.create<LLVM::LoadOp>(here, i32Type, exchangeCount);
  builder.create<LLVM::StoreOp>(here, b.create<arith::AddIOp>(count, i32(1)), exchangeCount);
  Value place = b.create<arith::AndIOp>(count, i32(1));
  Value parity = b.create<arith::AndIOp>(b.create<arith::ShRUIOp>(count, i32(1)), i32(1));

  Value thread = threadInGroup(), blocks = specialRegister("cluster_nctarank");
  Value lane = b.create<arith::AndIOp>(thread, i32(lanesOfWarp - 1));
  Value warp = b.create<arith::ShRUIOp>(thread, i32(llvm::Log2_64(lanesOfWarp)));
  Value base = atByte(scratch(), clusterScratch);
  Value words = atByte(atByte(base, 2 * barrierBytes), b.create<arith::MulIOp>(place, i32(clusterPlace)));
  Value mine = b.create<arith::AddIOp>(b.create<arith::MulIOp>(clusterRank(), i32(warps)), warp);
  auto addressOf = [&](Value pointer) { return b.create<LLVM::PtrToIntOp>(i32Type, pointer); };
  Value barrier = addressOf(atByte(base, b.create<arith::MulIOp>(place, i32(barrierBytes))));
  Value total = b.create<arith::MulIOp>(blocks, i32(warps));

  int64_t bytesOfAll = 0;
  SmallVector<Value> firsts; // Where the words of an element begin.
  for (Value value : tuple) {
    int64_t bytes = wordBytes(value.getType());
    firsts.push_back(atByte(words, most * bytesOfAll));
    bytesOfAll += bytes;
    // Lane i sends to block i.
    effect("{\n\t.reg .pred there;\n\t.reg .b32 to, counter;\n\tsetp.lt.u32 there, $2, $3;\n\t"
           "@there mapa.shared::cluster.u32 to, $0, $2;\n\t@there mapa.shared::cluster.u32 counter, $1, $2;\n\t"
           "@there st.async.shared::cluster.mbarrier::complete_tx::bytes.b" +
               Twine(8 * bytes) + " [to], $4, [counter];\n\t}",
           bytes == 8 ? "r,r,r,r,l" : "r,r,r,r,r",
           {addressOf(atByte(firsts.back(), b.create<arith::MulIOp>(mine, i32(bytes)))), barrier, lane, blocks,
            toWord(b, value)});
  }
  effect(
      "@$2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,b",
      {barrier, b.create<arith::MulIOp>(total, i32(bytesOfAll)), b.compare(arith::CmpIPredicate::eq, thread, i32(0))});
  waitForPhase(barrier, parity);

  SmallVector<Tuple> parts;
  for (int64_t first = 0; first < most; first += lanesOfWarp) {
    Value index = b.create<arith::AddIOp>(lane, i32(first));
    Value isThere = b.compare(arith::CmpIPredicate::ult, index, total);
    Tuple part;
    for (auto [value, identity, from] : llvm::zip_equal(tuple, identities, firsts)) {
      int64_t bytes = wordBytes(value.getType());
      Value got = builder.create<LLVM::LoadOp>(here, builder.getIntegerType(static_cast<unsigned>(8 * bytes)),
                                               atByte(from, b.create<arith::MulIOp>(index, i32(bytes))),
                                               static_cast<unsigned>(bytes));
      part.push_back(b.select(isThere, fromWord(b, got, value.getType()), identity));
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

/// What all lanes of a warp have, combined with what those of the others have: the same in all threads of the cluster.
/// Of elements that are `type` in the tile IR.
Value KernelLowering::combineBlocks(Value value, tile::ReduceOp op, Type type) {
  Combine combine = combinerOf(op.getKind(), type);
  Value identity = builder.create<LLVM::ConstantOp>(here, tile::identityOf(op.getKind(), type));
  SmallVector<Value> parts;
  for (const Tuple &part : exchangeBlocks({value}, {identity}))
    parts.push_back(part.front());
  Value result = combine(parts);
  for (int64_t bit = 1; bit < lanesOfWarp; bit *= 2)
    result = combine({result, shuffled(result, NVVM::ShflKind::bfly, i32(bit))});
  return result;
}

/// The same of a tuple, by the reduction's combiner.
LogicalResult KernelLowering::combineTupleOfBlocks(tile::ReduceOp op, Tuple &tuple) {
  ScalarBuilder b = scalars(op);
  Tuple identities;
  for (auto [i, source] : llvm::enumerate(op.getSources()))
    identities.push_back(b.create<arith::ConstantOp>(op.identityOf(i, getElementTypeOrSelf(source.getType()))));
  FailureOr<Tuple> combined = combineAll(op.getCombinerBlock(), exchangeBlocks(tuple, identities));
  if (failed(combined))
    return failure();
  tuple = std::move(*combined);
  return combineTuplesOfLanes(op.getCombinerBlock(), tuple, lanesOfWarp - 1);
}

} // namespace tegula::lower
