// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/TwoPass.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tegula::split {
namespace {

/// From this many elements on, a second launch costs less than it gains.
constexpr int64_t fewestElements = 1 << 16;
/// Chunks are multiples of this: as aligned as their array.
constexpr int64_t granule = 1 << 12;
constexpr int64_t leastChunk = 4 * granule, mostChunks = 1 << 10;

/// A reduction of everything to one number, and the dimension of its source that is divided.
struct Target {
  tile::ReduceOp reduce;
  int64_t dim;
  Demand demand;
};

class TwoPass {
public:
  TwoPass(tile::LaunchOp launch, llvm::function_ref<LogicalResult(tile::LaunchOp)> split, bool remarks)
      : launch(launch), split(split), remarks(remarks), extents(launch), loc(launch.getLoc()), builder(launch) {}

  LogicalResult run();

private:
  struct Numbers {
    Value chunks, chunk;
  };
  std::optional<Target> targetOf(tile::ReduceOp reduce);
  bool isDivisible(Target &target);
  Numbers numbersOf(Value length);
  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }
  tile::LaunchOp create(StringRef suffix, ValueRange grid, ValueRange arguments, ArrayRef<tile::Access> access);
  tile::LaunchOp reducePartially(ArrayRef<Value> partials, Numbers numbers);
  tile::LaunchOp combinePartials(ArrayRef<Value> partials, ArrayRef<Value> results);
  tile::LaunchOp buildEpilogue(ArrayRef<Value> results);
  Value cloneChunk(Value value, const Target &target, Value start, Value chunk, IRMapping &mapping);
  Value cloneLoad(tile::LoadOp load, const Target &target, Value start, Value chunk, IRMapping &mapping);
  void inlinePlan(tile::LaunchOp pass, const IRMapping &host);

  tile::LaunchOp launch;
  llvm::function_ref<LogicalResult(tile::LaunchOp)> split;
  bool remarks;
  Extents extents;
  Location loc;
  OpBuilder builder;
  SmallVector<Target> targets;
  llvm::SmallDenseSet<unsigned> stored;
};

/// What the source of a target is made of.
llvm::SetVector<Value> cone(Value source) {
  llvm::SetVector<Value> all;
  all.insert(source);
  for (size_t i = 0; i < all.size(); ++i)
    if (Operation *op = all[i].getDefiningOp())
      all.insert(op->operand_begin(), op->operand_end());
  return all;
}

/// Whether all that the source is made of can be had for a chunk alone.
bool TwoPass::isDivisible(Target &target) {
  return llvm::all_of(cone(target.reduce.getSource()), [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument)
      return argument.getOwner() == &launch.getBody().front() && !stored.contains(argument.getArgNumber());
    Operation *op = value.getDefiningOp();
    if (op->getNumRegions() > 0 || isContraction(op) || isa<tile::SubtileOp>(op) ||
        op->getBlock() != &launch.getBody().front())
      return false;
    if (auto full = dyn_cast<tile::FullOp>(op); full && !full.getExtents().empty())
      return false;
    if (auto iota = dyn_cast<tile::IotaOp>(op); iota && !iota.getExtents().empty())
      return false;
    // A tile that is wanted in several ways has no one chunk.
    return !isa<RankedTensorType>(value.getType()) || target.demand.of(value).size() <= 1;
  });
}

std::optional<Target> TwoPass::targetOf(tile::ReduceOp reduce) {
  RankedTensorType source = reduce.getSource().getType();
  if (reduce.getType().getRank() != 0)
    return std::nullopt;
  for (int64_t dim = 0; dim < source.getRank(); ++dim) {
    const Extent &extent = extents.of(reduce.getSource(), dim);
    if (!source.isDynamicDim(dim) || !extent.origin || !isa<BlockArgument>(extent.origin) ||
        !isa<tile::RefType>(extent.origin.getType()))
      continue;
    Target target{reduce, dim, {}};
    target.demand.add(reduce.getSource(), llvm::to_vector(llvm::seq<int>(0, source.getRank())));
    // The first one decides what is divided.
    bool isAlike =
        targets.empty() || extents.of(targets.front().reduce.getSource(), targets.front().dim).symbol == extent.symbol;
    if (isAlike && isDivisible(target))
      return target;
  }
  return std::nullopt;
}

