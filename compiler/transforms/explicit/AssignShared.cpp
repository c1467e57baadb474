// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How shared memory is arranged. (Where it lies: PlaceShared.h.)
//
// TMA and the matrix units share a family of arrangements (PTX ISA, "Swizzling modes"): rows of 32, 64 or 128 bytes
// whose 16-byte units change places within each 8 rows, so that both rows and columns of units meet all banks. Wider
// rows are cut into panels. One arrangement per allocation serves all its uses.
#include "ir/TileDialect.h"
#include "support/Target.h"
#include "transforms/Passes.h"
#include "transforms/explicit/PlaceShared.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILEASSIGNSHARED
#include "transforms/Passes.h.inc"

namespace {

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

struct AssignShared : impl::TileAssignSharedBase<AssignShared> {
  using TileAssignSharedBase::TileAssignSharedBase;

  void runOnOperation() override {
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>()) {
      kernel.walk([](tile::AllocOp alloc) {
        int64_t pinned = alloc.getType().getSwizzle();
        setSwizzle(alloc, pinned ? pinned : chooseSwizzle(alloc));
      });
      const Target *target = findTarget(std::string(arch));
      if (!target) {
        kernel.emitError() << unknownTargetMessage(std::string(arch));
        return signalPassFailure();
      }
      if (failed(placeShared(kernel, target->archClass->sharedBytes, target->name)))
        return signalPassFailure();
    }
  }
};
} // namespace
} // namespace tegula
