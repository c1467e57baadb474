// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Program.h"

#include "ir/Locations.h"
#include "stub/Nest.h"
#include "stub/Types.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::stub {

static RankedTensorType tensorOf(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

std::string tileTypeName(RankedTensorType type) {
  std::string element = typeName(type.getElementType());
  return type.getRank() == 0 ? element : "cpu::tile<" + element + ", " + std::to_string(type.getRank()) + ">";
}

std::string refTypeName(tile::RefType type, bool isConst) {
  return (type.isTable() ? "cpu::table<" : "cpu::ref<") + typeName(type.getElementType(), isConst) + ", " +
         std::to_string(type.getRank()) + ">";
}

ProgramPrinter::ProgramPrinter(Writer &out, Names &names, SourceFiles &files, Region &program, Form form)
    : BodyPrinter(out, names, Side::Program), isExplicit(form == Form::Explicit), isSplit(form == Form::Split),
      files(files) {
  if (form == Form::Written) {
    auto launch = cast<tile::LaunchOp>(program.getParentOp());
    extents.emplace(launch);
    if (separateTaken(program, *extents))
      extents.emplace(launch);
    findMarked(launch);
    findTracked(launch);
  }
  kept = tilesToKeep(program, form, extents ? &*extents : nullptr);
}

/// What a launch says around its program: index maps and block specs.
bool ProgramPrinter::isGlue(Operation *op) {
  if (auto slice = dyn_cast<tile::SliceOp>(op))
    return slice.getSpec();
  auto launch = op->getParentOfType<tile::LaunchOp>();
  if (!launch || op->getParentOp() != launch || op->getNumResults() != 1 ||
      !isa<IntegerType>(op->getResult(0).getType()))
    return false;
  std::vector<Position> own = positionsOf(op->getLoc()), outer = positionsOf(launch.getLoc());
  return own.empty() ||
         (!outer.empty() && own.back().file == outer.back().file && own.back().line == outer.back().line);
}

// ---- Extents --------------------------------------------------------------------------------------------------------

static Expr dimOf(const std::string &place, unsigned axis) {
  return method({place}, "dim", Expr(std::to_string(axis)));
}

/// Where a tile begins to be there.
static Operation *definitionOf(Value tile) {
  Operation *op = tile.getDefiningOp();
  return op ? op : tile.getParentBlock()->getParentOp();
}

Expr ProgramPrinter::extentOf(Value tile, unsigned axis) {
  if (tiles.contains(tile) && extents)
    return dimOf(places[tile], axis);
  return computedExtent(tile, axis);
}

Expr ProgramPrinter::computedExtent(Value tile, unsigned axis) {
  RankedTensorType type = tensorOf(tile);
  const Extent *extent = extents ? &extents->of(tile, axis) : nullptr;
  bool conforms = (!extent || !extent->symbol) && type.isDynamicDim(axis);
  for (Operation *user : tile.getUsers()) { // A factor may repeat along a batch of the product.
    if (auto dot = dyn_cast<tile::DotOp>(user); dot && conforms && axis + 2 < type.getRank())
      return computedExtent(dot, axis);
    if (auto permute = dyn_cast<tile::PermuteOp>(user); permute && conforms)
      return computedExtent(permute, llvm::find(permute.getPermutation(), axis) - permute.getPermutation().begin());
  }
  return extentExpr(extent, type, axis, definitionOf(tile));
}

Expr ProgramPrinter::extentExpr(const Extent *extent, RankedTensorType type, unsigned axis, Operation *at) {
  if (!extent || !extent->symbol) {
    if (int64_t size = type.getDimSize(axis); !ShapedType::isDynamic(size))
      return Expr(std::to_string(size));
    unsupported(at);
    return {"0"};
  }
  if (!extent->origin)
    return Expr(std::to_string(*extents->symbols().constantOf(*extent->symbol)));
  if (isa<tile::RefType>(extent->origin.getType()))
    return dimOfRef(extent->origin, extent->dim);
  if (auto place = places.find(extent->origin); place != places.end())
    return dimOf(place->second, extent->dim);
  if (Value value = extents->valueOf(*extent, at))
    return use(value);
  unsupported(at);
  return {"0"};
}

SmallVector<Expr> ProgramPrinter::extentsOf(Value tile, Value target) {
  SmallVector<Expr> all;
  for (int64_t axis = 0; axis < tensorOf(tile).getRank(); ++axis) {
    bool conforms = target && extents && !extents->of(tile, axis).symbol;
    all.push_back(conforms ? computedExtent(target, axis) : extentOf(tile, axis));
  }
  return all;
}

bool ProgramPrinter::isConformingTo(Value tile, Value target) {
  if (!target || !extents)
    return false;
  return llvm::any_of(llvm::seq<int64_t>(tensorOf(tile).getRank()), [&](int64_t axis) {
    return !extents->of(tile, axis).symbol && extents->of(target, axis).symbol;
  });
}

/// Of what is exact, the number.
Expr ProgramPrinter::dimOfRef(Value ref, unsigned axis) {
  auto type = cast<tile::RefType>(ref.getType());
  if (type.isExact(axis))
    return number(type.getBound(axis));
  return dimOf(use(ref).text, axis);
}

std::optional<Expr> ProgramPrinter::leaf(Operation *op) {
  if (auto id = dyn_cast<tile::ProgramIdOp>(op))
    return Expr(indexNames[id.getAxis()]);
  if (auto count = dyn_cast<tile::NumProgramsOp>(op))
    return Expr(countNames[count.getAxis()]);
  if (auto promise = dyn_cast<tile::MultipleOfOp>(op))
    return call("cpu::multiple_of",
                {site(promise.getLoc()), use(promise.getValue()), Expr(std::to_string(promise.getMultiple()))});
  auto dim = dyn_cast<tile::DimOp>(op);
  if (!dim)
    return std::nullopt;
  if (tensorOf(dim.getSource()))
    return extentOf(dim.getSource(), dim.getAxis());
  return dimOfRef(dim.getSource(), dim.getAxis());
}

std::string shapeOf(ArrayRef<Expr> extents) {
  return "tegula::shape<" + std::to_string(extents.size()) + ">{" + commaSeparated(extents) + "}";
}

/// Of what is reduced or scanned, all sources together: some may conform to others.
SmallVector<Expr> ProgramPrinter::extentsOfSources(ValueRange sources) {
  SmallVector<Expr> all;
  for (int64_t axis = 0; axis < cast<RankedTensorType>(sources.front().getType()).getRank(); ++axis)
    all.push_back(extentOf(extents ? extents->sourceThatTells(sources, axis) : sources.front(), axis));
  return all;
}

SmallVector<Expr> keptOf(tile::ReduceOp op, ArrayRef<Expr> extents) {
  SmallVector<Expr> dims;
  for (int64_t axis = 0; axis < op.getType().getRank(); ++axis)
    dims.push_back(extents[op.getSourceDim(axis)]);
  return dims;
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

/// Whether code that prints will name the value.
bool ProgramPrinter::isNeeded(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (auto dim = dyn_cast<tile::DimOp>(user))
      if (auto ref = dyn_cast<tile::RefType>(value.getType()); ref && ref.isExact(dim.getAxis()))
        return false;
    if (isa<tile::FreeOp>(user)) // It numbers allocations.
      return false;
    return user->getNumResults() != 1 || user->getNumRegions() > 0 || hasEffect<MemoryEffects::Write>(user) ||
           isNeeded(user->getResult(0));
  });
}

