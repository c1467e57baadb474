// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies by TMA. A copy moves boxes of at most 256 elements along each dimension, and with a swizzle of S bytes a box
// has rows of S bytes (PTX ISA, "Tensor Mode"): wide rows are copied panel by panel.
#include "ir/Arrangement.h"
#include "ir/Cluster.h"
#include "ir/Divisors.h"
#include "transforms/Kernels.h"
#include "transforms/Passes.h"
#include "transforms/explicit/PlaceShared.h"

#include "mlir/IR/SymbolTable.h"

#include <map>

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILETENSORMAPS
#include "transforms/Passes.h.inc"

namespace {

constexpr int64_t largestBox = 256;
/// One lane issues them all: more take longer than the copy.
constexpr size_t mostBoxes = 64;

/// The blocks of a cluster that a multicast copy joins.
struct Sharing {
  int64_t blocks = 1;
  Value index; ///< of this block among them
  Value mask;  ///< their ranks in the cluster, as bits
};

class TensorMaps {
public:
  TensorMaps(tile::KernelOp kernel, tile::LaunchKernelOp launch)
      : kernel(kernel), launch(launch), builder(kernel.getContext()) {}

  LogicalResult run();

private:
  /// A window of an array: where it begins in each dimension of the array, and how far it reaches.
  struct Window {
    BlockArgument array;
    SmallVector<Value> offsets; ///< null: 0
    SmallVector<int64_t> bounds;
    /// The array's dimension behind each of the window's.
    SmallVector<unsigned> dims;
  };
  /// One TMA copy: what it adds to the window's offsets, and where in shared memory it goes.
  struct Box {
    SmallVector<int64_t> offsets;
    int64_t sharedOffset = 0;
    /// The size along the last dimension.
    int64_t columns = 0;
  };
  /// How a copy is cut: all its boxes are of one size, but for the last ones of long rows.
  struct Cut {
    SmallVector<int64_t> box;
    SmallVector<Box> boxes;
    /// With several blocks: each starts this much further along `sharedDim`, and in shared memory.
    int64_t shareDim = -1, shareStep = 0, shareBytes = 0;
  };

  FailureOr<Window> windowOf(Value ref);
  FailureOr<Cut> cut(Operation *op, const Window &window, Value sharedRef, int64_t blocks);
  Value mapOf(const Window &window, const Cut &how, const Box &box, int64_t swizzle);
  Sharing sharingOf(std::optional<ArrayRef<int64_t>> axes, Location loc);
  SmallVector<Value> coordinates(const Window &window, const Box &box, const Cut &how, Value share, Location loc);
  LogicalResult replace(tile::CopyToSharedOp copy);
  LogicalResult replace(tile::CopyToGlobalOp copy);
  Value constant(Location loc, int64_t value) {
    return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value));
  }

  tile::KernelOp kernel;
  tile::LaunchKernelOp launch;
  OpBuilder builder;
  std::map<std::tuple<unsigned, std::vector<int64_t>, int64_t>, Value> maps;
};

FailureOr<TensorMaps::Window> TensorMaps::windowOf(Value ref) {
  if (auto argument = dyn_cast<BlockArgument>(ref)) {
    auto type = cast<tile::RefType>(ref.getType());
    Window window{argument, SmallVector<Value>(type.getRank()), {}, {}};
    for (int64_t i = 0; i < type.getRank(); ++i) {
      window.bounds.push_back(type.getBound(i));
      window.dims.push_back(i);
    }
    return window;
  }
  auto slice = ref.getDefiningOp<tile::SliceOp>();
  if (!slice)
    return emitError(ref.getLoc()) << "a copy takes a window of an array, in the order of the array's dimensions";
  FailureOr<Window> window = windowOf(slice.getSource());
  if (failed(window))
    return failure();
  SmallVector<unsigned> source = std::exchange(window->dims, {});
  for (auto [i, dim] : llvm::enumerate(source)) {
    if (slice.getMode(i) != tile::SliceMode::Element)
      window->dims.push_back(dim);
    if (slice.getMode(i) == tile::SliceMode::Whole)
      continue;
    Value offset = slice.getOffset(i);
    Value &sum = window->offsets[dim];
    if (sum) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointAfter(slice);
      sum = builder.create<arith::AddIOp>(slice.getLoc(), sum, offset);
    } else {
      sum = offset;
    }
    window->bounds[dim] = slice.getBound(i);
  }
  return window;
}

