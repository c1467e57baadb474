// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Nest.h"

#include "ir/Locations.h"
#include "stub/Types.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::stub {

int Nest::levelOf(const Expr &index) const {
  for (size_t level = loops.size(); level-- > 0;)
    if (index.mentions(loops[level]))
      return static_cast<int>(level);
  return -1;
}

unsigned Nest::add(Node node) {
  nodesOf[node.value].push_back(nodes.size());
  nodes.push_back(std::move(node));
  return nodes.size() - 1;
}

static bool isExact(tile::RefType type) {
  return llvm::all_of(llvm::seq<int64_t>(type.getRank()), [&](int64_t dim) { return type.isExact(dim); });
}

/// An element in memory.
void Nest::readPlace(Node &node) {
  const std::string &place = program.places[node.value];
  if (program.scalars.contains(node.value)) {
    node.expr = {place};
    return;
  }
  auto load = node.value.getDefiningOp<tile::LoadOp>();
  bool isMemory = load && !program.tiles.contains(node.value);
  if (program.isSplit && isMemory && !isExact(load.getRef().getType())) {
    node.expr = method({place}, "padded", node.index);
    for (const Expr &index : node.index)
      node.level = std::max(node.level, levelOf(index));
    return;
  }
  node.expr = call(place, node.index);
  for (auto [axis, index] : llvm::enumerate(node.index)) {
    node.level = std::max(node.level, levelOf(index));
    // Index 0 of a dimension that is repeated exists only if the dimension is known not to be empty.
    bool isCounted = levelOf(index) >= 0;
    node.isSafe &= isCounted || (isMemory && load.getRef().getType().isExact(axis));
  }
}

static Expr shifted(const Expr &index, const Expr &offset) {
  if (index.text == "0")
    return offset;
  return offset.text == "0" ? index : binary(index, "+", offset);
}

/// Where an op that rearranges elements finds the one of an index in its source.
SmallVector<Expr> Nest::indicesInSource(tile::IndexedOpInterface op, ArrayRef<Expr> index) {
  const Expr zero = number(0);
  SmallVector<Expr> source;
  for (const tile::DimIndex &dim : op.getIndexingMap(op->getOpOperand(0))) {
    Expr own = dim.isElement() || dim.isUnit() ? zero : index[dim.dim];
    source.push_back(dim.offset ? shifted(own, program.use(dim.offset)) : own);
  }
  return source;
}

unsigned Nest::nodeFor(Value tile, SmallVector<Expr> index) {
  if (auto known = nodesOf.find(tile); known != nodesOf.end())
    for (unsigned number : known->second)
      if (llvm::equal(nodes[number].index, index))
        return number;
  Node node{tile, std::move(index), {}, {}, -1, true, 0, {}};
  if (program.places.contains(tile)) {
    readPlace(node);
    return add(std::move(node));
  }
  Operation *op = tile.getDefiningOp();
  auto load = dyn_cast_or_null<tile::LoadOp>(op);
  if (op && (tile::isElementwise(op) || isa<tile::CombineOp, tile::InlinePtxOp>(op) || load)) {
    // What a masked load asks of memory is its own affair.
    for (Value operand : op->getOperands().drop_front(load ? 1 : 0)) {
      unsigned from = nodeFor(operand, node.index);
      ++nodes[from].uses;
      node.level = std::max(node.level, nodes[from].level);
      node.isSafe &= nodes[from].isSafe;
      node.operands.push_back(from);
    }
    for (const Expr &position : node.index)
      node.level = std::max(node.level, load ? levelOf(position) : -1);
    return add(std::move(node));
  }
  if (isa_and_nonnull<tile::GatherOp, tile::TakeOp>(op))
    return nodeForIndirect(op, std::move(node));
  if (auto indexed = dyn_cast_or_null<tile::IndexedOpInterface>(op); indexed && indexed.isRearrangement())
    return nodeFor(op->getOperand(0), indicesInSource(indexed, node.index));
  Type element = elementTypeOf(tile);
  if (auto full = dyn_cast_or_null<tile::FullOp>(op)) {
    Attribute constant;
    node.expr = matchPattern(full.getValue(), m_Constant(&constant)) ? typed(literal(constant, element), element)
                                                                     : asElement(program.use(full.getValue()), element);
  } else if (auto iota = dyn_cast_or_null<tile::IotaOp>(op)) {
    Expr position = node.index[iota.getAxis()];
    node.level = levelOf(position);
    if (iota.getOffset())
      position = shifted(position, program.use(iota.getOffset()));
    if (position.isLiteral)
      position = braced("std::int64_t", position);
    node.expr = element.isSignlessInteger(64) ? position : call("cpu::cast<" + typeName(element) + ">", position);
  } else if (isa_and_nonnull<ub::PoisonOp>(op)) {
    node.expr = {typeName(element) + "{}"};
  } else {
    program.unsupported(op ? op : tile.getParentBlock()->getParentOp());
    node.expr = {"0"};
  }
  return add(std::move(node));
}