/// `{"kernels.cpp", 12, 5}`, and where that was inlined.
Expr ProgramPrinter::site(Location location, Value ref) {
  std::string array;
  if (ref && isa<tile::RefType>(ref.getType()))
    array = tile::nameOf(tile::arrayOf(ref)).str();
  std::vector<Position> positions = positionsOf(location);
  if (positions.empty())
    return {"{\"(unknown)\", 0, 0" + (array.empty() ? "" : ", \"\", " + quoted(array)) + "}"};
  const Position &at = positions.front();
  std::string text = "{" + files.use(at.file) + ", " + std::to_string(at.line) + ", " + std::to_string(at.column);
  if (positions.size() > 1) {
    std::string callers;
    for (const Position &caller : llvm::ArrayRef(positions).drop_front())
      callers += (callers.empty() ? "" : ", ") + caller.file + ":" + std::to_string(caller.line) + ":" +
                 std::to_string(caller.column);
    text += ", " + quoted(callers);
  } else if (!array.empty()) {
    text += ", \"\"";
  }
  if (!array.empty())
    text += ", " + quoted(array);
  return {text + "}"};
}

/// Whether masked accesses alone reach into a window: what their masks leave out need not be there.
static bool isReach(Operation *slice) {
  bool isAccessed = false;
  return llvm::all_of(slice->getUsers(),
                      [&](Operation *user) {
                        if (isa<tile::DimOp>(user))
                          return true;
                        isAccessed = true;
                        if (auto load = dyn_cast<tile::LoadOp>(user))
                          return bool(load.getMask());
                        if (auto gather = dyn_cast<tile::GatherOp>(user))
                          return bool(gather.getMask());
                        if (auto root = dyn_cast<tile::RootOpInterface>(user))
                          return bool(root.getRootMask());
                        return isa<tile::SliceOp, tile::StridedSliceOp>(user) && isReach(user);
                      }) &&
         isAccessed;
}

