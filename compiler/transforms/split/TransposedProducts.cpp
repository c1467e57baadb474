// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/TransposedProducts.h"

#include "ir/Elements.h"
#include "ir/Parts.h"
#include "ir/ProductOptions.h"
#include "ir/Wgmma.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tegula::split {
namespace {

constexpr int64_t order[] = {1, 0};

class Transposer {
public:
  explicit Transposer(tile::LaunchOp launch) : launch(launch) {}

  bool run();

private:
  bool follow(Value value);
  bool followUser(OpOperand &use);
  bool follow(scf::ForOp loop, unsigned number);
  void rewrite();
  Value transposed(Value value);

  tile::LaunchOp launch;
  /// What is to be transposed: the products, what loops carry of them, and what is computed of them.
  llvm::SetVector<Value> values;
  SmallVector<tile::DotOp> dots;
  /// The others in the other order.
  llvm::DenseMap<Value, Value> made;
};

Value transposedRef(OpBuilder &builder, Value ref) {
  auto type = cast<tile::RefType>(ref.getType());
  int64_t dims[] = {type.getDims()[1], type.getDims()[0]};
  return builder.create<tile::TransposeOp>(ref.getLoc(), tile::RefType::get(type.getElementType(), dims), ref, order);
}

RankedTensorType transposedType(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  return RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)}, type.getElementType());
}

bool isMatrix(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 2;
}

/// A plain load of a matrix, perhaps transposed.
bool isLoaded(Value value) {
  if (auto permute = value.getDefiningOp<tile::PermuteOp>())
    value = permute.getSource();
  auto load = value.getDefiningOp<tile::LoadOp>();
  return load && !load.getMask();
}

/// Whether a right factor is computed element by element, of some matrix of elements of fewer bits that lies along the
/// sum.
bool isOfNarrow(TypedValue<RankedTensorType> factor) {
  unsigned bits = factor.getType().getElementTypeBitWidth();
  ArrayRef<int64_t> shape = factor.getType().getShape();
  SetVector<std::pair<Value, int64_t>> cone; // And the dimension that is summed over.
  cone.insert({factor, 0});
  for (size_t i = 0; i < cone.size(); ++i) {
    auto [value, depth] = cone[i];
    Operation *op = value.getDefiningOp();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!op || !type || type.getRank() != 2)
      continue;
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      int64_t rank = cast<tile::RefType>(tile::arrayOf(load.getRef()).getType()).getRank();
      bool isAlong = tile::arrayDimsOf(load.getRef())[depth] + 1 == rank;
      bool isWhole = type.getDimSize(depth) == shape[0] && type.getDimSize(1 - depth) == shape[1];
      if (!load.getMask() && isWhole && isAlong && elementOf(type.getElementType())->bits < bits)
        return true;
    } else if (auto permute = dyn_cast<tile::PermuteOp>(op)) {
      cone.insert({permute.getSource(), 1 - depth});
    } else if (tile::isElementwise(op)) {
      for (Value operand : op->getOperands())
        cone.insert({operand, depth});
    }
  }
  return false;
}

/// Whether a tile that goes into products, or into what is computed of them, can be made the other way round, where it
/// comes from.
bool canTranspose(Value wanted) {
  SetVector<Value> cone;
  cone.insert(wanted);
  for (size_t i = 0; i < cone.size(); ++i) {
    Operation *op = cone[i].getDefiningOp();
    if (!tile::isTile(cone[i]))
      continue;
    if (!op || !isMatrix(cone[i]))
      return false;
    if (isa<tile::PermuteOp>(op)) // There it is.
      continue;
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      if (load.getMask() || isPacked(load.getType().getElementType()))
        return false;
    } else if (auto full = dyn_cast<tile::FullOp>(op)) {
      if (!full.getExtents().empty())
        return false;
    } else if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
      if (isMatrix(broadcast.getSource()))
        cone.insert(broadcast.getSource());
    } else if (tile::isElementwise(op)) {
      cone.insert(op->operand_begin(), op->operand_end());
    } else {
      return false;
    }
  }
  return true;
}

bool canGain(tile::DotOp dot) {
  RankedTensorType type = dot.getType(), left = dot.getA().getType(), right = dot.getB().getType();
  bool isLow = !type.isDynamicDim(1) && type.getDimSize(1) < WgmmaTypes::rows;
  return type.getRank() == 2 && !isLow && (right.getElementType().isF16() || right.getElementType().isBF16()) &&
         right.getElementType() == left.getElementType() && isLoaded(dot.getA()) && isOfNarrow(dot.getB()) &&
         canTranspose(dot.getB());
}

bool Transposer::follow(scf::ForOp loop, unsigned number) {
  return follow(loop.getRegionIterArg(number)) && follow(loop.getResult(number));
}

