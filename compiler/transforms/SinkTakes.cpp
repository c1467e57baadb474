// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of tiles at indices are taken where the tiles come from:
//   take(x + y, i)          ->  take(x, i) + take(y, i)
//   take(load x, i)         ->  gather x[i]                 if the program does not store to x
//   take(broadcast(x), i)   ->  broadcast(x), or of take(x, i)
// What is left stands behind what is made as a whole: reductions, products, tiles of loops and branches, and loads of
// arrays that the program writes; what is the same at all indices, where these alone tell how many there are at run
// time (of static size it takes their extent); and tiles that are better made once (TakeCosts.h). These are marked, so
// that they stay as they are when the pass runs again.
#include "transforms/SinkTakes.h"

#include "ir/Elements.h"
#include "ir/Locations.h"
#include "support/Warnings.h"
#include "transforms/Passes.h"
#include "transforms/TakeCosts.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILESINKTAKES
#include "transforms/Passes.h.inc"

/// Of tiles, in the language and on the CPU.
static constexpr int64_t mostDims = 6;

static SmallVector<Value> dimsOf(OpBuilder &builder, Location loc, Value tile) {
  SmallVector<Value> dims;
  for (int64_t dim = 0; dim < cast<RankedTensorType>(tile.getType()).getRank(); ++dim)
    dims.push_back(builder.create<tile::DimOp>(loc, builder.getI64Type(), tile, dim));
  return dims;
}

namespace {
/// Which elements of a tile are wanted: along the dimensions `dims` those at `indices`, whose own dimensions stand from
/// `position` on among the others.
struct Wanted {
  SmallVector<Value> indices;
  SmallVector<int64_t> dims;
  int64_t position;

  int64_t indexRank() const { return cast<RankedTensorType>(indices.front().getType()).getRank(); }
  ArrayRef<int64_t> shape() const { return cast<RankedTensorType>(indices.front().getType()).getShape(); }
  int64_t iterated(int64_t dim) const { return tile::detail::iteratedDim(dims, position, indexRank(), dim); }
  RankedTensorType typeOf(RankedTensorType source) const {
    SmallVector<int64_t> result;
    for (auto [dim, size] : llvm::enumerate(source.getShape()))
      if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
        result.push_back(size);
    result.insert(result.begin() + position, shape().begin(), shape().end());
    return RankedTensorType::get(result, source.getElementType());
  }
};

class TakeSinker {
public:
  /// `stored`: the arrays that the program stores to.
  TakeSinker(const llvm::DenseSet<Value> &stored, tile::TakeOp take)
      : builder(take), loc(take.getLoc()), stored(stored) {}

  /// The elements of a tile, made of elements of what that is made of as far as can be.
  Value taken(Value source, const Wanted &wanted);

private:
  Value make(Value source, const Wanted &wanted);
  std::optional<SmallVector<Value>> extentsOf(tile::IndexedOpInterface made, const Wanted &wanted);
  Value ofFull(tile::FullOp full, const Wanted &wanted);
  Value ofIota(tile::IotaOp iota, const Wanted &wanted);
  Value ofConform(tile::ConformOp conform, const Wanted &wanted);
  Value ofElementwise(Operation *op, const Wanted &wanted);
  Value ofBroadcast(tile::BroadcastOp broadcast, const Wanted &wanted);
  Value ofPermute(tile::PermuteOp permute, const Wanted &wanted);
  Value ofSubtile(tile::SubtileOp part, const Wanted &wanted);
  Value ofSubtileOfMany(tile::SubtileOp part, const Wanted &wanted);
  Value maskedAtEnd(Value mask, TypedValue<tile::RefType> ref, int64_t dim, Value indices, int64_t position);
  Value ofLoad(tile::LoadOp load, const Wanted &wanted);
  Value ofGather(tile::GatherOp gather, const Wanted &wanted);

  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }
  Value full(RankedTensorType type, Value number) {
    return builder.create<tile::FullOp>(loc, type, number, ValueRange());
  }
  SmallVector<Value> dimsOf(Value tile) { return tegula::dimsOf(builder, loc, tile); }
  Value cast(Value tile, Type element) {
    auto type = mlir::cast<RankedTensorType>(tile.getType());
    if (type.getElementType() == element)
      return tile;
    return builder.create<tile::CastOp>(loc, type.clone(element), tile);
  }
  /// A tile in the shape of another one, its dimensions there from `first` on.
  Value spread(Value tile, ArrayRef<int64_t> shape, int64_t first) {
    auto type = mlir::cast<RankedTensorType>(tile.getType());
    if (type.getShape() == shape)
      return tile;
    return builder.create<tile::BroadcastOp>(loc, RankedTensorType::get(shape, type.getElementType()), tile,
                                             llvm::to_vector(llvm::seq<int64_t>(first, first + type.getRank())));
  }

