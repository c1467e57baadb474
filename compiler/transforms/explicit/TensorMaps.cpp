// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies by TMA: windows of arrays become tensor maps, made by the host, and coordinates. (Which boxes: CopyBoxes.h.)
#include "ir/TensorMaps.h"
#include "ir/Arrangement.h"
#include "ir/Cluster.h"
#include "ir/KernelAttributes.h"
#include "transforms/Kernels.h"
#include "transforms/Passes.h"
#include "transforms/explicit/CopyBoxes.h"
#include "transforms/products/PanelStores.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILETENSORMAPS
#include "transforms/Passes.h.inc"

namespace {

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
  /// A window of an array: where it begins in each dimension of the tensor map, and how far it reaches.
  struct Window {
    BlockArgument array;
    SmallVector<int64_t> order;   ///< the array's dimension behind each of the map's
    SmallVector<Value> offsets{}; ///< null: 0
    SmallVector<int64_t> bounds{};
  };
  FailureOr<Window> windowOf(Value ref);
  void countBytes(Window &window);
  /// With the map's dimensions in the array's order.
  FailureOr<Window> windowInArrayOrder(Value ref);
  /// What a tensor map says beyond windows and boxes.
  struct Reading {
    std::optional<int64_t> clipped = std::nullopt;
    /// What is outside is NaN.
    bool isNan = false;
    /// Signed integers are read as unsigned ones.
    bool isUnsigned = false;
    auto operator<=>(const Reading &) const = default;
  };
  Value mapOf(const Window &window, const CopyBox &box, int64_t swizzle, const Reading &reading);
  std::optional<int64_t> clippedDim(tile::CopyToSharedOp copy, const Window &window, const CopyBoxes &how);
  Value bytesOf(tile::CopyToSharedOp copy, const Window &window, std::optional<int64_t> clipped);
  Sharing sharingOf(std::optional<ArrayRef<int64_t>> axes, Location loc);
  SmallVector<Value> coordinates(const Window &window, const CopyBox &box, const CopyShare &share, Value index,
                                 Location loc);
  LogicalResult replace(tile::CopyToSharedOp copy);
  LogicalResult replace(tile::CopyToGlobalOp copy);
  LogicalResult replace(tile::PrefetchOp prefetch);
  Value constant(Location loc, int64_t value) {
    return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value));
  }

  tile::KernelOp kernel;
  tile::LaunchKernelOp launch;
  OpBuilder builder;
  /// By array, order of dimensions, box, swizzle and reading.
  std::map<std::tuple<unsigned, std::vector<int64_t>, std::vector<int64_t>, int64_t, Reading>, Value> maps;
};

FailureOr<TensorMaps::Window> TensorMaps::windowOf(Value ref) {
  FailureOr<Window> inOrder = windowInArrayOrder(ref);
  if (failed(inOrder))
    return failure();
  Window window{inOrder->array, tile::copyOrderOf(ref)};
  if (isPacked(cast<tile::RefType>(ref.getType()).getElementType()))
    countBytes(*inOrder);
  for (int64_t dim : window.order) {
    window.offsets.push_back(inOrder->offsets[dim]);
    window.bounds.push_back(inOrder->bounds[dim]);
  }
  return window;
}

/// Maps of packed elements are of their bytes, with which windows begin and end.
void TensorMaps::countBytes(Window &window) {
  Value &offset = window.offsets.back();
  int64_t &bound = window.bounds.back();
  bound = ShapedType::isDynamic(bound) ? bound : llvm::divideCeil(bound, 2);
  if (offset)
    offset = builder.create<arith::ShRUIOp>(offset.getLoc(), offset, constant(offset.getLoc(), 1));
}

