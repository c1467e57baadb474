// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/HostPasses.h"

#include "ir/ApproxMath.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

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
      type = tile::RefType::ofArray(array);
    body.addArgument(type, argument.getLoc());
  }
  return pass;
}

tile::LaunchOp cloneProgram(OpBuilder &builder, tile::LaunchOp launch, const Twine &suffix, ArrayRef<Value> found,
                            function_ref<bool(Operation &, ValueRange, IRMapping &)> replace) {
  SmallVector<Value> arguments(launch.getArguments());
  SmallVector<tile::Access> access;
  for (unsigned i = 0; i < arguments.size(); ++i)
    access.push_back(launch.getAccessOf(i));
  llvm::append_range(arguments, found);
  access.append(found.size(), tile::Access::In);
  tile::LaunchOp pass = createPass(builder, launch, suffix, launch.getGrid(), arguments, access);
  OpBuilder::InsertionGuard guard(builder);
  Block &body = pass.getBody().front();
  builder.setInsertionPointToEnd(&body);
  IRMapping mapping;
  for (auto [inside, argument] : llvm::zip(launch.getBody().getArguments(), body.getArguments()))
    mapping.map(inside, argument);
  for (Operation &op : launch.getBody().front())
    if (!replace(op, body.getArguments().take_back(found.size()), mapping))
      builder.clone(op, mapping);
  // What went into what is replaced alone is not wanted any more.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  return pass;
}

Value numberOfProgram(OpBuilder &builder, Location loc, size_t axes) {
  Value all;
  for (size_t axis = 0; axis < axes; ++axis) {
    IntegerAttr which = builder.getI64IntegerAttr(axis);
    Value program = builder.create<tile::ProgramIdOp>(loc, builder.getI64Type(), which);
    if (all) {
      Value count = builder.create<tile::NumProgramsOp>(loc, builder.getI64Type(), which);
      program = builder.create<arith::AddIOp>(loc, builder.create<arith::MulIOp>(loc, all, count), program);
    }
    all = program;
  }
  return all;
}

void dropUnusedInputs(tile::LaunchOp pass) {
  SmallVector<Attribute> access(pass.getAccess().begin(), pass.getAccess().end());
  for (unsigned i = pass.getArguments().size(); i-- > 0;) {
    if (!pass.getBody().getArgument(i).use_empty())
      continue;
    pass.getBody().eraseArgument(i);
    pass.getArgumentsMutable().erase(i);
    access.erase(access.begin() + i);
  }
  pass.setAccessAttr(ArrayAttr::get(pass.getContext(), access));
}

void mapPlan(tile::LaunchOp pass, IRMapping &host) {
  SmallVector<Value> outside(pass.getGrid());
  llvm::append_range(outside, pass.getArguments());
  for (auto [inside, value] : llvm::zip(pass.getPlan().getArguments(), outside))
    if (Value known = host.lookupOrNull(value))
      host.map(inside, known);
}

void inlinePlan(OpBuilder &builder, tile::LaunchOp pass, IRMapping host) {
  mapPlan(pass, host);
  for (Operation &op : pass.getPlan().front().without_terminator())
    builder.clone(op, host);
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