  OpBuilder builder;
  Location loc;
  const llvm::DenseSet<Value> &stored;
  /// What was made already.
  std::map<std::vector<const void *>, Value> known;
};
} // namespace

Value TakeSinker::taken(Value source, const Wanted &wanted) {
  std::vector<const void *> key{source.getAsOpaquePointer(), reinterpret_cast<const void *>(wanted.position)};
  for (auto [indices, dim] : llvm::zip_equal(wanted.indices, wanted.dims)) {
    key.push_back(indices.getAsOpaquePointer());
    key.push_back(reinterpret_cast<const void *>(dim));
  }
  if (auto found = known.find(key); found != known.end())
    return found->second;
  return known[key] = make(source, wanted);
}

Value TakeSinker::make(Value source, const Wanted &wanted) {
  Operation *op = source.getDefiningOp();
  Value made;
  if (op && tile::isElementwise(op))
    made = ofElementwise(op, wanted);
  else if (op)
    made = llvm::TypeSwitch<Operation *, Value>(op)
               .Case([&](tile::FullOp full) { return ofFull(full, wanted); })
               .Case([&](tile::IotaOp iota) { return ofIota(iota, wanted); })
               .Case([&](tile::ConformOp conform) { return ofConform(conform, wanted); })
               .Case([&](tile::BroadcastOp broadcast) { return ofBroadcast(broadcast, wanted); })
               .Case([&](tile::PermuteOp permute) { return ofPermute(permute, wanted); })
               .Case([&](tile::SubtileOp part) { return ofSubtile(part, wanted); })
               .Case([&](tile::LoadOp load) { return ofLoad(load, wanted); })
               .Case([&](tile::GatherOp gather) { return ofGather(gather, wanted); })
               .Default([](Operation *) { return Value(); });
  if (made)
    return made;
  auto type = mlir::cast<RankedTensorType>(source.getType());
  return builder.create<tile::TakeOp>(loc, wanted.typeOf(type), source, wanted.indices, wanted.dims, wanted.position);
}

Value TakeSinker::ofElementwise(Operation *op, const Wanted &wanted) {
  SmallVector<Value> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) { return taken(operand, wanted); });
  auto type = mlir::cast<RankedTensorType>(op->getResult(0).getType());
  return tile::detail::makeAgain(builder, op, wanted.typeOf(type), operands);
}