FailureOr<TensorMaps::Window> TensorMaps::windowInArrayOrder(Value ref) {
  if (auto argument = dyn_cast<BlockArgument>(ref)) {
    auto type = cast<tile::RefType>(ref.getType());
    Window window{argument, tile::copyOrderOf(ref), SmallVector<Value>(type.getRank())};
    for (int64_t i = 0; i < type.getRank(); ++i)
      window.bounds.push_back(type.getBound(i));
    return window;
  }
  if (auto view = ref.getDefiningOp<tile::TransposeOp>())
    return windowInArrayOrder(view.getSource());
  auto slice = ref.getDefiningOp<tile::SliceOp>();
  if (!slice)
    return emitError(ref.getLoc()) << "a copy must have a window of an array";
  FailureOr<Window> window = windowInArrayOrder(slice.getSource());
  if (failed(window))
    return failure();
  for (auto [i, dim] : llvm::enumerate(tile::arrayDimsOf(slice.getSource()))) {
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

/// The kernel's argument that holds the map; made once for all copies of such boxes.
Value TensorMaps::mapOf(const Window &window, const CopyBox &box, int64_t swizzle, const Reading &reading) {
  unsigned number = window.array.getArgNumber();
  Value &known = maps[{number, std::vector<int64_t>(window.order.begin(), window.order.end()),
                       std::vector<int64_t>(box.extents.begin(), box.extents.end()), swizzle, reading}];
  if (known)
    return known;
  OpBuilder host(launch);
  bool isInArrayOrder = llvm::is_sorted(window.order);
  auto map = host.create<tile::TensorMapOp>(
      launch.getLoc(), launch.getArguments()[number],
      isInArrayOrder ? DenseI64ArrayAttr() : host.getDenseI64ArrayAttr(window.order), box.extents, swizzle,
      reading.clipped ? host.getI64IntegerAttr(*reading.clipped) : IntegerAttr(), asksBefore(kernel, window.array),
      reading.isNan, reading.isUnsigned);
  launch.getArgumentsMutable().append(map.getResult());
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

SmallVector<Value> TensorMaps::coordinates(const Window &window, const CopyBox &box, const CopyShare &share,
                                           Value index, Location loc) {
  SmallVector<Value> result;
  for (auto [i, offset] : llvm::enumerate(window.offsets)) {
    Value sum = offset;
    auto add = [&](Value more) { sum = sum ? builder.create<arith::AddIOp>(loc, sum, more).getResult() : more; };
    if (index && share.dim == static_cast<int64_t>(i))
      add(builder.create<arith::MulIOp>(loc, index, constant(loc, share.step)));
    if (box.offsets[i] != 0)
      add(constant(loc, box.offsets[i]));
    result.push_back(sum ? sum : constant(loc, 0));
  }
  return result;
}

/// The dimension of the map along which boxes shrink with the array: TMA takes several times as long for a row of zeros
/// as for one that it copies.
std::optional<int64_t> TensorMaps::clippedDim(tile::CopyToSharedOp copy, const Window &window, const CopyBoxes &how) {
  if (!copy.getUnfilled() || how.share.dim >= 0)
    return std::nullopt;
  int64_t ofArray = tile::arrayDimsOf(copy.getSource())[*copy.getUnfilled()];
  int64_t dim = llvm::find(window.order, ofArray) - window.order.begin(), bound = window.bounds[dim];
  bool isWhole = llvm::all_of(how.boxes, [&](const CopyBox &box) { return box.extents[dim] == bound; });
  bool isInnermost = dim + 1 == static_cast<int64_t>(window.order.size());
  return isWhole && !isInnermost && bound % tile::rowsOfAtom == 0 ? std::optional(dim) : std::nullopt;
}

/// What a barrier waits for.
Value TensorMaps::bytesOf(tile::CopyToSharedOp copy, const Window &window, std::optional<int64_t> clipped) {
  Location loc = copy.getLoc();
  int64_t bytes = copy.getTarget().getType().getSizeInBytes();
  if (!clipped)
    return constant(loc, bytes);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  int64_t bound = window.bounds[*clipped];
  Value rows = builder.create<tile::DimOp>(loc, window.array, window.order[*clipped]);
  rows = builder.create<arith::AddIOp>(loc, rows, constant(loc, tile::rowsOfAtom - 1));
  rows = builder.create<arith::AndIOp>(loc, rows, constant(loc, -tile::rowsOfAtom));
  rows = builder.create<arith::MaxSIOp>(loc, rows, constant(loc, tile::rowsOfAtom));
  rows = builder.create<arith::MinSIOp>(loc, rows, constant(loc, bound));
  return builder.create<arith::MulIOp>(loc, rows, constant(loc, bytes / bound));
}

LogicalResult TensorMaps::replace(tile::CopyToSharedOp copy) {
  Location loc = copy.getLoc();
  builder.setInsertionPoint(copy);
  FailureOr<Window> window = windowOf(copy.getSource());
  if (failed(window))
    return failure();
  Sharing sharing = sharingOf(copy.getMulticast(), loc);
  tile::RefType shared = copy.getTarget().getType();
  FailureOr<CopyBoxes> how = cutCopy(copy, window->bounds, copy.getTarget(), sharing.blocks);
  if (failed(how))
    return failure();
  std::optional<int64_t> clipped = clippedDim(copy, *window, *how);
  Value start, bytes = bytesOf(copy, *window, clipped);
  if (sharing.index)
    start = builder.create<arith::MulIOp>(loc, sharing.index, constant(loc, how->share.bytes));
  for (auto [i, box] : llvm::enumerate(how->boxes)) {
    Value offset = start;
    if (box.sharedOffset != 0) {
      Value more = constant(loc, box.sharedOffset);
      offset = offset ? builder.create<arith::AddIOp>(loc, offset, more).getResult() : more;
    }
    Reading reading{clipped, copy.getOutside() == tile::Outside::Nan};
    builder.create<tile::TmaLoadOp>(loc, mapOf(*window, box, shared.getSwizzle(), reading),
                                    coordinates(*window, box, how->share, sharing.index, loc), copy.getTarget(),
                                    copy.getBarriers(), copy.getIndex(), copy.getPredicate(), sharing.mask, offset,
                                    i == 0 ? bytes : Value(), copy.getEvictionAttr());
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
  // TMA adds and combines bits of unsigned integers alone, which is the same; it orders signed ones, too.
  auto element = dyn_cast<IntegerType>(shared.getElementType());
  Reading reading;
  if (auto reduction = copy.getReduction(); reduction && element && !element.isUnsigned())
    reading.isUnsigned = *reduction != tile::CopyReduction::Min && *reduction != tile::CopyReduction::Max;
  FailureOr<CopyBoxes> how = cutCopy(copy, window->bounds, copy.getSource(), /*blocks=*/1);
  if (failed(how))
    return failure();
  for (auto [i, box] : llvm::enumerate(how->boxes)) {
    Value offset = box.sharedOffset ? constant(loc, box.sharedOffset) : Value();
    builder.create<tile::TmaStoreOp>(loc, copy.getSource(), offset, mapOf(*window, box, shared.getSwizzle(), reading),
                                     coordinates(*window, box, how->share, {}, loc), copy.getPredicate(),
                                     copy.getCommit() && i + 1 == how->boxes.size(), copy.getReductionAttr(),
                                     copy.getEvictionAttr());
  }
  copy.erase();
  return success();
}

/// How the blocks of a cluster share a prefetch: along a dimension that they divide, or else the longest one. The parts
/// are equal, so that the last ones may end behind the window, and begin at units of 16 bytes.
static CopyShare shareOf(ArrayRef<int64_t> bounds, int64_t blocks, int64_t unit) {
  CopyShare share;
  if (blocks == 1 || bounds.empty())
    return share;
  int64_t last = static_cast<int64_t>(bounds.size()) - 1;
  auto parts = [&](int64_t dim) { return dim == last ? llvm::divideCeil(bounds[dim], unit) : bounds[dim]; };
  share.dim = 0;
  for (int64_t dim = 0; dim <= last; ++dim) {
    if (parts(dim) % blocks == 0) {
      share.dim = dim;
      break;
    }
    if (parts(dim) > parts(share.dim))
      share.dim = dim;
  }
  share.step = llvm::divideCeil(parts(share.dim), blocks) * (share.dim == last ? unit : 1);
  return share;
}

/// The cache takes any boxes: as large ones as there are, with no arrangement, and rows of whole units of 16 bytes.
LogicalResult TensorMaps::replace(tile::PrefetchOp prefetch) {
  builder.setInsertionPoint(prefetch);
  FailureOr<Window> window = windowOf(prefetch.getSource());
  if (failed(window))
    return failure();
  constexpr int64_t mostOfBox = 256;
  std::vector<CopyBox> boxes = {{}};
  int64_t unit = 16 / tile::bytesOf(prefetch.getSource().getType().getElementType());
  if (llvm::any_of(window->bounds, [](int64_t extent) { return ShapedType::isDynamic(extent); }))
    return prefetch.emitError("a prefetch takes a window of static extents: x.at(tg::ds<64>(start))");
  auto axes = prefetch->getAttrOfType<DenseI64ArrayAttr>(tile::sharedAlong);
  Sharing sharing = sharingOf(axes ? axes.asArrayRef() : ArrayRef<int64_t>(), prefetch.getLoc());
  CopyShare share = shareOf(window->bounds, sharing.blocks, unit);
  for (auto [i, extent] : llvm::enumerate(window->bounds)) {
    int64_t bound = i + 1 == window->bounds.size() ? llvm::divideCeil(extent, unit) * unit : extent;
    if (share.dim == static_cast<int64_t>(i))
      bound = share.step;
    std::vector<CopyBox> longer;
    for (const CopyBox &box : boxes)
      for (int64_t offset = 0; offset < bound; offset += mostOfBox) {
        CopyBox &next = longer.emplace_back(box);
        next.offsets.push_back(offset);
        next.extents.push_back(std::min(mostOfBox, bound - offset));
      }
    boxes = std::move(longer);
  }
  for (const CopyBox &box : boxes)
    builder.create<tile::TmaPrefetchOp>(prefetch.getLoc(), mapOf(*window, box, /*swizzle=*/16, {}),
                                        coordinates(*window, box, share, sharing.index, prefetch.getLoc()),
                                        prefetch.getPredicate(), prefetch.getEvictionAttr());
  prefetch.erase();
  return success();
}

LogicalResult TensorMaps::run() {
  SmallVector<Operation *> copies;
  kernel.walk([&](tile::TmaOpInterface copy) { copies.push_back(copy); });
  for (Operation *op : copies) {
    LogicalResult replaced = llvm::TypeSwitch<Operation *, LogicalResult>(op)
                                 .Case<tile::CopyToSharedOp, tile::CopyToGlobalOp, tile::PrefetchOp>(
                                     [&](auto copy) { return replace(copy); })
                                 .Default([](Operation *) { return success(); });
    if (failed(replaced))
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
      auto kernel = symbols.lookup<tile::KernelOp>(launch.getKernel());
      if (kernel.walk([](tile::TmaOpInterface) { return WalkResult::interrupt(); }).wasInterrupted())
        launches.push_back(launch);
    });
    for (tile::LaunchKernelOp launch : launches)
      if (failed(TensorMaps(symbols.lookup<tile::KernelOp>(launch.getKernel()), launch).run()))
        return signalPassFailure();
  }
};
} // namespace
} // namespace tegula
