// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions: first what a thread has itself, then lanes of a warp by shuffles, then warps by shared memory
// (Exchange.cpp). Lanes that exchange several values do so by reduce-scatter.
#include "lower/KernelLowering.h"
#include "lower/Pairs.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula::lower {

/// The registers of a reduction that all warps exchange at a time, of a thread group that may have `most` bytes.
static int64_t registersAtOnce(int64_t registers, int64_t threads, Type element, int64_t most) {
  int64_t bytes = std::min<int64_t>(16 * 1024, most);
  return std::min(registers, std::max<int64_t>(1, bytes / (threads * tile::bytesOf(element))));
}

/// What threads exchange of a reduction: an extremum of small floats is found in f32, which has shuffles and no pairs.
static Type exchangedType(Type element) {
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32 ? Float32Type::get(element.getContext())
                                                                         : element;
}

/// The bits of the thread number in which threads differ that have elements of one result: within a warp, and beyond.
std::pair<int64_t, int64_t> KernelLowering::reducedThreads(tile::ReduceOp op, const TileRegisters &source) {
  auto bits = static_cast<int64_t>(source.placement.threadBitsAlong({op.getAxes().data(), op.getAxes().size()}));
  return {bits & (lanesOfWarp - 1), bits & ~int64_t(lanesOfWarp - 1)};
}

/// Whether all threads have elements of a result.
bool KernelLowering::isOfAllThreads(tile::ReduceOp op, const TileRegisters &source) {
  auto [lanes, warps] = reducedThreads(op, source);
  return lanes + warps == static_cast<int64_t>(kernel.getGroup()) - 1;
}

int64_t KernelLowering::scratchOfReduction(tile::ReduceOp op) {
  auto [lanes, warps] = reducedThreads(op, registersOf(op.getSource().getType()));
  if (!warps)
    return 0;
  if (op.isCustom())
    return scratchOfTuples(op.getSources().getTypes(), registersOf(op.getType()).placement.registersPerThread());
  // What a warp's lanes scatter.
  int64_t registers = registersOf(op.getType()).placement.registersPerThread();
  for (int64_t bits = lanes; bits && registers % 2 == 0; bits &= bits - 1)
    registers /= 2;
  Type element = exchangedType(op.getType().getElementType());
  return registersAtOnce(registers, kernel.getGroup(), element, mostOfGroup()) * kernel.getGroup() *
         tile::bytesOf(element);
}

StringRef mnemonicOf(tile::Reduction kind) {
  switch (kind) {
  case tile::Reduction::Custom: // It has a region instead.
    break;
  case tile::Reduction::Sum:
    return "add";
  case tile::Reduction::Prod:
    return "mul";
  case tile::Reduction::Max:
    return "maximum";
  case tile::Reduction::Min:
    return "minimum";
  case tile::Reduction::Any:
    return "logical_or";
  case tile::Reduction::All:
    return "logical_and";
  }
  llvm_unreachable("all reductions are covered");
}

Value KernelLowering::isUpper(int64_t laneBit) {
  ScalarBuilder b = scalars();
  return b.compare(arith::CmpIPredicate::ne, b.create<arith::AndIOp>(threadInGroup(), i32(laneBit)), i32(0));
}

/// Combines what lanes have that differ in the bits `lanes`. Where they have several values and `scatters`, two lanes
/// exchange them so that each has half, the upper half in the lane that has the bit (reduce-scatter): all values of a
/// warp then take hardly more shuffles than there are values. The result is the bits by which they were scattered,
/// largest parts first.
SmallVector<int64_t> KernelLowering::combineLanes(SmallVector<Value> &values, int64_t lanes, bool scatters,
                                                  const Combine &combine) {
  ScalarBuilder b = scalars();
  SmallVector<int64_t> scatteredBy;
  for (int64_t bit = 1; bit <= lanes; bit *= 2) {
    if (!(lanes & bit))
      continue;
    auto fromOther = [&](Value value) { return shuffled(value, NVVM::ShflKind::bfly, i32(bit)); };
    if (!scatters || values.size() % 2) {
      for (Value &value : values)
        value = combine({value, fromOther(value)});
      continue;
    }
    Value isUpper = this->isUpper(bit);
    size_t half = values.size() / 2;
    for (size_t i = 0; i < half; ++i) {
      Value kept = b.create<arith::SelectOp>(isUpper, values[i + half], values[i]);
      Value given = b.create<arith::SelectOp>(isUpper, values[i], values[i + half]);
      values[i] = combine({kept, fromOther(given)});
    }
    values.truncate(half);
    scatteredBy.push_back(bit);
  }
  return scatteredBy;
}

