// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of products on tensor cores (TileTensorCores.td).
#include "ir/Arrangement.h"
#include "ir/Wgmma.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tegula::tile;

static RankedTensorType matrixOf(Type type) {
  auto ref = dyn_cast<RefType>(type);
  return ref ? ref.getTileType() : cast<RankedTensorType>(type);
}

int64_t WgmmaOp::getRows() { return matrixOf(getA().getType()).getDimSize(0); }
int64_t WgmmaOp::getColumns() { return matrixOf(getB().getType()).getDimSize(1); }

/// A part of the accumulator consists of what instructions add to.
static LogicalResult verifyPart(WgmmaOp op, RankedTensorType acc, int64_t m, int64_t n) {
  ArrayRef<int64_t> at = *op.getAt();
  if (at.size() != 2 || at[0] < 0 || at[1] < 0 || at[0] % tegula::WgmmaTypes::rows != 0 || at[1] % 8 != 0)
    return op.emitOpError("adds to a part that begins at a multiple of 64 rows and of 8 columns, not at [")
           << at << "]";
  if (at[0] + m > acc.getDimSize(0) || at[1] + n > acc.getDimSize(1))
    return op.emitOpError("adds ") << m << " x " << n << " at [" << at << "], which lies outside of " << acc;
  return success();
}

LogicalResult WgmmaOp::verify() {
  RankedTensorType acc = getType(), a = matrixOf(getA().getType()), b = matrixOf(getB().getType());
  if (acc.getRank() != 2 || a.getRank() != 2 || b.getRank() != 2)
    return emitOpError("multiplies matrices");
  if (auto ref = dyn_cast<RefType>(getA().getType()); (ref && !ref.isShared()) || !getB().getType().isShared())
    return emitOpError("takes its operands from shared memory or registers");
  for (Value factor : {Value(getA()), Value(getB())})
    if (isa<RefType>(factor.getType()) && failed(verifyOwn(*this, factor)))
      return failure();
  int64_t m = getRows(), n = getColumns(), k = a.getDimSize(1);
  bool isWhole = m == acc.getDimSize(0) && n == acc.getDimSize(1);
  if ((!isWhole && !getAt()) || b.getDimSize(0) != k)
    return emitOpError("multiplies ") << a << " and " << b << " into " << acc;
  if (getAt() && failed(verifyPart(*this, acc, m, n)))
    return failure();
  std::optional<WgmmaTypes> types = findWgmma(a.getElementType(), b.getElementType(), acc.getElementType());
  if (!types)
    return emitOpError("has no instruction for ")
           << a.getElementType() << " and " << b.getElementType() << " into " << acc.getElementType();
  if (m % WgmmaTypes::rows != 0 || types->instructionColumns(n).empty())
    return emitOpError("adds to a multiple of ")
           << WgmmaTypes::rows << " rows and of " << (types->areIntegers() ? "16 columns, or 8 or 24" : "8 columns")
           << ", at most " << 2 * WgmmaTypes::mostColumns << ": not " << acc;
  if (k % types->depth() != 0)
    return emitOpError("contracts a multiple of ") << types->depth() << " elements, not " << k;
  return success();
}

LogicalResult WgmmaWaitOp::verify() {
  if (static_cast<int64_t>(getPending()) < 0 || getPending() > 7)
    return emitOpError("waits for 0 to 7 pending products");
  if (getAccumulators().getTypes() != getResults().getTypes())
    return emitOpError("passes its accumulators through");
  return success();
}

/// What no product adds to, a tile that ordinary ops make, need not pass through a wait.
static LogicalResult passFewer(WgmmaWaitOp op, PatternRewriter &rewriter) {
  SmallVector<Value> passed, results(op.getAccumulators());
  SmallVector<unsigned> places;
  for (auto [i, accumulator] : llvm::enumerate(op.getAccumulators())) {
    Operation *source = accumulator.getDefiningOp();
    if (source && source->getNumRegions() == 0 && !isa<WgmmaOp, WgmmaWaitOp>(source))
      continue;
    passed.push_back(accumulator);
    places.push_back(i);
  }
  if (passed.size() == results.size())
    return failure();
  auto fewer = rewriter.create<WgmmaWaitOp>(op.getLoc(), op.getPending(), passed);
  for (auto [place, result] : llvm::zip(places, fewer.getResults()))
    results[place] = result;
  rewriter.replaceOp(op, results);
  return success();
}

/// A wait with nothing issued since the wait for everything before it is none.
LogicalResult WgmmaWaitOp::canonicalize(WgmmaWaitOp op, PatternRewriter &rewriter) {
  if (succeeded(passFewer(op, rewriter)))
    return success();
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    auto wait = dyn_cast<WgmmaWaitOp>(before);
    if (wait && wait.getPending() == 0) {
      rewriter.replaceOp(op, op.getAccumulators());
      return success();
    }
    if (isa<WgmmaOp>(before) || before->getNumRegions() > 0)
      return failure();
  }
  return failure();
}

LogicalResult MmaOp::verify() {
  RankedTensorType acc = getType(), a = getA().getType(), b = getB().getType();
  if (acc.getRank() != 2 || a.getRank() != 2 || b.getRank() != 2)
    return emitOpError("multiplies matrices");
  int64_t m = acc.getDimSize(0), n = acc.getDimSize(1), k = a.getDimSize(1);
  if (a.getDimSize(0) != m || b.getDimSize(0) != n || b.getDimSize(1) != k ||
      bytesOf(a.getElementType()) != bytesOf(b.getElementType()))
    return emitOpError("multiplies ") << a << " and a transposed " << b << " into " << acc;
  std::optional<WgmmaTypes> types = findMma(a.getElementType(), b.getElementType(), acc.getElementType());
  if (!types)
    return emitOpError("has no instruction for ")
           << a.getElementType() << " and " << b.getElementType() << " into " << acc.getElementType();
  int64_t instructionK = types->depth();
  if (m % 16 != 0 || n % 8 != 0 || k % instructionK != 0)
    return emitOpError("multiplies multiples of 16 rows, 8 columns and ")
           << instructionK << " elements that are summed, not " << m << " x " << n << " x " << k;
  return success();
}
