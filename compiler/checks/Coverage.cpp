// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host checks that compare a grid with the arrays that its block specs cut: every element of an output is in some
// program's block, of which there are some, and a squeezed dimension has an element for every program.
#include "analysis/Symbols.h"
#include "checks/Passes.h"
#include "ir/Expressions.h"
#include "ir/Locations.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILECHECKCOVERAGE
#include "checks/Passes.h.inc"

namespace {

/// How a block moves along one dimension of its array: with program `axis`, by its own size. No axis: it stays at 0.
struct Walk {
  std::optional<unsigned> axis;
};

/// Writes the checks of one launch in front of it.
class Coverage {
public:
  explicit Coverage(tile::LaunchOp launch) : launch(launch), symbols(launch), builder(launch) {}

  LogicalResult check() {
    launch.getBody().walk([&](tile::SliceOp slice) {
      auto argument = dyn_cast<BlockArgument>(slice.getSource());
      if (slice.getSpec() && argument && argument.getOwner() == &launch.getBody().front())
        check(slice, argument.getArgNumber());
    });
    for (unsigned argument = 0; argument < launch.getArguments().size(); ++argument)
      if (launch.getAccessOf(argument) == tile::Access::Out && failed(checkPrograms(argument)))
        return failure();
    for (auto slice : launch.getBody().getOps<tile::StridedSliceOp>())
      checkStep(slice);
    return success();
  }

private:
  /// A grid without programs leaves all of an output unwritten.
  LogicalResult checkPrograms(unsigned argument) {
    array = launch.getArguments()[argument];
    name = nameOfArray(array);
    loc = tile::withoutName(launch.getLoc());
    for (auto [axis, size] : llvm::enumerate(launch.getGrid())) {
      APInt number;
      if (matchPattern(size, m_ConstantInt(&number)) && !number.isZero())
        continue;
      std::string along = "grid axis " + std::to_string(axis);
      if (matchPattern(size, m_Zero())) {
        InFlightDiagnostic error = emitError(loc)
                                   << "the grid has no programs, because " << along << " is 0: nothing is "
                                   << "stored to " << name << ", which is tg::out";
        error.attachNote() << "without .grid there is one program; {.grid = {n}} has n";
        return failure();
      }
      if (!reaching.contains({argument, axis}) && !isDim(size))
        create(orEmpty(compare(arith::CmpIPredicate::sgt, size, constant(0)), std::nullopt),
               "the grid has {} programs along axis " + std::to_string(axis) + ": nothing is stored to " + name,
               {size});
    }
    return success();
  }

  /// A step that every program takes, and the host knows.
  void checkStep(tile::StridedSliceOp slice) {
    APInt constant;
    if (matchPattern(slice.getStep(), m_ConstantInt(&constant)))
      return;
    loc = tile::withoutName(slice.getLoc());
    IRMapping clones;
    Value step = cloneExpression(builder, slice.getStep(), clones, [&](Value value) -> std::optional<Value> {
      if (auto argument = dyn_cast<BlockArgument>(value))
        return argument.getOwner() == &launch.getBody().front() ? launch.getArguments()[argument.getArgNumber()]
                                                                : Value();
      bool isScalar = value.getDefiningOp()->getDialect()->getNamespace() == "arith" && value.getType().isInteger();
      return isScalar ? std::nullopt : std::optional<Value>(Value());
    });
    if (step)
      create(compare(arith::CmpIPredicate::sgt, step, this->constant(0)),
             "a window has the step {}: a step must be 1 or more; to reverse a tile, use tg::flip", {step});
  }

  /// Whether it is an extent of the array, which is empty then.
  bool isDim(Value size) {
    for (int64_t dim = 0; dim < cast<tile::ArrayType>(array.getType()).getRank(); ++dim)
      if (symbols.of(size) == symbols.ofArrayDim(array, dim))
        return true;
    return false;
  }

  void check(tile::SliceOp slice, unsigned argument) {
    array = launch.getArguments()[argument];
    name = nameOfArray(array);
    loc = tile::withoutName(slice.getLoc());
    SmallVector<std::pair<unsigned, Walk>> walks;
    llvm::SmallSet<unsigned, 6> axes;
    bool isCovering = launch.getAccessOf(argument) == tile::Access::Out;
    for (unsigned dim = 0; dim < slice.getModes().size(); ++dim) {
      std::optional<Walk> walk = walkOf(slice, dim);
      if (walk && slice.getMode(dim) == tile::SliceMode::Element)
        checkSqueezed(dim, *walk);
      // Dimensions that share a program id are covered along a diagonal at most: the author's to judge.
      isCovering &= walk && (!walk->axis || axes.insert(*walk->axis).second);
      if (walk)
        walks.push_back({dim, *walk});
    }
    for (auto [dim, walk] : walks)
      if (isCovering && slice.getMode(dim) != tile::SliceMode::Whole) {
        checkReach(slice, dim, walk);
        if (walk.axis)
          reaching.insert({argument, *walk.axis});
      }
  }

