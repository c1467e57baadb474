// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions by a combiner of the program's own (`tile.reduce custom`): a region of scalars, which is lowered anew for
// every two tuples that are combined. As with named reductions, a thread combines what it has itself, lanes exchange by
// shuffles, then warps by shared memory. Lanes and warps that exchange combine in one order, so that all of them get
// the same bits, even if a combiner rounds differently with its operands in the other order. On the CPU, the combiner
// is a lambda (stub/Combiners.cpp).
#include "lower/KernelLowering.h"
#include "lower/Pairs.h"

using namespace mlir;

namespace tegula::lower {

/// What the combiner, whose block this is, makes of two tuples.
FailureOr<KernelLowering::Tuple> KernelLowering::combineTuples(Block &combiner, const Tuple &a, const Tuple &b) {
  for (auto [i, value] : llvm::enumerate(llvm::concat<const Value>(a, b)))
    values.map(combiner.getArgument(i), value);
  Location before = here;
  for (Operation &op : combiner.without_terminator()) {
    here = locationOf(&op);
    if (failed(lower(&op)))
      return failure();
  }
  here = before;
  Tuple result;
  for (Value yielded : combiner.getTerminator()->getOperands())
    result.push_back(values.lookup(yielded));
  return result;
}

FailureOr<KernelLowering::Tuple> KernelLowering::combineAll(Block &combiner, SmallVector<Tuple> tuples) {
  return combineInPairs(std::move(tuples),
                        [&](const Tuple &a, const Tuple &b) { return combineTuples(combiner, a, b); });
}

/// Element `lane` of register vector `vector` of each tile.
KernelLowering::Tuple KernelLowering::tupleAt(ValueRange tuple, int64_t vector, int64_t lane) {
  ScalarBuilder b = scalars();
  return llvm::map_to_vector(tuple,
                             [&](Value tile) { return b.extract(this->tiles.find(tile)->second[vector], lane); });
}

/// Gives each result its elements, one tuple for each register.
void KernelLowering::setTuples(ValueRange results, ArrayRef<Tuple> tuples) {
  ScalarBuilder b = scalars();
  for (auto [component, result] : llvm::enumerate(results)) {
    const TileRegisters &registers = registersOf(result.getType());
    Registers made;
    for (int64_t vector = 0; vector < registers.count(); ++vector) {
      SmallVector<Value> lanes;
      for (int64_t lane = 0; lane < registers.lanes; ++lane)
        lanes.push_back(tuples[vector * registers.lanes + lane][component]);
      made.push_back(b.gather(lanes));
    }
    tiles[result] = std::move(made);
  }
}

LogicalResult KernelLowering::lowerCombine(tile::CombineOp op) {
  const TileRegisters &registers = registersOf(op.getResult(0).getType());
  ValueRange operands = op.getOperands();
  size_t count = op.getNumResults();
  SmallVector<Tuple> tuples;
  for (int64_t vector = 0; vector < registers.count(); ++vector)
    for (int64_t lane = 0; lane < registers.lanes; ++lane) {
      Tuple a = tupleAt(operands.take_front(count), vector, lane),
            b = tupleAt(operands.drop_front(count), vector, lane);
      FailureOr<Tuple> combined = combineTuples(op.getCombinerBlock(), a, b);
      if (failed(combined))
        return failure();
      tuples.push_back(std::move(*combined));
    }
  setTuples(op.getResults(), tuples);
  return success();
}

// ---- Between threads ------------------------------------------------------------------------------------------------

/// The tuples that all warps exchange at a time, of a thread group that may have `most` bytes.
static int64_t tuplesAtOnce(int64_t tuples, int64_t threads, int64_t bytes, int64_t most) {
  constexpr int64_t enough = 16 * 1024;
  return std::min(tuples, std::max<int64_t>(1, std::min(enough, most) / (threads * bytes)));
}

static int64_t bytesOfTuple(TypeRange tiles) {
  int64_t bytes = 0;
  for (Type tile : tiles)
    bytes += tile::bytesOf(registerType(getElementTypeOrSelf(tile)));
  return bytes;
}

int64_t KernelLowering::scratchOfTuples(TypeRange tiles, int64_t tuples) {
  int64_t bytes = bytesOfTuple(tiles), threads = kernel.getGroup();
  return tuplesAtOnce(tuples, threads, bytes, mostOfGroup()) * threads * bytes;
}

/// Combines with the lanes whose numbers differ in the bits `lanes`.
LogicalResult KernelLowering::combineTuplesOfLanes(Block &combiner, MutableArrayRef<Tuple> tuples, int64_t lanes) {
  ScalarBuilder b = scalars();
  for (int64_t bit = 1; bit <= lanes; bit *= 2) {
    if (!(lanes & bit))
      continue;
    Value isUpper = this->isUpper(bit);
    for (Tuple &tuple : tuples) {
      Tuple first, second;
      for (Value own : tuple) {
        Value other = shuffled(own, NVVM::ShflKind::bfly, i32(bit));
        first.push_back(b.create<arith::SelectOp>(isUpper, other, own));
        second.push_back(b.create<arith::SelectOp>(isUpper, own, other));
      }
      FailureOr<Tuple> both = combineTuples(combiner, first, second);
      if (failed(both))
        return failure();
      tuple = std::move(*both);
    }
  }
  return success();
}

/// What warps have whose threads differ in the bits `warps` of their number: `use` is called for each of a thread's
/// tuples, with those that the others have, in the order of the subsets of these bits. A thread reads what the thread
/// `reader` and those in the other warps have written.
LogicalResult KernelLowering::exchangeTuples(ArrayRef<Tuple> tuples, Value reader, int64_t warps, UseTuples use) {
  ScalarBuilder b = scalars();
  SmallVector<Type> types = llvm::map_to_vector(tuples.front(), [](Value value) { return value.getType(); });
  int64_t threads = kernel.getGroup(), bytes = 0;
  for (Type type : types)
    bytes += tile::bytesOf(type);
  int64_t atOnce = tuplesAtOnce(static_cast<int64_t>(tuples.size()), threads, bytes, mostOfGroup());
  for (size_t start = 0; start < tuples.size(); start += atOnce) {
    ArrayRef<Tuple> batch = tuples.slice(start, std::min<size_t>(atOnce, tuples.size() - start));
    std::vector<SmallVector<Tuple>> parts(batch.size());
    auto forEachComponent = [&](auto exchange) {
      int64_t offset = 0;
      for (auto [component, type] : llvm::enumerate(types)) {
        exchange(component, tile::bytesOf(type), offset);
        offset += atOnce * threads * tile::bytesOf(type);
      }
    };
    groupBarrier(); // Others may still read what was there.
    forEachComponent([&](size_t component, int64_t size, int64_t offset) {
      Value to = atByte(atByte(scratch(), offset), b.create<arith::MulIOp>(threadInGroup(), i32(size)));
      for (auto [i, tuple] : llvm::enumerate(batch)) {
        Value value = tuple[component];
        if (value.getType().isInteger(1))
          value = b.create<arith::ExtUIOp>(builder.getI8Type(), value);
        builder.create<LLVM::StoreOp>(here, value, atByte(to, static_cast<int64_t>(i) * threads * size),
                                      static_cast<unsigned>(size));
      }
    });
    groupBarrier();
    forEachComponent([&](size_t component, int64_t size, int64_t offset) {
      Value from = atByte(atByte(scratch(), offset), b.create<arith::MulIOp>(reader, i32(size)));
      for (auto [i, tuple] : llvm::enumerate(batch)) {
        Type type = tuple[component].getType(), memory = type.isInteger(1) ? Type(builder.getI8Type()) : type;
        size_t part = 0;
        for (int64_t warp = 0;; warp = (warp - warps) & warps, ++part) { // The subsets of these bits.
          Value read = builder.create<LLVM::LoadOp>(here, memory,
                                                    atByte(from, (static_cast<int64_t>(i) * threads + warp) * size),
                                                    static_cast<unsigned>(size));
          if (type.isInteger(1))
            read = b.compare(arith::CmpIPredicate::ne, read, b.zero(memory));
          if (parts[i].size() <= part)
            parts[i].emplace_back();
          parts[i][part].push_back(read);
          if (warp == warps)
            break;
        }
      }
    });
    for (auto [i, all] : llvm::enumerate(parts))
      if (failed(use(start + i, std::move(all))))
        return failure();
  }
  return success();
}

/// Combines with the warps whose threads differ in the bits `warps` of their number. Each reads what lanes without the
/// bits `lanes` have written.
LogicalResult KernelLowering::combineTuplesOfWarps(Block &combiner, MutableArrayRef<Tuple> tuples, int64_t lanes,
                                                   int64_t warps) {
  Value first = scalars().create<arith::AndIOp>(threadInGroup(), i32(kernel.getGroup() - 1 - lanes - warps));
  return exchangeTuples(tuples, first, warps, [&](size_t number, SmallVector<Tuple> all) -> LogicalResult {
    FailureOr<Tuple> combined = combineAll(combiner, std::move(all));
    if (failed(combined))
      return failure();
    tuples[number] = std::move(*combined);
    return success();
  });
}

LogicalResult KernelLowering::lowerCustomReduce(tile::ReduceOp op) {
  const TileRegisters &from = registersOf(op.getSource().getType()), &to = registersOf(op.getType());
  Block &combiner = op.getCombinerBlock();
  std::vector<SmallVector<Tuple>> own(to.placement.registersPerThread());
  for (int64_t reg = 0; reg < from.placement.registersPerThread(); ++reg) {
    std::optional<int64_t> target = registerOfResult(op, from, to, reg);
    if (!target)
      return op.emitOpError("has results whose layout is not that of its sources without the reduced dimensions");
    own[*target].push_back(tupleAt(op.getSources(), reg / from.lanes, reg % from.lanes));
  }
  SmallVector<Tuple> tuples;
  for (SmallVector<Tuple> &each : own) {
    FailureOr<Tuple> combined = combineAll(combiner, std::move(each));
    if (failed(combined))
      return failure();
    tuples.push_back(std::move(*combined));
  }
  auto [lanes, warps] = reducedThreads(op, from);
  if (failed(combineTuplesOfLanes(combiner, tuples, lanes)))
    return failure();
  if (op.getCluster()) {
    if (!isOfAllThreads(op, from) || tuples.size() != 1)
      return op.emitOpError("combines a cluster's elements of which each thread has its own");
    if (failed(combineTupleOfBlocks(op, tuples.front())))
      return failure();
  } else if (warps && failed(combineTuplesOfWarps(combiner, tuples, lanes, warps))) {
    return failure();
  }
  setTuples(op.getResults(), tuples);
  return success();
}

} // namespace tegula::lower