/// Programs that chunk the work, and how much each takes.
TwoPass::Numbers TwoPass::numbersOf(Value length) {
  Value chunks = builder.create<arith::DivSIOp>(loc, length, constant(leastChunk));
  chunks = builder.create<arith::MaxSIOp>(loc, chunks, constant(1));
  chunks = builder.create<arith::MinSIOp>(loc, chunks, constant(mostChunks));
  Value granules = builder.create<arith::MulIOp>(loc, chunks, constant(granule));
  Value up = builder.create<arith::SubIOp>(loc, granules, constant(1));
  Value each = builder.create<arith::DivSIOp>(loc, builder.create<arith::AddIOp>(loc, length, up), granules);
  return {chunks, each};
}

tile::LaunchOp TwoPass::create(StringRef suffix, ValueRange grid, ValueRange arguments, ArrayRef<tile::Access> access) {
  SmallVector<Attribute> attributes = llvm::map_to_vector(
      access, [&](tile::Access how) -> Attribute { return tile::AccessAttr::get(builder.getContext(), how); });
  auto pass = builder.create<tile::LaunchOp>(loc, grid, arguments, builder.getArrayAttr(attributes),
                                             (launch.getName() + suffix).str(), IntegerAttr(), DenseI64ArrayAttr());
  Block &body = pass.getBody().emplaceBlock();
  for (Value argument : arguments) {
    Type type = argument.getType();
    if (auto array = dyn_cast<tile::ArrayType>(type))
      type = tile::RefType::get(array.getElementType(), SmallVector<int64_t>(array.getRank(), ShapedType::kDynamic));
    body.addArgument(type, argument.getLoc());
  }
  return pass;
}

Value TwoPass::cloneLoad(tile::LoadOp load, const Target &target, Value start, Value chunk, IRMapping &mapping) {
  Value ref = cloneChunk(load.getRef(), target, start, chunk, mapping);
  auto type = cast<tile::RefType>(ref.getType());
  SmallVector<int64_t> dims(type.getDims());
  SmallVector<int32_t> modes(dims.size(), static_cast<int32_t>(tile::SliceMode::Whole));
  SmallVector<Value> offsets, sizes;
  ArrayRef<Roles> wanted = target.demand.of(load.getResult()); // None of what a number is extracted from.
  for (auto [i, role] : llvm::enumerate(wanted.empty() ? Roles() : wanted.front()))
    if (role == target.dim) {
      dims[i] = ShapedType::kDynamic;
      modes[i] = static_cast<int32_t>(tile::SliceMode::Window);
      offsets.push_back(start);
      sizes.push_back(chunk);
    }
  if (!offsets.empty())
    ref = builder.create<tile::SliceOp>(load.getLoc(), tile::RefType::get(type.getElementType(), dims), ref, offsets,
                                        sizes, modes, /*spec=*/false);
  Value mask, other;
  if (load.getMask()) {
    mask = cloneChunk(load.getMask(), target, start, chunk, mapping);
    other = cloneChunk(load.getOther(), target, start, chunk, mapping);
  }
  return builder.create<tile::LoadOp>(load.getLoc(), load.getType(), ref, mask, other);
}

Value TwoPass::cloneChunk(Value value, const Target &target, Value start, Value chunk, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  Value made;
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    made = cloneLoad(load, target, start, chunk, mapping);
  } else {
    for (Value operand : op->getOperands())
      cloneChunk(operand, target, start, chunk, mapping);
    auto iota = dyn_cast<tile::IotaOp>(op);
    ArrayRef<Roles> roles = target.demand.of(value);
    if (iota && !roles.empty() && roles.front()[iota.getAxis()] == target.dim) {
      Value offset = start;
      if (iota.getOffset())
        offset = builder.create<arith::AddIOp>(loc, mapping.lookup(iota.getOffset()), start);
      made = builder.create<tile::IotaOp>(iota.getLoc(), iota.getType(), iota.getAxisAttr(), offset, ValueRange());
    } else {
      made = builder.clone(*op, mapping)->getResult(cast<OpResult>(value).getResultNumber());
    }
  }
  mapping.map(value, made);
  return made;
}

