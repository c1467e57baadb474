// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/FactorFinder.h"

#include "ir/Elements.h"
#include "ir/Parts.h"
#include "transforms/products/FactorBuilder.h"
#include "transforms/products/FactorWindow.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {

static bool areSame(const Factor &a, const Factor &b) {
  return a.isLeft == b.isLeft && a.array == b.array && a.offsets == b.offsets && a.extents == b.extents &&
         a.isTransposed == b.isTransposed && a.isFilled == b.isFilled;
}

/// Whether a tile is all of a window, perhaps transposed; TMA fills in zeros where the array ends.
bool FactorFinder::isLoaded(Value tile) {
  if (auto transpose = tile.getDefiningOp<tile::PermuteOp>())
    tile = transpose.getSource();
  auto load = tile.getDefiningOp<tile::LoadOp>();
  bool isFilled = load && !kernel.getMmaSync() && isFilledWithZeros(load);
  return load && load->getParentOp() == found.loop && (!load.getMask() || isFilled);
}

/// A factor that several products have is one.
std::optional<unsigned> FactorFinder::findFactor(Value tile, bool isLeft) {
  Value product = tile;
  if (!isLoaded(tile)) {
    auto load = tile.getDefiningOp<tile::LoadOp>();
    refuse(Twine(nameOf(isLeft)) + (load && load.getMask() ? " is loaded with a mask" : " is not loaded as it stands"));
    return std::nullopt;
  }
  auto transpose = tile.getDefiningOp<tile::PermuteOp>();
  if (transpose)
    tile = transpose.getSource();
  std::optional<Factor> factor = describeFactor(tile.getDefiningOp<tile::LoadOp>(), transpose != nullptr, isLeft,
                                                /*isByTma=*/!kernel.getMmaSync(), obstacle);
  if (!factor)
    return std::nullopt;
  auto *known = llvm::find_if(found.factors, [&](const Factor &other) { return areSame(*factor, other); });
  if (known == found.factors.end()) {
    found.factors.push_back(std::move(*factor));
    known = std::prev(found.factors.end());
  }
  return found.tiles[product] = known - found.factors.begin();
}

/// Whether warps load what a transposed tile is made of in any order: packed elements, and what is smaller than a
/// factor of so many elements.
static bool isTakenApart(tile::PermuteOp turned, int64_t elements) {
  llvm::SetVector<Value> cone;
  cone.insert(turned.getSource());
  for (size_t i = 0; i < cone.size(); ++i) {
    Operation *op = cone[i].getDefiningOp();
    if (auto load = dyn_cast_or_null<tile::LoadOp>(op)) {
      if (!isPacked(load.getType().getElementType()) && load.getType().getNumElements() >= elements)
        return false;
    } else if (op && op->getParentOp() == turned->getParentOp()) {
      cone.insert(op->operand_begin(), op->operand_end());
    }
  }
  return true;
}

/// Whether consumers can do an op anew for a factor. Of a right one of wgmma each makes some columns, by parts of what
/// the loop and what is before it compute.
bool FactorFinder::canCompute(Operation *op, RankedTensorType type, bool isLeft) {
  bool isInLoop = op->getParentOp() == found.loop;
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    if (storesTo(kernel, tile::arrayOf(load.getRef())))
      return refuse(Twine(nameOf(isLeft)) + " is made of an array that the program stores to");
    return true;
  }
  if (isa<tile::GatherOp>(op))
    return refuse(Twine(nameOf(isLeft)) + " is gathered by indices");
  auto indexed = dyn_cast<tile::IndexedOpInterface>(op);
  bool isPart = indexed && !tile::isContraction(op);
  bool isKnown =
      isInLoop && op->getNumRegions() == 0 && !isa<tile::DotOp, tile::PermuteOp>(op) && isMemoryEffectFree(op);
  if (auto turned = dyn_cast<tile::PermuteOp>(op))
    isKnown = isInLoop && kernel.getMmaSync() && isTakenApart(turned, type.getNumElements());
  bool makesTile = llvm::any_of(op->getResults(), tile::isTile);
  if (isWhole(isLeft) ? isKnown : (makesTile ? isPart && !isa<tile::DotOp>(op) : isKnown || !isInLoop))
    return true;
  return refuse(Twine(nameOf(isLeft)) + " is made of another product, a transposition, a sum or a branch");
}

