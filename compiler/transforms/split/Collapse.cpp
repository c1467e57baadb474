// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/Collapse.h"

#include "analysis/Extents.h"
#include "transforms/Alignment.h"
#include "transforms/split/ChooseKernels.h"
#include "transforms/split/HostPasses.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula::split {
namespace {

/// Blocks of so many elements, a constant of the program or an argument of the launch (its number), along a dimension
/// that an axis of the grid goes along.
struct Blocks {
  unsigned dim;
  int64_t size;
  std::optional<unsigned> argument = {};
};

class Collapse {
public:
  explicit Collapse(tile::LaunchOp launch)
      : launch(launch), body(launch.getBody().front()), extents(launch), axes(launch.getGrid().size()) {}

  bool isPossible();
  LogicalResult run(const GroupShape &shape, bool remarks, function_ref<LogicalResult()> split);

private:
  bool areAlike();
  bool isPossible(Operation &op);
  bool isPossible(tile::SliceOp slice);
  bool isWhole(tile::SliceOp slice, unsigned dim, unsigned kept);
  std::optional<std::pair<unsigned, Blocks>> blocksAlong(tile::SliceOp slice, unsigned dim, unsigned kept);
  bool areSame(const Blocks &a, const Blocks &b);
  bool isOfPrograms(Value value) const { return ofPrograms.contains(value); }
  tile::LaunchOp buildPass(OpBuilder &builder, ValueRange arguments);
  Value isCovered(OpBuilder &builder);

