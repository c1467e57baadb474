// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How shared memory is arranged and where it lies.
//
// TMA and the matrix units share a family of arrangements (PTX ISA, "Swizzling modes"): rows of 32, 64 or 128 bytes
// whose 16-byte units change places within each 8 rows, so that both rows and columns of units meet all banks. Wider
// rows are cut into panels. One arrangement per allocation serves all its uses.
#include "ir/TileDialect.h"
#include "transforms/Passes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILEASSIGNSHARED
#include "transforms/Passes.h.inc"

namespace {

/// What a block can have on sm_90 and sm_100: 227 KiB (CUDA C++ Programming Guide, compute capabilities).
constexpr int64_t mostSharedBytes = 227 * 1024;
/// TMA reads and writes shared memory at multiples of this (PTX ISA, cp.async.bulk.tensor).
constexpr int64_t copyAlignment = 128;

/// Whether copies or matrix units touch the memory behind a ref.
bool isUsedByUnits(Value ref) {
  return llvm::any_of(ref.getUsers(), [](Operation *user) {
    if (isa<tile::SliceOp, tile::TransposeOp>(user))
      return isUsedByUnits(user->getResult(0));
    return isa<tile::CopyToSharedOp, tile::CopyToGlobalOp, tile::WgmmaOp>(user);
  });
}

int64_t chooseSwizzle(tile::AllocOp alloc) {
  tile::RefType type = alloc.getType();
  int64_t rank = type.getRank();
  if (rank < 2 || !isUsedByUnits(alloc) || type.getDims()[rank - 2] % 8 != 0)
    return 16;
  int64_t rowBytes = type.getDims().back() * tile::bytesOf(type.getElementType());
  for (int64_t swizzle : {128, 64, 32})
    if (rowBytes % swizzle == 0)
      return swizzle;
  return 16;
}

/// Windows and views have the arrangement of what they are windows of.
void setSwizzle(Value ref, int64_t swizzle) {
  auto type = cast<tile::RefType>(ref.getType());
  ref.setType(tile::RefType::inShared(type.getElementType(), type.getDims(), swizzle));
  for (Operation *user : ref.getUsers())
    if (isa<tile::SliceOp, tile::TransposeOp>(user))
      setSwizzle(user->getResult(0), swizzle);
}

std::string nameOf(Operation *op) {
  if (auto name = dyn_cast<NameLoc>(op->getLoc()))
    return name.getName().str();
  return "without a name";
}

LogicalResult place(tile::KernelOp kernel) {
  int64_t end = 0;
  SmallVector<std::pair<Operation *, int64_t>> sizes;
  auto take = [&](Operation *op, int64_t bytes, int64_t alignment) {
    int64_t offset = llvm::alignTo(end, alignment);
    end = offset + bytes;
    sizes.emplace_back(op, bytes);
    return offset;
  };
  // What needs the most alignment comes first: nothing is lost between.
  for (int64_t swizzle : {128, 64, 32, 16})
    kernel.walk([&](tile::AllocOp alloc) {
      if (alloc.getType().getSwizzle() == swizzle)
        alloc.setOffset(take(alloc, alloc.getType().getSizeInBytes(), std::max(8 * swizzle, copyAlignment)));
    });
  kernel.walk([&](tile::AllocBarriersOp barriers) {
    barriers.setOffset(take(barriers, 8 * barriers.getType().getCount(), 8));
  });
  if (end == 0)
    return success();
  kernel.setSharedBytes(end);
  if (end <= mostSharedBytes)
    return success();
  InFlightDiagnostic diagnostic = kernel.emitError()
                                  << "a block of this kernel needs " << end << " bytes of shared memory, and can have "
                                  << mostSharedBytes << ": use smaller tiles or fewer steps at a time";
  for (auto [op, bytes] : sizes)
    diagnostic.attachNote(op->getLoc()) << bytes << " bytes: " << nameOf(op);
  return failure();
}

struct AssignShared : impl::TileAssignSharedBase<AssignShared> {
  void runOnOperation() override {
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>()) {
      kernel.walk([](tile::AllocOp alloc) {
        int64_t pinned = alloc.getType().getSwizzle();
        setSwizzle(alloc, pinned ? pinned : chooseSwizzle(alloc));
      });
      if (failed(place(kernel)))
        return signalPassFailure();
    }
  }
};
} // namespace
} // namespace tegula
