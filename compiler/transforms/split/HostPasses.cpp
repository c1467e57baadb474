// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/HostPasses.h"

#include "ir/ApproxMath.h"

using namespace mlir;

namespace tegula::split {

tile::LaunchOp createPass(OpBuilder &builder, tile::LaunchOp launch, const Twine &suffix, ValueRange grid,
                          ValueRange arguments, ArrayRef<tile::Access> access) {
  SmallVector<Attribute> attributes = llvm::map_to_vector(
      access, [&](tile::Access how) -> Attribute { return tile::AccessAttr::get(builder.getContext(), how); });
  auto pass = builder.create<tile::LaunchOp>(launch.getLoc(), grid, arguments, builder.getArrayAttr(attributes),
                                             (launch.getName() + suffix).str(), IntegerAttr(), DenseI64ArrayAttr());
  passApproxMath(launch, pass);
  Block &body = pass.getBody().emplaceBlock();
  for (Value argument : arguments) {
    Type type = argument.getType();
    if (auto array = dyn_cast<tile::ArrayType>(type))
      type = tile::RefType::get(array.getElementType(), SmallVector<int64_t>(array.getRank(), ShapedType::kDynamic));
    body.addArgument(type, argument.getLoc());
  }
  return pass;
}

void inlinePlan(OpBuilder &builder, tile::LaunchOp pass, const IRMapping &host) {
  IRMapping mapping;
  Block &plan = pass.getPlan().front();
  SmallVector<Value> outside(pass.getGrid());
  llvm::append_range(outside, pass.getArguments());
  for (auto [inside, value] : llvm::zip(plan.getArguments(), outside))
    mapping.map(inside, host.lookup(value));
  for (Operation &op : plan.without_terminator())
    builder.clone(op, mapping);
}

void moveIntoElse(scf::IfOp branch) {
  Operation *end = branch->getBlock()->getTerminator();
  for (Operation *op = branch->getNextNode(), *next; op != end; op = next) {
    next = op->getNextNode();
    op->moveBefore(branch.elseBlock()->getTerminator());
  }
}

void eraseBetween(Operation *before, Operation *after) {
  for (Operation *op = after->getPrevNode(), *previous; op != before; op = previous) {
    previous = op->getPrevNode();
    op->erase();
  }
}

} // namespace tegula::split