/// Gives all lanes all values that `combineLanes` has scattered.
void KernelLowering::collectLanes(SmallVector<Value> &values, ArrayRef<int64_t> scatteredBy) {
  ScalarBuilder b = scalars();
  for (int64_t bit : llvm::reverse(scatteredBy)) {
    Value isUpper = this->isUpper(bit);
    SmallVector<Value> upper;
    for (Value &value : values) {
      Value other = shuffled(value, NVVM::ShflKind::bfly, i32(bit));
      upper.push_back(b.create<arith::SelectOp>(isUpper, value, other));
      value = b.create<arith::SelectOp>(isUpper, other, value);
    }
    values.append(upper);
  }
}

/// Combines what warps have that differ in the bits `warps` of the thread number, and collects what their lanes have
/// dealt out; they write by the lanes that have none of the other bits of `lanes`, and read in one order, so that all
/// get the same.
void KernelLowering::combineWarps(SmallVector<Value> &values, int64_t lanes, ArrayRef<int64_t> scatteredBy,
                                  int64_t warps, const Combine &combine) {
  ScalarBuilder b = scalars();
  int64_t threads = kernel.getGroup();
  Type type = values.front().getType(), memory = type.isInteger(1) ? Type(builder.getI8Type()) : type;
  int64_t bytes = tile::bytesOf(type), atOnce = registersAtOnce(values.size(), threads, type, mostOfGroup());
  Value own = b.create<arith::MulIOp>(threadInGroup(), i32(bytes));
  Value first = b.create<arith::AndIOp>(threadInGroup(), i32(threads - 1 - lanes - warps));
  first = b.create<arith::MulIOp>(first, i32(bytes));
  SmallVector<Value> all(values.size() << scatteredBy.size());
  for (size_t start = 0; start < values.size(); start += atOnce) {
    ArrayRef<Value> batch = ArrayRef(values).slice(start, std::min<size_t>(atOnce, values.size() - start));
    groupBarrier(); // Others may still read what was there.
    Value to = atByte(scratch(), own), from = atByte(scratch(), first);
    for (auto [i, value] : llvm::enumerate(batch)) {
      Value stored = type.isInteger(1) ? b.create<arith::ExtUIOp>(memory, value) : value;
      builder.create<LLVM::StoreOp>(here, stored, atByte(to, i * threads * bytes), static_cast<unsigned>(bytes));
    }
    groupBarrier();
    for (size_t i = 0; i < batch.size(); ++i)
      for (size_t scattered = 0; scattered < size_t(1) << scatteredBy.size(); ++scattered) {
        int64_t lane = 0;
        size_t index = start + i;
        for (auto [step, bit] : llvm::enumerate(scatteredBy))
          if (scattered >> step & 1) {
            lane |= bit;
            index += all.size() >> (step + 1);
          }
        SmallVector<Value> parts;
        for (int64_t warp = 0; warp <= warps; warp = (warp - warps) & warps) { // The subsets of these bits.
          Value part = builder.create<LLVM::LoadOp>(here, memory, atByte(from, (i * threads + lane + warp) * bytes),
                                                    static_cast<unsigned>(bytes));
          parts.push_back(type.isInteger(1) ? b.compare(arith::CmpIPredicate::ne, part, b.zero(memory)) : part);
          if (warp == warps)
            break;
        }
        all[index] = combine(parts);
      }
  }
  values = std::move(all);
}

