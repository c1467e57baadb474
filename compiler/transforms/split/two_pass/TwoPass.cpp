// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/two_pass/TwoPass.h"

#include "transforms/Alignment.h"
#include "transforms/split/ChooseKernels.h"
#include "transforms/split/HostPasses.h"
#include "transforms/split/LongSorts.h"
#include "transforms/split/LookBack.h"
#include "transforms/split/two_pass/ColumnCut.h"
#include "transforms/split/two_pass/PartialResults.h"
#include "transforms/split/two_pass/SplitK.h"

using namespace mlir;

namespace tegula::split {
namespace {

/// Chunks of what is contiguous are multiples of this: as aligned as their array.
constexpr int64_t granule = 1 << 12;
constexpr int64_t mostChunks = 1 << 10;
/// Elements that are worth a thread group of their own: of one number, and of columns.
constexpr int64_t leastChunk = 4 * granule, leastOfColumns = 2 * granule;

class TwoPass {
public:
  TwoPass(tile::LaunchOp launch, const GroupShape &shape, bool remarks)
      : launch(launch), shape(shape), remarks(remarks), extents(launch), found(launch, extents), targets(found.targets),
        cut(targets, shape), divided(found.divided), loc(launch.getLoc()), builder(launch) {}

  LogicalResult run();

private:
  /// How columns are cut, and the first pass that cuts them so. A number has one way.
  struct Way {
    StringRef suffix;
    int64_t columns;
    /// For aligned arrays alone.
    bool isAligned = false;
    SmallVector<int64_t> granules = {};
    /// Of the host code in front of the launch.
    SmallVector<Value> chunks = {}, shares = {}, partials = {};
    tile::LaunchOp pass = {};
  };

  bool ofColumns() const { return found.keepColumns(); }
  GroupShape shapeOf(bool isAligned) const { return ofColumns() ? cut.shapeOf(isAligned) : shape; }
  SmallVector<Way, 3> ways();
  LogicalResult splitPasses(MutableArrayRef<Way> ways);
  LogicalResult split(tile::LaunchOp pass, GroupShape own, int64_t columns) {
    own.columns = columns;
    return splitLaunch(pass, own, /*remarks=*/false);
  }

  // What the host computes, at the builder's place, of `arrays`.
  Value dim(const Extent &extent) {
    return builder.create<tile::DimOp>(loc, builder.getI64Type(),
                                       arrays[cast<BlockArgument>(extent.origin).getArgNumber()],
                                       builder.getI64IntegerAttr(extent.dim));
  }
  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }
  template <class Op> Value make(Value a, Value b) { return builder.createOrFold<Op>(loc, a, b); }
  Value ceilDiv(Value value, Value divisor) {
    Value up = make<arith::AddIOp>(value, make<arith::SubIOp>(divisor, constant(1)));
    return make<arith::DivSIOp>(up, divisor);
  }
  Value atLeastOne(Value value) { return make<arith::MaxSIOp>(value, constant(1)); }
  Value product(Value a, Value b) { return a ? make<arith::MulIOp>(a, b) : b; }
  SmallVector<ArrayRef<Extent>> keptColumns();
  Value tilesOfColumns(int64_t columns, bool areMostlyThere = false);
  Value isLarge();
  Value suits(const Way &way);
  Value areAligned(tile::LaunchOp pass);
  Value compare(arith::CmpIPredicate predicate, Value value, int64_t number) {
    return builder.create<arith::CmpIOp>(loc, predicate, value, constant(number));
  }
  void computeChunks(Way &way);
  SmallVector<Value> emptyArrays(ArrayRef<Value> chunks);
  void inlineWay(const Way &way, ArrayRef<Value> firstPartials);
  void writePlan(ArrayRef<Way> ways);
  void remark();

