// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans: loops along the axis, inside those over rows, with an accumulator whose value each element takes.
#include "ir/LookBack.h"
#include "stub/Nest.h"
#include "stub/Program.h"
#include "stub/Types.h"

using namespace mlir;

namespace tegula::stub {

/// An element of what a scan begins with, which is in memory.
static Expr elementAt(const std::string &place, ArrayRef<Expr> row) {
  return row.empty() ? Expr(place) : call(place, row);
}

SmallVector<Expr> ProgramPrinter::aboutPart(tile::ScanOp op, unsigned source, bool isBefore) {
  int64_t word = 0;
  for (Value before : op.getSources().take_front(source))
    word += lookback::wordsOf(elementTypeOf(before).getIntOrFloatBitWidth());
  Expr part = use(op.getPosition()[0]);
  return {use(op.getState()), use(op.getPosition()[2]), isBefore ? Expr(part.text + " - 1", Binds::Sum) : part,
          Expr(std::to_string(word))};
}

/// The last element of a part, which lies in one row, is what it comes to.
void ProgramPrinter::tellTotals(tile::ScanOp op) {
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<Expr> last(type.getRank(), Expr("0"));
    if (!op.getReverse())
      last[op.getScannedDim()] = Expr(std::to_string(type.getDimSize(op.getScannedDim()) - 1));
    SmallVector<Expr> arguments = aboutPart(op, i, /*isBefore=*/false);
    arguments.push_back(call(places[result], last));
    out.line(call("cpu::tell", arguments).text + ";");
  }
}

/// A named scan has the accumulator of the reduction, a custom one scalars that a lambda combines.
void ProgramPrinter::keepScan(tile::ScanOp op) {
  std::string combine = op.isCustom() ? printCheckedCombiner(op) : "";
  for (Value init : op.getInits())
    if (!places.contains(init))
      keep(init);
  SmallVector<Expr> extents = extentsOfSources(op.getSources()), accumulators;
  for (Value result : op.getResults()) {
    std::string name = names.forValue(result);
    out.line(tileTypeName(cast<RankedTensorType>(result.getType())) + " " + name + "(" + shapeOf(extents) + ");");
    places[result] = name;
    tiles.insert(result);
  }
  // The first part of a row begins with nothing.
  std::string goesOn =
      op.getState() ? use(op.getPosition()[0]).text + " % " + use(op.getPosition()[1]).text + " != 0" : "";
  auto found = [&](unsigned i) {
    return call("cpu::told<" + typeName(elementTypeOf(op.getSources()[i])) + ">", aboutPart(op, i, /*isBefore=*/true));
  };
  auto begin = [&](ArrayRef<Expr> row) {
    SmallVector<std::string> declared;
    accumulators.clear();
    for (auto [i, source] : llvm::enumerate(op.getSources())) {
      Type element = elementTypeOf(source), scalar = tile::scalarTypeOf(element);
      declared.push_back(names.unique(op.isCustom() ? "combined" : stringifyReduction(op.getKind())));
      accumulators.push_back({declared.back()});
      std::optional<Expr> init;
      if (!op.getInits().empty())
        init = elementAt(places[op.getInits()[i]], row);
      if (op.isCustom()) {
        Expr from = init ? asScalar(*init, element) : literal(op.identityOf(i, element), scalar);
        if (op.getState())
          from.text = goesOn + " ? " + asScalar(found(i), element).text + " : " + from.text;
        out.line(typeName(scalar) + " " + declared.back() + " = " + from.text + ";");
        continue;
      }
      out.line("cpu::" + stringifyReduction(op.getKind()).str() + "<" + typeName(element) + "> " + declared.back() +
               ";");
      if (init)
        out.line(method(accumulators.back(), "add", *init).text + ";");
      if (op.getState())
        out.line("if (" + goesOn + ") " + method(accumulators.back(), "add", found(i)).text + ";");
    }
    return declared;
  };
  auto add = [&](ArrayRef<Expr> index, ArrayRef<Expr> elements) {
    SmallVector<std::string> statements;
    statements.push_back(op.isCustom() ? combination(op, combine, accumulators, index, elements)
                                       : method(accumulators.front(), "add", elements).text);
    for (auto [result, accumulator] : llvm::zip(op.getResults(), accumulators)) {
      Expr value = op.isCustom() ? asElement(accumulator, elementTypeOf(result))
                                 : method(accumulator, "value", ArrayRef<Expr>());
      statements.push_back(call(places[result], index).text + " = " + value.text);
    }
    return statements;
  };
  Nest(*this, op.getSource(), op.getLoc())
      .printScan(extents, op.getScannedDim(), op.getReverse(), op.getSources(), {begin, add});
  if (op.getState())
    tellTotals(op);
}

/// In parts, whose extents are static.
void ProgramPrinter::keepScanTotal(tile::ScanTotalOp op) {
  RankedTensorType source = op.getSource().getType();
  auto axis = op.getScan().getScannedDim();
  SmallVector<Expr> extents, kept;
  for (int64_t dim = 0; dim < source.getRank(); ++dim) {
    extents.push_back(Expr(dim == axis ? "1" : std::to_string(source.getDimSize(dim))));
    if (dim != axis)
      kept.push_back(extents.back());
  }
  std::string name = names.forValue(op.getResult());
  bool isScalar = kept.empty();
  out.line(tileTypeName(op.getType()) + " " + name + (isScalar ? ";" : "(" + shapeOf(kept) + ");"));
  Expr last(op.getScan().getReverse() ? "0" : std::to_string(source.getDimSize(axis) - 1));
  Nest(*this, op.getSource(), op.getLoc(), /*isVariable=*/true).print(extents, [&](ArrayRef<Expr> index, const Expr &) {
    SmallVector<Expr> from(index), row(index);
    from[axis] = last;
    row.erase(row.begin() + axis);
    return elementAt(name, row).text + " = " + call(places[op.getSource()], from).text;
  });
  places[op.getResult()] = name;
  (isScalar ? scalars : tiles).insert(op.getResult());
}

} // namespace tegula::stub