/// The indices of an element, and what a mask says of it.
unsigned Nest::nodeForIndirect(Operation *op, Node node) {
  auto indexed = cast<tile::IndexedOpInterface>(op);
  node.isSafe = false; // An index is looked at only where an element is wanted.
  for (OpOperand &operand : op->getOpOperands().drop_front()) {
    SmallVector<Expr> index;
    for (const tile::DimIndex &dim : indexed.getIndexingMap(operand))
      index.push_back(node.index[dim.dim]);
    unsigned from = nodeFor(operand.get(), std::move(index));
    ++nodes[from].uses;
    node.level = std::max(node.level, nodes[from].level);
    node.operands.push_back(from);
  }
  for (const Expr &position : node.index)
    node.level = std::max(node.level, levelOf(position));
  return add(std::move(node));
}

Expr Nest::gathered(const Node &node, ArrayRef<Expr> operands) const {
  auto gather = node.value.getDefiningOp<tile::GatherOp>();
  size_t count = gather.getIndices().size();
  SmallVector<Expr> arguments{program.use(gather.getRef()),
                              program.placeOf(gather, node.index, operands.take_front(count))};
  if (!program.isSplit)
    arguments.insert(arguments.begin(), program.site(gather.getLoc(), gather.getRef()));
  if (gather.getMask()) {
    arguments.push_back(operands[count]);
    arguments.push_back(typed(operands[count + 1], elementTypeOf(node.value)));
  }
  if (program.isSplit)
    return call("cpu::padded", arguments);
  if (!gather.getMask())
    return call("cpu::element", arguments);
  std::string axes;
  for (int64_t dim : gather.getDims())
    axes += (axes.empty() ? "" : ", ") + std::to_string(dim);
  return call("cpu::gather<" + axes + ">", arguments);
}

/// The tile is in memory (tilesToKeep), or control flow has put it there.
Expr Nest::takenFrom(const Node &node, ArrayRef<Expr> operands) const {
  auto take = node.value.getDefiningOp<tile::TakeOp>();
  Value source = take.getSource();
  Expr place(program.places[source]);
  if (program.tiles.contains(source))
    place = method(place, "view", ArrayRef<Expr>());
  SmallVector<Expr> position;
  for (int64_t dim = 0; dim < take.getSource().getType().getRank(); ++dim) {
    if (int64_t iterated = take.getIteratedDim(dim); iterated >= 0) {
      position.push_back(node.index[iterated]);
      continue;
    }
    const auto *which = llvm::find(take.getDims(), dim) - take.getDims().begin() + operands.begin();
    position.push_back(staticCast("std::int64_t", *which));
  }
  Expr at("{" + commaSeparated(position) + "}");
  if (program.isSplit)
    return call("cpu::padded", {place, at});
  return call("cpu::element", {program.site(take.getLoc()), place, at});
}