/// Whether a tile has an extent of its own along a dimension. What is the same everywhere may be as large as what it
/// meets.
static bool tellsExtent(Value of, int64_t along) {
  llvm::SetVector<std::pair<Value, int64_t>> asked;
  asked.insert({of, along});
  for (size_t i = 0; i < asked.size(); ++i) {
    auto [tile, dim] = asked[i];
    Operation *op = tile.getDefiningOp();
    if (!op)
      return true;
    if (tile::isElementwise(op)) {
      for (Value operand : op->getOperands())
        asked.insert({operand, dim});
      continue;
    }
    if (isa<tile::FullOp, tile::IotaOp>(op)) {
      if (!cast<tile::IndexedOpInterface>(op).getResultExtents().empty())
        return true;
      continue;
    }
    if (auto permute = dyn_cast<tile::PermuteOp>(op)) {
      asked.insert({permute.getSource(), permute.getPermutation()[dim]});
      continue;
    }
    if (auto part = dyn_cast<tile::SubtileOp>(op)) {
      int64_t left = dim; // Dimensions of the result, in front of it.
      unsigned at = 0;
      for (; part.getMode(at) == tile::SliceMode::Element || left > 0; ++at)
        left -= part.getMode(at) != tile::SliceMode::Element;
      if (part.getSize(at)) // At run time.
        return true;
      asked.insert({part.getSource(), at});
      continue;
    }
    auto broadcast = dyn_cast<tile::BroadcastOp>(op);
    if (!broadcast) // tile.conform among them.
      return true;
    const auto *from = llvm::find(broadcast.getDims(), dim);
    int64_t sourceDim = from - broadcast.getDims().begin();
    if (from == broadcast.getDims().end())
      continue;
    RankedTensorType source = broadcast.getSource().getType();
    if (source.getDimSize(sourceDim) == broadcast.getType().getDimSize(dim) || source.isDynamicDim(sourceDim))
      asked.insert({broadcast.getSource(), sourceDim});
  }
  return false;
}

/// The indices, of those for several dimensions, that have an extent of their own along one of theirs; null if none
/// has.
static Value indexThatTells(const Wanted &wanted, int64_t dim) {
  const auto *found = llvm::find_if(wanted.indices, [&](Value index) { return tellsExtent(index, dim); });
  return found == wanted.indices.end() ? Value() : *found;
}

/// The extents of what is taken of a tile that is the same at all indices; none if nothing says them.
std::optional<SmallVector<Value>> TakeSinker::extentsOf(tile::IndexedOpInterface made, const Wanted &wanted) {
  ValueRange extents = made.getResultExtents();
  auto type = mlir::cast<RankedTensorType>(made->getResult(0).getType());
  SmallVector<Value> taken;
  bool isOfAll = static_cast<int64_t>(extents.size()) == type.getRank();
  if (extents.empty() || (!isOfAll && wanted.typeOf(type).hasStaticShape()))
    return taken;
  for (int64_t dim = 0; dim < wanted.indexRank(); ++dim)
    if (!isOfAll || (ShapedType::isDynamic(wanted.shape()[dim]) && !indexThatTells(wanted, dim)))
      return std::nullopt;
  for (auto [dim, extent] : llvm::enumerate(extents))
    if (!llvm::is_contained(wanted.dims, static_cast<int64_t>(dim)))
      taken.push_back(extent);
  SmallVector<Value> ofIndices = dimsOf(wanted.indices.front());
  taken.insert(taken.begin() + wanted.position, ofIndices.begin(), ofIndices.end());
  return taken;
}

Value TakeSinker::ofFull(tile::FullOp value, const Wanted &wanted) {
  RankedTensorType type = wanted.typeOf(value.getType());
  std::optional<SmallVector<Value>> extents = extentsOf(value, wanted);
  return extents ? builder.create<tile::FullOp>(loc, type, value.getValue(), *extents) : Value();
}