  tile::LaunchOp launch;
  Block &body;
  Extents extents;
  /// What each axis of the grid is for, as the slices say.
  SmallVector<std::optional<Blocks>> axes;
  /// Integers that differ between programs: windows alone may.
  llvm::SmallPtrSet<Value, 8> ofPrograms;
  unsigned accesses = 0;
};

/// Whether all arrays of the launch, but numbers, have the same dimensions, two or more, and none is a table.
bool Collapse::areAlike() {
  ArrayRef<Extent> first;
  for (BlockArgument argument : body.getArguments()) {
    auto ref = dyn_cast<tile::RefType>(argument.getType());
    if (!ref || ref.getRank() == 0)
      continue;
    if (ref.isTable())
      return false;
    ArrayRef<Extent> dims = extents.of(argument);
    if (first.empty())
      first = dims;
    if (!llvm::equal(dims, first, [](const Extent &a, const Extent &b) { return a.symbol == b.symbol; }))
      return false;
  }
  return first.size() > 1;
}

/// Whether a slice has all of its array along a dimension.
bool Collapse::isWhole(tile::SliceOp slice, unsigned dim, unsigned kept) {
  if (slice.getMode(dim) != tile::SliceMode::Window)
    return slice.getMode(dim) == tile::SliceMode::Whole;
  return matchPattern(slice.getOffset(dim), m_Zero()) &&
         extents.of(slice, kept).symbol == extents.of(slice.getSource(), dim).symbol;
}

/// The axis of the grid whose programs have the elements of a slice along a dimension, if all of them are had once.
std::optional<std::pair<unsigned, Blocks>> Collapse::blocksAlong(tile::SliceOp slice, unsigned dim, unsigned kept) {
  Blocks blocks{dim, 1};
  Value size = slice.getSize(dim);
  if (slice.getMode(dim) == tile::SliceMode::Window && !size)
    blocks.size = slice.getType().getBound(kept);
  if (size) {
    auto argument = dyn_cast<BlockArgument>(size);
    if (!argument || argument.getOwner() != &body)
      return std::nullopt;
    blocks.size = 0;
    blocks.argument = argument.getArgNumber();
  }
  Value offset = slice.getOffset(dim);
  if (auto product = offset.getDefiningOp<arith::MulIOp>()) {
    bool isLeft = product.getLhs().getDefiningOp<tile::ProgramIdOp>() != nullptr;
    Value factor = isLeft ? product.getRhs() : product.getLhs();
    APInt known;
    if (size ? factor != size : !matchPattern(factor, m_ConstantInt(&known)) || known.getSExtValue() != blocks.size)
      return std::nullopt;
    offset = isLeft ? product.getLhs() : product.getRhs();
  } else if (blocks.size != 1) {
    return std::nullopt;
  }
  auto id = offset.getDefiningOp<tile::ProgramIdOp>();
  return id ? std::optional(std::pair<unsigned, Blocks>(id.getAxis(), blocks)) : std::nullopt;
}

/// Arguments that are one number of the host are one.
bool Collapse::areSame(const Blocks &a, const Blocks &b) {
  auto value = [&](const Blocks &blocks) {
    return blocks.argument ? launch.getArguments()[*blocks.argument] : Value();
  };
  return a.dim == b.dim && a.size == b.size && value(a) == value(b);
}

/// Whether the slices of all programs of a grid that covers an array are the array, and cut as those of the others.
bool Collapse::isPossible(tile::SliceOp slice) {
  if (!isa<BlockArgument>(slice.getSource()))
    return false;
  llvm::SmallBitVector used(axes.size());
  for (unsigned dim = 0, kept = 0; dim < slice.getModes().size(); ++dim) {
    unsigned at = kept;
    kept += slice.getMode(dim) != tile::SliceMode::Element;
    if (isWhole(slice, dim, at))
      continue;
    auto found = blocksAlong(slice, dim, at);
    if (!found || used.test(found->first))
      return false;
    auto &[axis, blocks] = *found;
    if (axes[axis] && !areSame(*axes[axis], blocks))
      return false;
    axes[axis] = blocks;
    used.set(axis);
  }
  return used.all();
}

bool Collapse::isPossible(Operation &op) {
  if (auto slice = dyn_cast<tile::SliceOp>(op))
    return isPossible(slice);
  bool isOfGrid = isa<tile::ProgramIdOp, tile::NumProgramsOp>(op) ||
                  llvm::any_of(op.getOperands(), [&](Value operand) { return isOfPrograms(operand); });
  bool isNumber = isa<tile::ProgramIdOp, tile::NumProgramsOp>(op) ||
                  (op.getDialect()->getNamespace() == arith::ArithDialect::getDialectNamespace() &&
                   llvm::none_of(op.getResultTypes(), [](Type type) { return isa<ShapedType>(type); }));
  if (isNumber) {
    if (isOfGrid)
      ofPrograms.insert(op.result_begin(), op.result_end());
    return true;
  }
  if (isOfGrid)
    return false;
  // An array is had at once, or by the blocks of all programs.
  auto isAll = [&](Value ref) {
    ++accesses;
    return ref.getDefiningOp<tile::SliceOp>() ||
           (isa<BlockArgument>(ref) && (axes.empty() || cast<tile::RefType>(ref.getType()).getRank() == 0));
  };
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return !load.getMask() && isAll(load.getRef());
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return !store.getMask() && store.getValue().getType().getRank() > 0 && isAll(store.getRef());
  if (auto full = dyn_cast<tile::FullOp>(op))
    return full.getExtents().empty();
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op))
    return cast<RankedTensorType>(broadcast->getOperand(0).getType()).getRank() == 0;
  return isa<tile::ExtractOp, tile::CastOp>(op) || tile::isElementwise(&op);
}

bool Collapse::isPossible() {
  if (launch.isExplicit() || !areAlike())
    return false;
  for (Operation &op : body.without_terminator())
    if (op.getNumRegions() > 0 || !isPossible(op))
      return false;
  return accesses > 0 && llvm::all_of(axes, [](const auto &axis) { return axis.has_value(); });
}

/// The program on rows. Tiles of all their elements have one dimension.
tile::LaunchOp Collapse::buildPass(OpBuilder &builder, ValueRange arguments) {
  SmallVector<tile::Access> access;
  for (unsigned i = 0; i < launch.getArguments().size(); ++i)
    access.push_back(launch.getAccessOf(i));
  tile::LaunchOp pass = createPass(builder, launch, "_row", {}, arguments, access);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&pass.getBody().front());
  IRMapping mapping;
  mapping.map(body.getArguments(), pass.getBody().getArguments());
  for (Operation &op : body) {
    if (llvm::any_of(op.getResults(), [&](Value result) { return isOfPrograms(result); }))
      continue;
    if (auto slice = dyn_cast<tile::SliceOp>(op)) {
      mapping.map(slice.getResult(), mapping.lookup(slice.getSource()));
      continue;
    }
    Operation *clone = op.cloneWithoutRegions(mapping);
    for (Value result : clone->getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType()); type && type.getRank() > 0)
        result.setType(RankedTensorType::get({ShapedType::kDynamic}, type.getElementType()));
    builder.insert(clone);
    mapping.map(op.getResults(), clone->getResults());
  }
  return pass;
}