KernelLowering::Combine KernelLowering::combinerOf(tile::Reduction kind, Type element) {
  return [this, element, mnemonic = mnemonicOf(kind)](SmallVector<Value> parts) {
    ScalarBuilder b = scalars();
    auto combine = [&](Value first, Value second) -> FailureOr<Value> {
      return buildElementwise(b, mnemonic, {first, second}, element);
    };
    return *combineInPairs(std::move(parts), combine);
  };
}

/// The conditions of vectors under which a reduction takes them, one for each, where it takes what changes nothing
/// otherwise: a thread then combines a vector before it asks. None if there are no such conditions.
SmallVector<Value> KernelLowering::conditionsOfVectors(tile::ReduceOp op) {
  auto where = op.getSource().getDefiningOp<tile::WhereOp>();
  auto full = where ? where->getOperand(2).getDefiningOp<tile::FullOp>() : tile::FullOp();
  Attribute otherwise;
  if (!full || !op.isReduced(op.getSource().getType().getRank() - 1) ||
      !matchPattern(full.getValue(), m_Constant(&otherwise)) ||
      otherwise != tile::identityOf(op.getKind(), full.getValue().getType()))
    return {};
  SmallVector<Value> conditions;
  for (Value vector : tiles.find(where->getOperand(0))->second) {
    conditions.push_back(ScalarBuilder::copied(vector));
    if (!conditions.back())
      return {};
  }
  return conditions;
}

/// Whether lanes that all want the result scatter it first: collecting takes as many shuffles as scattering, and each
/// takes two selections. That pays from eight lanes on.
static bool scattersLanes(int64_t lanes) { return llvm::popcount(static_cast<uint64_t>(lanes)) >= 3; }

/// The register of the result that a register of the source is combined into; none if the layouts do not fit.
std::optional<int64_t> KernelLowering::registerOfResult(tile::ReduceOp op, const TileRegisters &source,
                                                        const TileRegisters &result, int64_t sourceRegister) {
  layout::Coordinate part = source.placement.registerPart(sourceRegister), kept;
  for (auto [dim, coordinate] : llvm::enumerate(part))
    if (!op.isReduced(dim))
      kept.push_back(coordinate);
  return result.placement.findRegister(kept);
}

