// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans, in any layout. The bits of a coordinate along the axis lie in registers, lanes and warps, from the lowest to
// the highest in runs of one of these: vectors, lanes, warps, then registers again, as a rule. Run by run, blocks of
// elements grow:
//
//   registers  a thread combines its blocks one after the other
//   lanes      exchange what these come to by shuffles, bit by bit: the upper of two lanes goes on behind the lower
//   warps      do so by scratch
//
// A block remembers what is before it within the next larger one, and only in the end is that combined with elements:
// of 16 elements that a thread has, two blocks of 8, that takes 14 combinations for totals and 16 for elements.
#include "lower/Scanner.h"

using namespace mlir;

namespace tegula::lower {

namespace {
/// How the axis of a scan is spread.
struct AxisSpread {
  AxisSpread(const layout::Placement &placement, int64_t axis) {
    for (const layout::ThreadField &field : placement.threadFields())
      for (unsigned bit = 0; bit < field.width && field.dim == axis; ++bit)
        bits.push_back({int64_t(1) << (field.threadBit + bit), int64_t(1) << (field.coordinateBit + bit)});
    llvm::sort(bits, [](const ThreadBit &a, const ThreadBit &b) { return a.coordinate < b.coordinate; });
    for (int64_t reg = 0; reg < placement.registersPerThread(); ++reg)
      inRegisters |= placement.registerPart(reg)[axis];
  }

  /// The runs of thread bits, lanes or warps, between which no bit of the coordinate is in registers.
  SmallVector<ArrayRef<ThreadBit>> runs() const {
    SmallVector<ArrayRef<ThreadBit>> all;
    for (size_t begin = 0, end = 0; begin < bits.size(); begin = end) {
      for (end = begin + 1; end < bits.size() && bits[end].isLane() == bits[begin].isLane(); ++end)
        if (inRegisters & (bits[end].coordinate - bits[end - 1].coordinate))
          break;
      all.push_back(ArrayRef(bits).slice(begin, end - begin));
    }
    return all;
  }