/// An index of what counts along its dimension is the number itself.
Value TakeSinker::ofIota(tile::IotaOp iota, const Wanted &wanted) {
  RankedTensorType type = wanted.typeOf(iota.getType());
  auto axis = static_cast<int64_t>(iota.getAxis());
  auto *which = llvm::find(wanted.dims, axis);
  if (which == wanted.dims.end()) {
    std::optional<SmallVector<Value>> extents = extentsOf(iota, wanted);
    return extents ? builder.create<tile::IotaOp>(loc, type, builder.getI64IntegerAttr(wanted.iterated(axis)),
                                                  iota.getOffset(), *extents)
                   : Value();
  }
  Value number = wanted.indices[which - wanted.dims.begin()];
  if (iota.getOffset()) {
    number = cast(number, builder.getI64Type());
    auto numbers = mlir::cast<RankedTensorType>(number.getType());
    number = builder.create<tile::AddOp>(loc, numbers, number, full(numbers, iota.getOffset()));
  }
  Value counted = spread(cast(number, type.getElementType()), type.getShape(), wanted.position);
  std::optional<SmallVector<Value>> extents = extentsOf(iota, wanted);
  // The broadcast conforms along the other dimensions, where the iota has extents: adding a zero tile keeps them.
  if (counted.getDefiningOp<tile::BroadcastOp>() && extents && !extents->empty()) {
    Type scalar = tile::scalarTypeOf(type.getElementType());
    Value zero = builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(scalar));
    counted = builder.create<tile::AddOp>(loc, type, counted, builder.create<tile::FullOp>(loc, type, zero, *extents));
  }
  return counted;
}

Value TakeSinker::ofConform(tile::ConformOp conform, const Wanted &wanted) {
  std::optional<SmallVector<Value>> extents = extentsOf(conform, wanted);
  if (!extents)
    return {};
  Value source = taken(conform.getSource(), wanted);
  return extents->empty() ? source : builder.create<tile::ConformOp>(loc, source, *extents);
}

/// What is repeated along a dimension is the same at each index of it.
Value TakeSinker::ofBroadcast(tile::BroadcastOp broadcast, const Wanted &wanted) {
  Value source = broadcast.getSource();
  RankedTensorType given = broadcast.getSource().getType(), type = wanted.typeOf(broadcast.getType());
  Wanted inner{{}, {}, 0};
  SmallVector<int64_t> dims, shape;
  SmallVector<int32_t> modes;
  SmallVector<Value> zeros;
  int64_t kept = 0;
  for (auto [dim, resultDim] : llvm::enumerate(broadcast.getDims())) {
    auto *which = llvm::find(wanted.dims, resultDim);
    bool isRepeated = given.getDimSize(dim) != broadcast.getType().getDimSize(resultDim) && !broadcast.isBound(dim);
    bool isTaken = which != wanted.dims.end();
    modes.push_back(static_cast<int32_t>(isTaken && isRepeated ? tile::SliceMode::Element : tile::SliceMode::Whole));
    if (isTaken && isRepeated) {
      zeros.push_back(constant(0));
      continue;
    }
    shape.push_back(given.getDimSize(dim));
    if (isTaken) {
      inner.indices.push_back(wanted.indices[which - wanted.dims.begin()]);
      inner.dims.push_back(kept++);
      continue;
    }
    ++kept;
    dims.push_back(wanted.iterated(resultDim));
    inner.position += dims.back() < wanted.position;
  }
  if (!zeros.empty())
    source = builder.create<tile::SubtileOp>(loc, RankedTensorType::get(shape, given.getElementType()), source, zeros,
                                             ValueRange(), modes);
  if (!inner.indices.empty()) {
    source = taken(source, inner);
    auto ofIndices = llvm::seq<int64_t>(wanted.position, wanted.position + wanted.indexRank());
    dims.insert(dims.begin() + inner.position, ofIndices.begin(), ofIndices.end());
  }
  return builder.createOrFold<tile::BroadcastOp>(loc, type, source, dims);
}

/// The dimensions of the indices come first, and then go where they belong.
Value TakeSinker::ofPermute(tile::PermuteOp permute, const Wanted &wanted) {
  ArrayRef<int64_t> permutation = permute.getPermutation();
  RankedTensorType type = wanted.typeOf(permute.getType());
  Wanted inner{{}, {}, 0};
  SmallVector<int64_t> back(type.getRank());
  for (int64_t k = 0; k < wanted.indexRank(); ++k)
    back[wanted.position + k] = k;
  int64_t kept = wanted.indexRank();
  for (int64_t dim = 0; dim < static_cast<int64_t>(permutation.size()); ++dim) {
    int64_t resultDim = llvm::find(permutation, dim) - permutation.begin();
    if (auto *which = llvm::find(wanted.dims, resultDim); which != wanted.dims.end()) {
      inner.indices.push_back(wanted.indices[which - wanted.dims.begin()]);
      inner.dims.push_back(dim);
    } else {
      back[wanted.iterated(resultDim)] = kept++;
    }
  }
  return builder.createOrFold<tile::PermuteOp>(loc, type, taken(permute.getSource(), inner), back);
}