void ProgramPrinter::printStridedSlice(tile::StridedSliceOp op) {
  Expr source = use(op.getSource());
  auto axis = static_cast<int64_t>(op.getAxis());
  Expr size = op.getSize() ? use(op.getSize()) : Expr(std::to_string(op.getType().getBound(axis)));
  StringRef hint = tile::nameIn(op.getLoc());
  std::string name = names.unique(hint.empty() || names.isTaken(hint) ? source.text + "_strided" : hint.str());
  Expr window = method(
      isReach(op) ? call("cpu::reach", source) : source, "window",
      {site(op.getLoc(), op.getSource()), Expr(std::to_string(axis)), use(op.getOffset()), size, use(op.getStep())});
  out.line("const auto " + name + " = " + window.text + ";");
  bind(op.getResult(), name);
}

template <class SlicingOp> void ProgramPrinter::printSlice(SlicingOp op, const std::string &source) {
  Expr result{source};
  unsigned axis = 0; // Of what the calls so far have made.
  bool isChanged = false, findsArray = false;
  if constexpr (std::is_same_v<SlicingOp, tile::SliceOp>) {
    findsArray = op.getSource().getType().isTable() && !op.getType().isTable();
    if (findsArray) // First of all, one array of a list.
      result = method(result, op.getMode(0) == tile::SliceMode::Element ? "member" : "block",
                      {site(op.getLoc(), op.getSource()), use(op.getOffset(0))});
    if (isReach(op) && !op.getType().isTable())
      result = call("cpu::reach", result);
  }
  auto isStatic = [&](unsigned resultDim) -> Expr {
    if constexpr (std::is_same_v<SlicingOp, tile::SliceOp>)
      return {std::to_string(op.getType().getBound(resultDim))};
    else
      return {std::to_string(op.getType().getDimSize(resultDim))};
  };
  unsigned resultDim = 0;
  for (unsigned dim = 0; dim < op.getModes().size(); ++dim) {
    Expr at = site(op.getLoc(), op.getSource()), number(std::to_string(axis));
    if (dim == 0 && findsArray) {
      isChanged = true;
      axis = resultDim = op.getMode(0) == tile::SliceMode::Element ? 0 : 1;
      continue;
    }
    switch (op.getMode(dim)) {
    case tile::SliceMode::Whole:
      break;
    case tile::SliceMode::Window: {
      Value size = op.getSize(dim);
      // What conforms is as large in memory as its type says: a part beyond that is an error of the kernel.
      bool conforms = false;
      if constexpr (std::is_same_v<SlicingOp, tile::SubtileOp>)
        conforms = extents && !extents->of(op.getSource(), dim).symbol;
      result = method(result, conforms ? "part" : "window",
                      {at, number, use(op.getOffset(dim)), size ? use(size) : isStatic(resultDim)});
      isChanged = true;
      break;
    }
    case tile::SliceMode::Element:
      result = method(result, "select", {at, number, use(op.getOffset(dim))});
      isChanged = true;
      continue;
    }
    ++axis;
    ++resultDim;
  }
  std::string name = source;
  if (isChanged) {
    // A block is mostly called what its array is called.
    StringRef hint = tile::nameIn(op.getLoc());
    name =
        names.unique(hint.empty() || names.isTaken(hint) ? source + (resultDim == 0 ? "_at" : "_block") : hint.str());
    out.line("const auto " + name + " = " + result.text + ";");
  }
  if constexpr (std::is_same_v<SlicingOp, tile::SliceOp>)
    bind(op.getResult(), name);
  else
    places[op.getResult()] = name;
}

