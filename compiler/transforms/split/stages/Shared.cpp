// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/stages/Shared.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tegula::split {

bool AlikeStages::haveSameFacts(Value a, Value b) {
  auto type = dyn_cast<tile::ArrayType>(a.getType());
  if (!type || a == b)
    return a == b;
  return a.getType() == b.getType() && llvm::all_of(llvm::seq<int64_t>(type.getRank()), [&](int64_t dim) {
           return symbols.ofArrayDim(a, dim) == symbols.ofArrayDim(b, dim);
         });
}

/// All ops of a stage, those of regions, too, but constants.
static SmallVector<Operation *> opsOf(tile::LaunchOp stage) {
  SmallVector<Operation *> ops;
  stage.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<arith::ConstantOp>(op))
      ops.push_back(op);
  });
  return ops;
}

/// Whether a number is the value of tiles, or of scalars that are, and nothing else: what a kernel does does not depend
/// on it.
static bool isOfValues(OpOperand &use) {
  auto type = use.get().getType();
  if (!type.isInteger(32) && !type.isInteger(64) && !type.isF32() && !type.isF64())
    return false;
  Operation *user = use.getOwner();
  if (auto full = dyn_cast<tile::FullOp>(user))
    return use.getOperandNumber() == full.getValueMutable().getOperandNumber();
  bool isScalar = user->getDialect()->getNamespace() == "arith" && isPure(user) && user->getNumRegions() == 0;
  return isScalar && llvm::all_of(user->getUses(), isOfValues);
}

std::optional<AlikeStages::Match> AlikeStages::match(const Known &one, tile::LaunchOp stage) {
  tile::LaunchOp before = one.stage;
  unsigned given = before.getArguments().size() - one.parameters;
  if (given != stage.getArguments().size() || before.getGrid() != stage.getGrid())
    return std::nullopt;
  llvm::DenseMap<Value, Value> same;
  for (unsigned i = 0; i < given; ++i) {
    if (before.getAccessOf(i) != stage.getAccessOf(i) ||
        !haveSameFacts(before.getArguments()[i], stage.getArguments()[i]))
      return std::nullopt;
    same[before.getBody().getArgument(i)] = stage.getBody().getArgument(i);
  }
  Match found;
  found.bound.resize(one.parameters);
  SmallVector<Operation *> ops = opsOf(before), others = opsOf(stage);
  if (ops.size() != others.size())
    return std::nullopt;
  for (auto [op, other] : llvm::zip_equal(ops, others)) {
    if (op->getName() != other->getName() || op->getAttrDictionary() != other->getAttrDictionary() ||
        op->getResultTypes() != other->getResultTypes() || op->getNumOperands() != other->getNumOperands() ||
        op->getNumRegions() != other->getNumRegions())
      return std::nullopt;
    for (auto [a, b] : llvm::zip_equal(op->getOperands(), other->getOpOperands())) {
      auto number = a.getDefiningOp<arith::ConstantOp>(), own = b.get().getDefiningOp<arith::ConstantOp>();
      auto argument = dyn_cast<BlockArgument>(a);
      bool isParameter =
          argument && argument.getOwner() == &before.getBody().front() && argument.getArgNumber() >= given;
      if (own && own.getType() == a.getType() && isParameter)
        found.bound[argument.getArgNumber() - given] = &b;
      else if (own && number && own.getType() == number.getType() && own.getValue() != number.getValue())
        found.differing.push_back(&b);
      else if (!(own && number && own.getValue() == number.getValue()) && (!same.contains(a) || same[a] != b.get()))
        return std::nullopt;
    }
    for (auto [a, b] : llvm::zip_equal(op->getResults(), other->getResults()))
      same[a] = b;
    for (auto [a, b] : llvm::zip_equal(op->getRegions(), other->getRegions())) {
      if (a.getBlocks().size() != b.getBlocks().size() || a.getBlocks().size() > 1 ||
          a.getArgumentTypes() != b.getArgumentTypes())
        return std::nullopt;
      if (!a.empty())
        for (auto [of, ofOther] : llvm::zip_equal(a.getArguments(), b.getArguments()))
          same[of] = ofOther;
    }
  }
  return llvm::all_of(found.differing, [](OpOperand *use) { return isOfValues(*use); }) ? std::optional(found)
                                                                                        : std::nullopt;
}