bool Transposer::followUser(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return !store.getMask() && store.getValue() == use.get() && !isPacked(store.getValue().getType().getElementType());
  if (auto dot = dyn_cast<tile::DotOp>(op))
    return use.get() == dot.getAcc() && follow(dot.getResult());
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return follow(loop, use.getOperandNumber() - loop.getNumControlOperands());
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()); loop && isa<scf::YieldOp>(op))
    return follow(loop, use.getOperandNumber());
  return tile::isElementwise(op) && op->getNumResults() == 1 && isMatrix(op->getResult(0)) && follow(op->getResult(0));
}

/// Takes in a value and what is made of it; false if that is more than can be transposed.
bool Transposer::follow(Value value) {
  return !values.insert(value) || llvm::all_of(value.getUses(), [&](OpOperand &use) { return followUser(use); });
}

/// A tile that is none of those, in the other order: what loads made is loaded from transposed views.
Value Transposer::transposed(Value value) {
  if (values.contains(value) || !isMatrix(value))
    return value;
  if (Value known = made.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (auto permute = dyn_cast<tile::PermuteOp>(op))
    return permute.getSource();
  SmallVector<Value> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) { return transposed(operand); });
  OpBuilder builder(op);
  Operation *turned = builder.clone(*op);
  turned->setOperands(operands);
  turned->getResult(0).setType(transposedType(value));
  if (auto load = dyn_cast<tile::LoadOp>(turned)) {
    builder.setInsertionPoint(turned);
    load.getRefMutable().assign(transposedRef(builder, load.getRef()));
  } else if (auto iota = dyn_cast<tile::IotaOp>(turned)) {
    iota.setAxis(1 - iota.getAxis());
  } else if (auto broadcast = dyn_cast<tile::BroadcastOp>(turned); broadcast && !isMatrix(broadcast.getSource())) {
    broadcast.setDims(llvm::map_to_vector(broadcast.getDims(), [](int64_t dim) { return 1 - dim; }));
  }
  return made[value] = turned->getResult(0);
}

void Transposer::rewrite() {
  OpBuilder builder(launch.getContext());
  llvm::SetVector<Operation *> users;
  for (Value value : values)
    for (OpOperand &use : value.getUses())
      users.insert(use.getOwner());
  for (Value value : values)
    if (Operation *op = value.getDefiningOp())
      users.insert(op);
  for (Operation *op : users) {
    builder.setInsertionPoint(op);
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      Value left = transposed(dot.getB()), a = dot.getA();
      Value right = builder.createOrFold<tile::PermuteOp>(dot.getLoc(), transposedType(a), a, order);
      dot.getAMutable().assign(left);
      dot.getBMutable().assign(right);
      if (dot.getAcc())
        dot.getAccMutable().assign(transposed(dot.getAcc()));
    } else if (auto store = dyn_cast<tile::StoreOp>(op)) {
      store.getRefMutable().assign(transposedRef(builder, store.getRef()));
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (unsigned i = 0; i < loop.getNumResults(); ++i)
        if (values.contains(loop.getResult(i)))
          loop.getInitArgsMutable()[i].assign(transposed(loop.getInitArgs()[i]));
    } else if (!isa<scf::YieldOp>(op)) {
      for (OpOperand &operand : op->getOpOperands())
        operand.set(transposed(operand.get()));
    }
  }
  for (Value value : values)
    value.setType(transposedType(value));
}

/// Whether what a loop carries, and what is computed beside the products, can be made the other way round, too.
bool Transposer::run() {
  launch.getBody().walk([&](tile::DotOp dot) { dots.push_back(dot); });
  auto options = ProductOptions::of(launch);
  bool haveSides = options.consumers || options.columns || options.cluster; // Of the product as it stands.
  if (dots.empty() || haveSides || !llvm::all_of(dots, canGain) ||
      !llvm::all_of(dots, [&](tile::DotOp dot) { return follow(dot.getResult()); }))
    return false;
  auto canMake = [&](Value operand) { return values.contains(operand) || canTranspose(operand); };
  for (Value value : values) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp());
      unsigned number = argument.getArgNumber() - loop.getNumInductionVars();
      if (!canMake(loop.getInitArgs()[number]) || !values.contains(loop.getYieldedValues()[number]))
        return false;
    } else if (auto dot = value.getDefiningOp<tile::DotOp>()) {
      if (dot.getAcc() && !canMake(dot.getAcc()))
        return false;
    } else if (Operation *op = value.getDefiningOp(); !isa<scf::ForOp>(op)) {
      if (!llvm::all_of(op->getOperands(), canMake))
        return false;
    }
  }
  rewrite();
  return true;
}
} // namespace

bool transposeProducts(tile::LaunchOp launch) { return Transposer(launch).run(); }

} // namespace tegula::split
