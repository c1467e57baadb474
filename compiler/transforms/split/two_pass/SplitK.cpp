// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/two_pass/SplitK.h"

#include "ir/ProductOptions.h"
#include "transforms/split/ChooseKernels.h"
#include "transforms/split/HostPasses.h"
#include "transforms/split/Plan.h"
#include "transforms/split/two_pass/PartialProducts.h"

using namespace mlir;

namespace tegula::split {
namespace {

/// Sub-tiles that keep the multiprocessors of a large chip busy: a constant, so that results are the same on all.
constexpr int64_t manySubTiles = 128;
/// One pass with smaller sub-tiles, of this side, is as good as passes if there are half as many of these; and with
/// fewer parts than this (LaunchBuilder::suits).
constexpr int64_t smallSide = 64, fewestParts = 3;
/// Bytes of a row that a part sums at least, and of all of a row that are worth a second launch: the first 128 steps of
/// a ring take some 40 us in one pass, and a launch that adds up partial sums less than 10. (Estimated, so that no call
/// becomes slower: split-k-benchmark of test/benchmark measures it.)
constexpr int64_t leastOfPart = 8 * 128, leastOfRow = 128 * 128;
/// Partial sums of whole vectors, which TMA and vector stores take.
constexpr int64_t granuleOfColumns = 4;

class SplitK {
public:
  SplitK(tile::LaunchOp launch, const GroupShape &shape, bool remarks)
      : launch(launch), shape(shape), remarks(remarks), extents(launch), found(launch, extents), loc(launch.getLoc()),
        builder(launch) {}

  LogicalResult run();

private:
  /// Code of the host in front of the launch, or in its plan, where the grid and the arguments are these.
  struct Place {
    ValueRange grid, arguments;
    /// The iterations of the loop, or chunks of rows, at most; how many parts there are, and the steps of each.
    Value steps = {}, parts = {}, each = {};
  };

  HostValues host(const Place &place) { return {launch, builder, place.grid, place.arguments}; }
  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }
  template <class Op> Value make(Value a, Value b) { return builder.createOrFold<Op>(loc, a, b); }
  Value ceilDiv(Value value, Value divisor) {
    Value up = make<arith::AddIOp>(value, make<arith::SubIOp>(divisor, constant(1)));
    return make<arith::DivSIOp>(up, divisor);
  }
  Value compare(arith::CmpIPredicate predicate, Value value, int64_t number) {
    return builder.create<arith::CmpIOp>(loc, predicate, value, constant(number));
  }
  int64_t granule() const { return found.loop ? 1 : granuleOfRows / found.bytesOfStep; }
  int64_t bytesOfStep() const { return granule() * found.bytesOfStep; }
  Value countSteps(const Place &place);
  Value subTiles(const Place &place, int64_t rows, int64_t columns);
  bool computeParts(Place &place);
  SmallVector<Value> dimsOfPlane(const Place &place);
  SmallVector<Value> emptyArrays(const Place &place);
  Value isWorthIt(const Place &place);
  bool splitPasses();
  void writePlan();

  /// A chunk of rows is as long as what tensor cores copy at a time.
  static constexpr int64_t granuleOfRows = 128;

