// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of 4 bits have no addresses: two share a byte, along the last dimension of their array. What programs do
// with such arrays begins and ends with bytes.
#include "analysis/Divisors.h"
#include "analysis/Symbols.h"
#include "checks/Passes.h"
#include "ir/Elements.h"
#include "ir/Locations.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILECHECKPACKED
#include "checks/Passes.h.inc"

namespace {

bool isPackedRef(Value ref) {
  auto type = dyn_cast<tile::RefType>(ref.getType());
  return type && isPacked(type.getElementType());
}

class PackedChecker {
public:
  explicit PackedChecker(tile::LaunchOp launch) : launch(launch) {}

  LogicalResult check() {
    if (launch.isExplicit())
      return checkExplicit();
    launch.getBody().walk([&](Operation *op) {
      if (auto slice = dyn_cast<tile::SliceOp>(op); slice && isPackedRef(slice.getSource()))
        checkSlice(slice);
      else if (auto strided = dyn_cast<tile::StridedSliceOp>(op); strided && isPackedRef(strided.getSource()))
        checkStrided(strided);
      else if (auto transpose = dyn_cast<tile::TransposeOp>(op); transpose && isPackedRef(transpose.getSource()))
        checkTranspose(transpose);
      else if (auto gather = dyn_cast<tile::GatherOp>(op))
        checkIndirect(gather, "or load all of it and take elements of the tile, tg::take<1>(x[tg::all], i)");
      else if (auto scatter = dyn_cast<tile::ScatterOp>(op))
        checkIndirect(scatter, "and store all of it");
    });
    return failure(isRefused);
  }

private:
  /// What the user calls the array of a ref.
  std::string nameOf(Value ref) {
    BlockArgument array = tile::arrayOf(ref);
    return array && array.getOwner() == &launch.getBody().front()
               ? nameOfArray(launch.getArguments()[array.getArgNumber()])
               : "the array";
  }

  void refuse(Operation *op, Value ref, const Twine &what) {
    isRefused = true;
    emitError(tile::withoutName(op->getLoc()))
        << nameOf(ref) << " packs two elements per byte along its last dimension, but " << what;
  }

  void checkSlice(tile::SliceOp slice) {
    if (slice.getSource().getType().getRank() == 0)
      return;
    unsigned inner = slice.getSource().getType().getRank() - 1;
    if (slice.getMode(inner) == tile::SliceMode::Element)
      return refuse(slice, slice.getSource(),
                    "this takes one element of it: take a window that begins at an even index, tg::ds<2>(2 * i), or "
                    "the whole dimension, tg::all");
    if (slice.getMode(inner) != tile::SliceMode::Window)
      return;
    if (tile::divisorOf(slice.getOffset(inner)) % 2 != 0)
      return refuse(slice, slice.getSource(),
                    "the start of this window is not known to be even: write a multiple of 2, tg::ds<64>(2 * i), "
                    "promise one, tg::multiple_of<2>(i), or take the whole dimension, tg::all");
    Value size = slice.getSize(inner);
    if (size ? tile::divisorOf(size) % 2 != 0 : slice.getBound(inner) % 2 != 0)
      refuse(slice, slice.getSource(),
             "the size of this window is not known to be even: write a multiple of 2, which is clipped to the array, "
             "promise one, tg::multiple_of<2>(n), or take the whole dimension, tg::all");
  }

  void checkStrided(tile::StridedSliceOp strided) {
    if (static_cast<int64_t>(strided.getAxis()) + 1 == strided.getType().getRank())
      refuse(strided, strided.getSource(),
             "a window with a step takes single elements of it: load all of it and slice the tile, "
             "x[tg::all][tg::ds<32>(0, 2)]");
  }

  void checkTranspose(tile::TransposeOp transpose) {
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    if (permutation.back() + 1 != static_cast<int64_t>(permutation.size()))
      refuse(transpose, transpose.getSource(),
             "this view moves that dimension: transpose the loaded tile, tg::transpose(x[tg::all])");
  }

  template <class IndirectOp> void checkIndirect(IndirectOp op, const Twine &remedy) {
    if (isPackedRef(op.getRef()) && llvm::is_contained(op.getDims(), op.getRef().getType().getRank() - 1))
      refuse(op, op.getRef(),
             "indices select single elements of it, which have no addresses: index the other dimensions, " + remedy);
  }

  LogicalResult checkExplicit() {
    for (Value argument : launch.getArguments())
      if (auto array = dyn_cast<tile::ArrayType>(argument.getType()); array && isPacked(array.getElementType()))
        return emitError(tile::withoutName(launch.getLoc()))
               << nameOfArray(argument)
               << " packs two elements per byte, and a tg::kernel cannot take such an array: use "
               << "tg::pallas_call, or copy its bytes, as an array of tg::u8";
    WalkResult result = launch.getBody().walk([&](tile::AllocOp alloc) {
      if (!isPacked(alloc.getType().getElementType()))
        return WalkResult::advance();
      emitError(tile::withoutName(alloc.getLoc()))
          << "shared memory cannot hold elements of 4 bits, which are packed in arrays only: allocate tg::s8, or "
          << "the dtype that they are converted to";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  tile::LaunchOp launch;
  bool isRefused = false;
};

struct TileCheckPacked : impl::TileCheckPackedBase<TileCheckPacked> {
  void runOnOperation() override {
    bool isRefused = false;
    getOperation().walk([&](tile::LaunchOp launch) { isRefused |= failed(PackedChecker(launch).check()); });
    if (isRefused)
      signalPassFailure();
  }
};

} // namespace
} // namespace tegula
