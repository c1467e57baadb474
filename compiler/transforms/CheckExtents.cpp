// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proves that tiles which meet have equal extents, and replaces the dims of tiles by those of the refs they come from.
#include "transforms/Extents.h"
#include "transforms/Passes.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILECHECKEXTENTS
#include "transforms/Passes.h.inc"

namespace {
struct CheckExtents : impl::TileCheckExtentsBase<CheckExtents> {
  void runOnOperation() override {
    bool failed = false;
    getOperation().walk([&](tile::LaunchOp launch) { failed |= mlir::failed(check(launch)); });
    if (failed)
      signalPassFailure();
  }

  LogicalResult check(tile::LaunchOp launch) {
    if (launch.isExplicit())
      return resolveStatic(launch);
    Extents extents(launch);
    for (const ExtentConflict &conflict : extents.conflicts())
      report(conflict, extents.symbols());
    if (!extents.conflicts().empty())
      return failure();
    SmallVector<tile::DimOp> dims;
    launch.getBody().walk([&](tile::DimOp dim) {
      if (isa<RankedTensorType>(dim.getSource().getType()))
        dims.push_back(dim);
    });
    LogicalResult result = success();
    for (tile::DimOp dim : dims)
      if (failed(resolve(dim, extents)))
        result = failure();
    return result;
  }

  /// At the explicit level tiles are whole.
  static LogicalResult resolveStatic(tile::LaunchOp launch) {
    launch.getBody().walk([](tile::DimOp dim) {
      auto tile = dyn_cast<RankedTensorType>(dim.getSource().getType());
      if (!tile)
        return;
      OpBuilder builder(dim);
      dim.replaceAllUsesWith(Value(
          builder.create<arith::ConstantOp>(dim.getLoc(), builder.getI64IntegerAttr(tile.getDimSize(dim.getAxis())))));
      dim.erase();
    });
    return success();
  }

  static void report(const ExtentConflict &conflict, const Symbols &symbols) {
    std::string left = symbols.describe(conflict.left), right = symbols.describe(conflict.right);
    if (conflict.isInner)
      return reportInner(conflict, symbols);
    StringRef what = isa<tile::StoreOp>(conflict.op)  ? "the tile and the place that it is stored to"
                     : isa<tile::LoadOp>(conflict.op) ? "the block, its mask and what stands where that is false"
                     : isa<tile::DotOp>(conflict.op)  ? "the factors of this product"
                     : isa<scf::IfOp>(conflict.op)    ? "a tile that the two sides of this branch make"
                     : isa<scf::ForOp, scf::WhileOp>(conflict.op) ? "a tile before and after an iteration of this loop"
                                                                  : "these tiles";
    InFlightDiagnostic diagnostic = conflict.op->emitError();
    diagnostic << what << " may differ in extent along dimension " << conflict.dim << ": " << left << " and " << right;
    bool nameable = StringRef(left).contains(".dim(") && StringRef(right).contains(".dim(") &&
                    !StringRef(left).starts_with("at most") && !StringRef(right).starts_with("at most");
    // All of a block, and what lies inside the array of one.
    auto isPartOf = [](StringRef part, StringRef whole) {
      return part.consume_front("at most ") && part.consume_front(whole) && part.starts_with(" ");
    };
    if (isPartOf(left, right) || isPartOf(right, left))
      diagnostic.attachNote() << "a block at the edge of its array has fewer elements than its type says: "
                                 "tg::load(block, true, other) gives all of them";
    else if (nameable)
      diagnostic.attachNote() << "refuse other calls before the launch: tg::check(" << left << " == " << right
                              << ", \"...\")";
    else if (left == "1" || right == "1")
      diagnostic.attachNote() << "only a static extent of 1 broadcasts: say so in the shape of the block";
    else
      diagnostic.attachNote() << "tiles meet if they are cut alike: the same block shape, the same index map, and "
                                 "arrays whose dims tg::check compares before the launch";
  }

  static void reportInner(const ExtentConflict &conflict, const Symbols &symbols) {
    InFlightDiagnostic diagnostic = conflict.op->emitError();
    diagnostic << "a tile that this " << (isa<scf::IfOp>(conflict.op) ? "branch makes" : "loop carries")
               << " has an extent along dimension " << conflict.dim
               << " that is known only inside: " << symbols.describe(conflict.left);
    std::string check;
    if (std::optional<Symbols::Window> window = symbols.windowOf(conflict.left))
      if (std::optional<int64_t> size = symbols.constantOf(window->size);
          size && *size > 0 && symbols.isMultiple(window->start, *size))
        if (std::string length = symbols.describe(window->dim); StringRef(length).contains(".dim("))
          check = "; or refuse parts of blocks before the launch: tg::check(" + length + " % " + std::to_string(*size) +
                  " == 0, \"...\")";
    diagnostic.attachNote() << "carry whole blocks: tg::load(block, true, other) gives all elements of one at the edge"
                            << check;
  }

  static LogicalResult resolve(tile::DimOp dim, Extents &extents) {
    const Extent &extent = extents.of(dim.getSource(), dim.getAxis());
    Value value;
    if (extent.symbol) {
      value = extents.valueOf(extent, dim);
      if (!value)
        return dim.emitError() << "the extent of this tile is known only later: ask the ref that it comes from";
    } else {
      int64_t size = cast<RankedTensorType>(dim.getSource().getType()).getDimSize(dim.getAxis());
      if (ShapedType::isDynamic(size))
        return dim.emitError() << "this tile takes the extent of what it meets: ask the ref or the tile that has one";
      OpBuilder builder(dim);
      value = builder.create<arith::ConstantOp>(dim.getLoc(), builder.getI64IntegerAttr(size));
    }
    dim.replaceAllUsesWith(value);
    dim.erase();
    return success();
  }
};
} // namespace
} // namespace tegula