  tile::LaunchOp launch;
  const GroupShape &shape;
  bool remarks;
  Extents extents;
  DividedProducts found;
  Location loc;
  OpBuilder builder;
  /// Of the host code in front of the launch.
  Place before;
  SmallVector<Value> partials;
  tile::LaunchOp parts, rest;
  /// The sub-tiles of the first pass, and the rows of the smallest of one pass.
  int64_t rows = 128, columns = 128, smallRows = 128;
};

// ---- The host's numbers ---------------------------------------------------------------------------------------------

/// Null if the host cannot tell.
Value SplitK::countSteps(const Place &place) {
  if (!found.loop) {
    Value depth = host(place).most(found.depth);
    return depth ? ceilDiv(depth, constant(granule())) : Value();
  }
  scf::ForOp loop = found.loop;
  Value lower = host(place).clone(loop.getLowerBound()), upper = host(place).clone(loop.getUpperBound()),
        step = host(place).clone(loop.getStep());
  return lower && upper && step ? ceilDiv(make<arith::SubIOp>(upper, lower), step) : Value();
}

/// The sub-tiles of all programs together.
Value SplitK::subTiles(const Place &place, int64_t rows, int64_t columns) {
  tile::StoreOp store = found.store;
  Value count = make<arith::MulIOp>(ceilDiv(host(place).extentOf(store.getRef(), 0), constant(rows)),
                                    ceilDiv(host(place).extentOf(store.getRef(), 1), constant(columns)));
  for (Value size : place.grid)
    count = make<arith::MulIOp>(count, size);
  return make<arith::MaxSIOp>(count, constant(1));
}

/// As many parts as keep the chip busy, unless they would be short. False if the host cannot count steps.
bool SplitK::computeParts(Place &place) {
  place.steps = countSteps(place);
  if (!place.steps)
    return false;
  Value wanted = make<arith::DivSIOp>(constant(manySubTiles), subTiles(place, rows, columns));
  Value least = constant(std::max<int64_t>(1, leastOfPart / bytesOfStep()));
  place.each = make<arith::MaxSIOp>(ceilDiv(place.steps, make<arith::MaxSIOp>(wanted, constant(1))), least);
  place.parts = ceilDiv(place.steps, place.each);
  return true;
}

/// The dimensions of the array that the program stores to, with some room behind its rows.
SmallVector<Value> SplitK::dimsOfPlane(const Place &place) {
  BlockArgument argument = tile::arrayOf(tile::StoreOp(found.store).getRef());
  Value array = place.arguments[argument.getArgNumber()];
  SmallVector<Value> dims;
  for (int64_t i = 0; i < cast<tile::ArrayType>(array.getType()).getRank(); ++i)
    dims.push_back(builder.create<tile::DimOp>(loc, array, i));
  Value granule = constant(granuleOfColumns);
  dims.back() = make<arith::MulIOp>(ceilDiv(dims.back(), granule), granule);
  return dims;
}

/// A plane for each part, of each sum.
SmallVector<Value> SplitK::emptyArrays(const Place &place) {
  SmallVector<Value> sizes = dimsOfPlane(place), made;
  sizes.insert(sizes.begin(), place.parts);
  for (Value sum : found.sums) {
    Type element = cast<RankedTensorType>(sum.getType()).getElementType();
    auto type = tile::ArrayType::get(builder.getContext(), element, sizes.size(), /*readOnly=*/false);
    auto name = NameLoc::get(builder.getStringAttr("partial_sums"), loc);
    made.push_back(builder.create<tile::EmptyOp>(name, type, sizes));
  }
  return made;
}

/// Whether one pass would leave most of the chip idle, and there are parts enough of a long sum, and planes that are
/// not much larger than what is stored to them.
Value SplitK::isWorthIt(const Place &place) {
  Value areFew =
      compare(arith::CmpIPredicate::slt, subTiles(place, smallRows, std::min(smallSide, columns)), manySubTiles / 2);
  Value areMany = compare(arith::CmpIPredicate::sge, place.parts, fewestParts);
  Value areLong = compare(arith::CmpIPredicate::sge, place.steps, std::max<int64_t>(1, leastOfRow / bytesOfStep()));
  Value elements = place.parts;
  for (Value dim : dimsOfPlane(place))
    elements = make<arith::MulIOp>(elements, dim);
  Value isThere = compare(arith::CmpIPredicate::sgt, elements, 0);
  Value isSmall = compare(arith::CmpIPredicate::sle, elements, 2 * manySubTiles * rows * columns);
  Value isLarge = make<arith::AndIOp>(make<arith::AndIOp>(areFew, areMany), areLong);
  return make<arith::AndIOp>(isLarge, make<arith::AndIOp>(isThere, isSmall));
}

// ---- The passes -----------------------------------------------------------------------------------------------------

/// The passes are launches of the host for as long as it takes to split them: they see its checks.
bool SplitK::splitPasses() {
  before = {launch.getGrid(), launch.getArguments()};
  if (!computeParts(before))
    return false;
  partials = emptyArrays(before);
  PartialProducts programs(launch, found);
  ScopedDiagnosticHandler silent(launch.getContext(), [](Diagnostic &) { return success(); });
  parts = programs.sumParts(before.parts, before.each, granule(), partials);
  auto options = ProductOptions::of(launch);
  options.cluster = 0; // Parts are another axis of the grid, along which columns differ.
  options.setOn(parts);
  FailureOr<Program> program = splitAlone(parts, shape);
  if (failed(program))
    return false;
  ArrayRef<DomainDim> dims = program->domains.front().dims;
  rows = dims[0].subTile, columns = dims[1].subTile;
  smallRows = program->shape.tensor ? rows : std::min(smallSide, rows);
  rest = programs.finish(partials);
  // Partial sums are few: one kernel is enough.
  GroupShape small = shape;
  small.variants.vector = false;
  constexpr int64_t columnsOfRest = 32;
  small.columns = columnsOfRest;
  return succeeded(splitLaunch(rest, small, /*remarks=*/false));
}

// ---- The plan -------------------------------------------------------------------------------------------------------

/// Long sums in few sub-tiles take the passes, all others what the plan has been so far.
void SplitK::writePlan() {
  OpBuilder::InsertionGuard guard(builder);
  Block &plan = launch.getPlan().front();
  builder.setInsertionPointToStart(&plan);
  size_t axes = launch.getGrid().size();
  ValueRange all = plan.getArguments();
  Place here{all.take_front(axes), all.drop_front(axes)};
  computeParts(here);
  Value passes = isWorthIt(here);
  IRMapping host;
  host.map(launch.getGrid(), here.grid);
  host.map(launch.getArguments(), here.arguments);
  host.map(before.parts, here.parts);
  host.map(before.each, here.each);
  // What the first pass asks of its factors, before there are partial sums.
  mapPlan(parts, host);
  auto launches = cast<scf::IfOp>(parts.getPlan().front().getTerminator()->getPrevNode());
  for (Operation &op : llvm::make_range(parts.getPlan().front().begin(), launches->getIterator()))
    builder.clone(op, host);
  passes = make<arith::AndIOp>(passes, host.lookup(launches.getCondition()));
  auto branch = builder.create<scf::IfOp>(loc, passes, /*withElseRegion=*/true);
  moveIntoElse(branch);
  builder.setInsertionPointToStart(branch.thenBlock());
  host.map(partials, emptyArrays(here));
  mapPlan(parts, host);
  for (Operation &op : launches.thenBlock()->without_terminator())
    builder.clone(op, host);
  inlinePlan(builder, rest, host);
}

LogicalResult SplitK::run() {
  Operation *front = launch->getPrevNode();
  if (failed(splitLaunch(launch, shape, remarks)))
    return failure();
  auto kernels = launch->getParentOfType<ModuleOp>().getOps<tile::KernelOp>();
  size_t known = llvm::range_size(kernels);
  bool isDivided = !found.sums.empty() && shape.variants.splitK && splitPasses();
  if (!isDivided)
    for (tile::KernelOp kernel : llvm::to_vector(llvm::drop_begin(kernels, known)))
      kernel.erase();
  if (isDivided) {
    writePlan();
    if (remarks)
      launch.emitRemark() << "fewer than " << manySubTiles / 2 << " sub-tiles of " << smallRows << " by "
                          << std::min(smallSide, columns) << ", of sums over at least " << leastOfRow
                          << " bytes of a row: split-K: many programs sum a part each (" << parts.getName()
                          << "), and others add these up (" << rest.getName() << ")";
  }
  eraseBetween(front, launch); // The host code in front of the launch has done its service.
  return success();
}

} // namespace

LogicalResult splitAlongDepth(tile::LaunchOp launch, const GroupShape &shape, bool remarks) {
  return SplitK(launch, shape, remarks).run();
}

} // namespace tegula::split