LogicalResult KernelLowering::lowerReduce(tile::ReduceOp op) {
  if (!op.getExtents().empty())
    return op.emitOpError("still has extents: tile-mask-extents comes before layouts");
  if (op.isCustom())
    return lowerCustomReduce(op);
  const TileRegisters &from = registersOf(op.getSource().getType()), &to = registersOf(op.getType());
  ScalarBuilder b = scalars(op);
  Type element = op.getType().getElementType();
  Combine combine = combinerOf(op.getKind(), element);

  // What a thread has itself. Hardware compares small floats in pairs: the vectors first, then their lanes.
  bool isExtremum = op.getKind() == tile::Reduction::Max || op.getKind() == tile::Reduction::Min;
  bool isInPairs = isExtremum && isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 16 &&
                   op.isReduced(from.placement.rank() - 1);
  SmallVector<Value> conditions = conditionsOfVectors(op);
  Value masked = op.getSource();
  const Registers &source = tiles.find(conditions.empty() ? masked : masked.getDefiningOp()->getOperand(1))->second;
  Value nothing = conditions.empty() ? Value() : tiles.find(masked.getDefiningOp()->getOperand(2))->second.front();
  std::vector<SmallVector<Value>> own(to.placement.registersPerThread());
  int64_t pair = isInPairs && from.lanes > 1 ? 2 : 1; // What is left of a vector.
  for (int64_t reg = 0; reg < from.placement.registersPerThread();
       reg += isInPairs || !conditions.empty() ? from.lanes : 1) {
    std::optional<int64_t> target = registerOfResult(op, from, to, reg);
    if (!target)
      return op.emitOpError("has a result whose layout is not that of its source without the reduced dimensions");
    const Value &vector = source[reg / from.lanes];
    if (!conditions.empty()) {
      SmallVector<Value> parts;
      for (int64_t lane = 0; lane < from.lanes; lane += pair)
        parts.push_back(b.slice(vector, lane, pair));
      own[*target].push_back(b.select(conditions[reg / from.lanes], combine(parts), b.slice(nothing, 0, pair)));
      continue;
    }
    own[*target].push_back(isInPairs ? vector : b.extract(vector, reg % from.lanes));
  }
  SmallVector<Value> values = llvm::map_to_vector(own, combine);
  int64_t left = !isInPairs ? 1 : conditions.empty() ? from.lanes : pair; // Lanes of the values.
  for (int64_t half = left / 2; half > 0; half /= 2)
    for (Value &value : values)
      value = combine({b.slice(value, 0, half), b.slice(value, half, half)});
  Type exchanged = exchangedType(element);
  if (exchanged != element)
    for (Value &value : values)
      value = b.cast(value, element, exchanged);
  combine = combinerOf(op.getKind(), exchanged);

  auto [lanes, warps] = reducedThreads(op, from);
  if (op.getPartial())
    lanes = 0;
  SmallVector<int64_t> scatteredBy = combineLanes(values, lanes, warps || scattersLanes(lanes), combine);
  if (op.getCluster()) {
    if (!isOfAllThreads(op, from) || values.size() != 1)
      return op.emitOpError("combines a cluster's elements of which each thread has its own");
    values.front() = combineBlocks(values.front(), op, exchanged);
  } else if (warps) {
    combineWarps(values, lanes, scatteredBy, warps, combine);
  } else {
    collectLanes(values, scatteredBy);
  }

  Registers results;
  for (int64_t i = 0; i < to.count(); ++i)
    results.push_back(b.cast(b.gather(ArrayRef(values).slice(i * to.lanes, to.lanes)), exchanged, element));
  tiles[op.getResult()] = std::move(results);
  return success();
}

LogicalResult KernelLowering::lowerCombineLanes(tile::CombineLanesOp op) {
  ScalarBuilder b = scalars(op);
  const TileRegisters &registers = registersOf(op.getType());
  Type element = op.getType().getElementType(), exchanged = exchangedType(element);
  SmallVector<Value> values;
  for (Value vector : tiles.find(op.getSource())->second)
    for (int64_t lane = 0; lane < registers.lanes; ++lane)
      values.push_back(b.cast(b.extract(vector, lane), element, exchanged));
  int64_t lanes = static_cast<int64_t>(registers.placement.copyMask()) & (lanesOfWarp - 1);
  Combine combine = combinerOf(tile::Reduction::Sum, exchanged);
  collectLanes(values, combineLanes(values, lanes, scattersLanes(lanes), combine));
  Registers results;
  for (int64_t i = 0; i < registers.count(); ++i)
    results.push_back(
        b.cast(b.gather(ArrayRef(values).slice(i * registers.lanes, registers.lanes)), exchanged, element));
  tiles[op.getResult()] = std::move(results);
  return success();
}

/// By a vote (PTX ISA, "vote.sync").
LogicalResult KernelLowering::lowerWarpAll(tile::WarpAllOp op) {
  ScalarBuilder b = scalars(op);
  const TileRegisters &registers = registersOf(op.getSource().getType());
  Value all;
  for (Value vector : tiles.find(op.getSource())->second)
    for (int64_t lane = 0; lane < registers.lanes; ++lane) {
      Value each = b.extract(vector, lane);
      all = all ? b.create<arith::AndIOp>(all, each) : each;
    }
  Value lanes = b.create<NVVM::VoteBallotOp>(builder.getI32Type(), i32(-1), all);
  values.map(op.getResult(), b.compare(arith::CmpIPredicate::eq, lanes, i32(-1)));
  return success();
}

} // namespace tegula::lower