/// Every program reduces its chunk of all targets.
tile::LaunchOp TwoPass::reducePartially(ArrayRef<Value> partials, Numbers numbers) {
  llvm::SetVector<unsigned> used;
  for (Target &target : targets)
    for (Value value : cone(target.reduce.getSource()))
      if (auto argument = dyn_cast<BlockArgument>(value))
        used.insert(argument.getArgNumber());
  SmallVector<Value> arguments;
  SmallVector<tile::Access> access;
  for (unsigned number : used) {
    arguments.push_back(launch.getArguments()[number]);
    bool isArray = isa<tile::ArrayType>(arguments.back().getType());
    access.push_back(isArray ? tile::Access::In : tile::Access::Scalar);
  }
  arguments.push_back(numbers.chunk);
  access.push_back(tile::Access::Scalar);
  llvm::append_range(arguments, partials);
  access.append(partials.size(), tile::Access::Out);
  tile::LaunchOp pass = create("_partial", numbers.chunks, arguments, access);

  OpBuilder::InsertionGuard guard(builder);
  Block &body = pass.getBody().front();
  builder.setInsertionPointToEnd(&body);
  Value program = builder.create<tile::ProgramIdOp>(loc, builder.getI64Type(), builder.getI64IntegerAttr(0));
  Value chunk = builder.create<arith::MulIOp>(loc, body.getArgument(used.size()), constant(granule));
  Value start = builder.create<arith::MulIOp>(
      loc, builder.create<arith::MulIOp>(loc, program, body.getArgument(used.size())), constant(granule));
  for (auto [i, target] : llvm::enumerate(targets)) {
    IRMapping mapping;
    for (auto [at, number] : llvm::enumerate(used))
      mapping.map(launch.getBody().getArgument(number), body.getArgument(at));
    tile::ReduceOp reduce = target.reduce;
    Value source = cloneChunk(reduce.getSource(), target, start, chunk, mapping);
    auto type = cast<RankedTensorType>(source.getType());
    Type element = combinedIn(reduce);
    if (element != type.getElementType())
      source = builder.create<tile::CastOp>(loc, RankedTensorType::get(type.getShape(), element), source);
    Value partial = builder.create<tile::ReduceOp>(reduce.getLoc(), RankedTensorType::get({}, element),
                                                   reduce.getKind(), source, reduce.getAxes(), ValueRange());
    Value place = builder.create<tile::SliceOp>(
        loc, tile::RefType::get(element, {}), body.getArgument(used.size() + 1 + i), program, ValueRange(),
        ArrayRef<int32_t>{static_cast<int32_t>(tile::SliceMode::Element)}, /*spec=*/false);
    builder.create<tile::StoreOp>(loc, partial, place);
  }
  builder.create<tile::YieldOp>(loc);
  return pass;
}

/// One program reduces what the chunks came to.
tile::LaunchOp TwoPass::combinePartials(ArrayRef<Value> partials, ArrayRef<Value> results) {
  SmallVector<Value> arguments(partials);
  llvm::append_range(arguments, results);
  SmallVector<tile::Access> access(partials.size(), tile::Access::In);
  access.append(results.size(), tile::Access::Out);
  tile::LaunchOp pass = create("_combine", {}, arguments, access);
  OpBuilder::InsertionGuard guard(builder);
  Block &body = pass.getBody().front();
  builder.setInsertionPointToEnd(&body);
  for (auto [i, target] : llvm::enumerate(targets)) {
    tile::ReduceOp reduce = target.reduce;
    auto ref = cast<tile::RefType>(body.getArgument(i).getType());
    Value found = builder.create<tile::LoadOp>(loc, ref.getTileType(), body.getArgument(i));
    Value result = builder.create<tile::ReduceOp>(reduce.getLoc(), RankedTensorType::get({}, ref.getElementType()),
                                                  reduce.getKind(), found, ArrayRef<int64_t>{0}, ValueRange());
    builder.create<tile::StoreOp>(loc, result, body.getArgument(targets.size() + i));
  }
  builder.create<tile::YieldOp>(loc);
  return pass;
}

/// The program, which finds the numbers in memory.
tile::LaunchOp TwoPass::buildEpilogue(ArrayRef<Value> results) {
  SmallVector<Value> arguments(launch.getArguments());
  SmallVector<tile::Access> access;
  for (unsigned i = 0; i < arguments.size(); ++i)
    access.push_back(launch.getAccessOf(i));
  llvm::append_range(arguments, results);
  access.append(results.size(), tile::Access::In);
  tile::LaunchOp pass = create("_epilogue", {}, arguments, access);
  OpBuilder::InsertionGuard guard(builder);
  Block &body = pass.getBody().front();
  builder.setInsertionPointToEnd(&body);
  IRMapping mapping;
  for (auto [inside, argument] : llvm::zip(launch.getBody().getArguments(), body.getArguments()))
    mapping.map(inside, argument);
  for (Operation &op : launch.getBody().front()) {
    auto *target = llvm::find_if(targets, [&](const Target &candidate) { return candidate.reduce == &op; });
    if (target == targets.end()) {
      builder.clone(op, mapping);
      continue;
    }
    Value ref = body.getArgument(launch.getArguments().size() + (target - targets.begin()));
    Value result = builder.create<tile::LoadOp>(op.getLoc(), cast<tile::RefType>(ref.getType()).getTileType(), ref);
    if (result.getType() != op.getResult(0).getType())
      result = builder.create<tile::CastOp>(op.getLoc(), op.getResult(0).getType(), result);
    mapping.map(op.getResult(0), result);
  }
  return pass;
}