Expr Nest::exprOf(const Node &node) const {
  if (!node.name.empty())
    return node.name;
  Operation *op = node.value.getDefiningOp();
  if (!op || node.operands.empty())
    return node.expr;
  SmallVector<Expr> operands;
  for (unsigned operand : node.operands)
    operands.push_back(exprOf(nodes[operand]));
  if (isa<tile::GatherOp>(op))
    return gathered(node, operands);
  if (isa<tile::TakeOp>(op))
    return takenFrom(node, operands);
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    Expr position("{" + commaSeparated(node.index) + "}");
    return call("cpu::load",
                {program.use(load.getRef()), position, operands[0], typed(operands[1], elementTypeOf(node.value))});
  }
  if (isa<tile::CombineOp, tile::InlinePtxOp>(op))
    return program.combined(op, cast<OpResult>(node.value).getResultNumber(), operands);
  // Where the operands do not tell the type of the result, it is the function's template argument.
  Type element = elementTypeOf(node.value);
  bool isTold = !isa<tile::CastOp>(op) && (element.isInteger(1) || llvm::any_of(op->getOperands(), [&](Value operand) {
                                             return elementTypeOf(operand) == element;
                                           }));
  std::string function = "cpu::" + op->getName().stripDialect().str();
  return call(isTold ? function : function + "<" + typeName(element) + ">", operands);
}

bool Nest::wantsName(const Node &node, const Expr &expr) const {
  if (isVariable && node.value == value)
    return false;
  bool isElementwise = !node.operands.empty();
  bool isPlace = program.places.contains(node.value) && !program.scalars.contains(node.value);
  if (!isElementwise && !isPlace)
    return false;
  bool isNamed =
      !tile::nameIn(node.value.getLoc()).empty() && node.value.getDefiningOp() && !program.tiles.contains(node.value);
  bool isShared = isElementwise && node.level < innermost && node.isSafe;
  return isNamed || isShared || node.uses > 1 || (isElementwise && node.uses > 0 && expr.isLong());
}

void Nest::declareLevel(int level) {
  for (Node &node : nodes) {
    if (!node.name.empty() || (node.isSafe ? node.level : innermost) != level)
      continue;
    Expr expr = exprOf(node);
    if (!wantsName(node, expr))
      continue;
    program.out.at(node.value.getLoc());
    std::string name = program.names.forValue(node.value);
    program.out.line("const " + typeName(elementTypeOf(node.value)) + " " + name + " = " + expr.text + ";");
    node.name = name;
    if (level >= 0)
      inside.push_back(name);
  }
}

SmallVector<Expr> Nest::indicesOf(ArrayRef<Expr> extents, ArrayRef<int64_t> order) {
  SmallVector<Expr> index(extents.size(), number(0));
  for (int64_t axis : order) {
    if (extents[axis].text == "1")
      continue;
    loops.push_back(program.names.unique("i" + std::to_string(axis)));
    inside.push_back(loops.back());
    index[axis] = {loops.back()};
    bounds.push_back(extents[axis]);
  }
  innermost = static_cast<int>(loops.size()) - 1;
  return index;
}

void Nest::openLoop(size_t level, bool isReversed) {
  program.out.at(location);
  const std::string &i = loops[level];
  program.out.open(isReversed
                       ? "for (std::int64_t " + i + " = " + bounds[level].text + "; " + i + "-- > 0;)"
                       : "for (std::int64_t " + i + " = 0; " + binary({i}, "<", bounds[level]).text + "; ++" + i + ")");
  declareLevel(static_cast<int>(level));
}

void Nest::print(ArrayRef<Expr> extents, Statement statement, Value mask) {
  printUpdate(
      extents, Followed{value},
      [&](ArrayRef<Expr> index, ArrayRef<Expr> values) { return statement(index, values.front()); }, mask);
}