/// Whether the grid covers the arrays, computed in the plan; none where that is known: it is checked before the launch
/// that the blocks of outputs cover them (checks/Coverage.cpp), but not windows, or arrays that are updated.
Value Collapse::isCovered(OpBuilder &builder) {
  for (tile::SliceOp slice : body.getOps<tile::SliceOp>())
    if (slice.getSpec() &&
        launch.getAccessOf(cast<BlockArgument>(slice.getSource()).getArgNumber()) == tile::Access::Out)
      return {};
  Location loc = launch.getLoc();
  ValueRange arguments = launch.getPlan().front().getArguments();
  ValueRange grid = arguments.take_front(axes.size());
  arguments = arguments.drop_front(axes.size());
  Value array = *llvm::find_if(arguments, [](Value argument) {
    auto type = dyn_cast<tile::ArrayType>(argument.getType());
    return type && type.getRank() > 0;
  });
  Value all;
  for (auto [count, blocks] : llvm::zip(grid, axes)) {
    Value size = blocks->argument
                     ? arguments[*blocks->argument]
                     : builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(blocks->size)).getResult();
    Value end = builder.create<arith::MulIOp>(loc, count, size);
    Value extent = builder.create<tile::DimOp>(loc, array, blocks->dim);
    Value covers = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, end, extent);
    all = all ? builder.create<arith::AndIOp>(loc, all, covers) : covers;
  }
  return all;
}

LogicalResult Collapse::run(const GroupShape &shape, bool remarks, function_ref<LogicalResult()> split) {
  OpBuilder builder(launch);
  Operation *before = launch->getPrevNode();
  auto flatten = [&](ValueRange arguments) {
    return llvm::map_to_vector(arguments, [&](Value argument) -> Value {
      auto type = dyn_cast<tile::ArrayType>(argument.getType());
      if (!type || type.getRank() == 0)
        return argument;
      auto row = tile::ArrayType::get(builder.getContext(), type.getElementType(), 1, type.getReadOnly());
      return builder.create<tile::FlattenOp>(argument.getLoc(), row, argument);
    });
  };
  SmallVector<Value> outside = flatten(launch.getArguments());
  tile::LaunchOp pass = buildPass(builder, outside);
  GroupShape ofRow = shape;
  ofRow.isAligned = true;
  if (failed(split()) || failed(splitLaunch(pass, ofRow, /*remarks=*/false)))
    return failure();
  if (remarks)
    launch.emitRemark() << "contiguous arrays: all of their elements are one row";

  Block &plan = launch.getPlan().front();
  builder.setInsertionPointToStart(&plan);
  SmallVector<Value> inside = flatten(plan.getArguments().drop_front(axes.size())), rows;
  llvm::copy_if(inside, std::back_inserter(rows), [](Value value) { return isa<tile::ArrayType>(value.getType()); });
  Location loc = launch.getLoc();
  Value isRow = builder.create<tile::DenseOp>(loc, rows, accessBytes, /*contiguous=*/false);
  if (Value covered = isCovered(builder))
    isRow = builder.create<arith::AndIOp>(loc, covered, isRow);
  auto branch = builder.create<scf::IfOp>(loc, isRow, /*withElseRegion=*/true);
  moveIntoElse(branch);
  builder.setInsertionPointToStart(branch.thenBlock());
  IRMapping host;
  host.map(outside, inside);
  inlinePlan(builder, pass, host);
  eraseBetween(before, launch);
  return success();
}

} // namespace

LogicalResult splitCollapsed(tile::LaunchOp launch, const GroupShape &shape, bool remarks,
                             function_ref<LogicalResult()> split) {
  Collapse collapse(launch);
  return shape.variants.vector && collapse.isPossible() ? collapse.run(shape, remarks, split) : split();
}

} // namespace tegula::split
