// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans of few rows that are too long for a thread group: many CTAs share a row, in one pass over memory. In a kernel
// of its own, each CTA takes a part of a row by its number, scans it, publishes what it comes to, and waits for what is
// before (ir/LookBack.h says what that relies on). Parts combine in fixed groups, so that a call gives the same bits in
// every run. The launch becomes two of the host's, one of which has the program again, with memory for what parts
// publish.
#include "transforms/split/LookBack.h"

#include "ir/LookBack.h"
#include "transforms/split/ChooseKernels.h"
#include "transforms/split/Domain.h"
#include "transforms/split/HostPasses.h"
#include "transforms/split/Plan.h"

using namespace mlir;

namespace tegula::split {

/// As many rows keep a chip busy by themselves.
static constexpr int64_t manyRows = 1 << 10;

static SmallVector<tile::ScanOp> scansOf(tile::LaunchOp launch) {
  SmallVector<tile::ScanOp> scans;
  launch.getBody().walk([&](tile::ScanOp scan) { scans.push_back(scan); });
  return scans;
}

/// Everything is computed where it is wanted, of elements at the same places: there is no control flow, and nothing is
/// combined but by scans.
static bool isElementwiseButForScans(Operation *op, tile::LaunchOp launch) {
  if (op->getParentOfType<tile::ScanOp>()) // A combiner.
    return true;
  if (op->getParentOp() != launch || isa<tile::DebugPrintOp, tile::ExtractOp>(op))
    return false;
  if (isa<tile::GatherOp, tile::TakeOp, tile::PermuteOp, tile::SubtileOp>(op))
    return false;
  if (isa<tile::RootOpInterface>(op) && !isa<tile::StoreOp>(op))
    return false;
  return isa<tile::ScanOp>(op) || !tile::isContraction(op);
}

bool canShareScans(tile::LaunchOp launch) {
  SmallVector<tile::ScanOp> scans = scansOf(launch);
  if (scans.empty() || launch.isExplicit())
    return false;
  int64_t rank = scans.front().getSource().getType().getRank();
  bool canShare = true;
  launch.getBody().walk([&](Operation *op) {
    canShare &= isElementwiseButForScans(op, launch);
    if (auto store = dyn_cast<tile::StoreOp>(op))
      canShare &= store.getValue().getType().getRank() == rank;
  });
  return canShare && llvm::all_of(scans, [&](tile::ScanOp scan) {
           RankedTensorType type = scan.getSource().getType();
           return type.getRank() == rank && scan.getScannedDim() + 1 == rank && type.isDynamicDim(rank - 1) &&
                  scan.getReverse() == scans.front().getReverse();
         });
}

namespace {
class Sharing {
public:
  Sharing(tile::LaunchOp launch, const GroupShape &shape)
      : launch(launch), shape(shape), extents(launch), scans(scansOf(launch)), loc(launch.getLoc()), builder(launch) {}

  LogicalResult run(bool remarks);

private:
  /// What the host computes of a call, at the builder's place.
  struct Call {
    Value length, rows;
  };
  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }
  template <class Op> Value make(Value a, Value b) { return builder.createOrFold<Op>(loc, a, b); }
  Value compare(arith::CmpIPredicate predicate, Value value, int64_t number) {
    return builder.create<arith::CmpIOp>(loc, predicate, value, constant(number));
  }
  bool areRowsAlike();
  std::optional<Call> describe(ValueRange grid, ValueRange arguments);
  SmallVector<Value> emptyStates(const Call &call);
  tile::LaunchOp createPass(ArrayRef<Value> states);
  void writePlan(tile::LaunchOp pass, ArrayRef<Value> states);

  tile::LaunchOp launch;
  const GroupShape &shape;
  Extents extents;
  SmallVector<tile::ScanOp> scans;
  Location loc;
  OpBuilder builder;
};
} // namespace

/// Whether all that is scanned and stored has rows of one length.
bool Sharing::areRowsAlike() {
  std::optional<Symbol> row = extents.of(scans.front().getSource()).back().symbol;
  bool areAlike = row.has_value();
  for (tile::ScanOp scan : scans)
    areAlike &= extents.of(extents.sourceThatTells(scan.getSources(), scan.getScannedDim())).back().symbol == row;
  launch.getBody().walk([&](tile::StoreOp store) {
    areAlike &= extents.of(cast<tile::RootOpInterface>(store.getOperation())).back().symbol == row;
  });
  return areAlike;
}