/// A power of two that divides where a ref begins in shared memory, for certain; allocations begin at more.
static int64_t alignmentOf(Value ref) {
  if (auto transpose = ref.getDefiningOp<tile::TransposeOp>())
    return alignmentOf(transpose.getSource());
  auto slice = ref.getDefiningOp<tile::SliceOp>();
  if (!slice)
    return copyAlignment;
  auto arrangement = tile::Arrangement::of(slice.getSource());
  int64_t alignment = alignmentOf(slice.getSource());
  for (unsigned dim = 0; dim < slice.getModes().size(); ++dim)
    if (Value offset = slice.getOffset(dim)) {
      int64_t divisor = std::min<int64_t>(tile::divisorOf(offset), 1 << 20);
      int64_t bytes = arrangement.offset(dim, divisor);
      alignment = std::min(alignment, bytes & -bytes);
    }
  return alignment;
}

/// The dimensions of the window that are more than one element.
static SmallVector<unsigned> wideDims(ArrayRef<int64_t> bounds) {
  SmallVector<unsigned> wide;
  for (auto [i, bound] : llvm::enumerate(bounds))
    if (bound > 1)
      wide.push_back(i);
  return wide;
}

/// Whether TMA takes such windows and such shared memory at all.
static LogicalResult checkTaken(Operation *op, ArrayRef<int64_t> bounds, tile::RefType shared,
                                const tile::Arrangement &arrangement, int64_t alignment) {
  if (alignment < copyAlignment)
    return op->emitError() << "TMA begins at multiples of " << copyAlignment
                           << " bytes of shared memory, and this place is at one of " << alignment
                           << " bytes: let the parts of shared memory that are copied be larger";
  if (bounds.size() > 5)
    return op->emitError() << "TMA copies from and to arrays of 1 to 5 dimensions, and this one has " << bounds.size()
                           << ": pass it with some of them folded into one";
  SmallVector<unsigned> wide = wideDims(bounds), sharedWide = wideDims(shared.getDims());
  bool isAlongRows = !bounds.empty() && (wide.empty() || wide.back() == bounds.size() - 1) &&
                     (sharedWide.empty() || sharedWide.back() == arrangement.inner);
  if (!isAlongRows)
    return op->emitError() << "a copy reaches along the array's last dimension and that of shared memory, whose "
                              "elements lie next to each other";
  if (int64_t bytes = bounds.back() * arrangement.elementBytes; bytes % 16 != 0)
    return op->emitError() << "rows of " << bytes << " bytes cannot be copied by TMA: it takes multiples of 16 bytes";
  return success();
}