void ProgramPrinter::printStore(tile::StoreOp op, const std::string &place) {
  tile::RefType ref = op.getRef().getType();
  SmallVector<Expr> extents;
  for (int64_t axis = 0; axis < ref.getRank(); ++axis)
    extents.push_back(ref.isExact(axis) || (isExplicit && !ShapedType::isDynamic(ref.getBound(axis)))
                          ? Expr(std::to_string(ref.getBound(axis)))
                          : dimOf(place, axis));
  auto assign = [&](ArrayRef<Expr> index, const Expr &value) { return call(place, index).text + " = " + value.text; };
  Nest(*this, op.getValue(), op.getLoc()).print(extents, assign, op.getMask());
}

template <class IndirectOp> Expr ProgramPrinter::elementOf(IndirectOp op, ArrayRef<Expr> index, ArrayRef<Expr> values) {
  Expr ref = use(op.getRef());
  if (op.getIndices().empty())
    return call(ref.text, index);
  return call("cpu::element", {site(op.getLoc(), op.getRef()), ref, placeOf(op, index, values)});
}

Expr ProgramPrinter::elementOfUpdate(tile::AtomicOp op, ArrayRef<Expr> index, ArrayRef<Expr> values) {
  return elementOf(op, index, values);
}

SmallVector<Expr> ProgramPrinter::extentsOfRoot(tile::RootOpInterface root) {
  auto indexed = cast<tile::IndexedOpInterface>(root.getOperation());
  RankedTensorType type = tensorOf(root.getRootValue());
  SmallVector<Expr> all(type.getRank());
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    all[axis] = extentExpr(extents ? &extents->of(root)[axis] : nullptr, type, axis, root);
  if (extents || isExplicit) // Of sub-tiles, the window tells.
    return all;
  for (auto [dim, index] : llvm::enumerate(indexed.getIndexingMap(*llvm::find_if(
           root->getOpOperands(), [&](OpOperand &operand) { return operand.get() == root.getRootRef(); }))))
    if (index.isIterated())
      all[index.dim] = dimOfRef(root.getRootRef(), dim);
  return all;
}

/// The value, what it is compared with, and the indices.
template <class IndirectOp> static SmallVector<Nest::Followed> followedBy(IndirectOp op, Value compare) {
  SmallVector<Nest::Followed> tiles{{op.getValue()}};
  if (compare)
    tiles.push_back({compare});
  for (Value indices : op.getIndices())
    tiles.push_back({indices, static_cast<int64_t>(op.getPosition())});
  return tiles;
}

void ProgramPrinter::printScatter(tile::ScatterOp op) {
  auto assign = [&](ArrayRef<Expr> index, ArrayRef<Expr> values) {
    Expr element = elementOf(op, index, values.drop_front());
    tellElement(op, "store", op.getRef(), element);
    return element.text + " = " + values.front().text;
  };
  Nest(*this, op.getValue(), op.getLoc()).printUpdate(extentsOfRoot(op), followedBy(op, {}), assign, op.getMask());
}

void ProgramPrinter::printAtomic(tile::AtomicOp op) {
  RankedTensorType type = op.getType();
  SmallVector<Expr> extents = extentsOfRoot(op);
  std::string name;
  if (!op.getResult().use_empty()) {
    Value named = op.getResult();
    if (type.getRank() == 0 && named.hasOneUse() && isa<tile::ExtractOp>(*named.user_begin()))
      named = named.user_begin()->getResult(0);
    name = names.forValue(named);
    std::string declaration = tileTypeName(type) + " " + name;
    std::string zero = op.getMask() ? ", " + typeName(type.getElementType()) + "{}" : "";
    out.line(type.getRank() == 0 ? declaration + "{};" : declaration + "(" + shapeOf(extents) + zero + ");");
    places[op.getResult()] = name;
    (type.getRank() == 0 ? scalars : tiles).insert(op.getResult());
  }
  auto update = [&](ArrayRef<Expr> index, ArrayRef<Expr> values) {
    size_t count = op.getCompare() ? 2 : 1;
    Expr element = elementOfUpdate(op, index, values.drop_front(count));
    tellElement(op, "update", op.getRef(), element);
    SmallVector<Expr> arguments{element};
    if (op.getCompare())
      arguments.push_back(typed(values[1], type.getElementType()));
    arguments.push_back(typed(values[0], type.getElementType()));
    std::string text = call("cpu::atomic_" + tile::stringifyAtomic(op.getKind()).str(), arguments).text;
    return name.empty() ? text : (index.empty() ? name : call(name, index).text) + " = " + text;
  };
  Nest(*this, op.getValue(), op.getLoc()).printUpdate(extents, followedBy(op, op.getCompare()), update, op.getMask());
}