void TwoPass::inlinePlan(tile::LaunchOp pass, const IRMapping &host) {
  IRMapping mapping;
  Block &plan = pass.getPlan().front();
  SmallVector<Value> outside(pass.getGrid());
  llvm::append_range(outside, pass.getArguments());
  for (auto [inside, value] : llvm::zip(plan.getArguments(), outside))
    mapping.map(inside, host.lookup(value));
  for (Operation &op : plan.without_terminator())
    builder.clone(op, mapping);
}

LogicalResult TwoPass::run() {
  if (!launch.getGrid().empty())
    return success();
  launch.getBody().walk([&](tile::StoreOp store) { stored.insert(tile::arrayOf(store.getRef()).getArgNumber()); });
  for (auto reduce : launch.getBody().front().getOps<tile::ReduceOp>())
    if (std::optional<Target> target = targetOf(reduce))
      targets.push_back(std::move(*target));
  if (targets.empty())
    return success();

  // The passes are launches of the host for as long as it takes to split them: they see its checks.
  const Extent &shared = extents.of(targets.front().reduce.getSource(), targets.front().dim);
  unsigned array = cast<BlockArgument>(shared.origin).getArgNumber();
  auto makeArrays = [&](Numbers numbers) {
    SmallVector<Value> arrays;
    for (int64_t rank : {1, 0})
      for (Target &target : targets) {
        Type element = combinedIn(target.reduce);
        auto type = tile::ArrayType::get(builder.getContext(), element, rank, /*readOnly=*/false);
        arrays.push_back(builder.create<tile::EmptyOp>(loc, type, rank ? ValueRange(numbers.chunks) : ValueRange()));
      }
    return arrays;
  };
  Value length = builder.create<tile::DimOp>(loc, builder.getI64Type(), launch.getArguments()[array],
                                             builder.getI64IntegerAttr(shared.dim));
  Numbers numbers = numbersOf(length);
  SmallVector<Value> arrays = makeArrays(numbers);
  ArrayRef<Value> partials = ArrayRef(arrays).take_front(targets.size()),
                  results = ArrayRef(arrays).drop_front(targets.size());
  SmallVector<tile::LaunchOp> passes = {reducePartially(partials, numbers), combinePartials(partials, results),
                                        buildEpilogue(results)};
  for (tile::LaunchOp pass : passes)
    if (failed(split(pass)))
      return failure();

  // Large arrays take the passes, all others what the plan has been so far.
  if (remarks)
    launch.emitRemark() << nameOfArray(launch.getArguments()[array]) << ".dim(" << shared.dim << ") of at least "
                        << fewestElements
                        << ": a two-pass reduction: many programs make a partial result each, and one combines them";
  OpBuilder::InsertionGuard guard(builder);
  Block &plan = launch.getPlan().front();
  Operation *end = plan.getTerminator();
  builder.setInsertionPoint(end);
  Value longness = builder.create<tile::DimOp>(loc, builder.getI64Type(), plan.getArgument(array),
                                               builder.getI64IntegerAttr(shared.dim));
  Value isLarge = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, longness, constant(fewestElements));
  auto branch = builder.create<scf::IfOp>(loc, isLarge, /*withElseRegion=*/true);
  Operation *first = &plan.front();
  while (first != longness.getDefiningOp()) {
    Operation *next = first->getNextNode();
    first->moveBefore(branch.elseBlock()->getTerminator());
    first = next;
  }
  builder.setInsertionPointToStart(branch.thenBlock());
  Numbers inPlan = numbersOf(longness);
  SmallVector<Value> arraysInPlan = makeArrays(inPlan);
  IRMapping host;
  for (auto [outside, inside] : llvm::zip(launch.getArguments(), plan.getArguments()))
    host.map(outside, inside);
  host.map(numbers.chunks, inPlan.chunks);
  host.map(numbers.chunk, inPlan.chunk);
  for (auto [outside, inside] : llvm::zip(arrays, arraysInPlan))
    host.map(outside, inside);
  for (tile::LaunchOp pass : passes)
    inlinePlan(pass, host);
  for (tile::LaunchOp pass : llvm::reverse(passes))
    pass.erase();
  for (Value made : llvm::reverse(arrays))
    made.getDefiningOp()->erase();
  return success();
}

} // namespace

LogicalResult addTwoPass(tile::LaunchOp launch, llvm::function_ref<LogicalResult(tile::LaunchOp)> split, bool remarks) {
  return TwoPass(launch, split, remarks).run();
}

} // namespace tegula::split