void Nest::printUpdate(ArrayRef<Expr> extents, ArrayRef<Followed> followed, Update statement, Value mask) {
  SmallVector<Expr> index = indicesOf(extents, llvm::to_vector(llvm::seq<int64_t>(extents.size())));
  SmallVector<unsigned> roots;
  for (const Followed &each : followed) {
    int64_t rank = cast<RankedTensorType>(each.tile.getType()).getRank();
    roots.push_back(nodeFor(each.tile, SmallVector<Expr>(ArrayRef(index).slice(each.first, rank))));
  }
  unsigned condition = mask ? nodeFor(mask, index) : 0;
  declareLevel(-1);
  for (size_t level = 0; level < loops.size(); ++level)
    openLoop(level);
  program.out.at(location);
  std::string wanted = mask ? exprOf(nodes[condition]).text : "true";
  if (wanted != "true")
    program.out.open("if (" + wanted + ")");
  SmallVector<Expr> values = llvm::map_to_vector(roots, [&](unsigned root) { return exprOf(nodes[root]); });
  program.out.line(statement(index, values) + ";");
  if (wanted != "true")
    program.out.close();
  for (size_t i = 0; i < loops.size(); ++i)
    program.out.close();
  program.names.release(inside);
}

SmallVector<Expr> Nest::indicesAround(ArrayRef<Expr> extents, ArrayRef<int64_t> axes, SmallVectorImpl<Expr> &staying) {
  SmallVector<int64_t> order;
  for (int64_t axis = 0; axis < static_cast<int64_t>(extents.size()); ++axis)
    if (!llvm::is_contained(axes, axis))
      order.push_back(axis);
  SmallVector<Expr> index = indicesOf(extents, order);
  for (int64_t axis : order)
    staying.push_back(index[axis]);
  outer = loops.size();
  SmallVector<Expr> inner = indicesOf(extents, axes);
  for (int64_t axis : axes)
    index[axis] = inner[axis];
  return index;
}

void Nest::printCombination(ArrayRef<Expr> index, ValueRange sources, bool isReversed, Statements begin,
                            llvm::function_ref<SmallVector<std::string>(ArrayRef<Expr>)> add, Statements end) {
  Writer &out = program.out;
  SmallVector<unsigned> roots;
  for (Value source : sources)
    roots.push_back(nodeFor(source, SmallVector<Expr>(index)));
  declareLevel(-1);
  for (size_t level = 0; level < outer; ++level)
    openLoop(level);
  out.at(location);
  for (std::string &name : begin())
    if (outer > 0)
      inside.push_back(std::move(name));
  for (size_t level = outer; level < loops.size(); ++level)
    openLoop(level, isReversed);
  out.at(location);
  SmallVector<Expr> elements;
  for (unsigned root : roots)
    elements.push_back(exprOf(nodes[root]));
  for (const std::string &statement : add(elements))
    out.line(statement + ";");
  for (size_t level = outer; level < loops.size(); ++level)
    out.close();
  out.at(location);
  for (const std::string &statement : end())
    out.line(statement + ";");
  for (size_t level = 0; level < outer; ++level)
    out.close();
  program.names.release(inside);
}

void Nest::printReduction(ArrayRef<Expr> extents, ArrayRef<int64_t> axes, ValueRange sources,
                          const Reduction &statements) {
  SmallVector<Expr> staying, index = indicesAround(extents, axes, staying);
  printCombination(
      index, sources, /*isReversed=*/false, statements.begin,
      [&](ArrayRef<Expr> elements) { return SmallVector<std::string>{statements.add(index, elements)}; },
      [&] { return statements.end(staying); });
}

void Nest::printScan(ArrayRef<Expr> extents, int64_t axis, bool isReversed, ValueRange sources,
                     const Scan &statements) {
  SmallVector<Expr> row, index = indicesAround(extents, axis, row);
  printCombination(
      index, sources, isReversed, [&] { return statements.begin(row); },
      [&](ArrayRef<Expr> elements) { return statements.add(index, elements); },
      [] { return SmallVector<std::string>(); });
}

Expr Nest::printScalar() {
  unsigned root = nodeFor(value, {});
  declareLevel(-1);
  program.out.at(location);
  return exprOf(nodes[root]);
}

} // namespace tegula::stub