void ProgramPrinter::fill(Value value, ArrayRef<Expr> extents, const std::string &into) {
  Nest(*this, value, value.getLoc(), /*isVariable=*/true)
      .print(extents,
             [&](ArrayRef<Expr> index, const Expr &element) { return call(into, index).text + " = " + element.text; });
}

static Expr transposed(const Expr &place, ArrayRef<int64_t> permutation) {
  SmallVector<Expr> order;
  for (int64_t dim : permutation)
    order.push_back(Expr(std::to_string(dim)));
  return method(place, "transpose", Expr("{" + commaSeparated(order) + "}"));
}

/// A kept tile, a ref, or either with its dimensions in another order.
Expr ProgramPrinter::wholeOf(Value tile) {
  if (auto permute = tile.getDefiningOp<tile::PermuteOp>(); permute && !places.contains(tile)) {
    Value source = permute.getSource();
    Expr place = wholeOf(source);
    if (tiles.contains(source))
      place = method(place, "view", ArrayRef<Expr>());
    return transposed(place, permute.getPermutation());
  }
  return {places[tile]};
}

void ProgramPrinter::printReduction(tile::ReduceOp op, const std::string &declaration, const std::string &name) {
  std::string accumulator = stringifyReduction(op.getKind()).str(), accumulated;
  SmallVector<Expr> extents = extentsOfSources(op.getSources());
  if (op.getType().getRank() > 0)
    out.line(declaration + "(" + shapeOf(keptOf(op, extents)) + ");");
  std::string type = "cpu::" + accumulator + "<" + typeName(op.getType().getElementType()) + ">";
  auto begin = [&]() -> SmallVector<std::string> {
    accumulated = names.unique(accumulator);
    out.line(type + " " + accumulated + ";");
    return {accumulated};
  };
  auto add = [&](ArrayRef<Expr>, ArrayRef<Expr> elements) { return method({accumulated}, "add", elements).text; };
  auto end = [&](ArrayRef<Expr> index) -> SmallVector<std::string> {
    std::string value = method({accumulated}, "value", ArrayRef<Expr>()).text;
    return {(index.empty() ? declaration : call(name, index).text) + " = " + value};
  };
  Nest(*this, op.getSource(), op.getLoc()).printReduction(extents, op.getAxes(), op.getSource(), {begin, add, end});
}

/// The order first, then each tile in this order.
void ProgramPrinter::printSort(tile::SortOp op) {
  Expr axis(std::to_string(op.getAxis()));
  SmallVector<Expr> arguments{axis, Expr(op.getDescending() ? "true" : "false")};
  if (op.getExtent())
    arguments.push_back(use(op.getExtent()));
  for (Value source : op.getSources())
    arguments.push_back(wholeOf(source));
  std::string order = names.unique("order");
  std::string function = op.getExtent() ? "cpu::sorted_order_of_first<" : "cpu::sorted_order<";
  function += std::to_string(op.getKeys()) + ">";
  out.line("const auto " + order + " = " + call(function, arguments).text + ";");
  for (auto [source, result] : llvm::zip(op.getSources(), op.getResults())) {
    if (result.use_empty())
      continue;
    std::string name = names.forValue(result);
    out.line(tileTypeName(tensorOf(result)) + " " + name + " = " +
             call("cpu::in_order", {axis, wholeOf(source), Expr(order)}).text + ";");
    places[result] = name;
    tiles.insert(result);
  }
}