std::optional<Sharing::Call> Sharing::describe(ValueRange grid, ValueRange arguments) {
  HostValues host(launch, builder, grid, arguments);
  ArrayRef<Extent> dims = extents.of(scans.front().getSource());
  Call call{host.most(dims.back()), constant(1)};
  for (Value size : grid)
    call.rows = make<arith::MulIOp>(call.rows, size);
  for (const Extent &extent : dims.drop_back()) {
    Value size = extent.symbol ? host.most(extent) : Value();
    if (!size)
      return std::nullopt;
    call.rows = make<arith::MulIOp>(call.rows, size);
  }
  return call.length ? std::optional(call) : std::nullopt;
}

/// Of each scan, for all parts of all rows.
SmallVector<Value> Sharing::emptyStates(const Call &call) {
  int64_t part = sharedRows(launch, shape).part;
  Value up = make<arith::AddIOp>(call.length, constant(part - 1));
  Value parts = make<arith::MulIOp>(make<arith::DivSIOp>(up, constant(part)), call.rows);
  auto type = tile::ArrayType::get(builder.getContext(), builder.getI64Type(), 1, /*readOnly=*/false);
  SmallVector<Value> states;
  for (tile::ScanOp scan : scans) {
    int64_t words = 0;
    for (unsigned i = 0; i < scan.getSources().size(); ++i)
      words += lookback::wordsOf(combinedIn(scan, i).getIntOrFloatBitWidth());
    Value size = make<arith::MulIOp>(parts, constant(lookback::levels * words));
    auto name = NameLoc::get(builder.getStringAttr("parts"), loc);
    states.push_back(builder.create<tile::EmptyOp>(name, type, size, /*zeroed=*/true));
  }
  return states;
}

/// The program again, whose scans have memory.
tile::LaunchOp Sharing::createPass(ArrayRef<Value> states) {
  size_t next = 0;
  auto replace = [&](Operation &op, ValueRange found, IRMapping &mapping) {
    auto scan = dyn_cast<tile::ScanOp>(op);
    if (scan)
      cast<tile::ScanOp>(builder.clone(op, mapping)).getStateMutable().assign(found[next++]);
    return scan != nullptr;
  };
  return cloneProgram(builder, launch, "_shared", states, replace);
}

void Sharing::writePlan(tile::LaunchOp pass, ArrayRef<Value> states) {
  OpBuilder::InsertionGuard guard(builder);
  Block &plan = launch.getPlan().front();
  builder.setInsertionPointToStart(&plan);
  ValueRange all = plan.getArguments();
  ValueRange grid = all.take_front(launch.getGrid().size()), arguments = all.drop_front(launch.getGrid().size());
  Call here = *describe(grid, arguments);
  Value isLong = compare(arith::CmpIPredicate::sgt, here.length, shape.mostElements());
  Value areFew = compare(arith::CmpIPredicate::slt, here.rows, manyRows);
  auto branch = builder.create<scf::IfOp>(loc, make<arith::AndIOp>(isLong, areFew), /*withElseRegion=*/true);
  moveIntoElse(branch);
  builder.setInsertionPointToStart(branch.thenBlock());
  IRMapping host;
  host.map(launch.getGrid(), grid);
  host.map(launch.getArguments(), arguments);
  host.map(states, emptyStates(here));
  inlinePlan(builder, pass, host);
}

LogicalResult Sharing::run(bool remarks) {
  if (failed(splitLaunch(launch, shape, remarks)))
    return failure();
  if (!areRowsAlike())
    return success();
  Operation *before = launch->getPrevNode();
  if (std::optional<Call> outside = describe(launch.getGrid(), launch.getArguments())) {
    SmallVector<Value> states = emptyStates(*outside);
    tile::LaunchOp pass = createPass(states);
    GroupShape own = shape;
    own.variants.warp = own.variants.half = own.variants.block = own.variants.cluster = false;
    if (failed(splitLaunch(pass, own, /*remarks=*/false)))
      return failure();
    writePlan(pass, states);
    if (remarks)
      launch.emitRemark() << "fewer than " << manyRows << " rows of more than " << shape.mostElements()
                          << " elements: thread groups share them, " << sharedRows(launch, shape).part
                          << " elements each, and wait for what is before theirs";
  }
  eraseBetween(before, launch); // The host code in front of the launch has done its service.
  return success();
}

LogicalResult splitScans(tile::LaunchOp launch, const GroupShape &shape, bool remarks) {
  return Sharing(launch, shape).run(remarks);
}

} // namespace tegula::split