  std::optional<Walk> walkOf(tile::SliceOp slice, unsigned dim) {
    if (slice.getMode(dim) == tile::SliceMode::Whole)
      return Walk{};
    Value offset = slice.getOffset(dim);
    if (matchPattern(offset, m_Zero()))
      return Walk{};
    Symbol block = blockOf(slice, dim);
    if (auto id = offset.getDefiningOp<tile::ProgramIdOp>(); id && block == symbols.ofConstant(1))
      return Walk{id.getAxis()};
    if (auto product = offset.getDefiningOp<arith::MulIOp>())
      for (auto [a, b] : {std::pair(product.getLhs(), product.getRhs()), std::pair(product.getRhs(), product.getLhs())})
        if (auto id = a.getDefiningOp<tile::ProgramIdOp>(); id && symbols.of(b) == block)
          return Walk{id.getAxis()};
    return std::nullopt;
  }

  /// The size of a window or element.
  Symbol blockOf(tile::SliceOp slice, unsigned dim) {
    Value size = slice.getSize(dim);
    return size ? symbols.of(size) : symbols.ofConstant(slice.getBound(dim));
  }

  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }
  Value dimOf(unsigned dim) { return builder.createOrFold<tile::DimOp>(loc, array, builder.getI64IntegerAttr(dim)); }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b);
  }
  Value programs(const Walk &walk) { return walk.axis ? launch.getGrid()[*walk.axis] : constant(1); }

  /// An array without elements has nothing to cover.
  Value orEmpty(Value condition, std::optional<int64_t> dim) {
    int64_t rank = cast<tile::ArrayType>(array.getType()).getRank();
    for (int64_t other = 0; other < rank; ++other)
      if (other != dim)
        condition = builder.createOrFold<arith::OrIOp>(loc, condition,
                                                       compare(arith::CmpIPredicate::eq, dimOf(other), constant(0)));
    return condition;
  }

  void checkReach(tile::SliceOp slice, unsigned dim, const Walk &walk) {
    Value reach = programs(walk);
    if (slice.getMode(dim) == tile::SliceMode::Window) {
      Value size = slice.getSize(dim) ? onHost(slice.getSize(dim)) : constant(slice.getBound(dim));
      if (!size)
        return;
      reach = builder.createOrFold<arith::MulIOp>(loc, reach, size);
    }
    std::string where = name + ".dim(" + std::to_string(dim) + ")";
    std::string by = walk.axis ? "grid axis " + std::to_string(*walk.axis) + " times the block" : "its one block";
    create(orEmpty(compare(arith::CmpIPredicate::sge, reach, dimOf(dim)), dim),
           "the grid leaves part of " + name + " unwritten: " + by + " reaches {}, and " + where + " is {}",
           {reach, dimOf(dim)});
  }

  void checkSqueezed(unsigned dim, const Walk &walk) {
    if (!walk.axis)
      return;
    create(compare(arith::CmpIPredicate::sle, programs(walk), dimOf(dim)),
           "grid axis " + std::to_string(*walk.axis) + " has more programs, {}, than " + name + ".dim(" +
               std::to_string(dim) + ") has elements, {}",
           {programs(walk), dimOf(dim)});
  }

  void create(Value condition, const std::string &message, ArrayRef<Value> numbers) {
    if (!matchPattern(condition, m_One()))
      builder.create<tile::CheckOp>(loc, condition, message, numbers);
  }

  /// A block's size is computed before the launch: it is an argument or a constant.
  Value onHost(Value size) {
    APInt number;
    if (matchPattern(size, m_ConstantInt(&number)))
      return constant(number.getSExtValue());
    auto argument = dyn_cast<BlockArgument>(size);
    bool isOurs = argument && argument.getOwner() == &launch.getBody().front();
    return isOurs ? launch.getArguments()[argument.getArgNumber()] : Value();
  }

  tile::LaunchOp launch;
  Symbols symbols;
  OpBuilder builder;
  Value array;
  std::string name;
  /// The arguments and axes of the grid for which the host compares how far they reach.
  llvm::SmallDenseSet<std::pair<unsigned, unsigned>> reaching;
  Location loc = UnknownLoc::get(launch.getContext());
};

struct CheckCoverage : impl::TileCheckCoverageBase<CheckCoverage> {
  void runOnOperation() override {
    getOperation().walk([&](tile::LaunchOp launch) {
      if (failed(Coverage(launch).check()))
        signalPassFailure();
    });
  }
};
} // namespace
} // namespace tegula