/// Before elements are dropped, a tile would have more dimensions than there are: their numbers are indices, too. What
/// is left is a part along the other dimensions.
Value TakeSinker::ofSubtileOfMany(tile::SubtileOp part, const Wanted &wanted) {
  auto numbers = mlir::cast<RankedTensorType>(wanted.indices.front().getType()).clone(builder.getI64Type());
  SmallVector<Value> extents;
  if (!numbers.hasStaticShape())
    extents = dimsOf(wanted.indices.front());
  Wanted inner{{}, {}, 0};
  SmallVector<int64_t> sourceDims; // Of the dimensions of the part.
  for (unsigned dim = 0; dim < part.getModes().size(); ++dim)
    if (part.getMode(dim) != tile::SliceMode::Element)
      sourceDims.push_back(dim);
  SmallVector<std::pair<int64_t, Value>> byDim;
  for (auto [index, dim] : llvm::zip_equal(wanted.indices, wanted.dims))
    byDim.push_back({sourceDims[dim], index});
  for (unsigned dim = 0; dim < part.getModes().size(); ++dim)
    if (part.getMode(dim) == tile::SliceMode::Element)
      byDim.push_back({dim, {}});
  llvm::sort(byDim, llvm::less_first());
  SmallVector<Value> offsets, sizes;
  SmallVector<int32_t> modes;
  bool isWhole = true;
  for (auto [dim, index] : byDim) {
    Value offset = part.getOffset(dim);
    if (!index) {
      index = builder.create<tile::FullOp>(loc, numbers, offset, extents);
    } else if (offset) {
      index = cast(index, builder.getI64Type());
      index = builder.create<tile::AddOp>(loc, index.getType(), index, full(numbers, offset));
    }
    inner.indices.push_back(index);
    inner.dims.push_back(dim);
  }
  for (int64_t dim = 0; dim < part.getSource().getType().getRank(); ++dim) {
    if (llvm::is_contained(inner.dims, dim))
      continue;
    int64_t own = llvm::find(sourceDims, dim) - sourceDims.begin();
    inner.position += wanted.iterated(own) < wanted.position;
    modes.push_back(static_cast<int32_t>(part.getMode(dim)));
    isWhole &= part.getMode(dim) == tile::SliceMode::Whole;
    if (Value offset = part.getOffset(dim))
      offsets.push_back(offset);
    if (Value size = part.getSize(dim))
      sizes.push_back(size);
  }
  Value source = taken(part.getSource(), inner);
  if (isWhole)
    return source;
  modes.insert(modes.begin() + inner.position, wanted.indexRank(), static_cast<int32_t>(tile::SliceMode::Whole));
  return builder.create<tile::SubtileOp>(loc, wanted.typeOf(part.getType()), source, offsets, sizes, modes);
}

/// Whether a tile finds no room in shared memory, so that its elements cannot be taken.
static bool isTooLarge(Value whole) {
  auto type = mlir::cast<RankedTensorType>(whole.getType());
  return type.hasStaticShape() &&
         type.getNumElements() * tile::bytesOf(type.getElementType()) > tile::SortOp::mostBytes;
}