/// Whether a tile has a number for each row of a left factor of wgmma, which is copied ahead with the others.
bool FactorFinder::findRows(Value tile, RankedTensorType type) {
  auto load = tile.getDefiningOp<tile::LoadOp>();
  if (kernel.getMmaSync() || !load || load->getParentOp() != found.loop)
    return false;
  std::optional<Factor> factor = describeRows(load, type.getDimSize(0));
  if (!factor)
    return false;
  found.tiles[tile] = found.factors.size();
  found.factors.push_back(std::move(*factor));
  return true;
}

/// What a factor of this shape is computed from in a step: windows of that shape, which are copied ahead, and whatever
/// else consumers can load and compute.
bool FactorFinder::findParts(Value value, RankedTensorType type, bool isLeft) {
  Operation *op = value.getDefiningOp();
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  if (!found.loop.getRegion().isAncestor(value.getParentRegion()) && (isWhole(isLeft) || !tile))
    return true;
  if (!op)
    return value == found.loop.getInductionVar() || refuse(Twine(nameOf(isLeft)) + " depends on the steps before");
  if (found.tiles.contains(value))
    return true;
  // Warps load packed elements themselves: nothing copies ahead what they take apart in registers.
  bool areBytes = tile && isPacked(tile.getElementType()), isOfWarp = kernel.getMmaSync() && areBytes;
  if (areBytes && !isOfWarp && type.getElementTypeBitWidth() != 16)
    return refuse(Twine(nameOf(isLeft)) +
                  " is made of elements that are packed, two to a byte: wgmma takes what is made "
                  "of them as f16 or bf16 alone");
  if (tile && tile.getShape() == type.getShape() && isLoaded(value) && !isOfWarp)
    return findFactor(value, isLeft).has_value();
  if (!canCompute(op, type, isLeft))
    return false;
  if (isLeft && findRows(value, type))
    return true;
  if (!ofFactors.insert(op).second)
    return true;
  return llvm::all_of(op->getOperands(), [&](Value operand) { return findParts(operand, type, isLeft); });
}

/// Notes that a factor is staged in shared memory: in the order in which what it is made of lies there, if the tensor
/// cores take that.
void FactorFinder::stage(Value tile, bool isLeft, const WgmmaTypes &types) {
  if (found.findStaged(tile))
    return;
  bool isTransposed = !isLeft;
  if (types.isTransposable()) {
    SetVector<Value> values;
    values.insert(tile);
    for (size_t i = 0; i < values.size(); ++i) {
      if (auto part = found.tiles.find(values[i]); part != found.tiles.end()) {
        isTransposed = found.factors[part->second].isTransposed;
        break;
      }
      if (Operation *op = values[i].getDefiningOp(); op && op->getParentOp() == found.loop)
        values.insert(op->operand_begin(), op->operand_end());
    }
  }
  found.staged.push_back({tile, isLeft, isTransposed});
}

/// Warps compute either factor of an mma.sync in registers, a slice of the depth at a time.
std::optional<unsigned> FactorFinder::findSlices(TypedValue<RankedTensorType> tile, bool isLeft) {
  if (!findParts(tile, tile.getType(), isLeft))
    return std::nullopt;
  if (FactorBuilder::canSlice(tile, found, {!isLeft, isLeft}))
    return Product::computed;
  refuse(Twine(nameOf(isLeft)) + " is made of all of a step, of which mma.sync takes a slice at a time");
  return std::nullopt;
}

/// A wgmma takes left factors of 16 bits from registers, and others along the rows of what is in shared memory only,
/// but for those of 16 bits.
std::optional<unsigned> FactorFinder::find(const Product &product, bool isLeft) {
  tile::DotOp dot = product.dot;
  TypedValue<RankedTensorType> tile = isLeft ? dot.getA() : dot.getB();
  if (kernel.getMmaSync())
    return isLoaded(tile) ? findFactor(tile, isLeft) : findSlices(tile, isLeft);
  WgmmaTypes types = *tensorTypesOf(dot, /*mmaSync=*/false);
  if (isLoaded(tile)) {
    std::optional<unsigned> number = findFactor(tile, isLeft);
    if (!number || types.isTransposable() || found.factors[*number].isTransposed != isLeft)
      return number;
  } else if (!findParts(tile, tile.getType(), isLeft)) {
    return std::nullopt;
  }
  if (!isLeft || types.left->bits != 16)
    stage(tile, isLeft, types);
  return Product::computed;
}

} // namespace tegula
