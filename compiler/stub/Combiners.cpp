// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions by a combiner of the program's own: a lambda of scalars, which loops call for element after element.
#include "ir/Identities.h"
#include "stub/Nest.h"
#include "stub/Program.h"
#include "stub/Types.h"

using namespace mlir;

namespace tegula::stub {

std::string ProgramPrinter::printCombiner(Block &combiner) {
  std::string name = names.unique("combine");
  Names::Block inner(names);
  SmallVector<Expr> parameters, results;
  SmallVector<std::string> types;
  for (BlockArgument argument : combiner.getArguments()) {
    if (argument.use_empty()) {
      parameters.push_back({typeName(argument.getType())});
      continue;
    }
    std::string parameter = names.unique(argument.getArgNumber() < combiner.getNumArguments() / 2 ? "a" : "b");
    parameters.push_back({typeName(argument.getType()) + " " + parameter});
    bind(argument, parameter);
  }
  ValueRange yielded = combiner.getTerminator()->getOperands();
  SmallVector<Expr> elements;
  for (Value value : yielded)
    elements.push_back({typeName(value.getType())});
  std::string result = elements.size() == 1 ? elements.front().text : "std::tuple<" + commaSeparated(elements) + ">";
  out.open("const auto " + name + " = [&](" + commaSeparated(parameters) + ") -> " + result);
  printBlock(combiner);
  for (Value value : yielded)
    results.push_back(useTyped(value));
  out.line("return " + (results.size() == 1 ? results.front().text : result + "(" + commaSeparated(results) + ")") +
           ";");
  out.close(";");
  return name;
}

bool ProgramPrinter::checksIdentity(Operation *op) const { return !isSplit && !op->hasAttr(tile::isOfLanguage); }

template <class ReducingOp> std::string ProgramPrinter::printCheckedCombiner(ReducingOp op) {
  std::string combine = printCombiner(op.getCombinerBlock());
  if (!checksIdentity(op))
    return combine;
  auto entry = op->template getParentOfType<tile::EntryOp>();
  SmallVector<Expr> types,
      arguments{site(op.getLoc()), quoted(isa<tile::ScanOp>(op) ? "tg::associative_scan" : "tg::reduce"),
                quoted(entry.getQualifiedName()), Expr(combine)};
  for (auto [i, source] : llvm::enumerate(op.getSources())) {
    Type element = elementTypeOf(source), scalar = tile::scalarTypeOf(element);
    types.push_back({typeName(scalar)});
    arguments.push_back(literal(op.identityOf(i, element), scalar));
  }
  std::string name = names.unique(combine + "_checked");
  out.line("const auto " + name + " = " + call("cpu::checked<" + commaSeparated(types) + ">", arguments).text + ";");
  return name;
}
template std::string ProgramPrinter::printCheckedCombiner(tile::ReduceOp op);
template std::string ProgramPrinter::printCheckedCombiner(tile::ScanOp op);

std::string ProgramPrinter::combination(Operation *op, StringRef combine, ArrayRef<Expr> accumulators,
                                        ArrayRef<Expr> index, ArrayRef<Expr> elements) {
  SmallVector<Expr> arguments;
  if (checksIdentity(op))
    arguments.push_back(Expr("{" + commaSeparated(index) + "}"));
  llvm::append_range(arguments, accumulators);
  for (auto [element, source] : llvm::zip(elements, op->getOperands()))
    arguments.push_back(asScalar(element, elementTypeOf(source)));
  std::string target =
      accumulators.size() == 1 ? accumulators.front().text : "std::tie(" + commaSeparated(accumulators) + ")";
  return target + " = " + call(combine.str(), arguments).text;
}

Expr ProgramPrinter::combined(Operation *op, unsigned result, ArrayRef<Expr> elements) {
  SmallVector<Expr> scalars;
  for (auto [element, operand] : llvm::zip(elements, op->getOperands()))
    scalars.push_back(asScalar(element, elementTypeOf(operand)));
  Expr all = call(combiners[op], scalars);
  if (op->getNumResults() > 1)
    all = call("std::get<" + std::to_string(result) + ">", all);
  return asElement(all, elementTypeOf(op->getResult(result)));
}

void ProgramPrinter::printCustomReduction(tile::ReduceOp op, ArrayRef<std::string> results) {
  std::string combine = printCheckedCombiner(op);
  SmallVector<Expr> extents = extentsOfSources(op.getSources()), dims = keptOf(op, extents), accumulators;
  bool isScalar = op.getType().getRank() == 0;
  for (auto [result, name] : llvm::zip(op.getResults(), results)) {
    if (name.empty())
      continue;
    std::string declaration = tileTypeName(cast<RankedTensorType>(result.getType())) + " " + name;
    out.line(isScalar ? declaration + ";" : declaration + "(" + shapeOf(dims) + ");");
  }
  auto begin = [&] {
    SmallVector<std::string> declared;
    for (auto [i, source] : llvm::enumerate(op.getSources())) {
      Type scalar = tile::scalarTypeOf(elementTypeOf(source));
      declared.push_back(names.unique("combined"));
      accumulators.push_back({declared.back()});
      out.line(typeName(scalar) + " " + declared.back() + " = " +
               literal(op.identityOf(i, elementTypeOf(source)), scalar).text + ";");
    }
    return declared;
  };
  auto add = [&](ArrayRef<Expr> index, ArrayRef<Expr> elements) {
    return combination(op, combine, accumulators, index, elements);
  };
  auto end = [&](ArrayRef<Expr> index) {
    SmallVector<std::string> statements;
    for (auto [result, name, accumulator] : llvm::zip(op.getResults(), results, accumulators))
      if (!name.empty())
        statements.push_back((index.empty() ? name : call(name, index).text) + " = " +
                             asElement(accumulator, elementTypeOf(result)).text);
    return statements;
  };
  Nest(*this, op.getSource(), op.getLoc()).printReduction(extents, op.getAxes(), op.getSources(), {begin, add, end});
}

void ProgramPrinter::keepResults(tile::ReduceOp op) {
  if (!op.getExtents().empty()) // tile-mask-extents comes before.
    unsupported(op);
  SmallVector<std::string> results; // No name where there is no use.
  for (Value result : op.getResults())
    results.push_back(result.use_empty() ? "" : names.forValue(result));
  printCustomReduction(op, results);
  for (auto [result, name] : llvm::zip(op.getResults(), results)) {
    places[result] = name;
    (op.getType().getRank() == 0 ? scalars : tiles).insert(result);
  }
}

} // namespace tegula::stub