/// Cuts a copy into boxes of the same size; with several blocks, into what one of them fetches. A box fills shared
/// memory without gaps: it takes in dimension after dimension, from the innermost one on, as long as that holds.
FailureOr<TensorMaps::Cut> TensorMaps::cut(Operation *op, const Window &window, Value sharedRef, int64_t blocks) {
  auto shared = cast<tile::RefType>(sharedRef.getType());
  auto arrangement = tile::Arrangement::of(sharedRef);
  if (failed(checkTaken(op, window.bounds, shared, arrangement, alignmentOf(sharedRef))))
    return failure();
  SmallVector<unsigned> wide = wideDims(window.bounds), sharedWide = wideDims(shared.getDims());
  unsigned inner = window.bounds.size() - 1;
  int64_t bytes = arrangement.elementBytes, columns = window.bounds[inner];
  bool isSwizzled = shared.getSwizzle() > 16;
  int64_t panel = isSwizzled ? arrangement.panelElements : std::min(columns, largestBox);
  // Rows in panels, and rows that several blocks fetch, have equal parts.
  int64_t rest = columns % panel;
  if (rest != 0 && (isSwizzled || blocks > 1))
    return op->emitError() << "rows of " << columns << " elements are no multiple of " << panel
                           << (isSwizzled ? ", of which this shared memory has its panels"
                                          : ", the most that one copy "
                                            "moves");
  Cut result;
  result.box.assign(window.bounds.size(), 1);
  result.box[inner] = panel;
  // Each dimension is walked through in steps of its box; `strides` is what a step adds in shared memory.
  SmallVector<int64_t> counts(window.bounds.size(), 1), strides(window.bounds.size(), 0);
  counts[inner] = columns / panel + (rest ? 1 : 0);
  strides[inner] = isSwizzled ? arrangement.panelBytes : panel * bytes;
  int64_t filled = panel * bytes;
  bool isWhole = isSwizzled || counts[inner] == 1;
  for (size_t i = 1; i < wide.size(); ++i) {
    unsigned dim = wide[wide.size() - 1 - i];
    int64_t bound = window.bounds[dim], stride = arrangement.strides[sharedWide[sharedWide.size() - 1 - i]];
    int64_t chunk = 1;
    if (isWhole && stride == filled) {
      chunk = bound;
      while (chunk > largestBox)
        chunk = chunk % 2 == 0 ? chunk / 2 : 1;
    }
    result.box[dim] = chunk;
    counts[dim] = bound / chunk;
    strides[dim] = chunk * stride;
    filled *= chunk;
    isWhole &= chunk == bound;
  }

  if (blocks > 1) { // A block fetches some of the panels, or some of the rows.
    int64_t row = wide.size() > 1 ? int64_t(wide[wide.size() - 2]) : -1;
    if (counts[inner] % blocks == 0) {
      result.shareDim = inner;
      counts[inner] /= blocks;
      result.shareStep = counts[inner] * panel;
      result.shareBytes = counts[inner] * strides[inner];
    } else if (row >= 0 && counts[row] % blocks == 0) {
      result.shareDim = row;
      counts[row] /= blocks;
      result.shareStep = counts[row] * result.box[row];
      result.shareBytes = counts[row] * strides[row];
    } else if (row >= 0 && counts[row] == 1 && result.box[row] % (8 * blocks) == 0 && wide.size() == 2) {
      result.shareDim = row;
      result.shareStep = result.box[row] / blocks;
      result.shareBytes = strides[row] / blocks;
      result.box[row] /= blocks;
    } else {
      return op->emitError() << "a multicast over " << blocks << " blocks cuts the window into as many equal parts of "
                             << "whole groups of 8 rows, or of panels, which its extents do not give";
    }
  }

  for (auto [count, stride] : llvm::zip(counts, strides))
    if (count > 1 && stride % copyAlignment != 0)
      return op->emitError() << "this copy takes several TMA copies, " << stride
                             << " bytes apart in shared memory, where "
                             << "they begin at multiples of " << copyAlignment
                             << ": lay out the shared memory as the window is";
  SmallVector<int64_t> at(window.bounds.size(), 0);
  while (true) {
    Box box{SmallVector<int64_t>(window.bounds.size()), 0, panel};
    if (rest != 0 && at[inner] + 1 == counts[inner])
      box.columns = rest;
    for (auto [dim, index] : llvm::enumerate(at)) {
      box.offsets[dim] = index * result.box[dim];
      box.sharedOffset += index * strides[dim];
    }
    result.boxes.push_back(box);
    int64_t dim = inner;
    while (dim >= 0 && ++at[dim] == counts[dim])
      at[dim--] = 0;
    if (dim < 0)
      break;
  }
  if (result.boxes.size() > mostBoxes)
    return op->emitError() << "this copy takes " << result.boxes.size() << " TMA copies, which is more than "
                           << mostBoxes << ": lay out the shared memory as the window is, or copy less at a time";
  return result;
}

/// The kernel's argument that holds the map; made once for all copies of such boxes.
Value TensorMaps::mapOf(const Window &window, const Cut &how, const Box &box, int64_t swizzle) {
  unsigned number = window.array.getArgNumber();
  SmallVector<int64_t> size = how.box;
  size.back() = box.columns;
  Value &known = maps[{number, std::vector<int64_t>(size.begin(), size.end()), swizzle}];
  if (known)
    return known;
  OpBuilder host(launch);
  Value map = host.create<tile::TensorMapOp>(launch.getLoc(), launch.getArguments()[number], size, swizzle);
  launch.getArgumentsMutable().append(map);
  kernel.insertArgument(kernel.getNumArguments(), map.getType(), {}, window.array.getLoc());
  return known = kernel.getArguments().back();
}

Sharing TensorMaps::sharingOf(std::optional<ArrayRef<int64_t>> axes, Location loc) {
  Sharing sharing;
  ArrayRef<int64_t> shared = axes.value_or(ArrayRef<int64_t>());
  tile::ClusterShape cluster(kernel.getClusterShape().value_or(ArrayRef<int64_t>()));
  Value rank, others;
  for (int64_t axis : shared) {
    int64_t size = cluster.size(axis), stride = cluster.stride(axis);
    if (size == 1)
      continue;
    if (!rank)
      others = rank = builder.create<tile::ClusterRankOp>(loc);
    Value along = rank;
    if (stride > 1)
      along = builder.create<arith::DivUIOp>(loc, along, constant(loc, stride));
    if (axis > 0)
      along = builder.create<arith::RemUIOp>(loc, along, constant(loc, size));
    others = builder.create<arith::SubIOp>(
        loc, others, stride == 1 ? along : builder.create<arith::MulIOp>(loc, along, constant(loc, stride)));
    sharing.index = !sharing.index
                        ? along
                        : builder.create<arith::AddIOp>(
                              loc, builder.create<arith::MulIOp>(loc, sharing.index, constant(loc, size)), along);
    sharing.blocks *= size;
  }
  if (sharing.blocks == 1)
    return sharing;
  sharing.mask = builder.create<arith::ShLIOp>(loc, constant(loc, cluster.ranksAlong(shared)), others);
  return sharing;
}

