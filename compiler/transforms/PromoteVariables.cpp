// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables to SSA through structured control flow. A variable that a region sets becomes one more result of the
// region's op, and one more iteration argument if the op is a loop; what the variable holds at each point is known
// while walking down.
#include "ir/Locations.h"
#include "ir/TileDialect.h"
#include "transforms/Passes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <memory>

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILEPROMOTEVARIABLES
#include "transforms/Passes.h.inc"

namespace {
/// What each live variable holds.
using Environment = llvm::DenseMap<Value, Value>;

class Promoter {
public:
  void promote(Block &block, Environment &environment);

private:
  void promoteIf(scf::IfOp op, Environment &environment);
  void promoteFor(scf::ForOp op, Environment &environment);
  void promoteWhile(scf::WhileOp op, Environment &environment);
  void promoteWarps(tile::WarpMapOp op, Environment &environment);
  void promoteNested(Block &block, ArrayRef<Value> variables, ValueRange onEntry, Environment &environment);
  SmallVector<Value> variablesSetIn(Operation *op, const Environment &environment);
  const llvm::SmallSetVector<Value, 4> &setIn(Operation *op);
  bool tellsExtents(Value tile);
  Value conformed(tile::SetOp set, Value held);

  llvm::DenseMap<Value, bool> told;
  /// The variables that are set inside of an op with regions, each of which is walked once.
  llvm::DenseMap<Operation *, std::unique_ptr<llvm::SmallSetVector<Value, 4>>> set;
};

const llvm::SmallSetVector<Value, 4> &Promoter::setIn(Operation *op) {
  if (auto known = set.find(op); known != set.end())
    return *known->second;
  auto variables = std::make_unique<llvm::SmallSetVector<Value, 4>>();
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps()) {
      if (auto setter = dyn_cast<tile::SetOp>(inner))
        variables->insert(setter.getVariable());
      else if (inner.getNumRegions() > 0)
        variables->insert(setIn(&inner).begin(), setIn(&inner).end());
    }
  return *(set[op] = std::move(variables));
}

/// The variables of the environment that are set somewhere inside.
SmallVector<Value> Promoter::variablesSetIn(Operation *op, const Environment &environment) {
  return llvm::to_vector(
      llvm::make_filter_range(setIn(op), [&](Value variable) { return environment.contains(variable); }));
}

SmallVector<Value> heldBy(ArrayRef<Value> variables, const Environment &environment) {
  return llvm::map_to_vector(variables, [&](Value variable) { return environment.lookup(variable); });
}

/// What a loop carries is called what its variables are called.
void nameAfter(ArrayRef<Value> variables, ValueRange arguments) {
  for (auto [variable, argument] : llvm::zip_equal(variables, arguments))
    if (StringRef name = tile::nameOf(variable); !name.empty())
      argument.setLoc(NameLoc::get(StringAttr::get(argument.getContext(), name), argument.getLoc()));
}

/// Walks a region's block in which `variables` hold `onEntry` at first, and appends what they hold in the end to its
/// terminator.
void Promoter::promoteNested(Block &block, ArrayRef<Value> variables, ValueRange onEntry, Environment &environment) {
  SmallVector<Value> before = heldBy(variables, environment); // All that the block may change.
  for (auto [variable, value] : llvm::zip_equal(variables, onEntry))
    environment[variable] = value;
  promote(block, environment);
  Operation *terminator = block.getTerminator();
  terminator->insertOperands(terminator->getNumOperands(), heldBy(variables, environment));
  for (auto [variable, value] : llvm::zip_equal(variables, before))
    environment[variable] = value;
}

/// With a further one for what each variable holds.
SmallVector<Type> resultTypes(Operation *op, ValueRange held) {
  SmallVector<Type> types(op->getResultTypes());
  llvm::append_range(types, held.getTypes());
  return types;
}

/// The op gives way to one with a further result for each variable.
void replace(Operation *op, Operation *promoted, ArrayRef<Value> variables, Environment &environment) {
  unsigned own = op->getNumResults();
  op->replaceAllUsesWith(promoted->getResults().take_front(own));
  for (auto [variable, result] : llvm::zip_equal(variables, promoted->getResults().drop_front(own)))
    environment[variable] = result;
  op->erase();
}