void ProgramPrinter::declareTile(const std::string &name, Value value, bool isConst, Value target) {
  RankedTensorType type = tensorOf(value);
  Type element = type.getElementType();
  std::string declaration = (isConst ? "const " : "") + tileTypeName(type) + " " + name;
  Operation *op = value.getDefiningOp();
  if (auto reduce = dyn_cast_or_null<tile::ReduceOp>(op); reduce && !places.contains(value)) {
    if (!reduce.getExtents().empty()) // tile-mask-extents comes before.
      unsupported(op);
    return reduce.isCustom() ? printCustomReduction(reduce, name) : printReduction(reduce, declaration, name);
  }
  if (auto dot = dyn_cast_or_null<tile::DotOp>(op); dot && !places.contains(value)) {
    if (dot.getExtent())
      unsupported(op);
    SmallVector<Expr> operands;
    for (Value operand : dot.getOperands())
      operands.push_back(wholeOf(operand));
    bool isTf32 = dot.getPrecision() == tile::Precision::Tf32;
    std::string function = isTf32 ? "cpu::dot<cpu::precision::tf32>" : "cpu::dot";
    out.line(declaration + " = " + call(function, operands).text + ";");
    return;
  }
  if (type.getRank() == 0) {
    Expr init = Nest(*this, value, value.getLoc(), /*isVariable=*/true).printScalar();
    out.line(declaration + " = " + init.text + ";");
    return;
  }
  if (tiles.contains(value) && !isConformingTo(value, target)) {
    out.line(declaration + " = " + places[value] + ";");
    return;
  }
  if (isa_and_nonnull<ub::PoisonOp>(op)) {
    out.line(declaration + "(tegula::shape<" + std::to_string(type.getRank()) + ">{});");
    return;
  }
  SmallVector<Expr> dims = extentsOf(value, target);
  Attribute constant;
  if (auto full = value.getDefiningOp<tile::FullOp>()) {
    Expr init = matchPattern(full.getValue(), m_Constant(&constant)) ? literal(constant, element)
                                                                     : asElement(use(full.getValue()), element);
    out.line(declaration + "(" + shapeOf(dims) + ", " + init.text + ");");
    return;
  }
  out.line(declaration + "(" + shapeOf(dims) + ");");
  for (auto [axis, extent] : llvm::enumerate(dims))
    if (extent.text != "1")
      extent = dimOf(name, axis);
  fill(value, dims, name);
}

void ProgramPrinter::keep(Value value) {
  bool isScalar = tensorOf(value).getRank() == 0;
  // It is called what the scalar is called that is taken of it.
  Value named = value;
  if (isScalar && value.hasOneUse() && isa<tile::ExtractOp>(*value.user_begin()))
    named = value.user_begin()->getResult(0);
  std::string name = names.forValue(named);
  declareTile(name, value, /*isConst=*/isScalar);
  places[value] = name;
  (isScalar ? scalars : tiles).insert(value);
}

// ---- Control flow ---------------------------------------------------------------------------------------------------

void ProgramPrinter::declareCarried(const std::string &name, Value variable, Value init) {
  RankedTensorType type = tensorOf(variable);
  if (!type)
    return BodyPrinter::declareCarried(name, variable, init);
  if (init)
    declareTile(name, init, /*isConst=*/false, variable);
  else if (type.getRank() == 0)
    out.line(tileTypeName(type) + " " + name + ";");
  else
    out.line(tileTypeName(type) + " " + name + "(tegula::shape<" + std::to_string(type.getRank()) + ">{});");
}

Expr ProgramPrinter::carried(Value value, Value target) {
  RankedTensorType type = tensorOf(value);
  if (!type)
    return use(value);
  if (type.getRank() == 0)
    return Nest(*this, value, value.getLoc()).printScalar();
  if (tiles.contains(value) && !isConformingTo(value, target)) {
    Operation *op = value.getDefiningOp();
    bool isLastUse = op && value.hasOneUse() && value.getUsers().begin()->getBlock() == op->getBlock();
    return isLastUse ? call("std::move", Expr(places[value])) : Expr(places[value]);
  }
  std::string next = names.forValue(value, "next");
  declareTile(next, value, /*isConst=*/false, target);
  return call("std::move", Expr(next));
}

void ProgramPrinter::bindCarried(Value value, const std::string &name) {
  RankedTensorType type = tensorOf(value);
  if (!type)
    return bind(value, name);
  places[value] = name;
  (type.getRank() == 0 ? scalars : tiles).insert(value);
}

// ---- Statements -----------------------------------------------------------------------------------------------------

void ProgramPrinter::printDebugPrint(tile::DebugPrintOp op) {
  SmallVector<Expr> arguments = {{quoted(op.getFormat())}};
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    bool isUnsigned = op.getIsUnsigned() && cast<BoolAttr>((*op.getIsUnsigned())[i]).getValue();
    Type type = operand.getType();
    if (isUnsigned)
      type = IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth(), IntegerType::Unsigned);
    arguments.push_back(asElement(use(operand), type));
  }
  out.line(call("cpu::print", arguments).text + ";");
}