Value TakeSinker::ofSubtile(tile::SubtileOp part, const Wanted &wanted) {
  Wanted inner{{}, {}, 0};
  SmallVector<Value> offsets, sizes;
  SmallVector<int32_t> modes;
  bool isBefore = true, isWhole = true;
  int64_t resultDim = 0;
  for (unsigned dim = 0; dim < part.getModes().size(); ++dim) {
    tile::SliceMode mode = part.getMode(dim);
    Value offset = part.getOffset(dim);
    bool isElement = mode == tile::SliceMode::Element;
    auto *which = isElement ? wanted.dims.end() : llvm::find(wanted.dims, resultDim);
    if (which != wanted.dims.end()) {
      Value index = wanted.indices[which - wanted.dims.begin()];
      if (offset) {
        index = cast(index, builder.getI64Type());
        auto numbers = mlir::cast<RankedTensorType>(index.getType());
        index = builder.create<tile::AddOp>(loc, numbers, index, full(numbers, offset));
      }
      inner.indices.push_back(index);
      inner.dims.push_back(dim);
    } else {
      isBefore &= isElement || wanted.iterated(resultDim) < wanted.position;
      inner.position += isBefore;
      isWhole &= mode == tile::SliceMode::Whole;
      modes.push_back(static_cast<int32_t>(mode));
      if (offset)
        offsets.push_back(offset);
      if (Value size = part.getSize(dim))
        sizes.push_back(size);
    }
    resultDim += !isElement;
  }
  if (inner.typeOf(part.getSource().getType()).getRank() > mostDims)
    return ofSubtileOfMany(part, wanted);
  Value source = taken(part.getSource(), inner);
  auto take = source.getDefiningOp<tile::TakeOp>();
  if (take && take.getSource() == part.getSource() && isTooLarge(take.getSource()))
    return {}; // The part may find room.
  if (isWhole)
    return source;
  modes.insert(modes.begin() + inner.position, wanted.indexRank(), static_cast<int32_t>(tile::SliceMode::Whole));
  return builder.create<tile::SubtileOp>(loc, wanted.typeOf(part.getType()), source, offsets, sizes, modes);
}

/// A masked block goes on where its array ends; an index has to be of the array. `indices` are dimensions of the mask
/// from `position` on.
Value TakeSinker::maskedAtEnd(Value mask, TypedValue<tile::RefType> ref, int64_t dim, Value indices, int64_t position) {
  if (ref.getType().isExact(dim))
    return mask;
  Value index = cast(indices, builder.getI64Type());
  auto numbers = mlir::cast<RankedTensorType>(index.getType());
  Value extent = builder.create<tile::DimOp>(loc, ref, dim);
  Value isThere = builder.create<tile::LtOp>(loc, numbers.clone(builder.getI1Type()), index, full(numbers, extent));
  ArrayRef<int64_t> shape = mlir::cast<RankedTensorType>(mask.getType()).getShape();
  return builder.create<tile::LogicalAndOp>(loc, mask.getType(), mask, spread(isThere, shape, position));
}

Value TakeSinker::ofLoad(tile::LoadOp load, const Wanted &wanted) {
  if (stored.contains(tile::arrayOf(load.getRef())))
    return {};
  // Elements that are packed to bytes have no places of their own.
  if (isPacked(load.getType().getElementType()) && llvm::is_contained(wanted.dims, load.getType().getRank() - 1))
    return {};
  RankedTensorType type = wanted.typeOf(load.getType());
  Value mask, other;
  if (load.getMask()) {
    mask = taken(load.getMask(), wanted);
    other = taken(load.getOther(), wanted);
    for (auto [indices, dim] : llvm::zip_equal(wanted.indices, wanted.dims))
      mask = maskedAtEnd(mask, load.getRef(), dim, indices, wanted.position);
  }
  return builder.create<tile::GatherOp>(loc, type, load.getRef(), wanted.indices, wanted.dims, wanted.position, mask,
                                        other, /*guarded=*/false);
}