SmallVector<Value> TensorMaps::coordinates(const Window &window, const Box &box, const Cut &how, Value share,
                                           Location loc) {
  SmallVector<Value> result;
  for (auto [i, offset] : llvm::enumerate(window.offsets)) {
    Value sum = offset;
    auto add = [&](Value more) { sum = sum ? builder.create<arith::AddIOp>(loc, sum, more).getResult() : more; };
    if (share && how.shareDim == static_cast<int64_t>(i))
      add(builder.create<arith::MulIOp>(loc, share, constant(loc, how.shareStep)));
    if (box.offsets[i] != 0)
      add(constant(loc, box.offsets[i]));
    result.push_back(sum ? sum : constant(loc, 0));
  }
  return result;
}

LogicalResult TensorMaps::replace(tile::CopyToSharedOp copy) {
  Location loc = copy.getLoc();
  builder.setInsertionPoint(copy);
  FailureOr<Window> window = windowOf(copy.getSource());
  if (failed(window))
    return failure();
  Sharing sharing = sharingOf(copy.getMulticast(), loc);
  tile::RefType shared = copy.getTarget().getType();
  FailureOr<Cut> how = cut(copy, *window, copy.getTarget(), sharing.blocks);
  if (failed(how))
    return failure();
  Value start;
  if (sharing.index)
    start = builder.create<arith::MulIOp>(loc, sharing.index, constant(loc, how->shareBytes));
  for (auto [i, box] : llvm::enumerate(how->boxes)) {
    Value offset = start;
    if (box.sharedOffset != 0) {
      Value more = constant(loc, box.sharedOffset);
      offset = offset ? builder.create<arith::AddIOp>(loc, offset, more).getResult() : more;
    }
    builder.create<tile::TmaLoadOp>(loc, mapOf(*window, *how, box, shared.getSwizzle()),
                                    coordinates(*window, box, *how, sharing.index, loc), copy.getTarget(),
                                    copy.getBarriers(), copy.getIndex(), copy.getPredicate(), sharing.mask, offset,
                                    i == 0 ? shared.getSizeInBytes() : 0);
  }
  copy.erase();
  return success();
}

LogicalResult TensorMaps::replace(tile::CopyToGlobalOp copy) {
  Location loc = copy.getLoc();
  builder.setInsertionPoint(copy);
  FailureOr<Window> window = windowOf(copy.getTarget());
  if (failed(window))
    return failure();
  kernel.setArgAttr(window->array.getArgNumber(), tile::writtenByCopies, builder.getUnitAttr());
  tile::RefType shared = copy.getSource().getType();
  FailureOr<Cut> how = cut(copy, *window, copy.getSource(), 1);
  if (failed(how))
    return failure();
  for (auto [i, box] : llvm::enumerate(how->boxes)) {
    Value offset = box.sharedOffset ? constant(loc, box.sharedOffset) : Value();
    builder.create<tile::TmaStoreOp>(loc, copy.getSource(), offset, mapOf(*window, *how, box, shared.getSwizzle()),
                                     coordinates(*window, box, *how, {}, loc), copy.getPredicate(),
                                     copy.getCommit() && i + 1 == how->boxes.size());
  }
  copy.erase();
  return success();
}

LogicalResult TensorMaps::run() {
  SmallVector<Operation *> copies;
  kernel.walk([&](Operation *op) {
    if (isa<tile::CopyToSharedOp, tile::CopyToGlobalOp>(op))
      copies.push_back(op);
  });
  for (Operation *op : copies) {
    auto load = dyn_cast<tile::CopyToSharedOp>(op);
    if (failed(load ? replace(load) : replace(cast<tile::CopyToGlobalOp>(op))))
      return failure();
  }
  removeDeadCode(kernel);
  SmallVector<Value> kept;
  SmallVector<Value> arguments(launch.getArguments());
  for (unsigned argument : dropUnusedArguments(kernel))
    kept.push_back(arguments[argument]);
  launch.getArgumentsMutable().assign(kept);
  return success();
}

struct TileTensorMaps : impl::TileTensorMapsBase<TileTensorMaps> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<tile::LaunchKernelOp> launches;
    getOperation().walk([&](tile::LaunchKernelOp launch) {
      if (launch->getParentOfType<tile::LaunchOp>().isExplicit())
        launches.push_back(launch);
    });
    for (tile::LaunchKernelOp launch : launches)
      if (failed(TensorMaps(symbols.lookup<tile::KernelOp>(launch.getKernel()), launch).run()))
        return signalPassFailure();
  }
};
} // namespace
} // namespace tegula