  tile::LaunchOp launch;
  const GroupShape &shape;
  bool remarks;
  Extents extents;
  DividedReductions found;
  ArrayRef<DividedReduction> targets;
  ColumnCut cut;
  ArrayRef<Extent> divided;
  Location loc;
  OpBuilder builder;
  /// The launch's, or its plan's.
  ValueRange arrays;
  SmallVector<Value> results;
  tile::LaunchOp combination, rest;
};

// ---- The host's numbers ---------------------------------------------------------------------------------------------

/// What reductions keep, where it is anything, and not what another one keeps.
SmallVector<ArrayRef<Extent>> TwoPass::keptColumns() {
  SmallVector<ArrayRef<Extent>> result;
  for (ArrayRef<Extent> dims : found.kept) {
    auto isSame = [&](ArrayRef<Extent> other) {
      return llvm::equal(dims, other, [](const Extent &a, const Extent &b) { return a.symbol == b.symbol; });
    };
    if (!dims.empty() && llvm::none_of(result, isSame))
      result.push_back(dims);
  }
  return result;
}

/// Sub-tiles of so many columns, of the target that has the most of them: all, or those of which most columns are
/// there.
Value TwoPass::tilesOfColumns(int64_t columns, bool areMostlyThere) {
  int64_t added = areMostlyThere ? columns / 2 : columns - 1;
  Value most;
  for (ArrayRef<Extent> dims : keptColumns()) {
    Value tiles;
    for (const Extent &extent : dims.drop_back())
      tiles = product(tiles, dim(extent));
    Value last = make<arith::AddIOp>(dim(dims.back()), constant(added));
    tiles = product(tiles, make<arith::DivSIOp>(last, constant(columns)));
    most = most ? make<arith::MaxSIOp>(most, tiles) : tiles;
  }
  return most ? most : constant(1);
}

/// Whether one pass would give thread groups much to do, and leave others idle.
Value TwoPass::isLarge() {
  Value length;
  for (const Extent &extent : divided)
    length = product(length, dim(extent));
  if (!ofColumns())
    return compare(arith::CmpIPredicate::sge, length, fewestForSeveralPasses);
  Value isLong = compare(arith::CmpIPredicate::sge, length, fewestForSeveralPasses / shape.columns);
  Value leavesIdle =
      compare(arith::CmpIPredicate::slt, tilesOfColumns(cut.inOnePass()), cut.wantedGroups(shape.variants.vector) / 2);
  return make<arith::AndIOp>(isLong, leavesIdle);
}

/// Whether a thread group's columns would be mostly there, and, of arrays that can be accessed in vectors, aligned.
Value TwoPass::suits(const Way &way) {
  Value all = way.isAligned ? areAligned(way.pass) : Value();
  for (ArrayRef<Extent> dims : keptColumns()) {
    Value areMany = compare(arith::CmpIPredicate::sgt, dim(dims.back()), cut.few(way.isAligned));
    all = all ? make<arith::AndIOp>(all, areMany) : areMany;
  }
  return all;
}

/// Whether arrays that a launch takes allow accesses of 16 bytes: rows of whole vectors, as partial results then have.
Value TwoPass::areAligned(tile::LaunchOp pass) {
  SmallVector<Value> taken;
  int64_t vector = accessBytes / cut.smallestElement();
  for (const DividedReduction &target : targets)
    for (unsigned source = 0; source < target.sources.size(); ++source)
      vector = std::max(vector, accessBytes / tile::bytesOf(combinedIn(target.reduce, source)));
  for (auto [outside, inside] : llvm::zip(launch.getArguments(), arrays))
    if (auto type = dyn_cast<tile::ArrayType>(outside.getType());
        type && llvm::is_contained(pass.getArguments(), outside)) {
      taken.push_back(inside);
      vector = std::max(vector, tile::elementsIn(accessBytes, type.getElementType()));
    }
  Value all = builder.create<tile::DenseOp>(loc, taken, accessBytes, /*contiguous=*/false);
  for (ArrayRef<Extent> dims : keptColumns()) {
    Value rest = make<arith::AndIOp>(dim(dims.back()), constant(vector - 1));
    all = make<arith::AndIOp>(all, compare(arith::CmpIPredicate::eq, rest, 0));
  }
  return all;
}

/// Programs that share the work, and how much each takes.
void TwoPass::computeChunks(Way &way) {
  Value wanted = constant(mostChunks);
  if (ofColumns()) {
    // No more than all that run at one time: a few that begin when the others end would take as long again. Those of
    // arrays that are not aligned take fewer registers.
    Value tiles = atLeastOne(tilesOfColumns(way.columns, /*areMostlyThere=*/!way.isAligned));
    Value each = make<arith::DivSIOp>(constant(cut.wantedGroups(way.isAligned)), tiles);
    wanted = make<arith::MinSIOp>(wanted, atLeastOne(each));
  }
  // The elements behind one of a divided dimension, which a thread group has with it.
  SmallVector<Value> behind{constant(ofColumns() ? way.columns : 1)};
  for (const Extent &extent : llvm::reverse(ArrayRef(divided).drop_front()))
    behind.push_back(make<arith::MulIOp>(behind.back(), dim(extent)));
  for (auto [i, extent] : llvm::enumerate(divided)) {
    Value length = dim(extent);
    Value least = ceilDiv(constant(ofColumns() ? leastOfColumns : leastChunk), atLeastOne(behind.pop_back_val()));
    Value chunks = make<arith::MinSIOp>(atLeastOne(make<arith::DivSIOp>(length, least)), wanted);
    wanted = atLeastOne(make<arith::DivSIOp>(wanted, chunks));
    way.chunks.push_back(chunks);
    // All have as much, but for a granule: nobody waits for the last ones longer than that takes.
    Value granules = ceilDiv(length, constant(way.granules[i]));
    Value each = make<arith::DivSIOp>(granules, chunks);
    way.shares.push_back(each);
    way.shares.push_back(make<arith::SubIOp>(granules, make<arith::MulIOp>(each, chunks)));
  }
}

/// Partial results for all programs of a grid, or results.
SmallVector<Value> TwoPass::emptyArrays(ArrayRef<Value> chunks) {
  Value count;
  for (Value each : chunks)
    count = product(count, each);
  SmallVector<Value> made;
  for (auto [target, dims] : llvm::zip_equal(targets, found.kept)) {
    SmallVector<Value> sizes;
    if (count)
      sizes.push_back(count);
    for (const Extent &extent : dims)
      sizes.push_back(dim(extent));
    for (unsigned source = 0; source < target.sources.size(); ++source) {
      Type element = combinedIn(target.reduce, source);
      auto type = tile::ArrayType::get(builder.getContext(), element, sizes.size(), /*readOnly=*/false);
      made.push_back(builder.create<tile::EmptyOp>(loc, type, sizes));
    }
  }
  return made;
}

// ---- The passes -----------------------------------------------------------------------------------------------------

SmallVector<TwoPass::Way, 3> TwoPass::ways() {
  SmallVector<Way, 3> result{{"_partial", shape.columns}};
  if (ofColumns()) {
    result = {{"_partial", cut.wide()}, {"_narrow", cut.narrow()}};
    if (shape.variants.vector)
      result.insert(result.begin(), Way{"_wide", cut.wide(), /*isAligned=*/true});
  }
  for (Way &way : result) {
    GroupShape own = shapeOf(way.isAligned);
    // Full chunks but for the last program's; outer dimensions go element by element.
    way.granules.assign(divided.size(), 1);
    way.granules.back() =
        ofColumns() ? std::max<int64_t>(1, own.threads * own.perChunk(sizeof(float)) / way.columns) : granule;
  }
  return result;
}

/// The passes are launches of the host for as long as it takes to split them: they see its checks.
LogicalResult TwoPass::splitPasses(MutableArrayRef<Way> ways) {
  arrays = launch.getArguments();
  PartialResults programs(launch, targets);
  for (Way &way : ways) {
    computeChunks(way);
    way.partials = emptyArrays(way.chunks);
    way.pass = programs.reduceChunks(way.suffix, way.chunks, way.shares, way.granules, way.partials);
    if (failed(split(way.pass, shapeOf(way.isAligned), way.columns)))
      return failure();
  }
  // Partial results are few: accesses of 16 bytes gain nothing.
  GroupShape small = shape;
  small.variants.vector = false;
  if (ofColumns())
    small.restOfColumns = ColumnCut::restOfPartials;
  ArrayRef<Value> partials = ways.front().partials;
  if (!found.areFused) {
    results = emptyArrays({});
    combination = programs.combine(partials, results);
    if (failed(split(combination, small, shape.columns)))
      return failure();
  }
  rest = programs.finish(found.areFused ? "_finish" : "_epilogue", found.areFused ? partials : results);
  bool storesMore = llvm::any_of(rest.getBody().front().getOps<tile::StoreOp>(), [&](tile::StoreOp store) {
    return llvm::all_of(
        found.kept, [&](ArrayRef<Extent> dims) { return store.getValue().getType().getRank() > int64_t(dims.size()); });
  });
  return split(rest, !found.areFused || storesMore ? shape : small, ofColumns() ? ColumnCut::ofRest : shape.columns);
}

// ---- The plan -------------------------------------------------------------------------------------------------------

/// The first pass of a way, and what follows, which was split for the partial results of the first way.
void TwoPass::inlineWay(const Way &way, ArrayRef<Value> firstPartials) {
  Way here{way.suffix, way.columns, way.isAligned, way.granules};
  computeChunks(here);
  here.partials = emptyArrays(here.chunks);
  IRMapping host;
  host.map(launch.getArguments(), arrays);
  host.map(way.chunks, here.chunks);
  host.map(way.shares, here.shares);
  host.map(way.partials, here.partials);
  host.map(firstPartials, here.partials);
  if (!found.areFused)
    host.map(results, emptyArrays({}));
  inlinePlan(builder, way.pass, host);
  if (!found.areFused)
    inlinePlan(builder, combination, host);
  inlinePlan(builder, rest, host);
}

/// Large arrays take the passes, all others what the plan has been so far.
void TwoPass::writePlan(ArrayRef<Way> ways) {
  OpBuilder::InsertionGuard guard(builder);
  Block &plan = launch.getPlan().front();
  arrays = plan.getArguments();
  builder.setInsertionPointToStart(&plan);
  Value passes = isLarge();
  if (ofColumns() && shape.variants.vector) { // The other kernel is for aligned arrays.
    Value areNot = make<arith::XOrIOp>(areAligned(launch), builder.create<arith::ConstantIntOp>(loc, 1, 1));
    passes = make<arith::OrIOp>(passes, areNot);
  }
  auto branch = builder.create<scf::IfOp>(loc, passes, /*withElseRegion=*/true);
  moveIntoElse(branch);
  builder.setInsertionPointToStart(branch.thenBlock());
  for (const Way &way : ways.drop_back()) {
    auto suited = builder.create<scf::IfOp>(loc, suits(way), /*withElseRegion=*/true);
    builder.setInsertionPointToStart(suited.thenBlock());
    inlineWay(way, ways.front().partials);
    builder.setInsertionPointToStart(suited.elseBlock());
  }
  inlineWay(ways.back(), ways.front().partials);
}

void TwoPass::remark() {
  std::string lengths;
  for (const Extent &extent : divided) {
    unsigned number = cast<BlockArgument>(extent.origin).getArgNumber();
    lengths += (lengths.empty() ? "" : " x ") + nameOfArray(launch.getArguments()[number]) + ".dim(" +
               std::to_string(extent.dim) + ")";
  }
  InFlightDiagnostic diagnostic = launch.emitRemark();
  if (ofColumns())
    diagnostic << lengths << " of at least " << fewestForSeveralPasses / shape.columns
               << ", where columns alone are too few thread groups: a two-pass reduction: many programs make partial "
                  "results, which the columns' thread groups combine";
  else
    diagnostic << lengths << " of at least " << fewestForSeveralPasses
               << ": a two-pass reduction: many programs make a partial result each, and one combines them";
}

LogicalResult TwoPass::run() {
  if (targets.empty())
    return splitAlongDepth(launch, shape, remarks);
  // What is small gains little by accesses of 16 bytes, and three passes have kernels, too.
  GroupShape small = shapeOf(ofColumns() && shape.variants.vector);
  small.variants.vector &= found.areFused;
  if (ofColumns())
    small.columns = cut.inOnePass();
  Operation *before = launch->getPrevNode();
  SmallVector<Way, 3> ways = this->ways();
  if (failed(splitLaunch(launch, small, remarks)) || failed(splitPasses(ways)))
    return failure();
  if (remarks)
    remark();
  writePlan(ways);
  // The host code in front of the launch has done its service.
  eraseBetween(before, launch);
  return success();
}

} // namespace

/// Whether data says where the program reads or stores, or in which order: neither parts of its sums nor its products
/// go to others then.
static bool isIndirect(tile::LaunchOp launch) {
  return launch.getBody()
      .walk([](Operation *op) {
        return isa<tile::GatherOp, tile::TakeOp, tile::ScatterOp, tile::AtomicOp, tile::SortOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult splitInPasses(tile::LaunchOp launch, const GroupShape &shape, bool remarks) {
  if (canShareScans(launch))
    return splitScans(launch, shape, remarks);
  if (hasLongSorts(launch))
    return splitLongSorts(launch, shape, remarks);
  if (isIndirect(launch)) {
    GroupShape plain = shape;
    plain.variants.tensor = false;
    return splitLaunch(launch, plain, remarks);
  }
  return TwoPass(launch, shape, remarks).run();
}

} // namespace tegula::split