void ProgramPrinter::printStatement(Operation *op) {
  if (auto reduce = dyn_cast<tile::ReduceOp>(op); reduce && reduce.getNumResults() > 1)
    return keepResults(reduce);
  if (auto scan = dyn_cast<tile::ScanOp>(op))
    return keepScan(scan);
  if (auto total = dyn_cast<tile::ScanTotalOp>(op))
    return keepScanTotal(total);
  if (auto sort = dyn_cast<tile::SortOp>(op))
    return printSort(sort);
  if (isa<tile::CombineOp, tile::InlinePtxOp>(op)) {
    combiners[op] = printCombiner(op->getRegion(0).front());
    return;
  }
  if (auto load = dyn_cast<tile::LoadOp>(op); load && isNeeded(load))
    printAccess(load, "load", load.getRef(), load.getMask());
  if (auto gather = dyn_cast<tile::GatherOp>(op); gather && isNeeded(gather))
    printGatherAccess(gather);
  if (auto atomic = dyn_cast<tile::AtomicOp>(op))
    return printAtomic(atomic);
  bool isTile = op->getNumResults() == 1 && tensorOf(op->getResult(0));
  if (isTile && kept.contains(op->getResult(0)) && isNeeded(op->getResult(0))) {
    if (auto load = dyn_cast<tile::LoadOp>(op); load && !load.getMask())
      places[load.getResult()] = use(load.getRef()).text;
    Value value = op->getResult(0);
    return keep(value);
  }
  TypeSwitch<Operation *>(op)
      .Case([&](tile::SliceOp slice) {
        if (isNeeded(slice) || isMarkedBlock(slice))
          printSlice(slice, use(slice.getSource()).text);
        declareMarks(slice);
      })
      .Case([&](tile::StridedSliceOp slice) {
        if (isNeeded(slice))
          printStridedSlice(slice);
      })
      .Case([&](tile::TransposeOp view) {
        if (isNeeded(view)) {
          StringRef hint = tile::nameIn(view.getLoc());
          std::string name = names.unique(hint.empty() ? use(view.getSource()).text + "_transposed" : hint.str());
          out.line("const auto " + name + " = " + transposed(use(view.getSource()), view.getPermutation()).text + ";");
          bind(view.getResult(), name);
        }
      })
      .Case([&](tile::SubtileOp slice) {
        // A part of what is in memory is a place, too; another is computed as it is used.
        if (places.contains(slice.getSource()) && isNeeded(slice))
          printSlice(slice, places[slice.getSource()] + (tiles.contains(slice.getSource()) ? ".view()" : ""));
      })
      .Case([&](tile::LoadOp load) {
        if (isNeeded(load) && !load.getMask())
          places[load.getResult()] = use(load.getRef()).text;
      })
      .Case([&](tile::StoreOp store) {
        std::string place = use(store.getRef()).text;
        printAccess(store, "store", store.getRef(), store.getMask()); // Its mask may be read from what it stores to.
        printStore(store, place);
        printMarks(store, place);
      })
      .Case([&](tile::ScatterOp scatter) { printScatter(scatter); })
      .Case([&](tile::ExtractOp extract) {
        Value tile = extract.getTile();
        Type element = tensorOf(tile).getElementType();
        bool isConstant = kept.contains(tile) || tile.getDefiningOp<tile::AtomicOp>(); // It never changes.
        if (isConstant && places.contains(tile))
          bind(extract, asScalar(places[tile], element));
        else if (isNeeded(extract))
          declareConstant(extract, asScalar(Nest(*this, tile, op->getLoc()).printScalar(), element));
      })
      .Case([&](tile::DebugPrintOp print) { printDebugPrint(print); })
      // A thread group on the CPU is one thread, and updates the array itself.
      .Case<tile::BarrierOp, tile::PrivateOpenOp, tile::PrivateFlushOp>([&](auto) {})
      .Default([&](Operation *other) {
        bool isComputedLater =
            isTile &&
            (tile::isElementwise(other) ||
             isa<tile::FullOp, tile::IotaOp, tile::ConformOp, tile::BroadcastOp, tile::PermuteOp, tile::LayoutCastOp,
                 tile::ReduceOp, tile::DotOp, tile::GatherOp, tile::TakeOp, ub::PoisonOp>(other));
        if (!isComputedLater)
          unsupported(other);
      });
}

} // namespace tegula::stub
