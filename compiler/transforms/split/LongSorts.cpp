// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/LongSorts.h"

#include "transforms/split/ChooseKernels.h"
#include "transforms/split/FoundSorts.h"
#include "transforms/split/HostPasses.h"
#include "transforms/split/Plan.h"

using namespace mlir;

namespace tegula::split {
namespace {

/// What the host computes of a call.
struct Call {
  /// Of an array that has the rows of all programs: the programs, unless there is no grid, other dimensions, the axis.
  SmallVector<Value> dims;
  /// The same, but for the programs: the axes of the grid.
  SmallVector<Value> fullDims;
  Value rows, length;
};

class LongSorts {
public:
  LongSorts(tile::LaunchOp launch, const GroupShape &shape)
      : launch(launch), shape(shape), extents(launch), found(launch, extents, shape.mostElements()),
        loc(launch.getLoc()), builder(launch) {}

  LogicalResult run(bool remarks);

private:
  using Arrays = SmallVector<SmallVector<Value>>;

  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }
  template <class Op> Value make(Value a, Value b) { return builder.createOrFold<Op>(loc, a, b); }
  std::optional<Value> lengthOf(LongSort &sort, HostValues &host);
  std::optional<Call> describe(LongSort &sort, ValueRange grid, ValueRange arguments);
  SmallVector<Value> emptyArrays(LongSort &sort, const Call &call, bool ofSources);

  Value window(Value array, LongSort &sort, IRMapping &mapping);
  tile::LaunchOp createRows(const Arrays &rows);
  tile::LaunchOp createRest(const Arrays &sorted);

  Value flat(Value array);
  Value areWhole(ArrayRef<Call> calls, ValueRange arguments);
  void writePlan(tile::LaunchOp rows, const Arrays &unsorted, tile::LaunchOp rest, const Arrays &sorted);

  tile::LaunchOp launch;
  const GroupShape &shape;
  Extents extents;
  FoundSorts found;
  SmallVector<LongSort, 2> &sorts = found.sorts;
  Location loc;
  OpBuilder builder;
};

// ---- The host's numbers ---------------------------------------------------------------------------------------------

/// How long rows are, where that is the same in all programs.
std::optional<Value> LongSorts::lengthOf(LongSort &sort, HostValues &host) {
  int64_t axis = sort.axis();
  Value telling = extents.sourceThatTells(sort.op.getSources(), axis);
  Extent extent = extents.of(telling, axis);
  if (!extent.symbol)
    return std::nullopt;
  if (std::optional<int64_t> known = extents.symbols().constantOf(*extent.symbol))
    return constant(*known);
  while (auto slice = extent.origin ? extent.origin.getDefiningOp<tile::SliceOp>() : tile::SliceOp()) {
    unsigned from = slice.getSourceDim(static_cast<unsigned>(extent.dim));
    if (slice.getMode(from) != tile::SliceMode::Whole)
      return std::nullopt;
    extent.origin = slice.getSource(), extent.dim = from;
  }
  return isa_and_nonnull<BlockArgument>(extent.origin) ? std::optional(host.most(extent)) : std::nullopt;
}

std::optional<Call> LongSorts::describe(LongSort &sort, ValueRange grid, ValueRange arguments) {
  HostValues host(launch, builder, grid, arguments);
  Call call{{}, llvm::to_vector(grid), constant(1), {}};
  for (Value size : grid)
    call.rows = make<arith::MulIOp>(call.rows, size);
  if (!grid.empty())
    call.dims.push_back(call.rows);
  RankedTensorType type = sort.op.getType();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim == sort.axis())
      continue;
    Value telling = extents.sourceThatTells(sort.op.getSources(), dim);
    Value size = type.isDynamicDim(dim) ? host.most(extents.of(telling, dim)) : constant(type.getDimSize(dim));
    if (!size)
      return std::nullopt;
    call.dims.push_back(size);
    call.fullDims.push_back(size);
    call.rows = make<arith::MulIOp>(call.rows, size);
  }
  std::optional<Value> length = lengthOf(sort, host);
  if (!length)
    return std::nullopt;
  call.length = *length;
  call.dims.push_back(call.length);
  call.fullDims.push_back(call.length);
  return call;
}

/// Arrays for rows; null for what is not wanted, or needs none.
SmallVector<Value> LongSorts::emptyArrays(LongSort &sort, const Call &call, bool ofSources) {
  SmallVector<Value> arrays;
  for (auto [source, result] : llvm::zip_equal(sort.op.getSources(), sort.op.getResults())) {
    bool isWanted = ofSources ? !sort.radix.isPlaces(source) : !result.use_empty();
    auto type = tile::ArrayType::get(builder.getContext(), getElementTypeOrSelf(source.getType()), call.dims.size(),
                                     /*readOnly=*/false);
    auto name = NameLoc::get(builder.getStringAttr(ofSources ? "rows" : "sorted"), loc);
    arrays.push_back(isWanted ? builder.create<tile::EmptyOp>(name, type, call.dims) : Value());
  }
  return arrays;
}