Value TakeSinker::ofGather(tile::GatherOp gather, const Wanted &wanted) {
  if (stored.contains(tile::arrayOf(gather.getRef())))
    return {};
  RankedTensorType type = wanted.typeOf(gather.getType());
  auto first = static_cast<int64_t>(gather.getPosition());
  int64_t left = gather.getIndexRank() - static_cast<int64_t>(wanted.dims.size());
  bool areOfIndices =
      llvm::all_of(wanted.dims, [&](int64_t dim) { return dim >= first && dim < first + gather.getIndexRank(); });
  Value mask = gather.getMask() ? taken(gather.getMask(), wanted) : Value();
  Value other = gather.getMask() ? taken(gather.getOther(), wanted) : Value();
  SmallVector<Value> indices;
  SmallVector<int64_t> dims;
  int64_t position = 0;
  if (areOfIndices && (left == 0 || (wanted.position >= first && wanted.position <= first + left))) {
    Wanted inner{wanted.indices, wanted.dims, left == 0 ? 0 : wanted.position - first};
    for (int64_t &dim : inner.dims)
      dim -= first;
    for (Value each : gather.getIndices())
      indices.push_back(taken(each, inner));
    dims.assign(gather.getDims().begin(), gather.getDims().end());
    position = left == 0 ? wanted.position : first;
  } else { // Every dimension by an index for each element.
    SmallVector<Value> extents;
    for (int64_t dim = 0; dim < gather.getRef().getType().getRank(); ++dim)
      if (int64_t iterated = gather.getIteratedDim(dim); iterated >= 0) {
        // A masked gather of a static block goes on where the array ends.
        bool isAll = gather.getMask() && !gather.getType().isDynamicDim(iterated);
        extents.push_back(isAll ? constant(gather.getType().getDimSize(iterated))
                                : builder.create<tile::DimOp>(loc, gather.getRef(), dim).getResult());
      }
    SmallVector<Value> ofIndices = dimsOf(gather.getIndices().front());
    extents.insert(extents.begin() + first, ofIndices.begin(), ofIndices.end());
    for (int64_t dim = 0; dim < gather.getRef().getType().getRank(); ++dim) {
      int64_t iterated = gather.getIteratedDim(dim);
      Value index;
      if (iterated < 0) {
        Value own = gather.getIndices()[llvm::find(gather.getDims(), dim) - gather.getDims().begin()];
        index = spread(own, gather.getType().getShape(), first);
      } else {
        index = builder.create<tile::IotaOp>(loc, gather.getType().clone(builder.getI64Type()),
                                             builder.getI64IntegerAttr(iterated), Value(), extents);
      }
      indices.push_back(taken(index, wanted));
      dims.push_back(dim);
      if (mask && iterated >= 0 && !gather.getType().isDynamicDim(iterated))
        mask = maskedAtEnd(mask, gather.getRef(), dim, indices.back(), 0);
    }
  }
  return builder.create<tile::GatherOp>(loc, type, gather.getRef(), indices, dims, position, mask, other,
                                        /*guarded=*/false);
}

static void eraseUnused(Value value) {
  llvm::SmallSetVector<Operation *, 8> left;
  auto add = [&](Value operand) {
    if (Operation *op = operand.getDefiningOp())
      left.insert(op);
  };
  add(value);
  while (!left.empty()) {
    Operation *op = left.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    llvm::for_each(op->getOperands(), add);
    op->erase();
  }
}

/// The arrays that a program stores to.
static llvm::DenseSet<Value> storedIn(Region &body) {
  llvm::DenseSet<Value> stored;
  body.walk([&](tile::RootOpInterface root) { stored.insert(tile::arrayOf(root.getRootRef())); });
  return stored;
}

/// Puts the indices of a take where its tile comes from.
static void sink(tile::TakeOp take, const llvm::DenseSet<Value> &stored) {
  Wanted wanted{llvm::to_vector(take.getIndices()), SmallVector<int64_t>(take.getDims()),
                static_cast<int64_t>(take.getPosition())};
  Value source = take.getSource();
  Value made = TakeSinker(stored, take).taken(source, wanted);
  // Of what is the same at all indices, these alone tell how many there are.
  SmallVector<Value> extents;
  for (int64_t dim = 0; dim < wanted.indexRank(); ++dim) {
    int64_t own = wanted.position + dim;
    if (tellsExtent(made, own))
      continue;
    if (take.getType().isDynamicDim(own))
      return eraseUnused(made);
    if (Value index = indexThatTells(wanted, dim)) {
      OpBuilder builder(take);
      if (extents.empty())
        extents = dimsOf(builder, take.getLoc(), made);
      extents[own] = builder.create<tile::DimOp>(take.getLoc(), builder.getI64Type(), index, dim);
    }
  }
  if (!extents.empty())
    made = OpBuilder(take).create<tile::ConformOp>(take.getLoc(), made, extents);
  take.replaceAllUsesWith(made);
  take.erase();
  eraseUnused(source);
}