/// Constants of a stage become its last arguments.
static void makeParameters(tile::LaunchOp stage, ArrayRef<OpOperand *> uses) {
  OpBuilder builder(stage);
  SmallVector<Attribute> access(stage.getAccess().begin(), stage.getAccess().end());
  for (OpOperand *use : uses) {
    stage.getArgumentsMutable().append(builder.clone(*use->get().getDefiningOp())->getResult(0));
    access.push_back(tile::AccessAttr::get(builder.getContext(), tile::Access::Scalar));
    use->set(stage.getBody().addArgument(use->get().getType(), use->get().getLoc()));
  }
  stage.setAccessAttr(builder.getArrayAttr(access));
}

bool AlikeStages::takePlan(tile::LaunchOp stage) {
  /// So many kernels that differ in numbers alone are left: constants may be faster.
  constexpr unsigned mostSimilar = 3;
  std::optional<Match> similar;
  unsigned count = 0;
  for (const Known &each : known) {
    std::optional<Match> found = match(each, stage);
    if (!found)
      continue;
    if (found->differing.empty()) {
      makeParameters(stage, found->bound);
      IRMapping mapping;
      tile::LaunchOp before = each.stage;
      before.getPlan().cloneInto(&stage.getPlan(), mapping);
      stage->setDiscardableAttrs(before->getDiscardableAttrDictionary());
      return true;
    }
    ++count;
    similar = std::move(found);
  }
  parameters = 0;
  if (count < mostSimilar)
    return false;
  llvm::append_range(similar->bound, similar->differing);
  parameters = similar->bound.size();
  makeParameters(stage, similar->bound);
  return false;
}

/// Whether two values are made of the same in the same way.
static bool isSame(Value a, Value b, unsigned depth = 8) {
  if (a == b)
    return true;
  Operation *makerA = a.getDefiningOp(), *makerB = b.getDefiningOp();
  if (!makerA || !makerB || depth == 0 || !isPure(makerA) || makerA->getNumRegions() > 0 ||
      makerA->getName() != makerB->getName() || makerA->getAttrDictionary() != makerB->getAttrDictionary() ||
      makerA->getNumOperands() != makerB->getNumOperands() || makerA->getResultTypes() != makerB->getResultTypes())
    return false;
  return llvm::all_of(llvm::zip(makerA->getOperands(), makerB->getOperands()), [&](const auto &operands) {
    return isSame(std::get<0>(operands), std::get<1>(operands), depth - 1);
  });
}

void shareScratch(Block &plan) {
  /// An array, and from where to where it is used.
  struct Used {
    tile::EmptyOp array;
    Operation *first, *last;
  };
  SmallVector<Used> all;
  for (auto array : plan.getOps<tile::EmptyOp>()) {
    Used used{array, nullptr, nullptr};
    for (Operation *user : array->getUsers()) {
      Operation *here = plan.findAncestorOpInBlock(*user);
      if (!used.first || here->isBeforeInBlock(used.first))
        used.first = here;
      if (!used.last || used.last->isBeforeInBlock(here))
        used.last = here;
    }
    if (used.first)
      all.push_back(used);
  }
  llvm::sort(all, [](Used a, Used b) {
    return a.first == b.first ? a.array->isBeforeInBlock(b.array) : a.first->isBeforeInBlock(b.first);
  });
  SmallVector<Used> kept;
  for (Used &each : all) {
    auto *free = llvm::find_if(kept, [&](const Used &other) {
      tile::EmptyOp array = other.array;
      return other.last->isBeforeInBlock(each.first) && array->isBeforeInBlock(each.first) &&
             array.getType() == each.array.getType() &&
             llvm::all_of(llvm::zip_equal(array.getDims(), each.array.getDims()),
                          [](const auto &sizes) { return isSame(std::get<0>(sizes), std::get<1>(sizes)); });
    });
    if (free == kept.end()) {
      kept.push_back(each);
      continue;
    }
    each.array->replaceAllUsesWith(free->array->getResults());
    each.array.erase();
    free->last = each.last;
  }
}

} // namespace tegula::split