void Promoter::promoteIf(scf::IfOp op, Environment &environment) {
  SmallVector<Value> variables = variablesSetIn(op, environment), held = heldBy(variables, environment);
  SmallVector<Type> types = resultTypes(op, held);
  OpBuilder builder(op);
  auto promoted = builder.create<scf::IfOp>(op.getLoc(), types, op.getCondition(), /*addElseBlock=*/true);
  promoted.getThenRegion().takeBody(op.getThenRegion());
  if (!op.getElseRegion().empty())
    promoted.getElseRegion().takeBody(op.getElseRegion());
  else if (promoted.elseBlock()->empty()) // Without results it comes with a terminator.
    OpBuilder::atBlockEnd(promoted.elseBlock()).create<scf::YieldOp>(op.getLoc());
  for (Block *block : {promoted.thenBlock(), promoted.elseBlock()})
    promoteNested(*block, variables, held, environment);
  replace(op, promoted, variables, environment);
}

void Promoter::promoteFor(scf::ForOp op, Environment &environment) {
  SmallVector<Value> variables = variablesSetIn(op, environment), held = heldBy(variables, environment);
  SmallVector<Value> inits(op.getInitArgs());
  llvm::append_range(inits, held);
  OpBuilder builder(op);
  auto promoted = builder.create<scf::ForOp>(op.getLoc(), op.getLowerBound(), op.getUpperBound(), op.getStep(), inits);
  unsigned own = op.getNumRegionIterArgs();
  if (!promoted.getBody()->empty()) // A loop without arguments comes with a terminator.
    promoted.getBody()->getTerminator()->erase();
  promoted.getBody()->getOperations().splice(promoted.getBody()->end(), op.getBody()->getOperations());
  for (auto [from, to] : llvm::zip(op.getBody()->getArguments(), promoted.getBody()->getArguments()))
    from.replaceAllUsesWith(to);
  ValueRange arguments = promoted.getRegionIterArgs().drop_front(own);
  nameAfter(variables, arguments);
  promoteNested(*promoted.getBody(), variables, arguments, environment);
  replace(op, promoted, variables, environment);
}

void Promoter::promoteWhile(scf::WhileOp op, Environment &environment) {
  SmallVector<Value> variables = variablesSetIn(op, environment), held = heldBy(variables, environment);
  SmallVector<Value> inits(op.getInits());
  llvm::append_range(inits, held);
  SmallVector<Type> types = resultTypes(op, held);
  OpBuilder builder(op);
  auto promoted = builder.create<scf::WhileOp>(op.getLoc(), types, inits);
  promoted.getBefore().takeBody(op.getBefore());
  promoted.getAfter().takeBody(op.getAfter());
  for (Region *region : {&promoted.getBefore(), &promoted.getAfter()}) {
    SmallVector<Value> arguments;
    for (Value value : held)
      arguments.push_back(region->addArgument(value.getType(), op.getLoc()));
    nameAfter(variables, arguments);
    promoteNested(region->front(), variables, arguments, environment);
  }
  replace(op, promoted, variables, environment);
}

/// Each warp has a copy of what the variables hold.
void Promoter::promoteWarps(tile::WarpMapOp op, Environment &environment) {
  SmallVector<Value> variables = variablesSetIn(op, environment), inits(op.getInits());
  llvm::append_range(inits, heldBy(variables, environment));
  unsigned own = op.getNumResults();
  OpBuilder builder(op);
  auto promoted = builder.create<tile::WarpMapOp>(op.getLoc(), inits);
  promoted.getBody().takeBody(op.getBody());
  SmallVector<Value> arguments;
  for (Value init : ValueRange(inits).drop_front(own))
    arguments.push_back(promoted.getBody().addArgument(init.getType(), op.getLoc()));
  nameAfter(variables, arguments);
  promoteNested(promoted.getBody().front(), variables, arguments, environment);
  replace(op, promoted, variables, environment);
}