static bool isLoaded(Value tile) {
  while (auto broadcast = tile.getDefiningOp<tile::BroadcastOp>())
    tile = broadcast.getSource();
  auto load = tile.getDefiningOp<tile::LoadOp>();
  return load && !load.getMask();
}

/// Sinks the takes of a body, but of tiles that are better made once. Whether there are such that go to arrays; with
/// `has`, there are some.
static bool sinkTakes(Region &body, bool has) {
  llvm::DenseSet<Value> stored = storedIn(body);
  SmallVector<tile::TakeOp> takes;
  body.walk([&](tile::TakeOp take) { takes.push_back(take); });
  for (tile::TakeOp take : takes) {
    Value source = take.getSource();
    bool isSmall = canBeExchanged(source), isInside = take->getParentRegion() != &body;
    if (isSmall && isOfMany(source))
      continue;
    // What is in an array by now is gathered.
    bool isMade = take->hasAttr(takesOfMade) && !isLoaded(source);
    isMade |= isMadeOnce(take, isSmall ? usualBounds : isInside ? boundsInside : has ? boundsOfKept : usualBounds);
    if (!isMade) {
      sink(take, stored);
      continue;
    }
    take->setAttr(takesOfMade, UnitAttr::get(take.getContext()));
    has |= !isSmall;
  }
  return has;
}

void sinkTakes(tile::LaunchOp launch) {
  Region trial;
  IRMapping mapping;
  launch.getBody().cloneInto(&trial, mapping);
  bool has = false;
  trial.walk([&](tile::TakeOp take) { has |= take->hasAttr(takesOfMade) && !canBeExchanged(take.getSource()); });
  if (!has && !sinkTakes(trial, /*has=*/false))
    launch.getBody().takeBody(trial);
  else
    sinkTakes(launch.getBody(), /*has=*/true);
}

bool takesOfTilesMadeOnce(tile::LaunchOp launch) {
  return launch.getBody()
      .walk([](tile::TakeOp take) {
        return take->hasAttr(takesOfMade) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool recomputeTaken(tile::LaunchOp launch, bool isTold) {
  Region trial;
  IRMapping mapping;
  launch.getBody().cloneInto(&trial, mapping);
  llvm::DenseSet<Value> stored = storedIn(trial);
  SmallVector<tile::TakeOp> takes;
  trial.walk([&](tile::TakeOp take) {
    if (take->hasAttr(takesOfMade))
      takes.push_back(take);
  });
  SmallVector<Location> places;
  for (tile::TakeOp take : takes) {
    if (isMadeOnce(take, mostBounds))
      return false;
    places.push_back(take.getLoc());
    take->removeAttr(takesOfMade);
    sink(take, stored);
  }
  launch.getBody().takeBody(trial);
  if (isTold && !places.empty())
    emitWarning(tile::withoutName(places.back()))
        << "the tile that is indexed here is recomputed for each index, and so are the tiles that it is computed from: "
           "code size and compile time multiply with every such step. Store the tile to an array, and index that in a "
           "later launch"
        << markOf(Warning::RecomputedTile);
  return true;
}

namespace {
struct SinkTakes : impl::TileSinkTakesBase<SinkTakes> {
  void runOnOperation() override {
    getOperation().walk([](tile::LaunchOp launch) { sinkTakes(launch); });
  }
};
} // namespace

} // namespace tegula
