// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/FactorWindow.h"

#include "analysis/Divisors.h"
#include "ir/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {

/// Notes whether a window of the last dimension ends at a multiple of 16 bytes, where its source does.
static void noteEnd(tile::SliceOp slice, unsigned dim, Factor &factor) {
  if (slice.getMode(dim) != tile::SliceMode::Window || !factor.evenEnds)
    return;
  int64_t bytes = slice.getBound(dim) * tile::bytesOf(slice.getSource().getType().getElementType());
  bool isKnown = slice.getSize(dim) ? isEven(slice.getSize(dim), factor.array, *factor.evenEnds) : bytes % 16 == 0;
  if (!isKnown)
    factor.evenEnds.reset();
}

/// Beyond the end of the array TMA fills in zeros. Elsewhere there is something else, and it must not be summed: of the
/// dimension that is summed over, a factor is as much as a step takes.
static bool isStep(tile::SliceOp slice, unsigned dim, int64_t depth) {
  return slice.getMode(dim) == tile::SliceMode::Window && !slice.getSize(dim) && slice.getBound(dim) == depth;
}

/// Whether a window that splitting takes steps of, from its start on, ends behind whole ones, or where its array does.
static bool isOfSteps(tile::SliceOp slice, unsigned dim, int64_t depth) {
  return slice.getMode(dim) == tile::SliceMode::Window && slice.getSize(dim) &&
         tile::divisorOf(slice.getSize(dim)) % depth == 0;
}

/// Whether a window is all of what it is cut from: a step that the program has shown to be full.
static bool isAll(tile::SliceOp slice, unsigned dim) {
  int64_t bound = slice.getBound(dim);
  return slice.getMode(dim) == tile::SliceMode::Window && !slice.getSize(dim) && !ShapedType::isDynamic(bound) &&
         slice.getSource().getType().getBound(dim) == bound && matchPattern(slice.getOffset(dim), m_Zero());
}

bool isFilledWithZeros(tile::LoadOp load) {
  auto valueOf = [](Value tile) {
    auto full = tile ? tile.getDefiningOp<tile::FullOp>() : tile::FullOp();
    return full ? full.getValue() : Value();
  };
  Value mask = valueOf(load.getMask()), other = valueOf(load.getOther());
  return mask && other && matchPattern(mask, m_One()) &&
         (matchPattern(other, m_Zero()) || matchPattern(other, m_PosZeroFloat()));
}

