// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/StageShape.h"

#include "ir/Wgmma.h"
#include "support/Registers.h"
#include "transforms/products/StageWindows.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace tegula {

/// What a stage has of the depth at most: two slices, or more.
static constexpr int64_t leastBytesOfStage = 32, mostBytesOfStage = 64;
/// Elements of a row of a stage that threads load one by one, in which few registers are left.
static constexpr int64_t mostThroughRegisters = 16;

Type elementTypeOf(const Factor &factor) { return cast<tile::RefType>(factor.array.getType()).getElementType(); }

int64_t bytesInStage(const Factor &factor, const StageShape &shape, int64_t consumers) {
  int64_t rows = factor.extents[factor.side] * (factor.isLeft ? consumers : 1);
  return rows * shape.depth(depthOf(factor)) * tile::bytesOf(elementTypeOf(factor));
}

int64_t depthOf(const Product &product) { return tile::DotOp(product.dot).getA().getType().getDimSize(1); }

StageShape::StageShape(const Mainloop &mainloop, bool isAsync) : slice(1) {
  int64_t bytes = 0, slices = 0, longest = 0; // slices that all steps have together; elements of the longest
  for (const Product &product : mainloop.products) {
    tile::DotOp dot = product.dot;
    Type left = dot.getA().getType().getElementType();
    slice =
        std::max(slice, findMma(left, dot.getB().getType().getElementType(), dot.getType().getElementType())->depth());
    bytes = tile::bytesOf(left); // The others have as many.
    longest = std::max(longest, depthOf(product));
  }
  for (const Product &product : mainloop.products)
    slices = std::gcd(slices, depthOf(product) / slice);
  int64_t mostAsync = std::max(mostBytesOfStage, 2 * slice * bytes);
  int64_t most = isAsync ? mostAsync : std::clamp(mostThroughRegisters * bytes, leastBytesOfStage, mostBytesOfStage);
  int64_t wanted = longest / (most / bytes);
  bool divides = longest % (most / bytes) == 0 && wanted > 0 && slices % wanted == 0;
  perStep = divides ? wanted : slices;
}

int64_t depthOf(const Factor &factor) { return factor.extents[depthDimOf(factor)]; }

int64_t bytesOfLeastRing(const Mainloop &mainloop, int64_t consumers, bool isAsync) {
  StageShape shape(mainloop, isAsync);
  int64_t bytes = 0;
  for (const Factor &factor : mainloop.factors)
    bytes += leastStages * bytesInStage(factor, shape, consumers);
  return bytes;
}

int64_t registersOf(const Mainloop &mainloop, int64_t consumers, bool isAsync) {
  StageShape shape(mainloop, isAsync);
  RankedTensorType result = tile::DotOp(mainloop.products.front().dot).getType();
  int64_t rows = result.getDimSize(0), columns = result.getDimSize(1);
  constexpr int64_t bytesOfRegister = 4;
  // Elements that are narrower than the product's are loaded one by one.
  int64_t narrowest = tile::bytesOf(tile::DotOp(mainloop.products.front().dot).getA().getType().getElementType());
  auto registers = [&](int64_t elements, Type element) {
    int64_t bytes = tile::bytesOf(element);
    return llvm::divideCeil(elements * (bytes < narrowest ? bytesOfRegister : bytes),
                            lanesOfWarpgroup * bytesOfRegister);
  };
  // Warps that share the columns have all rows.
  auto perWarp = [&](bool isLeft) {
    constexpr int64_t warps = 4;
    return isLeft ? warps * rows : columns;
  };
  int64_t count = registers(rows * columns, result.getElementType()) *
                  static_cast<int64_t>(scf::ForOp(mainloop.loop).getNumResults());
  for (const Factor &factor : mainloop.factors) {
    // Bytes that are no neighbours in memory come one by one.
    bool isScattered = tile::bytesOf(elementTypeOf(factor)) == 1 && depthDimOf(factor) < int64_t(factor.side);
    count += (isScattered ? 4 : 2) * registers(perWarp(factor.isLeft) * shape.slice, elementTypeOf(factor));
    int64_t inStage = bytesInStage(factor, shape, consumers), elements = inStage / tile::bytesOf(elementTypeOf(factor));
    // What is copied by units takes addresses, what is loaded one by one registers and conditions.
    constexpr int64_t ofFactor = 8, ofCopy = 2, unitBytes = 16;
    int64_t each = isAsync ? llvm::divideCeil(inStage, unitBytes) : elements;
    count += ofFactor + ofCopy * llvm::divideCeil(each, consumers * lanesOfWarpgroup);
  }
  for (const Product &product : mainloop.products) {
    Type element = tile::DotOp(product.dot).getA().getType().getElementType();
    bool isFloat8 = isa<FloatType>(element) && tile::bytesOf(element) == 1; // Some chips multiply f16 instead.
    for (bool isLeft : {true, false})
      if (isFloat8 || product.isComputed(isLeft))
        count += registers(perWarp(isLeft) * shape.slice, isFloat8 ? Float16Type::get(element.getContext()) : element);
  }
  return count;
}

} // namespace tegula
