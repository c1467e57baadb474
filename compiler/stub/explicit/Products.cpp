// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of warpgroups, and their accumulators.
#include "stub/Explicit.h"

#include "stub/Scalars.h"
#include "stub/Types.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::stub {

/// What products add to, and what control flow carries of it.
void ExplicitPrinter::findAccumulators() {
  bool changes = true;
  auto add = [&](Value value) { changes |= accumulators.insert(value).second; };
  auto isCarried = [](Value value) { return !value.getDefiningOp() || value.getDefiningOp()->getNumRegions() > 0; };
  // Values of which control flow makes one variable are accumulators if one of them is.
  auto unite = [&](std::initializer_list<Value> values) {
    if (llvm::none_of(values, [&](Value value) { return accumulators.contains(value); }))
      return;
    for (Value value : values)
      if (isCarried(value))
        add(value);
  };
  while (std::exchange(changes, false))
    launch.getBody().walk([&](Operation *op) {
      if (auto product = dyn_cast<tile::WgmmaOp>(op)) {
        add(product.getResult());
        if (isCarried(product.getAccumulator()))
          add(product.getAccumulator());
      } else if (auto wait = dyn_cast<tile::WgmmaWaitOp>(op)) {
        for (auto [operand, result] : llvm::zip(wait.getAccumulators(), wait.getResults()))
          if (accumulators.contains(operand))
            add(result);
      } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
        for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
          unite({argument, loop.getResult(i), loop.getInitArgs()[i], loop.getYieldedValues()[i]});
      } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
        for (OpResult result : branch.getResults())
          unite({result, branch.thenYield().getOperand(result.getResultNumber()),
                 branch.elseYield().getOperand(result.getResultNumber())});
      } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
        for (auto [i, argument] : llvm::enumerate(loop.getBeforeArguments()))
          unite({argument, loop.getInits()[i], loop.getYieldOp().getOperand(i)});
        for (auto [i, passed] : llvm::enumerate(loop.getConditionOp().getArgs()))
          unite({passed, loop.getAfterArguments()[i], loop.getResult(i)});
      }
    });
}

void ExplicitPrinter::declareAccumulator(const std::string &name, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Type element = type.getElementType();
  std::string declaration = "cpu::accumulator<" + typeName(element) + "> " + name;
  Attribute constant;
  if (accumulators.contains(value)) {
    out.line(declaration + " = " + places[value] + ";");
  } else if (tiles.contains(value)) {
    out.line(declaration + "(" + places[value] + ");");
  } else if (auto full = value.getDefiningOp<tile::FullOp>()) {
    Expr init = matchPattern(full.getValue(), m_Constant(&constant)) ? literal(constant, element)
                                                                     : asElement(use(full.getValue()), element);
    out.line(declaration + "(" + list(type.getShape()).text + ", " + init.text + ");");
  } else {
    std::string initial = names.unique("initial_" + name);
    declareTile(initial, value);
    out.line(declaration + "(" + initial + ");");
  }
}

void ExplicitPrinter::declareCarried(const std::string &name, Value variable, Value init) {
  if (!accumulators.contains(variable))
    return ProgramPrinter::declareCarried(name, variable, init);
  if (init)
    return declareAccumulator(name, init);
  Type element = cast<RankedTensorType>(variable.getType()).getElementType();
  out.line("cpu::accumulator<" + typeName(element) + "> " + name + ";");
}

Expr ExplicitPrinter::carried(Value value, Value target) {
  return accumulators.contains(value) ? Expr(places[value]) : ProgramPrinter::carried(value, target);
}

/// Whether nothing reads the variable of an accumulator after its only user.
static bool isLastUse(Value accumulator) {
  while (true) {
    if (!accumulator.hasOneUse() || accumulator.getParentBlock() != accumulator.getUsers().begin()->getBlock())
      return false;
    if (auto wait = accumulator.getDefiningOp<tile::WgmmaWaitOp>())
      accumulator = wait.getAccumulators()[cast<OpResult>(accumulator).getResultNumber()];
    else if (auto product = accumulator.getDefiningOp<tile::WgmmaOp>())
      accumulator = product.getAccumulator();
    else
      return true;
  }
}

std::string ExplicitPrinter::accumulatorFor(tile::WgmmaOp op) {
  Value value = op.getAccumulator();
  if (accumulators.contains(value) && isLastUse(value))
    return places[value];
  std::string name = names.forValue(op.getResult(), "sum");
  declareAccumulator(name, value);
  return name;
}

Expr ExplicitPrinter::inMemory(Value value, StringRef name) {
  if (accumulators.contains(value))
    return method({places[value]}, "value", {});
  if (tiles.contains(value))
    return {places[value]};
  Expr declared{names.unique(name)};
  declareTile(declared.text, value);
  return declared;
}

void ExplicitPrinter::printProduct(tile::WgmmaOp op) {
  Value a = op.getA();
  Expr left = isa<tile::RefType>(a.getType()) ? use(a) : inMemory(a, "left");
  std::string sum = accumulatorFor(op);
  std::vector<Expr> arguments = {{sum}, left, use(op.getB())};
  if (op.getAccumulate())
    arguments.push_back(use(op.getAccumulate()));
  else if (op.getAt())
    arguments.push_back({"/*accumulate=*/true"});
  if (op.getAt())
    arguments.push_back(list(*op.getAt()));
  printOnSelf(op, "wgmma", arguments);
  places[op.getResult()] = sum;
  tiles.insert(op.getResult());
}

bool ExplicitPrinter::printProducts(Operation *op) {
  bool isKnown = true;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tile::WgmmaOp product) { printProduct(product); })
      .Case([&](tile::WgmmaWaitOp wait) {
        printOnSelf(op, "wgmma_wait", {number(wait.getPending())});
        for (auto [operand, result] : llvm::zip(wait.getAccumulators(), wait.getResults())) {
          places[result] = tiles.contains(operand) ? places[operand] : names.forValue(result, "passed");
          if (!tiles.contains(operand))
            declareTile(places[result], operand);
          tiles.insert(result);
        }
      })
      .Default([&](Operation *) { isKnown = false; });
  return isKnown;
}

} // namespace tegula::stub