std::optional<Factor> describeFactor(tile::LoadOp load, bool isTurned, bool isLeft, bool isByTma,
                                     std::string &obstacle) {
  Factor factor{load, isLeft, {}, {}, {}};
  factor.isFilled = isFilledWithZeros(load);
  auto no = [&](const Twine &why) {
    obstacle = (nameOf(isLeft) + why).str();
    return std::nullopt;
  };
  // Of the tile that is loaded, the dimension that is summed over.
  unsigned depthDim = isLeft != isTurned ? 1 : 0;
  Value ref = load.getRef();
  auto tileType = load.getType();
  SmallVector<tile::SliceOp> slices;
  for (; Operation *view = ref.getDefiningOp(); ref = view->getOperand(0))
    if (auto slice = dyn_cast<tile::SliceOp>(view))
      slices.push_back(slice);
    else if (isa<tile::StridedSliceOp>(view))
      return no(" is a window with a step, which nothing copies ahead");
  factor.array = cast<BlockArgument>(ref);
  if (isByTma && cast<tile::RefType>(ref.getType()).isTable())
    return no(" is one of a list of arrays, which lie anywhere, and TMA copies from one array");
  unsigned rank = cast<tile::RefType>(ref.getType()).getRank();
  factor.offsets.resize(rank);
  factor.extents.assign(rank, 0);
  SmallVector<unsigned> windows(rank);
  SmallVector<bool> areSteps(rank, true), areOfSteps(rank, false), endWithArray(rank, true);
  SmallVector<int64_t> bounds(rank, 0); // Of the innermost window so far.
  for (tile::SliceOp slice : llvm::reverse(slices))
    for (auto [dim, ofArray] : llvm::enumerate(tile::arrayDimsOf(slice.getSource())))
      if (slice.getMode(dim) != tile::SliceMode::Whole && !isAll(slice, dim)) {
        factor.offsets[ofArray].push_back(slice.getOffset(dim));
        if (ofArray + 1 == rank)
          noteEnd(slice, dim, factor);
        int64_t depth = tileType.getDimSize(depthDim), bound = slice.getBound(dim);
        if (slice.getMode(dim) == tile::SliceMode::Window) {
          bool isWhole = bounds[ofArray] == 0 ||
                         (bounds[ofArray] % bound == 0 && tile::divisorOf(slice.getOffset(dim)) % bound == 0);
          endWithArray[ofArray] = endWithArray[ofArray] && !slice.getSize(dim) && isWhole;
          bounds[ofArray] = bound;
        }
        if (windows[ofArray] == 0 && isOfSteps(slice, dim, depth)) {
          areOfSteps[ofArray] = true;
          continue;
        }
        ++windows[ofArray];
        bool isAtStep = !areOfSteps[ofArray] || tile::divisorOf(slice.getOffset(dim)) % depth == 0;
        areSteps[ofArray] = areSteps[ofArray] && isAtStep && isStep(slice, dim, depth);
      }
  SmallVector<int64_t> dims = tile::arrayDimsOf(load.getRef());
  if (isByTma && rank > mostDimsOfMap)
    return no(" has more than " + Twine(mostDimsOfMap) + " dimensions, and TMA copies from no such array");
  factor.isAligned = std::max(dims[0], dims[1]) + 1 == rank;
  if (isByTma && !factor.isAligned)
    return no(" has one index of its array's last dimension, along which TMA copies");
  for (auto [dim, ofArray] : llvm::enumerate(dims))
    factor.extents[ofArray] = tileType.getDimSize(dim);
  factor.isTransposed = isTurned != (dims[0] > dims[1]);
  if (isPacked(tileType.getElementType()) && (!isByTma || !isLeft || factor.isTransposed))
    return no(
        " is of elements that are packed, two to a byte: wgmma takes what is made of them as a left factor alone, "
        "where the rows of their array lie along the sum");
  unsigned depth = dims[depthDim];
  factor.side = dims[1 - depthDim];
  if (isByTma && (windows[depth] > 1 || !areSteps[depth])) // Else windows end as they are.
    return no(" is a window that ends before its array, along the dimension that is summed over");
  if (factor.isFilled && !endWithArray[factor.side])
    return no(" is loaded with a mask from a window that ends before its array");
  factor.isAligned &=
      llvm::all_of(factor.offsets.back(), [&](Value offset) { return isEven(offset, factor.array, factor.even); });
  if (isByTma && !factor.isAligned)
    return no(" begins at places of a row that are no multiples of 16 bytes");
  return factor;
}

std::optional<Factor> describeRows(tile::LoadOp load, int64_t rows) {
  RankedTensorType type = load.getType();
  SmallVector<int64_t> dims = tile::arrayDimsOf(load.getRef());
  auto array = dyn_cast<BlockArgument>(tile::arrayOf(load.getRef()));
  unsigned rank = array ? cast<tile::RefType>(array.getType()).getRank() : 0;
  auto *along = llvm::find(dims, int64_t(rank) - 1);
  bool isRows = along != dims.end() && type.getNumElements() == rows && type.getDimSize(along - dims.begin()) == rows;
  bool isTable = array && cast<tile::RefType>(array.getType()).isTable();
  if (load.getMask() || !array || isTable || rank > mostDimsOfMap || type.getRank() > 2 || !isRows ||
      type.getElementTypeBitWidth() < 8 || isPacked(type.getElementType()))
    return std::nullopt;
  Factor factor{load, /*isLeft=*/true, array, {}, {}};
  factor.offsets.resize(rank);
  factor.extents.assign(rank, 0);
  factor.side = rank - 1;
  factor.isTransposed = dims.size() == 2 && dims[0] > dims[1];
  for (auto [dim, ofArray] : llvm::enumerate(dims))
    factor.extents[ofArray] = type.getDimSize(dim);
  for (Value ref = load.getRef(); Operation *view = ref.getDefiningOp(); ref = view->getOperand(0))
    if (auto slice = dyn_cast<tile::SliceOp>(view))
      for (auto [dim, ofArray] : llvm::enumerate(tile::arrayDimsOf(slice.getSource())))
        if (slice.getMode(dim) != tile::SliceMode::Whole)
          factor.offsets[ofArray].push_back(slice.getOffset(dim));
  bool isEvenAlways =
      llvm::all_of(factor.offsets.back(), [&](Value offset) { return isEven(offset, array, factor.even); });
  return isEvenAlways && factor.even.empty() ? std::optional(std::move(factor)) : std::nullopt;
}

} // namespace tegula