// ---- What makes rows, and what is made of them ----------------------------------------------------------------------

/// The rows of this program in an array of all, at the builder's place.
Value LongSorts::window(Value array, LongSort &sort, IRMapping &mapping) {
  auto type = cast<tile::RefType>(array.getType());
  SmallVector<Value> offsets, sizes;
  SmallVector<int64_t> dims, order;
  SmallVector<int32_t> modes;
  if (!launch.getGrid().empty()) {
    offsets.push_back(numberOfProgram(builder, loc, launch.getGrid().size()));
    modes.push_back(static_cast<int32_t>(tile::SliceMode::Element));
  }
  RankedTensorType tileType = sort.op.getType();
  for (int64_t dim = 0; dim < tileType.getRank(); ++dim)
    if (dim != sort.axis())
      order.push_back(dim);
  order.push_back(sort.axis());
  for (int64_t dim : order) {
    Value there = sort.there[dim] ? mapping.lookup(sort.there[dim]) : constant(tileType.getDimSize(dim));
    modes.push_back(static_cast<int32_t>(tile::SliceMode::Window));
    if (tileType.isDynamicDim(dim)) {
      dims.push_back(ShapedType::kDynamic);
      offsets.push_back(constant(0));
      sizes.push_back(there);
    } else { // What is there lies at the end: where the array ends, so does the window.
      dims.push_back(tile::RefType::atMost(tileType.getDimSize(dim)));
      offsets.push_back(make<arith::SubIOp>(constant(tileType.getDimSize(dim)), there));
    }
  }
  Value window = builder.create<tile::SliceOp>(loc, tile::RefType::get(type.getElementType(), dims), array, offsets,
                                               sizes, modes, /*spec=*/false);
  if (sort.axis() + 1 == tileType.getRank())
    return window;
  SmallVector<int64_t> permutation(order.size()), permuted(order.size());
  for (auto [at, dim] : llvm::enumerate(order))
    permutation[dim] = static_cast<int64_t>(at), permuted[dim] = dims[at];
  return builder.create<tile::TransposeOp>(loc, tile::RefType::get(type.getElementType(), permuted), window,
                                           permutation);
}

/// The launch in front: stores what is sorted.
tile::LaunchOp LongSorts::createRows(const Arrays &rows) {
  llvm::SmallPtrSet<Operation *, 16> rest = found.opsOfRest();
  SmallVector<Value> found;
  for (const auto &arrays : rows)
    llvm::copy_if(arrays, std::back_inserter(found), [](Value array) { return array != nullptr; });
  size_t next = 0;
  auto replace = [&](Operation &op, ValueRange refs, IRMapping &mapping) {
    auto *sort = llvm::find_if(sorts, [&](const LongSort &each) { return each.op == &op; });
    if (sort == sorts.end())
      return rest.contains(&op);
    for (auto [source, array] : llvm::zip_equal(sort->op.getSources(), rows[sort - sorts.begin()]))
      if (array)
        builder.create<tile::StoreOp>(loc, mapping.lookup(source), window(refs[next++], *sort, mapping));
    return true;
  };
  tile::LaunchOp pass = cloneProgram(builder, launch, "_rows", found, replace);
  SmallVector<Attribute> access(pass.getAccess().begin(), pass.getAccess().end());
  std::fill(access.end() - static_cast<std::ptrdiff_t>(found.size()), access.end(),
            tile::AccessAttr::get(builder.getContext(), tile::Access::Out));
  pass.setAccessAttr(builder.getArrayAttr(access));
  dropUnusedInputs(pass);
  return pass;
}

/// The launch behind: loads what has been sorted.
tile::LaunchOp LongSorts::createRest(const Arrays &sorted) {
  SmallVector<Value> found;
  for (const auto &arrays : sorted)
    llvm::copy_if(arrays, std::back_inserter(found), [](Value array) { return array != nullptr; });
  size_t next = 0;
  auto replace = [&](Operation &op, ValueRange refs, IRMapping &mapping) {
    auto *sort = llvm::find_if(sorts, [&](const LongSort &each) { return each.op == &op; });
    if (sort == sorts.end())
      return false;
    for (auto [result, array] : llvm::zip_equal(sort->op.getResults(), sorted[sort - sorts.begin()]))
      if (array)
        mapping.map(result, builder.create<tile::LoadOp>(loc, result.getType(), window(refs[next++], *sort, mapping)));
    return true;
  };
  tile::LaunchOp pass = cloneProgram(builder, launch, "_rest", found, replace);
  dropUnusedInputs(pass);
  return pass;
}

// ---- The plan -------------------------------------------------------------------------------------------------------

Value LongSorts::flat(Value array) {
  auto type = array ? cast<tile::ArrayType>(array.getType()) : tile::ArrayType();
  if (!array || type.getRank() == 1)
    return array;
  auto row = tile::ArrayType::get(builder.getContext(), type.getElementType(), 1, type.getReadOnly());
  return builder.create<tile::FlattenOp>(loc, row, array);
}