/// Whether a tile certainly has extents of its own.
bool Promoter::tellsExtents(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op)
    return false;
  if (auto known = told.find(tile); known != told.end())
    return known->second;
  auto isTold = [&](Value value) { return tellsExtents(value); };
  bool result =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case<tile::LoadOp, tile::GatherOp>([](Operation *) { return true; })
          .Case([&](tile::DotOp dot) { return isTold(dot.getA()) && isTold(dot.getB()); })
          .Case([&](tile::TakeOp take) { return isTold(take.getSource()) && isTold(take.getIndices().front()); })
          .Case<tile::ReduceOp, tile::ScanOp, tile::SortOp, tile::PermuteOp, tile::SubtileOp>(
              [&](Operation *of) { return isTold(of->getOperand(0)); })
          .Case<tile::FullOp, tile::IotaOp>(
              [](Operation *made) { return !cast<tile::IndexedOpInterface>(made).getResultExtents().empty(); })
          .Case([&](tile::BroadcastOp broadcast) {
            auto all = llvm::seq<unsigned>(0, broadcast.getDims().size());
            return broadcast.getSource().getType().getRank() == broadcast.getType().getRank() &&
                   llvm::all_of(all,
                                [&](unsigned dim) {
                                  return broadcast.isBound(dim) || broadcast.getSource().getType().getDimSize(dim) ==
                                                                       broadcast.getType().getDimSize(dim);
                                }) &&
                   isTold(broadcast.getSource());
          })
          .Default([&](Operation *other) {
            return tile::isElementwise(other) && llvm::any_of(other->getOperands(), isTold);
          });
  told[tile] = result;
  return result;
}

/// Whether a tile is made, element by element, of what a variable held.
bool isMadeOf(Value tile, Value held) {
  constexpr size_t most = 64;
  llvm::SetVector<Value> made;
  made.insert(tile);
  for (size_t i = 0; i < made.size() && i < most; ++i) {
    if (made[i] == held)
      return true;
    Operation *op = made[i].getDefiningOp();
    if (op && tile::isElementwise(op))
      made.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// What a variable holds once it is set: it keeps the extents that it has where the new tile has none of its own.
Value Promoter::conformed(tile::SetOp set, Value held) {
  Value value = set.getValue();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto launch = set->getParentOfType<tile::LaunchOp>();
  if (!type || type.getRank() == 0 || !launch || launch.isExplicit() || set->getParentOfType<tile::KernelOp>() ||
      held.getDefiningOp<ub::PoisonOp>() || isMadeOf(value, held) || tellsExtents(value))
    return value;
  OpBuilder builder(set);
  Location loc = tile::withoutName(set.getLoc());
  SmallVector<Value> extents;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    extents.push_back(builder.create<tile::DimOp>(loc, builder.getI64Type(), held, dim));
  return builder.create<tile::ConformOp>(value.getLoc(), value, extents);
}

void Promoter::promote(Block &block, Environment &environment) {
  SmallVector<tile::VariableOp> variables;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto variable = dyn_cast<tile::VariableOp>(op)) {
      OpBuilder builder(variable);
      Type type = variable.getType().getValueType();
      environment[variable] =
          builder.create<ub::PoisonOp>(variable.getLoc(), type, ub::PoisonAttr::get(type.getContext()));
      variables.push_back(variable);
    } else if (auto get = dyn_cast<tile::GetOp>(op)) {
      get.replaceAllUsesWith(environment.lookup(get.getVariable()));
      get.erase();
    } else if (auto set = dyn_cast<tile::SetOp>(op)) {
      Value &held = environment[set.getVariable()];
      held = conformed(set, held);
      set.erase();
    } else if (auto nested = dyn_cast<scf::IfOp>(op)) {
      promoteIf(nested, environment);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      promoteFor(loop, environment);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      promoteWhile(loop, environment);
    } else if (auto warps = dyn_cast<tile::WarpMapOp>(op)) {
      promoteWarps(warps, environment);
    } else {
      for (Region &region : op.getRegions()) // Launches and functions see no variable from outside.
        for (Block &inner : region) {
          Environment fresh;
          promote(inner, fresh);
        }
    }
  }
  for (tile::VariableOp variable : variables) {
    environment.erase(variable);
    variable.erase();
  }
}

struct PromoteVariables : impl::TilePromoteVariablesBase<PromoteVariables> {
  void runOnOperation() override {
    Environment environment;
    Promoter().promote(*getOperation().getBody(), environment);
  }
};
} // namespace
} // namespace tegula