  SmallVector<ThreadBit> bits;
  int64_t inRegisters = 0;
};

/// The coordinate of a register along the axis, and the others.
std::pair<int64_t, layout::Coordinate> alongAxis(const layout::Placement &placement, int64_t reg, int64_t axis) {
  layout::Coordinate row = placement.registerPart(reg);
  int64_t along = row[axis];
  row.erase(row.begin() + axis);
  return {along, std::move(row)};
}
} // namespace

FailureOr<KernelLowering::Tuple> KernelLowering::Scanner::combine(const Tuple &first, const Tuple &second) {
  if (op.isCustom())
    return lowering.combineTuples(op.getCombinerBlock(), first, second);
  Type element = getElementTypeOrSelf(op.getSource().getType());
  return Tuple{buildElementwise(b, mnemonicOf(op.getKind()), {first.front(), second.front()}, element)};
}

KernelLowering::Tuple KernelLowering::Scanner::identity() {
  Tuple all;
  for (auto [i, source] : llvm::enumerate(op.getSources()))
    all.push_back(b.create<arith::ConstantOp>(op.identityOf(i, getElementTypeOrSelf(source.getType()))));
  return all;
}

KernelLowering::Tuple KernelLowering::Scanner::select(Value condition, const Tuple &yes, const Tuple &no) {
  Tuple all;
  for (auto [a, c] : llvm::zip_equal(yes, no))
    all.push_back(b.create<arith::SelectOp>(condition, a, c));
  return all;
}

/// Blocks of a row whose coordinates differ below `size` alone become one, in order.
LogicalResult KernelLowering::Scanner::joinRegisters(int64_t size) {
  SmallVector<Block *> joined;
  for (Block *block : blocks) {
    Block *larger = joined.empty() ? nullptr : joined.back();
    if (!larger || larger->row != block->row || larger->along / size != block->along / size) {
      storage.push_back(std::make_unique<Block>());
      larger = storage.back().get();
      larger->along = block->along;
      larger->row = block->row;
      joined.push_back(larger);
    }
    larger->parts.push_back(block);
    FailureOr<Tuple> total = behind(larger->total, block->total);
    if (failed(total))
      return failure();
    block->before = larger->total;
    larger->total = *total;
  }
  blocks = std::move(joined);
  return success();
}

/// Two lanes exchange totals: the upper one has the other's before its own.
LogicalResult KernelLowering::Scanner::joinLanes(ArrayRef<ThreadBit> run) {
  Tuple nothing = identity();
  for (Block *block : blocks) {
    Tuple before;
    for (const ThreadBit &bit : run) {
      Value isSecond = lowering.isUpper(bit.thread);
      if (isReversed)
        isSecond = b.create<arith::XOrIOp>(isSecond, b.integer(isSecond.getType(), 1));
      Tuple other;
      for (Value own : block->total)
        other.push_back(lowering.shuffled(own, NVVM::ShflKind::bfly, lowering.i32(bit.thread)));
      FailureOr<Tuple> further = behind(other, before);
      FailureOr<Tuple> both =
          !op.isCustom() ? combine(block->total, other) // In which order does not matter.
                         : combine(select(isSecond, other, block->total), select(isSecond, block->total, other));
      if (failed(further) || failed(both))
        return failure();
      before = select(isSecond, *further, before.empty() ? nothing : before);
      block->total = *both;
    }
    FailureOr<Tuple> all = behind(before, block->beforeInThreads);
    if (failed(all))
      return failure();
    block->beforeInThreads = *all;
  }
  return success();
}

/// All warps read the totals of all, in order.
LogicalResult KernelLowering::Scanner::joinWarps(ArrayRef<ThreadBit> run) {
  int64_t warps = 0;
  for (const ThreadBit &bit : run)
    warps |= bit.thread;
  auto coordinateOf = [&](int64_t subset) {
    int64_t coordinate = 0;
    for (const ThreadBit &bit : run)
      coordinate |= subset & bit.thread ? bit.coordinate : 0;
    return coordinate;
  };
  struct Part {
    int64_t subset, number;
  };
  SmallVector<Part> order;
  for (int64_t subset = 0, number = 0;; subset = (subset - warps) & warps, ++number) {
    order.push_back({subset, number});
    if (subset == warps)
      break;
  }
  llvm::sort(order, [&](const Part &first, const Part &second) {
    return isReversed ? coordinateOf(first.subset) > coordinateOf(second.subset)
                      : coordinateOf(first.subset) < coordinateOf(second.subset);
  });
  Value thread = lowering.threadInGroup();
  Value own = b.create<arith::AndIOp>(thread, lowering.i32(warps));
  Value reader = b.create<arith::SubIOp>(thread, own);
  SmallVector<Tuple> totals = llvm::map_to_vector(blocks, [](Block *block) { return block->total; });
  return lowering.exchangeTuples(totals, reader, warps, [&](size_t i, SmallVector<Tuple> all) -> LogicalResult {
    Tuple before = identity(), total;
    for (const Part &part : order) {
      if (!total.empty())
        before = select(b.compare(arith::CmpIPredicate::eq, own, lowering.i32(part.subset)), total, before);
      FailureOr<Tuple> next = behind(total, all[part.number]);
      if (failed(next))
        return failure();
      total = *next;
    }
    FailureOr<Tuple> together = behind(before, blocks[i]->beforeInThreads);
    if (failed(together))
      return failure();
    blocks[i]->beforeInThreads = *together;
    blocks[i]->total = total;
    return success();
  });
}

/// What a source holds before it is cast; null if it is not.
static Value castFrom(Value source) {
  auto cast = source.getDefiningOp<tile::CastOp>();
  auto narrow = cast ? mlir::cast<RankedTensorType>(cast.getOperand().getType()).getElementType() : Type();
  return narrow && (narrow.isF16() || narrow.isBF16()) ? cast.getOperand() : Value();
}

/// A 0 that the compiler does not know, of what takes no register: a parameter. What is xored with it stays what it is,
/// where it is.
Value KernelLowering::Scanner::unknownZero(Type type) {
  Value count = lowering.values.lookup(op.getPosition().back());
  Value zero = b.create<arith::ShRUIOp>(count, lowering.i64(62));
  return type == zero.getType() ? zero : b.create<arith::TruncIOp>(type, zero);
}

/// While it waits, a thread keeps elements as they are in memory, two in a register, and casts them anew: that these
/// are the same ones must not be known, or the casts would be kept, too.
void KernelLowering::Scanner::unpackSources() {
  Type word = b.builder.getI32Type();
  Value zero = unknownZero(word);
  for (Value source : op.getSources()) {
    Registers &own = packed.emplace_back();
    if (Value narrow = castFrom(source))
      for (Value vector : lowering.tiles.find(narrow)->second) {
        auto type = dyn_cast<VectorType>(vector.getType());
        int64_t words = type ? type.getNumElements() / 2 : 0;
        if (!words)
          continue;
        auto asWords = VectorType::get(words, word);
        Value bits = b.create<LLVM::BitcastOp>(asWords, vector);
        bits = b.create<LLVM::XOrOp>(bits, b.splat(zero, words));
        own.push_back(b.create<LLVM::BitcastOp>(type, bits));
      }
  }
}

/// The elements of a register, once all that is before them is known.
KernelLowering::Tuple KernelLowering::Scanner::elementAt(int64_t reg) {
  int64_t vector = reg / registers.lanes, lane = reg % registers.lanes;
  Tuple elements = lowering.tupleAt(op.getSources(), vector, lane);
  for (auto [element, source, own] : llvm::zip(elements, op.getSources(), packed))
    if (!own.empty()) {
      Type narrow = getElementTypeOrSelf(castFrom(source).getType());
      element = b.cast(b.extract(own[vector], lane), narrow, getElementTypeOrSelf(source.getType()));
    }
  return elements;
}

/// Combines what is before blocks of several elements in a thread with what is before them in others: a thread that
/// waits has half as much in registers.
LogicalResult KernelLowering::Scanner::joinBefore(Block &block) {
  if (block.reg >= 0)
    return success();
  FailureOr<Tuple> both = behind(block.before, block.beforeInThreads);
  if (failed(both))
    return failure();
  block.before = *both;
  block.beforeInThreads.clear();
  for (Value &each : block.before) // Else integers are added up later, by instructions that add three.
    if (each.getType().isInteger() && !each.getType().isInteger(1))
      each = b.create<arith::XOrIOp>(each, unknownZero(each.getType()));
  for (Block *part : block.parts)
    if (failed(joinBefore(*part)))
      return failure();
  return success();
}

/// Combines the elements of a block with all that is before them, one after the other.
LogicalResult KernelLowering::Scanner::finish(Block &block, Tuple before, std::vector<Tuple> &elements) {
  for (const Tuple *own : {&block.before, &block.beforeInThreads}) {
    FailureOr<Tuple> next = behind(before, *own);
    if (failed(next))
      return failure();
    before = *next;
  }
  for (Block *part : block.parts) {
    if (part->reg < 0) {
      if (failed(finish(*part, before, elements)))
        return failure();
      continue;
    }
    FailureOr<Tuple> element = behind(before, elementAt(part->reg));
    if (failed(element))
      return failure();
    before = elements[part->reg] = *element;
  }
  return success();
}

/// What a row begins with; nothing, if the scan begins here.
KernelLowering::Tuple KernelLowering::Scanner::initOf(const layout::Coordinate &row) {
  Tuple init;
  for (Value tile : op.getInits()) {
    const TileRegisters &own = lowering.registersOf(tile.getType());
    int64_t reg = *own.placement.findRegister(row); // It is there: layouts follow from the scan's.
    init.push_back(b.extract(lowering.tiles.find(tile)->second[reg / own.lanes], reg % own.lanes));
  }
  return init;
}

LogicalResult KernelLowering::Scanner::run() {
  const layout::Placement &placement = registers.placement;
  for (int64_t reg = 0; reg < placement.registersPerThread(); ++reg) {
    auto [along, row] = alongAxis(placement, reg, axis);
    storage.push_back(std::make_unique<Block>());
    Block &block = *storage.back();
    block.along = along;
    block.row = row;
    block.reg = reg;
    block.total = elementAt(reg);
    blocks.push_back(&block);
  }
  llvm::sort(blocks, [&](Block *first, Block *second) {
    int64_t sign = isReversed ? -1 : 1;
    return std::pair(first->row, sign * first->along) < std::pair(second->row, sign * second->along);
  });
  AxisSpread spread(placement, axis);
  for (ArrayRef<ThreadBit> run : spread.runs())
    if (failed(joinRegisters(run.front().coordinate)) || failed(run.front().isLane() ? joinLanes(run) : joinWarps(run)))
      return failure();
  if (failed(joinRegisters(registers.type.getDimSize(axis) + 1)))
    return failure();
  if (op.getState() && blocks.size() != 1)
    return op.emitOpError("shares rows, one at a time, not ") << blocks.size();
  std::vector<Tuple> elements(placement.registersPerThread());
  std::vector<std::pair<layout::Coordinate, Tuple>> totals;
  for (Block *row : blocks) {
    if (op.getState() && failed(joinBefore(*row)))
      return failure();
    FailureOr<Tuple> before = op.getState() ? lookBack(row->total) : initOf(row->row);
    if (failed(before))
      return failure();
    if (op.getState())
      unpackSources();
    const Tuple &init = *before;
    FailureOr<Tuple> total = behind(init, row->total);
    if (failed(total) || failed(finish(*row, init, elements)))
      return failure();
    totals.emplace_back(row->row, *total);
  }
  lowering.setTuples(op.getResults(), elements);
  lowering.scanTotals[op] = std::move(totals);
  return success();
}

int64_t KernelLowering::scratchOfScan(tile::ScanOp op) {
  const layout::Placement &placement = registersOf(op.getSource().getType()).placement;
  int64_t axis = op.getScannedDim(), most = 0;
  AxisSpread spread(placement, axis);
  for (ArrayRef<ThreadBit> run : spread.runs()) {
    if (run.front().isLane())
      continue;
    std::set<std::pair<layout::Coordinate, int64_t>> blocks;
    for (int64_t reg = 0; reg < placement.registersPerThread(); ++reg) {
      auto [along, row] = alongAxis(placement, reg, axis);
      blocks.insert({row, along / run.front().coordinate});
    }
    most = std::max(most, static_cast<int64_t>(blocks.size()));
  }
  int64_t bytes = most ? scratchOfTuples(op.getSources().getTypes(), most) : 0;
  if (!op.getState())
    return bytes;
  // Behind what warps exchange, what is before the part.
  int64_t exchanged = scratchOfTuples(op.getSources().getTypes(), 1);
  return std::max(bytes, exchanged + 8 * static_cast<int64_t>(op.getSources().size()));
}

LogicalResult KernelLowering::lowerScan(tile::ScanOp op) {
  here = locationOf(op);
  return Scanner(*this, op).run();
}

LogicalResult KernelLowering::lowerScanTotal(tile::ScanTotalOp op) {
  const TileRegisters &to = registersOf(op.getType());
  ScalarBuilder b = scalars(op);
  size_t component = cast<OpResult>(op.getSource()).getResultNumber();
  SmallVector<Value> elements(to.placement.registersPerThread());
  for (const auto &[row, total] : scanTotals[op.getScan()]) {
    std::optional<int64_t> reg = to.placement.findRegister(row);
    if (!reg)
      return op.emitOpError("has a result whose layout is not that of the scan without its axis");
    elements[*reg] = total[component];
  }
  Registers results;
  for (int64_t i = 0; i < to.count(); ++i)
    results.push_back(b.gather(ArrayRef(elements).slice(i * to.lanes, to.lanes)));
  tiles[op.getResult()] = std::move(results);
  return success();
}

} // namespace tegula::lower