/// Whether the arrays that are read or written as they stand have the rows of all programs, one behind the other.
Value LongSorts::areWhole(ArrayRef<Call> calls, ValueRange arguments) {
  SmallVector<Value> arrays;
  Value all;
  auto consider = [&](BlockArgument argument, const Call &call) {
    Value array = arguments[argument.getArgNumber()];
    arrays.push_back(flat(array));
    for (auto [dim, size] : llvm::enumerate(call.fullDims)) {
      Value own = builder.createOrFold<tile::DimOp>(loc, builder.getI64Type(), array, builder.getI64IntegerAttr(dim));
      Value isSame = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, own, size);
      all = all ? make<arith::AndIOp>(all, isSame) : isSame;
    }
  };
  for (auto [sort, call] : llvm::zip_equal(sorts, calls)) {
    for (BlockArgument argument : sort.from)
      if (found.readsWhole && argument)
        consider(argument, call);
    for (BlockArgument argument : sort.to)
      if (found.storesWhole && argument)
        consider(argument, call);
  }
  Value areDense = builder.create<tile::DenseOp>(loc, arrays, /*bytes=*/1, /*contiguous=*/false);
  return make<arith::AndIOp>(areDense, all);
}

void LongSorts::writePlan(tile::LaunchOp rows, const Arrays &unsorted, tile::LaunchOp rest, const Arrays &sorted) {
  PlanBuilder plan(launch);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&launch.getPlan().front());
  SmallVector<Call> calls;
  for (LongSort &sort : sorts)
    calls.push_back(*describe(sort, plan.grid(), plan.arguments()));
  auto write = [&](bool reads, bool stores) {
    IRMapping host;
    host.map(launch.getGrid(), plan.grid());
    host.map(launch.getArguments(), plan.arguments());
    auto arraysOf = [&](const Arrays &outside, bool ofSources, bool areThere) {
      Arrays inside;
      for (auto [i, sort] : llvm::enumerate(sorts)) {
        if (!areThere) {
          inside.push_back(emptyArrays(sort, calls[i], ofSources));
          for (auto [from, to] : llvm::zip_equal(outside[i], inside.back()))
            if (from)
              host.map(from, to);
          continue;
        }
        SmallVector<Value> &own = inside.emplace_back();
        for (BlockArgument argument : ofSources ? sort.from : sort.to)
          own.push_back(argument ? plan.arguments()[argument.getArgNumber()] : Value());
      }
      return inside;
    };
    Arrays from = arraysOf(unsorted, /*ofSources=*/true, reads), to = arraysOf(sorted, /*ofSources=*/false, stores);
    if (!reads)
      inlinePlan(builder, rows, host);
    for (auto [i, sort] : llvm::enumerate(sorts)) {
      auto flatten = [&](Value array) { return flat(array); };
      sort.radix.write(builder, {calls[i].rows, calls[i].length}, llvm::map_to_vector(from[i], flatten),
                       llvm::map_to_vector(to[i], flatten));
    }
    if (!stores)
      inlinePlan(builder, rest, host);
  };
  if (found.readsWhole || found.storesWhole) {
    auto branch = builder.create<scf::IfOp>(loc, areWhole(calls, plan.arguments()), /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    write(found.readsWhole, found.storesWhole);
    builder.setInsertionPointToStart(branch.elseBlock());
  }
  write(/*reads=*/false, /*stores=*/false);
  plan.finish();
}

LogicalResult LongSorts::run(bool remarks) {
  if (failed(found.find()))
    return failure();
  Operation *before = launch->getPrevNode();
  Arrays unsorted, sorted;
  for (LongSort &sort : sorts) {
    std::optional<Call> call = describe(sort, launch.getGrid(), launch.getArguments());
    if (!call) {
      eraseBetween(before, launch);
      return found.refuse(sort.op,
                          "rows that end elsewhere in each program: take whole dimensions of arrays, tg::whole, or "
                          "fill what is missing by a masked load");
    }
    unsorted.push_back(emptyArrays(sort, *call, /*ofSources=*/true));
    sorted.push_back(emptyArrays(sort, *call, /*ofSources=*/false));
  }
  tile::LaunchOp rows = createRows(unsorted), rest = createRest(sorted);
  if (failed(splitLaunch(rows, shape, /*remarks=*/false)) || failed(splitLaunch(rest, shape, /*remarks=*/false)))
    return failure();
  writePlan(rows, unsorted, rest, sorted);
  if (remarks)
    launch.emitRemark()
        << "rows that a thread group may not hold are sorted by all of the GPU, in a launch that counts "
           "digits, and one for each byte of a key"
        << (found.readsWhole ? "" : ", from a copy of them")
        << (found.storesWhole ? "" : ", and what is made of them is made in one more");
  eraseBetween(before, launch);
  return success();
}

} // namespace

LogicalResult splitLongSorts(tile::LaunchOp launch, const GroupShape &shape, bool remarks) {
  return LongSorts(launch, shape).run(remarks);
}

} // namespace tegula::split
